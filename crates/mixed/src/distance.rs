//! How far an assignment is from satisfying a condition.
//!
//! Zero means satisfied. A comparison is as far as its sides are apart, measured
//! in bits so that no constraint drowns the others. Floats are apart in two ways,
//! and both count: by value, which shows the way from afar, and by the number of
//! floats between them, which shows the last steps.

use crate::number::ordered;
use num_traits::ToPrimitive;
use term::{FpFormat, Op, Place, Sort, Store, Tape, Term, Value};

/// What a constraint that only holds or not adds when it does not.
const FLAT: f64 = 1.0;
/// How deep connectives are looked into.
const DEPTH: u32 = 64;
/// How many terms of a constraint are looked at; shared parts count each time.
const TERMS: u32 = 500;

/// How far the constraints, each at its place, are from holding all at once.
pub(crate) fn total(store: &Store, values: &Tape, constraints: &[(Term, Place)]) -> f64 {
    let broken = constraints
        .iter()
        .filter(|(_, place)| values.word_at(*place) == 0);
    broken
        .map(|&(constraint, _)| of(store, values, constraint, true, 0, &mut { TERMS }))
        .sum()
}

fn of(store: &Store, at: &Tape, term: Term, want: bool, depth: u32, left: &mut u32) -> f64 {
    let holds = at.word(term) != 0;
    if holds == want {
        return 0.0;
    }
    if depth == DEPTH || *left == 0 {
        return FLAT;
    }
    *left -= 1;
    let mut of = |term, want| of(store, at, term, want, depth + 1, left);
    match (store.op(term), store.args(term)) {
        (Op::Not, &[a]) => of(a, !want),
        (Op::And, &[a, b]) if want => of(a, true) + of(b, true),
        (Op::And, &[a, b]) => {
            let (first, second) = (of(a, false), of(b, false));
            first.min(second)
        }
        (Op::Ite, &[c, a, b]) => {
            let then = of(c, true) + of(a, want);
            let other = of(c, false) + of(b, want);
            then.min(other)
        }
        (op, &[a, b]) => {
            let (a, b) = (at.value(a), at.value(b));
            match gap(op, want, &a, &b) {
                Some(gap) => (scaled(gap) + by_value(&a, &b).unwrap_or(scaled(gap))) / 2.0,
                None => FLAT,
            }
        }
        _ => FLAT,
    }
}

/// How far two floats are apart by value, brought below one.
fn by_value(a: &Value, b: &Value) -> Option<f64> {
    let (&Value::Fp(format, x), &Value::Fp(_, y)) = (a, b) else {
        return None;
    };
    let apart = (to_double(format, x)? - to_double(format, y)?).abs();
    Some(if apart.is_finite() {
        apart / (1.0 + apart)
    } else {
        FLAT
    })
}

fn to_double(format: FpFormat, bits: u128) -> Option<f64> {
    match format {
        FpFormat::DOUBLE => Some(f64::from_bits(bits as u64)),
        FpFormat::SINGLE => Some(f32::from_bits(bits as u32).into()),
        _ => None,
    }
}

/// A gap in bits, brought below one.
fn scaled(gap: f64) -> f64 {
    let bits = (1.0 + gap.max(0.0)).log2();
    bits / (1.0 + bits)
}

/// How far two values are from standing in a relation, or from not doing so.
fn gap(op: Op, want: bool, a: &Value, b: &Value) -> Option<f64> {
    let signed = op == Op::Slt;
    let difference = match op {
        Op::Eq | Op::FpEq => {
            return match want {
                true => Some(apart(a, b)?.abs()),
                // Any move away will do.
                false => Some(1.0),
            };
        }
        Op::Ult | Op::Slt => integer(a, signed)? - integer(b, signed)?,
        Op::FpLt | Op::FpLe | Op::Lt | Op::Le => apart(a, b)?,
        _ => return None,
    };
    let strict = matches!(op, Op::Ult | Op::Slt | Op::FpLt | Op::Lt);
    Some(match (want, strict) {
        (true, true) => difference + 1.0,
        (true, false) => difference,
        (false, true) => -difference,
        (false, false) => 1.0 - difference,
    })
}

fn integer(value: &Value, signed: bool) -> Option<f64> {
    let Value::Bv(bits) = value else {
        return None;
    };
    let word = bits.to_u64()?;
    let width = u32::from(bits.width());
    Some(match signed {
        true => ((word << (64 - width)) as i64 >> (64 - width)) as f64,
        false => word as f64,
    })
}

/// The first value less the second, on the line both are on.
fn apart(a: &Value, b: &Value) -> Option<f64> {
    match (a, b) {
        (Value::Bv(x), Value::Bv(_)) => {
            let signed = integer(a, true)? - integer(b, true)?;
            let unsigned = integer(a, false)? - integer(b, false)?;
            let nearer = signed.abs() < unsigned.abs();
            (x.width() <= 64).then_some(if nearer { signed } else { unsigned })
        }
        (&Value::Fp(format, x), &Value::Fp(_, y)) if format.width() <= 64 => {
            let (x, y) = (float(format, x as u64)?, float(format, y as u64)?);
            Some((x - y) as f64)
        }
        (Value::Int(x), Value::Int(y)) => (x - y).to_f64(),
        (Value::Real(x), Value::Real(y)) => {
            let double = |bits: f64| ordered(FpFormat::DOUBLE, bits.to_bits());
            Some((double(x.to_f64()?) - double(y.to_f64()?)) as f64)
        }
        (Value::Bool(_), Value::Bool(_)) => Some(1.0),
        _ => None,
    }
}

/// A float's place; none for what is not a number. The two zeros are one.
fn float(format: FpFormat, bits: u64) -> Option<i128> {
    let place = ordered(format, bits);
    let fraction = u32::from(format.sb) - 1;
    let infinity = i128::from(((1u64 << format.eb) - 1) << fraction);
    (-infinity - 1..=infinity)
        .contains(&place)
        .then_some(if place < 0 { place + 1 } else { place })
}

/// Whether a sort's values lie on a line that a search can walk along.
pub(crate) fn has_line(sort: Sort) -> bool {
    match sort {
        Sort::Bool | Sort::Int | Sort::Real => true,
        Sort::Bv(width) => width <= 64,
        Sort::Fp(format) => format.width() <= 64,
        Sort::RoundingMode | Sort::Array { .. } | Sort::String | Sort::RegLan => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Assignment;

    #[test]
    fn parts_that_are_shared_again_and_again_are_not_looked_at_for_ever() {
        let mut store = Store::new();
        let number = |store: &mut Store, name: String| {
            let x = store.var(&name, Sort::Bv(8));
            let one = store.bv(8, 1);
            store.eq(x, one)
        };
        let mut whole = number(&mut store, "x".to_owned());
        for i in 0..60 {
            // Both sides have all of what was before.
            let [left, right] = ["y", "z"].map(|name| {
                let other = number(&mut store, format!("{name}{i}"));
                store.or(whole, other)
            });
            whole = store.and(left, right);
        }
        let mut tape = Tape::new(&store, &[whole]);
        tape.load(&store, &Assignment::new(), None);
        let place = tape.place(whole);
        let distance = total(&store, &tape, &[(whole, place)]);
        assert!(distance > 0.0 && distance.is_finite(), "{distance}");
    }
}
