//! Tests as a TTCN-3 module: types for the messages, a port, a test case each, and a control part.
//!
//! What is left to whoever runs it is the adapter behind the port. Like a script, a test case
//! knows its test and not the model: other values on a channel that the model allows are
//! inconclusive, and everything else is a failure.

use super::{Otherwise, TestCase, TestEvent};
use crate::model::{Channel, Model};
use crate::render::step_name;
use crate::types::{Record, Shape, Type};
use num_traits::ToPrimitive;
use std::fmt::Write;
use term::{Value, fp};

/// Words of TTCN-3 that cannot be names.
const RESERVED: &str = "action activate address alive all alt altstep and and4b any anytype \
    apply bitstring boolean break call case catch char charstring check clear complement \
    component connect const continue control create deactivate decmatch decvalue default \
    disconnect display do done else encode enumerated error except exception execute extends \
    extension external fail false float for friend from function getcall getreply getverdict \
    goto group halt hexstring if ifpresent import in inconc infinity inout integer interleave \
    kill killed label language length log map match message mixed mod modifies module \
    modulepar mtc noblock none not not4b not_a_number nowait null objid octetstring of omit on \
    optional or or4b out override param pass pattern permutation port present private \
    procedure public raise read receive record recursive refers rem repeat reply return \
    running runs select self send sender set setverdict shl shr signature start stop subset \
    superset system template testcase timeout timer to trigger true type union universal \
    unmap value valueof var variant verdicttype while with xor xor4b";

/// The module with these tests.
pub fn module(model: &Model, tests: &[TestCase]) -> String {
    let mut text = "module Tests {\n\n".to_owned();
    let seen = |channel: &&Channel| !channel.is_shared || channel.is_visible;
    let channels: Vec<&Channel> = model.channels.iter().filter(seen).collect();
    declare_types(&mut text, &channels);
    for channel in &channels {
        let fields = channel.payload.iter().enumerate().map(|(number, ty)| {
            let name = match channel.names.get(number).map_or("", String::as_str) {
                "" => format!("value{}", number + 1),
                given => identifier(given),
            };
            format!("{} {name}", type_text(ty))
        });
        let fields = fields.collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            text,
            "type record {} {{ {fields} }}",
            message_type(&channel.name)
        );
    }
    let messages: Vec<String> = channels.iter().map(|it| message_type(&it.name)).collect();
    let _ = write!(
        text,
        "\ntype port SystemPort message {{ inout {} }}\n\n\
         type component Tester {{\n  port SystemPort sut;\n  timer quiescence := 1.0;\n}}\n",
        messages.join(", ")
    );
    for test in tests {
        text.push('\n');
        test_case(&mut text, model, test);
    }
    text.push_str("\ncontrol {\n");
    for test in tests {
        let _ = writeln!(text, "  execute({}());", identifier(&test.name));
    }
    text.push_str("}\n\n}\n");
    text
}

/// Declares the enumerations and records that go through channels, the inner before the outer.
fn declare_types(text: &mut String, channels: &[&Channel]) {
    let mut known: Vec<String> = Vec::new();
    for ty in channels.iter().flat_map(|channel| &channel.payload) {
        declare(text, ty, &mut known);
    }
}

fn declare(text: &mut String, ty: &Type, known: &mut Vec<String>) {
    let declaration = match ty {
        Type::Array(element, _) => return declare(text, element, known),
        Type::Enumeration(enumeration) => {
            let values = enumeration.values.iter().map(|value| identifier(value));
            let values = values.collect::<Vec<_>>().join(", ");
            format!("type enumerated {} {{ {values} }}", type_text(ty))
        }
        Type::Record(record) if is_listed(record) => {
            let fields = record.fields.iter().skip(1);
            fields.for_each(|(_, ty)| declare(text, ty, known));
            return;
        }
        Type::Record(record) => {
            for (_, field) in &record.fields {
                declare(text, field, known);
            }
            let fields = record.fields.iter();
            let fields = fields.map(|(name, ty)| format!("{} {}", type_text(ty), identifier(name)));
            let fields = fields.collect::<Vec<_>>().join(", ");
            format!("type record {} {{ {fields} }}", type_text(ty))
        }
        Type::Bool | Type::Int | Type::Bits { .. } | Type::Real | Type::Float | Type::String => {
            return;
        }
    };
    if !known.contains(&declaration) {
        let _ = writeln!(text, "{declaration}");
        known.push(declaration);
    }
}

