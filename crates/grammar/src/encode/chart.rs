//! A CYK table as a circuit.
//!
//! There is one gate a rule and span of the bytes that the rule may derive, with
//! one conjunction a way to divide the span. Which spans those are is found
//! before any gate is made, from the bytes that are already known and the
//! lengths that rules have.
//!
//! (The table is that of Cocke, Younger and Kasami; as a formula over variables: Quimper
//! and Walsh, *Global grammar constraints*, CP 2006.)

use super::{Membership, any_of, byte_in, possible};
use crate::cfg::Part;
use crate::letters::LetterSet;
use crate::normal::{Normal, Way};
use base::{Stop, Stopped};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Store, Term};

/// The chart of one language over some bytes.
///
/// ```
/// use grammar::{Membership, Normal, encode::chart::Chart, read};
/// use solver::Solver;
/// use term::{Sort, Store};
///
/// let grammar = read::bnf("<e> ::= \"()\" | \"(\" <e> \")\" | <e> <e>").unwrap();
/// let normal = Normal::new(&grammar.bytes().unwrap());
///
/// let mut store = Store::new();
/// let bytes: Vec<_> = (0..4).map(|i| store.var(&format!("b{i}"), Sort::Bv(8))).collect();
/// let stop = base::Stop::never();
/// let mut chart = Chart::new(&store, &normal, &bytes, &stop).unwrap();
/// let word = chart.prefix(&mut store, 4).unwrap();
/// let close = store.bv(8, b')'.into());
/// let closes_first = store.eq(bytes[1], close);
/// let opens_again = store.eq(bytes[2], close);
/// let mut solver = Solver::default();
/// assert!(solver.check(&mut store, &[word, closes_first]).is_sat()); // ()()
/// assert!(solver.check(&mut store, &[word, closes_first, opens_again]).is_unsat());
/// ```
pub struct Chart<'a> {
    normal: &'a Normal,
    bytes: Vec<Term>,
    /// The lengths of the words that each rule may have at each position.
    spans: Vec<Vec<Vec<u32>>>,
    gates: FxHashMap<Span, Term>,
    letters: FxHashMap<(u32, u32), Term>,
    stop: Stop,
}

/// A rule and the bytes it is to derive: length, rule, start. In this order a
/// span comes after those it needs.
type Span = (u32, u32, u32);

impl<'a> Chart<'a> {
    /// The chart over these bytes, terms of eight bits each. It gives up when the
    /// token is set.
    ///
    /// # Errors
    ///
    /// When the token is set before it is known which spans rules may derive.
    pub fn new(
        store: &Store,
        normal: &'a Normal,
        bytes: &[Term],
        stop: &Stop,
    ) -> Result<Chart<'a>, Stopped> {
        let known: Vec<LetterSet> = bytes.iter().map(|&byte| possible(store, byte)).collect();
        Ok(Chart {
            normal,
            bytes: bytes.to_vec(),
            spans: spans(normal, &known, stop)?,
            gates: FxHashMap::default(),
            letters: FxHashMap::default(),
            stop: stop.clone(),
        })
    }

    /// Gives up when this token is set, from now on.
    pub(super) fn set_stop(&mut self, stop: &Stop) {
        self.stop = stop.clone();
    }

    pub(super) fn derives(&self, part: Part, start: u32, length: u32) -> bool {
        match part {
            Part::Class(_) => length == 1,
            Part::Rule(rule) => {
                let lengths = &self.spans[rule as usize][start as usize];
                lengths.binary_search(&length).is_ok()
            }
        }
    }

    /// The ways to divide a span between two parts.
    fn splits(&self, a: Part, b: Part, start: u32, length: u32) -> Vec<u32> {
        let firsts: Vec<u32> = match a {
            Part::Class(_) => vec![1],
            Part::Rule(rule) => self.spans[rule as usize][start as usize].clone(),
        };
        let fits = |&first: &u32| first < length && self.derives(b, start + first, length - first);
        firsts.into_iter().filter(fits).collect()
    }

    /// The spans that one span needs and that have no gate yet, itself included.
    fn needed(&self, whole: Span) -> Result<Vec<Span>, Stopped> {
        let mut seen = FxHashSet::default();
        let mut waiting = vec![whole];
        while let Some(span @ (length, rule, start)) = waiting.pop() {
            if self.gates.contains_key(&span) || !seen.insert(span) {
                continue;
            }
            self.stop.check()?;
            for way in &self.normal.rules[rule as usize] {
                match *way {
                    Way::One(Part::Rule(inner))
                        if self.derives(Part::Rule(inner), start, length) =>
                    {
                        waiting.push((length, inner, start));
                    }
                    Way::One(_) => {}
                    Way::Two(a, b) => {
                        for first in self.splits(a, b, start, length) {
                            if let Part::Rule(a) = a {
                                waiting.push((first, a, start));
                            }
                            if let Part::Rule(b) = b {
                                waiting.push((length - first, b, start + first));
                            }
                        }
                    }
                }
            }
        }
        let mut spans: Vec<Span> = seen.into_iter().collect();
        spans.sort_unstable();
        Ok(spans)
    }

    fn gate(&mut self, store: &mut Store, (length, rule, start): Span) -> Term {
        let normal = self.normal;
        let mut ways = Vec::new();
        for way in &normal.rules[rule as usize] {
            match *way {
                Way::One(part) => {
                    if self.derives(part, start, length) {
                        ways.push(self.part(store, part, start, length));
                    }
                }
                Way::Two(a, b) => {
                    for first in self.splits(a, b, start, length) {
                        let left = self.part(store, a, start, first);
                        let right = self.part(store, b, start + first, length - first);
                        ways.push(store.and(left, right));
                    }
                }
            }
        }
        any_of(store, ways)
    }

    fn part(&mut self, store: &mut Store, part: Part, start: u32, length: u32) -> Term {
        match part {
            Part::Rule(rule) => self.gates[&(length, rule, start)],
            Part::Class(class) => {
                let (normal, byte) = (self.normal, self.bytes[start as usize]);
                *self
                    .letters
                    .entry((class, start))
                    .or_insert_with(|| byte_in(store, byte, &normal.classes[class as usize]))
            }
        }
    }
}

