//! What the machine and the solver know, as the typed results of `suite`.
//!
//! `machine` knows no files and `suite` no machine; here is the one place where the
//! ends and counts of one become those of the other.

mod condition;
mod coverage;
mod input_type;
mod location;
mod test_case;

pub use condition::Conditions;
pub use coverage::of as coverage;
pub use input_type::input_types;
pub use location::{SourceFrame, finding, place, stack};
pub use test_case::test_case;

use crate::outcome::{Counts, Outcome};
use machine::{CallCost, Cost, Machine};
use mixed::Heuristic;
use std::collections::BTreeMap;
use suite::{
    CallCosts, CallTree, End, ExternalSummary, FunctionSummary, Incomplete, IncompleteReason,
    LineCost, PathCounts, SolverSummary, Tries,
};

/// How a test ends; paths that are dropped have no test and no end.
pub fn end(end: &machine::End) -> Option<End> {
    match end {
        machine::End::Exit(status) => Some(End::Exit(*status)),
        machine::End::Error(kind, _) => Some(End::Error(*kind)),
        machine::End::Ignored
        | machine::End::Redundant
        | machine::End::TooDeep
        | machine::End::Unknown => None,
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

/// Where the solver's time went, the most expensive line first.
pub fn costs(machine: &Machine<'_>) -> Vec<LineCost> {
    let mut lines: BTreeMap<(String, u32, String), Cost> = BTreeMap::new();
    for CallCost {
        instruction: (function, pc),
        cost,
        ..
    } in machine.costs.places()
    {
        if cost.queries == 0 {
            continue;
        }
        let place = place(machine.program, *function, *pc);
        let line = lines.entry((place.path, place.line, place.function));
        let line = line.or_default();
        line.queries += cost.queries;
        line.time += cost.time;
    }
    let lines = lines
        .into_iter()
        .map(|((file, line, function), cost)| LineCost {
            function,
            file,
            line,
            queries: cost.queries,
            seconds: cost.time.as_secs_f64(),
        });
    let mut lines: Vec<LineCost> = lines.collect();
    lines.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    lines
}

/// The same by the calls that led there.
pub fn call_costs(machine: &Machine<'_>) -> CallCosts {
    let mut tree = CallTree::new(CallCosts::default());
    let mut numbers: Vec<Option<u32>> = Vec::new();
    for place in machine.costs.places() {
        let mut number = place.caller.and_then(|caller| numbers[caller as usize]);
        let (function, pc) = place.instruction;
        let inlined = location::frames(machine.program, function, pc);
        for (depth, frame) in inlined.into_iter().enumerate().rev() {
            let own = match depth {
                0 => place.cost,
                _ => Cost::default(),
            };
            number = Some(tree.add(suite::CallCost {
                caller: number,
                function: frame.function,
                file: frame.path,
                line: frame.line,
                queries: own.queries,
                seconds: own.time.as_secs_f64(),
            }));
        }
        numbers.push(number);
    }
    tree.finish()
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

/// What the machine left out.
pub fn omissions(machine: &Machine<'_>) -> impl Iterator<Item = Incomplete> {
    let omissions = machine.omissions();
    omissions.map(|(reason, place, times)| Incomplete {
        reason: incomplete_reason(reason),
        file: place.file.clone(),
        line: place.line,
        times,
    })
}

/// What explorations left out, of which the machine said this.
pub fn incomplete(omissions: &[Incomplete], counts: &Counts) -> Vec<Incomplete> {
    let undecided = counts.unknown - counts.explained;
    let undecided = (undecided > 0).then(|| Incomplete {
        reason: IncompleteReason::UndecidedPaths,
        file: String::new(),
        line: 0,
        times: undecided,
    });
    undecided
        .into_iter()
        .chain(omissions.iter().cloned())
        .collect()
}

/// That assumptions left nothing of the program, if that is so.
pub fn no_path(counts: &Counts) -> Option<Incomplete> {
    let others = counts.completed + counts.errors + counts.unknown + counts.unfinished;
    (others == 0 && counts.ignored > 0).then(|| Incomplete {
        reason: IncompleteReason::NoPath,
        file: String::new(),
        line: 0,
        times: counts.ignored,
    })
}

fn incomplete_reason(reason: &machine::Incomplete) -> IncompleteReason {
    match reason {
        machine::Incomplete::MissingFunction { function } => IncompleteReason::MissingFunction {
            function: function.to_string(),
        },
        machine::Incomplete::MissingVariable { variable } => IncompleteReason::MissingVariable {
            variable: variable.to_string(),
        },
        machine::Incomplete::Concretized { function, what } => IncompleteReason::Concretized {
            function: function.to_string(),
            what: what.to_string(),
        },
        machine::Incomplete::TimedOut { function } => IncompleteReason::TimedOut {
            function: function.to_string(),
        },
        machine::Incomplete::NotDeterministic { function } => IncompleteReason::NotDeterministic {
            function: function.to_string(),
        },
        machine::Incomplete::TakenForPure { function } => IncompleteReason::TakenForPure {
            function: function.to_string(),
        },
        machine::Incomplete::NotModelled { call } => IncompleteReason::NotModelled {
            call: call.to_string(),
        },
        machine::Incomplete::Unsupported { what } => IncompleteReason::Unsupported {
            what: what.to_string(),
        },
        machine::Incomplete::LargeSize { most } => IncompleteReason::LargeSize { most: *most },
        machine::Incomplete::Preemptions { most } => IncompleteReason::Preemptions { most: *most },
        machine::Incomplete::OnlyNull { member } => IncompleteReason::OnlyNull {
            member: member.to_string(),
        },
        machine::Incomplete::UntriedObjects { tried } => {
            IncompleteReason::UntriedObjects { tried: *tried }
        }
    }
}

/// Why the exploration ended, and whether it may call itself complete.
pub fn outcome(outcome: Outcome, incomplete: &[Incomplete]) -> suite::Outcome {
    match outcome {
        Outcome::Complete if !incomplete.is_empty() => suite::Outcome::Incomplete,
        Outcome::Complete => suite::Outcome::Complete,
        Outcome::Limit(_) => suite::Outcome::Limit,
        Outcome::Interrupted | Outcome::GivenAway => suite::Outcome::Interrupted,
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
