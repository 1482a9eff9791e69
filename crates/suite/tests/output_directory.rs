//! The output directory: what is in it, which numbers are used, what is left
//! after a kill, and what is said when it cannot be written.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use suite::testcomp::Metadata;
use suite::{
    CoverageSummary, Ends, Input, InputKind, Outcome, OutputDirectory, PathCounts, RunDirectory,
    RunReport, SolverSummary, TestCase, ktest,
};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

fn create_in(parent: &Path) -> OutputDirectory {
    OutputDirectory::create_in(parent).expect("the temporary folder takes directories")
}

fn case(value: i32) -> TestCase {
    TestCase::new(vec![
        Input::new("x", value.to_le_bytes()).with_kind(InputKind::INT),
    ])
}

/// The report of a run that wrote so much.
fn report(output: &OutputDirectory) -> RunReport {
    RunReport {
        schema: suite::SCHEMA,
        outcome: Outcome::Complete,
        incomplete: Vec::new(),
        paths: PathCounts::default(),
        tests: output.test_count(),
        errors: Vec::new(),
        program: None,
        ends: Ends::default(),
        coverage: CoverageSummary::default(),
        instructions: 0,
        forks: 0,
        solver: SolverSummary::default(),
        external: None,
        stage: None,
        comparison: None,
        fuzz: None,
        seconds: 0.5,
        peak_memory_bytes: 0,
        inputs: output.input_types().clone(),
    }
}

/// Every file under a directory with its content.
fn contents(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(path).expect("the directory is there") {
        let entry = entry.expect("the directory can be read");
        let name = entry
            .file_name()
            .into_string()
            .expect("our names are UTF-8");
        if entry.path().is_dir() {
            for (inner, content) in contents(&entry.path()) {
                files.insert(format!("{name}/{inner}"), content);
            }
        } else {
            files.insert(name, fs::read(entry.path()).expect("the file can be read"));
        }
    }
    files
}

#[test]
fn the_first_free_number_is_taken_and_the_link_points_at_it() {
    let parent = folder();
    for name in ["everypath-out-0", "everypath-out-1", "everypath-out-2"] {
        let directory = create_in(parent.path());
        assert_eq!(directory.path(), parent.path().join(name));
        let link = fs::read_link(parent.path().join("everypath-last")).expect("the link is there");
        assert_eq!(link, Path::new(name));
    }
    fs::remove_dir_all(parent.path().join("everypath-out-1")).expect("it may be removed");
    assert_eq!(
        create_in(parent.path()).path(),
        parent.path().join("everypath-out-1")
    );
}

/// The report of a run with two tests.
const RUN_JSON: &str = r#"{
  "schema": 1,
  "outcome": "complete",
  "incomplete": [],
  "paths": {
    "completed": 0,
    "errors": 0,
    "ignored": 0,
    "infeasible": 0,
    "unknown": 0,
    "unfinished": 0,
    "too_deep": 0,
    "pruned": 0,
    "revisited": 0
  },
  "tests": 2,
  "errors": [],
  "ends": {},
  "coverage": {
    "lines": {
      "covered": 0,
      "total": 0
    },
    "branches": {
      "covered": 0,
      "total": 0
    }
  },
  "instructions": 0,
  "forks": 0,
  "solver": {
    "queries": 0,
    "backend_calls": 0,
    "unknown": 0,
    "seconds": 0.0
  },
  "seconds": 0.5,
  "peak_memory_bytes": 0,
  "inputs": {
    "x": "i32"
  }
}
"#;

#[test]
fn a_run_leaves_exactly_its_files() {
    let parent = folder();
    let mut output = create_in(parent.path());
    let first = output
        .write_test(&case(1), None)
        .expect("a test can be written");
    let second = output
        .write_test(&case(-1), None)
        .expect("a test can be written");
    assert_eq!(
        (first.as_str(), second.as_str()),
        ("test000001", "test000002")
    );
    output
        .write_error(&second, "assert", "x.c:3: assertion failed\n")
        .expect("it can be written");
    output.log("one").expect("a line can be added");
    output.log("two").expect("a line can be added");
    output.write_coverage("TN:\n").expect("it can be written");
    let unfinished = RunReport {
        outcome: Outcome::Interrupted,
        ..report(&output)
    };
    output.write_run(&unfinished).expect("it can be written");
    let finished = report(&output);
    output.write_run(&finished).expect("it can be replaced");

    let expected: BTreeMap<String, Vec<u8>> = [
        ("test000001.ktest", ktest::encode(&case(1))),
        ("test000002.ktest", ktest::encode(&case(-1))),
        (
            "test000002.assert.err",
            b"x.c:3: assertion failed\n".to_vec(),
        ),
        ("messages.log", b"one\ntwo\n".to_vec()),
        ("coverage.info", b"TN:\n".to_vec()),
        ("run.json", RUN_JSON.as_bytes().to_vec()),
    ]
    .map(|(name, content)| (name.to_string(), content))
    .into();
    assert_eq!(contents(output.path()), expected);
    assert_eq!(output.test_count(), 2);
}

