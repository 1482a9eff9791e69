//! Suites on disk: a header line, then one solution a line.

use crate::bounds::{BoundError, Bounds};
use crate::bytes::Bytes;
use crate::graph::{Field, Object, ObjectGraph};
use serde::de::{self, Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Number;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
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
    /// The function that holds for every solution; empty if a grammar does.
    pub invariant: String,
    /// The grammar whose words the solutions are the shapes of, if they are of one.
    pub grammar: Option<GrammarSource>,
    /// The hash of that function's code; none in suites made without it.
    pub code: Option<String>,
    /// The bounds the solutions are all there is in.
    pub bounds: Bounds,
    /// Whether every path of the invariant was followed to its end.
    pub complete: bool,
}

/// A grammar whose words are of some shapes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GrammarSource {
    /// What its file is called.
    pub file: String,
    /// The most bytes of a word.
    pub max_length: usize,
}

/// One solution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Solution {
    /// The line it stands on, from 1.
    pub line: usize,
    /// The objects.
    pub graph: ObjectGraph,
    /// What holds for the values of their fields, for people.
    pub condition: String,
}

/// A line that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct Complaint {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: LineProblem,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineProblem {
    /// It is not what a solution looks like in JSON.
    #[error("it is no solution: {problem} at column {column}")]
    Json {
        /// What the reader says.
        problem: String,
        /// Where, from 1.
        column: usize,
    },
    /// It is not even an object.
    #[error("it is no JSON object")]
    NoObject,
    /// A solution has at least its root.
    #[error("it has no objects")]
    NoObjects,
    /// A pointer leads to no object.
    #[error(
        "`{field}` of object {object} points to object {to}, and there {} {count}",
        if *count == 1 { "is" } else { "are" }
    )]
    Dangling {
        /// The pointer.
        field: String,
        /// The object that has it.
        object: usize,
        /// The object that is not there.
        to: usize,
        /// How many there are.
        count: usize,
    },
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
    /// Lines are missing, or there are others.
    #[error(
        "the suite has {found} objects, and had {count} when it was written; build it again{EDITED}"
    )]
    Count {
        /// How many there are.
        found: usize,
        /// How many the header tells of.
        count: usize,
    },
    /// The lines are not those that were written.
    #[error("the suite is not what was written: its checksum differs; build it again{EDITED}")]
    Checksum,
}

/// What to do with a suite that was changed on purpose.
const EDITED: &str = ", or leave \"count\" and \"checksum\" out of its first line if it was edited";

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

/// The header's line. Fields are in the order of their names, as in every line.
#[derive(Serialize, Deserialize)]
struct HeaderLine {
    #[serde(default)]
    bounds: Vec<String>,
    /// Of the lines below, to notice a file that was cut off or damaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    checksum: Option<String>,
    code: Option<String>,
    #[serde(default)]
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grammar: Option<GrammarSource>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    invariant: Option<String>,
    object: Option<String>,
    #[serde(flatten)]
    format: Format,
}

/// What a header says of itself, which is read first: what else stands in the header of
/// another version may be anything.
#[derive(Serialize, Deserialize)]
struct Format {
    schema: Option<String>,
    version: Option<Number>,
}

/// The line of a solution.
#[derive(Serialize, Deserialize)]
struct SolutionLine {
    #[serde(default)]
    condition: String,
    objects: Vec<ObjectLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object that has a \"type\"")]
struct ObjectLine {
    #[serde(default)]
    fields: BTreeMap<String, Field>,
    #[serde(rename = "type")]
    type_name: String,
}

impl Suite {
    /// The suite as text.
    pub fn text(&self) -> String {
        let body: String = (self.solutions.iter().map(|it| line(&it.line()))).collect();
        let header = HeaderLine {
            checksum: Some(checksum(&body)),
            count: Some(self.solutions.len()),
            ..self.header.line()
        };
        line(&header) + &body
    }

