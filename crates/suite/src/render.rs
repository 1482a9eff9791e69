//! A test case for people, and the same for programs as JSON.
//!
//! An input whose type is known is shown as that type; any other as text and,
//! where its size allows, as an integer. The bytes are shown always: they are
//! what the program gets.

use std::fmt::Write;

use base::escape::c_string;
use schemars::JsonSchema;
use serde::Serialize;

use crate::input_type::Shown;
use crate::value::{self, Value};
use crate::{Input, InputKind, InputType, InputTypes, SCHEMA, TestCase};

const BYTES_A_LINE: usize = 32;

/// The test case as text, one paragraph an input.
pub fn render(case: &TestCase, types: &InputTypes) -> String {
    let mut text = String::new();
    if !case.args.is_empty() {
        let args: Vec<String> = case.args.iter().map(|arg| quoted(arg)).collect();
        let _ = writeln!(text, "args: {}", args.join(" "));
    }
    if !case.schedule.is_empty() {
        let _ = writeln!(text, "schedule: {}", case.schedule);
    }
    if case.inputs.is_empty() {
        text.push_str("no inputs\n");
    }
    for (index, input) in case.inputs.iter().enumerate() {
        render_input(&mut text, index + 1, input, types.type_of(input).as_ref());
    }
    text
}

fn render_input(text: &mut String, number: usize, input: &Input, what: Option<&InputType>) {
    let size = input.bytes.len();
    let unknown = InputType::Kind(InputKind::Bytes);
    let shape = what.unwrap_or(&unknown).name(size);
    let _ = writeln!(text, "input {number}: {}, {shape}", input.name);
    match reading(&input.bytes, what) {
        Reading::Nothing => {}
        Reading::Word => {
            let _ = writeln!(text, "  int    {}", value::signed(&input.bytes));
            let _ = writeln!(text, "  uint   {}", value::unsigned(&input.bytes));
            let _ = writeln!(text, "  text   {}", quoted(&input.bytes));
        }
        Reading::Known(Shown::Fields(fields)) => render_fields(text, &fields),
        Reading::Known(shown) => {
            let label = match shown {
                Shown::Text(_) => "text",
                _ => "value",
            };
            let _ = writeln!(text, "  {label:<6} {}", shown.text());
        }
    }
    for (line, bytes) in input.bytes.chunks(BYTES_A_LINE).enumerate() {
        let bytes: Vec<String> = bytes.iter().map(|byte| hex::encode([*byte])).collect();
        let label = if line == 0 { "hex" } else { "" };
        let _ = writeln!(text, "  {label:<6} {}", bytes.join(" "));
    }
}

/// The members of a structure, a line each.
fn render_fields(text: &mut String, fields: &[(String, Shown)]) {
    let width = fields.iter().map(|(name, _)| name.chars().count()).max();
    let width = width.unwrap_or(0).max(6);
    for (name, value) in fields {
        let _ = writeln!(text, "  {name:<width$} {}", value.text());
    }
}

/// The inputs on one line: `x=42 name="Jo\0"`.
pub fn brief(case: &TestCase, types: &InputTypes) -> String {
    let inputs = case.inputs.iter().map(|input| {
        let value = match reading(&input.bytes, types.type_of(input).as_ref()) {
            Reading::Nothing => "\"\"".to_owned(),
            Reading::Word => value::signed(&input.bytes).to_string(),
            Reading::Known(shown) => shown.text(),
        };
        format!("{}={value}", input.name)
    });
    inputs.collect::<Vec<String>>().join(" ")
}

/// A test case for other programs to read.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TestDescription {
    /// The number of this schema, [`SCHEMA`].
    pub schema: u64,
    /// The program's name and its arguments, when the run had any.
    pub args: Vec<String>,
    /// The turns that threads took, if there were several: `THREAD:OPERATIONS` each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
    /// The inputs in the order the program asked for them.
    pub inputs: Vec<InputDescription>,
}

