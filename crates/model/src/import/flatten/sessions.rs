//! Charts that run beside the one that invoked them, each as a session: their states are active
//! together, each takes its own steps in any order, and they send each other events.
//!
//! A session is known by the root of its states. What it does in one step is not interrupted by
//! the others.

use super::super::chart::{Content, Invoke, Kind, PARENT, Recipient, matches};
use super::super::name;
use super::super::script::{CHOSEN, Constant};
use super::configuration::{Child, Origin, Queued, Situation};
use super::content::Stop;
use super::{Cursor, Flattening, Occurring};

/// Who is meant by a name.
enum Addressee {
    /// The session with this root.
    Running(usize),
    /// A session that is not there, or not any more.
    Gone,
    /// Nobody that the document has.
    Stranger,
}

impl Situation {
    /// Takes the next event that a session raised.
    pub(super) fn next_internal(&mut self, session: usize) -> Option<Queued> {
        let next = self.internal.iter().position(|it| it.session == session);
        next.map(|next| self.internal.remove(next))
    }

    /// Takes the next event that was sent to a session.
    pub(super) fn next_external(&mut self, session: usize) -> Option<Queued> {
        let next = self.external.iter().position(|it| it.session == session);
        next.map(|next| self.external.remove(next))
    }

    /// Whether something is left to do at once, whatever conditions say.
    pub(super) fn is_busy(&self) -> bool {
        !self.internal.is_empty()
            || !self.external.is_empty()
            || !self.pending.is_empty()
            || self.children.iter().any(|it| it.is_starting)
    }
}

impl Flattening {
    /// The roots of the sessions that run.
    pub(super) fn sessions(&self, situation: &Situation) -> Vec<usize> {
        let running = situation.children.iter().filter(|it| !it.is_starting);
        let roots = running.map(|child| self.invoke_of(child).root);
        std::iter::once(0).chain(roots).collect()
    }

    /// The roots of the sessions that hear what comes from outside: the first one, and those that
    /// it is passed on to.
    pub(super) fn hearing(&self, situation: &Situation) -> Vec<usize> {
        let mut found = vec![0];
        // Charts are invoked by those that began before them.
        for child in &situation.children {
            let invoke = self.invoke_of(child);
            if invoke.is_forwarding && found.contains(&self.chart.root_of(child.state)) {
                found.push(invoke.root);
            }
        }
        found
    }

    fn invoke_of(&self, child: &Child) -> &Invoke {
        &self.chart.states[child.state].invokes[child.number]
    }

    fn child_with(&self, situation: &Situation, root: usize) -> Option<Child> {
        let mut children = situation.children.iter();
        let found = children.find(|child| self.invoke_of(child).root == root);
        found.copied()
    }

    /// Whether a session has come to its end.
    pub(super) fn is_session_over(&self, situation: &Situation, root: usize) -> bool {
        self.final_state(situation, root).is_some()
    }

    fn final_state(&self, situation: &Situation, root: usize) -> Option<usize> {
        let mut active = situation.active.iter().copied();
        active.find(|&state| {
            let it = &self.chart.states[state];
            it.kind == Kind::Final && it.parent == Some(root)
        })
    }

    /// Enters the first states of the session that does something.
    pub(super) fn enter_at_first(&mut self, paths: Vec<Cursor>) -> Vec<Cursor> {
        let mut ends = Vec::new();
        for path in paths {
            let entry = self.chart.initial_of(path.session);
            for path in self.execute_block(vec![path], &entry.content) {
                ends.extend(self.enter(path, std::slice::from_ref(&entry)));
            }
        }
        ends
    }

