//! Members whose memory a standard library manages: `std::vector`, `Vec`, `VecDeque`, strings and
//! slices.
//!
//! All of these are one thing: a region of elements, how many of them are in use, and how
//! many there is room for, each told by a pointer behind the last or by a number. They are
//! recognised by how their library lays them out, not by their name alone, and everything
//! that holds of them whatever their owner does with them is said here once.

use super::layout::{Layout, Pointee, SlotKind};
use super::naming::{structure_name, type_name};
use program::{Field, Shape, Source, TypeId};

/// The memory of a container in an object.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    /// The member that is the container.
    pub path: String,
    /// The slot that leads to the first element.
    pub begin: usize,
    /// How many elements are in use.
    pub used: Extent,
    /// How many there is room for.
    pub room: Extent,
    pub element: String,
    /// Whether what is in use is UTF-8.
    pub is_text: bool,
    /// The slot of the number of the first element in use, behind which they go on at the start.
    pub start: Option<usize>,
}

/// What tells how much of a container's memory there is, or is in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// The slot of a pointer that leads behind the last element.
    End(usize),
    /// The slot of the number of elements.
    Count(usize),
    /// The slot of half the number of elements.
    Half(usize),
}

impl Span {
    /// The slots that are pointers, the one to the first element last.
    pub fn pointers(&self) -> Vec<usize> {
        let ends = [self.used, self.room].into_iter();
        let ends = ends.filter_map(|it| match it {
            Extent::End(slot) => Some(slot),
            Extent::Count(_) | Extent::Half(_) => None,
        });
        ends.chain([self.begin]).collect()
    }

    /// Whether a slot is one of the container's.
    pub fn has(&self, slot: usize) -> bool {
        let is_it = |extent: Extent| matches!(extent, Extent::End(it) | Extent::Count(it) | Extent::Half(it) if it == slot);
        self.begin == slot || self.start == Some(slot) || is_it(self.used) || is_it(self.room)
    }

    /// The same in an array, where its slots come so many later.
    pub fn moved(&self, slots: usize, path: String) -> Span {
        let moved = |extent| match extent {
            Extent::End(slot) => Extent::End(slot + slots),
            Extent::Count(slot) => Extent::Count(slot + slots),
            Extent::Half(slot) => Extent::Half(slot + slots),
        };
        Span {
            path,
            begin: self.begin + slots,
            used: moved(self.used),
            room: moved(self.room),
            start: self.start.map(|slot| slot + slots),
            ..self.clone()
        }
    }
}

/// The text of a `std::string` as libc++ keeps it. One that is short enough is inside: a bit
/// that says whether it is elsewhere, how long it is, the characters and a zero. Of others the
/// bit is followed by half of how many bytes there are elsewhere, how many of them are the
/// text's, and the pointer to them.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// The member that is the string.
    pub path: String,
    /// The slot of the bit; the others come after it.
    pub first: usize,
    /// How many characters there is room for inside, without the zero.
    pub room: u64,
    /// Whether it is elsewhere.
    pub is_long: bool,
}

/// What texts are made of.
pub(super) const CHARACTER: &str = "char";

/// The variant of an object in whose name a text is said to be elsewhere.
pub(super) const LONG: &str = "long";

/// The most texts of an object that may be elsewhere, each of which makes for twice as many
/// forms.
pub(super) const MOST_LONG: usize = 4;

impl Text {
    /// The slot of the length.
    pub fn length(&self) -> usize {
        self.first + 1 + usize::from(self.is_long)
    }

    /// The slot of a character of one that is inside.
    pub fn character(&self, number: u64) -> usize {
        self.first + 2 + number as usize
    }

    /// The slot of half the bytes that there are elsewhere.
    pub fn half(&self) -> usize {
        self.first + 1
    }

    /// The slot of the pointer to them.
    pub fn pointer(&self) -> usize {
        self.first + 3
    }

    /// Bytes that there are elsewhere for a text of up to so many characters: a libc++ takes them
    /// by sixteens.
    pub fn bytes_for(most: u64) -> u64 {
        (most + 1).next_multiple_of(16)
    }
}

/// Whether a structure is a `std::string` of libc++.
pub(super) fn is_string(source: &Source, id: TypeId) -> bool {
    let it = source.debug_type(source.resolved(id));
    it.name.starts_with("basic_string<char,") && find(source, id, "__is_long_").is_some()
}

/// The numbers of owners that an `Rc` or an `Arc` keeps beside what it leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owners {
    /// The slot of how many own it.
    pub strong: usize,
    /// The slot of how many know of it, with one for all owners.
    pub weak: usize,
}

