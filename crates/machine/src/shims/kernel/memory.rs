//! Memory that the program asks the system for: mappings and the break.
//!
//! A mapping is an object of its own. One of a file that is shared is brought up to date
//! when the file is read or written by its descriptor, and the other way round, which is
//! all that one process can see of it.

use super::Answer;
use super::files;
use super::user::{Args, DONE, fail, number};
use crate::kernel::bytes::terms;
use crate::kernel::errno::{EACCES, EEXIST, EINVAL, ENODEV, ENOMEM, EPERM};
use crate::kernel::tree::{Device, Kind, Mapping, NodeId};
use crate::machine::Machine;
use crate::memory::{MAX_OBJECT, Place, Region};
use crate::outcome::unsupported;
use crate::pointers::Spot;
use crate::state::State;
use std::ops::Range;
use std::rc::Rc;

const PAGE: u64 = 4096;
const PROT_WRITE: u64 = 2;
const MAP_PRIVATE: u64 = 2;
const MAP_KIND: u64 = 3;
const MAP_TYPE: u64 = 0xf;
const MAP_SHARED_VALIDATE: u64 = 3;
const MAP_FIXED: u64 = 0x10;
const MAP_ANONYMOUS: u64 = 0x20;
const MAP_FIXED_NOREPLACE: u64 = 0x10_0000;
/// Below this Linux maps nothing for ordinary users.
const LOWEST: u64 = 1 << 16;
/// How far the break can be moved.
const BREAK: u64 = 1 << 24;

pub(super) fn mmap(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let hint = args.word(m, state, 0);
    let (length, protection) = (args.word(m, state, 1), args.word(m, state, 2));
    let flags = args.word(m, state, 3);
    let offset = args.word(m, state, 5);
    if length == 0
        || !offset.is_multiple_of(PAGE)
        || !(1..=MAP_SHARED_VALIDATE).contains(&(flags & MAP_TYPE))
    {
        return fail(EINVAL);
    }
    if length > MAX_OBJECT {
        return fail(ENOMEM);
    }
    let size = length.next_multiple_of(PAGE);
    let is_shared = flags & MAP_KIND != MAP_PRIVATE;
    let source = match flags & MAP_ANONYMOUS {
        0 => {
            let descriptor = args.int(m, state, 4);
            let file = state.kernel.file(descriptor)?.clone();
            if !file.reads() || is_shared && protection & PROT_WRITE != 0 && !file.writes() {
                return fail(EACCES);
            }
            files::settle(m, state, file.node)?;
            match state.kernel.tree.get(file.node).kind {
                Kind::File(_) => Some(file.node),
                Kind::Device(Device::Zero) => None,
                _ => return fail(ENODEV),
            }
        }
        _ => None,
    };
    let is_fixed = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE) != 0;
    if is_fixed && !hint.is_multiple_of(PAGE) {
        return fail(EINVAL);
    }
    if is_fixed && hint < LOWEST {
        return fail(EPERM);
    }
    let address = match is_fixed {
        false => m.allocate_aligned(state, size, PAGE, Region::Global)?,
        true if state.memory.allocate_at(hint, size).is_some() => hint,
        true if flags & MAP_FIXED == 0 => return fail(EEXIST),
        true => over(m, state, hint, size)?,
    };
    if let Some(node) = source {
        let from = offset as usize;
        map_file(
            m,
            state,
            node,
            address,
            from..from + size as usize,
            is_shared,
        )?;
    }
    number(address)
}

/// Zeros in the place of what was mapped before.
fn over(m: &mut Machine<'_>, state: &mut State, at: u64, size: u64) -> Result<u64, super::Break> {
    let Place::In(id, offset) = state.memory.place(at) else {
        return Ok(unsupported(
            "a mapping that ends in another and begins before it",
        )?);
    };
    let room = state.memory.object(id).map_or(0, |object| object.size);
    if offset < 0 || offset as u64 + size > room {
        return Ok(unsupported(
            "a mapping that begins in another and ends after it",
        )?);
    }
    let zero = m.store.bv(8, 0);
    m.write(
        state,
        Spot::At(id, offset as usize),
        &vec![zero; size as usize],
    );
    Ok(at)
}

