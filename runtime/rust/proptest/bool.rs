//! Truth values.

use crate::strategy::Strategy;
use crate::sugar::input;

/// See [`ANY`].
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Copy, Debug)]
pub struct Any(());

/// Either.
pub const ANY: Any = Any(());

impl Strategy for Any {
    type Value = bool;
    tree!();

    fn __any(&self) -> bool {
        let byte: u8 = input();
        everypath::assume(byte < 2);
        byte == 1
    }
}

/// Either, unless one has no chance.
pub fn weighted(probability: f64) -> Weighted {
    assert!(
        (0.0..=1.0).contains(&probability),
        "a probability is between 0 and 1"
    );
    Weighted(probability)
}

/// See [`weighted`].
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Copy, Debug)]
pub struct Weighted(f64);

impl Strategy for Weighted {
    type Value = bool;
    tree!();

    fn __any(&self) -> bool {
        match self.0 {
            ..=0.0 => false,
            1.0.. => true,
            _ => ANY.__any(),
        }
    }
}
