//! The one way in: a recipe is compiled, explored and reported on.

use crate::compile::{Compilation, CompileError, Libraries, compile};
use crate::environment::environment;
use crate::exploration::Plan;
use crate::observer::{News, Observer, PathEnd, Progress};
use crate::outcome::Outcome;
use crate::policy::generational::Tracer;
use crate::policy::staged::{REGENERATE, Staged, StagedArgument, SuiteReader};
use crate::range::Range;
use crate::ready::{NotReady, PathRange, Ready, Start, Steps};
use crate::report;
use crate::tally::Tally;
use crate::waiting::OpenRanges;
use machine::{End, Language, Machine};
use mixed::Mixed;
use mixed::solver::Solver;
use program::Program;
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use std::time::{Duration, Instant};
use suite::{
    ArgumentBounds, Batch, Ends, Finding, InputTypes, ObjectCounts, Recipe, RunReport,
    StageSummary, TestCase, TestName,
};

/// Gives the suite of a name that a program uses, as objects of this type.
pub type Suites<'s> = Box<dyn Fn(&Program, &str, &str) -> Result<StagedArgument, String> + 's>;

/// How a session explores.
pub struct Options<'s> {
    /// What the machine looks for, and the token that stops everything.
    pub machine: machine::Options,
    /// What decides conditions.
    pub mixed: Mixed<'s>,
    /// How paths are chosen, and when to stop.
    pub plan: Plan,
    /// Functions and files whose code alone is symbolic; none for all code.
    pub select: Vec<String>,
    /// What a symbolic standard input is held to, beside its length, which is the
    /// recipe's.
    pub language: Option<Box<dyn Language + 's>>,
    /// Gives the suites that the program asks for by name.
    pub suites: Option<Suites<'s>>,
    /// Instructions that the invariants of such suites may take.
    pub invariant_budget: u64,
    /// What programs are compiled and linked with, beside what is built in.
    pub libraries: Libraries,
    /// Whether functions that nothing calls are compiled too, such as invariants that are
    /// members of classes.
    pub whole: bool,
    /// Whether files of bitcode are known not to be optimised.
    pub unoptimised: bool,
    /// Whether each function of the program gets a driver, and with which arguments.
    pub every_function: Option<ArgumentBounds>,
    /// Whether paths that a limit stopped have tests.
    pub unfinished_tests: bool,
    /// Whether the program keeps its bitcode, for other processes.
    pub keep_bitcode: bool,
    /// Whether paths without errors have tests only if they cover something new.
    pub only_covering_new: bool,
    /// Inputs that are followed first.
    pub seeds: Vec<TestCase>,
    /// The paths that are explored; none for all.
    pub range: Option<PathRange>,
    /// When the work began that the report tells the time of.
    pub started: Instant,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            machine: machine::Options::default(),
            mixed: Mixed::from(Solver::default()),
            plan: Plan::default(),
            select: Vec::new(),
            language: None,
            suites: None,
            invariant_budget: 1_000_000,
            libraries: Libraries::default(),
            whole: false,
            unoptimised: false,
            every_function: None,
            unfinished_tests: true,
            keep_bitcode: false,
            only_covering_new: false,
            seeds: Vec::new(),
            range: None,
            started: Instant::now(),
        }
    }
}

/// Why a session has no report.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The program cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The program has no function of the name that the recipe begins at.
    #[error("there is no function `{0}` in the program")]
    NoEntry(String),
    /// The program cannot be explored in this way.
    #[error(transparent)]
    NotReady(#[from] NotReady),
    /// A suite that the program asks for cannot be had on any path.
    #[error("{0}")]
    Refused(String),
}

/// A program and how it is explored.
pub struct Session<'s> {
    recipe: Recipe,
    options: Options<'s>,
}

