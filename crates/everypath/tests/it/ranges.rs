//! Runs in several processes, runs that are killed and go on, runs with little memory: the
//! paths are always the same.
//!
//! The programs hash the way they go and exit with that number, so that two runs whose
//! tests end alike have the same paths.

use base::Random;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use testkit::Scratch;

/// 4,000 paths or so, and an error on some of them.
const PROGRAM: &str = r#"
#include <everypath.h>
#include <stdlib.h>
static unsigned h = 17;
static void at(unsigned block) { h = h * 16777619u ^ block; }
int main(void) {
    unsigned char v[6];
    ep_symbolic(v, sizeof v, "v");
    for (int i = 0; i < 6; i++) {
        if (v[i] < 80) at(1);
        else if (v[i] * 3 % 7 == 2) at(2);
        else if (v[i] > 200) at(3);
        else at(4);
    }
    if (v[0] == 7 && v[5] == 9) abort();
    exit((int)(h & 0x7fffffff));
}
"#;

/// How many tests end how.
fn ends(report: &Json) -> BTreeMap<String, usize> {
    let ends = report["ends"].as_object().expect("tests have ends");
    let count = |numbers: &Json| -> usize {
        let numbers = numbers.as_str().expect("they are a text");
        let numbers = numbers.split(' ').map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let number = |text: &str| text.parse::<usize>().expect("it is a number");
            number(last) - number(first) + 1
        });
        numbers.sum()
    };
    ends.iter()
        .map(|(end, tests)| (end.clone(), count(tests)))
        .collect()
}

/// Checks that two runs have the same paths; tells the first few that differ.
#[track_caller]
fn assert_same_ends(found: &Json, expected: &Json, which: &str) {
    let (found, expected) = (ends(found), ends(expected));
    let ends = found.keys().chain(expected.keys());
    let differ = ends.filter(|&end| found.get(end) != expected.get(end));
    let differ = differ.map(|end| (end, found.get(end), expected.get(end)));
    let differ: Vec<_> = differ.collect();
    assert!(
        differ.is_empty(),
        "{which}: {} ends differ: {:?}",
        differ.len(),
        &differ[..differ.len().min(5)]
    );
}

fn report(directory: &Path) -> Json {
    let text = std::fs::read_to_string(directory.join("run.json")).expect("it is written");
    serde_json::from_str(&text).expect("it is JSON")
}

/// What one process finds alone.
fn alone(scratch: &Scratch) -> Json {
    let line = "run program.c --workers 1 --output alone --json";
    let report = scratch.everypath(line).json();
    assert_eq!(report["outcome"], "complete");
    assert!(ends(&report).len() > 1_000);
    report
}

#[test]
fn two_workers_find_what_one_process_does() {
    let scratch = Scratch::with(&[("program.c", PROGRAM)]);
    let one = alone(&scratch);
    let two = scratch
        .everypath("run program.c --workers 2 --output two --json")
        .json();
    assert_eq!(two["outcome"], "complete");
    assert_eq!(ends(&two), ends(&one));
    for key in ["paths", "tests", "coverage", "incomplete", "inputs"] {
        assert_eq!(two[key], one[key], "{key}");
    }
    assert_eq!(
        two["errors"].as_array().map(Vec::len),
        one["errors"].as_array().map(Vec::len)
    );
    scratch.everypath("replay two").succeeds();
}

/// A run that a test kills.
struct Victim(Child);

impl Victim {
    fn start(scratch: &Scratch, line: &[&str]) -> Victim {
        let mut command = testkit::command(&scratch.path(""), line);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Victim(command.spawn().expect("it starts"))
    }

    /// Its workers; it starts a compiler too.
    fn workers(&self) -> Vec<u32> {
        let children = format!("/proc/{0}/task/{0}/children", self.0.id());
        let children = std::fs::read_to_string(children).unwrap_or_default();
        let is_worker = |id: &&str| {
            let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            line.ends_with(b"\0worker\0")
        };
        let workers = children.split_whitespace().filter(is_worker);
        workers.filter_map(|id| id.parse().ok()).collect()
    }

    fn is_over(&mut self) -> bool {
        self.0.try_wait().expect("it is a child").is_some()
    }
}

fn kill(process: u32) {
    let _ = Command::new("kill")
        .args(["-9", &process.to_string()])
        .status();
}

