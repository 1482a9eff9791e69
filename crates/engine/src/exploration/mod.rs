//! Exploring a program: states out of the frontier, through the machine, and
//! back, until none is left or a limit is reached.
//!
//! What waits beside the states that run is told in [`deferral`]; one concolic run after
//! the other, as DART has it, is [`directed`].

mod deferral;
mod directed;

use crate::notes::Notes;
use crate::observer::{Observer, PathEnd, Progress};
use crate::outcome::{Counts, Outcome};
use crate::policy::fitness::{self, Fitness, edge_of, location_number};
use crate::policy::follow::{self, Follow, Reason};
use crate::policy::look_ahead::LookAhead;
use crate::policy::selective::Selective;
use crate::policy::staged::has_valid_objects;
use crate::policy::{ranged, seeds};
use crate::range::Range;
use crate::waiting::{Deferral, Held, OpenRanges, Waiting};
use base::{Cause, Stop, Stopped};
use deferral::NewCoverage;
use explore::{Frontier, Limits, Spent, Standing, Strategy, Ticket};
use machine::{End, Machine, RetraceError, Retraced, State, Turn};
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::time::Duration;
use term::Assignment;

/// How to explore.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// How the next state is chosen.
    pub strategy: Strategy,
    /// What random choices depend on.
    pub seed: u64,
    /// When to stop, beside the machine's stop token.
    pub limits: Limits,
    /// Whether paths are dropped that can reach nothing new.
    pub look_ahead: bool,
    /// Turns between two looks at limits that are expensive to look at, and at what the
    /// observer wants; 64 if none are given.
    pub look_every: Option<u64>,
}

/// The policies that an exploration works with, beside answering the machine.
pub(crate) struct Steering {
    pub follow: Rc<Follow>,
    pub selective: Option<Rc<Selective>>,
    pub fitness: Option<Rc<Fitness>>,
    /// Whether one concolic run follows the other.
    pub directed: bool,
}

/// Short turns between two looks at limits that are expensive to look at.
const LOOK_EVERY: u64 = 64;

/// Instructions that take about as long as a query to a backend.
const QUERY: u64 = 100_000;

/// How long the tests of unfinished paths may take when the time is over: who waits
/// for the end should not wait for another minute.
const GRACE: Duration = Duration::from_millis(500);

/// Which paths an exploration follows.
pub(crate) enum Begins {
    /// All, from this state on.
    At(Box<State>),
    /// Those of these ranges.
    In(Vec<Range>),
}

/// Follows paths of a program that begin at `origin`.
pub(crate) fn explore(
    machine: &mut Machine<'_>,
    origin: State,
    begins: Begins,
    plan: &Plan,
    steering: &Steering,
    observer: &mut dyn Observer,
) -> (Outcome, Counts) {
    let mut exploration = Exploration {
        origin,
        steering,
        follow: &steering.follow,
        frontier: Frontier::new(plan.strategy, plan.seed),
        counts: Counts {
            // The first block counts as executed when the state is made.
            instructions: match &begins {
                Begins::At(first) => first.progress.instructions,
                Begins::In(_) => 0,
            },
            ..Counts::default()
        },
        tests: 0,
        shown: HashSet::new(),
        failures: HashMap::new(),
        hard: VecDeque::new(),
        open: OpenRanges::default(),
        first: None,
        seeded: Vec::new(),
        running: None,
        came_near: Vec::new(),
        nearest: HashMap::new(),
        aims_at: 0,
        look_ahead: plan.look_ahead.then(LookAhead::default),
        notes: Notes::default(),
    };
    let outcome = match begins {
        Begins::At(first) if steering.directed => {
            exploration.directed(machine, &first, plan, observer)
        }
        begins => exploration.all(machine, begins, plan, observer),
    };
    for note in exploration.notes.take() {
        observer.note(&note);
    }
    (outcome, exploration.counts)
}

