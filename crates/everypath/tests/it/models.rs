//! Goals about values and requirements, properties of models, and what transitions stand for.

use serde_json::Value as Json;
use testkit::Scratch;

const GATE: &str = "\
channel card(Int, Bool), open, shut(Int)
automaton Gate {
    var age, count: Int
    var member: Bool

    initial idle
    state broken

    @req \"R-1\"
    grown: idle -> idle when count < 3,
        card?(age, member) where age >= 18 or member, open!, count := count + 1, shut!(count)
    @req \"R-2\", \"R-3\"
    young: idle -> idle when else, card?(age, member), shut!(0)
    jam: idle -> stuck when count = 3
    never: stuck -> broken when count > 7, open!
}
";

fn json(scratch: &Scratch, command: &str) -> Json {
    let output = scratch.everypath(&format!("{command} --json"));
    serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{}", output.stderr))
}

fn gate() -> Scratch {
    Scratch::with(&[("gate.iosts", GATE)])
}

/// The goals that are not covered, with the reasons.
fn missed(made: &Json) -> Vec<String> {
    let missed = made["missed"].as_array().expect("it is a list").iter();
    let text = |goal: &Json, field: &str| goal[field].as_str().unwrap_or_default().to_owned();
    missed
        .map(|it| format!("{}: {}", text(it, "goal"), text(it, "reason")))
        .collect()
}

#[test]
fn every_part_of_a_condition_is_tested_where_it_decides() {
    let made = json(&gate(), "model test gate.iosts --cover mcdc");
    assert_eq!(made["goals"]["total"], 23);
    assert_eq!(
        missed(&made),
        [
            "never: infeasible",
            "jam: not count = 3 decides: infeasible",
            "never: count > 7 decides: infeasible",
            "never: not count > 7 decides: infeasible",
        ]
    );
}

#[test]
fn comparisons_are_tested_at_their_boundaries_and_beside_them() {
    let scratch = gate();
    let made = json(&scratch, "model test gate.iosts --cover boundaries");
    assert_eq!(made["goals"]["total"], 25);
    let missed = missed(&made);
    assert!(
        missed.iter().all(|it| it.ends_with(": infeasible")),
        "{missed:?}"
    );
    let tests = scratch.names("tests").into_iter();
    let texts = tests.map(|name| scratch.read(format!("tests/{name}")));
    let texts: String = texts.collect();
    for age in ["17", "18", "19"] {
        assert!(
            texts.contains(&format!("\n        {age},")),
            "{age}: {texts}"
        );
    }
}

#[test]
fn requirements_are_traced_to_tests_and_to_their_verdicts() {
    let scratch = gate();
    let made = json(&scratch, "model test gate.iosts --cover requirements");
    assert_eq!(missed(&made), Vec::<String>::new());
    let expected = r#"{"R-1": ["test001"], "R-2": ["test002"], "R-3": ["test002"]}"#;
    let expected: Json = serde_json::from_str(expected).expect("it is JSON");
    assert_eq!(made["requirements"], expected);
    let test = scratch.read("tests/test002.json");
    let test: Json = serde_json::from_str(&test).expect("it is JSON");
    assert_eq!(test["requirements"], serde_json::json!(["R-2", "R-3"]));
    let run = "model run gate.iosts --tests tests --sut true --timeout 0.1 -o out";
    scratch.everypath(run);
    let junit = scratch.read("out/junit.xml");
    assert!(junit.contains("<testcase name=\"test002\""), "{junit}");
}

#[test]
fn outputs_follow_an_input_in_their_order_and_else_takes_the_rest() {
    let log = |lines: &[&str]| {
        let scratch = gate();
        scratch.write("log.jsonl", lines.join("\n") + "\n");
        scratch
            .everypath("model check-log gate.iosts log.jsonl")
            .stdout
    };
    let card = |age: &str| format!("{{\"channel\": \"card\", \"values\": [{age}, false]}}");
    let open = "{\"channel\": \"open\", \"values\": []}";
    let shut = |count: &str| format!("{{\"channel\": \"shut\", \"values\": [{count}]}}");
    let right = [&card("18"), open, &shut("1"), &card("17"), &shut("0")];
    assert_eq!(log(&right), "log.jsonl: pass: 5 messages\n");
    assert_eq!(
        log(&[&card("18"), open, &shut("0")]),
        "log.jsonl: fail: line 3: shut(0) came; the model expects shut(1)\n"
    );
    assert_eq!(
        log(&[&card("17"), open]),
        "log.jsonl: fail: line 2: open() came; the model expects shut(0)\n"
    );
}

