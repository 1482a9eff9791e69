//! How many terms are made in a second of processor time.

use crate::workshop::own_processor_time;
use std::hint::black_box;
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
pub fn rates() -> Result<Rates, String> {
    let mut store = Store::new();
    let misses = measure(&mut store)?;
    let hits = measure(&mut store)?;
    Ok(Rates { hits, misses })
}

fn measure(store: &mut Store) -> Result<f64, String> {
    let mut made: Vec<Term> = (0..VARIABLES)
        .map(|i| store.var(&format!("v{i}"), Sort::Bv(32)))
        .collect();
    let start = own_processor_time()?;
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
    Ok(count as f64 / (own_processor_time()? - start))
}
