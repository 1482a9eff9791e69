//! Lists, sets and maps of bounded size, as records of what they hold.
//!
//! What they can do is described once, in expressions over their elements: `append` of a
//! `List<Int, 4>` is a function of the model like those of the file. What is not possible, such as
//! a fifth element, is an index outside an array, so that no transition is taken that would need
//! it. Elements that are not there are what variables begin as, and those of sets are in order, so
//! that equal collections are equal element by element.

use super::expression::{converted, default_of};
use super::{Checker, LEAVES};
use crate::model::{Definition, Expr, ExprKind, Operator};
use crate::syntax::Span;
use crate::syntax::ast::{self, Name};
use crate::types::{Record, Shape, Type};
use std::rc::Rc;
use term::Value;

/// How many elements a collection may have: what each operation does is written out for each.
const ELEMENTS: usize = 64;

/// Where the fields of collections are.
const LENGTH: usize = 0;
const ELEMENT: usize = 1;
const VALUE: usize = 2;

/// What a collection does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Append,
    Rest,
    Contains,
    IndexOf,
    Get,
    Insert,
    Put,
    Remove,
}

impl Operation {
    fn named(name: &str, shape: &Shape) -> Option<Operation> {
        Some(match (name, shape) {
            ("append", Shape::List) => Operation::Append,
            ("rest", Shape::List) => Operation::Rest,
            ("indexOf", Shape::List) => Operation::IndexOf,
            ("contains", Shape::List | Shape::Set | Shape::Map) => Operation::Contains,
            ("insert", Shape::Set) => Operation::Insert,
            ("put", Shape::Map) => Operation::Put,
            ("remove", Shape::Set | Shape::Map) => Operation::Remove,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Operation::Append => "append",
            Operation::Rest => "rest",
            Operation::Contains => "contains",
            Operation::IndexOf => "indexOf",
            Operation::Get => "get",
            Operation::Insert => "insert",
            Operation::Put => "put",
            Operation::Remove => "remove",
        }
    }
}

/// Whether a function of this name takes a collection, and nothing else does.
pub(super) fn is_operation(name: &str) -> bool {
    matches!(name, "append" | "rest" | "insert" | "put" | "remove")
}

/// The record that a collection is.
pub(super) fn collection(ty: &Type) -> Option<&Rc<Record>> {
    match ty {
        Type::Record(record) => match record.shape {
            Shape::List | Shape::Set | Shape::Map => Some(record),
            Shape::Fields | Shape::Variants(_) => None,
        },
        _ => None,
    }
}

impl Checker<'_> {
    /// `List<Int, 4>`, `Set<Int, 4>` or `Map<Int, Bool, 4>`.
    pub(super) fn collection_type(&mut self, written: &ast::Type) -> Option<Type> {
        let name = &written.name;
        let of = written.of.iter().map(|ty| self.ty(ty));
        let of: Vec<Type> = of.collect::<Option<_>>()?;
        let Some(bound) = &written.width else {
            let (name, of) = match name.text.as_str() {
                "Map" => ("Map", "Int, Bool"),
                other => (other, "Int"),
            };
            let message = format!("say of what, and how many at most: {name}<{of}, 4>");
            self.fail(written.name.span, message);
            return None;
        };
        let length = self.natural(bound, "elements", ELEMENTS)?;
        let shape = match name.text.as_str() {
            "List" => Shape::List,
            "Set" => Shape::Set,
            _ => Shape::Map,
        };
        if shape != Shape::List && !of[0].is_ordered() {
            let message = format!(
                "{} has no order; sets and keys of maps are of numbers, texts and enumerations",
                of[0].with_article()
            );
            self.fail(written.of[0].name.span, message);
            return None;
        }
        let names: Vec<String> = of.iter().map(Type::to_string).collect();
        let called = format!("{}<{}, {length}>", name.text, names.join(", "));
        let mut fields = vec![("length".to_owned(), Type::Int)];
        for (field, ty) in ["elements", "values"].into_iter().zip(of) {
            if ty.size().saturating_mul(length) > LEAVES {
                let message = format!("a {} of more than {LEAVES} values is too large", name.text);
                self.fail(bound.span, message);
                return None;
            }
            fields.push((field.to_owned(), Type::Array(Box::new(ty), length)));
        }
        Some(Type::Record(Rc::new(Record {
            name: called,
            fields,
            shape,
        })))
    }

