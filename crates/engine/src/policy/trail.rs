//! The conditions that a concolic run met, in order.

use machine::{Choice, ChoiceKind, Machine, State};
use term::Term;

/// A condition that was met, and how it went.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    location: (u32, u32),
    successor: u64,
    condition: Term,
    kind: ChoiceKind,
}

impl Step {
    /// The function and the instruction where the condition was met.
    pub fn location(&self) -> (u32, u32) {
        self.location
    }

    /// Which way it went, as a number.
    pub fn successor(&self) -> u64 {
        self.successor
    }

    /// What holds because it went that way.
    pub fn condition(&self) -> Term {
        self.condition
    }

    /// Whether the condition is that something has one of many values.
    pub fn is_value(&self) -> bool {
        self.kind == ChoiceKind::Value
    }

    /// Whether both went the same way at the same instruction.
    pub fn goes_like(&self, other: &Step) -> bool {
        (self.location, self.successor) == (other.location, other.successor)
    }
}

/// Which conditions of a switch are written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Switches {
    /// That of the edge the run took.
    Taken,
    /// For each edge it did not take, that it did not: each is one to take in
    /// another run.
    NotTaken,
}

/// The mark of a path that follows its inputs and writes down what it met.
#[derive(Clone, Default)]
struct Trail(Vec<Step>);

/// What the path met so far.
pub(crate) fn steps(state: &State) -> &[Step] {
    state.marks.get::<Trail>().map_or(&[], |trail| &trail.0)
}

/// Writes down what the path chose.
pub(super) fn record(
    machine: &mut Machine<'_>,
    state: &mut State,
    choice: &Choice<'_>,
    switches: Switches,
) {
    if choice.kind == ChoiceKind::Switch && switches == Switches::NotTaken {
        for (number, &(successor, condition)) in choice.successors.iter().enumerate() {
            if number != choice.taken {
                let not_there = machine.store.not(condition);
                note(machine, state, choice.kind, (successor, not_there));
            }
        }
        return;
    }
    note(machine, state, choice.kind, choice.successors[choice.taken]);
}

fn note(
    machine: &Machine<'_>,
    state: &mut State,
    kind: ChoiceKind,
    (successor, condition): (u64, Term),
) {
    if machine.store.as_bool(condition).is_some() {
        return;
    }
    let step = Step {
        location: (state.frame.function, state.frame.pc),
        successor,
        condition,
        kind,
    };
    state.marks.get_mut::<Trail>().0.push(step);
    state.progress.depth += 1;
}
