//! Time in observations, for models with clocks.
//!
//! Between two messages the system may take internal steps, each after some part of the time
//! that passed, so a delay leads to the states after every such division of it. When a message
//! came is known up to a tolerance only: the time of an observation is then a variable between
//! two bounds, which later observations narrow. Verdicts are those of timed conformance
//! (Krichen and Tripakis, *Conformance testing for real-time systems*, 2009): an output or a
//! delay is allowed if some state allows it.
//!
//! `while` says how long the system may stay in a state. Where it says nothing, what the system
//! can send has to come within the timeout, as in models without clocks.

use super::{Allowed, Candidate, Observer, is_input, is_internal};
use crate::execution::{Executor, Move, StepOutcome, SymbolicState};
use crate::output::Output;
use crate::undecided::Undecided;
use num_rational::BigRational;
use term::{Sort, Term, Value};

/// Internal steps during one delay that are followed.
const DURING: usize = 24;

/// States in the middle of one delay that are followed.
const MIDDLE: usize = 400;

/// Parts of a second in which delays are divided.
const PARTS: u64 = 16;

/// When the last observation was.
#[derive(Clone)]
pub(super) struct Now {
    /// Since the beginning, as the states have it.
    pub term: Term,
    /// The sum of the delays that are known exactly.
    pub exact: BigRational,
}

/// A state in the middle of a delay.
struct Underway {
    candidate: Candidate,
    /// The time that is left of the delay.
    left: Term,
    steps: usize,
}

impl Observer {
    /// So much time passed without a message.
    pub fn delay(&mut self, executor: &mut Executor<'_, '_>, time: &BigRational) -> Allowed {
        let now = &self.now.exact + time;
        let allowed = self.advance(executor, &now, &now);
        if allowed == Allowed::Yes {
            self.now.exact = now;
        }
        allowed
    }

    /// It is now between these times since the beginning, and there was no message meanwhile.
    pub fn advance(
        &mut self,
        executor: &mut Executor<'_, '_>,
        earliest: &BigRational,
        latest: &BigRational,
    ) -> Allowed {
        let (now, condition) = self.moment(executor, earliest, latest);
        let after = self.during(executor, now, condition);
        let before = std::mem::replace(&mut self.now.term, now);
        let allowed = self.narrow_to(executor, after);
        if allowed != Allowed::Yes {
            self.now.term = before;
        }
        allowed
    }

    /// How much of a delay that begins at this time passes before the system may send something,
    /// in whole sixteenths of a second; all of it if it sends nothing meanwhile. Sums of
    /// sixteenths are exact in floating point too, so a system that adds them up is as punctual.
    pub(crate) fn quiet_part(
        &self,
        executor: &mut Executor<'_, '_>,
        from: &BigRational,
        time: &BigRational,
    ) -> BigRational {
        if !self.clone().may_send_until(executor, &(from + time)) {
            return time.clone();
        }
        let parts = (time * BigRational::from_integer(PARTS.into())).ceil();
        let part = |number: u64| BigRational::new(number.into(), PARTS.into());
        let mut is_quiet = |number: u64| {
            let until = from + part(number);
            !self.clone().may_send_until(executor, &until)
        };
        // The last part is never quiet. Tests mostly wait until the system may send, so the one
        // before is tried first.
        let Ok(mut above) = u64::try_from(parts.to_integer()) else {
            return BigRational::default();
        };
        let mut quiet = above.saturating_sub(1);
        if quiet > 0 && !is_quiet(quiet) {
            (quiet, above) = (0, quiet);
            while above - quiet > 1 {
                let middle = quiet + (above - quiet) / 2;
                match is_quiet(middle) {
                    true => quiet = middle,
                    false => above = middle,
                }
            }
        }
        part(quiet)
    }

    /// Whether the system may send something until this time.
    fn may_send_until(&mut self, executor: &mut Executor<'_, '_>, latest: &BigRational) -> bool {
        let (now, condition) = self.moment(executor, &BigRational::default(), latest);
        let after = self.during(executor, now, condition);
        after.iter().any(|candidate| {
            let moves = executor.moves(&candidate.state.location);
            moves.into_iter().any(|step| {
                let is_own = !is_input(executor, step) && !is_internal(executor, step);
                is_own
                    && !matches!(
                        executor.step(&candidate.state, step),
                        StepOutcome::Infeasible
                    )
            })
        })
    }

    /// Whether the system sends one thing sooner or later, and can send nothing else.
    pub(crate) fn is_due(&self, executor: &mut Executor<'_, '_>) -> bool {
        let mut waiting = self.clone();
        executor.model.time.is_some()
            && waiting.delay(executor, &forever()) == Allowed::No
            && self.clone().foreseen(executor).len() == 1
    }

    /// Whether the system may send this now, or once time has passed.
    pub(crate) fn may_send_later(
        &self,
        executor: &mut Executor<'_, '_>,
        channel: usize,
        values: &[Value],
    ) -> bool {
        let mut later = self.clone();
        let now = later.now.exact.clone();
        let until = &now + forever();
        later.advance(executor, &now, &until) != Allowed::No
            && later.output(executor, channel, values) != Allowed::No
    }