    /// Handles an event that comes from outside of the session: what the chart that sent it was
    /// invoked with is done first, and others get it, too.
    pub(super) fn handle(&mut self, cursor: Cursor) {
        let mut is_passed_on = false;
        for mut next in self.finalized(cursor) {
            is_passed_on |= self.pass_on(&mut next);
            for mut ignored in self.select(&next) {
                match &ignored.event {
                    // An event that nobody hears is not part of the model.
                    Some(Occurring::Outside(_)) if !is_passed_on => continue,
                    Some(Occurring::Outside(_)) => self.receive(&mut ignored),
                    Some(Occurring::Own(_)) | None => {}
                }
                self.arrive(ignored);
            }
        }
    }

    fn finalized(&mut self, cursor: Cursor) -> Vec<Cursor> {
        let Some(Occurring::Own(queued)) = &cursor.event else {
            return vec![cursor];
        };
        // It may have come to its end already.
        let is_sender = |(state, invoke): &(usize, &Invoke)| {
            let active = &cursor.situation.active;
            queued.invoke.is_some() && invoke.root == queued.sender && active.contains(state)
        };
        let invoke = self.chart.invokes().find(is_sender);
        let content = invoke.map(|(_, invoke)| invoke.finalize.clone());
        let mut paths = self.execute_block(vec![cursor], &content.unwrap_or_default());
        for path in &mut paths {
            // Conditions are about what this left behind.
            if path.arrow.has_effects() {
                self.draft.pause(&mut path.arrow);
            }
        }
        paths
    }

    /// Passes the event on to the sessions that want all of them; says whether there are any.
    fn pass_on(&mut self, path: &mut Cursor) -> bool {
        let children = path.situation.children.iter();
        let forwarding = children.filter(|child| {
            self.chart.root_of(child.state) == path.session && self.invoke_of(child).is_forwarding
        });
        let roots: Vec<usize> = forwarding.map(|it| self.invoke_of(it).root).collect();
        for &root in &roots {
            let copy = match &path.event {
                Some(Occurring::Own(queued)) => Queued {
                    session: root,
                    ..queued.clone()
                },
                Some(Occurring::Outside(event)) => Queued {
                    event: event.clone(),
                    fields: Vec::new(),
                    origin: Origin::Forwarded,
                    id: None,
                    session: root,
                    sender: path.session,
                    invoke: None,
                },
                None => continue,
            };
            path.situation.external.push(copy);
        }
        !roots.is_empty()
    }

    /// Whether those that hear what comes from outside have handled what came before.
    pub(super) fn is_listening(&self, situation: &Situation) -> bool {
        let hearing = self.hearing(situation);
        let mut queued = situation.internal.iter().chain(&situation.external);
        !queued.any(|it| hearing.contains(&it.session))
    }

    /// Whether the session has charts to invoke.
    pub(super) fn has_pending(&self, path: &Cursor) -> bool {
        let mut pending = path.situation.pending.iter();
        pending.any(|state| self.chart.root_of(*state) == path.session)
    }

    /// Invokes the charts of the states that were entered.
    pub(super) fn invoke_pending(&mut self, mut path: Cursor) -> Vec<Cursor> {
        let session = path.session;
        let pending = std::mem::take(&mut path.situation.pending);
        let is_own = |state: &usize| self.chart.root_of(*state) == session;
        let (mut own, others): (Vec<usize>, Vec<usize>) = pending.into_iter().partition(is_own);
        path.situation.pending = others;
        own.sort_unstable();
        let mut paths = vec![path];
        for state in own {
            for number in 0..self.chart.states[state].invokes.len() {
                let child = Child {
                    state,
                    number,
                    is_starting: true,
                };
                let mut after = Vec::new();
                for path in paths {
                    after.extend(self.start_child(path, child));
                }
                paths = after;
            }
        }
        paths
    }

