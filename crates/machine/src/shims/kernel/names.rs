//! Changing the tree: directories, links, names; and what is in a directory.

use super::descriptors::find_at;
use super::files::{allows, may_change};
use super::paths::{Found, Last, until_zero};
use super::user::{Args, DONE, Layout, fail, fill, number, room, string};
use super::{Answer, Break};
use crate::kernel::bytes::{Byte, known};
use crate::kernel::descriptors::AT_FDCWD;
use crate::kernel::errno::{
    EACCES, EBUSY, EEXIST, EINVAL, EISDIR, ENOENT, ENOSPC, ENOTDIR, ENOTEMPTY, EPERM, ERANGE, EXDEV,
};
use crate::kernel::tree::{Kind, Name, Node, NodeId, ROOT};
use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;
use std::rc::Rc;

pub(super) fn mkdir(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let mode = args.word(m, state, 1) as u32;
    make_directory(m, state, AT_FDCWD, args.value(0), mode)
}

pub(super) fn mkdirat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let mode = args.word(m, state, 2) as u32;
    make_directory(m, state, descriptor, args.value(1), mode)
}

fn make_directory(
    m: &mut Machine<'_>,
    state: &mut State,
    descriptor: i32,
    path: Value,
    mode: u32,
) -> Answer {
    let found = find_at(m, state, descriptor, path, Last::Kept)?;
    let mode = mode & 0o1777 & !state.kernel.umask;
    let kind = Kind::directory(found.directory);
    make(m, state, &found, Node::new(kind, mode))
}

/// Gives a new node the name that was found to be free.
fn make(m: &mut Machine<'_>, state: &mut State, found: &Found, mut node: Node) -> Answer {
    if found.node.is_some() {
        return fail(EEXIST);
    }
    let name = found.new_name(m, state)?;
    may_change(state, found.directory)?;
    if !state.kernel.tree.has_room() {
        return fail(ENOSPC);
    }
    let kernel = Rc::make_mut(&mut state.kernel);
    let now = kernel.clock.now();
    node.touch(now);
    kernel.tree.make(found.directory, name, node);
    kernel.tree.get_mut(found.directory).modified = now;
    DONE
}

pub(super) fn rmdir(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    remove_directory(m, state, AT_FDCWD, args.value(0))
}

pub(super) fn unlink(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    remove_name(m, state, AT_FDCWD, args.value(0))
}

pub(super) fn unlinkat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const AT_REMOVEDIR: u64 = 0x200;
    let descriptor = args.int(m, state, 0);
    match args.word(m, state, 2) {
        0 => remove_name(m, state, descriptor, args.value(1)),
        AT_REMOVEDIR => remove_directory(m, state, descriptor, args.value(1)),
        _ => fail(EINVAL),
    }
}

/// The name of an entry that was found, as the directory has it.
fn entry_name(state: &State, found: &Found) -> Option<Name> {
    let entry = found.entry?;
    let entries = state.kernel.tree.entries(found.directory);
    Some(entries[entry].name.clone())
}

fn remove_directory(
    m: &mut Machine<'_>,
    state: &mut State,
    descriptor: i32,
    path: Value,
) -> Answer {
    let found = find_at(m, state, descriptor, path, Last::Kept)?;
    let id = found.existing(&state.kernel)?;
    if !state.kernel.tree.get(id).is_directory() {
        return fail(ENOTDIR);
    }
    if id == ROOT {
        return fail(EBUSY);
    }
    // A path that ends in a dot names no entry.
    let Some(name) = entry_name(state, &found) else {
        return fail(EINVAL);
    };
    may_change(state, found.directory)?;
    if !state.kernel.tree.entries(id).is_empty() {
        return fail(ENOTEMPTY);
    }
    take_name(state, found.directory, &name, id);
    DONE
}

fn remove_name(m: &mut Machine<'_>, state: &mut State, descriptor: i32, path: Value) -> Answer {
    let found = find_at(m, state, descriptor, path, Last::Kept)?;
    let id = found.existing(&state.kernel)?;
    let name = entry_name(state, &found);
    let (Some(name), false) = (name, state.kernel.tree.get(id).is_directory()) else {
        return fail(EISDIR);
    };
    may_change(state, found.directory)?;
    take_name(state, found.directory, &name, id);
    DONE
}

/// Takes a name away; a file without a name that nobody has open is gone.
fn take_name(state: &mut State, directory: NodeId, name: &Name, id: NodeId) {
    let kernel = Rc::make_mut(&mut state.kernel);
    let now = kernel.clock.now();
    kernel.tree.unlink(directory, name);
    kernel.tree.get_mut(directory).modified = now;
    kernel.tree.get_mut(id).changed = now;
    kernel.forget_unused(id);
}

pub(super) fn link(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let paths = [(AT_FDCWD, args.value(0)), (AT_FDCWD, args.value(1))];
    make_link(m, state, paths, Last::Kept)
}

