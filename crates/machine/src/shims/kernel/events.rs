//! Counters, timers and watches: `eventfd`, `timerfd` and `epoll`.
//!
//! A watch looks at descriptors when somebody asks. What became ready is not remembered, but
//! for those that are told of a change once, what they were told last is.

use super::descriptors::would_block;
use super::pipes::readiness;
use super::transfer::order_before;
use super::user::{Args, DONE, Layout, fail, get_number, get_words, number, put, room};
use super::{Answer, Break, signals};
use crate::kernel::bytes::{Byte, known};
use crate::kernel::clock::SECOND;
use crate::kernel::descriptors::{O_CLOEXEC, O_NONBLOCK, O_RDWR, OpenFile};
use crate::kernel::errno::{EEXIST, EINTR, EINVAL, ELOOP, ENOENT, EPERM};
use crate::kernel::tree::{Event, Kind, Node, NodeId, Watched};
use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;
use std::rc::Rc;

const MILLISECOND: u64 = 1_000_000;
/// What a counter holds at most.
const FULL: u64 = u64::MAX - 1;
/// A structure `epoll_event`, which is packed.
const EVENT_SIZE: usize = 12;

const POLLIN: u16 = 1;
const POLLOUT: u16 = 4;
/// Told of whether asked for or not: errors and hang-ups.
const ALWAYS: u32 = 0x18;
const EPOLLONESHOT: u32 = 1 << 30;
const EPOLLET: u32 = 1 << 31;

fn install(state: &mut State, event: Event, flags: u32) -> Answer {
    state.kernel.free(0)?;
    let kernel = Rc::make_mut(&mut state.kernel);
    let mut node = Node::new(Kind::Event(event), 0o600);
    node.touch(kernel.clock.now());
    let node = kernel.tree.add(node);
    let file = OpenFile::new(node, O_RDWR | flags & O_NONBLOCK);
    let descriptor = kernel.install(file, flags & O_CLOEXEC != 0)?;
    number(descriptor as u64)
}

fn event_of(state: &State, descriptor: i32) -> Result<(NodeId, Option<Event>), Break> {
    let node = state.kernel.file(descriptor)?.node;
    match &state.kernel.tree.get(node).kind {
        Kind::Event(event) => Ok((node, Some(event.clone()))),
        _ => Ok((node, None)),
    }
}

fn set(state: &mut State, node: NodeId, event: Event) {
    Rc::make_mut(&mut state.kernel).tree.get_mut(node).kind = Kind::Event(event);
}

/// Counters.
pub(super) fn eventfd(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let count = args.word(m, state, 0) & u64::from(u32::MAX);
    let is_semaphore = false;
    install(
        state,
        Event::Counter {
            count,
            is_semaphore,
        },
        0,
    )
}

pub(super) fn eventfd2(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const EFD_SEMAPHORE: u32 = 1;
    let count = args.word(m, state, 0) & u64::from(u32::MAX);
    let flags = args.word(m, state, 1) as u32;
    if flags & !(O_CLOEXEC | O_NONBLOCK | EFD_SEMAPHORE) != 0 {
        return fail(EINVAL);
    }
    let is_semaphore = flags & EFD_SEMAPHORE != 0;
    install(
        state,
        Event::Counter {
            count,
            is_semaphore,
        },
        flags,
    )
}

/// What a read of so many bytes gets; nothing is taken yet.
pub(super) fn taken(
    m: &mut Machine<'_>,
    state: &mut State,
    file: &OpenFile,
    event: &Event,
    wanted: usize,
) -> Result<Vec<Byte>, Break> {
    let found = match *event {
        Event::Watch(_) => return fail(EINVAL),
        _ if wanted < 8 => return fail(EINVAL),
        Event::Counter { count: 0, .. } => return would_block(m, state, file.flags),
        Event::Counter {
            is_semaphore: true, ..
        } => 1,
        Event::Counter { count, .. } => count,
        Event::Timer { next: 0, .. } => return would_block(m, state, file.flags),
        Event::Timer { next, .. } => {
            let left = next.saturating_sub(state.kernel.clock.nanoseconds);
            if left > 0 && file.flags & O_NONBLOCK != 0 {
                return would_block(m, state, file.flags);
            }
            if left > 0 && signals::wait(m, state, Some(left))? < left {
                return fail(EINTR);
            }
            let now = state.kernel.clock.nanoseconds;
            expirations(event, now)
        }
    };
    Ok(known(&found.to_le_bytes()))
}

