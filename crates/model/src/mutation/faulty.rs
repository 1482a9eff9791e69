//! Expressions and values that others are mistaken for.

use crate::model::{Expr, ExprKind, Operator};
use crate::types::Type;
use num_bigint::BigInt;
use num_rational::BigRational;
use term::{BitVec, Value};

/// Other values of an enumeration that one is confused with.
const CONFUSED: usize = 4;

/// A comparison with a value of an enumeration that takes another value for it: `kind = van or
/// kind = bike` for `kind = van`, `kind != van and kind != bike` for `kind != van`.
pub(super) fn taken_for_another(comparison: &Expr) -> Vec<Expr> {
    let ExprKind::Binary(operator, a, b) = &comparison.kind else {
        return Vec::new();
    };
    let (ExprKind::Value(values), Type::Enumeration(enumeration)) = (&b.kind, &b.ty) else {
        return Vec::new();
    };
    let joined = match operator {
        Operator::Equal => Operator::Or,
        _ => Operator::And,
    };
    // With two values there is no third to take for one of them.
    let all = (0..enumeration.values.len()).map(|it| vec![Value::Int(it.into())]);
    let others = all.filter(|it| enumeration.values.len() > 2 && it != values);
    let wrong = others.take(CONFUSED).map(|other| {
        let other = Expr {
            kind: ExprKind::Value(other),
            ty: b.ty.clone(),
        };
        let second = binary(*operator, (**a).clone(), other, Type::Bool);
        binary(joined, comparison.clone(), second, Type::Bool)
    });
    wrong.collect()
}

/// Values that this one is mistaken for.
pub(super) fn other_values(ty: &Type, value: &Value) -> Vec<Value> {
    match (ty, value) {
        (_, Value::Bool(truth)) => vec![Value::Bool(!truth)],
        (Type::Enumeration(enumeration), Value::Int(number)) => {
            let all = (0..enumeration.values.len()).map(BigInt::from);
            let others = all.filter(|other| other != number);
            others.take(2).map(Value::Int).collect()
        }
        (_, Value::Int(number)) => vec![Value::Int(number + 1), Value::Int(number - 1)],
        (_, Value::Real(number)) => {
            let one = BigRational::from_integer(1.into());
            vec![Value::Real(number + one)]
        }
        (Type::Bits { width, .. }, Value::Bv(bits)) => {
            let number = bits.to_int();
            let off = |by: i32| Value::Bv(BitVec::from_int(*width, &(&number + by)));
            vec![off(1), off(-1)]
        }
        (_, Value::Str(text)) => {
            let longer: Vec<u32> = text.iter().copied().chain([u32::from('x')]).collect();
            vec![Value::Str(longer.into())]
        }
        _ => Vec::new(),
    }
}

/// Twice a divisor that is a number, and half of it.
pub(super) fn other_divisors(divisor: &Expr) -> Vec<Expr> {
    let ExprKind::Value(values) = &divisor.kind else {
        return Vec::new();
    };
    let [Value::Int(number)] = &values[..] else {
        return Vec::new();
    };
    let mut others = vec![number * 2];
    if (number % 2) == BigInt::ZERO && *number > BigInt::from(2) {
        others.push(number / 2);
    }
    let others = others.into_iter().map(|other| Expr {
        kind: ExprKind::Value(vec![Value::Int(other)]),
        ty: divisor.ty.clone(),
    });
    others.collect()
}

pub(super) fn truth(holds: bool) -> Expr {
    Expr {
        kind: ExprKind::Value(vec![Value::Bool(holds)]),
        ty: Type::Bool,
    }
}

pub(super) fn not(expr: Expr) -> Expr {
    Expr {
        kind: ExprKind::Not(Box::new(expr)),
        ty: Type::Bool,
    }
}

pub(super) fn both(a: Expr, b: Expr) -> Expr {
    binary(Operator::And, a, b, Type::Bool)
}

pub(super) fn binary(operator: Operator, a: Expr, b: Expr, ty: Type) -> Expr {
    Expr {
        kind: ExprKind::Binary(operator, Box::new(a), Box::new(b)),
        ty,
    }
}

/// A small number of a type that numbers are of.
pub(super) fn number(ty: &Type, value: i64) -> Expr {
    let value = match ty {
        Type::Bits { width, .. } => Value::Bv(BitVec::from_int(*width, &value.into())),
        Type::Real => Value::Real(BigRational::from_integer(value.into())),
        Type::Float => {
            let bits = (value as f64).to_bits();
            Value::Fp(term::FpFormat::DOUBLE, u128::from(bits))
        }
        _ => Value::Int(value.into()),
    };
    Expr {
        kind: ExprKind::Value(vec![value]),
        ty: ty.clone(),
    }
}
