//! From a recipe to a program.

use crate::function_target;
use base::Stop;
use machine::runtime::{HEADERS, LIBRARY, is_library, is_provided, is_standard_library};
use mixed::oracle::Pattern;
use program::toolchain::{CppLibrary, FileCommand};
use program::{
    Archive, CompileOptions, DriverWriter, Library, LoadError, LoadOptions, OptLevel, Program,
};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use suite::{ArgumentBounds, Recipe, TestFramework};

/// Why the program of a recipe cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// There is no such level of optimisation.
    #[error("there is no optimisation level `{0}`; it is 0, 1, 2, 3, s or z")]
    Level(String),
    /// The headers of the runtime could not be written.
    #[error("cannot write the headers that programs include: {0}")]
    Headers(#[from] io::Error),
    /// A file cannot be read, compiled or linked.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// The libraries that programs are compiled and linked with and that are too large to be
/// built in.
#[derive(Clone, Default)]
pub struct Libraries {
    /// Archives that are linked where the program uses what they define.
    pub archives: Vec<Archive>,
    /// The standard library of C++; its archives are among the others.
    pub cpp: Option<CppLibrary>,
}

/// How much of a program is compiled, and into what.
#[derive(Clone, Default)]
pub struct Compilation {
    /// Keeps functions that nothing calls, such as invariants that are members of
    /// classes.
    pub whole: bool,
    /// What the program is compiled and linked with, beside what is built in.
    pub libraries: Libraries,
    /// Functions that are run outside the program, and not looked for in archives.
    pub external: Vec<Pattern>,
    /// Adds a driver for each function of the program.
    pub every_function: Option<ArgumentBounds>,
    /// Leaves local variables in memory, where it shows what was never written.
    pub in_memory: bool,
    /// Whether the program keeps its bitcode, for other processes.
    pub keep: bool,
    /// Ends the compiler.
    pub stop: Stop,
}

/// Compiles, links and lowers the files of a recipe.
///
/// # Errors
///
/// When a file cannot be read or compiled.
pub fn compile(recipe: &Recipe, how: &Compilation) -> Result<Program, CompileError> {
    let _span = tracing::info_span!("load", files = ?recipe.files).entered();
    // The headers are files for as long as the compiler needs them.
    let scratch = tempfile::Builder::new().prefix("everypath-").tempdir()?;
    let mut compile = compile_options(recipe, &write_headers(scratch.path())?)?;
    compile.cpp = how.libraries.cpp.clone();
    if how.whole && recipe.function.is_none() {
        compile.cc_args.push(EMIT_ALL.to_owned());
    }
    let of_all = how.every_function.as_ref();
    let driver = of_all.map(function_target::for_every_function);
    let options = LoadOptions {
        compile,
        promote: !how.in_memory,
        library: library(how.libraries.archives.clone(), how.external.clone()),
        driver: driver.or_else(|| driver_of(recipe)),
        keep: how.keep,
        stop: how.stop.clone(),
    };
    let headers = options.compile.headers.clone().unwrap_or_default();
    Ok(program::load(&files(recipe, &headers), &options)?)
}

/// Keeps functions that nothing in their file calls.
const EMIT_ALL: &str = "-femit-all-decls";

/// What writes the driver of the function that a recipe is about.
pub fn driver_of(recipe: &Recipe) -> Option<DriverWriter> {
    recipe.function.as_ref().map(function_target::for_function)
}

/// The files of a recipe, and the `main` of those that are tests, or what listens to them.
pub fn files(recipe: &Recipe, headers: &Path) -> Vec<PathBuf> {
    let main = recipe
        .googletest
        .then(|| headers.join(GOOGLETEST).join("main.cc"));
    let listener = recipe.framework.map(|framework| {
        headers.join("frameworks").join(match framework {
            TestFramework::Doctest => "doctest.cc",
            TestFramework::Catch2 => "catch2.cc",
        })
    });
    let own = main.into_iter().chain(listener);
    recipe.files.iter().cloned().chain(own).collect()
}

/// Where files of a program find headers beside them, for what listens to its tests.
fn folders_of_tests(recipe: &Recipe) -> Vec<PathBuf> {
    let listened = recipe.framework.iter().flat_map(|_| &recipe.files);
    let folder = |file: &PathBuf| {
        recipe
            .directory
            .join(file.parent().unwrap_or(Path::new("")))
    };
    let mut folders: Vec<PathBuf> = listened.map(folder).collect();
    folders.dedup();
    folders
}

/// Where GoogleTest's header is below those of our own.
const GOOGLETEST: &str = "googletest";

/// What programs are linked with: the built-in C library, then of these archives what is
/// neither the machine's to do nor external.
pub fn library(archives: Vec<Archive>, external: Vec<Pattern>) -> Library {
    let is_external = move |name: &str| external.iter().any(|pattern| pattern.matches(name));
    Library {
        parts: LIBRARY,
        archives,
        provided: Some(Rc::new(move |name| is_provided(name) || is_external(name))),
        standard: Some(Rc::new(is_standard_library)),
        own: Some(Rc::new(|file| !is_library(file))),
    }
}

/// How the files of a recipe are compiled, with these headers of our own.
///
/// # Errors
///
/// When there is no such level of optimisation.
pub fn compile_options(recipe: &Recipe, headers: &Path) -> Result<CompileOptions, CompileError> {
    let level = OptLevel::named(&recipe.optimise);
    let unknown = || CompileError::Level(recipe.optimise.clone());
    let googletest = recipe.googletest.then(|| headers.join(GOOGLETEST));
    let include_dirs = recipe.include.iter().cloned();
    let emit_all = recipe.function.is_some().then(|| EMIT_ALL.to_owned());
    Ok(CompileOptions {
        clang: None,
        directory: Some(recipe.directory.clone()),
        include_dirs: include_dirs
            .chain(googletest)
            .chain(folders_of_tests(recipe))
            .collect(),
        headers: Some(headers.to_owned()),
        defines: recipe.define.clone(),
        std: recipe.std.clone(),
        opt_level: level.ok_or_else(unknown)?,
        cpp: None,
        cc_args: recipe.cc_args.iter().cloned().chain(emit_all).collect(),
        commands: recipe.commands.iter().map(file_command).collect(),
    })
}

fn file_command(command: &suite::FileCommand) -> FileCommand {
    FileCommand {
        file: command.file.clone(),
        directory: command.directory.clone(),
        arguments: command.arguments.clone(),
    }
}

/// Writes the headers for marking inputs, and the crate for Rust, below a directory;
/// where to include them from.
///
/// # Errors
///
/// When the directory cannot be written to.
pub fn write_headers(directory: &Path) -> io::Result<PathBuf> {
    let include = directory.join("include");
    for (name, text) in HEADERS {
        let path = include.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(&include))?;
        std::fs::write(path, text)?;
    }
    Ok(include)
}