fn test_case(text: &mut String, model: &Model, test: &TestCase) {
    let goals = test.goals.join("; ").replace('\n', " ");
    let _ = writeln!(text, "// covers {goals}");
    let name = identifier(&test.name);
    let _ = writeln!(text, "testcase {name}() runs on Tester {{");
    for step in &test.steps {
        match &step.event {
            TestEvent::Internal => {
                let names = step.step.map(|step| step_name(model, step));
                let _ = writeln!(text, "  // the system: {}", names.unwrap_or_default());
            }
            TestEvent::Input { channel, values } if Some(*channel) == model.time => {
                let time = value_text(&Type::Real, values, false);
                let _ = write!(
                    text,
                    "  quiescence.start({time});\n  alt {{\n    [] quiescence.timeout {{ }}\n    \
                     [] sut.receive {{ setverdict(inconc); stop; }}\n  }}\n"
                );
            }
            TestEvent::Input { channel, values } => {
                let it = &model.channels[*channel];
                let values = payload(it, values, false);
                let _ = writeln!(text, "  sut.send({}:{values});", message_type(&it.name));
            }
            TestEvent::Output {
                channel,
                values,
                open,
                otherwise,
            } => {
                let it = &model.channels[*channel];
                let (ty, values) = (message_type(&it.name), payload(it, values, true));
                let first = format!("sut.receive({ty}:{values}) {{ quiescence.stop; }}");
                let mut others = texts(model, otherwise);
                let open = open.as_ref().map(|open| format!("{}{open}", it.name));
                others.extend(open.map(|text| (*channel, text)));
                // What it sends may depend on when it does.
                let later = model.time.map(|_| format!("{}(…)", it.name));
                others.extend(later.map(|text| (*channel, text)));
                let silence = if otherwise.silence { "inconc" } else { "fail" };
                let timeout = format!("quiescence.timeout {{ setverdict({silence}); stop; }}");
                alternatives(text, model, &first, &others, Some(&timeout));
            }
            TestEvent::Silence { otherwise } => {
                let others = texts(model, otherwise);
                alternatives(text, model, "quiescence.timeout { }", &others, None);
            }
        }
    }
    text.push_str("  setverdict(pass);\n}\n");
}

/// Outputs that are no failure, by channel and for people.
fn texts(model: &Model, otherwise: &Otherwise) -> Vec<(usize, String)> {
    let all = otherwise.all();
    all.map(|output| (output.channel, output.text(model)))
        .collect()
}

/// What is waited for, what the model allows instead, and what it does not.
fn alternatives(
    text: &mut String,
    model: &Model,
    first: &str,
    others: &[(usize, String)],
    timeout: Option<&str>,
) {
    let _ = writeln!(text, "  quiescence.start;\n  alt {{\n    [] {first}");
    for (channel, other) in others {
        let comment = other.replace('\n', " ");
        let _ = writeln!(
            text,
            "    // {comment}\n    [] sut.receive({}:?) {{ setverdict(inconc); stop; }}",
            message_type(&model.channels[*channel].name)
        );
    }
    text.push_str("    [] sut.receive { setverdict(fail); stop; }\n");
    if let Some(timeout) = timeout {
        let _ = writeln!(text, "    [] {timeout}");
    }
    text.push_str("  }\n");
}

fn message_type(channel: &str) -> String {
    format!("Message_{}", plain(channel))
}

/// The type as fields of records have it.
fn type_text(ty: &Type) -> String {
    match ty {
        Type::Bool => "boolean".to_owned(),
        Type::Int | Type::Bits { .. } => "integer".to_owned(),
        Type::Real | Type::Float => "float".to_owned(),
        Type::String => "universal charstring".to_owned(),
        Type::Enumeration(enumeration) => format!("Type_{}", plain(&enumeration.name)),
        Type::Record(record) if is_listed(record) => {
            let element = record.fields.get(1).map(|(_, ty)| ty);
            let element = match element {
                Some(Type::Array(element, _)) => type_text(element),
                _ => "integer".to_owned(),
            };
            format!("record length(0..{}) of {element}", record.capacity())
        }
        Type::Record(record) => format!("Type_{}", plain(&record.name)),
        Type::Array(element, length) => {
            format!("record length({length}) of {}", type_text(element))
        }
    }
}

