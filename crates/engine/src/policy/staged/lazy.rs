//! Lazy initialisation: objects whose pointers are decided when somebody looks.
//!
//! A lazily initialised object is memory full of inputs. A pointer in it has no value
//! until it is loaded; then the path forks over null, everything of the type there is,
//! whole or inside of another object, and new regions, always the next unused, so that
//! no two paths differ by a renaming of objects alone. Each choice adds an equation over
//! fresh inputs, so that no query is needed; only where a field tells the length of an
//! array may the path refuse it. While a path follows a [`Solution`], the choice is the
//! solution's.
//!
//! Objects belong to the argument they were reached from, and pointers never
//! lead from one argument's objects to another's.

use super::layout::{Functions, LAST_TOKEN, Layout, Pointee, Slot, SlotKind};
use super::regenerate::{Regenerated, spot_of};
use super::regions::{Fresh, is_string};
use super::{Staged, left_out};
use crate::policy::follow::{self, Reason};
use machine::{Allocator, End, Halt, Incomplete, InputKind, Machine, Region, State, Value, mask};
use program::Kind;
use rustc_hash::FxHashMap;
use staged::{Field, Solution};
use std::rc::Rc;
use term::{BitVec, Store, Term, Variable};

/// The lazily initialised objects of a path.
#[derive(Clone, Default)]
pub struct LazyObjects {
    pub(super) objects: Rc<Vec<LazyObject>>,
    /// The pointers that are decided when they are loaded: object and slot.
    pub(super) pointers: Rc<FxHashMap<Term, (usize, usize)>>,
    /// The numbers whose values are tried one by one when they are loaded.
    numbers: Rc<FxHashMap<Term, (usize, usize)>>,
    /// The values of those that have been.
    values: Rc<FxHashMap<Term, u64>>,
    /// The addresses of the pointers that have been.
    pub(super) decided: Rc<FxHashMap<Term, u64>>,
    /// The bytes of values that are only passed on, and where each is from.
    pub(super) tokens: Rc<FxHashMap<Variable, Rc<str>>>,
    /// Where copies of the first so many objects are, as they were before the method.
    pub(super) copies: Rc<Vec<u64>>,
    /// The arguments that are the object of an earlier one: each, and that one.
    aliases: Rc<Vec<(usize, usize)>>,
    /// The solution the path follows, for the objects of one argument.
    following: Option<Following>,
    /// The graphs that a program's own calls were given.
    pub(super) regenerated: Rc<Vec<Regenerated>>,
    /// Whether the path's objects satisfy what is required of them.
    valid: bool,
}

#[derive(Clone)]
pub(super) struct LazyObject {
    /// The argument it was reached from.
    pub argument: usize,
    pub layout: Rc<Layout>,
    pub address: u64,
    /// Its inputs; none until it is filled.
    pub bytes: Rc<[Term]>,
}

impl LazyObject {
    /// How far into the object an address is.
    pub fn offset_of(&self, address: u64) -> Option<u64> {
        let offset = address.checked_sub(self.address)?;
        (offset < self.layout.size.max(1)).then_some(offset)
    }

    /// How many elements it has, if it is an array.
    pub(super) fn elements(&self) -> u64 {
        let name = &self.layout.name;
        let count = name.strip_suffix(']').and_then(|it| it.rsplit_once('['));
        count.and_then(|(_, count)| count.parse().ok()).unwrap_or(1)
    }

    /// Whether one of the object's numbers lies in a range.
    pub(super) fn number_within(
        &self,
        machine: &mut Machine<'_>,
        slot: &Slot,
        low: i64,
        high: i64,
    ) -> Term {
        let term = self.layout.term(&mut machine.store, slot, &self.bytes);
        let signed = slot.kind == SlotKind::Signed;
        within(machine, term, slot.bits as u16, signed, low, high)
    }
}

#[derive(Clone)]
pub(super) struct Following {
    pub argument: usize,
    solution: Rc<Solution>,
    /// Which of the path's objects a solution's object is.
    counterparts: Rc<Vec<Option<usize>>>,
    /// How high the stack is while the invariant runs, if a program's own call
    /// is what it was called for.
    until: Option<u32>,
}

/// What a pointer may be.
#[derive(Clone)]
pub(super) enum Target {
    Null,
    /// So many bytes into an object there is.
    Existing(usize, u64),
    New(Fresh),
    /// So many bytes into the object of this number in the solution the path follows.
    Followed(usize, u64),
}

