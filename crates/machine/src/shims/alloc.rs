//! `malloc` and its family.

use super::kernel::faults::allocation_fails;
use crate::incomplete::Incomplete;
use crate::kernel::errno::{EINVAL, ENOMEM};
use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::memory::{MAX_OBJECT, Place, Region};
use crate::outcome::{ErrorKind, Halt, error};
use crate::pointers::Spot;
use crate::state::State;
use crate::value::Value;
use program::Kind;

/// What `posix_memalign` wants alignments to be multiples of.
const POINTER: u64 = 8;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "malloc" | "_Znwm" | "_Znam" => malloc,
        "calloc" => calloc,
        "realloc" => realloc,
        "free" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm" => free,
        "aligned_alloc" | "memalign" => aligned_alloc,
        "posix_memalign" => posix_memalign,
        "malloc_usable_size" => usable_size,
        _ => return None,
    })
}

/// A concrete size: a symbolic one is bounded and forked over its values.
fn size(machine: &mut Machine<'_>, state: &mut State, size: Value) -> Result<u64, Halt> {
    if let Some(word) = size.as_word() {
        return Ok(word);
    }
    let most = machine.options.largest_symbolic_size;
    let term = size.term(&mut machine.store, 64);
    let bound = machine.store.bv(64, most);
    let bounded = machine.store.bv_ule(term, bound);
    let (holds, other) = machine.split(state, bounded);
    machine.successors.running.extend(other);
    if holds {
        return Ok(machine.concretize(state, size, 64));
    }
    // One size that there is room for and one that there is none for stand for the rest.
    machine.incomplete(state, Incomplete::LargeSize { most });
    let room = machine.store.bv(64, MAX_OBJECT);
    let fits = machine.store.bv_ule(term, room);
    let (_, other) = machine.split(state, fits);
    machine.successors.running.extend(other);
    let example = machine.example(state, size, 64);
    let value = machine.store.bv(64, example);
    let chosen = machine.store.eq(term, value);
    machine.assume(state, chosen);
    Ok(example)
}

/// A new heap object whose contents are as they were found.
fn uncleared(m: &mut Machine<'_>, state: &mut State, size: u64) -> Result<Returned, Halt> {
    let made = heap(m, state, size)?;
    if let Returned::Value(value) = made
        && let Some(address @ 1..) = value.as_word()
    {
        m.leave_uninitialised(state, address);
    }
    Ok(made)
}

/// A new heap object of zeros; null where there cannot be one so large.
fn heap(m: &mut Machine<'_>, state: &mut State, size: u64) -> Result<Returned, Halt> {
    if size > MAX_OBJECT {
        return Ok(Returned::Value(Value::ZERO));
    }
    let address = m.allocate(state, size, Region::Heap)?;
    Ok(Returned::Value(Value::word(address)))
}

pub(super) fn malloc(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let size = size(m, state, call.arg(0))?;
    if may_be_null(m, call) && allocation_fails(m, state)? {
        return Ok(Returned::Value(Value::ZERO));
    }
    uncleared(m, state, size)
}

/// Whether the function that was called gives null where there is no memory; that of C++
/// throws.
fn may_be_null(m: &Machine<'_>, call: &Invocation<'_>) -> bool {
    m.program.functions[call.function.index()].name == "malloc"
}

pub(super) fn calloc(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let (count, each) = (size(m, state, call.arg(0))?, size(m, state, call.arg(1))?);
    let Some(total) = count.checked_mul(each) else {
        return Ok(Returned::Value(Value::ZERO));
    };
    if allocation_fails(m, state)? {
        return Ok(Returned::Value(Value::ZERO));
    }
    heap(m, state, total)
}

pub(super) fn realloc(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let old = m.concretize(state, call.arg(0), 64);
    let new_size = size(m, state, call.arg(1))?;
    let id = match old {
        0 => None,
        _ => Some(heap_object(m, state, old, "realloc")?),
    };
    // glibc's way: what is made smaller than anything is freed.
    if let (Some(id), 0) = (id, new_size) {
        state.memory.release(id);
        return Ok(Returned::Value(Value::ZERO));
    }
    if new_size > MAX_OBJECT {
        return Ok(Returned::Value(Value::ZERO));
    }
    let new = m.allocate(state, new_size, Region::Heap)?;
    m.leave_uninitialised(state, new);
    if let Some(id) = id {
        let old_size = state.memory.object(id).map_or(0, |object| object.size);
        let n = old_size.min(new_size) as usize;
        let bytes = m.read(state, Spot::At(id, 0), n);
        let there = Spot::At(state.memory.id_of(new), 0);
        m.write(state, there, &bytes);
        state.memory.release(id);
    }
    Ok(Returned::Value(Value::word(new)))
}

pub(super) fn free(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let address = m.concretize(state, call.arg(0), 64);
    if address != 0 {
        let id = heap_object(m, state, address, "free")?;
        state.memory.release(id);
    }
    Ok(Returned::Nothing)
}

/// The living heap object that begins at the address.
fn heap_object(
    _: &mut Machine<'_>,
    state: &mut State,
    address: u64,
    what: &str,
) -> Result<u32, Halt> {
    match state.memory.place(address) {
        Place::In(id, 0) => match state.memory.object(id).map(|object| object.region) {
            Some(Region::Heap) => Ok(id),
            _ => error(
                ErrorKind::InvalidFree,
                format!("{what} of memory that was not allocated by malloc"),
            ),
        },
        Place::In(_, offset @ 1..) => error(
            ErrorKind::InvalidFree,
            format!("{what} of an address {offset} bytes into an object"),
        ),
        Place::Dead(death) if death.region == Region::Heap && death.base == address => error(
            ErrorKind::DoubleFree,
            format!("{what} of memory that was freed before"),
        ),
        Place::In(..) | Place::Dead(_) | Place::Nothing => error(
            ErrorKind::InvalidFree,
            format!("{what} of address {address:#x}, where no allocation is"),
        ),
    }
}

fn aligned_alloc(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let alignment = m.concretize(state, call.arg(0), 64);
    let size = size(m, state, call.arg(1))?;
    if size > MAX_OBJECT || alignment > MAX_OBJECT {
        return Ok(Returned::Value(Value::ZERO));
    }
    let address = m.allocate_aligned(state, size, alignment, Region::Heap)?;
    m.leave_uninitialised(state, address);
    Ok(Returned::Value(Value::word(address)))
}

fn posix_memalign(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let alignment = m.concretize(state, call.arg(1), 64);
    if !alignment.is_power_of_two() || !alignment.is_multiple_of(POINTER) {
        return Ok(Returned::Value(Value::word(EINVAL.0 as u64)));
    }
    let size = size(m, state, call.arg(2))?;
    if size > MAX_OBJECT || alignment > MAX_OBJECT {
        return Ok(Returned::Value(Value::word(ENOMEM.0 as u64)));
    }
    let address = m.allocate_aligned(state, size, alignment, Region::Heap)?;
    m.leave_uninitialised(state, address);
    m.store(state, call.arg(0), Kind::Ptr, Value::word(address))?;
    Ok(Returned::Value(Value::ZERO))
}

fn usable_size(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let address = m.concretize(state, call.arg(0), 64);
    if address == 0 {
        return Ok(Returned::Value(Value::ZERO));
    }
    let id = heap_object(m, state, address, "malloc_usable_size")?;
    let size = state.memory.object(id).map_or(0, |object| object.size);
    Ok(Returned::Value(Value::word(size)))
}
