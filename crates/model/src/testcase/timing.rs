//! When the messages of a test may come, for scripts that know no model.
//!
//! A test says when the tester sends; when the system answers is the system's choice, and what
//! the model allows next depends on it. So the time of an output is measured from earlier
//! messages: those that reset the clocks, and the last one. Where conditions compare one clock
//! with constants, these stretches of time are all that the model says.

use super::{TestCase, TestEvent};
use crate::execution::Executor;
use crate::model::Model;
use crate::observer::{Course, Window};
use num_bigint::BigInt;
use num_rational::BigRational;
use term::Value;

/// How much earlier or later than planned a script may send, in milliseconds, so that what it
/// knows still holds.
pub(super) const SLACK: i64 = 100;

/// What the model says about the times of a test; nothing where it has no clocks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Timing {
    /// By step.
    pub(super) steps: Vec<StepTiming>,
}

/// What the model says about the time of a step.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum StepTiming {
    /// Nothing that is known.
    Unknown,
    /// It is a delay.
    Delay {
        /// Whether the system may send something meanwhile.
        is_open: bool,
    },
    /// It is an input.
    Input,
    /// It is an output.
    Output {
        /// How long after earlier messages it may come, by their numbers; the beginning has
        /// the number 0.
        since: Vec<(usize, Window)>,
        is_open: bool,
        silence: bool,
    },
}

impl Timing {
    /// What the model says about the times of this test.
    pub fn of(executor: &mut Executor<'_, '_>, test: &TestCase) -> Timing {
        let model = executor.model;
        if model.time.is_none() {
            return Timing::default();
        }
        let slack = BigRational::new(BigInt::from(SLACK), BigInt::from(1000));
        let mut course = Course::new(executor);
        let mut delay = BigRational::default();
        let mut resets = Resets::new(model);
        let mut steps = Vec::new();
        for step in &test.steps {
            let taken = step.step.into_iter().flat_map(|step| step.transitions());
            let taken: Vec<usize> = taken.collect();
            let timing = match &step.event {
                TestEvent::Internal | TestEvent::Silence { .. } => Some(StepTiming::Unknown),
                TestEvent::Input { channel, values } if Some(*channel) == model.time => {
                    if let [Value::Real(time)] = &values[..] {
                        delay += time;
                    }
                    Some(StepTiming::Delay {
                        is_open: course.may_send(executor, &(&delay + &slack)),
                    })
                }
                TestEvent::Input { channel, values } => {
                    let message = (*channel, &values[..]);
                    let after = std::mem::take(&mut delay);
                    let allowed = course.input(executor, message, &after, &slack);
                    resets.messages += 1;
                    allowed.then_some(StepTiming::Input)
                }
                TestEvent::Output {
                    channel, values, ..
                } => {
                    delay = BigRational::default();
                    let numbers = resets.numbers();
                    let message = (*channel, &values[..]);
                    let timed = course.output(executor, message, &numbers);
                    resets.messages += 1;
                    timed.map(|timed| StepTiming::Output {
                        since: timed.since,
                        is_open: timed.is_open,
                        silence: timed.silence,
                    })
                }
            };
            resets.take(model, &taken);
            let Some(timing) = timing else {
                // What follows a step of which nothing is known is not known either.
                break;
            };
            steps.push(timing);
        }
        steps.resize(test.steps.len(), StepTiming::Unknown);
        Timing { steps }
    }
}

/// By clock: after which message it was reset.
struct Resets {
    /// The clock's leaf, and the message's number.
    clocks: Vec<(usize, usize)>,
    /// The number of the last message.
    messages: usize,
}

impl Resets {
    fn new(model: &Model) -> Resets {
        let clocks = model.variables.iter().filter(|it| it.is_clock);
        Resets {
            clocks: clocks.map(|it| (it.offset, 0)).collect(),
            messages: 0,
        }
    }

    /// These transitions were taken.
    fn take(&mut self, model: &Model, transitions: &[usize]) {
        for &number in transitions {
            // That time passes is an assignment to every clock, and resets none.
            if Some(number) == model.delay() {
                continue;
            }
            for assignment in &model.transitions[number].assignments {
                for (clock, since) in &mut self.clocks {
                    if assignment.place.offset == *clock {
                        *since = self.messages;
                    }
                }
            }
        }
    }

    /// The messages that the time of the next may depend on.
    fn numbers(&self) -> Vec<usize> {
        let clocks = self.clocks.iter().map(|&(_, since)| since);
        let mut numbers: Vec<usize> = clocks.chain([self.messages]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}
