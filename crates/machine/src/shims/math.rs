//! The functions of `math.h`, for `double` and `float`, and those of `long double` that are exact.
//!
//! What IEEE 754 defines exactly is computed symbolically; the rest is left to
//! the C library of the host, see [`crate::floats::library`], or musl's for `long double`. Nothing here
//! forks, sets `errno` or raises floating-point exceptions.

use crate::floats::functions::{self, Function};
use crate::floats::library::{self, Library};
use crate::floats::parts::classes;
use crate::machine::Machine;
use crate::outcome::Halt;
use crate::state::State;
use crate::value::Value;
use program::{FloatKind, Kind};
use term::RoundingMode;

/// Whether this is a function of `math.h`.
pub(crate) fn is_known(name: &str) -> bool {
    Call::of(name).is_some()
}

/// Calls the function of this name; none if it is not one of `math.h`.
///
/// Arguments that the call lacks are zero.
pub(crate) fn call(
    machine: &mut Machine<'_>,
    state: &mut State,
    name: &str,
    args: &[Value],
) -> Option<Result<Vec<Value>, Halt>> {
    let Call { routine, kind } = Call::of(name)?;
    let result = perform(machine, state, routine, kind, args);
    Some(result.map(|value| vec![value]))
}

/// What a name stands for.
struct Call {
    routine: Routine,
    kind: FloatKind,
}

impl Call {
    fn of(name: &str) -> Option<Call> {
        let of = |kind| move |routine| Call { routine, kind };
        let double = || Routine::of(name).map(of(FloatKind::Double));
        let single = || name.strip_suffix('f').and_then(Routine::of);
        let long = || name.strip_suffix('l').and_then(Routine::of);
        double()
            .or_else(|| single().map(of(FloatKind::Single)))
            .or_else(|| {
                // Which bits glibc leaves of a long double is not known, and functions
                // without an exact result are the C library's.
                let known =
                    long().filter(|it| !matches!(it, Routine::SignBit(_) | Routine::Library(..)));
                known.map(of(FloatKind::X87))
            })
    }
}

