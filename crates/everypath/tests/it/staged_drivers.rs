//! Programs with drivers of their own that ask for objects of suites and of pools,
//! in C, C++ and Rust, and the same programs natively.

use serde_json::Value as Json;
use std::fs;
use std::path::PathBuf;
use testkit::{Finished, Scratch, project};

struct Scene(Scratch);

impl Scene {
    fn new(files: &[(&str, &str)]) -> Scene {
        Scene(Scratch::with(files))
    }

    fn everypath(&self, command: &str) -> Finished {
        self.0.everypath(command)
    }

    /// What a command that does its work prints as JSON.
    #[track_caller]
    fn json(&self, command: &str) -> Json {
        let output = self.everypath(&format!("{command} --json"));
        output.json()
    }

    #[track_caller]
    fn build(&self, command: &str) {
        let output = self.everypath(&format!("stage build {command}"));
        assert!(output.success(), "{}", output.stderr);
    }

    /// Completed paths and those with errors, after all tests have been replayed
    /// natively and were found to go as predicted.
    #[track_caller]
    fn paths(&self, command: &str) -> (u64, u64) {
        let run = self.json(&format!("run {command} --output out"));
        let number = |name: &str| run["paths"][name].as_u64().expect("it is a number");
        let replayed = self.json("replay out --native");
        assert_eq!(replayed["agreed"], run["tests"], "{replayed}");
        fs::remove_dir_all(self.0.path("out")).expect("the tests can be removed");
        (number("completed"), number("errors"))
    }

    /// What a command that cannot run says at last.
    #[track_caller]
    fn refusal(&self, command: &str) -> String {
        let output = self.everypath(command);
        assert_eq!(output.status, Some(2), "{}", output.stdout);
        output.stderr.trim_end().to_owned()
    }
}

fn example(name: &str) -> PathBuf {
    project("examples/staged").join(name)
}

fn included(name: &str, rest: &str) -> String {
    format!(
        "#include \"everypath.h\"\n#include {:?}\n{rest}",
        example(name)
    )
}

/// The nodes of each search tree of up to two nodes; a value added to a tree has as
/// many places as the tree has nodes, and one more.
const TREES: [u64; 4] = [0, 1, 2, 2];

#[test]
fn a_driver_gets_every_pair_of_objects_and_a_native_one_the_same() {
    let driver = included(
        "search_tree.c",
        r#"int main(void) {
    struct SearchTree tree, *other;
    int data;
    ep_regenerate(&tree, "tree.stage");
    ep_regenerate(&other, "tree.stage");
    ep_symbolic(&data, sizeof data, "data");
    int before = tree.size;
    add(&tree, data);
    ep_assert(repOk(&tree) && repOk(other));
    ep_assert(tree.size == before + 1);
    return other->size;
}
"#,
    );
    let scene = Scene::new(&[("driver.c", &driver)]);
    scene.build("driver.c --object SearchTree --invariant repOk --max Node=2 -o tree.stage");
    let places: u64 = TREES.iter().map(|nodes| nodes + 1).sum();
    let pairs = places * TREES.len() as u64;
    assert_eq!(scene.paths("driver.c"), (pairs, 0));
    scene.build("-O 2 driver.c --object SearchTree --invariant repOk --max Node=2 -o tree.stage");
    assert_eq!(scene.paths("-O 2 driver.c"), (pairs, 0));
    scene.build("driver.c --object SearchTree --invariant repOk --max Node=2 -o tree.stage");
    // A new node that is not counted breaks the invariant of every tree.
    assert_eq!(scene.paths("-D MUTANT=3 driver.c"), (0, pairs));
}

#[test]
fn pointers_that_the_invariant_never_followed_are_open_to_the_driver() {
    let driver = r#"#include "everypath.h"
struct Leaf { int value; };
struct Box { int used; struct Leaf *leaf; };
bool repOk(const struct Box *box) { return box->used == 0 || box->used == 1; }
int main(void) {
    struct Box box;
    ep_regenerate(&box, "box.stage");
    if (box.used)
        return 3;
    if (!box.leaf)
        return 2;
    if (box.leaf->value == 5)
        return 1;
    return 0;
}
"#;
    let scene = Scene::new(&[("driver.c", driver)]);
    scene.build("driver.c --object Box --invariant repOk --max Leaf=1 -o box.stage");
    assert_eq!(scene.paths("driver.c"), (4, 0));
}