#[test]
fn whatever_is_killed_and_when_the_paths_are_the_same_in_the_end() {
    let kills = std::env::var("EVERYPATH_KILLS").ok();
    let kills = kills.and_then(|kills| kills.parse().ok()).unwrap_or(30);
    let scratch = Scratch::with(&[("program.c", PROGRAM)]);
    let expected = alone(&scratch);
    let mut random = Random::new(1);
    let (mut killed, mut runs) = (0, 0);
    while killed < kills {
        runs += 1;
        let directory = format!("killed-{runs}");
        let workers = ["1", "2"][random.below(2)];
        let first = [
            "run",
            "program.c",
            "--workers",
            workers,
            "--output",
            &directory,
        ];
        let again = ["run", "--resume", &directory, "--workers", workers];
        let mut line = &first[..];
        let mut history = Vec::new();
        loop {
            let mut victim = Victim::start(&scratch, line);
            // Later kills find more to lose; the last run of all is left alone.
            let wait = if killed < kills {
                50 + random.below(450) as u64
            } else {
                600_000
            };
            let mut waited = 0;
            while waited < wait && !victim.is_over() {
                std::thread::sleep(Duration::from_millis(10));
                waited += 10;
            }
            if victim.is_over() {
                break;
            }
            killed += 1;
            let workers = victim.workers();
            if !workers.is_empty() && random.coin() {
                // A worker alone: nobody has to do anything about it.
                history.push(format!("a worker after {waited} ms"));
                kill(workers[random.below(workers.len())]);
                let _ = victim.0.wait();
                break;
            }
            history.push(format!("coordinator after {waited} ms"));
            kill(victim.0.id());
            let _ = victim.0.wait();
            let has_journal = scratch.path(&directory).join("journal.ep").is_file();
            if !has_journal {
                // It was killed before it had anything to lose, and begins anew.
                let _ = std::fs::remove_dir_all(scratch.path(&directory));
                line = &first;
            } else {
                line = &again;
            }
        }
        let found = report(&scratch.path(&directory));
        assert_eq!(found["outcome"], "complete", "run {runs}");
        assert_same_ends(&found, &expected, &format!("run {runs}: {history:?}"));
        assert_eq!(found["tests"], expected["tests"], "run {runs}");
        assert_eq!(found["coverage"], expected["coverage"], "run {runs}");
    }
}

#[test]
fn a_run_that_is_killed_when_its_journal_begins_loses_nothing() {
    let scratch = Scratch::with(&[("program.c", PROGRAM)]);
    let expected = alone(&scratch);
    for round in 0..5 {
        let directory = format!("killed-{round}");
        let journal = scratch.path(&directory).join("journal.ep");
        let line = ["run", "program.c", "--workers", "1", "--output", &directory];
        let mut victim = Victim::start(&scratch, &line);
        while !journal.exists() && !victim.is_over() {}
        kill(victim.0.id());
        let _ = victim.0.wait();
        scratch.everypath(&format!("run --resume {directory} --workers 1"));
        let found = report(&scratch.path(&directory));
        assert_same_ends(&found, &expected, &format!("round {round}"));
    }
}

#[test]
fn a_run_that_a_limit_stopped_goes_on() {
    let scratch = Scratch::with(&[("program.c", PROGRAM)]);
    let expected = alone(&scratch);
    let stopped = scratch.everypath("run program.c --workers 1 --max-tests 50 --output run --json");
    assert_eq!(stopped.json()["outcome"], "limit");
    let resumed = scratch.everypath("run --resume run --json").json();
    assert_eq!(resumed["outcome"], "complete");
    assert_same_ends(&resumed, &expected, "resumed");
    let again = scratch.everypath("run --resume run");
    assert_eq!(again.status, Some(2));
    assert!(
        again.stderr.contains("there is nothing to resume"),
        "{}",
        again.stderr
    );
}

