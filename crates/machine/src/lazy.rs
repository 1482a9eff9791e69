//! Lazy initialisation: objects whose pointers are decided when somebody looks.
//!
//! A lazily initialised object is memory full of inputs. A pointer in it to a
//! structure has no value until it is loaded; then the path forks over null,
//! every object of the type there is, and a new one, always the next unused, so
//! that no two paths differ by a renaming of objects alone. Each way adds an
//! equation over fresh inputs, so that the solver need not be asked. While a
//! path follows a [`Solution`](staged::Solution), the way is the solution's.
//!
//! Objects belong to the argument they were reached from, and pointers never
//! lead from one argument's objects to another's.

mod graphs;
mod regenerate;

pub(crate) use regenerate::Regeneration;
pub use regenerate::SuiteReader;

use crate::layout::{Layout, SlotKind};
use crate::machine::Machine;
use crate::memory::Region;
use crate::outcome::{End, Stop};
use crate::staging::left_out;
use crate::state::{InputKind, State};
use crate::value::{Value, mask};
use regenerate::spot_of;
use rustc_hash::FxHashMap;
use staged::{Field, Solution};
use std::rc::Rc;
use term::{BitVec, Term};

/// The lazily initialised objects of a path.
#[derive(Clone, Default)]
pub struct LazyObjects {
    objects: Rc<Vec<LazyObject>>,
    /// The pointers that are decided when they are loaded: object and slot.
    pointers: Rc<FxHashMap<Term, (usize, usize)>>,
    /// The numbers whose values are tried one by one when they are loaded.
    numbers: Rc<FxHashMap<Term, (usize, usize)>>,
    /// The values of those that have been.
    values: Rc<FxHashMap<Term, u64>>,
    /// The pointers that have been: the object, none for null.
    decided: Rc<FxHashMap<Term, Option<usize>>>,
    /// The solution the path follows, for the objects of one argument.
    following: Option<Following>,
    /// The graphs that a program's own calls were given.
    regenerated: Rc<Vec<regenerate::Regenerated>>,
    /// Whether the path's objects satisfy what is required of them.
    valid: bool,
}

#[derive(Clone)]
struct LazyObject {
    /// The argument it was reached from.
    argument: usize,
    layout: Rc<Layout>,
    address: u64,
    /// Its inputs; none until it is filled.
    bytes: Rc<[Term]>,
}

#[derive(Clone)]
struct Following {
    argument: usize,
    solution: Rc<Solution>,
    /// Which of the path's objects a solution's object is.
    counterparts: Rc<Vec<Option<usize>>>,
    /// How high the stack is while the invariant runs, if a program's own call
    /// is what it was called for.
    until: Option<u32>,
}

/// What a pointer may be.
#[derive(Clone, Copy)]
enum Target {
    Null,
    Existing(usize),
    /// A new object; if the path follows a solution, that of this number in it.
    New(Option<usize>),
}

impl LazyObjects {
    /// Whether the path's objects satisfy what is required of them.
    pub fn valid(&self) -> bool {
        self.valid
    }

    pub(crate) fn set_valid(&mut self) {
        self.valid = true;
    }

    /// Whether a solution decides which way the path goes.
    #[inline]
    pub(crate) fn follows(&self) -> bool {
        self.following.is_some()
    }

    pub(crate) fn stop_following(&mut self) {
        self.following = None;
    }

    pub(crate) fn follow(&mut self, argument: usize, root: usize, solution: Rc<Solution>) {
        let mut counterparts = vec![None; solution.graph.objects.len()];
        counterparts[0] = Some(root);
        self.following = Some(Following {
            argument,
            solution,
            counterparts: Rc::new(counterparts),
            until: None,
        });
    }

    pub(crate) fn address(&self, object: usize) -> u64 {
        self.objects[object].address
    }

    /// The objects of an argument, in the order in which they were met.
    fn of_argument(&self, argument: usize) -> impl Iterator<Item = usize> + '_ {
        let objects = self.objects.iter().enumerate();
        objects
            .filter(move |(_, object)| object.argument == argument)
            .map(|(number, _)| number)
    }
}

