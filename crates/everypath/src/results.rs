//! What the machine and the solver know, as the typed results of `suite`.
//!
//! `machine` knows no files and `suite` no machine; here is the one place where the
//! ends and counts of one become those of the other.

use engine::Counts;
use suite::{End, ErrorKind, PathCounts, SolverSummary};

/// How a test ends; paths that are dropped have no test and no end.
pub fn end(end: &machine::End) -> Option<End> {
    match end {
        machine::End::Exit(status) => Some(End::Exit(*status)),
        machine::End::Error(kind, _) => Some(End::Error(error_kind(*kind))),
        machine::End::Ignored | machine::End::TooDeep => None,
    }
}

/// What went wrong in the program.
pub fn error_kind(kind: machine::ErrorKind) -> ErrorKind {
    match kind {
        machine::ErrorKind::Assert => ErrorKind::Assert,
        machine::ErrorKind::Abort => ErrorKind::Abort,
        machine::ErrorKind::OutOfBoundsRead => ErrorKind::OutOfBoundsRead,
        machine::ErrorKind::OutOfBoundsWrite => ErrorKind::OutOfBoundsWrite,
        machine::ErrorKind::Null => ErrorKind::NullDereference,
        machine::ErrorKind::UseAfterFree => ErrorKind::UseAfterFree,
        machine::ErrorKind::UseAfterReturn => ErrorKind::UseAfterReturn,
        machine::ErrorKind::DoubleFree => ErrorKind::DoubleFree,
        machine::ErrorKind::InvalidFree => ErrorKind::InvalidFree,
        machine::ErrorKind::WriteToConstant => ErrorKind::WriteToConstant,
        machine::ErrorKind::Division => ErrorKind::Division,
        machine::ErrorKind::Shift => ErrorKind::Shift,
        machine::ErrorKind::Unreachable => ErrorKind::Unreachable,
        machine::ErrorKind::BadCall => ErrorKind::BadCall,
        machine::ErrorKind::Uninitialised => ErrorKind::Uninitialised,
        machine::ErrorKind::Leak => ErrorKind::Leak,
        machine::ErrorKind::StackOverflow => ErrorKind::StackOverflow,
        machine::ErrorKind::Invariant => ErrorKind::Invariant,
        machine::ErrorKind::Postcondition => ErrorKind::Postcondition,
        machine::ErrorKind::OtherInputs => ErrorKind::OtherInputs,
        machine::ErrorKind::Unsupported => ErrorKind::Unsupported,
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
pub fn solver(statistics: &solver::Statistics) -> SolverSummary {
    SolverSummary {
        queries: statistics.queries,
        backend_calls: statistics.backend_calls(),
        unknown: statistics.unknown,
        seconds: statistics.time.as_secs_f64(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_the_machines_name_in_files() {
        use machine::ErrorKind as Kind;
        for kind in [Kind::Assert, Kind::Null, Kind::OutOfBoundsRead, Kind::Leak] {
            assert_eq!(error_kind(kind).name(), kind.name());
        }
    }
}
