//! Threads that sleep: interleavings that are another one in a different order.
//!
//! Where a thread is preempted, another path lets it do its operation first. If whatever the
//! others do meanwhile has nothing to do with that operation and with what the thread does
//! up to its next one, both paths come to the same state, and the one on which it was
//! preempted need not go on (Godefroid, *Partial-Order Methods for the Verification of
//! Concurrent Systems*, 1996). What a thread touches is known when it has run, so that the
//! decision is made then and not before.
//!
//! Only threads that were preempted sleep. The path that stays makes its thread wait one
//! operation later, so that it has no more preemptions than the one that is given up, and
//! nothing is lost to their bound (Coons, Musuvathi and McKinley, OOPSLA 2013). Choices that
//! are free have no such twin.
//!
//! Variables of the program are not looked at: accesses that nothing orders are a race, and
//! what orders them is an operation on an object that both threads touch.

use super::{ThreadId, Threads};
use crate::memory::ObjectId;
use rustc_hash::FxHashSet;

/// Something that threads notice of each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Shared {
    /// What is at an address: a lock, an atomic variable.
    At(u64),
    /// What is at an address that the input decides: it may be anything.
    Somewhere,
    /// An object that code of a library uses.
    Object(ObjectId),
    /// A thread: its beginning, its end.
    Thread(ThreadId),
    /// The numbers that new threads and keys get.
    Numbers,
    /// What the system and the machine keep for the whole program.
    System,
}

/// What was touched, and whether it was changed.
#[derive(Clone, Default)]
struct Touched(FxHashSet<(Shared, bool)>);

impl Touched {
    fn add(&mut self, shared: Shared, is_write: bool) {
        self.0.insert((shared, is_write));
    }

    fn is_somewhere(&self) -> bool {
        let mut touched = self.0.iter();
        touched.any(|&(shared, _)| shared == Shared::Somewhere)
    }

    fn is_apart_from(&self, other: &Touched) -> bool {
        let meets = |&(shared, is_write): &(Shared, bool)| {
            other.0.contains(&(shared, true)) || (is_write && other.0.contains(&(shared, false)))
        };
        let is_anywhere = self.is_somewhere() || other.is_somewhere();
        !is_anywhere && !self.0.iter().any(meets)
    }
}

/// A thread that was preempted.
#[derive(Clone, Default)]
pub(crate) struct Asleep {
    /// What others touched since.
    meanwhile: Touched,
    /// What it touched itself since it runs again.
    own: Option<Touched>,
}

impl Threads {
    /// The thread was preempted.
    pub fn put_to_sleep(&mut self, id: ThreadId) {
        self.threads[id].asleep = Some(Asleep::default());
        self.sleepers = true;
    }

    /// The running thread touches something.
    pub fn touch(&mut self, shared: Shared, is_write: bool) {
        if !self.sleepers {
            return;
        }
        let running = self.running;
        for (id, thread) in self.threads.iter_mut().enumerate() {
            let Some(asleep) = &mut thread.asleep else {
                continue;
            };
            match &mut asleep.own {
                Some(own) if id == running => own.add(shared, is_write),
                _ => asleep.meanwhile.add(shared, is_write),
            }
        }
    }

    /// The running thread stands where others may take over. Whether the path need not go on,
    /// because the thread could have done before it slept what it did since.
    pub fn slept_for_nothing(&mut self) -> bool {
        let Some(asleep) = self.current().asleep.take() else {
            return false;
        };
        self.sleepers = self.threads.iter().any(|thread| thread.asleep.is_some());
        asleep
            .own
            .is_some_and(|own| own.is_apart_from(&asleep.meanwhile))
    }

    /// Another thread begins to run. One that runs on after it slept and was not looked at
    /// since is not looked at any more.
    pub(super) fn rouse(&mut self, next: ThreadId) {
        if !self.sleepers {
            return;
        }
        let leaving = self.current();
        if leaving.asleep.as_ref().is_some_and(|it| it.own.is_some()) {
            leaving.asleep = None;
        }
        if let Some(asleep) = &mut self.threads[next].asleep {
            asleep.own = Some(Touched::default());
        }
    }
}
