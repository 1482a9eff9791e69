//! `everypath stage`: an invariant explored once, and methods tested with what
//! it found.

use crate::Outcome;
use crate::report;
use crate::run::{self, engine, follow_all, must_be_defined, plan};
use machine::{
    Counts, End, Machine, Observer, Precondition, StagedArgument, Staging, State, staged_parameters,
};
use program::{FunctionId, FunctionListing, Inst, Program};
use serde_json::json;
use sha2::{Digest, Sha256};
use staged::{Bounds, Header, Solution, Suite};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

/// Explores an invariant once and tests methods with what it found.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Stage,
}

#[derive(clap::Subcommand)]
enum Stage {
    /// Writes the objects that satisfy an invariant to a suite.
    #[command(after_help = "Example:
  everypath stage build tree.c --object SearchTree --invariant repOk --max Node=4 -o tree.stage")]
    Build(Box<BuildArguments>),
    /// Lists all objects that satisfy an invariant, value by value.
    #[command(after_help = "Example:
  everypath stage enumerate tree.c --object SearchTree --invariant repOk --max Node=3 --values 0..3")]
    Enumerate(Box<EnumerateArguments>),
    /// Shows the objects of a suite.
    Show(ShowArguments),
    /// Tests a method with the objects of suites.
    #[command(after_help = "Examples:
  everypath stage run tree.c --method add --input tree.stage
  everypath stage run tree.c --method isEqual --input tree.stage --input tree.stage")]
    Run(Box<SecondArguments>),
}

#[derive(clap::Args)]
struct BuildArguments {
    /// The structure whose objects are looked for.
    #[arg(long, value_name = "TYPE")]
    object: String,
    /// The function that tells whether an object is valid.
    #[arg(long, value_name = "FUNCTION")]
    invariant: String,
    /// Where the suite goes.
    #[arg(short = 'o', long = "suite", value_name = "FILE")]
    suite: PathBuf,
    #[command(flatten)]
    run: run::Arguments,
}

#[derive(clap::Args)]
struct EnumerateArguments {
    /// The values of numbers that have no --range of their own.
    #[arg(long, value_name = "LOW..HIGH")]
    values: String,
    #[command(flatten)]
    build: BuildArguments,
}

#[derive(clap::Args)]
struct ShowArguments {
    /// The suite.
    #[arg(value_name = "SUITE")]
    suite: PathBuf,
    /// Writes the objects as a DOT graph.
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
}

#[derive(clap::Args)]
struct SecondArguments {
    /// A suite for each pointer that the method takes, in order.
    #[arg(long, value_name = "SUITE", required = true)]
    input: Vec<PathBuf>,
    /// Builds the suites anew, in their own bounds.
    #[arg(long)]
    rebuild: bool,
    #[command(flatten)]
    run: run::Arguments,
}

/// A method to test, and what has to hold before and after it.
#[derive(clap::Args)]
pub struct MethodArguments {
    /// A method to test instead of a program: its pointers lead to symbolic
    /// objects, its other parameters are inputs.
    #[arg(long, value_name = "FUNCTION")]
    pub method: Option<String>,
    /// What objects have to satisfy before and after the method: one of them,
    /// or several together.
    #[arg(long, value_name = "FUNCTION")]
    requires: Vec<String>,
    /// What has to hold after the method, of its arguments and its result.
    #[arg(long, value_name = "FUNCTION")]
    post: Option<String>,
    /// Does not check what is required again after the method.
    #[arg(long)]
    trust_method: bool,
    /// How many objects there may be, Node=4, or how many a field ranges over,
    /// Node.left=2.
    #[arg(long, value_name = "BOUND")]
    max: Vec<String>,
    /// The values of a number in an object, Node.data=0..9.
    #[arg(long, value_name = "BOUND")]
    range: Vec<String>,
    /// Instructions an invariant may take on one path.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    invariant_budget: u64,
}

impl MethodArguments {
    /// Refuses what makes sense with another flag only.
    pub fn refuse(&self, missing: &str) -> Result<(), String> {
        let given = [
            ("--requires", self.requires.is_empty()),
            ("--post", self.post.is_none()),
            ("--trust-method", !self.trust_method),
            ("--max", self.max.is_empty()),
            ("--range", self.range.is_empty()),
        ];
        match given.iter().find(|(_, absent)| !absent) {
            Some((flag, _)) => Err(format!("error: {flag} needs {missing}")),
            None => Ok(()),
        }
    }

