//! Containers of linked nodes on a path: how many elements there are is decided when somebody
//! looks at the first link, and with it all of the nodes.

use super::Staged;
use super::containers::Text;
use super::following::followed;
use super::layout::{Pointee, SlotKind};
use super::lazy::{LazyObject, lazy_mut, objects};
use super::linked::{Form, Linked, Order, Plan, VALUE};
use super::regions::most_in_linked;
use machine::{Halt, Machine, State};
use std::rc::Rc;
use term::{Store, Term};

/// How full a hash table becomes before it grows, unless a program says otherwise: 1.0.
const LOAD: u64 = 0x3f80_0000;

impl Staged<'_> {
    /// Holds the numbers of containers to what they may be, whether or not somebody looks at
    /// their elements.
    pub(super) fn bound_linked(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: &LazyObject,
    ) -> Result<(), Halt> {
        let bounds = self.bounds(own.argument);
        let slots = &own.layout.slots;
        for linked in &own.layout.linked {
            let most = most_in_linked(&own.layout, linked, &bounds).unwrap_or(0);
            for (slot, high) in [(linked.size, most as i64), (linked.buckets, 1)] {
                if let Some(slot) = slot {
                    let bounded = own.number_within(machine, &slots[slot], 0, high);
                    self.hold_to(machine, state, bounded)?;
                }
            }
            if let Some(load) = linked.load {
                let store = &mut machine.store;
                let term = own.layout.term(store, &slots[load], &own.bytes);
                let usual = store.bv(slots[load].bits as u16, LOAD);
                let is_usual = store.eq(term, usual);
                self.hold_to(machine, state, is_usual)?;
            }
        }
        Ok(())
    }

    /// Decides how many elements a container has, and links its nodes, unless that was done.
    pub(super) fn decide_linked(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        object: usize,
        linked: &Linked,
    ) -> Result<(), Halt> {
        let place = (object, linked.pointers[0]);
        if objects(state).linked.contains(&place) {
            return Ok(());
        }
        let own = objects(state).objects[object].clone();
        let follows = objects(state).follows() && followed(state).argument == own.argument;
        if follows {
            let nodes = self.follow_links(machine, state, object, linked)?;
            self.tie_linked(machine, state, &own, linked, &nodes)?;
            Rc::make_mut(&mut lazy_mut(state).linked).insert(place);
            return Ok(());
        }
        let bounds = self.bounds(own.argument);
        let most = most_in_linked(&own.layout, linked, &bounds).unwrap_or(0);
        state.progress.depth += 1;
        machine.go_each_way(state, most + 1, |machine, path, count| {
            Rc::make_mut(&mut lazy_mut(path).linked).insert(place);
            self.link(machine, path, &own, linked, count)
        })
    }

    /// Makes so many new nodes, and links them.
    fn link(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: &LazyObject,
        linked: &Linked,
        count: usize,
    ) -> Result<(), Halt> {
        let layout = self.layout(&linked.node);
        let mut nodes = Vec::new();
        for _ in 0..count {
            let number = self.free_object(machine, state, own.argument, layout.clone())?;
            nodes.push(number);
        }
        let plan = planned(state, own, linked, &nodes);
        let slots = &own.layout.slots;
        for (&slot, &address) in linked.pointers.iter().zip(&plan.owner) {
            self.decide(machine, state, own, &slots[slot], address);
        }
        if linked.form == Form::Table {
            self.make_bucket(machine, state, own, linked, count)?;
        }
        for (&number, links) in nodes.iter().zip(&plan.nodes) {
            let node = objects(state).objects[number].clone();
            for (name, address) in links {
                let slot = node.layout.slots.iter().find(|slot| slot.path == *name);
                let slot = slot.expect("nodes have the links that their library gives them");
                self.decide(machine, state, &node, slot, *address);
            }
        }
        self.tie_linked(machine, state, own, linked, &nodes)
    }

    /// The one bucket of a hash table, which an empty one has not.
    fn make_bucket(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: &LazyObject,
        linked: &Linked,
        count: usize,
    ) -> Result<(), Halt> {
        let slot = &own.layout.slots[linked.pointers[1]];
        let SlotKind::Pointer(Pointee::Object(to)) = &slot.kind else {
            return Ok(());
        };
        if count == 0 {
            self.decide(machine, state, own, slot, 0);
            return Ok(());
        }
        let layout = self.layout(&format!("{to}[1]"));
        let number = self.free_object(machine, state, own.argument, layout)?;
        let bucket = objects(state).objects[number].clone();
        self.decide(machine, state, own, slot, bucket.address);
        let first = &bucket.layout.slots[0];
        self.decide(machine, state, &bucket, first, own.address + linked.anchor);
        Ok(())
    }

    /// The nodes of a container as the solutions have it, in the order of their elements.
    fn follow_links(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        object: usize,
        linked: &Linked,
    ) -> Result<Vec<usize>, Halt> {
        let mut met = vec![object];
        let mut waiting = vec![(object, linked.pointers.clone())];
        while let Some((from, slots)) = waiting.pop() {
            self.agree(machine, state, from, &slots)?;
            let layout = objects(state).objects[from].layout.clone();
            for slot in slots {
                let path = &layout.slots[slot].path;
                let address = match address_of(machine, state, from, path) {
                    Some(address) => address,
                    None => {
                        let target = followed(state).target(from, path);
                        self.point(machine, state, (from, slot), &target)?
                    }
                };
                let mut all = objects(state).objects.iter();
                let Some(number) = all.position(|it| it.address == address) else {
                    continue;
                };
                if !met.contains(&number) {
                    met.push(number);
                    let there = &objects(state).objects[number].layout;
                    let links = (0..there.slots.len()).filter(|&at| {
                        let is_bucket = there.element().is_some();
                        let slot = &there.slots[at];
                        // What an element links itself is decided when somebody looks at that.
                        let is_own = !slot.path.starts_with(VALUE);
                        is_own && (there.is_link(at) || is_bucket) && slot.is_pointer()
                    });
                    waiting.push((number, links.collect()));
                }
            }
        }
        let own = objects(state).objects[object].clone();
        let nodes = in_order(machine, state, &own, linked, object);
        let fits = nodes.filter(|nodes| {
            let plan = planned(state, &own, linked, nodes);
            let mut is_so = (linked.pointers.iter().zip(&plan.owner)).all(|(&slot, &address)| {
                let path = &own.layout.slots[slot].path;
                address_of(machine, state, object, path) == Some(address)
            });
            for (&node, links) in nodes.iter().zip(&plan.nodes) {
                is_so &= links.iter().all(|(name, address)| {
                    address_of(machine, state, node, name) == Some(*address)
                });
            }
            is_so && self.has_bucket(machine, state, object, linked, nodes.len())
        });
        let why = "has a container whose elements are not linked as they are here";
        fits.ok_or_else(|| self.misfit(machine, state, why))
    }

    /// Whether a hash table has the bucket that it should, where a container is one.
    fn has_bucket(
        &self,
        machine: &mut Machine<'_>,
        state: &State,
        object: usize,
        linked: &Linked,
        count: usize,
    ) -> bool {
        let Some(&slot) = linked
            .pointers
            .get(1)
            .filter(|_| linked.form == Form::Table)
        else {
            return true;
        };
        let own = &objects(state).objects[object];
        let address = address_of(machine, state, object, &own.layout.slots[slot].path);
        let mut all = objects(state).objects.iter();
        match all.position(|it| Some(it.address) == address) {
            None => count == 0 && address == Some(0),
            Some(bucket) => {
                let there = address_of(machine, state, bucket, "[0]");
                let is_one = objects(state).objects[bucket].elements() == 1;
                count > 0 && is_one && there == Some(own.address + linked.anchor)
            }
        }
    }

    /// Has the numbers of a container tell how many elements there are, and these be in order.
    fn tie_linked(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        own: &LazyObject,
        linked: &Linked,
        nodes: &[usize],
    ) -> Result<(), Halt> {
        let count = nodes.len() as i64;
        for (slot, told) in [(linked.size, count), (linked.buckets, count.min(1))] {
            if let Some(slot) = slot {
                let is_told = own.number_within(machine, &own.layout.slots[slot], told, told);
                self.hold_to(machine, state, is_told)?;
            }
        }
        let plan = planned(state, own, linked, nodes);
        let nodes = nodes.iter().map(|&it| objects(state).objects[it].clone());
        let nodes: Vec<LazyObject> = nodes.collect();
        for (node, &is_black) in nodes.iter().zip(&plan.is_black) {
            if let Some(colour) = slot_of(node, "__is_black_") {
                let told = i64::from(is_black);
                let is_so = node.number_within(machine, colour, told, told);
                self.hold_to(machine, state, is_so)?;
            }
        }
        let keys = nodes.iter().map(|node| Key::new(machine, node, linked));
        let Some(keys) = keys.collect::<Option<Vec<Key>>>() else {
            return Ok(());
        };
        let store = &mut machine.store;
        let mut conditions = Vec::new();
        for (at, key) in keys.iter().enumerate() {
            let later = &keys[at + 1..];
            match linked.order {
                Order::Any => {}
                Order::Distinct => {
                    for other in later {
                        let same = key.equals(store, other);
                        conditions.push(store.not(same));
                    }
                    conditions.extend(key.is_hashed(store, &nodes[at]));
                }
                Order::Ascending { strictly } => {
                    let next = later.first();
                    conditions.extend(next.map(|next| key.before(store, next, strictly)));
                }
                Order::Descending { strictly } => {
                    let next = later.first();
                    conditions.extend(next.map(|next| next.before(store, key, strictly)));
                }
            }
        }
        for condition in conditions {
            self.hold_to(machine, state, condition)?;
        }
        Ok(())
    }
}

