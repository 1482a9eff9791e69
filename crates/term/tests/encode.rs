//! Terms survive the trip through bytes, and damaged bytes are refused.

#[path = "support/random_terms.rs"]
mod random_terms;

use random_terms::{Rng, Terms};
use std::rc::Rc;
use term::{
    ArrayValue, BitVec, DecodeError, Regex, Sort, Store, Term, Value, decode, encode,
    free_variables,
};

fn random_terms(seed: u64, count: usize) -> (Store, Terms, Vec<Term>) {
    let mut store = Store::new();
    let mut terms = Terms::new(&mut store, seed);
    let roots = (0..count).map(|_| terms.grow(&mut store)).collect();
    (store, terms, roots)
}

#[test]
fn decoding_into_the_same_store_gives_the_same_terms() {
    for seed in 0..40 {
        let (mut store, _, roots) = random_terms(seed, 300);
        let bytes = encode(&store, &roots);
        assert_eq!(decode(&mut store, &bytes), Ok(roots.clone()), "seed {seed}");
        assert_eq!(encode(&store, &roots), bytes);
    }
}

#[test]
fn decoding_into_another_store_gives_terms_of_the_same_value() {
    for seed in 0..20 {
        let (here, mut terms, roots) = random_terms(seed, 200);
        let mut there = Store::new();
        // Other numbers than in the first store.
        there.var("the b", Sort::Int);
        let copies = decode(&mut there, &encode(&here, &roots)).unwrap();
        for _ in 0..4 {
            let ours = terms.assignment(&here);
            let mut theirs = term::Assignment::new();
            for variable in free_variables(&here, &roots) {
                let copy = there.var(here.variable_name(variable), here.variable_sort(variable));
                let value = ours.get(variable).unwrap().clone();
                theirs.set(there.as_variable(copy).unwrap(), value);
            }
            for function in term::functions(&here, &roots) {
                let copy = there.function(here.signature(function).clone());
                theirs.set_function(copy, ours.function(function).unwrap().clone());
            }
            let (mut left, mut right) = Default::default();
            let mut left = term::Evaluator::under(&mut left, &here, &ours);
            let mut right = term::Evaluator::under(&mut right, &there, &theirs);
            for (&root, &copy) in roots.iter().zip(&copies) {
                if here.sort(root) != Sort::RegLan {
                    assert_eq!(left.value(root), right.value(copy), "seed {seed}, {root:?}");
                }
            }
        }
    }
}

#[test]
fn constants_of_every_sort_keep_their_value() {
    let (mut store, mut terms, _) = random_terms(7, 0);
    let mut values: Vec<Value> = Vec::new();
    for sort in random_terms::sorts() {
        values.extend((0..50).map(|_| terms.value(sort)));
    }
    let words: Vec<u64> = (0..256).map(|i| (i * 7 + 3) % 256).collect();
    values.push(Value::Array(Rc::new(ArrayValue::from_words(8, 8, &words))));
    let wide = ArrayValue::filled(100, BitVec::ones(200));
    values.push(Value::Array(Rc::new(wide)));
    let [low, high] =
        [('a', 'k'), ('0', '9')].map(|(low, high)| Rc::new(Regex::Range(low as u32, high as u32)));
    let loops = Rc::new(Regex::Loop(Rc::new(Regex::Concat(low.clone(), high)), 2, 5));
    let either = Rc::new(Regex::Union(
        Rc::new(Regex::Star(loops)),
        Rc::new(Regex::Empty),
    ));
    let both = Rc::new(Regex::Inter(either, Rc::new(Regex::Complement(low))));
    values.push(Value::Re(both));
    let roots: Vec<Term> = values
        .iter()
        .map(|value| store.value(value.clone()))
        .collect();
    let mut there = Store::new();
    let copies = decode(&mut there, &encode(&store, &roots)).unwrap();
    let decoded: Vec<Value> = copies
        .iter()
        .map(|&copy| there.as_value(copy).unwrap())
        .collect();
    assert_eq!(decoded, values);
}

