//! The language: what is right, what is wrong and where.

mod common;

use base::Random;
use common::faults;
use model::exploration::{Bounds, explore};
use model::{Action, Checked, Location, check};
use std::fs;
use std::path::Path;

fn checked(text: &str) -> Checked {
    check(text, &[]).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// A model with everything that stands for something else.
const COMPOSED: &str = "\
record Job { id: Int, note: String }
channel job(job: Job) queue 2, mail(job: Job), link(Int) queue 2 lossy
channel seen(Int) visible, done(id: Int, digits: Int)
var open: Int = 0

function digits(n: Int): Int = if n < 10 then 1 else 1 + digits(n div 10)
function larger(a: Int, b: Int): Int = max(a, b)

automaton Worker(number: Int, from: channel) {
    var it: Job
    var last, best: Int
    initial idle
    take: idle -> busy, from?(it) where it.id > 0 and matches(it.note, \"[a-c]{1,3}\"),
        open := open + 1
    work: busy -> told, link!(it.id), (last, best) := (it.id, larger(last, best))
    tell: told -> idle, done!(number * 10 + open, digits(best)), open := open - 1
}
instance left = Worker(1, job), right = Worker(2, mail)

automaton Sink {
    var x: Int
    initial empty
    get: empty -> full, link?(x)
    show: full -> empty, seen!(x)
}

automaton Eye {
    var y: Int
    initial watching
    watching -> watching, seen?(y)
}

codec lines {
    job = \"JOB {}\"
    mail = \"MAIL {}\"
    done = \"DONE {} {}\"
    seen = \"SEEN {}\"
}
";

#[test]
fn a_declaration_may_stand_behind_an_action_on_its_line() {
    let text = "channel go, stop, x(Int), r(Int) automaton A { var n, state: Int initial a
        t: a -> b, go? u: b -> a, stop? v: b -> b, x!n s: a -> c, stop? state d
        w: c -> c, r?state y: c -> a, x!state + 1 }";
    let checked = checked(text);
    let transitions = checked.model.transitions.iter();
    let names: Vec<&str> = transitions.map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["t", "u", "v", "s", "w", "y"]);
    let takes = |number: usize| match &checked.model.transitions[number].action {
        Action::Input { targets, .. } => targets.len(),
        Action::Internal | Action::Output { .. } => usize::MAX,
    };
    assert_eq!([takes(0), takes(1), takes(3), takes(4)], [0, 0, 0, 1]);
    assert!(checked.model.automata[0].states.contains(&"d".to_owned()));
}

#[test]
fn what_is_composed_is_right_and_formatted_as_it_is() {
    assert_eq!(faults(COMPOSED), [""; 0]);
    assert_eq!(model::format(COMPOSED), COMPOSED);
    let model = checked(COMPOSED).model;
    let automata: Vec<&str> = model.automata.iter().map(|it| &it.name[..]).collect();
    assert_eq!(automata, ["left", "right", "Sink", "Eye", "job", "link"]);
}

#[test]
fn what_uses_something_wrong_is_not_wrong_as_well() {
    let text = "\
record Point { x: Int, y: Length }
const C = missing
channel c(Point), d(Colour), e(Int)
function F(Colour): Int { table { 1 -> 2 } }
automaton A {
    var p: Point, q: Colour, n: Int
    initial a
    a -> a when F(q) > C, c?(p), q := 1
    a -> a when p.x > 0, d!(q), n := q + C
    a -> a, e!(true)
}
";
    let types = "there are Bool, Int, Int<8>, UInt<8>, Real, Float, String, List, Set, Map and \
                 the model's enumerations and records";
    assert_eq!(
        faults(text),
        [
            format!("1:27: there is no type `Length`; {types}"),
            "2:11: there is no variable, constant or value `missing` here".to_owned(),
            format!("3:21: there is no type `Colour`; {types}"),
            format!("4:12: there is no type `Colour`; {types}"),
            format!("6:22: there is no type `Colour`; {types}"),
            "10:16: it is a Bool, and an Int should be here".to_owned(),
        ]
    );
}

#[test]
fn a_transition_that_cannot_be_read_still_leaves_its_state() {
    let text = "\
channel a(Int)
automaton A {
    var x: Int
    initial s
    t: s -> u, a?(x)
    u -> v when x = ), tau
    v -> w when x > 3 3
    w -> , tau
}
";
    assert_eq!(
        faults(text),
        [
            "6:21: `)` where a value should be",
            "7:23: `3` where a transition `from -> to`, var, state, initial or `}` should be",
            "8:10: `,` where the state it enters should be",
        ]
    );
}

