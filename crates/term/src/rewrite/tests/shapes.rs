//! Arguments that have to do with each other, which is what most rules look
//! for and chance alone seldom makes.

use super::random::Sample;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Node, Term};

impl Sample {
    pub(super) fn make(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        let mut slots = [Term(0); 3];
        slots[..args.len()].copy_from_slice(args);
        let node = self.ordered(Node::new(op, sort, slots));
        self.store.intern(node)
    }

    /// A node of a shape that chance alone seldom makes.
    pub(super) fn shape(&mut self, op: Op, sort: Sort, below: u32) -> Option<Node> {
        let width = sort.bv_width();
        if self.random.percent(30)
            && let Some(node) = self.digits(op, sort, below)
        {
            return Some(node);
        }
        Some(match op {
            Op::And if self.random.percent(30) => {
                let (a, b) = (self.term(Sort::Bool, below), self.term(Sort::Bool, below));
                let not_b = self.make(Op::Not, Sort::Bool, &[b]);
                let cases = [b, not_b].map(|case| {
                    let both = self.make(Op::And, Sort::Bool, &[a, case]);
                    self.make(Op::Not, Sort::Bool, &[both])
                });
                Node::new(op, sort, cases)
            }
            Op::And => {
                let x = self.comparand(below);
                let y = self.related(x, below);
                let literals = [(); 2].map(|()| self.literal(x, y));
                Node::new(op, sort, literals)
            }
            Op::Ite if width > 0 && self.random.percent(50) => {
                let x = self.term(Sort::Bv(1), below);
                let bit = self.store.bv(1, 1);
                let condition = self.make(Op::Eq, Sort::Bool, &[x, bit]);
                let (zero, one) = (self.store.bv(width, 0), self.store.bv(width, 1));
                let (then, otherwise) = self.random.pick(&[(zero, one), (one, zero)]);
                Node::new(op, sort, [condition, then, otherwise])
            }
            Op::Ite if sort != Sort::RegLan => {
                let (a, b) = (self.term(sort, below), self.term(sort, below));
                let condition = self.make(Op::Eq, Sort::Bool, &[a, b]);
                let (then, otherwise) = self.random.pick(&[(a, b), (b, a)]);
                Node::new(op, sort, [condition, then, otherwise])
            }
            Op::Eq if self.random.percent(30) => {
                let format = self.format();
                let x = self.term(Sort::Bv(format.width() as u16), below);
                let left = self.make(Op::FpFromBits, Sort::Fp(format), &[x]);
                let right = self.constant(Sort::Fp(format));
                Node::new(op, sort, [left, right])
            }
            Op::Eq if self.random.percent(50) => {
                let format = self.format();
                let bits = Sort::Bv(format.width() as u16);
                let a = self.term(Sort::Fp(format), below);
                let left = self.make(Op::FpToBits, bits, &[a]);
                let right = if self.random.percent(50) {
                    self.constant(bits)
                } else {
                    let b = self.related(a, below);
                    self.make(Op::FpToBits, bits, &[b])
                };
                Node::new(op, sort, [left, right])
            }
            Op::Eq => {
                let wide = self.width() + 1;
                let x = self.term(Sort::Bv(wide), below);
                let sign = self.make(Op::Extract, Sort::Bv(1), &[x, Term(u32::from(wide) - 1)]);
                let bit = self.constant(Sort::Bv(1));
                Node::new(op, sort, [sign, bit])
            }
            Op::BvMul if width > 1 => {
                let by = 1 + self.random.below(u64::from(width) - 1) as u16;
                let x = self.term(sort, below);
                let kept = self.make(Op::Extract, Sort::Bv(width - by), &[x, Term(0)]);
                let zeros = self.store.bv(by, 0);
                let shifted = self.make(Op::Concat, sort, &[kept, zeros]);
                let c = self.constant(sort);
                Node::new(op, sort, [shifted, c])
            }
            Op::BvUdiv | Op::IntMod if self.random.percent(50) => {
                let x = self.term(sort, below);
                let (c1, c2) = (self.constant(sort), self.constant(sort));
                let inner = self.make(op, sort, &[x, c1]);
                let c = self.random.pick(&[c1, c2]);
                Node::new(op, sort, [inner, c])
            }
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvLshr | Op::BvAshr
                if width > 1 =>
            {
                let narrow = Sort::Bv(1 + self.random.below(u64::from(width) - 1) as u16);
                let extended = [(); 2].map(|()| {
                    let x = self.term(narrow, below);
                    let op = self.random.pick(&[Op::Zext, Op::Sext]);
                    self.make(op, sort, &[x])
                });
                Node::new(op, sort, extended)
            }
            Op::Slt => {
                let wide = self.width() + 1;
                let a = self.operation_of(Op::Concat, Sort::Bv(wide), below)?;
                let zero = self.store.bv(wide, 0);
                Node::new(op, sort, [a, zero])
            }
            Op::Concat if width > 2 && self.random.percent(30) => {
                let x = self.term(Sort::Bv(1), below);
                let c2 = self.constant(Sort::Bv(1));
                let rest = self.make(Op::Concat, Sort::Bv(2), &[c2, x]);
                let c1 = self.constant(Sort::Bv(width - 2));
                Node::new(op, sort, [c1, rest])
            }
            Op::Concat if width > 2 => {
                let low = 1 + self.random.below(u64::from(width) - 2) as u16;
                let middle = 1 + self.random.below(u64::from(width - low) - 1) as u16;
                let high = width - low - middle;
                let y = self.term(Sort::Bv(low), below);
                let x = self.term(Sort::Bv(high + middle + 1), below);
                let from = self.random.below(2) as u32;
                let b = self.make(Op::Extract, Sort::Bv(middle), &[x, Term(from)]);
                let rest = self.make(Op::Concat, Sort::Bv(low + middle), &[b, y]);
                let slots = [x, Term(from + u32::from(middle))];
                let a = self.make(Op::Extract, Sort::Bv(high), &slots);
                Node::new(op, sort, [a, rest])
            }
            _ => return None,
        })
    }

