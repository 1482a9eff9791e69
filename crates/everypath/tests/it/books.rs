//! The pages for users: what a page shows after a command, the command prints.
//!
//! Sessions are blocks that say `console`. A line `$ command` is typed in a shell, in a
//! folder that has the project's examples; what follows it is what it has to print. A line
//! `…` stands for any lines, and `…` in a line for any text; decimals, which are times, are not
//! compared. Of a command that shows nothing it is enough that it works; blocks of nothing
//! but such commands say `sh`. They are typed too, with a limit of a few steps in the place
//! of one of time.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use testkit::{Finished, Scratch, command, project};

/// What pages call parser.c.
const PARSER: &str = "tests/pages/parser.c";

#[test]
fn the_readme() {
    shows("README.md", &[], 13);
}

#[test]
fn grammars() {
    let files = [("parser.c", PARSER), ("corpus", "tests/pages/corpus")];
    shows("docs/grammar.md", &files, 18);
}

#[test]
fn mixed_solving() {
    let files = [
        ("program.c", "tests/pages/program.c"),
        ("foo.c", "tests/pages/foo.c"),
    ];
    shows("docs/mixed.md", &files, 7);
}

#[test]
fn models() {
    let files = [
        ("grid.iosts", "examples/model/grid.iosts"),
        ("grid.c", "examples/model/grid.c"),
        ("atm.iosts", "examples/model/atm.iosts"),
        ("recorded.jsonl", "tests/pages/recorded.jsonl"),
        ("phone.scxml", "tests/pages/phone.scxml"),
    ];
    shows("docs/model.md", &files, 16);
}

#[test]
fn automation() {
    shows("docs/ci.md", &[("src/parser.c", PARSER)], 4);
}

#[test]
fn c() {
    let files = [
        ("ratio.c", "```c"),
        ("cut.c", "examples/programs/cut.c"),
        ("parser.c", PARSER),
        ("Makefile", "tests/pages/Makefile"),
        ("src/tool.c", "tests/pages/src/tool.c"),
        ("src/count.c", "tests/pages/src/count.c"),
    ];
    shows("docs/c.md", &files, 17);
}

#[test]
fn cpp() {
    shows("docs/cpp.md", &[("squares.cpp", "```cpp")], 1);
}

#[test]
fn ranges() {
    let files = [
        ("parser.c", PARSER),
        ("tree.c", "examples/staged/search_tree.c"),
        ("lib", "examples/staged/lib"),
        ("corpus", "tests/pages/corpus"),
    ];
    shows("docs/ranges.md", &files, 13);
}

#[test]
fn reports() {
    shows("docs/report.md", &[("parser.c", PARSER)], 3);
}

#[test]
fn rust() {
    shows("docs/rust.md", &[("middle.rs", "```rust")], 1);
}

#[test]
fn searches() {
    shows("docs/search.md", &[], 4);
}

#[test]
fn staged_testing() {
    let files = [
        ("tree.c", "examples/staged/search_tree.c"),
        ("stack.rs", "examples/staged/stack.rs"),
        ("old.c", "examples/staged/search_tree.c"),
        ("calculator.c", "examples/staged/calculator.c"),
        ("calculator.bnf", "examples/staged/calculator.bnf"),
        ("lib", "examples/staged/lib"),
    ];
    shows("docs/staged.md", &files, 13);
}

/// Types what a page shows, in a folder that has these files under these names: those of the
/// project, or the first block of the page that says what it is written in.
fn shows(page: &str, files: &[(&str, &str)], commands: usize) {
    let scratch = Scratch::new();
    let text = fs::read_to_string(project(page)).expect("it is there");
    let examples = [("examples", "examples"), ("tests", "tests")];
    for (name, path) in examples.iter().chain(files) {
        let target = scratch.path(name);
        fs::create_dir_all(target.parent().expect("it is in the folder")).expect("it can be made");
        match path.strip_prefix("```") {
            Some(kind) => fs::write(target, program(&text, kind)).expect("the name is free"),
            None => symlink(project(path), target).expect("the name is free"),
        }
    }
    let exchanges = exchanges(&text);
    let mut wrong = Vec::new();
    for (command, shown) in &exchanges {
        let finished = type_in(&scratch, command);
        let ends = match finished.status {
            Some(0 | 1) => true,
            Some(2) => shown.starts_with("error:"),
            _ => false,
        };
        if !ends || !is_shown(shown, &finished) {
            let said = finished.said();
            wrong.push(format!("$ {command}\n{said}"));
        }
    }
    let wrong = wrong.join("\n");
    assert!(wrong.is_empty(), "{page} shows something else for\n{wrong}");
    assert_eq!(exchanges.len(), commands, "commands of {page}");
}

/// The blocks of a page: what they are written in, and what is in them.
fn blocks(page: &str) -> impl Iterator<Item = (&str, &str)> {
    let blocks = page.split("\n```").skip(1).step_by(2);
    blocks.map(|block| block.split_once('\n').unwrap_or((block, "")))
}

/// The first program of a page in this language.
fn program<'a>(page: &'a str, language: &str) -> &'a str {
    let (_, text) = blocks(page)
        .find(|(kind, _)| *kind == language)
        .expect("the page has one");
    text
}

/// The commands of a page, and what it shows for each.
fn exchanges(page: &str) -> Vec<(String, &str)> {
    let mut found = Vec::new();
    for (kind, text) in blocks(page) {
        match kind {
            "console" => {
                let session = text.strip_prefix("$ ").expect("it begins with a command");
                found.extend(session.split("\n$ ").map(|exchange| {
                    let (command, shown) = exchange.split_once('\n').unwrap_or((exchange, ""));
                    (command.to_owned(), shown)
                }));
            }
            "sh" => {
                let text = text.replace("\\\n", " ");
                found.extend(text.lines().map(|line| (with_short_limits(line), "")));
            }
            _ => {}
        }
    }
    found
}

/// The command with a limit that does not depend on the machine, if it has one of time.
fn with_short_limits(command: &str) -> String {
    let limit = match command.starts_with("everypath fuzz") {
        true => "--max-runs",
        false => "--max-forks",
    };
    let mut words = command.split(' ').collect::<Vec<_>>();
    let at = words.iter().position(|word| *word == "--max-time");
    if let Some([name, number]) = at.and_then(|at| words.get_mut(at..at + 2)) {
        (*name, *number) = (limit, "10");
    }
    words.join(" ")
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
