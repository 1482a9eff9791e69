//! What a program asks of its process: who it is, its limits, randomness, its end.

use super::user::{Args, DONE, Layout, fail, get_number, get_words, number, put, room};
use super::{Answer, files};
use crate::kernel::descriptors::O_NONBLOCK;
use crate::kernel::errno::{EINVAL, ENOTTY, ESRCH};
use crate::kernel::limits::{OPEN_FILES, USER};
use crate::kernel::tree::Kind;
use crate::machine::Machine;
use crate::state::{InputKind, State};
use std::rc::Rc;

/// The number of the process, and of its first thread.
pub(super) const PROCESS: u64 = 1000;
/// The user it belongs to.
pub(super) const USER_NUMBER: u32 = USER;
const PARENT: u64 = 999;
/// Random numbers that need not be good.
const GRND_INSECURE: u64 = 4;

/// What one `getrandom` gives at most.
const RANDOM: u64 = 256;

pub(super) fn own_number(_: &mut Machine<'_>, _: &mut State, _: &Args) -> Answer {
    number(PROCESS)
}

/// The system's number for the running thread, by which libraries tell threads apart.
pub(super) fn thread_number(_: &mut Machine<'_>, state: &mut State, _: &Args) -> Answer {
    let running = state.threads.as_ref().map_or(0, |it| it.running());
    number(PROCESS + running as u64)
}

pub(super) fn parent_number(_: &mut Machine<'_>, _: &mut State, _: &Args) -> Answer {
    number(PARENT)
}

pub(super) fn user(_: &mut Machine<'_>, _: &mut State, _: &Args) -> Answer {
    number(USER.into())
}

/// The three users or groups of the process, which are one.
pub(super) fn users(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    for i in 0..3 {
        put(m, state, args.value(i), &USER.to_le_bytes())?;
    }
    DONE
}

/// Becoming who one is already changes nothing, and nobody else can be become.
pub(super) fn set_user(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    match args.word(m, state, 0) as u32 {
        USER | u32::MAX => DONE,
        _ => fail(crate::kernel::errno::EPERM),
    }
}

/// A process without other groups than its own.
pub(super) fn getgroups(_: &mut Machine<'_>, _: &mut State, _: &Args) -> Answer {
    DONE
}

pub(super) fn uname(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let fields = ["Linux", "everypath", "6.1.0", "#1", "x86_64", "(none)"];
    let mut bytes = Vec::new();
    for field in fields {
        let start = bytes.len();
        bytes.extend(field.as_bytes());
        bytes.resize(start + 65, 0);
    }
    put(m, state, args.value(0), &bytes)?;
    DONE
}

pub(super) fn sysinfo(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const MEMORY: u64 = 1 << 32;
    let layout = Layout::default().u64(1).zeros(24);
    let layout = layout.u64(MEMORY).u64(MEMORY / 2).zeros(32);
    let layout = layout.u16(1).u16(0).u32(0).zeros(16).u32(1).u32(0);
    put(m, state, args.value(0), &layout.0)?;
    DONE
}

pub(super) fn getrandom(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let count = args.word(m, state, 1).min(RANDOM) as usize;
    let room = room(m, state, args.value(0), count)?;
    // The last thing that can fork is behind us: an input is made once.
    if let Some(spot) = room {
        let bytes = match args.word(m, state, 2) & GRND_INSECURE {
            0 => m.input(state, "getrandom", count, InputKind::Bytes)?,
            // What spreads the keys of hash tables, and is no secret: with inputs in its
            // place every look-up would be a choice. One seed is as good as another.
            _ => (0..count).map(|i| m.store.bv(8, i as u64 & 0xff)).collect(),
        };
        m.write(state, spot, &bytes);
    }
    number(count as u64)
}

pub(super) fn getrlimit(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let resource = args.word(m, state, 0) as usize;
    let Some(&(soft, hard)) = state.kernel.limits.all.get(resource) else {
        return fail(EINVAL);
    };
    put(
        m,
        state,
        args.value(1),
        &Layout::default().u64(soft).u64(hard).0,
    )?;
    DONE
}

/// Robust mutexes are known by the threads that hold them, and no list is kept for that.
pub(super) fn get_robust_list(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    for pointer in [1, 2] {
        put(m, state, args.value(pointer), &Layout::default().u64(0).0)?;
    }
    DONE
}

