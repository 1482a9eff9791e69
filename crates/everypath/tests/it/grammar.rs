//! `everypath grammar` and `everypath solve` on grammars and strings, as a user
//! meets them: what is typed, what is shown, and the exit status.

use testkit::{Scratch, everypath, project};

/// What one file and a command on it give, which leaves nothing behind.
#[track_caller]
fn on(name: &str, content: impl AsRef<[u8]>, arguments: &[&str]) -> (Option<i32>, String, String) {
    let folder = Scratch::new();
    folder.write(name, content);
    let output = folder.everypath(arguments);
    assert_eq!(
        folder.names("."),
        [name],
        "the command left something behind"
    );
    (output.status, output.stdout, output.stderr)
}

#[track_caller]
fn refuses(name: &str, content: impl AsRef<[u8]>, arguments: &[&str], expected: &str) {
    let folder = Scratch::new();
    folder.write(name, content);
    assert_eq!(folder.refusal(arguments), expected);
}

#[test]
fn check_shows_each_finding_with_its_line() {
    let (status, shown, said) = on(
        "a.bnf",
        "s ::= 'x' | loop\nloop ::= 'y' loop\nspare ::= 'z'\n",
        &["grammar", "check", "a.bnf"],
    );
    assert_eq!(
        said,
        "error: a.bnf:2:1: `loop` derives no word: every way of it leads back to itself\n  |\n\
         2 | loop ::= 'y' loop\n  | ^\n\
         warning: a.bnf:3:1: `spare` is not used: nothing leads to it from `s`\n  |\n\
         3 | spare ::= 'z'\n  | ^\n"
    );
    assert_eq!(
        shown,
        "a.bnf: 3 rules, 3 tokens, 1 errors, 1 warnings, 0 notes\n"
    );
    assert_eq!(status, Some(1));
}

#[test]
fn several_mistakes_are_shown_at_once() {
    refuses(
        "a.g4",
        "grammar A;\na : b 'x ;\nc : d ;\n",
        &["grammar", "check", "a.g4"],
        "error: a.g4:2:7: this text has no end; close it with `'`\n  |\n\
         2 | a : b 'x ;\n  |       ^\n\
         error: a.g4:3:5: `d` is not defined; define it, or put it in quotes if it stands for itself\n  |\n\
         3 | c : d ;\n  |     ^\n",
    );
    refuses(
        "q.hmp",
        "var v : 3;\nassert v in S;\nassert w contains \"x\";\n",
        &["solve", "q.hmp"],
        "error: q.hmp:3:8: `w` is not defined; define it with `var` or `val` before this line\n  |\n\
         3 | assert w contains \"x\";\n  |        ^\n",
    );
}

#[test]
fn languages_without_the_words_that_are_asked_for_are_named() {
    refuses(
        "a.bnf",
        "s ::= '(' s ')'",
        &["grammar", "sample", "a.bnf"],
        "error: a.bnf: the language is empty; `everypath grammar check` says why\n",
    );
    refuses(
        "a.bnf",
        "s ::= 'abc'",
        &["grammar", "sample", "a.bnf", "--max-length", "2"],
        "error: a.bnf: no word has a length from 0 to 2; the shortest has 3\n",
    );
    refuses(
        "a.bnf",
        "s ::= 'abc'",
        &["grammar", "count", "a.bnf", "--max-length", "99999999"],
        "error: a length of 99999999 is too large; the greatest is 500\n",
    );
    refuses(
        "a.bnf",
        "s ::= 'abc'",
        &["grammar", "count", "a.bnf", "--start", "t"],
        "error: a.bnf: there is no rule `t`; there are: s\n",
    );
}

#[test]
fn files_that_are_no_grammars_are_named() {
    refuses(
        "a.txt",
        "s ::= 'x'",
        &["grammar", "check", "a.txt"],
        "error: cannot tell what a.txt is: the name should end in .g4, .bnf, .ebnf, .json or .hmp\n",
    );
    refuses(
        "a.bnf",
        b"s ::= '\xff'",
        &["grammar", "check", "a.bnf"],
        "error: a.bnf: the byte at offset 7 is not UTF-8; save the file as UTF-8\n",
    );
    let (status, _, said) = on("q.hmp", b"var v : \xff;", &["solve", "q.hmp"]);
    assert!(said.starts_with("error: cannot read q.hmp: "), "{said}");
    assert_eq!(status, Some(2));
    let (status, _, said) = on("a.bnf", "", &["grammar", "check", "b.bnf"]);
    assert!(said.starts_with("error: cannot read b.bnf: "), "{said}");
    assert_eq!(status, Some(2));
    refuses(
        "q.hmp",
        "var v : 3;",
        &["grammar", "check", "q.hmp"],
        "error: q.hmp:1:1: there is no `cfg` statement in this file\n  |\n1 | var v : 3;\n  | ^\n",
    );
}

