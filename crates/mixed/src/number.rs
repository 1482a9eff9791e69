//! The numbers among the inputs, as places on a line.
//!
//! A program's inputs are bytes, and the numbers it computes with are several of
//! them side by side. A search moves numbers, not bytes: integers by value, floats
//! along the line of all floats, on which neighbours differ by one.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Assignment, BitVec, FpFormat, Op, Sort, Store, Term, Value, Variable};

/// A number made of input variables.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    /// The variables and their widths, the lowest bits first.
    parts: Vec<(Variable, u16)>,
    pub kind: Kind,
}

/// What the places of a number stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Bits, as a signed number.
    Bits(u16),
    /// A float.
    Float(FpFormat),
    /// A truth value.
    Bool,
    /// An unbounded integer.
    Int,
    /// A rational number, moved as the nearest double.
    Real,
}

/// The numbers that occur in the constraints.
pub(crate) fn numbers(store: &Store, constraints: &[Term]) -> Vec<Number> {
    let order = term::post_order(store, constraints);
    let mut floats: FxHashMap<Term, FpFormat> = FxHashMap::default();
    for &term in &order {
        if store.op(term) == Op::FpFromBits
            && let Sort::Fp(format) = store.sort(term)
        {
            floats.insert(store.args(term)[0], format);
        }
    }
    let mut joined: Vec<(Term, Vec<(Variable, u16)>)> = order
        .iter()
        .filter(|&&term| store.op(term) == Op::Concat)
        .filter_map(|&term| Some((term, leaves(store, term)?)))
        .collect();
    joined.sort_by_key(|(term, parts)| (std::cmp::Reverse(parts.len()), *term));
    let mut used: FxHashSet<Variable> = FxHashSet::default();
    let mut found = Vec::new();
    for (term, parts) in joined {
        if parts.iter().any(|(variable, _)| used.contains(variable)) {
            continue;
        }
        used.extend(parts.iter().map(|&(variable, _)| variable));
        let width = store.width(term);
        let kind = floats
            .get(&term)
            .map_or(Kind::Bits(width), |&f| Kind::Float(f));
        found.push(Number { parts, kind });
    }
    for &term in &order {
        let Some(variable) = store.as_variable(term) else {
            continue;
        };
        let kind = match (store.sort(term), floats.get(&term)) {
            (_, Some(&format)) => Kind::Float(format),
            (Sort::Bv(width), None) => Kind::Bits(width),
            (Sort::Fp(format), None) => Kind::Float(format),
            (Sort::Bool, None) => Kind::Bool,
            (Sort::Int, None) => Kind::Int,
            (Sort::Real, None) => Kind::Real,
            _ => continue,
        };
        if used.insert(variable) {
            let parts = vec![(variable, store.width(term))];
            found.push(Number { parts, kind });
        }
    }
    found.retain(|number| number.bits() <= 64);
    found
}

/// The variables that a concatenation consists of, the lowest first, if it
/// consists of nothing else and of each only once.
fn leaves(store: &Store, term: Term) -> Option<Vec<(Variable, u16)>> {
    let mut found = Vec::new();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        match (store.op(term), store.args(term)) {
            (Op::Concat, &[high, low]) => stack.extend([high, low]),
            (Op::Var, _) => found.push((store.as_variable(term)?, store.width(term))),
            _ => return None,
        }
    }
    let distinct: FxHashSet<Variable> = found.iter().map(|&(variable, _)| variable).collect();
    (distinct.len() == found.len()).then_some(found)
}

impl Number {
    fn bits(&self) -> u32 {
        match self.kind {
            Kind::Bits(width) => width.into(),
            Kind::Float(format) => format.width(),
            Kind::Bool => 1,
            Kind::Int | Kind::Real => 64,
        }
    }

    pub fn variables(&self) -> impl Iterator<Item = Variable> {
        self.parts.iter().map(|&(variable, _)| variable)
    }

    /// The first and the last place.
    pub fn range(&self) -> (i128, i128) {
        match self.kind {
            Kind::Bool => (0, 1),
            Kind::Float(format) => {
                let infinity = i128::from(infinity(format));
                (-infinity - 1, infinity)
            }
            _ => {
                let half = 1i128 << (self.bits() - 1);
                (-half, half - 1)
            }
        }
    }

    /// The number's place.
    pub fn place(&self, assignment: &Assignment) -> i128 {
        let [(variable, _)] = self.parts[..] else {
            let mut word = 0u64;
            let mut at = 0;
            for &(variable, width) in &self.parts {
                if let Some(Value::Bv(bits)) = assignment.get(variable) {
                    word |= bits.to_u64().unwrap_or(0) << at;
                }
                at += width;
            }
            return self.place_of_word(word);
        };
        match assignment.get(variable) {
            Some(value) => self.place_of(value),
            None => self.place_of_word(0),
        }
    }

