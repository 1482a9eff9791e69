//! What structures are made of, from debug information: the scalars in them by
//! their path, and where pointers lead.

use program::{DebugType, Program, Shape, Source, TypeId, Variant};
use rustc_hash::FxHashMap;
use staged::{Bounds, Field, ObjectGraph};
use std::rc::Rc;
use term::{Store, Term};

/// Scalars a structure may have, arrays counted element by element.
const MOST_SLOTS: usize = 1 << 16;
const POINTER_BITS: u64 = 64;

/// A structure taken apart.
#[derive(Debug)]
pub(crate) struct Layout {
    pub name: String,
    /// Bytes it takes.
    pub size: u64,
    pub slots: Vec<Slot>,
}

/// A scalar in a structure.
#[derive(Debug)]
pub(crate) struct Slot {
    /// `data`, `position.x`, `slots[3]`.
    pub path: String,
    /// Bits from the structure's start.
    pub bit: u64,
    pub bits: u64,
    pub kind: SlotKind,
    /// Whether it is a pointer that always leads somewhere.
    pub never_null: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SlotKind {
    Signed,
    Unsigned,
    Truth,
    Float,
    /// To the structure of that name, if to a structure.
    Pointer(Option<String>),
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
    /// It is too large to be taken apart.
    #[error("`{0}` has more than {MOST_SLOTS} numbers")]
    TooLarge(String),
    /// It has an `enum` that is not simply a pointer or none.
    #[error(
        "`{0}` is an enum with contents; of these, only an Option of a pointer, a reference \
         or a Box can be made"
    )]
    Enum(String),
}

/// What there is instead, a few of it.
fn others(known: &[String]) -> String {
    match known {
        [] => "; compile it with -g".to_owned(),
        names => format!(" (there is {})", names[..names.len().min(8)].join(", ")),
    }
}

/// The structures of a program, by name.
#[derive(Default)]
pub(crate) struct Layouts {
    known: FxHashMap<String, Rc<Layout>>,
}

impl Layouts {
    /// The structure of that name and all that its pointers lead to.
    ///
    /// # Errors
    ///
    /// When the program's debug information does not tell.
    pub fn add(&mut self, program: &Program, name: &str) -> Result<Rc<Layout>, LayoutError> {
        let definitions = definitions(&program.source);
        let mut missing = vec![name.to_owned()];
        while let Some(name) = missing.pop() {
            if self.known.contains_key(&name) {
                continue;
            }
            let same = definitions
                .get(name.as_str())
                .map_or(&[][..], Vec::as_slice);
            if let [one, others @ ..] = same
                && others
                    .iter()
                    .any(|other| differ(&program.source, *one, *other))
            {
                return Err(LayoutError::Ambiguous(name));
            }
            let Some(&id) = same.first() else {
                return Err(LayoutError::Unknown {
                    name,
                    known: known_names(&definitions),
                });
            };
            let mut layout = taken_apart(&program.source, &name, id)?;
            for slot in &mut layout.slots {
                let SlotKind::Pointer(to) = &mut slot.kind else {
                    continue;
                };
                // What is declared only cannot be made.
                *to = to.take().filter(|to| definitions.contains_key(to));
                missing.extend(to.clone());
            }
            self.known.insert(name, Rc::new(layout));
        }
        Ok(self.known[name].clone())
    }

    /// A structure that was added, by name or by a pointer to it.
    pub fn get(&self, name: &str) -> Rc<Layout> {
        self.known[name].clone()
    }

    /// The same, if it was.
    pub fn find(&self, name: &str) -> Option<&Layout> {
        self.known.get(name).map(|layout| &**layout)
    }
}

