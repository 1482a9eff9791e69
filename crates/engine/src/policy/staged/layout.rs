//! What objects are made of: the scalars in them by their path, the parts that pointers may
//! lead to, and where pointers lead.
//!
//! Types are known by one name each, as bounds and suites write it: `Node`, `int`,
//! `Node*`. An array of objects is a layout of its own, `Node[3]`, and so is a structure
//! that ends in an array of any length, with so many elements: `Packet(data=2)`.

use super::containers::{Owners, Span, Text};
use super::linked::{Linked, VALUE};
use super::shared::{Shared, is_block, is_pointer_of_block};
use program::{FunctionId, GlobalId, TypeId};
use staged::Field;
use std::ops::Range;
use term::{Store, Term};

/// Scalars a structure may have, arrays counted element by element.
pub(super) const MOST_SLOTS: usize = 1 << 16;
/// Ways in which the enums of an object can be combined.
pub(super) const MOST_FORMS: usize = 1 << 12;
pub(super) const POINTER_BITS: u64 = 64;

/// A type taken apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub name: String,
    /// The types that it counts as: its own, and the classes it is derived from.
    pub kinds: Vec<String>,
    /// Bytes it takes.
    pub size: u64,
    pub slots: Vec<Slot>,
    /// What is inside of it and can be pointed to by itself.
    pub parts: Vec<Part>,
    /// The members that are structures: their paths and what they are.
    pub members: Vec<(String, String)>,
    /// The array of any length that it ends in, if it does.
    pub tail: Option<Tail>,
    /// Where what lies behind it begins, if something does that its type does not tell of.
    pub behind: Option<u64>,
    /// The memory of containers in it.
    pub spans: Vec<Span>,
    /// The containers in it whose elements lie in nodes.
    pub linked: Vec<Linked>,
    /// The pointers in it that share what they lead to.
    pub shared: Vec<Shared>,
    /// What a library has put its own numbers and pointers around, in a node or a block.
    pub inner: Option<Inner>,
    /// The texts in it.
    pub texts: Vec<Text>,
    /// The numbers of owners in it.
    pub owners: Vec<Owners>,
    /// The pointers in it that are the same in all objects.
    pub vtables: Vec<Vtable>,
    /// What an array holds.
    pub element: Option<String>,
    /// What tells which variants of enums there are.
    pub tags: Vec<Tag>,
    /// The enums of which it is not said which variant there is: their path and the names of
    /// their variants.
    pub open: Vec<(String, Vec<String>)>,
    /// Whether no object is this and nothing more: it is an abstract class, or one whose
    /// vtable the program has not.
    pub is_abstract: bool,
}

/// An element in what a library makes for it.
#[derive(Clone, Debug)]
pub(crate) struct Inner {
    /// The member.
    pub path: String,
    /// Bytes from the start.
    pub at: u64,
    pub type_name: String,
}

/// An array of any length at the end of a structure.
#[derive(Clone, Debug)]
pub(crate) struct Tail {
    /// The member.
    pub path: String,
    /// Bytes from the structure's start.
    pub offset: u64,
    /// What it holds.
    pub element: String,
    /// What the pointers in it lead to, if that was named.
    pub pointee: Option<String>,
    /// How many it holds in objects of this layout, which have to say so.
    pub count: Option<u64>,
}

/// The bits that tell which variant of an enum there is.
#[derive(Clone, Debug)]
pub(crate) struct Tag {
    /// Bits from the object's start.
    pub bit: u64,
    pub bits: u64,
    pub says: TagValue,
}

/// What a variant has in the bits that tell it.
#[derive(Clone, Debug)]
pub(crate) enum TagValue {
    /// This.
    Is(u64),
    /// A value of its own contents, which is none of these.
    IsNot(Vec<u64>),
    /// A value between the first and the last of one of these: all that the type has.
    Within(Vec<(u64, u64)>),
}

impl Tag {
    /// Where its bytes are.
    pub fn bytes(&self) -> Range<usize> {
        (self.bit / 8) as usize..(self.bit + self.bits).div_ceil(8) as usize
    }

    /// Whether it has bytes of its own.
    pub fn is_whole(&self) -> bool {
        self.bit.is_multiple_of(8) && self.bits.is_multiple_of(8)
    }

