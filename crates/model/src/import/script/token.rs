//! The tokens of scripts.

use num_bigint::BigInt;
use num_rational::BigRational;

/// The number of a token, which has digits and at most one point, or hexadecimal ones.
pub(super) fn number(token: &str) -> Option<BigRational> {
    if let Some(digits) = hexadecimal(token) {
        let number = BigInt::parse_bytes(digits.as_bytes(), 16)?;
        return Some(BigRational::from_integer(number));
    }
    let (whole, rest) = token.split_once('.').unwrap_or((token, ""));
    let digits: BigInt = format!("{whole}{rest}").parse().ok()?;
    let scale = BigInt::from(10).pow(rest.len() as u32);
    Some(BigRational::new(digits, scale))
}

/// The digits of a hexadecimal number.
fn hexadecimal(token: &str) -> Option<&str> {
    let digits = token.strip_prefix("0x").or(token.strip_prefix("0X"))?;
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    Some(digits).filter(|_| are_digits && !digits.is_empty())
}

pub(super) fn is_number(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit())
}

pub(super) fn is_text(token: &str) -> bool {
    token.starts_with(['\'', '"'])
}

pub(super) fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The tokens of a script; numbers are decimal, without exponents, or hexadecimal.
pub(super) fn tokens(text: &str) -> Result<Vec<&str>, String> {
    const MARKS: [&str; 26] = [
        "===", "!==", "==", "!=", "<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "!",
        "(", ")", "?", ":", ",", ".", "[", "]", "|", "&",
    ];
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let up_to = |is_inside: fn(char) -> bool| {
            let end = rest.find(|c: char| !is_inside(c));
            end.unwrap_or(rest.len())
        };
        let length = match c {
            _ if is_word(rest) => up_to(|c| c.is_ascii_alphanumeric() || c == '_'),
            '0'..='9' => {
                let length = up_to(|c| c.is_ascii_alphanumeric() || c == '.');
                let number = &rest[..length];
                let parts: Vec<&str> = number.split('.').collect();
                let are_digits = parts
                    .iter()
                    .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
                let is_octal = parts[0].len() > 1 && parts[0].starts_with('0');
                let is_decimal = parts.len() <= 2 && are_digits && !is_octal;
                if !is_decimal && hexadecimal(number).is_none() {
                    return Err(format!("the number `{number}`"));
                }
                length
            }
            '\'' | '"' => rest[1..].find(c).ok_or("a text without end")? + 2,
            _ => match MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                Some(mark) => mark.len(),
                None => return Err(format!("`{c}`")),
            },
        };
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

/// The words of a script, variables among them; none of one that has no tokens.
pub(in super::super) fn words(text: &str) -> Vec<&str> {
    let found = tokens(text).unwrap_or_default();
    let mut before = "";
    let mut words = Vec::new();
    for token in found {
        if is_word(token) && before != "." {
            words.push(token);
        }
        before = token;
    }
    words
}

/// The script with other names for its variables: each word that is no member of something, and
/// means nothing to the language or the platform, begins with the prefix.
pub(in super::super) fn renamed(text: &str, prefix: &str) -> String {
    const COMMON: [&str; 14] = [
        "true",
        "false",
        "undefined",
        "null",
        "typeof",
        "Math",
        "In",
        "and",
        "or",
        "not",
        "_event",
        "_name",
        "_sessionid",
        "_ioprocessors",
    ];
    let Ok(found) = tokens(text) else {
        return text.to_owned();
    };
    let mut before = "";
    let mut parts = Vec::new();
    for token in found {
        let is_name = is_word(token) && before != "." && !COMMON.contains(&token);
        parts.push(match is_name {
            true => format!("{prefix}{token}"),
            false => token.to_owned(),
        });
        before = token;
    }
    parts.join(" ")
}
