//! One exchange between tester and system.

use super::Tested;
use crate::execution::{Executor, SymbolicState};
use crate::model::Model;
use crate::observer::{Allowed, Observer};
use crate::render::{message_text, payload_json, payload_text};
use crate::system::{Ending, Received, SendError, System};
use crate::testcase::{TestCase, TestEvent, TestStep, leaves};
use crate::undecided::Undecided;
use serde_json::Value as Json;
use std::os::unix::process::ExitStatusExt;
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
    tested: &'a Tested,
    /// Until when the system may be starting.
    starting: Option<Instant>,
    /// Whether it has sent something.
    has_spoken: bool,
    pub trace: Vec<String>,
    /// Lines that are no messages.
    pub log: Vec<String>,
    /// How the system ended, if it did without going wrong.
    ending: Option<Ending>,
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

impl Ended {
    /// The same with the line of a log it is about.
    pub fn at(self, line: usize) -> Ended {
        let placed = |reason: String| format!("line {line}: {reason}");
        match self {
            Ended::Failed(reason) => Ended::Failed(placed(reason)),
            Ended::Diverged(reason) => Ended::Diverged(placed(reason)),
            Ended::Unclear(reason) => Ended::Unclear(placed(reason)),
        }
    }
}

impl From<Undecided> for Ended {
    fn from(reason: Undecided) -> Ended {
        Ended::Unclear(reason.to_string())
    }
}

const ANOTHER_WAY: &str = "the model allows what the system did, but the test goes another way";

