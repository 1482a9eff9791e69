//! A small generator of choices: fast, seeded, and the same on every machine.

/// A source of pseudo-random numbers (xoshiro256++).
#[derive(Clone, Debug)]
pub struct Random([u64; 4]);

impl Random {
    /// The generator that this seed determines.
    pub fn new(seed: u64) -> Random {
        // SplitMix64 spreads any seed, also zero, over the whole state.
        let mut z = seed;
        Random(std::array::from_fn(|_| {
            z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut x = z;
            x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^ x >> 31
        }))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number below `end`, which is not zero.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// Either.
    pub fn coin(&mut self) -> bool {
        self.bits() >> 63 == 1
    }

    /// A number from zero to below one.
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}
