//! Classes as libraries have them: generic ones, with constructors, destructors and methods for
//! nobody but themselves, pointers to functions, and structures inside of others.

use crate::staged_library;
use crate::staged_linked::{failing, tested};
use crate::staged_regions::Scene;
use testkit::Finished;

/// Compiles and runs the unit tests of a class of C or Rust as `stage test` says.
#[track_caller]
fn unit_tests(scene: &Scene, command: &str) -> Finished {
    let said = scene.everypath(&format!("stage test {command}")).stderr;
    staged_library::unit_tests(&scene.0, &said)
}

fn names(rows: &[(String, u64, u64)]) -> Vec<&str> {
    let mut names: Vec<&str> = rows.iter().map(|row| &*row.0).collect();
    names.sort_unstable();
    names
}

fn errors(rows: &[(String, u64, u64)]) -> u64 {
    rows.iter().map(|row| row.2).sum()
}

const CHAIN: &str = r#"
use std::ptr;
struct Node<T> { value: T, next: *mut Node<T> }
pub struct Chain<T> { first: *mut Node<T>, count: usize }
impl<T> Chain<T> {
    pub fn push(&mut self, value: T) {
        self.first = Box::into_raw(Box::new(Node { value, next: self.first }));
        self.count += ADDED;
    }
    pub fn pop(&mut self) -> Option<T> {
        if self.first.is_null() { return None; }
        let node = unsafe { Box::from_raw(self.first) };
        self.first = node.next;
        self.count -= 1;
        Some(node.value)
    }
    fn unlink(&mut self) { self.first = ptr::null_mut(); }
}
const ADDED: usize = 1;
impl<T> Drop for Chain<T> {
    fn drop(&mut self) {
        let mut at = self.first;
        while !at.is_null() { at = unsafe { Box::from_raw(at) }.next; }
    }
}
impl Chain<i32> {
    pub fn rep_ok(&self) -> bool {
        let (mut at, mut count) = (self.first, 0);
        while !at.is_null() {
            count += 1;
            if count > 4 { return false; }
            at = unsafe { (*at).next };
        }
        count == self.count
    }
    pub fn push_number(&mut self, value: i32) { self.push(value) }
    pub fn pop_number(&mut self) -> i32 { self.pop().unwrap_or(-1) }
    pub fn clear(&mut self) { self.unlink(); self.count = 0 }
}
pub fn finish(chain: Chain<i32>) { drop(chain) }
pub fn pop_post(chain: &Chain<i32>) -> bool { chain.count < 3 }
"#;

#[test]
fn generic_structures_of_rust_need_no_types_and_their_unit_tests_compile() {
    let scene = Scene::new("chain.rs", CHAIN);
    let chain = "chain.rs --object Chain --invariant rep_ok --max Node=3 --suite x.stage";
    let rows = tested(&scene, &format!("{chain} -o good"));
    // `unlink` is for the module alone; what was dropped need not be valid any more.
    let wanted = ["clear", "drop", "pop", "pop_number", "push", "push_number"];
    assert_eq!(names(&rows), wanted);
    assert_eq!(errors(&rows), 0, "{rows:?}");
    assert!(rows.iter().all(|row| row.1 == 4), "{rows:?}");
    let ran = unit_tests(&scene, &format!("{chain} -o again"));
    assert_eq!(ran.status, Some(0), "{}{}", ran.stdout, ran.stderr);
    scene.0.write(
        "chain.rs",
        CHAIN.replace("ADDED: usize = 1", "ADDED: usize = 2"),
    );
    let rows = tested(&scene, &format!("{chain} --method push -o bad"));
    assert_eq!(errors(&rows), 4, "{rows:?}");
    let refused = scene.everypath("stage test chain.rs --object Node --invariant rep_ok");
    assert_eq!(
        refused.stderr,
        "error: the invariant `rep_ok` does not take a pointer to Node<i32>, and that \
         alone, but to Chain<i32>\n"
    );
}

