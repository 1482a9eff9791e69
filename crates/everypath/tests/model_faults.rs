//! Faults that tests of a model have to find: wrong arithmetic, boundaries, forgotten
//! assignments; by tests made beforehand and online.

use serde_json::Value as Json;
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// A model and a system, a shell script, in a folder of their own.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new(model: &str, system: &str) -> Bench {
        let folder = TempDir::new().expect("there is room");
        fs::write(folder.path().join("model.iosts"), model).expect("there is room");
        fs::write(folder.path().join("system.sh"), system).expect("there is room");
        Bench { folder }
    }

    fn json(&self, arguments: &[&str]) -> Json {
        let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
            .arg("model")
            .args(arguments)
            .arg("--json")
            .current_dir(self.folder.path())
            .output()
            .expect("everypath starts");
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
    }

    /// How many tests failed.
    fn failures(&self, arguments: &[&str]) -> u64 {
        let run = [
            "run",
            "model.iosts",
            "--sut",
            "sh system.sh",
            "--timeout",
            "0.5",
        ];
        let report = self.json(&[&run, arguments].concat());
        report["fail"].as_u64().expect("it is counted")
    }
}

/// A system that answers every message by a command over its values `$a` and `$b`.
fn answering(command: &str) -> String {
    format!(
        "while read line; do v=${{line##*[}}; v=${{v%%]*}}; a=${{v%%,*}}; b=${{v##*,}}\n\
         {command}\ndone\n"
    )
}

const ADDER: &str = "channel add(Int, Int), sum(Int)
automaton Adder {
    var a, b: Int
    initial idle
    take: idle -> busy, add?(a, b)
    give: busy -> idle, sum!(a + b)
}
";

#[test]
fn a_wrong_sum_is_found_by_default_and_online() {
    let adder = |formula: &str| {
        let answer =
            format!("echo \"{{\\\"channel\\\": \\\"sum\\\", \\\"values\\\": [$(({formula}))]}}\"");
        Bench::new(ADDER, &answering(&answer))
    };
    let online = ["--online", "--steps", "12"];
    let right = adder("a + b");
    assert_eq!((right.failures(&[]), right.failures(&online)), (0, 0));
    for formula in [
        "0",
        "a",
        "b",
        "a - b",
        "b - a",
        "a * b",
        "a + b + 1",
        "a + a",
    ] {
        let wrong = adder(formula);
        assert!(wrong.failures(&[]) > 0, "{formula}");
        assert!(wrong.failures(&online) > 0, "{formula} online");
    }
}

const SORTER: &str = "channel put(Int), big(), small()
automaton Sorter {
    var x: Int
    initial idle
    take: idle -> busy, put?(x) where 0 <= x and x <= 1000
    over: busy -> idle when x >= 500, big!()
    under: busy -> idle when x < 500, small!()
}
";

#[test]
fn a_boundary_that_is_off_by_one_is_found_by_default_and_online() {
    let sorter = |condition: &str| {
        let say = |what: &str| format!("echo '{{\"channel\": \"{what}\", \"values\": []}}'");
        let command = format!(
            "if [ $a {condition} ]; then {}; else {}; fi",
            say("big"),
            say("small")
        );
        Bench::new(SORTER, &answering(&command))
    };
    let online = ["--online", "--steps", "60"];
    let right = sorter("-ge 500");
    assert_eq!((right.failures(&[]), right.failures(&online)), (0, 0));
    for condition in ["-gt 500", "-ge 499", "-ge 501", "-lt 500"] {
        let wrong = sorter(condition);
        assert!(wrong.failures(&[]) > 0, "{condition}");
        assert!(wrong.failures(&online) > 0, "{condition} online");
    }
}

const COUNTER: &str = "channel tick(), full()
automaton Counter {
    var n: Int
    initial idle
    count: idle -> idle when n < 6, tick?, n := n + 1
    last: idle -> due when n >= 6, tick?, n := 0
    tell: due -> idle, full!()
}
";

