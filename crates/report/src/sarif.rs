//! Errors as SARIF 2.1.0, which code hosts and editors show beside the source.
//!
//! The types are the part of the standard that a run has something to say for; names
//! and nesting are the standard's (OASIS, section 3).

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use suite::{ErrorKind, Finding, Outcome, RunReport};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const HOME: &str = "https://github.com/everypath/everypath";
/// What relative addresses of files start from.
const ROOT: &str = "SRCROOT";

/// The errors of a run, each once; `run` is its directory, and `replay` the command that
/// runs a test of it.
pub fn sarif(
    report: &RunReport,
    run: &Path,
    version: &str,
    replay: &dyn Fn(&Path) -> String,
) -> String {
    let log = Log::of(report, run, version, replay);
    let text = serde_json::to_string_pretty(&log).expect("keys are texts");
    text + "\n"
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    original_uri_base_ids: BTreeMap<&'static str, Address>,
    invocations: [Invocation; 1],
    results: Vec<Outcomes>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: String,
    information_uri: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Text,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Address {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}

/// What the standard calls a result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcomes {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: Vec<Location>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    properties: Properties,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<Physical>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<Logical>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Address,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
}

#[derive(Serialize)]
struct Logical {
    name: String,
    kind: &'static str,
}

#[derive(Serialize)]
struct Properties {
    /// The test that triggers it.
    test: String,
    replay: String,
}

impl Log {
    fn of(report: &RunReport, run: &Path, version: &str, replay: &dyn Fn(&Path) -> String) -> Log {
        let kinds: BTreeSet<ErrorKind> = report.errors.iter().map(|it| it.kind).collect();
        let kinds: Vec<ErrorKind> = kinds.into_iter().collect();
        let rules = kinds.iter().map(|kind| Rule {
            id: kind.name(),
            short_description: Text {
                text: kind.name().replace('-', " "),
            },
        });
        let directory = report.program.as_ref().map(|recipe| &*recipe.directory);
        let base = directory.filter(|directory| directory.is_absolute());
        let base = base.map(|directory| Address {
            uri: format!("{}/", file_address(directory).trim_end_matches('/')),
            uri_base_id: None,
        });
        let mut seen = BTreeSet::new();
        // Many inputs lead to one error; the first stands for them.
        let errors = report.errors.iter().filter(|it| seen.insert(it.identity()));
        Log {
            schema: SCHEMA,
            version: "2.1.0",
            runs: [Run {
                results: errors
                    .map(|error| result(error, &kinds, directory, replay(&run.join(&error.test))))
                    .collect(),
                tool: Tool {
                    driver: Driver {
                        name: "everypath",
                        version: version.to_owned(),
                        information_uri: HOME,
                        rules: rules.collect(),
                    },
                },
                column_kind: "unicodeCodePoints",
                original_uri_base_ids: base.map(|base| (ROOT, base)).into_iter().collect(),
                invocations: [Invocation {
                    execution_successful: report.outcome != Outcome::Interrupted,
                }],
            }],
        }
    }
}

fn result(
    error: &Finding,
    kinds: &[ErrorKind],
    directory: Option<&Path>,
    replay: String,
) -> Outcomes {
    let index = kinds.iter().position(|kind| *kind == error.kind);
    let region = (error.line > 0).then_some(Region {
        start_line: error.line,
    });
    let physical = (!error.file.is_empty()).then(|| Physical {
        artifact_location: address(&error.file, directory),
        region,
    });
    let function = (!error.function.is_empty()).then(|| Logical {
        name: error.function.clone(),
        kind: "function",
    });
    Outcomes {
        rule_id: error.kind.name(),
        rule_index: index.expect("each kind of an error is among the kinds"),
        level: "error",
        message: Text {
            text: error.message.clone(),
        },
        locations: vec![Location {
            physical_location: physical,
            logical_locations: function.into_iter().collect(),
        }],
        // Lines move; what an error is and where it is by name stay.
        partial_fingerprints: BTreeMap::from([(
            "everypathError/v1",
            format!("{}:{}:{}", error.kind, error.function, error.message),
        )]),
        properties: Properties {
            test: error.test.clone(),
            replay,
        },
    }
}

