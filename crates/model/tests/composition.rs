//! Several automata: shared variables, templates, synchronisation that can be seen, queues,
//! and values that change at once.

mod common;

use common::faults;
use mixed::oracle::Oracle;
use mixed::solver::Solver;
use mixed::{Config, Mixed};
use model::execution::Executor;
use model::observer::{Allowed, Observer};
use model::{Checked, check};
use term::Value;

fn checked(text: &str) -> Checked {
    check(text, &[]).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// How far the model allows a trace of integers: `in?1`, `out!2`, `silence`; the number of
/// the first thing it does not allow, or that all is allowed.
fn follow(text: &str, trace: &[&str]) -> Result<(), usize> {
    let model = checked(text).model;
    let mut oracle = Oracle::new();
    assert!(model::functions::declare(&model, &["".into()], &mut oracle).is_empty());
    let mixed = Mixed::new(Config::default(), Solver::default(), oracle);
    let mut executor = Executor::new(&model, mixed);
    let mut observer = Observer::new(&mut executor);
    for (number, step) in trace.iter().enumerate() {
        let allowed = match step.split_once(['?', '!']) {
            None => observer.silence(&mut executor),
            Some((channel, value)) => {
                let channel = model.channel(channel).expect("the trace names channels");
                let values = value.split_whitespace();
                let values: Vec<Value> = values
                    .map(|value| Value::Int(value.parse().expect("it is an integer")))
                    .collect();
                match step.contains('?') {
                    true => observer.input(&mut executor, channel, &values),
                    false => observer.output(&mut executor, channel, &values),
                }
            }
        };
        if allowed != Allowed::Yes {
            assert_eq!(allowed, Allowed::No, "{step}");
            return Err(number);
        }
    }
    Ok(())
}

#[test]
fn a_shared_variable_is_one_for_all_automata() {
    let text = "
        channel deposit(Int), balance(Int)
        var money: Int = 10
        automaton Till {
            var x: Int
            initial open
            open -> open, deposit?(x) where x > 0, money := money + x
        }
        automaton Clerk {
            initial idle
            idle -> idle when money > 12, balance!(money), money := 0
        }";
    assert_eq!(follow(text, &["silence", "deposit?2", "silence"]), Ok(()));
    let trace = [
        "deposit?2",
        "deposit?3",
        "balance!15",
        "silence",
        "balance!15",
    ];
    assert_eq!(follow(text, &trace), Err(4));
    let wrong = "var x: Int\nautomaton A { var x: Int initial a a -> a, tau }";
    assert_eq!(
        faults(wrong),
        ["2:19: there is another variable `x` already"]
    );
}

const WORKERS: &str = "
    channel left(Int), right(Int), done(Int)
    automaton Worker(id: Int, size: Int, job: channel) {
        var seen: Int[size]
        var count: Int
        initial idle
        take: idle -> busy, job?(seen[0])
        finish: busy -> idle, done!(id * 100 + seen[0]), count := count + 1
    }
    instance a = Worker(1, 2, left), b = Worker(2, 3, right)
";

#[test]
fn an_instance_is_its_template_with_what_it_was_given() {
    let model = checked(WORKERS).model;
    let names: Vec<&str> = model.transitions.iter().map(|t| &t.name[..]).collect();
    assert_eq!(names, ["a.take", "a.finish", "b.take", "b.finish"]);
    let types: Vec<String> = model.variables.iter().map(|v| v.ty.to_string()).collect();
    assert_eq!(types, ["Int[2]", "Int", "Int[3]", "Int"]);
    let trace = ["left?7", "right?8", "done!208", "done!107", "silence"];
    assert_eq!(follow(WORKERS, &trace), Ok(()));
    assert_eq!(follow(WORKERS, &["left?7", "done!207"]), Err(1));
}

#[test]
fn what_an_instance_is_given_has_to_fit() {
    let text = "\
channel c(Int)
automaton T(n: Int, c: channel) {
    var x: Int
    initial s
    s -> s, c?(x) where x < n
}
instance a = T(1), b = T(true, c), d = T(1, 2), e = U(1), f = T(1, d)
";
    assert_eq!(
        faults(text),
        [
            "7:14: `T` takes 2 values, not 1",
            "7:26: it is a Bool, and an Int should be here",
            "7:45: a channel should be here",
            "7:53: there is no template `U`: an automaton with parameters, as in \
             `automaton U(id: Int)`",
            "7:68: there is no channel `d`; declare it with `channel d`",
        ]
    );
    let unused = "automaton T(n: Int) { initial s s -> s, tau }\n\
                  automaton A { initial s s -> s, tau }";
    let warnings = checked(unused).warnings;
    assert_eq!(
        warnings[0].message,
        "nothing is an instance of `T`: write `instance NAME = T(…)`"
    );
}

#[test]
fn what_automata_exchange_is_seen_on_a_visible_channel_alone() {
    let text = |kind: &str| {
        format!(
            "channel go, pass(Int) {kind}, out(Int)
             automaton Sender {{
                 initial idle
                 idle -> sending, go?
                 sending -> idle, pass!(5)
             }}
             automaton Receiver {{
                 var x: Int
                 initial waiting
                 waiting -> answering, pass?(x)
                 answering -> waiting, out!(x + 1)
             }}"
        )
    };
    let seen = ["go?", "pass!5", "out!6", "silence"];
    let unseen = ["go?", "out!6", "silence"];
    assert_eq!(follow(&text("visible"), &seen), Ok(()));
    assert_eq!(follow(&text("visible"), &unseen), Err(1));
    assert_eq!(follow(&text(""), &unseen), Ok(()));
    assert_eq!(follow(&text(""), &seen), Err(1));
}

/// A producer and a consumer with a queue between them; `ack` says how many were sent.
fn queued(kind: &str) -> String {
    format!(
        "channel put(Int), ack(Int), link(Int) {kind}, get, got(Int)
         automaton Producer {{
             var x, sent: Int
             initial idle
             idle -> sending, put?(x)
             sending -> told, link!(x), sent := sent + 1
             told -> idle, ack!(sent)
         }}
         automaton Consumer {{
             var y: Int
             initial idle
             idle -> ready, get?
             ready -> full, link?(y)
             full -> idle, got!(y)
         }}"
    )
}

#[test]
fn messages_wait_in_a_queue_in_their_order_and_as_many_as_there_is_room_for() {
    let text = queued("queue 2");
    let order = [
        "put?4", "ack!1", "put?5", "ack!2", "get?", "got!4", "get?", "got!5",
    ];
    assert_eq!(follow(&text, &order), Ok(()));
    let full = [
        "put?4", "ack!1", "put?5", "ack!2", "put?6", "silence", "get?", "got!4", "ack!3",
    ];
    assert_eq!(follow(&text, &full), Ok(()));
    let other = ["put?4", "ack!1", "put?5", "ack!2", "get?", "got!5"];
    assert_eq!(follow(&text, &other), Err(5));
    // Without a queue, sending waits for the receiver.
    assert_eq!(follow(&queued(""), &["put?4", "ack!1"]), Err(1));
}

#[test]
fn a_lossy_queue_may_lose_any_message_and_invents_none() {
    let text = queued("queue 2 lossy");
    let lost = [
        "put?4", "ack!1", "put?5", "ack!2", "get?", "got!5", "get?", "silence",
    ];
    assert_eq!(follow(&text, &lost), Ok(()));
    let invented = ["put?4", "ack!1", "get?", "got!5"];
    assert_eq!(follow(&text, &invented), Err(3));
    let twice = ["put?4", "ack!1", "get?", "got!4", "get?", "got!4"];
    assert_eq!(follow(&text, &twice), Err(5));
}

#[test]
fn a_queue_to_or_from_the_environment_keeps_its_name() {
    let text = "
        channel in(Int) queue 3, out(Int) queue 3
        automaton A {
            var x: Int
            initial s
            s -> t, in?(x)
            t -> s, out!(x)
        }";
    let trace = [
        "in?1", "in?2", "in?3", "out!1", "in?4", "out!2", "out!3", "out!4", "silence",
    ];
    assert_eq!(follow(text, &trace), Ok(()));
    assert_eq!(follow(text, &["in?1", "in?2", "out!2"]), Err(2));
}

#[test]
fn values_in_brackets_change_at_once() {
    let text = |assignments: &str| {
        format!(
            "channel set(Int, Int), show(Int, Int)
             automaton A {{
                 var x, y: Int
                 initial s
                 s -> t, set?(x, y), {assignments}
                 t -> s, show!(x, y)
             }}"
        )
    };
    assert_eq!(
        follow(&text("(x, y) := (y, x)"), &["set?1 2", "show!2 1"]),
        Ok(())
    );
    assert_eq!(
        follow(&text("x := y, y := x"), &["set?1 2", "show!2 2"]),
        Ok(())
    );
    let several = text("x := x + 1, (x, y) := (y, x), y := y * 10");
    assert_eq!(follow(&several, &["set?1 2", "show!2 20"]), Ok(()));
    assert_eq!(
        faults(&text("(x, y) := (y, x, 1)")),
        ["5:56: 2 variables cannot take 3 values"]
    );
}
