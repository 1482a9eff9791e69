//! SCXML: state charts with hierarchy, parallel states, history and queues of events.
//!
//! The chart is run beforehand, as the algorithm of its specification (*State Chart XML*,
//! W3C 2015, appendix D) has it, with conditions left open: a state of the model is a
//! configuration, what histories remember, and the events that wait in the queues. Each
//! choice between transitions becomes a transition of its own, whose guard says that it is
//! made. An event that the chart does not send itself is an input, and what
//! conditions read of `_event.data` its values; a `<send>` to somebody else is an output.
//! An event for which no transition holds is not part of the model.

use super::chart::{Chart, Content, Kind, Transition, elements, line, matches};
use super::{Arrow, Declared, ImportError, Imported, distinct_from, finished, name, script};
use roxmltree::{Document, Node};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// States of a model that one would still look at.
const MOST: usize = 1000;

/// The model of an SCXML file.
///
/// # Errors
///
/// When it is none, or has something that models do not.
pub fn scxml(text: &str) -> Result<Imported, ImportError> {
    let document = super::xml(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "scxml" {
        return Err(ImportError::Root {
            found: root.tag_name().name().to_owned(),
            expected: "scxml",
        });
    }
    let chart = Chart::new(&document)?;
    Import::new(&document, chart).run()
}

/// What is known before any condition is decided.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Situation {
    /// The active states, in the order of the document.
    active: Vec<usize>,
    /// By history: the states it remembers.
    remembered: Vec<(usize, Vec<usize>)>,
    /// Events that were raised.
    internal: Vec<String>,
    /// Events that the chart sent to itself.
    external: Vec<String>,
}

/// A path of the chart on its way to arrows: where it is, and what it did since the last
/// state of the model.
#[derive(Clone)]
struct Cursor {
    situation: Situation,
    arrow: Arrow,
    /// The event that is handled, if one is, and whether it comes from outside.
    event: Option<(String, bool)>,
}

struct Import<'d> {
    document: &'d Document<'d>,
    chart: Chart,
    channels: Vec<(String, Vec<&'static str>)>,
    variables: Vec<Declared>,
    /// The state of the model for each situation, and those that are to be looked at.
    names: FxHashMap<Situation, String>,
    waiting: VecDeque<Situation>,
    states: Vec<String>,
    arrows: Vec<Arrow>,
    refused: Vec<String>,
    notes: Vec<String>,
}

