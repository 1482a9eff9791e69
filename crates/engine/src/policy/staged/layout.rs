//! What objects are made of, from debug information: the scalars in them by their path,
//! the parts that pointers may lead to, and where pointers lead.
//!
//! Types are known by one name each, as bounds and suites write it: `Node`, `int`,
//! `Node*`. An array of objects is a layout of its own, `Node[3]`.

use super::functions::functions_of_type;
use super::regions::array;
use program::{DebugType, FunctionId, Program, Shape, Source, TypeId, Variant};
use rustc_hash::FxHashMap;
use staged::{Bounds, Field, ObjectGraph};
use std::rc::Rc;
use term::{Store, Term};

/// Scalars a structure may have, arrays counted element by element.
const MOST_SLOTS: usize = 1 << 16;
const POINTER_BITS: u64 = 64;

/// A type taken apart.
#[derive(Debug)]
pub(crate) struct Layout {
    pub name: String,
    /// Bytes it takes.
    pub size: u64,
    pub slots: Vec<Slot>,
    /// What is inside of it and can be pointed to by itself.
    pub parts: Vec<Part>,
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
    /// Those of the type that is written so.
    OfType(String),
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
    /// It ends in an array of any length.
    #[error(
        "`{0}` has no fixed number of elements, and objects that end so are not made; give it \
         one, as in `T {last}[4]`", last = .0.rsplit('.').next().unwrap_or_default()
    )]
    Flexible(String),
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

/// The types of a program that objects are made of, by name.
#[derive(Default)]
pub(crate) struct Layouts {
    known: FxHashMap<String, Rc<Layout>>,
}

impl Layouts {
    /// The type of that name, all that its pointers lead to, and what the bounds have
    /// these be parts of.
    ///
    /// # Errors
    ///
    /// When the program's debug information does not tell.
    pub fn add(
        &mut self,
        program: &Program,
        name: &str,
        bounds: &Bounds,
    ) -> Result<Rc<Layout>, LayoutError> {
        let definitions = definitions(&program.source);
        self.add_reachable(program, &definitions, vec![name.to_owned()], bounds)?;
        // A pointer to a part of something leads into that: `list_head` into the items
        // that it links.
        let mut containers: Vec<&str> = bounds.types().collect();
        containers.retain(|it| definitions.contains_key(*it));
        loop {
            let mut found = Vec::new();
            for &container in &containers {
                if self.known.contains_key(container) {
                    continue;
                }
                let id = definitions[container][0];
                let layout = taken_apart(&program.source, container, id)?;
                if (layout.parts.iter()).any(|part| self.is_pointed_to(&part.type_name)) {
                    found.push(container.to_owned());
                }
            }
            if found.is_empty() {
                return Ok(self.known[name].clone());
            }
            self.add_reachable(program, &definitions, found, bounds)?;
        }
    }

