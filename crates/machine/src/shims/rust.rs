//! What compiled Rust expects of its runtime: the allocator, and panics.

use super::alloc::{self, Request};
use crate::machine::{Invocation, Machine, Returned, Shim};
use crate::memory::Allocator;
use crate::outcome::{ErrorKind, Halt, error};
use crate::state::State;
use crate::value::Value;
use program::Kind;

pub(super) fn find(name: &str) -> Option<Shim> {
    if yields(name) {
        return Some(panic);
    }
    Some(match last_word(name)? {
        "__rust_alloc" => allocate,
        "__rust_alloc_zeroed" => allocate_zeros,
        "__rust_realloc" => reallocate,
        "__rust_dealloc" => alloc::free,
        "__rust_no_alloc_shim_is_unstable" | "__rust_no_alloc_shim_is_unstable_v2" => nothing,
        _ => return None,
    })
}

/// Whether what stands here for a function is only for programs without the library that
/// has it: panics.
pub(crate) fn yields(name: &str) -> bool {
    name.contains("9panicking")
        || last_word(name).is_some_and(|word| {
            matches!(word, "handle_alloc_error" | "handle_error")
                || word.starts_with("panic_")
                || word.ends_with("_fail")
                || word.ends_with("_failed")
        })
}

/// The last word of a path such as `_RNvCs7_7___rustc12___rust_alloc`, in which
/// each word has its length before it.
fn last_word(name: &str) -> Option<&str> {
    if !name.starts_with("_R") {
        return name.starts_with("__rust_").then_some(name);
    }
    (0..name.len()).rev().find_map(|start| {
        let word = name.get(start..)?;
        let digits = name[..start]
            .bytes()
            .rev()
            .take_while(u8::is_ascii_digit)
            .count();
        let length: usize = name[start - digits..start].parse().ok()?;
        // A word that begins with a bar has another one before it.
        let word = word
            .strip_prefix('_')
            .filter(|rest| rest.len() == length)
            .unwrap_or(word);
        (word.len() == length).then_some(word)
    })
}

/// What Rust's allocator is asked for: `(size, alignment)`. Where there is no memory the
/// program ends, and so it is always there.
fn request(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Request {
    Request {
        bytes: call.arg(0),
        alignment: m.concretize(state, call.arg(1), 64),
        allocator: Allocator::Malloc,
        may_fail: false,
    }
}

fn allocate(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let request = request(m, state, call);
    alloc::allocate(m, state, &request).map(Returned::Value)
}

fn allocate_zeros(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let request = request(m, state, call);
    alloc::allocate_zeros(m, state, &request).map(Returned::Value)
}

fn reallocate(
    m: &mut Machine<'_>,
    state: &mut State,
    call: &Invocation<'_>,
) -> Result<Returned, Halt> {
    let alignment = m.concretize(state, call.arg(2), 64);
    alloc::reallocate(m, state, call.arg(0), call.arg(3), alignment)
}

fn nothing(_: &mut Machine<'_>, _: &mut State, _: &Invocation<'_>) -> Result<Returned, Halt> {
    Ok(Returned::Nothing)
}

/// A panic, which ends the program. What it says is the text it is given, if it is
/// given one; otherwise its name says it.
fn panic(m: &mut Machine<'_>, state: &mut State, call: &Invocation<'_>) -> Result<Returned, Halt> {
    const LONGEST: u64 = 1 << 10;
    let name = &m.program.functions[call.function.index()].name;
    let what = last_word(name).unwrap_or("panic");
    let text = match (what, call.arg(0).as_word(), call.arg(1).as_word()) {
        ("panic" | "panic_nounwind" | "expect_failed", Some(start), Some(length)) => {
            let mut bytes = Vec::new();
            for at in 0..length.min(LONGEST) {
                let byte = m.load(state, Value::word(start + at), Kind::Int(8))?;
                bytes.push(m.example(state, byte, 8) as u8);
            }
            String::from_utf8_lossy(&bytes).into_owned()
        }
        _ => {
            let what = what.trim_start_matches("panic_const_");
            what.trim_start_matches("panic_").replace('_', " ")
        }
    };
    error(ErrorKind::Panic, text)
}
