//! "These bytes begin a word" as a term, over no more bytes than are there.
//!
//! A program reads its input byte by byte, and long before it has read all of it
//! asks what the bytes so far can be. They can be what some word begins with that
//! is not too long. The gate of a rule, a position and a room says that the bytes
//! from there to the last begin a word of the rule that needs at most so many
//! more; spans in the middle, which are whole words of rules, are those of the
//! [`Chart`].

use super::Membership;
use super::any_of;
use super::chart::Chart;
use crate::cfg::Part;
use crate::normal::{Normal, Way, least_of};
use base::{Stop, Stopped};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use term::{Store, Term};

/// The beginnings of the words of one language over some bytes.
///
/// ```
/// use grammar::{Normal, encode::viable::Beginnings, read};
/// use solver::Solver;
/// use term::{Sort, Store};
///
/// let grammar = read::bnf("<e> ::= \"()\" | \"(\" <e> \")\" | <e> <e>").unwrap();
/// let normal = Normal::new(&grammar.bytes().unwrap());
///
/// // Words of up to four bytes, of which two have been read.
/// let mut store = Store::new();
/// let bytes: Vec<_> = (0..4).map(|i| store.var(&format!("b{i}"), Sort::Bv(8))).collect();
/// let stop = base::Stop::never();
/// let mut beginnings = Beginnings::new(&store, &normal, &bytes, &stop).unwrap();
/// let viable = beginnings.begin(&mut store, 3).unwrap();
/// let open = store.bv(8, b'('.into());
/// let opens: Vec<_> = (1..3).map(|i| store.eq(bytes[i], open)).collect();
/// let mut solver = Solver::default();
/// assert!(solver.check(&mut store, &[viable, opens[1]]).is_sat()); // ()( and then )
/// assert!(solver.check(&mut store, &[viable, opens[0], opens[1]]).is_unsat());
/// ```
pub struct Beginnings<'a> {
    normal: &'a Normal,
    chart: Chart<'a>,
    /// The length of each rule's shortest word.
    least: Vec<usize>,
    /// The greatest length of a word.
    most: usize,
    /// The terms by length, once they were asked for.
    known: FxHashMap<usize, Term>,
    stop: Stop,
}

/// A rule, where it starts, and how many bytes may be missing at its end. In this
/// order a gate comes after those it needs.
type Open = (Reverse<usize>, usize, u32);

