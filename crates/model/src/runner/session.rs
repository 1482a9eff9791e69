//! One exchange between tester and system.

use super::Tested;
use super::clock::{Bounds, Clock, duration, shown};
use super::crossing::{Crossing, Exchanged};
use super::timing::{mistimed, overdue};
use crate::execution::{Executor, SymbolicState};
use crate::model::{DELAY, Model};
use crate::observer::{Allowed, Observer};
use crate::output::either;
use crate::render::{message_text, payload_json, payload_text};
use crate::system::{Ending, Received, SendError, System};
use crate::testcase::{TestCase, TestEvent, TestStep, is_answered, leaves};
use crate::types::Type;
use crate::undecided::Undecided;
use num_rational::BigRational;
use num_traits::Zero;
use serde_json::Value as Json;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};
use term::Value;

/// After the last step of a test, silence for this part of the timeout shows that
/// the system sent nothing it was not asked for.
pub(super) const AFTER: u32 = 10;

/// How many messages are read in one go, so that a system that never falls silent
/// does not keep the tester from sending.
const BURST: usize = 1000;

/// How often a silence is prolonged by the time that the system had work: one that always computes
/// is silent in the end.
const PROLONGED: usize = 8;

/// Less than this is no work that an answer could come of.
const WORK: Duration = Duration::from_millis(5);

/// Inputs that are given to a system although its test went another way.
const ANYWAY: usize = 20;

