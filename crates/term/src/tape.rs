//! Terms laid out to be evaluated again and again with few changes.
//!
//! A search changes one variable and asks for everything again. A [`Tape`] keeps
//! the value of every part, computes only what depends on the change, and takes
//! the change back when it did not help. Word-sized values, which is nearly all of
//! them, are kept as words.

use crate::compute::{self, Shape};
use crate::eval::Functions;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Function, Store, Term, Variable};
use crate::value::{Assignment, Value, is_word};
use crate::walk::post_order;
use rustc_hash::FxHashMap;

/// The graph of some terms, with a value for every part.
///
/// ```
/// use term::{Assignment, Sort, Store, Tape};
///
/// let mut store = Store::new();
/// let (x, y) = (store.var("x", Sort::Bv(8)), store.var("y", Sort::Bv(8)));
/// let sum = store.bv_add(x, y);
///
/// let mut tape = Tape::new(&store, &[sum]);
/// tape.load(&store, &Assignment::new(), None);
/// tape.set(store.as_variable(x).unwrap(), 200);
/// tape.set(store.as_variable(y).unwrap(), 100);
/// tape.update(&store, None);
/// assert_eq!(tape.word(sum), 44);
/// tape.take_back();
/// assert_eq!(tape.word(sum), 0);
/// ```
pub struct Tape {
    cells: Vec<Cell>,
    /// Where in `cells` the arguments of a cell are.
    arguments: Vec<u32>,
    /// Which cells use a cell.
    users: Vec<u32>,
    place_of: FxHashMap<Term, u32>,
    variables: FxHashMap<Variable, u32>,
    /// Cells to be computed, the first first.
    pending: std::collections::BinaryHeap<std::cmp::Reverse<u32>>,
    /// Cells that have changed since the last [`Tape::keep`], and what they were.
    journal: Vec<(u32, Content)>,
}

/// What a cell holds.
#[derive(Clone, PartialEq)]
enum Content {
    Word(u64),
    Wide(Value),
}

impl Content {
    fn of(value: Value) -> Content {
        match value.to_word() {
            Some(word) => Content::Word(word),
            None => Content::Wide(value),
        }
    }

    fn word(&self) -> u64 {
        match self {
            Content::Word(word) => *word,
            Content::Wide(_) => 0,
        }
    }
}

struct Cell {
    content: Content,
    sort: Sort,
    kind: Kind,
    /// From where to where in `arguments` and in `users`.
    arguments: (u32, u32),
    users: (u32, u32),
    is_pending: bool,
}

enum Kind {
    Constant,
    Variable,
    Apply(Function),
    /// From words to a word.
    Compute(Shape),
    /// From or to something else.
    ComputeWide(Shape),
}

impl Tape {
    /// Lays the terms out.
    pub fn new(store: &Store, roots: &[Term]) -> Tape {
        let mut order = post_order(store, roots);
        order.sort_unstable();
        let mut tape = Tape {
            cells: Vec::with_capacity(order.len()),
            arguments: Vec::new(),
            users: Vec::new(),
            place_of: FxHashMap::default(),
            variables: FxHashMap::default(),
            pending: Default::default(),
            journal: Vec::new(),
        };
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
        for (place, &term) in (0u32..).zip(&order) {
            let from = tape.arguments.len() as u32;
            for arg in store.args(term) {
                let at = tape.place_of[arg];
                tape.arguments.push(at);
                users[at as usize].push(place);
            }
            let kind = match store.op(term) {
                Op::Const => Kind::Constant,
                Op::Var => {
                    let variable = store.as_variable(term).expect("it is a variable");
                    tape.variables.insert(variable, place);
                    Kind::Variable
                }
                Op::Apply => Kind::Apply(store.as_function(term).expect("it is an application")),
                _ => computed(store, term),
            };
            tape.place_of.insert(term, place);
            tape.cells.push(Cell {
                content: Content::of(match store.as_value(term) {
                    Some(constant) => constant,
                    None => Value::default_of(store.sort(term)),
                }),
                sort: store.sort(term),
                kind,
                arguments: (from, tape.arguments.len() as u32),
                users: (0, 0),
                is_pending: false,
            });
        }
        for (cell, own) in tape.cells.iter_mut().zip(users) {
            let from = tape.users.len() as u32;
            tape.users.extend(own);
            cell.users = (from, tape.users.len() as u32);
        }
        tape
    }

