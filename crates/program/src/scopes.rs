//! Local variables that are gone before their function returns.
//!
//! Clang says where the block of a variable begins and ends, if it is asked to, and optimisers
//! drop what it says with the variables that they move into registers. For a variable whose
//! address the function tells somebody, the two places become calls of functions that an optimiser
//! does not know: it can neither drop them nor move accesses across them.
//!
//! This is done for files that were compiled for it, which their debug information says. Elsewhere
//! what LLVM says of lifetimes is no more than a permission: optimised code may read a variable
//! early, where the result is not used.

use crate::llvm::{Callees, Module, Opcode, Value, ValueKind};

/// With `-dwarf-debug-flags`, says in a file's debug information that blocks are looked at.
pub const SCOPES_MARK: &str = "everypath-scopes";

/// The block of a variable begins, whose address is the argument.
pub const SCOPE_BEGINS: &str = "__ep_scope_begins";
/// It ends.
pub const SCOPE_ENDS: &str = "__ep_scope_ends";

/// Puts calls where blocks begin and end.
pub(crate) fn tell_scopes(module: &mut Module<'_>) {
    let callees = Callees::new(module);
    let asked = callees.module().functions().filter(|it| is_asked(*it));
    for function in asked.filter(|it| !returns_twice(*it)) {
        for block in function.blocks() {
            for call in block.instructions() {
                let name = match lifetime(call) {
                    Some(Lifetime::Start) => SCOPE_BEGINS,
                    Some(Lifetime::End) => SCOPE_ENDS,
                    None => continue,
                };
                if is_told(call.operand(0)) {
                    callees.replace(call, name);
                }
            }
        }
    }
}

/// Whether a function is of a file that was compiled for this.
fn is_asked(function: Value<'_>) -> bool {
    if function.is_declaration() {
        return false;
    }
    // Operands as LLVM's `DebugInfoMetadata.h` lists them: the unit of a subprogram, then the
    // flags of a unit.
    let unit = function.subprogram().and_then(|node| node.operand(5));
    unit.is_some_and(|unit| unit.operand_string(2) == SCOPES_MARK)
}

/// Whether a function can be entered again in its middle, perhaps in a block that it had left.
fn returns_twice(function: Value<'_>) -> bool {
    let twice = |it: Value<'_>| {
        matches!(it.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
            && it.callee().kind() == ValueKind::Function
            && it.callee().function_has("returns_twice")
    };
    let blocks = function.blocks();
    blocks
        .into_iter()
        .any(|block| block.instructions().any(twice))
}

enum Lifetime {
    Start,
    End,
}

fn lifetime(call: Value<'_>) -> Option<Lifetime> {
    if call.opcode() != Opcode::LLVMCall || call.callee().kind() != ValueKind::Function {
        return None;
    }
    let name = call.callee().intrinsic_name()?;
    if name.starts_with("llvm.lifetime.start") {
        return Some(Lifetime::Start);
    }
    name.starts_with("llvm.lifetime.end")
        .then_some(Lifetime::End)
}

/// Whether a variable's address goes anywhere but where the variable is accessed by its name. Who
/// names it is in its block.
fn is_told(variable: Value<'_>) -> bool {
    let mut addresses = vec![variable];
    while let Some(address) = addresses.pop() {
        for user in address.users() {
            match user.opcode() {
                Opcode::LLVMLoad => {}
                Opcode::LLVMStore if user.operand(0) != address => {}
                Opcode::LLVMGetElementPtr => addresses.push(user),
                Opcode::LLVMCall if only_accesses(user) => {}
                _ => return true,
            }
        }
    }
    false
}

/// Whether a call copies or fills memory, or says something of a variable.
fn only_accesses(call: Value<'_>) -> bool {
    const THOSE: [&str; 4] = [
        "llvm.lifetime.",
        "llvm.memcpy",
        "llvm.memmove",
        "llvm.memset",
    ];
    let callee = call.callee();
    let name = match callee.kind() {
        ValueKind::Function => callee.intrinsic_name(),
        _ => None,
    };
    name.is_some_and(|name| THOSE.iter().any(|it| name.starts_with(it)))
}