    /// Starts a chart, with variables of its own. If what it is given is an error, it does not run.
    fn start_child(&mut self, mut path: Cursor, child: Child) -> Vec<Cursor> {
        let invoke = self.invoke_of(&child).clone();
        if let Some(location) = &invoke.id_location {
            let id = Constant::of_id(&invoke.id);
            path.situation.note(name(location), id);
        }
        for datum in &invoke.data {
            let variable = name(&datum.id);
            let declared = self.draft.variables.iter().find(|it| it.name == variable);
            if let Some(declared) = declared {
                let begin = format!("{variable} := {}", declared.value);
                path.arrow.assignments.push(begin);
                continue;
            }
            let value = match &datum.value {
                None => Ok(Constant::Undefined),
                Some(text) => self.constant(text, &path),
            };
            match value {
                Ok(value) => path.situation.note(variable, value),
                Err(Stop::Wrong) => path.situation.note(variable, Constant::Undefined),
                Err(Stop::Refused) => return Vec::new(),
            }
        }
        let mut paths = self.execute(vec![path], &invoke.given);
        for path in &mut paths {
            if !std::mem::take(&mut path.is_broken) {
                path.situation.children.push(child);
                path.situation.children.sort_unstable();
            }
        }
        paths
    }

    /// Lets charts begin that were started.
    pub(super) fn begin_children(&mut self, cursor: &Cursor) {
        for number in 0..cursor.situation.children.len() {
            let mut path = cursor.clone();
            let child = &mut path.situation.children[number];
            if !std::mem::take(&mut child.is_starting) {
                continue;
            }
            let child = *child;
            path.session = self.invoke_of(&child).root;
            for begun in self.enter_at_first(vec![path]) {
                self.arrive(begun);
            }
        }
    }

    /// Ends the charts that run beside a state which is left.
    pub(super) fn cancel(&mut self, paths: Vec<Cursor>, state: usize) -> Vec<Cursor> {
        let mut ends = Vec::new();
        for mut path in paths {
            path.situation.pending.retain(|it| *it != state);
            let children = path.situation.children.iter().copied();
            let ended: Vec<Child> = children.filter(|it| it.state == state).collect();
            // What they still send comes to nobody.
            path.situation.children.retain(|it| it.state != state);
            let session = path.session;
            let mut paths = vec![path];
            for child in ended {
                let root = self.invoke_of(&child).root;
                for path in &mut paths {
                    path.session = root;
                }
                paths = self.leave_all(paths);
                for path in &mut paths {
                    self.purge(&mut path.situation, root);
                    path.session = session;
                }
            }
            ends.extend(paths);
        }
        ends
    }

    /// Does what a session does when it ends: it leaves its states, which stay active.
    fn leave_all(&mut self, paths: Vec<Cursor>) -> Vec<Cursor> {
        let mut ends = Vec::new();
        for path in paths {
            let active = path.situation.active.iter().copied();
            let own: Vec<usize> = active
                .filter(|&it| self.chart.root_of(it) == path.session)
                .collect();
            let mut paths = vec![path];
            for &state in own.iter().rev() {
                for block in self.chart.states[state].on_exit.clone() {
                    paths = self.execute_block(paths, &block);
                }
                paths = self.cancel(paths, state);
            }
            ends.extend(paths);
        }
        ends
    }

    /// Removes everything that is there because of a session.
    fn purge(&self, situation: &mut Situation, root: usize) {
        let is_other = |state: usize| self.chart.root_of(state) != root;
        situation.active.retain(|&it| is_other(it));
        situation.pending.retain(|&it| is_other(it));
        situation.remembered.retain(|(it, _)| is_other(*it));
        situation.internal.retain(|it| it.session != root);
        situation.external.retain(|it| it.session != root);
        situation.timers.retain(|it| it.queued.sender != root);
    }

    /// Ends a session that has come to its end, and tells the one that invoked it.
    pub(super) fn ended(&mut self, path: Cursor) -> Vec<Cursor> {
        let root = path.session;
        let Some(last) = self.final_state(&path.situation, root) else {
            return vec![path];
        };
        let mut paths = self.leave_all(vec![path]);
        paths.retain_mut(|path| match self.child_with(&path.situation, root) {
            None => true,
            Some(child) => self.report_end(path, &child, last).is_ok(),
        });
        paths
    }

