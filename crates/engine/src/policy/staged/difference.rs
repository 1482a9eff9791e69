//! Two versions of a method held against each other, path by path.
//!
//! A path of the old version and one of the new have inputs in common if the objects they
//! were given can be the same ones and the conditions of both can hold together. There, what
//! the versions returned, left behind, wrote and ended in has to be the same for all values;
//! the solver is asked for values for which it is not.

use super::Staged;
use super::behaviour::{Behaviour, Ending, Seen, input_byte, object_byte};
use super::comparison::{Common, Contrast};
use super::layout::{Layout, Slot, SlotKind};
use super::lazy::LazyObjects;
use machine::{Machine, State};
use mixed::Effort;
use mixed::solver::Answer;
use rustc_hash::FxHashMap;
use staged::{Field, Object, ObjectGraph};
use std::rc::Rc;
use suite::{Change, ChangeKind};
use term::{Assignment, Term, decode, encode};

/// The paths of the old version, to compare those of the new one with.
#[derive(Default)]
pub struct OldVersion {
    paths: Vec<Behaviour>,
    /// Their terms, until the new version's machine knows them.
    encoded: Vec<Vec<u8>>,
}

/// Objects and other inputs for which two versions behave differently.
pub struct Difference {
    /// The objects of each argument.
    pub before: Vec<ObjectGraph>,
    /// An assignment of the new version's inputs.
    pub model: Rc<Assignment>,
    /// What differs.
    pub changes: Vec<Change>,
}

/// What came of a path of the new version.
#[derive(Default)]
pub struct Compared {
    /// One for each path of the old version that it differs from.
    pub differences: Vec<Difference>,
    /// Paths of the old version for which that could not be decided.
    pub undecided: u64,
    /// Whether some inputs that take the path were not compared.
    pub is_partial: bool,
}

impl OldVersion {
    /// Adds what the old version did on a path.
    pub fn add(&mut self, machine: &Machine<'_>, mut behaviour: Behaviour) {
        self.encoded.push(encode(&machine.store, &behaviour.terms));
        behaviour.terms.clear();
        self.paths.push(behaviour);
    }

    /// Whether some inputs of the old version were not kept.
    pub fn is_partial(&self) -> bool {
        self.paths.iter().any(|path| path.is_partial)
    }

    /// Compares a path of the new version with those of the old one.
    pub fn compare(
        &mut self,
        staged: &Staged<'_>,
        machine: &mut Machine<'_>,
        state: &State,
        new: &Behaviour,
    ) -> Compared {
        for (path, encoded) in self.paths.iter_mut().zip(self.encoded.drain(..)) {
            let terms = decode(&mut machine.store, &encoded);
            path.terms = terms.expect("the terms were encoded by this process");
        }
        let mut compared = Compared {
            is_partial: new.is_partial,
            ..Compared::default()
        };
        for old in &self.paths {
            let Some(pair) = Pair::new(machine, state, old, new) else {
                continue;
            };
            match pair.difference(staged, machine, state) {
                Verdict::Same => {}
                Verdict::Differs(difference) => compared.differences.push(difference),
                Verdict::Undecided => compared.undecided += 1,
            }
        }
        compared
    }
}

enum Verdict {
    Same,
    Differs(Difference),
    Undecided,
}

/// A path of each version that have objects in common.
pub(super) struct Pair<'a> {
    pub(super) old: &'a Behaviour,
    pub(super) new: &'a Behaviour,
    /// The given objects of the old version among those of the new one. Objects have the
    /// numbers of the new version; those that only the old one looked at come after them.
    counterparts: Vec<Option<usize>>,
    pub(super) old_terms: Vec<Term>,
    pub(super) new_terms: Vec<Term>,
}

