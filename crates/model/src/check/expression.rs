//! The types of expressions.

use super::Checker;
use super::collection::{collection, there};
use crate::model::{Expr, ExprKind, Place, Step, Variable};
use crate::syntax::Span;
use crate::syntax::ast::{self, Name};
use crate::types::{Shape, Type};
use crate::value::decimal;
use num_bigint::BigInt;
use term::{BitVec, FpFormat, RoundingMode, Value, fp};

/// The expression that always holds.
pub(super) fn truth() -> Expr {
    Expr {
        kind: ExprKind::Value(vec![Value::Bool(true)]),
        ty: Type::Bool,
    }
}

/// What a variable of the type begins as.
pub(super) fn default_of(ty: &Type) -> Expr {
    Expr {
        kind: ExprKind::Value(ty.default_values()),
        ty: ty.clone(),
    }
}

/// What makes an expression no constant, if anything.
pub(super) fn varying(expr: &Expr) -> Option<&'static str> {
    match &expr.kind {
        ExprKind::Any => Some("`any`"),
        ExprKind::Variable(_) => Some("a variable"),
        ExprKind::Parameter(..) => Some("a parameter"),
        ExprKind::Call(..) => Some("an external function"),
        _ => expr.children().into_iter().find_map(varying),
    }
}

impl Checker<'_> {
    /// The expression as one of this type, which numbers are brought to where
    /// nothing is lost.
    pub(super) fn expression_of(&mut self, expr: &ast::Expr, ty: &Type) -> Option<Expr> {
        let found = self.expression(expr, Some(ty))?;
        if found.ty == *ty {
            return Some(found);
        }
        if found.ty == Type::Int && *ty == Type::Real {
            return Some(converted(found, Type::Real));
        }
        let message = format!(
            "it is {}, and {} should be here",
            found.ty.with_article(),
            ty.with_article()
        );
        self.fail(expr.span, message);
        None
    }

    /// The expression with its type; `hint` decides what a number is.
    pub(super) fn expression(&mut self, expr: &ast::Expr, hint: Option<&Type>) -> Option<Expr> {
        match &expr.kind {
            ast::ExprKind::Number(text) => self.number(text, expr.span, hint),
            ast::ExprKind::Text(text) => {
                let beyond = text.chars().any(|c| u32::from(c) >= 0x30000);
                if beyond {
                    self.fail(expr.span, "strings have no characters beyond 2ffff");
                    return None;
                }
                let codes = text.chars().map(u32::from).collect();
                Some(constant(Type::String, Value::Str(codes)))
            }
            ast::ExprKind::Any => match hint {
                Some(ty) => Some(Expr {
                    kind: ExprKind::Any,
                    ty: ty.clone(),
                }),
                None => {
                    self.fail(expr.span, "`any` stands alone, as what a variable becomes");
                    None
                }
            },
            ast::ExprKind::Name(name) => self.named(name, expr.span, hint),
            ast::ExprKind::Index(array, index) => self.index(array, index),
            ast::ExprKind::Field(record, field) => self.field(record, field),
            ast::ExprKind::List(elements) => match hint.and_then(collection).cloned() {
                Some(record) => self.collection_literal(&record, elements, expr.span),
                None => self.list(elements, expr.span, hint),
            },
            ast::ExprKind::Pairs(pairs) => self.map_literal(pairs, expr.span, hint),
            ast::ExprKind::Call(name, arguments) => self.call(name, arguments, hint),
            ast::ExprKind::Not(operand) => {
                let operand = self.expression_of(operand, &Type::Bool)?;
                Some(Expr {
                    kind: ExprKind::Not(Box::new(operand)),
                    ty: Type::Bool,
                })
            }
            ast::ExprKind::Negate(operand) => self.negation(operand, expr.span, hint),
            ast::ExprKind::Binary(operator, left, right) => {
                self.binary(*operator, left, right, expr.span, hint)
            }
            ast::ExprKind::If(condition, then, otherwise) => {
                let condition = self.expression_of(condition, &Type::Bool);
                let (then, otherwise) = self.same_type(then, otherwise, expr.span, hint)?;
                let ty = then.ty.clone();
                Some(Expr {
                    kind: ExprKind::If(Box::new(condition?), Box::new(then), Box::new(otherwise)),
                    ty,
                })
            }
        }
    }

    fn number(&mut self, text: &str, span: Span, hint: Option<&Type>) -> Option<Expr> {
        let hint = hint.filter(|ty| ty.is_number()).cloned();
        let is_whole = text.starts_with("0x") || text.bytes().all(|byte| byte.is_ascii_digit());
        if is_whole {
            let digits = text.strip_prefix("0x").unwrap_or(text);
            let radix = if text.len() == digits.len() { 10 } else { 16 };
            let Some(number) = BigInt::parse_bytes(digits.as_bytes(), radix) else {
                self.fail(span, format!("`{text}` is not a number"));
                return None;
            };
            return self.whole(number, span, hint.unwrap_or(Type::Int));
        }
        let Some(number) = decimal(text) else {
            self.fail(span, format!("`{text}` is not a number"));
            return None;
        };
        Some(match hint {
            Some(Type::Float) => float(&number),
            _ => constant(Type::Real, Value::Real(number)),
        })
    }

    fn whole(&mut self, number: BigInt, span: Span, ty: Type) -> Option<Expr> {
        Some(match ty {
            Type::Bits { width, signed } => {
                let bits = BitVec::from_int(width, &number);
                let back = match signed {
                    true => bits.to_int(),
                    false => BigInt::from(bits.to_big()),
                };
                if back != number {
                    self.fail(span, format!("{number} does not fit {ty}"));
                    return None;
                }
                constant(ty, Value::Bv(bits))
            }
            Type::Real => constant(ty, Value::Real(number.into())),
            Type::Float => float(&number.into()),
            _ => constant(Type::Int, Value::Int(number)),
        })
    }

    fn named(&mut self, name: &str, span: Span, hint: Option<&Type>) -> Option<Expr> {
        if let "true" | "false" = name {
            return Some(constant(Type::Bool, Value::Bool(name == "true")));
        }
        let parameters = self.parameters.iter().flatten().enumerate();
        let mut own = parameters.filter(|(_, (parameter, _))| parameter == name);
        if let Some((number, (_, ty))) = own.next() {
            return Some(Expr {
                kind: ExprKind::Parameter(number, name.to_owned()),
                ty: ty.clone(),
            });
        }
        if let Some(variable) = self.variable_named(name) {
            return Some(Expr {
                kind: ExprKind::Variable(variable.offset),
                ty: variable.ty.clone(),
            });
        }
        let faults = self.faults.len();
        if let Some(variable) = self.variable_anywhere(name, span) {
            return Some(variable);
        }
        if self.faults.len() > faults {
            return None;
        }
        if let Some(found) = self.constant_named(name) {
            let (ty, value) = (found.ty.clone(), found.value.clone());
            // A constant number is as good as the number itself.
            return match (&ty, &value[..], hint) {
                (Type::Int, [Value::Int(number)], Some(hint)) if hint.is_number() => {
                    self.whole(number.clone(), span, hint.clone())
                }
                (Type::Real, [Value::Real(number)], Some(Type::Float)) => Some(float(number)),
                _ => Some(Expr {
                    kind: ExprKind::Value(value),
                    ty,
                }),
            };
        }
        if let Some(value) = self.bare_variant(name, hint) {
            return Some(value);
        }
        if self.without_data(name, span, hint) {
            return None;
        }
        let owners = self.literals.get(name).cloned().unwrap_or_default();
        let fitting = owners.iter().find(|(ty, _)| Some(ty) == hint);
        match (fitting, &owners[..]) {
            (Some((ty, number)), _) | (None, [(ty, number)]) => {
                Some(constant(ty.clone(), Value::Int((*number).into())))
            }
            (None, []) => {
                let message = format!("there is no variable, constant or value `{name}` here");
                self.missing(name, span, message);
                None
            }
            (None, several) => {
                let names: Vec<String> = several
                    .iter()
                    .map(|(ty, _)| format!("{ty}.{name}"))
                    .collect();
                let message = format!(
                    "`{name}` has several meanings: write {}",
                    names.join(" or ")
                );
                self.fail(span, message);
                None
            }
        }
    }

    /// The variable of this name that is in scope; a function sees none.
    fn variable_named(&self, name: &str) -> Option<&Variable> {
        let mut variables = self.model.variables.iter();
        let is_meant = |it: &&Variable| it.is_visible_in(self.automaton) && it.name == name;
        variables
            .find(is_meant)
            .filter(|_| self.parameters.is_none())
    }

    fn index(&mut self, array: &ast::Expr, index: &ast::Expr) -> Option<Expr> {
        let typed = self.expression(array, None);
        if typed
            .as_ref()
            .is_some_and(|typed| collection(&typed.ty).is_some())
        {
            return self.collection_index(typed?, index);
        }
        let position = self.index_expression(index);
        let (typed, position) = (typed?, position?);
        let Type::Array(element, length) = typed.ty.clone() else {
            let message = format!("it is {}, not an array", typed.ty.with_article());
            self.fail(array.span, message);
            return None;
        };
        self.check_range(&position, length, index.span);
        Some(Expr {
            kind: ExprKind::Index(Box::new(typed), Box::new(position)),
            ty: *element,
        })
    }

    pub(super) fn index_expression(&mut self, index: &ast::Expr) -> Option<Expr> {
        let found = self.expression(index, Some(&Type::Int))?;
        match found.ty {
            Type::Int | Type::Bits { .. } | Type::Enumeration(_) => Some(found),
            other => {
                self.fail(
                    index.span,
                    format!("an index is an Int, not {}", other.with_article()),
                );
                None
            }
        }
    }

    fn check_range(&mut self, index: &Expr, length: usize, span: Span) {
        if let ExprKind::Value(values) = &index.kind
            && let [Value::Int(number)] = &values[..]
            && (*number < BigInt::from(0) || *number >= BigInt::from(length))
        {
            let message = format!("the array has elements 0 to {}, not {number}", length - 1);
            self.fail(span, message);
        }
    }

    fn field(&mut self, record: &ast::Expr, field: &Name) -> Option<Expr> {
        if let ast::ExprKind::Name(name) = &record.kind
            && let Some(ty @ Type::Enumeration(enumeration)) = self.types.get(name)
        {
            let number = enumeration
                .values
                .iter()
                .position(|value| *value == field.text);
            if let Some(number) = number {
                return Some(constant(ty.clone(), Value::Int(number.into())));
            }
            let message = format!("`{name}` has no value `{}`", field.text);
            self.fail(field.span, message);
            return None;
        }
        if let Some(variable) = self.variable_of(record, field) {
            return Some(variable);
        }
        let typed = self.expression(record, None)?;
        let (offset, ty) = self.offset_of(&typed.ty, field)?;
        Some(Expr {
            kind: ExprKind::Field(Box::new(typed), offset),
            ty,
        })
    }

    fn offset_of(&mut self, ty: &Type, field: &Name) -> Option<(usize, Type)> {
        let record = match ty {
            Type::Record(record) if collection(ty).is_none() => record,
            _ => {
                self.fail(field.span, format!("{} has no fields", ty.with_article()));
                return None;
            }
        };
        let mut offset = 0;
        for (name, ty) in &record.fields {
            if *name == field.text {
                return Some((offset, ty.clone()));
            }
            offset += ty.size();
        }
        let message = format!("a {} has no field `{}`", record.name, field.text);
        self.fail(field.span, message);
        None
    }

    fn list(&mut self, elements: &[ast::Expr], span: Span, hint: Option<&Type>) -> Option<Expr> {
        let element = match hint {
            Some(Type::Array(element, _)) => Some(element.as_ref()),
            _ => None,
        };
        let Some((first, rest)) = elements.split_first() else {
            self.fail(span, "an array has at least one element");
            return None;
        };
        let first = match element {
            Some(ty) => self.expression_of(first, ty),
            None => self.expression(first, None),
        }?;
        let ty = first.ty.clone();
        let mut parts = vec![first];
        for element in rest {
            parts.push(self.expression_of(element, &ty)?);
        }
        Some(Expr {
            ty: Type::Array(Box::new(ty), parts.len()),
            kind: ExprKind::Gather(parts),
        })
    }

    fn negation(&mut self, operand: &ast::Expr, span: Span, hint: Option<&Type>) -> Option<Expr> {
        // `-128` fits eight bits although `128` does not.
        if let ast::ExprKind::Number(text) = &operand.kind
            && let Some(number) = BigInt::parse_bytes(text.as_bytes(), 10)
        {
            let hint = hint.filter(|ty| ty.is_number()).cloned();
            return self.whole(-number, span, hint.unwrap_or(Type::Int));
        }
        let found = self.expression(operand, hint)?;
        if !found.ty.is_number() {
            let message = format!("{} has no negative", found.ty.with_article());
            self.fail(operand.span, message);
            return None;
        }
        let ty = found.ty.clone();
        Some(Expr {
            kind: ExprKind::Negate(Box::new(found)),
            ty,
        })
    }

    /// A variable or a part of one, to be changed.
    pub(super) fn place(&mut self, expr: &ast::Expr) -> Option<Place> {
        match &expr.kind {
            ast::ExprKind::Name(name) => {
                let Some(variable) = self.variable_named(name) else {
                    let message = format!("there is no variable `{name}`; declare it with `var`");
                    self.missing(name, expr.span, message);
                    return None;
                };
                Some(Place {
                    offset: variable.offset,
                    variable: variable.ty.clone(),
                    steps: Vec::new(),
                    ty: variable.ty.clone(),
                })
            }
            ast::ExprKind::Index(array, index) => {
                let place = self.place(array);
                let position = self.index_expression(index);
                let (mut place, mut position) = (place?, position?);
                if let Some(record) = collection(&place.ty).cloned() {
                    if record.shape != Shape::List {
                        let message = "sets and maps change by `insert`, `put` and `remove`";
                        self.fail(array.span, message);
                        return None;
                    }
                    position = there(&self.expression(array, None)?, position);
                    place.steps.push(Step::Field(Type::Int.size()));
                    place.ty = record.fields[1].1.clone();
                }
                let Type::Array(element, length) = place.ty else {
                    let message = format!("it is {}, not an array", place.ty.with_article());
                    self.fail(array.span, message);
                    return None;
                };
                self.check_range(&position, length, index.span);
                place.steps.push(Step::Index(position));
                place.ty = *element;
                Some(place)
            }
            ast::ExprKind::Field(record, field) => {
                let mut place = self.place(record)?;
                let (offset, ty) = self.offset_of(&place.ty, field)?;
                place.steps.push(Step::Field(offset));
                place.ty = ty;
                Some(place)
            }
            _ => {
                self.fail(
                    expr.span,
                    "only a variable or a part of one can take a value",
                );
                None
            }
        }
    }
}

fn constant(ty: Type, value: Value) -> Expr {
    Expr {
        kind: ExprKind::Value(vec![value]),
        ty,
    }
}

fn float(number: &num_rational::BigRational) -> Expr {
    let bits = fp::from_rational(FpFormat::DOUBLE, RoundingMode::NearestEven, number);
    constant(Type::Float, Value::Fp(FpFormat::DOUBLE, bits))
}

pub(super) fn converted(expr: Expr, to: Type) -> Expr {
    if expr.ty == to {
        return expr;
    }
    Expr {
        kind: ExprKind::Convert(Box::new(expr)),
        ty: to,
    }
}
