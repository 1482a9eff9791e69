//! The members of a structure, as the source names them and as bytes have them.
//!
//! What a base class has belongs to the classes derived from it: a C++ programmer writes
//! `m.tag`, and `m.Base::tag` only where another member has that name.

use crate::input_type::Shown;
use crate::value;
use crate::{Field, InputKind, InputType, Structure};
use std::collections::HashMap;

/// A member of a structure or of one of its base classes.
pub(crate) struct Member<'a> {
    /// What comes after the dot; empty for a member without a name.
    pub name: String,
    /// Where it begins in the whole structure, in bits; none in a file that says nonsense.
    pub offset: Option<u64>,
    pub field: &'a Field,
}

impl Structure {
    /// The members in their order, those of base classes in the place of the base.
    pub(crate) fn members(&self) -> Vec<Member<'_>> {
        let groups: Vec<(Option<&str>, Vec<Member<'_>>)> = self.fields.iter().map(own).collect();
        let mut bearers: HashMap<String, usize> = HashMap::new();
        for member in groups.iter().flat_map(|(_, members)| members) {
            *bearers.entry(member.name.clone()).or_default() += 1;
        }
        let named = groups.into_iter().flat_map(|(base, members)| {
            let bearers = &bearers;
            members.into_iter().map(move |member| match base {
                Some(base) if bearers[&member.name] > 1 && !member.name.is_empty() => Member {
                    name: format!("{base}::{}", member.name),
                    ..member
                },
                _ => member,
            })
        });
        named.collect()
    }

    /// Whether these members lie over one another.
    pub(crate) fn is_union(members: &[Member<'_>]) -> bool {
        members.len() > 1 && members.iter().all(|member| member.offset == Some(0))
    }
}

/// A field, or what is in it and the name of the class if it is a base class.
fn own(field: &Field) -> (Option<&str>, Vec<Member<'_>>) {
    let (true, InputType::Structure(base)) = (field.base, &field.what) else {
        let member = Member {
            name: field.name.clone(),
            offset: Some(field.offset),
            field,
        };
        return (None, vec![member]);
    };
    let members = base.members().into_iter().map(|member| Member {
        offset: member.offset.and_then(|it| it.checked_add(field.offset)),
        ..member
    });
    (Some(&field.name), members.collect())
}

impl Member<'_> {
    /// The bits that it is, from the first of the structure on.
    pub(crate) fn bits(&self) -> Option<std::ops::Range<u64>> {
        let start = self.offset?;
        Some(start..start.checked_add(self.field.bits)?)
    }

    /// Its value in the bytes of the whole structure.
    pub(crate) fn read(&self, bytes: &[u8]) -> Shown {
        let Some(bits) = self.bits() else {
            return Shown::Unreadable;
        };
        let (start, end) = ((bits.start / 8) as usize, bits.end.div_ceil(8) as usize);
        let Some(own) = bytes.get(start..end) else {
            return Shown::Unreadable;
        };
        match bits.start.is_multiple_of(8) && bits.end.is_multiple_of(8) {
            true => self.field.what.read(own),
            false => self.read_bits(own, bits.start % 8),
        }
    }

    /// The value of a bit-field that begins at this bit: its bits, as wide as the type that
    /// it has.
    fn read_bits(&self, bytes: &[u8], start: u64) -> Shown {
        let what = &self.field.what;
        let kind = match what {
            InputType::Kind(kind) => *kind,
            InputType::Enumeration(it) => it.kind,
            InputType::Structure(_) | InputType::Array(_) => return Shown::Unreadable,
        };
        let width = self.field.bits as u32;
        if bytes.len() > 16 || !kind.is_sensible() || !(1..=64).contains(&width) {
            return Shown::Unreadable;
        }
        let unused = 128 - width;
        let high = (value::unsigned(bytes) >> start) << unused;
        let value = match kind {
            InputKind::Signed(_) => ((high as i128) >> unused) as u128,
            _ => high >> unused,
        };
        match value.to_le_bytes().get(..kind.element_size()) {
            Some(widened) => what.read(widened),
            None => Shown::Unreadable,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, offset: u64, what: InputType) -> Field {
        let base = matches!(what, InputType::Structure(_));
        let bits = match &what {
            InputType::Structure(it) => 8 * it.size,
            _ => 8,
        };
        Field {
            name: name.to_owned(),
            offset,
            bits,
            what,
            base,
        }
    }

    /// A class of numbers of a byte each, after base classes.
    fn class(bases: &[(&str, &InputType)], members: &[&str]) -> InputType {
        let mut fields = Vec::new();
        let mut offset = 0;
        for (name, base) in bases {
            fields.push(field(name, offset, (*base).clone()));
            offset += fields.last().map_or(0, |field| field.bits);
        }
        for name in members {
            let byte = InputType::Kind(InputKind::Unsigned(1));
            fields.push(field(name, offset, byte));
            offset += 8;
        }
        InputType::Structure(Structure {
            name: "class".to_owned(),
            size: offset / 8,
            fields,
        })
    }

    #[test]
    fn members_of_base_classes_are_members() {
        let empty = class(&[], &[]);
        let animal = class(&[], &["legs", "tag"]);
        let dog = class(&[("Empty", &empty), ("Animal", &animal)], &["tag", "age"]);
        assert_eq!(
            dog.read(&[4, 1, 2, 7]).text(),
            "{legs = 4, Animal::tag = 1, tag = 2, age = 7}"
        );
        let names = dog.scalars("d", 4, 0).into_iter().map(|it| it.name);
        let names: Vec<String> = names.collect();
        assert_eq!(names, ["d.legs", "d.Animal::tag", "d.tag", "d.age"]);
    }

    #[test]
    fn what_two_base_classes_have_says_whose_it_is() {
        let pin = class(&[], &["id"]);
        let [input, output] = [class(&[("Pin", &pin)], &[]), class(&[("Pin", &pin)], &[])];
        let both = class(&[("Input", &input), ("Output", &output)], &["x"]);
        assert_eq!(
            both.read(&[1, 2, 3]).text(),
            "{Input::id = 1, Output::id = 2, x = 3}"
        );
    }

    #[test]
    fn an_empty_base_class_makes_no_union() {
        let empty = class(&[], &[]);
        let one = class(&[("Empty", &empty)], &["x"]);
        assert_eq!(one.alternatives(), 1);
    }
}
