//! Path conditions, kept apart into slices that share no variable.
//!
//! A query about a path is a query about the slice its variables lie
//! in; the others keep the assignments they have. The division is kept up
//! incrementally: a constraint joins the slices it touches, the smaller into the
//! larger, and a fork shares everything until one side adds more. It is done when
//! somebody asks: many paths add constraints that they know to hold, fork on and end
//! before anybody does.
//!
//! (The idea is EXE's constraint independence: Cadar, Ganesh, Pawlowski, Dill and Engler,
//! *EXE: automatically generating inputs of death*, CCS 2006.)

use base::List;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use term::{Assignment, BitVec, FunctionValue, Op, Store, Term, Value, Variable};

/// What two constraints may share: a variable, a function, or one element of
/// an array variable at a constant index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Slot {
    /// A variable's number, or a function's above 2^31.
    symbol: u32,
    /// Zero for the whole symbol; otherwise one plus the number of the term
    /// that reads the element.
    element: u32,
}

const FUNCTIONS: u32 = 1 << 31;

impl Slot {
    fn whole(symbol: u32) -> Slot {
        Slot { symbol, element: 0 }
    }

    fn is_element(self) -> bool {
        self.element != 0
    }

    /// The variable and, of an element, the index; none for a function.
    pub fn place(self, store: &Store) -> Option<(Variable, Option<BitVec>)> {
        if self.symbol >= FUNCTIONS {
            return None;
        }
        let variable = store.variable_at(self.symbol as usize);
        if !self.is_element() {
            return Some((variable, None));
        }
        let read = store.term_at(self.element as usize - 1);
        match store.as_value(store.args(read)[1]) {
            Some(Value::Bv(index)) => Some((variable, Some(index))),
            _ => None,
        }
    }

    /// Makes `to` agree with `from` on this slot and on nothing else.
    fn copy(self, store: &Store, from: &Assignment, to: &mut Assignment) {
        if self.symbol >= FUNCTIONS {
            let function = store.function_at((self.symbol - FUNCTIONS) as usize);
            let value = from.function(function).cloned();
            let result = store.signature(function).result;
            to.set_function(
                function,
                value.unwrap_or_else(|| FunctionValue::constant(result)),
            );
            return;
        }
        let variable = store.variable_at(self.symbol as usize);
        let value = from.get(variable).cloned();
        let value = value.unwrap_or_else(|| Value::default_of(store.variable_sort(variable)));
        if !self.is_element() {
            to.set(variable, value);
            return;
        }
        if to.get(variable).is_none() {
            to.set(variable, Value::default_of(store.variable_sort(variable)));
        }
        let read = store.term_at(self.element as usize - 1);
        let index = store.as_value(store.args(read)[1]);
        if let (Value::Array(from), Some(Value::Array(to)), Some(Value::Bv(index))) =
            (&value, to.get_mut(variable), index)
        {
            let element = from.get(&index).clone();
            Rc::make_mut(to).set(index, element);
        }
    }
}

/// A constraint and its slots.
type Part = (Term, Rc<[Slot]>);

/// The slots of terms, found once per term.
#[derive(Default)]
pub(crate) struct Slots {
    known: FxHashMap<Term, Rc<[Slot]>>,
    /// The parts of conjunctions that were added to some path: that a pointer is an address is
    /// one, and many paths add the same.
    conjunctions: FxHashMap<Term, Rc<[Part]>>,
    met: Vec<u32>,
    walks: u32,
}

impl Slots {
    /// The slots of a constraint, ascending. Where an array is used as a
    /// whole, its elements are not listed.
    pub fn of(&mut self, store: &Store, constraint: Term) -> Rc<[Slot]> {
        if let Some(slots) = self.known.get(&constraint) {
            return slots.clone();
        }
        let slots: Rc<[Slot]> = self.walk(store, constraint).into();
        self.known.insert(constraint, slots.clone());
        slots
    }

