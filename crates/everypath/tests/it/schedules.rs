//! Tests of programs with threads: the order in which they take turns is part of a test, and
//! the real program keeps to it.

use serde_json::Value;
use testkit::{Scratch, project};

/// How many tests went natively as predicted, and what the replay said.
struct Replayed {
    agreed: u64,
    not_contradicted: u64,
    said: String,
}

/// Runs one of the programs under `tests/programs`, and all of its tests natively.
fn replayed(program: &str) -> Replayed {
    let scratch = Scratch::new();
    let path = project(&format!("tests/programs/{program}"));
    let text = std::fs::read_to_string(&path).expect("the program is there");
    let first = text.lines().next().unwrap_or_default();
    let options = first.strip_prefix("// run: ").unwrap_or_default();
    let path = path.to_string_lossy();
    let mut run = vec!["run", "--output", "out", &*path];
    run.extend(options.split_whitespace());
    scratch.everypath(&run);
    let output = scratch.everypath("replay out --native --json");
    let shown: Value = output.json();
    let number = |name: &str| shown[name].as_u64().expect("it is a count");
    Replayed {
        agreed: number("agreed"),
        not_contradicted: number("not_contradicted"),
        said: format!("{program}: {}", shown["divergences"]),
    }
}

/// All tests of these programs go natively as predicted.
fn happen_natively(programs: &[&str]) {
    for program in programs {
        let replayed = replayed(program);
        assert!(replayed.agreed > 0, "{}", replayed.said);
        assert_eq!(replayed.not_contradicted, 0, "{}", replayed.said);
        assert!(replayed.said.ends_with(": []"), "{}", replayed.said);
    }
}

#[test]
fn what_depends_on_the_order_of_threads_happens_natively() {
    happen_natively(&[
        "fail/threads_deadlock.c",
        "fail/threads_lost_wake_up.c",
        "fail/threads_check_then_act.c",
        "pass/threads_dining.c",
        "pass/threads_condition.c",
        "pass/threads_atomic_flag.c",
        "pass/threads_everything_else.c",
        "pass/threads_once_and_names.c",
    ]);
}

#[test]
fn waits_until_a_time_are_over_natively() {
    happen_natively(&[
        "pass/threads_give_up_waiting.c",
        "pass/threads_wait_in_vain.cc",
        "pass/threads_semaphore_for_a_while.cc",
        "pass/rust_give_up_waiting.rs",
    ]);
}

#[test]
fn what_depends_on_the_order_of_locks_of_cpp_happens_natively() {
    happen_natively(&[
        "fail/threads_locks_in_two_orders.cc",
        "fail/threads_signal_without_the_lock.cc",
        "fail/threads_lock_in_a_callback.cc",
        "fail/threads_semaphores_deadlock.cc",
        "fail/threads_locks_in_inlined_code.cc",
        "pass/threads_mutex_and_condition.cc",
    ]);
}

#[test]
fn what_depends_on_the_order_of_atomics_of_cpp_happens_natively() {
    happen_natively(&[
        "fail/threads_lost_update.cc",
        "pass/threads_latch_barrier_semaphore.cc",
        "pass/threads_future_and_promise.cc",
        "pass/threads_variables_with_constructors.cc",
    ]);
}

#[test]
fn what_depends_on_the_order_of_locks_of_rust_happens_natively() {
    happen_natively(&[
        "fail/rust_deadlock.rs",
        "pass/rust_mutex_and_condvar.rs",
        "pass/rust_two_threads_and_a_channel.rs",
    ]);
}

#[test]
fn locks_of_rust_that_are_inlined_may_wait_elsewhere_natively() {
    let scratch = Scratch::new();
    let path = project("tests/programs/fail/rust_deadlock.rs");
    let run = ["run", "-O", "2", "--json", "--output", "out"];
    let run: Value = scratch
        .everypath(&[&run[..], &[&path.to_string_lossy()]].concat())
        .json();
    assert_eq!(run["errors"][0]["kind"], "deadlock", "{run}");
    let output = scratch.everypath("replay out --native");
    assert!(output.success(), "{}", output.said());
}

#[test]
fn what_depends_on_the_order_of_atomics_of_rust_happens_natively() {
    happen_natively(&[
        "fail/rust_lost_update.rs",
        "pass/rust_scoped_threads_and_fence.rs",
        "pass/rust_spin_lock_and_destructor.rs",
    ]);
}

