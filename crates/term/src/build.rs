//! Constructors of terms: one method a word of the vocabulary.
//!
//! Each checks (in debug builds) that its arguments have the sorts it needs,
//! says what is only another way of saying something in terms of the operators
//! of [`Op`], and leaves simplification to [`crate::rewrite`].

use crate::bits::BitVec;
use crate::op::Op;
use crate::sort::{FpFormat, MAX_WIDTH, RoundingMode, Sort};
use crate::store::{Function, Node, Store, Term};
use crate::value::{ArrayValue, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use std::rc::Rc;

/// Defines `fn name(a) -> Term` for operators whose result has the sort of their last argument.
macro_rules! same_sort {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),+) = $op:ident;)+) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $name(&mut self, $($arg: Term),+) -> Term {
            let args = [$($arg),+];
            let sort = self.sort(args[args.len() - 1]);
            self.make(Node::new(Op::$op, sort, args))
        }
    )+};
}

/// Defines `fn name(a) -> Term` for operators whose result has a fixed sort.
macro_rules! fixed_sort {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*) = $op:ident: $sort:expr;)+) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $name(&mut self, $($arg: Term),*) -> Term {
            self.make(Node::new(Op::$op, $sort, [$($arg),*]))
        }
    )+};
}

/// Truth values, equality and choice.
impl Store {
    fixed_sort! {
        /// Negation.
        not(a) = Not: Sort::Bool;
        /// Conjunction.
        and(a, b) = And: Sort::Bool;
    }

    /// Disjunction.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and(not_a, not_b);
        self.not(neither)
    }

    /// Exclusive disjunction.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// Implication.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_b = self.not(b);
        let counter = self.and(a, not_b);
        self.not(counter)
    }

    /// Conjunction of any number of terms.
    pub fn and_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let truth = self.bool(true);
        terms
            .into_iter()
            .fold(truth, |all, term| self.and(all, term))
    }

    /// Disjunction of any number of terms.
    pub fn or_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let falsity = self.bool(false);
        terms
            .into_iter()
            .fold(falsity, |any, term| self.or(any, term))
    }

    /// Equality of two terms of one sort; of floats, identity (NaN equals NaN,
    /// the zeros differ).
    #[inline]
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        self.make(Node::new(Op::Eq, Sort::Bool, [a, b]))
    }

    /// `then` where `condition` holds, `otherwise` elsewhere.
    #[inline]
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        debug_assert_eq!(self.sort(condition), Sort::Bool);
        debug_assert_eq!(self.sort(then), self.sort(otherwise));
        let sort = self.sort(then);
        self.make(Node::new(Op::Ite, sort, [condition, then, otherwise]))
    }

    /// The function applied to these arguments.
    pub fn apply(&mut self, function: Function, args: &[Term]) -> Term {
        let result = self.signature(function).result;
        debug_assert_eq!(self.signature(function).parameters.len(), args.len());
        let list = self.list(args);
        self.make(Node::new(Op::Apply, result, [Term(function.0), list]))
    }
}

/// Bit-vectors.
impl Store {
    /// The constant of this width whose lowest bits are those of `bits`.
    #[inline]
    pub fn bv(&mut self, width: u16, bits: u64) -> Term {
        debug_assert!((1..=MAX_WIDTH).contains(&width));
        if width <= 64 {
            return self.word(Sort::Bv(width), bits & crate::bits::mask(u32::from(width)));
        }
        self.bv_value(BitVec::from_u64(width, bits))
    }

    /// The constant with this value.
    pub fn bv_value(&mut self, value: BitVec) -> Term {
        self.value(Value::Bv(value))
    }

    same_sort! {
        /// Bitwise complement.
        bv_not(a) = BvNot;
        /// Two's complement negation.
        bv_neg(a) = BvNeg;
        /// Bitwise and.
        bv_and(a, b) = BvAnd;
        /// Bitwise or.
        bv_or(a, b) = BvOr;
        /// Bitwise exclusive or.
        bv_xor(a, b) = BvXor;
        /// Sum.
        bv_add(a, b) = BvAdd;
        /// Product.
        bv_mul(a, b) = BvMul;
        /// Unsigned quotient; all ones when the divisor is zero.
        bv_udiv(a, b) = BvUdiv;
        /// Unsigned remainder; the dividend when the divisor is zero.
        bv_urem(a, b) = BvUrem;
        /// Signed quotient toward zero.
        bv_sdiv(a, b) = BvSdiv;
        /// Signed remainder with the dividend's sign.
        bv_srem(a, b) = BvSrem;
        /// Signed remainder with the divisor's sign.
        bv_smod(a, b) = BvSmod;
        /// Shift left.
        bv_shl(a, by) = BvShl;
        /// Logical shift right.
        bv_lshr(a, by) = BvLshr;
        /// Arithmetic shift right.
        bv_ashr(a, by) = BvAshr;
    }

