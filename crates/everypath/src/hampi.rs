//! Queries about strings in HAMPI's language, for `everypath solve`.

use crate::error::Error;
use crate::grammar::complaints;
use crate::output::say;
use crate::solve::read;
use ::grammar::Encoding;
use ::grammar::hampi::{Failure, Query, Reply, Session, Settings, quoted};
use serde_json::{Value as Json, json};
use solver::{Config, Reason, Statistics};
use std::path::Path;

/// The encodings by the names that users give.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum EncodingName {
    /// Bounded regular expressions, as HAMPI has them.
    Core,
    /// Charts for grammars, automata for regular languages.
    Chart,
    /// The first for small queries, the second for large ones.
    Auto,
}

/// How a file is to be answered.
pub struct Solving {
    /// How many solutions are wanted.
    pub all: usize,
    /// How membership is encoded.
    pub encoding: EncodingName,
    /// How the solver works.
    pub config: Config,
    /// Whether nothing is printed.
    pub quiet: bool,
}

impl Solving {
    /// Prints the solutions, or UNSAT, and gives them as JSON.
    pub fn answer(&self, file: &Path) -> Result<(Vec<Json>, Statistics), Error> {
        let (name, text) = read(file)?;
        let query = Query::parse(&text).map_err(|problems| {
            Error::Diagnostics(complaints("error", &name, &text, &problems.0))
        })?;
        let settings = Settings {
            encoding: match self.encoding {
                EncodingName::Core => Encoding::Core,
                EncodingName::Chart => Encoding::Chart,
                EncodingName::Auto => Encoding::Auto,
            },
            solver: self.config.clone(),
            any_order: false,
        };
        let failed = |failure| match failure {
            Failure::TooLarge(problem) => {
                Error::Diagnostics(complaints("error", &name, &text, &[problem]))
            }
            failure @ (Failure::Unconfirmed(_) | Failure::Stopped(_)) => {
                Error::content(&name, failure)
            }
        };
        let mut session = match Session::new(&query, settings) {
            Err(Failure::Stopped(reason)) => {
                return Ok((vec![self.unknown(&name, &reason)?], Statistics::default()));
            }
            session => session.map_err(failed)?,
        };
        let mut answers = Vec::new();
        for found in 0..self.all.max(1) {
            let (answer, last) = match session.next_solution().map_err(failed)? {
                Reply::Solution(values) => {
                    let pairs = query.variables.iter().zip(&values);
                    let lines = pairs.map(|(v, value)| format!("{} = {}", v.name, quoted(value)));
                    let lines: Vec<String> = lines.collect();
                    let blank = if found > 0 { "\n" } else { "" };
                    self.print(&format!("{blank}{}", lines.join("\n")))?;
                    let pairs = query.variables.iter().zip(&values);
                    let values = pairs.map(|(variable, value)| {
                        let text = value.iter().map(|&byte| char::from(byte)).collect();
                        (variable.name.clone(), Json::String(text))
                    });
                    let values = Json::Object(values.collect());
                    (json!({"answer": "sat", "model": values}), false)
                }
                Reply::None if found == 0 => {
                    self.print("UNSAT")?;
                    (json!({"answer": "unsat"}), true)
                }
                Reply::None => {
                    self.print("\nthere is no other solution")?;
                    break;
                }
                Reply::Unknown(reason) => (self.unknown(&name, &reason)?, true),
            };
            answers.push(answer);
            if last {
                break;
            }
        }
        Ok((answers, session.statistics().clone()))
    }

    fn unknown(&self, name: &str, reason: &Reason) -> Result<Json, Error> {
        self.print("UNKNOWN")?;
        eprintln!("{name}: unknown: {reason}");
        Ok(json!({"answer": "unknown", "reason": reason.to_string()}))
    }

    fn print(&self, text: &str) -> Result<(), Error> {
        match self.quiet {
            true => Ok(()),
            false => say(text),
        }
    }
}
