//! What methods owe their callers: memory that nobody loses, objects that stay valid unless
//! the method may keep them, what was before, and values that are only passed on.

use std::process::Command;
use testkit::{Finished, Scratch};

const LIST: &str = r#"#include "everypath.h"
#include <stdbool.h>
#include <stdlib.h>

struct link { int data; struct link *next; };
struct list { struct link *first; int size; };

bool repOk(const struct list *list) {
    int count = 0;
    for (const struct link *at = list->first; at != NULL; at = at->next)
        if (++count > 2)
            return false;
    return count == list->size;
}

int *pop(struct list *list) {
    struct link *link = list->first;
    if (link == NULL)
        return NULL;
    int *data = malloc(sizeof *data);
    *data = link->data;
    list->first = link->next;
    list->size--;
#ifndef LOSES
    free(link);
#endif
    return data;
}

bool popPost(const struct list *list, const int *data) {
    const struct list *before = ep_old(list);
    if (before->first == NULL)
        return data == NULL && list->size == 0;
    /* The link itself is gone, but not what it was. */
    const struct link *link = ep_old(before->first);
    return data != NULL && *data == link->data && list->size == before->size - 1
        && ep_old(list->first) == link->next;
}

/* Leaves the other list with a number that is not its own. */
void takeOver(struct list *list, struct list *other) {
    struct link **end = &list->first;
    while (*end != NULL)
        end = &(*end)->next;
    if (list->size + other->size > 2)
        return;
    *end = other->first;
    list->size += other->size;
    other->first = NULL;
}
"#;

const RUN: &str = "stage test list.c --object list --invariant repOk --max link=2 --output out";

fn row(run: &Finished, method: &str) -> String {
    let mut lines = run.stdout.lines();
    let found = lines.find(|line| line.starts_with(method));
    let found = found.unwrap_or_else(|| panic!("no {method}: {}", run.said()));
    let words: Vec<&str> = found.split_whitespace().collect();
    // Seconds are others every time.
    [&words[..4], &words[5..]].concat().join(" ")
}

/// What the unit tests of a class say, some of which have to fail.
#[track_caller]
fn fails_natively(scratch: &Scratch, run: &Finished) -> String {
    let test = run
        .stderr
        .lines()
        .find_map(|line| line.split_once(" unit tests: "));
    let (_, test) = test.unwrap_or_else(|| panic!("there is no unit test: {}", run.said()));
    let mut shell = Command::new("sh");
    let ran = Finished::of(shell.current_dir(scratch.folder()).args(["-c", test]));
    assert_eq!(ran.status, Some(1), "{test}: {}", ran.said());
    ran.stderr
}

#[test]
fn memory_that_nobody_can_reach_after_a_method_is_a_leak() {
    let scratch = Scratch::with(&[("list.c", LIST)]);
    let run = scratch.everypath(&format!("{RUN} --leaks --method pop"));
    assert_eq!(run.status, Some(0), "{}", run.said());
    assert_eq!(row(&run, "pop"), "pop 3 3 0 complete");
    let run = scratch.everypath(&format!("{RUN}-lost --leaks --method pop -D LOSES"));
    assert_eq!(run.status, Some(1), "{}", run.said());
    assert_eq!(row(&run, "pop"), "pop 3 3 2 complete");
    assert!(
        run.stdout
            .contains("leak: 1 object of 16 bytes in all never freed"),
        "{}",
        run.said()
    );
    let failed = fails_natively(&scratch, &run);
    assert!(failed.contains("LeakSanitizer"), "{failed}");
}

#[test]
fn a_method_that_returns_a_number_may_lose_memory_too() {
    let take = "int take(struct list *list) {\n    struct link *link = list->first;\n    \
                if (link == NULL)\n        return 0;\n    list->first = link->next;\n    \
                list->size--;\n    return link->data;\n}\n";
    let scratch = Scratch::with(&[("list.c", format!("{LIST}{take}").as_str())]);
    let run = scratch.everypath(&format!("{RUN} --method take --leaks"));
    assert_eq!(row(&run, "take"), "take 3 3 2 complete");
}

#[test]
fn what_a_method_may_keep_need_not_be_valid_afterwards() {
    let scratch = Scratch::with(&[("list.c", LIST)]);
    let run = scratch.everypath(&format!("{RUN} --method takeOver"));
    assert_eq!(run.status, Some(1), "{}", run.said());
    assert_eq!(row(&run, "takeOver"), "takeOver 9 9 3 complete");
    let run = scratch.everypath(&format!("{RUN}-kept --method takeOver --keeps takeOver"));
    assert_eq!(run.status, Some(0), "{}", run.said());
    assert_eq!(row(&run, "takeOver"), "takeOver 9 9 0 complete");
}

#[test]
fn one_object_may_be_several_arguments_on_request() {
    let scratch = Scratch::with(&[(
        "list.c",
        &LIST.replace(
            "if (list->size + other->size > 2)",
            "if (list == other || list->size + other->size > 2)",
        ),
    )]);
    let apart = "--method takeOver --keeps takeOver";
    let run = scratch.everypath(&format!("{RUN} {apart} --may-alias"));
    // Each pair of three lists, and each of the three twice.
    assert_eq!(run.status, Some(0), "{}", run.said());
    assert_eq!(row(&run, "takeOver"), "takeOver 12 12 0 complete");
    let scratch = Scratch::with(&[("list.c", LIST)]);
    let run = scratch.everypath(&format!("{RUN} {apart}"));
    assert_eq!(run.status, Some(0), "{}", run.said());
    let run = scratch.everypath(&format!("{RUN}-same {apart} --may-alias"));
    assert_eq!(run.status, Some(1), "{}", run.said());
    fails_natively(&scratch, &run);
    let run = scratch.everypath(&format!(
        "stage run list.c {apart} --may-alias --input list.stage --input list.stage --output one"
    ));
    let said = "the objects of argument 0\n";
    assert!(run.stdout.contains(said), "{}", run.said());
}

