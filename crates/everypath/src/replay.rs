//! `everypath replay`: generated tests in the real program.
//!
//! A test is a claim: on these inputs the program ends like this. The claim is
//! checked by compiling the same files natively with a runtime that feeds the
//! inputs. What differs is shown, never hidden.

use crate::Outcome;
use native::{Binary, Ended, Program, Ran};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use suite::{RunDirectory, StoredTest};

/// Runs generated tests in the real program.
///
/// Compiles the files that were run with clang and a runtime that feeds the
/// recorded inputs, runs each test, and compares how it ends with what the run
/// predicted.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath replay                                     what there is to replay
  everypath replay everypath-last --native             all tests of the last run
  everypath replay everypath-out-3/test000007 --native one test
  everypath replay everypath-last --native --sanitize  with ASan and UBSan

Without --native nothing is compiled: the tests and their predicted ends are
listed. A test that is predicted to use memory wrongly may end in any way in
the real program; with --sanitize it has to fail.

Exit status: 0 every test ended as predicted; 1 a test did not; 2 the tests
could not be replayed.")]
pub struct Arguments {
    /// A directory that everypath run has written, or one test in it.
    #[arg(value_name = "DIR", default_value = "everypath-last")]
    tests: PathBuf,
    /// Compiles the program natively and runs the tests in it.
    #[arg(long)]
    native: bool,
    /// Compiles with the address and undefined-behaviour sanitizers.
    #[arg(long, requires = "native")]
    sanitize: bool,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

/// Replays the tests; an error is one message for the user.
pub fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let started = Instant::now();
    let claims = Claims::read(&arguments.tests)?;
    for torn in &claims.directory.torn {
        eprintln!("note: left out: {}", torn.reason);
    }
    if !arguments.native {
        crate::solve::say(&claims.listing(arguments.json))?;
        return Ok(Outcome::Clean);
    }
    let program = Program::read(&claims.run)
        .map_err(|reason| format!("error: {}: {reason}", claims.run_json().display()))?;
    for file in program.files_changed_since(&claims.run_json()) {
        eprintln!("note: {} has changed since the run", file.display());
    }
    let binary = Binary::build(&program, arguments.sanitize)?;
    let ran = binary.run(&claims.tests())?;
    let verdicts: Vec<Verdict> = claims.judge(&ran, program.is_checked(arguments.sanitize));
    let result = Replayed {
        verdicts,
        seconds: started.elapsed().as_secs_f64(),
    };
    crate::solve::say(&match arguments.json {
        true => result.json().to_string(),
        false => result.summary(),
    })?;
    Ok(match result.divergences().next() {
        Some(_) => Outcome::Found,
        None => Outcome::Clean,
    })
}

/// How the tests of a run end, by number: for each end, the tests that end so.
///
/// In `run.json` the numbers are text, `1-5 8`: a run has many tests and few
/// ends.
#[derive(Default)]
pub struct Ends(BTreeMap<String, Vec<(u64, u64)>>);

impl Ends {
    /// Notes the end of a test; tests come in the order of their numbers.
    pub fn note(&mut self, test: u64, end: &machine::End) {
        let name = match end {
            machine::End::Exit(status) => format!("exit {status}"),
            machine::End::Error(kind, _) => kind.name().to_owned(),
            machine::End::Ignored => return,
        };
        let ranges = self.0.entry(name).or_default();
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == test => *last = test,
            _ => ranges.push((test, test)),
        }
    }

    /// The object for `run.json`.
    pub fn to_json(&self) -> Json {
        let fields = self.0.iter().map(|(end, ranges)| {
            let ranges: Vec<String> = ranges
                .iter()
                .map(|&(first, last)| match first == last {
                    true => first.to_string(),
                    false => format!("{first}-{last}"),
                })
                .collect();
            (end.clone(), ranges.join(" ").into())
        });
        Json::Object(fields.collect())
    }

    /// The ends in a `run.json`; none when it was written without them.
    pub fn read(run: Option<&Json>) -> Result<Ends, String> {
        let Some(ends) = run.and_then(|run| run.get("ends")) else {
            return Ok(Ends::default());
        };
        let wrong = || "`ends` does not name the tests by their ends".to_owned();
        let mut read = Ends::default();
        for (end, tests) in ends.as_object().ok_or_else(wrong)? {
            let tests = tests.as_str().ok_or_else(wrong)?;
            let ranges: Option<Vec<_>> = tests.split_whitespace().map(range).collect();
            read.0.insert(end.clone(), ranges.ok_or_else(wrong)?);
        }
        Ok(read)
    }

    /// How the test `test000001` ends, if that is known.
    pub fn of(&self, test: &str) -> Option<String> {
        let number: u64 = test.strip_prefix("test")?.parse().ok()?;
        let holds = |ranges: &[(u64, u64)]| {
            let after = ranges.partition_point(|&(first, _)| first <= number);
            after > 0 && number <= ranges[after - 1].1
        };
        let (end, _) = self.0.iter().find(|(_, ranges)| holds(ranges))?;
        Some(end.clone())
    }
}

