//! Lazily initialised objects, as a path keeps them.
//!
//! Objects belong to the argument they were reached from, and pointers never lead from one
//! argument's objects to another's. What their pointers are is decided in `initialise.rs`.

use super::enumerate::Number;
use super::following::Following;
use super::initialise::within;
use super::layout::{Layout, Pointee, Slot, SlotKind};
use super::regenerate::Regenerated;
use super::regions::Fresh;
use machine::{Machine, State, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use term::{Store, Term, Variable};

/// The lazily initialised objects of a path.
#[derive(Clone, Default)]
pub struct LazyObjects {
    pub(super) objects: Rc<Vec<LazyObject>>,
    /// The pointers that are decided when they are loaded: object and slot.
    pub(super) pointers: Rc<TermMap<(usize, usize)>>,
    /// The numbers whose values are tried one by one when the objects are known to be valid.
    pub(super) numbers: Rc<Vec<Number>>,
    /// The values of those that are tried next, once some have been.
    pub(super) next_values: Option<Rc<[i64]>>,
    /// The addresses of the pointers that have been.
    pub(super) decided: Rc<TermMap<u64>>,
    /// The containers whose nodes have been linked, and the pointers that share something and
    /// have been decided: object and first slot.
    pub(super) linked: Rc<FxHashSet<(usize, usize)>>,
    /// The bytes of values that are only passed on, and where each is from.
    pub(super) tokens: Rc<FxHashMap<Variable, Rc<str>>>,
    /// Where copies of the first so many objects are, as they were before the method.
    pub(super) copies: Rc<Vec<u64>>,
    /// The arguments that are the object of an earlier one: each, and that one.
    aliases: Rc<Vec<(usize, usize)>>,
    /// The solutions the path follows, for the objects of one argument.
    pub(super) following: Option<Following>,
    /// The graphs that a program's own calls were given.
    pub(super) regenerated: Rc<Vec<Regenerated>>,
    /// Whether the path's objects satisfy what is required of them.
    valid: bool,
}

/// What is known of some terms. Paths change theirs at every fork, and copying a sorted list is
/// the least that takes.
#[derive(Clone)]
pub(super) struct TermMap<T>(Vec<(Term, T)>);

impl<T> Default for TermMap<T> {
    fn default() -> TermMap<T> {
        TermMap(Vec::new())
    }
}

impl<T> TermMap<T> {
    pub fn get(&self, term: &Term) -> Option<&T> {
        let place = self.0.binary_search_by_key(term, |&(it, _)| it).ok()?;
        Some(&self.0[place].1)
    }

    pub fn contains(&self, term: &Term) -> bool {
        self.get(term).is_some()
    }

    pub fn insert(&mut self, term: Term, value: T) {
        match self.0.binary_search_by_key(&term, |&(it, _)| it) {
            Ok(place) => self.0[place].1 = value,
            Err(place) => self.0.insert(place, (term, value)),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Term, &T)> {
        self.0.iter().map(|(term, value)| (term, value))
    }
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

/// What a pointer may be.
#[derive(Clone)]
pub(super) enum Target {
    Null,
    /// So many bytes into an object there is.
    Existing(usize, u64),
    New(Rc<Fresh>),
    /// So many bytes into an object that the solutions have here, and the path has not met.
    Followed(u64),
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
    pub(super) fn places<'a>(
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
    pub(super) fn count(&self, argument: usize, kind: &String) -> usize {
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
