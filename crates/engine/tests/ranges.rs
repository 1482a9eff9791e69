//! Ranges are disjoint and complete: a program explored whole, and explored in random
//! ranges, in random order, given away and taken up again at random moments, has the same
//! paths.
//!
//! Each program hashes the way it goes and exits with that number, so that the ends of two
//! explorations are equal only if their paths are.

use base::Random;
use engine::policy::staged::{
    StagedArgument, Staging, has_valid_objects, object_graph, object_graphs,
};
use engine::{Observer, OpenRanges, Outcome, PathEnd, Plan, Progress, Range, Ready, Start, Steps};
use explore::Strategy;
use machine::{End, Options};
use mixed::Mixed;
use program::{LoadOptions, Program};
use solver::Solver;
use staged::{Bounds, Field, Solution};
use std::fmt::Write;
use std::rc::Rc;

/// How deep statements are nested.
const DEPTH: u32 = 3;

/// A random program over a few symbolic bytes.
struct Writer {
    random: Random,
    text: String,
    blocks: u32,
}

impl Writer {
    fn program(seed: u64) -> String {
        let mut writer = Writer {
            random: Random::new(seed),
            text: String::new(),
            blocks: 0,
        };
        writer.text += "
typedef unsigned long size_t;
void ep_symbolic(void *object, size_t size, const char *name);
void ep_assume(_Bool condition);
void *malloc(size_t);
void exit(int);
static unsigned h = 17;
static void at(unsigned block) { h = h * 16777619u ^ block; }
static int one(int x) { at(1001); return x & 1 ? x * 3 : x + 1; }
static int two(int x) { at(1002); return x > 40 ? x - 40 : x ^ 5; }
static int (*const calls[2])(int) = {one, two};
static const unsigned char table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
int main(void) {
    unsigned char v[4];
    ep_symbolic(v, sizeof v, (char[]){'v', 0});
    int a = v[0], b = v[1], c = v[2], d = v[3];
";
        for _ in 0..3 {
            writer.statement(DEPTH);
        }
        writer.text += "    exit((int)h);\n}\n";
        writer.text
    }

    fn variable(&mut self) -> char {
        ['a', 'b', 'c', 'd'][self.random.below(4)]
    }

    fn condition(&mut self) -> String {
        let (x, y) = (self.variable(), self.variable());
        let n = self.random.below(200);
        match self.random.below(6) {
            0 => format!("{x} > {n}"),
            1 => format!("{x} + {y} == {n}"),
            2 => format!("({x} ^ {y}) < {n}"),
            3 => format!("table[{x} & 7] > {}", n % 8),
            4 => format!("{x} * {y} % 7 == {}", n % 7),
            _ => format!("{x} < {y}"),
        }
    }

    fn block(&mut self) {
        self.blocks += 1;
        let _ = writeln!(self.text, "at({});", self.blocks);
    }

    fn statement(&mut self, depth: u32) {
        let (x, y) = (self.variable(), self.variable());
        let kind = match depth {
            0 => 4 + self.random.below(5),
            _ => self.random.below(9),
        };
        match kind {
            0 | 1 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.block();
                self.statement(depth - 1);
                self.text += "} else {\n";
                self.block();
                self.statement(depth - 1);
                self.text += "}\n";
            }
            2 => {
                let _ = writeln!(self.text, "switch ({x} % 5) {{");
                for case in 0..3 {
                    let _ = writeln!(self.text, "case {case}:");
                    self.block();
                    self.statement(depth - 1);
                    self.text += "break;\n";
                }
                self.text += "default:\n";
                self.block();
                self.text += "}\n";
            }
            3 => {
                let _ = writeln!(self.text, "for (int i = 0; i < ({x} & 3); i++) {{");
                self.block();
                self.statement(0);
                self.text += "}\n";
            }
            4 => {
                let _ = writeln!(self.text, "{x} = {x} + {y} * 3 & 255;");
            }
            5 => {
                let _ = writeln!(self.text, "{x} = calls[{y} & 1]({x}) & 255;");
            }
            6 => {
                let _ = writeln!(
                    self.text,
                    "{{ char *p = malloc(1 + ({x} & 3)); p[{y} & 3] = {x}; }}"
                );
            }
            7 => {
                let _ = writeln!(self.text, "{x} = 100 / ({y} - 3);");
            }
            _ => {
                let condition = self.condition();
                let _ = writeln!(self.text, "ep_assume(!({condition}));");
            }
        }
    }
}

