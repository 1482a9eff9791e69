//! The external functions of a model, declared to the oracle that runs them.

use crate::command;
use crate::model::{Function, Location, Model, Run};
use mixed::oracle::{Failure, Implementation, Oracle, Parameter, Signature};
use std::path::PathBuf;
use term::Store;

/// A function that cannot be declared as its binding says.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{failure}")]
pub struct BindingError<'m> {
    /// The function.
    pub function: &'m Function,
    /// The binding in the model.
    pub location: Location,
    /// What is wrong with it.
    pub failure: Box<Failure>,
}

/// The name that terms and tables use for a function: its symbol where it has one.
fn known_as(function: &Function) -> &str {
    match &function.run {
        Run::Native { symbol, .. } => symbol,
        Run::Table | Run::Command(_) => &function.name,
    }
}

/// The function as terms apply it.
pub(crate) fn symbol(store: &mut Store, function: &Function) -> term::Function {
    let leaves = function.parameters.iter().flat_map(|(_, ty)| ty.leaves());
    let parameters = leaves.map(|leaf| leaf.sort()).collect();
    store.function(term::Signature {
        name: known_as(function).to_owned(),
        parameters,
        result: function.result.sort(),
    })
}

/// The function as the oracle knows it: arrays and records are passed element by
/// element.
fn signature(function: &Function) -> Signature {
    let parameters = function.parameters.iter().flat_map(|(name, ty)| {
        let names = ty.leaf_names(name).into_iter();
        names.zip(ty.leaves()).map(|(name, leaf)| Parameter {
            name,
            kind: leaf.external(),
        })
    });
    Signature {
        name: known_as(function).to_owned(),
        parameters: parameters.collect(),
        result: function.result.external(),
    }
}

/// The libraries that the model's functions are in, as the model names them, each
/// with the first function that is there.
pub fn libraries(model: &Model) -> Vec<(&str, &Function)> {
    let mut found: Vec<(&str, &Function)> = Vec::new();
    for function in &model.functions {
        if let Run::Native {
            library: Some(library),
            ..
        } = &function.run
            && !found.iter().any(|(known, _)| known == library)
        {
            found.push((library, function));
        }
    }
    found
}

/// Makes the functions of a model known to an oracle that has loaded the
/// libraries. The model is in the first of the folders: its files and commands are
/// searched for there, commands that are bare names in the others too. Gives the
/// functions that cannot be declared.
pub fn declare<'m>(
    model: &'m Model,
    folders: &[PathBuf],
    oracle: &mut Oracle<'_>,
) -> Vec<BindingError<'m>> {
    let functions = model.functions.iter();
    functions
        .filter_map(|function| declare_one(function, folders, oracle).err())
        .collect()
}

fn declare_one<'m>(
    function: &'m Function,
    folders: &[PathBuf],
    oracle: &mut Oracle<'_>,
) -> Result<(), BindingError<'m>> {
    let at = |location: Location| {
        move |failure: Failure| BindingError {
            function,
            location,
            failure: Box::new(failure),
        }
    };
    let refused = |reason: String| Failure::Refused {
        call: function.name.clone(),
        reason,
    };
    let implementation = match &function.run {
        Run::Native { .. } => Implementation::Native,
        Run::Table => Implementation::Table,
        Run::Command(line) => command::implementation(function, line, folders)
            .map_err(|error| at(function.run_location)(refused(error.to_string())))?,
    };
    let declared = oracle.declare(signature(function), implementation);
    declared.map_err(at(function.run_location))?;
    for (file, location) in &function.files {
        let loaded = oracle.load_table_of(known_as(function), &folders[0].join(file));
        loaded.map_err(|error| at(*location)(Failure::Table(error)))?;
    }
    for (arguments, result) in &function.rows {
        let observed = oracle.observe(known_as(function), arguments.clone(), result.clone());
        observed.map_err(|error| {
            at(function.location)(refused(format!("the table in the model: {error}")))
        })?;
    }
    Ok(())
}

/// How many rows the tables of the model's functions have, by name.
pub fn rows(model: &Model, oracle: &Oracle<'_>) -> Vec<(String, usize)> {
    let count = |function: &Function| oracle.table(known_as(function)).map_or(0, |t| t.len());
    let functions = model.functions.iter();
    functions
        .map(|function| (function.name.clone(), count(function)))
        .collect()
}

/// The table of a function as CSV.
pub fn table_text(function: &Function, oracle: &Oracle<'_>) -> String {
    let table = oracle.table(known_as(function));
    table.map(|table| table.to_csv()).unwrap_or_default()
}
