//! Parallel regions: `state on { region sound { … } region light { … } }`.
//!
//! While such a state lasts, one state of each region does. The flat automaton has a state for each
//! way they can be together, `quiet.dark`, as far as transitions lead there. What a region sends or
//! does by itself is its own step; an input is taken at once by every region that can take it, as
//! statecharts have it.

use super::hierarchy::both;
use super::{Checker, LEAVES};
use crate::model::Operator;
use crate::syntax::Span;
use crate::syntax::ast::{Action, Automaton, Composite, Expr, ExprKind, Name, Transition};
use rustc_hash::{FxHashMap, FxHashSet};

/// The innermost states that last together, in the order of the text.
type Together = Vec<String>;

/// Transitions that are taken at once for an input, at most one in each region, and those that
/// could have been taken in regions that stay as they are.
#[derive(Clone, Default)]
struct Reaction<'a> {
    taken: Vec<&'a Transition>,
    refused: Vec<&'a Transition>,
}

/// In how many ways regions may take an input in a state.
const REACTIONS: usize = 1000;

impl Checker<'_> {
    /// The automaton with a state for each way in which states of regions last together.
    pub(super) fn without_regions(&mut self, written: &Automaton) -> Automaton {
        let tree = Tree::new(written);
        let mut flat = written.clone();
        flat.composites.clear();
        flat.transitions.clear();
        flat.limits.clear();
        if !self.regions_are_right(written, &tree) {
            return flat;
        }
        let Some(initial) = &written.initial else {
            return flat;
        };
        let start = tree.entered(&initial.text);
        flat.initial = Some(named(&joined(&start), initial.span));
        let (mut known, mut open) = (FxHashSet::default(), vec![start]);
        known.extend(open.first().map(joined));
        while let Some(together) = open.pop() {
            if let Some(limit) = tree.limit(written, &together) {
                let state = named(&joined(&together), written.name.span);
                flat.limits.push((state, limit));
            }
            for (transition, next) in self.leaving(written, &tree, &together) {
                flat.transitions.push(transition);
                // A state that is nowhere else is a mistake, to be found where it is entered.
                let is_declared = next.iter().all(|state| tree.states.contains(&state[..]));
                if is_declared && known.insert(joined(&next)) {
                    open.push(next);
                }
            }
            if flat.transitions.len() > LEAVES {
                let message = format!("more than {LEAVES} transitions are too many");
                self.fail(written.name.span, message);
                break;
            }
        }
        let reached: FxHashSet<&str> = known.iter().flat_map(|it| it.split('.')).collect();
        flat.states.retain(|state| {
            !tree.composites.contains_key(&state.text[..]) && !reached.contains(&state.text[..])
        });
        let all = known.iter().map(|state| named(state, written.name.span));
        let mut all: Vec<Name> = all.collect();
        all.sort_by(|a, b| a.text.cmp(&b.text));
        flat.states.extend(all);
        name_apart(&mut flat.transitions);
        flat
    }

    fn regions_are_right(&mut self, written: &Automaton, tree: &Tree<'_>) -> bool {
        let before = self.faults.len();
        for transition in &written.transitions {
            let ends = [&transition.from, &transition.to];
            if let Some(end) = ends.into_iter().find(|end| tree.is_region(&end.text)) {
                let message = format!("`{}` is a region, not a state", end.text);
                self.fail(end.span, message);
            } else if tree.crosses(&transition.from.text, &transition.to.text) {
                let message = "a transition does not lead from one region into another";
                self.fail(transition.to.span, message);
            }
        }
        self.faults.len() == before
    }

    /// The transitions that leave states together, and the states where each leads.
    fn leaving(
        &mut self,
        written: &Automaton,
        tree: &Tree<'_>,
        together: &Together,
    ) -> Vec<(Transition, Together)> {
        let from = named(&joined(together), written.name.span);
        let active: Vec<Transition> = self.decided(written, tree, together);
        let mut channels: Vec<&str> = Vec::new();
        let mut reactions: Vec<Reaction<'_>> = Vec::new();
        for transition in &active {
            match &transition.action {
                Action::Internal | Action::Output { .. } => reactions.push(Reaction {
                    taken: vec![transition],
                    refused: Vec::new(),
                }),
                Action::Input { channel, .. } if channels.contains(&channel.text.as_str()) => {}
                Action::Input { channel, .. } => {
                    channels.push(&channel.text);
                    let takes = |it: &&Transition| receives(it, &channel.text);
                    let all: Vec<&Transition> = active.iter().filter(takes).collect();
                    for top in tree.tops(together) {
                        let Some(found) = tree.reactions(top, together, &all) else {
                            let message = "too many regions can take the input at once";
                            self.fail(channel.span, message);
                            return Vec::new();
                        };
                        reactions.extend(found);
                    }
                }
            }
        }
        let mut found = Vec::new();
        for reaction in reactions {
            let Some(mut whole) = self.combined(&reaction) else {
                continue;
            };
            let mut next = together.clone();
            for part in &reaction.taken {
                next = tree.after(&next, &part.from.text, &part.to.text);
            }
            if let Some(name) = &mut whole.name
                && tree.composites.contains_key(&whole.from.text[..])
            {
                name.text = format!("{}.{}", name.text, from.text);
            }
            whole.from = from.clone();
            let last = reaction.taken.last().map(|part| part.to.span);
            whole.to = named(&joined(&next), last.unwrap_or(whole.span));
            found.push((whole, next));
        }
        found
    }

    /// The transitions that can leave one of the states, with conditions for `else`: that no
    /// other can be taken of the state, of those around it and of those in it.
    fn decided(
        &mut self,
        written: &Automaton,
        tree: &Tree<'_>,
        together: &Together,
    ) -> Vec<Transition> {
        let active = written.transitions.iter();
        let active = active.filter(|it| tree.is_active(&it.from.text, together));
        let active: Vec<&Transition> = active.collect();
        let mut found = Vec::new();
        for &transition in &active {
            let mut own = transition.clone();
            if own.is_else {
                own.is_inherited |= tree.composites.contains_key(&own.from.text[..]);
                let is_other = |other: &&&Transition| {
                    let (a, b) = (&other.from.text[..], &own.from.text[..]);
                    other.span != own.span && (tree.is_inside(a, b) || tree.is_inside(b, a))
                };
                let others: Vec<&Transition> = active.iter().filter(is_other).copied().collect();
                self.decide_else(&others, &mut own);
                own.is_else = false;
            }
            found.push(own);
        }
        found
    }

    /// Transitions that are taken at once, as one.
    fn combined(&mut self, reaction: &Reaction<'_>) -> Option<Transition> {
        let (first, others) = reaction.taken.split_first()?;
        let mut whole = (*first).clone();
        for other in others.iter().chain(&reaction.refused) {
            if !super::expansion::receives_alike(&first.action, &other.action) {
                let message = "regions that take from one channel put what comes into the same \
                               variables";
                self.fail(other.span, message);
                return None;
            }
        }
        for other in others {
            whole.name = match (whole.name, &other.name) {
                (Some(one), Some(two)) => {
                    Some(named(&format!("{}.{}", one.text, two.text), one.span))
                }
                _ => None,
            };
            whole
                .requirements
                .extend(other.requirements.iter().cloned());
            whole.guard = all(whole.guard, other.guard.clone());
            require(&mut whole.action, condition(&other.action));
            let last = whole.then.last_mut().map(|(_, assignments)| assignments);
            let assignments = last.unwrap_or(&mut whole.assignments);
            assignments.extend(other.assignments.iter().cloned());
            whole.then.extend(other.then.iter().cloned());
        }
        for other in &reaction.refused {
            // One that can always be taken is never refused.
            let taken = all(other.guard.clone(), condition(&other.action))?;
            let not = Expr {
                span: taken.span,
                kind: ExprKind::Not(Box::new(taken)),
            };
            require(&mut whole.action, Some(not));
        }
        Some(whole)
    }
}