impl<'s> Session<'s> {
    /// A session that compiles and explores what the recipe says.
    pub fn new(recipe: Recipe, options: Options<'s>) -> Session<'s> {
        Session { recipe, options }
    }

    /// Compiles the program and follows every path from the recipe's entry, until none
    /// is left or a limit is reached. The observer hears of each path as it ends.
    ///
    /// # Errors
    ///
    /// When the program cannot be compiled or explored; see [`SessionError`].
    pub fn run(self, observer: &mut dyn Observer) -> Result<RunReport, SessionError> {
        let program = self.load()?;
        let entry = program.function(&self.recipe.entry);
        let entry = entry.ok_or_else(|| SessionError::NoEntry(self.recipe.entry.clone()))?;
        let mut prepared = self.prepare(&program, Start::Function(entry))?;
        prepared.run(observer)
    }

    /// What is explored.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Compiles the program. One that asks for objects of suites keeps the functions
    /// that only their invariants call.
    ///
    /// # Errors
    ///
    /// When it cannot be compiled.
    pub fn load(&self) -> Result<Program, SessionError> {
        let mut how = Compilation {
            whole: self.options.whole,
            every_function: self.options.every_function,
            libraries: self.options.libraries.clone(),
            external: self.options.machine.external.named(),
            in_memory: self.options.machine.uninitialised,
            keep: self.options.keep_bitcode,
            stop: self.options.machine.stop.clone(),
        };
        let program = compile(&self.recipe, &how)?;
        if how.whole || program.function(REGENERATE).is_none() {
            return Ok(program);
        }
        how.whole = true;
        Ok(compile(&self.recipe, &how)?)
    }

    /// The program made ready to run on one standard input after the other.
    ///
    /// # Errors
    ///
    /// When it does not begin.
    pub fn tracer<'p>(self, program: &'p Program) -> Result<Tracer<'p>, SessionError>
    where
        's: 'p,
    {
        let Session { recipe, options } = self;
        let entry = program.function(&recipe.entry);
        let entry = entry.ok_or(SessionError::NoEntry(recipe.entry.clone()))?;
        let machine_options = machine::Options {
            optimised: recipe.may_be_optimised() && !options.unoptimised,
            environment: environment(&recipe),
            ignore_races: recipe.ignore_races,
            ..options.machine
        };
        let tracer = Tracer::new(program, entry, options.mixed, machine_options);
        Ok(tracer.map_err(NotReady::from)?)
    }

    /// Puts everything in place for the program to be explored from where it starts.
    ///
    /// # Errors
    ///
    /// When the program cannot be explored in this way.
    pub fn prepare<'p>(
        self,
        program: &'p Program,
        start: Start,
    ) -> Result<Prepared<'p>, SessionError>
    where
        's: 'p,
    {
        let Session { recipe, options } = self;
        let is_staged = matches!(start, Start::Objects(_));
        let language = options.language.map(|it| it as Box<dyn Language + 'p>);
        // A policy that hears of every return is asked for it only where that is needed.
        let asks = program.function(REGENERATE).is_some();
        let suites = options.suites.filter(|_| asks).map(|suites| {
            let reader: Box<SuiteReader<'p>> =
                Box::new(move |suite: &str, type_name: &str| suites(program, suite, type_name));
            (reader, options.invariant_budget)
        });
        let steps = Steps {
            start,
            plan: options.plan,
            select: options.select,
            language,
            suites,
            seeds: options.seeds,
            range: options.range,
        };
        let machine_options = machine::Options {
            optimised: recipe.may_be_optimised() && !options.unoptimised,
            environment: environment(&recipe),
            ignore_races: recipe.ignore_races,
            ..options.machine
        };
        let ready = Ready::new(program, options.mixed, machine_options, steps)?;
        let seeks_objects = ready.staged().staging().seeks_objects();
        Ok(Prepared {
            recipe,
            ready,
            is_staged,
            unfinished_tests: options.unfinished_tests && !seeks_objects,
            only_covering_new: options.only_covering_new,
            started: options.started,
            exploration_seconds: 0.0,
        })
    }
}

