//! Measures Everypath side by side with other tools.
//!
//! The targets `bench-…` of the Makefile run it. It prints tables and ratios,
//! keeps them and the ones before under `target/bench/`, and exits non-zero
//! where a figure falls short.
//!
//! Every query is answered three times, one after the other: by Everypath's
//! solver, by a fresh Z3, and by an incremental Z3. A query that none of them
//! decides within the time limit is named and left out of the totals.

mod dense;
mod floats;
mod fp;
mod grammars;
mod interpreter;
mod mixed;
mod model;
mod programs;
mod recorded;
mod rust;
mod scale;
mod searches;
mod speed;
mod staged;
mod terms;
mod workshop;

use recorded::Recording;
use solver::{Answer, Backend, Config, Limits, Solver, Statistics, Stop, Verdict, Z3};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use term::{Store, Term};

fn main() -> ExitCode {
    let which = std::env::args().nth(1).unwrap_or_default();
    let report = match which.as_str() {
        "recorded" => recorded_report(),
        "floats" => Ok(float_report()),
        "term" => term_report(),
        "speed" => speed::report(),
        "mixed" => mixed::report(),
        "fp" => fp::report(),
        "grammar" => grammars::report().and_then(|mut report| {
            searches::report(&mut report)?;
            interpreter::measure(&mut report)?;
            Ok(report)
        }),
        "model" => model::report(),
        "staged" => staged::report(),
        "programs" => programs::report(),
        "rust" => rust::report(),
        "scale" => scale::report(),
        "memory" => scale::memory(),
        _ => Err(
            "give one of: recorded, floats, term, speed, mixed, fp, grammar, model, staged, \
             programs, rust, scale, memory"
                .to_owned(),
        ),
    };
    match report {
        Ok(report) => report.finish(&which),
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::from(2)
        }
    }
}

/// Lines for people, and what fell short.
#[derive(Default)]
struct Report {
    text: String,
    short: Vec<String>,
}

impl Report {
    fn line(&mut self, line: &str) {
        println!("{line}");
        writeln!(self.text, "{line}").expect("writing to a string does not fail");
    }

    fn demand(&mut self, what: &str, figure: f64, least: f64) {
        self.judge(what, figure, &format!("at least {least}"), figure >= least);
    }

    fn demand_at_most(&mut self, what: &str, figure: f64, most: f64) {
        self.judge(what, figure, &format!("at most {most}"), figure <= most);
    }

    fn judge(&mut self, what: &str, figure: f64, bound: &str, holds: bool) {
        let verdict = if holds { "ok" } else { "SHORT" };
        self.line(&format!("{what}: {figure:.1} ({bound}) {verdict}"));
        if !holds {
            self.short.push(what.to_owned());
        }
    }

    /// Says whether a claim holds, and what speaks against it.
    fn expect(&mut self, claim: &str, faults: &[String]) {
        let verdict = if faults.is_empty() { "ok" } else { "SHORT" };
        self.line(&format!("{claim}: {verdict}"));
        for fault in faults {
            self.line(&format!("  {fault}"));
        }
        if !faults.is_empty() {
            self.short.push(claim.to_owned());
        }
    }

    /// Names the queries that were answered wrongly, too slowly, or not at all.
    fn complain(&mut self, times: &Times) {
        for line in times.wrong.iter().chain(&times.slow) {
            self.line(line);
            self.short.push(line.clone());
        }
        for name in &times.undecided {
            self.line(&format!("{name}: decided by none within {TIME_LIMIT:?}"));
        }
    }

    fn finish(self, which: &str) -> ExitCode {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench");
        let file = folder.join(format!("{which}.txt"));
        // The table before is kept beside it, to compare; there may be none.
        let _ = std::fs::rename(&file, folder.join(format!("{which}.before.txt")));
        let kept = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, self.text));
        if let Err(error) = kept {
            eprintln!("bench: the table was not kept: {}: {error}", file.display());
        }
        if self.short.is_empty() {
            return ExitCode::SUCCESS;
        }
        eprintln!("bench: short of the mark: {}", self.short.join(", "));
        ExitCode::FAILURE
    }
}

fn term_report() -> Result<Report, String> {
    let mut report = Report::default();
    let rates = terms::rates()?;
    report.demand(
        "million constructions a second, found again",
        rates.hits / 1e6,
        5.0,
    );
    report.demand(
        "million constructions a second, new",
        rates.misses / 1e6,
        2.0,
    );
    Ok(report)
}

/// No query may take longer than this, with either solver.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// The three solvers that answer each query.
struct Contest {
    solver: Solver,
    fresh: Z3,
    incremental: Z3,
}

/// How long each way took, and where ours was wrong or too slow.
#[derive(Clone, Default)]
struct Times {
    queries: usize,
    ours: Duration,
    fresh: Duration,
    incremental: Duration,
    slow: Vec<String>,
    wrong: Vec<String>,
    undecided: Vec<String>,
}

impl Times {
    fn add(&mut self, other: &Times) {
        self.queries += other.queries;
        self.ours += other.ours;
        self.fresh += other.fresh;
        self.incremental += other.incremental;
        self.slow.extend_from_slice(&other.slow);
        self.wrong.extend_from_slice(&other.wrong);
        self.undecided.extend_from_slice(&other.undecided);
    }

