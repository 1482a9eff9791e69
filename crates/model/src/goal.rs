//! What tests should cover.

use crate::execution::{Executor, Move, SymbolicState};
use crate::exploration::Tree;
use crate::model::Model;
use crate::purpose::{Purpose, PurposeStep};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the user wants covered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Every transition, and every mutant of the model that is told from it.
    Mutants,
    /// Every part of every condition where it decides (MC/DC), and every transition.
    Conditions,
    /// Every comparison of numbers at its boundary and beside it, and every transition.
    Boundaries,
    /// Every class of values of an input with every class of another of the same message, and
    /// every transition.
    DataPairs,
    /// Every transition that is there for a requirement.
    Requirements,
    /// Every transition.
    Transitions,
    /// Every state.
    States,
    /// Every transition after every one that may come before it.
    Pairs,
    /// One transition.
    Transition(String),
    /// One state.
    State(String),
    /// Transitions in this order, each the name of one or of several with `|` between them;
    /// `*` stands for any others between them, and `*!NAME` for any but these.
    Purpose(Vec<String>),
}

/// Reads `mutants`, `mcdc`, `boundaries`, `data-pairs`, `requirements`, `transitions`, `states`,
/// `pairs`, `transition:NAME`, `state:NAME` and `purpose:NAME,*,NAME|NAME`.
impl std::str::FromStr for Coverage {
    type Err = NoCoverage;

    fn from_str(text: &str) -> Result<Coverage, NoCoverage> {
        let list = |names: &str| {
            names
                .split(',')
                .map(|name| name.trim().to_owned())
                .collect()
        };
        match (text, text.split_once(':')) {
            ("mutants", _) => Ok(Coverage::Mutants),
            ("mcdc", _) => Ok(Coverage::Conditions),
            ("boundaries", _) => Ok(Coverage::Boundaries),
            ("data-pairs", _) => Ok(Coverage::DataPairs),
            ("requirements", _) => Ok(Coverage::Requirements),
            ("transitions", _) => Ok(Coverage::Transitions),
            ("states", _) => Ok(Coverage::States),
            ("pairs", _) => Ok(Coverage::Pairs),
            (_, Some(("transition", name))) => Ok(Coverage::Transition(name.to_owned())),
            (_, Some(("state", name))) => Ok(Coverage::State(name.to_owned())),
            (_, Some(("purpose", names))) => Ok(Coverage::Purpose(list(names))),
            _ => Err(NoCoverage),
        }
    }
}

/// A text that names no [`Coverage`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "use mutants, mcdc, boundaries, data-pairs, requirements, transitions, states, pairs, \
     transition:NAME, state:NAME or purpose:NAME,*,NAME|NAME"
)]
pub struct NoCoverage;

/// One thing to cover.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// A transition.
    Transition(usize),
    /// A state of an automaton.
    State(usize, usize),
    /// A transition right after another of the same automaton.
    Pair(usize, usize),
    /// Transitions in order.
    Purpose(Purpose),
}

impl Goal {
    /// What people call it.
    pub fn name(&self, model: &Model) -> String {
        let transition = |number: usize| model.transitions[number].name.clone();
        match self {
            Goal::Transition(number) => transition(*number),
            Goal::State(automaton, state) => model.state_name(*automaton, *state),
            Goal::Pair(first, second) => format!("{}, {}", transition(*first), transition(*second)),
            Goal::Purpose(purpose) => purpose.text(model),
        }
    }
}

/// A goal by a name that the model does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnknownGoal {
    /// No transition has the name.
    #[error("there is no transition `{name}`; there are {}", known.join(", "))]
    Transition {
        /// The name.
        name: String,
        /// Those of the model.
        known: Vec<String>,
    },
    /// No state has the name.
    #[error("there is no state `{name}`; there are {}", known.join(", "))]
    State {
        /// The name.
        name: String,
        /// Those of the model.
        known: Vec<String>,
    },
}

