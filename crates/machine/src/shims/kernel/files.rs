//! What files hold and what is known of them: sizes, modes, times.

use super::descriptors::find_at;
use super::paths::Last;
use super::transfer::LARGEST;
use super::user::{Args, DONE, Layout, fail, get_words, number, put, string};
use super::{Answer, Break};
use crate::kernel::bytes::{Byte, Contents};
use crate::kernel::descriptors::AT_FDCWD;
use crate::kernel::errno::{EACCES, EBADF, EFBIG, EINVAL, EISDIR, ENOENT, EPERM, EROFS};
use crate::kernel::limits::USER;
use crate::kernel::tree::{Device, Kind, Node, NodeId, Time};
use crate::machine::Machine;
use crate::pointers::Spot;
use crate::state::State;
use crate::value::Value;
use std::rc::Rc;

pub(super) const AT_SYMLINK_NOFOLLOW: u32 = 0x100;
pub(super) const AT_EMPTY_PATH: u32 = 0x1000;
const BLOCK_SIZE: u64 = 4096;
/// The device that all files are on.
const FILE_SYSTEM: u64 = 1;

/// Whether the permissions of a file allow these of read 4, write 2 and execute 1.
pub(super) fn allows(node: &Node, wanted: u32) -> bool {
    let shift = if node.uid == USER { 6 } else { 0 };
    (node.mode >> shift) & wanted == wanted
}

/// Refuses to change the names in a directory that must not be changed.
pub(super) fn may_change(state: &State, directory: NodeId) -> Result<(), Break> {
    let node = state.kernel.tree.get(directory);
    match &node.kind {
        _ if node.read_only => fail(EROFS),
        Kind::Directory(_) if !node.has_name() && directory != crate::kernel::tree::ROOT => {
            fail(ENOENT)
        }
        Kind::Directory(_) if allows(node, 3) => Ok(()),
        _ => fail(EACCES),
    }
}

/// The size of a file; that of a symbolic one is decided.
pub(super) fn size(m: &mut Machine<'_>, state: &mut State, id: NodeId) -> Result<u64, Break> {
    Ok(match &state.kernel.tree.get(id).kind {
        Kind::File(contents) => contents.size() as u64,
        Kind::Stream(stream) => m.whole_stream(state, *stream)?.len() as u64,
        Kind::Host(_, size) => *size,
        Kind::Directory(_) => BLOCK_SIZE,
        Kind::Link(target) => target.len() as u64,
        Kind::Device(Device::Output(number)) => state.kernel.written[*number as usize],
        Kind::Device(_) | Kind::Pipe(_) | Kind::Socket(_) | Kind::Event(_) | Kind::Unseen(..) => 0,
    })
}

/// Makes a symbolic file one whose bytes are all known to be there, so that it can be
/// written to.
pub(super) fn settle(m: &mut Machine<'_>, state: &mut State, id: NodeId) -> Result<(), Break> {
    fetch_mapped(m, state, id);
    let Kind::Stream(stream) = state.kernel.tree.get(id).kind else {
        return Ok(());
    };
    let terms = m.whole_stream(state, stream)?;
    let bytes: Vec<Byte> = terms
        .into_iter()
        .map(|term| Byte::of(&m.store, term))
        .collect();
    let tree = &mut Rc::make_mut(&mut state.kernel).tree;
    tree.get_mut(id).kind = Kind::File(Rc::new(Contents::of(&bytes)));
    Ok(())
}

