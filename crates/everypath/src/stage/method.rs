//! A method on objects that satisfy an invariant: of suites, or looked for in the
//! same run.

use super::SecondArguments;
use super::suites::{fitting_suite, function, is_of_grammar, text_suite};
use crate::Outcome;
use crate::access::{Lifetime, lifetime};
use crate::error::Error;
use crate::run;
use crate::session_error;
use base::{OneLine, Stop};
use engine::policy::staged::{
    Parameter, Precondition, StagedArgument, Staging, parameters_with, staged_parameters,
    text_parameters,
};
use engine::{Options, Session, Start};
use explore::Strategy;
use program::{FunctionId, Program};
use std::path::PathBuf;
use std::rc::Rc;
use suite::Recipe;

/// `everypath stage run`: the second stage.
pub fn second(arguments: &SecondArguments, stop: &Stop) -> Result<Outcome, Error> {
    let run = &arguments.run;
    if run.staged.has_bounds() {
        return Err(Error::Usage(
            "the bounds are those of the suites; build them with others".to_owned(),
        ));
    }
    let session = session(run, stop)?;
    let program = load(run, &session, stop)?;
    let start = objects_of_suites(arguments, &program, Some(stop))?;
    run::explore(run, session, &program, start)
}

/// A method on the objects of suites, which may be built again until this stops.
pub fn objects_of_suites(
    arguments: &SecondArguments,
    program: &Program,
    rebuild: Option<&Stop>,
) -> Result<Start, Error> {
    let run = &arguments.run;
    let Some(name) = &run.staged.method else {
        return Err(Error::Usage("`stage run` needs a --method".to_owned()));
    };
    let method = function(program, name)?;
    let mut pointers = staged_parameters(program, method)?;
    let text_pointers = text_parameters(program, method)?;
    let (mut texts, mut suites) = (Vec::new(), Vec::new());
    for path in &arguments.input {
        if !is_of_grammar(path)? {
            suites.push(path);
            continue;
        }
        if arguments.rebuild {
            return Err(Error::Usage(format!(
                "{} is of a grammar; build it again with `stage build --grammar`",
                path.one_line()
            )));
        }
        let Some(&parameter) = text_pointers.get(texts.len()) else {
            return Err(Error::Usage(format!(
                "`{name}` takes {} texts, and there are more suites of grammars",
                text_pointers.len()
            )));
        };
        texts.push(text_suite(path, parameter)?);
    }
    if pointers.len() > suites.len() {
        // Structures without pointers are inputs where there is no suite of them.
        let made = parameters_with(program, method, &[])?;
        pointers.retain(|(at, _)| matches!(made[*at], Parameter::Object(_)));
    }
    if pointers.len() != suites.len() {
        return Err(Error::Usage(format!(
            "`{name}` takes {} pointers to objects, and {} suites are given; give an --input for each",
            pointers.len(),
            suites.len()
        )));
    }
    let mut objects = Vec::new();
    for (path, (_, type_name)) in suites.into_iter().zip(&pointers) {
        let rebuild = rebuild.filter(|_| arguments.rebuild);
        let rebuild = rebuild.map(|stop| (run, stop));
        let fitting = fitting_suite(program, path, type_name, rebuild)?;
        objects.push(fitting.objects());
    }
    let staging = Staging {
        texts,
        ..staging(run, program, method, objects)?
    };
    Ok(Start::Objects(staging))
}

/// `everypath run --method`: both stages at once.
pub fn run_at_once(arguments: &run::Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let session = session(arguments, stop)?;
    let program = load(arguments, &session, stop)?;
    let start = objects_at_once(arguments, &program)?;
    run::explore(arguments, session, &program, start)
}

