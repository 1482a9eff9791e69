//! Checked expressions as text, as models write them.

use crate::model::{Expr, ExprKind, Model, Place, Step};
use crate::types::{Record, Shape, Type};
use crate::value::{as_index, to_text};

/// The expression as models write it.
pub(crate) fn expression_text(model: &Model, expr: &Expr) -> String {
    let text = |expr: &Expr| expression_text(model, expr);
    let operand = |expr: &Expr| operand_text(model, expr);
    let list = |parts: &[Expr]| parts.iter().map(text).collect::<Vec<_>>().join(", ");
    match &expr.kind {
        ExprKind::Value(values) => to_text(&expr.ty, values),
        ExprKind::Any => "any".to_owned(),
        ExprKind::Variable(offset) => variable_text(model, *offset),
        ExprKind::Index(array, index) => format!("{}[{}]", text(array), text(index)),
        ExprKind::Field(record, offset) => {
            format!("{}.{}", text(record), field_name(&record.ty, *offset))
        }
        ExprKind::Gather(parts) => match &expr.ty {
            Type::Record(record) => gathered_text(model, record, parts),
            _ => format!("[{}]", list(parts)),
        },
        ExprKind::Call(function, arguments) => {
            let name = &model.functions[*function].name;
            format!("{name}({})", list(arguments))
        }
        ExprKind::Apply(definition, arguments) => {
            let name = &model.definitions[*definition].name;
            format!("{name}({})", list(arguments))
        }
        ExprKind::Parameter(_, name) => name.clone(),
        ExprKind::Builtin(builtin, arguments) => {
            format!("{}({})", builtin.name(), list(arguments))
        }
        ExprKind::Not(inner) => format!("not {}", operand(inner)),
        ExprKind::Negate(inner) => format!("-{}", operand(inner)),
        ExprKind::Binary(operator, a, b) => {
            format!("{} {} {}", operand(a), operator.sign(), operand(b))
        }
        ExprKind::If(condition, then, otherwise) => format!(
            "if {} then {} else {}",
            text(condition),
            text(then),
            text(otherwise)
        ),
        ExprKind::Convert(inner) => match (&inner.ty, &expr.ty) {
            (_, Type::String) => format!("text({})", text(inner)),
            (Type::String, _) => format!("int({})", text(inner)),
            _ => text(inner),
        },
    }
}

/// The fields of a record, as models write such a record.
fn gathered_text(model: &Model, record: &Record, parts: &[Expr]) -> String {
    let text = |expr: &Expr| expression_text(model, expr);
    let list = |parts: &mut dyn Iterator<Item = &Expr>| {
        let parts: Vec<String> = parts.map(text).collect();
        parts.join(", ")
    };
    let number = match &parts[0].kind {
        ExprKind::Value(values) => values.first().and_then(as_index),
        _ => None,
    };
    match (&record.shape, number, parts) {
        (Shape::Variants(values), Some(number), _) if number < values.len() => {
            let mut own = values[number].iter().map(|&field| &parts[field]);
            let fields = list(&mut own);
            match fields.is_empty() {
                true => text(&parts[0]),
                false => format!("{}({fields})", text(&parts[0])),
            }
        }
        (Shape::List, Some(length), [_, elements]) => match &elements.kind {
            ExprKind::Gather(elements) => format!("[{}]", list(&mut elements.iter().take(length))),
            _ => text(elements),
        },
        _ => format!("{}({})", record.name, list(&mut parts.iter())),
    }
}

/// A variable or a part of one, as models write it.
pub(crate) fn place_text(model: &Model, place: &Place) -> String {
    let mut text = variable_text(model, place.offset);
    for step in &place.steps {
        if let Step::Index(index) = step {
            text += &format!("[{}]", expression_text(model, index));
        }
    }
    text
}

fn operand_text(model: &Model, expr: &Expr) -> String {
    match expr.kind {
        ExprKind::Binary(..) | ExprKind::If(..) => format!("({})", expression_text(model, expr)),
        _ => expression_text(model, expr),
    }
}

fn variable_text(model: &Model, offset: usize) -> String {
    let found = model.variables.iter().find(|it| it.offset == offset);
    found.map_or_else(String::new, |variable| variable.name.clone())
}

fn field_name(ty: &Type, offset: usize) -> String {
    let Type::Record(record) = ty else {
        return String::new();
    };
    let mut at = 0;
    for (name, field) in &record.fields {
        if at == offset {
            return name.clone();
        }
        at += field.size();
    }
    String::new()
}
