//! Long random walks of the model. Faults that show late, after the same transition was taken
//! several times, are far from anything a search by conditions looks at; a walk with concrete
//! values costs little and comes by many of them at once. A walk may also be all that is wanted,
//! one long test until a stop condition holds.

mod ends;
mod familiar;
mod idle;
mod mood;
mod rarity;

use crate::coverage::Distances;
use crate::execution::{Event, Executor, Move, StepOutcome, SymbolicState};
use crate::goal::{Goal, reached_along};
use crate::model::{Action, Model};
use crate::testcase::{Boundaries, Data, TakenInput, TestCase, TestStep, made};
use crate::until::{Until, Walked};
use ends::Ends;
use familiar::{Ahead, Familiar};
use idle::Idle;
use mood::{Mood, Moods};
use rarity::{Answer, Rarity};
use rustc_hash::FxHashMap;
use term::{Term, Value};

pub(crate) use rarity::talks_long;

/// One in so many inputs leads where walks were least.
const UNFAMILIAR: usize = 4;

/// One in so many of the others is the one after which the system does what it did least, and so many
/// messages are drawn for each of them.
const RAREST: usize = 2;
const DRAWN: usize = 2;

/// One in so many inputs is any that is possible, rather than the one that was taken least.
const ANY_INPUT: usize = 2;

/// One in so many inputs is taken again and again: queues get full and counters come to their
/// ends that way, which they seldom do by turns.
const BURST: usize = 5;

/// One in so many inputs may be one after which no other is taken, where there are others.
const ENDED: usize = 8;

/// The most that an input is repeated, and how often at most where that changes nothing.
const REPEATED: usize = 7;
const REPEATED_IN_VAIN: usize = 1;

/// One in so many inputs of a walk that is not curious has values after which the system takes any of
/// the steps that it may take, rather than any values.
const ANY_OUTCOME: usize = 2;

/// Values that are tried for an input before one is taken after which the system talks for long.
pub(crate) const ATTEMPTS: usize = 3;

/// Steps without anything new after which a walk towards coverage is given up.
const IN_VAIN: usize = 400;

/// Steps of one test of a walk: what follows is another test.
const LONGEST: usize = 1000;

/// One test as long as the model allows, then another, until the condition holds or nothing
/// new is met any more. Each is given to `keep` when it is finished.
///
/// # Errors
///
/// When `keep` fails, with its error.
pub fn walk<E>(
    executor: &mut Executor<'_, '_>,
    until: &Until,
    goals: &[Goal],
    data: &mut Data,
    mut keep: impl FnMut(&TestCase) -> Result<(), E>,
) -> Result<Vec<TestCase>, E> {
    let model = executor.model;
    let mut walks = Walks::new(model);
    walks.towards = Some(Distances::new(model));
    let is_over = |walked: &Walked, _: usize| {
        until.is_fulfilled(model, walked) || walked.since_new >= IN_VAIN && !until.is_about_length()
    };
    let mut tests: Vec<TestCase> = Vec::new();
    while !is_over(&walks.walked, 0) {
        let before = walks.walked.steps;
        let enough = |walked: &Walked, steps: usize| steps >= LONGEST || is_over(walked, steps);
        let Some(steps) = walks.next(executor, data, enough) else {
            break;
        };
        if walks.walked.steps == before {
            break;
        }
        let path: Vec<Move> = steps.iter().filter_map(|step| step.step).collect();
        let reached = reached_along(model, goals, &path).into_iter();
        let test = TestCase {
            name: format!("test{:03}", tests.len() + 1),
            goals: reached.map(|goal| goals[goal].name(model)).collect(),
            steps,
        };
        keep(&test)?;
        tests.push(test);
    }
    Ok(tests)
}

/// Walks that remember what the ones before tried.
pub(crate) struct Walks {
    pub boundaries: Boundaries,
    pub walked: Walked,
    /// Where new coverage is, if inputs should lead there.
    towards: Option<Distances>,
    /// The input before, and how often which one came after which.
    last: usize,
    pairs: FxHashMap<(usize, usize), usize>,
    pub burst: Burst,
    /// The values of the variables before the last input.
    before: Option<Vec<Value>>,
    /// Where the walks were; not asked of models with clocks, where it is the system that chooses.
    familiar: Option<Familiar>,
    /// What the system did there, likewise.
    rarity: Option<Rarity>,
    idle: Idle,
    ends: Ends,
    moods: Moods,
    /// How the next input is chosen.
    mood: Mood,
}

/// An input with its values.
struct Given {
    values: Vec<Value>,
    event: Event,
    after: SymbolicState,
    /// What the system does then; none where that takes long, or is not asked.
    answer: Option<Answer>,
}