/// Gives a file another size. What a symbolic one holds matters to nobody if all of it
/// is cut off.
pub(super) fn cut(
    m: &mut Machine<'_>,
    state: &mut State,
    id: NodeId,
    size: u64,
) -> Result<(), Break> {
    if size > LARGEST {
        return fail(EFBIG);
    }
    match state.kernel.tree.get(id).kind {
        Kind::Stream(_) if size > 0 => settle(m, state, id)?,
        Kind::Stream(_) | Kind::File(_) => fetch_mapped(m, state, id),
        _ => return Ok(()),
    }
    let kernel = Rc::make_mut(&mut state.kernel);
    let now = kernel.clock.now();
    let node = kernel.tree.get_mut(id);
    (node.modified, node.changed) = (now, now);
    match &mut node.kind {
        Kind::File(contents) => Rc::make_mut(contents).resize(size as usize),
        _ => node.kind = Kind::empty_file(),
    }
    Ok(())
}

/// Brings what was written to shared mappings into their file.
pub(super) fn fetch_mapped(m: &mut Machine<'_>, state: &mut State, id: NodeId) {
    let mappings = state.kernel.tree.get(id).mappings.clone();
    for mapping in mappings.iter() {
        let Kind::File(contents) = &state.kernel.tree.get(id).kind else {
            return;
        };
        let size = contents
            .size()
            .saturating_sub(mapping.from)
            .min(mapping.size);
        if size == 0 || state.memory.object(mapping.object).is_none() {
            continue;
        }
        let terms = m.read(state, Spot::At(mapping.object, 0), size);
        let bytes: Vec<Byte> = terms
            .into_iter()
            .map(|term| Byte::of(&m.store, term))
            .collect();
        let tree = &mut Rc::make_mut(&mut state.kernel).tree;
        if let Kind::File(contents) = &mut tree.get_mut(id).kind {
            Rc::make_mut(contents).write(mapping.from, &bytes);
        }
    }
}

/// Brings what was written to a file into its shared mappings.
pub(super) fn show_in_mappings(
    m: &mut Machine<'_>,
    state: &mut State,
    id: NodeId,
    at: usize,
    bytes: &[Byte],
) {
    let mappings = state.kernel.tree.get(id).mappings.clone();
    for mapping in mappings.iter() {
        for (i, &byte) in bytes.iter().enumerate() {
            let Some(within) = (at + i).checked_sub(mapping.from) else {
                continue;
            };
            if within < mapping.size && state.memory.object(mapping.object).is_some() {
                let term = byte.term(&mut m.store);
                m.write(state, Spot::At(mapping.object, within), &[term]);
            }
        }
    }
}

/// What is known of a file, and its size.
struct Status {
    id: NodeId,
    node: Node,
    size: u64,
}

fn status(m: &mut Machine<'_>, state: &mut State, id: NodeId) -> Result<Status, Break> {
    let id = match state.kernel.tree.get(id).kind {
        Kind::Device(Device::Descriptor(descriptor)) => state.kernel.file(descriptor)?.node,
        _ => id,
    };
    let size = size(m, state, id)?;
    let node = state.kernel.tree.get(id).clone();
    Ok(Status { id, node, size })
}

impl Status {
    fn mode(&self) -> u32 {
        self.node.kind.mode() | self.node.mode
    }

    /// The number of a device.
    fn device(&self) -> u64 {
        let minor = match self.node.kind {
            Kind::Device(Device::Null) => 3,
            Kind::Device(Device::Zero) => 5,
            Kind::Device(Device::Full) => 7,
            Kind::Device(Device::Random) => 9,
            Kind::Device(Device::Terminal) => return 5 << 8,
            _ => return 0,
        };
        1 << 8 | minor
    }

    fn links(&self) -> u32 {
        self.node.links.max(u32::from(!matches!(
            self.node.kind,
            Kind::File(_) | Kind::Stream(_)
        )))
    }

    /// As `struct stat`.
    fn layout(&self) -> Vec<u8> {
        let time = |layout: Layout, time: Time| layout.i64(time.seconds).i64(time.nanoseconds);
        let layout = Layout::default()
            .u64(FILE_SYSTEM)
            .u64(self.id.into())
            .u64(self.links().into())
            .u32(self.mode())
            .u32(self.node.uid)
            .u32(self.node.gid)
            .u32(0)
            .u64(self.device())
            .u64(self.size)
            .u64(BLOCK_SIZE)
            .u64(self.size.div_ceil(512));
        let layout = time(layout, self.node.accessed);
        let layout = time(layout, self.node.modified);
        time(layout, self.node.changed).zeros(24).0
    }