    /// Whether an object with these bytes is of the variant.
    pub fn fits(&self, values: &[u8]) -> bool {
        let bytes = values.get(self.bytes()).unwrap_or_default();
        let word = bytes
            .iter()
            .rev()
            .fold(0, |word, &byte| word << 8 | u64::from(byte));
        let word = word >> (self.bit % 8) & u64::MAX >> (64 - self.bits.clamp(1, 64));
        match &self.says {
            TagValue::Is(value) => word == *value,
            TagValue::IsNot(others) => !others.contains(&word),
            TagValue::Within(ranges) => ranges
                .iter()
                .any(|(low, high)| (low..=high).contains(&&word)),
        }
    }

    /// Whether an object of these bytes is of the variant.
    pub fn condition(&self, store: &mut Store, bytes: &[Term]) -> Term {
        let own = bytes[self.bytes()].iter().copied();
        let own = own.reduce(|low, high| store.concat(high, low));
        let own = own.expect("a tag has at least one bit");
        let term = store.extract(own, (self.bit % 8) as u16, self.bits as u16);
        let equals = |store: &mut Store, value: u64| {
            let value = store.bv(self.bits as u16, value);
            store.eq(term, value)
        };
        match &self.says {
            TagValue::Is(value) => equals(store, *value),
            TagValue::IsNot(others) => {
                let mut holds = store.bool(true);
                for &other in others {
                    let is_other = equals(store, other);
                    let is_not = store.not(is_other);
                    holds = store.and(holds, is_not);
                }
                holds
            }
            TagValue::Within(ranges) => {
                let mut holds = store.bool(false);
                for &(low, high) in ranges {
                    let [low, high] = [low, high].map(|it| store.bv(self.bits as u16, it));
                    let (above, below) = (store.bv_ule(low, term), store.bv_ule(term, high));
                    let within = store.and(above, below);
                    holds = store.or(holds, within);
                }
                holds
            }
        }
    }
}

/// A pointer to the virtual functions of an object's class.
#[derive(Clone, Debug)]
pub(crate) struct Vtable {
    /// Bytes from the object's start.
    pub offset: u64,
    /// The variable that has them, and how far into it the pointer leads.
    pub global: GlobalId,
    pub within: u64,
}

/// A structure, a pointer or an element inside of an object.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Bytes from the object's start.
    pub offset: u64,
    pub type_name: String,
}

/// A scalar in a structure.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// `data`, `position.x`, `slots[3]`.
    pub path: String,
    /// Bits from the structure's start.
    pub bit: u64,
    pub bits: u64,
    pub kind: SlotKind,
    /// Whether it is a pointer that always leads somewhere.
    pub never_null: bool,
    /// Whether it is a pointer that leads to something else than its own type says.
    pub leads_elsewhere: bool,
    /// The class that declares it, if that is not the structure but a base of it.
    pub declared_by: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SlotKind {
    Signed,
    Unsigned,
    Truth,
    Float,
    Pointer(Pointee),
}

/// What a pointer leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pointee {
    /// Something of this type.
    Object(String),
    /// Something that cannot be looked at: it is compared and passed on.
    Token,
    /// One of these functions, which have the type the pointer is to.
    Function(Functions),
    /// Something that is not made.
    Nothing,
}

/// Functions of one type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Functions {
    /// Those of this type.
    OfType(TypeId),
    /// These.
    Known(Vec<FunctionId>),
}

