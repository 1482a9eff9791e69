//! `everypath.toml`: what a project says once instead of on every command line.
//!
//! A key is the long name of a flag, so that there is one list of what can be said and
//! one documentation of it. The file is turned into flags before the command line is
//! read, and what the user types wins.

use crate::error::Error;
use clap::builder::Resettable;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::ffi::OsString;
use std::path::Path;
use toml::{Table, Value};

/// The file's name; it is looked for in the current directory.
pub const FILE: &str = "everypath.toml";
/// The commands that have a section of their own, `[run]` or `[model.test]`.
pub const COMMANDS: [&[&str]; 8] = [
    &["run"],
    &["fuzz"],
    &["stage", "test"],
    &["stage", "build"],
    &["stage", "run"],
    &["model", "explore"],
    &["model", "test"],
    &["model", "run"],
];
/// The one of them whose keys targets have.
const RUN: &[&str] = COMMANDS[0];
/// Sections of programs that `run` chooses from by name.
const TARGETS: &str = "target";
/// The key of a command's files, which have no flag.
pub const FILES: &str = "files";
/// The same of a model.
const MODEL: &str = "model";

/// The command line with what the file in this folder adds to it.
pub fn applied(
    command: &Command,
    words: Vec<OsString>,
    folder: &Path,
) -> Result<Vec<OsString>, Error> {
    let path = folder.join(FILE);
    let is_typed = |names: &&&[&str]| {
        let typed = words.get(1..=names.len());
        typed.is_some_and(|typed| typed.iter().zip(**names).all(|(word, name)| word == name))
    };
    let Some(names) = COMMANDS.iter().find(is_typed) else {
        return Ok(words);
    };
    let begin = 1 + names.len();
    if !path.is_file() {
        return Ok(words);
    }
    let text = std::fs::read_to_string(&path).map_err(Error::reading(&path))?;
    let settings = Settings::read(command, &text)?;
    let mut command = command.clone();
    let subcommand = names.iter().fold(&mut command, |command, name| {
        let found = command.find_subcommand_mut(name);
        found.expect("each command with a section is a command")
    });
    // The file may give what is required, so that this parse must not ask for it.
    let given = subcommand
        .clone()
        .mut_args(|arg| {
            arg.required(false)
                .required_unless_present(Resettable::Reset)
        })
        .no_binary_name(true)
        .try_get_matches_from(&words[begin..]);
    // What is wrong with the line is told when it is read in earnest.
    let Ok(given) = given else {
        return Ok(words);
    };
    let section = settings.section(names, &given)?;
    let mut line: Vec<OsString> = words[..begin].to_vec();
    for (key, value) in &section {
        let arg = argument(subcommand, key).expect("keys were looked up when they were read");
        if given.value_source(arg.get_id().as_str()) != Some(ValueSource::CommandLine) {
            line.extend(flags(arg, key, value)?);
        }
    }
    line.extend_from_slice(&words[begin..]);
    Ok(line)
}

/// A file that was read, its keys known ones.
struct Settings(Table);

impl Settings {
    fn read(command: &Command, text: &str) -> Result<Settings, Error> {
        let table: Table = text
            .parse()
            .map_err(|error: toml::de::Error| Error::content(FILE, error.to_string().trim_end()))?;
        for (name, section) in &table {
            let section = section.as_table().ok_or_else(|| not_a_table(name))?;
            if name == TARGETS {
                for (target, section) in section {
                    let section = section.as_table().ok_or_else(|| not_a_table(target))?;
                    check_keys(command, RUN, section)?;
                }
            } else if COMMANDS.contains(&&[name.as_str()][..]) {
                check_keys(command, &[name], section)?;
            } else {
                check_sections(command, name, section)?;
            }
        }
        Ok(Settings(table))
    }

    /// What the file says for a command, and for the target that was asked for.
    fn section(&self, names: &[&str], given: &ArgMatches) -> Result<Table, Error> {
        let own = names
            .iter()
            .try_fold(&self.0, |table, name| table.get(*name)?.as_table());
        let mut section = own.cloned().unwrap_or_default();
        let asked = given.try_get_one::<String>(TARGETS).ok().flatten();
        let Some(target) = asked else {
            return Ok(section);
        };
        let targets = self.0.get(TARGETS).and_then(Value::as_table);
        let found = targets.and_then(|targets| targets.get(target)?.as_table());
        let Some(found) = found else {
            let known = targets.into_iter().flat_map(Table::keys);
            return Err(unknown(
                "target",
                target,
                known.map(String::as_str).collect(),
            ));
        };
        section.extend(found.clone());
        Ok(section)
    }
}

