//! The symbols of SMT-LIB's theories and what they build.
//!
//! Most are an operator of ours under its SMT-LIB name. The others are said in
//! terms of a few operators, and check their arguments as one of those would.

use crate::op::Op;
use crate::sort::RoundingMode;
use crate::store::{Store, Term};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

pub(super) type Unary = fn(&mut Store, Term) -> Term;
pub(super) type Binary = fn(&mut Store, Term, Term) -> Term;
pub(super) type Ternary = fn(&mut Store, Term, Term, Term) -> Term;

/// What to do with arguments once their sorts are checked.
#[derive(Clone, Copy)]
pub(super) enum Body {
    One(Unary),
    Two(Binary),
    Three(Ternary),
}

/// What a symbol of a theory builds from its arguments.
#[derive(Clone, Copy)]
pub(super) enum Builtin {
    Constant(fn(&mut Store) -> Term),
    /// The operator itself.
    Operator(Op),
    /// What takes arguments as this operator does.
    Like(Op, Body),
    /// Left-associative, two or more arguments, each pair as of the operator.
    Fold(Op, Binary),
    /// Associative: the same, but as a tree of little depth.
    Balanced(Op, Binary),
    /// Of every two neighbours among two or more arguments.
    Chain(Op, Binary),
    /// Special cases, whose arguments may be of several sorts or numbers.
    And,
    Or,
    Implies,
    Equal,
    Distinct,
    Ite,
    /// A predicate on a product, for which the factors are widened.
    ProductOverflow {
        signed: bool,
    },
    FloatLiteral,
    Extremum(Op),
    FpToReal,
    Plus,
    Minus,
    Times,
    Divide,
    IntDivide(Op),
    Abs,
    Compare(Binary),
    ToReal,
    ToInt,
    IsInt,
    IndexOf,
    Loop,
}

/// The theory symbol of this name.
pub(super) fn find(name: &str) -> Option<&'static Builtin> {
    static SYMBOLS: LazyLock<FxHashMap<&str, Builtin>> = LazyLock::new(symbols);
    SYMBOLS.get(name)
}

/// Whether the symbol belongs to the core theory, which every logic has.
pub(super) fn is_core(name: &str) -> bool {
    matches!(
        name,
        "true" | "false" | "not" | "=>" | "and" | "or" | "xor" | "=" | "distinct" | "ite"
    )
}

fn symbols() -> FxHashMap<&'static str, Builtin> {
    let lists = [core(), bit_vectors(), floats(), numbers(), strings()];
    lists.into_iter().flatten().collect()
}

