//! GraphWalker: graphs with guards and actions, as JSON or as GraphML from yEd.
//!
//! An edge is something the tester does: an input without values, named like the edge. A
//! vertex is where the system is checked: when it is entered, the system confirms it by an
//! output named like the vertex. Vertices without a name are not checked. Graphs that share
//! states become one automaton; from a shared state one may go on in any of them.
//!
//! Requirements of edges and vertices are those of the transitions.
//!
//! Generators, weights and properties say how GraphWalker walks, not what a system may do:
//! they are noted and left out. What changes the meaning and is not understood is refused.

use super::{Action, Arrow, Declared, Draft, ImportError, Imported, name, script};
use roxmltree::{Document, Node};
use serde::Deserialize;
use serde_json::Value as Json;

/// The model of a GraphWalker file in JSON.
///
/// # Errors
///
/// When it is none, or has something that models do not.
pub fn graphwalker(text: &str) -> Result<Imported, ImportError> {
    let File { mut models } = serde_json::from_str(text)?;
    models.iter_mut().for_each(Graph::leave_out_blocked);
    Import::default().run(&models)
}

/// The model of a graph in GraphML, with labels as GraphWalker reads them.
///
/// # Errors
///
/// When it is none, or has something that models do not.
pub fn graphml(text: &str) -> Result<Imported, ImportError> {
    let document = super::xml(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "graphml" {
        return Err(ImportError::Root {
            found: root.tag_name().name().to_owned(),
            expected: "graphml",
        });
    }
    let mut graph = labelled(&document);
    graph.leave_out_blocked();
    Import::default().run(&[graph])
}

#[derive(Deserialize)]
struct File {
    models: Vec<Graph>,
}

/// A graph. What is carried over has a type; the rest is only looked at for whether
/// it is there, to be noted.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Graph {
    name: Option<String>,
    start_element_id: Option<String>,
    #[serde(default)]
    actions: Option<Vec<String>>,
    #[serde(default)]
    vertices: Vec<Vertex>,
    #[serde(default)]
    edges: Option<Vec<Edge>>,
    #[serde(default)]
    generator: Json,
    #[serde(default)]
    properties: Json,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Vertex {
    id: String,
    name: Option<String>,
    #[serde(default)]
    shared_state: Option<String>,
    #[serde(default)]
    actions: Option<Vec<String>>,
    #[serde(default)]
    requirements: Option<Vec<String>>,
    #[serde(default)]
    properties: Json,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Edge {
    #[serde(default)]
    id: String,
    name: Option<String>,
    source_vertex_id: Option<String>,
    target_vertex_id: Option<String>,
    guard: Option<String>,
    #[serde(default)]
    actions: Option<Vec<String>>,
    #[serde(default)]
    requirements: Option<Vec<String>>,
    #[serde(default)]
    properties: Json,
    #[serde(default)]
    weight: Json,
    #[serde(default)]
    dependency: Json,
}

impl Graph {
    /// GraphWalker walks as if what is blocked were not there.
    fn leave_out_blocked(&mut self) {
        let is_blocked = |properties: &Json| properties.get("blocked") == Some(&Json::Bool(true));
        let mut blocked: Vec<String> = Vec::new();
        self.vertices.retain(|vertex| {
            let is_left_out = is_blocked(&vertex.properties);
            blocked.extend(is_left_out.then(|| vertex.id.clone()));
            !is_left_out
        });
        if let Some(edges) = &mut self.edges {
            edges.retain(|edge| {
                let ends = [&edge.source_vertex_id, &edge.target_vertex_id];
                let touches =
                    |end: &Option<String>| end.as_ref().is_some_and(|end| blocked.contains(end));
                !is_blocked(&edge.properties) && !ends.into_iter().any(touches)
            });
        }
    }
}

impl Edge {
    fn title(&self) -> Option<&str> {
        self.name.as_deref().filter(|title| !title.is_empty())
    }
}

/// A vertex on its way into the model.
struct Place {
    /// The number of its graph, and its id there.
    graph: usize,
    id: String,
    /// The state where the system waits for the tester.
    state: String,
    /// The state where it has yet to confirm the vertex; the same where it need not.
    entered: String,
    shared: Option<String>,
}

#[derive(Default)]
struct Import {
    draft: Draft,
    places: Vec<Place>,
}

impl Import {
    fn run(mut self, graphs: &[Graph]) -> Result<Imported, ImportError> {
        let first = graphs.first().ok_or(ImportError::NoModel)?;
        for graph in graphs {
            self.declare_all(graph);
        }
        for (number, graph) in graphs.iter().enumerate() {
            self.note_what_is_left_out(graph);
            for vertex in &graph.vertices {
                self.vertex(number, vertex);
            }
        }
        for (number, graph) in graphs.iter().enumerate() {
            for edge in graph.edges.as_deref().unwrap_or_default() {
                let source = edge.source_vertex_id.as_deref().unwrap_or_default();
                match self.place(number, source).map(|place| place.state.clone()) {
                    Some(from) => self.edge(number, edge, from)?,
                    None if source.is_empty() => {}
                    None => {
                        let what = format!("the edge {}: there is no vertex {source}", edge.id);
                        self.draft.refused.push(what);
                    }
                }
            }
        }
        self.share_states(graphs);
        self.draft.initial = self.start(first)?;
        self.draft.title = name(first.name.as_deref().unwrap_or("imported"));
        self.draft.finish()
    }

    /// Variables that actions set before anything happens, and those that are set first
    /// later on.
    fn declare_all(&mut self, graph: &Graph) {
        for action in statements(graph.actions.as_deref()) {
            match script::declaration(&action) {
                Ok(variable) => self.draft.declare(variable),
                Err(what) => self
                    .draft
                    .refused
                    .push(format!("the action {action}: {what}")),
            }
        }
        let edges = graph.edges.as_deref().unwrap_or_default().iter();
        let of_edges = edges.map(|edge| edge.actions.as_deref());
        let of_vertices = graph
            .vertices
            .iter()
            .map(|vertex| vertex.actions.as_deref());
        for action in of_edges.chain(of_vertices).flat_map(statements) {
            if let Ok(variable) = script::declaration(&action) {
                let value = script::plain_value(variable.ty).to_owned();
                self.draft.declare(Declared { value, ..variable });
            }
        }
    }

    fn note_what_is_left_out(&mut self, graph: &Graph) {
        let title = graph.name.as_deref().unwrap_or("without a name");
        let mut note = |what: &str, of: String, json: &Json| {
            if is_filled(json) {
                self.draft.notes.push(format!("`{what}` of {of}"));
            }
        };
        note("generator", format!("the model {title}"), &graph.generator);
        note(
            "properties",
            format!("the model {title}"),
            &graph.properties,
        );
        for vertex in &graph.vertices {
            let of = format!(
                "the vertex {}",
                vertex.name.as_deref().unwrap_or(&vertex.id)
            );
            note("properties", of, &vertex.properties);
        }
        for edge in graph.edges.as_deref().unwrap_or_default() {
            let of = format!("the edge {}", edge.title().unwrap_or(&edge.id));
            note("properties", of.clone(), &edge.properties);
            note("weight", of.clone(), &edge.weight);
            note("dependency", of, &edge.dependency);
        }
    }

    /// A vertex: a state, and before it one where the system has to confirm it.
    fn vertex(&mut self, graph: usize, vertex: &Vertex) {
        let title = vertex.name.as_deref().filter(|title| !title.is_empty());
        let state = self.draft.new_state(&name(title.unwrap_or(&vertex.id)));
        let assignments = self.assignments(vertex.actions.as_deref(), &vertex.id);
        let requirements = vertex.requirements.clone().unwrap_or_default();
        let mut entered = state.clone();
        if title.is_some() || !assignments.is_empty() || !requirements.is_empty() {
            entered = self.draft.new_state(&format!("{state}_entered"));
            let mut action = Action::Internal;
            if let Some(title) = title {
                action = Action::Output {
                    channel: self.draft.channel(title).name.clone(),
                    values: Vec::new(),
                };
            }
            self.draft.arrows.push(Arrow {
                from: entered.clone(),
                to: state.clone(),
                action,
                assignments,
                requirements,
                ..Arrow::default()
            });
        }
        self.places.push(Place {
            graph,
            id: vertex.id.clone(),
            state,
            entered,
            shared: vertex.shared_state.clone().filter(|it| !it.is_empty()),
        });
    }

    /// An edge from this state.
    fn edge(&mut self, graph: usize, edge: &Edge, from: String) -> Result<(), ImportError> {
        let target = edge.target_vertex_id.as_deref().unwrap_or_default();
        let to = self.place(graph, target).map(|place| place.entered.clone());
        let to = to.ok_or_else(|| ImportError::NoTarget(edge.id.clone()))?;
        let mut arrow = Arrow {
            from,
            to,
            assignments: self.assignments(edge.actions.as_deref(), &edge.id),
            requirements: edge.requirements.clone().unwrap_or_default(),
            ..Arrow::default()
        };
        // A guard is a script, whose last statement says whether it holds.
        let guard = edge
            .guard
            .as_deref()
            .map(|it| it.trim().trim_end_matches(';'));
        if let Some(guard) = guard.filter(|it| !it.is_empty()) {
            match script::expression(guard, &mut script::Plain) {
                Ok(guard) => arrow.guards.push(guard.text),
                Err(what) => {
                    let what = format!("the guard {guard} of {}: it has {what}", edge.id);
                    self.draft.refused.push(what);
                }
            }
        }
        if let Some(title) = edge.title() {
            arrow.action = Action::Input {
                channel: self.draft.channel(title).name.clone(),
                condition: None,
            };
        }
        self.draft.arrows.push(arrow);
        Ok(())
    }

    fn assignments(&mut self, actions: Option<&[String]>, id: &str) -> Vec<String> {
        let mut found = Vec::new();
        for action in statements(actions) {
            match script::assignment(&action) {
                Ok(assignment) => found.push(assignment),
                Err(what) => {
                    let what = format!("the action {action} of {id}: it has {what}");
                    self.draft.refused.push(what);
                }
            }
        }
        found
    }

    /// From a shared state one may go on in another graph, which is entered there.
    fn share_states(&mut self, graphs: &[Graph]) {
        let mut arrows = Vec::new();
        for from in &self.places {
            for to in &self.places {
                if from.graph != to.graph && from.shared.is_some() && from.shared == to.shared {
                    arrows.push(Arrow {
                        from: from.state.clone(),
                        to: to.entered.clone(),
                        ..Arrow::default()
                    });
                }
            }
        }
        self.draft.arrows.extend(arrows);
        for (number, graph) in graphs.iter().enumerate().skip(1) {
            let is_entered = self.places.iter().any(|place| {
                let elsewhere = |it: &Place| it.graph != number && it.shared == place.shared;
                place.graph == number && place.shared.is_some() && self.places.iter().any(elsewhere)
            });
            if !is_entered {
                let title = graph.name.as_deref().unwrap_or("without a name");
                let what = format!("the model {title}: it shares no state with another one");
                self.draft.refused.push(what);
            }
        }
    }

    /// The state where the model begins: entering a vertex, or taking an edge.
    fn start(&mut self, graph: &Graph) -> Result<String, ImportError> {
        let edges = graph.edges.as_deref().unwrap_or_default();
        let start = graph.start_element_id.as_deref().unwrap_or_default();
        if let Some(place) = self.place(0, start) {
            return Ok(place.entered.clone());
        }
        let free = |edge: &&Edge| {
            edge.source_vertex_id
                .as_deref()
                .unwrap_or_default()
                .is_empty()
        };
        let named = edges
            .iter()
            .find(|edge| !start.is_empty() && edge.id == start);
        if let Some(edge) = named.or_else(|| edges.iter().find(free)) {
            let state = self.draft.new_state("start");
            self.edge(0, edge, state.clone())?;
            return Ok(state);
        }
        let first = self.places.first().map(|place| place.entered.clone());
        first.ok_or(ImportError::NoVertices)
    }

    fn place(&self, graph: usize, id: &str) -> Option<&Place> {
        let mut places = self.places.iter();
        places.find(|place| place.graph == graph && place.id == id)
    }
}

/// The graph of a GraphML file: its labels hold what GraphWalker's JSON has fields for.
fn labelled(document: &Document<'_>) -> Graph {
    let mut graph = Graph::default();
    let mut edges = Vec::new();
    let mut start = None;
    for node in document.descendants().filter(Node::is_element) {
        let id = node.attribute("id").unwrap_or_default().to_owned();
        match node.tag_name().name() {
            "node" => {
                let label = Label::new(&text_of(node, "NodeLabel"));
                if label.text.eq_ignore_ascii_case("start") {
                    start = Some(id);
                    continue;
                }
                graph.actions.get_or_insert_default().extend(label.init);
                graph.vertices.push(Vertex {
                    id,
                    name: Some(label.text),
                    shared_state: label.shared,
                    requirements: Some(label.requirements),
                    properties: label.properties,
                    ..Vertex::default()
                });
            }
            "edge" => {
                let end = |which: &str| node.attribute(which).map(str::to_owned);
                let label = Label::new(&text_of(node, "EdgeLabel"));
                edges.push(edge_of(id, label, end("source"), end("target")));
            }
            _ => {}
        }
    }
    for edge in &mut edges {
        if edge.source_vertex_id == start {
            edge.source_vertex_id = None;
            graph.start_element_id = Some(edge.id.clone());
        }
    }
    graph.edges = Some(edges);
    graph
}

/// The text of the first element with this name.
fn text_of(node: Node<'_, '_>, tag: &str) -> String {
    let mut inside = node.descendants();
    let found = inside.find(|it| it.tag_name().name() == tag);
    let parts = found.into_iter().flat_map(|it| it.descendants());
    let parts = parts.filter(Node::is_text).filter_map(|it| it.text());
    parts.collect()
}

/// What a label says: words that GraphWalker knows, and the rest.
#[derive(Default)]
struct Label {
    text: String,
    shared: Option<String>,
    init: Vec<String>,
    requirements: Vec<String>,
    properties: Json,
}

impl Label {
    fn new(text: &str) -> Label {
        let mut label = Label::default();
        let mut rest: Vec<&str> = Vec::new();
        for line in text.lines() {
            // Letters of one byte become letters of one byte.
            let upper = line.to_ascii_uppercase();
            let value = |at: usize| line[at..].trim_start_matches([':', '=', ' ']).trim();
            if let Some(at) = upper.find("SHARED:") {
                label.shared = Some(value(at + "SHARED".len()).to_owned());
                rest.push(&line[..at]);
            } else if let Some(at) = upper.find("INIT:") {
                label.init.push(value(at + "INIT".len()).to_owned());
                rest.push(&line[..at]);
            } else if upper.trim() == "BLOCKED" {
                label.properties = serde_json::json!({"blocked": true});
            } else if let Some(at) = upper.find("REQTAG") {
                let tags = value(at + "REQTAG".len()).split(',').map(str::trim);
                let tags = tags.filter(|tag| !tag.is_empty());
                label.requirements.extend(tags.map(str::to_owned));
                rest.push(&line[..at]);
            } else if ["WEIGHT", "DEPENDENCY"]
                .iter()
                .any(|word| upper.trim().starts_with(word))
            {
                label.properties = Json::String(line.trim().to_owned());
            } else {
                rest.push(line);
            }
        }
        label.text = rest.join(" ").trim().to_owned();
        label
    }
}

/// `e_Name[guard]/action; action;`, each part optional.
fn edge_of(id: String, label: Label, source: Option<String>, target: Option<String>) -> Edge {
    let text = label.text.as_str();
    let (before, actions) = match split_outside_brackets(text) {
        Some((before, actions)) => (before, Some(vec![actions.to_owned()])),
        None => (text, None),
    };
    let (title, guard) = match before.split_once('[') {
        Some((title, guard)) => {
            let guard = guard.rsplit_once(']').map_or(guard, |(guard, _)| guard);
            (title, Some(guard.to_owned()))
        }
        None => (before, None),
    };
    Edge {
        id,
        name: Some(title.trim().to_owned()),
        source_vertex_id: source,
        target_vertex_id: target,
        guard,
        actions,
        requirements: Some(label.requirements),
        properties: label.properties,
        ..Edge::default()
    }
}

/// The text before and after the first `/` that is in no guard.
fn split_outside_brackets(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            '/' if depth == 0 => return Some((&text[..at], &text[at + 1..])),
            _ => {}
        }
    }
    None
}

/// The statements of actions.
fn statements(actions: Option<&[String]>) -> Vec<String> {
    let lines = actions.unwrap_or_default().iter();
    lines.flat_map(|line| script::statements(line)).collect()
}

fn is_filled(json: &Json) -> bool {
    match json {
        Json::Null | Json::Bool(false) => false,
        Json::String(text) => !text.is_empty(),
        Json::Array(list) => !list.is_empty(),
        Json::Object(object) => !object.is_empty(),
        Json::Bool(true) | Json::Number(_) => true,
    }
}
