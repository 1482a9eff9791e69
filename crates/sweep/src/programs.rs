//! What the parts that try C programs have in common: compiling them natively, running
//! them on every byte, and running them in Everypath.
//!
//! A program asks `sweep_input()` for its byte and gives its result to `sweep_end()`.
//! Natively the first forks once for each byte, so that one execution of the program is
//! brute force over all of them.

use crate::Sweep;
use crate::command::{self, Ended, Finished};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use suite::RunDirectory;

/// What a compilation or a native program may take, with a machine that has other work.
const NATIVE: Duration = Duration::from_secs(60);

/// What Everypath is told about time, in seconds.
const SECONDS: u64 = 20;

/// After this a run hangs, whatever it was told.
const HANGS: Duration = Duration::from_secs(8 * SECONDS);

/// What the native program does around the program that is tried.
pub const NATIVE_HEADER: &str = include_str!("programs/native.h");

/// The same in Everypath.
pub const SYMBOLIC_HEADER: &str = include_str!("programs/symbolic.h");

/// How a program ends natively.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Native {
    /// With this result.
    Result(u64),
    /// By a signal.
    Crash,
    /// Not at all.
    Hang,
}

/// How to compile a program.
pub struct Compilation<'a> {
    /// Its files, in the scratch directory.
    pub sources: &'a [&'a str],
    /// Further arguments, such as `-O1`.
    pub arguments: &'a [&'a str],
}

impl Sweep<'_> {
    /// A scratch directory for one program; it is the same for all of them.
    pub fn scratch(&self) -> Result<PathBuf, String> {
        let path = self.output.join("scratch");
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path)
            .map_err(|error| format!("cannot make {}: {error}", path.display()))?;
        Ok(path)
    }

    /// Compiles natively; none if clang does not take it.
    pub fn compile(
        &self,
        scratch: &Path,
        compilation: &Compilation<'_>,
        output: &str,
    ) -> Result<Option<()>, String> {
        let mut clang = Command::new(self.clang);
        clang.current_dir(scratch).args(["-w", "-o", output]);
        clang.args(compilation.arguments).args(compilation.sources);
        Ok(match command::run(&mut clang, "", NATIVE)? {
            Ended::With(finished) if finished.status.success() => Some(()),
            Ended::With(_) | Ended::Hung => None,
        })
    }

    /// Runs a native program; none if it does not end.
    pub fn native(&self, scratch: &Path, program: &str) -> Result<Option<Finished>, String> {
        let mut native = Command::new(scratch.join(program));
        native.current_dir(scratch);
        // What a sanitizer finds is a status, and leaks are nothing that matters here.
        native.env("ASAN_OPTIONS", "detect_leaks=0");
        Ok(match command::run(&mut native, "", NATIVE)? {
            Ended::With(finished) => Some(finished),
            Ended::Hung => None,
        })
    }

    /// Runs a program of [`NATIVE_HEADER`] on every byte; none if it cannot be compiled.
    pub fn on_every_byte(
        &self,
        scratch: &Path,
        compilation: &Compilation<'_>,
    ) -> Result<Option<Vec<Native>>, String> {
        if self.compile(scratch, compilation, "native")?.is_none() {
            return Ok(None);
        }
        let Some(finished) = self.native(scratch, "./native")? else {
            return Ok(None);
        };
        let ends: Option<Vec<Native>> = finished.output.lines().map(native_end).collect();
        Ok(ends.filter(|ends| ends.len() == 256))
    }

    /// Runs Everypath; a message if it did not end as it should.
    pub fn everypath(
        &self,
        scratch: &Path,
        compilation: &Compilation<'_>,
    ) -> Result<Result<RunDirectory, String>, String> {
        let _ = std::fs::remove_dir_all(scratch.join("run"));
        let mut run = Command::new(self.everypath);
        run.current_dir(scratch);
        run.args(["run", "--workers", "1", "--output", "run"]);
        run.args(["--max-time", &SECONDS.to_string()]);
        run.args(compilation.arguments).args(compilation.sources);
        Ok(match command::works(&mut run, HANGS)? {
            Ok(_) => RunDirectory::open(&scratch.join("run")).map_err(|error| error.to_string()),
            Err(problem) => Err(problem),
        })
    }
}

/// Writes a file of a program.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// A line that the native program prints: a byte and how the program ended on it.
fn native_end(line: &str) -> Option<Native> {
    let (_, end) = line.split_once(' ')?;
    Some(match end {
        "crash" => Native::Crash,
        "hang" => Native::Hang,
        number => Native::Result(number.parse().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_a_byte_ended() {
        assert_eq!(native_end("17 4711"), Some(Native::Result(4711)));
        assert_eq!(native_end("18 crash"), Some(Native::Crash));
        assert_eq!(native_end("19 hang"), Some(Native::Hang));
        assert_eq!(native_end("20 what"), None);
    }
}
