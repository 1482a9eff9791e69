//! Opening, closing and duplicating; offsets.

use super::paths::{self, Found, Last};
use super::user::{Args, DONE, Layout, fail, get_number, number, put, string};
use super::{Answer, Break, files, host};
use crate::kernel::descriptors::{
    AT_FDCWD, CHANGEABLE, O_ACCMODE, O_CLOEXEC, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW,
    O_NONBLOCK, O_PATH, O_TMPFILE, O_TRUNC, O_WRONLY, OpenFile,
};
use crate::kernel::errno::{
    EACCES, EAGAIN, EBADF, EEXIST, EINVAL, EISDIR, ELOOP, ENOENT, ENOSPC, ENOTDIR, ENXIO, EROFS,
    ESPIPE,
};
use crate::kernel::tree::{Device, Kind, Node, NodeId};
use crate::machine::Machine;
use crate::state::State;
use crate::threads::Wait;
use std::rc::Rc;

/// Where the path at an address leads from the directory of a descriptor.
pub(super) fn find_at(
    m: &mut Machine<'_>,
    state: &mut State,
    directory: i32,
    address: crate::value::Value,
    last: Last,
) -> Result<Found, Break> {
    let path = string(m, state, address)?;
    let is_absolute = path.first() == Some(&crate::kernel::bytes::Byte::Known(b'/'));
    let from = match state.kernel.base(directory) {
        Ok(node) => node,
        // An absolute path needs no directory.
        Err(_) if is_absolute => state.kernel.directory,
        Err(errno) => return fail(errno),
    };
    paths::find(m, state, from, &path, last)
}

pub(super) fn open(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let flags = args.word(m, state, 1) as u32;
    open_file(m, state, AT_FDCWD, args.value(0), flags, args, 2)
}

pub(super) fn creat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let flags = O_CREAT | O_WRONLY | O_TRUNC;
    open_file(m, state, AT_FDCWD, args.value(0), flags, args, 1)
}

pub(super) fn openat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let directory = args.int(m, state, 0);
    let flags = args.word(m, state, 2) as u32;
    open_file(m, state, directory, args.value(1), flags, args, 3)
}

fn open_file(
    m: &mut Machine<'_>,
    state: &mut State,
    directory: i32,
    path: crate::value::Value,
    flags: u32,
    args: &Args,
    mode: usize,
) -> Answer {
    if flags & O_TMPFILE != 0 {
        return fail(crate::kernel::errno::EOPNOTSUPP);
    }
    let exclusive = flags & O_CREAT != 0 && flags & O_EXCL != 0;
    let last = match exclusive || flags & O_NOFOLLOW != 0 {
        true => Last::Kept,
        false => Last::Followed,
    };
    let found = find_at(m, state, directory, path, last)?;
    let node = match found.node {
        None if flags & O_CREAT != 0 => {
            let mode = args.word(m, state, mode) as u32;
            if found.is_directory {
                return fail(EISDIR);
            }
            let name = found.new_name(m, state)?;
            files::may_change(state, found.directory)?;
            state.kernel.free(0)?;
            if !state.kernel.tree.has_room() {
                return fail(ENOSPC);
            }
            let kernel = Rc::make_mut(&mut state.kernel);
            let mut made = Node::new(Kind::empty_file(), mode & 0o7777 & !kernel.umask);
            made.touch(kernel.clock.now());
            kernel
                .tree
                .get_mut(found.directory)
                .touch(kernel.clock.now());
            kernel.tree.make(found.directory, name, made)
        }
        None => return fail(ENOENT),
        Some(_) if exclusive => return fail(EEXIST),
        Some(_) => {
            let node = found.existing(&state.kernel)?;
            may_open(m, state, node, flags)?;
            node
        }
    };
    let (node, output) = descend(state, node)?;
    let kernel = Rc::make_mut(&mut state.kernel);
    if let Some(descriptor) = output {
        // A copy of the descriptor that the device stands for.
        let open = kernel.open_number(descriptor)?;
        let at = kernel.free(0)?;
        kernel.lead(at, open, flags & O_CLOEXEC != 0);
        return number(at as u64);
    }
    let descriptor = kernel.install(OpenFile::new(node, flags), flags & O_CLOEXEC != 0)?;
    number(descriptor as u64)
}

