//! What a test asks of the world around the real program: its arguments, environment
//! variables, files and standard input; and which of its inputs are left for the program
//! to ask for.

use crate::{Argument, Input, Recipe, TestCase};
use std::ops::Range;

/// The name of standard input among the inputs of a test.
const STDIN: &str = "stdin";

/// What is around the program in one test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// The arguments after the program's name.
    pub arguments: Vec<Vec<u8>>,
    /// The environment variables.
    pub variables: Vec<(String, Vec<u8>)>,
    /// The files in the current directory.
    pub files: Vec<(String, Vec<u8>)>,
    /// Standard input.
    pub stdin: Vec<u8>,
    /// The inputs that the program asks for itself, by their places in the test.
    pub own: Range<usize>,
}

impl Setting {
    /// What a test of a program that was run so is about. Inputs for the command line
    /// come first in a test, files and standard input last.
    pub fn of(recipe: &Recipe, case: &TestCase) -> Setting {
        let around = &recipe.environment;
        let inputs = &case.inputs;
        let first = inputs_of_arguments(&around.arguments, inputs);
        let own = (first + around.variables.len()).min(inputs.len());
        let variables = around
            .variables
            .iter()
            .zip(inputs.get(first..).unwrap_or_default());
        let variables = variables.map(|(variable, input)| {
            let value = string(&input.bytes);
            (variable.name.clone(), value)
        });
        let (files, sockets) = (around.files.number, around.sockets.number);
        let streams = usize::from(files) + usize::from(sockets);
        let streams = streams + usize::from(recipe.stdin.is_some());
        let end = inputs.len().saturating_sub(streams).max(own);
        let files = around.file_names().zip(&inputs[end..]);
        let last = inputs[end..].last();
        let stdin = last.filter(|last| recipe.stdin.is_some() && last.name == STDIN);
        Setting {
            arguments: case.args.iter().skip(1).cloned().collect(),
            variables: variables.collect(),
            files: files
                .map(|(name, input)| (name, input.bytes.clone()))
                .collect(),
            stdin: stdin.map(|input| input.bytes.clone()).unwrap_or_default(),
            own: own..end,
        }
    }

    /// What a test says by the names of its inputs, where nothing else is known of it: a
    /// test of KLEE, whose command line still says what is symbolic, or one of ours.
    pub fn by_names(case: &TestCase) -> Setting {
        let named = |is: &dyn Fn(&str) -> bool| {
            let inputs = case.inputs.iter();
            inputs.filter(|input| is(&input.name)).collect::<Vec<_>>()
        };
        let numbers = named(&|name| name == "n_args");
        let strings = named(&is_argument);
        let files = named(&|name| file_of(name).is_some());
        let stdin = named(&|name| name == STDIN);
        let is_around = |name: &str| {
            let known = ["n_args", "stdout", "model_version", STDIN];
            known.contains(&name)
                || is_argument(name)
                || file_of(name).is_some()
                || name.ends_with("_stat")
                || name.ends_with("-stat")
        };
        let own: Vec<usize> = (0..case.inputs.len())
            .filter(|&at| !is_around(&case.inputs[at].name))
            .collect();
        let file = |input: &&Input| {
            let name = file_of(&input.name).unwrap_or_default();
            (name.to_owned(), input.bytes.clone())
        };
        Setting {
            arguments: replaced(&case.args, &numbers, &strings),
            variables: Vec::new(),
            files: files.iter().map(file).collect(),
            stdin: stdin
                .first()
                .map(|input| input.bytes.clone())
                .unwrap_or_default(),
            own: own
                .first()
                .map_or(0..0, |&first| first..own[own.len() - 1] + 1),
        }
    }
}

/// How many inputs the arguments took: the numbers of arguments that were open, and the
/// arguments.
fn inputs_of_arguments(arguments: &[Argument], inputs: &[Input]) -> usize {
    let is_open =
        |argument: &&Argument| matches!(argument, Argument::Several { min, max, .. } if min < max);
    let open = arguments.iter().filter(is_open).count();
    let mut numbers = inputs.iter().take(open).map(|input| number(&input.bytes));
    let strings = arguments.iter().map(|argument| match argument {
        Argument::Concrete(_) => 0,
        Argument::Symbolic(_) => 1,
        Argument::Several { min, max, .. } if min == max => *min as usize,
        Argument::Several { .. } => numbers.next().unwrap_or(0),
    });
    open + strings.sum::<usize>()
}

fn number(bytes: &[u8]) -> usize {
    let bytes = bytes.try_into().unwrap_or_default();
    u32::from_le_bytes(bytes) as usize
}

