//! Standard input as an input: any bytes, or the words of a grammar.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use suite::RunDirectory;
use testkit::{Scratch, project};

/// Sums and products over few letters, so that all strings can be tried.
const SMALL: &str = r#"
<sum>     ::= <product> | <sum> "+" <product>
<product> ::= <factor> | <product> "*" <factor>
<factor>  ::= [1-2] | "(" <sum> ")"
"#;

/// Takes a way of its own for every letter it reads.
const SPELLER: &str = r#"
#include <stdio.h>
int main(void) {
    int count = 0, c;
    while ((c = getchar()) != EOF) {
        switch (c) {
        case '1': count += 1; break;
        case '2': count += 2; break;
        case '+': count += 3; break;
        case '*': count += 4; break;
        case '(': count += 5; break;
        case ')': count += 6; break;
        default: return 99;
        }
    }
    return count;
}
"#;

/// Runs `program.c`; gives the run's object.
fn run(scratch: &Scratch, options: &[&str]) -> Value {
    let command = ["run", "program.c", "--output", "out", "--json"];
    scratch.everypath(&[&command, options].concat()).json()
}

/// The standard inputs of all tests, each of which is there once.
fn inputs(scratch: &Scratch) -> Vec<Vec<u8>> {
    let run = RunDirectory::open(&scratch.path("out")).expect("the run wrote it");
    let last = |test: &suite::StoredTest| {
        let last = test.case.inputs.last().expect("there is standard input");
        assert_eq!(last.name, "stdin");
        last.bytes.clone()
    };
    run.tests.iter().map(last).collect()
}

/// Every test ends in the real program as the machine said.
fn replays(scratch: &Scratch) {
    let output = scratch.everypath("replay out --native --json");
    let shown = output.json();
    assert_eq!(shown["agreed"], shown["tests"], "{shown}");
    assert_eq!(shown["branches"]["differing"], 0, "{shown}");
    output.succeeds();
}

/// Whether a string is a sum, by descent: no code of the grammar crate.
fn is_sum(string: &[u8]) -> bool {
    fn sum(rest: &[u8]) -> Option<&[u8]> {
        let mut rest = product(rest)?;
        while let [b'+', more @ ..] = rest {
            rest = product(more)?;
        }
        Some(rest)
    }
    fn product(rest: &[u8]) -> Option<&[u8]> {
        let mut rest = factor(rest)?;
        while let [b'*', more @ ..] = rest {
            rest = factor(more)?;
        }
        Some(rest)
    }
    fn factor(rest: &[u8]) -> Option<&[u8]> {
        match rest {
            [b'1' | b'2', rest @ ..] => Some(rest),
            [b'(', rest @ ..] => match sum(rest)? {
                [b')', rest @ ..] => Some(rest),
                _ => None,
            },
            _ => None,
        }
    }
    sum(string) == Some(&[])
}

fn all_sums(longest: usize) -> BTreeSet<Vec<u8>> {
    let mut strings: Vec<Vec<u8>> = vec![Vec::new()];
    let mut sums = BTreeSet::new();
    for _ in 0..longest {
        let longer = strings.iter().flat_map(|string| {
            let letters = b"12+*()".iter();
            letters.map(|&letter| [&string[..], &[letter]].concat())
        });
        strings = longer.collect();
        sums.extend(strings.iter().filter(|string| is_sum(string)).cloned());
    }
    sums
}

#[test]
fn a_program_that_tells_all_letters_apart_gets_every_word_once() {
    let directory = Scratch::with(&[("program.c", SPELLER), ("sums.bnf", SMALL)]);
    let options = ["--sym-stdin", "5", "--grammar", "sums.bnf"];
    let run = run(&directory, &options);
    let words = inputs(&directory);
    assert_eq!(run["outcome"], "complete");
    assert_eq!(
        words.len(),
        run["paths"]["completed"].as_u64().unwrap() as usize
    );
    let found: BTreeSet<Vec<u8>> = words.iter().cloned().collect();
    assert_eq!(found.len(), words.len(), "a word comes twice");
    assert_eq!(found, all_sums(5));
    replays(&directory);
}

#[test]
fn a_path_that_reads_only_a_part_still_gets_a_whole_word() {
    let program = r#"
        #include <unistd.h>
        int main(void) {
            char c[2] = "--";
            if (read(0, c, 2) == 2 && c[0] == '(' && c[1] == '(')
                return 1;
            if (c[0] == '2')
                return 2;
            return 0;
        }"#;
    let directory = Scratch::with(&[("program.c", program), ("sums.bnf", SMALL)]);
    run(&directory, &["--sym-stdin", "6", "--grammar", "sums.bnf"]);
    let words = inputs(&directory);
    for word in &words {
        assert!(is_sum(word), "{}", word.escape_ascii());
    }
    for begun in ["((", "2"] {
        assert!(words.iter().any(|word| word.starts_with(begun.as_bytes())));
    }
    replays(&directory);
}

#[test]
fn an_error_is_shown_with_the_word_that_leads_to_it() {
    let program = r#"
        #include <stdio.h>
        #include <stdlib.h>
        int main(void) {
            if (getchar() == '2' && getchar() == '*')
                abort();
            return 0;
        }"#;
    let directory = Scratch::with(&[("program.c", program), ("sums.bnf", SMALL)]);
    let line = "run program.c --output out --sym-stdin 3 --grammar sums.bnf";
    let told = directory.everypath(line).said();
    assert!(told.contains("input 1: stdin, 3 bytes"), "{told}");
    assert!(told.contains("text   \"2*"), "{told}");
}

