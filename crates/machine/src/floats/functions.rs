//! Functions from floats to a float of the same format that are computed
//! exactly, each in two forms: on words and on terms.

use super::terms;
use super::views::{Float, abs_bits, number_of, quiet, result, to_register};
use super::{as_double, binary, is_nan, nan_of, number_or_nan, words};
use crate::machine::Machine;
use crate::value::{Value, format, width as width_of};
use program::{FloatKind, FloatOp, Kind};
use term::{RoundingMode, Store, Term, fp};

/// A function in its two forms, which agree to the bit.
pub(crate) struct Function {
    /// Of words of a format of at most 64 bits.
    pub words: fn(FloatKind, &[u64]) -> u64,
    /// Of terms of any format, as registers hold them.
    pub terms: fn(&mut Store, FloatKind, &[Term]) -> Term,
}

impl Machine<'_> {
    /// The function of these values.
    pub(crate) fn float_function(
        &mut self,
        function: &Function,
        kind: FloatKind,
        args: &[Value],
    ) -> Value {
        if kind.bits() <= 64
            && let Some(words) = words(args)
        {
            return Value::word((function.words)(kind, &words[..args.len()]));
        }
        let width = width_of(Kind::Float(kind));
        let terms: Vec<Term> = args
            .iter()
            .map(|arg| arg.term(&mut self.store, width))
            .collect();
        let result = (function.terms)(&mut self.store, kind, &terms);
        Value::of(&self.store, result)
    }
}

const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// The square root.
pub(crate) const SQRT: Function = Function {
    words: |kind, args| {
        let root = fp::sqrt(format(kind), NEAREST, args[0].into());
        packed_or_nan(kind, root, args)
    },
    terms: |store, kind, args| {
        let a = Float::of(store, kind, args[0]);
        let nearest = store.rounding(NEAREST);
        let root = store.fp_sqrt(nearest, a.number);
        result(store, kind, root, &[a])
    },
};

/// `a * b + c`, rounded once. Which of two NaN factors is kept depends on the
/// processor; here it is the first.
pub(crate) const FMA: Function = Function {
    words: |kind, args| {
        let [a, b, c] = [args[0], args[1], args[2]].map(u128::from);
        packed_or_nan(kind, fp::fma(format(kind), NEAREST, a, b, c), args)
    },
    terms: |store, kind, args| {
        let [a, b, c] = [args[0], args[1], args[2]].map(|arg| Float::of(store, kind, arg));
        let nearest = store.rounding(NEAREST);
        let sum = store.fp_fma(nearest, a.number, b.number, c.number);
        result(store, kind, sum, &[a, b, c])
    },
};

/// `a * b + c`, rounded twice, as clang has it done where it may choose.
pub(crate) const MUL_ADD: Function = Function {
    words: |kind, args| {
        let product = arithmetic(FloatOp::Mul, kind, args[0], args[1]);
        arithmetic(FloatOp::Add, kind, product, args[2])
    },
    terms: |store, kind, args| {
        let product = terms::binary_term(store, FloatOp::Mul, kind, args[0], args[1]);
        terms::binary_term(store, FloatOp::Add, kind, product, args[2])
    },
};

/// C's `fmod`.
pub(crate) const FMOD: Function = Function {
    words: |kind, args| arithmetic(FloatOp::Rem, kind, args[0], args[1]),
    terms: |store, kind, args| terms::binary_term(store, FloatOp::Rem, kind, args[0], args[1]),
};

/// C's `remainder`, of the quotient rounded to nearest even.
pub(crate) const REMAINDER: Function = Function {
    words: |kind, args| {
        let remainder = fp::rem(format(kind), args[0].into(), args[1].into());
        packed_or_nan(kind, remainder, args)
    },
    terms: |store, kind, args| {
        let [a, b] = [args[0], args[1]].map(|arg| Float::of(store, kind, arg));
        let remainder = store.fp_rem(a.number, b.number);
        result(store, kind, remainder, &[a, b])
    },
};

/// The same bits without the sign.
pub(crate) const ABS: Function = Function {
    words: |kind, args| args[0] & !sign_bit(kind),
    terms: |store, _, args| abs_bits(store, args[0]),
};

/// The first without its sign, and the sign of the second.
pub(crate) const COPY_SIGN: Function = Function {
    words: |kind, args| args[0] & !sign_bit(kind) | args[1] & sign_bit(kind),
    terms: |store, _, args| {
        let top = store.width(args[0]) - 1;
        let magnitude = store.extract(args[0], 0, top);
        let sign = store.extract(args[1], top, 1);
        store.concat(sign, magnitude)
    },
};

/// The lesser, a number rather than NaN; of equal ones the first, as x86-64
/// does it inline, except where it asks the C library.
pub(crate) const MIN_NUM: Function = Function {
    words: |kind, args| {
        let ([a, b], [x, y]) = pair(kind, &in_turn(kind, args, MIN_BY_LIBRARY));
        if x.is_nan() || y < x { b } else { a }
    },
    terms: |store, kind, args| {
        let args = in_turn(kind, args, MIN_BY_LIBRARY);
        let [x, y] = numbers(store, kind, &args);
        let second = store.fp_lt(y, x);
        second_or_first(store, x, second, &args)
    },
};

