//! `everypath fuzz` as a user meets it: the inputs it writes, the errors it finds,
//! and what it says to what it cannot use. The real program, compiled by clang, is
//! the referee: every crash has to be one there.

use serde_json::Value as Json;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::{Finished, Scratch, project};

const MAGIC: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char text[32];
    int c, length = 0;
    while ((c = getchar()) != EOF && length < 31)
        text[length++] = (char)c;
    text[length] = 0;
    if (length >= 4 && memcmp(text, "bad!", 4) == 0)
        abort();
    if (strncmp(text, "hello", 5) == 0)
        return 10 / (text[5] - 'x');
    return 0;
}
"#;

/// Sums and assignments. Numbers are one token, whatever their value.
const SUMS: &str = r#"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { END, NUMBER, NAME, LET, PRINT };
static char source[4096], name[32];
static int at, number, token, values[26];

int next_token(void) {
    while (source[at] == ' ' || source[at] == '\n')
        at++;
    if (!source[at])
        return END;
    if (isdigit((unsigned char)source[at])) {
        for (number = 0; isdigit((unsigned char)source[at]); at++)
            number = number * 10 + source[at] - '0';
        return NUMBER;
    }
    if (islower((unsigned char)source[at])) {
        int length = 0;
        while (islower((unsigned char)source[at]) && length < 31)
            name[length++] = source[at++];
        name[length] = 0;
        return strcmp(name, "let") == 0 ? LET : strcmp(name, "print") == 0 ? PRINT : NAME;
    }
    return 256 + source[at++];
}

static void advance(void) { token = next_token(); }
static void expect(int wanted) {
    if (token != wanted)
        exit(1);
    advance();
}
static int sum(void);
static int factor(void) {
    int value = number;
    if (token == NAME)
        value = values[name[0] - 'a'];
    else if (token == '(' + 256) {
        advance();
        value = sum();
        expect(')' + 256);
        return value;
    } else if (token != NUMBER)
        exit(1);
    advance();
    return value;
}
static int product(void) {
    int value = factor();
    while (token == '*' + 256 || token == '/' + 256) {
        int operator = token;
        advance();
        int right = factor();
        value = operator == '*' + 256 ? (int)((unsigned)value * (unsigned)right) : value / right;
    }
    return value;
}
static int sum(void) {
    int value = product();
    while (token == '+' + 256) {
        advance();
        value = (int)((unsigned)value + (unsigned)product());
    }
    return value;
}

int main(void) {
    source[fread(source, 1, sizeof source - 1, stdin)] = 0;
    advance();
    while (token != END) {
        if (token == LET) {
            advance();
            int variable = name[0] - 'a';
            expect(NAME);
            expect('=' + 256);
            values[variable] = sum();
        } else {
            expect(PRINT);
            printf("%d\n", sum());
        }
        expect(';' + 256);
    }
    return 0;
}
"#;

const SUMS_GRAMMAR: &str = "grammar sums;
program : statement* EOF ;
statement : ('let' NAME '=' sum | 'print' sum) ';' ;
sum : product ('+' product)* ;
product : factor (('*' | '/') factor)* ;
factor : NUMBER | NAME | '(' sum ')' ;
NAME : [a-z]+ ;
NUMBER : [0-9]+ ;
BLANK : [ \\t\\n]+ -> skip ;
";