    /// Reads a suite; lines that cannot be used are complained of and left out.
    ///
    /// # Errors
    ///
    /// When the header is missing or of another version, or the lines are not those
    /// that the header tells of.
    pub fn read(text: &str) -> Result<(Suite, Vec<Complaint>), SuiteError> {
        let (first, body) = text.split_once('\n').unwrap_or((text, ""));
        if first.is_empty() {
            return Err(SuiteError::Empty);
        }
        let line = HeaderLine::read(first)?;
        line.check(body)?;
        let header = Header::read(line)?;
        let (mut solutions, mut complaints) = (Vec::new(), Vec::new());
        for (number, text) in body.lines().enumerate() {
            let line = number + 2;
            if text.trim().is_empty() {
                continue;
            }
            match Solution::read(line, text) {
                Ok(solution) => solutions.push(solution),
                Err(problem) => complaints.push(Complaint { line, problem }),
            }
        }
        Ok((Suite { header, solutions }, complaints))
    }
}

fn checksum(body: &str) -> String {
    hex::encode(Sha256::digest(body))
}

fn line(content: &impl Serialize) -> String {
    let line = serde_json::to_string(content);
    line.expect("keys are texts, and nothing else can fail") + "\n"
}

impl HeaderLine {
    fn read(text: &str) -> Result<HeaderLine, SuiteError> {
        let broken = SuiteError::Header;
        let no_json = |error: serde_json::Error| broken(HeaderProblem::Json(cause(&error)));
        let format: Format = serde_json::from_str(text).map_err(no_json)?;
        if format.schema.as_deref() != Some(SCHEMA) {
            return Err(broken(HeaderProblem::Schema));
        }
        if format.version != Some(VERSION.into()) {
            let version = format.version.map(|version| version.to_string());
            return Err(SuiteError::Version(version.unwrap_or("unknown".to_owned())));
        }
        serde_json::from_str(text).map_err(no_json)
    }

    /// Whether the lines below are those that were written.
    fn check(&self, body: &str) -> Result<(), SuiteError> {
        let found = body.lines().filter(|line| !line.trim().is_empty()).count();
        match (self.count, &self.checksum) {
            (Some(count), _) if count != found => Err(SuiteError::Count { found, count }),
            (_, Some(sum)) if *sum != checksum(body) => Err(SuiteError::Checksum),
            _ => Ok(()),
        }
    }
}

impl Header {
    /// What a suite says of itself.
    ///
    /// # Errors
    ///
    /// When the header is missing or of another version.
    pub fn of(text: &str) -> Result<Header, SuiteError> {
        let first = text.lines().next().filter(|line| !line.is_empty());
        Header::read(HeaderLine::read(first.ok_or(SuiteError::Empty)?)?)
    }

    fn line(&self) -> HeaderLine {
        HeaderLine {
            bounds: self.bounds.texts(),
            checksum: None,
            count: None,
            code: self.code.clone(),
            complete: self.complete,
            grammar: self.grammar.clone(),
            invariant: (self.grammar.is_none()).then(|| self.invariant.clone()),
            object: Some(self.object.clone()),
            format: Format {
                schema: Some(SCHEMA.to_owned()),
                version: Some(VERSION.into()),
            },
        }
    }

    fn read(line: HeaderLine) -> Result<Header, SuiteError> {
        let broken = SuiteError::Header;
        let mut bounds = Bounds::default();
        let added = bounds.add_texts(line.bounds.iter().map(String::as_str));
        added.map_err(|error| broken(error.into()))?;
        let missing = |name: &'static str| broken(HeaderProblem::Missing(name));
        Ok(Header {
            object: line.object.ok_or_else(|| missing("object"))?,
            invariant: match (line.invariant, &line.grammar) {
                (Some(invariant), _) => invariant,
                (None, Some(_)) => String::new(),
                (None, None) => return Err(missing("invariant")),
            },
            grammar: line.grammar,
            code: line.code,
            bounds,
            complete: line.complete,
        })
    }
}