/// The greater, a number rather than NaN; of equal ones the first.
pub(crate) const MAX_NUM: Function = Function {
    words: |kind, args| {
        let ([a, b], [x, y]) = pair(kind, &in_turn(kind, args, MAX_BY_LIBRARY));
        if x.is_nan() || x < y { b } else { a }
    },
    terms: |store, kind, args| {
        let args = in_turn(kind, args, MAX_BY_LIBRARY);
        let [x, y] = numbers(store, kind, &args);
        let second = store.fp_lt(x, y);
        second_or_first(store, x, second, &args)
    },
};

/// Formats whose minima are left to a function of glibc's that gives the second of equal ones.
const MIN_BY_LIBRARY: &[FloatKind] = &[FloatKind::Half];
/// The same for maxima.
const MAX_BY_LIBRARY: &[FloatKind] = &[FloatKind::Half, FloatKind::X87];

/// The arguments, first the one that counts where both are equal.
fn in_turn<T: Copy>(kind: FloatKind, args: &[T], second: &[FloatKind]) -> [T; 2] {
    match second.contains(&kind) {
        true => [args[1], args[0]],
        false => [args[0], args[1]],
    }
}

fn second_or_first(store: &mut Store, x: Term, second: Term, args: &[Term]) -> Term {
    let no_first = store.fp_is_nan(x);
    let second = store.or(no_first, second);
    store.ite(second, args[1], args[0])
}

/// The lesser, -0 below +0; NaN if either is.
pub(crate) const MINIMUM: Function = Function {
    words: |kind, args| propagating(kind, args, lesser),
    terms: |store, kind, args| propagating_term(store, kind, args, lesser_term),
};

/// The greater, -0 below +0; NaN if either is.
pub(crate) const MAXIMUM: Function = Function {
    words: |kind, args| propagating(kind, args, greater),
    terms: |store, kind, args| propagating_term(store, kind, args, greater_term),
};

/// The lesser, -0 below +0; a number rather than NaN.
pub(crate) const MINIMUM_NUM: Function = Function {
    words: |kind, args| preferring_numbers(kind, args, lesser),
    terms: |store, kind, args| preferring_numbers_term(store, kind, args, lesser_term),
};

/// The greater, -0 below +0; a number rather than NaN.
pub(crate) const MAXIMUM_NUM: Function = Function {
    words: |kind, args| preferring_numbers(kind, args, greater),
    terms: |store, kind, args| preferring_numbers_term(store, kind, args, greater_term),
};

/// Whether the first of two numbers is the one to take.
type Preference = fn(f64, f64) -> bool;
/// The same of terms.
type PreferenceTerm = fn(&mut Store, Term, Term) -> Term;

fn lesser(x: f64, y: f64) -> bool {
    x < y || (x == y && x.is_sign_negative())
}

fn greater(x: f64, y: f64) -> bool {
    x > y || (x == y && x.is_sign_positive())
}

fn lesser_term(store: &mut Store, x: Term, y: Term) -> Term {
    let (less, equal) = (store.fp_lt(x, y), store.fp_eq(x, y));
    let negative = store.fp_is_negative(x);
    let first_zero = store.and(equal, negative);
    store.or(less, first_zero)
}

fn greater_term(store: &mut Store, x: Term, y: Term) -> Term {
    let (more, equal) = (store.fp_lt(y, x), store.fp_eq(x, y));
    let positive = store.fp_is_positive(x);
    let first_zero = store.and(equal, positive);
    store.or(more, first_zero)
}

fn propagating(kind: FloatKind, args: &[u64], first: Preference) -> u64 {
    let ([a, b], [x, y]) = pair(kind, args);
    match x.is_nan() || y.is_nan() {
        true => nan_of(kind, args),
        false if first(x, y) => a,
        false => b,
    }
}

fn propagating_term(
    store: &mut Store,
    kind: FloatKind,
    args: &[Term],
    first: PreferenceTerm,
) -> Term {
    let [a, b] = [args[0], args[1]].map(|arg| Float::of(store, kind, arg));
    let first = first(store, a.number, b.number);
    let chosen = store.ite(first, args[0], args[1]);
    let b_or_number = quiet_if_nan(store, kind, b, chosen);
    quiet_if_nan(store, kind, a, b_or_number)
}

fn preferring_numbers(kind: FloatKind, args: &[u64], first: Preference) -> u64 {
    let ([a, b], [x, y]) = pair(kind, args);
    match (x.is_nan(), y.is_nan()) {
        (true, true) => nan_of(kind, args),
        (true, false) => b,
        (false, true) => a,
        (false, false) if first(x, y) => a,
        (false, false) => b,
    }
}

