//! Random raw terms, biased toward what rules match.

use super::assignments::notable;
use crate::op::{ALL, Op};
use crate::sort::{FpFormat, Sort};
use crate::store::{Node, Store, Term};

pub const SMALL_FLOAT: FpFormat = FpFormat { eb: 3, sb: 4 };

/// Choices as these tests make them, the same in every run.
pub struct Random(base::Random);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(base::Random::new(seed))
    }

    pub fn word(&mut self) -> u64 {
        self.0.bits()
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound as usize) as u64
    }

    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// How wide the bit-vectors of a sample are.
#[derive(Clone, Copy, PartialEq)]
pub enum Scale {
    /// Up to four bits, or a few more where parts are put together: every
    /// assignment can be tried.
    Small,
    /// Around the word sizes and beyond them.
    Wide,
}

/// Makes raw terms: no rule is applied to them.
pub struct Sample {
    pub store: Store,
    pub random: Random,
    pub scale: Scale,
    /// What was made for the term under way, to be used again in it.
    pool: Vec<Term>,
}

impl Sample {
    pub fn new(seed: u64, scale: Scale) -> Sample {
        Sample {
            store: Store::new(),
            random: Random::new(seed),
            scale,
            pool: Vec::new(),
        }
    }

    /// A node of this operator over raw arguments, ordered as constructors order.
    pub fn node(&mut self, op: Op, depth: u32) -> Node {
        self.pool.clear();
        let sort = self.result_sort(op);
        self.node_of(op, sort, depth)
            .unwrap_or_else(|| panic!("{op:?} gives no {sort}"))
    }

    /// A raw term of this sort.
    pub fn term(&mut self, sort: Sort, depth: u32) -> Term {
        let again: Vec<Term> = self
            .pool
            .iter()
            .copied()
            .filter(|&t| self.store.sort(t) == sort)
            .collect();
        if !again.is_empty() && self.random.percent(35) {
            return self.random.pick(&again);
        }
        let term = if depth == 0 || self.random.percent(20) {
            self.leaf(sort)
        } else {
            self.operation(sort, depth)
        };
        self.pool.push(term);
        term
    }

    /// A sort of the kinds that many operators share.
    pub fn any_sort(&mut self) -> Sort {
        match self.random.below(12) {
            0 | 1 => Sort::Bool,
            2 => Sort::Fp(self.format()),
            3 => Sort::RoundingMode,
            4 => self.array_sort(),
            5 => Sort::Int,
            6 => Sort::Real,
            7 => Sort::String,
            _ => Sort::Bv(self.width()),
        }
    }

    pub(super) fn width(&mut self) -> u16 {
        match self.scale {
            Scale::Small => 1 + self.random.below(4) as u16,
            Scale::Wide => self.random.pick(&[8, 16, 32, 63, 64, 65, 100, 128]),
        }
    }

    pub(super) fn format(&mut self) -> FpFormat {
        self.random.pick(formats(self.scale))
    }

    fn array_sort(&mut self) -> Sort {
        let index = 1 + self.random.below(2) as u16;
        let element = 1 + self.random.below(2) as u16;
        Sort::Array { index, element }
    }