pub(crate) struct Exploration<'e> {
    /// Where every path begins.
    origin: State,
    steering: &'e Steering,
    pub(crate) follow: &'e Follow,
    frontier: Frontier<Waiting>,
    pub(crate) counts: Counts,
    tests: u64,
    /// The last discoveries of the paths that ended in a test.
    shown: HashSet<u64>,
    /// How often no input was found that leads to something new.
    failures: HashMap<NewCoverage, u32>,
    /// Deferred states that bounded checks found no input for.
    hard: VecDeque<Waiting>,
    /// What changed among the open ranges since it was last told.
    open: OpenRanges,
    /// Where runs begin that go through selected code again.
    first: Option<State>,
    /// States that carry seeds: they go before all others, the last one first.
    seeded: Vec<(Ticket, Waiting)>,
    /// The state that goes on until its end, if the strategy has it so.
    running: Option<(Ticket, Waiting)>,
    /// How near that state came to targets.
    came_near: Vec<(u64, f64)>,
    /// How near any state came to them, and with which inputs.
    nearest: HashMap<u64, (f64, Rc<Assignment>)>,
    /// How much was covered when was last looked which targets are open.
    aims_at: u64,
    look_ahead: Option<LookAhead>,
    /// What to tell the user, each thing once.
    pub(crate) notes: Notes,
}

