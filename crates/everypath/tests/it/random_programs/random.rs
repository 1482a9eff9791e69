//! Random choices that depend on nothing but a seed.

/// Choices in the words of the generator of programs.
pub struct Random(base::Random);

impl Random {
    /// The choices of this seed.
    pub fn new(seed: u64) -> Random {
        Random(base::Random::new(seed))
    }

    /// Any number.
    pub fn word(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True so many times out of a hundred.
    pub fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    /// One of the choices.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}
