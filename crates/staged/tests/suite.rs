//! Suites on disk.

use staged::{Bounds, Field, Header, Object, ObjectGraph, Solution, Suite};

fn object(type_name: &str, fields: &[(&str, Field)]) -> Object {
    let fields = fields.iter();
    Object {
        type_name: type_name.to_owned(),
        fields: fields
            .map(|(name, f)| ((*name).to_owned(), f.clone()))
            .collect(),
    }
}

#[test]
fn what_is_written_is_read_back() {
    let mut bounds = Bounds::default();
    let texts = ["Node=4", "Node.left=2", "Node.data=-3..9"];
    bounds.add_texts(texts).expect("they are bounds");
    let root = object(
        "Tree",
        &[
            ("least", Field::Number(i64::MIN.into())),
            ("root", Field::To(1)),
        ],
    );
    let fields = [
        ("compare", Field::Function("compareNumbers".to_owned())),
        ("huge", Field::Number(1 << 100)),
        ("left", Field::Null),
        ("mark", Field::Float(f64::NEG_INFINITY)),
        ("mean", Field::Float(0.1)),
        ("parent", Field::Inside(0, 1)),
        ("right", Field::Untouched),
    ];
    let suite = Suite {
        header: Header {
            object: "Tree".to_owned(),
            invariant: "repOk".to_owned(),
            grammar: None,
            code: Some("abc".to_owned()),
            bounds,
            complete: true,
        },
        solutions: vec![Solution {
            line: 2,
            graph: ObjectGraph {
                objects: vec![root, object("Node", &fields)],
                ..ObjectGraph::default()
            },
            condition: "a == b\nc".to_owned(),
        }],
    };
    assert_eq!(Suite::read(&suite.text()), Ok((suite, Vec::new())));
}

#[test]
fn each_line_that_cannot_be_used_is_named_and_the_others_stay() {
    let text = r#"{"schema":"everypath-stage","version":1,"object":"T","invariant":"f"}
{"objects":[]}
{"objects":[{"type":"T"}]}
{"objects":[{"type":"T","fields":{"a":[1]}}]}
{"objects":[{"type":"T","fields":{"a"
[]
"#;
    let (suite, complaints) = Suite::read(text).expect("the header is good");
    let lines: Vec<usize> = suite.solutions.iter().map(|it| it.line).collect();
    assert_eq!(lines, [3]);
    let complaints: Vec<String> = complaints.iter().map(ToString::to_string).collect();
    assert_eq!(
        complaints,
        [
            "line 2: it has no objects",
            "line 4: it is no solution: invalid type: sequence, expected the value of a field: \
             a number, null, \"@1\", \"&name\", \"[a-z]\" or \"?\" at column 39",
            "line 5: it is no solution: EOF while parsing an object at column 37",
            "line 6: it is no JSON object",
        ]
    );
}

#[test]
fn a_suite_that_was_cut_off_or_changed_is_refused() {
    let solution = |line| Solution {
        line,
        graph: ObjectGraph {
            objects: vec![object("T", &[("n", Field::Number(line as i128))])],
            ..ObjectGraph::default()
        },
        condition: String::new(),
    };
    let suite = Suite {
        header: Header {
            object: "T".to_owned(),
            invariant: "f".to_owned(),
            ..Header::default()
        },
        solutions: vec![solution(2), solution(3)],
    };
    let text = suite.text();
    let refused = |text: &str| Suite::read(text).expect_err("it is refused").to_string();
    let lines: Vec<&str> = text.lines().collect();
    let edited = ", or leave \"count\" and \"checksum\" out of its first line if it was edited";
    assert_eq!(
        refused(&lines[..2].join("\n")),
        format!("the suite has 1 objects, and had 2 when it was written; build it again{edited}")
    );
    assert_eq!(
        refused(&text.replace(":3}", ":4}")),
        format!("the suite is not what was written: its checksum differs; build it again{edited}")
    );
}

#[test]
fn what_is_no_bound_is_refused() {
    let mut bounds = Bounds::default();
    for text in ["Node", "Node=", "=4", "Node=-1", "Node.=2", ".left=2"] {
        assert!(bounds.add_max(text).is_err(), "{text}");
    }
    for text in [
        "Node=0..1",
        "Node.data=3",
        "Node.data=5..1",
        "Node.data=..",
        ".a=0..1",
    ] {
        assert!(bounds.add_range(text).is_err(), "{text}");
    }
    assert_eq!(bounds, Bounds::default());
}
