//! One of Z3's solvers, and one query put to it.

use super::context::{Context, text};
use crate::backend::{Limits, Reason};
use std::ffi::CStr;
use term::Term;
use z3_sys::*;

/// A solver and what it was told.
pub(super) struct Solver {
    context: Context,
    raw: Z3_solver,
    /// Literals that stand for the constraints by position, where cores are wanted.
    trackers: Option<Vec<Z3_ast>>,
    /// Whether each constraint has a scope of its own.
    scoped: bool,
    /// The constraints the solver was told, in order.
    told: Vec<Term>,
    /// The steps it may take, zero for any number; none before it was told.
    steps: Option<u32>,
}

/// What Z3 answered.
pub(super) enum Outcome {
    Sat(Found),
    Unsat(Vec<Term>),
    Unknown(Reason),
}

/// A model that outlives the solver which found it.
pub(super) struct Found {
    context: Context,
    raw: Z3_model,
}

impl Found {
    /// The model as Z3's functions take it.
    pub fn raw(&self) -> Z3_model {
        self.raw
    }
}

impl Drop for Found {
    fn drop(&mut self) {
        // SAFETY: the reference taken in `Solver::model`, of a context that is alive.
        unsafe { Z3_model_dec_ref(self.context.raw(), self.raw) }
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        // SAFETY: the reference taken in `new`, of a context that is alive.
        unsafe { Z3_solver_dec_ref(self.context.raw(), self.raw) }
    }
}

impl Solver {
    /// A solver for one query.
    pub fn passing(context: &Context, made: Option<Z3_solver>) -> Solver {
        Solver::new(context, made, false, false)
    }

    /// A solver for one query that finds out which constraints it needs.
    pub fn explaining(context: &Context) -> Solver {
        Solver::new(context, simple(context), true, false)
    }

    /// A solver for one query after another.
    pub fn standing(context: &Context, cores: bool) -> Solver {
        Solver::new(context, simple(context), cores, true)
    }

    fn new(context: &Context, made: Option<Z3_solver>, cores: bool, scoped: bool) -> Solver {
        let raw = made.unwrap_or_else(|| panic!("Z3 makes no solver: {}", context.error()));
        // SAFETY: the solver was made in this context by the call before this one.
        unsafe { Z3_solver_inc_ref(context.raw(), raw) };
        Solver {
            context: context.clone(),
            raw,
            trackers: cores.then(Vec::new),
            scoped,
            told: Vec::new(),
            steps: None,
        }
    }

    /// Whether the constraints, which Z3 has as `asts`, can all hold.
    pub fn check(&mut self, constraints: &[Term], asts: &[Z3_ast], limits: &Limits) -> Outcome {
        self.limit(limits);
        self.tell(constraints, asts);
        // SAFETY: the context and the solver are alive.
        let answer = unsafe { Z3_solver_check(self.context.raw(), self.raw) };
        match answer {
            Z3_L_TRUE => match self.model() {
                Some(model) => Outcome::Sat(model),
                None => Outcome::Unknown(Reason::GaveUp("there is no model".into())),
            },
            Z3_L_FALSE => Outcome::Unsat(self.core()),
            _ => Outcome::Unknown(self.reason(limits)),
        }
    }

    /// Makes the solver know exactly these constraints: what follows the common
    /// prefix is taken back, the rest is told.
    fn tell(&mut self, constraints: &[Term], asts: &[Z3_ast]) {
        let pairs = self.told.iter().zip(constraints);
        let common = pairs.take_while(|(old, new)| old == new).count();
        let c = self.context.raw();
        if self.told.len() > common {
            debug_assert!(self.scoped, "a passing solver gets one query");
            // SAFETY: the context and the solver are alive and have as many scopes.
            unsafe { Z3_solver_pop(c, self.raw, (self.told.len() - common) as u32) };
            self.told.truncate(common);
        }
        for (&constraint, &ast) in constraints.iter().zip(asts).skip(common) {
            let tracker = self.tracker();
            // SAFETY: the context, the solver and the terms are alive.
            unsafe {
                if self.scoped {
                    Z3_solver_push(c, self.raw);
                }
                match tracker {
                    Some(tracker) => Z3_solver_assert_and_track(c, self.raw, ast, tracker),
                    None => Z3_solver_assert(c, self.raw, ast),
                }
            }
            self.told.push(constraint);
        }
    }

