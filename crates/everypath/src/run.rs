//! `everypath run`: a program on every input.

use crate::Outcome;
use crate::environment::EnvironmentArguments;
use crate::error::Error;
use crate::external;
use crate::functions::FunctionArguments;
use crate::input::{InputArguments, Words};
use crate::live::{LiveArguments, LivePage};
use crate::ranges::{self, Journal, Means};
use crate::record::{Recorder, Wanted};
use crate::room;
use crate::seeds;
use crate::session_error::{entries, explained};
use crate::settings;
use crate::source::ProgramArguments;
use crate::stage::MethodArguments;
use crate::testcomp::Metadata;
use crate::ui::statistics;
use crate::unit_test::Sources;
use crate::untrusted;
use base::Stop;
use engine::{Books, Observer, Options, Plan, Prepared, Range, Session, Start, Tally};
use explore::{Limits, Strategy};
use program::Program;
use solver::{Config, Solver};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use suite::{Finding, Incomplete, IncompleteReason, OutputDirectory, Recipe, RunReport};

/// Explores every path of a program and writes a test for each.
///
/// Takes C, C++, Rust and LLVM programs, and reports every error with the input that
/// triggers it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath run parser.c
  everypath run -I include -D NDEBUG parser.c main.c --search dfs
  everypath run --max-time 60 --json program.bc
  everypath run calc.c --sym-stdin 12 --grammar calc.bnf
  everypath run wc.c --sym-args 0 2 3 --sym-files 1 16 -- -l A
  everypath run ./build/tool --sym-args 1 2 4
  everypath run -p build src/parser.c driver.c
  everypath run parser.c --function parse_header
  everypath run parser.c --all-functions
  everypath run counter.c --search fitness --max-errors 1
  everypath run driver.c --look-ahead --until-covered
  everypath run main.c parser.c --symbolic-only parser.c
  everypath run parser.c --sym-stdin 64 --seed-dir corpus/
  everypath run parser.c --range everypath-out-1/test000007.ktest..

Mark inputs with everypath.h or klee/klee.h, which are found by themselves, or
with __VERIFIER_nondet_*(). Tests go to everypath-out-N; everypath-last links
to the last one.

