//! LLVM files that others made, read once where a crash does no harm.
//!
//! LLVM trusts its files: a damaged or hostile one ends the process that reads it. Files
//! that clang has just made are read at once; all others are read first by
//! another process of this program, in the sandbox of native functions. If that process
//! survives, so does this one, and whatever else is wrong with the file is found here.

use crate::error::Error;
use base::Stop;
use mixed::oracle::Sandbox;
use program::LoadOptions;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;
use suite::Language;

/// The hidden command that reads an LLVM file for another process.
pub const READ: &str = "read-llvm-file";

/// Reads the program's LLVM files elsewhere; an error names the one that LLVM does not
/// survive.
pub fn examine(files: &[PathBuf], stop: &Stop) -> Result<(), Error> {
    let foreign = |file: &&PathBuf| match Language::of(file) {
        Some(Language::C | Language::Cpp | Language::Rust) => false,
        // Objects and archives have LLVM's files in them.
        Some(Language::Llvm) | None => true,
    };
    for file in files.iter().filter(foreign) {
        let status = read_elsewhere(file, stop)
            .map_err(|error| Error::Tool(format!("cannot run this program again: {error}")))?;
        if let Some(signal) = status.and_then(|status| status.signal()) {
            return Err(Error::content(
                file.display(),
                format!("LLVM crashes when it reads the file (signal {signal}), which is damaged"),
            ));
        }
    }
    Ok(())
}

/// How the process ended that read the file; none if it was stopped.
fn read_elsewhere(file: &Path, stop: &Stop) -> io::Result<Option<ExitStatus>> {
    let mut child = Command::new(std::env::current_exe()?)
        .arg(READ)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if stop.is_set() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// Reads the file as a run would. What is wrong with it, short of a crash, is for the
/// process that asked to find.
pub fn read(file: &Path) -> io::Result<()> {
    Sandbox::default().enter()?;
    let options = LoadOptions {
        promote: true,
        library: engine::library(Vec::new(), Vec::new()),
        ..LoadOptions::default()
    };
    drop(program::load(&[file.to_owned()], &options));
    Ok(())
}
