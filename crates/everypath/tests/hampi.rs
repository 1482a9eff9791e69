//! The questions in `tests/hampi`, each with its answer in a file beside it.
//! `BLESS=1` writes those files anew.
//!
//! An answer is all solutions, sorted, where there are few; which ones of many
//! are found first is the solver's business. Both encodings must give it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Solutions that are asked for.
const MANY: usize = 12;

#[test]
fn both_encodings_give_the_answers_written_beside_the_questions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hampi");
    let entries = fs::read_dir(&folder).expect("the folder of questions is in the repository");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("its entries can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "hmp"))
        .collect();
    files.sort();
    assert!(
        files.len() >= 40,
        "there are only {} questions",
        files.len()
    );
    let failures: Vec<String> = files
        .iter()
        .filter_map(|file| compare(file).err())
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

fn compare(file: &Path) -> Result<(), String> {
    let name = file.display();
    let by_core = answer(file, "core")?;
    let by_chart = answer(file, "chart")?;
    if by_core != by_chart {
        return Err(format!("{name}\ncore:\n{by_core}chart:\n{by_chart}"));
    }
    let beside = file.with_extension("expected");
    if env::var_os("BLESS").is_some() {
        return fs::write(&beside, by_core).map_err(|error| format!("{name}: {error}"));
    }
    let expected = fs::read_to_string(&beside).map_err(|error| format!("{name}: {error}"))?;
    match by_core == expected {
        true => Ok(()),
        false => Err(format!("{name}\nexpected:\n{expected}found:\n{by_core}")),
    }
}

fn answer(file: &Path, encoding: &str) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_everypath"))
        .args(["solve", "--encoding", encoding, "--all", &MANY.to_string()])
        .arg(file)
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {}\n{said}", file.display(), output.status));
    }
    let Some(all) = text.strip_suffix("\n\nthere is no other solution\n") else {
        return Ok(match text == "UNSAT\n" {
            true => text,
            false => format!("{} solutions and more\n", text.split("\n\n").count()),
        });
    };
    let mut solutions: Vec<&str> = all.split("\n\n").collect();
    solutions.sort_unstable();
    Ok(solutions.join("\n\n") + "\n")
}
