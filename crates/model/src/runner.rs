//! Running tests against a system, and testing it on the fly.

use crate::coverage::Distances;
use crate::execution::{Event, Executor, SymbolicState, Tried};
use crate::model::{Action, Model};
use crate::observer::{Allowed, Observer};
use crate::render::{message_text, payload_json, payload_text};
use crate::system::{Received, Source, System};
use crate::testcase::{TestCase, TestEvent, leaves};
use base::Random;
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};
use term::{Term, Value};

/// What a run says of the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It did what the test wanted.
    Pass,
    /// It did what the model does not allow.
    Fail,
    /// Neither can be said.
    Inconclusive,
}

impl Verdict {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Inconclusive => "inconclusive",
        }
    }
}

/// What became of a test.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The test's name.
    pub name: String,
    /// What it says of the system.
    pub verdict: Verdict,
    /// Why, in words; empty for a pass.
    pub reason: String,
    /// Whether the system did something else that the model allows, so that there
    /// is nothing wrong with it that is known of.
    pub strayed: bool,
    /// How long it took.
    pub time: Duration,
    /// What went to the system (`?`) and came from it (`!`).
    pub trace: Vec<String>,
    /// By transition: whether the system may have taken it.
    pub taken: Vec<bool>,
}

impl Report {
    /// The report as JSON.
    pub fn to_json(&self, model: &Model) -> Json {
        let taken = (0..self.taken.len()).filter(|&number| self.taken[number]);
        let taken: Vec<&str> = taken
            .map(|number| model.transitions[number].name.as_str())
            .collect();
        json!({"test": self.name, "verdict": self.verdict.name(), "reason": self.reason,
            "trace": self.trace, "transitions": taken})
    }
}

/// Why a test that was stopped says nothing.
const STOPPED: &str = "the run was stopped";

/// After the last step of a test, silence for this part of what counts as
/// quiescence shows that nothing was sent that nobody asked for.
const AFTER: u32 = 10;

/// More messages than these, one behind the other, are not read in one go.
const EXTRA: usize = 1000;

/// What becomes of a test when the run is stopped before it.
pub fn not_run(model: &Model, test: &TestCase) -> Report {
    Report {
        name: test.name.clone(),
        verdict: Verdict::Inconclusive,
        reason: STOPPED.to_owned(),
        strayed: false,
        time: Duration::ZERO,
        trace: Vec::new(),
        taken: vec![false; model.transitions.len()],
    }
}

/// An exchange between tester and system.
struct Session<'a, 'm, 'f> {
    executor: &'a mut Executor<'m, 'f>,
    system: System,
    observer: Observer,
    patience: Duration,
    trace: Vec<String>,
    /// The last input, and what was known before it, as long as an output may have
    /// been under way when it was sent.
    last_input: Option<(Observer, usize, Vec<Value>)>,
}

/// How a session ended early.
enum Ended {
    /// The system did what the model does not allow.
    Failed(String),
    /// It did something else that the model allows.
    Strayed(String),
    /// Nothing can be said.
    Unclear(String),
}

/// Runs one test against a fresh system; `patience` is how long silence takes to
/// count as quiescence.
pub fn run_test(
    executor: &mut Executor<'_, '_>,
    test: &TestCase,
    source: &Source,
    patience: Duration,
) -> Report {
    in_session(executor, &test.name, source, patience, |session| {
        session.test(test)
    })
}

