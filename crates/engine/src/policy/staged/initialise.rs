//! Lazy initialisation: objects whose pointers are decided when somebody looks.
//!
//! A lazily initialised object is memory full of inputs. A pointer in it has no value
//! until it is loaded; then the path forks over null, everything of the type there is,
//! whole or inside of another object, and new regions, always the next unused, so that
//! no two paths differ by a renaming of objects alone. Each choice adds an equation over
//! fresh inputs, so that no query is needed; only where a field tells the length of an
//! array may the path refuse it. While a path follows solutions, the choice is theirs.

use super::Staged;
use super::following::{put_values, set_for_all};
use super::layout::{Functions, LAST_TOKEN, Layout, Pointee, Slot, SlotKind};
use super::lazy::{LazyObject, Target, lazy_mut, objects};
use super::regenerate::spot_of;
use super::regions::{Fresh, is_string};
use machine::{Allocator, Halt, Incomplete, InputKind, Machine, Region, State, Value};
use mixed::Effort;
use mixed::solver::Answer;
use program::Kind;
use staged::Bounds;
use std::rc::Rc;
use term::{Store, Term};

impl Staged<'_> {
    /// Room for an object of an argument, with nothing in it yet.
    pub(super) fn lazy_object(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        argument: usize,
        layout: Rc<Layout>,
    ) -> Result<usize, Halt> {
        let address = machine.allocate(state, layout.size, Region::Heap(Allocator::Any))?;
        Ok(lazy_mut(state).add(argument, layout, address))
    }

    /// A new object of an argument, of which nothing is known yet.
    pub(super) fn free_object(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        argument: usize,
        layout: Rc<Layout>,
    ) -> Result<usize, Halt> {
        let number = self.lazy_object(machine, state, argument, layout)?;
        self.fill_lazily(machine, state, number, false)?;
        Ok(number)
    }

    /// Fills an object with inputs: free ones, or those of the solutions that the path
    /// follows, where it is one of their objects.
    pub(super) fn fill_lazily(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        number: usize,
        is_followed: bool,
    ) -> Result<(), Halt> {
        let LazyObject {
            argument,
            layout,
            address,
            ..
        } = objects(state).objects[number].clone();
        if layout.size == 0 {
            return Ok(());
        }
        let same = |object: &&LazyObject| object.layout.name == layout.name;
        let earlier = objects(state).objects[..number].iter().filter(same).count();
        let name = format!("{}#{earlier}", layout.name);
        let kind = match self.regenerated(argument) {
            Some(_) => InputKind::Part,
            None => InputKind::Bytes,
        };
        let bytes = machine.input(state, &name, layout.size as usize, kind)?;
        let spot = spot_of(state, address).expect("there is room for it");
        machine.write(state, spot, &bytes);
        put_vtables(machine, state, &layout, address)?;
        Rc::make_mut(&mut lazy_mut(state).objects)[number].bytes = bytes.clone().into();
        if is_followed {
            self.adopt(machine, state, number)?;
        }
        let bounds = self.bounds(argument);
        let terms = self.terms(&mut machine.store, &layout, &bytes);
        for (at, slot) in layout.slots.iter().enumerate() {
            let term = terms[at];
            let (owner, path) = layout.key(slot);
            let range = match &slot.kind {
                SlotKind::Pointer(Pointee::Object(_)) => {
                    Rc::make_mut(&mut lazy_mut(state).pointers).insert(term, (number, at));
                    continue;
                }
                SlotKind::Pointer(Pointee::Token) => {
                    let member = match path {
                        "" => owner.to_owned(),
                        path => format!("{owner}.{path}"),
                    };
                    lazy_mut(state).add_token(&machine.store, term, &member);
                    Some((0, LAST_TOKEN as i64))
                }
                SlotKind::Pointer(Pointee::Function(functions)) => {
                    let leads = leads_to(machine, functions, term, !slot.never_null);
                    self.hold_to(machine, state, leads)?;
                    continue;
                }
                SlotKind::Pointer(Pointee::Nothing) => {
                    // Objects with something there are not made: whoever relies on there
                    // being all of them has to know.
                    let member = format!("{owner}.{path}").into();
                    machine.incomplete(state, Incomplete::OnlyNull { member });
                    Some((0, 0))
                }
                SlotKind::Truth => Some((0, 1)),
                SlotKind::Signed | SlotKind::Unsigned | SlotKind::Float => {
                    let range = bounds.range(owner, path);
                    range.map(|range| (range.low, range.high))
                }
            };
            let range = match objects(state).follows() {
                true => range,
                false => self.try_values(state, (number, at), range),
            };
            if let Some((low, high)) = range {
                let width = machine.store.width(term);
                let condition = within(
                    machine,
                    term,
                    width,
                    slot.kind == SlotKind::Signed,
                    low,
                    high,
                );
                self.hold_to(machine, state, condition)?;
            }
        }
        self.bound_lengths(machine, state, number)
    }

    /// What is in each slot of an object that is these inputs, which many paths have.
    fn terms(&self, store: &mut Store, layout: &Layout, bytes: &[Term]) -> Rc<[Term]> {
        // Bytes of another kind than inputs are not told apart by the first of them.
        let is_input = store.as_variable(bytes[0]).is_some();
        let slots = layout.slots.iter();
        let of_slots = slots.map(|slot| layout.term(store, slot, bytes));
        if !is_input {
            return of_slots.collect();
        }
        let mut known = self.terms.borrow_mut();
        let terms = known.entry(bytes[0]);
        terms.or_insert_with(|| of_slots.collect()).clone()
    }

    /// Makes a condition on an object's inputs hold.
    pub(super) fn hold_to(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        condition: Term,
    ) -> Result<(), Halt> {
        match objects(state).follows() {
            true => self.must_fit(machine, state, condition),
            false => machine.confine(state, condition),
        }
    }

    /// What a loaded term is if it is a pointer of a lazily initialised object;
    /// the path is forked over what it may be if nobody has looked before.
    pub(super) fn initialised(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        term: Term,
    ) -> Result<Option<Value>, Halt> {
        let Some(&(object, slot)) = objects(state).pointers.get(&term) else {
            return Ok(None);
        };
        let own = objects(state).objects[object].layout.clone();
        if let Some(linked) = own.linked_of(slot) {
            self.decide_linked(machine, state, object, linked)?;
        }
        if let Some(shared) = own.shared_of(slot) {
            self.decide_shared(machine, state, object, shared)?;
        }
        if let Some(&address) = objects(state).decided.get(&term) {
            return Ok(Some(Value::word(address)));
        }
        if let Some(span) = own.span_of(slot) {
            self.decide_span(machine, state, object, span)?;
            let address = objects(state).decided.get(&term).copied();
            return Ok(address.map(Value::word));
        }
        self.agree(machine, state, object, &[slot])?;
        let targets = self.targets(state, object, slot);
        if let [only] = &targets[..] {
            let address = self.point(machine, state, (object, slot), only)?;
            return Ok(Some(Value::word(address)));
        }
        state.progress.depth += 1;
        let address = machine.go_each_way(state, targets.len(), |machine, path, number| {
            self.point(machine, path, (object, slot), &targets[number])
        })?;
        Ok(Some(Value::word(address)))
    }

    /// What a pointer may be; nothing if there is no object for one that is never
    /// null.
    fn targets(&self, state: &State, object: usize, slot: usize) -> Vec<Target> {
        let lazy = objects(state);
        let LazyObject {
            argument, layout, ..
        } = &lazy.objects[object];
        let number = slot;
        let slot = &layout.slots[slot];
        if let Some(following) = &lazy.following
            && following.argument == *argument
        {
            return vec![following.target(object, &slot.path)];
        }
        let SlotKind::Pointer(Pointee::Object(to)) = &slot.kind else {
            return vec![Target::Null];
        };
        let range = self.range(self.bounds(*argument), layout, (number, to));
        let null = (!slot.never_null).then_some(Target::Null);
        let mut targets: Vec<Target> = null.into_iter().collect();
        if range.may_share {
            let existing = lazy.places(*argument, to, range.is_cursor);
            targets.extend(
                existing
                    .take(range.most)
                    .map(|(number, at)| Target::Existing(number, at)),
            );
        }
        for (fresh, kinds) in &range.fresh {
            let has_room = |(kind, most): &(String, usize)| lazy.count(*argument, kind) < *most;
            if lazy.count(*argument, &kinds[0].0) < range.most && kinds.iter().all(has_room) {
                targets.push(Target::New(fresh.clone()));
            }
        }
        targets
    }

    /// What a pointer of an object ranges over, which is the same on all paths.
    fn range(
        &self,
        bounds: Rc<Bounds>,
        layout: &Rc<Layout>,
        (number, to): (usize, &str),
    ) -> Rc<PointerRange> {
        let key = (Rc::as_ptr(&bounds), Rc::as_ptr(layout), number);
        if let Some(known) = self.ranges.borrow().get(&key) {
            return known.clone();
        }
        let slot = &layout.slots[number];
        let (owner, path) = layout.key(slot);
        let layouts = self.layouts.borrow();
        let is_cursor = layout.has_several(to);
        // A string or what has a length of its own is nobody else's, and numbers are
        // pointed into only where several pointers run through them.
        let may_share = (is_cursor || layouts.is_shared(to))
            && !is_string(layout, slot, to, &bounds)
            && bounds.length(owner, path).is_none();
        let fresh = layouts.fresh(layout, slot, to, &bounds).into_iter();
        let fresh = fresh.map(|fresh| {
            let kinds = layouts.kinds(&fresh.type_name).into_iter();
            let kinds = kinds.map(|kind| {
                let most = bounds.most_objects(&kind);
                (kind, most)
            });
            (Rc::new(fresh), kinds.collect())
        });
        let range = Rc::new(PointerRange {
            most: bounds.most_targets(owner, path),
            is_cursor,
            may_share,
            fresh: fresh.collect(),
            _of: (bounds.clone(), layout.clone()),
        });
        self.ranges.borrow_mut().insert(key, range.clone());
        range
    }

    /// Makes a pointer lead somewhere on this path, and gives the address.
    pub(super) fn point(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        (object, slot): (usize, usize),
        target: &Target,
    ) -> Result<u64, Halt> {
        let own = objects(state).objects[object].clone();
        let slot = &own.layout.slots[slot];
        let before = objects(state).objects.len();
        let (target, offset) = match target {
            Target::Null => (None, 0),
            Target::Existing(number, offset) => (Some(*number), *offset),
            Target::Followed(offset) => {
                let number = self.meet(machine, state, object, &slot.path)?;
                (Some(number), *offset)
            }
            Target::New(fresh) => {
                let layout = self.layout(&fresh.type_name);
                let number = self.free_object(machine, state, own.argument, layout)?;
                (Some(number), fresh.offset)
            }
        };
        self.tie_length(machine, state, &own, slot, target)?;
        if let Some(number) = target {
            self.count_owners(machine, state, number)?;
        }
        if let Some(number) = target.filter(|&number| number >= before) {
            self.end_string(machine, state, &own, slot, number)?;
        }
        let address = target.map_or(0, |number| objects(state).address(number) + offset);
        self.decide(machine, state, &own, slot, address);
        Ok(address)
    }

    /// Makes a pointer of an object be an address on this path.
    pub(super) fn decide(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: &LazyObject,
        slot: &Slot,
        address: u64,
    ) {
        let first = (slot.bit / 8) as usize;
        let bytes = &own.bytes[first..first + 8];
        // Objects lie where they lay on other paths, and the equation is about eight bytes.
        let mut equations = self.equations.borrow_mut();
        let (term, equal) = *equations.entry((bytes[0], address)).or_insert_with(|| {
            let store = &mut machine.store;
            let term = own.layout.term(store, slot, &own.bytes);
            let constant = store.bv(64, address);
            (term, store.eq(term, constant))
        });
        drop(equations);
        Rc::make_mut(&mut lazy_mut(state).decided).insert(term, address);
        set_model(&machine.store, state, bytes, &address.to_le_bytes());
        machine.assume(state, equal);
    }
}

