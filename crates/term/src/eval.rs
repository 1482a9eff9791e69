//! The value of a term under an assignment.
//!
//! Evaluation walks the term's graph with a stack of its own, so depth costs
//! heap and never overflows, and computes every shared part once. Word-sized
//! values, which is nearly all of them, are kept as words.

use crate::compute::{self, Shape};
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Function, Store, Term};
use crate::value::{Assignment, Value, is_word};

/// Scratch space for evaluations, worth keeping between them.
///
/// ```
/// use term::{Assignment, BitVec, Evaluator, Sort, Store, Value};
///
/// let mut store = Store::new();
/// let x = store.var("x", Sort::Bv(8));
/// let three = store.bv(8, 3);
/// let sum = store.bv_add(x, three);
///
/// let mut assignment = Assignment::new();
/// assignment.set(store.as_variable(x).unwrap(), Value::Bv(BitVec::from_u64(8, 254)));
///
/// let mut evaluator = Evaluator::default();
/// let value = evaluator.under(&store, &assignment).value(sum);
/// assert_eq!(value, Value::Bv(BitVec::from_u64(8, 1)));
/// ```
#[derive(Default)]
pub struct Evaluator {
    memo: Vec<Slot>,
    /// Values of the terms that are not words, where `Slot::word` points.
    wide: Vec<Value>,
    stack: Vec<Term>,
    round: u32,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    word: u64,
    round: u32,
}

impl Evaluator {
    /// Evaluation under one assignment; what is computed serves every term
    /// asked of it.
    pub fn under<'a>(&'a mut self, store: &'a Store, assignment: &'a Assignment) -> Evaluation<'a> {
        self.wide.clear();
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.memo.fill(Slot::default());
            self.round = 1;
        }
        Evaluation {
            scratch: self,
            store,
            assignment,
            functions: None,
        }
    }

    /// Evaluation under one assignment where some functions are what they
    /// really are, not what the assignment says.
    pub fn under_real<'a>(
        &'a mut self,
        store: &'a Store,
        assignment: &'a Assignment,
        functions: &'a mut dyn Functions,
    ) -> Evaluation<'a> {
        let mut evaluation = self.under(store, assignment);
        evaluation.functions = Some(functions);
        evaluation
    }

    /// Whether every one of the Boolean terms holds under the assignment.
    pub fn all_hold(&mut self, store: &Store, assignment: &Assignment, terms: &[Term]) -> bool {
        let mut evaluation = self.under(store, assignment);
        terms.iter().all(|&term| evaluation.holds(term))
    }
}

/// Functions that can be called.
pub trait Functions {
    /// What the function gives, if it is one of these.
    fn call(&mut self, store: &Store, function: Function, arguments: &[Value]) -> Option<Value>;
}

/// One assignment and the values found so far under it.
pub struct Evaluation<'a> {
    scratch: &'a mut Evaluator,
    store: &'a Store,
    assignment: &'a Assignment,
    functions: Option<&'a mut dyn Functions>,
}

