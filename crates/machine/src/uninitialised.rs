//! Memory that nothing was written to, and what depends on it.
//!
//! When asked to look, the machine fills new locals and allocations with a
//! variable that is no input. Copying it around is no error: structs have
//! padding, and a bit-field is written by reading its neighbours. It is one when
//! the program's behaviour comes to depend on it: a branch, an address, output,
//! the exit status.

use crate::machine::Machine;
use crate::memory::id_of;
use crate::outcome::{ErrorKind, Halt, error};
use crate::state::State;
use crate::value::Value;
use term::{Sort, Term};

/// After how many bytes the variables repeat: more than a number has, so that
/// none of its bytes looks equal to another.
const PERIOD: usize = 16;

impl Machine<'_> {
    /// Leaves a new object with contents that nothing was written to.
    pub(crate) fn leave_uninitialised(&mut self, state: &mut State, address: u64) {
        if !self.options.uninitialised {
            return;
        }
        let bytes: Vec<Term> = (0..PERIOD).map(|_| self.unwritten_byte()).collect();
        if let Some(object) = state.memory.object_mut(id_of(address) as u32) {
            object.fill(&bytes);
        }
    }

    fn unwritten_byte(&mut self) -> Term {
        let number = self.uninitialised.len();
        let name = format!("uninitialised#{number}");
        let byte = self.store.var(&name, Sort::Bv(8));
        let variable = self.store.as_variable(byte).expect("it was made as one");
        self.uninitialised.insert(variable);
        byte
    }

    /// Ends the path where `what` depends on memory that nothing was written to.
    pub(crate) fn must_be_initialised(&self, value: Value, what: &str) -> Result<(), Halt> {
        match value.as_term() {
            Some(term) => self.must_be_initialised_term(term, what),
            None => Ok(()),
        }
    }

    /// The same of a term.
    pub(crate) fn must_be_initialised_term(&self, term: Term, what: &str) -> Result<(), Halt> {
        if self.uninitialised.is_empty() {
            return Ok(());
        }
        let variables = term::free_variables(&self.store, &[term]);
        let is_uninitialised = |variable| self.uninitialised.contains(variable);
        if variables.iter().any(is_uninitialised) {
            return error(
                ErrorKind::Uninitialised,
                format!("{what} depends on memory that nothing was written to"),
            );
        }
        Ok(())
    }
}
