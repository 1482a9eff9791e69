//! The functions that a pointer of an object may lead to: those the program has of the
//! pointer's type.
//!
//! The program's own functions tell their types as the source has them. Functions of a
//! library (`malloc` in a table of allocators) have no debug information here; they count
//! where the program takes their address, and their parameters are of the same kinds.

use machine::runtime::is_library;
use program::{Base, Constant, Function, FunctionId, Kind, Program, Shape, Source, TypeId};
use rustc_hash::FxHashSet;

/// The functions that a pointer to this type of functions may lead to.
pub(crate) fn functions_of_type(program: &Program, of_type: TypeId) -> Vec<FunctionId> {
    let mut found = own_functions_of_type(program, of_type);
    if let Some(prototype) = Prototype::read(&program.source, of_type) {
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
pub(crate) fn own_functions_of_type(program: &Program, of_type: TypeId) -> Vec<FunctionId> {
    let fits = |id: &FunctionId| {
        let function = &program.functions[id.index()];
        function.name != "main" && is_own(program, *id) && is_of_type(program, function, of_type)
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

/// Whether a function is of this type, whatever names its parts go by.
fn is_of_type(program: &Program, function: &Function, of_type: TypeId) -> bool {
    let source = &program.source;
    let Some(own) = function.source.map(|id| source.function(id)) else {
        return false;
    };
    let Shape::Function {
        returns,
        parameters,
        variadic,
    } = &source.debug_type(source.resolved(of_type)).shape
    else {
        return false;
    };
    let signature = &program.signatures[function.signature.index()];
    let taken = own.parameters.iter().map(|it| it.debug_type);
    let taken: Option<Vec<TypeId>> = taken.collect();
    signature.variadic == *variadic
        && are_same(source, own.returns, *returns)
        && taken.is_some_and(|taken| are_all_same(source, &taken, parameters))
}

fn are_all_same(source: &Source, ones: &[TypeId], others: &[TypeId]) -> bool {
    let mut pairs = ones.iter().zip(others);
    ones.len() == others.len()
        && pairs.all(|(&one, &other)| {
            // A parameter is a copy, so that it does not matter whether it may change.
            let unqualified = |id| source.resolved(id);
            are_same(source, Some(unqualified(one)), Some(unqualified(other)))
        })
}

/// Whether two types are the same one below the names that the program gives them. Several
/// files may describe it.
fn are_same(source: &Source, one: Option<TypeId>, other: Option<TypeId>) -> bool {
    let (Some(one), Some(other)) = (one, other) else {
        return one == other;
    };
    if one == other {
        return true;
    }
    if qualifiers(source, one) != qualifiers(source, other) {
        return false;
    }
    let names = [one, other].map(|id| own_name(source, id));
    let one = source.debug_type(source.resolved(one));
    let other = source.debug_type(source.resolved(other));
    match (&one.shape, &other.shape) {
        (Shape::Pointer(to), Shape::Pointer(other_to))
        | (Shape::Reference(to), Shape::Reference(other_to)) => {
            reference(&one.name) == reference(&other.name) && are_same(source, *to, *other_to)
        }
        (
            Shape::Array { element, count },
            Shape::Array {
                element: other_element,
                count: other_count,
            },
        ) => count == other_count && are_same(source, *element, *other_element),
        (
            Shape::Function {
                returns,
                parameters,
                variadic,
            },
            Shape::Function {
                returns: other_returns,
                parameters: other_parameters,
                variadic: other_variadic,
            },
        ) => {
            variadic == other_variadic
                && are_same(source, *returns, *other_returns)
                && are_all_same(source, parameters, other_parameters)
        }
        _ => names[0] == names[1] && one.bits == other.bits,
    }
}

/// The name of a type below other names and qualifiers; of one that has none, the last of these.
fn own_name(source: &Source, id: TypeId) -> &str {
    let mut alias = None;
    let mut id = id;
    loop {
        let it = source.debug_type(id);
        match it.shape {
            Shape::Named(inner) => {
                alias = Some(&*it.name);
                id = inner;
            }
            Shape::Qualified(inner) => id = inner,
            _ if it.name.contains("(anonymous)") => return alias.unwrap_or(&it.name),
            _ => return &it.name,
        }
    }
}

/// Whether a type is `const`, and whether it is `volatile`.
fn qualifiers(source: &Source, id: TypeId) -> [bool; 2] {
    let mut found = [false; 2];
    let mut id = id;
    loop {
        let it = source.debug_type(id);
        match it.shape {
            Shape::Named(inner) => id = inner,
            Shape::Qualified(inner) => {
                // Of a pointer it stands behind the star, and else before the rest.
                let behind = it.name.rfind('*').map_or(0, |star| star + 1);
                let mut words = it.name[behind..].split(' ');
                match words.next() {
                    Some("const") => found[0] = true,
                    Some("volatile") => found[1] = true,
                    _ => {}
                }
                id = inner;
            }
            _ => return found,
        }
    }
}

/// How Rust writes what kind of pointer it is; C and C++ write none of these.
fn reference(name: &str) -> &str {
    let kinds = ["&mut ", "&", "*const ", "*mut ", "alloc::boxed::Box<"];
    let found = kinds.into_iter().find(|kind| name.starts_with(kind));
    found.unwrap_or_default()
}

/// What the code of a function of some type takes and returns.
struct Prototype {
    parameters: Vec<Kind>,
    results: Vec<Kind>,
}

impl Prototype {
    /// That of a type; nothing if some of it is no number and no pointer.
    fn read(source: &Source, of_type: TypeId) -> Option<Prototype> {
        let Shape::Function {
            returns,
            parameters,
            variadic: false,
        } = &source.debug_type(source.resolved(of_type)).shape
        else {
            return None;
        };
        let kind = |id: &TypeId| kind_of(source, *id);
        Some(Prototype {
            parameters: parameters.iter().map(kind).collect::<Option<_>>()?,
            results: returns.iter().map(kind).collect::<Option<_>>()?,
        })
    }

    fn fits(&self, program: &Program, function: &Function) -> bool {
        let signature = &program.signatures[function.signature.index()];
        let parameters = signature.parameters.iter().map(|it| it.kind);
        !signature.variadic
            && parameters.eq(self.parameters.iter().copied())
            && signature.results == self.results
    }
}

/// How the code holds a value of a type.
fn kind_of(source: &Source, id: TypeId) -> Option<Kind> {
    let it = source.debug_type(source.resolved(id));
    match it.shape {
        Shape::Pointer(_) | Shape::Reference(_) => Some(Kind::Ptr),
        Shape::Integer { .. } | Shape::Character { .. } | Shape::Enum { .. } => {
            Some(Kind::Int(it.bits as u16))
        }
        _ => None,
    }
}
