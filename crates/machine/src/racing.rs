//! Accesses of threads, and the races between them.

use crate::machine::Machine;
use crate::memory::{INDEX_WIDTH, Region};
use crate::outcome::{ErrorKind, Halt, error};
use crate::pointers::{Access, Spot};
use crate::state::State;
use crate::threads::races::{Bytes, Conflict, Event, Use};
use crate::threads::sleep::Shared;
use crate::threads::thread_name;
use term::Term;

impl Machine<'_> {
    /// Notes an access by the running thread; a race ends the path. The C library's own
    /// code is taken to be right. That of the standard libraries is too in what it does to
    /// its own variables, and not in what it does to the program's objects: a vector that
    /// two threads grow is the program's error.
    pub(crate) fn note_access(
        &mut self,
        state: &mut State,
        spot: Spot,
        n: u64,
        access: Access,
    ) -> Result<(), Halt> {
        if self.is_library(state.function()) {
            let (Spot::At(id, _) | Spot::Somewhere(id, _)) = spot;
            state.touch(Shared::Object(id), access == Access::Write);
            let region = state.memory.object(id).map(|object| object.region);
            let is_own = matches!(region, Some(Region::Stack | Region::Heap(_)));
            if !is_own || !self.is_standard_library(state.function()) {
                return Ok(());
            }
        }
        let (object, bytes) = match spot {
            Spot::At(id, at) => (id, Bytes::These(at as u64..at as u64 + n)),
            Spot::Somewhere(id, index) => (id, Bytes::From(index, n)),
        };
        let place = (state.frame.function, state.frame.pc);
        let threads = state.threads_mut();
        let by = Use {
            object,
            bytes,
            is_write: access == Access::Write,
            is_atomic: threads.is_atomic,
            place,
        };
        let conflicts = threads.conflicts(&by);
        let Some(other) = self.race(state, &by.bytes, &conflicts) else {
            state.threads_mut().note(by);
            return Ok(());
        };
        let running = state.threads_mut().running();
        let verb = match access {
            Access::Read => "reads",
            Access::Write => "writes",
        };
        let here = self.place_of_thread(state, running);
        let there = self.source_place(other.place.0, other.place.1);
        error(
            ErrorKind::DataRace,
            format!(
                "{} {verb} at {here} what {} uses at {there}, and nothing orders the two",
                thread_name(running),
                thread_name(other.thread)
            ),
        )
    }

    /// The access that one to these bytes races with on the state's path. Where the input
    /// says whether they overlap, the path is forked.
    fn race(&mut self, state: &mut State, bytes: &Bytes, conflicts: &[Conflict]) -> Option<Event> {
        if conflicts.is_empty() {
            return None;
        }
        let overlaps: Vec<Term> = conflicts
            .iter()
            .map(|conflict| self.overlap(bytes, &conflict.bytes))
            .collect();
        let any = self.store.or_all(overlaps.iter().copied());
        let (is_race, other) = self.split(state, any);
        // The other state makes the access again.
        self.successors.running.extend(other);
        if !is_race {
            return None;
        }
        let pairs = conflicts.iter().zip(overlaps);
        let mut races = pairs.filter(|&(_, overlap)| match self.store.as_bool(overlap) {
            Some(truth) => truth,
            None => self.holds(state, overlap),
        });
        races.next().map(|(conflict, _)| conflict.with)
    }

    /// Whether two ranges of bytes of one object have a byte in common.
    fn overlap(&mut self, a: &Bytes, b: &Bytes) -> Term {
        if let (Bytes::These(a), Bytes::These(b)) = (a, b) {
            return self.store.bool(a.start < b.end && b.start < a.end);
        }
        let ((a, a_size), (b, b_size)) = (self.extent(a), self.extent(b));
        // Where each begins less than the other's size after it: no sum can overflow.
        let (b_after_a, a_after_b) = (self.store.bv_sub(b, a), self.store.bv_sub(a, b));
        let b_in_a = self.store.bv_ult(b_after_a, a_size);
        let a_in_b = self.store.bv_ult(a_after_b, b_size);
        self.store.or(b_in_a, a_in_b)
    }

    /// Where bytes begin and how many they are.
    fn extent(&mut self, bytes: &Bytes) -> (Term, Term) {
        let (first, size) = match bytes {
            Bytes::These(bytes) => {
                let first = self.store.bv(INDEX_WIDTH, bytes.start);
                (first, bytes.end - bytes.start)
            }
            Bytes::From(first, size) => (*first, *size),
        };
        (first, self.store.bv(INDEX_WIDTH, size))
    }
}
