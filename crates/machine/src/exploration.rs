//! Exploring a program: states out of the frontier, through the machine, and
//! back, until none is left or a limit is reached.

use crate::fitness::edge_of;
use crate::machine::{Machine, Ran};
use crate::outcome::End;
use crate::state::State;
use explore::{Frontier, Limit, Limits, Spent, Standing, Strategy, Ticket};
use mixed::Effort;
use mixed::solver::Answer;
use program::EdgeId;
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::time::Instant;
use term::Assignment;

/// What happens during an exploration, told as it happens.
pub trait Observer {
    /// A path ended; its state's model is an input that takes it.
    fn ended(&mut self, machine: &mut Machine<'_>, state: &State, end: &End);

    /// A path was stopped where it is, because a limit was reached.
    fn unfinished(&mut self, machine: &mut Machine<'_>, state: &State);

    /// Called now and then; how the exploration ends, if it does so now.
    fn progress(
        &mut self,
        machine: &Machine<'_>,
        counts: &Counts,
        waiting: usize,
    ) -> Option<Outcome>;
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
    /// Those of them whose calls were nested too deep.
    pub too_deep: u64,
    /// Dropped, because they could reach nothing new.
    pub pruned: u64,
    /// Run again with other values at the border of the selected code.
    pub revisited: u64,
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
    /// Whether paths are dropped that can reach nothing new.
    pub look_ahead: bool,
}

/// Evaluations of the first search for an input that takes a path somewhere.
pub(crate) const LOOK: u32 = 3_000;

/// How often is looked for an input that would reach new code, each time longer,
/// before anything else is done.
const LOOKS: u32 = 3;

/// Short turns between two looks at limits that cost something to look at.
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
        shown: HashSet::new(),
        failures: HashMap::new(),
        hard: VecDeque::new(),
        first: None,
        running: None,
        came_near: Vec::new(),
        nearest: HashMap::new(),
        aims_at: 0,
        started: Instant::now(),
    };
    if machine.mixed.config().strategy == mixed::Strategy::Dart {
        let outcome = run.directed(machine, &first, plan, observer);
        return (outcome, run.counts);
    }
    let mut first = first;
    first.inside.begin(&first.path);
    run.first = machine.is_selective().then(|| first.clone());
    machine.watch.active = plan.strategy.finishes_runs();
    run.frontier.start(first, Standing::default());
    let outcome = run.turns(machine, plan, observer);
    if let Some((ticket, state)) = run.running.take() {
        run.frontier.put(ticket, state, Standing::default());
    }
    // The frontier is emptied in order, so that nothing is lost.
    while let Some((ticket, state)) = run.frontier.take() {
        run.frontier.finish(ticket);
        match state.prospect {
            None => run.stop(machine, observer, state),
            Some(_) => run.counts.unknown += 1,
        }
    }
    run.counts.unknown += run.hard.len() as u64;
    run.counts.divergences += machine.selective.divergences;
    (outcome, run.counts)
}

