//! Numbers value by value, for suites of objects without anything symbolic in them.
//!
//! The invariant runs over symbolic numbers as it always does: what it compares splits a range in
//! two, and not into each of its values. Once it holds, the path becomes one path for every
//! solution of its constraints on the numbers. Solutions come in their order, one at a time:
//! there may be more of them than there is memory.
//!
//! (Korat lists such objects too, and decides numbers as it decides pointers: Boyapati,
//! Khurshid and Marinov, *Korat: automated testing based on Java predicates*, ISSTA
//! 2002.)

use super::Staged;
use super::following::put_values;
use super::initialise::set_model;
use super::layout::{Slot, SlotKind};
use super::lazy::{LazyObject, lazy_mut, objects};
use machine::{Halt, Machine, State, mask};
use rustc_hash::FxHashMap;
use staged::Field;
use std::rc::Rc;
use term::{Assignment, Term, Variable};

/// After how many steps of a search it looks whether to stop.
const STEPS: u32 = 1 << 12;

/// A number whose values are tried.
#[derive(Clone, Copy)]
pub(super) struct Number {
    object: usize,
    slot: usize,
    low: i64,
    high: i64,
}

impl Staged<'_> {
    /// Notes that the values of an object's slot are tried if they are to be, and gives the
    /// range it has then.
    pub(super) fn try_values(
        &self,
        state: &mut State,
        (object, at): (usize, usize),
        range: Option<(i64, i64)>,
    ) -> Option<(i64, i64)> {
        let LazyObject {
            argument, layout, ..
        } = objects(state).objects[object].clone();
        let slot = &layout.slots[at];
        let (owner, path) = layout.key(slot);
        let counts = !matches!(slot.kind, SlotKind::Pointer(_) | SlotKind::Float);
        let values = self.bounds(argument).enumerated(owner, path);
        let Some(values) = values.filter(|_| counts && slot.bits <= 64) else {
            return range;
        };
        let (low, high) = range.unwrap_or((values.low, values.high));
        Rc::make_mut(&mut lazy_mut(state).numbers).push(Number {
            object,
            slot: at,
            low,
            high,
        });
        Some((low, high))
    }

    /// Gives values to the numbers whose values are tried, each solution on a path of its
    /// own.
    ///
    /// # Errors
    ///
    /// When the path goes on elsewhere.
    pub(super) fn enumerate(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
    ) -> Result<(), Halt> {
        while !objects(state).numbers.is_empty() {
            let mut search = Search::new(machine, state);
            let values = match objects(state).next_values.clone() {
                Some(values) => values,
                None => search
                    .first(machine, state)?
                    .expect("the path has a model")
                    .into(),
            };
            let Some(next) = search.after(machine, state, &values)? else {
                return take(machine, state, &search, &values);
            };
            let next: Rc<[i64]> = next.into();
            state.progress.depth += 1;
            machine.go_each_way(state, 2, |machine, path, way| match way {
                0 => take(machine, path, &search, &values),
                _ => {
                    lazy_mut(path).next_values = Some(next.clone());
                    Ok(())
                }
            })?;
        }
        Ok(())
    }
}

/// Makes the numbers have these values on this path.
fn take(
    machine: &mut Machine<'_>,
    state: &mut State,
    search: &Search,
    values: &[i64],
) -> Result<(), Halt> {
    lazy_mut(state).numbers = Rc::default();
    let mut all = machine.store.bool(true);
    for (place, &value) in search.places.iter().zip(values) {
        let width = place.slot().bits as u16;
        let word = value as u64 & mask(width.into());
        let constant = machine.store.bv(width, word);
        let equal = machine.store.eq(place.term, constant);
        all = machine.store.and(all, equal);
    }
    if search.depends_on_others {
        return machine.confine(state, all);
    }
    for (place, &value) in search.places.iter().zip(values) {
        let bytes = place.bytes();
        set_model(&machine.store, state, bytes, &place.encoded(value));
    }
    machine.assume(state, all);
    Ok(())
}

/// Where a number is.
struct Place {
    number: Number,
    own: LazyObject,
    term: Term,
}

impl Place {
    fn slot(&self) -> &Slot {
        &self.own.layout.slots[self.number.slot]
    }

    /// Whether all bits of its bytes are its own.
    fn is_whole(&self) -> bool {
        let slot = self.slot();
        slot.bit.is_multiple_of(8) && slot.bits.is_multiple_of(8)
    }

    fn bytes(&self) -> &[Term] {
        let slot = self.slot();
        let (first, end) = (slot.bit / 8, (slot.bit + slot.bits).div_ceil(8));
        &self.own.bytes[first as usize..end as usize]
    }

