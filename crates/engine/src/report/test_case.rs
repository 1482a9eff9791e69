//! The inputs of a path, as a test.

use crate::environment::command_line;
use crate::policy::staged::objects_input;
use machine::{InputKind, Machine, State};
use suite::{Input, TestCase};

/// The inputs that take the path, in its model.
pub fn test_case(machine: &mut Machine<'_>, state: &State) -> TestCase {
    let own = state.inputs.all().into_iter();
    let own = own.filter(|input| input.kind != InputKind::Part);
    let inputs = own.map(|input| {
        if let InputKind::Objects(argument) = input.kind {
            let objects = objects_input(&machine.store, state, argument);
            return Input::new(&*input.name, objects);
        }
        let mut evaluation = machine.mixed.under(&machine.store, &state.model);
        let bytes = input.bytes.iter();
        let bytes: Vec<u8> = bytes.map(|&byte| evaluation.word(byte) as u8).collect();
        let size = bytes.len() as u8;
        let made = Input::new(&*input.name, bytes);
        match input.kind {
            // A long double has no name in the suite's formats.
            InputKind::Float if !matches!(size, 4 | 8) => made,
            InputKind::Bytes | InputKind::Objects(_) | InputKind::Part => made,
            InputKind::Signed => made.with_kind(suite::InputKind::Signed(size)),
            InputKind::Unsigned => made.with_kind(suite::InputKind::Unsigned(size)),
            InputKind::Float => made.with_kind(suite::InputKind::Float(size)),
        }
    });
    let mut inputs: Vec<Input> = inputs.collect();
    // The last, since they are not asked for like others.
    let streams = state.whole.iter();
    inputs.extend(streams.map(|(name, bytes)| Input::new(name, bytes.clone())));
    let args = command_line(&machine.options.environment.arguments, &inputs);
    TestCase {
        args,
        ..TestCase::new(inputs)
    }
}
