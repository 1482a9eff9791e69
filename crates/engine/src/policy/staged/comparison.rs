//! What two paths of two versions left behind, held against each other: everything that is not
//! the same in both for sure.

use super::behaviour::{Ending, Seen, is_freed};
use super::difference::Pair;
use super::layout::Slot;
use rustc_hash::{FxHashMap, FxHashSet};
use suite::ChangeKind;
use term::Term;

/// Something that one version left behind and the other did too.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    /// An object afterwards, by its number there.
    After(usize),
    /// A given object that the version did not look at, by its common number.
    Before(usize),
}

/// What a value is, in terms that both versions share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Common {
    Term(Term),
    Null,
    /// A place in the object of this common number.
    Object(usize, u64),
    /// A place in what this version made.
    Made(usize, u64),
    Open(usize, usize),
    Function(String),
    /// What kind of object it is.
    Type(String),
    Elsewhere,
}

/// A value that may differ.
pub(super) struct Contrast {
    pub kind: ChangeKind,
    pub place: String,
    pub old: Common,
    pub new: Common,
    /// What kind of number it is.
    pub slot: Option<Slot>,
}

impl Pair<'_> {
    /// Everything that is not the same in both for sure.
    pub(super) fn contrasts(&self) -> Vec<Contrast> {
        let mut found = Comparison {
            pair: self,
            contrasts: Vec::new(),
            made: FxHashMap::default(),
            makers: FxHashMap::default(),
            waiting: Vec::new(),
        };
        let fail = |it: &Ending| match it {
            Ending::Exit(status) => (None, Some(*status)),
            Ending::Error(kind, _) => (Some(*kind), None),
        };
        let (old, new) = (&self.old.ending, &self.new.ending);
        if fail(old) != fail(new) {
            found.tell(ChangeKind::Error, String::new(), Common::Null, Common::Null);
            return found.contrasts;
        }
        if let Ending::Error(..) = old {
            // What is left behind where both fail is nobody's promise.
            return Vec::new();
        }
        found.output();
        if let (Some(old), Some(new)) = (&self.old.returned, &self.new.returned) {
            found.value(ChangeKind::Result, "the result", (old, new), None);
        }
        for ((name, old), (_, new)) in self.old.memories.iter().zip(&self.new.memories) {
            found.words(&format!("*{name}"), old, new);
        }
        // A variable that one version has not is its own business.
        for (name, old) in &self.old.variables {
            let same = self.new.variables.iter().find(|(it, _)| it == name);
            if let Some((_, new)) = same.filter(|(_, new)| new.len() == old.len()) {
                found.words(name, old, new);
            }
        }
        found.objects();
        found.contrasts
    }
}

/// Walks through what both versions left behind.
struct Comparison<'a, 'b> {
    pair: &'b Pair<'a>,
    contrasts: Vec<Contrast>,
    /// What the versions made that is the same by how it was reached.
    made: FxHashMap<usize, usize>,
    makers: FxHashMap<usize, usize>,
    /// Objects of both to compare, and what a person calls them.
    waiting: Vec<(Side, Side, String)>,
}

impl Comparison<'_, '_> {
    fn tell(&mut self, kind: ChangeKind, place: String, old: Common, new: Common) {
        self.contrasts.push(Contrast {
            kind,
            place,
            old,
            new,
            slot: None,
        });
    }

    fn output(&mut self) {
        let Pair { old, new, .. } = *self.pair;
        for (one, other) in old.output.iter().zip(&new.output) {
            let bytes = one.iter().zip(other);
            let bytes = bytes.map(|(&one, &other)| {
                let one = Common::Term(self.pair.old_terms[one]);
                (one, Common::Term(self.pair.new_terms[other]))
            });
            let mut differing: Vec<_> = bytes.filter(|(one, other)| one != other).collect();
            if one.len() != other.len() {
                differing = vec![(Common::Null, Common::Elsewhere)];
            }
            for (one, other) in differing {
                self.tell(ChangeKind::Output, String::new(), one, other);
            }
        }
    }

