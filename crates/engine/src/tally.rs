//! What an exploration counted, in a form that adds up.
//!
//! One run may be many explorations: in several processes, and before and after it was
//! interrupted. Each has its tally, and the report is made of their sum.

use crate::outcome::Counts;
use crate::report;
use machine::Machine;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use suite::{CallCosts, ExternalSummary, Incomplete, InputTypes, LineCost, Sample, SolverSummary};

/// What was counted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// How many paths ended how.
    pub counts: Counts,
    /// Forks of states.
    pub forks: u64,
    /// What the solver did.
    pub solver: SolverSummary,
    /// What became of external functions.
    pub external: Option<ExternalSummary>,
    /// What was left out.
    pub omissions: Vec<Incomplete>,
    /// What was reached, as [`machine::Coverage::to_bits`] has it.
    pub covered: Vec<u8>,
    /// Where the solver's time went.
    pub costs: Vec<LineCost>,
    /// The same by the calls that led there.
    pub calls: CallCosts,
    /// What inputs are in the source.
    pub inputs: InputTypes,
}

impl Tally {
    /// What a machine did, that followed so many paths.
    pub fn of(machine: &Machine<'_>, counts: &Counts) -> Tally {
        Tally {
            counts: *counts,
            forks: machine.forks,
            solver: report::solver(machine),
            external: Some(report::external(machine, counts.divergences)),
            omissions: report::omissions(machine).collect(),
            covered: machine.coverage.to_bits(),
            costs: report::costs(machine),
            calls: report::call_costs(machine),
            inputs: report::input_types(machine),
        }
    }

    /// How far it is after so many seconds, with so much waiting, for a curve.
    pub fn sample(&self, seconds: f64, waiting: u64) -> Sample {
        let covered: u32 = self.covered.iter().map(|byte| byte.count_ones()).sum();
        Sample {
            seconds,
            paths: self.counts.completed + self.counts.errors,
            errors: self.counts.errors,
            covered: covered.into(),
            waiting,
        }
    }

    /// Adds what another exploration of the program counted.
    pub fn add(&mut self, other: &Tally) {
        self.counts.add(&other.counts);
        self.forks += other.forks;
        self.solver.add(&other.solver);
        match (&mut self.external, &other.external) {
            (Some(external), Some(other)) => external.add(other),
            (external @ None, other) => external.clone_from(other),
            (Some(_), None) => {}
        }
        for omission in &other.omissions {
            let known = self.omissions.iter_mut().find(|it| {
                it.reason == omission.reason
                    && (&it.file, it.line) == (&omission.file, omission.line)
            });
            match known {
                Some(known) => known.times += omission.times,
                None => self.omissions.push(omission.clone()),
            }
        }
        if self.covered.len() < other.covered.len() {
            self.covered.resize(other.covered.len(), 0);
        }
        for (covered, bits) in self.covered.iter_mut().zip(&other.covered) {
            *covered |= bits;
        }
        self.add_costs(&other.costs);
        self.calls.add(&other.calls);
        self.inputs.merge(&other.inputs);
    }

    fn add_costs(&mut self, costs: &[LineCost]) {
        let mut lines: BTreeMap<(String, u32, String), (u64, f64)> = BTreeMap::new();
        for cost in self.costs.iter().chain(costs) {
            let place = (cost.file.clone(), cost.line, cost.function.clone());
            let line = lines.entry(place).or_default();
            line.0 += cost.queries;
            line.1 += cost.seconds;
        }
        let lines = lines.into_iter();
        let lines = lines.map(|((file, line, function), (queries, seconds))| LineCost {
            function,
            file,
            line,
            queries,
            seconds,
        });
        self.costs = lines.collect();
        self.costs.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    }
}
