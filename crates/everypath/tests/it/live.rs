//! The page of a run that goes on: who may see it, and what its buttons do.

use crate::browser;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use testkit::{Running, Scratch, project};

/// A program without an end: each round is a branch.
const ENDLESS: &str = r#"
#include <everypath.h>
int main(void) {
    for (int round = 0;; round++) {
        unsigned char byte;
        ep_symbolic(&byte, sizeof byte, "byte");
        if (byte == 'q')
            return round & 1;
    }
}
"#;

/// A program of 8,191 paths that end, every 256th of them in an error, and one that does not.
const MANY: &str = r#"
#include <everypath.h>
int main(void) {
    unsigned short bits;
    ep_symbolic(&bits, sizeof bits, "bits");
    unsigned low = 0;
    for (int at = 0; at < 13; at++)
        low |= bits & (1u << at) ? 1u << at : 0;
    if (low == 8191)
        for (;;)
            ;
    ep_assert(low % 256 != 255);
    return low & 1;
}
"#;

/// A program that fuzzing does not exhaust soon.
const SUM: &str = r#"
#include <stdio.h>
int main(void) {
    int byte, sum = 0;
    while ((byte = getchar()) != EOF)
        sum = byte > 'm' ? sum * 31 + byte : sum + byte;
    return sum & 1;
}
"#;

/// A run whose page is served.
struct Live {
    scratch: Scratch,
    running: Running,
    port: String,
    token: String,
}

/// Starts a run without an end, in so many processes.
fn start(workers: u32) -> Live {
    let scratch = Scratch::with(&[("endless.c", ENDLESS)]);
    let line = format!("run endless.c --live --workers {workers} --output out");
    watch(scratch, &line)
}

/// Starts a command that serves a page.
fn watch(scratch: Scratch, line: &str) -> Live {
    let mut running = scratch.start(line);
    running.until(|it| it.complained().contains("/\n"));
    let said = running.complained();
    let url = said.lines().find_map(|line| line.strip_prefix("live: "));
    let url = url.and_then(|url| url.strip_prefix("http://127.0.0.1:"));
    let url = url.unwrap_or_else(|| panic!("there is no address: {said}"));
    let mut parts = url.split('/').map(str::to_owned);
    let (port, token) = (parts.next(), parts.next());
    Live {
        scratch,
        running,
        port: port.expect("a port"),
        token: token.expect("a token"),
    }
}

impl Live {
    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    fn connect(&self, request: &str) -> TcpStream {
        let stream = TcpStream::connect(format!("127.0.0.1:{}", self.port));
        let mut stream = stream.expect("the server listens");
        let sent = stream.write_all(request.as_bytes());
        sent.expect("the server reads");
        stream
    }

    /// Sends a request; the status of the answer, and all of it.
    fn send(&self, request: &str) -> (u16, String) {
        let mut answer = String::new();
        let read = self.connect(request).read_to_string(&mut answer);
        read.expect("the server answers");
        let status = answer.split(' ').nth(1).and_then(|it| it.parse().ok());
        (status.expect("an answer begins with its status"), answer)
    }

