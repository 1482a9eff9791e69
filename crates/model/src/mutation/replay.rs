//! A test against a mutant, which stands in for a system.

use super::Mutant;
use crate::execution::Executor;
use crate::observer::{Allowed, Observer};
use crate::testcase::{Otherwise, TestCase, TestEvent, TestStep};
use num_rational::BigRational;
use rustc_hash::FxHashSet;
use term::Value;

/// A test, and what has to be known of it to run it against mutants.
pub(crate) struct Trial {
    test: TestCase,
    /// The states of automata that the model may be in along the test.
    visited: FxHashSet<(usize, usize)>,
    /// By step: if it is a delay, how much of it passes before the model may send something.
    quiet: Vec<Option<BigRational>>,
    /// By step: whether it is an output that the model sends sooner or later, whatever happens.
    is_due: Vec<bool>,
    /// Whether an input is given at the last moment before the model has to send something.
    pub is_race: bool,
    /// Whether the model sends nothing more when the test is over.
    is_quiet_after: bool,
}

impl Trial {
    /// The executor has the model.
    pub fn new(executor: &mut Executor<'_, '_>, test: TestCase) -> Trial {
        let mut observer = Observer::forgetful(executor);
        let mut visited = FxHashSet::default();
        observer.visit(&mut visited);
        let (mut quiet, mut is_due) = (Vec::new(), Vec::new());
        let mut now = BigRational::default();
        let moment = BigRational::new(1.into(), 100.into());
        let mut is_race = false;
        for (number, step) in test.steps.iter().enumerate() {
            let delay = delay_of(executor, step);
            quiet.push(delay.map(|time| observer.quiet_part(executor, &now, time)));
            now += delay.cloned().unwrap_or_default();
            is_due.push(match &step.event {
                TestEvent::Output { otherwise, .. } if otherwise.silence => {
                    observer.is_due(executor)
                }
                _ => false,
            });
            match &step.event {
                TestEvent::Internal => {}
                TestEvent::Input { channel, values } => {
                    observer.input(executor, *channel, values);
                }
                TestEvent::Output {
                    channel, values, ..
                } => {
                    observer.output(executor, *channel, values);
                }
                TestEvent::Silence { .. } => {
                    observer.silence(executor);
                }
            }
            observer.visit(&mut visited);
            is_race |= delay.is_some()
                && is_given(executor, &test.steps[number + 1..])
                && observer.clone().delay(executor, &moment) == Allowed::No;
        }
        Trial {
            is_race,
            is_quiet_after: observer.foreseen(executor).is_empty(),
            quiet,
            is_due,
            visited,
            test,
        }
    }

    /// The step at which the mutant fails the test, whatever it does where it has a choice;
    /// none if it may pass. The executor has the model, before and after.
    pub fn kills<'m>(&self, executor: &mut Executor<'m, '_>, mutant: &'m Mutant) -> Option<usize> {
        let model = executor.model;
        let is_met = |&number: &usize| {
            let transition = &model.transitions[number];
            self.visited
                .contains(&(transition.automaton, transition.from))
        };
        if !mutant.changed.iter().any(is_met) {
            return None;
        }
        executor.set_model(&mutant.model);
        let failed = self.is_failed_by(executor);
        executor.set_model(model);
        failed
    }

    /// The step at which a system that behaves like the executor's model fails the test.
    fn is_failed_by(&self, executor: &mut Executor<'_, '_>) -> Option<usize> {
        let mut system = Observer::forgetful(executor);
        for (number, step) in self.test.steps.iter().enumerate() {
            match &step.event {
                TestEvent::Internal => {}
                TestEvent::Input { channel, values } => {
                    if let Some(quiet) = &self.quiet[number] {
                        match system.clone().delay(executor, quiet) {
                            Allowed::Yes => {}
                            // It cannot wait, so it sends something.
                            Allowed::No => return Some(number),
                            Allowed::Unknown(_) => return None,
                        }
                    }
                    let is_delay = self.quiet[number].is_some();
                    match system.input(executor, *channel, values) {
                        Allowed::Yes => {}
                        // An input that the system does not know is lost on it.
                        Allowed::No if !is_delay => {}
                        // What it sends meanwhile may be what the model sends.
                        Allowed::No | Allowed::Unknown(_) => return None,
                    }
                }
                TestEvent::Output {
                    channel,
                    values,
                    open,
                    otherwise,
                } => match system.output(executor, *channel, values) {
                    Allowed::Yes => {}
                    Allowed::Unknown(_) => return None,
                    Allowed::No => {
                        let is_open = open.as_ref().map(|_| *channel);
                        let may_differ = may_differ(executor, &mut system, otherwise, is_open);
                        let may_wait = otherwise.silence
                            && system.quiescence(executor) != Allowed::No
                            // A test waits for what is due, and so finds what comes instead.
                            && (!self.is_due[number]
                                || system.may_send_later(executor, *channel, values));
                        return (!may_differ && !may_wait).then_some(number);
                    }
                },
                TestEvent::Silence { otherwise } => match system.silence(executor) {
                    Allowed::Yes => {}
                    Allowed::Unknown(_) => return None,
                    Allowed::No => {
                        let may_differ = may_differ(executor, &mut system, otherwise, None);
                        return (!may_differ).then_some(number);
                    }
                },
            }
        }
        let fails = self.is_quiet_after && system.silence(executor) == Allowed::No;
        fails.then_some(self.test.steps.len())
    }
}

/// Whether the system may send what the model allows beside what a test expects, which is no
/// failure: something on a channel that is open, or one of the other outputs.
fn may_differ(
    executor: &mut Executor<'_, '_>,
    system: &mut Observer,
    otherwise: &Otherwise,
    open: Option<usize>,
) -> bool {
    if open.is_none() && otherwise.outputs.is_empty() {
        return false;
    }
    let Some(outputs) = system.definite_outputs(executor) else {
        return true;
    };
    outputs.into_iter().any(|(channel, values)| {
        let mut others = otherwise.outputs.iter();
        open == Some(channel) || others.any(|other| other.may_be(channel, &values))
    })
}

/// Whether the next thing that anybody notices is an input that is no delay.
fn is_given(executor: &Executor<'_, '_>, steps: &[TestStep]) -> bool {
    let mut noticed = steps.iter().filter(|it| it.event != TestEvent::Internal);
    noticed.next().is_some_and(|step| {
        matches!(step.event, TestEvent::Input { .. }) && delay_of(executor, step).is_none()
    })
}

/// How long the step waits, if it is a delay.
fn delay_of<'s>(executor: &Executor<'_, '_>, step: &'s TestStep) -> Option<&'s BigRational> {
    match &step.event {
        TestEvent::Input { channel, values } if Some(*channel) == executor.model.time => {
            match &values[..] {
                [Value::Real(time)] => Some(time),
                _ => None,
            }
        }
        _ => None,
    }
}
