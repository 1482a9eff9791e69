//! Which variables are read again before they are overwritten.

use crate::model::{Action, Expr, ExprKind, Model, Place, Step, Transition};
use rustc_hash::FxHashSet;
use term::Value;

/// By automaton and state: the variables, by their first leaves, whose values matter.
pub(crate) struct Liveness {
    live: Vec<Vec<FxHashSet<usize>>>,
    /// By leaf: its variable's first leaf, automaton, and what variables begin as.
    leaves: Vec<LeafOf>,
}

struct LeafOf {
    variable: usize,
    /// None where its value always matters.
    automaton: Option<usize>,
    default: Value,
}

impl Liveness {
    /// What these expressions read matters everywhere.
    pub fn of(model: &Model, read: &[&Expr]) -> Liveness {
        let mut always = FxHashSet::default();
        for expr in read {
            reads(expr, &FxHashSet::default(), &mut always);
        }
        let mut leaves = Vec::new();
        for variable in &model.variables {
            let kept = always.contains(&variable.offset);
            for default in variable.ty.default_values() {
                leaves.push(LeafOf {
                    variable: variable.offset,
                    automaton: variable.automaton.filter(|_| !kept),
                    default,
                });
            }
        }
        let automata = model.automata.iter();
        let mut live: Vec<Vec<FxHashSet<usize>>> = automata
            .map(|automaton| {
                let limits = automaton.limits.iter().map(|limit| {
                    let mut found = FxHashSet::default();
                    if let Some(limit) = limit {
                        reads(limit, &FxHashSet::default(), &mut found);
                    }
                    found
                });
                limits.collect()
            })
            .collect();
        loop {
            let mut has_grown = false;
            for transition in &model.transitions {
                let after = &live[transition.automaton][transition.to];
                let before = needed(transition, after);
                let known = &mut live[transition.automaton][transition.from];
                for variable in before {
                    has_grown |= known.insert(variable);
                }
            }
            if !has_grown {
                return Liveness { live, leaves };
            }
        }
    }

    /// What stands for a leaf whose value does not matter there; none if it does.
    pub fn forgotten(&self, location: &[usize], leaf: usize) -> Option<&Value> {
        let it = &self.leaves[leaf];
        let automaton = it.automaton?;
        let live = &self.live[automaton][location[automaton]];
        (!live.contains(&it.variable)).then_some(&it.default)
    }
}

/// The variables whose values matter before a transition, from those that do after it.
fn needed(transition: &Transition, after: &FxHashSet<usize>) -> FxHashSet<usize> {
    let (mut read, mut set) = (FxHashSet::default(), FxHashSet::default());
    reads(&transition.guard, &set, &mut read);
    match &transition.action {
        Action::Internal => {}
        Action::Output { values, .. } => {
            for value in values {
                reads(value, &set, &mut read);
            }
        }
        Action::Input {
            targets, condition, ..
        } => {
            for target in targets {
                takes(target, &mut set, &mut read);
            }
            reads(condition, &set, &mut read);
        }
    }
    for group in transition.assignments.chunk_by(|_, next| next.is_joined) {
        for assignment in group {
            reads(&assignment.value, &set, &mut read);
        }
        for assignment in group {
            takes(&assignment.place, &mut set, &mut read);
        }
    }
    read.extend(after.difference(&set));
    read
}

/// A place takes a value: the variable is set if it takes all of it. Where it takes a part, the
/// rest stays, and the length of a list says whether there is such a part.
fn takes(place: &Place, set: &mut FxHashSet<usize>, read: &mut FxHashSet<usize>) {
    for step in &place.steps {
        if let Step::Index(index) = step {
            reads(index, set, read);
        }
    }
    if place.steps.is_empty() {
        set.insert(place.offset);
    } else if !set.contains(&place.offset) {
        read.insert(place.offset);
    }
}

/// Adds the variables that an expression reads and that were not set before.
fn reads(expr: &Expr, set: &FxHashSet<usize>, found: &mut FxHashSet<usize>) {
    if let ExprKind::Variable(offset) = expr.kind
        && !set.contains(&offset)
    {
        found.insert(offset);
    }
    for part in expr.children() {
        reads(part, set, found);
    }
}