/// What is opened in the place of a node: `/dev/stdin` and its like are descriptors.
fn descend(state: &State, node: NodeId) -> Result<(NodeId, Option<i32>), Break> {
    match state.kernel.tree.get(node).kind {
        Kind::Device(Device::Descriptor(descriptor)) => {
            state.kernel.descriptor(descriptor)?;
            Ok((node, Some(descriptor)))
        }
        _ => Ok((node, None)),
    }
}

/// Whether a file that is there can be opened so; it is cut off if that is asked for.
fn may_open(m: &mut Machine<'_>, state: &mut State, id: NodeId, flags: u32) -> Result<(), Break> {
    let node = state.kernel.tree.get(id);
    let writes = flags & O_ACCMODE != 0;
    match node.kind {
        Kind::Directory(_) if writes || flags & O_CREAT != 0 => return fail(EISDIR),
        Kind::Link(_) if flags & O_PATH == 0 => return fail(ELOOP),
        Kind::Device(Device::Terminal) => return fail(ENXIO),
        Kind::Directory(_) => {}
        _ if flags & O_DIRECTORY != 0 => return fail(ENOTDIR),
        _ => {}
    }
    if flags & O_PATH != 0 {
        return Ok(());
    }
    let reads = flags & O_ACCMODE != O_WRONLY;
    let wanted = 4 * u32::from(reads) + 2 * u32::from(writes);
    if node.read_only && writes {
        return fail(EROFS);
    }
    if !files::allows(node, wanted) {
        return fail(EACCES);
    }
    state.kernel.free(0)?;
    host::load(state, id)?;
    if flags & O_TRUNC != 0 && writes {
        files::cut(m, state, id, 0)?;
    }
    Ok(())
}

pub(super) fn close(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    state.kernel.file(descriptor)?;
    Rc::make_mut(&mut state.kernel).close(descriptor)?;
    DONE
}

pub(super) fn close_range(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const CLOSE_ON_EXEC: u64 = 4;
    let (first, last) = (args.word(m, state, 0), args.word(m, state, 1));
    let only_mark = args.word(m, state, 2) & CLOSE_ON_EXEC != 0;
    if first > last {
        return fail(EINVAL);
    }
    let kernel = Rc::make_mut(&mut state.kernel);
    for at in 0..kernel.descriptors.len() {
        if (first..=last).contains(&(at as u64)) && kernel.descriptors[at].is_some() {
            match (only_mark, &mut kernel.descriptors[at]) {
                (true, Some(descriptor)) => descriptor.close_on_exec = true,
                _ => kernel.close(at as i32)?,
            }
        }
    }
    DONE
}

pub(super) fn dup(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    duplicate(state, descriptor, 0, false)
}

/// A copy at the first free number that is not below `least`.
fn duplicate(state: &mut State, descriptor: i32, least: usize, close_on_exec: bool) -> Answer {
    let open = state.kernel.open_number(descriptor)?;
    let at = state.kernel.free(least)?;
    Rc::make_mut(&mut state.kernel).lead(at, open, close_on_exec);
    number(at as u64)
}

pub(super) fn dup2(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (from, to) = (args.int(m, state, 0), args.int(m, state, 1));
    if from == to {
        state.kernel.descriptor(from)?;
        return number(to as u64);
    }
    duplicate_onto(state, from, to, false)
}

pub(super) fn dup3(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (from, to) = (args.int(m, state, 0), args.int(m, state, 1));
    let flags = args.word(m, state, 2) as u32;
    if from == to || flags & !O_CLOEXEC != 0 {
        return fail(EINVAL);
    }
    duplicate_onto(state, from, to, flags & O_CLOEXEC != 0)
}

fn duplicate_onto(state: &mut State, from: i32, to: i32, close_on_exec: bool) -> Answer {
    let open = state.kernel.open_number(from)?;
    let at = usize::try_from(to).map_err(|_| Break::Errno(EBADF))?;
    if at >= state.kernel.limits.files {
        return fail(EBADF);
    }
    let kernel = Rc::make_mut(&mut state.kernel);
    if kernel.descriptor(to).is_ok() {
        kernel.close(to)?;
    }
    kernel.lead(at, open, close_on_exec);
    number(at as u64)
}

