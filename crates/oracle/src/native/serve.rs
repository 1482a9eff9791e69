//! The helper process: takes requests, calls native code, answers.
//!
//! It lives as long as its parent and holds nothing of it: standard input, the
//! way the shared memory comes in, becomes `/dev/null`; the process leaves the
//! terminal's session, ends with its parent, and leaves no core files. Before the first
//! library is loaded, whose constructors run at once, it enters the [`Sandbox`].

use super::code::{Arrays, Callable, Libraries};
use super::shared::{Shared, Way};
use super::wire::{
    ACCESS_NULL, ACCESS_WRITE, ALLOW_NETWORK, ALLOW_PROCESSES, BIND, CALL, DONE, GARBLED,
    GIVEN_ONLY, HELLO, LOAD, MEMORY, OVERRUN, PERFORM, Passed, REFUSED, Reader, put_bytes,
};
use crate::sandbox::{Confinement, Sandbox};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

/// Serves the oracle that started this process until that one ends.
///
/// The embedding program calls it in a hidden subcommand, before it starts
/// threads, and ends when it returns; see [`HelperCommand`](crate::HelperCommand).
pub fn serve() -> io::Result<()> {
    die_with_parent();
    let mut shared = take_memory()?;
    settle();
    let mut server = Server {
        libraries: Libraries::new(),
        functions: Vec::new(),
        response: Vec::new(),
    };
    let mut request = Vec::new();
    // Private on purpose: native code cannot reach them by way of shared memory.
    let parent = shared.owner();
    let mut sequence: u32 = 0;
    loop {
        sequence = sequence.wrapping_add(1);
        if !wait_for_request(&shared, sequence, parent) {
            return Ok(());
        }
        shared.follow_growth()?;
        server.response.clear();
        shared.set_progress(0);
        match shared.receive(Way::Request, sequence, &mut request) {
            Ok(()) => server
                .answer(&shared, &request)
                .unwrap_or_else(|| server.respond(&[GARBLED])),
            Err(_) => server.respond(&[GARBLED]),
        }
        if server.response.len() > shared.room() {
            server.respond(&[GARBLED]);
        }
        shared.send(Way::Response, sequence, &server.response);
    }
}

/// Waits as long as there is a parent.
fn wait_for_request(shared: &Shared, sequence: u32, parent: u32) -> bool {
    if shared.spin(Way::Request, sequence) {
        return true;
    }
    loop {
        if shared.sleep(Way::Request, sequence, Duration::from_millis(200)) {
            return true;
        }
        if std::os::unix::process::parent_id() != parent {
            return false;
        }
    }
}

struct Server {
    libraries: Libraries,
    functions: Vec<Option<Callable>>,
    response: Vec<u64>,
}

impl Server {
    fn respond(&mut self, words: &[u64]) {
        self.response.clear();
        self.response.extend_from_slice(words);
    }

    fn refuse(&mut self, reason: &str) {
        self.respond(&[REFUSED]);
        put_bytes(&mut self.response, reason.as_bytes());
    }

    /// Fills the response; `None` for a request that makes no sense.
    fn answer(&mut self, shared: &Shared, request: &[u64]) -> Option<()> {
        let mut reader = Reader(request);
        match reader.word()? {
            HELLO => self.enter_sandbox(&mut reader)?,
            LOAD => self.load(&mut reader)?,
            BIND => self.bind(&mut reader)?,
            CALL => self.call(shared, &mut reader)?,
            PERFORM => self.perform(&mut reader)?,
            MEMORY => self.respond(&[DONE, self.libraries.memory()]),
            _ => return None,
        }
        Some(())
    }

    fn enter_sandbox(&mut self, reader: &mut Reader) -> Option<()> {
        let allowed = reader.word()?;
        let mut sandbox = Sandbox {
            network: allowed & ALLOW_NETWORK != 0,
            processes: allowed & ALLOW_PROCESSES != 0,
            write: Vec::new(),
        };
        while !reader.0.is_empty() {
            let path = reader.bytes()?;
            sandbox.write.push(OsStr::from_bytes(&path).into());
        }
        match sandbox.enter() {
            Ok(confinement) => self.respond(&[
                DONE,
                match confinement {
                    Confinement::FilesOpen => 0,
                    Confinement::Partial => 1,
                    Confinement::Full => 2,
                },
            ]),
            Err(error) => self.refuse(&error.to_string()),
        }
        Some(())
    }

    fn load(&mut self, reader: &mut Reader) -> Option<()> {
        let path = reader.bytes()?;
        match self.libraries.load(OsStr::from_bytes(&path)) {
            Ok(()) => self.respond(&[DONE]),
            Err(reason) => self.refuse(&reason),
        }
        Some(())
    }

