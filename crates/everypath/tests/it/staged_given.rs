//! What methods are given beside their objects, and objects whose types have not all values that
//! there is room for.

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

fn expected(rows: &[(&str, u64, u64)]) -> Vec<(String, u64, u64)> {
    let rows = rows.iter();
    rows.map(|&(name, paths, errors)| (name.to_owned(), paths, errors))
        .collect()
}

const STACK: &str = r#"#include <stdbool.h>
struct Pair { long a, b; };
struct Triple { int a, b, c; };
struct Mixed { long a; double b; };
struct Key { int value; bool known; };
struct Stack { struct Pair values[2]; unsigned count; };
bool repOk(const struct Stack *stack) { return stack->count <= 2; }
bool push(struct Stack *stack, struct Pair pair) {
    if (stack->count == 2)
        return false;
    stack->values[stack->count++] = pair;
    return true;
}
bool pushPost(struct Stack *stack, struct Pair pair, bool done) {
    return !done || (stack->values[stack->count - 1].a == pair.a &&
                     stack->values[stack->count - 1].b == pair.b);
}
int sign(struct Stack *stack, struct Triple triple, struct Mixed mixed) {
    stack->count = 0;
    if (triple.c < 0)
        return -1;
    return mixed.b > 1.5 ? 2 : mixed.a == 7;
}
int find(const struct Stack *stack, const struct Key *key) {
    if (key->known)
        return 1;
    return key->known == false ? 2 : 3;
}
"#;

#[test]
fn structures_come_by_value_and_by_pointer() {
    let scene = Scene::new("stack.c", STACK);
    let object = "stack.c --object Stack --invariant repOk --suite x.stage";
    let rows = tested(&scene, &format!("{object} -o good"));
    // There is room or not; three signs; a truth value is one of two, not one of 256.
    let wanted = [("push", 2, 0), ("sign", 3, 0), ("find", 2, 0)];
    assert_eq!(rows, expected(&wanted));
    let ran = unit_tests(&scene, &format!("{object} -o again"));
    assert_eq!(ran.status, Some(0), "{}{}", ran.stdout, ran.stderr);
    // The two halves are told apart.
    scene.0.write(
        "stack.c",
        STACK.replace("= pair;", "= (struct Pair){pair.b, pair.a};"),
    );
    let rows = tested(&scene, &format!("{object} -o bad"));
    assert_eq!(rows[0].2, 1, "{rows:?}");
    let ran = unit_tests(&scene, &format!("{object} -o worse"));
    assert_eq!(ran.status, Some(1), "{}{}", ran.stdout, ran.stderr);
}

const NAMES: &str = r#"
#include <string>
#include <utility>
#include <list>
namespace office {
struct Place { int x, y; };
class Names {
    std::list<std::string> all;
  public:
    bool repOk() const {
        for (const std::string &name : all)
            if (name.empty())
                return false;
        return true;
    }
    void add(const std::string &name) {
#ifndef UNCHECKED
        if (name.empty())
            return;
#endif
        all.push_back(name);
    }
    void take(std::string name) { if (name.size() > 1) all.push_back(std::move(name)); }
    void steal(std::string &&name) { if (name == "ab") all.push_back(std::move(name)); }
    int at(const Place &place) const { return place.x == place.y ? 1 : all.empty() ? 2 : 3; }
};
int use(Names &names) {
    names.add("a");
    names.take("b");
    names.steal("c");
    return names.at({1, 2}) + names.repOk();
}
}
"#;

#[test]
fn methods_take_strings_of_the_library_and_references_to_structures() {
    let scene = Scene::new("names.cpp", NAMES);
    let object = "names.cpp --object Names --invariant Names::repOk --max Names.all[]=1 \
                  --max char[]=2 --suite x.stage --method \
                  Names::add,Names::take,Names::steal,Names::at";
    let rows = tested(&scene, &format!("{object} -o good"));
    assert_eq!(rows.iter().map(|row| row.2).sum::<u64>(), 0, "{rows:?}");
    assert_eq!(failing(&scene, "good/Names_tests.cpp"), 0);
    let rows = tested(&scene, &format!("{object} -D UNCHECKED -o bad"));
    let errors = rows[0].2;
    assert!(errors > 0, "{rows:?}");
    assert_eq!(failing(&scene, "bad/Names_tests.cpp") as u64, errors);
}

const PALETTE: &str = r#"
use std::num::NonZeroU8;
#[derive(Clone, Copy, PartialEq)]
pub enum Colour { Red, Green = 5, Blue }
pub struct Point { x: i32, y: i32 }
pub struct Palette { first: Colour, sign: char, count: NonZeroU8, text: String }
impl Palette {
    pub fn rep_ok(&self) -> bool { self.text.len() <= 2 }
    pub fn name(&self) -> u8 {
        match self.first { Colour::Red => 1, Colour::Green => 2, Colour::Blue => 3 }
    }
    pub fn paint(&mut self, colour: Colour) -> u8 {
        self.first = colour;
        self.name()
    }
    pub fn is_letter(&self) -> bool { self.sign.is_ascii_alphabetic() }
    pub fn divide(&self, by: NonZeroU8) -> u8 { 100 / by.get() / self.count.get() }
    pub fn set(&mut self, text: &str) -> bool {
        if text.len() > 2 { return false; }
        self.text = text.to_owned();
        true
    }
    pub fn last(&self, values: &[u16]) -> u16 {
        if values.is_empty() { 0 } else { values[values.len() - 1 + LATE] }
    }
    pub fn near(&self, point: &Point) -> bool { point.x == point.y }
}
const LATE: usize = 0;
"#;

