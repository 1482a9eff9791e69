//! Faults in time: deadlines that come too early or too late, and clocks that begin anew where
//! they should go on.
//!
//! A deadline stands in a model twice, where a state has to be left and where it may be, and a
//! system has it once: both are changed together. With one of them changed alone, the mutant
//! could still do what the model does.

use super::faulty::number;
use super::mutants::{Mutant, mutant};
use crate::liveness::Liveness;
use crate::model::{Action, Assignment, Expr, ExprKind, Model, Operator, Place, Variable};
use crate::property::{clock_of, comparisons};
use crate::types::Type;
use crate::written::expression_text;

/// The mutants of a model with such faults; none where there are no clocks.
pub(super) fn mutants(model: &Model) -> Vec<Mutant> {
    let Some(delay) = model.delay() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (clock, bound) in deadlines(model) {
        for operator in [Operator::Add, Operator::Subtract] {
            found.push(moved(model, delay, clock, &bound, operator));
        }
    }
    resets(model, delay, &mut found);
    found
}

/// Clocks, and what each is compared with both in a limit and in the condition of a transition.
fn deadlines(model: &Model) -> Vec<(usize, Expr)> {
    let (mut in_limits, mut in_conditions) = (Vec::new(), Vec::new());
    for limit in model.automata.iter().flat_map(|it| &it.limits).flatten() {
        comparisons(model, limit, &mut in_limits);
    }
    for transition in &model.transitions {
        comparisons(model, &transition.guard, &mut in_conditions);
        if let Action::Input { condition, .. } = &transition.action {
            comparisons(model, condition, &mut in_conditions);
        }
    }
    let mut found: Vec<(usize, Expr)> = Vec::new();
    for (clock, bound) in in_limits {
        let is_known = found.iter().any(|it| it.0 == clock && it.1 == *bound);
        if !is_known && in_conditions.contains(&(clock, bound)) {
            found.push((clock, bound.clone()));
        }
    }
    found
}

/// The model with a deadline that is a second later, or earlier.
fn moved(model: &Model, delay: usize, clock: usize, bound: &Expr, operator: Operator) -> Mutant {
    let wrong = Expr {
        kind: ExprKind::Binary(
            operator,
            Box::new(bound.clone()),
            Box::new(number(&Type::Real, 1)),
        ),
        ty: Type::Real,
    };
    let mut mutated = model.clone();
    let mut changed = vec![delay];
    let automata = &mut mutated.automata;
    for limit in automata.iter_mut().flat_map(|it| &mut it.limits).flatten() {
        replace(model, limit, clock, bound, &wrong);
    }
    for (number, transition) in mutated.transitions.iter_mut().enumerate() {
        let mut is_changed = replace(model, &mut transition.guard, clock, bound, &wrong);
        if let Action::Input { condition, .. } = &mut transition.action {
            is_changed |= replace(model, condition, clock, bound, &wrong);
        }
        if is_changed {
            changed.push(number);
        }
    }
    let when = match operator {
        Operator::Add => "late",
        _ => "early",
    };
    let mut clocks = model.variables.iter().filter(|it| it.offset == clock);
    let name = clocks.next().map_or("", |it| &it.name);
    Mutant {
        model: mutated,
        changed,
        is_local: false,
        fault: format!(
            "the deadline {} of {name} is a second too {when}",
            expression_text(model, bound)
        ),
    }
}

/// Puts another bound in place of the one that a clock is compared with; whether there was one.
fn replace(model: &Model, expr: &mut Expr, clock: usize, bound: &Expr, wrong: &Expr) -> bool {
    let mut is_changed = false;
    if let ExprKind::Binary(operator, left, right) = &mut expr.kind
        && operator.compares()
    {
        let sides = match (clock_of(model, left), clock_of(model, right)) {
            (Some(it), None) if it == clock => Some(right),
            (None, Some(it)) if it == clock => Some(left),
            _ => None,
        };
        if let Some(side) = sides.filter(|side| ***side == *bound) {
            **side = wrong.clone();
            return true;
        }
    }
    for part in expr.children_mut() {
        is_changed |= replace(model, part, clock, bound, wrong);
    }
    is_changed
}

/// Clocks that a transition resets although they are read later.
fn resets(model: &Model, delay: usize, found: &mut Vec<Mutant>) {
    let liveness = Liveness::of(model, &[]);
    for (number, transition) in model.transitions.iter().enumerate() {
        if number == delay {
            continue;
        }
        let mut location: Vec<usize> = model.automata.iter().map(|it| it.initial).collect();
        location[transition.automaton] = transition.to;
        let clocks = model.variables.iter().filter(|it| {
            let mut set = transition.assignments.iter();
            it.is_clock
                && it.automaton == Some(transition.automaton)
                && liveness.forgotten(&location, it.offset).is_none()
                && !set.any(|assignment| assignment.place.offset == it.offset)
        });
        for clock in clocks {
            let mut wrong = transition.clone();
            wrong.assignments.push(reset(clock));
            let fault = format!("resets {}", clock.name);
            found.push(mutant(model, number, wrong, fault));
        }
    }
}

fn reset(clock: &Variable) -> Assignment {
    Assignment {
        place: Place {
            offset: clock.offset,
            variable: Type::Real,
            steps: Vec::new(),
            ty: Type::Real,
        },
        value: number(&Type::Real, 0),
        is_joined: false,
    }
}
