//! State diagrams in PlantUML and Mermaid: `A --> B : event [guard] / action`.
//!
//! The event is an input, the action an output or an assignment. Both languages are for
//! drawing, so a label may be any text; one that is no event, guard and action is refused,
//! as are states within states and everything else that has a meaning which a flat automaton
//! cannot have. Lines about the picture alone are passed over.

use super::{Arrow, Declared, ImportError, Imported, finished, name, script};

/// The model of a state diagram in PlantUML.
///
/// # Errors
///
/// When it is none, or has something that models do not.
pub fn plantuml(text: &str) -> Result<Imported, ImportError> {
    let begins = text.find("@startuml").ok_or(ImportError::NoModel)?;
    let inside = &text[begins..];
    let inside = inside.split_once('\n').map_or("", |(_, rest)| rest);
    let inside = inside.split("@enduml").next().unwrap_or_default();
    Diagram::default().read(inside, "'")
}

/// The model of a state diagram in Mermaid.
///
/// # Errors
///
/// When it is none, or has something that models do not.
pub fn mermaid(text: &str) -> Result<Imported, ImportError> {
    let begins = text.find("stateDiagram").ok_or(ImportError::NoModel)?;
    let inside = text[begins..].split_once('\n').map_or("", |(_, rest)| rest);
    let inside = inside.split("```").next().unwrap_or_default();
    Diagram::default().read(inside, "%%")
}

#[derive(Default)]
struct Diagram {
    states: Vec<String>,
    initial: Option<String>,
    channels: Vec<(String, Vec<&'static str>)>,
    variables: Vec<Declared>,
    arrows: Vec<Arrow>,
    refused: Vec<String>,
    notes: Vec<String>,
    /// Whether a note of several lines goes on.
    in_note: bool,
}

/// The state that `[*]` stands for at the end of an arrow.
const END: &str = "end_";

impl Diagram {
    fn read(mut self, text: &str, comment: &str) -> Result<Imported, ImportError> {
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with(comment) {
                self.line(number + 2, line);
            }
        }
        if self.initial.is_none() && self.refused.is_empty() {
            return Err(ImportError::NoInitialState);
        }
        let initial = self.initial.clone().unwrap_or_default();
        finished(
            "imported",
            &self.channels,
            &self.variables,
            &initial,
            &self.states,
            &self.arrows,
            self.notes,
            self.refused,
        )
    }

    fn line(&mut self, number: usize, line: &str) {
        if self.in_note {
            self.in_note = !line.starts_with("end note");
            return;
        }
        if let Some((from, rest)) = arrow(line) {
            return self.transition(number, from, rest);
        }
        let word = line.split_whitespace().next().unwrap_or_default();
        let about_the_picture = [
            "title",
            "caption",
            "skinparam",
            "scale",
            "hide",
            "show",
            "direction",
            "left",
            "top",
            "classDef",
            "class",
            "style",
            "footer",
            "header",
            "!theme",
            "legend",
        ];
        match word {
            "note" => self.in_note = !line.contains(':'),
            "state" if !line.contains(['{', '<', '[']) => self.declare(number, line),
            _ if about_the_picture.contains(&word) => {}
            // `A : what is shown in the state`
            _ if line
                .split_once(':')
                .is_some_and(|(state, _)| is_word(state.trim())) =>
            {
                let note = format!("line {number}: the description `{line}`");
                self.notes.push(note);
            }
            _ if is_word(line) => {
                self.state(line);
            }
            _ => self.refused.push(format!("line {number}: `{line}`")),
        }
    }

    /// `state A`, `state "text" as A`, `state A : text`.
    fn declare(&mut self, number: usize, line: &str) {
        let rest = line.trim_start_matches("state").trim();
        let named = rest.rsplit_once(" as ").map_or(rest, |(_, name)| name);
        let named = named.split(':').next().unwrap_or_default().trim();
        match is_word(named) {
            true => {
                self.state(named);
            }
            false => self.refused.push(format!("line {number}: `{line}`")),
        }
    }

