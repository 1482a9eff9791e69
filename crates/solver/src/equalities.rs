//! Inputs that a query says are equal, made one before a backend sees it.
//!
//! That two long computations on equal inputs give the same, a SAT solver has to find out
//! by search: the hash of a key that is looked up, and of the same key when it was put into
//! the table. With one input in the place of the other they are one term, and the query is
//! decided without a search.

use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{Assignment, Evaluator, Op, Sort, Store, Term, Value};

/// A query with one input for all that are equal.
pub(crate) struct Joined {
    /// Constraint by constraint what the query says of the inputs that are left.
    pub constraints: Vec<Term>,
    /// The constraints of the query that say which inputs are equal.
    pub equalities: Vec<Term>,
    /// Inputs that are gone, and the one that took the place of each.
    places: FxHashMap<Term, Term>,
}

impl Joined {
    /// Joins the inputs that the query says are equal; none where that changes nothing but
    /// the equalities themselves.
    pub fn of(store: &mut Store, query: &[Term]) -> Option<Joined> {
        let mut places = FxHashMap::default();
        let mut equalities = Vec::new();
        for &constraint in query {
            if store.op(constraint) != Op::Eq {
                continue;
            }
            let (a, b) = (store.args(constraint)[0], store.args(constraint)[1]);
            if is_input(store, a) && is_input(store, b) {
                equalities.push(constraint);
                let (a, b) = (last(&places, a), last(&places, b));
                // The older one stays: arguments of both sides have met it before.
                if a != b {
                    places.insert(a.max(b), a.min(b));
                }
            }
        }
        if equalities.is_empty() {
            return None;
        }
        let gone: Vec<Term> = places.keys().copied().collect();
        let places = gone.into_iter().map(|it| (it, last(&places, it)));
        let places: FxHashMap<Term, Term> = places.collect();
        let constraints = term::substitute(store, query, &places);
        let mut pairs = query.iter().zip(&constraints);
        let has_effect = pairs.any(|(old, new)| old != new && !equalities.contains(old));
        has_effect.then_some(Joined {
            constraints,
            equalities,
            places,
        })
    }

    /// Gives the inputs that are gone the values of those that took their place.
    pub fn complete(&self, store: &Store, evaluator: &mut Evaluator, model: &mut Assignment) {
        let mut evaluation = evaluator.under(store, model);
        let values = self.places.iter();
        let values: Vec<(Term, Value)> = values
            .map(|(&gone, &stays)| (gone, evaluation.value(stays)))
            .collect();
        for (gone, value) in values {
            if let Some(variable) = store.as_variable(gone) {
                model.set(variable, value);
                continue;
            }
            let (array, index) = (store.args(gone)[0], store.args(gone)[1]);
            let Some(variable) = store.as_variable(array) else {
                continue;
            };
            if model.get(variable).is_none() {
                let sort = store.variable_sort(variable);
                model.set(variable, Value::default_of(sort));
            }
            if let (Some(Value::Array(array)), Some(Value::Bv(index)), Value::Bv(element)) =
                (model.get_mut(variable), store.as_value(index), value)
            {
                Rc::make_mut(array).set(index, element);
            }
        }
    }

    /// The constraints of the query that stand for some of those that are left.
    pub fn originals(&self, query: &[Term], core: &[Term]) -> Vec<Term> {
        let pairs = query.iter().zip(&self.constraints);
        let named = pairs.filter(|(_, stands_for)| core.contains(stands_for));
        let named = named.map(|(&original, _)| original);
        named.chain(self.equalities.iter().copied()).collect()
    }
}

/// A variable, or one element of an array variable.
fn is_input(store: &Store, term: Term) -> bool {
    if !matches!(store.sort(term), Sort::Bv(_)) {
        return false;
    }
    store.as_variable(term).is_some()
        || store.op(term) == Op::Select
            && store.as_variable(store.args(term)[0]).is_some()
            && store.is_const(store.args(term)[1])
}

/// The input that stands for this one in the end.
fn last(places: &FxHashMap<Term, Term>, mut input: Term) -> Term {
    while let Some(&other) = places.get(&input) {
        input = other;
    }
    input
}
