//! The operators of terms.
//!
//! The set is small on purpose: what SMT-LIB or a front end says in other
//! words (`bvsub`, `bvuge`, `=>`, `distinct`, `re.+` …) is built from these by
//! the constructors in [`crate::Store`], so that every later stage has fewer
//! cases to get right.

/// What a term does with its arguments. Arguments are terms; an operator with
/// *indices* has numbers as well, kept in the node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)] // each group is described above it
pub enum Op {
    // Leaves: a value of any sort; a variable; a function applied to arguments.
    Const, Var, Apply,
    // Of every sort: equality (of floats: identity, so NaN = NaN), choice.
    Eq, Ite,
    // Truth values.
    Not, And,
    // Bit-vectors. Shifts take the amount as a bit-vector of the same width.
    BvNot, BvNeg, BvAnd, BvOr, BvXor, BvAdd, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvSmod,
    BvShl, BvLshr, BvAshr, Ult, Slt, Concat, Extract, Zext, Sext,
    // Arrays. A constant array of one element is `ConstArray`, so that the
    // element may be symbolic; one of values alone is a `Const`.
    ConstArray, Select, Store,
    // Floating point. Arithmetic takes the rounding mode first. The conversions
    // to bit-vectors saturate and take NaN to zero; `FpToBits` gives the one NaN.
    FpFromBits, FpToBits, FpAbs, FpNeg, FpAdd, FpMul, FpDiv, FpFma, FpSqrt, FpRem, FpRound,
    FpMin, FpMax, FpEq, FpLt, FpLe, FpIsNan, FpIsInf, FpIsZero, FpIsNormal, FpIsSubnormal,
    FpIsNegative, FpIsPositive, FpConvert, FpFromSigned, FpFromUnsigned, FpToSigned,
    FpToUnsigned, FpFromReal, FpToReal,
    // Integers and reals. Division and remainder are Euclidean on integers and
    // give zero when the divisor is zero.
    Add, Mul, Neg, Lt, Le, IntDiv, IntMod, RealDiv, ToReal, ToInt,
    // Between bit-vectors and integers.
    BvToNat, IntToBv,
    // Strings.
    StrConcat, StrLen, StrAt, StrSubstr, StrPrefixOf, StrSuffixOf, StrContains, StrIndexOf,
    StrReplace, StrReplaceAll, StrReplaceRe, StrReplaceReAll, StrIsDigit, StrToCode, StrFromCode,
    StrToInt, StrFromInt, StrLt, StrLe, StrInRe,
    // Regular languages. `ReLoop` has two indices, least and most.
    ReNone, ReAll, ReAllChar, ReFromStr, ReRange, ReConcat, ReUnion, ReInter, ReStar, ReComp,
    ReLoop,
}

impl Op {
    /// How many arguments a term of this operator has, unless it is one of the
    /// two that keep them outside the node.
    #[inline]
    pub(crate) fn arity(self) -> Option<usize> {
        use Op::*;
        Some(match self {
            Const | Var | ReNone | ReAll | ReAllChar => 0,
            Not | BvNot | BvNeg | Extract | Zext | Sext | ConstArray | FpFromBits | FpToBits
            | FpAbs | FpNeg | FpIsNan | FpIsInf | FpIsZero | FpIsNormal | FpIsSubnormal
            | FpIsNegative | FpIsPositive | FpToReal | Neg | ToReal | ToInt | BvToNat | IntToBv
            | StrLen | StrIsDigit | StrToCode | StrFromCode | StrToInt | StrFromInt | ReFromStr
            | ReStar | ReComp | ReLoop => 1,
            Eq | And | BvAnd | BvOr | BvXor | BvAdd | BvMul | BvUdiv | BvUrem | BvSdiv | BvSrem
            | BvSmod | BvShl | BvLshr | BvAshr | Ult | Slt | Concat | Select | FpRem | FpSqrt
            | FpRound | FpMin | FpMax | FpEq | FpLt | FpLe | FpConvert | FpFromSigned
            | FpFromUnsigned | FpToSigned | FpToUnsigned | FpFromReal | Add | Mul | Lt | Le
            | IntDiv | IntMod | RealDiv | StrConcat | StrAt | StrPrefixOf | StrSuffixOf
            | StrContains | StrLt | StrLe | StrInRe | ReRange | ReConcat | ReUnion | ReInter => 2,
            Ite | Store | FpAdd | FpMul | FpDiv | StrSubstr | StrIndexOf | StrReplace
            | StrReplaceAll | StrReplaceRe | StrReplaceReAll => 3,
            Apply | FpFma => return None,
        })
    }

    /// Whether the two arguments may change places.
    #[inline]
    pub(crate) fn is_commutative(self) -> bool {
        use Op::*;
        matches!(
            self,
            Eq | And | BvAnd | BvOr | BvXor | BvAdd | BvMul | FpEq | Add | Mul | ReUnion | ReInter
        )
    }

    /// Every operator, in the order of its number.
    pub(crate) fn from_number(number: u8) -> Option<Op> {
        ALL.get(number as usize).copied()
    }
}

use Op::*;
#[rustfmt::skip]
pub(crate) const ALL: &[Op] = &[
    Const, Var, Apply, Eq, Ite, Not, And, BvNot, BvNeg, BvAnd, BvOr, BvXor, BvAdd, BvMul, BvUdiv,
    BvUrem, BvSdiv, BvSrem, BvSmod, BvShl, BvLshr, BvAshr, Ult, Slt, Concat, Extract, Zext, Sext,
    ConstArray, Select, Store, FpFromBits, FpToBits, FpAbs, FpNeg, FpAdd, FpMul, FpDiv, FpFma,
    FpSqrt, FpRem, FpRound, FpMin, FpMax, FpEq, FpLt, FpLe, FpIsNan, FpIsInf, FpIsZero,
    FpIsNormal, FpIsSubnormal, FpIsNegative, FpIsPositive, FpConvert, FpFromSigned,
    FpFromUnsigned, FpToSigned, FpToUnsigned, FpFromReal, FpToReal, Add, Mul, Neg, Lt, Le, IntDiv,
    IntMod, RealDiv, ToReal, ToInt, BvToNat, IntToBv, StrConcat, StrLen, StrAt, StrSubstr,
    StrPrefixOf, StrSuffixOf, StrContains, StrIndexOf, StrReplace, StrReplaceAll, StrReplaceRe,
    StrReplaceReAll, StrIsDigit, StrToCode, StrFromCode, StrToInt, StrFromInt, StrLt, StrLe,
    StrInRe, ReNone, ReAll, ReAllChar, ReFromStr, ReRange, ReConcat, ReUnion, ReInter, ReStar,
    ReComp, ReLoop,
];

#[cfg(test)]
mod tests {
    #[test]
    fn operators_are_listed_in_the_order_of_their_numbers() {
        for (number, &op) in super::ALL.iter().enumerate() {
            assert_eq!(op as usize, number);
        }
        assert_eq!(super::Op::ReLoop as usize + 1, super::ALL.len());
    }
}
