//! The page of a run, as text and in a real browser.

use crate::browser;
use report::document::{
    BranchCount, Document, ErrorReport, Frame, FunctionCount, LineCount, SourceFile, Test, Tree,
};
use serde_json::{Value as Json, json};
use testkit::{Scratch, project};

/// An error, a branch that nothing takes, and a text that would like to be markup.
const PROGRAM: &str = r#"
#include <everypath.h>
#include <stdio.h>
int divide(int a, int b) {
    return a / b;
}
int main(void) {
    int x;
    char letters[2];
    ep_symbolic(&x, sizeof x, "x");
    ep_symbolic(letters, sizeof letters, "</script><script>hacked = 1</script>");
    puts("</script><script>window.hacked = 1</script><img src=x onerror='hacked=1'>");
    if (x < 0 && letters[0] == 'a')
        return 1;
    if (x < 0)
        return 5;
    if (x > 100)
        return 2;
    if (divide(6, x) == 3)
        return 3;
    return 4;
}
"#;

/// What a run, and its page, are about.
fn document(page: &str) -> Json {
    let (_, rest) = page
        .split_once("id=\"document\">")
        .expect("the page has a document");
    let (json, _) = rest.split_once("</script>").expect("an element ends");
    serde_json::from_str(json).expect("it is JSON")
}

/// A folder with a run of the program and its page.
fn reported(name: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write(name, PROGRAM.as_bytes());
    let finished = scratch.everypath(&["run", name, "--output", "out"]);
    assert_eq!(finished.status, Some(1), "{}", finished.said());
    let finished = scratch.everypath("report out --html page.html").succeeds();
    assert_eq!(finished.stdout, "page.html\n");
    scratch
}

#[test]
fn the_page_has_everything_that_is_known_of_a_run() {
    let scratch = reported("program.c");
    let page = scratch.read("page.html");
    let document = document(&page);
    assert_eq!(document["title"], "program.c");
    assert_eq!(document["tests"].as_array().map(Vec::len), Some(6));
    let error = &document["errors"][0];
    assert_eq!(error["finding"]["kind"], "division");
    assert_eq!(error["stack"][0]["function"], "divide");
    assert_eq!(error["stack"][1]["function"], "main");
    let replay = error["replay"].as_str().expect("there is a command");
    scratch
        .everypath(replay.strip_prefix("everypath ").expect("it is ours"))
        .succeeds();
    // Six paths have at least five decisions between them.
    let parents = document["tree"]["parents"].as_array().map_or(0, Vec::len);
    assert!(parents > 6, "{document:#}");
    let conditions = document["tree"]["conditions"].to_string();
    assert!(conditions.contains("\"x < 0\""), "{conditions}");
    let file = &document["files"][0];
    assert_eq!(file["name"], "program.c");
    let hits = |line: u64| {
        let lines = file["lines"].as_array().expect("there are lines");
        let found = lines.iter().find(|it| it["line"] == line);
        found.map(|it| it["hits"].as_u64())
    };
    // Every test gets to the first branch, one of them into the first return.
    assert_eq!(hits(13), Some(Some(6)));
    assert_eq!(hits(14), Some(Some(1)));
    assert_eq!(hits(2), None);
    let costs = document["costs"].as_array().expect("the solver was asked");
    assert!(!costs.is_empty());
}