/// Why the debug information does not tell what a structure is made of.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LayoutError {
    /// Several files define it, and not in the same way.
    #[error("there are different structures `{0}` in the program; give one another name")]
    Ambiguous(String),
    /// Nobody defines it.
    #[error(
        "there is no structure `{name}` in the program's debug information{}",
        others(known)
    )]
    Unknown {
        /// The structure.
        name: String,
        /// Those that are defined.
        known: Vec<String>,
    },
    /// A field has no type.
    #[error("the type of `{0}` is not known")]
    NoType(String),
    /// A length is tied to a field that does not tell one.
    #[error("`{0}` is no number that tells how many elements there are")]
    NoLength(String),
    /// An array has a length, and nobody says how long it may be.
    #[error("how long `{pointer}` may be is not bounded")]
    AnyLength {
        /// The pointer to it.
        pointer: String,
        /// What it holds.
        element: String,
    },
    /// It is too large to be taken apart.
    #[error("`{0}` has more than {MOST_SLOTS} numbers")]
    TooLarge(String),
    /// It has members that only their library keeps valid.
    #[error("`{member}` is a {type_name}, of which no objects are made")]
    Library {
        /// The member.
        member: String,
        /// Its type.
        type_name: String,
    },
    /// A pointer leads to something that is not made.
    #[error("what `{0}` points to is not made")]
    NotMade(String),
    /// It has an array of any length that is not at the end of an object.
    #[error(
        "`{0}` has no fixed number of elements, which only the last member of an object can \
         have"
    )]
    Flexible(String),
    /// A text may be longer than those that are made.
    #[error("`{member}` may be longer than {most} characters, and is made with up to these")]
    LongText {
        /// The text.
        member: String,
        /// Its most characters.
        most: u64,
    },
    /// Nothing of a class can be made.
    #[error(
        "there is no class in the program whose objects are a `{0}`: it is abstract or nobody \
         constructs it, and so is every class derived from it"
    )]
    Abstract(String),
    /// A class has a base that all of its bases share.
    #[error("`{0}` has virtual base classes, and objects with these are not made")]
    VirtualBase(String),
    /// Enums in it can be too many things together.
    #[error("the variants of the enums in `{0}` can be combined in more than {MOST_FORMS} ways")]
    TooManyForms(String),
}

/// What there is instead, a few of it.
fn others(known: &[String]) -> String {
    match known {
        [] => "; compile it with -g".to_owned(),
        names => format!(" (there is {})", names[..names.len().min(8)].join(", ")),
    }
}

/// The greatest of the values that stand for something that cannot be looked at. They
/// are below every object's address, so that a suite means the same in every run.
pub(crate) const LAST_TOKEN: i128 = 0xffff;

/// A type and the variants of its enums, in the name of a layout: `Thing(shape=Square)`.
pub(super) fn split_form(name: &str) -> (&str, Vec<(&str, &str)>) {
    let split = name.strip_suffix(')').and_then(|it| it.rsplit_once('('));
    let Some((whole, said)) = split else {
        return (name, Vec::new());
    };
    let said: Option<Vec<_>> = said.split(',').map(|it| it.split_once('=')).collect();
    said.map_or((name, Vec::new()), |said| (whole, said))
}

/// The name of a layout with one more enum said.
pub(super) fn with_variant(name: &str, path: &str, variant: &str) -> String {
    match split_form(name).1.is_empty() {
        true => format!("{name}({path}={variant})"),
        false => format!("{},{path}={variant})", &name[..name.len() - 1]),
    }
}

impl Tail {
    /// What a structure that ends so is called with so many elements.
    pub fn name_with(&self, type_name: &str, count: u64) -> String {
        format!("{type_name}({}={count})", self.path)
    }
}

impl Layout {
    /// Whether it has virtual functions.
    pub fn is_polymorphic(&self) -> bool {
        self.is_abstract || !self.vtables.is_empty()
    }

    /// Whether a member is an array of any length, or a container.
    pub fn has_array(&self, path: &str) -> bool {
        self.tail.as_ref().is_some_and(|tail| tail.path == path)
            || self.spans.iter().any(|span| span.path == path)
            || self.texts.iter().any(|text| text.path == path)
            || self.linked.iter().any(|linked| linked.path == path)
    }

    /// The container of nodes that a slot begins, if it does one.
    pub fn linked_of(&self, slot: usize) -> Option<&Linked> {
        let mut linked = self.linked.iter();
        linked.find(|linked| linked.pointers.contains(&slot))
    }

    /// The nodes that a slot links, if it does.
    pub fn node_at(&self, at: usize) -> Option<&str> {
        let is_node = self.inner.as_ref().is_some_and(|inner| inner.path == VALUE);
        match self.linked_of(at) {
            Some(linked) => Some(&linked.node),
            None => (is_node && self.is_link(at)).then_some(&*self.name),
        }
    }

    /// Whether a slot links nodes of a container, so that nothing else decides where it leads.
    pub fn is_link(&self, at: usize) -> bool {
        let in_node = self.inner.as_ref().is_some_and(|inner| inner.path == VALUE);
        let in_node = in_node && !self.slots[at].path.starts_with(VALUE);
        let in_block = is_pointer_of_block(&self.name, &self.slots[at].path);
        in_node || in_block || self.linked_of(at).is_some() || self.shared_of(at).is_some()
    }