#[test]
fn a_fault_that_shows_in_the_second_round_is_found_by_default() {
    let counter = |again: &str| {
        let full = "echo '{\"channel\": \"full\", \"values\": []}'";
        let command = format!("n=$((n + 1)); [ $n -lt 7 ] || {{ {full}; n={again}; }}");
        Bench::new(COUNTER, &format!("n=0\n{}", answering(&command)))
    };
    assert_eq!(counter("0").failures(&[]), 0);
    for again in ["1", "-1", "7"] {
        assert!(counter(again).failures(&[]) > 0, "{again}");
    }
}

#[test]
fn the_mutation_score_counts_what_is_proved_to_make_no_difference() {
    let made = Bench::new(SORTER, "").json(&["test", "model.iosts"]);
    let mutation = &made["mutation"];
    let count = |field: &str| mutation[field].as_u64().expect("it is counted");
    // Nothing reads what `x` begins as, so that is no fault.
    assert_eq!(mutation["alive"], serde_json::json!([]), "{made:#}");
    assert_eq!(count("killed") + count("equivalent"), count("mutants"));
    // That the system takes more inputs than the model has, no test can tell.
    assert!(count("equivalent") > 0 && count("killed") > 10, "{made:#}");
    assert_eq!(made["score"], serde_json::json!(100.0), "{made:#}");
}

#[test]
fn a_fault_in_a_function_is_looked_for_where_the_function_is_applied() {
    let model = "channel tick(Int), beat(Int), price(Int)
function cost(n: Int): Int = if n >= 24 then 30 * (n div 24) + min(30, 3 * (n mod 24)) else min(30, 3 * n)
automaton A {
    var n: Int
    initial s
    beat: s -> b, tick?(n) where n >= 0 and n < 100
    back: b -> p, beat!(n)
    pay: p -> s, price!(cost(n))
}
";
    let made = Bench::new(model, "").json(&["test", "model.iosts"]);
    let alive = made["mutation"]["alive"]
        .as_array()
        .expect("they are listed");
    let faults: Vec<&str> = alive.iter().filter_map(|it| it["fault"].as_str()).collect();
    // About a day both formulas say the same, so it is proved that it does not matter where one
    // begins. They differ for negative numbers, which never come.
    let formula = "(30 * (n div 24)) + min(30, 3 * (n mod 24))";
    let either = format!("if n >= 24 then {formula} else min(30, 3 * n)");
    assert_eq!(faults, [format!("cost: {either} becomes {formula}")]);
}

#[test]
fn a_value_that_is_wrong_from_the_beginning_is_not_proved_to_make_no_difference() {
    let model = "channel late(Bool)
automaton A {
    var n: Int
    initial s
    t: s -> s, late!(n >= 1000), n := n + 1
}
";
    let made = Bench::new(model, "").json(&["test", "model.iosts"]);
    let alive = made["mutation"]["alive"]
        .as_array()
        .expect("they are listed");
    let faults: Vec<&str> = alive.iter().filter_map(|it| it["fault"].as_str()).collect();
    assert!(faults.contains(&"n begins as 1"), "{made:#}");
}

#[test]
fn a_value_of_an_enumeration_that_is_taken_for_another_is_found() {
    let model = "enum Kind { car, van, bike, bus }
channel arrive(Kind, Int), gate(Bool)
automaton A {
    var kind: Kind
    var height: Int
    initial open
    came: open -> deciding, arrive?(kind, height) where height > 0 and height < 500
    decide: deciding -> open, gate!(height <= 210 or kind = van and height <= 260)
}
";
    let system = |kinds: &str| {
        answering(&format!(
            "case $a in {kinds}) top=260;; *) top=210;; esac
             if [ $b -le $top ]; then r=true; else r=false; fi
             echo '{{\"channel\": \"gate\", \"values\": ['$r']}}'"
        ))
    };
    assert_eq!(Bench::new(model, &system("*van*")).failures(&[]), 0);
    for kinds in ["*van*|*bike*", "*van*|*bus*", "*van*|*car*"] {
        assert!(
            Bench::new(model, &system(kinds)).failures(&[]) > 0,
            "{kinds}"
        );
    }
}

