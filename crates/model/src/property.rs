//! Properties of a model itself: what holds in every state, what can be reached, and where
//! nothing can happen any more.
//!
//! A state that answers the question is shown by a path there with concrete values, a test
//! like any other. That there is none is said only where the tree is whole: no bound was
//! reached, and nothing left undecided.

use crate::execution::{Event, Executor, Move, StepOutcome, SymbolicState};
use crate::exploration::{Tree, is_whole};
use crate::lower::Lowering;
use crate::model::Expr;
use crate::testcase::{Data, TestCase, without_reaction};
use rustc_hash::FxHashMap;
use term::Term;

/// What is looked for.
#[derive(Clone, PartialEq, Debug)]
pub enum Property {
    /// A state that transitions leave, none of which can be taken.
    Deadlock,
    /// A state, if one is given, in which the condition holds.
    Reachable {
        /// The automaton and its state.
        at: Option<(usize, usize)>,
        /// The condition.
        condition: Option<Expr>,
    },
    /// A state, the one given if there is one, in which the condition does not hold.
    Violated {
        /// The automaton and its state.
        at: Option<(usize, usize)>,
        /// The condition.
        condition: Expr,
    },
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// This path leads there.
    Found(TestCase),
    /// There is no such state.
    Never,
    /// None was found, and why it is not known that there is none.
    Unknown(String),
}

/// Times that an input is shown to be possible for some values, before it is given up.
const ROUNDS: usize = 16;

/// Looks for a state of the tree that has the property.
pub fn search(
    executor: &mut Executor<'_, '_>,
    tree: &Tree,
    property: &Property,
    data: &mut Data,
) -> Answer {
    let mut undecided = None;
    if *property == Property::Deadlock && executor.model.time.is_some() {
        // Time may pass, and whether it leads out of a state is another question.
        let reason = "deadlocks of models with clocks are not looked for";
        return Answer::Unknown(reason.to_owned());
    }
    for (number, node) in tree.nodes.iter().enumerate() {
        if executor.stop().is_set() {
            return Answer::Unknown("stopped".to_owned());
        }
        let found = match property {
            Property::Deadlock => blocked(executor, &node.state),
            Property::Reachable { at, condition } => {
                let condition = condition.as_ref();
                holding(executor, &node.state, *at, condition, true)
            }
            Property::Violated { at, condition } => {
                holding(executor, &node.state, *at, Some(condition), false)
            }
        };
        let state = match found {
            Outcome::There(state) => state,
            Outcome::Not => continue,
            Outcome::Undecided(reason) => {
                undecided.get_or_insert(reason);
                continue;
            }
        };
        let path = tree.path(number).into_iter();
        let steps: Vec<(Move, Event)> = path
            .filter_map(|node| tree.nodes[node].step.clone())
            .collect();
        match without_reaction(executor, &state, steps, data) {
            Some(steps) => {
                return Answer::Found(TestCase {
                    name: "path".to_owned(),
                    goals: Vec::new(),
                    steps,
                });
            }
            None => {
                undecided.get_or_insert("external functions give no values".to_owned());
            }
        }
    }
    match undecided {
        Some(reason) => Answer::Unknown(reason),
        None if is_whole(tree) => Answer::Never,
        None => Answer::Unknown("a bound was reached".to_owned()),
    }
}

/// Whether a state has what is looked for.
enum Outcome {
    There(Box<SymbolicState>),
    Not,
    Undecided(String),
}

impl From<StepOutcome> for Outcome {
    fn from(outcome: StepOutcome) -> Outcome {
        match outcome {
            StepOutcome::Feasible(found) => Outcome::There(Box::new(found.1)),
            StepOutcome::Infeasible => Outcome::Not,
            StepOutcome::Unknown(reason) => Outcome::Undecided(reason.to_string()),
        }
    }
}

/// Whether the condition can be so in a state.
fn holding(
    executor: &mut Executor<'_, '_>,
    state: &SymbolicState,
    at: Option<(usize, usize)>,
    condition: Option<&Expr>,
    holds: bool,
) -> Outcome {
    if at.is_some_and(|(automaton, place)| state.location[automaton] != place) {
        return Outcome::Not;
    }
    let Some(condition) = condition else {
        return Outcome::There(Box::new(state.clone()));
    };
    let (model, valuation) = (executor.model, state.valuation.to_vec());
    let mut lowering = Lowering::new(&mut executor.store, model, valuation);
    let condition = lowering.leaf(condition);
    let mut all = std::mem::take(&mut lowering.needs);
    let store = &mut executor.store;
    all.push(match holds {
        true => condition,
        false => store.not(condition),
    });
    let condition = store.and_all(all);
    executor.assume(state, condition).into()
}

/// Whether a state can be one where nothing can happen.
fn blocked(executor: &mut Executor<'_, '_>, state: &SymbolicState) -> Outcome {
    let moves = executor.moves(&state.location);
    if moves.is_empty() {
        return Outcome::Not;
    }
    let mut state = state.clone();
    let mut inputs = Vec::new();
    for step in moves {
        let symbolic = executor.symbolic_step(&state, step, None);
        if let Event::Input { values, .. } = &symbolic.event
            && mentions(executor, symbolic.condition, values)
        {
            inputs.push(step);
            continue;
        }
        let refused = executor.store.not(symbolic.condition);
        match executor.assume(&state, refused).into() {
            Outcome::There(next) => state = *next,
            other => return other,
        }
    }
    // An input is possible if some values fit. Values that fit once are asked to fit no
    // longer, until none do or every state has some.
    for step in inputs {
        let mut is_refused = false;
        for _ in 0..ROUNDS {
            let symbolic = executor.symbolic_step(&state, step, None);
            let Event::Input { values, .. } = symbolic.event.clone() else {
                break;
            };
            let condition = symbolic.condition;
            let found = match executor.decide(&state, symbolic) {
                StepOutcome::Feasible(found) => found.1,
                StepOutcome::Infeasible => {
                    is_refused = true;
                    break;
                }
                StepOutcome::Unknown(reason) => return Outcome::Undecided(reason.to_string()),
            };
            let Some(fitting) = executor.values(&values, &found.model) else {
                return Outcome::Undecided("external functions give no values".to_owned());
            };
            let fitting = executor.constants(&fitting);
            let given: FxHashMap<Term, Term> = values.into_iter().zip(fitting).collect();
            let fits = term::substitute(&mut executor.store, &[condition], &given)[0];
            let refused = executor.store.not(fits);
            match executor.assume(&state, refused).into() {
                Outcome::There(next) => state = *next,
                other => return other,
            }
        }
        if !is_refused {
            return Outcome::Undecided("it was not decided whether an input fits".to_owned());
        }
    }
    Outcome::There(Box::new(state))
}

fn mentions(executor: &Executor<'_, '_>, condition: Term, values: &[Term]) -> bool {
    let free = term::free_variables(&executor.store, &[condition]);
    let inputs = term::free_variables(&executor.store, values);
    inputs.iter().any(|input| free.contains(input))
}
