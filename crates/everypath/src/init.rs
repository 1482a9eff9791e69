//! `everypath init`: a commented `everypath.toml`.
//!
//! The comments are the help texts of the flags that the keys stand for, so that the
//! file documents every key and cannot go out of date.

use crate::error::Error;
use crate::output::say;
use crate::settings::{self, FILE, FILES};
use crate::{Arguments as CommandLine, Outcome};
use clap::{Arg, ArgAction, CommandFactory};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Writes an everypath.toml with every key and what it means, commented out.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  everypath init parser.c
  everypath init && everypath run

Exit status: 0 the file was written; 2 there is one already, or it cannot be written.")]
pub struct Arguments {
    /// The program's files, for the section [run].
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Writes the file; an error is one message for the user.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let path = Path::new(FILE);
    if path.exists() {
        return Err(Error::Usage(format!(
            "there is an {FILE} here already; remove it to have a new one"
        )));
    }
    let text = text(&arguments.files);
    base::files::write_whole(path, text.as_bytes()).map_err(Error::writing(path))?;
    say(&format!(
        "{FILE} says what can be set; `everypath run` reads it"
    ))?;
    Ok(Outcome::Clean)
}

fn text(files: &[PathBuf]) -> String {
    let mut text = String::from(
        "# Settings of Everypath for this project. A key is a flag of the command that its\n\
         # section is named after, and flags on the command line win.\n\
         #\n\
         # [target.NAME] has the keys of [run] for one program of several; it is chosen with\n\
         # everypath run --target NAME.\n",
    );
    let mut command = CommandLine::command();
    command.build();
    for names in settings::COMMANDS {
        let command = settings::command_of(&command, names);
        let _ = writeln!(text, "\n[{}]", names.join("."));
        for arg in command
            .get_arguments()
            .filter(|arg| settings::is_setting(arg))
        {
            let key = settings::key_of(arg);
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            text.push('\n');
            for line in help.lines() {
                let _ = writeln!(text, "# {line}");
            }
            match (key == FILES && names == ["run"], files) {
                (true, [_, ..]) => {
                    let names = files.iter().map(|file| file.to_string_lossy().into_owned());
                    let names = toml::Value::from(names.collect::<Vec<String>>());
                    let _ = writeln!(text, "{key} = {names}");
                }
                _ => _ = writeln!(text, "# {key} = {}", example(arg)),
            }
        }
    }
    text
}

/// A value of the kind that the flag takes.
fn example(arg: &Arg) -> String {
    if !arg.get_action().takes_values() {
        return "true".to_owned();
    }
    let names = arg.get_value_names().unwrap_or_default();
    let default = arg.get_default_values().first();
    let value = |name: &str| match default.and_then(|value| value.to_str()) {
        Some(value) if value.parse::<f64>().is_ok() => value.to_owned(),
        Some(value) => format!("{value:?}"),
        None if is_number(name) => "1".to_owned(),
        None => format!("{name:?}"),
    };
    let values: Vec<String> = names.iter().map(|name| value(name)).collect();
    match arg.get_action() {
        ArgAction::Append => format!("[{}]", values.join(", ")),
        _ => values.first().cloned().unwrap_or_else(|| "\"\"".to_owned()),
    }
}

fn is_number(name: &str) -> bool {
    ["N", "SECONDS", "MIB", "LEN", "MIN", "MAX"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_there_and_the_file_is_one_that_is_read() {
        let written = text(&["a \"b\".c".into()]);
        let table: toml::Table = written.parse().expect("it is TOML");
        assert_eq!(table["run"]["files"][0].as_str(), Some("a \"b\".c"));
        let uncommented: String = written
            .lines()
            .filter(|line| !line.starts_with("# ") || line.contains(" = "))
            .map(|line| line.trim_start_matches("# ").to_owned() + "\n")
            .collect();
        for key in ["max-time", "search", "sym-args", "concrete", "grammar"] {
            assert!(
                uncommented.contains(&format!("\n{key} = ")),
                "{key}: {written}"
            );
        }
    }
}