pub(crate) struct Run {
    frontier: Frontier<State>,
    pub counts: Counts,
    tests: u64,
    /// The last discoveries of the paths that ended in a test.
    shown: HashSet<u64>,
    /// How often no input was found that leads to something new.
    failures: HashMap<News, u32>,
    /// States that a look did not find an input for.
    hard: VecDeque<State>,
    /// Where runs begin that go through selected code again.
    first: Option<State>,
    /// The state that goes on until its end, if the strategy has it so.
    running: Option<(Ticket, State)>,
    /// How near that state came to targets.
    came_near: Vec<(u64, f64)>,
    /// How near any state came to them, and with which inputs.
    nearest: HashMap<u64, (f64, Rc<Assignment>)>,
    /// How much was covered when was last looked which targets are open.
    aims_at: u64,
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
            turns += 1;
            let mut dear = turns.is_multiple_of(LOOK_EVERY);
            match self.next(machine) {
                Some((ticket, state)) if state.prospect.is_some() => {
                    self.pursue(plan, machine, observer, ticket, state);
                    dear = true;
                }
                Some((ticket, state)) => self.turn(plan, machine, observer, ticket, state),
                None => match self.hard.pop_front() {
                    Some(state) => {
                        self.insist(machine, state);
                        dear = true;
                    }
                    None => return Outcome::Complete,
                },
            }
            if let Some(outcome) = self.look(dear, machine, plan, observer) {
                return outcome;
            }
        }
    }

    /// The state that goes on, or one that waits.
    fn next(&mut self, machine: &mut Machine<'_>) -> Option<(Ticket, State)> {
        if let Some(running) = self.running.take() {
            return Some(running);
        }
        self.came_near.clear();
        if machine.watch.active && self.aims_at != machine.coverage.count {
            self.aims_at = machine.coverage.count;
            self.frontier.retain_targets(|target| {
                let (function, edge) = edge_of(target);
                !machine.coverage.followed(function, edge)
            });
        }
        let (ticket, mut state) = self.frontier.take()?;
        let nearest = self.frontier.aim().and_then(|aim| self.nearest.get(&aim));
        if let Some((_, inputs)) = nearest.filter(|_| state.prospect.is_none()) {
            machine.take_over(&mut state, inputs);
        }
        Some((ticket, state))
    }

    /// Keeps the inputs of a state that ended, if they came nearer than others.
    fn note_nearest(&mut self, state: &State) {
        for &(target, distance) in &self.came_near {
            let nearest = self.nearest.get(&target);
            if nearest.is_none_or(|&(before, _)| distance < before) {
                let inputs = state.model.clone();
                self.nearest.insert(target, (distance, inputs));
            }
        }
    }

    /// Lets a state run until it forks, ends, or has had its share.
    fn turn(
        &mut self,
        plan: &Plan,
        machine: &mut Machine<'_>,
        observer: &mut impl Observer,
        mut ticket: Ticket,
        state: State,
    ) {
        let before = state.instructions;
        let ran = machine.run(state);
        let after = match &ran {
            Ran::On(state) | Ran::Ended(state, _) => state.instructions,
        };
        self.counts.instructions += after - before + machine.take_ahead();
        for (target, distance) in machine.take_distances() {
            self.frontier.note_distance(target, distance);
            self.came_near.push((target, distance));
        }
        if let Some(first) = &self.first {
            for state in machine.take_revisits(first) {
                self.counts.revisited += 1;
                self.frontier.start(state, Standing::default());
            }
        }
        for (state, end) in machine.take_ended() {
            self.end(machine, observer, state, &end);
        }
        for state in machine
            .take_prospects()
            .into_iter()
            .chain(machine.take_forked())
        {
            let place = self.frontier.fork(&mut ticket);
            self.put(plan, machine, observer, place, state);
        }
        match ran {
            Ran::On(state) if plan.strategy.finishes_runs() => {
                self.running = self.admit(plan, machine, observer, ticket, state);
            }
            Ran::On(state) => self.put(plan, machine, observer, ticket, state),
            Ran::Ended(state, end) => {
                self.note_nearest(&state);
                self.frontier.finish(ticket);
                self.end(machine, observer, state, &end);
            }
        }
    }

    /// Looks for an input that takes a state where it may go, and lets it run on
    /// if there is one.
    fn pursue(
        &mut self,
        plan: &Plan,
        machine: &mut Machine<'_>,
        observer: &mut impl Observer,
        ticket: Ticket,
        mut state: State,
    ) {
        let mut prospect = state.prospect.expect("it is a prospect");
        let promising = prospect.promising;
        if promising && self.promise(plan, machine, &state).is_none() {
            // Another state has been there since this one was put aside.
            return self.put(plan, machine, observer, ticket, state);
        }
        let effort = Effort::Bounded(LOOK << (2 * prospect.failures));
        match confirm(machine, &mut state, effort) {
            Answer::Sat(_) => self.turn(plan, machine, observer, ticket, state),
            Answer::Unsat(_) => self.frontier.finish(ticket),
            Answer::Unknown(_) => {
                let news = news(machine, &state);
                if let Some(news) = news {
                    *self.failures.entry(news).or_default() += 1;
                }
                prospect.failures += 1;
                state.prospect = Some(prospect);
                if matches!(news, Some(News::Edge(..))) && prospect.failures < LOOKS {
                    self.put(plan, machine, observer, ticket, state);
                } else {
                    self.frontier.finish(ticket);
                    self.hard.push_back(state);
                }
            }
        }
    }

    /// Asks with all effort about a state that a look found no input for.
    fn insist(&mut self, machine: &mut Machine<'_>, mut state: State) {
        match confirm(machine, &mut state, Effort::Full) {
            Answer::Sat(_) => self.frontier.start(state, Standing::default()),
            Answer::Unsat(_) => self.counts.infeasible += 1,
            Answer::Unknown(_) => self.counts.unknown += 1,
        }
    }

    /// How likely the state is to reach something new at once: the less, the more
    /// often no input was found for that.
    fn promise(&self, plan: &Plan, machine: &Machine<'_>, state: &State) -> Option<f64> {
        if !plan.strategy.seeks_coverage() {
            return None;
        }
        let news = news(machine, state)?;
        let failures = self.failures.get(&news).copied().unwrap_or(0);
        let weight = match news {
            News::Edge(..) => 1e6,
            News::Progress(..) => 1e3,
        };
        Some(weight * 0.5f64.powi(failures.min(40) as i32))
    }

    fn put(
        &mut self,
        plan: &Plan,
        machine: &mut Machine<'_>,
        observer: &mut impl Observer,
        ticket: Ticket,
        state: State,
    ) {
        let Some((ticket, mut state)) = self.admit(plan, machine, observer, ticket, state) else {
            return;
        };
        let promise = self.promise(plan, machine, &state);
        if let Some(prospect) = &mut state.prospect {
            prospect.promising = promise.is_some();
        }
        let standing = Standing {
            depth: state.depth,
            instructions: state.instructions,
            since_new: state.instructions - state.news,
            inputs: state.inputs.number() as u64,
            promise,
            branch: state.branch,
        };
        self.frontier.put(ticket, state, standing);
    }

    /// The state again, if its path is worth going on with.
    fn admit(
        &mut self,
        plan: &Plan,
        machine: &mut Machine<'_>,
        observer: &mut impl Observer,
        ticket: Ticket,
        mut state: State,
    ) -> Option<(Ticket, State)> {
        if plan.limits.depth.is_some_and(|depth| state.depth > depth) {
            self.frontier.finish(ticket);
            self.stop(machine, observer, state);
            return None;
        }
        if plan.look_ahead && !state.follows_model && !machine.may_reach_new(&state) {
            if self.shown.contains(&state.discovery) || state.prospect.is_some() {
                self.frontier.finish(ticket);
                self.counts.pruned += 1;
                return None;
            }
            // What it was the first to cover is in no test yet.
            state.follows_model = true;
        }
        Some((ticket, state))
    }

    pub(crate) fn end(
        &mut self,
        machine: &mut Machine<'_>,
        observer: &mut impl Observer,
        mut state: State,
        end: &End,
    ) {
        if !machine.complete_stdin(&mut state) {
            machine.note("a path has no standard input that its language accepts");
            self.counts.unknown += 1;
            return;
        }
        if *end == End::TooDeep {
            self.counts.too_deep += 1;
            return self.stop(machine, observer, state);
        }
        match end {
            End::TooDeep => {}
            End::Exit(_) => self.counts.completed += 1,
            End::Error(..) => self.counts.errors += 1,
            End::Ignored => self.counts.ignored += 1,
        }
        if !matches!(end, End::Ignored) {
            self.tests += 1;
            self.shown.insert(state.discovery);
        }
        settle(machine, &mut state);
        observer.ended(machine, &state, end);
    }

    fn stop(&mut self, machine: &mut Machine<'_>, observer: &mut impl Observer, mut state: State) {
        self.counts.unfinished += 1;
        if !machine.complete_stdin(&mut state) {
            return;
        }
        settle(machine, &mut state);
        observer.unfinished(machine, &state);
    }

    /// Looks at the limits, those that are dear to look at only if asked.
    pub(crate) fn look(
        &mut self,
        dear: bool,
        machine: &mut Machine<'_>,
        plan: &Plan,
        observer: &mut impl Observer,
    ) -> Option<Outcome> {
        let wish = dear.then(|| observer.progress(machine, &self.counts, self.frontier.len()));
        if let Some(outcome) = wish.flatten() {
            return Some(outcome);
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
            errors: self.counts.errors,
            states: self.frontier.len() as u64,
        };
        plan.limits.reached(&spent).map(Outcome::Limit)
    }
}

/// What nobody has done yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum News {
    /// Going along an edge of a function.
    Edge(u32, EdgeId),
    /// The same after so many inputs. In a program that reads and acts in a loop,
    /// this is how far it came.
    Progress(u32, EdgeId, usize),
}

/// What would be new if the state went where it may go.
fn news(machine: &Machine<'_>, state: &State) -> Option<News> {
    let edge = state.prospect?.edge?;
    let (function, inputs) = (state.frame.function, state.inputs.number());
    if !machine.coverage.followed(state.function(), edge) {
        return Some(News::Edge(function, edge));
    }
    let seen = machine.coverage.progressed(function, edge, inputs);
    (!seen).then_some(News::Progress(function, edge, inputs))
}

/// Looks for an input that takes the state where it may go; if there is one, the
/// state goes there.
fn confirm(machine: &mut Machine<'_>, state: &mut State, effort: Effort) -> Answer {
    let condition = state.prospect.expect("it is a prospect").condition;
    let answer = machine.ask(state, condition, effort);
    if let Answer::Sat(model) = &answer {
        state.prospect = None;
        state.model = Rc::new(model.clone());
        machine.assume(state, condition);
    }
    answer
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
