//! State charts, whatever they were written in: states within states, regions side by side,
//! histories, transitions and what they do.

use super::post::{Post, Said};

/// A state chart; the first state is the chart itself, and states are in the order of the
/// document.
#[derive(Clone, Default)]
pub(super) struct Chart {
    pub title: String,
    pub states: Vec<State>,
    /// What the document calls itself.
    pub name: Option<String>,
    pub data: Vec<Datum>,
    /// Variables that scripts set, declared or not.
    pub scripted: Vec<String>,
    /// What is done before it begins.
    pub scripts: Vec<Content>,
    /// Whether of several transitions of a state the first that can be taken is, as SCXML
    /// has it. In a drawing it may be any of them.
    pub is_ordered: bool,
    /// What the document has that models do not.
    pub refused: Vec<String>,
    /// What it has that changes nothing.
    pub notes: Vec<String>,
}

/// A variable of the chart.
#[derive(Clone)]
pub(super) struct Datum {
    pub id: String,
    pub value: Option<String>,
    /// Where it stands, to be shown.
    pub location: String,
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
#[derive(Clone, Default)]
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
    /// What is done when it is entered and left. An error ends the block where it happens, and
    /// the next one is done all the same.
    pub on_entry: Vec<Vec<Content>>,
    pub on_exit: Vec<Vec<Content>>,
    /// What the event says that tells that the state around this final one is done.
    pub done_values: Vec<(String, String)>,
    /// Charts that run while it is active.
    pub invokes: Vec<Invoke>,
}

/// A chart that runs beside another one, as a session of its own, while a state of that one is
/// active. Its states are among those of the chart, under a root of their own, and its variables
/// have names that nobody else's have.
#[derive(Clone)]
pub(super) struct Invoke {
    /// What it is called, by the document or else by the platform.
    pub id: String,
    /// A variable for what it is called.
    pub id_location: Option<String>,
    /// What it calls itself.
    pub name: Option<String>,
    pub root: usize,
    /// Its variables, which are made anew each time.
    pub data: Vec<Datum>,
    /// The values that it is given, as assignments to them.
    pub given: Vec<Content>,
    /// What is done with each event that comes from it, before anything else.
    pub finalize: Vec<Content>,
    /// Whether it gets what the chart gets.
    pub is_forwarding: bool,
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
    /// An event for the chart itself, with named values.
    Raise {
        event: String,
        values: Vec<(String, String)>,
        /// Whether it waits behind all that were raised within a step.
        is_external: bool,
        /// The name that it was sent by.
        id: Option<String>,
    },
    /// An event for somebody else.
    Send {
        event: String,
        values: Vec<String>,
    },
    /// An event for another session, by what it is called.
    Tell {
        to: String,
        event: String,
        values: Vec<(String, String)>,
        id: Option<String>,
    },
    /// An event that comes after some time.
    Delay(Delayed),
    /// A variable gets the name that the platform chose for something.
    Identify {
        location: String,
        id: String,
    },
    /// Events under way that were given this name do not come.
    Cancel(Said),
    /// Conditions with what is done where they are the first that holds.
    Choice(Vec<(Option<String>, Vec<Content>)>),
    /// What is done for each element of a list, which has to be known.
    ForEach {
        list: String,
        item: String,
        index: Option<String>,
        content: Vec<Content>,
    },
    /// An event of which something is computed before it is sent.
    Post(Box<Post>),
    /// Something that is an error wherever it is done; what follows is not done.
    Fail(&'static str),
}

/// An event that comes after some time.
#[derive(Clone)]
pub(super) struct Delayed {
    /// Which of the chart's delayed events it is.
    pub number: usize,
    /// A name to cancel it by.
    pub id: Option<String>,
    pub event: String,
    pub values: Vec<(String, String)>,
    pub millis: u64,
    pub to: Recipient,
}

/// Who gets an event.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Recipient {
    /// The session that sends it.
    Itself,
    /// Somebody who is not part of the model.
    Outside,
    /// Another session, by what it is called.
    Session(String),
}