/// The goals of a coverage.
pub fn goals(model: &Model, coverage: &Coverage) -> Result<Vec<Goal>, UnknownGoal> {
    let transition = |name: &String| {
        model
            .transition(name)
            .ok_or_else(|| UnknownGoal::Transition {
                name: name.clone(),
                known: model.transitions.iter().map(|t| t.name.clone()).collect(),
            })
    };
    Ok(match coverage {
        Coverage::Mutants
        | Coverage::Conditions
        | Coverage::Boundaries
        | Coverage::DataPairs
        | Coverage::Transitions => (0..model.transitions.len()).map(Goal::Transition).collect(),
        Coverage::Requirements => {
            let numbers = 0..model.transitions.len();
            let required = |&number: &usize| !model.transitions[number].requirements.is_empty();
            numbers.filter(required).map(Goal::Transition).collect()
        }
        Coverage::States => model.states().map(|(a, s)| Goal::State(a, s)).collect(),
        Coverage::Pairs => {
            let all = model.transitions.iter().enumerate();
            let mut pairs = Vec::new();
            for (first, before) in all.clone() {
                for (second, after) in all.clone() {
                    if before.automaton == after.automaton && before.to == after.from {
                        pairs.push(Goal::Pair(first, second));
                    }
                }
            }
            pairs
        }
        Coverage::Transition(name) => vec![Goal::Transition(transition(name)?)],
        Coverage::State(name) => {
            let (automaton, state) = model.state_named(name).ok_or_else(|| UnknownGoal::State {
                name: name.clone(),
                known: model
                    .states()
                    .map(|(a, s)| model.state_name(a, s))
                    .collect(),
            })?;
            vec![Goal::State(automaton, state)]
        }
        Coverage::Purpose(names) => {
            let several = |names: &str| -> Result<Vec<usize>, UnknownGoal> {
                let names = names.split('|').map(|name| name.trim().to_owned());
                names.map(|name| transition(&name)).collect()
            };
            let steps = names.iter().map(|name| match name.strip_prefix('*') {
                Some("") => Ok(PurposeStep::Any { but: Vec::new() }),
                Some(rest) if rest.trim_start().starts_with('!') => {
                    let but = several(rest.trim_start().trim_start_matches('!'))?;
                    Ok(PurposeStep::Any { but })
                }
                Some(_) | None => several(name).map(PurposeStep::One),
            });
            let steps: Vec<PurposeStep> = steps.collect::<Result<_, _>>()?;
            vec![Goal::Purpose(Purpose::new(steps))]
        }
    })
}

/// What an online test should come to, where the coverage is about one thing.
///
/// # Errors
///
/// When the coverage names what the model does not have.
pub fn purpose(model: &Model, coverage: &Coverage) -> Result<Option<Purpose>, UnknownGoal> {
    let one = |numbers: Vec<usize>| Some(Purpose::new(vec![PurposeStep::One(numbers)]));
    match coverage {
        Coverage::Transition(_) | Coverage::State(_) | Coverage::Purpose(_) => {}
        _ => return Ok(None),
    }
    let goal = goals(model, coverage)?.pop();
    Ok(match goal {
        Some(Goal::Transition(number)) => one(vec![number]),
        Some(Goal::State(automaton, state)) => one(entering(model, automaton, state)),
        Some(Goal::Purpose(purpose)) => Some(purpose),
        Some(Goal::Pair(..)) | None => None,
    })
}

/// The transitions that lead to a state.
pub(crate) fn entering(model: &Model, automaton: usize, state: usize) -> Vec<usize> {
    let all = model.transitions.iter().enumerate();
    let entering = all.filter(|(_, it)| it.automaton == automaton && it.to == state);
    entering.map(|(number, _)| number).collect()
}

/// The goals that a path from the initial states reaches.
pub(crate) fn reached_along(model: &Model, goals: &[Goal], path: &[Move]) -> Vec<usize> {
    let mut found: FxHashSet<Goal> = FxHashSet::default();
    let initial = model.automata.iter().enumerate();
    found.extend(initial.map(|(number, it)| Goal::State(number, it.initial)));
    let mut before: Vec<Option<usize>> = vec![None; model.automata.len()];
    for transition in path.iter().flat_map(|step| step.transitions()) {
        let it = &model.transitions[transition];
        found.insert(Goal::Transition(transition));
        found.insert(Goal::State(it.automaton, it.to));
        if let Some(before) = before[it.automaton].replace(transition) {
            found.insert(Goal::Pair(before, transition));
        }
    }
    let is_reached = |goal: &Goal| match goal {
        Goal::Purpose(purpose) => {
            let mut ends = 0..=path.len();
            ends.any(|end| purpose.is_fulfilled_by(&path[..end]))
        }
        _ => found.contains(goal),
    };
    let numbers = (0..goals.len()).filter(|&number| is_reached(&goals[number]));
    numbers.collect()
}

/// Which goals were reached, and where first.
pub struct Tracker {
    /// The goals.
    pub goals: Vec<Goal>,
    numbers: FxHashMap<Goal, usize>,
    /// By goal: the first node that reaches it.
    pub reached: Vec<Option<usize>>,
    /// By goal: whether it was proved that nothing reaches it.
    pub ruled_out: Vec<bool>,
}

impl Tracker {
    /// Nothing was reached so far.
    pub fn new(goals: Vec<Goal>) -> Tracker {
        let numbers = goals
            .iter()
            .cloned()
            .enumerate()
            .map(|(number, goal)| (goal, number));
        Tracker {
            numbers: numbers.collect(),
            reached: vec![None; goals.len()],
            ruled_out: vec![false; goals.len()],
            goals,
        }
    }

