//! Suites in files, and whether they fit a program: the type, the invariant, and
//! the invariant's code.

use super::fingerprint;
use super::first::first_stage;
use crate::error::Error;
use crate::run;
use crate::session_error;
use base::{OneLine, Stop};
use engine::Suites;
use engine::policy::staged::{
    Parameter, StagedArgument, StagedText, parameters_with, plain_name, shown_name,
    staged_parameters, structure_called,
};
use program::{FunctionId, Program};
use staged::{Header, Suite};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A suite of a program's own, fitted to it.
pub struct Fitting {
    suite: Suite,
    invariant: FunctionId,
    name: String,
}

/// A suite for objects of a type, if it was built of an invariant that the program
/// still has.
pub fn fitting_suite(
    program: &Program,
    path: &Path,
    type_name: &str,
    rebuild: Option<(&run::Arguments, &Stop)>,
) -> Result<Fitting, Error> {
    let shown = path.one_line();
    let suite = read_suite(path)?;
    let header = &suite.header;
    if header.object != type_name {
        let problem = format!(
            "the suite is of {}, and {type_name} is wanted",
            header.object
        );
        return Err(Error::content(shown, problem));
    }
    let name = &header.invariant;
    let invariant = function(program, name)?;
    must_take(program, invariant, type_name)?;
    if let Some((arguments, stop)) = rebuild {
        let built = first_stage(arguments, stop, program, header.clone(), &mut None, None)?;
        if let Some(failure) = built.failures.first() {
            let told = format!("{failure}\n{shown} was left as it is");
            return Err(Error::Diagnostics(told));
        }
        write_suite(path, &built.suite)?;
        let count = built.suite.solutions.len();
        eprintln!("note: {shown}: built anew, {count} solutions of `{name}`");
        if !built.suite.header.complete {
            eprintln!("note: {shown}: a limit was reached: there may be more");
        }
        let suite = built.suite;
        return Ok(Fitting::new(suite, invariant, path));
    }
    match &header.code {
        Some(code) if *code != fingerprint::of(program, invariant) => Err(Error::OutdatedSuite {
            file: shown.to_string(),
            invariant: name.clone(),
            remedy: "--rebuild",
        }),
        Some(_) => {
            let count = suite.solutions.len();
            eprintln!("note: {shown}: the code of `{name}` is unchanged, {count} solutions reused");
            Ok(Fitting::new(suite, invariant, path))
        }
        None => Ok(Fitting::new(suite, invariant, path)),
    }
}

/// The shapes of texts for a parameter of this number, if a suite has some.
pub fn text_suite(path: &Path, parameter: usize) -> Result<StagedText, Error> {
    let suite = read_suite(path)?;
    Ok(StagedText {
        parameter,
        suite: path.one_line().into_owned(),
        solutions: suite.solutions.into_iter().map(Rc::new).collect(),
    })
}

/// Whether the solutions of a suite are the shapes of texts.
pub fn is_of_grammar(path: &Path) -> Result<bool, Error> {
    let bytes = std::fs::read(path).map_err(Error::reading(path))?;
    let header = Header::of(&String::from_utf8_lossy(&bytes));
    let header = header.map_err(|error| Error::content(path.one_line(), error))?;
    Ok(header.grammar.is_some())
}

/// Whether a file has the suite that would be built of this header.
pub fn fits(program: &Program, path: &Path, wanted: &Header) -> Result<bool, Error> {
    if !path.exists() {
        return Ok(false);
    }
    let found = read_suite(path)?.header;
    let invariant = function(program, &wanted.invariant)?;
    let same = found.object == wanted.object
        && found.invariant == wanted.invariant
        && found.bounds == wanted.bounds;
    let code = fingerprint::of(program, invariant);
    Ok(same && found.complete && found.code == Some(code))
}

impl Fitting {
    fn new(suite: Suite, invariant: FunctionId, path: &Path) -> Fitting {
        Fitting {
            suite,
            invariant,
            name: path.one_line().into_owned(),
        }
    }

    /// The suite as objects of the machine's.
    pub fn objects(self) -> StagedArgument {
        let solutions = self.suite.solutions.into_iter().map(Rc::new);
        StagedArgument {
            type_name: self.suite.header.object,
            invariant: self.invariant,
            bounds: Rc::new(self.suite.header.bounds),
            suite: self.name,
            solutions: Some(solutions.collect()),
        }
    }
}

