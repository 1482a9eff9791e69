//! The solver: a chain of links from cheap to expensive, each of which may
//! settle a query, and a memory of what was settled.

use crate::backend::{Backend, Limits, Reason, Verdict};
use crate::bitblast::Bitblast;
use crate::bounded::Bounded;
use crate::bytes::{ByteValues, Bytes};
use crate::cache::{Cache, Known};
use crate::enumerate::{self, Enumerated};
use crate::equalities::Joined;
use crate::order::{self, Order};
use crate::ranges;
use crate::search::LocalSearch;
use crate::slices::{PathCondition, Slice, Slots};
use crate::statistics::{Link, Statistics};
use crate::tables::Tabled;
use crate::z3::Z3;
use base::Stop;
use std::rc::Rc;
use std::time::{Duration, Instant};
use term::{Assignment, Evaluator, Store, Term};

/// How a solver works.
#[derive(Clone, Default)]
pub struct Config {
    /// What one query may cost.
    pub limits: Limits,
    /// How long one query may take; none means as long as the stop token allows.
    /// With it runs differ, so it is never a default.
    pub time: Option<Duration>,
    /// Keeps every query that reaches a backend, for
    /// [`Solver::take_recorded`].
    pub record: bool,
    /// Sends every query to both backends and calls this, which ends the
    /// program, when their answers differ.
    pub cross_check: Option<fn(&Disagreement) -> !>,
}

/// The answer to a query.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The constraints hold under this assignment; it was checked by evaluation.
    Sat(Assignment),
    /// They cannot hold; already these exclude each other.
    Unsat(Vec<Term>),
    /// Not decided.
    Unknown(Reason),
}

impl Answer {
    /// Whether there is an assignment.
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    /// Whether there is none.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }
}

/// A query on which the chain and a referee answered differently.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The query as an SMT-LIB script.
    pub script: String,
    /// The chain's answer: `sat` or `unsat`.
    pub chain: &'static str,
    /// The link that gave it.
    pub link: Link,
    /// The referee.
    pub referee: &'static str,
    /// The referee's answer.
    pub verdict: &'static str,
}

/// Decides sets of constraints over the terms of one store, and remembers.
///
/// ```
/// use solver::{Answer, Solver};
/// use term::{Sort, Store};
///
/// let mut store = Store::new();
/// let x = store.var("x", Sort::Bv(8));
/// let (three, ten) = (store.bv(8, 3), store.bv(8, 10));
/// let above = store.bv_ult(three, x);
/// let below = store.bv_ult(x, ten);
///
/// let mut solver = Solver::default();
/// let Answer::Sat(model) = solver.check(&mut store, &[above, below]) else { panic!() };
/// let value = model.get(store.as_variable(x).unwrap()).unwrap();
/// assert!(matches!(value, term::Value::Bv(bits) if (4..10).contains(&bits.to_u64().unwrap())));
///
/// let not_above = store.not(above);
/// assert!(solver.check(&mut store, &[above, not_above]).is_unsat());
/// ```
#[derive(Default)]
pub struct Solver {
    config: Config,
    /// What one query may cost now.
    limits: Limits,
    slots: Slots,
    cache: Cache,
    evaluator: Evaluator,
    bytes: Bytes,
    search: LocalSearch,
    search_record: SearchRecord,
    bitblast: Bitblast,
    z3: Z3,
    statistics: Statistics,
    recorded: Vec<String>,
}

impl Solver {
    /// A solver that has seen no query yet.
    pub fn new(config: Config) -> Solver {
        Solver {
            limits: config.limits.clone(),
            config,
            ..Solver::default()
        }
    }

    /// Forgets every query, which a panic may have left half-known. What was counted
    /// and recorded stays, and so does the stop token.
    pub fn forget(&mut self) {
        let config = Config {
            limits: Limits {
                stop: self.limits.stop.clone(),
                ..self.config.limits.clone()
            },
            ..self.config.clone()
        };
        *self = Solver {
            statistics: std::mem::take(&mut self.statistics),
            recorded: std::mem::take(&mut self.recorded),
            ..Solver::new(config)
        };
    }

