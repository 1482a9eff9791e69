//! HAMPI's language: answers, whichever the encoding, and what is refused.

use grammar::Encoding;
use grammar::hampi::{Query, Reply, Session, Settings};

const ENCODINGS: [Encoding; 3] = [Encoding::Core, Encoding::Chart, Encoding::Auto];

fn solutions(text: &str, encoding: Encoding, most: usize) -> Vec<Vec<String>> {
    let query = Query::parse(text).expect("the text is well-formed");
    let settings = Settings {
        encoding,
        ..Settings::default()
    };
    let mut session = Session::new(&query, settings).expect("the query is small");
    let mut all = Vec::new();
    while all.len() < most {
        match session.next_solution().expect("solutions are confirmed") {
            Reply::Solution(values) => {
                let values = values
                    .iter()
                    .map(|v| String::from_utf8_lossy(v).into_owned());
                all.push(values.collect());
            }
            Reply::None => break,
            Reply::Unknown(reason) => panic!("{reason}"),
        }
    }
    all
}

const WORKED_EXAMPLE: &str = r#"
    var v : 2;
    cfg E := "()" | E E | "(" E ")";
    reg Efixed := fixsize(E, 6);
    val q := concat("((", v, "))");
    assert q in Efixed;
    assert q contains "())";
"#;

#[test]
fn the_worked_example_is_answered_as_published() {
    for encoding in ENCODINGS {
        assert_eq!(
            solutions(WORKED_EXAMPLE, encoding, 1),
            [[")("]],
            "{encoding:?}"
        );
    }
}

fn complaints(text: &str) -> Vec<String> {
    let problems = Query::parse(text).expect_err("something is wrong").0;
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn every_mistake_in_a_text_is_named_with_its_place() {
    let text = "var v : 3..2;\n\
                var w : 99999;\n\
                cfg S := \"a\" T | ( \"b\" ;\n\
                reg R := or(\"a\", S, star(\"a\", \"b\"));\n\
                val q := concat(v, nothing);\n\
                assert x in S;\n\
                assert q in nowhere;\n\
                assert q is R;\n\
                let q = 1;\n\
                var q : 2;";
    assert_eq!(
        complaints(text),
        [
            "1:9: no length is between 3 and 2; exchange them",
            "2:9: 99999 is too large: strings have at most 10000 bytes",
            "3:24: `;` is not expected here; `)` would end the group",
            "4:18: `S` is a context-free language; fix its size: `fixsize(S, 10)`",
            "5:17: `v` is not defined; define it with `var` or `val` before this line",
            "6:8: `x` is not defined; define it with `var` or `val` before this line",
            "8:10: `in`, `contains` or `=` should be here, with or without `not`",
            "9:1: `let` begins no statement; `var`, `cfg`, `reg`, `val` and `assert` do",
            "10:5: `q` is already defined in line 5",
        ]
    );
}

#[test]
fn single_mistakes_are_named_with_what_to_do() {
    let cases = [
        (
            "",
            "1:1: there is no variable to find a value for; declare one: `var v : 5;`",
        ),
        (
            "var v : 2",
            "1:10: the end of the text is not expected here; `;` should be here",
        ),
        (
            "var v : 2; cfg S := \"a",
            "1:21: this text has no end; close it with `\"`",
        ),
        (
            "var v : 2; /* x",
            "1:12: this comment has no end; close it with `*/`",
        ),
        (
            "var v : 2; cfg S := T;",
            "1:21: `T` is not defined; define it, or put it in quotes if it stands for itself",
        ),
        (
            "var v : 2; reg R := [b-a];",
            "1:22: this range ends before it begins; exchange its ends",
        ),
        (
            "var v : 2; reg R := \\256;",
            "1:22: a byte is written as three decimal digits, from 000 to 255",
        ),
        (
            "var v : 2; reg R := [é];",
            "1:22: sets are of bytes: `\\000` to `\\255`",
        ),
        (
            "var v : 2; reg R := fixsize(S, 3);",
            "1:29: `S` is not defined; define it with `cfg` or `reg`",
        ),
        (
            "var v : 2; assert v in S;",
            "1:24: `S` is not defined; define it with `cfg` or `reg`",
        ),
        (
            "var v : 2; assert v in v;",
            "1:24: `v` is a string, not a language",
        ),
        (
            "var v : 2; assert v[1:2] = \"a\";",
            "1:19: this takes the bytes 1 to 3, but there are at most 2",
        ),
        (
            "var v : 9000; val q := concat(v, v);",
            "1:24: this may have 18000 bytes, and at most 10000 are allowed",
        ),
        (
            "var v : 2; reg R := twice(\"a\");",
            "1:21: `twice` makes no language; `or`, `concat`, `star` and `fixsize` do",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(complaints(text), [expected], "{text}");
    }
}

#[test]
fn deep_nesting_is_refused_not_followed() {
    let deep =
        |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
    for text in [
        format!("var v : 1; cfg S := {};", deep("(", ")")),
        format!("var v : 1; reg R := {};", deep("star(", ")")),
        format!("var v : 1; val q := {};", deep("concat(", ")")),
    ] {
        let found = complaints(&text);
        assert!(
            found[0].ends_with("this nests deeper than 200 levels; name a part of it"),
            "{found:?}"
        );
    }
}

#[test]
fn a_query_beyond_what_is_encoded_is_refused_with_its_place() {
    let text = "var v : 5000;\ncfg S := S S | \"a\" S \"b\" | ;\nassert v in S;";
    let query = Query::parse(text).expect("the text is well-formed");
    let Err(failure) = Session::new(&query, Settings::default()) else {
        panic!("the query is too large");
    };
    let message = failure.to_string();
    assert!(
        message.starts_with("3:1: strings of 5000 bytes are too long"),
        "{message}"
    );
    let text =
        "var a : 0..5000;\nvar b : 0..5000;\nval q := concat(a, b);\nassert q contains \"x\";";
    let query = Query::parse(text).expect("the text is well-formed");
    let Err(failure) = Session::new(&query, Settings::default()) else {
        panic!("the query is too large");
    };
    assert!(
        failure
            .to_string()
            .starts_with("4:1: the lengths of its parts vary too much")
    );
}

#[test]
fn a_limit_on_conflicts_gives_unknown_not_an_answer() {
    let text = "var v : 40; cfg S := S S | \"(\" S \")\" | \"[\" S \"]\" | \"()\" | \"[]\";
        assert v in S; assert v contains \"([()])[[](\"; assert v not contains \"()()\";
        assert v[3:20] = v[20:20];";
    let query = Query::parse(text).expect("the text is well-formed");
    let mut settings = Settings::default();
    settings.solver.limits.conflicts = Some(1);
    let mut session = Session::new(&query, settings).expect("the query is small");
    assert!(matches!(session.next_solution(), Ok(Reply::Unknown(_))));
}

#[test]
fn a_grammar_needs_no_unknowns() {
    let grammar = grammar::hampi::grammar("cfg S := \"a\" S | ;").expect("it is a grammar");
    assert_eq!(grammar.rule("S"), Some(0));
    let problems = grammar::hampi::grammar("var v : 2;").expect_err("it has none");
    assert_eq!(
        problems.to_string(),
        "1:1: there is no `cfg` statement in this file"
    );
}
