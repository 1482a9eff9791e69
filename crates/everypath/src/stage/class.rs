//! `everypath stage test`: all methods of a class on all its valid objects, with one
//! compilation and one suite.

use super::first::first_stage;
use super::method::{load, session, staging};
use super::suites::{fits, fitting_suite, function, write_suite};
use super::{ClassArguments, TestArguments, with_own_name};
use crate::Outcome;
use crate::access::{Lifetime, is_hidden, is_offered, lifetime};
use crate::error::Error;
use crate::functions::{Row, Tested, note_on_page, tell};
use crate::live::LivePage;
use crate::run;
use crate::session_error;
use crate::unit_test::{ClassTest, Framework, class_file};
use base::{OneLine, Stop};
use engine::Start;
use engine::function_target::own_functions;
use engine::policy::staged::Parameter;
use engine::policy::staged::{
    StagedArgument, Staging, parameters_with, plain_name, shown_name, takes,
};
use program::{FunctionId, Linkage, Program};
use staged::Header;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use suite::OutputDirectory;

/// What a function that has to hold after a method is called: the method's name and one
/// of these.
const POSTCONDITIONS: [&str; 2] = ["Post", "_post"];

/// A structure whose methods are tested.
pub struct Class<'a> {
    arguments: &'a ClassArguments,
    program: &'a Program,
    /// Its own name, where the user gives another that it has.
    pub object: String,
}

pub fn test(arguments: &TestArguments, stop: &Stop) -> Result<Outcome, Error> {
    let run = &arguments.class.run;
    // The whole of it has a limit too, and the last method gets what is left.
    let stop = &stop.limited(run.max_time, None);
    let program = load(run, &session(run, stop)?, stop)?;
    check_framework(arguments)?;
    let class = Class::new(&arguments.class, &program);
    let suite = class.suite();
    let mut page = run.live.page_of_file(&suite, stop)?;
    let Some(objects) = class.objects(&suite, stop, &mut page)? else {
        return Ok(Outcome::Found);
    };
    let methods = class.methods()?;
    if methods.is_empty() {
        return Err(class.no_methods());
    }
    let mut directory = run::output_directory(run)?;
    let mut rows = Vec::new();
    let mut unit_tests = UnitTests::default();
    for (name, method) in methods {
        let place = directory.path().join(&name);
        let method = Method {
            name: &name,
            id: method,
            place: &place,
        };
        let found = (&mut unit_tests, &mut page);
        let tested = class.test_method(arguments, &objects, &method, stop, found);
        let tested = or_not_tested(tested)?;
        let function = name;
        rows.push(Row { function, tested });
    }
    class.write_unit_tests(arguments, unit_tests, &mut directory)?;
    let outcome = tell(run, &rows, directory.path())?;
    page.map_or(Ok(()), LivePage::finish_as_shown)?;
    Ok(outcome)
}

/// What came of a method: one that cannot be called is no reason to leave out the others.
pub fn or_not_tested(tested: Result<Tested, Error>) -> Result<Tested, Error> {
    match tested {
        Err(
            error @ (Error::Parameter(_)
            | Error::Start(_)
            | Error::Session(_)
            | Error::Program(_)
            | Error::Usage(_)),
        ) => Ok(Tested::Not {
            not_tested: error.to_string(),
        }),
        other => other,
    }
}

/// A method to test, and where its tests go.
struct Method<'a> {
    name: &'a str,
    id: FunctionId,
    place: &'a Path,
}

/// The tests of all methods, as they are found.
#[derive(Default)]
struct UnitTests {
    tests: Vec<ClassTest>,
    /// Paths that are none of them.
    left_out: u64,
    /// The methods and what has to hold of them.
    functions: Vec<FunctionId>,
}

