//! Who owns what when a method has returned: the caller its objects, unless the method may
//! free or keep them; and nobody what cannot be reached any more, which is a leak.

use super::lazy::{LazyObjects, objects};
use super::{Calls, Meaning, Role, Staged, calls};
use machine::{ErrorKind, Halt, Machine, Region, State, error};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use term::{Store, Term};

impl Staged<'_> {
    /// Leaves out the invariants of arguments that are no longer the caller's: those that the
    /// method has freed, if it may, and those that it may keep.
    pub(super) fn forget_given_away(
        &self,
        machine: &Machine<'_>,
        state: &mut State,
    ) -> Result<(), Halt> {
        if self.staging.trust_method {
            return Ok(());
        }
        for argument in 0..self.staging.arguments.len() {
            let root = objects(state).of_argument(argument).next();
            let address = root.map(|root| objects(state).address(root));
            let id = address.map(|address| state.memory.id_of(address));
            let is_freed = id.is_some_and(|id| state.memory.object(id).is_none());
            if is_freed && !self.staging.frees {
                let method = self.method_name(machine.program);
                let object = &self.staging.arguments[argument].type_name;
                let message = format!(
                    "{method} frees the {object} that it is given, and nobody said that it may"
                );
                return error(ErrorKind::Invariant, message);
            }
            let is_it = |meaning: &Meaning| meaning.role == Role::Ensured(argument);
            let at = calls(state).upcoming.iter().position(is_it);
            if let Some(at) = at.filter(|_| is_freed || self.staging.may_keep(argument)) {
                Rc::make_mut(&mut state.marks.get_mut::<Calls>().upcoming).remove(at);
                Rc::make_mut(&mut state.upcoming).remove(at);
            }
        }
        Ok(())
    }
}

impl super::Staging {
    /// Whether the invariant of an argument has to hold when the method has returned, unless the
    /// method may keep or free it.
    pub fn ensures(&self, argument: usize) -> bool {
        let is_left = self.ends && argument == 0;
        !self.trust_method && !is_left
    }

    /// Whether an argument may be the method's own when it has returned.
    pub fn may_keep(&self, argument: usize) -> bool {
        self.keeps && argument > 0
    }
}

/// Where the objects begin that can be reached from what the caller has: the arguments, the
/// result, the memory that other parameters point to, and the program's variables.
pub(super) fn reachable(machine: &mut Machine<'_>, state: &State) -> FxHashSet<u64> {
    let mut memory = state.memory.clone();
    let lazy = state.marks.get::<LazyObjects>();
    let lazy = lazy.cloned().unwrap_or_default();
    let roots = lazy
        .objects
        .iter()
        .take(lazy.arguments())
        .map(|it| it.address);
    let mut waiting: Vec<u64> = roots.chain(lazy.copies.iter().copied()).collect();
    if let Some(calls) = state.marks.get::<Calls>() {
        waiting.extend(calls.memories.iter().map(|it| it.address));
        if let Some(result) = calls.result {
            // What depends on inputs may be of any width.
            waiting.extend(result.as_word());
            if let Some(result) = result.as_term() {
                constants(&machine.store, result, &mut waiting);
            }
        }
    }
    for id in memory.living(0, u64::MAX) {
        let object = memory.object(id);
        let variable = object.filter(|it| it.region == Region::Global);
        waiting.extend(variable.map(|it| it.base));
    }
    let mut found = FxHashSet::default();
    while let Some(address) = waiting.pop() {
        let id = memory.id_of(address);
        let Some(object) = memory.object(id) else {
            continue;
        };
        if !found.insert(object.base) {
            continue;
        }
        let size = object.size as usize;
        for start in (0..size.saturating_sub(7)).step_by(8) {
            let bytes = super::graphs::object_bytes(&mut machine.store, object, start, 8);
            let word = bytes.into_iter();
            let word = word.reduce(|low, high| machine.store.concat(high, low));
            let word = word.expect("a word has eight bytes");
            match lazy.decided.get(&word) {
                Some(&decided) => waiting.push(decided),
                None => constants(&machine.store, word, &mut waiting),
            }
        }
    }
    found
}

/// Adds the constants in a term, each of which may be the address that it is.
fn constants(store: &Store, term: Term, found: &mut Vec<u64>) {
    let mut waiting = vec![term];
    let mut met = FxHashSet::default();
    while let Some(term) = waiting.pop() {
        match store.as_word(term) {
            Some(0) => {}
            Some(word) => found.push(word),
            None if met.insert(term) => waiting.extend(store.args(term)),
            None => {}
        }
    }
}
