//! Walks over the graph of a term: what it is made of, and the same term with
//! parts of it replaced.
//!
//! Every walk has a stack of its own and visits a shared part once, so that
//! neither depth nor sharing is a limit; its cost follows the size of the
//! term, never that of the store.

use crate::op::Op;
use crate::store::{Function, Store, Term, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

/// The terms that `roots` are made of, each once, arguments before the terms
/// they are arguments of.
pub fn post_order(store: &Store, roots: &[Term]) -> Vec<Term> {
    let mut order = Vec::new();
    let mut done = FxHashSet::default();
    let mut stack: Vec<Term> = roots.iter().rev().copied().collect();
    while let Some(&term) = stack.last() {
        let below = stack.len();
        if !done.contains(&term) {
            let args = store.args(term).iter().rev();
            stack.extend(args.filter(|&arg| !done.contains(arg)));
        }
        if stack.len() == below {
            stack.pop();
            if done.insert(term) {
                order.push(term);
            }
        }
    }
    order
}

/// The variables that occur in `roots`, ascending, each once.
pub fn free_variables(store: &Store, roots: &[Term]) -> Vec<Variable> {
    occurring(store, roots, |term| store.as_variable(term))
}

/// The functions that are applied in `roots`, ascending, each once.
pub fn functions(store: &Store, roots: &[Term]) -> Vec<Function> {
    occurring(store, roots, |term| store.as_function(term))
}

/// What `pick` finds among the terms that `roots` are made of, ascending, each once.
fn occurring<T: Ord>(store: &Store, roots: &[Term], pick: impl Fn(Term) -> Option<T>) -> Vec<T> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<Term> = roots.iter().copied().collect();
    let mut stack: Vec<Term> = seen.iter().copied().collect();
    while let Some(term) = stack.pop() {
        found.extend(pick(term));
        stack.extend(store.args(term).iter().filter(|&&arg| seen.insert(arg)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Replacements of terms by others, made all at once: what is put in is not
/// looked into again. Keep it to replace in many terms that share parts.
///
/// ```
/// use term::{Sort, Store, Substitution};
///
/// let mut store = Store::new();
/// let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Bv(8)));
/// let sum = store.bv_add(x, y);
/// let swap = [(x, y), (y, x)].into_iter().collect();
/// assert_eq!(Substitution::new(&swap).apply(&mut store, sum), sum);
///
/// let four = store.bv(8, 4);
/// let doubled = store.bv_add(four, four);
/// let both = [(x, four), (y, four)].into_iter().collect();
/// assert_eq!(Substitution::new(&both).apply(&mut store, sum), doubled);
/// ```
pub struct Substitution {
    results: FxHashMap<Term, Term>,
}

impl Substitution {
    /// Replaces each key of `map`, at any depth, by its value.
    pub fn new(map: &FxHashMap<Term, Term>) -> Substitution {
        Substitution {
            results: map.clone(),
        }
    }

    /// `root` with the replacements made, simplified.
    pub fn apply(&mut self, store: &mut Store, root: Term) -> Term {
        self.apply_or(store, root, |_, _| None)
    }

    /// The same, with another look at every part that is met for the first time:
    /// what `replace` gives for it is put in its place.
    pub fn apply_or(
        &mut self,
        store: &mut Store,
        root: Term,
        mut replace: impl FnMut(&mut Store, Term) -> Option<Term>,
    ) -> Term {
        let (mut stack, mut args) = (vec![root], Vec::new());
        while let Some(&term) = stack.last() {
            if self.results.contains_key(&term) {
                stack.pop();
                continue;
            }
            if let Some(other) = replace(store, term) {
                self.results.insert(term, other);
                stack.pop();
                continue;
            }
            let below = stack.len();
            let missing = |arg: &&Term| !self.results.contains_key(*arg);
            stack.extend(store.args(term).iter().filter(missing));
            if stack.len() > below {
                continue;
            }
            stack.pop();
            args.clear();
            args.extend(store.args(term).iter().map(|arg| self.results[arg]));
            let result = if args == store.args(term) {
                term
            } else {
                store.with_args(term, &args)
            };
            self.results.insert(term, result);
        }
        self.results[&root]
    }
}

/// `roots` with each key of `map`, at any depth, replaced by its value, all at
/// once, and simplified.
pub fn substitute(store: &mut Store, roots: &[Term], map: &FxHashMap<Term, Term>) -> Vec<Term> {
    let mut substitution = Substitution::new(map);
    roots
        .iter()
        .map(|&root| substitution.apply(store, root))
        .collect()
}

/// The parts of a conjunction, from left to right.
pub fn conjuncts(store: &Store, constraint: Term) -> Vec<Term> {
    if store.op(constraint) != Op::And {
        return vec![constraint];
    }
    let (mut parts, mut stack) = (Vec::new(), vec![constraint]);
    while let Some(part) = stack.pop() {
        if store.op(part) == Op::And {
            stack.extend(store.args(part).iter().rev());
        } else {
            parts.push(part);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;
    use crate::store::Signature;

    /// x, then 500,000 times `(· * x) ^ y`.
    fn deep(store: &mut Store, x: Term, y: Term) -> Term {
        let mut term = x;
        for _ in 0..500_000 {
            term = store.bv_mul(term, x);
            term = store.bv_xor(term, y);
        }
        term
    }

    #[test]
    fn arguments_come_before_their_users_and_each_term_once() {
        let mut store = Store::new();
        let x = store.var("x", Sort::Bv(8));
        let y = store.var("y", Sort::Bv(8));
        let product = store.bv_mul(x, y);
        let shared = store.bv_udiv(product, x);
        let root = store.bv_ult(shared, product);
        assert_eq!(
            post_order(&store, &[root, product, root]),
            [x, y, product, shared, root]
        );
        assert_eq!(post_order(&store, &[]), []);
    }

    #[test]
    fn variables_and_functions_are_found_sorted_and_once() {
        let mut store = Store::new();
        let z = store.var("z", Sort::Bv(8));
        let x = store.var("x", Sort::Bv(8));
        store.var("unused", Sort::Bv(8));
        let [f, g, _unused] = ["f", "g", "h"].map(|name| {
            store.function(Signature {
                name: name.into(),
                parameters: vec![Sort::Bv(8)],
                result: Sort::Bv(8),
            })
        });
        let gx = store.apply(g, &[x]);
        let fgx = store.apply(f, &[gx]);
        let fz = store.apply(f, &[z]);
        let roots = [store.bv_mul(fgx, fz), x];
        let numbers = |t| store.as_variable(t).unwrap();
        assert_eq!(free_variables(&store, &roots), [numbers(z), numbers(x)]);
        assert_eq!(functions(&store, &roots), [f, g]);
    }

    #[test]
    fn substitution_replaces_inner_terms_and_simplifies() {
        let mut store = Store::new();
        let x = store.var("x", Sort::Bv(8));
        let y = store.var("y", Sort::Bv(8));
        let product = store.bv_mul(x, y);
        let root = store.bv_udiv(product, y);
        let (two, three) = (store.bv(8, 2), store.bv(8, 7));
        let map = [(product, three), (y, two)].into_iter().collect();
        let expected = [store.bv(8, 3), two, x];
        assert_eq!(substitute(&mut store, &[root, y, x], &map), expected);
    }

    #[test]
    fn what_is_put_in_is_not_replaced_again() {
        let mut store = Store::new();
        let x = store.var("x", Sort::Bv(8));
        let y = store.var("y", Sort::Bv(8));
        let root = store.bv_udiv(x, y);
        let swapped = store.bv_udiv(y, x);
        let map = [(x, y), (y, x)].into_iter().collect();
        assert_eq!(substitute(&mut store, &[root], &map), [swapped]);
    }

    #[test]
    fn a_term_a_million_levels_deep_is_walked_and_rebuilt() {
        let mut store = Store::new();
        let x = store.var("x", Sort::Bv(32));
        let y = store.var("y", Sort::Bv(32));
        let z = store.var("z", Sort::Bv(32));
        let root = deep(&mut store, x, y);
        assert_eq!(post_order(&store, &[root]).len(), 1_000_002);
        assert_eq!(free_variables(&store, &[root]).len(), 2);
        let map = [(x, z)].into_iter().collect();
        let expected = deep(&mut store, z, y);
        assert_eq!(substitute(&mut store, &[root], &map), [expected]);
    }
}
