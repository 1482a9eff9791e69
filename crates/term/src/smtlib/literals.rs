//! Numbers, bit-vectors and strings as SMT-LIB writes them.

use super::lexer::Fault;
use crate::bits::BitVec;
use crate::sort::MAX_WIDTH;
use crate::text::CODE_POINTS;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{Num, One};

/// The number of a string of decimal digits.
pub(super) fn natural(digits: &str) -> BigUint {
    match digits.parse::<u64>() {
        Ok(small) => small.into(),
        Err(_) => BigUint::from_str_radix(digits, 10).expect("the lexer took only digits"),
    }
}

/// The number of digits with a point among them.
pub(super) fn decimal(text: &str) -> BigRational {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = natural(&[whole, fraction].concat());
    let scale = BigInt::from(10).pow(fraction.len() as u32);
    BigRational::new(digits.into(), scale)
}

/// The bit-vector of these digits, each of which takes `bits` bits.
pub(super) fn bits(at: usize, digits: &str, bits: usize) -> Result<BitVec, Fault> {
    let width = width(at, (digits.len() * bits) as u64)?;
    let radix = 1 << bits;
    Ok(match u64::from_str_radix(digits, radix) {
        Ok(word) => BitVec::from_u64(width, word),
        Err(_) => {
            let big = BigUint::from_str_radix(digits, radix).expect("the lexer took only digits");
            BitVec::from_big(width, &big)
        }
    })
}

/// The bit-vector `bvN` of this width.
pub(super) fn numbered_bits(at: usize, digits: &str, width: u16) -> Result<BitVec, Fault> {
    let value = natural(digits);
    match value < BigUint::one() << width {
        true => Ok(BitVec::from_big(width, &value)),
        false => Fault::new(at, format!("`bv{digits}` does not fit {width} bits")),
    }
}

/// A width that a bit-vector may have.
pub(super) fn width(at: usize, width: u64) -> Result<u16, Fault> {
    match u16::try_from(width) {
        Ok(0) => Fault::new(at, "a bit-vector has at least one bit"),
        Ok(width) if width <= MAX_WIDTH => Ok(width),
        _ => Fault::new(
            at,
            format!("unsupported width {width}: bit-vectors have at most {MAX_WIDTH} bits"),
        ),
    }
}

/// The code points of a string, from what stands between its quotes.
pub(super) fn string(at: usize, text: &str) -> Result<Vec<u32>, Fault> {
    let mut codes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((code, length)) = escape(rest) {
            codes.push(code);
            rest = &rest[length..];
            continue;
        }
        if u32::from(c) >= CODE_POINTS {
            return Fault::new(at, format!("no string holds the character `{c}`"));
        }
        codes.push(c.into());
        let length = if c == '"' { 2 } else { c.len_utf8() };
        rest = &rest[length..];
    }
    Ok(codes)
}

/// The code point of an escape at the beginning of `text`, and its length:
/// `\u{…}` with one to five digits, or `\u` and four.
fn escape(text: &str) -> Option<(u32, usize)> {
    let after = text.strip_prefix("\\u")?;
    let (digits, length) = match after.strip_prefix('{') {
        Some(braced) => {
            let digits = &braced[..braced.find('}')?];
            (digits, digits.len() + 4)
        }
        None => (after.get(..4)?, 6),
    };
    let is_code = (1..=5).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let code = u32::from_str_radix(digits, 16).ok().filter(|_| is_code)?;
    (code < CODE_POINTS).then_some((code, length))
}
