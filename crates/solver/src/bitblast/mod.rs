//! The backend that decides bit-vectors, arrays and floating point by itself:
//! terms become gates, gates become clauses, a SAT solver decides.
//!
//! Gates are kept for good and shared by all queries; clauses are kept in
//! one `batsat` instance for as long as the queries stay close enough to
//! each other for that to pay. A query that exhausts its first budget of
//! conflicts goes to CaDiCaL. Budgets count conflicts, never time, so that a
//! run repeats.

mod aig;
mod blast;
mod circuits;
mod cnf;
mod float;
mod reads;
mod sat;

use crate::backend::{Backend, Limits, Reason, Verdict};
use aig::Lit;
use base::{Stop, Stopped};
use blast::Blaster;
use cnf::Cnf;
use reads::{ReadId, Symbol};
use rustc_hash::FxHashMap;
use sat::{Batsat, Cadical, Found, Search};
use std::rc::Rc;
use term::{
    ArrayValue, Assignment, BitVec, FunctionValue, Op, RoundingMode, Sort, Store, Term, Value,
    Variable,
};

/// Decides by bit-blasting.
///
/// ```
/// use solver::{Backend, Bitblast, Limits, Verdict};
/// use term::{Sort, Store};
///
/// let mut store = Store::new();
/// let x = store.var("x", Sort::Bv(32));
/// let square = store.bv_mul(x, x);
/// let two = store.bv(32, 2);
/// let claim = store.eq(square, two);
///
/// let verdict = Bitblast::new().check(&mut store, &[claim], &Limits::default());
/// assert!(matches!(verdict, Verdict::Unsat(_)));
/// ```
pub struct Bitblast {
    blaster: Blaster,
    batsat: Cnf<Batsat>,
    surveys: FxHashMap<Term, Rc<Survey>>,
}

/// What a constraint depends on.
#[derive(Default)]
struct Survey {
    variables: Vec<Variable>,
    reads: Vec<ReadId>,
}

/// Conflicts that `batsat` may spend on one query before CaDiCaL gets it. Most
/// queries take far fewer, and starting CaDiCaL costs more than all of them.
const BATSAT_CONFLICTS: u64 = 2_000;
/// Gates that one query may add, and beyond which the graph is thrown away before
/// the next one: three gigabytes with their clauses.
const MOST_GATES: usize = 20_000_000;
/// Bytes that one gate costs, with its clauses.
const GATE_BYTES: usize = 160;

impl Default for Bitblast {
    fn default() -> Bitblast {
        Bitblast::new()
    }
}

impl Bitblast {
    /// A backend that has seen no query yet.
    pub fn new() -> Bitblast {
        Bitblast {
            blaster: Blaster::default(),
            batsat: Cnf::new(Batsat::default()),
            surveys: FxHashMap::default(),
        }
    }
}

impl Backend for Bitblast {
    fn name(&self) -> &'static str {
        "bitblast"
    }

    fn check(&mut self, store: &mut Store, constraints: &[Term], limits: &Limits) -> Verdict {
        if self.blaster.aig.len() > MOST_GATES {
            *self = Bitblast::new();
        }
        if let Some(reason) = Reason::of_stop(&limits.stop) {
            return Verdict::Unknown(reason);
        }
        let gates = limits.memory.map_or(MOST_GATES, |bytes| bytes / GATE_BYTES);
        let most = self.blaster.aig.len() + gates.min(MOST_GATES);
        self.blaster.aig.limit(most, limits.stop.clone());
        let mut roots = Vec::with_capacity(constraints.len());
        for &constraint in constraints {
            match self.blaster.literal(store, constraint) {
                Ok(Lit::FALSE) => return Verdict::Unsat(vec![constraint]),
                Ok(Lit::TRUE) => {}
                Ok(lit) => roots.push((constraint, lit)),
                Err(reason) => return Verdict::Unknown(reason),
            }
        }
        let survey = self.survey_all(store, constraints);
        self.search(store, &roots, &survey, limits)
    }
}

