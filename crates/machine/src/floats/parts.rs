//! Functions that take a float apart or make an integer of it: classes,
//! exponents, integral parts, conversions with their own rounding. Each exists
//! on words, for formats of at most 64 bits, and on terms.

use super::functions::{COPY_SIGN, TRUNC, rounded, rounded_term, sign_bit};
use super::terms::{self, to_signed_term};
use super::views::{Float, number_of, quiet, result, to_register};
use super::{Sign, as_double, binary, convert, is_nan, nan_of, to_signed};
use crate::arith;
use crate::machine::Machine;
use crate::outcome::{Halt, unsupported};
use crate::value::{Value, format, mask, signed, width as width_of};
use num_bigint::BigInt;
use program::{FloatKind, FloatOp, Kind};
use term::{BitVec, FpFormat, RoundingMode, Store, Term, fp};

impl Machine<'_> {
    /// Rounded to a signed integer; out of range as a conversion does.
    pub(crate) fn round_to_signed(
        &mut self,
        kind: FloatKind,
        mode: RoundingMode,
        value: Value,
        width: u16,
    ) -> Value {
        match word_of(kind, value) {
            Some(word) if width <= 64 => {
                let whole = rounded(kind, mode, word);
                Value::word(to_signed(double(kind, whole), width.into()))
            }
            _ => {
                let register = self.register(kind, value);
                let whole = rounded_term(&mut self.store, kind, mode, register);
                let whole = number_of(&mut self.store, kind, whole);
                let integer = to_signed_term(&mut self.store, whole, width);
                Value::of(&self.store, integer)
            }
        }
    }

    /// Towards zero to an integer, clamped; NaN gives 0.
    pub(crate) fn saturate(
        &mut self,
        kind: FloatKind,
        sign: Sign,
        value: Value,
        width: u16,
    ) -> Value {
        match word_of(kind, value) {
            Some(word) if width <= 64 => {
                Value::word(saturated(sign, double(kind, word), width.into()))
            }
            _ => {
                let register = self.register(kind, value);
                let integer = saturated_term(&mut self.store, kind, sign, register, width);
                Value::of(&self.store, integer)
            }
        }
    }

    /// Whether the float is in one of the classes, as one bit.
    pub(crate) fn is_class(&mut self, kind: FloatKind, classes: u64, value: Value) -> Value {
        match word_of(kind, value) {
            Some(word) => Value::word((classes >> class(kind, word)) & 1),
            None => {
                let register = self.register(kind, value);
                let truth = class_term(&mut self.store, kind, classes, register);
                Value::of_bool(&mut self.store, truth)
            }
        }
    }

    /// The same, as the code does it that LLVM makes for its intrinsic.
    pub(crate) fn is_class_inline(&mut self, kind: FloatKind, classes: u64, value: Value) -> Value {
        if kind != FloatKind::X87 {
            return self.is_class(kind, classes, value);
        }
        let register = self.register(kind, value);
        let truth = inline_class_term(&mut self.store, kind, classes, register);
        Value::of_bool(&mut self.store, truth)
    }

    /// `value * 2^exponent`, rounded once; the exponent has `width` bits.
    pub(crate) fn ldexp(
        &mut self,
        kind: FloatKind,
        value: Value,
        exponent: Value,
        width: u16,
    ) -> Result<Value, Halt> {
        if let (Some(word), Some(exponent)) = (word_of(kind, value), exponent.as_word()) {
            return Ok(Value::word(scaled(
                kind,
                word,
                signed(exponent, width.into()),
            )));
        }
        let register = self.register(kind, value);
        let exponent = exponent.term(&mut self.store, width);
        match scaled_term(&mut self.store, kind, register, exponent) {
            Some(scaled) => Ok(Value::of(&self.store, scaled)),
            None => unsupported("`ldexp` of a 128-bit float"),
        }
    }

    /// The fraction in [0.5, 1) and the power of two, in `width` bits.
    pub(crate) fn frexp(&mut self, kind: FloatKind, value: Value, width: u16) -> (Value, Value) {
        match word_of(kind, value) {
            Some(word) if width <= 64 => {
                let (fraction, power) = split_power(kind, word);
                (
                    Value::word(fraction),
                    Value::word(power as u64 & mask(width.into())),
                )
            }
            _ => {
                let register = self.register(kind, value);
                let (fraction, power) = split_power_term(&mut self.store, kind, register, width);
                (
                    Value::of(&self.store, fraction),
                    Value::of(&self.store, power),
                )
            }
        }
    }

    /// The fractional and the integral part, both with the sign of the whole.
    pub(crate) fn modf(&mut self, kind: FloatKind, value: Value) -> (Value, Value) {
        match word_of(kind, value) {
            Some(word) => {
                let (fraction, whole) = split_whole(kind, word);
                (Value::word(fraction), Value::word(whole))
            }
            None => {
                let register = self.register(kind, value);
                let (fraction, whole) = split_whole_term(&mut self.store, kind, register);
                (
                    Value::of(&self.store, fraction),
                    Value::of(&self.store, whole),
                )
            }
        }
    }

    fn register(&mut self, kind: FloatKind, value: Value) -> Term {
        value.term(&mut self.store, width_of(Kind::Float(kind)))
    }
}

