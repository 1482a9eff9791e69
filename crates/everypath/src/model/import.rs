//! `everypath model import`: models from SCXML and GraphWalker.

use super::load::{text_of, write};
use crate::Outcome;
use crate::error::Error;
use crate::output::say;
use ::model::import::{graphwalker, scxml};
use std::path::PathBuf;

/// Turns SCXML and GraphWalker's JSON into a model.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath model import machine.scxml -o machine.iosts
  everypath model import graph.json -o graph.iosts

What cannot be carried over is listed on standard error.

Exit status: 0 all of it is in the model; 1 something was left out, and is
listed; 2 the file is no such model.")]
pub struct Arguments {
    /// The file: .scxml or .xml, or .json.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where the model goes, instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let file = arguments.file.display();
    let text = text_of(&arguments.file)?;
    let extension = arguments
        .file
        .extension()
        .and_then(|extension| extension.to_str());
    let imported = match extension {
        Some("scxml" | "xml") => scxml(&text),
        Some("json") => graphwalker(&text),
        _ => return Err(Error::content(file, "give a .scxml, .xml or .json file")),
    };
    let imported = imported.map_err(|reason| Error::content(file, reason))?;
    match &arguments.output {
        Some(output) => write(output, &imported.text)?,
        None => say(imported.text.trim_end())?,
    }
    for what in &imported.left_out {
        eprintln!("not carried over: {what}");
    }
    Ok(match imported.left_out.is_empty() {
        true => Outcome::Clean,
        false => Outcome::Found,
    })
}
