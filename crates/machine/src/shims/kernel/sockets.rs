//! Sockets. A pair of them is two pipes. One that connects, or is connected to, has a
//! symbolic peer, if the program was given any that is left: what the peer sends is a
//! stream of input, and what it is sent it takes. Otherwise nobody answers.

use super::descriptors::would_block;
use super::transfer::{Eagerness, get_pieces, put_bytes, read_pieces};
use super::user::{Args, DONE, Layout, fail, fill, get, get_number, get_words, number, put, room};
use super::{Answer, Break};
use crate::kernel::bytes::Byte;
use crate::kernel::descriptors::{O_CLOEXEC, O_NONBLOCK, O_RDWR, OpenFile};
use crate::kernel::errno::{
    EAFNOSUPPORT, ECONNREFUSED, EINVAL, EISCONN, ENOTCONN, ENOTSOCK, EOPNOTSUPP, EPERM,
};
use crate::kernel::tree::{Kind, Node, NodeId, Socket};
use crate::machine::Machine;
use crate::state::State;
use crate::streams::StreamId;
use crate::value::Value;
use std::rc::Rc;

const UNIX: u64 = 1;
const INTERNET: u64 = 2;
const INTERNET_6: u64 = 10;
const MSG_PEEK: u64 = 2;
/// Kinds of sockets, in the low bits of what says them.
const KINDS: u32 = 0xf;
const DATAGRAM: u32 = 2;
const RAW: u32 = 3;

fn install(state: &mut State, socket: Socket, flags: u32) -> Answer {
    state.kernel.free(0)?;
    let kernel = Rc::make_mut(&mut state.kernel);
    let mut node = Node::new(Kind::Socket(socket), 0o777);
    node.touch(kernel.clock.now());
    let node = kernel.tree.add(node);
    let file = OpenFile::new(node, O_RDWR | flags & O_NONBLOCK);
    let descriptor = kernel.install(file, flags & O_CLOEXEC != 0)?;
    number(descriptor as u64)
}

pub(super) fn socket(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let domain = args.word(m, state, 0);
    let kind = args.word(m, state, 1) as u32;
    match domain {
        UNIX | INTERNET | INTERNET_6 => match kind & KINDS {
            DATAGRAM => install(state, Socket::Datagram, kind),
            // For those who may.
            RAW => fail(EPERM),
            _ => install(state, Socket::Open, kind),
        },
        _ => fail(EAFNOSUPPORT),
    }
}

/// The socket of a descriptor.
fn socket_of(
    m: &mut Machine<'_>,
    state: &mut State,
    args: &Args,
) -> Result<(NodeId, Socket), Break> {
    let descriptor = args.int(m, state, 0);
    let node = state.kernel.file(descriptor)?.node;
    match state.kernel.tree.get(node).kind {
        Kind::Socket(socket) => Ok((node, socket)),
        _ => fail(ENOTSOCK),
    }
}

fn turn_into(state: &mut State, node: NodeId, socket: Socket) -> Answer {
    let kernel = Rc::make_mut(&mut state.kernel);
    kernel.tree.get_mut(node).kind = Kind::Socket(socket);
    DONE
}

/// The next symbolic peer, which is taken.
fn next_peer(state: &mut State) -> Option<StreamId> {
    let peer = *state.kernel.peers.first()?;
    Rc::make_mut(&mut state.kernel).peers.remove(0);
    Some(peer)
}

pub(super) fn connect(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (node, socket) = socket_of(m, state, args)?;
    let size = args.word(m, state, 2);
    get(m, state, args.value(1), size as usize)?;
    match (socket, next_peer(state)) {
        (Socket::Connected(_), _) => fail(EISCONN),
        // It says whom to send to, and nobody is asked.
        (Socket::Datagram, None) => DONE,
        (_, None) => fail(ECONNREFUSED),
        (_, Some(peer)) => turn_into(state, node, Socket::Connected(peer)),
    }
}

pub(super) fn bind(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    socket_of(m, state, args)?;
    let size = args.word(m, state, 2);
    get(m, state, args.value(1), size as usize)?;
    DONE
}

pub(super) fn listen(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (node, socket) = socket_of(m, state, args)?;
    match socket {
        Socket::Open | Socket::Listening => turn_into(state, node, Socket::Listening),
        Socket::Connected(_) => fail(EINVAL),
        Socket::Datagram => fail(EOPNOTSUPP),
    }
}

pub(super) fn accept(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    accept_with(m, state, args, 0)
}

pub(super) fn accept4(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let flags = args.word(m, state, 3) as u32;
    accept_with(m, state, args, flags)
}

fn accept_with(m: &mut Machine<'_>, state: &mut State, args: &Args, flags: u32) -> Answer {
    let (_, socket) = socket_of(m, state, args)?;
    if socket != Socket::Listening {
        return fail(EINVAL);
    }
    if state.kernel.peers.is_empty() {
        let descriptor = args.int(m, state, 0);
        let flags = state.kernel.file(descriptor)?.flags;
        return would_block(m, state, flags);
    }
    put_address(m, state, args)?;
    state.kernel.free(0)?;
    match next_peer(state) {
        Some(peer) => install(state, Socket::Connected(peer), flags),
        None => fail(EINVAL),
    }
}