    fn objects(&mut self) {
        let Pair { old, new, .. } = *self.pair;
        let mut met = FxHashSet::default();
        let own = (0..new.arguments).filter(|&it| new.aliases[it].is_none());
        for argument in own {
            let freed = (is_freed(old, argument), is_freed(new, argument));
            match freed {
                (true, true) => {}
                (false, false) => self.wait_for(argument),
                _ => {
                    let place = format!("{} after the method", self.pair.named(argument));
                    let [old, new] = [freed.0, freed.1].map(|is_freed| match is_freed {
                        true => Common::Elsewhere,
                        false => Common::Object(argument, 0),
                    });
                    self.tell(ChangeKind::State, place, old, new);
                }
            }
        }
        while let Some((one, other, name)) = self.waiting.pop() {
            let both_before = matches!((one, other), (Side::Before(_), Side::Before(_)));
            if both_before || !met.insert((one, other)) {
                continue;
            }
            self.object(one, other, &name);
        }
    }

    fn object(&mut self, one: Side, other: Side, name: &str) {
        let pair = self.pair;
        let old_layout = match one {
            Side::After(node) => &*pair.old.after[node].layout,
            Side::Before(number) => pair.given(number).0,
        };
        let new_layout = match other {
            Side::After(node) => &*pair.new.after[node].layout,
            Side::Before(number) => pair.given(number).0,
        };
        if old_layout.name != new_layout.name {
            let types = [old_layout, new_layout].map(|it| Common::Type(it.name.clone()));
            let [old, new] = types;
            return self.tell(ChangeKind::State, format!("the type of {name}"), old, new);
        }
        for (at, slot) in new_layout.slots.iter().enumerate() {
            let old = match one {
                Side::After(node) => pair.of_old(&pair.old.after[node].slots[at]),
                Side::Before(number) => pair.start(number, at),
            };
            let new = match other {
                Side::After(node) => pair.of_new(&pair.new.after[node].slots[at]),
                Side::Before(number) => pair.start(number, at),
            };
            let place = match slot.path.starts_with('[') {
                true => format!("{name}{}", slot.path),
                false => format!("{name}.{}", slot.path),
            };
            self.common(ChangeKind::State, &place, (old, new), Some(slot));
        }
    }

    /// Memory that both versions have, word by word.
    fn words(&mut self, name: &str, old: &[Seen], new: &[Seen]) {
        for (at, both) in old.iter().zip(new).enumerate() {
            let place = match at {
                0 => name.to_owned(),
                _ => format!("{name}+{}", 8 * at),
            };
            self.value(ChangeKind::State, &place, both, None);
        }
    }

    fn value(
        &mut self,
        kind: ChangeKind,
        place: &str,
        (old, new): (&Seen, &Seen),
        slot: Option<&Slot>,
    ) {
        let both = (self.pair.of_old(old), self.pair.of_new(new));
        self.common(kind, place, both, slot);
    }

    /// Notes two values unless they are the same, and what they lead to for later.
    fn common(
        &mut self,
        kind: ChangeKind,
        place: &str,
        (old, new): (Common, Common),
        slot: Option<&Slot>,
    ) {
        let same = match (&old, &new) {
            (&Common::Object(one, _), Common::Object(..)) if old == new => {
                self.wait_for(one);
                true
            }
            (&Common::Made(one, at), &Common::Made(other, there)) if at == there => {
                let known = self
                    .made
                    .get(&one)
                    .copied()
                    .or_else(|| (!self.makers.contains_key(&other)).then_some(other));
                let is_it = known == Some(other);
                if is_it && self.made.insert(one, other).is_none() {
                    self.makers.insert(other, one);
                    let sides = (Side::After(one), Side::After(other));
                    self.waiting.push((sides.0, sides.1, place.to_owned()));
                }
                is_it
            }
            (Common::Made(..), Common::Made(..)) => false,
            _ => old == new,
        };
        if !same {
            self.contrasts.push(Contrast {
                kind,
                place: place.to_owned(),
                old,
                new,
                slot: slot.cloned(),
            });
        }
    }

    /// Has a given object compared too.
    fn wait_for(&mut self, number: usize) {
        let pair = self.pair;
        let old = pair.in_old(number).and_then(|old| {
            let mut nodes = pair.old.after.iter();
            nodes.position(|node| node.given == Some(old))
        });
        let mut nodes = pair.new.after.iter();
        let new = nodes.position(|node| node.given == Some(number));
        let side = |node: Option<usize>| node.map_or(Side::Before(number), Side::After);
        self.waiting
            .push((side(old), side(new), pair.named(number)));
    }
}
