//! Exceptions, as the Itanium ABI has them: frames of the stack searched for a handler,
//! and left on the way to it.
//!
//! Which clause catches an exception is for code of the program to say (the runtime's
//! `unwind.c`, and libc++abi's type matching); here is what only the machine knows: which
//! frames there are, and what the landing pad of the call that each waits for catches.

use crate::machine::{Machine, Returned};
use crate::memory::Region;
use crate::outcome::{End, ErrorKind, Halt, error};
use crate::state::{Caller, Frame, State};
use crate::value::Value;
use program::{Body, Clause, Constant, EdgeId, FunctionId, Inst, Kind, LandingPad, Reg};
use std::rc::Rc;

/// The unwinder's own words in `_Unwind_Exception`: the height of the frame with the
/// handler, and what its landing pad is told.
const HANDLER: u64 = 16;
const SELECTOR: u64 = 24;
const EXCEPTION_SIZE: u64 = 32;

/// The selector of clauses that catch everything. Numbers of types are addresses of globals,
/// and smaller.
const CATCH_ALL: u64 = i32::MAX as u64;

/// What a filter's landing pad is told: it looks only at the sign.
const FILTERED: u64 = u32::MAX as u64;

/// Whether exceptions of this class are Rust's panics. Its bytes are in the order of a
/// number in older releases of Rust, and in that of memory in newer ones.
fn is_panic(class: u64) -> bool {
    const RUST: [u8; 8] = *b"MOZ\0RUST";
    class.to_be_bytes() == RUST || class.to_le_bytes() == RUST
}

/// One clause of a landing pad, as the search goes through them.
pub(crate) struct SearchedClause {
    /// The height of its frame on the stack.
    pub frame: u64,
    /// Its number among the frame's clauses.
    pub number: u64,
    pub kind: ClauseKind,
}

/// A filter is the types that it lets through, each by itself, and its end.
pub(crate) enum ClauseKind {
    Catch { type_info: u64 },
    FilterType { type_info: u64 },
    FilterEnd,
}

impl ClauseKind {
    /// What the landing pad is told if the exception ends up there.
    pub fn selector(&self) -> u64 {
        match *self {
            ClauseKind::Catch { type_info } => type_id(type_info),
            ClauseKind::FilterType { .. } | ClauseKind::FilterEnd => FILTERED,
        }
    }
}

/// The number that a landing pad compares with what it is told, for a type.
pub(crate) fn type_id(type_info: u64) -> u64 {
    match type_info {
        0 => CATCH_ALL,
        address => address & CATCH_ALL,
    }
}

impl<'p> Machine<'p> {
    /// The clause after that of this number in this frame, frames further out following;
    /// the first of all after frame 0.
    pub(crate) fn next_clause(
        &self,
        state: &State,
        frame: u64,
        number: u64,
    ) -> Option<SearchedClause> {
        let mut height = u64::from(state.height);
        let mut link = state.callers.as_deref();
        while let Some(caller) = link {
            height -= 1;
            link = caller.callers.as_deref();
            if frame != 0 && height > frame {
                continue;
            }
            let Some((_, _, pad)) = self.landing(&caller.frame) else {
                continue;
            };
            let next = if height == frame {
                number as usize + 1
            } else {
                0
            };
            if let Some(kind) = self.clauses(pad).nth(next) {
                return Some(SearchedClause {
                    frame: height,
                    number: next as u64,
                    kind,
                });
            }
        }
        None
    }

    /// Where an exception lands that leaves the call that the frame waits for: along
    /// which edge, in which registers, and what is caught there.
    fn landing(&self, frame: &Frame) -> Option<(EdgeId, Reg, &'p LandingPad)> {
        let body = self.body(FunctionId(frame.function))?;
        let edge = body.unwind_edge(frame.pc.checked_sub(1)?)?;
        let (dst, pad) = pad_at(body, edge)?;
        Some((edge, dst, pad))
    }