#[test]
fn a_postcondition_of_rust_can_speak_of_what_was_before() {
    let scratch = Scratch::with(&[(
        "counter.rs",
        r#"pub struct Counter { count: u8, seen: Vec<u8> }
#[unsafe(no_mangle)]
pub fn rep_ok(counter: &Counter) -> bool { counter.seen.len() <= 2 && counter.count < 100 }
#[unsafe(no_mangle)]
pub fn count(counter: &mut Counter) {
    counter.count += if cfg!(twice) { 2 } else { 1 };
    counter.seen.clear();
}
#[unsafe(no_mangle)]
pub fn count_post(counter: &Counter) -> bool {
    let before = everypath::old(counter);
    counter.count == before.count + 1 && counter.seen.len() <= before.seen.len()
}
"#,
    )]);
    let run = "stage test counter.rs --object Counter --invariant rep_ok --max u8[]=2 \
               --method count --trust-method --output";
    let good = scratch.everypath(&format!("{run} good"));
    assert_eq!(good.status, Some(0), "{}", good.said());
    let bad = scratch.everypath(&format!("{run} bad -D twice"));
    assert_eq!(bad.status, Some(1), "{}", bad.said());
    assert!(
        bad.stdout.contains("`count_post` does not hold after"),
        "{}",
        bad.said()
    );
}

#[test]
fn what_has_to_hold_afterwards_can_speak_of_what_was_before() {
    let scratch = Scratch::with(&[
        ("list.c", LIST),
        (
            "wrong.c",
            &LIST.replace("list->size--;", "list->first = NULL, list->size = 0;"),
        ),
    ]);
    let run = scratch.everypath(&format!("{RUN} --method pop"));
    assert_eq!(run.status, Some(0), "{}", run.said());
    assert_eq!(row(&run, "pop"), "pop 3 3 0 complete");
    let said = run.said();
    let compile = said
        .lines()
        .find_map(|line| line.split_once("unit tests: "));
    let (_, compile) = compile.unwrap_or_else(|| panic!("there are unit tests: {said}"));
    let shell = |command: &str| {
        let mut shell = Command::new("sh");
        Finished::of(shell.current_dir(scratch.folder()).args(["-c", command]))
    };
    shell(compile).succeeds();
    // The list of one link is right by chance.
    let wrong = RUN.replace("list.c", "wrong.c");
    let run = scratch.everypath(&format!("{wrong}-wrong --method pop"));
    assert_eq!(run.status, Some(1), "{}", run.said());
    assert_eq!(row(&run, "pop"), "pop 3 3 1 complete");
    assert!(run.stdout.contains("`popPost` does not hold after `pop`"));
    let said = run.said();
    let compile = said
        .lines()
        .find_map(|line| line.split_once("unit tests: "));
    let (_, compile) = compile.unwrap_or_else(|| panic!("there are unit tests: {said}"));
    let native = shell(compile);
    assert!(
        !native.success() && native.said().contains("popPost"),
        "{}",
        native.said()
    );
}

/// The comparison looks at what the values lead to, which only `--type` can tell.
const BAG: &str = r#"#include <stdbool.h>
#include <stddef.h>

struct item { void *value; struct item *next; };
struct bag { struct item *first; int (*compare)(const void *, const void *); };

int compareInts(const void *one, const void *other) {
    int left = *(const int *)one, right = *(const int *)other;
    return (left > right) - (left < right);
}

bool repOk(const struct bag *bag) {
    int count = 0;
    for (const struct item *at = bag->first; at != NULL; at = at->next)
        if (at->value == NULL || ++count > 2)
            return false;
    return bag->compare != NULL;
}

bool isSorted(const struct bag *bag) {
    const struct item *item = bag->first;
    return item == NULL || item->next == NULL || bag->compare(item->value, item->next->value) <= 0;
}
"#;

#[test]
fn a_callback_that_follows_a_value_of_no_type_asks_for_the_type() {
    let scratch = Scratch::with(&[("bag.c", BAG)]);
    const BAGS: &str = "stage test bag.c --object bag --invariant repOk --max item=2";
    let run = scratch.everypath(BAGS);
    let needed = "bag.c:8: unsupported: not supported: a read of what the `void *` `item.value` \
                  leads to, of which no type is given";
    assert!(run.stdout.contains(needed), "{}", run.said());
    assert_eq!(row(&run, "isSorted"), "isSorted 3 3 1 incomplete");
    let run = scratch.everypath(&format!(
        "{BAGS} --type item.value=int* --suite typed.stage"
    ));
    assert_eq!(run.status, Some(0), "{}", run.said());
    // Bags of none, one and two items, whose values lead to numbers of their own.
    assert_eq!(row(&run, "isSorted"), "isSorted 3 3 0 complete");
}
