//! Where the solver's time goes: what the conditions of each instruction cost.

use rustc_hash::FxHashMap;
use std::time::Duration;

/// What conditions cost, by function and instruction.
#[derive(Default)]
pub struct Costs(FxHashMap<(u32, u32), Cost>);

/// What the conditions of an instruction cost so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cost {
    /// Queries that were made.
    pub queries: u64,
    /// The time they took.
    pub time: Duration,
}

impl Costs {
    /// Counts a query of this instruction. The solver measures its time anyway, so that
    /// this looks at no clock.
    pub(crate) fn add(&mut self, instruction: (u32, u32), time: Duration) {
        let cost = self.0.entry(instruction).or_default();
        cost.queries += 1;
        cost.time += time;
    }

    /// The functions and instructions that cost something, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = ((u32, u32), Cost)> {
        self.0
            .iter()
            .map(|(&instruction, &cost)| (instruction, cost))
    }
}
