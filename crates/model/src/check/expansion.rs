//! What a transition stands for: `else` is that no other one can be taken, and several outputs
//! are as many steps.

use super::Checker;
use crate::model::Operator;
use crate::syntax::Span;
use crate::syntax::ast::{Action, Automaton, Expr, ExprKind, Name, Transition};

impl Checker<'_> {
    /// The transitions of an automaton with one action each, and conditions for `else`.
    pub(super) fn expanded(&mut self, written: &Automaton) -> Vec<Transition> {
        let before = self.model.transitions.len();
        let mut found: Vec<Transition> = Vec::new();
        for transition in &written.transitions {
            let mut transition = transition.clone();
            if transition.is_else {
                let is_other = |other: &&Transition| {
                    other.from.text == transition.from.text && other.span != transition.span
                };
                let others: Vec<&Transition> =
                    written.transitions.iter().filter(is_other).collect();
                self.decide_else(&others, &mut transition);
            }
            match transition.then.is_empty() {
                true => found.push(transition),
                false => {
                    let number = before + found.len() + 1;
                    found.extend(steps(transition, number));
                }
            }
        }
        found
    }

    /// Gives a transition the condition that no other one with the same kind of action can
    /// be taken: for an input, those that receive on the channel; else those that do not
    /// receive.
    pub(super) fn decide_else(&mut self, others: &[&Transition], transition: &mut Transition) {
        let span = transition.from.span;
        let competes = |other: &&&Transition| match (&other.action, &transition.action) {
            (Action::Input { channel, .. }, Action::Input { channel: own, .. }) => {
                channel.text == own.text
            }
            (Action::Input { .. }, _) | (_, Action::Input { .. }) => false,
            (Action::Internal | Action::Output { .. }, _) => true,
        };
        let others: Vec<&Transition> = others.iter().filter(competes).copied().collect();
        let mut refused: Option<Expr> = None;
        for other in others {
            if other.is_else {
                return self.fail(span, "two transitions with `else` leave the state");
            }
            if !receives_alike(&other.action, &transition.action) {
                let message = "`else` is for inputs that go to the same variables";
                return self.fail(span, message);
            }
            let condition = match &other.action {
                Action::Input { condition, .. } => condition.clone(),
                Action::Internal | Action::Output { .. } => None,
            };
            let decision = match (other.guard.clone(), condition) {
                (Some(guard), Some(condition)) => binary(Operator::And, guard, condition, span),
                (Some(one), None) | (None, Some(one)) => one,
                (None, None) => name("true", span),
            };
            let not = Expr {
                kind: ExprKind::Not(Box::new(decision)),
                span,
            };
            refused = Some(match refused {
                Some(refused) => binary(Operator::And, refused, not, span),
                None => not,
            });
        }
        let Some(refused) = refused else {
            if transition.is_inherited {
                return;
            }
            return self.fail(
                span,
                "there is no other transition that `else` could be about",
            );
        };
        match &mut transition.action {
            // What comes is known only behind the input.
            Action::Input { condition, .. } => {
                *condition = Some(match condition.take() {
                    Some(own) => binary(Operator::And, refused, own, span),
                    None => refused,
                });
            }
            Action::Internal | Action::Output { .. } => transition.guard = Some(refused),
        }
    }
}

/// A transition as one step for each of its actions. No name that a person writes has a
/// point in it, so theirs are new.
fn steps(mut transition: Transition, number: usize) -> Vec<Transition> {
    let span = transition.span;
    let base = match &transition.name {
        Some(name) => name.text.clone(),
        None => format!("t{number}"),
    };
    let named = |count: usize| Name {
        text: format!("{base}.{count}"),
        span,
    };
    let then = std::mem::take(&mut transition.then);
    let end = transition.to.clone();
    let mut found = vec![transition];
    for (index, (action, assignments)) in then.into_iter().enumerate() {
        let between = named(index + 1);
        let last = found.last_mut().expect("the first is there");
        last.to = between.clone();
        let requirements = last.requirements.clone();
        found.push(Transition {
            name: Some(named(index + 2)),
            requirements,
            from: between,
            to: end.clone(),
            guard: None,
            is_else: false,
            is_inherited: false,
            action,
            assignments,
            then: Vec::new(),
            span,
        });
    }
    found
}

/// Whether two inputs put what comes into the same variables.
pub(super) fn receives_alike(a: &Action, b: &Action) -> bool {
    let (Action::Input { targets: a, .. }, Action::Input { targets: b, .. }) = (a, b) else {
        return true;
    };
    let is_same = |(a, b): (&Expr, &Expr)| match (&a.kind, &b.kind) {
        (ExprKind::Name(a), ExprKind::Name(b)) => a == b,
        _ => false,
    };
    a.len() == b.len() && a.iter().zip(b).all(is_same)
}

fn binary(operator: Operator, left: Expr, right: Expr, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
        span,
    }
}

fn name(text: &str, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Name(text.to_owned()),
        span,
    }
}