struct Folder(Scratch);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Folder {
        Folder(Scratch::with(files))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path(name)
    }

    fn fuzz(&self, arguments: &[&str]) -> Finished {
        self.0.everypath(&[&["fuzz"], arguments].concat())
    }

    /// Fuzzes into `out` and gives what the run says of itself.
    #[track_caller]
    fn run(&self, arguments: &[&str]) -> Json {
        let output = self.fuzz(&[arguments, &["--out", "out", "--json"]].concat());
        output.json()
    }

    /// The files of a folder in the output, in order.
    fn texts(&self, folder: &str) -> Vec<String> {
        // What is being written has a name with a dot before it, and soon another.
        let names = self.0.names(folder).into_iter();
        let names = names.filter(|name| !name.contains('.'));
        let read = |name: String| fs::read(self.path(folder).join(name)).expect("it is there");
        names
            .map(|name| String::from_utf8_lossy(&read(name)).into_owned())
            .collect()
    }

    /// Compiles files with sanitizers.
    fn compile(&self, files: &[PathBuf]) -> PathBuf {
        let sanitize = [
            "-g",
            "-w",
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=all",
        ];
        self.0.clang(
            sanitize
                .into_iter()
                .map(OsStr::new)
                .chain(files.iter().map(OsStr::new))
                .chain(["-o", "native"].map(OsStr::new)),
        );
        self.path("native")
    }

    /// Whether the real program crashes on every file of a folder.
    #[track_caller]
    fn crash_natively(&self, program: &Path, folder: &str) {
        let crashes = self.texts(folder).len();
        for number in 1..=crashes {
            let file = self.path(&format!("{folder}/{number:06}"));
            let ran = native(program, &file);
            let status = ran.status;
            let said = ran.stderr;
            // The sanitizers' own status, or a signal; the programs exit with 0 or 1.
            let crashed =
                status.is_none() || said.contains("Sanitizer") || said.contains("runtime error");
            assert!(crashed, "{} ended with {status:?}", file.display());
        }
    }
}

fn native(program: &Path, input: &Path) -> Finished {
    let input = fs::File::open(input).expect("the input is there");
    let mut command = Command::new(program);
    Finished::of(command.env("ASAN_OPTIONS", "detect_leaks=0").stdin(input))
}

/// The errors of a run: kind, function and line.
fn errors(run: &Json) -> Vec<(String, String, u64)> {
    let field = |error: &Json, name: &str| error[name].as_str().unwrap().to_owned();
    let errors = run["errors"].as_array().unwrap().iter();
    let errors = errors.map(|e| {
        (
            field(e, "kind"),
            field(e, "function"),
            e["line"].as_u64().unwrap(),
        )
    });
    let mut errors: Vec<_> = errors.collect();
    errors.sort();
    errors
}

#[test]
fn bytes_that_a_program_compares_with_are_found_and_crash_the_real_program() {
    let folder = Folder::with(&[("magic.c", MAGIC)]);
    let run = folder.run(&["magic.c", "--max-length", "10"]);
    assert_eq!(run["outcome"], "complete");
    let expected = [("abort", "main", 13), ("division", "main", 15)];
    let expected = expected.map(|(kind, function, line)| (kind.into(), function.into(), line));
    assert_eq!(errors(&run), expected);
    let coverage = &run["coverage"]["branches"];
    assert_eq!(coverage["covered"], coverage["total"]);
    let crashes = folder.texts("out/crashes");
    assert!(
        crashes[0].starts_with("bad!") && crashes[1].starts_with("hellox"),
        "{crashes:?}"
    );
    let native = folder.compile(&[folder.path("magic.c")]);
    folder.crash_natively(&native, "out/crashes");
}

#[test]
fn the_same_seed_gives_the_same_files() {
    let folder = Folder::with(&[("sums.c", SUMS), ("sums.g4", SUMS_GRAMMAR)]);
    let fuzz = |out: &str, seed: &str| {
        let arguments = ["sums.c", "--grammar", "sums.g4", "--tokens", "next_token"];
        let limits = ["--max-runs", "300", "--seed", seed, "--out", out];
        folder.fuzz(&[&arguments[..], &limits].concat());
        (
            folder.texts(&format!("{out}/inputs")),
            folder.texts(&format!("{out}/crashes")),
        )
    };
    let first = fuzz("a", "7");
    assert!(!first.0.is_empty());
    assert_eq!(first, fuzz("b", "7"));
    assert_ne!(first, fuzz("c", "8"));
}

#[test]
fn seeds_lead_where_the_search_begins() {
    let program = "#include <stdio.h>\n#include <stdlib.h>\n
        int main(void) {
            char c[8]; int sum = 0;
            if (fread(c, 1, 8, stdin) != 8) return 0;
            for (int i = 0; i < 8; i++) sum = sum * 31 + c[i];
            if (sum == 1234567) return 1;
            if (c[0] == 'Q' && c[7] == 'Z') abort();
            return 0;
        }";
    let folder = Folder::with(&[("deep.c", program), ("seed", "Q234567Y")]);
    let run = folder.run(&["deep.c", "--seeds", "seed", "--max-runs", "40"]);
    assert_eq!(errors(&run), [("abort".into(), "main".into(), 9)]);
    assert_eq!(folder.texts("out/inputs")[0], "Q234567Y");
}

