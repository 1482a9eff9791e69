//! `everypath stage diff`: two versions of a class on the same valid objects.
//!
//! The suite is built of the old version. Each method is explored in both, and every path of
//! the new version is compared with those of the old one that can be given the same objects.

use super::ClassArguments;
use super::class::{Class, or_not_tested};
use super::method::{load, session_of};
use super::suites::function;
use crate::Outcome;
use crate::error::Error;
use crate::functions::{Row, Tested, say_rows_as_json};
use crate::output::say;
use crate::run;
use crate::session_error;
use base::{OneLine, Stop};
use engine::policy::staged::{
    Behaviour, OldVersion, Staged, StagedArgument, Staging, are_alike, has_valid_objects,
    shown_name,
};
use engine::report::{input_types, test_case};
use engine::{Observer, PathEnd, Prepared, Start};
use machine::{End, Machine};
use program::{FunctionId, Program};
use staged::ObjectGraph;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use suite::{BehaviourDifference, ChangeKind, Input, OutputDirectory, TestCase, VersionComparison};

/// Differences of a method that are shown in full; `run.json` has all of them.
const SHOWN: usize = 5;

pub fn diff(arguments: &ClassArguments, stop: &Stop) -> Result<Outcome, Error> {
    let run = &arguments.run;
    let stop = &stop.limited(run.max_time, None);
    let (old_files, new_files) = versions(&run.program.files)?;
    let old_program = load(run, &session_of(run, old_files.clone(), stop)?, stop)?;
    let new_program = load(run, &session_of(run, new_files.clone(), stop)?, stop)?;
    let old = Version {
        class: Class::new(arguments, &old_program),
        program: &old_program,
        files: old_files,
    };
    let new = Version {
        class: Class::new(arguments, &new_program),
        program: &new_program,
        files: new_files,
    };
    let Some(old_objects) = old.class.objects(&old.class.suite(), stop, &mut None)? else {
        return Ok(Outcome::Found);
    };
    let new_objects = StagedArgument {
        invariant: function(&new_program, &arguments.invariant)?,
        ..old_objects.clone()
    };
    let methods = old.class.methods()?;
    if methods.is_empty() {
        return Err(old.class.no_methods());
    }
    let directory = run::output_directory(run)?;
    let comparison = Comparison {
        run,
        stop,
        old: (&old, &old_objects),
        new: (&new, &new_objects),
    };
    let mut rows = Vec::new();
    for (name, method) in methods {
        let place = directory.path().join(&name);
        let tested = or_not_tested(comparison.compare(&name, method, &place))?;
        rows.push(Row {
            function: name,
            tested,
        });
    }
    match run.json {
        true => say_rows_as_json(&rows)?,
        false => {
            let text = shown(&rows, &old, &new);
            say(text.trim_end())?;
        }
    }
    if comparisons(&rows).next().is_none() {
        return Err(Error::Program("no method could be compared".to_owned()));
    }
    let differ = comparisons(&rows).any(|it| !it.differences.is_empty());
    Ok(match differ {
        true => Outcome::Found,
        false => Outcome::Clean,
    })
}

/// The files of the old version and those of the new one.
fn versions(files: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Error> {
    let [old, new, common @ ..] = files else {
        return Err(Error::Usage(
            "which versions? Name the old file and the new one, as in everypath stage diff \
             old.c new.c"
                .to_owned(),
        ));
    };
    let with = |own: &PathBuf| std::iter::once(own).chain(common).cloned().collect();
    Ok((with(old), with(new)))
}

/// One of the two programs.
struct Version<'a> {
    class: Class<'a>,
    program: &'a Program,
    files: Vec<PathBuf>,
}

impl Version<'_> {
    /// What a person calls it.
    fn name(&self) -> String {
        let first = self.files.first();
        first.map_or_else(String::new, |file| file.one_line().into_owned())
    }
}

