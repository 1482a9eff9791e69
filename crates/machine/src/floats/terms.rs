//! Floating-point instructions on terms.

use super::views::{Float, choice, format_of, negate_bits, number_of, quiet, result, to_register};
use super::{Sign, conversion_width, float_kind};
use crate::arith;
use crate::machine::Machine;
use crate::value::{Value, format, width as width_of};
use num_bigint::BigInt;
use program::{CastOp, FloatKind, FloatOp, FloatPredicate, Kind};
use term::{BitVec, FpFormat, RoundingMode, Store, Term, fp};

impl Machine<'_> {
    /// An operation on words where both are words, and on terms otherwise.
    pub(crate) fn float_arithmetic(
        &mut self,
        op: FloatOp,
        kind: FloatKind,
        a: Value,
        b: Value,
    ) -> Value {
        let word = match (a.as_word(), b.as_word()) {
            (Some(a), Some(b)) => super::binary(op, kind, a, b),
            _ => None,
        };
        word.map_or_else(|| self.float_binary(op, kind, a, b), Value::word)
    }

    /// An arithmetic instruction.
    pub(crate) fn float_binary(
        &mut self,
        op: FloatOp,
        kind: FloatKind,
        a: Value,
        b: Value,
    ) -> Value {
        let width = width_of(Kind::Float(kind));
        let (a, b) = (
            a.term(&mut self.store, width),
            b.term(&mut self.store, width),
        );
        let result = binary_term(&mut self.store, op, kind, a, b);
        Value::of(&self.store, result)
    }

    /// A comparison, as one bit.
    pub(crate) fn float_compare(
        &mut self,
        predicate: FloatPredicate,
        kind: FloatKind,
        a: Value,
        b: Value,
    ) -> Value {
        let width = width_of(Kind::Float(kind));
        let (a, b) = (
            a.term(&mut self.store, width),
            b.term(&mut self.store, width),
        );
        let truth = compare_term(&mut self.store, predicate, kind, a, b);
        Value::of_bool(&mut self.store, truth)
    }

    /// The value with its topmost bit flipped.
    pub(crate) fn flip_sign(&mut self, value: Value, width: u16) -> Value {
        let bits = value.term(&mut self.store, width);
        let flipped = negate_bits(&mut self.store, bits);
        Value::of(&self.store, flipped)
    }
}

/// The result on terms.
pub(super) fn binary_term(
    store: &mut Store,
    op: FloatOp,
    kind: FloatKind,
    a: Term,
    b: Term,
) -> Term {
    let (a, b) = (Float::of(store, kind, a), Float::of(store, kind, b));
    let nearest = store.rounding(RoundingMode::NearestEven);
    let number = match op {
        FloatOp::Add => store.fp_add(nearest, a.number, b.number),
        FloatOp::Sub => store.fp_sub(nearest, a.number, b.number),
        FloatOp::Mul => store.fp_mul(nearest, a.number, b.number),
        FloatOp::Div => store.fp_div(nearest, a.number, b.number),
        FloatOp::Rem => fmod(store, kind, a.number, b.number),
    };
    result(store, kind, number, &[a, b])
}

/// C's `fmod`, from IEEE's remainder: that one is within half of `b` around
/// zero, this one has the sign of `a`.
fn fmod(store: &mut Store, kind: FloatKind, a: Term, b: Term) -> Term {
    let nearest = store.rounding(RoundingMode::NearestEven);
    let zero = store.fp(format(kind), 0);
    let (dividend, divisor) = (store.fp_abs(a), store.fp_abs(b));
    let remainder = store.fp_rem(dividend, divisor);
    let below = store.fp_lt(remainder, zero);
    // Exact, as the sum is a multiple of the least digit of both and less than `b`.
    let raised = store.fp_add(nearest, remainder, divisor);
    let magnitude = store.ite(below, raised, remainder);
    let negative = store.fp_is_negative(a);
    let minus = store.fp_neg(magnitude);
    store.ite(negative, minus, magnitude)
}

