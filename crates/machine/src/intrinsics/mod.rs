//! LLVM's intrinsics: operations that are neither instructions nor functions
//! of a library.
//!
//! Each is computed on words where all its operands are words, and on terms
//! otherwise. Poison, where LLVM gives it, is some value: the one that the same
//! computation gives, or the width for the leading zeros of zero.

mod bits;
mod float;
mod memory;
#[cfg(test)]
mod tests;

use crate::floats::Sign;
use crate::floats::functions as exact;
use crate::floats::library;
use crate::machine::Machine;
use crate::memory::{Place, Region};
use crate::outcome::{End, ErrorKind, Halt, error, unsupported};
use crate::state::State;
use crate::unwind::type_id;
use crate::value::{Value, mask, width as width_of};
use bits::{Arithmetic, Exact};
use memory::Overlap;
use program::{Intrinsic, Kind, Reg};
use term::{BitVec, RoundingMode};

/// What an intrinsic gives.
pub(super) enum Results {
    None,
    One(Value),
    Two(Value, Value),
}

impl Machine<'_> {
    /// Executes an intrinsic; `kind` is that of its first argument.
    pub(crate) fn intrinsic(
        &mut self,
        state: &mut State,
        intrinsic: Intrinsic,
        kind: Kind,
        dst: Reg,
        results: usize,
        args: &[Value],
    ) -> Result<(), Halt> {
        let given = match self.perform(state, intrinsic, kind, dst, args)? {
            Results::None => 0,
            Results::One(value) => {
                state.set(dst, value);
                1
            }
            Results::Two(first, second) => {
                state.set(dst, first);
                state.set(Reg(dst.0 + 1), second);
                2
            }
        };
        debug_assert_eq!(given, results, "{intrinsic}");
        Ok(())
    }

    fn perform(
        &mut self,
        state: &mut State,
        intrinsic: Intrinsic,
        kind: Kind,
        dst: Reg,
        args: &[Value],
    ) -> Result<Results, Halt> {
        let width = width_of(kind);
        Ok(match intrinsic {
            Intrinsic::MemCpy => {
                self.copy_bytes(state, args[0], args[1], args[2], Overlap::Wrong)?;
                Results::None
            }
            Intrinsic::MemMove => {
                self.copy_bytes(state, args[0], args[1], args[2], Overlap::Allowed)?;
                Results::None
            }
            Intrinsic::MemSet => {
                self.fill_bytes(state, args[0], args[1], args[2])?;
                Results::None
            }

            Intrinsic::PopCount => self.bits(&bits::POP_COUNT, width, &args[..1]),
            Intrinsic::LeadingZeros => self.bits(&bits::LEADING_ZEROS, width, &args[..1]),
            Intrinsic::TrailingZeros => self.bits(&bits::TRAILING_ZEROS, width, &args[..1]),
            Intrinsic::ByteSwap => self.bits(&bits::BYTE_SWAP, width, args),
            Intrinsic::BitReverse => self.bits(&bits::BIT_REVERSE, width, args),
            Intrinsic::FunnelLeft => self.bits(&bits::FUNNEL_LEFT, width, args),
            Intrinsic::FunnelRight => self.bits(&bits::FUNNEL_RIGHT, width, args),
            Intrinsic::Abs => self.bits(&bits::ABS, width, &args[..1]),
            Intrinsic::SMin => self.bits(&bits::SMIN, width, args),
            Intrinsic::SMax => self.bits(&bits::SMAX, width, args),
            Intrinsic::UMin => self.bits(&bits::UMIN, width, args),
            Intrinsic::UMax => self.bits(&bits::UMAX, width, args),
            Intrinsic::SCompare => self.ordering(state, Sign::Signed, width, dst, args),
            Intrinsic::UCompare => self.ordering(state, Sign::Unsigned, width, dst, args),

            Intrinsic::SAddOverflow => self.checked(Exact::Sum, Sign::Signed, width, args),
            Intrinsic::UAddOverflow => self.checked(Exact::Sum, Sign::Unsigned, width, args),
            Intrinsic::SSubOverflow => self.checked(Exact::Difference, Sign::Signed, width, args),
            Intrinsic::USubOverflow => self.checked(Exact::Difference, Sign::Unsigned, width, args),
            Intrinsic::SMulOverflow => self.checked(Exact::Product, Sign::Signed, width, args),
            Intrinsic::UMulOverflow => self.checked(Exact::Product, Sign::Unsigned, width, args),
            Intrinsic::SAddSat => self.saturating(Exact::Sum, Sign::Signed, width, args),
            Intrinsic::UAddSat => self.saturating(Exact::Sum, Sign::Unsigned, width, args),
            Intrinsic::SSubSat => self.saturating(Exact::Difference, Sign::Signed, width, args),
            Intrinsic::USubSat => self.saturating(Exact::Difference, Sign::Unsigned, width, args),
            Intrinsic::SShlSat => self.bits(&bits::SSHL_SAT, width, args),
            Intrinsic::UShlSat => self.bits(&bits::USHL_SAT, width, args),

            Intrinsic::Assume => self.assume_true(state, args[0])?,
            Intrinsic::Valid => self.require_valid(state, args[0])?,
            Intrinsic::Aligned => {
                let bytes = args[1].as_word().unwrap_or(1);
                self.require_aligned(state, args[0], bytes)?;
                Results::None
            }
            Intrinsic::LifetimeStart | Intrinsic::LifetimeEnd | Intrinsic::VaEnd => Results::None,
            Intrinsic::ObjectSize => self.object_size(state, dst, args),
            Intrinsic::StackSave => {
                // Objects of the frame are freed in the reverse of the order they were made.
                Results::One(Value::word(state.frame.locals.len() as u64))
            }
            Intrinsic::StackRestore => self.restore_stack(state, args[0]),
            Intrinsic::Trap => return error(ErrorKind::Abort, "a trap was executed"),
            Intrinsic::DebugTrap => {
                return error(ErrorKind::Abort, "a stop for a debugger was executed");
            }
            Intrinsic::UbsanTrap => return self.failed_check(state, args),
            Intrinsic::VaStart => {
                self.va_start(state, args[0])?;
                Results::None
            }
            Intrinsic::VaCopy => {
                self.va_copy(state, args[0], args[1])?;
                Results::None
            }
            Intrinsic::ReturnAddress => self.no_address("the return address of a call"),
            Intrinsic::FrameAddress => self.frame_address(state, args[0])?,
            Intrinsic::ThreadPointer => self.no_address("the address of the thread's own block"),
            Intrinsic::CycleCounter | Intrinsic::SteadyCounter => {
                Results::One(Value::word(state.progress.instructions))
            }
            Intrinsic::PtrMask => self.masked(args),
            Intrinsic::ThreadLocal => self.thread_local(state, args[0])?,
            Intrinsic::LoadRelative => self.load_relative(state, kind, args)?,
            Intrinsic::TypeIdFor => {
                let type_info = self.concretize(state, args[0], 64);
                Results::One(Value::word(type_id(type_info)))
            }

            Intrinsic::Sqrt => self.exact(&exact::SQRT, kind, args),
            Intrinsic::Fma => self.exact(&exact::FMA, kind, args),
            Intrinsic::FMulAdd => self.exact(&exact::MUL_ADD, kind, args),
            Intrinsic::FAbs => self.exact(&exact::ABS, kind, args),
            Intrinsic::CopySign => self.exact(&exact::COPY_SIGN, kind, args),
            Intrinsic::MinNum => self.exact(&exact::MIN_NUM, kind, args),
            Intrinsic::MaxNum => self.exact(&exact::MAX_NUM, kind, args),
            Intrinsic::Minimum => self.exact(&exact::MINIMUM, kind, args),
            Intrinsic::Maximum => self.exact(&exact::MAXIMUM, kind, args),
            Intrinsic::MinimumNum => self.exact(&exact::MINIMUM_NUM, kind, args),
            Intrinsic::MaximumNum => self.exact(&exact::MAXIMUM_NUM, kind, args),
            Intrinsic::Floor => self.exact(&exact::FLOOR, kind, args),
            Intrinsic::Ceil => self.exact(&exact::CEIL, kind, args),
            Intrinsic::Trunc => self.exact(&exact::TRUNC, kind, args),
            Intrinsic::RInt | Intrinsic::NearbyInt | Intrinsic::RoundEven => {
                self.exact(&exact::ROUND_EVEN, kind, args)
            }
            Intrinsic::Round => self.exact(&exact::ROUND, kind, args),
            Intrinsic::LRint => {
                self.rounded_integer(state, RoundingMode::NearestEven, kind, dst, args)
            }
            Intrinsic::LRound => {
                self.rounded_integer(state, RoundingMode::NearestAway, kind, dst, args)
            }
            Intrinsic::ToSignedSat => self.clamped_integer(state, Sign::Signed, kind, dst, args),
            Intrinsic::ToUnsignedSat => {
                self.clamped_integer(state, Sign::Unsigned, kind, dst, args)
            }
            Intrinsic::IsClass => self.in_classes(state, kind, args),
            Intrinsic::Canonicalize => self.exact(&exact::CANONICALIZE, kind, args),
            Intrinsic::LdExp => self.scaled(kind, args)?,
            Intrinsic::FRExp => self.fraction_and_power(state, kind, dst, args),
            Intrinsic::Modf => self.fraction_and_whole(kind, args),
            Intrinsic::GetRounding => Results::One(Value::word(float::TO_NEAREST)),
            Intrinsic::SetRounding => self.set_rounding(state, args)?,

            Intrinsic::Sin => self.approximate(state, &library::SIN, kind, args)?,
            Intrinsic::Cos => self.approximate(state, &library::COS, kind, args)?,
            Intrinsic::SinCos => {
                self.approximate_both(state, [&library::SIN, &library::COS], kind, args)?
            }
            Intrinsic::SinCosPi => {
                self.approximate_both(state, [&library::SINPI, &library::COSPI], kind, args)?
            }
            Intrinsic::Tan => self.approximate(state, &library::TAN, kind, args)?,
            Intrinsic::ASin => self.approximate(state, &library::ASIN, kind, args)?,
            Intrinsic::ACos => self.approximate(state, &library::ACOS, kind, args)?,
            Intrinsic::ATan => self.approximate(state, &library::ATAN, kind, args)?,
            Intrinsic::ATan2 => self.approximate(state, &library::ATAN2, kind, args)?,
            Intrinsic::SinH => self.approximate(state, &library::SINH, kind, args)?,
            Intrinsic::CosH => self.approximate(state, &library::COSH, kind, args)?,
            Intrinsic::TanH => self.approximate(state, &library::TANH, kind, args)?,
            Intrinsic::Exp => self.approximate(state, &library::EXP, kind, args)?,
            Intrinsic::Exp2 => self.approximate(state, &library::EXP2, kind, args)?,
            Intrinsic::Exp10 => self.approximate(state, &library::EXP10, kind, args)?,
            Intrinsic::Log => self.approximate(state, &library::LOG, kind, args)?,
            Intrinsic::Log2 => self.approximate(state, &library::LOG2, kind, args)?,
            Intrinsic::Log10 => self.approximate(state, &library::LOG10, kind, args)?,
            Intrinsic::Pow => self.approximate(state, &library::POW, kind, args)?,
            Intrinsic::PowI => self.integer_power(state, kind, args),
        })
    }

    fn bits(&mut self, operation: &bits::Operation, width: u16, args: &[Value]) -> Results {
        Results::One(self.integer(operation, width, args))
    }

    fn checked(&mut self, exact: Exact, sign: Sign, width: u16, args: &[Value]) -> Results {
        let (value, overflow) = self.with_overflow(Arithmetic(exact, sign), width, args);
        Results::Two(value, overflow)
    }

    fn saturating(&mut self, exact: Exact, sign: Sign, width: u16, args: &[Value]) -> Results {
        Results::One(self.clamped(Arithmetic(exact, sign), width, args))
    }

    fn ordering(
        &mut self,
        state: &State,
        sign: Sign,
        width: u16,
        dst: Reg,
        args: &[Value],
    ) -> Results {
        let to = width_of(self.kind_of(state, dst));
        Results::One(self.three_way(sign, width, to, args))
    }

    /// Paths on which the condition does not hold are undefined, and dropped.
    fn assume_true(&mut self, state: &mut State, condition: Value) -> Result<Results, Halt> {
        let condition = match condition.as_word() {
            Some(0) => return Err(Halt::End(End::Ignored)),
            Some(_) => return Ok(Results::None),
            None => condition.condition(&mut self.store),
        };
        let (holds, other) = self.split(state, condition);
        if holds {
            return Ok(Results::None);
        }
        self.successors.running.extend(other);
        Err(Halt::End(End::Ignored))
    }

    /// What the types of Rust promise is an error where it does not hold.
    fn require_valid(&mut self, state: &mut State, condition: Value) -> Result<Results, Halt> {
        const MESSAGE: &str = "a value that its type does not have";
        match condition.as_word() {
            Some(0) => return error(ErrorKind::InvalidValue, MESSAGE),
            Some(_) => {}
            None => {
                let condition = condition.condition(&mut self.store);
                self.require(state, condition, ErrorKind::InvalidValue, MESSAGE)?;
            }
        }
        Ok(Results::None)
    }

    /// `(address, minimum, …)`: the bytes from a concrete address to the end of
    /// its object; all or nothing where that is not known.
    fn object_size(&mut self, state: &mut State, dst: Reg, args: &[Value]) -> Results {
        let width = width_of(self.kind_of(state, dst));
        let place = args[0].as_word().map(|address| state.memory.place(address));
        if let Some(Place::In(id, offset)) = place {
            let size = state.memory.object(id).map_or(0, |object| object.size);
            let rest = u64::try_from(offset).map_or(0, |offset| size.saturating_sub(offset));
            return Results::One(Value::word(rest & mask(width.into())));
        }
        let least = args[1] == Value::word(1);
        let unknown = if least {
            BitVec::zero(width)
        } else {
            BitVec::ones(width)
        };
        Results::One(Value::from_bits(&mut self.store, unknown))
    }

    /// Frees the frame's objects made since the mark.
    fn restore_stack(&mut self, state: &mut State, mark: Value) -> Results {
        let mark = self.concretize(state, mark, 64);
        let kept = state.frame.locals.len().min(mark as usize);
        for id in state.frame.locals.split_off(kept) {
            state.memory.release(id);
        }
        Results::None
    }

    fn failed_check(&mut self, state: &mut State, args: &[Value]) -> Result<Results, Halt> {
        let check = self.example(state, args[0], 8);
        crate::shims::trapped(check)
    }

    fn no_address(&mut self, what: &str) -> Results {
        self.note(format!(
            "the program asked for {what}, which has none here; it was given 0"
        ));
        Results::One(Value::ZERO)
    }

    /// An address in the running frame; those of its callers are not known.
    fn frame_address(&mut self, state: &mut State, level: Value) -> Result<Results, Halt> {
        if level != Value::ZERO {
            return Ok(self.no_address("the address of a caller's frame"));
        }
        let id = match state.frame.locals.first() {
            Some(&id) => id,
            None => {
                let address = self.allocate(state, 16, Region::Stack)?;
                let id = state.memory.id_of(address);
                state.frame.locals.push(id);
                id
            }
        };
        let address = state.memory.object(id).map_or(0, |object| object.base);
        Ok(Results::One(Value::word(address)))
    }

    /// The first thread has the variable itself, every other a copy of what it was at the
    /// start, from when it first uses it.
    fn thread_local(&mut self, state: &mut State, variable: Value) -> Result<Results, Halt> {
        let own = match variable.as_word() {
            Some(address) if state.is_second() => self.own_copy(state, address)?,
            _ => return Ok(Results::One(variable)),
        };
        Ok(Results::One(Value::word(own)))
    }

    fn own_copy(&mut self, state: &mut State, address: u64) -> Result<u64, Halt> {
        let known = state.threads_mut().current().locals.get(&address);
        if let Some(&copy) = known {
            return Ok(copy);
        }
        let Some((number, global)) = self.image.global_at(self.program, address) else {
            return unsupported("a thread-local variable at an address that is not its own");
        };
        // Whoever uses what nothing defines gets to hear that.
        let object = state.memory.object(state.memory.id_of(address));
        if object.is_some_and(|object| object.region == Region::Undefined) {
            return Ok(address);
        }
        let alignment = global.align.bytes();
        let copy = self.allocate_aligned(state, global.size, alignment, Region::Global)?;
        let program = self.program;
        self.image
            .initialise(program, number, copy, &mut state.memory);
        let thread = state.threads_mut().current();
        thread.locals.insert(address, copy);
        Ok(copy)
    }

    /// An optimised `switch` over constants: a table of distances. Its term is a sum that
    /// begins with the table's address and leads elsewhere, which would look like an
    /// address beyond the table's end; so it becomes a number.
    fn load_relative(
        &mut self,
        state: &mut State,
        kind: Kind,
        args: &[Value],
    ) -> Result<Results, Halt> {
        const DISTANCE: u16 = 32;
        let (table, offset) = (args[0], args[1]);
        debug_assert_eq!(kind, Kind::Ptr);
        let width = offset
            .as_term()
            .map_or(64, |offset| self.store.width(offset));
        let entry = self.index(table, offset, width, 1);
        let distance = self.load(state, entry, Kind::Int(DISTANCE))?;
        let target = self.index(table, distance, DISTANCE, 1);
        Ok(Results::One(Value::word(
            self.concretize(state, target, 64),
        )))
    }

    fn masked(&mut self, args: &[Value]) -> Results {
        let (address, mask) = (args[0], args[1]);
        if let (Some(address), Some(mask)) = (address.as_word(), mask.as_word()) {
            return Results::One(Value::word(address & mask));
        }
        let address = address.term(&mut self.store, 64);
        let mask = mask.term(&mut self.store, 64);
        let masked = self.store.bv_and(address, mask);
        Results::One(Value::of(&self.store, masked))
    }
}
