//! The program as a native binary, and tests run in it.

use crate::error::Error;
use crate::scratch::Scratch;
use base::{OneLine, Stop, Stopped};
use engine::compile_options;
use machine::runtime::{REPLAY, REPLAY_THREADS, wrapped_functions};
use program::toolchain::{Clang, CommandLine, Link, Rustc};
use program::{CompileOptions, ENTRY_NAME, Instrumented, LoadOptions, Program};
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use suite::{Language, Recipe, Setting, StoredTest, TestCase};

pub const SIGILL: i32 = 4;
pub const SIGTRAP: i32 = 5;
pub const SIGABRT: i32 = 6;
pub const SIGBUS: i32 = 7;
pub const SIGFPE: i32 = 8;
pub const SIGSEGV: i32 = 11;

/// What instrumented code calls where threads notice each other and take no turns.
const NO_TURNS: &str = "\
void __ep_operation(void) {}
void __ep_own_call(void) {}
void __ep_indirect_call(const void *callee) {}
";
/// How long a test may take.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// The status a sanitizer ends with; the runtime's own are 92 to 94 and 96 to 99.
const SANITIZER_STATUS: i32 = 95;
/// How much of what a test prints on standard error is looked at.
const OUTPUT_LIMIT: u64 = 1 << 20;

/// The program, compiled with the runtime that feeds inputs.
pub struct Binary {
    scratch: Scratch,
    path: PathBuf,
    /// Bytes of the table in which it marks where it has been.
    marks: usize,
    /// What the tests are tests of.
    recipe: Recipe,
    sanitized: bool,
    /// Whether its threads take turns as a test has it.
    pub takes_turns: bool,
    stop: Stop,
}

impl Binary {
    /// Compiles the program so that it marks where it goes; gives the program
    /// as the machine sees it, too.
    pub fn instrumented(recipe: &Recipe, stop: &Stop) -> Result<(Binary, Instrumented), Error> {
        crate::untrusted::examine(&recipe.files, stop)?;
        let mut build = Build::new(recipe, stop)?;
        let libraries = crate::libraries::installed(recipe, stop)?;
        build.options.cpp = libraries.cpp;
        let bitcode = build.scratch.path().join("program.bc");
        let options = LoadOptions {
            compile: build.options.clone(),
            promote: true,
            library: engine::library(libraries.archives, crate::external::options(recipe).named()),
            driver: engine::driver_of(recipe),
            keep: false,
            stop: build.stop.clone(),
        };
        let headers = build.options.headers.clone().unwrap_or_default();
        let files = engine::files(recipe, &headers);
        let wrapped: Vec<&str> = wrapped_functions().collect();
        let is_wrapped = |name: &str| wrapped.contains(&name);
        let instrumented =
            program::instrument(&files, &options, &recipe.entry, &is_wrapped, &bitcode);
        let instrumented = instrumented?;
        let mut objects = vec![build.object(&bitcode, "program.o", "the program")?];
        if recipe.entry != "main" {
            let entry = instrumented.program.function(&recipe.entry);
            let entry = entry.ok_or_else(|| {
                Error::Program(format!(
                    "the run began at `{}`, which is gone",
                    recipe.entry
                ))
            })?;
            let text = super::driver::text(&instrumented.program, entry, ENTRY_NAME);
            let text = text?;
            let driver = build.scratch.write("driver.ll", &text)?;
            objects.push(build.object(&driver, "driver.o", "a main for the replay")?);
        }
        objects.extend(build.stubs(&instrumented.program)?);
        // Calls that a shared library makes cannot be wrapped, and the C++ library of the system
        // is one.
        let is_shared = recipe.has(Language::Cpp) && build.options.cpp.is_none();
        let takes_turns = !is_shared
            && !recipe.ignore_races
            && instrumented.counts_operations
            && !super::branches::are_called_uncounted(&instrumented);
        let threads = if takes_turns {
            REPLAY_THREADS
        } else {
            NO_TURNS
        };
        objects.push(build.runtime("threads.c", threads)?);
        let wrapped: Vec<&str> = wrapped.into_iter().filter(|_| takes_turns).collect();
        let marks = instrumented.points.len();
        let binary = build.link(objects, &wrapped, false, marks)?;
        Ok((binary, instrumented))
    }