/// An input that is repeated for a while.
#[derive(Clone, Copy, Default)]
pub(crate) struct Burst {
    /// The transition that takes it.
    repeated: usize,
    /// How often it still is.
    left: usize,
}

impl Burst {
    /// Whether this transition should be taken again.
    pub fn is_for(self, transition: usize) -> bool {
        self.left > 0 && self.repeated == transition
    }

    /// Takes note of an input, and decides whether it is repeated.
    pub fn note(&mut self, transition: usize, data: &mut Data) {
        if self.is_for(transition) {
            self.left -= 1;
            return;
        }
        // A burst is over where its input can no longer be taken.
        let is_over = self.left > 0;
        let begins = !is_over && data.below(BURST) == 0;
        *self = Burst {
            repeated: transition,
            left: if begins { 1 + data.below(REPEATED) } else { 0 },
        };
    }
}

impl Walks {
    pub fn new(model: &Model) -> Walks {
        Walks {
            boundaries: Boundaries::default(),
            walked: Walked::new(model),
            towards: None,
            last: usize::MAX,
            pairs: FxHashMap::default(),
            burst: Burst::default(),
            before: None,
            familiar: model.time.is_none().then(|| Familiar::new(model)),
            rarity: model.time.is_none().then(|| Rarity::new(model)),
            idle: Idle::new(model),
            ends: Ends::of(model),
            moods: Moods::default(),
            mood: Mood::default(),
        }
    }

    /// Another walk begins.
    pub fn begin(&mut self, data: &mut Data) {
        (self.last, self.burst) = (usize::MAX, Burst::default());
        self.before = None;
        self.idle.begin();
        self.moods = Moods::default();
        if let Some(rarity) = &mut self.rarity {
            rarity.begin();
        }
        data.forget();
    }

    /// Whether the walk looks for what was seldom at the moment.
    pub fn is_curious(&self) -> bool {
        self.mood == Mood::Curious
    }

    /// The steps of a test along a new walk; none if it was stopped, or leads nowhere. It is
    /// long enough when that is said of what was walked, and of its own steps.
    pub fn next(
        &mut self,
        executor: &mut Executor<'_, '_>,
        data: &mut Data,
        enough: impl Fn(&Walked, usize) -> bool,
    ) -> Option<Vec<TestStep>> {
        let mut state = executor.initial();
        let mut steps = Vec::new();
        self.begin(data);
        while !enough(&self.walked, steps.len()) && !executor.stop().is_set() {
            let Some((step, event, after)) = self.step(executor, &state, data) else {
                break;
            };
            self.walked.note(executor.model, step);
            steps.push((step, event));
            state = after;
        }
        data.forget();
        let found = made(executor, &state, steps, data)?;
        (!executor.stop().is_set()).then_some(found)
    }

    /// What the system does by itself, or else an input.
    fn step(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        data: &mut Data,
    ) -> Option<(Move, Event, SymbolicState)> {
        let mut own = executor.moves(&state.location);
        own.retain(|step| !is_input(executor.model, step));
        shuffle(&mut own, data);
        for step in own {
            if let Some((event, after)) = taken(executor, state, step, None) {
                return Some((step, event, after));
            }
        }
        self.any_input(executor, state, data)
    }

    /// An input that the system takes in this state.
    pub fn any_input(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        data: &mut Data,
    ) -> Option<(Move, Event, SymbolicState)> {
        let mut inputs = executor.moves(&state.location);
        inputs.retain(|step| is_input(executor.model, step));
        shuffle(&mut inputs, data);
        let held = executor.values(&state.valuation, &state.model);
        let held = held.unwrap_or_default();
        if self.before.as_ref() == Some(&held) {
            self.burst.left = self.burst.left.min(REPEATED_IN_VAIN);
        }
        self.before = Some(held.clone());
        data.hold(held);
        if let Some(familiar) = &mut self.familiar {
            familiar.note(executor, state);
        }
        self.mood = self.moods.next(data);
        if data.below(ENDED) > 0 {
            let (ending, others): (Vec<Move>, Vec<Move>) = inputs
                .iter()
                .partition(|step| self.ends.is_for(executor.model, step));
            if !ending.is_empty()
                && let Some(found) = self.some_input(executor, state, others, data)
            {
                return Some(found);
            }
        }
        self.some_input(executor, state, inputs, data)
    }

    /// One of the inputs that can be taken, as the mood is.
    fn some_input(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        inputs: Vec<Move>,
        data: &mut Data,
    ) -> Option<(Move, Event, SymbolicState)> {
        match self.mood {
            Mood::Curious => self.curious_input(executor, state, inputs, data),
            Mood::Plain | Mood::Steady => self.first_input(executor, state, inputs, data),
        }
    }

