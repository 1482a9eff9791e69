//! The external functions of a model, declared to the oracle that runs them.

use crate::command;
use crate::lower::{Lowering, NESTED};
use crate::model::{Definition, Function, Location, Model, Run};
use crate::types::Type;
use mixed::oracle::{Failure, Implementation, Oracle, Parameter, Signature};
use std::path::PathBuf;
use std::rc::Rc;
use term::{Assignment, Evaluator, Store, Value};

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

/// The name that terms use for a recursive function of the model; none that a function of a
/// library could have.
fn computed_as(definition: &Definition) -> String {
    format!("{}'", definition.name)
}

/// A recursive function of the model as terms apply it where its recursion is not unfolded.
pub(crate) fn definition_symbol(store: &mut Store, definition: &Definition) -> term::Function {
    let leaves = definition.parameters.iter().flat_map(Type::leaves);
    store.function(term::Signature {
        name: computed_as(definition),
        parameters: leaves.map(|leaf| leaf.sort()).collect(),
        result: definition.body.ty.sort(),
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
    declare_recursive(model, oracle);
    let functions = model.functions.iter();
    functions
        .filter_map(|function| declare_one(function, folders, oracle).err())
        .collect()
}

/// Makes it known how functions that apply themselves are computed.
fn declare_recursive(model: &Model, oracle: &mut Oracle<'_>) {
    let definitions = Rc::new(model.only_definitions());
    for (number, definition) in model.definitions.iter().enumerate() {
        if !definition.is_recursive {
            continue;
        }
        let leaves = definition.parameters.iter().flat_map(Type::leaves);
        let parameters = leaves.enumerate().map(|(number, leaf)| Parameter {
            name: format!("x{}", number + 1),
            kind: leaf.external(),
        });
        let signature = Signature {
            name: computed_as(definition),
            parameters: parameters.collect(),
            result: definition.body.ty.external(),
        };
        let model = Rc::clone(&definitions);
        let run = Implementation::custom(move |values| computed(&model, number, values));
        let declared = oracle.declare(signature, run);
        declared.expect("every leaf can be passed to what is no native code");
    }
}

/// What a function of the model gives for these leaves.
fn computed(model: &Model, number: usize, values: &[Value]) -> Result<Value, String> {
    let definition = &model.definitions[number];
    let mut store = Store::new();
    let mut rest = values.iter();
    let arguments = definition.parameters.iter().map(|ty| {
        let leaves = rest.by_ref().take(ty.size());
        leaves.map(|value| store.value(value.clone())).collect()
    });
    let arguments = arguments.collect();
    let mut lowering = Lowering::new(&mut store, model, Vec::new());
    let result = lowering.apply(number, arguments);
    let (needs, calls) = (lowering.needs, lowering.calls);
    let (nothing, mut evaluator) = (Assignment::new(), Evaluator::default());
    let mut evaluation = evaluator.under(&store, &nothing);
    if !needs.into_iter().all(|need| evaluation.holds(need)) {
        return Err("an index is outside its array, or a text is no number".to_owned());
    }
    match calls.is_empty() {
        true => Ok(evaluation.value(result[0])),
        false => Err(format!(
            "`{}` applies itself too often, or more than {NESTED} levels deep",
            definition.name
        )),
    }
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