pub(super) fn fcntl(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const F_DUPFD: i32 = 0;
    const F_GETFD: i32 = 1;
    const F_SETFD: i32 = 2;
    const F_GETFL: i32 = 3;
    const F_SETFL: i32 = 4;
    const F_GETLK: i32 = 5;
    const F_SETLK: i32 = 6;
    const F_SETLKW: i32 = 7;
    const F_DUPFD_CLOEXEC: i32 = 1030;
    let descriptor = args.int(m, state, 0);
    let command = args.int(m, state, 1);
    state.kernel.descriptor(descriptor)?;
    match command {
        F_DUPFD | F_DUPFD_CLOEXEC => {
            let least = args.word(m, state, 2) as usize;
            if least >= state.kernel.limits.files {
                return fail(EINVAL);
            }
            duplicate(state, descriptor, least, command == F_DUPFD_CLOEXEC)
        }
        F_GETFD => {
            let found = state.kernel.descriptor(descriptor)?;
            number(found.close_on_exec.into())
        }
        F_SETFD => {
            let close_on_exec = args.word(m, state, 2) & 1 != 0;
            let kernel = Rc::make_mut(&mut state.kernel);
            if let Some(found) = &mut kernel.descriptors[descriptor as usize] {
                found.close_on_exec = close_on_exec;
            }
            DONE
        }
        F_GETFL => number(state.kernel.file(descriptor)?.flags.into()),
        F_SETFL => {
            let flags = args.word(m, state, 2) as u32 & CHANGEABLE;
            let file = Rc::make_mut(&mut state.kernel).file_mut(descriptor)?;
            file.flags = file.flags & !CHANGEABLE | flags;
            DONE
        }
        // One process holds all locks there are, and none stands in its way.
        F_GETLK => {
            const F_UNLCK: u16 = 2;
            get_number(m, state, args.value(2), 0, 2)?;
            put(m, state, args.value(2), &Layout::default().u16(F_UNLCK).0)?;
            DONE
        }
        F_SETLK | F_SETLKW => DONE,
        _ => fail(EINVAL),
    }
}

pub(super) fn flock(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    state.kernel.file(descriptor)?;
    DONE
}

pub(super) fn lseek(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const SEEK_SET: i32 = 0;
    const SEEK_CUR: i32 = 1;
    const SEEK_END: i32 = 2;
    let descriptor = args.int(m, state, 0);
    let whence = args.int(m, state, 2);
    let file = state.kernel.file(descriptor)?;
    let (node, here) = (file.node, file.offset);
    if matches!(
        state.kernel.tree.get(node).kind,
        Kind::Pipe(_) | Kind::Socket(_) | Kind::Event(_)
    ) {
        return fail(ESPIPE);
    }
    let offset = args.word(m, state, 1) as i64;
    let base = match whence {
        SEEK_SET => 0,
        SEEK_CUR => here as i64,
        SEEK_END => files::size(m, state, node)? as i64,
        _ => return fail(EINVAL),
    };
    let at = base.checked_add(offset).filter(|&at| at >= 0);
    let Some(at) = at else {
        return fail(EINVAL);
    };
    Rc::make_mut(&mut state.kernel).file_mut(descriptor)?.offset = at as u64;
    number(at as u64)
}

/// A call on the file would have to wait: for another thread, or for somebody who does not
/// exist.
pub(super) fn would_block<T>(
    m: &mut Machine<'_>,
    state: &mut State,
    flags: u32,
) -> Result<T, Break> {
    if flags & O_NONBLOCK != 0 {
        return fail(EAGAIN);
    }
    wait_for_others(m, state)?;
    Ok(crate::outcome::unsupported(
        "waiting for input that only this process could write",
    )?)
}

/// Waits until another thread has made a system call that this one may have waited for, if
/// there is another. The call is made again then.
pub(super) fn wait_for_others(m: &mut Machine<'_>, state: &mut State) -> Result<(), Break> {
    match state.is_threaded {
        true => {
            m.wait(state, Wait::System)?;
            Err(Break::Elsewhere)
        }
        false => Ok(()),
    }
}