    /// Compiles the program with sanitizers. They have branches of their own,
    /// so that it does not mark where it goes.
    pub fn sanitized(recipe: &Recipe, stop: &Stop) -> Result<Binary, Error> {
        if recipe.entry != "main" {
            return Err(Error::Usage(format!(
                "the run began at `{}`, and sanitizers work for programs run from \
                 `main`; leave out --sanitize",
                recipe.entry
            )));
        }
        if recipe.has(Language::Rust) {
            return Err(Error::Usage(
                "sanitizers are put in by clang, and a file of the program is Rust; \
                 leave out --sanitize"
                    .to_owned(),
            ));
        }
        if let Some(file) = recipe
            .files
            .iter()
            .find(|file| suite::Language::of(file).is_none())
        {
            return Err(Error::Usage(format!(
                "{} was built before, and sanitizers are put in where C is compiled; \
                 leave out --sanitize",
                file.one_line()
            )));
        }
        if let Some((name, _)) = recipe.stubs.first_key_value() {
            return Err(Error::Usage(format!(
                "the run had a stub for `{name}`, and sanitizers work for whole programs; \
                 leave out --sanitize"
            )));
        }
        let build = Build::new(recipe, stop)?;
        let mut objects = Vec::new();
        for (number, file) in recipe.files.iter().enumerate() {
            let object = build.path(&format!("{number}.o"));
            let command = build.clang()?.object(file, &object, true);
            build.run(&command, &format!("compile {}", file.one_line()))?;
            objects.push(object);
        }
        build.link(objects, &[], true, 0)
    }

    /// Runs the tests, as many at once as there are processors; the results are in the
    /// order of the tests, with nothing for those that did not end before a stop.
    pub fn run(&self, tests: &[&StoredTest]) -> Result<Vec<Option<Ran>>, Error> {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let next = AtomicUsize::new(0);
        let work = |worker: usize| -> Result<Vec<(usize, Ran)>, Error> {
            let mut results = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(test) = tests.get(index) else {
                    return Ok(results);
                };
                match self.run_one(test, worker)? {
                    Some(ran) => results.push((index, ran)),
                    None => return Ok(results),
                }
            }
        };
        let results = std::thread::scope(|scope| {
            let work = &work;
            let workers: Vec<_> = (0..workers.min(tests.len()))
                .map(|worker| scope.spawn(move || work(worker)))
                .collect();
            let mut all = Vec::new();
            for worker in workers {
                all.extend(worker.join().expect("a worker does not panic")?);
            }
            Ok::<_, Error>(all)
        })?;
        let mut ran: Vec<Option<Ran>> = tests.iter().map(|_| None).collect();
        for (index, result) in results {
            ran[index] = Some(result);
        }
        Ok(ran)
    }

    /// Whether checks of the language are in the program, by its own flags or by ours.
    fn is_checked(&self) -> bool {
        let mut flags = self.recipe.cc_args.iter();
        self.sanitized || flags.any(|flag| flag.starts_with("-fsanitize="))
    }

    /// Runs a test; nothing if it was stopped.
    fn run_one(&self, test: &StoredTest, worker: usize) -> Result<Option<Ran>, Error> {
        if self.stop.is_set() {
            return Ok(None);
        }
        let cannot = |error: io::Error| Error::Tool(format!("cannot run {}: {error}", test.name));
        let setting = Setting::of(&self.recipe, &test.case);
        let room = self.scratch.path().join(format!("test-{worker}"));
        let room = Room::furnish(&room, &setting).map_err(cannot)?;
        let marks = self.scratch.path().join(format!("marks-{worker}"));
        File::create(&marks).map_err(cannot)?;
        let leaks = test
            .error
            .as_ref()
            .is_some_and(|path| path.to_string_lossy().ends_with(".leak.err"));
        let options = format!(
            "exitcode={SANITIZER_STATUS}:detect_leaks={}:allocator_may_return_null=1:\
             detect_stack_use_after_return=1",
            u8::from(leaks)
        );
        let ktest = room.ktest(&test.path, &test.case).map_err(cannot)?;
        // What the program finds around it is what it found in the machine, and the
        // runtime takes its own variables away.
        let mut command = room.command(&self.path, &setting);
        named(&mut command, machine::PROGRAM_NAME);
        command
            .env("EVERYPATH_KTEST", ktest)
            .env("EVERYPATH_COVERAGE", &marks);
        if self.sanitized {
            command.env("ASAN_OPTIONS", &options);
        }
        if self.is_checked() {
            command.env("UBSAN_OPTIONS", format!("exitcode={SANITIZER_STATUS}"));
        }
        let child = command
            .stdout(append(&room.stdout).map_err(cannot)?)
            .stderr(append(&room.stderr).map_err(cannot)?)
            .spawn()
            .map_err(cannot)?;
        let Ok(status) = wait(child, &self.stop).map_err(cannot)? else {
            return Ok(None);
        };
        let said = beginning(&room.stderr).map_err(cannot)?;
        let written = beginning(&room.stdout).map_err(cannot)?;
        let mut reached = fs::read(&marks).map_err(cannot)?;
        // A program that did not get as far as its table has been nowhere.
        reached.resize(self.marks, 0);
        Ok(Some(Ran {
            reached,
            written,
            ..Ran::new(status, &String::from_utf8_lossy(&said))
        }))
    }
}