    fn bind(&mut self, reader: &mut Reader) -> Option<()> {
        let number = usize::try_from(reader.word()?).ok()?;
        let given_only = reader.word()? == GIVEN_ONLY;
        let name = reader.text()?;
        let result = Passed::from_code(reader.word()?)?;
        let parameters: Option<Vec<Passed>> = reader
            .rest()
            .iter()
            .map(|&code| Passed::from_code(code))
            .collect();
        let parameters = parameters?;
        match self.libraries.find(&name, given_only) {
            Some((code, given)) => {
                let callable = Callable::new(code, parameters, result);
                let functions = self.functions.len().max(number + 1);
                self.functions.resize_with(functions, || None);
                self.functions[number] = Some(callable);
                self.respond(&[DONE, u64::from(given)]);
            }
            None => self.refuse(&self.libraries.names().join("\n")),
        }
        Some(())
    }

    fn call(&mut self, shared: &Shared, reader: &mut Reader) -> Option<()> {
        let number = usize::try_from(reader.word()?).ok()?;
        let count = usize::try_from(reader.word()?).ok()?;
        let callable = self.functions.get_mut(number)?.as_mut()?;
        let arity = callable.parameters().len();
        self.response.push(DONE);
        for done in 1..=count {
            let result = callable.call(reader.words(arity)?);
            self.response.push(result);
            shared.set_progress(done as u64);
        }
        Some(())
    }

    fn perform(&mut self, reader: &mut Reader) -> Option<()> {
        let number = usize::try_from(reader.word()?).ok()?;
        let callable = self.functions.get_mut(number)?.as_mut()?;
        let arguments = callable
            .parameters()
            .iter()
            .map(|&passed| Given::read(passed, reader))
            .collect::<Option<Vec<Given>>>()?;
        let lengths: Vec<(usize, usize)> = arguments
            .iter()
            .enumerate()
            .filter_map(|(index, given)| match given {
                Given::Word(_) => None,
                Given::Array { bytes, .. } => Some((index, bytes.len())),
            })
            .collect();
        let mut arrays = Arrays::new(&lengths);
        let mut filled = 0..lengths.len();
        let words = arguments
            .iter()
            .map(|given| match given {
                Given::Word(word) => Some(*word),
                Given::Array { bytes, .. } => Some(arrays.fill(filled.next()?, bytes)),
            })
            .collect::<Option<Vec<u64>>>()?;
        let result = callable.call(&words);
        if let Some(parameter) = arrays.overrun() {
            self.respond(&[OVERRUN, parameter as u64]);
            return Some(());
        }
        self.respond(&[DONE, result]);
        for (number, &(parameter, _)) in lengths.iter().enumerate() {
            if let Given::Array { writable: true, .. } = arguments[parameter] {
                put_bytes(&mut self.response, arrays.get(number));
            }
        }
        Some(())
    }
}

/// An argument as a request brings it.
enum Given {
    Word(u64),
    Array { writable: bool, bytes: Vec<u8> },
}

impl Given {
    fn read(passed: Passed, reader: &mut Reader) -> Option<Given> {
        let word = reader.word()?;
        if passed != Passed::Pointer {
            return Some(Given::Word(word));
        }
        match word {
            ACCESS_NULL => Some(Given::Word(0)),
            access => Some(Given::Array {
                writable: access == ACCESS_WRITE,
                bytes: reader.bytes()?,
            }),
        }
    }
}

fn die_with_parent() {
    // SAFETY: the calls take numbers alone. Should they fail, the loop notices
    // the parent's end, unless native code hangs.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::setsid();
    }
}

/// Maps the memory that standard input is, and leaves `/dev/null` there.
fn take_memory() -> io::Result<Shared> {
    let input = io::stdin();
    let file = File::from(input.as_fd().try_clone_to_owned()?);
    let shared = Shared::open(&file)?;
    let null = File::open("/dev/null")?;
    // SAFETY: both descriptors are open.
    if unsafe { libc::dup2(null.as_raw_fd(), input.as_raw_fd()) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(shared)
}

/// Makes signals end the process as they would end a C program, without a core.
fn settle() {
    let none = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: default actions run no code of ours; the sets and limits are
    // valid for the calls. A signal that cannot be reset stays as it is.
    unsafe {
        libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
        for signal in 1..32 {
            libc::signal(signal, libc::SIG_DFL);
        }
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::sigprocmask(libc::SIG_UNBLOCK, &raw const all, std::ptr::null_mut());
    }
}
