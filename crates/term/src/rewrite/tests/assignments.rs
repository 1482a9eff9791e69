//! The values terms are tried with: all there are, where they are few.

use super::random::Random;
use crate::bits::BitVec;
use crate::sort::{RoundingMode, Sort};
use crate::store::Store;
use crate::value::{ArrayValue, Assignment, Value};
use crate::{Variable, fp};
use num_bigint::BigInt;
use num_rational::BigRational;
use std::rc::Rc;

/// The strings that variables and constants are.
pub const STRINGS: &[&str] = &[
    "", "a", "b", "aa", "ab", "ba", "bb", "aab", "aba", "7", "42", "aaa", "-1",
];

/// How many values a variable of the sort is tried with, if they can be listed.
fn domain(sort: Sort) -> Option<u64> {
    match sort {
        Sort::Bool => Some(2),
        Sort::Bv(width) if width <= 12 => Some(1 << width),
        Sort::Fp(format) if format.width() <= 12 => Some(1 << format.width()),
        Sort::RoundingMode => Some(5),
        Sort::Array { index, element } if index <= 2 && element <= 2 => {
            Some(1 << (element << index))
        }
        Sort::Int => Some(9),
        Sort::Real => Some(11),
        Sort::String => Some(STRINGS.len() as u64),
        Sort::Bv(_) | Sort::Fp(_) | Sort::Array { .. } | Sort::RegLan => None,
    }
}

/// The value of this number in the [`domain`].
fn listed(sort: Sort, number: u64) -> Value {
    match sort {
        Sort::Bool => Value::Bool(number != 0),
        Sort::Bv(width) => Value::Bv(BitVec::from_u64(width, number)),
        Sort::Fp(format) => Value::Fp(format, fp::canonical(format, number.into())),
        Sort::RoundingMode => Value::Rm(RoundingMode::ALL[number as usize]),
        Sort::Array { index, element } => {
            let mut array = ArrayValue::filled(index, BitVec::zero(element));
            for at in 0..1 << index {
                let word = number >> (at * u64::from(element));
                array.set(BitVec::from_u64(index, at), BitVec::from_u64(element, word));
            }
            Value::Array(Rc::new(array))
        }
        Sort::Int => Value::Int(BigInt::from(number as i64 - 4)),
        Sort::Real => Value::Real(BigRational::new(
            BigInt::from(number as i64 - 5),
            BigInt::from(2),
        )),
        Sort::String => Value::Str(STRINGS[number as usize].chars().map(u32::from).collect()),
        Sort::RegLan => unreachable!("there are no variables of languages"),
    }
}

/// A value, with those that are special to arithmetic more often.
pub fn notable(sort: Sort, random: &mut Random) -> Value {
    if let Sort::Bv(width) = sort {
        let one = BitVec::from_u64(width, 1);
        let power = one.shl(&BitVec::from_u64(width, random.below(u64::from(width))));
        return Value::Bv(match random.below(12) {
            0 | 1 => BitVec::zero(width),
            2 | 3 => one,
            4 | 5 => BitVec::ones(width),
            6 => power,
            7 => power.add(&BitVec::ones(width)),
            8 => power.neg(),
            9 => power.xor(&one),
            _ => any_bits(width, random),
        });
    }
    if let Sort::Fp(format) = sort {
        let value = match random.below(8) {
            0 => fp::zero(format, false),
            1 => fp::zero(format, true),
            2 => fp::nan(format),
            3 => fp::infinity(format, random.percent(50)),
            4 => fp::from_int(format, RoundingMode::NearestEven, &BigInt::from(1)),
            5 => fp::from_int(format, RoundingMode::NearestEven, &BigInt::from(-1)),
            _ => any_bits(format.width() as u16, random).to_u128(),
        };
        return Value::Fp(format, fp::canonical(format, value));
    }
    if let (Sort::Int | Sort::Real, true) = (sort, random.percent(50)) {
        let unit = BigInt::from(random.below(3) as i64 - 1);
        return match sort {
            Sort::Int => Value::Int(unit),
            _ => Value::Real(unit.into()),
        };
    }
    if let (Sort::String, true) = (sort, random.percent(40)) {
        return listed(sort, random.below(3));
    }
    if let (Sort::Array { .. }, true) = (sort, random.percent(25)) {
        return listed(sort, 0);
    }
    let size = domain(sort).expect("every sort of constants is small or has its own case");
    listed(sort, random.below(size))
}

fn any_bits(width: u16, random: &mut Random) -> BitVec {
    let mut bits = BitVec::from_u64(width, random.word());
    while bits.width() > 64 && random.percent(90) {
        let shift = BitVec::from_u64(width, 1 + random.below(63));
        bits = bits
            .shl(&shift)
            .xor(&BitVec::from_u64(width, random.word()));
    }
    bits
}

/// Every assignment to the variables when there are at most `limit` of them,
/// otherwise that many random ones, notable values being frequent.
pub fn assignments(
    store: &Store,
    variables: &[Variable],
    limit: u64,
    random: &mut Random,
) -> Vec<Assignment> {
    let sorts: Vec<Sort> = variables.iter().map(|&v| store.variable_sort(v)).collect();
    let all = sorts
        .iter()
        .try_fold(1u64, |product, &sort| product.checked_mul(domain(sort)?))
        .filter(|&all| all <= limit);
    let assign = |values: &mut dyn FnMut(Sort) -> Value| {
        let mut assignment = Assignment::new();
        for (&variable, &sort) in variables.iter().zip(&sorts) {
            assignment.set(variable, values(sort));
        }
        assignment
    };
    match all {
        Some(all) => (0..all)
            .map(|mut number| {
                assign(&mut |sort| {
                    let size = domain(sort).expect("all domains were just multiplied");
                    let value = listed(sort, number % size);
                    number /= size;
                    value
                })
            })
            .collect(),
        None => (0..limit.min(200))
            .map(|_| assign(&mut |sort| notable(sort, random)))
            .collect(),
    }
}
