//! The value of a term under an assignment.
//!
//! Evaluation walks the term's graph with a stack of its own, so depth costs
//! heap and never overflows, and computes every shared part once. Word-sized
//! values, which is nearly all of them, are kept as words. A read looks through the
//! writes below it, so that arrays between writes and reads are never made.

use crate::bits::BitVec;
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
            (Op::Select, &[array, index]) if is_looked_through(self.store, term) => {
                return self.push_for_read(array, index);
            }
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

    /// Pushes what a read needs next; whether there was anything. Where an index of a
    /// write is missing, so are those below it, most likely: they come along, lest the
    /// chain be walked again for each.
    fn push_for_read(&mut self, array: Term, index: Term) -> bool {
        let mut missing = match self.read(array, index) {
            Ok(_) => return false,
            Err(missing) => missing,
        };
        self.scratch.stack.push(missing.term);
        while let Some(below) = missing.below
            && let (Op::Store, &[below, at, _]) = (self.store.op(below), self.store.args(below))
        {
            if self.known(at).is_none() {
                self.scratch.stack.push(at);
            }
            missing.below = Some(below);
        }
        true
    }

    /// What the array has at the index, or what has to be known first.
    fn read(&self, mut array: Term, index: Term) -> Result<u64, Missing> {
        let known = |term: Term| self.known(term).ok_or(Missing { term, below: None });
        let at = known(index)?;
        loop {
            match (self.store.op(array), self.store.args(array)) {
                (Op::Store, &[below, written, element]) => {
                    let written = known(written).map_err(|missing| Missing {
                        below: Some(below),
                        ..missing
                    })?;
                    if written == at {
                        return known(element);
                    }
                    array = below;
                }
                (Op::Ite, &[condition, then, otherwise]) => {
                    array = match known(condition)? {
                        0 => otherwise,
                        _ => then,
                    };
                }
                (Op::ConstArray, &[element]) => return known(element),
                _ => {
                    let place = known(array)?;
                    let Value::Array(value) = &self.scratch.wide[place as usize] else {
                        unreachable!("reads are from arrays");
                    };
                    let index = BitVec::from_u64(self.store.width(index), at);
                    let element = value.get(&index).to_u64();
                    return Ok(element.expect("the element is a word"));
                }
            }
        }
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
            Op::Select if is_looked_through(store, term) => {
                let &[array, index] = store.args(term) else {
                    unreachable!("a read has two arguments");
                };
                let read = self.read(array, index);
                read.unwrap_or_else(|_| unreachable!("what it needs was pushed before"))
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

/// What a read needs before it can go on.
struct Missing {
    term: Term,
    /// The array below the write whose index it is.
    below: Option<Term>,
}

/// Whether a read finds its element by walking down the writes: where indices and
/// elements are words.
fn is_looked_through(store: &Store, read: Term) -> bool {
    is_word(store.sort(read)) && is_word(store.sort(store.args(read)[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::ArrayValue;

    #[test]
    fn reads_find_what_was_written_last_through_many_writes_and_choices() {
        let mut store = Store::new();
        let sort = Sort::Array {
            index: 32,
            element: 8,
        };
        let index = |store: &mut Store, name: usize| store.var(&format!("i{name}"), Sort::Bv(32));
        let (left, right) = (store.var("left", sort), store.var("right", sort));
        let c = store.var("c", Sort::Bool);
        let mut array = store.ite(c, left, right);
        let mut assignment = Assignment::new();
        let mut expected = std::collections::HashMap::new();
        for n in 0..20_000usize {
            let i = index(&mut store, n);
            let at = (n * 7919 % 15_000) as u64;
            let i_value = Value::Bv(BitVec::from_u64(32, at));
            assignment.set(store.as_variable(i).unwrap(), i_value);
            let element = store.bv(8, n as u64 & 0xff);
            array = store.store(array, i, element);
            expected.insert(at, n as u64 & 0xff);
        }
        let mut below = ArrayValue::filled(32, BitVec::from_u64(8, 99));
        below.set(BitVec::from_u64(32, 70_000), BitVec::from_u64(8, 11));
        let right = store.as_variable(right).unwrap();
        assignment.set(right, Value::Array(std::rc::Rc::new(below)));
        expected.extend([(70_000, 11), (70_001, 99)]);
        let mut evaluator = Evaluator::default();
        let mut evaluation_of =
            |store: &Store, term| evaluator.under(store, &assignment).word(term);
        for at in [0, 1, 77, 14_999, 70_000, 70_001] {
            let index = store.bv(32, at);
            let read = store.select(array, index);
            let missing = if at < 15_000 { 0 } else { 99 };
            let wanted = expected.get(&at).copied().unwrap_or(missing);
            assert_eq!(evaluation_of(&store, read), wanted, "at {at}");
        }
    }

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
