//! What a method is called with, by its types and by the registers that they come in.

use super::containers::{is_string, slice};
use super::describe::pointed_structure;
use super::functions::own_functions_of_type;
use super::naming::type_name;
use super::plain::{is_plain, plain_choice};
use super::{Staging, shown_name};
use program::{FunctionId, Kind, Passing, Program, Shape, TypeId};
use staged::Bounds;

/// One parameter of a method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parameter {
    /// A pointer to an object of this type.
    Object(String),
    /// A pointer to a structure of this type and of so many bytes that has no pointers: to an
    /// object if there is a suite of them, and else to memory.
    Plain(String, u64),
    /// A number.
    Number,
    /// A pointer to memory of so many bytes.
    Memory(u64),
    /// A pointer to a text.
    Text,
    /// A `std::string`, or a pointer to one.
    String,
    /// The pointer of a slice whose elements take so many bytes.
    Slice {
        /// Bytes of an element.
        element: u64,
        /// Whether it is UTF-8.
        is_text: bool,
    },
    /// How many elements the slice before it has.
    Count,
    /// A register of several that a structure comes in.
    Part {
        /// Bytes of the structure.
        size: u64,
        /// The byte of it that the register begins with.
        at: u64,
    },
    /// A pointer to nobody knows what.
    Token,
    /// A pointer to a pointer, which is null.
    Place,
    /// A pointer to a pointer to nobody knows what.
    TokenPlace,
    /// A pointer to one of these functions.
    Function(Vec<FunctionId>),
    /// A structure of so many bytes, in memory.
    Copy(u64),
    /// Where a result of so many bytes goes.
    Result(u64),
}

impl Parameter {
    /// Whether it begins a parameter of the source, which may take more registers than one.
    pub fn is_first(&self) -> bool {
        match self {
            Parameter::Result(_) | Parameter::Count => false,
            Parameter::Part { at, .. } => *at == 0,
            _ => true,
        }
    }
}

/// The parameters of a function, a register each.
///
/// # Errors
///
/// When a parameter cannot be made, or the debug information does not tell.
pub fn parameters_of(
    program: &Program,
    function: FunctionId,
) -> Result<Vec<Parameter>, ParameterError> {
    let name = &shown_name(program, function).to_owned();
    let function = &program.functions[function.index()];
    let parameters = &program.signatures[function.signature.index()].parameters;
    let source = function.source.map(|id| program.source.function(id));
    let own = source.map_or(&[][..], |source| &source.parameters);
    // The place for a result is none of the source's parameters.
    let is_result = |passing: &Passing| matches!(passing, Passing::StructReturn { .. });
    let results = parameters
        .iter()
        .filter(|it| is_result(&it.passing))
        .count();
    let has_pointers = parameters.iter().any(|it| it.kind == Kind::Ptr);
    if has_pointers && own.is_empty() && results < parameters.len() {
        return Err(ParameterError::NoDebugInformation(name.clone()));
    }
    let in_pieces = has_pointers && own.len() + results != parameters.len();
    let mut told = own.iter();
    let mut found = Vec::new();
    let mut rest = &parameters[..];
    while let [parameter, later @ ..] = rest {
        if let Passing::StructReturn { size } = parameter.passing {
            found.push(Parameter::Result(size));
            rest = later;
            continue;
        }
        let own = told.next();
        let id = own.and_then(|own| own.debug_type);
        if in_pieces && own.is_none() {
            return Err(ParameterError::InPieces(name.clone()));
        }
        if let Some(id) = id.filter(|_| in_pieces)
            && let Some(pieces) = pieces(program, id, rest)
        {
            let is_made = is_plain(program, id) || plain_choice(program, id).is_some();
            if matches!(pieces[0], Parameter::Part { .. }) && !is_made {
                return Err(ParameterError::StructByValue(name.clone()));
            }
            found.extend(pieces);
            rest = &rest[2..];
            continue;
        }
        rest = later;
        found.push(match (parameter.kind, &parameter.passing) {
            (Kind::Ptr, Passing::ByValue { size, .. }) => {
                if !id.is_some_and(|id| is_plain(program, id)) {
                    return Err(ParameterError::StructByValue(name.clone()));
                }
                Parameter::Copy(*size)
            }
            (Kind::Ptr, _) => {
                let pointer = id.and_then(|id| pointer(program, id));
                pointer.ok_or_else(|| ParameterError::NotMade {
                    function: name.clone(),
                    parameter: own.map(|own| own.name.clone()).unwrap_or_default(),
                })?
            }
            _ => Parameter::Number,
        });
    }
    match in_pieces && told.next().is_some() {
        true => Err(ParameterError::InPieces(name.clone())),
        false => Ok(found),
    }
}

/// The same where there are suites for objects of these types only.
///
/// # Errors
///
/// When a parameter cannot be made, or the debug information does not tell.
pub fn parameters_with(
    program: &Program,
    function: FunctionId,
    types: &[&str],
) -> Result<Vec<Parameter>, ParameterError> {
    let all = parameters_of(program, function)?.into_iter();
    let known = all.map(|parameter| match parameter {
        Parameter::Plain(name, _) if types.contains(&&*name) => Parameter::Object(name),
        Parameter::Plain(_, size) => Parameter::Memory(size),
        other => other,
    });
    Ok(known.collect())
}