impl LazyObjects {
    /// Whether the path's objects satisfy what is required of them.
    pub fn valid(&self) -> bool {
        self.valid
    }

    pub(super) fn set_valid(&mut self) {
        self.valid = true;
    }

    /// Whether a solution decides where the path goes.
    #[inline]
    pub(super) fn follows(&self) -> bool {
        self.following.is_some()
    }

    pub(super) fn address(&self, object: usize) -> u64 {
        self.objects[object].address
    }

    /// Adds an object that lies where the program has put it.
    pub(super) fn add(&mut self, argument: usize, layout: Rc<Layout>, address: u64) -> usize {
        let objects = Rc::make_mut(&mut self.objects);
        objects.push(LazyObject {
            argument,
            layout,
            address,
            bytes: Rc::default(),
        });
        objects.len() - 1
    }

    /// Lets an object be of another layout than was thought when room was made for it.
    pub(super) fn settle(&mut self, number: usize, layout: Rc<Layout>) {
        Rc::make_mut(&mut self.objects)[number].layout = layout;
    }

    /// Whether the object that begins at an address has pointers that are decided when
    /// they are loaded.
    pub(super) fn has_pointers_at(&self, base: u64) -> bool {
        let own = self.objects.iter().find(|it| it.address == base);
        own.is_some_and(|it| {
            let mut slots = it.layout.slots.iter();
            slots.any(|slot| matches!(slot.kind, SlotKind::Pointer(Pointee::Object(_))))
        })
    }

    /// Notes a value that is only passed on.
    pub(super) fn add_token(&mut self, store: &Store, token: Term, from: &str) {
        let from: Rc<str> = from.into();
        let bytes = term::free_variables(store, &[token]).into_iter();
        Rc::make_mut(&mut self.tokens).extend(bytes.map(|byte| (byte, from.clone())));
    }

    /// Where a value comes from that is computed from one that is only passed on.
    pub(super) fn token_in(&self, store: &Store, value: Term) -> Option<&str> {
        if self.tokens.is_empty() {
            return None;
        }
        let variables = term::free_variables(store, &[value]);
        variables
            .iter()
            .find_map(|it| self.tokens.get(it))
            .map(|it| &**it)
    }

    pub(super) fn follow_until(&mut self, height: u32) {
        if let Some(following) = &mut self.following {
            following.until = Some(height);
        }
    }

    /// Whether the invariant that the path follows a solution through, called in
    /// the middle of a program, is the function that runs at this height.
    #[inline]
    pub(super) fn ends_at(&self, height: u32) -> bool {
        matches!(&self.following, Some(following) if following.until == Some(height))
    }

    /// Whether an invariant runs that a program has not called itself.
    pub(super) fn regenerates(&self) -> bool {
        matches!(&self.following, Some(following) if following.until.is_some())
    }

    pub(super) fn followed_argument(&self) -> usize {
        self.following.as_ref().map_or(0, |it| it.argument)
    }

    /// Where in an argument's objects something of a type is: the object and how far into
    /// it. The end of an array is a place too where several pointers tell of one.
    fn places<'a>(
        &'a self,
        argument: usize,
        type_name: &'a str,
        with_ends: bool,
    ) -> impl Iterator<Item = (usize, u64)> + 'a {
        self.of_argument(argument).flat_map(move |number| {
            let layout = &self.objects[number].layout;
            let whole = layout.is_a(type_name).then_some(0);
            let inside = layout
                .parts
                .iter()
                .filter(move |part| part.type_name == type_name);
            let end = with_ends && layout.element() == Some(type_name);
            let end = end.then_some(layout.size);
            let offsets = whole
                .into_iter()
                .chain(inside.map(|part| part.offset))
                .chain(end);
            offsets.map(move |offset| (number, offset))
        })
    }

    /// How many objects of an argument are of a type.
    fn count(&self, argument: usize, kind: &String) -> usize {
        let of_argument = self.of_argument(argument);
        of_argument
            .filter(|&it| self.objects[it].layout.kinds.contains(kind))
            .count()
    }

    /// The objects of an argument, in the order in which they were met; none if it is the
    /// object of another.
    pub(super) fn of_argument(&self, argument: usize) -> impl Iterator<Item = usize> + '_ {
        let objects = self.objects.iter().enumerate();
        let is_own = self.alias(argument).is_none();
        objects
            .filter(move |(_, object)| is_own && object.argument == argument)
            .map(|(number, _)| number)
    }

    /// How many arguments have objects.
    pub(super) fn arguments(&self) -> usize {
        let arguments = self.objects.iter().map(|object| object.argument);
        arguments.max().map_or(0, |last| last + 1)
    }

    /// The argument whose object another is, if it is.
    pub(super) fn alias(&self, argument: usize) -> Option<usize> {
        let mut aliases = self.aliases.iter();
        aliases.find_map(|&(it, other)| (it == argument).then_some(other))
    }
}