fn word_of(kind: FloatKind, value: Value) -> Option<u64> {
    value.as_word().filter(|_| kind.bits() <= 64)
}

fn double(kind: FloatKind, word: u64) -> f64 {
    as_double(kind, word).expect("a word holds a format of at most 64 bits")
}

pub(super) fn saturated(sign: Sign, value: f64, width: u32) -> u64 {
    let (least, greatest) = match sign {
        Sign::Signed => (-1 << (width - 1), (1 << (width - 1)) - 1),
        Sign::Unsigned => (0, i128::from(mask(width))),
    };
    // The conversion itself saturates, far outside of 64 bits.
    (value as i128).clamp(least, greatest) as u64 & mask(width)
}

pub(super) fn saturated_term(
    store: &mut Store,
    kind: FloatKind,
    sign: Sign,
    register: Term,
    width: u16,
) -> Term {
    let number = number_of(store, kind, register);
    let toward_zero = store.rounding(RoundingMode::TowardZero);
    match sign {
        Sign::Signed => store.fp_to_signed(toward_zero, number, width),
        Sign::Unsigned => store.fp_to_unsigned(toward_zero, number, width),
    }
}

/// The classes of floats, as LLVM's `is.fpclass` numbers them.
mod class {
    pub const SIGNALING_NAN: u32 = 0;
    pub const QUIET_NAN: u32 = 1;
    pub const MINUS_INFINITY: u32 = 2;
    pub const MINUS_NORMAL: u32 = 3;
    pub const MINUS_SUBNORMAL: u32 = 4;
    pub const MINUS_ZERO: u32 = 5;
    pub const PLUS_ZERO: u32 = 6;
    pub const PLUS_SUBNORMAL: u32 = 7;
    pub const PLUS_NORMAL: u32 = 8;
    pub const PLUS_INFINITY: u32 = 9;
}

/// Masks of classes.
pub(crate) mod classes {
    use super::class;

    pub(crate) const NAN: u64 = 1 << class::SIGNALING_NAN | 1 << class::QUIET_NAN;
    pub(crate) const MINUS_INFINITY: u64 = 1 << class::MINUS_INFINITY;
    pub(crate) const PLUS_INFINITY: u64 = 1 << class::PLUS_INFINITY;
    pub(crate) const INFINITE: u64 = MINUS_INFINITY | PLUS_INFINITY;
    pub(crate) const ZERO: u64 = 1 << class::MINUS_ZERO | 1 << class::PLUS_ZERO;
    pub(crate) const SUBNORMAL: u64 = 1 << class::MINUS_SUBNORMAL | 1 << class::PLUS_SUBNORMAL;
    pub(crate) const NORMAL: u64 = 1 << class::MINUS_NORMAL | 1 << class::PLUS_NORMAL;
    pub(crate) const FINITE: u64 = ZERO | SUBNORMAL | NORMAL;
    pub(crate) const MINUS_FINITE: u64 =
        1 << class::MINUS_NORMAL | 1 << class::MINUS_SUBNORMAL | 1 << class::MINUS_ZERO;
    pub(crate) const PLUS_FINITE: u64 = FINITE & !MINUS_FINITE;
}

/// The class the word is in.
pub(super) fn class(kind: FloatKind, word: u64) -> u32 {
    let (format, packed) = (format(kind), u128::from(word));
    let pick = |minus, plus| {
        if fp::is_negative(format, packed) {
            minus
        } else {
            plus
        }
    };
    if fp::is_nan(format, packed) {
        let quiet = nan_of(kind, &[word]) == word;
        return if quiet {
            class::QUIET_NAN
        } else {
            class::SIGNALING_NAN
        };
    }
    if fp::is_infinite(format, packed) {
        pick(class::MINUS_INFINITY, class::PLUS_INFINITY)
    } else if fp::is_zero(format, packed) {
        pick(class::MINUS_ZERO, class::PLUS_ZERO)
    } else if fp::is_subnormal(format, packed) {
        pick(class::MINUS_SUBNORMAL, class::PLUS_SUBNORMAL)
    } else {
        pick(class::MINUS_NORMAL, class::PLUS_NORMAL)
    }
}