/// What the chart that started a session is called there.
pub(super) const PARENT: &str = "_parent";

impl Chart {
    /// What the transitions of the session with this root are for.
    pub fn descriptors(&self, root: usize) -> Vec<String> {
        let states = self.states.iter().enumerate();
        let own = states.filter(|(number, _)| self.root_of(*number) == root);
        let transitions = own.flat_map(|(_, it)| &it.transitions);
        transitions.flat_map(|it| it.events.clone()).collect()
    }

    /// Adds a state to the chart and to the one around it.
    pub fn add(&mut self, id: String, kind: Kind, parent: Option<usize>) -> usize {
        let number = self.states.len();
        self.states.push(State {
            id,
            kind,
            parent,
            ..State::default()
        });
        if let Some(parent) = parent {
            match kind {
                Kind::History { .. } => self.states[parent].histories.push(number),
                Kind::State | Kind::Parallel | Kind::Final => {
                    self.states[parent].children.push(number);
                }
            }
        }
        number
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

    /// The transition by which a state is entered, down to its first child.
    pub fn initial_of(&self, state: usize) -> Transition {
        let it = &self.states[state];
        match &it.initial {
            Some(initial) => initial.clone(),
            None => Transition {
                source: state,
                targets: it.children.first().copied().into_iter().collect(),
                ..Transition::default()
            },
        }
    }

    /// The root of the session that a state is of.
    pub fn root_of(&self, state: usize) -> usize {
        self.ancestors(state).last().unwrap_or(state)
    }

    /// What the session with this root calls itself.
    pub fn name_of(&self, root: usize) -> Option<&str> {
        let mut invoked = self.invokes().filter(|(_, it)| it.root == root);
        match invoked.next() {
            Some((_, invoke)) => invoke.name.as_deref(),
            None => self.name.as_deref(),
        }
    }

    /// The charts that are invoked, each with the state that it runs beside.
    pub fn invokes(&self) -> impl Iterator<Item = (usize, &Invoke)> {
        let states = self.states.iter().enumerate();
        states.flat_map(|(number, state)| state.invokes.iter().map(move |it| (number, it)))
    }

    /// Everything that is done somewhere, what stands in choices included.
    pub fn contents(&self) -> Vec<&Content> {
        self.contents_of(|_| true)
    }

    /// What is done in those sessions whose roots fit.
    pub fn contents_of(&self, is_meant: impl Fn(usize) -> bool) -> Vec<&Content> {
        let mut waiting: Vec<&Content> = Vec::new();
        if is_meant(0) {
            waiting.extend(&self.scripts);
        }
        let states = self.states.iter().enumerate();
        for (_, state) in states.filter(|(number, _)| is_meant(self.root_of(*number))) {
            let transitions = state.transitions.iter().chain(&state.initial);
            waiting.extend(transitions.flat_map(|transition| &transition.content));
            waiting.extend(state.on_entry.iter().chain(&state.on_exit).flatten());
            for invoke in &state.invokes {
                waiting.extend(invoke.given.iter().chain(&invoke.finalize));
            }
        }
        let mut found = Vec::new();
        while let Some(content) = waiting.pop() {
            found.push(content);
            match content {
                Content::Choice(branches) => {
                    waiting.extend(branches.iter().flat_map(|(_, content)| content));
                }
                Content::ForEach { content, .. } => waiting.extend(content),
                _ => {}
            }
        }
        found
    }

    pub fn refuse(&mut self, what: String) {
        if !self.refused.contains(&what) {
            self.refused.push(what);
        }
    }
}

/// Whether a descriptor is for an event: it is `*`, the event's name, or its first words.
pub(super) fn matches(descriptor: &str, event: &str) -> bool {
    descriptor == "*"
        || event
            .strip_prefix(descriptor)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
