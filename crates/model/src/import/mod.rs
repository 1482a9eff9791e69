//! Models that people already have, in other formats.
//!
//! An import gives the text of a model and a list of what could not be carried
//! over; nothing is dropped in silence.

mod graphwalker;
mod script;
mod scxml;

pub use graphwalker::graphwalker;
pub use scxml::scxml;

use crate::syntax::RESERVED;

/// Why a file is no model of its format.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It is not XML.
    #[error("it is not XML: {0}")]
    Xml(#[from] roxmltree::Error),
    /// It is nested deeper than any state chart.
    #[error("its elements are nested more than {0} deep, which no state chart needs")]
    TooDeep(usize),
    /// It is XML of another kind.
    #[error("its root is <{0}>, not <scxml>")]
    Root(String),
    /// It is not JSON, or JSON of another kind.
    #[error("it is not a GraphWalker file: {0}")]
    Json(#[from] serde_json::Error),
    /// The file has no model.
    #[error("it has no model")]
    NoModel,
    /// Nothing says where the model begins.
    #[error("it does not begin in one of its states")]
    NoInitialState,
    /// The graph has no vertices.
    #[error("the model has no vertices")]
    NoVertices,
    /// An edge has no target.
    #[error("the edge {0} leads nowhere")]
    NoTarget(String),
}

/// What became of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported {
    /// The model's text.
    pub text: String,
    /// What the text does not say though the file did.
    pub left_out: Vec<String>,
}

/// A name that models take: letters, digits and underscores.
fn name(text: &str) -> String {
    let mut name: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    // Words that begin something where a name could stand.
    let leading = ["initial", "state", "any", "channel", "true", "false"];
    if name.is_empty()
        || name.starts_with(|c: char| c.is_ascii_digit())
        || RESERVED.contains(&name.as_str())
        || leading.contains(&name.as_str())
    {
        name.insert(0, '_');
    }
    name
}

/// A name like this one that none of the others is.
fn distinct_from(others: &[String], name: &str) -> String {
    let mut distinct = name.to_owned();
    while others.contains(&distinct) {
        distinct.push('_');
    }
    distinct
}

/// A variable that a script declares.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Declared {
    name: String,
    ty: &'static str,
    value: String,
}

/// A transition on its way to text.
#[derive(Clone, Debug, Default)]
struct Arrow {
    from: String,
    to: String,
    /// Conditions, all of which hold.
    guards: Vec<String>,
    /// `channel?(x) where …` or `channel!(t)`.
    action: Option<String>,
    assignments: Vec<String>,
}

/// The text of a model with one automaton.
fn written(
    model: &str,
    channels: &[(String, Vec<&'static str>)],
    variables: &[Declared],
    initial: &str,
    states: &[String],
    arrows: &[Arrow],
) -> String {
    let mut text = format!("model {model}\n\n");
    for (channel, payload) in channels {
        match payload.is_empty() {
            true => text += &format!("channel {channel}\n"),
            false => text += &format!("channel {channel}({})\n", payload.join(", ")),
        }
    }
    text += &format!("\nautomaton {model}_machine {{\n");
    for Declared { name, ty, value } in variables {
        text += &format!("var {name}: {ty} = {value}\n");
    }
    text += &format!("\ninitial {initial}\n");
    let ends: Vec<&String> = states
        .iter()
        .filter(|state| !arrows.iter().any(|arrow| arrow.from == **state))
        .collect();
    for state in ends {
        if state != initial {
            text += &format!("state {state}\n");
        }
    }
    text.push('\n');
    for arrow in arrows {
        text += &format!("{} -> {}", arrow.from, arrow.to);
        if !arrow.guards.is_empty() {
            let guards: Vec<String> = match &arrow.guards[..] {
                [one] => vec![one.clone()],
                several => several.iter().map(|guard| format!("({guard})")).collect(),
            };
            text += &format!(" when {}", guards.join(" and "));
        }
        text += &format!(", {}", arrow.action.as_deref().unwrap_or("tau"));
        for assignment in &arrow.assignments {
            text += &format!(", {assignment}");
        }
        text.push('\n');
    }
    text += "}\n";
    crate::syntax::format(&text)
}