fn range(text: &str) -> Option<(u64, u64)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    Some((first.parse().ok()?, last.parse().ok()?))
}

/// The tests to replay, and what the run said of them.
struct Claims {
    directory: RunDirectory,
    run: Json,
    ends: Ends,
    /// The one test asked for, if not all.
    only: Option<String>,
}

impl Claims {
    fn read(path: &Path) -> Result<Claims, String> {
        let (directory, only) = if path.is_dir() || !looks_like_test(path) {
            (path.to_owned(), None)
        } else {
            let file = crate::show::find(path)?;
            // A torn file is told of here, where it is the one asked for.
            suite::ktest::read(&file).map_err(|error| format!("error: {error}"))?;
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            let name = name.into_owned();
            let parent = file.parent().filter(|p| !p.as_os_str().is_empty());
            (parent.unwrap_or(Path::new(".")).to_owned(), Some(name))
        };
        let directory =
            RunDirectory::open(&directory).map_err(|error| format!("error: {error}"))?;
        let run_json = directory.path.join("run.json");
        let run = directory.run.clone().ok_or_else(|| {
            format!(
                "error: there is no {}, which says what program the tests are for; \
                 the run was killed before its end, or KLEE's: run the program again",
                run_json.display()
            )
        })?;
        let ends = Ends::read(Some(&run))
            .map_err(|reason| format!("error: {}: {reason}", run_json.display()))?;
        Ok(Claims {
            directory,
            run,
            ends,
            only,
        })
    }

    fn run_json(&self) -> PathBuf {
        self.directory.path.join("run.json")
    }

    fn tests(&self) -> Vec<&StoredTest> {
        let asked = |test: &&StoredTest| self.only.as_ref().is_none_or(|only| *only == test.name);
        self.directory.tests.iter().filter(asked).collect()
    }

    fn listing(&self, as_json: bool) -> String {
        let tests = self.tests();
        let ends = tests.iter().map(|test| self.ends.of(&test.name));
        if as_json {
            let listed: Vec<Json> = tests
                .iter()
                .zip(ends)
                .map(|(test, end)| json!({"test": test.name, "predicted": end}))
                .collect();
            return json!({"schema": 1, "native": false, "tests": listed}).to_string();
        }
        let mut text = String::new();
        for (test, end) in tests.iter().zip(ends) {
            let end = end.unwrap_or("a limit stopped this path".to_owned());
            let _ = writeln!(text, "{}  {end}", test.name);
        }
        let count = count(tests.len(), "test");
        text + &format!("{count} to replay; --native runs them in the real program")
    }

    fn judge(&self, ran: &[Ran], checked: bool) -> Vec<Verdict> {
        let tests = self.tests();
        let judged = tests.iter().zip(ran).map(|(test, ran)| {
            let predicted = self.ends.of(&test.name);
            Verdict {
                test: test.name.clone(),
                agrees: agrees(predicted.as_deref(), ran, checked),
                predicted,
                ended: ran.ended.to_string(),
                said: ran.said.clone(),
            }
        });
        judged.collect()
    }
}

fn looks_like_test(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".ktest") || (name.starts_with("test") && !path.exists())
}