    /// Takes the values of the variables from an assignment and computes
    /// everything.
    pub fn load(
        &mut self,
        store: &Store,
        assignment: &Assignment,
        mut functions: Option<&mut dyn Functions>,
    ) {
        for (&variable, &place) in &self.variables {
            let cell = &mut self.cells[place as usize];
            let value = assignment.get(variable).cloned();
            cell.content = Content::of(value.unwrap_or_else(|| Value::default_of(cell.sort)));
        }
        self.pending.clear();
        for place in 0..self.cells.len() {
            self.cells[place].is_pending = false;
            if let Some(content) = self.compute(store, place, &mut functions) {
                self.cells[place].content = content;
            }
        }
        self.journal.clear();
    }

    /// Gives a variable of one word a value, if it is one of the terms'.
    pub fn set(&mut self, variable: Variable, word: u64) {
        if let Some(&place) = self.variables.get(&variable) {
            self.change(place, Content::Word(word));
        }
    }

    /// Gives a variable of any sort a value, if it is one of the terms'.
    pub fn assign(&mut self, variable: Variable, value: &Value) {
        if let Some(&place) = self.variables.get(&variable) {
            self.change(place, Content::of(value.clone()));
        }
    }

    /// Computes what depends on variables that were set.
    pub fn update(&mut self, store: &Store, mut functions: Option<&mut dyn Functions>) {
        while let Some(std::cmp::Reverse(place)) = self.pending.pop() {
            self.cells[place as usize].is_pending = false;
            if let Some(content) = self.compute(store, place as usize, &mut functions) {
                self.change(place, content);
            }
        }
    }

    /// Keeps what was changed.
    pub fn keep(&mut self) {
        self.journal.clear();
    }

    /// Takes back everything changed since [`Tape::keep`].
    pub fn take_back(&mut self) {
        while let Some((place, content)) = self.journal.pop() {
            self.cells[place as usize].content = content;
        }
    }

    /// The value of a part of the terms whose sort fits a word.
    pub fn word(&self, term: Term) -> u64 {
        self.cells[self.place_of[&term] as usize].content.word()
    }

    /// The value of a part of the terms.
    pub fn value(&self, term: Term) -> Value {
        self.value_at(self.place_of[&term])
    }

    fn value_at(&self, place: u32) -> Value {
        let cell = &self.cells[place as usize];
        match &cell.content {
            Content::Word(word) => Value::from_word(cell.sort, *word),
            Content::Wide(value) => value.clone(),
        }
    }

    fn change(&mut self, place: u32, content: Content) {
        let cell = &mut self.cells[place as usize];
        if cell.content == content {
            return;
        }
        let before = std::mem::replace(&mut cell.content, content);
        self.journal.push((place, before));
        let (from, to) = cell.users;
        for at in from..to {
            let user = self.users[at as usize];
            let cell = &mut self.cells[user as usize];
            if !cell.is_pending {
                cell.is_pending = true;
                self.pending.push(std::cmp::Reverse(user));
            }
        }
    }