#[test]
fn token_level_inputs_are_words_of_the_grammar_and_crash_the_real_program() {
    let folder = Folder::with(&[("sums.c", SUMS), ("sums.g4", SUMS_GRAMMAR)]);
    let arguments = ["sums.c", "--grammar", "sums.g4", "--tokens", "next_token"];
    let run = folder.run(&[&arguments[..], &["--max-runs", "1500"]].concat());
    let found = errors(&run);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&*found[0].0, &*found[0].1), ("division", "product"));
    assert_eq!(run["fuzz"]["misread"], 0);
    let grammar = grammar::read::antlr(SUMS_GRAMMAR).unwrap().bytes().unwrap();
    let native_program = folder.compile(&[folder.path("sums.c")]);
    folder.crash_natively(&native_program, "out/crashes");
    for (number, input) in folder.texts("out/inputs").iter().enumerate() {
        let word: Vec<u16> = input.bytes().map(u16::from).collect();
        assert!(grammar.accepts(&word), "not a word: {input}");
        // The parser's own verdict: it exits with 1 on what it cannot read.
        let file = folder.path(&format!("out/inputs/{:06}", number + 1));
        let ran = native(&native_program, &file);
        let divided = ran.stderr.contains("division by zero");
        assert!(ran.success() || divided, "not parsed: {input}");
    }
}

#[test]
fn bytes_with_a_grammar_are_words_of_it() {
    let calc = "<sum> ::= <digit> | <sum> \"+\" <digit> | \"(\" <sum> \")\"\n<digit> ::= [0-9]\n";
    let program = "#include <stdio.h>\n#include <stdlib.h>\n
        int main(void) {
            int c, depth = 0, digits = 0;
            while ((c = getchar()) != EOF) {
                if (c == '(') depth++;
                else if (c == ')') depth--;
                else if (c == '7' && depth == 2) abort();
                else if (c >= '0' && c <= '9') digits++;
                else if (c != '+') return 2;
            }
            return depth != 0;
        }";
    let folder = Folder::with(&[("calc.bnf", calc), ("calc.c", program)]);
    let arguments = ["calc.c", "--grammar", "calc.bnf", "--max-length", "7"];
    let run = folder.run(&[&arguments[..], &["--max-runs", "400"]].concat());
    assert_eq!(errors(&run), [("abort".into(), "main".into(), 9)]);
    let grammar = grammar::read::bnf(calc).unwrap().bytes().unwrap();
    let inputs = [folder.texts("out/inputs"), folder.texts("out/crashes")].concat();
    for input in &inputs {
        let word: Vec<u16> = input.bytes().map(u16::from).collect();
        assert!(grammar.accepts(&word), "not a word: {input}");
    }
    let native = folder.compile(&[folder.path("calc.c")]);
    folder.crash_natively(&native, "out/crashes");
}

#[test]
fn tokens_that_share_a_number_or_have_none_are_told() {
    let grammar = SUMS_GRAMMAR.replace("'*' | '/'", "'*' | '/' | '**'");
    let grammar = grammar.replace("NUMBER | NAME", "NUMBER | NAME | LATE");
    let grammar = grammar + "LATE : [m-z]+ ;\n";
    let folder = Folder::with(&[("sums.c", SUMS), ("sums.g4", &grammar)]);
    let arguments = ["sums.c", "--grammar", "sums.g4", "--tokens", "next_token"];
    let output = folder.fuzz(&[&arguments[..], &["--max-runs", "20", "--out", "out"]].concat());
    assert_eq!(
        output.stderr,
        "note: '**' (`**`) is read as several tokens (298, 298), so it is not used\n\
         note: NAME, LATE are all read as 2 and not told apart\n"
    );
}

