//! The ECMAScript that state charts carry: expressions and assignments, as far as
//! models have them.

mod constant;
mod expression;
mod statement;
mod token;
mod written;

pub(super) use constant::{CHOSEN, Constant, Given};
use expression::Beginning;
pub(super) use expression::{Plain, Scope, evaluated, expression};
pub(super) use statement::{is_shown, statements};
pub(super) use token::{renamed, words};
pub(super) use written::{Trouble, Written, both, negated};

use super::{Declared, name};

/// `x = e`, `x += e`, `x++` as models write them.
pub(super) fn assignment(text: &str) -> Result<String, String> {
    let (target, value) = split_assignment(text).ok_or_else(|| format!("`{}`", text.trim()))?;
    let value = expression(&value, &mut Plain)?;
    Ok(format!("{} := {}", target_name(&target), value.text))
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
    declared_after(id, value, &[]).map(|(declared, _)| declared)
}

/// A variable with what it begins with, which may depend on others that begin with these values;
/// and the value, if it is known.
pub(super) fn declared_after(
    id: &str,
    value: &str,
    earlier: &[(String, Constant)],
) -> Result<(Declared, Option<Constant>), String> {
    let value = expression(value, &mut Beginning(earlier))?;
    let declared = match value.ty {
        Some(ty) => Declared {
            name: name(id),
            ty,
            value: value.text,
        },
        None => return Err(format!("`{}`, whose type is not known", value.text)),
    };
    Ok((declared, value.constant))
}
