//! SCXML (*State Chart XML*, W3C 2015): documents become charts, names resolved.
//!
//! An event that the chart does not send itself is an input, and what conditions read of
//! `_event.data` its values. A `<send>` without a target is for the chart itself if it has a
//! transition for the event; every other one is an output.

use super::chart::{Chart, Content, Datum, Delayed, Kind, Transition, matches};
use super::flatten::flatten;
use super::{ImportError, Imported, name, script};
use roxmltree::{Document, Node};
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
    let chart = Reader::new(&document).read(root);
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
    /// Transitions for errors, which are taken only where something is wrong.
    for_errors: Vec<String>,
    /// How many events come after some time.
    delayed: usize,
}

impl Reader {
    fn new(document: &Document<'_>) -> Reader {
        let transitions = document
            .descendants()
            .filter(|it| is_named(*it, "transition"));
        Reader {
            chart: Chart {
                is_ordered: true,
                ..Chart::default()
            },
            ids: FxHashMap::default(),
            heard: transitions.flat_map(descriptors).collect(),
            for_errors: Vec::new(),
            delayed: 0,
        }
    }

    fn read(mut self, root: Node<'_, '_>) -> Chart {
        self.chart.title = name(root.attribute("name").unwrap_or("imported"));
        let mut states = Vec::new();
        self.add(root, None, &mut states);
        for (number, node) in states.into_iter().enumerate() {
            self.fill(node, number);
        }
        if root.attribute("binding") == Some("late") {
            self.refuse(root, "late binding of data");
        }
        self.decide_errors();
        self.chart
    }

    /// All that is carried over is free of errors, unless messages to others do not arrive.
    fn decide_errors(&mut self) {
        let contents = self.chart.contents();
        let sends = contents.iter().any(|it| match it {
            Content::Send { .. } => true,
            Content::Delay(delayed) => !delayed.is_own,
            _ => false,
        });
        for transition in std::mem::take(&mut self.for_errors) {
            match sends {
                true => self.chart.refuse(transition),
                false => self.chart.notes.push(transition + ", which never comes"),
            }
        }
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
                self.chart.states[number].on_entry.extend(content);
            }
            "onexit" => {
                let content = self.content(node);
                self.chart.states[number].on_exit.extend(content);
            }
            "datamodel" => self.data(node),
            "donedata" => {
                let values = self.parameters(node);
                self.chart.states[number].done_values = values;
            }
            other => self.refuse(node, &format!("<{other}>")),
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
            let text = data.text().map(str::trim).filter(|text| !text.is_empty());
            let value = data.attribute("expr").or(text).map(str::to_owned);
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
            if event.starts_with("done.invoke") {
                self.chart.refuse(transition);
            } else if event == "error" || event.starts_with("error.") {
                self.for_errors.push(transition);
            }
        }
        let targets = node.attribute("target").unwrap_or_default();
        Transition {
            source,
            events,
            condition: node.attribute("cond").map(str::to_owned),
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
            }),
            "send" => found.extend(self.send(node)),
            "cancel" => {
                let constant = node.attribute("sendidexpr").and_then(quoted);
                match node.attribute("sendid").or(constant) {
                    Some(id) => found.push(Content::Cancel(id.to_owned())),
                    None => self.refuse(node, "a <cancel> without a name that is known"),
                }
            }
            "if" => found.push(self.choice(node)),
            "log" => {
                let note = format!("line {}: a <log>", line(node));
                self.chart.notes.push(note);
            }
            "script" if node.attribute("src").is_none() => {
                let script = node.text().unwrap_or_default();
                for statement in script.split([';', '\n']).map(str::trim) {
                    match script::split_assignment(statement) {
                        _ if statement.is_empty() => {}
                        Some((location, value)) => {
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

    fn send(&mut self, node: Node<'_, '_>) -> Option<Content> {
        for attribute in ["targetexpr", "typeexpr", "idlocation"] {
            if node.attribute(attribute).is_some() {
                self.refuse(node, &format!("a <send> with `{attribute}`"));
                return None;
            }
        }
        let delay = match (node.attribute("delay"), node.attribute("delayexpr")) {
            (Some(delay), _) => millis(delay),
            (None, Some(delay)) => quoted(delay).and_then(millis),
            (None, None) => Some(0),
        };
        let Some(delay) = delay else {
            self.refuse(node, "a <send> with a delay that is not known");
            return None;
        };
        let kind = node.attribute("type").unwrap_or("scxml");
        let processors = [
            "SCXMLEventProcessor",
            "BasicHTTPEventProcessor",
            "/TR/scxml",
            "/TR/scxml/",
        ];
        if !matches!(kind, "scxml" | "basichttp") && !processors.iter().any(|it| kind.ends_with(it))
        {
            self.refuse(node, &format!("a <send> of the type `{kind}`"));
            return None;
        }
        let target = node.attribute("target").unwrap_or_default();
        // It comes to nobody, and the chart hears of an error instead.
        let is_http = kind == "basichttp" || kind.ends_with("BasicHTTPEventProcessor");
        if is_http && target.is_empty() {
            self.refuse(node, "a <send> over HTTP without a target");
            return None;
        }
        if !target.is_empty() && !target.starts_with("#_") && !target.contains(':') {
            self.refuse(node, &format!("a <send> to `{target}`"));
            return None;
        }
        let constant = node.attribute("eventexpr").and_then(quoted);
        let Some(event) = node.attribute("event").or(constant) else {
            self.refuse(node, "a <send> without an event that is known");
            return None;
        };
        let mut values: Vec<(String, String)> = Vec::new();
        for variable in node
            .attribute("namelist")
            .unwrap_or_default()
            .split_whitespace()
        {
            values.push((variable.to_owned(), variable.to_owned()));
        }
        values.extend(self.parameters(node));
        let event = event.to_owned();
        let is_heard = self.heard.iter().any(|it| matches(it, &event));
        if delay > 0 {
            if target == "#_internal" {
                self.refuse(node, "a delay of an event for `#_internal`");
                return None;
            }
            self.delayed += 1;
            return Some(Content::Delay(Delayed {
                number: self.delayed,
                id: node.attribute("id").map(str::to_owned),
                event,
                values,
                millis: delay,
                is_own: target.is_empty() && is_heard,
            }));
        }
        Some(match target {
            "#_internal" => Content::Raise {
                event,
                values,
                is_external: false,
            },
            "" if is_heard => Content::Raise {
                event,
                values,
                is_external: true,
            },
            _ => Content::Send {
                event,
                values: values.into_iter().map(|(_, value)| value).collect(),
            },
        })
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
                (other, _) => {
                    let around = node.tag_name().name();
                    self.refuse(child, &format!("<{other}> in a <{around}>"));
                }
            }
        }
        found
    }

    fn choice(&mut self, node: Node<'_, '_>) -> Content {
        let condition = |node: Node<'_, '_>| node.attribute("cond").map(str::to_owned);
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

/// The descriptors of a transition's events: `a.b.*` and `a.b.` are `a.b`.
fn descriptors(node: Node<'_, '_>) -> Vec<String> {
    let events = node.attribute("event").unwrap_or_default();
    let plain = |event: &str| {
        event
            .trim_end_matches(".*")
            .trim_end_matches('.')
            .to_owned()
    };
    events.split_whitespace().map(plain).collect()
}

/// A time as CSS has it, `1.5s` or `20ms`, in milliseconds.
fn millis(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1.0),
        None => (text.strip_suffix('s')?, 1000.0),
    };
    let number: f64 = number.trim().parse().ok()?;
    let millis = (number * unit).round();
    (0.0..=1e12).contains(&millis).then_some(millis as u64)
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