    /// A time between two bounds, and the condition that it is one and not in the past.
    fn moment(
        &self,
        executor: &mut Executor<'_, '_>,
        earliest: &BigRational,
        latest: &BigRational,
    ) -> (Term, Term) {
        let store = &mut executor.store;
        let (low, high) = (store.real(earliest.clone()), store.real(latest.clone()));
        let now = match earliest == latest {
            true => low,
            false => store.fresh_var("now", Sort::Real),
        };
        let (above, below) = (store.le(low, now), store.le(now, high));
        let forward = store.le(self.now.term, now);
        (now, store.and_all([above, below, forward]))
    }

    /// The states at this time, if it can be that time, with internal steps on the way.
    pub(super) fn during(
        &mut self,
        executor: &mut Executor<'_, '_>,
        now: Term,
        condition: Term,
    ) -> Vec<Candidate> {
        let Some(delay) = delay(executor) else {
            return self.states.clone();
        };
        let left = executor.store.sub(now, self.now.term);
        let mut underway: Vec<Underway> = Vec::new();
        for from in self.states.clone() {
            let candidate = self.assuming(executor, &from, condition);
            underway.extend(candidate.map(|candidate| Underway {
                candidate,
                left,
                steps: 0,
            }));
        }
        let mut after = Vec::new();
        let mut followed = 0;
        while let Some(from) = underway.pop() {
            if self.gives_up(executor) {
                break;
            }
            let at_end = self.try_step(executor, &from.candidate, delay, Some(&[from.left]), &[]);
            after.extend(at_end);
            let inner = executor.moves(&from.candidate.state.location);
            let inner = inner
                .into_iter()
                .filter(|&step| is_internal(executor, step));
            let inner: Vec<Move> = inner.collect();
            if inner.is_empty() {
                continue;
            }
            followed += 1;
            if from.steps >= DURING || followed > MIDDLE {
                self.incomplete.get_or_insert(Undecided::TooManyStates);
                continue;
            }
            self.interrupted(executor, &from, delay, &inner, &mut underway);
        }
        after
    }

    /// The states after each of these internal steps, taken at any time during the delay.
    fn interrupted(
        &mut self,
        executor: &mut Executor<'_, '_>,
        from: &Underway,
        delay: Move,
        inner: &[Move],
        underway: &mut Vec<Underway>,
    ) {
        let store = &mut executor.store;
        let part = store.fresh_var("part", Sort::Real);
        let left = store.sub(from.left, part);
        let zero = store.real(BigRational::default());
        // A step at the very end belongs to the states that follow the delay.
        let is_before = store.lt(zero, left);
        let Some(begun) = self.assuming(executor, &from.candidate, is_before) else {
            return;
        };
        let Some(waited) = self.try_step(executor, &begun, delay, Some(&[part]), &[]) else {
            return;
        };
        for &step in inner {
            let candidate = self.try_step(executor, &waited, step, None, &[]);
            underway.extend(candidate.map(|candidate| Underway {
                candidate,
                left,
                steps: from.steps + 1,
            }));
        }
    }

    /// The outputs that the model allows now, or once time has passed.
    pub fn foreseen(&mut self, executor: &mut Executor<'_, '_>) -> Vec<Output> {
        let certain = self.states.iter().filter(|it| it.doubt.is_none());
        let mut states: Vec<SymbolicState> = certain.map(|it| it.state.clone()).collect();
        if let Some(delay) = delay(executor) {
            for number in 0..states.len() {
                if let StepOutcome::Feasible(later) = executor.step(&states[number], delay) {
                    states.push(later.1);
                }
            }
        }
        self.outputs_of(executor, states)
    }

    /// Whether `while` says how long the system may stay in a state, and it may stay longer.
    pub(super) fn may_wait(&mut self, executor: &mut Executor<'_, '_>, from: &Candidate) -> bool {
        let is_limited = executor.model.limits(&from.state.location).next().is_some();
        let Some(delay) = delay(executor).filter(|_| is_limited) else {
            return false;
        };
        let taken = self.taken.clone();
        // Mostly there is time for a moment, which is cheaper to ask than how small it may be.
        let moment = executor.store.real(BigRational::new(1.into(), 10.into()));
        let stays = self.try_step(executor, from, delay, Some(&[moment]), &[]);
        let later = match stays {
            Some(Candidate { doubt: None, .. }) => stays,
            Some(_) | None => self.any_longer(executor, from, delay),
        };
        self.taken = taken;
        later.is_some()
    }

    /// The state after any time, if there is some left.
    fn any_longer(
        &mut self,
        executor: &mut Executor<'_, '_>,
        from: &Candidate,
        delay: Move,
    ) -> Option<Candidate> {
        let store = &mut executor.store;
        let (zero, more) = (
            store.real(BigRational::default()),
            store.fresh_var("more", Sort::Real),
        );
        let is_more = store.lt(zero, more);
        let begun = self.assuming(executor, from, is_more)?;
        self.try_step(executor, &begun, delay, Some(&[more]), &[])
    }
}

/// Longer than any test waits, in seconds.
pub(super) fn forever() -> BigRational {
    BigRational::from_integer(1_000_000_000.into())
}

/// The step with which time passes, if there are clocks.
fn delay(executor: &Executor<'_, '_>) -> Option<Move> {
    let first = executor.model.delay()?;
    Some(Move {
        first,
        second: None,
    })
}