    /// Adds a constraint to a path condition.
    pub fn add(&mut self, store: &Store, path: &mut PathCondition, constraint: Term) {
        path.add(store, &mut self.slots, constraint);
    }

    /// Whether the constraints can all hold, and by which assignment.
    pub fn check(&mut self, store: &mut Store, constraints: &[Term]) -> Answer {
        let mut path = PathCondition::new();
        for &constraint in constraints {
            self.add(store, &mut path, constraint);
        }
        self.check_path(store, &path)
    }

    /// Whether the path condition can hold, and by which assignment.
    pub fn check_path(&mut self, store: &mut Store, path: &PathCondition) -> Answer {
        let answer = self.whole(store, path);
        self.record(answer)
    }

    /// Whether `query` can hold on a path that `model` satisfies: only the
    /// constraints that share variables with it are looked at, and an
    /// assignment changes `model` only there.
    pub fn check_extended(
        &mut self,
        store: &mut Store,
        path: &PathCondition,
        model: &Assignment,
        query: Term,
    ) -> Answer {
        let answer = self.extended(store, path, model, query);
        self.record(answer)
    }

    /// Does some work with at most so many conflicts a query, and never more than
    /// the configuration allows. With zero no backend is tried, only what is cheap.
    pub fn with_conflicts<T>(
        &mut self,
        conflicts: Option<u64>,
        work: impl FnOnce(&mut Solver) -> T,
    ) -> T {
        let tighter = self.limits.tightened(conflicts);
        let before = std::mem::replace(&mut self.limits, tighter);
        let result = work(self);
        // The work may have been handed another token; that one stays.
        self.limits.conflicts = before.conflicts;
        result
    }

    /// Ends queries early when this token is set; they are "unknown" then.
    pub fn set_stop(&mut self, stop: Stop) {
        self.limits.stop = stop;
    }

    /// What one query may cost.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The token that ends queries early.
    pub fn stop(&self) -> &Stop {
        &self.limits.stop
    }

    /// The constraints of the path that share variables with the query,
    /// transitively.
    pub fn relevant(&mut self, store: &Store, path: &PathCondition, query: Term) -> Vec<Term> {
        path.relevant(store, &mut self.slots, query)
    }

    /// The values that the constraints of the path on a byte alone leave it; constraints on
    /// several inputs may leave it fewer.
    pub fn byte_values(&mut self, store: &Store, path: &PathCondition, byte: Term) -> ByteValues {
        let constraints = path.relevant(store, &mut self.slots, byte);
        let (bytes, slots) = (&mut self.bytes, &mut self.slots);
        bytes.possible(store, slots, &constraints, byte)
    }

    /// The queries that reached a backend since the last call, each a script
    /// in SMT-LIB with its answer as the status.
    pub fn take_recorded(&mut self) -> Vec<String> {
        std::mem::take(&mut self.recorded)
    }

    /// The contradictions that backends found since this was last asked, the shortest first:
    /// constraints that exclude each other, as bytes for another solver.
    pub fn take_contradictions(&mut self, store: &Store) -> Vec<Vec<u8>> {
        let found = self.cache.take_found();
        // What is known of a function is known to this process alone.
        let found = found
            .iter()
            .filter(|core| term::functions(store, core).is_empty());
        found.map(|core| term::encode(store, core)).collect()
    }

    /// Learns a contradiction that another solver found; bytes that are none are ignored.
    pub fn learn_contradiction(&mut self, store: &mut Store, bytes: &[u8]) {
        let Ok(mut core) = term::decode(store, bytes) else {
            return;
        };
        core.retain(|&it| store.as_bool(it) != Some(true));
        core.sort_unstable();
        core.dedup();
        self.cache.learn_core(&core.into());
    }

