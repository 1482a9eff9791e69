//! What the solver's links and the rewriting rules did, for those who tune them.

use solver::{Link, Statistics};

/// Rules that are shown; the many that hardly ever apply are not.
const RULES: usize = 20;

/// What each link of the solver's chain did.
pub fn of_links(statistics: &Statistics) -> String {
    let mut text = format!(
        "{} queries: {} sat, {} unsat, {} unknown; {:.3} s\n{:<24}{:>10}{:>10}{:>12}\n",
        statistics.queries,
        statistics.sat,
        statistics.unsat,
        statistics.unknown,
        statistics.time.as_secs_f64(),
        "link",
        "asked",
        "answered",
        "seconds",
    );
    for link in Link::ALL {
        let s = statistics.link(link);
        let seconds = s.time.as_secs_f64();
        let name = link.name();
        text += &format!(
            "{name:<24}{:>10}{:>10}{seconds:>12.6}\n",
            s.queries, s.answered
        );
    }
    text
}

/// How often rewriting rules applied.
pub fn of_rules(counts: &[(&'static str, u64)]) -> String {
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    let mut text = format!("{total} terms rewritten by {} rules\n", counts.len());
    for (name, count) in counts.iter().take(RULES) {
        text += &format!("{name:<40}{count:>12}\n");
    }
    text
}
