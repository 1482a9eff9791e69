//! Calls of external functions whose results are terms.

use std::rc::Rc;
use term::Term;

/// The function, its arguments and its result.
#[derive(Clone, Debug)]
pub(crate) struct Applied {
    pub(crate) function: Rc<str>,
    pub(crate) terms: Rc<[Term]>,
    pub(crate) result: Term,
}