    /// The parts of a conjunction with their slots; nothing where one of them is a constant.
    fn parts_of(&mut self, store: &Store, conjunction: Term) -> Option<Rc<[Part]>> {
        if let Some(parts) = self.conjunctions.get(&conjunction) {
            return Some(parts.clone());
        }
        let parts = term::conjuncts(store, conjunction);
        if parts.iter().any(|&part| store.is_const(part)) {
            return None;
        }
        let parts = parts.into_iter().map(|part| (part, self.of(store, part)));
        let parts: Rc<[Part]> = parts.collect();
        self.conjunctions.insert(conjunction, parts.clone());
        Some(parts)
    }

    fn walk(&mut self, store: &Store, root: Term) -> Vec<Slot> {
        self.met.resize(store.len().max(self.met.len()), 0);
        self.walks += 1;
        let mut slots = Vec::new();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if std::mem::replace(&mut self.met[term.number()], self.walks) == self.walks {
                continue;
            }
            match (store.op(term), store.args(term)) {
                (Op::Var, _) => {
                    let variable = store.as_variable(term).expect("it is a variable");
                    slots.push(Slot::whole(variable.number() as u32));
                }
                (Op::Select, &[array, index]) if store.is_const(index) => {
                    match store.as_variable(array) {
                        Some(variable) => slots.push(Slot {
                            symbol: variable.number() as u32,
                            element: term.number() as u32 + 1,
                        }),
                        None => stack.push(array),
                    }
                }
                (Op::Apply, args) => {
                    let function = store.as_function(term).expect("it is an application");
                    slots.push(Slot::whole(FUNCTIONS + function.number() as u32));
                    stack.extend_from_slice(args);
                }
                (_, args) => stack.extend_from_slice(args),
            }
        }
        slots.sort_unstable();
        slots.dedup();
        // Sorted, the whole symbol comes before its elements.
        let mut whole = None;
        slots.retain(|slot| {
            if !slot.is_element() {
                whole = Some(slot.symbol);
            }
            !slot.is_element() || whole != Some(slot.symbol)
        });
        slots
    }
}

/// A set of constraints, divided into slices that share nothing. Cloning it
/// copies two pointers; the first query after another constraint copies the index.
#[derive(Clone, Default)]
pub struct PathCondition {
    /// The slices when somebody last asked for them.
    index: RefCell<Rc<Index>>,
    /// What was added since.
    added: RefCell<List<Added>>,
    /// How often only a part of the index was made for it.
    partly: Cell<u32>,
    /// A constraint known to be false is among those added.
    contradiction: Option<Term>,
}

/// What was added to a path condition at once.
enum Added {
    One(Part),
    Several(Rc<[Part]>),
}

impl Added {
    fn parts(&self) -> &[Part] {
        match self {
            Added::One(part) => std::slice::from_ref(part),
            Added::Several(parts) => parts,
        }
    }
}

/// Additions, from which on the index is made only for those that a query is about.
const MANY: usize = 8;
/// How often that is done before all of them get their place in the index.
const MOST_PARTLY: u32 = 16;
/// How often all additions are looked at for that.
const MOST_ROUNDS: usize = 4;

#[derive(Clone, Default)]
struct Index {
    /// The slice of each slot, sorted by slot.
    slice_of: Vec<(Slot, u32)>,
    /// By number; none where a slice was joined into another.
    slices: Vec<Option<Rc<Slice>>>,
}

/// Constraints that share slots, transitively.
#[derive(Clone, Default)]
pub(crate) struct Slice {
    /// The constraints, in the order in which they were added.
    pub constraints: Vec<Term>,
    /// The slots they are about, each once.
    pub slots: Vec<Slot>,
}

impl Slice {
    /// Makes `to` agree with `from` on what the constraints are about.
    pub fn copy(&self, store: &Store, from: &Assignment, to: &mut Assignment) {
        for slot in &self.slots {
            slot.copy(store, from, to);
        }
    }
}

impl PathCondition {
    /// The condition that always holds.
    pub fn new() -> PathCondition {
        PathCondition::default()
    }

