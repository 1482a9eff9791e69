//! Results as `cargo test` prints them.

use super::explore::{TestResult, Verdict};
use crate::error::Error;
use crate::output::say;
use std::time::Instant;

/// The listing of a target.
pub(super) struct Listing {
    started: Instant,
    filtered_out: usize,
}

impl Default for Listing {
    fn default() -> Listing {
        Listing {
            started: Instant::now(),
            filtered_out: 0,
        }
    }
}

impl Listing {
    pub fn begin(&mut self, target: &str, wanted: usize, others: usize) -> Result<(), Error> {
        self.filtered_out = others;
        eprintln!("   Exploring {target}");
        say(&format!("\nrunning {}", number(wanted, "test")))
    }

    pub fn test(&self, result: &TestResult) -> Result<(), Error> {
        let paths = result.paths.completed + result.paths.errors;
        let paths = number(paths as usize, "path");
        let verdict = match result.verdict {
            Verdict::Passed => format!("ok ({paths})"),
            Verdict::Failed => format!("FAILED ({paths})"),
            Verdict::Unfinished => format!("unfinished ({paths}, no error so far)"),
            Verdict::Ignored => "ignored".to_owned(),
        };
        let mut text = format!("test {} ... {verdict}", result.name);
        for note in &result.notes {
            text += &format!("\n  note: {note}");
        }
        say(&text)
    }

    pub fn end(&self, results: &[TestResult]) -> Result<(), Error> {
        let count = |verdict| results.iter().filter(|it| it.verdict == verdict).count();
        let mut text = String::new();
        let failed = results.iter().filter(|it| it.verdict == Verdict::Failed);
        let failed: Vec<&TestResult> = failed.collect();
        if !failed.is_empty() {
            text += "\nfailures:\n";
        }
        for result in &failed {
            text += &format!("\n---- {} ----\n", result.name);
            for error in &result.shown {
                text += error;
                text += "\n";
            }
        }
        if !failed.is_empty() {
            text += "\nfailures:\n";
        }
        for result in &failed {
            text += &format!("    {}\n", result.name);
        }
        let verdict = if failed.is_empty() { "ok" } else { "FAILED" };
        text += &format!(
            "\ntest result: {verdict}. {} passed; {} failed; {} unfinished; {} ignored; {} filtered \
             out; finished in {:.2}s\n",
            count(Verdict::Passed),
            failed.len(),
            count(Verdict::Unfinished),
            count(Verdict::Ignored),
            self.filtered_out,
            self.started.elapsed().as_secs_f64()
        );
        say(&text)
    }
}

fn number(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