const QUEUE: &str = r#"
#include <cstdlib>
namespace kept {
template <class T> struct Link { T value; Link *next; };
template <class T> class Queue {
    Link<T> *first, *last;
    int count;
    void unlink(Link<T> *link) { last->next = link; }
    void shorten(int by) { count -= by; }
  public:
    Queue() : first(nullptr), last(nullptr), count(0) {}
    explicit Queue(int size) : Queue() { while (size-- > 0) push(T()); }
    ~Queue() { while (pop()) {} }
    bool repOk() const {
        int met = 0;
        const Link<T> *end = nullptr;
        for (const Link<T> *at = first; at; end = at, at = at->next)
            if (++met > 4)
                return false;
        return met == count && end == last;
    }
    void push(T value) {
        auto *link = static_cast<Link<T> *>(std::malloc(sizeof(Link<T>)));
        link->value = value;
        link->next = nullptr;
        (last ? last->next : first) = link;
        last = link;
        count++;
    }
    bool pop() {
        if (!first)
            return false;
        Link<T> *old = first;
        first = old->next;
        if (!first)
            last = nullptr;
        std::free(old);
#ifdef UNCOUNTED
        return true;
#endif
        shorten(1);
        return true;
    }
};
}
template class kept::Queue<long>;
"#;

#[test]
fn constructors_destructors_and_private_methods_are_no_methods_of_valid_objects() {
    let scene = Scene::new("queue.cpp", QUEUE);
    let queue = "queue.cpp --object kept::Queue --invariant Queue::repOk --max Link=3";
    let output = scene.everypath(&format!("stage test {queue} --suite x.stage -o out"));
    assert_eq!(output.status, Some(0), "{}{}", output.stdout, output.stderr);
    let told: Vec<&str> = output.stdout.lines().collect();
    assert!(
        told.iter()
            .any(|line| line.contains("not tested: it makes a Queue<long>, and is given none")),
        "{}",
        output.stdout
    );
    assert!(!output.stdout.contains("unlink") && !output.stdout.contains("shorten"));
    for name in ["push", "pop", "~Queue"] {
        let row = told
            .iter()
            .find(|line| line.starts_with(&format!("{name} ")));
        let row = row.unwrap_or_else(|| panic!("{name}: {}", output.stdout));
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(cells[1..4], ["4", "4", "0"], "{row}");
    }
    assert_eq!(failing(&scene, "out/Queuelong_tests.cpp"), 0);
    let rows = tested(
        &scene,
        &format!("{queue} --method pop -D UNCOUNTED --suite y.stage -o bad"),
    );
    assert_eq!(errors(&rows), 3, "{rows:?}");
}

const HEAP: &str = r#"#include <stdbool.h>
#include <stddef.h>
typedef void *Value;
typedef int (*Compare)(Value one, Value other);
typedef struct { const char *text; int (*rank)(const Value); } Named;
struct heap { Compare compare; Value values[2]; int count; };
int ascending(void *one, void *other) { return *(int *)one - *(int *)other; }
int descending(Value one, Value other) { return *(int *)other - *(int *)one; }
int constant(const void *one, const void *other) { return one != other; }
int rank(void *value) { return *(int *)value; }
bool repOk(const struct heap *heap) {
    if (heap->compare == NULL || heap->count < 0 || heap->count > 2)
        return false;
    for (int i = 0; i < heap->count; i++)
        if (heap->values[i] == NULL || *(int *)heap->values[i] < 0)
            return false;
    return heap->count < 2 || heap->compare(heap->values[0], heap->values[1]) <= 0;
}
int last(const struct heap *heap) { return heap->count ? *(int *)heap->values[heap->count - 1] : 0; }
bool lastPost(const struct heap *heap, int last) {
    return heap->count < 2 || heap->compare != ascending || last >= *(int *)heap->values[0];
}
"#;

#[test]
fn a_pointer_to_a_function_leads_to_functions_of_its_type_under_any_name() {
    let scene = Scene::new("heap.c", HEAP);
    let heap = "heap.c --object heap --invariant repOk --type heap.values=int* --max int=2";
    // `constant` takes other pointers. With no value or one nobody asks for the order, and two
    // are in either; numbers are not shared.
    assert_eq!(scene.build(heap), 1 + 1 + 2);
    let rows = tested(&scene, &format!("{heap} --suite y.stage -o good"));
    assert_eq!(errors(&rows), 0, "{rows:?}");
    let scene = Scene::new(
        "order.rs",
        "pub struct Order { before: fn(&i32, &i32) -> bool, low: i32, high: i32 }\n\
         fn less(one: &i32, other: &i32) -> bool { one < other }\n\
         fn more(one: &i32, other: &i32) -> bool { one > other }\n\
         fn odd(one: *const i32, other: *const i32) -> bool { one == other }\n\
         impl Order {\n\
             pub fn rep_ok(&self) -> bool { (self.before)(&self.low, &self.high) }\n\
             pub fn swap(&mut self) {\n\
                 std::mem::swap(&mut self.low, &mut self.high);\n\
                 self.before = if self.before as usize == less as usize { more } else { less };\n\
             }\n\
             pub fn odd(&self) -> bool { odd(&self.low, &self.high) }\n\
         }\n",
    );
    let order = "order.rs --object Order --invariant Order::rep_ok";
    assert_eq!(scene.build(order), 2);
    let rows = tested(&scene, &format!("{order} --suite y.stage -o good"));
    assert_eq!(errors(&rows), 0, "{rows:?}");
}

