//! `stage diff`: two versions of methods on the same objects.

use serde_json::json;
use testkit::Scratch;

/// The invariant does not look at the notes, so that methods decide where they lead.
const LIST: &str = r#"#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct note { int text; };
struct link { int data; struct note *note; struct link *next; };
struct list { struct link *first; int size; };

bool repOk(const struct list *list) {
    int count = 0;
    for (const struct link *at = list->first; at != NULL; at = at->next)
        if (++count > 2)
            return false;
    return count == list->size;
}

bool pop(struct list *list, int *out) {
    struct link *link = list->first;
    if (link == NULL)
        return false;
    *out = link->data;
    list->first = link->next;
    list->size--;
    free(link);
    return true;
}

void push(struct list *list, int data) {
    if (list->size == 2)
        return;
    struct link *link = malloc(sizeof *link);
    link->data = data;
    link->note = NULL;
    link->next = list->first;
    list->first = link;
    list->size++;
}

void swap(struct list *list) {
    struct link *link = list->first;
    if (link == NULL || link->next == NULL)
        return;
    struct note *note = link->note;
    link->note = link->next->note;
    link->next->note = note;
}

struct link *last(struct list *list) {
    struct link *link = list->first;
    while (link && link->next)
        link = link->next;
    return link;
}

void show(const struct list *list) { printf("%d\n", list->size); }
bool even(int n) { return n % 2 == 0; }
bool positive(int n) { return n > 0; }
bool walk(const struct list *list, bool (*visit)(int)) {
    return list->first && visit(list->first->data);
}
"#;

const DIFF: &str =
    "stage diff old.c new.c --object list --invariant repOk --max link=2 --max note=2";

/// The list with some of its text replaced.
fn changed(replacements: &[(&str, &str)]) -> Scratch {
    let mut new = LIST.to_owned();
    for (from, to) in replacements {
        assert!(new.contains(from), "no {from}");
        new = new.replace(from, to);
    }
    Scratch::with(&[("old.c", LIST), ("new.c", &new)])
}

/// The text after the table.
fn differences(scratch: &Scratch, method: &str) -> String {
    let run = scratch.everypath(&format!("{DIFF} --method {method}"));
    assert_eq!(run.status, Some(1), "{}", run.said());
    let (_, differences) = run
        .stdout
        .split_once("\n\n")
        .expect("there is a difference");
    differences.trim_end().to_owned()
}

#[test]
fn versions_that_differ_in_form_alone_behave_alike() {
    let scratch = changed(&[
        (
            "    struct note *note = link->note;\n    link->note = link->next->note;\n    \
             link->next->note = note;",
            "    struct link copy = *link, *other = link->next;\n    link->note = other->note;\n    \
             other->note = copy.note;",
        ),
        (
            "    while (link && link->next)\n        link = link->next;\n    return link;",
            "    for (struct link *at = link; at; at = at->next)\n        link = at;\n    return link;",
        ),
        ("malloc(sizeof *link)", "calloc(1, sizeof *link)"),
        (
            "int data) {\n    if (list->size == 2)",
            "int value) {\n    int data = value;\n    if (list->size > 1)",
        ),
        (
            "printf(\"%d\\n\", list->size)",
            "printf(\"%s%d\\n\", \"\", list->size)",
        ),
        ("return n % 2 == 0", "return (n & 1) == 0"),
    ]);
    let run = scratch.everypath(DIFF);
    assert_eq!(run.status, Some(0), "{}", run.said());
    assert_eq!(
        run.stdout.trim_end(),
        "function  old paths  new paths  differences
pop               3          3            0
push              3          3            0
swap              7          7            0
last              3          3            0
show              3          3            0
walk              5          5            0"
    );
}

#[test]
fn what_a_method_leaves_behind_is_compared_for_all_values() {
    let scratch = changed(&[
        ("*out = link->data;", "*out = link->data & ~64;"),
        (
            "link->data = data;",
            "link->data = data == 7777 ? 1 : data;",
        ),
        ("    link->next->note = note;\n", ""),
    ]);
    assert_eq!(
        differences(&scratch, "push"),
        "push differs for
  @0 list { first = null, size = 0 }
  data=7777
  @0.first.data: 7777 in old.c, 1 in new.c

push differs for
  @0 list { first = @1, size = 1 }
  @1 link { data = 0, note = ?, next = null }
  data=7777
  @0.first.data: 7777 in old.c, 1 in new.c"
    );
    let popped = differences(&scratch, "pop");
    assert!(
        popped.contains("  *out: 64 in old.c, 0 in new.c"),
        "{popped}"
    );
    let swapped = differences(&scratch, "swap");
    let moved = "  @1 link { data = 0, note = null, next = @2 }
  @2 link { data = 0, note = @3, next = null }
  @3 note { text = 0 }
  @2.note: null in old.c, @3 in new.c";
    assert!(swapped.contains(moved), "{swapped}");
}