/// What an element is ordered by.
enum Key {
    Number { term: Term, is_signed: bool },
    Text { length: Term, characters: Vec<Term> },
}

impl Key {
    /// The key of a node, if its container has elements in order.
    fn new(machine: &mut Machine<'_>, node: &LazyObject, linked: &Linked) -> Option<Key> {
        if linked.order == Order::Any {
            return None;
        }
        let path = linked.key();
        let layout = &node.layout;
        let store = &mut machine.store;
        if let Some(slot) = slot_of(node, &path) {
            return Some(Key::Number {
                term: layout.term(store, slot, &node.bytes),
                is_signed: slot.kind == SlotKind::Signed,
            });
        }
        let mut texts = layout.texts.iter();
        let text: &Text = texts.find(|text| text.path == path && !text.is_long)?;
        let mut at = |slot: usize| layout.term(store, &layout.slots[slot], &node.bytes);
        Some(Key::Text {
            length: at(text.length()),
            characters: (0..text.room).map(|it| at(text.character(it))).collect(),
        })
    }

    fn equals(&self, store: &mut Store, other: &Key) -> Term {
        let before = self.before(store, other, false);
        let after = other.before(store, self, false);
        store.and(before, after)
    }

    /// Whether it comes before another one, or may be equal to it.
    fn before(&self, store: &mut Store, other: &Key, strictly: bool) -> Term {
        match (self, other) {
            (Key::Number { term, is_signed }, Key::Number { term: next, .. }) => {
                // Before is what is not equal or after.
                let (one, other) = match strictly {
                    true => (*next, *term),
                    false => (*term, *next),
                };
                let at_most = match is_signed {
                    true => store.bv_sle(one, other),
                    false => store.bv_ule(one, other),
                };
                match strictly {
                    true => store.not(at_most),
                    false => at_most,
                }
            }
            (
                Key::Text { length, characters },
                Key::Text {
                    length: next_length,
                    characters: next,
                },
            ) => {
                let width = store.width(*length);
                // From the last character on: what comes before or is equal from there.
                let mut holds = store.bool(!strictly);
                for at in (0..characters.len()).rev() {
                    let here = store.bv(width, at as u64);
                    let (ends, next_ends) = (
                        store.bv_ule(*length, here),
                        store.bv_ule(*next_length, here),
                    );
                    let at_most = store.bv_ule(characters[at], next[at]);
                    let same = store.eq(characters[at], next[at]);
                    let different = store.not(same);
                    let below = store.and(at_most, different);
                    let same_rest = store.and(same, holds);
                    let inside = store.or(below, same_rest);
                    let may_be_equal = store.bool(!strictly);
                    let goes_on = store.not(next_ends);
                    // One that ends here comes before one that does not.
                    let ended = store.and(next_ends, may_be_equal);
                    let ended = store.or(goes_on, ended);
                    let within = store.and(goes_on, inside);
                    holds = store.ite(ends, ended, within);
                }
                holds
            }
            _ => store.bool(false),
        }
    }

