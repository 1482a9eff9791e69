//! Patterns of text: regular expressions as languages that solvers know.
//!
//! The syntax is that of Rust's `regex` crate. A pattern is about a whole text, so that
//! `^` and `$` are not needed; they and other things that look at what is around a match are
//! refused.

use regex_syntax::Parser;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};
use term::{Store, Term, Value};

/// Repetitions that are spelt out; more would make solvers slow.
const REPEATED: u32 = 1000;

/// What is wrong with a pattern.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum PatternError {
    /// The text has characters that are none.
    #[error("it is no text")]
    Text,
    /// The text is no regular expression.
    #[error("{0}")]
    Syntax(String),
    /// It looks at what is around the match.
    #[error("it is about the whole text, so that ^, $ and \\b have no place in it")]
    Look,
    /// It counts too far.
    #[error("it repeats something more than {REPEATED} times")]
    Repeated,
}

/// The regular expression that a text is.
pub(crate) fn parsed(codes: &[u32]) -> Result<Hir, PatternError> {
    let text: Option<String> = codes.iter().map(|&code| char::from_u32(code)).collect();
    let text = text.ok_or(PatternError::Text)?;
    let hir = Parser::new().parse(&text).map_err(|error| {
        let reason = match &error {
            regex_syntax::Error::Parse(error) => error.kind().to_string(),
            regex_syntax::Error::Translate(error) => error.kind().to_string(),
            _ => error.to_string(),
        };
        PatternError::Syntax(reason)
    })?;
    check(&hir)?;
    Ok(hir)
}

/// The language of a constant pattern that was checked.
pub(crate) fn language(store: &mut Store, pattern: Term) -> Term {
    let hir = match store.as_value(pattern) {
        Some(Value::Str(codes)) => parsed(&codes).ok(),
        _ => None,
    };
    let hir = hir.expect("the checker lets only right patterns through");
    translated(store, &hir)
}

fn check(hir: &Hir) -> Result<(), PatternError> {
    match hir.kind() {
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) => Ok(()),
        HirKind::Look(_) => Err(PatternError::Look),
        HirKind::Repetition(Repetition { min, max, sub, .. }) => {
            match max.unwrap_or(*min) > REPEATED {
                true => Err(PatternError::Repeated),
                false => check(sub),
            }
        }
        HirKind::Capture(capture) => check(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().try_for_each(check),
    }
}

fn translated(store: &mut Store, hir: &Hir) -> Term {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => literal(store, ""),
        HirKind::Literal(bytes) => literal(store, &String::from_utf8_lossy(&bytes.0)),
        HirKind::Class(class) => class_language(store, class),
        HirKind::Repetition(Repetition { min, max, sub, .. }) => {
            let one = translated(store, sub);
            match max {
                Some(max) => store.re_loop(one, *min, *max),
                None => {
                    let (least, more) = (store.re_loop(one, *min, *min), store.re_star(one));
                    store.re_concat(least, more)
                }
            }
        }
        HirKind::Capture(capture) => translated(store, &capture.sub),
        HirKind::Concat(parts) => {
            let empty = literal(store, "");
            parts.iter().fold(empty, |before, part| {
                let part = translated(store, part);
                store.re_concat(before, part)
            })
        }
        HirKind::Alternation(parts) => {
            let none = store.re_none();
            parts.iter().fold(none, |before, part| {
                let part = translated(store, part);
                store.re_union(before, part)
            })
        }
    }
}

fn class_language(store: &mut Store, class: &Class) -> Term {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.iter().map(|it| (it.start(), it.end())).collect(),
        Class::Bytes(class) => class
            .iter()
            .map(|it| (char::from(it.start()), char::from(it.end())))
            .collect(),
    };
    let mut any = store.re_none();
    for (first, last) in ranges {
        let (first, last) = (character(store, first), character(store, last));
        let range = store.re_range(first, last);
        any = store.re_union(any, range);
    }
    any
}

/// A character as a string; SMT-LIB has none beyond 2ffff.
fn character(store: &mut Store, c: char) -> Term {
    let code = u32::from(c).min(0x2_ffff);
    store.value(Value::Str(vec![code].into()))
}

fn literal(store: &mut Store, text: &str) -> Term {
    let text = store.string(text);
    store.re_from_str(text)
}
