//! Every command line that a page or a `--help` shows is one that can be typed.

use crate::{Arguments, environment};
use clap::{CommandFactory as _, Parser as _};
use std::ffi::OsString;
use std::fs;
use testkit::project;

#[test]
fn command_lines_of_the_pages_can_be_typed() {
    let mut pages = vec![project("README.md"), project("SECURITY.md")];
    let docs = fs::read_dir(project("docs")).expect("there are pages");
    pages.extend(docs.map(|entry| entry.expect("it can be read").path()));
    pages.retain(|page| page.extension().is_some_and(|it| it == "md"));
    let mut lines = 0;
    for page in pages {
        let text = fs::read_to_string(&page).expect("it can be read");
        for block in text.split("```").skip(1).step_by(2) {
            // A line may go on behind a backslash.
            for line in block.replace("\\\n", " ").lines() {
                let line = line.trim_start_matches("$ ");
                lines += check(&page.display().to_string(), line);
            }
        }
    }
    assert!(lines > 80, "{lines} command lines were found");
}

#[test]
fn examples_of_the_help_can_be_typed() {
    let mut lines = 0;
    let mut open = vec![Arguments::command()];
    while let Some(command) = open.pop() {
        open.extend(command.get_subcommands().cloned());
        let help = command.get_after_help().map(ToString::to_string);
        for line in help.unwrap_or_default().lines() {
            lines += check(
                &format!("--help of {}", command.get_name()),
                line.trim_start(),
            );
        }
    }
    assert!(lines > 40, "{lines} command lines were found");
}

/// Parses the commands of a line; how many there are.
fn check(place: &str, line: &str) -> usize {
    // What people leave out or fill in themselves stands for no words.
    if line.contains('…') || line.contains("...") {
        return 0;
    }
    let commands = line.split(" && ");
    let ours = commands.filter(|command| command.starts_with("everypath "));
    let ours = ours.map(|command| {
        let words = shlex::split(command).unwrap_or_else(|| panic!("{place}: {line}"));
        // What becomes of the output is the shell's business.
        let words = words
            .into_iter()
            .take_while(|word| ![">", "|"].contains(&&**word));
        let words = environment::with_two_dashes(words.map(OsString::from));
        if let Err(error) = Arguments::try_parse_from(words) {
            panic!("{place}: {line}\n{error}");
        }
    });
    ours.count()
}