/// Where one test runs: a directory that is new, and files beside it for what goes in
/// and out.
pub struct Room {
    directory: PathBuf,
    stdin: PathBuf,
    stdout: PathBuf,
    stderr: PathBuf,
    ktest: PathBuf,
}

impl Room {
    /// The file with the test's inputs: its own, or one made here for a test of an
    /// archive. The program does not run where we do, so that the path is absolute.
    pub fn ktest(&self, path: &Path, case: &TestCase) -> io::Result<PathBuf> {
        if path.is_file() {
            return std::path::absolute(path);
        }
        fs::write(&self.ktest, suite::ktest::encode(case))?;
        std::path::absolute(&self.ktest)
    }

    /// Makes the directory and the test's files in it.
    pub fn furnish(place: &Path, setting: &Setting) -> io::Result<Room> {
        if place.exists() {
            fs::remove_dir_all(place)?;
        }
        let room = Room {
            directory: place.join("directory"),
            stdin: place.join("stdin"),
            stdout: place.join("stdout"),
            stderr: place.join("stderr"),
            ktest: place.join("ktest"),
        };
        fs::create_dir_all(&room.directory)?;
        for (name, bytes) in &setting.files {
            fs::write(room.directory.join(name), bytes)?;
        }
        fs::write(&room.stdin, &setting.stdin)?;
        fs::write(&room.stdout, [])?;
        fs::write(&room.stderr, [])?;
        Ok(room)
    }

    /// The program in this room, with the test's arguments, variables and standard input.
    pub fn command(&self, program: &Path, setting: &Setting) -> Command {
        let mut command = Command::new(program);
        let variables = setting.variables.iter();
        command
            .args(setting.arguments.iter().map(|bytes| text(bytes)))
            .current_dir(&self.directory)
            .env_clear()
            .envs(variables.map(|(name, value)| (name, text(value))))
            .env(
                "EVERYPATH_INPUTS",
                format!("{}:{}", setting.own.start, setting.own.end),
            )
            .stdin(File::open(&self.stdin).map_or_else(|_| Stdio::null(), Stdio::from));
        command
    }
}

/// A file to write to as the machine's standard output is written to: at its end.
fn append(path: &Path) -> io::Result<File> {
    File::options().append(true).open(path)
}

