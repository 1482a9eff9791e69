//! How many terms are made in a second.

use std::hint::black_box;
use std::time::{Duration, Instant};
use term::{Sort, Store, Term};

/// Constructions per second.
pub struct Rates {
    /// Of terms that are already there.
    pub hits: f64,
    /// Of terms that are new.
    pub misses: f64,
}

const VARIABLES: usize = 64;
const ROUNDS: usize = 2_000_000;

/// Measures both rates on terms like those of a program: sums, masks,
/// comparisons and choices over 32-bit values.
pub fn rates() -> Rates {
    let mut store = Store::new();
    let misses = measure(&mut store);
    let hits = measure(&mut store);
    Rates { hits, misses }
}

fn measure(store: &mut Store) -> f64 {
    let mut made: Vec<Term> = (0..VARIABLES)
        .map(|i| store.var(&format!("v{i}"), Sort::Bv(32)))
        .collect();
    let start = Instant::now();
    let mut count = 0u64;
    for round in 0..ROUNDS {
        let (a, b) = (made[round % VARIABLES], made[(round * 7 + 3) % VARIABLES]);
        let term = match round % 4 {
            0 => store.bv_add(a, b),
            1 => store.bv_xor(a, b),
            2 => {
                let less = store.bv_ult(a, b);
                count += 1;
                store.ite(less, a, b)
            }
            _ => store.bv_mul(a, b),
        };
        count += 1;
        made[round % VARIABLES] = black_box(term);
    }
    per_second(count, start.elapsed())
}

fn per_second(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}
