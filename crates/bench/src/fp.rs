//! Programs that compute with nothing but floats, and calls of native functions.
//!
//! Each program is explored with its queries written down, and the same
//! queries are then asked of Everypath's solver and of Z3, one after the other.
//! The queries are those that reached a backend; what Everypath decided more
//! cheaply, Z3 is not asked either.

use crate::recorded;
use crate::workshop::{ROUNDS, Run, Workshop};
use crate::{Contest, Report, Times, header, ratio};
use oracle::{Failure, HelperCommand, Implementation, Oracle, known_signature};
use std::time::{Duration, Instant};
use suite::Outcome;
use term::{FpFormat, Value};

const PROGRAMS: [&str; 3] = ["quadratic", "inverse", "decimal"];

/// Measures everything; an error is one message.
pub fn report() -> Result<Report, String> {
    let mut report = Report::default();
    let workshop = Workshop::new()?;
    native_calls(&mut report, &workshop)?;
    report.line("");
    programs(&mut report, &workshop)?;
    Ok(report)
}

fn programs(report: &mut Report, workshop: &Workshop) -> Result<(), String> {
    report.line("Programs that compute with floats");
    report.line(&format!("{}{:>10}{:>12}", header(), "paths", "run seconds"));
    let mut all = Vec::new();
    for program in PROGRAMS {
        let run = workshop.run(&[workshop.source(program)], &["--write-queries"])?;
        let times = contest(program, &run.read("queries.smt2")?)?;
        let row = times.row(program);
        report.line(&format!("{row}{:>10}{:>12.2}", run.paths(), run.seconds));
        all.push((run, times));
    }
    report.line("");
    for (program, (run, times)) in PROGRAMS.iter().zip(all) {
        let claim = format!("{program}: every path is followed or shown not to be there");
        report.expect(&claim, &undecided(&run));
        let quickest = times.fresh.min(times.incremental);
        let what = format!("{program}: times faster than Z3");
        match times.queries {
            0 => report.line(&format!("{program}: no query was left for a backend")),
            _ => report.demand(&what, ratio(quickest, times.ours), 1.0),
        }
        report.complain(&times);
    }
    Ok(())
}

fn undecided(run: &Run) -> Vec<String> {
    let mut faults = Vec::new();
    if run.report.outcome != Outcome::Complete {
        faults.push("the run is not complete".to_owned());
    }
    match run.report.paths.unknown {
        0 => {}
        unknown => faults.push(format!("{unknown} paths are unknown")),
    }
    faults
}

/// Asks every way from nothing, and again where that is cheap: the fastest of
/// each counts.
fn contest(program: &str, script: &str) -> Result<Times, String> {
    let mut best = round(program, script)?;
    for _ in 1..ROUNDS {
        if best.ours + best.fresh + best.incremental > CHEAP {
            break;
        }
        let times = round(program, script)?;
        best.ours = best.ours.min(times.ours);
        best.fresh = best.fresh.min(times.fresh);
        best.incremental = best.incremental.min(times.incremental);
    }
    Ok(best)
}

const CHEAP: Duration = Duration::from_secs(3);

fn round(program: &str, script: &str) -> Result<Times, String> {
    Ok(Contest::new().ask_all(&mut recorded::recording(program, script)?))
}

/// The function that is called natively: cheap, so that the way to it counts.
const NATIVE: &str = "floor";
/// Rounds are short and many. Two processes that have a processor each make some
/// five times the calls of two that take turns on one, and on a busy machine it
/// takes many rounds to see the former; the median says what was usual.
const CALLS: u32 = 5_000;
const CALL_ROUNDS: u32 = 100;
const CALLS_PER_SECOND: f64 = 200_000.0;

fn native_calls(report: &mut Report, workshop: &Workshop) -> Result<(), String> {
    let (mut rates, runs) = call_rates(workshop).map_err(|failure| failure.to_string())?;
    rates.sort_by(f64::total_cmp);
    let (least, median, most) = (rates[0], rates[rates.len() / 2], rates[rates.len() - 1]);
    report.line(&format!(
        "Native calls of {NATIVE}, one by one, {CALL_ROUNDS} rounds of {CALLS}: \
         {least:.0} to {most:.0} thousand a second, median {median:.0}"
    ));
    let faults = match runs == u64::from(CALLS * CALL_ROUNDS) {
        true => Vec::new(),
        false => vec![format!("there were {runs} runs")],
    };
    report.expect("native calls: each runs the function", &faults);
    let what = "native calls: thousands a second in the best round";
    report.demand(what, most, CALLS_PER_SECOND / 1e3);
    Ok(())
}

/// Thousands of calls a second in each round, and how many calls were made.
fn call_rates(workshop: &Workshop) -> Result<(Vec<f64>, u64), Failure> {
    let mut oracle = Oracle::new();
    oracle.set_helper(HelperCommand {
        program: workshop.everypath.clone(),
        arguments: vec!["serve-native-functions".into()],
    });
    let signature = known_signature(NATIVE).expect("libm is known");
    oracle.declare(signature, Implementation::Native)?;
    let mut rates = Vec::new();
    for round in 0..CALL_ROUNDS {
        let arguments = distinct_arguments(round * CALLS);
        let start = Instant::now();
        for argument in &arguments {
            oracle.call(NATIVE, std::slice::from_ref(argument))?;
        }
        rates.push(f64::from(CALLS) / start.elapsed().as_secs_f64() / 1e3);
    }
    let statistics = oracle.statistics(NATIVE).unwrap_or_default();
    Ok((rates, statistics.runs))
}

/// Doubles that no call was made with before.
fn distinct_arguments(from: u32) -> Vec<Value> {
    let numbers = (from..from + CALLS).map(|number| f64::from(number) + 0.25);
    let values = numbers.map(|number| Value::Fp(FpFormat::DOUBLE, number.to_bits().into()));
    values.collect()
}
