//! Suites on disk: a header line, then one solution a line.

use crate::bounds::{BoundError, Bounds};
use crate::graph::{Field, Object, ObjectGraph};
use serde_json::{Map, Value as Json, json};
use std::fmt;

/// The version of the format that is written and read.
pub const VERSION: u64 = 1;
const SCHEMA: &str = "everypath-stage";

/// The solutions of one invariant.
#[derive(Clone, PartialEq, Debug)]
pub struct Suite {
    /// What they are solutions of.
    pub header: Header,
    /// The solutions, in the order of the file.
    pub solutions: Vec<Solution>,
}

/// What a suite holds solutions of.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Header {
    /// The type of the first object.
    pub object: String,
    /// The function that holds for every solution.
    pub invariant: String,
    /// The hash of that function's code; none in suites made without it.
    pub code: Option<String>,
    /// The bounds the solutions are all there is in.
    pub bounds: Bounds,
    /// Whether every path of the invariant was followed to its end.
    pub complete: bool,
}

/// One solution.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// The line it stands on, from 1.
    pub line: usize,
    /// The objects.
    pub graph: ObjectGraph,
    /// What holds for the values of their fields, for people.
    pub condition: String,
}

/// A line that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Why nothing of a suite can be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SuiteError {
    /// There is not even a first line.
    #[error("line 1: it does not begin with the header of a suite: the file is empty")]
    Empty,
    /// The first line is not the header of a suite.
    #[error("line 1: it does not begin with the header of a suite: {0}")]
    Header(HeaderProblem),
    /// It is a suite of another version.
    #[error(
        "line 1: the suite is of version {0}, and this program reads version {VERSION}; \
         build it again"
    )]
    Version(String),
}

/// What is wrong with a header.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HeaderProblem {
    /// It is no JSON object.
    #[error("{0}")]
    Json(String),
    /// It is the header of something else.
    #[error("its schema is not \"{SCHEMA}\"")]
    Schema,
    /// A field is missing.
    #[error("it does not say the \"{0}\"")]
    Missing(&'static str),
    /// A bound is none.
    #[error(transparent)]
    Bound(#[from] BoundError),
}

impl Suite {
    /// The suite as text.
    pub fn text(&self) -> String {
        let mut text = self.header.to_json().to_string() + "\n";
        for solution in &self.solutions {
            text += &solution.to_json().to_string();
            text.push('\n');
        }
        text
    }

    /// Reads a suite; lines that cannot be used are complained of and left out.
    ///
    /// # Errors
    ///
    /// When the header is missing or of another version.
    pub fn read(text: &str) -> Result<(Suite, Vec<Complaint>), SuiteError> {
        let mut lines = text.lines().enumerate();
        let (_, first) = lines.next().ok_or(SuiteError::Empty)?;
        let header = Header::read(first)?;
        let (mut solutions, mut complaints) = (Vec::new(), Vec::new());
        for (number, text) in lines {
            let line = number + 1;
            if text.trim().is_empty() {
                continue;
            }
            match Solution::read(line, text, &header.object) {
                Ok(solution) => solutions.push(solution),
                Err(message) => complaints.push(Complaint { line, message }),
            }
        }
        Ok((Suite { header, solutions }, complaints))
    }
}

impl Header {
    fn to_json(&self) -> Json {
        json!({"schema": SCHEMA, "version": VERSION, "object": self.object,
               "invariant": self.invariant, "code": self.code,
               "bounds": self.bounds.texts(), "complete": self.complete})
    }

    fn read(text: &str) -> Result<Header, SuiteError> {
        let broken = SuiteError::Header;
        let json: Json = serde_json::from_str(text)
            .map_err(|error| broken(HeaderProblem::Json(cause(&error))))?;
        // What stands in the header of another version may be anything.
        if json["schema"].as_str() != Some(SCHEMA) {
            return Err(broken(HeaderProblem::Schema));
        }
        if json["version"].as_u64() != Some(VERSION) {
            return Err(SuiteError::Version(json["version"].to_string()));
        }
        let word = |name: &'static str| {
            let found = json[name].as_str().map(str::to_owned);
            found.ok_or_else(|| broken(HeaderProblem::Missing(name)))
        };
        let mut bounds = Bounds::default();
        let texts = json["bounds"].as_array().map(Vec::as_slice);
        let texts = texts.unwrap_or_default().iter().filter_map(Json::as_str);
        let added = bounds.add_texts(texts);
        added.map_err(|error| broken(error.into()))?;
        Ok(Header {
            object: word("object")?,
            invariant: word("invariant")?,
            code: json["code"].as_str().map(str::to_owned),
            bounds,
            complete: json["complete"].as_bool().unwrap_or(false),
        })
    }
}

