//! LLVM files that others made, read once where a crash does no harm.
//!
//! LLVM trusts its files: a damaged or hostile one ends the process that reads it. Files
//! that clang has just made are read at once; all others are read first by
//! another process of this program, in the sandbox of native functions. If that process
//! survives, so does this one, and whatever else is wrong with the file is found here.
//! Starting a process takes longer than most files take to be explored, so contents that
//! were survived once are remembered by their hash.

use crate::error::Error;
use base::{OneLine, Stop};
use mixed::oracle::Sandbox;
use program::LoadOptions;
use sha2::{Digest, Sha256};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, UNIX_EPOCH};
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
        let mark = mark_of(file);
        if mark.as_ref().is_some_and(|mark| mark.exists()) {
            continue;
        }
        let status = read_elsewhere(file, stop)
            .map_err(|error| Error::Tool(format!("cannot run this program again: {error}")))?;
        if let Some(signal) = status.and_then(|status| status.signal()) {
            return Err(Error::content(
                file.one_line(),
                format!("LLVM crashes when it reads the file (signal {signal}), which is damaged"),
            ));
        }
        if let (Some(mark), Some(_)) = (mark, status) {
            remember(&mark);
        }
    }
    Ok(())
}

/// The file that says that these contents were survived by this very program; none where
/// there is no place for it, or the file cannot be read.
fn mark_of(file: &Path) -> Option<PathBuf> {
    let contents = std::fs::read(file).ok()?;
    let built = std::env::current_exe().ok()?.metadata().ok()?;
    let built = built.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let mut hash = Sha256::new();
    hash.update(built.as_nanos().to_le_bytes());
    hash.update(&contents);
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.filter(|it| it.is_absolute());
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
    let cache = cache.or_else(home)?;
    let name = hex::encode(hash.finalize());
    Some(cache.join("everypath/survived").join(name))
}

/// Remembers, if that can be; otherwise the file is read twice again next time.
fn remember(mark: &Path) {
    if let Some(folder) = mark.parent() {
        let _ = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(mark, ""));
    }
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