/// An input, read in every way that makes sense of its bytes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct InputDescription {
    /// The name given where the input was marked.
    pub name: String,
    /// How many bytes it has.
    pub size: usize,
    /// How the bytes are to be read, when that is known.
    pub kind: Option<InputKind>,
    /// What it is in the program's source, when that is more than a kind.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
    /// The bytes.
    pub hex: String,
    /// The bytes as one signed integer, when the kind is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub int: Option<serde_json::Value>,
    /// The bytes as one unsigned integer, when the kind is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uint: Option<serde_json::Value>,
    /// The bytes as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The value, a list of them, or an object of fields. A number that JSON readers would round is a
    /// text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<serde_json::Value>,
}

/// Describes a test case, with what is known of the types of its inputs.
pub fn describe(case: &TestCase, types: &InputTypes) -> TestDescription {
    let inputs = case.inputs.iter();
    let inputs = inputs.map(|input| describe_input(input, types.type_of(input)));
    TestDescription {
        schema: SCHEMA,
        args: case
            .args
            .iter()
            .map(|arg| String::from_utf8_lossy(arg).into_owned())
            .collect(),
        schedule: (!case.schedule.is_empty()).then(|| case.schedule.to_string()),
        inputs: inputs.collect(),
    }
}

fn describe_input(input: &Input, what: Option<InputType>) -> InputDescription {
    let (kind, name) = match &what {
        Some(InputType::Kind(kind)) => (Some(*kind), None),
        Some(other) => (None, Some(other.name(input.bytes.len()))),
        None => (None, None),
    };
    let mut described = InputDescription {
        name: input.name.clone(),
        size: input.bytes.len(),
        kind,
        what: name,
        hex: hex::encode(&input.bytes),
        int: None,
        uint: None,
        text: None,
        value: None,
    };
    match reading(&input.bytes, what.as_ref()) {
        Reading::Nothing => {}
        Reading::Known(Shown::Text(text)) => described.text = Some(text),
        Reading::Known(Shown::Character(byte)) => described.text = Some(c_string(&[byte])),
        Reading::Word => {
            described.int = Some(Value::Signed(value::signed(&input.bytes)).json());
            described.uint = Some(Value::Unsigned(value::unsigned(&input.bytes)).json());
            described.text = Some(c_string(&input.bytes));
        }
        Reading::Known(shown) => described.value = Some(shown.json()),
    }
    described
}

/// What an input's bytes are shown as, beside their hexadecimal form.
enum Reading {
    Nothing,
    /// Bytes of unknown type that have the size of an integer.
    Word,
    Known(Shown),
}

fn reading(bytes: &[u8], what: Option<&InputType>) -> Reading {
    match (what, bytes.len()) {
        (_, 0) => Reading::Nothing,
        (None, 1 | 2 | 4 | 8) => Reading::Word,
        (None, _) => Reading::Known(Shown::Text(c_string(bytes))),
        (Some(what), _) => Reading::Known(what.read(bytes)),
    }
}

