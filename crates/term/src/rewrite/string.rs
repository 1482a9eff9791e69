//! Rules for strings and regular languages.

use super::equality::eq_same;
use super::pattern::{binary, both_ways, unary};
use super::{Rule, rules};
use crate::op::Op;
use crate::store::{Node, Store, Term};
use crate::text;
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::rc::Rc;

pub(super) const CONCAT: &[Rule] = rules![
    concat_empty_last,
    concat_empty_first,
    concat_constants_first,
    concat_constants_last,
];

pub(super) const LEN: &[Rule] = rules![len_concat];

pub(super) const AT: &[Rule] = rules![at_empty, at_outside, at_prefix];

pub(super) const SUBSTR: &[Rule] = rules![substr_empty, substr_nothing, substr_whole];

pub(super) const PREFIX_OF: &[Rule] = rules![
    affix_empty,
    affix_same,
    affix_of_empty,
    prefix_shared,
    prefix_constant,
];

pub(super) const SUFFIX_OF: &[Rule] = rules![
    affix_empty,
    affix_same,
    affix_of_empty,
    suffix_shared,
    suffix_constant,
];

pub(super) const CONTAINS: &[Rule] = rules![
    contains_empty,
    contains_same,
    empty_contains,
    contains_part,
    contains_constant,
];

pub(super) const INDEX_OF: &[Rule] = rules![index_of_self, index_of_empty, index_of_before];

pub(super) const REPLACE: &[Rule] = rules![replace_by_same, replace_empty, replace_whole,];

pub(super) const REPLACE_ALL: &[Rule] =
    rules![replace_by_same, replace_all_empty, replace_all_in_empty];

pub(super) const REPLACE_RE: &[Rule] = rules![replace_none];

pub(super) const LT: &[Rule] = rules![lt_is_not_le];

pub(super) const LE: &[Rule] = rules![le_same, le_from_empty, le_to_empty];

pub(super) const IN_RE: &[Rule] = rules![in_all, in_none, in_one];

pub(super) const RE_CONCAT: &[Rule] = rules![re_concat_none];

pub(super) const RE_UNION: &[Rule] = rules![re_same, re_union_none, re_union_all];

pub(super) const RE_INTER: &[Rule] = rules![re_same, re_inter_none, re_inter_all];

pub(super) const RE_STAR: &[Rule] = rules![re_star_star];

pub(super) const RE_COMP: &[Rule] = rules![re_comp_comp];

pub(super) const EQUALITY: &[Rule] = rules![
    eq_same,
    eq_prefix_constant,
    eq_suffix_constant,
    eq_prefix_shared,
    eq_suffix_shared,
];

/// How many parts of a concatenation its length is summed over.
const MOST_PARTS: usize = 64;

/// The characters of a string constant.
fn text(store: &Store, term: Term) -> Option<Rc<[u32]>> {
    match store.as_value(term)? {
        Value::Str(text) => Some(text),
        _ => None,
    }
}

fn is_empty(store: &Store, term: Term) -> bool {
    text(store, term).is_some_and(|text| text.is_empty())
}

fn string(store: &mut Store, text: &[u32]) -> Term {
    store.value(Value::Str(text.into()))
}

fn empty(store: &mut Store) -> Term {
    string(store, &[])
}

fn integer(store: &Store, term: Term) -> Option<BigInt> {
    match store.as_value(term)? {
        Value::Int(value) => Some(value),
        _ => None,
    }
}

/// Whether the string is the empty one, as a term.
fn is_nothing(store: &mut Store, s: Term) -> Term {
    let empty = empty(store);
    store.eq(s, empty)
}

/// match: s ++ ""
/// result: s
fn concat_empty_last(store: &mut Store, node: &Node) -> Option<Term> {
    let [s, t, _] = node.slots;
    is_empty(store, t).then_some(s)
}