    fn clauses<'a>(&'a self, pad: &'a LandingPad) -> impl Iterator<Item = ClauseKind> + 'a {
        let address = |constant: &Constant| match constant {
            Constant::Address(address) => self.image.address(*address),
            _ => 0,
        };
        pad.clauses.iter().flat_map(move |clause| match clause {
            Clause::Catch(of) => vec![ClauseKind::Catch {
                type_info: address(of),
            }],
            Clause::Filter(types) => {
                let types = types.iter().map(|of| ClauseKind::FilterType {
                    type_info: address(of),
                });
                types.chain([ClauseKind::FilterEnd]).collect()
            }
        })
    }

    /// Leaves the running frame and those around it, as far as the next landing pad that
    /// cleans up, or that of the exception's handler.
    pub(crate) fn unwind(&mut self, state: &mut State, exception: Value) -> Result<(), Halt> {
        let exception = self.concretize(state, exception, 64);
        let word = |m: &mut Self, state: &mut State, offset: u64| {
            let value = m.load(state, Value::word(exception + offset), Kind::Int(64))?;
            Ok::<u64, Halt>(m.concretize(state, value, 64))
        };
        let (handler, selector) = (word(self, state, HANDLER)?, word(self, state, SELECTOR)?);
        if is_panic(word(self, state, 0)?) && !self.is_caught_for_good(state, handler, selector) {
            return self.panicked(state);
        }
        while let Some(link) = state.callers.take() {
            self.release_locals(state);
            let mut caller = Rc::try_unwrap(link).unwrap_or_else(|shared| Caller::clone(&shared));
            state.frame = std::mem::take(&mut caller.frame);
            state.callers = caller.callers.take();
            state.height -= 1;
            let is_handler = u64::from(state.height) == handler;
            let Some((edge, dst, pad)) = self.landing(&state.frame) else {
                continue;
            };
            if !is_handler && !pad.cleanup {
                continue;
            }
            self.land(state, edge);
            state.set(dst, Value::word(exception));
            let told = if is_handler { selector } else { 0 };
            state.set(Reg(dst.0 + 1), Value::word(told));
            return Ok(());
        }
        let threads = state.threads.as_ref();
        if threads.is_some_and(|it| it.leaves_by() == Some(exception)) {
            let result = state.threads_mut().current().result;
            return self.end_thread(state, result).map(|_| ());
        }
        error(
            ErrorKind::BadCall,
            "an exception is resumed that was not thrown on this stack",
        )
    }

    /// Leaves all frames of a thread that ends in their midst, as if by an exception that
    /// nobody catches: objects of C++ are destroyed on the way.
    pub(crate) fn leave_thread(
        &mut self,
        state: &mut State,
        result: Value,
    ) -> Result<Returned, Halt> {
        let callers = std::iter::successors(state.callers.as_deref(), |it| it.callers.as_deref());
        let mut frame = state.frame.clone();
        frame.pc += 1;
        let frames = std::iter::once(&frame).chain(callers.map(|it| &it.frame));
        let mut pads = frames.filter_map(|it| self.landing(it));
        if !pads.any(|(_, _, pad)| pad.cleanup) {
            return self.end_thread(state, result);
        }
        // What ends the thread has no frame of its own: the running one waits for it.
        state.frame = Frame::default();
        let caller = Caller::new(frame, Reg::NONE, None, state.callers.take());
        state.callers = Some(Rc::new(caller));
        state.height += 1;
        let exception = self.allocate(state, EXCEPTION_SIZE, Region::Global)?;
        let thread = state.threads_mut().current();
        thread.leaves_by = Some(exception);
        thread.result = result;
        self.unwind(state, Value::word(exception))?;
        Ok(Returned::Elsewhere)
    }

    /// Goes along the edge from a call to its landing pad.
    fn land(&mut self, state: &mut State, edge: EdgeId) {
        let body = self.body(state.function()).expect("it called something");
        let data = body.edge(edge);
        let block = &body.blocks[data.target.index()];
        let executed = u64::from(block.end - block.start);
        self.reach(state, edge, data.target.index(), executed);
        for &program::Move { dst, src } in body.moves(data) {
            state.frame.registers[dst.index()] = state.frame.registers[src.index()];
        }
        state.frame.pc = data.pc;
    }

