//! Answers that a path remembers, and going a path again by them.

use crate::decisions::Record;
use crate::machine::{Deferred, Machine, Successors, Turn};
use crate::outcome::{End, Halt};
use crate::state::State;
use base::Stopped;
use mixed::Effort;
use mixed::solver::{Answer, Reason};
use std::rc::Rc;
use term::{Assignment, Term};

/// Bits that say how long a number is.
const LENGTH: u32 = 7;
/// Answers of a solver, as two bits.
const UNSAT: u64 = 0;
const SAT: u64 = 1;
const UNKNOWN: u64 = 2;

/// What was decided, in bits.
impl State {
    /// What was decided here before, if the path is retraced: so many bits, from 1 to 64.
    pub fn recall(&mut self, count: u32) -> Option<u64> {
        if self.decisions.is_left() {
            return Some(0);
        }
        let value = self.decisions.next(count)?;
        self.record(value, count);
        self.decisions.finish();
        Some(value)
    }

    /// Writes down what was decided.
    pub fn record(&mut self, value: u64, count: u32) {
        let place = (self.frame.function, self.frame.pc);
        self.decisions.push(value, count, place);
    }

    /// A number that was decided here before, if the path is retraced.
    pub fn recall_word(&mut self) -> Option<u64> {
        match self.recall(LENGTH)? as u32 {
            0 => Some(0),
            length @ 1..=64 => self.recall(length),
            _ => {
                self.decisions.lose();
                None
            }
        }
    }

    /// Writes down a number that was decided: its length in bits, and those.
    pub fn record_word(&mut self, word: u64) {
        let length = 64 - word.leading_zeros();
        self.record(length.into(), LENGTH);
        if length > 0 {
            self.record(word, length);
        }
    }

    /// Lets another state go its own way from here on, which is this one but for what it
    /// is about to do. Where a path is retraced only one of the two is that path: there is
    /// no other, or this state is left.
    pub fn part(&mut self, mut other: State) -> Option<State> {
        match self.recall(1) {
            Some(0) => None,
            Some(_) => {
                other.decisions = self.decisions.clone();
                self.decisions.leave();
                Some(other)
            }
            None => {
                let place = (self.frame.function, self.frame.pc);
                other.decisions = self.decisions.clone();
                other.decisions.push(1, 1, place);
                self.record(0, 1);
                Some(other)
            }
        }
    }

    /// Whether what happens on the path happened before, where it was gone first.
    pub fn is_retracing(&self) -> bool {
        self.decisions.is_retracing() || self.decisions.is_left()
    }
}

/// Where a path stands that was gone again.
pub enum Retraced {
    /// It goes on; this is its first turn.
    Running(Turn),
    /// It waits for an input that takes it on.
    Deferred(State, Deferred),
}

/// Why a path could not be gone again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RetraceError {
    /// Work is to stop. The path is where it was.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The decisions are those of another program, or of other options.
    #[error("the decisions of a path do not fit the program")]
    Lost,
}