/// match: "" ++ s
/// result: s
fn concat_empty_first(store: &mut Store, node: &Node) -> Option<Term> {
    let [t, s, _] = node.slots;
    is_empty(store, t).then_some(s)
}

/// match: k1 ++ (k2 ++ s)
/// result: k1k2 ++ s
fn concat_constants_first(store: &mut Store, node: &Node) -> Option<Term> {
    let [k1, rest, _] = node.slots;
    let k1 = text(store, k1)?;
    let (k2, s) = binary(store, rest, Op::StrConcat)?;
    let both = [&*k1, &*text(store, k2)?].concat();
    let both = string(store, &both);
    Some(store.str_concat(both, s))
}

/// match: (s ++ k1) ++ k2
/// result: s ++ k1k2
fn concat_constants_last(store: &mut Store, node: &Node) -> Option<Term> {
    let [rest, k2, _] = node.slots;
    let k2 = text(store, k2)?;
    let (s, k1) = binary(store, rest, Op::StrConcat)?;
    let both = [&*text(store, k1)?, &*k2].concat();
    let both = string(store, &both);
    Some(store.str_concat(s, both))
}

/// match: len(s ++ t ++ …)
/// result: len(s) + len(t) + …
fn len_concat(store: &mut Store, node: &Node) -> Option<Term> {
    let mut parts = [node.slots[0]; MOST_PARTS];
    let (mut count, mut looked_at) = (1, 0);
    while looked_at < count {
        match binary(store, parts[looked_at], Op::StrConcat) {
            Some((a, b)) => {
                parts[looked_at] = a;
                *parts.get_mut(count)? = b;
                count += 1;
            }
            None => looked_at += 1,
        }
    }
    if count == 1 {
        return None;
    }
    let mut sum = store.int(0);
    for &part in &parts[..count] {
        let length = store.str_len(part);
        sum = store.add(sum, length);
    }
    Some(sum)
}

/// match: len(s) = 0; len(s) = c, c negative
/// result: s = ""; false
pub(super) fn eq_length_zero(store: &mut Store, node: &Node) -> Option<Term> {
    let [length, c, _] = node.slots;
    let s = unary(store, length, Op::StrLen)?;
    let c = integer(store, c)?;
    if c.is_negative() {
        Some(store.bool(false))
    } else if c.is_zero() {
        Some(is_nothing(store, s))
    } else {
        None
    }
}

/// match: len(s) ≤ 0; len(s) ≤ c, c negative
/// result: s = ""; false
pub(super) fn le_length_constant(store: &mut Store, node: &Node) -> Option<Term> {
    eq_length_zero(store, node)
}

/// match: "" at i
/// result: ""
fn at_empty(store: &mut Store, node: &Node) -> Option<Term> {
    let s = node.slots[0];
    is_empty(store, s).then_some(s)
}

/// match: s at i, i negative
/// result: ""
fn at_outside(store: &mut Store, node: &Node) -> Option<Term> {
    integer(store, node.slots[1])?
        .is_negative()
        .then(|| empty(store))
}

/// match: (k ++ s) at i, i inside k
/// result: k at i
fn at_prefix(store: &mut Store, node: &Node) -> Option<Term> {
    let [whole, at, _] = node.slots;
    let (prefix, _) = binary(store, whole, Op::StrConcat)?;
    let prefix = text(store, prefix)?;
    let index = integer(store, at)?;
    let character = text::substr(&prefix, &index, &BigInt::one());
    (!character.is_empty()).then(|| string(store, character))
}

/// match: substr("", i, n)
/// result: ""
fn substr_empty(store: &mut Store, node: &Node) -> Option<Term> {
    let s = node.slots[0];
    is_empty(store, s).then_some(s)
}

/// match: substr(s, i, n), i negative or n not positive
/// result: ""
fn substr_nothing(store: &mut Store, node: &Node) -> Option<Term> {
    let [_, start, length] = node.slots;
    let outside = integer(store, start).is_some_and(|start| start.is_negative());
    let nothing = integer(store, length).is_some_and(|length| !length.is_positive());
    (outside || nothing).then(|| empty(store))
}

