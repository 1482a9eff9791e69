//! Refutation by known bits and intervals.
//!
//! Comparisons of a term with constants narrow what the term can be; what is
//! known of the terms above it follows by the same analysis that construction
//! uses. When a term has no value left, or a constraint cannot hold on what is
//! left, the query is refuted without any search.

use rustc_hash::FxHashMap;
use term::{Facts, Op, Store, Term};

/// Terms visited before the analysis gives up.
const MOST_TERMS: usize = 2_000;

/// Some of the constraints that exclude each other, if that shows cheaply.
pub(crate) fn refute(store: &Store, constraints: &[Term]) -> Option<Vec<Term>> {
    let bounds = match Bounds::gathered(store, constraints) {
        Ok(bounds) => bounds,
        Err(core) => return Some(core),
    };
    if bounds.by_term.is_empty() {
        return None;
    }
    let mut refined = Refined::new(store, &bounds);
    let refuted = constraints
        .iter()
        .find(|&&constraint| refined.truth(constraint) == Some(false))?;
    Some(refined.reasons(*refuted))
}

/// What a constraint says about one term of at most 64 bits.
struct Fact {
    term: Term,
    width: u32,
    says: Says,
}

enum Says {
    /// Its unsigned value is in this range.
    Between(u64, u64),
    /// Its value, with the sign bit turned over, is in this range.
    SignedBetween(u64, u64),
    Not(u64),
}

impl Fact {
    fn of(store: &Store, constraint: Term) -> Option<Fact> {
        let (atom, positive) = match store.op(constraint) {
            Op::Not => (store.args(constraint)[0], false),
            _ => (constraint, true),
        };
        let op = store.op(atom);
        if !matches!(op, Op::Eq | Op::Ult | Op::Slt) {
            return None;
        }
        let &[a, b] = store.args(atom) else {
            return None;
        };
        let width = u32::from(store.width(a));
        if width == 0 || width > 64 {
            return None;
        }
        let top = u64::MAX >> (64 - width);
        let flip = if op == Op::Slt {
            1u64 << (width - 1)
        } else {
            0
        };
        // `a < c` or `c < a`, as a range of `a`; empty ranges were folded away.
        let (term, low, high) = match (op, store.as_word(a), store.as_word(b)) {
            (Op::Eq, None, Some(c)) => {
                let says = if positive {
                    Says::Between(c, c)
                } else {
                    Says::Not(c)
                };
                return Some(Fact {
                    term: a,
                    width,
                    says,
                });
            }
            (_, None, Some(c)) => {
                let c = c ^ flip;
                if positive {
                    (a, 0, c.checked_sub(1)?)
                } else {
                    (a, c, top)
                }
            }
            (_, Some(c), None) => {
                let c = c ^ flip;
                if positive {
                    (b, c.checked_add(1)?, top)
                } else {
                    (b, 0, c)
                }
            }
            _ => return None,
        };
        let says = if op == Op::Slt {
            Says::SignedBetween(low, high)
        } else {
            Says::Between(low, high)
        };
        Some(Fact { term, width, says })
    }
}

/// What the constraints leave of a term, and which of them said so.
struct Bound {
    width: u32,
    unsigned: (u64, u64),
    /// With the sign bit turned over.
    signed: (u64, u64),
    holes: Vec<(u64, Term)>,
    because: Vec<Term>,
}

/// What constraints leave of the terms that they compare with constants.
#[derive(Default)]
pub(crate) struct Bounds {
    by_term: FxHashMap<Term, Bound>,
}

impl Bounds {
    /// The bounds of constraints that do not exclude each other at once; none if there are none.
    pub fn of(store: &Store, constraints: &[Term]) -> Option<Bounds> {
        let bounds = Bounds::gathered(store, constraints).ok()?;
        (!bounds.by_term.is_empty()).then_some(bounds)
    }

    /// The constraints that say the bounds.
    pub fn reasons(&self) -> Vec<Term> {
        let bounds = self.by_term.values();
        let mut reasons: Vec<Term> = bounds.flat_map(|it| it.because.iter().copied()).collect();
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }

    /// The bounds, or a core when nothing is left of a term.
    fn gathered(store: &Store, constraints: &[Term]) -> Result<Bounds, Vec<Term>> {
        let mut bounds = Bounds::default();
        for &constraint in constraints {
            if let Some(fact) = Fact::of(store, constraint)
                && let Some(core) = bounds.narrow(fact, constraint)
            {
                return Err(core);
            }
        }
        for _ in 0..2 {
            if let Some(core) = bounds.shave() {
                return Err(core);
            }
        }
        Ok(bounds)
    }

    /// Takes the fact in; a core when nothing is left of its term.
    fn narrow(&mut self, fact: Fact, constraint: Term) -> Option<Vec<Term>> {
        let top = u64::MAX >> (64 - fact.width);
        let bound = self.by_term.entry(fact.term).or_insert_with(|| Bound {
            width: fact.width,
            unsigned: (0, top),
            signed: (0, top),
            holes: Vec::new(),
            because: Vec::new(),
        });
        let tighten = |(low, high): &mut (u64, u64), l: u64, h: u64| {
            let before = (*low, *high);
            (*low, *high) = ((*low).max(l), (*high).min(h));
            before != (*low, *high)
        };
        let changed = match fact.says {
            Says::Between(low, high) => tighten(&mut bound.unsigned, low, high),
            Says::SignedBetween(low, high) => tighten(&mut bound.signed, low, high),
            Says::Not(value) => {
                bound.holes.push((value, constraint));
                false
            }
        };
        if !changed {
            return None;
        }
        bound.because.push(constraint);
        bound.exchange();
        bound.is_empty().then(|| bound.because.clone())
    }