/// Reads the suites that a program asks for itself, from where the run was started
/// or from beside the program's first file.
pub fn reader<'s>(files: &[PathBuf]) -> Suites<'s> {
    let beside = files.first().and_then(|file| file.parent());
    let beside = beside.unwrap_or(Path::new("")).to_owned();
    Box::new(move |program, name, type_name| {
        let here = PathBuf::from(name);
        let there = beside.join(name);
        let path = match !here.exists() && there.exists() {
            true => there,
            false => here,
        };
        let fitting = fitting_suite(program, &path, type_name, None);
        let fitting = fitting.map_err(|error| match error {
            // A program that asks for a suite is run without the flag that rebuilds it.
            Error::OutdatedSuite {
                file, invariant, ..
            } => Error::OutdatedSuite {
                file,
                invariant,
                remedy: "`everypath stage build`",
            },
            error => error,
        });
        fitting
            .map(Fitting::objects)
            .map_err(|error| error.to_string())
    })
}

/// The function of that name, for the linker or in the source.
pub fn function(program: &Program, name: &str) -> Result<FunctionId, Error> {
    if let Some(id) = program.function(name) {
        return Ok(id);
    }
    // `Class::method` is a method of that class.
    let (class, own) = match name.rsplit_once("::") {
        Some((class, own)) => (Some(class), own),
        None => (None, name),
    };
    let known = class.and_then(|class| structure_called(program, class));
    let class = known.as_deref().or(class);
    let is_of_class = |id: usize| {
        let id = FunctionId::from_index(id);
        let all = parameters_with(program, id, class.as_slice()).unwrap_or_default();
        class.is_none_or(|class| {
            let first = all.iter().find(|it| it.is_first());
            first.is_some_and(|it| *it == Parameter::Object(class.to_owned()))
        })
    };
    let functions = program.functions.iter().enumerate();
    let named = functions.filter(|(id, function)| {
        let source = function.source.map(|id| program.source.function(id));
        let is_named =
            source.is_some_and(|source| source.name == own || plain_name(&source.name) == own);
        function.body.is_some() && is_named && is_of_class(*id)
    });
    let mut named: Vec<usize> = named.map(|(id, _)| id).collect();
    // One that was made for some types has a name without them only where no other has that.
    let is_called_so = |id: &usize| {
        let source = program.functions[*id].source;
        source.is_some_and(|id| program.source.function(id).name == own)
    };
    if named.iter().any(is_called_so) {
        named.retain(is_called_so);
    }
    // A function beside the class may have the name of its method, and take the same.
    if named.len() > 1 {
        let is_meant = |&id: &usize| is_member(program, id) == class.is_some();
        let meant: Vec<usize> = named.iter().copied().filter(is_meant).collect();
        if !meant.is_empty() {
            named = meant;
        }
    }
    match named[..] {
        [id] => Ok(FunctionId::from_index(id)),
        [one, other, ..] => Err(Error::Program(format!(
            "there are several functions `{name}`; say which: {}, {}",
            program.functions[one].name, program.functions[other].name
        ))),
        // Of a template there is what the program uses.
        [] if name.contains('<') => Err(Error::Program(format!(
            "there is no function `{name}` in the program; a template has functions for those \
             types only that the program uses it with: add `template struct {};` to instantiate \
             all of them",
            class.unwrap_or(name)
        ))),
        [] => Err(Error::Program(format!(
            "there is no function `{name}` in the program{}",
            session_error::entries(program)
        ))),
    }
}

/// Whether a function is called on an object of its class.
fn is_member(program: &Program, id: usize) -> bool {
    let source = program.functions[id].source;
    let first = source.and_then(|id| program.source.function(id).parameters.first());
    first.is_some_and(|first| matches!(&*first.name, "this" | "self"))
}

pub fn must_take(program: &Program, invariant: FunctionId, type_name: &str) -> Result<(), Error> {
    let taken = staged_parameters(program, invariant)?;
    let types: Vec<&str> = taken.iter().map(|(_, name)| &**name).collect();
    if types == [type_name] {
        return Ok(());
    }
    let name = shown_name(program, invariant);
    let instead = match types[..] {
        [] => String::new(),
        _ => format!(", but to {}", types.join(" and to ")),
    };
    Err(Error::Program(format!(
        "the invariant `{name}` does not take a pointer to {type_name}, and that alone{instead}"
    )))
}

pub fn read_suite(path: &Path) -> Result<Suite, Error> {
    let shown = path.one_line();
    let bytes = std::fs::read(path);
    let bytes = bytes.map_err(Error::reading(path))?;
    let read = Suite::read(&String::from_utf8_lossy(&bytes));
    let (suite, complaints) = read.map_err(|error| Error::content(&shown, error))?;
    for complaint in complaints {
        eprintln!("warning: {shown}: {complaint}; it is left out");
    }
    Ok(suite)
}

pub fn write_suite(path: &Path, suite: &Suite) -> Result<(), Error> {
    let written = base::files::write_whole(path, suite.text().as_bytes());
    written.map_err(Error::writing(path))
}
