//! What fuzzing writes down and shows: inputs, errors, coverage, the summary.

use crate::error::Error;
use crate::finding::Diagnosis;
use crate::live::{LivePage, Snapshot, so_far};
use crate::output::quoted;
use crate::ranges::Handover;
use crate::told::{Fuzzed, MOST_HANGS};
use crate::ui::progress::Progress;
use crate::ui::summary;
use ::fuzz::{Candidate, Counts, Observer, Run};
use ::report::document::Worker;
use base::{Cause, Stop};
use engine::{Outcome, Tally, report};
use machine::{Coverage, Machine};
use program::Program;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::time::{Duration, Instant};
use suite::{
    Curve, ErrorKind, Finding, FuzzSummary, OutputDirectory, PathCounts, Profile, RunReport, Sample,
};

/// When to stop, and what to tell.
pub struct Plan {
    pub started: Instant,
    pub time: Option<Duration>,
    /// Different errors to stop after.
    pub errors: Option<u64>,
    /// Runs to stop after.
    pub runs: Option<u64>,
    /// What the tokeniser's numbers say about the grammar.
    pub remarks: Vec<String>,
    /// The command that compiles the program.
    pub compile: String,
    /// When to go on in several processes.
    pub handover: Handover,
}

/// Writes inputs as runs end.
pub struct Corpus<'p> {
    program: &'p Program,
    directory: OutputDirectory,
    plan: Plan,
    inputs: u64,
    hangs: usize,
    paths: PathCounts,
    /// What was done, here or elsewhere.
    pub(super) counts: Counts,
    /// What inputs reached that were kept.
    covered: Coverage,
    errors: Vec<Diagnosis>,
    /// Which of the errors is the one of this kind at this line.
    known: HashMap<(ErrorKind, String, u32), usize>,
    notes: BTreeSet<String>,
    /// Whether it is time to go on in several processes.
    gives_away: bool,
    /// Then: what waits, and what was counted before.
    pub(super) waiting: Vec<Candidate>,
    pub(super) before: Tally,
    /// The first thing that could not be written.
    failure: Option<Error>,
    progress: Progress,
    /// How far it was, time after time.
    curve: Curve,
    pub(super) live: Option<LivePage>,
}

