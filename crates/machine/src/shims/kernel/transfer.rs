//! Reading and writing: what goes between program memory and open files.

use super::descriptors::would_block;
use super::user::{Args, fail, fill, get, get_words, number, room};
use super::{Answer, Break, delivery, events, files, signals};
use crate::kernel::bytes::{Byte, known};
use crate::kernel::descriptors::{O_APPEND, OpenFile};
use crate::kernel::errno::{EBADF, EFBIG, EINVAL, EIO, EISDIR, ENOSPC, ENOTCONN, EPIPE, ESPIPE};
use crate::kernel::tree::{Device, Kind, NodeId, Socket};
use crate::machine::Machine;
use crate::pointers::Spot;
use crate::state::{InputKind, State};
use crate::value::Value;
use std::rc::Rc;
use term::Term;

/// The most that one call transfers, as on Linux.
const MOST: u64 = 0x7fff_f000;
/// The greatest file; one that is larger would take more memory than there is.
pub(super) const LARGEST: u64 = 1 << 30;
/// What a pipe holds.
pub(super) const PIPE: usize = 1 << 16;
/// Pieces of one `readv` or `writev`.
const IOV_MAX: u64 = 1024;

/// How much of a symbolic stream a call takes: whether there is a next byte matters
/// when somebody wants it, and the C library comes again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Eagerness {
    All,
    ByteByByte,
}

pub(super) fn read(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    read_as(m, state, args, Eagerness::All)
}

/// The same for the C library's streams: of a symbolic stream one byte.
pub(super) fn read_a_byte(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    read_as(m, state, args, Eagerness::ByteByByte)
}

fn read_as(m: &mut Machine<'_>, state: &mut State, args: &Args, eagerness: Eagerness) -> Answer {
    let descriptor = args.int(m, state, 0);
    let count = args.word(m, state, 2).min(MOST);
    let pieces = [(args.value(1), count)];
    read_pieces(m, state, descriptor, &pieces, None, eagerness)
}

pub(super) fn pread(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let count = args.word(m, state, 2).min(MOST);
    let offset = args.word(m, state, 3);
    let pieces = [(args.value(1), count)];
    read_pieces(m, state, descriptor, &pieces, Some(offset), Eagerness::All)
}

pub(super) fn readv(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let pieces = pieces(m, state, args)?;
    read_pieces(m, state, descriptor, &pieces, None, Eagerness::All)
}

pub(super) fn preadv(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let pieces = pieces(m, state, args)?;
    let offset = args.word(m, state, 3);
    read_pieces(m, state, descriptor, &pieces, Some(offset), Eagerness::All)
}

pub(super) fn write(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let count = args.word(m, state, 2).min(MOST);
    write_pieces(m, state, descriptor, &[(args.value(1), count)], None)
}

pub(super) fn pwrite(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let count = args.word(m, state, 2).min(MOST);
    let offset = args.word(m, state, 3);
    write_pieces(
        m,
        state,
        descriptor,
        &[(args.value(1), count)],
        Some(offset),
    )
}

pub(super) fn writev(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let pieces = pieces(m, state, args)?;
    write_pieces(m, state, descriptor, &pieces, None)
}

pub(super) fn pwritev(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let pieces = pieces(m, state, args)?;
    let offset = args.word(m, state, 3);
    write_pieces(m, state, descriptor, &pieces, Some(offset))
}