/// A method with a mistake, on the trees of a suite and on those found in the same run.
#[test]
fn methods_on_objects_have_the_same_paths_in_several_processes_and_after_a_limit() {
    let scratch = Scratch::with(&[]);
    let tree = testkit::project("examples/staged/search_tree.c");
    let tree = tree.to_str().expect("it is text");
    let build = format!(
        "stage build {tree} --object SearchTree --invariant repOk --max Node=4 -o tree.stage"
    );
    assert_eq!(scratch.everypath(&build).status, Some(0));
    let commands = [
        format!("stage run {tree} -D MUTANT=3 --method add --input tree.stage"),
        format!("run {tree} -D MUTANT=3 --method add --requires repOk --max Node=4"),
    ];
    for (number, command) in commands.iter().enumerate() {
        let run = |more: &str| {
            scratch
                .everypath(&format!("{command} --json {more}"))
                .json()
        };
        let expected = run(&format!("--workers 1 --output alone{number}"));
        assert_eq!(expected["outcome"], "complete");
        let several = run(&format!("--workers 2 --output several{number}"));
        run(&format!(
            "--workers 1 --max-tests 10 --output stopped{number}"
        ));
        let resumed = format!("run --resume stopped{number} --json");
        let resumed = scratch.everypath(&resumed).json();
        for (found, which) in [(several, "several"), (resumed, "stopped")] {
            assert_same_ends(&found, &expected, which);
            assert_eq!(found["stage"]["valid"], expected["stage"]["valid"]);
            assert_eq!(found["stage"]["explored"], expected["stage"]["explored"]);
            let test = found["errors"][0]["test"].as_str().expect("it has errors");
            for ending in ["svg", "dot", "c"] {
                let file = scratch.path(format!("{which}{number}/{test}.{ending}"));
                assert!(file.is_file(), "{}", file.display());
            }
        }
    }
}

/// The objects of a suite, in the order of their text, and whether it says that it is whole.
fn objects(scratch: &Scratch, suite: &str) -> (Vec<String>, bool) {
    let text = std::fs::read_to_string(scratch.path(suite)).expect("it was built");
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"));
    let mut lines: Vec<Json> = lines.collect();
    let header = lines.remove(0);
    let mut objects: Vec<String> = lines.iter().map(|it| it["objects"].to_string()).collect();
    objects.sort();
    (objects, header["complete"] == true)
}

#[test]
fn objects_are_the_same_from_several_processes_and_after_a_limit() {
    let scratch = Scratch::with(&[]);
    let tree = testkit::project("examples/staged/search_tree.c");
    let tree = tree.to_str().expect("it is text");
    let build = |more: &str| {
        let line = "--object SearchTree --invariant repOk --max Node=6 --json";
        scratch.everypath(&format!("stage build {tree} {line} {more}"))
    };
    let expected = build("-o alone.stage --workers 1").json();
    let (alone, is_whole) = objects(&scratch, "alone.stage");
    assert!(is_whole && alone.len() == 197);
    let several = build("-o several.stage --workers 2").json();
    let stopped = build("-o stopped.stage --workers 1 --max-forks 1500");
    assert_eq!(stopped.json()["complete"], false);
    let how = "go on with `everypath run --resume stopped.stage.part`";
    assert!(stopped.stderr.contains(how), "{}", stopped.stderr);
    let resumed = scratch.everypath("run --resume stopped.stage.part --json");
    for (report, suite) in [
        (several, "several.stage"),
        (resumed.json(), "stopped.stage"),
    ] {
        assert_eq!(report["stage"], expected["stage"], "{suite}");
        assert_eq!(objects(&scratch, suite), (alone.clone(), true), "{suite}");
        let part = scratch.path(format!("{suite}.part"));
        assert!(!part.exists(), "{}", part.display());
    }
}

#[test]
fn what_was_decided_means_nothing_once_a_suite_is_another() {
    let scratch = Scratch::with(&[]);
    let tree = testkit::project("examples/staged/search_tree.c");
    let tree = tree.to_str().expect("it is text");
    let build = |nodes: u32| {
        let line = format!("--object SearchTree --invariant repOk --max Node={nodes}");
        let built = scratch.everypath(&format!("stage build {tree} {line} -o tree.stage"));
        assert_eq!(built.status, Some(0), "{}", built.stderr);
    };
    build(4);
    let limited = "--method add --input tree.stage --workers 1 --max-tests 10 --output run";
    scratch.everypath(&format!("stage run {tree} {limited}"));
    build(3);
    let refused = scratch.everypath("run --resume run");
    assert_eq!(refused.status, Some(2));
    let why = "error: run: a file that the run reads has changed since";
    assert!(refused.stderr.starts_with(why), "{}", refused.stderr);
    build(4);
    let resumed = scratch.everypath("run --resume run --json").json();
    assert_eq!(resumed["outcome"], "complete");
}

