//! Running tests against a system, and testing it online.
//!
//! Every message goes past an [`Observer`], which alone decides whether the model
//! allows it; a test only says which of the allowed behaviours it wants to see. So
//! a verdict "fail" means that the system does not conform, however the test file
//! was edited, except where an output has other values than the file says.

mod clock;
mod crossing;
mod log;
mod online;
mod session;
mod timing;

pub use clock::Time;
pub use log::{LogError, check_log};
pub use online::OnlinePlan;

pub use crate::results::Verdict;

use crate::command_line::CommandLine;
use crate::execution::Executor;
use crate::model::{Model, requirements};
use crate::observer::Observer;
use crate::results::TestVerdict;
use crate::system::{Launch, Source, System};
use crate::testcase::TestCase;
use crate::undecided::Undecided;
use online::Choices;
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
    /// What went to the system (`?`) and came from it (`!`), and its silences.
    pub trace: Vec<String>,
    /// Lines of its standard output that are no messages.
    pub log: Vec<String>,
    /// What it wrote to standard error, as far as that is kept.
    pub stderr: String,
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
            log: self.log.clone(),
            stderr: self.stderr.clone(),
            requirements: self.requirements(model),
            transitions: taken
                .filter(|&(_, &taken)| taken)
                .map(|(transition, _)| transition.name.clone())
                .collect(),
        }
    }

    /// The requirements of the transitions that the system may have taken.
    pub fn requirements(&self, model: &Model) -> Vec<String> {
        let taken = (0..self.taken.len()).filter(|&number| self.taken[number]);
        requirements(model, taken)
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
            log: Vec::new(),
            stderr: String::new(),
            taken: vec![false; model.transitions.len()],
        }
    }
}

/// The system to test, and how patient to be with it.
#[derive(Clone, PartialEq, Debug)]
pub struct Tested {
    /// Where a fresh one comes from.
    pub source: Source,
    /// What serves its address, started anew for each test.
    pub server: Option<CommandLine>,
    /// Silence of this length counts as quiescence.
    pub timeout: Duration,
    /// How long it may take to start: until then, and until it has sent something,
    /// silence does not count.
    pub ready: Duration,
    /// Whether a line that is no message is a failure.
    pub is_strict: bool,
    /// How time passes for it, where the model has clocks.
    pub time: Time,
}

/// Runs one test against a fresh system. A stopped test is inconclusive.
pub fn run_test(executor: &mut Executor<'_, '_>, test: &TestCase, tested: &Tested) -> Report {
    in_session(executor, &test.name, tested, |session| session.test(test))
}

/// Tests a system online, that is, chooses inputs as it answers, until the plan says that it
/// is enough. Where the model comes to an end, it goes on with a fresh system. A stopped test
/// is inconclusive, and so is one that does not come to its purpose.
pub fn run_online(executor: &mut Executor<'_, '_>, tested: &Tested, plan: &OnlinePlan) -> Report {
    let model = executor.model;
    let mut choices = Choices::new(model, plan);
    let mut left = plan.messages;
    let (mut trace, mut log) = (Vec::new(), Vec::new());
    loop {
        let before = left;
        let mut report = in_session(executor, "online", tested, |session| {
            session
                .observer
                .taken
                .clone_from(&choices.walks.walked.taken);
            choices.begin();
            session.online(&mut left, &mut choices)
        });
        trace.append(&mut report.trace);
        log.append(&mut report.log);
        let is_over = left == 0 || left == before || choices.is_enough(model);
        if report.verdict != Verdict::Pass || is_over {
            if report.verdict == Verdict::Pass && choices.is_purpose_fulfilled() == Some(false) {
                report.verdict = Verdict::Inconclusive;
                report.diverged = true;
                report.reason = format!(
                    "the purpose was not reached within {} messages",
                    plan.messages
                );
            }
            (report.trace, report.log) = (trace, log);
            return report;
        }
        trace.push("a fresh system".to_owned());
    }
}

fn in_session(
    executor: &mut Executor<'_, '_>,
    name: &str,
    tested: &Tested,
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
    let launch = Launch {
        source: &tested.source,
        server: tested.server.as_ref(),
        codec: &model.codec,
        ready: tested.ready,
    };
    let system = match System::start(launch, executor.stop()) {
        Ok(system) => system,
        Err(error) => {
            return Report::without_exchange(model, name, error.to_string(), started.elapsed());
        }
    };
    let mut session = Session::new(executor, system, observer, tested);
    let ended = run(&mut session).and_then(|()| session.finish());
    let (verdict, reason, diverged) = verdict(ended);
    let stderr = session.end();
    let taken = session.observer.taken.iter();
    Report {
        name: name.to_owned(),
        verdict,
        reason,
        diverged,
        time: started.elapsed(),
        taken: taken.map(|&count| count > 0).collect(),
        trace: session.trace,
        log: session.log,
        stderr,
    }
}

/// The verdict, its reason, and whether the system did something else that the model
/// allows.
fn verdict(ended: Result<(), Ended>) -> (Verdict, String, bool) {
    match ended {
        Ok(()) => (Verdict::Pass, String::new(), false),
        Err(Ended::Failed(reason)) => (Verdict::Fail, reason, false),
        Err(Ended::Diverged(reason)) => (Verdict::Inconclusive, reason, true),
        Err(Ended::Unclear(reason)) => (Verdict::Inconclusive, reason, false),
    }
}
