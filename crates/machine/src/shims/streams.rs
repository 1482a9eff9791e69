//! Reading standard input and symbolic files: where a path does not know whether there is
//! a byte more, it forks.

use crate::machine::{Deferred, Machine};
use crate::outcome::{End, Halt, unsupported};
use crate::policy::More;
use crate::state::{Location, State};
use crate::streams::{Continuation, Language, STDIN, StreamId};
use base::Stopped;
use mixed::solver::{Answer, ByteValues};
use std::rc::Rc;
use term::Term;

/// One of the two ways to go where the program asks for a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Byte,
    End,
}

impl<'p> Machine<'p> {
    /// Holds standard input to a language.
    pub fn restrict_stdin(&mut self, language: Box<dyn Language + 'p>) {
        self.streams[StreamId::STDIN.0].language = Some(language);
    }

    /// The name under which tests hold a stream.
    pub fn stream_name(&self, stream: StreamId) -> &str {
        &self.streams[stream.0].name
    }

    /// The stream of a name, and its bytes.
    pub fn stream_called(&self, name: &str) -> Option<(StreamId, &[Term])> {
        let at = self.streams.iter().position(|stream| stream.name == name)?;
        Some((StreamId(at), &self.streams[at].bytes))
    }

    /// Up to `count` bytes of a stream from an offset; fewer only at its end. They are
    /// there for the next call too.
    pub(crate) fn stream_bytes(
        &mut self,
        state: &mut State,
        stream: StreamId,
        from: usize,
        count: usize,
    ) -> Result<Vec<Term>, Halt> {
        let policy = self.policy.clone();
        if let Some(bytes) = policy.stream(self, state, stream, from, count) {
            return Ok(bytes);
        }
        let wanted = from.saturating_add(count);
        while state.seen(stream).bytes < wanted && !state.seen(stream).ended {
            self.look_further(state, stream)?;
        }
        let upto = state.seen(stream).bytes.min(wanted);
        let bytes = self.streams[stream.0].bytes.get(from..upto);
        Ok(bytes.unwrap_or_default().to_vec())
    }

    /// All bytes of a stream; that there are so many is decided.
    pub(crate) fn whole_stream(
        &mut self,
        state: &mut State,
        stream: StreamId,
    ) -> Result<Vec<Term>, Halt> {
        self.stream_bytes(state, stream, 0, usize::MAX)
    }

    /// Decides whether there is a byte more; where there may or may not be, the
    /// path forks. The other state stands at the same instruction.
    fn look_further(&mut self, state: &mut State, id: StreamId) -> Result<(), Halt> {
        let stream = &mut self.streams[id.0];
        let seen = state.seen(id).bytes;
        if seen == stream.bytes.len() {
            state.seen_mut(id).ended = true;
            return Ok(());
        }
        let Continuation { more, end } = match &mut stream.language {
            Some(language) => {
                let (store, stop) = (&mut self.store, &self.options.stop);
                let (solver, path) = (self.mixed.solver_mut(), &state.path);
                let read = stream.bytes[..seen].iter();
                let read = read.map(|&byte| solver.byte_values(store, path, byte));
                let read: Vec<ByteValues> = read.collect();
                // A stopped state has read nothing more, and can go on from here.
                let next = language.next(store, &stream.bytes, &read, stop);
                next.or(Err(Halt::Yield))?
            }
            None => Continuation {
                more: self.store.bool(true),
                end: self.store.bool(true),
            },
        };
        let answers = [(Next::Byte, more), (Next::End, end)]
            .map(|(next, condition)| (next, condition, self.can_hold(state, condition)));
        // What a stop left undecided is not the language's fault.
        self.wait_if_stopped(state)?;
        let more = self.policy.more(state, id);
        let planned = |next: Next| match more {
            More::Both | More::Either => true,
            More::Yes => next == Next::Byte,
            More::No => next == Next::End,
        };
        let open = answers.into_iter();
        let mut open = open.filter(|(next, _, answer)| !answer.is_unsat() && planned(*next));
        let Some((next, condition, answer)) = open.next() else {
            return Err(Halt::End(End::Ignored));
        };
        let other = open.next().filter(|_| more != More::Either);
        if let Some(other) = other {
            self.count_fork(state);
            state.progress.depth += 1;
            state.memory.settle();
            self.fork_stream(state, id, other);
        }
        let Answer::Sat(model) = answer else {
            return unsupported("a language of which the solver could not say what it holds");
        };
        state.model = Rc::new(model);
        self.assume_of_input(state, condition);
        self.go_on_reading(state, id, next);
        Ok(())
    }

    fn fork_stream(
        &mut self,
        state: &mut State,
        stream: StreamId,
        (next, condition, answer): (Next, Term, Answer),
    ) {
        let mut other = state.clone();
        other.progress.forked_at = Location::Instruction(state.function(), state.frame.pc);
        self.go_on_reading(&mut other, stream, next);
        match answer {
            Answer::Sat(model) => {
                other.model = Rc::new(model);
                if let Some(mut other) = state.part(other) {
                    self.assume_of_input(&mut other, condition);
                    self.fork(other);
                }
            }
            Answer::Unsat(_) | Answer::Unknown(_) => {
                let deferred = Deferred {
                    condition,
                    edge: None,
                };
                self.defer(state, other, deferred);
            }
        }
    }

    fn go_on_reading(&mut self, state: &mut State, stream: StreamId, next: Next) {
        let seen = state.seen_mut(stream);
        match next {
            Next::Byte => seen.bytes += 1,
            Next::End => seen.ended = true,
        }
        self.policy.stream_decided(state, stream, next == Next::End);
    }

    fn can_hold(&mut self, state: &mut State, condition: Term) -> Answer {
        if self.holds(state, condition) {
            return Answer::Sat((*state.model).clone());
        }
        let effort = self.mixed.current_effort();
        self.ask(state, condition, effort)
    }

    /// Settles the inputs at the end of a path: gives it those that it prefers, and makes
    /// the streams whole; whether each is what it has to be.
    ///
    /// # Errors
    ///
    /// When the solver's stop token is set: tests of paths that a stop cut off are made
    /// under a token that gives them a little more time.
    pub fn complete_streams(&mut self, state: &mut State) -> Result<bool, Stopped> {
        self.prefer_inputs(state);
        let mut whole = Vec::new();
        for (stream, seen) in self.streams.iter().zip(state.streams.iter()) {
            let mut evaluation = self.mixed.under(&self.store, &state.model);
            let bytes = stream.bytes[..seen.bytes].iter();
            let read: Vec<u8> = bytes.map(|&byte| evaluation.word(byte) as u8).collect();
            let complete = match &stream.language {
                Some(language) => {
                    let stop = self.mixed.solver().stop();
                    language.complete(&read, seen.ended, stop)?
                }
                None => Some(read),
            };
            let Some(bytes) = complete else {
                return Ok(false);
            };
            if stream.is_input {
                whole.push((stream.name.clone(), bytes));
            }
        }
        // Standard input is the first stream and the last input of a test.
        if whole.first().is_some_and(|(name, _)| name == STDIN) {
            whole.rotate_left(1);
        }
        state.whole = whole.into();
        Ok(true)
    }
}
