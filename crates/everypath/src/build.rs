//! `everypath build`: any build, with compilers that keep the bitcode of what they compile.

use crate::Outcome;
use crate::check::{self, Check, Failing};
use crate::error::Error;
use crate::interrupt::because;
use crate::output::say;
use crate::scratch::Scratch;
use base::{OneLine, Stop};
use program::CompileOptions;
use program::toolchain::{Clang, CommandLine, variables};
use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, SystemTime};

/// Builds a project so that its programs and libraries can be run.
///
/// The command finds everypath-cc and everypath-cxx as its compilers: in CC and CXX, and
/// under the names cc, gcc, clang, c++, g++ and clang++. They are clang, and keep the
/// bitcode of each file in its object, from where it gets into archives, shared libraries
/// and programs.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath build -- make -j4
  everypath build --check ub -- make
  everypath build -- ./configure --disable-shared && everypath build -- make
  everypath build -- cmake -B build && everypath build -- cmake --build build
  everypath run ./src/tool --sym-args 1 2 4

A build system that looks for its compilers once, as cmake and configure do, has to look
for them here.

Exit status: 0 the build succeeded; 2 it did not, or there is nothing to run in what was
linked.")]
pub struct Arguments {
    /// Compiles checks of the language into everything, as `everypath run --check` does.
    #[arg(long, value_name = "CHECK", value_delimiter = ',')]
    check: Vec<Check>,
    /// The command and its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// Names under which builds look for compilers of C and of C++.
const NAMES: [(&[&str], &str); 2] = [
    (&["cc", "gcc", "clang"], "everypath-cc"),
    (&["c++", "g++", "clang++"], "everypath-cxx"),
];

/// Tools that look into objects. Those of GNU hand objects with bitcode in them to a plugin,
/// and one of an older LLVM refuses them.
const TOOLS: [(&str, &str, &str); 3] = [
    ("AR", "ar", "llvm-ar"),
    ("RANLIB", "ranlib", "llvm-ranlib"),
    ("NM", "nm", "llvm-nm"),
];

/// Builds, and says what can be run.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    let scratch = Scratch::new()?;
    let linked = scratch.path().join("linked");
    fs::write(&linked, "").map_err(Error::writing(&linked))?;
    // By the clock of the files, which is not the one that people read.
    let started = fs::metadata(&linked).and_then(|it| it.modified());
    let started = started.map_err(Error::reading(&linked))?;
    let mut command = Command::new(&arguments.command[0]);
    command.args(&arguments.command[1..]);
    surround(&mut command, &scratch, &linked)?;
    if !arguments.check.is_empty() {
        let flags = check::flags(&arguments.check, Failing::Trap);
        command.env(variables::FLAGS, flags.join(" "));
    }
    let shown = shown(&arguments.command);
    let child = command
        .spawn()
        .map_err(|error| Error::Tool(format!("cannot run {shown}: {error}")))?;
    let status = wait(child, stop).map_err(Error::reading(scratch.path()))?;
    let Some(status) = status else {
        return Err(Error::Stopped {
            why: because(stop),
            what: "the build ended".to_owned(),
        });
    };
    if !status.success() {
        return Err(Error::Tool(format!("{shown} ended with {status}")));
    }
    let linked = fs::read_to_string(&linked).unwrap_or_default();
    let built = Built::of(&linked, started)?;
    say(&built.summary())?;
    match built.is_without_bitcode() {
        true => Err(Error::Program(
            "what was linked has no bitcode in it: the build used compilers of its own choice, \
             or objects of an earlier build; let it look for compilers again, and clean it"
                .to_owned(),
        )),
        false => Ok(Outcome::Clean),
    }
}

/// Puts our compilers where the build looks for its own.
fn surround(command: &mut Command, scratch: &Scratch, linked: &Path) -> Result<(), Error> {
    let folder = scratch.path().join("bin");
    fs::create_dir(&folder).map_err(Error::writing(&folder))?;
    for (names, wrapper) in NAMES {
        let wrapper = beside_this_program(wrapper)?;
        for name in names {
            let link = folder.join(name);
            symlink(&wrapper, &link).map_err(Error::writing(&link))?;
        }
    }
    let options = CompileOptions::default();
    let clang = Clang::find(&options)?;
    for (variable, name, tool) in TOOLS {
        let path = PathBuf::from(clang.companion(tool)?);
        if path.is_absolute() {
            let link = folder.join(name);
            symlink(&path, &link).map_err(Error::writing(&link))?;
            command.env(variable, path);
        }
    }
    let paths = env::var_os("PATH").unwrap_or_default();
    let paths = [folder].into_iter().chain(env::split_paths(&paths));
    let paths = env::join_paths(paths)
        .map_err(|error| Error::Tool(format!("cannot put compilers on the path: {error}")))?;
    command
        .env("PATH", paths)
        .env("CC", beside_this_program("everypath-cc")?)
        .env("CXX", beside_this_program("everypath-cxx")?)
        .env(variables::CLANG, clang.path())
        .env(variables::LINKED, linked);
    Ok(())
}

