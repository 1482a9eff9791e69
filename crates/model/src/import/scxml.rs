//! SCXML (*State Chart XML*, W3C 2015): documents become charts, names resolved.
//!
//! An event that the chart does not send itself is an input, and what conditions read of
//! `_event.data` its values. A `<send>` without a target is for the chart itself if it has a
//! transition for the event; every other one is an output.

mod invoke;

use super::chart::{Chart, Content, Datum, Kind, PARENT, Recipient, Transition, matches};
use super::flatten::flatten;
use super::post::{Post, Said};
use super::{ImportError, Imported, name, script};
use roxmltree::Node;
use rustc_hash::FxHashMap;

/// The model of an SCXML file.
///
/// # Errors
///
/// When it is none, or has something that models do not.
pub fn scxml(text: &str) -> Result<Imported, ImportError> {
    let document = super::xml(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "scxml" {
        return Err(ImportError::Root {
            found: root.tag_name().name().to_owned(),
            expected: "scxml",
        });
    }
    let mut reader = Reader::new(root);
    reader.read(root);
    let chart = reader.finished();
    match chart.states[0].children.is_empty() && chart.refused.is_empty() {
        true => Err(ImportError::NoInitialState),
        false => flatten(chart),
    }
}

struct Reader {
    chart: Chart,
    ids: FxHashMap<String, usize>,
    /// The descriptors of all transitions.
    heard: Vec<String>,
    /// Transitions that are taken where a message did not arrive.
    for_errors: Vec<String>,
    /// How many events come after some time, and how many names the platform chose.
    delayed: usize,
    chosen: usize,
    /// Whether another chart starts it.
    is_invoked: bool,
}

impl Reader {
    fn new(root: Node<'_, '_>) -> Reader {
        let mut heard = Vec::new();
        transitions_of(root, &mut heard);
        Reader {
            chart: Chart {
                is_ordered: true,
                ..Chart::default()
            },
            ids: FxHashMap::default(),
            heard,
            for_errors: Vec::new(),
            delayed: 0,
            chosen: 0,
            is_invoked: false,
        }
    }

    fn read(&mut self, root: Node<'_, '_>) {
        self.chart.name = root.attribute("name").map(str::to_owned);
        self.chart.title = name(root.attribute("name").unwrap_or("imported"));
        let mut states = Vec::new();
        self.add(root, None, &mut states);
        for (number, node) in states.into_iter().enumerate() {
            self.fill(node, number);
        }
        if root.attribute("binding") == Some("late") {
            self.refuse(root, "late binding of data");
        }
    }

    /// The chart. Errors of scripts and of messages between sessions are known beforehand; whether
    /// messages to others arrive is not.
    fn finished(mut self) -> Chart {
        let is_known = |to: &str| {
            to != PARENT && self.chart.invokes().any(|(_, it)| it.id == to)
                || to == PARENT && self.is_invoked
        };
        // Charts that this one invokes were looked at when they were read.
        let contents = self.chart.contents_of(|root| root == 0);
        let sends = contents.iter().any(|it| match it {
            Content::Send { .. } => true,
            Content::Tell { to, .. } => !is_known(to),
            Content::Post(post) => !post.is_to_itself(),
            Content::Delay(delayed) => match &delayed.to {
                Recipient::Itself => false,
                Recipient::Outside => true,
                Recipient::Session(to) => !is_known(to),
            },
            _ => false,
        });
        if sends {
            for transition in std::mem::take(&mut self.for_errors) {
                self.chart.refuse(transition);
            }
        }
        self.chart
    }

    /// Adds the states of an element, with their names, in the order of the document.
    fn add<'a, 'i>(
        &mut self,
        node: Node<'a, 'i>,
        parent: Option<usize>,
        states: &mut Vec<Node<'a, 'i>>,
    ) {
        let number = self.chart.states.len();
        let kind = match node.tag_name().name() {
            "parallel" => Kind::Parallel,
            "final" => Kind::Final,
            "history" => Kind::History {
                deep: node.attribute("type") == Some("deep"),
            },
            _ => Kind::State,
        };
        let id = match node.attribute("id") {
            Some(id) => id.to_owned(),
            None => format!("state{number}"),
        };
        if number > 0 && self.ids.insert(id.clone(), number).is_some() {
            self.refuse(node, &format!("another state `{id}`"));
        }
        self.chart.add(id, kind, parent);
        states.push(node);
        for child in elements(node).filter(|child| is_state(*child)) {
            self.add(child, Some(number), states);
        }
    }

    /// Fills in what a state does, when all names are known.
    fn fill(&mut self, node: Node<'_, '_>, number: usize) {
        if let Some(targets) = node.attribute("initial") {
            self.chart.states[number].initial = Some(Transition {
                source: number,
                targets: self.targets(node, targets),
                ..Transition::default()
            });
        }
        for child in elements(node).filter(|child| !is_state(*child)) {
            self.part(child, number);
        }
    }

    /// What a state has beside states.
    fn part(&mut self, node: Node<'_, '_>, number: usize) {
        match node.tag_name().name() {
            "transition" => {
                let transition = self.transition(node, number);
                let state = &mut self.chart.states[number];
                match state.kind {
                    Kind::History { .. } => state.initial = Some(transition),
                    Kind::State | Kind::Parallel | Kind::Final => {
                        state.transitions.push(transition);
                    }
                }
            }
            "initial" => {
                let inner = elements(node).find(|it| is_named(*it, "transition"));
                let initial = inner.map(|inner| self.transition(inner, number));
                self.chart.states[number].initial = initial;
            }
            "onentry" => {
                let content = self.content(node);
                self.chart.states[number].on_entry.push(content);
            }
            "onexit" => {
                let content = self.content(node);
                self.chart.states[number].on_exit.push(content);
            }
            "datamodel" => self.data(node),
            "donedata" => {
                let values = self.parameters(node);
                self.chart.states[number].done_values = values;
            }
            "invoke" => self.invoke(node, number),
            "script" if number == 0 => self.script(node),
            other => self.refuse(node, &format!("<{other}>")),
        }
    }

    /// What is done before the chart begins. A variable that it sets first is declared by that.
    fn script(&mut self, node: Node<'_, '_>) {
        for content in self.content_of(node) {
            let Content::Assign { location, value } = &content else {
                continue;
            };
            match self.chart.data.iter().any(|datum| datum.id == *location) {
                true => self.chart.scripts.push(content),
                false => self.chart.data.push(Datum {
                    id: location.clone(),
                    value: Some(value.clone()),
                    location: format!("line {}", line(node)),
                }),
            }
        }
    }

    /// Data of states is there from the beginning, too.
    fn data(&mut self, model: Node<'_, '_>) {
        for data in elements(model) {
            let id = data.attribute("id").unwrap_or_default().to_owned();
            if let Some(file) = data.attribute("src") {
                self.refuse(
                    data,
                    &format!("the value of the data {id}, which is in {file}"),
                );
                continue;
            }
            if let Some(inner) = elements(data).next() {
                let inner = inner.tag_name().name();
                self.refuse(
                    data,
                    &format!("the value of the data {id}, which is <{inner}>"),
                );
                continue;
            }
            let text = data.text().map(str::trim).filter(|text| !text.is_empty());
            let value = written(data, "expr").or(text.map(str::to_owned));
            let location = format!("line {}", line(data));
            self.chart.data.push(Datum {
                id,
                value,
                location,
            });
        }
    }

    fn transition(&mut self, node: Node<'_, '_>, source: usize) -> Transition {
        let events = descriptors(node);
        for event in &events {
            let transition = format!("line {}: a transition for `{event}`", line(node));
            if event == "error" || event.starts_with("error.") {
                self.for_errors.push(transition);
            }
        }
        let targets = node.attribute("target").unwrap_or_default();
        Transition {
            source,
            events,
            condition: written(node, "cond"),
            targets: self.targets(node, targets),
            is_internal: node.attribute("type") == Some("internal"),
            content: self.content(node),
        }
    }

    fn targets(&mut self, node: Node<'_, '_>, text: &str) -> Vec<usize> {
        let mut found = Vec::new();
        for id in text.split_whitespace() {
            match self.ids.get(id) {
                Some(&state) => found.push(state),
                None => self.refuse(node, &format!("the target `{id}`, which is no state")),
            }
        }
        found
    }

    fn content(&mut self, parent: Node<'_, '_>) -> Vec<Content> {
        let mut found = Vec::new();
        for node in elements(parent) {
            found.extend(self.content_of(node));
        }
        found
    }

    fn content_of(&mut self, node: Node<'_, '_>) -> Vec<Content> {
        let text = |attribute: &str| node.attribute(attribute).unwrap_or_default().to_owned();
        let mut found = Vec::new();
        match node.tag_name().name() {
            "assign" if node.attribute("expr").is_some() => found.push(Content::Assign {
                location: text("location"),
                value: text("expr"),
            }),
            "raise" => found.push(Content::Raise {
                event: text("event"),
                values: Vec::new(),
                is_external: false,
                id: None,
            }),
            "send" => found.extend(self.send(node)),
            "cancel" => match said(node, "sendid", "sendidexpr") {
                Said::Nothing => self.refuse(node, "a <cancel> without a name"),
                name => found.push(Content::Cancel(name)),
            },
            "if" => found.push(self.choice(node)),
            "foreach" => found.push(Content::ForEach {
                list: text("array"),
                item: text("item"),
                index: node.attribute("index").map(str::to_owned),
                content: self.content(node),
            }),
            "log" => {
                let note = format!("line {}: a <log>", line(node));
                self.chart.notes.push(note);
            }
            "script" if node.attribute("src").is_none() => {
                let script = node.text().unwrap_or_default();
                for statement in script::statements(script) {
                    match script::split_assignment(&statement) {
                        _ if script::is_shown(&statement) => {
                            let note =
                                format!("line {}: a script that shows something", line(node));
                            self.chart.notes.push(note);
                        }
                        Some((location, value)) => {
                            self.chart.scripted.push(location.clone());
                            found.push(Content::Assign { location, value });
                        }
                        None => self.refuse(node, &format!("the script `{statement}`")),
                    }
                }
            }
            other => self.refuse(node, &format!("<{other}>")),
        }
        found
    }

    fn send(&mut self, node: Node<'_, '_>) -> Vec<Content> {
        let location = node.attribute("idlocation").map(str::to_owned);
        let id = match &location {
            Some(_) => Some(self.choose_id()),
            None => node.attribute("id").map(str::to_owned),
        };
        let identified = location.zip(id.clone());
        let identified = identified.map(|(location, id)| Content::Identify { location, id });
        identified
            .into_iter()
            .chain(self.message(node, id))
            .collect()
    }

    /// A name that the platform chooses.
    fn choose_id(&mut self) -> String {
        self.chosen += 1;
        format!("{}{}", script::CHOSEN, self.chosen)
    }

    fn message(&mut self, node: Node<'_, '_>, id: Option<String>) -> Option<Content> {
        let namelist = node.attribute("namelist").unwrap_or_default();
        let named = namelist.split_whitespace();
        let mut values: Vec<(String, String)> =
            named.map(|it| (it.to_owned(), it.to_owned())).collect();
        values.extend(self.parameters(node));
        let delay = said(node, "delay", "delayexpr");
        self.delayed += usize::from(!matches!(delay, Said::Nothing));
        let post = Post {
            location: format!("line {}", line(node)),
            number: self.delayed,
            id,
            event: said(node, "event", "eventexpr"),
            target: said(node, "target", "targetexpr"),
            kind: said(node, "type", "typeexpr"),
            delay,
            values,
        };
        if post.computed().next().is_some() {
            return Some(Content::Post(Box::new(post)));
        }
        let is_heard = |event: &str| self.heard.iter().any(|it| matches(it, event));
        match post.resolved(is_heard, |text| Err::<String, String>(text.to_owned())) {
            Ok(content) => Some(content),
            Err(what) => {
                self.chart.refuse(what);
                None
            }
        }
    }

    /// The values of `<param>` elements, by name.
    fn parameters(&mut self, node: Node<'_, '_>) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for child in elements(node) {
            let value = child.attribute("expr").or(child.attribute("location"));
            match (child.tag_name().name(), value) {
                ("param", Some(value)) => {
                    let title = child.attribute("name").unwrap_or_default();
                    found.push((title.to_owned(), value.to_owned()));
                }
                ("content", _) => match said_by(child) {
                    Some(value) => found.push((String::new(), value)),
                    None => self.refuse(child, "a <content> that is no plain value"),
                },
                (other, _) => {
                    let around = node.tag_name().name();
                    self.refuse(child, &format!("<{other}> in a <{around}>"));
                }
            }
        }
        found
    }

    fn choice(&mut self, node: Node<'_, '_>) -> Content {
        let condition = |node: Node<'_, '_>| written(node, "cond");
        let mut branches = Vec::new();
        let (mut current, mut content) = (condition(node), Vec::new());
        for child in elements(node) {
            match child.tag_name().name() {
                "elseif" | "else" => {
                    branches.push((current, std::mem::take(&mut content)));
                    current = condition(child);
                }
                _ => content.extend(self.content_of(child)),
            }
        }
        branches.push((current, content));
        Content::Choice(branches)
    }

    fn refuse(&mut self, node: Node<'_, '_>, what: &str) {
        self.chart.refuse(format!("line {}: {what}", line(node)));
    }
}

