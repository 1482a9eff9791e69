//! `everypath run`: a program on every input.

use crate::Outcome;
use crate::error::Error;
use crate::external;
use crate::input::InputArguments;
use crate::report::{self, Recorder, Wanted};
use crate::source::ProgramArguments;
use crate::stage::MethodArguments;
use crate::testcomp::Metadata;
use crate::unit_test::Sources;
use engine::policy::staged::Misfit;
use engine::{NotReady, Plan, Ready, Start, Steps};
use explore::{Limits, Strategy};
use machine::Machine;
use mixed::Mixed;
use program::{FunctionId, Program};
use solver::{Config, Solver};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use suite::Recipe;

/// Runs a program on every input at once.
///
/// Explores the paths of C, C++, Rust and LLVM programs, writes a test for each, and
/// reports every error with the input that triggers it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath run parser.c
  everypath run -I include -D NDEBUG parser.c main.c --search dfs
  everypath run --max-time 60 --json program.bc
  everypath run calc.c --sym-stdin 12 --grammar calc.bnf
  everypath run counter.c --search fitness --max-errors 1
  everypath run driver.c --look-ahead --until-covered
  everypath run main.c parser.c --symbolic-only parser.c

Mark inputs with everypath.h or klee/klee.h, which are found by themselves, or
with __VERIFIER_nondet_*(). Tests go to everypath-out-N; everypath-last links
to the last one.

Exit status: 0 no error was found; 1 the program has an error; 2 the program
could not be run.")]
pub struct Arguments {
    #[command(flatten)]
    pub program: ProgramArguments,
    /// The function to start with.
    #[arg(long, default_value = "main")]
    entry: String,
    /// How the next path is chosen: dfs, bfs, random-path, random-state,
    /// coverage-new, depth, instructions, interleaved or fitness.
    #[arg(long, default_value = "interleaved", value_parser = |s: &str| s.parse::<Strategy>())]
    search: Strategy,
    /// What random choices depend on.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Stops after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = crate::solve::seconds)]
    pub max_time: Option<Duration>,
    /// Stops when the process takes more memory than this.
    #[arg(long, value_name = "MIB")]
    max_memory: Option<u64>,
    /// Ends paths with more symbolic branches than this.
    #[arg(long, value_name = "N")]
    max_depth: Option<u64>,
    /// Ends paths on which more calls of the program's functions than this are in
    /// each other; that of main is the first.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_call_depth: Option<u64>,
    /// Drops paths from which no uncovered branch can be reached.
    #[arg(long)]
    look_ahead: bool,
    /// Makes only these functions, or the functions of these files, symbolic; all
    /// other code goes where inputs take it. Several are separated by commas.
    #[arg(long, value_name = "FUNC|FILE", value_delimiter = ',')]
    symbolic_only: Vec<String>,
    /// Stops after this many forks.
    #[arg(long, value_name = "N")]
    max_forks: Option<u64>,
    /// Stops after this many instructions.
    #[arg(long, value_name = "N")]
    max_instructions: Option<u64>,
    /// Stops after this many tests.
    #[arg(long, value_name = "N")]
    max_tests: Option<u64>,
    /// Stops after this many errors.
    #[arg(long, value_name = "N")]
    max_errors: Option<u64>,
    /// Stops when every line and every branch has been covered.
    #[arg(long)]
    until_covered: bool,
    /// Stops when this many paths wait.
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
    /// Gives up on a question to the solver after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = crate::solve::seconds)]
    solver_time: Option<Duration>,
    /// How many paths are followed at once; one, for now.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=1))]
    workers: u8,
    /// Writes no tests for paths that a limit stopped.
    #[arg(long)]
    no_dump: bool,
    /// Reports memory that is never freed.
    #[arg(long)]
    pub leaks: bool,
    /// Reports behaviour that depends on memory nothing was written to.
    #[arg(long)]
    uninitialised: bool,
    /// Prints what the program writes, path by path.
    #[arg(long, conflicts_with = "json")]
    echo: bool,
    /// Writes each question that reached a backend to queries.smt2, as SMT-LIB.
    #[arg(long)]
    write_queries: bool,
    /// Writes the tests as a Test-Comp suite too, in test-suite.
    #[arg(long)]
    write_testcomp: bool,
    #[command(flatten)]
    pub input: InputArguments,
    #[command(flatten)]
    external: external::ExternalArguments,
    #[command(flatten)]
    pub staged: MethodArguments,
    /// Where tests go, instead of everypath-out-N.
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Prints one JSON object on standard output.
    #[arg(long)]
    pub json: bool,
}