Exit status: 0 no error was found; 1 the program has an error; 2 the program
could not be run.")]
pub struct Arguments {
    #[command(flatten)]
    pub program: ProgramArguments,
    /// Takes the settings of this target in everypath.toml.
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    /// The function to start with.
    #[arg(long, default_value = "main")]
    pub entry: String,
    #[command(flatten)]
    pub function: FunctionArguments,
    /// How the next path is chosen: dfs, bfs, random-path, random-state,
    /// coverage-new, depth, instructions, interleaved or fitness [default: interleaved; dfs
    /// where objects are made and there is no limit].
    #[arg(long, value_parser = |s: &str| s.parse::<Strategy>())]
    pub search: Option<Strategy>,
    /// The seed of random choices; equal seeds give equal results.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Stops after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = crate::solve::seconds)]
    pub max_time: Option<Duration>,
    /// Takes no more memory than this, in all processes together: what does not fit is
    /// explored later [default: three quarters of the machine's].
    #[arg(long, value_name = "MIB")]
    pub max_memory: Option<u64>,
    /// Ends paths with more symbolic branches than this.
    #[arg(long, value_name = "N")]
    max_depth: Option<u64>,
    /// Ends paths with more nested calls of the program's own functions than this;
    /// main is the first.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_call_depth: Option<u64>,
    /// Makes threads that could go on wait at most N times on a path; 0 lets each run
    /// until it has to wait.
    #[arg(long, value_name = "N", default_value_t = 2)]
    max_preemptions: u32,
    /// Lets threads access memory in one order that all of them see: races are no errors, and
    /// another thread may take over at every access of memory that is not the thread's stack.
    #[arg(long)]
    ignore_races: bool,
    /// Drops paths from which no uncovered branch can be reached.
    #[arg(long)]
    look_ahead: bool,
    /// Explores only these functions, or the functions of these files; all other code
    /// follows the inputs at hand. Separate several with commas.
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
    /// Stops when this many paths are waiting to be explored.
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
    /// Gives up on a query to the solver after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = crate::solve::seconds)]
    solver_time: Option<Duration>,
    /// How many processes explore; with 1 the order of tests does not depend on time
    /// [default: the number of cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,
    /// Takes workers from who listens at this socket, one for each connection.
    #[arg(long, value_name = "PATH", hide = true)]
    worker_socket: Option<PathBuf>,
    /// Goes on with the run in this directory, which was interrupted or killed, under the
    /// limits given now.
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
    /// Follows these inputs first and explores around them: .ktest files, raw files for
    /// standard input, directories of them, or a run.
    #[arg(long, value_name = "DIR|FILE", alias = "seeds")]
    seed_dir: Vec<PathBuf>,
    /// Writes no tests for paths that a limit cut off.
    #[arg(long)]
    no_dump: bool,
    /// Writes tests only for paths that cover something new or end in an error.
    #[arg(long, alias = "only-output-states-covering-new")]
    pub only_covering_new: bool,
    /// Reports memory that is never freed.
    #[arg(long)]
    pub leaks: bool,
    /// Reports behaviour that depends on uninitialised memory.
    #[arg(long)]
    uninitialised: bool,
    /// Prints the program's output, path by path.
    #[arg(long, conflicts_with = "json")]
    pub echo: bool,
    /// Writes each query that reached a solver to queries.smt2, in SMT-LIB.
    #[arg(long)]
    pub write_queries: bool,
    /// Writes each test to a .ktest file of its own, as soon as its path ends. Without
    /// this, more than a thousand tests stay in one archive, tests.ep.
    #[arg(long)]
    write_ktest: bool,
    /// Also writes the tests as a Test-Comp suite, in test-suite.
    #[arg(long)]
    write_testcomp: bool,
    #[command(flatten)]
    pub input: InputArguments,
    #[command(flatten)]
    pub environment: EnvironmentArguments,
    #[command(flatten)]
    pub external: external::ExternalArguments,
    #[command(flatten)]
    pub staged: MethodArguments,
    /// The directory for the tests [default: everypath-out-N].
    #[arg(short, long, value_name = "DIR", alias = "out")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pub live: LiveArguments,
    /// Shows statistics of the solver and of the rewriting rules.
    #[arg(long)]
    pub stats: bool,
    /// Prints one JSON object on standard output.
    #[arg(long)]
    pub json: bool,
    /// The command line after `run`, for other processes; none if it is not text.
    #[arg(skip)]
    pub words: Vec<String>,
    /// The suites that a method gets its objects from.
    #[arg(skip)]
    pub suites: Vec<PathBuf>,
}

impl Arguments {
    /// The memory at which the process stops: where a run can go on in others, it does so.
    fn memory_limit(&self) -> Option<u64> {
        let alone = self.look_ahead
            || self.only_covering_new
            || self.write_queries
            || !self.symbolic_only.is_empty()
            || self.external.complex == mixed::Strategy::Dart
            || self.staged.method.is_some();
        self.max_memory.filter(|_| alone).map(|mib| mib << 20)
    }

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

    /// Whether the run can be told as ranges. Queries are written by the process that makes
    /// them, and what is new is only known to one that sees all paths.
    pub fn has_ranges(&self, prepared: &Prepared<'_>) -> bool {
        let of_one_process = self.write_queries || self.only_covering_new || self.function.all();
        prepared.has_ranges() && !self.words.is_empty() && !of_one_process
    }

    /// What other processes are started with. Statistics are of one process, and what is
    /// fittest is found by comparing all that is open, which no worker sees.
    pub fn means(&self) -> Means {
        let compares = self.search == Some(Strategy::Fitness) && self.workers.is_none();
        Means {
            words: self.words.clone(),
            files: self.input.grammar().chain(&self.suites).cloned().collect(),
            workers: self.workers,
            memory: self.max_memory.map(|mib| mib << 20),
            stays: self.stats || compares,
            socket: self.worker_socket.clone(),
        }
    }

