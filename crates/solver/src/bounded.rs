//! A query with divisions, said anew with what its own bounds say of their operands.
//!
//! Of `x < 1000` a program that prints `x` knows that it has three digits, but the terms do
//! not: the last remainder is a remainder still. Division is the most expensive of all
//! circuits, so that it pays to look which ones the bounds make plain before a backend
//! sees them. Rewriting then often finds that the digits are the number again.

use crate::ranges::{Bounds, Refined};
use rustc_hash::FxHashMap;
use term::{Op, Store, Term};

/// How often the query is said anew: what became plain may make more so.
const ROUNDS: usize = 8;

/// A query without some of its divisions.
pub(crate) struct Bounded {
    /// Constraint by constraint what takes its place.
    pub constraints: Vec<Term>,
    /// The constraints of the query that say the bounds; they stay.
    bounding: Vec<Term>,
}

impl Bounded {
    /// The query without the divisions that its bounds make plain, if there are any.
    pub fn of(store: &mut Store, query: &[Term]) -> Option<Bounded> {
        let before = divisions(store, query);
        if before == 0 {
            return None;
        }
        let bounds = Bounds::of(store, query)?;
        let bounding = bounds.reasons();
        let mut constraints = query.to_vec();
        for _ in 0..ROUNDS {
            let open = constraints.iter().filter(|it| !bounding.contains(it));
            let open: Vec<Term> = open.copied().collect();
            let plainer = plainer(store, &bounds, &open);
            let places: FxHashMap<Term, Term> = plainer
                .into_iter()
                .map(|(term, plainer)| (term, plainer.make(store, term)))
                .filter(|(term, other)| term != other)
                .collect();
            if places.is_empty() {
                break;
            }
            let mut substitution = term::Substitution::new(&places);
            for constraint in &mut constraints {
                if !bounding.contains(constraint) {
                    *constraint = substitution.apply(store, *constraint);
                }
            }
        }
        let fewer = divisions(store, &constraints) < before;
        fewer.then_some(Bounded {
            constraints,
            bounding,
        })
    }

    /// The constraints of the query that stand for some of those that are left.
    pub fn originals(&self, query: &[Term], core: &[Term]) -> Vec<Term> {
        let pairs = query.iter().zip(&self.constraints);
        let named = pairs.filter(|(_, stands_for)| core.contains(stands_for));
        let named = named.map(|(&original, _)| original);
        named.chain(self.bounding.iter().copied()).collect()
    }
}

/// How many divisions there are in the query.
fn divisions(store: &Store, query: &[Term]) -> usize {
    let terms = term::post_order(store, query);
    let is_division = |&&term: &&Term| matches!(store.op(term), Op::BvUdiv | Op::BvUrem);
    terms.iter().filter(is_division).count()
}

/// What a term is where the bounds hold.
enum Plainer {
    Truth(bool),
    Word(u64),
    /// This other term.
    Same(Term),
    /// This other term, widened with zeros or without its high bits, which are zero.
    Resized(Term),
}

impl Plainer {
    fn make(self, store: &mut Store, term: Term) -> Term {
        match self {
            Plainer::Truth(truth) => store.bool(truth),
            Plainer::Word(word) => store.bv(store.width(term), word),
            Plainer::Same(other) => other,
            Plainer::Resized(other) if store.width(other) <= store.width(term) => {
                store.zext(other, store.width(term))
            }
            Plainer::Resized(other) => store.extract(other, 0, store.width(term)),
        }
    }
}

/// The terms of these constraints that the bounds make plainer.
fn plainer(store: &Store, bounds: &Bounds, constraints: &[Term]) -> Vec<(Term, Plainer)> {
    let mut refined = Refined::new(store, bounds);
    let terms = term::post_order(store, constraints);
    let terms = terms.into_iter().filter(|&term| !store.is_const(term));
    terms
        .filter_map(|term| Some((term, of_term(store, &mut refined, term)?)))
        .collect()
}

fn of_term(store: &Store, refined: &mut Refined<'_>, term: Term) -> Option<Plainer> {
    let args = store.args(term);
    match store.op(term) {
        Op::Eq | Op::Ult | Op::Slt => {
            return refined.truth(term).map(Plainer::Truth);
        }
        Op::BvUrem => {
            let (a, b) = (refined.of(args[0])?, refined.of(args[1])?);
            if a.max < b.min {
                return Some(Plainer::Same(args[0]));
            }
        }
        Op::Zext if store.op(args[0]) == Op::Extract => {
            let (of, from) = (store.args(args[0])[0], store.indices(args[0])[0]);
            let width = store.width(args[0]);
            let narrow = (1..64).contains(&width) && store.width(of) <= 64;
            if from == 0 && narrow && refined.of(of)?.max >> width == 0 {
                return Some(Plainer::Resized(of));
            }
        }
        _ => {}
    }
    if !(1..=64).contains(&store.width(term)) {
        return None;
    }
    refined.of(term)?.single().map(Plainer::Word)
}