    /// A sort the operator can give.
    fn result_sort(&mut self, op: Op) -> Sort {
        use Op::*;
        match op {
            Const | Var | Apply => unreachable!("leaves have no result sort of their own"),
            Eq | Not | And | Ult | Slt | FpEq | FpLt | FpLe | FpIsNan | FpIsInf | FpIsZero
            | FpIsNormal | FpIsSubnormal | FpIsNegative | FpIsPositive | Lt | Le | StrPrefixOf
            | StrSuffixOf | StrContains | StrIsDigit | StrLt | StrLe | StrInRe => Sort::Bool,
            Ite => self.any_sort(),
            BvNot | BvNeg | BvAnd | BvOr | BvXor | BvAdd | BvMul | BvUdiv | BvUrem | BvSdiv
            | BvSrem | BvSmod | BvShl | BvLshr | BvAshr | Extract | FpToSigned | FpToUnsigned
            | IntToBv => Sort::Bv(self.width()),
            Concat | Zext | Sext => Sort::Bv(self.width() + 1),
            Select => Sort::Bv(1 + self.random.below(2) as u16),
            ConstArray | Store => self.array_sort(),
            FpToBits => Sort::Bv(self.format().width() as u16),
            FpFromBits | FpAbs | FpNeg | FpAdd | FpMul | FpDiv | FpFma | FpSqrt | FpRem
            | FpRound | FpMin | FpMax | FpConvert | FpFromSigned | FpFromUnsigned | FpFromReal => {
                Sort::Fp(self.format())
            }
            FpToReal | RealDiv | ToReal => Sort::Real,
            Add | Mul | Neg => self.random.pick(&[Sort::Int, Sort::Real]),
            IntDiv | IntMod | ToInt | BvToNat | StrLen | StrIndexOf | StrToCode | StrToInt => {
                Sort::Int
            }
            StrConcat | StrAt | StrSubstr | StrReplace | StrReplaceAll | StrReplaceRe
            | StrReplaceReAll | StrFromCode | StrFromInt => Sort::String,
            ReNone | ReAll | ReAllChar | ReFromStr | ReRange | ReConcat | ReUnion | ReInter
            | ReStar | ReComp | ReLoop => Sort::RegLan,
        }
    }

    /// A term of some operator that gives this sort.
    fn operation(&mut self, sort: Sort, depth: u32) -> Term {
        loop {
            let op = match sort {
                // The shapes most rules look for, more often than the rest.
                Sort::Bool if self.random.percent(60) => {
                    self.random
                        .pick(&[Op::Not, Op::Not, Op::And, Op::Eq, Op::Ult, Op::Slt])
                }
                Sort::Bv(_) if self.random.percent(75) => self.random.pick(&[
                    Op::Zext,
                    Op::Sext,
                    Op::Concat,
                    Op::Extract,
                    Op::BvNot,
                    Op::BvNeg,
                    Op::BvAdd,
                    Op::BvMul,
                    Op::BvXor,
                    Op::BvAnd,
                    Op::BvOr,
                    Op::Ite,
                ]),
                Sort::Int if self.random.percent(40) => {
                    self.random
                        .pick(&[Op::StrLen, Op::BvToNat, Op::Add, Op::Neg, Op::Mul])
                }
                Sort::RoundingMode => Op::Ite,
                _ => self.random.pick(ALL),
            };
            if matches!(op, Op::Const | Op::Var | Op::Apply) || !gives(op, sort) {
                continue;
            }
            if let Some(node) = self.node_of(op, sort, depth) {
                return self.store.intern(node);
            }
        }
    }