#[test]
fn variables_of_the_program_are_compared_too() {
    let program = |step: &str| {
        format!(
            "#include <stdbool.h>\nstruct Box {{ int size; }};\nint opened, closed;\n\
             bool repOk(const struct Box *box) {{ return box->size > 0; }}\n\
             void open(const struct Box *box) {{ opened += box->size > 3 ? {step} : 1; }}\n\
             void close(const struct Box *box) {{ closed += box->size; }}\n"
        )
    };
    let (old, new) = (program("1"), program("2"));
    let scratch = Scratch::with(&[("old.c", &old), ("new.c", &new)]);
    let run =
        scratch.everypath("stage diff old.c new.c --object Box --invariant repOk --output out");
    assert_eq!(run.status, Some(1), "{}", run.said());
    let mut lines = run
        .stdout
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    assert!(
        lines.any(|line| line == ["close", "1", "1", "0"]),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("opened: 1 in old.c, 2 in new.c"),
        "{}",
        run.stdout
    );
}

#[test]
fn results_errors_and_output_are_compared_too() {
    let scratch = changed(&[
        ("return n > 0", "return n >= 0"),
        ("    list->size++;\n", ""),
        (
            "printf(\"%d\\n\", list->size)",
            "printf(\"%d.\\n\", list->size)",
        ),
    ]);
    let run = scratch.everypath(&format!("{DIFF} --method walk,push,show --output out"));
    assert_eq!(run.status, Some(1), "{}", run.said());
    let of = |method: &str| {
        let text = scratch.read(format!("out/{method}/run.json"));
        let report: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        report["comparison"].clone()
    };
    assert_eq!(
        of("walk")["differences"][0],
        json!({
            "objects": [[
                "@0 list { first = @1, size = 1 }",
                "@1 link { data = 0, note = ?, next = null }",
            ]],
            "inputs": ["visit=&positive"],
            "changes": [{"kind": "result", "place": "the result", "old": "0", "new": "1"}],
        })
    );
    assert_eq!(
        of("push")["differences"][0]["changes"],
        json!([{
            "kind": "error", "place": "", "old": "returns",
            "new": "invariant: `repOk` does not hold after `push`",
        }])
    );
    let show = of("show");
    assert_eq!(
        show["differences"][0]["changes"],
        json!([{"kind": "output", "place": "", "old": "\"0\\n\"", "new": "\"0.\\n\""}])
    );
    assert_eq!(
        (&show["old_paths"], &show["undecided"], &show["partial"]),
        (&json!(3), &json!(0), &json!(false))
    );
}

#[test]
fn what_cannot_be_compared_says_why() {
    let scratch = changed(&[
        (
            "bool pop(struct list *list, int *out)",
            "bool pop(struct list *list, long *out)",
        ),
        ("void swap(", "void exchange("),
    ]);
    let run = scratch.everypath(&format!("{DIFF} --method pop,swap,last"));
    assert_eq!(run.status, Some(0), "{}", run.said());
    assert_eq!(
        run.stdout.trim_end(),
        "function  old paths  new paths  differences
pop       not compared: its parameters or its result are of other types now
swap      not compared: new.c has no such function
last              3          3            0"
    );
    let scratch = changed(&[("int size; };", "long size; };")]);
    let run = scratch.everypath(&format!("{DIFF} --method last"));
    assert_eq!(run.status, Some(2), "{}", run.said());
    assert!(
        run.stdout
            .contains("last      not compared: list has other fields now")
    );
    assert!(run.stderr.ends_with("error: no method could be compared\n"));
    assert_eq!(
        scratch.refusal("stage diff old.c --object list --invariant repOk"),
        "error: which versions? Name the old file and the new one, as in everypath stage diff \
         old.c new.c\n"
    );
}

#[test]
fn versions_that_differ_for_one_object_given_twice_are_told_apart_on_request() {
    let old = "#include <stdbool.h>\nstruct Purse { int coins; };\n\
               bool repOk(const struct Purse *purse) { return purse->coins >= 0; }\n\
               void give(struct Purse *from, struct Purse *to) {\n    \
                   to->coins = from->coins;\n    from->coins = 0;\n}\n";
    let new = old.replace(
        "to->coins = from->coins;\n    from->coins = 0;",
        "int coins = from->coins;\n    from->coins = 0;\n    to->coins = coins;",
    );
    let scratch = Scratch::with(&[("old.c", old), ("new.c", &new)]);
    let diff = "stage diff old.c new.c --object Purse --invariant repOk --method give";
    let apart = scratch.everypath(&format!("{diff} -o apart"));
    assert_eq!(apart.status, Some(0), "{}{}", apart.stdout, apart.stderr);
    let together = scratch.everypath(&format!("{diff} --may-alias -o together"));
    assert_eq!(together.status, Some(1), "{}", together.stderr);
    let said = together.stdout;
    assert!(said.contains("the objects of argument 0"), "{said}");
    assert!(said.contains("coins"), "{said}");
}