    /// All constraints, slice by slice.
    pub fn constraints(&self) -> impl Iterator<Item = Term> + use<> {
        let divided = self.slices().flat_map(|slice| slice.constraints.clone());
        self.contradiction.into_iter().chain(divided)
    }

    /// The constraints, those together that share variables.
    pub fn parts(&self) -> impl Iterator<Item = Vec<Term>> + use<> {
        self.slices().map(|slice| slice.constraints.clone())
    }

    /// A constraint that is plainly false, if one was added.
    pub(crate) fn contradiction(&self) -> Option<Term> {
        self.contradiction
    }

    pub(crate) fn slices(&self) -> impl Iterator<Item = Rc<Slice>> + use<> {
        self.index().slices.clone().into_iter().flatten()
    }

    /// The slices of all constraints.
    fn index(&self) -> Rc<Index> {
        let added = self.added.take();
        self.partly.set(0);
        let mut index = self.index.borrow_mut();
        if !added.is_empty() {
            let index = Rc::make_mut(&mut index);
            for part in added.forwards().flat_map(Added::parts) {
                index.add(part);
            }
        }
        index.clone()
    }

    /// The slices that hold some of these symbols, transitively, as [`PathCondition::index`]
    /// has them. Most paths of an enumeration decide a hundred inputs that no query is ever
    /// about, and to give each its slice is what takes long.
    fn index_around(&self, symbols: impl IntoIterator<Item = u32>) -> Rc<Index> {
        if self.added.borrow().len() < MANY || self.partly.get() >= MOST_PARTLY {
            return self.index();
        }
        self.partly.set(self.partly.get() + 1);
        match self.part_around(symbols) {
            Some(index) => Rc::new(index),
            None => self.index(),
        }
    }

    /// That part of the index; nothing where it takes long to find out what belongs to it.
    fn part_around(&self, symbols: impl IntoIterator<Item = u32>) -> Option<Index> {
        let (index, added) = (self.index.borrow(), self.added.borrow());
        let mut added: Vec<(&Part, bool)> = (added.forwards().flat_map(Added::parts))
            .map(|part| (part, false))
            .collect();
        let mut slices: Vec<u32> = Vec::new();
        let mut known = FxHashSet::default();
        let mut new: Vec<u32> = symbols.into_iter().collect();
        for _ in 0..MOST_ROUNDS {
            while let Some(symbol) = new.pop() {
                if !known.insert(symbol) {
                    continue;
                }
                for id in index.touching(&[Slot::whole(symbol)]) {
                    if !slices.contains(&id) {
                        slices.push(id);
                        new.extend(index.slice(id).slots.iter().map(|slot| slot.symbol));
                    }
                }
            }
            for ((_, touched), is_taken) in &mut added {
                if !*is_taken && touched.iter().any(|slot| known.contains(&slot.symbol)) {
                    *is_taken = true;
                    let symbols = touched.iter().map(|slot| slot.symbol);
                    new.extend(symbols.filter(|symbol| !known.contains(symbol)));
                }
            }
            if new.is_empty() {
                slices.sort_unstable();
                let mut around = index.only(&slices);
                for (part, _) in added.iter().filter(|(_, is_taken)| *is_taken) {
                    around.add(part);
                }
                return Some(around);
            }
        }
        None
    }

    /// The constraints that share variables, transitively, with others than these.
    pub fn constraints_beyond(&self, store: &Store, known: &[Term]) -> Vec<Term> {
        let known = known.iter().filter_map(|&it| store.as_variable(it));
        let known: FxHashSet<u32> = known.map(|variable| variable.number() as u32).collect();
        let mut others = Vec::new();
        for part in self.added.borrow().backwards().flat_map(Added::parts) {
            others.extend(part.1.iter().map(|slot| slot.symbol));
        }
        let index = self.index.borrow().clone();
        others.extend(index.slice_of.iter().map(|(slot, _)| slot.symbol));
        others.retain(|symbol| !known.contains(symbol));
        others.sort_unstable();
        others.dedup();
        let slots: Vec<Slot> = others.iter().copied().map(Slot::whole).collect();
        let around = self.index_around(others).around(&slots).constraints;
        self.contradiction.into_iter().chain(around).collect()
    }