    /// A node of this operator and sort, where there is one.
    pub(super) fn node_of(&mut self, op: Op, sort: Sort, depth: u32) -> Option<Node> {
        use Op::*;
        let below = depth.saturating_sub(1);
        let width = sort.bv_width();
        if self.random.percent(20)
            && let Some(node) = self.shape(op, sort, below)
        {
            return Some(self.ordered(node));
        }
        let node = match op {
            Const | Var | Apply => return None,
            ReNone | ReAll | ReAllChar => Node::new(op, sort, []),
            Eq => {
                let of = self.any_sort();
                self.binary(op, sort, of, below)
            }
            Ite => {
                let condition = self.term(Sort::Bool, below);
                let then = self.argument(sort, below);
                let otherwise = self.related(then, below);
                let otherwise = if self.random.percent(15) {
                    self.related(condition, below)
                } else {
                    otherwise
                };
                let otherwise = if self.store.sort(otherwise) == sort {
                    otherwise
                } else {
                    self.argument(sort, below)
                };
                Node::new(op, sort, [condition, then, otherwise])
            }
            Not | BvNot | BvNeg | FpAbs | FpNeg | Neg | ReStar | ReComp => {
                let a = self.argument(sort, below);
                Node::new(op, sort, [a])
            }
            And | BvAnd | BvOr | BvXor | BvAdd | BvMul | BvUdiv | BvUrem | BvSdiv | BvSrem
            | BvSmod | BvShl | BvLshr | BvAshr | FpRem | FpMin | FpMax | Add | Mul | IntDiv
            | IntMod | RealDiv | StrConcat | ReConcat | ReUnion | ReInter => {
                self.binary(op, sort, sort, below)
            }
            Ult | Slt => {
                let of = self.width();
                self.binary(op, sort, Sort::Bv(of), below)
            }
            Lt | Le => {
                let of = self.random.pick(&[Sort::Int, Sort::Real]);
                self.binary(op, sort, of, below)
            }
            FpEq | FpLt | FpLe => {
                let of = Sort::Fp(self.format());
                self.binary(op, sort, of, below)
            }
            StrPrefixOf | StrSuffixOf | StrContains | StrLt | StrLe => {
                self.binary(op, sort, Sort::String, below)
            }
            ReRange => self.binary(op, sort, Sort::String, 0),
            Concat => {
                if width < 2 {
                    return None;
                }
                let low = 1 + self.random.below(u64::from(width) - 1) as u16;
                let b = self.argument(Sort::Bv(low), below);
                let a = self.neighbour(b, width - low, below);
                Node::new(op, sort, [a, b])
            }
            Extract => {
                let more = match self.scale {
                    Scale::Small => self.random.below(4),
                    Scale::Wide => self.random.pick(&[1, 7, 8, 32, 64]),
                } as u16;
                let a = self.argument(Sort::Bv(width + more), below);
                let low = self.random.pick(&[0, more, self.store.width(a) - width]);
                let low = if self.random.percent(30) {
                    self.random.below(u64::from(more) + 1) as u16
                } else {
                    low
                };
                Node::new(op, sort, [a, Term(u32::from(low))])
            }
            Zext | Sext => {
                let narrow = if self.random.percent(5) {
                    width
                } else {
                    1 + self.random.below(u64::from(width)) as u16
                };
                let a = self.argument(Sort::Bv(narrow), below);
                Node::new(op, sort, [a])
            }
            ConstArray => {
                let Sort::Array { element, .. } = sort else {
                    return None;
                };
                let a = self.argument(Sort::Bv(element), below);
                Node::new(op, sort, [a])
            }
            Select => {
                let index = 1 + self.random.below(2) as u16;
                let array = self.argument(
                    Sort::Array {
                        index,
                        element: width,
                    },
                    below,
                );
                let at = self.index_for(array, index, below);
                Node::new(op, sort, [array, at])
            }
            Store => {
                let Sort::Array { index, element } = sort else {
                    return None;
                };
                let array = self.argument(sort, below);
                let at = self.index_for(array, index, below);
                let element = if self.random.percent(20) {
                    self.store
                        .intern(Node::new(Select, Sort::Bv(element), [array, at]))
                } else {
                    self.argument(Sort::Bv(element), below)
                };
                Node::new(op, sort, [array, at, element])
            }
            FpFromBits => {
                let Sort::Fp(format) = sort else { return None };
                let a = self.argument(Sort::Bv(format.width() as u16), below);
                Node::new(op, sort, [a])
            }
            FpToBits => {
                let format = self.format_of_width(width)?;
                let a = self.argument(Sort::Fp(format), below);
                Node::new(op, sort, [a])
            }
            FpAdd | FpMul | FpDiv => {
                let rm = self.term(Sort::RoundingMode, below);
                let pair = self.binary(op, sort, sort, below);
                Node::new(op, sort, [rm, pair.slots[0], pair.slots[1]])
            }
            FpFma => {
                let rm = self.term(Sort::RoundingMode, below);
                let pair = self.binary(op, sort, sort, below);
                let z = self.argument(sort, below);
                let list = self.store.list(&[rm, pair.slots[0], pair.slots[1], z]);
                Node::new(op, sort, [list])
            }
            FpSqrt | FpRound => {
                let rm = self.term(Sort::RoundingMode, below);
                let a = self.argument(sort, below);
                Node::new(op, sort, [rm, a])
            }
            FpConvert => {
                let rm = self.term(Sort::RoundingMode, below);
                let format = self.format();
                let a = self.argument(Sort::Fp(format), below);
                Node::new(op, sort, [rm, a])
            }
            FpFromSigned | FpFromUnsigned => {
                let rm = self.term(Sort::RoundingMode, below);
                let from = self.width();
                let a = self.argument(Sort::Bv(from), below);
                Node::new(op, sort, [rm, a])
            }
            FpToSigned | FpToUnsigned => {
                let rm = self.term(Sort::RoundingMode, below);
                let format = self.format();
                let a = self.argument(Sort::Fp(format), below);
                Node::new(op, sort, [rm, a])
            }
            FpFromReal => {
                let rm = self.term(Sort::RoundingMode, below);
                let a = self.argument(Sort::Real, below);
                Node::new(op, sort, [rm, a])
            }
            FpIsNan | FpIsInf | FpIsZero | FpIsNormal | FpIsSubnormal | FpIsNegative
            | FpIsPositive | FpToReal => {
                let format = self.format();
                let a = self.argument(Sort::Fp(format), below);
                Node::new(op, sort, [a])
            }
            ToReal | IntToBv | StrFromCode | StrFromInt => {
                let a = self.argument(Sort::Int, below);
                Node::new(op, sort, [a])
            }
            ToInt => {
                let a = self.argument(Sort::Real, below);
                Node::new(op, sort, [a])
            }
            BvToNat => {
                let from = self.width();
                let a = self.argument(Sort::Bv(from), below);
                Node::new(op, sort, [a])
            }
            StrLen | StrIsDigit | StrToCode | StrToInt | ReFromStr => {
                let a = self.argument(Sort::String, below);
                Node::new(op, sort, [a])
            }
            StrAt => {
                let a = self.argument(Sort::String, below);
                let at = self.argument(Sort::Int, below);
                Node::new(op, sort, [a, at])
            }
            StrSubstr => {
                let a = self.argument(Sort::String, below);
                let start = self.argument(Sort::Int, 0);
                let length = if self.random.percent(30) {
                    self.store.intern(Node::new(StrLen, Sort::Int, [a]))
                } else {
                    self.argument(Sort::Int, below)
                };
                Node::new(op, sort, [a, start, length])
            }
            StrIndexOf => {
                let pair = self.binary(op, sort, Sort::String, below);
                let start = self.argument(Sort::Int, 0);
                Node::new(op, sort, [pair.slots[0], pair.slots[1], start])
            }
            StrReplace | StrReplaceAll => {
                let pair = self.binary(op, sort, sort, below);
                let with = self.related(pair.slots[1], below);
                let with = if self.store.sort(with) == sort {
                    with
                } else {
                    self.argument(sort, below)
                };
                Node::new(op, sort, [pair.slots[0], pair.slots[1], with])
            }
            StrReplaceRe | StrReplaceReAll => {
                let a = self.argument(sort, below);
                let re = self.argument(Sort::RegLan, below.min(1));
                let with = self.argument(sort, below);
                Node::new(op, sort, [a, re, with])
            }
            StrInRe => {
                let a = self.argument(Sort::String, below);
                let re = self.argument(Sort::RegLan, below.min(2));
                Node::new(op, sort, [a, re])
            }
            ReLoop => {
                let a = self.argument(sort, below);
                let (least, most) = (self.random.below(3) as u32, self.random.below(3) as u32);
                Node::new(op, sort, [a, Term(least), Term(most)])
            }
        };
        Some(self.ordered(node))
    }