    /// An input that leads to what was seldom.
    fn curious_input(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        mut inputs: Vec<Move>,
        data: &mut Data,
    ) -> Option<(Move, Event, SymbolicState)> {
        if let Some(found) = self.unfamiliar(executor, state, &inputs, data) {
            return Some(found);
        }
        if self.rarity.is_some() && self.burst.left == 0 && data.below(RAREST) == 0 {
            let found = self.rarest(executor, state, &inputs, data);
            if let Some((step, event, after)) = found {
                self.note(executor, state, step.first, data);
                return Some((step, event, after));
            }
        }
        if data.below(ANY_INPUT) > 0 {
            self.sort(executor, state, &mut inputs);
        }
        self.first_input(executor, state, inputs, data)
    }

    /// The first of the inputs that can be taken, after those that are being repeated.
    fn first_input(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        mut inputs: Vec<Move>,
        data: &mut Data,
    ) -> Option<(Move, Event, SymbolicState)> {
        let burst = self.burst;
        inputs.sort_by_key(|step| !burst.is_for(step.first));
        for step in inputs {
            if let Some((event, after)) = self.input(executor, state, step, None, data) {
                self.note(executor, state, step.first, data);
                return Some((step, event, after));
            }
        }
        None
    }

    /// Now and then, the input that leads where walks were least, unless one is being repeated.
    fn unfamiliar(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        inputs: &[Move],
        data: &mut Data,
    ) -> Option<(Move, Event, SymbolicState)> {
        let familiar = self.familiar.as_ref()?;
        if self.burst.left > 0 || data.below(UNFAMILIAR) > 0 {
            return None;
        }
        let ahead = familiar.least(executor, state, inputs)?;
        let step = ahead.step;
        let (event, after) = self.input(executor, state, step, Some(ahead), data)?;
        self.note(executor, state, step.first, data);
        Some((step, event, after))
    }

    fn note(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        input: usize,
        data: &mut Data,
    ) {
        if let Some(familiar) = &mut self.familiar {
            familiar.note_input(executor, state, input);
        }
        *self.pairs.entry((self.last, input)).or_default() += 1;
        self.last = input;
        self.burst.note(input, data);
    }

    /// Puts the inputs first that lead to new coverage, then those that were taken least: where the
    /// system is now, after the input before, and at all.
    fn sort(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        inputs: &mut [Move],
    ) {
        let Walks {
            walked,
            towards,
            last,
            pairs,
            familiar,
            ..
        } = self;
        let here = familiar.as_ref().map(|it| it.taken(executor, state));
        let here = here.unwrap_or_default();
        inputs.sort_by_cached_key(|step| {
            let taken = walked.taken[step.first];
            let transition = &executor.model.transitions[step.first];
            let mut location = state.location.clone();
            location[transition.automaton] = transition.to;
            let far = towards.as_mut().map(|it| it.of(&location, &walked.taken));
            let here = here.get(&step.first).copied().unwrap_or(0);
            let after = pairs.get(&(*last, step.first)).copied().unwrap_or(0);
            (taken > 0 && towards.is_some(), far, here, after, taken)
        });
    }

    /// Takes an input with values of its own, such as lead to a state if one is wanted.
    fn input(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        step: Move,
        ahead: Option<Ahead>,
        data: &mut Data,
    ) -> Option<(Event, SymbolicState)> {
        let (event, after, end) = match ahead {
            Some(ahead) => (ahead.event, ahead.after, Some(ahead.end)),
            None => {
                let StepOutcome::Feasible(found) = executor.step(state, step) else {
                    return None;
                };
                (found.0, found.1, None)
            }
        };
        let Event::Input { channel, values } = event else {
            return None;
        };
        let open = TakenInput {
            transition: step.first,
            values,
            after,
        };
        // When an output comes is the system's choice, so with clocks values lead nowhere for sure.
        let is_timed = executor.model.time.is_some();
        let is_curious = self.mood == Mood::Curious || Some(channel) == executor.model.time;
        let is_asked = is_curious && !is_timed || !is_curious && data.below(ANY_OUTCOME) == 0;
        let wanted = match is_asked && end.is_none() {
            true => self.wanted(executor, &open.after, data),
            false => None,
        };
        let outcome = wanted.as_ref().unwrap_or(&open.after).clone();
        let mut found = None;
        for _ in 0..ATTEMPTS {
            let towards = (channel, wanted.as_ref());
            let idle = match Some(channel) == executor.model.time {
                true => self.idle.chosen(executor, &open, data),
                false => None,
            };
            let chosen = match (&end, idle) {
                (_, Some(idle)) => idle,
                (Some(end), None) => data.diversified(executor, end, &open.values),
                (None, None) if is_curious => {
                    self.boundaries.chosen(executor, &open, towards, data)
                }
                (None, None) if self.mood == Mood::Steady => {
                    data.steadily(executor, (channel, &outcome), &open.values)
                }
                (None, None) => data.diversified(executor, &outcome, &open.values),
            };
            let given = self.given(executor, state, step, &open.values, &chosen)?;
            let is_long = match &self.rarity {
                _ if open.values.is_empty() => false,
                Some(_) => given.answer.is_none(),
                None => talks_long(executor, &given.after),
            };
            found = Some(given);
            if !is_long {
                break;
            }
        }
        Some(self.settled(channel, found?, data))
    }

