//! States that wait for an input: when they are resumed, and with how much effort.
//!
//! A state whose next step needs an expensive query is *deferred*: it waits beside the
//! states that run, and is resumed when a check of bounded effort finds an input for
//! it. What such checks do not decide gets a full one when nothing else is left, and
//! counts as unknown if that fails too.

use super::{Exploration, Plan};
use crate::observer::Observer;
use crate::waiting::{Deferral, Held, Waiting};
use base::caught;
use explore::Ticket;
use machine::{End, ErrorKind, Machine, State};
use mixed::Effort;
use mixed::solver::Answer;
use program::EdgeId;
use std::rc::Rc;

/// Evaluations of the first bounded check for an input that takes a path somewhere.
pub(super) const BOUNDED: u32 = 3_000;

/// How many bounded checks, each four times longer than the one before, are made for
/// an input that would reach new code before anything else is done.
const CHECKS: u32 = 3;

impl Exploration<'_> {
    /// Looks for an input that takes a deferred state where it may go, and lets it run
    /// on if there is one.
    pub(super) fn resume(
        &mut self,
        plan: &Plan,
        machine: &mut Machine<'_>,
        observer: &mut dyn Observer,
        ticket: Ticket,
        mut state: State,
        mut deferral: Deferral,
    ) {
        if deferral.promising && self.promise(plan, machine, &state, &deferral).is_none() {
            // Another state has been there since this one was deferred.
            return self.put(plan, machine, observer, ticket, state, Some(deferral));
        }
        // Four times longer each time: the whole is at most a third more than the last
        // check alone, and an easy input is found in the first.
        let effort = Effort::Bounded(BOUNDED << (2 * deferral.failures));
        match confirm(machine, &mut state, &deferral, effort) {
            Err(end) => {
                self.frontier.finish(ticket);
                self.end(machine, observer, state, &end);
            }
            Ok(Answer::Sat(_)) => self.turn(plan, machine, observer, ticket, state),
            Ok(Answer::Unsat(_)) => self.frontier.finish(ticket),
            Ok(Answer::Unknown(_)) => {
                let new = new_coverage(machine, &state, &deferral);
                if let Some(new) = new {
                    *self.failures.entry(new).or_default() += 1;
                }
                deferral.failures += 1;
                if matches!(new, Some(NewCoverage::Edge(..))) && deferral.failures < CHECKS {
                    self.put(plan, machine, observer, ticket, state, Some(deferral));
                } else {
                    self.frontier.finish(ticket);
                    let waiting = Waiting::new(Held::Deferred(state, deferral));
                    self.hard.push_back(waiting);
                }
            }
        }
    }

    /// Makes the full check of a state that bounded ones found no input for.
    pub(super) fn check_fully(
        &mut self,
        machine: &mut Machine<'_>,
        observer: &mut dyn Observer,
        mut state: State,
        deferral: Deferral,
    ) {
        match confirm(machine, &mut state, &deferral, Effort::Full) {
            Err(end) => self.end(machine, observer, state, &end),
            Ok(Answer::Sat(_)) => self.start(Held::Running(state)),
            Ok(Answer::Unsat(_)) => self.counts.infeasible += 1,
            Ok(Answer::Unknown(_)) => self.counts.unknown += 1,
        }
    }

    /// How likely the state is to reach something new at once: the less, the more
    /// often no input was found for that.
    pub(super) fn promise(
        &self,
        plan: &Plan,
        machine: &Machine<'_>,
        state: &State,
        deferral: &Deferral,
    ) -> Option<f64> {
        if !plan.strategy.seeks_coverage() {
            return None;
        }
        let new = new_coverage(machine, state, deferral)?;
        let failures = self.failures.get(&new).copied().unwrap_or(0);
        let weight = match new {
            NewCoverage::Edge(..) => 1e6,
            NewCoverage::Progress(..) => 1e3,
        };
        // Halved with each failure, so that a branch that cannot be taken does not keep
        // the search from the others, and is never quite given up.
        Some(weight * 0.5f64.powi(failures.min(40) as i32))
    }
}

/// What nobody has done yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum NewCoverage {
    /// Going along an edge of a function.
    Edge(u32, EdgeId),
    /// The same after so many inputs. In a program that reads and acts in a loop,
    /// this is how far it came.
    Progress(u32, EdgeId, usize),
}

/// What would be new if the state went where it may go.
fn new_coverage(machine: &Machine<'_>, state: &State, deferral: &Deferral) -> Option<NewCoverage> {
    let edge = deferral.query.edge?;
    let (function, inputs) = (state.frame.function, state.inputs.number());
    if !machine.coverage.followed(state.function(), edge) {
        return Some(NewCoverage::Edge(function, edge));
    }
    let seen = machine.coverage.progressed(function, edge, inputs);
    (!seen).then_some(NewCoverage::Progress(function, edge, inputs))
}

/// Looks for an input that takes the state where it may go; if there is one, the
/// state goes there. A panic in the query ends the path.
fn confirm(
    machine: &mut Machine<'_>,
    state: &mut State,
    deferral: &Deferral,
    effort: Effort,
) -> Result<Answer, End> {
    let condition = deferral.query.condition;
    let usual = machine.mixed.current_effort();
    let asked = caught(|| {
        let answer = machine.query(state, condition, effort);
        if let Answer::Sat(model) = &answer {
            state.model = Rc::new(model.clone());
            machine.assume(state, condition);
        }
        answer
    });
    asked.map_err(|panicked| {
        machine.mixed.forget(usual);
        End::Error(ErrorKind::Internal, panicked.to_string())
    })
}