/// Whether what happened is what the prediction allows. `checked` says that
/// sanitizers watched all the code.
fn agrees(predicted: Option<&str>, ran: &Ran, checked: bool) -> Agreement {
    use Agreement::{Agrees, Allowed, Diverges};
    let holds = |condition: bool| if condition { Agrees } else { Diverges };
    let Some(predicted) = predicted else {
        // The path was not followed to its end, so nothing after it is wrong.
        return match ran.ended {
            Ended::NoTest => Diverges,
            _ => Allowed,
        };
    };
    if let Some(status) = predicted.strip_prefix("exit ") {
        let status: Option<i32> = status.parse().ok();
        // The system keeps eight bits.
        let kept = status.map(|status| status & 0xff);
        return holds(matches!(ran.ended, Ended::Exit(status) if Some(status) == kept));
    }
    match predicted {
        "assert" => holds(ran.ended == Ended::Signal(native::SIGABRT)),
        "abort" => {
            let signals = [native::SIGABRT, native::SIGILL, native::SIGTRAP];
            holds(matches!(ran.ended, Ended::Signal(signal) if signals.contains(&signal)))
        }
        // The machine could not follow; that says nothing about the program.
        "unsupported" => Allowed,
        _ if checked => holds(matches!(ran.ended, Ended::Sanitizer | Ended::Signal(_))),
        "division" if cfg!(target_arch = "x86_64") => holds(matches!(
            ran.ended,
            Ended::Sanitizer | Ended::Signal(native::SIGFPE)
        )),
        _ => match &ran.ended {
            Ended::Signal(_) | Ended::Sanitizer => Agrees,
            Ended::NoTest | Ended::OtherInputs => Diverges,
            Ended::Exit(_)
            | Ended::MoreInputs
            | Ended::Assumption
            | Ended::Ignored
            | Ended::Late => Allowed,
        },
    }
}

/// What a prediction and what happened have to do with each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Agreement {
    /// It happened.
    Agrees,
    /// It was not seen, and nothing speaks against it.
    Allowed,
    /// Something else happened.
    Diverges,
}

/// One test, judged.
struct Verdict {
    test: String,
    predicted: Option<String>,
    ended: String,
    /// What the runtime or a sanitizer said, if anything.
    said: String,
    agrees: Agreement,
}

/// A whole replay, judged.
struct Replayed {
    verdicts: Vec<Verdict>,
    seconds: f64,
}

impl Replayed {
    fn divergences(&self) -> impl Iterator<Item = &Verdict> {
        let diverges = |verdict: &&Verdict| verdict.agrees == Agreement::Diverges;
        self.verdicts.iter().filter(diverges)
    }

    fn number(&self, agreement: Agreement) -> usize {
        let is = |verdict: &&Verdict| verdict.agrees == agreement;
        self.verdicts.iter().filter(is).count()
    }

    fn summary(&self) -> String {
        let mut text = String::new();
        for verdict in self.divergences() {
            let predicted = verdict.predicted.as_deref().unwrap_or("nothing");
            let _ = writeln!(
                text,
                "divergence: {}: predicted {predicted}, happened {}",
                verdict.test, verdict.ended
            );
            for line in verdict.said.lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
        let _ = write!(
            text,
            "{} replayed: {} as predicted, {} not contradicted, {}; {:.2} s",
            count(self.verdicts.len(), "test"),
            self.number(Agreement::Agrees),
            self.number(Agreement::Allowed),
            count(self.number(Agreement::Diverges), "divergence"),
            self.seconds
        );
        text
    }

    fn json(&self) -> Json {
        let divergences: Vec<Json> = self
            .divergences()
            .map(|verdict| {
                json!({"test": verdict.test, "predicted": verdict.predicted,
                       "happened": verdict.ended, "said": verdict.said})
            })
            .collect();
        json!({"schema": 1, "native": true, "tests": self.verdicts.len(),
               "agreed": self.number(Agreement::Agrees),
               "not_contradicted": self.number(Agreement::Allowed),
               "divergences": divergences, "seconds": self.seconds})
    }
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The program as a native binary, and tests run in it.
mod native {
    use serde_json::Value as Json;
    use std::fmt;
    use std::fs::{self, File};
    use std::io::{self, Read};
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, ExitStatus, Stdio};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};
    use suite::StoredTest;

    pub const SIGILL: i32 = 4;
    pub const SIGTRAP: i32 = 5;
    pub const SIGABRT: i32 = 6;
    pub const SIGFPE: i32 = 8;