#[test]
fn spellings_and_what_stands_between_them_can_be_given() {
    let folder = Folder::with(&[("sums.c", SUMS), ("sums.g4", SUMS_GRAMMAR)]);
    let arguments = ["sums.c", "--grammar", "sums.g4", "--tokens", "next_token"];
    let spelled = [
        "--spell",
        "NUMBER=41,43",
        "--spell",
        "NAME=q",
        "--join",
        "\n",
    ];
    folder.run(&[&arguments[..], &spelled, &["--max-runs", "200"]].concat());
    let inputs = folder.texts("out/inputs");
    assert!(
        inputs.contains(&"print\n41\n;".to_owned()) || inputs.contains(&"print\n43\n;".to_owned())
    );
    for word in inputs.iter().flat_map(|input| input.split('\n')) {
        let known = [
            "", "let", "print", "q", "41", "43", "=", "+", "*", "/", "(", ")", ";",
        ];
        assert!(known.contains(&word), "{word:?}");
    }
}

/// The message for arguments that cannot be used; nothing may be left behind.
#[track_caller]
fn refused(files: &[(&str, &str)], arguments: &[&str]) -> String {
    let folder = Folder::with(files);
    folder.0.refusal(&[&["fuzz"], arguments].concat())
}

#[test]
fn what_is_no_tokeniser_is_refused_by_name() {
    let program = "#include <stdio.h>
        struct pair { long a, b; } two(void) { struct pair p = {1, 2}; return p; }
        void nothing(void) {}
        int spare(void) { return 1; }
        int endless(void) { for (;;) getchar(); }
        int main(void) { nothing(); return getchar() == '!' ? endless() : (int)two().a; }";
    let files = [("p.c", program), ("g.bnf", "<s> ::= \"!\" | \"?\"\n")];
    let said = |function: &str| {
        let grammar = [
            "p.c",
            "--grammar",
            "g.bnf",
            "--max-run-instructions",
            "100000",
        ];
        refused(&files, &[&grammar[..], &["--tokens", function]].concat())
    };
    assert_eq!(
        said("missing"),
        "error: --tokens missing: there is no such function in the program\n"
    );
    let no_integer = |name: &str| {
        format!(
            "error: --tokens {name}: the function does not return an integer; name one that \
             returns the number of the token it has read\n"
        )
    };
    assert_eq!(said("nothing"), no_integer("nothing"));
    assert_eq!(said("two"), no_integer("two"));
    assert_eq!(
        said("spare"),
        "error: --tokens spare: the program does not call the function, neither on an empty \
         standard input nor on one token of the grammar\n"
    );
    assert_eq!(
        said("endless"),
        "error: --tokens endless: the function does not return within 100000 instructions when \
         standard input is `!`; --max-run-instructions gives it more\n"
    );
}

#[test]
fn grammars_that_give_no_input_are_refused() {
    let program = "#include <stdio.h>\nint next(void) { return getchar(); }\nint main(void) { return next(); }";
    let with = |name: &str, grammar: &str, more: &[&str]| {
        let arguments = [&["p.c", "--grammar", name][..], more].concat();
        refused(&[("p.c", program), (name, grammar)], &arguments)
    };
    let tokens = ["--tokens", "next"];
    assert_eq!(
        with("g.bnf", "<s> ::= \"a\" <s>\n", &tokens),
        "error: g.bnf: the language is empty; `everypath grammar check` says why\n"
    );
    assert_eq!(
        with("g.bnf", "<s> ::= \"a\" <t>\n", &[]),
        "error: g.bnf:1:13: `t` is not defined; define it, or put it in quotes if it stands for itself\n  |\n1 | <s> ::= \"a\" <t>\n  |             ^\n"
    );
    assert_eq!(
        with("g.bnf", "<s> ::= \"abcdef\"\n", &["--max-length", "3"]),
        "error: g.bnf: no word has a length up to 3; the shortest has 6, so give --max-length 6 or more\n"
    );
    assert_eq!(
        with(
            "g.g4",
            "parser grammar g; tokens { NUM } s : NUM ;\n",
            &tokens
        ),
        "error: g.g4: the grammar does not say how these tokens are spelled: NUM; give it with \
         --spell NAME=TEXT\n"
    );
    assert_eq!(
        with(
            "g.bnf",
            "<s> ::= \"a\"\n",
            &["--tokens", "next", "--spell", "b=x"]
        ),
        "error: g.bnf: --spell b=…: the grammar has no such token; it has 'a'\n"
    );
}