    fn row(&self, name: &str) -> String {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        format!(
            "{name:<20}{:>10}{:>12.2}{:>12.2}{:>8.1}{:>12.2}{:>8.1}",
            self.queries,
            ms(self.ours),
            ms(self.fresh),
            ratio(self.fresh, self.ours),
            ms(self.incremental),
            ratio(self.incremental, self.ours),
        )
    }
}

impl Contest {
    fn new() -> Contest {
        let config = Config {
            time: Some(TIME_LIMIT),
            ..Config::default()
        };
        Contest {
            solver: Solver::new(config),
            fresh: Z3::fresh(),
            incremental: Z3::incremental(),
        }
    }

    /// Asks the queries of a program in their order.
    fn ask_all(&mut self, recording: &mut Recording) -> Times {
        let mut times = Times::default();
        for query in &recording.queries {
            let name = format!("{}/{}", recording.program, query.name);
            let (constraints, status) = (&query.constraints, &query.status);
            times.add(&self.ask(&mut recording.store, &name, constraints, status));
        }
        times
    }

    /// Asks all three, and holds the answers against each other.
    fn ask(&mut self, store: &mut Store, name: &str, constraints: &[Term], status: &str) -> Times {
        let start = Instant::now();
        let answer = self.solver.check(store, constraints);
        let ours = start.elapsed();
        let (fresh, fresh_word) = timed(&mut self.fresh, store, constraints);
        let (incremental, incremental_word) = timed(&mut self.incremental, store, constraints);
        let word = match answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        if [word, fresh_word, incremental_word]
            .iter()
            .all(|&word| word == "unknown")
        {
            return Times {
                undecided: vec![name.to_owned()],
                ..Times::default()
            };
        }
        let mut times = Times {
            queries: 1,
            ours,
            fresh,
            incremental,
            ..Times::default()
        };
        for other in [fresh_word, incremental_word, status] {
            if word != "unknown" && other != "unknown" && other != word {
                times
                    .wrong
                    .push(format!("{name}: {word}, but {other} expected"));
            }
        }
        let quickest = fresh.min(incremental);
        if ours > 3 * quickest && ours > Duration::from_millis(50) {
            times
                .slow
                .push(format!("{name}: {ours:.0?} against {quickest:.0?}"));
        }
        times
    }
}

fn timed(z3: &mut Z3, store: &mut Store, constraints: &[Term]) -> (Duration, &'static str) {
    let limits = Limits {
        stop: Stop::never().within(Some(TIME_LIMIT)),
        ..Limits::default()
    };
    let start = Instant::now();
    let word = match z3.check(store, constraints, &limits) {
        Verdict::Sat(_) => "sat",
        Verdict::Unsat(_) => "unsat",
        Verdict::Unknown(_) => "unknown",
    };
    (start.elapsed(), word)
}

fn header() -> String {
    format!(
        "{:<20}{:>10}{:>12}{:>12}{:>8}{:>12}{:>8}",
        "", "queries", "ours ms", "z3 ms", "ratio", "z3 inc ms", "ratio"
    )
}

fn recorded_report() -> Result<Report, String> {
    let mut report = Report::default();
    report.line("Queries recorded from symbolic execution");
    report.line(&header());
    let mut total = Times::default();
    let mut statistics = Statistics::default();
    for mut recording in recorded::recordings()? {
        let mut contest = Contest::new();
        let times = contest.ask_all(&mut recording);
        report.line(&times.row(&recording.program));
        total.add(&times);
        statistics.add(contest.solver.statistics());
    }
    report.line(&total.row("all"));
    report.line("");
    links(&mut report, &statistics);
    report.line("");
    report.demand(
        "times faster than Z3 asked afresh",
        ratio(total.fresh, total.ours),
        10.0,
    );
    let incremental = ratio(total.incremental, total.ours);
    report.demand("times faster than Z3 kept incrementally", incremental, 4.0);
    report.complain(&total);
    Ok(report)
}

fn float_report() -> Report {
    let mut report = Report::default();
    report.line("Floating point");
    report.line(&header());
    let mut store = Store::new();
    let queries = floats::queries(&mut store);
    let mut contest = Contest::new();
    let mut total = Times::default();
    for family in queries.chunk_by(|a, b| a.family == b.family) {
        let mut times = Times::default();
        for (i, query) in family.iter().enumerate() {
            let name = format!("{} {i}", query.family);
            times.add(&contest.ask(&mut store, &name, &query.constraints, "unknown"));
        }
        report.line(&times.row(family[0].family));
        total.add(&times);
    }
    report.line(&total.row("all"));
    report.line("");
    let quickest = total.fresh.min(total.incremental);
    report.demand(
        "times faster than Z3 on floats",
        ratio(quickest, total.ours),
        3.0,
    );
    report.complain(&total);
    report
}

fn ratio(theirs: Duration, ours: Duration) -> f64 {
    theirs.as_secs_f64() / ours.as_secs_f64()
}

fn links(report: &mut Report, statistics: &Statistics) {
    report.line(&format!(
        "{} recorded queries, {} parts, {} backend calls: {:.1} % answered without a backend",
        statistics.queries,
        statistics.slices,
        statistics.backend_calls(),
        100.0 * (1.0 - statistics.backend_calls() as f64 / statistics.slices.max(1) as f64),
    ));
    for link in solver::Link::ALL {
        let s = statistics.link(link);
        report.line(&format!(
            "  {:<24}{:>8} queries{:>8} answered{:>12.3} ms",
            link.name(),
            s.queries,
            s.answered,
            s.time.as_secs_f64() * 1e3
        ));
    }
}