/// The objects of a path that has some.
pub(super) fn objects(state: &State) -> &LazyObjects {
    let lazy = state.marks.get::<LazyObjects>();
    lazy.expect("a path with objects is marked with them")
}

/// The objects of a path, to add or decide some.
pub(super) fn lazy_mut(state: &mut State) -> &mut LazyObjects {
    state.marks.get_mut()
}

/// Lets an argument be the object of an earlier one in this call and those to come. There is
/// room for an object of its own, which nobody knows of then.
pub(super) fn make_alias(state: &mut State, argument: usize, other: usize) {
    let lazy = lazy_mut(state);
    let (own, there) = (lazy.address(argument), lazy.address(other));
    Rc::make_mut(&mut lazy.aliases).push((argument, other));
    let upcoming = Rc::make_mut(&mut state.upcoming);
    for frame in upcoming.iter_mut().chain([&mut state.frame]) {
        for register in &mut frame.registers {
            if register.as_word() == Some(own) {
                *register = Value::word(there);
            }
        }
    }
}

/// Lets the path follow a solution for the objects of an argument, whose first is
/// `root`.
pub(super) fn follow(state: &mut State, argument: usize, root: usize, solution: Rc<Solution>) {
    let mut counterparts = vec![None; solution.graph.objects.len()];
    counterparts[0] = Some(root);
    lazy_mut(state).following = Some(Following {
        argument,
        solution,
        counterparts: Rc::new(counterparts),
        until: None,
    });
    follow::begin(state, Reason::Solution);
}

/// What a path that follows a solution follows.
pub(super) fn followed(state: &State) -> &Following {
    let following = objects(state).following.as_ref();
    following.expect("a path with counterparts follows a solution")
}

