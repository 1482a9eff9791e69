//! Members whose elements a standard library of C++ keeps elsewhere: lists, sets, maps and shared
//! pointers. Counts are those of the containers' own definitions.

use crate::staged_regions::Scene;
use serde_json::Value as Json;
use std::process::Command;
use testkit::Finished;

/// Paths and errors of each method that `stage test` has run.
#[track_caller]
pub(crate) fn tested(scene: &Scene, command: &str) -> Vec<(String, u64, u64)> {
    let output = scene.everypath(&format!("stage test {command} --json"));
    let table: Json = output.json();
    let rows = table["functions"].as_array().expect("there is a row each");
    let row = |row: &Json| {
        let report = &row["report"];
        assert_eq!(report["outcome"], "complete", "{row}\n{}", output.stderr);
        let number = |name: &str| report["paths"][name].as_u64().expect("it is a number");
        let name = row["function"].as_str().expect("it has a name").to_owned();
        let errors = number("errors");
        (name, number("completed") + errors, errors)
    };
    rows.iter().map(row).collect()
}

/// How many of a file's tests fail natively.
#[track_caller]
pub(crate) fn failing(scene: &Scene, file: &str) -> usize {
    let mut compiler = Command::new("c++");
    let compiler = compiler.current_dir(scene.0.folder());
    let flags = ["-g", "-fno-access-control", "-D_GLIBCXX_ASSERTIONS", file];
    Finished::of(compiler.args(flags)).succeeds();
    let mut tests = Command::new(scene.0.path("a.out"));
    let said = Finished::of(&mut tests).stdout;
    let failed = said.lines().filter(|line| line.starts_with("FAILED "));
    failed.count()
}

const BOOK: &str = r#"
#include <list>
#include <set>
class Book {
    std::list<int> pages;
    std::set<int> marks;
    unsigned count;
  public:
    bool repOk() const {
        if (pages.size() != count)
            return false;
        for (int page : pages)
            if (page < 0)
                return false;
        return true;
    }
    void add(int page) {
#ifndef UNCHECKED
        if (page < 0)
            return;
#endif
        pages.push_back(page);
        count++;
    }
    bool pop() {
        if (pages.empty())
            return false;
        pages.pop_front();
#ifndef UNCOUNTED
        count--;
#endif
        return true;
    }
    bool mark(int page) { return marks.insert(page).second; }
    int marked() const { return marks.size(); }
};
int all(Book &book) {
    book.add(1);
    return book.pop() + book.mark(2) + book.marked() + book.repOk();
}
"#;

#[test]
fn lists_and_sets_have_any_elements_that_they_can() {
    let scene = Scene::new("book.cpp", BOOK);
    let object = "book.cpp --object Book --invariant Book::repOk --max Book.pages[]=3 \
                  --max Book.marks[]=2 --method Book::add,Book::pop,Book::mark,Book::marked";
    // A list of each length, and nobody looks at the marks.
    let rows = tested(&scene, &format!("{object} --suite x.stage -o good"));
    let expected = [
        // The page is refused or not.
        ("Book::add", 8, 0),
        ("Book::pop", 4, 0),
        // A new mark is in one of the gaps or equal to one that is there: 1, 3 and 5 ways.
        ("Book::mark", 36, 0),
        ("Book::marked", 4, 0),
    ];
    let expected = expected.map(|(name, paths, errors)| (name.to_owned(), paths, errors));
    assert_eq!(rows, expected);
    assert_eq!(failing(&scene, "good/Book_tests.cpp"), 0);
    for mutant in ["UNCHECKED", "UNCOUNTED"] {
        let rows = tested(
            &scene,
            &format!("{object} -D {mutant} --suite x.stage -o {mutant}"),
        );
        let errors: u64 = rows.iter().map(|(_, _, errors)| errors).sum();
        assert!(errors > 0, "{mutant}");
        let failed = failing(&scene, &format!("{mutant}/Book_tests.cpp"));
        assert_eq!(failed as u64, errors, "{mutant}");
    }
}

const PHONES: &str = r#"
#include <iterator>
#include <map>
#include <set>
#include <string>
struct Phones {
    std::map<std::string, int> numbers;
    std::multiset<short, std::greater<short>> calls;
};
bool repOk(const Phones &phones) {
    for (const auto &entry : phones.numbers)
        if (entry.second <= 0 || entry.first.empty())
            return false;
    return true;
}
bool inOrder(const Phones &phones) {
    for (auto at = phones.numbers.begin(); at != phones.numbers.end(); ++at)
        if (std::next(at) != phones.numbers.end() && !(at->first < std::next(at)->first))
            return false;
    for (auto at = phones.calls.begin(); at != phones.calls.end(); ++at)
        if (std::next(at) != phones.calls.end() && *at < *std::next(at))
            return false;
    return true;
}
bool notInOrder(const Phones &phones) { return !inOrder(phones); }
int least(const Phones &phones) {
    return phones.numbers.empty() ? 0 : phones.numbers.begin()->second;
}
void forget(Phones &phones) {
#ifdef ZERO
    for (auto &entry : phones.numbers)
        entry.second = 0;
#else
    phones.numbers.clear();
#endif
}
void call(Phones &phones, short number) { phones.calls.insert(number); }
"#;

