//! `malloc` and its family.

use super::kernel::faults::allocation_fails;
use crate::incomplete::Incomplete;
use crate::kernel::errno::{EINVAL, ENOMEM};
use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::memory::{Allocator, Death, MAX_MEMORY, MAX_OBJECT, Place, Region};
use crate::outcome::{ErrorKind, Halt, error};
use crate::pointers::Spot;
use crate::state::State;
use crate::value::Value;
use program::Kind;

/// What `posix_memalign` wants alignments to be multiples of.
const POINTER: u64 = 8;

pub(super) fn find(name: &str) -> Option<Shim> {
    Some(match name {
        "malloc" => malloc,
        "calloc" => calloc,
        "realloc" => realloc,
        "free" => free,
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
    // One size that there is room for, one that there never is, and one between them stand
    // for the rest.
    machine.incomplete(state, Incomplete::LargeSize { most });
    for room in [MAX_OBJECT, MAX_MEMORY] {
        let room = machine.store.bv(64, room);
        let fits = machine.store.bv_ule(term, room);
        let (_, other) = machine.split(state, fits);
        machine.successors.running.extend(other);
    }
    let example = machine.example(state, size, 64);
    let value = machine.store.bv(64, example);
    let chosen = machine.store.eq(term, value);
    machine.assume(state, chosen);
    Ok(example)
}

/// What is asked of an allocator.
pub(super) struct Request {
    pub bytes: Value,
    pub alignment: u64,
    pub allocator: Allocator,
    /// Whether the program learns of it where there is no memory.
    pub may_fail: bool,
}

/// A new object; null where there cannot be one so large, and where it may fail and does.
pub(super) fn allocate(
    m: &mut Machine<'_>,
    state: &mut State,
    request: &Request,
) -> Result<Value, Halt> {
    let size = size(m, state, request.bytes)?;
    if request.may_fail && allocation_fails(m, state)? {
        return Ok(Value::ZERO);
    }
    uncleared(m, state, size, request.alignment, request.allocator)
}

/// A new heap object whose contents are as they were found.
fn uncleared(
    m: &mut Machine<'_>,
    state: &mut State,
    size: u64,
    alignment: u64,
    allocator: Allocator,
) -> Result<Value, Halt> {
    let made = heap(m, state, size, alignment, allocator)?;
    if let Some(address @ 1..) = made.as_word() {
        m.leave_uninitialised(state, address);
    }
    Ok(made)
}

/// A new heap object of zeros; null where no system has room for it.
fn heap(
    m: &mut Machine<'_>,
    state: &mut State,
    size: u64,
    alignment: u64,
    allocator: Allocator,
) -> Result<Value, Halt> {
    if size > MAX_MEMORY || alignment > MAX_MEMORY {
        return Ok(Value::ZERO);
    }
    let address = m.allocate_aligned(state, size, alignment, Region::Heap(allocator))?;
    Ok(Value::word(address))
}

fn malloc(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let request = Request {
        bytes: call.arg(0),
        alignment: 1,
        allocator: Allocator::Malloc,
        may_fail: true,
    };
    allocate(m, state, &request).map(Returned::Value)
}

/// The same of zeros.
pub(super) fn allocate_zeros(
    m: &mut Machine<'_>,
    state: &mut State,
    request: &Request,
) -> Result<Value, Halt> {
    let size = size(m, state, request.bytes)?;
    heap(m, state, size, request.alignment, request.allocator)
}

fn calloc(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    let (count, each) = (size(m, state, call.arg(0))?, size(m, state, call.arg(1))?);
    let Some(total) = count.checked_mul(each) else {
        return Ok(Returned::Value(Value::ZERO));
    };
    if allocation_fails(m, state)? {
        return Ok(Returned::Value(Value::ZERO));
    }
    heap(m, state, total, 1, Allocator::Malloc).map(Returned::Value)
}

fn realloc(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    reallocate(m, state, call.arg(0), call.arg(1), 1)
}

/// Another size for what `malloc` made, at an address with this alignment.
pub(super) fn reallocate(
    m: &mut Machine<'_>,
    state: &mut State,
    old: Value,
    bytes: Value,
    alignment: u64,
) -> Result<Returned, Halt> {
    let old = m.concretize(state, old, 64);
    let new_size = size(m, state, bytes)?;
    let id = match old {
        0 => None,
        _ => Some(heap_object(state, old, Allocator::Malloc, "realloc")?),
    };
    // glibc's way: what is made smaller than anything is freed.
    if let (Some(id), 0) = (id, new_size) {
        state.memory.release(id);
        return Ok(Returned::Value(Value::ZERO));
    }
    if new_size > MAX_MEMORY || alignment > MAX_MEMORY {
        return Ok(Returned::Value(Value::ZERO));
    }
    let new = m.allocate_aligned(state, new_size, alignment, Region::Heap(Allocator::Malloc))?;
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
    release(m, state, call.arg(0), Allocator::Malloc)
}

/// Ends the life of an object of this allocator, or of none if the address is null.
pub(super) fn release(
    m: &mut Machine<'_>,
    state: &mut State,
    address: Value,
    allocator: Allocator,
) -> Result<Returned, Halt> {
    let address = m.concretize(state, address, 64);
    if address != 0 {
        let id = heap_object(state, address, allocator, allocator.counterpart())?;
        state.memory.release(id);
    }
    Ok(Returned::Nothing)
}

/// The living heap object of this allocator that begins at the address.
fn heap_object(
    state: &mut State,
    address: u64,
    allocator: Allocator,
    what: &str,
) -> Result<u32, Halt> {
    match state.memory.place(address) {
        Place::In(id, 0) => match state.memory.object(id).map(|object| object.region) {
            Some(Region::Heap(by)) if by == allocator || by == Allocator::Any => Ok(id),
            Some(Region::Heap(by)) => error(
                ErrorKind::InvalidFree,
                format!("{what} of memory that was allocated by {}", by.name()),
            ),
            _ => error(
                ErrorKind::InvalidFree,
                format!(
                    "{what} of memory that was not allocated by {}",
                    allocator.name()
                ),
            ),
        },
        Place::In(_, offset @ 1..) => error(
            ErrorKind::InvalidFree,
            format!("{what} of an address {offset} bytes into an object"),
        ),
        Place::Dead(Death {
            region: Region::Heap(_),
            base,
            ..
        }) if base == address => error(
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
    uncleared(m, state, size, alignment, Allocator::Malloc).map(Returned::Value)
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
    if size > MAX_MEMORY || alignment > MAX_MEMORY {
        return Ok(Returned::Value(Value::word(ENOMEM.0 as u64)));
    }
    let address = m.allocate_aligned(state, size, alignment, Region::Heap(Allocator::Malloc))?;
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
    let id = heap_object(state, address, Allocator::Malloc, "malloc_usable_size")?;
    let size = state.memory.object(id).map_or(0, |object| object.size);
    Ok(Returned::Value(Value::word(size)))
}
