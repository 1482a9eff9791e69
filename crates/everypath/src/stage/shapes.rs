//! `everypath stage build --grammar`: the shapes of a grammar's words, written to a suite.

use super::BuildArguments;
use super::suites::write_suite;
use crate::Outcome;
use crate::error::Error;
use crate::grammar::{bounded, no_word};
use crate::interrupt::because;
use crate::output::{say, say_json};
use ::grammar::{LetterSet, Normal, Shape, TooMany};
use base::{OneLine, Stop};
use sha2::{Digest, Sha256};
use staged::{Bytes, Field, GrammarSource, Header, Object, ObjectGraph, Solution, Suite};
use std::time::Instant;
use suite::{ObjectCounts, StageReport};

/// What the texts are called in a suite.
const TEXT: &str = "char[]";

/// Finds the shapes.
pub fn build(arguments: &BuildArguments, stop: &Stop) -> Result<Outcome, Error> {
    let started = Instant::now();
    let run = &arguments.run;
    if arguments.object.is_some() || arguments.invariant.is_some() {
        return Err(Error::Usage(
            "a suite is of an invariant or of a grammar, not of both".to_owned(),
        ));
    }
    if !run.program.files.is_empty() {
        return Err(Error::Usage(
            "the words of a grammar need no program; name it with `stage run`".to_owned(),
        ));
    }
    let Some(most) = arguments.max_length else {
        return Err(Error::Usage(
            "--grammar needs --max-length, the most bytes of a word".to_owned(),
        ));
    };
    let most = bounded(most)?;
    let loaded = run.input.loaded_grammar()?;
    let cfg = loaded.bytes()?;
    let stop = stop.within(run.max_time);
    let shapes = ::grammar::shapes(&cfg, most, &stop).map_err(|error| match error {
        TooMany::Shapes => Error::content(
            &loaded.name,
            format!("{error} of words of up to {most} bytes; give a smaller --max-length"),
        ),
        TooMany::Stopped => Error::Stopped {
            why: because(&stop),
            what: "all shapes were found; give a smaller --max-length".to_owned(),
        },
    })?;
    if shapes.is_empty() {
        return Err(no_word(&loaded.name, &Normal::new(&cfg), 0, most));
    }
    let names = loaded.rule_names();
    let solutions = shapes.iter().enumerate();
    let solutions = solutions.map(|(number, shape)| solution(number + 2, shape, &names));
    let suite = Suite {
        header: Header {
            object: TEXT.to_owned(),
            grammar: Some(GrammarSource {
                file: loaded.name.clone(),
                max_length: most,
            }),
            code: Some(hex::encode(Sha256::digest(loaded.text()))),
            complete: true,
            ..Header::default()
        },
        solutions: solutions.collect(),
    };
    write_suite(&arguments.suite, &suite)?;
    let count = suite.solutions.len();
    let seconds = started.elapsed().as_secs_f64();
    let report = StageReport {
        schema: suite::SCHEMA,
        stage: ObjectCounts {
            valid: count as u64,
            explored: count as u64,
        },
        complete: true,
        incomplete: Vec::new(),
        cut_off: 0,
        errors: Vec::new(),
        queries: 0,
        seconds,
        exploration_seconds: seconds,
        suite: arguments.suite.clone(),
    };
    match run.json {
        true => say_json(&report)?,
        false => say(&format!(
            "{count} shapes of words of up to {most} bytes are in {}; {seconds:.2} s",
            arguments.suite.one_line()
        ))?,
    }
    Ok(Outcome::Clean)
}

fn solution(line: usize, shape: &Shape, names: &[String]) -> Solution {
    let fields = shape.leaves.iter().enumerate();
    let fields = fields.map(|(at, leaf)| (format!("[{at}]"), field(leaf)));
    let object = Object {
        type_name: format!("char[{}]", shape.leaves.len()),
        fields: fields.collect(),
    };
    let name = |rule: u32| names.get(rule as usize).cloned();
    Solution {
        line,
        graph: ObjectGraph {
            objects: vec![object],
            ..ObjectGraph::default()
        },
        condition: shape.text(name, |leaf| letter(&field(leaf))),
    }
}

fn field(leaf: &LetterSet) -> Field {
    let ranges = leaf.ranges().into_iter();
    let ranges = ranges.map(|(low, high)| (low as u8, high as u8));
    match ranges.clone().collect::<Vec<_>>()[..] {
        [(low, high)] if low == high => Field::Number(low.into()),
        _ => Field::OneOf(Bytes::of(ranges)),
    }
}

/// A byte of a text as a person writes it: itself, or the set that it is of.
fn letter(field: &Field) -> String {
    match field {
        Field::Number(byte) => {
            let byte = u8::try_from(*byte).unwrap_or(0);
            char::from(byte).escape_default().to_string()
        }
        other => other.text(),
    }
}

/// The shape of a text in a line.
pub fn text(solution: &Solution) -> String {
    let fields = solution.graph.objects.iter().flat_map(|it| &it.fields);
    let mut numbered: Vec<(usize, &Field)> = fields
        .filter_map(|(path, field)| {
            let number = path.strip_prefix('[')?.strip_suffix(']')?;
            Some((number.parse().ok()?, field))
        })
        .collect();
    numbered.sort_by_key(|(number, _)| *number);
    numbered
        .into_iter()
        .map(|(_, field)| letter(field))
        .collect()
}