impl Owners {
    /// The bits that the numbers begin at, if a structure has such.
    pub fn recognise(source: &Source, id: TypeId) -> Option<[u64; 2]> {
        let it = source.debug_type(source.resolved(id));
        let is_counted = ["RcInner<", "ArcInner<"]
            .iter()
            .any(|known| it.name.starts_with(known));
        let at = |name| Some(find(source, id, name)?.1).filter(|_| is_counted);
        Some([at("strong")?, at("weak")?])
    }
}

/// What an `Rc` or an `Arc` leads to counts as what is in it, in a cell or a lock or not.
pub(super) fn counted_kinds(source: &Source, id: TypeId) -> Vec<String> {
    if Owners::recognise(source, id).is_none() {
        return Vec::new();
    }
    let mut at = find(source, id, "value");
    let cells = ["RefCell<", "Cell<", "UnsafeCell<"];
    while let Some((inner, _)) = at {
        let name = type_name(source, inner).unwrap_or_default();
        if !cells.iter().any(|cell| name.starts_with(cell)) {
            return structure_name(source, inner).into_iter().collect();
        }
        at = find(source, inner, "value");
    }
    Vec::new()
}

/// A container while the structure around it is taken apart: slots are known by the bit they
/// begin at.
pub(super) struct Container {
    path: String,
    begin: u64,
    used: Told,
    room: Told,
    element: String,
    is_text: bool,
    start: Option<u64>,
}

#[derive(Clone, Copy)]
enum Told {
    End(u64),
    Count(u64),
}

impl Container {
    /// The container that a structure is, if it is one.
    pub fn recognise(source: &Source, id: TypeId, path: &str, bit: u64) -> Option<Container> {
        let it = source.debug_type(source.resolved(id));
        let at = |name: &str| find(source, id, name);
        let container = |begin: u64, used: Told, room: Told, element: TypeId, is_text: bool| {
            Some(Container {
                path: path.to_owned(),
                begin: bit + begin,
                used: used.moved(bit),
                room: room.moved(bit),
                element: type_name(source, element)?,
                is_text,
                start: None,
            })
        };
        let pointers = [
            ["__begin_", "__end_", "__cap_"],
            ["_M_start", "_M_finish", "_M_end_of_storage"],
        ];
        if it.name.starts_with("vector<") {
            let mut known = pointers.iter();
            let found = known.find_map(|[begin, end, cap]| Some((at(begin)?, at(end)?, at(cap)?)));
            let ((pointer, begin), (_, end), (_, cap)) = found?;
            let element = pointed(source, pointer)?;
            return container(begin, Told::End(end), Told::End(cap), element, false);
        }
        if it.name.starts_with("Vec<") && at("buf").is_some() {
            let ((_, begin), (_, used), (_, room)) = (at("ptr")?, at("len")?, at("cap")?);
            let element = *it.arguments.first()?;
            return container(begin, Told::Count(used), Told::Count(room), element, false);
        }
        if it.name.starts_with("VecDeque<") && at("buf").is_some() {
            let ((_, begin), (_, used), (_, room)) = (at("ptr")?, at("len")?, at("cap")?);
            let (_, start) = at("head")?;
            let element = *it.arguments.first()?;
            let row = container(begin, Told::Count(used), Told::Count(room), element, false)?;
            return Some(Container {
                start: Some(bit + start),
                ..row
            });
        }
        if it.name == "String" {
            let (inner, begin) = at("vec")?;
            let inner = Container::recognise(source, inner, path, bit + begin)?;
            return Some(Container {
                is_text: true,
                ..inner
            });
        }
        let slices = [["data_ptr", "length"], ["__data_", "__size_"]];
        let is_slice = it.name.starts_with(['&', '*'])
            || ["Box<", "alloc::boxed::Box<", "basic_string_view<", "span<"]
                .iter()
                .any(|known| it.name.starts_with(known));
        // The elements of an `Rc<[T]>` come after numbers of owners.
        let is_slice = is_slice && !it.name.contains("Inner<");
        let [begin, length] = slices.iter().find(|[_, length]| at(length).is_some())?;
        let ((pointer, begin), (_, length)) = (at(begin)?, at(length)?);
        let element = pointed(source, pointer).filter(|_| is_slice)?;
        let is_text = matches!(&*it.name, "&str" | "&mut str") || it.name.contains("Box<str");
        let count = Told::Count(length);
        container(begin, count, count, element, is_text)
    }

