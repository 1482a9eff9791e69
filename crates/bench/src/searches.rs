//! Searches on loops that are hard for symbolic execution: how many runs each
//! needs to reach what is behind them.

use crate::Report;
use crate::workshop::Workshop;
use std::path::Path;
use suite::RunReport;

/// A program, and the runs within which fitness has to reach its target.
const ROWS: [(&str, u64); 3] = [("counter", 260), ("published", 60), ("words", 160)];

/// Forks after which other searches are stopped, if those of fitness are fewer: the
/// default search goes on with all paths at once and may not end one of them.
const FORKS: u64 = 100_000;

/// Adds the table and what it must show.
pub fn report(report: &mut Report) -> Result<(), String> {
    let workshop = Workshop::new()?;
    report.line("");
    report.line(&format!(
        "{:<28}{:>12}{:>22}{:>22}",
        "Runs until the target", "fitness", "default", "dfs"
    ));
    let mut demands = Vec::new();
    for (name, most) in ROWS {
        let fitness = Reached::by(&workshop, name, "fitness", most, u64::MAX)?;
        let forks = fitness.forks.max(FORKS);
        let other = |search| Reached::by(&workshop, name, search, fitness.runs, forks);
        let (default, dfs) = (other("interleaved")?, other("dfs")?);
        report.line(&format!(
            "{:<28}{:>12}{:>22}{:>22}",
            format!("examples/search/{name}.c"),
            fitness.shown(),
            default.shown(),
            dfs.shown()
        ));
        let runs = match fitness.target {
            true => fitness.runs as f64,
            false => f64::INFINITY,
        };
        demands.push((format!("{name}, runs by fitness"), runs, most as f64));
        let reached = f64::from(u8::from(default.target));
        demands.push((format!("{name}, reached by default"), reached, 0.0));
    }
    report.line("");
    for (what, figure, most) in demands {
        report.demand_at_most(&what, figure, most);
    }
    Ok(())
}

/// How far a search came.
struct Reached {
    target: bool,
    runs: u64,
    forks: u64,
    /// Whether forks were its limit, not runs.
    limited: bool,
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
        let (tests, most_forks) = (most.to_string(), forks.to_string());
        let report: RunReport = workshop.reported(&[
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
            &tests,
            "--max-forks",
            &most_forks,
        ])?;
        Ok(Reached {
            target: report.paths.errors > 0,
            runs: report.tests,
            forks: report.forks,
            limited: report.tests < most,
        })
    }

    fn shown(&self) -> String {
        match (self.target, self.limited) {
            (true, _) => self.runs.to_string(),
            (false, true) => format!("not in {} forks", self.forks),
            (false, false) => format!("not in {}", self.runs),
        }
    }
}
