//! `everypath model import`: models from the formats of other tools.

use super::load::{text_of, write};
use crate::Outcome;
use crate::error::Error;
use crate::output::say;
use ::model::import::{graphml, graphwalker, mermaid, plantuml, scxml, xlia};
use base::OneLine;
use std::path::PathBuf;

/// Turns models of other tools into one of Everypath.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath model import machine.scxml -o machine.iosts
  everypath model import graph.json -o graph.iosts

It reads SCXML (.scxml, .xml), GraphWalker's JSON (.json) and GraphML (.graphml),
PlantUML (.puml, .plantuml), Mermaid (.mmd, .mermaid) and XLIA (.xlia, .xfsp).

What was left out because it says nothing about the system is noted on standard
error; what is not understood is refused.

Exit status: 0 the model means what the file means; 2 the file is no such model, or
has something that models do not, with every place.")]
pub struct Arguments {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where the model goes, instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let file = arguments.file.one_line();
    let text = text_of(&arguments.file)?;
    let extension = arguments
        .file
        .extension()
        .and_then(|extension| extension.to_str());
    let imported = match extension {
        Some("scxml" | "xml") => scxml(&text),
        Some("json") => graphwalker(&text),
        Some("graphml") => graphml(&text),
        Some("puml" | "plantuml") => plantuml(&text),
        Some("mmd" | "mermaid") => mermaid(&text),
        Some("xlia" | "xfsp") => xlia(&text),
        _ => {
            let known = "give a .scxml, .json, .graphml, .puml, .mmd or .xlia file";
            return Err(Error::content(file, known));
        }
    };
    let imported = imported.map_err(|reason| Error::content(file, reason))?;
    match &arguments.output {
        Some(output) => write(output, &imported.text)?,
        None => say(imported.text.trim_end())?,
    }
    for note in &imported.notes {
        eprintln!("note: {note}");
    }
    Ok(Outcome::Clean)
}
