//! What is known of a bit-vector term whatever its variables are: bits that
//! never change and the interval its unsigned value lies in.
//!
//! Computed once, when the term is made, from the facts of its arguments;
//! widths to 64 only. Wider terms and other sorts know nothing.

use crate::bits::mask;
use crate::op::Op;
use crate::store::{Node, Store, Term};

/// Fixed bits and an unsigned interval, both of which always hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Bits that are zero under every assignment.
    pub zeros: u64,
    /// Bits that are one under every assignment.
    pub ones: u64,
    /// The least unsigned value.
    pub min: u64,
    /// The greatest unsigned value.
    pub max: u64,
}

impl Facts {
    /// Nothing but the width, which is at most 64.
    pub fn unknown(width: u32) -> Facts {
        Facts {
            zeros: !mask(width),
            ones: 0,
            min: 0,
            max: mask(width),
        }
    }

    /// Exactly this value.
    pub fn exactly(word: u64) -> Facts {
        Facts {
            zeros: !word,
            ones: word,
            min: word,
            max: word,
        }
    }

    /// The only value possible, if there is only one.
    pub fn single(&self) -> Option<u64> {
        (self.min == self.max).then_some(self.min)
    }

    /// Whether the value may be `word`.
    pub fn allows(&self, word: u64) -> bool {
        word & self.zeros == 0 && !word & self.ones == 0 && (self.min..=self.max).contains(&word)
    }

    fn bits(zeros: u64, ones: u64) -> Facts {
        Facts {
            zeros,
            ones,
            min: ones,
            max: !zeros,
        }
    }

    /// Anything from `min` to `max`.
    pub fn between(min: u64, max: u64) -> Facts {
        // The bits above the highest in which the ends differ are common to all.
        let differing = 64 - (min ^ max).leading_zeros();
        let common = !mask(differing);
        Facts {
            zeros: !min & common,
            ones: min & common,
            min,
            max,
        }
    }

    /// Both facts at once; none when they contradict each other.
    pub fn meet(self, other: Facts) -> Option<Facts> {
        let (zeros, ones) = (self.zeros | other.zeros, self.ones | other.ones);
        let min = self.min.max(other.min).max(ones);
        let max = self.max.min(other.max).min(!zeros);
        if zeros & ones != 0 || min > max {
            return None;
        }
        let range = Facts::between(min, max);
        let (zeros, ones) = (zeros | range.zeros, ones | range.ones);
        (zeros & ones == 0).then_some(Facts {
            zeros,
            ones,
            min,
            max,
        })
    }

    /// Both facts at once, where both are known to hold.
    fn both(self, other: Facts) -> Facts {
        self.meet(other).unwrap_or(self)
    }

    /// Whether two values are equal, if the facts decide it.
    pub fn equals(&self, other: &Facts) -> Option<bool> {
        if self.meet(*other).is_none() {
            Some(false)
        } else {
            (self.single().is_some() && self.single() == other.single()).then_some(true)
        }
    }

    /// Whether one value is less than another, unsigned, if the facts decide it.
    pub fn less(&self, other: &Facts) -> Option<bool> {
        if self.max < other.min {
            Some(true)
        } else if self.min >= other.max {
            Some(false)
        } else {
            None
        }
    }

    /// Whether one value of this width is less than another, signed, if the
    /// facts decide it.
    pub fn signed_less(&self, other: &Facts, width: u32) -> Option<bool> {
        let sign = 1 << (width - 1);
        let negative = |facts: &Facts| match (facts.ones & sign, facts.zeros & sign) {
            (0, 0) => None,
            (one, _) => Some(one != 0),
        };
        match (negative(self), negative(other)) {
            (Some(true), Some(false)) => Some(true),
            (Some(false), Some(true)) => Some(false),
            (Some(a), Some(b)) if a == b => self.less(other),
            _ => None,
        }
    }