    /// Whether the number kept with an element is what the library hashes it to, where there
    /// is one: a number is its own.
    fn is_hashed(&self, store: &mut Store, node: &LazyObject) -> Option<Term> {
        let Key::Number { term, is_signed } = *self else {
            return None;
        };
        let slot = slot_of(node, "__hash_")?;
        let kept = node.layout.term(store, slot, &node.bytes);
        let width = slot.bits as u16;
        let hash = match is_signed {
            true => store.sext(term, width),
            false => store.zext(term, width),
        };
        Some(store.eq(kept, hash))
    }
}

fn slot_of<'a>(object: &'a LazyObject, path: &str) -> Option<&'a super::layout::Slot> {
    object.layout.slots.iter().find(|slot| slot.path == path)
}

/// The links of a container with these nodes.
fn planned(state: &State, own: &LazyObject, linked: &Linked, nodes: &[usize]) -> Plan {
    let addresses = nodes.iter().map(|&node| objects(state).address(node));
    let addresses: Vec<u64> = addresses.collect();
    Plan::new(linked.form, own.address + linked.anchor, &addresses)
}

/// Where a pointer leads that has been decided.
fn address_of(machine: &mut Machine<'_>, state: &State, object: usize, path: &str) -> Option<u64> {
    let own = &objects(state).objects[object];
    let slot = slot_of(own, path)?;
    let term = own.layout.term(&mut machine.store, slot, &own.bytes);
    objects(state).decided.get(&term).copied()
}

