//! Operations on integers that LLVM has as intrinsics, each in two forms: on
//! words of at most 64 bits and on terms of any width.

use crate::floats::{Sign, words};
use crate::machine::Machine;
use crate::value::{Value, mask, signed};
use term::{BitVec, Store, Term};

/// An operation in its two forms, which agree.
pub(super) struct Operation {
    /// Of words of this width.
    words: fn(u32, &[u64]) -> u64,
    /// Of terms; the result has the width of the first.
    terms: fn(&mut Store, &[Term]) -> Term,
}

impl Machine<'_> {
    /// The operation on values of this width.
    pub(super) fn integer(&mut self, operation: &Operation, width: u16, args: &[Value]) -> Value {
        if width <= 64
            && let Some(words) = words(args)
        {
            return Value::word((operation.words)(width.into(), &words));
        }
        let terms: Vec<Term> = args
            .iter()
            .map(|arg| arg.term(&mut self.store, width))
            .collect();
        let result = (operation.terms)(&mut self.store, &terms);
        Value::of(&self.store, result)
    }

    /// The exact result cut to the width, and whether that changed it.
    pub(super) fn with_overflow(
        &mut self,
        arithmetic: Arithmetic,
        width: u16,
        args: &[Value],
    ) -> (Value, Value) {
        let (a, b) = (args[0], args[1]);
        if let (Some(a), Some(b), true) = (a.as_word(), b.as_word(), width <= 64) {
            let (word, overflow) = arithmetic.words(width.into(), a, b);
            return (Value::word(word), Value::word(overflow.into()));
        }
        let (a, b) = (
            a.term(&mut self.store, width),
            b.term(&mut self.store, width),
        );
        let (result, overflow) = arithmetic.terms(&mut self.store, a, b);
        (
            Value::of(&self.store, result),
            Value::of_bool(&mut self.store, overflow),
        )
    }

    /// The exact result, or the end of the range it lies beyond.
    pub(super) fn clamped(&mut self, arithmetic: Arithmetic, width: u16, args: &[Value]) -> Value {
        let (a, b) = (args[0], args[1]);
        if let (Some(a), Some(b), true) = (a.as_word(), b.as_word(), width <= 64) {
            return Value::word(arithmetic.clamped_words(width.into(), a, b));
        }
        let (a, b) = (
            a.term(&mut self.store, width),
            b.term(&mut self.store, width),
        );
        let result = arithmetic.clamped_terms(&mut self.store, a, b);
        Value::of(&self.store, result)
    }

    /// -1, 0 or 1 in `to` bits, as `a` is less than, equal to or greater than `b`.
    pub(super) fn three_way(&mut self, sign: Sign, width: u16, to: u16, args: &[Value]) -> Value {
        let (a, b) = (args[0], args[1]);
        if let (Some(a), Some(b), true) = (a.as_word(), b.as_word(), width.max(to) <= 64) {
            let order = sign
                .extend(width.into(), a)
                .cmp(&sign.extend(width.into(), b));
            return Value::word(order as i64 as u64 & mask(to.into()));
        }
        let (a, b) = (
            a.term(&mut self.store, width),
            b.term(&mut self.store, width),
        );
        let result = three_way_term(&mut self.store, sign, to, a, b);
        Value::of(&self.store, result)
    }
}

fn three_way_term(store: &mut Store, sign: Sign, to: u16, a: Term, b: Term) -> Term {
    let (less, greater) = (sign.less(store, a, b), sign.less(store, b, a));
    let minus_one = store.bv_value(BitVec::ones(to));
    let rest = store.bool_to_bv(greater, to);
    store.ite(less, minus_one, rest)
}

impl Sign {
    fn extend(self, width: u32, word: u64) -> i128 {
        match self {
            Sign::Signed => signed(word, width).into(),
            Sign::Unsigned => word.into(),
        }
    }