impl Bitblast {
    fn search(
        &mut self,
        store: &Store,
        roots: &[(Term, Lit)],
        survey: &Survey,
        limits: &Limits,
    ) -> Verdict {
        let budget = limits.conflicts.unwrap_or(u64::MAX);
        let batsat_budget = budget.min(BATSAT_CONFLICTS);
        self.make_room(roots);
        let query = Query {
            store,
            roots,
            survey,
            stop: &limits.stop,
        };
        match query.decide(&mut self.blaster, &mut self.batsat, batsat_budget) {
            Verdict::Unknown(Reason::Conflicts) if budget > batsat_budget => {
                let mut cadical = Cnf::new(Cadical::default());
                query.decide(&mut self.blaster, &mut cadical, budget - batsat_budget)
            }
            verdict => verdict,
        }
    }

    /// Restarts the clauses when most of them have nothing to do with this
    /// query: the solver assigns every variable it has.
    fn make_room(&mut self, roots: &[(Term, Lit)]) {
        const ALWAYS_FINE: usize = 2_000;
        const TIMES: usize = 4;
        if self.batsat.len() <= ALWAYS_FINE {
            return;
        }
        let lits = roots.iter().map(|&(_, lit)| lit);
        let most = self.batsat.len() / TIMES + 1;
        let cone = self.batsat.cone_size(&self.blaster.aig, lits, most);
        if self.batsat.len() > TIMES * cone {
            self.batsat.restart(Batsat::default());
        }
    }

    fn survey_all(&mut self, store: &Store, constraints: &[Term]) -> Survey {
        let mut all = Survey::default();
        for &constraint in constraints {
            let survey = self
                .surveys
                .entry(constraint)
                .or_insert_with(|| Rc::new(survey(&self.blaster, store, constraint)));
            all.variables.extend_from_slice(&survey.variables);
            all.reads.extend_from_slice(&survey.reads);
        }
        all.variables.sort_unstable();
        all.variables.dedup();
        all.reads.sort_unstable();
        all.reads.dedup();
        all
    }
}

fn survey(blaster: &Blaster, store: &Store, constraint: Term) -> Survey {
    let mut survey = Survey::default();
    for term in term::post_order(store, &[constraint]) {
        match store.op(term) {
            Op::Var => survey.variables.extend(store.as_variable(term)),
            Op::Select | Op::Apply => survey.reads.extend_from_slice(blaster.reads_of(term)),
            _ => {}
        }
    }
    survey
}

/// A query in gates.
struct Query<'a> {
    store: &'a Store,
    roots: &'a [(Term, Lit)],
    survey: &'a Survey,
    stop: &'a Stop,
}