/// The nodes of a container whose links are decided, if they are in some order.
fn in_order(
    machine: &mut Machine<'_>,
    state: &State,
    own: &LazyObject,
    linked: &Linked,
    object: usize,
) -> Option<Vec<usize>> {
    let first = match linked.form {
        Form::Ring | Form::Tree => linked.pointers[1],
        Form::Chain | Form::Table => linked.pointers[0],
    };
    let start = address_of(machine, state, object, &own.layout.slots[first].path)?;
    let node_at = |address: u64| {
        let mut all = objects(state).objects.iter();
        all.position(|it| it.address == address && it.layout.name == linked.node)
    };
    let most = objects(state).objects.len();
    let mut nodes = Vec::new();
    if linked.form != Form::Tree {
        let mut at = start;
        while let Some(node) = node_at(at) {
            nodes.push(node);
            at = address_of(machine, state, node, "__next_")?;
            if nodes.len() > most {
                return None;
            }
        }
        return Some(nodes);
    }
    let mut above = Vec::new();
    let mut at = start;
    loop {
        while let Some(node) = node_at(at) {
            above.push(node);
            at = address_of(machine, state, node, "__left_")?;
            if above.len() > most {
                return None;
            }
        }
        let Some(node) = above.pop() else {
            return Some(nodes);
        };
        nodes.push(node);
        at = address_of(machine, state, node, "__right_")?;
        if nodes.len() > most {
            return None;
        }
    }
}
