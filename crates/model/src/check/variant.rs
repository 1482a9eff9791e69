//! Enumerations with data: `enum Shape { circle(radius: Int), empty }`.
//!
//! Such a value is a record of which one it is, its `kind`, and all data that some value has.
//! Fields that several values have are one, if they are of the same type; what the value does not
//! have is what variables begin as.

use super::Checker;
use super::expression::default_of;
use crate::model::{Expr, ExprKind};
use crate::syntax::Span;
use crate::syntax::ast::{self, Name};
use crate::types::{Enumeration, Record, Shape, Type};
use std::rc::Rc;
use term::Value;

impl Checker<'_> {
    /// The enumeration and, where some value has data, the record of it.
    pub(super) fn variants(
        &mut self,
        name: &Name,
        values: &[(Name, Vec<(Name, ast::Type)>)],
        kind: Rc<Enumeration>,
    ) {
        let mut fields = vec![("kind".to_owned(), Type::Enumeration(kind))];
        let mut numbers = Vec::new();
        for (_, data) in values {
            let mut own = Vec::new();
            for (field, ty) in data {
                let Some(ty) = self.ty(ty) else {
                    return self.spoil(name);
                };
                let known = fields.iter().position(|(known, _)| *known == field.text);
                let number = known.unwrap_or(fields.len());
                let is_same = known.is_none_or(|number| fields[number].1 == ty);
                if !is_same || own.contains(&number) || number == 0 {
                    self.twice(field, "field");
                    return self.spoil(name);
                }
                if known.is_none() {
                    fields.push((field.text.clone(), ty));
                }
                own.push(number);
            }
            numbers.push(own);
        }
        let record = Record {
            name: name.text.clone(),
            fields,
            shape: Shape::Variants(numbers),
        };
        self.declare_type(name, Type::Record(Rc::new(record)));
    }

    /// The value of an enumeration with data that is meant by a name: that of the type which
    /// should be here, or the only one.
    fn variant_named(&self, name: &str, hint: Option<&Type>) -> Option<(Rc<Record>, usize)> {
        let number = |ty: &Type| match ty {
            Type::Record(record) => {
                let number = record.variants().iter().position(|it| it == name)?;
                Some((record.clone(), number))
            }
            _ => None,
        };
        if let Some(found) = hint.and_then(number) {
            return Some(found);
        }
        let mut found = self.types.values().filter_map(number);
        found.next().filter(|_| found.next().is_none())
    }

    /// A value without data, where a value with data could be.
    pub(super) fn bare_variant(&self, name: &str, hint: Option<&Type>) -> Option<Expr> {
        let is_record = matches!(hint, Some(Type::Record(_)));
        let (record, number) = self.variant_named(name, hint).filter(|_| is_record)?;
        let is_bare = match &record.shape {
            Shape::Variants(fields) => fields[number].is_empty(),
            _ => false,
        };
        is_bare.then(|| built(&record, number, Vec::new()))
    }

    /// `circle(3)`; none if there is no such value.
    pub(super) fn variant(
        &mut self,
        name: &Name,
        arguments: &[ast::Expr],
        hint: Option<&Type>,
    ) -> Option<Option<Expr>> {
        let (record, number) = self.variant_named(&name.text, hint)?;
        let Shape::Variants(fields) = &record.shape else {
            return None;
        };
        let types = fields[number]
            .iter()
            .map(|&field| record.fields[field].1.clone());
        let types: Vec<Type> = types.collect();
        let given = self.arguments(name, arguments, &types);
        Some(given.map(|given| built(&record, number, given)))
    }

    /// Says of a value with data that is written without it what to write.
    pub(super) fn without_data(&mut self, name: &str, span: Span, hint: Option<&Type>) -> bool {
        let is_record = matches!(hint, Some(Type::Record(_)));
        let Some((record, number)) = self.variant_named(name, hint).filter(|_| is_record) else {
            return false;
        };
        let Shape::Variants(fields) = &record.shape else {
            return false;
        };
        let fields = fields[number]
            .iter()
            .map(|&field| &record.fields[field].0[..]);
        let fields = fields.collect::<Vec<&str>>().join(", ");
        self.fail(span, format!("`{name}` has data: write `{name}({fields})`"));
        true
    }
}

/// The value with this number and this data.
fn built(record: &Rc<Record>, number: usize, mut given: Vec<Expr>) -> Expr {
    let own: &[usize] = match &record.shape {
        Shape::Variants(fields) => &fields[number],
        _ => &[],
    };
    let mut parts: Vec<Expr> = record.fields.iter().map(|(_, ty)| default_of(ty)).collect();
    parts[0].kind = ExprKind::Value(vec![Value::Int(number.into())]);
    for (&field, value) in own.iter().zip(given.drain(..)) {
        parts[field] = value;
    }
    Expr {
        kind: ExprKind::Gather(parts),
        ty: Type::Record(record.clone()),
    }
}