    fn transition(&mut self, number: usize, from: &str, rest: &str) {
        let (to, label) = match rest.split_once(':') {
            Some((to, label)) => (to.trim(), label.trim()),
            None => (rest.trim(), ""),
        };
        let history = |state: &str| state.contains("[H") || !(state == "[*]" || is_word(state));
        if history(from) || history(to) {
            let what = format!("line {number}: `{from} --> {to}`");
            return self.refused.push(what);
        }
        let to = match to {
            "[*]" => self.state(END),
            to => self.state(to),
        };
        if from == "[*]" {
            match (&self.initial, label) {
                (None, "") => self.initial = Some(to),
                _ => {
                    let what = format!("line {number}: another beginning, or one with a label");
                    self.refused.push(what);
                }
            }
            return;
        }
        let from = self.state(from);
        match self.labelled(label, from.clone(), to) {
            Ok(()) => {}
            Err(what) => {
                let what = format!("line {number}: the label `{label}`: it has {what}");
                self.refused.push(what);
            }
        }
    }

    /// `event [guard] / action; action`.
    fn labelled(&mut self, label: &str, from: String, to: String) -> Result<(), String> {
        let (label, actions) = match label.split_once('/') {
            Some((label, actions)) => (label.trim(), actions.trim()),
            None => (label, ""),
        };
        let (event, guard) = match label.split_once('[') {
            Some((event, guard)) => {
                let guard = guard
                    .trim()
                    .strip_suffix(']')
                    .ok_or("a guard without end")?;
                (event.trim(), guard.trim())
            }
            None => (label, ""),
        };
        let mut arrow = Arrow {
            from,
            ..Arrow::default()
        };
        if !event.is_empty() {
            let channel = self.channel(event)?;
            arrow.action = Some(format!("{channel}?"));
        }
        if !guard.is_empty() {
            let guard = script::expression(guard, &mut |field| field.to_owned())?;
            arrow.guards.push(guard);
        }
        for action in actions
            .split(';')
            .map(str::trim)
            .filter(|it| !it.is_empty())
        {
            if let Ok(assignment) = script::assignment(action) {
                if let Ok(variable) = script::declaration(action) {
                    self.variable(variable);
                }
                arrow.assignments.push(assignment);
                continue;
            }
            let channel = self.channel(action.trim_end_matches("()"))?;
            if arrow.action.is_some() || !arrow.assignments.is_empty() {
                let between = format!("{}_{}", arrow.from, self.arrows.len() + 1);
                let between = super::distinct_from(&self.states, &between);
                self.states.push(between.clone());
                arrow.to = between.clone();
                self.arrows.push(std::mem::take(&mut arrow));
                arrow.from = between;
            }
            arrow.action = Some(format!("{channel}!"));
        }
        arrow.to = to;
        self.arrows.push(arrow);
        Ok(())
    }

    /// Variables begin as nothing; the first constant that is assigned says the type.
    fn variable(&mut self, variable: Declared) {
        if !self.variables.iter().any(|it| it.name == variable.name) {
            let value = script::plain_value(variable.ty).to_owned();
            self.variables.push(Declared { value, ..variable });
        }
    }

    fn channel(&mut self, text: &str) -> Result<String, String> {
        if !text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_ .-".contains(c))
        {
            return Err(format!("`{text}`, which is no name"));
        }
        let channel = name(text.trim());
        if !self.channels.iter().any(|(known, _)| *known == channel) {
            self.channels.push((channel.clone(), Vec::new()));
        }
        Ok(channel)
    }

    fn state(&mut self, text: &str) -> String {
        let state = name(text);
        if !self.states.contains(&state) {
            self.states.push(state.clone());
        }
        state
    }
}

/// The state before an arrow and what follows it: `-->`, `->`, `-right->`, `-[#blue]->`.
fn arrow(line: &str) -> Option<(&str, &str)> {
    let end = line.find('>')?;
    let begin = line[..end].find('-')?;
    let shaft = &line[begin..end];
    let is_shaft = shaft.ends_with('-') && !shaft.contains([':', ' ']);
    is_shaft.then(|| (line[..begin].trim(), &line[end + 1..]))
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
