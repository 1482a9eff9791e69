//! Queries about one or two bytes: every value is tried.
//!
//! A byte that went through a thousand operations makes a formula that SAT solvers take
//! long over, and has 256 values. The constraints are laid out on a tape, which computes
//! again only what depends on the bits that changed, and every value is tried: the
//! first that satisfies all is the answer, and if there is none that is proved. Each
//! value was refuted by some constraint; those together are the core.

use crate::slices::Slot;
use base::Stop;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use term::{Assignment, BitVec, Evaluator, Op, Sort, Store, Tape, Term, Value, Variable};

/// The most bits that a query may be about.
const MOST_BITS: u32 = 16;

/// How many operators may be computed for one query, all values together: a query about
/// a byte may have a thousand.
const WORK: u64 = 1 << 18;

/// The same for a query that multiplies or divides, which a SAT solver may not get
/// through at all: one about a byte may have 65,536 operators, one about two bytes 256.
const WORK_IF_HARD: u64 = 1 << 24;

/// Values between two looks at the stop token.
const LOOK_EVERY: u64 = 64;

/// What trying every value found.
pub(crate) enum Enumerated {
    Sat(Assignment),
    Unsat(Vec<Term>),
}

/// Decides the constraints by trying all values of these slots, which are all that the
/// constraints are about; none where there are too many, or the token was set.
pub(crate) fn decide(
    store: &Store,
    evaluator: &mut Evaluator,
    constraints: &[Term],
    slots: &[Slot],
    start: &Assignment,
    stop: &Stop,
) -> Option<Enumerated> {
    let inputs = Input::of(store, slots)?;
    let bits: u32 = inputs.iter().map(|input| input.bits).sum();
    let parts = term::post_order(store, constraints);
    let is_hard = parts.iter().any(|&part| is_hard(store, part));
    let work = (parts.len() as u64) << bits;
    if work > if is_hard { WORK_IF_HARD } else { WORK } {
        return None;
    }
    let mut tape = Tape::new(store, constraints);
    tape.load(store, start, None);
    let places: Vec<_> = constraints.iter().map(|&it| tape.place(it)).collect();
    let mut model = start.clone();
    let mut core: FxHashSet<Term> = FxHashSet::default();
    for number in 0..1u64 << bits {
        if number % LOOK_EVERY == 0 {
            stop.check().ok()?;
        }
        let mut rest = gray(number);
        for input in &inputs {
            input.put(store, &mut model, rest & ((1 << input.bits) - 1));
            rest >>= input.bits;
        }
        for variable in inputs.iter().map(|input| input.variable) {
            tape.set(
                variable,
                model.get(variable).expect("it was just put there"),
            );
        }
        tape.update(store, None);
        tape.keep();
        match places.iter().position(|&place| tape.word_at(place) == 0) {
            Some(refuted) => {
                core.insert(constraints[refuted]);
            }
            None => {
                // The evaluator is the meaning of terms; the tape is only faster.
                let holds = evaluator.all_hold(store, &model, constraints);
                return holds.then_some(Enumerated::Sat(model));
            }
        }
    }
    Some(Enumerated::Unsat(core.into_iter().collect()))
}

/// The Gray code of a number: one bit changes from one to the next, and little is to be
/// computed again.
pub(crate) fn gray(number: u64) -> u64 {
    number ^ number >> 1
}

/// Whether circuits for the operator are large and hard to reason about.
fn is_hard(store: &Store, part: Term) -> bool {
    use Op::{BvMul, BvSdiv, BvSmod, BvSrem, BvUdiv, BvUrem};
    match store.op(part) {
        BvMul | BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod => true,
        _ => matches!(store.sort(part), Sort::Fp(_)),
    }
}

/// A variable of a few bits, or an element of an array.
pub(crate) struct Input {
    variable: Variable,
    /// Where in the array, if it is an element.
    index: Option<BitVec>,
    sort: Sort,
    bits: u32,
}

impl Input {
    /// What the slots are, if they have few bits in all.
    pub fn of(store: &Store, slots: &[Slot]) -> Option<Vec<Input>> {
        let mut inputs = Vec::new();
        let mut left = MOST_BITS;
        for slot in slots {
            let (variable, index) = slot.place(store)?;
            let sort = match (store.variable_sort(variable), &index) {
                (Sort::Array { element, .. }, Some(_)) => Sort::Bv(element),
                (sort, _) => sort,
            };
            let bits = match sort {
                Sort::Bool => 1,
                Sort::Bv(width) => u32::from(width),
                _ => return None,
            };
            left = left.checked_sub(bits)?;
            inputs.push(Input {
                variable,
                index,
                sort,
                bits,
            });
        }
        Some(inputs)
    }

    /// Gives it a value.
    pub fn put(&self, store: &Store, model: &mut Assignment, word: u64) {
        let value = match self.sort {
            Sort::Bool => Value::Bool(word != 0),
            _ => Value::Bv(BitVec::from_u64(self.bits as u16, word)),
        };
        let (Some(index), Value::Bv(bits)) = (&self.index, &value) else {
            model.set(self.variable, value);
            return;
        };
        if model.get(self.variable).is_none() {
            let empty = Value::default_of(store.variable_sort(self.variable));
            model.set(self.variable, empty);
        }
        if let Some(Value::Array(array)) = model.get_mut(self.variable)
            && array.get(index) != bits
        {
            Rc::make_mut(array).set(index.clone(), bits.clone());
        }
    }
}
