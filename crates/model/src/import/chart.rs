//! The state chart of an SCXML document: states, transitions and executable content, with
//! names resolved.

use super::{ImportError, script};
use roxmltree::{Document, Node};
use rustc_hash::FxHashMap;

/// A state chart; the first state is the document itself.
#[derive(Default)]
pub(super) struct Chart {
    pub states: Vec<State>,
    /// What the document has that models do not.
    pub refused: Vec<String>,
    /// What it has that changes nothing.
    pub notes: Vec<String>,
    ids: FxHashMap<String, usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Kind {
    #[default]
    State,
    Parallel,
    Final,
    History {
        deep: bool,
    },
}

/// A state.
#[derive(Default)]
pub(super) struct State {
    pub id: String,
    pub kind: Kind,
    pub parent: Option<usize>,
    /// Its states, those of its history left out.
    pub children: Vec<usize>,
    /// The states of its history.
    pub histories: Vec<usize>,
    /// Where it begins, and what is done then; for a history, where it leads at first.
    pub initial: Option<Transition>,
    pub transitions: Vec<Transition>,
    pub on_entry: Vec<Content>,
    pub on_exit: Vec<Content>,
}

/// A transition.
#[derive(Clone, Default)]
pub(super) struct Transition {
    pub source: usize,
    /// The events it is for; none for those that need no event.
    pub events: Vec<String>,
    pub condition: Option<String>,
    pub targets: Vec<usize>,
    pub is_internal: bool,
    pub content: Vec<Content>,
}

/// Executable content.
#[derive(Clone)]
pub(super) enum Content {
    Assign {
        location: String,
        value: String,
    },
    /// An event for the chart itself.
    Raise {
        event: String,
        /// Whether it waits behind all that were raised within a step.
        is_external: bool,
    },
    Send {
        event: String,
        values: Vec<String>,
    },
    /// Conditions with what is done where they are the first that holds.
    Choice(Vec<(Option<String>, Vec<Content>)>),
}

impl Chart {
    /// The chart of a document whose root is `<scxml>`.
    pub fn new(document: &Document<'_>) -> Result<Chart, ImportError> {
        let root = document.root_element();
        let mut chart = Chart::default();
        chart.add(root, None);
        chart.fill(root, 0);
        match chart.states[0].children.is_empty() {
            true => Err(ImportError::NoInitialState),
            false => Ok(chart),
        }
    }

    /// Whether the state is an ancestor of the other.
    pub fn is_ancestor(&self, ancestor: usize, state: usize) -> bool {
        self.ancestors(state).any(|it| it == ancestor)
    }

    /// The ancestors of a state, the nearest first.
    pub fn ancestors(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.states[state].parent, |&it| self.states[it].parent)
    }

    pub fn is_atomic(&self, state: usize) -> bool {
        let it = &self.states[state];
        it.children.is_empty() && !matches!(it.kind, Kind::History { .. })
    }

    /// Adds the states of an element, with their names.
    fn add(&mut self, node: Node<'_, '_>, parent: Option<usize>) {
        let number = self.states.len();
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
        self.states.push(State {
            id,
            kind,
            parent,
            ..State::default()
        });
        if let Some(parent) = parent {
            match kind {
                Kind::History { .. } => self.states[parent].histories.push(number),
                _ => self.states[parent].children.push(number),
            }
        }
        for child in elements(node).filter(|child| is_state(*child)) {
            self.add(child, Some(number));
        }
    }

    /// Fills in what states do; the numbers are those that `add` gave.
    fn fill(&mut self, node: Node<'_, '_>, number: usize) {
        let mut next = number + 1;
        let mut initial = None;
        if let Some(targets) = node.attribute("initial") {
            initial = Some(Transition {
                source: number,
                targets: self.targets(node, targets),
                ..Transition::default()
            });
        }
        for child in elements(node) {
            match child.tag_name().name() {
                _ if is_state(child) => {
                    let inside = child.descendants().filter(|it| is_state(*it)).count();
                    self.fill(child, next);
                    next += inside;
                }
                "transition" => {
                    let transition = self.transition(child, number);
                    match self.states[number].kind {
                        Kind::History { .. } => initial = Some(transition),
                        Kind::State | Kind::Parallel | Kind::Final => {
                            self.states[number].transitions.push(transition);
                        }
                    }
                }
                "initial" => {
                    let inner = elements(child).find(|it| it.tag_name().name() == "transition");
                    initial = inner.map(|inner| self.transition(inner, number));
                }
                "onentry" => {
                    let content = self.content(child);
                    self.states[number].on_entry.extend(content);
                }
                "onexit" => {
                    let content = self.content(child);
                    self.states[number].on_exit.extend(content);
                }
                "datamodel" if number == 0 => {}
                "datamodel" => self.refuse(child, "data of a state; put it into the document's"),
                "donedata" => self.refuse(child, "<donedata>"),
                other => self.refuse(child, &format!("<{other}>")),
            }
        }
        self.states[number].initial = initial;
    }