    fn extend_term(self, store: &mut Store, a: Term, width: u16) -> Term {
        match self {
            Sign::Signed => store.sext(a, width),
            Sign::Unsigned => store.zext(a, width),
        }
    }

    fn less(self, store: &mut Store, a: Term, b: Term) -> Term {
        match self {
            Sign::Signed => store.bv_slt(a, b),
            Sign::Unsigned => store.bv_ult(a, b),
        }
    }

    /// The least and the greatest number of this width.
    fn range(self, width: u32) -> (i128, i128) {
        match self {
            Sign::Signed => (-1 << (width - 1), (1 << (width - 1)) - 1),
            Sign::Unsigned => (0, mask(width).into()),
        }
    }

    fn range_terms(self, store: &mut Store, width: u16) -> (Term, Term) {
        let ones = BitVec::ones(width);
        match self {
            Sign::Signed => {
                let one = BitVec::from_u64(width, 1);
                let least = one.shl(&BitVec::from_u64(width, u64::from(width) - 1));
                let greatest = least.not();
                (store.bv_value(least), store.bv_value(greatest))
            }
            Sign::Unsigned => (store.bv_value(BitVec::zero(width)), store.bv_value(ones)),
        }
    }
}

/// What is computed exactly before it is cut or clamped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exact {
    Sum,
    Difference,
    Product,
}

/// Exact arithmetic on signed or unsigned integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arithmetic(pub Exact, pub Sign);

impl Arithmetic {
    fn words(self, width: u32, a: u64, b: u64) -> (u64, bool) {
        let (exact, beyond) = self.exact(width, a, b);
        let word = exact as u64 & mask(width);
        (word, beyond || self.1.extend(width, word) != exact)
    }

    /// The exact result, and whether it does not even fit 128 bits.
    fn exact(self, width: u32, a: u64, b: u64) -> (i128, bool) {
        let Arithmetic(operation, sign) = self;
        let (a, b) = (sign.extend(width, a), sign.extend(width, b));
        match operation {
            Exact::Sum => (a + b, false),
            Exact::Difference => (a - b, false),
            Exact::Product => a.overflowing_mul(b),
        }
    }

    fn terms(self, store: &mut Store, a: Term, b: Term) -> (Term, Term) {
        let width = store.width(a);
        let exact = self.exact_term(store, a, b);
        let result = store.extract(exact, 0, width);
        let back = self.1.extend_term(store, result, store.width(exact));
        let same = store.eq(back, exact);
        (result, store.not(same))
    }

    /// The exact result in so many bits that it fits; sums and differences
    /// with their sign.
    fn exact_term(self, store: &mut Store, a: Term, b: Term) -> Term {
        let Arithmetic(operation, sign) = self;
        let width = store.width(a);
        let enough = match operation {
            Exact::Sum | Exact::Difference => width + 2,
            Exact::Product => 2 * width,
        };
        let (a, b) = (
            sign.extend_term(store, a, enough),
            sign.extend_term(store, b, enough),
        );
        match operation {
            Exact::Sum => store.bv_add(a, b),
            Exact::Difference => store.bv_sub(a, b),
            Exact::Product => store.bv_mul(a, b),
        }
    }

    fn clamped_words(self, width: u32, a: u64, b: u64) -> u64 {
        let (least, greatest) = self.1.range(width);
        self.exact(width, a, b).0.clamp(least, greatest) as u64 & mask(width)
    }

    fn clamped_terms(self, store: &mut Store, a: Term, b: Term) -> Term {
        let width = store.width(a);
        let (result, overflow) = self.terms(store, a, b);
        let exact = self.exact_term(store, a, b);
        let zero = store.bv(store.width(exact), 0);
        let below = store.bv_slt(exact, zero);
        let (least, greatest) = self.1.range_terms(store, width);
        let end = store.ite(below, least, greatest);
        store.ite(overflow, end, result)
    }
}