/// Whether the float is in one of the classes.
pub(super) fn class_term(store: &mut Store, kind: FloatKind, classes: u64, register: Term) -> Term {
    let float = Float::of(store, kind, register);
    let number = float.number;
    let nan = store.fp_is_nan(number);
    let quieted = quiet(store, kind, float.bits);
    let quiet = store.eq(quieted, float.bits);
    let signaling = store.not(quiet);
    let mut found = store.bool(false);
    let mut add = |store: &mut Store, class: u32, is: Term, and: Term| {
        if classes >> class & 1 != 0 {
            let both = store.and(is, and);
            found = store.or(found, both);
        }
    };
    add(store, class::SIGNALING_NAN, nan, signaling);
    add(store, class::QUIET_NAN, nan, quiet);
    let (minus, plus) = (store.fp_is_negative(number), store.fp_is_positive(number));
    let infinite = store.fp_is_infinite(number);
    add(store, class::MINUS_INFINITY, infinite, minus);
    add(store, class::PLUS_INFINITY, infinite, plus);
    let normal = store.fp_is_normal(number);
    add(store, class::MINUS_NORMAL, normal, minus);
    add(store, class::PLUS_NORMAL, normal, plus);
    let subnormal = store.fp_is_subnormal(number);
    add(store, class::MINUS_SUBNORMAL, subnormal, minus);
    add(store, class::PLUS_SUBNORMAL, subnormal, plus);
    let zero = store.fp_is_zero(number);
    add(store, class::MINUS_ZERO, zero, minus);
    add(store, class::PLUS_ZERO, zero, plus);
    found
}

/// The same where the bits alone are looked at: what is invalid is NaN, of neither sort, and
/// a pseudo-denormal finite, but neither zero nor normal nor subnormal.
fn inline_class_term(store: &mut Store, kind: FloatKind, classes: u64, register: Term) -> Term {
    let mut found = class_term(store, kind, classes, register);
    let float = Float::of(store, kind, register);
    if let Some(odd) = float.odd {
        let nan = store.bool(classes & classes::NAN == classes::NAN);
        let minus = store.bool(classes & classes::MINUS_FINITE == classes::MINUS_FINITE);
        let plus = store.bool(classes & classes::PLUS_FINITE == classes::PLUS_FINITE);
        let negative = store.fp_is_negative(float.number);
        let finite = store.ite(negative, minus, plus);
        found = store.ite(odd.pseudo_denormal, finite, found);
        found = store.ite(odd.invalid, nan, found);
    }
    found
}

/// A power of two beyond which every number of the format becomes zero or infinite.
fn greatest_scale(format: FpFormat) -> i64 {
    2 * i64::from(format.bias()) + i64::from(format.sb) + 2
}

pub(super) fn scaled(kind: FloatKind, word: u64, exponent: i64) -> u64 {
    if is_nan(kind, word) {
        return nan_of(kind, &[word]);
    }
    let limit = greatest_scale(format(kind));
    let exponent = exponent.clamp(-limit, limit) as i32;
    match kind {
        FloatKind::Double => scaled_double(f64::from_bits(word), exponent).to_bits(),
        FloatKind::Half
        | FloatKind::BFloat
        | FloatKind::Single
        | FloatKind::X87
        | FloatKind::Quad => {
            // Exact as a `double`, so that only the conversion rounds.
            let exact = double(kind, word) * power_of_two(exponent);
            convert(FloatKind::Double, kind, exact.to_bits())
        }
    }
}

/// In steps whose factors are doubles; only the last one rounds, because the
/// earlier ones stay away from the subnormals.
fn scaled_double(mut x: f64, mut exponent: i32) -> f64 {
    const UP: i32 = 1023;
    const DOWN: i32 = -1022 + 53;
    while exponent > UP {
        x *= power_of_two(UP);
        exponent -= UP;
    }
    while exponent < -1022 {
        x *= power_of_two(DOWN);
        exponent -= DOWN;
    }
    x * power_of_two(exponent)
}

/// Two to a power for which that is a normal number.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// In a format of more exponents, where the product is exact; none if there is
/// no such format.
pub(super) fn scaled_term(
    store: &mut Store,
    kind: FloatKind,
    register: Term,
    exponent: Term,
) -> Option<Term> {
    const EXPONENT_BITS: u16 = 32;
    let narrow = format(kind);
    let wide = FpFormat::new(u32::from(narrow.eb) + 3, narrow.sb.into())?;
    let nearest = store.rounding(RoundingMode::NearestEven);
    let float = Float::of(store, kind, register);

    let width = store.width(exponent).max(EXPONENT_BITS);
    let exponent = store.sext(exponent, width);
    let limit = greatest_scale(narrow);
    let least = store.bv_value(BitVec::from_int(width, &BigInt::from(-limit)));
    let greatest = store.bv_value(BitVec::from_int(width, &BigInt::from(limit)));
    let (below, above) = (
        store.bv_slt(exponent, least),
        store.bv_slt(greatest, exponent),
    );
    let clamped = store.ite(below, least, exponent);
    let clamped = store.ite(above, greatest, clamped);

    let bias = store.bv(width, wide.bias() as u64);
    let biased = store.bv_add(clamped, bias);
    let field = store.extract(biased, 0, wide.eb.into());
    let head = store.zext(field, u16::from(wide.eb) + 1);
    let fraction = store.bv(u16::from(wide.sb) - 1, 0);
    let power = store.concat(head, fraction);
    let power = store.fp_from_bits(wide, power);

    let number = store.fp_convert(nearest, float.number, wide);
    let exact = store.fp_mul(nearest, number, power);
    let number = store.fp_convert(nearest, exact, narrow);
    Some(result(store, kind, number, &[float]))
}