    /// As `struct statx`.
    fn extended_layout(&self) -> Vec<u8> {
        const BASIC: u32 = 0x7ff;
        let time = |layout: Layout, time: Time| {
            layout.i64(time.seconds).u32(time.nanoseconds as u32).u32(0)
        };
        let layout = Layout::default()
            .u32(BASIC)
            .u32(BLOCK_SIZE as u32)
            .u64(0)
            .u32(self.links())
            .u32(self.node.uid)
            .u32(self.node.gid)
            .u16(self.mode() as u16)
            .u16(0)
            .u64(self.id.into())
            .u64(self.size)
            .u64(self.size.div_ceil(512))
            .u64(0);
        let layout = time(layout, self.node.accessed);
        let layout = time(layout, Time::default());
        let layout = time(layout, self.node.changed);
        let layout = time(layout, self.node.modified);
        let (major, minor) = (self.device() >> 8, self.device() & 0xff);
        let layout = layout.u32(major as u32).u32(minor as u32);
        layout.u32(0).u32(FILE_SYSTEM as u32).zeros(112).0
    }
}

pub(super) fn stat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    stat_path(m, state, args, Last::Followed)
}

pub(super) fn lstat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    stat_path(m, state, args, Last::Kept)
}

fn stat_path(m: &mut Machine<'_>, state: &mut State, args: &Args, last: Last) -> Answer {
    let found = find_at(m, state, AT_FDCWD, args.value(0), last)?;
    let node = found.existing(&state.kernel)?;
    let status = status(m, state, node)?;
    put(m, state, args.value(1), &status.layout())?;
    DONE
}

pub(super) fn fstat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let node = state.kernel.file(descriptor)?.node;
    let status = status(m, state, node)?;
    put(m, state, args.value(1), &status.layout())?;
    DONE
}

/// The file that a descriptor, a path and flags name.
pub(super) fn named(
    m: &mut Machine<'_>,
    state: &mut State,
    descriptor: i32,
    path: Value,
    flags: u32,
) -> Result<NodeId, Break> {
    if flags & AT_EMPTY_PATH != 0 && (path == Value::ZERO || string(m, state, path)?.is_empty()) {
        return Ok(state.kernel.base(descriptor)?);
    }
    let last = match flags & AT_SYMLINK_NOFOLLOW {
        0 => Last::Followed,
        _ => Last::Kept,
    };
    let found = find_at(m, state, descriptor, path, last)?;
    found.existing(&state.kernel)
}

pub(super) fn newfstatat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let flags = args.word(m, state, 3) as u32;
    let node = named(m, state, descriptor, args.value(1), flags)?;
    let status = status(m, state, node)?;
    put(m, state, args.value(2), &status.layout())?;
    DONE
}

pub(super) fn statx(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let flags = args.word(m, state, 2) as u32;
    let node = named(m, state, descriptor, args.value(1), flags)?;
    let status = status(m, state, node)?;
    put(m, state, args.value(4), &status.extended_layout())?;
    DONE
}

/// `struct statfs` of the one file system there is.
fn file_system() -> Vec<u8> {
    const TMPFS: u64 = 0x0102_1994;
    const BLOCKS: u64 = 1 << 20;
    const NAME_MAX: u64 = 255;
    Layout::default()
        .u64(TMPFS)
        .u64(BLOCK_SIZE)
        .u64(BLOCKS)
        .u64(BLOCKS / 2)
        .u64(BLOCKS / 2)
        .u64(BLOCKS)
        .u64(BLOCKS / 2)
        .u64(0)
        .u64(NAME_MAX)
        .u64(BLOCK_SIZE)
        .zeros(40)
        .0
}

