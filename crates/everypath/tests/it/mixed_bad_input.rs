//! What is said of external functions and cannot be done: one message that
//! names the function, the file or the value, exit status 2, nothing on standard
//! output and no tests.

use std::fs;
use testkit::Scratch;

const PROGRAM: &str = r#"
#include <everypath.h>
int hash(int x) { return 10 * x; }
int main(void) { return hash(1) == 10 ? 0 : 1; }
"#;

#[test]
fn functions_that_there_are_not() {
    let files = Files::new(PROGRAM);
    for (flag, name) in [
        ("--concrete", "hush"),
        ("--pure", "hush"),
        ("--concrete", "has"),
        ("--pure", "?ush*"),
    ] {
        files.refuses(
            &[flag, name],
            &format!("error: {flag} {name}: the program neither defines nor calls such a function"),
        );
    }
}

#[test]
fn partitions_that_are_no_conditions() {
    for (partition, reason) in [
        (
            "x >",
            "at character 4: the end where a parameter or a number should be",
        ),
        ("x > 3 y", "at character 7: `y` where the end should be"),
        ("z > 3", "`z` is no parameter of `hash`"),
        ("4 > 3", "it names no parameter; there is x"),
    ] {
        // One that is not used, since the function is followed, is read too.
        for concrete in ["EP_CONCRETE", ""] {
            let files = Files::new(&format!(
                "#include <everypath.h>\n{concrete} EP_PARTITION(\"x <= 3\", \"{partition}\")\n\
                 int hash(int x) {{ return 10 * x; }}\nint main(void) {{ return hash(1); }}\n"
            ));
            files.refuses(
                &[],
                &format!("error: program.c:3: the partition \"{partition}\" of `hash`: {reason}"),
            );
        }
    }
}

#[test]
fn libraries_that_do_not_load() {
    let files = Files::new(PROGRAM);
    files.refuses(
        &["--load", "absent.so"],
        "error: the library absent.so does not load: \
         cannot open shared object file: No such file or directory",
    );
    files.refuses(
        &["--load", "program.c"],
        "error: the library ./program.c does not load: invalid ELF header",
    );
}

#[test]
fn native_functions_that_no_library_has() {
    let files = Files::new("int absent(int x);\nint main(void) { return absent(1); }\n");
    let message = files.message(&["--pure", "absent"]);
    assert!(
        message.starts_with("error: there is no function `absent` in ")
            && message.ends_with(": load the library that defines it\n"),
        "{message}"
    );
}

#[test]
fn types_that_native_functions_are_not_called_with() {
    let files = Files::new(
        "struct triple { long a, b, c; };
         long double odd(long double x);
         int sum(int n, struct triple t);
         struct triple make(int x);
         int many(int n, ...);
         int *find(int x);
         __int128 wide(int x);
         int main(void) {
             struct triple t = make(1);
             return odd(1) > 0 ? sum(1, t) + many(1, 2) : *find(2) + (int)wide(3);
         }",
    );
    for (name, reason) in [
        ("odd", "its parameter 1 is a long double"),
        ("sum", "its parameter 2 is a struct"),
        ("make", "its result is a struct"),
        ("many", "it takes any number of arguments"),
        ("find", "its result is a pointer"),
        ("wide", "its result is an integer of 128 bits"),
    ] {
        for flag in ["--pure", "--concrete"] {
            files.refuses(
                &[flag, name],
                &format!(
                    "error: `{name}` cannot be run concretely: {reason}, which is not supported"
                ),
            );
        }
    }
}

#[test]
fn types_that_functions_of_the_program_are_not_run_with() {
    let program = |annotation: &str| {
        format!(
            "#include <everypath.h>\n{annotation}\nlong double twice(long double x) {{ \
             return 2 * x; }}\nint main(void) {{ return twice(1) > 2; }}\n"
        )
    };
    let message = "`twice` cannot be run concretely: its parameter `x` is a long double, \
                   which is not supported";
    Files::new(&program("EP_CONCRETE")).refuses(&[], &format!("error: program.c:3: {message}"));
    Files::new(&program("")).refuses(&["--concrete", "twice"], &format!("error: {message}"));

    let files = Files::new(
        "#include <everypath.h>\nEP_CONCRETE\nint first(int *p) { return *p; }\n\
         int main(void) { int x = 1; return first(&x); }\n",
    );
    files.refuses(
        &[],
        "error: program.c:3: `first` cannot be run concretely: a function of the program itself \
         has to take and give numbers, and this is `i32 first(void* p)`",
    );
}

#[test]
fn option_values_that_there_are_not() {
    let files = Files::new(PROGRAM);
    files.refuses(
        &["--complex", "magic"],
        "error: invalid value 'magic' for '--complex <STRATEGY>': there is no strategy `magic`; \
         use one of classic, exe, dart, mixed, table\n\nFor more information, try '--help'.",
    );
    for list in ["luck", "search,luck"] {
        files.refuses(
            &["--heuristics", list],
            &format!(
                "error: invalid value '{list}' for '--heuristics <LIST>': there is no heuristic \
                 `luck`; use one of incremental, partition, random, residual, search\n\n\
                 For more information, try '--help'."
            ),
        );
    }
    files.refuses(
        &["--max-tries", "often"],
        "error: invalid value 'often' for '--max-tries <N>': invalid digit found in string\n\n\
         For more information, try '--help'.",
    );
}

#[test]
fn tables_that_are_broken() {
    let files = Files::new(PROGRAM);
    fs::create_dir(files.0.path("tables")).expect("the directory is ours");
    for (table, reason) in [
        (
            "x,result\n",
            ":1: a table begins with two rows: the names of the parameters and `result`, \
             then their types",
        ),
        (
            "x,result\ni32,i32\n1,two\n",
            ":3: column 2 (result): `two` is not an integer",
        ),
        (
            "x,result\ni32,i32\n1,2\n1,3\n",
            ":4: contradicts line 3: hash(1) cannot be both 2 and 3",
        ),
        (
            "x,result\ndouble,i32\n1,2\n",
            ": the table is about `i32 hash(double x)`, the function is `i32 hash(i32 x)`",
        ),
    ] {
        files.write("tables/hash.csv", table);
        files.refuses(
            &["--tables", "tables", "--concrete", "hash"],
            &format!("error: tables/hash.csv{reason}"),
        );
    }
    files.refuses(
        &["--tables", "program.c"],
        "error: --tables program.c: it is not a directory",
    );
}

/// A folder with `program.c`.
struct Files(Scratch);

impl Files {
    fn new(program: &str) -> Files {
        Files(Scratch::with(&[("program.c", program)]))
    }

    fn write(&self, name: &str, content: &str) {
        self.0.write(name, content);
    }

    /// Checks that running the program ends with this message and nothing else.
    #[track_caller]
    fn refuses(&self, arguments: &[&str], message: &str) {
        assert_eq!(self.message(arguments), format!("{message}\n"));
    }

    #[track_caller]
    fn message(&self, arguments: &[&str]) -> String {
        let run = ["run", "program.c", "--output", "out"];
        self.0.refusal(&[&run, arguments].concat())
    }
}
