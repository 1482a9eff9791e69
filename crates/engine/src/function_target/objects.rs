//! The objects that arguments lead to, made from what debug information says of their types.

use super::text::Code;
use program::{DebugType, Field, Shape, Source, TypeId};
use std::collections::BTreeMap;
use suite::ArgumentBounds;

/// How deep objects lead to others before pointers are null.
const MOST_LEVELS: usize = 4;
/// How many objects a driver makes before pointers are null.
const MOST_OBJECTS: usize = 64;
/// How many pointers are in what a pointer to pointers points to; the last is null.
const POINTERS: u64 = 2;
/// Bytes of an address.
const POINTER: u64 = 8;

/// What arguments point to, as it grows.
pub(super) struct Objects<'s> {
    source: &'s Source,
    bounds: ArgumentBounds,
    pub code: Code,
    count: usize,
    /// The objects of each structure, by its type below names and qualifiers.
    pools: BTreeMap<TypeId, Vec<Pooled>>,
    pub notes: Vec<String>,
}

/// An object of a structure that pointers of the type may lead to.
struct Pooled {
    /// The register with its address.
    address: String,
    name: String,
    level: usize,
    is_filled: bool,
}

/// What a pointer points to.
enum Pointee {
    /// A structure, of which there is one.
    Structure(TypeId),
    /// Characters that end with a zero.
    Text,
    /// Bytes of any meaning.
    Bytes,
    /// Several of this type.
    Elements(TypeId),
    /// Pointers of this type.
    Pointers(TypeId),
    /// Code, which returns an address or something else.
    Function {
        returns_address: bool,
    },
    /// A stream of the C library.
    Stream,
    Unknown,
}

