//! The pages for users: what a page shows after a command, the command prints.
//!
//! Sessions are blocks that say `console`. A line `$ command` is typed in a shell, in a
//! folder that has the project's examples; what follows it is what it has to print. A line
//! `…` stands for any lines, and `…` in a line for any text; decimals, which are times, are not
//! compared. Of a command that shows nothing it is enough that it works.

use std::env;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use testkit::{Finished, Scratch, command, project};

#[test]
fn the_readme() {
    shows("README.md", &[], 12);
}

#[test]
fn programs_in_c() {
    shows("docs/c.md", &[("ratio.c", "examples/ratio.c")], 5);
}

#[test]
fn grammars() {
    shows("docs/grammar.md", &[], 13);
}

#[test]
fn mixed_solving() {
    shows("docs/mixed.md", &[], 5);
}

#[test]
fn models() {
    shows("docs/model.md", &[], 7);
}

#[test]
fn searches() {
    shows("docs/search.md", &[], 4);
}

#[test]
fn staged_testing() {
    let files = [
        ("tree.c", "examples/staged/search_tree.c"),
        ("lib", "examples/staged/lib"),
    ];
    shows("docs/staged.md", &files, 4);
}

/// Types what a page shows, in a folder that has these files of the project under these names.
fn shows(page: &str, files: &[(&str, &str)], commands: usize) {
    let scratch = Scratch::new();
    let examples = [("examples", "examples"), ("tests", "tests")];
    for (name, path) in examples.iter().chain(files) {
        symlink(project(path), scratch.path(name)).expect("the name is free");
    }
    let text = std::fs::read_to_string(project(page)).expect("it is there");
    let (mut typed, mut wrong) = (0, Vec::new());
    for session in text.split("```console\n").skip(1) {
        let session = session
            .split("\n```")
            .next()
            .expect("there is a first part");
        let exchanges = session
            .strip_prefix("$ ")
            .expect("it begins with a command");
        for exchange in exchanges.split("\n$ ") {
            let (command, shown) = exchange.split_once('\n').unwrap_or((exchange, ""));
            let finished = type_in(&scratch, command);
            if !matches!(finished.status, Some(0 | 1)) || !is_shown(shown, &finished) {
                let said = finished.said();
                wrong.push(format!("$ {command}\n{said}"));
            }
            typed += 1;
        }
    }
    let wrong = wrong.join("\n");
    assert!(wrong.is_empty(), "{page} shows something else for\n{wrong}");
    assert_eq!(typed, commands, "commands of {page}");
}

/// Runs a line in a shell that finds `everypath`.
fn type_in(scratch: &Scratch, line: &str) -> Finished {
    let everypath = command(scratch.folder(), "doctor");
    let folder = Path::new(everypath.get_program()).parent();
    let mut path = folder.expect("it is a file").as_os_str().to_owned();
    path.push(":");
    path.push(env::var_os("PATH").unwrap_or_default());
    let mut shell = Command::new("bash");
    shell.current_dir(scratch.folder()).args(["-c", line]);
    Finished::of(shell.env("PATH", path))
}

/// Whether a command said what a page shows. Which of its two texts comes first is not seen
/// in them, and a page may show one alone.
fn is_shown(shown: &str, finished: &Finished) -> bool {
    let Finished { stdout, stderr, .. } = finished;
    let texts = [
        stdout.clone(),
        stderr.clone() + stdout,
        stdout.clone() + stderr,
    ];
    let shown: Vec<&str> = shown.trim_end().lines().collect();
    shown.is_empty()
        || texts.iter().any(|said| {
            let said: Vec<&str> = said.trim_end().lines().collect();
            lines_match(&shown, &said)
        })
}

fn lines_match(shown: &[&str], said: &[&str]) -> bool {
    match (shown, said) {
        ([], []) => true,
        (["…", rest @ ..], _) => (0..=said.len()).any(|lines| lines_match(rest, &said[lines..])),
        ([first, shown @ ..], [line, said @ ..]) => {
            words_match(first, line) && lines_match(shown, said)
        }
        _ => false,
    }
}

fn words_match(shown: &str, said: &str) -> bool {
    let is_decimal = |word: &str| word.contains('.') && word.parse::<f64>().is_ok();
    let words = |line: &str| {
        let words = line.split(' ');
        let words = words.map(|word| if is_decimal(word) { "0.0" } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    let (shown, said) = (words(shown.trim_end()), words(said.trim_end()));
    match shown.split_once('…') {
        None => shown == said,
        Some((before, after)) => {
            let fits = said.len() >= before.len() + after.len();
            fits && said.starts_with(before) && said.ends_with(after)
        }
    }
}