pub(super) fn setrlimit(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let resource = args.word(m, state, 0) as usize;
    let words = get_words(m, state, args.value(1), 2)?;
    set_limit(state, resource, words[0], words[1])
}

fn set_limit(state: &mut State, resource: usize, soft: u64, hard: u64) -> Answer {
    let Some(&(_, highest)) = state.kernel.limits.all.get(resource) else {
        return fail(EINVAL);
    };
    if soft > hard {
        return fail(EINVAL);
    }
    if hard > highest {
        return fail(crate::kernel::errno::EPERM);
    }
    let limits = &mut Rc::make_mut(&mut state.kernel).limits;
    limits.all[resource] = (soft, hard);
    if resource == OPEN_FILES {
        limits.files = soft as usize;
    }
    DONE
}

pub(super) fn prlimit64(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let process = args.word(m, state, 0);
    let resource = args.word(m, state, 1) as usize;
    if process != 0 && process != PROCESS {
        return fail(ESRCH);
    }
    let Some(&(soft, hard)) = state.kernel.limits.all.get(resource) else {
        return fail(EINVAL);
    };
    let new = match args.is_null(m, state, 2) {
        true => None,
        false => Some(get_words(m, state, args.value(2), 2)?),
    };
    if !args.is_null(m, state, 3) {
        put(
            m,
            state,
            args.value(3),
            &Layout::default().u64(soft).u64(hard).0,
        )?;
    }
    match new {
        Some(words) => set_limit(state, resource, words[0], words[1]),
        None => DONE,
    }
}

/// One processor.
pub(super) fn sched_getaffinity(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let size = args.word(m, state, 1);
    if size < 8 {
        return fail(EINVAL);
    }
    put(m, state, args.value(2), &1_u64.to_le_bytes())?;
    number(8)
}

/// What can be done without doing anything.
pub(super) fn nothing(_: &mut Machine<'_>, _: &mut State, _: &Args) -> Answer {
    DONE
}

pub(super) fn end(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let status = args.value(0).term(&mut m.store, 64);
    let status = m.store.extract(status, 0, 32);
    let status = crate::value::Value::of(&m.store, status);
    Ok(m.end(state, status)?)
}

pub(super) fn prctl(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const SET_NAME: i32 = 15;
    const GET_NAME: i32 = 16;
    match args.int(m, state, 0) {
        SET_NAME => DONE,
        GET_NAME => {
            let mut name = crate::environment::PROGRAM_NAME.as_bytes().to_vec();
            name.resize(16, 0);
            put(m, state, args.value(1), &name)?;
            DONE
        }
        _ => fail(EINVAL),
    }
}

pub(super) fn ioctl(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const FIONREAD: u64 = 0x541b;
    const FIONBIO: u64 = 0x5421;
    const FIONCLEX: u64 = 0x5450;
    const FIOCLEX: u64 = 0x5451;
    let descriptor = args.int(m, state, 0);
    let request = args.word(m, state, 1) & u64::from(u32::MAX);
    let file = state.kernel.file(descriptor)?.clone();
    match request {
        FIONREAD => {
            let size = match &state.kernel.tree.get(file.node).kind {
                Kind::Pipe(contents) => contents.size() as u64,
                Kind::File(_) | Kind::Stream(_) => {
                    files::size(m, state, file.node)?.saturating_sub(file.offset)
                }
                _ => return fail(ENOTTY),
            };
            put(m, state, args.value(2), &(size as u32).to_le_bytes())?;
            DONE
        }
        FIONBIO => {
            let on = get_number(m, state, args.value(2), 0, 4)? != 0;
            let file = Rc::make_mut(&mut state.kernel).file_mut(descriptor)?;
            let flag = O_NONBLOCK;
            file.flags = file.flags & !flag | if on { flag } else { 0 };
            DONE
        }
        FIONCLEX | FIOCLEX => {
            let kernel = Rc::make_mut(&mut state.kernel);
            if let Some(found) = &mut kernel.descriptors[descriptor as usize] {
                found.close_on_exec = request == FIOCLEX;
            }
            DONE
        }
        // Nothing here is a terminal.
        _ => fail(ENOTTY),
    }
}
