//! What the machine and the solver know, as the typed results of `suite`.
//!
//! `machine` knows no files and `suite` no machine; here is the one place where the
//! ends and counts of one become those of the other.

mod coverage;
mod location;
mod test_case;

pub use coverage::of as coverage;
pub use location::{SourceFrame, finding, stack};
pub use test_case::test_case;

use crate::exploration::{Counts, Outcome};
use machine::Machine;
use mixed::Heuristic;
use suite::{End, ExternalSummary, FunctionSummary, PathCounts, SolverSummary, Tries};

/// How a test ends; paths that are dropped have no test and no end.
pub fn end(end: &machine::End) -> Option<End> {
    match end {
        machine::End::Exit(status) => Some(End::Exit(*status)),
        machine::End::Error(kind, _) => Some(End::Error(*kind)),
        machine::End::Ignored | machine::End::TooDeep => None,
    }
}

/// Paths by how they ended.
pub fn paths(counts: &Counts) -> PathCounts {
    PathCounts {
        completed: counts.completed,
        errors: counts.errors,
        ignored: counts.ignored,
        infeasible: counts.infeasible,
        unknown: counts.unknown,
        unfinished: counts.unfinished,
        too_deep: counts.too_deep,
        pruned: counts.pruned,
        revisited: counts.revisited,
    }
}

/// What the solver did.
pub fn solver(machine: &Machine<'_>) -> SolverSummary {
    let statistics = machine.mixed.solver().statistics();
    SolverSummary {
        queries: statistics.queries,
        backend_calls: statistics.backend_calls(),
        unknown: statistics.unknown,
        seconds: statistics.time.as_secs_f64(),
    }
}

/// What became of external functions, for the report.
pub fn external(machine: &Machine<'_>, divergences: u64) -> ExternalSummary {
    let oracle = machine.mixed.oracle();
    let functions = oracle.functions().filter_map(|signature| {
        let statistics = oracle.statistics(&signature.name)?;
        (statistics.calls > 0).then(|| FunctionSummary {
            function: signature.name.clone(),
            calls: statistics.calls,
            runs: statistics.runs,
            from_table: statistics.from_table,
            failures: statistics.failures,
        })
    });
    let statistics = machine.mixed.statistics();
    let tries = |tally: mixed::Tally| Tries {
        tries: tally.tries,
        yes: tally.yes,
    };
    let heuristics = Heuristic::ALL.map(|heuristic| {
        let tally = statistics.heuristic(heuristic);
        (heuristic.name().to_owned(), tries(tally))
    });
    let others = [("first", statistics.first), ("table", statistics.table)];
    let others = others.map(|(name, tally)| (name.to_owned(), tries(tally)));
    ExternalSummary {
        strategy: machine.mixed.config().strategy.name().to_owned(),
        functions: functions.collect(),
        queries: statistics.queries,
        yes: statistics.yes,
        no: statistics.no,
        unknown: statistics.unknown,
        heuristics: heuristics.into_iter().chain(others).collect(),
        divergences,
    }
}

/// Why the exploration ended.
pub fn outcome(outcome: Outcome) -> suite::Outcome {
    match outcome {
        Outcome::Complete => suite::Outcome::Complete,
        Outcome::Limit(_) => suite::Outcome::Limit,
        Outcome::Interrupted => suite::Outcome::Interrupted,
    }
}

/// The most memory the process has had.
pub fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|rest| {
        rest.trim()
            .trim_end_matches(" kB")
            .trim()
            .parse::<u64>()
            .ok()
    });
    kib.unwrap_or(0) * 1024
}