/// Whether the record is one element after the other, as TTCN-3 has lists.
fn is_listed(record: &Record) -> bool {
    matches!(record.shape, Shape::List | Shape::Set)
}

/// The values of a message; computed numbers may differ by one in a billion where they come
/// from the system.
fn payload(channel: &Channel, leaves: &[Value], is_expected: bool) -> String {
    let mut rest = leaves;
    let values = channel.payload.iter().map(|ty| {
        let (part, others) = rest.split_at(ty.size());
        rest = others;
        value_text(ty, part, is_expected)
    });
    format!("{{ {} }}", values.collect::<Vec<_>>().join(", "))
}

fn value_text(ty: &Type, leaves: &[Value], is_expected: bool) -> String {
    let several = |types: &mut dyn Iterator<Item = &Type>| {
        let mut rest = leaves;
        let parts = types.map(|ty| {
            let (part, others) = rest.split_at(ty.size());
            rest = others;
            value_text(ty, part, is_expected)
        });
        format!("{{ {} }}", parts.collect::<Vec<_>>().join(", "))
    };
    match (ty, &leaves[0]) {
        (Type::Array(element, length), _) => {
            several(&mut std::iter::repeat_n(element.as_ref(), *length))
        }
        (Type::Record(record), _) if is_listed(record) => {
            let entries = crate::value::entries(record, leaves);
            let parts = entries.into_iter().flatten();
            let parts = parts.map(|(ty, part)| value_text(ty, part, is_expected));
            format!("{{ {} }}", parts.collect::<Vec<_>>().join(", "))
        }
        (Type::Record(record), _) => several(&mut record.fields.iter().map(|(_, ty)| ty)),
        (Type::Enumeration(_), _) => identifier(&crate::value::to_text(ty, leaves)),
        (Type::Real, Value::Real(number)) => {
            let number = number.to_f64().unwrap_or(f64::MAX);
            let apart = number.abs().max(1.0) / 1e9;
            match is_expected {
                true => format!("({} .. {})", float(number - apart), float(number + apart)),
                false => float(number),
            }
        }
        (_, Value::Fp(format, bits)) if fp::is_nan(*format, *bits) => "not_a_number".to_owned(),
        (_, Value::Fp(_, bits)) => float(f64::from_bits(*bits as u64)),
        (_, Value::Str(codes)) => string(codes),
        _ => crate::value::to_text(ty, leaves),
    }
}

/// A number with a point, and a capital E where it has an exponent.
fn float(number: f64) -> String {
    if number.is_infinite() {
        return if number < 0.0 {
            "-infinity"
        } else {
            "infinity"
        }
        .to_owned();
    }
    let text = format!("{number:?}").replace('e', "E");
    match text.split_once('E') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0E{exponent}"),
        _ => text,
    }
}

/// A text; characters that are not printed stand for themselves by number.
fn string(codes: &[u32]) -> String {
    let is_plain = |code: &u32| (0x20..0x7f).contains(code);
    let parts = codes.chunk_by(|a, b| is_plain(a) && is_plain(b));
    let parts = parts.map(|part| match part {
        [code] if !is_plain(code) => {
            let [group, plane, row, cell] = code.to_be_bytes();
            format!("char({group}, {plane}, {row}, {cell})")
        }
        _ => {
            let text: String = part
                .iter()
                .filter_map(|&code| char::from_u32(code))
                .collect();
            format!("\"{}\"", text.replace('"', "\"\""))
        }
    });
    match codes.is_empty() {
        true => "\"\"".to_owned(),
        false => parts.collect::<Vec<_>>().join(" & "),
    }
}

/// The letters, digits and underscores of a name.
fn plain(name: &str) -> String {
    let kept = name.chars().map(|c| match c {
        _ if c.is_ascii_alphanumeric() => c,
        _ => '_',
    });
    kept.collect()
}

/// A name that TTCN-3 takes for one.
fn identifier(name: &str) -> String {
    let name = plain(name);
    match RESERVED.split_whitespace().any(|word| word == name) {
        true => format!("{name}_"),
        false if name.starts_with(|c: char| c.is_ascii_alphabetic()) => name,
        false => format!("x{name}"),
    }
}