#[test]
fn the_seed_decides_which_values_are_tried() {
    let bench = Bench::new(ADDER, "");
    let tests = |seed: &str| {
        bench.json(&["test", "model.iosts", "--seed", seed, "-o", "tests"]);
        fs::read_to_string(bench.folder.path().join("tests/test001.json")).expect("it was made")
    };
    let (first, second, again) = (tests("1"), tests("2"), tests("1"));
    assert_eq!(first, again);
    assert_ne!(first, second);
}

/// A queue of four numbers.
const QUEUE: &str = "channel push(Int), pop(Int), front(Int)
automaton Queue {
    var waiting: List<Int, 4>
    var x: Int
    initial idle
    put: idle -> idle when length(waiting) < 4, push?(x), waiting := append(waiting, x)
    take: idle -> busy when length(waiting) > 0, pop?(x)
    give: busy -> idle, front!(waiting[0]), waiting := rest(waiting)
}
";

#[test]
fn a_fault_that_shows_when_a_queue_is_full_is_found() {
    let queue = |put: &str| {
        let system = answering(&format!(
            "case $line in *push*) set -- $q; {put};;\n\
             *) set -- $q; echo \"{{\\\"channel\\\": \\\"front\\\", \\\"values\\\": [$1]}}\"; shift; q=\"$*\";;\nesac"
        ));
        Bench::new(QUEUE, &system)
    };
    let online = ["--online", "--steps", "200"];
    let right = queue("q=\"$q $a\"");
    assert_eq!((right.failures(&[]), right.failures(&online)), (0, 0));
    for put in [
        "[ $# -eq 3 ] || q=\"$q $a\"",
        "if [ $# -gt 1 ]; then b=$1; shift; q=\"$b $a $*\"; else q=\"$q $a\"; fi",
    ] {
        let wrong = queue(put);
        assert!(wrong.failures(&[]) > 0, "{put}");
        assert!(wrong.failures(&online) > 0, "online, {put}");
    }
}

/// A door that knows who is inside.
const DOOR: &str = "channel enter(Int), leave(Int), ask(Int), isInside(Bool)
automaton Door {
    var who, x: Int
    initial empty
    in: empty -> full, enter?(who)
    out: full -> empty, leave?(x)
    first: full -> deciding, ask?(x)
    yes: deciding -> full when x = who, isInside!(true)
    no: deciding -> full when x != who, isInside!(false)
    second: empty -> denying, ask?(x)
    never: denying -> empty, isInside!(false)
}
";

#[test]
fn a_system_that_does_not_forget_is_found_out_by_what_it_was_told_before() {
    let door = |leave: &str| {
        let system = answering(&format!(
            "case $line in *enter*) who=$a;; *leave*) {leave};;\n\
             *) r=false; [ \"$a\" = \"$who\" ] && r=true\n\
             echo \"{{\\\"channel\\\": \\\"isInside\\\", \\\"values\\\": [$r]}}\";;\nesac"
        ));
        Bench::new(DOOR, &system)
    };
    let online = ["--online", "--steps", "200"];
    let right = door("who=nobody");
    assert_eq!((right.failures(&[]), right.failures(&online)), (0, 0));
    let wrong = door(":");
    assert!(wrong.failures(&[]) > 0);
    assert!(wrong.failures(&online) > 0);
}

/// An alarm that asks for nothing but `ping` once it was set off.
const ALARM: &str = "channel noise(Int), window, door, ping, pong
automaton Alarm {
    var k: Int
    initial idle
    heard: idle -> deciding, noise?(k) where 0 <= k
    low: deciding -> armed when k <= 50, window!
    high: deciding -> armed when k > 50, door!
    ask: armed -> asked, ping?
    answer: asked -> armed, pong!
}
";

