//! `Result`.

pub use crate::option::{Probability, prob};
use crate::strategy::Strategy;

/// See [`maybe_ok`].
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Debug)]
pub struct MaybeOk<T, E> {
    ok: T,
    error: E,
    /// That it is `Ok`.
    probability: Probability,
}

/// See [`maybe_err`].
pub type MaybeErr<T, E> = MaybeOk<T, E>;

/// Any value of either.
pub fn maybe_ok<T: Strategy, E: Strategy>(ok: T, error: E) -> MaybeOk<T, E> {
    maybe_ok_weighted(0.5, ok, error)
}

/// The same, where one of them may have no chance.
pub fn maybe_ok_weighted<T: Strategy, E: Strategy>(
    probability: impl Into<Probability>,
    ok: T,
    error: E,
) -> MaybeOk<T, E> {
    MaybeOk {
        ok,
        error,
        probability: probability.into(),
    }
}

/// Any value of either.
pub fn maybe_err<T: Strategy, E: Strategy>(ok: T, error: E) -> MaybeErr<T, E> {
    maybe_ok(ok, error)
}

/// The same, where one of them may have no chance.
pub fn maybe_err_weighted<T: Strategy, E: Strategy>(
    probability: impl Into<Probability>,
    ok: T,
    error: E,
) -> MaybeErr<T, E> {
    maybe_ok_weighted(1.0 - f64::from(probability.into()), ok, error)
}

impl<T: Strategy, E: Strategy> Strategy for MaybeOk<T, E> {
    type Value = Result<T::Value, E::Value>;
    tree!();

    fn __any(&self) -> Self::Value {
        match self.probability.any() {
            true => Ok(self.ok.__any()),
            false => Err(self.error.__any()),
        }
    }
}
