//! Terms laid out to be evaluated again and again with few changes.
//!
//! A search changes one variable and asks for everything again. A [`Tape`] keeps
//! the value of every part, computes only what depends on the change, and takes
//! the change back when it did not help. Word-sized values, which is nearly all of
//! them, are kept as words. Arrays that are only ever read from are not computed
//! at all: a read looks through the writes.

use crate::bits::BitVec;
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
/// use term::{Assignment, BitVec, Sort, Store, Tape, Value};
///
/// let mut store = Store::new();
/// let (x, y) = (store.var("x", Sort::Bv(8)), store.var("y", Sort::Bv(8)));
/// let sum = store.bv_add(x, y);
///
/// let mut tape = Tape::new(&store, &[sum]);
/// tape.load(&store, &Assignment::new(), None);
/// tape.set(store.as_variable(x).unwrap(), &Value::Bv(BitVec::from_u64(8, 200)));
/// tape.set(store.as_variable(y).unwrap(), &Value::Bv(BitVec::from_u64(8, 100)));
/// tape.update(&store, None);
/// assert_eq!(tape.word(sum), 44);
/// tape.take_back();
/// assert_eq!(tape.word(sum), 0);
/// ```
pub struct Tape {
    cells: Vec<Cell>,
    /// By cell, its value if that is a word.
    words: Vec<u64>,
    /// The values that are not words.
    wides: Vec<Value>,
    /// Where the arguments of cells are.
    arguments: Vec<u32>,
    /// Which cells use a cell.
    users: Vec<u32>,
    place_of: FxHashMap<Term, u32>,
    variables: FxHashMap<Variable, u32>,
    /// Cells to be computed, a bit for each.
    pending: Vec<u64>,
    /// Cells that have changed since the last [`Tape::keep`], and what they were.
    journal: Vec<(u32, u64)>,
    wide_journal: Vec<(u32, Value)>,
    /// Room for the arguments of a call.
    values: Vec<Value>,
}

struct Cell {
    sort: Sort,
    kind: Kind,
    /// Where in `wides` it is, if it is not a word.
    wide: u32,
    /// From where to where in `arguments` and in `users`.
    arguments: (u32, u32),
    users: (u32, u32),
}

/// The place in `wides` of a word.
const IS_WORD: u32 = u32::MAX;

#[derive(Clone, Copy)]
enum Kind {
    Constant,
    Variable,
    Apply(Function),
    /// From words to a word.
    Compute(Shape),
    /// From or to something else.
    ComputeWide(Shape),
    /// A read that looks through what follows.
    Select,
    /// A write that is only looked through.
    Written,
    /// A choice between arrays that is only looked through.
    Chosen,
}

impl Tape {
    /// Lays the terms out.
    pub fn new(store: &Store, roots: &[Term]) -> Tape {
        let mut order = post_order(store, roots);
        order.sort_unstable();
        let mut tape = Tape {
            cells: Vec::with_capacity(order.len()),
            words: vec![0; order.len()],
            wides: Vec::new(),
            arguments: Vec::new(),
            users: Vec::new(),
            place_of: FxHashMap::default(),
            variables: FxHashMap::default(),
            pending: vec![0; order.len().div_ceil(64)],
            journal: Vec::new(),
            wide_journal: Vec::new(),
            values: Vec::new(),
        };
        for (place, &term) in (0u32..).zip(&order) {
            tape.place_of.insert(term, place);
            tape.lay(store, term, place);
        }
        tape.link();
        tape.look_through(roots);
        tape
    }

    fn lay(&mut self, store: &Store, term: Term, place: u32) {
        let from = self.arguments.len() as u32;
        for arg in store.args(term) {
            self.arguments.push(self.place_of[arg]);
        }
        let kind = match store.op(term) {
            Op::Const => Kind::Constant,
            Op::Var => {
                let variable = store.as_variable(term).expect("it is a variable");
                self.variables.insert(variable, place);
                Kind::Variable
            }
            Op::Apply => Kind::Apply(store.as_function(term).expect("it is an application")),
            _ => computed(store, term),
        };
        let value = match store.as_value(term) {
            Some(constant) => constant,
            None => Value::default_of(store.sort(term)),
        };
        let wide = match value.to_word() {
            Some(word) => {
                self.words[place as usize] = word;
                IS_WORD
            }
            None => {
                self.wides.push(value);
                self.wides.len() as u32 - 1
            }
        };
        self.cells.push(Cell {
            sort: store.sort(term),
            kind,
            wide,
            arguments: (from, self.arguments.len() as u32),
            users: (0, 0),
        });
    }