#[test]
fn values_of_rust_are_those_that_rust_allows() {
    let scene = Scene::new("palette.rs", PALETTE);
    let object = "palette.rs --object Palette --invariant Palette::rep_ok --max u8[]=2 \
                  --suite x.stage";
    let mut rows = tested(&scene, &format!("{object} -o good"));
    rows.sort();
    assert_eq!(rows.iter().map(|row| row.2).sum::<u64>(), 0, "{rows:?}");
    assert_eq!(rows.len(), 7, "{rows:?}");
    let ran = unit_tests(&scene, &format!("{object} -o again"));
    assert_eq!(ran.status, Some(0), "{}{}", ran.stdout, ran.stderr);
    scene.0.write(
        "palette.rs",
        PALETTE.replace("LATE: usize = 0", "LATE: usize = 1"),
    );
    let rows = tested(&scene, &format!("{object} --method Palette::last -o bad"));
    assert!(rows[0].2 > 0, "{rows:?}");
    let ran = unit_tests(&scene, &format!("{object} --method Palette::last -o worse"));
    assert_eq!(ran.status, Some(101), "{}{}", ran.stdout, ran.stderr);
}

const CELLS: &str = r#"
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
pub struct Node { value: i32, next: Option<Rc<RefCell<Node>>> }
pub struct List { first: Option<Rc<RefCell<Node>>> }
impl List {
    pub fn rep_ok(&self) -> bool {
        let mut count = 0;
        let mut at = self.first.clone();
        while let Some(node) = at {
            count += 1;
            if count > 5 { return false; }
            at = node.borrow().next.clone();
        }
        true
    }
    pub fn clear(&mut self) -> i32 {
        let Some(first) = self.first.take() else { return 0 };
        let value = first.borrow_mut().value;
        value
    }
}
pub struct Line { waiting: VecDeque<u8> }
impl Line {
    pub fn is_valid(&self) -> bool { self.waiting.iter().all(|it| *it != 9) }
    pub fn join(&mut self, it: u8) { if it != 9 { self.waiting.push_back(it) } }
    pub fn leave(&mut self) -> u8 { self.waiting.pop_front().unwrap_or(0) }
    pub fn turn(&mut self) { self.waiting.rotate_left(self.waiting.len().min(1)) }
}
"#;

#[test]
fn cells_are_borrowed_by_nobody_and_rows_begin_anywhere() {
    let scene = Scene::new("cells.rs", CELLS);
    // Lists of none to three nodes: one that leads back would have no end.
    let list = "cells.rs --object List --invariant List::rep_ok --max Node=3";
    assert_eq!(scene.build(list), 4);
    let rows = tested(&scene, &format!("{list} --suite x.stage -o list"));
    assert_eq!(rows.iter().map(|row| row.2).sum::<u64>(), 0, "{rows:?}");
    let line = "cells.rs --object Line --invariant Line::is_valid --max u8[]=2 --suite y.stage";
    let rows = tested(&scene, &format!("{line} -o line"));
    assert_eq!(rows.iter().map(|row| row.2).sum::<u64>(), 0, "{rows:?}");
    let ran = unit_tests(&scene, &format!("{line} -o again"));
    assert_eq!(ran.status, Some(0), "{}{}", ran.stdout, ran.stderr);
    scene
        .0
        .write("cells.rs", CELLS.replace("if it != 9 { ", "{ "));
    let rows = tested(&scene, &format!("{line} --method Line::join -o bad"));
    assert!(rows[0].2 > 0, "{rows:?}");
}

const PERSON: &str = r#"
#include <string>
struct Person {
    std::string name;
    unsigned length;
};
bool repOk(const Person &person) { return person.name.size() == person.length; }
void add(Person &person, char sign) {
    person.name.push_back(sign);
#ifndef UNCOUNTED
    person.length++;
#else
    if (person.length != 25)
        person.length++;
#endif
}
void shorten(Person &person) {
    if (person.length > 23) {
        person.name.resize(23);
        person.length = 23;
    }
}
bool ends(const Person &person, char sign) { return !person.name.empty() && person.name.back() == sign; }
"#;

#[test]
fn a_text_may_be_longer_than_there_is_room_for_inside() {
    let scene = Scene::new("person.cpp", PERSON);
    let object = "person.cpp --object Person --invariant repOk --max char[]=25 --suite x.stage";
    let rows = tested(&scene, &format!("{object} -o good"));
    let wanted = [
        // A short one, which may become a long one, and a long one.
        ("add", 3, 0),
        // A short one, a long one of 23 characters and a longer one.
        ("shorten", 3, 0),
        // No character, and a short and a long text.
        ("ends", 3, 0),
    ];
    assert_eq!(rows, expected(&wanted));
    assert_eq!(failing(&scene, "good/Person_tests.cpp"), 0);
    let suite = scene.0.read("x.stage");
    assert!(suite.contains("\"type\":\"Person(name=long)\""), "{suite}");
    let rows = tested(&scene, &format!("{object} -D UNCOUNTED -o bad"));
    assert_eq!(rows[0], ("add".to_owned(), 4, 1));
    assert_eq!(failing(&scene, "bad/Person_tests.cpp"), 1);
}