    /// The node with its arguments in the order constructors give them.
    pub(super) fn ordered(&self, mut node: Node) -> Node {
        let [a, b, _] = node.slots;
        if node.op.is_commutative() && (self.store.is_const(a), a) > (self.store.is_const(b), b) {
            node.slots.swap(0, 1);
        }
        node
    }

    fn binary(&mut self, op: Op, sort: Sort, of: Sort, below: u32) -> Node {
        let a = self.argument(of, below);
        let b = self.related(a, below);
        if self.random.percent(50) {
            Node::new(op, sort, [a, b])
        } else {
            Node::new(op, sort, [b, a])
        }
    }

    /// An argument: often a constant, sometimes a choice between two.
    pub(super) fn argument(&mut self, sort: Sort, depth: u32) -> Term {
        if sort != Sort::RegLan && self.random.percent(20) {
            return self.constant(sort);
        }
        if sort != Sort::RegLan && sort != Sort::Bool && self.random.percent(12) {
            let condition = self.term(Sort::Bool, depth.min(1));
            let (a, b) = (self.constant(sort), self.constant(sort));
            return self
                .store
                .intern(Node::new(Op::Ite, sort, [condition, a, b]));
        }
        self.term(sort, depth)
    }

    /// A format that packs into this width.
    fn format_of_width(&mut self, width: u16) -> Option<FpFormat> {
        let fits = |format: &&FpFormat| format.width() == u32::from(width);
        formats(self.scale).iter().find(fits).copied()
    }

