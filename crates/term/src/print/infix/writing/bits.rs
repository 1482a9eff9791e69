//! Bits that are moved, cut out and joined.
//!
//! Terms have operators of their own for that, which are written with brackets and colons as
//! hardware languages do. A reader of C has shifts and masks, and casts where whole bytes are
//! kept.

use super::{Level, Piece, Writer, Written, call, prefix};
use crate::op::Op;
use crate::print::infix::value;
use crate::print::infix::vocabulary::{self, Sign};
use crate::store::Term;
use crate::value::Value;
use num_bigint::BigUint;

impl Writer<'_> {
    /// What is shifted, the sign and by how much, of a term that moves bits as a
    /// shift by a constant does.
    pub(super) fn constant_shift(&self, term: Term) -> Option<(Term, &'static str, u16)> {
        let store = self.store;
        let width = store.width(term);
        let (Op::Zext | Op::Sext | Op::Concat, &[kept, ..]) = (store.op(term), store.args(term))
        else {
            return None;
        };
        let low = store.indices(kept)[0];
        let &[a] = store.args(kept) else { return None };
        if store.op(kept) != Op::Extract || store.width(a) != width {
            return None;
        }
        let by = width - store.width(kept);
        let from_the_top = low == u32::from(by);
        match (store.op(term), store.args(term)) {
            (Op::Zext, _) if from_the_top => Some((a, ">>u", by)),
            (Op::Sext, _) if from_the_top => Some((a, ">>s", by)),
            (Op::Concat, &[_, zeros]) if low == 0 => {
                let is_zero = matches!(store.as_value(zeros), Some(Value::Bv(b)) if b.is_zero());
                is_zero.then_some((a, "<<", by))
            }
            _ => None,
        }
    }

    /// Some bits of a number.
    pub(super) fn part(&self, a: Term, low: u16, width: u16) -> Written {
        let whole = self.store.width(a);
        let Some(words) = self.words else {
            let high = low + width - 1;
            let bits = match low == high {
                true => format!("[{low}]"),
                false => format!("[{high}:{low}]"),
            };
            return pieces![Level::Postfix; (a, Level::Postfix), bits];
        };
        let is_unsigned = matches!(self.sign(words, a), Sign::Unsigned | Sign::Either);
        let mask = mask((BigUint::from(1u8) << width) - 1u8);
        match (low, vocabulary::c_type(width, false)) {
            (0, Some(cast)) => prefix(cast, a),
            (0, None) => pieces![Level::BitAnd; (a, Level::BitAnd), format!(" & {mask}")],
            _ if is_unsigned && low + width == whole => {
                pieces![Level::Shift; (a, Level::Concat), format!(" >> {low}")]
            }
            _ => {
                pieces![Level::BitAnd; "(", (a, Level::Concat), format!(" >> {low}) & {mask}")]
            }
        }
    }

    /// That a bit of a number is set or not, if the term is one bit.
    pub(super) fn tested_bit(&self, bit: Term, is_set: bool) -> Option<Written> {
        let store = self.store;
        self.words?;
        let (Op::Extract, 1, &[number]) = (store.op(bit), store.width(bit), store.args(bit)) else {
            return None;
        };
        let mask = mask(BigUint::from(1u8) << store.indices(bit)[0]);
        let sign = if is_set { "!=" } else { "==" };
        Some(pieces![Level::Comparison;
            "(", (number, Level::BitAnd), format!(" & {mask}) {sign} 0")])
    }

    /// A widened number, as the cast that does it in C if one does.
    pub(super) fn widened(&self, op: Op, term: Term, a: Term) -> Written {
        let store = self.store;
        let width = store.width(term);
        let function = match op {
            Op::Zext => format!("zext{width}"),
            _ => format!("sext{width}"),
        };
        let Some(words) = self.words else {
            return call(function, &[a]);
        };
        // C widens by itself, and bits that were cut out have no sign.
        if op == Op::Zext && store.op(a) == Op::Extract {
            return self.write(a);
        }
        match vocabulary::cast(op, store.width(a), width, self.sign(words, a)) {
            Some(cast) => prefix(cast, a),
            None => call(function, &[a]),
        }
    }

    /// Two numbers joined, the first above the second.
    pub(super) fn concat(&self, a: Term, b: Term) -> Written {
        if let Some(words) = self.words {
            let width = self.store.width(b);
            if self.store.as_word(b) == Some(0) {
                return pieces![Level::Shift; (a, Level::Concat), format!(" << {width}")];
            }
            let above = format!(" << {width} | ");
            let cast = match self.sign(words, b) {
                Sign::Signed | Sign::Unknown => vocabulary::c_type(width, false),
                Sign::Unsigned | Sign::Either => None,
            };
            return match cast {
                Some(cast) => {
                    pieces![Level::BitOr; (a, Level::Concat), above, cast, (b, Level::Prefix)]
                }
                None => pieces![Level::BitOr; (a, Level::Concat), above, (b, Level::BitXor)],
            };
        }
        let part = |term, least| match self.store.as_value(term) {
            Some(Value::Bv(bits)) => value::sized(&bits).into(),
            _ => Piece::Part(term, least),
        };
        // Grouping does not matter, and bytes are joined from either end.
        pieces![Level::Concat; part(a, Level::Concat), " :: ", part(b, Level::Concat)]
    }
}

/// Masks are thought of in bits.
fn mask(bits: BigUint) -> String {
    match bits < BigUint::from(10u8) {
        true => bits.to_string(),
        false => format!("{bits:#x}"),
    }
}
