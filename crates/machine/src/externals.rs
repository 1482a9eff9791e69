//! The functions of a program that are not followed, and how each is called instead.

use crate::applied::Applied;
use crate::state::State;
use mixed::oracle::Pattern;
use program::Kind;
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use term::{Function, Value};

/// Which functions are not followed.
#[derive(Clone, Debug)]
pub struct ExternalOptions {
    /// Run concretely, though they may have a body.
    pub concrete: Vec<Pattern>,
    /// Without effects, whatever is known of them.
    pub pure: Vec<Pattern>,
    /// What functions without a body give, and what variables that nothing defines hold at
    /// the start, by name.
    pub stubs: BTreeMap<String, Stub>,
    /// Whether functions of the program itself can be external.
    pub own: bool,
}

impl Default for ExternalOptions {
    fn default() -> ExternalOptions {
        ExternalOptions {
            concrete: Vec::new(),
            pure: Vec::new(),
            stubs: BTreeMap::new(),
            own: true,
        }
    }
}

impl ExternalOptions {
    /// What the user named.
    pub fn named(&self) -> Vec<Pattern> {
        let stubs = self.stubs.keys().cloned().map(Pattern::new);
        let patterns = self.concrete.iter().chain(&self.pure).cloned();
        patterns.chain(stubs).collect()
    }

    /// Whether the user wrote out the function's name.
    pub(crate) fn has_in_full(&self, name: &str) -> bool {
        let mut patterns = self.concrete.iter().chain(&self.pure);
        patterns.any(|pattern| !pattern.has_wildcards() && pattern.matches(name))
    }
}

/// What a function gives instead of being run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stub {
    /// A new input.
    Symbolic,
    /// Zero, or the null pointer.
    Zero,
    /// Minus one, or the null pointer.
    Fail,
    /// This number.
    Number(i64),
}

/// The external functions of a program, by number.
#[derive(Default)]
pub(crate) struct Externals {
    pub(crate) by_number: Vec<Option<Rc<External>>>,
}

/// An external function.
pub(crate) struct External {
    pub(crate) name: Rc<str>,
    pub(crate) parameters: Vec<Kind>,
    /// What messages call the parameters.
    pub(crate) names: Vec<String>,
    pub(crate) result: Option<Kind>,
    pub(crate) way: Way,
}

/// How an external function is called.
pub(crate) enum Way {
    /// It takes and gives numbers, the same for the same: a function of terms.
    Term {
        function: Function,
        /// Whether that is known. Else it was tried on a few arguments, and others may
        /// show that it keeps state, crashes or does not return.
        is_known: bool,
    },
    /// It takes pointers or gives nothing, and does no more than that: it is run with
    /// what the path's model has.
    Pure,
    /// It may keep state: it is run in the path's own order.
    InPlace {
        /// Whether the user has heard of it.
        told: Cell<bool>,
        /// Why it is not taken for a mathematical function.
        why: Rc<str>,
    },
    /// It is not run.
    Stub(Stub),
}

/// Calls with symbolic arguments, and where crashes of them were reported.
#[derive(Default)]
pub(crate) struct CallsMade {
    /// The states at the calls.
    pub(crate) calls: Vec<(State, Applied)>,
    /// By function and instruction, with the arguments.
    pub(crate) reported: FxHashSet<(u32, u32, Vec<Value>)>,
}