    /// What a function gives for a collection and what else it takes.
    pub(super) fn collection_call(
        &mut self,
        name: &Name,
        first: Expr,
        others: &[ast::Expr],
    ) -> Option<Expr> {
        let record = collection(&first.ty)?.clone();
        if name.text == "length" && others.is_empty() {
            return Some(part(&first, LENGTH));
        }
        let Some(operation) = Operation::named(&name.text, &record.shape) else {
            let message = format!("{} has no `{}`", first.ty.with_article(), name.text);
            self.fail(name.span, message);
            return None;
        };
        let types = self.operands(operation, &record);
        if others.len() != types.len() {
            let (expected, found) = (types.len() + 1, others.len() + 1);
            let message = format!("`{}` takes {expected} values, not {found}", name.text);
            self.fail(name.span, message);
            return None;
        }
        let mut arguments = vec![first];
        arguments.extend(self.arguments(name, others, &types)?);
        Some(self.operated(operation, &record, arguments))
    }

    /// An element of a list, or what a map has for a key.
    pub(super) fn collection_index(&mut self, whole: Expr, index: &ast::Expr) -> Option<Expr> {
        let record = collection(&whole.ty)?.clone();
        match record.shape {
            Shape::List => {
                let position = self.index_expression(index)?;
                let position = there(&whole, position);
                Some(indexed(part(&whole, ELEMENT), position))
            }
            Shape::Map => {
                let key = self.expression_of(index, &element_type(&record, ELEMENT))?;
                Some(self.operated(Operation::Get, &record, vec![whole, key]))
            }
            Shape::Set | Shape::Fields | Shape::Variants(_) => {
                let message = format!("{} has no elements by number", whole.ty.with_article());
                self.fail(index.span, message);
                None
            }
        }
    }

    /// What is written in brackets, as a collection of this type.
    pub(super) fn collection_literal(
        &mut self,
        record: &Rc<Record>,
        elements: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let ty = Type::Record(record.clone());
        if elements.len() > record.capacity() {
            let (most, found) = (record.capacity(), elements.len());
            self.fail(span, format!("{found} elements where {most} may be"));
            return None;
        }
        if elements.is_empty() {
            return Some(default_of(&ty));
        }
        if record.shape == Shape::Map {
            self.fail(span, "every key of a map has a value: `[1 -> 2, 3 -> 4]`");
            return None;
        }
        let element = element_type(record, ELEMENT);
        let parts = elements.iter().map(|it| self.expression_of(it, &element));
        let mut parts: Vec<Expr> = parts.collect::<Option<_>>()?;
        if record.shape == Shape::Set {
            let mut whole = default_of(&ty);
            for part in parts {
                whole = self.operated(Operation::Insert, record, vec![whole, part]);
            }
            return Some(whole);
        }
        let length = int(parts.len());
        parts.resize_with(record.capacity(), || default_of(&element));
        Some(gathered(&ty, vec![length, array(&element, parts)]))
    }

    /// `[1 -> 2]`, as a map of this type.
    pub(super) fn map_literal(
        &mut self,
        pairs: &[(ast::Expr, ast::Expr)],
        span: Span,
        hint: Option<&Type>,
    ) -> Option<Expr> {
        let record = hint.and_then(collection);
        let Some(record) = record.filter(|it| it.shape == Shape::Map).cloned() else {
            self.fail(span, "keys with values are for maps: `Map<Int, Bool, 4>`");
            return None;
        };
        let types = [ELEMENT, VALUE].map(|field| element_type(&record, field));
        let mut whole = default_of(&Type::Record(record.clone()));
        for (key, value) in pairs {
            let key = self.expression_of(key, &types[0]);
            let value = self.expression_of(value, &types[1]);
            whole = self.operated(Operation::Put, &record, vec![whole, key?, value?]);
        }
        Some(whole)
    }

    /// The types of what an operation takes besides the collection.
    fn operands(&self, operation: Operation, record: &Record) -> Vec<Type> {
        match operation {
            Operation::Rest => Vec::new(),
            Operation::Put => vec![element_type(record, ELEMENT), element_type(record, VALUE)],
            _ => vec![element_type(record, ELEMENT)],
        }
    }

    fn operated(
        &mut self,
        operation: Operation,
        record: &Rc<Record>,
        arguments: Vec<Expr>,
    ) -> Expr {
        let number = self.operation(operation, record);
        Expr {
            ty: self.model.definitions[number].body.ty.clone(),
            kind: ExprKind::Apply(number, arguments),
        }
    }