/// Answers.
impl Machine<'_> {
    /// Lets the path wait in the middle of an instruction if work is to stop; where it is
    /// gone again it waits there too, so that it begins the instruction as often.
    ///
    /// # Errors
    ///
    /// When it waits.
    pub fn wait_if_stopped(&mut self, state: &mut State) -> Result<(), Halt> {
        let waits = state.recall(1).map_or_else(
            || {
                let waits = self.options.stop.is_set();
                state.record(waits.into(), 1);
                waits
            },
            |bit| bit != 0,
        );
        match waits {
            true => Err(Halt::Yield),
            false => Ok(()),
        }
    }

    /// Lets the path go on in several ways, each in a state of its own: `enter` makes a
    /// state go the way of this number. The first way that is open is this state's; the
    /// others begin at the instruction at hand. Which way a path went is one of its
    /// decisions.
    ///
    /// # Errors
    ///
    /// When no way is open, or the path goes on in a turn of its own.
    pub fn go_each_way<T>(
        &mut self,
        state: &mut State,
        ways: usize,
        mut enter: impl FnMut(&mut Self, &mut State, usize) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        if let Some(way) = state.recall_word() {
            let way = usize::try_from(way).ok().filter(|&way| way < ways);
            let Some(way) = way else {
                state.decisions.lose();
                return Err(Halt::Yield);
            };
            let entered = enter(self, state, way)?;
            return match state.recall(1) {
                Some(0) => Ok(entered),
                _ => Err(Halt::Yield),
            };
        }
        state.memory.settle();
        let mut first = None;
        let mut ended = Vec::new();
        for way in 0..ways {
            let mut path = state.clone();
            path.record_word(way as u64);
            match enter(self, &mut path, way) {
                Ok(entered) if first.is_none() => {
                    path.record(0, 1);
                    first = Some((path, entered));
                }
                Ok(_) => {
                    path.record(1, 1);
                    self.forks += 1;
                    self.fork(path);
                }
                Err(Halt::End(End::Ignored)) => {}
                Err(Halt::End(end)) => ended.push((path, end)),
                Err(Halt::Yield) => return Err(Halt::Yield),
            }
        }
        let Some((path, entered)) = first else {
            let (path, end) = ended.pop().unwrap_or((state.clone(), End::Ignored));
            self.successors.ended.append(&mut ended);
            *state = path;
            return Err(Halt::End(end));
        };
        self.successors.ended.append(&mut ended);
        *state = path;
        Ok(entered)
    }

    /// Lets those inputs go elsewhere that take the path beside its model and have another
    /// value for the term.
    pub(crate) fn part_from_dissenters(&mut self, state: &mut State, term: Term) {
        if !self.events.models {
            return;
        }
        let policy = self.policy.clone();
        if let Some(other) = policy.dissenters(self, state, term) {
            self.count_fork(state);
            let other = state.part(other);
            self.successors.running.extend(other);
        }
    }

    /// Whether the condition holds in the state's model.
    pub fn holds(&mut self, state: &mut State, condition: Term) -> bool {
        self.part_from_dissenters(state, condition);
        if let Some(truth) = state.recall(1) {
            return truth != 0;
        }
        let truth = self.mixed.under(&self.store, &state.model).holds(condition);
        state.record(truth.into(), 1);
        truth
    }

    /// The value of a term in the state's model.
    pub fn word(&mut self, state: &mut State, term: Term) -> u64 {
        self.part_from_dissenters(state, term);
        if let Some(word) = state.recall_word() {
            return word;
        }
        let word = self.mixed.under(&self.store, &state.model).word(term);
        state.record_word(word);
        word
    }

    /// Whether the condition can hold on the path, if that can be said with so much
    /// effort. Where the path is retraced it is known, and the model is the one that the
    /// path has in the end.
    pub fn ask(&mut self, state: &mut State, condition: Term, effort: Effort) -> Answer {
        match state.recall(2) {
            Some(SAT) => Answer::Sat((*state.model).clone()),
            Some(UNSAT) => Answer::Unsat(Vec::new()),
            Some(_) => Answer::Unknown(Reason::Conflicts),
            None => {
                let answer = self.query(state, condition, effort);
                let bits = match &answer {
                    Answer::Sat(_) => SAT,
                    Answer::Unsat(_) => UNSAT,
                    Answer::Unknown(_) => UNKNOWN,
                };
                state.record(bits, 2);
                answer
            }
        }
    }
}

/// Going a path again.
impl Machine<'_> {
    /// Takes the first state of the program along the decisions of a path, whose model is
    /// given.
    ///
    /// # Errors
    ///
    /// When work is to stop, or the decisions do not fit.
    pub fn retrace(
        &mut self,
        first: State,
        record: Rc<Record>,
        model: Rc<Assignment>,
    ) -> Result<Retraced, RetraceError> {
        let mut state = first;
        state.decisions.retrace(record);
        state.model = model;
        while state.decisions.is_retracing() {
            self.options.stop.check()?;
            let Turn {
                state: stayed,
                end,
                mut successors,
            } = self.run(state);
            if stayed.decisions.is_left() {
                state = successors.running.pop().ok_or(RetraceError::Lost)?;
                if let Some(deferred) = self.retraced_deferral.take() {
                    if !self.is_confirmed(&state, &deferred) {
                        return Ok(Retraced::Deferred(state, deferred));
                    }
                    self.assume(&mut state, deferred.condition);
                }
                continue;
            }
            state = stayed;
            if !state.is_retracing() && !state.decisions.is_lost() {
                let turn = Turn {
                    state,
                    end,
                    successors,
                };
                return Ok(Retraced::Running(turn));
            }
            if end.is_some() {
                return Err(RetraceError::Lost);
            }
        }
        match state.decisions.is_lost() {
            true => Err(RetraceError::Lost),
            false => Ok(Retraced::Running(Turn {
                state,
                end: None,
                successors: Successors::default(),
            })),
        }
    }

    /// Whether a state that was deferred went on in the end: it decided something
    /// after that, or has an input for it.
    fn is_confirmed(&mut self, state: &State, deferred: &Deferred) -> bool {
        let mut evaluation = self.mixed.under(&self.store, &state.model);
        state.decisions.is_retracing() || evaluation.holds(deferred.condition)
    }
}