/// How long a message is waited for.
#[derive(Clone, Copy)]
pub(super) enum Wait {
    /// So long by the clock.
    Exactly(Duration),
    /// So long, not counting the time that the system had work.
    Fairly(Duration),
}

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
    /// What may have crossed on its way.
    crossing: Crossing,
    clock: Clock,
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
        let clock = Clock::new(executor.model, tested);
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
            crossing: Crossing::default(),
            clock,
        }
    }

    /// Carries a test through.
    pub fn test(&mut self, test: &TestCase) -> Result<(), Ended> {
        // With clocks, the system chooses when it sends; what it may send then is for the
        // observer alone to say.
        let is_timed = self.executor.model.time.is_some();
        let mut intended = (!is_timed).then(|| self.executor.initial());
        let mut due = Duration::ZERO;
        for (number, step) in test.steps.iter().enumerate() {
            let (mut in_step, mut observed) = (true, Vec::new());
            match &step.event {
                TestEvent::Internal => {}
                TestEvent::Input { channel, values } => {
                    in_step = match self.delay_of(*channel, values) {
                        Some(time) if is_answered(&test.steps[number + 1..]) => {
                            self.begin_delay(&time, &mut due)? == 0
                        }
                        Some(time) => self.delay(&time)? == 0,
                        None => self.send(*channel, values)? == 0,
                    };
                    observed = values.clone();
                }
                TestEvent::Output { channel, .. } => match self.expect(std::mem::take(&mut due)) {
                    Ok((received, values)) => {
                        in_step = received == *channel;
                        observed = values;
                    }
                    Err(Ended::Diverged(reason)) => {
                        return Err(self.diverged(reason, &test.steps[number..]));
                    }
                    Err(other) => return Err(other),
                },
                TestEvent::Silence { .. } => in_step = self.silence()?,
            }
            if let Some(state) = intended.as_mut().filter(|_| in_step) {
                let after = self.follow(state, step, &observed)?;
                in_step = after.is_some();
                *state = after.unwrap_or_else(|| state.clone());
            }
            if !in_step {
                self.check_stop()?;
                return Err(self.diverged(ANOTHER_WAY.to_owned(), &test.steps[number + 1..]));
            }
            if !is_timed {
                self.compare(&step.event, &observed)?;
            }
        }
        match test.steps.last().map(|step| &step.event) {
            Some(TestEvent::Output { .. }) => self
                .drain(Wait::Fairly(self.tested.timeout / AFTER))
                .map(|_| ()),
            Some(TestEvent::Input { channel, .. })
                if Some(*channel) == self.executor.model.time =>
            {
                Ok(())
            }
            Some(TestEvent::Input { .. } | TestEvent::Internal) => self.silence().map(|_| ()),
            Some(TestEvent::Silence { .. }) | None => Ok(()),
        }
    }

    /// How a test ends that went another way. The system is given the inputs that are left, as far
    /// as the model has them where it is now, since it may still do what the model does not allow.
    fn diverged(&mut self, reason: String, left: &[TestStep]) -> Ended {
        if self.ending.is_some() {
            return Ended::Diverged(reason);
        }
        match self.give(left) {
            Err(Ended::Failed(reason)) => Ended::Failed(reason),
            Ok(()) | Err(Ended::Diverged(_) | Ended::Unclear(_)) => Ended::Diverged(reason),
        }
    }

    /// Gives the system the inputs of these steps that the model has, each when the system waits.
    fn give(&mut self, steps: &[TestStep]) -> Result<(), Ended> {
        let mut given = 0;
        for step in steps {
            let TestEvent::Input { channel, values } = &step.event else {
                continue;
            };
            if given == ANYWAY {
                break;
            }
            self.check_stop()?;
            self.settle()?;
            // Time can always pass; what is due then is for the observer to say.
            let is_allowed = self.delay_of(*channel, values).is_some() || {
                let mut after = self.observer.clone();
                after.input(self.executor, *channel, values) == Allowed::Yes
            };
            if is_allowed {
                self.send(*channel, values)?;
                given += 1;
            }
        }
        // Where nothing was given, the test is over.
        match given {
            0 => Ok(()),
            _ => self.settle(),
        }
    }

    /// Lets the system say what it has to say; with clocks, what it says at once.
    fn settle(&mut self) -> Result<(), Ended> {
        if self.executor.model.time.is_some() {
            let wait = Wait::Fairly(self.tested.timeout / AFTER);
            return self.drain(wait).map(|_| ());
        }
        for _ in 0..BURST {
            if self.observer.foreseen(self.executor).is_empty() {
                return self.drain(Wait::Exactly(Duration::ZERO)).map(|_| ());
            }
            if self.silence()? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Closes the system's input when everything went well: a system that crashes then,
    /// or has crashed unnoticed, did not go well.
    pub fn finish(&mut self) -> Result<(), Ended> {
        let status = self.system.close(self.tested.timeout / AFTER);
        match status.filter(|status| was_killed(*status)) {
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
            open: None,
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
        if self.receive(Wait::Fairly(self.patience()))?.is_some() {
            return Ok(false);
        }
        if let Some(ending) = self.ending.as_ref().filter(|_| !self.has_spoken) {
            return Err(self.gone(ending, ""));
        }
        self.pass_until_now()?;
        self.trace.push("silence".to_owned());
        match self.be_silent() {
            Allowed::Yes => Ok(true),
            Allowed::No => Err(self.missing_output()),
            Allowed::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Observes silence, if the model allows it after what was exchanged, in whatever order
    /// that arrived. With clocks only the last inputs are remembered, which have no other order,
    /// and time has passed since.
    fn be_silent(&mut self) -> Allowed {
        let mut allowed = self.observer.silence(self.executor);
        if allowed == Allowed::No && self.executor.model.time.is_none() {
            match self.crossing.reordered(self.executor, None) {
                Ok(Some(mut other)) => {
                    allowed = other.silence(self.executor);
                    if allowed == Allowed::Yes {
                        self.observer = other;
                    }
                }
                Ok(None) => {}
                Err(reason) => return Allowed::Unknown(reason),
            }
        }
        if allowed == Allowed::Yes {
            self.crossing.settle();
        }
        allowed
    }

    /// How long a silence has to be to count.
    pub fn patience(&self) -> Duration {
        let starting = self.starting.filter(|_| !self.has_spoken);
        let left = starting.map(|until| until.saturating_duration_since(Instant::now()));
        self.tested.timeout.max(left.unwrap_or_default())
    }

    /// The failure of a system that is silent where the model has it send.
    fn missing_output(&mut self) -> Ended {
        let expected = either(self.executor.model, &self.observer.foreseen(self.executor));
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
        if let Some(time) = self.delay_of(channel, values) {
            return self.delay(&time);
        }
        let before = self.drain(Wait::Exactly(Duration::ZERO))?;
        self.pass_until_now()?;
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
                self.note(known, true, channel, values);
                Ok(before)
            }
            Allowed::No => {
                let reason = format!("the model has no input {name}({text}) here");
                Err(Ended::Unclear(reason))
            }
            Allowed::Unknown(reason) => Err(reason.into()),
        }
    }

    /// How much time the step lets pass, if that is what it does.
    fn delay_of(&self, channel: usize, values: &[Value]) -> Option<BigRational> {
        match values {
            [Value::Real(time)] if Some(channel) == self.executor.model.time => Some(time.clone()),
            _ => None,
        }
    }

    /// Lets time pass; gives how many messages came meanwhile.
    fn delay(&mut self, time: &BigRational) -> Result<usize, Ended> {
        let mut wait = Duration::ZERO;
        let early = self.begin_delay(time, &mut wait)?;
        let wait = match self.clock {
            Clock::Simulated { .. } => Wait::Fairly(self.tested.timeout / AFTER),
            Clock::Absent | Clock::Real { .. } => Wait::Exactly(self.clock.left_of(wait)),
        };
        let came = self.drain(wait)?;
        self.pass_until_now()?;
        Ok(early + came)
    }

    /// Begins a delay: a system with simulated time is told so, and for real time `due` says
    /// how long it takes. A simulated delay in which the system may send something is told in
    /// two parts, the first of which ends before it may: what comes in one delay could have been
    /// sent at any time of it, and so it shows if it was too early. Gives how many messages came
    /// in the first part.
    fn begin_delay(&mut self, time: &BigRational, due: &mut Duration) -> Result<usize, Ended> {
        self.crossing.wait();
        let Clock::Simulated { to, .. } = &self.clock else {
            *due = due.saturating_add(duration(time));
            return Ok(0);
        };
        let from = to.clone();
        self.pass_until_now()?;
        let quiet = self.observer.quiet_part(self.executor, &from, time);
        let mut early = 0;
        if !quiet.is_zero() && quiet != *time {
            self.tell_delay(&quiet)?;
            early = self.drain(Wait::Fairly(self.tested.timeout / AFTER))?;
            self.pass_until_now()?;
            self.tell_delay(&(time - quiet))?;
        } else {
            self.tell_delay(time)?;
        }
        Ok(early)
    }

    /// Tells a system with simulated time how much of it passes.
    fn tell_delay(&mut self, time: &BigRational) -> Result<(), Ended> {
        let json = payload_json(&[Type::Real], &[Value::Real(time.clone())]);
        self.trace.push(format!("{DELAY}?({})", shown(time)));
        let (timeout, stop) = (self.patience(), self.executor.stop());
        let sent = self.system.send(DELAY, &json, timeout, stop);
        sent.map_err(|error| Ended::Unclear(error.to_string()))?;
        if let Clock::Simulated { to, .. } = &mut self.clock {
            *to += time;
        }
        Ok(())
    }

    fn pass_until_now(&mut self) -> Result<(), Ended> {
        let now = self.clock.of_tester();
        self.pass(now)
    }

    /// Time has passed without a message; the system fails if it should have sent one.
    fn pass(&mut self, now: Option<Bounds>) -> Result<(), Ended> {
        let Some((earliest, latest)) = now else {
            return Ok(());
        };
        if let Clock::Real { .. } = self.clock {
            let middle = (&earliest + &latest) / BigRational::from_integer(2.into());
            self.trace.push(format!("at {} s", shown(&middle)));
        }
        let before = self.observer.clone();
        match self.observer.advance(self.executor, &earliest, &latest) {
            Allowed::Yes => Ok(()),
            Allowed::No => {
                self.check_stop()?;
                self.observer = before;
                let reason = overdue(self.executor, &mut self.observer, &latest);
                Err(Ended::Failed(reason))
            }
            Allowed::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Waits for an output that the model allows, which is due after some time.
    fn expect(&mut self, due: Duration) -> Result<(usize, Vec<Value>), Ended> {
        let patience = self.patience().saturating_add(self.clock.left_of(due));
        if let Some(received) = self.receive(Wait::Fairly(patience))? {
            return Ok(received);
        }
        self.pass_until_now()?;
        self.trace.push("silence".to_owned());
        let beside = either(self.executor.model, &self.observer.foreseen(self.executor));
        Err(match self.be_silent() {
            Allowed::Yes => {
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
    pub fn drain(&mut self, wait: Wait) -> Result<usize, Ended> {
        let (Wait::Exactly(time) | Wait::Fairly(time)) = wait;
        // A time too long to add is as good as none.
        let deadline = Instant::now().checked_add(time);
        for count in 0..BURST {
            let left = deadline.map_or(time, |it| it.saturating_duration_since(Instant::now()));
            let wait = match wait {
                Wait::Exactly(_) => Wait::Exactly(left),
                Wait::Fairly(_) => Wait::Fairly(left),
            };
            if self.receive(wait)?.is_none() {
                return Ok(count);
            }
        }
        Ok(BURST)
    }

    /// An output, if one comes in time.
    pub fn receive(&mut self, wait: Wait) -> Result<Option<(usize, Vec<Value>)>, Ended> {
        let time = match wait {
            Wait::Exactly(time) => return self.receive_within(time),
            Wait::Fairly(time) => time,
        };
        let (mut left, mut granted) = (time, Duration::ZERO);
        for _ in 0..PROLONGED {
            let received = self.receive_within(left)?;
            if received.is_some() || self.ending.is_some() {
                return Ok(received);
            }
            // Threads wait side by side, so their sum may be longer than all the time there was.
            let worked = self.system.worked_so_far().saturating_sub(granted);
            if worked < WORK {
                return Ok(None);
            }
            left = worked.min(time);
            granted = granted.saturating_add(worked);
        }
        Ok(None)
    }

    /// An output, if one comes in this time by the clock. A system may end when its work is done;
    /// whether it was is for the model to say.
    fn receive_within(&mut self, time: Duration) -> Result<Option<(usize, Vec<Value>)>, Ended> {
        // A time too long to add is as good as none.
        let deadline = Instant::now().checked_add(time);
        loop {
            let left = deadline.map_or(time, |it| it.saturating_duration_since(Instant::now()));
            let (channel, values, at) = match self.system.receive(left, self.executor.stop()) {
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
                Received::Message {
                    channel,
                    values,
                    at,
                } => (channel, values, at),
            };
            self.has_spoken = true;
            let now = match self.clock {
                Clock::Real { .. } => self.clock.of_output(at, self.system.worked()),
                Clock::Absent | Clock::Simulated { .. } => self.clock.of_output(at, Duration::ZERO),
            };
            let before = now.as_ref().map(|_| self.observer.clone());
            let passed = self.pass(now.clone());
            if let Err(Ended::Failed(_)) = &passed {
                let text = received_text(self.executor.model, &channel, &values);
                self.trace.push(format!("{channel}!({text})"));
            }
            let output = passed.and_then(|()| self.observe(&channel, &values));
            let (Err(Ended::Failed(reason)), Some(came), Some(before)) = (&output, &now, &before)
            else {
                return output.map(Some);
            };
            let mistimed = mistimed(self.executor, before, came, &channel, &values);
            return Err(Ended::Failed(mistimed.unwrap_or_else(|| reason.clone())));
        }
    }

    /// The output that was received, if it was one and the model allows it.
    fn observe(&mut self, name: &str, values: &[Json]) -> Result<(usize, Vec<Value>), Ended> {
        let known = self.observer.clone();
        let (executor, observer) = (&mut *self.executor, &mut self.observer);
        let judged = judge(executor, observer, name, values, &mut self.trace);
        let (channel, values) = match judged {
            Ok(output) => output,
            Err(Ended::Failed(reason)) => {
                self.check_stop()?;
                let failed = Ended::Failed(reason);
                match decoded(self.executor.model, name, values) {
                    Ok((channel, values)) => self.crossed(channel, values, failed)?,
                    Err(_) => return Err(failed),
                }
            }
            Err(other) => return Err(other),
        };
        self.note(known, false, channel, &values);
        Ok((channel, values))
    }

    /// An output that the model does not allow now, if it was under way while inputs were sent
    /// and the model allows that; it is then observed so.
    fn crossed(
        &mut self,
        channel: usize,
        values: Vec<Value>,
        failed: Ended,
    ) -> Result<(usize, Vec<Value>), Ended> {
        let last = Exchanged {
            is_input: false,
            channel,
            values,
        };
        match self.crossing.reordered(self.executor, Some(&last))? {
            Some(observer) => {
                self.observer = observer;
                Ok((channel, last.values))
            }
            None => Err(failed),
        }
    }

    /// Remembers a message that others may have crossed. With clocks those are the last inputs
    /// alone, since an output has its time.
    fn note(&mut self, known: Observer, is_input: bool, channel: usize, values: &[Value]) {
        if self.executor.model.time.is_some() && !is_input {
            return self.crossing.settle();
        }
        let values = values.to_vec();
        let message = Exchanged {
            is_input,
            channel,
            values,
        };
        self.crossing.note(known, message);
    }
}

/// Whether a signal ended the process, or one that a shell ran for it: shells add 128 to the
/// number of the signal, and there are 64. What is above, such as the 255 of `exit(-1)`, is a
/// status like any other.
fn was_killed(status: ExitStatus) -> bool {
    let is_signal = |code: i32| (129..=192).contains(&code);
    status.signal().is_some() || status.code().is_some_and(is_signal)
}

/// The channel and the values of a message that came.
pub(super) fn decoded(
    model: &Model,
    name: &str,
    values: &[Json],
) -> Result<(usize, Vec<Value>), Ended> {
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

/// The values of a message that came, for people.
pub(super) fn received_text(model: &Model, name: &str, values: &[Json]) -> String {
    match decoded(model, name, values) {
        Ok((channel, values)) => payload_text(&model.channels[channel].payload, &values),
        Err(_) => {
            let values: Vec<String> = values.iter().map(Json::to_string).collect();
            values.join(", ")
        }
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
    let text = received_text(model, name, values);
    trace.push(format!("{name}!({text})"));
    let (channel, values) = decoded(model, name, values)?;
    match observer.output(executor, channel, &values) {
        Allowed::Yes => Ok((channel, values)),
        Allowed::No => {
            let expected = match &observer.foreseen(executor)[..] {
                [] => "nothing".to_owned(),
                outputs => either(model, outputs),
            };
            let reason = format!("{name}({text}) came; the model expects {expected}");
            Err(Ended::Failed(reason))
        }
        Allowed::Unknown(reason) => Err(reason.into()),
    }
}