    fn transition(&mut self, node: Node<'_, '_>, source: usize) -> Transition {
        let events = node.attribute("event").unwrap_or_default();
        let events: Vec<String> = events
            .split_whitespace()
            .map(|event| {
                event
                    .trim_end_matches(".*")
                    .trim_end_matches('.')
                    .to_owned()
            })
            .collect();
        for event in &events {
            if event.starts_with("error") || event.starts_with("done.invoke") {
                self.refuse(node, &format!("a transition for `{event}`"));
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
                is_external: false,
            }),
            "send" => found.extend(self.send(node)),
            "if" => found.push(self.choice(node)),
            "log" => self.note(node, "a <log>"),
            "script" => {
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
        for attribute in [
            "delay",
            "delayexpr",
            "eventexpr",
            "targetexpr",
            "namelist",
            "idlocation",
        ] {
            if node.attribute(attribute).is_some_and(|it| it != "0s") {
                self.refuse(node, &format!("a <send> with `{attribute}`"));
                return None;
            }
        }
        let Some(event) = node.attribute("event") else {
            self.refuse(node, "a <send> without an event");
            return None;
        };
        let mut values = Vec::new();
        for child in elements(node) {
            match (child.tag_name().name(), child.attribute("expr")) {
                ("param", Some(value)) => values.push(value.to_owned()),
                (other, _) => self.refuse(child, &format!("<{other}> in a <send>")),
            }
        }
        let event = event.to_owned();
        let target = node.attribute("target").unwrap_or_default();
        let is_heard = node.document().descendants().any(|it| {
            let events = it.attribute("event").unwrap_or_default();
            it.tag_name().name() == "transition"
                && events.split_whitespace().any(|it| matches(it, &event))
        });
        // Without a target an event goes to the chart itself; one that it has no transition
        // for is meant for somebody else.
        Some(match target {
            "#_internal" => Content::Raise {
                event,
                is_external: false,
            },
            "" if is_heard && values.is_empty() => Content::Raise {
                event,
                is_external: true,
            },
            _ => Content::Send { event, values },
        })
    }

    fn choice(&mut self, node: Node<'_, '_>) -> Content {
        let mut branches: Vec<(Option<String>, Vec<Content>)> =
            vec![(node.attribute("cond").map(str::to_owned), Vec::new())];
        let all = self.content_with_marks(node);
        for part in all {
            match part {
                Ok(content) => {
                    if let Some((_, branch)) = branches.last_mut() {
                        branch.push(content);
                    }
                }
                Err(condition) => branches.push((condition, Vec::new())),
            }
        }
        Content::Choice(branches)
    }

    /// The content of an `<if>`, with the conditions of its other branches between.
    fn content_with_marks(&mut self, parent: Node<'_, '_>) -> Vec<Result<Content, Option<String>>> {
        let mut found = Vec::new();
        for node in elements(parent) {
            match node.tag_name().name() {
                "elseif" => found.push(Err(node.attribute("cond").map(str::to_owned))),
                "else" => found.push(Err(None)),
                _ => found.extend(self.content_of(node).into_iter().map(Ok)),
            }
        }
        found
    }

    fn refuse(&mut self, node: Node<'_, '_>, what: &str) {
        let what = format!("line {}: {what}", line(node));
        if !self.refused.contains(&what) {
            self.refused.push(what);
        }
    }

    fn note(&mut self, node: Node<'_, '_>, what: &str) {
        self.notes.push(format!("line {}: {what}", line(node)));
    }
}

/// Whether a descriptor is for an event: it is `*`, the event's name, or its first words.
pub(super) fn matches(descriptor: &str, event: &str) -> bool {
    let descriptor = descriptor.trim_end_matches(".*").trim_end_matches('.');
    descriptor == "*"
        || event == descriptor
        || event
            .strip_prefix(descriptor)
            .is_some_and(|rest| rest.starts_with('.'))
}

fn is_state(node: Node<'_, '_>) -> bool {
    let names = ["state", "parallel", "final", "history"];
    node.is_element() && names.contains(&node.tag_name().name())
}

pub(super) fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(|child| child.is_element())
}

pub(super) fn line(node: Node<'_, '_>) -> u32 {
    node.document().text_pos_at(node.range().start).row
}