    /// Says so of a structure that has been taken apart.
    pub fn add_to(self, layout: &mut Layout) {
        let slot = |bit: u64| layout.slots.iter().position(|slot| slot.bit == bit);
        let extent = |told: Told| match told {
            Told::End(bit) => slot(bit).map(Extent::End),
            Told::Count(bit) => slot(bit).map(Extent::Count),
        };
        let (Some(begin), Some(used), Some(room)) =
            (slot(self.begin), extent(self.used), extent(self.room))
        else {
            return;
        };
        let start = self.start.and_then(slot);
        if layout.spans.iter().any(|span| span.begin == begin) {
            // The `Vec` inside of a `String`.
            return;
        }
        // Rust's allocations do not say what they are of, and are never null.
        if let Extent::Count(_) = used {
            layout.slots[begin].never_null = true;
        }
        layout.slots[begin].kind = SlotKind::Pointer(Pointee::Object(self.element.clone()));
        layout.spans.push(Span {
            path: self.path,
            begin,
            used,
            room,
            element: self.element,
            is_text: self.is_text,
            start,
        });
    }
}

impl Told {
    fn moved(self, bits: u64) -> Told {
        match self {
            Told::End(bit) => Told::End(bit + bits),
            Told::Count(bit) => Told::Count(bit + bits),
        }
    }
}

/// The bytes of an element of a slice of Rust that has numbers in it, and whether it is a text,
/// if a type is such a slice.
pub(super) fn slice(source: &Source, id: TypeId) -> Option<(u64, bool)> {
    let it = source.debug_type(source.resolved(id));
    let is_text = matches!(&*it.name, "&str" | "&mut str");
    if !is_text && !it.name.starts_with("&[") && !it.name.starts_with("&mut [") {
        return None;
    }
    let element = pointed(source, find(source, id, "data_ptr")?.0)?;
    let element = source.debug_type(source.resolved(element));
    let is_number = matches!(element.shape, Shape::Integer { .. } | Shape::Float);
    is_number.then_some((element.bits / 8, is_text))
}

/// The first member of a name, however deep inside, and the bit that it begins at.
pub(super) fn find(source: &Source, id: TypeId, name: &str) -> Option<(TypeId, u64)> {
    let (Shape::Struct(fields) | Shape::Class(fields) | Shape::Union(fields)) =
        &source.debug_type(source.resolved(id)).shape
    else {
        return None;
    };
    let own = fields.iter().find(|field| field.name == name);
    if let Some(own) = own {
        return Some((own.debug_type?, own.offset));
    }
    fields.iter().find_map(|field| {
        let (found, bit) = find(source, field.debug_type?, name)?;
        Some((found, field.offset + bit))
    })
}

pub(super) fn pointed(source: &Source, id: TypeId) -> Option<TypeId> {
    match source.debug_type(source.resolved(id)).shape {
        Shape::Pointer(to) => to,
        _ => None,
    }
}

/// The name of a type whose members only its library keeps valid, if it is one.
pub(super) fn library_type(name: &str, fields: &[Field]) -> Option<String> {
    const OF_RUST: [&str; 5] = ["Weak<", "HashMap<", "BTreeMap<", "VecDeque<", "LinkedList<"];
    const OF_CPP: [&str; 26] = [
        "vector<",
        "basic_string<",
        "map<",
        "multimap<",
        "set<",
        "multiset<",
        "unordered_map<",
        "unordered_set<",
        "deque<",
        "list<",
        "forward_list<",
        "shared_ptr<",
        "weak_ptr<",
        "__shared_ptr<",
        "variant<",
        "function<",
        "__list_iterator<",
        "__list_const_iterator<",
        "__forward_list_iterator<",
        "__tree_iterator<",
        "__tree_const_iterator<",
        "__map_iterator<",
        "__map_const_iterator<",
        "__hash_iterator<",
        "__hash_map_iterator<",
        "__deque_iterator<",
    ];
    let starts = |names: &[&str]| names.iter().any(|known| name.starts_with(known));
    // Others have lists and maps too, but not with names that are the library's to use.
    let is_theirs = |field: &Field| {
        field.name.starts_with("__") || field.name.starts_with("_M_") || field.base_class
    };
    let has = |wanted: &str| fields.iter().any(|field| field.name == wanted);
    let of_cpp = starts(&OF_CPP) && (name.contains("std::") || fields.iter().any(is_theirs));
    let of_rust = starts(&OF_RUST) && (name.contains("alloc::") || name.contains("std::"));
    let is_unsized = (has("pointer") && has("vtable")) || (has("data_ptr") && has("length"));
    (of_cpp || of_rust || is_unsized).then(|| name.to_owned())
}