    fn add_reachable(
        &mut self,
        program: &Program,
        definitions: &FxHashMap<String, Vec<TypeId>>,
        mut missing: Vec<String>,
        bounds: &Bounds,
    ) -> Result<(), LayoutError> {
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
                    known: known_names(&program.source, definitions),
                });
            };
            let mut layout = taken_apart(&program.source, &name, id)?;
            for slot in &mut layout.slots {
                let SlotKind::Pointer(pointee) = &mut slot.kind else {
                    continue;
                };
                if let Some(named) = bounds.pointee(&name, &slot.path) {
                    *pointee = Pointee::Object(named.to_owned());
                    missing.push(named.to_owned());
                    continue;
                }
                match pointee {
                    Pointee::Object(to) if definitions.contains_key(to) => missing.push(to.clone()),
                    // What is declared only can be passed on, and nothing else.
                    Pointee::Object(_) => *pointee = Pointee::Token,
                    Pointee::Function(Functions::OfType(written)) => {
                        let known = functions_of_type(program, written);
                        *pointee = match known.is_empty() {
                            true => Pointee::Nothing,
                            false => Pointee::Function(Functions::Known(known)),
                        };
                    }
                    Pointee::Nothing => {
                        return Err(LayoutError::NotMade(format!("{name}.{}", slot.path)));
                    }
                    Pointee::Function(Functions::Known(_)) | Pointee::Token => {}
                }
            }
            self.known.insert(name, Rc::new(layout));
        }
        Ok(())
    }

    /// A type that was added, or an array of one.
    pub fn get(&mut self, name: &str) -> Option<Rc<Layout>> {
        if let Some(known) = self.known.get(name) {
            return Some(known.clone());
        }
        let (element, count) = name.strip_suffix(']')?.rsplit_once('[')?;
        let count = count.parse().ok()?;
        let layout = array(self.known.get(element)?, count, MOST_SLOTS)?;
        let layout = Rc::new(layout);
        self.known.insert(name.to_owned(), layout.clone());
        Some(layout)
    }

    /// All types that were added or asked for.
    pub fn all(&self) -> impl Iterator<Item = &Rc<Layout>> {
        self.known.values()
    }

    /// Whether some pointer leads to things of this type.
    pub fn is_pointed_to(&self, type_name: &str) -> bool {
        let mut slots = self.known.values().flat_map(|layout| &layout.slots);
        slots.any(
            |slot| matches!(&slot.kind, SlotKind::Pointer(Pointee::Object(to)) if to == type_name),
        )
    }

    /// Why a graph cannot be one of these structures, if it cannot.
    pub fn misfit(&mut self, program: &Program, graph: &ObjectGraph) -> Option<String> {
        for object in &graph.objects {
            let type_name = &object.type_name;
            let Some(layout) = self.get(type_name) else {
                return Some(format!(
                    "has a `{type_name}`, which the object cannot lead to"
                ));
            };
            for (path, field) in &object.fields {
                let name = format!("`{type_name}.{path}`");
                let Some(slot) = layout.slots.iter().find(|slot| slot.path == *path) else {
                    return Some(format!("has a field {name}, and there is no such"));
                };
                if let Some(why) = self.unfit(program, graph, slot, field, &name) {
                    return Some(why);
                }
            }
        }
        None
    }

    /// Why a slot cannot hold what a graph has in it, if it cannot.
    fn unfit(
        &mut self,
        program: &Program,
        graph: &ObjectGraph,
        slot: &Slot,
        field: &Field,
        name: &str,
    ) -> Option<String> {
        match (field, &slot.kind) {
            (Field::Untouched, _) | (Field::Null, SlotKind::Pointer(_)) => None,
            (Field::To(_) | Field::Inside(..), SlotKind::Pointer(Pointee::Object(pointee))) => {
                let (to, offset) = field.place()?;
                let there = &graph.objects[to].type_name;
                let layout = self.get(there)?;
                let fits = layout.holds(pointee, offset);
                (!fits).then(|| format!("has {name} lead to a `{there}`"))
            }
            (Field::To(_) | Field::Inside(..), SlotKind::Signed | SlotKind::Unsigned)
                if slot.can_hold_address() =>
            {
                None
            }
            (
                Field::Function(wanted),
                SlotKind::Pointer(Pointee::Function(Functions::Known(known))),
            ) => {
                let is_it = |id: &FunctionId| program.functions[id.index()].name == *wanted;
                (!known.iter().any(is_it))
                    .then(|| format!("has {name} lead to a function `{wanted}` of another type"))
            }
            (Field::Number(0..=LAST_TOKEN), SlotKind::Pointer(Pointee::Token)) => None,
            (Field::Number(_) | Field::Float(_), SlotKind::Pointer(_)) => {
                Some(format!("has a number for the pointer {name}"))
            }
            (Field::Number(value), _) if !slot.can_hold(*value) => {
                Some(format!("has {value} for {name}, which cannot hold it"))
            }
            (Field::Number(_), _) | (Field::Float(_), SlotKind::Float) => None,
            (
                Field::To(_)
                | Field::Inside(..)
                | Field::Null
                | Field::Float(_)
                | Field::Function(_)
                | Field::Elsewhere,
                _,
            ) => Some(format!("has {} for {name}, which is none", field.text())),
        }
    }
}

/// The greatest of the values that stand for something that cannot be looked at. They
/// are below every object's address, so that a suite means the same in every run.
pub(crate) const LAST_TOKEN: i128 = 0xffff;

/// The name of the structure that a type points to, if it does.
pub(crate) fn pointed_structure(source: &Source, id: TypeId) -> Option<String> {
    let resolved = source.debug_type(source.resolved(id));
    match resolved.shape {
        Shape::Pointer(Some(to)) | Shape::Reference(Some(to)) => structure_name(source, to),
        _ => None,
    }
}

