//! Standard output: what a command was asked for, and nothing else.

use crate::error::Error;
use serde::Serialize;
use std::io::{ErrorKind, Write};

/// Prints a line; a reader that went away is no reason to complain.
pub fn say(text: &str) -> Result<(), Error> {
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::Output(error)),
        _ => Ok(()),
    }
}

/// Prints one JSON object on one line.
pub fn say_json(object: &impl Serialize) -> Result<(), Error> {
    let text = serde_json::to_string(object).map_err(|error| Error::Output(error.into()))?;
    say(&text)
}
