//! Random choices of words, which repeat with their seed.

use base::SplitMix;
use num_bigint::BigUint;

/// A source of random numbers.
#[derive(Clone, Debug)]
pub struct Random(SplitMix);

impl Random {
    /// The numbers that this seed determines.
    pub fn new(seed: u64) -> Random {
        Random(SplitMix::new(seed))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below `bound`, which is above zero.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number below `bound`, which is above zero.
    pub fn below_big(&mut self, bound: &BigUint) -> BigUint {
        // Sixty-four bits more than the bound has make the bias immaterial.
        let digits = (0..bound.bits().div_ceil(64) + 1).flat_map(|_| {
            let bits = self.bits();
            [bits as u32, (bits >> 32) as u32]
        });
        BigUint::new(digits.collect()) % bound
    }
}
