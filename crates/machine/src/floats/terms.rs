//! Floating-point operations on terms.
//!
//! A register's term is a bit-vector, an operation's a float with one NaN. The
//! result of an operation goes back into a register as *one choice*: the NaN's
//! bits where it is NaN, else the bits of the number. The next operation takes
//! the number out of that choice again, so that a computation is a term of
//! floats alone and the bits of NaNs cost nothing until the program looks.

use super::{Sign, conversion_width, default_nan, float_kind, nan_pattern};
use crate::arith;
use crate::machine::Machine;
use crate::value::{Value, format, width as width_of};
use num_bigint::BigInt;
use program::{CastOp, FloatKind, FloatOp, FloatPredicate, Kind};
use term::{BitVec, FpFormat, Op, RoundingMode, Store, Term, fp};

impl Machine<'_> {
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
    let whole = indefinite_term(
        store,
        number,
        conversion_width(width.into(), Sign::Signed) as u16,
    );
    arith::resize(store, whole, width)
}

fn to_unsigned_term(store: &mut Store, number: Term, width: u16) -> Term {
    let toward_zero = store.rounding(RoundingMode::TowardZero);
    if width > 64 {
        return store.fp_to_unsigned(toward_zero, number, width);
    }
    let signed = indefinite_term(
        store,
        number,
        conversion_width(width.into(), Sign::Unsigned) as u16,
    );
    if width < 64 {
        return store.extract(signed, 0, width);
    }
    let format = format_of(store, number);
    let (middle, end) = (power(store, format, 63), power(store, format, 64));
    let not_below = store.fp_le(middle, number);
    let not_above = store.fp_lt(number, end);
    let upper_half = store.and(not_below, not_above);
    let unsigned = store.fp_to_unsigned(toward_zero, number, 64);
    store.ite(upper_half, unsigned, signed)
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

fn format_of(store: &Store, number: Term) -> FpFormat {
    match store.sort(number) {
        term::Sort::Fp(format) => format,
        other => unreachable!("{other} is not a floating-point sort"),
    }
}

/// A float in both views: its packed bits, and the number they are.
#[derive(Clone, Copy)]
pub(super) struct Float {
    pub bits: Term,
    pub number: Term,
}

impl Float {
    /// The float in a register.
    pub fn of(store: &mut Store, kind: FloatKind, register: Term) -> Float {
        let bits = from_register(store, kind, register);
        let number = number_in(store, format(kind), bits, DEEPEST).unwrap_or_else(|| {
            let format = format(kind);
            store.fp_from_bits(format, bits)
        });
        Float { bits, number }
    }
}

/// The number in a register.
pub(super) fn number_of(store: &mut Store, kind: FloatKind, register: Term) -> Term {
    Float::of(store, kind, register).number
}

/// The register of a result that an operation on these operands gave.
pub(super) fn result(store: &mut Store, kind: FloatKind, number: Term, operands: &[Float]) -> Term {
    let mut nan = default_nan_term(store, kind);
    for operand in operands.iter().rev() {
        let is_nan = store.fp_is_nan(operand.number);
        let quieted = quiet(store, kind, operand.bits);
        nan = store.ite(is_nan, quieted, nan);
    }
    choice(store, kind, number, nan)
}

/// The register of a number, with these packed bits where it is NaN.
pub(super) fn choice(store: &mut Store, kind: FloatKind, number: Term, nan: Term) -> Term {
    let is_nan = store.fp_is_nan(number);
    let bits = store.fp_to_bits(number);
    let packed = store.ite(is_nan, nan, bits);
    to_register(store, kind, packed)
}

/// How many choices deep the number of a register is looked for.
const DEEPEST: u32 = 4;

/// The number that these packed bits were made from; none if they were not.
fn number_in(store: &mut Store, format: FpFormat, bits: Term, depth: u32) -> Option<Term> {
    match store.op(bits) {
        Op::FpToBits => {
            let number = store.args(bits)[0];
            (format_of(store, number) == format).then_some(number)
        }
        Op::Const => Some(store.fp_from_bits(format, bits)),
        Op::Ite => {
            if let Some((_, nan, number)) = nan_choice(store, bits) {
                // A program may choose something else where the number is NaN.
                if format_of(store, number) == format && always_nan(store, format, nan) {
                    return Some(number);
                }
            }
            let &[condition, then, otherwise] = store.args(bits) else {
                unreachable!("a choice has three arguments");
            };
            let depth = depth.checked_sub(1)?;
            let then = number_in(store, format, then, depth)?;
            let otherwise = number_in(store, format, otherwise, depth)?;
            Some(store.ite(condition, then, otherwise))
        }
        _ => None,
    }
}

/// The condition and branches of a choice whose last branch is the bits of a
/// number, and whose condition is that this number is NaN; and the number.
fn nan_choice(store: &mut Store, bits: Term) -> Option<(Term, Term, Term)> {
    if store.op(bits) != Op::Ite {
        return None;
    }
    let &[condition, nan, otherwise] = store.args(bits) else {
        unreachable!("a choice has three arguments");
    };
    if store.op(otherwise) != Op::FpToBits {
        return None;
    }
    let number = store.args(otherwise)[0];
    (store.fp_is_nan(number) == condition).then_some((condition, nan, number))
}

/// Whether these packed bits, of at most 64, are NaN whatever the variables are.
fn always_nan(store: &Store, format: FpFormat, bits: Term) -> bool {
    let pattern = nan_pattern(format);
    format.width() <= 64 && u128::from(store.facts(bits).ones) & pattern == pattern
}

/// The packed pattern in a register: an x87 float is packed without its integer bit.
fn from_register(store: &mut Store, kind: FloatKind, register: Term) -> Term {
    match kind {
        FloatKind::X87 => {
            let head = store.extract(register, 64, 16);
            let fraction = store.extract(register, 0, 63);
            store.concat(head, fraction)
        }
        FloatKind::Half
        | FloatKind::BFloat
        | FloatKind::Single
        | FloatKind::Double
        | FloatKind::Quad => register,
    }
}

/// The register of a packed pattern: the integer bit is there unless the
/// exponent is that of zero and the subnormals.
pub(super) fn to_register(store: &mut Store, kind: FloatKind, packed: Term) -> Term {
    match kind {
        FloatKind::X87 => {
            let head = store.extract(packed, 63, 16);
            let exponent = store.extract(packed, 63, 15);
            let normal = store.is_nonzero(exponent);
            let integer = store.bool_to_bv(normal, 1);
            let fraction = store.extract(packed, 0, 63);
            let head = store.concat(head, integer);
            store.concat(head, fraction)
        }
        FloatKind::Half
        | FloatKind::BFloat
        | FloatKind::Single
        | FloatKind::Double
        | FloatKind::Quad => packed,
    }
}

/// The packed pattern of a NaN made quiet; of what is no NaN, a NaN too, so
/// that it can be told by its bits.
pub(super) fn quiet(store: &mut Store, kind: FloatKind, packed: Term) -> Term {
    let format = format(kind);
    let width = format.width() as u16;
    let pattern = store.bv_value(BitVec::from_u128(width, nan_pattern(format)));
    store.bv_or(packed, pattern)
}

fn default_nan_term(store: &mut Store, kind: FloatKind) -> Term {
    let width = format(kind).width() as u16;
    store.bv_value(BitVec::from_u128(width, default_nan(kind)))
}

/// The same bits with the sign flipped.
fn negate_bits(store: &mut Store, bits: Term) -> Term {
    if let Some((is_nan, nan, number)) = nan_choice(store, bits) {
        let (nan, minus) = (negate_bits(store, nan), store.fp_neg(number));
        let minus = store.fp_to_bits(minus);
        return store.ite(is_nan, nan, minus);
    }
    let width = store.width(bits);
    let sign = store.bv_value(BitVec::from_u128(width, 1 << (width - 1)));
    store.bv_xor(bits, sign)
}

/// The same bits with the sign cleared.
pub(super) fn abs_bits(store: &mut Store, bits: Term) -> Term {
    if let Some((is_nan, nan, number)) = nan_choice(store, bits) {
        let (nan, plus) = (abs_bits(store, nan), store.fp_abs(number));
        let plus = store.fp_to_bits(plus);
        return store.ite(is_nan, nan, plus);
    }
    let width = store.width(bits);
    let others = store.bv_value(BitVec::from_u128(width, (1 << (width - 1)) - 1));
    store.bv_and(bits, others)
}
