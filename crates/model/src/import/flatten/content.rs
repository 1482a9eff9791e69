//! What transitions and states do, put on the arrows of the model.

use super::super::chart::{Content, Recipient, matches};
use super::super::draft::{Action, Payload};
use super::super::post::Said;
use super::super::script::{self, Constant, Given, Scope, Trouble, Written, both, negated};
use super::super::{Declared, name};
use super::configuration::Origin;
use super::{Cursor, Flattening, Occurring, Queued};

/// Why something was not done.
pub(super) enum Stop {
    /// It was refused, and the path need not be followed.
    Refused,
    /// It is an error in the chart, which hears of it.
    Wrong,
}

impl Flattening {
    /// Does a block of content on each of the paths. An error ends the block, not the path.
    pub(super) fn execute_block(&mut self, paths: Vec<Cursor>, block: &[Content]) -> Vec<Cursor> {
        let mut paths = self.execute(paths, block);
        for path in &mut paths {
            path.is_broken = false;
        }
        paths
    }

    /// Does the content on each of the paths, which fork where it has conditions.
    pub(super) fn execute(&mut self, paths: Vec<Cursor>, content: &[Content]) -> Vec<Cursor> {
        let mut paths = paths;
        for part in content {
            let mut after = Vec::new();
            for path in paths {
                match path.is_broken {
                    true => after.push(path),
                    false => after.extend(self.execute_one(path, part)),
                }
            }
            paths = after;
        }
        paths
    }

    fn execute_one(&mut self, path: Cursor, content: &Content) -> Vec<Cursor> {
        let mut before = path.clone();
        match self.attempt(path, content) {
            Ok(paths) => paths,
            Err(Stop::Refused) => Vec::new(),
            Err(Stop::Wrong) => {
                self.fail(&mut before, "error.execution");
                before.is_broken = true;
                vec![before]
            }
        }
    }

    fn attempt(&mut self, mut path: Cursor, content: &Content) -> Result<Vec<Cursor>, Stop> {
        match content {
            Content::Assign { location, value } => self.assign(&mut path, location, value)?,
            Content::Raise {
                event,
                values,
                is_external,
                id,
            } => {
                let origin = match is_external {
                    true => Origin::External,
                    false => Origin::Internal,
                };
                self.raise(&mut path, (event, origin), values, id.as_ref())?;
            }
            Content::Send { event, values } => self.send(&mut path, event, values)?,
            Content::Tell {
                to,
                event,
                values,
                id,
            } => self.tell(&mut path, to, (event, values), id.as_ref())?,
            Content::Identify { location, id } => {
                let variable = name(location);
                if path.situation.known(&variable).is_none() {
                    return Err(Stop::Wrong);
                }
                path.situation.note(variable, Constant::of_id(id));
            }
            Content::Delay(delayed) => self.delay(&mut path, delayed)?,
            Content::Cancel(name) => {
                let id = match name {
                    Said::Nothing => None,
                    Said::Text(id) => Some(id.clone()),
                    Said::Computed(text) => {
                        let known = self.known_text(text, &path);
                        Some(known.map_err(|trouble| self.stopped(trouble))?)
                    }
                };
                let session = path.session;
                let timers = &mut path.situation.timers;
                timers.retain(|timer| {
                    id.is_none() || timer.id != id || timer.queued.sender != session
                });
            }
            Content::Choice(branches) => {
                // A condition is about what the assignments before left behind.
                if path.arrow.has_effects() {
                    self.draft.pause(&mut path.arrow);
                }
                return Ok(self.choose(&path, branches));
            }
            Content::ForEach {
                list,
                item,
                index,
                content,
            } => return self.for_each(path, (list, item, index.as_deref()), content),
            Content::Post(post) => {
                let heard = self.chart.descriptors(path.session);
                let is_heard = |event: &str| heard.iter().any(|it| matches(it, event));
                let resolved = post.resolved(is_heard, |text| self.known_text(text, &path));
                let content = resolved.map_err(|trouble| self.stopped(trouble))?;
                match &content {
                    Content::Raise { event, .. } | Content::Tell { event, .. } => {
                        self.sent.insert(event.clone());
                    }
                    Content::Delay(delayed) if delayed.to != Recipient::Outside => {
                        self.sent.insert(delayed.event.clone());
                    }
                    _ => {}
                }
                return self.attempt(path, &content);
            }
            Content::Fail(event) => {
                self.fail(&mut path, event);
                path.is_broken = true;
            }
        }
        Ok(vec![path])
    }

