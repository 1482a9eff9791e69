//! State diagrams in PlantUML and Mermaid: `A --> B : event [guard] / action`.
//!
//! The event is an input, the action an output or an assignment. Both languages are for
//! drawing, so a label may be any text; one that is no event, guard and action is refused,
//! as is everything else that may mean something. Lines about the picture alone are passed
//! over. As in UML, an arrow without an event leaves a state with states in it when those
//! have come to their end, and of several arrows that can be taken it may be any.

mod drawing;
mod fork;

use super::chart::{Chart, Content, Datum, Kind, Transition};
use super::flatten::flatten;
use super::{ImportError, Imported, script};
use drawing::{Arrow, Bar, Drawing, End, Node, message};
use rustc_hash::FxHashSet;

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

fn modelled(mut drawing: Drawing) -> Result<Imported, ImportError> {
    if drawing.refused.is_empty() {
        fork::with_branches(&mut drawing);
    }
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
    charting.add_within();
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
            if node.region == region && !node.is_bar() {
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
                true => self.chart.states[state].on_entry.push(contents),
                false => self.chart.states[state].on_exit.push(contents),
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
            let parent = match region.around {
                Some(_) => self.chart.states[self.states[*target]].parent.unwrap_or(0),
                None => 0,
            };
            if self.drawing.nodes[*target].is_bar() && region.around.is_some() {
                let what = "a region that begins in a fork or a join".to_owned();
                self.chart.refuse(what);
            }
            let content = label.actions.iter().map(|it| self.content(it)).collect();
            self.chart.states[parent].initial = Some(Transition {
                source: parent,
                targets: self.targets(*target),
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
            match self.drawing.nodes[arrow.from].bar {
                Some(Bar::Join) => self.pass_join(arrow),
                Some(Bar::Fork) => {}
                None => self.add_arrow(arrow),
            }
        }
    }

    /// Adds what states do when something comes that does not make the system leave them.
    fn add_within(&mut self) {
        let drawing = self.drawing;
        for (number, node) in drawing.nodes.iter().enumerate() {
            let source = self.states[number];
            for label in &node.within {
                let content = label.actions.iter().map(|it| self.content(it)).collect();
                self.chart.states[source].transitions.push(Transition {
                    source,
                    events: label.event.clone().into_iter().collect(),
                    condition: label.guard.clone(),
                    content,
                    ..Transition::default()
                });
            }
        }
    }

    fn add_arrow(&mut self, arrow: &Arrow) {
        let source = self.states[arrow.from];
        let targets = match arrow.to {
            // The arrow that leaves the join waits for it.
            End::Node(node) if self.drawing.nodes[node].bar == Some(Bar::Join) => return,
            End::Node(node) => self.targets(node),
            End::Region(region) => self.ends[region].into_iter().collect(),
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
            targets,
            is_internal: false,
            content,
        });
    }

    /// The states that an arrow to a node enters: several, if it is a fork.
    fn targets(&self, node: usize) -> Vec<usize> {
        match self.drawing.nodes[node].bar {
            Some(_) => {
                let branches = self.drawing.left_by(node).into_iter();
                branches.map(|it| self.states[it]).collect()
            }
            None => vec![self.states[node]],
        }
    }

    /// The arrow that leaves a join of states in regions: it is taken when all of them are active.
    fn pass_join(&mut self, arrow: &Arrow) {
        let drawing = self.drawing;
        let entering: Vec<&Arrow> = drawing
            .arrows
            .iter()
            .filter(|it| it.leads_to(arrow.from))
            .collect();
        let around = |it: &&Arrow| drawing.regions[drawing.nodes[it.from].region].around;
        let regions: FxHashSet<usize> = entering
            .iter()
            .map(|it| drawing.nodes[it.from].region)
            .collect();
        let composite = entering.first().and_then(around);
        let is_common = entering.iter().all(|it| around(it) == composite);
        let (Some(composite), true) = (composite, is_common && regions.len() == entering.len())
        else {
            let join = &drawing.nodes[arrow.from].id;
            let what = format!("the join {join}: what meets there are not the regions of a state");
            return self.chart.refuse(what);
        };
        if let Some(labelled) = entering.iter().find(|it| !it.label.is_bare()) {
            let what = format!("line {}: an arrow to a join with a label", labelled.line);
            return self.chart.refuse(what);
        }
        let active = entering.iter().map(|it| {
            let state = self.states[it.from];
            format!("In('{}')", self.chart.states[state].id)
        });
        let condition = active.collect::<Vec<String>>().join(" && ");
        let targets = match arrow.to {
            End::Node(node) => self.targets(node),
            End::Region(region) => self.ends[region].into_iter().collect(),
        };
        let content = arrow.label.actions.iter();
        let content = content.map(|action| self.content(action)).collect();
        let source = self.states[composite];
        self.chart.states[source].transitions.push(Transition {
            source,
            condition: Some(condition),
            targets,
            content,
            ..Transition::default()
        });
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
            let (event, values) = message(action).unwrap_or((action, Vec::new()));
            return Content::Send {
                event: event.to_owned(),
                values,
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