    fn bounds(&self) -> Result<Bounds, String> {
        let mut bounds = Bounds::default();
        for text in &self.max {
            let added = bounds.add_max(text);
            added.map_err(|error| format!("error: --max: {error}"))?;
        }
        for text in &self.range {
            let added = bounds.add_range(text);
            added.map_err(|error| format!("error: --range: {error}"))?;
        }
        Ok(bounds)
    }
}

/// Runs one of the stages; an error is one message for the user.
pub fn run(arguments: &Arguments) -> Result<Outcome, String> {
    match &arguments.command {
        Stage::Build(arguments) => build(arguments, None),
        Stage::Enumerate(arguments) => build(&arguments.build, Some(&arguments.values)),
        Stage::Show(arguments) => show(arguments),
        Stage::Run(arguments) => second(arguments),
    }
}

/// Looks for valid objects; with values, for one of each.
fn build(arguments: &BuildArguments, values: Option<&str>) -> Result<Outcome, String> {
    let run = &arguments.run;
    if run.staged.method.is_some() || run.staged.post.is_some() || !run.staged.requires.is_empty() {
        return Err(
            "error: a suite is of an invariant alone; name a method with `stage run`".to_owned(),
        );
    }
    let started = Instant::now();
    let program = run::load(run)?;
    let mut bounds = run.staged.bounds()?;
    if let Some(values) = values {
        let added = bounds.enumerate(values);
        added.map_err(|error| format!("error: --values: {error}"))?;
    }
    let header = Header {
        object: arguments.object.clone(),
        invariant: arguments.invariant.clone(),
        bounds,
        ..Header::default()
    };
    let built = first_stage(run, &program, header)?;
    write_suite(&arguments.suite, &built.suite)?;
    for failure in &built.failures {
        eprintln!("{failure}");
    }
    let (valid, explored) = (built.suite.solutions.len(), built.explored);
    let seconds = started.elapsed().as_secs_f64();
    if run.json {
        let told = json!({"schema": 1, "stage": {"valid": valid, "explored": explored},
            "complete": built.suite.header.complete, "errors": built.failures,
            "questions": built.questions, "seconds": seconds,
            "exploration_seconds": built.seconds, "suite": arguments.suite});
        crate::solve::say(&told.to_string())?;
    } else {
        let mut text = format!(
            "{valid} of {explored} explored paths are of valid objects; they are in {}; {seconds:.2} s",
            arguments.suite.display()
        );
        if !built.suite.header.complete {
            text += "\na limit was reached: there may be more";
        }
        crate::solve::say(&text)?;
    }
    Ok(match built.failures.is_empty() {
        true => Outcome::Clean,
        false => Outcome::Found,
    })
}

/// What came of exploring an invariant.
struct Built {
    suite: Suite,
    explored: u64,
    questions: u64,
    seconds: f64,
    /// Errors of the invariant itself.
    failures: Vec<String>,
}

/// Looks for the objects that satisfy the header's invariant in its bounds.
fn first_stage(
    arguments: &run::Arguments,
    program: &Program,
    mut header: Header,
) -> Result<Built, String> {
    arguments.refuse_for_objects()?;
    let invariant = function(program, &header.invariant)?;
    must_take(program, invariant, &header.object)?;
    header.code = Some(code_hash(program, invariant));
    let staging = Staging {
        arguments: vec![StagedArgument {
            type_name: header.object.clone(),
            invariant,
            bounds: Rc::new(header.bounds.clone()),
            solutions: None,
        }],
        invariant_budget: Some(arguments.staged.invariant_budget),
        ..Staging::default()
    };
    let (mixed, options) = engine(arguments, program)?;
    let (mut machine, first) = Machine::staged(program, staging, mixed, options)
        .map_err(|message| format!("error: {message}"))?;
    must_be_defined(program, &machine, &[invariant])?;
    let mut collector = Collector::default();
    let started = Instant::now();
    let (outcome, _) = machine::explore(&mut machine, first, &plan(arguments), &mut collector);
    for note in machine.take_notes() {
        eprintln!("note: {note}");
    }
    header.complete = outcome == machine::Outcome::Complete;
    Ok(Built {
        suite: Suite {
            header,
            solutions: collector.solutions,
        },
        explored: collector.explored,
        questions: machine.mixed.solver().statistics().questions,
        seconds: started.elapsed().as_secs_f64(),
        failures: collector.failures,
    })
}

