//! SCXML: flat state charts with data.
//!
//! An event is an input, and what conditions read of `_event.data` its values; a
//! `<send>` is an output. A transition with several messages becomes a chain of
//! transitions. Among transitions for one event the first that holds is taken, as
//! SCXML has it: the later ones say that the earlier do not hold.

use super::{Arrow, Declared, ImportError, Imported, distinct_from, name, script, written};
use roxmltree::{Document, Node};

/// The model of an SCXML file.
///
/// # Errors
///
/// When it is none.
pub fn scxml(text: &str) -> Result<Imported, ImportError> {
    if is_nested_too_deep(text) {
        return Err(ImportError::TooDeep(DEPTH));
    }
    let document = Document::parse(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "scxml" {
        return Err(ImportError::Root(root.tag_name().name().to_owned()));
    }
    let mut import = Import::default();
    import.run(root)
}

/// How deep elements may nest.
const DEPTH: usize = 200;

/// Whether elements are nested too deep for a parser that follows them down.
/// Counts at least the elements that a parser would.
fn is_nested_too_deep(text: &str) -> bool {
    let (mut rest, mut depth) = (text, 0usize);
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let pairs = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        let skipped = pairs.iter().find(|(open, _)| rest.starts_with(open));
        if let Some((open, close)) = skipped {
            let end = rest[open.len()..].find(close);
            rest = end.map_or("", |end| &rest[open.len() + end + close.len()..]);
            continue;
        }
        let end = tag_end(rest);
        let tag = &rest[..end];
        if tag.starts_with("</") {
            depth = depth.saturating_sub(1);
        } else if !tag.starts_with("<!") && !tag.ends_with("/>") {
            depth += 1;
        }
        if depth > DEPTH {
            return true;
        }
        rest = &rest[end..];
    }
    false
}

/// Where a tag is over; a `>` between quotes does not end it.
fn tag_end(tag: &str) -> usize {
    let mut quote = None;
    for (at, c) in tag.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, '>') => return at + 1,
            _ => {}
        }
    }
    tag.len()
}

#[derive(Default)]
struct Import {
    left_out: Vec<String>,
    channels: Vec<(String, Vec<&'static str>)>,
    variables: Vec<Declared>,
    states: Vec<String>,
    arrows: Vec<Arrow>,
}

/// What a transition does besides moving.
enum Effect {
    Assign(String),
    Send(String, Vec<String>),
}

impl Import {
    fn run(&mut self, root: Node<'_, '_>) -> Result<Imported, ImportError> {
        for child in elements(root) {
            match child.tag_name().name() {
                "datamodel" => self.data(child),
                "state" | "final" => self
                    .states
                    .push(name(child.attribute("id").unwrap_or_default())),
                other => self.leave_out(child, &format!("<{other}>")),
            }
        }
        let charts: Vec<Node<'_, '_>> = elements(root)
            .filter(|child| matches!(child.tag_name().name(), "state" | "final"))
            .collect();
        for &state in &charts {
            self.state(state, &charts);
        }
        let initial = root.attribute("initial").map(name);
        let initial = initial.or_else(|| self.states.first().cloned());
        let initial = initial.filter(|initial| self.states.contains(initial));
        let initial = initial.ok_or(ImportError::NoInitialState)?;
        let initial = self.start(&charts, initial);
        let title = name(root.attribute("name").unwrap_or("imported"));
        let text = written(
            &title,
            &self.channels,
            &self.variables,
            &initial,
            &self.states,
            &self.arrows,
        );
        // What a state does when it is entered is met on every way there.
        let mut left_out: Vec<String> = Vec::new();
        for what in std::mem::take(&mut self.left_out) {
            if !left_out.contains(&what) {
                left_out.push(what);
            }
        }
        Ok(Imported { text, left_out })
    }

    fn data(&mut self, model: Node<'_, '_>) {
        for data in elements(model) {
            let id = data.attribute("id").unwrap_or_default();
            let text = data.text().map(str::trim).filter(|text| !text.is_empty());
            let value = data.attribute("expr").or(text).unwrap_or_else(|| {
                let what = match data.attribute("src") {
                    Some(file) => format!("the value of the data {id}, which is in {file}"),
                    None => format!("the data {id} has no value"),
                };
                self.leave_out(data, &format!("{what}: it begins as the Int 0"));
                "0"
            });
            match script::declared(id, value) {
                Ok(variable) => self.variables.push(variable),
                Err(what) => self.leave_out(data, &format!("the data {id}: it has {what}")),
            }
        }
    }