    /// The commands tried, as `everypath run` tries them.
    const COMPILERS: [&str; 2] = ["clang-22", "clang"];
    /// How long a test may take.
    const TIME_LIMIT: Duration = Duration::from_secs(10);
    /// The status a sanitizer ends with; the runtime's own are 96 to 99.
    const SANITIZER_STATUS: i32 = 95;
    /// How much of what a test prints on standard error is looked at.
    const OUTPUT_LIMIT: u64 = 1 << 20;

    /// What `run.json` says of the program.
    pub struct Program {
        files: Vec<PathBuf>,
        directory: PathBuf,
        include: Vec<String>,
        define: Vec<String>,
        std: Option<String>,
        optimise: String,
        cc_args: Vec<String>,
    }

    impl Program {
        pub fn read(run: &Json) -> Result<Program, String> {
            let program = run
                .get("program")
                .ok_or("it does not say what program was run; run it again with this version")?;
            let text = |name: &str| {
                let value = program.get(name).and_then(Json::as_str);
                value.map(str::to_owned)
            };
            let texts = |name: &str| -> Result<Vec<String>, String> {
                let values = program.get(name).and_then(Json::as_array);
                let values = values.map(|all| all.iter().map(|one| Some(one.as_str()?.to_owned())));
                let values: Option<Vec<String>> = values.and_then(Iterator::collect);
                values.ok_or_else(|| format!("`program.{name}` is not a list of texts"))
            };
            let entry = text("entry").unwrap_or_default();
            if entry != "main" {
                return Err(format!(
                    "the run began at `{entry}`; only programs run from `main` can be replayed"
                ));
            }
            Ok(Program {
                files: texts("files")?.into_iter().map(PathBuf::from).collect(),
                directory: text("directory").unwrap_or_else(|| ".".to_owned()).into(),
                include: texts("include")?,
                define: texts("define")?,
                std: text("std"),
                optimise: text("optimise").unwrap_or_else(|| "0".to_owned()),
                cc_args: texts("cc_args")?,
            })
        }

        /// The program's files that are younger than `run_json`.
        pub fn files_changed_since(&self, run_json: &Path) -> Vec<&PathBuf> {
            let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
            let Some(written) = changed(run_json) else {
                return Vec::new();
            };
            let is_younger = |file: &&PathBuf| changed(file).is_some_and(|time| time > written);
            self.files.iter().filter(is_younger).collect()
        }

        /// Whether sanitizers watch all of the program: they are put in where C
        /// is compiled, and LLVM files have that behind them.
        pub fn is_checked(&self, sanitize: bool) -> bool {
            sanitize && !self.files.iter().any(|file| is_llvm(file))
        }

        fn compile_arguments(&self, file: &Path) -> Vec<String> {
            let mut arguments = vec!["-c".to_owned(), "-g".to_owned(), "-w".to_owned()];
            arguments.push(format!("-O{}", self.optimise));
            if !is_llvm(file) {
                // One standard is given for files of two languages.
                let fits = |std: &&String| std.contains("++") == is_cpp(file);
                arguments.extend(
                    self.std
                        .iter()
                        .filter(fits)
                        .map(|std| format!("-std={std}")),
                );
                arguments.extend(self.include.iter().map(|path| format!("-I{path}")));
                arguments.extend(self.define.iter().map(|define| format!("-D{define}")));
            }
            arguments.extend(self.cc_args.iter().cloned());
            arguments
        }
    }

    fn extension(file: &Path) -> &str {
        file.extension()
            .and_then(|e| e.to_str())
            .unwrap_or_default()
    }

    fn is_llvm(file: &Path) -> bool {
        matches!(extension(file), "ll" | "bc")
    }

    fn is_cpp(file: &Path) -> bool {
        matches!(extension(file), "cc" | "cpp" | "cxx")
    }