/// The structure that a program calls otherwise too: by a `typedef` of its own.
pub fn structure_called(program: &Program, name: &str) -> Option<String> {
    let source = &program.source;
    let mut ids = (0..source.types.len()).map(TypeId::from_index);
    let named = |id: TypeId| structure_name(source, id);
    if ids.clone().any(|id| named(id).is_some_and(|it| it == name)) {
        return None;
    }
    let alias = ids.find(|&id| source.debug_type(id).name == name && named(id).is_some())?;
    named(alias)
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
    let words = ["struct ", "class ", "union ", "enum "];
    let stripped = words.iter().find_map(|word| name.strip_prefix(word));
    stripped.unwrap_or(name)
}

/// The one name of a type of which objects can be made.
fn type_name(source: &Source, id: TypeId) -> Option<String> {
    if let Some(structure) = structure_name(source, id) {
        return Some(structure);
    }
    let it = source.debug_type(source.resolved(id));
    match &it.shape {
        Shape::Pointer(Some(to)) | Shape::Reference(Some(to)) => {
            Some(type_name(source, *to)? + "*")
        }
        Shape::Pointer(None) => Some("void*".to_owned()),
        Shape::Bool
        | Shape::Integer { .. }
        | Shape::Character { .. }
        | Shape::Float
        | Shape::Enum { .. }
        | Shape::Union(_)
        | Shape::Variants(_) => Some(plain(&it.name).to_owned()),
        Shape::Reference(None)
        | Shape::Array { .. }
        | Shape::Struct(_)
        | Shape::Class(_)
        | Shape::Function { .. }
        | Shape::Named(_)
        | Shape::Qualified(_)
        | Shape::Other => None,
    }
}