/// Lets the path go on freely.
pub(super) fn stop_following(state: &mut State) {
    lazy_mut(state).following = None;
    follow::cease(state, Reason::Solution);
}

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

    /// Fills an object with inputs: free ones, or those of the solution that
    /// the path follows, where the object is this one.
    pub(super) fn fill_lazily(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        number: usize,
        counterpart: Option<usize>,
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
        if let Some(counterpart) = counterpart {
            self.adopt(machine, state, number, counterpart)?;
        }
        let bounds = self.bounds(argument);
        for (at, slot) in layout.slots.iter().enumerate() {
            let term = layout.term(&mut machine.store, slot, &bytes);
            let (owner, path) = layout.key(slot);
            let range = match &slot.kind {
                SlotKind::Pointer(Pointee::Object(_)) => {
                    Rc::make_mut(&mut lazy_mut(state).pointers).insert(term, (number, at));
                    continue;
                }
                SlotKind::Pointer(Pointee::Token) => {
                    let member = format!("{owner}.{path}");
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
            let counts = !matches!(slot.kind, SlotKind::Pointer(_) | SlotKind::Float);
            if counts
                && slot.bits <= 64
                && !objects(state).follows()
                && bounds.enumerated(owner, path).is_some()
            {
                Rc::make_mut(&mut lazy_mut(state).numbers).insert(term, (number, at));
            }
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

    /// Takes the values of an object's numbers from the solution. A number that is made
    /// of an address gets that of the object it stands for, which is made now if need be.
    fn adopt(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        number: usize,
        counterpart: usize,
    ) -> Result<(), Halt> {
        let LazyObject { layout, bytes, .. } = objects(state).objects[number].clone();
        let solution = followed(state).solution.clone();
        let object = &solution.graph.objects[counterpart];
        let mut values = vec![0u8; bytes.len()];
        for slot in &layout.slots {
            let field = object.field(&slot.path);
            if let Field::Function(name) = field
                && let Some(id) = machine.program.function(name)
            {
                let address = machine.function_address(id);
                slot.put(&mut values, &Field::Number(address.into()));
                continue;
            }
            match field.place() {
                Some((to, offset)) if !matches!(slot.kind, SlotKind::Pointer(_)) => {
                    let target = self.counterpart(machine, state, number, to)?;
                    let address = objects(state).address(target) + offset;
                    slot.put(&mut values, &Field::Number(address.into()));
                }
                _ => slot.put(&mut values, field),
            }
        }
        set_model(&machine.store, state, &bytes, &values);
        Ok(())
    }

    /// The path's object for one of the solution that it follows, reached from `from`.
    fn counterpart(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        from: usize,
        wanted: usize,
    ) -> Result<usize, Halt> {
        let following = followed(state);
        if let Some(number) = following.counterparts[wanted] {
            return Ok(number);
        }
        let layout = self.layout(&following.solution.graph.objects[wanted].type_name);
        let argument = objects(state).objects[from].argument;
        let number = self.lazy_object(machine, state, argument, layout)?;
        let following = lazy_mut(state).following.as_mut().expect("it follows one");
        Rc::make_mut(&mut following.counterparts)[wanted] = Some(number);
        self.fill_lazily(machine, state, number, Some(wanted))?;
        Ok(number)
    }

    /// Adds what has to hold for the solution to be one.
    fn must_fit(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        condition: Term,
    ) -> Result<(), Halt> {
        if machine.holds(state, condition) {
            machine.assume(state, condition);
            return Ok(());
        }
        Err(self.misfit(machine, state, "is out of bounds"))
    }

    /// Ends a path whose solution is none, and says so.
    pub(super) fn misfit(&self, machine: &mut Machine<'_>, state: &State, why: &str) -> Halt {
        let following = objects(state).following.as_ref();
        let followed = following.and_then(|following| {
            let suite = self.suite_of(following.argument)?;
            Some((suite, following.solution.line))
        });
        if let Some((suite, line)) = followed {
            machine.note(left_out(&suite, line, why));
        }
        Halt::End(End::Ignored)
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
            return self.enumerated(machine, state, term);
        };
        if let Some(&address) = objects(state).decided.get(&term) {
            return Ok(Some(Value::word(address)));
        }
        let own = objects(state).objects[object].layout.clone();
        if let Some(span) = own.span_of(slot) {
            self.decide_span(machine, state, object, span)?;
            let address = objects(state).decided.get(&term).copied();
            return Ok(address.map(Value::word));
        }
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

    /// What a loaded term is if it is a number whose values are tried one by one:
    /// the least on this path, and each of the others on one of its own.
    fn enumerated(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        term: Term,
    ) -> Result<Option<Value>, Halt> {
        let Some(&(object, slot)) = objects(state).numbers.get(&term) else {
            return Ok(None);
        };
        if let Some(&value) = objects(state).values.get(&term) {
            return Ok(Some(Value::word(value)));
        }
        let LazyObject {
            argument,
            layout,
            bytes,
            ..
        } = objects(state).objects[object].clone();
        let slot = &layout.slots[slot];
        let range = self.bounds(argument);
        let (owner, path) = layout.key(slot);
        let Some(range) = range.enumerated(owner, path) else {
            return Ok(None);
        };
        let (low, high) = match slot.kind {
            SlotKind::Truth => (0, 1),
            _ => (range.low, range.high),
        };
        state.progress.depth += 1;
        let values = (high - low + 1).max(0) as usize;
        let word = machine.go_each_way(state, values, |machine, path, number| {
            let value = low + number as i64;
            let width = slot.bits as u16;
            let word = value as u64 & mask(width.into());
            let constant = machine.store.bv(width, word);
            let equal = machine.store.eq(term, constant);
            let mut whole: Vec<u8> = bytes
                .iter()
                .map(|&byte| machine.glance(path, Value::of(&machine.store, byte), 8) as u8)
                .collect();
            slot.put(&mut whole, &Field::Number(value.into()));
            set_model(&machine.store, path, &bytes, &whole);
            machine.assume(path, equal);
            Rc::make_mut(&mut lazy_mut(path).values).insert(term, word);
            Ok(word)
        })?;
        Ok(Some(Value::word(word)))
    }

    /// Gives values to the numbers that nobody has loaded, each on a path of its
    /// own, where values are tried one by one.
    ///
    /// # Errors
    ///
    /// When the path goes on elsewhere.
    pub(super) fn enumerate_rest(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
    ) -> Result<(), Halt> {
        let lazy = objects(state);
        let open = lazy.numbers.iter();
        let open = open.filter(|(term, _)| !lazy.values.contains_key(*term));
        let mut open: Vec<_> = open.map(|(&term, &place)| (place, term)).collect();
        open.sort_unstable_by_key(|&(place, _)| place);
        for (_, term) in open {
            self.enumerated(machine, state, term)?;
        }
        Ok(())
    }

    /// What a pointer may be; nothing if there is no object for one that is never
    /// null.
    fn targets(&self, state: &State, object: usize, slot: usize) -> Vec<Target> {
        let lazy = objects(state);
        let LazyObject {
            argument, layout, ..
        } = &lazy.objects[object];
        let slot = &layout.slots[slot];
        if let Some(following) = &lazy.following
            && following.argument == *argument
        {
            return vec![following.target(object, &slot.path)];
        }
        let SlotKind::Pointer(Pointee::Object(to)) = &slot.kind else {
            return vec![Target::Null];
        };
        let bounds = self.bounds(*argument);
        let (owner, path) = layout.key(slot);
        let most = bounds.most_targets(owner, path);
        let null = (!slot.never_null).then_some(Target::Null);
        let mut targets: Vec<Target> = null.into_iter().collect();
        // A string or what has a length of its own is nobody else's, and numbers are
        // pointed into only where several pointers run through them.
        let layouts = self.layouts.borrow();
        let is_cursor = layout.has_several(to);
        let may_share =
            (is_cursor || layouts.is_shared(to)) && !is_string(layout, slot, to, &bounds);
        if may_share && bounds.length(owner, path).is_none() {
            let existing = lazy.places(*argument, to, is_cursor);
            targets.extend(
                existing
                    .take(most)
                    .map(|(number, at)| Target::Existing(number, at)),
            );
        }
        for fresh in layouts.fresh(layout, slot, to, &bounds) {
            let kinds = layouts.kinds(&fresh.type_name);
            let has_room = |kind: &String| lazy.count(*argument, kind) < bounds.most_objects(kind);
            if lazy.count(*argument, &kinds[0]) < most && kinds.iter().all(has_room) {
                targets.push(Target::New(fresh));
            }
        }
        targets
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
            Target::Followed(wanted, offset) => {
                let number = self.counterpart(machine, state, object, *wanted)?;
                (Some(number), *offset)
            }
            Target::New(fresh) => {
                let layout = self.layout(&fresh.type_name);
                let number = self.lazy_object(machine, state, own.argument, layout)?;
                self.fill_lazily(machine, state, number, None)?;
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
        decide(machine, state, &own, slot, address);
        Ok(address)
    }
}

/// Makes a pointer of an object be an address on this path.
pub(super) fn decide(
    machine: &mut Machine<'_>,
    state: &mut State,
    own: &LazyObject,
    slot: &Slot,
    address: u64,
) {
    let term = own.layout.term(&mut machine.store, slot, &own.bytes);
    Rc::make_mut(&mut lazy_mut(state).decided).insert(term, address);
    let first = (slot.bit / 8) as usize;
    let bytes = &own.bytes[first..first + 8];
    set_model(&machine.store, state, bytes, &address.to_le_bytes());
    let constant = machine.store.bv(64, address);
    let equal = machine.store.eq(term, constant);
    machine.assume(state, equal);
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
    if state.is_retracing() {
        return;
    }
    let model = Rc::make_mut(&mut state.model);
    for (&byte, &value) in bytes.iter().zip(values) {
        if let Some(variable) = store.as_variable(byte) {
            let value = term::Value::Bv(BitVec::from_u64(8, value.into()));
            model.set(variable, value);
        }
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
        let lazy = objects(state);
        for slot in &layout.slots {
            let before = layout.term(&mut machine.store, slot, &bytes);
            let after = layout.term(&mut machine.store, slot, &now);
            let decided = lazy
                .decided
                .get(&before)
                .or(lazy.values.get(&before))
                .copied();
            let word = machine.store.as_word(after);
            if before != after && word.is_none_or(|word| Some(word) != decided) {
                return Some(format!("`{}` of {}", slot.path, layout.name));
            }
        }
    }
    None
}

impl Following {
    /// Where the solution has a pointer of an object lead. One that it leaves
    /// open is null.
    pub(super) fn target(&self, object: usize, path: &str) -> Target {
        let own = self.counterparts.iter().position(|&it| it == Some(object));
        let objects = &self.solution.graph.objects;
        let place = own.and_then(|own| objects[own].field(path).place());
        place.map_or(Target::Null, |(to, offset)| Target::Followed(to, offset))
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