#[test]
fn rows_for_another_length_than_the_user_sets_are_left_out() {
    let text = "\
param N = 2
channel a(Int)
function F(v: Int[N], Int): Int {
    native
    table {
        ([1, 2], 3) -> 4,
        (1, 2, 4) -> 5,
        ([1, 2, 3], 3) -> 6
    }
}
automaton A {
    var v: Int[N]
    initial s
    s -> s when F(v, 1) > 0, a?(v[0])
}
";
    let three = vec![("N".to_owned(), "3".to_owned())];
    // As long as the model is wrong without, so it is with another length.
    let wrong = check(text, &three).expect_err("two rows do not fit");
    assert_eq!(wrong.len(), 2);
    let text = &text.replace("        ([1, 2, 3], 3) -> 6\n", "");
    let set = check(text, &three).expect("the rows are left out");
    let warnings: Vec<String> = set
        .warnings
        .iter()
        .map(|warning| {
            let Location { line, column } = warning.span.location(text);
            format!("{line}:{column}: {}", warning.message)
        })
        .collect();
    let message = "the row is left out: with these parameters, `F` takes Int[3], Int";
    assert_eq!(
        warnings,
        [format!("6:10: {message}"), format!("7:10: {message}")]
    );
    assert!(set.model.functions[0].rows.is_empty());
    let unset = checked(text);
    assert_eq!(
        (unset.model.functions[0].rows.len(), unset.warnings.len()),
        (2, 0)
    );
}

#[test]
fn a_width_may_stand_before_an_equals_sign() {
    let text = "channel o(Int<8>)\nautomaton A { var x:Int<8>=-1\nvar y: UInt<(4+4)>=3\ninitial s\ns -> s when x >= 0, o!(x) }\n";
    assert_eq!(faults(text), [""; 0]);
}

#[test]
fn every_mistake_is_said_at_once_with_its_place() {
    let text = "\
param N = 2
channel c(Int)
channel d(Colour)
function F(Int): Real { table { (1, 2) -> 3, 1 -> true } }
automaton A {
    var x: Int = true, y: Real[N]
    initial a
    a -> b when z > 0, c?(y), x := 1.5
    a -> a when x, c!(x, x)
    a -> a, e!(x), y[2] := 0
    a a
    a -> a, tau, x := F(y) + G(1)
}
";
    assert_eq!(
        faults(text),
        [
            "3:11: there is no type `Colour`; there are Bool, Int, Int<8>, UInt<8>, Real, Float, \
             String, List, Set, Map and the model's enumerations and records",
            "4:34: the row has 2 arguments; `F` takes 1",
            "4:51: it is a Bool, and a Real should be here",
            "6:18: it is a Bool, and an Int should be here",
            "8:10: `b` is entered but no transition leaves it: if it is meant to be an end, \
             declare it with `state b`",
            "8:17: there is no variable, constant or value `z` here",
            "8:27: the channel gives an Int, the variable is a Real[2]",
            "8:36: it is a Real, and an Int should be here",
            "9:17: it is an Int, and a Bool should be here",
            "9:20: the channel `c` has 1 values, not 2",
            "10:13: there is no channel `e`; declare it with `channel e`",
            "10:22: the array has elements 0 to 1, not 2",
            "11:7: `a` where `->` should be",
            "12:25: it is a Real[2], and an Int should be here",
            "12:30: there is no function `G`; declare it with `function G(…): …`",
        ]
    );
}

#[test]
fn what_is_no_model_is_refused_without_a_panic() {
    let deep = format!("const X = {}1{}", "(".repeat(5000), ")".repeat(5000));
    let long = format!("const X = 1{}", " + 1".repeat(5000));
    let minus = format!("const X = {}1", "- ".repeat(5000));
    let nots = format!("const X = {}true", "not ".repeat(5000));
    for (text, expected) in [
        ("", "1:1: the model has no automaton"),
        ("automaton A {", "1:14: the automaton has no closing `}`"),
        (
            "automaton",
            "1:10: the end where the automaton's name should be",
        ),
        ("é", "1:1: `é` has no meaning here"),
        (
            "const X = \"a",
            "1:11: the text has no closing quote on its line",
        ),
        ("const X = 1e99999999", "1:11: `1e99999999` is not a number"),
        (
            "channel c(Int<65>)",
            "1:15: the number of bits must be between 1 and 64",
        ),
        (
            "channel c(Int[0])",
            "1:15: the number of elements must be between 1 and 100000",
        ),
        (
            "channel c(Int[1000][1000])",
            "1:15: an array of more than 100000 values is too large",
        ),
    ] {
        let found = faults(text);
        assert_eq!(
            found.first().map(String::as_str),
            Some(expected),
            "{text:.60}"
        );
    }
    for (text, expected) in [
        (deep, "the expression is nested too deeply; name its parts"),
        (long, "the expression is too long; name its parts"),
        (minus, "the expression is nested too deeply; name its parts"),
        (nots, "the expression is nested too deeply; name its parts"),
    ] {
        let found = faults(&text);
        assert!(found[0].ends_with(expected), "{text:.60} {found:?}");
    }
}