    fixed_sort! {
        /// Unsigned less than.
        bv_ult(a, b) = Ult: Sort::Bool;
        /// Signed less than.
        bv_slt(a, b) = Slt: Sort::Bool;
    }

    /// Difference.
    pub fn bv_sub(&mut self, a: Term, b: Term) -> Term {
        let minus = self.bv_neg(b);
        self.bv_add(a, minus)
    }

    /// Unsigned less than or equal.
    pub fn bv_ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.bv_ult(b, a);
        self.not(greater)
    }

    /// Signed less than or equal.
    pub fn bv_sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.bv_slt(b, a);
        self.not(greater)
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        debug_assert!(width <= MAX_WIDTH);
        self.make(Node::new(Op::Concat, Sort::Bv(width), [high, low]))
    }

    /// The `width` bits of `a` from bit `low` upward.
    pub fn extract(&mut self, a: Term, low: u16, width: u16) -> Term {
        debug_assert!(width > 0 && low + width <= self.width(a));
        let slots = [a, Term(u32::from(low))];
        self.make(Node::new(Op::Extract, Sort::Bv(width), slots))
    }

    /// `a` widened to `width` bits with zeros.
    pub fn zext(&mut self, a: Term, width: u16) -> Term {
        debug_assert!(width >= self.width(a));
        self.make(Node::new(Op::Zext, Sort::Bv(width), [a]))
    }

    /// `a` widened to `width` bits with copies of its sign.
    pub fn sext(&mut self, a: Term, width: u16) -> Term {
        debug_assert!(width >= self.width(a));
        self.make(Node::new(Op::Sext, Sort::Bv(width), [a]))
    }

    /// The one-bit vector that is one exactly where `a` holds.
    pub fn bool_to_bv(&mut self, a: Term, width: u16) -> Term {
        let (one, zero) = (self.bv(width, 1), self.bv(width, 0));
        self.ite(a, one, zero)
    }

    /// Whether the bit-vector is not zero.
    pub fn is_nonzero(&mut self, a: Term) -> Term {
        let zero = self.bv(self.width(a), 0);
        let is_zero = self.eq(a, zero);
        self.not(is_zero)
    }

    /// `a` turned left by `by` bits.
    pub fn rotate_left(&mut self, a: Term, by: u16) -> Term {
        let width = self.width(a);
        let by = by % width;
        if by == 0 {
            return a;
        }
        let high = self.extract(a, 0, width - by);
        let low = self.extract(a, width - by, by);
        self.concat(high, low)
    }
}

/// Arrays.
impl Store {
    /// The array whose every element is `element`.
    pub fn const_array(&mut self, index_width: u16, element: Term) -> Term {
        let sort = Sort::Array {
            index: index_width,
            element: self.width(element),
        };
        self.make(Node::new(Op::ConstArray, sort, [element]))
    }

    /// The constant array with `words[i]` at index `i` and zero beyond.
    pub fn table(&mut self, index_width: u16, element_width: u16, words: &[u64]) -> Term {
        let array = ArrayValue::from_words(index_width, element_width, words);
        self.value(Value::Array(Rc::new(array)))
    }

    /// The element of `array` at `index`.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let Sort::Array { element, .. } = self.sort(array) else {
            unreachable!("select reads from an array");
        };
        self.make(Node::new(Op::Select, Sort::Bv(element), [array, index]))
    }

    /// `array` with `element` at `index`.
    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        let sort = self.sort(array);
        self.make(Node::new(Op::Store, sort, [array, index, element]))
    }
}

/// Floating point.
impl Store {
    /// The constant with these packed bits.
    pub fn fp(&mut self, format: FpFormat, bits: u128) -> Term {
        self.value(Value::Fp(format, crate::fp::canonical(format, bits)))
    }

    /// The rounding mode as a term.
    pub fn rounding(&mut self, mode: RoundingMode) -> Term {
        self.word(Sort::RoundingMode, mode as u64)
    }

    /// The format of a floating-point term.
    pub(crate) fn format(&self, a: Term) -> FpFormat {
        match self.sort(a) {
            Sort::Fp(format) => format,
            other => unreachable!("{other} is not a floating-point sort"),
        }
    }

    /// The float with this packed pattern.
    pub fn fp_from_bits(&mut self, format: FpFormat, bits: Term) -> Term {
        debug_assert_eq!(u32::from(self.width(bits)), format.width());
        self.make(Node::new(Op::FpFromBits, Sort::Fp(format), [bits]))
    }

    /// The packed pattern of the float; of NaN, the canonical one.
    pub fn fp_to_bits(&mut self, a: Term) -> Term {
        let width = self.format(a).width() as u16;
        self.make(Node::new(Op::FpToBits, Sort::Bv(width), [a]))
    }