/// The fraction and the power of two; 0 for what has none.
pub(super) fn split_power(kind: FloatKind, word: u64) -> (u64, i64) {
    if is_nan(kind, word) {
        return (nan_of(kind, &[word]), 0);
    }
    let magnitude = word & !sign_bit(kind);
    let format = format(kind);
    if magnitude == 0 || fp::is_infinite(format, word.into()) {
        return (word, 0);
    }
    let stored = u32::from(format.sb) - 1;
    // Subnormal numbers are scaled up to have a leading bit like the others.
    let missing = (magnitude.leading_zeros() + stored).saturating_sub(63);
    let field = (magnitude >> stored) as i64;
    let (field, fraction) = if field == 0 {
        (1 - i64::from(missing), magnitude << missing)
    } else {
        (field, magnitude)
    };
    let half = (format.bias() - 1) as u64;
    let fraction = word & sign_bit(kind) | half << stored | fraction & mask(stored);
    (fraction, field - half as i64)
}

pub(super) fn split_power_term(
    store: &mut Store,
    kind: FloatKind,
    register: Term,
    width: u16,
) -> (Term, Term) {
    let format = format(kind);
    let float = Float::of(store, kind, register);
    let nearest = store.rounding(RoundingMode::NearestEven);
    let (stored, exponent_bits) = (u16::from(format.sb) - 1, u16::from(format.eb));

    let up = fp::from_int(
        format,
        RoundingMode::NearestEven,
        &(BigInt::from(1) << stored),
    );
    let up = store.fp(format, up);
    let raised = store.fp_mul(nearest, float.number, up);
    let subnormal = store.fp_is_subnormal(float.number);
    let number = store.ite(subnormal, raised, float.number);
    let bits = store.fp_to_bits(number);

    let field = store.extract(bits, stored, exponent_bits);
    let field = arith::resize(store, field, width);
    let half = store.bv(width, (format.bias() - 1) as u64);
    let shift = store.bv(width, stored.into());
    let lowered = store.bv_add(half, shift);
    let offset = store.ite(subnormal, lowered, half);
    let power = store.bv_sub(field, offset);

    let sign = store.extract(bits, format.width() as u16 - 1, 1);
    let middle = store.bv(exponent_bits, (format.bias() - 1) as u64);
    let fraction = store.extract(bits, 0, stored);
    let head = store.concat(sign, middle);
    let fraction = store.concat(head, fraction);

    let (infinite, zero) = (
        store.fp_is_infinite(float.number),
        store.fp_is_zero(float.number),
    );
    let nan = store.fp_is_nan(float.number);
    let whole = store.or(infinite, zero);
    let special = store.or(whole, nan);
    let nothing = store.bv(width, 0);
    let power = store.ite(special, nothing, power);
    let quieted = quiet(store, kind, float.bits);
    let fraction = store.ite(whole, float.bits, fraction);
    let fraction = store.ite(nan, quieted, fraction);
    (to_register(store, kind, fraction), power)
}

/// The fractional and the integral part.
pub(super) fn split_whole(kind: FloatKind, word: u64) -> (u64, u64) {
    let whole = (TRUNC.words)(kind, &[word]);
    let fraction = match fp::is_infinite(format(kind), word.into()) {
        true => 0,
        false => binary(FloatOp::Sub, kind, word, whole).expect("it fits a word"),
    };
    ((COPY_SIGN.words)(kind, &[fraction, word]), whole)
}

pub(super) fn split_whole_term(store: &mut Store, kind: FloatKind, register: Term) -> (Term, Term) {
    let whole = (TRUNC.terms)(store, kind, &[register]);
    let fraction = terms::binary_term(store, FloatOp::Sub, kind, register, whole);
    let number = number_of(store, kind, register);
    let infinite = store.fp_is_infinite(number);
    let width = store.width(register);
    let zero = store.bv(width, 0);
    let fraction = store.ite(infinite, zero, fraction);
    ((COPY_SIGN.terms)(store, kind, &[fraction, register]), whole)
}