    /// Whether it counts owners of something.
    pub fn is_block(&self) -> bool {
        is_block(&self.name)
    }

    /// The pointer that shares something of which a slot is a part, if it is of one.
    pub fn shared_of(&self, slot: usize) -> Option<&Shared> {
        let mut shared = self.shared.iter();
        shared.find(|shared| shared.slots().contains(&slot))
    }

    /// Whether another layout has the same slots in the same places.
    pub fn is_same_form(&self, other: &Layout) -> bool {
        let form = |slot: &Slot| (slot.path.clone(), slot.bit, slot.bits);
        let (own, others) = (self.slots.iter().map(form), other.slots.iter().map(form));
        self.size == other.size && own.eq(others)
    }

    /// A pointer of this name to something of a type.
    pub fn of_pointer(name: &str, pointed: &str) -> Layout {
        Layout {
            name: name.to_owned(),
            kinds: vec![name.to_owned()],
            size: POINTER_BITS / 8,
            slots: vec![Slot {
                path: String::new(),
                bit: 0,
                bits: POINTER_BITS,
                kind: SlotKind::Pointer(Pointee::Object(pointed.to_owned())),
                never_null: false,
                leads_elsewhere: false,
                declared_by: None,
            }],
            ..Layout::default()
        }
    }

    /// Whether something of a type begins so many bytes into an object.
    pub fn holds(&self, type_name: &str, offset: u64) -> bool {
        let is_end = offset == self.size && self.element().is_some_and(|it| it == type_name);
        (self.is_a(type_name) && offset == 0)
            || is_end
            || (self.parts.iter()).any(|it| it.offset == offset && it.type_name == type_name)
    }

    /// The type and path that bounds know a slot by: those in an element, where it is one,
    /// and the class that declares it.
    pub fn key<'a>(&'a self, slot: &'a Slot) -> (&'a str, &'a str) {
        let path = self.path_in_element(&slot.path);
        let owner = self.element().unwrap_or(&self.kinds[0]);
        (slot.declared_by.as_deref().unwrap_or(owner), path)
    }

    /// A path as it is in an element, where this is an array.
    pub fn path_in_element<'a>(&self, path: &'a str) -> &'a str {
        match self.element() {
            Some(_) => {
                let inner = path.split_once(']').map_or("", |(_, inner)| inner);
                inner.strip_prefix('.').unwrap_or(inner)
            }
            None => path,
        }
    }

    /// The slot of another path in the same object, or the same element.
    pub fn beside(&self, slot: &Slot, path: &str) -> Option<&Slot> {
        let (_, own) = self.key(slot);
        let start = slot.path.strip_suffix(own)?;
        let mut slots = self.slots.iter();
        slots.find(|it| it.path.strip_prefix(start) == Some(path))
    }

    /// Whether several pointers lead to a type. Those of a container lead to memory that is
    /// its own, and elements of arrays do not run through the same.
    pub fn has_several(&self, type_name: &str) -> bool {
        let leads = |(at, slot): &(usize, &Slot)| {
            let to = match &slot.kind {
                SlotKind::Pointer(Pointee::Object(to)) => to,
                _ => return false,
            };
            let is_own = self.span_of(*at).is_some() || self.is_link(*at);
            to == type_name && !is_own && !slot.path.ends_with(']')
        };
        self.slots.iter().enumerate().filter(leads).count() > 1
    }

    /// The container that a slot belongs to, if it does to one.
    pub fn span_of(&self, slot: usize) -> Option<&Span> {
        self.spans.iter().find(|span| span.has(slot))
    }

    /// Whether the whole of it is something of a type.
    pub fn is_a(&self, type_name: &str) -> bool {
        self.name == type_name || self.kinds[0] == type_name
    }

    /// What an array holds, if it is one.
    pub fn element(&self) -> Option<&str> {
        self.element.as_deref()
    }

    /// A slot's value in an object of these bytes.
    pub fn term(&self, store: &mut Store, slot: &Slot, bytes: &[Term]) -> Term {
        let first = (slot.bit / 8) as usize;
        let last = ((slot.bit + slot.bits).div_ceil(8) as usize).min(bytes.len());
        let whole = bytes[first..last].iter().copied();
        let whole = whole.reduce(|low, high| store.concat(high, low));
        let whole = whole.expect("a slot has at least one bit");
        store.extract(whole, (slot.bit % 8) as u16, slot.bits as u16)
    }
}

