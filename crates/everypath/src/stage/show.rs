//! `everypath stage show`: the objects of a suite, for people.

use super::ShowArguments;
use super::suites::read_suite;
use crate::Outcome;
use crate::error::Error;
use staged::{Panel, Solution};
use std::fmt::Write;
use std::path::Path;

pub fn show(arguments: &ShowArguments) -> Result<Outcome, Error> {
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
    for solution in &suite.solutions {
        let _ = write!(
            text,
            "\n\nline {}\n{}",
            solution.line,
            solution.graph.text().trim_end()
        );
        for condition in solution.condition.lines() {
            let _ = write!(text, "\n  where {condition}");
        }
    }
    let all: Vec<&Solution> = suite.solutions.iter().collect();
    if let Some(file) = &arguments.dot {
        write_file(file, &dot(&all))?;
    }
    if let Some(file) = &arguments.svg {
        write_file(file, &picture(&all))?;
    }
    if let Some(folder) = &arguments.output {
        let made = std::fs::create_dir_all(folder);
        made.map_err(Error::writing(folder))?;
        for solution in all {
            let name = format!("line{:06}", solution.line);
            write_file(&folder.join(format!("{name}.dot")), &dot(&[solution]))?;
            write_file(&folder.join(format!("{name}.svg")), &picture(&[solution]))?;
        }
    }
    crate::output::say(text.trim_end())?;
    Ok(Outcome::Clean)
}

fn title(solution: &Solution) -> String {
    format!("line {}\n{}", solution.line, solution.condition)
}

fn dot(solutions: &[&Solution]) -> String {
    let mut text = "digraph suite {\n".to_owned();
    for (number, solution) in solutions.iter().enumerate() {
        text += &solution.graph.dot_cluster(number, &title(solution));
    }
    text + "}\n"
}

fn picture(solutions: &[&Solution]) -> String {
    let titles: Vec<String> = solutions.iter().map(|solution| title(solution)).collect();
    let panels = solutions
        .iter()
        .zip(&titles)
        .map(|(solution, title)| Panel {
            title,
            graph: &solution.graph,
        });
    staged::svg(&panels.collect::<Vec<_>>())
}

fn write_file(path: &Path, text: &str) -> Result<(), Error> {
    let written = std::fs::write(path, text);
    written.map_err(Error::writing(path))
}