/// Where states are in each other.
struct Tree<'a> {
    composites: FxHashMap<&'a str, &'a Composite>,
    /// The state or the region around one.
    around: FxHashMap<&'a str, &'a str>,
    /// All states: those that are declared, and those that transitions leave.
    states: FxHashSet<&'a str>,
}

impl<'a> Tree<'a> {
    fn new(written: &'a Automaton) -> Tree<'a> {
        let composites = written.composites.iter();
        let inside = written.composites.iter().flat_map(|composite| {
            let inside = composite.inside.iter();
            inside.map(|state| (state.text.as_str(), composite.name.text.as_str()))
        });
        let left = written.transitions.iter().map(|it| &it.from);
        let declared = written.states.iter().chain(&written.initial).chain(left);
        Tree {
            composites: composites.map(|it| (it.name.text.as_str(), it)).collect(),
            around: inside.collect(),
            states: declared.map(|state| state.text.as_str()).collect(),
        }
    }

    fn is_parallel(&self, state: &str) -> bool {
        self.composites.get(state).is_some_and(|it| it.is_parallel)
    }

    fn is_region(&self, name: &str) -> bool {
        let around = self.around.get(name);
        around.is_some_and(|around| self.is_parallel(around))
    }

    /// The state with those around it, the outermost first.
    fn chain<'s>(&'s self, state: &'s str) -> Vec<&'s str> {
        let mut found = vec![state];
        while let Some(&around) = found.last().and_then(|state| self.around.get(state)) {
            found.push(around);
        }
        found.reverse();
        found
    }

    fn is_inside(&self, state: &str, other: &str) -> bool {
        self.chain(state).contains(&other)
    }

    fn is_active(&self, state: &str, together: &Together) -> bool {
        together.iter().any(|leaf| self.is_inside(leaf, state))
    }

    /// The states that are entered with a state.
    fn entered(&self, state: &str) -> Together {
        self.entered_on_the_way(state, state)
    }

    /// The states that are entered with a state, on the way to one in it.
    fn entered_on_the_way(&self, state: &str, target: &str) -> Together {
        let Some(composite) = self.composites.get(state) else {
            return vec![state.to_owned()];
        };
        let chain = self.chain(target);
        let is_on_the_way = |inner: &&Name| chain.contains(&inner.text.as_str());
        let towards = composite.inside.iter().find(is_on_the_way);
        let begins = match composite.is_parallel {
            true => composite.inside.iter().collect(),
            false => towards
                .or(composite.initial.as_ref())
                .into_iter()
                .collect::<Vec<_>>(),
        };
        let entered = begins.into_iter().flat_map(|inner| {
            let target = match is_on_the_way(&inner) {
                true => target,
                false => inner.text.as_str(),
            };
            self.entered_on_the_way(&inner.text, target)
        });
        entered.collect()
    }

    /// What of the chains of two states is around both.
    fn common(&self, from: &str, to: &str) -> usize {
        let (a, b) = (self.chain(from), self.chain(to));
        let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
        same.min(a.len() - 1).min(b.len() - 1)
    }

    /// Whether the states are in two regions of one state.
    fn crosses(&self, from: &str, to: &str) -> bool {
        let common = self.common(from, to);
        common > 0 && self.is_parallel(self.chain(from)[common - 1])
    }

    /// The states after a transition.
    fn after(&self, together: &Together, from: &str, to: &str) -> Together {
        let common = self.common(from, to);
        let left = self.chain(from)[common];
        let entered = self.chain(to)[common];
        let mut entered = Some(self.entered_on_the_way(entered, to));
        let mut next = Vec::new();
        for leaf in together {
            match self.is_inside(leaf, left) {
                true => next.extend(entered.take().into_iter().flatten()),
                false => next.push(leaf.clone()),
            }
        }
        next
    }

    /// The outermost states of states that last together.
    fn tops<'s>(&'s self, together: &'s Together) -> Vec<&'s str> {
        let mut found: Vec<&str> = Vec::new();
        for leaf in together {
            let top = self.chain(leaf)[0];
            if !found.contains(&top) {
                found.push(top);
            }
        }
        found
    }

    /// How an active state or region can take an input with these transitions; none if there
    /// are too many ways.
    fn reactions<'t>(
        &self,
        state: &str,
        together: &Together,
        all: &[&'t Transition],
    ) -> Option<Vec<Reaction<'t>>> {
        let own = all.iter().filter(|it| it.from.text == state);
        let mut found: Vec<Reaction<'_>> = own
            .map(|&transition| Reaction {
                taken: vec![transition],
                refused: Vec::new(),
            })
            .collect();
        let Some(composite) = self.composites.get(state) else {
            return Some(found);
        };
        let active = composite.inside.iter();
        let active = active.filter(|inner| self.is_active(&inner.text, together));
        let inner = active.map(|inner| {
            let reactions = self.reactions(&inner.text, together, all)?;
            Some((&inner.text, reactions))
        });
        let inner: Vec<(&String, Vec<Reaction<'_>>)> = inner.collect::<Option<_>>()?;
        if !composite.is_parallel {
            found.extend(inner.into_iter().flat_map(|(_, reactions)| reactions));
            return Some(found);
        }
        let mut together = vec![Reaction::default()];
        for (region, reactions) in inner {
            let stays = |it: &Transition| self.is_inside(&it.to.text, region);
            let (inside, leaving): (Vec<_>, Vec<_>) = reactions
                .into_iter()
                .partition(|it| it.taken.iter().all(|part| stays(part)));
            // What leaves the state leaves all of its regions, whatever they would have done.
            found.extend(leaving);
            if together.len() * (inside.len() + 1) > REACTIONS {
                return None;
            }
            together = combined_with(&together, &inside);
        }
        found.extend(together.into_iter().filter(|it| !it.taken.is_empty()));
        Some(found)
    }

    /// How long states may last together.
    fn limit(&self, written: &Automaton, together: &Together) -> Option<Expr> {
        let limits = written.limits.iter();
        let limits = limits.filter(|(state, _)| self.is_active(&state.text, together));
        limits.map(|(_, limit)| limit.clone()).reduce(both)
    }
}

/// What regions do together, where one more of them can do these things, or nothing.
fn combined_with<'t>(before: &[Reaction<'t>], inside: &[Reaction<'t>]) -> Vec<Reaction<'t>> {
    let mut found = Vec::new();
    for known in before {
        let mut idle = known.clone();
        idle.refused.extend(inside.iter().flat_map(|it| &it.taken));
        found.push(idle);
        for reaction in inside {
            let mut both = known.clone();
            both.taken.extend(&reaction.taken);
            both.refused.extend(&reaction.refused);
            found.push(both);
        }
    }
    found
}

/// Names transitions after the states they leave, where several stand for what was written once.
fn name_apart(transitions: &mut [Transition]) {
    let mut count: FxHashMap<String, usize> = FxHashMap::default();
    for transition in &*transitions {
        if let Some(name) = &transition.name {
            *count.entry(name.text.clone()).or_default() += 1;
        }
    }
    for transition in transitions {
        if let Some(name) = &mut transition.name
            && count[&name.text] > 1
        {
            name.text = format!("{}.{}", name.text, transition.from.text);
        }
    }
}

fn receives(transition: &Transition, channel: &str) -> bool {
    matches!(&transition.action, Action::Input { channel: own, .. } if own.text == channel)
}

fn condition(action: &Action) -> Option<Expr> {
    match action {
        Action::Input { condition, .. } => condition.clone(),
        Action::Internal | Action::Output { .. } => None,
    }
}

/// Makes an input one that is taken only where this holds too.
fn require(action: &mut Action, what: Option<Expr>) {
    if let Action::Input { condition, .. } = action {
        *condition = all(condition.take(), what);
    }
}

fn all(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let span = a.span;
            let kind = ExprKind::Binary(Operator::And, Box::new(a), Box::new(b));
            Some(Expr { kind, span })
        }
        (one, None) | (None, one) => one,
    }
}

fn joined(together: &Together) -> String {
    together.join(".")
}

fn named(text: &str, span: Span) -> Name {
    Name {
        text: text.to_owned(),
        span,
    }
}
