//! What of the program's source was reached, for people.

use suite::CoverageSummary;

/// Coverage as a line for people.
pub fn summary(coverage: &CoverageSummary) -> String {
    let (lines, branches) = (coverage.lines, coverage.branches);
    format!(
        "{} of {} lines and {} of {} branches covered\n",
        lines.covered, lines.total, branches.covered, branches.total,
    )
}
