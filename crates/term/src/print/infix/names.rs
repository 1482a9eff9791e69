//! What operators, variables and sorts are called where they are written as words.

use super::vocabulary::Vocabulary;
use crate::op::Op;
use crate::sort::{FpFormat, Sort};
use crate::store::{Store, Term, Variable};
use crate::walk;
use rustc_hash::FxHashMap;

/// The name of an operator that is written like a function.
pub(super) fn function_name(store: &Store, term: Term) -> String {
    let width = store.width(term);
    let fixed = match store.op(term) {
        Op::FpFromBits => return format!("{}_from_bits", format_name(store.format(term))),
        Op::FpConvert | Op::FpFromReal => return format_name(store.format(term)),
        Op::FpFromSigned => return format!("{}_from_signed", format_name(store.format(term))),
        Op::FpFromUnsigned => return format!("{}_from_unsigned", format_name(store.format(term))),
        Op::FpToSigned => return format!("signed{width}"),
        Op::FpToUnsigned => return format!("unsigned{width}"),
        Op::IntToBv => return format!("bv{width}"),
        Op::ReLoop => {
            let [least, most] = store.indices(term);
            return format!("re_loop{{{least},{most}}}");
        }
        Op::BvSmod => "smod",
        Op::FpToBits => "bits",
        Op::FpAbs => "abs",
        Op::FpAdd => "add",
        Op::FpMul => "mul",
        Op::FpDiv => "div",
        Op::FpFma => "fma",
        Op::FpSqrt => "sqrt",
        Op::FpRem => "rem",
        Op::FpRound => "round",
        Op::FpMin => "min",
        Op::FpMax => "max",
        Op::FpIsNan => "is_nan",
        Op::FpIsInf => "is_infinite",
        Op::FpIsZero => "is_zero",
        Op::FpIsNormal => "is_normal",
        Op::FpIsSubnormal => "is_subnormal",
        Op::FpIsNegative => "is_negative",
        Op::FpIsPositive => "is_positive",
        Op::FpToReal | Op::ToReal => "real",
        Op::ToInt => "floor",
        Op::BvToNat => "nat",
        Op::StrLen => "len",
        Op::StrAt => "at",
        Op::StrSubstr => "substr",
        Op::StrPrefixOf => "is_prefix",
        Op::StrSuffixOf => "is_suffix",
        Op::StrContains => "contains",
        Op::StrIndexOf => "index_of",
        Op::StrReplace => "replace",
        Op::StrReplaceAll => "replace_all",
        Op::StrReplaceRe => "replace_re",
        Op::StrReplaceReAll => "replace_re_all",
        Op::StrIsDigit => "is_digit",
        Op::StrToCode => "to_code",
        Op::StrFromCode => "from_code",
        Op::StrToInt => "to_int",
        Op::StrFromInt => "from_int",
        Op::ReNone => "re_none",
        Op::ReAll => "re_all",
        Op::ReAllChar => "re_any",
        Op::ReFromStr => "re",
        Op::ReRange => "re_range",
        Op::ReConcat => "re_concat",
        Op::ReUnion => "re_union",
        Op::ReInter => "re_inter",
        Op::ReStar => "re_star",
        Op::ReComp => "re_not",
        other => unreachable!("{other:?} is not written like a function"),
    };
    fixed.to_owned()
}

fn format_name(format: FpFormat) -> String {
    match format {
        FpFormat::HALF => "half".into(),
        FpFormat::SINGLE => "float".into(),
        FpFormat::DOUBLE => "double".into(),
        FpFormat::X87 => "x87".into(),
        FpFormat::QUAD => "quad".into(),
        FpFormat { eb, sb } => format!("fp{eb}_{sb}"),
    }
}

/// The variables' names; with the sort where two have one name.
pub(super) fn names(
    store: &Store,
    roots: &[Term],
    words: Option<&dyn Vocabulary>,
) -> FxHashMap<Variable, String> {
    let variables = walk::free_variables(store, roots);
    if let Some(words) = words {
        return (variables.into_iter().map(|it| (it, words.name(store, it)))).collect();
    }
    let mut bearers: FxHashMap<&str, u32> = FxHashMap::default();
    for &variable in &variables {
        *bearers.entry(store.variable_name(variable)).or_default() += 1;
    }
    let name = |variable| {
        let name = store.variable_name(variable);
        let is_plain = |c: char| c.is_alphanumeric() || "_.!$#@?'".contains(c);
        let plain = match !name.is_empty() && name.chars().all(is_plain) {
            true => name.to_owned(),
            false => format!("|{name}|"),
        };
        match bearers[name] {
            1 => plain,
            _ => format!("{plain}:{}", sort_name(store.variable_sort(variable))),
        }
    };
    variables.iter().map(|&v| (v, name(v))).collect()
}

fn sort_name(sort: Sort) -> String {
    match sort {
        Sort::Bool => "bool".into(),
        Sort::Bv(width) => format!("bv{width}"),
        Sort::Fp(format) => format_name(format),
        Sort::RoundingMode => "rounding".into(),
        Sort::Array { index, element } => format!("array{index}_{element}"),
        Sort::Int => "int".into(),
        Sort::Real => "real".into(),
        Sort::String => "string".into(),
        Sort::RegLan => "language".into(),
    }
}