    /// Tells the chart of an error.
    pub(super) fn fail(&mut self, path: &mut Cursor, event: &str) {
        path.situation.internal.push(Queued {
            event: event.to_owned(),
            fields: Vec::new(),
            origin: Origin::Platform,
            id: None,
            session: path.session,
            sender: path.session,
            invoke: None,
        });
    }

    fn assign(&mut self, path: &mut Cursor, location: &str, value: &str) -> Result<(), Stop> {
        let variable = name(location);
        if self.followed.contains(&variable) || path.situation.known(&variable).is_some() {
            let value = self.constant(value, path)?;
            if path.situation.known(&variable).is_none() {
                return Err(Stop::Wrong);
            }
            path.situation.note(variable, value);
            return Ok(());
        }
        if self.is_missing(path, &variable) {
            return Err(Stop::Wrong);
        }
        let value = self.expression(value, path)?;
        let assignment = format!("{variable} := {}", value.text);
        path.arrow.assignments.push(assignment);
        Ok(())
    }

    /// Whether the chart has no such variable.
    fn is_missing(&self, path: &Cursor, variable: &str) -> bool {
        self.chart.is_ordered
            && self.type_of(variable).is_none()
            && path.situation.known(variable).is_none()
            && !self.chart.scripted.iter().any(|it| name(it) == variable)
    }

    /// Queues an event. Its values wait in variables, of which there is one set for each event.
    pub(super) fn raise(
        &mut self,
        path: &mut Cursor,
        (event, origin): (&str, Origin),
        values: &[(String, String)],
        id: Option<&String>,
    ) -> Result<(), Stop> {
        let fields = self.kept(path, event, values)?;
        let queue = match origin {
            Origin::Internal | Origin::Platform => &mut path.situation.internal,
            Origin::External | Origin::Forwarded => &mut path.situation.external,
        };
        queue.push(Queued {
            event: event.to_owned(),
            fields,
            origin,
            id: id.cloned(),
            session: path.session,
            sender: path.session,
            invoke: None,
        });
        Ok(())
    }