    fn leaf(&mut self, sort: Sort) -> Term {
        if sort == Sort::RegLan {
            let op = self.random.pick(&[Op::ReNone, Op::ReAll, Op::ReAllChar]);
            return self.store.intern(Node::new(op, sort, []));
        }
        if self.random.percent(25) {
            return self.constant(sort);
        }
        let number = self.random.below(2);
        self.store.var(&format!("{sort}-{number}"), sort)
    }

    /// A constant, with the notable ones more often.
    pub fn constant(&mut self, sort: Sort) -> Term {
        let value = notable(sort, &mut self.random);
        self.store.value(value)
    }
}

fn formats(scale: Scale) -> &'static [FpFormat] {
    match scale {
        Scale::Small => &[
            SMALL_FLOAT,
            SMALL_FLOAT,
            FpFormat { eb: 2, sb: 3 },
            FpFormat { eb: 3, sb: 5 },
            FpFormat { eb: 4, sb: 5 },
        ],
        Scale::Wide => &[
            FpFormat::HALF,
            FpFormat::SINGLE,
            FpFormat::DOUBLE,
            FpFormat::QUAD,
        ],
    }
}

/// Whether terms of the operator may have the sort.
fn gives(op: Op, sort: Sort) -> bool {
    use Op::*;
    let kind = match op {
        Const | Var | Apply => return false,
        Ite => return sort != Sort::RegLan,
        Eq | Not | And | Ult | Slt | FpEq | FpLt | FpLe | FpIsNan | FpIsInf | FpIsZero
        | FpIsNormal | FpIsSubnormal | FpIsNegative | FpIsPositive | Lt | Le | StrPrefixOf
        | StrSuffixOf | StrContains | StrIsDigit | StrLt | StrLe | StrInRe => Sort::Bool,
        BvNot | BvNeg | BvAnd | BvOr | BvXor | BvAdd | BvMul | BvUdiv | BvUrem | BvSdiv
        | BvSrem | BvSmod | BvShl | BvLshr | BvAshr | Extract | FpToSigned | FpToUnsigned
        | IntToBv | Concat | Zext | Sext | FpToBits => return matches!(sort, Sort::Bv(_)),
        Select => return matches!(sort, Sort::Bv(1 | 2)),
        ConstArray | Store => return matches!(sort, Sort::Array { .. }),
        FpFromBits | FpAbs | FpNeg | FpAdd | FpMul | FpDiv | FpFma | FpSqrt | FpRem | FpRound
        | FpMin | FpMax | FpConvert | FpFromSigned | FpFromUnsigned | FpFromReal => {
            return matches!(sort, Sort::Fp(_));
        }
        Add | Mul | Neg => return matches!(sort, Sort::Int | Sort::Real),
        FpToReal | RealDiv | ToReal => Sort::Real,
        IntDiv | IntMod | ToInt | BvToNat | StrLen | StrIndexOf | StrToCode | StrToInt => Sort::Int,
        StrConcat | StrAt | StrSubstr | StrReplace | StrReplaceAll | StrReplaceRe
        | StrReplaceReAll | StrFromCode | StrFromInt => Sort::String,
        ReNone | ReAll | ReAllChar | ReFromStr | ReRange | ReConcat | ReUnion | ReInter
        | ReStar | ReComp | ReLoop => Sort::RegLan,
    };
    kind == sort
}