/// Where a file is: from the root of the run if it is below that.
fn address(file: &str, directory: Option<&Path>) -> Address {
    let path = Path::new(file);
    let below = directory.and_then(|directory| path.strip_prefix(directory).ok());
    match (below, path.is_absolute()) {
        (None, true) => Address {
            uri: file_address(path),
            uri_base_id: None,
        },
        (below, _) => Address {
            uri: escaped(&below.unwrap_or(path).to_string_lossy()),
            uri_base_id: directory.is_some_and(Path::is_absolute).then_some(ROOT),
        },
    }
}

fn file_address(path: &Path) -> String {
    format!("file://{}", escaped(&path.to_string_lossy()))
}

/// The path with everything percent-encoded that RFC 3986 does not allow in one.
fn escaped(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b'+' => {
                text.push(char::from(byte));
            }
            _ => write!(text, "%{byte:02X}").expect("writing to a string does not fail"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    /// A run in `/work dir` with these errors.
    fn log(errors: Json) -> Json {
        let mut recipe = suite::Recipe::of_files(["a.c"]);
        recipe.directory = "/work dir".into();
        let report = json!({
            "schema": 1, "outcome": "complete", "tests": 1, "errors": errors,
            "program": recipe,
            "paths": {"completed": 0, "errors": 1, "ignored": 0, "infeasible": 0,
                      "unknown": 0, "unfinished": 0},
            "coverage": {"lines": {"covered": 0, "total": 0},
                         "branches": {"covered": 0, "total": 0}},
            "instructions": 0, "forks": 0, "seconds": 0.0, "peak_memory_bytes": 0,
            "solver": {"queries": 0, "backend_calls": 0, "unknown": 0, "seconds": 0.0},
        });
        let report: RunReport = serde_json::from_value(report).expect("it is a report");
        let text = sarif(&report, Path::new("out"), "1.0", &|test| {
            format!("replay {}", test.to_string_lossy())
        });
        serde_json::from_str(&text).expect("it is JSON")
    }

    fn error(file: &str, line: u32) -> Json {
        json!({"kind": "division", "message": "by zero", "function": "f", "file": file,
               "line": line, "test": "test000001"})
    }

    #[test]
    fn an_error_is_a_result_with_its_place_and_its_rule() {
        let log = log(json!([error("src/ä b.c", 7), error("src/ä b.c", 7)]));
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "division");
        assert_eq!(
            run["originalUriBaseIds"]["SRCROOT"]["uri"],
            "file:///work%20dir/"
        );
        assert_eq!(run["results"].as_array().map(Vec::len), Some(1));
        assert_eq!(
            run["results"][0]["locations"][0],
            json!({
                "physicalLocation": {
                    "artifactLocation": {"uri": "src/%C3%A4%20b.c", "uriBaseId": "SRCROOT"},
                    "region": {"startLine": 7},
                },
                "logicalLocations": [{"name": "f", "kind": "function"}],
            })
        );
        assert_eq!(
            run["results"][0]["properties"]["replay"],
            "replay out/test000001"
        );
    }

    #[test]
    fn files_elsewhere_and_errors_without_a_place_are_told_apart() {
        let log = log(json!([
            error("/work dir/b.c", 1),
            error("/etc/c.h", 2),
            error("", 0)
        ]));
        let results = &log["runs"][0]["results"];
        let uri = |at: usize| {
            let location = &results[at]["locations"][0]["physicalLocation"];
            location["artifactLocation"].clone()
        };
        assert_eq!(uri(0), json!({"uri": "b.c", "uriBaseId": "SRCROOT"}));
        assert_eq!(uri(1), json!({"uri": "file:///etc/c.h"}));
        assert_eq!(uri(2), Json::Null);
    }
}
