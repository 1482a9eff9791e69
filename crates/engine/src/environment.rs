//! What is around a program: from a recipe to the machine, and from a path to a test.

use machine::Environment;
use suite::{Argument, Input, Recipe};

/// What a program that is run so finds around it.
pub fn environment(recipe: &Recipe) -> Environment {
    let around = &recipe.environment;
    let argument = |argument: &Argument| match *argument {
        Argument::Concrete(ref text) => machine::Argument::Concrete(text.as_bytes().to_vec()),
        Argument::Symbolic(length) => machine::Argument::Symbolic(length),
        Argument::Several { min, max, length } => machine::Argument::Several { min, max, length },
    };
    let variables = around.variables.iter();
    let variables = variables.map(|variable| machine::Variable {
        name: variable.name.clone(),
        length: variable.length,
    });
    let files = around.file_names();
    Environment {
        arguments: around.arguments.iter().map(argument).collect(),
        variables: variables.collect(),
        stdin: recipe.stdin,
        files: files.map(|name| (name, around.files.length)).collect(),
        host: around.host.clone(),
        symbolic_time: around.symbolic_time,
        sockets: (around.sockets.number, around.sockets.length),
        failures: around.failures,
    }
}

/// The command line that the inputs of a path make, the program's name first; none for
/// a program that was given no arguments.
pub(crate) fn command_line(arguments: &[machine::Argument], inputs: &[Input]) -> Vec<Vec<u8>> {
    if arguments.is_empty() {
        return Vec::new();
    }
    let is_open = |argument: &&machine::Argument| matches!(argument, machine::Argument::Several { min, max, .. } if min < max);
    let open = arguments.iter().filter(is_open).count();
    let (numbers, strings) = inputs.split_at(open.min(inputs.len()));
    let mut numbers = numbers.iter().map(|input| number_of(&input.bytes));
    let mut strings = strings.iter().map(|input| until_zero(&input.bytes));
    let mut line = vec![machine::PROGRAM_NAME.as_bytes().to_vec()];
    for argument in arguments {
        let number = match argument {
            machine::Argument::Concrete(bytes) => {
                line.push(bytes.clone());
                continue;
            }
            machine::Argument::Symbolic(_) => 1,
            machine::Argument::Several { min, max, .. } if min == max => *min,
            machine::Argument::Several { .. } => numbers.next().unwrap_or(0),
        };
        line.extend(strings.by_ref().take(number as usize));
    }
    line
}

fn number_of(bytes: &[u8]) -> u32 {
    let bytes = bytes.try_into().unwrap_or_default();
    u32::from_le_bytes(bytes)
}

/// The string in an argument's bytes, the last of which the machine makes zero.
fn until_zero(bytes: &[u8]) -> Vec<u8> {
    let characters = bytes.split_last().map_or(bytes, |(_, before)| before);
    let end = characters.iter().position(|&byte| byte == 0);
    characters[..end.unwrap_or(characters.len())].to_vec()
}
