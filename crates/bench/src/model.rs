//! Models: the published microgrid, generated models of growing size, and faults in the
//! systems of the example models that the tests of each have to find.
//!
//! The published figures are those of DIVERSITY in Boudhiba, Gaston, Le Gall and
//! Prevosto, Symbolic execution of transition systems with function summaries,
//! TAP 2017, tables 2 and 4.

mod faults;

use crate::Report;
use base::Random;
use faults::Faults;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::process::Command;
use suite::Share;

/// One line of the published tables.
struct Line {
    what: &'static str,
    /// Which of the published tables the functions begin with.
    tables: usize,
    arguments: &'static [&'static str],
    /// States, transition coverage and time, as published.
    published: &'static str,
}

const LINES: [Line; 5] = [
    Line {
        what: "SolveTab, m = 0, first tables",
        tables: 1,
        arguments: &["--tries", "0"],
        published: "16 states, 62.5%, 638 ms",
    },
    Line {
        what: "SolveTab, m = 1, first tables",
        tables: 1,
        arguments: &["--tries", "1"],
        published: "27 states, 75%, 2 s",
    },
    Line {
        what: "SolveTab, m = 196, first tables",
        tables: 1,
        arguments: &["--tries", "196"],
        published: "120 states, 100%, 4 min 15 s",
    },
    Line {
        what: "SolveTab, m = 0, second tables",
        tables: 2,
        arguments: &["--tries", "0"],
        published: "120 states, 100%, 2.8 s",
    },
    Line {
        what: "default, first tables",
        tables: 1,
        arguments: &[],
        published: "",
    },
];

/// The published case, then the generated models.
pub fn report() -> Result<Report, String> {
    let workshop = Workshop::new()?;
    let mut report = Report::default();
    let mut runs = Vec::new();
    report.line("microgrid, height 15");
    for line in &LINES {
        let run = workshop.grid(line)?;
        let rows = |number: usize| run.tables.get(number).map_or(0, |table| table.after);
        report.line(&format!(
            "{}: {} tries, {} rows of INTGR, {} rows of RISE, {} states, {}%, {:.2} s{}",
            line.what,
            run.tries,
            rows(0),
            rows(1),
            run.states,
            run.percent,
            run.seconds,
            match line.published {
                "" => String::new(),
                published => format!(" (published: {published})"),
            }
        ));
        runs.push(run);
    }
    let [static_first, _, extended, static_second, default] = &runs[..] else {
        unreachable!("there are five lines");
    };
    for (what, run, percent, states) in [
        ("m = 0, first tables", static_first, 62.5, 16.0),
        ("m = 196, first tables", extended, 100.0, 120.0),
        ("m = 0, second tables", static_second, 100.0, 120.0),
        ("default", default, 100.0, 120.0),
    ] {
        let (found, count) = (run.percent, run.states as f64);
        report.demand(&format!("{what}: percent of transitions"), found, percent);
        report.demand_at_most(&format!("{what}: percent of transitions"), found, percent);
        report.demand(&format!("{what}: states"), count, states);
        report.demand_at_most(&format!("{what}: states"), count, states);
    }
    report.demand_at_most("m = 196: tries", extended.tries as f64, 196.0);
    report.demand_at_most("default: tries", default.tries as f64, 10.0);
    let queries = default.solver.queries as f64;
    report.demand_at_most("default: queries to the solver", queries, 5000.0);
    one_reading(&workshop, &mut report)?;
    scale(&workshop, &mut report)?;
    find_faults(&workshop, &mut report)?;
    Ok(report)
}

/// Runs the tests that are made by default against systems with a fault each.
fn find_faults(workshop: &Workshop, report: &mut Report) -> Result<(), String> {
    report.line("faults in the systems of the models, tests made by default");
    let (mut all, mut all_found) = (0, 0);
    for Faults {
        system,
        is_timed,
        faults,
    } in &faults::ALL
    {
        let made = workshop.default_tests(system)?;
        let source = workshop.system(system)?;
        let right = workshop.verdicts(system, &source, *is_timed)?;
        let wrong = (right.fail + right.inconclusive) as f64;
        report.demand_at_most(
            &format!("{system}: tests that the right system fails"),
            wrong,
            0.0,
        );
        let mut missed = Vec::new();
        for (right, wrong) in *faults {
            if source.matches(right).count() != 1 {
                return Err(format!("{system}.c has not one `{right}`"));
            }
            let source = source.replacen(right, wrong, 1);
            let verdicts = workshop.verdicts(system, &source, *is_timed)?;
            if verdicts.fail == 0 {
                missed.push(format!("`{right}` for `{wrong}`"));
            }
        }
        let found = faults.len() - missed.len();
        report.line(&format!(
            "{system}: {found} of {} faults found by {} tests, mutation score {:.1}%",
            faults.len(),
            made.tests,
            made.score
        ));
        for fault in missed {
            report.line(&format!("{system}: not found: {fault}"));
        }
        (all, all_found) = (all + faults.len(), all_found + found);
    }
    report.demand("faults in the table", all as f64, 60.0);
    let percent = 100.0 * all_found as f64 / all as f64;
    report.demand("percent of the faults found", percent, 90.0);
    Ok(())
}