/// match: substr(s, 0, len(s))
/// result: s
fn substr_whole(store: &mut Store, node: &Node) -> Option<Term> {
    let [s, start, length] = node.slots;
    let whole = unary(store, length, Op::StrLen) == Some(s);
    (whole && integer(store, start)?.is_zero()).then_some(s)
}

/// match: "" begins or ends s
/// result: true
fn affix_empty(store: &mut Store, node: &Node) -> Option<Term> {
    is_empty(store, node.slots[0]).then(|| store.bool(true))
}

/// match: s begins or ends s
/// result: true
fn affix_same(store: &mut Store, node: &Node) -> Option<Term> {
    let [s, t, _] = node.slots;
    (s == t).then(|| store.bool(true))
}

/// match: s begins or ends ""
/// result: s = ""
fn affix_of_empty(store: &mut Store, node: &Node) -> Option<Term> {
    let [s, t, _] = node.slots;
    is_empty(store, t).then(|| store.eq(s, t))
}

/// match: s begins s ++ t
/// result: true
fn prefix_shared(store: &mut Store, node: &Node) -> Option<Term> {
    let [s, whole, _] = node.slots;
    let (first, _) = binary(store, whole, Op::StrConcat)?;
    (first == s).then(|| store.bool(true))
}

/// match: s ends t ++ s
/// result: true
fn suffix_shared(store: &mut Store, node: &Node) -> Option<Term> {
    let [s, whole, _] = node.slots;
    let (_, last) = binary(store, whole, Op::StrConcat)?;
    (last == s).then(|| store.bool(true))
}

/// match: k1 begins k2 ++ s
/// result: true or false where k2 decides, otherwise the rest of k1 begins s
fn prefix_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [k1, whole, _] = node.slots;
    let k1 = text(store, k1)?;
    let (k2, s) = binary(store, whole, Op::StrConcat)?;
    let k2 = text(store, k2)?;
    if k2.starts_with(&k1) {
        return Some(store.bool(true));
    }
    Some(match k1.strip_prefix(&*k2) {
        Some(rest) => {
            let rest = string(store, rest);
            store.str_prefix_of(rest, s)
        }
        None => store.bool(false),
    })
}

/// match: k1 ends s ++ k2
/// result: true or false where k2 decides, otherwise the rest of k1 ends s
fn suffix_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [k1, whole, _] = node.slots;
    let k1 = text(store, k1)?;
    let (s, k2) = binary(store, whole, Op::StrConcat)?;
    let k2 = text(store, k2)?;
    if k2.ends_with(&k1) {
        return Some(store.bool(true));
    }
    Some(match k1.strip_suffix(&*k2) {
        Some(rest) => {
            let rest = string(store, rest);
            store.str_suffix_of(rest, s)
        }
        None => store.bool(false),
    })
}

/// match: s contains ""
/// result: true
fn contains_empty(store: &mut Store, node: &Node) -> Option<Term> {
    is_empty(store, node.slots[1]).then(|| store.bool(true))
}

/// match: s contains s
/// result: true
fn contains_same(store: &mut Store, node: &Node) -> Option<Term> {
    let [s, t, _] = node.slots;
    (s == t).then(|| store.bool(true))
}

/// match: "" contains s
/// result: s = ""
fn empty_contains(store: &mut Store, node: &Node) -> Option<Term> {
    let [whole, s, _] = node.slots;
    is_empty(store, whole).then(|| store.eq(s, whole))
}

/// match: s ++ t contains s; s ++ t contains t
/// result: true
fn contains_part(store: &mut Store, node: &Node) -> Option<Term> {
    let [whole, part, _] = node.slots;
    let (s, t) = binary(store, whole, Op::StrConcat)?;
    (s == part || t == part).then(|| store.bool(true))
}