    /// Where the model begins: in a state of its own where entering the first one
    /// does something.
    fn start(&mut self, charts: &[Node<'_, '_>], initial: String) -> String {
        let first = charts
            .iter()
            .find(|chart| chart.attribute("id").map(name).as_ref() == Some(&initial));
        let blocks = first.into_iter().flat_map(|chart| elements(*chart));
        let blocks = blocks.filter(|block| block.tag_name().name() == "onentry");
        let actions: Vec<Node<'_, '_>> = blocks.flat_map(elements).collect();
        let mut effects = Vec::new();
        for node in actions {
            let mut reads_event = false;
            let mut data = |field: &str| {
                reads_event = true;
                field.to_owned()
            };
            let effect = effect(node, &mut data);
            match effect {
                Ok(_) if reads_event => {
                    self.leave_out(node, "the start has no event whose data could be read");
                }
                Ok(effect) => effects.push(effect),
                Err(what) => self.leave_out(node, &what),
            }
        }
        if effects.is_empty() {
            return initial;
        }
        let start = distinct_from(&self.states, "start");
        self.states.push(start.clone());
        self.chain(&start, initial, Vec::new(), None, effects);
        start
    }

    fn state(&mut self, state: Node<'_, '_>, charts: &[Node<'_, '_>]) {
        let from = name(state.attribute("id").unwrap_or_default());
        let mut earlier: Vec<(Option<String>, String)> = Vec::new();
        for child in elements(state) {
            match child.tag_name().name() {
                "transition" => self.transition(state, &from, child, charts, &mut earlier),
                "onentry" | "onexit" => {}
                other => self.leave_out(child, &format!("<{other}> in the state {from}")),
            }
        }
    }

    fn transition(
        &mut self,
        state: Node<'_, '_>,
        from: &str,
        transition: Node<'_, '_>,
        charts: &[Node<'_, '_>],
        earlier: &mut Vec<(Option<String>, String)>,
    ) {
        let event = transition.attribute("event").map(str::to_owned);
        if let Some(event) = &event
            && event.contains([' ', '*'])
        {
            return self.leave_out(
                transition,
                &format!("the transition for `{event}`: one event, by name"),
            );
        }
        let to = transition.attribute("target").map_or(from.to_owned(), name);
        if !self.states.contains(&to) {
            return self.leave_out(
                transition,
                &format!("the transition to `{to}`, which is no state"),
            );
        }
        let channel = event.as_deref().map(name);
        let fields = match &event {
            Some(event) => fields_of(transition.document(), event),
            None => Vec::new(),
        };
        let mut data = |field: &str| field_name(event.as_deref().unwrap_or("event"), field);
        let mut guards: Vec<String> = Vec::new();
        let mut failed = None;
        if let Some(condition) = transition.attribute("cond") {
            match script::expression(condition, &mut data) {
                Ok(guard) => guards.push(guard),
                Err(what) => failed = Some(format!("the condition {condition}: it has {what}")),
            }
        }
        let mut effects = Vec::new();
        let target = charts
            .iter()
            .find(|chart| chart.attribute("id").map(name) == Some(to.clone()));
        let leaves = transition.attribute("target").is_some();
        let around = |parent: Node<'_, '_>, tag: &str| -> Vec<roxmltree::NodeId> {
            let blocks = elements(parent).filter(|child| child.tag_name().name() == tag);
            blocks
                .flat_map(|block| elements(block).map(|child| child.id()))
                .collect()
        };
        let mut actions = Vec::new();
        if leaves {
            actions.extend(around(state, "onexit"));
        }
        actions.extend(elements(transition).map(|child| child.id()));
        if let Some(target) = target.filter(|_| leaves) {
            actions.extend(around(*target, "onentry"));
        }
        let document = transition.document();
        let mut left_out = Vec::new();
        for id in actions {
            let node = document.get_node(id).expect("it is one of this document's");
            match effect(node, &mut data) {
                Ok(effect) => effects.push(effect),
                Err(what) => left_out.push(format!("line {}: {what}", line(node))),
            }
        }
        self.left_out.extend(left_out);
        if let Some(failed) = failed {
            return self.leave_out(transition, &failed);
        }
        let own = guards.first().cloned().unwrap_or_else(|| "true".to_owned());
        for (_, before) in earlier.iter().filter(|(other, _)| *other == channel) {
            guards.push(format!("not ({before})"));
        }
        earlier.push((channel.clone(), own));
        for field in &fields {
            if !self.variables.iter().any(|known| known.name == *field) {
                self.variables.push(Declared {
                    name: field.clone(),
                    ty: "Int",
                    value: "0".to_owned(),
                });
            }
        }
        let action = channel.map(|channel| self.receive(channel, &fields, &guards));
        if action.is_some() {
            guards.clear();
        }
        self.chain(from, to, guards, action, effects);
    }

    /// An event as an input; its condition may be about its values.
    fn receive(&mut self, channel: String, fields: &[String], guards: &[String]) -> String {
        if !self.channels.iter().any(|(known, _)| *known == channel) {
            self.channels
                .push((channel.clone(), vec!["Int"; fields.len()]));
        }
        let values = match fields.is_empty() {
            true => String::new(),
            false => format!("({})", fields.join(", ")),
        };
        let guards: Vec<String> = guards.iter().map(|guard| format!("({guard})")).collect();
        match guards.is_empty() {
            true => format!("{channel}?{values}"),
            false => format!("{channel}?{values} where {}", guards.join(" and ")),
        }
    }

