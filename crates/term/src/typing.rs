//! Which sorts an operator takes and which it gives.
//!
//! The constructors of [`Store`](crate::Store) trust their callers. Whoever
//! builds terms from text or bytes asks here first.

use crate::op::Op;
use crate::regex::Regex;
use crate::sort::{MAX_WIDTH, Sort};
use crate::store::{Node, Store, Term};
use crate::value::Value;
use crate::walk;
use rustc_hash::FxHashMap;

/// Whether the sort of the result is an index of the operator, rather than
/// following from the sorts of the arguments.
pub(crate) fn names_its_result(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        Extract
            | Zext
            | Sext
            | ConstArray
            | FpFromBits
            | FpConvert
            | FpFromSigned
            | FpFromUnsigned
            | FpToSigned
            | FpToUnsigned
            | FpFromReal
            | IntToBv
    )
}

/// The sort of `op` on arguments of these sorts; `None` when it does not take
/// them. `named` is the result of an operator that [`names_its_result`].
///
/// Leaves and applications of functions carry their sorts and are not asked
/// about.
pub(crate) fn result(
    op: Op,
    indices: [u32; 2],
    named: Option<Sort>,
    args: &[Sort],
) -> Option<Sort> {
    use Op::*;
    use Sort::{Array, Bool, Bv, Fp, Int, Real, RegLan, RoundingMode, String};
    let when = |fits: bool, sort: Sort| fits.then_some(sort);
    match (op, args) {
        (Eq, &[a, b]) => when(a == b, Bool),
        (Ite, &[Bool, a, b]) => when(a == b, a),
        (Not, [Bool]) | (And, [Bool, Bool]) => Some(Bool),
        (BvNot | BvNeg, &[Bv(a)]) => Some(Bv(a)),
        (
            BvAnd | BvOr | BvXor | BvAdd | BvMul | BvUdiv | BvUrem | BvSdiv | BvSrem | BvSmod
            | BvShl | BvLshr | BvAshr,
            &[Bv(a), Bv(b)],
        ) => when(a == b, Bv(a)),
        (Ult | Slt, [Bv(a), Bv(b)]) => when(a == b, Bool),
        (Concat, &[Bv(a), Bv(b)]) => when(a + b <= MAX_WIDTH, Bv(a + b)),
        (Extract, &[Bv(a)]) => named.filter(|&named| match named {
            Bv(width) => width > 0 && u64::from(indices[0]) + u64::from(width) <= u64::from(a),
            _ => false,
        }),
        (Zext | Sext, &[Bv(a)]) => named.filter(|named| named.bv_width() >= a),
        (ConstArray, &[Bv(a)]) => {
            named.filter(|named| matches!(named, Array { element, .. } if *element == a))
        }
        (Select, &[Array { index, element }, Bv(at)]) => when(at == index, Bv(element)),
        (Store, &[array @ Array { index, element }, Bv(at), Bv(put)]) => {
            when(at == index && put == element, array)
        }
        (FpFromBits, &[Bv(a)]) => {
            named.filter(|named| matches!(named, Fp(f) if f.width() == u32::from(a)))
        }
        (FpToBits, &[Fp(f)]) => Some(Bv(f.width() as u16)),
        (FpAbs | FpNeg, &[Fp(f)]) => Some(Fp(f)),
        (FpSqrt | FpRound, &[RoundingMode, Fp(f)]) => Some(Fp(f)),
        (FpAdd | FpMul | FpDiv, &[RoundingMode, Fp(f), Fp(g)]) => when(f == g, Fp(f)),
        (FpFma, &[RoundingMode, Fp(f), Fp(g), Fp(h)]) => when(f == g && g == h, Fp(f)),
        (FpRem | FpMin | FpMax, &[Fp(f), Fp(g)]) => when(f == g, Fp(f)),
        (FpEq | FpLt | FpLe, &[Fp(f), Fp(g)]) => when(f == g, Bool),
        (
            FpIsNan | FpIsInf | FpIsZero | FpIsNormal | FpIsSubnormal | FpIsNegative | FpIsPositive,
            [Fp(_)],
        ) => Some(Bool),
        (FpConvert, [RoundingMode, Fp(_)])
        | (FpFromSigned | FpFromUnsigned, [RoundingMode, Bv(_)])
        | (FpFromReal, [RoundingMode, Real]) => named.filter(|named| matches!(named, Fp(_))),
        (FpToSigned | FpToUnsigned, [RoundingMode, Fp(_)]) | (IntToBv, [Int]) => {
            named.filter(|named| matches!(named, Bv(_)))
        }
        (FpToReal, [Fp(_)]) => Some(Real),
        (Add | Mul, &[a @ (Int | Real), b]) => when(a == b, a),
        (Neg, &[a @ (Int | Real)]) => Some(a),
        (Lt | Le, &[a @ (Int | Real), b]) => when(a == b, Bool),
        (IntDiv | IntMod, [Int, Int]) => Some(Int),
        (RealDiv, [Real, Real]) => Some(Real),
        (ToReal, [Int]) => Some(Real),
        (ToInt, [Real]) => Some(Int),
        (BvToNat, [Bv(_)]) => Some(Int),
        (StrConcat, [String, String]) => Some(String),
        (StrLen | StrToCode | StrToInt, [String]) => Some(Int),
        (StrFromCode | StrFromInt, [Int]) => Some(String),
        (StrAt, [String, Int]) | (StrSubstr, [String, Int, Int]) => Some(String),
        (StrPrefixOf | StrSuffixOf | StrContains | StrLt | StrLe, [String, String]) => Some(Bool),
        (StrIndexOf, [String, String, Int]) => Some(Int),
        (StrReplace | StrReplaceAll, [String, String, String]) => Some(String),
        (StrReplaceRe | StrReplaceReAll, [String, RegLan, String]) => Some(String),
        (StrIsDigit, [String]) | (StrInRe, [String, RegLan]) => Some(Bool),
        (ReNone | ReAll | ReAllChar, []) | (ReFromStr, [String]) => Some(RegLan),
        (ReRange, [String, String]) => Some(RegLan),
        (ReConcat | ReUnion | ReInter, [RegLan, RegLan]) => Some(RegLan),
        (ReStar | ReComp | ReLoop, [RegLan]) => Some(RegLan),
        _ => None,
    }
}