/// The types that objects can be made of, by name: numbers, pointers, and the
/// structures whose members are known.
fn definitions(source: &Source) -> FxHashMap<String, Vec<TypeId>> {
    let mut found: FxHashMap<String, Vec<TypeId>> = FxHashMap::default();
    for number in 0..source.types.len() {
        let id = TypeId::from_index(number);
        let is_structure = structure_name(source, id).is_some();
        let defined = !is_structure || !members(source, id).is_empty();
        if let (true, Some(name)) = (defined, type_name(source, id)) {
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

fn known_names(source: &Source, definitions: &FxHashMap<String, Vec<TypeId>>) -> Vec<String> {
    let structures = definitions.iter();
    let structures = structures.filter(|(_, ids)| !members(source, ids[0]).is_empty());
    let mut names: Vec<String> = structures.map(|(name, _)| name.clone()).collect();
    names.sort_unstable();
    names
}

fn taken_apart(source: &Source, name: &str, id: TypeId) -> Result<Layout, LayoutError> {
    let whole = source.debug_type(source.resolved(id));
    let mut layout = Layout {
        name: name.to_owned(),
        size: whole.bits / 8,
        slots: Vec::new(),
        parts: Vec::new(),
    };
    // Structures and arrays in it that are still to be taken apart.
    let mut parts = vec![(String::new(), id, 0, whole.bits)];
    let mut optional = false;
    while let Some((path, id, bit, bits)) = parts.pop() {
        let it = source.debug_type(source.resolved(id));
        layout.add_part(source, id, &path, bit);
        let kind = match &it.shape {
            Shape::Struct(fields) | Shape::Class(fields) => {
                if let Some(type_name) = library_type(&it.name, fields) {
                    let member = format!("{name}.{path}");
                    return Err(LayoutError::Library { member, type_name });
                }
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
                    return Err(LayoutError::Flexible(format!("{name}.{path}")));
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
                SlotKind::Pointer(pointee(source, it))
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

/// Whether there are no pointers in a type.
pub(crate) fn is_plain(source: &Source, id: TypeId) -> bool {
    let taken = taken_apart(source, "", id);
    taken.is_ok_and(|layout| {
        let mut slots = layout.slots.iter();
        !slots.any(|slot| matches!(slot.kind, SlotKind::Pointer(_)))
    })
}

/// What a pointer leads to, as far as its type tells.
fn pointee(source: &Source, pointer: &DebugType) -> Pointee {
    let (Shape::Pointer(to) | Shape::Reference(to)) = pointer.shape else {
        return Pointee::Nothing;
    };
    let Some(to) = to else {
        return Pointee::Token;
    };
    match type_name(source, to) {
        Some(name) => Pointee::Object(name),
        None => match source.debug_type(source.resolved(to)).shape {
            Shape::Function { .. } => Pointee::Function(Functions::OfType(pointer.name.clone())),
            // A structure that has no name, or what nobody describes.
            Shape::Struct(_) | Shape::Class(_) | Shape::Other => Pointee::Token,
            _ => Pointee::Nothing,
        },
    }
}

/// The name of a type whose members only its library keeps valid, if it is one.
fn library_type(name: &str, fields: &[program::Field]) -> Option<String> {
    const OF_RUST: [&str; 10] = [
        "alloc::vec::Vec<",
        "alloc::string::String",
        "alloc::rc::Rc<",
        "alloc::sync::Arc<",
        "alloc::boxed::Box<dyn ",
        "alloc::boxed::Box<[",
        "&dyn ",
        "&[",
        "&mut [",
        "&str",
    ];
    const OF_CPP: [&str; 11] = [
        "vector<",
        "basic_string<",
        "map<",
        "set<",
        "unordered_map<",
        "unordered_set<",
        "deque<",
        "list<",
        "shared_ptr<",
        "__shared_ptr<",
        "function<",
    ];
    let starts = |names: &[&str]| names.iter().any(|known| name.starts_with(known));
    // Others have lists and maps too, but not with names that are the library's to use.
    let is_theirs = |field: &program::Field| {
        field.name.starts_with("__") || field.name.starts_with("_M_") || field.base_class
    };
    let of_cpp = starts(&OF_CPP) && (name.contains("std::") || fields.iter().any(is_theirs));
    (of_cpp || starts(&OF_RUST)).then(|| name.to_owned())
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
    /// Notes what a pointer may lead to: the structures and pointers in the object. Numbers
    /// count where they are elements of an array, for a pointer runs through these.
    fn add_part(&mut self, source: &Source, id: TypeId, path: &str, bit: u64) {
        let shape = &source.debug_type(source.resolved(id)).shape;
        let is_part = match shape {
            Shape::Struct(_) | Shape::Class(_) | Shape::Pointer(_) => true,
            Shape::Bool
            | Shape::Integer { .. }
            | Shape::Character { .. }
            | Shape::Float
            | Shape::Enum { .. } => path.ends_with(']'),
            _ => false,
        };
        if let (true, false, Some(type_name)) = (is_part, path.is_empty(), type_name(source, id))
            && bit.is_multiple_of(8)
        {
            let offset = bit / 8;
            self.parts.push(Part { offset, type_name });
        }
    }

    /// Whether another layout has the same slots in the same places.
    pub fn is_same_form(&self, other: &Layout) -> bool {
        let form = |slot: &Slot| (slot.path.clone(), slot.bit, slot.bits);
        let (own, others) = (self.slots.iter().map(form), other.slots.iter().map(form));
        self.size == other.size && own.eq(others)
    }

    /// Whether something of a type begins so many bytes into an object.
    pub fn holds(&self, type_name: &str, offset: u64) -> bool {
        let is_end = offset == self.size && self.element().is_some_and(|it| it == type_name);
        (self.name == type_name && offset == 0)
            || is_end
            || (self.parts.iter()).any(|it| it.offset == offset && it.type_name == type_name)
    }

    /// The type and path that bounds know a slot by: those in an element, where it is one.
    pub fn key<'a>(&'a self, slot: &'a Slot) -> (&'a str, &'a str) {
        match self.element() {
            Some(element) => {
                let inner = slot.path.split_once(']').map_or("", |(_, inner)| inner);
                (element, inner.strip_prefix('.').unwrap_or(inner))
            }
            None => (&self.name, &slot.path),
        }
    }

    /// The slot of another path in the same object, or the same element.
    pub fn beside(&self, slot: &Slot, path: &str) -> Option<&Slot> {
        let (_, own) = self.key(slot);
        let start = slot.path.strip_suffix(own)?;
        let mut slots = self.slots.iter();
        slots.find(|it| it.path.strip_prefix(start) == Some(path))
    }

    /// Whether several pointers lead to a type.
    pub fn has_several(&self, type_name: &str) -> bool {
        let leads = |slot: &&Slot| matches!(&slot.kind, SlotKind::Pointer(Pointee::Object(to)) if to == type_name);
        self.slots.iter().filter(leads).count() > 1
    }

    /// What an array holds, if it is one.
    pub fn element(&self) -> Option<&str> {
        Some(self.name.strip_suffix(']')?.rsplit_once('[')?.0)
    }

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
                | Field::Function(_)
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
            SlotKind::Pointer(Pointee::Token) if value <= LAST_TOKEN as u128 => {
                Field::Number(value as i128)
            }
            SlotKind::Pointer(_) => Field::Untouched,
        }
    }
}
