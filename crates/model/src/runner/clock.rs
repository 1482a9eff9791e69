//! The time of a session, for models with clocks.
//!
//! Time is real, and what happens is known to have happened within a tolerance of when it was
//! noticed; or it is simulated, and the system is told how much of it passes. A system that is
//! told so sends what it has to send on the way, at a time that only it knows.

use super::Tested;
use crate::model::Model;
use num_bigint::BigInt;
use num_rational::BigRational;
use std::time::{Duration, Instant};

/// How time passes for the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Time {
    /// By itself; when something happened is known up to this.
    Real(Duration),
    /// By messages on the channel `delay`.
    Simulated,
}

/// Two times since the beginning, with what happened between them.
pub(super) type Bounds = (BigRational, BigRational);

/// The time of a session.
pub(super) enum Clock {
    /// The model has no clocks.
    Absent,
    Real {
        started: Instant,
        tolerance: Duration,
        /// When the last message was, or the end of the last delay.
        last: Instant,
    },
    Simulated {
        /// When the delay began that the system was told last.
        from: BigRational,
        /// When it ends.
        to: BigRational,
    },
}

impl Clock {
    pub fn new(model: &Model, tested: &Tested) -> Clock {
        let now = Instant::now();
        match (model.time, tested.time) {
            (None, _) => Clock::Absent,
            (Some(_), Time::Real(tolerance)) => Clock::Real {
                started: now,
                tolerance,
                last: now,
            },
            (Some(_), Time::Simulated) => Clock::Simulated {
                from: BigRational::default(),
                to: BigRational::default(),
            },
        }
    }

    /// When an output was sent that came at this moment, from a system that had work for
    /// some time: it may have been due so much earlier.
    pub fn of_output(&mut self, at: Instant, worked: Duration) -> Option<Bounds> {
        match self {
            Clock::Absent => None,
            Clock::Real { .. } => self.around(at, worked),
            Clock::Simulated { from, to } => Some((from.clone(), to.clone())),
        }
    }

    /// What time it is for the tester.
    pub fn of_tester(&mut self) -> Option<Bounds> {
        match self {
            Clock::Absent => None,
            Clock::Real { .. } => self.around(Instant::now(), Duration::ZERO),
            Clock::Simulated { from, to } => {
                from.clone_from(to);
                Some((to.clone(), to.clone()))
            }
        }
    }

    fn around(&mut self, at: Instant, worked: Duration) -> Option<Bounds> {
        let Clock::Real {
            started,
            tolerance,
            last,
        } = self
        else {
            return None;
        };
        *last = at.max(*last);
        let since = at.saturating_duration_since(*started);
        let late = tolerance.saturating_add(worked);
        let earliest = rational(since.saturating_sub(late));
        Some((earliest, rational(since.saturating_add(*tolerance))))
    }

    /// How long a delay still takes that begins with the last message.
    pub fn left_of(&self, delay: Duration) -> Duration {
        match self {
            Clock::Real { last, .. } => delay.saturating_sub(last.elapsed()),
            Clock::Absent | Clock::Simulated { .. } => Duration::ZERO,
        }
    }
}

/// A duration in seconds, to the millisecond: more would only make numbers long.
fn rational(time: Duration) -> BigRational {
    BigRational::new(BigInt::from(time.as_millis()), BigInt::from(1000))
}

/// Seconds as a duration; one that is too long for anybody is as long as can be.
pub(super) fn duration(seconds: &BigRational) -> Duration {
    let thousand = BigRational::from_integer(1000.into());
    let millis = (seconds * thousand).round().to_integer();
    Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
}

/// A time for people.
pub(super) fn shown(time: &BigRational) -> String {
    let text = format!("{:.3}", duration(time).as_secs_f64());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