/// match: k1 ++ s or s ++ k1 contains k2, k1 containing it
/// result: true
fn contains_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [whole, part, _] = node.slots;
    let part = text(store, part)?;
    let (s, t) = binary(store, whole, Op::StrConcat)?;
    let inside = |k| text(store, k).is_some_and(|k| text::find(&k, &part, 0).is_some());
    (inside(s) || inside(t)).then(|| store.bool(true))
}

/// match: the first s in s from 0
/// result: 0
fn index_of_self(store: &mut Store, node: &Node) -> Option<Term> {
    let [s, part, start] = node.slots;
    (s == part && integer(store, start)?.is_zero()).then_some(start)
}

/// match: the first "" in s from 0
/// result: 0
fn index_of_empty(store: &mut Store, node: &Node) -> Option<Term> {
    let [_, part, start] = node.slots;
    (is_empty(store, part) && integer(store, start)?.is_zero()).then_some(start)
}

/// match: the first t in s from i, i negative
/// result: -1
fn index_of_before(store: &mut Store, node: &Node) -> Option<Term> {
    integer(store, node.slots[2])?
        .is_negative()
        .then(|| store.int(-1))
}

/// match: s with t replaced by t, once or everywhere
/// result: s
fn replace_by_same(_: &mut Store, node: &Node) -> Option<Term> {
    let [s, part, with] = node.slots;
    (part == with).then_some(s)
}

/// match: s with the first "" replaced by t
/// result: t ++ s
fn replace_empty(store: &mut Store, node: &Node) -> Option<Term> {
    let [s, part, with] = node.slots;
    is_empty(store, part).then(|| store.str_concat(with, s))
}

/// match: s with the first s replaced by t
/// result: t
fn replace_whole(_: &mut Store, node: &Node) -> Option<Term> {
    let [s, part, with] = node.slots;
    (s == part).then_some(with)
}

/// match: s with every "" replaced
/// result: s
fn replace_all_empty(store: &mut Store, node: &Node) -> Option<Term> {
    let [s, part, _] = node.slots;
    is_empty(store, part).then_some(s)
}

/// match: "" with every t replaced
/// result: ""
fn replace_all_in_empty(store: &mut Store, node: &Node) -> Option<Term> {
    let s = node.slots[0];
    is_empty(store, s).then_some(s)
}

/// match: s with matches of the empty language replaced
/// result: s
fn replace_none(store: &mut Store, node: &Node) -> Option<Term> {
    let [s, re, _] = node.slots;
    (store.op(re) == Op::ReNone).then_some(s)
}

/// match: s < t
/// result: ¬(t ≤ s)
fn lt_is_not_le(store: &mut Store, node: &Node) -> Option<Term> {
    let [s, t, _] = node.slots;
    let at_least = store.str_le(t, s);
    Some(store.not(at_least))
}

/// match: s ≤ s
/// result: true
fn le_same(store: &mut Store, node: &Node) -> Option<Term> {
    let [s, t, _] = node.slots;
    (s == t).then(|| store.bool(true))
}

/// match: "" ≤ s
/// result: true
fn le_from_empty(store: &mut Store, node: &Node) -> Option<Term> {
    is_empty(store, node.slots[0]).then(|| store.bool(true))
}

/// match: s ≤ ""
/// result: s = ""
fn le_to_empty(store: &mut Store, node: &Node) -> Option<Term> {
    let [s, t, _] = node.slots;
    is_empty(store, t).then(|| store.eq(s, t))
}

/// match: s in the language of all strings
/// result: true
fn in_all(store: &mut Store, node: &Node) -> Option<Term> {
    (store.op(node.slots[1]) == Op::ReAll).then(|| store.bool(true))
}

/// match: s in the empty language
/// result: false
fn in_none(store: &mut Store, node: &Node) -> Option<Term> {
    (store.op(node.slots[1]) == Op::ReNone).then(|| store.bool(false))
}

