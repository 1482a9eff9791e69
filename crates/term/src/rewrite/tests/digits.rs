//! Numbers taken apart and put together, which chance alone seldom makes.

use super::random::{Sample, Scale};
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Node, Term};
use crate::value::{ArrayValue, Value};
use crate::{BitVec, Store};

impl Sample {
    /// A node of a shape that rules for digits look for.
    pub(super) fn digits(&mut self, op: Op, sort: Sort, below: u32) -> Option<Node> {
        let width = sort.bv_width();
        let small = |sample: &mut Sample, of: u16| {
            let most = if of >= 8 { 12 } else { (1 << of) - 1 };
            1 + sample.random.below(most)
        };
        Some(match op {
            Op::BvAdd if width > 2 && self.random.percent(15) => {
                let narrow = 1 + self.random.below(u64::from(width) - 1) as u16;
                let x = self.term(Sort::Bv(narrow), below);
                let top = 1 + self.random.below(u64::from(width - narrow)) as u16;
                let c = 1 + self.random.below(2);
                let high = self.store.bv(top, c);
                let whole = Sort::Bv(top + narrow);
                let whole = self.make(Op::Concat, whole, &[high, x]);
                let whole = self.fitted(whole, width);
                let stands_for = BitVec::from_u64(top, c)
                    .zext(width)
                    .shl(&BitVec::from_u64(width, narrow.into()));
                let minus = self.store.bv_value(stands_for.neg());
                Node::new(op, sort, [whole, minus])
            }
            Op::BvAdd if (2..=64).contains(&width) => {
                let (b, m) = (small(self, width), small(self, width));
                let inner = self.random.pick(&[width, width, width + 1, width - 1]);
                let y = self.number(Sort::Bv(inner.min(64)), below);
                let [high, low] = [Op::BvUdiv, Op::BvUrem].map(|op| self.divided(op, y, b));
                let high = match self.random.percent(50) {
                    true => {
                        let c = small(self, width);
                        self.divided(Op::BvUrem, high, c)
                    }
                    false => high,
                };
                let (high, low) = (self.fitted(high, width), self.fitted(low, width));
                let (high, low) = (self.times(high, b * m), self.times(low, m));
                if self.random.percent(30) {
                    let other = self.term(sort, below);
                    let low = self.make(Op::BvAdd, sort, &[low, other]);
                    return Some(Node::new(op, sort, [high, low]));
                }
                Node::new(op, sort, [high, low])
            }
            Op::BvUdiv | Op::BvUrem if width > 1 && self.random.percent(50) => {
                let (c, m) = (small(self, width), small(self, width));
                let x = self.term(sort, below);
                let rest = self.divided(Op::BvUrem, x, c * m);
                let c = self.store.bv(width, c);
                Node::new(op, sort, [rest, c])
            }
            Op::BvUdiv | Op::BvUrem if width > 1 => {
                let c = self.constant(sort);
                Node::new(op, sort, [self.part_that_fits(width, below), c])
            }
            Op::Ult | Op::Eq => {
                let width = self.width().max(2);
                let sort = Sort::Bv(width);
                let x = self.term(sort, below);
                let c = self.constant(sort);
                let (k, by) = (small(self, width), small(self, width));
                let left = match (op, self.random.below(3)) {
                    (_, 0) => self.divided(Op::BvUdiv, x, by),
                    (Op::Eq, _) => {
                        let rest = self.divided(Op::BvUrem, x, by);
                        return Some(Node::new(op, Sort::Bool, [rest, x]));
                    }
                    _ => self.sum_that_fits(width, below),
                };
                let right = match self.random.percent(50) {
                    true => self.store.bv(width, k),
                    false => c,
                };
                Node::new(op, Sort::Bool, [left, right])
            }
            Op::Zext if width > 1 => {
                let narrow = 1 + self.random.below(u64::from(width) - 1) as u16;
                let x = match self.random.percent(50) && narrow > 1 {
                    true => self.sum_that_fits(narrow, below),
                    false => self.part_that_fits(narrow, below),
                };
                Node::new(op, sort, [x])
            }
            Op::Select => {
                let (table, index) = self.counting(width);
                Node::new(op, sort, [table, index])
            }
            _ => return None,
        })
    }

    /// A number, sometimes a quotient.
    fn number(&mut self, sort: Sort, below: u32) -> Term {
        let x = self.term(sort, below);
        match self.random.percent(50) {
            true => {
                let c = 1 + self.random.below(3);
                self.divided(Op::BvUdiv, x, c)
            }
            false => x,
        }
    }

    /// Divided by a constant, two quotients as one.
    fn divided(&mut self, op: Op, x: Term, by: u64) -> Term {
        let (sort, width) = (self.store.sort(x), self.store.width(x));
        if op == Op::BvUdiv && self.store.op(x) == op {
            let &[of, c] = self.store.args(x) else {
                unreachable!("a quotient has two arguments")
            };
            if let Some(c) = self.store.as_word(c).and_then(|c| c.checked_mul(by))
                && (width > 63 || c >> width == 0)
            {
                let c = self.store.bv(width, c);
                return self.make(op, sort, &[of, c]);
            }
        }
        let c = self.store.bv(width, by);
        self.make(op, sort, &[x, c])
    }

    fn times(&mut self, x: Term, by: u64) -> Term {
        if by == 1 {
            return x;
        }
        let c = self.store.bv(self.store.width(x), by);
        self.make(Op::BvMul, self.store.sort(x), &[x, c])
    }