    fn operation_of(&mut self, op: Op, sort: Sort, depth: u32) -> Option<Term> {
        let node = self.node_of(op, sort, depth)?;
        Some(self.store.intern(node))
    }

    /// Something with an order.
    fn comparand(&mut self, depth: u32) -> Term {
        let sort = match self.random.below(5) {
            0 => Sort::Int,
            1 => Sort::Real,
            _ => Sort::Bv(self.width()),
        };
        self.term(sort, depth)
    }

    /// A comparison of `x` with `y` or a constant, or its negation.
    fn literal(&mut self, x: Term, y: Term) -> Term {
        let sort = self.store.sort(x);
        let y = if self.random.percent(60) {
            self.constant(sort)
        } else {
            y
        };
        let op = match sort {
            Sort::Bv(_) => self.random.pick(&[Op::Eq, Op::Ult, Op::Slt]),
            _ => self.random.pick(&[Op::Eq, Op::Le]),
        };
        let (a, b) = if self.random.percent(75) {
            (x, y)
        } else {
            (y, x)
        };
        let atom = self.make(op, Sort::Bool, &[a, b]);
        if self.random.percent(50) {
            self.make(Op::Not, Sort::Bool, &[atom])
        } else {
            atom
        }
    }

    /// A term of the sort of `other`, often made of the same parts.
    pub(super) fn related(&mut self, other: Term, depth: u32) -> Term {
        let sort = self.store.sort(other);
        match self.random.below(10) {
            0..=3 => self.argument(sort, depth),
            4 => other,
            5 => {
                let parts: Vec<Term> = self
                    .store
                    .args(other)
                    .iter()
                    .copied()
                    .filter(|&part| self.store.sort(part) == sort)
                    .collect();
                if parts.is_empty() {
                    other
                } else {
                    self.random.pick(&parts)
                }
            }
            6 => {
                let op = match sort {
                    Sort::Bool => Op::Not,
                    Sort::Bv(_) => self.random.pick(&[Op::BvNot, Op::BvNeg]),
                    Sort::Fp(_) => self.random.pick(&[Op::FpNeg, Op::FpAbs]),
                    Sort::Int | Sort::Real => Op::Neg,
                    _ => return self.term(sort, depth),
                };
                self.store.intern(Node::new(op, sort, [other]))
            }
            7 => self.like(other, depth),
            _ => {
                let op = match sort {
                    Sort::Bool => Op::And,
                    Sort::Bv(_) => self.random.pick(&[
                        Op::BvAdd,
                        Op::BvXor,
                        Op::BvAnd,
                        Op::BvOr,
                        Op::BvMul,
                        Op::BvUrem,
                    ]),
                    Sort::Int | Sort::Real => Op::Add,
                    Sort::String => Op::StrConcat,
                    _ => return self.like(other, depth),
                };
                let mut part = other;
                if self.random.percent(40) {
                    let negation = match sort {
                        Sort::Bool => Op::Not,
                        Sort::Bv(_) => self.random.pick(&[Op::BvNot, Op::BvNeg]),
                        Sort::Int | Sort::Real => Op::Neg,
                        _ => op,
                    };
                    if negation != op {
                        part = self.store.intern(Node::new(negation, sort, [other]));
                    }
                }
                let more = self.argument(sort, depth);
                let pair = if self.random.percent(50) {
                    [part, more]
                } else {
                    [more, part]
                };
                let mut node = Node::new(op, sort, pair);
                if self.store.is_const(node.slots[0]) && op.is_commutative() {
                    node.slots.swap(0, 1);
                }
                let whole = self.store.intern(node);
                match sort {
                    Sort::Bool if self.random.percent(50) => {
                        self.store.intern(Node::new(Op::Not, sort, [whole]))
                    }
                    _ => whole,
                }
            }
        }
    }

