//! Answers remembered, in the three ways in which an old answer can settle a
//! new query.
//!
//! The very same set of constraints gets its old answer. A set that includes
//! constraints known to exclude each other cannot hold. And a set about
//! variables for which an assignment was found lately may be satisfied by that
//! assignment too, which evaluation tells.
//!
//! (KLEE has these three as its counterexample cache: Cadar, Dunbar and Engler, OSDI
//! 2008.)

use crate::slices::Slot;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{Assignment, Term};

/// A remembered answer.
#[derive(Clone)]
pub(crate) enum Known {
    Sat(Rc<Assignment>),
    Unsat(Rc<[Term]>),
}

/// Queries remembered before the memory of exact answers starts anew.
const MOST_EXACT: usize = 1 << 18;
/// Contradictions remembered before their memory starts anew.
const MOST_CORES: usize = 1 << 16;
/// Assignments remembered for each slot.
const RECENT: usize = 12;
/// Contradictions that are kept for others; the shortest are met again most.
const MOST_FOUND: usize = 64;
/// Contradictions longer than this are not looked for in other queries.
const LONGEST_CORE: usize = 64;

#[derive(Default)]
pub(crate) struct Cache {
    exact: FxHashMap<Box<[Term]>, Known>,
    /// By the newest of their constraints.
    cores: FxHashMap<Term, Vec<Rc<[Term]>>>,
    core_count: usize,
    /// Contradictions that took a backend to find, until somebody asks for them.
    found: Vec<Rc<[Term]>>,
    recent: FxHashMap<Slot, Recent>,
}

/// The last few assignments about a slot, newest first once turned.
#[derive(Default)]
struct Recent {
    models: Vec<Rc<Assignment>>,
    next: usize,
}

impl Cache {
    /// The answer to exactly this query (sorted, without repetitions).
    pub fn exact(&self, query: &[Term]) -> Option<&Known> {
        self.exact.get(query)
    }

    /// Constraints of the query (sorted) that are known to exclude each other.
    pub fn core_within(&self, query: &[Term]) -> Option<&Rc<[Term]>> {
        if self.core_count == 0 {
            return None;
        }
        let within = |core: &&Rc<[Term]>| core.iter().all(|t| query.binary_search(t).is_ok());
        query
            .iter()
            .filter_map(|newest| self.cores.get(newest))
            .flatten()
            .find(within)
    }

    /// Assignments found lately about any of the slots, each once, the newest
    /// of each slot first.
    pub fn recent(&self, slots: &[Slot]) -> Vec<Rc<Assignment>> {
        let mut found: Vec<Rc<Assignment>> = Vec::new();
        for recent in slots.iter().filter_map(|slot| self.recent.get(slot)) {
            let (after, before) = recent.models.split_at(recent.next.min(recent.models.len()));
            for model in after.iter().rev().chain(before.iter().rev()) {
                if found.len() < RECENT && !found.iter().any(|known| Rc::ptr_eq(known, model)) {
                    found.push(model.clone());
                }
            }
        }
        found
    }

    /// Remembers an assignment that satisfies the query, about these slots.
    pub fn learn_sat(&mut self, query: &[Term], slots: &[Slot], model: &Rc<Assignment>) {
        self.learn(query, Known::Sat(model.clone()));
        for &slot in slots {
            let recent = self.recent.entry(slot).or_default();
            if recent.models.len() < RECENT {
                recent.models.push(model.clone());
                recent.next = recent.models.len() % RECENT;
            } else {
                recent.models[recent.next] = model.clone();
                recent.next = (recent.next + 1) % RECENT;
            }
        }
    }

    /// Remembers that the core (sorted), part of the query, cannot hold.
    pub fn learn_unsat(&mut self, query: &[Term], core: &Rc<[Term]>) {
        self.learn(query, Known::Unsat(core.clone()));
        self.learn_core(core);
    }

    /// Keeps a contradiction for others.
    pub fn keep_found(&mut self, core: &Rc<[Term]>) {
        self.found.push(core.clone());
        if self.found.len() >= 2 * MOST_FOUND {
            self.shorten_found();
        }
    }

    /// What was kept for others since the last time, the shortest first.
    pub fn take_found(&mut self) -> Vec<Rc<[Term]>> {
        self.shorten_found();
        std::mem::take(&mut self.found)
    }

    fn shorten_found(&mut self) {
        self.found.sort_by_key(|core| core.len());
        self.found.truncate(MOST_FOUND);
    }

    /// Remembers that a core (sorted) cannot hold.
    pub fn learn_core(&mut self, core: &Rc<[Term]>) {
        let Some(&newest) = core.last() else {
            return;
        };
        if core.len() > LONGEST_CORE {
            return;
        }
        if self.core_count >= MOST_CORES {
            self.cores.clear();
            self.core_count = 0;
        }
        let cores = self.cores.entry(newest).or_default();
        if !cores.contains(core) {
            cores.push(core.clone());
            self.core_count += 1;
        }
    }

    fn learn(&mut self, query: &[Term], known: Known) {
        if self.exact.len() >= MOST_EXACT {
            self.exact.clear();
            self.recent.clear();
        }
        self.exact.insert(query.into(), known);
    }
}
