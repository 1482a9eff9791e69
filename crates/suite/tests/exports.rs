//! The exports, read back by programs that know nothing of ours.

mod common;

use serde_json::{Value, json};
use suite::lcov::{BranchCoverage, Coverage, FileCoverage, FunctionCoverage};
use suite::testcomp::{self, Metadata};
use suite::{Input, InputKind, InputTypes, TestCase};

fn read_back(coverage: &Coverage, test: &str) -> Value {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("coverage.info");
    std::fs::write(&path, coverage.to_info(test)).expect("the temporary folder takes files");
    let printed = common::python("lcov_reader.py", &[path]);
    serde_json::from_str(&printed).expect("the reader prints JSON")
}

#[test]
fn an_independent_reader_sees_the_coverage_that_was_written() {
    let branch = |line, block, branch, taken| BranchCoverage {
        line,
        block,
        branch,
        taken,
    };
    let main = FileCoverage {
        functions: vec![
            FunctionCoverage {
                name: "main".into(),
                line: 3,
                hits: 2,
            },
            FunctionCoverage {
                name: "operator,(A, B)".into(),
                line: 9,
                hits: 0,
            },
        ],
        lines: [(3, 2), (4, u64::MAX), (10, 0)].into(),
        branches: vec![
            branch(4, 0, 0, Some(2)),
            branch(4, 0, 1, Some(0)),
            branch(10, 0, 0, None),
            branch(10, 0, 1, None),
        ],
    };
    let lines_only = FileCoverage {
        lines: [(1, 1)].into(),
        ..FileCoverage::default()
    };
    let coverage = Coverage {
        files: [
            ("/src/main.c".into(), main),
            ("/src/größe: x.h".into(), lines_only),
        ]
        .into(),
    };
    assert_eq!(
        read_back(&coverage, "everypath run"),
        json!({
            "/src/main.c": {
                "functions": {"main": [3, 2], "operator,(A, B)": [9, 0]},
                "branches": [[4, 0, 0, 2], [4, 0, 1, 0], [10, 0, 0, null], [10, 0, 1, null]],
                "lines": {"3": 2, "4": u64::MAX, "10": 0},
            },
            "/src/größe: x.h": {"functions": {}, "branches": [], "lines": {"1": 1}},
        })
    );
}

#[test]
fn a_run_that_covers_nothing_gives_an_empty_tracefile() {
    assert_eq!(read_back(&Coverage::default(), ""), json!({}));
}

#[test]
fn an_xml_reader_sees_the_test_comp_suite_that_was_written() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let metadata = Metadata {
        language: "C".into(),
        producer: "Everypath <0.1> & more".into(),
        specification: "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".into(),
        program_file: "größe.c".into(),
        program_hash: "00ff".into(),
        entry_function: "main".into(),
        architecture: "64bit".into(),
        creation_time: "2026-01-01T00:00:00Z".into(),
    };
    let case = TestCase::new(vec![
        Input::new("x", (-3i32).to_le_bytes()).with_kind(InputKind::INT),
        Input::new("__VERIFIER_nondet_float", 0.1f32.to_le_bytes()),
    ]);
    let files = [
        ("metadata.xml", metadata.to_xml()),
        (
            "testcase-1.xml",
            testcomp::test_xml(&case, &InputTypes::default(), true),
        ),
        (
            "testcase-2.xml",
            testcomp::test_xml(&TestCase::default(), &InputTypes::default(), false),
        ),
    ];
    let paths = files.map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("the temporary folder takes files");
        path
    });
    let printed = common::python("testcomp_reader.py", &paths);
    let read: Vec<Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).expect("the reader prints JSON"))
        .collect();
    assert_eq!(
        read,
        [
            json!([
                "C",
                "Everypath <0.1> & more",
                "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
                "größe.c",
                "00ff",
                "main",
                "64bit",
                "2026-01-01T00:00:00Z"
            ]),
            json!({"coversError": true, "inputs": ["-3", "0.1"]}),
            json!({"coversError": false, "inputs": []}),
        ]
    );
}