/// The number of ones.
pub(super) const POP_COUNT: Operation = Operation {
    words: |_, args| args[0].count_ones().into(),
    terms: |store, args| {
        let count = ones(store, args[0]);
        store.zext(count, store.width(args[0]))
    },
};

/// The number of ones, in just as many bits as it takes: those of the upper
/// and of the lower half added.
fn ones(store: &mut Store, a: Term) -> Term {
    let width = store.width(a);
    if width == 1 {
        return a;
    }
    let half = width / 2;
    let (high, low) = (
        store.extract(a, half, width - half),
        store.extract(a, 0, half),
    );
    let (high, low) = (ones(store, high), ones(store, low));
    let enough = width.ilog2() as u16 + 1;
    let (high, low) = (store.zext(high, enough), store.zext(low, enough));
    store.bv_add(high, low)
}

/// The number of leading zeros; the width for zero.
pub(super) const LEADING_ZEROS: Operation = Operation {
    words: |width, args| (args[0].leading_zeros() + width - 64).into(),
    terms: |store, args| {
        let width = store.width(args[0]);
        first_one(store, args[0], (0..width).map(|bit| (bit, width - 1 - bit)))
    },
};

/// The number of trailing zeros; the width for zero.
pub(super) const TRAILING_ZEROS: Operation = Operation {
    words: |width, args| args[0].trailing_zeros().min(width).into(),
    terms: |store, args| {
        let width = store.width(args[0]);
        first_one(store, args[0], (0..width).rev().map(|bit| (bit, bit)))
    },
};

/// The answer of the last of these bits that is one; the width if none is.
fn first_one(store: &mut Store, a: Term, answers: impl Iterator<Item = (u16, u16)>) -> Term {
    let width = store.width(a);
    let mut result = store.bv(width, width.into());
    for (bit, answer) in answers {
        let bit = store.extract(a, bit, 1);
        let is_one = store.is_nonzero(bit);
        let answer = store.bv(width, answer.into());
        result = store.ite(is_one, answer, result);
    }
    result
}

/// The bytes in reverse.
pub(super) const BYTE_SWAP: Operation = Operation {
    words: |width, args| args[0].swap_bytes() >> (64 - width),
    terms: |store, args| reversed(store, args[0], 8),
};

/// The bits in reverse.
pub(super) const BIT_REVERSE: Operation = Operation {
    words: |width, args| args[0].reverse_bits() >> (64 - width),
    terms: |store, args| reversed(store, args[0], 1),
};

/// The pieces of so many bits in reverse.
fn reversed(store: &mut Store, a: Term, piece: u16) -> Term {
    let width = store.width(a);
    let mut result = store.extract(a, 0, piece);
    for low in (piece..width).step_by(piece.into()) {
        let next = store.extract(a, low, piece);
        result = store.concat(result, next);
    }
    result
}

/// `(high, low, amount)`: the upper half of the pair shifted left.
pub(super) const FUNNEL_LEFT: Operation = Operation {
    words: |width, args| {
        let amount = (args[2] % u64::from(width)) as u32;
        let rest = args[1] >> 1 >> (width - 1 - amount);
        (args[0] << amount | rest) & mask(width)
    },
    terms: |store, args| {
        let (amount, rest) = funnel_amounts(store, args[2]);
        let one = store.bv(store.width(amount), 1);
        let high = store.bv_shl(args[0], amount);
        let low = store.bv_lshr(args[1], one);
        let low = store.bv_lshr(low, rest);
        store.bv_or(high, low)
    },
};

/// `(high, low, amount)`: the lower half of the pair shifted right.
pub(super) const FUNNEL_RIGHT: Operation = Operation {
    words: |width, args| {
        let amount = (args[2] % u64::from(width)) as u32;
        let rest = args[0] << 1 << (width - 1 - amount);
        (args[1] >> amount | rest) & mask(width)
    },
    terms: |store, args| {
        let (amount, rest) = funnel_amounts(store, args[2]);
        let one = store.bv(store.width(amount), 1);
        let low = store.bv_lshr(args[1], amount);
        let high = store.bv_shl(args[0], one);
        let high = store.bv_shl(high, rest);
        store.bv_or(high, low)
    },
};

