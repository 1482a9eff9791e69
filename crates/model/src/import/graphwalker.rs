//! GraphWalker's JSON: graphs with guards and actions.
//!
//! An edge is something the tester does: an input without values, named like the
//! edge. A vertex is a state, and an edge without a source leaves a state of its own,
//! where the model begins.

use super::{Arrow, Declared, ImportError, Imported, distinct_from, name, script, written};
use serde::Deserialize;
use serde_json::Value as Json;

/// The model of a GraphWalker file.
///
/// # Errors
///
/// When it is none.
pub fn graphwalker(text: &str) -> Result<Imported, ImportError> {
    let File { models } = serde_json::from_str(text)?;
    let (graph, others) = models.split_first().ok_or(ImportError::NoModel)?;
    let mut left_out: Vec<String> = Vec::new();
    for other in others {
        let title = other.name.as_deref().unwrap_or("without a name");
        left_out.push(format!(
            "the model {title}: one model is carried over, the first"
        ));
    }
    let mut import = Import {
        graph,
        left_out,
        channels: Vec::new(),
        variables: Vec::new(),
        arrows: Vec::new(),
    };
    import.run()
}

#[derive(Deserialize)]
struct File {
    models: Vec<Graph>,
}

/// A graph. What is carried over has a type; the rest is only looked at for whether
/// it is there, to be listed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Graph {
    name: Option<String>,
    start_element_id: Option<String>,
    actions: Option<Vec<String>>,
    #[serde(default)]
    vertices: Vec<Vertex>,
    edges: Option<Vec<Edge>>,
    #[serde(default)]
    generator: Json,
    #[serde(default)]
    requirements: Json,
    #[serde(default)]
    properties: Json,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vertex {
    id: String,
    name: Option<String>,
    #[serde(default)]
    shared_state: Json,
    #[serde(default)]
    requirements: Json,
    #[serde(default)]
    actions: Json,
    #[serde(default)]
    properties: Json,
}

#[derive(PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Edge {
    #[serde(default)]
    id: String,
    name: Option<String>,
    source_vertex_id: Option<String>,
    target_vertex_id: Option<String>,
    guard: Option<String>,
    actions: Option<Vec<String>>,
    #[serde(default)]
    requirements: Json,
    #[serde(default)]
    properties: Json,
    #[serde(default)]
    weight: Json,
    #[serde(default)]
    dependency: Json,
}

impl Edge {
    fn source(&self) -> &str {
        self.source_vertex_id.as_deref().unwrap_or_default()
    }

    fn target(&self) -> &str {
        self.target_vertex_id.as_deref().unwrap_or_default()
    }

    fn title(&self) -> Option<&str> {
        self.name.as_deref().filter(|title| !title.is_empty())
    }

    /// Whether it does more than lead somewhere.
    fn does_something(&self) -> bool {
        let guard = self.guard.as_deref().unwrap_or_default();
        let actions = self.actions.as_deref().unwrap_or_default();
        self.title().is_some() || !guard.is_empty() || !actions.is_empty()
    }
}

/// A vertex's id, and the state it becomes.
type States = [(String, String)];

struct Import<'a> {
    graph: &'a Graph,
    left_out: Vec<String>,
    channels: Vec<(String, Vec<&'static str>)>,
    variables: Vec<Declared>,
    arrows: Vec<Arrow>,
}

impl<'a> Import<'a> {
    fn run(&mut self) -> Result<Imported, ImportError> {
        let vertices = &self.graph.vertices;
        let states = vertices.iter().map(|vertex| {
            let title = vertex.name.as_ref().filter(|title| !title.is_empty());
            (vertex.id.clone(), name(title.unwrap_or(&vertex.id)))
        });
        let states = distinct(states.collect());
        self.list_what_is_left_out();
        for action in statements(self.graph.actions.as_deref()) {
            self.declare(&action);
        }
        let graph = self.graph;
        let edges = graph.edges.as_deref().unwrap_or_default();
        let initial = self.initial(edges, &states)?;
        let first = self.first_edge(edges);
        let mut names: Vec<String> = states.iter().map(|(_, state)| state.clone()).collect();
        let start = first.map(|_| distinct_from(&names, "start"));
        for edge in edges {
            let start = start.as_ref().filter(|_| first == Some(edge));
            self.edge(edge, &states, start)?;
        }
        names.extend(start.clone());
        let (initial, states) = (start.unwrap_or(initial), names);
        let title = name(graph.name.as_deref().unwrap_or("imported"));
        let text = written(
            &title,
            &self.channels,
            &self.variables,
            &initial,
            &states,
            &self.arrows,
        );
        Ok(Imported {
            text,
            left_out: std::mem::take(&mut self.left_out),
        })
    }

    /// Lists what vertices and the model say that models here do not.
    fn list_what_is_left_out(&mut self) {
        for vertex in &self.graph.vertices {
            let fields = [
                ("sharedState", &vertex.shared_state),
                ("requirements", &vertex.requirements),
                ("actions", &vertex.actions),
                ("properties", &vertex.properties),
            ];
            let title = vertex.name.as_deref().unwrap_or_default();
            self.left_out
                .extend(filled(&fields).map(|field| format!("`{field}` of the vertex {title}")));
        }
        let fields = [
            ("generator", &self.graph.generator),
            ("requirements", &self.graph.requirements),
            ("properties", &self.graph.properties),
        ];
        self.left_out
            .extend(filled(&fields).map(|field| format!("`{field}` of the model")));
    }

