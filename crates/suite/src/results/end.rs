//! How tests end.
//!
//! In files an end is one short text, `exit 0` or `division`; code sees the enum.

pub use base::ErrorKind;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// How a test ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// The program returned or exited with this status.
    Exit(i32),
    /// Something is wrong.
    Error(ErrorKind),
}

impl fmt::Display for End {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Exit(status) => write!(out, "exit {status}"),
            End::Error(kind) => out.write_str(kind.name()),
        }
    }
}

/// A text that names no end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not how a test ends")]
pub struct UnknownEnd(String);

impl FromStr for End {
    type Err = UnknownEnd;

    fn from_str(text: &str) -> Result<End, UnknownEnd> {
        let unknown = || UnknownEnd(text.to_owned());
        if let Some(status) = text.strip_prefix("exit ") {
            return status.parse().map(End::Exit).map_err(|_| unknown());
        }
        let kind = ErrorKind::ALL.into_iter().find(|kind| kind.name() == text);
        kind.map(End::Error).ok_or_else(unknown)
    }
}

impl Serialize for End {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for End {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<End, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// How the tests of a run end, by number: for each end, the tests that end so.
///
/// In files the numbers are ranges in a text, `1-5 8`: a run has many tests and
/// few ends. Tests of paths that a limit stopped are in none of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends(BTreeMap<End, Vec<(u64, u64)>>);

impl Ends {
    /// Notes the end of a test; tests come in the order of their numbers.
    pub fn note(&mut self, test: u64, end: End) {
        let ranges = self.0.entry(end).or_default();
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == test => *last = test,
            _ => ranges.push((test, test)),
        }
    }

    /// Notes the ends of tests that come after the first `before`, and are counted from one
    /// among themselves.
    pub fn append(&mut self, before: u64, ends: &Ends) {
        for (end, numbers) in &ends.0 {
            let ranges = self.0.entry(*end).or_default();
            for (first, last) in numbers
                .iter()
                .map(|(first, last)| (before + first, before + last))
            {
                match ranges.last_mut() {
                    Some((_, end)) if *end + 1 == first => *end = last,
                    _ => ranges.push((first, last)),
                }
            }
        }
    }

    /// How the test `test000001` ends, if that is known.
    pub fn of(&self, test: &str) -> Option<End> {
        let number: u64 = test.strip_prefix("test")?.parse().ok()?;
        let holds = |ranges: &[(u64, u64)]| {
            let after = ranges.partition_point(|&(first, _)| first <= number);
            after > 0 && number <= ranges[after - 1].1
        };
        let (end, _) = self.0.iter().find(|(_, ranges)| holds(ranges))?;
        Some(*end)
    }

    /// The ends of those tests alone that are to be kept.
    pub fn only(&self, keep: impl Fn(u64) -> bool) -> Ends {
        let mut kept = Ends::default();
        for (end, ranges) in &self.0 {
            let numbers = ranges.iter().flat_map(|&(first, last)| first..=last);
            for number in numbers.filter(|&number| keep(number)) {
                kept.note(number, *end);
            }
        }
        kept
    }

    /// The ends there are, and how many tests end so.
    pub fn counts(&self) -> impl Iterator<Item = (End, u64)> {
        let number = |&(first, last): &(u64, u64)| last - first + 1;
        let ends = self.0.iter();
        ends.map(move |(end, ranges)| (*end, ranges.iter().map(number).sum()))
    }
}

impl Serialize for Ends {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (end, ranges) in &self.0 {
            let ranges: Vec<String> = ranges
                .iter()
                .map(|&(first, last)| match first == last {
                    true => first.to_string(),
                    false => format!("{first}-{last}"),
                })
                .collect();
            map.serialize_entry(end, &ranges.join(" "))?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Ends {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ends, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Ends;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object that names the tests by their ends")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Ends, M::Error> {
                let mut ends = Ends::default();
                while let Some((end, tests)) = map.next_entry::<String, String>()? {
                    let end = end.parse().map_err(de::Error::custom)?;
                    let ranges: Option<Vec<_>> = tests.split_whitespace().map(range).collect();
                    let ranges = ranges.ok_or_else(|| {
                        de::Error::custom(format_args!("`{tests}` are not numbers of tests"))
                    })?;
                    ends.0.insert(end, ranges);
                }
                Ok(ends)
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

fn range(text: &str) -> Option<(u64, u64)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some((first, last))
}

impl JsonSchema for Ends {
    fn schema_name() -> Cow<'static, str> {
        "Ends".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let kinds = ErrorKind::ALL.map(ErrorKind::name).join("|");
        json_schema!({
            "description": "For each end, the numbers of the tests that end so: `1-5 8`.",
            "type": "object",
            "propertyNames": {"pattern": format!("^(exit -?[0-9]+|{kinds})$")},
            "additionalProperties": {
                "type": "string",
                "pattern": "^[0-9]+(-[0-9]+)?( [0-9]+(-[0-9]+)?)*$",
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_is_read_back_from_its_text() {
        let errors = ErrorKind::ALL.map(End::Error);
        for end in errors.into_iter().chain([End::Exit(0), End::Exit(-7)]) {
            assert_eq!(end.to_string().parse(), Ok(end));
        }
        for text in ["", "exit", "exit x", "Assert", "divisions"] {
            assert_eq!(text.parse::<End>(), Err(UnknownEnd(text.to_owned())));
        }
    }

    #[test]
    fn ends_are_ranges_of_numbers_in_files() {
        let mut ends = Ends::default();
        for (test, end) in [
            (1, End::Exit(0)),
            (2, End::Exit(0)),
            (3, End::Error(ErrorKind::Division)),
            (5, End::Exit(0)),
        ] {
            ends.note(test, end);
        }
        let json = serde_json::to_string(&ends).expect("ends are an object");
        assert_eq!(json, r#"{"exit 0":"1-2 5","division":"3"}"#);
        let read: Ends = serde_json::from_str(&json).expect("what was written is read");
        assert_eq!(read, ends);
        assert_eq!(read.of("test000002"), Some(End::Exit(0)));
        assert_eq!(read.of("test000004"), None);
        assert_eq!(read.of("other"), None);
        let counts: Vec<(End, u64)> = read.counts().collect();
        let division = End::Error(ErrorKind::Division);
        assert_eq!(counts, [(End::Exit(0), 3), (division, 1)]);
    }

    #[test]
    fn what_names_no_tests_is_refused() {
        for text in [
            r#"{"exit 0":"5-1"}"#,
            r#"{"exit 0":"x"}"#,
            r#"{"gone":"1"}"#,
            "[]",
        ] {
            assert!(serde_json::from_str::<Ends>(text).is_err(), "{text}");
        }
    }
}