#[test]
fn what_a_driver_cannot_get_is_refused_with_its_place() {
    let tree = "struct SearchTree tree;\n";
    let driver = |body: &str| {
        let main = format!("int main(void) {{\n{body}    return 0;\n}}\n");
        included("search_tree.c", &main)
    };
    let named = |body: &str| driver(&format!("{tree}ep_regenerate(&tree, {body});\n"));
    let scene = Scene::new(&[
        ("good.c", &named("\"tree.stage\"")),
        ("missing.c", &named("\"none.stage\"")),
        ("corrupt.c", &named("\"corrupt.stage\"")),
        ("changed.c", &named("\"changed.stage\"")),
        ("list.c", &named("\"list.stage\"")),
        (
            "number.c",
            &driver("int n;\nep_regenerate(&n, \"tree.stage\");\n"),
        ),
        (
            "none.c",
            &driver("struct SearchTree *p = 0;\nep_regenerate(p, \"tree.stage\");\n"),
        ),
    ]);
    let folder = scene.0.folder();
    scene.build("good.c --object SearchTree --invariant repOk --max Node=1 -o tree.stage");
    scene.build("good.c --object SortedList --invariant listRepOk --max Link=1 -o list.stage");
    let suite = fs::read_to_string(folder.join("tree.stage")).expect("the suite is there");
    let code = serde_json::from_str::<Json>(suite.lines().next().expect("it has a header"))
        .expect("the header is JSON")["code"]
        .to_string();
    fs::write(folder.join("changed.stage"), suite.replace(&code, "\"0\"")).expect("it is written");
    fs::write(folder.join("corrupt.stage"), "nothing\n").expect("it is written");
    for (program, message) in [
        (
            "missing",
            "none.stage: No such file or directory (os error 2)",
        ),
        (
            "corrupt",
            "corrupt.stage: line 1: it does not begin with the header of a suite",
        ),
        (
            "changed",
            "changed.stage: the code of `repOk` is not what the suite was built of; build it anew with `everypath stage build`",
        ),
        (
            "list",
            "list.stage: the suite is of SortedList, and SearchTree is wanted",
        ),
        (
            "number",
            "it takes a pointer to a structure, or to a pointer to one, and this is `int *`",
        ),
    ] {
        let said = scene.refusal(&format!("run {program}.c --output {program}"));
        let start = format!("error: {program}.c:5: ep_regenerate: ");
        assert!(said.starts_with(&start) && said.contains(message), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let run = scene.json("run none.c --output none");
    assert_eq!(run["errors"][0]["kind"], "null-dereference", "{run}");
}

/// Null; the first; with two objects, and both pointers set from the pool, so on.
const POOL_USER: &str = r#"
    if (!a)
        return 0;
    a->next = anyNode();
    if (!a->next)
        return 1;
    if (a->next == a)
        return 2;
    a->next->next = anyNode();
    if (!a->next->next)
        return 3;
    if (a->next->next == a)
        return 4;
    ep_assert(a->next->next == a->next);
    if (a->data == 7)
        return 6;
    return 5;
}
"#;

#[test]
fn a_pool_gives_null_what_it_gave_before_or_the_next_new_object() {
    let node = "#include \"everypath.h\"\nstruct Node { int data; struct Node *next; };\n";
    let c = "static struct Node *anyNode(void) { return EP_POOL(struct Node, 2); }\n";
    let cpp = "static Node *anyNode() { return ep::pool<Node>(2).get(); }\n";
    let main = format!("int main(void) {{\n    struct Node *a = anyNode();\n{POOL_USER}");
    let scene = Scene::new(&[
        ("pool.c", &format!("{node}{c}{main}")),
        ("pool.cpp", &format!("{node}{cpp}{main}")),
    ]);
    assert_eq!(scene.paths("pool.c"), (7, 0));
    assert_eq!(scene.paths("pool.cpp"), (7, 0));
}

#[test]
fn a_class_with_private_members_is_regenerated_in_cpp() {
    let driver = r#"#include "everypath.h"
class Chain {
    struct Link { int data; Link *next; };
    Link *first;
    int length;
  public:
    bool repOk() const {
        int count = 0;
        for (const Link *at = first; at; at = at->next)
            if (++count > 2)
                return false;
        return count == length;
    }
    int size() const { return length; }
    void add(int data) { first = new Link{data, first}; length++; }
};
int main() {
    Chain *chain = ep::regenerate<Chain>("chain.stage");
    int before = chain->size();
    chain->add(1);
    ep_assert(chain->size() == before + 1);
    return before;
}
"#;
    let scene = Scene::new(&[("driver.cpp", driver)]);
    scene.build("driver.cpp --object Chain --invariant Chain::repOk --max Link=2 -o chain.stage");
    assert_eq!(scene.paths("driver.cpp"), (3, 0));
}

#[test]
fn stacks_of_boxes_in_rust_are_staged_as_structures_of_c_are() {
    let scene = Scene::new(&[]);
    let stack = example("stack.rs").display().to_string();
    let build = format!("{stack} --object Stack --invariant rep_ok --max Node=3 -o stack.stage");
    scene.build(&build);
    let suite = scene.0.read("stack.stage");
    assert_eq!(suite.lines().count(), 1 + 4, "no, one, two and three boxes");
    for method in ["push --post push_post", "pop"] {
        let run = format!("stage run {stack} --method {method} --input stack.stage --output out");
        let run = scene.json(&run);
        assert_eq!(run["stage"]["valid"], 4, "{run}");
        assert_eq!(run["paths"]["errors"], 0, "{run}");
        fs::remove_dir_all(scene.0.path("out")).expect("the tests can be removed");
    }
}

#[test]
fn a_driver_in_rust_replays_natively() {
    let driver = r#"#![no_main]
pub struct Node { value: i32, below: *mut Node }
pub struct Stack { top: *mut Node, depth: usize, last: Option<Box<Node>> }

impl Stack {
    pub fn rep_ok(&self) -> bool {
        let (mut nodes, mut at) = (0, self.top);
        while !at.is_null() {
            nodes += 1;
            if nodes > 2 {
                return false;
            }
            at = unsafe { (*at).below };
        }
        self.depth == nodes && self.last.is_none()
    }

    pub fn push(&mut self, value: i32) {
        self.top = Box::into_raw(Box::new(Node { value, below: self.top }));
        self.depth += 1;
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn main() -> i32 {
    let stack: &mut Stack = everypath::regenerate(c"stack.stage");
    let mut pool = everypath::Pool::<Node, 1>::default();
    let value: i32 = everypath::symbolic(c"value");
    stack.push(value);
    everypath::check(value != 7 || stack.depth != 2);
    if pool.get().is_null() { 10 } else { stack.depth as i32 }
}
"#;
    let scene = Scene::new(&[("driver.rs", driver)]);
    scene.build("driver.rs --object Stack --invariant Stack::rep_ok --max Node=2 -o stack.stage");
    // Three stacks, seven pushed or not, and two ways out of each; seven on a stack
    // of one is the error.
    assert_eq!(scene.paths("driver.rs"), (2 * 5, 1));
    let run = scene.everypath("run driver.rs --output out");
    let said = run.stdout;
    assert!(
        said.starts_with("error: driver.rs:30:5: assert: "),
        "{said}"
    );
}

#[test]
fn panics_of_rust_are_errors_that_say_what_rust_says() {
    let program = r#"#![no_main]
#[unsafe(no_mangle)]
pub extern "C" fn main() -> i32 {
    let count = everypath::range(0, 4, c"count");
    let values: Vec<i32> = (0..count).map(|value| value * 2).collect();
    if values.len() == 3 {
        let index: u8 = everypath::symbolic(c"index");
        everypath::assume(index < 4);
        return values[index as usize];
    }
    values.iter().copied().max().unwrap()
}
"#;
    let scene = Scene::new(&[("vec.rs", program)]);
    let run = scene.json("run vec.rs --output said");
    let errors = run["errors"].as_array().expect("it is a list").iter();
    let mut errors: Vec<(u64, &str)> = errors
        .map(|error| {
            let line = error["line"].as_u64().expect("it is a number");
            (line, error["message"].as_str().expect("it is a text"))
        })
        .collect();
    errors.sort_unstable();
    assert_eq!(
        errors,
        [
            (9, "index out of bounds: the len is 3 but the index is 3"),
            (11, "called `Option::unwrap()` on a `None` value"),
        ]
    );
    let (completed, with_errors) = scene.paths("vec.rs");
    // One, two and three values; the index is one of three or beyond.
    assert_eq!((completed >= 3, with_errors), (true, 2));
}
