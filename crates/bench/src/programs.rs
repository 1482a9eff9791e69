//! Programs in the style of POSIX, tested as their users would test them.
//!
//! Each program of `examples/programs` says in its first comment which commands test it, and
//! marks its planted bugs with `BUG_n` and the kind of error that they are. What the tests
//! cover is measured natively, by gcov on a build that Everypath has no part in; a bug counts
//! as found if an error of its kind is reported, and only if its macro is defined.

use crate::Report;
use crate::workshop::{Run, Workshop};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The share of a program's lines that its tests have to execute, in percent.
const LEAST_COVERED: f64 = 85.0;
/// Processor time for each command of a program.
const SECONDS: u64 = 60;
/// Programs are to be many, and of a size that somebody would write.
const LEAST_PROGRAMS: f64 = 20.0;
const LEAST_LINES: f64 = 200.0;
const LEAST_BUGS: f64 = 30.0;

/// Measures everything; an error is one message.
pub fn report() -> Result<Report, String> {
    let mut report = Report::default();
    let workshop = Workshop::new()?;
    let programs = programs()?;
    report.line(&format!(
        "{:<10}{:>8}{:>8}{:>10}{:>10}{:>8}",
        "", "lines", "tests", "covered", "seconds", "bugs"
    ));
    let mut faults = Vec::new();
    for program in &programs {
        measure(&mut report, &workshop, program, &mut faults)?;
    }
    report.line("");
    report.demand("programs", programs.len() as f64, LEAST_PROGRAMS);
    let lines = programs.iter().map(|program| program.text.lines().count());
    let shortest = lines.min().unwrap_or_default();
    report.demand("lines of the shortest", shortest as f64, LEAST_LINES);
    let bugs: usize = programs.iter().map(|program| program.bugs().len()).sum();
    report.demand("planted bugs", bugs as f64, LEAST_BUGS);
    report.expect("covered, found, and as predicted", &faults);
    Ok(report)
}

struct Program {
    name: String,
    file: PathBuf,
    text: String,
}

struct Bug {
    define: String,
    kind: String,
}

fn programs() -> Result<Vec<Program>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/programs");
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files.into_iter().map(Program::read).collect()
}

impl Program {
    fn read(file: PathBuf) -> Result<Program, String> {
        let text = std::fs::read_to_string(&file)
            .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let name = file.file_stem().unwrap_or_default();
        Ok(Program {
            name: name.to_string_lossy().into_owned(),
            file,
            text,
        })
    }

    /// What stands behind `everypath run NAME.c` in the first comment, word by word.
    fn commands(&self) -> Vec<Vec<&str>> {
        let comment = self.text.split("*/").next().unwrap_or_default();
        let start = format!("everypath run {}.c ", self.name);
        let lines = comment.lines().filter_map(|line| line.split_once(&start));
        lines
            .map(|(_, arguments)| arguments.split_whitespace().collect())
            .collect()
    }

    /// The bugs: `#ifdef BUG_1 /* division */`, or `#ifndef` where the bug leaves lines out.
    fn bugs(&self) -> Vec<Bug> {
        let conditions = self.text.lines().filter_map(|line| {
            let rest = line.strip_prefix("#ifdef ");
            rest.or_else(|| line.strip_prefix("#ifndef "))
        });
        let marked = conditions.filter_map(|line| line.split_once(" /* "));
        marked
            .map(|(define, kind)| Bug {
                define: define.to_owned(),
                kind: kind.trim_end_matches(" */").to_owned(),
            })
            .collect()
    }

    /// Runs one of the commands; a grammar that it names lies beside the program.
    fn run(&self, workshop: &Workshop, command: &[&str], more: &[&str]) -> Result<Run, String> {
        let beside = self.file.with_file_name("");
        let command: Vec<String> = command
            .iter()
            .map(|word| match word.ends_with(".bnf") {
                true => beside.join(word).display().to_string(),
                false => (*word).to_owned(),
            })
            .collect();
        let mut arguments = vec!["--workers", "1"];
        arguments.extend(more);
        arguments.extend(command.iter().map(String::as_str));
        workshop.run_within(SECONDS, &[&self.file], &arguments)
    }
}

