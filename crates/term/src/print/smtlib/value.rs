//! Values as SMT-LIB writes them, in models and inside terms.

use crate::bits::BitVec;
use crate::fp;
use crate::regex::Regex;
use crate::sort::{FpFormat, Sort};
use crate::text::CODE_POINTS;
use crate::value::{ArrayValue, Value};
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use std::fmt::Write;

/// The value as a term of SMT-LIB.
pub fn value(value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Bv(a) => bit_vector(a),
        Value::Fp(format, a) => float(*format, *a),
        Value::Rm(mode) => mode.name().to_owned(),
        Value::Array(a) => array(a),
        Value::Int(a) => signed(a.sign(), &a.magnitude().to_string()),
        Value::Real(a) => real(a),
        Value::Str(a) => string(a),
        Value::Re(a) => regex(a),
    }
}

/// The lowest `width` bits as a binary literal.
pub(super) fn bits(width: u32, bits: u128) -> String {
    format!("#b{bits:0width$b}", width = width as usize)
}

fn bit_vector(a: &BitVec) -> String {
    let width = usize::from(a.width());
    let big = a.to_big();
    match width % 4 {
        0 => format!("#x{big:0digits$x}", digits = width / 4),
        _ => format!("#b{big:0width$b}"),
    }
}

pub(super) fn float(f: FpFormat, a: u128) -> String {
    let (eb, sb) = (u32::from(f.eb), u32::from(f.sb));
    let sign = if fp::is_negative(f, a) { '-' } else { '+' };
    if fp::is_nan(f, a) {
        return format!("(_ NaN {eb} {sb})");
    }
    if fp::is_infinite(f, a) {
        return format!("(_ {sign}oo {eb} {sb})");
    }
    if fp::is_zero(f, a) {
        return format!("(_ {sign}zero {eb} {sb})");
    }
    let field = |low: u32, width: u32| bits(width, a >> low & ((1 << width) - 1));
    let stored = sb - 1;
    let (sign, exponent) = (field(stored + eb, 1), field(stored, eb));
    format!("(fp {sign} {exponent} {})", field(0, stored))
}

fn array(a: &ArrayValue) -> String {
    let sort = Sort::Array {
        index: a.index_width(),
        element: a.default().width(),
    };
    let mut text = "(store ".repeat(a.entries().len());
    write!(text, "((as const {sort}) {})", bit_vector(a.default())).expect("strings take all text");
    for (index, element) in a.entries() {
        let (index, element) = (bit_vector(index), bit_vector(element));
        write!(text, " {index} {element})").expect("strings take all text");
    }
    text
}

fn signed(sign: Sign, magnitude: &str) -> String {
    match sign {
        Sign::Minus => format!("(- {magnitude})"),
        Sign::NoSign | Sign::Plus => magnitude.to_owned(),
    }
}

fn real(a: &BigRational) -> String {
    let (numerator, denominator) = (a.numer().magnitude(), a.denom());
    let magnitude = match a.is_integer() {
        true => format!("{numerator}.0"),
        false => format!("(/ {numerator}.0 {denominator}.0)"),
    };
    signed(BigInt::sign(a.numer()), &magnitude)
}

/// Printable ASCII stands for itself, except that `"` is doubled and `\`,
/// which might begin an escape, is written as one.
fn string(a: &[u32]) -> String {
    let mut text = String::from("\"");
    for &code in a {
        match char::from_u32(code) {
            Some('"') => text.push_str("\"\""),
            Some(c @ ' '..='~') if c != '\\' => text.push(c),
            _ => write!(text, "\\u{{{code:x}}}").expect("strings take all text"),
        }
    }
    text.push('"');
    text
}

fn regex(whole: &Regex) -> String {
    enum Piece<'a> {
        Regex(&'a Regex),
        Text(&'static str),
    }
    use Piece::{Regex as Part, Text};
    let mut text = String::new();
    let mut stack = vec![Part(whole)];
    while let Some(piece) = stack.pop() {
        let part = match piece {
            Text(fixed) => {
                text.push_str(fixed);
                continue;
            }
            Part(part) => part,
        };
        if let Some(literal) = literal(part) {
            write!(text, "(str.to_re {})", string(&literal)).expect("strings take all text");
            continue;
        }
        match part {
            Regex::None => text.push_str("re.none"),
            Regex::Empty => text.push_str("(str.to_re \"\")"),
            Regex::Range(0, high) if *high == CODE_POINTS - 1 => text.push_str("re.allchar"),
            Regex::Range(low, high) => {
                let (low, high) = (string(&[*low]), string(&[*high]));
                write!(text, "(re.range {low} {high})").expect("strings take all text");
            }
            Regex::Concat(a, b) | Regex::Union(a, b) | Regex::Inter(a, b) => {
                text.push_str(match part {
                    Regex::Concat(..) => "(re.++ ",
                    Regex::Union(..) => "(re.union ",
                    _ => "(re.inter ",
                });
                stack.extend([Text(")"), Part(b), Text(" "), Part(a)]);
            }
            Regex::Star(a) => {
                text.push_str("(re.* ");
                stack.extend([Text(")"), Part(a)]);
            }
            Regex::Loop(a, least, most) => {
                write!(text, "((_ re.loop {least} {most}) ").expect("strings take all text");
                stack.extend([Text(")"), Part(a)]);
            }
            Regex::Complement(a) => {
                text.push_str("(re.comp ");
                stack.extend([Text(")"), Part(a)]);
            }
        }
    }
    text
}

/// The string, of an expression that [`Regex::literal`] may have made from it.
fn literal(mut regex: &Regex) -> Option<Vec<u32>> {
    let mut text = Vec::new();
    while let Regex::Concat(first, rest) = regex {
        match **first {
            Regex::Range(low, high) if low == high => text.push(low),
            _ => return None,
        }
        regex = rest;
    }
    match *regex {
        Regex::Range(low, high) if low == high => text.push(low),
        _ => return None,
    }
    Some(text)
}
