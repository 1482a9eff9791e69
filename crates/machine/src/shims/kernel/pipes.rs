//! Pipes, pairs of sockets, and waiting for what can be read or written.

use super::transfer::PIPE;
use super::user::{Args, DONE, fail, fill, get_number, get_words, number, room};
use super::{Answer, Break, events};
use crate::kernel::descriptors::{O_CLOEXEC, O_NONBLOCK, O_RDWR, O_WRONLY, OpenFile};
use crate::kernel::errno::{EBADF, EINVAL};
use crate::kernel::tree::{Kind, Node, NodeId, Socket};
use crate::machine::Machine;
use crate::state::State;
use std::rc::Rc;

const POLLIN: u16 = 1;
const POLLOUT: u16 = 4;
const POLLERR: u16 = 8;
const POLLHUP: u16 = 0x10;
const POLLNVAL: u16 = 0x20;
const MILLISECOND: u64 = 1_000_000;
const SECOND: u64 = 1_000_000_000;

pub(super) fn pipe(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    make_pipe(m, state, args, 0)
}

pub(super) fn pipe2(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let flags = args.word(m, state, 1) as u32;
    if flags & !(O_CLOEXEC | O_NONBLOCK) != 0 {
        return fail(EINVAL);
    }
    make_pipe(m, state, args, flags)
}

fn new_pipe(state: &mut State) -> NodeId {
    let kernel = Rc::make_mut(&mut state.kernel);
    let mut node = Node::new(Kind::Pipe(Rc::default()), 0o600);
    node.touch(kernel.clock.now());
    kernel.tree.add(node)
}

fn make_pipe(m: &mut Machine<'_>, state: &mut State, args: &Args, flags: u32) -> Answer {
    let place = room(m, state, args.value(0), 8)?;
    let second = state.kernel.free(0)? + 1;
    state.kernel.free(second)?;
    let pipe = new_pipe(state);
    let mode = flags & O_NONBLOCK;
    let ends = [
        OpenFile::new(pipe, mode),
        OpenFile::new(pipe, mode | O_WRONLY),
    ];
    install_pair(m, state, ends, flags & O_CLOEXEC != 0, place)
}

/// `socketpair`: two pipes, one in each direction.
pub(super) fn socketpair(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let kind = args.word(m, state, 1) as u32;
    let place = room(m, state, args.value(3), 8)?;
    let second = state.kernel.free(0)? + 1;
    state.kernel.free(second)?;
    let (here, there) = (new_pipe(state), new_pipe(state));
    let mode = O_RDWR | kind & O_NONBLOCK;
    let end = |node, peer| OpenFile {
        peer: Some(peer),
        ..OpenFile::new(node, mode)
    };
    let ends = [end(here, there), end(there, here)];
    install_pair(m, state, ends, kind & O_CLOEXEC != 0, place)
}

fn install_pair(
    m: &mut Machine<'_>,
    state: &mut State,
    ends: [OpenFile; 2],
    close_on_exec: bool,
    place: Option<crate::pointers::Spot>,
) -> Answer {
    let mut bytes = Vec::new();
    for end in ends {
        let kernel = Rc::make_mut(&mut state.kernel);
        let descriptor = kernel.install(end, close_on_exec)?;
        bytes.extend(crate::kernel::bytes::known(&descriptor.to_le_bytes()));
    }
    fill(m, state, place, &bytes);
    DONE
}

/// Whether the end of a socket pair that reads there is open still.
fn has_end(state: &State, node: NodeId) -> bool {
    let mut open = state.kernel.open.iter().flatten();
    open.any(|file| file.node == node)
}

/// What of `POLLIN` and the others holds of a descriptor now.
pub(super) fn readiness(state: &State, descriptor: i32) -> Result<u16, Break> {
    let file = state.kernel.file(descriptor)?;
    let node = state.kernel.tree.get(file.node);
    let contents = match &node.kind {
        Kind::Pipe(contents) => contents,
        Kind::Event(event) => return Ok(events::readiness_of(state, event)),
        Kind::Socket(Socket::Datagram) if state.kernel.peers.is_empty() => return Ok(POLLOUT),
        Kind::Socket(Socket::Datagram) => return Ok(POLLIN | POLLOUT),
        Kind::Socket(Socket::Open) => return Ok(POLLOUT | POLLHUP),
        Kind::Socket(Socket::Listening) if state.kernel.peers.is_empty() => return Ok(0),
        Kind::Socket(Socket::Listening) => return Ok(POLLIN),
        _ => return Ok(POLLIN | POLLOUT),
    };
    let mut ready = 0;
    if file.reads() {
        if contents.size() > 0 {
            ready |= POLLIN;
        }
        if !super::transfer::has_writer(state, file.node) {
            // A read of a connection that is over gives nothing, and does so at once.
            let is_left = file.peer.is_some_and(|peer| has_end(state, peer));
            ready |= if file.peer.is_some() { POLLIN } else { 0 };
            ready |= if is_left { 0 } else { POLLHUP };
        }
    }
    if file.writes() {
        let target = file.peer.unwrap_or(file.node);
        let room = match state.kernel.tree.find(target).map(|node| &node.kind) {
            Some(Kind::Pipe(contents)) => contents.size() < PIPE,
            _ => false,
        };
        if !super::transfer::has_reader(state, target) {
            ready |= POLLERR;
        } else if room {
            ready |= POLLOUT;
        }
    }
    Ok(ready)
}