    /// Lets every cell know its users.
    fn link(&mut self) {
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); self.cells.len()];
        for (place, cell) in (0u32..).zip(&self.cells) {
            for at in cell.arguments.0..cell.arguments.1 {
                users[self.arguments[at as usize] as usize].push(place);
            }
        }
        for (cell, own) in self.cells.iter_mut().zip(users) {
            let from = self.users.len() as u32;
            self.users.extend(own);
            cell.users = (from, self.users.len() as u32);
        }
    }

    /// Finds the arrays that need no value of their own, because all that is done
    /// with them is reading.
    fn look_through(&mut self, roots: &[Term]) {
        let mut needed = vec![false; self.cells.len()];
        for root in roots {
            needed[self.place_of[root] as usize] = true;
        }
        for place in (0..self.cells.len()).rev() {
            let Kind::ComputeWide(shape) = self.cells[place].kind else {
                self.need_arguments(place, &mut needed);
                continue;
            };
            let is_small = |sort: Sort| match sort {
                Sort::Array { index, element } => index <= 64 && element <= 64,
                _ => false,
            };
            let array = match shape.op {
                Op::Select => self.cells[self.arguments_of(place)[0] as usize].sort,
                _ => self.cells[place].sort,
            };
            let kind = match shape.op {
                Op::Select => Kind::Select,
                Op::Store if !needed[place] => Kind::Written,
                Op::Ite if !needed[place] => Kind::Chosen,
                _ => self.cells[place].kind,
            };
            if is_small(array) && !matches!(kind, Kind::ComputeWide(_)) {
                self.cells[place].kind = kind;
            } else {
                self.need_arguments(place, &mut needed);
            }
        }
    }

    fn need_arguments(&self, place: usize, needed: &mut [bool]) {
        for &argument in self.arguments_of(place) {
            needed[argument as usize] = true;
        }
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
            let cell = &self.cells[place as usize];
            let value = assignment.get(variable).cloned();
            let value = value.unwrap_or_else(|| Value::default_of(cell.sort));
            match value.to_word() {
                Some(word) => self.words[place as usize] = word,
                None => self.wides[cell.wide as usize] = value,
            }
        }
        for place in 0..self.cells.len() {
            self.compute(store, place, &mut functions);
        }
        self.pending.fill(0);
        self.keep();
    }

    /// Gives a variable a value, if it is one of the terms'.
    pub fn set(&mut self, variable: Variable, value: &Value) {
        if let Some(&place) = self.variables.get(&variable) {
            self.put(place, value);
        }
    }

    /// Computes what depends on variables that were set.
    pub fn update(&mut self, store: &Store, mut functions: Option<&mut dyn Functions>) {
        // Users come after what they use.
        for block in 0..self.pending.len() {
            while self.pending[block] != 0 {
                let bit = self.pending[block].trailing_zeros() as usize;
                self.pending[block] &= self.pending[block] - 1;
                self.compute(store, 64 * block + bit, &mut functions);
            }
        }
    }

    /// Keeps what was changed.
    pub fn keep(&mut self) {
        self.journal.clear();
        self.wide_journal.clear();
    }

    /// Takes back everything changed since [`Tape::keep`].
    pub fn take_back(&mut self) {
        while let Some((place, word)) = self.journal.pop() {
            self.words[place as usize] = word;
        }
        while let Some((wide, value)) = self.wide_journal.pop() {
            self.wides[wide as usize] = value;
        }
    }

    /// Where a part of the terms is.
    pub fn place(&self, term: Term) -> Place {
        Place(self.place_of[&term])
    }

    /// The value at a place whose sort fits a word.
    #[inline]
    pub fn word_at(&self, place: Place) -> u64 {
        self.words[place.0 as usize]
    }

    /// The value of a part of the terms whose sort fits a word.
    pub fn word(&self, term: Term) -> u64 {
        self.word_at(self.place(term))
    }

    /// The value of a part of the terms. Arrays between reads and writes have
    /// none.
    pub fn value(&self, term: Term) -> Value {
        self.value_at(self.place_of[&term])
    }

    fn value_at(&self, place: u32) -> Value {
        let cell = &self.cells[place as usize];
        match cell.wide {
            IS_WORD => Value::from_word(cell.sort, self.words[place as usize]),
            wide => self.wides[wide as usize].clone(),
        }
    }

    fn arguments_of(&self, place: usize) -> &[u32] {
        let (from, to) = self.cells[place].arguments;
        &self.arguments[from as usize..to as usize]
    }

    fn put(&mut self, place: u32, value: &Value) {
        match value.to_word() {
            Some(word) => self.put_word(place, word),
            None => self.put_wide(place, value.clone()),
        }
    }

    #[inline]
    fn put_word(&mut self, place: u32, word: u64) {
        let before = std::mem::replace(&mut self.words[place as usize], word);
        if before != word {
            self.journal.push((place, before));
            self.alert(place);
        }
    }

    fn put_wide(&mut self, place: u32, value: Value) {
        let wide = self.cells[place as usize].wide;
        if self.wides[wide as usize] != value {
            let before = std::mem::replace(&mut self.wides[wide as usize], value);
            self.wide_journal.push((wide, before));
            self.alert(place);
        }
    }

    /// Has the users of a cell computed.
    #[inline]
    fn alert(&mut self, place: u32) {
        let (from, to) = self.cells[place as usize].users;
        for &user in &self.users[from as usize..to as usize] {
            self.pending[user as usize / 64] |= 1 << (user % 64);
        }
    }

    /// Puts into a cell what its arguments make of it.
    fn compute(&mut self, store: &Store, place: usize, functions: &mut Option<&mut dyn Functions>) {
        let at = place as u32;
        match self.cells[place].kind {
            Kind::Constant | Kind::Variable => {}
            Kind::Compute(shape) => {
                let mut words = [0; WIDEST];
                let arguments = self.arguments_of(place);
                for (word, &at) in words.iter_mut().zip(arguments) {
                    *word = self.words[at as usize];
                }
                let word = compute::word(shape, &words[..arguments.len()]);
                self.put_word(at, word);
            }
            Kind::Select => {
                let word = self.read(place);
                self.put_word(at, word);
            }
            Kind::Written | Kind::Chosen => self.alert(at),
            Kind::ComputeWide(shape) if shape.op == Op::Ite => {
                let &[condition, then, otherwise] = self.arguments_of(place) else {
                    unreachable!("a choice has three arguments");
                };
                let taken = match self.words[condition as usize] {
                    0 => otherwise,
                    _ => then,
                };
                self.put_wide(at, self.value_at(taken));
            }
            Kind::ComputeWide(shape) => {
                let values = self.gather(place);
                let value = compute::value(shape, &values);
                self.values = values;
                self.put(at, &value);
            }
            Kind::Apply(function) => {
                let values = self.gather(place);
                let given = functions
                    .as_mut()
                    .and_then(|functions| functions.call(store, function, &values));
                self.values = values;
                let value = given.unwrap_or_else(|| Value::default_of(self.cells[place].sort));
                self.put(at, &value);
            }
        }
    }

    /// The values of a cell's arguments.
    fn gather(&mut self, place: usize) -> Vec<Value> {
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        values.extend(self.arguments_of(place).iter().map(|&at| self.value_at(at)));
        values
    }

    /// What a read finds.
    fn read(&self, place: usize) -> u64 {
        let &[mut array, index] = self.arguments_of(place) else {
            unreachable!("a read has two arguments");
        };
        let index = self.words[index as usize];
        loop {
            let cell = &self.cells[array as usize];
            match (cell.kind, self.arguments_of(array as usize)) {
                (Kind::Written, &[before, at, element]) => {
                    if self.words[at as usize] == index {
                        return self.words[element as usize];
                    }
                    array = before;
                }
                (Kind::Chosen, &[condition, then, otherwise]) => {
                    array = match self.words[condition as usize] {
                        0 => otherwise,
                        _ => then,
                    };
                }
                _ => {
                    let (Value::Array(array), Sort::Array { index: width, .. }) =
                        (&self.wides[cell.wide as usize], cell.sort)
                    else {
                        unreachable!("reads are from arrays");
                    };
                    let element = array.get(&BitVec::from_u64(width, index));
                    return element.to_u64().expect("the element is a word");
                }
            }
        }
    }
}

/// Where a part of some terms is on their tape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place(u32);

/// How the term of an operator with arguments is computed.
fn computed(store: &Store, term: Term) -> Kind {
    let (sort, args) = (store.sort(term), store.args(term));
    let shape = Shape::of(store, term);
    let words = is_word(sort) && args.iter().all(|&arg| is_word(store.sort(arg)));
    match words && args.len() <= WIDEST {
        true => Kind::Compute(shape),
        false => Kind::ComputeWide(shape),
    }
}

/// The most arguments an operator has.
pub(crate) const WIDEST: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
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
            let value = Value::Bv(BitVec::from_u64(32, word));
            tape.set(variable, &value);
            tape.update(&store, None);
            if round % 3 == 0 {
                tape.take_back();
                let after: Vec<u64> = terms.iter().map(|&term| tape.word(term)).collect();
                assert_eq!(before, after);
                continue;
            }
            tape.keep();
            assignment.set(variable, value);
            let mut evaluation = evaluator.under(&store, &assignment);
            for &term in &terms {
                assert_eq!(tape.word(term), evaluation.word(term));
            }
        }
    }
}
