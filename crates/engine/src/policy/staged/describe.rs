//! What debug information says that types are made of.

use super::containers::{
    CHARACTER, Container, Extent, LONG, Owners, Span, Text, counted_kinds, find, is_string,
    library_type,
};
use super::layout::{
    Functions, Inner, Layout, LayoutError, MOST_SLOTS, POINTER_BITS, Part, Pointee, Slot, SlotKind,
    Tag, TagValue, Tail, Vtable, split_form,
};
use super::linked::{VALUE, is_node};
use super::naming::{kinds, members, structure_name, type_name};
use super::plain::values;
use super::recognise::{LinkedMember, SharedMember, element_kinds, element_of};
use super::shared::ELEMENT;
use super::vtables::vtable;
use program::{DebugType, Field, Program, Shape, Source, TypeId, Variant};
use rustc_hash::FxHashMap;

/// The name of the structure that a type points to, if it does.
pub(crate) fn pointed_structure(source: &Source, id: TypeId) -> Option<String> {
    let resolved = source.debug_type(source.resolved(id));
    match resolved.shape {
        Shape::Pointer(Some(to)) | Shape::Reference(Some(to)) => {
            let there = source.debug_type(source.resolved(to));
            match &there.shape {
                Shape::Variants { variants, .. } if pointer_or_none(source, variants).is_none() => {
                    Some(there.name.clone())
                }
                _ => structure_name(source, to),
            }
        }
        _ => None,
    }
}

/// The structure that a program calls otherwise too: by a `typedef` of its own, with the
/// namespace that it is in, or without what a template or a generic type was made for, where
/// that is one thing only.
pub fn structure_called(program: &Program, name: &str) -> Option<String> {
    let source = &program.source;
    let ids = (0..source.types.len()).map(TypeId::from_index);
    let named = |id: TypeId| structure_name(source, id);
    if ids.clone().any(|id| named(id).is_some_and(|it| it == name)) {
        return None;
    }
    let is_alias = |id: &TypeId| source.debug_type(*id).name == name && named(*id).is_some();
    if let Some(alias) = ids.clone().find(is_alias) {
        return named(alias);
    }
    let wanted = outside_namespaces(name);
    let is_meant = |own: &String| {
        // A slice of Rust is a structure too, and called after what is in it.
        let path = own.split('<').next().unwrap_or_default();
        let is_path = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | ':');
        let own = outside_namespaces(own);
        path.chars().all(is_path) && (own == wanted || own.split('<').next() == Some(&wanted))
    };
    let mut found: Vec<String> = ids.filter_map(named).filter(is_meant).collect();
    found.sort_unstable();
    found.dedup();
    match <[String; 1]>::try_from(found) {
        Ok([only]) => Some(only),
        Err(_) => None,
    }
}

/// A name without the namespaces or modules that it stands in, and without spaces.
fn outside_namespaces(name: &str) -> String {
    let own = name.split('<').next().map_or(0, str::len);
    let start = name[..own].rfind("::").map_or(0, |colons| colons + 2);
    name[start..].chars().filter(|sign| *sign != ' ').collect()
}

/// The types that objects can be made of, by name: numbers, pointers, and the
/// structures whose members are known.
pub(super) fn definitions(source: &Source) -> FxHashMap<String, Vec<TypeId>> {
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

/// Whether two structures of one name are not the same one, which several files may
/// describe.
pub(super) fn differ(source: &Source, one: TypeId, other: TypeId) -> bool {
    let (one, other) = (members(source, one), members(source, other));
    let same = |(one, other): (&Field, &Field)| {
        (&one.name, one.offset, one.bits) == (&other.name, other.offset, other.bits)
    };
    one.len() != other.len() || !one.iter().zip(other).all(same)
}

pub(super) fn known_names(
    source: &Source,
    definitions: &FxHashMap<String, Vec<TypeId>>,
) -> Vec<String> {
    let structures = definitions.iter();
    let structures = structures.filter(|(_, ids)| !members(source, ids[0]).is_empty());
    let mut names: Vec<String> = structures.map(|(name, _)| name.clone()).collect();
    names.sort_unstable();
    names
}

/// What a type is made of.
pub(super) fn taken_apart(
    program: &Program,
    name: &str,
    id: TypeId,
) -> Result<Layout, LayoutError> {
    let source = &program.source;
    let whole = source.debug_type(source.resolved(id));
    let (type_name, variants) = split_form(name);
    let layout = Layout {
        name: name.to_owned(),
        kinds: [
            kinds(source, type_name, id),
            element_kinds(program, id),
            counted_kinds(source, id),
        ]
        .concat(),
        size: whole.bits / 8,
        ..Layout::default()
    };
    let mut taking = Taking {
        program,
        variants,
        layout,
        pieces: Vec::new(),
        containers: Vec::new(),
        linked: Vec::new(),
        shared: Vec::new(),
        owners: Vec::new(),
    };
    taking.pieces.push(Piece {
        path: String::new(),
        id,
        bit: 0,
        bits: whole.bits,
        complete: (id, 0),
        declared_by: None,
        is_optional: false,
        is_non_null: false,
    });
    while let Some(piece) = taking.pieces.pop() {
        taking.take(piece)?;
        if taking.layout.slots.len() > MOST_SLOTS {
            return Err(LayoutError::TooLarge(name.to_owned()));
        }
    }
    taking.finish()
}

/// A type while it is taken apart.
struct Taking<'p> {
    program: &'p Program,
    /// The variants of enums, by the path of these.
    variants: Vec<(&'p str, &'p str)>,
    layout: Layout,
    /// The structures and arrays in it that are still to be taken apart, the first last.
    pieces: Vec<Piece>,
    containers: Vec<Container>,
    linked: Vec<LinkedMember>,
    shared: Vec<SharedMember>,
    /// Where numbers of owners begin.
    owners: Vec<[u64; 2]>,
}