impl Evaluation<'_> {
    /// The term's value.
    pub fn value(&mut self, term: Term) -> Value {
        let word = self.run(term);
        let sort = self.store.sort(term);
        if is_word(sort) {
            Value::from_word(sort, word)
        } else {
            self.scratch.wide[word as usize].clone()
        }
    }

    /// Whether the Boolean term holds.
    pub fn holds(&mut self, term: Term) -> bool {
        debug_assert_eq!(self.store.sort(term), Sort::Bool);
        self.run(term) != 0
    }

    /// The value of a term whose sort fits a word (bit-vectors and floats to
    /// 64 bits, truth values, rounding modes), as that word.
    pub fn word(&mut self, term: Term) -> u64 {
        debug_assert!(is_word(self.store.sort(term)));
        self.run(term)
    }

    /// The term's word, or its place among the wide values.
    fn run(&mut self, root: Term) -> u64 {
        if self.scratch.memo.len() < self.store.len() {
            self.scratch.memo.resize(self.store.len(), Slot::default());
        }
        self.scratch.stack.push(root);
        while let Some(&term) = self.scratch.stack.last() {
            if self.known(term).is_none() {
                if self.push_missing(term) {
                    continue;
                }
                let word = self.step(term);
                self.scratch.memo[term.number()] = Slot {
                    word,
                    round: self.scratch.round,
                };
            }
            self.scratch.stack.pop();
        }
        self.scratch.memo[root.number()].word
    }

    #[inline]
    fn known(&self, term: Term) -> Option<u64> {
        let slot = self.scratch.memo[term.number()];
        (slot.round == self.scratch.round).then_some(slot.word)
    }

    /// Pushes the arguments that must be known before `term` and are not;
    /// whether there were any. Of a choice, only the side taken is needed, and
    /// of a conjunction only what it takes to see that it fails.
    #[inline]
    fn push_missing(&mut self, term: Term) -> bool {
        let args = self.store.args(term);
        let needed = match (self.store.op(term), args) {
            (Op::Ite, &[condition, then, otherwise]) => match self.known(condition) {
                None => &args[..1],
                Some(0) if self.known(otherwise).is_none() => &args[2..],
                Some(1..) if self.known(then).is_none() => &args[1..2],
                Some(_) => return false,
            },
            (Op::And, &[first, _]) => match self.known(first) {
                None => &args[..1],
                Some(0) => return false,
                Some(_) => &args[1..],
            },
            _ => args,
        };
        let before = self.scratch.stack.len();
        for &arg in needed {
            if self.known(arg).is_none() {
                self.scratch.stack.push(arg);
            }
        }
        self.scratch.stack.len() > before
    }

    fn step(&mut self, term: Term) -> u64 {
        let store = self.store;
        let sort = store.sort(term);
        match store.op(term) {
            Op::Const => match store.as_word(term) {
                Some(word) => word,
                None => self.keep(store.as_value(term).expect("a constant has a value")),
            },
            Op::Var => {
                let variable = store.as_variable(term).expect("it is a variable");
                match self.assignment.get(variable) {
                    Some(value) => match value.to_word() {
                        Some(word) => word,
                        None => self.keep(value.clone()),
                    },
                    None if is_word(sort) => 0,
                    None => self.keep(Value::default_of(sort)),
                }
            }
            Op::Apply => {
                let function = store.as_function(term).expect("it is an application");
                let value = self.call(function, term);
                self.keep(value)
            }
            Op::Ite => {
                let &[condition, then, otherwise] = store.args(term) else {
                    unreachable!("a choice has three arguments");
                };
                let taken = if self.argument(condition) != 0 {
                    then
                } else {
                    otherwise
                };
                self.argument(taken)
            }
            Op::And => {
                let &[a, b] = store.args(term) else {
                    unreachable!("a conjunction has two arguments");
                };
                u64::from(self.argument(a) != 0 && self.argument(b) != 0)
            }
            op => self.compute(term, op, sort),
        }
    }

    #[inline]
    fn compute(&mut self, term: Term, op: Op, sort: Sort) -> u64 {
        let store = self.store;
        let args = store.args(term);
        let shape = Shape {
            op,
            sort,
            of: args.last().map_or(sort, |&last| store.sort(last)),
            indices: store.indices(term),
        };
        if is_word(sort) && args.iter().all(|&arg| is_word(store.sort(arg))) {
            let mut words = [0; 4];
            for (word, &arg) in words.iter_mut().zip(args) {
                *word = self.argument(arg);
            }
            return compute::word(shape, &words[..args.len()]);
        }
        let values = self.arguments(args);
        self.keep(compute::value(shape, &values))
    }

    #[inline]
    fn argument(&self, term: Term) -> u64 {
        self.scratch.memo[term.number()].word
    }

    fn arguments(&self, args: &[Term]) -> Vec<Value> {
        args.iter()
            .map(|&arg| {
                let word = self.argument(arg);
                let sort = self.store.sort(arg);
                if is_word(sort) {
                    Value::from_word(sort, word)
                } else {
                    self.scratch.wide[word as usize].clone()
                }
            })
            .collect()
    }

    fn keep(&mut self, value: Value) -> u64 {
        match value.to_word() {
            Some(word) => word,
            None => {
                self.scratch.wide.push(value);
                self.scratch.wide.len() as u64 - 1
            }
        }
    }

    fn call(&mut self, function: Function, term: Term) -> Value {
        let args = self.arguments(self.store.args(term));
        if let Some(functions) = &mut self.functions
            && let Some(value) = functions.call(self.store, function, &args)
        {
            return value;
        }
        match self.assignment.function(function) {
            Some(table) => table.table.get(&args).unwrap_or(&table.default).clone(),
            None => Value::default_of(self.store.sort(term)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitVec;

    #[test]
    fn a_term_a_million_levels_deep_evaluates() {
        let mut store = Store::new();
        let x = store.var("x", Sort::Bv(32));
        let y = store.var("y", Sort::Bv(32));
        let mut term = x;
        for _ in 0..500_000 {
            term = store.bv_mul(term, x);
            term = store.bv_xor(term, y);
        }
        let mut assignment = Assignment::new();
        assignment.set(
            store.as_variable(x).unwrap(),
            Value::Bv(BitVec::from_u64(32, 3)),
        );
        assignment.set(
            store.as_variable(y).unwrap(),
            Value::Bv(BitVec::from_u64(32, 5)),
        );
        let expected = (0..500_000).fold(3u32, |v, _| v.wrapping_mul(3) ^ 5);
        let mut evaluator = Evaluator::default();
        let word = evaluator.under(&store, &assignment).word(term);
        assert_eq!(word, u64::from(expected));
    }
}
