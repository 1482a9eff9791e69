//! When a walk is long enough: the stop conditions of GraphWalker, in its words.
//!
//! `edge_coverage(100) && length(50)`, `reached_vertex(idle) or requirement_coverage(80)`. Edges
//! are transitions, vertices are states. What GraphWalker has beside these is refused by name.

use crate::execution::Move;
use crate::model::{Model, requirements};
use rustc_hash::FxHashSet;
use std::str::FromStr;

/// A stop condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Until {
    /// So many percent of the transitions were taken.
    EdgeCoverage(usize),
    /// So many percent of the states were entered.
    VertexCoverage(usize),
    /// So many percent of the requirements belong to a transition that was taken.
    RequirementCoverage(usize),
    /// The transition of this name was taken.
    ReachedEdge(String),
    /// The state of this name was entered.
    ReachedVertex(String),
    /// So many steps were taken.
    Length(usize),
    /// It goes on until something else stops it.
    Never,
    /// Both hold.
    And(Box<Until>, Box<Until>),
    /// One of them holds.
    Or(Box<Until>, Box<Until>),
}

/// What was seen on the way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Walked {
    /// By transition: how often it was taken.
    pub taken: Vec<usize>,
    /// The states that were entered, each by the numbers of automaton and state.
    pub visited: FxHashSet<(usize, usize)>,
    /// How many steps were taken.
    pub steps: usize,
    /// How many of them came after the last one that was new.
    pub since_new: usize,
}

impl Walked {
    /// Nothing was done so far.
    pub fn new(model: &Model) -> Walked {
        let initial = model.automata.iter().enumerate();
        Walked {
            taken: vec![0; model.transitions.len()],
            visited: initial.map(|(number, it)| (number, it.initial)).collect(),
            steps: 0,
            since_new: 0,
        }
    }

    /// Takes note of a step.
    pub fn note(&mut self, model: &Model, step: Move) {
        self.steps += 1;
        self.since_new += 1;
        for number in step.transitions() {
            let transition = &model.transitions[number];
            self.visited.insert((transition.automaton, transition.to));
            if self.taken[number] == 0 {
                self.since_new = 0;
            }
            self.taken[number] += 1;
        }
    }
}

/// Why a text is no stop condition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UntilError {
    /// It names a condition that there is none of.
    #[error(
        "there is no stop condition `{0}`: use edge_coverage(100), vertex_coverage(100), \
         requirement_coverage(100), reached_edge(NAME), reached_vertex(NAME), length(50) or \
         never, with && and || between them"
    )]
    Unknown(String),
    /// A number should be there.
    #[error("`{condition}` takes a number between 1 and {most}, not `{found}`")]
    Number {
        /// The condition.
        condition: String,
        /// The largest.
        most: usize,
        /// What is there.
        found: String,
    },
    /// Something else should be there.
    #[error("`{found}` where {expected} should be")]
    Syntax {
        /// What is there.
        found: String,
        /// What should be.
        expected: &'static str,
    },
    /// The model has no such transition or state.
    #[error("the model has no {what} `{name}`")]
    Name {
        /// Transition or state.
        what: &'static str,
        /// The name.
        name: String,
    },
}

impl Until {
    /// Whether it is enough.
    pub fn is_fulfilled(&self, model: &Model, walked: &Walked) -> bool {
        let enough = |percent: &usize, part: usize, all: usize| part * 100 >= percent * all;
        match self {
            Until::EdgeCoverage(percent) => {
                let taken = walked.taken.iter().filter(|&&count| count > 0).count();
                enough(percent, taken, walked.taken.len())
            }
            Until::VertexCoverage(percent) => {
                enough(percent, walked.visited.len(), model.states().count())
            }
            Until::RequirementCoverage(percent) => {
                let numbers = 0..model.transitions.len();
                let taken = numbers.clone().filter(|&number| walked.taken[number] > 0);
                let (part, all) = (requirements(model, taken), requirements(model, numbers));
                enough(percent, part.len(), all.len())
            }
            Until::ReachedEdge(name) => {
                let number = model.transition(name);
                number.is_some_and(|number| walked.taken[number] > 0)
            }
            Until::ReachedVertex(name) => {
                let state = model.state_named(name);
                state.is_some_and(|state| walked.visited.contains(&state))
            }
            Until::Length(steps) => walked.steps >= *steps,
            Until::Never => false,
            Until::And(a, b) => a.is_fulfilled(model, walked) && b.is_fulfilled(model, walked),
            Until::Or(a, b) => a.is_fulfilled(model, walked) || b.is_fulfilled(model, walked),
        }
    }

    /// Whether it says itself how long to go on, so that steps without anything new are meant.
    pub fn is_about_length(&self) -> bool {
        match self {
            Until::Length(_) | Until::Never => true,
            Until::And(a, b) | Until::Or(a, b) => a.is_about_length() || b.is_about_length(),
            Until::EdgeCoverage(_)
            | Until::VertexCoverage(_)
            | Until::RequirementCoverage(_)
            | Until::ReachedEdge(_)
            | Until::ReachedVertex(_) => false,
        }
    }

