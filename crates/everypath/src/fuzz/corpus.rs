//! What fuzzing writes down and shows: inputs, errors, coverage, the summary.

use crate::error::Error;
use crate::finding::Diagnosis;
use crate::live::{LivePage, Snapshot};
use crate::ui::progress::Progress;
use crate::ui::summary;
use ::fuzz::{Counts, Observer, Outcome, Run};
use base::{Cause, Stop};
use engine::policy::generational::Tracer;
use engine::report;
use machine::{End, Machine};
use program::Program;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use suite::{
    CoverageSummary, Curve, ErrorKind, FuzzSummary, OutputDirectory, PathCounts, Profile,
    RunReport, Sample,
};

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
    paths: PathCounts,
    errors: Vec<Diagnosis>,
    /// Which of the errors is the one of this kind at this line.
    known: HashMap<(ErrorKind, String, u32), usize>,
    /// The first thing that could not be written.
    failure: Option<Error>,
    progress: Progress,
    /// How far it was, time after time.
    curve: Curve,
    live: Option<LivePage>,
}

impl<'p> Corpus<'p> {
    pub fn new(program: &'p Program, directory: OutputDirectory, plan: Plan) -> Corpus<'p> {
        Corpus {
            progress: Progress::new(plan.started, plan.time),
            program,
            directory,
            plan,
            inputs: 0,
            paths: PathCounts::default(),
            errors: Vec::new(),
            known: HashMap::new(),
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
        let mut error = Diagnosis::at(self.program, run.state, kind, message);
        let (kind, file, line) = error.finding.identity();
        let key = (kind, file.to_owned(), line);
        if let Some(&known) = self.known.get(&key) {
            let times = &mut self.errors[known].finding.times;
            *times = times.map(|times| times + 1);
            return;
        }
        self.known.insert(key, self.errors.len());
        let name = format!("crashes/{:06}", self.errors.len() + 1);
        error.finding.test.clone_from(&name);
        error.finding.times = Some(1);
        error.inputs = shown(run.input);
        let path = self.directory.path().join(&name);
        let (compile, path) = (&self.plan.compile, path.display());
        error.again = format!("\n  replay: {compile} && ./a.out < {path}");
        self.write(&name, run.input);
        self.write(&format!("{name}.err"), error.text().as_bytes());
        if let Some(live) = &self.live {
            live.tell_error(&error.finding, &error.text());
        }
        self.errors.push(error);
    }

    /// Writes what is left and gives the report.
    pub fn finish(
        &mut self,
        tracer: &mut Tracer<'_>,
        outcome: Outcome,
        counts: Counts,
    ) -> Result<RunReport, Error> {
        self.progress.clear();
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
        let (info, coverage) = report::coverage(self.program, &machine.coverage);
        let interrupt = machine.options.stop.cause() == Some(Cause::Interrupt);
        let interrupted = interrupt || self.failure.is_some();
        let incomplete: Vec<_> = report::omissions(machine).collect();
        let report = RunReport {
            outcome: match outcome {
                _ if interrupted => suite::Outcome::Interrupted,
                Outcome::Complete if !incomplete.is_empty() => suite::Outcome::Incomplete,
                Outcome::Complete => suite::Outcome::Complete,
                Outcome::Runs | Outcome::Stopped => suite::Outcome::Limit,
            },
            incomplete,
            ..self.so_far(machine, &counts, coverage)
        };
        self.directory.write_coverage(&info.to_info("everypath"))?;
        self.sample(machine, &counts);
        self.directory.write_profile(&Profile {
            costs: report::costs(machine),
            calls: report::call_costs(machine),
            curve: std::mem::take(&mut self.curve).into_samples(),
        })?;
        self.directory.write_run(&report)?;
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(report),
        }
    }

    /// What fuzzing says of itself so far.
    fn so_far(
        &self,
        machine: &Machine<'_>,
        counts: &Counts,
        coverage: CoverageSummary,
    ) -> RunReport {
        let findings = self.errors.iter().map(|error| error.finding.clone());
        RunReport {
            paths: self.paths,
            tests: self.inputs,
            errors: findings.collect(),
            coverage,
            instructions: counts.instructions,
            solver: report::solver(machine),
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
            seconds: self.plan.started.elapsed().as_secs_f64(),
            peak_memory_bytes: report::peak_memory(),
            inputs: self.directory.input_types().clone(),
            ..RunReport::unknown()
        }
    }

    fn sample(&mut self, machine: &Machine<'_>, counts: &Counts) {
        self.curve.add(Sample {
            seconds: self.plan.started.elapsed().as_secs_f64(),
            paths: counts.runs,
            errors: self.paths.errors,
            covered: machine.coverage.count,
            waiting: counts.waiting,
        });
    }

    /// Tells pages how far it is, and does what their buttons say.
    fn show_live(&mut self, machine: &Machine<'_>, counts: &Counts) {
        let Some(mut live) = self.live.take() else {
            return;
        };
        if live.link.is_due() {
            let (info, summary) = report::coverage(self.program, &machine.coverage);
            let run = self.so_far(machine, counts, summary);
            live.publish(Snapshot {
                run,
                coverage: info,
                curve: self.curve.samples(),
                costs: &report::costs(machine),
                calls: &report::call_costs(machine),
                waiting: counts.waiting,
                workers: Vec::new(),
            });
        }
        live.link.hold();
        if live.wants_dump() {
            // Inputs are on disk as they come; the rest is written down now.
            let (info, _) = report::coverage(self.program, &machine.coverage);
            let written = self.directory.write_coverage(&info.to_info("everypath"));
            let path = self.directory.path().to_owned();
            live.dumped(written.map(|()| path).map_err(Error::from));
        }
        self.live = Some(live);
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

    fn draw(&mut self, machine: &Machine<'_>, counts: &Counts) {
        self.progress.show(|elapsed| {
            let (_, coverage) = report::coverage(self.program, &machine.coverage);
            format!(
                "{} runs, {:.0} a second, {} inputs, {} errors, {} waiting, {:.0} % of lines",
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
    fn ran(&mut self, _: &mut Machine<'_>, run: &Run<'_>) {
        if run.new_coverage > 0 {
            self.inputs += 1;
            self.write(&format!("inputs/{:06}", self.inputs), run.input);
        }
        match run.end {
            Some(End::Exit(_)) => self.paths.completed += 1,
            Some(End::Ignored | End::TooDeep) => self.paths.ignored += 1,
            Some(End::Unknown) => self.paths.unknown += 1,
            Some(End::Error(kind, message)) => {
                self.paths.errors += 1;
                self.error(run, *kind, message);
            }
            None => {
                self.paths.unfinished += 1;
                let hangs = self.paths.unfinished;
                if hangs <= MOST_HANGS {
                    self.write(&format!("hangs/{hangs:06}"), run.input);
                }
            }
        }
    }

    fn stops(&mut self, machine: &Machine<'_>, counts: &Counts) -> bool {
        let seconds = self.plan.started.elapsed().as_secs_f64();
        if self.curve.is_due(seconds) {
            self.sample(machine, counts);
        }
        self.draw(machine, counts);
        self.show_live(machine, counts);
        let enough = self
            .plan
            .errors
            .is_some_and(|most| self.errors.len() as u64 >= most);
        enough || self.failure.is_some()
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