/// A part of a type.
struct Piece {
    path: String,
    id: TypeId,
    bit: u64,
    bits: u64,
    /// The object that it is a base of or is itself, and where that begins.
    complete: (TypeId, u64),
    /// The class that declares it, if that is a base of the whole.
    declared_by: Option<String>,
    /// Whether it is a pointer that may be null although its type never is.
    is_optional: bool,
    /// Whether it is inside of a type that is never null.
    is_non_null: bool,
}

impl Taking<'_> {
    fn take(&mut self, piece: Piece) -> Result<(), LayoutError> {
        let source = &self.program.source;
        let it = source.debug_type(source.resolved(piece.id));
        self.add_part(&piece);
        let bits = piece.bits;
        let kind = match &it.shape {
            Shape::Struct(fields) | Shape::Class(fields) => return self.structure(piece, fields),
            Shape::Array { element, count } => return self.array(piece, *element, *count),
            Shape::Pointer(_) | Shape::Reference(_) if bits == POINTER_BITS => {
                SlotKind::Pointer(pointee(source, it))
            }
            Shape::Bool => SlotKind::Truth,
            Shape::Float if matches!(bits, 32 | 64) => SlotKind::Float,
            Shape::Character { .. } if values(source, piece.id).is_some() => {
                self.confine(&piece);
                SlotKind::Unsigned
            }
            Shape::Integer { signed: true } | Shape::Character { signed: true } => SlotKind::Signed,
            Shape::Enum { underlying, .. } => {
                self.confine(&piece);
                let underlying = underlying.map(|id| source.debug_type(source.resolved(id)));
                match underlying.and_then(|it| it.shape.signed()) {
                    Some(true) => SlotKind::Signed,
                    Some(false) | None => SlotKind::Unsigned,
                }
            }
            // One that can be one thing only is that.
            Shape::Union(fields) if fields.len() == 1 => return self.structure(piece, fields),
            Shape::Union(_) if bits > 64 => {
                for i in 0..bits / 64 {
                    let word = Piece {
                        path: format!("{}.word{i}", piece.path),
                        bit: piece.bit + 64 * i,
                        bits: 64,
                        declared_by: piece.declared_by.clone(),
                        ..piece
                    };
                    self.push(word, SlotKind::Unsigned, false);
                }
                return Ok(());
            }
            Shape::Variants { tag, variants } => {
                match pointer_or_none(source, variants) {
                    Some(id) => self.pieces.push(Piece {
                        id,
                        is_optional: true,
                        ..piece
                    }),
                    None => self.variant(piece, tag.as_ref(), variants)?,
                }
                return Ok(());
            }
            _ => SlotKind::Unsigned,
        };
        let never_null = !piece.is_optional && (piece.is_non_null || is_reference(it));
        self.push(piece, kind, never_null);
        Ok(())
    }

    fn push(&mut self, piece: Piece, kind: SlotKind, never_null: bool) {
        if (1..=128).contains(&piece.bits) {
            self.layout.slots.push(Slot {
                path: piece.path,
                bit: piece.bit,
                bits: piece.bits,
                kind,
                never_null,
                leads_elsewhere: false,
                declared_by: piece.declared_by,
            });
        }
    }

    /// Notes which values there are, if the type has not all that there is room for.
    fn confine(&mut self, piece: &Piece) {
        if let Some(ranges) = values(&self.program.source, piece.id) {
            self.layout.tags.push(Tag {
                bit: piece.bit,
                bits: piece.bits,
                says: TagValue::Within(ranges),
            });
        }
    }

    /// Has nobody look at what a cell or a lock of Rust's library holds: whoever did is gone when a
    /// method is called.
    fn confine_guards(&mut self, piece: &Piece, name: &str) {
        let source = &self.program.source;
        let guards: &[&str] = match name.split_once('<') {
            Some(("RefCell", _)) => &["borrow"],
            Some(("Mutex", _)) => &["futex", "failed"],
            _ => return,
        };
        for guard in guards {
            if let Some((id, bit)) = find(source, piece.id, guard) {
                self.layout.tags.push(Tag {
                    bit: piece.bit + bit,
                    bits: source.debug_type(source.resolved(id)).bits,
                    says: TagValue::Within(vec![(0, 0)]),
                });
            }
        }
    }

    /// A member as messages name it.
    fn member(&self, path: &str) -> String {
        match path {
            "" => self.layout.name.clone(),
            path => format!("{}.{path}", self.layout.name),
        }
    }

    fn structure(&mut self, piece: Piece, fields: &[Field]) -> Result<(), LayoutError> {
        let source = &self.program.source;
        let it = source.debug_type(source.resolved(piece.id));
        if is_string(source, piece.id) {
            self.text(&piece);
            return Ok(());
        }
        if !piece.is_optional {
            self.confine(&piece);
        }
        self.confine_guards(&piece, &it.name);
        if let (false, Some(name)) = (piece.path.is_empty(), structure_name(source, piece.id)) {
            self.layout.members.push((piece.path.clone(), name));
        }
        if let Some(bits) = Owners::recognise(source, piece.id) {
            self.owners.push(bits.map(|bit| piece.bit + bit));
        }
        match Container::recognise(source, piece.id, &piece.path, piece.bit) {
            Some(container) => self.containers.push(container),
            None => self.library_member(&piece, it, fields)?,
        }
        if piece.path.is_empty() && piece.declared_by.is_none() && is_node(&it.name) {
            let element = find(source, piece.id, VALUE);
            self.layout.inner = element.and_then(|(id, bit)| inner(source, VALUE, id, bit));
        }
        let shared = element_of(self.program, piece.id);
        if let Some((id, start)) = shared {
            let bit = piece.bit + start;
            self.layout.inner = inner(source, ELEMENT, id, bit);
            self.pieces.push(Piece {
                path: ELEMENT.to_owned(),
                id,
                bit,
                bits: source.debug_type(source.resolved(id)).bits,
                complete: (id, bit),
                declared_by: None,
                is_optional: false,
                is_non_null: false,
            });
        }
        for field in fields.iter().rev() {
            if shared.is_some() && !field.base_class {
                // What it is inside of is bytes to the library.
                continue;
            }
            let path = match (piece.path.is_empty(), field.name.is_empty()) {
                (_, true) => piece.path.clone(),
                (true, false) => field.name.clone(),
                (false, false) => format!("{}.{}", piece.path, field.name),
            };
            let Some(own) = field.debug_type else {
                return Err(LayoutError::NoType(self.member(&path)));
            };
            if field.virtual_base {
                return Err(LayoutError::VirtualBase(it.name.clone()));
            }
            let bit = piece.bit + field.offset;
            if field.name.starts_with(VTABLE_POINTER) {
                self.add_vtable(&piece, bit)?;
                continue;
            }
            let declared_by = match field.base_class && piece.path.is_empty() {
                true => structure_name(source, own),
                false => piece.declared_by.clone(),
            };
            self.pieces.push(Piece {
                path,
                id: own,
                bit,
                bits: field.bits,
                complete: match field.base_class {
                    true => piece.complete,
                    false => (own, bit),
                },
                declared_by,
                is_optional: piece.is_optional,
                is_non_null: piece.is_non_null || it.name.starts_with("NonNull<"),
            });
        }
        Ok(())
    }

    /// Notes a member that a library links to what it keeps elsewhere, and refuses one that is
    /// not made.
    fn library_member(
        &mut self,
        piece: &Piece,
        it: &DebugType,
        fields: &[Field],
    ) -> Result<(), LayoutError> {
        let (path, bit) = (&piece.path, piece.bit);
        if let Some(linked) = LinkedMember::recognise(&self.program.source, piece.id, path, bit) {
            self.linked.push(linked);
        } else if let Some(shared) = SharedMember::recognise(self.program, piece.id, path, bit) {
            self.shared.push(shared);
        } else if let Some(type_name) = library_type(&it.name, fields) {
            let member = self.member(path);
            return Err(LayoutError::Library { member, type_name });
        }
        Ok(())
    }

    /// Adds the contents of an enum, if it is said which of its variants there is.
    fn variant(
        &mut self,
        piece: Piece,
        tag: Option<&Field>,
        variants: &[Variant],
    ) -> Result<(), LayoutError> {
        let said = self.variants.iter().find(|(path, _)| *path == piece.path);
        let Some((_, said)) = said else {
            let names = variants.iter().map(|it| it.field.name.clone()).collect();
            self.layout.open.push((piece.path, names));
            return Ok(());
        };
        let member = self.member(&piece.path);
        let own = variants.iter().find(|it| it.field.name == *said);
        let Some((own, id)) = own.and_then(|own| Some((own, own.field.debug_type?))) else {
            return Err(LayoutError::NoType(member));
        };
        if let Some(tag) = tag {
            let word = |value: i64| value as u64 & u64::MAX >> (64 - tag.bits.clamp(1, 64));
            self.layout.tags.push(Tag {
                bit: piece.bit + tag.offset,
                bits: tag.bits,
                says: match own.tag {
                    Some(value) => TagValue::Is(word(value)),
                    None => {
                        let others = variants.iter().filter_map(|it| it.tag);
                        TagValue::IsNot(others.map(word).collect())
                    }
                },
            });
        }
        let name = &own.field.name;
        let bit = piece.bit + own.field.offset;
        self.pieces.push(Piece {
            path: match piece.path.is_empty() {
                true => name.clone(),
                false => format!("{}.{name}", piece.path),
            },
            id,
            bit,
            bits: own.field.bits,
            complete: (id, bit),
            ..piece
        });
        Ok(())
    }

    fn array(
        &mut self,
        piece: Piece,
        element: Option<TypeId>,
        count: Option<u64>,
    ) -> Result<(), LayoutError> {
        let source = &self.program.source;
        let Some(element) = element else {
            return Err(LayoutError::NoType(self.member(&piece.path)));
        };
        let is_last = self.pieces.iter().all(|other| other.bit < piece.bit);
        // `T last[0]` is what `T last[]` was written as before C had that.
        let Some(count) = count.filter(|&count| count > 0 || !is_last) else {
            let (true, None, Some(element)) =
                (is_last, &self.layout.tail, type_name(source, element))
            else {
                return Err(LayoutError::Flexible(self.member(&piece.path)));
            };
            self.layout.tail = Some(Tail {
                path: piece.path,
                offset: piece.bit / 8,
                element,
                pointee: None,
                count: None,
            });
            return Ok(());
        };
        if self.pieces.len() as u64 + count > MOST_SLOTS as u64 {
            return Err(LayoutError::TooLarge(self.layout.name.clone()));
        }
        let step = piece.bits.checked_div(count).unwrap_or(0);
        for i in (0..count).rev() {
            let bit = piece.bit + i * step;
            self.pieces.push(Piece {
                path: format!("{}[{i}]", piece.path),
                id: element,
                bit,
                bits: step,
                complete: (element, bit),
                declared_by: piece.declared_by.clone(),
                is_optional: false,
                is_non_null: false,
            });
        }
        Ok(())
    }

    /// Adds a `std::string`, which has its text inside unless it is said to be elsewhere.
    fn text(&mut self, piece: &Piece) {
        let mut said = self.variants.iter();
        let is_long = said.any(|&(path, variant)| path == piece.path && variant == LONG);
        let room = piece.bits / 8 - 2;
        let text = Text {
            path: piece.path.clone(),
            first: self.layout.slots.len(),
            room,
            is_long,
        };
        self.layout.tags.push(Tag {
            bit: piece.bit,
            bits: 1,
            says: TagValue::Is(is_long.into()),
        });
        let mut slots = vec![("__is_long_".to_owned(), 0, 1)];
        match is_long {
            true => {
                slots.push(("__cap_".to_owned(), 1, 63));
                slots.push(("__size_".to_owned(), 64, 64));
                slots.push(("__data_".to_owned(), 128, POINTER_BITS));
            }
            false => {
                slots.push(("__size_".to_owned(), 1, 7));
                let characters = (0..=room).map(|at| (format!("__data_[{at}]"), 8 * (at + 1), 8));
                slots.extend(characters);
            }
        }
        for (at, (name, bit, bits)) in slots.into_iter().enumerate() {
            let path = match piece.path.is_empty() {
                true => name,
                false => format!("{}.{name}", piece.path),
            };
            let slot = Piece {
                path,
                bit: piece.bit + bit,
                bits,
                declared_by: piece.declared_by.clone(),
                ..*piece
            };
            let is_pointer = is_long && text.first + at == text.pointer();
            let kind = match is_pointer {
                true => SlotKind::Pointer(Pointee::Object(CHARACTER.to_owned())),
                false => SlotKind::Unsigned,
            };
            self.push(slot, kind, is_pointer);
        }
        if is_long {
            self.layout.spans.push(Span {
                path: text.path.clone(),
                begin: text.pointer(),
                used: Extent::Count(text.length()),
                room: Extent::Half(text.half()),
                element: CHARACTER.to_owned(),
                is_text: false,
                start: None,
            });
        }
        self.layout.texts.push(text);
    }

    /// Notes a pointer to virtual functions.
    fn add_vtable(&mut self, piece: &Piece, bit: u64) -> Result<(), LayoutError> {
        let (class, start) = piece.complete;
        let offset = (bit - start) / 8;
        match vtable(self.program, class, offset) {
            Some((global, within)) => self.layout.vtables.push(Vtable {
                offset: bit / 8,
                global,
                within,
            }),
            None if start == 0 && piece.path.is_empty() => self.layout.is_abstract = true,
            None => {
                let source = &self.program.source;
                let class = &source.debug_type(source.resolved(class)).name;
                return Err(LayoutError::Abstract(class.clone()));
            }
        }
        Ok(())
    }

    /// Notes what a pointer may lead to: the structures and pointers in the object. Numbers
    /// count where they are elements of an array, for a pointer runs through these.
    fn add_part(&mut self, piece: &Piece) {
        let source = &self.program.source;
        let shape = &source.debug_type(source.resolved(piece.id)).shape;
        let is_part = match shape {
            Shape::Struct(_) | Shape::Class(_) | Shape::Pointer(_) => true,
            Shape::Bool
            | Shape::Integer { .. }
            | Shape::Character { .. }
            | Shape::Float
            | Shape::Enum { .. } => piece.path.ends_with(']'),
            _ => false,
        };
        // A base class is a part too, although it has no name.
        let is_whole = piece.path.is_empty() && piece.declared_by.is_none();
        if let (true, false, Some(type_name)) = (is_part, is_whole, type_name(source, piece.id))
            && piece.bit.is_multiple_of(8)
        {
            let offset = piece.bit / 8;
            self.layout.parts.push(Part { offset, type_name });
        }
    }

    fn finish(mut self) -> Result<Layout, LayoutError> {
        for container in self.containers {
            container.add_to(&mut self.layout);
        }
        for linked in self.linked {
            linked.add_to(&mut self.layout);
        }
        for shared in self.shared {
            shared.add_to(&mut self.layout);
        }
        for [strong, weak] in self.owners {
            let slot = |bit: u64| self.layout.slots.iter().position(|slot| slot.bit == bit);
            if let (Some(strong), Some(weak)) = (slot(strong), slot(weak)) {
                self.layout.owners.push(Owners { strong, weak });
            }
        }
        Ok(self.layout)
    }
}