    /// Finds names that the model does not have.
    ///
    /// # Errors
    ///
    /// When there are some, with the first.
    pub fn check(&self, model: &Model) -> Result<(), UntilError> {
        let missing = |what, name: &String| {
            Err(UntilError::Name {
                what,
                name: name.clone(),
            })
        };
        match self {
            Until::ReachedEdge(name) if model.transition(name).is_none() => {
                missing("transition", name)
            }
            Until::ReachedVertex(name) if model.state_named(name).is_none() => {
                missing("state", name)
            }
            Until::And(a, b) | Until::Or(a, b) => a.check(model).and_then(|()| b.check(model)),
            _ => Ok(()),
        }
    }
}

impl FromStr for Until {
    type Err = UntilError;

    fn from_str(text: &str) -> Result<Until, UntilError> {
        let mut rest = text.trim();
        let found = either(&mut rest)?;
        match rest {
            "" => Ok(found),
            _ => Err(UntilError::Syntax {
                found: rest.to_owned(),
                expected: "&&, || or the end",
            }),
        }
    }
}

/// Conditions with `||` between them.
fn either(rest: &mut &str) -> Result<Until, UntilError> {
    let mut found = both(rest)?;
    while eat(rest, &["||", "or "]) {
        found = Until::Or(Box::new(found), Box::new(both(rest)?));
    }
    Ok(found)
}

/// Conditions with `&&` between them.
fn both(rest: &mut &str) -> Result<Until, UntilError> {
    let mut found = single(rest)?;
    while eat(rest, &["&&", "and "]) {
        found = Until::And(Box::new(found), Box::new(single(rest)?));
    }
    Ok(found)
}

fn single(rest: &mut &str) -> Result<Until, UntilError> {
    if eat(rest, &["("]) {
        let inner = either(rest)?;
        return match eat(rest, &[")"]) {
            true => Ok(inner),
            false => Err(UntilError::Syntax {
                found: (*rest).to_owned(),
                expected: "`)`",
            }),
        };
    }
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let (name, behind) = rest.split_at(end.unwrap_or(rest.len()));
    *rest = behind.trim_start();
    let mut argument = "";
    if eat(rest, &["("]) {
        let Some((inside, behind)) = rest.split_once(')') else {
            return Err(UntilError::Syntax {
                found: (*rest).to_owned(),
                expected: "`)`",
            });
        };
        (argument, *rest) = (inside.trim(), behind.trim_start());
    }
    condition(name, argument)
}

fn condition(name: &str, argument: &str) -> Result<Until, UntilError> {
    let number = |most: usize| {
        let parsed = argument.parse().ok();
        let fitting = parsed.filter(|number| (1..=most).contains(number));
        fitting.ok_or_else(|| UntilError::Number {
            condition: name.to_owned(),
            most,
            found: argument.to_owned(),
        })
    };
    Ok(match name.to_ascii_lowercase().as_str() {
        "edge_coverage" => Until::EdgeCoverage(number(100)?),
        "vertex_coverage" => Until::VertexCoverage(number(100)?),
        "requirement_coverage" => Until::RequirementCoverage(number(100)?),
        "reached_edge" => Until::ReachedEdge(argument.to_owned()),
        "reached_vertex" => Until::ReachedVertex(argument.to_owned()),
        "length" => Until::Length(number(1_000_000)?),
        "never" => Until::Never,
        _ => return Err(UntilError::Unknown(name.to_owned())),
    })
}

/// Goes past one of these words, in whatever case.
fn eat(rest: &mut &str, words: &[&str]) -> bool {
    let found = words.iter().find(|word| {
        let start = rest.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    });
    match found {
        Some(word) => {
            *rest = rest[word.len()..].trim_start();
            true
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        match text.parse::<Until>() {
            Ok(until) => format!("{until:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn and_binds_closer_than_or_in_every_spelling() {
        let expected = "Or(And(EdgeCoverage(90), Length(5)), ReachedVertex(\"a.b\"))";
        for text in [
            "edge_coverage(90) && length(5) || reached_vertex(a.b)",
            "(edge_coverage( 90 ) and Length(5)) OR reached_vertex( a.b )",
        ] {
            assert_eq!(read(text), expected);
        }
    }

    #[test]
    fn what_is_no_condition_is_refused_by_name() {
        for (text, expected) in [
            (
                "time_duration(3)",
                "there is no stop condition `time_duration`",
            ),
            ("", "there is no stop condition ``"),
            (
                "length(0)",
                "`length` takes a number between 1 and 1000000, not `0`",
            ),
            (
                "edge_coverage",
                "`edge_coverage` takes a number between 1 and 100, not ``",
            ),
            ("(never", "`` where `)` should be"),
            ("never never", "`never` where &&, || or the end should be"),
        ] {
            assert!(read(text).starts_with(expected), "{text}: {}", read(text));
        }
    }
}
