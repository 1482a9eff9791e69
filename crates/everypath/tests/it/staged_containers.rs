//! Objects whose size, class or memory is not known from their type alone: arrays at the end
//! of structures, classes with virtual functions, and containers of the standard libraries.

use crate::staged_regions::Scene;

#[test]
fn a_structure_may_end_in_an_array_of_any_length() {
    let scene = Scene::new(
        "packet.c",
        r#"#include <limits.h>
#include <stdbool.h>
struct Packet { unsigned count; int data[]; };
bool repOk(const struct Packet *packet) {
    for (unsigned i = 0; i + 1 < packet->count; i++)
        if (packet->data[i] > packet->data[i + 1])
            return false;
    return true;
}
void raise(struct Packet *packet) {
#ifdef OVER
    packet->data[packet->count] = INT_MAX;
#else
    if (packet->count > 0)
        packet->data[packet->count - 1] = INT_MAX;
#endif
}
struct Queue { struct Packet *first, *second; };
bool queueOk(const struct Queue *queue) {
    return queue->first && queue->second && queue->first != queue->second &&
           queue->first->count == 1 && queue->second->count == 2 && repOk(queue->second);
}
int last(const struct Queue *queue) { return queue->second->data[1]; }
int beyond(const struct Queue *queue) { return queue->second->data[2]; }
"#,
    );
    let bounds = "--length Packet.data=count --max Packet.data[]=3";
    // One for each length from none to three.
    let object = "packet.c --object Packet --invariant repOk";
    assert_eq!(scene.build(&format!("{object} {bounds}")), 4);
    let suite = scene.0.read("x.stage");
    assert!(suite.contains(r#""type":"Packet(data=3)""#), "{suite}");
    assert!(scene.method_holds("packet.c --method raise --output good"));
    let failed = scene.native_failure("packet.c -D OVER --method raise --output bad");
    assert!(failed.contains("heap-buffer-overflow"), "{failed}");
    let object = "packet.c --object Queue --invariant queueOk --max Packet=2";
    assert_eq!(scene.build(&format!("{object} {bounds}")), 1);
    assert!(scene.method_holds("packet.c --method last --output last"));
    assert!(!scene.method_holds("packet.c --method beyond --output beyond"));
}

const SHAPES: &str = r#"
struct Shape {
    int id;
    virtual int area() const = 0;
    virtual void grow() = 0;
    virtual ~Shape() {}
};
struct Circle : Shape {
    int radius = 1;
    int area() const override { return 3 * radius * radius; }
    void grow() override { radius++; }
};
struct Named {
    int name = 0;
    virtual int length() const { return 1; }
    virtual ~Named() {}
};
struct Square : Named, Shape {
    int side = 1;
    int area() const override { return side * side; }
#ifdef SHRINKS
    void grow() override { side = -side; }
#else
    void grow() override { side++; }
#endif
};
struct Ghost : Shape {};
struct Drawing {
    Shape *shape;
    int &scale;
    explicit Drawing(int &scale) : shape(nullptr), scale(scale) {}
};
bool repOk(const Drawing &drawing) {
    if (!drawing.shape || drawing.scale < 1 || drawing.scale > 5)
        return false;
    if (auto *circle = dynamic_cast<const Circle *>(drawing.shape))
        return circle->radius > 0 && circle->radius < 10;
    const Square *square = static_cast<const Square *>(drawing.shape);
    return square->side > 0 && square->side < 10;
}
void extend(Drawing &drawing) {
    if (drawing.shape->area() < 60)
        drawing.shape->grow();
}
void enlarge(Drawing &drawing) {
#ifdef UNBOUNDED
    drawing.scale++;
#else
    if (drawing.scale < 5)
        drawing.scale++;
#endif
}
Shape *make(bool round) {
    if (round)
        return new Circle();
    return new Square();
}
"#;

#[test]
fn a_pointer_to_a_class_leads_to_the_classes_that_the_program_constructs() {
    let scene = Scene::new("shapes.cpp", SHAPES);
    let object = "shapes.cpp --object Drawing --invariant repOk --max Shape=1";
    assert_eq!(scene.build(object), 2);
    let suite = scene.0.read("x.stage");
    assert!(suite.contains(r#""type":"Circle""#), "{suite}");
    // The shape in a square comes after what else it is.
    assert!(suite.contains(r#""type":"Square""#), "{suite}");
    assert!(suite.contains(r#""shape":"@1+16""#), "{suite}");
    assert!(scene.method_holds("shapes.cpp --method extend --output good"));
    let failed = scene.native_failure("shapes.cpp -D SHRINKS --method extend --output bad");
    assert!(failed.contains("repOk does not hold"), "{failed}");
    let failed = scene.native_failure("shapes.cpp -D UNBOUNDED --method enlarge --output wide");
    assert!(failed.contains("repOk does not hold"), "{failed}");
}

#[test]
fn what_no_object_is_of_is_refused_by_name() {
    let scene = Scene::new(
        "ghosts.cpp",
        "struct Ghost { virtual int haunt() = 0; };\nstruct House { Ghost *ghost; };\n\
         bool repOk(const House &house) { return house.ghost->haunt() > 0; }\n\
         struct Root { int id; };\nstruct Left : virtual Root { int left; };\n\
         struct Tree { Left *left; };\n\
         bool treeOk(const Tree &tree) { return tree.left != nullptr; }\n",
    );
    let refused = scene.everypath("stage build ghosts.cpp --object House --invariant repOk -o x");
    assert_eq!(
        refused.stderr,
        "error: there is no class in the program whose objects are a `Ghost`: it is abstract or \
         nobody constructs it, and so is every class derived from it\n"
    );
    let refused = scene.everypath("stage build ghosts.cpp --object Tree --invariant treeOk -o x");
    assert_eq!(
        refused.stderr,
        "error: `Left` has virtual base classes, and objects with these are not made\n"
    );
}

#[test]
fn a_vector_has_memory_of_its_own() {
    let scene = Scene::new(
        "numbers.cpp",
        r#"#include <vector>
struct Numbers { std::vector<int> all; int sum; };
bool repOk(const Numbers &numbers) {
    int sum = 0;
    for (int it : numbers.all)
        sum += it & 7;
    return numbers.sum == sum;
}
void push(Numbers &numbers, int it) {
    numbers.all.push_back(it);
#ifndef FORGETS
    numbers.sum += it & 7;
#endif
}
int at(const Numbers &numbers, unsigned at) {
#ifdef OVER
    if (at <= numbers.all.size())
#else
    if (at < numbers.all.size())
#endif
        return numbers.all[at];
    return -1;
}
"#,
    );
    let object = "numbers.cpp --object Numbers --invariant repOk";
    let refused = scene.everypath(&format!("stage build {object} -o x.stage"));
    assert_eq!(
        refused.stderr,
        "error: how long `Numbers.all` may be is not bounded; add --max 'int[]=4'\n"
    );
    // No memory, or room for one or two of which up to all are in use.
    assert_eq!(scene.build(&format!("{object} --max int[]=2")), 1 + 2 + 3);
    assert_eq!(scene.build(&format!("{object} --max Numbers.all[]=2")), 6);
    assert!(scene.method_holds("numbers.cpp --method push --output good"));
    assert!(scene.method_holds("numbers.cpp --method at --output at"));
    let failed = scene.native_failure("numbers.cpp -D FORGETS --method push --output bad");
    assert!(failed.contains("repOk does not hold"), "{failed}");
    let failed = scene.native_failure("numbers.cpp -D OVER --method at --output over");
    assert!(failed.contains("__n < this->size()"), "{failed}");
}

#[test]
fn a_short_string_is_any_text_up_to_its_bound() {
    let scene = Scene::new(
        "label.cpp",
        r#"#include <string>
#include <vector>
struct Label { std::string text; int kind; std::vector<int> marks; };
bool repOk(const Label &label) {
    return !label.text.empty() && label.kind > 0 && label.marks.empty();
}
void clip(Label &label) {
#ifdef EMPTIES
    label.text.pop_back();
#else
    if (label.text.size() > 1)
        label.text.pop_back();
#endif
}
"#,
    );
    let object = "label.cpp --object Label --invariant repOk --max int[]=1";
    // A vector without memory, or with some of which none is in use.
    assert_eq!(scene.build(&format!("{object} --max char[]=3")), 2);
    assert!(scene.method_holds("label.cpp --method clip --output good"));
    let failed = scene.native_failure("label.cpp -D EMPTIES --method clip --output bad");
    assert!(failed.contains("repOk does not hold"), "{failed}");
}

#[test]
fn a_text_in_a_node_is_a_short_one() {
    let scene = Scene::new(
        "names.cpp",
        "#include <map>\n#include <string>\nstruct Names { std::map<std::string, int> all; };\n\
         bool repOk(const Names &names) { return names.all.size() < 3; }\n\
         void add(Names &names) { names.all[\"a\"] = 1; }\n",
    );
    let refused = scene.everypath(
        "stage build names.cpp --object Names --invariant repOk --max Names.all[]=1 \
         --max char[]=30 -o x.stage",
    );
    assert_eq!(refused.status, Some(2));
    assert!(
        refused
            .stderr
            .ends_with("may be longer than 22 characters, and is made with up to these\n"),
        "{}",
        refused.stderr
    );
}

#[test]
fn containers_of_rust_are_as_their_library_keeps_them() {
    let scene = Scene::new(
        "notes.rs",
        r#"use std::rc::Rc;
pub struct Notes<'a> { all: Vec<i32>, name: String, most: usize, tags: &'a [u8], shared: Rc<u32> }
#[unsafe(no_mangle)]
pub fn rep_ok(notes: &Notes) -> bool {
    notes.all.len() <= notes.most && notes.most <= 2
}
#[unsafe(no_mangle)]
pub fn push(notes: &mut Notes, it: i32) {
    if notes.all.len() < notes.most || cfg!(over) {
        notes.all.push(it);
    }
}
#[unsafe(no_mangle)]
pub fn sum(notes: &Notes) -> i32 {
    notes.all.iter().fold(0, |sum, it| sum.wrapping_add(*it))
}
#[unsafe(no_mangle)]
pub fn first(notes: &Notes) -> u32 {
    notes.name.chars().next().map_or(0, u32::from)
}
#[unsafe(no_mangle)]
pub fn tag(notes: &Notes, at: usize) -> u8 {
    if at < notes.tags.len() + usize::from(cfg!(over)) { notes.tags[at] } else { 0 }
}
#[unsafe(no_mangle)]
pub fn share(notes: &Notes) -> Rc<u32> {
    Rc::clone(&notes.shared)
}
"#,
    );
    let object = "notes.rs --object Notes --invariant rep_ok --max i32[]=2 --max u8[]=2";
    assert_eq!(scene.build(object), 1);
    for method in ["push", "sum", "first", "tag", "share"] {
        let command = format!("notes.rs --method {method} --output {method}");
        assert!(scene.method_holds(&command), "{method}");
    }
    let failed = scene.native_failure("notes.rs -D over --method push --output bad");
    assert!(failed.contains("rep_ok does not hold"), "{failed}");
    assert!(!scene.method_holds("notes.rs -D over --method tag --output beyond"));
}

#[test]
fn an_enum_of_rust_is_each_of_its_variants() {
    let scene = Scene::new(
        "things.rs",
        r#"pub enum Shape { Round(u8), Square { side: u16 }, Named(String), Empty }
pub struct Thing { shape: Shape, size: Option<u32>, parts: Vec<Option<u8>> }
#[unsafe(no_mangle)]
pub fn rep_ok(thing: &Thing) -> bool {
    let known = match &thing.shape {
        Shape::Round(radius) => *radius > 0,
        Shape::Square { side } => *side > 0,
        Shape::Named(name) => !name.is_empty(),
        Shape::Empty => false,
    };
    known && thing.size.is_some() && thing.parts.len() == 1
}
#[unsafe(no_mangle)]
pub fn shrink(thing: &mut Thing) {
    match &mut thing.shape {
        Shape::Round(radius) => *radius = (*radius - 1).max(1),
        Shape::Square { side } if cfg!(vanishes) => *side -= 1,
        Shape::Square { .. } => thing.shape = Shape::Round(1),
        Shape::Named(name) => *name = String::from("x"),
        Shape::Empty => unreachable!(),
    }
}
#[unsafe(no_mangle)]
pub fn part(thing: &Thing) -> u8 {
    thing.parts[0].unwrap_or(7)
}
pub enum List { Cons(i32, Box<List>), Nil }
#[unsafe(no_mangle)]
pub fn sorted(list: &List) -> bool {
    match list {
        List::Cons(one, rest) => match &**rest {
            List::Cons(other, _) => one < other && sorted(rest),
            List::Nil => true,
        },
        List::Nil => true,
    }
}
#[unsafe(no_mangle)]
pub fn push(list: &mut List, value: i32) {
    let goes_here = match list {
        List::Cons(first, _) if cfg!(hasty) => value <= *first,
        List::Cons(first, _) => value < *first,
        List::Nil => true,
    };
    if goes_here {
        let rest = std::mem::replace(list, List::Nil);
        *list = List::Cons(value, Box::new(rest));
    } else if let List::Cons(first, rest) = list && *first != value {
        push(rest, value);
    }
}
"#,
    );
    let bounds = "--max u8[]=1 --max Option<u8>[]=1";
    let object = format!("things.rs --object Thing --invariant rep_ok {bounds}");
    // Three shapes; nobody looks at the part.
    assert_eq!(scene.build(&object), 3);
    let suite = scene.0.read("x.stage");
    assert!(suite.contains("Thing(shape=Square,size=Some)"), "{suite}");
    assert!(scene.method_holds("things.rs --method shrink --output good"));
    assert!(scene.method_holds("things.rs --method part --output part"));
    let failed = scene.native_failure("things.rs -D vanishes --method shrink --output bad");
    assert!(failed.contains("rep_ok does not hold"), "{failed}");
    let object = "things.rs --object List --invariant sorted --max List=4";
    // Of none to three numbers: the last of the objects is where they end.
    assert_eq!(scene.build(object), 4);
    assert!(scene.method_holds("things.rs --method push --output pushed"));
    let failed = scene.native_failure("things.rs -D hasty --method push --output hasty");
    assert!(failed.contains("sorted does not hold"), "{failed}");
}

#[test]
fn what_only_its_library_keeps_valid_is_refused_by_name() {
    for (container, member) in [
        ("deque", "std::deque<int>"),
        ("functional", "std::function<int(int)>"),
        // Nobody makes what it could lead to.
        ("memory", "std::shared_ptr<int>"),
    ] {
        let scene = Scene::new(
            "numbers.cpp",
            &format!(
                "#include <{container}>\nstruct Numbers {{ int count; {member} all; }};\n\
                 bool repOk(const Numbers &numbers) {{ return numbers.count > 0; }}\n"
            ),
        );
        let build = "stage build numbers.cpp --object Numbers --invariant repOk -o x.stage";
        let refused = scene.everypath(build);
        assert_eq!(refused.status, Some(2));
        let said = refused.stderr;
        let name = member
            .strip_prefix("std::")
            .and_then(|it| it.split('<').next());
        let name = name.expect("it is a template of the library");
        assert!(
            said.starts_with(&format!("error: `Numbers.all` is a {name}<")),
            "{said}"
        );
        assert!(said.ends_with(", of which no objects are made\n"), "{said}");
    }
}
