//! A function as the program under test: a driver that makes its arguments from what debug
//! information says of their types, and calls it.
//!
//! The driver is LLVM text that is linked with the program, in the machine as natively, so
//! that tests of a function replay like those of a `main`. It marks each object that it
//! makes as an input. Where a pointer in an object leads is part of the input: 0 is null,
//! and 1, 2, … are the objects of its type. The driver does not branch on it; it stores an
//! address that depends on it, which the machine decides when the pointer is used (lazy
//! initialisation, Khurshid, Păsăreanu and Visser 2003), so that pointers that nobody
//! follows cost no paths.

mod objects;
mod passing;
mod text;

use objects::Objects;
use program::{DriverWriter, Function, FunctionId, Program};
use std::rc::Rc;
use suite::{ArgumentBounds, FunctionTarget};

/// Why a function cannot be called by a driver.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TargetError {
    /// The program does not define it.
    #[error("there is no function `{0}` in the program")]
    NoFunction(String),
    /// Debug information does not say what its pointers lead to.
    #[error("`{0}` has no debug information, which says what its pointers lead to")]
    NoDebugInformation(String),
    /// A parameter is passed in a way that a driver does not know.
    #[error("`{function}` takes `{parameter}` in a way that a driver cannot pass it")]
    NotPassed {
        /// The function.
        function: String,
        /// The parameter.
        parameter: String,
    },
    /// It takes any number of arguments.
    #[error("`{0}` takes any number of arguments")]
    Variadic(String),
}

/// The name of the driver that calls a function.
pub fn driver_name(function: &str) -> String {
    format!("__everypath_call.{function}")
}

/// The function that a person means: by its name for the linker, or else by its name in the
/// source.
///
/// # Errors
///
/// When there is none.
pub fn find(program: &Program, name: &str) -> Result<FunctionId, TargetError> {
    let has_body = |id: &FunctionId| program.functions[id.index()].body.is_some();
    let by_source = || {
        let mut functions = program.functions.iter();
        let found = functions.position(|function| {
            let source = function.source.map(|id| program.source.function(id));
            function.body.is_some() && source.is_some_and(|source| source.name == name)
        });
        found.map(|index| FunctionId(index as u32))
    };
    let found = program.function(name).filter(has_body).or_else(by_source);
    found.ok_or_else(|| TargetError::NoFunction(name.to_owned()))
}

/// What writes the driver of one function.
pub fn for_function(target: &FunctionTarget) -> DriverWriter {
    let target = target.clone();
    DriverWriter(Rc::new(move |program| {
        let driver = driver(program, &target).map_err(|error| error.to_string())?;
        Ok(vec![driver.text])
    }))
}

/// What writes a driver for each of the program's own functions that can have one.
pub fn for_every_function(bounds: &ArgumentBounds) -> DriverWriter {
    let bounds = *bounds;
    DriverWriter(Rc::new(move |program| {
        let targets = own_functions(program).map(|function| FunctionTarget {
            name: function.name.clone(),
            bounds,
        });
        let drivers = targets.filter_map(|target| driver(program, &target).ok());
        Ok(drivers.map(|driver| driver.text).collect())
    }))
}

/// The functions that the program's own files define, in their order, without `main`.
pub fn own_functions(program: &Program) -> impl Iterator<Item = &Function> {
    program.functions.iter().filter(|function| {
        let source = function.source.map(|id| program.source.function(id));
        let file = source.and_then(|source| source.file);
        let is_own =
            file.is_some_and(|id| !machine::runtime::is_library(&program.source.file(id).path));
        is_own && function.body.is_some() && function.name != "main"
    })
}

/// A driver, and what to tell the user of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driver {
    /// LLVM text that defines the function of [`driver_name`].
    pub text: String,
    /// What is left out of the arguments.
    pub notes: Vec<String>,
}

/// Writes the driver of a function.
///
/// # Errors
///
/// When its arguments cannot be made; see [`TargetError`].
pub fn driver(program: &Program, target: &FunctionTarget) -> Result<Driver, TargetError> {
    let id = find(program, &target.name)?;
    let function = &program.functions[id.index()];
    let mut objects = Objects::new(&program.source, target.bounds);
    let passed = passing::arguments(program, function, &mut objects)?;
    let signature = &program.signatures[function.signature.index()];
    let name = driver_name(&target.name);
    let (code, mut notes) = objects.finish();
    notes.sort();
    notes.dedup();
    Ok(Driver {
        text: code.module(program, &name, &function.name, &signature.results, &passed),
        notes,
    })
}