impl<'a> Class<'a> {
    /// The structure that the arguments name.
    pub fn new(arguments: &'a ClassArguments, program: &'a Program) -> Class<'a> {
        Class {
            arguments,
            program,
            object: with_own_name(program, &arguments.object),
        }
    }

    pub fn no_methods(&self) -> Error {
        Error::Program(format!(
            "no function of the program takes a pointer to {}",
            self.arguments.object
        ))
    }

    /// The file of the suite.
    pub fn suite(&self) -> PathBuf {
        let own = || PathBuf::from(format!("{}.stage", self.object));
        self.arguments.suite.clone().unwrap_or_else(own)
    }

    /// The valid objects: of the suite if it is what would be built, else built now. There
    /// may be none in the bounds.
    pub fn objects(
        &self,
        path: &Path,
        stop: &Stop,
        page: &mut Option<LivePage>,
    ) -> Result<Option<StagedArgument>, Error> {
        let Class {
            arguments,
            program,
            object,
        } = self;
        let run = &arguments.run;
        let header = Header {
            object: object.clone(),
            invariant: arguments.invariant.clone(),
            bounds: run.staged.bounds(program)?,
            ..Header::default()
        };
        if !fits(program, path, &header)? {
            let built = first_stage(run, stop, program, header, page, None)?;
            let shown = path.one_line();
            if let Some(failure) = built.failures.first() {
                return Err(Error::Diagnostics(failure.clone()));
            }
            let left_out = || {
                for reason in &built.incomplete {
                    eprintln!("note: {shown}: not complete: {reason}");
                }
            };
            let count = built.suite.solutions.len();
            if count == 0 {
                left_out();
                eprintln!(
                    "warning: there is no valid {object} in these bounds; give others with --max \
                     and --range"
                );
                return Ok(None);
            }
            write_suite(path, &built.suite)?;
            eprintln!("note: {shown}: built, {count} objects of {object}");
            left_out();
            if built.cut_off > 0 {
                eprintln!("note: {shown}: a limit was reached: there may be more");
            }
        }
        let fitting = fitting_suite(program, path, object, None)?;
        Ok(Some(fitting.objects()))
    }

    /// The methods to test, by the names that people call them by.
    pub fn methods(&self) -> Result<Vec<(String, FunctionId)>, Error> {
        let Class {
            arguments,
            program,
            object,
        } = self;
        if let Some(wanted) = &arguments.run.staged.method {
            let names = wanted.split(',').map(str::trim);
            let found = names.map(|name| Ok((name.to_owned(), function(program, name)?)));
            return found.collect();
        }
        let own: Vec<&str> = own_functions(program).map(|it| &*it.name).collect();
        let invariant = function(program, &arguments.invariant)?;
        let mut found = Vec::new();
        let mut hidden = Vec::new();
        for linked in own {
            let id = function(program, linked)?;
            let is_internal = program.functions[id.index()].linkage == Linkage::Internal;
            let is_method = !is_internal && takes(program, id, object);
            let name = plain_name(shown_name(program, id));
            if is_method && id != invariant && !is_condition(arguments, name) {
                // What only its own file or class can call may rely on more than the invariant.
                let methods = match is_hidden(program, id) {
                    true => &mut hidden,
                    false => &mut found,
                };
                methods.push((name.to_owned(), id));
            }
        }
        // A class that offers nothing is for its own file.
        if !found.iter().any(|(_, id)| is_offered(program, *id)) {
            found.append(&mut hidden);
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

    /// The method on the class's objects, and what has to hold before and after it.
    pub fn staging(
        &self,
        objects: &StagedArgument,
        name: &str,
        id: FunctionId,
    ) -> Result<Staging, Error> {
        let Class {
            arguments,
            program,
            object,
        } = self;
        if lifetime(program, id) == Lifetime::Begins {
            return Err(Error::Program(format!(
                "it makes a {object}, and is given none"
            )));
        }
        let mut given = Vec::new();
        for parameter in parameters_with(program, id, &[object])? {
            match parameter {
                Parameter::Object(other) if other != *object => {
                    return Err(Error::Program(format!(
                        "it takes a {other} too; use `stage run` with a suite for each"
                    )));
                }
                Parameter::Object(_) => given.push(objects.clone()),
                _ => {}
            }
        }
        let mut staging = staging(&arguments.run, program, id, given)?;
        if staging.postcondition.is_none() {
            let mut named = POSTCONDITIONS
                .iter()
                .map(|ending| format!("{name}{ending}"));
            staging.postcondition = named.find_map(|name| function(program, &name).ok());
        }
        Ok(staging)
    }

    fn test_method(
        &self,
        arguments: &TestArguments,
        objects: &StagedArgument,
        &Method { name, id, place }: &Method<'_>,
        stop: &Stop,
        (unit_tests, page): (&mut UnitTests, &mut Option<LivePage>),
    ) -> Result<Tested, Error> {
        if stop.is_set() {
            return Ok(Tested::Not {
                not_tested: "the time was over".to_owned(),
            });
        }
        let (run, program) = (&self.arguments.run, self.program);
        let staging = self.staging(objects, name, id)?;
        let mut prepared = session(run, stop)?
            .prepare(program, Start::Objects(staging))
            .map_err(|error| session_error::explained(error, Some(program)))?;
        let begun = run::Begun {
            class_tests: Some(arguments.unit_tests),
            ..run::Begun::new(OutputDirectory::create_at(place)?)
        };
        unit_tests.functions.push(id);
        unit_tests
            .functions
            .extend(prepared.staged().staging().postcondition);
        let live = page.take();
        let (mut recorder, report) = run::record(run, &mut prepared, program, begun, None, live)?;
        let (tests, left_out) = recorder.take_class_tests();
        *page = recorder.take_page();
        note_on_page(page.as_ref(), place, &report);
        unit_tests.tests.extend(tests);
        unit_tests.left_out += left_out;
        Ok(Tested::Called {
            directory: place.to_owned(),
            report: Box::new(report),
        })
    }

    /// Writes one file with the tests of all methods, and says how to compile it.
    fn write_unit_tests(
        &self,
        arguments: &TestArguments,
        mut found: UnitTests,
        directory: &mut OutputDirectory,
    ) -> Result<(), Error> {
        let invariant = function(self.program, &self.arguments.invariant)?;
        let mut functions = found.functions;
        functions.push(invariant);
        let mut named = BTreeSet::new();
        functions.retain(|id| named.insert(*id));
        let file = class_file(
            self.program,
            &run::sources(&self.arguments.run),
            &self.object,
            &functions,
            &mut found.tests,
            arguments.framework,
        );
        let Some(file) = file.filter(|_| !found.tests.is_empty()) else {
            if found.left_out > 0 {
                let left_out = found.left_out;
                eprintln!("note: {left_out} paths have no unit test; their objects have no names");
            }
            return Ok(());
        };
        let stem: String = self
            .object
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect();
        let name = format!("{stem}_tests.{}", file.extension);
        directory.write_file(&name, file.text.as_str().into())?;
        let folder = directory.path();
        for (path, text) in file.runtime(folder) {
            let parent = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            let written = parent.and_then(|()| base::files::write_whole(&path, text.as_bytes()));
            written.map_err(Error::writing(&path))?;
        }
        let command = file.command(&folder.join(name));
        let count = found.tests.len();
        eprintln!("note: {count} unit tests: {command} && ./a.out");
        if found.left_out > 0 {
            let left_out = found.left_out;
            eprintln!("note: {left_out} paths have no unit test; --unit-tests N takes more");
        }
        Ok(())
    }
}

/// Refuses a framework that is not for the program's language.
fn check_framework(arguments: &TestArguments) -> Result<(), Error> {
    let files = &arguments.class.run.program.files;
    let is_c = |file: &PathBuf| file.extension().is_none_or(|ending| ending == "c");
    match arguments.framework == Framework::Googletest && files.iter().any(is_c) {
        true => Err(Error::Usage(
            "GoogleTest is for C++; leave out --framework for C".to_owned(),
        )),
        false => Ok(()),
    }
}

/// Whether a function is what has to hold, and no method.
fn is_condition(arguments: &ClassArguments, name: &str) -> bool {
    let staged = &arguments.run.staged;
    let named = staged.requires.iter().chain(&staged.post);
    POSTCONDITIONS.iter().any(|ending| name.ends_with(ending))
        || named.into_iter().any(|it| it == name)
}
