//! Rewriting at construction.
//!
//! Every rule is a small function named after what it does, headed by a
//! comment that says what it matches and what it gives, and listed in the
//! table of its operator. [`simplify`] tries, in this order, to compute with
//! constants, the rules of the table, and the facts of the term to be. A rule
//! looks a bounded distance into its arguments.
//!
//! # Normal forms
//!
//! Where one thing can be said in several ways, rules lead to one of them and
//! none leads away:
//!
//! * Negation moves outward: `eq(a, ¬b)` is `¬eq(a, b)`, a choice between
//!   negations is the negation of a choice, its condition is no negation. So do
//!   `bvnot` and `bvneg`, out of exclusive ors and out of products.
//! * A comparison has its constant last: `c < x` is `¬(x < c+1)`. Against the
//!   ends of the range it is an equality. A sign is asked as `slt(x, 0)`, a
//!   single bit `x` as `eq(x, 1)`.
//! * Constants move outward in sums, products and bitwise operations, and are
//!   combined: `(x + 3) + y` is `(x + y) + 3`. A complement in a sum becomes a
//!   negation; `-x - 1` alone is `bvnot x`.
//! * What only moves bits is said by `concat`, `extract`, `zext` and `sext`:
//!   shifts by constants, products, quotients and remainders by powers of two
//!   (`x + x` is `x * 2` is `concat(x[w-2:0], 0)`), masks of adjacent bits, and
//!   sums, ors and exclusive ors of terms that share no bits. Only a sum with a
//!   constant stays a sum, so that offsets stay visible.
//! * `concat` nests to the right, extensions stand outside of it, `concat(0,
//!   x)` is `zext x`. Extraction stands innermost.
//! * A Boolean choice with a constant branch is a conjunction; an operation on
//!   choices between constants is a choice between results.
//! * On integers, reals and strings, `a < b` is `¬(b ≤ a)`.
//! * An array of constants alone, up to 1,024 written elements, is a constant.
//!
//! # Termination
//!
//! A rule builds its result with the ordinary constructors, which simplify
//! again. Results are smaller, narrower, or nearer to normal form, so this
//! ends; how deep and how long it may go is bounded by [`Nesting`] besides,
//! whatever the term.

mod arith;
mod array;
mod bitwise;
mod boolean;
mod compare;
mod conjunction;
mod digits;
mod division;
mod equality;
mod float;
mod float_compare;
mod fold;
mod ite;
mod lift;
mod nesting;
mod number;
mod number_compare;
mod pattern;
mod shift;
mod string;
mod structure;
#[cfg(test)]
mod tests;
use crate::op::Op;
use crate::store::{Node, Store, Term};
use nesting::Nesting;

/// A named rewriting rule: the term a node is rewritten to, if it matches.
pub(crate) struct Rule {
    name: &'static str,
    apply: fn(&mut Store, &Node) -> Option<Term>,
}

/// The table of the rules with these names, in the order in which they are tried.
macro_rules! rules {
    ($($rule:path),* $(,)?) => {
        &[$(crate::rewrite::Rule { name: stringify!($rule), apply: $rule }),*]
    };
}
use rules;

/// The term the node is rewritten to, if any rule applies.
pub(crate) fn simplify(store: &mut Store, node: &Node) -> Option<Term> {
    if let Some(constant) = fold::constants(store, node) {
        return Some(constant);
    }
    let _level = Nesting::deeper()?;
    for rule in table(store, node) {
        if let Some(term) = (rule.apply)(store, node) {
            store.note_rule(rule.name);
            return Some(term);
        }
    }
    fold::single_value(store, node)
}