fn load(text: &str) -> Program {
    let directory = tempfile::tempdir().expect("there is room for a directory");
    let file = directory.path().join("program.c");
    std::fs::write(&file, text).expect("the directory is writable");
    let options = LoadOptions {
        promote: true,
        ..LoadOptions::default()
    };
    program::load(&[file], &options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Keeps the ends of paths, and the open ranges at the moment it stops.
#[derive(Default)]
struct Part {
    ends: Vec<String>,
    /// After how many looks it stops.
    looks: Option<u64>,
    open: Vec<(u64, Range)>,
    /// Whether half of it is given away at the next look, and what was.
    gives: bool,
    given: Vec<Range>,
}

impl Part {
    fn is_over(&self) -> bool {
        self.looks == Some(0)
    }
}

impl Observer for Part {
    fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        // What an error says depends on the input at hand, its kind on the path.
        let end = match end {
            End::Error(kind, _) => kind.name().to_owned(),
            end => format!("{end:?}"),
        };
        self.ends.push(end + &shape(path));
    }

    fn note(&mut self, note: &str) {
        assert!(!note.contains("do not fit"), "{note}");
    }

    fn wants_ranges(&mut self) -> bool {
        self.looks.is_some()
    }

    fn ranges(&mut self, change: OpenRanges, _: &Progress<'_, '_>) {
        self.open
            .retain(|(number, _)| !change.closed.contains(number));
        self.open.extend(change.opened);
        self.given.extend(change.given);
    }

    fn wants_gift(&mut self) -> bool {
        std::mem::take(&mut self.gives)
    }

    fn progress(&mut self, _: &Progress<'_, '_>) -> Option<Outcome> {
        if let Some(looks) = &mut self.looks {
            *looks = looks.saturating_sub(1);
        }
        self.is_over().then_some(Outcome::Interrupted)
    }
}

/// How the objects of a path are linked.
fn shape(path: &PathEnd<'_, '_>) -> String {
    let mut shape = String::new();
    for graph in object_graphs(path.machine, path.state) {
        for (_, field) in graph.objects.iter().flat_map(|object| &object.fields) {
            let _ = match field {
                Field::To(object) => write!(shape, " {object}"),
                Field::Null => write!(shape, " -"),
                _ => write!(shape, " ."),
            };
        }
    }
    shape
}

/// The program from `main` on, or its `method` on objects: those, or all there are.
fn start(program: &Program, solutions: Option<&[Rc<Solution>]>) -> Start {
    let function = |name| program.function(name);
    if let Some(main) = function("main") {
        return Start::Function(main);
    }
    let mut bounds = Bounds::default();
    bounds.add_max("Node=3").expect("it is a bound");
    let tree = StagedArgument {
        type_name: "Tree".to_owned(),
        invariant: function("valid").expect("it has one"),
        bounds: Rc::new(bounds),
        suite: String::new(),
        solutions: solutions.map(<[_]>::to_vec),
    };
    Start::Objects(Staging {
        arguments: vec![tree],
        method: function("method"),
        ..Staging::default()
    })
}

fn ready<'p>(
    program: &'p Program,
    solutions: Option<&[Rc<Solution>]>,
    strategy: Strategy,
    seed: u64,
) -> Ready<'p> {
    let plan = Plan {
        strategy,
        seed,
        ..Plan::default()
    };
    let steps = Steps::new(start(program, solutions), plan);
    let mixed = Mixed::from(Solver::default());
    Ready::new(program, mixed, Options::default(), steps).expect("it is small")
}

/// The ends of all paths, explored in one go.
fn whole(program: &Program, solutions: Option<&[Rc<Solution>]>) -> Vec<String> {
    let mut part = Part::default();
    let (outcome, counts) = ready(program, solutions, Strategy::Dfs, 0).explore(&mut part);
    assert_eq!(outcome, Outcome::Complete);
    assert_eq!(counts.unknown, 0);
    part.ends.sort();
    part.ends
}

/// The same in random ranges; how many explorations it took.
fn in_ranges(
    program: &Program,
    solutions: Option<&[Rc<Solution>]>,
    seed: u64,
) -> (Vec<String>, u64) {
    let mut random = Random::new(seed);
    let mut open = vec![Range::whole()];
    let mut ends = Vec::new();
    let mut parts = 0;
    while !open.is_empty() {
        let taken = 1 + random.below(open.len());
        let ranges: Vec<Range> = (0..taken)
            .map(|_| open.swap_remove(random.below(open.len())))
            .collect();
        let strategy = Strategy::ALL[random.below(Strategy::ALL.len())];
        let mut part = Part {
            looks: Some(1 + random.below(3) as u64),
            gives: random.coin(),
            ..Part::default()
        };
        let mut ready = ready(program, solutions, strategy, seed);
        // Looks are far apart where nothing is expensive; a short quantum is not.
        ready.machine.options.quantum = 20;
        let (outcome, _) = ready.explore_ranges(Some(ranges), &mut part);
        // Nothing is open after the end, and nothing more is told.
        if outcome == Outcome::Complete {
            part.open.clear();
        }
        open.append(&mut part.given);
        ends.append(&mut part.ends);
        open.extend(part.open.into_iter().map(|(_, range)| range));
        parts += 1;
    }
    ends.sort();
    (ends, parts)
}