impl Machine<'_> {
    /// Room for an object of an argument, with nothing in it yet.
    pub(crate) fn lazy_object(
        &mut self,
        state: &mut State,
        argument: usize,
        layout: Rc<Layout>,
    ) -> Result<usize, Stop> {
        let address = self.allocate(state, layout.size, Region::Heap)?;
        Ok(state.lazy.add(argument, layout, address))
    }

    /// Fills an object with inputs: free ones, or those of the solution that
    /// the path follows, where the object is this one.
    pub(crate) fn fill_lazily(
        &mut self,
        state: &mut State,
        number: usize,
        counterpart: Option<usize>,
    ) -> Result<(), Stop> {
        let LazyObject {
            argument,
            layout,
            address,
            ..
        } = state.lazy.objects[number].clone();
        let same = |object: &&LazyObject| object.layout.name == layout.name;
        let earlier = state.lazy.objects[..number].iter().filter(same).count();
        let name = format!("{}#{earlier}", layout.name);
        let kind = match self.regenerated(argument) {
            Some(_) => InputKind::Part,
            None => InputKind::Bytes,
        };
        let bytes = self.input(state, &name, layout.size as usize, kind)?;
        let spot = spot_of(state, address).expect("there is room for it");
        self.write(state, spot, &bytes);
        Rc::make_mut(&mut state.lazy.objects)[number].bytes = bytes.clone().into();
        if let Some(counterpart) = counterpart {
            self.adopt(state, &layout, &bytes, counterpart);
        }
        let bounds = self.staged_bounds(argument);
        for (at, slot) in layout.slots.iter().enumerate() {
            let term = layout.term(&mut self.store, slot, &bytes);
            let range = match &slot.kind {
                SlotKind::Pointer(Some(_)) => {
                    Rc::make_mut(&mut state.lazy.pointers).insert(term, (number, at));
                    continue;
                }
                SlotKind::Pointer(None) => {
                    self.note(format!(
                        "`{}.{}` points to no structure whose members are known, and is null in all objects",
                        layout.name, slot.path
                    ));
                    Some((0, 0))
                }
                SlotKind::Truth => Some((0, 1)),
                SlotKind::Signed | SlotKind::Unsigned | SlotKind::Float => {
                    let range = bounds.range(&layout.name, &slot.path);
                    range.map(|range| (range.low, range.high))
                }
            };
            let counts = !matches!(slot.kind, SlotKind::Pointer(_) | SlotKind::Float);
            if counts
                && slot.bits <= 64
                && !state.lazy.follows()
                && bounds.enumerated(&layout.name, &slot.path).is_some()
            {
                Rc::make_mut(&mut state.lazy.numbers).insert(term, (number, at));
            }
            if let Some((low, high)) = range {
                let width = self.store.width(term);
                let condition = within(self, term, width, slot.kind == SlotKind::Signed, low, high);
                if state.lazy.follows() {
                    self.must_fit(state, condition)?;
                } else {
                    self.confine(state, condition)?;
                }
            }
        }
        Ok(())
    }

    /// Takes the values of an object's numbers from the solution.
    fn adopt(&mut self, state: &mut State, layout: &Layout, bytes: &[Term], counterpart: usize) {
        let following = state.lazy.following.as_ref().expect("it has counterparts");
        let solution = following.solution.clone();
        let object = &solution.graph.objects[counterpart];
        let mut values = vec![0u8; bytes.len()];
        for slot in &layout.slots {
            slot.put(&mut values, object.field(&slot.path));
        }
        self.set_model(state, bytes, &values);
    }

    /// Makes inputs have these values in the path's model.
    fn set_model(&self, state: &mut State, bytes: &[Term], values: &[u8]) {
        let model = Rc::make_mut(&mut state.model);
        for (&byte, &value) in bytes.iter().zip(values) {
            if let Some(variable) = self.store.as_variable(byte) {
                let value = term::Value::Bv(BitVec::from_u64(8, value.into()));
                model.set(variable, value);
            }
        }
    }

    /// Adds what has to hold for the solution to be one.
    fn must_fit(&mut self, state: &mut State, condition: Term) -> Result<(), Stop> {
        if self.mixed.under(&self.store, &state.model).holds(condition) {
            self.assume(state, condition);
            return Ok(());
        }
        Err(self.misfit(state, "is out of bounds"))
    }

    /// Ends a path whose solution is none, and says so.
    pub(crate) fn misfit(&mut self, state: &State, why: &str) -> Stop {
        let following = state.lazy.following.as_ref();
        let followed = following.and_then(|following| {
            let argument = self.staged_argument(following.argument)?;
            Some((&argument.suite, following.solution.line))
        });
        if let Some((suite, line)) = followed {
            self.note(left_out(suite, line, why));
        }
        Stop::End(End::Ignored)
    }

    /// What a loaded term is if it is a pointer of a lazily initialised object;
    /// the path is forked over what it may be if nobody has looked before.
    pub(crate) fn initialised(
        &mut self,
        state: &mut State,
        term: Term,
    ) -> Result<Option<Value>, Stop> {
        let Some(&(object, slot)) = state.lazy.pointers.get(&term) else {
            return Ok(self.enumerated(state, term));
        };
        if let Some(&target) = state.lazy.decided.get(&term) {
            let address = target.map_or(0, |target| state.lazy.address(target));
            return Ok(Some(Value::word(address)));
        }
        let mut targets = self.targets(state, object, slot);
        if targets.is_empty() {
            // It has to lead somewhere, and the bounds leave no object for it.
            return Err(Stop::End(End::Ignored));
        }
        let first = targets.remove(0);
        if !targets.is_empty() {
            state.depth += 1;
            state.memory.settle();
            for &target in &targets {
                // The other state executes the load again.
                let mut other = state.clone();
                self.forks += 1;
                self.point(&mut other, term, object, slot, target)?;
                self.forked.push(other);
            }
        }
        let address = self.point(state, term, object, slot, first)?;
        Ok(Some(Value::word(address)))
    }

    /// What a loaded term is if it is a number whose values are tried one by one:
    /// the least on this path, and each of the others on one of its own.
    fn enumerated(&mut self, state: &mut State, term: Term) -> Option<Value> {
        let &(object, slot) = state.lazy.numbers.get(&term)?;
        if let Some(&value) = state.lazy.values.get(&term) {
            return Some(Value::word(value));
        }
        let LazyObject {
            argument,
            layout,
            bytes,
            ..
        } = state.lazy.objects[object].clone();
        let slot = &layout.slots[slot];
        let range = self.staged_bounds(argument);
        let range = range.enumerated(&layout.name, &slot.path)?;
        let range = match slot.kind {
            SlotKind::Truth => 0..=1,
            _ => range.low..=range.high,
        };
        state.memory.settle();
        let before = state.clone();
        let mut first = None;
        for value in range {
            let width = slot.bits as u16;
            let word = value as u64 & mask(width.into());
            let constant = self.store.bv(width, word);
            let equal = self.store.eq(term, constant);
            let mut whole: Vec<u8> = bytes
                .iter()
                .map(|&byte| self.model_byte(&before, byte))
                .collect();
            slot.put(&mut whole, &Field::Number(value.into()));
            let mut way = before.clone();
            way.depth += 1;
            self.set_model(&mut way, &bytes, &whole);
            self.assume(&mut way, equal);
            Rc::make_mut(&mut way.lazy.values).insert(term, word);
            if first.is_none() {
                *state = way;
                first = Some(Value::word(word));
            } else {
                // The other state executes the load again.
                self.forks += 1;
                self.forked.push(way);
            }
        }
        first
    }

    /// Gives values to the numbers that nobody has loaded, each on a path of its
    /// own, where values are tried one by one.
    pub(crate) fn enumerate_rest(&mut self, state: &mut State) {
        let lazy = &state.lazy;
        let open = lazy.numbers.iter();
        let open = open.filter(|(term, _)| !lazy.values.contains_key(*term));
        let mut open: Vec<_> = open.map(|(&term, &place)| (place, term)).collect();
        open.sort_unstable_by_key(|&(place, _)| place);
        for (_, term) in open {
            self.enumerated(state, term);
        }
    }

    fn model_byte(&mut self, state: &State, byte: Term) -> u8 {
        self.mixed.under(&self.store, &state.model).word(byte) as u8
    }

    /// What a pointer may be; nothing if there is no object for one that is never
    /// null.
    fn targets(&self, state: &State, object: usize, slot: usize) -> Vec<Target> {
        let lazy = &state.lazy;
        let LazyObject {
            argument, layout, ..
        } = &lazy.objects[object];
        let slot = &layout.slots[slot];
        if let Some(following) = &lazy.following
            && following.argument == *argument
        {
            return vec![following.target(object, &slot.path)];
        }
        let SlotKind::Pointer(Some(pointee)) = &slot.kind else {
            return vec![Target::Null];
        };
        let of_type = lazy.of_argument(*argument);
        let of_type = of_type.filter(|&number| lazy.objects[number].layout.name == *pointee);
        let existing: Vec<usize> = of_type.collect();
        let bounds = self.staged_bounds(*argument);
        let most = bounds.most_targets(&layout.name, &slot.path);
        let null = (!slot.never_null).then_some(Target::Null);
        let mut targets: Vec<Target> = null.into_iter().collect();
        targets.extend(existing.iter().take(most).map(|&n| Target::Existing(n)));
        if existing.len() < most.min(bounds.most_objects(pointee)) {
            targets.push(Target::New(None));
        }
        targets
    }

    /// Makes a pointer lead somewhere on this path, and gives the address.
    fn point(
        &mut self,
        state: &mut State,
        term: Term,
        object: usize,
        slot: usize,
        target: Target,
    ) -> Result<u64, Stop> {
        let LazyObject {
            argument,
            layout,
            bytes,
            ..
        } = state.lazy.objects[object].clone();
        let slot = &layout.slots[slot];
        let target = match (target, &slot.kind) {
            (Target::Existing(number), _) => Some(number),
            (Target::New(counterpart), SlotKind::Pointer(Some(pointee))) => {
                let pointee = self.lazy_layout(pointee);
                let number = self.lazy_object(state, argument, pointee)?;
                if let (Some(counterpart), Some(following)) =
                    (counterpart, &mut state.lazy.following)
                {
                    Rc::make_mut(&mut following.counterparts)[counterpart] = Some(number);
                }
                self.fill_lazily(state, number, counterpart)?;
                Some(number)
            }
            (Target::Null | Target::New(_), _) => None,
        };
        let address = target.map_or(0, |number| state.lazy.address(number));
        Rc::make_mut(&mut state.lazy.decided).insert(term, target);
        let first = (slot.bit / 8) as usize;
        self.set_model(state, &bytes[first..first + 8], &address.to_le_bytes());
        let constant = self.store.bv(64, address);
        let equal = self.store.eq(term, constant);
        self.assume(state, equal);
        Ok(address)
    }

    /// The first field of an argument's objects that is not what it was.
    pub(crate) fn changed_field(&mut self, state: &mut State, argument: usize) -> Option<String> {
        let numbers: Vec<usize> = state.lazy.of_argument(argument).collect();
        for number in numbers {
            let LazyObject {
                layout,
                address,
                bytes,
                ..
            } = state.lazy.objects[number].clone();
            let Some(spot) = spot_of(state, address) else {
                return Some(format!("a whole {}, which it frees", layout.name));
            };
            let now = self.read(state, spot, bytes.len());
            for slot in &layout.slots {
                let before = layout.term(&mut self.store, slot, &bytes);
                let after = layout.term(&mut self.store, slot, &now);
                let decided = state.lazy.decided.get(&before);
                let decided = decided.map(|target| target.map_or(0, |n| state.lazy.address(n)));
                let decided = decided.or(state.lazy.values.get(&before).copied());
                if before != after && self.store.as_word(after).is_none_or(|w| Some(w) != decided) {
                    return Some(format!("`{}` of {}", slot.path, layout.name));
                }
            }
        }
        None
    }
}

impl Following {
    /// Where the solution has a pointer of an object lead. One that it leaves
    /// open is null.
    fn target(&self, object: usize, path: &str) -> Target {
        let own = self.counterparts.iter().position(|&it| it == Some(object));
        let objects = &self.solution.graph.objects;
        match own.map(|own| objects[own].field(path)) {
            Some(&Field::To(to)) => match self.counterparts[to] {
                Some(number) => Target::Existing(number),
                None => Target::New(Some(to)),
            },
            Some(_) | None => Target::Null,
        }
    }
}

/// Whether a number lies in a range.
fn within(
    machine: &mut Machine<'_>,
    term: Term,
    width: u16,
    signed: bool,
    low: i64,
    high: i64,
) -> Term {
    let store = &mut machine.store;
    // One bit more than the widest of both, so that nothing is cut off.
    let wide = width.max(64) + 1;
    let term = match signed {
        true => store.sext(term, wide),
        false => store.zext(term, wide),
    };
    let mut constant = |value: i64| {
        let narrow = store.bv(64, value as u64);
        store.sext(narrow, wide)
    };
    let (low, high) = (constant(low), constant(high));
    let (above, below) = (store.bv_sle(low, term), store.bv_sle(term, high));
    store.and(above, below)
}