#[test]
fn seeds_that_cannot_be_used_are_refused() {
    let program = "int main(void) { return 0; }";
    let files = [("p.c", program), ("long", "12345")];
    let missing = refused(&files, &["p.c", "--seeds", "none"]);
    assert!(
        missing.starts_with("error: cannot read the seed none: "),
        "{missing}"
    );
    assert_eq!(
        refused(&files, &["p.c", "--seeds", "long", "--max-length", "4"]),
        "error: long: the seed has 5 bytes, more than --max-length 4\n"
    );
}

#[test]
fn a_program_that_marks_its_inputs_is_told_that_it_is_given_standard_input() {
    let program = "#include <everypath.h>
        int main(void) { int x; ep_symbolic(&x, sizeof x, \"x\"); return x; }";
    let folder = Folder::with(&[("p.c", program)]);
    let run = folder.run(&["p.c"]);
    assert_eq!(
        run["errors"][0]["message"],
        "not supported: the input `x` in a program that is given its standard input"
    );
}

#[cfg(unix)]
#[test]
fn a_run_that_is_killed_leaves_whole_inputs() {
    let folder = Folder::with(&[("sums.c", SUMS), ("sums.g4", SUMS_GRAMMAR)]);
    let mut running = folder
        .0
        .start("fuzz sums.c --grammar sums.g4 --tokens next_token --out out");
    running.until(|_| folder.texts("out/inputs").len() >= 5);
    running.kill();
    let grammar = grammar::read::antlr(SUMS_GRAMMAR).unwrap().bytes().unwrap();
    let inputs = folder.texts("out/inputs");
    for input in inputs.iter().filter(|input| !input.is_empty()) {
        let word: Vec<u16> = input.bytes().map(u16::from).collect();
        assert!(grammar.accepts(&word), "torn: {input}");
    }
}

#[test]
fn the_interpreter_has_three_bugs_behind_its_parser_and_tokens_lead_to_them() {
    let folder = Folder::with(&[]);
    let example = project("examples/grammar/js");
    let files = ["main", "lexer", "parser", "compiler", "vm"];
    let files = files.map(|name| example.join(format!("{name}.c")));
    let grammar = example.join("js.g4");
    let mut arguments: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    arguments.extend([
        "--grammar",
        grammar.to_str().unwrap(),
        "--tokens",
        "next_token",
    ]);
    arguments.extend(["--max-runs", "20000", "--max-errors", "3", "--seed", "1"]);
    let run = folder.run(&arguments);
    let kinds: Vec<(String, String)> = errors(&run).into_iter().map(|e| (e.0, e.1)).collect();
    let expected = [
        ("division", "modulo"),
        ("out-of-bounds-read", "step"),
        ("out-of-bounds-write", "push"),
    ];
    assert_eq!(
        kinds,
        expected.map(|(kind, function)| (kind.into(), function.into()))
    );
    let native_program = folder.compile(&files);
    folder.crash_natively(&native_program, "out/crashes");
    // So do the inputs that the book shows.
    let book = include_str!("../../../../docs/grammar.md");
    fs::create_dir(folder.path("book")).unwrap();
    let shown = [
        "0 % 0 ;",
        "for ( ; ; ) continue ;",
        "function f ( f ) { } f ( ) ;",
    ];
    for (number, input) in (1..).zip(shown) {
        assert!(book.contains(&format!("| `{input}` |")), "{input}");
        fs::write(folder.path(&format!("book/{number:06}")), input).unwrap();
    }
    folder.crash_natively(&native_program, "book");
    // As an interpreter it works.
    for (sample, printed) in [
        ("fibonacci.js", "fibonacci of 12 is 144\n"),
        (
            "primes.js",
            "15 [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]\n",
        ),
        (
            "words.js",
            "everypath [every, path, null, null, string] -3 true\n",
        ),
    ] {
        let output = native(&native_program, &example.join("samples").join(sample));
        assert_eq!(output.stdout, printed, "{sample}");
    }
}