pub(super) fn statfs(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    named(m, state, AT_FDCWD, args.value(0), 0)?;
    put(m, state, args.value(1), &file_system())?;
    DONE
}

pub(super) fn fstatfs(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    state.kernel.file(descriptor)?;
    put(m, state, args.value(1), &file_system())?;
    DONE
}

pub(super) fn access(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let wanted = args.word(m, state, 1) as u32;
    may_access(m, state, AT_FDCWD, args.value(0), wanted, 0)
}

pub(super) fn faccessat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let wanted = args.word(m, state, 2) as u32;
    may_access(m, state, descriptor, args.value(1), wanted, 0)
}

pub(super) fn faccessat2(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let wanted = args.word(m, state, 2) as u32;
    let flags = args.word(m, state, 3) as u32;
    may_access(m, state, descriptor, args.value(1), wanted, flags)
}

fn may_access(
    m: &mut Machine<'_>,
    state: &mut State,
    descriptor: i32,
    path: Value,
    wanted: u32,
    flags: u32,
) -> Answer {
    if wanted & !7 != 0 {
        return fail(EINVAL);
    }
    let node = named(m, state, descriptor, path, flags)?;
    let node = state.kernel.tree.get(node);
    match allows(node, wanted) {
        true => DONE,
        false if node.read_only && wanted & 2 != 0 => fail(EROFS),
        false => fail(EACCES),
    }
}

pub(super) fn truncate(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let size = args.word(m, state, 1);
    let id = named(m, state, AT_FDCWD, args.value(0), 0)?;
    let node = state.kernel.tree.get(id);
    match node.kind {
        Kind::Directory(_) => return fail(EISDIR),
        _ if node.read_only => return fail(EROFS),
        _ if !allows(node, 2) => return fail(EACCES),
        Kind::File(_) | Kind::Stream(_) => {}
        _ => return fail(EINVAL),
    }
    change_size(m, state, id, size)
}

pub(super) fn ftruncate(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let size = args.word(m, state, 1);
    let file = state.kernel.file(descriptor)?;
    let id = file.node;
    if !file.writes() {
        return fail(EINVAL);
    }
    match state.kernel.tree.get(id).kind {
        Kind::File(_) | Kind::Stream(_) => change_size(m, state, id, size),
        _ => fail(EINVAL),
    }
}

fn change_size(m: &mut Machine<'_>, state: &mut State, id: NodeId, size: u64) -> Answer {
    if (size as i64) < 0 {
        return fail(EINVAL);
    }
    cut(m, state, id, size)?;
    DONE
}

pub(super) fn fallocate(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let (mode, offset) = (args.int(m, state, 1), args.word(m, state, 2));
    let length = args.word(m, state, 3);
    let file = state.kernel.file(descriptor)?;
    let id = file.node;
    if !file.writes() {
        return fail(EBADF);
    }
    if mode != 0 {
        return fail(crate::kernel::errno::EOPNOTSUPP);
    }
    settle(m, state, id)?;
    let wanted = offset.saturating_add(length);
    if wanted > size(m, state, id)? {
        cut(m, state, id, wanted)?;
    }
    DONE
}

/// Changes what is known of a file that is the program's own.
fn change(state: &mut State, id: NodeId, change: impl FnOnce(&mut Node, Time)) -> Answer {
    let node = state.kernel.tree.get(id);
    if node.read_only {
        return fail(EROFS);
    }
    if node.uid != USER {
        return fail(EPERM);
    }
    let kernel = Rc::make_mut(&mut state.kernel);
    let now = kernel.clock.now();
    let node = kernel.tree.get_mut(id);
    node.changed = now;
    change(node, now);
    DONE
}

