//! Which states a transition leaves and enters: the procedures of SCXML's appendix D, with
//! their names.

use super::super::chart::{Chart, Kind, Recipient, Transition};
use super::super::script::Constant;
use rustc_hash::FxHashSet;

/// What is known of a chart before any condition is decided.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Situation {
    /// The active states, in the order of the document.
    pub active: Vec<usize>,
    /// By history: the states it remembers.
    pub remembered: Vec<(usize, Vec<usize>)>,
    /// Events that were raised.
    pub internal: Vec<Queued>,
    /// Events that the chart sent to itself.
    pub external: Vec<Queued>,
    /// Events under way, in order.
    pub timers: Vec<Timer>,
    /// The variables that are followed, with their values, in order.
    pub known: Vec<(String, Constant)>,
    /// States that were entered, and whose charts are not yet invoked.
    pub pending: Vec<usize>,
    /// The charts that run beside the first one, in order.
    pub children: Vec<Child>,
}

/// A chart that was invoked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Child {
    /// The state that it runs beside, and which of its charts it is.
    pub state: usize,
    pub number: usize,
    /// Whether it has yet to begin.
    pub is_starting: bool,
}

/// An event that comes after some time.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Timer {
    /// Which of the chart's delayed events it is, and which of those at once.
    pub number: usize,
    pub slot: usize,
    pub id: Option<String>,
    pub queued: Queued,
    pub millis: u64,
    pub to: Recipient,
}

/// An event that waits; its values are in variables.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Queued {
    pub event: String,
    pub fields: Vec<String>,
    pub origin: Origin,
    /// The name that it was sent by.
    pub id: Option<String>,
    /// The roots of the sessions that get it and that sent it.
    pub session: usize,
    pub sender: usize,
    /// What the session that sent it is called by the one that invoked it.
    pub invoke: Option<String>,
}

/// Where an event of the chart itself comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Origin {
    /// It was raised.
    Internal,
    /// It was sent.
    External,
    /// It tells of errors, or that states are done.
    Platform,
    /// It came to another session from outside, and was passed on.
    Forwarded,
}

/// The states to enter.
#[derive(Default)]
pub(super) struct Entry {
    pub states: Vec<usize>,
    /// Those whose initial transition is taken.
    pub by_default: FxHashSet<usize>,
    /// States whose history leads somewhere for the first time, and the history.
    pub by_history: Vec<(usize, usize)>,
}