    /// A term of the operator of `other` with one argument replaced.
    fn like(&mut self, other: Term, depth: u32) -> Term {
        let mut node = *self.store.node(other);
        let Some(arity) = node.op.arity().filter(|&arity| arity > 0) else {
            return self.argument(node.sort, depth);
        };
        let at = self.random.below(arity as u64) as usize;
        let sort = self.store.sort(node.slots[at]);
        node.slots[at] = self.argument(sort, depth);
        if node.op.is_commutative() && self.store.is_const(node.slots[0]) {
            node.slots.swap(0, 1);
        }
        self.store.intern(node)
    }

    /// A term to stand above `low` in a concatenation, sometimes a neighbouring part.
    pub(super) fn neighbour(&mut self, low: Term, width: u16, depth: u32) -> Term {
        let node = *self.store.node(low);
        let (of, at) = (node.slots[0], node.slots[1].0 as u16);
        if node.op == Op::Extract && self.random.percent(50) {
            let (end, whole) = (at + self.store.width(low), self.store.width(of));
            let from = if width == 1 && self.random.percent(50) {
                end - 1
            } else {
                end
            };
            if from + width <= whole {
                let slots = [of, Term(u32::from(from))];
                return self
                    .store
                    .intern(Node::new(Op::Extract, Sort::Bv(width), slots));
            }
        }
        if width == 1 && self.random.percent(30) {
            let slots = [low, Term(u32::from(self.store.width(low) - 1))];
            return self
                .store
                .intern(Node::new(Op::Extract, Sort::Bv(1), slots));
        }
        if let (Op::Ite, true) = (node.op, self.random.percent(60)) {
            let [c, a, b] = node.slots;
            let (a, b) = (
                self.neighbour(a, width, depth),
                self.neighbour(b, width, depth),
            );
            return self
                .store
                .intern(Node::new(Op::Ite, Sort::Bv(width), [c, a, b]));
        }
        self.argument(Sort::Bv(width), depth)
    }

    /// An index, often one the array is written at.
    pub(super) fn index_for(&mut self, array: Term, width: u16, depth: u32) -> Term {
        let node = self.store.node(array);
        if node.op == Op::Store && self.random.percent(50) {
            let at = node.slots[1];
            return if self.random.percent(50) {
                at
            } else {
                self.related(at, depth)
            };
        }
        self.argument(Sort::Bv(width), depth)
    }
}
