//! Which of Z3's procedures get a query, and in which order.
//!
//! Z3's own choice (`Z3_mk_solver`) spends ten milliseconds on the simplest of
//! queries. Its general procedure, `smt`, answers those in a quarter of one
//! and wins on many harder ones too, but where a search gets long the
//! specialised procedures win by far. So `smt` gets a bounded number of
//! conflicts first, and what it leaves open goes to the specialist. Arithmetic
//! on floats goes there at once, because `smt` takes long before its first
//! conflict, and so do products of numbers, on which `smt` counts no steps.

use super::context::Context;
use super::translate::Theories;
use rustc_hash::FxHashMap;
use std::ffi::CStr;
use z3_sys::*;

/// One of Z3's procedures, by the name it has there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Procedure {
    name: &'static CStr,
    /// Conflicts after which it gives up.
    conflicts: Option<u32>,
}

const BOUNDED_SMT: Procedure = Procedure {
    name: c"smt",
    conflicts: Some(200),
};

/// The procedures to try on a query of these theories.
pub(super) fn procedures(theories: Theories) -> &'static [Procedure] {
    let arrays = Theories::ARRAYS.and(Theories::FUNCTIONS);
    let numbers = Theories::NUMBERS.and(Theories::FUNCTIONS);
    let comparisons = arrays.and(Theories::FLOATS);
    if theories == Theories::default() {
        const { &[BOUNDED_SMT, unbounded(c"qfbv")] }
    } else if theories.within(arrays) {
        const { &[BOUNDED_SMT, unbounded(c"qfaufbv")] }
    } else if theories.within(comparisons) {
        const { &[BOUNDED_SMT, unbounded(c"qffpbv")] }
    } else if theories.within(comparisons.and(Theories::ROUNDING)) {
        const { &[unbounded(c"qffpbv")] }
    } else if theories.within(numbers) {
        const { &[BOUNDED_SMT, unbounded(c"default")] }
    } else if theories.within(numbers.and(Theories::PRODUCTS)) {
        const { &[unbounded(c"default")] }
    } else {
        const { &[unbounded(c"smt")] }
    }
}

const fn unbounded(name: &'static CStr) -> Procedure {
    Procedure {
        name,
        conflicts: None,
    }
}

/// The procedures made so far in one context, each once: making one costs more
/// than a simple query.
#[derive(Default)]
pub(super) struct Workshop(FxHashMap<Procedure, Z3_tactic>);

impl Workshop {
    /// A new solver that runs the procedure.
    pub fn solver(&mut self, context: &Context, procedure: Procedure) -> Option<Z3_solver> {
        let made = self.0.entry(procedure);
        let tactic = *made.or_insert_with(|| procedure.make(context));
        // SAFETY: the context is alive, and so is the procedure, which it owns.
        unsafe { Z3_mk_solver_from_tactic(context.raw(), tactic) }
    }
}

impl Procedure {
    fn make(self, context: &Context) -> Z3_tactic {
        let c = context.raw();
        // SAFETY: the context is alive; the names are constants; the parameters
        // are held until they are taken over.
        unsafe {
            let tactic = hold(context, Z3_mk_tactic(c, self.name.as_ptr()));
            let Some(conflicts) = self.conflicts else {
                return tactic;
            };
            let parameters = Z3_mk_params(c).expect("Z3 makes parameters");
            Z3_params_inc_ref(c, parameters);
            let name = c"max_conflicts".as_ptr();
            let name = Z3_mk_string_symbol(c, name).expect("a name is a symbol");
            Z3_params_set_uint(c, parameters, name, conflicts);
            let bounded = hold(context, Z3_tactic_using_params(c, tactic, parameters));
            Z3_params_dec_ref(c, parameters);
            bounded
        }
    }
}

/// The procedure just made, which now lives as long as the context.
fn hold(context: &Context, made: Option<Z3_tactic>) -> Z3_tactic {
    let made = made.unwrap_or_else(|| panic!("Z3 lacks a procedure: {}", context.error()));
    // SAFETY: it was made in this context by the call before this one.
    unsafe { Z3_tactic_inc_ref(context.raw(), made) };
    made
}