/// The descriptors of all transitions, but not those of charts that are invoked.
fn transitions_of(node: Node<'_, '_>, found: &mut Vec<String>) {
    for child in elements(node).filter(|it| !is_named(*it, "invoke")) {
        if is_named(child, "transition") {
            found.extend(descriptors(child));
        }
        transitions_of(child, found);
    }
}

/// The descriptors of a transition's events: `a.b.*` and `a.b.` are `a.b`.
fn descriptors(node: Node<'_, '_>) -> Vec<String> {
    let events = node.attribute("event").unwrap_or_default();
    let plain = |event: &str| match event.trim_end_matches(".*").trim_end_matches('.') {
        "" => "*".to_owned(),
        event => event.to_owned(),
    };
    events.split_whitespace().map(plain).collect()
}

/// What is said by one attribute, or computed by another.
fn said(node: Node<'_, '_>, plain: &str, computed: &str) -> Said {
    let computed = node.attribute(computed);
    match (
        node.attribute(plain).or(computed.and_then(quoted)),
        computed,
    ) {
        (Some(text), _) => Said::Text(text.to_owned()),
        (None, Some(text)) => Said::Computed(text.to_owned()),
        (None, None) => Said::Nothing,
    }
}

/// The expression of a `<content>`; text that is no value is a text.
fn said_by(content: Node<'_, '_>) -> Option<String> {
    if let Some(expression) = content.attribute("expr") {
        return Some(expression.to_owned());
    }
    if elements(content).next().is_some() {
        return None;
    }
    let words: Vec<&str> = content.text()?.split_whitespace().collect();
    let text = words.join(" ");
    let value = script::evaluated(&text, &mut script::Plain);
    match value.is_ok_and(|value| value.constant.is_some()) {
        true => Some(text),
        // What begins like an object may be one.
        false if text.contains(['{', '[', '\'', '"', '\\']) => None,
        false => Some(format!("'{text}'")),
    }
}

/// The text between quotes.
fn quoted(text: &str) -> Option<&str> {
    let text = text.trim();
    let within = |quote: char| {
        let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inner.contains(quote)).then_some(inner)
    };
    within('\'').or_else(|| within('"'))
}

fn is_state(node: Node<'_, '_>) -> bool {
    let names = ["state", "parallel", "final", "history"];
    node.is_element() && names.contains(&node.tag_name().name())
}

fn is_named(node: Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(|child| child.is_element())
}

fn line(node: Node<'_, '_>) -> u32 {
    node.document().text_pos_at(node.range().start).row
}

/// What an attribute says; tools write empty ones where nothing is meant.
fn written(node: Node<'_, '_>, attribute: &str) -> Option<String> {
    let text = node.attribute(attribute)?;
    (!text.trim().is_empty()).then(|| text.to_owned())
}