/// A build that was killed, and begun anew.
#[test]
fn what_a_killed_build_has_left_is_taken_away_by_the_next() {
    let scratch = Scratch::with(&[]);
    let tree = testkit::project("examples/staged/search_tree.c");
    let build = format!(
        "stage build {} --object SearchTree --invariant repOk --max Node=5 -o tree.stage",
        tree.display()
    );
    let limited = format!("{build} --workers 1 --max-forks 100");
    assert_eq!(scratch.everypath(&limited).status, Some(0));
    assert!(scratch.path("tree.stage.part").is_dir());
    let again = scratch.everypath(&build);
    assert_eq!(again.status, Some(0));
    let said = "tree.stage.part: what an interrupted build has left is taken away";
    assert!(again.stderr.contains(said), "{}", again.stderr);
    assert!(!scratch.path("tree.stage.part").exists());
    assert!(objects(&scratch, "tree.stage").1);
}

#[test]
fn several_processes_fuzz_as_one_does() {
    const PARSER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned char v[6] = {0};
    if (fread(v, 1, sizeof v, stdin) < sizeof v) return 1;
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        if (v[i] < 80) sum += 1;
        else if (v[i] * 3 % 7 == 2) sum += 2;
        else if (v[i] > 200) sum += 3;
    }
    if (sum == 18) abort();
    if (v[0] == 7 && v[5] == 9) return *(volatile int *)0;
    return 0;
}
"#;
    let scratch = Scratch::with(&[("parser.c", PARSER)]);
    let line = "fuzz parser.c --max-length 6 --json";
    let alone = scratch.everypath(&format!("{line} --workers 1 --out alone"));
    let several = scratch.everypath(&format!("{line} --workers 2 --out several"));
    let places = |report: &Json| {
        let errors = report["errors"].as_array().expect("it has errors");
        let places = errors
            .iter()
            .map(|it| (it["kind"].to_string(), it["line"].as_u64()));
        places.collect::<std::collections::BTreeSet<_>>()
    };
    let (alone, several) = (alone.json(), several.json());
    assert_eq!(alone["outcome"], "complete");
    assert_eq!(several["outcome"], "complete");
    assert_eq!(places(&several), places(&alone));
    assert_eq!(places(&alone).len(), 2);
    assert_eq!(several["coverage"], alone["coverage"]);
    assert_eq!(
        scratch.names("several/crashes"),
        scratch.names("alone/crashes")
    );
}

#[test]
fn two_runs_do_not_write_one_directory() {
    let scratch = Scratch::with(&[("program.c", PROGRAM)]);
    scratch.everypath("run program.c --workers 1 --max-tests 50 --output run");
    let log = scratch.path("run/messages.log");
    let file = std::fs::File::open(log).expect("it is there");
    file.lock().expect("nobody else has it");
    let refused = scratch.everypath("run --resume run");
    assert_eq!(refused.status, Some(2));
    let why = "another process writes to this directory";
    assert!(refused.stderr.contains(why), "{}", refused.stderr);
}

#[test]
fn with_little_memory_nothing_is_lost() {
    let scratch = Scratch::with(&[("program.c", PROGRAM)]);
    let expected = alone(&scratch);
    let line = "run program.c --workers 1 --max-memory 120 --search bfs --output small --json";
    let small = scratch.everypath(line).json();
    assert_eq!(small["outcome"], "complete");
    assert_eq!(ends(&small), ends(&expected));
}

#[test]
fn a_run_waits_while_the_disk_is_full() {
    // A disk of its own, with room for a part of what the run writes.
    const SCRIPT: &str = r#"
        mount -t tmpfs -o size=2m none disk || exit 77
        head -c 1960k /dev/zero > disk/filler
        "$0" run program.c --workers 1 --output disk/out 2> said &
        run=$!
        until grep -q 'the disk is full' said; do
            kill -0 $run || exit 3
            sleep 0.1
        done
        rm disk/filler
        wait $run
        cp -r disk/out out
    "#;
    let scratch = Scratch::with(&[("program.c", PROGRAM), ("disk/.keep", "")]);
    let expected = alone(&scratch);
    let everypath = testkit::command(scratch.folder(), "");
    let mut unshare = Command::new("unshare");
    unshare.args(["--mount", "--map-root-user", "sh", "-c", SCRIPT]);
    unshare
        .arg(everypath.get_program())
        .current_dir(scratch.folder());
    let status = unshare.stdout(Stdio::null()).status();
    let can_mount = status.is_ok_and(|status| match status.code() {
        Some(0) => true,
        Some(3) => panic!("the run ended before the disk was full"),
        _ => false,
    });
    if !can_mount {
        eprintln!("NOTE: no disk can be mounted here, so that a full one was not tried");
        return;
    }
    assert_same_ends(&report(&scratch.path("out")), &expected, "after the wait");
}