impl Arguments {
    /// Whether there is a limit that ends any exploration.
    pub fn is_limited(&self) -> bool {
        let counts = [
            self.max_depth,
            self.max_forks,
            self.max_instructions,
            self.max_memory,
            self.max_states,
        ];
        self.max_time.is_some() || counts.iter().any(Option::is_some)
    }
}

/// Explores the program; an error is one message for the user.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    if arguments.staged.method.is_some() {
        return crate::stage::run_at_once(arguments);
    }
    arguments.staged.refuse("--method")?;
    if arguments.write_testcomp {
        arguments.input.refuse("--write-testcomp")?;
    }
    let started = Instant::now();
    let words = arguments.input.language()?;
    let mut program = load(arguments)?;
    if program.function("__ep_regenerate").is_some() {
        program = load_whole(arguments)?;
    }
    let entry = program.function(&arguments.entry).ok_or_else(|| {
        Error::Usage(format!(
            "there is no function `{}` in the program; name another with --entry{}",
            arguments.entry,
            report::entries(&program)
        ))
    })?;
    let (mixed, options) = engine(arguments, &program)?;
    if mixed.config().strategy == mixed::Strategy::Dart {
        arguments.input.refuse("--complex dart")?;
        for (given, option) in [
            (arguments.look_ahead, "--look-ahead"),
            (!arguments.symbolic_only.is_empty(), "--symbolic-only"),
        ] {
            if given {
                return Err(Error::Usage(format!(
                    "{option} cannot be used with --complex dart"
                )));
            }
        }
    }
    let steps = Steps {
        select: arguments.symbolic_only.clone(),
        stdin: arguments.input.stdin_for(words.as_ref()),
        ..steps(arguments, &program, Start::Function(entry))
    };
    let ready = Ready::new(&program, mixed, options, steps);
    let ready = ready.map_err(|error| not_ready(&program, &error))?;
    follow_all(arguments, &program, ready, &[entry], started)
}

impl Arguments {
    /// Refuses what makes no sense for objects made for a method.
    pub fn refuse_for_objects(&self) -> Result<(), Error> {
        if self.look_ahead {
            let losing = "it would lose objects whose fields lead to no new code";
            return Err(Error::Usage(format!(
                "--look-ahead cannot be used with objects made from an invariant: {losing}"
            )));
        }
        if !self.symbolic_only.is_empty() {
            return Err(Error::Usage(
                "--symbolic-only cannot be used with objects made from an invariant".to_owned(),
            ));
        }
        self.input.refuse("objects made from an invariant")
    }
}

/// Why the exploration cannot begin, and what to do.
pub fn not_ready(program: &Program, error: &NotReady) -> Error {
    match error {
        NotReady::Selection(_) => Error::Usage(format!(
            "--symbolic-only: {error}{}",
            report::entries(program)
        )),
        NotReady::Objects(Misfit::RangeOfPointer(field)) => {
            Error::Program(format!("{error}; bound it with --max {field}=2"))
        }
        NotReady::Objects(Misfit::ObjectsOfNumber(field)) => {
            Error::Program(format!("{error}; bound it with --range {field}=0..9"))
        }
        NotReady::Objects(_) | NotReady::Program(_) => Error::Program(error.to_string()),
    }
}

/// What decides conditions, and what the machine looks for.
pub fn engine<'p>(
    arguments: &Arguments,
    program: &Program,
) -> Result<(Mixed<'p>, machine::Options), Error> {
    let memory = arguments.max_memory.map(|mib| mib << 20);
    let stop = crate::interrupt::token().limited(arguments.max_time, memory);
    let config = Config {
        limits: solver::Limits {
            stop: stop.clone(),
            ..solver::Limits::default()
        },
        time: arguments.solver_time,
        record: arguments.write_queries,
        ..Config::default()
    };
    let options = machine::Options {
        leaks: arguments.leaks,
        uninitialised: arguments.uninitialised,
        wide_shifts: arguments.program.is_unoptimised(),
        call_depth: arguments.max_call_depth,
        external: arguments.external.options(program)?,
        stop,
        ..machine::Options::default()
    };
    let mixed = (arguments.external).mixed(Solver::new(config), arguments.seed)?;
    Ok((mixed, options))
}