pub(super) fn poll(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let timeout = args.int(m, state, 2);
    let timeout = u64::try_from(timeout).ok();
    poll_for(m, state, args, timeout.map(|it| it * MILLISECOND))
}

pub(super) fn ppoll(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let timeout = time_at(m, state, args, 2, SECOND, 1)?;
    poll_for(m, state, args, timeout)
}

/// The time that two numbers in memory say, if there are any.
fn time_at(
    m: &mut Machine<'_>,
    state: &mut State,
    args: &Args,
    argument: usize,
    whole: u64,
    fraction: u64,
) -> Result<Option<u64>, Break> {
    if args.is_null(m, state, argument) {
        return Ok(None);
    }
    let words = get_words(m, state, args.value(argument), 2)?;
    if (words[0] as i64) < 0 || words[1].saturating_mul(fraction) >= SECOND {
        return fail(EINVAL);
    }
    let time = words[0].saturating_mul(whole);
    Ok(Some(time.saturating_add(words[1] * fraction)))
}

fn poll_for(m: &mut Machine<'_>, state: &mut State, args: &Args, timeout: Option<u64>) -> Answer {
    let count = args.word(m, state, 1);
    if count > state.kernel.limits.files as u64 {
        return fail(EINVAL);
    }
    let mut asked = Vec::new();
    for i in 0..count {
        let descriptor = get_number(m, state, args.value(0), 8 * i, 4)? as i32;
        let events = get_number(m, state, args.value(0), 8 * i + 4, 2)? as u16;
        let address = m.offset(args.value(0), 8 * i as i64 + 6);
        asked.push((descriptor, events, room(m, state, address, 2)?));
    }
    let answer = |state: &State| -> Vec<u16> {
        let found = asked
            .iter()
            .map(|&(descriptor, events, _)| match descriptor {
                ..0 => 0,
                _ => match readiness(state, descriptor) {
                    Ok(ready) => ready & (events | POLLERR | POLLHUP),
                    Err(_) => POLLNVAL,
                },
            });
        found.collect()
    };
    let mut answers = answer(state);
    if answers.iter().all(|&found| found == 0) && timeout != Some(0) {
        let all: Vec<i32> = asked.iter().map(|&(descriptor, ..)| descriptor).collect();
        if events::wait_for_any(m, state, &all, timeout)? {
            answers = answer(state);
        }
    }
    let ready = answers.iter().filter(|&&found| found != 0).count();
    for (&found, &(_, _, place)) in answers.iter().zip(&asked) {
        fill(
            m,
            state,
            place,
            &crate::kernel::bytes::known(&found.to_le_bytes()),
        );
    }
    number(ready as u64)
}

pub(super) fn select(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let timeout = time_at(m, state, args, 4, SECOND, 1_000)?;
    select_for(m, state, args, timeout)
}

pub(super) fn pselect6(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let timeout = time_at(m, state, args, 4, SECOND, 1)?;
    select_for(m, state, args, timeout)
}

/// How many descriptors are ready, which of each set, and all that were asked for.
type Selected = (u64, Vec<Vec<u64>>, Vec<i32>);

fn select_for(m: &mut Machine<'_>, state: &mut State, args: &Args, timeout: Option<u64>) -> Answer {
    const WANTED: [u16; 3] = [POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, 0];
    let count = args.int(m, state, 0);
    let Ok(count) = usize::try_from(count) else {
        return fail(EINVAL);
    };
    let words = count.min(1024).div_ceil(64);
    let mut sets = Vec::new();
    for argument in 1..4 {
        if words == 0 || args.is_null(m, state, argument) {
            sets.push(None);
            continue;
        }
        let asked = get_words(m, state, args.value(argument), words)?;
        sets.push(Some((
            asked,
            room(m, state, args.value(argument), 8 * words)?,
        )));
    }
    let look = |state: &State| -> Result<Selected, Break> {
        let (mut ready, mut all) = (0, Vec::new());
        let mut answers: Vec<Vec<u64>> = Vec::new();
        for (set, wanted) in sets.iter().zip(WANTED) {
            let mut answer = vec![0; words];
            let asked = set.as_ref().map_or(&[][..], |(asked, _)| asked);
            for descriptor in 0..count.min(64 * asked.len()) {
                let (word, bit) = (descriptor / 64, 1 << (descriptor % 64));
                if asked[word] & bit == 0 {
                    continue;
                }
                all.push(descriptor as i32);
                let found = readiness(state, descriptor as i32).map_err(|_| Break::Errno(EBADF))?;
                if found & wanted != 0 {
                    answer[word] |= bit;
                    ready += 1;
                }
            }
            answers.push(answer);
        }
        Ok((ready, answers, all))
    };
    let (mut ready, mut answers, all) = look(state)?;
    if ready == 0 && timeout != Some(0) && events::wait_for_any(m, state, &all, timeout)? {
        (ready, answers, _) = look(state)?;
    }
    for (set, answer) in sets.into_iter().zip(answers) {
        if let Some((_, place)) = set {
            let bytes: Vec<u8> = answer.iter().flat_map(|word| word.to_le_bytes()).collect();
            fill(m, state, place, &crate::kernel::bytes::known(&bytes));
        }
    }
    number(ready)
}
