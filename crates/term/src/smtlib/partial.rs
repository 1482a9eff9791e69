//! Where SMT-LIB leaves the result of an operator open.

use crate::bits::BitVec;
use crate::fp;
use crate::sort::{FpFormat, RoundingMode};
use num_bigint::BigInt;
use num_traits::One;

/// The least and the greatest float that, if it is integral, an integer of
/// this width can hold.
pub(crate) fn convertible(format: FpFormat, width: u16, signed: bool) -> (u128, u128) {
    let (least, most) = range(width, signed);
    (
        fp::from_int(format, RoundingMode::TowardPositive, &least),
        fp::from_int(format, RoundingMode::TowardNegative, &most),
    )
}

/// Zero, the least and the greatest integer of this width.
pub(crate) fn saturated(width: u16, signed: bool) -> [BitVec; 3] {
    let (least, most) = range(width, signed);
    [BigInt::ZERO, least, most].map(|value| BitVec::from_int(width, &value))
}

fn range(width: u16, signed: bool) -> (BigInt, BigInt) {
    if signed {
        let half: BigInt = BigInt::one() << (width - 1);
        (-&half, half - 1)
    } else {
        (BigInt::ZERO, (BigInt::one() << width) - 1)
    }
}
