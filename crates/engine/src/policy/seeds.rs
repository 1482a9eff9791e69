//! Seeds: inputs that the user has already, followed first and explored around.
//!
//! A path carries the seeds that take it. Where it forks, each side keeps those that go
//! there, so that what seeds have in common is executed once. A condition that a seed
//! satisfies needs no query, which is what seeds are worth most for: a checksum or a magic
//! number that no solver would find is behind a path that carries one. Paths with seeds go
//! before all others ([`adopt`]); the other sides of their branches wait as any state
//! does.
//!
//! A seed leaves a path at the first condition that it does not satisfy, and only the
//! priority is lost with it.

use machine::{Machine, Origin, Policy, State, StreamId};
use std::collections::HashMap;
use std::rc::Rc;
use suite::TestCase;
use term::{Assignment, BitVec, Sort, Term, Value};

/// Puts seeds on paths, and takes them off.
pub struct Seeds;

/// An input, as the machine's variables have it.
pub(super) struct Seed {
    pub model: Rc<Assignment>,
    /// The lengths of its streams.
    streams: Vec<(StreamId, usize)>,
}

/// The seeds that take a path.
#[derive(Clone, Default)]
struct Carried(Rc<[Rc<Seed>]>);

impl Seeds {
    /// Lets the first state carry the seeds, and go along one of them; how many of them
    /// contradict what inputs must be.
    pub(crate) fn begin(machine: &mut Machine<'_>, first: &mut State, cases: &[TestCase]) -> usize {
        let constraints: Vec<Term> = first.path.constraints().collect();
        let seeds = cases.iter().map(|case| Rc::new(Seed::new(machine, case)));
        let mut seeds: Vec<Rc<Seed>> = seeds.collect();
        seeds.retain(|seed| {
            let mut evaluation = machine.mixed.under(&machine.store, &seed.model);
            constraints.iter().all(|&it| evaluation.holds(it))
        });
        let left = cases.len() - seeds.len();
        if let Some(seed) = seeds.first() {
            first.model = seed.model.clone();
            first.marks.set(Carried(seeds.into()));
        }
        left
    }
}

impl Seed {
    pub fn new(machine: &mut Machine<'_>, case: &TestCase) -> Seed {
        let mut model = Assignment::new();
        let mut streams = Vec::new();
        let mut earlier: HashMap<&str, usize> = HashMap::new();
        for input in &case.inputs {
            let variables = match machine.stream_called(&input.name) {
                // What a stream has no room for is cut off.
                Some((stream, bytes)) => {
                    streams.push((stream, input.bytes.len().min(bytes.len())));
                    bytes.to_vec()
                }
                None => {
                    let earlier = earlier.entry(&input.name).or_default();
                    let name = machine::input_name(&input.name, *earlier);
                    *earlier += 1;
                    let byte = |at| machine.store.var(&format!("{name}[{at}]"), Sort::Bv(8));
                    (0..input.bytes.len()).map(byte).collect()
                }
            };
            for (term, &byte) in variables.into_iter().zip(&input.bytes) {
                let variable = machine.store.as_variable(term).expect("it was made as one");
                model.set(variable, Value::Bv(BitVec::from_u64(8, byte.into())));
            }
        }
        Seed {
            model: Rc::new(model),
            streams,
        }
    }

    /// How long a stream is; one that the seed does not have is empty.
    pub fn length(&self, stream: StreamId) -> usize {
        let found = self.streams.iter().find(|(id, _)| *id == stream);
        found.map_or(0, |&(_, length)| length)
    }
}

/// Whether a seed takes the path; it goes along that one from here on.
pub(crate) fn adopt(state: &mut State) -> bool {
    let Some(seed) = carried(state).first() else {
        return false;
    };
    state.model = seed.model.clone();
    true
}

fn is_carried(state: &State) -> bool {
    !carried(state).is_empty()
}

fn carried(state: &State) -> &[Rc<Seed>] {
    let carried = state.marks.get::<Carried>();
    carried.map_or(&[], |carried| &carried.0)
}

/// Leaves the path only those seeds for which this holds.
fn retain(state: &mut State, mut goes: impl FnMut(&Seed) -> bool) {
    let seeds = carried(state);
    let kept: Rc<[Rc<Seed>]> = seeds.iter().filter(|seed| goes(seed)).cloned().collect();
    if kept.is_empty() {
        state.marks.remove::<Carried>();
    } else if kept.len() < seeds.len() {
        state.marks.set(Carried(kept));
    }
}

impl Policy for Seeds {
    fn assumed(&self, machine: &mut Machine<'_>, state: &mut State, condition: Term, _: Origin) {
        if is_carried(state) {
            retain(state, |seed| {
                let mut evaluation = machine.mixed.under(&machine.store, &seed.model);
                evaluation.holds(condition)
            });
        }
    }

    fn stream_decided(&self, state: &mut State, stream: StreamId, ended: bool) {
        if is_carried(state) {
            let seen = state.seen(stream).bytes;
            retain(state, |seed| match ended {
                true => seed.length(stream) == seen,
                false => seed.length(stream) >= seen,
            });
        }
    }

    fn example(
        &self,
        machine: &mut Machine<'_>,
        state: &State,
        condition: Term,
    ) -> Option<Rc<Assignment>> {
        let mut seeds = carried(state).iter();
        let seed = seeds.find(|seed| {
            let mut evaluation = machine.mixed.under(&machine.store, &seed.model);
            evaluation.holds(condition)
        })?;
        Some(seed.model.clone())
    }
}