    /// A directory of its own that is gone when this is.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new() -> Result<Scratch, String> {
            let parent = std::env::temp_dir();
            let mut number = 0;
            loop {
                let name = format!("everypath-replay-{}-{number}", std::process::id());
                let path = parent.join(name);
                match fs::create_dir(&path) {
                    Ok(()) => return Ok(Scratch(path)),
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                    Err(error) => {
                        return Err(format!("error: cannot create {}: {error}", path.display()));
                    }
                }
            }
        }

        fn write(&self, name: &str, text: &str) -> Result<PathBuf, String> {
            let path = self.0.join(name);
            let folder = path.parent().expect("a file in a directory has a parent");
            fs::create_dir_all(folder)
                .and_then(|()| fs::write(&path, text))
                .map_err(|error| format!("error: cannot write {}: {error}", path.display()))?;
            Ok(path)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            // A leftover in the temporary directory harms nobody.
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// The program, compiled with the runtime that feeds inputs.
    pub struct Binary {
        scratch: Scratch,
        path: PathBuf,
    }

    impl Binary {
        pub fn build(program: &Program, sanitize: bool) -> Result<Binary, String> {
            let scratch = Scratch::new()?;
            for (path, text) in machine::runtime::HEADERS {
                scratch.write(&format!("include/{path}"), text)?;
            }
            let headers = format!("-I{}", scratch.0.join("include").display());
            let mut sanitizers: Vec<String> = Vec::new();
            if sanitize {
                sanitizers.push("-fsanitize=address,undefined".to_owned());
                sanitizers.push("-fno-sanitize-recover=all".to_owned());
            }
            let clang = Clang::find(&program.directory)?;

            let mut objects = Vec::new();
            for (number, file) in program.files.iter().enumerate() {
                let object = scratch.0.join(format!("{number}.o")).display().to_string();
                let mut arguments = vec![headers.clone()];
                arguments.extend(program.compile_arguments(file));
                arguments.extend(sanitizers.iter().cloned());
                arguments.extend(["-o".into(), object.clone(), file.display().to_string()]);
                clang.run(&arguments, &format!("compile {}", file.display()))?;
                objects.push(object);
            }

            let runtime = scratch.write("replay.c", machine::runtime::REPLAY)?;
            let object = scratch.0.join("replay.o").display().to_string();
            let mut arguments: Vec<String> = vec!["-c".into(), "-w".into(), "-O1".into(), headers];
            // The runtime is for the same machine as the program.
            let targets = ["-m", "--target"];
            let is_target = |arg: &&String| targets.iter().any(|start| arg.starts_with(start));
            arguments.extend(program.cc_args.iter().filter(is_target).cloned());
            arguments.extend(["-o".into(), object.clone(), runtime.display().to_string()]);
            clang.run(&arguments, "compile the replay runtime")?;
            objects.push(object);

            let path = scratch.0.join("program");
            let mut arguments = vec!["-w".to_owned()];
            if program.files.iter().any(|file| is_cpp(file)) {
                arguments.push("--driver-mode=g++".to_owned());
            }
            arguments.extend(objects);
            arguments.extend(sanitizers);
            arguments.extend(program.cc_args.iter().cloned());
            arguments.extend(["-lm".into(), "-o".into(), path.display().to_string()]);
            clang.run(&arguments, "link the program")?;
            Ok(Binary { scratch, path })
        }

        /// Runs the tests, as many at once as there are processors; the results
        /// are in the order of the tests.
        pub fn run(&self, tests: &[&StoredTest]) -> Result<Vec<Ran>, String> {
            let workers = std::thread::available_parallelism().map_or(1, usize::from);
            let next = AtomicUsize::new(0);
            let work = |worker: usize| -> Result<Vec<(usize, Ran)>, String> {
                let mut results = Vec::new();
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    match tests.get(index) {
                        Some(test) => results.push((index, self.run_one(test, worker)?)),
                        None => return Ok(results),
                    }
                }
            };
            let mut results = std::thread::scope(|scope| {
                let work = &work;
                let workers: Vec<_> = (0..workers.min(tests.len()))
                    .map(|worker| scope.spawn(move || work(worker)))
                    .collect();
                let mut all = Vec::new();
                for worker in workers {
                    all.extend(worker.join().expect("a worker does not panic")?);
                }
                Ok::<_, String>(all)
            })?;
            results.sort_by_key(|&(index, _)| index);
            Ok(results.into_iter().map(|(_, ran)| ran).collect())
        }

        fn run_one(&self, test: &StoredTest, worker: usize) -> Result<Ran, String> {
            let cannot = |error: io::Error| format!("error: cannot run {}: {error}", test.name);
            let output = self.scratch.0.join(format!("stderr-{worker}"));
            // What the program may find around it is what it found in the
            // machine: no input, no environment.
            let leaks = test
                .error
                .as_ref()
                .is_some_and(|path| path.to_string_lossy().ends_with(".leak.err"));
            let options = format!(
                "exitcode={SANITIZER_STATUS}:detect_leaks={}:allocator_may_return_null=1:\
                 detect_stack_use_after_return=1",
                u8::from(leaks)
            );
            let child = Command::new(&self.path)
                .args(test.case.args.iter().skip(1))
                .current_dir(&self.scratch.0)
                .env_clear()
                .env("EVERYPATH_KTEST", &test.path)
                .env("ASAN_OPTIONS", &options)
                .env("UBSAN_OPTIONS", format!("exitcode={SANITIZER_STATUS}"))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(File::create(&output).map_err(cannot)?)
                .spawn()
                .map_err(cannot)?;
            let status = wait(child).map_err(cannot)?;
            let mut said = Vec::new();
            File::open(&output)
                .and_then(|file| file.take(OUTPUT_LIMIT).read_to_end(&mut said))
                .map_err(cannot)?;
            Ok(Ran::new(status, &String::from_utf8_lossy(&said)))
        }
    }

    /// Waits for a child, or ends it at the time limit.
    fn wait(mut child: Child) -> io::Result<Option<ExitStatus>> {
        let started = Instant::now();
        let mut pause = Duration::from_micros(100);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if started.elapsed() > TIME_LIMIT {
                child.kill()?;
                child.wait()?;
                return Ok(None);
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
        /// It did not end in time.
        Late,
    }

    impl Ran {
        fn new(status: Option<ExitStatus>, output: &str) -> Ran {
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
                };
            };
            let ended = match (status.code(), runtime, sanitizer) {
                // A program may use the runtime's statuses itself, and is then
                // silent about it.
                (Some(96), Some(_), _) => Ended::NoTest,
                (Some(97), Some(said), _) if said.contains(", and the test has ") => {
                    Ended::MoreInputs
                }
                (Some(97), Some(_), _) => Ended::OtherInputs,
                (Some(98), Some(_), _) => Ended::Assumption,
                (Some(99), Some(_), _) => Ended::Ignored,
                (Some(SANITIZER_STATUS), _, Some(_)) => Ended::Sanitizer,
                (Some(code), _, _) => Ended::Exit(code),
                (None, _, _) => Ended::Signal(signal(status)),
            };
            let said = runtime.or(sanitizer).unwrap_or_default().to_owned();
            Ran { ended, said }
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
                Ended::Signal(11) => out.write_str("SIGSEGV"),
                Ended::Signal(number) => write!(out, "signal {number}"),
                Ended::Sanitizer => out.write_str("an error that a sanitizer found"),
                Ended::NoTest => out.write_str("that the test could not be read"),
                Ended::OtherInputs => out.write_str("a request for other inputs"),
                Ended::MoreInputs => out.write_str("a request for more inputs"),
                Ended::Assumption => out.write_str("an assumption that does not hold"),
                Ended::Ignored => out.write_str("a path that is ignored"),
                Ended::Late => write!(out, "no end within {} s", TIME_LIMIT.as_secs()),
            }
        }
    }

    /// The compiler, working where the run's compiler did.
    struct Clang<'a> {
        command: &'static str,
        directory: &'a Path,
    }

    impl Clang<'_> {
        fn find(directory: &Path) -> Result<Clang<'_>, String> {
            let answers = |command: &&str| {
                let mut asked = Command::new(command);
                let asked = asked
                    .arg("--version")
                    .stdout(Stdio::null())
                    .stderr(Stdio::null());
                asked.status().is_ok_and(|status| status.success())
            };
            let command = COMPILERS.into_iter().find(answers).ok_or_else(|| {
                format!(
                    "error: no clang found (tried {}); everypath doctor says how to get it",
                    COMPILERS.join(", ")
                )
            })?;
            Ok(Clang { command, directory })
        }

        fn run(&self, arguments: &[String], purpose: &str) -> Result<(), String> {
            let result = Command::new(self.command)
                .args(arguments)
                .current_dir(self.directory)
                .output()
                .map_err(|error| {
                    format!(
                        "error: cannot run {} in {}: {error}",
                        self.command,
                        self.directory.display()
                    )
                })?;
            if result.status.success() {
                return Ok(());
            }
            let said = String::from_utf8_lossy(&result.stderr);
            Err(format!(
                "error: {} could not {purpose} for the replay:\n{}",
                self.command,
                said.trim_end()
            ))
        }
    }
}
