//! System calls that fail although nothing is wrong: on request, up to so many on a path.
//!
//! Whether a call fails, and how, is an input of one byte, so that a test says which did:
//! 0 for success, or the number of one of the ways to fail. The real system fails when it
//! does, and only the machine can replay such a test.

use crate::kernel::errno::{EACCES, ECONNREFUSED, EINTR, EIO, EMFILE, ENOMEM, ENOSPC, Errno};
use crate::machine::Machine;
use crate::outcome::Halt;
use crate::state::{InputKind, State};
use std::rc::Rc;

/// A way to fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    Errno(Errno),
    /// One byte is transferred where more were asked for.
    Short,
}

/// The ways in which a call may fail.
fn ways(call: &str) -> &'static [Fault] {
    use Fault::{Errno, Short};
    match call {
        "read" | "readv" | "pread64" => &[Errno(EIO), Errno(EINTR), Short],
        "write" | "writev" | "pwrite64" => &[Errno(ENOSPC), Errno(EIO), Errno(EINTR), Short],
        "open" | "openat" | "creat" => &[Errno(EMFILE), Errno(EACCES)],
        "close" | "fsync" | "fdatasync" => &[Errno(EIO)],
        "truncate" | "ftruncate" | "fallocate" => &[Errno(ENOSPC), Errno(EIO)],
        "mkdir" | "mkdirat" | "link" | "linkat" | "symlink" | "symlinkat" | "rename"
        | "renameat" | "renameat2" => &[Errno(ENOSPC)],
        "mmap" | "mremap" | "malloc" => &[Errno(ENOMEM)],
        "dup" | "pipe" | "pipe2" | "socket" | "accept" | "accept4" => &[Errno(EMFILE)],
        "connect" => &[Errno(ECONNREFUSED)],
        _ => &[],
    }
}

/// How the call fails on this path, if it does. The path forks.
pub(super) fn decide(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &str,
) -> Result<Option<Fault>, Halt> {
    let ways = ways(call);
    let most = m.options.environment.failures;
    if ways.is_empty() || state.kernel.failures.count >= most {
        return Ok(None);
    }
    let value = match state.kernel.failures.deciding {
        Some(value) => value,
        None => {
            let name = format!("{call}_fail");
            let value = m.input_value(state, &name, 8, InputKind::Unsigned)?;
            let term = value.term(&mut m.store, 8);
            let last = m.store.bv(8, ways.len() as u64);
            let known = m.store.bv_ule(term, last);
            m.confine(state, known)?;
            Rc::make_mut(&mut state.kernel).failures.deciding = Some(value);
            value
        }
    };
    let way = m.concretize(state, value, 8) as usize;
    Ok(way.checked_sub(1).and_then(|at| ways.get(at)).copied())
}

/// The call is over.
pub(super) fn decided(state: &mut State, fault: Option<Fault>) {
    if state.kernel.failures.deciding.is_some() {
        let failures = &mut Rc::make_mut(&mut state.kernel).failures;
        failures.deciding = None;
        failures.count += u32::from(fault.is_some());
    }
}

/// Whether an allocation fails on this path; it forks.
pub(in crate::shims) fn allocation_fails(
    m: &mut Machine<'_>,
    state: &mut State,
) -> Result<bool, Halt> {
    let fault = decide(m, state, "malloc")?;
    decided(state, fault);
    Ok(fault.is_some())
}
