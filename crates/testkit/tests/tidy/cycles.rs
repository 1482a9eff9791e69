//! Modules that import each other can only be understood together. A crate may have
//! small groups of them; a large one means that it has no inner structure at all.

use crate::crates::Crate;
use crate::none;
use crate::source::Source;
use std::collections::{BTreeMap, BTreeSet};

/// How many modules may be in a group whose members all reach each other by imports.
const MOST: usize = 3;

/// Crates with a larger group, which may shrink and not grow. Terms are rewritten when
/// they are made, so the store, its operators, facts and rules know each other.
const LARGER: [(&str, usize); 1] = [("term", 5)];

#[test]
fn few_modules_import_each_other() {
    let mut complaints = Vec::new();
    for one in Crate::all() {
        let larger = LARGER.iter().find(|(name, _)| *name == one.name);
        let most = larger.map_or(MOST, |&(_, most)| most);
        for group in groups(&imports(&one.sources())) {
            if group.len() > most {
                let (name, count) = (&one.name, group.len());
                let members = group.into_iter().collect::<Vec<_>>().join(", ");
                complaints.push(format!(
                    "crate {name}: {count} modules import each other: {members}"
                ));
            }
        }
    }
    none(complaints);
}

type Graph = BTreeMap<String, BTreeSet<String>>;

/// Which module uses names of which; a module is a file or folder directly in `src`.
fn imports(sources: &[Source]) -> Graph {
    let modules: BTreeSet<&str> = sources.iter().filter_map(|source| top(source)).collect();
    let root = sources.iter().filter(|source| top(source).is_none());
    let reexports: BTreeMap<String, String> = root
        .flat_map(paths)
        .filter_map(|path| {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            let path = path.strip_prefix(&["crate"]).unwrap_or(&path);
            let (module, name) = (path.first()?, path.last()?);
            modules
                .contains(module)
                .then(|| ((*name).to_owned(), (*module).to_owned()))
        })
        .collect();
    let mut graph = Graph::new();
    for source in sources {
        let Some(from) = top(source) else { continue };
        let edges = graph.entry(from.to_owned()).or_default();
        for path in paths(source).into_iter().filter(|path| path[0] == "crate") {
            let Some(name) = path.get(1) else { continue };
            let to = match modules.contains(name.as_str()) {
                true => Some(name),
                false => reexports.get(name),
            };
            if let Some(to) = to
                && to != from
            {
                edges.insert(to.clone());
            }
        }
    }
    graph
}

/// The module directly in `src` that a file belongs to; none for the crate's root.
fn top(source: &Source) -> Option<&str> {
    let first = source.path.iter().next()?.to_str()?;
    let module = first.strip_suffix(".rs").unwrap_or(first);
    (!matches!(module, "lib" | "main")).then_some(module)
}

/// The paths that a file uses, in `use` items written out one by one and elsewhere
/// from `crate::` on.
fn paths(source: &Source) -> Vec<Vec<String>> {
    let code = source.code.join("\n");
    let mut paths = Vec::new();
    for item in code.split(';') {
        let at = item
            .find("use ")
            .filter(|&at| item[..at].ends_with(['\n', ' ']) || at == 0);
        match at {
            Some(at) => expand(&mut Vec::new(), &item[at + 4..], &mut paths),
            None => paths.extend(item.match_indices("crate::").map(|(at, _)| {
                let path = &item[at..];
                let end = path.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
                let path = &path[..end.unwrap_or(path.len())];
                path.split("::").map(str::to_owned).collect()
            })),
        }
    }
    paths
}

/// Writes out `a::{b, c::d}` as `a::b` and `a::c::d`.
fn expand(before: &mut Vec<String>, tree: &str, paths: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    let length = before.len();
    let mut rest = tree;
    while let Some((name, after)) = rest.split_once("::") {
        if name.contains('{') {
            break;
        }
        before.push(name.trim().to_owned());
        rest = after.trim_start();
    }
    match rest.strip_prefix('{') {
        Some(group) => {
            let group = group.rsplit_once('}').map_or(group, |(inside, _)| inside);
            for part in parts(group) {
                expand(before, part, paths);
            }
        }
        None if !rest.is_empty() => {
            let name = rest.split(" as ").last().unwrap_or(rest).trim();
            let mut path = before.clone();
            path.push(name.to_owned());
            paths.push(path);
        }
        None => {}
    }
    before.truncate(length);
}

/// The parts between commas that are in no inner group.
fn parts(group: &str) -> Vec<&str> {
    let mut depth = 0;
    let is_border = |c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    };
    group
        .split(is_border)
        .filter(|part| !part.trim().is_empty())
        .collect()
}

/// The groups of modules that reach each other.
fn groups(graph: &Graph) -> Vec<BTreeSet<&str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = graph
        .keys()
        .map(|module| (module.as_str(), reached_from(graph, module)))
        .collect();
    let mut groups = BTreeSet::new();
    for (module, others) in &reached {
        let back = |other: &&&str| reached.get(**other).is_some_and(|r| r.contains(module));
        let mut group: BTreeSet<&str> = others.iter().filter(back).copied().collect();
        group.insert(module);
        groups.insert(group);
    }
    groups.into_iter().filter(|group| group.len() > 1).collect()
}

fn reached_from<'g>(graph: &'g Graph, module: &str) -> BTreeSet<&'g str> {
    let mut reached = BTreeSet::new();
    let mut next = vec![module];
    while let Some(module) = next.pop() {
        for to in graph.get(module).into_iter().flatten() {
            if reached.insert(to.as_str()) {
                next.push(to);
            }
        }
    }
    reached
}

#[test]
fn a_tree_of_imports_is_written_out() {
    let mut paths = Vec::new();
    expand(
        &mut Vec::new(),
        "crate::{a::{self, B}, c::D as E}",
        &mut paths,
    );
    let paths: Vec<String> = paths.iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["crate::a::self", "crate::a::B", "crate::c::E"]);
}

#[test]
fn a_ring_is_one_group() {
    let edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")];
    let mut graph = Graph::new();
    for (from, to) in edges {
        graph.entry(from.into()).or_default().insert(to.into());
    }
    let found = groups(&graph);
    assert_eq!(found, [BTreeSet::from(["a", "b", "c"])]);
}
