//! Templates: automata with parameters, and their instances.
//!
//! An instance is the automaton with constants for the values and channels for the channels it
//! was given. Its transitions are called after it, `left.take`, since those of all automata
//! stand side by side.

use super::Checker;
use crate::model::Constant;
use crate::syntax::ast::{self, Action, ExprKind, Name};

impl Checker<'_> {
    /// The automaton that an instance is.
    pub(super) fn instance(&mut self, file: &ast::File, instance: &ast::Instance) {
        let name = &instance.template;
        let templates = file.items.iter().filter_map(|item| match item {
            ast::Item::Automaton(automaton) if !automaton.parameters.is_empty() => Some(automaton),
            _ => None,
        });
        let Some(template) = templates.into_iter().find(|it| it.name.text == name.text) else {
            let message = format!(
                "there is no template `{}`: an automaton with parameters, as in \
                 `automaton {}(id: Int)`",
                name.text, name.text
            );
            return self.fail(name.span, message);
        };
        let (expected, found) = (template.parameters.len(), instance.arguments.len());
        if expected != found {
            let message = format!("`{}` takes {expected} values, not {found}", name.text);
            return self.fail(name.span, message);
        }
        let mut automaton = template.clone();
        automaton.name = instance.name.clone();
        let mut is_whole = true;
        for (parameter, argument) in template.parameters.iter().zip(&instance.arguments) {
            is_whole &= self.bind(&mut automaton, parameter, argument).is_some();
        }
        if is_whole {
            self.prefix = Some(instance.name.text.clone());
            self.automaton(&automaton);
            self.prefix = None;
        }
    }

    /// Gives a parameter of the automaton that comes next its argument.
    fn bind(
        &mut self,
        automaton: &mut ast::Automaton,
        parameter: &ast::Parameter,
        argument: &ast::Expr,
    ) -> Option<()> {
        let Some(ty) = &parameter.ty else {
            let ExprKind::Name(channel) = &argument.kind else {
                self.fail(argument.span, "a channel should be here");
                return None;
            };
            self.channel_named(&Name {
                text: channel.clone(),
                span: argument.span,
            })?;
            rename_channel(automaton, &parameter.name.text, channel);
            return Some(());
        };
        let ty = self.ty(ty)?;
        let value = self.value_of(argument, &ty)?;
        let constant = Constant {
            name: parameter.name.text.clone(),
            ty,
            value,
            is_parameter: false,
        };
        let number = self.model.automata.len();
        self.local_constants.push((number, constant));
        Some(())
    }
}

/// Uses another channel wherever the automaton uses this one.
fn rename_channel(automaton: &mut ast::Automaton, old: &str, new: &str) {
    for transition in &mut automaton.transitions {
        let then = transition.then.iter_mut().map(|(action, _)| action);
        for action in [&mut transition.action].into_iter().chain(then) {
            if let Action::Input { channel, .. } | Action::Output { channel, .. } = action
                && channel.text == old
            {
                new.clone_into(&mut channel.text);
            }
        }
    }
}
