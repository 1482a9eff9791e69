//! Variadic arguments.
//!
//! `va_start` lays them out as the x86-64 convention does when all registers are used up:
//! one area in memory, eight bytes a piece, which the code that clang makes for `va_arg`
//! then walks. What was passed where is known as long as the frame is there, so that a
//! format can be held against its arguments.

use crate::machine::Machine;
use crate::memory::{Place, Region};
use crate::outcome::{Halt, unsupported};
use crate::pointers::{Access, Spot};
use crate::state::{Extra, Frame, State};
use crate::value::Value;
use program::{FloatKind, FunctionId, Kind};

/// Bytes of a `va_list`.
const VA_LIST_BYTES: usize = 24;
/// Where in it the address of the next argument is.
const NEXT: i64 = 8;
/// Functions of the C library that hand on as many arguments as the system may look at,
/// whatever they were given; natively they find what is left in the registers.
const TO_THE_SYSTEM: [&str; 5] = ["fcntl", "ioctl", "prctl", "ptrace", "syscall"];
/// The arguments of a system call, in bytes.
const SYSTEM_BYTES: u64 = 6 * 8;

impl Machine<'_> {
    pub(crate) fn va_start(&mut self, state: &mut State, list: Value) -> Result<(), Halt> {
        let extra = state.frame.extra.clone();
        // A float among these is part of a struct, and two may or may not share
        // a slot, which their registers do not tell.
        let single =
            |extra: &Extra| matches!(extra, Extra::Scalar(Kind::Float(FloatKind::Single), _));
        if extra.windows(2).any(|pair| pair.iter().all(single)) {
            return unsupported("a struct of floats among variadic arguments");
        }
        let (places, total) = layout(&extra);
        let room = match self.hands_on(state.function()) {
            true => total.max(SYSTEM_BYTES),
            false => total,
        };
        let area = self.allocate(state, room, Region::Stack)?;
        let id = state.memory.id_of(area);
        state.frame.locals.push(id);
        for (argument, at) in extra.iter().zip(places) {
            match *argument {
                Extra::Scalar(kind, value) => {
                    self.store(state, Value::word(area + at), kind, value)?;
                }
                Extra::Object { copy, size, .. } => {
                    let bytes = self.read(state, Spot::At(copy, 0), size as usize);
                    self.write(state, Spot::At(id, at as usize), &bytes);
                }
            }
        }
        // gp_offset and fp_offset past the register area, then the addresses.
        let int = Kind::Int(32);
        let fields = [
            (0, int, 48),
            (4, int, 176),
            (NEXT, Kind::Ptr, area),
            (16, Kind::Ptr, 0),
        ];
        for (offset, kind, word) in fields {
            let address = self.offset_value(list, offset);
            self.store(state, address, kind, Value::word(word))?;
        }
        Ok(())
    }

    /// Whether the function reads arguments that it may not have been given.
    fn hands_on(&self, function: FunctionId) -> bool {
        let name = self.program.functions[function.index()].name.as_str();
        TO_THE_SYSTEM.contains(&name) && self.is_library(function)
    }

    fn offset_value(&mut self, base: Value, offset: i64) -> Value {
        match base.as_word() {
            Some(word) => Value::word(word.wrapping_add_signed(offset)),
            None => self.offset(base, offset),
        }
    }

    pub(crate) fn va_copy(
        &mut self,
        state: &mut State,
        to: Value,
        from: Value,
    ) -> Result<(), Halt> {
        let n = VA_LIST_BYTES as u64;
        let source = self.resolve_access(state, from, n, Access::Read)?;
        let bytes = self.read(state, source, VA_LIST_BYTES);
        let target = self.resolve_access(state, to, n, Access::Write)?;
        self.write(state, target, &bytes);
        Ok(())
    }

    /// LLVM's `va_arg`, which clang only makes for other targets.
    pub(crate) fn next_variadic(
        &mut self,
        state: &mut State,
        list: Value,
        kind: Kind,
    ) -> Result<Value, Halt> {
        let field = self.offset_value(list, NEXT);
        let at = self.load(state, field, Kind::Ptr)?;
        let (size, align) = Extra::Scalar(kind, Value::ZERO).room();
        let at = Value::word(self.concretize(state, at, 64).next_multiple_of(align));
        let value = self.load(state, at, kind)?;
        let next = self.offset_value(at, size as i64);
        self.store(state, field, Kind::Ptr, next)?;
        Ok(value)
    }

    /// What a `va_list` has next, and how many came before it; none if nobody knows where
    /// the list is from.
    pub(crate) fn upcoming_argument(
        &mut self,
        state: &mut State,
        list: Value,
    ) -> Result<Option<(usize, Option<Extra>)>, Halt> {
        let field = self.offset_value(list, NEXT);
        let Some(address) = self.load(state, field, Kind::Ptr)?.as_word() else {
            return Ok(None);
        };
        let Place::In(area, offset) = state.memory.place(address) else {
            return Ok(None);
        };
        let is_owner = |frame: &&Frame| frame.locals.contains(&area);
        let Some(frame) = state.frames().find(is_owner) else {
            return Ok(None);
        };
        let (places, _) = layout(&frame.extra);
        // An argument that is aligned more strictly begins a little later.
        let before = places.partition_point(|&place| (place as i64) < offset);
        Ok(Some((before, frame.extra.get(before).copied())))
    }
}

/// Where in the area each argument begins, and the bytes of all.
fn layout(arguments: &[Extra]) -> (Vec<u64>, u64) {
    let mut total = 0;
    let places = arguments.iter().map(|argument| {
        let (size, align) = argument.room();
        let at = u64::next_multiple_of(total, align);
        total = at + size;
        at
    });
    (places.collect(), total)
}

impl Extra {
    /// Bytes it takes in the area of a `va_list`, and what it is aligned to there.
    fn room(self) -> (u64, u64) {
        const SLOT: u64 = 8;
        let (size, align) = match self {
            Extra::Scalar(kind, _) if kind.bytes() > 8 => (u64::from(kind.bytes()), 16),
            Extra::Scalar(kind, _) => (u64::from(kind.bytes()), SLOT),
            Extra::Object { size, align, .. } => (size, align.max(SLOT)),
        };
        (size.next_multiple_of(SLOT), align)
    }
}