impl<'p> Corpus<'p> {
    pub fn new(program: &'p Program, directory: OutputDirectory, plan: Plan) -> Corpus<'p> {
        Corpus {
            progress: Progress::new(plan.started, plan.time),
            program,
            directory,
            plan,
            inputs: 0,
            hangs: 0,
            paths: PathCounts::default(),
            counts: Counts::default(),
            covered: Coverage::new(program),
            errors: Vec::new(),
            known: HashMap::new(),
            notes: BTreeSet::new(),
            gives_away: false,
            waiting: Vec::new(),
            before: Tally::default(),
            failure: None,
            curve: Curve::default(),
            live: None,
        }
    }

    /// Shows the fuzzing in the browser from now on.
    pub fn go_live(&mut self, stop: &Stop) -> Result<(), Error> {
        self.live = Some(LivePage::start(self.directory.path(), stop)?);
        Ok(())
    }

    /// Gives pages that are open the report.
    pub fn end_live(&mut self) -> Result<(), Error> {
        self.live.take().map_or(Ok(()), LivePage::finish)
    }

    /// Where inputs are written.
    pub(super) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Says which tokens the tokeniser does not tell apart or does not know.
    pub fn tell_remarks(&mut self) {
        for remark in &self.plan.remarks {
            eprintln!("note: {remark}");
            let _ = self.directory.log(remark);
        }
    }

    /// Whether the search ended to go on in several processes.
    pub fn gives_away(&self) -> bool {
        self.gives_away
    }

    /// Goes on with what waits after so much was done here.
    pub fn go_on(&mut self, waiting: Vec<Candidate>, counts: Counts, before: Tally) {
        self.waiting = waiting;
        self.counts = counts;
        self.before = before;
    }

    /// Keeps something to tell the user at the end.
    pub(super) fn keep_note(&mut self, note: &str) {
        self.notes.insert(note.to_owned());
    }

    fn write(&mut self, name: &str, bytes: &[u8]) {
        if let Err(error) = self.directory.write_file(name, bytes.to_vec()) {
            self.failure.get_or_insert(error.into());
        }
    }

    /// Writes what runs gave.
    pub(super) fn keep(&mut self, fuzzed: Fuzzed) {
        self.counts.add(&fuzzed.counts);
        for (input, covered) in fuzzed.inputs {
            let before = self.covered.count;
            self.covered.absorb(&covered);
            // Another process may have been there first.
            if self.covered.count > before {
                self.inputs += 1;
                self.write(&format!("inputs/{:06}", self.inputs), &input);
            }
        }
        let room = MOST_HANGS - self.hangs;
        for input in fuzzed.hangs.iter().take(room) {
            self.hangs += 1;
            self.write(&format!("hangs/{:06}", self.hangs), input);
        }
        for (input, error, times) in fuzzed.errors {
            self.keep_error(&input, error, times);
        }
        self.paths.add(&fuzzed.paths);
    }

    /// Workers died of what follows from this input.
    pub(super) fn keep_killer(&mut self, input: Vec<u8>, finding: Finding) {
        self.paths.errors += 1;
        let error = Diagnosis::of_the_tool(finding, String::new());
        self.keep_error(&input, error, 1);
    }

    fn keep_error(&mut self, input: &[u8], mut error: Diagnosis, times: u64) {
        let (kind, file, line) = error.finding.identity();
        let key = (kind, file.to_owned(), line);
        if let Some(&known) = self.known.get(&key) {
            let before = &mut self.errors[known].finding.times;
            *before = before.map(|before| before + times);
            return;
        }
        self.known.insert(key, self.errors.len());
        let name = format!("crashes/{:06}", self.errors.len() + 1);
        error.finding.test.clone_from(&name);
        error.finding.times = Some(times);
        error.inputs = shown(input);
        let path = self.directory.path().join(&name);
        let (compile, path) = (&self.plan.compile, quoted(&path));
        error.again = format!("\n  replay: {compile} && ./a.out < {path}");
        self.write(&name, input);
        self.write(&format!("{name}.err"), error.text().as_bytes());
        if let Some(live) = &self.live {
            live.tell_error(&error.finding, &error.text());
        }
        self.errors.push(error);
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    pub(super) fn has_enough_errors(&self) -> bool {
        let most = self.plan.errors;
        most.is_some_and(|most| self.errors.len() as u64 >= most)
    }

    pub(super) fn has_enough_runs(&self) -> bool {
        self.plan.runs.is_some_and(|most| self.counts.runs >= most)
    }

    /// Writes what is left and gives the report, with what was counted in all.
    pub fn finish(
        &mut self,
        outcome: Outcome,
        stop: &Stop,
        tally: &Tally,
    ) -> Result<RunReport, Error> {
        self.progress.clear();
        let Counts { misread, runs, .. } = self.counts;
        if misread > 0 {
            self.keep_note(&format!(
                "in {misread} of {runs} runs the tokeniser returned other tokens than the input was made of",
            ));
        }
        for note in std::mem::take(&mut self.notes) {
            let _ = self.directory.log(&note);
            eprintln!("note: {note}");
        }
        let interrupted = stop.cause() == Some(Cause::Interrupt) || self.failure.is_some();
        let incomplete = tally.omissions.clone();
        let (report, coverage) = self.so_far(tally);
        let report = RunReport {
            outcome: match outcome {
                _ if interrupted => suite::Outcome::Interrupted,
                Outcome::Complete if !incomplete.is_empty() => suite::Outcome::Incomplete,
                Outcome::Complete => suite::Outcome::Complete,
                Outcome::Limit(_) | Outcome::Interrupted | Outcome::GivenAway => {
                    suite::Outcome::Limit
                }
            },
            incomplete,
            ..report
        };
        self.directory
            .write_coverage(&coverage.to_info("everypath"))?;
        self.sample(tally);
        self.directory.write_profile(&Profile {
            costs: tally.costs.clone(),
            calls: tally.calls.clone(),
            curve: std::mem::take(&mut self.curve).into_samples(),
        })?;
        self.directory.write_run(&report)?;
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(report),
        }
    }

    /// What fuzzing says of itself so far, and what it covered.
    fn so_far(&self, tally: &Tally) -> (RunReport, suite::lcov::Coverage) {
        let (run, coverage) = so_far(self.program, RunReport::unknown(), tally, self.plan.started);
        let counts = &self.counts;
        let findings = self.errors.iter().map(|error| error.finding.clone());
        let run = RunReport {
            paths: self.paths,
            tests: self.inputs,
            errors: findings.collect(),
            instructions: counts.instructions,
            fuzz: Some(FuzzSummary {
                runs: counts.runs,
                flips: counts.flips,
                solved: counts.solved,
                impossible: counts.impossible,
                divergences: counts.divergences,
                misread: counts.misread,
                generations: counts.generation.into(),
                waiting: counts.waiting,
                tokens: self.plan.remarks.clone(),
            }),
            inputs: self.directory.input_types().clone(),
            forks: 0,
            external: None,
            ..run
        };
        (run, coverage)
    }

    fn sample(&mut self, tally: &Tally) {
        let seconds = self.plan.started.elapsed().as_secs_f64();
        self.curve.add(Sample {
            paths: self.counts.runs,
            errors: self.paths.errors,
            ..tally.sample(seconds, self.counts.waiting)
        });
    }

    /// Shows how far it is, and does what the buttons of pages say.
    pub(super) fn show_all(&mut self, tally: &Tally, workers: Vec<Worker>) {
        if self.curve.is_due(self.plan.started.elapsed().as_secs_f64()) {
            self.sample(tally);
        }
        let working = workers.len();
        self.draw(&tally.covered, working);
        if self.live.as_ref().is_some_and(|live| live.link.is_due()) {
            self.publish(tally, workers);
        }
    }

    /// Whether it is time to show how far it is, anywhere.
    fn is_showing_due(&self) -> bool {
        let seconds = self.plan.started.elapsed().as_secs_f64();
        let live = self.live.as_ref();
        self.curve.is_due(seconds)
            || self.progress.is_due()
            || live.is_some_and(|live| live.link.is_due())
    }

    fn publish(&mut self, tally: &Tally, workers: Vec<Worker>) {
        let Some(mut live) = self.live.take() else {
            return;
        };
        let (run, coverage) = self.so_far(tally);
        live.publish(Snapshot {
            run,
            coverage,
            curve: self.curve.samples(),
            costs: &tally.costs,
            calls: &tally.calls,
            waiting: self.counts.waiting,
            workers,
        });
        self.live = Some(live);
    }

    /// Writes down what is covered; inputs are on disk as they come.
    pub(super) fn write_dump(&mut self) {
        let (info, _) = report::coverage(self.program, &self.covered);
        let written = self.directory.write_coverage(&info.to_info("everypath"));
        let path = self.directory.path().to_owned();
        if let Some(live) = &mut self.live {
            live.dumped(written.map(|()| path).map_err(Error::from));
        }
    }

    /// What a person is shown at the end.
    pub fn summary(&self, report: &RunReport) -> String {
        let mut text = String::new();
        for error in &self.errors {
            text += &error.text();
            text.push('\n');
        }
        text + summary::of_fuzzing(report, self.directory.path()).trim_end()
    }

    fn draw(&mut self, covered: &[u8], workers: usize) {
        let counts = &self.counts;
        self.progress.show(|elapsed| {
            let mut reached = Coverage::new(self.program);
            reached.absorb(covered);
            let (_, coverage) = report::coverage(self.program, &reached);
            let workers = match workers {
                0 => String::new(),
                workers => format!(", {workers} workers"),
            };
            format!(
                "{} runs, {:.0} a second, {} inputs, {} errors, {} waiting, {:.0} % of lines{workers}",
                counts.runs,
                counts.runs as f64 / elapsed.as_secs_f64(),
                self.inputs,
                self.errors.len(),
                counts.waiting,
                coverage.lines.percent(),
            )
        });
    }
}

impl Observer for Corpus<'_> {
    fn ran(&mut self, machine: &mut Machine<'_>, run: &Run<'_>) {
        let mut fuzzed = Fuzzed::default();
        fuzzed.ran(self.program, machine, run);
        self.keep(fuzzed);
    }

    fn stops(&mut self, machine: &Machine<'_>, counts: &Counts) -> bool {
        self.counts = *counts;
        if self.is_showing_due() {
            let tally = Tally::of(machine, &engine::Counts::default());
            self.show_all(&tally, Vec::new());
        }
        if let Some(live) = &self.live {
            live.link.hold();
            if live.wants_dump() {
                self.write_dump();
            }
        }
        self.gives_away = self.plan.handover.is_due(counts.waiting < 2);
        self.gives_away || self.has_enough_errors() || self.has_failed()
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