/// The amount modulo the width, and what is left of the width less one.
fn funnel_amounts(store: &mut Store, amount: Term) -> (Term, Term) {
    let width = store.width(amount);
    let modulus = store.bv(width, width.into());
    let amount = store.bv_urem(amount, modulus);
    let most = store.bv(width, u64::from(width) - 1);
    (amount, store.bv_sub(most, amount))
}

/// The signed absolute value; the least number is its own.
pub(super) const ABS: Operation = Operation {
    words: |width, args| signed(args[0], width).unsigned_abs() & mask(width),
    terms: |store, args| {
        let zero = store.bv(store.width(args[0]), 0);
        let negative = store.bv_slt(args[0], zero);
        let minus = store.bv_neg(args[0]);
        store.ite(negative, minus, args[0])
    },
};

/// The signed minimum.
pub(super) const SMIN: Operation = Operation {
    words: |width, args| lesser(Sign::Signed, width, args[0], args[1]),
    terms: |store, args| lesser_term(store, Sign::Signed, args[0], args[1]),
};

/// The signed maximum.
pub(super) const SMAX: Operation = Operation {
    words: |width, args| greater(Sign::Signed, width, args[0], args[1]),
    terms: |store, args| greater_term(store, Sign::Signed, args[0], args[1]),
};

/// The unsigned minimum.
pub(super) const UMIN: Operation = Operation {
    words: |width, args| lesser(Sign::Unsigned, width, args[0], args[1]),
    terms: |store, args| lesser_term(store, Sign::Unsigned, args[0], args[1]),
};

/// The unsigned maximum.
pub(super) const UMAX: Operation = Operation {
    words: |width, args| greater(Sign::Unsigned, width, args[0], args[1]),
    terms: |store, args| greater_term(store, Sign::Unsigned, args[0], args[1]),
};

fn lesser(sign: Sign, width: u32, a: u64, b: u64) -> u64 {
    if sign.extend(width, a) < sign.extend(width, b) {
        a
    } else {
        b
    }
}

fn greater(sign: Sign, width: u32, a: u64, b: u64) -> u64 {
    if sign.extend(width, b) < sign.extend(width, a) {
        a
    } else {
        b
    }
}

fn lesser_term(store: &mut Store, sign: Sign, a: Term, b: Term) -> Term {
    let first = sign.less(store, a, b);
    store.ite(first, a, b)
}

fn greater_term(store: &mut Store, sign: Sign, a: Term, b: Term) -> Term {
    let first = sign.less(store, b, a);
    store.ite(first, a, b)
}

/// The signed left shift, clamped to the range.
pub(super) const SSHL_SAT: Operation = Operation {
    words: |width, args| clamped_shift(Sign::Signed, width, args[0], args[1]),
    terms: |store, args| {
        let shifted = store.bv_shl(args[0], args[1]);
        let back = store.bv_ashr(shifted, args[1]);
        clamped_shift_term(store, Sign::Signed, args[0], shifted, back)
    },
};

/// The unsigned left shift, clamped to the range.
pub(super) const USHL_SAT: Operation = Operation {
    words: |width, args| clamped_shift(Sign::Unsigned, width, args[0], args[1]),
    terms: |store, args| {
        let shifted = store.bv_shl(args[0], args[1]);
        let back = store.bv_lshr(shifted, args[1]);
        clamped_shift_term(store, Sign::Unsigned, args[0], shifted, back)
    },
};

/// An amount of the width or more, which is poison, shifts everything out.
fn clamped_shift(sign: Sign, width: u32, a: u64, amount: u64) -> u64 {
    let (least, greatest) = sign.range(width);
    let exact = sign.extend(width, a);
    let shifted = match amount < width.into() {
        true => (exact << amount).clamp(least, greatest),
        false if exact == 0 => 0,
        false if exact < 0 => least,
        false => greatest,
    };
    shifted as u64 & mask(width)
}