/// Both versions and the objects that they are given.
struct Comparison<'a> {
    run: &'a run::Arguments,
    stop: &'a Stop,
    old: (&'a Version<'a>, &'a StagedArgument),
    new: (&'a Version<'a>, &'a StagedArgument),
}

impl Comparison<'_> {
    fn compare(&self, name: &str, method: FunctionId, place: &Path) -> Result<Tested, Error> {
        let Comparison { old, new, .. } = *self;
        if self.stop.is_set() {
            return Ok(not_tested("the time was over"));
        }
        let Ok(counterpart) = function(new.0.program, name) else {
            return Ok(not_tested(&format!(
                "{} has no such function",
                new.0.name()
            )));
        };
        if !are_alike((old.0.program, method), (new.0.program, counterpart))? {
            return Ok(not_tested(
                "its parameters or its result are of other types now",
            ));
        }
        let old_staging = old.0.class.staging(old.1, name, method)?;
        let mut prepared_old = self.prepared(old.0, old_staging)?;
        let new_staging = new.0.class.staging(new.1, name, counterpart)?;
        let mut prepared_new = self.prepared(new.0, new_staging)?;
        let staged = prepared_new.staged().clone();
        if let Some(structure) = prepared_old.staged().changed_structure(&staged) {
            return Ok(not_tested(&format!("{structure} has other fields now")));
        }
        let mut behaviours = Collector {
            staged: prepared_old.staged().clone(),
            paths: 0,
            old: OldVersion::default(),
        };
        let explained = |error| session_error::explained(error, Some(old.0.program));
        let old_report = prepared_old.run(&mut behaviours).map_err(explained)?;
        let mut comparer = Comparer {
            staged,
            comparison: VersionComparison {
                old_paths: behaviours.paths,
                partial: behaviours.old.is_partial() || is_cut_short(&old_report),
                ..VersionComparison::default()
            },
            old: behaviours.old,
        };
        let explained = |error| session_error::explained(error, Some(new.0.program));
        let mut report = prepared_new.run(&mut comparer).map_err(explained)?;
        let mut comparison = comparer.comparison;
        comparison.partial |= is_cut_short(&report) || comparison.undecided > 0;
        // The smallest objects tell the most.
        let size = |it: &BehaviourDifference| it.objects.iter().map(Vec::len).sum::<usize>();
        comparison.differences.sort_by_key(size);
        report.comparison = Some(comparison);
        OutputDirectory::create_at(place)?.write_run(&report)?;
        Ok(Tested::Called {
            directory: place.to_owned(),
            report: Box::new(report),
        })
    }

    fn prepared<'p>(
        &'p self,
        version: &'p Version<'p>,
        staging: Staging,
    ) -> Result<Prepared<'p>, Error> {
        let session = session_of(self.run, version.files.clone(), self.stop)?;
        let prepared = session.prepare(version.program, Start::Objects(staging));
        prepared.map_err(|error| session_error::explained(error, Some(version.program)))
    }
}

fn not_tested(why: &str) -> Tested {
    Tested::Not {
        not_tested: why.to_owned(),
    }
}

fn is_cut_short(report: &suite::RunReport) -> bool {
    report.outcome != suite::Outcome::Complete || report.paths.unfinished + report.paths.unknown > 0
}

/// What a path did, if it was given valid objects and came to an end.
fn behaviour(staged: &Staged<'_>, path: &mut PathEnd<'_, '_>, end: &End) -> Option<Behaviour> {
    match end {
        End::Exit(_) | End::Error(..) if has_valid_objects(path.state) => {
            Some(staged.behaviour(path.machine, path.state, end))
        }
        End::Exit(_)
        | End::Error(..)
        | End::Ignored
        | End::Redundant
        | End::TooDeep
        | End::Unknown => None,
    }
}

/// Keeps what the old version does.
struct Collector<'p> {
    staged: Rc<Staged<'p>>,
    paths: u64,
    old: OldVersion,
}

impl Observer for Collector<'_> {
    fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        if let Some(behaviour) = behaviour(&self.staged, path, end) {
            self.paths += 1;
            self.old.add(path.machine, behaviour);
        }
    }
}

/// Compares what the new version does with it.
struct Comparer<'p> {
    staged: Rc<Staged<'p>>,
    old: OldVersion,
    comparison: VersionComparison,
}