impl Exploration<'_> {
    fn all(
        &mut self,
        machine: &mut Machine<'_>,
        begins: Begins,
        plan: &Plan,
        observer: &mut dyn Observer,
    ) -> Outcome {
        match begins {
            Begins::At(mut first) => {
                if let Some(selective) = &self.steering.selective {
                    selective.begin(&mut first);
                    self.first = Some((*first).clone());
                }
                self.start(Held::Running(*first));
            }
            Begins::In(ranges) => {
                for range in ranges {
                    self.start(Held::Range(Box::new(range)));
                }
            }
        }
        let outcome = self.turns(machine, plan, observer);
        if outcome != Outcome::Complete {
            self.tell_ranges(machine, observer);
        }
        if outcome == Outcome::GivenAway {
            return outcome;
        }
        self.empty(machine, observer);
        if let Some(selective) = &self.steering.selective {
            self.counts.divergences += selective.divergences();
        }
        outcome
    }

    fn start(&mut self, held: Held) {
        self.frontier.start(Waiting::new(held), Standing::default());
    }

    /// Tells which ranges were opened and closed since the last time.
    fn tell_ranges(&mut self, machine: &mut Machine<'_>, observer: &mut dyn Observer) {
        if observer.has_others() {
            let solver = machine.mixed.solver_mut();
            observer.found_out(solver.take_contradictions(&machine.store));
        }
        let running = self.running.iter_mut().chain(&mut self.seeded);
        let waiting = self.frontier.states_mut().chain(&mut self.hard);
        for waiting in waiting.chain(running.map(|(_, waiting)| waiting)) {
            self.open.note(&machine.store, waiting);
        }
        let change = self.open.take();
        observer.ranges(change, &self.progress(machine));
    }

    /// Gives away half of what waits, the shallowest: their subtrees are the largest.
    fn give_away(&mut self, machine: &Machine<'_>) {
        let mut waiting = Vec::new();
        while let Some(next) = self.frontier.take() {
            waiting.push(next);
        }
        waiting.sort_by_key(|(_, waiting)| waiting.depth());
        let given = waiting.len() / 2;
        for (number, (ticket, waiting)) in waiting.into_iter().enumerate() {
            if number < given {
                self.frontier.finish(ticket);
                self.open.give(&machine.store, waiting);
            } else {
                let standing = standing(&waiting);
                self.frontier.put(ticket, waiting, standing);
            }
        }
        // Full checks take longest, and anybody can make them.
        for waiting in self.hard.drain(..self.hard.len() / 2) {
            self.open.give(&machine.store, waiting);
        }
    }

    fn progress<'a, 'p>(&'a self, machine: &'a Machine<'p>) -> Progress<'a, 'p> {
        Progress {
            machine,
            counts: &self.counts,
            waiting: self.frontier.len() + self.seeded.len(),
            has_seeds: !self.seeded.is_empty(),
        }
    }

    /// Empties the frontier, so that no path is lost: in order, as long as there is time for
    /// tests.
    fn empty(&mut self, machine: &mut Machine<'_>, observer: &mut dyn Observer) {
        let grace = match machine.options.stop.cause() {
            Some(Cause::Time | Cause::Interrupt | Cause::Memory) => Stop::new(Some(GRACE), None),
            Some(Cause::Count) | None => Stop::never(),
        };
        // Writing what is there takes queries too, and the token ends those now.
        if machine.options.stop.is_set() {
            machine.mixed.set_stop(grace.clone());
        }
        for (ticket, waiting) in self.running.take().into_iter().chain(self.seeded.drain(..)) {
            self.frontier.put(ticket, waiting, Standing::default());
        }
        // What waits is in no test yet. A deferred state has no input, so it cannot be in
        // one; all others have their model.
        let told = observer.wants_unfinished();
        let mut untold = 0u64;
        while told && !grace.is_set() {
            let Some((ticket, waiting)) = self.frontier.take() else {
                break;
            };
            self.frontier.finish(ticket);
            match waiting.held {
                Held::Deferred(..) => self.counts.unknown += 1,
                Held::Running(state) => self.stop(machine, observer, state),
                Held::Range(_) => untold += 1,
            }
        }
        for waiting in self.frontier.drain() {
            match waiting.held {
                Held::Deferred(..) => self.counts.unknown += 1,
                Held::Running(state) if ranged::is_outside(&state) => {}
                Held::Running(_) | Held::Range(_) => untold += 1,
            }
        }
        self.counts.unfinished += untold;
        self.counts.unknown += self.hard.len() as u64;
        if told && untold > 0 {
            let note =
                format!("{untold} unfinished paths have no test: there was no time for them");
            self.notes.add(note);
        }
    }

    fn turns(
        &mut self,
        machine: &mut Machine<'_>,
        plan: &Plan,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let mut turns = 0u64;
        loop {
            turns += 1;
            let mut was_expensive = turns.is_multiple_of(plan.look_every.unwrap_or(LOOK_EVERY));
            self.end_crashes(machine, observer);
            let before = self.work(machine);
            match self.next(machine) {
                Some((ticket, Held::Running(state))) => {
                    self.turn(plan, machine, observer, ticket, state);
                }
                Some((ticket, Held::Deferred(state, deferral))) => {
                    self.resume(plan, machine, observer, ticket, state, deferral);
                    was_expensive = true;
                }
                Some((ticket, Held::Range(range))) => {
                    self.recover(plan, machine, observer, ticket, range);
                    was_expensive = true;
                }
                // Full checks are made when nothing else is left to do: by then most of
                // what they would reach has been reached in another way.
                None => match self
                    .hard
                    .pop_front()
                    .map(|waiting| self.open.close(waiting))
                {
                    Some(Held::Deferred(state, deferral)) => {
                        self.check_fully(machine, observer, state, deferral);
                        was_expensive = true;
                    }
                    Some(held) => self.start(held),
                    None => return Outcome::Complete,
                },
            }
            self.frontier.spent(self.work(machine) - before);
            if let Some(outcome) = self.check_limits(was_expensive, machine, plan, observer) {
                self.end_crashes(machine, observer);
                // A limit that the last path has come to leaves nothing out.
                return match outcome {
                    Outcome::Limit(_) if self.is_over() => Outcome::Complete,
                    outcome => outcome,
                };
            }
        }
    }

    /// What was done so far, in instructions and their like.
    fn work(&self, machine: &Machine<'_>) -> u64 {
        self.counts.instructions + QUERY * machine.asked()
    }

    /// Whether no path is left to be followed.
    fn is_over(&self) -> bool {
        let is_open = self.running.is_some() || !self.seeded.is_empty();
        !is_open && self.frontier.is_empty() && self.hard.is_empty()
    }

    /// The state that goes on, or one that waits.
    fn next(&mut self, machine: &mut Machine<'_>) -> Option<(Ticket, Held)> {
        // Fitness is measured over whole runs, so a state that was chosen keeps its turn.
        if let Some((ticket, waiting)) = self.running.take().or_else(|| self.seeded.pop()) {
            return Some((ticket, self.open.close(waiting)));
        }
        self.came_near.clear();
        if self.steering.fitness.is_some() && self.aims_at != machine.coverage.count {
            self.aims_at = machine.coverage.count;
            self.frontier.retain_targets(|target| {
                let (function, edge) = edge_of(target);
                !machine.coverage.followed(function, edge)
            });
        }
        let (ticket, waiting) = self.frontier.take()?;
        let mut held = self.open.close(waiting);
        let nearest = self.frontier.aim().and_then(|aim| self.nearest.get(&aim));
        if let (Held::Running(state), Some((_, inputs))) = (&mut held, nearest) {
            fitness::take_over(machine, state, inputs);
        }
        Some((ticket, held))
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
        observer: &mut dyn Observer,
        ticket: Ticket,
        state: State,
    ) {
        let before = state.progress.instructions;
        let turn = machine.run(state);
        self.after(plan, machine, observer, ticket, turn, before);
    }

    /// Brings back the state that a range was made of, and lets it have its turn.
    fn recover(
        &mut self,
        plan: &Plan,
        machine: &mut Machine<'_>,
        observer: &mut dyn Observer,
        ticket: Ticket,
        range: Box<Range>,
    ) {
        let model = range.model(&mut machine.store);
        match machine.retrace(self.origin.clone(), range.record(), model) {
            Ok(Retraced::Running(turn)) => {
                let before = range.instructions();
                self.after(plan, machine, observer, ticket, turn, before);
            }
            Ok(Retraced::Deferred(state, query)) => {
                let deferral = Some(Deferral::new(query));
                self.put(plan, machine, observer, ticket, state, deferral);
            }
            // The range is as good as it was.
            Err(RetraceError::Stopped(_)) => {
                let waiting = Waiting::new(Held::Range(range));
                self.frontier.put(ticket, waiting, Standing::default());
            }
            Err(lost @ RetraceError::Lost) => {
                self.frontier.finish(ticket);
                self.counts.unknown += 1;
                self.notes.add(lost.to_string());
            }
        }
    }

    /// Keeps what came of a turn of a state that had executed so much before.
    fn after(
        &mut self,
        plan: &Plan,
        machine: &mut Machine<'_>,
        observer: &mut dyn Observer,
        mut ticket: Ticket,
        turn: Turn,
        before: u64,
    ) {
        let Turn {
            state,
            end,
            successors,
        } = turn;
        let executed = state.progress.instructions.saturating_sub(before);
        self.counts.instructions += executed + successors.instructions;
        self.notes.extend(successors.notes);
        if let Some(fitness) = &self.steering.fitness {
            for (target, distance) in fitness.take_distances() {
                self.frontier.note_distance(target, distance);
                self.came_near.push((target, distance));
            }
        }
        if let (Some(selective), Some(first)) = (&self.steering.selective, &self.first) {
            let revisits = selective.take_revisits(first);
            for state in revisits {
                self.counts.revisited += 1;
                self.start(Held::Running(state));
            }
        }
        for (state, end) in successors.ended {
            self.end(machine, observer, state, &end);
        }
        // A fork's ticket is split off the running state's, deferred ones first: random
        // paths are drawn by the shape of this tree, and equal seeds must draw equal ones.
        for (state, query) in successors.deferred {
            let place = self.frontier.fork(&mut ticket);
            let deferral = Some(Deferral::new(query));
            self.put(plan, machine, observer, place, state, deferral);
        }
        for state in successors.running {
            let place = self.frontier.fork(&mut ticket);
            self.put(plan, machine, observer, place, state, None);
        }
        match end {
            None if plan.strategy.finishes_runs() => {
                let admitted = self.admit(plan, machine, observer, ticket, state, false);
                self.running =
                    admitted.map(|(ticket, state)| (ticket, Waiting::new(Held::Running(state))));
            }
            None => self.put(plan, machine, observer, ticket, state, None),
            Some(end) => {
                self.note_nearest(&state);
                self.frontier.finish(ticket);
                self.end(machine, observer, state, &end);
            }
        }
    }

    fn put(
        &mut self,
        plan: &Plan,
        machine: &mut Machine<'_>,
        observer: &mut dyn Observer,
        ticket: Ticket,
        state: State,
        mut deferred: Option<Deferral>,
    ) {
        let admitted = self.admit(plan, machine, observer, ticket, state, deferred.is_some());
        let Some((ticket, mut state)) = admitted else {
            return;
        };
        if deferred.is_none() && seeds::adopt(&mut state) {
            let waiting = Waiting::new(Held::Running(state));
            return self.seeded.push((ticket, waiting));
        }
        let promise = deferred.and_then(|it| self.promise(plan, machine, &state, &it));
        if let Some(deferral) = &mut deferred {
            deferral.promising = promise.is_some();
        }
        let waiting = Waiting::new(match deferred {
            Some(deferral) => Held::Deferred(state, deferral),
            None => Held::Running(state),
        });
        let standing = Standing {
            promise,
            ..standing(&waiting)
        };
        self.frontier.put(ticket, waiting, standing);
    }

    /// The state again, if its path is worth going on with.
    fn admit(
        &mut self,
        plan: &Plan,
        machine: &mut Machine<'_>,
        observer: &mut dyn Observer,
        ticket: Ticket,
        mut state: State,
        is_deferred: bool,
    ) -> Option<(Ticket, State)> {
        if ranged::is_outside(&state) {
            self.frontier.finish(ticket);
            return None;
        }
        let depth = state.progress.depth;
        if plan.limits.depth.is_some_and(|limit| depth > limit) {
            self.frontier.finish(ticket);
            self.stop(machine, observer, state);
            return None;
        }
        if let Some(look_ahead) = &mut self.look_ahead
            && !follow::is_marked(&state, Reason::End)
            && !look_ahead.may_reach_new(machine, &state)
        {
            // Nothing is lost with a path whose last new coverage is in a test already.
            if self.shown.contains(&state.progress.last_new) || is_deferred {
                self.frontier.finish(ticket);
                self.counts.pruned += 1;
                return None;
            }
            // What it was the first to cover is in no test yet.
            follow::begin(&mut state, Reason::End);
        }
        Some((ticket, state))
    }

    pub(crate) fn end(
        &mut self,
        machine: &mut Machine<'_>,
        observer: &mut dyn Observer,
        mut state: State,
        end: &End,
    ) {
        if ranged::ends_outside(&state) {
            return;
        }
        let instead;
        let end = match end {
            End::Exit(_) | End::Error(..) => match machine.confirm_calls(&mut state) {
                Ok(()) => end,
                Err(Some(other)) => {
                    instead = other;
                    &instead
                }
                Err(None) => {
                    self.counts.infeasible += 1;
                    return;
                }
            },
            // Nobody counts what another path shows.
            End::Redundant => return,
            End::Ignored | End::TooDeep | End::Unknown => end,
        };
        match machine.complete_streams(&mut state) {
            Ok(true) => {}
            Ok(false) => {
                let note = "a path has no standard input that its language accepts";
                self.notes.add(note.to_owned());
                self.counts.unknown += 1;
                return;
            }
            Err(Stopped) => {
                let note = "a path has no test: there was no time to complete its input";
                self.notes.add(note.to_owned());
                self.counts.unfinished += 1;
                return;
            }
        }
        if *end == End::TooDeep {
            self.counts.too_deep += 1;
            return self.stop(machine, observer, state);
        }
        if *end == End::Unknown {
            self.counts.unknown += 1;
            self.counts.explained += 1;
            return;
        }
        match end {
            End::TooDeep | End::Unknown | End::Redundant => {}
            End::Exit(_) => self.counts.completed += 1,
            End::Error(..) => self.counts.errors += 1,
            End::Ignored => self.counts.ignored += 1,
        }
        let mut covers_new = false;
        if !matches!(end, End::Ignored) {
            self.tests += 1;
            covers_new = self.shown.insert(state.progress.last_new);
        }
        self.counts.valid += u64::from(has_valid_objects(&state));
        settle(machine, &mut state);
        observer.ended(&mut PathEnd::new(machine, &state, covers_new), end);
    }

    /// Ends paths at native crashes that came to light while conditions were decided.
    fn end_crashes(&mut self, machine: &mut Machine<'_>, observer: &mut dyn Observer) {
        for (state, end) in machine.crashed_calls() {
            self.end(machine, observer, state, &end);
        }
    }

    fn stop(&mut self, machine: &mut Machine<'_>, observer: &mut dyn Observer, mut state: State) {
        if ranged::is_outside(&state) {
            return;
        }
        self.counts.unfinished += 1;
        if !observer.wants_unfinished() || machine.complete_streams(&mut state) != Ok(true) {
            return;
        }
        let covers_new = self.shown.insert(state.progress.last_new);
        settle(machine, &mut state);
        observer.unfinished(&mut PathEnd::new(machine, &state, covers_new));
    }

    /// How the exploration ends, if it does so now. The observer is asked only now and
    /// then.
    pub(crate) fn check_limits(
        &mut self,
        ask_observer: bool,
        machine: &mut Machine<'_>,
        plan: &Plan,
        observer: &mut dyn Observer,
    ) -> Option<Outcome> {
        if ask_observer {
            let outcome = observer.progress(&self.progress(machine));
            if outcome.is_some() {
                return outcome;
            }
            if let Some(news) = observer.news() {
                machine.coverage.absorb(&news.covered);
                for contradiction in &news.contradictions {
                    let solver = machine.mixed.solver_mut();
                    solver.learn_contradiction(&mut machine.store, contradiction);
                }
            }
            if observer.wants_gift() {
                self.give_away(machine);
                self.tell_ranges(machine, observer);
            } else if observer.wants_ranges() {
                self.tell_ranges(machine, observer);
            }
        }
        if machine.options.stop.is_set() {
            return machine.options.stop.cause().map(Outcome::from);
        }
        let spent = Spent {
            instructions: self.counts.instructions,
            forks: machine.forks,
            tests: self.tests,
            errors: self.counts.errors,
            states: self.frontier.len() as u64,
        };
        plan.limits.reached(&spent).map(Outcome::Limit)
    }
}

/// What searchers look at, but for what it promises.
fn standing(waiting: &Waiting) -> Standing {
    match &waiting.held {
        Held::Running(state) | Held::Deferred(state, _) => {
            let progress = &state.progress;
            Standing {
                depth: progress.depth,
                instructions: progress.instructions,
                since_new: progress.instructions - progress.new_at,
                inputs: state.inputs.number() as u64,
                promise: None,
                branch: location_number(progress.forked_at),
            }
        }
        Held::Range(range) => Standing {
            depth: range.depth(),
            ..Standing::default()
        },
    }
}

/// Fixes what the program wrote, by the model that the path has in the end.
fn settle(machine: &mut Machine<'_>, state: &mut State) {
    let mut evaluation = machine.mixed.under(&machine.store, &state.model);
    state.output.settle(|term| evaluation.word(term) as u8);
}