fn measure(
    report: &mut Report,
    workshop: &Workshop,
    program: &Program,
    faults: &mut Vec<String>,
) -> Result<(), String> {
    let native = Native::build(workshop, program)?;
    let (mut seconds, mut tests) = (0.0, 0);
    for command in program.commands() {
        let run = program.run(workshop, &command, &["--only-covering-new"])?;
        seconds += run.seconds;
        tests += run.report.tests;
        for error in &run.report.errors {
            faults.push(format!("{} has an error: {}", program.name, error.message));
        }
        if !native.replays(workshop, &run)? {
            faults.push(format!("{}: a test ends otherwise natively", program.name));
        }
    }
    let covered = native.covered()?;
    if covered < LEAST_COVERED {
        let name = &program.name;
        faults.push(format!("{name}: {covered:.1} % of its lines are covered"));
    }
    let bugs = program.bugs();
    let mut found = 0;
    for bug in &bugs {
        if is_found(workshop, program, bug)? {
            found += 1;
        } else {
            let Bug { define, kind } = bug;
            faults.push(format!("{}: {define} ({kind}) is not found", program.name));
        }
    }
    report.line(&format!(
        "{:<10}{:>8}{:>8}{:>8.1} %{:>10.1}{:>4} of {}",
        program.name,
        program.text.lines().count(),
        tests,
        covered,
        seconds,
        found,
        bugs.len()
    ));
    Ok(())
}

fn is_found(workshop: &Workshop, program: &Program, bug: &Bug) -> Result<bool, String> {
    for command in program.commands() {
        let more = ["-D", &bug.define, "--max-errors", "1"];
        let run = program.run(workshop, &command, &more)?;
        let mut errors = run.report.errors.iter();
        if errors.any(|error| error.kind.to_string() == bug.kind) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A build of a program that counts what is executed.
struct Native {
    folder: PathBuf,
    binary: PathBuf,
    notes: PathBuf,
}

impl Native {
    fn build(workshop: &Workshop, program: &Program) -> Result<Native, String> {
        let folder = workshop.file(&format!("native-{}", program.name));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let binary = folder.join("program");
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=gnu11", "-O0", "--coverage", "-o"]);
        gcc.arg(&binary).arg(&program.file);
        said(gcc.current_dir(&folder))?;
        if !binary.exists() {
            return Err(format!("{gcc:?} made no program"));
        }
        Ok(Native {
            notes: folder.join(format!("program-{}.gcda", program.name)),
            folder,
            binary,
        })
    }

    /// Whether all tests of a run end as predicted.
    fn replays(&self, workshop: &Workshop, run: &Run) -> Result<bool, String> {
        let mut replay = Command::new(&workshop.everypath);
        replay.args(["replay", "--binary"]);
        replay.arg(&self.binary).arg(&run.output);
        Ok(said(&mut replay)?.contains("; 0 not as predicted"))
    }

    /// The percentage of lines that was executed.
    fn covered(&self) -> Result<f64, String> {
        let mut gcov = Command::new("gcov");
        gcov.arg("--no-output").arg(&self.notes);
        let text = said(gcov.current_dir(&self.folder))?;
        // "Lines executed:97.24% of 145"
        let share = text.split("Lines executed:").nth(1);
        let share = share.and_then(|rest| rest.split('%').next());
        let share = share.and_then(|percent| percent.parse().ok());
        share.ok_or_else(|| format!("gcov said something else: {text}"))
    }
}

/// What a command writes to its standard output.
fn said(command: &mut Command) -> Result<String, String> {
    let output = command.output();
    let output = output.map_err(|error| format!("cannot run {command:?}: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