    /// Adds a constraint; conjunctions are added part by part.
    pub(crate) fn add(&mut self, store: &Store, slots: &mut Slots, constraint: Term) {
        if store.op(constraint) == Op::And
            && let Some(parts) = slots.parts_of(store, constraint)
        {
            return self.added.get_mut().push(Added::Several(parts));
        }
        for part in term::conjuncts(store, constraint) {
            match store.as_bool(part) {
                Some(true) => {}
                Some(false) => self.contradiction = Some(part),
                None => self
                    .added
                    .get_mut()
                    .push(Added::One((part, slots.of(store, part)))),
            }
        }
    }

    /// The constraints that share variables with `query`, transitively, and `query`.
    pub(crate) fn joined(&self, store: &Store, slots: &mut Slots, query: Term) -> Slice {
        let touched = slots.of(store, query);
        let index = self.index_around(touched.iter().map(|slot| slot.symbol));
        let mut joined = index.around(&touched);
        let is_new = |&&slot: &&Slot| index.get(slot).is_none();
        joined.slots.extend(touched.iter().filter(is_new));
        joined.constraints.extend(term::conjuncts(store, query));
        joined
    }

    /// The constraints that share variables with `query`, transitively.
    pub(crate) fn relevant(&self, store: &Store, slots: &mut Slots, query: Term) -> Vec<Term> {
        let touched = slots.of(store, query);
        let index = self.index_around(touched.iter().map(|slot| slot.symbol));
        index.around(&touched).constraints
    }
}

impl Index {
    /// What the slices have together that hold any of the slots.
    fn around(&self, slots: &[Slot]) -> Slice {
        let touching = self.touching(slots);
        let touching = touching.iter().map(|&id| self.slice(id));
        let constraints: usize = touching.clone().map(|it| it.constraints.len()).sum();
        let own: usize = touching.clone().map(|it| it.slots.len()).sum();
        // A query is about to be added.
        let mut all = Slice {
            constraints: Vec::with_capacity(constraints + 1),
            slots: Vec::with_capacity(own + slots.len()),
        };
        for slice in touching {
            all.constraints.extend_from_slice(&slice.constraints);
            all.slots.extend_from_slice(&slice.slots);
        }
        all
    }

    fn slice(&self, id: u32) -> &Rc<Slice> {
        self.slices[id as usize]
            .as_ref()
            .expect("slots point at slices that are there")
    }