pub(super) fn chmod(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let mode = args.word(m, state, 1) as u32;
    let id = named(m, state, AT_FDCWD, args.value(0), 0)?;
    change(state, id, |node, _| node.mode = mode & 0o7777)
}

pub(super) fn fchmod(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let mode = args.word(m, state, 1) as u32;
    let id = state.kernel.file(descriptor)?.node;
    change(state, id, |node, _| node.mode = mode & 0o7777)
}

pub(super) fn fchmodat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let mode = args.word(m, state, 2) as u32;
    let id = named(m, state, descriptor, args.value(1), 0)?;
    change(state, id, |node, _| node.mode = mode & 0o7777)
}

/// One who is not the administrator can give a file only to himself.
fn give_to(state: &mut State, id: NodeId, uid: u32, gid: u32) -> Answer {
    let is_own = |id: u32| id == USER || id == u32::MAX;
    match is_own(uid) && is_own(gid) {
        true => change(state, id, |_, _| {}),
        false => fail(EPERM),
    }
}

pub(super) fn chown(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (uid, gid) = (args.word(m, state, 1) as u32, args.word(m, state, 2) as u32);
    let id = named(m, state, AT_FDCWD, args.value(0), 0)?;
    give_to(state, id, uid, gid)
}

pub(super) fn lchown(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (uid, gid) = (args.word(m, state, 1) as u32, args.word(m, state, 2) as u32);
    let id = named(m, state, AT_FDCWD, args.value(0), AT_SYMLINK_NOFOLLOW)?;
    give_to(state, id, uid, gid)
}

pub(super) fn fchown(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let (uid, gid) = (args.word(m, state, 1) as u32, args.word(m, state, 2) as u32);
    let id = state.kernel.file(descriptor)?.node;
    give_to(state, id, uid, gid)
}

pub(super) fn fchownat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let (uid, gid) = (args.word(m, state, 2) as u32, args.word(m, state, 3) as u32);
    let flags = args.word(m, state, 4) as u32;
    let id = named(m, state, descriptor, args.value(1), flags)?;
    give_to(state, id, uid, gid)
}

pub(super) fn utimensat(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const NOW: i64 = (1 << 30) - 1;
    const OMIT: i64 = (1 << 30) - 2;
    let descriptor = args.int(m, state, 0);
    let flags = args.word(m, state, 3) as u32;
    let times = match args.is_null(m, state, 2) {
        true => [[0, NOW], [0, NOW]],
        false => {
            let words = get_words(m, state, args.value(2), 4)?;
            let signed = |at: usize| words[at] as i64;
            [[signed(0), signed(1)], [signed(2), signed(3)]]
        }
    };
    let id = match args.is_null(m, state, 1) {
        true => state.kernel.file(descriptor)?.node,
        false => named(m, state, descriptor, args.value(1), flags)?,
    };
    let valid = |[_, nanoseconds]: &[i64; 2]| (0..=NOW).contains(nanoseconds);
    if !times.iter().all(valid) {
        return fail(EINVAL);
    }
    change(state, id, |node, now| {
        let apply = |before: &mut Time, [seconds, nanoseconds]: [i64; 2]| match nanoseconds {
            NOW => *before = now,
            OMIT => {}
            _ => {
                *before = Time {
                    seconds,
                    nanoseconds,
                }
            }
        };
        apply(&mut node.accessed, times[0]);
        apply(&mut node.modified, times[1]);
    })
}

pub(super) fn umask(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let mask = args.word(m, state, 0) as u32 & 0o777;
    let kernel = Rc::make_mut(&mut state.kernel);
    let before = std::mem::replace(&mut kernel.umask, mask);
    number(before.into())
}

/// What is written is where it belongs at once.
pub(super) fn sync_file(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let file = state.kernel.file(descriptor)?;
    match state.kernel.tree.get(file.node).kind {
        Kind::Pipe(_) | Kind::Socket(_) | Kind::Event(_) => fail(EINVAL),
        _ => DONE,
    }
}
