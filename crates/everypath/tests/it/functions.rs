//! Functions as programs under test: arguments made from their types, tests that replay,
//! and tables of all functions.

use suite::RunDirectory;
use testkit::Scratch;

/// Runs the program with these options and replays every test natively; gives the lines
/// of errors.
#[track_caller]
fn lines_of_errors(text: &str, options: &str) -> Vec<u32> {
    let scratch = Scratch::with(&[("unit.c", text)]);
    let line = format!("run unit.c --output out {options}");
    let ran = scratch.everypath(line.as_str());
    assert!(matches!(ran.status, Some(0 | 1)), "{}", ran.stderr);
    scratch.replays_natively("out");
    let run = RunDirectory::open(&scratch.path("out")).expect("the run wrote it");
    let report = run.report.expect("the run ended");
    let mut lines: Vec<u32> = report.errors.iter().map(|error| error.line).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

#[test]
fn numbers_texts_and_arrays_are_made_from_their_types() {
    let text = r#"
#include <stdlib.h>
static int weigh(const char *text, const int *values, size_t count, double scale, _Bool flag) {
    int sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i] == 77;
    if (sum == 3 && text[0] == 'k' && text[1] == '\0' && scale > 2.5 && flag)
        abort();
    return sum;
}
int main(void) { return weigh("", NULL, 0, 0, 0); }
"#;
    assert_eq!(lines_of_errors(text, "--function weigh"), [8]);
}

#[test]
fn a_number_after_an_array_is_its_length_by_many_names() {
    let text = r#"
#include <stdlib.h>
int unpack(const char *in, int inlen, char *out, int outLen, int *slots, size_t slot_count) {
    int sum = 0;
    for (int i = 0; i < inlen; i++)
        sum += in[i];
    for (int i = 0; i < outLen; i++)
        out[i] = 0;
    for (size_t i = 0; i < slot_count; i++)
        slots[i] = 0;
    if (sum == 500 && inlen == 4 && outLen == 8)
        abort();
    return sum;
}
"#;
    assert_eq!(lines_of_errors(text, "--function unpack"), [12]);
}

#[test]
fn structures_lead_to_structures_and_back() {
    let text = r#"
#include <stdlib.h>
struct node { struct node *next; char *name; short value; };
struct list { unsigned length; struct node *first; };
int last(const struct list *list) {
    const struct node *node = list->first;
    if (!node || !node->next || !node->name)
        return 0;
    if (node->next->next == node && node->name[0] == 'x')
        abort();
    return node->next->value;
}
"#;
    assert_eq!(lines_of_errors(text, "--function last"), [10]);
}

#[test]
fn following_a_list_asks_no_backend_where_its_nodes_lie() {
    let text = "
struct node { struct node *next; int value; };
int length(struct node *list) {
    int nodes = 0;
    while (list && nodes < 4) {
        nodes++;
        list = list->next;
    }
    return nodes;
}
";
    let scratch = Scratch::with(&[("unit.c", text)]);
    let ran = scratch.everypath("run unit.c --output out --function length");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let run = RunDirectory::open(&scratch.path("out")).expect("the run wrote it");
    let report = run.report.expect("the run ended");
    // Of two nodes: two lists that end, and three that lead back.
    assert_eq!(report.paths.completed, 5);
    assert!(
        report.solver.backend_calls < report.paths.completed,
        "{} backend calls",
        report.solver.backend_calls
    );
}

#[test]
fn pointers_in_arrays_and_unions_lead_to_objects_or_nowhere() {
    let text = r#"
#include <stdlib.h>
struct part { union { char *text; double number; } value; _Bool known; };
struct whole { struct part parts[6]; };
int look(struct whole *whole) {
    int known = 0;
    for (int i = 0; i < 6; i++) {
        known += whole->parts[i].known;
        if (whole->parts[i].value.text && whole->parts[i].value.text[0] == 'z' && known == 2)
            abort();
    }
    return known;
}
"#;
    let options = "--function look --array-length 2";
    assert_eq!(lines_of_errors(text, options), [10]);
}

#[test]
fn arguments_are_null_only_where_that_is_asked_for() {
    let text = "int first(int *values) { return values[0]; }\n";
    assert_eq!(lines_of_errors(text, "--function first"), [0u32; 0]);
    let options = "--function first --null-arguments";
    assert_eq!(lines_of_errors(text, options), [1]);
}

#[test]
fn structures_are_passed_as_the_calling_convention_has_it() {
    let text = r#"
#include <stdlib.h>
struct wide { long a, b, c; char *text; };
struct pair { int x; int *y; };
struct vector { float x, y, z; };
struct mixed { char tag; double weight; };
struct small { unsigned char bytes[3]; };
struct wide pick(struct wide wide, struct pair pair, struct vector vector, struct mixed mixed,
                 struct small small, long double real) {
    if (wide.c == 5 && wide.text && wide.text[0] == 'q')
        if (pair.x == 7 && pair.y && pair.y[1] == 8 && vector.x == 1 && vector.z == 3)
            if (mixed.tag == 't' && mixed.weight == 0.5 && small.bytes[2] == 9)
                if (vector.y == 2)
                    abort();
    return wide;
}
"#;
    assert_eq!(lines_of_errors(text, "--function pick"), [14]);
}

#[test]
fn functions_streams_and_pointers_to_pointers_are_made() {
    let text = r#"
#include <stdio.h>
#include <stdlib.h>
struct judge { int (*whole)(int); double (*real)(double); char *(*text)(void); };
void try(char **words, struct judge *judge, FILE *in) {
    if (words[0] && words[0][0] == 'w' && words[1] == NULL)
        if (judge->whole(1) == -3 && judge->real(2) == 9.5 && !judge->text())
            if (fgetc(in) == 'f')
                abort();
}
"#;
    let options = "--function try --sym-stdin 1";
    assert_eq!(lines_of_errors(text, options), [9]);
}

#[test]
fn a_function_that_is_not_there_or_cannot_be_called_is_named() {
    let text = "int sum(int n, ...) { return n; }\n\
                int all(int n, __builtin_va_list l) { return n; }\n";
    let scratch = Scratch::with(&[("unit.c", text)]);
    assert_eq!(
        scratch.refusal("run unit.c --function absent"),
        "error: there is no function `absent` in the program\n"
    );
    for name in ["sum", "all"] {
        assert_eq!(
            scratch.refusal(format!("run unit.c --function {name}").as_str()),
            format!("error: `{name}` takes any number of arguments\n")
        );
    }
}

#[test]
fn all_functions_have_a_row_each() {
    let text = r#"#include <assert.h>
static int half(unsigned char x) { assert(x != 9); return x / 2; }
int sum(int n, ...) { (void)n; return 0; }
int both(unsigned char x, unsigned char y) { return half(x) + (y > 3); }
int main(void) { return both(1, 2) + sum(0); }
"#;
    let scratch = Scratch::with(&[("unit.c", text)]);
    let ran = scratch.everypath("run unit.c --all-functions --json --output out");
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    let table = ran.json();
    let rows = table["functions"].as_array().expect("there are rows");
    let names: Vec<_> = rows.iter().map(|row| row["function"].as_str()).collect();
    assert_eq!(names, [Some("half"), Some("sum"), Some("both")]);
    assert_eq!(rows[0]["report"]["paths"]["errors"], 1);
    assert_eq!(rows[1]["not_tested"], "`sum` takes any number of arguments");
    assert_eq!(rows[2]["report"]["paths"]["errors"], 1);
    scratch.replays_natively("out/half");
}
