//! Where the solver's time goes: what the conditions of each instruction cost, by the calls
//! that led to it.

use crate::state::Caller;
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
    /// Counts a query of an instruction below these calls. The solver measures its time
    /// anyway, so that this looks at no clock.
    pub(crate) fn add(
        &mut self,
        instruction: (FunctionId, u32),
        callers: Option<&Caller>,
        time: Duration,
    ) {
        let call = self.call(callers);
        if let Some(place) = self.below(call, instruction) {
            let cost = &mut self.places[place as usize].cost;
            cost.queries += 1;
            cost.time += time;
        }
    }

    /// The number of the innermost of these calls. It stays with the frame that waits: a
    /// stack may be deep, and a call makes many queries.
    fn call(&mut self, innermost: Option<&Caller>) -> Option<u32> {
        let (mut number, mut unknown) = (None, Vec::new());
        for caller in std::iter::successors(innermost, |it| it.callers.as_deref()) {
            number = caller.place.get();
            if number.is_some() {
                break;
            }
            unknown.push(caller);
        }
        for caller in unknown.into_iter().rev() {
            number = self.below(number, caller.call());
            caller.place.set(number);
        }
        number
    }

    /// The number of an instruction below a call. Recursion is folded: a call that is on
    /// the way already stands for all that come after it, so that the tree is as deep as
    /// there are calls in the source.
    fn below(&mut self, call: Option<u32>, instruction: (FunctionId, u32)) -> Option<u32> {
        let way = std::iter::successors(call, |&it| self.places[it as usize].caller);
        let mut way = way.filter(|&it| self.places[it as usize].instruction == instruction);
        let again = way.next();
        again.or_else(|| self.place(call, instruction)).or(call)
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
    use crate::state::Frame;
    use program::Reg;
    use std::rc::Rc;

    #[test]
    fn recursion_is_folded_into_one_call() {
        let (main, f) = (FunctionId(0), FunctionId(1));
        let mut costs = Costs::default();
        let second = Duration::from_secs(1);
        let call = |(function, pc): (FunctionId, u32), callers: Option<Rc<Caller>>| {
            let frame = Frame {
                function: function.0,
                pc: pc + 1,
                ..Frame::default()
            };
            Some(Rc::new(Caller::new(frame, Reg::NONE, None, callers)))
        };
        let once = call((main, 1), None);
        let twice = call((f, 9), once.clone());
        let often = call((f, 9), call((f, 9), twice.clone()));
        for callers in [once, often, twice] {
            costs.add((f, 7), callers.as_deref(), second);
        }
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