impl Observer for Comparer<'_> {
    fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        let Some(behaviour) = behaviour(&self.staged, path, end) else {
            return;
        };
        let (machine, state) = (&mut *path.machine, path.state);
        let compared = self.old.compare(&self.staged, machine, state, &behaviour);
        self.comparison.undecided += compared.undecided;
        self.comparison.partial |= compared.is_partial;
        for difference in compared.differences {
            let mut state = state.clone();
            state.model = difference.model;
            let case = test_case(machine, &state);
            let others = case.inputs.into_iter().filter(|it| !it.name.contains('#'));
            let inputs = others.map(|input| shown_input(machine, input)).collect();
            let lines = |graph: &ObjectGraph| graph.text().lines().map(str::to_owned).collect();
            self.comparison.differences.push(BehaviourDifference {
                objects: difference.before.iter().map(lines).collect(),
                inputs,
                changes: difference.changes,
            });
        }
    }
}

/// An input that is no object, on one line.
fn shown_input(machine: &Machine<'_>, input: Input) -> String {
    let address = <[u8; 8]>::try_from(&input.bytes[..]).map(u64::from_le_bytes);
    match address
        .ok()
        .and_then(|address| machine.function_at(address))
    {
        Some(id) => format!("{}=&{}", input.name, shown_name(machine.program, id)),
        None => suite::brief(&TestCase::new(vec![input]), &input_types(machine)),
    }
}

fn comparisons(rows: &[Row]) -> impl Iterator<Item = &VersionComparison> {
    rows.iter().filter_map(|row| match &row.tested {
        Tested::Called { report, .. } => report.comparison.as_ref(),
        Tested::Not { .. } => None,
    })
}

/// A line for each method, then the differences.
fn shown(rows: &[Row], old: &Version<'_>, new: &Version<'_>) -> String {
    let widest = rows.iter().map(|row| row.function.chars().count()).max();
    let width = widest.unwrap_or(0).clamp(8, 40);
    let mut text = format!(
        "{:width$}  {:>9}  {:>9}  {:>11}\n",
        "function", "old paths", "new paths", "differences"
    );
    let mut details = String::new();
    for Row { function, tested } in rows {
        let report = match tested {
            Tested::Called { report, .. } => report,
            Tested::Not { not_tested } => {
                let _ = writeln!(text, "{function:width$}  not compared: {not_tested}");
                continue;
            }
        };
        let Some(comparison) = &report.comparison else {
            continue;
        };
        let count = comparison.differences.len();
        let _ = write!(
            text,
            "{function:width$}  {:>9}  {:>9}  {count:>11}",
            comparison.old_paths,
            report.paths.completed + report.paths.errors,
        );
        text += match comparison.partial {
            true => "  not everything was compared\n",
            false => "\n",
        };
        if comparison.undecided > 0 {
            let _ = writeln!(
                details,
                "\n{function}: the solver could not decide {} pairs of paths",
                comparison.undecided
            );
        }
        for difference in comparison.differences.iter().take(SHOWN) {
            details += &described(function, difference, &old.name(), &new.name());
        }
        if count > SHOWN {
            let more = count - SHOWN;
            let _ = writeln!(
                details,
                "\n{function}: {more} more differences are in run.json"
            );
        }
    }
    text + &details
}

fn described(function: &str, difference: &BehaviourDifference, old: &str, new: &str) -> String {
    let mut text = format!("\n{function} differs for\n");
    for (number, objects) in difference.objects.iter().enumerate() {
        if difference.objects.len() > 1 {
            let _ = writeln!(text, "  argument {number}:");
        }
        for line in objects {
            let _ = writeln!(text, "  {line}");
        }
    }
    for line in &difference.inputs {
        let _ = writeln!(text, "  {line}");
    }
    for change in &difference.changes {
        let what = match change.kind {
            ChangeKind::Error => "it",
            ChangeKind::Output => "output",
            ChangeKind::Result | ChangeKind::State => &change.place,
        };
        let _ = writeln!(
            text,
            "  {what}: {} in {old}, {} in {new}",
            change.old, change.new
        );
    }
    text
}