    /// The input whose values lead to what the system did least, of some that are drawn.
    fn rarest(
        &mut self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        inputs: &[Move],
        data: &mut Data,
    ) -> Option<(Move, Event, SymbolicState)> {
        let mut best: Option<(usize, Move, usize, Given)> = None;
        for &step in inputs {
            let StepOutcome::Feasible(found) = executor.step(state, step) else {
                continue;
            };
            let (Event::Input { channel, values }, after) = *found else {
                continue;
            };
            let drawn = if values.is_empty() { 1 } else { DRAWN };
            for _ in 0..drawn {
                let chosen = data.diversified(executor, &after, &values);
                let Some(given) = self.given(executor, state, step, &values, &chosen) else {
                    continue;
                };
                let rarity = self.rarity.as_ref().zip(given.answer.as_ref());
                let rarity = rarity.map_or(0, |(known, answer)| known.of(answer));
                if best.as_ref().is_none_or(|(most, ..)| rarity > *most) {
                    best = Some((rarity, step, channel, given));
                }
            }
        }
        let (_, step, channel, given) = best?;
        let (event, after) = self.settled(channel, given, data);
        Some((step, event, after))
    }

    /// An input with the values that a state gives to it.
    fn given(
        &self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        step: Move,
        values: &[Term],
        chosen: &SymbolicState,
    ) -> Option<Given> {
        let values = executor.values(values, &chosen.model)?;
        let terms = executor.constants(&values);
        let (event, after) = taken(executor, state, step, Some(&terms))?;
        let answer = match &self.rarity {
            Some(rarity) => rarity.answer(executor, (step.first, &values), &after),
            None => None,
        };
        Some(Given {
            values,
            event,
            after,
            answer,
        })
    }

    /// Takes note of an input that was decided for.
    fn settled(&mut self, channel: usize, given: Given, data: &mut Data) -> (Event, SymbolicState) {
        if let (Some(rarity), Some(answer)) = (&mut self.rarity, given.answer) {
            rarity.note(answer);
        }
        // What a system with clocks does depends on when it is asked, too.
        if self.rarity.is_some() {
            data.remember(channel, &given.values);
        }
        (given.event, given.after)
    }
}

impl Walks {
    /// Where the system goes from here by the step of its own that it took least, as far as the
    /// values of the last input decide that; now and then by any.
    fn wanted(
        &self,
        executor: &mut Executor<'_, '_>,
        state: &SymbolicState,
        data: &mut Data,
    ) -> Option<SymbolicState> {
        let mut own = executor.moves(&state.location);
        own.retain(|step| !is_input(executor.model, step));
        shuffle(&mut own, data);
        if self.is_curious() && data.below(ANY_INPUT) > 0 {
            own.sort_by_key(|step| self.walked.taken[step.first]);
        }
        own.into_iter()
            .find_map(|step| match executor.step(state, step) {
                StepOutcome::Feasible(found) => Some(found.1),
                StepOutcome::Infeasible | StepOutcome::Unknown(_) => None,
            })
    }
}

/// Whether a step begins outside.
fn is_input(model: &Model, step: &Move) -> bool {
    matches!(model.transitions[step.first].action, Action::Input { .. })
}

/// The step, if it can be taken, with the results of external functions in place.
fn taken(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
    step: Move,
    given: Option<&[term::Term]>,
) -> Option<(Event, SymbolicState)> {
    let mut symbolic = executor.symbolic_step(state, step, given);
    executor.compute_calls(&mut symbolic).ok()?;
    match executor.decide(state, symbolic) {
        StepOutcome::Feasible(found) => Some(*found),
        StepOutcome::Infeasible | StepOutcome::Unknown(_) => None,
    }
}

fn shuffle(moves: &mut [Move], data: &mut Data) {
    for number in (1..moves.len()).rev() {
        moves.swap(number, data.below(number + 1));
    }
}
