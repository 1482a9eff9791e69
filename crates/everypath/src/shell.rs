//! `everypath completions` and `everypath man`: what shells and `man` want to know of
//! the command line, made from its definition.

use crate::error::Error;
use crate::{Arguments as CommandLine, Outcome};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;
use std::path::PathBuf;

/// Prints what a shell needs to complete commands and flags.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath completions bash > ~/.local/share/bash-completion/completions/everypath
  everypath completions zsh > ~/.zfunc/_everypath
  everypath completions fish > ~/.config/fish/completions/everypath.fish

make install puts them where shells look by themselves.")]
pub struct CompletionArguments {
    /// The shell.
    shell: Shell,
}

/// Prints the completions.
pub fn completions(arguments: &CompletionArguments) -> Result<Outcome, Error> {
    let mut script = Vec::new();
    let mut command = CommandLine::command();
    clap_complete::generate(arguments.shell, &mut command, "everypath", &mut script);
    match std::io::stdout().write_all(&script) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Error::Output(error)),
        _ => Ok(Outcome::Clean),
    }
}

/// Writes a manual page for each command.
#[derive(clap::Args)]
#[command(after_help = "Example:
  everypath man ~/.local/share/man/man1 && man everypath-run")]
pub struct ManArguments {
    /// The directory for the pages; it is made.
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Writes the pages.
pub fn man(arguments: &ManArguments) -> Result<Outcome, Error> {
    let directory = &arguments.directory;
    let made = std::fs::create_dir_all(directory);
    made.and_then(|()| clap_mangen::generate_to(CommandLine::command(), directory))
        .map_err(Error::writing(directory))?;
    Ok(Outcome::Clean)
}
