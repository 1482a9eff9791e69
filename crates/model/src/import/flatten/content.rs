//! What transitions and states do, put on the arrows of the model.

use super::super::chart::Content;
use super::super::draft::{Action, Payload};
use super::super::script::{self, Scope, Written, both, negated};
use super::super::{Declared, name};
use super::{Cursor, Flattening, Occurring, Queued};

impl Flattening {
    /// Does the content on each of the paths, which fork where it has conditions.
    pub(super) fn execute(&mut self, paths: Vec<Cursor>, content: &[Content]) -> Vec<Cursor> {
        let mut paths = paths;
        for part in content {
            let mut after = Vec::new();
            for path in paths {
                after.extend(self.execute_one(path, part));
            }
            paths = after;
        }
        paths
    }

    fn execute_one(&mut self, mut path: Cursor, content: &Content) -> Vec<Cursor> {
        let is_done = match content {
            Content::Assign { location, value } => self.assign(&mut path, location, value),
            Content::Raise {
                event,
                values,
                is_external,
            } => self.raise(&mut path, event, values, *is_external),
            Content::Send { event, values } => self.send(&mut path, event, values),
            Content::Delay(delayed) => self.delay(&mut path, delayed),
            Content::Cancel(id) => {
                let timers = &mut path.situation.timers;
                timers.retain(|timer| timer.id.as_ref() != Some(id));
                Some(())
            }
            Content::Choice(branches) => {
                // A condition is about what the assignments before left behind.
                if path.arrow.has_effects() {
                    self.draft.pause(&mut path.arrow);
                }
                return self.choose(&path, branches);
            }
        };
        // What could not be done was refused, and the path need not be followed.
        is_done.map(|()| path).into_iter().collect()
    }

    fn assign(&mut self, path: &mut Cursor, location: &str, value: &str) -> Option<()> {
        let value = self.expression(value, path)?;
        let assignment = format!("{} := {}", name(location), value.text);
        path.arrow.assignments.push(assignment);
        Some(())
    }

    /// Queues an event. Its values wait in variables, of which there is one set for each event.
    pub(super) fn raise(
        &mut self,
        path: &mut Cursor,
        event: &str,
        values: &[(String, String)],
        is_external: bool,
    ) -> Option<()> {
        let fields = self.kept(path, event, values)?;
        let queue = match is_external {
            false => &mut path.situation.internal,
            true => &mut path.situation.external,
        };
        queue.push(Queued {
            event: event.to_owned(),
            fields,
        });
        Some(())
    }

    /// Puts the values of an event that waits into its variables; gives their names.
    pub(super) fn kept(
        &mut self,
        path: &mut Cursor,
        event: &str,
        values: &[(String, String)],
    ) -> Option<Vec<String>> {
        let situation = &path.situation;
        let timers = situation.timers.iter().map(|timer| &timer.queued);
        let queued = situation.internal.iter().chain(&situation.external);
        if !values.is_empty() && queued.chain(timers).any(|it| it.event == event) {
            let what = format!("a second `{event}` with values while one waits");
            self.draft.refused.push(what);
            return None;
        }
        let mut fields = Vec::new();
        for (field, value) in values {
            let value = self.expression(value, path)?;
            let variable = field_of(event, field);
            let ty = value.ty.unwrap_or("Int");
            self.draft.declare(Declared {
                name: variable.clone(),
                ty,
                value: script::plain_value(ty).to_owned(),
            });
            let assignment = format!("{variable} := {}", value.text);
            path.arrow.assignments.push(assignment);
            fields.push(field.clone());
        }
        Some(fields)
    }

    fn send(&mut self, path: &mut Cursor, event: &str, values: &[String]) -> Option<()> {
        if path.arrow.has_effects() {
            self.draft.pause(&mut path.arrow);
        }
        let mut written = Vec::new();
        for value in values {
            written.push(self.expression(value, path)?);
        }
        let channel = self.draft.channel(event);
        if channel.values.is_empty() {
            let payload = written.iter().map(|value| Payload {
                ty: value.ty.unwrap_or("Int"),
                variable: String::new(),
            });
            channel.values = payload.collect();
        }
        let channel = channel.name.clone();
        path.arrow.action = Action::Output {
            channel,
            values: written.into_iter().map(|value| value.text).collect(),
        };
        Some(())
    }

    fn choose(
        &mut self,
        path: &Cursor,
        branches: &[(Option<String>, Vec<Content>)],
    ) -> Vec<Cursor> {
        let mut ends = Vec::new();
        let mut otherwise = Written::constant(true);
        for (condition, content) in branches {
            let condition = match condition {
                None => Written::constant(true),
                Some(text) => match self.expression(text, path) {
                    Some(condition) => condition,
                    None => return Vec::new(),
                },
            };
            let taken = path.clone().under(&both(&otherwise, &condition));
            if let Some(taken) = taken {
                ends.extend(self.execute(vec![taken], content));
            }
            otherwise = both(&otherwise, &negated(&condition));
        }
        ends.extend(path.clone().under(&otherwise));
        ends
    }

    /// An expression as models write it; none if it was refused.
    pub(super) fn expression(&mut self, text: &str, cursor: &Cursor) -> Option<Written> {
        let mut scope = Here {
            flattening: self,
            cursor,
        };
        match script::expression(text, &mut scope) {
            Ok(expression) => Some(expression),
            Err(what) => {
                let what = format!("`{text}`: it has {what}");
                if !self.draft.refused.contains(&what) {
                    self.draft.refused.push(what);
                }
                None
            }
        }
    }
}

/// The variable that holds what comes with an event.
pub(super) fn field_of(event: &str, field: &str) -> String {
    name(&format!("{event}_{field}"))
}

/// What names mean on a path.
struct Here<'f, 'c> {
    flattening: &'f mut Flattening,
    cursor: &'c Cursor,
}

impl Scope for Here<'_, '_> {
    fn data(&mut self, field: &str) -> Result<String, String> {
        match &self.cursor.event {
            Some(Occurring::Own(queued)) if queued.fields.iter().any(|it| it == field) => {
                Ok(field_of(&queued.event, field))
            }
            Some(Occurring::Outside(event)) => {
                let variable = field_of(event, field);
                self.flattening.comes_with(event, &variable);
                Ok(variable)
            }
            Some(Occurring::Own(_)) | None => {
                Err(format!("`_event.data.{field}`, which no event has here"))
            }
        }
    }

    fn event(&self) -> Option<String> {
        match &self.cursor.event {
            Some(Occurring::Own(queued)) => Some(queued.event.clone()),
            Some(Occurring::Outside(event)) => Some(event.clone()),
            None => None,
        }
    }

    fn is_active(&self, id: &str) -> Option<bool> {
        let chart = &self.flattening.chart;
        let mut active = self.cursor.situation.active.iter();
        Some(active.any(|&it| chart.states[it].id == id))
    }

    fn type_of(&self, variable: &str) -> Option<&'static str> {
        self.flattening.type_of(variable)
    }

    fn learn(&mut self, variable: &str, ty: &'static str) {
        self.flattening.learn(variable, ty);
    }
}