/// What is in a file, as far as anybody looks at it.
fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    file.take(OUTPUT_LIMIT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(unix)]
fn text(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStringExt;
    OsString::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
fn text(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// Lets the program find this as its name.
#[cfg(unix)]
fn named(command: &mut Command, name: &str) {
    use std::os::unix::process::CommandExt;
    command.arg0(name);
}

#[cfg(not(unix))]
fn named(_: &mut Command, _: &str) {}

/// Waits for a child, or ends it: at the time limit, which leaves no status, or because
/// the token is set.
pub fn wait(mut child: Child, stop: &Stop) -> io::Result<Result<Option<ExitStatus>, Stopped>> {
    let started = Instant::now();
    let mut pause = Duration::from_micros(100);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ok(Some(status)));
        }
        let stopped = stop.is_set();
        if stopped || started.elapsed() > TIME_LIMIT {
            child.kill()?;
            child.wait()?;
            return Ok(if stopped { Err(Stopped) } else { Ok(None) });
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// What a test did.
pub struct Ran {
    pub ended: Ended,
    /// What the runtime or a sanitizer said, if anything.
    pub said: String,
    /// Where it has been: for each point of the program, not 0 if so.
    pub reached: Vec<u8>,
    /// What it wrote to standard output.
    pub written: Vec<u8>,
}

/// How a test ended in the real program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With this status.
    Exit(i32),
    /// By this signal.
    Signal(i32),
    /// A sanitizer found an error.
    Sanitizer,
    /// The runtime could not read the test.
    NoTest,
    /// The program asked for other inputs than were recorded.
    OtherInputs,
    /// The program asked for inputs after the last that was recorded.
    MoreInputs,
    /// An assumption does not hold.
    Assumption,
    /// The path is one that is ignored.
    Ignored,
    /// Its threads wait for each other.
    Deadlock,
    /// Its threads could not be made to take turns as in the test.
    OtherTurns,
    /// It did not end in time.
    Late,
}

impl Ran {
    pub fn new(status: Option<ExitStatus>, output: &str) -> Ran {
        let runtime = output.lines().rev().find_map(|line| {
            let said = line.strip_prefix("everypath replay: ")?;
            (!said.starts_with("warning: ")).then_some(said)
        });
        let sanitizer = output
            .lines()
            .find(|line| line.contains("ERROR: ") || line.contains(": runtime error: "));
        let Some(status) = status else {
            return Ran {
                ended: Ended::Late,
                said: String::new(),
                reached: Vec::new(),
                written: Vec::new(),
            };
        };
        let ended = match (status.code(), runtime, sanitizer) {
            // A program may use the runtime's statuses itself, and is then
            // silent about it.
            (Some(92), Some(_), _) => Ended::OtherTurns,
            (Some(93), Some(_), _) => Ended::Deadlock,
            (Some(96), Some(_), _) => Ended::NoTest,
            (Some(94), Some(_), _) => Ended::MoreInputs,
            (Some(97), Some(_), _) => Ended::OtherInputs,
            (Some(98), Some(_), _) => Ended::Assumption,
            (Some(99), Some(_), _) => Ended::Ignored,
            (Some(SANITIZER_STATUS), _, Some(_)) => Ended::Sanitizer,
            (Some(code), _, _) => Ended::Exit(code),
            (None, _, _) => Ended::Signal(signal(status)),
        };
        let said = runtime.or(sanitizer).unwrap_or_default().to_owned();
        Ran {
            ended,
            said,
            reached: Vec::new(),
            written: Vec::new(),
        }
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.signal().unwrap_or_default()
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> i32 {
    0
}

impl fmt::Display for Ended {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ended::Exit(status) => write!(out, "exit {status}"),
            Ended::Signal(SIGILL) => out.write_str("SIGILL"),
            Ended::Signal(SIGTRAP) => out.write_str("SIGTRAP"),
            Ended::Signal(SIGABRT) => out.write_str("SIGABRT"),
            Ended::Signal(SIGFPE) => out.write_str("SIGFPE"),
            Ended::Signal(SIGSEGV) => out.write_str("SIGSEGV"),
            Ended::Signal(number) => write!(out, "signal {number}"),
            Ended::Sanitizer => out.write_str("an error that a sanitizer found"),
            Ended::NoTest => out.write_str("that the test could not be read"),
            Ended::OtherInputs => out.write_str("a request for other inputs"),
            Ended::MoreInputs => out.write_str("a request for more inputs"),
            Ended::Assumption => out.write_str("an assumption that does not hold"),
            Ended::Ignored => out.write_str("a path that is ignored"),
            Ended::Deadlock => out.write_str("threads that wait for each other"),
            Ended::OtherTurns => out.write_str("threads that took other turns"),
            Ended::Late => write!(out, "no end within {} s", TIME_LIMIT.as_secs()),
        }
    }
}

/// A build under way.
struct Build<'r> {
    recipe: &'r Recipe,
    scratch: Scratch,
    options: CompileOptions,
    stop: Stop,
}

