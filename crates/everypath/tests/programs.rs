//! Whole programs under `tests/programs`, each with the paths and errors it has
//! in a file beside it. `BLESS=1` writes those files anew.
//!
//! A program's first line may say `// run: ` and arguments for `everypath run`.

use serde_json::Value as Json;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

#[test]
fn programs_without_errors_have_the_paths_written_beside_them() {
    check("pass");
}

#[test]
fn programs_with_errors_have_the_paths_and_errors_written_beside_them() {
    check("fail");
}

fn check(folder: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let programs = programs(&root.join(folder));
    assert!(!programs.is_empty(), "there are programs in {folder}");
    let scratch = env::temp_dir().join(format!("everypath-{folder}-{}", std::process::id()));
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let failures: Vec<String> = thread::scope(|scope| {
        let work = || {
            let mut failures = Vec::new();
            while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                failures.extend(compare(program, &scratch).err());
            }
            failures
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined
            .flat_map(|failures| failures.expect("a worker does not panic"))
            .collect()
    });
    // A leftover in the temporary directory harms nobody.
    let _ = fs::remove_dir_all(&scratch);
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

fn programs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder of programs is in the repository");
    let mut programs: Vec<PathBuf> = entries
        .map(|entry| entry.expect("its entries can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    programs.sort();
    programs
}

/// Runs the program and compares what it has with the file beside it.
fn compare(program: &Path, scratch: &Path) -> Result<(), String> {
    let name = program.display();
    let found = run(program, scratch).map_err(|message| format!("{name}: {message}"))?;
    let beside = program.with_extension("expected");
    if env::var_os("BLESS").is_some() {
        return fs::write(&beside, found).map_err(|error| format!("{name}: {error}"));
    }
    let expected = fs::read_to_string(&beside).map_err(|error| format!("{name}: {error}"))?;
    if found == expected {
        return Ok(());
    }
    Err(format!("{name}\nexpected:\n{expected}found:\n{found}"))
}

fn run(program: &Path, scratch: &Path) -> Result<String, String> {
    let text = fs::read_to_string(program).map_err(|error| error.to_string())?;
    let first = text.lines().next().unwrap_or_default();
    let arguments = first.strip_prefix("// run: ").unwrap_or_default();
    let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(["run", "--json", "--output"])
        .arg(scratch.join(program.file_stem().expect("a program has a name")))
        .args(arguments.split_whitespace())
        .arg(program)
        .output()
        .map_err(|error| error.to_string())?;
    let run: Json = serde_json::from_slice(&output.stdout).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("no report ({})\n{said}", output.status)
    })?;
    Ok(render(&run))
}

/// The part of a report that does not depend on the solver's choices.
fn render(run: &Json) -> String {
    let count = |kind: &str| run["paths"][kind].as_u64().unwrap_or(u64::MAX);
    let mut text = format!(
        "paths: completed {}, errors {}, ignored {}",
        count("completed"),
        count("errors"),
        count("ignored")
    );
    for kind in ["unknown", "unfinished"] {
        if count(kind) != 0 {
            let _ = write!(text, ", {kind} {}", count(kind));
        }
    }
    text.push('\n');
    let mut errors: Vec<(u64, &str, &str)> = run["errors"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|error| {
            let field = |name: &str| error[name].as_str().unwrap_or_default();
            let line = error["line"].as_u64().unwrap_or_default();
            (line, field("kind"), field("function"))
        })
        .collect();
    errors.sort();
    for (line, kind, function) in errors {
        let _ = writeln!(text, "error: {kind} at line {line} in {function}");
    }
    text
}