    /// The literal of the constraint told next, where cores are wanted.
    fn tracker(&mut self) -> Option<Z3_ast> {
        let position = self.told.len();
        let trackers = self.trackers.as_mut()?;
        if trackers.len() == position {
            let c = &self.context;
            // SAFETY: the context is alive; the name is a constant.
            trackers.push(c.keep(unsafe {
                let sort = c.keep_sort(Z3_mk_bool_sort(c.raw()));
                Z3_mk_fresh_const(c.raw(), c"constraint".as_ptr(), sort)
            }));
        }
        Some(trackers[position])
    }

    fn limit(&mut self, limits: &Limits) {
        let steps = limits.conflicts.map_or(0, |thousands| {
            u32::try_from(thousands.saturating_mul(1000)).unwrap_or(u32::MAX)
        });
        if self.steps == Some(steps) {
            return;
        }
        let first = self.steps.replace(steps).is_none();
        let c = self.context.raw();
        // SAFETY: the context and the solver are alive; the parameters are held
        // until the solver has taken them over.
        unsafe {
            let parameters = Z3_mk_params(c).expect("Z3 makes parameters");
            Z3_params_inc_ref(c, parameters);
            let symbol =
                |name: &CStr| Z3_mk_string_symbol(c, name.as_ptr()).expect("a name is a symbol");
            // Left to itself Z3 catches Ctrl-C during a query, and whoever else
            // listens for it never hears of it.
            Z3_params_set_bool(c, parameters, symbol(c"ctrl_c"), false);
            if !first || steps > 0 {
                Z3_params_set_uint(c, parameters, symbol(c"rlimit"), steps);
            }
            Z3_solver_set_params(c, self.raw, parameters);
            Z3_params_dec_ref(c, parameters);
        }
    }

    fn model(&self) -> Option<Found> {
        let c = self.context.raw();
        // SAFETY: the context and the solver are alive, and the answer was yes;
        // the model is held from here on.
        let raw = unsafe {
            let raw = Z3_solver_get_model(c, self.raw)?;
            Z3_model_inc_ref(c, raw);
            raw
        };
        Some(Found {
            context: self.context.clone(),
            raw,
        })
    }

    /// The constraints that Z3 needed, or all where it was not to find out.
    fn core(&self) -> Vec<Term> {
        let Some(trackers) = &self.trackers else {
            return self.told.clone();
        };
        let c = self.context.raw();
        // SAFETY: the context and the solver are alive, and the answer was no;
        // the vector is held while it is read.
        let needed: Vec<Z3_ast> = unsafe {
            let Some(core) = Z3_solver_get_unsat_core(c, self.raw) else {
                return self.told.clone();
            };
            Z3_ast_vector_inc_ref(c, core);
            let needed = (0..Z3_ast_vector_size(c, core))
                .filter_map(|at| Z3_ast_vector_get(c, core, at))
                .collect();
            Z3_ast_vector_dec_ref(c, core);
            needed
        };
        let pairs = self.told.iter().zip(trackers);
        pairs
            .filter(|(_, tracker)| needed.contains(tracker))
            .map(|(&constraint, _)| constraint)
            .collect()
    }

    fn reason(&self, limits: &Limits) -> Reason {
        // SAFETY: the context and the solver are alive; the text is copied
        // before the next call.
        let why = unsafe { text(Z3_solver_get_reason_unknown(self.context.raw(), self.raw)) };
        reason_for(&why, limits)
    }
}

/// The procedure that works by scopes and can name what it needs.
fn simple(context: &Context) -> Option<Z3_solver> {
    // SAFETY: the context is alive.
    unsafe { Z3_mk_simple_solver(context.raw()) }
}

/// What Z3's words for giving up mean.
fn reason_for(why: &str, limits: &Limits) -> Reason {
    let says = |words: &str| why.contains(words);
    if says("max. memory exceeded") || says("out of memory") {
        Reason::Memory
    } else if says("max. resource limit exceeded") {
        Reason::Conflicts
    } else if says("timeout") {
        Reason::Time
    } else if says("canceled") || says("interrupted") || why == "unknown" {
        // Who cancelled is for the watch to say. If it did not, steps ran out.
        match limits.conflicts {
            Some(_) => Reason::Conflicts,
            None => Reason::GaveUp(why.to_owned()),
        }
    } else {
        Reason::GaveUp(why.to_owned())
    }
}