/// Takes what a read got.
pub(super) fn take(state: &mut State, node: NodeId, event: &Event) {
    let now = state.kernel.clock.nanoseconds;
    let left = match *event {
        Event::Counter {
            count,
            is_semaphore,
        } => Event::Counter {
            count: if is_semaphore { count - 1 } else { 0 },
            is_semaphore,
        },
        Event::Timer { next, interval } => Event::Timer {
            next: match interval {
                0 => 0,
                _ => next + interval * expirations(event, now),
            },
            interval,
        },
        Event::Watch(_) => return,
    };
    set(state, node, left);
}

/// A write of eight bytes, which are added.
pub(super) fn add(
    m: &mut Machine<'_>,
    state: &mut State,
    file: &OpenFile,
    event: &Event,
    (address, size): (Value, u64),
) -> Answer {
    let Event::Counter {
        count,
        is_semaphore,
    } = *event
    else {
        return fail(EINVAL);
    };
    if size < 8 {
        return fail(EINVAL);
    }
    let more = get_number(m, state, address, 0, 8)?;
    if more == u64::MAX {
        return fail(EINVAL);
    }
    let Some(count) = count.checked_add(more).filter(|&count| count <= FULL) else {
        return would_block(m, state, file.flags);
    };
    let counter = Event::Counter {
        count,
        is_semaphore,
    };
    order_before(state, file.node);
    set(state, file.node, counter);
    number(8)
}

/// What holds of one that is asked now.
pub(super) fn readiness_of(state: &State, event: &Event) -> u16 {
    match event {
        Event::Counter { count, .. } => {
            let readable = if *count > 0 { POLLIN } else { 0 };
            let writable = if *count < FULL { POLLOUT } else { 0 };
            readable | writable
        }
        Event::Timer { .. } => {
            let rang = expirations(event, state.kernel.clock.nanoseconds) > 0;
            if rang { POLLIN } else { 0 }
        }
        Event::Watch(watched) => {
            let is_ready = |it: &Watched| ready_events(state, it) != 0;
            if watched.iter().any(is_ready) {
                POLLIN
            } else {
                0
            }
        }
    }
}

/// How long it is until the first of these descriptors that are timers rings.
pub(super) fn until_ring(state: &State, descriptors: &[i32]) -> Option<u64> {
    let rings =
        descriptors
            .iter()
            .filter_map(|&descriptor| match event_of(state, descriptor).ok()?.1? {
                Event::Timer { next: 0, .. } | Event::Counter { .. } => None,
                Event::Timer { next, .. } => {
                    Some(next.saturating_sub(state.kernel.clock.nanoseconds))
                }
                Event::Watch(watched) => {
                    let inner: Vec<i32> = watched.iter().map(|it| it.descriptor).collect();
                    until_ring(state, &inner)
                }
            });
    rings.min()
}

/// Waits until one of the descriptors may be ready or the time is over. Whether it is worth
/// looking again.
pub(super) fn wait_for_any(
    m: &mut Machine<'_>,
    state: &mut State,
    descriptors: &[i32],
    timeout: Option<u64>,
) -> Result<bool, Break> {
    let ring = until_ring(state, descriptors);
    let ring = ring.filter(|&ring| timeout.is_none_or(|timeout| ring <= timeout));
    let most = ring.or(timeout);
    if most.is_none() {
        super::descriptors::wait_for_others(m, state)?;
    }
    let waited = signals::wait(m, state, most)?;
    if most.is_none_or(|most| waited < most) {
        return fail(EINTR);
    }
    Ok(ring.is_some())
}

