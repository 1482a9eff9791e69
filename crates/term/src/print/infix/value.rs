//! Constants for people.

use crate::bits::BitVec;
use crate::fp;
use crate::regex::Regex;
use crate::text::CODE_POINTS;
use crate::value::{ArrayValue, Value};
use num_bigint::Sign;
use std::fmt::Write;

/// Entries of an array that are written out.
const ENTRIES: usize = 16;

/// The value; bit-vectors as unsigned numbers.
pub(super) fn value(value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Bv(a) => unsigned(a),
        Value::Fp(format, a) => fp::to_decimal(*format, *a),
        Value::Rm(mode) => mode.name().to_owned(),
        Value::Array(a) => array(a),
        Value::Int(a) => a.to_string(),
        Value::Real(a) if a.is_integer() => format!("{}.0", a.numer()),
        Value::Real(a) => a.to_string(),
        Value::Str(a) => {
            let text: String = a.iter().map(|&code| character(code, "\"")).collect();
            format!("\"{text}\"")
        }
        Value::Re(a) => format!("/{}/", regex(a)),
    }
}

/// Decimal if it is small, hexadecimal otherwise.
pub(super) fn unsigned(a: &BitVec) -> String {
    let big = a.to_big();
    match a.to_u64() {
        Some(word) if word < 1000 => word.to_string(),
        _ => format!("{big:#x}"),
    }
}

/// Decimal whatever its size.
pub(super) fn decimal(a: &BitVec) -> String {
    a.to_big().to_string()
}

/// The magnitude of a signed number, and whether it is negative.
pub(super) fn signed(a: &BitVec) -> (bool, String) {
    let int = a.to_int();
    let magnitude = BitVec::from_big(a.width(), int.magnitude());
    (int.sign() == Sign::Minus, unsigned(&magnitude))
}

/// All digits, so that the width shows.
pub(super) fn sized(a: &BitVec) -> String {
    let (big, width) = (a.to_big(), usize::from(a.width()));
    match width % 4 {
        0 => format!("0x{big:0digits$x}", digits = width / 4),
        _ => format!("0b{big:0width$b}"),
    }
}

fn array(a: &ArrayValue) -> String {
    let mut text = String::from("{");
    for (index, element) in a.entries().take(ENTRIES) {
        write!(text, "{}: {}, ", unsigned(index), unsigned(element))
            .expect("strings take all text");
    }
    if a.entries().len() > ENTRIES {
        let more = a.entries().len() - ENTRIES;
        write!(text, "… {more} more, ").expect("strings take all text");
    }
    write!(text, "else {}}}", unsigned(a.default())).expect("strings take all text");
    text
}

/// The character, with a backslash if it is one of `special`.
fn character(code: u32, special: &str) -> String {
    match char::from_u32(code) {
        Some(c) if c == '\\' || special.contains(c) => format!("\\{c}"),
        Some(c) if !c.is_control() => c.to_string(),
        _ => format!("\\u{{{code:x}}}"),
    }
}

/// How tightly the parts of a regular expression hold together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Hold {
    Union,
    Inter,
    Concat,
    Postfix,
}

/// The usual notation; `&` for intersection, `~` for complement, `[]` for no
/// string at all.
fn regex(whole: &Regex) -> String {
    enum Piece<'a> {
        Part(&'a Regex, Hold),
        Text(String),
    }
    use Piece::{Part, Text};
    let mut text = String::new();
    let mut stack = vec![Part(whole, Hold::Union)];
    while let Some(piece) = stack.pop() {
        let (part, least) = match piece {
            Part(part, least) => (part, least),
            Text(fixed) => {
                text.push_str(&fixed);
                continue;
            }
        };
        let (hold, pieces) = match part {
            Regex::None => (Hold::Postfix, vec![Text("[]".into())]),
            Regex::Empty => (Hold::Postfix, vec![Text("()".into())]),
            Regex::Range(low, high) => (Hold::Postfix, vec![Text(range(*low, *high))]),
            Regex::Concat(a, b) => (
                Hold::Concat,
                vec![Part(a, Hold::Concat), Part(b, Hold::Concat)],
            ),
            Regex::Union(a, b) => (
                Hold::Union,
                vec![Part(a, Hold::Union), Text("|".into()), Part(b, Hold::Union)],
            ),
            Regex::Inter(a, b) => (
                Hold::Inter,
                vec![Part(a, Hold::Inter), Text("&".into()), Part(b, Hold::Inter)],
            ),
            Regex::Star(a) => (
                Hold::Postfix,
                vec![Part(a, Hold::Postfix), Text("*".into())],
            ),
            Regex::Loop(a, least, most) => (
                Hold::Postfix,
                vec![Part(a, Hold::Postfix), Text(format!("{{{least},{most}}}"))],
            ),
            Regex::Complement(a) => (Hold::Concat, vec![Text("~".into()), Part(a, Hold::Postfix)]),
        };
        let is_enclosed = hold < least;
        stack.extend(is_enclosed.then(|| Text(")".into())));
        stack.extend(pieces.into_iter().rev());
        stack.extend(is_enclosed.then(|| Text("(".into())));
    }
    text
}

fn range(low: u32, high: u32) -> String {
    if (low, high) == (0, CODE_POINTS - 1) {
        return ".".into();
    }
    let special = "|&~*{}()[].-/";
    let (first, last) = (character(low, special), character(high, special));
    if low == high {
        first
    } else {
        format!("[{first}-{last}]")
    }
}
