//! State diagrams in PlantUML and Mermaid: `A --> B : event [guard] / action`.
//!
//! The event is an input, the action an output or an assignment. Both languages are for
//! drawing, so a label may be any text; one that is no event, guard and action is refused,
//! as is everything else that may mean something. Lines about the picture alone are passed
//! over. As in UML, an arrow without an event leaves a state with states in it when those
//! have come to their end, and of several arrows that can be taken it may be any.

mod drawing;

use super::chart::{Chart, Content, Datum, Kind, Transition};
use super::flatten::flatten;
use super::{ImportError, Imported, script};
use drawing::{Drawing, End, Node};

/// The model of a state diagram in PlantUML.
///
/// # Errors
///
/// When it is none, or has something that models do not.
pub fn plantuml(text: &str) -> Result<Imported, ImportError> {
    let begins = text.find("@startuml").ok_or(ImportError::NoModel)?;
    let first = text[..begins].lines().count().max(1);
    let inside = text[begins..].split_once('\n').map_or("", |(_, rest)| rest);
    let inside = inside.split("@enduml").next().unwrap_or_default();
    modelled(Drawing::read(inside, first + 1, "'"))
}

/// The model of a state diagram in Mermaid.
///
/// # Errors
///
/// When it is none, or has something that models do not.
pub fn mermaid(text: &str) -> Result<Imported, ImportError> {
    let begins = text.find("stateDiagram").ok_or(ImportError::NoModel)?;
    let first = text[..begins].lines().count().max(1);
    let inside = text[begins..].split_once('\n').map_or("", |(_, rest)| rest);
    let inside = inside.split("```").next().unwrap_or_default();
    modelled(Drawing::read(inside, first + 1, "%%"))
}

fn modelled(drawing: Drawing) -> Result<Imported, ImportError> {
    if !drawing.refused.is_empty() {
        return Err(ImportError::Refused(drawing.refused));
    }
    if drawing.regions[0].initial.is_none() {
        return Err(ImportError::NoInitialState);
    }
    let mut charting = Charting {
        chart: Chart {
            title: "imported".to_owned(),
            ..Chart::default()
        },
        states: vec![0; drawing.nodes.len()],
        ends: vec![None; drawing.regions.len()],
        drawing: &drawing,
    };
    charting.chart.notes = drawing.notes.clone();
    let root = charting.chart.add("imported".to_owned(), Kind::State, None);
    charting.add_region(0, root);
    charting.begin_regions();
    charting.add_arrows();
    flatten(charting.chart)
}

/// A drawing that becomes a chart.
struct Charting<'d> {
    drawing: &'d Drawing,
    chart: Chart,
    /// By node: its state.
    states: Vec<usize>,
    /// By region: the state of its `[*]` at the end of arrows.
    ends: Vec<Option<usize>>,
}

