//! Ranged analysis: the paths between two inputs, in path order.
//!
//! Where a path forks, its sides have an order: a condition that holds comes before one
//! that does not, the cases of a switch come as they are written, values from the least on,
//! and a stream that goes on comes before one that ends. Two inputs are two paths, and
//! with this order the paths between them are a range of their own: from the first one's
//! on, up to the second one's and without it (Siddiqui and Khurshid, *Scaling symbolic
//! execution using ranged analysis*, OOPSLA 2012). Ranges that meet share nothing and leave
//! nothing out.
//!
//! A path carries the bounds whose way it goes so far; beside a bound's way, everything is
//! inside, or everything outside.

use super::seeds::Seed;
use machine::{ChoiceKind, Events, Machine, Origin, Policy, State, StreamId};
use std::cmp::Ordering;
use std::rc::Rc;
use suite::TestCase;
use term::Term;

/// Keeps paths between two inputs.
pub struct Ranged;

/// One end of a range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    From,
    To,
}

/// What a path carries.
#[derive(Clone, Default)]
struct Carried {
    from: Option<Rc<Seed>>,
    to: Option<Rc<Seed>>,
    is_outside: bool,
    /// The sides that the path is about to choose from, with how each stands to the
    /// side that a bound takes.
    sides: Rc<[(Term, [Ordering; 2])]>,
}

impl Ranged {
    /// Lets the first state begin with all paths between the inputs that are given.
    pub(crate) fn begin(
        machine: &mut Machine<'_>,
        first: &mut State,
        (from, to): (Option<&TestCase>, Option<&TestCase>),
    ) {
        let mut bound = |case: &TestCase| Rc::new(Seed::new(machine, case));
        first.marks.set(Carried {
            from: from.map(&mut bound),
            to: to.map(&mut bound),
            ..Carried::default()
        });
    }
}

impl Carried {
    fn bound(&self, side: Side) -> Option<&Rc<Seed>> {
        match side {
            Side::From => self.from.as_ref(),
            Side::To => self.to.as_ref(),
        }
    }

    /// The path took a side that stands so to the one that a bound takes.
    fn took(&mut self, side: Side, order: Ordering) {
        match (side, order) {
            (_, Ordering::Equal) => {}
            (Side::From, Ordering::Less) | (Side::To, Ordering::Greater) => self.is_outside = true,
            (Side::From, Ordering::Greater) => self.from = None,
            (Side::To, Ordering::Less) => self.to = None,
        }
    }
}

/// Whether the path is none of those wanted, as far as it went.
pub(crate) fn is_outside(state: &State) -> bool {
    let carried = state.marks.get::<Carried>();
    carried.is_some_and(|carried| carried.is_outside)
}

/// The same at the path's end: the upper bound's own path is not in the range.
pub(crate) fn ends_outside(state: &State) -> bool {
    let carried = state.marks.get::<Carried>();
    carried.is_some_and(|carried| carried.is_outside || carried.to.is_some())
}

const SIDES: [Side; 2] = [Side::From, Side::To];

impl Policy for Ranged {
    fn events(&self) -> Events {
        Events {
            choices: true,
            ..Events::default()
        }
    }

    fn choosing(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        kind: ChoiceKind,
        (value, successors): (Term, &[(u64, Term)]),
    ) {
        let Some(carried) = state.marks.get::<Carried>() else {
            return;
        };
        // How a successor stands to the one that a bound takes; all are equal if there is
        // no bound.
        let orders = SIDES.map(|side| -> Vec<Ordering> {
            let all = |order| vec![order; successors.len()];
            let Some(seed) = carried.bound(side) else {
                return all(Ordering::Equal);
            };
            let mut evaluation = machine.mixed.under(&machine.store, &seed.model);
            if kind == ChoiceKind::Value {
                let taken = evaluation.word(value);
                return successors
                    .iter()
                    .map(|(word, _)| word.cmp(&taken))
                    .collect();
            }
            let taken = successors.iter().position(|&(_, it)| evaluation.holds(it));
            match taken {
                Some(taken) => (0..successors.len()).map(|at| at.cmp(&taken)).collect(),
                None => all(Ordering::Equal),
            }
        });
        let sides = successors.iter().enumerate();
        let sides = sides.map(|(at, &(_, it))| (it, [orders[0][at], orders[1][at]]));
        let sides = sides.collect();
        state.marks.get_mut::<Carried>().sides = sides;
    }

    fn assumed(&self, _: &mut Machine<'_>, state: &mut State, condition: Term, _: Origin) {
        let carried = state.marks.get::<Carried>();
        let side = carried.and_then(|it| it.sides.iter().find(|(side, _)| *side == condition));
        if let Some(&(_, orders)) = side {
            let carried = state.marks.get_mut::<Carried>();
            for (side, order) in SIDES.into_iter().zip(orders) {
                carried.took(side, order);
            }
        }
    }

    fn stream_decided(&self, state: &mut State, stream: StreamId, ended: bool) {
        let Some(carried) = state.marks.get::<Carried>() else {
            return;
        };
        // Before this byte, or end, was decided there was one byte less, or as many.
        let seen = state.seen(stream).bytes - usize::from(!ended);
        let orders = SIDES.map(|side| {
            let seed = carried.bound(side)?;
            let bound_ends = seed.length(stream) <= seen;
            Some(ended.cmp(&bound_ends))
        });
        let carried = state.marks.get_mut::<Carried>();
        for (side, order) in SIDES.into_iter().zip(orders) {
            if let Some(order) = order {
                carried.took(side, order);
            }
        }
    }
}
