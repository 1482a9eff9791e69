//! Tests that outlive the tool: a run's tests as code for other test frameworks.
//!
//! Every framework gets the same tests. Each is a list of [`Call`]s to a small C runtime
//! (`runtime/export`) that describe what the program is given, and what has to come of
//! it. A format is then the spelling of those calls in its language, and adding one is a
//! file beside this with a single function.
//!
//! A path that ended normally must end with the same status. A path that ended in an
//! error is a test of the program as it should be: it must not be ended by a signal, so
//! that it fails until the error is fixed and guards the fix afterwards.

mod c;
mod googletest;
mod pytest;
mod raw;
mod rust;

pub use c::c;
pub use googletest::googletest;
pub use pytest::pytest;
pub use raw::raw;
pub use rust::rust;

use crate::value::{self, Value};
use crate::{End, ErrorKind, Input, InputKind, RunReport, Setting, StoredTest};

/// A test, ready to be written in any language.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportedTest {
    /// Its name, which is an identifier in every language.
    pub name: String,
    /// How the run says that it ends, on one line.
    pub about: String,
    /// What describes it, in order.
    pub calls: Vec<Call>,
    /// What has to come of it.
    pub expected: Expected,
}

/// A call of the runtime that says one thing about a test.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// An input that is bytes: its name and the bytes.
    Bytes(String, Vec<u8>),
    /// An input that is an integer: its name, how many bytes it has, its value.
    Int(String, usize, i64),
    /// An input that is a float: its name, how many bytes it has, its value.
    Float(String, usize, f64),
    /// An argument of the program.
    Argument(Vec<u8>),
    /// An environment variable.
    Variable(String, Vec<u8>),
    /// A file in the program's directory.
    File(String, Vec<u8>),
    /// Standard input.
    Stdin(Vec<u8>),
}

/// What has to come of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The program ends with this status.
    Exit(u8),
    /// No signal ends the program.
    NoCrash,
    /// The run does not know; the test is kept for its inputs.
    Anything,
}

impl ExportedTest {
    /// The tests of a run that its report can be read with.
    pub fn of(report: &RunReport, tests: &[StoredTest]) -> Vec<ExportedTest> {
        let tests = tests.iter();
        tests
            .map(|test| ExportedTest::of_one(report, test))
            .collect()
    }

    fn of_one(report: &RunReport, test: &StoredTest) -> ExportedTest {
        let end = test.end;
        let finding = report.errors.iter().find(|it| it.test == test.name);
        let about = match (end, finding) {
            (_, Some(error)) if error.line > 0 => format!(
                "{}: {} at {}:{}",
                error.kind, error.message, error.file, error.line
            ),
            (_, Some(error)) => format!("{}: {}", error.kind, error.message),
            (Some(end), None) => end.to_string(),
            (None, None) => "a limit stopped this path".to_owned(),
        };
        let setting = match &report.program {
            Some(recipe) => Setting::of(recipe, &test.case),
            None => Setting::by_names(&test.case),
        };
        let own = test.case.inputs[setting.own.clone()].iter();
        let mut calls: Vec<Call> = own.map(|input| call(input, report)).collect();
        calls.extend(setting.arguments.into_iter().map(Call::Argument));
        let variables = setting.variables.into_iter();
        calls.extend(variables.map(|(name, value)| Call::Variable(name, value)));
        let files = setting.files.into_iter();
        calls.extend(files.map(|(name, bytes)| Call::File(name, bytes)));
        calls.extend((!setting.stdin.is_empty()).then_some(Call::Stdin(setting.stdin)));
        ExportedTest {
            name: identifier(&test.name),
            about: one_line(&about),
            calls,
            expected: expected(end),
        }
    }
}

fn expected(end: Option<End>) -> Expected {
    match end {
        // The system keeps eight bits.
        Some(End::Exit(status)) => Expected::Exit(status as u8),
        // What the machine did not do says nothing about the program.
        Some(End::Error(ErrorKind::Unsupported | ErrorKind::Internal | ErrorKind::OtherInputs))
        | None => Expected::Anything,
        Some(End::Error(_)) => Expected::NoCrash,
    }
}