    /// An exception that nobody catches: the path comes to its end, and what it still
    /// does is to say why. That of a panic is known.
    pub(crate) fn uncaught(&mut self, state: &mut State, exception: Value) -> Result<(), Halt> {
        state.ends_soon = true;
        let class = self.load(state, exception, Kind::Int(64))?;
        match is_panic(self.concretize(state, class, 64)) {
            true => self.panicked(state),
            false => Ok(()),
        }
    }
}

/// Panics of Rust.
impl Machine<'_> {
    /// Whether a panic that is caught in this frame is no error of the program's. The
    /// program may catch it itself, or the runtime around the function of a thread, which
    /// tells whoever joins it. The runtime around `main` only ends in good order, and a
    /// function that must not be unwound aborts.
    fn is_caught_for_good(&self, state: &State, handler: u64, selector: u64) -> bool {
        let mut height = u64::from(state.height);
        let callers = std::iter::successors(state.callers.as_deref(), |c| c.callers.as_deref());
        let mut around = callers.filter(|caller| {
            height -= 1;
            height <= handler && self.is_own(FunctionId(caller.frame.function))
        });
        let is_spawned = state.threads.as_ref().is_some_and(|it| it.running() != 0);
        selector != FILTERED && (is_spawned || around.next().is_some())
    }

    /// Whether a function has lines that are the program's.
    fn is_own(&self, function: FunctionId) -> bool {
        let source = self.program.functions[function.index()].source;
        let file = source.and_then(|id| self.program.source.function(id).file);
        file.is_some() && !self.is_library(function)
    }

    /// Lets a path that begins to panic fork no more, if nobody catches the panic: what
    /// follows is only how its message is written.
    pub(crate) fn begin_panic(&mut self, state: &mut State) {
        let mut at = (0, 0);
        while let Some(clause) = self.next_clause(state, at.0, at.1) {
            let selector = clause.kind.selector();
            if let ClauseKind::Catch { .. } = clause.kind
                && self.is_caught_for_good(state, clause.frame, selector)
            {
                return;
            }
            at = (clause.frame, clause.number);
        }
        state.ends_soon = true;
    }

    /// Ends the path in a panic, with the message that its hook wrote.
    pub(crate) fn panicked<T>(&mut self, state: &mut State) -> Result<T, Halt> {
        const STANDARD_ERROR: i32 = 2;
        let mut output = state.output.clone();
        output.settle(|term| {
            let value = Value::of(&self.store, term);
            self.example(state, value, 8) as u8
        });
        let text = output.written(STANDARD_ERROR);
        let text = String::from_utf8_lossy(&text);
        Err(Halt::End(End::Error(ErrorKind::Panic, message(&text))))
    }
}

/// What the last panic says, of what was written by the hook of the standard library:
/// `thread 'main' panicked at src/main.rs:2:5:`, then the message, then notes.
fn message(written: &str) -> String {
    let said = written.rsplit_once(" panicked at ");
    let said = said.and_then(|(_, after)| after.split_once(":\n"));
    match said {
        Some((_, said)) => {
            let said = said.split("\nnote: ").next().unwrap_or(said);
            said.trim_end().to_owned()
        }
        None => "panic".to_owned(),
    }
}

/// The landing pad that an edge leads to, and where it puts what it is told.
fn pad_at(body: &Body, edge: EdgeId) -> Option<(Reg, &LandingPad)> {
    let edge = body.edge(edge);
    let block = &body.blocks[edge.target.index()];
    let code = &body.code[edge.pc as usize..block.end as usize];
    code.iter().find_map(|inst| match *inst {
        Inst::LandingPad { dst, pad } => Some((dst, body.landing_pad(pad))),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_a_panic_is_what_its_hook_wrote() {
        let written = "warning\n\nthread 'main' (12) panicked at a.rs:3:5:\nno\nway\n\
                       note: run with `RUST_BACKTRACE=1` environment variable\n";
        assert_eq!(message(written), "no\nway");
        assert_eq!(message("something else"), "panic");
    }
}