/// A type, and how many objects there may be of it.
type Allowance = (String, usize);

/// What a pointer of a layout ranges over by the bounds of an argument.
pub(super) struct PointerRange {
    /// The most objects.
    most: usize,
    /// Whether it runs through an array.
    is_cursor: bool,
    /// Whether it may lead to what there is.
    may_share: bool,
    /// The new regions, each with what it counts as.
    fresh: Vec<(Rc<Fresh>, Vec<Allowance>)>,
    /// They are known by their addresses, and stay there.
    _of: (Rc<Bounds>, Rc<Layout>),
}

/// Makes the pointers to virtual functions lead to those of an object's class.
pub(super) fn put_vtables(
    machine: &mut Machine<'_>,
    state: &mut State,
    layout: &Layout,
    address: u64,
) -> Result<(), Halt> {
    for vtable in &layout.vtables {
        let to = machine.global_address(vtable.global) + vtable.within;
        let place = Value::word(address + vtable.offset);
        machine.store(state, place, Kind::Ptr, Value::word(to))?;
    }
    Ok(())
}

/// Makes inputs have these values in the path's model. A path that is gone again has the
/// model that it had in the end.
pub(super) fn set_model(store: &Store, state: &mut State, bytes: &[Term], values: &[u8]) {
    set_for_all(store, state, bytes, values);
    if !state.is_retracing() {
        put_values(store, Rc::make_mut(&mut state.model), bytes, values);
    }
}