    /// The function of the model that does it for collections of this type.
    fn operation(&mut self, operation: Operation, record: &Rc<Record>) -> usize {
        let ty = Type::Record(record.clone());
        let mut known = self.model.definitions.iter();
        let found = known.position(|it| {
            it.is_inherent && it.name == operation.name() && it.parameters.first() == Some(&ty)
        });
        if let Some(number) = found {
            return number;
        }
        let mut parameters = vec![ty];
        parameters.extend(self.operands(operation, record));
        let body = self.described(operation, record, &parameters);
        self.bodies.push((Span::default(), Span::default()));
        self.model.definitions.push(Definition {
            name: operation.name().to_owned(),
            parameters,
            body,
            is_recursive: false,
            is_inherent: true,
        });
        self.model.definitions.len() - 1
    }

    /// What an operation gives, over its parameters.
    fn described(&mut self, operation: Operation, record: &Rc<Record>, types: &[Type]) -> Expr {
        let parameter = |number: usize, name: &str| Expr {
            kind: ExprKind::Parameter(number, name.to_owned()),
            ty: types[number].clone(),
        };
        let whole = parameter(0, "whole");
        let size = record.capacity();
        let ty = &types[0];
        let length = part(&whole, LENGTH);
        let element = |at: usize| at_number(&whole, ELEMENT, at);
        let default = |field: usize| default_of(&element_type(record, field));
        match operation {
            Operation::Append => {
                let given = parameter(1, "element");
                let elements = (0..size).map(|at| {
                    let is_next = decided(Operator::Equal, length.clone(), int(at));
                    choice(is_next, given.clone(), element(at))
                });
                let elements = array(&given.ty, elements.collect());
                gathered(ty, vec![one_more(length.clone(), size), elements])
            }
            Operation::Rest => {
                let of = element_type(record, ELEMENT);
                let elements = (1..size).map(element).chain([default(ELEMENT)]);
                let elements = array(&of, elements.collect());
                gathered(ty, vec![one_less(length, size), elements])
            }
            Operation::Contains => {
                let given = parameter(1, "element");
                let hits = (0..size).map(|at| hit(&whole, at, &given));
                let none = truth(false);
                hits.reduce(|a, b| decided(Operator::Or, a, b))
                    .unwrap_or(none)
            }
            Operation::IndexOf => {
                let given = parameter(1, "element");
                let found = (0..size).rev();
                found.fold(minus_one(), |later, at| {
                    choice(hit(&whole, at, &given), int(at), later)
                })
            }
            Operation::Get => {
                let given = parameter(1, "key");
                let missing = indexed(part(&whole, VALUE), minus_one());
                (0..size).rev().fold(missing, |later, at| {
                    let value = at_number(&whole, VALUE, at);
                    choice(hit(&whole, at, &given), value, later)
                })
            }
            Operation::Insert | Operation::Put => {
                let given = parameter(1, "element");
                let has = vec![whole.clone(), given.clone()];
                let has = self.operated(Operation::Contains, record, has);
                let more = choice(has.clone(), length.clone(), one_more(length, size));
                let mut parts = vec![more];
                for field in ELEMENT..record.fields.len() {
                    let new = parameter(field, "element");
                    let elements = (0..size).map(|at| {
                        let same = at_number(&whole, field, at);
                        // What was there for the key is replaced.
                        let same_key = match field {
                            VALUE => choice(hit(&whole, at, &given), new.clone(), same.clone()),
                            _ => same.clone(),
                        };
                        let before = match at {
                            0 => new.clone(),
                            _ => choice(
                                below(&whole, at - 1, &given),
                                new.clone(),
                                at_number(&whole, field, at - 1),
                            ),
                        };
                        let moved = choice(below(&whole, at, &given), same, before);
                        choice(has.clone(), same_key, moved)
                    });
                    parts.push(array(&new.ty, elements.collect()));
                }
                gathered(ty, parts)
            }
            Operation::Remove => {
                let given = parameter(1, "element");
                let has = vec![whole.clone(), given.clone()];
                let has = self.operated(Operation::Contains, record, has);
                let less = choice(has.clone(), one_less(length.clone(), size), length);
                let mut parts = vec![less];
                for field in ELEMENT..record.fields.len() {
                    let elements = (0..size).map(|at| {
                        let same = at_number(&whole, field, at);
                        let next = match at + 1 < size {
                            true => at_number(&whole, field, at + 1),
                            false => default(field),
                        };
                        let stays = below(&whole, at, &given);
                        let moved = choice(stays, same.clone(), next);
                        choice(has.clone(), moved, same)
                    });
                    parts.push(array(&element_type(record, field), elements.collect()));
                }
                gathered(ty, parts)
            }
        }
    }
}

