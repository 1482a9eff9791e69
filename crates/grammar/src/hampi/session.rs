//! Solutions, one after the other.

use super::strings::{Encoded, Strings};
use super::{Assertion, Claim, Query, confirm};
use crate::cfg::Cfg;
use crate::encode::automaton::{Automaton, Unrolled};
use crate::encode::chart::Chart;
use crate::encode::core::Core;
use crate::encode::{Encoding, Membership};
use crate::grammar::RuleId;
use crate::normal::Normal;
use crate::problem::{Place, Problem};
use crate::regular::{self, Regular, RegularId};
use base::{Stop, Stopped};
use rustc_hash::FxHashMap;
use solver::{Answer, Config, Reason, Solver, Statistics};
use term::{Assignment, Evaluator, Store, Term};

/// How a query is answered.
#[derive(Clone, Default)]
pub struct Settings {
    /// How membership is encoded.
    pub encoding: Encoding,
    /// How the solver works.
    pub solver: Config,
    /// Gives solutions of small queries as the solver finds them, too.
    pub any_order: bool,
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// A value for each variable, in the order of the query; it was confirmed
    /// without the solver.
    Solution(Vec<Vec<u8>>),
    /// There is none, or no other than those given before.
    None,
    /// The solver gave up.
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// The query is beyond what is encoded.
    #[error("{0}")]
    TooLarge(Problem),
    /// The stop token was set while the query was encoded.
    #[error("{0}")]
    Stopped(Reason),
    /// The solver's values do not fulfil the query: a mistake in this program.
    #[error(
        "the solver's values {} do not fulfil the assertions; this is a bug",
        .0.iter().map(|value| super::quoted(value)).collect::<Vec<_>>().join(", ")
    )]
    Unconfirmed(Vec<Vec<u8>>),
}

/// Conjunctions up to which HAMPI's encoding is taken by itself.
const SMALL: u128 = 100_000;
/// Conjunctions beyond which a query is refused.
const LARGEST: u128 = 40_000_000;

/// Unknown bytes and terms up to which solutions come in a fixed order.
const FEW_BYTES: usize = 16;
const FEW_TERMS: usize = 30_000;

/// A query being answered.
pub struct Session<'a> {
    query: &'a Query,
    store: Store,
    solver: Solver,
    variables: Vec<Encoded>,
    constraints: Vec<Term>,
    /// The values, all printable.
    pleasant: Vec<Term>,
    grammars: FxHashMap<RuleId, Cfg>,
    encoding: Encoding,
    any_order: bool,
}