    /// The bytes of a value; of a number that has its bytes for itself.
    fn encoded(&self, value: i64) -> Vec<u8> {
        let mut whole = vec![0; self.own.bytes.len()];
        self.slot().put(&mut whole, &Field::Number(value.into()));
        let first = (self.slot().bit / 8) as usize;
        whole[first..first + self.bytes().len()].to_vec()
    }
}

/// A search through the values of numbers, in order.
struct Search {
    places: Vec<Place>,
    /// The constraints that are decided when this number is, after those before it.
    constraints: Vec<Vec<Term>>,
    /// Whether there are constraints on numbers that something else has a say in.
    depends_on_others: bool,
    model: Assignment,
}

impl Search {
    fn new(machine: &mut Machine<'_>, state: &State) -> Search {
        let lazy = objects(state);
        let places: Vec<Place> = (lazy.numbers.iter())
            .map(|&number| {
                let own = lazy.objects[number.object].clone();
                let slot = &own.layout.slots[number.slot];
                let term = own.layout.term(&mut machine.store, slot, &own.bytes);
                Place { number, own, term }
            })
            .collect();
        let store = &machine.store;
        let mut owners: FxHashMap<Variable, Option<usize>> = FxHashMap::default();
        for (at, place) in places.iter().enumerate() {
            let variables = place.bytes().iter().filter_map(|&it| store.as_variable(it));
            owners.extend(variables.map(|it| (it, place.is_whole().then_some(at))));
        }
        let mut constraints = vec![Vec::new(); places.len()];
        let mut depends_on_others = !places.iter().all(Place::is_whole);
        for constraint in state.path.constraints() {
            let variables = term::free_variables(store, &[constraint]);
            let owned = variables.iter().filter_map(|it| owners.get(it));
            let owned: Vec<Option<usize>> = owned.copied().collect();
            let is_known = owned.len() == variables.len()
                && owned.iter().all(Option::is_some)
                && term::functions(store, &[constraint]).is_empty();
            match owned.iter().flatten().max() {
                Some(&last) if is_known => constraints[last].push(constraint),
                None if owned.is_empty() => {}
                _ => depends_on_others = true,
            }
        }
        Search {
            places,
            constraints,
            depends_on_others,
            model: Assignment::clone(&state.model),
        }
    }

    /// The first values that satisfy the constraints.
    fn first(
        &mut self,
        machine: &mut Machine<'_>,
        state: &mut State,
    ) -> Result<Option<Vec<i64>>, Halt> {
        self.from(machine, state, Vec::new())
    }

    /// The values after these that satisfy them.
    fn after(
        &mut self,
        machine: &mut Machine<'_>,
        state: &mut State,
        values: &[i64],
    ) -> Result<Option<Vec<i64>>, Halt> {
        for (at, &value) in values.iter().enumerate() {
            self.set(machine, at, value);
        }
        self.from(machine, state, values.to_vec())
    }

    /// The first values of all numbers that satisfy the constraints and come after those that
    /// begin with these.
    fn from(
        &mut self,
        machine: &mut Machine<'_>,
        state: &mut State,
        mut values: Vec<i64>,
    ) -> Result<Option<Vec<i64>>, Halt> {
        let low = |search: &Search, at: usize| search.places[at].number.low;
        let mut candidate = match values.pop() {
            Some(last) => last.checked_add(1),
            None => Some(low(self, 0)),
        };
        for step in 1u32.. {
            if step.is_multiple_of(STEPS) {
                machine.wait_if_stopped(state)?;
            }
            let at = values.len();
            let within = candidate.filter(|&it| it <= self.places[at].number.high);
            let Some(value) = within else {
                let Some(last) = values.pop() else {
                    return Ok(None);
                };
                candidate = last.checked_add(1);
                continue;
            };
            self.set(machine, at, value);
            if !self.may_be(machine, at) {
                candidate = value.checked_add(1);
                continue;
            }
            values.push(value);
            if values.len() == self.places.len() {
                return Ok(Some(values));
            }
            candidate = Some(low(self, values.len()));
        }
        Ok(None)
    }

    fn set(&mut self, machine: &Machine<'_>, at: usize, value: i64) {
        let place = &self.places[at];
        if place.is_whole() {
            let encoded = place.encoded(value);
            put_values(&machine.store, &mut self.model, place.bytes(), &encoded);
        }
    }

    /// Whether the constraints hold that this number decides.
    fn may_be(&self, machine: &mut Machine<'_>, at: usize) -> bool {
        let mut model = machine.mixed.under(&machine.store, &self.model);
        self.constraints[at].iter().all(|&it| model.holds(it))
    }
}
