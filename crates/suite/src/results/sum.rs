//! Results of several processes as those of one run.

use super::{ExternalSummary, SolverSummary};

impl SolverSummary {
    /// Adds what another solver did for the same run.
    pub fn add(&mut self, other: &SolverSummary) {
        self.queries += other.queries;
        self.backend_calls += other.backend_calls;
        self.unknown += other.unknown;
        self.seconds += other.seconds;
    }
}

impl ExternalSummary {
    /// Adds what became of external functions in another process of the same run.
    pub fn add(&mut self, other: &ExternalSummary) {
        for function in &other.functions {
            let mut known = self.functions.iter_mut();
            match known.find(|it| it.function == function.function) {
                Some(known) => {
                    known.calls += function.calls;
                    known.runs += function.runs;
                    known.from_table += function.from_table;
                    known.failures += function.failures;
                }
                None => self.functions.push(function.clone()),
            }
        }
        self.queries += other.queries;
        self.yes += other.yes;
        self.no += other.no;
        self.unknown += other.unknown;
        for (name, tries) in &other.heuristics {
            let own = self.heuristics.entry(name.clone()).or_default();
            own.tries += tries.tries;
            own.yes += tries.yes;
        }
        self.divergences += other.divergences;
    }
}
