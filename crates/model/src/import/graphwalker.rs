//! GraphWalker's JSON: graphs with guards and actions.
//!
//! An edge is something the tester does: an input without values, named like the
//! edge. A vertex is a state, and an edge without a source leaves a state of its own,
//! where the model begins.

use super::{Arrow, Declared, Imported, distinct_from, name, script, written};
use serde_json::Value as Json;

/// The model of a GraphWalker file; an error says why it is none.
pub fn graphwalker(text: &str) -> Result<Imported, String> {
    let json: Json =
        serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    let models = json["models"].as_array().ok_or("it has no `models`")?;
    let (graph, others) = models.split_first().ok_or("it has no model")?;
    let mut left_out: Vec<String> = Vec::new();
    for other in others {
        let title = other["name"].as_str().unwrap_or("without a name");
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

struct Import<'a> {
    graph: &'a Json,
    left_out: Vec<String>,
    channels: Vec<(String, Vec<&'static str>)>,
    variables: Vec<Declared>,
    arrows: Vec<Arrow>,
}

impl Import<'_> {
    fn run(&mut self) -> Result<Imported, String> {
        let vertices = self.graph["vertices"]
            .as_array()
            .ok_or("the model has no `vertices`")?;
        let states: Vec<(String, String)> = vertices
            .iter()
            .filter_map(|vertex| {
                let id = vertex["id"].as_str()?;
                let title = vertex["name"]
                    .as_str()
                    .filter(|title| !title.is_empty())
                    .unwrap_or(id);
                Some((id.to_owned(), name(title)))
            })
            .collect();
        let states = distinct(states);
        for vertex in vertices {
            for field in ["sharedState", "requirements", "actions", "properties"] {
                if is_filled(&vertex[field]) {
                    let title = vertex["name"].as_str().unwrap_or_default();
                    self.left_out
                        .push(format!("`{field}` of the vertex {title}"));
                }
            }
        }
        for field in ["generator", "requirements", "properties"] {
            if is_filled(&self.graph[field]) {
                self.left_out.push(format!("`{field}` of the model"));
            }
        }
        for action in actions(&self.graph["actions"]) {
            let plain = action
                .strip_prefix("var ")
                .or(action.strip_prefix("let "))
                .unwrap_or(&action);
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
        let edges = self.graph["edges"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
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
        let title = name(self.graph["name"].as_str().unwrap_or("imported"));
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

    /// The edge without a source that the model begins with, if it does more than
    /// say where that is.
    fn first_edge<'e>(&self, edges: &'e [Json]) -> Option<&'e Json> {
        let start = self.graph["startElementId"].as_str().unwrap_or_default();
        let is_start = |edge: &&Json| {
            let id = edge["id"].as_str().unwrap_or_default();
            !is_filled(&edge["sourceVertexId"]) && (start.is_empty() || id == start)
        };
        let first = edges.iter().find(is_start)?;
        let does_something = ["name", "guard", "actions"]
            .into_iter()
            .any(|field| is_filled(&first[field]));
        does_something.then_some(first)
    }

    /// An edge; `start` is the state it leaves where it is the first of the model.
    fn edge(
        &mut self,
        edge: &Json,
        states: &[(String, String)],
        start: Option<&String>,
    ) -> Result<(), String> {
        let id = edge["id"].as_str().unwrap_or_default();
        let end = |field: &str| {
            let wanted = edge[field].as_str().unwrap_or_default();
            states
                .iter()
                .find(|(id, _)| id == wanted)
                .map(|(_, state)| state.clone())
        };
        let to = end("targetVertexId").ok_or_else(|| format!("the edge {id} leads nowhere"))?;
        let source = edge["sourceVertexId"].as_str().unwrap_or_default();
        let Some(from) = end("sourceVertexId").or_else(|| start.cloned()) else {
            let says_where = self.graph["startElementId"].as_str().unwrap_or(id) == id
                && !["name", "guard", "actions"]
                    .into_iter()
                    .any(|field| is_filled(&edge[field]));
            if !source.is_empty() {
                let what = format!("the edge {id}: there is no vertex {source} for it to leave");
                self.left_out.push(what);
            } else if !says_where {
                let what = format!("the edge {id}: it leaves no vertex, and is not the first");
                self.left_out.push(what);
            }
            return Ok(());
        };
        if self.graph["startElementId"].as_str() == Some(id) && start.is_none() {
            self.left_out.push(format!(
                "the start at the edge {id}: the model begins in {from}, which it leaves"
            ));
        }
        for field in ["requirements", "properties", "weight", "dependency"] {
            if is_filled(&edge[field]) {
                self.left_out.push(format!("`{field}` of the edge {id}"));
            }
        }
        let mut arrow = Arrow {
            from,
            to,
            ..Arrow::default()
        };
        if let Some(guard) = edge["guard"]
            .as_str()
            .filter(|guard| !guard.trim().is_empty())
        {
            match script::expression(guard, &mut |field| field.to_owned()) {
                Ok(guard) => arrow.guards.push(guard),
                Err(what) => self
                    .left_out
                    .push(format!("the guard {guard} of {id}: it has {what}")),
            }
        }
        for action in actions(&edge["actions"]) {
            match script::assignment(&action) {
                Ok(assignment) => arrow.assignments.push(assignment),
                Err(what) => self
                    .left_out
                    .push(format!("the action {action} of {id}: it has {what}")),
            }
        }
        if let Some(title) = edge["name"].as_str().filter(|title| !title.is_empty()) {
            let channel = name(title);
            if !self.channels.iter().any(|(known, _)| *known == channel) {
                self.channels.push((channel.clone(), Vec::new()));
            }
            arrow.action = Some(format!("{channel}?"));
        }
        self.arrows.push(arrow);
        Ok(())
    }

    fn initial(&self, edges: &[Json], states: &[(String, String)]) -> Result<String, String> {
        let start = self.graph["startElementId"].as_str().unwrap_or_default();
        let named = |wanted: &str| states.iter().find(|(id, _)| id == wanted);
        let by_edge = |edge: &Json, field: &str| named(edge[field].as_str().unwrap_or_default());
        let at_edge = edges.iter().find(|edge| edge["id"].as_str() == Some(start));
        let found = named(start)
            .or_else(|| {
                let edge = at_edge?;
                by_edge(edge, "sourceVertexId").or_else(|| by_edge(edge, "targetVertexId"))
            })
            .or_else(|| {
                let free = edges
                    .iter()
                    .find(|edge| by_edge(edge, "sourceVertexId").is_none())?;
                by_edge(free, "targetVertexId")
            })
            .or(states.first());
        found
            .map(|(_, state)| state.clone())
            .ok_or_else(|| "the model has no vertices".to_owned())
    }
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

fn actions(json: &Json) -> Vec<String> {
    let lines = json.as_array().map(Vec::as_slice).unwrap_or_default();
    let statements = lines
        .iter()
        .filter_map(Json::as_str)
        .flat_map(|line| line.split(';'));
    let statements = statements.map(|statement| statement.trim().to_owned());
    statements
        .filter(|statement| !statement.is_empty())
        .collect()
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