#[test]
fn a_system_that_cannot_come_back_to_its_beginning_is_tested_online_with_fresh_ones() {
    let alarm = |most: u32| {
        let system = answering(&format!(
            "c=door; [ \"$a\" -le {most} ] && c=window\ncase $line in *ping*) c=pong;; esac\n\
             echo \"{{\\\"channel\\\": \\\"$c\\\", \\\"values\\\": []}}\""
        ));
        Bench::new(ALARM, &system)
    };
    let online = ["--online", "--steps", "400"];
    assert_eq!(alarm(50).failures(&online), 0);
    assert!(alarm(40).failures(&online) > 0);
    assert!(alarm(55).failures(&online) > 0);
}

/// A list whose copy can be gone back to.
const COPIED: &str = "channel push(Int), mark, reset, ask, ok, top(Int)
automaton Stack {
    var n, kept, x: Int
    initial idle
    push: idle -> idle, push?(x), n := x
    mark: idle -> marked, mark?, kept := n
    kept: marked -> idle, ok!
    reset: idle -> gone, reset?, n := kept
    back: gone -> idle, ok!
    ask: idle -> asked, ask?
    told: asked -> idle, top!(n)
}
";

#[test]
fn what_is_kept_only_the_first_time_is_found_by_default_and_online() {
    let stack = |mark: &str| {
        let system = answering(&format!(
            "ok='{{\"channel\": \"ok\", \"values\": []}}'\ncase $line in *push*) n=$a;;\n\
             *mark*) {mark}; echo \"$ok\";; *reset*) n=${{k:-0}}; echo \"$ok\";;\n\
             *) echo \"{{\\\"channel\\\": \\\"top\\\", \\\"values\\\": [${{n:-0}}]}}\";;\nesac"
        ));
        Bench::new(COPIED, &system)
    };
    let online = ["--online", "--steps", "300"];
    let right = stack("k=$n");
    assert_eq!((right.failures(&[]), right.failures(&online)), (0, 0));
    let wrong = stack("k=${k:-$n}");
    assert!(wrong.failures(&[]) > 0);
    assert!(wrong.failures(&online) > 0);
}

#[test]
fn a_test_waits_for_all_answers_to_its_last_input() {
    let model = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/model/transfer.iosts"
    );
    let bench = Bench::new("", "");
    let made = bench.json(&["test", model, "-o", "tests"]);
    let count = made["tests"].as_u64().expect("it is counted");
    for number in 1..=count {
        let file = bench
            .folder
            .path()
            .join(format!("tests/test{number:03}.json"));
        let text = fs::read_to_string(file).expect("it was written");
        let test: Json = serde_json::from_str(&text).expect("it is JSON");
        let steps = test["steps"].as_array().expect("it has steps");
        let last = steps.last().map(|step| &step["transition"]);
        // A file that is complete is confirmed, and then it is saved.
        assert_ne!(last, Some(&Json::from("last")), "test{number:03}");
    }
}

/// Twelve automata in a row, each of which wakes the next.
fn row() -> String {
    let mut text = String::new();
    for number in 0..12 {
        let (before, last) = (number as i64 - 1, number == 11);
        let give = match last {
            true => "tau".to_owned(),
            false => format!("pass{number}!"),
        };
        let woken = match number {
            0 => String::new(),
            _ => format!(
                "get{number}: idle -> woken, pass{before}?
                 wake{number}: woken -> idle, done{number}!(0)"
            ),
        };
        text += &format!(
            "channel ask{number}(Int), done{number}(Int), pass{number}
             automaton W{number} {{
                 var x: Int
                 initial idle
                 take{number}: idle -> busy, ask{number}?(x) where x > {number}
                 big{number}: busy -> idle when x > 30, done{number}!(x)
                 small{number}: busy -> full when x <= 30, done{number}!(x + 1)
                 give{number}: full -> idle, {give}
                 {woken}
             }}\n"
        );
    }
    text
}

#[test]
fn every_transition_of_twelve_automata_is_covered() {
    let bench = Bench::new(&row(), "");
    let made = bench.json(&[
        "test",
        "model.iosts",
        "--cover",
        "transitions",
        "-o",
        "tests",
    ]);
    let goals = (&made["goals"]["covered"], &made["goals"]["total"]);
    assert_eq!(goals, (&70.into(), &70.into()), "{made:#}");
}