/// The rules of a node's operator.
fn table(store: &Store, node: &Node) -> &'static [Rule] {
    match node.op {
        Op::Const | Op::Var | Op::Apply => &[],
        Op::Eq => equality::of_sort(store.sort(node.slots[0])),
        Op::Ite => ite::of_sort(node.sort),
        Op::Not => boolean::NOT,
        Op::And => boolean::AND,
        Op::BvNot => bitwise::NOT,
        Op::BvNeg => arith::NEG,
        Op::BvAnd => bitwise::AND,
        Op::BvOr => bitwise::OR,
        Op::BvXor => bitwise::XOR,
        Op::BvAdd => arith::ADD,
        Op::BvMul => arith::MUL,
        Op::BvUdiv => division::UDIV,
        Op::BvUrem => division::UREM,
        Op::BvSdiv => division::SDIV,
        Op::BvSrem => division::SREM,
        Op::BvSmod => division::SMOD,
        Op::BvShl => shift::SHL,
        Op::BvLshr => shift::LSHR,
        Op::BvAshr => shift::ASHR,
        Op::Ult => compare::ULT,
        Op::Slt => compare::SLT,
        Op::Concat => structure::CONCAT,
        Op::Extract => structure::EXTRACT,
        Op::Zext => structure::ZEXT,
        Op::Sext => structure::SEXT,
        Op::ConstArray => &[],
        Op::Select => array::SELECT,
        Op::Store => array::STORE,
        Op::FpFromBits => float::FROM_BITS,
        Op::FpToBits => float::TO_BITS,
        Op::FpAbs => float::ABS,
        Op::FpNeg => float::NEG,
        Op::FpAdd => float::ADD,
        Op::FpMul => float::MUL,
        Op::FpDiv => float::DIV,
        Op::FpFma => float::FMA,
        Op::FpSqrt => float::SQRT,
        Op::FpRem => float::REM,
        Op::FpRound => float::ROUND,
        Op::FpMin | Op::FpMax => float::MIN_MAX,
        Op::FpEq => float_compare::EQ,
        Op::FpLt => float_compare::LT,
        Op::FpLe => float_compare::LE,
        Op::FpIsNan => float_compare::IS_NAN,
        Op::FpIsInf | Op::FpIsZero => float_compare::IS_INFINITE_ZERO,
        Op::FpIsNormal | Op::FpIsSubnormal => float_compare::IS_NORMAL_SUBNORMAL,
        Op::FpIsNegative | Op::FpIsPositive => float_compare::IS_NEGATIVE_POSITIVE,
        Op::FpConvert => float::CONVERT,
        Op::FpFromSigned => float::FROM_SIGNED,
        Op::FpFromUnsigned => float::FROM_UNSIGNED,
        Op::FpToSigned => float::TO_SIGNED,
        Op::FpToUnsigned => float::TO_UNSIGNED,
        Op::FpFromReal => &[],
        Op::FpToReal => float::TO_REAL,
        Op::Add => number::ADD,
        Op::Mul => number::MUL,
        Op::Neg => number::NEG,
        Op::Lt => number_compare::LT,
        Op::Le => number_compare::LE,
        Op::IntDiv => number::INT_DIV,
        Op::IntMod => number::INT_MOD,
        Op::RealDiv => number::REAL_DIV,
        Op::ToReal => &[],
        Op::ToInt => number::TO_INT,
        Op::BvToNat => number::BV_TO_NAT,
        Op::IntToBv => number::INT_TO_BV,
        Op::StrConcat => string::CONCAT,
        Op::StrLen => string::LEN,
        Op::StrAt => string::AT,
        Op::StrSubstr => string::SUBSTR,
        Op::StrPrefixOf => string::PREFIX_OF,
        Op::StrSuffixOf => string::SUFFIX_OF,
        Op::StrContains => string::CONTAINS,
        Op::StrIndexOf => string::INDEX_OF,
        Op::StrReplace => string::REPLACE,
        Op::StrReplaceAll => string::REPLACE_ALL,
        Op::StrReplaceRe | Op::StrReplaceReAll => string::REPLACE_RE,
        Op::StrLt => string::LT,
        Op::StrLe => string::LE,
        Op::StrInRe => string::IN_RE,
        Op::StrIsDigit | Op::StrToCode | Op::StrFromCode | Op::StrToInt | Op::StrFromInt => &[],
        Op::ReConcat => string::RE_CONCAT,
        Op::ReUnion => string::RE_UNION,
        Op::ReInter => string::RE_INTER,
        Op::ReStar => string::RE_STAR,
        Op::ReComp => string::RE_COMP,
        Op::ReNone | Op::ReAll | Op::ReAllChar | Op::ReFromStr | Op::ReRange | Op::ReLoop => &[],
    }
}