    same_sort! {
        /// Absolute value.
        fp_abs(a) = FpAbs;
        /// Negation.
        fp_neg(a) = FpNeg;
        /// Sum, rounded by `rm`.
        fp_add(rm, a, b) = FpAdd;
        /// Product, rounded by `rm`.
        fp_mul(rm, a, b) = FpMul;
        /// Quotient, rounded by `rm`.
        fp_div(rm, a, b) = FpDiv;
        /// Square root, rounded by `rm`.
        fp_sqrt(rm, a) = FpSqrt;
        /// IEEE remainder.
        fp_rem(a, b) = FpRem;
        /// Rounded to an integral value by `rm`.
        fp_round(rm, a) = FpRound;
        /// The lesser; -0 of two zeros.
        fp_min(a, b) = FpMin;
        /// The greater; +0 of two zeros.
        fp_max(a, b) = FpMax;
    }

    /// Difference, rounded by `rm`.
    pub fn fp_sub(&mut self, rm: Term, a: Term, b: Term) -> Term {
        let minus = self.fp_neg(b);
        self.fp_add(rm, a, minus)
    }

    /// `a * b + c`, rounded once by `rm`.
    pub fn fp_fma(&mut self, rm: Term, a: Term, b: Term, c: Term) -> Term {
        let sort = self.sort(a);
        let list = self.list(&[rm, a, b, c]);
        self.make(Node::new(Op::FpFma, sort, [list]))
    }

    fixed_sort! {
        /// IEEE equality: the zeros are equal, NaN equals nothing.
        fp_eq(a, b) = FpEq: Sort::Bool;
        /// IEEE less than.
        fp_lt(a, b) = FpLt: Sort::Bool;
        /// IEEE less than or equal.
        fp_le(a, b) = FpLe: Sort::Bool;
        /// Whether it is NaN.
        fp_is_nan(a) = FpIsNan: Sort::Bool;
        /// Whether it is an infinity.
        fp_is_infinite(a) = FpIsInf: Sort::Bool;
        /// Whether it is a zero.
        fp_is_zero(a) = FpIsZero: Sort::Bool;
        /// Whether it is normal.
        fp_is_normal(a) = FpIsNormal: Sort::Bool;
        /// Whether it is subnormal.
        fp_is_subnormal(a) = FpIsSubnormal: Sort::Bool;
        /// Whether its sign is minus; never of NaN.
        fp_is_negative(a) = FpIsNegative: Sort::Bool;
        /// Whether its sign is plus; never of NaN.
        fp_is_positive(a) = FpIsPositive: Sort::Bool;
        /// The real number; zero of NaN and the infinities.
        fp_to_real(a) = FpToReal: Sort::Real;
    }

    /// The float converted to another format.
    pub fn fp_convert(&mut self, rm: Term, a: Term, to: FpFormat) -> Term {
        self.make(Node::new(Op::FpConvert, Sort::Fp(to), [rm, a]))
    }

    /// The signed bit-vector as a float.
    pub fn fp_from_signed(&mut self, rm: Term, a: Term, to: FpFormat) -> Term {
        self.make(Node::new(Op::FpFromSigned, Sort::Fp(to), [rm, a]))
    }

    /// The unsigned bit-vector as a float.
    pub fn fp_from_unsigned(&mut self, rm: Term, a: Term, to: FpFormat) -> Term {
        self.make(Node::new(Op::FpFromUnsigned, Sort::Fp(to), [rm, a]))
    }

    /// The real number as a float.
    pub fn fp_from_real(&mut self, rm: Term, a: Term, to: FpFormat) -> Term {
        self.make(Node::new(Op::FpFromReal, Sort::Fp(to), [rm, a]))
    }

    /// The float rounded to a signed bit-vector; saturates, NaN gives zero.
    pub fn fp_to_signed(&mut self, rm: Term, a: Term, width: u16) -> Term {
        self.make(Node::new(Op::FpToSigned, Sort::Bv(width), [rm, a]))
    }

    /// The float rounded to an unsigned bit-vector; saturates, NaN gives zero.
    pub fn fp_to_unsigned(&mut self, rm: Term, a: Term, width: u16) -> Term {
        self.make(Node::new(Op::FpToUnsigned, Sort::Bv(width), [rm, a]))
    }
}

/// Integers and reals.
impl Store {
    /// The integer constant.
    pub fn int(&mut self, value: impl Into<BigInt>) -> Term {
        self.value(Value::Int(value.into()))
    }

    /// The real constant.
    pub fn real(&mut self, value: BigRational) -> Term {
        self.value(Value::Real(value))
    }

