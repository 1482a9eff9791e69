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
        let mut made = Input::new(&*input.name, bytes);
        made.kind = known_kind(input);
        made
    });
    let mut inputs: Vec<Input> = inputs.collect();
    // The last, since they are not asked for like others.
    let streams = state.whole.iter();
    inputs.extend(streams.map(|(name, bytes)| Input::new(name, bytes.clone())));
    let args = command_line(&machine.options.environment.arguments, &inputs);
    TestCase {
        args,
        schedule: state.schedule(),
        ..TestCase::new(inputs)
    }
}

/// What the program said that an input is.
pub(super) fn known_kind(input: &machine::Input) -> Option<suite::InputKind> {
    let size = input.bytes.len() as u8;
    match input.kind {
        // A long double has no name in the suite's formats.
        InputKind::Float if !matches!(size, 4 | 8) => None,
        InputKind::Bytes | InputKind::Objects(_) | InputKind::Part => None,
        InputKind::Signed => Some(suite::InputKind::Signed(size)),
        InputKind::Unsigned => Some(suite::InputKind::Unsigned(size)),
        InputKind::Float => Some(suite::InputKind::Float(size)),
    }
}