/// A comparison of terms, as a Boolean term.
pub(super) fn compare_term(
    store: &mut Store,
    predicate: FloatPredicate,
    kind: FloatKind,
    a: Term,
    b: Term,
) -> Term {
    let (a, b) = (number_of(store, kind, a), number_of(store, kind, b));
    // Where one is NaN the opposite ordered comparison fails, and so this one holds.
    let opposite = |store: &mut Store, ordered: Term| store.not(ordered);
    match predicate {
        FloatPredicate::False => store.bool(false),
        FloatPredicate::Oeq => store.fp_eq(a, b),
        FloatPredicate::Ogt => store.fp_lt(b, a),
        FloatPredicate::Oge => store.fp_le(b, a),
        FloatPredicate::Olt => store.fp_lt(a, b),
        FloatPredicate::Ole => store.fp_le(a, b),
        FloatPredicate::One => differ(store, a, b),
        FloatPredicate::Ord => {
            let unordered = either_nan(store, a, b);
            store.not(unordered)
        }
        FloatPredicate::Uno => either_nan(store, a, b),
        FloatPredicate::Ueq => {
            let ordered = differ(store, a, b);
            opposite(store, ordered)
        }
        FloatPredicate::Ugt => {
            let ordered = store.fp_le(a, b);
            opposite(store, ordered)
        }
        FloatPredicate::Uge => {
            let ordered = store.fp_lt(a, b);
            opposite(store, ordered)
        }
        FloatPredicate::Ult => {
            let ordered = store.fp_le(b, a);
            opposite(store, ordered)
        }
        FloatPredicate::Ule => {
            let ordered = store.fp_lt(b, a);
            opposite(store, ordered)
        }
        FloatPredicate::Une => {
            let ordered = store.fp_eq(a, b);
            opposite(store, ordered)
        }
        FloatPredicate::True => store.bool(true),
    }
}

fn differ(store: &mut Store, a: Term, b: Term) -> Term {
    let (less, greater) = (store.fp_lt(a, b), store.fp_lt(b, a));
    store.or(less, greater)
}

fn either_nan(store: &mut Store, a: Term, b: Term) -> Term {
    let (a, b) = (store.fp_is_nan(a), store.fp_is_nan(b));
    store.or(a, b)
}

/// A conversion from or to a float.
pub(crate) fn cast_term(store: &mut Store, op: CastOp, from: Kind, to: Kind, term: Term) -> Term {
    let nearest = store.rounding(RoundingMode::NearestEven);
    match op {
        CastOp::FloatTrunc | CastOp::FloatExt => {
            convert_term(store, float_kind(from), float_kind(to), term)
        }
        CastOp::FloatToSigned => {
            let number = number_of(store, float_kind(from), term);
            to_signed_term(store, number, width_of(to))
        }
        CastOp::FloatToUnsigned => {
            let number = number_of(store, float_kind(from), term);
            to_unsigned_term(store, number, width_of(to))
        }
        CastOp::SignedToFloat => {
            let first = store.fp_from_signed(nearest, term, integer_format(float_kind(to)));
            finish_integer(store, first, float_kind(to))
        }
        CastOp::UnsignedToFloat => {
            let first = store.fp_from_unsigned(nearest, term, integer_format(float_kind(to)));
            finish_integer(store, first, float_kind(to))
        }
        CastOp::Trunc
        | CastOp::ZExt
        | CastOp::SExt
        | CastOp::PtrToInt
        | CastOp::IntToPtr
        | CastOp::Bits => unreachable!("{op} has nothing to do with floats"),
    }
}

fn convert_term(store: &mut Store, from: FloatKind, to: FloatKind, bits: Term) -> Term {
    let float = Float::of(store, from, bits);
    let nearest = store.rounding(RoundingMode::NearestEven);
    let number = store.fp_convert(nearest, float.number, format(to));
    let nan = convert_nan(store, from, to, float.bits);
    choice(store, to, number, nan)
}