#[test]
fn maps_are_ordered_by_short_texts_and_numbers() {
    let scene = Scene::new("phones.cpp", PHONES);
    let bounds = "--max Phones.numbers[]=2 --max Phones.calls[]=2 --max char[]=2";
    // No object is out of order, and every one is in order.
    let not_in_order = scene.everypath(&format!(
        "stage build phones.cpp --object Phones --invariant notInOrder {bounds} -o none.stage"
    ));
    assert!(
        not_in_order.stderr.contains("there is no valid object"),
        "{}",
        not_in_order.stderr
    );
    let object = format!("phones.cpp --object Phones --invariant repOk {bounds}");
    assert_eq!(scene.build(&object), 3);
    assert!(scene.method_holds("phones.cpp --method least --output least"));
    assert!(scene.method_holds("phones.cpp --method call --output call"));
    assert!(scene.method_holds("phones.cpp --method forget --output forget"));
    let failed = scene.native_failure("phones.cpp -D ZERO --method forget --output bad");
    assert!(failed.contains("repOk does not hold"), "{failed}");
    scene.0.write(
        "new.cpp",
        PHONES.replace("begin()->second", "rbegin()->second"),
    );
    let differ = scene.everypath(&format!(
        "stage diff phones.cpp new.cpp --object Phones --invariant repOk {bounds} --method least -o diff"
    ));
    assert_eq!(differ.status, Some(1), "{}", differ.stderr);
    assert!(
        differ.stdout.contains("least differs for"),
        "{}",
        differ.stdout
    );
}

const TABLE: &str = r#"
#include <forward_list>
#include <unordered_map>
struct Table {
    std::unordered_map<int, int> values;
    std::forward_list<int> order;
};
bool repOk(const Table &table) {
    for (const auto &value : table.values)
        if (value.second != 2 * value.first)
            return false;
    return true;
}
int sum(const Table &table) {
    int sum = 0;
    for (int value : table.order)
        sum += value;
    return sum;
}
bool has(const Table &table, int key) { return table.values.count(key) > 0; }
void put(Table &table, int key) {
#ifdef WRONG
    table.values[key] = key;
#else
    table.values[key] = 2 * key;
#endif
}
"#;

#[test]
fn hash_tables_have_distinct_keys() {
    let scene = Scene::new("table.cpp", TABLE);
    let bounds = "--max Table.values[]=2 --max Table.order[]=2";
    let object = format!("table.cpp --object Table --invariant repOk {bounds}");
    assert_eq!(scene.build(&object), 3);
    assert!(scene.method_holds("table.cpp --method sum --output sum"));
    assert!(scene.method_holds("table.cpp --method has --output has"));
    assert!(scene.method_holds("table.cpp --method put --output put"));
    let failed = scene.native_failure("table.cpp -D WRONG --method put --output bad");
    assert!(failed.contains("repOk does not hold"), "{failed}");
}

const SHARED: &str = r#"
#include <memory>
struct Node {
    int value;
    std::shared_ptr<Node> next;
    std::weak_ptr<Node> back;
};
struct List {
    std::shared_ptr<Node> head;
    int size;
};
bool repOk(const List &list) {
    int count = 0;
    const Node *before = nullptr;
    for (const Node *at = list.head.get(); at; at = at->next.get()) {
        if (++count > 4)
            return false;
        if (at->back.lock().get() != before)
            return false;
        before = at;
    }
    return count == list.size;
}
void push(List &list, int value) {
    auto node = std::make_shared<Node>();
    node->value = value;
    node->next = list.head;
#ifndef FORGETS
    if (list.head)
        list.head->back = node;
#endif
    list.head = node;
    list.size++;
}
bool pop(List &list) {
    if (!list.head)
        return false;
    list.head = list.head->next;
    list.size--;
    if (list.head)
        list.head->back.reset();
    return true;
}
"#;

#[test]
fn shared_pointers_share_what_they_lead_to() {
    let scene = Scene::new("shared.cpp", SHARED);
    let object = "shared.cpp --object List --invariant repOk --max Node=3";
    // Lists of none to three nodes, the first of which knows nobody; and of one or two where it
    // knows somebody who is gone.
    assert_eq!(scene.build(object), 6);
    assert!(scene.method_holds("shared.cpp --method push --output push"));
    assert!(scene.method_holds("shared.cpp --method pop --output pop"));
    let failed = scene.native_failure("shared.cpp -D FORGETS --method push --output bad");
    assert!(failed.contains("repOk does not hold"), "{failed}");
}