impl Solution {
    fn to_json(&self) -> Json {
        let objects = self.graph.objects.iter().map(|object| {
            let fields = object.fields.iter();
            let fields: Map<String, Json> = fields
                .map(|(name, field)| (name.clone(), field_to_json(field)))
                .collect();
            json!({"type": object.type_name, "fields": fields})
        });
        let objects: Vec<Json> = objects.collect();
        json!({"objects": objects, "condition": self.condition})
    }

    fn read(line: usize, text: &str, root: &str) -> Result<Solution, String> {
        let json: Json = serde_json::from_str(text).map_err(|error| {
            let column = error.column();
            format!("it is no JSON object: {} at column {column}", cause(&error))
        })?;
        let objects = json["objects"]
            .as_array()
            .ok_or("it has no list of \"objects\"")?;
        let objects: Result<Vec<Object>, String> = objects
            .iter()
            .enumerate()
            .map(|(number, object)| read_object(number, object, objects.len()))
            .collect();
        let objects = objects?;
        match objects.first() {
            None => return Err("it has no objects".to_owned()),
            Some(first) if first.type_name != root => {
                return Err(format!(
                    "its first object is a {}, and the suite is of {root}",
                    first.type_name
                ));
            }
            Some(_) => {}
        }
        Ok(Solution {
            line,
            graph: ObjectGraph { objects },
            condition: json["condition"].as_str().unwrap_or_default().to_owned(),
        })
    }
}

/// What the reader says, without the place in its one line.
fn cause(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.find(" at line ").unwrap_or(text.len());
    text[..end].to_owned()
}

fn read_object(number: usize, json: &Json, count: usize) -> Result<Object, String> {
    let type_name = json["type"].as_str();
    let type_name = type_name.ok_or_else(|| format!("object {number} has no \"type\""))?;
    let none = Map::new();
    let fields = match &json["fields"] {
        Json::Object(fields) => fields,
        Json::Null => &none,
        _ => return Err(format!("the \"fields\" of object {number} are no object")),
    };
    let fields: Result<Vec<(String, Field)>, String> = fields
        .iter()
        .map(|(name, json)| match field_from_json(json) {
            Some(Field::To(to)) if to >= count => Err(format!(
                "`{name}` of object {number} points to object {to}, and there {} {count}",
                if count == 1 { "is" } else { "are" }
            )),
            Some(field) => Ok((name.clone(), field)),
            None => Err(format!(
                "`{name}` of object {number} is {json}, which is no value of a field"
            )),
        })
        .collect();
    Ok(Object {
        type_name: type_name.to_owned(),
        fields: fields?,
    })
}

fn field_to_json(field: &Field) -> Json {
    match field {
        Field::Number(number) => match (i64::try_from(*number), u64::try_from(*number)) {
            (Ok(number), _) => json!(number),
            (_, Ok(number)) => json!(number),
            _ => json!(number.to_string()),
        },
        Field::Float(number) => json!(format!("{number:?}")),
        Field::Null => Json::Null,
        Field::To(object) => json!(format!("@{object}")),
        // Who reads it knows as little of it as of what nobody looked at.
        Field::Elsewhere | Field::Untouched => json!("?"),
    }
}

fn field_from_json(json: &Json) -> Option<Field> {
    Some(match json {
        Json::Null => Field::Null,
        Json::Bool(truth) => Field::Number((*truth).into()),
        Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(number), _, _) => Field::Number(number.into()),
            (_, Some(number), _) => Field::Number(number.into()),
            (_, _, Some(number)) => Field::Float(number),
            (None, None, None) => return None,
        },
        Json::String(text) if text == "?" => Field::Untouched,
        Json::String(text) => match text.strip_prefix('@') {
            Some(number) => Field::To(number.parse().ok()?),
            None => match text.parse::<i128>() {
                Ok(number) => Field::Number(number),
                Err(_) => Field::Float(text.parse().ok()?),
            },
        },
        Json::Array(_) | Json::Object(_) => return None,
    })
}
