//! How the tests of a run end, as `run.json` keeps it.

use serde_json::Value as Json;
use std::collections::BTreeMap;

/// How the tests of a run end, by number: for each end, the tests that end so.
///
/// In `run.json` the numbers are text, `1-5 8`: a run has many tests and few
/// ends.
#[derive(Default)]
pub struct Ends(BTreeMap<String, Vec<(u64, u64)>>);

impl Ends {
    /// Notes the end of a test; tests come in the order of their numbers.
    pub fn note(&mut self, test: u64, end: &machine::End) {
        let Some(name) = name_of(end) else {
            return;
        };
        let ranges = self.0.entry(name).or_default();
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == test => *last = test,
            _ => ranges.push((test, test)),
        }
    }

    /// The object for `run.json`.
    pub fn to_json(&self) -> Json {
        let fields = self.0.iter().map(|(end, ranges)| {
            let ranges: Vec<String> = ranges
                .iter()
                .map(|&(first, last)| match first == last {
                    true => first.to_string(),
                    false => format!("{first}-{last}"),
                })
                .collect();
            (end.clone(), ranges.join(" ").into())
        });
        Json::Object(fields.collect())
    }

    /// The ends in a `run.json`; none when it was written without them.
    pub fn read(run: Option<&Json>) -> Result<Ends, String> {
        let Some(ends) = run.and_then(|run| run.get("ends")) else {
            return Ok(Ends::default());
        };
        let wrong = || "`ends` does not name the tests by their ends".to_owned();
        let mut read = Ends::default();
        for (end, tests) in ends.as_object().ok_or_else(wrong)? {
            let tests = tests.as_str().ok_or_else(wrong)?;
            let ranges: Option<Vec<_>> = tests.split_whitespace().map(range).collect();
            read.0.insert(end.clone(), ranges.ok_or_else(wrong)?);
        }
        Ok(read)
    }

    /// How the test `test000001` ends, if that is known.
    pub fn of(&self, test: &str) -> Option<String> {
        let number: u64 = test.strip_prefix("test")?.parse().ok()?;
        let holds = |ranges: &[(u64, u64)]| {
            let after = ranges.partition_point(|&(first, _)| first <= number);
            after > 0 && number <= ranges[after - 1].1
        };
        let (end, _) = self.0.iter().find(|(_, ranges)| holds(ranges))?;
        Some(end.clone())
    }
}

/// The name of an end; paths that are ignored have no test and no end.
pub fn name_of(end: &machine::End) -> Option<String> {
    match end {
        machine::End::Exit(status) => Some(format!("exit {status}")),
        machine::End::Error(kind, _) => Some(kind.name().to_owned()),
        machine::End::Ignored | machine::End::TooDeep => None,
    }
}

fn range(text: &str) -> Option<(u64, u64)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    Some((first.parse().ok()?, last.parse().ok()?))
}
