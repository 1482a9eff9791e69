//! Integer instructions with a symbolic or wide operand, and their errors.

use crate::arith;
use crate::floats::functions::{self, Function};
use crate::floats::{self, float_kind};
use crate::machine::Machine;
use crate::outcome::{ErrorKind, Halt, error};
use crate::state::State;
use crate::value::{Indeterminate, Value, mask, width as width_of};
use mixed::Effort;
use mixed::solver::Answer;
use program::{BinaryOp, CastOp, FloatOp, Kind, Predicate, Reg, RmwOp};
use term::Term;

impl Machine<'_> {
    /// A binary operation that the loop could not do on words: an operand is a
    /// term, or the operation is an error.
    pub(crate) fn binary(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        width: u16,
        dst: Reg,
        a: Value,
        b: Value,
    ) -> Result<(), Halt> {
        let (a, b) = (
            a.term(&mut self.store, width),
            b.term(&mut self.store, width),
        );
        match op {
            BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem => {
                let nonzero = self.store.is_nonzero(b);
                self.require(state, nonzero, ErrorKind::Division, "division by zero")?;
                if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
                    self.require_no_overflow(state, width, a, b)?;
                }
            }
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                let limit = self.store.bv(width, u64::from(width));
                // Where the width itself does not fit, no amount is too large.
                let can_be = width >= 16 || u64::from(width) <= mask(width.into());
                if can_be {
                    let fits = self.store.bv_ult(b, limit);
                    return self.shift(state, op, dst, (a, b), fits);
                }
            }
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => {}
        }
        let result = arith::binary_term(&mut self.store, op, a, b);
        state.set(dst, Value::of(&self.store, result));
        Ok(())
    }

    /// A shift whose amount may be too large.
    fn shift(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        dst: Reg,
        (a, b): (Term, Term),
        fits: Term,
    ) -> Result<(), Halt> {
        let width = self.store.width(a);
        let mut result = arith::binary_term(&mut self.store, op, a, b);
        let exact = !self.options.optimised
            || self.program.functions[state.frame.function as usize].unoptimised;
        if exact {
            let message = format!("shift of a {width}-bit number by {width} or more");
            self.require(state, fits, ErrorKind::Shift, &message)?;
        } else if !self.always(state, fits) {
            let poison = self.undetermined(Indeterminate::Shift(width), width);
            result = self.store.ite(fits, result, poison);
        }
        state.set(dst, Value::of(&self.store, result));
        Ok(())
    }

    /// Whether the condition holds for all inputs of the path, as far as that is cheap
    /// to say.
    fn always(&mut self, state: &mut State, condition: Term) -> bool {
        let negated = self.store.not(condition);
        self.holds(state, condition)
            && matches!(self.ask(state, negated, Effort::Quick), Answer::Unsat(_))
    }

    /// The least number divided by -1 does not fit.
    fn require_no_overflow(
        &mut self,
        state: &mut State,
        width: u16,
        a: term::Term,
        b: term::Term,
    ) -> Result<(), Halt> {
        let one = self.store.bv(width, 1);
        let top = self.store.bv(width, u64::from(width) - 1);
        let least = self.store.bv_shl(one, top);
        let minus_one = self.store.bv_neg(one);
        let (is_least, is_minus) = (self.store.eq(a, least), self.store.eq(b, minus_one));
        let overflows = self.store.and(is_least, is_minus);
        let fine = self.store.not(overflows);
        self.require(
            state,
            fine,
            ErrorKind::Division,
            "signed division overflows",
        )
    }

    pub(crate) fn compare(
        &mut self,
        predicate: Predicate,
        width: u16,
        a: Value,
        b: Value,
    ) -> Value {
        let (a, b) = (
            a.term(&mut self.store, width),
            b.term(&mut self.store, width),
        );
        let truth = arith::compare_term(&mut self.store, predicate, a, b);
        Value::of_bool(&mut self.store, truth)
    }

    /// `a` where the condition holds, else `b`.
    pub(crate) fn choose(&mut self, condition: Value, a: Value, b: Value, width: u16) -> Value {
        let condition = condition.condition(&mut self.store);
        let (a, b) = (
            a.term(&mut self.store, width),
            b.term(&mut self.store, width),
        );
        let chosen = self.store.ite(condition, a, b);
        Value::of(&self.store, chosen)
    }

    /// A byte becomes a truth value with the promise that it is one, as rustc has it. Where code
    /// was optimised, as standard libraries are, that may happen to bytes nobody looks at.
    pub(crate) fn require_truth(
        &mut self,
        state: &mut State,
        from: Kind,
        value: Value,
    ) -> Result<(), Halt> {
        if self.options.optimised || self.is_standard_library(state.function()) {
            return Ok(());
        }
        let width = width_of(from);
        let byte = value.term(&mut self.store, width);
        let two = self.store.bv(width, 2);
        let is_truth = self.store.bv_ult(byte, two);
        let message = "a truth value that is neither true nor false";
        self.require(state, is_truth, ErrorKind::InvalidValue, message)
    }

    /// An access is at an address of its alignment, where that is asked for. What is no address
    /// at all is told by whoever makes the access.
    pub(crate) fn require_allowed(
        &mut self,
        state: &mut State,
        address: Value,
        access: program::Access,
    ) -> Result<(), Halt> {
        match access.exact {
            true => self.require_aligned(state, address, access.align.bytes()),
            false => Ok(()),
        }
    }

    /// An address that Rust promises to be a multiple of so many bytes, a power of two.
    pub(crate) fn require_aligned(
        &mut self,
        state: &mut State,
        address: Value,
        bytes: u64,
    ) -> Result<(), Halt> {
        let message = || format!("an address that is no multiple of {bytes}");
        let address = match address.as_word() {
            Some(word) if word & (bytes - 1) == 0 => return Ok(()),
            Some(_) => return error(ErrorKind::Misaligned, message()),
            None if bytes == 1 => return Ok(()),
            None => address.term(&mut self.store, 64),
        };
        let rest = self
            .store
            .extract(address, 0, bytes.trailing_zeros() as u16);
        let zero = self.store.bv(bytes.trailing_zeros() as u16, 0);
        let is_multiple = self.store.eq(rest, zero);
        self.require(state, is_multiple, ErrorKind::Misaligned, &message())
    }

    pub(crate) fn cast(
        &mut self,
        state: &mut State,
        op: CastOp,
        from: Kind,
        to: Kind,
        dst: Reg,
        value: Value,
    ) -> Result<(), Halt> {
        let term = value.term(&mut self.store, width_of(from));
        let result = match op {
            CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bits => {
                arith::resize(&mut self.store, term, width_of(to))
            }
            CastOp::SExt => self.store.sext(term, width_of(to)),
            CastOp::FloatTrunc
            | CastOp::FloatExt
            | CastOp::FloatToUnsigned
            | CastOp::FloatToSigned
            | CastOp::UnsignedToFloat
            | CastOp::SignedToFloat => floats::cast_term(&mut self.store, op, from, to, term),
        };
        state.set(dst, Value::of(&self.store, result));
        Ok(())
    }

    /// The element at a variable index; out of range it is undefined, taken as zero.
    pub(crate) fn pick(
        &mut self,
        index: Value,
        width: u16,
        elements: &[Value],
        kind: Kind,
    ) -> Value {
        let zero = Value::zero(&mut self.store, width_of(kind));
        if let Some(index) = index.as_word() {
            return elements.get(index as usize).copied().unwrap_or(zero);
        }
        let mut result = zero;
        for (i, &element) in elements.iter().enumerate() {
            let here = self.compare(Predicate::Eq, width, index, Value::word(i as u64));
            result = self.choose(here, element, result, width_of(kind));
        }
        result
    }

    /// The elements with the one at a variable index replaced.
    pub(crate) fn put(
        &mut self,
        index: Value,
        width: u16,
        value: Value,
        elements: &[Value],
        kind: Kind,
    ) -> Vec<Value> {
        let mut result = elements.to_vec();
        match index.as_word() {
            Some(index) => {
                if let Some(element) = result.get_mut(index as usize) {
                    *element = value;
                }
            }
            None => {
                for (i, element) in result.iter_mut().enumerate() {
                    let here = self.compare(Predicate::Eq, width, index, Value::word(i as u64));
                    *element = self.choose(here, value, *element, width_of(kind));
                }
            }
        }
        result
    }

    /// What an atomic update stores.
    pub(crate) fn update(&mut self, op: RmwOp, kind: Kind, old: Value, value: Value) -> Value {
        let width = width_of(kind);
        let (a, b) = (
            old.term(&mut self.store, width),
            value.term(&mut self.store, width),
        );
        let store = &mut self.store;
        let pick = |store: &mut term::Store, predicate: Predicate| {
            let first = arith::compare_term(store, predicate, a, b);
            store.ite(first, a, b)
        };
        let result = match op {
            RmwOp::Exchange => b,
            RmwOp::Add => store.bv_add(a, b),
            RmwOp::Sub => store.bv_sub(a, b),
            RmwOp::And => store.bv_and(a, b),
            RmwOp::Nand => {
                let both = store.bv_and(a, b);
                store.bv_not(both)
            }
            RmwOp::Or => store.bv_or(a, b),
            RmwOp::Xor => store.bv_xor(a, b),
            RmwOp::Max => pick(store, Predicate::Sgt),
            RmwOp::Min => pick(store, Predicate::Slt),
            RmwOp::UMax => pick(store, Predicate::Ugt),
            RmwOp::UMin => pick(store, Predicate::Ult),
            RmwOp::IncrementWrap => {
                let (zero, one) = (store.bv(width, 0), store.bv(width, 1));
                let next = store.bv_add(a, one);
                let below = store.bv_ult(a, b);
                store.ite(below, next, zero)
            }
            RmwOp::DecrementWrap => {
                let one = store.bv(width, 1);
                let previous = store.bv_sub(a, one);
                let (some, inside) = (store.is_nonzero(a), store.bv_ule(a, b));
                let fits = store.and(some, inside);
                store.ite(fits, previous, b)
            }
            RmwOp::SubConditional => {
                let (rest, fits) = (store.bv_sub(a, b), store.bv_ule(b, a));
                store.ite(fits, rest, a)
            }
            RmwOp::SubSaturating => {
                let (rest, fits) = (store.bv_sub(a, b), store.bv_ule(b, a));
                let zero = store.bv(width, 0);
                store.ite(fits, rest, zero)
            }
            RmwOp::FAdd => {
                return self.float_arithmetic(FloatOp::Add, float_kind(kind), old, value);
            }
            RmwOp::FSub => {
                return self.float_arithmetic(FloatOp::Sub, float_kind(kind), old, value);
            }
            RmwOp::FMax => return self.float_update(&functions::MAX_NUM, kind, old, value),
            RmwOp::FMin => return self.float_update(&functions::MIN_NUM, kind, old, value),
            RmwOp::FMaximum => return self.float_update(&functions::MAXIMUM, kind, old, value),
            RmwOp::FMinimum => return self.float_update(&functions::MINIMUM, kind, old, value),
        };
        Value::of(&self.store, result)
    }

    fn float_update(&mut self, function: &Function, kind: Kind, old: Value, value: Value) -> Value {
        self.float_function(function, float_kind(kind), &[old, value])
    }
}
