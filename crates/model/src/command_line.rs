//! Commands as people write them: words, with the quotes of a shell and without one.

/// The words of a command, of which there is at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandLine {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// Why a text is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// It has no words.
    #[error("the command is empty")]
    Empty,
    /// A quote is not closed.
    #[error("the command `{0}` has a quote that is not closed")]
    OpenQuote(String),
}

impl std::str::FromStr for CommandLine {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<CommandLine, CommandError> {
        let words = shlex::split(text).ok_or_else(|| CommandError::OpenQuote(text.to_owned()))?;
        let mut words = words.into_iter();
        let program = words.next().ok_or(CommandError::Empty)?;
        Ok(CommandLine {
            program,
            arguments: words.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_together() {
        let command: CommandLine = "python3 'my rise.py' \"a b\" c\\ d"
            .parse()
            .expect("it is a command");
        assert_eq!(command.program, "python3");
        assert_eq!(command.arguments, ["my rise.py", "a b", "c d"]);
        assert_eq!("  ".parse::<CommandLine>(), Err(CommandError::Empty));
        let open = CommandError::OpenQuote("cat '".to_owned());
        assert_eq!("cat '".parse::<CommandLine>(), Err(open));
    }
}
