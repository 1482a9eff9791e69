//! Automata: states, variables and transitions.

use super::{Checker, LEAVES, expression};
use crate::model::{Action, Assignment, Automaton, Place, Transition, Variable};
use crate::syntax::ast::{self, Name};
use crate::types::Type;

impl Checker<'_> {
    pub(super) fn automaton(&mut self, written: &ast::Automaton) {
        let number = self.model.automata.len();
        if self
            .model
            .automata
            .iter()
            .any(|known| known.name == written.name.text)
        {
            self.twice(&written.name, "automaton");
        }
        self.automaton = number;
        let written = &self.flattened(written);
        let transitions = self.expanded(written);
        let mut states: Vec<String> = Vec::new();
        let mut add = |name: &Name| {
            if !states.contains(&name.text) {
                states.push(name.text.clone());
            }
        };
        written.initial.iter().for_each(&mut add);
        written.states.iter().for_each(&mut add);
        // States that are declared nowhere are those that transitions leave;
        // one that is only entered is more likely misspelt.
        transitions
            .iter()
            .for_each(|transition| add(&transition.from));
        let initial = match &written.initial {
            Some(initial) => states.iter().position(|state| *state == initial.text),
            None => None,
        };
        if written.initial.is_none() {
            let message = format!(
                "the automaton `{}` has no initial state: write `initial STATE`",
                written.name.text
            );
            self.fail(written.name.span, message);
        }
        self.model.automata.push(Automaton {
            name: written.name.text.clone(),
            limits: vec![None; states.len()],
            states,
            initial: initial.unwrap_or(0),
        });
        self.written.push(written.clone());
        for variable in &written.variables {
            self.variable(variable, Some(number));
        }
        for (state, limit) in &written.limits {
            self.limit(state, limit);
        }
        for transition in &transitions {
            self.transition(transition);
        }
    }

    /// A variable of an automaton, or one that all share.
    pub(super) fn variable(&mut self, written: &ast::Variable, automaton: Option<usize>) {
        let name = &written.name;
        let is_clash = |known: &Variable| match automaton {
            Some(own) => known.is_visible_in(own),
            None => known.automaton.is_none(),
        };
        let mut known = self.model.variables.iter();
        if known.any(|known| known.name == name.text && is_clash(known)) {
            return self.twice(name, "variable");
        }
        if self.constant_named(&name.text).is_some() {
            let message = format!("`{}` is a constant; call the variable otherwise", name.text);
            return self.fail(name.span, message);
        }
        let Some(ty) = self.ty(&written.ty) else {
            return self.spoil(name);
        };
        let initial = match &written.initial {
            None => Some(ty.default_values()),
            Some(expr) if matches!(expr.kind, ast::ExprKind::Any) => None,
            Some(expr) => self
                .value_of(expr, &ty)
                .or_else(|| Some(ty.default_values())),
        };
        let offset = self.model.leaf_count();
        if offset + ty.size() > LEAVES {
            return self.fail(name.span, format!("more than {LEAVES} values are too many"));
        }
        self.model.variables.push(Variable {
            name: name.text.clone(),
            automaton,
            ty,
            offset,
            initial,
            is_clock: written.is_clock,
        });
    }

    fn transition(&mut self, written: &ast::Transition) {
        let number = self.model.transitions.len();
        let name = match &written.name {
            Some(name) => {
                let whole = match &self.prefix {
                    Some(instance) => format!("{instance}.{}", name.text),
                    None => name.text.clone(),
                };
                if self.model.transition(&whole).is_some() {
                    self.twice(name, "transition");
                }
                whole
            }
            None => format!("t{}", number + 1),
        };
        let guard = match &written.guard {
            Some(guard) => self.expression_of(guard, &Type::Bool),
            None => Some(expression::truth()),
        };
        let action = self.action(&written.action);
        let mut assignments = Vec::new();
        for written in &written.assignments {
            let Some(place) = self.place(&written.target) else {
                // Its own mistakes are reported all the same.
                self.expression(&written.value, None);
                continue;
            };
            if let Some(value) = self.expression_of(&written.value, &place.ty.clone()) {
                assignments.push(Assignment {
                    place,
                    value,
                    is_joined: written.is_joined,
                });
            }
        }
        let (from, to) = (self.state(&written.from), self.state(&written.to));
        let (Some(guard), Some(action), Some(from), Some(to)) = (guard, action, from, to) else {
            return;
        };
        let text = &self.text[written.span.start..written.span.end];
        self.model.transitions.push(Transition {
            name,
            automaton: self.automaton,
            from,
            to,
            guard,
            action,
            assignments,
            requirements: written.requirements.clone(),
            line: written.span.location(self.text).line,
            text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        });
    }

    pub(super) fn state(&mut self, name: &Name) -> Option<usize> {
        let states = &self.model.automata[self.automaton].states;
        let found = states.iter().position(|state| *state == name.text);
        if found.is_none() {
            let message = format!(
                "`{}` is entered but no transition leaves it: if it is meant to be an end, \
                 declare it with `state {}`",
                name.text, name.text
            );
            self.fail(name.span, message);
        }
        found
    }

    fn action(&mut self, written: &ast::Action) -> Option<Action> {
        match written {
            ast::Action::Internal => Some(Action::Internal),
            ast::Action::Input {
                channel,
                targets,
                condition,
            } => {
                let condition = match condition {
                    Some(condition) => self.expression_of(condition, &Type::Bool),
                    None => Some(expression::truth()),
                };
                let places: Vec<Option<Place>> = targets.iter().map(|t| self.place(t)).collect();
                let (number, payload) = self.payload(channel, targets.len())?;
                let places: Vec<Place> = places.into_iter().collect::<Option<_>>()?;
                for ((place, ty), target) in places.iter().zip(&payload).zip(targets) {
                    if place.ty != *ty {
                        let message = format!(
                            "the channel gives {}, the variable is {}",
                            ty.with_article(),
                            place.ty.with_article()
                        );
                        self.fail(target.span, message);
                    }
                }
                let mut whole: Vec<usize> = places.iter().map(|place| place.offset).collect();
                whole.sort_unstable();
                let plain = places.iter().all(|place| place.steps.is_empty());
                if plain && whole.windows(2).any(|pair| pair[0] == pair[1]) {
                    self.fail(channel.span, "a variable takes two values at once");
                }
                Some(Action::Input {
                    channel: number,
                    targets: places,
                    condition: condition?,
                })
            }
            ast::Action::Output { channel, values } => {
                let found = self.payload(channel, values.len());
                let Some((number, payload)) = found else {
                    for value in values {
                        self.expression(value, None);
                    }
                    return None;
                };
                let pairs = values.iter().zip(&payload);
                let values: Vec<_> = pairs
                    .map(|(value, ty)| self.expression_of(value, ty))
                    .collect();
                Some(Action::Output {
                    channel: number,
                    values: values.into_iter().collect::<Option<_>>()?,
                })
            }
        }
    }

    /// The channel's number.
    pub(super) fn channel_named(&mut self, channel: &Name) -> Option<usize> {
        let number = self.model.channel(&channel.text);
        if number.is_none() {
            let message = format!(
                "there is no channel `{}`; declare it with `channel {}`",
                channel.text, channel.text
            );
            self.missing(&channel.text, channel.span, message);
        }
        number
    }

    /// The channel's number and what goes through it.
    fn payload(&mut self, channel: &Name, found: usize) -> Option<(usize, Vec<Type>)> {
        let number = self.channel_named(channel)?;
        let payload = self.model.channels[number].payload.clone();
        if payload.len() != found {
            let expected = payload.len();
            let message = format!(
                "the channel `{}` has {expected} values, not {found}",
                channel.text
            );
            self.fail(channel.span, message);
            return None;
        }
        Some((number, payload))
    }

    /// Automata synchronize on a channel that one writes and another reads.
    pub(super) fn find_shared_channels(&mut self) {
        for channel in 0..self.model.channels.len() {
            let users = |input: bool| -> Vec<usize> {
                let transitions = self.model.transitions.iter();
                let uses = transitions.filter(|transition| match transition.action {
                    Action::Input { channel: used, .. } => used == channel && input,
                    Action::Output { channel: used, .. } => used == channel && !input,
                    Action::Internal => false,
                });
                uses.map(|transition| transition.automaton).collect()
            };
            let (readers, writers) = (users(true), users(false));
            let is_shared = readers
                .iter()
                .any(|reader| writers.iter().any(|writer| writer != reader));
            self.model.channels[channel].is_shared = is_shared;
        }
    }
}
