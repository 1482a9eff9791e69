//! Suites of the shapes of a grammar's words, and what is made of them.

use std::process::Command;
use testkit::{Finished, Scratch, project};

/// The shapes of the calculator's words in a scratch folder, up to five bytes.
fn built() -> Scratch {
    let scratch = Scratch::new();
    let grammar = project("examples/staged/calculator.bnf");
    let build = format!(
        "stage build --grammar {} --max-length 5 -o calculator.stage",
        grammar.display()
    );
    scratch.everypath(&build).succeeds();
    scratch
}

fn calculator() -> String {
    let program = project("examples/staged/calculator.c");
    program.display().to_string()
}

/// One digit; two around a sign, or one in brackets; and of five bytes four of three digits,
/// four of a digit and one in brackets, and three in brackets.
#[test]
fn a_suite_has_the_shapes_of_a_grammars_words() {
    let scratch = built();
    let shown = scratch.everypath("stage show calculator.stage");
    let lines: Vec<&str> = shown.stdout.lines().collect();
    assert!(
        lines[0].starts_with("15 shapes of words of ") && lines[0].ends_with(" of up to 5 bytes"),
        "{}",
        shown.stdout
    );
    assert_eq!(
        lines[2..10],
        [
            "line 2",
            "[0-9]",
            "  (start (sum (product (atom [0-9]))))",
            "",
            "line 3",
            r"[0-9][+\-][0-9]",
            r"  (start (sum (sum (product (atom [0-9]))) (sign [+\-]) (product (atom [0-9]))))",
            "",
        ]
    );
    let suite = scratch.read("calculator.stage");
    assert!(
        suite.contains(r#""fields":{"[0]":"[0-9]","[1]":"[+\\-]","[2]":"[0-9]"},"type":"char[3]""#)
    );
}

/// A text goes one way for each choice of operations, and where a quotient has no value.
#[test]
fn a_method_is_explored_on_every_shape_and_finds_what_is_wrong_with_it() {
    let scratch = built();
    let run = format!(
        "stage run {} --method evaluate --input calculator.stage",
        calculator()
    );
    let run = format!("{run} --post evaluatePost");
    let right = scratch.everypath(&format!("{run} --json"));
    assert_eq!(right.status, Some(0), "{}", right.said());
    assert_eq!(right.json()["outcome"], "complete");
    let divides = scratch.everypath(&format!("{run} -D MUTANT=1 --output divides"));
    assert_eq!(divides.status, Some(1), "{}", divides.said());
    assert!(divides.stdout.contains("division"), "{}", divides.stdout);
    let test = divides.stdout.lines();
    let mut test = test.filter_map(|line| line.trim().strip_prefix("unit test: "));
    let compile = test
        .next_back()
        .and_then(|it| it.strip_suffix(" && ./a.out"));
    let compile = compile.expect("there is a unit test");
    let mut shell = Command::new("sh");
    let shell = shell.current_dir(scratch.folder()).args(["-c", compile]);
    Finished::of(shell).succeeds();
    let ran = Finished::of(&mut Command::new(scratch.path("a.out")));
    assert!(!ran.success(), "{}", ran.said());
    let stops = scratch.everypath(&format!("{run} -D MUTANT=2"));
    assert_eq!(stops.status, Some(1), "{}", stops.said());
    assert!(
        stops.stdout.contains("`evaluatePost` does not hold"),
        "{}",
        stops.stdout
    );
}

/// The exits of a program over all words, one by one, are those of the shapes.
#[test]
fn every_word_takes_a_path_of_its_shape() {
    let scratch = Scratch::with(&[
        (
            "words.bnf",
            "<start> ::= [ab] | [ab] <start> | \"c\" [xy]\n",
        ),
        (
            "program.c",
            "#include <string.h>\n\
             int kind(const char *text, int *more) {\n\
                 *more = 0;\n\
                 if (text[0] == 'c')\n        {\n        if (text[1] == 'y')\n            return 1;\n        return 2;\n    }\n\
                 int found = 10 * (int)strlen(text);\n\
                 for (; *text; text++)\n        if (*text == 'b')\n            found++;\n\
                 return found;\n}\n",
        ),
    ]);
    let build = "stage build --grammar words.bnf --max-length 3 -o words.stage";
    let built = scratch.everypath(build).succeeds();
    assert!(
        built
            .stdout
            .starts_with("5 shapes of words of up to 3 bytes are in words.stage")
    );
    let ran = scratch.everypath("stage run program.c --method kind --input words.stage --json");
    // Of a's and b's each word is a path, `cx` and `cy` are, and `acx` goes the way of `acy`.
    assert_eq!(
        ran.json()["paths"]["completed"],
        2 + 4 + 2 + 8 + 2,
        "{}",
        ran.said()
    );
}

#[test]
fn what_is_no_suite_of_a_grammar_is_refused() {
    let scratch = built();
    let refused = |line: &str, why: &str| {
        assert_eq!(scratch.refusal(line), format!("error: {why}\n"), "{line}");
    };
    let grammar = project("examples/staged/calculator.bnf");
    let grammar = grammar.display();
    refused(
        &format!("stage build --grammar {grammar} -o x.stage"),
        "--grammar needs --max-length, the most bytes of a word",
    );
    refused(
        &format!(
            "stage build {} --grammar {grammar} --max-length 3 -o x.stage",
            calculator()
        ),
        "the words of a grammar need no program; name it with `stage run`",
    );
    refused(
        &format!("stage build --grammar {grammar} --max-length 0 -o x.stage"),
        &format!("{grammar}: no word has a length from 0 to 0; the shortest has 1"),
    );
    let run = format!("stage run {} --method", calculator());
    refused(
        &format!("{run} evaluate --input calculator.stage --input calculator.stage"),
        "`evaluate` takes 1 texts, and there are more suites of grammars",
    );
    refused(
        &format!("{run} evaluate --input calculator.stage --rebuild"),
        "calculator.stage is of a grammar; build it again with `stage build --grammar`",
    );
    refused(
        "run program.c --grammar calculator.bnf",
        "--grammar needs --sym-stdin, the most bytes of standard input",
    );
}