impl Chart<'_> {
    /// The condition that the part derives these bytes, which it may derive.
    pub(super) fn span(
        &mut self,
        store: &mut Store,
        part: Part,
        start: u32,
        length: u32,
    ) -> Result<Term, Stopped> {
        if let Part::Rule(rule) = part {
            for span in self.needed((length, rule, start))? {
                self.stop.check()?;
                let gate = self.gate(store, span);
                self.gates.insert(span, gate);
            }
        }
        Ok(self.part(store, part, start, length))
    }
}

impl Membership for Chart<'_> {
    fn prefix(&mut self, store: &mut Store, length: usize) -> Result<Term, Stopped> {
        if length == 0 {
            return Ok(store.bool(self.normal.empty));
        }
        let fits = |&start: &u32| {
            let length = length as u32;
            length as usize <= self.bytes.len() && self.derives(Part::Rule(start), 0, length)
        };
        let Some(start) = self.normal.start.filter(fits) else {
            return Ok(store.bool(false));
        };
        self.span(store, Part::Rule(start), 0, length as u32)
    }
}

/// The lengths that each rule's words may have from each position on, ascending,
/// when the bytes are in these sets.
fn spans(normal: &Normal, known: &[LetterSet], stop: &Stop) -> Result<Vec<Vec<Vec<u32>>>, Stopped> {
    let positions = known.len();
    let rules = normal.rules.len();
    let fits: Vec<Vec<bool>> = normal
        .classes
        .iter()
        .map(|class| known.iter().map(|set| set.meets(class)).collect())
        .collect();
    // By start and length, for a constant-time answer while the lists grow.
    let mut has = vec![vec![false; (positions + 1) * (positions + 1)]; rules];
    let mut lists = vec![vec![Vec::new(); positions + 1]; rules];
    let cell = |start: usize, length: usize| start * (positions + 1) + length;
    for length in 1..=positions {
        for (rule, ways) in normal.rules.iter().enumerate() {
            for start in 0..=positions - length {
                stop.check()?;
                let is = |part: Part, start: usize, length: usize| match part {
                    Part::Class(class) => length == 1 && fits[class as usize][start],
                    Part::Rule(rule) => has[rule as usize][cell(start, length)],
                };
                let found = ways.iter().any(|way| match *way {
                    Way::One(part) => is(part, start, length),
                    Way::Two(a, b) => match (a, b) {
                        _ if length < 2 => false,
                        (Part::Class(_), _) => is(a, start, 1) && is(b, start + 1, length - 1),
                        (_, Part::Class(_)) => {
                            is(b, start + length - 1, 1) && is(a, start, length - 1)
                        }
                        (Part::Rule(a), _) => {
                            let firsts: &Vec<u32> = &lists[a as usize][start];
                            firsts.iter().any(|&first| {
                                let first = first as usize;
                                first < length && is(b, start + first, length - first)
                            })
                        }
                    },
                });
                if found {
                    has[rule][cell(start, length)] = true;
                    lists[rule][start].push(length as u32);
                }
            }
        }
    }
    Ok(lists)
}
