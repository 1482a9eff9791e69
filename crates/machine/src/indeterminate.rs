//! Values that nothing determines, and behaviour that comes to depend on them.
//!
//! When asked to look, the machine fills new locals and allocations with variables that
//! are no inputs. In code that a compiler has optimised the result of a shift by too
//! much is such a variable as well, LLVM's poison: the optimiser computes ahead what it
//! then does not use. Copying such a value around is no error: structs have padding,
//! and a bit-field is written by reading its neighbours. It is one when what the program
//! does depends on it: a branch, an address, output, the exit status.
//!
//! That a variable occurs in a term does not mean that the term's value depends on it.
//! So the solver is asked for two values of the variables that make a difference, and
//! the error is that of the inputs for which these two do.

use crate::machine::Machine;
use crate::outcome::{End, ErrorKind, Halt};
use crate::state::State;
use crate::value::{Indeterminate, Value};
use mixed::Effort;
use mixed::solver::Answer;
use rustc_hash::FxHashMap;
use term::{Assignment, Sort, Term, Variable};

/// After how many bytes the variables repeat: more than a number has, so that
/// none of its bytes looks equal to another.
const PERIOD: usize = 16;

impl Machine<'_> {
    /// Leaves a new object with contents that nothing was written to.
    pub(crate) fn leave_uninitialised(&mut self, state: &mut State, address: u64) {
        if !self.options.uninitialised {
            return;
        }
        let bytes: Vec<Term> = (0..PERIOD)
            .map(|_| self.undetermined(Indeterminate::Memory, 8))
            .collect();
        let id = state.memory.id_of(address);
        if let Some(object) = state.memory.object_mut(id) {
            object.fill(&bytes);
        }
    }

    /// A value of this width that could be any.
    pub(crate) fn undetermined(&mut self, origin: Indeterminate, width: u16) -> Term {
        let name = format!("indeterminate#{}", self.indeterminate.len());
        let value = self.store.var(&name, Sort::Bv(width));
        let variable = self.store.as_variable(value).expect("it was made as one");
        self.indeterminate.insert(variable, origin);
        value
    }

    /// Ends the path where `what` depends on a value that nothing determines.
    pub(crate) fn must_be_determined(
        &mut self,
        state: &mut State,
        value: Value,
        what: &str,
    ) -> Result<(), Halt> {
        match value.as_term() {
            Some(term) => self.must_be_determined_term(state, term, what),
            None => Ok(()),
        }
    }

    /// The same of a term.
    pub(crate) fn must_be_determined_term(
        &mut self,
        state: &mut State,
        term: Term,
        what: &str,
    ) -> Result<(), Halt> {
        if self.indeterminate.is_empty() {
            return Ok(());
        }
        let variables = term::free_variables(&self.store, &[term]);
        let mut undetermined: Vec<(Variable, Indeterminate)> = variables
            .into_iter()
            .filter_map(|variable| Some((variable, *self.indeterminate.get(&variable)?)))
            .collect();
        // The order of terms is another in another process.
        undetermined.sort_by_key(|&(variable, _)| self.store.variable_name(variable).to_owned());
        let Some(&(_, origin)) = undetermined.first() else {
            return Ok(());
        };
        let (kind, message) = match origin {
            Indeterminate::Memory => (
                ErrorKind::Uninitialised,
                format!("{what} depends on memory that nothing was written to"),
            ),
            Indeterminate::Shift(width) => (
                ErrorKind::Shift,
                format!("{what} depends on a shift of a {width}-bit number by {width} or more"),
            ),
        };
        let copies: Vec<(Term, Term)> = undetermined
            .iter()
            .map(|&(variable, _)| {
                let copy = format!("{}'", self.store.variable_name(variable));
                let sort = self.store.variable_sort(variable);
                (
                    self.store.variable_term(variable),
                    self.store.var(&copy, sort),
                )
            })
            .collect();
        let by_copy: FxHashMap<Term, Term> = copies.iter().copied().collect();
        let other = term::substitute(&mut self.store, &[term], &by_copy)[0];
        let same = self.store.eq(term, other);
        let differs = self.store.not(same);
        // Inputs for which the two values found make no difference may have others that
        // do; each round leaves fewer of them.
        loop {
            let model = match self.ask(state, differs, Effort::Full) {
                Answer::Sat(model) => model,
                Answer::Unsat(_) => return Ok(()),
                Answer::Unknown(_) => return Err(Halt::End(End::Unknown)),
            };
            let mut with = |chosen: fn(Term, Term) -> Term| {
                let values = copies.iter().map(|&(variable, copy)| {
                    let value = self.value_in(state, &model, chosen(variable, copy));
                    (variable, value)
                });
                let values: FxHashMap<Term, Term> = values.collect();
                term::substitute(&mut self.store, &[term], &values)[0]
            };
            let (one, two) = (with(|own, _| own), with(|_, copy| copy));
            let equal = self.store.eq(one, two);
            self.require(state, equal, kind, &message)?;
        }
    }

    /// The value of indeterminate bits in a model, as a constant.
    fn value_in(&mut self, state: &mut State, model: &Assignment, term: Term) -> Term {
        let width = self.store.width(term);
        let mut bits: Option<Term> = None;
        // Words are what a path remembers.
        for low in (0..width).step_by(64) {
            let part = self.store.extract(term, low, 64.min(width - low));
            let word = state.recall_word().unwrap_or_else(|| {
                let word = self.mixed.under(&self.store, model).word(part);
                state.record_word(word);
                word
            });
            let part = self.store.bv(64.min(width - low), word);
            bits = Some(bits.map_or(part, |low| self.store.concat(part, low)));
        }
        bits.expect("a number has bits")
    }
}
