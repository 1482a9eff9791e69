//! Regular languages as values, decided by derivatives.
//!
//! The derivative of a language by a character is what may follow that
//! character; a string is accepted when the derivative by all its characters
//! holds the empty string. The constructors keep expressions small (units,
//! idempotence), which keeps the number of distinct derivatives small.

use crate::text::CODE_POINTS;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A regular language over code points.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Regex {
    /// No string.
    None,
    /// The empty string alone.
    Empty,
    /// Every string of one character from the first to the second.
    Range(u32, u32),
    /// A string of the first, then one of the second.
    Concat(Rc<Regex>, Rc<Regex>),
    /// The strings of either.
    Union(Rc<Regex>, Rc<Regex>),
    /// The strings of both.
    Inter(Rc<Regex>, Rc<Regex>),
    /// Any number of strings of it.
    Star(Rc<Regex>),
    /// At least, and at most, so many strings of it.
    Loop(Rc<Regex>, u32, u32),
    /// Every string not in it.
    Complement(Rc<Regex>),
}

impl Regex {
    /// Whether the string is in the language.
    pub fn accepts(&self, s: &[u32]) -> bool {
        let mut derive = Derivatives::default();
        let mut rest = Rc::new(self.clone());
        for &c in s {
            rest = derive.by(&rest, c);
        }
        rest.nullable()
    }

    pub(crate) fn any_char() -> Regex {
        Regex::Range(0, CODE_POINTS - 1)
    }

    pub(crate) fn all() -> Regex {
        Regex::Star(Rc::new(Regex::any_char()))
    }

    pub(crate) fn literal(s: &[u32]) -> Regex {
        let chars = s.iter().rev().map(|&c| Rc::new(Regex::Range(c, c)));
        let whole = chars.fold(Rc::new(Regex::Empty), |rest, c| Regex::concat(&c, &rest));
        Regex::clone(&whole)
    }

    pub(crate) fn concat(a: &Rc<Regex>, b: &Rc<Regex>) -> Rc<Regex> {
        match (&**a, &**b) {
            (Regex::None, _) | (_, Regex::Empty) => a.clone(),
            (_, Regex::None) | (Regex::Empty, _) => b.clone(),
            _ => Rc::new(Regex::Concat(a.clone(), b.clone())),
        }
    }

    pub(crate) fn union(a: &Rc<Regex>, b: &Rc<Regex>) -> Rc<Regex> {
        match (&**a, &**b) {
            _ if a == b || b.has(a) => b.clone(),
            _ if a.has(b) => a.clone(),
            (Regex::None, _) => b.clone(),
            (_, Regex::None) => a.clone(),
            _ => Rc::new(Regex::Union(a.clone(), b.clone())),
        }
    }

    /// Whether `part` is already one side of this union.
    fn has(&self, part: &Rc<Regex>) -> bool {
        let mut whole = self;
        while let Regex::Union(a, b) = whole {
            if a == part || b == part {
                return true;
            }
            whole = a;
        }
        false
    }

    pub(crate) fn inter(a: &Rc<Regex>, b: &Rc<Regex>) -> Rc<Regex> {
        match (&**a, &**b) {
            _ if a == b => a.clone(),
            (Regex::None, _) => a.clone(),
            (_, Regex::None) => b.clone(),
            _ => Rc::new(Regex::Inter(a.clone(), b.clone())),
        }
    }

    pub(crate) fn star(a: &Rc<Regex>) -> Rc<Regex> {
        match &**a {
            Regex::None | Regex::Empty => Rc::new(Regex::Empty),
            Regex::Star(_) => a.clone(),
            _ => Rc::new(Regex::Star(a.clone())),
        }
    }

    pub(crate) fn complement(a: &Rc<Regex>) -> Rc<Regex> {
        match &**a {
            Regex::Complement(inner) => inner.clone(),
            _ => Rc::new(Regex::Complement(a.clone())),
        }
    }

    pub(crate) fn repeat(a: &Rc<Regex>, least: u32, most: u32) -> Rc<Regex> {
        match (least, most) {
            _ if least > most => Rc::new(Regex::None),
            (_, 0) => Rc::new(Regex::Empty),
            (1, 1) => a.clone(),
            _ => Rc::new(Regex::Loop(a.clone(), least, most)),
        }
    }

    /// Whether the empty string is in the language.
    fn nullable(&self) -> bool {
        match self {
            Regex::None | Regex::Range(..) => false,
            Regex::Empty | Regex::Star(_) => true,
            Regex::Concat(a, b) | Regex::Inter(a, b) => a.nullable() && b.nullable(),
            Regex::Union(a, b) => a.nullable() || b.nullable(),
            Regex::Loop(a, least, _) => *least == 0 || a.nullable(),
            Regex::Complement(a) => !a.nullable(),
        }
    }

    /// The shortest match that begins at `from`, as its end.
    fn match_at(&self, s: &[u32], from: usize, least: usize) -> Option<usize> {
        let mut derive = Derivatives::default();
        let mut rest = Rc::new(self.clone());
        if least == 0 && rest.nullable() {
            return Some(from);
        }
        for (at, &c) in s.iter().enumerate().skip(from) {
            rest = derive.by(&rest, c);
            if rest.nullable() {
                return Some(at + 1);
            }
        }
        None
    }

    /// `s` with its leftmost, shortest match replaced.
    pub(crate) fn replace(&self, s: &[u32], with: &[u32]) -> Vec<u32> {
        let found = (0..=s.len()).find_map(|from| Some((from, self.match_at(s, from, 0)?)));
        match found {
            Some((from, to)) => [&s[..from], with, &s[to..]].concat(),
            None => s.to_vec(),
        }
    }

    /// `s` with its leftmost, shortest nonempty matches replaced.
    pub(crate) fn replace_all(&self, s: &[u32], with: &[u32]) -> Vec<u32> {
        let (mut result, mut at) = (Vec::new(), 0);
        while at < s.len() {
            match self.match_at(s, at, 1) {
                Some(to) => {
                    result.extend_from_slice(with);
                    at = to;
                }
                None => {
                    result.push(s[at]);
                    at += 1;
                }
            }
        }
        result
    }
}

/// Derivatives already taken, by expression and character.
#[derive(Default)]
struct Derivatives(FxHashMap<(Rc<Regex>, u32), Rc<Regex>>);

impl Derivatives {
    fn by(&mut self, regex: &Rc<Regex>, c: u32) -> Rc<Regex> {
        let key = (regex.clone(), c);
        if let Some(known) = self.0.get(&key) {
            return known.clone();
        }
        let result = match &**regex {
            Regex::None | Regex::Empty => Rc::new(Regex::None),
            Regex::Range(low, high) if (*low..=*high).contains(&c) => Rc::new(Regex::Empty),
            Regex::Range(..) => Rc::new(Regex::None),
            Regex::Concat(a, b) => {
                let first = Regex::concat(&self.by(a, c), b);
                if a.nullable() {
                    Regex::union(&first, &self.by(b, c))
                } else {
                    first
                }
            }
            Regex::Union(a, b) => Regex::union(&self.by(a, c), &self.by(b, c)),
            Regex::Inter(a, b) => Regex::inter(&self.by(a, c), &self.by(b, c)),
            Regex::Star(a) => Regex::concat(&self.by(a, c), regex),
            Regex::Loop(a, least, most) => {
                let rest = Regex::repeat(a, least.saturating_sub(1), most - 1);
                Regex::concat(&self.by(a, c), &rest)
            }
            Regex::Complement(a) => Regex::complement(&self.by(a, c)),
        };
        self.0.insert(key, result.clone());
        result
    }
}