    /// The status of the answer to a request with these headers.
    fn status(&self, what: &str, headers: &str) -> u16 {
        self.send(&format!("{what} HTTP/1.1\r\n{headers}\r\n\r\n"))
            .0
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}", self.port)
    }

    /// Presses a button as the page does.
    fn press(&self, button: &str) {
        let (host, port) = (self.host(), &self.port);
        let headers = format!("{host}\r\nOrigin: http://127.0.0.1:{port}\r\nContent-Length: 0");
        let what = format!("POST /{}/{button}", self.token);
        assert_eq!(self.status(&what, &headers), 204);
    }

    /// Listens to events, as a page does that is open.
    fn listen(&self) -> TcpStream {
        let (token, host) = (&self.token, self.host());
        self.connect(&format!("GET /{token}/events HTTP/1.1\r\n{host}\r\n\r\n"))
    }

    /// Reads events until one is so.
    fn until(&self, is_so: impl Fn(&Json) -> bool) -> Json {
        for line in BufReader::new(self.listen()).lines() {
            let line = line.expect("the server goes on");
            let Some(event) = line.strip_prefix("data: ") else {
                continue;
            };
            let event: Json = serde_json::from_str(event).expect("events are JSON");
            if is_so(&event) {
                return event;
            }
        }
        panic!("the events ended: {}", self.running.complained());
    }

    /// Fetches documents, as a page does that is open, until one is so.
    fn until_document(&self, is_so: impl Fn(&Json) -> bool) -> Json {
        let found = std::cell::OnceCell::new();
        self.until(|_| {
            let document = self.document();
            is_so(&document) && found.set(document).is_ok()
        });
        found.into_inner().expect("the last one is so")
    }

    fn document(&self) -> Json {
        let what = format!(
            "GET /{}/document HTTP/1.1\r\n{}\r\n\r\n",
            self.token,
            self.host()
        );
        let (_, answer) = self.send(&what);
        let (_, json) = answer.split_once("\r\n\r\n").expect("there is a body");
        serde_json::from_str(json).expect("it is a document")
    }
}

fn paths(event: &Json) -> u64 {
    event["run"]["paths"]["completed"].as_u64().unwrap_or(0)
}

#[test]
fn only_who_knows_the_token_and_comes_from_the_page_is_answered() {
    let live = start(1);
    let (page, host) = (format!("GET /{}/", live.token), live.host());
    assert_eq!(live.status(&page, &host), 200);
    let local = format!("Host: localhost:{}", live.port);
    assert_eq!(live.status(&page, &local), 200);
    for wrong in [
        "GET /",
        "GET /0123456789abcdef0123456789abcdef/",
        "GET //",
        "GET /x/document",
    ] {
        assert_eq!(live.status(wrong, &host), 403, "{wrong}");
    }
    // A name that leads here, as another page may have made one.
    assert_eq!(live.status(&page, "Host: evil.example"), 403);
    assert_eq!(live.status(&page, "X: y"), 403);
    let events = format!("GET /{}/events", live.token);
    let foreign = format!("{host}\r\nOrigin: http://evil.example");
    assert_eq!(live.status(&events, &foreign), 403);
    assert_eq!(live.status(&page, &format!("{host}\r\nOrigin: null")), 403);
    let stop = format!("POST /{}/stop", live.token);
    assert_eq!(live.status(&stop, &host), 403);
    assert_eq!(live.status(&stop, &foreign), 403);
    // Nothing but the page is there: no files, no other methods.
    for path in ["run.json", "../run.json", "%2e%2e/run.json", "document/x"] {
        let wrong = format!("GET /{}/{path}", live.token);
        assert_eq!(live.status(&wrong, &host), 404, "{path}");
    }
    assert_eq!(live.status(&format!("DELETE /{}/", live.token), &host), 400);
    let (_, answer) = live.send(&format!("{page} HTTP/1.1\r\n{host}\r\n\r\n"));
    assert!(answer.contains("connect-src 'self'"), "{answer}");
    assert!(answer.contains("frame-ancestors 'none'"), "{answer}");
    assert!(answer.contains("Referrer-Policy: no-referrer"), "{answer}");
    // After all that was refused, the run goes on.
    live.until(|event| event["phase"] == "running" && paths(event) > 0);
}