/// The type of the elements in a field of a collection.
fn element_type(record: &Record, field: usize) -> Type {
    match record.fields.get(field) {
        Some((_, Type::Array(element, _))) => (**element).clone(),
        _ => Type::Int,
    }
}

/// A field of a collection.
fn part(whole: &Expr, field: usize) -> Expr {
    let Some(record) = collection(&whole.ty) else {
        unreachable!("only collections have these parts");
    };
    let before = record.fields[..field].iter();
    let offset = before.map(|(_, ty)| ty.size()).sum();
    Expr {
        kind: ExprKind::Field(Box::new(whole.clone()), offset),
        ty: record.fields[field].1.clone(),
    }
}

fn at_number(whole: &Expr, field: usize, at: usize) -> Expr {
    indexed(part(whole, field), int(at))
}

fn indexed(array: Expr, index: Expr) -> Expr {
    let Type::Array(element, _) = array.ty.clone() else {
        unreachable!("only arrays are indexed");
    };
    Expr {
        kind: ExprKind::Index(Box::new(array), Box::new(index)),
        ty: *element,
    }
}

/// The index where an element is, and one outside of all arrays where none is.
pub(super) fn there(list: &Expr, index: Expr) -> Expr {
    let index = converted(index, Type::Int);
    let is_there = decided(Operator::Less, index.clone(), part(list, LENGTH));
    choice(is_there, index, minus_one())
}

/// Whether the element with this number is there, and is the one that is given.
fn hit(whole: &Expr, at: usize, given: &Expr) -> Expr {
    let same = decided(
        Operator::Equal,
        at_number(whole, ELEMENT, at),
        given.clone(),
    );
    decided(Operator::And, is_there(whole, at), same)
}

/// Whether the element with this number is there, and comes before the one that is given.
fn below(whole: &Expr, at: usize, given: &Expr) -> Expr {
    let ordered = |expr: Expr| match expr.ty {
        Type::Enumeration(_) => converted(expr, Type::Int),
        _ => expr,
    };
    let element = ordered(at_number(whole, ELEMENT, at));
    let less = decided(Operator::Less, element, ordered(given.clone()));
    decided(Operator::And, is_there(whole, at), less)
}

fn is_there(whole: &Expr, at: usize) -> Expr {
    decided(Operator::Less, int(at), part(whole, LENGTH))
}

/// One more than a length that is less than the size.
fn one_more(length: Expr, size: usize) -> Expr {
    let lengths = (1..=size).map(int).collect();
    indexed(array(&Type::Int, lengths), length)
}

/// One less than a length that is more than zero.
fn one_less(length: Expr, size: usize) -> Expr {
    let lengths = (0..size).map(int).collect();
    let before = Expr {
        kind: ExprKind::Binary(Operator::Subtract, Box::new(length), Box::new(int(1))),
        ty: Type::Int,
    };
    indexed(array(&Type::Int, lengths), before)
}

fn int(number: usize) -> Expr {
    Expr {
        kind: ExprKind::Value(vec![Value::Int(number.into())]),
        ty: Type::Int,
    }
}

fn minus_one() -> Expr {
    Expr {
        kind: ExprKind::Value(vec![Value::Int((-1).into())]),
        ty: Type::Int,
    }
}

fn truth(holds: bool) -> Expr {
    Expr {
        kind: ExprKind::Value(vec![Value::Bool(holds)]),
        ty: Type::Bool,
    }
}

/// An operator that gives a truth value.
fn decided(operator: Operator, left: Expr, right: Expr) -> Expr {
    Expr {
        kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
        ty: Type::Bool,
    }
}

fn choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    Expr {
        ty: then.ty.clone(),
        kind: ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)),
    }
}

fn array(element: &Type, parts: Vec<Expr>) -> Expr {
    Expr {
        ty: Type::Array(Box::new(element.clone()), parts.len()),
        kind: ExprKind::Gather(parts),
    }
}

fn gathered(ty: &Type, parts: Vec<Expr>) -> Expr {
    Expr {
        kind: ExprKind::Gather(parts),
        ty: ty.clone(),
    }
}