/// A session about to explore its program.
pub struct Prepared<'p> {
    recipe: Recipe,
    ready: Ready<'p>,
    is_staged: bool,
    unfinished_tests: bool,
    only_covering_new: bool,
    started: Instant,
    exploration_seconds: f64,
}

impl<'p> Prepared<'p> {
    /// The machine; after the run it holds what was covered.
    pub fn machine(&mut self) -> &mut Machine<'p> {
        &mut self.ready.machine
    }

    /// What is explored, as the report will say it.
    pub fn recipe(&self) -> Recipe {
        self.recipe.absolute()
    }

    /// The objects that are made, and what is done with them.
    pub fn staged(&self) -> &Rc<Staged<'p>> {
        self.ready.staged()
    }

    /// Follows every path, until none is left or a limit is reached.
    ///
    /// # Errors
    ///
    /// When a suite that the program asks for cannot be had.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Result<RunReport, SessionError> {
        let mut books = Books::default();
        let (outcome, tally) = self.explore(None, &mut books, observer)?;
        Ok(self.report(outcome, books, &tally))
    }

    /// Frees the terms of an exploration that was given away: none of its states is used
    /// again.
    pub fn forget_terms(&mut self) {
        self.ready.machine.store = term::Store::new();
    }

    /// How often an exploration looks at limits and what its observer wants, in turns.
    pub fn look_every(&mut self, turns: Option<u64>) {
        self.ready.look_every(turns);
    }

    /// Whether the paths can be told as ranges: what steers them beside the program and the
    /// solver is not among their decisions.
    pub fn has_ranges(&self) -> bool {
        self.ready.has_ranges()
    }

    /// Counts the time of an exploration in other processes.
    pub fn count_exploration(&mut self, time: Duration) {
        self.exploration_seconds += time.as_secs_f64();
    }

    /// Follows every path of these ranges, or all if there are none, and enters them in
    /// the books; how that ended, and what was counted.
    ///
    /// # Errors
    ///
    /// When a suite that the program asks for cannot be had.
    pub fn explore(
        &mut self,
        ranges: Option<Vec<Range>>,
        books: &mut Books,
        observer: &mut dyn Observer,
    ) -> Result<(Outcome, Tally), SessionError> {
        let mut clerk = Clerk {
            observer,
            unfinished_tests: self.unfinished_tests,
            only_covering_new: self.only_covering_new,
            books,
            told: Duration::ZERO,
        };
        let begun = Instant::now();
        let span = tracing::info_span!("explore", entry = self.recipe.entry).entered();
        let (outcome, counts) = self.ready.explore_ranges(ranges, &mut clerk);
        drop(span);
        // To write tests is none of the exploration: a file takes longer than a path.
        let explored = begun.elapsed().saturating_sub(clerk.told);
        self.exploration_seconds += explored.as_secs_f64();
        if let Some(refusal) = self.ready.staged().refusal() {
            return Err(SessionError::Refused(refusal));
        }
        let machine = &mut self.ready.machine;
        for note in machine.mixed.oracle_mut().take_notes() {
            observer.note(&note.to_string());
        }
        Ok((outcome, Tally::of(machine, &counts)))
    }

    /// What a run found that ended so, in this process and in others.
    pub fn report(&mut self, outcome: Outcome, books: Books, tally: &Tally) -> RunReport {
        let machine = &mut self.ready.machine;
        machine.coverage.absorb(&tally.covered);
        let (_, coverage) = report::coverage(machine.program, &machine.coverage);
        let counts = &tally.counts;
        let mut incomplete = report::incomplete(&tally.omissions, counts);
        if !self.is_staged && outcome == Outcome::Complete {
            incomplete.extend(report::no_path(counts));
        }
        let mut inputs = books.inputs;
        inputs.merge(&tally.inputs);
        RunReport {
            schema: suite::SCHEMA,
            outcome: report::outcome(outcome, &incomplete),
            incomplete,
            paths: report::paths(counts),
            tests: books.tests,
            errors: books.errors,
            program: Some(self.recipe.absolute()),
            ends: books.ends,
            coverage,
            instructions: counts.instructions,
            forks: tally.forks,
            solver: tally.solver,
            external: tally.external.clone(),
            stage: self.is_staged.then_some(StageSummary {
                objects: ObjectCounts {
                    valid: counts.valid,
                    explored: counts.explored(),
                },
                exploration_seconds: self.exploration_seconds,
            }),
            comparison: None,
            fuzz: None,
            seconds: self.started.elapsed().as_secs_f64(),
            peak_memory_bytes: report::peak_memory(),
            inputs,
        }
    }
}