const TAGS: &str = r#"
#include <map>
#include <set>
#include <string>
#include <unordered_set>
struct Tags {
    std::multimap<int, int> marks;
    std::unordered_set<long> seen;
    std::set<std::string, std::greater<std::string>> names;
};
bool repOk(const Tags &tags) {
    int last = 0;
    for (const auto &mark : tags.marks) {
        if (mark.first < last)
            return false;
        last = mark.first;
    }
    return true;
}
bool inOrder(const Tags &tags) {
    const std::string *before = nullptr;
    for (const std::string &name : tags.names) {
        if (before && !(*before > name))
            return false;
        before = &name;
    }
    const int *last = nullptr;
    for (const auto &mark : tags.marks) {
        if (last && mark.first < *last)
            return false;
        last = &mark.first;
    }
    for (long one : tags.seen)
        if (tags.seen.count(one) != 1)
            return false;
    return true;
}
bool notInOrder(const Tags &tags) { return !inOrder(tags); }
void mark(Tags &tags, int place) {
#ifndef NEGATIVE
    if (place < 0)
        return;
#endif
    tags.marks.emplace(place, 1);
}
bool see(Tags &tags, long it) { return tags.seen.insert(it).second; }
int twice(const Tags &tags) {
    int twice = 0;
    for (const auto &mark : tags.marks)
        twice += tags.marks.count(mark.first) == 2;
    return twice;
}
std::string greatest(const Tags &tags) { return tags.names.empty() ? "" : *tags.names.begin(); }
"#;

#[test]
fn keys_may_be_there_twice_or_descend_where_the_container_says_so() {
    let scene = Scene::new("tags.cpp", TAGS);
    let bounds = "--max Tags.marks[]=2 --max Tags.seen[]=2 --max Tags.names[]=2 --max char[]=1";
    let none = scene.everypath(&format!(
        "stage build tags.cpp --object Tags --invariant notInOrder {bounds} -o none.stage"
    ));
    assert!(
        none.stderr.contains("there is no valid object"),
        "{}",
        none.stderr
    );
    let object = format!(
        "tags.cpp --object Tags --invariant repOk {bounds} --suite x.stage \
         --method mark,twice,greatest"
    );
    let rows = tested(&scene, &format!("{object} -o good"));
    let expected = [
        // A place that is negative is refused; another goes before, between or behind up to two.
        ("mark", 9, 0),
        // No mark, one, two at different places or at one.
        ("twice", 4, 0),
        // Each number of names with each number of marks.
        ("greatest", 9, 0),
    ];
    let expected = expected.map(|(name, paths, errors)| (name.to_owned(), paths, errors));
    assert_eq!(rows, expected);
    assert_eq!(failing(&scene, "good/Tags_tests.cpp"), 0);
    let rows = tested(&scene, &format!("{object} -D NEGATIVE -o bad"));
    assert!(rows[0].2 > 0, "{rows:?}");
    assert_eq!(failing(&scene, "bad/Tags_tests.cpp") as u64, rows[0].2);
}

#[test]
fn what_a_library_orders_in_its_own_way_is_refused_by_name() {
    let scene = Scene::new(
        "own.cpp",
        "#include <deque>\n#include <list>\n#include <map>\n#include <memory>\n\
         struct Shape { int id; };\nstruct Square : Shape { int side; };\n\
         struct Scene { std::shared_ptr<Shape> shape; };\n\
         bool sceneOk(const Scene &scene) { return scene.shape != nullptr; }\n\
         void draw(Scene &scene) { scene.shape = std::make_shared<Square>(); }\n\
         void clear(Scene &scene) { scene.shape = std::make_shared<Shape>(); }\n\
         struct Point { int x, y; bool operator<(const Point &o) const { return x < o.x; } };\n\
         struct Plan { std::map<Point, int> places; };\n\
         bool planOk(const Plan &plan) { return plan.places.size() < 3; }\n\
         struct Line { std::deque<int> waiting; };\n\
         bool lineOk(const Line &line) { return line.waiting.size() < 3; }\n\
         struct Cursor { std::list<int> all; std::list<int>::iterator at; };\n\
         bool cursorOk(const Cursor &cursor) { return cursor.at != cursor.all.end(); }\n\
         void start(Cursor &cursor) { cursor.all.push_back(1); cursor.at = cursor.all.begin(); }\n",
    );
    for (object, member) in [
        (
            "Plan --invariant planOk",
            "`Plan.places` is a map<Point, int",
        ),
        ("Line --invariant lineOk", "`Line.waiting` is a deque<int"),
        (
            "Scene --invariant sceneOk",
            "`Scene.shape` is a shared_ptr<Shape>",
        ),
        (
            "Cursor --invariant cursorOk",
            "`Cursor.at` is a __list_iterator<int",
        ),
    ] {
        let refused = scene.everypath(&format!(
            "stage build own.cpp --object {object} --max int[]=2 -o x.stage"
        ));
        assert_eq!(refused.status, Some(2), "{}", refused.stdout);
        assert!(refused.stderr.contains(member), "{}", refused.stderr);
        assert!(
            refused.stderr.contains("of which no objects are made"),
            "{}",
            refused.stderr
        );
    }
}