#[test]
fn parameters_are_set_by_name_and_type() {
    let text = "param N = 2\nautomaton A { var v: Int[N] initial a a -> a, tau }";
    let set = |name: &str, value: &str| check(text, &[(name.to_owned(), value.to_owned())]);
    let model = set("N", "4").expect("four is a number").model;
    assert_eq!(model.variables[0].ty.to_string(), "Int[4]");
    let message =
        |result: Result<Checked, Vec<model::Fault>>| result.unwrap_err()[0].message.clone();
    assert_eq!(
        message(set("N", "x")),
        "`N` cannot be set to `x`: `x` is not an Int"
    );
    assert_eq!(
        message(set("M", "1")),
        "there is no parameter `M` to set; its parameters are N"
    );
}

#[test]
fn states_that_nothing_leads_to_are_warned_of() {
    let text = "channel unused\nfunction F(Int): Int\nautomaton A { initial a a -> a, tau lost -> a, tau }";
    let warnings: Vec<String> = checked(text)
        .warnings
        .into_iter()
        .map(|warning| warning.message)
        .collect();
    assert_eq!(
        warnings,
        [
            "no transition uses the channel `unused`",
            "nothing says what `F` gives: bind it with native, command or table",
            "no transitions lead to the state `lost`",
        ]
    );
}

#[test]
fn a_queue_that_nothing_uses_is_warned_of_and_no_part_of_the_model() {
    let text = "channel unused(Int) queue 2\nautomaton A { initial a a -> a, tau }";
    let checked = checked(text);
    let warnings: Vec<&str> = checked.warnings.iter().map(|it| &it.message[..]).collect();
    assert_eq!(warnings, ["no transition uses the channel `unused`"]);
    assert_eq!(checked.model.automata.len(), 1);
}

#[test]
fn the_examples_are_right_and_formatted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/model");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("there are examples") {
        let path = entry.expect("it can be read").path();
        if path
            .extension()
            .is_none_or(|extension| extension != "iosts")
        {
            continue;
        }
        let text = fs::read_to_string(&path).expect("it is text");
        assert_eq!(model::format(&text), text, "{}", path.display());
        assert!(checked(&text).warnings.is_empty(), "{}", path.display());
        count += 1;
    }
    assert!(count >= 6);
}

/// Words of the examples in other orders: most are no models, some are, and
/// nothing is a reason to panic.
#[test]
fn any_broken_model_is_refused_or_run_without_a_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/model");
    let names = ["atm", "crossing", "elevator", "handshake", "vending"];
    let mut texts: Vec<String> = names
        .iter()
        .map(|name| fs::read_to_string(folder.join(format!("{name}.iosts"))).expect("it is there"))
        .collect();
    texts.push(COMPOSED.replace(" and matches(it.note, \"[a-c]{1,3}\")", ""));
    let words: Vec<&str> = texts
        .iter()
        .flat_map(|text| text.split_inclusive([' ', '\n']))
        .collect();
    let mut random = Random::new(7);
    let mut right = 0;
    for round in 0..1500 {
        let text = &texts[round % texts.len()];
        let mut changed: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
        for _ in 0..=random.below(3) {
            let at = random.below(changed.len());
            match random.below(4) {
                0 => {
                    changed.remove(at);
                }
                1 => changed.insert(at, words[random.below(words.len())]),
                2 => changed[at] = words[random.below(words.len())],
                _ => {
                    let other = random.below(changed.len());
                    changed.swap(at, other);
                }
            }
        }
        let mut text = changed.concat();
        if random.below(4) == 0 {
            let cut = random.below(text.len());
            text.truncate(
                (0..=cut)
                    .rev()
                    .find(|&cut| text.is_char_boundary(cut))
                    .unwrap_or(0),
            );
        }
        let formatted = model::format(&text);
        assert_eq!(model::format(&formatted), formatted, "{text}");
        let Ok(checked) = check(&text, &[]) else {
            continue;
        };
        assert!(check(&formatted, &[]).is_ok(), "{text}\n{formatted}");
        right += 1;
        let mixed = mixed::Mixed::from(mixed::solver::Solver::default());
        let mut executor = model::execution::Executor::new(&checked.model, mixed);
        let bounds = Bounds {
            height: 4,
            states: 20,
            ..Bounds::default()
        };
        explore(&mut executor, &bounds, None);
    }
    assert!(right > 100, "{right}");
}