impl Slot {
    /// Whether it is a pointer, to whatever.
    pub fn is_pointer(&self) -> bool {
        matches!(self.kind, SlotKind::Pointer(_))
    }

    /// Lets a pointer lead to things of a type that the debug information does not tell.
    pub fn lead_to(&mut self, type_name: &str) {
        self.kind = SlotKind::Pointer(Pointee::Object(type_name.to_owned()));
    }

    /// Puts a field's value into an object's bytes. Pointers stay null.
    pub fn put(&self, bytes: &mut [u8], field: &Field) {
        let value = match (field, &self.kind) {
            (Field::Number(number), SlotKind::Float) => self.float_bits(*number as f64),
            (Field::Number(number), _) => *number as u128,
            (Field::Float(number), SlotKind::Float) => self.float_bits(*number),
            (Field::Float(number), _) => *number as i128 as u128,
            (
                Field::Null
                | Field::To(_)
                | Field::Inside(..)
                | Field::Function(_)
                | Field::Elsewhere
                | Field::Untouched
                | Field::OneOf(_),
                _,
            ) => 0,
        };
        for i in 0..self.bits {
            let (byte, within) = (((self.bit + i) / 8) as usize, (self.bit + i) % 8);
            if let Some(byte) = bytes.get_mut(byte) {
                *byte = *byte & !(1 << within) | ((value >> i & 1) as u8) << within;
            }
        }
    }

    /// Whether there is room for an address, which programs keep in numbers too.
    pub fn can_hold_address(&self) -> bool {
        let kind = match self.kind {
            SlotKind::Pointer(_) | SlotKind::Signed | SlotKind::Unsigned => true,
            SlotKind::Truth | SlotKind::Float => false,
        };
        kind && self.bits == POINTER_BITS && self.bit.is_multiple_of(8)
    }

    pub fn can_hold(&self, number: i128) -> bool {
        let bits = self.bits.min(126) as u32;
        match self.kind {
            SlotKind::Signed => (-(1 << (bits - 1))..1 << (bits - 1)).contains(&number),
            SlotKind::Unsigned => (0..1 << bits).contains(&number),
            SlotKind::Truth => matches!(number, 0 | 1),
            SlotKind::Float | SlotKind::Pointer(_) => true,
        }
    }

    fn float_bits(&self, number: f64) -> u128 {
        match self.bits {
            32 => (number as f32).to_bits().into(),
            _ => number.to_bits().into(),
        }
    }

    fn bits(&self, bytes: &[u8]) -> u128 {
        let mut value = 0u128;
        for i in 0..self.bits {
            let (byte, within) = (((self.bit + i) / 8) as usize, (self.bit + i) % 8);
            let set = bytes.get(byte).is_some_and(|byte| byte >> within & 1 == 1);
            value |= u128::from(set) << i;
        }
        value
    }

    /// The lowest 64 bits in an object's bytes.
    pub fn word(&self, bytes: &[u8]) -> u64 {
        self.bits(bytes) as u64
    }

    /// The value in an object's bytes; an address is no value.
    pub fn get(&self, bytes: &[u8]) -> Field {
        let value = self.bits(bytes);
        match self.kind {
            SlotKind::Float if self.bits == 32 => Field::Float(f32::from_bits(value as u32).into()),
            SlotKind::Float => Field::Float(f64::from_bits(value as u64)),
            SlotKind::Signed => {
                let unused = 128 - self.bits as u32;
                Field::Number((value << unused) as i128 >> unused)
            }
            SlotKind::Unsigned | SlotKind::Truth => Field::Number(value as i128),
            SlotKind::Pointer(_) if value == 0 => Field::Null,
            SlotKind::Pointer(Pointee::Token) if value <= LAST_TOKEN as u128 => {
                Field::Number(value as i128)
            }
            SlotKind::Pointer(_) => Field::Untouched,
        }
    }
}