#[test]
fn deep_nesting_gets_a_message_that_shows_a_part_of_the_line() {
    let deep = format!("s ::= {}'x'{}", "(".repeat(100_000), ")".repeat(100_000));
    let (status, shown, said) = on("a.bnf", deep, &["grammar", "check", "a.bnf"]);
    let first = "error: a.bnf:1:207: groups nest deeper than 200 levels here; name a part of it\n";
    assert!(said.starts_with(first) && said.len() < 500, "{said}");
    assert_eq!((status, shown.as_str()), (Some(2), ""));
}

#[test]
fn samples_repeat_with_their_seed_and_differ_without() {
    let sample = |seed: &str| {
        let grammar = "examples/grammar/calc.bnf";
        let output = everypath(
            &project(""),
            &["grammar", "sample", grammar, "--seed", seed],
        );
        assert_eq!(output.status, Some(0));
        output.stdout
    };
    assert_eq!(sample("1").lines().count(), 10);
    assert_eq!(sample("1"), sample("1"));
    assert_ne!(sample("1"), sample("2"));
}

#[test]
fn an_intersection_takes_grammars_and_expressions_on_both_sides() {
    let grammar = "s ::= 'a'* 'b'*";
    let run = |arguments: &[&str]| {
        let (status, shown, said) = on(
            "a.bnf",
            grammar,
            &[&["grammar", "intersect", "a.bnf"], arguments].concat(),
        );
        assert_eq!((status, said.as_str()), (Some(0), ""));
        shown
    };
    assert_eq!(
        run(&["--with", "('a' | 'b') ('a' | 'b')", "--without", "'a' 'a'"]),
        "ab\nbb\n2 words of length 0 to 10\n"
    );
    assert_eq!(
        run(&["--with", "a.bnf", "--without", "a.bnf"]),
        "0 words of length 0 to 10\n"
    );
    refuses(
        "a.bnf",
        grammar,
        &["grammar", "intersect", "a.bnf", "--with", "[z-a]"],
        "error: the regular expression:1:12: this range ends before it begins; exchange its ends\n  |\n\
         1 | regex ::= [z-a]\n  |            ^\n",
    );
    refuses(
        "a.bnf",
        grammar,
        &["grammar", "intersect", "a.bnf"],
        "error: nothing to intersect with; give --with or --without\n",
    );
}

#[test]
fn words_that_cannot_be_told_apart_in_few_states_are_not_guessed() {
    // After n letters, every subset of the places of a letter is a state.
    let copies: String = (0..24)
        .map(|at| format!("| 'a' {} x{at}\n", "any ".repeat(at)))
        .collect();
    let rules: String = (0..24)
        .map(|at| format!("x{at} ::= 'b' any* 'c' {}\n", "any ".repeat(at)))
        .collect();
    let grammar = format!("s ::= any* ('z' {copies}) any*\nany ::= 'a' | 'b' | 'c' | 'd'\n{rules}");
    let (status, shown, said) = on(
        "a.bnf",
        grammar,
        &["grammar", "count", "a.bnf", "--max-length", "40"],
    );
    assert_eq!((status, said.as_str()), (Some(0), ""));
    assert!(
        shown.contains("words were not counted: telling them apart takes too many states"),
        "{shown}"
    );
}

#[test]
fn a_question_in_json_has_its_answers() {
    let question = "var v : 1; assert v in or(\"a\", \"b\");";
    let (status, shown, said) = on(
        "q.hmp",
        question,
        &["solve", "--json", "--all", "5", "q.hmp"],
    );
    assert_eq!((status, said.as_str()), (Some(0), ""));
    let object: serde_json::Value = serde_json::from_str(&shown).expect("it prints JSON alone");
    let answers = object["files"][0]["answers"]
        .as_array()
        .expect("there are answers");
    let mut values: Vec<&str> = answers
        .iter()
        .filter_map(|a| a["model"]["v"].as_str())
        .collect();
    values.sort_unstable();
    assert_eq!(values, ["a", "b"]);
    assert_eq!(answers[0]["answer"], "sat");
}

#[test]
fn a_question_that_is_too_hard_for_its_limit_is_unknown() {
    let question = "var v : 40; cfg S := S S | \"(\" S \")\" | \"[\" S \"]\" | \"()\" | \"[]\";
        assert v in S; assert v contains \"([()])[[](\"; assert v not contains \"()()\";
        assert v[3:20] = v[20:20];";
    let (status, shown, said) = on(
        "q.hmp",
        question,
        &["solve", "--conflict-limit", "1", "q.hmp"],
    );
    assert_eq!((status, shown.as_str()), (Some(0), "UNKNOWN\n"));
    assert_eq!(said, "q.hmp: unknown: the limit on conflicts was reached\n");
}