    fn join(self, other: Facts) -> Facts {
        Facts {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// The facts of a node, from those of its arguments.
    pub(crate) fn of(store: &Store, node: &Node, fact: impl Fn(Term) -> Facts) -> Facts {
        let width = u32::from(node.sort.bv_width());
        if width == 0 || width > 64 {
            return Facts::unknown(0);
        }
        let [a, b, c] = node.slots;
        let unknown = Facts::unknown(width);
        match node.op {
            Op::Const => Facts::exactly(u64::from(a.0) | u64::from(b.0) << 32),
            Op::Ite => fact(b).join(fact(c)),
            Op::BvNot => {
                let a = fact(a);
                Facts::bits(a.ones | !mask(width), a.zeros & mask(width))
                    .both(Facts::between(!a.max & mask(width), !a.min & mask(width)))
            }
            Op::BvAnd => {
                let (a, b) = (fact(a), fact(b));
                Facts::bits(a.zeros | b.zeros, a.ones & b.ones)
                    .both(Facts::between(0, a.max.min(b.max)))
            }
            Op::BvOr => {
                let (a, b) = (fact(a), fact(b));
                Facts::bits(a.zeros & b.zeros, a.ones | b.ones)
                    .both(Facts::between(a.min.max(b.min), mask(width)))
            }
            Op::BvXor => {
                let (a, b) = (fact(a), fact(b));
                Facts::bits(
                    a.zeros & b.zeros | a.ones & b.ones,
                    a.zeros & b.ones | a.ones & b.zeros,
                )
            }
            Op::BvAdd => sum(width, fact(a), fact(b)),
            Op::BvMul => product(width, fact(a), fact(b)),
            Op::BvUdiv => {
                let (a, b) = (fact(a), fact(b));
                match a.max.checked_div(b.min) {
                    Some(max) => Facts::between(a.min / b.max, max),
                    None => unknown,
                }
            }
            Op::BvUrem => {
                let (a, b) = (fact(a), fact(b));
                if b.min == 0 {
                    Facts::between(0, a.max)
                } else {
                    Facts::between(0, a.max.min(b.max - 1))
                }
            }
            Op::BvShl => match store.as_word(b).filter(|&n| n < u64::from(width)) {
                Some(n) => {
                    let a = fact(a);
                    let zeros = (a.zeros << n | mask(n as u32)) | !mask(width);
                    Facts::bits(zeros, a.ones << n & mask(width))
                }
                None => unknown,
            },
            Op::BvLshr => {
                let a = fact(a);
                match store.as_word(b).filter(|&n| n < u64::from(width)) {
                    Some(n) => Facts::bits(a.zeros >> n | !(mask(width) >> n), a.ones >> n)
                        .both(Facts::between(a.min >> n, a.max >> n)),
                    None => Facts::between(0, a.max),
                }
            }
            Op::Concat => {
                let low_width = u32::from(store.width(b));
                let (high, low) = (fact(a), fact(b));
                Facts {
                    zeros: high.zeros << low_width | low.zeros & mask(low_width),
                    ones: high.ones << low_width | low.ones,
                    min: high.min << low_width | low.min,
                    max: high.max << low_width | low.max,
                }
            }
            Op::Extract => {
                if store.width(a) > 64 {
                    return unknown;
                }
                let (a, low) = (fact(a), b.0);
                let bits = Facts::bits(a.zeros >> low | !mask(width), a.ones >> low & mask(width));
                if a.max >> low <= mask(width) {
                    bits.both(Facts::between(a.min >> low, a.max >> low))
                } else {
                    bits
                }
            }
            Op::Zext => fact(a),
            Op::Sext => {
                let narrow = u32::from(store.width(a));
                let a = fact(a);
                let sign = 1 << (narrow - 1);
                let high = mask(width) & !mask(narrow);
                if a.zeros & sign != 0 {
                    a
                } else if a.ones & sign != 0 {
                    Facts {
                        zeros: a.zeros & !high,
                        ones: a.ones | high,
                        min: a.min | high,
                        max: a.max | high,
                    }
                } else {
                    Facts::bits(a.zeros & !high, a.ones)
                }
            }
            _ => unknown,
        }
    }
}

fn sum(width: u32, a: Facts, b: Facts) -> Facts {
    let m = mask(width);
    // Trailing zero bits common to both stay zero.
    let low = (a.zeros & b.zeros).trailing_ones().min(width);
    let bits = Facts::bits(mask(low) | !m, 0);
    let (min, max) = (
        u128::from(a.min) + u128::from(b.min),
        u128::from(a.max) + u128::from(b.max),
    );
    let modulus = u128::from(m) + 1;
    if max < modulus || min >= modulus {
        bits.both(Facts::between(min as u64 & m, max as u64 & m))
    } else {
        bits
    }
}

fn product(width: u32, a: Facts, b: Facts) -> Facts {
    let m = mask(width);
    let low = (a.zeros.trailing_ones() + b.zeros.trailing_ones()).min(width);
    let bits = Facts::bits(mask(low) | !m, 0);
    let max = u128::from(a.max) * u128::from(b.max);
    if max <= u128::from(m) {
        bits.both(Facts::between(a.min * b.min, max as u64))
    } else {
        bits
    }
}
