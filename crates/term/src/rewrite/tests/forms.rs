//! What the rules together make of the terms that programs give rise to.

use super::show;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Store, Term};

/// Asserts that two ways of building a term over 32-bit `x`, `y`, bytes `b0` …
/// `b3` and truth values `p`, `q` give the same one.
fn check(
    build: impl FnOnce(&mut Store, &Names) -> Term,
    expected: impl FnOnce(&mut Store, &Names) -> Term,
) {
    let mut store = Store::new();
    let names = Names::new(&mut store);
    let (built, expected) = (build(&mut store, &names), expected(&mut store, &names));
    assert_eq!(show(&store, built), show(&store, expected));
}

struct Names {
    x: Term,
    y: Term,
    bytes: [Term; 4],
    p: Term,
    q: Term,
}

impl Names {
    fn new(store: &mut Store) -> Names {
        Names {
            x: store.var("x", Sort::Bv(32)),
            y: store.var("y", Sort::Bv(32)),
            bytes: ["b0", "b1", "b2", "b3"].map(|name| store.var(name, Sort::Bv(8))),
            p: store.var("p", Sort::Bool),
            q: store.var("q", Sort::Bool),
        }
    }
}

fn shifted(store: &mut Store, byte: Term, by: u64) -> Term {
    let wide = store.zext(byte, 32);
    let by = store.bv(32, by);
    store.bv_shl(wide, by)
}

fn bytes_above_each_other(store: &mut Store, names: &Names) -> Term {
    let [b0, b1, b2, b3] = names.bytes;
    let low = store.concat(b1, b0);
    let rest = store.concat(b2, low);
    store.concat(b3, rest)
}

#[test]
fn a_word_put_together_from_bytes_is_their_concatenation() {
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]] {
        for join in [Store::bv_or, Store::bv_add, Store::bv_xor] {
            check(
                |s, n| {
                    let mut word = s.bv(32, 0);
                    for at in order {
                        let byte = shifted(s, n.bytes[at], 8 * at as u64);
                        word = join(s, word, byte);
                    }
                    word
                },
                bytes_above_each_other,
            );
        }
    }
}

#[test]
fn a_word_shifted_together_from_its_high_byte_down_is_their_concatenation() {
    check(
        |s, n| {
            let mut word = s.bv(32, 0);
            let eight = s.bv(32, 8);
            for &byte in n.bytes.iter().rev() {
                let above = s.bv_shl(word, eight);
                let byte = s.zext(byte, 32);
                word = s.bv_or(above, byte);
            }
            word
        },
        bytes_above_each_other,
    );
}

#[test]
fn a_word_read_back_byte_by_byte_is_the_word() {
    check(
        |s, n| {
            let bytes = [0, 8, 16, 24].map(|low| s.extract(n.x, low, 8));
            let same = Names { bytes, ..*n };
            bytes_above_each_other(s, &same)
        },
        |_, n| n.x,
    );
    check(
        |s, n| {
            let bytes = [0, 8, 16, 24].map(|low| {
                let (x, y) = (s.extract(n.x, low, 8), s.extract(n.y, low, 8));
                s.ite(n.p, x, y)
            });
            let same = Names { bytes, ..*n };
            bytes_above_each_other(s, &same)
        },
        |s, n| s.ite(n.p, n.x, n.y),
    );
}

#[test]
fn truth_values_come_back_from_integers() {
    check(
        |s, n| {
            let bit = s.bool_to_bv(n.p, 8);
            let wide = s.zext(bit, 32);
            s.is_nonzero(wide)
        },
        |_, n| n.p,
    );
    check(
        |s, n| {
            let (p, q) = (s.bool_to_bv(n.p, 1), s.bool_to_bv(n.q, 1));
            let both = s.bv_and(p, q);
            let one = s.bv(1, 1);
            let flipped = s.bv_xor(both, one);
            s.is_nonzero(flipped)
        },
        |s, n| {
            let both = s.and(n.p, n.q);
            s.not(both)
        },
    );
}