    fn report_end(&mut self, path: &mut Cursor, child: &Child, last: usize) -> Result<(), Stop> {
        let (root, id) = (path.session, self.invoke_of(child).id.clone());
        let values = self.done_values(path, last)?;
        let done = format!("done.invoke.{id}");
        self.tell(path, PARENT, (&done, &values), None)?;
        path.situation.children.retain(|it| it != child);
        self.purge(&mut path.situation, root);
        Ok(())
    }

    /// Sends an event to another session.
    pub(super) fn tell(
        &mut self,
        path: &mut Cursor,
        to: &str,
        (event, values): (&str, &[(String, String)]),
        id: Option<&String>,
    ) -> Result<(), Stop> {
        if let Addressee::Stranger = self.addressee(path, to) {
            let values: Vec<String> = values.iter().map(|(_, value)| value.clone()).collect();
            return self.send(path, event, &values);
        }
        let queued = Queued {
            event: event.to_owned(),
            fields: self.kept(path, event, values)?,
            origin: Origin::External,
            id: id.cloned(),
            session: path.session,
            sender: path.session,
            invoke: None,
        };
        self.deliver(path, to, queued);
        Ok(())
    }

    /// Puts an event where it is addressed to; where nobody is, the sender hears of it.
    pub(super) fn deliver(&mut self, path: &mut Cursor, to: &str, mut queued: Queued) {
        match self.addressee(path, to) {
            Addressee::Running(root) => {
                let child = self.child_with(&path.situation, path.session);
                let child = child.filter(|child| self.chart.root_of(child.state) == root);
                queued.invoke = child.map(|child| self.invoke_of(&child).id.clone());
                queued.session = root;
                path.situation.external.push(queued);
            }
            Addressee::Gone | Addressee::Stranger => self.fail(path, "error.communication"),
        }
    }

    /// Whether the document has the session that is meant.
    pub(super) fn is_session(&self, path: &Cursor, to: &str) -> bool {
        !matches!(self.addressee(path, to), Addressee::Stranger)
    }

    fn addressee(&self, path: &Cursor, to: &str) -> Addressee {
        let situation = &path.situation;
        if to == PARENT {
            return match self.child_with(situation, path.session) {
                Some(child) => Addressee::Running(self.chart.root_of(child.state)),
                None if path.session == 0 => Addressee::Stranger,
                None => Addressee::Gone,
            };
        }
        let chosen = to.strip_prefix("scxml_");
        let chosen = chosen.and_then(|it| it.strip_prefix(CHOSEN)?.parse().ok());
        if let Some(root) = chosen {
            return match root == 0 || self.child_with(situation, root).is_some() {
                true => Addressee::Running(root),
                false => Addressee::Gone,
            };
        }
        let mut children = situation.children.iter();
        let child = children.find(|child| {
            self.chart.root_of(child.state) == path.session && self.invoke_of(child).id == to
        });
        match child {
            Some(child) => Addressee::Running(self.invoke_of(child).root),
            None if self.chart.invokes().any(|(_, it)| it.id == to) => Addressee::Gone,
            None => Addressee::Stranger,
        }
    }

    /// Whether another session sends such an event to this one.
    pub(super) fn is_told(&self, descriptor: &str, session: usize) -> bool {
        let tells = |sender: usize, name: &str| {
            let contents = self.chart.contents_of(|root| root == sender);
            contents.into_iter().any(|content| match content {
                Content::Tell { to, event, .. } => to == name && matches(descriptor, event),
                Content::Delay(delayed) => {
                    delayed.to == Recipient::Session(name.to_owned())
                        && matches(descriptor, &delayed.event)
                }
                _ => false,
            })
        };
        let mut invokes = self.chart.invokes();
        invokes.any(|(state, invoke)| {
            let parent = self.chart.root_of(state);
            parent == session && tells(invoke.root, PARENT)
                || invoke.root == session && tells(parent, &invoke.id)
        })
    }
}