/// A method on objects that are looked for in the same run.
pub fn objects_at_once(arguments: &run::Arguments, program: &Program) -> Result<Start, Error> {
    let staged = &arguments.staged;
    let name = staged.method.as_deref().unwrap_or_default();
    let method = function(program, name)?;
    let pointers = staged_parameters(program, method)?;
    if pointers.is_empty() {
        return Err(Error::Usage(format!(
            "`{name}` takes no pointer to an object; use --entry"
        )));
    }
    let mut objects = Vec::new();
    let bounds = Rc::new(staged.bounds(program)?);
    for (at, type_name) in &pointers {
        let mut invariant = None;
        for required in &staged.requires {
            let id = function(program, required)?;
            let taken = staged_parameters(program, id)?;
            if taken.len() == 1 && taken[0].1 == *type_name {
                invariant = invariant.or(Some(id));
            }
        }
        let Some(invariant) = invariant else {
            let made = parameters_with(program, method, &[])?;
            if !matches!(made[*at], Parameter::Object(_)) && pointers.len() > 1 {
                continue;
            }
            return Err(Error::Usage(format!(
                "no function given with --requires takes a pointer to {type_name} alone"
            )));
        };
        objects.push(StagedArgument {
            type_name: type_name.clone(),
            invariant,
            bounds: bounds.clone(),
            suite: String::new(),
            solutions: None,
        });
    }
    staging(arguments, program, method, objects).map(Start::Objects)
}

/// The functions that take several objects, with the first arguments of their types.
fn preconditions(
    program: &Program,
    names: &[String],
    objects: &[StagedArgument],
) -> Result<Vec<Precondition>, Error> {
    let mut found = Vec::new();
    for name in names {
        let id = function(program, name)?;
        let taken = staged_parameters(program, id)?;
        if taken.len() == 1 && objects.iter().any(|object| object.invariant == id) {
            continue;
        }
        let mut arguments: Vec<usize> = Vec::new();
        for (_, type_name) in &taken {
            let free = objects.iter().enumerate().position(|(number, object)| {
                object.type_name == *type_name && !arguments.contains(&number)
            });
            let Some(number) = free else {
                return Err(Error::Program(format!(
                    "`{name}` takes a pointer to {type_name} for which there is no object"
                )));
            };
            arguments.push(number);
        }
        found.push(Precondition {
            function: id,
            arguments,
        });
    }
    Ok(found)
}

/// A session that keeps the functions that only invariants call.
pub fn session<'s>(arguments: &'s run::Arguments, stop: &Stop) -> Result<Session<'s>, Error> {
    session_of(arguments, run::recipe(arguments)?.files, stop)
}

/// The same of another program.
pub fn session_of<'s>(
    arguments: &'s run::Arguments,
    files: Vec<PathBuf>,
    stop: &Stop,
) -> Result<Session<'s>, Error> {
    let recipe = Recipe {
        files,
        ..run::recipe(arguments)?
    };
    Ok(Session::new(recipe, options(arguments, stop)?))
}

/// How such a session explores.
pub fn options<'s>(arguments: &'s run::Arguments, stop: &Stop) -> Result<Options<'s>, Error> {
    let mut options = Options {
        whole: true,
        ..run::options(arguments, stop, None)?
    };
    // Where everything is explored the order finds nothing sooner, and depth first keeps
    // the fewest states.
    if arguments.search.is_none() && !arguments.is_limited() {
        options.plan.strategy = Strategy::Dfs;
    }
    Ok(options)
}

/// The program of a session.
pub fn load(
    arguments: &run::Arguments,
    session: &Session<'_>,
    stop: &Stop,
) -> Result<Program, Error> {
    crate::untrusted::examine(&arguments.program.files, stop)?;
    let program = session
        .load()
        .map_err(|error| session_error::explained(error, None))?;
    arguments.external.check(&program)?;
    Ok(program)
}

/// A method on objects, and what has to hold before and after it.
pub fn staging(
    arguments: &run::Arguments,
    program: &Program,
    method: FunctionId,
    objects: Vec<StagedArgument>,
) -> Result<Staging, Error> {
    arguments.refuse_for_objects()?;
    let names_method = |names: &[String]| {
        let mut names = names.iter().map(|name| function(program, name));
        names.try_fold(false, |found, id| {
            Ok::<bool, Error>(found | (id? == method))
        })
    };
    let frees = names_method(&arguments.staged.frees)?;
    let keeps = names_method(&arguments.staged.keeps)?;
    let post = arguments.staged.post.as_deref();
    let postcondition = post.map(|name| function(program, name)).transpose()?;
    Ok(Staging {
        preconditions: preconditions(program, &arguments.staged.requires, &objects)?,
        arguments: objects,
        texts: Vec::new(),
        method: Some(method),
        trust_method: arguments.staged.trust_method,
        frees,
        ends: lifetime(program, method) == Lifetime::Ends,
        keeps,
        may_alias: arguments.staged.may_alias,
        postcondition,
        invariant_budget: Some(arguments.staged.invariant_budget),
        method_budget: Some(arguments.staged.method_budget),
    })
}