impl Layouts {
    /// The structures that a pointer without a bound leads to, and that have none
    /// themselves.
    pub fn unbounded(&self, bounds: &Bounds) -> Vec<String> {
        let mut found = Vec::new();
        for layout in self.known.values() {
            for slot in &layout.slots {
                if let SlotKind::Pointer(Some(to)) = &slot.kind
                    && bounds.most_targets(&layout.name, &slot.path) == usize::MAX
                    && bounds.most_objects(to) == usize::MAX
                {
                    found.push(to.clone());
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Why a graph cannot be one of these structures, if it cannot.
    pub fn misfit(&self, graph: &ObjectGraph) -> Option<String> {
        for object in &graph.objects {
            let type_name = &object.type_name;
            let Some(layout) = self.find(type_name) else {
                return Some(format!(
                    "has a `{type_name}`, which the object cannot lead to"
                ));
            };
            for (path, field) in &object.fields {
                let name = format!("`{type_name}.{path}`");
                let Some(slot) = layout.slots.iter().find(|slot| slot.path == *path) else {
                    return Some(format!("has a field {name}, and there is no such"));
                };
                match (field, &slot.kind) {
                    (Field::Untouched, _) => {}
                    (Field::To(to), SlotKind::Pointer(Some(pointee))) => {
                        let there = &graph.objects[*to].type_name;
                        if there != pointee {
                            return Some(format!("has {name} lead to a `{there}`"));
                        }
                    }
                    (Field::Null, SlotKind::Pointer(_)) => {}
                    (Field::To(_) | Field::Inside(..), SlotKind::Signed | SlotKind::Unsigned)
                        if slot.can_hold_address() => {}
                    (Field::Number(_) | Field::Float(_), SlotKind::Pointer(_)) => {
                        return Some(format!("has a number for the pointer {name}"));
                    }
                    (Field::Number(value), _) if !slot.can_hold(*value) => {
                        return Some(format!("has {value} for {name}, which cannot hold it"));
                    }
                    (Field::Number(_), _) | (Field::Float(_), SlotKind::Float) => {}
                    (
                        Field::To(_)
                        | Field::Inside(..)
                        | Field::Null
                        | Field::Float(_)
                        | Field::Elsewhere,
                        _,
                    ) => {
                        return Some(format!("has {} for {name}, which is none", field.text()));
                    }
                }
            }
        }
        None
    }
}

/// The name of the structure that a type points to, if it does.
pub(crate) fn pointee(source: &Source, id: TypeId) -> Option<String> {
    let resolved = source.debug_type(source.resolved(id));
    match resolved.shape {
        Shape::Pointer(Some(to)) | Shape::Reference(Some(to)) => structure_name(source, to),
        _ => None,
    }
}

/// The name of a structure, below qualifiers and other names; of one that has
/// none, the last of these.
fn structure_name(source: &Source, id: TypeId) -> Option<String> {
    let mut id = id;
    let mut alias = None;
    loop {
        let it = source.debug_type(id);
        match &it.shape {
            Shape::Named(inner) => {
                alias = Some(it.name.clone());
                id = *inner;
            }
            Shape::Qualified(inner) => id = *inner,
            Shape::Struct(_) | Shape::Class(_) => {
                let name = plain(&it.name);
                return match name.contains("(anonymous)") {
                    true => alias,
                    false => Some(name.to_owned()),
                };
            }
            _ => return None,
        }
    }
}

fn plain(name: &str) -> &str {
    let stripped = name.strip_prefix("struct ");
    stripped.or(name.strip_prefix("class ")).unwrap_or(name)
}

/// The structures whose members are known, by name.
fn definitions(source: &Source) -> FxHashMap<String, Vec<TypeId>> {
    let mut found: FxHashMap<String, Vec<TypeId>> = FxHashMap::default();
    for number in 0..source.types.len() {
        let id = TypeId::from_index(number);
        let defined = !members(source, id).is_empty();
        if let (true, Some(name)) = (defined, structure_name(source, id)) {
            found.entry(name).or_default().push(id);
        }
    }
    found
}

fn members(source: &Source, id: TypeId) -> &[program::Field] {
    match &source.debug_type(source.resolved(id)).shape {
        Shape::Struct(fields) | Shape::Class(fields) => fields,
        _ => &[],
    }
}

/// Whether two structures of one name are not the same one, which several files may
/// describe.
fn differ(source: &Source, one: TypeId, other: TypeId) -> bool {
    let (one, other) = (members(source, one), members(source, other));
    let same = |(one, other): (&program::Field, &program::Field)| {
        (&one.name, one.offset, one.bits) == (&other.name, other.offset, other.bits)
    };
    one.len() != other.len() || !one.iter().zip(other).all(same)
}

fn known_names(definitions: &FxHashMap<String, Vec<TypeId>>) -> Vec<String> {
    let mut names: Vec<String> = definitions.keys().cloned().collect();
    names.sort_unstable();
    names
}

fn taken_apart(source: &Source, name: &str, id: TypeId) -> Result<Layout, LayoutError> {
    let whole = source.debug_type(source.resolved(id));
    let mut layout = Layout {
        name: name.to_owned(),
        size: whole.bits / 8,
        slots: Vec::new(),
    };
    // Structures and arrays in it that are still to be taken apart.
    let mut parts = vec![(String::new(), id, 0, whole.bits)];
    let mut optional = false;
    while let Some((path, id, bit, bits)) = parts.pop() {
        let it = source.debug_type(source.resolved(id));
        let kind = match &it.shape {
            Shape::Struct(fields) | Shape::Class(fields) => {
                for field in fields.iter().rev() {
                    let Some(own) = field.debug_type else {
                        let field = &field.name;
                        return Err(LayoutError::NoType(format!("{name}.{path}{field}")));
                    };
                    let inner = match (path.is_empty(), field.name.is_empty()) {
                        (_, true) => path.clone(),
                        (true, false) => field.name.clone(),
                        (false, false) => format!("{path}.{}", field.name),
                    };
                    parts.push((inner, own, bit + field.offset, field.bits));
                }
                continue;
            }
            Shape::Array { element, count } => {
                let (Some(element), Some(count)) = (*element, *count) else {
                    continue;
                };
                if parts.len() as u64 + count > MOST_SLOTS as u64 {
                    return Err(LayoutError::TooLarge(name.to_owned()));
                }
                let step = bits.checked_div(count).unwrap_or(0);
                for i in (0..count).rev() {
                    parts.push((format!("{path}[{i}]"), element, bit + i * step, step));
                }
                continue;
            }
            Shape::Pointer(_) | Shape::Reference(_) if bits == POINTER_BITS => {
                SlotKind::Pointer(pointee(source, id))
            }
            Shape::Bool => SlotKind::Truth,
            Shape::Float if matches!(bits, 32 | 64) => SlotKind::Float,
            Shape::Integer { signed: true } | Shape::Character { signed: true } => SlotKind::Signed,
            Shape::Enum { underlying, .. } => {
                let underlying = underlying.map(|id| source.debug_type(source.resolved(id)));
                match underlying.and_then(|it| it.shape.signed()) {
                    Some(true) => SlotKind::Signed,
                    Some(false) | None => SlotKind::Unsigned,
                }
            }
            Shape::Union(_) if bits > 64 => {
                for i in (0..bits / 64).rev() {
                    let word = (format!("{path}.word{i}"), bit + 64 * i, 64);
                    layout.push(word, SlotKind::Unsigned);
                }
                continue;
            }
            Shape::Variants(variants) => {
                let whole = format!("{name}.{path}");
                parts.push((path, pointer_or_none(source, variants, &whole)?, bit, bits));
                optional = true;
                continue;
            }
            _ => SlotKind::Unsigned,
        };
        let never_null = !std::mem::take(&mut optional) && is_reference(it);
        if bits > 0 && bits <= 128 {
            layout.push((path, bit, bits), kind);
            layout
                .slots
                .last_mut()
                .expect("it was just put there")
                .never_null = never_null;
        }
        if layout.slots.len() > MOST_SLOTS {
            return Err(LayoutError::TooLarge(name.to_owned()));
        }
    }
    Ok(layout)
}

/// The pointer that an `enum` is or has not, as in `Option<Box<T>>`.
fn pointer_or_none(
    source: &Source,
    variants: &[Variant],
    whole: &str,
) -> Result<TypeId, LayoutError> {
    let contents = |variant: &Variant| -> Option<Vec<TypeId>> {
        let id = source.resolved(variant.field.debug_type?);
        match &source.debug_type(id).shape {
            Shape::Struct(fields) => fields.iter().map(|field| field.debug_type).collect(),
            _ => None,
        }
    };
    let contents: Option<Vec<Vec<TypeId>>> = variants.iter().map(contents).collect();
    let mut full = contents.unwrap_or_default();
    let tags: Vec<Option<i64>> = variants.iter().map(|variant| variant.tag).collect();
    full.retain(|fields| !fields.is_empty());
    if let ([Some(0), None] | [None, Some(0)], [fields]) = (&tags[..], &full[..])
        && let [only] = fields[..]
        && source.debug_type(source.resolved(only)).bits == POINTER_BITS
    {
        return Ok(only);
    }
    Err(LayoutError::Enum(whole.to_owned()))
}

/// Whether a pointer always leads somewhere: references of C++ and Rust, and boxes.
fn is_reference(it: &DebugType) -> bool {
    match it.shape {
        Shape::Reference(_) => true,
        Shape::Pointer(_) => it.name.starts_with('&') || it.name.starts_with("alloc::boxed::Box<"),
        _ => false,
    }
}

impl Layout {
    fn push(&mut self, (path, bit, bits): (String, u64, u64), kind: SlotKind) {
        self.slots.push(Slot {
            path,
            bit,
            bits,
            kind,
            never_null: false,
        });
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
                | Field::Elsewhere
                | Field::Untouched,
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

    fn can_hold(&self, number: i128) -> bool {
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
            SlotKind::Pointer(_) => Field::Untouched,
        }
    }
}