/// How a function is computed.
enum Routine {
    /// Exactly, from so many arguments.
    Exact(&'static Function, usize),
    /// Exactly, from two arguments in reverse.
    Swapped(&'static Function),
    /// By the C library, from so many arguments.
    Library(&'static Library, usize),
    /// To a `long`, rounded.
    ToLong(RoundingMode),
    /// `x * 2^n`, with an `n` of so many bits.
    Scale(u16),
    /// `frexp(x, int *power)`.
    Frexp,
    /// `modf(x, double *whole)`.
    Modf,
    /// An `int` that tells the class, as this table of masks and answers has it.
    Classify(&'static [(u64, i32)]),
    /// An `int` that has these bits, for `double` and for `float`, if the sign is set.
    SignBit([u64; 2]),
}

impl Routine {
    /// The function by the name it has for `double`.
    fn of(name: &str) -> Option<Routine> {
        use Routine::{Classify, Exact, Library, Scale, SignBit, Swapped, ToLong};
        Some(match name {
            "sqrt" => Exact(&functions::SQRT, 1),
            "fabs" => Exact(&functions::ABS, 1),
            "floor" => Exact(&functions::FLOOR, 1),
            "ceil" => Exact(&functions::CEIL, 1),
            "trunc" => Exact(&functions::TRUNC, 1),
            "round" => Exact(&functions::ROUND, 1),
            "rint" | "nearbyint" | "roundeven" => Exact(&functions::ROUND_EVEN, 1),
            "fma" => Exact(&functions::FMA, 3),
            "fmod" => Exact(&functions::FMOD, 2),
            "remainder" | "drem" => Exact(&functions::REMAINDER, 2),
            "copysign" => Exact(&functions::COPY_SIGN, 2),
            // Of equal arguments glibc gives the second. That a signaling NaN
            // makes its result NaN is not followed.
            "fmin" => Swapped(&functions::MIN_NUM),
            "fmax" => Swapped(&functions::MAX_NUM),

            "lrint" | "llrint" => ToLong(RoundingMode::NearestEven),
            "lround" | "llround" => ToLong(RoundingMode::NearestAway),
            "ldexp" | "scalbn" => Scale(32),
            "scalbln" => Scale(64),
            "frexp" => Routine::Frexp,
            "modf" => Routine::Modf,

            "isnan" | "__isnan" => Classify(&[(classes::NAN, 1)]),
            "isinf" | "__isinf" => {
                Classify(&[(classes::PLUS_INFINITY, 1), (classes::MINUS_INFINITY, -1)])
            }
            "finite" | "__finite" => Classify(&[(classes::FINITE, 1)]),
            "__fpclassify" => Classify(&[
                (classes::INFINITE, 1),
                (classes::ZERO, 2),
                (classes::SUBNORMAL, 3),
                (classes::NORMAL, 4),
            ]),
            // The bits that glibc's code for x86-64 happens to leave.
            "__signbit" => SignBit([0x80, 0x8]),

            "exp" => Library(&library::EXP, 1),
            "exp2" => Library(&library::EXP2, 1),
            "expm1" => Library(&library::EXPM1, 1),
            "log" => Library(&library::LOG, 1),
            "log2" => Library(&library::LOG2, 1),
            "log10" => Library(&library::LOG10, 1),
            "log1p" => Library(&library::LOG1P, 1),
            "pow" => Library(&library::POW, 2),
            "sin" => Library(&library::SIN, 1),
            "cos" => Library(&library::COS, 1),
            "tan" => Library(&library::TAN, 1),
            "asin" => Library(&library::ASIN, 1),
            "acos" => Library(&library::ACOS, 1),
            "atan" => Library(&library::ATAN, 1),
            "atan2" => Library(&library::ATAN2, 2),
            "sinh" => Library(&library::SINH, 1),
            "cosh" => Library(&library::COSH, 1),
            "tanh" => Library(&library::TANH, 1),
            "cbrt" => Library(&library::CBRT, 1),
            "hypot" => Library(&library::HYPOT, 2),
            _ => return None,
        })
    }
}

/// Bits of C's `int`.
const INT: u16 = 32;
/// Bits of C's `long`.
const LONG: u16 = 64;

fn perform(
    machine: &mut Machine<'_>,
    state: &mut State,
    routine: Routine,
    kind: FloatKind,
    args: &[Value],
) -> Result<Value, Halt> {
    let arg = |index: usize| args.get(index).copied().unwrap_or(Value::ZERO);
    let [x, y, z] = [arg(0), arg(1), arg(2)];
    Ok(match routine {
        Routine::Exact(function, count) => {
            machine.float_function(function, kind, &[x, y, z][..count])
        }
        Routine::Swapped(function) => machine.float_function(function, kind, &[y, x]),
        Routine::Library(function, count) => {
            machine.library(state, function, kind, &[x, y, z][..count])?
        }
        Routine::ToLong(mode) => machine.round_to_signed(kind, mode, x, LONG),
        Routine::Scale(width) => machine.ldexp(kind, x, y, width)?,
        Routine::Frexp => {
            let (fraction, power) = machine.frexp(kind, x, INT);
            machine.store(state, y, Kind::Int(INT), power)?;
            fraction
        }
        Routine::Modf => {
            let (fraction, whole) = machine.modf(kind, x);
            machine.store(state, y, Kind::Float(kind), whole)?;
            fraction
        }
        Routine::Classify(answers) => {
            let mut result = Value::ZERO;
            for &(classes, answer) in answers {
                let inside = machine.is_class(kind, classes, x);
                let answer = Value::word(u64::from(answer as u32));
                result = select(machine, inside, answer, result);
            }
            result
        }
        Routine::SignBit([double, single]) => {
            let bits = if kind == FloatKind::Double {
                double
            } else {
                single
            };
            let sign = sign_of(machine, kind, x);
            select(machine, sign, Value::word(bits), Value::ZERO)
        }
    })
}

/// One of two `int`s.
fn select(machine: &mut Machine<'_>, condition: Value, then: Value, otherwise: Value) -> Value {
    match condition.as_word() {
        Some(0) => otherwise,
        Some(_) => then,
        None => machine.choose(condition, then, otherwise, INT),
    }
}

/// The topmost bit.
fn sign_of(machine: &mut Machine<'_>, kind: FloatKind, x: Value) -> Value {
    let width = kind.bits() as u16;
    match x.as_word() {
        Some(word) => Value::word(word >> (width - 1)),
        None => {
            let bits = x.term(&mut machine.store, width);
            let sign = machine.store.extract(bits, width - 1, 1);
            Value::of(&machine.store, sign)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(name: &str) -> Option<FloatKind> {
        Call::of(name).map(|call| call.kind)
    }

    #[test]
    fn a_name_tells_the_format() {
        let (double, single) = (Some(FloatKind::Double), Some(FloatKind::Single));
        for name in [
            "sqrt",
            "ceil",
            "modf",
            "log1p",
            "llround",
            "__isnan",
            "__signbit",
        ] {
            assert_eq!(kind_of(name), double, "{name}");
        }
        for name in [
            "sqrtf",
            "ceilf",
            "modff",
            "powf",
            "lrintf",
            "__isnanf",
            "__finitef",
        ] {
            assert_eq!(kind_of(name), single, "{name}");
        }
        for name in ["sqrtl", "ceill", "modfl", "__isnanl", "llroundl"] {
            assert_eq!(kind_of(name), Some(FloatKind::X87), "{name}");
        }
        for name in [
            "",
            "f",
            "l",
            "abs",
            "printf",
            "cell",
            "isnanff",
            "sqrtfl",
            "__signbitl",
            "sinl",
        ] {
            assert_eq!(kind_of(name), None, "{name}");
        }
    }
}
