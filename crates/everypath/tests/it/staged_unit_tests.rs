//! The unit test beside a violation, compiled and run as the report says: it fails
//! in the same way.

use std::process::Command;
use testkit::{Finished, Scratch};

struct Scene(Scratch);

impl Scene {
    fn new(files: &[(&str, &str)]) -> Scene {
        Scene(Scratch::with(files))
    }

    fn everypath(&self, command: &str) -> Finished {
        self.0.everypath(command)
    }

    /// What the unit test of a violation says natively, compiled as the report says;
    /// it has to fail.
    #[track_caller]
    fn native_failure(&self, command: &str) -> String {
        let output = self.everypath(command);
        assert_eq!(output.status, Some(1), "{}", output.stderr);
        let said = output.stdout;
        let test = said
            .lines()
            .find_map(|line| line.trim().strip_prefix("unit test: "));
        let test = test.unwrap_or_else(|| panic!("there is a unit test: {said}"));
        let compile = test
            .strip_suffix(" && ./a.out")
            .expect("it is run when compiled");
        self.shell(compile).succeeds();
        let ran = Finished::of(&mut Command::new(self.0.path("a.out")));
        assert!(!ran.success());
        ran.stderr
    }

    fn shell(&self, command: &str) -> Finished {
        let mut shell = Command::new("sh");
        Finished::of(shell.current_dir(self.0.folder()).args(["-c", command]))
    }
}

#[test]
fn a_program_of_several_files_with_flags_fails_natively_too() {
    let scene = Scene::new(&[
        (
            "include/list.h",
            "#include <stdbool.h>\nenum Mood { CALM, WILD };\nunion Mark { int number; char text[4]; };\n\
             struct Link { int data[2]; struct Link *next; union Mark mark; };\n\
             struct List { struct Link *first; int size; enum Mood mood; unsigned flag : 3; };\n\
             bool isCounted(const struct List *list, int data);\n",
        ),
        (
            "list.c",
            "#include <list.h>\n#include <stdlib.h>\n\
             static int helper(void) { return STEP; }\n\
             void add(struct List *list, int data) {\n\
                 struct Link *link = calloc(1, sizeof *link);\n\
                 link->data[1] = data;\n    link->next = list->first;\n    list->first = link;\n\
                 if (list->mood == WILD)\n        list->size += helper();\n\
                 else\n        list->size++;\n}\n",
        ),
        (
            "check.c",
            "#include <list.h>\nstatic int helper(void) { return 5; }\n\
             bool repOk(const struct List *list) {\n    int count = 0;\n\
                 for (const struct Link *at = list->first; at; at = at->next)\n\
                     if (++count > helper() || at->mark.number != 3)\n            return false;\n\
                 return count == list->size && list->flag == 5;\n}\n\
             bool isCounted(const struct List *list, int data) {\n\
                 return list->size > 0 && list->first->data[1] == data;\n}\n\
             int main(void) { return 0; }\n",
        ),
    ]);
    let files = "list.c check.c -I include -D STEP=2";
    let build =
        format!("stage build {files} --object List --invariant repOk --max Link=1 -o l.stage");
    let built = scene.everypath(&build);
    assert!(built.success(), "{}", built.stderr);
    let run =
        format!("stage run {files} --method add --post isCounted --input l.stage --output out");
    // The mark of a new link is 0, which is the first thing that breaks.
    assert_eq!(scene.native_failure(&run), "repOk does not hold\n");
}

#[test]
fn a_class_in_a_namespace_with_private_members_fails_natively_too() {
    let scene = Scene::new(&[(
        "book.cpp",
        r#"
namespace bank {
class Book {
    enum class State { Open, Closed };
    struct Account { int balance; Account *next; };
    Account *first = nullptr;
    int count = 0;
    State state = State::Open;

  public:
    bool repOk() const {
        int found = 0;
        for (const Account *at = first; at; at = at->next)
            if (++found > 2 || at->balance < 0)
                return false;
        return found == count && state == State::Closed;
    }
    void withdraw(int amount) {
        if (first && amount > 0)
            first->balance -= amount;
    }
    friend bool isSame(const Book &one, const Book &other);
};
bool isSame(const Book &one, const Book &other) { return one.count == other.count; }
bool isSamePost(const Book &one, const Book &other, bool same) {
    return same || !isSame(one, other) || (one.repOk() & 0);
}
bool isSmaller(Book &one, const Book &other) { return isSame(one, other) ? false : true; }
bool isSmallerPost(Book &one, const Book &other, bool smaller) { return !smaller; }
}
"#,
    )]);
    let build =
        "stage build book.cpp --object Book --invariant Book::repOk --max Account=1 -o b.stage";
    let built = scene.everypath(build);
    assert!(built.success(), "{}", built.stderr);
    let run = "stage run book.cpp --method Book::withdraw --input b.stage --output out";
    assert_eq!(scene.native_failure(run), "repOk does not hold\n");
    let run = "stage run book.cpp --method isSmaller --post isSmallerPost --input b.stage \
               --input b.stage --output pairs";
    assert_eq!(scene.native_failure(run), "isSmallerPost does not hold\n");
}