/// Timers.
pub(super) fn timerfd_create(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let flags = args.word(m, state, 1) as u32;
    if flags & !(O_CLOEXEC | O_NONBLOCK) != 0 {
        return fail(EINVAL);
    }
    let timer = Event::Timer {
        next: 0,
        interval: 0,
    };
    install(state, timer, flags)
}

fn timer_of(state: &State, descriptor: i32) -> Result<(NodeId, u64, u64), Break> {
    match event_of(state, descriptor)? {
        (node, Some(Event::Timer { next, interval })) => Ok((node, next, interval)),
        _ => fail(EINVAL),
    }
}

pub(super) fn timerfd_settime(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const ABSOLUTE: u64 = 1;
    let descriptor = args.int(m, state, 0);
    let (node, before, interval_before) = timer_of(state, descriptor)?;
    let flags = args.word(m, state, 1);
    let words = get_words(m, state, args.value(2), 4)?;
    if words[1] >= SECOND || words[3] >= SECOND || words.iter().any(|&it| (it as i64) < 0) {
        return fail(EINVAL);
    }
    let interval = words[0].saturating_mul(SECOND).saturating_add(words[1]);
    let value = words[2].saturating_mul(SECOND).saturating_add(words[3]);
    let old = match args.is_null(m, state, 3) {
        true => None,
        false => room(m, state, args.value(3), 32)?,
    };
    let left = shown(state, before, interval_before);
    super::user::fill(m, state, old, &known(&left));
    let now = state.kernel.clock.nanoseconds;
    let next = match (value, flags & ABSOLUTE) {
        (0, _) => 0,
        (value, 0) => now.saturating_add(value),
        (value, _) => value,
    };
    set(state, node, Event::Timer { next, interval });
    DONE
}

pub(super) fn timerfd_gettime(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let descriptor = args.int(m, state, 0);
    let (_, next, interval) = timer_of(state, descriptor)?;
    let left = shown(state, next, interval);
    put(m, state, args.value(1), &left)?;
    DONE
}

/// A structure `itimerspec`.
fn shown(state: &State, next: u64, interval: u64) -> Vec<u8> {
    let now = state.kernel.clock.nanoseconds;
    let left = match (next, interval) {
        (0, _) => 0,
        (next, _) if next > now => next - now,
        (_, 0) => 0,
        (next, interval) => interval - (now - next) % interval,
    };
    let layout = Layout::default();
    let layout = layout.u64(interval / SECOND).u64(interval % SECOND);
    layout.u64(left / SECOND).u64(left % SECOND).0
}

/// How often a timer rang.
fn expirations(event: &Event, now: u64) -> u64 {
    match *event {
        Event::Timer { next, interval } if next != 0 && next <= now => match interval {
            0 => 1,
            _ => (now - next) / interval + 1,
        },
        _ => 0,
    }
}

/// Watches.
pub(super) fn epoll_create(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    if args.int(m, state, 0) <= 0 {
        return fail(EINVAL);
    }
    install(state, Event::Watch(Rc::default()), 0)
}

pub(super) fn epoll_create1(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let flags = args.word(m, state, 0) as u32;
    if flags & !O_CLOEXEC != 0 {
        return fail(EINVAL);
    }
    install(state, Event::Watch(Rc::default()), flags)
}