impl Staging {
    /// The parameters of the method, with what pointers to nobody knows what lead to as the
    /// bounds say: `--type 'find.key=int*'`, or `*.key` in each method.
    ///
    /// # Errors
    ///
    /// When a parameter cannot be made, or the debug information does not tell.
    pub fn parameters(
        &self,
        program: &Program,
        method: FunctionId,
    ) -> Result<Vec<Parameter>, ParameterError> {
        let mut all = parameters_with(program, method, &self.types())?;
        for number in 0..all.len() {
            if all[number] != Parameter::Token {
                continue;
            }
            let position = source_position(&all, number);
            if let Some(size) = self.pointed_size(program, method, position) {
                all[number] = Parameter::Memory(size);
            }
        }
        Ok(all)
    }

    /// The bytes of what a parameter leads to whose type does not tell, if the bounds do.
    fn pointed_size(&self, program: &Program, method: FunctionId, position: usize) -> Option<u64> {
        let source = &program.source;
        let own = source.function(program.functions[method.index()].source?);
        let name = &own.parameters.get(position)?.name;
        let mut all = self.arguments.iter().map(|it| &it.bounds);
        let said = all.find_map(|bounds| {
            let said = bounds.pointee(plain_name(&own.name), name);
            said.or_else(|| bounds.pointee(EACH_METHOD, name))
        })?;
        plain_size(program, said)
    }
}

/// What stands for each method where a bound is for a parameter.
const EACH_METHOD: &str = "*";

/// The bytes of a number, or of a structure without pointers, by its name.
fn plain_size(program: &Program, name: &str) -> Option<u64> {
    let source = &program.source;
    let mut ids = (0..source.types.len()).map(TypeId::from_index);
    let id = ids.find(|&id| type_name(source, id).is_some_and(|it| it == name))?;
    let it = source.debug_type(source.resolved(id));
    let is_number = matches!(
        it.shape,
        Shape::Bool
            | Shape::Integer { .. }
            | Shape::Character { .. }
            | Shape::Float
            | Shape::Enum { .. }
    );
    (is_number || is_plain(program, id)).then_some(it.bits.div_ceil(8))
}

/// Whether a bound is for a parameter of some method that points to nobody knows what, and what
/// it is said to lead to can be made.
pub(super) fn is_parameter(program: &Program, bounds: &Bounds, owner: &str, name: &str) -> bool {
    let is_known = || {
        let said = bounds.pointee(owner, name);
        said.is_some_and(|said| plain_size(program, said).is_some())
    };
    let source = &program.source;
    let mut functions = program.functions.iter().filter_map(|it| it.source);
    functions.any(|id| {
        let function = source.function(id);
        let is_owner = owner == EACH_METHOD || plain_name(&function.name) == owner;
        let mut own = function.parameters.iter();
        is_owner && own.any(|it| it.name == name)
    }) && is_known()
}

/// A function's name in the source without what it was made for, as a generic one of Rust is
/// called.
pub fn plain_name(name: &str) -> &str {
    match name.split_once('<') {
        Some((own, _)) if name.ends_with('>') && !own.is_empty() && own != "operator" => own,
        _ => name,
    }
}

/// The two registers that something comes in, if it does in two: a slice of Rust, or a structure
/// that is larger than a register.
fn pieces(
    program: &Program,
    id: TypeId,
    registers: &[program::Parameter],
) -> Option<[Parameter; 2]> {
    let source = &program.source;
    let [first, second, ..] = registers else {
        return None;
    };
    if let (Kind::Ptr, Kind::Int(64)) = (first.kind, second.kind)
        && let Some((element, is_text)) = slice(source, id)
    {
        return Some([Parameter::Slice { element, is_text }, Parameter::Count]);
    }
    let it = source.debug_type(source.resolved(id));
    let is_structure = matches!(it.shape, Shape::Struct(_) | Shape::Class(_));
    let is_choice = matches!(it.shape, Shape::Variants { .. });
    let is_number = |it: &program::Parameter| it.kind != Kind::Ptr && it.kind.bits() <= 64;
    if !is_number(first) || !is_number(second) {
        return None;
    }
    let bits = u64::from(first.kind.bits());
    let halves = bits == u64::from(second.kind.bits()) && it.bits == 2 * bits;
    let at = match it.bits {
        // Rust takes both halves of anything.
        _ if halves && (is_structure || is_choice) => bits / 8,
        65..=128 if is_structure => 8,
        _ => return None,
    };
    let size = it.bits / 8;
    Some([0, at].map(|at| Parameter::Part { size, at }))
}

