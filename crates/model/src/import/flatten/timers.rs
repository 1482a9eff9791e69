//! Events that come after some time. Each has a clock, which begins when it is sent; where one is
//! under way, time passes until it is due. What a chart does by itself takes no time.

use super::super::chart::{Content, Delayed, Recipient};
use super::super::draft::{Action, HASTE, NO_TIME, Payload, conjunction};
use super::super::post::Said;
use super::super::script::CHOSEN;
use super::configuration::{Origin, Queued, Timer};
use super::content::{Stop, field_of};
use super::{Cursor, Flattening, Occurring, Situation};

/// Events of one kind that may be under way at once.
const MOST: usize = 3;

/// As good as any time, in seconds.
const EVER: &str = "1000000000";

impl Flattening {
    /// Whether something comes after some time.
    pub(super) fn is_timed(&self) -> bool {
        let contents = self.chart.contents();
        contents.iter().any(|it| match it {
            Content::Delay(_) => true,
            Content::Post(post) => !matches!(post.delay, Said::Nothing),
            _ => false,
        })
    }

    /// Sends an event that comes later.
    pub(super) fn delay(&mut self, path: &mut Cursor, delayed: &Delayed) -> Result<(), Stop> {
        let fields = self.kept(path, &delayed.event, &delayed.values)?;
        let session = path.session;
        let timers = &mut path.situation.timers;
        let is_taken = |slot: &usize| {
            let mut known = timers.iter();
            known.any(|it| it.number == delayed.number && it.slot == *slot)
        };
        let Some(slot) = (0..MOST).find(|slot| !is_taken(slot)) else {
            let what = format!("more than {MOST} `{}` under way at once", delayed.event);
            self.refuse(what);
            return Err(Stop::Refused);
        };
        // A name that the platform chooses is another one each time.
        let is_named_twice = |it: &Timer| it.id.is_some() && it.id == delayed.id;
        if delayed.id.as_ref().is_some_and(|id| id.starts_with(CHOSEN))
            && timers.iter().any(is_named_twice)
        {
            let what = format!("two `{}` under way with `idlocation`", delayed.event);
            self.refuse(what);
            return Err(Stop::Refused);
        }
        let timer = Timer {
            number: delayed.number,
            slot,
            id: delayed.id.clone(),
            queued: Queued {
                event: delayed.event.clone(),
                fields,
                origin: Origin::External,
                id: delayed.id.clone(),
                session,
                sender: session,
                invoke: None,
            },
            millis: delayed.millis,
            to: delayed.to.clone(),
        };
        let clock = timer.clock();
        path.arrow.assignments.push(format!("{clock} := 0"));
        if !self.draft.clocks.contains(&clock) {
            self.draft.clocks.push(clock);
        }
        path.situation.timers.push(timer);
        path.situation.timers.sort();
        Ok(())
    }

    /// What happens when an event is due, where the chart does nothing by itself.
    pub(super) fn fire(&mut self, idle: &Cursor) {
        for number in 0..idle.situation.timers.len() {
            let mut next = idle.clone();
            let timer = next.situation.timers.remove(number);
            if timer.queued.sender != idle.session {
                continue;
            }
            let due = format!("{} >= {}", timer.clock(), timer.seconds());
            next.arrow.guards.push(due);
            match timer.to {
                Recipient::Itself => {
                    next.event = Some(Occurring::Own(timer.queued));
                    self.handle(next);
                    continue;
                }
                Recipient::Session(to) if self.is_session(&next, &to) => {
                    self.deliver(&mut next, &to, timer.queued);
                    self.arrive(next);
                    continue;
                }
                Recipient::Session(_) | Recipient::Outside => {}
            }
            let Queued { event, fields, .. } = timer.queued;
            let variables = fields.iter().map(|field| field_of(&event, field));
            let values: Vec<String> = variables.collect();
            let payload = values.iter().map(|variable| Payload {
                ty: self.type_of(variable).unwrap_or("Int"),
                variable: String::new(),
            });
            let payload: Vec<Payload> = payload.collect();
            let channel = self.draft.channel(&event);
            if channel.values.is_empty() {
                channel.values = payload;
            }
            let channel = channel.name.clone();
            next.arrow.action = Action::Output { channel, values };
            self.arrive(next);
        }
    }

    /// Whether the chart may go on by itself from here, which takes no time.
    pub(super) fn may_hurry(&self, situation: &Situation) -> bool {
        let mut active = situation.active.iter().map(|&it| &self.chart.states[it]);
        !self.draft.clocks.is_empty()
            && !self.is_over(situation)
            && (situation.is_busy()
                || active.any(|state| state.transitions.iter().any(|it| it.events.is_empty())))
    }

    /// Says how long the chart stays in a situation, from the paths on which each of its sessions
    /// does nothing by itself.
    pub(super) fn limit(&mut self, situation: &Situation, sessions: &[Vec<Cursor>]) {
        let state = self.names[situation].clone();
        let may_hurry = self.may_hurry(situation);
        for idle in sessions.iter().filter(|_| may_hurry) {
            let is_free = idle.iter().any(|it| it.arrow.guards.is_empty());
            let conditions = idle.iter().map(|it| conjunction(&it.arrow.guards));
            let conditions: Vec<String> = conditions.map(|it| format!("({it})")).collect();
            let limit = match (situation.is_busy() || idle.is_empty(), is_free) {
                (true, _) => Some(NO_TIME.to_owned()),
                (false, true) => None,
                (false, false) => {
                    let condition = conditions.join(" or ");
                    Some(format!("{HASTE} <= (if {condition} then {EVER} else 0)"))
                }
            };
            let limit = limit.map(|limit| (state.clone(), limit));
            let is_new = |it: &(String, String)| !self.draft.limits.contains(it);
            let limit = limit.filter(is_new);
            self.draft.limits.extend(limit);
        }
        for timer in &situation.timers {
            let limit = format!("{} <= {}", timer.clock(), timer.seconds());
            self.draft.limits.push((state.clone(), limit));
        }
    }
}

impl Timer {
    fn clock(&self) -> String {
        match self.slot {
            0 => format!("timer_{}", self.number),
            slot => format!("timer_{}_{slot}", self.number),
        }
    }

    fn seconds(&self) -> String {
        format!("{}.{:03}", self.millis / 1000, self.millis % 1000)
    }
}
