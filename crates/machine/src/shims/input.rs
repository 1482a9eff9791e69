//! What the program reads.

use crate::machine::{Deferred, Invocation, Machine, Returned, Shim};
use crate::outcome::{End, Halt, unsupported};
use crate::pointers::Access;
use crate::policy::MoreStdin;
use crate::state::{Location, State};
use crate::stdin::{Language, StandardInput};
use crate::value::Value;
use base::Stopped;
use mixed::solver::Answer;
use std::rc::Rc;
use term::Term;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "__ep_read" => read_one,
        "read" => read_all,
        _ => return None,
    })
}

/// The library reads until it has what it wants, so that a byte at a time will
/// do: whether there is a next one matters when somebody wants it.
fn read_one(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    read(m, state, call, 1)
}

/// The program gets as much as it would get from a file.
fn read_all(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    read(m, state, call, u64::MAX)
}

/// Other descriptors than that of standard input are empty.
fn read(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
    most: u64,
) -> Result<Returned, Halt> {
    let descriptor = m.concretize(state, call.arg(0), 32) as i32;
    let count = m.concretize(state, call.arg(2), 64).min(most);
    if descriptor != 0 || count == 0 {
        return Ok(Returned::Value(Value::ZERO));
    }
    let bytes = match m.policy.clone().stdin(m, state, count) {
        Some(bytes) => bytes,
        None => m.next_stdin(state, count)?,
    };
    if !bytes.is_empty() {
        // A state that forks over the address executes the call again, so that
        // nothing is taken before.
        let spot = m.resolve_access(state, call.arg(1), bytes.len() as u64, Access::Write)?;
        m.write(state, spot, &bytes);
        state.stdin.taken += bytes.len();
    }
    Ok(Returned::Value(Value::word(bytes.len() as u64)))
}

/// One of the two ways to go where the program asks for a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Byte,
    End,
}

impl<'p> Machine<'p> {
    /// Gives the program a standard input of up to so many bytes, any or those of
    /// a language.
    pub fn give_stdin(&mut self, most: usize, language: Option<Box<dyn Language + 'p>>) {
        self.stdin = Some(StandardInput::new(&mut self.store, most, language));
    }

    /// The next bytes of standard input, up to `count`; fewer only at its end.
    /// They are there for the next call too.
    fn next_stdin(&mut self, state: &mut State, count: u64) -> Result<Vec<Term>, Halt> {
        if self.stdin.is_none() {
            return Ok(Vec::new());
        }
        let from = state.stdin.taken;
        while ((state.stdin.bytes - from) as u64) < count && !state.stdin.ended {
            self.look_further(state)?;
        }
        let upto = state.stdin.bytes.min(from.saturating_add(count as usize));
        let stdin = self.stdin.as_ref().expect("there is standard input");
        Ok(stdin.bytes[from..upto].to_vec())
    }

    /// Decides whether there is a byte more; where there may or may not be, the
    /// path forks. The other state stands at the same instruction.
    fn look_further(&mut self, state: &mut State) -> Result<(), Halt> {
        let stdin = self.stdin.as_mut().expect("there is standard input");
        if state.stdin.bytes == stdin.bytes.len() {
            state.stdin.ended = true;
            return Ok(());
        }
        let next = state.stdin.bytes + 1;
        let (more, end) = match &mut stdin.language {
            // A stopped state has read nothing more, and can go on from here.
            Some(language) => {
                let (store, stop) = (&mut self.store, &self.options.stop);
                let more = language.begins(store, &stdin.bytes, next, stop);
                let end = language.is_word(store, &stdin.bytes, next - 1, stop);
                (more.or(Err(Halt::Yield))?, end.or(Err(Halt::Yield))?)
            }
            None => (self.store.bool(true), self.store.bool(true)),
        };
        let answers = [(Next::Byte, more), (Next::End, end)]
            .map(|(next, condition)| (next, condition, self.can_hold(state, condition)));
        // What a stop left undecided is not the language's fault.
        self.yield_if_stopped()?;
        let more = self.policy.more_stdin(state);
        let planned = |next: Next| match more {
            MoreStdin::Both | MoreStdin::Either => true,
            MoreStdin::Yes => next == Next::Byte,
            MoreStdin::No => next == Next::End,
        };
        let open = answers.into_iter();
        let mut open = open.filter(|(next, _, answer)| !answer.is_unsat() && planned(*next));
        let Some((next, condition, answer)) = open.next() else {
            return Err(Halt::End(End::Ignored));
        };
        let other = open.next().filter(|_| more != MoreStdin::Either);
        if let Some(other) = other {
            self.forks += 1;
            state.progress.depth += 1;
            state.memory.settle();
            self.fork_stdin(state, other);
        }
        let Answer::Sat(model) = answer else {
            return unsupported("a language of which the solver could not say what it holds");
        };
        state.model = Rc::new(model);
        self.assume_of_input(state, condition);
        self.go_on_reading(state, next);
        Ok(())
    }

    fn fork_stdin(&mut self, state: &State, (next, condition, answer): (Next, Term, Answer)) {
        let mut other = state.clone();
        other.progress.forked_at = Location::Instruction(state.function(), state.frame.pc);
        self.go_on_reading(&mut other, next);
        match answer {
            Answer::Sat(model) => {
                other.model = Rc::new(model);
                self.assume_of_input(&mut other, condition);
                self.fork(other);
            }
            Answer::Unsat(_) | Answer::Unknown(_) => {
                let deferred = Deferred {
                    condition,
                    edge: None,
                };
                self.successors.deferred.push((other, deferred));
            }
        }
    }

    fn go_on_reading(&mut self, state: &mut State, next: Next) {
        match next {
            Next::Byte => state.stdin.bytes += 1,
            Next::End => state.stdin.ended = true,
        }
        self.policy.stdin_decided(state, next == Next::End);
    }

    fn can_hold(&mut self, state: &State, condition: Term) -> Answer {
        if self.holds(state, condition) {
            return Answer::Sat((*state.model).clone());
        }
        let (path, model) = (&state.path, &state.model);
        self.mixed
            .check_extended(&mut self.store, path, model, condition)
    }

    /// Makes standard input whole at the end of a path; whether it is what it
    /// has to be.
    ///
    /// # Errors
    ///
    /// When the solver's stop token is set: tests of paths that a stop cut off are made
    /// under a token that gives them a little more time.
    pub fn complete_stdin(&mut self, state: &mut State) -> Result<bool, Stopped> {
        let Some(stdin) = &self.stdin else {
            return Ok(true);
        };
        let mut evaluation = self.mixed.under(&self.store, &state.model);
        let seen = &stdin.bytes[..state.stdin.bytes];
        let read: Vec<u8> = seen.iter().map(|&b| evaluation.word(b) as u8).collect();
        let whole = match &stdin.language {
            Some(language) => {
                let stop = self.mixed.solver().stop();
                language.complete(&read, state.stdin.ended, stop)?
            }
            None => Some(read),
        };
        state.stdin.whole = whole.map(Into::into);
        Ok(state.stdin.whole.is_some())
    }
}