#[test]
fn a_program_that_includes_everypath_has_unit_tests_that_bring_it_along() {
    let scene = Scene::new(&[(
        "counter.c",
        "#include \"everypath.h\"\nstruct Counter { int count; };\n\
         bool repOk(const struct Counter *counter) { return counter->count >= 0; }\n\
         void up(struct Counter *counter, int by) {\n    ep_assert(by != 7);\n    counter->count += by;\n}\n",
    )]);
    let built =
        scene.everypath("stage build counter.c --object Counter --invariant repOk -o c.stage");
    assert!(built.success(), "{}", built.stderr);
    let said = scene.native_failure("stage run counter.c --method up --input c.stage --output out");
    assert!(
        said.contains("assertion `by != 7' failed") || said == "repOk does not hold\n",
        "{said}"
    );
}

#[test]
fn a_file_of_rust_fails_natively_too() {
    let scene = Scene::new(&[(
        "queue.rs",
        r#"
pub struct Cell {
    value: i16,
    marks: [bool; 2],
    next: Option<Box<Cell>>,
}
pub struct Queue {
    head: Option<Box<Cell>>,
    last: *const Cell,
    length: usize,
    weight: f32,
}
impl Queue {
    pub fn is_sound(&self) -> bool {
        let (mut count, mut at, mut last) = (0, self.head.as_deref(), std::ptr::null());
        while let Some(cell) = at {
            if count > 2 || cell.marks[0] == cell.marks[1] {
                return false;
            }
            (count, last, at) = (count + 1, cell as *const Cell, cell.next.as_deref());
        }
        count == self.length && last == self.last && self.weight == 1.5
    }
    /// Forgets the new cell's marks if the value is large.
    pub fn put_first(&mut self, value: i16, marked: bool) {
        let marks = [marked, !marked & (value < 1000)];
        let next = self.head.take();
        let cell = Box::new(Cell { value, marks, next });
        if self.length == 0 {
            self.last = &*cell;
        }
        self.head = Some(cell);
        self.length += 1;
    }
}
#[unsafe(no_mangle)]
pub fn is_first(queue: &Queue, value: i16, _: bool) -> bool {
    queue.head.as_ref().is_some_and(|cell| cell.value == value)
}
"#,
    )]);
    let object = "--object Queue --invariant Queue::is_sound --max Cell=2 -o q.stage";
    let built = scene.everypath(&format!("stage build queue.rs {object}"));
    assert!(built.success(), "{}", built.stderr);
    let suite = scene.0.read("q.stage");
    assert!(suite.contains(r#""weight":"1.5""#), "{suite}");
    let run =
        "stage run queue.rs --method Queue::put_first --post is_first --input q.stage --output out";
    assert_eq!(scene.native_failure(run), "is_sound does not hold\n");
}

#[test]
fn an_error_that_only_sanitizers_show_comes_with_them() {
    let scene = Scene::new(&[(
        "list.c",
        "#include <stdbool.h>\n#include <stdlib.h>\n\
         struct Link { long data; struct Link *next; };\nstruct List { struct Link *first; };\n\
         bool repOk(const struct List *list) {\n    \
         return !list->first || !list->first->next;\n}\n\
         long drop(struct List *list) {\n    struct Link *link = list->first;\n    \
         list->first = NULL;\n    free(link);\n    return link ? link->data : 0;\n}\n",
    )]);
    let build = "stage build list.c --object List --invariant repOk --max Link=1 -o l.stage";
    scene.everypath(build).succeeds();
    let said = scene.native_failure("stage run list.c --method drop --input l.stage --output out");
    assert!(said.contains("heap-use-after-free"), "{said}");
}

#[test]
fn a_class_with_a_unique_ptr_fails_natively_too() {
    let scene = Scene::new(&[(
        "list.cpp",
        r#"
#include <memory>
struct Link { int data; std::unique_ptr<Link> next; double weight; };
class List {
    std::unique_ptr<Link> first;
    int size = 0;

  public:
    bool repOk() const {
        int count = 0;
        for (const Link *at = first.get(); at; at = at->next.get())
            if (++count > 2 || at->weight != 0.5)
                return false;
        return count == size;
    }
    void pop() {
        if (first)
            first = std::move(first->next);
    }
};
void use(List &list) { list.pop(); }
"#,
    )]);
    let build =
        "stage build list.cpp --object List --invariant List::repOk --max Link=2 -o l.stage";
    scene.everypath(build).succeeds();
    let run = "stage run list.cpp --method List::pop --input l.stage --output out";
    assert_eq!(scene.native_failure(run), "repOk does not hold\n");
}

#[test]
fn a_file_of_rust_with_non_null_pointers_fails_natively_too() {
    let scene = Scene::new(&[(
        "list.rs",
        r#"
use std::ptr::NonNull;
pub struct Link {
    value: f32,
    next: Option<NonNull<Link>>,
}
pub struct List {
    first: Option<NonNull<Link>>,
    length: u8,
}
impl List {
    pub fn is_sound(&self) -> bool {
        let (mut count, mut at) = (0, self.first);
        while let Some(link) = at {
            let link = unsafe { link.as_ref() };
            if count > 2 || link.value != 2.5 {
                return false;
            }
            (count, at) = (count + 1, link.next);
        }
        count == self.length
    }
    pub fn shorten(&mut self) {
        if let Some(link) = self.first {
            self.first = unsafe { link.as_ref() }.next;
        }
    }
}
"#,
    )]);
    let object = "--object List --invariant List::is_sound --max Link=2 -o l.stage";
    scene
        .everypath(&format!("stage build list.rs {object}"))
        .succeeds();
    let run = "stage run list.rs --method List::shorten --input l.stage --output out";
    assert_eq!(scene.native_failure(run), "is_sound does not hold\n");
}

#[test]
fn a_method_that_does_not_end_is_ended_natively_too() {
    let scene = Scene::new(&[(
        "ring.c",
        "#include <stdbool.h>\nstruct Ring { struct Ring *next; };\n\
         bool repOk(const struct Ring *ring) { return ring->next == ring; }\n\
         int length(const struct Ring *ring) {\n    int count = 0;\n    \
         for (const struct Ring *at = ring; at; at = at->next)\n        count++;\n    \
         return count;\n}\n",
    )]);
    let build = "stage build ring.c --object Ring --invariant repOk --max Ring=1 -o r.stage";
    scene.everypath(build).succeeds();
    let run = "stage run ring.c --method length --input r.stage --method-budget 10000 --output out";
    assert_eq!(scene.native_failure(run), "");
}

/// What an `Rc` leads to is of a type that only the library can name, and what is in a module
/// has no name outside of it.
#[test]
fn a_file_of_rust_with_types_without_names_fails_natively_too() {
    let scene = Scene::new(&[(
        "shelf.rs",
        r#"
use std::rc::Rc;
mod inner {
    pub struct Leaf {
        pub value: i32,
        pub more: Option<Box<Leaf>>,
    }
    pub fn first(value: i32) -> Leaf {
        Leaf { value, more: None }
    }
}
pub struct Shelf<T> {
    book: Rc<i32>,
    leaf: Box<inner::Leaf>,
    size: T,
}
impl Shelf<i32> {
    pub fn is_sound(&self) -> bool {
        let more = self.leaf.more.as_ref().map_or(1, |leaf| leaf.value);
        *self.book == 7 && self.leaf.value == self.size && more == 1
    }
    pub fn grow(&mut self) {
        self.size = self.size.wrapping_add(*self.book);
        if self.size == 3 {
            *self.leaf = inner::first(3);
        }
    }
}
"#,
    )]);
    let object = "--object Shelf<i32> --invariant is_sound --max Leaf=2 -o s.stage";
    scene
        .everypath(&format!("stage build shelf.rs {object}"))
        .succeeds();
    let run = "stage run shelf.rs --method grow --input s.stage --output out";
    assert_eq!(scene.native_failure(run), "is_sound does not hold\n");
}
