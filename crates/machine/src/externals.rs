//! The external functions of a program, and which of its functions those are.

use mixed::oracle::Pattern;
use program::Kind;
use std::cell::Cell;
use std::rc::Rc;
use term::Function;

/// Which functions are external.
#[derive(Clone, Debug)]
pub struct ExternalOptions {
    /// Run concretely, though they may have a body.
    pub concrete: Vec<Pattern>,
    /// Without effects, whatever is known of them.
    pub pure: Vec<Pattern>,
    /// Whether functions of the program itself can be external.
    pub own: bool,
}

impl Default for ExternalOptions {
    fn default() -> ExternalOptions {
        ExternalOptions {
            concrete: Vec::new(),
            pure: Vec::new(),
            own: true,
        }
    }
}

impl ExternalOptions {
    /// What the user named.
    pub fn named(&self) -> Vec<Pattern> {
        self.concrete.iter().chain(&self.pure).cloned().collect()
    }

    /// Whether the user wrote out the function's name.
    pub(crate) fn has_in_full(&self, name: &str) -> bool {
        let mut patterns = self.concrete.iter().chain(&self.pure);
        patterns.any(|pattern| !pattern.has_wildcards() && pattern.matches(name))
    }
}

/// The external functions of a program, by number.
#[derive(Default)]
pub(crate) struct Externals {
    pub(crate) by_number: Vec<Option<Rc<External>>>,
}

/// An external function.
pub(crate) struct External {
    pub(crate) name: String,
    /// The function of terms; none for one that takes pointers or gives nothing.
    pub(crate) term: Option<Function>,
    pub(crate) parameters: Vec<Kind>,
    pub(crate) result: Option<Kind>,
    pub(crate) effects: Effects,
}

/// Whether a function does more than give a result.
pub(crate) enum Effects {
    None,
    /// It does; the user is to hear of the first call.
    Known {
        told: Cell<bool>,
    },
}

impl External {
    pub(crate) fn has_effects(&self) -> bool {
        matches!(self.effects, Effects::Known { .. })
    }
}