    /// How the links did so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn record(&mut self, answer: Answer) -> Answer {
        self.statistics.queries += 1;
        match answer {
            Answer::Sat(_) => self.statistics.sat += 1,
            Answer::Unsat(_) => self.statistics.unsat += 1,
            Answer::Unknown(_) => self.statistics.unknown += 1,
        }
        answer
    }

    fn whole(&mut self, store: &mut Store, path: &PathCondition) -> Answer {
        if let Some(contradiction) = path.contradiction() {
            return Answer::Unsat(vec![contradiction]);
        }
        let mut model = Assignment::new();
        let mut unknown = None;
        for slice in path.slices() {
            match self.slice(store, &slice, None) {
                Settled::Known(Known::Sat(part)) => slice.copy(store, &part, &mut model),
                Settled::Known(Known::Unsat(core)) => return Answer::Unsat(core.to_vec()),
                Settled::Unknown(reason) => unknown = Some(reason),
            }
        }
        match unknown {
            Some(reason) => Answer::Unknown(reason),
            None => Answer::Sat(model),
        }
    }

    fn extended(
        &mut self,
        store: &mut Store,
        path: &PathCondition,
        model: &Assignment,
        query: Term,
    ) -> Answer {
        if let Some(truth) = store.as_bool(query) {
            return match truth {
                true => Answer::Sat(model.clone()),
                false => Answer::Unsat(vec![query]),
            };
        }
        let negated = store.not(query);
        let slice = path.joined(store, &mut self.slots, query);
        self.statistics.link_mut(Link::Path).queries += 1;
        if slice.constraints.contains(&negated) {
            self.statistics.link_mut(Link::Path).answered += 1;
            return Answer::Unsat(vec![negated, query]);
        }
        match self.slice(store, &slice, Some(model)) {
            Settled::Known(Known::Sat(part)) => {
                let mut whole = model.clone();
                slice.copy(store, &part, &mut whole);
                Answer::Sat(whole)
            }
            Settled::Known(Known::Unsat(core)) => Answer::Unsat(core.to_vec()),
            Settled::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    /// Settles constraints that hang together; `near` is an assignment that
    /// satisfies most of them.
    fn slice(&mut self, store: &mut Store, slice: &Slice, near: Option<&Assignment>) -> Settled {
        self.statistics.slices += 1;
        let mut query = slice.constraints.clone();
        query.sort_unstable();
        query.dedup();
        self.statistics.link_mut(Link::Exact).queries += 1;
        if let Some(known) = self.cache.exact(&query) {
            self.statistics.link_mut(Link::Exact).answered += 1;
            return Settled::Known(known.clone());
        }
        let start = Instant::now();
        let mut limits = self.limits.clone();
        if self.config.time.is_some() {
            limits.stop = limits.stop.within(self.config.time);
        }
        let (link, settled) = self.down(store, &query, slice, near, &limits);
        self.statistics.time += start.elapsed();
        tracing::debug!(
            target: "solver::query",
            link = link.name(),
            constraints = query.len(),
            answer = settled.name(),
        );
        if let Settled::Known(known) = &settled {
            match known {
                Known::Sat(model) => self.cache.learn_sat(&query, &slice.slots, model),
                Known::Unsat(core) => {
                    self.cache.learn_unsat(&query, core);
                    if link.is_backend() {
                        self.cache.keep_found(core);
                    }
                }
            }
            if let Some(report) = self.config.cross_check {
                self.referee(store, &query, link, known, report, &limits);
            }
        }
        settled
    }

    /// Lets the links below the exact cache try, one after the other.
    fn down(
        &mut self,
        store: &mut Store,
        query: &[Term],
        slice: &Slice,
        near: Option<&Assignment>,
        limits: &Limits,
    ) -> (Link, Settled) {
        // What a cache settles was cheaper than this; all below may take long.
        if let Some(reason) = Reason::of_stop(&limits.stop) {
            return (Link::Ranges, Settled::Unknown(reason));
        }
        let newest = *slice.constraints.last().expect("a slice has constraints");
        let unsat = |mut core: Vec<Term>| {
            core.sort_unstable();
            core.dedup();
            Settled::Known(Known::Unsat(core.into()))
        };
        if let Some(core) = self.link(Link::Ranges, |_| ranges::refute(store, query)) {
            return (Link::Ranges, unsat(core));
        }
        if let Some(core) = self.link(Link::Cores, |s| s.cache.core_within(query).cloned()) {
            return (Link::Cores, Settled::Known(Known::Unsat(core)));
        }
        let refuted = self.link(Link::Bytes, |s| {
            let (bytes, slots) = (&mut s.bytes, &mut s.slots);
            bytes.refute(store, slots, query, newest)
        });
        if let Some(core) = refuted {
            return (Link::Bytes, unsat(core));
        }
        let recent = self.cache.recent(&self.slots.of(store, newest));
        let none = Assignment::new();
        let start = near
            .or(recent.first().map(|model| &**model))
            .unwrap_or(&none);
        // Comparisons alone are decided faster than old assignments are tried.
        match self.link(Link::Order, |s| {
            order::decide(store, &mut s.evaluator, query, start, &limits.stop)
                .filter(|order| s.confirms(store, query, order))
        }) {
            Some(Order::Sat(model)) => {
                return (Link::Order, Settled::Known(Known::Sat(Rc::new(model))));
            }
            Some(Order::Unsat(core)) => return (Link::Order, unsat(core)),
            None => {}
        }
        let tried = |s: &mut Solver| s.satisfied_by(store, query, newest, &recent);
        if let Some(model) = self.link(Link::Models, tried) {
            return (Link::Models, Settled::Known(Known::Sat(model)));
        }
        if self.search_record.pays() {
            let found = self.link(Link::Search, |s| {
                s.search
                    .run(store, &mut s.evaluator, query, start, &limits.stop)
            });
            self.search_record.note(found.is_some());
            if let Some(model) = found {
                return (Link::Search, Settled::Known(Known::Sat(Rc::new(model))));
            }
        }
        let mut slots = slice.slots.clone();
        slots.sort_unstable();
        match self.link(Link::Enumeration, |s| {
            let (bytes, evaluator) = (&mut s.bytes, &mut s.evaluator);
            bytes
                .decide(store, evaluator, query, &slots, start)
                .or_else(|| enumerate::decide(store, evaluator, query, &slots, start, &limits.stop))
        }) {
            Some(Enumerated::Sat(model)) => {
                let model = Known::Sat(Rc::new(model));
                return (Link::Enumeration, Settled::Known(model));
            }
            Some(Enumerated::Unsat(core)) => return (Link::Enumeration, unsat(core)),
            None => {}
        }
        let (link, verdict) = self.backends(store, query, limits);
        let settled = match verdict {
            Verdict::Sat(model) => Settled::Known(Known::Sat(Rc::new(model))),
            Verdict::Unsat(core) => unsat(core),
            Verdict::Unknown(reason) => Settled::Unknown(reason),
        };
        (link, settled)
    }

    /// Lets a link try, and keeps its statistics.
    fn link<T>(&mut self, link: Link, attempt: impl FnOnce(&mut Solver) -> Option<T>) -> Option<T> {
        let start = Instant::now();
        let result = attempt(self);
        let statistics = self.statistics.link_mut(link);
        statistics.queries += 1;
        statistics.answered += u64::from(result.is_some());
        statistics.time += start.elapsed();
        result
    }

    /// The first of the assignments that satisfies the query. The newest
    /// constraint is the one most likely to fail.
    fn satisfied_by(
        &mut self,
        store: &Store,
        query: &[Term],
        newest: Term,
        models: &[Rc<Assignment>],
    ) -> Option<Rc<Assignment>> {
        let satisfies = |model: &&Rc<Assignment>| {
            let mut evaluation = self.evaluator.under(store, model);
            evaluation.holds(newest) && query.iter().all(|&term| evaluation.holds(term))
        };
        models.iter().find(satisfies).cloned()
    }

    /// Checks an assignment by evaluation.
    fn confirms(&mut self, store: &Store, query: &[Term], order: &Order) -> bool {
        match order {
            Order::Sat(model) => self.evaluator.all_hold(store, model, query),
            Order::Unsat(_) => true,
        }
    }

    fn backends(&mut self, store: &mut Store, query: &[Term], limits: &Limits) -> (Link, Verdict) {
        if limits.conflicts == Some(0) {
            return (Link::Bitblast, Verdict::Unknown(Reason::Conflicts));
        }
        match self.bounded(store, query, limits) {
            Some(answer) => answer,
            None => self.unbounded(store, query, limits),
        }
    }

    /// Decides a query without the divisions that its bounds make plain; none where there are
    /// no such divisions.
    fn bounded(
        &mut self,
        store: &mut Store,
        query: &[Term],
        limits: &Limits,
    ) -> Option<(Link, Verdict)> {
        let bounded = Bounded::of(store, query)?;
        let (truth, falsehood) = (store.bool(true), store.bool(false));
        if bounded.constraints.contains(&falsehood) {
            let core = bounded.originals(query, &[falsehood]);
            return Some((Link::Bitblast, Verdict::Unsat(core)));
        }
        let mut left = bounded.constraints.clone();
        left.retain(|&it| it != truth);
        let (link, verdict) = self.unbounded(store, &left, limits);
        let verdict = match verdict {
            // What is gone may have been all that was said of an input: it has its default.
            Verdict::Sat(model) if !self.evaluator.all_hold(store, &model, query) => return None,
            Verdict::Unsat(core) => Verdict::Unsat(bounded.originals(query, &core)),
            other => other,
        };
        Some((link, verdict))
    }

    fn unbounded(&mut self, store: &mut Store, query: &[Term], limits: &Limits) -> (Link, Verdict) {
        match self.joined(store, query, limits) {
            Some(answer) => answer,
            None => self.as_it_is(store, query, limits),
        }
    }

    /// Decides a query with one input for all that it says are equal; none where there are
    /// no such inputs, or an assignment to the others is none of the query.
    fn joined(
        &mut self,
        store: &mut Store,
        query: &[Term],
        limits: &Limits,
    ) -> Option<(Link, Verdict)> {
        let joined = Joined::of(store, query)?;
        let (truth, falsehood) = (store.bool(true), store.bool(false));
        if joined.constraints.contains(&falsehood) {
            let core = joined.originals(query, &[falsehood]);
            return Some((Link::Bitblast, Verdict::Unsat(core)));
        }
        let mut left = joined.constraints.clone();
        left.retain(|&it| it != truth);
        let (link, verdict) = match left.is_empty() {
            true => (Link::Bitblast, Verdict::Sat(Assignment::new())),
            false => self.as_it_is(store, &left, limits),
        };
        let verdict = match verdict {
            Verdict::Sat(mut model) => {
                joined.complete(store, &mut self.evaluator, &mut model);
                // An element may be read at an index that is an input itself.
                if !self.evaluator.all_hold(store, &model, query) {
                    return None;
                }
                Verdict::Sat(model)
            }
            Verdict::Unsat(core) => Verdict::Unsat(joined.originals(query, &core)),
            unknown @ Verdict::Unknown(_) => unknown,
        };
        Some((link, verdict))
    }

    fn as_it_is(&mut self, store: &mut Store, query: &[Term], limits: &Limits) -> (Link, Verdict) {
        let tabled = Tabled::of(store, query);
        let constraints = tabled.as_ref().map_or(query, |t| &t.constraints);
        let mut verdict = self.run(Link::Bitblast, store, constraints, limits);
        let mut link = Link::Bitblast;
        // The budget of conflicts is for the query, not for each backend.
        let gave_up = matches!(
            verdict,
            Verdict::Unknown(Reason::Unsupported(_) | Reason::Memory | Reason::GaveUp(_))
        );
        if gave_up {
            link = Link::Z3;
            verdict = self.run(Link::Z3, store, constraints, limits);
        }
        if self.config.record {
            self.record_query(store, query, &verdict);
        }
        if let (Verdict::Unsat(core), Some(tabled)) = (&mut verdict, tabled) {
            *core = originals(query, &tabled, core);
        }
        (link, verdict)
    }

    fn record_query(&mut self, store: &Store, query: &[Term], verdict: &Verdict) {
        let status = match verdict {
            Verdict::Sat(_) => "sat",
            Verdict::Unsat(_) => "unsat",
            Verdict::Unknown(_) => "unknown",
        };
        let script = term::print::smtlib::script(store, query);
        let status = format!("\n(set-info :status {status})\n");
        self.recorded.push(script.replacen('\n', &status, 1));
    }

    /// Runs one backend and checks its assignment.
    fn run(&mut self, link: Link, store: &mut Store, query: &[Term], limits: &Limits) -> Verdict {
        let start = Instant::now();
        let mut verdict = match link {
            Link::Z3 => self.z3.check(store, query, limits),
            _ => self.bitblast.check(store, query, limits),
        };
        if let Verdict::Sat(model) = &verdict
            && !self.evaluator.all_hold(store, model, query)
        {
            let words = "its assignment does not satisfy the constraints".to_owned();
            verdict = Verdict::Unknown(Reason::GaveUp(words));
        }
        let statistics = self.statistics.link_mut(link);
        statistics.queries += 1;
        statistics.answered += u64::from(!matches!(verdict, Verdict::Unknown(_)));
        statistics.time += start.elapsed();
        verdict
    }

    /// Lets both backends decide again what the chain already settled.
    fn referee(
        &mut self,
        store: &mut Store,
        query: &[Term],
        link: Link,
        known: &Known,
        report: fn(&Disagreement) -> !,
        limits: &Limits,
    ) {
        let chain = match known {
            Known::Sat(_) => "sat",
            Known::Unsat(_) => "unsat",
        };
        for referee in [Link::Bitblast, Link::Z3] {
            if referee == link {
                continue;
            }
            let verdict = match self.run(referee, store, query, limits) {
                Verdict::Sat(_) => "sat",
                Verdict::Unsat(_) => "unsat",
                Verdict::Unknown(_) => continue,
            };
            if verdict != chain {
                report(&Disagreement {
                    script: term::print::smtlib::script(store, query),
                    chain,
                    link,
                    referee: referee.name(),
                    verdict,
                });
            }
        }
    }
}

/// What became of a slice.
enum Settled {
    Known(Known),
    Unknown(Reason),
}

impl Settled {
    fn name(&self) -> &'static str {
        match self {
            Settled::Known(Known::Sat(_)) => "sat",
            Settled::Known(Known::Unsat(_)) => "unsat",
            Settled::Unknown(_) => "unknown",
        }
    }
}

/// The constraints of the query that a core over its tabled form stands for.
fn originals(query: &[Term], tabled: &Tabled, core: &[Term]) -> Vec<Term> {
    let pairs = query.iter().zip(&tabled.constraints);
    let named = pairs.filter(|(_, stands_for)| core.contains(stands_for));
    let mut all: Vec<Term> = named.map(|(&original, _)| original).collect();
    all.extend_from_slice(&tabled.spelled);
    all
}

/// Whether local search has been worth its time lately: after a row of
/// failures it is tried less and less often, until it succeeds again.
#[derive(Default)]
struct SearchRecord {
    failures: u32,
    skips: u32,
}

impl SearchRecord {
    fn pays(&mut self) -> bool {
        const FAILURES: u32 = 8;
        if self.failures < FAILURES {
            return true;
        }
        self.skips += 1;
        let interval = (self.failures / FAILURES).min(16);
        if self.skips >= interval {
            self.skips = 0;
            return true;
        }
        false
    }

    fn note(&mut self, found: bool) {
        self.failures = if found {
            self.failures / 4
        } else {
            self.failures + 1
        };
    }
}