impl<'a> Beginnings<'a> {
    /// The beginnings of words that fit into these bytes, terms of eight bits each.
    ///
    /// # Errors
    ///
    /// When `stop` is set before it is known which spans rules may derive.
    pub fn new(
        store: &Store,
        normal: &'a Normal,
        bytes: &[Term],
        stop: &Stop,
    ) -> Result<Beginnings<'a>, Stopped> {
        Ok(Beginnings {
            normal,
            chart: Chart::new(store, normal, bytes, stop)?,
            least: normal.least_lengths(),
            most: bytes.len(),
            known: FxHashMap::default(),
            stop: stop.clone(),
        })
    }

    /// Gives up when this token is set, from now on.
    pub fn set_stop(&mut self, stop: &Stop) {
        self.stop = stop.clone();
        self.chart.set_stop(stop);
    }

    /// The condition that the first `length` bytes are a word.
    ///
    /// # Errors
    ///
    /// When the token is set before all its terms are made.
    pub fn word(&mut self, store: &mut Store, length: usize) -> Result<Term, Stopped> {
        self.chart.prefix(store, length)
    }

    /// The condition that a word begins with the first `length` bytes and fits
    /// into all of them.
    ///
    /// # Errors
    ///
    /// When the token is set before all its terms are made.
    pub fn begin(&mut self, store: &mut Store, length: usize) -> Result<Term, Stopped> {
        if let Some(&known) = self.known.get(&length) {
            return Ok(known);
        }
        let term = match self.normal.start {
            _ if length > self.most => store.bool(false),
            None => store.bool(length == 0 && self.normal.empty),
            Some(start) if length == 0 => {
                let fits = self.least[start as usize] <= self.most;
                store.bool(self.normal.empty || fits)
            }
            Some(start) => self.open(store, start, length)?,
        };
        self.known.insert(length, term);
        Ok(term)
    }

    /// The gate of the start rule over all of the bytes up to `end`.
    fn open(&mut self, store: &mut Store, start: u32, end: usize) -> Result<Term, Stopped> {
        let whole = (Reverse(0), self.most - end, start);
        let mut gates: FxHashMap<Open, Term> = FxHashMap::default();
        for open in self.needed(whole, end)? {
            self.stop.check()?;
            let gate = self.gate(store, &gates, open, end)?;
            gates.insert(open, gate);
        }
        Ok(gates[&whole])
    }

    /// The gates that one gate needs, itself included.
    fn needed(&self, whole: Open, end: usize) -> Result<Vec<Open>, Stopped> {
        let mut seen = FxHashSet::default();
        let mut waiting = vec![whole];
        while let Some(open @ (Reverse(from), room, rule)) = waiting.pop() {
            if !seen.insert(open) {
                continue;
            }
            self.stop.check()?;
            for &way in &self.normal.rules[rule as usize] {
                match way {
                    Way::One(Part::Rule(inner)) => waiting.push((Reverse(from), room, inner)),
                    Way::One(Part::Class(_)) => {}
                    Way::Two(a, b) => {
                        let rest = room.checked_sub(least_of(b, &self.least));
                        if let (Part::Rule(a), Some(rest)) = (a, rest) {
                            waiting.push((Reverse(from), rest, a));
                        }
                        if let Part::Rule(inner) = b {
                            let middles = self.middles(a, from, end).into_iter();
                            waiting.extend(middles.map(|at| (Reverse(at), room, inner)));
                        }
                    }
                }
            }
        }
        let mut all: Vec<Open> = seen.into_iter().collect();
        all.sort_unstable();
        Ok(all)
    }

    /// Where a word of the part that starts here may end, before the last byte.
    fn middles(&self, part: Part, from: usize, end: usize) -> Vec<usize> {
        let derives = |&at: &usize| self.chart.derives(part, from as u32, (at - from) as u32);
        (from + 1..end).filter(derives).collect()
    }

    fn gate(
        &mut self,
        store: &mut Store,
        gates: &FxHashMap<Open, Term>,
        (Reverse(from), room, rule): Open,
        end: usize,
    ) -> Result<Term, Stopped> {
        let normal = self.normal;
        let mut ways = Vec::new();
        for &way in &normal.rules[rule as usize] {
            match way {
                Way::One(part) => ways.push(self.last(store, gates, part, from, room, end)?),
                Way::Two(a, b) => {
                    if let Some(rest) = room.checked_sub(least_of(b, &self.least)) {
                        ways.push(self.last(store, gates, a, from, rest, end)?);
                    }
                    for at in self.middles(a, from, end) {
                        let right = self.last(store, gates, b, at, room, end)?;
                        if store.as_bool(right) == Some(false) {
                            continue;
                        }
                        let length = (at - from) as u32;
                        let left = self.chart.span(store, a, from as u32, length)?;
                        ways.push(store.and(left, right));
                    }
                }
            }
        }
        ways.retain(|&way| store.as_bool(way) != Some(false));
        Ok(any_of(store, ways))
    }

    /// The condition that the part begins with the bytes from here to the last.
    fn last(
        &mut self,
        store: &mut Store,
        gates: &FxHashMap<Open, Term>,
        part: Part,
        from: usize,
        room: usize,
        end: usize,
    ) -> Result<Term, Stopped> {
        match part {
            Part::Rule(rule) => Ok(gates[&(Reverse(from), room, rule)]),
            Part::Class(_) if from + 1 == end => self.chart.span(store, part, from as u32, 1),
            Part::Class(_) => Ok(store.bool(false)),
        }
    }
}