    same_sort! {
        /// Sum of two integers or two reals.
        add(a, b) = Add;
        /// Product of two integers or two reals.
        mul(a, b) = Mul;
        /// Negation of an integer or a real.
        neg(a) = Neg;
        /// Euclidean quotient; zero when the divisor is zero.
        int_div(a, b) = IntDiv;
        /// Euclidean remainder; the dividend when the divisor is zero.
        int_mod(a, b) = IntMod;
        /// Quotient of reals; zero when the divisor is zero.
        real_div(a, b) = RealDiv;
    }

    fixed_sort! {
        /// Less than, of integers or reals.
        lt(a, b) = Lt: Sort::Bool;
        /// Less than or equal, of integers or reals.
        le(a, b) = Le: Sort::Bool;
        /// The integer as a real.
        to_real(a) = ToReal: Sort::Real;
        /// The greatest integer not above the real.
        to_int(a) = ToInt: Sort::Int;
        /// The unsigned value of a bit-vector.
        bv_to_nat(a) = BvToNat: Sort::Int;
    }

    /// Difference of two integers or two reals.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let minus = self.neg(b);
        self.add(a, minus)
    }

    /// The integer modulo two to the width, as a bit-vector.
    pub fn int_to_bv(&mut self, a: Term, width: u16) -> Term {
        self.make(Node::new(Op::IntToBv, Sort::Bv(width), [a]))
    }
}

/// Strings and regular languages.
impl Store {
    /// The string constant.
    pub fn string(&mut self, text: &str) -> Term {
        self.value(Value::Str(text.chars().map(u32::from).collect()))
    }

    fixed_sort! {
        /// Concatenation.
        str_concat(a, b) = StrConcat: Sort::String;
        /// Length.
        str_len(a) = StrLen: Sort::Int;
        /// The one-character string at an index; empty outside.
        str_at(a, index) = StrAt: Sort::String;
        /// The substring from `start` of at most `length`.
        str_substr(a, start, length) = StrSubstr: Sort::String;
        /// Whether `prefix` begins `a`.
        str_prefix_of(prefix, a) = StrPrefixOf: Sort::Bool;
        /// Whether `suffix` ends `a`.
        str_suffix_of(suffix, a) = StrSuffixOf: Sort::Bool;
        /// Whether `part` occurs in `a`.
        str_contains(a, part) = StrContains: Sort::Bool;
        /// The first position of `part` in `a` from `start`; -1 when there is none.
        str_index_of(a, part, start) = StrIndexOf: Sort::Int;
        /// `a` with the first `part` replaced.
        str_replace(a, part, with) = StrReplace: Sort::String;
        /// `a` with every `part` replaced.
        str_replace_all(a, part, with) = StrReplaceAll: Sort::String;
        /// `a` with the first, shortest match of `re` replaced.
        str_replace_re(a, re, with) = StrReplaceRe: Sort::String;
        /// `a` with every shortest nonempty match of `re` replaced.
        str_replace_re_all(a, re, with) = StrReplaceReAll: Sort::String;
        /// Whether it is one decimal digit.
        str_is_digit(a) = StrIsDigit: Sort::Bool;
        /// The code point of a one-character string; -1 of any other.
        str_to_code(a) = StrToCode: Sort::Int;
        /// The one-character string; empty when there is no such code point.
        str_from_code(a) = StrFromCode: Sort::String;
        /// The number a string of digits denotes; -1 of any other.
        str_to_int(a) = StrToInt: Sort::Int;
        /// The digits of a number; empty when it is negative.
        str_from_int(a) = StrFromInt: Sort::String;
        /// Lexicographically less.
        str_lt(a, b) = StrLt: Sort::Bool;
        /// Lexicographically less or equal.
        str_le(a, b) = StrLe: Sort::Bool;
        /// Whether the string is in the language.
        str_in_re(a, re) = StrInRe: Sort::Bool;
        /// The empty language.
        re_none() = ReNone: Sort::RegLan;
        /// All strings.
        re_all() = ReAll: Sort::RegLan;
        /// All strings of one character.
        re_all_char() = ReAllChar: Sort::RegLan;
        /// The language of one string.
        re_from_str(a) = ReFromStr: Sort::RegLan;
        /// The one-character strings between two; empty unless both are such.
        re_range(low, high) = ReRange: Sort::RegLan;
        /// Concatenation of languages.
        re_concat(a, b) = ReConcat: Sort::RegLan;
        /// Union.
        re_union(a, b) = ReUnion: Sort::RegLan;
        /// Intersection.
        re_inter(a, b) = ReInter: Sort::RegLan;
        /// Iteration.
        re_star(a) = ReStar: Sort::RegLan;
        /// Complement.
        re_comp(a) = ReComp: Sort::RegLan;
    }

    /// Between `least` and `most` repetitions; empty when `least > most`.
    pub fn re_loop(&mut self, a: Term, least: u32, most: u32) -> Term {
        let slots = [a, Term(least), Term(most)];
        self.make(Node::new(Op::ReLoop, Sort::RegLan, slots))
    }
}
