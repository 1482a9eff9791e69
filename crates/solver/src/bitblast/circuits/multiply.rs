//! Multipliers.
//!
//! Each operand is read as a sum of signed digits, a digit being a literal
//! with the weight of a power of two or its negative. A constant has few
//! digits in canonical form; a sign-extended operand has one negative digit in
//! place of all copies of its sign. The partial products of all digit pairs
//! are then added column by column, which spends one full adder on each.

use super::super::aig::{Aig, Lit};
use super::{as_constant, full_adder, zext};
use num_bigint::BigUint;

/// `a * b`, modulo the width.
pub fn mul(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    debug_assert_eq!(a.len(), b.len());
    // One order for both orders of the operands, so that they share gates.
    let (a, b) = if a <= b { (a, b) } else { (b, a) };
    let mut sum = ColumnSum::new(a.len());
    let a_digits = digits(a);
    if a == b {
        sum.add_square(aig, &a_digits);
    } else {
        sum.add_product(aig, &a_digits, &digits(b));
    }
    sum.compress(aig)
}

/// The whole unsigned product, as wide as both operands together; they may
/// differ in width.
pub fn mul_full(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let width = a.len() + b.len();
    mul(aig, &zext(a, width), &zext(b, width))
}

/// The summand `lit · 2^position`, or its negative.
#[derive(Clone, Copy)]
struct Digit {
    lit: Lit,
    position: usize,
    negative: bool,
}

/// Digits whose sum is the value of `a`, modulo its width.
fn digits(a: &[Lit]) -> Vec<Digit> {
    match as_constant(a) {
        Some(value) => constant_digits(a.len(), &value),
        None => symbolic_digits(a),
    }
}

/// match: s…s low, the sign s twice or more
/// result: low − s·2^k, k being the width of low
fn symbolic_digits(a: &[Lit]) -> Vec<Digit> {
    let sign = super::sign(a);
    let low = a
        .iter()
        .rposition(|&bit| bit != sign)
        .map_or(0, |top| top + 1);
    let extended = a.len() - low >= 2;
    let kept = if extended { &a[..=low] } else { a };
    kept.iter()
        .enumerate()
        .filter(|&(_, &lit)| lit != Lit::FALSE)
        .map(|(position, &lit)| Digit {
            lit,
            position,
            negative: extended && position == low,
        })
        .collect()
}

/// The constant's ones, or its non-adjacent form where that is shorter.
fn constant_digits(width: usize, value: &BigUint) -> Vec<Digit> {
    let digit = |position, negative| Digit {
        lit: Lit::TRUE,
        position,
        negative,
    };
    let ones: Vec<Digit> = (0..width)
        .filter(|&position| value.bit(position as u64))
        .map(|position| digit(position, false))
        .collect();
    // In 3v − v, bits set only in 3v become +1, bits set only in v become −1,
    // each one place lower; what lies past the width has no weight.
    let triple = value * 3u32;
    let sparse: Vec<Digit> = (0..width)
        .filter_map(|position| {
            let above = position as u64 + 1;
            let (plus, minus) = (triple.bit(above), value.bit(above));
            (plus != minus).then_some(digit(position, minus))
        })
        .collect();
    if sparse.len() < ones.len() {
        sparse
    } else {
        ones
    }
}

/// A sum being gathered: for each power of two the literals of that weight,
/// and how often the constant one is added there, or taken away.
struct ColumnSum {
    columns: Vec<Vec<Lit>>,
    ones: Vec<i64>,
}

impl ColumnSum {
    fn new(width: usize) -> ColumnSum {
        ColumnSum {
            columns: vec![Vec::new(); width],
            ones: vec![0; width],
        }
    }

    fn add_product(&mut self, aig: &mut Aig, a: &[Digit], b: &[Digit]) {
        for x in a {
            for y in b {
                self.add_pair(aig, x, y, x.position + y.position);
            }
        }
    }

    /// Counts each pair of different digits once, with twice the weight.
    fn add_square(&mut self, aig: &mut Aig, a: &[Digit]) {
        for (index, x) in a.iter().enumerate() {
            self.add_pair(aig, x, x, 2 * x.position);
            for y in &a[index + 1..] {
                self.add_pair(aig, x, y, x.position + y.position + 1);
            }
        }
    }

    fn add_pair(&mut self, aig: &mut Aig, x: &Digit, y: &Digit, column: usize) {
        if column >= self.columns.len() {
            return;
        }
        let lit = aig.and(x.lit, y.lit);
        self.add_bit(lit, column, x.negative != y.negative);
    }

    /// Adds `±lit · 2^column`, using −b = ¬b − 1 for a negative one.
    fn add_bit(&mut self, lit: Lit, column: usize, negative: bool) {
        self.ones[column] -= i64::from(negative);
        match lit.negate_if(negative) {
            Lit::FALSE => {}
            Lit::TRUE => self.ones[column] += 1,
            lit => self.columns[column].push(lit),
        }
    }

    /// The sum, modulo the width. A column is added up from its end, its carries
    /// first: other orders have as many gates, but take solvers longer.
    fn compress(mut self, aig: &mut Aig) -> Vec<Lit> {
        let width = self.columns.len();
        let mut carried = 0;
        for (column, &ones) in self.columns.iter_mut().zip(&self.ones) {
            carried += ones;
            if carried & 1 == 1 {
                column.push(Lit::TRUE);
            }
            carried >>= 1;
        }
        let mut sum = Vec::with_capacity(width);
        for position in 0..width {
            let mut column = std::mem::take(&mut self.columns[position]);
            while column.len() > 1 {
                let added = column.split_off(column.len().saturating_sub(3));
                let third = added.get(2).copied().unwrap_or(Lit::FALSE);
                let (bit, carry) = full_adder(aig, added[0], added[1], third);
                column.push(bit);
                if carry != Lit::FALSE && position + 1 < width {
                    self.columns[position + 1].push(carry);
                }
            }
            sum.push(column.pop().unwrap_or(Lit::FALSE));
        }
        sum
    }
}