/// The first field of an argument's objects that is not what it was.
pub(super) fn changed_field(
    machine: &mut Machine<'_>,
    state: &mut State,
    argument: usize,
) -> Option<String> {
    let numbers: Vec<usize> = objects(state).of_argument(argument).collect();
    for number in numbers {
        let LazyObject {
            layout,
            address,
            bytes,
            ..
        } = objects(state).objects[number].clone();
        let Some(spot) = spot_of(state, address) else {
            return Some(format!("a whole {}, which it frees", layout.name));
        };
        let now = machine.read(state, spot, bytes.len());
        if *now == *bytes {
            continue;
        }
        let lazy = objects(state);
        for slot in &layout.slots {
            let before = layout.term(&mut machine.store, slot, &bytes);
            let after = layout.term(&mut machine.store, slot, &now);
            let decided = lazy.decided.get(&before).copied();
            let word = machine.store.as_word(after);
            let is_known = before == after || word.is_some_and(|word| Some(word) == decided);
            if !is_known && !is_same(machine, state, before, after) {
                return Some(format!("`{}` of {}", slot.path, layout.name));
            }
        }
    }
    None
}

/// Whether two values are equal whatever the inputs of the path are: one that was counted up and
/// down again need not be the same term.
fn is_same(machine: &mut Machine<'_>, state: &State, before: Term, after: Term) -> bool {
    let equal = machine.store.eq(before, after);
    let differ = machine.store.not(equal);
    matches!(machine.query(state, differ, Effort::Full), Answer::Unsat(_))
}

/// Whether a number lies in a range.
pub(super) fn within(
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

/// Whether a pointer leads to one of these functions, or nowhere if it may.
pub(super) fn leads_to(
    machine: &mut Machine<'_>,
    functions: &Functions,
    pointer: Term,
    may_be_null: bool,
) -> Term {
    let known = match functions {
        Functions::Known(known) => &known[..],
        Functions::OfType(_) => &[],
    };
    let addresses = known.iter().map(|&id| machine.function_address(id));
    let null = may_be_null.then_some(0);
    let addresses: Vec<u64> = null.into_iter().chain(addresses).collect();
    let store = &mut machine.store;
    let mut leads = store.bool(false);
    for address in addresses {
        let address = store.bv(64, address);
        let equal = store.eq(pointer, address);
        leads = store.or(leads, equal);
    }
    leads
}
