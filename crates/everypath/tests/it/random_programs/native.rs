//! The programs, compiled by clang and run by the system.

use super::Ended;
use program::OptLevel;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles the program and runs it.
pub fn run(file: &Path, level: OptLevel) -> Result<Ended, String> {
    let output = Command::new(compile(file, level)?)
        .output()
        .map_err(|error| error.to_string())?;
    let status = output.status.code();
    Ok(Ended {
        status: status.ok_or_else(|| format!("natively it ended by {}", output.status))?,
        printed: output.stdout,
    })
}

/// Compiles a program of one byte and runs it on each: what it printed comes
/// before a line with its status.
pub fn run_on_every_byte(file: &Path, level: OptLevel) -> Result<Vec<Ended>, String> {
    let all = run(file, level)?;
    let text = String::from_utf8(all.printed).map_err(|error| error.to_string())?;
    let mut ends = Vec::new();
    let mut rest = &text[..];
    while let Some((printed, after)) = rest.split_once("== ") {
        let (status, after) = after.split_once('\n').ok_or("the last line is cut short")?;
        let status = status.parse().map_err(|_| format!("no status: {status}"))?;
        let printed = printed.as_bytes().to_vec();
        ends.push(Ended { printed, status });
        rest = after;
    }
    match ends.len() {
        256 => Ok(ends),
        other => Err(format!("natively there are {other} ends")),
    }
}

fn compile(file: &Path, level: OptLevel) -> Result<PathBuf, String> {
    let binary = file.with_extension("native");
    let output = Command::new("clang-22")
        .args([level.flag(), "-w", "-DNATIVE", "-o"])
        .args([&binary, file])
        .arg("-lm")
        .output()
        .map_err(|error| format!("cannot run clang-22: {error}"))?;
    match output.status.success() {
        true => Ok(binary),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