/// Says which functions the program lacks, if it lacks any.
pub fn must_be_defined(
    program: &Program,
    machine: &Machine<'_>,
    entries: &[FunctionId],
) -> Result<(), Error> {
    let lacking = entries.iter();
    let lacking = lacking.flat_map(|&entry| report::undefined_functions(program, machine, entry));
    let undefined: BTreeSet<String> = lacking.collect();
    if undefined.is_empty() {
        return Ok(());
    }
    let undefined: Vec<String> = undefined.into_iter().collect();
    Err(Error::Usage(format!(
        "the program calls functions that have no body: {}\n\
         give the files that define them, a library with --load, or their models in C",
        undefined.join(", ")
    )))
}

/// Explores what the first state leads to, which begins with these functions,
/// and writes and prints what is found.
pub fn follow_all<'p>(
    arguments: &'p Arguments,
    program: &'p Program,
    mut ready: Ready<'p>,
    entries: &[FunctionId],
    started: Instant,
) -> Result<Outcome, Error> {
    must_be_defined(program, &ready.machine, entries)?;
    let directory = match &arguments.output {
        Some(path) => suite::OutputDirectory::create_at(path),
        None => suite::OutputDirectory::create_in(std::path::Path::new(".")),
    }?;
    let wanted = Wanted {
        unfinished: !arguments.no_dump,
        echo: arguments.echo,
        until_covered: arguments.until_covered,
        queries: arguments.write_queries,
        testcomp: arguments.write_testcomp.then(|| Metadata {
            file: &arguments.program.files[0],
            entry: &arguments.entry,
        }),
        sources: Sources {
            files: &arguments.program.files,
            include: &arguments.program.include,
            define: &arguments.program.define,
            std: arguments.program.std.as_deref(),
        },
    };
    let staged = ready.staged().clone();
    let limit = arguments.max_time;
    let mut recorder = Recorder::new(program, directory, wanted, staged, started, limit)?;
    let begun = Instant::now();
    let (outcome, counts) = ready.explore(&mut recorder);
    recorder.exploring = begun.elapsed();
    let report = recorder.finish(&mut ready.machine, outcome, counts, recipe(arguments))?;
    arguments.external.save(&ready.machine)?;
    match arguments.json {
        true => crate::output::say_json(&report)?,
        false => crate::output::say(&recorder.summary(&report))?,
    }
    Ok(match report.paths.errors {
        0 => Outcome::Clean,
        _ => Outcome::Found,
    })
}

/// What was compiled and how, so that tests can be replayed from anywhere.
fn recipe(arguments: &Arguments) -> Recipe {
    // JSON is UTF-8; a path that is not loses characters here rather than the report.
    let absolute = |path: &Path| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        PathBuf::from(path.to_string_lossy().into_owned())
    };
    let all = |paths: &[PathBuf]| paths.iter().map(|path| absolute(path)).collect();
    let program = &arguments.program;
    Recipe {
        files: all(&program.files),
        directory: absolute(Path::new(".")),
        include: all(&program.include),
        define: program.define.clone(),
        std: program.std.clone(),
        optimise: program.optimise.clone(),
        cc_args: program.cc_arg.clone(),
        stdin: arguments.input.stdin(),
        libraries: all(arguments.external.libraries()),
        entry: arguments.entry.clone(),
        method: arguments.staged.method.clone(),
    }
}

/// How the user wants the program to be explored.
pub fn steps<'p>(arguments: &'p Arguments, program: &'p Program, start: Start) -> Steps<'p> {
    let suites = crate::stage::reader(program, &arguments.program.files);
    Steps {
        suites: Some((suites, arguments.staged.invariant_budget)),
        ..Steps::new(start, plan(arguments))
    }
}

/// How the user wants paths to be chosen, and when to stop.
fn plan(arguments: &Arguments) -> Plan {
    Plan {
        strategy: arguments.search,
        seed: arguments.seed,
        limits: limits(arguments),
        look_ahead: arguments.look_ahead,
    }
}

fn limits(arguments: &Arguments) -> Limits {
    Limits {
        instructions: arguments.max_instructions,
        forks: arguments.max_forks,
        tests: arguments.max_tests,
        errors: arguments.max_errors,
        states: arguments.max_states,
        depth: arguments.max_depth,
    }
}

/// The program.
pub fn load(arguments: &Arguments) -> Result<Program, Error> {
    load_with(arguments, &[])
}

/// The program with functions that it does not call itself, such as invariants
/// that are members of classes.
pub fn load_whole(arguments: &Arguments) -> Result<Program, Error> {
    load_with(arguments, &["-femit-all-decls"])
}

fn load_with(arguments: &Arguments, flags: &[&str]) -> Result<Program, Error> {
    // Locals in registers are not memory, and look written to.
    arguments.program.load(flags, !arguments.uninitialised)
}