/// Shows this part of a file at an address, where there are zeros.
fn map_file(
    m: &mut Machine<'_>,
    state: &mut State,
    node: NodeId,
    address: u64,
    part: Range<usize>,
    is_shared: bool,
) -> Result<(), super::Break> {
    let (Kind::File(contents), Place::In(object, at)) = (
        &state.kernel.tree.get(node).kind,
        state.memory.place(address),
    ) else {
        return Ok(());
    };
    let bytes = contents.read(part.start, part.len());
    if !bytes.is_empty() {
        let terms = terms(&mut m.store, &bytes);
        m.write(state, Spot::At(object, at as usize), &terms);
    }
    if is_shared && at != 0 {
        return Ok(unsupported(
            "a shared mapping of a file inside another mapping",
        )?);
    }
    if is_shared {
        let tree = &mut Rc::make_mut(&mut state.kernel).tree;
        let mappings = &mut tree.get_mut(node).mappings;
        Rc::make_mut(mappings).push(Mapping {
            object,
            from: part.start,
            size: part.len(),
        });
    }
    Ok(())
}

/// Ends mappings that are unmapped as a whole. Of one that is unmapped in part nothing
/// is taken away: using that part is an error that stays unnoticed.
pub(super) fn munmap(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let (address, length) = (args.word(m, state, 0), args.word(m, state, 1));
    if !address.is_multiple_of(PAGE) || length == 0 {
        return fail(EINVAL);
    }
    let Place::In(id, 0) = state.memory.place(address) else {
        return DONE;
    };
    let object = state
        .memory
        .object(id)
        .map(|object| (object.size, object.region));
    let Some((size, Region::Global)) = object else {
        return fail(EINVAL);
    };
    if length.next_multiple_of(PAGE) >= size {
        write_back(m, state, id);
        state.memory.release(id);
    }
    DONE
}

/// Brings what a mapping holds into its file, before the mapping ends.
fn write_back(m: &mut Machine<'_>, state: &mut State, object: u32) {
    let Some(node) = state.kernel.tree.mapped(object) else {
        return;
    };
    files::fetch_mapped(m, state, node);
    let tree = &mut Rc::make_mut(&mut state.kernel).tree;
    let mappings = Rc::make_mut(&mut tree.get_mut(node).mappings);
    mappings.retain(|mapping| mapping.object != object);
}

pub(super) fn msync(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let address = args.word(m, state, 0);
    let Place::In(id, _) = state.memory.place(address) else {
        return fail(ENOMEM);
    };
    if let Some(node) = state.kernel.tree.mapped(id) {
        files::fetch_mapped(m, state, node);
    }
    DONE
}

pub(super) fn mremap(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    const MAY_MOVE: u64 = 1;
    let address = args.word(m, state, 0);
    let (old, new) = (args.word(m, state, 1), args.word(m, state, 2));
    let flags = args.word(m, state, 3);
    let Place::In(id, 0) = state.memory.place(address) else {
        return fail(crate::kernel::errno::EFAULT);
    };
    let size = state.memory.object(id).map_or(0, |object| object.size);
    if new == 0 || flags & !MAY_MOVE != 0 {
        return fail(EINVAL);
    }
    if new <= size {
        return number(address);
    }
    if flags & MAY_MOVE == 0 || new > MAX_OBJECT || state.kernel.tree.mapped(id).is_some() {
        return fail(ENOMEM);
    }
    let kept = old.next_multiple_of(PAGE).min(size) as usize;
    let new = new.next_multiple_of(PAGE);
    let moved = m.allocate_aligned(state, new, PAGE, Region::Global)?;
    if kept > 0 {
        let bytes = m.read(state, Spot::At(id, 0), kept);
        let there = Spot::At(state.memory.id_of(moved), 0);
        m.write(state, there, &bytes);
    }
    state.memory.release(id);
    number(moved)
}

/// `mprotect` and `madvise`: what is mapped can be read and written.
pub(super) fn accepted(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let address = args.word(m, state, 0);
    match address.is_multiple_of(PAGE) {
        true => DONE,
        false => fail(EINVAL),
    }
}

/// The break is the end of one object, which is there from the first call on.
pub(super) fn brk(m: &mut Machine<'_>, state: &mut State, args: &Args) -> Answer {
    let wanted = args.word(m, state, 0);
    let (base, end) = match state.kernel.program_break {
        Some(limits) => limits,
        None => {
            let base = m.allocate_aligned(state, BREAK, PAGE, Region::Global)?;
            (base, base)
        }
    };
    let end = match (base..=base + BREAK).contains(&wanted) {
        true => wanted,
        false => end,
    };
    Rc::make_mut(&mut state.kernel).program_break = Some((base, end));
    number(end)
}