impl<'a> Pair<'a> {
    /// The pair, if the two paths may have been given the same objects.
    fn new(
        machine: &mut Machine<'_>,
        state: &State,
        old: &'a Behaviour,
        new: &'a Behaviour,
    ) -> Option<Pair<'a>> {
        if old.aliases != new.aliases {
            return None;
        }
        let inputs = old.inputs.iter().zip(&new.inputs);
        for (one, other) in inputs {
            let differ = |(one, other): (&String, &String)| one != other;
            let functions = one.function.as_ref().zip(other.function.as_ref());
            if one.bytes != other.bytes || functions.is_some_and(differ) {
                return None;
            }
        }
        let counterparts = counterparts(old, new)?;
        let mut pair = Pair {
            old,
            new,
            counterparts,
            old_terms: Vec::new(),
            new_terms: Vec::new(),
        };
        pair.share_names(machine, state);
        Some(pair)
    }

    /// The terms of both over the inputs of the new version's path.
    fn share_names(&mut self, machine: &mut Machine<'_>, state: &State) {
        let lazy = state.marks.get::<LazyObjects>();
        let lazy = lazy.cloned().unwrap_or_default();
        let store = &mut machine.store;
        let (mut old, mut new) = (FxHashMap::default(), FxHashMap::default());
        for (number, object) in lazy.objects.iter().enumerate() {
            for (at, &byte) in object.bytes.iter().enumerate() {
                new.insert(object_byte(store, number, at), byte);
            }
        }
        for (number, counterpart) in self.counterparts.iter().enumerate() {
            let size = self.old.given[number].layout.size as usize;
            for at in 0..size {
                let name = object_byte(store, number, at);
                let common = match counterpart {
                    Some(common) => lazy.objects[*common].bytes.get(at).copied(),
                    // Numbers beyond those of the new version's objects are the old one's.
                    None => Some(object_byte(store, self.new.given.len() + number, at)),
                };
                old.extend(common.map(|common| (name, common)));
            }
        }
        let inputs = state.inputs.all();
        let inputs = inputs.into_iter().filter(|input| !input.name.contains('#'));
        for (number, input) in inputs.enumerate() {
            for (at, &byte) in input.bytes.iter().enumerate() {
                let name = input_byte(store, number, at);
                old.insert(name, byte);
                new.insert(name, byte);
            }
        }
        self.old_terms = term::substitute(store, &self.old.terms, &old);
        self.new_terms = term::substitute(store, &self.new.terms, &new);
    }

    fn difference(&self, staged: &Staged<'_>, machine: &mut Machine<'_>, state: &State) -> Verdict {
        let contrasts = self.contrasts();
        if contrasts.is_empty() {
            return Verdict::Same;
        }
        let store = &mut machine.store;
        let mut differing = store.bool(false);
        for contrast in &contrasts {
            let both = match (&contrast.old, &contrast.new) {
                (&Common::Term(one), &Common::Term(other)) => Some((one, other)),
                (&Common::Term(one), Common::Null) | (Common::Null, &Common::Term(one)) => {
                    let width = store.width(one);
                    Some((one, store.bv(width, 0)))
                }
                _ => None,
            };
            let differs = match both {
                Some((one, other)) => {
                    let equal = store.eq(one, other);
                    store.not(equal)
                }
                None => store.bool(true),
            };
            differing = store.or(differing, differs);
        }
        let conditions = self.old.conditions.iter();
        let conditions: Vec<Term> = conditions.map(|&it| self.old_terms[it]).collect();
        let conditions = store.and_all(conditions);
        let query = store.and(conditions, differing);
        match machine.query(state, query, Effort::Full) {
            Answer::Unsat(_) => Verdict::Same,
            Answer::Unknown(_) => Verdict::Undecided,
            Answer::Sat(model) => {
                Verdict::Differs(self.described(staged, machine, model, &contrasts))
            }
        }
    }

    /// What the inputs of a model are, and what each version makes of them.
    fn described(
        &self,
        staged: &Staged<'_>,
        machine: &mut Machine<'_>,
        model: Assignment,
        contrasts: &[Contrast],
    ) -> Difference {
        let mut changes = Vec::new();
        for contrast in contrasts {
            let Contrast { old, new, slot, .. } = contrast;
            let (old, new) = match contrast.kind {
                ChangeKind::Error => (told(&self.old.ending), told(&self.new.ending)),
                ChangeKind::Output => {
                    let text =
                        |behaviour: &Behaviour, terms: &[Term], machine: &mut Machine<'_>| {
                            let all = behaviour.output.iter().flatten();
                            let bytes = all.map(|&it| word(machine, &model, terms[it]) as u8);
                            let bytes: Vec<u8> = bytes.collect();
                            format!("{:?}", String::from_utf8_lossy(&bytes))
                        };
                    let old = text(self.old, &self.old_terms, machine);
                    (old, text(self.new, &self.new_terms, machine))
                }
                ChangeKind::Result | ChangeKind::State => {
                    let mut text =
                        |it: &Common| self.text(staged, machine, &model, it, slot.as_ref());
                    (text(old), text(new))
                }
            };
            if old != new {
                changes.push(Change {
                    kind: contrast.kind,
                    place: contrast.place.clone(),
                    old,
                    new,
                });
            }
        }
        Difference {
            before: self.before(machine, &model),
            model: Rc::new(model),
            changes,
        }
    }

    fn text(
        &self,
        staged: &Staged<'_>,
        machine: &mut Machine<'_>,
        model: &Assignment,
        it: &Common,
        slot: Option<&Slot>,
    ) -> String {
        match it {
            &Common::Term(term) => {
                let value = word(machine, model, term);
                let bits = u64::from(machine.store.width(term));
                match slot {
                    Some(slot) => slot.get(&whole_bytes(slot, value)).text(),
                    None if staged.returns_signed(machine) => {
                        let unused = 64 - bits.min(64) as u32;
                        ((value << unused) as i64 >> unused).to_string()
                    }
                    None => value.to_string(),
                }
            }
            Common::Null => Field::Null.text(),
            Common::Object(number, offset) => {
                let place = self.named(*number);
                match offset {
                    0 => place,
                    _ => format!("{place}+{offset}"),
                }
            }
            Common::Made(..) => "a new object".to_owned(),
            Common::Open(object, slot) => {
                let (layout, _) = self.given(*object);
                format!(
                    "what was in {}.{}",
                    self.named(*object),
                    layout.slots[*slot].path
                )
            }
            Common::Function(name) => Field::Function(name.clone()).text(),
            Common::Type(name) => name.clone(),
            Common::Elsewhere => Field::Elsewhere.text(),
        }
    }

    /// The objects that both were given.
    fn before(&self, machine: &mut Machine<'_>, model: &Assignment) -> Vec<ObjectGraph> {
        let graphs = self.new.aliases.iter().map(|&same_as| ObjectGraph {
            same_as,
            ..ObjectGraph::default()
        });
        let mut graphs: Vec<ObjectGraph> = graphs.collect();
        for number in self.all_given() {
            let (layout, argument) = self.given(number);
            if self.new.aliases.get(argument).is_some_and(Option::is_some) {
                continue;
            }
            let slots = layout.slots.iter().enumerate().map(|(at, slot)| {
                let field = match self.start(number, at) {
                    Common::Term(term) => {
                        let value = word(machine, model, term);
                        slot.get(&whole_bytes(slot, value))
                    }
                    Common::Null => Field::Null,
                    Common::Object(to, offset) => Field::at(self.position(to), offset),
                    Common::Function(name) => Field::Function(name),
                    Common::Open(..) => Field::Untouched,
                    Common::Made(..) | Common::Type(_) | Common::Elsewhere => Field::Elsewhere,
                };
                (slot.path.clone(), field)
            });
            let object = Object {
                type_name: layout.name.clone(),
                fields: slots.collect(),
            };
            if let Some(graph) = graphs.get_mut(argument) {
                graph.objects.push(object);
            }
        }
        graphs
    }

    /// The common numbers of all given objects.
    fn all_given(&self) -> impl Iterator<Item = usize> + '_ {
        let of_new = 0..self.new.given.len();
        let of_old = self.counterparts.iter().enumerate();
        let of_old = of_old.filter(|(_, counterpart)| counterpart.is_none());
        of_new.chain(of_old.map(|(number, _)| self.new.given.len() + number))
    }

    /// What a given object is, and whose.
    pub(super) fn given(&self, number: usize) -> (&Layout, usize) {
        let own = match number.checked_sub(self.new.given.len()) {
            Some(old) => &self.old.given[old],
            None => &self.new.given[number],
        };
        (&own.layout, own.argument)
    }

    /// The number of an object among those of its argument.
    fn position(&self, number: usize) -> usize {
        let (_, argument) = self.given(number);
        let mut same = self.all_given().filter(|&it| self.given(it).1 == argument);
        same.position(|it| it == number).unwrap_or(0)
    }

    /// What a person calls a given object.
    pub(super) fn named(&self, number: usize) -> String {
        let (_, argument) = self.given(number);
        let position = self.position(number);
        match self.new.arguments {
            0 | 1 => format!("@{position}"),
            _ => format!("argument {argument} @{position}"),
        }
    }

    /// The common number of an object of the old version.
    pub(super) fn number_of_old(&self, object: usize) -> usize {
        self.counterparts[object].unwrap_or(self.new.given.len() + object)
    }

    /// The same object in the old version's numbers, if it looked at it.
    pub(super) fn in_old(&self, number: usize) -> Option<usize> {
        match number.checked_sub(self.new.given.len()) {
            Some(old) => Some(old),
            None => self.counterparts.iter().position(|it| *it == Some(number)),
        }
    }

    /// What a slot of a given object held before.
    pub(super) fn start(&self, number: usize, slot: usize) -> Common {
        let of_new = self.new.given.get(number);
        if let Some(seen) = of_new.map(|it| &it.slots[slot])
            && !matches!(seen, Seen::Open(..))
        {
            return self.of_new(seen);
        }
        match self
            .in_old(number)
            .map(|old| &self.old.given[old].slots[slot])
        {
            Some(seen) if !matches!(seen, Seen::Open(..)) => self.of_old(seen),
            Some(_) | None => Common::Open(number, slot),
        }
    }

    pub(super) fn of_new(&self, seen: &Seen) -> Common {
        match *seen {
            Seen::Term(term) => Common::Term(self.new_terms[term]),
            Seen::Given(object, offset) => Common::Object(object, offset),
            Seen::Open(object, slot) => self.start(object, slot),
            Seen::Made(node, offset) => Common::Made(node, offset),
            Seen::Null => Common::Null,
            Seen::Function(ref name) => Common::Function(name.clone()),
            Seen::Elsewhere => Common::Elsewhere,
        }
    }

    pub(super) fn of_old(&self, seen: &Seen) -> Common {
        match *seen {
            Seen::Term(term) => Common::Term(self.old_terms[term]),
            Seen::Given(object, offset) => Common::Object(self.number_of_old(object), offset),
            Seen::Open(object, slot) => self.start(self.number_of_old(object), slot),
            Seen::Made(node, offset) => Common::Made(node, offset),
            Seen::Null => Common::Null,
            Seen::Function(ref name) => Common::Function(name.clone()),
            Seen::Elsewhere => Common::Elsewhere,
        }
    }
}