/// The packed pattern of a NaN in another format.
fn convert_nan(store: &mut Store, from: FloatKind, to: FloatKind, bits: Term) -> Term {
    let (from, to_format) = (format(from), format(to));
    let (stored, room) = (u16::from(from.sb) - 1, u16::from(to_format.sb) - 1);
    let kept = stored.min(room);
    let mut payload = store.extract(bits, stored - kept, kept);
    if kept < room {
        let zeros = store.bv(room - kept, 0);
        payload = store.concat(payload, zeros);
    }
    let sign = store.extract(bits, from.width() as u16 - 1, 1);
    let exponent = store.bv_value(BitVec::ones(to_format.eb.into()));
    let head = store.concat(sign, exponent);
    let whole = store.concat(head, payload);
    quiet(store, to, whole)
}

/// The format in which an integer is rounded first.
fn integer_format(to: FloatKind) -> FpFormat {
    match to {
        FloatKind::BFloat => FpFormat::SINGLE,
        FloatKind::Half
        | FloatKind::Single
        | FloatKind::Double
        | FloatKind::X87
        | FloatKind::Quad => format(to),
    }
}

fn finish_integer(store: &mut Store, first: Term, to: FloatKind) -> Term {
    let nearest = store.rounding(RoundingMode::NearestEven);
    let number = match to {
        FloatKind::BFloat => store.fp_convert(nearest, first, format(to)),
        FloatKind::Half
        | FloatKind::Single
        | FloatKind::Double
        | FloatKind::X87
        | FloatKind::Quad => first,
    };
    let packed = store.fp_to_bits(number);
    to_register(store, to, packed)
}

/// Towards zero to a signed integer.
pub(super) fn to_signed_term(store: &mut Store, number: Term, width: u16) -> Term {
    if width > 64 {
        let toward_zero = store.rounding(RoundingMode::TowardZero);
        return store.fp_to_signed(toward_zero, number, width);
    }
    let conversion = unit_width(store, number, width, Sign::Signed);
    let whole = indefinite_term(store, number, conversion);
    arith::resize(store, whole, width)
}

fn to_unsigned_term(store: &mut Store, number: Term, width: u16) -> Term {
    let toward_zero = store.rounding(RoundingMode::TowardZero);
    if width > 64 {
        return store.fp_to_unsigned(toward_zero, number, width);
    }
    let conversion = unit_width(store, number, width, Sign::Unsigned);
    let signed = indefinite_term(store, number, conversion);
    if width < 64 {
        return store.extract(signed, 0, width);
    }
    let format = format_of(store, number);
    let (middle, end) = (power(store, format, 63), power(store, format, 64));
    let not_below = store.fp_le(middle, number);
    let not_above = store.fp_lt(number, end);
    let upper_half = store.and(not_below, not_above);
    let unsigned = store.fp_to_unsigned(toward_zero, number, 64);
    let mut rest = signed;
    if format == FpFormat::X87 {
        // Clang subtracts 2^63 from a number that is not below it, and flips the integer's
        // upper bit, which "does not fit" has set.
        let zero = store.bv(64, 0);
        rest = store.ite(not_below, zero, signed);
    }
    store.ite(upper_half, unsigned, rest)
}

/// How wide the signed integer is in which the number is converted: the x87 unit has one of
/// 16 bits too.
fn unit_width(store: &Store, number: Term, width: u16, sign: Sign) -> u16 {
    let fits = width < 16 || (width == 16 && sign == Sign::Signed);
    match format_of(store, number) {
        FpFormat::X87 if fits => 16,
        _ => conversion_width(width.into(), sign) as u16,
    }
}

/// Towards zero to a signed integer of this width; the least one if the number
/// does not fit.
fn indefinite_term(store: &mut Store, number: Term, width: u16) -> Term {
    let toward_zero = store.rounding(RoundingMode::TowardZero);
    let format = format_of(store, number);
    let end = power(store, format, u32::from(width) - 1);
    let least = store.bv(width, 1 << (width - 1));
    // Numbers too small become the least integer anyway; NaN is below nothing.
    let fits = store.fp_lt(number, end);
    let whole = store.fp_to_signed(toward_zero, number, width);
    store.ite(fits, whole, least)
}

/// Two to this power, or infinity where the format ends before.
fn power(store: &mut Store, format: FpFormat, exponent: u32) -> Term {
    let value = BigInt::from(1) << exponent;
    let bits = fp::from_int(format, RoundingMode::NearestEven, &value);
    store.fp(format, bits)
}
