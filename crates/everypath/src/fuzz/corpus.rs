//! What fuzzing writes down and shows: inputs, errors, coverage, the summary.

use crate::coverage;
use crate::error::Error;
use crate::finding::Finding;
use crate::report::peak_memory;
use ::fuzz::{Counts, Observer, Outcome, Run};
use engine::policy::generational::Tracer;
use machine::{End, Machine};
use program::Program;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::fmt::Write;
use std::io::{IsTerminal, Write as _};
use std::time::{Duration, Instant};
use suite::OutputDirectory;

/// When to stop, and what to tell.
pub struct Plan {
    pub started: Instant,
    pub time: Option<Duration>,
    /// Different errors to stop after.
    pub errors: Option<u64>,
    /// What the tokeniser's numbers say about the grammar.
    pub remarks: Vec<String>,
    /// The command that compiles the program.
    pub compile: String,
}

/// Inputs that hung and are kept.
const MOST_HANGS: u64 = 20;

/// Writes inputs as runs end.
pub struct Corpus<'p> {
    program: &'p Program,
    directory: OutputDirectory,
    plan: Plan,
    inputs: u64,
    hangs: u64,
    completed: u64,
    erroneous: u64,
    ignored: u64,
    findings: Vec<Finding>,
    /// Errors by kind and place: which finding it is, and how often it was met.
    known: HashMap<(&'static str, String, u32), (usize, u64)>,
    /// The first thing that could not be written.
    failure: Option<Error>,
    draws: bool,
    drawn: Option<Instant>,
}

impl<'p> Corpus<'p> {
    pub fn new(program: &'p Program, directory: OutputDirectory, plan: Plan) -> Corpus<'p> {
        Corpus {
            program,
            directory,
            plan,
            inputs: 0,
            hangs: 0,
            completed: 0,
            erroneous: 0,
            ignored: 0,
            findings: Vec::new(),
            known: HashMap::new(),
            failure: None,
            draws: std::io::stderr().is_terminal(),
            drawn: None,
        }
    }

    pub fn found_any(&self) -> bool {
        !self.findings.is_empty()
    }

    /// Says which tokens the tokeniser does not tell apart or does not know.
    pub fn tell_remarks(&mut self) {
        for remark in &self.plan.remarks {
            eprintln!("note: {remark}");
            let _ = self.directory.log(remark);
        }
    }

    fn write(&mut self, name: &str, bytes: &[u8]) {
        if let Err(error) = self.directory.write_file(name, bytes.to_vec()) {
            self.failure.get_or_insert(error.into());
        }
    }

    fn error(&mut self, run: &Run<'_>, kind: machine::ErrorKind, message: &str) {
        let mut finding = Finding::at(self.program, run.state, kind, message);
        let key = (kind.name(), finding.file.clone(), finding.line);
        let next = self.findings.len();
        let (_, times) = self.known.entry(key).or_insert((next, 0));
        *times += 1;
        if *times > 1 {
            return;
        }
        let name = format!("crashes/{:06}", next + 1);
        finding.test.clone_from(&name);
        finding.inputs = shown(run.input);
        let path = self.directory.path().join(&name);
        let (compile, path) = (&self.plan.compile, path.display());
        finding.again = format!("\n  replay: {compile} && ./a.out < {path}");
        self.write(&name, run.input);
        self.write(&format!("{name}.err"), finding.diagnostic().as_bytes());
        self.findings.push(finding);
    }

    /// Writes what is left and gives the run's object.
    pub fn finish(
        &mut self,
        tracer: &mut Tracer<'_>,
        outcome: Outcome,
        counts: Counts,
    ) -> Result<Json, Error> {
        if self.drawn.take().is_some() && self.draws {
            eprint!("\r\x1b[K");
        }
        let mut notes = tracer.take_notes();
        let machine = &mut tracer.machine;
        let told = machine.mixed.oracle_mut().take_notes();
        notes.extend(told.iter().map(ToString::to_string));
        if counts.misread > 0 {
            notes.push(format!(
                "in {} of {} runs the tokeniser returned other tokens than the input was made of",
                counts.misread, counts.runs
            ));
        }
        for note in notes {
            let _ = self.directory.log(&note);
            eprintln!("note: {note}");
        }
        let (info, totals) = coverage::of(self.program, &machine.coverage);
        let statistics = machine.mixed.solver().statistics();
        let errors: Vec<Json> = self
            .findings
            .iter()
            .map(|e| {
                let key = (e.kind.name(), e.file.clone(), e.line);
                let times = self.known.get(&key).map_or(1, |(_, times)| *times);
                json!({"kind": e.kind.name(), "message": e.message, "function": e.function,
                   "file": e.file, "line": e.line, "test": e.test, "times": times})
            })
            .collect();
        let interrupted = crate::interrupt::raised() || self.failure.is_some();
        let run = json!({
            "schema": 1,
            "outcome": match outcome {
                _ if interrupted => "interrupted",
                Outcome::Complete => "complete",
                Outcome::Runs | Outcome::Stopped => "limit",
            },
            "paths": {"completed": self.completed, "errors": self.erroneous,
                      "ignored": self.ignored, "infeasible": 0, "unknown": 0,
                      "unfinished": self.hangs},
            "tests": self.inputs,
            "errors": errors,
            "fuzz": {"runs": counts.runs, "flips": counts.flips, "solved": counts.solved,
                     "impossible": counts.impossible, "divergences": counts.divergences,
                     "misread": counts.misread, "generations": counts.generation,
                     "waiting": counts.waiting, "tokens": self.plan.remarks},
            "coverage": {"lines": {"covered": totals.lines.0, "total": totals.lines.1},
                         "branches": {"covered": totals.branches.0, "total": totals.branches.1}},
            "instructions": counts.instructions,
            "forks": 0,
            "solver": {"queries": statistics.queries,
                       "backend_calls": statistics.backend_calls(),
                       "unknown": statistics.unknown,
                       "seconds": statistics.time.as_secs_f64()},
            "seconds": self.plan.started.elapsed().as_secs_f64(),
            "peak_memory_bytes": peak_memory(),
        });
        let written = self.directory.write_coverage(&info.to_info("everypath"));
        written.and_then(|()| self.directory.write_run(&run))?;
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(run),
        }
    }