    /// Widened or cut to a width.
    fn fitted(&mut self, x: Term, width: u16) -> Term {
        let from = self.store.width(x);
        if from < width {
            self.make(Op::Zext, Sort::Bv(width), &[x])
        } else if from > width {
            self.make(Op::Extract, Sort::Bv(width), &[x, Term(0)])
        } else {
            x
        }
    }

    /// The low bits of something that has no other bits.
    fn part_that_fits(&mut self, width: u16, below: u32) -> Term {
        let narrow = 1 + self.random.below(width.into()) as u16;
        let x = self.term(Sort::Bv(narrow), below);
        let wide = self.make(Op::Zext, Sort::Bv(width + 1), &[x]);
        self.make(Op::Extract, Sort::Bv(width), &[wide, Term(0)])
    }

    /// A sum with a constant that mostly is not too large.
    fn sum_that_fits(&mut self, width: u16, below: u32) -> Term {
        let narrow = 1 + self.random.below(u64::from(width) - 1) as u16;
        let x = self.term(Sort::Bv(narrow), below);
        let wide = self.make(Op::Zext, Sort::Bv(width), &[x]);
        let c = 1 + self.random.below(1 << (width - narrow).min(4));
        let c = self.store.bv(width, c);
        self.make(Op::BvAdd, Sort::Bv(width), &[wide, c])
    }

    /// A table that counts, but for a mistake now and then, and where it is read.
    fn counting(&mut self, element: u16) -> (Term, Term) {
        let index = match self.scale {
            Scale::Small => 3 + self.random.below(2) as u16,
            Scale::Wide => 32,
        };
        let (each, again) = (1 + self.random.below(3), 1 + self.random.below(5));
        let (step, offset) = (self.random.below(2), self.random.below(2));
        let default = BitVec::from_u64(element, self.random.below(2));
        let mut table = ArrayValue::filled(index, default);
        let from = self.random.below(2);
        for at in 0..16 {
            let mistake = u64::from(self.random.percent(2));
            let number = from + (((at >> step) / each) % again) + mistake;
            table.set(
                BitVec::from_u64(index, at + offset),
                BitVec::from_u64(element, number),
            );
        }
        let table = self.store.value(Value::Array(table.into()));
        let narrow = Sort::Bv(2 + self.random.below(2) as u16);
        let x = self.term(narrow, 0);
        let at = match step {
            0 => x,
            _ => {
                let zero = self.store.bv(1, 0);
                let wider = Sort::Bv(narrow.bv_width() + 1);
                self.make(Op::Concat, wider, &[x, zero])
            }
        };
        let at = self.fitted(at, index);
        match offset {
            0 => (table, at),
            _ => {
                let offset = self.store.bv(index, offset);
                let sum = self.make(Op::BvAdd, Sort::Bv(index), &[at, offset]);
                (table, sum)
            }
        }
    }
}

/// A number of `width` bits that is a variable.
fn variable(store: &mut Store, width: u16) -> Term {
    store.var("x", Sort::Bv(width))
}

#[test]
fn what_the_digits_of_a_number_spell_is_the_number() {
    for (width, wide) in [(16, 32), (32, 32), (32, 64), (64, 64)] {
        let mut store = Store::new();
        let x = variable(&mut store, width);
        let number = store.zext(x, wide);
        let (ten, zero) = (store.bv(wide, 10), store.bv(8, b'0'.into()));
        let mut digits = Vec::new();
        let mut rest = number;
        for _ in 0..5 {
            let digit = store.bv_urem(rest, ten);
            let low = store.extract(digit, 0, 8);
            digits.push(store.bv_add(low, zero));
            rest = store.bv_udiv(rest, ten);
        }
        let mut read = store.bv(wide, 0);
        for &character in digits.iter().rev() {
            let character = store.zext(character, wide);
            let zero = store.bv(wide, b'0'.into());
            let digit = store.bv_sub(character, zero);
            let tens = store.bv_mul(read, ten);
            read = store.bv_add(tens, digit);
        }
        let end = store.bv(wide, 100_000);
        let last = store.bv_urem(number, end);
        assert_eq!(read, last, "{width} bits in {wide}");
        let (same, fits) = (store.eq(read, number), store.bv_ult(number, end));
        assert_eq!(same, fits);
    }
}

#[test]
fn a_table_of_pairs_of_digits_is_a_division() {
    let mut store = Store::new();
    let x = variable(&mut store, 32);
    let mut table = ArrayValue::filled(32, BitVec::from_u64(8, 0));
    for pair in 0..100 {
        for (at, digit) in [(2 * pair, pair / 10), (2 * pair + 1, pair % 10)] {
            table.set(
                BitVec::from_u64(32, at),
                BitVec::from_u64(8, u64::from(b'0') + digit),
            );
        }
    }
    let table = store.value(Value::Array(table.into()));
    let [one, two, hundred] = [1, 2, 100].map(|c| store.bv(32, c));
    let pair = store.bv_urem(x, hundred);
    let at = store.bv_mul(pair, two);
    let next = store.bv_add(at, one);
    let (high, low) = (store.select(table, at), store.select(table, next));
    let ten = store.bv(32, 10);
    let tens = store.bv_udiv(x, ten);
    for (read, of) in [(high, tens), (low, x)] {
        let digit = store.bv_urem(of, ten);
        let digit = store.extract(digit, 0, 8);
        let zero = store.bv(8, b'0'.into());
        assert_eq!(read, store.bv_add(digit, zero));
    }
}