/// The string that the bytes of an argument are; the last of them ends it.
fn string(bytes: &[u8]) -> Vec<u8> {
    let characters = bytes.split_last().map_or(bytes, |(_, before)| before);
    let end = characters.iter().position(|&byte| byte == 0);
    characters[..end.unwrap_or(characters.len())].to_vec()
}

fn is_argument(name: &str) -> bool {
    let digits = name.strip_prefix("arg").unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The file whose bytes are the input of this name: `A_data`, or `A-data` in older tests.
fn file_of(name: &str) -> Option<&str> {
    let file = name.strip_suffix("_data").or(name.strip_suffix("-data"))?;
    let is_letter = file.len() == 1 && file.bytes().all(|byte| byte.is_ascii_uppercase());
    is_letter.then_some(file)
}

/// KLEE's command line with its symbolic arguments in their places; one that has none
/// is left as it is.
fn replaced(args: &[Vec<u8>], numbers: &[&Input], strings: &[&Input]) -> Vec<Vec<u8>> {
    let mut numbers = numbers.iter().map(|input| number(&input.bytes));
    let mut strings = strings.iter().map(|input| string(&input.bytes));
    let mut rest = args.iter().skip(1);
    let mut line = Vec::new();
    while let Some(arg) = rest.next() {
        let flag = arg.strip_prefix(b"-").filter(|rest| rest.starts_with(b"-"));
        let count = |rest: &mut dyn Iterator<Item = &Vec<u8>>| {
            let text = rest
                .next()
                .map(|text| String::from_utf8_lossy(text).into_owned());
            text.and_then(|text| text.parse::<usize>().ok())
                .unwrap_or(0)
        };
        match flag.unwrap_or(arg) {
            b"-sym-arg" => {
                count(&mut rest);
                line.extend(strings.next());
            }
            b"-sym-args" => {
                let (min, max) = (count(&mut rest), count(&mut rest));
                count(&mut rest);
                let number = if min == max {
                    min
                } else {
                    numbers.next().unwrap_or(0)
                };
                line.extend(strings.by_ref().take(number));
            }
            b"-sym-files" => {
                count(&mut rest);
                count(&mut rest);
            }
            b"-sym-stdin" | b"-max-fail" => {
                count(&mut rest);
            }
            b"-sym-stdout" | b"-save-all-writes" | b"-fd-fail" => {}
            _ => line.push(arg.clone()),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Environment;

    fn case(args: &[&str], inputs: &[(&str, &[u8])]) -> TestCase {
        let inputs = inputs.iter();
        let inputs = inputs.map(|(name, bytes)| Input::new(*name, *bytes));
        TestCase {
            args: args.iter().map(|arg| arg.as_bytes().to_vec()).collect(),
            ..TestCase::new(inputs.collect())
        }
    }

    #[test]
    fn inputs_of_the_command_line_come_first_and_streams_last() {
        let several = Argument::Several {
            min: 0,
            max: 2,
            length: 2,
        };
        let mut recipe = Recipe::of_files(["a.c"]);
        recipe.stdin = Some(4);
        recipe.environment = Environment {
            arguments: vec![several, Argument::Symbolic(1)],
            variables: vec![crate::Variable {
                name: "HOME".to_owned(),
                length: 3,
            }],
            ..Environment::default()
        };
        recipe.environment.files.number = 1;
        let case = case(
            &["program", "a", "b"],
            &[
                ("n_args", &[1, 0, 0, 0]),
                ("arg00", b"a\0\0"),
                ("arg01", b"bx"),
                ("HOME", b"/r\0x"),
                ("arg00", &[7]),
                ("A_data", b"file"),
                ("stdin", b"in"),
            ],
        );
        let setting = Setting::of(&recipe, &case);
        assert_eq!(setting.arguments, [b"a", b"b"]);
        assert_eq!(setting.variables, [("HOME".to_owned(), b"/r".to_vec())]);
        assert_eq!(setting.files, [("A".to_owned(), b"file".to_vec())]);
        assert_eq!(setting.stdin, b"in");
        assert_eq!(setting.own, 4..5);
    }

    #[test]
    fn a_test_of_klee_says_its_arguments_by_name() {
        let case = case(
            &[
                "a.bc",
                "-l",
                "--sym-args",
                "0",
                "2",
                "3",
                "A",
                "-sym-files",
                "1",
                "8",
            ],
            &[
                ("n_args", &[1, 0, 0, 0]),
                ("arg00", b"xy\0\0"),
                ("A-data", b"hello\0\0\0"),
                ("A-data-stat", &[0; 144]),
                ("model_version", &[1, 0, 0, 0]),
            ],
        );
        let setting = Setting::by_names(&case);
        assert_eq!(setting.arguments, [&b"-l"[..], b"xy", b"A"]);
        assert_eq!(setting.files[0].0, "A");
        assert_eq!(setting.own, 0..0);
    }
}
