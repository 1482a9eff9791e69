//! Conditions on a whole model, which no automaton of it owns: those of properties.
//!
//! A variable goes by its name where one automaton alone has it, and by `automaton.name`
//! everywhere.

use super::Checker;
use crate::model::{Expr, ExprKind, Variable};
use crate::syntax::ast::{self, Name};
use crate::syntax::{Fault, Span, parse, parse_condition};
use crate::types::Type;

/// A condition on the variables of a model, whose text this is.
///
/// # Errors
///
/// What is wrong with the condition, or with the model.
pub fn condition_on(
    text: &str,
    settings: &[(String, String)],
    condition: &str,
) -> Result<Expr, Vec<Fault>> {
    let (file, faults) = parse(text);
    let mut checker = Checker::new(text, faults);
    checker.file(&file, settings);
    if !checker.faults.is_empty() {
        return Err(checker.faults);
    }
    let (written, faults) = parse_condition(condition);
    let Some(written) = written.filter(|_| faults.is_empty()) else {
        return Err(faults);
    };
    checker.automaton = match checker.model.automata.len() {
        1 => 0,
        _ => EVERYWHERE,
    };
    match checker.expression_of(&written, &Type::Bool) {
        Some(expr) if checker.faults.is_empty() => Ok(expr),
        _ => Err(checker.faults),
    }
}

/// No automaton, and all of them.
const EVERYWHERE: usize = usize::MAX;

impl Checker<'_> {
    /// The variable of this name that one automaton has, where none is in scope.
    pub(super) fn variable_anywhere(&mut self, name: &str, span: Span) -> Option<Expr> {
        if self.automaton != EVERYWHERE || self.parameters.is_some() {
            return None;
        }
        let own = self.model.variables.iter().filter(|it| it.name == name);
        let own = own.map(|it| (it.automaton, variable_expression(it)));
        match &own.collect::<Vec<_>>()[..] {
            [] => None,
            [(_, variable)] => Some(variable.clone()),
            several => {
                let owners = several.iter().filter_map(|it| it.0);
                let owners = owners.map(|it| format!("{}.{name}", self.model.automata[it].name));
                let owners: Vec<String> = owners.collect();
                let message = format!(
                    "several automata have a `{name}`: write {}",
                    owners.join(" or ")
                );
                self.fail(span, message);
                None
            }
        }
    }

    /// The variable that `automaton.name` is, if it is one.
    pub(super) fn variable_of(&self, owner: &ast::Expr, field: &Name) -> Option<Expr> {
        let ast::ExprKind::Name(owner) = &owner.kind else {
            return None;
        };
        if self.automaton != EVERYWHERE || self.parameters.is_some() {
            return None;
        }
        let automata = &self.model.automata;
        let automaton = automata.iter().position(|it| it.name == *owner)?;
        // Those of queues are called after them.
        let whole = format!("{owner}.{}", field.text);
        let mut own = self.model.variables.iter();
        own.find(|it| it.automaton == Some(automaton) && [&field.text, &whole].contains(&&it.name))
            .map(variable_expression)
    }
}

fn variable_expression(variable: &Variable) -> Expr {
    Expr {
        kind: ExprKind::Variable(variable.offset),
        ty: variable.ty.clone(),
    }
}