pub(super) fn epoll_ctl(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const ADD: i32 = 1;
    const REMOVE: i32 = 2;
    const CHANGE: i32 = 3;
    let (watch, command) = (args.int(m, state, 0), args.int(m, state, 1));
    let descriptor = args.int(m, state, 2);
    let (events, data) = match command {
        REMOVE => (0, 0),
        _ => (
            get_number(m, state, args.value(3), 0, 4)? as u32,
            get_number(m, state, args.value(3), 4, 8)?,
        ),
    };
    let open = state.kernel.open_number(descriptor)?;
    let (node, found) = event_of(state, watch)?;
    let (_, other) = event_of(state, descriptor)?;
    let Some(Event::Watch(watched)) = found else {
        return fail(EINVAL);
    };
    if watch == descriptor {
        return fail(EINVAL);
    }
    if let Some(Event::Watch(inner)) = &other
        && inner
            .iter()
            .any(|it| state.kernel.open_number(watch) == Ok(it.open))
    {
        return fail(ELOOP);
    }
    // Files are always ready, and are not watched.
    let target = state.kernel.file(descriptor)?.node;
    if let Kind::File(_) | Kind::Directory(_) | Kind::Host(..) = state.kernel.tree.get(target).kind
    {
        return fail(EPERM);
    }
    let mut watched = (*watched).clone();
    let is_it = |it: &Watched| it.descriptor == descriptor && it.open == open;
    let at = watched.iter().position(is_it);
    let entry = Watched {
        descriptor,
        open,
        events,
        data,
        told: 0,
        is_off: false,
    };
    match (command, at) {
        (ADD, Some(_)) => return fail(EEXIST),
        (ADD, None) => watched.push(entry),
        (REMOVE | CHANGE, None) => return fail(ENOENT),
        (REMOVE, Some(at)) => drop(watched.remove(at)),
        (CHANGE, Some(at)) => watched[at] = entry,
        _ => return fail(EINVAL),
    }
    set(state, node, Event::Watch(Rc::new(watched)));
    DONE
}

/// What of the events that are asked for holds, and is news where only that is wanted.
fn ready_events(state: &State, watched: &Watched) -> u32 {
    let is_same = state.kernel.open_number(watched.descriptor) == Ok(watched.open);
    if watched.is_off || !is_same {
        return 0;
    }
    let found = readiness(state, watched.descriptor).unwrap_or(0);
    let found = u32::from(found) & (watched.events | ALWAYS);
    match watched.events & EPOLLET {
        0 => found,
        _ if found & !watched.told == 0 => 0,
        _ => found,
    }
}

pub(super) fn epoll_wait(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let timeout = args.int(m, state, 3);
    let timeout = u64::try_from(timeout).ok().map(|it| it * MILLISECOND);
    wait_for_events(m, state, args, timeout)
}

pub(super) fn epoll_pwait2(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let timeout = match args.is_null(m, state, 3) {
        true => None,
        false => {
            let words = get_words(m, state, args.value(3), 2)?;
            Some(words[0].saturating_mul(SECOND).saturating_add(words[1]))
        }
    };
    wait_for_events(m, state, args, timeout)
}

fn wait_for_events(
    m: &mut Machine<'_>,
    state: &mut State,
    args: &Args,
    timeout: Option<u64>,
) -> Answer {
    let watch = args.int(m, state, 0);
    let most = args.int(m, state, 2);
    let (node, found) = event_of(state, watch)?;
    let (Some(Event::Watch(watched)), Ok(most @ 1..)) = (found, usize::try_from(most)) else {
        return fail(EINVAL);
    };
    let mut watched = (*watched).clone();
    let all: Vec<i32> = watched.iter().map(|it| it.descriptor).collect();
    let mut ready = ready_among(state, &watched, most);
    if ready.is_empty() && timeout != Some(0) && wait_for_any(m, state, &all, timeout)? {
        ready = ready_among(state, &watched, most);
    }
    let place = room(m, state, args.value(1), EVENT_SIZE * ready.len())?;
    let mut layout = Layout::default();
    for &(at, events) in &ready {
        layout = layout.u32(events).u64(watched[at].data);
    }
    super::user::fill(m, state, place, &known(&layout.0));
    for it in &mut watched {
        let found = readiness(state, it.descriptor).unwrap_or(0);
        // What went away is news when it comes back.
        it.told &= u32::from(found);
    }
    for &(at, events) in &ready {
        watched[at].told |= events;
        watched[at].is_off = watched[at].events & EPOLLONESHOT != 0;
    }
    set(state, node, Event::Watch(Rc::new(watched)));
    number(ready.len() as u64)
}

fn ready_among(state: &State, watched: &[Watched], most: usize) -> Vec<(usize, u32)> {
    let found = watched.iter().enumerate();
    let found = found.map(|(at, it)| (at, ready_events(state, it)));
    found
        .filter(|(_, events)| *events != 0)
        .take(most)
        .collect()
}
