//! HAMPI's core form: the words of one length as a bounded regular expression,
//! and the expression as a formula over the bytes it is laid on.
//!
//! The expression for a rule and a length is made once and shared by all that
//! contain it, whatever their position; a formula is made once an expression and
//! position. So the formula grows with a polynomial of the length, although the
//! expression written out would grow exponentially.
//!
//! (Kieżun, Ganesh, Guo, Hooimeijer and Ernst, *HAMPI: a solver for string constraints*,
//! ISSTA 2009.)

use super::{Membership, any_of, byte_in};
use crate::cfg::Part;
use crate::normal::{Normal, Way};
use base::{Stop, Stopped};
use rustc_hash::FxHashMap;
use term::{Store, Term};

type ExpressionId = u32;

/// A set of strings of one length.
enum Bounded {
    /// One letter of that class.
    Letter(u32),
    /// A string of the first, which has so many letters, then one of the second.
    Concat(ExpressionId, u32, ExpressionId),
    /// The strings of all of these.
    Union(Vec<ExpressionId>),
}

/// The core form of one language over some bytes.
pub struct Core<'a> {
    normal: &'a Normal,
    bytes: Vec<Term>,
    lengths: Vec<Vec<bool>>,
    expressions: Vec<Bounded>,
    letters: FxHashMap<u32, ExpressionId>,
    by_rule: FxHashMap<(u32, u32), ExpressionId>,
    formulas: FxHashMap<(ExpressionId, u32), Term>,
    stop: Stop,
}

impl<'a> Core<'a> {
    /// The core form over these bytes, terms of eight bits each.
    pub fn new(normal: &'a Normal, bytes: &[Term]) -> Core<'a> {
        Core {
            normal,
            bytes: bytes.to_vec(),
            lengths: normal.lengths(bytes.len()),
            expressions: Vec::new(),
            letters: FxHashMap::default(),
            by_rule: FxHashMap::default(),
            formulas: FxHashMap::default(),
            stop: Stop::never(),
        }
    }

    /// Gives up when the token is set.
    pub fn with_stop(mut self, stop: &Stop) -> Core<'a> {
        self.stop = stop.clone();
        self
    }

    fn has(&self, part: Part, length: u32) -> bool {
        match part {
            Part::Class(_) => length == 1,
            Part::Rule(rule) => self.lengths[rule as usize][length as usize],
        }
    }

    /// The words of a rule that have this length. What it is made of was made
    /// before: rules of smaller length, or of the same and a smaller number.
    fn expression(&mut self, rule: u32, length: u32) -> ExpressionId {
        let normal = self.normal;
        let mut union = Vec::new();
        for way in &normal.rules[rule as usize] {
            match *way {
                Way::One(part) if self.has(part, length) => union.push(self.part(part, length)),
                Way::One(_) => {}
                Way::Two(a, b) => {
                    for first in 1..length {
                        if self.has(a, first) && self.has(b, length - first) {
                            let (left, right) = (self.part(a, first), self.part(b, length - first));
                            union.push(self.push(Bounded::Concat(left, first, right)));
                        }
                    }
                }
            }
        }
        match union[..] {
            [single] => single,
            _ => self.push(Bounded::Union(union)),
        }
    }

    fn push(&mut self, expression: Bounded) -> ExpressionId {
        self.expressions.push(expression);
        self.expressions.len() as ExpressionId - 1
    }

    fn part(&mut self, part: Part, length: u32) -> ExpressionId {
        match part {
            Part::Rule(rule) => self.by_rule[&(rule, length)],
            Part::Class(class) => {
                if let Some(&known) = self.letters.get(&class) {
                    return known;
                }
                let letter = self.push(Bounded::Letter(class));
                self.letters.insert(class, letter);
                letter
            }
        }
    }

    /// The formula of an expression laid on the bytes from `start`.
    fn formula(
        &mut self,
        store: &mut Store,
        whole: ExpressionId,
        start: u32,
    ) -> Result<Term, Stopped> {
        let mut waiting = vec![(whole, start)];
        while let Some(&(id, start)) = waiting.last() {
            if self.formulas.contains_key(&(id, start)) {
                waiting.pop();
                continue;
            }
            let parts: Vec<(ExpressionId, u32)> = match &self.expressions[id as usize] {
                Bounded::Letter(_) => Vec::new(),
                Bounded::Concat(a, first, b) => vec![(*a, start), (*b, start + first)],
                Bounded::Union(all) => all.iter().map(|&each| (each, start)).collect(),
            };
            let before = waiting.len();
            let missing = parts
                .iter()
                .filter(|part| !self.formulas.contains_key(part));
            waiting.extend(missing);
            if waiting.len() > before {
                continue;
            }
            waiting.pop();
            self.stop.check()?;
            let formula = match &self.expressions[id as usize] {
                Bounded::Letter(class) => {
                    let set = &self.normal.classes[*class as usize];
                    byte_in(store, self.bytes[start as usize], set)
                }
                Bounded::Concat(..) => store.and_all(parts.iter().map(|part| self.formulas[part])),
                Bounded::Union(_) => any_of(
                    store,
                    parts.iter().map(|part| self.formulas[part]).collect(),
                ),
            };
            self.formulas.insert((id, start), formula);
        }
        Ok(self.formulas[&(whole, start)])
    }
}

impl Membership for Core<'_> {
    fn prefix(&mut self, store: &mut Store, length: usize) -> Result<Term, Stopped> {
        if length == 0 {
            return Ok(store.bool(self.normal.empty));
        }
        let fits =
            |&start: &u32| length <= self.bytes.len() && self.has(Part::Rule(start), length as u32);
        let Some(start) = self.normal.start.filter(fits) else {
            return Ok(store.bool(false));
        };
        for length in 1..=length as u32 {
            for rule in 0..self.normal.rules.len() as u32 {
                if self.has(Part::Rule(rule), length) && !self.by_rule.contains_key(&(rule, length))
                {
                    self.stop.check()?;
                    let expression = self.expression(rule, length);
                    self.by_rule.insert((rule, length), expression);
                }
            }
        }
        let whole = self.by_rule[&(start, length as u32)];
        self.formula(store, whole, 0)
    }
}