impl<'d> Import<'d> {
    fn new(document: &'d Document<'d>, mut chart: Chart) -> Import<'d> {
        Import {
            document,
            refused: std::mem::take(&mut chart.refused),
            notes: std::mem::take(&mut chart.notes),
            chart,
            channels: Vec::new(),
            variables: Vec::new(),
            names: FxHashMap::default(),
            waiting: VecDeque::new(),
            states: Vec::new(),
            arrows: Vec::new(),
        }
    }

    fn run(mut self) -> Result<Imported, ImportError> {
        let root = self.document.root_element();
        for model in elements(root).filter(|child| child.tag_name().name() == "datamodel") {
            self.data(model);
        }
        let initial = self.start();
        while let Some(situation) = self.waiting.pop_front() {
            // What was refused already need not be followed.
            if !self.refused.is_empty() {
                break;
            }
            if self.states.len() > MOST {
                let what = format!("more than {MOST} configurations and queues");
                self.refused.push(what);
            }
            self.expand(&situation);
        }
        let title = name(root.attribute("name").unwrap_or("imported"));
        finished(
            &title,
            &self.channels,
            &self.variables,
            &initial,
            &self.states,
            &self.arrows,
            self.notes,
            self.refused,
        )
    }

    fn data(&mut self, model: Node<'_, '_>) {
        for data in elements(model) {
            let id = data.attribute("id").unwrap_or_default();
            let text = data.text().map(str::trim).filter(|text| !text.is_empty());
            let place = format!("line {}", line(data));
            let Some(value) = data.attribute("expr").or(text) else {
                if let Some(file) = data.attribute("src") {
                    let what = format!("{place}: the value of the data {id}, which is in {file}");
                    self.refused.push(what);
                    continue;
                }
                let ty = self.type_by_use(id);
                self.notes.push(format!(
                    "{place}: the data {id} has no value: it begins as {}",
                    script::plain_value(ty)
                ));
                self.variables.push(Declared {
                    name: name(id),
                    ty,
                    value: script::plain_value(ty).to_owned(),
                });
                continue;
            };
            match script::declared(id, value) {
                Ok(variable) => self.variables.push(variable),
                Err(what) => {
                    let what = format!("{place}: the data {id}: it has {what}");
                    self.refused.push(what);
                }
            }
        }
    }

    /// The type of the first constant that is assigned to data.
    fn type_by_use(&self, id: &str) -> &'static str {
        let assigned = self.document.descendants().filter(|node| {
            node.tag_name().name() == "assign" && node.attribute("location") == Some(id)
        });
        let values = assigned.filter_map(|node| node.attribute("expr"));
        let types = values.filter_map(|value| script::declared(id, value).ok());
        types.map(|declared| declared.ty).next().unwrap_or("Int")
    }

    /// The state of the model where it begins, with what is done before.
    fn start(&mut self) -> String {
        let start = "start".to_owned();
        let begin = Cursor {
            situation: Situation::default(),
            arrow: Arrow {
                from: start.clone(),
                ..Arrow::default()
            },
            event: None,
        };
        let entry = self.initial_of(0);
        let ends = self.enter(begin, &[entry]);
        if let [
            Cursor {
                situation, arrow, ..
            },
        ] = &ends[..]
            && arrow.action.is_none()
            && arrow.assignments.is_empty()
            && arrow.from == start
        {
            return self.state(situation);
        }
        self.states.push(start.clone());
        for cursor in ends {
            self.arrive(cursor);
        }
        start
    }

    /// The transition by which a state is entered, down to its first child.
    fn initial_of(&self, state: usize) -> Transition {
        match &self.chart.states[state].initial {
            Some(initial) => initial.clone(),
            None => Transition {
                source: state,
                targets: self.chart.states[state]
                    .children
                    .first()
                    .copied()
                    .into_iter()
                    .collect(),
                ..Transition::default()
            },
        }
    }

    /// The state of the model for a situation.
    fn state(&mut self, situation: &Situation) -> String {
        if let Some(known) = self.names.get(situation) {
            return known.clone();
        }
        let atomic = situation
            .active
            .iter()
            .filter(|&&it| self.chart.is_atomic(it));
        let mut parts: Vec<String> = atomic.map(|&it| self.chart.states[it].id.clone()).collect();
        let queued = situation.internal.iter().chain(&situation.external);
        parts.extend(queued.map(|event| format!("then {event}")));
        let state = distinct_from(&self.states, &name(&parts.join(" ")));
        self.states.push(state.clone());
        self.names.insert(situation.clone(), state.clone());
        self.waiting.push_back(situation.clone());
        state
    }

    /// Ends a path of the chart in the state of the model for where it is.
    fn arrive(&mut self, cursor: Cursor) {
        let mut arrow = cursor.arrow;
        arrow.to = self.state(&cursor.situation);
        self.arrows.push(arrow);
    }

    /// Everything that can happen in a situation.
    fn expand(&mut self, situation: &Situation) {
        let is_over = situation.active.iter().any(|&state| {
            let it = &self.chart.states[state];
            it.kind == Kind::Final && it.parent == Some(0)
        });
        if is_over {
            return;
        }
        let from = self.names[situation].clone();
        let cursor = Cursor {
            situation: situation.clone(),
            arrow: Arrow {
                from,
                ..Arrow::default()
            },
            event: None,
        };
        let idle = self.select(&cursor, None);
        for cursor in idle {
            let mut next = cursor.clone();
            let queue = match next.situation.internal.is_empty() {
                false => &mut next.situation.internal,
                true => &mut next.situation.external,
            };
            if !queue.is_empty() {
                let event = queue.remove(0);
                next.event = Some((event.clone(), false));
                for ignored in self.select(&next, Some(&event)) {
                    self.arrive(ignored);
                }
                continue;
            }
            for event in self.inputs(situation) {
                let mut next = cursor.clone();
                next.event = Some((event.clone(), true));
                self.select(&next, Some(&event));
            }
        }
    }

    /// The events from outside that some active state has a transition for.
    fn inputs(&self, situation: &Situation) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for &state in &situation.active {
            for transition in &self.chart.states[state].transitions {
                for event in &transition.events {
                    let is_own =
                        event.starts_with("done.") || event == "*" || self.is_raised(event);
                    if !is_own && !found.contains(event) {
                        found.push(event.clone());
                    }
                }
            }
        }
        found
    }

    /// Whether the chart sends the event to itself.
    fn is_raised(&self, event: &str) -> bool {
        self.document.descendants().any(|node| {
            let raised = match node.tag_name().name() {
                "raise" => node.attribute("event"),
                "send" if matches!(node.attribute("target"), None | Some("#_internal")) => {
                    node.attribute("event")
                }
                _ => None,
            };
            raised.is_some_and(|raised| matches(event, raised))
        })
    }

    /// Takes the transitions that an event enables, or that need none, one arrow for each
    /// choice; gives the paths on which there are none.
    fn select(&mut self, cursor: &Cursor, event: Option<&str>) -> Vec<Cursor> {
        let active = &cursor.situation.active;
        let atomic: Vec<usize> = active
            .iter()
            .copied()
            .filter(|&it| self.chart.is_atomic(it))
            .collect();
        // Choices so far: the guards, and the transitions by state and number.
        let mut choices: Vec<(Vec<String>, Vec<(usize, usize)>)> = vec![Default::default()];
        for state in atomic {
            let candidates = self.candidates(state, event);
            let mut next = Vec::new();
            for (guards, taken) in &choices {
                let mut refused: Vec<String> = Vec::new();
                let mut is_open = true;
                for &(source, number) in &candidates {
                    let condition = self.chart.states[source].transitions[number]
                        .condition
                        .clone();
                    let condition = match condition {
                        None => "true".to_owned(),
                        Some(text) => match self.expression(&text, cursor) {
                            Some(condition) => condition,
                            None => return Vec::new(),
                        },
                    };
                    if condition == "false" {
                        continue;
                    }
                    let mut guards = [guards.clone(), refused.clone()].concat();
                    let mut taken = taken.clone();
                    if condition != "true" {
                        guards.push(condition.clone());
                    }
                    if !taken.contains(&(source, number)) {
                        taken.push((source, number));
                    }
                    next.push((guards, taken));
                    if condition == "true" {
                        is_open = false;
                        break;
                    }
                    refused.push(format!("not ({condition})"));
                }
                if is_open {
                    next.push(([guards.clone(), refused].concat(), taken.clone()));
                }
            }
            choices = next;
        }
        let mut without = Vec::new();
        for (guards, taken) in choices {
            let mut chosen = cursor.clone();
            chosen.arrow.guards.extend(guards);
            if taken.is_empty() {
                without.push(chosen);
                continue;
            }
            self.receive(&mut chosen);
            for end in self.microstep(chosen, taken) {
                self.arrive(end);
            }
        }
        without
    }

    /// The transitions of a state and its ancestors for an event, those that count first
    /// first.
    fn candidates(&self, state: usize, event: Option<&str>) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for source in std::iter::once(state).chain(self.chart.ancestors(state)) {
            for (number, transition) in self.chart.states[source].transitions.iter().enumerate() {
                let is_for = match event {
                    None => transition.events.is_empty(),
                    Some(event) => transition.events.iter().any(|it| matches(it, event)),
                };
                if is_for {
                    found.push((source, number));
                }
            }
        }
        found
    }

    /// Makes an event from outside the input of the arrow.
    fn receive(&mut self, cursor: &mut Cursor) {
        let Some((event, true)) = cursor.event.clone() else {
            return;
        };
        let fields = self.fields_of(&event);
        for field in &fields {
            if !self.variables.iter().any(|known| known.name == *field) {
                self.variables.push(Declared {
                    name: field.clone(),
                    ty: "Int",
                    value: "0".to_owned(),
                });
            }
        }
        let channel = name(&event);
        if !self.channels.iter().any(|(known, _)| *known == channel) {
            let types = vec!["Int"; fields.len()];
            self.channels.push((channel.clone(), types));
        }
        let values = match fields.is_empty() {
            true => String::new(),
            false => format!("({})", fields.join(", ")),
        };
        // A condition may be about the values that come.
        let guards = std::mem::take(&mut cursor.arrow.guards);
        let guards: Vec<String> = guards.iter().map(|guard| format!("({guard})")).collect();
        cursor.arrow.action = Some(match guards.is_empty() {
            true => format!("{channel}?{values}"),
            false => format!("{channel}?{values} where {}", guards.join(" and ")),
        });
    }

    /// Leaves states, does what the transitions do, and enters states.
    fn microstep(&mut self, cursor: Cursor, taken: Vec<(usize, usize)>) -> Vec<Cursor> {
        let transitions: Vec<Transition> = taken
            .iter()
            .map(|&(source, number)| self.chart.states[source].transitions[number].clone())
            .collect();
        let transitions = self.without_conflicts(&cursor.situation, transitions);
        let mut exited: Vec<usize> = Vec::new();
        for transition in &transitions {
            exited.extend(self.exit_set(&cursor.situation, transition));
        }
        exited.sort_unstable();
        exited.dedup();
        let mut cursor = cursor;
        for &state in &exited {
            for &history in &self.chart.states[state].histories {
                let deep = self.chart.states[history].kind == Kind::History { deep: true };
                let remembered = cursor
                    .situation
                    .active
                    .iter()
                    .copied()
                    .filter(|&it| match deep {
                        true => self.chart.is_atomic(it) && self.chart.is_ancestor(state, it),
                        false => self.chart.states[it].parent == Some(state),
                    });
                let remembered = remembered.collect();
                cursor.situation.remembered.retain(|(it, _)| *it != history);
                cursor.situation.remembered.push((history, remembered));
                cursor.situation.remembered.sort_unstable();
            }
        }
        let mut paths = vec![cursor];
        for &state in exited.iter().rev() {
            let content = self.chart.states[state].on_exit.clone();
            paths = self.execute(paths, &content);
        }
        for path in &mut paths {
            path.situation
                .active
                .retain(|state| !exited.contains(state));
        }
        for transition in &transitions {
            paths = self.execute(paths, &transition.content);
        }
        let mut ends = Vec::new();
        for path in paths {
            ends.extend(self.enter(path, &transitions));
        }
        ends
    }

    /// The transitions of which none leaves what another one leaves: those of inner states
    /// go before those of outer ones, and earlier ones before later ones.
    fn without_conflicts(
        &self,
        situation: &Situation,
        transitions: Vec<Transition>,
    ) -> Vec<Transition> {
        let mut kept: Vec<Transition> = Vec::new();
        for transition in transitions {
            let leaves = self.exit_set(situation, &transition);
            let conflicts = |other: &Transition| {
                let others = self.exit_set(situation, other);
                leaves.iter().any(|state| others.contains(state))
            };
            let (against, rest): (Vec<Transition>, Vec<Transition>) =
                kept.iter().cloned().partition(|other| conflicts(other));
            let is_inner =
                |other: &Transition| self.chart.is_ancestor(other.source, transition.source);
            if against.iter().all(is_inner) {
                kept = rest;
                kept.push(transition);
            }
        }
        kept
    }

    /// The states that a transition leaves.
    fn exit_set(&self, situation: &Situation, transition: &Transition) -> Vec<usize> {
        if transition.targets.is_empty() {
            return Vec::new();
        }
        let domain = self.domain(situation, transition);
        let active = situation.active.iter().copied();
        active
            .filter(|&state| self.chart.is_ancestor(domain, state))
            .collect()
    }

    /// The innermost state that a transition stays in.
    fn domain(&self, situation: &Situation, transition: &Transition) -> usize {
        let targets = self.effective_targets(situation, transition);
        let source = transition.source;
        let is_compound = |state: usize| {
            self.chart.states[state].kind == Kind::State && !self.chart.is_atomic(state)
        };
        let holds_all = |state: usize| targets.iter().all(|&it| self.chart.is_ancestor(state, it));
        if transition.is_internal && is_compound(source) && holds_all(source) {
            return source;
        }
        let mut ancestors = self.chart.ancestors(source);
        ancestors
            .find(|&state| (is_compound(state) || state == 0) && holds_all(state))
            .unwrap_or(0)
    }

    /// The targets of a transition, with what histories lead to in their place.
    fn effective_targets(&self, situation: &Situation, transition: &Transition) -> Vec<usize> {
        let mut found = Vec::new();
        for &target in &transition.targets {
            match self.chart.states[target].kind {
                Kind::History { .. } => found.extend(self.recalled(situation, target)),
                Kind::State | Kind::Parallel | Kind::Final => found.push(target),
            }
        }
        found
    }

    /// What a history leads to.
    fn recalled(&self, situation: &Situation, history: usize) -> Vec<usize> {
        let remembered = situation.remembered.iter().find(|(it, _)| *it == history);
        match (remembered, &self.chart.states[history].initial) {
            (Some((_, states)), _) => states.clone(),
            (None, Some(initial)) => self.effective_targets(situation, initial),
            (None, None) => Vec::new(),
        }
    }

    /// Enters what the transitions lead to, from the outside in.
    fn enter(&mut self, cursor: Cursor, transitions: &[Transition]) -> Vec<Cursor> {
        let mut entry = Entry::default();
        for transition in transitions {
            let domain = match cursor.situation.active.is_empty() {
                true => 0,
                false => self.domain(&cursor.situation, transition),
            };
            for &target in &transition.targets {
                self.add_descendants(&cursor.situation, target, &mut entry);
            }
            for target in self.effective_targets(&cursor.situation, transition) {
                self.add_ancestors(&cursor.situation, target, domain, &mut entry);
            }
        }
        entry.states.sort_unstable();
        entry.states.dedup();
        let already = cursor.situation.active.clone();
        entry.states.retain(|state| !already.contains(state));
        let mut paths = vec![cursor];
        for &state in &entry.states {
            for path in &mut paths {
                path.situation.active.push(state);
                path.situation.active.sort_unstable();
            }
            let content = self.chart.states[state].on_entry.clone();
            paths = self.execute(paths, &content);
            if entry.by_default.contains(&state) {
                let content = self.initial_of(state).content;
                paths = self.execute(paths, &content);
            }
            for &(parent, history) in &entry.by_history {
                if parent == state {
                    let initial = self.chart.states[history].initial.clone();
                    paths = self.execute(paths, &initial.unwrap_or_default().content);
                }
            }
            if self.chart.states[state].kind == Kind::Final {
                for path in &mut paths {
                    self.finish(&mut path.situation, state);
                }
            }
        }
        paths
    }

    /// Raises what says that the state around a final one is done.
    fn finish(&self, situation: &mut Situation, state: usize) {
        let Some(parent) = self.chart.states[state]
            .parent
            .filter(|&parent| parent != 0)
        else {
            return;
        };
        let done = |state: usize| format!("done.state.{}", self.chart.states[state].id);
        situation.internal.push(done(parent));
        let Some(above) = self.chart.states[parent].parent else {
            return;
        };
        let is_final = |&region: &usize| {
            let children = &self.chart.states[region].children;
            children.iter().any(|child| {
                self.chart.states[*child].kind == Kind::Final && situation.active.contains(child)
            })
        };
        if self.chart.states[above].kind == Kind::Parallel
            && self.chart.states[above].children.iter().all(is_final)
        {
            situation.internal.push(done(above));
        }
    }

    fn add_descendants(&self, situation: &Situation, state: usize, entry: &mut Entry) {
        let it = &self.chart.states[state];
        match it.kind {
            Kind::History { .. } => {
                let is_first = !situation
                    .remembered
                    .iter()
                    .any(|(known, _)| *known == state);
                if let Some(parent) = it.parent.filter(|_| is_first) {
                    entry.by_history.push((parent, state));
                }
                for recalled in self.recalled(situation, state) {
                    self.add_descendants(situation, recalled, entry);
                    if let Some(parent) = it.parent {
                        self.add_ancestors(situation, recalled, parent, entry);
                    }
                }
            }
            Kind::Parallel => {
                entry.states.push(state);
                self.add_regions(situation, state, entry);
            }
            Kind::State | Kind::Final => {
                entry.states.push(state);
                if it.children.is_empty() {
                    return;
                }
                entry.by_default.insert(state);
                let initial = self.initial_of(state);
                for &target in &initial.targets {
                    self.add_descendants(situation, target, entry);
                    self.add_ancestors(situation, target, state, entry);
                }
            }
        }
    }

    fn add_ancestors(&self, situation: &Situation, state: usize, to: usize, entry: &mut Entry) {
        let between = self.chart.ancestors(state).take_while(|&it| it != to);
        let between: Vec<usize> = between.filter(|&it| it != 0).collect();
        for ancestor in between {
            entry.states.push(ancestor);
            if self.chart.states[ancestor].kind == Kind::Parallel {
                self.add_regions(situation, ancestor, entry);
            }
        }
    }

    /// The regions of a parallel state that are not entered already.
    fn add_regions(&self, situation: &Situation, parallel: usize, entry: &mut Entry) {
        for &region in &self.chart.states[parallel].children {
            let is_inside = |&it: &usize| it == region || self.chart.is_ancestor(region, it);
            if !entry.states.iter().any(is_inside) {
                self.add_descendants(situation, region, entry);
            }
        }
    }

    /// Does the content on each of the paths, which fork where it has conditions.
    fn execute(&mut self, paths: Vec<Cursor>, content: &[Content]) -> Vec<Cursor> {
        let mut paths = paths;
        for part in content {
            let mut after = Vec::new();
            for path in paths {
                after.extend(self.execute_one(path, part));
            }
            paths = after;
        }
        paths
    }

    fn execute_one(&mut self, mut path: Cursor, content: &Content) -> Vec<Cursor> {
        match content {
            Content::Assign { location, value } => {
                let Some(value) = self.expression(value, &path) else {
                    return Vec::new();
                };
                let assignment = format!("{} := {value}", name(location));
                path.arrow.assignments.push(assignment);
            }
            Content::Raise { event, is_external } => match is_external {
                false => path.situation.internal.push(event.clone()),
                true => path.situation.external.push(event.clone()),
            },
            Content::Send { event, values } => {
                let values: Option<Vec<String>> = values
                    .iter()
                    .map(|value| self.expression(value, &path))
                    .collect();
                let Some(values) = values else {
                    return Vec::new();
                };
                self.send(&mut path, event, &values);
            }
            Content::Choice(branches) => {
                // A condition is about what the assignments before left behind.
                if !path.arrow.assignments.is_empty() || path.arrow.action.is_some() {
                    self.pause(&mut path);
                }
                return self.choose(&path, branches);
            }
        }
        vec![path]
    }

    fn choose(
        &mut self,
        path: &Cursor,
        branches: &[(Option<String>, Vec<Content>)],
    ) -> Vec<Cursor> {
        let (mut ends, mut refused) = (Vec::new(), Vec::new());
        for (condition, content) in branches {
            let condition = match condition {
                None => "true".to_owned(),
                Some(text) => match self.expression(text, path) {
                    Some(condition) => condition,
                    None => return Vec::new(),
                },
            };
            let mut taken = path.clone();
            taken.arrow.guards.extend(refused.iter().cloned());
            if condition != "true" {
                taken.arrow.guards.push(condition.clone());
            }
            ends.extend(self.execute(vec![taken], content));
            refused.push(format!("not ({condition})"));
        }
        let has_else = branches
            .last()
            .is_some_and(|(condition, _)| condition.is_none());
        if !has_else {
            let mut none = path.clone();
            none.arrow.guards.extend(refused);
            ends.push(none);
        }
        ends
    }

    fn send(&mut self, path: &mut Cursor, event: &str, values: &[String]) {
        let channel = name(event);
        if !self.channels.iter().any(|(known, _)| *known == channel) {
            let types = values.iter().map(|value| self.type_of(value)).collect();
            self.channels.push((channel.clone(), types));
        }
        if path.arrow.action.is_some() || !path.arrow.assignments.is_empty() {
            self.pause(path);
        }
        path.arrow.action = Some(match values.is_empty() {
            true => format!("{channel}!"),
            false => format!("{channel}!({})", values.join(", ")),
        });
    }

    /// Ends the arrow so far in a state of its own.
    fn pause(&mut self, path: &mut Cursor) {
        let between = format!("{}_{}", path.arrow.from, self.arrows.len() + 1);
        let between = distinct_from(&self.states, &between);
        self.states.push(between.clone());
        let mut arrow = std::mem::take(&mut path.arrow);
        arrow.to = between.clone();
        self.arrows.push(arrow);
        path.arrow.from = between;
    }

    /// An expression as models write it; none if it was refused.
    fn expression(&mut self, text: &str, cursor: &Cursor) -> Option<String> {
        let text = script::with_state(text, |id| {
            let active = cursor.situation.active.iter();
            active.into_iter().any(|&it| self.chart.states[it].id == id)
        });
        let (event, is_outside) = cursor.event.clone().unwrap_or_default();
        let text = text.replace("_event.name", &format!("'{event}'"));
        let mut reads_data = false;
        let mut data = |field: &str| {
            reads_data = true;
            name(&format!("{event}_{field}"))
        };
        match script::expression(&text, &mut data) {
            Ok(expression) if !reads_data || is_outside => Some(expression),
            Ok(_) => {
                self.refused
                    .push(format!("`{text}`: there is no event with data here"));
                None
            }
            Err(what) => {
                self.refused.push(format!("`{text}`: it has {what}"));
                None
            }
        }
    }

    /// What is read of an event's data: by transitions for it, and when states are
    /// entered and left.
    fn fields_of(&self, event: &str) -> Vec<String> {
        let is_for = |node: Node<'_, '_>| {
            let transition = node
                .ancestors()
                .find(|it| it.tag_name().name() == "transition");
            transition.is_none_or(|it| {
                let events = it.attribute("event").unwrap_or_default();
                events.split_whitespace().any(|it| matches(it, event))
            })
        };
        let mut fields: Vec<String> = Vec::new();
        let nodes = self.document.descendants().filter(|node| is_for(*node));
        let scripts = nodes.flat_map(|node| [node.attribute("cond"), node.attribute("expr")]);
        for script in scripts.flatten() {
            for part in script.split("_event.data.").skip(1) {
                let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let field = &part[..end.unwrap_or(part.len())];
                let field = name(&format!("{event}_{field}"));
                if !fields.contains(&field) {
                    fields.push(field);
                }
            }
        }
        fields
    }

    /// What the text of a value says of its type.
    fn type_of(&self, value: &str) -> &'static str {
        let variable = self.variables.iter().find(|known| known.name == value);
        match value {
            _ if variable.is_some() => variable.map_or("Int", |variable| variable.ty),
            "true" | "false" => "Bool",
            text if text.starts_with('"') => "String",
            text if text.contains('.') => "Real",
            _ => "Int",
        }
    }
}

/// The states to enter.
#[derive(Default)]
struct Entry {
    states: Vec<usize>,
    /// Those whose initial transition is taken.
    by_default: FxHashSet<usize>,
    /// States whose history leads somewhere for the first time, and the history.
    by_history: Vec<(usize, usize)>,
}