/// An input as the value it is read as, where all languages can spell that exactly.
fn call(input: &Input, report: &RunReport) -> Call {
    let size = input.bytes.len();
    let name = input.name.clone();
    let bytes = || Call::Bytes(name.clone(), input.bytes.clone());
    let Some(kind) = report.inputs.kind_of(input) else {
        return bytes();
    };
    let is_text = matches!(kind, InputKind::Bytes | InputKind::Pointer(_));
    let [element] = value::elements(kind, &input.bytes)[..] else {
        return bytes();
    };
    let integer = |value: Option<i64>| match value {
        // C has no literal for the least number.
        Some(value) if value != i64::MIN && !is_text => Call::Int(name.clone(), size, value),
        Some(_) | None => bytes(),
    };
    match element {
        Value::Bool(_) => integer(Some(input.bytes[0].into())),
        Value::Signed(value) => integer(value.try_into().ok()),
        Value::Unsigned(value) | Value::Address(value) => integer(value.try_into().ok()),
        Value::Single(value) if value.is_finite() => Call::Float(name, size, value.into()),
        Value::Double(value) if value.is_finite() => Call::Float(name, size, value),
        Value::Single(_) | Value::Double(_) => bytes(),
    }
}

/// The name with everything replaced that is no part of identifiers.
fn identifier(name: &str) -> String {
    let allowed = |letter: char| match letter.is_ascii_alphanumeric() {
        true => letter,
        false => '_',
    };
    let text: String = name.chars().map(allowed).collect();
    match text.starts_with(|first: char| first.is_ascii_alphabetic()) {
        true => text,
        false => format!("test_{text}"),
    }
}

/// A text that ends no comment, in any language, before its line does.
fn one_line(text: &str) -> String {
    let visible = base::escape::visible(text);
    visible.replace(['\n', '\t'], " ").replace("*/", "* /")
}

/// The bytes as they stand in a literal of Rust and of Python alike.
fn byte_literal(bytes: &[u8]) -> String {
    format!("b\"{}\"", bytes.escape_ascii())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{Ends, Finding, InputTypes, Recipe, TestCase};
    use std::path::PathBuf;

    /// Two tests: one that ends normally, with every kind of input, and one with an error.
    pub(crate) fn sample() -> Vec<ExportedTest> {
        let mut inputs = InputTypes::default();
        inputs.note("x", InputKind::INT);
        inputs.note("f", InputKind::Float(4));
        inputs.note("u", InputKind::Unsigned(8));
        let mut ends = Ends::default();
        ends.note(1, End::Exit(-1));
        ends.note(2, End::Error(ErrorKind::Division));
        let mut recipe = Recipe::of_files(["a.c"]);
        recipe.stdin = Some(4);
        let report = RunReport {
            tests: 2,
            ends,
            inputs,
            errors: vec![Finding {
                kind: ErrorKind::Division,
                message: "a */ division".to_owned(),
                function: "f".to_owned(),
                file: "a.c".to_owned(),
                line: 7,
                test: "test000002".to_owned(),
                times: None,
            }],
            ..RunReport::begun(recipe)
        };
        let test = |name: &str, inputs: Vec<Input>| StoredTest {
            name: name.to_owned(),
            path: PathBuf::from(name),
            case: TestCase::new(inputs),
            end: report.ends.of(name),
            error: None,
        };
        let first = vec![
            Input::new("x", (-2i32).to_le_bytes()),
            Input::new("f", 0.1f32.to_le_bytes()),
            Input::new("u", u64::MAX.to_le_bytes()),
            Input::new("text", *b"a\"\\\0\xff1"),
            Input::new("stdin", *b"in"),
        ];
        let second = vec![Input::new("x", 0i32.to_le_bytes()), Input::new("stdin", [])];
        let tests = [test("test000001", first), test("test000002", second)];
        ExportedTest::of(&report, &tests)
    }

    #[test]
    fn inputs_are_values_where_every_language_can_spell_them() {
        let tests = sample();
        assert_eq!(tests[0].expected, Expected::Exit(255));
        assert_eq!(
            tests[0].calls,
            [
                Call::Int("x".to_owned(), 4, -2),
                Call::Float("f".to_owned(), 4, f64::from(0.1f32)),
                Call::Bytes("u".to_owned(), vec![0xff; 8]),
                Call::Bytes("text".to_owned(), b"a\"\\\0\xff1".to_vec()),
                Call::Stdin(b"in".to_vec()),
            ]
        );
        assert_eq!(tests[1].expected, Expected::NoCrash);
        assert_eq!(tests[1].about, "division: a * / division at a.c:7");
    }

    #[test]
    fn a_name_that_is_no_identifier_becomes_one() {
        assert_eq!(identifier("test000001"), "test000001");
        assert_eq!(identifier("1-b.c"), "test_1_b_c");
    }
}