    /// What a cell's arguments make of it; none for cells that are given.
    fn compute(
        &self,
        store: &Store,
        place: usize,
        functions: &mut Option<&mut dyn Functions>,
    ) -> Option<Content> {
        let cell = &self.cells[place];
        let (from, to) = cell.arguments;
        let arguments = &self.arguments[from as usize..to as usize];
        let values = || arguments.iter().map(|&at| self.value_at(at));
        Some(match cell.kind {
            Kind::Constant | Kind::Variable => return None,
            Kind::Compute(shape) => {
                let mut words = [0; WIDEST];
                for (word, &at) in words.iter_mut().zip(arguments) {
                    *word = self.cells[at as usize].content.word();
                }
                Content::Word(compute::word(shape, &words[..arguments.len()]))
            }
            Kind::ComputeWide(shape) if shape.op == Op::Ite => {
                let taken = match self.cells[arguments[0] as usize].content.word() {
                    0 => arguments[2],
                    _ => arguments[1],
                };
                self.cells[taken as usize].content.clone()
            }
            Kind::ComputeWide(shape) => {
                let values: Vec<Value> = values().collect();
                Content::of(compute::value(shape, &values))
            }
            Kind::Apply(function) => {
                let values: Vec<Value> = values().collect();
                let given = functions
                    .as_mut()
                    .and_then(|functions| functions.call(store, function, &values));
                Content::of(given.unwrap_or_else(|| Value::default_of(cell.sort)))
            }
        })
    }
}

/// How the term of an operator with arguments is computed.
fn computed(store: &Store, term: Term) -> Kind {
    let (sort, args) = (store.sort(term), store.args(term));
    let shape = Shape {
        op: store.op(term),
        sort,
        of: args.last().map_or(sort, |&last| store.sort(last)),
        indices: store.indices(term),
    };
    let words = is_word(sort) && args.iter().all(|&arg| is_word(store.sort(arg)));
    match words && args.len() <= WIDEST {
        true => Kind::Compute(shape),
        false => Kind::ComputeWide(shape),
    }
}

/// The most arguments an operator has.
const WIDEST: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitVec;
    use crate::eval::Evaluator;
    use crate::sort::{FpFormat, RoundingMode};

    #[test]
    fn a_tape_says_what_the_evaluator_says_after_every_change() {
        let mut store = Store::new();
        let inputs: Vec<Term> = (0..6)
            .map(|i| store.var(&format!("x{i}"), Sort::Bv(32)))
            .collect();
        let mut random = 1u64;
        let mut next = |bound: usize| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) as usize % bound
        };
        let mut terms = inputs.clone();
        let mode = store.rounding(RoundingMode::NearestEven);
        let words: Vec<u64> = (0..256).map(|i| i * 7919).collect();
        let table = store.table(8, 32, &words);
        for _ in 0..300 {
            let (a, b) = (terms[next(terms.len())], terms[next(terms.len())]);
            terms.push(match next(9) {
                0 => store.bv_add(a, b),
                1 => store.bv_mul(a, b),
                2 => store.bv_udiv(a, b),
                3 => store.bv_xor(a, b),
                4 => store.bv_ashr(a, b),
                5 => {
                    let (x, y) = (
                        store.fp_from_bits(FpFormat::SINGLE, a),
                        store.fp_from_bits(FpFormat::SINGLE, b),
                    );
                    let sum = store.fp_add(mode, x, y);
                    store.fp_to_bits(sum)
                }
                6 => {
                    let index = store.extract(a, 0, 8);
                    let written = store.store(table, index, b);
                    let place = store.extract(b, 3, 8);
                    store.select(written, place)
                }
                7 => {
                    let less = store.bv_slt(a, b);
                    store.ite(less, a, b)
                }
                _ => store.bv_sub(a, b),
            });
        }
        let mut tape = Tape::new(&store, &terms);
        let mut assignment = Assignment::new();
        tape.load(&store, &assignment, None);
        let mut evaluator = Evaluator::default();
        for round in 0..200 {
            let before: Vec<u64> = terms.iter().map(|&term| tape.word(term)).collect();
            let variable = store.as_variable(inputs[next(6)]).expect("it is one");
            let word = next(1 << 31) as u64;
            tape.set(variable, word);
            tape.update(&store, None);
            if round % 3 == 0 {
                tape.take_back();
                let after: Vec<u64> = terms.iter().map(|&term| tape.word(term)).collect();
                assert_eq!(before, after);
                continue;
            }
            tape.keep();
            assignment.set(variable, Value::Bv(BitVec::from_u64(32, word)));
            let mut evaluation = evaluator.under(&store, &assignment);
            for &term in &terms {
                assert_eq!(tape.word(term), evaluation.word(term));
            }
        }
    }
}
