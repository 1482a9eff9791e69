//! Intrinsics on floats that are more than one exact function: conversions to
//! integers, exponents, integer powers.

use super::Results;
use crate::floats::Sign;
use crate::floats::functions::Function;
use crate::floats::library::Library;
use crate::floats::{self, float_kind};
use crate::machine::Machine;
use crate::outcome::{Halt, unsupported};
use crate::state::State;
use crate::value::{Value, signed, width as width_of};
use program::{FloatKind, FloatOp, Kind, Reg};
use term::RoundingMode;

/// Bits of an exponent in C.
const INT: u16 = 32;

impl Machine<'_> {
    /// A function that is computed exactly.
    pub(super) fn exact(&mut self, function: &Function, kind: Kind, args: &[Value]) -> Results {
        Results::One(self.float_function(function, float_kind(kind), args))
    }

    /// A function that the C library computes.
    pub(super) fn approximate(
        &mut self,
        state: &mut State,
        function: &'static Library,
        kind: Kind,
        args: &[Value],
    ) -> Result<Results, Halt> {
        let value = self.library(state, function, float_kind(kind), args)?;
        Ok(Results::One(value))
    }

    /// Two functions of one argument.
    pub(super) fn approximate_both(
        &mut self,
        state: &mut State,
        functions: [&'static Library; 2],
        kind: Kind,
        args: &[Value],
    ) -> Result<Results, Halt> {
        let first = self.library(state, functions[0], float_kind(kind), args)?;
        let second = self.library(state, functions[1], float_kind(kind), args)?;
        Ok(Results::Two(first, second))
    }

    /// Rounded to the integer that `dst` holds.
    pub(super) fn rounded_integer(
        &mut self,
        state: &State,
        mode: RoundingMode,
        kind: Kind,
        dst: Reg,
        args: &[Value],
    ) -> Results {
        let width = width_of(self.kind_of(state, dst));
        Results::One(self.round_to_signed(float_kind(kind), mode, args[0], width))
    }

    /// Clamped to the integer that `dst` holds.
    pub(super) fn clamped_integer(
        &mut self,
        state: &State,
        sign: Sign,
        kind: Kind,
        dst: Reg,
        args: &[Value],
    ) -> Results {
        let width = width_of(self.kind_of(state, dst));
        Results::One(self.saturate(float_kind(kind), sign, args[0], width))
    }

    /// `(x, classes)`.
    pub(super) fn in_classes(&mut self, state: &mut State, kind: Kind, args: &[Value]) -> Results {
        let classes = self.concretize(state, args[1], INT);
        Results::One(self.is_class_inline(float_kind(kind), classes, args[0]))
    }

    /// `(x, power)`, the power of 32 bits unless its term says otherwise.
    pub(super) fn scaled(&mut self, kind: Kind, args: &[Value]) -> Result<Results, Halt> {
        let width = args[1].as_term().map_or(INT, |term| self.store.width(term));
        let value = self.ldexp(float_kind(kind), args[0], args[1], width)?;
        Ok(Results::One(value))
    }

    /// The fraction and the power of two, which goes to the register after `dst`.
    pub(super) fn fraction_and_power(
        &mut self,
        state: &State,
        kind: Kind,
        dst: Reg,
        args: &[Value],
    ) -> Results {
        let width = width_of(self.kind_of(state, Reg(dst.0 + 1)));
        let (fraction, power) = self.frexp(float_kind(kind), args[0], width);
        Results::Two(fraction, power)
    }

    /// The fractional and the integral part.
    pub(super) fn fraction_and_whole(&mut self, kind: Kind, args: &[Value]) -> Results {
        let (fraction, whole) = self.modf(float_kind(kind), args[0]);
        Results::Two(fraction, whole)
    }

    /// `(x, n)`: by squaring, in the order in which the compiler's library
    /// multiplies; `n` is concretized.
    pub(super) fn integer_power(
        &mut self,
        state: &mut State,
        kind: Kind,
        args: &[Value],
    ) -> Results {
        let kind = float_kind(kind);
        let what = || "its exponent".to_owned();
        let exponent = self.concretize_for_call(state, args[1], INT, "powi", what);
        let exponent = signed(exponent, INT.into());
        let one = self.one(kind);
        let (mut rest, mut square) = (exponent.unsigned_abs(), args[0]);
        let mut power = one;
        while rest != 0 {
            if rest & 1 != 0 {
                power = self.float_arithmetic(FloatOp::Mul, kind, power, square);
            }
            rest >>= 1;
            if rest != 0 {
                square = self.float_arithmetic(FloatOp::Mul, kind, square, square);
            }
        }
        if exponent < 0 {
            power = self.float_arithmetic(FloatOp::Div, kind, one, power);
        }
        Results::One(power)
    }

    fn one(&mut self, kind: FloatKind) -> Value {
        let one = self.store.bv(1, 1);
        let (from, to) = (Kind::Int(1), Kind::Float(kind));
        let cast = program::CastOp::UnsignedToFloat;
        let bits = floats::cast_term(&mut self.store, cast, from, to, one);
        Value::of(&self.store, bits)
    }

    /// Only rounding to nearest exists.
    pub(super) fn set_rounding(
        &mut self,
        state: &mut State,
        args: &[Value],
    ) -> Result<Results, Halt> {
        match self.concretize(state, args[0], INT) {
            TO_NEAREST => Ok(Results::None),
            other => unsupported(format!(
                "rounding direction {other} of floating-point numbers"
            )),
        }
    }
}

/// Rounding to nearest, as C's `FLT_ROUNDS` numbers it.
pub(super) const TO_NEAREST: u64 = 1;
