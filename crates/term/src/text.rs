//! SMT-LIB's functions on strings, on slices of code points.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// One more than the greatest code point a string may hold.
pub(crate) const CODE_POINTS: u32 = 0x30000;

/// From `start`, at most `length` characters; empty when `start` is outside
/// or `length` is not positive.
pub(crate) fn substr<'a>(s: &'a [u32], start: &BigInt, length: &BigInt) -> &'a [u32] {
    let Some(start) = start.to_usize().filter(|&start| start < s.len()) else {
        return &[];
    };
    if !length.is_positive() {
        return &[];
    }
    let rest = s.len() - start;
    let length = length.to_usize().map_or(rest, |length| length.min(rest));
    &s[start..start + length]
}

/// The first occurrence of `part` at or after `from`.
pub(crate) fn find(s: &[u32], part: &[u32], from: usize) -> Option<usize> {
    (from..=s.len()).find(|&at| s[at..].starts_with(part))
}

pub(crate) fn index_of(s: &[u32], part: &[u32], from: &BigInt) -> BigInt {
    from.to_usize()
        .and_then(|from| find(s, part, from))
        .map_or_else(|| BigInt::from(-1), BigInt::from)
}

pub(crate) fn replace(s: &[u32], part: &[u32], with: &[u32]) -> Vec<u32> {
    match find(s, part, 0) {
        Some(at) => [&s[..at], with, &s[at + part.len()..]].concat(),
        None => s.to_vec(),
    }
}

pub(crate) fn replace_all(s: &[u32], part: &[u32], with: &[u32]) -> Vec<u32> {
    if part.is_empty() {
        return s.to_vec();
    }
    let (mut result, mut done) = (Vec::new(), 0);
    while let Some(at) = find(s, part, done) {
        result.extend_from_slice(&s[done..at]);
        result.extend_from_slice(with);
        done = at + part.len();
    }
    result.extend_from_slice(&s[done..]);
    result
}

pub(crate) fn from_code(code: &BigInt) -> Vec<u32> {
    code.to_u32()
        .filter(|&code| code < CODE_POINTS)
        .into_iter()
        .collect()
}

pub(crate) fn to_int(s: &[u32]) -> BigInt {
    if s.is_empty() {
        return BigInt::from(-1);
    }
    let mut value = BigInt::zero();
    for &code in s {
        match char::from_u32(code).and_then(|c| c.to_digit(10)) {
            Some(digit) => value = value * 10 + digit,
            None => return BigInt::from(-1),
        }
    }
    value
}

pub(crate) fn from_int(value: &BigInt) -> Vec<u32> {
    if value.is_negative() {
        return Vec::new();
    }
    value.to_string().bytes().map(u32::from).collect()
}