fn quoted(bytes: &[u8]) -> String {
    format!("\"{}\"", c_string(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(input: Input, expected: &str) {
        assert_eq!(
            render(&TestCase::new(vec![input]), &InputTypes::default()),
            expected
        );
    }

    fn check_json(input: Input, expected: serde_json::Value) {
        let described = describe(&TestCase::new(vec![input]), &InputTypes::default());
        let json = serde_json::to_value(described).expect("a description is an object");
        assert_eq!(json, json!({"schema": 1, "args": [], "inputs": [expected]}));
    }

    #[test]
    fn a_typed_input_is_shown_as_its_value() {
        check(
            Input::new("x", (-7i32).to_le_bytes()).with_kind(InputKind::INT),
            "input 1: x, i32\n  value  -7\n  hex    f9 ff ff ff\n",
        );
        check(
            Input::new("d", 0.1f64.to_le_bytes()).with_kind(InputKind::Float(8)),
            "input 1: d, f64\n  value  0.1\n  hex    9a 99 99 99 99 99 b9 3f\n",
        );
        check(
            Input::new("p", 4096u64.to_le_bytes()).with_kind(InputKind::Pointer(8)),
            "input 1: p, ptr64\n  value  0x1000\n  hex    00 10 00 00 00 00 00 00\n",
        );
        check(
            Input::new("b", [1]).with_kind(InputKind::Bool),
            "input 1: b, bool\n  value  true\n  hex    01\n",
        );
    }

    #[test]
    fn an_array_is_shown_as_its_elements() {
        check(
            Input::new("a", [1, 0, 255, 255]).with_kind(InputKind::Signed(2)),
            "input 1: a, array of 2 i16\n  value  [1, -1]\n  hex    01 00 ff ff\n",
        );
        check(
            Input::new("s", *b"hi\n\0").with_kind(InputKind::Char),
            "input 1: s, array of 4 char\n  text   \"hi\\n\\0\"\n  hex    68 69 0a 00\n",
        );
    }

    #[test]
    fn an_input_of_unknown_type_is_shown_in_every_reading() {
        check(
            Input::new("x", *b"ab\xff\xff"),
            "input 1: x, 4 bytes\n  int    -40351\n  uint   4294926945\n  \
             text   \"ab\\377\\377\"\n  hex    61 62 ff ff\n",
        );
        check(
            Input::new("s", *b"abc"),
            "input 1: s, 3 bytes\n  text   \"abc\"\n  hex    61 62 63\n",
        );
        check(Input::new("nothing", []), "input 1: nothing, 0 bytes\n");
    }

    #[test]
    fn many_bytes_take_several_lines() {
        let rows = format!("{}\n         {}", ["61"; 32].join(" "), ["61"; 2].join(" "));
        let text = "a".repeat(34);
        check(
            Input::new("s", text.clone()).with_kind(InputKind::Bytes),
            &format!("input 1: s, 34 bytes\n  text   \"{text}\"\n  hex    {rows}\n"),
        );
    }

    #[test]
    fn the_command_line_is_shown_first() {
        let mut case = TestCase::new(Vec::new());
        case.args = vec![b"prog".to_vec(), b"a b\"".to_vec()];
        assert_eq!(
            render(&case, &InputTypes::default()),
            "args: \"prog\" \"a b\\\"\"\nno inputs\n"
        );
    }

    #[test]
    fn the_types_of_the_run_are_used_by_name() {
        let mut types = InputTypes::default();
        types.note("f", InputKind::Float(4));
        let case = TestCase::new(vec![Input::new("f", 1.5f32.to_le_bytes())]);
        assert_eq!(
            render(&case, &types),
            "input 1: f, f32\n  value  1.5\n  hex    00 00 c0 3f\n"
        );
    }

    #[test]
    fn all_inputs_fit_on_a_line() {
        let case = TestCase::new(vec![
            Input::new("x", (-2i32).to_le_bytes()),
            Input::new("name", *b"Jo\0"),
            Input::new("none", []),
            Input::new("many", [1, 0, 2, 0]).with_kind(InputKind::Signed(2)),
        ]);
        assert_eq!(
            brief(&case, &InputTypes::default()),
            "x=-2 name=\"Jo\\0\" none=\"\" many=[1, 2]"
        );
    }

    #[test]
    fn json_holds_numbers_where_they_are_exact() {
        check_json(
            Input::new("x", (-1i64).to_le_bytes()).with_kind(InputKind::Signed(8)),
            json!({"name": "x", "size": 8, "kind": "i64", "hex": "ffffffffffffffff", "value": -1}),
        );
        check_json(
            Input::new("w", u128::MAX.to_le_bytes()).with_kind(InputKind::Unsigned(16)),
            json!({"name": "w", "size": 16, "kind": "u128", "hex": "f".repeat(32),
                   "value": "340282366920938463463374607431768211455"}),
        );
        check_json(
            Input::new("f", f32::NAN.to_le_bytes()).with_kind(InputKind::Float(4)),
            json!({"name": "f", "size": 4, "kind": "f32", "hex": "0000c07f", "value": "NaN"}),
        );
        check_json(
            Input::new("u", *b"a\0"),
            json!({"name": "u", "size": 2, "kind": null, "hex": "6100",
                   "int": 97, "uint": 97, "text": "a\\0"}),
        );
    }
}