impl<'r> Build<'r> {
    fn new(recipe: &'r Recipe, stop: &Stop) -> Result<Build<'r>, Error> {
        let scratch = Scratch::new()?;
        let headers = scratch.headers()?;
        Ok(Build {
            recipe,
            options: compile_options(recipe, &headers)?,
            scratch,
            stop: stop.clone(),
        })
    }

    fn clang(&self) -> Result<Clang<'_>, Error> {
        Ok(Clang::find(&self.options)?)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    fn run(&self, command: &CommandLine, purpose: &str) -> Result<(), Error> {
        command.run(&format!("{purpose} for the replay"), &self.stop)?;
        Ok(())
    }

    /// Makes an object of an LLVM file, as it is.
    fn object(&self, file: &Path, name: &str, purpose: &str) -> Result<PathBuf, Error> {
        let object = self.path(name);
        let command = self.clang()?.unchanged_object(file, &object);
        self.run(&command, &format!("compile {purpose}"))?;
        Ok(object)
    }

    /// The definitions of functions that the run had stubs for.
    fn stubs(&self, program: &Program) -> Result<Option<PathBuf>, Error> {
        if self.recipe.stubs.is_empty() {
            return Ok(None);
        }
        let text = super::stubs::text(program, &self.recipe.stubs)?;
        let file = self.scratch.write("stubs.c", &text)?;
        let object = self.path("stubs.o");
        let command = self.clang()?.runtime_object(&file, &object);
        self.run(&command, "compile the stubs")?;
        Ok(Some(object))
    }

    fn runtime(&self, name: &str, text: &str) -> Result<PathBuf, Error> {
        let file = self.scratch.write(name, text)?;
        let object = file.with_extension("o");
        let command = self.clang()?.runtime_object(&file, &object);
        self.run(&command, "compile the replay runtime")?;
        Ok(object)
    }

    fn link(
        self,
        mut objects: Vec<PathBuf>,
        wrapped: &[&'static str],
        sanitize: bool,
        marks: usize,
    ) -> Result<Binary, Error> {
        objects.push(self.runtime("replay.c", REPLAY)?);
        let path = self.path("program");
        let rust_archive = match self.recipe.has(Language::Rust) {
            true => Some(Rustc::find(&self.options)?.archive(self.scratch.path(), &self.stop)?),
            false => None,
        };
        let cpp = self.options.cpp.as_ref();
        let with = Link {
            cpp: self.recipe.has(Language::Cpp),
            cpp_archives: cpp.map_or(&[], |library| &library.native),
            rust_archive: rust_archive.as_deref(),
            sanitize,
            wrapped,
            libraries: &self.recipe.libraries,
            system_libraries: &program::native_libraries(&self.recipe.files),
        };
        let command = self.clang()?.link(&objects, &with, &path);
        self.run(&command, "link the program")?;
        Ok(Binary {
            scratch: self.scratch,
            path,
            marks,
            recipe: self.recipe.clone(),
            sanitized: sanitize,
            takes_turns: !wrapped.is_empty(),
            stop: self.stop,
        })
    }
}