fn clamped_shift_term(store: &mut Store, sign: Sign, a: Term, shifted: Term, back: Term) -> Term {
    let zero = store.bv(store.width(a), 0);
    let negative = store.bv_slt(a, zero);
    let (least, greatest) = sign.range_terms(store, store.width(a));
    let end = match sign {
        Sign::Signed => store.ite(negative, least, greatest),
        Sign::Unsigned => greatest,
    };
    let fits = store.eq(back, a);
    store.ite(fits, shifted, end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::tests::{Random, evaluate};

    const WIDTHS: [u16; 8] = [1, 2, 3, 8, 16, 33, 63, 64];
    const ROUNDS: usize = 100;

    #[test]
    fn operations_on_terms_and_words_agree() {
        let all: [(&str, &Operation, usize); 13] = [
            ("ctpop", &POP_COUNT, 1),
            ("ctlz", &LEADING_ZEROS, 1),
            ("cttz", &TRAILING_ZEROS, 1),
            ("bitreverse", &BIT_REVERSE, 1),
            ("fshl", &FUNNEL_LEFT, 3),
            ("fshr", &FUNNEL_RIGHT, 3),
            ("abs", &ABS, 1),
            ("smin", &SMIN, 2),
            ("smax", &SMAX, 2),
            ("umin", &UMIN, 2),
            ("umax", &UMAX, 2),
            ("sshl.sat", &SSHL_SAT, 2),
            ("ushl.sat", &USHL_SAT, 2),
        ];
        let mut random = Random::new(7);
        for (name, operation, arity) in all {
            for width in WIDTHS {
                for _ in 0..ROUNDS {
                    check(name, operation, arity, width, &mut random);
                }
            }
        }
        for width in [16, 32, 48, 64] {
            check("bswap", &BYTE_SWAP, 1, width, &mut random);
        }
    }

    fn check(name: &str, operation: &Operation, arity: usize, width: u16, random: &mut Random) {
        let args: Vec<u64> = (0..arity).map(|_| random.word(width.into())).collect();
        let expected = (operation.words)(width.into(), &args);
        let variables: Vec<(u16, u64)> = args.iter().map(|&arg| (width, arg)).collect();
        let term = evaluate(&variables, |store, args| (operation.terms)(store, args));
        assert_eq!(term, expected, "{name} i{width} {args:x?}");
    }

    #[test]
    fn operations_on_words_are_those_of_rust() {
        let mut random = Random::new(8);
        for _ in 0..1000 {
            let (a, b, n) = (random.word(32), random.word(32), random.word(32));
            let (x, y, by) = (a as u32, b as u32, n as u32 % 32);
            let of = |operation: &Operation| (operation.words)(32, &[a, b, n]) as u32;
            assert_eq!(of(&POP_COUNT), x.count_ones());
            assert_eq!(of(&LEADING_ZEROS), x.leading_zeros());
            assert_eq!(of(&TRAILING_ZEROS), x.trailing_zeros());
            assert_eq!(of(&BYTE_SWAP), x.swap_bytes());
            assert_eq!(of(&BIT_REVERSE), x.reverse_bits());
            assert_eq!(of(&ABS), (x as i32).wrapping_abs() as u32);
            let pair = u64::from(x) << 32 | u64::from(y);
            assert_eq!(of(&FUNNEL_LEFT), (pair << by >> 32) as u32);
            assert_eq!(of(&FUNNEL_RIGHT), (pair >> by) as u32);
            assert_eq!(of(&SMIN) as i32, (x as i32).min(y as i32));
            assert_eq!(of(&SMAX) as i32, (x as i32).max(y as i32));
            assert_eq!(of(&UMIN), x.min(y));
            assert_eq!(of(&UMAX), x.max(y));
        }
    }

    #[test]
    fn checked_and_clamped_arithmetic_on_terms_and_words_agree() {
        let mut random = Random::new(9);
        for exact in [Exact::Sum, Exact::Difference, Exact::Product] {
            for sign in [Sign::Signed, Sign::Unsigned] {
                let arithmetic = Arithmetic(exact, sign);
                for width in WIDTHS {
                    for _ in 0..ROUNDS {
                        let (a, b) = (random.word(width.into()), random.word(width.into()));
                        check_arithmetic(arithmetic, width, a, b);
                    }
                }
            }
        }
    }

    fn check_arithmetic(arithmetic: Arithmetic, width: u16, a: u64, b: u64) {
        let (word, overflow) = arithmetic.words(width.into(), a, b);
        let args = [(width, a), (width, b)];
        let about = format!("{arithmetic:?} i{width} {a:#x} {b:#x}");
        let term = evaluate(&args, |store, args| {
            arithmetic.terms(store, args[0], args[1]).0
        });
        assert_eq!(term, word, "{about}");
        let term = evaluate(&args, |store, args| {
            let overflow = arithmetic.terms(store, args[0], args[1]).1;
            store.bool_to_bv(overflow, 1)
        });
        assert_eq!(term, u64::from(overflow), "{about}");
        if arithmetic.0 != Exact::Product {
            let clamped = arithmetic.clamped_words(width.into(), a, b);
            let term = evaluate(&args, |store, args| {
                arithmetic.clamped_terms(store, args[0], args[1])
            });
            assert_eq!(term, clamped, "{about}");
        }
    }

    #[test]
    fn all_bytes_are_added_subtracted_and_multiplied_as_in_rust() {
        let words = |exact, sign, a: u8, b: u8| {
            let (word, overflow) = Arithmetic(exact, sign).words(8, a.into(), b.into());
            (word as u8, overflow)
        };
        let clamped = |exact, sign, a: u8, b: u8| {
            Arithmetic(exact, sign).clamped_words(8, a.into(), b.into()) as u8
        };
        let cast = |(word, overflow): (i8, bool)| (word as u8, overflow);
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let (x, y) = (a as i8, b as i8);
                use Exact::{Difference, Product, Sum};
                use Sign::{Signed, Unsigned};
                assert_eq!(words(Sum, Unsigned, a, b), a.overflowing_add(b));
                assert_eq!(words(Difference, Unsigned, a, b), a.overflowing_sub(b));
                assert_eq!(words(Product, Unsigned, a, b), a.overflowing_mul(b));
                assert_eq!(words(Sum, Signed, a, b), cast(x.overflowing_add(y)));
                assert_eq!(words(Difference, Signed, a, b), cast(x.overflowing_sub(y)));
                assert_eq!(words(Product, Signed, a, b), cast(x.overflowing_mul(y)));
                assert_eq!(clamped(Sum, Unsigned, a, b), a.saturating_add(b));
                assert_eq!(clamped(Difference, Unsigned, a, b), a.saturating_sub(b));
                assert_eq!(clamped(Sum, Signed, a, b), x.saturating_add(y) as u8);
                assert_eq!(clamped(Difference, Signed, a, b), x.saturating_sub(y) as u8);
            }
        }
    }

    #[test]
    fn three_way_comparisons_give_minus_one_zero_and_one() {
        for (sign, expected) in [(Sign::Signed, [3, 0, 1]), (Sign::Unsigned, [1, 0, 3])] {
            for ((a, b), expected) in [(0x80, 1), (5, 5), (1, 0x80)].into_iter().zip(expected) {
                let term = evaluate(&[(8, a), (8, b)], |store, args| {
                    three_way_term(store, sign, 2, args[0], args[1])
                });
                assert_eq!(term, expected, "{sign:?} {a} {b}");
            }
        }
    }
}
