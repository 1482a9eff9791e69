//! Real systems that know nothing of the model: each speaks what its codec says, and a wrong one
//! is found out.

use base::Stop;
use mixed::Mixed;
use mixed::solver::Solver;
use model::execution::Executor;
use model::runner::{OnlinePlan, Report, Tested, Time, Verdict, run_online};
use model::{Location, check};
use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

/// What all the systems do; the codec comes before it.
const COUNTER: &str = "
    enum Kind { small, large }
    channel add(value: Int<32>, note: String), total(sum: Int<32>, kind: Kind), reset, done
    automaton Counter {
        var value, sum: Int<32>
        var note: String
        initial idle
        take: idle -> counted, add?(value, note)
            where -100 <= value and value <= 100 and matches(note, \"[a-z]{1,5}\"),
            sum := sum + value
        low: counted -> idle when sum < 50, total!(sum, small)
        high: counted -> idle when sum >= 50, total!(sum, large)
        clear: idle -> cleared, reset?, sum := 0
        answer: cleared -> idle, done!
    }";

const LINES: &str = r#"
codec lines {
    add = "ADD {} # {}"
    total = "= {} ({})"
    reset = "RESET"
    done = "OK"
}"#;

const LINES_SYSTEM: &str = "
import sys
total = 0
for line in sys.stdin:
    words = line.rstrip('\\n').split(' ')
    if words[0] == 'ADD':
        total += int(words[1])
        print(f'= {total} ({\"large\" if total >= LIMIT else \"small\"})', flush=True)
    elif words == ['RESET']:
        total = 0
        print('OK', flush=True)
";

const FRAMES: &str = "
codec frames 2 {
    add = 1
    total = 0x81
    reset = 2
    done = 0x82
}";

const FRAMES_SYSTEM: &str = "
import socketserver, struct, sys
class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        total = 0
        while size := self.rfile.read(2):
            body = self.rfile.read(struct.unpack('>H', size)[0])
            if body[0] == 1:
                value, length = struct.unpack('>iH', body[1:7])
                assert body[7:] == body[7:7 + length] and body[7:].isalpha()
                total += value
                answer = struct.pack('>BiB', 0x81, total, int(total >= LIMIT))
            else:
                total = 0
                answer = b'\\x82'
            self.wfile.write(struct.pack('>H', len(answer)) + answer)
socketserver.TCPServer.allow_reuse_address = True
socketserver.TCPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
";

const HTTP: &str = r#"
codec http {
    add = "POST /counter/{}"
    total = 200
    reset = "DELETE /counter"
    done = 204
}"#;

const HTTP_SYSTEM: &str = "
import http.server, json, sys
class Handler(http.server.BaseHTTPRequestHandler):
    total = 0
    def answer(self, status, body=b''):
        self.send_response(status)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def do_POST(self):
        note = json.loads(self.rfile.read(int(self.headers['Content-Length'])))['note']
        assert note.isalpha()
        Handler.total += int(self.path.rsplit('/', 1)[1])
        kind = 'large' if Handler.total >= LIMIT else 'small'
        self.answer(200, json.dumps({'sum': Handler.total, 'kind': kind}).encode())
    def do_DELETE(self):
        Handler.total = 0
        self.answer(204)
http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
";

/// What online testing says of a system that counts from this limit on as large.
fn tested(codec: &str, system: &str, limit: i32, address: Option<&str>) -> Report {
    let folder = tempfile::tempdir().expect("there is room for a file");
    let file = folder.path().join("system.py");
    let text = system.replace("LIMIT", &limit.to_string());
    std::fs::write(&file, text).expect("there is room for a file");
    let command = |port: &str| format!("python3 {} {port}", path(&file));
    let (source, server) = match address {
        None => (command(""), None),
        Some(scheme) => {
            let port = free_port().to_string();
            let server = command(&port).parse().expect("it is a command");
            (format!("{scheme}://127.0.0.1:{port}"), Some(server))
        }
    };
    let tested = Tested {
        source: source.parse().expect("it names a system"),
        server,
        timeout: Duration::from_secs(20),
        ready: Duration::from_secs(20),
        is_strict: true,
        time: Time::Simulated,
    };
    let checked = check(&format!("{COUNTER}{codec}"), &[]);
    let model = checked.unwrap_or_else(|faults| panic!("{faults:?}")).model;
    let mut executor = Executor::new(&model, Mixed::from(Solver::default()));
    executor.set_stop(&Stop::never());
    run_online(&mut executor, &tested, &online(60, 1))
}

fn path(file: &Path) -> String {
    file.display().to_string()
}

/// A port that nobody listens on just now.
fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("there is a free port");
    listener.local_addr().expect("it is bound").port()
}

fn check_codec(codec: &str, system: &str, address: Option<&str>) {
    let right = tested(codec, system, 50, address);
    assert_eq!(
        right.verdict,
        Verdict::Pass,
        "{} {}",
        right.reason,
        right.stderr
    );
    let wrong = tested(codec, system, 51, address);
    assert_eq!(wrong.verdict, Verdict::Fail, "{:?}", wrong.trace);
    let expected = "total(50, small) came; the model expects total(50, large)";
    assert_eq!(wrong.reason, expected);
}

#[test]
fn a_system_that_speaks_lines_of_text_is_tested_as_it_is() {
    check_codec(LINES, LINES_SYSTEM, None);
}

#[test]
fn a_server_that_speaks_binary_frames_is_tested_as_it_is() {
    check_codec(FRAMES, FRAMES_SYSTEM, Some("tcp"));
}

#[test]
fn a_server_that_speaks_http_is_tested_as_it_is() {
    check_codec(HTTP, HTTP_SYSTEM, Some("http"));
}

#[test]
fn a_codec_that_cannot_be_right_is_refused_where_it_stands() {
    let faults = |codec: &str| -> Vec<String> {
        let text = format!("{codec}{COUNTER}");
        let faults = check(&text, &[]).err().unwrap_or_default();
        let told = faults.iter().map(|fault| {
            let Location { line, column } = fault.span.location(&text);
            format!("{line}:{column}: {}", fault.message)
        });
        told.collect()
    };
    for (codec, expected) in [
        (
            LINES.replace("RESET", "{}"),
            "5:13: the channel `reset` has 0 values; the text has 1 places, written {}",
        ),
        (
            LINES.replace("# ", "").replace("{} {}", "{}{}"),
            "3:11: there must be something between two values",
        ),
        (
            LINES.replace("    done = \"OK\"\n", ""),
            "2:7: the codec does not say how `done` is carried",
        ),
        (
            LINES.replace("lines", "text"),
            "2:7: there is no codec `text`; there are lines, frames and http",
        ),
        (
            FRAMES.replace("0x81", "300"),
            "4:13: a number from 0 to 255 should be here",
        ),
        (
            FRAMES.replace("frames 2", "frames"),
            "2:7: say how many bytes the length has: `codec frames 2 { … }`",
        ),
        (
            HTTP.replace("= 204", "= \"GET /x\""),
            "6:12: `done` is an output: write the status of its response, 200",
        ),
        (
            HTTP.replace("DELETE /counter", "DELETE counter"),
            "5:13: a request is a method and a path: \"POST /path\"",
        ),
    ] {
        assert_eq!(faults(&codec), [expected], "{codec}");
    }
}

/// So many messages, and nothing else that is wanted of them.
fn online(messages: usize, seed: u64) -> OnlinePlan {
    OnlinePlan {
        messages,
        seed,
        until: None,
        purpose: None,
    }
}
