//! `everypath stage show`: the objects of a suite, for people.

use super::ShowArguments;
use super::suites::read_suite;
use crate::Outcome;
use std::fmt::Write;

pub fn show(arguments: &ShowArguments) -> Result<Outcome, String> {
    let suite = read_suite(&arguments.suite)?;
    let header = &suite.header;
    let mut text = format!(
        "{} objects of {} that satisfy {}",
        suite.solutions.len(),
        header.object,
        header.invariant
    );
    match &header.bounds.texts()[..] {
        [] => {}
        bounds => {
            let _ = write!(text, ", with {}", bounds.join(", "));
        }
    }
    if !header.complete {
        text += "; there may be more";
    }
    let mut dot = "digraph suite {\n".to_owned();
    for (number, solution) in suite.solutions.iter().enumerate() {
        let _ = write!(
            text,
            "\n\nline {}\n{}",
            solution.line,
            solution.graph.text()
        );
        for condition in solution.condition.lines() {
            let _ = writeln!(text, "  where {condition}");
        }
        let title = format!("line {}\n{}", solution.line, solution.condition);
        dot += &solution.graph.dot_cluster(number, &title);
    }
    dot += "}\n";
    if let Some(file) = &arguments.dot {
        let written = std::fs::write(file, dot);
        written.map_err(|error| format!("error: cannot write {}: {error}", file.display()))?;
    }
    crate::solve::say(text.trim_end())?;
    Ok(Outcome::Clean)
}
