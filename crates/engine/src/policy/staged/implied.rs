//! Inputs of a solution that can have one value only.
//!
//! The condition of a solution often leaves a number no choice: the pointers of a red-black
//! tree are decided, and most shapes have one colouring. Before a method runs, such inputs
//! become what they have to be, once for all paths of the method, so that what it does with
//! them is computed and not asked. KLEE calls this the concretization of implied values.

use super::Staged;
use super::lazy::objects;
use super::regenerate::spot_of;
use machine::{Machine, State};
use mixed::Effort;
use rustc_hash::FxHashMap;
use term::{Op, Sort, Store, Term};

/// Inputs that a path leaves one value, each with that value.
type Implied = FxHashMap<Term, Term>;

impl Staged<'_> {
    /// Puts values into the objects of the path where it leaves their inputs no choice.
    pub(super) fn concretize_implied(&self, machine: &mut Machine<'_>, state: &mut State) {
        let implied = implied(machine, state);
        let objects = objects(state).objects.clone();
        for object in objects.iter() {
            let Some(spot) = spot_of(state, object.address) else {
                continue;
            };
            let now = machine.read(state, spot, object.bytes.len());
            let known = now.iter().map(|byte| *implied.get(byte).unwrap_or(byte));
            let known: Vec<Term> = known.collect();
            if known != now {
                machine.write(state, spot, &known);
            }
        }
    }
}

/// The inputs that the path leaves no choice, as far as that is cheap to find out.
///
/// What is asked, and in which order, depends on the path's constraints alone: a path that is
/// gone again has another model by then, and takes the answers from its record.
fn implied(machine: &mut Machine<'_>, state: &mut State) -> Implied {
    let mut implied = Implied::default();
    for constraints in state.path.parts() {
        let equal = constraints
            .iter()
            .filter_map(|&it| equality(&machine.store, it));
        let known: Implied = equal.collect();
        let mut open = inputs(&machine.store, &constraints);
        open.retain(|input| !known.contains_key(input));
        implied.extend(known);
        if open.is_empty() || compares(&machine.store, &constraints) {
            continue;
        }
        let values = values(machine, state, &open);
        let pairs = open.into_iter().zip(values);
        if is_only_choice(machine, state, pairs.clone()) {
            implied.extend(pairs);
        }
    }
    implied
}

/// The input and the constant that a constraint says are equal.
fn equality(store: &Store, constraint: Term) -> Option<(Term, Term)> {
    let &[a, b] = store.args(constraint) else {
        return None;
    };
    let pair = match store.is_const(a) {
        true => (b, a),
        false => (a, b),
    };
    let says = store.op(constraint) == Op::Eq;
    (says && store.as_variable(pair.0).is_some() && store.is_const(pair.1)).then_some(pair)
}

/// The inputs that are bytes in some constraints.
fn inputs(store: &Store, constraints: &[Term]) -> Vec<Term> {
    let mut all = term::post_order(store, constraints);
    all.retain(|&it| store.as_variable(it).is_some() && store.sort(it) == Sort::Bv(8));
    all
}

/// Whether constraints compare numbers by size, which leaves them room.
fn compares(store: &Store, constraints: &[Term]) -> bool {
    let parts = term::post_order(store, constraints);
    let mut operations = parts.iter().map(|&it| store.op(it));
    operations.any(|op| matches!(op, Op::Slt | Op::Ult))
}

/// What inputs are in the path's model.
fn values(machine: &mut Machine<'_>, state: &State, inputs: &[Term]) -> Vec<Term> {
    let mut evaluation = machine.mixed.under(&machine.store, &state.model);
    let values: Vec<term::Value> = inputs.iter().map(|&it| evaluation.value(it)).collect();
    let values = values.into_iter();
    values.map(|value| machine.store.value(value)).collect()
}

/// Whether the path leaves some inputs these values only.
fn is_only_choice(
    machine: &mut Machine<'_>,
    state: &mut State,
    pairs: impl Iterator<Item = (Term, Term)>,
) -> bool {
    let store = &mut machine.store;
    let equal: Vec<Term> = pairs.map(|(input, value)| store.eq(input, value)).collect();
    let all = store.and_all(equal);
    let others = store.not(all);
    machine.ask(state, others, Effort::Quick).is_unsat()
}