#[test]
fn what_else_or_several_outputs_cannot_mean_is_said() {
    let refusal = |transitions: &str| {
        let model = format!(
            "channel a(Int), b\nautomaton A {{\n    var x, y: Int\n    initial s\n{transitions}\n}}\n"
        );
        let scratch = Scratch::with(&[("a.iosts", &model)]);
        let text = scratch.refusal("model check a.iosts");
        text.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(
        refusal("    s -> s when else, b!"),
        "error: a.iosts:5:5: there is no other transition that `else` could be about"
    );
    assert_eq!(
        refusal("    s -> s, a?x\n    s -> s when else, a?y"),
        "error: a.iosts:6:5: `else` is for inputs that go to the same variables"
    );
    assert_eq!(
        refusal("    s -> s, b!, a?x"),
        "error: a.iosts:5:17: an input comes first; what follows it are outputs"
    );
    assert_eq!(
        refusal("    @req R-1\n    s -> s, b!"),
        "error: a.iosts:5:10: `R` where a requirement should be, in quotes"
    );
}

#[test]
fn deadlocks_invariants_and_ways_to_states_are_found_or_ruled_out() {
    let check = |question: &str| {
        let finished = gate().everypath(&format!("model check-property gate.iosts {question}"));
        let first = finished
            .stdout
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned();
        (finished.status, first, finished.stdout.lines().count() - 1)
    };
    let answer = |status: i32, text: &str, steps: usize| (Some(status), text.to_owned(), steps);
    let stuck = "deadlock: nothing can happen after this path";
    assert_eq!(check("--deadlock"), answer(1, stuck, 11));
    assert_eq!(
        check("--invariant count<=3"),
        answer(0, "the invariant holds", 0)
    );
    assert_eq!(
        check("--invariant stuck:count<3"),
        answer(1, "violated by this path", 11)
    );
    assert_eq!(check("--reach broken"), answer(1, "never reached", 0));
    assert_eq!(
        check("--reach count=2"),
        answer(0, "reached by this path", 5)
    );
    // Few states are listed, however far from the beginning they are.
    assert_eq!(
        check("--reach stuck --height 3"),
        answer(0, "reached by this path", 11)
    );
    assert_eq!(
        gate().refusal("model check-property gate.iosts --invariant cnt<3"),
        "error: `cnt<3`: there is no variable, constant or value `cnt` here\n"
    );
}

const TURNSTILE: &str = "\
channel coin(Int), push, light(Bool), alarm
automaton Turnstile {
    var value: Int
    initial locked
    pay: locked -> opened, coin?(value) where value >= 5, light!(true)
    pass: opened -> locked, push?
    force: locked -> locked, push?, alarm!
    more: opened -> opened, coin?(value), light!(true)
}
";

#[test]
fn a_stop_condition_that_means_nothing_here_is_refused() {
    let scratch = Scratch::with(&[("turnstile.iosts", TURNSTILE)]);
    for (arguments, expected) in [
        (
            "--style walk --until reached_edge(jump)",
            "the model has no transition `jump`",
        ),
        (
            "--until length(3)",
            "--until is for --style walk and for --online",
        ),
        (
            "--style walk --cover mcdc",
            "--style walk is for goals about transitions and states",
        ),
    ] {
        let refused = scratch.everypath(&format!("model test turnstile.iosts {arguments}"));
        assert_eq!(refused.status, Some(2), "{}", refused.stderr);
        assert!(refused.stderr.contains(expected), "{}", refused.stderr);
    }
}

#[test]
fn tests_are_exported_in_every_form_at_once() {
    let scratch = Scratch::with(&[("turnstile.iosts", TURNSTILE)]);
    let made = json(
        &scratch,
        "model test turnstile.iosts --cover transitions --export python,shell,chart",
    );
    let tests = made["tests"].as_u64().expect("it is a number");
    let names = scratch.names("tests");
    for extension in ["json", "py", "sh", "mmd"] {
        let ending = format!(".{extension}");
        let files = names.iter().filter(|name| name.ends_with(&ending)).count();
        assert_eq!(files as u64, tests, "{extension}: {names:?}");
    }
}

/// A till that thinks for a while, as XLIA says it.
const TILL: &str = "\
@xlia< system , 1.0 >:
timed system Shop {
@composite:
    statemachine Till {
    @public:
        port input  coin( uint );
        port output shown( uint );
        port output drink;
    @private:
        var uint paid;
        var uint x;
        var clock urational since;
    @region:
        state< start > idle {
            @init{ paid := 0; }
            transition pay --> busy { input coin( x ); guard( 1 <= x <= 50 ); paid += x; since := 0; }
        }
        state busy {
            transition show --> idle { guard( paid < 60 && since <= 2 ); output shown( paid ); }
            transition serve --> idle { guard( paid >= 60 && since <= 5 ); output drink; paid := 0; }
        }
    @com:
        connect< env >{ input coin; output shown; output drink; }
    }
}
";

#[test]
fn a_system_in_xlia_is_imported_and_gives_tests() {
    let scratch = Scratch::with(&[("till.xlia", TILL)]);
    let imported = scratch.everypath("model import till.xlia -o till.iosts");
    assert_eq!((imported.status, imported.stderr.as_str()), (Some(0), ""));
    let made = json(
        &scratch,
        "model test till.iosts --cover transitions -o tests",
    );
    assert_eq!(missed(&made), [""; 0]);
}

const ORDERS: &str = "\
enum Order { buy(item: String, count: Int), cancel, end }
channel order(Order), stock(Map<String, Int, 2>), log(List<Order, 2>)
automaton Shop {
    var it: Order
    var sold: Map<String, Int, 2>
    var last: List<Order, 2>
    initial open
    state closed
    buy: open -> open, order?(it) where it.kind = buy and it.count > 0
            and (contains(sold, it.item) or length(sold) < 2),
        sold := put(sold, it.item, it.count), stock!(sold)
    cancel: open -> open when length(sold) > 0, order?(it) where it = cancel, sold := [],
        last := append([], it), log!(last)
    end: open -> closed, order?(it) where it.kind = end
}
";

#[test]
fn collections_and_values_with_data_go_through_tests() {
    let scratch = Scratch::with(&[("orders.iosts", ORDERS)]);
    let made = json(
        &scratch,
        "model test orders.iosts --cover transitions -o tests",
    );
    assert_eq!(missed(&made), [""; 0]);
    let test = scratch.read("tests/test001.json");
    assert!(test.contains("\"kind\": \"buy\""), "{test}");
}