#[test]
fn a_test_comp_suite_has_its_own_folder() {
    let parent = folder();
    let mut output = create_in(parent.path());
    let test = output
        .write_test(&case(5), None)
        .expect("a test can be written");
    let metadata = Metadata {
        language: "C".into(),
        producer: "Everypath".into(),
        specification: String::new(),
        program_file: "a.c".into(),
        program_hash: String::new(),
        entry_function: "main".into(),
        architecture: "64bit".into(),
        creation_time: "2026-01-01T00:00:00Z".into(),
    };
    output
        .write_testcomp_metadata(&metadata)
        .expect("it can be written");
    output
        .write_testcomp_test(&test, &case(5), false)
        .expect("it can be written");
    output.flush().expect("it gets there");
    let files = contents(output.path());
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "messages.log",
            "test-suite/metadata.xml",
            "test-suite/testcase-1.xml",
            "tests.ep"
        ]
    );
    let test = String::from_utf8_lossy(&files["test-suite/testcase-1.xml"]);
    assert!(test.contains("<input>5</input>"), "{test}");
}

#[test]
fn a_finished_run_is_read_back_with_its_types_and_errors() {
    let parent = folder();
    let mut output = create_in(parent.path());
    for value in 1..=3 {
        output
            .write_test(&case(value), None)
            .expect("a test can be written");
    }
    let second = suite::TestName::new(2);
    output
        .write_error(&second, "ptr", "out of bounds\n")
        .expect("it can be written");
    let written = report(&output);
    output.write_run(&written).expect("it can be written");

    let run = RunDirectory::open(&parent.path().join("everypath-last")).expect("it is a run");
    let names: Vec<&str> = run.tests.iter().map(|test| test.name.as_str()).collect();
    assert_eq!(names, ["test000001", "test000002", "test000003"]);
    let cases: Vec<&TestCase> = run.tests.iter().map(|test| &test.case).collect();
    assert_eq!(cases, [&case(1), &case(2), &case(3)]);
    let errors: Vec<_> = run.tests.iter().map(|test| test.error.clone()).collect();
    assert_eq!(
        errors,
        [None, Some(run.path.join("test000002.ptr.err")), None]
    );
    assert_eq!(run.report, Some(written));
    let input = Input::new("x", [0; 4]);
    assert_eq!(run.types().kind_of(&input), Some(InputKind::INT));
    assert_eq!(run.torn.len(), 0);
    assert_eq!(
        run.test("test000003.ktest").map(|test| &test.case),
        Some(&case(3))
    );
    assert_eq!(run.test("test000004"), None);
}

#[test]
fn many_tests_stay_in_one_archive_with_their_ends() {
    let parent = folder();
    let mut output = create_in(parent.path());
    let program = suite::Recipe::default();
    output.write_begun(program).expect("it can be written");
    for value in 1..=1001 {
        let end = (value % 2 == 0).then_some(suite::End::Exit(value));
        let written = output.write_test(&case(value), end);
        written.expect("a test can be written");
    }
    output.flush().expect("it gets there");
    // As a kill leaves it: the report says no more than what was run.
    let run = RunDirectory::open(output.path()).expect("it is a run");
    let begun = run.report.expect("it was written first");
    assert_eq!(begun.outcome, Outcome::Running);
    assert_eq!(run.tests.len(), 1001);
    let last = &run.tests[999];
    assert_eq!(
        (last.name.as_str(), last.end),
        ("test001000", Some(suite::End::Exit(1000)))
    );
    let file = output.path().join("test001000.ktest");
    assert!(suite::is_test(&file) && !file.is_file());
    let one = suite::read_test(&file).expect("it is in the archive");
    assert_eq!(one.inputs[0].bytes, 1000i32.to_le_bytes());
    let written = report(&output);
    output.write_run(&written).expect("it can be written");
    assert!(output.path().join("tests.ep").is_file(), "they are many");
}

#[test]
fn every_test_has_its_file_where_that_is_asked_for() {
    let parent = folder();
    let mut output = create_in(parent.path());
    output.put_tests_in(suite::TestsIn::Files);
    output
        .write_test(&case(1), None)
        .expect("a test can be written");
    output.flush().expect("it gets there");
    assert!(output.path().join("test000001.ktest").is_file());
}

