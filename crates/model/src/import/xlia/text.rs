//! Expressions as models write them.

use super::ast::Expr;
use crate::import::precedence::{AND, COMPARISON, CONDITIONAL, OR, PRIMARY, PRODUCT, SIGN, SUM};

/// The expression as models write it.
pub(super) fn written(expr: &Expr) -> String {
    at_least(expr, CONDITIONAL)
}

/// All of the conditions.
pub(super) fn conjunction(conditions: &[Expr]) -> String {
    let level = if conditions.len() == 1 {
        CONDITIONAL
    } else {
        AND
    };
    let all = conditions.iter().map(|it| at_least(it, level));
    all.collect::<Vec<String>>().join(" and ")
}

/// Values in brackets; nothing for none.
pub(super) fn bracketed(values: &[Expr]) -> String {
    match values.is_empty() {
        true => String::new(),
        false => format!("({})", list(values)),
    }
}

fn list(values: &[Expr]) -> String {
    values
        .iter()
        .map(written)
        .collect::<Vec<String>>()
        .join(", ")
}

/// In brackets where it binds less tightly than what it stands in.
fn at_least(expr: &Expr, level: u8) -> String {
    let (text, own) = plain(expr);
    match own < level {
        true => format!("({text})"),
        false => text,
    }
}

fn plain(expr: &Expr) -> (String, u8) {
    match expr {
        Expr::Literal(text) | Expr::Name(text) => (text.clone(), PRIMARY),
        Expr::Any => ("any".to_owned(), PRIMARY),
        Expr::Field(of, field) => (format!("{}.{field}", at_least(of, PRIMARY)), PRIMARY),
        Expr::Index(of, index) => {
            let text = format!("{}[{}]", at_least(of, PRIMARY), written(index));
            (text, PRIMARY)
        }
        Expr::List(values) => (format!("[{}]", list(values)), PRIMARY),
        Expr::Call(function, values) => (format!("{function}({})", list(values)), PRIMARY),
        Expr::Not(of) => (format!("not {}", at_least(of, SIGN)), COMPARISON),
        Expr::Negate(of) => (format!("-{}", at_least(of, PRIMARY)), SIGN),
        Expr::Binary(operator, left, right) => {
            let (level, on_left, on_right) = match *operator {
                "or" => (OR, OR, AND),
                "and" => (AND, AND, COMPARISON),
                "+" | "-" => (SUM, SUM, PRODUCT),
                "*" | "/" => (PRODUCT, PRODUCT, SIGN),
                _ => (COMPARISON, SUM, SUM),
            };
            let (left, right) = (at_least(left, on_left), at_least(right, on_right));
            (format!("{left} {operator} {right}"), level)
        }
        Expr::If(condition, then, otherwise) => {
            let condition = written(condition);
            let (then, otherwise) = (written(then), written(otherwise));
            let text = format!("if {condition} then {then} else {otherwise}");
            (text, CONDITIONAL)
        }
    }
}