impl Charting<'_> {
    /// Adds the states of a region to the state that holds them.
    fn add_region(&mut self, region: usize, parent: usize) {
        let drawing = self.drawing;
        for (number, node) in drawing.nodes.iter().enumerate() {
            if node.region == region {
                self.states[number] = self.add_node(node, parent);
            }
        }
        if drawing.regions[region].has_end {
            let id = format!("{} end", self.chart.states[parent].id);
            self.ends[region] = Some(self.chart.add(id, Kind::Final, Some(parent)));
        }
    }

    fn add_node(&mut self, node: &Node, parent: usize) -> usize {
        let kind = match (&node.history, node.regions.len()) {
            (Some(deep), _) => Kind::History { deep: *deep },
            (None, 0 | 1) => Kind::State,
            (None, _) => Kind::Parallel,
        };
        let state = self.chart.add(node.id.clone(), kind, Some(parent));
        for (content, of_state) in [(&node.on_entry, true), (&node.on_exit, false)] {
            let contents = content.iter().map(|action| self.content(action)).collect();
            match of_state {
                true => self.chart.states[state].on_entry = contents,
                false => self.chart.states[state].on_exit = contents,
            }
        }
        match &node.regions[..] {
            [] => {}
            [only] => self.add_region(*only, state),
            several => {
                for (number, region) in several.iter().enumerate() {
                    let id = format!("{} {}", node.id, number + 1);
                    let inside = self.chart.add(id, Kind::State, Some(state));
                    self.add_region(*region, inside);
                }
            }
        }
        state
    }

    /// Says of every region where it begins, and so of histories where they lead at first.
    fn begin_regions(&mut self) {
        for region in &self.drawing.regions {
            let Some((target, label)) = &region.initial else {
                continue;
            };
            let target = self.states[*target];
            let parent = self.chart.states[target].parent.unwrap_or(0);
            let content = label.actions.iter().map(|it| self.content(it)).collect();
            self.chart.states[parent].initial = Some(Transition {
                source: parent,
                targets: vec![target],
                content,
                ..Transition::default()
            });
        }
        for state in 0..self.chart.states.len() {
            if let (Kind::History { .. }, Some(parent)) = (
                self.chart.states[state].kind,
                self.chart.states[state].parent,
            ) {
                self.chart.states[state].initial = Some(self.chart.initial_of(parent));
            }
        }
        for (number, node) in self.drawing.nodes.iter().enumerate() {
            let state = self.states[number];
            let begins = |region: &usize| self.drawing.regions[*region].initial.is_some();
            if !node.regions.iter().all(begins) && !self.chart.states[state].children.is_empty() {
                let what = format!("the state {}: nothing says where it begins", node.id);
                self.chart.refuse(what);
            }
        }
    }

    fn add_arrows(&mut self) {
        for arrow in &self.drawing.arrows {
            let source = self.states[arrow.from];
            let target = match arrow.to {
                End::Node(node) => Some(self.states[node]),
                End::Region(region) => self.ends[region],
            };
            let mut events: Vec<String> = arrow.label.event.clone().into_iter().collect();
            if events.is_empty() && !self.chart.is_atomic(source) {
                events.push(format!("done.state.{}", self.chart.states[source].id));
                if !self.comes_to_an_end(arrow.from) {
                    let what = format!(
                        "line {}: an arrow without an event from a state that never ends",
                        arrow.line
                    );
                    self.chart.refuse(what);
                }
            }
            let condition = match arrow.label.guard.as_deref() {
                Some("else") => self.otherwise(arrow.from, arrow.label.event.as_deref()),
                guard => guard.map(str::to_owned),
            };
            let content = arrow.label.actions.iter();
            let content = content.map(|action| self.content(action)).collect();
            self.chart.states[source].transitions.push(Transition {
                source,
                events,
                condition,
                targets: target.into_iter().collect(),
                is_internal: false,
                content,
            });
        }
    }

    fn comes_to_an_end(&self, node: usize) -> bool {
        let mut regions = self.drawing.nodes[node].regions.iter();
        regions.all(|region| self.drawing.regions[*region].has_end)
    }

    /// That no other arrow for the event can be taken.
    fn otherwise(&self, from: usize, event: Option<&str>) -> Option<String> {
        let arrows = self.drawing.arrows.iter().filter(|other| {
            other.from == from
                && other.label.event.as_deref() == event
                && other.label.guard.as_deref() != Some("else")
        });
        let refused = arrows.map(|other| {
            let guard = other.label.guard.as_deref().unwrap_or("true");
            format!("!({guard})")
        });
        let refused: Vec<String> = refused.collect();
        (!refused.is_empty()).then(|| refused.join(" && "))
    }

    /// An assignment, whose variable is declared by the first constant that it gets, or a
    /// message.
    fn content(&mut self, action: &str) -> Content {
        let Some((location, value)) = script::split_assignment(action) else {
            return Content::Send {
                event: action.trim_end_matches("()").trim().to_owned(),
                values: Vec::new(),
            };
        };
        let is_known = self.chart.data.iter().any(|datum| datum.id == location);
        if let Ok(constant) = script::declared(&location, &value)
            && !is_known
        {
            let value = script::plain_value(constant.ty).to_owned();
            let note = format!("the variable {location} begins as {value}");
            self.chart.notes.push(note);
            self.chart.data.push(Datum {
                id: location.clone(),
                value: Some(value),
                location: "an action".to_owned(),
            });
        }
        Content::Assign { location, value }
    }
}