const TABLE: &str = r#"#include <stdbool.h>
struct point { int x, y; };
struct row { int *cells; int length; struct point at; };
struct table { struct row head; struct row rows[2]; };
static bool fits(const struct row *row) { return row->length >= 0 && row->at.x < row->at.y; }
bool repOk(const struct table *table) {
    return fits(&table->head) & fits(&table->rows[0]) & fits(&table->rows[1]);
}
int first(const struct table *table) { return table->head.length ? table->head.cells[0] : 0; }
int second(const struct table *table) { return table->rows[1].at.y; }
bool secondPost(const struct table *table, int result) { return result > 3 && result <= 5; }
"#;

#[test]
fn bounds_of_a_structure_are_for_members_that_are_one_too() {
    let scene = Scene::new("table.c", TABLE);
    let table = "table.c --object table --invariant repOk --length row.cells=length \
                 --range row.length=0..1 --range point.x=3..4 --range point.y=4..5";
    // Cells are looked at by methods only.
    assert_eq!(scene.build(table), 1);
    let rows = tested(&scene, &format!("{table} --suite y.stage -o good"));
    assert_eq!(errors(&rows), 0, "{rows:?}");
    let refused = scene.everypath(
        "stage build table.c --object table --invariant repOk --max row.cells[]=1 \
         --range point.z=0..1 -o z.stage",
    );
    assert_eq!(
        refused.stderr,
        "error: a bound is for `table.head.at.z`, and the object has no such field\n"
    );
}

const SHELF: &str = r#"#include <stdbool.h>
#include <stdlib.h>
struct shelf { void **items; unsigned count; };
static int number(const void *item) { return *(const int *)item; }
bool repOk(const struct shelf *shelf) {
    for (unsigned i = 0; i < shelf->count; i++)
        if (shelf->items[i] == NULL || (i > 0 && number(shelf->items[i - 1]) > number(shelf->items[i])))
            return false;
    return true;
}
bool holds(const struct shelf *shelf, const void *item) {
    for (unsigned i = 0; i < shelf->count; i++)
        if (number(shelf->items[i]) == number(item))
            return true;
    return false;
}
bool put(struct shelf *shelf, void *item) {
    if (shelf->count == 0)
        return false;
    shelf->items[shelf->count - 1] = item;
#ifndef UNCHECKED
    if (shelf->count > 1)
        for (unsigned i = 0; i + 1 < shelf->count; i++)
            shelf->items[i] = item;
#endif
    return true;
}
"#;

#[test]
fn the_type_of_what_parameters_and_arrays_of_no_type_lead_to_can_be_said() {
    let scene = Scene::new("shelf.c", SHELF);
    let shelf = "shelf.c --object shelf --invariant repOk --length shelf.items=count \
                 --range shelf.count=0..2 --type shelf.items=int* --max int=2";
    // None, one and two, for numbers are not shared.
    assert_eq!(scene.build(shelf), 3);
    let shelf = format!("{shelf} --type *.item=int* --suite y.stage");
    let rows = tested(&scene, &format!("{shelf} -o good"));
    assert_eq!(names(&rows), ["holds", "put"]);
    assert_eq!(errors(&rows), 0, "{rows:?}");
    let ran = unit_tests(&scene, &format!("{shelf} -o again"));
    assert_eq!(ran.status, Some(0), "{}{}", ran.stdout, ran.stderr);
    let rows = tested(&scene, &format!("{shelf} -D UNCHECKED --method put -o bad"));
    assert!(errors(&rows) > 0, "{rows:?}");
    let refused = scene.everypath(&format!("stage test {shelf} --type put.thing=int*"));
    assert_eq!(
        refused.stderr,
        "error: a bound is for `put.thing`, and the object has no such field\n"
    );
}