#[test]
fn the_order_of_threads_is_part_of_a_test() {
    let scratch = Scratch::new();
    let program = project("tests/programs/fail/threads_deadlock.c");
    scratch.everypath(&["run", "--output", "out", &*program.to_string_lossy()]);
    let replayed = scratch.everypath("replay out").stdout;
    let test = replayed.lines().find(|line| line.ends_with("  deadlock"));
    let test = test.and_then(|line| line.split(' ').next());
    let test = test.expect("one ends so");
    let shown = scratch.everypath(&["show", &*format!("out/{test}")]).stdout;
    let schedule = shown
        .lines()
        .find_map(|line| line.strip_prefix("schedule: "));
    let turns = schedule.expect("there is one").split(' ');
    let is_turn = |turn: &str| turn.split_once(':').is_some();
    assert!(
        turns.clone().count() > 2 && turns.clone().all(is_turn),
        "{shown}"
    );
}

/// Adds to a number without a lock, in two threads.
const RACE: &str = r#"
#include <assert.h>
#include <pthread.h>
static int sum;
static void *add(void *unused) {
    sum++;
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 2);
    return 0;
}
"#;

/// Both threads add to a local variable of one of them.
const RACE_ON_A_LOCAL: &str = r#"
#include <assert.h>
#include <pthread.h>

static void *add(void *sum) {
    ++*(int *)sum;
    return NULL;
}

int main(void) {
    int sum = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, add, &sum);
    sum++;
    pthread_join(thread, NULL);
    assert(sum == 2);
    return 0;
}
"#;

/// A local variable that another thread looks at without the lock.
const LOOK_AT_A_LOCAL: &str = r#"
#include <pthread.h>

struct barrier {
    int seen;
    pthread_mutex_t lock;
};

static void *arrive(void *given) {
    struct barrier *barrier = given;
    if (barrier->seen < 0) {
        return NULL;
    }
    pthread_mutex_lock(&barrier->lock);
    ++barrier->seen;
    pthread_mutex_unlock(&barrier->lock);
    return NULL;
}

int main(void) {
    struct barrier barrier = {0};
    pthread_mutex_init(&barrier.lock, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, arrive, &barrier);
    arrive(&barrier);
    pthread_join(thread, NULL);
    return barrier.seen != 2;
}
"#;

/// The kinds of errors that a run finds.
fn kinds(source: &str, options: &[&str]) -> Vec<String> {
    let scratch = Scratch::new();
    scratch.write("race.c", source);
    let run = scratch.everypath(&[&["run", "race.c", "--json"], options].concat());
    let run: Value = run.json();
    let errors = run["errors"].as_array().into_iter().flatten();
    let mut kinds: Vec<String> = errors.map(|error| error["kind"].to_string()).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

#[test]
fn a_race_is_an_error_or_an_order_like_any_other() {
    for source in [RACE, RACE_ON_A_LOCAL] {
        assert_eq!(kinds(source, &[]), ["\"data-race\""]);
        assert_eq!(kinds(source, &["--ignore-races"]), ["\"assert\""]);
    }
    assert_eq!(kinds(LOOK_AT_A_LOCAL, &[]), ["\"data-race\""]);
    assert_eq!(kinds(LOOK_AT_A_LOCAL, &["--ignore-races"]), [""; 0]);
}

/// One thread waits for what another writes to a pipe and adds to a counter.
const TALKING: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
static int ends[2], counter, shared;
static void *tell(void *unused) {
    shared = 42;
    write(ends[1], "x", 1);
    eventfd_write(counter, 3);
    return unused;
}
int main(void) {
    pthread_t thread;
    eventfd_t number = 0;
    char byte = 0;
    struct epoll_event event = {.events = EPOLLIN, .data.fd = 7}, happened;
    pipe(ends);
    counter = eventfd(0, 0);
    int all = epoll_create1(0);
    epoll_ctl(all, EPOLL_CTL_ADD, counter, &event);
    pthread_create(&thread, NULL, tell, NULL);
    read(ends[0], &byte, 1);
    assert(byte == 'x' && shared == 42);
    assert(epoll_wait(all, &happened, 1, -1) == 1 && happened.data.fd == 7);
    eventfd_read(counter, &number);
    assert(number == 3);
    pthread_join(thread, NULL);
    return (int)number;
}
"#;

#[test]
fn threads_wait_for_each_other_at_pipes_and_counters() {
    let scratch = Scratch::new();
    scratch.write("talking.c", TALKING);
    let run: Value = scratch
        .everypath("run talking.c --max-preemptions 9 --json")
        .json();
    assert_eq!(run["outcome"], "complete", "{run}");
    assert_eq!(run["paths"]["errors"], 0, "{run}");
    let output = scratch.everypath("replay --native");
    assert!(output.success(), "{}", output.said());
    let silent = TALKING.replace("write(ends[1], \"x\", 1);", "");
    scratch.write("silent.c", &silent);
    let run: Value = scratch.everypath("run silent.c --json").json();
    assert_eq!(run["errors"][0]["kind"], "deadlock", "{run}");
    let output = scratch.everypath("replay --native");
    assert!(output.success(), "{}", output.said());
}
