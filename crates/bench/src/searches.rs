//! Searches on loops that are hard for symbolic execution: how many runs each
//! needs to reach what is behind them.

use crate::Report;
use crate::workshop::Workshop;
use serde_json::Value as Json;
use std::path::Path;

/// A program, and the runs within which fitness has to reach its target.
const ROWS: [(&str, u64); 3] = [("counter", 260), ("published", 60), ("words", 160)];

/// Forks of the default search for one of fitness; it forks more and runs less.
const FORKS: u64 = 4;

/// Adds the table and what it must show.
pub fn report(report: &mut Report) -> Result<(), String> {
    let workshop = Workshop::new()?;
    report.line("");
    report.line(&format!(
        "{:<28}{:>18}{:>18}",
        "Runs until the target", "fitness", "default"
    ));
    let mut demands = Vec::new();
    for (name, most) in ROWS {
        let fitness = Reached::by(&workshop, name, "fitness", most, u64::MAX)?;
        let default = Reached::by(
            &workshop,
            name,
            "interleaved",
            fitness.runs,
            fitness.forks.saturating_mul(FORKS),
        )?;
        report.line(&format!(
            "{:<28}{:>18}{:>18}",
            format!("examples/search/{name}.c"),
            fitness.shown(),
            default.shown()
        ));
        demands.push((name, most, fitness, default));
    }
    report.line("");
    for (name, most, fitness, default) in demands {
        let runs = match fitness.target {
            true => fitness.runs as f64,
            false => f64::INFINITY,
        };
        report.demand_at_most(&format!("{name}, runs by fitness"), runs, most as f64);
        let reached = f64::from(u8::from(default.target));
        report.demand_at_most(
            &format!("{name}, reached by default in as many"),
            reached,
            0.0,
        );
    }
    Ok(())
}

/// How far a search came.
struct Reached {
    target: bool,
    runs: u64,
    forks: u64,
}

impl Reached {
    /// Runs the program until the target, which is an error in it, is reached.
    fn by(
        workshop: &Workshop,
        name: &str,
        search: &str,
        most: u64,
        forks: u64,
    ) -> Result<Reached, String> {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/search");
        let file = examples.join(format!("{name}.c")).display().to_string();
        let out = workshop
            .file(&format!("{name}-{search}"))
            .display()
            .to_string();
        let (most, forks) = (most.to_string(), forks.to_string());
        let told = workshop.told(&[
            "run",
            &file,
            "--search",
            search,
            "--output",
            &out,
            "--no-dump",
            "--max-errors",
            "1",
            "--max-tests",
            &most,
            "--max-forks",
            &forks,
        ])?;
        let number = |pointer: &str| told.pointer(pointer).and_then(Json::as_u64).unwrap_or(0);
        Ok(Reached {
            target: number("/paths/errors") > 0,
            runs: number("/tests"),
            forks: number("/forks"),
        })
    }

    fn shown(&self) -> String {
        match self.target {
            true => self.runs.to_string(),
            false => format!("not in {}", self.runs),
        }
    }
}