/// The pieces of memory that an array of `iovec` names.
fn pieces(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Result<Vec<(Value, u64)>, Break> {
    let count = args.word(m, state, 2);
    if count > IOV_MAX {
        return fail(EINVAL);
    }
    let words = get_words(m, state, args.value(1), 2 * count as usize)?;
    let pieces = words.chunks(2).map(|pair| (Value::word(pair[0]), pair[1]));
    Ok(pieces.collect())
}

pub(super) fn read_pieces(
    m: &mut Machine<'_>,
    state: &mut State,
    descriptor: i32,
    pieces: &[(Value, u64)],
    offset: Option<u64>,
    eagerness: Eagerness,
) -> Answer {
    let file = state.kernel.file(descriptor)?.clone();
    if !file.reads() {
        return fail(EBADF);
    }
    let wanted: u64 = pieces.iter().map(|(_, size)| *size).sum();
    let at = place(state, &file, offset)?;
    let taken = taken(m, state, &file, at, wanted.min(MOST), eagerness)?;
    let mut rooms: Vec<(Option<Spot>, usize)> = Vec::new();
    let mut left = taken.size();
    for &(address, size) in pieces {
        let size = usize::try_from(size).unwrap_or(left).min(left);
        rooms.push((room(m, state, address, size)?, size));
        left -= size;
    }
    // Nothing forks from here on, and what was taken is taken.
    let bytes = taken.bytes(m, state)?;
    let mut rest = &bytes[..];
    for (room, size) in rooms {
        fill(m, state, room, &rest[..size]);
        rest = &rest[size..];
    }
    take(state, descriptor, &file, offset, bytes.len())?;
    number(bytes.len() as u64)
}

/// Where in its file a call reads or writes.
fn place(state: &State, file: &OpenFile, offset: Option<u64>) -> Result<u64, Break> {
    match offset {
        None => Ok(file.offset),
        Some(_)
            if matches!(
                state.kernel.tree.get(file.node).kind,
                Kind::Pipe(_) | Kind::Socket(_) | Kind::Event(_)
            ) =>
        {
            fail(ESPIPE)
        }
        Some(offset) if offset > i64::MAX as u64 => fail(EINVAL),
        Some(offset) => Ok(offset),
    }
}

/// What a read gets.
enum Taken {
    Bytes(Vec<Byte>),
    /// So many new inputs, which are made when nothing forks any more: a state that
    /// makes the call again would make them again.
    Random(usize),
}

impl Taken {
    fn size(&self) -> usize {
        match self {
            Taken::Bytes(bytes) => bytes.len(),
            Taken::Random(size) => *size,
        }
    }

    fn bytes(self, m: &mut Machine<'_>, state: &mut State) -> Result<Vec<Byte>, Break> {
        match self {
            Taken::Bytes(bytes) => Ok(bytes),
            Taken::Random(size) => {
                let terms = m.input(state, "urandom", size, InputKind::Bytes)?;
                Ok(of_terms(m, terms))
            }
        }
    }
}

fn of_terms(m: &Machine<'_>, terms: Vec<Term>) -> Vec<Byte> {
    let bytes = terms.into_iter();
    bytes.map(|term| Byte::of(&m.store, term)).collect()
}

/// What a read gets; nothing is taken yet.
fn taken(
    m: &mut Machine<'_>,
    state: &mut State,
    file: &OpenFile,
    at: u64,
    wanted: u64,
    eagerness: Eagerness,
) -> Result<Taken, Break> {
    files::fetch_mapped(m, state, file.node);
    let count = wanted as usize;
    if count == 0 {
        return Ok(Taken::Bytes(Vec::new()));
    }
    let bytes = match state.kernel.tree.get(file.node).kind.clone() {
        Kind::Directory(_) => return fail(EISDIR),
        Kind::File(contents) => contents.read(at.min(LARGEST) as usize, count),
        Kind::Socket(Socket::Open | Socket::Listening) => return fail(ENOTCONN),
        Kind::Socket(Socket::Datagram) => return would_block(m, state, file.flags),
        Kind::Stream(stream) | Kind::Socket(Socket::Connected(stream)) => {
            let count = match eagerness {
                Eagerness::All => count,
                Eagerness::ByteByByte => 1,
            };
            let terms = m.stream_bytes(state, stream, at.min(LARGEST) as usize, count)?;
            of_terms(m, terms)
        }
        Kind::Pipe(contents) => {
            let bytes = contents.read(0, count);
            let is_open = !file.shut.reading && has_writer(state, file.node);
            match bytes.is_empty() && is_open {
                true => return would_block(m, state, file.flags),
                false => bytes,
            }
        }
        Kind::Device(device) => match device {
            Device::Null | Device::Output(_) => Vec::new(),
            Device::Zero | Device::Full => known(&vec![0; count.min(PIPE)]),
            Device::Random => return Ok(Taken::Random(count.min(256))),
            Device::Terminal | Device::Descriptor(_) => return fail(EIO),
        },
        Kind::Event(event) => events::taken(m, state, file, &event, count)?,
        Kind::Link(_) | Kind::Unseen(..) | Kind::Host(..) => return fail(EBADF),
    };
    Ok(Taken::Bytes(bytes))
}

/// Moves on past what was read.
fn take(
    state: &mut State,
    descriptor: i32,
    file: &OpenFile,
    offset: Option<u64>,
    count: usize,
) -> Result<(), Break> {
    if count == 0 || offset.is_some() {
        return Ok(());
    }
    order_after(state, file.node);
    if let Kind::Event(event) = state.kernel.tree.get(file.node).kind.clone() {
        events::take(state, file.node, &event);
        return Ok(());
    }
    let kernel = Rc::make_mut(&mut state.kernel);
    if let Kind::Pipe(contents) = &mut kernel.tree.get_mut(file.node).kind {
        let rest = contents.read(count, contents.size());
        *contents = Rc::new(crate::kernel::bytes::Contents::of(&rest));
        return Ok(());
    }
    kernel.file_mut(descriptor)?.offset += count as u64;
    Ok(())
}

/// What stands for a pipe or the like where accesses are ordered: whoever reads comes after
/// whoever wrote. No memory is there.
fn place_of(node: NodeId) -> u64 {
    1 << 63 | u64::from(node)
}

pub(super) fn order_after(state: &mut State, node: NodeId) {
    if state.is_threaded {
        state.threads_mut().acquire_place(place_of(node));
    }
}

pub(super) fn order_before(state: &mut State, node: NodeId) {
    if state.is_threaded {
        state.threads_mut().release_place(place_of(node));
    }
}

pub(super) fn has_writer(state: &State, pipe: NodeId) -> bool {
    let writes = |file: &OpenFile| match file.peer {
        Some(peer) => peer == pipe && !file.shut.writing,
        None => file.node == pipe && file.writes(),
    };
    state.kernel.open.iter().flatten().any(|file| writes(file))
}

pub(super) fn has_reader(state: &State, pipe: NodeId) -> bool {
    let reads = |file: &OpenFile| file.node == pipe && file.reads() && !file.shut.reading;
    state.kernel.open.iter().flatten().any(|file| reads(file))
}

fn write_pieces(
    m: &mut Machine<'_>,
    state: &mut State,
    descriptor: i32,
    pieces: &[(Value, u64)],
    offset: Option<u64>,
) -> Answer {
    let file = state.kernel.file(descriptor)?.clone();
    if !file.writes() {
        return fail(EBADF);
    }
    if let Kind::Event(event) = state.kernel.tree.get(file.node).kind.clone() {
        let first = pieces.first().copied().unwrap_or((Value::ZERO, 0));
        return events::add(m, state, &file, &event, first);
    }
    let bytes = get_pieces(m, state, pieces)?;
    place(state, &file, offset)?;
    put_bytes(m, state, descriptor, &file, offset, bytes)
}

/// What is in pieces of memory.
pub(super) fn get_pieces(
    m: &mut Machine<'_>,
    state: &mut State,
    pieces: &[(Value, u64)],
) -> Result<Vec<Byte>, Break> {
    let mut bytes = Vec::new();
    for &(address, size) in pieces {
        if size > MOST - bytes.len() as u64 {
            return fail(EINVAL);
        }
        bytes.extend(get(m, state, address, size as usize)?);
    }
    Ok(bytes)
}

/// Writes bytes to an open file; how many it took.
pub(super) fn put_bytes(
    m: &mut Machine<'_>,
    state: &mut State,
    descriptor: i32,
    file: &OpenFile,
    offset: Option<u64>,
    bytes: Vec<Byte>,
) -> Answer {
    let target = file.peer.unwrap_or(file.node);
    match state.kernel.tree.get(target).kind {
        Kind::Device(Device::Output(number_of)) => {
            for &byte in &bytes {
                if let Byte::Open(term) = byte {
                    m.must_be_determined_term(state, term, "output")?;
                }
            }
            let written = crate::kernel::bytes::terms(&mut m.store, &bytes);
            if !written.is_empty() {
                state.output.push(&m.store, number_of, written);
            }
            let kernel = Rc::make_mut(&mut state.kernel);
            let count = bytes.len() as u64;
            kernel.written[number_of as usize] += count;
            kernel.file_mut(descriptor)?.offset = kernel.written[number_of as usize];
            number(count)
        }
        Kind::Device(Device::Null | Device::Zero | Device::Random) => number(bytes.len() as u64),
        Kind::Device(Device::Full) if bytes.is_empty() => number(0),
        Kind::Device(Device::Full) => fail(ENOSPC),
        Kind::Device(Device::Terminal | Device::Descriptor(_)) => fail(EIO),
        Kind::Directory(_) | Kind::Link(_) | Kind::Unseen(..) | Kind::Host(..) => fail(EBADF),
        Kind::Event(_) => fail(EINVAL),
        // The peer takes everything and keeps nothing.
        Kind::Socket(Socket::Connected(_) | Socket::Datagram) => number(bytes.len() as u64),
        Kind::Socket(Socket::Open | Socket::Listening) => {
            delivery::raise_here(m, state, signals::SIGPIPE)?;
            fail(EPIPE)
        }
        Kind::Pipe(_) => write_pipe(m, state, file, target, bytes),
        Kind::File(_) | Kind::Stream(_) => write_file(m, state, descriptor, file, offset, bytes),
    }
}

fn write_pipe(
    m: &mut Machine<'_>,
    state: &mut State,
    file: &OpenFile,
    pipe: NodeId,
    bytes: Vec<Byte>,
) -> Answer {
    if file.shut.writing || !has_reader(state, pipe) {
        delivery::raise_here(m, state, signals::SIGPIPE)?;
        return fail(EPIPE);
    }
    let Kind::Pipe(contents) = &state.kernel.tree.get(pipe).kind else {
        return fail(EBADF);
    };
    let (used, room) = (contents.size(), PIPE.saturating_sub(contents.size()));
    let count = bytes.len().min(room);
    if count == 0 && !bytes.is_empty() {
        return would_block(m, state, file.flags);
    }
    order_before(state, pipe);
    let kernel = Rc::make_mut(&mut state.kernel);
    if let Kind::Pipe(contents) = &mut kernel.tree.get_mut(pipe).kind {
        Rc::make_mut(contents).write(used, &bytes[..count]);
    }
    number(count as u64)
}

fn write_file(
    m: &mut Machine<'_>,
    state: &mut State,
    descriptor: i32,
    file: &OpenFile,
    offset: Option<u64>,
    bytes: Vec<Byte>,
) -> Answer {
    let appends = file.flags & O_APPEND != 0;
    files::settle(m, state, file.node)?;
    let at = match appends {
        true => files::size(m, state, file.node)?,
        false => offset.unwrap_or(file.offset),
    };
    if at.saturating_add(bytes.len() as u64) > LARGEST {
        return fail(EFBIG);
    }
    let now = state.kernel.clock.now();
    let kernel = Rc::make_mut(&mut state.kernel);
    let node = kernel.tree.get_mut(file.node);
    if !bytes.is_empty() {
        node.modified = now;
        node.changed = now;
    }
    if let Kind::File(contents) = &mut node.kind {
        Rc::make_mut(contents).write(at as usize, &bytes);
    }
    if offset.is_none() {
        kernel.file_mut(descriptor)?.offset = at + bytes.len() as u64;
    }
    files::show_in_mappings(m, state, file.node, at as usize, &bytes);
    number(bytes.len() as u64)
}

/// `sendfile` and `copy_file_range`: from one open file to another.
fn copy(
    m: &mut Machine<'_>,
    state: &mut State,
    (to, to_offset): (i32, Option<u64>),
    (from, from_offset): (i32, Option<u64>),
    count: u64,
) -> Result<usize, Break> {
    let source = state.kernel.file(from)?.clone();
    let target = state.kernel.file(to)?.clone();
    if !source.reads() || !target.writes() {
        return fail(EBADF);
    }
    let at = place(state, &source, from_offset)?;
    let taken = taken(m, state, &source, at, count.min(MOST), Eagerness::All)?;
    if matches!(
        state.kernel.tree.get(target.node).kind,
        Kind::File(_) | Kind::Stream(_)
    ) {
        files::settle(m, state, target.node)?;
    }
    let size = taken.size();
    let bytes = taken.bytes(m, state)?;
    put_bytes(m, state, to, &target, to_offset, bytes)?;
    take(state, from, &source, from_offset, size)?;
    Ok(size)
}

pub(super) fn sendfile(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (to, from) = (args.int(m, state, 0), args.int(m, state, 1));
    let count = args.word(m, state, 3);
    let offset = match args.is_null(m, state, 2) {
        true => None,
        false => Some(get_words(m, state, args.value(2), 1)?[0]),
    };
    let place = room(
        m,
        state,
        args.value(2),
        if offset.is_some() { 8 } else { 0 },
    )?;
    let copied = copy(m, state, (to, None), (from, offset), count)?;
    if let Some(offset) = offset {
        let next = offset + copied as u64;
        fill(m, state, place, &known(&next.to_le_bytes()));
    }
    number(copied as u64)
}

pub(super) fn copy_file_range(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (from, to) = (args.int(m, state, 0), args.int(m, state, 2));
    let count = args.word(m, state, 4);
    let mut offsets = [None, None];
    let mut places = [None, None];
    for (i, argument) in [1, 3].into_iter().enumerate() {
        if !args.is_null(m, state, argument) {
            offsets[i] = Some(get_words(m, state, args.value(argument), 1)?[0]);
            places[i] = room(m, state, args.value(argument), 8)?;
        }
    }
    let copied = copy(m, state, (to, offsets[1]), (from, offsets[0]), count)?;
    for (offset, place) in offsets.into_iter().zip(places) {
        if let Some(offset) = offset {
            let next = offset + copied as u64;
            fill(m, state, place, &known(&next.to_le_bytes()));
        }
    }
    number(copied as u64)
}
