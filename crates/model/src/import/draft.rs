//! A model on its way from another format to text.

use super::{ImportError, Imported, name};

/// A model of one automaton, and what was noticed while it was made.
#[derive(Default)]
pub(super) struct Draft {
    pub title: String,
    pub channels: Vec<Channel>,
    pub variables: Vec<Declared>,
    pub initial: String,
    pub states: Vec<String>,
    pub arrows: Vec<Arrow>,
    pub clocks: Vec<String>,
    /// States in which time passes only as long as a condition on clocks holds.
    pub limits: Vec<(String, String)>,
    /// What says nothing about the system, and was left out.
    pub notes: Vec<String>,
    /// What means something and was not understood.
    pub refused: Vec<String>,
}

/// A channel with what goes through it.
pub(super) struct Channel {
    pub name: String,
    /// What the other format calls it.
    origin: String,
    pub values: Vec<Payload>,
}

/// A value that goes through a channel.
pub(super) struct Payload {
    pub ty: &'static str,
    /// Where it is put when it comes.
    pub variable: String,
}

/// A variable that a script declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Declared {
    pub name: String,
    pub ty: &'static str,
    pub value: String,
}

/// A transition.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrow {
    pub from: String,
    pub to: String,
    /// Conditions, all of which hold.
    pub guards: Vec<String>,
    pub action: Action,
    pub assignments: Vec<String>,
    /// The requirements that it is there for.
    pub requirements: Vec<String>,
}

impl Arrow {
    /// Whether anything was done on it yet.
    pub fn has_effects(&self) -> bool {
        !matches!(self.action, Action::Internal) || !self.assignments.is_empty()
    }
}

#[derive(Clone, Debug, Default)]
pub(super) enum Action {
    #[default]
    Internal,
    /// Receives what the channel carries, if that makes the condition hold.
    Input {
        channel: String,
        condition: Option<String>,
    },
    Output {
        channel: String,
        values: Vec<String>,
    },
}

/// The clock of states that are left at once, where there are clocks.
pub(super) const HASTE: &str = "since";
/// What an arrow does that leads to such a state.
pub(super) const AT_ONCE: &str = "since := 0";
/// How long the state lasts.
pub(super) const NO_TIME: &str = "since <= 0";

impl Draft {
    /// The channel for what the other format calls so; two names must not become one.
    pub fn channel(&mut self, origin: &str) -> &mut Channel {
        let name = name(origin);
        let known = self.channels.iter().position(|it| it.name == name);
        let number = known.unwrap_or(self.channels.len());
        if known.is_none() {
            self.channels.push(Channel {
                name,
                origin: origin.to_owned(),
                values: Vec::new(),
            });
        }
        let channel = &mut self.channels[number];
        if channel.origin != origin {
            let what = format!("`{}` and `{origin}`, as one channel", channel.origin);
            self.refused.push(what);
        }
        channel
    }

    /// A state like this one that no other is.
    pub fn new_state(&mut self, wanted: &str) -> String {
        let mut state = wanted.to_owned();
        while self.states.contains(&state) {
            state.push('_');
        }
        self.states.push(state.clone());
        state
    }

    /// Ends an arrow in a state of its own, and goes on from there.
    pub fn pause(&mut self, arrow: &mut Arrow) {
        let between = self.new_state(&format!("{}_{}", arrow.from, self.arrows.len() + 1));
        let mut done = std::mem::take(arrow);
        done.to = between.clone();
        if !self.clocks.is_empty() {
            done.assignments.push(AT_ONCE.to_owned());
            self.limits.push((between.clone(), NO_TIME.to_owned()));
        }
        self.arrows.push(done);
        arrow.from = between;
    }

    /// Declares a variable that is not there yet.
    pub fn declare(&mut self, variable: Declared) {
        if !self.variables.iter().any(|it| it.name == variable.name) {
            self.variables.push(variable);
        }
    }

    /// The model, unless something was refused or does not fit together.
    pub fn finish(self) -> Result<Imported, ImportError> {
        let text = self.written();
        finished(text, self.notes, self.refused)
    }