#[test]
fn a_run_is_paused_dumped_and_stopped_from_its_page() {
    let live = start(1);
    live.until(|event| paths(event) > 2);
    let document = live.document();
    assert_eq!(document["title"], "endless.c");
    assert_eq!(document["live"]["phase"], "running");
    // The tree grows while the run goes on.
    let branches = |it: &Json| it["tree"]["parents"].as_array().map_or(0, Vec::len);
    live.until_document(|it| branches(it) > 2);
    live.press("pause");
    live.until(|event| event["phase"] == "paused");
    live.press("dump");
    let dumped = live.until(|event| event["dumps"][0].is_string());
    assert_eq!(dumped["dumps"][0], "out/dump-1");
    let before = paths(&dumped);
    live.press("resume");
    live.until(|event| event["phase"] == "running" && paths(event) > before);
    live.press("stop");
    let Live {
        scratch, running, ..
    } = live;
    let finished = running.finish();
    assert!(
        finished.stdout.contains("interrupted"),
        "{}",
        finished.said()
    );
    // The dump is a run of its own, whose tests are the paths that were open.
    let listed = scratch.everypath("tests out/dump-1 --json").json();
    assert!(
        listed["tests"]
            .as_array()
            .is_some_and(|tests| !tests.is_empty()),
        "{listed}"
    );
    scratch
        .everypath("report out/dump-1 --html dump.html")
        .succeeds();
}

#[test]
fn the_list_and_the_tree_are_of_the_same_tests_when_there_are_more_than_are_shown() {
    let scratch = Scratch::with(&[("many.c", MANY)]);
    let live = watch(scratch, "run many.c --live --output out");
    let tests = |it: &Json| it["tests"].as_array().cloned().unwrap_or_default();
    let is_followed = |test: &Json| test["node"].is_u64();
    let written = |it: &Json| it["live"]["run"]["tests"].as_u64() > Some(6_000);
    let document = live.until_document(|it| written(it) && tests(it).iter().all(is_followed));
    let shown = tests(&document);
    assert!(
        shown.len() >= 5_000 && shown.len() < 6_000,
        "{}",
        shown.len()
    );
    // Each test has a leaf of its own, and each leaf a test.
    let nodes = |name: &str| {
        let nodes = document["tree"][name].as_array().expect("there is a tree");
        nodes.iter().filter_map(Json::as_u64)
    };
    let inner: BTreeSet<u64> = nodes("parents").collect();
    let all = 0..nodes("parents").count() as u64;
    let leaves: BTreeSet<u64> = all.filter(|node| !inner.contains(node)).collect();
    let ends = shown.iter().filter_map(|test| test["node"].as_u64());
    let ends: BTreeSet<u64> = ends.collect();
    assert_eq!(ends.len(), shown.len());
    assert_eq!(ends, leaves);
    live.press("stop");
    live.running.finish();
}

