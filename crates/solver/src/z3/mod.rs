//! Z3 as a backend: the referee for everything, and the only one to decide
//! integers, reals and strings.
//!
//! Every operator and every sort of [`term`] is translated, term by term, into
//! a context that is kept between queries. What Z3 would get wrong is said in
//! other words or refused as [`Reason::Unsupported`]; see [`float`] and
//! [`text`] for what that is. An assignment is returned only after it was
//! evaluated and found to satisfy the constraints.
//!
//! There are two modes. [`Z3::fresh`] puts each query to a new
//! solver, so that an answer never depends on earlier queries.
//! [`Z3::incremental`] keeps one solver and tells it only what changed, which
//! pays when queries share long prefixes.

mod context;
mod float;
mod model;
mod solver;
mod strategy;
mod text;
mod translate;
mod watch;

#[cfg(test)]
mod tests;

use crate::backend::{Backend, Limits, Reason, Verdict};
use base::Stop;
use model::Model;
use solver::{Outcome, Solver};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use strategy::Workshop;
use term::{Evaluator, Store, Term, Value};
use translate::{Theories, Translation};
use watch::Watch;
use z3_sys::Z3_ast;

/// Terms after which a new context is begun, so that what old queries left
/// behind does not fill the memory.
const TERMS_PER_CONTEXT: usize = 4_000_000;

/// Z3, as a decision procedure for all sorts of terms.
#[derive(Default)]
pub struct Z3 {
    manner: Manner,
    session: Option<Session>,
    watch: Watch,
    evaluator: Evaluator,
}

/// How queries are put.
#[derive(Clone, Copy, Default)]
struct Manner {
    /// To one solver, told only of differences.
    incremental: bool,
    /// So that Z3 names the constraints that exclude each other.
    cores: bool,
}

impl Z3 {
    /// Decides each query in a solver of its own.
    pub fn fresh() -> Z3 {
        Z3::default()
    }

    /// Keeps one solver and tells it how each query differs from the one before.
    pub fn incremental() -> Z3 {
        let mut z3 = Z3::default();
        z3.manner.incremental = true;
        z3
    }

    /// Has Z3 find out which of the constraints exclude each other. Without it
    /// all of them are named, and answers come faster.
    pub fn with_cores(mut self) -> Z3 {
        self.manner.cores = true;
        self
    }

    /// What is known of the store's terms; a new context where the old one
    /// belongs to another store or has grown too large.
    fn session(&mut self, store: &mut Store) -> &mut Session {
        self.session = self.session.take().filter(|session| {
            session.mark.is_in(store) && session.translation.len() < TERMS_PER_CONTEXT
        });
        self.session.get_or_insert_with(|| Session::new(store))
    }
}

impl Backend for Z3 {
    fn name(&self) -> &'static str {
        "z3"
    }

    fn check(&mut self, store: &mut Store, constraints: &[Term], limits: &Limits) -> Verdict {
        if let Some(reason) = Reason::of_stop(&limits.stop) {
            return Verdict::Unknown(reason);
        }
        let manner = self.manner;
        let session = self.session(store);
        let query = match session.query(store, constraints, &limits.stop) {
            Ok(query) => query,
            Err(reason) => return Verdict::Unknown(reason),
        };
        let context = session.translation.context.clone();
        self.watch.begin(context.raw(), limits);
        let session = self.session.as_mut().expect("it was made above");
        let verdict = match session.check(manner, constraints, &query, limits) {
            Outcome::Sat(found) => {
                let assignment =
                    Model::new(&mut session.translation, &found).assignment(store, constraints);
                match assignment {
                    Ok(assignment) if self.evaluator.all_hold(store, &assignment, constraints) => {
                        Verdict::Sat(assignment)
                    }
                    Ok(_) => gave_up("the model does not evaluate to true"),
                    Err(why) => gave_up(why),
                }
            }
            Outcome::Unsat(core) => Verdict::Unsat(core),
            Outcome::Unknown(reason) => Verdict::Unknown(reason),
        };
        match (verdict, self.watch.end()) {
            (Verdict::Unknown(_), Some(reason)) => {
                // Some releases leave an interrupted context interrupted.
                self.session = None;
                Verdict::Unknown(reason)
            }
            (verdict, _) => verdict,
        }
    }
}

fn gave_up(why: impl Into<String>) -> Verdict {
    Verdict::Unknown(Reason::GaveUp(why.into()))
}

/// A context and what it knows of one store.
struct Session {
    mark: Mark,
    translation: Translation,
    workshop: Workshop,
    standing: Option<Solver>,
}

/// The constraints as Z3 has them.
struct Query {
    asts: Vec<Z3_ast>,
    theories: Theories,
}

impl Session {
    fn new(store: &mut Store) -> Session {
        Session {
            mark: Mark::leave_in(store),
            translation: Translation::new(),
            workshop: Workshop::default(),
            standing: None,
        }
    }

    fn query(&mut self, store: &Store, constraints: &[Term], stop: &Stop) -> Result<Query, Reason> {
        let mut query = Query {
            asts: Vec::with_capacity(constraints.len()),
            theories: Theories::default(),
        };
        for &constraint in constraints {
            let translated = self.translation.term(store, constraint, stop)?;
            query.asts.push(translated.ast);
            query.theories = query.theories.and(translated.theories);
        }
        Ok(query)
    }

    fn check(
        &mut self,
        manner: Manner,
        constraints: &[Term],
        query: &Query,
        limits: &Limits,
    ) -> Outcome {
        let context = &self.translation.context;
        if manner.incremental {
            let new = || Solver::standing(context, manner.cores);
            let solver = self.standing.get_or_insert_with(new);
            return solver.check(constraints, &query.asts, limits);
        }
        if manner.cores {
            return Solver::explaining(context).check(constraints, &query.asts, limits);
        }
        let mut answer = Outcome::Unknown(Reason::GaveUp("nothing was tried".into()));
        for &procedure in strategy::procedures(query.theories) {
            let mut solver = Solver::passing(context, self.workshop.solver(context, procedure));
            answer = solver.check(constraints, &query.asts, limits);
            if !matches!(answer, Outcome::Unknown(Reason::GaveUp(_))) {
                break;
            }
        }
        answer
    }
}

/// A term by which a store is known again, since the numbers of terms mean
/// nothing in another store.
struct Mark {
    term: Term,
    name: Value,
}

impl Mark {
    fn leave_in(store: &mut Store) -> Mark {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("known to Z3 as {}", NEXT.fetch_add(1, Ordering::Relaxed));
        Mark {
            term: store.string(&name),
            name: Value::Str(name.chars().map(u32::from).collect::<Rc<[u32]>>()),
        }
    }

    fn is_in(&self, store: &Store) -> bool {
        self.term.number() < store.len() && store.as_value(self.term).as_ref() == Some(&self.name)
    }
}