type List = Vec<(&'static str, Builtin)>;

use Body::{One, Three, Two};
use Builtin::{Balanced, Chain, Constant, Fold, Like, Operator};

fn core() -> List {
    vec![
        ("true", Constant(|store| store.bool(true))),
        ("false", Constant(|store| store.bool(false))),
        ("not", Operator(Op::Not)),
        ("and", Builtin::And),
        ("or", Builtin::Or),
        ("=>", Builtin::Implies),
        ("xor", Fold(Op::And, Store::xor)),
        ("=", Builtin::Equal),
        ("distinct", Builtin::Distinct),
        ("ite", Builtin::Ite),
        ("select", Operator(Op::Select)),
        ("store", Operator(Op::Store)),
    ]
}

fn bit_vectors() -> List {
    let two = |f: Binary| Like(Op::BvAdd, Two(f));
    let one = |f: Unary| Like(Op::BvNot, One(f));
    vec![
        ("concat", Fold(Op::Concat, Store::concat)),
        ("bvnot", Operator(Op::BvNot)),
        ("bvneg", Operator(Op::BvNeg)),
        ("bvand", Fold(Op::BvAnd, Store::bv_and)),
        ("bvor", Fold(Op::BvOr, Store::bv_or)),
        ("bvxor", Fold(Op::BvXor, Store::bv_xor)),
        ("bvadd", Fold(Op::BvAdd, Store::bv_add)),
        ("bvsub", Fold(Op::BvAdd, Store::bv_sub)),
        ("bvmul", Fold(Op::BvMul, Store::bv_mul)),
        ("bvudiv", Operator(Op::BvUdiv)),
        ("bvurem", Operator(Op::BvUrem)),
        ("bvsdiv", Operator(Op::BvSdiv)),
        ("bvsrem", Operator(Op::BvSrem)),
        ("bvsmod", Operator(Op::BvSmod)),
        ("bvshl", Operator(Op::BvShl)),
        ("bvlshr", Operator(Op::BvLshr)),
        ("bvashr", Operator(Op::BvAshr)),
        ("bvnand", two(bv_nand)),
        ("bvnor", two(bv_nor)),
        ("bvxnor", Fold(Op::BvXor, bv_xnor)),
        ("bvcomp", two(bv_comp)),
        ("bvult", Operator(Op::Ult)),
        ("bvule", two(Store::bv_ule)),
        ("bvugt", two(|store, a, b| store.bv_ult(b, a))),
        ("bvuge", two(|store, a, b| store.bv_ule(b, a))),
        ("bvslt", Operator(Op::Slt)),
        ("bvsle", two(Store::bv_sle)),
        ("bvsgt", two(|store, a, b| store.bv_slt(b, a))),
        ("bvsge", two(|store, a, b| store.bv_sle(b, a))),
        ("bvredor", one(|store, a| is_not(store, a, 0))),
        ("bvredand", one(bv_redand)),
        ("bvnego", one(is_least)),
        ("bvuaddo", two(unsigned_add_overflows)),
        ("bvsaddo", two(signed_add_overflows)),
        ("bvusubo", two(Store::bv_ult)),
        ("bvssubo", two(signed_sub_overflows)),
        ("bvsdivo", two(signed_div_overflows)),
        ("bvumulo", Builtin::ProductOverflow { signed: false }),
        ("bvsmulo", Builtin::ProductOverflow { signed: true }),
        ("bv2nat", Operator(Op::BvToNat)),
        ("ubv_to_int", Operator(Op::BvToNat)),
        ("sbv_to_int", one(signed_value)),
    ]
}

fn floats() -> List {
    use RoundingMode::*;
    vec![
        ("fp", Builtin::FloatLiteral),
        ("fp.abs", Operator(Op::FpAbs)),
        ("fp.neg", Operator(Op::FpNeg)),
        ("fp.add", Operator(Op::FpAdd)),
        ("fp.sub", Like(Op::FpAdd, Three(Store::fp_sub))),
        ("fp.mul", Operator(Op::FpMul)),
        ("fp.div", Operator(Op::FpDiv)),
        ("fp.fma", Operator(Op::FpFma)),
        ("fp.sqrt", Operator(Op::FpSqrt)),
        ("fp.rem", Operator(Op::FpRem)),
        ("fp.roundToIntegral", Operator(Op::FpRound)),
        ("fp.min", Builtin::Extremum(Op::FpMin)),
        ("fp.max", Builtin::Extremum(Op::FpMax)),
        ("fp.eq", Chain(Op::FpEq, Store::fp_eq)),
        ("fp.lt", Chain(Op::FpLt, Store::fp_lt)),
        ("fp.leq", Chain(Op::FpLe, Store::fp_le)),
        ("fp.gt", Chain(Op::FpLt, |store, a, b| store.fp_lt(b, a))),
        ("fp.geq", Chain(Op::FpLe, |store, a, b| store.fp_le(b, a))),
        ("fp.isNaN", Operator(Op::FpIsNan)),
        ("fp.isInfinite", Operator(Op::FpIsInf)),
        ("fp.isZero", Operator(Op::FpIsZero)),
        ("fp.isNormal", Operator(Op::FpIsNormal)),
        ("fp.isSubnormal", Operator(Op::FpIsSubnormal)),
        ("fp.isNegative", Operator(Op::FpIsNegative)),
        ("fp.isPositive", Operator(Op::FpIsPositive)),
        ("fp.to_real", Builtin::FpToReal),
        ("fp.to_ieee_bv", Operator(Op::FpToBits)),
        ("RNE", Constant(|store| store.rounding(NearestEven))),
        (
            "roundNearestTiesToEven",
            Constant(|store| store.rounding(NearestEven)),
        ),
        ("RNA", Constant(|store| store.rounding(NearestAway))),
        (
            "roundNearestTiesToAway",
            Constant(|store| store.rounding(NearestAway)),
        ),
        ("RTP", Constant(|store| store.rounding(TowardPositive))),
        (
            "roundTowardPositive",
            Constant(|store| store.rounding(TowardPositive)),
        ),
        ("RTN", Constant(|store| store.rounding(TowardNegative))),
        (
            "roundTowardNegative",
            Constant(|store| store.rounding(TowardNegative)),
        ),
        ("RTZ", Constant(|store| store.rounding(TowardZero))),
        (
            "roundTowardZero",
            Constant(|store| store.rounding(TowardZero)),
        ),
    ]
}

fn numbers() -> List {
    vec![
        ("+", Builtin::Plus),
        ("-", Builtin::Minus),
        ("*", Builtin::Times),
        ("/", Builtin::Divide),
        ("div", Builtin::IntDivide(Op::IntDiv)),
        ("mod", Builtin::IntDivide(Op::IntMod)),
        ("abs", Builtin::Abs),
        ("<", Builtin::Compare(Store::lt)),
        ("<=", Builtin::Compare(Store::le)),
        (">", Builtin::Compare(|store, a, b| store.lt(b, a))),
        (">=", Builtin::Compare(|store, a, b| store.le(b, a))),
        ("to_real", Builtin::ToReal),
        ("to_int", Builtin::ToInt),
        ("is_int", Builtin::IsInt),
    ]
}

fn strings() -> List {
    vec![
        ("str.++", Fold(Op::StrConcat, Store::str_concat)),
        ("str.len", Operator(Op::StrLen)),
        ("str.at", Operator(Op::StrAt)),
        ("str.substr", Operator(Op::StrSubstr)),
        ("str.prefixof", Operator(Op::StrPrefixOf)),
        ("str.suffixof", Operator(Op::StrSuffixOf)),
        ("str.contains", Operator(Op::StrContains)),
        ("str.indexof", Builtin::IndexOf),
        ("str.replace", Operator(Op::StrReplace)),
        ("str.replace_all", Operator(Op::StrReplaceAll)),
        ("str.replace_re", Operator(Op::StrReplaceRe)),
        ("str.replace_re_all", Operator(Op::StrReplaceReAll)),
        ("str.is_digit", Operator(Op::StrIsDigit)),
        ("str.to_code", Operator(Op::StrToCode)),
        ("str.from_code", Operator(Op::StrFromCode)),
        ("str.to_int", Operator(Op::StrToInt)),
        ("str.to.int", Operator(Op::StrToInt)),
        ("str.from_int", Operator(Op::StrFromInt)),
        ("int.to.str", Operator(Op::StrFromInt)),
        ("str.<", Chain(Op::StrLt, Store::str_lt)),
        ("str.<=", Chain(Op::StrLe, Store::str_le)),
        ("str.in_re", Operator(Op::StrInRe)),
        ("str.in.re", Operator(Op::StrInRe)),
        ("str.to_re", Operator(Op::ReFromStr)),
        ("str.to.re", Operator(Op::ReFromStr)),
        ("re.none", Constant(Store::re_none)),
        ("re.nostr", Constant(Store::re_none)),
        ("re.all", Constant(Store::re_all)),
        ("re.allchar", Constant(Store::re_all_char)),
        ("re.range", Operator(Op::ReRange)),
        ("re.++", Balanced(Op::ReConcat, Store::re_concat)),
        ("re.union", Balanced(Op::ReUnion, Store::re_union)),
        ("re.inter", Balanced(Op::ReInter, Store::re_inter)),
        ("re.diff", Fold(Op::ReInter, re_diff)),
        ("re.*", Operator(Op::ReStar)),
        ("re.+", Like(Op::ReStar, One(re_plus))),
        ("re.opt", Like(Op::ReStar, One(re_opt))),
        ("re.comp", Operator(Op::ReComp)),
        ("re.loop", Builtin::Loop),
    ]
}

fn bv_nand(store: &mut Store, a: Term, b: Term) -> Term {
    let and = store.bv_and(a, b);
    store.bv_not(and)
}

fn bv_nor(store: &mut Store, a: Term, b: Term) -> Term {
    let or = store.bv_or(a, b);
    store.bv_not(or)
}

fn bv_xnor(store: &mut Store, a: Term, b: Term) -> Term {
    let xor = store.bv_xor(a, b);
    store.bv_not(xor)
}

fn bv_comp(store: &mut Store, a: Term, b: Term) -> Term {
    let equal = store.eq(a, b);
    store.bool_to_bv(equal, 1)
}

/// One bit: whether `a` differs from the constant.
fn is_not(store: &mut Store, a: Term, constant: u64) -> Term {
    let constant = store.bv(store.width(a), constant);
    let equal = store.eq(a, constant);
    let differs = store.not(equal);
    store.bool_to_bv(differs, 1)
}

fn bv_redand(store: &mut Store, a: Term) -> Term {
    let complement = store.bv_not(a);
    let zero = store.bv(store.width(a), 0);
    let all = store.eq(complement, zero);
    store.bool_to_bv(all, 1)
}

/// Whether `a` is the least signed number, whose negation overflows.
fn is_least(store: &mut Store, a: Term) -> Term {
    let [_, least, _] = super::partial::saturated(store.width(a), true);
    let least = store.bv_value(least);
    store.eq(a, least)
}

fn is_negative(store: &mut Store, a: Term) -> Term {
    let zero = store.bv(store.width(a), 0);
    store.bv_slt(a, zero)
}

fn unsigned_add_overflows(store: &mut Store, a: Term, b: Term) -> Term {
    let sum = store.bv_add(a, b);
    store.bv_ult(sum, a)
}

/// The operands agree in sign and the sum does not.
fn signed_add_overflows(store: &mut Store, a: Term, b: Term) -> Term {
    let sum = store.bv_add(a, b);
    let [a, b, sum] = [a, b, sum].map(|term| is_negative(store, term));
    let (agree, turned) = (store.eq(a, b), store.xor(a, sum));
    store.and(agree, turned)
}

/// The operands differ in sign and the difference has that of the second.
fn signed_sub_overflows(store: &mut Store, a: Term, b: Term) -> Term {
    let difference = store.bv_sub(a, b);
    let [a, b, difference] = [a, b, difference].map(|term| is_negative(store, term));
    let (differ, turned) = (store.xor(a, b), store.xor(a, difference));
    store.and(differ, turned)
}

fn signed_div_overflows(store: &mut Store, a: Term, b: Term) -> Term {
    let one = store.bv(store.width(b), 1);
    let minus_one = store.bv_neg(one);
    let by_minus_one = store.eq(b, minus_one);
    let least = is_least(store, a);
    store.and(least, by_minus_one)
}

fn signed_value(store: &mut Store, a: Term) -> Term {
    let modulus = num_bigint::BigInt::from(1) << store.width(a);
    let (modulus, natural) = (store.int(modulus), store.bv_to_nat(a));
    let below_zero = store.sub(natural, modulus);
    let is_negative = is_negative(store, a);
    store.ite(is_negative, below_zero, natural)
}

fn re_diff(store: &mut Store, a: Term, b: Term) -> Term {
    let others = store.re_comp(b);
    store.re_inter(a, others)
}

fn re_plus(store: &mut Store, a: Term) -> Term {
    let any = store.re_star(a);
    store.re_concat(a, any)
}

fn re_opt(store: &mut Store, a: Term) -> Term {
    let empty = store.string("");
    let empty = store.re_from_str(empty);
    store.re_union(empty, a)
}
