//! The two SAT solvers: `batsat` answers the many easy queries in a
//! long-lived instance, CaDiCaL the few on which it runs out of conflicts.

use super::cnf::Clauses;
use base::Stop;
use batsat::{Callbacks, ClauseKind, SolverInterface, lbool};
use std::cell::Cell;

/// What a search under assumptions found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    Sat,
    Unsat,
    Budget,
    Stopped,
}

/// An incremental SAT solver.
pub(crate) trait Search: Clauses {
    /// The name that events use.
    const NAME: &str;
    /// Searches for an assignment with these literals true, for at most
    /// `conflicts` conflicts and until `stop` is set.
    fn search(&mut self, assumptions: &[i32], conflicts: u64, stop: &Stop) -> Found;
    /// The literal's value in the assignment just found.
    fn value(&self, lit: i32) -> bool;
    /// Whether the assumption was needed for the contradiction just found.
    fn failed(&self, assumption: i32) -> bool;
}

/// `batsat` with a conflict budget.
pub(crate) struct Batsat {
    solver: batsat::Solver<Budget>,
    clause: Vec<batsat::Lit>,
}

/// Counts conflicts, and looks at the stop token now and then.
#[derive(Default)]
struct Budget {
    left: u64,
    stop: Stop,
    calls: Cell<u32>,
    stopped: Cell<bool>,
}

impl Callbacks for Budget {
    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: ClauseKind) {
        if matches!(kind, ClauseKind::Learnt) {
            self.left = self.left.saturating_sub(1);
        }
    }

    fn stop(&self) -> bool {
        // `batsat` calls this before every decision. Propagating one takes from
        // below a microsecond to milliseconds, by the size of the circuit.
        const LOOK_EVERY: u32 = 16;
        let calls = self.calls.get().wrapping_add(1);
        self.calls.set(calls);
        if calls.is_multiple_of(LOOK_EVERY) && self.stop.is_set() {
            self.stopped.set(true);
        }
        self.left == 0 || self.stopped.get()
    }
}

impl Default for Batsat {
    fn default() -> Batsat {
        Batsat {
            solver: batsat::Solver::new(batsat::SolverOpts::default(), Budget::default()),
            clause: Vec::new(),
        }
    }
}

impl Batsat {
    fn lit(&mut self, lit: i32) -> batsat::Lit {
        let variable = self.solver.var_of_int(lit.unsigned_abs() - 1);
        batsat::Lit::new(variable, lit > 0)
    }

    fn lit_of(lit: i32) -> batsat::Lit {
        batsat::Lit::new(
            batsat::Var::unsafe_from_idx(lit.unsigned_abs() - 1),
            lit > 0,
        )
    }
}

impl Clauses for Batsat {
    fn add(&mut self, clause: &[i32]) {
        let mut lits = std::mem::take(&mut self.clause);
        lits.clear();
        for &lit in clause {
            lits.push(self.lit(lit));
        }
        self.solver.add_clause_reuse(&mut lits);
        self.clause = lits;
    }
}

impl Search for Batsat {
    const NAME: &str = "batsat";

    fn search(&mut self, assumptions: &[i32], conflicts: u64, stop: &Stop) -> Found {
        let lits: Vec<_> = assumptions.iter().map(|&lit| self.lit(lit)).collect();
        *self.solver.cb_mut() = Budget {
            left: conflicts.max(1),
            stop: stop.clone(),
            ..Budget::default()
        };
        let answer = self.solver.solve_limited(&lits);
        if answer == lbool::TRUE {
            Found::Sat
        } else if answer == lbool::FALSE {
            Found::Unsat
        } else if self.solver.cb().stopped.get() {
            Found::Stopped
        } else {
            Found::Budget
        }
    }

    fn value(&self, lit: i32) -> bool {
        // A variable that no clause mentions has no value; it counts as false.
        let truth = self.solver.value_lit(Batsat::lit_of(lit.abs())) == lbool::TRUE;
        truth == (lit > 0)
    }

    fn failed(&self, assumption: i32) -> bool {
        // The solver reports the clause of negated assumptions it derived.
        self.solver
            .unsat_core_contains_lit(!Batsat::lit_of(assumption))
    }
}

/// CaDiCaL.
#[derive(Default)]
pub(crate) struct Cadical {
    solver: cadical::Solver<Watch>,
}

struct Watch(Stop);

impl cadical::Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.0.is_set()
    }
}

impl Clauses for Cadical {
    fn add(&mut self, clause: &[i32]) {
        self.solver.add_clause(clause.iter().copied());
    }
}

impl Search for Cadical {
    const NAME: &str = "cadical";

    fn search(&mut self, assumptions: &[i32], conflicts: u64, stop: &Stop) -> Found {
        self.solver.set_callbacks(Some(Watch(stop.clone())));
        self.solver
            .set_limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX))
            .expect("CaDiCaL knows the limit on conflicts");
        match self.solver.solve_with(assumptions.iter().copied()) {
            Some(true) => Found::Sat,
            Some(false) => Found::Unsat,
            None if stop.is_set() => Found::Stopped,
            None => Found::Budget,
        }
    }

    fn value(&self, lit: i32) -> bool {
        // The crate's answer is only right for positive literals.
        self.solver.value(lit.abs()).unwrap_or(false) == (lit > 0)
    }

    fn failed(&self, assumption: i32) -> bool {
        self.solver.failed(assumption)
    }
}