    /// Takes over the limits of another command line, and how it wants results shown.
    pub fn take_limits(&mut self, other: &Arguments) {
        self.max_time = other.max_time;
        self.max_memory = other.max_memory;
        self.max_forks = other.max_forks;
        self.max_instructions = other.max_instructions;
        self.max_tests = other.max_tests;
        self.max_errors = other.max_errors;
        self.max_states = other.max_states;
        self.workers = other.workers;
        self.worker_socket.clone_from(&other.worker_socket);
        self.json = other.json;
        self.stats = other.stats;
        self.live = other.live;
    }
}

/// Explores the program; an error is one message for the user.
pub fn run(arguments: &Arguments, stop: &Stop) -> Result<Outcome, Error> {
    arguments.program.must_name_files()?;
    if arguments.staged.method.is_some() {
        return crate::stage::run_at_once(arguments, stop);
    }
    arguments.staged.refuse("--method")?;
    if let Some(target) = &arguments.target
        && !std::path::Path::new(settings::FILE).is_file()
    {
        return Err(Error::Usage(format!(
            "--target {target}: there is no {} here; everypath init writes one",
            settings::FILE
        )));
    }
    if arguments.write_testcomp {
        arguments.input.refuse("--write-testcomp")?;
        arguments.environment.refuse("--write-testcomp")?;
    }
    if arguments.function.all() {
        return crate::functions::run_all(arguments, stop);
    }
    let words = arguments.input.language()?;
    if arguments.external.complex == mixed::Strategy::Dart {
        arguments.refuse_for_directed()?;
    }
    let recipe = recipe(arguments)?;
    let entry = recipe.entry.clone();
    let mut options = options(arguments, stop, words.as_ref())?;
    let seeds = seeds::read(&arguments.seed_dir)?;
    seeds::must_be_read(&seeds, recipe.stdin)?;
    options.range = arguments.staged.path_range()?;
    options.seeds = seeds.into_iter().map(|seed| seed.case).collect();
    let session = Session::new(recipe, options);
    untrusted::examine(&arguments.program.files, stop)?;
    let program = session.load().map_err(|error| explained(error, None))?;
    arguments.external.check(&program)?;
    let entry = program.function(&entry).ok_or_else(|| {
        Error::Usage(format!(
            "there is no function `{entry}` in the program; name another with --entry, or \
             test one with --function{}",
            entries(&program)
        ))
    })?;
    explore(arguments, session, &program, Start::Function(entry))
}

impl Arguments {
    /// Refuses what makes no sense for one concolic run after the other.
    fn refuse_for_directed(&self) -> Result<(), Error> {
        self.input.refuse("--complex dart")?;
        self.environment.refuse("--complex dart")?;
        for (given, option) in [
            (self.look_ahead, "--look-ahead"),
            (!self.symbolic_only.is_empty(), "--symbolic-only"),
        ] {
            if given {
                return Err(Error::Usage(format!(
                    "{option} cannot be used with --complex dart"
                )));
            }
        }
        Ok(())
    }

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
        self.environment.refuse("objects made from an invariant")?;
        self.input.refuse("objects made from an invariant")
    }
}

/// How the user wants the program to be compiled and explored; `words` are what it reads.
pub fn options<'s>(
    arguments: &'s Arguments,
    stop: &Stop,
    words: Option<&'s Words>,
) -> Result<Options<'s>, Error> {
    let options = options_of_exploration(arguments, stop, words)?;
    let recipe = arguments.program.recipe(&arguments.entry)?;
    let libraries = crate::libraries::installed(&recipe, &options.machine.stop)?;
    Ok(Options {
        libraries,
        ..options
    })
}

