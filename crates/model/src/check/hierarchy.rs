//! States in states: `state on { initial idle … }`.
//!
//! Only the innermost states are states of the model. One that is around others stands for all
//! of them where a transition leaves it, and for the one it begins with where one enters it; how
//! long it may last holds for each of them. Several transitions that can be taken in a state,
//! its own and those of states around it, are a choice as anywhere else; `when else` on the
//! outer one leaves the inner ones the right of way, as statecharts have it.

use super::{Checker, LEAVES};
use crate::model::Operator;
use crate::syntax::ast::{Automaton, Composite, Expr, ExprKind, Name, Transition};
use rustc_hash::{FxHashMap, FxHashSet};

impl Checker<'_> {
    /// The automaton with the innermost states alone.
    pub(super) fn flattened(&mut self, written: &Automaton) -> Automaton {
        let mut flat = written.clone();
        if written.composites.is_empty() || !self.is_tree(written) {
            flat.composites.clear();
            return flat;
        }
        if written.composites.iter().any(|it| it.is_parallel) {
            return self.without_regions(written);
        }
        let hierarchy = Hierarchy::new(written);
        let is_outer = |name: &Name| hierarchy.composites.contains_key(&name.text[..]);
        flat.states.retain(|state| !is_outer(state));
        flat.initial = flat.initial.map(|state| hierarchy.entered(&state));
        flat.limits = hierarchy.limits(&written.limits);
        flat.transitions.clear();
        for transition in &written.transitions {
            let leaving = hierarchy.innermost(&transition.from);
            for from in &leaving {
                let mut own: Transition = transition.clone();
                own.to = hierarchy.entered(&transition.to);
                if is_outer(&transition.from) {
                    own.name = own.name.map(|name| Name {
                        text: format!("{}.{}", name.text, from.text),
                        span: name.span,
                    });
                    own.is_inherited = true;
                }
                own.from = from.clone();
                flat.transitions.push(own);
            }
            if flat.transitions.len() > LEAVES {
                let message = format!("more than {LEAVES} transitions are too many");
                self.fail(transition.span, message);
                break;
            }
        }
        flat
    }

    /// Whether every state is in at most one other, and each that has some inside begins
    /// with one of them.
    fn is_tree(&mut self, written: &Automaton) -> bool {
        let before = self.faults.len();
        let (mut inside, mut outer) = (FxHashSet::default(), FxHashSet::default());
        for composite in &written.composites {
            if !outer.insert(composite.name.text.as_str()) {
                self.twice(&composite.name, "state with states in it called");
            }
            let initial = composite.initial.as_ref();
            if initial.is_none() && !composite.is_parallel {
                let message = format!(
                    "the state `{0}` has no initial state inside: write `initial STATE`",
                    composite.name.text
                );
                self.fail(composite.name.span, message);
                continue;
            }
            let around = |name: &Name| name.text == composite.name.text;
            for state in &composite.inside {
                if !inside.insert(state.text.as_str()) || around(state) {
                    let message = format!("`{}` is in more than one state", state.text);
                    self.fail(state.span, message);
                }
            }
            if let Some(initial) = initial.filter(|initial| around(initial)) {
                self.fail(initial.span, "a state does not begin with itself");
            }
        }
        // One that is in itself, by way of others, is in no tree.
        let top = |it: &&Composite| !inside.contains(it.name.text.as_str());
        let mut reached: Vec<&Composite> = written.composites.iter().filter(top).collect();
        let mut next = 0;
        while let Some(composite) = reached.get(next).copied() {
            let is_inside = |it: &&Composite| {
                let mut names = composite.inside.iter();
                names.any(|name| name.text == it.name.text)
            };
            if reached.len() <= written.composites.len() {
                reached.extend(written.composites.iter().filter(is_inside));
            }
            next += 1;
        }
        if self.faults.len() == before && reached.len() != written.composites.len() {
            self.fail(written.name.span, "a state is inside itself");
        }
        self.faults.len() == before
    }
}

/// The states that have others inside, by name.
struct Hierarchy<'a> {
    composites: FxHashMap<&'a str, &'a Composite>,
}

impl<'a> Hierarchy<'a> {
    fn new(written: &'a Automaton) -> Hierarchy<'a> {
        let composites = written.composites.iter();
        Hierarchy {
            composites: composites.map(|it| (it.name.text.as_str(), it)).collect(),
        }
    }

    /// The innermost state that is entered with a state.
    fn entered(&self, state: &Name) -> Name {
        let mut found = state.clone();
        while let Some(initial) = self
            .composites
            .get(&found.text[..])
            .and_then(|it| it.initial.as_ref())
        {
            found = Name {
                text: initial.text.clone(),
                span: state.span,
            };
        }
        found
    }

    /// The innermost states that a state stands for.
    fn innermost(&self, state: &Name) -> Vec<Name> {
        match self.composites.get(&state.text[..]) {
            None => vec![state.clone()],
            Some(composite) => {
                let inside = composite.inside.iter();
                inside.flat_map(|state| self.innermost(state)).collect()
            }
        }
    }

    /// What limits say of the innermost states.
    fn limits(&self, written: &[(Name, Expr)]) -> Vec<(Name, Expr)> {
        let mut found: Vec<(Name, Expr)> = Vec::new();
        for (state, limit) in written {
            for inner in self.innermost(state) {
                let mut known = found.iter_mut();
                match known.find(|(known, _)| known.text == inner.text) {
                    Some((_, before)) => *before = both(before.clone(), limit.clone()),
                    None => found.push((inner, limit.clone())),
                }
            }
        }
        found
    }
}

pub(super) fn both(a: Expr, b: Expr) -> Expr {
    let span = a.span;
    Expr {
        kind: ExprKind::Binary(Operator::And, Box::new(a), Box::new(b)),
        span,
    }
}
