//! ARCHITECTURE.md is the map: it names what there is, and what there is not it does
//! not name.

use crate::crates::Crate;
use crate::none;
use crate::source::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use testkit::project;

fn page() -> String {
    fs::read_to_string(project("ARCHITECTURE.md")).expect("the map is there")
}

/// The sections about crates: which crates a heading names, and the text under it.
fn sections(page: &str) -> Vec<(Vec<&str>, &str)> {
    let sections = page.split("\n## ").skip(1);
    sections
        .filter_map(|section| {
            let (heading, text) = section.split_once('\n')?;
            let names = quoted(heading);
            (!names.is_empty()).then_some((names, text))
        })
        .collect()
}

/// What stands between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Crates that are being rebuilt; each gets its place on the map when that is done.
const BEING_REBUILT: [&str; 3] = ["bench", "everypath", "suite"];

#[test]
fn every_source_file_is_on_the_map() {
    let page = page();
    let sections = sections(&page);
    let mut complaints = Vec::new();
    for one in Crate::all() {
        if BEING_REBUILT.contains(&one.name.as_str()) {
            continue;
        }
        let texts = sections
            .iter()
            .filter(|(names, _)| names.contains(&one.name.as_str()));
        let named: BTreeSet<&str> = texts.flat_map(|(_, text)| quoted(text)).collect();
        if named.is_empty() {
            complaints.push(format!("there is no section about crate `{}`", one.name));
            continue;
        }
        for source in one.sources() {
            let path = source.path.to_string_lossy();
            if !is_on_the_map(&path, &named) {
                complaints.push(format!(
                    "{}: the section about `{}` does not name it",
                    source.name, one.name
                ));
            }
        }
    }
    none(complaints);
}

/// Whether a file, or a folder that it is in, is named. What opens a crate or a folder
/// needs no name of its own.
fn is_on_the_map(path: &str, named: &BTreeSet<&str>) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    if matches!(path, "lib.rs" | "main.rs") || named.contains(path) {
        return true;
    }
    let folders = path.match_indices('/').map(|(at, _)| &path[..=at]);
    let module = path.strip_suffix(".rs").unwrap_or(path);
    // `a.rs` beside `a/` opens the folder, as `a/mod.rs` does.
    named.contains(format!("{module}/").as_str())
        || file == "mod.rs" && named.contains(&path[..path.len() - file.len()])
        || folders.into_iter().any(|folder| named.contains(folder))
}

#[test]
fn what_is_on_the_map_is_there() {
    let page = page();
    let mut complaints = Vec::new();
    let crates = Crate::all();
    for (names, text) in sections(&page) {
        let folders: Vec<_> = crates
            .iter()
            .filter(|one| names.contains(&one.name.as_str()))
            .map(|one| one.folder.join("src"))
            .collect();
        for name in quoted(text) {
            let is_path = name.ends_with(".rs") || name.ends_with('/');
            if !is_path || name.contains([' ', '*', '<']) {
                continue;
            }
            // A section about a folder names the files in it without saying so again.
            let in_crates = folders.iter().any(|src| {
                let files = Source::files(src);
                src.join(name).exists() || files.iter().any(|file| has_part(file, name))
            });
            if !in_crates && !project(name).exists() {
                complaints.push(format!("the section about {names:?}: there is no `{name}`"));
            }
        }
    }
    none(complaints);
}

/// Whether a path has the parts of this name in it, one after the other.
fn has_part(path: &Path, name: &str) -> bool {
    let name: Vec<_> = Path::new(name).iter().collect();
    let path: Vec<_> = path.iter().collect();
    path.windows(name.len()).any(|part| part == name)
}

#[test]
fn crates_use_what_the_table_says() {
    let page = page();
    let table = page.split("| crate | what lives there | uses |\n").nth(1);
    let table = table.expect("ARCHITECTURE.md has the table of crates");
    let rows = table
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with('|'));
    let allowed: BTreeMap<&str, BTreeSet<&str>> = rows
        .map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
            let name = quoted(cells[0])
                .first()
                .copied()
                .expect("a row names a crate");
            (name, quoted(cells[2]).into_iter().collect())
        })
        .collect();
    let crates = Crate::all();
    let names: BTreeSet<&str> = crates.iter().map(|one| one.name.as_str()).collect();
    let mut complaints = Vec::new();
    for one in &crates {
        let used = one.dependencies.iter().map(String::as_str);
        let used: BTreeSet<&str> = used.filter(|name| names.contains(name)).collect();
        match allowed.get(one.name.as_str()) {
            None => complaints.push(format!("crate {} is not in the table", one.name)),
            Some(said) if *said != used => complaints.push(format!(
                "crate {} uses {used:?}; the table says {said:?}",
                one.name
            )),
            Some(_) => {}
        }
    }
    let gone = allowed.keys().filter(|name| !names.contains(*name));
    complaints.extend(gone.map(|name| format!("there is no crate {name}")));
    none(complaints);
}