#[test]
fn a_killed_run_is_read_without_its_torn_and_temporary_files() {
    let parent = folder();
    let mut output = create_in(parent.path());
    output
        .write_test(&case(1), None)
        .expect("a test can be written");
    output.flush().expect("it gets there");
    let whole = ktest::encode(&case(2));
    let put = |name: &str, content: &[u8]| {
        fs::write(output.path().join(name), content).expect("the directory takes files");
    };
    put("test000002.ktest", &whole[..whole.len() - 1]);
    put("test000003.ktest", b"");
    put(".everypath-77-test000004.ktest", &whole);
    put(".everypath-77-run.json", b"{\"sch");

    let run = RunDirectory::open(output.path()).expect("it is a run");
    let names: Vec<&str> = run.tests.iter().map(|test| test.name.as_str()).collect();
    assert_eq!(names, ["test000001"]);
    let torn: Vec<String> = run
        .torn
        .iter()
        .map(|torn| torn.reason.to_string())
        .collect();
    let path = run.path.display();
    assert_eq!(
        torn,
        [
            format!(
                "{path}/test000002.ktest: the file ends inside the bytes of input 1: \
                 4 bytes wanted at byte 34, 3 there"
            ),
            format!(
                "{path}/test000003.ktest: not a ktest file: it does not begin with KTEST (at byte 0)"
            ),
        ]
    );
    assert_eq!(run.report, None);
}

#[test]
fn tests_past_a_million_stay_in_order() {
    let parent = folder();
    for name in ["test999999", "test1000000"] {
        let path = parent.path().join(format!("{name}.ktest"));
        ktest::write(&path, &case(0)).expect("the temporary folder takes files");
    }
    let run = RunDirectory::open(parent.path()).expect("a folder of tests can be read");
    let names: Vec<&str> = run.tests.iter().map(|test| test.name.as_str()).collect();
    assert_eq!(names, ["test999999", "test1000000"]);
}

#[test]
fn what_is_not_a_run_is_refused_with_a_hint() {
    let parent = folder();
    let path = parent.path().canonicalize().expect("the folder is there");
    let error = RunDirectory::open(&path).expect_err("the folder is empty");
    assert_eq!(
        error.to_string(),
        format!(
            "{} holds neither tests nor a run.json; give a directory that `everypath run` has written",
            path.display()
        )
    );
    let missing = path.join("everypath-out-9");
    let error = RunDirectory::open(&missing).expect_err("there is no such directory");
    assert_eq!(
        error.to_string(),
        format!(
            "there is no directory {}; give one that `everypath run` has written",
            missing.display()
        )
    );
}

#[test]
fn a_run_json_of_another_shape_is_refused_with_the_place() {
    let parent = folder();
    let path = parent.path().canonicalize().expect("the folder is there");
    let json = path.join("run.json");
    fs::write(&json, b"{\"schema\": ").expect("the temporary folder takes files");
    let error = RunDirectory::open(&path).expect_err("the file is cut short");
    assert_eq!(
        error.to_string(),
        format!(
            "{}: EOF while parsing a value at line 1 column 11; remove the file to read the tests without it",
            json.display()
        )
    );
    fs::write(&json, RUN_JSON.replace("i32", "int")).expect("the temporary folder takes files");
    let error = RunDirectory::open(&path).expect_err("`int` is not a kind");
    assert!(
        error.to_string().contains("neither a kind such as i32 nor"),
        "{error}"
    );
    fs::write(&json, b"{\"tests\": 1}").expect("the temporary folder takes files");
    let error = RunDirectory::open(&path).expect_err("it says no schema");
    assert!(
        error.to_string().contains("missing field `schema`"),
        "{error}"
    );
}

#[test]
fn a_run_json_of_another_schema_is_refused_whatever_else_is_in_it() {
    let parent = folder();
    let path = parent.path().canonicalize().expect("the folder is there");
    let json = path.join("run.json");
    fs::write(&json, b"{\"schema\": 7, \"outcome\": []}").expect("the folder takes files");
    let error = RunDirectory::open(&path).expect_err("there is no schema 7");
    assert_eq!(
        error.to_string(),
        format!(
            "{}: it has schema 7, and this version reads schema 1; run the program again",
            json.display()
        )
    );
}

#[test]
fn a_directory_of_the_user_must_be_empty() {
    let parent = folder();
    let path = parent.path().join("a/b");
    let directory = OutputDirectory::create_at(&path).expect("the folders are made");
    assert_eq!(directory.path(), path);
    let error = OutputDirectory::create_at(&path).expect_err("the first run is in it");
    assert_eq!(
        error.to_string(),
        format!(
            "the output directory {} is not empty; remove it or choose another",
            path.display()
        )
    );
}

#[test]
fn an_output_directory_that_cannot_be_made_is_named_with_what_to_do() {
    let parent = folder();
    let file = parent.path().join("file");
    fs::write(&file, b"").expect("the temporary folder takes files");
    let error = OutputDirectory::create_in(&file).expect_err("a file holds no directories");
    assert_eq!(
        error.to_string(),
        format!(
            "cannot create the output directory {}/everypath-out-0: Not a directory (os error 20); \
             choose a directory you may write to",
            file.display()
        )
    );
    // Root may write everywhere, so what follows proves something only for others.
    let locked = parent.path().join("locked");
    fs::create_dir(&locked).expect("the temporary folder takes directories");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).expect("it is ours");
    if let Err(error) = OutputDirectory::create_in(&locked) {
        assert_eq!(
            error.to_string(),
            format!(
                "cannot create the output directory {}/everypath-out-0: Permission denied (os error 13); \
                 choose a directory you may write to",
                locked.display()
            )
        );
    }
}
