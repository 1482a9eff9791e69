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
        } else if c == '!' && !rest.starts_with("!=") {
            // `!` binds tighter than anything; `not` here does not.
            let (operand, length) = operand(&rest[1..])?;
            let operand = expression(operand, data)?;
            (format!("(not ({operand}))"), length + 1)
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

/// What a `!` is about, up to where it ends in the text.
fn operand(text: &str) -> Result<(&str, usize), String> {
    let skipped = text.len() - text.trim_start().len();
    let rest = &text[skipped..];
    let length = match rest.chars().next() {
        Some('(') => {
            let mut depth = 0;
            let end = rest.char_indices().find(|&(_, c)| {
                depth += match c {
                    '(' => 1,
                    ')' => -1,
                    _ => 0,
                };
                depth == 0
            });
            end.ok_or("a bracket that is not closed")?.0 + 1
        }
        Some('!') => operand(&rest[1..])?.1 + 1,
        _ => rest
            .find(|c: char| !c.is_ascii_alphanumeric() && !"_$.".contains(c))
            .unwrap_or(rest.len()),
    };
    match length {
        0 => Err("a `!` about nothing".to_owned()),
        _ => Ok((&rest[..length], skipped + length)),
    }
}

/// The text with `In('id')` decided, which asks whether a state is active.
pub(super) fn with_state(text: &str, is_active: impl Fn(&str) -> bool) -> String {
    let (mut rest, mut decided) = (text, String::new());
    while let Some(at) = rest.find("In(") {
        let is_word = rest[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let inner = rest[at + 3..].split_once(')');
        match inner {
            Some((id, after)) if !is_word => {
                let id = id.trim().trim_matches(['\'', '"']);
                decided += &rest[..at];
                decided += if is_active(id) { "true" } else { "false" };
                rest = after;
            }
            _ => {
                decided += &rest[..at + 3];
                rest = &rest[at + 3..];
            }
        }
    }
    decided + rest
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
    if let Some(global) = word.strip_prefix("global.").filter(|it| !it.contains('.')) {
        return Ok(name(&format!("global_{global}")));
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
    let (target, value) = split_assignment(text).ok_or_else(|| format!("`{}`", text.trim()))?;
    let plain = &mut |field: &str| field.to_owned();
    let value = expression(&value, plain)?;
    Ok(format!("{} := {value}", target_name(&target)))
}

fn target_name(target: &str) -> String {
    name(&target.replace('.', "_"))
}

/// The target and the value of an assignment, in the words of the script.
pub(super) fn split_assignment(text: &str) -> Option<(String, String)> {
    let text = text.trim();
    let text = ["var ", "let ", "const "]
        .iter()
        .find_map(|word| text.strip_prefix(word))
        .unwrap_or(text);
    let is_target = |target: &str| {
        let plain = target.strip_prefix("global.").unwrap_or(target);
        plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && plain.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    for (sign, operator) in [("++", '+'), ("--", '-')] {
        let target = text.strip_suffix(sign).or(text.strip_prefix(sign));
        if let Some(target) = target.map(str::trim).filter(|it| is_target(it)) {
            return Some((target.to_owned(), format!("{target} {operator} 1")));
        }
    }
    let (target, value) = text.split_once('=')?;
    let (target, operator) = match target.trim().strip_suffix(['+', '-', '*']) {
        Some(shorter) => (shorter.trim(), target.trim().chars().last()),
        None => (target.trim(), None),
    };
    if !is_target(target) || value.starts_with('=') {
        return None;
    }
    Some(match operator {
        Some(operator) => (target.to_owned(), format!("{target} {operator} ({value})")),
        None => (target.to_owned(), value.trim().to_owned()),
    })
}

/// The variable that a statement gives a constant to.
pub(super) fn declaration(text: &str) -> Result<Declared, String> {
    let (target, value) = split_assignment(text).ok_or_else(|| "it sets nothing".to_owned())?;
    let mut found = declared(&target, &value).map_err(|what| format!("it has {what}"))?;
    found.name = target_name(&target);
    Ok(found)
}

/// What a variable of a type begins with when nothing says so.
pub(super) fn plain_value(ty: &str) -> &'static str {
    match ty {
        "Bool" => "false",
        "String" => "\"\"",
        _ => "0",
    }
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
