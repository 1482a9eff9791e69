//! One exchange between tester and system.

use crate::execution::{Executor, Move, SymbolicState};
use crate::observer::{Allowed, Observer};
use crate::render::{message_text, payload_json, payload_text};
use crate::system::{Received, System};
use crate::testcase::{TestCase, TestEvent, leaves};
use crate::undecided::Undecided;
use serde_json::Value as Json;
use std::time::{Duration, Instant};
use term::Value;

/// After the last step of a test, silence for this part of the timeout shows that
/// the system sent nothing it was not asked for.
pub(super) const AFTER: u32 = 10;

/// How many messages are read in one go, so that a system that never falls silent
/// does not keep the tester from sending.
const BURST: usize = 1000;

/// An exchange between tester and system.
pub(super) struct Session<'a, 'm, 'f> {
    pub executor: &'a mut Executor<'m, 'f>,
    system: System,
    pub observer: Observer,
    pub timeout: Duration,
    pub trace: Vec<String>,
    /// The last input, and what was known before it, as long as an output may have
    /// been under way when it was sent.
    last_input: Option<(Observer, usize, Vec<Value>)>,
}

/// How a session ended early.
pub(super) enum Ended {
    /// The system did what the model does not allow.
    Failed(String),
    /// It did something else that the model allows.
    Diverged(String),
    /// Nothing can be said.
    Unclear(String),
}

impl From<Undecided> for Ended {
    fn from(reason: Undecided) -> Ended {
        Ended::Unclear(reason.to_string())
    }
}

