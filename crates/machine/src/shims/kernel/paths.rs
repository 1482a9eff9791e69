//! From a path to a file, where the path may be symbolic.
//!
//! A symbolic path is not forked over its characters. One without a slash is held
//! against the names in the directory, and all others are one path more: the file that
//! is not there. Only where there is a slash, its place and the end are decided.

use super::user::{decide, fail, is};
use super::{Break, host};
use crate::kernel::Kernel;
use crate::kernel::bytes::Byte;
use crate::kernel::errno::{EACCES, ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR};
use crate::kernel::tree::{Kind, Name, NodeId, ROOT, name};
use crate::machine::Machine;
use crate::state::State;
use term::Term;

const NAME_MAX: usize = 255;
/// Symbolic links followed for one path.
const MOST_LINKS: u32 = 40;

/// Where a path leads.
pub(super) struct Found {
    /// The directory of the last name.
    pub directory: NodeId,
    /// The last name; none for a path that ends in `.`, `..` or the root.
    pub name: Option<LastName>,
    /// The file, if there is one.
    pub node: Option<NodeId>,
    /// Its place among the entries of the directory.
    pub entry: Option<usize>,
    /// Whether the path ends in a slash.
    pub is_directory: bool,
}

/// The last name of a path, whose end is open where nobody had to know it.
pub(super) enum LastName {
    Fixed(Name),
    Open(Vec<Byte>),
}

impl Found {
    /// The file, which has to be there.
    pub fn existing(&self, kernel: &Kernel) -> Result<NodeId, Break> {
        match self.node {
            Some(node) if self.is_directory && !kernel.tree.get(node).is_directory() => {
                fail(ENOTDIR)
            }
            Some(node) => Ok(node),
            None => fail(ENOENT),
        }
    }

    /// The name for a new file.
    pub fn new_name(&self, m: &mut Machine<'_>, state: &mut State) -> Result<Name, Break> {
        match &self.name {
            None => fail(ENOENT),
            Some(LastName::Fixed(name)) => Ok(name.clone()),
            Some(LastName::Open(bytes)) => {
                let fixed = until_zero(m, state, bytes);
                match fixed.is_empty() {
                    true => fail(ENOENT),
                    false => Ok(fixed.into()),
                }
            }
        }
    }
}

/// Whether a link at the end of a path is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Followed,
    Kept,
}

/// Where a path leads from a directory.
pub(super) fn find(
    m: &mut Machine<'_>,
    state: &mut State,
    from: NodeId,
    path: &[Byte],
    last: Last,
) -> Result<Found, Break> {
    if path.is_empty() {
        return fail(ENOENT);
    }
    let is_symbolic = path.iter().any(|byte| matches!(byte, Byte::Open(_)));
    if is_symbolic {
        let plain = has_no_slash(m, path);
        if decide(m, state, plain) {
            return find_plain(m, state, from, path, last);
        }
    }
    let path = until_zero(m, state, path);
    let is_slash: Vec<bool> = path
        .iter()
        .map(|&byte| {
            let slash = is(m, byte, b'/');
            decide(m, state, slash)
        })
        .collect();
    let start = match is_slash.first() {
        None => return fail(ENOENT),
        Some(true) => ROOT,
        Some(false) => from,
    };
    let mut parts: Vec<Vec<Byte>> = vec![Vec::new()];
    for (&byte, is_slash) in path.iter().zip(&is_slash) {
        match is_slash {
            true => parts.push(Vec::new()),
            false => parts.last_mut().expect("there is one").push(byte),
        }
    }
    let ends_in_slash = parts.last().is_some_and(Vec::is_empty);
    parts.retain(|part| !part.is_empty());
    walk(m, state, start, parts, ends_in_slash, last)
}

/// Goes from name to name.
fn walk(
    m: &mut Machine<'_>,
    state: &mut State,
    start: NodeId,
    mut parts: Vec<Vec<Byte>>,
    mut ends_in_slash: bool,
    last: Last,
) -> Result<Found, Break> {
    let mut at = start;
    let mut links = 0;
    parts.reverse();
    loop {
        host::look(state, at);
        let Some(part) = parts.pop() else {
            return Ok(Found {
                directory: at,
                name: None,
                node: Some(at),
                entry: None,
                is_directory: true,
            });
        };
        searchable(state, at)?;
        if let Some(next) = special(m, state, at, &part) {
            at = next;
            continue;
        }
        if part.len() > NAME_MAX {
            return fail(ENAMETOOLONG);
        }
        let found = entry_named(m, state, at, |m, name| same(m, &part, name));
        if let Some((_, node)) = found {
            host::look(state, node);
            let is_last = parts.is_empty();
            let follow = !is_last || ends_in_slash || last == Last::Followed;
            if let Kind::Link(target) = &state.kernel.tree.get(node).kind
                && follow
            {
                let target = target.clone();
                links += 1;
                if links > MOST_LINKS {
                    return fail(ELOOP);
                }
                let (from_root, names, slash) = split_known(m, state, &target);
                if from_root {
                    at = ROOT;
                }
                ends_in_slash |= is_last && slash;
                parts.extend(names.into_iter().rev());
                continue;
            }
            if !is_last {
                at = node;
                continue;
            }
        } else if !parts.is_empty() {
            return fail(ENOENT);
        }
        return Ok(Found {
            directory: at,
            name: Some(LastName::Fixed(part.into())),
            node: found.map(|(_, node)| node),
            entry: found.map(|(entry, _)| entry),
            is_directory: ends_in_slash,
        });
    }
}