/// What a report says of the tests, in the order of their numbers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Books {
    /// How many there are.
    pub tests: u64,
    ends: Ends,
    /// The errors that they trigger.
    pub errors: Vec<Finding>,
    /// The types of their inputs.
    pub inputs: InputTypes,
}

impl Books {
    /// The next test, its inputs and how it ends, if its path was followed so far; gives
    /// its name.
    pub fn enter(&mut self, case: &TestCase, end: Option<suite::End>) -> TestName {
        self.tests += 1;
        self.inputs.note_all(case);
        if let Some(end) = end {
            self.ends.note(self.tests, end);
        }
        TestName::new(self.tests)
    }

    /// The next tests, which are finished.
    pub fn enter_batch(&mut self, batch: &Batch) {
        self.ends.append(self.tests, batch.ends());
        self.tests += batch.len();
        self.inputs.merge(batch.inputs());
    }
}

/// Keeps the books of an exploration.
struct Clerk<'o> {
    observer: &'o mut dyn Observer,
    unfinished_tests: bool,
    only_covering_new: bool,
    books: &'o mut Books,
    /// How long the observer took over the ends of paths.
    told: Duration,
}

impl Clerk<'_> {
    /// Lets the observer know, and counts the time that takes.
    fn tell(&mut self, news: impl FnOnce(&mut dyn Observer)) {
        let begun = Instant::now();
        news(self.observer);
        self.told += begun.elapsed();
    }

    /// Whether the path gets a test.
    fn wants_test(&self, path: &PathEnd<'_, '_>, end: Option<&End>) -> bool {
        let has_error = matches!(end, Some(End::Error(..)));
        !self.only_covering_new || path.covers_new || has_error
    }
}

impl Observer for Clerk<'_> {
    fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        let suite_end = report::end(end).filter(|_| self.wants_test(path, Some(end)));
        if let Some(suite_end) = suite_end {
            path.test = Some(self.books.enter(path.case(), Some(suite_end)));
        }
        if let End::Error(kind, message) = end {
            self.books.errors.push(path.finding(*kind, message));
        }
        self.tell(|observer| observer.ended(path, end));
    }

    fn unfinished(&mut self, path: &mut PathEnd<'_, '_>) {
        if self.wants_test(path, None) {
            path.test = Some(self.books.enter(path.case(), None));
        }
        self.tell(|observer| observer.unfinished(path));
    }

    fn wants_unfinished(&self) -> bool {
        self.unfinished_tests && self.observer.wants_unfinished()
    }

    fn note(&mut self, note: &str) {
        self.observer.note(note);
    }

    fn wants_ranges(&mut self) -> bool {
        self.observer.wants_ranges()
    }

    fn ranges(&mut self, change: OpenRanges, progress: &Progress<'_, '_>) {
        self.observer.ranges(change, progress);
    }

    fn wants_gift(&mut self) -> bool {
        self.observer.wants_gift()
    }

    fn news(&mut self) -> Option<News> {
        self.observer.news()
    }

    fn has_others(&self) -> bool {
        self.observer.has_others()
    }

    fn found_out(&mut self, contradictions: Vec<Vec<u8>>) {
        self.observer.found_out(contradictions);
    }

    fn progress(&mut self, progress: &Progress<'_, '_>) -> Option<Outcome> {
        self.observer.progress(progress)
    }
}