impl Solution {
    fn line(&self) -> SolutionLine {
        let objects = self.graph.objects.iter().map(|object| ObjectLine {
            fields: object.fields.iter().cloned().collect(),
            type_name: object.type_name.clone(),
        });
        SolutionLine {
            condition: self.condition.clone(),
            objects: objects.collect(),
        }
    }

    fn read(line: usize, text: &str) -> Result<Solution, LineProblem> {
        // What reads structs would take a list of their fields as well.
        if !text.trim_start().starts_with('{') {
            return Err(LineProblem::NoObject);
        }
        let read: SolutionLine = serde_json::from_str(text).map_err(|error| LineProblem::Json {
            problem: cause(&error),
            column: error.column(),
        })?;
        let objects = read.objects.into_iter().map(|object| Object {
            type_name: object.type_name,
            fields: object.fields.into_iter().collect(),
        });
        let graph = ObjectGraph {
            objects: objects.collect(),
            ..ObjectGraph::default()
        };
        if graph.objects.is_empty() {
            return Err(LineProblem::NoObjects);
        }
        match dangling(&graph) {
            Some(problem) => Err(problem),
            None => Ok(Solution {
                line,
                graph,
                condition: read.condition,
            }),
        }
    }
}

/// The first pointer that leads to no object.
fn dangling(graph: &ObjectGraph) -> Option<LineProblem> {
    let count = graph.objects.len();
    let mut objects = graph.objects.iter().enumerate();
    objects.find_map(|(number, object)| {
        object.fields.iter().find_map(|(name, field)| {
            let (to, _) = field.place().filter(|&(to, _)| to >= count)?;
            Some(LineProblem::Dangling {
                field: name.clone(),
                object: number,
                to,
                count,
            })
        })
    })
}

/// What the reader says, without the place in its one line.
fn cause(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.find(" at line ").unwrap_or(text.len());
    text[..end].to_owned()
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Field::Number(number) => match (i64::try_from(*number), u64::try_from(*number)) {
                (Ok(number), _) => out.serialize_i64(number),
                (_, Ok(number)) => out.serialize_u64(number),
                _ => out.collect_str(number),
            },
            Field::Float(number) => out.collect_str(&format_args!("{number:?}")),
            Field::Null => out.serialize_unit(),
            Field::To(_)
            | Field::Inside(..)
            | Field::Function(_)
            | Field::Elsewhere
            | Field::OneOf(_) => out.collect_str(&self.text()),
            Field::Untouched => out.serialize_str("?"),
        }
    }
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Field, D::Error> {
        input.deserialize_any(FieldVisitor)
    }
}

struct FieldVisitor;

impl Visitor<'_> for FieldVisitor {
    type Value = Field;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the value of a field: a number, null, \"@1\", \"&name\", \"[a-z]\" or \"?\"")
    }

    fn visit_unit<E>(self) -> Result<Field, E> {
        Ok(Field::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Field, E> {
        Ok(Field::Number(truth.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Field, E> {
        Ok(Field::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Field, E> {
        Ok(Field::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Field, E> {
        Ok(Field::Float(number))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Field, E> {
        if let Some(function) = text.strip_prefix('&').filter(|name| !name.is_empty()) {
            return Ok(Field::Function(function.to_owned()));
        }
        if text.starts_with('[') {
            let bytes = Bytes::read(text).map(Field::OneOf);
            return bytes.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self));
        }
        let field = match text.strip_prefix('@') {
            _ if text == "?" => Some(Field::Untouched),
            _ if text == "elsewhere" => Some(Field::Elsewhere),
            Some(place) => match place.split_once('+') {
                None => place.parse().ok().map(Field::To),
                Some((object, offset)) => match (object.parse(), offset.parse()) {
                    (Ok(object), Ok(offset)) => Some(Field::at(object, offset)),
                    _ => None,
                },
            },
            None => match text.parse() {
                Ok(number) => Some(Field::Number(number)),
                Err(_) => text.parse().ok().map(Field::Float),
            },
        };
        field.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}
