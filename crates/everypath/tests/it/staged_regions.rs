//! Memory that is more than pointers to structures: embedded list heads, arrays, pointers
//! to pointers, strings and values that are only passed on.

use serde_json::Value as Json;
use std::process::Command;
use testkit::{Finished, Scratch};

pub(crate) struct Scene(pub(crate) Scratch);

impl Scene {
    pub(crate) fn new(name: &str, text: &str) -> Scene {
        Scene(Scratch::with(&[(name, text)]))
    }

    pub(crate) fn everypath(&self, command: &str) -> Finished {
        self.0.everypath(command)
    }

    /// How many valid objects a suite has, all of which there are.
    #[track_caller]
    pub(crate) fn build(&self, command: &str) -> u64 {
        let output = self.everypath(&format!("stage build {command} -o x.stage --json"));
        let json: Json = output.json();
        assert_eq!(json["complete"], true, "{json}\n{}", output.stderr);
        json["stage"]["valid"].as_u64().expect("it is a number")
    }

    /// What the unit test of a method's first error says natively, where it has to fail.
    #[track_caller]
    pub(crate) fn native_failure(&self, command: &str) -> String {
        let said = self.everypath(&format!("stage run {command} --input x.stage"));
        let mut lines = said.stdout.lines();
        let test = lines.find_map(|line| line.trim().strip_prefix("unit test: "));
        let test = test.unwrap_or_else(|| panic!("there is no unit test in {}", said.stdout));
        let mut shell = Command::new("sh");
        let shell = shell.current_dir(self.0.folder());
        let ran = Finished::of(shell.args(["-c", test]));
        assert_ne!(ran.status, Some(0), "{test}");
        ran.stderr
    }

    /// Whether a method keeps what it has to, on valid objects only.
    #[track_caller]
    pub(crate) fn method_holds(&self, command: &str) -> bool {
        let run = format!("stage run {command} --input x.stage --json");
        let output = self.everypath(&run);
        let json: Json = output.json();
        let stage = &json["stage"];
        assert_eq!(stage["valid"], stage["explored"], "{json}");
        output.success()
    }
}