impl Query<'_> {
    /// Searches until there is an assignment whose reads agree, or none.
    fn decide<S: Search>(&self, blaster: &mut Blaster, cnf: &mut Cnf<S>, budget: u64) -> Verdict {
        let span = tracing::debug_span!(target: "solver::sat", "sat", by = S::NAME, budget);
        let _entered = span.enter();
        self.refine(blaster, cnf, budget).unwrap_or_else(|Stopped| {
            Verdict::Unknown(Reason::of_stop(self.stop).unwrap_or(Reason::Interrupted))
        })
    }

    /// Solves with reads as free inputs, and adds what an assignment violates of
    /// their consistency until one violates nothing.
    fn refine<S: Search>(
        &self,
        blaster: &mut Blaster,
        cnf: &mut Cnf<S>,
        mut budget: u64,
    ) -> Result<Verdict, Stopped> {
        let mut assumptions: Vec<i32> = Vec::with_capacity(self.roots.len());
        for &(_, lit) in self.roots {
            assumptions.push(cnf.literal(&blaster.aig, lit, self.stop)?);
        }
        // The index of a read matters even where no constraint shows it.
        for &read in &self.survey.reads {
            for &lit in blaster.reads.key(read).iter().filter(|lit| !lit.is_const()) {
                cnf.literal(&blaster.aig, lit, self.stop)?;
            }
        }
        loop {
            self.stop.check()?;
            let found = cnf.sat.search(&assumptions, budget, self.stop);
            tracing::trace!(target: "solver::sat", ?found, variables = cnf.len());
            match found {
                Found::Sat => {}
                Found::Unsat => {
                    let pairs = self.roots.iter().zip(&assumptions);
                    let needed = pairs.filter(|&(_, &assumption)| cnf.sat.failed(assumption));
                    return Ok(Verdict::Unsat(needed.map(|(&(term, _), _)| term).collect()));
                }
                Found::Budget => return Ok(Verdict::Unknown(Reason::Conflicts)),
                Found::Stopped => return Err(Stopped),
            }
            let value = |lit: Lit| value(cnf, lit);
            let lemmas = blaster
                .reads
                .violated(&mut blaster.aig, &self.survey.reads, value);
            if lemmas.is_empty() {
                return Ok(Verdict::Sat(self.assignment(blaster, value)));
            }
            // Lemmas that are not whole would be clauses that do not hold.
            if let Some(reason) = blaster.aig.exceeded() {
                return Ok(Verdict::Unknown(reason.clone()));
            }
            for lemma in lemmas {
                let lit = cnf.literal(&blaster.aig, lemma, self.stop)?;
                cnf.sat.add(&[lit]);
            }
            budget = budget.saturating_sub(1);
        }
    }

    fn assignment(&self, blaster: &Blaster, value: impl Fn(Lit) -> bool + Copy) -> Assignment {
        let mut assignment = Assignment::new();
        for &variable in &self.survey.variables {
            if let Some(bits) = blaster.inputs(variable) {
                let sort = self.store.variable_sort(variable);
                assignment.set(variable, decode(sort, bits, value));
            }
        }
        for &read in &self.survey.reads {
            let (key, result) = (blaster.reads.key(read), blaster.reads.result(read));
            match blaster.reads.symbol(read) {
                Symbol::Array(variable) => {
                    self.set_element(&mut assignment, variable, key, result, value)
                }
                Symbol::Function(function) => {
                    let signature = self.store.signature(function);
                    let mut rest = &key[..];
                    let args = signature.parameters.iter().map(|&sort| {
                        let width = blast::width_of(sort).expect("the key was blasted");
                        let (bits, after) = rest.split_at(width);
                        rest = after;
                        decode(sort, bits, value)
                    });
                    let args: Vec<Value> = args.collect();
                    let result = decode(signature.result, result, value);
                    if assignment.function(function).is_none() {
                        let table = FunctionValue::constant(signature.result);
                        assignment.set_function(function, table);
                    }
                    if let Some(value) = assignment.function_mut(function) {
                        value.table.insert(args, result);
                    }
                }
            }
        }
        assignment
    }

    fn set_element(
        &self,
        assignment: &mut Assignment,
        variable: Variable,
        key: &[Lit],
        result: &[Lit],
        value: impl Fn(Lit) -> bool + Copy,
    ) {
        if assignment.get(variable).is_none() {
            let sort = self.store.variable_sort(variable);
            assignment.set(variable, Value::default_of(sort));
        }
        if let Some(Value::Array(array)) = assignment.get_mut(variable) {
            Rc::<ArrayValue>::make_mut(array).set(bit_vec(key, value), bit_vec(result, value));
        }
    }
}

/// The literal's value in the assignment just found; what has no clause is free.
fn value<S: Search>(cnf: &Cnf<S>, lit: Lit) -> bool {
    match lit {
        Lit::FALSE => false,
        Lit::TRUE => true,
        _ => match cnf.known(lit) {
            Some(known) => cnf.sat.value(known),
            None => lit.is_negated(),
        },
    }
}

fn decode(sort: Sort, bits: &[Lit], value: impl Fn(Lit) -> bool + Copy) -> Value {
    match sort {
        Sort::Bool => Value::Bool(value(bits[0])),
        Sort::Bv(_) => Value::Bv(bit_vec(bits, value)),
        Sort::Fp(format) => {
            let bits = bit_vec(bits, value).to_u128();
            Value::Fp(format, term::fp::canonical(format, bits))
        }
        Sort::RoundingMode => {
            let number = bit_vec(bits, value).to_u64().unwrap_or(0).min(4);
            Value::Rm(RoundingMode::ALL[number as usize])
        }
        other => unreachable!("{other} has no bits"),
    }
}

fn bit_vec(bits: &[Lit], value: impl Fn(Lit) -> bool + Copy) -> BitVec {
    let width = bits.len() as u16;
    if width <= 64 {
        let word = bits
            .iter()
            .rev()
            .fold(0, |word, &lit| word << 1 | u64::from(value(lit)));
        return BitVec::from_u64(width, word);
    }
    let chunks = bits.chunks(64).map(|chunk| bit_vec(chunk, value));
    chunks
        .reduce(|low, high| high.concat(&low))
        .expect("a vector has bits")
}
