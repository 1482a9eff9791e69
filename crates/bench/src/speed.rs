//! Whole programs: concrete execution beside native code, explorations beside
//! the times KLEE needed, and what many states take in memory.
//!
//! Programs are compiled to bitcode first, as KLEE's were, so that both times
//! are from bitcode to the last test on disk. KLEE's are those of KLEE 3.3 with
//! STP in its fastest setting (depth-first, solver in process) on a machine of
//! the kind these figures are measured on.

use crate::Report;
use crate::workshop::{Workshop, fastest, timed};
use std::process::Command;

/// A program that runs concretely.
struct Concrete {
    name: &'static str,
    /// How many times slower than native code at -O0 it may be.
    most: f64,
}

const CONCRETE: [Concrete; 2] = [
    Concrete {
        name: "sieve",
        most: 60.0,
    },
    Concrete {
        name: "sha256",
        most: 140.0,
    },
];

/// A program that is explored whole.
struct Explored {
    name: &'static str,
    file: &'static str,
    define: Option<&'static str>,
    /// Seconds KLEE needed, and for how many paths.
    klee: (f64, u64),
    /// How many times faster, path by path, it has to be.
    least: f64,
}

const EXPLORED: [Explored; 6] = [
    Explored::new("sort5", "sort", Some("COUNT=5"), (1.2, 120), 5.0),
    Explored::new("sort6", "sort", Some("COUNT=6"), (9.8, 720), 5.0),
    Explored::new("regexp", "regexp", Some("LENGTH=7"), (1.25, 3_341), 5.0),
    Explored::new("maze", "maze", None, (0.11, 309), 2.0),
    Explored::new("json5", "json", Some("LENGTH=5"), (3.6, 25_763), 5.0),
    Explored::new("json6", "json", Some("LENGTH=6"), (18.6, 151_965), 5.0),
];

impl Explored {
    const fn new(
        name: &'static str,
        file: &'static str,
        define: Option<&'static str>,
        klee: (f64, u64),
        least: f64,
    ) -> Explored {
        Explored {
            name,
            file,
            define,
            klee,
            least,
        }
    }
}

/// Live states of the regular-expression matcher, and the memory they may take.
const LIVE_STATES: u64 = 100_000;
const LIVE_MEMORY: u64 = 2 << 30;

/// Measures everything; an error is one message.
pub fn report() -> Result<Report, String> {
    let mut report = Report::default();
    let workshop = Workshop::new()?;
    concrete(&mut report, &workshop)?;
    report.line("");
    explored(&mut report, &workshop)?;
    report.line("");
    live(&mut report, &workshop)?;
    Ok(report)
}

fn concrete(report: &mut Report, workshop: &Workshop) -> Result<(), String> {
    report.line("program       native -O0   everypath    slower   instructions/s");
    let mut ratios = Vec::new();
    for program in &CONCRETE {
        let native = workshop.native(program.name)?;
        let bitcode = workshop.bitcode(program.name, None)?;
        let native = fastest(|| timed(&mut Command::new(&native)))?;
        let run = workshop.fastest_run(&bitcode, &[])?;
        let seconds = run.seconds;
        let ratio = seconds / native;
        let speed = run.report.instructions as f64 / seconds / 1e6;
        report.line(&format!(
            "{:<12} {:>9.4} s {:>9.3} s {ratio:>8.1} x {speed:>12.1} M",
            program.name, native, seconds
        ));
        ratios.push(ratio);
    }
    for (program, ratio) in CONCRETE.iter().zip(ratios) {
        report.demand_at_most(
            &format!("{}: times slower than native", program.name),
            ratio,
            program.most,
        );
    }
    Ok(())
}

fn explored(report: &mut Report, workshop: &Workshop) -> Result<(), String> {
    report.line(
        "program      paths  queries  to a backend  without   seconds  \
         us/path  KLEE us/path   faster",
    );
    let mut ratios = Vec::new();
    for program in &EXPLORED {
        let bitcode = workshop.bitcode(program.file, program.define)?;
        let run = workshop.fastest_run(&bitcode, &["--search", "dfs"])?;
        let (seconds, paths) = (run.seconds, run.paths());
        let queries = run.report.solver.queries;
        let backend = run.report.solver.backend_calls;
        let without = 100.0 * (1.0 - backend as f64 / queries.max(1) as f64);
        let each = seconds / paths as f64 * 1e6;
        let klee = program.klee.0 / program.klee.1 as f64 * 1e6;
        let ratio = klee / each;
        report.line(&format!(
            "{:<10} {paths:>7} {queries:>8} {backend:>13} {without:>7.1}% {seconds:>8.3} s \
             {each:>8.1} {klee:>13.1} {ratio:>7.1} x",
            program.name
        ));
        ratios.push(ratio);
    }
    for (program, ratio) in EXPLORED.iter().zip(ratios) {
        let what = format!("{}: times faster than KLEE", program.name);
        report.demand(&what, ratio, program.least);
    }
    Ok(())
}

fn live(report: &mut Report, workshop: &Workshop) -> Result<(), String> {
    let bitcode = workshop.bitcode("regexp", Some("LENGTH=16"))?;
    let states = LIVE_STATES.to_string();
    // In one process: what another one is given to explore is no state of this one.
    let arguments = ["--search", "bfs", "--no-dump", "--workers", "1"];
    let arguments = [&arguments[..], &["--max-states", &states]].concat();
    let run = workshop.run(&[bitcode], &arguments)?;
    let unfinished = run.report.paths.unfinished;
    let memory = run.report.peak_memory_bytes;
    report.line(&format!(
        "{unfinished} live states of regexp: {} MiB, {} bytes each",
        memory >> 20,
        memory / unfinished.max(1)
    ));
    report.demand(
        "live states of regexp",
        unfinished as f64,
        LIVE_STATES as f64,
    );
    report.demand_at_most(
        "MiB for live states of regexp",
        (memory >> 20) as f64,
        (LIVE_MEMORY >> 20) as f64,
    );
    Ok(())
}