    fn written(&self) -> String {
        let title = &self.title;
        let mut text = format!("model {title}\n\n");
        for channel in &self.channels {
            let types: Vec<&str> = channel.values.iter().map(|value| value.ty).collect();
            match types.is_empty() {
                true => text += &format!("channel {}\n", channel.name),
                false => text += &format!("channel {}({})\n", channel.name, types.join(", ")),
            }
        }
        text += &format!("\nautomaton {title}_machine {{\n");
        for Declared { name, ty, value } in &self.variables {
            text += &format!("var {name}: {ty} = {value}\n");
        }
        if !self.clocks.is_empty() {
            text += &format!("clock {}\n", self.clocks.join(", "));
        }
        text += &format!("\ninitial {}\n", self.initial);
        for state in &self.states {
            let is_left = self.arrows.iter().any(|arrow| arrow.from == *state);
            let limits = self.limits.iter().filter(|(it, _)| it == state);
            let limits: Vec<&str> = limits.map(|(_, limit)| limit.as_str()).collect();
            if !limits.is_empty() {
                text += &format!("state {state} while {}\n", limits.join(" and "));
            } else if !is_left && *state != self.initial {
                text += &format!("state {state}\n");
            }
        }
        text.push('\n');
        for arrow in &self.arrows {
            text += &self.line(arrow);
        }
        text + "}\n"
    }

    fn line(&self, arrow: &Arrow) -> String {
        let quoted = arrow.requirements.iter().map(|it| format!("{it:?}"));
        let quoted: Vec<String> = quoted.collect();
        let mut text = match quoted.is_empty() {
            true => String::new(),
            false => format!("@req {}\n", quoted.join(", ")),
        };
        text += &format!("{} -> {}", arrow.from, arrow.to);
        if !arrow.guards.is_empty() {
            text += &format!(" when {}", conjunction(&arrow.guards));
        }
        text += &format!(", {}", self.action(&arrow.action));
        for assignment in &arrow.assignments {
            text += &format!(", {assignment}");
        }
        text + "\n"
    }

    fn action(&self, action: &Action) -> String {
        match action {
            Action::Internal => "tau".to_owned(),
            Action::Input { channel, condition } => {
                let known = self.channels.iter().find(|it| it.name == *channel);
                let variables = known.map(|it| it.values.iter());
                let variables = variables.into_iter().flatten();
                let variables: Vec<&str> = variables.map(|it| it.variable.as_str()).collect();
                let condition = condition.as_ref().map(|it| format!(" where {it}"));
                let condition = condition.unwrap_or_default();
                format!("{channel}?{}{condition}", in_brackets(&variables))
            }
            Action::Output { channel, values } => {
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
                format!("{channel}!{}", in_brackets(&values))
            }
        }
    }
}

/// The model of this text, unless something was refused or it is none.
pub(super) fn finished(
    text: String,
    notes: Vec<String>,
    mut refused: Vec<String>,
) -> Result<Imported, ImportError> {
    let text = crate::syntax::format(&text);
    if refused.is_empty()
        && let Err(faults) = crate::check(&text, &[])
    {
        let lines: Vec<&str> = text.lines().collect();
        let shown = faults.iter().map(|fault| {
            let line = fault.span.location(&text).line as usize;
            let shown = lines.get(line - 1).map_or("", |line| line.trim());
            format!("`{shown}`, as a model would say it: {}", fault.message)
        });
        refused.extend(shown);
    }
    match refused.is_empty() {
        true => Ok(Imported { text, notes }),
        false => Err(ImportError::Refused(refused)),
    }
}

fn in_brackets(values: &[&str]) -> String {
    match values.is_empty() {
        true => String::new(),
        false => format!("({})", values.join(", ")),
    }
}

/// All of the conditions, each in brackets where there are several.
pub(super) fn conjunction(conditions: &[String]) -> String {
    match conditions {
        [one] => one.clone(),
        several => {
            let several: Vec<String> = several.iter().map(|it| format!("({it})")).collect();
            several.join(" and ")
        }
    }
}
