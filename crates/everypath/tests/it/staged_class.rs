//! `stage test`: all methods of a structure at once, with whatever else they take.

use serde_json::Value as Json;
use std::process::Command;
use testkit::{Finished, Scratch};

const LIST: &str = r#"#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct link { int data; struct link *next; };
struct list { struct link *first; int size; };
struct span { long from, to, step; };
struct pair { int low, high; };

bool repOk(const struct list *list) {
    int count = 0;
    for (const struct link *at = list->first; at != NULL; at = at->next)
        if (++count > 3)
            return false;
    return count == list->size;
}

void push(struct list *list, int data) {
    struct link *link = malloc(sizeof *link);
    *link = (struct link){data, list->first};
    list->first = link;
    list->size++;
}
bool pushPost(const struct list *list, int data) {
    return list->first != NULL && list->first->data == data;
}

bool pop(struct list *list, int *out) {
    struct link *link = list->first;
    if (link == NULL)
        return false;
    *out = link->data;
    list->first = link->next;
    list->size--;
#ifdef TWICE
    free(link);
#endif
    free(link);
    return true;
}

bool named(const struct list *list, const char *name) { return strlen(name) == (size_t)list->size; }
long within(const struct list *list, struct span span) { return span.from < list->size; }
int between(const struct list *list, struct pair pair) { return pair.low < pair.high; }
struct span whole(const struct list *list) { return (struct span){0, list->size, 1}; }
void *passed(const struct list *list, void *value) { return list->size ? value : NULL; }
bool given(const struct list *list, const void *value) { return list->size && value; }
bool same(const struct list *one, const struct list *other) { return one->size == other->size; }
void attach(struct list *list, struct link *link) { (void)list, (void)link; }
bool walk(const struct list *list, bool (*visit)(int)) { return list->first && visit(1); }
int unrelated(int number) { return number; }
"#;

const TEST: &str = "stage test list.c --object list --invariant repOk --max link=2";

fn row<'a>(table: &'a Json, name: &str) -> &'a Json {
    let rows = table["functions"].as_array().expect("there are rows");
    let found = rows.iter().find(|row| row["function"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {table}"))
}

#[test]
fn every_method_of_a_structure_is_tested_on_the_same_suite() {
    let scene = Scratch::with(&[("list.c", LIST)]);
    let output = scene.everypath(&format!("{TEST} --output out --json"));
    assert!(output.success(), "{}{}", output.stdout, output.stderr);
    assert!(
        output
            .stderr
            .starts_with("note: list.stage: built, 3 objects of list\n"),
        "{}",
        output.stderr
    );
    let table: Json = output.json();
    let tested = [
        "push", "pop", "named", "within", "between", "whole", "passed", "given", "same",
    ];
    for name in tested {
        let report = &row(&table, name)["report"];
        assert_eq!(report["outcome"], "complete", "{name}: {report}");
        assert_eq!(report["paths"]["errors"], 0, "{name}");
    }
    assert_eq!(row(&table, "push")["report"]["paths"]["completed"], 3);
    assert_eq!(row(&table, "same")["report"]["paths"]["completed"], 9);
    let names = table["functions"].as_array().expect("there are rows");
    assert_eq!(names.len(), tested.len() + 2, "{table}");
    let attach = &row(&table, "attach")["not_tested"];
    assert_eq!(
        attach,
        "it takes a link too; use `stage run` with a suite for each"
    );
    assert_eq!(
        row(&table, "walk")["not_tested"],
        "what the parameter `visit` of `walk` points to cannot be made"
    );
    let again = scene.everypath(&format!("{TEST} --method push,pop --output again --json"));
    assert!(
        again
            .stderr
            .starts_with("note: list.stage: the code of `repOk` is unchanged, 3 solutions"),
        "{}",
        again.stderr
    );
    let rows = again.json()["functions"].as_array().map(Vec::len);
    assert_eq!(rows, Some(2));
    let more = scene.everypath(&format!(
        "{} --max link=3 --output more --json",
        TEST.replace(" --max link=2", "")
    ));
    assert!(
        more.stderr
            .starts_with("note: list.stage: built, 4 objects of list\n"),
        "other bounds are another suite: {}",
        more.stderr
    );
}

#[test]
fn an_error_of_one_method_is_told_and_its_test_fails_natively() {
    let scene = Scratch::with(&[("list.c", LIST)]);
    let output = scene.everypath(&format!("{TEST} -D TWICE --output out"));
    assert_eq!(output.status, Some(1), "{}", output.stderr);
    let said = output.stdout;
    assert!(said.contains("double-free"), "{said}");
    let command = "stage run list.c -D TWICE --method pop --input list.stage --output pop";
    let said = scene.everypath(command).stdout;
    let test = said
        .lines()
        .find_map(|line| line.trim().strip_prefix("unit test: "));
    let mut shell = Command::new("sh");
    let shell = shell.current_dir(scene.folder());
    let ran = Finished::of(shell.args(["-c", test.expect("there is a unit test")]));
    assert!(!ran.success());
    assert!(ran.stderr.contains("double-free"), "{}", ran.stderr);
}

#[test]
fn a_template_that_nobody_uses_is_told_with_what_to_write() {
    let folder = Scratch::with(&[(
        "box.cpp",
        "template <class T> struct Box { T value; bool repOk() const { return true; } };\n\
         int one() { return 1; }\n",
    )]);
    let refused =
        folder.everypath("stage test box.cpp --object Box<int> --invariant Box<int>::repOk");
    assert_eq!(refused.status, Some(2));
    assert!(
        refused.stderr.contains("add `template struct Box<int>;`"),
        "{}",
        refused.stderr
    );
}

#[test]
fn bounds_without_a_valid_object_and_structures_without_methods_are_told() {
    let none = LIST.replace("count == list->size", "count > 5");
    let scene = Scratch::with(&[("list.c", none.as_str())]);
    let output = scene.everypath(TEST);
    assert_eq!(output.status, Some(1));
    assert_eq!(
        output.stderr,
        "warning: there is no valid list in these bounds; give others with --max and --range\n"
    );
}

#[test]
fn a_method_and_a_function_beside_the_class_may_have_the_same_name() {
    let program = "struct Pair {
    int low, high;
    bool valid() const { return low <= high; }
    void widen() { if (high < 9) high++; }
};
bool valid(const Pair *pair) { return pair->low == pair->high && pair->low >= 0 && pair->low < 9; }
bool use(Pair &pair) { pair.widen(); return pair.valid(); }
";
    let folder = Scratch::with(&[("pair.cpp", program)]);
    let test = "stage test pair.cpp --object Pair --method widen --json --invariant";
    for (invariant, errors) in [("Pair::valid", 0), ("valid", 1)] {
        let output = folder.everypath(&format!("{test} {invariant} --suite {errors}.stage"));
        let table: Json = output.json();
        let report = &row(&table, "widen")["report"];
        assert_eq!(report["paths"]["errors"], errors, "{}", output.stderr);
    }
}
