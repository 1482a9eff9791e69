//! `Option`.

use crate::strategy::Strategy;

/// How likely something is. Nothing here asks for more than whether it can be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Probability(f64);

pub fn prob(from: impl Into<Probability>) -> Probability {
    from.into()
}

impl Probability {
    pub fn new(prob: f64) -> Self {
        assert!(
            (0.0..=1.0).contains(&prob),
            "a probability is between 0 and 1"
        );
        Probability(prob)
    }

    pub fn with<X>(self, and: X) -> (Self, X) {
        (self, and)
    }

    pub fn lift<X: Default>(self) -> (Self, X) {
        self.with(X::default())
    }

    /// Either, unless one has no chance.
    pub(crate) fn any(self) -> bool {
        crate::bool::weighted(self.0).__any()
    }
}

impl Default for Probability {
    fn default() -> Self {
        Probability(0.5)
    }
}

impl From<f64> for Probability {
    fn from(prob: f64) -> Self {
        Probability::new(prob)
    }
}

impl From<Probability> for f64 {
    fn from(prob: Probability) -> Self {
        prob.0
    }
}

/// See [`of`].
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Debug)]
pub struct OptionStrategy<S> {
    some: S,
    probability: Probability,
}

/// Nothing, or any value.
pub fn of<S: Strategy>(some: S) -> OptionStrategy<S> {
    weighted(Probability::default(), some)
}

/// The same, where one of them may have no chance.
pub fn weighted<S: Strategy>(probability: impl Into<Probability>, some: S) -> OptionStrategy<S> {
    OptionStrategy {
        some,
        probability: probability.into(),
    }
}

impl<S: Strategy> Strategy for OptionStrategy<S> {
    type Value = Option<S::Value>;
    tree!();

    fn __any(&self) -> Self::Value {
        self.probability.any().then(|| self.some.__any())
    }
}
