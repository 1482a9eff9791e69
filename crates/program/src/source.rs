//! Where a program comes from: files, lines, functions, variables and types as
//! the source names them.

use crate::ids::{EdgeId, FileId, LocationId, Reg, SourceFunctionId, TypeId};

/// All debug information of a program.
#[derive(Debug)]
pub struct Source {
    /// The source files.
    pub files: Vec<SourceFile>,
    /// The places instructions come from; the first is [`LocationId::UNKNOWN`].
    pub locations: Vec<Location>,
    /// The functions, those too that exist only inlined into others.
    pub functions: Vec<SourceFunction>,
    /// The types.
    pub types: Vec<DebugType>,
}

impl Default for Source {
    fn default() -> Self {
        let unknown = Location {
            file: None,
            line: 0,
            column: 0,
            function: None,
            inlined_at: None,
        };
        Self {
            files: Vec::new(),
            locations: vec![unknown],
            functions: Vec::new(),
            types: Vec::new(),
        }
    }
}

impl Source {
    /// The place.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.index()]
    }

    /// The file.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// The function as the source has it.
    pub fn function(&self, id: SourceFunctionId) -> &SourceFunction {
        &self.functions[id.index()]
    }

    /// The type.
    pub fn debug_type(&self, id: TypeId) -> &DebugType {
        &self.types[id.index()]
    }

    /// The place and those it was inlined at, innermost first.
    pub fn inlining(&self, id: LocationId) -> impl Iterator<Item = &Location> {
        std::iter::successors(Some(self.location(id)), |location| {
            location.inlined_at.map(|outer| self.location(outer))
        })
    }

    /// The type below names and qualifiers: of a `const size_t` the `unsigned long`.
    pub fn resolved(&self, id: TypeId) -> TypeId {
        let mut id = id;
        while let Shape::Named(inner) | Shape::Qualified(inner) = self.debug_type(id).shape {
            id = inner;
        }
        id
    }
}

/// A source file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SourceFile {
    /// The name as the compiler was given it.
    pub name: String,
    /// The directory the compiler ran in.
    pub directory: String,
    /// Both joined, without `.` and `..`.
    pub path: String,
}

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// The file, if known.
    pub file: Option<FileId>,
    /// The line from 1; 0 if no line stands for the code.
    pub line: u32,
    /// The column from 1; 0 if unknown.
    pub column: u32,
    /// The function the line is in.
    pub function: Option<SourceFunctionId>,
    /// Where that function was inlined, if it was.
    pub inlined_at: Option<LocationId>,
}

/// A function as the source has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFunction {
    /// The name in the source.
    pub name: String,
    /// The name for the linker; empty when it is the same.
    pub linkage_name: String,
    /// The file it is defined in.
    pub file: Option<FileId>,
    /// The line of its definition.
    pub line: u32,
    /// What it returns; none is `void` or unknown.
    pub returns: Option<TypeId>,
    /// Its parameters, in order.
    pub parameters: Vec<SourceParameter>,
    /// Whether it is a private or protected member of a class of C++.
    pub is_private: bool,
}

/// A parameter as the source has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceParameter {
    /// The name; empty if it has none or none is known.
    pub name: String,
    /// The type, if known.
    pub debug_type: Option<TypeId>,
}

/// A local variable or parameter and where its value is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Variable {
    /// The name in the source.
    pub name: String,
    /// The type, if known.
    pub debug_type: Option<TypeId>,
    /// Which parameter of its function it is, from 0.
    pub parameter: Option<u32>,
    /// Where it is declared, and inlined.
    pub location: LocationId,
    /// Where its value is.
    pub place: Place,
}

/// Where a variable's value is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// In memory at the address in the register.
    Memory(Reg),
    /// In the register, from the register's definition on.
    Value(Reg),
}

/// A global variable as the source has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalName {
    /// The name in the source.
    pub name: String,
    /// The type, if known.
    pub debug_type: Option<TypeId>,
    /// The file it is declared in.
    pub file: Option<FileId>,
    /// The line of its declaration.
    pub line: u32,
}