impl<'s> Objects<'s> {
    pub fn new(source: &'s Source, bounds: ArgumentBounds) -> Objects<'s> {
        Objects {
            source,
            bounds,
            code: Code::default(),
            count: 0,
            pools: BTreeMap::new(),
            notes: Vec::new(),
        }
    }

    /// The code that makes them all, and what to tell the user.
    pub fn finish(self) -> (Code, Vec<String>) {
        (self.code, self.notes)
    }

    /// A pointer argument, and how many elements are where it points to.
    pub fn argument(&mut self, debug_type: Option<TypeId>, name: &str) -> (String, Option<u64>) {
        let made = match self.pointee(debug_type) {
            Pointee::Structure(id) => match self.pooled(id, name, 0) {
                Some(address) => (address, None),
                None => null(),
            },
            other => self.leaf(&other, name, 0),
        };
        self.fill_pools();
        if !self.bounds.null_arguments || made.0 == null().0 {
            return made;
        }
        let choice = self.code.local(1);
        self.code
            .symbolic(&choice, 1, &format!("{name} is not null"));
        let choice = self.code.instruction(&format!("load i8, ptr {choice}"));
        let (pointer, elements) = made;
        let pointer = self.code.selected(&format!("i8 {choice}"), &[pointer]);
        (pointer, elements)
    }

    /// Makes an object an input, and pointers of the numbers in it that stand for them.
    pub fn fill(
        &mut self,
        address: &str,
        size: u64,
        debug_type: Option<TypeId>,
        name: &str,
        level: usize,
    ) {
        self.code.symbolic(address, size, name);
        if let Some(id) = debug_type {
            self.fill_part(address, id, 0, name, level);
        }
    }

    /// Fills objects, and those that they lead to, until none is left.
    pub fn fill_pools(&mut self) {
        while let Some((id, address, name, level)) = self.next_unfilled() {
            let size = self.source.debug_type(id).bits / 8;
            self.fill(&address, size, Some(id), &name, level);
        }
    }

    fn next_unfilled(&mut self) -> Option<(TypeId, String, String, usize)> {
        self.pools.iter_mut().find_map(|(id, pool)| {
            let object = pool.iter_mut().find(|object| !object.is_filled)?;
            object.is_filled = true;
            Some((
                *id,
                object.address.clone(),
                object.name.clone(),
                object.level,
            ))
        })
    }

    /// An object that the function may free.
    fn allocated(&mut self, size: u64) -> String {
        self.count += 1;
        self.code
            .instruction(&format!("call ptr @malloc(i64 {size})"))
    }

    /// A new object of a structure, which pointers of its type may lead to.
    fn pooled(&mut self, id: TypeId, name: &str, level: usize) -> Option<String> {
        let size = self.source.debug_type(id).bits / 8;
        if size == 0 || self.count >= MOST_OBJECTS {
            self.leave_null(name, id);
            return None;
        }
        let address = self.allocated(size);
        self.pools.entry(id).or_default().push(Pooled {
            address: address.clone(),
            name: name.to_owned(),
            level,
            is_filled: false,
        });
        Some(address)
    }

    /// Makes what is special of the part of an object that has a type of its own: pointers
    /// and truth values. All else is any bytes.
    fn fill_part(&mut self, address: &str, id: TypeId, offset: u64, name: &str, level: usize) {
        let id = self.source.resolved(id);
        let DebugType { shape, .. } = self.source.debug_type(id);
        match shape {
            Shape::Struct(fields) | Shape::Class(fields) => {
                for field in fields.iter().filter(|field| !field.bit_field) {
                    self.fill_field(address, field, offset, name, level);
                }
            }
            Shape::Union(fields) => self.fill_union(address, fields, offset, name, level),
            &Shape::Array {
                element: Some(element),
                count: Some(count),
            } if self.is_special(element) => {
                self.fill_array(address, element, count, offset, name, level);
            }
            Shape::Pointer(_) | Shape::Reference(_) => {
                self.fill_pointer(address, id, offset, name, level);
            }
            Shape::Bool => {
                let at = self.code.address(address, offset);
                let byte = self.code.instruction(&format!("load i8, ptr {at}"));
                let truth = self.code.instruction(&format!("and i8 {byte}, 1"));
                self.code.statement(&format!("store i8 {truth}, ptr {at}"));
            }
            Shape::Array { .. }
            | Shape::Integer { .. }
            | Shape::Character { .. }
            | Shape::Float
            | Shape::Enum { .. }
            | Shape::Variants { .. }
            | Shape::Function { .. }
            | Shape::Named(_)
            | Shape::Qualified(_)
            | Shape::Other => {}
        }
    }

    /// Whether some bytes of the type are not as good as any other.
    fn is_special(&self, id: TypeId) -> bool {
        match &self.source.debug_type(self.source.resolved(id)).shape {
            Shape::Bool | Shape::Pointer(_) | Shape::Reference(_) => true,
            Shape::Struct(fields) | Shape::Class(fields) | Shape::Union(fields) => {
                let types = fields.iter().filter_map(|field| field.debug_type);
                types.into_iter().any(|it| self.is_special(it))
            }
            Shape::Array {
                element: Some(element),
                ..
            } => self.is_special(*element),
            Shape::Array { .. }
            | Shape::Integer { .. }
            | Shape::Character { .. }
            | Shape::Float
            | Shape::Enum { .. }
            | Shape::Variants { .. }
            | Shape::Function { .. }
            | Shape::Named(_)
            | Shape::Qualified(_)
            | Shape::Other => false,
        }
    }

    fn fill_field(&mut self, address: &str, field: &Field, offset: u64, name: &str, level: usize) {
        let Some(id) = field.debug_type else {
            return;
        };
        // What a table of virtual functions is, only a constructor knows.
        if field.name.starts_with("_vptr") {
            self.notes.push(format!(
                "`{name}` has virtual functions, which it is not constructed with"
            ));
        }
        let part = match &*field.name {
            "" => name.to_owned(),
            own => format!("{name}.{own}"),
        };
        self.fill_part(address, id, offset + field.offset / 8, &part, level);
    }

    /// A union whose bytes may be an address holds that member: an address that is any
    /// number would be followed nowhere.
    fn fill_union(
        &mut self,
        address: &str,
        fields: &[Field],
        offset: u64,
        name: &str,
        level: usize,
    ) {
        let is_special = |field: &&Field| field.debug_type.is_some_and(|it| self.is_special(it));
        if let Some(field) = fields.iter().find(is_special).cloned() {
            self.notes.push(format!(
                "the union `{name}` holds its member `{}`",
                field.name
            ));
            self.fill_field(address, &field, offset, name, level);
        }
    }

    /// The first elements of an array; the others are zero.
    fn fill_array(
        &mut self,
        address: &str,
        element: TypeId,
        count: u64,
        offset: u64,
        name: &str,
        level: usize,
    ) {
        let size = self.source.debug_type(element).bits / 8;
        let filled = count.min(self.bounds.elements);
        for number in 0..filled {
            let name = format!("{name}[{number}]");
            self.fill_part(address, element, offset + number * size, &name, level);
        }
        let rest = (count - filled) * size;
        if rest > 0 {
            let at = self.code.address(address, offset + filled * size);
            self.code.statement(&format!(
                "call void @llvm.memset.p0.i64(ptr {at}, i8 0, i64 {rest}, i1 false)"
            ));
        }
    }

    /// Puts an address where a number says which.
    fn fill_pointer(&mut self, address: &str, id: TypeId, offset: u64, name: &str, level: usize) {
        let at = self.code.address(address, offset);
        let candidates = self.candidates(id, name, level + 1);
        // A function to call is there unless arguments may be null.
        let is_function = matches!(self.pointee(Some(id)), Pointee::Function { .. });
        if let (true, false, [callback]) = (is_function, self.bounds.null_arguments, &*candidates) {
            self.code
                .statement(&format!("store ptr {callback}, ptr {at}, align 1"));
            return;
        }
        let choice = self
            .code
            .instruction(&format!("load i64, ptr {at}, align 1"));
        let chosen = self.code.selected(&format!("i64 {choice}"), &candidates);
        self.code
            .statement(&format!("store ptr {chosen}, ptr {at}, align 1"));
    }

    /// What a pointer in an object may lead to.
    fn candidates(&mut self, pointer: TypeId, name: &str, level: usize) -> Vec<String> {
        let pointee = self.pointee(Some(pointer));
        let Pointee::Structure(id) = pointee else {
            let (address, _) = self.leaf(&pointee, name, level);
            return Some(address)
                .filter(|it| *it != null().0)
                .into_iter()
                .collect();
        };
        let wanted = self.bounds.objects as usize;
        let type_name = self.source.debug_type(id).name.clone();
        let type_name = type_name.split_whitespace().last().unwrap_or("object");
        while level < MOST_LEVELS && self.pools.get(&id).map_or(0, Vec::len) < wanted {
            let number = self.pools.get(&id).map_or(0, Vec::len);
            let name = format!("{type_name}#{number}");
            if self.pooled(id, &name, level).is_none() {
                break;
            }
        }
        let pool = self.pools.get(&id).into_iter().flatten();
        pool.map(|object| object.address.clone()).collect()
    }

    /// A pointer to what is not a structure, and how many elements are there.
    fn leaf(&mut self, pointee: &Pointee, name: &str, level: usize) -> (String, Option<u64>) {
        if self.count >= MOST_OBJECTS || level >= MOST_LEVELS {
            return null();
        }
        match *pointee {
            Pointee::Text => {
                let size = self.bounds.string;
                let address = self.bytes(size, name);
                let last = self.code.address(&address, size - 1);
                self.code.statement(&format!("store i8 0, ptr {last}"));
                (address, Some(size))
            }
            Pointee::Bytes => {
                let size = self.bounds.string;
                (self.bytes(size, name), Some(size))
            }
            Pointee::Elements(element) => {
                let each = (self.source.debug_type(element).bits / 8).max(1);
                let elements = self.bounds.elements;
                let address = self.bytes(each * elements, name);
                for number in 0..elements {
                    self.fill_part(&address, element, number * each, name, level);
                }
                (address, Some(elements))
            }
            Pointee::Pointers(pointer) => {
                let address = self.bytes(POINTER * POINTERS, name);
                for number in 0..POINTERS - 1 {
                    let name = format!("{name}[{number}]");
                    self.fill_pointer(&address, pointer, POINTER * number, &name, level);
                }
                let last = self.code.address(&address, POINTER * (POINTERS - 1));
                self.code
                    .statement(&format!("store ptr null, ptr {last}, align 1"));
                (address, Some(POINTERS))
            }
            Pointee::Function { returns_address } => (self.code.callback(returns_address), None),
            Pointee::Stream => (self.code.stdin(), None),
            Pointee::Structure(id) => {
                self.leave_null(name, id);
                null()
            }
            Pointee::Unknown => {
                self.notes
                    .push(format!("`{name}` is null: nothing says what it points to"));
                null()
            }
        }
    }

    /// An object of any bytes.
    fn bytes(&mut self, size: u64, name: &str) -> String {
        let address = self.allocated(size);
        self.code.symbolic(&address, size, name);
        address
    }

    fn leave_null(&mut self, name: &str, id: TypeId) {
        let type_name = &self.source.debug_type(id).name;
        self.notes.push(format!(
            "`{name}` is null: no object of type {type_name} can be made for it"
        ));
    }

    /// What a pointer type points to, below names and qualifiers.
    fn pointee(&self, pointer: Option<TypeId>) -> Pointee {
        let Some(pointer) = pointer else {
            return Pointee::Unknown;
        };
        let resolved = self.source.debug_type(self.source.resolved(pointer));
        let to = match &resolved.shape {
            Shape::Pointer(Some(to)) | Shape::Reference(Some(to)) => *to,
            Shape::Pointer(None) => return Pointee::Bytes,
            _ => return Pointee::Unknown,
        };
        if self.is_stream(to) {
            return Pointee::Stream;
        }
        let id = self.source.resolved(to);
        match &self.source.debug_type(id).shape {
            Shape::Character { .. } => Pointee::Text,
            Shape::Struct(_) | Shape::Class(_) | Shape::Union(_) | Shape::Variants { .. } => {
                Pointee::Structure(id)
            }
            Shape::Bool
            | Shape::Integer { .. }
            | Shape::Float
            | Shape::Enum { .. }
            | Shape::Array { .. } => Pointee::Elements(id),
            Shape::Pointer(_) | Shape::Reference(_) => Pointee::Pointers(id),
            Shape::Function { returns, .. } => Pointee::Function {
                returns_address: returns.is_some_and(|it| self.is_address(it)),
            },
            // `const void` has a qualifier and no shape.
            Shape::Other if self.source.debug_type(id).bits == 0 => Pointee::Bytes,
            Shape::Named(_) | Shape::Qualified(_) | Shape::Other => Pointee::Unknown,
        }
    }

    fn is_address(&self, id: TypeId) -> bool {
        let resolved = self.source.debug_type(self.source.resolved(id));
        matches!(resolved.shape, Shape::Pointer(_) | Shape::Reference(_))
    }

    /// Whether a type is the C library's stream, whose members are not the program's.
    fn is_stream(&self, id: TypeId) -> bool {
        let mut id = id;
        loop {
            let named = self.source.debug_type(id);
            match named.shape {
                _ if named.name == "FILE" => return true,
                Shape::Named(inner) | Shape::Qualified(inner) => id = inner,
                _ => return false,
            }
        }
    }
}

/// The null pointer, which points to no elements.
fn null() -> (String, Option<u64>) {
    ("null".to_owned(), None)
}