pub(super) fn linkat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const AT_SYMLINK_FOLLOW: u64 = 0x400;
    let (from, to) = (args.int(m, state, 0), args.int(m, state, 2));
    let last = match args.word(m, state, 4) {
        0 => Last::Kept,
        AT_SYMLINK_FOLLOW => Last::Followed,
        _ => return fail(EINVAL),
    };
    let paths = [(from, args.value(1)), (to, args.value(3))];
    make_link(m, state, paths, last)
}

fn make_link(
    m: &mut Machine<'_>,
    state: &mut State,
    [(from, old), (to, new)]: [(i32, Value); 2],
    last: Last,
) -> Answer {
    let old = find_at(m, state, from, old, last)?;
    let id = old.existing(&state.kernel)?;
    let new = find_at(m, state, to, new, Last::Kept)?;
    if new.node.is_some() {
        return fail(EEXIST);
    }
    let name = new.new_name(m, state)?;
    let node = state.kernel.tree.get(id);
    if node.is_directory() {
        return fail(EPERM);
    }
    if node.read_only {
        return fail(EXDEV);
    }
    may_change(state, new.directory)?;
    let kernel = Rc::make_mut(&mut state.kernel);
    let now = kernel.clock.now();
    kernel.tree.link(new.directory, name, id);
    kernel.tree.get_mut(new.directory).modified = now;
    kernel.tree.get_mut(id).changed = now;
    DONE
}

pub(super) fn symlink(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    make_symlink(m, state, args.value(0), AT_FDCWD, args.value(1))
}

pub(super) fn symlinkat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 1);
    make_symlink(m, state, args.value(0), descriptor, args.value(2))
}

fn make_symlink(
    m: &mut Machine<'_>,
    state: &mut State,
    target: Value,
    descriptor: i32,
    path: Value,
) -> Answer {
    let target = string(m, state, target)?;
    let target = until_zero(m, state, &target);
    if target.is_empty() {
        return fail(ENOENT);
    }
    let found = find_at(m, state, descriptor, path, Last::Kept)?;
    make(
        m,
        state,
        &found,
        Node::new(Kind::Link(target.into()), 0o777),
    )
}

pub(super) fn readlink(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    read_target(m, state, AT_FDCWD, args.value(0), args, 1)
}

pub(super) fn readlinkat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    read_target(m, state, descriptor, args.value(1), args, 2)
}

fn read_target(
    m: &mut Machine<'_>,
    state: &mut State,
    descriptor: i32,
    path: Value,
    args: &Args,
    buffer: usize,
) -> Answer {
    let size = args.word(m, state, buffer + 1);
    if size as i64 <= 0 {
        return fail(EINVAL);
    }
    let found = find_at(m, state, descriptor, path, Last::Kept)?;
    let id = found.existing(&state.kernel)?;
    let Kind::Link(target) = &state.kernel.tree.get(id).kind else {
        return fail(EINVAL);
    };
    let target = target.clone();
    let count = target.len().min(size as usize);
    let room = room(m, state, args.value(buffer), count)?;
    fill(m, state, room, &target[..count]);
    number(count as u64)
}

pub(super) fn rename(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let paths = [(AT_FDCWD, args.value(0)), (AT_FDCWD, args.value(1))];
    move_name(m, state, paths, 0)
}

pub(super) fn renameat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (from, to) = (args.int(m, state, 0), args.int(m, state, 2));
    let paths = [(from, args.value(1)), (to, args.value(3))];
    move_name(m, state, paths, 0)
}

pub(super) fn renameat2(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (from, to) = (args.int(m, state, 0), args.int(m, state, 2));
    let flags = args.word(m, state, 4);
    let paths = [(from, args.value(1)), (to, args.value(3))];
    move_name(m, state, paths, flags)
}

fn move_name(
    m: &mut Machine<'_>,
    state: &mut State,
    [(from, old), (to, new)]: [(i32, Value); 2],
    flags: u64,
) -> Answer {
    const NO_REPLACE: u64 = 1;
    if flags & !NO_REPLACE != 0 {
        return fail(EINVAL);
    }
    let old = find_at(m, state, from, old, Last::Kept)?;
    let id = old.existing(&state.kernel)?;
    let new = find_at(m, state, to, new, Last::Kept)?;
    let Some(old_name) = entry_name(state, &old) else {
        return fail(EBUSY);
    };
    if new.name.is_none() {
        return fail(EBUSY);
    }
    let moves_directory = state.kernel.tree.get(id).is_directory();
    if new.is_directory && !moves_directory {
        return fail(ENOTDIR);
    }
    if new.node.is_some() && flags & NO_REPLACE != 0 {
        return fail(EEXIST);
    }
    let name = match entry_name(state, &new) {
        Some(name) => name,
        None => new.new_name(m, state)?,
    };
    if new.node == Some(id) {
        return DONE;
    }
    may_change(state, old.directory)?;
    may_change(state, new.directory)?;
    if moves_directory && is_within(state, new.directory, id) {
        return fail(EINVAL);
    }
    if let Some(replaced) = new.node {
        let is_directory = state.kernel.tree.get(replaced).is_directory();
        match (moves_directory, is_directory) {
            (true, false) => return fail(ENOTDIR),
            (false, true) => return fail(EISDIR),
            (true, true) if !state.kernel.tree.entries(replaced).is_empty() => {
                return fail(ENOTEMPTY);
            }
            _ => {}
        }
        take_name(state, new.directory, &name, replaced);
    }
    let kernel = Rc::make_mut(&mut state.kernel);
    let now = kernel.clock.now();
    kernel.tree.unlink(old.directory, &old_name);
    kernel.tree.link(new.directory, name, id);
    kernel.tree.get_mut(old.directory).modified = now;
    kernel.tree.get_mut(new.directory).modified = now;
    kernel.tree.get_mut(id).changed = now;
    DONE
}