    /// What a person is shown at the end.
    pub fn summary(&self, run: &Json) -> String {
        let mut text = String::new();
        for finding in &self.findings {
            text += &finding.diagnostic();
            text.push('\n');
        }
        let number = |path: &str| run.pointer(path).and_then(Json::as_u64).unwrap_or(0);
        let _ = writeln!(
            text,
            "{} runs in {} generations: {} completed, {} with errors, {} not followed to their end",
            number("/fuzz/runs"),
            number("/fuzz/generations"),
            number("/paths/completed"),
            number("/paths/errors"),
            number("/paths/unfinished"),
        );
        let _ = writeln!(
            text,
            "{} conditions flipped, {} solved, {} runs left their path, {} questions to the solver",
            number("/fuzz/flips"),
            number("/fuzz/solved"),
            number("/fuzz/divergences"),
            number("/solver/queries"),
        );
        text += &coverage::summary(run);
        let _ = write!(
            text,
            "{} inputs and {} errors in {}, {}; {:.2} s",
            self.inputs,
            self.findings.len(),
            self.directory.path().display(),
            run["outcome"].as_str().unwrap_or_default(),
            run["seconds"].as_f64().unwrap_or_default(),
        );
        text
    }

    fn draw(&mut self, machine: &Machine<'_>, counts: &Counts) {
        const EVERY: Duration = Duration::from_millis(250);
        let due = match self.drawn {
            None => self.plan.started.elapsed() > Duration::from_secs(1),
            Some(last) => last.elapsed() > EVERY,
        };
        if !due || !self.draws {
            return;
        }
        let (_, totals) = coverage::of(self.program, &machine.coverage);
        let lines = totals.lines.0 as f64 / totals.lines.1.max(1) as f64 * 100.0;
        eprint!(
            "\r\x1b[K{} runs, {} a second, {} inputs, {} errors, {} waiting, {lines:.0} % of lines",
            counts.runs,
            (counts.runs as f64 / self.plan.started.elapsed().as_secs_f64()).round(),
            self.inputs,
            self.findings.len(),
            counts.waiting,
        );
        let _ = std::io::stderr().flush();
        self.drawn = Some(Instant::now());
    }
}

impl Observer for Corpus<'_> {
    fn ran(&mut self, _: &mut Machine<'_>, run: &Run<'_>) {
        if run.new_coverage > 0 {
            self.inputs += 1;
            self.write(&format!("inputs/{:06}", self.inputs), run.input);
        }
        match run.end {
            Some(End::Exit(_)) => self.completed += 1,
            Some(End::Ignored | End::TooDeep) => self.ignored += 1,
            Some(End::Error(kind, message)) => {
                self.erroneous += 1;
                self.error(run, *kind, message);
            }
            None => {
                self.hangs += 1;
                if self.hangs <= MOST_HANGS {
                    self.write(&format!("hangs/{:06}", self.hangs), run.input);
                }
            }
        }
    }

    fn stops(&mut self, machine: &Machine<'_>, counts: &Counts) -> bool {
        self.draw(machine, counts);
        let late = self
            .plan
            .time
            .is_some_and(|time| self.plan.started.elapsed() >= time);
        let enough = self
            .plan
            .errors
            .is_some_and(|most| self.findings.len() as u64 >= most);
        late || enough || self.failure.is_some() || crate::interrupt::raised()
    }
}

/// An input as a person reads it: text as it is, other bytes as escapes.
fn shown(input: &[u8]) -> String {
    match std::str::from_utf8(input) {
        Ok(text) if !text.contains(|c: char| c.is_control() && c != '\n' && c != '\t') => {
            text.to_owned()
        }
        _ => format!("\"{}\"", input.escape_ascii()),
    }
}