/// The same for a program that is compiled already.
fn options_of_exploration<'s>(
    arguments: &'s Arguments,
    stop: &Stop,
    words: Option<&'s Words>,
) -> Result<Options<'s>, Error> {
    let stop = stop.limited(arguments.max_time, arguments.memory_limit());
    let config = Config {
        limits: solver::Limits {
            stop: stop.clone(),
            ..solver::Limits::default()
        },
        time: arguments.solver_time,
        record: arguments.write_queries,
        ..Config::default()
    };
    Ok(Options {
        machine: machine::Options {
            leaks: arguments.leaks,
            uninitialised: arguments.uninitialised,
            call_depth: arguments.max_call_depth,
            preemptions: arguments.max_preemptions,
            external: arguments.external.options(),
            stop,
            ..machine::Options::default()
        },
        mixed: (arguments.external).mixed(Solver::new(config), arguments.seed)?,
        plan: Plan {
            strategy: arguments.search.unwrap_or_default(),
            seed: arguments.seed,
            limits: limits(arguments),
            look_ahead: arguments.look_ahead,
            ..Plan::default()
        },
        select: arguments.symbolic_only.clone(),
        language: arguments.input.language_of(words),
        suites: Some(crate::stage::reader(&arguments.program.files)),
        invariant_budget: arguments.staged.invariant_budget,
        unfinished_tests: !arguments.no_dump,
        keep_bitcode: true,
        only_covering_new: arguments.only_covering_new,
        ..Options::default()
    })
}

/// What is compiled and how, and where the session begins in it.
pub fn recipe(arguments: &Arguments) -> Result<Recipe, Error> {
    let around = arguments.environment.read()?;
    if arguments.entry != "main" && !around.environment.arguments.is_empty() {
        return Err(Error::Usage(format!(
            "arguments are given to `main`, and the program starts with `{}`",
            arguments.entry
        )));
    }
    let recipe = arguments.program.recipe(&arguments.entry)?;
    Ok(Recipe {
        stdin: arguments.input.stdin().or(around.stdin),
        environment: arguments.program.seeded(around.environment),
        method: arguments.staged.method.clone(),
        ignore_races: arguments.ignore_races,
        ..arguments.external.recipe(arguments.function.recipe(recipe))
    })
}

/// Explores the program from where it starts, and writes and prints what is found.
pub fn explore(
    arguments: &Arguments,
    session: Session<'_>,
    program: &Program,
    start: Start,
) -> Result<Outcome, Error> {
    let explained = |error| explained(error, Some(program));
    let mut prepared = session.prepare(program, start).map_err(explained)?;
    let begun = Begun::new(output_directory(arguments)?);
    let limit = arguments.max_time;
    let stop = prepared.machine().options.stop.clone();
    let page = arguments.live.page(begun.directory.path(), &stop)?;
    let (mut recorder, report) = record(arguments, &mut prepared, program, begun, limit, page)?;
    arguments.external.save(prepared.machine())?;
    let outcome = say(arguments, &recorder, &report, &mut prepared)?;
    recorder.end_live()?;
    Ok(outcome)
}

/// Prints what was found, and says how the command ends.
pub fn say(
    arguments: &Arguments,
    recorder: &Recorder<'_>,
    report: &RunReport,
    prepared: &mut Prepared<'_>,
) -> Result<Outcome, Error> {
    match arguments.json {
        true => crate::output::say_json(report)?,
        false => crate::output::say_styled(&recorder.summary(report))?,
    }
    if arguments.stats {
        let machine = prepared.machine();
        eprint!(
            "{}",
            statistics::of_links(machine.mixed.solver().statistics())
        );
        eprint!("{}", statistics::of_rules(&machine.store.rule_counts()));
    }
    // Assumptions that contradict each other are a mistake in the program under test.
    let no_path = |left_out: &Incomplete| left_out.reason == IncompleteReason::NoPath;
    if report.incomplete.iter().any(no_path) {
        eprintln!("warning: the assumptions contradict each other: no input satisfies them");
        return Ok(Outcome::Found);
    }
    let is_empty = report.outcome == suite::Outcome::Complete && report.tests == 0;
    if is_empty && arguments.staged.path_range()?.is_some() {
        eprintln!(
            "warning: there is no path in the range; paths are in the order of their branches, \
             not of their numbers"
        );
        return Ok(Outcome::Found);
    }
    crate::finding::outcome(&report.errors)
}

