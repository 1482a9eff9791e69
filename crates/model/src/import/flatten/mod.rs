//! Charts without their hierarchy: the automaton of all configurations.
//!
//! The chart is run beforehand, as the algorithm of SCXML's specification (appendix D) has
//! it, with conditions left open: a state of the model is a configuration, what histories
//! remember, the events that wait in the queues and those that come after some time. Each choice between transitions becomes
//! a transition of its own, whose guard says that it is made. An event for which no
//! transition holds is not part of the model.

mod configuration;
mod content;
mod knowledge;
mod sessions;
mod timers;

use super::chart::{Chart, Content, Datum, Kind, Recipient, Transition, matches};
use super::draft::{AT_ONCE, HASTE, NO_TIME, Payload, conjunction};
use super::post::Said;
use super::script::{self, Written, both, negated};
use super::{Action, Arrow, Declared, Draft, ImportError, Imported, name};
use configuration::{Origin, Queued, Situation};
use content::Stop;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// States of a model that one would still look at.
const MOST_STATES: usize = 1000;
/// Transitions of such a model.
const MOST_ARROWS: usize = 10_000;

/// The model of a chart.
pub(super) fn flatten(chart: Chart) -> Result<Imported, ImportError> {
    let followed = knowledge::followed(&chart);
    let first = flattened_following(&chart, &followed);
    // Where events come later, what never ends for any values may end for those that the chart
    // itself counts.
    let determined = knowledge::determined(&chart);
    let contents = chart.contents();
    let mut contents = contents.iter();
    let is_timed = contents.any(|it| matches!(it, super::chart::Content::Delay(_)));
    if first.is_ok() || !is_timed || determined.is_subset(&followed) {
        return first;
    }
    let followed = followed.union(&determined).cloned().collect();
    flattened_following(&chart, &followed).or(first)
}

/// The model, where the values of these variables are followed.
fn flattened_following(
    chart: &Chart,
    followed: &FxHashSet<String>,
) -> Result<Imported, ImportError> {
    // Which events the chart sends itself is known in the end, where their names are computed;
    // those are not inputs.
    let mut own = FxHashSet::default();
    loop {
        let (result, sent) = flattened(chart.clone(), followed.clone(), own.clone());
        if sent.is_subset(&own) {
            return result;
        }
        own.extend(sent);
    }
}

/// The model, where these events with computed names are the chart's own, and those that it sent.
fn flattened(
    mut chart: Chart,
    followed: FxHashSet<String>,
    own: FxHashSet<String>,
) -> (Result<Imported, ImportError>, FxHashSet<String>) {
    let draft = Draft {
        title: chart.title.clone(),
        refused: std::mem::take(&mut chart.refused),
        notes: std::mem::take(&mut chart.notes),
        ..Draft::default()
    };
    let flattening = Flattening {
        followed,
        followed_data: Vec::new(),
        own,
        sent: FxHashSet::default(),
        chart,
        draft,
        names: FxHashMap::default(),
        waiting: VecDeque::new(),
        inputs: FxHashSet::default(),
    };
    flattening.run()
}

/// An event that is handled.
#[derive(Clone)]
enum Occurring {
    Outside(String),
    Own(Queued),
}

/// A path of the chart on its way to arrows: where it is, and what it did since the last
/// state of the model.
#[derive(Clone, Default)]
struct Cursor {
    situation: Situation,
    arrow: Arrow,
    /// The root of the session that does something.
    session: usize,
    event: Option<Occurring>,
    /// Whether the rest of the block is left out, because of an error.
    is_broken: bool,
}

impl Cursor {
    /// The path where the condition holds; none if it never does.
    fn under(mut self, condition: &Written) -> Option<Cursor> {
        match condition.text.as_str() {
            "false" => return None,
            "true" => {}
            text => self.arrow.guards.push(text.to_owned()),
        }
        Some(self)
    }
}