#[test]
fn what_the_program_is_called_and_holds_is_never_markup() {
    let scratch = reported("a b<i>&'.c");
    let page = scratch.read("page.html");
    // One element for the document, one for our script, and nothing that anybody else wrote.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(page.contains("<title>a b&lt;i&gt;&amp;'.c – Everypath</title>"));
    assert_eq!(document(&page)["title"], "a b<i>&'.c");
    let policy = page.split("Content-Security-Policy\" content=\"").nth(1);
    let policy = policy
        .and_then(|rest| rest.split('"').next())
        .expect("there is a policy");
    assert!(
        policy.starts_with("default-src 'none'; script-src 'sha256-"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe"), "{policy}");
}

#[test]
fn source_that_is_not_utf_8_is_shown_with_what_is() {
    let scratch = Scratch::new();
    let program = b"/* caf\xe9 \x1b[2J */\nint f(int x) { return x > 3; }\n";
    scratch.write("latin.c", program);
    scratch
        .everypath("run latin.c --entry f --output out")
        .succeeds();
    scratch.everypath("report out --html page.html").succeeds();
    let document = document(&scratch.read("page.html"));
    assert_eq!(
        document["files"][0]["text"][0],
        "/* caf\u{fffd} \u{fffd}[2J */"
    );
}

#[test]
fn a_run_whose_program_is_gone_has_a_page_without_a_tree() {
    let scratch = reported("program.c");
    std::fs::remove_file(scratch.path("program.c")).expect("it is ours");
    scratch.everypath("report out --html page.html").succeeds();
    let document = document(&scratch.read("page.html"));
    assert_eq!(document["tree"], Json::Null);
    assert_eq!(document["tests"].as_array().map(Vec::len), Some(6));
    let note = document["notes"][0].as_str().expect("there is a note");
    assert!(
        note.starts_with("The tests were not followed again: "),
        "{note}"
    );
}

#[test]
fn the_path_of_a_test_is_told_branch_by_branch() {
    let scratch = reported("program.c");
    let listed = scratch.everypath("tests out --errors --json").json();
    let test = listed["tests"][0]["test"]
        .as_str()
        .expect("there is an error");
    let told = scratch
        .everypath(&["explain", "out", test])
        .succeeds()
        .stdout;
    let place = scratch
        .path("program.c")
        .canonicalize()
        .expect("it is there");
    assert!(
        told.contains(&format!("in main ({})\n", place.display())),
        "{told}"
    );
    assert!(
        told.contains("    13 | if (x < 0 && letters[0] == 'a')\n       |   x = 0, so x >= 0\n"),
        "{told}"
    );
    assert!(told.ends_with("ends in division\n"), "{told}");
    assert_eq!(
        scratch.refusal("explain out test999999"),
        "error: there is no test test999999 in out; everypath tests lists them\n"
    );
}

/// Each branch is about another kind of field.
const FIELDS: &str = r#"
#include <everypath.h>
#include <stdbool.h>
enum color { RED, GREEN = 5 };
struct point { short x, y; };
union number { int whole; float real; };
struct request {
    bool is_new;
    unsigned mode : 5, more : 3;
    unsigned length;
    struct point at[2];
    enum color color;
    char name[4];
    union number number;
    long id;
};
int main(void) {
    struct request request;
    ep_symbolic(&request, sizeof request, "request");
    if (request.is_new) return 1;
    if (request.mode == 17) return 2;
    if (request.length > 4000000000) return 3;
    if (request.at[1].x < request.at[0].y) return 4;
    if (request.color == GREEN) return 5;
    if (request.name[2] == 'k') return 6;
    if (request.number.real > 2.5f) return 7;
    if (request.number.whole == -70000) return 8;
    if (request.id < 0) return 9;
    if (request.id + request.length == 100) return 10;
    return 0;
}
"#;

/// The branches of the path that ends with status 0, as `explain` tells them.
fn told(scratch: &Scratch) -> Vec<Json> {
    let listed = scratch.everypath("tests out --json").succeeds().json();
    let tests = listed["tests"].as_array().expect("they are listed");
    let last = tests.iter().find(|test| test["end"] == "exit 0");
    let last = last.and_then(|test| test["test"].as_str());
    let last = last.expect("there is one");
    let told = scratch.everypath(&["explain", "out", last, "--json"]);
    let told = told.succeeds().json();
    told["decisions"].as_array().expect("some").clone()
}

fn conditions(decisions: &[Json]) -> Vec<&str> {
    let conditions = decisions.iter();
    conditions
        .filter_map(|it| it["condition"].as_str())
        .collect()
}

#[test]
fn conditions_are_written_over_the_fields_of_structures() {
    let scratch = Scratch::with(&[("fields.c", FIELDS)]);
    scratch.everypath("run fields.c --output out").succeeds();
    // The path on which no branch is taken meets all conditions.
    let decisions = told(&scratch);
    let conditions = conditions(&decisions);
    assert_eq!(
        conditions,
        [
            "!request.is_new",
            "request.mode != 17",
            "request.length < 4000000001",
            "request.at[0].y <= request.at[1].x",
            "request.color != GREEN",
            "request.name[2] != 'k'",
            "!(request.number.real > 2.5)",
            "request.number.whole != -70000",
            "request.id >= 0",
            "request.id + (long)request.length != 100",
        ]
    );
    // The values are those of the test.
    let value = |at: usize| &decisions[at]["values"];
    assert_eq!(
        value(0),
        &json!([{"name": "request.is_new", "value": "false"}])
    );
    assert_eq!(
        value(4),
        &json!([{"name": "request.color", "value": "RED"}])
    );
    let of_last: Vec<&Json> = value(9).as_array().into_iter().flatten().collect();
    assert_eq!(of_last.len(), 2, "{decisions:#?}");
    scratch.everypath("report out --html page.html").succeeds();
    let document = document(&scratch.read("page.html"));
    let shown = document["tree"]["conditions"]
        .as_array()
        .expect("there is a tree");
    for condition in conditions {
        assert!(shown.contains(&json!(condition)), "{condition}: {shown:?}");
    }
}

/// Members of a base class, bits of numbers and numbers of one byte.
const MEMBERS: &str = r#"
#include <everypath.h>
#include <cstdint>
struct Base { int tag; unsigned char port; };
struct Message : Base { int tag; unsigned word; char name[4]; unsigned char raw[3]; };
int main() {
    Message m;
    ep_symbolic(&m, sizeof m, "m");
    if (m.Base::tag == 5) return 1;
    if (m.tag < 0) return 2;
    if ((m.port & 3) == 1) return 3;
    if (m.port & 4) return 4;
    if (m.port > 200) return 5;
    if (m.name[1] == 'k') return 6;
    if (m.name[2] < -100) return 7;
    if (m.raw[0] == 'x') return 8;
    if (m.raw[1] == 250) return 9;
    if (((m.tag >> 4) & 15) == 9) return 10;
    if ((uint16_t)m.word == 4660) return 11;
    return 0;
}
"#;

#[test]
fn conditions_are_written_as_a_programmer_of_cpp_writes_them() {
    let scratch = Scratch::with(&[("members.cpp", MEMBERS)]);
    scratch.everypath("run members.cpp --output out").succeeds();
    assert_eq!(
        conditions(&told(&scratch)),
        [
            "m.Base::tag != 5",
            "m.tag >= 0",
            "(m.port & 3) != 1",
            "(m.port & 4) == 0",
            "m.port < 201",
            "m.name[1] != 'k'",
            "m.name[2] >= -100",
            "m.raw[0] != 'x'",
            "m.raw[1] != 250",
            "((m.tag >> 4) & 0xf) != 9",
            "(unsigned short)m.word != 4660",
        ]
    );
    let listed = scratch.everypath("tests out").succeeds().stdout;
    assert!(listed.contains("m={Base::tag = 5, port = "), "{listed}");
}

#[test]
fn a_person_finds_an_error_in_a_browser_and_a_large_run_stays_fluid() {
    let scratch = reported("a b<i>&'#%41.c");
    scratch.write("large.html", report::page(&large()));
    let pages = [scratch.path("page.html"), scratch.path("large.html")];
    let Some(found) = browser::look("report", pages) else {
        return;
    };
    // The command that the page offers shows the error in the real program.
    let replay = found["replay"].as_str().expect("the page has a command");
    scratch
        .everypath(replay.strip_prefix("everypath ").expect("it is ours"))
        .succeeds();
}

/// A run of 50,000 paths through 20,000 lines, of which one ends in an error.
fn large() -> Document {
    const PATHS: u32 = 50_000;
    const LINES: u32 = 20_000;
    let run = json!({
        "schema": 1, "outcome": "complete", "tests": PATHS, "errors": [],
        "paths": {"completed": PATHS - 1, "errors": 1, "ignored": 0, "infeasible": 0,
                  "unknown": 0, "unfinished": 0},
        "coverage": {"lines": {"covered": LINES, "total": LINES},
                     "branches": {"covered": 1, "total": 2}},
        "instructions": 0, "forks": 0, "seconds": 1.0, "peak_memory_bytes": 0,
        "solver": {"queries": 0, "backend_calls": 0, "unknown": 0, "seconds": 0.0},
    });
    let frame = |line| Frame {
        function: "main".to_owned(),
        file: "/p/large.c".to_owned(),
        line,
    };
    // A tree of two ways at each node, as even as can be: node n comes after n / 2.
    let nodes = 2 * PATHS - 1;
    let tree = Tree {
        parents: (0..nodes).map(|node| node.saturating_sub(1) / 2).collect(),
        place_of: (0..nodes).map(|node| node % LINES).collect(),
        condition_of: (0..nodes).map(|node| node % 1000).collect(),
        places: (0..LINES).map(|line| frame(line + 1)).collect(),
        conditions: (0..1000).map(|n| format!("x[{n}] < {n}")).collect(),
    };
    let failing = 33_333;
    let tests = (0..PATHS).map(|number| Test {
        name: format!("test{:06}", number + 1),
        end: Some(
            if number == failing {
                "assert"
            } else {
                "exit 0"
            }
            .to_owned(),
        ),
        inputs: format!("x={number}"),
        node: Some(PATHS - 1 + number),
    });
    let finding = json!({"kind": "assert", "message": "x", "function": "main", "file": "large.c",
                         "line": 7, "test": format!("test{:06}", failing + 1)});
    Document {
        version: "1".to_owned(),
        title: "large.c".to_owned(),
        directory: "out".to_owned(),
        run: serde_json::from_value(run).expect("it is a report"),
        model: None,
        live: None,
        files: vec![SourceFile {
            path: "/p/large.c".to_owned(),
            name: "large.c".to_owned(),
            text: Some((0..LINES).map(|line| format!("    x += {line};")).collect()),
            lines: (1..=LINES)
                .map(|line| LineCount { line, hits: 1 })
                .collect(),
            branches: vec![BranchCount {
                line: 7,
                taken: vec![1, 0],
            }],
            functions: vec![FunctionCount {
                name: "main".to_owned(),
                line: 1,
                hits: 1,
            }],
        }],
        tests: tests.collect(),
        errors: vec![ErrorReport {
            finding: serde_json::from_value(finding).expect("it is an error"),
            tests: 1,
            stack: vec![frame(7)],
            input: "x".to_owned(),
            replay: "everypath replay out".to_owned(),
            pictures: Vec::new(),
        }],
        tree: Some(tree),
        costs: Vec::new(),
        calls: suite::CallCosts::default(),
        curve: Vec::new(),
        tables: Vec::new(),
        corpus: Vec::new(),
        notes: Vec::new(),
    }
}

/// Brackets; four in one another are an error.
const BRACKETS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int byte, depth = 0, deepest = 0;
    while ((byte = getchar()) != EOF) {
        depth += byte == '(' ? 1 : byte == ')' ? -1 : 0;
        if (depth < 0)
            return 2;
        deepest = depth > deepest ? depth : deepest;
    }
    if (deepest == 4)
        abort();
    return depth != 0;
}
"#;

#[test]
fn pages_of_other_front_ends_are_read_in_a_browser() {
    let scratch = Scratch::with(&[("brackets.c", BRACKETS)]);
    let fuzzed = scratch.everypath("fuzz brackets.c --max-runs 400 --out fuzzed");
    assert_eq!(fuzzed.status, Some(1), "{}", fuzzed.said());
    let listed = scratch.everypath("tests fuzzed").succeeds().stdout;
    let nothing = "no tests: fuzzing keeps inputs, in inputs, crashes and hangs of ";
    assert!(listed.starts_with(nothing), "{listed}");
    let refused = scratch.refusal("minimize fuzzed");
    let reason = "/fuzzed/run.json: fuzzing keeps inputs and no tests; \
                  everypath run FILE --seed-dir DIR/inputs makes tests of them\n";
    assert!(refused.ends_with(reason), "{refused}");
    let [model, hash] = ["examples/model/atm.iosts", "examples/mixed/hash.c"].map(project);
    let model = model.to_str().expect("the project has a plain name");
    let hash = hash.to_str().expect("the project has a plain name");
    scratch
        .everypath(&["model", "test", model, "-o", "model"])
        .succeeds();
    scratch
        .everypath(&["run", hash, "--output", "mixed"])
        .succeeds();
    let pages = ["fuzzed", "model", "mixed"].map(|name| {
        let page = format!("{name}.html");
        scratch
            .everypath(&["report", name, "--html", &page])
            .succeeds();
        scratch.path(&page)
    });
    browser::look("fronts", pages);
}