/// Which given objects of the new version those of the old one are; nothing if they cannot
/// be the same objects.
fn counterparts(old: &Behaviour, new: &Behaviour) -> Option<Vec<Option<usize>>> {
    let mut found = vec![None; old.given.len()];
    let mut taken = vec![false; new.given.len()];
    let mut waiting: Vec<(usize, usize)> = (0..old.arguments).map(|it| (it, it)).collect();
    while let Some((one, other)) = waiting.pop() {
        match found[one] {
            Some(known) if known == other => continue,
            Some(_) => return None,
            None if taken[other] => return None,
            None => {}
        }
        found[one] = Some(other);
        taken[other] = true;
        let (one, other) = (&old.given[one], &new.given[other]);
        if one.layout.name != other.layout.name {
            return None;
        }
        for (one, other) in one.slots.iter().zip(&other.slots) {
            match (one, other) {
                (Seen::Open(..), _) | (_, Seen::Open(..)) => {}
                (Seen::Given(one, at), Seen::Given(other, there)) if at == there => {
                    waiting.push((*one, *other));
                }
                (Seen::Term(_), Seen::Term(_)) => {}
                (one, other) if one == other => {}
                _ => return None,
            }
        }
    }
    Some(found)
}

fn word(machine: &mut Machine<'_>, model: &Assignment, term: Term) -> u64 {
    let mut evaluation = machine.mixed.under(&machine.store, model);
    evaluation.word(term)
}

/// The bytes of an object that has this value in a slot and zero elsewhere.
fn whole_bytes(slot: &Slot, value: u64) -> Vec<u8> {
    let mut bytes = vec![0; (slot.bit + slot.bits).div_ceil(8) as usize];
    let raw = Slot {
        kind: SlotKind::Unsigned,
        ..slot.clone()
    };
    raw.put(&mut bytes, &Field::Number(value.into()));
    bytes
}

fn told(ending: &Ending) -> String {
    match ending {
        Ending::Exit(0) => "returns".to_owned(),
        Ending::Exit(status) => format!("ends the program, with status {status}"),
        Ending::Error(kind, message) => format!("{kind}: {message}"),
    }
}