#[test]
fn a_step_that_a_fault_leaves_out_is_found_by_what_follows() {
    let model = "channel put(Int), ask, got(Int)
automaton A {
    var x, n: Int
    initial idle
    take: idle -> decide, put?(x)
    count: decide -> idle when x > 3 and n < 9, tau, n := n + 1
    skip: decide -> idle when else, tau
    show: idle -> shown, ask?
    tell: shown -> idle, got!(n)
}
";
    let made = Bench::new(model, "").json(&["test", "model.iosts", "-o", "tests"]);
    let alive = made["mutation"]["alive"].as_array().expect("it is a list");
    assert!(alive.is_empty(), "{alive:#?}");
}

#[test]
fn deadlines_that_are_off_and_clocks_that_begin_anew_are_found() {
    let model = "channel press, light(Bool)
automaton Lamp {
    clock pressed, lit
    initial dark
    on: dark -> shining, press?, light!(true), (pressed, lit) := (0, 0)
    more: shining -> shining, press?, pressed := 0
    off: shining -> dark when pressed >= 3 or lit >= 5, light!(false)
    state shining while pressed <= 3 and lit <= 5
}
";
    let made = Bench::new(model, "").json(&["test", "model.iosts", "-o", "tests"]);
    let alive = made["mutation"]["alive"].as_array().expect("it is a list");
    let alive: Vec<&str> = alive.iter().filter_map(|it| it["fault"].as_str()).collect();
    let of_time = |it: &&&str| it.contains("deadline") || it.contains("resets");
    let of_time: Vec<&&str> = alive.iter().filter(of_time).collect();
    assert!(of_time.is_empty(), "{alive:#?}");
}

/// A club where whoever differs from five before in a row is lucky, and whoever has two equal
/// numbers: then it begins again.
const CLUB: &str = "enum Sort { left, right }
channel person(sort: Sort, first: Int, last: Int), lucky(), ordinary()
automaton Club {
    var sort, former: Sort
    var run, first, last: Int
    initial waiting
    come: waiting -> judging, person?(sort, first, last) where 1 <= first and first <= 26 and 1 <= last and last <= 26
    lucked: judging -> waiting when first = last or run >= 5 and sort != former, lucky!, (run, former) := (0, sort)
    same: judging -> waiting when first != last and (run = 0 or sort = former), ordinary!,
        (run, former) := (run + 1, sort)
    other: judging -> waiting when first != last and 0 < run and run < 5 and sort != former, ordinary!,
        (run, former) := (1, sort)
}
";

#[test]
fn a_fault_that_shows_after_several_ordinary_inputs_is_found_by_default() {
    let club = |least: &str, again: &str| {
        let system = format!(
            "run=0; former=\n\
             while read line; do v=${{line##*[}}; v=${{v%%]*}}; sort=${{v%%,*}}; v=${{v#*,}}\n\
             first=$((${{v%%,*}})); last=$((${{v##*,}})); say=ordinary\n\
             if [ $first = $last ] || {{ [ $run {least} ] && [ \"$sort\" != \"$former\" ]; }}; then\n\
             say=lucky; run=0\n\
             elif [ $run = 0 ] || [ \"$sort\" = \"$former\" ]; then run=$((run + 1))\n\
             else run={again}; fi\n\
             former=$sort; echo '{{\"channel\": \"'$say'\", \"values\": []}}'\ndone\n"
        );
        Bench::new(CLUB, &system)
    };
    // Online, so few messages seldom come that far.
    assert_eq!(club("-ge 5", "1").failures(&[]), 0);
    for (least, again) in [
        ("-ge 4", "1"),
        ("-ge 6", "1"),
        ("-eq 5", "1"),
        ("-ge 5", "0"),
    ] {
        let wrong = club(least, again);
        assert!(wrong.failures(&[]) > 0, "{least} {again}");
    }
}