fn not_a_table(name: &str) -> Error {
    Error::content(FILE, format!("`{name}` has to be a table, [{name}]"))
}

/// The command of a section.
pub fn command_of<'c>(command: &'c Command, names: &[&str]) -> &'c Command {
    names.iter().fold(command, |command, name| {
        let found = command.find_subcommand(name);
        found.expect("each command with a section is a command")
    })
}

/// The sections below one that is no command.
fn check_sections(command: &Command, name: &str, sections: &Table) -> Result<(), Error> {
    let is_below = |names: &&&[&str]| names.len() > 1 && names[0] == name;
    let known: Vec<&str> = COMMANDS
        .iter()
        .filter(is_below)
        .map(|names| names[1])
        .collect();
    if known.is_empty() {
        let mut known: Vec<&str> = COMMANDS.iter().map(|names| names[0]).collect();
        known.dedup();
        known.push(TARGETS);
        return Err(unknown("section", name, known));
    }
    for (below, section) in sections {
        let whole = format!("{name}.{below}");
        if !known.contains(&below.as_str()) {
            let known: Vec<String> = known.iter().map(|it| format!("{name}.{it}")).collect();
            let known = known.iter().map(String::as_str).collect();
            return Err(unknown("section", &whole, known));
        }
        let section = section.as_table().ok_or_else(|| not_a_table(&whole))?;
        check_keys(command, &[name, below], section)?;
    }
    Ok(())
}

fn check_keys(command: &Command, names: &[&str], section: &Table) -> Result<(), Error> {
    let command = command_of(command, names);
    for (key, value) in section {
        let Some(arg) = argument(command, key) else {
            return Err(unknown("key", key, keys(command).collect()));
        };
        flags(arg, key, value)?;
    }
    Ok(())
}

/// The keys that a command's section may have.
pub fn keys(command: &Command) -> impl Iterator<Item = &str> {
    let flags = command.get_arguments().filter(|arg| is_setting(arg));
    flags.map(key_of)
}

/// The key of a flag: its long name, or what it is called where it has a short one alone.
pub fn key_of(arg: &Arg) -> &str {
    arg.get_long().unwrap_or(arg.get_id().as_str())
}

/// Whether something that a command takes makes sense for every run of a project.
pub fn is_setting(arg: &Arg) -> bool {
    match arg.get_long() {
        Some(flag) => !arg.is_hide_set() && !["help", "version", "json", TARGETS].contains(&flag),
        None => arg.get_short().is_some() || [FILES, MODEL].contains(&arg.get_id().as_str()),
    }
}

fn argument<'c>(command: &'c Command, key: &str) -> Option<&'c Arg> {
    let mut arguments = command.get_arguments().filter(|arg| is_setting(arg));
    arguments.find(|arg| key_of(arg) == key)
}

/// An error that names the nearest of what is known.
fn unknown(what: &str, name: &str, known: Vec<&str>) -> Error {
    let similarity = |other: &&&str| (strsim::jaro_winkler(name, other) * 1000.0) as u64;
    let nearest = known.iter().max_by_key(similarity);
    let nearest = nearest.filter(|nearest| similarity(nearest) > 700);
    let hint = nearest.map_or_else(
        || format!("; there are {}", known.join(", ")),
        |nearest| format!("; there is `{nearest}`"),
    );
    Error::content(FILE, format!("there is no {what} `{name}`{hint}"))
}