    /// One transition for each message, through states of their own.
    fn chain(
        &mut self,
        from: &str,
        to: String,
        guards: Vec<String>,
        action: Option<String>,
        effects: Vec<Effect>,
    ) {
        let mut arrow = Arrow {
            from: from.to_owned(),
            guards,
            action,
            ..Arrow::default()
        };
        for effect in effects {
            match effect {
                Effect::Assign(assignment) => arrow.assignments.push(assignment),
                Effect::Send(channel, values) => {
                    let known = self.channels.iter().any(|(known, _)| *known == channel);
                    if !known {
                        let types = values.iter().map(|value| self.type_of(value)).collect();
                        self.channels.push((channel.clone(), types));
                    }
                    let send = match values.is_empty() {
                        true => format!("{channel}!"),
                        false => format!("{channel}!({})", values.join(", ")),
                    };
                    if arrow.action.is_none() && arrow.assignments.is_empty() {
                        arrow.action = Some(send);
                        continue;
                    }
                    let between = format!("{from}_{}", self.arrows.len() + 1);
                    let between = distinct_from(&self.states, &between);
                    self.states.push(between.clone());
                    arrow.to = between.clone();
                    self.arrows.push(std::mem::take(&mut arrow));
                    arrow.from = between;
                    arrow.action = Some(send);
                }
            }
        }
        arrow.to = to;
        self.arrows.push(arrow);
    }

    /// What the text of a value says of its type.
    fn type_of(&self, value: &str) -> &'static str {
        let variable = self.variables.iter().find(|known| known.name == value);
        match value {
            _ if variable.is_some() => variable.map_or("Int", |variable| variable.ty),
            "true" | "false" => "Bool",
            text if text.starts_with('"') => "String",
            text if text.contains('.') => "Real",
            _ => "Int",
        }
    }

    fn leave_out(&mut self, node: Node<'_, '_>, what: &str) {
        self.left_out.push(format!("line {}: {what}", line(node)));
    }
}

fn field_name(event: &str, field: &str) -> String {
    name(&format!("{event}_{field}"))
}

/// What the transitions for an event read of its data, anywhere in the document,
/// with what is done when their states are left and entered.
fn fields_of(document: &Document<'_>, event: &str) -> Vec<String> {
    let mut fields: Vec<String> = Vec::new();
    let transitions = document
        .descendants()
        .filter(|node| node.attribute("event") == Some(event));
    let mut done = Vec::new();
    for transition in transitions.filter(|node| node.tag_name().name() == "transition") {
        let blocks = |state: Option<Node<'_, '_>>, tag: &str| -> Vec<roxmltree::NodeId> {
            let blocks = state.into_iter().flat_map(|state| state.children());
            let blocks = blocks.filter(|child| child.tag_name().name() == tag);
            blocks.map(|block| block.id()).collect()
        };
        done.push(transition.id());
        if let Some(target) = transition.attribute("target") {
            let mut states = document.descendants();
            let entered = states.find(|node| node.attribute("id") == Some(target));
            done.extend(blocks(transition.parent(), "onexit"));
            done.extend(blocks(entered, "onentry"));
        }
    }
    let scripts = done
        .into_iter()
        .filter_map(|id| document.get_node(id))
        .flat_map(|node| node.descendants())
        .flat_map(|node| [node.attribute("cond"), node.attribute("expr")])
        .flatten();
    for script in scripts {
        for part in script.split("_event.data.").skip(1) {
            let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let field = field_name(event, &part[..end.unwrap_or(part.len())]);
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
    }
    fields
}

fn effect(node: Node<'_, '_>, data: &mut dyn FnMut(&str) -> String) -> Result<Effect, String> {
    match node.tag_name().name() {
        "assign" => {
            let target = name(node.attribute("location").unwrap_or_default());
            let value = script::expression(node.attribute("expr").unwrap_or_default(), data);
            let value =
                value.map_err(|what| format!("the assignment to {target}: it has {what}"))?;
            Ok(Effect::Assign(format!("{target} := {value}")))
        }
        "send" => {
            if node.attribute("delay").is_some() || node.attribute("delayexpr").is_some() {
                return Err("a <send> with a delay".to_owned());
            }
            let event = node.attribute("event").ok_or("a <send> without an event")?;
            let mut values = Vec::new();
            for parameter in elements(node).filter(|child| child.tag_name().name() == "param") {
                let text = parameter.attribute("expr").unwrap_or_default();
                let value = script::expression(text, data);
                values.push(
                    value.map_err(|what| format!("the value {text} of {event}: it has {what}"))?,
                );
            }
            Ok(Effect::Send(name(event), values))
        }
        other => Err(format!("<{other}>")),
    }
}

fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(|child| child.is_element())
}

fn line(node: Node<'_, '_>) -> u32 {
    node.document().text_pos_at(node.range().start).row
}