    /// A variable that an action of the model sets.
    fn declare(&mut self, action: &str) {
        let plain = action
            .strip_prefix("var ")
            .or(action.strip_prefix("let "))
            .unwrap_or(action);
        let known = plain
            .split_once('=')
            .map(|(id, value)| script::declared(id.trim(), value));
        match known {
            Some(Ok(variable)) => self.variables.push(variable),
            Some(Err(what)) => self
                .left_out
                .push(format!("the action {action}: it has {what}")),
            None => self.left_out.push(format!("the action {action}")),
        }
    }

    /// The edge without a source that the model begins with, if it does more than
    /// say where that is.
    fn first_edge(&self, edges: &'a [Edge]) -> Option<&'a Edge> {
        let start = self.graph.start_element_id.as_deref().unwrap_or_default();
        let is_start =
            |edge: &&Edge| edge.source().is_empty() && (start.is_empty() || edge.id == start);
        edges
            .iter()
            .find(is_start)
            .filter(|edge| edge.does_something())
    }

    /// An edge; `start` is the state it leaves where it is the first of the model.
    fn edge(
        &mut self,
        edge: &Edge,
        states: &States,
        start: Option<&String>,
    ) -> Result<(), ImportError> {
        let id = &edge.id;
        let to = state_of(states, edge.target());
        let to = to.ok_or_else(|| ImportError::NoTarget(id.clone()))?;
        let start_element = self.graph.start_element_id.as_ref();
        let Some(from) = state_of(states, edge.source()).or_else(|| start.cloned()) else {
            let says_where = start_element.unwrap_or(id) == id && !edge.does_something();
            let source = edge.source();
            if !source.is_empty() {
                let what = format!("the edge {id}: there is no vertex {source} for it to leave");
                self.left_out.push(what);
            } else if !says_where {
                let what = format!("the edge {id}: it leaves no vertex, and is not the first");
                self.left_out.push(what);
            }
            return Ok(());
        };
        if start_element == Some(id) && start.is_none() {
            self.left_out.push(format!(
                "the start at the edge {id}: the model begins in {from}, which it leaves"
            ));
        }
        let fields = [
            ("requirements", &edge.requirements),
            ("properties", &edge.properties),
            ("weight", &edge.weight),
            ("dependency", &edge.dependency),
        ];
        self.left_out
            .extend(filled(&fields).map(|field| format!("`{field}` of the edge {id}")));
        let mut arrow = Arrow {
            from,
            to,
            ..Arrow::default()
        };
        if let Some(guard) = edge.guard.as_ref().filter(|it| !it.trim().is_empty()) {
            match script::expression(guard, &mut |field| field.to_owned()) {
                Ok(guard) => arrow.guards.push(guard),
                Err(what) => self
                    .left_out
                    .push(format!("the guard {guard} of {id}: it has {what}")),
            }
        }
        for action in statements(edge.actions.as_deref()) {
            match script::assignment(&action) {
                Ok(assignment) => arrow.assignments.push(assignment),
                Err(what) => self
                    .left_out
                    .push(format!("the action {action} of {id}: it has {what}")),
            }
        }
        if let Some(title) = edge.title() {
            let channel = name(title);
            if !self.channels.iter().any(|(known, _)| *known == channel) {
                self.channels.push((channel.clone(), Vec::new()));
            }
            arrow.action = Some(format!("{channel}?"));
        }
        self.arrows.push(arrow);
        Ok(())
    }

    fn initial(&self, edges: &[Edge], states: &States) -> Result<String, ImportError> {
        let start = self.graph.start_element_id.as_deref().unwrap_or_default();
        let at_edge = edges.iter().find(|edge| edge.id == start);
        let found = state_of(states, start)
            .or_else(|| {
                let edge = at_edge?;
                state_of(states, edge.source()).or_else(|| state_of(states, edge.target()))
            })
            .or_else(|| {
                let free = |edge: &&Edge| state_of(states, edge.source()).is_none();
                state_of(states, edges.iter().find(free)?.target())
            });
        let first = states.first().map(|(_, state)| state.clone());
        found.or(first).ok_or(ImportError::NoVertices)
    }
}

/// The state that a vertex became.
fn state_of(states: &States, vertex: &str) -> Option<String> {
    let found = states.iter().find(|(id, _)| id == vertex);
    found.map(|(_, state)| state.clone())
}

/// Vertices may have one name; states may not.
fn distinct(mut states: Vec<(String, String)>) -> Vec<(String, String)> {
    for number in 0..states.len() {
        let mut again = 1;
        let title = states[number].1.clone();
        while states[..number]
            .iter()
            .any(|(_, known)| *known == states[number].1)
        {
            again += 1;
            states[number].1 = format!("{title}_{again}");
        }
    }
    states
}

/// The statements of actions.
fn statements(actions: Option<&[String]>) -> Vec<String> {
    let lines = actions.unwrap_or_default().iter();
    let statements = lines.flat_map(|line| line.split(';')).map(str::trim);
    statements
        .filter(|statement| !statement.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The names of the fields that say something.
fn filled<'n>(fields: &[(&'n str, &Json)]) -> impl Iterator<Item = &'n str> {
    let filled = fields.iter().filter(|(_, json)| is_filled(json));
    filled
        .map(|&(name, _)| name)
        .collect::<Vec<_>>()
        .into_iter()
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