/// A condition that one value of an external function satisfies. Rows that are merely new do not
/// come upon it within the published number of tries; search does.
fn one_reading(workshop: &Workshop, report: &mut Report) -> Result<(), String> {
    report.line("a sensor whose alarm needs one reading of all");
    workshop.write("sensor.c", SENSOR_C)?;
    let file = workshop.write("sensor.iosts", SENSOR)?;
    let file = file.to_string_lossy();
    let explore = |arguments: &[&str]| -> Result<Explored, String> {
        workshop.run(&[&["explore", &file, "--height", "2"], arguments].concat())
    };
    let (tables, default) = (explore(&["--tries", "196"])?, explore(&[])?);
    for (what, run) in [("SolveTab, m = 196", &tables), ("default", &default)] {
        let (tries, percent, seconds) = (run.tries, run.percent, run.seconds);
        report.line(&format!(
            "{what}: {tries} tries, {percent:.1}% of the transitions, {seconds:.2} s"
        ));
    }
    let what = "one reading, SolveTab: percent of transitions";
    report.demand_at_most(what, tables.percent, 99.0);
    report.demand(
        "one reading, default: percent of transitions",
        default.percent,
        100.0,
    );
    report.demand_at_most("one reading, default: tries", default.tries as f64, 196.0);
    Ok(())
}

