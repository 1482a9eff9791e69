//! Systems behind a WebSocket or a serial line, which a command reaches for the tester.

use std::process::Command;
use testkit::{Running, Scratch, project};

/// A sum, and messages as the systems below write them.
const ADDER: &str = "\
channel add(Int), total(Int)
codec lines { add = \"ADD {}\", total = \"TOTAL {}\" }
automaton Adder {
    var x, sum: Int
    initial idle
    add: idle -> busy, add?(x) where 0 <= x and x <= 100, sum := sum + x
    tell: busy -> idle, total!(sum)
}
";

/// A device at the other end of a serial line. It adds one too much if it is told to, and
/// begins anew when it is told so.
const DEVICE: &str = "\
import os, pty, sys, tty
master, slave = pty.openpty()
tty.setraw(slave)
print(os.ttyname(slave), flush=True)
total = 0
for line in os.fdopen(master, 'rb', 0):
    total = total + int(line.split()[1]) + int(sys.argv[1]) if b'ADD' in line else 0
    if b'ADD' in line:
        os.write(master, b'TOTAL %d\\n' % total)
";

/// A server of WebSockets that adds.
const SERVER: &str = "\
import base64, hashlib, socketserver, sys

class Adder(socketserver.StreamRequestHandler):
    def handle(self):
        key = b''
        while line := self.rfile.readline().strip():
            if line.lower().startswith(b'sec-websocket-key:'):
                key = line.split()[1]
        key = hashlib.sha1(key + b'258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest()
        self.wfile.write(b'HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\n'
            b'Connection: Upgrade\\r\\nSec-WebSocket-Accept: ' + base64.b64encode(key) + b'\\r\\n\\r\\n')
        total = 0
        self.wfile.write(b'\\x89\\x02hi')
        while (head := self.rfile.read(6)) and head[0] != 0x88:
            text = self.rfile.read(head[1] & 127)
            if head[0] == 0x81:
                text = bytes(byte ^ head[2 + place % 4] for place, byte in enumerate(text))
                total += int(text.split()[1]) + int(sys.argv[1])
                half, rest = b'TOTAL ', b'%d' % total
                self.wfile.write(bytes([1, len(half)]) + half + bytes([128, len(rest)]) + rest)

server = socketserver.ThreadingTCPServer(('localhost', 0), Adder)
print(server.server_address[1], flush=True)
server.serve_forever()
";

/// How the tests of the adder end against what the script serves, by the command that
/// reaches what the script says it serves.
fn tested(script: &str, wrong: &str, reached_by: impl Fn(&str) -> String) -> String {
    let scratch = Scratch::with(&[("adder.iosts", ADDER), ("system.py", script)]);
    let mut python = Command::new("python3");
    python
        .args(["system.py", wrong])
        .current_dir(scratch.folder());
    let mut system = Running::start(&mut python);
    system.until(|it| it.printed().ends_with('\n'));
    let command = reached_by(system.printed().trim());
    let run = ["model", "run", "adder.iosts", "--cover", "transitions"];
    let patience = ["--ready", "30", "--timeout", "2", "--sut", &command];
    let output = scratch.everypath(&[&run[..], &patience].concat());
    system.kill();
    let last = output.stdout.lines().last();
    last.unwrap_or(&output.stderr).to_owned()
}

fn bridge(name: &str) -> String {
    let path = project("examples/model/bridges").join(name);
    path.to_str().expect("the path is text").to_owned()
}

#[test]
fn a_system_behind_a_serial_line_is_tested_through_a_command() {
    let serial = |line: &str| format!("sh {} {line} 9600 RESET", bridge("serial.sh"));
    let right = "1 pass, 0 fail, 0 inconclusive";
    assert_eq!(tested(DEVICE, "0", serial), right);
    let wrong = "0 pass, 1 fail, 0 inconclusive";
    assert_eq!(tested(DEVICE, "1", serial), wrong);
}

#[test]
fn a_system_behind_a_web_socket_is_tested_through_a_command() {
    let web = |port: &str| format!("python3 {} ws://localhost:{port}/", bridge("websocket.py"));
    let right = "1 pass, 0 fail, 0 inconclusive";
    assert_eq!(tested(SERVER, "0", web), right);
    let wrong = "0 pass, 1 fail, 0 inconclusive";
    assert_eq!(tested(SERVER, "1", web), wrong);
}
