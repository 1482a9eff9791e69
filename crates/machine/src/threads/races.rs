//! Data races, by vector clocks.
//!
//! Two accesses of one byte by two threads, one of them a write and not both atomic, are
//! a race unless one *happens before* the other: a chain of creations, unlocks and locks,
//! signals, ends and joins leads from it to the other. The clock of a thread counts, for
//! each thread, how much of what that thread did comes before (Lamport; FastTrack by
//! Flanagan and Freund, PLDI 2009). Whether a race shows does not depend on who was
//! quicker, so that one schedule finds what another would.

use super::{ThreadId, Threads};
use crate::memory::{ObjectId, Radix};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// How much of what each thread did comes before something.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Clock(Vec<u32>);

impl Clock {
    /// That of a program that begins.
    pub fn first() -> Clock {
        Clock(vec![1])
    }

    fn of(&self, thread: ThreadId) -> u32 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    /// From now on the thread does what is not before anything that is known.
    pub fn tick(&mut self, thread: ThreadId) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] += 1;
    }

    /// Comes after the other, too.
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (own, &other) in self.0.iter_mut().zip(&other.0) {
            *own = (*own).max(other);
        }
    }
}

/// The accesses of memory that may be one half of a race.
#[derive(Clone)]
pub(crate) struct Races {
    objects: Radix<Rc<FxHashMap<u32, Accesses>>>,
    /// What is before whoever acquires the place.
    released: Rc<FxHashMap<u64, Clock>>,
}

impl Default for Races {
    fn default() -> Races {
        Races {
            objects: Radix::new(),
            released: Rc::default(),
        }
    }
}

/// The last accesses of one byte.
#[derive(Clone, Default)]
struct Accesses {
    write: Option<Event>,
    /// Since the last write, one a thread.
    reads: Vec<Event>,
}

/// An access that was noted.
#[derive(Clone, Copy)]
pub(crate) struct Event {
    pub thread: ThreadId,
    at: u32,
    /// The function and the instruction.
    pub place: (u32, u32),
    is_atomic: bool,
}

/// An access by the running thread.
pub(crate) struct Use {
    pub object: ObjectId,
    pub bytes: Range<u64>,
    pub is_write: bool,
    pub is_atomic: bool,
    /// The function and the instruction.
    pub place: (u32, u32),
}

impl Threads {
    /// Notes an access, and gives an earlier one that it races with.
    pub fn access(&mut self, by: Use) -> Option<Event> {
        let thread = self.running();
        let clock = self.current().clock.clone();
        let event = Event {
            thread,
            at: clock.of(thread),
            place: by.place,
            is_atomic: by.is_atomic,
        };
        let mut race = None;
        let bytes = self.races.bytes(by.object);
        for at in by.bytes {
            let byte = bytes.entry(at as u32).or_default();
            race = race.or(byte.conflict(&event, by.is_write, &clock));
            byte.note(event, by.is_write);
        }
        race
    }

    /// The running thread comes after whoever released a place.
    pub fn acquire_place(&mut self, address: u64) {
        if let Some(clock) = self.races.released.get(&address).cloned() {
            self.acquire(&clock);
        }
    }

    /// The running thread comes after whoever released a place, once it meets a fence.
    pub fn see_place(&mut self, address: u64) {
        if let Some(clock) = self.races.released.get(&address).cloned() {
            self.current().seen.join(&clock);
        }
    }

    /// Whoever acquires the place comes after the running thread.
    pub fn release_place(&mut self, address: u64) {
        let mut clock = self.released(address);
        self.release(&mut clock);
        Rc::make_mut(&mut self.races.released).insert(address, clock);
    }

    /// Whoever acquires the place comes after the running thread's last releasing fence.
    pub fn release_fenced(&mut self, address: u64) {
        if let Some(fenced) = self.current().fenced.clone() {
            let mut clock = self.released(address);
            clock.join(&fenced);
            Rc::make_mut(&mut self.races.released).insert(address, clock);
        }
    }

    fn released(&self, address: u64) -> Clock {
        let known = self.races.released.get(&address);
        known.cloned().unwrap_or_default()
    }

    /// A fence of the running thread (C++20, [atomics.fences]).
    pub fn fence(&mut self, acquires: bool, releases: bool) {
        if acquires {
            let seen = self.current().seen.clone();
            self.acquire(&seen);
        }
        if releases {
            let mut clock = Clock::default();
            self.release(&mut clock);
            self.current().fenced = Some(clock);
        }
    }
}

impl Races {
    fn bytes(&mut self, id: ObjectId) -> &mut FxHashMap<u32, Accesses> {
        if self.objects.get(id).is_none() {
            self.objects.replace(id, Some(Rc::default()));
        }
        Rc::make_mut(self.objects.get_mut(id).expect("it was just put there"))
    }
}

impl Accesses {
    /// An earlier access that races with this one.
    fn conflict(&self, event: &Event, is_write: bool, clock: &Clock) -> Option<Event> {
        let races = |earlier: &&Event| {
            earlier.thread != event.thread
                && !(earlier.is_atomic && event.is_atomic)
                && earlier.at > clock.of(earlier.thread)
        };
        let write = self.write.iter().find(races);
        let read = self.reads.iter().filter(|_| is_write).find(races);
        write.or(read).copied()
    }

    fn note(&mut self, event: Event, is_write: bool) {
        if is_write {
            self.write = Some(event);
            self.reads.clear();
        } else {
            self.reads.retain(|read| read.thread != event.thread);
            self.reads.push(event);
        }
    }
}