impl<'a, 'm, 'f> Session<'a, 'm, 'f> {
    pub fn new(
        executor: &'a mut Executor<'m, 'f>,
        system: System,
        observer: Observer,
        tested: &'a Tested,
    ) -> Session<'a, 'm, 'f> {
        Session {
            executor,
            system,
            observer,
            starting: Instant::now().checked_add(tested.ready),
            has_spoken: false,
            tested,
            trace: Vec::new(),
            log: Vec::new(),
            ending: None,
            last_input: None,
        }
    }

    /// Carries a test through.
    pub fn test(&mut self, test: &TestCase) -> Result<(), Ended> {
        let mut intended = self.executor.initial();
        for step in &test.steps {
            let (mut in_step, mut observed) = (true, Vec::new());
            match &step.event {
                TestEvent::Internal => {}
                TestEvent::Input { channel, values } => {
                    in_step = self.send(*channel, values)? == 0;
                    observed = values.clone();
                }
                TestEvent::Output { channel, .. } => {
                    let (received, values) = self.expect()?;
                    in_step = received == *channel;
                    observed = values;
                }
                TestEvent::Silence { .. } => in_step = self.silence()?,
            }
            let after = match in_step {
                true => self.follow(&intended, step, &observed)?,
                false => None,
            };
            let Some(after) = after else {
                self.check_stop()?;
                return Err(Ended::Diverged(ANOTHER_WAY.to_owned()));
            };
            intended = after;
            self.compare(&step.event, &observed)?;
        }
        match test.steps.last().map(|step| &step.event) {
            Some(TestEvent::Output { .. }) => self.drain(self.tested.timeout / AFTER).map(|_| ()),
            Some(TestEvent::Input { .. } | TestEvent::Internal) => self.silence().map(|_| ()),
            Some(TestEvent::Silence { .. }) | None => Ok(()),
        }
    }

    /// Closes the system's input when everything went well: a system that crashes then,
    /// or has crashed unnoticed, did not go well.
    pub fn finish(&mut self) -> Result<(), Ended> {
        let status = self.system.close(self.tested.timeout / AFTER);
        match status.filter(|status| status.signal().is_some()) {
            Some(status) => Err(Ended::Failed(format!(
                "the system ended with {status} after the last step"
            ))),
            None => Ok(()),
        }
    }

    /// Ends the system; gives what it wrote to standard error.
    pub fn end(&mut self) -> String {
        self.system.end()
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

    /// Waits whether the system is silent; false if it sent what the model allows
    /// instead.
    pub fn silence(&mut self) -> Result<bool, Ended> {
        if self.receive(self.patience())?.is_some() {
            return Ok(false);
        }
        if let Some(ending) = self.ending.as_ref().filter(|_| !self.has_spoken) {
            return Err(self.gone(ending, ""));
        }
        self.trace.push("silence".to_owned());
        self.last_input = None;
        match self.observer.silence(self.executor) {
            Allowed::Yes => Ok(true),
            Allowed::No => Err(self.missing_output()),
            Allowed::Unknown(reason) => Err(reason.into()),
        }
    }

    /// How long a silence has to be to count.
    pub fn patience(&self) -> Duration {
        let starting = self.starting.filter(|_| !self.has_spoken);
        let left = starting.map(|until| until.saturating_duration_since(Instant::now()));
        self.tested.timeout.max(left.unwrap_or_default())
    }

    /// The failure of a system that is silent where the model has it send.
    fn missing_output(&mut self) -> Ended {
        let expected = self.observer.expected(self.executor).join(" or ");
        match &self.ending {
            Some(ending) => self.gone(ending, &format!("does not send {expected}")),
            None => Ended::Failed(format!(
                "nothing came within {:?}; the model expects {expected}",
                self.tested.timeout
            )),
        }
    }

    /// What it means that the system ended and no longer does what the model has it do.
    /// One that never said anything may not have been started as it should be, unless it
    /// crashed.
    fn gone(&self, ending: &Ending, what: &str) -> Ended {
        match self.has_spoken || ending.is_crash() {
            true => Ended::Failed(format!("{ending}, and {what}")),
            false => Ended::Unclear(ending.to_string()),
        }
    }

    /// The state that the test is in, if the system follows it.
    fn follow(
        &mut self,
        state: &SymbolicState,
        step: &TestStep,
        observed: &[Value],
    ) -> Result<Option<SymbolicState>, Ended> {
        let (given, output) = match &step.event {
            TestEvent::Input { .. } => (Some(observed), &[][..]),
            TestEvent::Output { .. } => (None, observed),
            TestEvent::Internal | TestEvent::Silence { .. } => (None, &[][..]),
        };
        let Some(step) = step.step else {
            return Ok(self.observer.settle(self.executor, state)?);
        };
        let after = self
            .observer
            .follow(self.executor, state, step, given, output);
        Ok(after?)
    }

    /// Sends a message; gives how many came before it, which are observed before.
    pub fn send(&mut self, channel: usize, values: &[Value]) -> Result<usize, Ended> {
        let before = self.drain(Duration::ZERO)?;
        let it = &self.executor.model.channels[channel];
        let (name, text) = (it.name.clone(), payload_text(&it.payload, values));
        let json = payload_json(&it.payload, values);
        self.trace.push(format!("{name}?({text})"));
        let (timeout, stop) = (self.patience(), self.executor.stop());
        let sent = self.system.send(&name, &json, timeout, stop);
        sent.map_err(|error| match error {
            SendError::Ended(ending) => self.gone(&ending, &format!("takes no {name}({text})")),
            SendError::Closed(_) => self.gone(&Ending::Closed, &format!("takes no {name}({text})")),
            SendError::Slow(_) | SendError::Codec(_) | SendError::Stopped => {
                Ended::Unclear(error.to_string())
            }
        })?;
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
        if let Some(received) = self.receive(self.patience())? {
            return Ok(received);
        }
        self.trace.push("silence".to_owned());
        Err(match self.observer.quiescence(self.executor) {
            Allowed::Yes => {
                let beside = self.observer.expected(self.executor).join(" or ");
                let silent = match &self.ending {
                    Some(ending) => format!("{ending}, and the model allows silence"),
                    None => "the system is silent, which the model allows".to_owned(),
                };
                Ended::Diverged(match beside.is_empty() {
                    true => silent,
                    false => format!("{silent} beside {beside}"),
                })
            }
            Allowed::No => self.missing_output(),
            Allowed::Unknown(reason) => reason.into(),
        })
    }

    /// Observes what comes within some time without being waited for; gives how many
    /// messages it was.
    pub fn drain(&mut self, time: Duration) -> Result<usize, Ended> {
        // A time too long to add is as good as none.
        let deadline = Instant::now().checked_add(time);
        for count in 0..BURST {
            let left = deadline.map_or(time, |it| it.saturating_duration_since(Instant::now()));
            if self.receive(left)?.is_none() {
                return Ok(count);
            }
        }
        Ok(BURST)
    }

    /// An output, if one comes in time. A system may end when its work is done; whether
    /// it was is for the model to say.
    pub fn receive(&mut self, time: Duration) -> Result<Option<(usize, Vec<Value>)>, Ended> {
        // A time too long to add is as good as none.
        let deadline = Instant::now().checked_add(time);
        loop {
            let left = deadline.map_or(time, |it| it.saturating_duration_since(Instant::now()));
            let (channel, values) = match self.system.receive(left, self.executor.stop()) {
                Received::Quiet => return Ok(None),
                Received::Stopped => return Err(Undecided::Stopped.into()),
                Received::Ended(ending) if ending.is_crash() => {
                    return Err(Ended::Failed(ending.to_string()));
                }
                Received::Ended(ending) => {
                    self.ending = Some(ending);
                    return Ok(None);
                }
                Received::Malformed(line) if self.tested.is_strict => {
                    let reason = format!("the system sent what is no message: {line}");
                    return Err(Ended::Failed(reason));
                }
                Received::Malformed(line) => {
                    self.log.push(line);
                    continue;
                }
                Received::Message { channel, values } => (channel, values),
            };
            self.has_spoken = true;
            return self.observe(&channel, &values).map(Some);
        }
    }

    /// The output that was received, if it was one and the model allows it.
    fn observe(&mut self, name: &str, values: &[Json]) -> Result<(usize, Vec<Value>), Ended> {
        let (executor, observer) = (&mut *self.executor, &mut self.observer);
        match judge(executor, observer, name, values, &mut self.trace) {
            Ok(output) => {
                self.last_input = None;
                Ok(output)
            }
            Err(Ended::Failed(reason)) => {
                self.check_stop()?;
                match decoded(self.executor.model, name, values) {
                    Ok((channel, values)) if self.crossed(channel, &values) => {
                        Ok((channel, values))
                    }
                    Ok(_) | Err(_) => Err(Ended::Failed(reason)),
                }
            }
            Err(other) => Err(other),
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

/// The channel and the values of a message that came.
fn decoded(model: &Model, name: &str, values: &[Json]) -> Result<(usize, Vec<Value>), Ended> {
    let shown = || Json::Array(values.to_vec()).to_string();
    let Some(channel) = model.channel(name) else {
        return Err(Ended::Failed(format!(
            "the system sent {} on `{name}`, which is no channel of the model",
            shown()
        )));
    };
    match leaves(model, channel, values) {
        Ok(values) => Ok((channel, values)),
        Err(error) => Err(Ended::Failed(format!(
            "the system sent {}: {error}",
            shown()
        ))),
    }
}

/// The output that came, if the model allows it.
pub(super) fn judge(
    executor: &mut Executor<'_, '_>,
    observer: &mut Observer,
    name: &str,
    values: &[Json],
    trace: &mut Vec<String>,
) -> Result<(usize, Vec<Value>), Ended> {
    let model = executor.model;
    let decoded = decoded(model, name, values);
    let text = match &decoded {
        Ok((channel, values)) => payload_text(&model.channels[*channel].payload, values),
        Err(_) => values
            .iter()
            .map(Json::to_string)
            .collect::<Vec<_>>()
            .join(", "),
    };
    trace.push(format!("{name}!({text})"));
    let (channel, values) = decoded?;
    match observer.output(executor, channel, &values) {
        Allowed::Yes => Ok((channel, values)),
        Allowed::No => {
            let expected = match &observer.expected(executor)[..] {
                [] => "nothing".to_owned(),
                outputs => outputs.join(" or "),
            };
            let reason = format!("{name}({text}) came; the model expects {expected}");
            Err(Ended::Failed(reason))
        }
        Allowed::Unknown(reason) => Err(reason.into()),
    }
}
