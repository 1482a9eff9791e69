//! Words and terms agree, and both agree with the hardware.

use super::functions::{self, Function};
use super::{binary, cast, cast_term, compare, float_kind, terms};
use crate::value::{mask, width as width_of};
use program::{CastOp, FloatKind, FloatOp, FloatPredicate, Kind};
use term::{Assignment, BitVec, Evaluator, Sort, Store, Term, Value};

/// The word a term has where its variables, of these widths, have these words.
pub(crate) fn evaluate(
    args: &[(u16, u64)],
    build: impl FnOnce(&mut Store, &[Term]) -> Term,
) -> u64 {
    let mut store = Store::new();
    let mut assignment = Assignment::new();
    let mut variables = Vec::new();
    for (i, &(width, word)) in args.iter().enumerate() {
        let variable = store.var(&format!("x{i}"), Sort::Bv(width));
        let value = Value::Bv(BitVec::from_u64(width, word));
        assignment.set(store.as_variable(variable).expect("it is one"), value);
        variables.push(variable);
    }
    let term = build(&mut store, &variables);
    Evaluator::default().under(&store, &assignment).word(term)
}

/// Numbers without a pattern (xorshift).
pub(crate) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}
