//! Exploring a program: states out of the frontier, through the machine, and
//! back, until none is left or a limit is reached.

use crate::machine::{Machine, Ran};
use crate::outcome::End;
use crate::state::State;
use explore::{Frontier, Limit, Limits, Spent, Standing, Strategy};
use mixed::solver::Answer;
use std::rc::Rc;
use std::time::Instant;

/// What happens during an exploration, told as it happens.
pub trait Observer {
    /// A path ended; its state's model is an input that takes it.
    fn ended(&mut self, machine: &mut Machine<'_>, state: &State, end: &End);

    /// A path was stopped where it is, because a limit was reached.
    fn unfinished(&mut self, machine: &mut Machine<'_>, state: &State);

    /// Called now and then; whether to stop in order.
    fn progress(&mut self, machine: &Machine<'_>, counts: &Counts, waiting: usize) -> bool;
}

/// How many paths ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Ran to a normal end.
    pub completed: u64,
    /// Ended in an error.
    pub errors: u64,
    /// Dropped by an assumption.
    pub ignored: u64,
    /// Not decided at first, and found to be no path in the end.
    pub infeasible: u64,
    /// Whose feasibility was not decided.
    pub unknown: u64,
    /// Directed runs that left the path their inputs were solved for.
    pub divergences: u64,
    /// Stopped by a limit.
    pub unfinished: u64,
    /// Instructions executed.
    pub instructions: u64,
}

/// How an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every path was followed to its end.
    Complete,
    /// A limit was reached.
    Limit(Limit),
    /// Someone asked to stop.
    Interrupted,
}

/// How to explore.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// How the next state is chosen.
    pub strategy: Strategy,
    /// What random choices depend on.
    pub seed: u64,
    /// When to stop.
    pub limits: Limits,
}

/// Turns between two looks at limits that cost something to look at.
const LOOK_EVERY: u64 = 64;

/// Follows every path from the state.
pub fn explore(
    machine: &mut Machine<'_>,
    first: State,
    plan: &Plan,
    observer: &mut impl Observer,
) -> (Outcome, Counts) {
    let mut run = Run {
        frontier: Frontier::new(plan.strategy, plan.seed),
        counts: Counts {
            // The first block counts as executed when the state is made.
            instructions: first.instructions,
            ..Counts::default()
        },
        tests: 0,
        started: Instant::now(),
    };
    if machine.mixed.config().strategy == mixed::Strategy::Dart {
        let outcome = run.directed(machine, &first, plan, observer);
        return (outcome, run.counts);
    }
    run.frontier.start(first, Standing::default());
    let outcome = run.turns(machine, plan, observer);
    // The frontier is emptied in order, so that nothing is lost.
    while let Some((ticket, state)) = run.frontier.take() {
        run.frontier.finish(ticket);
        run.stop(machine, observer, state);
    }
    run.counts.unknown += machine.take_deferred().len() as u64;
    (outcome, run.counts)
}

pub(crate) struct Run {
    frontier: Frontier<State>,
    pub counts: Counts,
    tests: u64,
    started: Instant,
}

impl Run {
    fn turns(
        &mut self,
        machine: &mut Machine<'_>,
        plan: &Plan,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut turns = 0u64;
        loop {
            let Some((mut ticket, state)) = self.frontier.take() else {
                // Only what was put off is left: one more try for each.
                if !self.retry(machine) {
                    return Outcome::Complete;
                }
                continue;
            };
            let before = state.instructions;
            let ran = machine.run(state);
            let mut forked = machine.take_forked();
            let after = match &ran {
                Ran::On(state) | Ran::Ended(state, _) => state.instructions,
            };
            self.counts.instructions += after - before + machine.take_ahead();
            for (state, end) in machine.take_ended() {
                self.end(machine, observer, state, &end);
            }
            for state in forked.drain(..) {
                let place = self.frontier.fork(&mut ticket);
                self.put(plan, machine, observer, place, state);
            }
            match ran {
                Ran::On(state) => self.put(plan, machine, observer, ticket, state),
                Ran::Ended(state, end) => {
                    self.frontier.finish(ticket);
                    self.end(machine, observer, state, &end);
                }
            }
            turns += 1;
            if let Some(outcome) = self.look(turns, machine, plan, observer) {
                return outcome;
            }
        }
    }

