//! When the model allows what, in seconds since the beginning, for messages to people and for
//! scripts that know no model. Times are found by halving, to the millisecond.

use super::time::forever;
use super::{Allowed, Observer};
use crate::execution::{Executor, SymbolicState};
use crate::output::{Output, Payload};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use term::{Sort, Term, Value};

/// A stretch of time.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Window {
    /// Its beginning.
    pub from: BigRational,
    /// Its end; none if it has none.
    pub to: Option<BigRational>,
}

impl Observer {
    /// When the system may send this as its next message; empty if it may not, or if that was
    /// not decided.
    pub(crate) fn windows(
        &self,
        executor: &mut Executor<'_, '_>,
        channel: usize,
        values: &[Value],
    ) -> Vec<Window> {
        let mut later = self.clone();
        let is_possible = later.advance(executor, &BigRational::zero(), &forever()) == Allowed::Yes;
        let now = later.now.term;
        if !is_possible || later.output(executor, channel, values) != Allowed::Yes {
            return Vec::new();
        }
        let mut found = Vec::new();
        for candidate in later.states {
            let window = match candidate.doubt {
                None => window(executor, &candidate.state, now),
                Some(_) => None,
            };
            match window {
                Some(window) => found.push(window),
                None => return Vec::new(),
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Until when the model lets time pass without a message; none if forever, or if that was
    /// not decided.
    pub(crate) fn latest(&self, executor: &mut Executor<'_, '_>) -> Option<BigRational> {
        let mut later = self.clone();
        if later.advance(executor, &BigRational::zero(), &forever()) != Allowed::Yes {
            return None;
        }
        let now = later.now.term;
        let mut latest: Option<BigRational> = None;
        for candidate in later.states {
            let until = window(executor, &candidate.state, now)?.to?;
            latest = latest.max(Some(until));
        }
        latest
    }
}

/// What is exchanged in the course of a test, each message at a time that is open.
pub(crate) struct Course {
    observer: Observer,
    /// When each message was, the beginning first.
    times: Vec<Term>,
}

/// What the model says about the time of an output.
pub(crate) struct Timed {
    /// How long after earlier messages it may come, by their numbers.
    pub since: Vec<(usize, Window)>,
    /// Whether something else may come first.
    pub is_open: bool,
    /// Whether it may be that nothing comes, however long one waits.
    pub silence: bool,
}

impl Course {
    pub fn new(executor: &mut Executor<'_, '_>) -> Course {
        let observer = Observer::new(executor);
        let times = vec![observer.now.term];
        Course { observer, times }
    }

    /// Whether the system may send something within some time after the last message.
    pub fn may_send(&mut self, executor: &mut Executor<'_, '_>, time: &BigRational) -> bool {
        let mut later = self.observer.clone();
        match later.advance_by(executor, &BigRational::zero(), time) {
            Allowed::Yes => !later.expected(executor).is_empty(),
            Allowed::No => false,
            Allowed::Unknown(_) => true,
        }
    }

    /// The tester sends a message so long after the last one, give or take a little; whether the
    /// model is known to allow that.
    pub fn input(
        &mut self,
        executor: &mut Executor<'_, '_>,
        (channel, values): (usize, &[Value]),
        after: &BigRational,
        slack: &BigRational,
    ) -> bool {
        let least = (after - slack).max(BigRational::zero());
        let passed = self.observer.advance_by(executor, &least, &(after + slack));
        self.times.push(self.observer.now.term);
        passed == Allowed::Yes && self.observer.input(executor, channel, values) == Allowed::Yes
    }

    /// The system sends a message; none where the model is not known to allow that. The numbers
    /// are those of messages it may depend on.
    pub fn output(
        &mut self,
        executor: &mut Executor<'_, '_>,
        (channel, values): (usize, &[Value]),
        numbers: &[usize],
    ) -> Option<Timed> {
        let mut silent = self.observer.clone();
        let silence = silent.advance_by(executor, &forever(), &forever()) != Allowed::No
            && silent.silence(executor) != Allowed::No;
        let mut others = self.observer.foreseen(executor);
        let meant = Output {
            channel,
            payload: Payload::Values(values.to_vec()),
        };
        others.retain(|other| *other != meant);
        let passed = self
            .observer
            .advance_by(executor, &BigRational::zero(), &forever());
        let now = self.observer.now.term;
        self.times.push(now);
        if passed != Allowed::Yes || self.observer.output(executor, channel, values) != Allowed::Yes
        {
            return None;
        }
        let mut since = Vec::new();
        for &number in numbers {
            let apart = executor.store.sub(now, self.times[number]);
            let window = self.hull(executor, apart)?;
            if window.to.is_some() || !window.from.is_zero() {
                since.push((number, window));
            }
        }
        Some(Timed {
            since,
            is_open: !others.is_empty(),
            silence,
        })
    }

    /// The least and the greatest time that a term can be in any of the states.
    fn hull(&self, executor: &mut Executor<'_, '_>, time: Term) -> Option<Window> {
        let mut hull: Option<Window> = None;
        for candidate in &self.observer.states {
            let window = window(executor, &candidate.state, time)?;
            hull = Some(match hull {
                None => window,
                Some(hull) => Window {
                    from: hull.from.min(window.from),
                    to: hull.to.zip(window.to).map(|(a, b)| a.max(b)),
                },
            });
        }
        hull
    }
}

impl Observer {
    /// So much time passes without a message, at least and at most.
    fn advance_by(
        &mut self,
        executor: &mut Executor<'_, '_>,
        least: &BigRational,
        most: &BigRational,
    ) -> Allowed {
        let store = &mut executor.store;
        let part = store.fresh_var("passed", Sort::Real);
        let (least, most) = (store.real(least.clone()), store.real(most.clone()));
        let bounds = [store.le(least, part), store.le(part, most)];
        let condition = store.and_all(bounds);
        let now = store.add(self.now.term, part);
        let after = self.during(executor, now, condition);
        let allowed = self.narrow_to(executor, after);
        if allowed == Allowed::Yes {
            self.now.term = now;
        }
        allowed
    }
}

/// The least and the greatest time that a term can be in a state; none where that was not
/// decided.
fn window(executor: &mut Executor<'_, '_>, state: &SymbolicState, time: Term) -> Option<Window> {
    let at_most = |executor: &mut Executor<'_, '_>, millis: u64| {
        let bound = executor.store.real(seconds(millis));
        let condition = executor.store.le(time, bound);
        executor.holds(state, condition).ok()
    };
    let beyond = |executor: &mut Executor<'_, '_>, millis: u64| {
        let bound = executor.store.real(seconds(millis));
        let condition = executor.store.lt(bound, time);
        executor.holds(state, condition).ok()
    };
    let mut from = first(executor, at_most)??;
    // A bound between two milliseconds is rounded to where more is allowed.
    let bound = executor.store.real(seconds(from));
    let below = executor.store.lt(time, bound);
    if from > 0 && executor.holds(state, below).ok()? {
        from -= 1;
    }
    // The first time beyond which it cannot be is the last that it can be.
    let to = first(executor, |executor, millis| {
        beyond(executor, millis).map(|beyond| !beyond)
    })?;
    Some(Window {
        from: seconds(from),
        to: to.map(seconds),
    })
}

/// The first millisecond for which a condition holds that goes on holding; none if it is too far
/// away, and nothing at all if that was not decided.
fn first(
    executor: &mut Executor<'_, '_>,
    mut holds: impl FnMut(&mut Executor<'_, '_>, u64) -> Option<bool>,
) -> Option<Option<u64>> {
    if holds(executor, 0)? {
        return Some(Some(0));
    }
    let (mut below, mut above) = (0, 1000);
    while !holds(executor, above)? {
        if above >= FAR {
            return Some(None);
        }
        (below, above) = (above, (above * 8).min(FAR));
    }
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        match holds(executor, middle)? {
            true => above = middle,
            false => below = middle,
        }
    }
    Some(Some(above))
}

/// What is later than this, in milliseconds, is as good as never.
const FAR: u64 = 500_000_000_000;

fn seconds(millis: u64) -> BigRational {
    BigRational::new(BigInt::from(millis), BigInt::from(1000))
}
