//! Native functions that crash on arguments that a solver chose.
//!
//! While a condition with `f(x)` in it is decided, `f` is run on candidates for `x`, and
//! one of them may crash it. That is an error of the program if the path to the call
//! allows the candidate. States are therefore kept as they were at such calls, and asked
//! when a crash turns up.

use super::MOST_CRASHES;
use crate::applied::Applied;
use crate::machine::Machine;
use crate::outcome::{End, ErrorKind, Halt};
use crate::policy::Guidance;
use crate::state::State;
use mixed::Effort;
use mixed::oracle::Failure;
use mixed::solver::Answer;
use std::rc::Rc;
use term::{Term, Value};

/// States that are kept. Later calls are not asked about; a crash of theirs is found
/// when a path's own arguments lead to it.
const MOST: usize = 256;

impl Machine<'_> {
    /// Keeps the state at a call.
    pub(super) fn keep_call(&mut self, state: &State, applied: Applied) {
        if self.calls_made.calls.len() < MOST && self.guidance(state) == Guidance::Explore {
            self.calls_made.calls.push((state.clone(), applied));
        }
    }

    /// Whether a crash of these arguments at the call is new.
    pub(super) fn is_new_crash(&mut self, state: &State, arguments: &[Value]) -> bool {
        let frame = &state.frame;
        let place = (frame.function, frame.pc, arguments.to_vec());
        self.calls_made.reported.insert(place)
    }

    /// What holds where the arguments have these values.
    pub(super) fn has_arguments(&mut self, terms: &[Term], values: &[Value]) -> Term {
        let mut all = self.store.bool(true);
        for (&term, value) in terms.iter().zip(values) {
            let constant = self.store.value(value.clone());
            let equal = self.store.eq(term, constant);
            all = self.store.and(all, equal);
        }
        all
    }

    /// Runs the functions of the path on the arguments of its test: the model that the path
    /// ends with is another than those it had at the calls, and a result that no condition
    /// needs was asked of no function since. Where one crashes, the path gets other inputs.
    ///
    /// # Errors
    ///
    /// How the path ends instead; none if no input leads to where it ended.
    pub fn confirm_calls(&mut self, state: &mut State) -> Result<(), Option<End>> {
        if self.guidance(state) != Guidance::Explore {
            return Ok(());
        }
        for _ in 0..MOST_CRASHES {
            let Some((applied, values, failure)) = self.failing_call(state) else {
                return Ok(());
            };
            if !failure.is_crash() {
                return match self.end_of(state, &applied.function, &failure) {
                    Err(Halt::End(end)) => Err(Some(end)),
                    Err(_) | Ok(()) => Err(Some(End::Unknown)),
                };
            }
            let condition = self.has_arguments(&applied.terms, &values);
            let others = self.store.not(condition);
            let Answer::Sat(model) = self.query(state, others, Effort::Full) else {
                // The crash ends the path where the call is, if that is still known.
                let is_known = self.calls_made.calls.len() < MOST;
                let end = End::Error(ErrorKind::NativeCrash, failure.to_string());
                return Err((!is_known).then_some(end));
            };
            state.model = Rc::new(model);
            self.assume(state, others);
        }
        Err(Some(End::Unknown))
    }

    /// The first call of the path that has an accident on the arguments of its test.
    fn failing_call(&mut self, state: &State) -> Option<(Applied, Vec<Value>, Failure)> {
        for applied in state.applied.forwards() {
            self.mixed.take_failure();
            let mut evaluation = self.mixed.under(&self.store, &state.model);
            evaluation.value(applied.result);
            let values: Vec<Value> = (applied.terms.iter())
                .map(|&term| evaluation.value(term))
                .collect();
            if let Some(failure) = self.mixed.take_failure()
                && matches!(failure, Failure::Accident { .. })
            {
                return Some((applied.clone(), values, failure));
            }
        }
        None
    }

    /// Paths that end in a native crash which came to light while conditions were
    /// decided, since the last time.
    pub fn crashed_calls(&mut self) -> Vec<(State, End)> {
        let mut ended = Vec::new();
        for (function, values) in self.mixed.oracle_mut().take_crashes() {
            let calls = std::mem::take(&mut self.calls_made.calls);
            for (state, applied) in &calls {
                if *applied.function != *function {
                    continue;
                }
                let condition = self.has_arguments(&applied.terms, &values);
                let Answer::Sat(model) = self.query(state, condition, Effort::Full) else {
                    continue;
                };
                if self.is_new_crash(state, &values) {
                    let mut crashed = state.clone();
                    crashed.model = Rc::new(model);
                    self.assume(&mut crashed, condition);
                    let message = match self.mixed.oracle_mut().call(&function, &values) {
                        Err(failure) => failure.to_string(),
                        Ok(_) => continue,
                    };
                    let end = End::Error(ErrorKind::NativeCrash, message);
                    ended.push((crashed, end));
                }
            }
            self.calls_made.calls = calls;
        }
        ended
    }
}