/// A line that has code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Line {
    /// The file.
    pub file: FileId,
    /// The line, from 1.
    pub line: u32,
}

/// An instruction that goes one of several ways.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branching {
    /// Its position in the code.
    pub pc: u32,
    /// Where it comes from.
    pub location: LocationId,
    /// The different ways: of a branch, first the one taken when the condition holds.
    pub edges: Vec<EdgeId>,
}

/// A type as the source names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugType {
    /// As one would write it: `unsigned int`, `struct point *`, `char [16]`.
    pub name: String,
    /// Bits it takes; 0 if unknown.
    pub bits: u64,
    /// What it is made of.
    pub shape: Shape,
    /// The types that a template or a generic type was made for.
    pub arguments: Vec<TypeId>,
    /// What tells it from other types of its name: of a C++ class, how the linker knows the
    /// name of its type. Empty if nothing does.
    pub identifier: String,
}

/// What a type is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A truth value.
    Bool,
    /// A whole number.
    Integer {
        /// Whether it can be negative.
        signed: bool,
    },
    /// A character.
    Character {
        /// Whether it can be negative.
        signed: bool,
    },
    /// A floating-point number.
    Float,
    /// An address of something; none is `void *`.
    Pointer(Option<TypeId>),
    /// A C++ reference.
    Reference(Option<TypeId>),
    /// A sequence; no count if it is not fixed.
    Array {
        /// What it holds.
        element: Option<TypeId>,
        /// How many.
        count: Option<u64>,
    },
    /// A `struct`.
    Struct(Vec<Field>),
    /// A C++ `class`.
    Class(Vec<Field>),
    /// A `union`.
    Union(Vec<Field>),
    /// An `enum`, with the type of its values.
    Enum {
        /// The type of its values.
        underlying: Option<TypeId>,
        /// The names of its values, in order.
        enumerators: Vec<Enumerator>,
    },
    /// One of several structures, as Rust's `enum`s with contents are.
    Variants {
        /// The bits that tell which one it is, if any do.
        tag: Option<Field>,
        /// The structures.
        variants: Vec<Variant>,
    },
    /// A function, not its address.
    Function {
        /// What it returns; none is `void`.
        returns: Option<TypeId>,
        /// What it takes, in order.
        parameters: Vec<TypeId>,
        /// Whether more arguments may follow.
        variadic: bool,
    },
    /// Another name for a type; none is `void`.
    Named(TypeId),
    /// The type with `const`, `volatile` or the like.
    Qualified(TypeId),
    /// Something else.
    Other,
}

impl Shape {
    /// Whether values of the type can be negative numbers, if they are numbers.
    pub fn signed(&self) -> Option<bool> {
        match self {
            Self::Integer { signed } | Self::Character { signed } => Some(*signed),
            Self::Bool => Some(false),
            Self::Float => Some(true),
            Self::Pointer(_)
            | Self::Reference(_)
            | Self::Array { .. }
            | Self::Struct(_)
            | Self::Class(_)
            | Self::Union(_)
            | Self::Enum { .. }
            | Self::Variants { .. }
            | Self::Function { .. }
            | Self::Named(_)
            | Self::Qualified(_)
            | Self::Other => None,
        }
    }
}

/// A member of a structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The name; empty if it has none.
    pub name: String,
    /// The type, if known.
    pub debug_type: Option<TypeId>,
    /// Bits from the structure's start.
    pub offset: u64,
    /// Bits it takes.
    pub bits: u64,
    /// Whether it is a bit-field.
    pub bit_field: bool,
    /// Whether it is a base class.
    pub base_class: bool,
    /// Whether it is a base class that others share, so that its offset is not known here.
    pub virtual_base: bool,
}

/// One of the structures that a value may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant {
    /// The structure; its name is the variant's.
    pub field: Field,
    /// What the bits that tell which one it is are then; none is anything else.
    pub tag: Option<i64>,
}

/// A name of an enumeration's value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enumerator {
    /// The name.
    pub name: String,
    /// The value, as its decimal text says.
    pub value: i128,
}