struct Flattening {
    chart: Chart,
    draft: Draft,
    /// Variables whose values have to be known, and their declarations.
    followed: FxHashSet<String>,
    followed_data: Vec<Datum>,
    /// Events with computed names that the chart is known to send itself, and those that it sent.
    own: FxHashSet<String>,
    sent: FxHashSet<String>,
    /// The state of the model for each situation, and those that are to be looked at.
    names: FxHashMap<Situation, String>,
    waiting: VecDeque<Situation>,
    /// Variables that hold what comes with events, whose types are found out by their use.
    inputs: FxHashSet<String>,
}

/// Transitions that are taken together, by state and number, and when.
#[derive(Clone)]
struct Choice {
    condition: Written,
    taken: Vec<(usize, usize)>,
    /// Conditions that were decided on the way: a transition of a state around several
    /// active ones is considered once for each.
    decided: Vec<((usize, usize), bool)>,
    /// Whether some condition on the way was an error.
    is_wrong: bool,
}

impl Flattening {
    fn run(mut self) -> (Result<Imported, ImportError>, FxHashSet<String>) {
        self.declare_data();
        if self.is_timed() {
            self.draft.clocks.push(HASTE.to_owned());
        }
        self.draft.initial = self.start();
        while let Some(situation) = self.waiting.pop_front() {
            // What was refused already need not be followed.
            if !self.draft.refused.is_empty() {
                break;
            }
            if self.draft.states.len() > MOST_STATES || self.draft.arrows.len() > MOST_ARROWS {
                let what = format!("more than {MOST_STATES} configurations and queues");
                self.draft.refused.push(what);
            }
            self.expand(&situation);
        }
        (self.draft.finish(), self.sent)
    }

    fn declare_data(&mut self) {
        let mut earlier = Vec::new();
        for datum in std::mem::take(&mut self.chart.data) {
            if self.chart.is_ordered && self.followed.contains(&name(&datum.id)) {
                self.followed_data.push(datum);
                continue;
            }
            let (id, location) = (&datum.id, &datum.location);
            let Some(value) = datum.value else {
                let ty = self.type_by_use(id);
                let value = script::plain_value(ty).to_owned();
                let note = format!("{location}: the data {id} has no value: it begins as {value}");
                self.draft.notes.push(note);
                self.draft.declare(Declared {
                    name: name(id),
                    ty,
                    value,
                });
                continue;
            };
            match script::declared_after(id, &value, &earlier) {
                Ok((variable, constant)) => {
                    earlier.extend(constant.map(|it| (variable.name.clone(), it)));
                    self.draft.declare(variable);
                }
                Err(what) => {
                    let what = format!("{location}: the data {id}: it has {what}");
                    self.draft.refused.push(what);
                }
            }
        }
    }

