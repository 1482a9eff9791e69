//! The words of the source that terms came from.
//!
//! Terms know widths and no types: what is signed shows in the operators alone. A reader of
//! C has it the other way round, types at the variables and plain operators. With the types
//! of the variables at hand a mark is written only where an operator does not read its
//! operands as their types do.

use super::value;
use crate::bits::BitVec;
use crate::op::Op;
use crate::store::{Store, Term, Variable};

/// Operators that are looked through for the sign of a term: a term may be deep.
const DEPTH: u32 = 8;

/// How the source reads a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// As a signed number.
    Signed,
    /// As an unsigned number.
    Unsigned,
    /// Nobody knows.
    Unknown,
    /// It makes no difference: a constant, or a number that was widened by zeros.
    Either,
}

/// What the source calls variables and constants.
pub trait Vocabulary {
    /// The variable's name.
    fn name(&self, store: &Store, variable: Variable) -> String;
    /// How it is read.
    fn sign(&self, variable: Variable) -> Sign;
    /// A constant that is compared with the variable, if it has a word of its own.
    fn constant(&self, variable: Variable, value: &BitVec) -> Option<String>;
    /// Whether the variable is true or false, which is its lowest bit.
    fn is_bool(&self, variable: Variable) -> bool;
}

/// The sign of a term by C's rules: unsigned as soon as one operand is.
pub(super) fn sign(store: &Store, words: &dyn Vocabulary, term: Term) -> Sign {
    sign_within(store, words, term, DEPTH)
}

fn sign_within(store: &Store, words: &dyn Vocabulary, term: Term, depth: u32) -> Sign {
    let Some(depth) = depth.checked_sub(1) else {
        return Sign::Unknown;
    };
    let args = store.args(term);
    match store.op(term) {
        Op::Const | Op::Zext => Sign::Either,
        Op::Var => {
            let variable = store.as_variable(term).expect("it is a variable");
            words.sign(variable)
        }
        Op::Sext | Op::BvSdiv | Op::BvSrem | Op::BvAshr => Sign::Signed,
        Op::Extract | Op::Concat | Op::BvUdiv | Op::BvUrem | Op::BvLshr | Op::Select => {
            Sign::Unsigned
        }
        Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor => {
            let signs = args
                .iter()
                .map(|&arg| sign_within(store, words, arg, depth));
            signs.fold(Sign::Either, combined)
        }
        Op::BvNeg | Op::BvNot | Op::BvShl => sign_within(store, words, args[0], depth),
        Op::Ite => combined(
            sign_within(store, words, args[1], depth),
            sign_within(store, words, args[2], depth),
        ),
        _ => Sign::Unknown,
    }
}

fn combined(one: Sign, other: Sign) -> Sign {
    use Sign::{Either, Signed, Unknown, Unsigned};
    match (one, other) {
        (Unsigned, _) | (_, Unsigned) => Unsigned,
        (Unknown, _) | (_, Unknown) => Unknown,
        (Signed, _) | (_, Signed) => Signed,
        (Either, Either) => Either,
    }
}

/// The operator without a mark that says what the types of its operands say already.
pub(super) fn unmarked(operator: &str, signs: [Sign; 2]) -> &str {
    let is_unsigned = |sign| matches!(sign, Sign::Unsigned | Sign::Either);
    match operator.split_at(operator.len() - 1) {
        (plain, "u") if signs.into_iter().all(is_unsigned) => plain,
        (plain, "s") if !signs.contains(&Sign::Unsigned) => plain,
        _ => operator,
    }
}

/// The word for a constant that is compared with a term: of a variable, as wide as it is or
/// widened.
pub(super) fn constant(
    store: &Store,
    words: &dyn Vocabulary,
    compared: Term,
    constant: &BitVec,
) -> Option<String> {
    let inner = match store.op(compared) {
        Op::Zext | Op::Sext => store.args(compared)[0],
        _ => compared,
    };
    let variable = store.as_variable(inner)?;
    let width = store.width(inner);
    let narrow = constant.extract(0, width);
    let widened = match store.op(compared) {
        Op::Sext => narrow.sext(constant.width()),
        _ => narrow.zext(constant.width()),
    };
    match widened == *constant {
        true => words.constant(variable, &narrow),
        // Beyond what the variable can be.
        false => Some(value::decimal(constant)),
    }
}

/// The cast of C that widens a number from one width to another: to the wider type if the
/// value stays, else to the type of the same width whose value does.
pub(super) fn cast(op: Op, from: u16, to: u16, sign: Sign) -> Option<&'static str> {
    let keeps_value = match op {
        Op::Zext => matches!(sign, Sign::Unsigned | Sign::Either),
        _ => matches!(sign, Sign::Signed | Sign::Unknown),
    };
    match keeps_value {
        true => c_type(to, true),
        false => c_type(from, op != Op::Zext),
    }
}

/// A cast to the type of C that has this width.
pub(super) fn c_type(width: u16, is_signed: bool) -> Option<&'static str> {
    Some(match (width, is_signed) {
        (8, true) => "(signed char)",
        (8, false) => "(unsigned char)",
        (16, true) => "(short)",
        (16, false) => "(unsigned short)",
        (32, true) => "(int)",
        (32, false) => "(unsigned)",
        (64, true) => "(long)",
        (64, false) => "(unsigned long)",
        _ => return None,
    })
}