    /// Whether everything was reached that can be.
    pub fn is_done(&self) -> bool {
        let mut each = self.reached.iter().zip(&self.ruled_out);
        each.all(|(reached, ruled_out)| reached.is_some() || *ruled_out)
    }

    /// Finds goals that nothing reaches, whatever values the variables have, so that
    /// no path to them has to be searched for. A stopped run rules out fewer.
    pub fn rule_out(&mut self, executor: &mut Executor<'_, '_>) {
        let model = executor.model;
        let alone = |first: usize| Move {
            first,
            second: None,
        };
        let mut state = executor.anywhere();
        let mut after: Vec<Option<SymbolicState>> = Vec::new();
        for (number, transition) in model.transitions.iter().enumerate() {
            if executor.stop().is_set() {
                return;
            }
            state.location[transition.automaton] = transition.from;
            after.push(executor.step_anywhere(&state, alone(number)));
        }
        let mut dead: Vec<bool> = after.iter().map(Option::is_none).collect();
        let reachable = reachable(model, &dead);
        for (number, transition) in model.transitions.iter().enumerate() {
            dead[number] |= !reachable[transition.automaton][transition.from];
        }
        for (number, goal) in self.goals.iter().enumerate() {
            if executor.stop().is_set() {
                return;
            }
            self.ruled_out[number] = match goal {
                Goal::Transition(transition) => dead[*transition],
                Goal::State(automaton, state) => !reachable[*automaton][*state],
                Goal::Pair(first, second) if dead[*first] || dead[*second] => true,
                Goal::Pair(first, second) => after[*first]
                    .as_ref()
                    .is_some_and(|state| executor.step_anywhere(state, alone(*second)).is_none()),
                Goal::Purpose(purpose) => purpose
                    .needed()
                    .any(|names| names.iter().all(|&transition| dead[transition])),
            };
        }
    }

    /// Takes note of a new node.
    pub(crate) fn visit(&mut self, model: &Model, tree: &Tree, node: usize) {
        for goal in self.reached_by(model, tree, node) {
            self.reached[goal].get_or_insert(node);
        }
    }

    /// The goals that the last step to this node reaches.
    pub(crate) fn reached_by(&self, model: &Model, tree: &Tree, node: usize) -> Vec<usize> {
        let at = &tree.nodes[node];
        let mut found: Vec<Goal> = Vec::new();
        let states = at.state.location.iter().enumerate();
        found.extend(states.map(|(automaton, &state)| Goal::State(automaton, state)));
        if let Some((step, _)) = &at.step {
            for transition in step.transitions() {
                found.push(Goal::Transition(transition));
                if let Some(before) = last_of(model, tree, node, transition) {
                    found.push(Goal::Pair(before, transition));
                }
            }
        }
        let mut numbers: Vec<usize> = found
            .iter()
            .filter_map(|goal| self.numbers.get(goal).copied())
            .collect();
        for (number, goal) in self.goals.iter().enumerate() {
            if let Goal::Purpose(purpose) = goal {
                let path = tree.path(node);
                let taken: Vec<Move> = path
                    .iter()
                    .filter_map(|&n| tree.nodes[n].step.as_ref().map(|s| s.0))
                    .collect();
                if purpose.is_fulfilled_by(&taken) {
                    numbers.push(number);
                }
            }
        }
        numbers
    }
}

/// By automaton and state: whether some path of the graph leads there without a
/// dead transition.
fn reachable(model: &Model, dead: &[bool]) -> Vec<Vec<bool>> {
    let automata = model.automata.iter();
    let mut found: Vec<Vec<bool>> = automata
        .map(|automaton| {
            let mut states = vec![false; automaton.states.len()];
            states[automaton.initial] = true;
            states
        })
        .collect();
    loop {
        let mut grown = false;
        for (number, transition) in model.transitions.iter().enumerate() {
            let states = &mut found[transition.automaton];
            if !dead[number] && states[transition.from] && !states[transition.to] {
                states[transition.to] = true;
                grown = true;
            }
        }
        if !grown {
            return found;
        }
    }
}

/// The transition that the automaton of `transition` took before this node.
fn last_of(model: &Model, tree: &Tree, node: usize, transition: usize) -> Option<usize> {
    let automaton = model.transitions[transition].automaton;
    let mut at = tree.nodes[node].parent;
    while let Some(number) = at {
        let (step, _) = tree.nodes[number].step.as_ref()?;
        let own = step
            .transitions()
            .find(|&t| model.transitions[t].automaton == automaton);
        if own.is_some() {
            return own;
        }
        at = tree.nodes[number].parent;
    }
    None
}
