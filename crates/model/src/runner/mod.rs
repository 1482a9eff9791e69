//! Running tests against a system, and testing it online.
//!
//! Every message goes past an [`Observer`], which alone decides whether the model
//! allows it; a test only says which of the allowed behaviours it wants to see. So
//! a verdict "fail" means that the system does not conform, however the test file
//! was edited, except where an output has other values than the file says.

mod online;
mod session;

pub use crate::results::Verdict;

use crate::execution::Executor;
use crate::model::Model;
use crate::observer::Observer;
use crate::results::TestVerdict;
use crate::system::{Source, System};
use crate::testcase::TestCase;
use crate::undecided::Undecided;
use base::Random;
use session::{Ended, Session};
use std::time::{Duration, Instant};

/// What became of a test.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The test's name.
    pub name: String,
    /// What it says of the system.
    pub verdict: Verdict,
    /// Why, in words; empty for a pass.
    pub reason: String,
    /// Whether the system did something else that the model allows, so that nothing
    /// is known to be wrong with it.
    pub diverged: bool,
    /// How long it took.
    pub time: Duration,
    /// What went to the system (`?`) and came from it (`!`).
    pub trace: Vec<String>,
    /// By transition: whether the system may have taken it.
    pub taken: Vec<bool>,
}

impl Report {
    /// The report as it is printed.
    pub fn to_result(&self, model: &Model) -> TestVerdict {
        let taken = model.transitions.iter().zip(&self.taken);
        TestVerdict {
            test: self.name.clone(),
            verdict: self.verdict,
            reason: self.reason.clone(),
            trace: self.trace.clone(),
            transitions: taken
                .filter(|&(_, &taken)| taken)
                .map(|(transition, _)| transition.name.clone())
                .collect(),
        }
    }

    /// A test that says nothing, because no message was exchanged.
    fn without_exchange(model: &Model, name: &str, reason: String, time: Duration) -> Report {
        Report {
            name: name.to_owned(),
            verdict: Verdict::Inconclusive,
            reason,
            diverged: false,
            time,
            trace: Vec::new(),
            taken: vec![false; model.transitions.len()],
        }
    }
}

/// Runs one test against a fresh system; silence of `timeout` counts as quiescence.
/// A stopped test is inconclusive.
pub fn run_test(
    executor: &mut Executor<'_, '_>,
    test: &TestCase,
    source: &Source,
    timeout: Duration,
) -> Report {
    in_session(executor, &test.name, source, timeout, |session| {
        session.test(test)
    })
}

/// Tests a system online, that is, chooses inputs as it answers, for so many
/// messages. Where the model comes to an end, it goes on with a fresh system. A
/// stopped test is inconclusive.
pub fn run_online(
    executor: &mut Executor<'_, '_>,
    source: &Source,
    timeout: Duration,
    messages: usize,
    seed: u64,
) -> Report {
    let mut random = Random::new(seed);
    let mut taken = vec![0; executor.model.transitions.len()];
    let mut left = messages;
    let mut trace = Vec::new();
    loop {
        let before = left;
        let mut report = in_session(executor, "online", source, timeout, |session| {
            session.observer.taken = std::mem::take(&mut taken);
            let ended = session.online(&mut left, &mut random);
            taken = session.observer.taken.clone();
            ended
        });
        trace.append(&mut report.trace);
        if report.verdict != Verdict::Pass || left == 0 || left == before {
            report.trace = trace;
            return report;
        }
        trace.push("a fresh system".to_owned());
    }
}

fn in_session(
    executor: &mut Executor<'_, '_>,
    name: &str,
    source: &Source,
    timeout: Duration,
    run: impl FnOnce(&mut Session<'_, '_, '_>) -> Result<(), Ended>,
) -> Report {
    let started = Instant::now();
    let model = executor.model;
    // No system is disturbed for a test that will not be run.
    if executor.stop().is_set() {
        let reason = Undecided::Stopped.to_string();
        return Report::without_exchange(model, name, reason, Duration::ZERO);
    }
    let observer = Observer::new(executor);
    let system = match System::start(source, executor.stop()) {
        Ok(system) => system,
        Err(error) => {
            return Report::without_exchange(model, name, error.to_string(), started.elapsed());
        }
    };
    let mut session = Session::new(executor, system, observer, timeout);
    let (verdict, reason, diverged) = match run(&mut session) {
        Ok(()) => (Verdict::Pass, String::new(), false),
        Err(Ended::Failed(reason)) => (Verdict::Fail, reason, false),
        Err(Ended::Diverged(reason)) => (Verdict::Inconclusive, reason, true),
        Err(Ended::Unclear(reason)) => (Verdict::Inconclusive, reason, false),
    };
    let taken = session.observer.taken.iter();
    Report {
        name: name.to_owned(),
        verdict,
        reason,
        diverged,
        time: started.elapsed(),
        taken: taken.map(|&count| count > 0).collect(),
        trace: session.trace,
    }
}
