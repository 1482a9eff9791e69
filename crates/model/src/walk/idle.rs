//! Long times in which nobody does anything.
//!
//! A delay of a walk is short, or ends where a condition of the state the system is in changes. Some
//! faults show only when the next input comes late, although the model has no condition on time
//! there: a clock that was not reset, a request that is forgotten.

use crate::execution::{Executor, StepOutcome, SymbolicState};
use crate::model::{Action, Expr, ExprKind, Model};
use crate::property::comparisons;
use crate::testcase::{Data, TakenInput};
use num_rational::BigRational;
use num_traits::One;
use term::Value;

/// Idle times of one walk, and how many delays there are for one of them.
const MOST: usize = 2;
const SELDOM: usize = 6;

/// A test in real time waits for all of it, so longer times are left out.
const LONGEST: i64 = 20;

/// The idle times of walks.
pub(super) struct Idle {
    /// A second more than what clocks are compared with.
    times: Vec<BigRational>,
    left: usize,
}

impl Idle {
    pub fn new(model: &Model) -> Idle {
        let mut bounds = Vec::new();
        for limit in model.automata.iter().flat_map(|it| &it.limits).flatten() {
            comparisons(model, limit, &mut bounds);
        }
        for transition in &model.transitions {
            comparisons(model, &transition.guard, &mut bounds);
            if let Action::Input { condition, .. } = &transition.action {
                comparisons(model, condition, &mut bounds);
            }
        }
        let longest = BigRational::from_integer(LONGEST.into());
        let mut times: Vec<BigRational> = bounds
            .iter()
            .filter_map(|(_, bound)| seconds(bound))
            .map(|bound| bound + BigRational::one())
            .filter(|time| *time <= longest)
            .collect();
        times.sort();
        times.dedup();
        Idle { times, left: MOST }
    }

    /// Another walk begins.
    pub fn begin(&mut self) {
        self.left = MOST;
    }

    /// Now and then, the state after such a delay, if the system may be silent for so long.
    pub fn chosen(
        &mut self,
        executor: &mut Executor<'_, '_>,
        delay: &TakenInput,
        data: &mut Data,
    ) -> Option<SymbolicState> {
        if self.left == 0 || self.times.is_empty() || data.below(SELDOM) > 0 {
            return None;
        }
        let time = self.times[data.below(self.times.len())].clone();
        let time = executor.store.real(time);
        let is_so = executor.store.eq(*delay.values.first()?, time);
        match executor.assume(&delay.after, is_so) {
            StepOutcome::Feasible(found) => {
                self.left -= 1;
                Some(found.1)
            }
            StepOutcome::Infeasible | StepOutcome::Unknown(_) => None,
        }
    }
}

/// A number of seconds.
fn seconds(bound: &Expr) -> Option<BigRational> {
    match &bound.kind {
        ExprKind::Value(values) => match &values[..] {
            [Value::Real(number)] => Some(number.clone()),
            [Value::Int(number)] => Some(BigRational::from_integer(number.clone())),
            _ => None,
        },
        ExprKind::Convert(inner) => seconds(inner),
        _ => None,
    }
}