    /// The slices that hold any of the slots, ascending.
    fn touching(&self, slots: &[Slot]) -> Vec<u32> {
        let mut found = Vec::new();
        for &slot in slots {
            if slot.is_element() {
                found.extend(self.get(slot));
                found.extend(self.get(Slot::whole(slot.symbol)));
            } else {
                // The whole of an array has its elements behind it, and others nothing.
                let from = self.slice_of.partition_point(|&(at, _)| at < slot);
                let elements = self.slice_of[from..].iter();
                let same = elements.take_while(|(at, _)| at.symbol == slot.symbol);
                found.extend(same.map(|&(_, id)| id));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn get(&self, slot: Slot) -> Option<u32> {
        let place = self.slice_of.binary_search_by_key(&slot, |&(at, _)| at);
        place.ok().map(|place| self.slice_of[place].1)
    }

    /// These slices alone, ascending; their numbers are others.
    fn only(&self, slices: &[u32]) -> Index {
        let mut only = Index::default();
        for (number, &id) in (0..).zip(slices) {
            let slice = self.slice(id);
            let slots = slice.slots.iter();
            only.slice_of.extend(slots.map(|&slot| (slot, number)));
            only.slices.push(Some(slice.clone()));
        }
        only.slice_of.sort_unstable();
        only
    }

    /// Adds a constraint that is not there yet.
    fn add(&mut self, (constraint, touched): &Part) {
        let joined = self.touching(touched);
        let holds = |&id: &u32| self.slice(id).constraints.contains(constraint);
        if !joined.iter().any(holds) {
            self.join(&joined, touched, *constraint);
        }
    }

    /// Joins the slices into the largest of them and adds the constraint to it.
    fn join(&mut self, joined: &[u32], touched: &[Slot], constraint: Term) {
        let largest = joined.iter().max_by_key(|&&id| self.slice(id).slots.len());
        let home = match largest {
            Some(&home) => home,
            None => {
                self.slices.push(Some(Rc::default()));
                self.slices.len() as u32 - 1
            }
        };
        let mut slice = Slice::clone(self.slice(home));
        for &id in joined.iter().filter(|&&id| id != home) {
            let other = self.slices[id as usize].take().expect("it was found");
            slice.constraints.extend_from_slice(&other.constraints);
            for &slot in &other.slots {
                self.set(slot, home);
            }
            slice.slots.extend_from_slice(&other.slots);
        }
        for &slot in touched {
            if self.set(slot, home) {
                slice.slots.push(slot);
            }
        }
        slice.constraints.push(constraint);
        self.slices[home as usize] = Some(Rc::new(slice));
    }

    /// Puts the slot into the slice; whether it was in none before.
    fn set(&mut self, slot: Slot, id: u32) -> bool {
        match self.slice_of.binary_search_by_key(&slot, |&(at, _)| at) {
            Ok(place) => {
                self.slice_of[place].1 = id;
                false
            }
            Err(place) => {
                self.slice_of.insert(place, (slot, id));
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;
    use term::Sort;

    #[test]
    fn a_part_of_the_index_has_what_the_whole_has_in_the_same_order() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let (mut store, mut slots) = (Store::new(), Slots::default());
            let variables: Vec<Term> = (0..60)
                .map(|number| store.var(&format!("x{number}"), Sort::Bv(8)))
                .collect();
            let mut path = PathCondition::new();
            let mut any = |below| variables[random.below(below)];
            for number in 0..80 {
                // Some constraints on several, most on one, and some conjunctions.
                let (one, other, third) = (any(60), any(60), any(20));
                let constant = store.bv(8, number);
                let constraint = match number % 7 {
                    0 => store.bv_ult(one, other),
                    1 => {
                        let (low, high) = (store.eq(one, constant), store.bv_ult(third, other));
                        store.and(low, high)
                    }
                    _ => store.bv_ult(one, constant),
                };
                path.add(&store, &mut slots, constraint);
                if number == 30 {
                    path.index();
                }
            }
            let query = store.bv_ult(any(60), any(60));
            let whole = path.clone();
            whole.index();
            assert_eq!(
                path.relevant(&store, &mut slots, query),
                whole.relevant(&store, &mut slots, query)
            );
            let joined = |path: &PathCondition, slots: &mut Slots| {
                let joined = path.joined(&store, slots, query);
                (joined.constraints, joined.slots)
            };
            assert_eq!(joined(&path, &mut slots), joined(&whole, &mut slots));
            let known: Vec<Term> = variables[20..].to_vec();
            assert_eq!(
                path.constraints_beyond(&store, &known),
                whole.constraints_beyond(&store, &known)
            );
        }
    }

    #[test]
    fn constraints_beyond_known_variables_are_the_others() {
        let (mut store, mut slots) = (Store::new(), Slots::default());
        let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, Sort::Bv(8)));
        let three = store.bv(8, 3);
        let [of_x, of_y] = [x, y].map(|it| store.bv_ult(it, three));
        let of_both = store.bv_ult(y, z);
        let mut path = PathCondition::new();
        for constraint in [of_x, of_y, of_both] {
            path.add(&store, &mut slots, constraint);
        }
        assert_eq!(path.constraints_beyond(&store, &[y]), [of_x, of_y, of_both]);
        assert_eq!(path.constraints_beyond(&store, &[y, z]), [of_x]);
    }
}