/// Keeps the objects of paths on which the invariant held.
#[derive(Default)]
struct Collector {
    solutions: Vec<Solution>,
    explored: u64,
    failures: Vec<String>,
}

impl Observer for Collector {
    fn ended(&mut self, machine: &mut Machine<'_>, state: &State, end: &End) {
        self.explored += 1;
        match end {
            End::Exit(_) if state.lazy.valid() => self.solutions.push(Solution {
                line: self.solutions.len() + 2,
                graph: machine.object_graph(state, 0),
                condition: machine.value_conditions(state, 0),
            }),
            End::Exit(_) | End::Ignored | End::TooDeep => {}
            End::Error(kind, message) => {
                let graph = machine.object_graph(state, 0).text();
                let graph = graph.trim_end().replace('\n', "\n  ");
                self.failures
                    .push(format!("error: {kind}: {message}\n  {graph}"));
            }
        }
    }

    fn unfinished(&mut self, _: &mut Machine<'_>, _: &State) {}

    fn progress(&mut self, _: &Machine<'_>, _: &Counts, _: usize) -> Option<machine::Outcome> {
        crate::interrupt::raised().then_some(machine::Outcome::Interrupted)
    }
}

fn show(arguments: &ShowArguments) -> Result<Outcome, String> {
    let suite = read_suite(&arguments.suite)?;
    let header = &suite.header;
    let mut text = format!(
        "{} objects of {} that satisfy {}",
        suite.solutions.len(),
        header.object,
        header.invariant
    );
    match &header.bounds.texts()[..] {
        [] => {}
        bounds => {
            let _ = write!(text, ", with {}", bounds.join(", "));
        }
    }
    if !header.complete {
        text += "; there may be more";
    }
    let mut dot = "digraph suite {\n".to_owned();
    for (number, solution) in suite.solutions.iter().enumerate() {
        let _ = write!(
            text,
            "\n\nline {}\n{}",
            solution.line,
            solution.graph.text()
        );
        for condition in solution.condition.lines() {
            let _ = writeln!(text, "  where {condition}");
        }
        let title = format!("line {}\n{}", solution.line, solution.condition);
        dot += &solution.graph.dot_cluster(number, &title);
    }
    dot += "}\n";
    if let Some(file) = &arguments.dot {
        let written = std::fs::write(file, dot);
        written.map_err(|error| format!("error: cannot write {}: {error}", file.display()))?;
    }
    crate::solve::say(text.trim_end())?;
    Ok(Outcome::Clean)
}

fn second(arguments: &SecondArguments) -> Result<Outcome, String> {
    let run = &arguments.run;
    let started = Instant::now();
    if !run.staged.max.is_empty() || !run.staged.range.is_empty() {
        return Err("error: the bounds are those of the suites; build them with others".to_owned());
    }
    let program = run::load(run)?;
    let Some(name) = &run.staged.method else {
        return Err("error: `stage run` needs a --method".to_owned());
    };
    let method = function(&program, name)?;
    let pointers = staged_parameters(&program, method).map_err(|m| format!("error: {m}"))?;
    if pointers.len() != arguments.input.len() {
        return Err(format!(
            "error: `{name}` takes {} pointers to objects, and {} suites are given; give an --input for each",
            pointers.len(),
            arguments.input.len()
        ));
    }
    let mut objects = Vec::new();
    for (path, (_, type_name)) in arguments.input.iter().zip(&pointers) {
        let suite = fitting_suite(arguments, &program, path, type_name)?;
        let solutions = suite.solutions.into_iter().map(Rc::new).collect();
        objects.push(StagedArgument {
            type_name: type_name.clone(),
            invariant: function(&program, &suite.header.invariant)?,
            bounds: Rc::new(suite.header.bounds),
            solutions: Some(solutions),
        });
    }
    let together = preconditions(&program, &run.staged.requires, &objects)?;
    explore_method(run, &program, method, objects, together, started)
}

/// A suite for objects of a type, if it was built of this invariant.
fn fitting_suite(
    arguments: &SecondArguments,
    program: &Program,
    path: &Path,
    type_name: &str,
) -> Result<Suite, String> {
    let shown = path.display();
    let suite = read_suite(path)?;
    let header = &suite.header;
    if header.object != type_name {
        return Err(format!(
            "error: {shown}: the suite is of {}, and the method takes {type_name}",
            header.object
        ));
    }
    let invariant = &header.invariant;
    let id = function(program, invariant)?;
    must_take(program, id, type_name)?;
    if arguments.rebuild {
        let header = header.clone();
        let built = first_stage(&arguments.run, program, header)?;
        write_suite(path, &built.suite)?;
        let count = built.suite.solutions.len();
        eprintln!("note: {shown}: built anew, {count} solutions of `{invariant}`");
        return Ok(built.suite);
    }
    match &header.code {
        Some(code) if *code != code_hash(program, id) => Err(format!(
            "error: {shown}: the code of `{invariant}` is not what the suite was built of; build it anew with --rebuild"
        )),
        Some(_) => {
            let count = suite.solutions.len();
            eprintln!(
                "note: {shown}: the code of `{invariant}` is unchanged, {count} solutions reused"
            );
            Ok(suite)
        }
        None => Ok(suite),
    }
}

/// `everypath run --method`: both stages at once.
pub fn run_at_once(arguments: &run::Arguments) -> Result<Outcome, String> {
    let started = Instant::now();
    let staged = &arguments.staged;
    let program = run::load(arguments)?;
    let name = staged.method.as_deref().unwrap_or_default();
    let method = function(&program, name)?;
    let pointers = staged_parameters(&program, method).map_err(|m| format!("error: {m}"))?;
    if pointers.is_empty() {
        return Err(format!(
            "error: `{name}` takes no pointer to an object; use --entry"
        ));
    }
    let mut objects = Vec::new();
    let bounds = Rc::new(staged.bounds()?);
    for (_, type_name) in &pointers {
        let mut invariant = None;
        for required in &staged.requires {
            let id = function(&program, required)?;
            let taken = staged_parameters(&program, id).map_err(|m| format!("error: {m}"))?;
            if taken.len() == 1 && taken[0].1 == *type_name {
                invariant = invariant.or(Some(id));
            }
        }
        let Some(invariant) = invariant else {
            return Err(format!(
                "error: no function given with --requires takes a pointer to {type_name} alone"
            ));
        };
        objects.push(StagedArgument {
            type_name: type_name.clone(),
            invariant,
            bounds: bounds.clone(),
            solutions: None,
        });
    }
    let together = preconditions(&program, &staged.requires, &objects)?;
    explore_method(arguments, &program, method, objects, together, started)
}

/// The functions that take several objects, with the first arguments of their types.
fn preconditions(
    program: &Program,
    names: &[String],
    objects: &[StagedArgument],
) -> Result<Vec<Precondition>, String> {
    let mut found = Vec::new();
    for name in names {
        let id = function(program, name)?;
        let taken = staged_parameters(program, id).map_err(|m| format!("error: {m}"))?;
        if taken.len() == 1 && objects.iter().any(|object| object.invariant == id) {
            continue;
        }
        let mut arguments: Vec<usize> = Vec::new();
        for (_, type_name) in &taken {
            let free = objects.iter().enumerate().position(|(number, object)| {
                object.type_name == *type_name && !arguments.contains(&number)
            });
            let Some(number) = free else {
                return Err(format!(
                    "error: `{name}` takes a pointer to {type_name} for which there is no object"
                ));
            };
            arguments.push(number);
        }
        found.push(Precondition {
            function: id,
            arguments,
        });
    }
    Ok(found)
}

fn explore_method(
    arguments: &run::Arguments,
    program: &Program,
    method: FunctionId,
    objects: Vec<StagedArgument>,
    preconditions: Vec<Precondition>,
    started: Instant,
) -> Result<Outcome, String> {
    arguments.refuse_for_objects()?;
    if arguments.leaks {
        return Err(
            "error: --leaks does not go with --method: the objects are nobody's to free".to_owned(),
        );
    }
    let post = arguments.staged.post.as_deref();
    let postcondition = post.map(|name| function(program, name)).transpose()?;
    let mut entries = vec![method];
    entries.extend(postcondition);
    entries.extend(objects.iter().map(|object| object.invariant));
    entries.extend(preconditions.iter().map(|it| it.function));
    let staging = Staging {
        arguments: objects,
        preconditions,
        method: Some(method),
        trust_method: arguments.staged.trust_method,
        postcondition,
        invariant_budget: Some(arguments.staged.invariant_budget),
    };
    let (mixed, options) = engine(arguments, program)?;
    let ready = Machine::staged(program, staging, mixed, options)
        .map_err(|message| format!("error: {message}"))?;
    follow_all(arguments, program, ready, &entries, started)
}

/// The function of that name, for the linker or in the source.
fn function(program: &Program, name: &str) -> Result<FunctionId, String> {
    if let Some(id) = program.function(name) {
        return Ok(id);
    }
    // `Class::method` is a method of that class.
    let (class, own) = match name.rsplit_once("::") {
        Some((class, own)) => (Some(class), own),
        None => (None, name),
    };
    let is_of_class = |id: usize| {
        let taken = staged_parameters(program, FunctionId::from_index(id)).unwrap_or_default();
        class.is_none_or(|class| {
            taken
                .first()
                .is_some_and(|(at, it)| *at == 0 && it == class)
        })
    };
    let functions = program.functions.iter().enumerate();
    let mut named = functions.filter(|(id, function)| {
        let source = function.source.map(|id| program.source.function(id));
        let is_named = source.is_some_and(|source| source.name == own);
        function.body.is_some() && is_named && is_of_class(*id)
    });
    match (named.next(), named.next()) {
        (Some((id, _)), None) => Ok(FunctionId::from_index(id)),
        (Some((_, one)), Some((_, other))) => Err(format!(
            "error: there are several functions `{name}`; say which: {}, {}",
            one.name, other.name
        )),
        (None, _) => Err(format!(
            "error: there is no function `{name}` in the program{}",
            report::entries(program)
        )),
    }
}

fn must_take(program: &Program, invariant: FunctionId, type_name: &str) -> Result<(), String> {
    let taken = staged_parameters(program, invariant).map_err(|m| format!("error: {m}"))?;
    let types: Vec<&str> = taken.iter().map(|(_, name)| &**name).collect();
    if types == [type_name] {
        return Ok(());
    }
    let name = &program.functions[invariant.index()].name;
    Err(format!(
        "error: the invariant `{name}` does not take a pointer to {type_name}, and that alone"
    ))
}

/// A hash of a function's code and of that of the functions it calls. Where the
/// code stands in its file does not matter.
fn code_hash(program: &Program, function: FunctionId) -> String {
    let mut hash = Sha256::new();
    let mut met = vec![function];
    let mut at = 0;
    while at < met.len() {
        let listing = FunctionListing::new(program, met[at]).to_string();
        for line in listing.lines() {
            let code = line.split(" ; ").next().unwrap_or_default();
            hash.update(code.trim_end());
            hash.update("\n");
        }
        let body = program.functions[met[at].index()].body.as_ref();
        for inst in body.map_or(&[][..], |body| &body.code) {
            if let Inst::Call { function, .. } = *inst
                && !met.contains(&function)
            {
                met.push(function);
            }
        }
        at += 1;
    }
    let bytes = hash.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read_suite(path: &Path) -> Result<Suite, String> {
    let shown = path.display();
    let bytes = std::fs::read(path);
    let bytes = bytes.map_err(|error| format!("error: cannot read {shown}: {error}"))?;
    let read = Suite::read(&String::from_utf8_lossy(&bytes));
    let (suite, complaints) = read.map_err(|error| format!("error: {shown}: {error}"))?;
    for complaint in complaints {
        eprintln!("warning: {shown}: {complaint}; it is left out");
    }
    Ok(suite)
}

fn write_suite(path: &Path, suite: &Suite) -> Result<(), String> {
    let written = std::fs::write(path, suite.text());
    written.map_err(|error| format!("error: cannot write {}: {error}", path.display()))
}
