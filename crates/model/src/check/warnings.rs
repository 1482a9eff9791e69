//! What is allowed and probably not meant.

use crate::model::{Action, Model, Run};
use crate::syntax::Fault;
use crate::syntax::ast;

/// The warnings, in the order of the text.
pub(super) fn of(file: &ast::File, automata: &[ast::Automaton], model: &Model) -> Vec<Fault> {
    let mut found = Vec::new();
    for (number, written) in automata.iter().enumerate() {
        unreachable_states(model, number, written, &mut found);
    }
    for item in &file.items {
        match item {
            ast::Item::Automaton(template) if !template.parameters.is_empty() => {
                let is_used = file.items.iter().any(|item| {
                    matches!(item, ast::Item::Instance(it) if it.template.text == template.name.text)
                });
                if !is_used {
                    let name = &template.name.text;
                    let message = format!(
                        "nothing is an instance of `{name}`: write `instance NAME = {name}(…)`"
                    );
                    found.push(Fault::new(template.name.span, message));
                }
            }
            ast::Item::Channel(ast::Channel { name, .. }) => {
                let number = model.channel(&name.text);
                let used = model
                    .transitions
                    .iter()
                    .any(|transition| match transition.action {
                        Action::Input { channel, .. } | Action::Output { channel, .. } => {
                            Some(channel) == number
                        }
                        Action::Internal => false,
                    });
                if !used {
                    let message = format!("no transition uses the channel `{}`", name.text);
                    found.push(Fault::new(name.span, message));
                }
            }
            ast::Item::Function(function) => {
                let known = model
                    .functions
                    .iter()
                    .find(|f| f.name == function.name.text);
                let silent = known.is_some_and(|function| {
                    function.run == Run::Table
                        && function.rows.is_empty()
                        && function.files.is_empty()
                });
                if silent {
                    let message = format!(
                        "nothing says what `{}` gives: bind it with native, command or table",
                        function.name.text
                    );
                    found.push(Fault::new(function.name.span, message));
                }
            }
            _ => {}
        }
    }
    found.sort_by_key(|fault| fault.span.start);
    found.dedup();
    found
}

fn unreachable_states(
    model: &Model,
    automaton: usize,
    written: &ast::Automaton,
    found: &mut Vec<Fault>,
) {
    let states = &model.automata[automaton].states;
    let mut reached = vec![false; states.len()];
    let mut stack = vec![model.automata[automaton].initial];
    while let Some(state) = stack.pop() {
        if std::mem::replace(&mut reached[state], true) {
            continue;
        }
        let leaving = model.transitions.iter();
        let leaving = leaving.filter(|t| t.automaton == automaton && t.from == state);
        stack.extend(leaving.map(|transition| transition.to));
    }
    for (state, name) in states.iter().enumerate() {
        if reached[state] {
            continue;
        }
        let declared = written.states.iter().find(|written| written.text == *name);
        let left = written
            .transitions
            .iter()
            .map(|t| &t.from)
            .find(|from| from.text == *name);
        let span = declared
            .or(left)
            .map_or(written.name.span, |name| name.span);
        found.push(Fault::new(
            span,
            format!("no transitions lead to the state `{name}`"),
        ));
    }
}