#[test]
fn a_small_term_takes_few_bytes() {
    let mut store = Store::new();
    let x = store.var("x", Sort::Bv(32));
    let y = store.var("y", Sort::Bv(32));
    let product = store.bv_mul(x, y);
    let root = store.bv_ult(product, x);
    // Version, no functions, four nodes: op sort length name twice, op back
    // back twice, one root.
    assert_eq!(
        encode(&store, &[root]),
        [
            1, 0, 4, 1, 0x81, 4, 1, b'x', 1, 0x81, 4, 1, b'y', 13, 2, 1, 22, 1, 3, 1, 3
        ]
    );
}

#[test]
fn a_term_a_million_levels_deep_is_encoded_and_decoded() {
    let mut store = Store::new();
    let x = store.var("x", Sort::Bv(32));
    let y = store.var("y", Sort::Bv(32));
    let mut root = x;
    for _ in 0..500_000 {
        root = store.bv_mul(root, x);
        root = store.bv_xor(root, y);
    }
    let bytes = encode(&store, &[root]);
    assert_eq!(decode(&mut store, &bytes), Ok(vec![root]));
}

#[test]
fn every_truncation_is_an_error() {
    let (mut store, _, roots) = random_terms(3, 200);
    let bytes = encode(&store, &roots);
    for length in 0..bytes.len() {
        assert_eq!(
            decode(&mut store, &bytes[..length]),
            Err(DecodeError::Truncated)
        );
    }
}

#[test]
fn damaged_bytes_never_panic() {
    let mut rng = Rng::new(1);
    for seed in 0..20 {
        let (store, _, roots) = random_terms(seed, 40);
        let bytes = encode(&store, &roots);
        for _ in 0..400 {
            let mut damaged = bytes.clone();
            for _ in 0..rng.below(3) + 1 {
                let at = rng.below(damaged.len());
                damaged[at] = match rng.below(3) {
                    0 => rng.next() as u8,
                    1 => damaged[at] ^ 1 << rng.below(8),
                    _ => rng.below(8) as u8,
                };
            }
            let mut there = Store::new();
            // Damage may well give other terms; what it gives must be usable.
            if let Ok(terms) = decode(&mut there, &damaged) {
                encode(&there, &terms);
            }
        }
    }
}

#[test]
fn random_bytes_never_panic() {
    let mut rng = Rng::new(2);
    for _ in 0..20_000 {
        let length = rng.below(60);
        let mut bytes = vec![1, 0];
        bytes.extend((0..length).map(|_| rng.next() as u8 >> rng.below(8)));
        let _ = decode(&mut Store::new(), &bytes);
    }
}

#[test]
fn a_regular_expression_too_deep_to_compute_with_is_refused() {
    let mut store = Store::new();
    let deepest = "a".repeat(4000);
    let deepest = store.string(&deepest);
    let fits = store.re_from_str(deepest);
    let bytes = encode(&store, &[fits]);
    assert_eq!(decode(&mut store, &bytes), Ok(vec![fits]));

    let name = store.var("x", Sort::String);
    let too_deep = (0..4001).fold(store.re_from_str(name), |re, _| store.re_loop(re, 2, 3));
    let bytes = encode(&store, &[too_deep]);
    let message = decode(&mut store, &bytes).unwrap_err().to_string();
    assert!(
        message.ends_with("a regular expression is nested too deeply"),
        "{message}"
    );
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let refused = |bytes: &[u8]| decode(&mut Store::new(), bytes).unwrap_err().to_string();
    assert_eq!(
        refused(&[9]),
        "the terms are written in format 9; this program reads format 1"
    );
    assert_eq!(
        refused(&[]),
        "the terms end too early: the data is cut short"
    );
    assert_eq!(
        refused(&[1, 0, 1, 1, 15]),
        "the terms are damaged at byte 5: there is no such sort"
    );
    assert_eq!(
        refused(&[1, 0, 1, 1, 0, 1, b'x', 1, 1]),
        "the terms are damaged at byte 9: a root is missing"
    );
    // A Boolean x, then bvneg of it.
    assert_eq!(
        refused(&[1, 0, 2, 1, 0, 1, b'x', 8, 1, 1, 1]),
        "the terms are damaged at byte 9: an operator does not take its arguments"
    );
    assert_eq!(
        refused(&[1, 0, 0, 0, 0]),
        "the terms are damaged at byte 4: something follows the last root"
    );
}
