//! Clocks: `clock x`, guards on them, and `state s while x <= 5`.
//!
//! A clock is a Real that begins as 0 and grows with time. That time passes is a step of one
//! more automaton, which takes `delay(d)` from the environment and adds `d` to every clock;
//! it can be taken only if what `while` says of the states that the automata are in holds
//! afterwards. Such a condition says how large clocks may be at most, so that it then held all
//! the time before too. It is the invariant of Alur and Dill, *A theory of timed automata*,
//! 1994, except that a state may be entered without it: it must then be left at once.

use super::{Checker, expression};
use crate::model::{
    Action, Assignment, Automaton, Channel, DELAY, Expr, ExprKind, Operator, Place, Transition,
    Variable,
};
use crate::syntax::Span;
use crate::syntax::ast::{self, Name};
use crate::types::Type;

impl Checker<'_> {
    /// How long the automaton may stay in a state.
    pub(super) fn limit(&mut self, state: &Name, written: &ast::Expr) {
        let (Some(number), Some(limit)) =
            (self.state(state), self.expression_of(written, &Type::Bool))
        else {
            return;
        };
        if !self.is_upper_bound(&limit) {
            let message = "`while` says how large clocks may become: `x <= 5`, `x < limit`, or \
                           several of these with `and`";
            return self.fail(written.span, message);
        }
        let known = &mut self.model.automata[self.automaton].limits[number];
        if known.is_some() {
            return self.twice(state, "limit for the state");
        }
        *known = Some(limit);
    }

    /// Whether the condition, once it does not hold, does not hold later either.
    fn is_upper_bound(&self, limit: &Expr) -> bool {
        match &limit.kind {
            ExprKind::Binary(Operator::And, a, b) => {
                self.is_upper_bound(a) && self.is_upper_bound(b)
            }
            ExprKind::Binary(Operator::Less | Operator::LessEqual, clock, bound) => {
                self.is_clock(clock) && !self.has_clock(bound)
            }
            _ => false,
        }
    }

    fn is_clock(&self, expr: &Expr) -> bool {
        let clocks = self.model.variables.iter().filter(|it| it.is_clock);
        let mut offsets = clocks.map(|it| it.offset);
        matches!(expr.kind, ExprKind::Variable(offset) if offsets.any(|it| it == offset))
    }

    fn has_clock(&self, expr: &Expr) -> bool {
        let parts = expr.children();
        self.is_clock(expr) || parts.into_iter().any(|part| self.has_clock(part))
    }

    /// Lets time pass, if there are clocks.
    pub(super) fn insert_time(&mut self, file: &ast::File) {
        let clocks = self.model.variables.iter().filter(|it| it.is_clock);
        let clocks: Vec<usize> = clocks.map(|clock| clock.offset).collect();
        if clocks.is_empty() {
            return;
        }
        let channels = file.items.iter().filter_map(|item| match item {
            ast::Item::Channel(channel) => Some(&channel.name),
            _ => None,
        });
        if let Some(name) = channels.into_iter().find(|name| name.text == DELAY) {
            let message = "where there are clocks, `delay` is the channel on which time passes; \
                           call this one otherwise";
            return self.fail(name.span, message);
        }
        let (channel, automaton) = (self.model.channels.len(), self.model.automata.len());
        self.model.time = Some(channel);
        self.model.channels.push(Channel {
            name: DELAY.to_owned(),
            payload: vec![Type::Real],
            names: vec!["seconds".to_owned()],
            is_shared: false,
            is_visible: false,
        });
        self.model.automata.push(Automaton {
            name: "time".to_owned(),
            states: vec!["passing".to_owned()],
            initial: 0,
            limits: vec![None],
        });
        let passed = self.passed(automaton);
        let mut assignments: Vec<Assignment> = clocks
            .into_iter()
            .map(|clock| advanced(clock, &passed))
            .collect();
        // How long the last delay was is no part of the state.
        assignments.push(assignment(&passed, expression::default_of(&Type::Real)));
        self.model.transitions.push(Transition {
            name: format!("time.{DELAY}"),
            automaton,
            from: 0,
            to: 0,
            guard: expression::truth(),
            action: Action::Input {
                channel,
                targets: vec![passed],
                condition: expression::truth(),
            },
            assignments,
            requirements: Vec::new(),
            line: Span::default().location(self.text).line,
            text: "time passes".to_owned(),
        });
    }

    /// The variable that takes how much time passed.
    fn passed(&mut self, automaton: usize) -> Place {
        let offset = self.model.leaf_count();
        self.model.variables.push(Variable {
            name: "time.passed".to_owned(),
            automaton: Some(automaton),
            ty: Type::Real,
            offset,
            initial: Some(Type::Real.default_values()),
            is_clock: false,
        });
        real_at(offset)
    }
}

fn real_at(offset: usize) -> Place {
    Place {
        offset,
        variable: Type::Real,
        steps: Vec::new(),
        ty: Type::Real,
    }
}

fn assignment(place: &Place, value: Expr) -> Assignment {
    Assignment {
        place: place.clone(),
        value,
        is_joined: false,
    }
}

/// The clock is later by as much as passed.
fn advanced(clock: usize, passed: &Place) -> Assignment {
    let variable = |offset: usize| Expr {
        kind: ExprKind::Variable(offset),
        ty: Type::Real,
    };
    let (before, by) = (variable(clock), variable(passed.offset));
    let later = Expr {
        kind: ExprKind::Binary(Operator::Add, Box::new(before), Box::new(by)),
        ty: Type::Real,
    };
    assignment(&real_at(clock), later)
}
