//! Data races, by vector clocks.
//!
//! Two accesses of one byte by two threads, one of them a write and not both atomic, are
//! a race unless one *happens before* the other: a chain of creations, unlocks and locks,
//! signals, ends and joins leads from it to the other. The clock of a thread counts, for
//! each thread, how much of what that thread did comes before (Lamport; FastTrack by
//! Flanagan and Freund, PLDI 2009). Whether a race shows does not depend on who was
//! quicker, so that one schedule finds what another would.
//!
//! Which bytes an access touches may be for the input to say. Such an access is noted with
//! the term of its offset, beside the bytes: what it conflicts with is a race on the inputs
//! on which the two overlap.

use super::{ThreadId, Threads};
use crate::memory::{ObjectId, Radix};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;
use term::Term;

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
    objects: Radix<Rc<InObject>>,
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

/// The accesses of one object.
#[derive(Clone, Default)]
struct InObject {
    bytes: FxHashMap<u32, Accesses>,
    /// Those of which the input says where they are, and whether they are writes.
    somewhere: Vec<(Event, Bytes, bool)>,
}

/// The last accesses of one byte.
#[derive(Clone, Default)]
struct Accesses {
    write: Option<Event>,
    /// Since the last write, one a thread.
    reads: Vec<Event>,
}

/// An access that was noted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Event {
    pub thread: ThreadId,
    at: u32,
    /// The function and the instruction.
    pub place: (u32, u32),
    is_atomic: bool,
}

/// Bytes of an object.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Bytes {
    These(Range<u64>),
    /// So many, from an offset that the input decides.
    From(Term, u64),
}

/// An earlier access that races with one if their bytes overlap.
pub(crate) struct Conflict {
    pub with: Event,
    pub bytes: Bytes,
}

/// An access by the running thread.
pub(crate) struct Use {
    pub object: ObjectId,
    pub bytes: Bytes,
    pub is_write: bool,
    pub is_atomic: bool,
    /// The function and the instruction.
    pub place: (u32, u32),
}

impl Threads {
    /// The earlier accesses that an access races with, if it overlaps them.
    pub fn conflicts(&mut self, by: &Use) -> Vec<Conflict> {
        let clock = self.current().clock.clone();
        let event = self.event(by);
        let mut conflicts = Vec::new();
        let Some(known) = self.races.objects.get(by.object) else {
            return conflicts;
        };
        let mut add = |with: Event, at: u64| match conflicts.last_mut() {
            Some(Conflict {
                with: last,
                bytes: Bytes::These(bytes),
            }) if *last == with && bytes.end == at => bytes.end += 1,
            _ => conflicts.push(Conflict {
                with,
                bytes: Bytes::These(at..at + 1),
            }),
        };
        match &by.bytes {
            Bytes::These(bytes) => {
                for at in bytes.clone() {
                    let byte = known.bytes.get(&(at as u32));
                    let with = byte.and_then(|byte| byte.conflict(&event, by.is_write, &clock));
                    with.into_iter().for_each(|with| add(with, at));
                }
            }
            Bytes::From(..) => {
                let byte = |(&at, byte): (&u32, &Accesses)| {
                    let with = byte.conflict(&event, by.is_write, &clock)?;
                    Some((at, with))
                };
                let mut found: Vec<_> = known.bytes.iter().filter_map(byte).collect();
                found.sort_unstable_by_key(|&(at, _)| at);
                found
                    .into_iter()
                    .for_each(|(at, with)| add(with, at.into()));
            }
        }
        for (with, bytes, is_write) in &known.somewhere {
            if (*is_write || by.is_write) && event.races_with(with, &clock) {
                conflicts.push(Conflict {
                    with: *with,
                    bytes: bytes.clone(),
                });
            }
        }
        conflicts
    }

    /// Notes an access.
    pub fn note(&mut self, by: Use) {
        let event = self.event(&by);
        let known = self.races.object(by.object);
        match by.bytes {
            Bytes::These(bytes) => {
                for at in bytes {
                    let byte = known.bytes.entry(at as u32).or_default();
                    byte.note(event, by.is_write);
                }
            }
            bytes @ Bytes::From(..) => {
                // The latest of a thread's equal accesses conflicts with all that others do.
                let is_same = |(earlier, at, is_write): &(Event, Bytes, bool)| {
                    (earlier.thread, earlier.is_atomic, *is_write, at)
                        == (event.thread, event.is_atomic, by.is_write, &bytes)
                };
                known.somewhere.retain(|earlier| !is_same(earlier));
                known.somewhere.push((event, bytes, by.is_write));
            }
        }
    }

    fn event(&mut self, by: &Use) -> Event {
        let thread = self.running();
        Event {
            thread,
            at: self.current().clock.of(thread),
            place: by.place,
            is_atomic: by.is_atomic,
        }
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
    fn object(&mut self, id: ObjectId) -> &mut InObject {
        if self.objects.get(id).is_none() {
            self.objects.replace(id, Some(Rc::default()));
        }
        Rc::make_mut(self.objects.get_mut(id).expect("it was just put there"))
    }
}

impl Event {
    /// Whether nothing orders this access, at the clock of its thread, after an earlier one.
    fn races_with(&self, earlier: &Event, clock: &Clock) -> bool {
        earlier.thread != self.thread
            && !(earlier.is_atomic && self.is_atomic)
            && earlier.at > clock.of(earlier.thread)
    }
}

impl Accesses {
    /// An earlier access that races with this one.
    fn conflict(&self, event: &Event, is_write: bool, clock: &Clock) -> Option<Event> {
        let races = |earlier: &&Event| event.races_with(earlier, clock);
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
