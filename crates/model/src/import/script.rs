//! The ECMAScript that state charts carry: expressions and assignments, as far as
//! models have them.

use super::{Declared, name};
use crate::syntax::mistakes;

/// An expression as models write it, or what in it they do not have.
/// `_event.data.x` becomes what `data` says of `x`.
pub(super) fn expression(
    text: &str,
    data: &mut dyn FnMut(&str) -> String,
) -> Result<String, String> {
    let mut words = Vec::new();
    let mut rest = text.trim();
    while let Some(c) = rest.chars().next() {
        let (word, length) = if c.is_ascii_alphabetic() || c == '_' || c == '$' {
            let length = rest
                .find(|c: char| !c.is_ascii_alphanumeric() && !"_$.".contains(c))
                .unwrap_or(rest.len());
            (identifier(&rest[..length], data)?, length)
        } else if c.is_ascii_digit() {
            let length = rest
                .find(|c: char| !c.is_ascii_digit() && c != '.')
                .unwrap_or(rest.len());
            (rest[..length].to_owned(), length)
        } else if c == '\'' || c == '"' {
            let end = rest[1..].find(c).ok_or("a text without end")?;
            let inner = &rest[1..=end];
            if inner.contains(['\\', '"', '\n']) {
                return Err(format!("the text {c}{inner}{c}"));
            }
            (format!("\"{inner}\""), end + 2)
        } else {
            operator(rest)?
        };
        words.push(word);
        rest = rest[length..].trim_start();
    }
    let joined = words.join(" ");
    match words.is_empty() {
        true => Err("an empty expression".to_owned()),
        false if is_expression(&joined) => Ok(joined),
        false => Err(format!("`{}`", text.trim())),
    }
}

/// Whether models can have this where a condition stands. What was put together word by
/// word may be `>= + 2`, which scripts allow and models do not, or nonsense in both.
fn is_expression(text: &str) -> bool {
    let model = format!("automaton a {{ initial s\n s -> s when {text}, tau }}");
    mistakes(&model).is_empty()
}

fn identifier(word: &str, data: &mut dyn FnMut(&str) -> String) -> Result<String, String> {
    if let "true" | "false" = word {
        return Ok(word.to_owned());
    }
    if let Some(field) = word.strip_prefix("_event.data.") {
        return Ok(data(field));
    }
    if word.contains('.') || word.starts_with('_') || word.contains('$') {
        return Err(format!("`{word}`"));
    }
    Ok(name(word))
}

fn operator(rest: &str) -> Result<(String, usize), String> {
    const OPERATORS: [(&str, &str); 20] = [
        ("===", "="),
        ("!==", "!="),
        ("==", "="),
        ("!=", "!="),
        ("<=", "<="),
        (">=", ">="),
        ("&&", "and"),
        ("||", "or"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("<", "<"),
        (">", ">"),
        ("+", "+"),
        ("-", "-"),
        ("*", "*"),
        ("/", "/"),
        ("%", "mod"),
        ("!", "not"),
        ("(", "("),
        (")", ")"),
    ];
    let found = OPERATORS
        .iter()
        .find(|(script, _)| rest.starts_with(script));
    match found {
        Some((script, own)) => Ok(((*own).to_owned(), script.len())),
        None => Err(format!("`{}`", rest.chars().next().unwrap_or(' '))),
    }
}

/// `x = e`, `x += e`, `x++` as models write them.
pub(super) fn assignment(text: &str) -> Result<String, String> {
    let text = text.trim();
    let plain = &mut |field: &str| field.to_owned();
    for (sign, operator) in [("++", '+'), ("--", '-')] {
        if let Some(target) = text.strip_suffix(sign) {
            let target = name(target.trim());
            return Ok(format!("{target} := {target} {operator} 1"));
        }
    }
    let (target, value) = text.split_once('=').ok_or_else(|| format!("`{text}`"))?;
    let (target, operator) = match target.trim().strip_suffix(['+', '-', '*']) {
        Some(shorter) => (shorter, target.trim().chars().last()),
        None => (target.trim(), None),
    };
    let is_name = !target.is_empty()
        && target
            .trim()
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name || value.starts_with('=') {
        return Err(format!("`{text}`"));
    }
    let (target, value) = (name(target.trim()), expression(value, plain)?);
    Ok(match operator {
        Some(operator) => format!("{target} := {target} {operator} ({value})"),
        None => format!("{target} := {value}"),
    })
}

/// A variable with what it begins with.
pub(super) fn declared(id: &str, value: &str) -> Result<Declared, String> {
    let value = expression(value, &mut |field| field.to_owned())?;
    let bare = value.trim_start_matches("- ").to_owned();
    let ty = match bare.as_bytes().first() {
        _ if bare == "true" || bare == "false" => "Bool",
        Some(b'"') => "String",
        Some(byte) if byte.is_ascii_digit() && bare.contains('.') => "Real",
        Some(byte) if byte.is_ascii_digit() => "Int",
        _ => return Err(format!("`{value}`, whose type is not known")),
    };
    Ok(Declared {
        name: name(id),
        ty,
        value,
    })
}