/// Whether functions of two programs are called and return in the same way.
///
/// # Errors
///
/// When a parameter cannot be made, or the debug information does not tell.
pub fn are_alike(
    (one, function): (&Program, FunctionId),
    (other, counterpart): (&Program, FunctionId),
) -> Result<bool, ParameterError> {
    let results = |program: &Program, id: FunctionId| {
        let signature = program.functions[id.index()].signature;
        program.signatures[signature.index()].results.clone()
    };
    let taken = |program: &Program, id: FunctionId| {
        let signature = program.functions[id.index()].signature;
        let parameters = &program.signatures[signature.index()].parameters;
        let kinds = parameters.iter().map(|it| it.kind);
        let made = parameters_of(program, id)?.into_iter().map(|it| match it {
            // Which functions there are is no matter of the type.
            Parameter::Function(_) => Parameter::Function(Vec::new()),
            other => other,
        });
        Ok::<Vec<(Kind, Parameter)>, ParameterError>(kinds.zip(made).collect())
    };
    Ok(results(one, function) == results(other, counterpart)
        && taken(one, function)? == taken(other, counterpart)?)
}

/// The pointers to structures among a function's parameters: position and the
/// structure's name.
///
/// # Errors
///
/// When a parameter cannot be made, or the debug information does not tell.
pub fn staged_parameters(
    program: &Program,
    function: FunctionId,
) -> Result<Vec<(usize, String)>, ParameterError> {
    let all = parameters_of(program, function)?.into_iter().enumerate();
    let objects = all.filter_map(|(number, parameter)| match parameter {
        Parameter::Object(name) | Parameter::Plain(name, _) => Some((number, name)),
        _ => None,
    });
    Ok(objects.collect())
}

/// Which of the source's parameters a register belongs to.
pub fn source_position(parameters: &[Parameter], register: usize) -> usize {
    let earlier = parameters[..register].iter();
    earlier.filter(|it| it.is_first()).count()
}

/// The texts among a function's parameters, by their numbers.
///
/// # Errors
///
/// When a parameter cannot be made, or the debug information does not tell.
pub fn text_parameters(
    program: &Program,
    function: FunctionId,
) -> Result<Vec<usize>, ParameterError> {
    let all = parameters_of(program, function)?.into_iter().enumerate();
    let texts = all.filter(|(_, parameter)| *parameter == Parameter::Text);
    Ok(texts.map(|(number, _)| number).collect())
}

/// Whether a function takes a pointer to a structure, whatever else it takes.
pub fn takes(program: &Program, function: FunctionId, structure: &str) -> bool {
    let source = program.functions[function.index()].source;
    let own = source.map(|id| &program.source.function(id).parameters);
    let mut types = own.into_iter().flatten().filter_map(|it| it.debug_type);
    types.any(|id| pointed_structure(&program.source, id).is_some_and(|it| it == structure))
}

/// What a pointer of this type is given.
fn pointer(program: &Program, id: TypeId) -> Option<Parameter> {
    let source = &program.source;
    let own = source.debug_type(source.resolved(id));
    let (Shape::Pointer(to) | Shape::Reference(to)) = own.shape else {
        // What cannot be copied byte by byte is passed by its address.
        return is_string(source, id).then_some(Parameter::String);
    };
    if to.is_some_and(|to| is_string(source, to)) {
        return Some(Parameter::String);
    }
    if let Some(structure) = pointed_structure(source, id) {
        let size = to.map_or(0, |to| source.debug_type(source.resolved(to)).bits / 8);
        let is_plain = size > 0 && to.is_some_and(|to| is_plain(program, to));
        return Some(match is_plain {
            true => Parameter::Plain(structure, size),
            false => Parameter::Object(structure),
        });
    }
    let Some(to) = to else {
        return Some(Parameter::Token);
    };
    let pointed = to;
    let to = source.debug_type(source.resolved(to));
    match to.shape {
        Shape::Character { .. } if to.name == "char" => Some(Parameter::Text),
        Shape::Bool
        | Shape::Integer { .. }
        | Shape::Character { .. }
        | Shape::Float
        | Shape::Enum { .. } => Some(Parameter::Memory(to.bits.div_ceil(8))),
        Shape::Pointer(None) => Some(Parameter::TokenPlace),
        Shape::Pointer(Some(_)) => Some(Parameter::Place),
        Shape::Function { .. } => {
            let functions = own_functions_of_type(program, pointed);
            (!functions.is_empty()).then_some(Parameter::Function(functions))
        }
        // `const void` and what else nobody describes.
        Shape::Other => Some(Parameter::Token),
        _ => None,
    }
}

/// Why the pointers of a function cannot be given.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParameterError {
    /// An object with pointers is copied into the call.
    #[error("`{0}` takes a structure with pointers by value")]
    StructByValue(String),
    /// There are other parameters in the code than in the source.
    #[error("`{0}` takes or returns a structure by value, or a slice")]
    InPieces(String),
    /// Nothing tells where the pointers lead.
    #[error("the debug information does not tell the parameters of `{0}`; compile it with -g")]
    NoDebugInformation(String),
    /// A pointer leads to something that is not made.
    #[error("what the parameter `{parameter}` of `{function}` points to cannot be made")]
    NotMade {
        /// The function.
        function: String,
        /// Its parameter.
        parameter: String,
    },
}