    /// The type of the first constant that is assigned to data.
    fn type_by_use(&self, id: &str) -> &'static str {
        let contents = self.chart.contents().into_iter();
        let mut types = contents.filter_map(|content| match content {
            Content::Assign { location, value } if location == id => {
                script::declared(id, value).ok().map(|declared| declared.ty)
            }
            _ => None,
        });
        types.next().unwrap_or("Int")
    }

    fn type_of(&self, variable: &str) -> Option<&'static str> {
        let mut known = self.draft.variables.iter();
        let known = known.find(|known| known.name == variable)?;
        Some(known.ty)
    }

    /// A variable that comes with an event from outside.
    fn comes_with(&mut self, event: &str, variable: &str) {
        if !self.inputs.insert(variable.to_owned()) {
            return;
        }
        self.draft.declare(Declared {
            name: variable.to_owned(),
            ty: "Int",
            value: script::plain_value("Int").to_owned(),
        });
        self.draft.channel(event).values.push(Payload {
            ty: "Int",
            variable: variable.to_owned(),
        });
    }

    /// What comes with an event is of the type that it is used as.
    fn learn(&mut self, variable: &str, ty: &'static str) {
        if !self.inputs.contains(variable) {
            return;
        }
        for known in &mut self.draft.variables {
            if known.name == variable {
                known.ty = ty;
                known.value = script::plain_value(ty).to_owned();
            }
        }
        let payload = self.draft.channels.iter_mut().flat_map(|it| &mut it.values);
        for value in payload.filter(|value| value.variable == variable) {
            value.ty = ty;
        }
    }

    /// The state of the model where it begins, with what is done before.
    fn start(&mut self) -> String {
        let start = "start".to_owned();
        let begin = Cursor {
            situation: self.known_at_first(),
            arrow: Arrow {
                from: start.clone(),
                ..Arrow::default()
            },
            ..Cursor::default()
        };
        let scripts = self.chart.scripts.clone();
        let paths = self.execute_block(vec![begin], &scripts);
        let ends = self.enter_at_first(paths);
        if let [
            Cursor {
                situation, arrow, ..
            },
        ] = &ends[..]
            && !arrow.has_effects()
            && arrow.from == start
        {
            let situation = situation.clone();
            return self.state(&situation);
        }
        self.draft.states.insert(0, start.clone());
        if !self.draft.clocks.is_empty() {
            let limit = (start.clone(), NO_TIME.to_owned());
            self.draft.limits.push(limit);
        }
        for cursor in ends {
            self.arrive(cursor);
        }
        start
    }

    /// The state of the model for a situation.
    fn state(&mut self, situation: &Situation) -> String {
        if let Some(known) = self.names.get(situation) {
            return known.clone();
        }
        let active = situation
            .active
            .iter()
            .map(|&it| (it, &self.chart.states[it]));
        let atomic = active.filter(|(it, _)| self.chart.is_atomic(*it));
        let mut parts: Vec<String> = atomic.map(|(_, state)| state.id.clone()).collect();
        let queued = situation.internal.iter().chain(&situation.external);
        parts.extend(queued.map(|queued| format!("then {}", queued.event)));
        let state = self.draft.new_state(&name(&parts.join(" ")));
        self.names.insert(situation.clone(), state.clone());
        self.waiting.push_back(situation.clone());
        state
    }

    /// Ends a path of the chart in the state of the model for where it is.
    fn arrive(&mut self, cursor: Cursor) {
        let Cursor {
            mut situation,
            mut arrow,
            ..
        } = cursor;
        if self.is_over(&situation) {
            // What waits is never handled, and where it was does not matter.
            situation = Situation {
                active: situation.active,
                ..Situation::default()
            };
        }
        self.chart.forget(&mut situation);
        if self.may_hurry(&situation) {
            arrow.assignments.push(AT_ONCE.to_owned());
        }
        arrow.to = self.state(&situation);
        self.draft.arrows.push(arrow);
    }

    /// Whether the chart has come to its end.
    fn is_over(&self, situation: &Situation) -> bool {
        self.is_session_over(situation, 0)
    }

    /// Everything that can happen in a situation.
    fn expand(&mut self, situation: &Situation) {
        if self.is_over(situation) {
            return;
        }
        let cursor = Cursor {
            situation: situation.clone(),
            arrow: Arrow {
                from: self.names[situation].clone(),
                ..Arrow::default()
            },
            ..Cursor::default()
        };
        let mut sessions = Vec::new();
        for session in self.sessions(situation) {
            let cursor = Cursor {
                session,
                ..cursor.clone()
            };
            sessions.push(self.select(&cursor));
        }
        self.limit(situation, &sessions);
        for idle in sessions.into_iter().flatten() {
            self.go_on(&idle);
        }
        self.begin_children(&cursor);
    }

    /// Everything that can happen in a session that does nothing by itself.
    fn go_on(&mut self, idle: &Cursor) {
        let mut next = idle.clone();
        if let Some(queued) = next.situation.next_internal(next.session) {
            next.event = Some(Occurring::Own(queued));
            for ignored in self.select(&next) {
                self.arrive(ignored);
            }
            return;
        }
        if self.has_pending(&next) {
            for started in self.invoke_pending(next) {
                self.arrive(started);
            }
            return;
        }
        if let Some(queued) = next.situation.next_external(next.session) {
            next.event = Some(Occurring::Own(queued));
            self.handle(next);
            return;
        }
        if idle.session == 0 && self.is_listening(&idle.situation) {
            for event in self.inputs(&idle.situation) {
                let mut next = idle.clone();
                next.event = Some(Occurring::Outside(event));
                self.handle(next);
            }
        }
        self.fire(idle);
    }

    /// The events from outside, of those that the chart names somewhere, that some active
    /// state has a transition for: one for `a` is for `a.b`, too.
    fn inputs(&self, situation: &Situation) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for session in self.hearing(situation) {
            let active = situation.active.iter();
            let own = active.filter(|it| self.chart.root_of(**it) == session);
            let own: Vec<usize> = own.copied().collect();
            for event in self.chart.descriptors(session) {
                let mut active = own.iter().map(|&it| &self.chart.states[it]);
                let is_heard = active.any(|state| {
                    let mut descriptors = state.transitions.iter().flat_map(|it| &it.events);
                    descriptors.any(|descriptor| matches(descriptor, &event))
                });
                let is_own = self.is_of_platform(&event) || self.is_raised(&event, session);
                if is_heard && !is_own && !found.contains(&event) {
                    found.push(event);
                }
            }
        }
        found
    }

    /// Whether nobody outside sends such an event. In a drawing `done` and `error` are words
    /// like others.
    fn is_of_platform(&self, event: &str) -> bool {
        let first = event.split('.').next().unwrap_or_default();
        event == "*"
            || event.starts_with("done.state.")
            || self.chart.is_ordered && matches!(first, "done" | "error")
    }

    /// Whether a session sends the event to itself, or gets it from another one.
    fn is_raised(&self, descriptor: &str, session: usize) -> bool {
        if self.own.iter().any(|event| matches(descriptor, event)) {
            return true;
        }
        let own = self.chart.contents_of(|root| root == session);
        let is_own = own.iter().any(|content| match content {
            Content::Raise { event, .. } => matches(descriptor, event),
            Content::Delay(delayed) => {
                delayed.to == Recipient::Itself && matches(descriptor, &delayed.event)
            }
            Content::Post(post) => match &post.event {
                Said::Text(event) => matches(descriptor, event),
                Said::Nothing | Said::Computed(_) => false,
            },
            _ => false,
        });
        is_own || self.is_told(descriptor, session)
    }

    /// Takes the transitions that the event enables, or that need none, one arrow for each
    /// choice; gives the paths on which there are none.
    fn select(&mut self, cursor: &Cursor) -> Vec<Cursor> {
        let Some(choices) = self.choices(cursor) else {
            return Vec::new();
        };
        let mut without = Vec::new();
        for Choice {
            condition,
            taken,
            is_wrong,
            ..
        } in choices
        {
            let Some(mut chosen) = cursor.clone().under(&condition) else {
                continue;
            };
            if is_wrong {
                self.fail(&mut chosen, "error.execution");
            }
            if taken.is_empty() {
                without.push(chosen);
                continue;
            }
            self.receive(&mut chosen);
            for end in self.microstep(chosen, &taken) {
                self.arrive(end);
            }
        }
        without
    }

    /// The sets of transitions that may be taken; none if something was refused.
    fn choices(&mut self, cursor: &Cursor) -> Option<Vec<Choice>> {
        let mut choices = vec![Choice {
            condition: Written::constant(true),
            taken: Vec::new(),
            decided: Vec::new(),
            is_wrong: false,
        }];
        for state in cursor.situation.active.clone() {
            if !self.chart.is_atomic(state) || self.chart.root_of(state) != cursor.session {
                continue;
            }
            let groups = self.candidates(state, cursor);
            let mut next = Vec::new();
            for choice in choices {
                self.choose_for(cursor, &groups, choice, &mut next)?;
            }
            choices = next;
            if choices.len() > MOST_ARROWS {
                let what = format!("more than {MOST_ARROWS} ways to go on at once");
                self.draft.refused.push(what);
                return None;
            }
        }
        Some(choices)
    }

    /// Goes on with a choice for one active state: some transition of the first group that
    /// has one, or none of any.
    fn choose_for(
        &mut self,
        cursor: &Cursor,
        groups: &[Vec<(usize, usize)>],
        choice: Choice,
        found: &mut Vec<Choice>,
    ) -> Option<()> {
        let mut open = choice;
        for group in groups {
            let before = open.clone();
            for &transition in group {
                let condition = match self.condition(transition, cursor, &before) {
                    Ok(condition) => condition,
                    Err(Stop::Refused) => return None,
                    Err(Stop::Wrong) => {
                        open.is_wrong = true;
                        Written::constant(false)
                    }
                };
                let base = match self.chart.is_ordered {
                    true => &open,
                    false => &before,
                };
                let mut taken = base.with(transition, &condition, true);
                if !taken.taken.contains(&transition) {
                    taken.taken.push(transition);
                }
                found.extend(Some(taken).filter(|it| it.condition.text != "false"));
                open = open.with(transition, &negated(&condition), false);
            }
        }
        found.extend(Some(open).filter(|it| it.condition.text != "false"));
        Some(())
    }

    /// The condition of a transition, unless it was decided already.
    fn condition(
        &mut self,
        transition: (usize, usize),
        cursor: &Cursor,
        choice: &Choice,
    ) -> Result<Written, Stop> {
        let mut decided = choice.decided.iter();
        if let Some((_, holds)) = decided.find(|(known, _)| *known == transition) {
            return Ok(Written::constant(*holds));
        }
        let (source, number) = transition;
        match self.chart.states[source].transitions[number]
            .condition
            .clone()
        {
            None => Ok(Written::constant(true)),
            Some(text) => self.holds(&text, cursor),
        }
    }

    /// The transitions of a state and its ancestors for the current event, by state, the
    /// innermost first.
    fn candidates(&self, state: usize, cursor: &Cursor) -> Vec<Vec<(usize, usize)>> {
        let event = match &cursor.event {
            Some(Occurring::Outside(event)) => Some(event),
            Some(Occurring::Own(queued)) => Some(&queued.event),
            None => None,
        };
        let mut groups = Vec::new();
        for source in std::iter::once(state).chain(self.chart.ancestors(state)) {
            let transitions = self.chart.states[source].transitions.iter();
            let is_for = |transition: &Transition| match event {
                None => transition.events.is_empty(),
                Some(event) => transition.events.iter().any(|it| matches(it, event)),
            };
            let found = transitions.enumerate().filter(|(_, it)| is_for(it));
            groups.push(found.map(|(number, _)| (source, number)).collect());
        }
        groups
    }

    /// Makes an event from outside the input of the arrow.
    fn receive(&mut self, cursor: &mut Cursor) {
        let Some(Occurring::Outside(event)) = &cursor.event else {
            return;
        };
        let channel = self.draft.channel(event).name.clone();
        // A condition may be about the values that come.
        let guards = std::mem::take(&mut cursor.arrow.guards);
        let condition = (!guards.is_empty()).then(|| conjunction(&guards));
        cursor.arrow.action = Action::Input { channel, condition };
    }

    /// Leaves states, does what the transitions do, and enters states.
    fn microstep(&mut self, mut cursor: Cursor, taken: &[(usize, usize)]) -> Vec<Cursor> {
        let transitions: Vec<Transition> = taken
            .iter()
            .map(|&(source, number)| self.chart.states[source].transitions[number].clone())
            .collect();
        let transitions = self.chart.without_conflicts(&cursor.situation, transitions);
        let mut left: Vec<usize> = Vec::new();
        for transition in &transitions {
            left.extend(self.chart.exit_set(&cursor.situation, transition));
        }
        left.sort_unstable();
        left.dedup();
        for &state in &left {
            self.chart.remember(&mut cursor.situation, state);
        }
        let mut paths = vec![cursor];
        for &state in left.iter().rev() {
            for block in self.chart.states[state].on_exit.clone() {
                paths = self.execute_block(paths, &block);
            }
            paths = self.cancel(paths, state);
            for path in &mut paths {
                path.situation.active.retain(|it| *it != state);
            }
        }
        for transition in &transitions {
            paths = self.execute_block(paths, &transition.content);
        }
        let mut ends = Vec::new();
        for path in paths {
            ends.extend(self.enter(path, &transitions));
        }
        ends
    }

    /// Enters what the transitions lead to, from the outside in.
    fn enter(&mut self, cursor: Cursor, transitions: &[Transition]) -> Vec<Cursor> {
        let entry = self.chart.entry_set(&cursor.situation, transitions);
        let mut paths = vec![cursor];
        for &state in &entry.states {
            for path in &mut paths {
                path.situation.active.push(state);
                path.situation.active.sort_unstable();
            }
            for block in self.chart.states[state].on_entry.clone() {
                paths = self.execute_block(paths, &block);
            }
            if entry.by_default.contains(&state) {
                let content = self.chart.initial_of(state).content;
                paths = self.execute_block(paths, &content);
            }
            for &(parent, history) in &entry.by_history {
                if parent == state {
                    let initial = self.chart.states[history].initial.clone();
                    paths = self.execute_block(paths, &initial.unwrap_or_default().content);
                }
            }
            if self.chart.states[state].kind == Kind::Final {
                paths.retain_mut(|path| self.finish(path, state).is_ok());
            }
            if !self.chart.states[state].invokes.is_empty() {
                for path in &mut paths {
                    path.situation.pending.push(state);
                }
            }
        }
        let mut ends = Vec::new();
        for path in paths {
            ends.extend(self.ended(path));
        }
        ends
    }

    /// Raises what says that the states around a final one are done.
    fn finish(&mut self, path: &mut Cursor, state: usize) -> Result<(), Stop> {
        let parent = self.chart.states[state].parent.unwrap_or(0);
        if self.chart.states[parent].parent.is_none() {
            return Ok(());
        }
        let values = self.done_values(path, state)?;
        let done = format!("done.state.{}", self.chart.states[parent].id);
        self.raise(path, (&done, Origin::Platform), &values, None)?;
        let above = self.chart.states[parent].parent.unwrap_or(0);
        if self.chart.states[above].kind == Kind::Parallel
            && self.chart.is_done(&path.situation, above)
        {
            let done = format!("done.state.{}", self.chart.states[above].id);
            self.raise(path, (&done, Origin::Platform), &[], None)?;
        }
        Ok(())
    }

    /// What a final state says, as far as it can be said.
    fn done_values(
        &mut self,
        path: &mut Cursor,
        state: usize,
    ) -> Result<Vec<(String, String)>, Stop> {
        let mut values = Vec::new();
        for (field, value) in self.chart.states[state].done_values.clone() {
            match self.evaluated(&value, path) {
                Ok(_) => values.push((field, value)),
                // What cannot be said is left out.
                Err(Stop::Wrong) => self.fail(path, "error.execution"),
                Err(Stop::Refused) => return Err(Stop::Refused),
            }
        }
        Ok(values)
    }
}

impl Choice {
    /// The choice where a transition is decided so.
    fn with(&self, transition: (usize, usize), condition: &Written, holds: bool) -> Choice {
        let mut decided = self.decided.clone();
        decided.push((transition, holds));
        Choice {
            condition: both(&self.condition, condition),
            taken: self.taken.clone(),
            decided,
            is_wrong: self.is_wrong,
        }
    }
}