#[test]
fn heads_inside_of_objects_link_objects_around_them() {
    let scene = Scene::new(
        "bag.c",
        r#"#include <stdbool.h>
#include <stddef.h>
struct list_head { struct list_head *next, *prev; };
struct item { int value; struct list_head link; };
struct bag { int count; struct list_head items; };
#define ITEM(at) ((struct item *)((char *)(at) - offsetof(struct item, link)))
bool repOk(const struct bag *bag) {
    int count = 0;
    const struct list_head *prev = &bag->items;
    for (const struct list_head *at = prev->next; at != &bag->items; at = at->next) {
        if (at == NULL || at->prev != prev || ++count > 3)
            return false;
        const struct item *item = ITEM(at);
        if (item->value < 0)
            return false;
        prev = at;
    }
    return bag->items.prev == prev && bag->count == count;
}
void dropFirst(struct bag *bag) {
    struct list_head *first = bag->items.next;
    if (first == &bag->items)
        return;
    bag->items.next = first->next;
#ifndef FORGETS
    first->next->prev = &bag->items;
#endif
    bag->count--;
}
"#,
    );
    let object = "bag.c --object bag --invariant repOk --max item=3";
    assert_eq!(scene.build(object), 4);
    let suite = scene.0.read("x.stage");
    assert!(suite.contains(r#""items.next":"@0+8""#), "{suite}");
    assert!(suite.contains(r#""items.next":"@1+8""#), "{suite}");
    assert!(scene.method_holds("bag.c --method dropFirst --output good"));
    assert!(!scene.method_holds("bag.c -D FORGETS --method dropFirst --output bad"));
}

#[test]
fn tail_queues_point_to_the_pointers_that_lead_to_them() {
    let scene = Scene::new(
        "jobs.c",
        r#"#include <stdbool.h>
#include <stddef.h>
struct job { int id; struct { struct job *next; struct job **prev; } link; };
struct jobs { struct job *first; struct job **last; };
bool repOk(const struct jobs *jobs) {
    struct job *const *at = &jobs->first;
    for (int count = 0; *at != NULL; at = &(*at)->link.next)
        if ((*at)->link.prev != at || ++count > 3)
            return false;
    return jobs->last == at;
}
void drop(struct jobs *jobs) {
    struct job *job = jobs->first;
    if (job == NULL)
        return;
    if (job->link.next != NULL)
        job->link.next->link.prev = job->link.prev;
#ifndef FORGETS
    else
        jobs->last = job->link.prev;
#endif
    *job->link.prev = job->link.next;
}
"#,
    );
    assert_eq!(
        scene.build("jobs.c --object jobs --invariant repOk --max job=3"),
        4
    );
    assert!(scene.method_holds("jobs.c --method drop --output good"));
    assert!(!scene.method_holds("jobs.c -D FORGETS --method drop --output bad"));
}

#[test]
fn an_array_is_as_long_as_the_field_beside_it_says() {
    let scene = Scene::new(
        "table.c",
        r#"#include <stdbool.h>
struct slot { unsigned key; bool used; };
struct table { struct slot *slots; unsigned cap, count; };
bool repOk(const struct table *table) {
    unsigned used = 0;
    for (unsigned i = 0; i < table->cap; i++)
        used += table->slots[i].used;
    return used == table->count;
}
bool insert(struct table *table, unsigned key) {
    if (table->count == table->cap)
        return false;
    unsigned at = key % table->cap;
    while (table->slots[at].used)
#ifdef RUNS
        at++;
#else
        at = (at + 1) % table->cap;
#endif
    table->slots[at].key = key;
    table->slots[at].used = true;
    table->count++;
    return true;
}
"#,
    );
    let object = "table.c --object table --invariant repOk --length table.slots=cap";
    let refused = scene.everypath(&format!("stage build {object} -o x.stage"));
    assert_eq!(refused.status, Some(2));
    assert_eq!(
        refused.stderr,
        "error: how long `table.slots` may be is not bounded; add --max 'slot[]=4'\n"
    );
    // One object for each length.
    assert_eq!(scene.build(&format!("{object} --max slot[]=2")), 3);
    assert!(scene.method_holds("table.c --method insert --output good"));
    assert!(!scene.method_holds("table.c -D RUNS --method insert --output bad"));
}

#[test]
fn buckets_are_an_array_of_pointers_that_any_index_may_reach() {
    let scene = Scene::new(
        "map.c",
        r#"#include <stdbool.h>
#include <stdlib.h>
struct entry { unsigned key; struct entry *next; };
struct map { struct entry **buckets; unsigned count; };
bool repOk(const struct map *map) {
    const struct entry *seen[4];
    int total = 0;
    if (map->count == 0)
        return false;
    for (unsigned i = 0; i < map->count; i++)
        for (const struct entry *at = map->buckets[i]; at; at = at->next) {
            for (int k = 0; k < total; k++)
                if (seen[k] == at)
                    return false;
            seen[total++] = at;
            if (at->key % map->count != i)
                return false;
        }
    return true;
}
void put(struct map *map, unsigned key) {
    struct entry *entry = malloc(sizeof *entry);
    entry->key = key;
#ifdef WRONG
    struct entry **bucket = &map->buckets[0];
#else
    struct entry **bucket = &map->buckets[key % map->count];
#endif
    entry->next = *bucket;
    *bucket = entry;
}
"#,
    );
    let object = "map.c --object map --invariant repOk --length map.buckets=count \
                  --max entry*[]=2 --max entry=2";
    // Up to two entries in one chain, or spread over two.
    assert_eq!(scene.build(object), 3 + 6);
    assert!(scene.method_holds("map.c --method put --output good"));
    assert!(!scene.method_holds("map.c -D WRONG --method put --output bad"));
}

#[test]
fn strings_end_and_untyped_pointers_are_passed_on_or_get_a_type() {
    let scene = Scene::new(
        "names.c",
        r#"#include <stdbool.h>
#include <stddef.h>
#include <string.h>
struct names { char *name; void *value; };
bool repOk(const struct names *names) { return names->name != NULL && strlen(names->name) > 0; }
char last(const struct names *names) { return names->name[strlen(names->name) - 1]; }
bool lastPost(const struct names *names, char last) { return last != 0; }
void *value(const struct names *names) { return names->value; }
bool valuePost(const struct names *names, const void *value) { return names->value == value; }
int number(const struct names *names) { return names->value ? *(int *)names->value : 0; }
"#,
    );
    let object = "names.c --object names --invariant repOk";
    let refused = scene.everypath(&format!("stage build {object} -o x.stage"));
    assert_eq!(
        refused.stderr,
        "error: how long `names.name` may be is not bounded; add --max 'char[]=4'\n"
    );
    // Names of one character, two and three.
    assert_eq!(scene.build(&format!("{object} --max char[]=3")), 3);
    let last = "names.c --method last --post lastPost --trust-method --output last";
    assert!(scene.method_holds(last));
    let value = "names.c --method value --post valuePost --output value";
    assert!(scene.method_holds(value));
    let typed = format!("{object} --max char[]=1 --type names.value=int*");
    assert_eq!(scene.build(&typed), 1);
    assert!(scene.method_holds("names.c --method number --output number"));
}

#[test]
fn pointers_to_functions_lead_to_those_of_their_type() {
    let scene = Scene::new(
        "order.c",
        r#"#include <stdbool.h>
#include <stddef.h>
struct order { bool (*before)(int, int); int low, high; };
bool ascending(int one, int other) { return one < other; }
bool descending(int one, int other) { return one > other; }
int twice(int number) { return (int)(2u * (unsigned)number); }
bool repOk(const struct order *order) {
    return order->before != NULL && order->before(order->low, order->high);
}
void turn(struct order *order) {
    int low = order->low;
    order->low = order->high;
    order->high = low;
#ifndef FORGETS
    order->before = order->before == ascending ? descending : ascending;
#endif
}
int visit(const struct order *order, int (*callback)(int)) { return callback(order->low); }
"#,
    );
    assert_eq!(scene.build("order.c --object order --invariant repOk"), 2);
    let suite = scene.0.read("x.stage");
    assert!(suite.contains(r#""before":"&ascending""#), "{suite}");
    assert!(suite.contains(r#""before":"&descending""#), "{suite}");
    assert!(scene.method_holds("order.c --method turn --output good"));
    assert!(scene.method_holds("order.c --method visit --output visit"));
    let failed = scene.native_failure("order.c -D FORGETS --method turn --output bad");
    assert!(failed.starts_with("repOk does not hold\n"), "{failed}");
}

#[test]
fn tables_of_allocators_hold_functions_of_the_library_and_results_go_where_pointers_lead() {
    // As Collections-C has it: the structure is known by a typedef, its memory comes from
    // functions it is given, and methods return what they find through a `void **`.
    let scene = Scene::new(
        "stack.c",
        r#"#include <stdbool.h>
#include <stdlib.h>
typedef struct stack_s Stack;
typedef struct frame_s { void *value; struct frame_s *below; } Frame;
struct stack_s { Frame *top; void *(*allocate)(size_t); void (*release)(void *); };
void create(Stack **out) {
    Stack *stack = malloc(sizeof *stack);
    if (stack)
        *stack = (Stack){NULL, malloc, free};
    *out = stack;
}
bool repOk(const Stack *stack) {
    int count = 0;
    for (const Frame *at = stack->top; at; at = at->below)
        if (++count > 2)
            return false;
    return stack->allocate && stack->release;
}
bool push(Stack *stack, void *value) {
    Frame *frame = stack->allocate(sizeof *frame);
    if (!frame)
        return false;
    *frame = (Frame){value, stack->top};
    stack->top = frame;
    return true;
}
bool pop(Stack *stack, void **out) {
    Frame *top = stack->top;
    if (!top)
        return false;
#ifndef FORGETS
    *out = top->value;
#endif
    stack->top = top->below;
    stack->release(top);
    return true;
}
void destroy(Stack *stack) {
    while (stack->top) {
        void *value;
        pop(stack, &value);
    }
    stack->release(stack);
}
bool pop_post(Stack *stack, void **out, bool popped) {
    (void)stack;
    return !popped || *out == LAST;
}
"#,
    );
    let object = "stack.c -D LAST=*out --object Stack --invariant repOk --max Frame=2";
    assert_eq!(scene.build(object), 3);
    let suite = scene.0.read("x.stage");
    assert!(suite.contains(r#""allocate":"&malloc""#), "{suite}");
    assert!(suite.contains(r#""release":"&free""#), "{suite}");
    // What is in a list of three was not looked at: two are what the invariant allows.
    let test = format!("stage test {object} --method pop,destroy");
    let good = scene.everypath(&format!("{test} --frees pop,destroy --output good"));
    assert_eq!(good.status, Some(0), "{}{}", good.stdout, good.stderr);
    let bad = scene.everypath(&format!("{test} --output unsaid"));
    assert_eq!(bad.status, Some(1));
    let said = "`destroy` frees the stack_s that it is given";
    assert!(bad.stdout.contains(said), "{}", bad.stdout);
    let found = "stack.c -D FORGETS -D LAST=NULL --method pop --post pop_post --output bad";
    assert!(!scene.method_holds(found));
}

#[test]
fn what_cannot_be_made_is_refused_by_name_before_the_run() {
    for (member, said) in [
        (
            "int data[];",
            "how long `Packet.data` may be is not bounded; add --max 'int[]=4'",
        ),
        (
            "int (*rows)[4];",
            "what `Packet.rows` points to is not made",
        ),
    ] {
        let text = format!(
            "#include <stdbool.h>\nstruct Packet {{ int count; {member} }};\n\
             bool repOk(const struct Packet *packet) {{ return packet->count > 0; }}\n"
        );
        let scene = Scene::new("packet.c", &text);
        let build = "stage build packet.c --object Packet --invariant repOk -o x.stage";
        let refused = scene.everypath(build);
        assert_eq!(refused.status, Some(2));
        assert_eq!(refused.stderr, format!("error: {said}\n"));
    }
}

#[test]
fn memory_behind_a_structure_is_as_long_as_it_was_said() {
    let scene = Scene::new(
        "entries.c",
        r#"#include <stdbool.h>
#include <stddef.h>
#include <string.h>
/* The name lies behind the entry. */
struct Entry { unsigned length; struct Entry *next; };
struct Names { struct Entry *first; };
static const char *name(const struct Entry *entry) { return (const char *)(entry + 1); }
bool repOk(const struct Names *names) {
    int count = 0;
    for (const struct Entry *at = names->first; at; at = at->next) {
        if (++count > 2)
            return false;
        unsigned length = 0;
        while (length < 4 && name(at)[length])
            length++;
        if (length == 4 || at->length != length)
            return false;
    }
    return true;
}
bool has(const struct Names *names, const char *wanted) {
    for (const struct Entry *at = names->first; at; at = at->next)
        if (strcmp(name(at), wanted) == 0)
            return true;
    return false;
}
char last(const struct Names *names) {
    const struct Entry *at = names->first;
#ifdef OVER
    return at ? name(at)[4] : 0;
#else
    return at ? name(at)[3] : 0;
#endif
}
"#,
    );
    let object = "entries.c --object Names --invariant repOk --max Entry=2";
    // None, one of four lengths, or two of them.
    let count = scene.build(&format!("{object} --behind Entry=char[4]"));
    assert_eq!(count, 1 + 4 + 16);
    let suite = scene.0.read("x.stage");
    assert!(suite.contains("behind Entry=char[4]"), "{suite}");
    assert!(scene.method_holds("entries.c --method has --output has"));
    assert!(scene.method_holds("entries.c --method last --output last"));
    let failed = scene.native_failure("entries.c -D OVER --method last --output over");
    assert!(failed.contains("heap-buffer-overflow"), "{failed}");
    for (bound, message) in [
        (
            "Entry=4",
            "--behind: `Entry=4` is no bound; write it as 'Type=char[8]'",
        ),
        (
            "Other=char[4]",
            "a bound is for `Other`, and the object has no such part",
        ),
    ] {
        let refused = scene.everypath(&format!("stage build {object} --behind {bound} -o y"));
        assert_eq!(refused.status, Some(2));
        assert!(refused.stderr.contains(message), "{}", refused.stderr);
    }
}

#[test]
fn pointers_in_arrays_lead_to_what_their_member_was_named_for() {
    let program = "#include <stdbool.h>
#include <stddef.h>
struct bag { unsigned count; void *fixed[2]; void *items[]; };
bool repOk(const struct bag *bag) {
    if (bag->count > 2 || bag->fixed[1] != NULL || bag->fixed[0] == NULL || *(int *)bag->fixed[0] != 7)
        return false;
    for (unsigned i = 0; i < bag->count; i++)
        if (bag->items[i] == NULL || *(int *)bag->items[i] < (int)i)
            return false;
    return true;
}
int sum(const struct bag *bag) {
    int sum = *(int *)bag->fixed[0];
    for (unsigned i = 0; i < bag->count; i++)
        sum ^= *(int *)bag->items[i];
    return sum;
}
";
    let scene = Scratch::with(&[("bag.c", program)]);
    let bounds =
        "--max bag.items[]=2 --length bag.items=count --type bag.items=int* --type bag.fixed=int*";
    let test = format!("stage test bag.c --object bag --invariant repOk {bounds} --output out");
    let output = scene.everypath(&test);
    assert!(output.success(), "{}{}", output.stdout, output.stderr);
    assert!(
        output.stderr.contains("built, 3 objects of bag"),
        "{}",
        output.stderr
    );
}

#[test]
fn links_in_an_array_of_no_length_lead_into_the_node_around_them() {
    let program = "#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
struct link { struct link *prev, *next; };
struct list { int count; struct link head; };
struct node { int key; struct link links[0]; };
#define NODE(at) ((struct node *)((char *)(at) - offsetof(struct node, links)))
bool repOk(const struct list *list) {
    int count = 0, last = 0;
    const struct link *at = &list->head;
    const struct node *node;
    do {
        if (at->next == NULL || at->next->prev != at)
            return false;
        at = at->next;
        if (at != &list->head) {
            node = NODE(at);
            if (count++ > 0 && node->key < last)
                return false;
            last = node->key;
        }
    } while (at != &list->head);
    return count == list->count;
}
void drop(struct list *list) {
    struct link *first = list->head.next;
    if (first == &list->head)
        return;
#ifndef LEAVES_BACK
    first->next->prev = first->prev;
#endif
    list->head.next = first->next;
    list->count--;
    free(NODE(first));
}
";
    let scene = Scratch::with(&[("list.c", program)]);
    let test = "stage test list.c --object list --invariant repOk --max node=2 --max node.links[]=1 --leaks";
    let output = scene.everypath(&format!("{test} --output out"));
    assert!(output.success(), "{}{}", output.stdout, output.stderr);
    assert!(
        output.stderr.contains("built, 3 objects of list"),
        "{}",
        output.stderr
    );
    let mutant = scene.everypath(&format!("{test} -D LEAVES_BACK --output bad"));
    assert!(!mutant.success(), "{}{}", mutant.stdout, mutant.stderr);
}
