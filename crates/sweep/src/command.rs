//! Commands that may crash or hang, and what they left.

use std::io::{Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How a command ended.
pub enum Ended {
    With(Finished),
    /// It did not, and was killed.
    Hung,
}

/// What a command left.
pub struct Finished {
    pub status: ExitStatus,
    pub output: String,
    pub errors: String,
}

/// Runs a command on this input, for so long at most.
pub fn run(command: &mut Command, input: &str, limit: Duration) -> Result<Ended, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let cannot = |error: std::io::Error| format!("{name}: {error}");
    let mut child = command
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(cannot)?;
    let mut pipe = child.stdin.take().expect("standard input is piped");
    // A command that crashed early reads nothing, which its status says better.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    let output = reader(child.stdout.take().expect("standard output is piped"));
    let errors = reader(child.stderr.take().expect("standard error is piped"));
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(cannot)? {
            break status;
        }
        if started.elapsed() > limit {
            child.kill().map_err(cannot)?;
            child.wait().map_err(cannot)?;
            return Ok(Ended::Hung);
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let text = |thread: std::thread::JoinHandle<Vec<u8>>| {
        let bytes = thread.join().map_err(|_| "a reader panicked".to_owned())?;
        Ok::<_, String>(String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(Ended::With(Finished {
        status,
        output: text(output)?,
        errors: text(errors)?,
    }))
}

/// Runs a command that ends with 0 or 1 where nothing is wrong with it; what is, otherwise.
pub fn works(command: &mut Command, limit: Duration) -> Result<Result<Finished, String>, String> {
    Ok(match run(command, "", limit)? {
        Ended::With(it) if matches!(it.status.code(), Some(0 | 1)) => Ok(it),
        Ended::With(it) => Err(format!("{}\n{}", it.status, it.errors)),
        Ended::Hung => Err(format!("no end within {limit:?}")),
    })
}

/// Both pipes are read beside each other, or a full one would keep the command waiting.
fn reader(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}