impl<'a> Session<'a> {
    /// Encodes the query.
    pub fn new(query: &'a Query, settings: Settings) -> Result<Session<'a>, Failure> {
        let mut store = Store::new();
        let strings = Strings::new(&mut store, query).map_err(|string| {
            let of = |assertion: &&Assertion| assertion.subject >= string;
            let place = query
                .assertions
                .iter()
                .find(of)
                .map_or(Place::START, |a| a.place);
            let words = "the lengths of its parts vary too much to put this string together; \
                         give the variables narrower ranges";
            Failure::TooLarge(Problem::new(place, words))
        })?;
        let mut session = Session {
            query,
            solver: Solver::new(settings.solver),
            variables: strings.variables.clone(),
            constraints: strings.demands.clone(),
            pleasant: Vec::new(),
            grammars: grammars(query),
            encoding: settings.encoding,
            any_order: settings.any_order,
            store: Store::new(),
        };
        let mut languages = Languages::default();
        for assertion in &query.assertions {
            session.stop().check().map_err(|it| session.stopped(it))?;
            let holds = session.claim(&mut store, &strings, assertion, &mut languages)?;
            let term = match assertion.negated {
                true => store.not(holds),
                false => holds,
            };
            session.constraints.push(term);
        }
        for variable in &strings.variables {
            for (at, &byte) in variable.bytes.iter().enumerate() {
                let (low, high) = (store.bv(8, b' '.into()), store.bv(8, b'~'.into()));
                let (above, below) = (store.bv_ule(low, byte), store.bv_ule(byte, high));
                let printable = store.and(above, below);
                let inside = variable.at_least(&store, at + 1);
                session.pleasant.push(store.implies(inside, printable));
            }
        }
        session.store = store;
        Ok(session)
    }

    /// Ends the search for solutions early when this token is set.
    pub fn set_stop(&mut self, stop: Stop) {
        self.solver.set_stop(stop);
    }

    /// What the solver did so far.
    pub fn statistics(&self) -> &Statistics {
        self.solver.statistics()
    }

    /// How many terms there are.
    pub fn terms(&self) -> usize {
        self.store.len()
    }

    /// The next solution: a printable one where there is one, and for small
    /// queries the first in an order that does not depend on the encoding.
    pub fn next_solution(&mut self) -> Result<Reply, Failure> {
        let model = match self.solver.check(&mut self.store, &self.constraints) {
            Answer::Sat(model) => model,
            Answer::Unsat(_) => return Ok(Reply::None),
            Answer::Unknown(reason) => return Ok(Reply::Unknown(reason)),
        };
        let mut values = self.values(&model);
        let printable = |value: &Vec<u8>| value.iter().all(|byte| (b' '..=b'~').contains(byte));
        let mut held = self.constraints.clone();
        let with_pleasant = [&self.constraints[..], &self.pleasant[..]].concat();
        if values.iter().all(printable) {
            held = with_pleasant;
        } else if let Answer::Sat(model) = self.solver.check(&mut self.store, &with_pleasant) {
            values = self.values(&model);
            held = with_pleasant;
        }
        let unknown: usize = self.query.variables.iter().map(|v| v.most).sum();
        let small = unknown <= FEW_BYTES && self.store.len() <= FEW_TERMS;
        if small && !self.any_order {
            self.settle(held, &mut values);
        }
        if !confirm::fulfils(self.query, &self.grammars, &values) {
            return Err(Failure::Unconfirmed(values));
        }
        let same = self.equals(&values);
        let other = self.store.not(same);
        self.constraints.push(other);
        Ok(Reply::Solution(values))
    }

    /// Goes from a solution to the one that comes first: the shortest, and of
    /// those the last in the order of a dictionary, variable by variable. Stops
    /// where the solver gives up; what it has then is a solution too.
    fn settle(&mut self, mut held: Vec<Term>, values: &mut Vec<Vec<u8>>) {
        for variable in 0..self.variables.len() {
            let lengths = self.variables[variable].lengths.clone();
            for (length, condition) in lengths {
                if length >= values[variable].len() {
                    break;
                }
                match self.check_with(&held, condition) {
                    Answer::Sat(model) => *values = self.values(&model),
                    Answer::Unsat(_) => {}
                    Answer::Unknown(_) => return,
                }
            }
            let length = values[variable].len();
            held.push(self.variables[variable].exactly(&self.store, length));
            for at in 0..length {
                let byte = self.variables[variable].bytes[at];
                let mut high = u8::MAX;
                while values[variable][at] < high {
                    let low = values[variable][at];
                    let middle = low + (high - low).div_ceil(2);
                    let middle_term = self.store.bv(8, middle.into());
                    let above = self.store.bv_ule(middle_term, byte);
                    match self.check_with(&held, above) {
                        Answer::Sat(model) => *values = self.values(&model),
                        Answer::Unsat(_) => high = middle - 1,
                        Answer::Unknown(_) => return,
                    }
                }
                let value = self.store.bv(8, high.into());
                held.push(self.store.eq(byte, value));
            }
        }
    }

    fn check_with(&mut self, held: &[Term], more: Term) -> Answer {
        let query = [held, &[more]].concat();
        self.solver.check(&mut self.store, &query)
    }

    fn values(&self, model: &Assignment) -> Vec<Vec<u8>> {
        let mut evaluator = Evaluator::default();
        let mut evaluation = evaluator.under(&self.store, model);
        let value = |variable: &Encoded| {
            let lengths = variable.lengths.iter();
            let length = lengths
                .filter(|&&(_, condition)| evaluation.holds(condition))
                .map(|&(length, _)| length)
                .next();
            let bytes = variable.bytes[..length.unwrap_or(0)].iter();
            bytes.map(|&byte| evaluation.word(byte) as u8).collect()
        };
        self.variables.iter().map(value).collect()
    }

    /// The condition that the variables have these values.
    fn equals(&mut self, values: &[Vec<u8>]) -> Term {
        let store = &mut self.store;
        let mut all = store.bool(true);
        for (variable, value) in self.variables.iter().zip(values) {
            let length = variable.exactly(store, value.len());
            all = store.and(all, length);
            for (&term, &byte) in variable.bytes.iter().zip(value) {
                let byte = store.bv(8, byte.into());
                let same = store.eq(term, byte);
                all = store.and(all, same);
            }
        }
        all
    }

    fn claim(
        &self,
        store: &mut Store,
        strings: &Strings,
        assertion: &Assertion,
        languages: &mut Languages,
    ) -> Result<Term, Failure> {
        let subject = &strings.all[assertion.subject];
        let place = assertion.place;
        Ok(match &assertion.claim {
            Claim::Contains(part) => {
                let starts = (subject.bytes.len() + 1).saturating_sub(part.len());
                refuse_above_largest(starts as u128 * part.len() as u128, subject, place)?;
                contains(store, subject, part)
            }
            Claim::Equals(other) => equal(store, subject, &strings.all[*other]),
            Claim::InGrammar(rule) => {
                let normal = languages.grammar(self, *rule);
                self.word(store, normal, subject, place)?
            }
            Claim::InRegular(root) => match self.query.regular[*root] {
                // All of a language fixed in size: no need to write it out.
                Regular::Fixed(number, length) => {
                    let normal = languages.grammar(self, self.query.fixed[number]);
                    let bytes = subject.bytes.iter().take(length).copied().collect();
                    let lengths = vec![(length, subject.exactly(store, length))];
                    let only = Encoded::new(store, bytes, lengths);
                    match subject.bytes.len() < length {
                        true => store.bool(false),
                        false => self.word(store, normal, &only, place)?,
                    }
                }
                _ => self.regular(store, *root, subject, languages, place)?,
            },
        })
    }

    fn regular(
        &self,
        store: &mut Store,
        root: RegularId,
        subject: &Encoded,
        languages: &mut Languages,
        place: Place,
    ) -> Result<Term, Failure> {
        let by_core = self.encoding == Encoding::Core;
        if !by_core && let Some(automaton) = Automaton::new(&self.query.regular, root) {
            let size = automaton.edges() as u128 * subject.bytes.len() as u128;
            refuse_above_largest(size, subject, place)?;
            let mut unrolled = Unrolled::new(&automaton, &subject.bytes).with_stop(self.stop());
            let word = unrolled.word(store, &subject.lengths);
            return word.map_err(|stopped| self.stopped(stopped));
        }
        let fixed = self.query.fixed.iter();
        let fixed: Vec<Normal> = fixed
            .map(|&rule| languages.grammar(self, rule).clone())
            .collect();
        let cfg = regular::to_cfg(&self.query.regular, root, &fixed);
        self.word(store, &Normal::new(&cfg), subject, place)
    }

    fn word(
        &self,
        store: &mut Store,
        normal: &Normal,
        subject: &Encoded,
        place: Place,
    ) -> Result<Term, Failure> {
        let length = subject.bytes.len() as u128;
        let size = normal.ways() as u128 * length.pow(3) / 6;
        refuse_above_largest(size, subject, place)?;
        let core = match self.encoding {
            Encoding::Core => true,
            Encoding::Chart => false,
            Encoding::Auto => size <= SMALL,
        };
        let word = match core {
            true => Core::new(normal, &subject.bytes)
                .with_stop(self.stop())
                .word(store, &subject.lengths),
            false => Chart::new(store, normal, &subject.bytes, self.stop())
                .and_then(|mut chart| chart.word(store, &subject.lengths)),
        };
        word.map_err(|stopped| self.stopped(stopped))
    }

    fn stop(&self) -> &Stop {
        self.solver.stop()
    }

    fn stopped(&self, _: Stopped) -> Failure {
        Failure::Stopped(Reason::of_stop(self.stop()).unwrap_or(Reason::Interrupted))
    }
}

/// Refuses an assertion whose formula would have some so many parts.
fn refuse_above_largest(size: u128, subject: &Encoded, place: Place) -> Result<(), Failure> {
    if size <= LARGEST {
        return Ok(());
    }
    let words = format!(
        "strings of {} bytes are too long for this: the formula would have some {size} parts, \
         and {LARGEST} is the most; shorten the variables",
        subject.bytes.len()
    );
    Err(Failure::TooLarge(Problem::new(place, words)))
}

/// The context-free languages in normal form.
#[derive(Default)]
struct Languages(FxHashMap<RuleId, Normal>);

impl Languages {
    fn grammar(&mut self, session: &Session, rule: RuleId) -> &Normal {
        let grammars = &session.grammars;
        self.0
            .entry(rule)
            .or_insert_with(|| Normal::new(&grammars[&rule]))
    }
}

/// The grammars over bytes of the rules that the query names.
fn grammars(query: &Query) -> FxHashMap<RuleId, Cfg> {
    let claimed = query.assertions.iter().filter_map(|a| match a.claim {
        Claim::InGrammar(rule) => Some(rule),
        _ => None,
    });
    let rules = claimed.chain(query.fixed.iter().copied());
    let Some(grammar) = &query.grammar else {
        return FxHashMap::default();
    };
    rules.map(|rule| (rule, grammar.bytes_of(rule))).collect()
}

fn contains(store: &mut Store, subject: &Encoded, part: &[u8]) -> Term {
    let mut any = store.bool(part.is_empty());
    for start in 0..(subject.bytes.len() + 1).saturating_sub(part.len()) {
        let mut here = subject.at_least(store, start + part.len());
        for (&byte, &wanted) in subject.bytes[start..].iter().zip(part) {
            let wanted = store.bv(8, wanted.into());
            let same = store.eq(byte, wanted);
            here = store.and(here, same);
        }
        any = store.or(any, here);
    }
    any
}

fn equal(store: &mut Store, a: &Encoded, b: &Encoded) -> Term {
    let mut same_length = store.bool(false);
    for &(length, condition) in &a.lengths {
        let other = b.exactly(store, length);
        let both = store.and(condition, other);
        same_length = store.or(same_length, both);
    }
    let mut all = same_length;
    for at in 0..a.bytes.len().min(b.bytes.len()) {
        let same = store.eq(a.bytes[at], b.bytes[at]);
        let inside = a.at_least(store, at + 1);
        let same = store.implies(inside, same);
        all = store.and(all, same);
    }
    all
}