#[test]
fn without_a_grammar_any_bytes_up_to_the_length_are_read() {
    let program = r#"
        #include <stdio.h>
        #include <string.h>
        int main(void) {
            char line[8] = "";
            if (!fgets(line, sizeof line, stdin))
                return 1;
            if (strcmp(line, "ab\n") == 0)
                return getchar() == EOF ? 2 : 3;
            return 4;
        }"#;
    let directory = Scratch::with(&[("program.c", program)]);
    let run = run(&directory, &["--sym-stdin", "4"]);
    assert_eq!(run["outcome"], "complete");
    let found = inputs(&directory);
    for expected in [&b""[..], b"ab\n"] {
        assert!(
            found.contains(&expected.to_vec()),
            "{expected:?} in {found:?}"
        );
    }
    assert!(
        found
            .iter()
            .any(|it| it.len() == 4 && it.starts_with(b"ab\n"))
    );
    let lengths: BTreeSet<usize> = found.iter().map(Vec::len).collect();
    assert_eq!(lengths, (0..=4).collect());
    replays(&directory);
}

#[test]
fn standard_input_is_beside_other_inputs() {
    let program = r#"
        #include <everypath.h>
        #include <stdio.h>
        int main(void) {
            unsigned char key = 0;
            int c = getchar();
            ep_symbolic(&key, 1, "stdin");
            if (c == (key ^ 0x55))
                return 1;
            return 0;
        }"#;
    let directory = Scratch::with(&[("program.c", program), ("sums.bnf", SMALL)]);
    let run = run(&directory, &["--sym-stdin", "1", "--grammar", "sums.bnf"]);
    assert_eq!(run["paths"]["completed"], 2);
    replays(&directory);
}

#[test]
fn the_calculator_of_the_examples_fails_only_behind_its_parser() {
    let example = project("examples/grammar");
    let program = fs::read_to_string(example.join("calc.c")).expect("it is shipped");
    let grammar = fs::read_to_string(example.join("calc.bnf")).expect("it is shipped");
    let directory = Scratch::with(&[("program.c", &program), ("calc.bnf", &grammar)]);
    let run = run(&directory, &["--sym-stdin", "5", "--grammar", "calc.bnf"]);
    assert_eq!(run["outcome"], "complete");
    for error in run["errors"].as_array().expect("there are errors") {
        assert_eq!(error["message"], "assertion `value != 42` failed");
    }
    let (completed, errors) = (&run["paths"]["completed"], &run["paths"]["errors"]);
    assert_eq!((completed, errors), (&15.into(), &7.into()));
    let ends = run["ends"].as_object().expect("tests end");
    let ends: BTreeSet<&str> = ends.keys().map(String::as_str).collect();
    // Whether a value has two digits is no branch: it depends on the values that tests get.
    assert!(
        ends.is_subset(&BTreeSet::from(["assert", "exit 0", "exit 1"])),
        "{ends:?}"
    );
    replays(&directory);
}

#[test]
fn what_cannot_be_is_refused_before_anything_is_written() {
    let directory = Scratch::with(&[
        ("program.c", SPELLER),
        ("sums.bnf", SMALL),
        ("empty.bnf", "<a> ::= \"x\" <a>\n"),
        ("long.bnf", "<a> ::= \"abcdef\"\n"),
        ("wrong.bnf", "<a> ::= \"x\n"),
        ("calc.txt", SMALL),
    ]);
    let refused = |options: &[&str]| {
        let arguments = [&["run", "program.c", "--output", "out"][..], options].concat();
        let output = directory.everypath(&arguments);
        assert_eq!(output.status, Some(2), "{}", output.stdout);
        assert!(!directory.path("out").exists(), "{options:?}");
        output.stderr
    };
    let grammar = |file: &str| refused(&["--sym-stdin", "3", "--grammar", file]);
    assert_eq!(
        grammar("empty.bnf"),
        "error: empty.bnf: the language is empty; `everypath grammar check` says why\n"
    );
    assert_eq!(
        grammar("long.bnf"),
        "error: long.bnf: no word has a length from 0 to 3; the shortest has 6\n"
    );
    assert!(
        grammar("wrong.bnf").starts_with("error: wrong.bnf:1:9: "),
        "{}",
        grammar("wrong.bnf")
    );
    assert!(grammar("calc.txt").starts_with("error: cannot tell what calc.txt is"));
    assert!(grammar("none.bnf").starts_with("error: cannot read none.bnf"));
    let start = [
        "--sym-stdin",
        "3",
        "--grammar",
        "sums.bnf",
        "--grammar-start",
        "x",
    ];
    assert_eq!(
        refused(&start),
        "error: sums.bnf: there is no rule `x`; there are: sum, product, factor\n"
    );
    assert_eq!(
        refused(&["--sym-stdin", "600", "--grammar", "sums.bnf"]),
        "error: a length of 600 is too large; the greatest is 500\n"
    );
    assert_eq!(
        refused(&["--sym-stdin", "100000"]),
        "error: a standard input of 100000 bytes is too large; the greatest is 65536\n"
    );
    assert_eq!(
        refused(&["--sym-stdin", "3", "--complex", "dart"]),
        "error: --sym-stdin cannot be used with --complex dart\n"
    );
    assert_eq!(
        refused(&["--sym-stdin", "3", "--write-testcomp"]),
        "error: --sym-stdin cannot be used with --write-testcomp\n"
    );
    assert!(refused(&["--grammar", "sums.bnf"]).contains("--grammar needs --sym-stdin"));
}