    /// The place of a value of the number's kind.
    pub fn place_of(&self, value: &Value) -> i128 {
        match value {
            Value::Bool(truth) => i128::from(*truth),
            Value::Bv(bits) => self.place_of_word(bits.to_u64().unwrap_or(0)),
            Value::Fp(_, bits) => self.place_of_word(*bits as u64),
            Value::Int(number) => number.to_i64().unwrap_or(0).into(),
            Value::Real(number) => {
                let nearest = number.to_f64().unwrap_or(0.0);
                ordered(FpFormat::DOUBLE, nearest.to_bits())
            }
            Value::Rm(_) | Value::Array(_) | Value::Str(_) | Value::Re(_) => 0,
        }
    }

    fn place_of_word(&self, word: u64) -> i128 {
        match self.kind {
            Kind::Float(format) => ordered(format, word),
            Kind::Real => ordered(FpFormat::DOUBLE, word),
            Kind::Bool => i128::from(word & 1),
            Kind::Bits(_) | Kind::Int => {
                let shift = 64 - self.bits();
                i128::from((word << shift) as i64 >> shift)
            }
        }
    }

    /// Puts the number at a place, which is brought into range first.
    pub fn set(&self, assignment: &mut Assignment, place: i128) {
        self.write(place, |variable, value| assignment.set(variable, value));
    }

    /// Says what the number's variables are at a place, which is brought into
    /// range first.
    pub fn write(&self, place: i128, mut set: impl FnMut(Variable, Value)) {
        let (first, last) = self.range();
        let place = place.clamp(first, last);
        let word = match self.kind {
            Kind::Float(format) => unordered(format, place),
            Kind::Real => unordered(FpFormat::DOUBLE, place),
            Kind::Bits(_) | Kind::Bool | Kind::Int => place as u64,
        };
        match (&self.parts[..], self.kind) {
            (&[(variable, _)], Kind::Bool) => set(variable, Value::Bool(word != 0)),
            (&[(variable, _)], Kind::Int) => set(variable, Value::Int(BigInt::from(place))),
            (&[(variable, _)], Kind::Real) => {
                let number = shortest_decimal(f64::from_bits(word));
                set(variable, Value::Real(number));
            }
            (&[(variable, 0)], Kind::Float(format)) => {
                set(variable, Value::Fp(format, word.into()));
            }
            (parts, _) => {
                let mut rest = word;
                for &(variable, width) in parts {
                    set(variable, Value::Bv(BitVec::from_u64(width, rest)));
                    rest = if width < 64 { rest >> width } else { 0 };
                }
            }
        }
    }
}

/// The shortest decimal that the double is nearest to: one tenth, rather than the fraction with
/// seventeen digits that the double is. Doubles that are no numbers are 0.
fn shortest_decimal(number: f64) -> BigRational {
    let text = format!("{number:e}");
    let parts = text.split_once('e').and_then(|(digits, exponent)| {
        let places = digits.split_once('.').map_or(0, |(_, places)| places.len());
        let digits: BigInt = digits.replace('.', "").parse().ok()?;
        let exponent: i32 = exponent.parse().ok()?;
        Some((digits, exponent - places as i32))
    });
    let Some((digits, exponent)) = parts else {
        return BigRational::default();
    };
    let scale = BigInt::from(10).pow(exponent.unsigned_abs());
    match exponent < 0 {
        true => BigRational::new(digits, scale),
        false => BigRational::from_integer(digits * scale),
    }
}

/// The bits of a format's infinity.
fn infinity(format: FpFormat) -> i64 {
    let fraction = u32::from(format.sb) - 1;
    ((1i64 << format.eb) - 1) << fraction
}

/// A float's place on the line of floats: zero is at zero, minus zero just
/// below it. Not-a-numbers lie beyond the infinities.
pub(crate) fn ordered(format: FpFormat, bits: u64) -> i128 {
    let sign = 1u64 << (format.width() - 1);
    if bits & sign == 0 {
        i128::from(bits)
    } else {
        -1 - i128::from(bits & !sign)
    }
}

fn unordered(format: FpFormat, place: i128) -> u64 {
    let sign = 1u64 << (format.width() - 1);
    if place >= 0 {
        place as u64
    } else {
        (-1 - place) as u64 | sign
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_on_the_line_of_doubles_is_the_shortest_decimal_there() {
        for (double, numerator, denominator) in [
            (0.1, 1, 10),
            (-2.5, -5, 2),
            (1e21, 1, 1),
            (0.0, 0, 1),
            (
                1.0 / 3.0,
                3_333_333_333_333_333_i64,
                10_000_000_000_000_000_i64,
            ),
            (f64::INFINITY, 0, 1),
        ] {
            let mut expected = BigRational::new(numerator.into(), denominator.into());
            if double == 1e21 {
                expected *= BigRational::from_integer(BigInt::from(10).pow(21));
            }
            assert_eq!(shortest_decimal(double), expected, "{double}");
        }
        for double in [f64::MIN_POSITIVE, f64::MAX, 5e-324, 123_456.789e-30] {
            let nearest = shortest_decimal(double).to_f64();
            assert_eq!(nearest, Some(double));
        }
    }
}