/// A key and its value as words of a command line.
fn flags(arg: &Arg, key: &str, value: &Value) -> Result<Vec<OsString>, Error> {
    let wrong = |expected: &str| Error::content(FILE, format!("`{key}` takes {expected}"));
    let one = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        Value::Boolean(_) | Value::Array(_) | Value::Table(_) | Value::Datetime(_) => {
            Err(wrong("a text, a number, or a list of them"))
        }
    };
    if !arg.get_action().takes_values() {
        return match value {
            Value::Boolean(true) => Ok(vec![format!("--{key}").into()]),
            Value::Boolean(false) => Ok(Vec::new()),
            _ => Err(wrong("true or false")),
        };
    }
    let is_list = matches!(arg.get_action(), ArgAction::Append);
    let values: Vec<String> = match value {
        Value::Array(values) if is_list => values.iter().map(one).collect::<Result<_, _>>()?,
        Value::Array(_) => return Err(wrong("one value, not a list")),
        value => vec![one(value)?],
    };
    let values = values.into_iter();
    if arg.is_positional() {
        return Ok(values.map(OsString::from).collect());
    }
    // Flags such as --sym-args take a fixed number of values after them.
    let together = arg
        .get_num_args()
        .is_some_and(|range| range.min_values() > 1);
    if together {
        let flag = std::iter::once(format!("--{key}"));
        return Ok(flag.chain(values).map(OsString::from).collect());
    }
    let words = values.flat_map(|value| match (arg.get_long(), arg.get_short()) {
        (None, Some(short)) => vec![format!("-{short}"), value],
        (_, _) => vec![format!("--{key}={value}")],
    });
    Ok(words.map(OsString::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// What the command line becomes with this file beside it.
    fn with(file: &str, line: &str) -> Result<String, String> {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        std::fs::write(folder.path().join(FILE), file).expect("it is ours");
        let mut command = crate::Arguments::command();
        command.build();
        let words = line.split_whitespace().map(OsString::from).collect();
        let applied = applied(&command, words, folder.path());
        let words = applied.map_err(|error| error.to_string())?;
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        Ok(words.join(" "))
    }

    #[test]
    fn keys_are_flags_and_the_command_line_wins() {
        let file = "[run]\nfiles = [\"a.c\", \"b.c\"]\nmax-time = 60\nleaks = true\n\
                    look-ahead = false\nsym-args = [0, 2, 3]\nconcrete = [\"sin\", \"cos\"]\n";
        assert_eq!(
            with(
                "[run]\ninclude = [\"a\"]\noptimise = 1",
                "everypath run x.c"
            )
            .as_deref(),
            Ok("everypath run -I a -O 1 x.c")
        );
        let rest = "--leaks --concrete=sin --concrete=cos";
        let applied = with(file, "everypath run").expect("the file is right");
        for flag in ["a.c b.c", "--max-time=60", "--leaks", "--sym-args 0 2 3"] {
            assert!(applied.contains(flag), "{applied}");
        }
        assert!(
            rest.split(' ').all(|flag| applied.contains(flag)),
            "{applied}"
        );
        assert!(!applied.contains("look-ahead"), "{applied}");
        let applied = with(file, "everypath run c.c --max-time 1").expect("the file is right");
        assert!(
            !applied.contains("a.c") && !applied.contains("=60"),
            "{applied}"
        );
        assert!(applied.ends_with("c.c --max-time 1"), "{applied}");
    }

    #[test]
    fn a_target_adds_to_what_holds_for_all() {
        let file = "[run]\nseed = 1\nmax-time = 5\n[target.parser]\nfiles = [\"p.c\"]\nseed = 2\n";
        let applied = with(file, "everypath run --target parser").expect("the file is right");
        assert!(
            applied.contains("--seed=2") && applied.contains("p.c"),
            "{applied}"
        );
        assert!(applied.contains("--max-time=5"), "{applied}");
        assert_eq!(
            with(file, "everypath run --target passer").expect_err("there is no such target"),
            "everypath.toml: there is no target `passer`; there is `parser`"
        );
    }

    #[test]
    fn commands_of_commands_have_sections_too() {
        let file =
            "[model.test]\nmodel = \"m.iosts\"\nseed = 3\n[stage.build]\nmax = [\"Node=3\"]\n";
        assert_eq!(
            with(file, "everypath model test").as_deref(),
            Ok("everypath model test m.iosts --seed=3")
        );
        assert_eq!(
            with(file, "everypath stage build t.c -o x").as_deref(),
            Ok("everypath stage build --max=Node=3 t.c -o x")
        );
        assert_eq!(
            with(file, "everypath model check m").as_deref(),
            Ok("everypath model check m")
        );
    }

    #[test]
    fn what_is_wrong_is_named_with_the_nearest_that_is_known() {
        for (file, message) in [
            (
                "[run]\nmaxtime = 1",
                "there is no key `maxtime`; there is `max-time`",
            ),
            ("[runs]\n", "there is no section `runs`; there is `run`"),
            ("[run]\nleaks = 1", "`leaks` takes true or false"),
            ("[run]\nseed = [1, 2]", "`seed` takes one value, not a list"),
            ("run = 1", "`run` has to be a table, [run]"),
            (
                "[model.tests]",
                "there is no section `model.tests`; there is `model.test`",
            ),
            (
                "[model]\nseed = 1",
                "there is no section `model.seed`; there is `model.test`",
            ),
        ] {
            let refused = with(file, "everypath run a.c").expect_err("it is wrong");
            assert_eq!(refused, format!("everypath.toml: {message}"));
        }
    }

    #[test]
    fn other_commands_and_folders_without_a_file_change_nothing() {
        assert_eq!(
            with("nonsense", "everypath show x").as_deref(),
            Ok("everypath show x")
        );
    }
}