/// The address of a peer, which has none of its own: a family and zeros.
fn put_address(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Result<(), Break> {
    if args.is_null(m, state, 1) || args.is_null(m, state, 2) {
        return Ok(());
    }
    const SIZE: u64 = 16;
    let room = get_number(m, state, args.value(2), 0, 4)?.min(SIZE);
    let address = Layout::default().u16(INTERNET as u16).zeros(14).0;
    put(m, state, args.value(1), &address[..room as usize])?;
    put(m, state, args.value(2), &(SIZE as u32).to_le_bytes())
}

pub(super) fn name(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    socket_of(m, state, args)?;
    put_address(m, state, args)?;
    DONE
}

pub(super) fn peer_name(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    match socket_of(m, state, args)?.1 {
        Socket::Connected(_) => name(m, state, args),
        Socket::Open | Socket::Datagram | Socket::Listening => fail(ENOTCONN),
    }
}

/// Options change nothing that a program could see.
pub(super) fn setsockopt(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    state.kernel.file(descriptor)?;
    DONE
}

pub(super) fn getsockopt(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    state.kernel.file(descriptor)?;
    let size = get_number(m, state, args.value(4), 0, 4)?.min(4);
    put(m, state, args.value(3), &[0; 4][..size as usize])?;
    put(m, state, args.value(4), &(size as u32).to_le_bytes())?;
    DONE
}

pub(super) fn shutdown(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const READING: i32 = 0;
    const BOTH: i32 = 2;
    let descriptor = args.int(m, state, 0);
    let directions = args.int(m, state, 1);
    if !(READING..=BOTH).contains(&directions) {
        return fail(EINVAL);
    }
    if state.kernel.file(descriptor)?.peer.is_some() {
        let kernel = Rc::make_mut(&mut state.kernel);
        let shut = &mut kernel.file_mut(descriptor)?.shut;
        shut.reading |= directions == READING || directions == BOTH;
        shut.writing |= directions != READING;
        return DONE;
    }
    match socket_of(m, state, args)?.1 {
        Socket::Connected(_) => DONE,
        Socket::Open | Socket::Datagram | Socket::Listening => fail(ENOTCONN),
    }
}

/// Refuses what is neither a socket nor one end of a pair.
fn must_be_socket(state: &State, descriptor: i32) -> Result<(), Break> {
    let file = state.kernel.file(descriptor)?;
    let is_socket = matches!(state.kernel.tree.get(file.node).kind, Kind::Socket(_));
    match is_socket || file.peer.is_some() {
        true => Ok(()),
        false => fail(ENOTSOCK),
    }
}

pub(super) fn sendto(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let size = args.word(m, state, 2);
    send(m, state, descriptor, &[(args.value(1), size)])
}

pub(super) fn sendmsg(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let pieces = pieces_of_message(m, state, args)?;
    send(m, state, descriptor, &pieces)
}

fn send(
    m: &mut Machine<'_>,
    state: &mut State,
    descriptor: i32,
    pieces: &[(Value, u64)],
) -> Answer {
    must_be_socket(state, descriptor)?;
    let file = state.kernel.file(descriptor)?.clone();
    let bytes: Vec<Byte> = get_pieces(m, state, pieces)?;
    put_bytes(m, state, descriptor, &file, None, bytes)
}

pub(super) fn recvfrom(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let size = args.word(m, state, 2);
    let flags = args.word(m, state, 3);
    receive(m, state, descriptor, &[(args.value(1), size)], flags)
}

pub(super) fn recvmsg(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let flags = args.word(m, state, 2);
    let pieces = pieces_of_message(m, state, args)?;
    // No control messages, and nothing was cut off.
    let rest = m.offset(args.value(1), 40);
    let place = room(m, state, rest, 16)?;
    let received = receive(m, state, descriptor, &pieces, flags)?;
    fill(m, state, place, &[Byte::Known(0); 16]);
    Ok(received)
}

fn receive(
    m: &mut Machine<'_>,
    state: &mut State,
    descriptor: i32,
    pieces: &[(Value, u64)],
    flags: u64,
) -> Answer {
    must_be_socket(state, descriptor)?;
    if flags & MSG_PEEK != 0 {
        return fail(EOPNOTSUPP);
    }
    hear_of_peer(state, descriptor)?;
    read_pieces(m, state, descriptor, pieces, None, Eagerness::All)
}

/// Who waits for datagrams hears from the next peer, if there is one.
fn hear_of_peer(state: &mut State, descriptor: i32) -> Result<(), Break> {
    let node = state.kernel.file(descriptor)?.node;
    let kind = &state.kernel.tree.get(node).kind;
    if matches!(kind, Kind::Socket(Socket::Datagram))
        && let Some(peer) = next_peer(state)
    {
        turn_into(state, node, Socket::Connected(peer))?;
    }
    Ok(())
}

/// The pieces that a `struct msghdr` names.
fn pieces_of_message(
    m: &mut Machine<'_>,
    state: &mut State,
    args: &Args,
) -> Result<Vec<(Value, u64)>, Break> {
    let array = get_number(m, state, args.value(1), 16, 8)?;
    let count = get_number(m, state, args.value(1), 24, 8)?;
    if count > 1024 {
        return fail(EINVAL);
    }
    let words = get_words(m, state, Value::word(array), 2 * count as usize)?;
    let pieces = words.chunks(2).map(|pair| (Value::word(pair[0]), pair[1]));
    Ok(pieces.collect())
}
