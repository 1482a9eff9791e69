//! A hash of an invariant's code, which tells whether a suite still fits a program.

use machine::runtime::is_built_in;
use program::{Function, FunctionId, Program};

/// The hash, in hexadecimal. The built-in library is known by name: a new version of
/// it is no reason to build suites anew.
pub fn of(program: &Program, function: FunctionId) -> String {
    let is_outside = |function: &Function| {
        let source = function.source.map(|id| program.source.function(id));
        let file = source.and_then(|source| source.file);
        file.is_some_and(|id| is_built_in(&program.source.file(id).path))
    };
    hex::encode(program::fingerprint(program, function, is_outside))
}