/// The target of a link in its parts: whether it begins at the root, its names, and
/// whether it ends in a slash. What is symbolic in it was decided when it was made or is
/// decided now.
fn split_known(
    m: &mut Machine<'_>,
    state: &mut State,
    target: &[Byte],
) -> (bool, Vec<Vec<Byte>>, bool) {
    let mut parts: Vec<Vec<Byte>> = vec![Vec::new()];
    let mut from_root = false;
    for (i, &byte) in target.iter().enumerate() {
        let slash = is(m, byte, b'/');
        if decide(m, state, slash) {
            from_root |= i == 0;
            parts.push(Vec::new());
        } else {
            parts.last_mut().expect("there is one").push(byte);
        }
    }
    let slash = parts.last().is_some_and(Vec::is_empty);
    parts.retain(|part| !part.is_empty());
    (from_root, parts, slash)
}

/// A symbolic path that is one name, its end open.
fn find_plain(
    m: &mut Machine<'_>,
    state: &mut State,
    from: NodeId,
    path: &[Byte],
    last: Last,
) -> Result<Found, Break> {
    host::look(state, from);
    searchable(state, from)?;
    for (text, is_parent) in [(&b"."[..], false), (b"..", true)] {
        let condition = spells(m, path, &crate::kernel::bytes::known(text));
        if decide(m, state, condition) {
            let node = match is_parent {
                true => parent(state, from),
                false => from,
            };
            return Ok(Found {
                directory: node,
                name: None,
                node: Some(node),
                entry: None,
                is_directory: true,
            });
        }
    }
    let found = entry_named(m, state, from, |m, name| spells(m, path, name));
    let Some((entry, node)) = found else {
        return Ok(Found {
            directory: from,
            name: Some(LastName::Open(path.to_vec())),
            node: None,
            entry: None,
            is_directory: false,
        });
    };
    let name = state.kernel.tree.entries(from)[entry].name.clone();
    match last {
        Last::Followed => walk(m, state, from, vec![name.to_vec()], false, last),
        Last::Kept => Ok(Found {
            directory: from,
            name: Some(LastName::Fixed(name)),
            node: Some(node),
            entry: Some(entry),
            is_directory: false,
        }),
    }
}

/// The entry whose name satisfies a condition; the path forks over names that may.
fn entry_named(
    m: &mut Machine<'_>,
    state: &mut State,
    directory: NodeId,
    mut condition: impl FnMut(&mut Machine<'_>, &Name) -> Term,
) -> Option<(usize, NodeId)> {
    let entries = state.kernel.tree.entries(directory).to_vec();
    for (number, entry) in entries.iter().enumerate() {
        let condition = condition(m, &entry.name);
        if decide(m, state, condition) {
            return Some((number, entry.node));
        }
    }
    None
}

/// Where `.` and `..` lead, if the name is one of them.
fn special(m: &mut Machine<'_>, state: &mut State, at: NodeId, part: &[Byte]) -> Option<NodeId> {
    let here = same(m, part, &name("."));
    if decide(m, state, here) {
        return Some(at);
    }
    let up = same(m, part, &name(".."));
    decide(m, state, up).then(|| parent(state, at))
}

fn parent(state: &State, at: NodeId) -> NodeId {
    match &state.kernel.tree.get(at).kind {
        Kind::Directory(directory) => directory.parent,
        _ => at,
    }
}

/// Refuses to look into what is no directory or must not be searched.
fn searchable(state: &State, at: NodeId) -> Result<(), Break> {
    let node = state.kernel.tree.get(at);
    if !node.is_directory() {
        return fail(ENOTDIR);
    }
    match super::files::allows(node, 1) {
        true => Ok(()),
        false => fail(EACCES),
    }
}

/// The condition that two names are the same.
pub(super) fn same(m: &mut Machine<'_>, a: &[Byte], b: &[Byte]) -> Term {
    let mut condition = m.store.bool(a.len() == b.len());
    for (&a, &b) in a.iter().zip(b) {
        let equal = match (a, b) {
            (Byte::Known(a), Byte::Known(b)) => m.store.bool(a == b),
            (a, b) => {
                let (a, b) = (a.term(&mut m.store), b.term(&mut m.store));
                m.store.eq(a, b)
            }
        };
        condition = m.store.and(condition, equal);
    }
    condition
}

/// The condition that a string whose end is open is this name.
fn spells(m: &mut Machine<'_>, string: &[Byte], name: &[Byte]) -> Term {
    if name.len() > string.len() {
        return m.store.bool(false);
    }
    let equal = same(m, &string[..name.len()], name);
    match string.get(name.len()) {
        None => equal,
        Some(&next) => {
            let ends = is(m, next, 0);
            m.store.and(equal, ends)
        }
    }
}

/// The condition that there is no slash before the end of a string.
fn has_no_slash(m: &mut Machine<'_>, string: &[Byte]) -> Term {
    let mut ended = m.store.bool(false);
    let mut none = m.store.bool(true);
    for &byte in string {
        let is_slash = is(m, byte, b'/');
        let other = m.store.not(is_slash);
        let harmless = m.store.or(ended, other);
        none = m.store.and(none, harmless);
        let is_zero = is(m, byte, 0);
        ended = m.store.or(ended, is_zero);
    }
    none
}

/// A string up to its end, which is decided.
pub(super) fn until_zero(m: &mut Machine<'_>, state: &mut State, string: &[Byte]) -> Vec<Byte> {
    let mut bytes = Vec::new();
    for &byte in string {
        let ends = is(m, byte, 0);
        if decide(m, state, ends) {
            break;
        }
        bytes.push(byte);
    }
    bytes
}