#[test]
fn comparisons_that_leave_nothing_are_false_and_that_leave_one_value_equalities() {
    let between = |low, high| {
        move |s: &mut Store, n: &Names| {
            let (low, high) = (s.bv(32, low), s.bv(32, high));
            let (above, below) = (s.bv_ult(low, n.x), s.bv_ult(n.x, high));
            s.and(above, below)
        }
    };
    check(between(4, 5), |s, _| s.bool(false));
    check(between(4, 6), |s, n| {
        let five = s.bv(32, 5);
        s.eq(n.x, five)
    });
    check(
        |s, n| {
            let (at_most, at_least) = (s.bv_sle(n.x, n.y), s.bv_sle(n.y, n.x));
            s.and(at_most, at_least)
        },
        |s, n| s.eq(n.x, n.y),
    );
}

#[test]
fn a_remainder_by_a_power_of_two_is_zero_when_the_low_bits_are() {
    check(
        |s, n| {
            let (eight, zero) = (s.bv(32, 8), s.bv(32, 0));
            let rest = s.bv_srem(n.x, eight);
            s.eq(rest, zero)
        },
        |s, n| {
            let low = s.extract(n.x, 0, 3);
            let zero = s.bv(3, 0);
            s.eq(low, zero)
        },
    );
}

#[test]
fn distances_between_scaled_indices_are_constants() {
    check(
        |s, n| {
            let (one, four) = (s.bv(32, 1), s.bv(32, 4));
            let next = s.bv_add(n.x, one);
            let (here, there) = (s.bv_mul(n.x, four), s.bv_mul(next, four));
            let (here, there) = (s.bv_add(n.y, here), s.bv_add(n.y, there));
            s.bv_sub(there, here)
        },
        |s, _| s.bv(32, 4),
    );
}

#[test]
fn arithmetic_that_is_cut_off_again_is_done_on_what_remains() {
    check(
        |s, n| {
            let (a, b) = (s.sext(n.bytes[0], 32), s.sext(n.bytes[1], 32));
            let three = s.bv(32, 3);
            let product = s.bv_mul(a, three);
            let sum = s.bv_add(product, b);
            s.extract(sum, 0, 8)
        },
        |s, n| {
            let three = s.bv(8, 3);
            let product = s.bv_mul(n.bytes[0], three);
            s.bv_add(product, n.bytes[1])
        },
    );
}

#[test]
fn a_read_passes_the_writes_that_are_elsewhere() {
    let mut store = Store::new();
    let sort = Sort::Array {
        index: 32,
        element: 8,
    };
    let (memory, base) = (store.var("m", sort), store.var("base", Sort::Bv(32)));
    let mut written = memory;
    let at = |store: &mut Store, offset| {
        let offset = store.bv(32, offset);
        store.bv_add(base, offset)
    };
    let elements: Vec<Term> = (0..5000)
        .map(|offset| {
            let (index, element) = (at(&mut store, offset), store.fresh_var("e", Sort::Bv(8)));
            written = store.store(written, index, element);
            element
        })
        .collect();
    for offset in [4999, 4500, 4001] {
        let index = at(&mut store, offset);
        assert_eq!(store.select(written, index), elements[offset as usize]);
    }
    let far = at(&mut store, 0);
    let read = store.select(written, far);
    assert_eq!(
        store.op(read),
        Op::Select,
        "a walk ends after so many writes"
    );
    let other = store.var("other", Sort::Bv(32));
    let unknown = store.select(written, other);
    assert_eq!(store.args(unknown), [written, other]);
}

#[test]
fn writing_constants_into_a_constant_array_gives_a_constant_while_it_is_small() {
    let mut store = Store::new();
    let zero = store.bv(8, 0);
    let mut array = store.const_array(16, zero);
    for index in 0..2000u64 {
        let (at, element) = (store.bv(16, index), store.bv(8, index % 7 + 1));
        array = store.store(array, at, element);
        assert_eq!(store.is_const(array), index < 1024);
    }
    let (old, new) = (store.bv(16, 3), store.bv(16, 1500));
    let read = [old, new].map(|at| store.select(array, at));
    assert_eq!(
        read.map(|term| store.as_word(term)),
        [Some(4), Some(1500 % 7 + 1)]
    );
}