/// What a run begins with: an empty directory, or what an interrupted one had.
pub struct Begun {
    pub directory: OutputDirectory,
    pub books: Books,
    /// What was counted before.
    pub before: Tally,
    /// The errors found before, with what a person is shown of them.
    pub errors: Vec<(Finding, String)>,
    pub journal: Option<Journal>,
    /// What is open; none for all.
    pub ranges: Option<Vec<Range>>,
    /// How many tests of the method's class to keep, where they are wanted.
    pub class_tests: Option<usize>,
}

impl Begun {
    /// Nothing but a directory.
    pub fn new(directory: OutputDirectory) -> Begun {
        Begun {
            directory,
            books: Books::default(),
            before: Tally::default(),
            errors: Vec::new(),
            journal: None,
            ranges: None,
            class_tests: None,
        }
    }
}

/// The directory that the user wants results in.
pub fn output_directory(arguments: &Arguments) -> Result<OutputDirectory, Error> {
    Ok(match &arguments.output {
        Some(path) => OutputDirectory::create_at(path),
        None => OutputDirectory::create_in(std::path::Path::new(".")),
    }?)
}

/// Follows the paths of a session and writes what is found.
pub fn record<'p>(
    arguments: &'p Arguments,
    prepared: &mut Prepared<'p>,
    program: &'p Program,
    begun: Begun,
    limit: Option<Duration>,
    page: Option<LivePage>,
) -> Result<(Recorder<'p>, RunReport), Error> {
    let started = Instant::now();
    let Begun {
        mut directory,
        mut books,
        before,
        errors,
        journal,
        ranges,
        class_tests,
    } = begun;
    if arguments.write_ktest {
        directory.put_tests_in(suite::TestsIn::Files);
    }
    directory.ask_for_room(room::wait(&prepared.machine().options.stop));
    let recipe = prepared.recipe();
    let notes = crate::functions::notes(&recipe, program);
    directory.write_begun(recipe.clone())?;
    let wanted = Wanted {
        echo: arguments.echo,
        until_covered: arguments.until_covered,
        queries: arguments.write_queries,
        testcomp: arguments.write_testcomp.then(|| Metadata {
            file: &arguments.program.files[0],
            entry: &arguments.entry,
        }),
        sources: sources(arguments),
        class_tests,
    };
    let staged = prepared.staged().clone();
    let mut recorder = Recorder::new(program, directory, wanted, staged, started, limit)?;
    if arguments.stats {
        prepared.machine().store.count_rules();
    }
    for note in &notes {
        recorder.note(note);
    }
    recorder.go_on(before, errors);
    if let Some(page) = page {
        recorder.go_live(recipe, page);
    }
    let means = arguments.means();
    if arguments.has_ranges(prepared) {
        recorder.keep_journal(ranges::journal(&means, &program.bitcode, journal));
    }
    let limits = limits(arguments);
    let followed = ranges::follow(&means, prepared, ranges, &mut books, limits, &mut recorder);
    // The line of progress is not to stand above a message.
    recorder.clear();
    let (outcome, tally) = followed?;
    let report = prepared.report(outcome, books, &tally);
    recorder.finish(prepared.machine(), &tally, &report)?;
    Ok((recorder, report))
}

/// What the program is made of.
pub fn sources(arguments: &Arguments) -> Sources<'_> {
    Sources {
        files: &arguments.program.files,
        include: &arguments.program.include,
        define: &arguments.program.define,
        std: arguments.program.std.as_deref(),
    }
}

/// When the exploration ends, beside time and memory.
pub fn limits(arguments: &Arguments) -> Limits {
    Limits {
        instructions: arguments.max_instructions,
        forks: arguments.max_forks,
        tests: arguments.max_tests,
        errors: arguments.max_errors,
        states: arguments.max_states,
        depth: arguments.max_depth,
    }
}