#[test]
fn a_page_that_stays_open_hears_the_end_after_an_interrupt() {
    let live = start(1);
    let mut page = live.listen();
    live.until(|event| paths(event) > 2);
    let finished = live.running.interrupt();
    let said = finished.said();
    assert!(finished.stdout.contains("interrupted"), "{said}");
    // It did not hang up, and the run ended all the same.
    let mut events = String::new();
    let read = page.read_to_string(&mut events);
    read.expect("the server has closed it");
    let last = events.lines().rfind(|line| line.starts_with("data: "));
    assert!(
        last.is_some_and(|it| it.contains(r#""phase":"over""#)),
        "{last:?}"
    );
}

#[test]
fn workers_wait_and_end_when_the_page_says_so() {
    let live = start(2);
    let shown = live.until(|event| event["workers"].as_array().is_some_and(|it| it.len() == 2));
    assert_eq!(shown["phase"], "running");
    live.until(|event| paths(event) > 2);
    live.press("pause");
    live.press("dump");
    let dumped = live.until(|event| event["dumps"][0].is_string());
    assert_eq!(dumped["phase"], "paused");
    live.press("resume");
    let before = paths(&dumped);
    live.until(|event| paths(event) > before);
    live.press("pause");
    live.press("stop");
    let finished = live.running.finish();
    assert!(
        finished.stdout.contains("interrupted"),
        "{}",
        finished.said()
    );
}

#[test]
fn a_person_pauses_and_stops_a_run_in_a_browser_and_has_its_report() {
    for workers in [1, 2] {
        let live = start(workers);
        if browser::look("live", [live.url()]).is_none() {
            return;
        }
        let Live {
            scratch, running, ..
        } = live;
        let finished = running.finish();
        assert!(
            finished.stdout.contains("interrupted"),
            "{}",
            finished.said()
        );
        assert_eq!(scratch.everypath("tests out").status, Some(0));
    }
}

#[test]
fn fuzzing_and_models_have_the_same_page() {
    let scratch = Scratch::with(&[("sum.c", SUM)]);
    let live = watch(scratch, "fuzz sum.c --live --out out");
    live.until(|event| event["run"]["fuzz"]["runs"].as_u64() > Some(10));
    assert!(live.document()["run"]["fuzz"].is_object());
    live.press("stop");
    live.running.finish();

    let model = project("examples/model/grid.iosts");
    let bounds = "--height 100000 --max-states 100000000";
    let line = format!("model explore {} {bounds} --live", model.display());
    let live = watch(Scratch::new(), &line);
    live.until(|event| {
        event["curve"]
            .as_array()
            .is_some_and(|curve| curve.len() > 2)
    });
    live.press("pause");
    live.until(|event| event["phase"] == "paused");
    let document = live.document();
    assert_eq!(
        document["model"]["transitions"].as_array().map(Vec::len),
        Some(8)
    );
    live.press("dump");
    let dumped = live.until(|event| event["dumps"][0].is_string());
    let dump = dumped["dumps"][0].as_str().unwrap_or_default().to_owned();
    live.press("stop");
    let Live {
        scratch, running, ..
    } = live;
    let finished = running.finish();
    assert!(finished.stdout.contains("(stopped)"), "{}", finished.said());
    let shown = scratch.everypath(&*format!("report {dump}")).succeeds();
    assert_eq!(shown.stdout, format!("{dump}/report.html\n"));
}

#[test]
fn the_page_of_a_model_is_shown_like_that_of_a_run() {
    let scratch = Scratch::new();
    let model = project("examples/model/atm.iosts");
    let line = format!("model explore {} -o out", model.display());
    scratch.everypath(&*line).succeeds();
    let shown = scratch.everypath("report out").succeeds();
    assert_eq!(shown.stdout, "out/report.html\n");
    scratch.everypath("report out --html page.html").succeeds();
    let page = scratch.read("page.html");
    assert_eq!(page, scratch.read("out/report.html"));
    assert!(
        page.contains("\"automata\":\""),
        "the automata are on the page"
    );
}

#[test]
fn functions_that_are_tested_one_after_the_other_have_one_page() {
    let program = "int first(int x) { return 10 / x; }\n\
                   int second(unsigned n) { unsigned i = 0; while (i < n) i++; return i & 1; }\n\
                   int main(void) { return first(1) + second(2); }\n";
    let scratch = Scratch::with(&[("two.c", program)]);
    let line = "run two.c --all-functions --function-time 600 --live --output out";
    let live = watch(scratch, line);
    let document =
        live.until_document(|it| it["title"] == "two.c, second" && paths(&it["live"]) > 2);
    let note = document["notes"][0].as_str().unwrap_or_default().to_owned();
    assert_eq!(note, "first: 2 paths, 1 with errors, complete");
    assert_eq!(document["errors"][0]["finding"]["kind"], "division");
    live.press("stop");
    let finished = live.running.finish();
    assert_eq!(finished.status, Some(1), "{}", finished.said());
}

#[test]
fn the_search_for_valid_objects_is_watched_and_dumped() {
    let program = project("examples/staged/search_tree.c");
    let line = format!(
        "stage build {} --object SearchTree --invariant repOk --max Node=40 -o tree.stage --live",
        program.display()
    );
    let live = watch(Scratch::new(), &line);
    live.until(|event| paths(event) > 3);
    live.press("dump");
    let dumped = live.until(|event| event["dumps"][0].is_string());
    assert_eq!(dumped["dumps"][0], "tree.stage.dump-1");
    live.press("stop");
    let Live {
        scratch, running, ..
    } = live;
    running.finish();
    scratch.everypath("stage show tree.stage.dump-1").succeeds();
}
