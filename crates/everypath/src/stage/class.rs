//! `everypath stage test`: all methods of a class on all its valid objects, with one
//! compilation and one suite.

use super::TestArguments;
use super::build::first_stage;
use super::method::{load, session, staging};
use super::suites::{fits, fitting_suite, function, write_suite};
use crate::Outcome;
use crate::error::Error;
use crate::functions::{Row, Tested, note_on_page, tell};
use crate::live::LivePage;
use crate::run;
use base::Stop;
use engine::Start;
use engine::function_target::own_functions;
use engine::policy::staged::{StagedArgument, shown_name, staged_parameters, takes};
use program::{FunctionId, Linkage, Program};
use staged::Header;
use std::path::{Path, PathBuf};
use suite::OutputDirectory;

/// What a function that has to hold after a method is called: the method's name and one
/// of these.
const POSTCONDITIONS: [&str; 2] = ["Post", "_post"];

pub fn test(arguments: &TestArguments, stop: &Stop) -> Result<Outcome, Error> {
    let run = &arguments.run;
    // The whole of it has a limit too, and the last method gets what is left.
    let stop = &stop.limited(run.max_time, None);
    let program = load(run, &session(run, stop)?, stop)?;
    let suite = suite(arguments);
    let mut page = run.live.page_of_file(&suite, stop)?;
    let objects = objects(arguments, &program, &suite, stop, &mut page)?;
    let methods = methods(arguments, &program)?;
    if methods.is_empty() {
        return Err(Error::Program(format!(
            "no function of the program takes a pointer to {}",
            arguments.object
        )));
    }
    let directory = run::output_directory(run)?;
    let mut rows = Vec::new();
    for (name, method) in methods {
        let place = directory.path().join(&name);
        let method = Method {
            name: &name,
            id: method,
            place: &place,
        };
        let tested = match test_method(arguments, &program, &objects, &method, stop, &mut page) {
            Ok(tested) => tested,
            // One that cannot be called is no reason to leave out the others.
            Err(
                error @ (Error::Parameter(_)
                | Error::Start(_)
                | Error::Session(_)
                | Error::Program(_)
                | Error::Usage(_)),
            ) => Tested::Not {
                not_tested: error.to_string(),
            },
            Err(error) => return Err(error),
        };
        let function = name;
        rows.push(Row { function, tested });
    }
    let outcome = tell(run, rows, directory.path())?;
    page.map_or(Ok(()), LivePage::finish_as_shown)?;
    Ok(outcome)
}

/// A method to test, and where its tests go.
struct Method<'a> {
    name: &'a str,
    id: FunctionId,
    place: &'a Path,
}

/// The file of the suite.
fn suite(arguments: &TestArguments) -> PathBuf {
    let own = || PathBuf::from(format!("{}.stage", arguments.object));
    arguments.suite.clone().unwrap_or_else(own)
}

/// The valid objects: of the suite if it is what would be built, else built now.
fn objects(
    arguments: &TestArguments,
    program: &Program,
    path: &Path,
    stop: &Stop,
    page: &mut Option<LivePage>,
) -> Result<StagedArgument, Error> {
    let run = &arguments.run;
    let header = Header {
        object: arguments.object.clone(),
        invariant: arguments.invariant.clone(),
        bounds: run.staged.bounds()?,
        ..Header::default()
    };
    if !fits(program, path, &header)? {
        let built = first_stage(run, stop, program, header, page)?;
        let shown = path.display();
        if let Some(failure) = built.failures.first() {
            return Err(Error::Diagnostics(failure.clone()));
        }
        let count = built.suite.solutions.len();
        if count == 0 {
            return Err(Error::Program(format!(
                "there is no valid {} in these bounds; give others with --max and --range",
                arguments.object
            )));
        }
        write_suite(path, &built.suite)?;
        eprintln!(
            "note: {shown}: built, {count} objects of {}",
            arguments.object
        );
        if !built.suite.header.complete {
            eprintln!("note: {shown}: a limit was reached: there may be more");
        }
    }
    Ok(fitting_suite(program, path, &arguments.object, None)?.objects())
}

/// The methods to test, by the names that people call them by.
fn methods(
    arguments: &TestArguments,
    program: &Program,
) -> Result<Vec<(String, FunctionId)>, Error> {
    if let Some(wanted) = &arguments.run.staged.method {
        let names = wanted.split(',').map(str::trim);
        let found = names.map(|name| Ok((name.to_owned(), function(program, name)?)));
        return found.collect();
    }
    let own: Vec<&str> = own_functions(program).map(|it| &*it.name).collect();
    let invariant = function(program, &arguments.invariant)?;
    let mut found = Vec::new();
    for linked in own {
        let id = function(program, linked)?;
        // What only its own file can call may rely on more than the invariant.
        let is_public = program.functions[id.index()].linkage != Linkage::Internal;
        let is_method = is_public && takes(program, id, &arguments.object);
        let name = shown_name(program, id);
        if is_method && id != invariant && !is_condition(arguments, name) {
            found.push((name.to_owned(), id));
        }
    }
    // Overloaded functions are told apart by what the linker calls them.
    let names: Vec<String> = found.iter().map(|(name, _)| name.clone()).collect();
    for (name, id) in &mut found {
        if names.iter().filter(|it| *it == name).count() > 1 {
            program.functions[id.index()].name.clone_into(name);
        }
    }
    Ok(found)
}

/// Whether a function is what has to hold, and no method.
fn is_condition(arguments: &TestArguments, name: &str) -> bool {
    let staged = &arguments.run.staged;
    let named = staged.requires.iter().chain(&staged.post);
    POSTCONDITIONS.iter().any(|ending| name.ends_with(ending))
        || named.into_iter().any(|it| it == name)
}

fn test_method(
    arguments: &TestArguments,
    program: &Program,
    objects: &StagedArgument,
    method: &Method<'_>,
    stop: &Stop,
    page: &mut Option<LivePage>,
) -> Result<Tested, Error> {
    let &Method { name, id, place } = method;
    if stop.is_set() {
        return Ok(Tested::Not {
            not_tested: "the time was over".to_owned(),
        });
    }
    let run = &arguments.run;
    let taken = staged_parameters(program, id)?;
    if let Some((_, other)) = taken.iter().find(|(_, it)| *it != arguments.object) {
        return Ok(Tested::Not {
            not_tested: format!("it takes a {other} too; use `stage run` with a suite for each"),
        });
    }
    let given = taken.iter().map(|_| objects.clone()).collect();
    let mut staging = staging(run, program, id, given)?;
    if staging.postcondition.is_none() {
        let mut named = POSTCONDITIONS
            .iter()
            .map(|ending| format!("{name}{ending}"));
        staging.postcondition = named.find_map(|name| function(program, &name).ok());
    }
    let mut prepared = session(run, stop)?
        .prepare(program, Start::Objects(staging))
        .map_err(|error| run::explained(error, Some(program)))?;
    let begun = run::Begun::new(OutputDirectory::create_at(place)?);
    let live = page.take();
    let (mut recorder, report) = run::record(run, &mut prepared, program, begun, None, live)?;
    *page = recorder.take_page();
    note_on_page(page.as_ref(), place, &report);
    Ok(Tested::Called {
        directory: place.to_owned(),
        report: Box::new(report),
    })
}