fn preferring_numbers_term(
    store: &mut Store,
    kind: FloatKind,
    args: &[Term],
    first: PreferenceTerm,
) -> Term {
    let [a, b] = [args[0], args[1]].map(|arg| Float::of(store, kind, arg));
    let first = first(store, a.number, b.number);
    let chosen = store.ite(first, args[0], args[1]);
    let (no_a, no_b) = (store.fp_is_nan(a.number), store.fp_is_nan(b.number));
    let quiet_a = quiet_if_nan(store, kind, a, args[0]);
    let instead_of_a = store.ite(no_b, quiet_a, args[1]);
    let instead_of_b = store.ite(no_b, args[0], chosen);
    store.ite(no_a, instead_of_a, instead_of_b)
}

/// The register of the float made quiet where it is NaN, else the other.
fn quiet_if_nan(store: &mut Store, kind: FloatKind, float: Float, otherwise: Term) -> Term {
    let is_nan = store.fp_is_nan(float.number);
    let quieted = quiet(store, kind, float.bits);
    let quieted = to_register(store, kind, quieted);
    store.ite(is_nan, quieted, otherwise)
}

/// Rounded to an integral number down.
pub(crate) const FLOOR: Function = Function {
    words: |kind, args| rounded(kind, RoundingMode::TowardNegative, args[0]),
    terms: |store, kind, args| rounded_term(store, kind, RoundingMode::TowardNegative, args[0]),
};

/// Rounded to an integral number up.
pub(crate) const CEIL: Function = Function {
    words: |kind, args| rounded(kind, RoundingMode::TowardPositive, args[0]),
    terms: |store, kind, args| rounded_term(store, kind, RoundingMode::TowardPositive, args[0]),
};

/// Rounded to an integral number towards zero.
pub(crate) const TRUNC: Function = Function {
    words: |kind, args| rounded(kind, RoundingMode::TowardZero, args[0]),
    terms: |store, kind, args| rounded_term(store, kind, RoundingMode::TowardZero, args[0]),
};

/// Rounded to the nearest integral number, halves away from zero.
pub(crate) const ROUND: Function = Function {
    words: |kind, args| rounded(kind, RoundingMode::NearestAway, args[0]),
    terms: |store, kind, args| rounded_term(store, kind, RoundingMode::NearestAway, args[0]),
};

/// Rounded to the nearest integral number, halves to even.
pub(crate) const ROUND_EVEN: Function = Function {
    words: |kind, args| rounded(kind, RoundingMode::NearestEven, args[0]),
    terms: |store, kind, args| rounded_term(store, kind, RoundingMode::NearestEven, args[0]),
};

pub(super) fn rounded(kind: FloatKind, mode: RoundingMode, word: u64) -> u64 {
    let packed = match kind {
        FloatKind::Double => {
            let x = f64::from_bits(word);
            let whole = match mode {
                RoundingMode::TowardNegative => x.floor(),
                RoundingMode::TowardPositive => x.ceil(),
                RoundingMode::TowardZero => x.trunc(),
                RoundingMode::NearestAway => x.round(),
                RoundingMode::NearestEven => x.round_ties_even(),
            };
            u128::from(whole.to_bits())
        }
        FloatKind::Half
        | FloatKind::BFloat
        | FloatKind::Single
        | FloatKind::X87
        | FloatKind::Quad => fp::round_to_integral(format(kind), mode, word.into()),
    };
    packed_or_nan(kind, packed, &[word])
}

pub(super) fn rounded_term(
    store: &mut Store,
    kind: FloatKind,
    mode: RoundingMode,
    register: Term,
) -> Term {
    let a = Float::of(store, kind, register);
    let mode = store.rounding(mode);
    let whole = store.fp_round(mode, a.number);
    result(store, kind, whole, &[a])
}

/// The same number; NaN made quiet.
pub(crate) const CANONICALIZE: Function = Function {
    words: |kind, args| number_or_nan(kind, is_nan(kind, args[0]), args[0], args),
    terms: |store, kind, args| {
        let a = Float::of(store, kind, args[0]);
        quiet_if_nan(store, kind, a, args[0])
    },
};

fn arithmetic(op: FloatOp, kind: FloatKind, a: u64, b: u64) -> u64 {
    binary(op, kind, a, b).expect("a word holds a format of at most 64 bits")
}

/// The word of a result computed in software, which has only one NaN.
pub(super) fn packed_or_nan(kind: FloatKind, packed: u128, operands: &[u64]) -> u64 {
    let nan = fp::is_nan(format(kind), packed);
    number_or_nan(kind, nan, packed as u64, operands)
}

/// Two words and the numbers they are.
fn pair(kind: FloatKind, args: &[u64]) -> ([u64; 2], [f64; 2]) {
    let words = [args[0], args[1]];
    let number = |word| as_double(kind, word).expect("a word holds at most 64 bits");
    (words, words.map(number))
}

fn numbers(store: &mut Store, kind: FloatKind, args: &[Term]) -> [Term; 2] {
    [args[0], args[1]].map(|arg| number_of(store, kind, arg))
}

pub(super) fn sign_bit(kind: FloatKind) -> u64 {
    1 << (kind.bits() - 1)
}