/// The term of this operator, its sorts already checked, simplified.
pub(crate) fn build(
    store: &mut Store,
    op: Op,
    sort: Sort,
    indices: [u32; 2],
    args: &[Term],
) -> Term {
    let mut slots = [Term(0); 3];
    match op.arity() {
        Some(arity) => {
            slots[..arity].copy_from_slice(args);
            match op {
                Op::Extract => slots[1] = Term(indices[0]),
                Op::ReLoop => slots[1..].copy_from_slice(&indices.map(Term)),
                _ => {}
            }
        }
        None => slots[0] = store.list(args),
    }
    store.make(Node::new(op, sort, slots))
}

/// How deep the regular expressions of terms from outside are nested. Computing
/// with a [`Regex`] recurses, so one that is too deep must not come to be.
#[derive(Default)]
pub(crate) struct LanguageDepths {
    known: FxHashMap<Term, u32>,
}

impl LanguageDepths {
    /// The depth that the stack of any thread has room for.
    pub const LIMIT: u32 = 4000;

    /// A bound of the depth of `op` on these arguments; zero unless it is an
    /// operator on languages.
    pub fn of(&self, store: &Store, op: Op, args: &[Term]) -> u32 {
        let above = || {
            let depths = args.iter().map(|&arg| self.of_term(store, arg));
            depths.max().unwrap_or(0).saturating_add(1)
        };
        match op {
            Op::ReConcat | Op::ReUnion | Op::ReInter | Op::ReStar | Op::ReComp | Op::ReLoop => {
                above()
            }
            Op::Ite if store.sort(args[1]) == Sort::RegLan => above(),
            Op::ReFromStr => match store.as_value(args[0]) {
                Some(Value::Str(text)) => u32::try_from(text.len()).unwrap_or(u32::MAX),
                _ => 0,
            },
            _ => 0,
        }
    }

    fn of_term(&self, store: &Store, term: Term) -> u32 {
        match (self.known.get(&term), store.as_value(term)) {
            (Some(&depth), _) => depth,
            (None, Some(Value::Re(regex))) => depth(&regex),
            (None, _) => 0,
        }
    }

    /// Remembers the depth of every language that `root` is made of; returns
    /// the greatest.
    pub fn record_all(&mut self, store: &Store, root: Term) -> u32 {
        let mut deepest = 0;
        for term in walk::post_order(store, &[root]) {
            if store.sort(term) == Sort::RegLan && !store.is_const(term) {
                let depth = self.of(store, store.op(term), store.args(term));
                self.record(term, depth);
            }
            if store.sort(term) == Sort::RegLan {
                deepest = deepest.max(self.of_term(store, term));
            }
        }
        deepest
    }

    /// Remembers the depth of a term once it is built.
    pub fn record(&mut self, term: Term, depth: u32) {
        if depth > 0 {
            self.known.insert(term, depth);
        }
    }
}

/// How many expressions stand above the deepest one.
fn depth(regex: &Regex) -> u32 {
    let (mut deepest, mut stack) = (0, vec![(regex, 0)]);
    while let Some((part, depth)) = stack.pop() {
        deepest = deepest.max(depth);
        match part {
            Regex::None | Regex::Empty | Regex::Range(..) => {}
            Regex::Concat(a, b) | Regex::Union(a, b) | Regex::Inter(a, b) => {
                stack.extend([(&**a, depth + 1), (&**b, depth + 1)]);
            }
            Regex::Star(a) | Regex::Loop(a, ..) | Regex::Complement(a) => {
                stack.push((a, depth + 1));
            }
        }
    }
    deepest
}