    fn put(
        &mut self,
        plan: &Plan,
        machine: &mut Machine<'_>,
        observer: &mut impl Observer,
        ticket: explore::Ticket,
        state: State,
    ) {
        if plan.limits.depth.is_some_and(|depth| state.depth > depth) {
            self.frontier.finish(ticket);
            self.stop(machine, observer, state);
            return;
        }
        let standing = Standing {
            depth: state.depth,
            instructions: state.instructions,
            since_new: state.instructions - state.news,
        };
        self.frontier.put(ticket, state, standing);
    }

    pub(crate) fn end(
        &mut self,
        machine: &mut Machine<'_>,
        observer: &mut impl Observer,
        mut state: State,
        end: &End,
    ) {
        match end {
            End::Exit(_) => self.counts.completed += 1,
            End::Error(..) => self.counts.errors += 1,
            End::Ignored => self.counts.ignored += 1,
        }
        if !matches!(end, End::Ignored) {
            self.tests += 1;
        }
        settle(machine, &mut state);
        observer.ended(machine, &state, end);
    }

    fn stop(&mut self, machine: &mut Machine<'_>, observer: &mut impl Observer, mut state: State) {
        self.counts.unfinished += 1;
        settle(machine, &mut state);
        observer.unfinished(machine, &state);
    }

    /// Looks at the limits, the dear ones not every time.
    pub(crate) fn look(
        &mut self,
        turns: u64,
        machine: &mut Machine<'_>,
        plan: &Plan,
        observer: &mut impl Observer,
    ) -> Option<Outcome> {
        let dear = turns.is_multiple_of(LOOK_EVERY);
        if dear && observer.progress(machine, &self.counts, self.frontier.len()) {
            return Some(Outcome::Interrupted);
        }
        let spent = Spent {
            time: if dear {
                self.started.elapsed()
            } else {
                Default::default()
            },
            memory: if dear && plan.limits.memory.is_some() {
                resident()
            } else {
                0
            },
            instructions: self.counts.instructions,
            forks: machine.forks,
            tests: self.tests,
            states: self.frontier.len() as u64,
        };
        plan.limits.reached(&spent).map(Outcome::Limit)
    }

    /// Asks once more about states whose feasibility was not decided; whether
    /// any of them turned out feasible.
    fn retry(&mut self, machine: &mut Machine<'_>) -> bool {
        let mut found = false;
        for mut state in machine.take_deferred() {
            let condition = state
                .unconfirmed
                .take()
                .expect("it was put off for a condition");
            machine.mixed.set_thorough(true);
            let (path, model) = (&state.path, &state.model);
            let answer = machine
                .mixed
                .check_extended(&mut machine.store, path, model, condition);
            machine.mixed.set_thorough(false);
            machine
                .mixed
                .add(&machine.store, &mut state.path, condition);
            match answer {
                Answer::Sat(model) => {
                    state.model = Rc::new(model);
                    self.frontier.start(state, Standing::default());
                    found = true;
                }
                Answer::Unsat(_) => self.counts.infeasible += 1,
                Answer::Unknown(_) => self.counts.unknown += 1,
            }
        }
        found
    }
}

/// Fixes what the program wrote, by the model that the path has in the end.
fn settle(machine: &mut Machine<'_>, state: &mut State) {
    let mut evaluation = machine.mixed.under(&machine.store, &state.model);
    state.output.settle(|term| evaluation.word(term) as u8);
}

/// Bytes of memory the process has, as far as the system tells.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}