/// Tests a system on the fly, for so many messages; where the model comes to an
/// end, with a fresh system. `stop` is asked before each message.
pub fn run_online(
    executor: &mut Executor<'_, '_>,
    source: &Source,
    patience: Duration,
    steps: usize,
    seed: u64,
    stop: &dyn Fn() -> bool,
) -> Report {
    let mut random = Random::new(seed);
    let mut taken = vec![0; executor.model.transitions.len()];
    let mut left = steps;
    let mut trace = Vec::new();
    loop {
        let before = left;
        let mut report = in_session(executor, "online", source, patience, |session| {
            session.observer.taken = std::mem::take(&mut taken);
            let ended = session.online(&mut left, &mut random, stop);
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
    patience: Duration,
    run: impl FnOnce(&mut Session<'_, '_, '_>) -> Result<(), Ended>,
) -> Report {
    let started = Instant::now();
    let observer = Observer::new(executor);
    let nothing = vec![false; executor.model.transitions.len()];
    let system = match System::start(source) {
        Ok(system) => system,
        Err(reason) => {
            return Report {
                name: name.to_owned(),
                verdict: Verdict::Inconclusive,
                reason,
                strayed: false,
                time: started.elapsed(),
                trace: Vec::new(),
                taken: nothing,
            };
        }
    };
    let mut session = Session {
        executor,
        system,
        observer,
        patience,
        trace: Vec::new(),
        last_input: None,
    };
    let (verdict, reason, strayed) = match run(&mut session) {
        Ok(()) => (Verdict::Pass, String::new(), false),
        Err(Ended::Failed(reason)) => (Verdict::Fail, reason, false),
        Err(Ended::Strayed(reason)) => (Verdict::Inconclusive, reason, true),
        Err(Ended::Unclear(reason)) => (Verdict::Inconclusive, reason, false),
    };
    Report {
        name: name.to_owned(),
        verdict,
        reason,
        strayed,
        time: started.elapsed(),
        trace: session.trace,
        taken: session
            .observer
            .taken
            .iter()
            .map(|&count| count > 0)
            .collect(),
    }
}

impl Session<'_, '_, '_> {
    fn test(&mut self, test: &TestCase) -> Result<(), Ended> {
        let mut intended = Some(self.executor.initial());
        for step in &test.steps {
            let observed = match &step.event {
                TestEvent::Internal => Vec::new(),
                TestEvent::Input { channel, values } => {
                    if self.send(*channel, values)? > 0 {
                        intended = None;
                    }
                    values.clone()
                }
                TestEvent::Output { channel, .. } => {
                    let (heard, values) = self.expect()?;
                    if heard != *channel {
                        intended = None;
                    }
                    values
                }
            };
            intended =
                intended.and_then(|state| self.follow(&state, step.step, &step.event, &observed));
            if intended.is_none() {
                let reason = "the model allows what the system did, but the test goes another way";
                return Err(Ended::Strayed(reason.to_owned()));
            }
            self.compare(&step.event, &observed)?;
        }
        match test.steps.last().map(|step| &step.event) {
            Some(TestEvent::Output { .. }) => self.extra(self.patience / AFTER).map(|_| ()),
            Some(TestEvent::Input { .. } | TestEvent::Internal) => self.silence(),
            None => Ok(()),
        }
    }

    /// Fails where an output has not the values that the test says.
    fn compare(&mut self, event: &TestEvent, came: &[Value]) -> Result<(), Ended> {
        let TestEvent::Output {
            channel,
            values,
            condition: None,
            ..
        } = event
        else {
            return Ok(());
        };
        let mut pairs = values.iter().zip(came);
        if pairs.all(|(expected, came)| self.observer.agrees(self.executor, expected, came)) {
            return Ok(());
        }
        let model = self.executor.model;
        let (came, expected) = (
            message_text(model, *channel, came),
            message_text(model, *channel, values),
        );
        let reason = format!("{came} came; the test expects {expected}");
        Err(Ended::Failed(reason))
    }

    /// A test that ends without an output waits whether one comes.
    fn silence(&mut self) -> Result<(), Ended> {
        if self.hear(self.patience)?.is_some() {
            return Ok(());
        }
        match self.observer.quiet(self.executor) {
            Allowed::Yes => Ok(()),
            Allowed::No => Err(self.missing_output()),
            Allowed::Unknown(reason) => Err(Ended::Unclear(reason)),
        }
    }

    fn missing_output(&mut self) -> Ended {
        self.trace.push("nothing".to_owned());
        let expected = self.observer.expected(self.executor).join(" or ");
        Ended::Failed(format!(
            "nothing came within {:?}; the model expects {expected}",
            self.patience
        ))
    }

    /// The state that the test is in, if the system follows it.
    fn follow(
        &mut self,
        state: &SymbolicState,
        step: crate::execution::Move,
        event: &TestEvent,
        observed: &[Value],
    ) -> Option<SymbolicState> {
        let given = matches!(event, TestEvent::Input { .. }).then_some(observed);
        let output = match event {
            TestEvent::Output { .. } => observed,
            TestEvent::Internal | TestEvent::Input { .. } => &[],
        };
        self.observer
            .follow(self.executor, state, step, given, output)
    }

    /// Sends a message; gives how many came before it, which are observed before.
    fn send(&mut self, channel: usize, values: &[Value]) -> Result<usize, Ended> {
        let before = self.extra(Duration::ZERO)?;
        let it = &self.executor.model.channels[channel];
        let (name, text) = (it.name.clone(), payload_text(&it.payload, values));
        let json = payload_json(&it.payload, values);
        self.trace.push(format!("{name}?({text})"));
        let sent = self.system.send(&name, &json, self.patience);
        sent.map_err(Ended::Unclear)?;
        let known = self.observer.clone();
        match self.observer.input(self.executor, channel, values) {
            Allowed::Yes => {
                self.last_input = Some((known, channel, values.to_vec()));
                Ok(before)
            }
            Allowed::No => {
                let reason = format!("the model has no input {name}({text}) here");
                Err(Ended::Unclear(reason))
            }
            Allowed::Unknown(reason) => Err(Ended::Unclear(reason)),
        }
    }

    /// Waits for an output that the model allows.
    fn expect(&mut self) -> Result<(usize, Vec<Value>), Ended> {
        match self.hear(self.patience)? {
            Some(heard) => Ok(heard),
            None => Err(match self.observer.quiet(self.executor) {
                Allowed::Yes => {
                    self.trace.push("nothing".to_owned());
                    let beside = self.observer.expected(self.executor).join(" or ");
                    let silent = "the system is silent, which the model allows";
                    Ended::Strayed(match beside.is_empty() {
                        true => silent.to_owned(),
                        false => format!("{silent} beside {beside}"),
                    })
                }
                Allowed::No => self.missing_output(),
                Allowed::Unknown(reason) => Ended::Unclear(reason),
            }),
        }
    }

    /// What comes within some time without being waited for is observed too; gives
    /// how many messages it was.
    fn extra(&mut self, time: Duration) -> Result<usize, Ended> {
        let end = Instant::now() + time;
        for count in 0..EXTRA {
            let left = end.saturating_duration_since(Instant::now());
            match self.system.receive(left) {
                // A system may end when its work is done.
                Received::Quiet | Received::Ended(_) => return Ok(count),
                received => self.heard(received)?,
            };
        }
        Ok(EXTRA)
    }

    /// An output, if one comes in time.
    fn hear(&mut self, patience: Duration) -> Result<Option<(usize, Vec<Value>)>, Ended> {
        let received = self.system.receive(patience);
        self.heard(received)
    }

    /// The output that was received, if it was one and the model allows it.
    fn heard(&mut self, received: Received) -> Result<Option<(usize, Vec<Value>)>, Ended> {
        let unclear = |reason: String| Err(Ended::Unclear(reason));
        let (name, values) = match received {
            Received::Quiet => return Ok(None),
            Received::Ended(how) => return unclear(how),
            Received::Nonsense(line) => {
                return unclear(format!("the system sent what is no message: {line}"));
            }
            Received::Message { channel, values } => (channel, values),
        };
        let model = self.executor.model;
        let shown = Json::Array(values.clone()).to_string();
        let Some(channel) = model.channel(&name) else {
            return unclear(format!(
                "the system sent {shown} on `{name}`, which the model has not"
            ));
        };
        let values = match leaves(model, channel, &values) {
            Ok(values) => values,
            Err(reason) => return unclear(format!("the system sent {shown}: {reason}")),
        };
        let text = payload_text(&model.channels[channel].payload, &values);
        let expected = self.observer.expected(self.executor);
        self.trace.push(format!("{name}!({text})"));
        match self.observer.output(self.executor, channel, &values) {
            Allowed::Yes => {
                self.last_input = None;
                Ok(Some((channel, values)))
            }
            Allowed::No if self.crossed(channel, &values) => Ok(Some((channel, values))),
            Allowed::No => {
                let expected = match expected.is_empty() {
                    true => "nothing".to_owned(),
                    false => expected.join(" or "),
                };
                let reason = format!("{name}({text}) came; the model expects {expected}");
                Err(Ended::Failed(reason))
            }
            Allowed::Unknown(reason) => Err(Ended::Unclear(reason)),
        }
    }

    /// Whether an output that the model does not allow now was under way when the
    /// last input was sent, and the model allows that; it is then observed so.
    fn crossed(&mut self, channel: usize, values: &[Value]) -> bool {
        let Some((mut before, input, given)) = self.last_input.take() else {
            return false;
        };
        let in_time = before.output(self.executor, channel, values) == Allowed::Yes;
        let known = before.clone();
        if !in_time || before.input(self.executor, input, &given) != Allowed::Yes {
            return false;
        }
        self.last_input = Some((known, input, given));
        self.observer = before;
        true
    }

    fn online(
        &mut self,
        left: &mut usize,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Ended> {
        let mut silent = 0;
        while *left > 0 {
            if stop() {
                return Err(Ended::Unclear(STOPPED.to_owned()));
            }
            *left -= 1;
            let inputs = self.inputs(random);
            let speaks = !self.observer.expected(self.executor).is_empty();
            if let Some((channel, values)) = inputs
                && (!speaks || silent > 0 || random.below(4) == 0)
            {
                silent = 0;
                let before = self.send(channel, &values)?;
                *left = left.saturating_sub(before);
                continue;
            }
            if self.hear(self.patience)?.is_some() {
                silent = 0;
                continue;
            }
            silent += 1;
            match self.observer.quiet(self.executor) {
                Allowed::Yes if silent > 1 => return Ok(()),
                Allowed::Yes => {}
                Allowed::No => return Err(self.missing_output()),
                Allowed::Unknown(reason) => return Err(Ended::Unclear(reason)),
            }
        }
        self.extra(self.patience / AFTER).map(|_| ())
    }

    /// An input for the state the system may be in, with values that lead towards
    /// what was taken least.
    fn inputs(&mut self, random: &mut Random) -> Option<(usize, Vec<Value>)> {
        let mut distances = Distances::new(self.executor.model);
        let mut ahead: Vec<Ahead> = Vec::new();
        for state in self.observer.settled(self.executor) {
            ahead.push(Ahead {
                state,
                first: None,
                depth: 0,
                wanted: 0,
            });
        }
        let mut best: Option<((usize, usize, usize), Ahead)> = None;
        // Where nothing is new any more, there is no need to look far.
        let seen = self.observer.taken.iter().all(|&count| count > 0);
        for _ in 0..if seen { FORESIGHT / 6 } else { FORESIGHT } {
            let nearest = (0..ahead.len()).min_by_key(|&number| ahead[number].wanted);
            let Some(from) = nearest.map(|number| ahead.remove(number)) else {
                break;
            };
            for step in self.executor.moves(&from.state.location) {
                let action = &self.executor.model.transitions[step.first].action;
                if from.first.is_none() && !matches!(action, Action::Input { .. }) {
                    continue;
                }
                let Tried::Feasible(found) = self.executor.step(&from.state, step) else {
                    continue;
                };
                let (event, state) = *found;
                let first = match (&from.first, event) {
                    (None, Event::Input { channel, values }) => Some((channel, values)),
                    (first, _) => first.clone(),
                };
                let depth = from.depth + 1;
                let next = Ahead {
                    wanted: depth + distances.of(&state.location, &self.observer.taken),
                    state,
                    first,
                    depth,
                };
                let cost = (
                    self.observer.taken[step.first],
                    next.depth,
                    random.below(1000),
                );
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, next.clone()));
                }
                ahead.push(next);
            }
        }
        let (_, best) = best?;
        let (channel, terms) = best.first?;
        let values = self.executor.values(&terms, &best.state.model)?;
        Some((channel, values))
    }
}

/// States looked at before an input is chosen.
const FORESIGHT: usize = 48;

/// A state that an input may lead to.
#[derive(Clone)]
struct Ahead {
    state: SymbolicState,
    /// The input's channel and values.
    first: Option<(usize, Vec<Term>)>,
    depth: usize,
    /// Steps from now to something new, as far as the graph tells.
    wanted: usize,
}
