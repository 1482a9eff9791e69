//! The functions that a pointer of an object may lead to: those the program has of the
//! pointer's type.
//!
//! The program's own functions tell their types as the source writes them. Functions of a
//! library (`malloc` in a table of allocators) have no debug information here; they count
//! where the program takes their address, and their parameters are of the same kinds.

use machine::runtime::is_library;
use program::{Base, Constant, Function, FunctionId, Kind, Program, Shape, TypeId};
use rustc_hash::FxHashSet;

/// The functions that a pointer of the type that is written so may lead to.
pub(crate) fn functions_of_type(program: &Program, written: &str) -> Vec<FunctionId> {
    let mut found = own_functions_of_type(program, written);
    if let Some(prototype) = Prototype::read(program, written) {
        let taken = taken_addresses(program).into_iter();
        let others = taken.filter(|&id| {
            !is_own(program, id) && prototype.fits(program, &program.functions[id.index()])
        });
        found.extend(others);
    }
    found.sort_unstable();
    found
}

/// Those of them that the user wrote. A callback that a method takes is one of these: what
/// a library's function would do with a value that is only passed on is nobody's error.
pub(crate) fn own_functions_of_type(program: &Program, written: &str) -> Vec<FunctionId> {
    let fits = |id: &FunctionId| {
        let function = &program.functions[id.index()];
        function.name != "main"
            && is_own(program, *id)
            && written_type(program, function) == written
    };
    ids(program).filter(fits).collect()
}

fn ids(program: &Program) -> impl Iterator<Item = FunctionId> {
    (0..program.functions.len()).map(FunctionId::from_index)
}

/// Whether the user wrote a function.
fn is_own(program: &Program, id: FunctionId) -> bool {
    let function = &program.functions[id.index()];
    let source = function.source.map(|id| program.source.function(id));
    let file = source.and_then(|source| source.file);
    function.body.is_some() && file.is_some_and(|id| !is_library(&program.source.file(id).path))
}

/// The functions whose address the user's code takes, or that stands in a variable.
fn taken_addresses(program: &Program) -> FxHashSet<FunctionId> {
    let own = ids(program).filter(|&id| is_own(program, id));
    let bodies = own.filter_map(|id| program.functions[id.index()].body.as_ref());
    let in_code = bodies.flat_map(|body| &body.constants);
    let initializers = program
        .globals
        .iter()
        .filter_map(|it| it.initializer.as_ref());
    let in_data = initializers.flat_map(|it| it.relocations.iter().map(|it| &it.value));
    let functions = in_code
        .chain(in_data)
        .filter_map(|constant| match constant {
            Constant::Address(address) => match address.base {
                Base::Function(id) => Some(id),
                Base::Global(_) | Base::Block(..) => None,
            },
            _ => None,
        });
    functions.collect()
}

/// The type of a pointer to a function, as C writes it.
fn written_type(program: &Program, function: &Function) -> String {
    let source = &program.source;
    let name = |id: Option<TypeId>| id.map_or("void", |id| &source.debug_type(id).name);
    let Some(own) = function.source.map(|id| source.function(id)) else {
        return String::new();
    };
    let taken = own.parameters.iter().map(|it| name(it.debug_type));
    let taken: Vec<&str> = taken.collect();
    format!("{} (*)({})", name(own.returns), taken.join(", "))
}

/// What the code of a function of some type takes and returns.
struct Prototype {
    parameters: Vec<Kind>,
    results: Vec<Kind>,
}

impl Prototype {
    /// Reads `void *(*)(size_t)`; nothing if some of it is no number and no pointer.
    fn read(program: &Program, written: &str) -> Option<Prototype> {
        let (returns, rest) = written.split_once("(*)(")?;
        let parameters = rest.strip_suffix(')')?;
        // Parameters that are pointers to functions have commas of their own.
        if parameters.contains('(') || returns.contains('(') {
            return None;
        }
        let kind = |text: &str| kind_of(program, text.trim());
        let parameters = match parameters {
            "" | "void" => Vec::new(),
            some => some.split(',').map(kind).collect::<Option<_>>()?,
        };
        let results = match returns.trim() {
            "void" => Vec::new(),
            some => vec![kind(some)?],
        };
        Some(Prototype {
            parameters,
            results,
        })
    }

    fn fits(&self, program: &Program, function: &Function) -> bool {
        let signature = &program.signatures[function.signature.index()];
        let parameters = signature.parameters.iter().map(|it| it.kind);
        parameters.eq(self.parameters.iter().copied()) && signature.results == self.results
    }
}

/// How the code holds a value of the type of this name.
fn kind_of(program: &Program, name: &str) -> Option<Kind> {
    if name.ends_with('*') {
        return Some(Kind::Ptr);
    }
    let source = &program.source;
    let Some(at) = source.types.iter().position(|it| it.name == name) else {
        return basic_kind(name);
    };
    let own = source.debug_type(source.resolved(TypeId::from_index(at)));
    match own.shape {
        Shape::Pointer(_) => Some(Kind::Ptr),
        Shape::Integer { .. } | Shape::Character { .. } | Shape::Enum { .. } => {
            Some(Kind::Int(own.bits as u16))
        }
        _ => None,
    }
}

/// The same of the types that C has by itself, which a program need not use elsewhere.
fn basic_kind(name: &str) -> Option<Kind> {
    match name {
        "char" | "signed char" | "unsigned char" => Some(Kind::Int(8)),
        "short" | "unsigned short" => Some(Kind::Int(16)),
        "int" | "unsigned int" => Some(Kind::Int(32)),
        "long" | "unsigned long" | "long long" | "unsigned long long" | "size_t" => {
            Some(Kind::Int(64))
        }
        _ => None,
    }
}