#[test]
fn random_programs_have_the_same_paths_in_any_ranges() {
    let (mut paths, mut parts) = (0, 0);
    for seed in 0..16 {
        let text = Writer::program(seed);
        let program = load(&text);
        let expected = whole(&program, None);
        let (found, explorations) = in_ranges(&program, None, seed);
        let same = found == expected;
        let (n, m) = (found.len(), expected.len());
        assert!(same, "seed {seed}: {n} paths and not {m}\n{text}");
        paths += found.len();
        parts += explorations;
    }
    assert!(paths > 300, "only {paths} paths");
    assert!(parts > 40, "only {parts} explorations");
}

/// A search tree, and a method that forgets one case of three.
const TREE: &str = "
typedef struct Node { struct Node *left, *right; signed char data; } Node;
typedef struct { Node *root; int size; } Tree;
void *malloc(unsigned long);
static int count(const Node *node, int low, int high) {
    if (!node) return 0;
    if (node->data <= low || node->data >= high) return -1000;
    return 1 + count(node->left, low, node->data) + count(node->right, node->data, high);
}
_Bool valid(Tree *tree) { return tree->size >= 0 && count(tree->root, -129, 128) == tree->size; }
_Bool method(Tree *tree, signed char data) {
    Node **place = &tree->root;
    while (*place && (*place)->data != data)
        place = data < (*place)->data ? &(*place)->left : &(*place)->right;
    if (*place) return 0;
    *place = malloc(sizeof **place);
    **place = (Node){.data = data};
    if (tree->size != 2) tree->size++;
    return 1;
}
";

#[test]
fn methods_on_objects_have_the_same_paths_in_any_ranges() {
    let program = load(TREE);
    let expected = whole(&program, None);
    assert!(expected.len() > 40, "only {} paths", expected.len());
    for seed in 0..8 {
        let (found, explorations) = in_ranges(&program, None, seed);
        assert!(found == expected, "seed {seed}: {} paths", found.len());
        assert!(explorations > 2, "only {explorations} explorations");
    }
}

/// Keeps the objects of paths on which they are valid.
#[derive(Default)]
struct Valid(Vec<Rc<Solution>>);

impl Observer for Valid {
    fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        if matches!(end, End::Exit(_)) && has_valid_objects(path.state) {
            self.0.push(Rc::new(Solution {
                line: self.0.len() + 2,
                graph: object_graph(path.machine, path.state, 0),
                condition: String::new(),
            }));
        }
    }
}

/// The same tree without a method.
fn solutions(program: &Program) -> Vec<Rc<Solution>> {
    let Start::Objects(staging) = start(program, None) else {
        panic!("it has no main");
    };
    let alone = Start::Objects(Staging {
        method: None,
        ..staging
    });
    let mixed = Mixed::from(Solver::default());
    let steps = Steps::new(alone, Plan::default());
    let ready = Ready::new(program, mixed, Options::default(), steps);
    let mut valid = Valid::default();
    ready.expect("it is small").explore(&mut valid);
    valid.0
}

/// Solutions share a path until they part, at a pointer or at a value.
#[test]
fn solutions_have_the_paths_of_their_invariant_whole_and_in_any_ranges() {
    let program = load(TREE);
    let all = solutions(&program);
    let valid: Vec<String> = {
        let mut valid = whole(&program, None);
        valid.retain(|end| !end.contains("Ignored"));
        valid
    };
    let expected = whole(&program, Some(&all));
    assert!(expected == valid, "{expected:#?}\n{valid:#?}");
    let mut apart: Vec<String> = (all.chunks(1))
        .flat_map(|one| whole(&program, Some(one)))
        .collect();
    apart.sort();
    assert_eq!(expected, apart);
    for seed in 0..8 {
        let (found, explorations) = in_ranges(&program, Some(&all), seed);
        assert!(found == expected, "seed {seed}: {} paths", found.len());
        assert!(explorations > 2, "only {explorations} explorations");
    }
}

/// What solutions have in common is executed once.
#[test]
fn solutions_that_begin_alike_take_fewer_instructions_together_than_alone() {
    let program = load(TREE);
    let all = solutions(&program);
    let instructions = |these: &[Rc<Solution>]| {
        let mut ready = ready(&program, Some(these), Strategy::Dfs, 0);
        let (_, counts) = ready.explore(&mut ());
        assert_eq!(counts.unknown, 0);
        counts.instructions
    };
    let alone: u64 = all.chunks(1).map(instructions).sum();
    let together = instructions(&all);
    assert!(together < alone, "{together} together and {alone} alone");
}

#[test]
fn a_range_of_another_program_is_not_taken_for_one_of_this() {
    let one = load(&Writer::program(1));
    let mut part = Part {
        looks: Some(1),
        ..Part::default()
    };
    ready(&one, None, Strategy::Bfs, 0).explore(&mut part);
    let range = part
        .open
        .into_iter()
        .map(|(_, range)| range)
        .max_by_key(Range::depth);
    let range = range.expect("it did not come to its end");
    let other = load(&Writer::program(2));
    let (_, counts) =
        ready(&other, None, Strategy::Bfs, 0).explore_ranges(Some(vec![range]), &mut ());
    assert_eq!((counts.completed, counts.unknown), (0, 1));
}
