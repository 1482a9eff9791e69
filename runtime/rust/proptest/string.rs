//! Texts that match a regular expression.

use crate::bounds::one_of;
use crate::collection::{SizeRange, size_range};
use crate::strategy::Strategy;
use crate::sugar::input;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};
use std::fmt;
use std::marker::PhantomData;

/// The regular expression that `any::<String>()` uses.
#[derive(Clone, Copy, Debug)]
pub struct StringParam(&'static str);

impl From<&'static str> for StringParam {
    fn from(regex: &'static str) -> Self {
        StringParam(regex)
    }
}

impl From<StringParam> for &'static str {
    fn from(param: StringParam) -> Self {
        param.0
    }
}

impl Default for StringParam {
    fn default() -> Self {
        StringParam("\\PC*")
    }
}

/// Why there are no texts for an expression.
#[derive(Debug)]
pub enum Error {
    RegexSyntax(Box<regex_syntax::Error>),
    UnsupportedRegex(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::RegexSyntax(error) => error.fmt(f),
            Error::UnsupportedRegex(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

impl From<regex_syntax::Error> for Error {
    fn from(error: regex_syntax::Error) -> Self {
        Error::RegexSyntax(Box::new(error))
    }
}

/// Any text that matches.
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Debug)]
pub struct RegexGeneratorStrategy<T> {
    expression: Hir,
    text: PhantomData<fn() -> T>,
}

type ParseResult<T> = Result<RegexGeneratorStrategy<T>, Error>;

/// Any text that matches the expression.
pub fn string_regex(regex: &str) -> ParseResult<String> {
    string_regex_parsed(&ParserBuilder::new().build().parse(regex)?)
}

/// Any bytes that match the expression.
pub fn bytes_regex(regex: &str) -> ParseResult<Vec<u8>> {
    bytes_regex_parsed(&ParserBuilder::new().utf8(false).build().parse(regex)?)
}

pub fn string_regex_parsed(expression: &Hir) -> ParseResult<String> {
    supported(expression)
}

pub fn bytes_regex_parsed(expression: &Hir) -> ParseResult<Vec<u8>> {
    supported(expression)
}

fn supported<T>(expression: &Hir) -> ParseResult<T> {
    if !expression.properties().look_set().is_empty() {
        let message = "anchors/boundaries not supported for string generation";
        return Err(Error::UnsupportedRegex(message));
    }
    Ok(RegexGeneratorStrategy {
        expression: expression.clone(),
        text: PhantomData,
    })
}

impl Strategy for RegexGeneratorStrategy<String> {
    type Value = String;
    tree!();

    fn __any(&self) -> String {
        let mut bytes = Vec::new();
        append(&self.expression, &mut bytes);
        // SAFETY: expressions for texts match texts alone, and to look would fork.
        unsafe { String::from_utf8_unchecked(bytes) }
    }
}

impl Strategy for RegexGeneratorStrategy<Vec<u8>> {
    type Value = Vec<u8>;
    tree!();

    fn __any(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        append(&self.expression, &mut bytes);
        bytes
    }
}

impl Strategy for str {
    type Value = String;
    tree!();

    fn __any(&self) -> String {
        match string_regex(self) {
            Ok(strategy) => strategy.__any(),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Any text that matches, at the end of others.
fn append(expression: &Hir, bytes: &mut Vec<u8>) {
    match expression.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(text) => bytes.extend_from_slice(&text.0),
        HirKind::Class(Class::Unicode(class)) => {
            let ranges = class.ranges().iter().map(|it| (it.start(), it.end()));
            let character = crate::char::of_ranges(&ranges.collect::<Vec<_>>());
            let is_ascii = class.ranges().iter().all(|it| it.end().is_ascii());
            match is_ascii {
                true => bytes.push(character as u8),
                false => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        HirKind::Class(Class::Bytes(class)) => {
            let byte: u8 = input();
            let mut within = false;
            for range in class.ranges() {
                within |= (range.start() <= byte) & (byte <= range.end());
            }
            everypath::assume(within);
            bytes.push(byte);
        }
        HirKind::Repetition(repetition) => {
            for _ in 0..lengths(repetition).any() {
                append(&repetition.sub, bytes);
            }
        }
        HirKind::Capture(capture) => append(&capture.sub, bytes),
        HirKind::Concat(parts) => parts.iter().for_each(|part| append(part, bytes)),
        HirKind::Alternation(parts) => append(&parts[one_of(parts.len())], bytes),
    }
}

/// How often a part is repeated: without an end, as often as proptest does it.
fn lengths(repetition: &Repetition) -> SizeRange {
    let least = repetition.min as usize;
    match repetition.max {
        Some(most) => size_range(least..=most as usize),
        None if least < 2 => size_range(least..=32),
        None => size_range(least..least * 2),
    }
}

/// What the derived strategies of `#[proptest(regex = "…")]` ask for.
#[doc(hidden)]
pub trait StrategyFromRegex: Sized + fmt::Debug {
    type Strategy: Strategy<Value = Self>;
    fn from_regex(regex: &str) -> Self::Strategy;
}

impl StrategyFromRegex for String {
    type Strategy = RegexGeneratorStrategy<Self>;

    fn from_regex(regex: &str) -> Self::Strategy {
        string_regex(regex).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl StrategyFromRegex for Vec<u8> {
    type Strategy = RegexGeneratorStrategy<Self>;

    fn from_regex(regex: &str) -> Self::Strategy {
        bytes_regex(regex).unwrap_or_else(|error| panic!("{error}"))
    }
}