/// The element that a node or a block is around.
fn inner(source: &Source, path: &str, id: TypeId, bit: u64) -> Option<Inner> {
    Some(Inner {
        path: path.to_owned(),
        at: bit / 8,
        type_name: type_name(source, id)?,
    })
}

/// What the debug information calls the pointer to virtual functions.
const VTABLE_POINTER: &str = "_vptr";

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
            Shape::Function { .. } => Pointee::Function(Functions::OfType(to)),
            // A structure that has no name, or what nobody describes.
            Shape::Struct(_) | Shape::Class(_) | Shape::Other => Pointee::Token,
            _ => Pointee::Nothing,
        },
    }
}

/// The pointer that an `enum` is or has not, as in `Option<Box<T>>`.
fn pointer_or_none(source: &Source, variants: &[Variant]) -> Option<TypeId> {
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
        return Some(only);
    }
    None
}

/// Whether a pointer always leads somewhere: references of C++ and Rust, boxes, and pointers to
/// functions of Rust.
fn is_reference(it: &DebugType) -> bool {
    let begins = [
        "&",
        "alloc::boxed::Box<",
        "fn(",
        "unsafe fn(",
        "extern ",
        "unsafe extern ",
    ];
    match it.shape {
        Shape::Reference(_) => true,
        Shape::Pointer(_) => begins.iter().any(|begin| it.name.starts_with(begin)),
        _ => false,
    }
}
