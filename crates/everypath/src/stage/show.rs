//! `everypath stage show`: the objects of a suite, for people.

use super::ShowArguments;
use super::suites::read_suite;
use crate::Outcome;
use crate::error::Error;
use draw::Graph;
use staged::{GrammarSource, Solution};
use std::fmt::Write;
use std::path::Path;

pub fn show(arguments: &ShowArguments) -> Result<Outcome, Error> {
    let suite = read_suite(&arguments.suite)?;
    let header = &suite.header;
    let count = suite.solutions.len();
    let mut text = match &header.grammar {
        Some(GrammarSource { file, max_length }) => {
            format!("{count} shapes of words of {file} of up to {max_length} bytes")
        }
        None => format!(
            "{count} objects of {} that satisfy {}",
            header.object, header.invariant
        ),
    };
    match &header.bounds.texts()[..] {
        [] => {}
        bounds => {
            let _ = write!(text, ", with {}", bounds.join(", "));
        }
    }
    if !header.complete {
        text += "; there may be more";
    }
    for solution in &suite.solutions {
        let shown = match header.grammar.is_some() {
            true => super::shapes::text(solution),
            false => solution.graph.text(),
        };
        let _ = write!(text, "\n\nline {}\n{}", solution.line, shown.trim_end());
        if header.grammar.is_some() {
            let _ = write!(text, "\n  {}", solution.condition);
            continue;
        }
        for condition in solution.condition.lines() {
            let _ = write!(text, "\n  where {condition}");
        }
    }
    let drawn: Vec<Graph> = suite.solutions.iter().map(drawn).collect();
    if let Some(file) = &arguments.dot {
        write_file(file, &draw::dot("suite", &drawn))?;
    }
    if let Some(file) = &arguments.svg {
        write_file(file, &draw::svg(&drawn))?;
    }
    if let Some(folder) = &arguments.output {
        let made = std::fs::create_dir_all(folder);
        made.map_err(Error::writing(folder))?;
        for (solution, graph) in suite.solutions.iter().zip(drawn) {
            let (name, graph) = (format!("line{:06}", solution.line), [graph]);
            let dot = draw::dot("suite", &graph);
            write_file(&folder.join(format!("{name}.dot")), &dot)?;
            write_file(&folder.join(format!("{name}.svg")), &draw::svg(&graph))?;
        }
    }
    crate::output::say(text.trim_end())?;
    Ok(Outcome::Clean)
}

fn drawn(solution: &Solution) -> Graph {
    let title = format!("line {}\n{}", solution.line, solution.condition);
    solution.graph.drawn(&title)
}

fn write_file(path: &Path, text: &str) -> Result<(), Error> {
    let written = base::files::write_whole(path, text.as_bytes());
    written.map_err(Error::writing(path))
}
