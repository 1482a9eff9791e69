//! What source files say and what they must not.

use crate::crates::Crate;
use crate::none;

#[test]
fn nothing_is_left_to_do_and_nothing_unwraps_without_a_reason() {
    let unfinished = "finish it, or leave it out";
    let bare = "say with `expect` why it cannot fail, or return an error";
    let mut complaints = Vec::new();
    for source in Crate::all().iter().flat_map(Crate::sources) {
        complaints.extend(source.lines_with(&["todo!", "unimplemented!", "dbg!"], unfinished));
        complaints.extend(source.lines_with(&[".unwrap()"], bare));
    }
    none(complaints);
}

#[test]
fn libraries_neither_print_nor_exit_nor_read_the_environment() {
    const TALK: [&str; 4] = ["println!", "eprintln!", "print!", "eprint!"];
    const SURROUNDINGS: [&str; 4] = ["process::exit", "env::var(", "env::var_os(", "env::args"];
    let talk = "a library returns values and emits events; the command line prints";
    let surroundings = "a library gets what it needs from its caller";
    let mut complaints = Vec::new();
    for library in Crate::all().iter().filter(|one| !one.is_program()) {
        for source in library.sources() {
            // What is in `bin` is a program that a library brings along.
            if source.path.starts_with("bin") {
                continue;
            }
            complaints.extend(source.lines_with(&TALK, talk));
            // Where compilers are is what the environment says, and nothing else does.
            if source.name != "crates/program/src/toolchain/find.rs" {
                complaints.extend(source.lines_with(&SURROUNDINGS, surroundings));
            }
        }
    }
    none(complaints);
}

#[test]
fn names_of_files_are_shown_on_one_line() {
    let raw = "a name may have a line break in it; `base::OneLine` shows it, \
               and `to_string_lossy` is for what programs read";
    let crates = Crate::all();
    let product = |it: &&Crate| it.name != "bench" && it.name != "sweep";
    let mut complaints = Vec::new();
    for source in crates.iter().filter(product).flat_map(Crate::sources) {
        complaints.extend(source.lines_with(&[".display()"], raw));
    }
    none(complaints);
}

#[test]
fn temporary_names_cannot_be_guessed() {
    let guessed = "a link may wait under a name that can be guessed; `tempfile` makes the name";
    let mut complaints = Vec::new();
    for source in Crate::all().iter().flat_map(Crate::sources) {
        complaints.extend(source.lines_with(&["temp_dir().join("], guessed));
        let in_tmp = source.texts.iter().filter(|(_, text)| {
            let path = text.trim_matches('"');
            path.starts_with("/tmp/")
                || path.starts_with("/var/tmp/")
                || path.starts_with("/dev/shm/")
        });
        complaints.extend(in_tmp.map(|(line, text)| {
            let name = &source.name;
            format!("{name}:{line}: {text}: {guessed}")
        }));
    }
    none(complaints);
}

#[test]
fn libraries_name_no_flags_of_the_command_line() {
    /// Where texts are command lines of other programs, which have flags too.
    const OTHER_PROGRAMS: [&str; 2] = [
        "crates/program/src/error.rs",
        "crates/program/src/toolchain",
    ];
    let mut complaints = Vec::new();
    for library in Crate::all().iter().filter(|one| !one.is_program()) {
        for source in library.sources() {
            let mut apart = OTHER_PROGRAMS.iter();
            if apart.any(|path| source.name.starts_with(path)) {
                continue;
            }
            for (line, text) in source.texts.iter().filter(|(_, text)| names_flag(text)) {
                let name = &source.name;
                complaints.push(format!(
                    "{name}:{line}: {text}: a flag is named by the command line; \
                     say what the caller could change"
                ));
            }
        }
    }
    none(complaints);
}

/// Whether there is `--name`, not part of a longer row of dashes.
fn names_flag(text: &str) -> bool {
    text.match_indices("--").any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + 2..].chars().next();
        !matches!(before, Some('-' | '<' | '!')) && after.is_some_and(|c| c.is_ascii_lowercase())
    })
}
