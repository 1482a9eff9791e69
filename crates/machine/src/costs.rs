//! Where the solver's time goes: what the conditions of each instruction cost, by the calls
//! that led to it.

use program::FunctionId;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// Places that are told apart; what is called beyond is counted with its caller.
const MOST_PLACES: usize = 5000;

/// What conditions cost, as a tree of calls.
#[derive(Default)]
pub struct Costs {
    places: Vec<CallCost>,
    /// The number of an instruction after a call of this number.
    known: FxHashMap<(Option<u32>, (FunctionId, u32)), u32>,
}

/// What the conditions of an instruction cost so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cost {
    /// Queries that were made.
    pub queries: u64,
    /// The time they took.
    pub time: Duration,
}

/// What an instruction cost that was reached by a certain call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallCost {
    /// The number of the call; none in the outermost function.
    pub caller: Option<u32>,
    /// The function and the instruction.
    pub instruction: (FunctionId, u32),
    /// What it cost itself, without what it called.
    pub cost: Cost,
}

impl Costs {
    /// Counts a query of the innermost instruction of a stack. The solver measures its
    /// time anyway, so that this looks at no clock.
    pub(crate) fn add(&mut self, stack: &[(FunctionId, u32)], time: Duration) {
        let mut calls: Vec<u32> = Vec::new();
        for &instruction in stack.iter().rev() {
            // Recursion is folded: a call that is on the way already stands for all that
            // come after it, so that the tree is as deep as there are calls in the source.
            let again = |&call: &u32| self.places[call as usize].instruction == instruction;
            if let Some(at) = calls.iter().position(again) {
                calls.truncate(at + 1);
                continue;
            }
            match self.place(calls.last().copied(), instruction) {
                Some(place) => calls.push(place),
                None => break,
            }
        }
        if let Some(&place) = calls.last() {
            let cost = &mut self.places[place as usize].cost;
            cost.queries += 1;
            cost.time += time;
        }
    }

    fn place(&mut self, caller: Option<u32>, instruction: (FunctionId, u32)) -> Option<u32> {
        if let Some(&known) = self.known.get(&(caller, instruction)) {
            return Some(known);
        }
        if self.places.len() >= MOST_PLACES && caller.is_some() {
            return None;
        }
        let number = self.places.len() as u32;
        self.places.push(CallCost {
            caller,
            instruction,
            cost: Cost::default(),
        });
        self.known.insert((caller, instruction), number);
        Some(number)
    }

    /// What was called and what it cost, by number: callers come before what they call.
    pub fn places(&self) -> &[CallCost] {
        &self.places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recursion_is_folded_into_one_call() {
        let (main, f) = (FunctionId(0), FunctionId(1));
        let mut costs = Costs::default();
        let second = Duration::from_secs(1);
        costs.add(&[(f, 7), (main, 1)], second);
        costs.add(&[(f, 7), (f, 9), (f, 9), (f, 9), (main, 1)], second);
        costs.add(&[(f, 7), (f, 9), (main, 1)], second);
        let shown: Vec<_> = costs
            .places()
            .iter()
            .map(|it| (it.caller, it.instruction, it.cost.queries))
            .collect();
        assert_eq!(
            shown,
            [
                (None, (main, 1), 0),
                (Some(0), (f, 7), 1),
                (Some(0), (f, 9), 0),
                (Some(2), (f, 7), 2),
            ]
        );
    }
}