/// match: s in the language of t alone
/// result: s = t
fn in_one(store: &mut Store, node: &Node) -> Option<Term> {
    let [s, re, _] = node.slots;
    let t = unary(store, re, Op::ReFromStr)?;
    Some(store.eq(s, t))
}

/// The argument that is this named language.
fn language(store: &Store, node: &Node, op: Op) -> Option<Term> {
    node.slots[..2]
        .iter()
        .copied()
        .find(|&re| store.op(re) == op)
}

/// The argument besides one that is this named language.
fn besides_language(store: &Store, node: &Node, op: Op) -> Option<Term> {
    both_ways(node)
        .into_iter()
        .find_map(|(named, other)| (store.op(named) == op).then_some(other))
}

/// match: r ++ none; none ++ r
/// result: none
fn re_concat_none(store: &mut Store, node: &Node) -> Option<Term> {
    language(store, node, Op::ReNone)
}

/// match: r ∪ r; r ∩ r
/// result: r
fn re_same(_: &mut Store, node: &Node) -> Option<Term> {
    let [a, b, _] = node.slots;
    (a == b).then_some(a)
}

/// match: r ∪ none
/// result: r
fn re_union_none(store: &mut Store, node: &Node) -> Option<Term> {
    besides_language(store, node, Op::ReNone)
}

/// match: r ∪ all
/// result: all
fn re_union_all(store: &mut Store, node: &Node) -> Option<Term> {
    language(store, node, Op::ReAll)
}

/// match: r ∩ none
/// result: none
fn re_inter_none(store: &mut Store, node: &Node) -> Option<Term> {
    language(store, node, Op::ReNone)
}

/// match: r ∩ all
/// result: r
fn re_inter_all(store: &mut Store, node: &Node) -> Option<Term> {
    besides_language(store, node, Op::ReAll)
}

/// match: r**
/// result: r*
fn re_star_star(store: &mut Store, node: &Node) -> Option<Term> {
    let re = node.slots[0];
    (store.op(re) == Op::ReStar).then_some(re)
}

/// match: the complement of the complement of r
/// result: r
fn re_comp_comp(store: &mut Store, node: &Node) -> Option<Term> {
    unary(store, node.slots[0], Op::ReComp)
}

/// match: k1 ++ s = k2
/// result: s = the rest of k2, or false when k1 does not begin it
fn eq_prefix_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [whole, k2, _] = node.slots;
    let k2 = text(store, k2)?;
    let (k1, s) = binary(store, whole, Op::StrConcat)?;
    Some(match k2.strip_prefix(&*text(store, k1)?) {
        Some(rest) => {
            let rest = string(store, rest);
            store.eq(s, rest)
        }
        None => store.bool(false),
    })
}

/// match: s ++ k1 = k2
/// result: s = the rest of k2, or false when k1 does not end it
fn eq_suffix_constant(store: &mut Store, node: &Node) -> Option<Term> {
    let [whole, k2, _] = node.slots;
    let k2 = text(store, k2)?;
    let (s, k1) = binary(store, whole, Op::StrConcat)?;
    Some(match k2.strip_suffix(&*text(store, k1)?) {
        Some(rest) => {
            let rest = string(store, rest);
            store.eq(s, rest)
        }
        None => store.bool(false),
    })
}

/// match: s ++ t = s ++ u
/// result: t = u
fn eq_prefix_shared(store: &mut Store, node: &Node) -> Option<Term> {
    let [left, right, _] = node.slots;
    let (s, t) = binary(store, left, Op::StrConcat)?;
    let (also, u) = binary(store, right, Op::StrConcat)?;
    (s == also).then(|| store.eq(t, u))
}

/// match: t ++ s = u ++ s
/// result: t = u
fn eq_suffix_shared(store: &mut Store, node: &Node) -> Option<Term> {
    let [left, right, _] = node.slots;
    let (t, s) = binary(store, left, Op::StrConcat)?;
    let (u, also) = binary(store, right, Op::StrConcat)?;
    (s == also).then(|| store.eq(t, u))
}