    /// Moves the ends of each range past values that are excluded.
    fn shave(&mut self) -> Option<Vec<Term>> {
        for bound in self.by_term.values_mut() {
            if bound.holes.is_empty() {
                continue;
            }
            bound.holes.sort_unstable();
            let flip = 1u64 << (bound.width - 1);
            let mut changed = true;
            while changed {
                changed = false;
                for &(hole, why) in &bound.holes {
                    if bound.is_empty() {
                        break;
                    }
                    let ends = [
                        (&mut bound.unsigned, hole),
                        (&mut bound.signed, hole ^ flip),
                    ];
                    for ((low, high), hole) in ends {
                        if (*low != hole && *high != hole) || *low > *high {
                            continue;
                        }
                        if *low == *high {
                            (*low, *high) = (1, 0);
                        } else if *low == hole {
                            *low += 1;
                        } else {
                            *high -= 1;
                        }
                        changed = true;
                        if !bound.because.contains(&why) {
                            bound.because.push(why);
                        }
                    }
                }
                if bound.is_empty() {
                    return Some(bound.because.clone());
                }
            }
            bound.exchange();
            if bound.is_empty() {
                return Some(bound.because.clone());
            }
        }
        None
    }
}

impl Bound {
    fn is_empty(&self) -> bool {
        self.unsigned.0 > self.unsigned.1 || self.signed.0 > self.signed.1
    }

    /// Lets the unsigned and the signed range narrow each other where one of
    /// them lies on one side of the sign.
    fn exchange(&mut self) {
        let flip = 1u64 << (self.width - 1);
        for _ in 0..2 {
            if self.is_empty() {
                return;
            }
            let (a, b) = (self.unsigned, self.signed);
            self.unsigned = meet_flipped(a, b, flip);
            self.signed = meet_flipped(b, a, flip);
        }
    }
}

/// `range` narrowed by `other`, in which the sign bit is turned over.
fn meet_flipped(range: (u64, u64), other: (u64, u64), flip: u64) -> (u64, u64) {
    if other.0 & flip == other.1 & flip {
        let (low, high) = (other.0 ^ flip, other.1 ^ flip);
        (range.0.max(low), range.1.min(high))
    } else if range.0 & flip == range.1 & flip {
        // Only the part of `other` on the same side counts.
        let (low, high) = if range.0 & flip == 0 {
            (0, other.1 ^ flip)
        } else {
            (other.0 ^ flip, u64::MAX)
        };
        (range.0.max(low), range.1.min(high))
    } else {
        range
    }
}

/// Facts of terms under the bounds.
pub(crate) struct Refined<'a> {
    store: &'a Store,
    bounds: &'a Bounds,
    facts: FxHashMap<Term, Facts>,
}

impl<'a> Refined<'a> {
    pub fn new(store: &'a Store, bounds: &'a Bounds) -> Refined<'a> {
        Refined {
            store,
            bounds,
            facts: FxHashMap::default(),
        }
    }

    /// Whether the constraint holds, if the facts decide it.
    pub fn truth(&mut self, constraint: Term) -> Option<bool> {
        let (atom, positive) = match self.store.op(constraint) {
            Op::Not => (self.store.args(constraint)[0], false),
            _ => (constraint, true),
        };
        let op = self.store.op(atom);
        if !matches!(op, Op::Eq | Op::Ult | Op::Slt) {
            return None;
        }
        let &[a, b] = self.store.args(atom) else {
            return None;
        };
        let width = u32::from(self.store.width(a));
        if width == 0 || width > 64 {
            return None;
        }
        let (a, b) = (self.of(a)?, self.of(b)?);
        let truth = match op {
            Op::Eq => a.equals(&b),
            Op::Ult => a.less(&b),
            _ => a.signed_less(&b, width),
        };
        truth.map(|truth| truth == positive)
    }

    /// The constraint and those that bound the terms it is made of.
    fn reasons(&self, constraint: Term) -> Vec<Term> {
        let mut reasons = vec![constraint];
        for term in term::post_order(self.store, &[constraint]) {
            if let Some(bound) = self.bounds.by_term.get(&term) {
                reasons.extend_from_slice(&bound.because);
            }
        }
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }

    /// The term's facts; none when there are too many terms to look at.
    pub fn of(&mut self, root: Term) -> Option<Facts> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.facts.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let vectors = |&&arg: &&Term| (1..=64).contains(&self.store.width(arg));
            let args = self.store.args(term).iter().filter(vectors);
            stack.extend(args.filter(|arg| !self.facts.contains_key(arg)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if self.facts.len() >= MOST_TERMS {
                return None;
            }
            let mut facts = self.store.facts_given(term, |arg| {
                self.facts.get(&arg).copied().unwrap_or(Facts::unknown(64))
            });
            if let Some(bound) = self.bounds.by_term.get(&term) {
                let bound = Facts::between(bound.unsigned.0, bound.unsigned.1);
                facts = facts.meet(bound).unwrap_or(facts);
            }
            self.facts.insert(term, facts);
        }
        self.facts.get(&root).copied()
    }
}
