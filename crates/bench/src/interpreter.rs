//! An interpreter under three kinds of fuzzing, side by side: how far each gets
//! behind the lexer and the parser in the same time, and which of the planted bugs
//! it finds.

use crate::Report;
use crate::workshop::Workshop;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use suite::{ErrorKind, Finding, RunReport};

/// Seconds of processor time that each kind gets.
const SECONDS: u64 = 60;

/// The interpreter's stages, a file each.
const STAGES: [&str; 4] = ["lexer", "parser", "compiler", "vm"];

/// A planted bug: its name, the kind of error, and what stands in the line where it
/// shows.
struct Bug {
    name: &'static str,
    kinds: &'static [ErrorKind],
    line: &'static str,
}

const BUGS: [Bug; 3] = [
    Bug {
        name: "remainder by zero",
        kinds: &[ErrorKind::Division],
        line: "a % b",
    },
    Bug {
        name: "`continue` in a `for` without its last clause",
        kinds: &[ErrorKind::OutOfBoundsRead],
        line: "lines[pc]",
    },
    Bug {
        name: "a call with too few arguments",
        kinds: &[ErrorKind::OutOfBoundsRead, ErrorKind::OutOfBoundsWrite],
        line: "stack[",
    },
];

/// A kind of fuzzing, as arguments of the command line.
struct Kind {
    name: &'static str,
    command: &'static str,
    arguments: &'static [&'static str],
    output: &'static str,
}

const GRAMMAR: &str = "GRAMMAR";

const KINDS: [Kind; 3] = [
    Kind {
        name: "bytes",
        command: "fuzz",
        arguments: &[],
        output: "--out",
    },
    Kind {
        name: "bytes in the grammar",
        command: "run",
        arguments: &["--sym-stdin", "24", "--grammar", GRAMMAR],
        output: "--output",
    },
    Kind {
        name: "tokens",
        command: "fuzz",
        arguments: &["--grammar", GRAMMAR, "--tokens", "next_token"],
        output: "--out",
    },
];

/// What one kind reached.
#[derive(Default)]
struct Reached {
    /// Covered and all, by stage.
    lines: [(u64, u64); 4],
    branches: [(u64, u64); 4],
    bugs: BTreeSet<&'static str>,
    /// Runs or paths.
    runs: u64,
    /// Errors that are none of those planted.
    others: Vec<String>,
}

impl Reached {
    /// Branches covered in the compiler and the virtual machine.
    fn behind_the_parser(&self) -> u64 {
        self.branches[2].0 + self.branches[3].0
    }
}

/// Runs the kinds one after the other and adds what they reached.
pub fn measure(report: &mut Report) -> Result<(), String> {
    let workshop = Workshop::new()?;
    report.line("");
    report.line(&format!(
        "An interpreter, {SECONDS} s each: lines and branches covered"
    ));
    let head = STAGES.iter().map(|stage| format!("{stage:>18}"));
    report.line(&format!(
        "{:<22}{:>9}{}{:>6}",
        "",
        "runs",
        head.collect::<String>(),
        "bugs"
    ));
    let mut all = Vec::new();
    for kind in &KINDS {
        let reached = match run(&workshop, kind) {
            Ok(reached) => reached,
            Err(reason) => {
                report.line(&format!("{:<22}{reason}", kind.name));
                all.push(Reached::default());
                continue;
            }
        };
        let cells = reached.lines.iter().zip(&reached.branches);
        let cells = cells.map(|(lines, branches)| {
            let cell = format!("{}/{} {}/{}", lines.0, lines.1, branches.0, branches.1);
            format!("{cell:>18}")
        });
        let cells: String = cells.collect();
        let (runs, bugs) = (reached.runs, reached.bugs.len());
        report.line(&format!("{:<22}{runs:>9}{cells}{bugs:>6}", kind.name));
        for other in &reached.others {
            report.line(&format!("  not planted: {other}"));
        }
        all.push(reached);
    }
    let [bytes, _, tokens] = &all[..] else {
        return Err("there are three kinds".to_owned());
    };
    report.line("");
    let missed = BUGS.iter().filter(|bug| !tokens.bugs.contains(bug.name));
    let missed: Vec<String> = missed
        .map(|bug| format!("not found: {}", bug.name))
        .collect();
    report.expect("tokens: all three bugs found", &missed);
    let ratio = tokens.behind_the_parser() as f64 / bytes.behind_the_parser().max(1) as f64;
    let what = "branches of compiler and VM, tokens to bytes";
    report.demand(what, ratio, 2.0);
    Ok(())
}

fn run(workshop: &Workshop, kind: &Kind) -> Result<Reached, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/grammar/js");
    let folder = folder
        .canonicalize()
        .map_err(|error| format!("cannot find {}: {error}", folder.display()))?;
    let output = workshop.file(&kind.name.replace(' ', "-"));
    let files = ["main", "lexer", "parser", "compiler", "vm"];
    let files = files.map(|name| folder.join(format!("{name}.c")));
    let grammar = folder.join("js.g4");
    let mut command = workshop.limited(SECONDS);
    command.arg(kind.command).args(&files);
    command.args(["--workers", "1"]);
    for argument in kind.arguments {
        match *argument {
            GRAMMAR => command.arg(&grammar),
            other => command.arg(other),
        };
    }
    command.arg(kind.output).arg(&output).stdout(Stdio::null());
    let ran = command
        .output()
        .map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let report = RunReport::read(&output.join("run.json")).map_err(|error| {
        let said = String::from_utf8_lossy(&ran.stderr);
        said.lines().next().map_or(error.to_string(), str::to_owned)
    })?;
    let coverage = std::fs::read_to_string(output.join("coverage.info"));
    let coverage = coverage.map_err(|error| format!("it wrote no coverage.info: {error}"))?;
    let mut reached = Reached::default();
    reached.read_coverage(&coverage);
    reached.read_errors(&report.errors);
    let paths = &report.paths;
    let executions = paths.completed + paths.errors + paths.unfinished;
    reached.runs = report.fuzz.map_or(executions, |fuzz| fuzz.runs);
    Ok(reached)
}

impl Reached {
    fn read_coverage(&mut self, info: &str) {
        let mut stage = None;
        for line in info.lines() {
            if let Some(file) = line.strip_prefix("SF:") {
                let name = PathBuf::from(file);
                let name = name.file_stem().unwrap_or_default().to_string_lossy();
                stage = STAGES.iter().position(|stage| *stage == name);
            }
            let Some(stage) = stage else {
                continue;
            };
            let last = line.rsplit(',').next().unwrap_or_default();
            let taken = u64::from(!matches!(last, "0" | "-"));
            let counted = match line.split(':').next() {
                Some("DA") => &mut self.lines[stage],
                Some("BRDA") => &mut self.branches[stage],
                _ => continue,
            };
            counted.0 += taken;
            counted.1 += 1;
        }
    }

    fn read_errors(&mut self, errors: &[Finding]) {
        for error in errors {
            let (kind, file, number) = error.identity();
            let source = std::fs::read_to_string(file).unwrap_or_default();
            let line = source.lines().nth((number as usize).saturating_sub(1));
            let line = line.unwrap_or_default();
            let bug = BUGS
                .iter()
                .find(|bug| bug.kinds.contains(&kind) && line.contains(bug.line));
            match bug {
                Some(bug) => {
                    self.bugs.insert(bug.name);
                }
                None => self.others.push(format!("{kind} at {file}:{number}")),
            }
        }
    }
}