/// Whether a directory is another one or below it.
fn is_within(state: &State, mut directory: NodeId, other: NodeId) -> bool {
    loop {
        if directory == other {
            return true;
        }
        match &state.kernel.tree.get(directory).kind {
            Kind::Directory(inner) if directory != ROOT => directory = inner.parent,
            _ => return false,
        }
    }
}

pub(super) fn chdir(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let found = find_at(m, state, AT_FDCWD, args.value(0), Last::Followed)?;
    let id = found.existing(&state.kernel)?;
    enter(state, id)
}

pub(super) fn fchdir(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let id = state.kernel.file(descriptor)?.node;
    enter(state, id)
}

fn enter(state: &mut State, id: NodeId) -> Answer {
    let node = state.kernel.tree.get(id);
    if !node.is_directory() {
        return fail(ENOTDIR);
    }
    if !allows(node, 1) {
        return fail(EACCES);
    }
    let kernel = Rc::make_mut(&mut state.kernel);
    let before = std::mem::replace(&mut kernel.directory, id);
    kernel.forget_unused(before);
    DONE
}

pub(super) fn getcwd(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let size = args.word(m, state, 1) as usize;
    let mut path = full_path(state, state.kernel.directory)?;
    path.push(Byte::Known(0));
    if path.len() > size {
        return fail(ERANGE);
    }
    let room = room(m, state, args.value(0), path.len())?;
    fill(m, state, room, &path);
    number(path.len() as u64)
}

/// The path of a directory from the root.
fn full_path(state: &State, mut directory: NodeId) -> Result<Vec<Byte>, Break> {
    let mut names: Vec<Name> = Vec::new();
    while directory != ROOT {
        let tree = &state.kernel.tree;
        let Kind::Directory(inner) = &tree.get(directory).kind else {
            return fail(ENOTDIR);
        };
        let mut entries = tree.entries(inner.parent).iter();
        let Some(entry) = entries.find(|entry| entry.node == directory) else {
            return fail(ENOENT);
        };
        names.push(entry.name.clone());
        directory = inner.parent;
    }
    if names.is_empty() {
        return Ok(known(b"/"));
    }
    let mut path = Vec::new();
    for name in names.iter().rev() {
        path.push(Byte::Known(b'/'));
        path.extend(name.iter());
    }
    Ok(path)
}

pub(super) fn getdents64(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let size = args.word(m, state, 2) as usize;
    let file = state.kernel.file(descriptor)?;
    let (id, first) = (file.node, file.offset as usize);
    let tree = &state.kernel.tree;
    let Kind::Directory(directory) = &tree.get(id).kind else {
        return fail(ENOTDIR);
    };
    let mut all = vec![(id, known(b".")), (directory.parent, known(b".."))];
    let named = directory.entries.iter();
    all.extend(named.map(|entry| (entry.node, entry.name.to_vec())));
    let mut bytes: Vec<Byte> = Vec::new();
    let mut next = first;
    for (node, name) in all.iter().skip(first) {
        let record = (19 + name.len() + 1).next_multiple_of(8);
        if bytes.len() + record > size {
            break;
        }
        next += 1;
        let layout = Layout::default().u64((*node).into()).u64(next as u64);
        bytes.extend(known(&layout.u16(record as u16).0));
        bytes.push(Byte::Known(tree.find(*node).map_or(0, entry_type)));
        bytes.extend(name);
        bytes.resize(bytes.len() + record - 19 - name.len(), Byte::Known(0));
    }
    if bytes.is_empty() && first < all.len() {
        return fail(EINVAL);
    }
    let room = room(m, state, args.value(1), bytes.len())?;
    fill(m, state, room, &bytes);
    Rc::make_mut(&mut state.kernel).file_mut(descriptor)?.offset = next as u64;
    number(bytes.len() as u64)
}

/// The kind of a file in a directory's listing; 0 where nobody has looked.
fn entry_type(node: &Node) -> u8 {
    match node.kind {
        Kind::Unseen(..) => 0,
        _ => (node.kind.mode() >> 12) as u8,
    }
}