const SENSOR_C: &str = "long GAIN(long raw) { return 7 * raw + 13; }\n";
const SENSOR: &str = "channel raw(Int), alarm
function GAIN(raw: Int): Int { native \"sensor.c\" }
automaton Sensor {
    var x: Int
    initial waiting
    read: waiting -> reading, raw?(x)
    alarm: reading -> waiting when GAIN(x) = 70013, alarm!
    calm: reading -> waiting when GAIN(x) != 70013, tau
}
";

fn scale(workshop: &Workshop, report: &mut Report) -> Result<(), String> {
    report.line("generated models with integer guards, until every transition is taken");
    let mut before: Option<f64> = None;
    for states in [50, 100, 200] {
        let (text, infeasible) = generated(states);
        let run = workshop.cover(states, &text)?;
        let (covered, total) = (run.goals.covered as f64, run.goals.total as f64);
        let (count, seconds) = (run.states as f64, run.seconds);
        let growth = before.map_or(String::new(), |before| {
            format!(", {:.1} times the time before", seconds / before)
        });
        report.line(&format!(
            "{states} states, {total} transitions: {count} symbolic states, {seconds:.2} s, \
             {:.0} a second{growth}",
            count / seconds
        ));
        let feasible = total - infeasible as f64;
        let what = format!("{states} states: percent of feasible transitions");
        report.demand(&what, 100.0 * covered / feasible, 100.0);
        before = Some(seconds);
    }
    Ok(())
}

/// A model with three transitions a state, one in thirty of which contradicts
/// itself; and how many do.
fn generated(states: usize) -> (String, usize) {
    let mut choices = Random::new(12345);
    let mut random = |below: usize| choices.below(below);
    // A tree first, so that every state can be reached.
    let mut targets: Vec<Vec<usize>> = vec![Vec::new(); states];
    for state in 1..states {
        let mut parent = random(state);
        while targets[parent].len() == 2 {
            parent = random(state);
        }
        targets[parent].push(state);
    }
    let mut text =
        String::from("channel in(Int)\nautomaton Scale {\n    var x, k: Int\n    initial s0\n");
    let mut infeasible = 0;
    for (state, targets) in targets.iter_mut().enumerate() {
        while targets.len() < 3 {
            targets.push(random(states));
        }
        for (number, target) in targets.iter().enumerate() {
            let a = random(1000) as i64 - 500;
            let guard = match random(4) {
                _ if number == 2 && state % 10 == 3 => {
                    infeasible += 1;
                    format!("x > {a} and x < {}", a + 1)
                }
                0 => format!("x >= {a} and x < {}", a + 20),
                1 => format!("2 * x + k > {a} and x mod 7 = {}", random(7)),
                2 => format!("3 * x - 2 * k <= {a} and x < k + {a}"),
                _ => format!("x != {a} and x + k = {}", a + 3 * random(9) as i64),
            };
            let update = ["x", "k + x", "k - 1", "2 * x"][random(4)];
            text += &format!("    s{state} -> s{target}, in?(x) where {guard}, k := {update}\n");
        }
    }
    text += "}\n";
    (text, infeasible)
}

/// What is measured of `model explore --json`.
#[derive(Deserialize)]
struct Explored {
    states: u64,
    percent: f64,
    tries: u64,
    tables: Vec<Table>,
    solver: Solver,
    seconds: f64,
}

/// What the solver did.
#[derive(Deserialize)]
struct Solver {
    queries: u64,
}

/// The table of a function.
#[derive(Deserialize)]
struct Table {
    /// Its rows at the end.
    after: u64,
}

/// What is measured of `model test --json`.
#[derive(Deserialize)]
struct Tested {
    states: u64,
    goals: Share,
    seconds: f64,
}

/// What is measured of tests that are made by default.
#[derive(Deserialize)]
struct DefaultTests {
    tests: u64,
    score: f64,
}

/// What is measured of `model run --json`.
#[derive(Deserialize)]
struct Verdicts {
    fail: u64,
    inconclusive: u64,
}

/// Where models are written and run.
struct Workshop {
    folder: tempfile::TempDir,
    everypath: PathBuf,
    examples: PathBuf,
}

impl Workshop {
    fn new() -> Result<Workshop, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let everypath = root.join("target/release/everypath");
        if !everypath.exists() {
            let everypath = everypath.display();
            return Err(format!(
                "{everypath} is missing; `make bench-model` builds it"
            ));
        }
        let folder = tempfile::tempdir().map_err(|error| format!("no folder to work in: {error}"));
        Ok(Workshop {
            folder: folder?,
            everypath,
            examples: root.join("examples/model"),
        })
    }

    /// The microgrid with its first tables or the second.
    fn grid(&self, line: &Line) -> Result<Explored, String> {
        let read = |name: &str| {
            let file = self.examples.join(name);
            std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))
        };
        let mut text = read("grid.iosts")?;
        if line.tables == 2 {
            text = text
                .replace(
                    "(123, 96) -> 228,",
                    "(0, 0) -> 0, (12, 18) -> 30, (123, 96) -> 228,",
                )
                .replace("202 -> 0.7,", "202 -> 0.7, 228 -> 0.97,");
        }
        self.write("grid.c", &read("grid.c")?)?;
        let file = self.write("grid.iosts", &text)?;
        let file = file.to_string_lossy();
        self.run(&[&["explore", &file, "--height", "15"], line.arguments].concat())
    }

    /// Tests for every transition of a generated model.
    fn cover(&self, states: usize, text: &str) -> Result<Tested, String> {
        let file = self.write(&format!("scale{states}.iosts"), text)?;
        let tests = self.folder.path().join(format!("tests{states}"));
        let (file, tests) = (file.to_string_lossy(), tests.to_string_lossy());
        let cover = ["--cover", "transitions", "--height", "100"];
        self.run(&[&["test", &file, "-o", &tests], &cover[..]].concat())
    }

    /// Makes the tests of an example as they are made by default.
    fn default_tests(&self, system: &str) -> Result<DefaultTests, String> {
        let model = self.examples.join(format!("{system}.iosts"));
        let tests = self.folder.path().join(format!("{system}-tests"));
        let (model, tests) = (model.to_string_lossy(), tests.to_string_lossy());
        self.run(&["test", &model, "-o", &tests])
    }

    /// The source of a system.
    fn system(&self, system: &str) -> Result<String, String> {
        let file = self.examples.join(format!("systems/{system}.c"));
        std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))
    }

    /// What the tests of an example say of a system with this source.
    fn verdicts(&self, system: &str, source: &str, is_timed: bool) -> Result<Verdicts, String> {
        let file = self.write(&format!("{system}-system.c"), source)?;
        let program = self.folder.path().join(format!("{system}-system"));
        // The systems include files by where they stand themselves.
        let compiled = Command::new("clang-22")
            .arg("-O1")
            .arg("-I")
            .arg(self.examples.join("systems"))
            .arg("-o")
            .args([&program, &file])
            .arg("-lm")
            .status();
        if !compiled.is_ok_and(|status| status.success()) {
            return Err(format!("a fault in {system}.c does not compile"));
        }
        let model = self.examples.join(format!("{system}.iosts"));
        let tests = self.folder.path().join(format!("{system}-tests"));
        let [model, tests, program] = [&model, &tests, &program].map(|path| path.to_string_lossy());
        let (program, simulated): (String, &[&str]) = match is_timed {
            true => (format!("{program} simulated"), &["--simulated"]),
            false => (program.into_owned(), &[]),
        };
        let run = ["run", &model, "--tests", &tests, "--sut", &program];
        self.run(&[&run[..], simulated, &["--timeout", "0.5", "--fail-fast"]].concat())
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let file = self.folder.path().join(name);
        std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(file)
    }

    fn run<T: DeserializeOwned>(&self, arguments: &[&str]) -> Result<T, String> {
        let output = Command::new(&self.everypath)
            .arg("model")
            .args(arguments)
            .arg("--json")
            .output()
            .map_err(|error| format!("everypath does not start: {error}"))?;
        serde_json::from_slice(&output.stdout).map_err(|error| {
            let said = String::from_utf8_lossy(&output.stderr);
            let (command, said) = (arguments.join(" "), said.trim_end());
            format!("everypath model {command}: {error}\n{said}")
        })
    }
}