impl<'a, 'm, 'f> Session<'a, 'm, 'f> {
    pub fn new(
        executor: &'a mut Executor<'m, 'f>,
        system: System,
        observer: Observer,
        timeout: Duration,
    ) -> Session<'a, 'm, 'f> {
        Session {
            executor,
            system,
            observer,
            timeout,
            trace: Vec::new(),
            last_input: None,
        }
    }

    /// Carries a test through.
    pub fn test(&mut self, test: &TestCase) -> Result<(), Ended> {
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
                    let (received, values) = self.expect()?;
                    if received != *channel {
                        intended = None;
                    }
                    values
                }
            };
            intended =
                intended.and_then(|state| self.follow(&state, step.step, &step.event, &observed));
            if intended.is_none() {
                self.check_stop()?;
                let reason = "the model allows what the system did, but the test goes another way";
                return Err(Ended::Diverged(reason.to_owned()));
            }
            self.compare(&step.event, &observed)?;
        }
        match test.steps.last().map(|step| &step.event) {
            Some(TestEvent::Output { .. }) => self.drain(self.timeout / AFTER).map(|_| ()),
            Some(TestEvent::Input { .. } | TestEvent::Internal) => self.silence(),
            None => Ok(()),
        }
    }

    /// Ends the session if the run was stopped.
    pub fn check_stop(&self) -> Result<(), Ended> {
        let stop = self.executor.stop();
        stop.check().map_err(|_| Undecided::Stopped.into())
    }

    /// Fails where an output has not the values that the test says.
    fn compare(&mut self, event: &TestEvent, received: &[Value]) -> Result<(), Ended> {
        let TestEvent::Output {
            channel,
            values,
            condition: None,
            ..
        } = event
        else {
            return Ok(());
        };
        let mut pairs = values.iter().zip(received);
        if pairs.all(|(expected, came)| self.observer.agrees(self.executor, expected, came)) {
            return Ok(());
        }
        let model = self.executor.model;
        let (came, expected) = (
            message_text(model, *channel, received),
            message_text(model, *channel, values),
        );
        let reason = format!("{came} came; the test expects {expected}");
        Err(Ended::Failed(reason))
    }

    /// Waits whether an output comes where the test ends without one.
    fn silence(&mut self) -> Result<(), Ended> {
        if self.receive(self.timeout)?.is_some() {
            return Ok(());
        }
        match self.observer.quiescence(self.executor) {
            Allowed::Yes => Ok(()),
            Allowed::No => Err(self.missing_output()),
            Allowed::Unknown(reason) => Err(reason.into()),
        }
    }

    /// The failure of a system that is silent where the model has it send.
    pub fn missing_output(&mut self) -> Ended {
        self.trace.push("nothing".to_owned());
        let expected = self.observer.expected(self.executor).join(" or ");
        Ended::Failed(format!(
            "nothing came within {:?}; the model expects {expected}",
            self.timeout
        ))
    }

    /// The state that the test is in, if the system follows it.
    fn follow(
        &mut self,
        state: &SymbolicState,
        step: Move,
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
    pub fn send(&mut self, channel: usize, values: &[Value]) -> Result<usize, Ended> {
        let before = self.drain(Duration::ZERO)?;
        let it = &self.executor.model.channels[channel];
        let (name, text) = (it.name.clone(), payload_text(&it.payload, values));
        let json = payload_json(&it.payload, values);
        self.trace.push(format!("{name}?({text})"));
        let sent = self
            .system
            .send(&name, &json, self.timeout, self.executor.stop());
        sent.map_err(|error| Ended::Unclear(error.to_string()))?;
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
            Allowed::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Waits for an output that the model allows.
    fn expect(&mut self) -> Result<(usize, Vec<Value>), Ended> {
        match self.receive(self.timeout)? {
            Some(received) => Ok(received),
            None => Err(match self.observer.quiescence(self.executor) {
                Allowed::Yes => {
                    self.trace.push("nothing".to_owned());
                    let beside = self.observer.expected(self.executor).join(" or ");
                    let silent = "the system is silent, which the model allows";
                    Ended::Diverged(match beside.is_empty() {
                        true => silent.to_owned(),
                        false => format!("{silent} beside {beside}"),
                    })
                }
                Allowed::No => self.missing_output(),
                Allowed::Unknown(reason) => reason.into(),
            }),
        }
    }

    /// Observes what comes within some time without being waited for; gives how many
    /// messages it was.
    pub fn drain(&mut self, time: Duration) -> Result<usize, Ended> {
        // A time too long to add is as good as none.
        let deadline = Instant::now().checked_add(time);
        for count in 0..BURST {
            let left = deadline.map_or(time, |it| it.saturating_duration_since(Instant::now()));
            match self.system.receive(left, self.executor.stop()) {
                // A system may end when its work is done.
                Received::Quiet | Received::Ended(_) => return Ok(count),
                received => self.observe(received)?,
            };
        }
        Ok(BURST)
    }

    /// An output, if one comes in time.
    pub fn receive(&mut self, time: Duration) -> Result<Option<(usize, Vec<Value>)>, Ended> {
        let received = self.system.receive(time, self.executor.stop());
        self.observe(received)
    }

    /// The output that was received, if it was one and the model allows it.
    fn observe(&mut self, received: Received) -> Result<Option<(usize, Vec<Value>)>, Ended> {
        let unclear = |reason: String| Err(Ended::Unclear(reason));
        let (name, values) = match received {
            Received::Quiet => return Ok(None),
            Received::Stopped => return Err(Undecided::Stopped.into()),
            Received::Ended(how) => return unclear(how.to_string()),
            Received::Malformed(line) => {
                return unclear(format!("the system sent what is no message: {line}"));
            }
            Received::Message { channel, values } => (channel, values),
        };
        let model = self.executor.model;
        let shown = Json::Array(values.clone()).to_string();
        let Some(channel) = model.channel(&name) else {
            return unclear(format!(
                "the system sent {shown} on `{name}`, which is no channel of the model"
            ));
        };
        let values = match leaves(model, channel, &values) {
            Ok(values) => values,
            Err(error) => return unclear(format!("the system sent {shown}: {error}")),
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
                self.check_stop()?;
                let expected = match expected.is_empty() {
                    true => "nothing".to_owned(),
                    false => expected.join(" or "),
                };
                let reason = format!("{name}({text}) came; the model expects {expected}");
                Err(Ended::Failed(reason))
            }
            Allowed::Unknown(reason) => Err(reason.into()),
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
}