/// A program that was installed together with this one.
fn beside_this_program(name: &str) -> Result<PathBuf, Error> {
    let own = env::current_exe().and_then(|path| path.canonicalize());
    let own = own.map_err(|error| Error::Tool(format!("cannot find this program: {error}")))?;
    let path = own.with_file_name(name);
    match path.is_file() {
        true => Ok(path),
        false => Err(Error::Tool(format!(
            "there is no {}, which is installed together with everypath; install it again",
            path.one_line()
        ))),
    }
}

fn shown(command: &[OsString]) -> String {
    let name = CommandLine::new(&command[0].to_string_lossy());
    name.args(&command[1..]).to_string()
}

/// Waits for the build; nothing if it was stopped. Ctrl-C reaches the build by itself.
fn wait(mut child: Child, stop: &Stop) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((!stop.is_set()).then_some(status));
        }
        if stop.is_set() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// What came of a build.
struct Built {
    /// Programs and libraries with bitcode in them, and how many modules each has.
    runnable: Vec<(PathBuf, usize)>,
    /// Files that were linked, and hold machine code alone.
    without: usize,
}

impl Built {
    /// Reads the files that were linked, and the archives that were made beside them.
    fn of(linked: &str, started: SystemTime) -> Result<Built, Error> {
        let here = env::current_dir().and_then(|path| path.canonicalize());
        let here = here.map_err(Error::reading(Path::new(".")))?;
        let linked = linked.lines().map(Path::new);
        // What probes of configure link is gone by now.
        let linked: BTreeSet<PathBuf> = linked.filter_map(|it| it.canonicalize().ok()).collect();
        let mut folders: BTreeSet<PathBuf> = linked
            .iter()
            .filter_map(|file| file.parent().map(Path::to_owned))
            .collect();
        below(&here, &mut folders);
        let archives = folders
            .iter()
            .flat_map(|folder| archives_in(folder, started));
        let files: BTreeSet<PathBuf> = linked.iter().cloned().chain(archives).collect();
        let mut built = Built {
            runnable: Vec::new(),
            without: 0,
        };
        for file in files {
            let modules = program::bitcode_modules(&file).unwrap_or(0);
            let name = file
                .strip_prefix(&here)
                .map_or(file.clone(), Path::to_owned);
            match modules {
                0 => built.without += usize::from(linked.contains(&file)),
                _ => built.runnable.push((typed(name), modules)),
            }
        }
        Ok(built)
    }

    fn is_without_bitcode(&self) -> bool {
        self.runnable.is_empty() && self.without > 0
    }

    fn summary(&self) -> String {
        let mut text = String::new();
        for (file, modules) in &self.runnable {
            let noun = if *modules == 1 { "module" } else { "modules" };
            let _ = writeln!(text, "  {}  {modules} {noun}", file.one_line());
        }
        match self.runnable.len() {
            0 => "nothing was linked".to_owned(),
            1 => format!("this can be given to `everypath run`:\n{}", text.trim_end()),
            _ => format!(
                "these can be given to `everypath run`:\n{}",
                text.trim_end()
            ),
        }
    }
}

/// What a user types: what libtool links is behind a script one folder up.
fn typed(file: PathBuf) -> PathBuf {
    let folder = file.parent();
    if folder.and_then(Path::file_name) != Some(OsStr::new(".libs")) {
        return file;
    }
    let script = folder.and_then(Path::parent).zip(file.file_name());
    let script = script.map(|(above, name)| above.join(name));
    script.filter(|script| script.is_file()).unwrap_or(file)
}

/// Adds a folder and those below it.
fn below(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    found.insert(folder.to_owned());
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let folders = entries.flatten().filter(|entry| {
        let kind = entry.file_type();
        kind.is_ok_and(|kind| kind.is_dir()) && entry.file_name() != ".git"
    });
    for entry in folders {
        below(&entry.path(), found);
    }
}

/// The archives in a folder that are not older than the build.
fn archives_in(folder: &Path, started: SystemTime) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let archives = entries.filter(|entry| {
        let path = entry.path();
        let changed = entry.metadata().and_then(|metadata| metadata.modified());
        path.extension() == Some(OsStr::new("a")) && changed.is_ok_and(|time| time >= started)
    });
    archives.map(|entry| entry.path()).collect()
}
