//! What exported tests are built with: a Makefile, the runtime, and for runs that began
//! at another function than `main` a driver that calls it.

use crate::error::Error;
use crate::output::quoted;
use crate::replay::driver;
use crate::retrace::Origin;
use base::{OneLine, Stop};
use engine::compile_options;
use machine::runtime::{EXPORT, HEADERS, REPLAY};
use program::toolchain::Clang;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use suite::{Language, Recipe, RunDirectory, RunReport};

/// What runs the tests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Framework {
    C,
    Googletest,
    Rust,
    Pytest,
}

/// Stands for the directory of the Makefile while commands are made.
const HERE: &str = "EVERYPATH_EXPORT_DIRECTORY";

/// Everything beside the tests themselves, by name.
pub fn files(
    report: &RunReport,
    directory: &RunDirectory,
    framework: Framework,
    stop: &Stop,
) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let run_json = directory.path.join("run.json");
    let refuse = |reason: &str| Error::content(run_json.one_line(), reason);
    let recipe = crate::replay::replayable(report).map_err(|reason| refuse(&reason.to_string()))?;
    if recipe.has(Language::Rust) {
        return Err(refuse(
            "the program is Rust, and tests are built with C compilers; raw and testcomp \
             work for every program",
        ));
    }
    if let Some((name, _)) = recipe.stubs.first_key_value() {
        return Err(refuse(&format!(
            "the run had a stub for `{name}`, and the tests are of the program as it is; \
             run it with a file that defines it"
        )));
    }
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let mut put = |name: &str, text: &str| files.push((name.to_owned(), text.into()));
    put("Makefile", &makefile(recipe, framework)?);
    put("replay.c", REPLAY);
    for (name, text) in EXPORT {
        put(name, text);
    }
    for (name, text) in HEADERS {
        put(&format!("include/{name}"), text);
    }
    if recipe.entry != "main" {
        let origin = Origin::of(directory, stop)?;
        let entry = origin.program.function(&recipe.entry).ok_or_else(|| {
            Error::Program(format!(
                "the run began at `{}`, which is gone",
                recipe.entry
            ))
        })?;
        put(
            "driver.ll",
            &driver::text(&origin.program, entry, &recipe.entry)?,
        );
    }
    Ok(files)
}

fn makefile(recipe: &Recipe, framework: Framework) -> Result<String, Error> {
    let options = compile_options(recipe, &Path::new(HERE).join("include"))?;
    let clang = Clang::find(&options)?;
    let command = clang.command();
    let mut text = format!(
        "# Builds and runs the tests beside this file; made by everypath export.\n\
         #\n\
         #     make check\n\
         #     make check SANITIZE=address,undefined\n\n\
         CC = {command}\n\
         CXX = {}\n\
         OBJCOPY = objcopy\n\
         # Sanitizers end a program that uses memory wrongly, which otherwise may go unnoticed.\n\
         SANITIZE =\n\
         FLAGS = -fPIC $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all)\n\
         export ASAN_OPTIONS = abort_on_error=1:detect_leaks=0\n\
         export UBSAN_OPTIONS = abort_on_error=1\n\n",
        command.replacen("clang", "clang++", 1),
    );
    let named = recipe.files.iter().chain([&recipe.directory]);
    if let Some(odd) = named
        .into_iter()
        .find(|it| it.to_string_lossy().contains('\n'))
    {
        return Err(Error::Usage(format!(
            "{}: a Makefile cannot name a file with a line break; rename it",
            odd.one_line()
        )));
    }
    let is_main = recipe.entry == "main";
    let mut build = String::new();
    let mut objects = Vec::new();
    for (number, file) in recipe.files.iter().enumerate() {
        let object = format!("program{number}.o");
        let line = clang
            .object(file, &PathBuf::from(HERE).join(&object), false)
            .to_string();
        let arguments = line.split_once(' ').map_or("", |(_, arguments)| arguments);
        let directory = quoted(&recipe.directory);
        let _ = writeln!(
            build,
            "\tcd {} && $(CC) {} $(FLAGS)",
            in_make(&directory),
            in_make(arguments)
        );
        // The tests have a main of their own.
        let renamed = if is_main {
            "ep_test_main"
        } else {
            "ep_test_other_main"
        };
        let entry = match is_main {
            true => String::new(),
            false => format!(" --globalize-symbol={}", recipe.entry),
        };
        let _ = writeln!(
            build,
            "\t$(OBJCOPY) --redefine-sym main={renamed}{entry} {object}"
        );
        objects.push(object);
    }
    if !is_main {
        build += "\t$(CC) -w -fPIC -c driver.ll -o driver.o\n\
                  \t$(OBJCOPY) --redefine-sym main=ep_test_main driver.o\n";
        objects.push("driver.o".to_owned());
    }
    for file in ["everypath_tests", "replay"] {
        let _ = writeln!(
            build,
            "\t$(CC) -O1 -w -I include $(FLAGS) -c {file}.c -o {file}.o"
        );
        objects.push(format!("{file}.o"));
    }
    let libraries: String = recipe
        .libraries
        .iter()
        .fold(String::new(), |text, library| {
            text + " " + &in_make(&quoted(library))
        });
    let is_cpp = recipe.has(Language::Cpp);
    let linker = if is_cpp { "$(CXX)" } else { "$(CC)" };
    let objects = objects.join(" ");
    let (link, check) = match framework {
        Framework::C => (
            format!(
                "$(CC) -c tests.c -o tests.o $(FLAGS)\n\t{linker} tests.o {objects}{libraries} $(FLAGS) -lm -o tests"
            ),
            "./tests",
        ),
        Framework::Googletest => (
            format!(
                "$(CXX) -std=c++17 -c tests.cpp -o tests.o $(FLAGS)\n\t\
                 $(CXX) tests.o {objects}{libraries} $(FLAGS) -lgtest -lgtest_main -pthread -lm -o tests"
            ),
            "./tests",
        ),
        Framework::Rust => {
            let words = objects.split(' ').chain(is_cpp.then_some("-lstdc++"));
            let arguments: Vec<String> = words
                .chain(["-lm"])
                .map(|word| format!("-C link-arg={word}"))
                .collect();
            let libraries: String = recipe.libraries.iter().fold(String::new(), |text, it| {
                text + " -C link-arg=" + &in_make(&quoted(it))
            });
            (
                format!(
                    "rustc --edition 2024 --test tests.rs {}{libraries} -o tests",
                    arguments.join(" ")
                ),
                "./tests",
            )
        }
        Framework::Pytest => (
            format!("{linker} -shared {objects}{libraries} $(FLAGS) -lm -o libtests.so"),
            "python3 -m pytest -q test_program.py",
        ),
    };
    let _ = write!(
        text,
        ".PHONY: check build\n\ncheck: build\n\t{check}\n\nbuild:\n{build}\t{link}\n"
    );
    Ok(text)
}

/// A part of a command as it stands in a Makefile.
fn in_make(command: &str) -> String {
    command.replace('$', "$$").replace(HERE, "\"$(CURDIR)\"")
}
