//! Standard output: what a command was asked for, and nothing else.

use crate::error::Error;
use crate::ui::style::styled;
use base::escape::c_string;
use serde::Serialize;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Prints a line; a reader that went away is no reason to complain.
pub fn say(text: &str) -> Result<(), Error> {
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::Output(error)),
        _ => Ok(()),
    }
}

/// Prints a line for a person, in colours where the terminal takes them.
pub fn say_styled(text: &str) -> Result<(), Error> {
    let mut out = anstream::stdout().lock();
    match writeln!(out, "{}", styled(text)) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::Output(error)),
        _ => Ok(()),
    }
}

/// Prints what is wrong to standard error, likewise.
pub fn complain(text: &str) {
    // Nobody can be told that nobody can be told.
    let _ = writeln!(anstream::stderr().lock(), "{}", styled(text));
}

/// Prints one JSON object on one line.
pub fn say_json(object: &impl Serialize) -> Result<(), Error> {
    let text = serde_json::to_string(object).map_err(|error| Error::Output(error.into()))?;
    say(&text)
}

/// A path as a word of the shell, on one line.
pub fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.contains(char::is_control) {
        return format!("$'{}'", c_string(text.as_bytes()).replace('\'', r"\'"));
    }
    let quoted = shlex::try_quote(&text).map(|quoted| quoted.into_owned());
    quoted.unwrap_or_else(|_| text.clone().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_on_one_line() {
        let word = |path: &str| quoted(Path::new(path));
        assert_eq!(word("a/b.c"), "a/b.c");
        assert_eq!(word("it's b"), "\"it's b\"");
        assert_eq!(word("it's\nb\\é"), r"$'it\'s\nb\\\303\251'");
    }
}
