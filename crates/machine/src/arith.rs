//! Integer arithmetic, on words and on terms.

use crate::value::{mask, signed};
use program::{BinaryOp, CastOp, Predicate};
use term::{Store, Term};

/// The result on words of at most 64 bits; none where the operation is an
/// error or undefined, which the slow path tells apart.
#[inline]
pub(crate) fn binary(op: BinaryOp, width: u32, a: u64, b: u64) -> Option<u64> {
    let m = mask(width);
    Some(match op {
        BinaryOp::Add => a.wrapping_add(b) & m,
        BinaryOp::Sub => a.wrapping_sub(b) & m,
        BinaryOp::Mul => a.wrapping_mul(b) & m,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::UDiv => a.checked_div(b)?,
        BinaryOp::URem => a.checked_rem(b)?,
        BinaryOp::SDiv => {
            let (x, y) = (signed(a, width), signed(b, width));
            if y == 0 || (y == -1 && a == 1 << (width - 1)) {
                return None;
            }
            x.wrapping_div(y) as u64 & m
        }
        BinaryOp::SRem => {
            let (x, y) = (signed(a, width), signed(b, width));
            if y == 0 || (y == -1 && a == 1 << (width - 1)) {
                return None;
            }
            x.wrapping_rem(y) as u64 & m
        }
        BinaryOp::Shl if b < u64::from(width) => a << b & m,
        BinaryOp::LShr if b < u64::from(width) => a >> b,
        BinaryOp::AShr if b < u64::from(width) => (signed(a, width) >> b) as u64 & m,
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => return None,
    })
}

/// The result on bit-vector terms.
pub(crate) fn binary_term(store: &mut Store, op: BinaryOp, a: Term, b: Term) -> Term {
    match op {
        BinaryOp::Add => store.bv_add(a, b),
        BinaryOp::Sub => store.bv_sub(a, b),
        BinaryOp::Mul => store.bv_mul(a, b),
        BinaryOp::UDiv => store.bv_udiv(a, b),
        BinaryOp::SDiv => store.bv_sdiv(a, b),
        BinaryOp::URem => store.bv_urem(a, b),
        BinaryOp::SRem => store.bv_srem(a, b),
        BinaryOp::Shl => store.bv_shl(a, b),
        BinaryOp::LShr => store.bv_lshr(a, b),
        BinaryOp::AShr => store.bv_ashr(a, b),
        BinaryOp::And => store.bv_and(a, b),
        BinaryOp::Or => store.bv_or(a, b),
        BinaryOp::Xor => store.bv_xor(a, b),
    }
}

/// A comparison of words of at most 64 bits.
#[inline]
pub fn compare(predicate: Predicate, width: u32, a: u64, b: u64) -> bool {
    match predicate {
        Predicate::Eq => a == b,
        Predicate::Ne => a != b,
        Predicate::Ugt => a > b,
        Predicate::Uge => a >= b,
        Predicate::Ult => a < b,
        Predicate::Ule => a <= b,
        Predicate::Sgt => signed(a, width) > signed(b, width),
        Predicate::Sge => signed(a, width) >= signed(b, width),
        Predicate::Slt => signed(a, width) < signed(b, width),
        Predicate::Sle => signed(a, width) <= signed(b, width),
    }
}

/// A comparison of bit-vector terms, as a Boolean term.
pub fn compare_term(store: &mut Store, predicate: Predicate, a: Term, b: Term) -> Term {
    match predicate {
        Predicate::Eq => store.eq(a, b),
        Predicate::Ne => {
            let equal = store.eq(a, b);
            store.not(equal)
        }
        Predicate::Ugt => store.bv_ult(b, a),
        Predicate::Uge => store.bv_ule(b, a),
        Predicate::Ult => store.bv_ult(a, b),
        Predicate::Ule => store.bv_ule(a, b),
        Predicate::Sgt => store.bv_slt(b, a),
        Predicate::Sge => store.bv_sle(b, a),
        Predicate::Slt => store.bv_slt(a, b),
        Predicate::Sle => store.bv_sle(a, b),
    }
}

/// A conversion between integers and addresses of at most 64 bits.
#[inline]
pub(crate) fn cast(op: CastOp, from: u32, to: u32, a: u64) -> Option<u64> {
    match op {
        CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bits => {
            Some(a & mask(to))
        }
        CastOp::SExt => Some(signed(a, from) as u64 & mask(to)),
        CastOp::FloatTrunc
        | CastOp::FloatExt
        | CastOp::FloatToUnsigned
        | CastOp::FloatToSigned
        | CastOp::UnsignedToFloat
        | CastOp::SignedToFloat => None,
    }
}

/// The term cut or filled with zeros to this width.
pub(crate) fn resize(store: &mut Store, a: Term, to: u16) -> Term {
    let from = store.width(a);
    if to <= from {
        store.extract(a, 0, to)
    } else {
        store.zext(a, to)
    }
}
