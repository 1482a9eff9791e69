//! Deep and heavily shared terms: neither the stack nor the number of terms
//! may grow with what is below a new term.

use super::BIT_VECTOR_OPS;
use super::random::{Random, Sample, Scale};
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Node, Store, Term};

/// Runs on a stack a quarter of what threads have by default.
fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(512 << 10)
        .spawn(run)
        .expect("a thread can be started")
        .join()
        .expect("the stack suffices");
}

#[test]
fn rules_do_not_follow_a_deep_term_to_its_bottom() {
    on_small_stack(|| {
        let mut random = Random::new(3);
        for round in 0..40 {
            let mut sample = Sample::new(random.word(), Scale::Small);
            let sort = match round % 3 {
                0 => Sort::Bool,
                1 => Sort::Bv(4),
                _ => sample.any_sort(),
            };
            let links: Vec<Op> = (0..1 + random.below(3))
                .map(|_| link(sort, &mut random))
                .collect();
            let few: Vec<Term> = (0..3).map(|_| sample.term(sort, 1)).collect();
            let mut deep = few[0];
            for level in 0..10_000 {
                let op = links[level % links.len()];
                let other = random.pick(&few);
                deep = match op {
                    Op::Ite => {
                        let condition = sample.term(Sort::Bool, 0);
                        sample
                            .store
                            .intern(Node::new(op, sort, [condition, other, deep]))
                    }
                    _ if op.arity() == Some(1) => sample.store.intern(Node::new(op, sort, [deep])),
                    _ => sample.store.intern(Node::new(op, sort, [deep, other])),
                };
            }
            for other in [few[1], sample.constant(sort)] {
                build_upon(&mut sample.store, deep, other);
            }
        }
    });
}

/// An operator that takes terms of a sort to terms of that sort.
fn link(sort: Sort, random: &mut Random) -> Op {
    match sort {
        Sort::Bool => random.pick(&[Op::Not, Op::And, Op::And, Op::Eq, Op::Ite]),
        Sort::Bv(_) => random.pick(&BIT_VECTOR_OPS[..16]),
        Sort::Fp(_) => random.pick(&[Op::FpNeg, Op::FpAbs, Op::FpMin, Op::FpRem]),
        Sort::Int => random.pick(&[Op::Add, Op::Mul, Op::Neg, Op::IntDiv, Op::IntMod]),
        Sort::Real => random.pick(&[Op::Add, Op::Mul, Op::Neg, Op::RealDiv]),
        Sort::String => Op::StrConcat,
        Sort::RoundingMode | Sort::Array { .. } | Sort::RegLan => Op::Ite,
    }
}

/// Makes every kind of term that has `deep` for an argument.
fn build_upon(store: &mut Store, deep: Term, other: Term) {
    let sort = store.sort(deep);
    let condition = store.var("condition", Sort::Bool);
    store.eq(deep, other);
    store.ite(condition, deep, other);
    match sort {
        Sort::Bool => {
            store.not(deep);
            store.and(deep, other);
            store.or(deep, other);
            store.ite(deep, condition, other);
        }
        Sort::Bv(width) => {
            for &op in BIT_VECTOR_OPS.iter().filter(|op| op.arity() == Some(2)) {
                if op != Op::Concat {
                    store.make(Node::new(op, sort, [deep, other]));
                }
            }
            store.bv_not(deep);
            store.bv_neg(deep);
            store.bv_ult(deep, other);
            store.bv_slt(deep, other);
            store.extract(deep, 0, width.div_ceil(2));
            store.zext(deep, width + 2);
            store.sext(deep, width + 2);
            store.concat(deep, other);
        }
        Sort::Int | Sort::Real => {
            store.add(deep, other);
            store.mul(deep, other);
            store.neg(deep);
            store.lt(deep, other);
        }
        Sort::String => {
            store.str_concat(deep, other);
            store.str_len(deep);
            store.str_contains(deep, other);
        }
        Sort::Fp(_) | Sort::RoundingMode | Sort::Array { .. } | Sort::RegLan => {}
    }
}

#[test]
fn a_million_levels_of_simplified_terms_are_made() {
    on_small_stack(|| {
        let mut random = Random::new(5);
        let mut store = Store::new();
        let sort = Sort::Bv(32);
        let few = ["x", "y", "z"].map(|name| store.var(name, sort));
        let mut deep = few[0];
        for _ in 0..1_000_000 {
            let op = random.pick(&BIT_VECTOR_OPS[1..16]);
            let other = if random.percent(30) {
                store.bv(32, random.below(16))
            } else {
                random.pick(&few)
            };
            let node = match op.arity() {
                Some(1) => Node::new(op, sort, [deep]),
                _ => Node::new(op, sort, [deep, other]),
            };
            let made = store.make(node);
            if !store.is_const(made) {
                deep = made;
            }
        }
    });
}

#[test]
fn shared_terms_are_not_multiplied() {
    let mut random = Random::new(9);
    for _ in 0..200 {
        let mut store = Store::new();
        let ops: Vec<Op> = (0..1 + random.below(3))
            .map(|_| random.pick(&BIT_VECTOR_OPS[1..16]))
            .collect();
        let wide = Sort::Bv(32);
        let mut twice = ["x", "y"].map(|name| store.var(name, wide));
        let levels = 300;
        for level in 0..levels {
            let [a, b] = twice;
            let op = ops[level % ops.len()];
            let mut node = Node::new(op, wide, [a, b]);
            if op.arity() == Some(1) {
                node = Node::new(op, wide, [b]);
            }
            let next = store.make(node);
            let part = store.extract(next, 0, 8);
            let narrow = random.percent(20);
            twice = if narrow {
                [store.sext(part, 32), b]
            } else {
                [next, a]
            };
            store.eq(next, a);
        }
        assert!(
            store.len() < 60 * levels,
            "{ops:?} make {} terms",
            store.len()
        );
    }
}
