//! What Kani's tutorial shows, in our own words: the verdicts have to be Kani's, and the
//! processor time of each harness is printed.

use crate::Report;
use crate::workshop::{Workshop, timed};
use serde::Deserialize;
use std::path::Path;
use std::process::Command;

/// The harnesses, and whether Kani finds that they hold.
const HARNESSES: [(&str, bool); 12] = [
    ("a_middle_is_between", true),
    ("a_middle_overflows", false),
    ("a_ring_ends_where_it_begins", false),
    ("a_ring_has_a_place_for_all", true),
    ("a_ring_without_checks", false),
    ("dividing_panics_for_one_number", true),
    ("every_number_has_a_class", false),
    ("filling_all_stays_within", true),
    ("filling_stays_within", false),
    ("small_numbers_have_small_classes", true),
    ("what_is_stored_is_found", true),
    ("what_is_stretched_holds_the_original", true),
];

/// What `everypath cargo test` says, as far as it matters here.
#[derive(Deserialize)]
struct Explored {
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    verdict: String,
}

pub fn report() -> Result<Report, String> {
    let workshop = Workshop::new()?;
    let project = workshop.file("harnesses");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/kani");
    for file in ["Cargo.toml", "src/lib.rs"] {
        copy(&source.join(file), &project.join(file))?;
    }
    let explore = |name: &str| {
        let mut command = Command::new(&workshop.everypath);
        command
            .args([
                "cargo",
                "test",
                "--exact",
                "--format",
                "json",
                "--max-time",
                "60",
            ])
            .arg(format!("proofs::{name}"))
            .current_dir(&project);
        command
    };
    // The first compiles the crate; what is measured is exploring.
    timed(&mut explore("nothing"))?;
    let mut report = Report::default();
    report.line("harness                                    verdict     seconds of processor time");
    let mut faults = Vec::new();
    for (name, holds) in HARNESSES {
        let seconds = timed(&mut explore(name))?;
        let said = explore(name).output().map_err(|error| error.to_string())?;
        let said: Explored = serde_json::from_slice(&said.stdout)
            .map_err(|error| format!("everypath cargo test {name}: {error}"))?;
        let verdict = said.tests.first().map_or("none", |test| &test.verdict);
        report.line(&format!("{name:<42} {verdict:<11} {seconds:.2}"));
        let expected = if holds { "passed" } else { "failed" };
        if verdict != expected {
            faults.push(format!("{name}: {verdict}, and {expected} by Kani"));
        }
    }
    report.expect("the verdicts are those of Kani", &faults);
    Ok(report)
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot copy {}: {error}", from.display());
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::copy(from, to).map(|_| ()).map_err(failed)
}