    /// Puts the values of an event that waits into its variables; gives their names.
    pub(super) fn kept(
        &mut self,
        path: &mut Cursor,
        event: &str,
        values: &[(String, String)],
    ) -> Result<Vec<String>, Stop> {
        let situation = &path.situation;
        let timers = situation.timers.iter().map(|timer| &timer.queued);
        let queued = situation.internal.iter().chain(&situation.external);
        if !values.is_empty() && queued.chain(timers).any(|it| it.event == event) {
            self.refuse(format!("a second `{event}` with values while one waits"));
            return Err(Stop::Refused);
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
        Ok(fields)
    }

    pub(super) fn send(
        &mut self,
        path: &mut Cursor,
        event: &str,
        values: &[String],
    ) -> Result<(), Stop> {
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
        Ok(())
    }

    fn choose(
        &mut self,
        path: &Cursor,
        branches: &[(Option<String>, Vec<Content>)],
    ) -> Vec<Cursor> {
        let (mut ends, mut path) = (Vec::new(), path.clone());
        let mut otherwise = Written::constant(true);
        for (condition, content) in branches {
            let condition = match condition {
                None => Written::constant(true),
                Some(text) => match self.holds(text, &path) {
                    Ok(condition) => condition,
                    // It does not hold, and the chart hears of the error.
                    Err(Stop::Wrong) => {
                        self.fail(&mut path, "error.execution");
                        Written::constant(false)
                    }
                    Err(Stop::Refused) => return Vec::new(),
                },
            };
            let taken = path.clone().under(&both(&otherwise, &condition));
            if let Some(taken) = taken {
                ends.extend(self.execute(vec![taken], content));
            }
            otherwise = both(&otherwise, &negated(&condition));
        }
        ends.extend(path.under(&otherwise));
        ends
    }

    /// An expression as models write it.
    pub(super) fn expression(&mut self, text: &str, cursor: &Cursor) -> Result<Written, Stop> {
        let value = self.evaluated(text, cursor)?;
        value
            .solid()
            .map_err(|trouble| self.stopped(within(text, trouble)))
    }

    /// A condition as models write it.
    pub(super) fn holds(&mut self, text: &str, cursor: &Cursor) -> Result<Written, Stop> {
        Ok(self.evaluated(text, cursor)?.truth())
    }

    /// An expression as models write it, or a value that is known.
    pub(super) fn evaluated(&mut self, text: &str, cursor: &Cursor) -> Result<Written, Stop> {
        let found = self.in_scope(text, cursor);
        found.map_err(|trouble| self.stopped(within(text, trouble)))
    }

    pub(super) fn in_scope(&mut self, text: &str, cursor: &Cursor) -> Result<Written, Trouble> {
        let mut scope = Here {
            flattening: self,
            cursor,
        };
        script::evaluated(text, &mut scope)
    }

    fn stopped(&mut self, trouble: Trouble) -> Stop {
        match trouble {
            // In a drawing nothing tells what becomes of errors.
            Trouble::Wrong(_) if self.chart.is_ordered => Stop::Wrong,
            Trouble::Wrong(what) | Trouble::Foreign(what) => {
                self.refuse(what);
                Stop::Refused
            }
        }
    }

    pub(super) fn refuse(&mut self, what: String) {
        if !self.draft.refused.contains(&what) {
            self.draft.refused.push(what);
        }
    }
}

/// The trouble with where it is.
fn within(text: &str, trouble: Trouble) -> Trouble {
    let told = |what: String| format!("`{text}`: it has {what}");
    match trouble {
        Trouble::Foreign(what) => Trouble::Foreign(told(what)),
        Trouble::Wrong(what) => Trouble::Wrong(told(what)),
    }
}

fn of_id(id: Option<&String>) -> Constant {
    id.map_or(Constant::Undefined, |id| Constant::of_id(id))
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
                let whole = field_of(event, "");
                let mut known = self.flattening.draft.channel(event).values.iter();
                if known.any(|it| (it.variable == whole) != field.is_empty()) {
                    return Err(format!("both the data of `{event}` and a part of it"));
                }
                self.flattening.comes_with(event, &variable);
                Ok(variable)
            }
            Some(Occurring::Own(_)) | None => {
                let dot = if field.is_empty() { "" } else { "." };
                Err(format!(
                    "`_event.data{dot}{field}`, which no event has here"
                ))
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
        let active = self.cursor.situation.active.iter();
        let mut own = active.filter(|it| chart.root_of(**it) == self.cursor.session);
        Some(own.any(|&it| chart.states[it].id == id))
    }

    fn type_of(&self, variable: &str) -> Option<&'static str> {
        self.flattening.type_of(variable)
    }

    fn learn(&mut self, variable: &str, ty: &'static str) {
        self.flattening.learn(variable, ty);
    }

    fn known(&self, variable: &str) -> Option<Constant> {
        match variable {
            "_name" => {
                let name = self.flattening.chart.name_of(self.cursor.session);
                name.map(|name| Constant::Text(name.to_owned()))
            }
            "_sessionid" => Some(Constant::Given(Given::Session(self.cursor.session))),
            _ => self.cursor.situation.known(variable).cloned(),
        }
    }

    fn part(&self, part: &str) -> Option<Constant> {
        let text = |text: &str| Some(Constant::Text(text.to_owned()));
        let queued = match self.cursor.event.as_ref()? {
            Occurring::Outside(_) if part == "type" => return text("external"),
            Occurring::Outside(_) => return None,
            Occurring::Own(queued) => queued,
        };
        match (part, queued.origin) {
            (_, Origin::Forwarded) => None,
            ("data", _) => queued.fields.is_empty().then_some(Constant::Undefined),
            ("type", Origin::Internal) => text("internal"),
            // One may call it the platform's, or not.
            ("type", Origin::External) if queued.event.starts_with("done.invoke") => None,
            ("type", Origin::External) => text("external"),
            ("type", Origin::Platform) => text("platform"),
            // Errors of a message have its name, which is not kept.
            ("sendid", Origin::Platform) => None,
            ("sendid", _) => Some(of_id(queued.id.as_ref())),
            ("invokeid", _) => Some(of_id(queued.invoke.as_ref())),
            ("origintype", Origin::External) => {
                text("http://www.w3.org/TR/scxml/#SCXMLEventProcessor")
            }
            ("origin", Origin::External) => Some(Constant::Given(Given::Location(queued.sender))),
            ("origin" | "origintype", _) => Some(Constant::Undefined),
            _ => None,
        }
    }

    fn is_missing(&self, variable: &str) -> bool {
        self.flattening.is_missing(self.cursor, variable)
    }
}
