//! Classes of the values that come with an input, for tests of data two by two.
//!
//! A number is below, at or above each constant that it is compared with right after it comes,
//! or else below, at or above zero; a truth value and an enumeration have a class for each value;
//! a text is empty or not. Most faults that depend on data depend on two values at most (Kuhn,
//! Wallace, Gallo, *Software fault interactions and implications for software testing*, 2004).

use crate::model::{Action, Expr, ExprKind, Model, Transition};
use crate::types::Type;
use crate::value::{order, to_text};
use crate::written::place_text;
use num_bigint::BigInt;
use num_traits::One;
use term::{Store, Term, Value};

/// Constants of one value that make classes.
const CONSTANTS: usize = 3;

/// Values of one message that are combined.
const LEAVES: usize = 6;

/// A class of values.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Class {
    /// This value alone.
    Is(Value),
    /// Any other.
    IsNot(Value),
    /// Those between two, and none of the two; without an end where there is none.
    Between(Option<Value>, Option<Value>),
}

/// A value that comes with an input, and its classes.
pub(crate) struct Classified {
    pub name: String,
    pub ty: Type,
    pub classes: Vec<Class>,
}

impl Class {
    /// That a value of this type is in the class.
    pub fn term(&self, store: &mut Store, ty: &Type, term: Term) -> Term {
        let less = |store: &mut Store, a: Term, b: Term| match ty {
            Type::Bits { signed: true, .. } => store.bv_slt(a, b),
            Type::Bits { .. } => store.bv_ult(a, b),
            _ => store.lt(a, b),
        };
        match self {
            Class::Is(value) => {
                let value = store.value(value.clone());
                store.eq(term, value)
            }
            Class::IsNot(value) => {
                let value = store.value(value.clone());
                let equal = store.eq(term, value);
                store.not(equal)
            }
            Class::Between(low, high) => {
                let mut conditions = Vec::new();
                if let Some(low) = low {
                    let low = store.value(low.clone());
                    conditions.push(less(store, low, term));
                }
                if let Some(high) = high {
                    let high = store.value(high.clone());
                    conditions.push(less(store, term, high));
                }
                store.and_all(conditions)
            }
        }
    }

    /// What people call it, of a value with this name and type.
    pub fn text(&self, name: &str, ty: &Type) -> String {
        let text = |value: &Value| to_text(ty, std::slice::from_ref(value));
        match self {
            Class::Is(value) => format!("{name} = {}", text(value)),
            Class::IsNot(value) => format!("{name} != {}", text(value)),
            Class::Between(Some(low), Some(high)) => {
                format!("{} < {name} < {}", text(low), text(high))
            }
            Class::Between(Some(low), None) => format!("{name} > {}", text(low)),
            Class::Between(None, Some(high)) => format!("{name} < {}", text(high)),
            Class::Between(None, None) => name.to_owned(),
        }
    }
}

/// The values of the message that a transition takes, as far as they have classes; by leaf.
pub(crate) fn classified(model: &Model, transition: &Transition) -> Vec<(usize, Classified)> {
    let Action::Input {
        targets, condition, ..
    } = &transition.action
    else {
        return Vec::new();
    };
    let next = model.transitions.iter();
    let next = next.filter(|it| it.automaton == transition.automaton && it.from == transition.to);
    let conditions: Vec<&Expr> = [condition]
        .into_iter()
        .chain(next.map(|it| &it.guard))
        .collect();
    let mut found = Vec::new();
    let mut leaf = 0;
    for target in targets {
        let names = target.ty.leaf_names(&place_text(model, target));
        for (index, (name, ty)) in names.into_iter().zip(target.ty.leaves()).enumerate() {
            let mut constants = Vec::new();
            if target.steps.is_empty() {
                for condition in &conditions {
                    compared(condition, target.offset + index, &mut constants);
                }
            }
            let classes = classes(&ty, constants);
            if classes.len() > 1 {
                found.push((leaf, Classified { name, ty, classes }));
            }
            leaf += 1;
        }
    }
    found.truncate(LEAVES);
    found
}

/// The constants that a variable is compared with.
fn compared(expr: &Expr, offset: usize, found: &mut Vec<Value>) {
    if let ExprKind::Binary(operator, left, right) = &expr.kind
        && operator.compares()
    {
        for (one, other) in [(left, right), (right, left)] {
            if let (ExprKind::Variable(variable), ExprKind::Value(values)) =
                (&one.kind, &other.kind)
                && *variable == offset
                && let [value] = &values[..]
                && !found.contains(value)
            {
                found.push(value.clone());
            }
        }
    }
    for child in expr.children() {
        compared(child, offset, found);
    }
}

fn classes(ty: &Type, mut constants: Vec<Value>) -> Vec<Class> {
    let default = Value::default_of(ty.sort());
    match ty {
        Type::Bool => [false, true].map(|it| Class::Is(Value::Bool(it))).to_vec(),
        Type::Enumeration(enumeration) => {
            let numbers = 0..enumeration.values.len();
            let values = numbers.map(|number| Class::Is(Value::Int(number.into())));
            values.collect()
        }
        Type::String => vec![Class::Is(default.clone()), Class::IsNot(default)],
        Type::Int | Type::Real | Type::Bits { .. } => {
            if constants.is_empty() {
                constants.push(default);
            }
            constants.sort_by(|a, b| order(ty, a, b));
            constants.truncate(CONSTANTS);
            numeric(ty, &constants)
        }
        // What NaN is less than is no order.
        Type::Float | Type::Array(..) | Type::Record(_) => Vec::new(),
    }
}

/// The constants, and what lies between them.
fn numeric(ty: &Type, constants: &[Value]) -> Vec<Class> {
    let mut found = Vec::new();
    let mut low: Option<Value> = None;
    for constant in constants {
        let between = Class::Between(low.clone(), Some(constant.clone()));
        let is_empty = match (&low, constant) {
            (Some(Value::Int(low)), Value::Int(high)) => high - low <= BigInt::one(),
            // Nothing is less than the least.
            (None, Value::Bv(bits)) => {
                matches!(ty, Type::Bits { signed: false, .. }) && bits.to_int() == BigInt::from(0)
            }
            _ => false,
        };
        if !is_empty {
            found.push(between);
        }
        found.push(Class::Is(constant.clone()));
        low = Some(constant.clone());
    }
    found.push(Class::Between(low, None));
    found
}
