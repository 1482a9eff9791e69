//! How each operator is written, one level deep.
//!
//! SMT-LIB leaves some results open that our operators fix; there the spelling
//! asks which case it is. The question is left out where a constant answers it.

use super::symbol::Names;
use super::value;
use crate::fp;
use crate::op::Op;
use crate::smtlib::partial;
use crate::sort::FpFormat;
use crate::store::{Store, Term};
use crate::value::Value;
use num_traits::Zero;
use rustc_hash::FxHashMap;

/// A stretch of output.
#[derive(Clone)]
pub(super) enum Piece {
    Fixed(&'static str),
    Text(String),
    Term(Term),
}

/// Appends pieces: string literals, `String`s and terms.
macro_rules! put {
    ($out:expr; $($piece:expr),+ $(,)?) => { $out.extend([$(Piece::from($piece)),+]) };
}

impl From<&'static str> for Piece {
    fn from(text: &'static str) -> Piece {
        Piece::Fixed(text)
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Piece {
        Piece::Text(text)
    }
}

impl From<Term> for Piece {
    fn from(term: Term) -> Piece {
        Piece::Term(term)
    }
}

/// Appends the term, its arguments left as pieces. `patterns` names the constants
/// that stand for the bits of floats; without it Z3's operator is used.
pub(super) fn spell(
    store: &Store,
    names: &Names,
    patterns: Option<&FxHashMap<Term, String>>,
    term: Term,
    out: &mut Vec<Piece>,
) {
    let args = store.args(term);
    let width = store.width(term);
    let argument_width = || store.width(args[0]);
    match (store.op(term), args) {
        (Op::Const, _) => {
            let constant = store.as_value(term).expect("it is a constant");
            put![out; value::value(&constant)]
        }
        (Op::Var, _) => {
            let variable = store.as_variable(term).expect("it is a variable");
            put![out; names.variable(variable).to_owned()]
        }
        (Op::Apply, _) => {
            let function = store.as_function(term).expect("it is an application");
            call(out, names.function(function).to_owned(), args)
        }
        (Op::Extract, _) => {
            let low = store.indices(term)[0];
            let high = low + u32::from(width) - 1;
            call(out, format!("(_ extract {high} {low})"), args)
        }
        (Op::Zext, _) => {
            let more = width - argument_width();
            call(out, format!("(_ zero_extend {more})"), args)
        }
        (Op::Sext, _) => {
            let more = width - argument_width();
            call(out, format!("(_ sign_extend {more})"), args)
        }
        (Op::ConstArray, _) => call(out, format!("(as const {})", store.sort(term)), args),
        (Op::FpFromBits | Op::FpConvert | Op::FpFromSigned | Op::FpFromReal, _) => {
            call(out, to_fp("to_fp", store.format(term)), args)
        }
        (Op::FpFromUnsigned, _) => call(out, to_fp("to_fp_unsigned", store.format(term)), args),
        (Op::FpToBits, &[a]) => match patterns {
            Some(patterns) => put![out; patterns[&term].clone()],
            None => {
                let format = store.format(a);
                let nan = value::bits(format.width(), fp::nan(format));
                put![out;
                    "(ite (fp.isNaN ",
                    a,
                    format!(") {nan} (fp.to_ieee_bv "),
                    a,
                    "))"
                ]
            }
        },
        (Op::FpMin | Op::FpMax, &[a, b]) => extremum(store, term, a, b, out),
        (Op::FpToSigned, &[rm, a]) => to_integer(store, names, term, [rm, a], true, out),
        (Op::FpToUnsigned, &[rm, a]) => to_integer(store, names, term, [rm, a], false, out),
        (Op::FpToReal, &[a]) => {
            put![out;
                "(ite (or (fp.isNaN ",
                a,
                ") (fp.isInfinite ",
                a,
                ")) 0.0 (fp.to_real ",
                a,
                "))"
            ]
        }
        (Op::IntDiv, &[a, b]) if !is_nonzero(store, b) => {
            put![out; "(ite (= ", b, " 0) 0 (div ", a, " ", b, "))"]
        }
        (Op::IntMod, &[a, b]) if !is_nonzero(store, b) => {
            put![out; "(ite (= ", b, " 0) ", a, " (mod ", a, " ", b, "))"]
        }
        (Op::RealDiv, &[a, b]) if !is_nonzero(store, b) => {
            put![out; "(ite (= ", b, " 0.0) 0.0 (/ ", a, " ", b, "))"]
        }
        (Op::IntToBv, _) => call(out, format!("(_ int2bv {width})"), args),
        (Op::ReLoop, _) => {
            let [least, most] = store.indices(term);
            call(out, format!("(_ re.loop {least} {most})"), args)
        }
        (op, _) => call(out, name(op), args),
    }
}

fn call(out: &mut Vec<Piece>, head: impl Into<Piece>, args: &[Term]) {
    if args.is_empty() {
        out.push(head.into());
        return;
    }
    put![out; "(", head.into()];
    for &arg in args {
        put![out; " ", arg];
    }
    put![out; ")"];
}

fn to_fp(name: &str, format: FpFormat) -> String {
    format!("(_ {name} {} {})", format.eb, format.sb)
}

fn is_nonzero(store: &Store, term: Term) -> bool {
    match store.as_value(term) {
        Some(Value::Int(a)) => !a.is_zero(),
        Some(Value::Real(a)) => !a.is_zero(),
        _ => false,
    }
}

/// SMT-LIB may choose either of two zeros of different sign; we take the
/// negative one as the lesser.
fn extremum(store: &Store, term: Term, a: Term, b: Term, out: &mut Vec<Piece>) {
    let head = name(store.op(term));
    let may_be_zero = |term| match store.as_value(term) {
        Some(Value::Fp(format, bits)) => fp::is_zero(format, bits),
        _ => true,
    };
    if !may_be_zero(a) || !may_be_zero(b) {
        return call(out, head, &[a, b]);
    }
    let (if_negative, otherwise) = match store.op(term) {
        Op::FpMin => (a, b),
        _ => (b, a),
    };
    put![out;
        "(ite (and (fp.isZero ",
        a,
        ") (fp.isZero ",
        b,
        ")) (ite (fp.isNegative ",
        a,
        ") ",
        if_negative,
        " ",
        otherwise,
        ") "
    ];
    call(out, head, &[a, b]);
    put![out; ")"];
}

/// SMT-LIB leaves the conversion open for NaN and out of range; ours gives
/// zero and saturates.
fn to_integer(
    store: &Store,
    names: &Names,
    term: Term,
    [rm, a]: [Term; 2],
    signed: bool,
    out: &mut Vec<Piece>,
) {
    let (format, width) = (store.format(a), store.width(term));
    let roomy = format.holding_integers();
    let (low, high) = partial::convertible(roomy, width, signed);
    let (low, high) = (value::float(roomy, low), value::float(roomy, high));
    let [zero, least, most] =
        partial::saturated(width, signed).map(|v| value::value(&Value::Bv(v)));
    let head = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
    let r = format!("{}r", names.prefix());
    let (widen, widened) = match roomy == format {
        true => (String::new(), ""),
        false => (format!("((_ to_fp {} {}) RNE ", roomy.eb, roomy.sb), ")"),
    };
    put![out;
        format!("(let (({r} (fp.roundToIntegral "),
        rm,
        format!(" {widen}"),
        a,
        format!(
            "{widened}))) (ite (fp.isNaN {r}) {zero} (ite (fp.lt {r} {low}) {least} \
             (ite (fp.lt {high} {r}) {most} ((_ {head} {width}) "
        ),
        rm,
        format!(" {r})))))"),
    ]
}

/// The name of an operator that is written plainly.
fn name(op: Op) -> &'static str {
    use Op::*;
    match op {
        Eq => "=",
        Ite => "ite",
        Not => "not",
        And => "and",
        BvNot => "bvnot",
        BvNeg => "bvneg",
        BvAnd => "bvand",
        BvOr => "bvor",
        BvXor => "bvxor",
        BvAdd => "bvadd",
        BvMul => "bvmul",
        BvUdiv => "bvudiv",
        BvUrem => "bvurem",
        BvSdiv => "bvsdiv",
        BvSrem => "bvsrem",
        BvSmod => "bvsmod",
        BvShl => "bvshl",
        BvLshr => "bvlshr",
        BvAshr => "bvashr",
        Ult => "bvult",
        Slt => "bvslt",
        Concat => "concat",
        Select => "select",
        Store => "store",
        FpAbs => "fp.abs",
        FpNeg => "fp.neg",
        FpAdd => "fp.add",
        FpMul => "fp.mul",
        FpDiv => "fp.div",
        FpFma => "fp.fma",
        FpSqrt => "fp.sqrt",
        FpRem => "fp.rem",
        FpRound => "fp.roundToIntegral",
        FpMin => "fp.min",
        FpMax => "fp.max",
        FpEq => "fp.eq",
        FpLt => "fp.lt",
        FpLe => "fp.leq",
        FpIsNan => "fp.isNaN",
        FpIsInf => "fp.isInfinite",
        FpIsZero => "fp.isZero",
        FpIsNormal => "fp.isNormal",
        FpIsSubnormal => "fp.isSubnormal",
        FpIsNegative => "fp.isNegative",
        FpIsPositive => "fp.isPositive",
        Add => "+",
        Mul => "*",
        Neg => "-",
        Lt => "<",
        Le => "<=",
        IntDiv => "div",
        IntMod => "mod",
        RealDiv => "/",
        ToReal => "to_real",
        ToInt => "to_int",
        BvToNat => "bv2nat",
        StrConcat => "str.++",
        StrLen => "str.len",
        StrAt => "str.at",
        StrSubstr => "str.substr",
        StrPrefixOf => "str.prefixof",
        StrSuffixOf => "str.suffixof",
        StrContains => "str.contains",
        StrIndexOf => "str.indexof",
        StrReplace => "str.replace",
        StrReplaceAll => "str.replace_all",
        StrReplaceRe => "str.replace_re",
        StrReplaceReAll => "str.replace_re_all",
        StrIsDigit => "str.is_digit",
        StrToCode => "str.to_code",
        StrFromCode => "str.from_code",
        StrToInt => "str.to_int",
        StrFromInt => "str.from_int",
        StrLt => "str.<",
        StrLe => "str.<=",
        StrInRe => "str.in_re",
        ReNone => "re.none",
        ReAll => "re.all",
        ReAllChar => "re.allchar",
        ReFromStr => "str.to_re",
        ReRange => "re.range",
        ReConcat => "re.++",
        ReUnion => "re.union",
        ReInter => "re.inter",
        ReStar => "re.*",
        ReComp => "re.comp",
        Const | Var | Apply | Extract | Zext | Sext | ConstArray | FpFromBits | FpToBits
        | FpConvert | FpFromSigned | FpFromUnsigned | FpToSigned | FpToUnsigned | FpFromReal
        | FpToReal | IntToBv | ReLoop => unreachable!("{op:?} has a spelling of its own"),
    }
}