impl Chart {
    /// The transitions of which none leaves what another one leaves: those of inner states
    /// go before those of outer ones, and earlier ones before later ones.
    pub(super) fn without_conflicts(
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
            let is_inner = |other: &Transition| self.is_ancestor(other.source, transition.source);
            if against.iter().all(is_inner) {
                kept = rest;
                kept.push(transition);
            }
        }
        kept
    }

    /// The states that a transition leaves.
    pub(super) fn exit_set(&self, situation: &Situation, transition: &Transition) -> Vec<usize> {
        if transition.targets.is_empty() {
            return Vec::new();
        }
        let domain = self.domain(situation, transition);
        let active = situation.active.iter().copied();
        active
            .filter(|&state| self.is_ancestor(domain, state))
            .collect()
    }

    /// Lets the histories of a state that is left remember what was active in it.
    pub(super) fn remember(&self, situation: &mut Situation, state: usize) {
        for &history in &self.states[state].histories {
            let is_deep = self.states[history].kind == Kind::History { deep: true };
            let active = situation.active.iter().copied();
            let remembered = active.filter(|&it| match is_deep {
                true => self.is_atomic(it) && self.is_ancestor(state, it),
                false => self.states[it].parent == Some(state),
            });
            let remembered = remembered.collect();
            situation.remembered.retain(|(it, _)| *it != history);
            situation.remembered.push((history, remembered));
            situation.remembered.sort_unstable();
        }
    }

    /// Drops what histories remember that will remember anew before they are used: those of
    /// active states, unless a transition within the state leads to them.
    pub(super) fn forget(&self, situation: &mut Situation) {
        let Situation {
            active, remembered, ..
        } = situation;
        remembered.retain(|(history, _)| {
            let parent = self.states[*history].parent.unwrap_or(0);
            let transitions = self.states.iter().flat_map(|it| &it.transitions);
            let mut inside = transitions.filter(|transition| {
                transition.source == parent || self.is_ancestor(parent, transition.source)
            });
            !active.contains(&parent) || inside.any(|it| it.targets.contains(history))
        });
    }

    /// What the transitions enter, from the outside in.
    pub(super) fn entry_set(&self, situation: &Situation, transitions: &[Transition]) -> Entry {
        let mut entry = Entry::default();
        for transition in transitions {
            let domain = self.domain(situation, transition);
            for &target in &transition.targets {
                self.add_descendants(situation, target, &mut entry);
            }
            for target in self.effective_targets(situation, transition) {
                self.add_ancestors(situation, target, domain, &mut entry);
            }
        }
        entry.states.sort_unstable();
        entry.states.dedup();
        entry.states.retain(|it| !situation.active.contains(it));
        entry
    }

    /// Whether a state has come to its end.
    pub(super) fn is_done(&self, situation: &Situation, state: usize) -> bool {
        let it = &self.states[state];
        let mut children = it.children.iter();
        match it.kind {
            Kind::Parallel => children.all(|&child| self.is_done(situation, child)),
            Kind::State | Kind::Final | Kind::History { .. } => children.any(|child| {
                self.states[*child].kind == Kind::Final && situation.active.contains(child)
            }),
        }
    }

    /// The innermost state that a transition stays in.
    fn domain(&self, situation: &Situation, transition: &Transition) -> usize {
        let targets = self.effective_targets(situation, transition);
        let source = transition.source;
        let is_compound =
            |state: usize| self.states[state].kind == Kind::State && !self.is_atomic(state);
        let holds_all = |state: usize| targets.iter().all(|&it| self.is_ancestor(state, it));
        if transition.is_internal && is_compound(source) && holds_all(source) {
            return source;
        }
        let mut ancestors = self.ancestors(source);
        ancestors
            .find(|&state| is_compound(state) && holds_all(state))
            .unwrap_or(self.root_of(source))
    }

    /// The targets of a transition, with what histories lead to in their place.
    fn effective_targets(&self, situation: &Situation, transition: &Transition) -> Vec<usize> {
        let mut found = Vec::new();
        for &target in &transition.targets {
            match self.states[target].kind {
                Kind::History { .. } => found.extend(self.recalled(situation, target)),
                Kind::State | Kind::Parallel | Kind::Final => found.push(target),
            }
        }
        found
    }

    /// What a history leads to. One whose default is a history leads where that does, but
    /// not round and round.
    fn recalled(&self, situation: &Situation, history: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let (mut waiting, mut seen) = (vec![history], FxHashSet::default());
        while let Some(state) = waiting.pop() {
            let is_history = matches!(self.states[state].kind, Kind::History { .. });
            let remembered = situation.remembered.iter().find(|(it, _)| *it == state);
            match (remembered, &self.states[state].initial) {
                _ if !is_history => found.push(state),
                _ if !seen.insert(state) => {}
                (Some((_, states)), _) => found.extend(states),
                (None, Some(initial)) => waiting.extend(&initial.targets),
                (None, None) => {}
            }
        }
        found
    }

    fn add_descendants(&self, situation: &Situation, state: usize, entry: &mut Entry) {
        // A chart that comes back to a state while it enters it was entered that far.
        if entry.states.contains(&state) && entry.by_default.contains(&state) {
            return;
        }
        let it = &self.states[state];
        match it.kind {
            Kind::History { .. } => {
                let mut remembered = situation.remembered.iter();
                let is_first = !remembered.any(|(known, _)| *known == state);
                if let Some(parent) = it.parent.filter(|_| is_first) {
                    entry.by_history.push((parent, state));
                }
                let recalled = self.recalled(situation, state);
                self.add_all(situation, &recalled, it.parent.unwrap_or(0), entry);
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
                self.add_all(situation, &initial.targets, state, entry);
            }
        }
    }

    /// The states with what is in them, and then what is around them within another one:
    /// a region that holds one of the states must not be entered by default.
    fn add_all(&self, situation: &Situation, states: &[usize], to: usize, entry: &mut Entry) {
        for &state in states {
            self.add_descendants(situation, state, entry);
        }
        for &state in states {
            self.add_ancestors(situation, state, to, entry);
        }
    }

    fn add_ancestors(&self, situation: &Situation, state: usize, to: usize, entry: &mut Entry) {
        let between = self.ancestors(state).take_while(|&it| it != to);
        let between = between.filter(|&it| self.states[it].parent.is_some());
        let between: Vec<usize> = between.collect();
        for ancestor in between {
            entry.states.push(ancestor);
            if self.states[ancestor].kind == Kind::Parallel {
                self.add_regions(situation, ancestor, entry);
            }
        }
    }

    /// The regions of a parallel state that are not entered already.
    fn add_regions(&self, situation: &Situation, parallel: usize, entry: &mut Entry) {
        for &region in &self.states[parallel].children {
            let is_inside = |&it: &usize| it == region || self.is_ancestor(region, it);
            if !entry.states.iter().any(is_inside) {
                self.add_descendants(situation, region, entry);
            }
        }
    }
}
