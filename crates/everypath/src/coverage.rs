//! What of the program's source was reached.

use machine::runtime::is_library;
use program::{BlockId, Body, EdgeId, FunctionId, Program};
use std::collections::BTreeSet;
use suite::CoverageSummary;
use suite::lcov::{BranchCoverage, FunctionCoverage};

/// Coverage as a line for people.
pub fn summary(coverage: &CoverageSummary) -> String {
    let (lines, branches) = (coverage.lines, coverage.branches);
    format!(
        "{} of {} lines and {} of {} branches covered\n",
        lines.covered, lines.total, branches.covered, branches.total,
    )
}

/// Function, line and branch coverage of the program's own files.
pub fn of(
    program: &Program,
    reached: &machine::Coverage,
) -> (suite::lcov::Coverage, CoverageSummary) {
    let mut info = suite::lcov::Coverage::default();
    let mut summary = CoverageSummary::default();
    for (number, function) in program.functions.iter().enumerate() {
        let id = FunctionId::from_index(number);
        let Some(body) = &function.body else {
            continue;
        };
        let source = function.source.map(|id| program.source.function(id));
        let file = source.and_then(|source| Some((source, program.source.file(source.file?))));
        if let Some((source, file)) = file.filter(|(_, file)| !is_library(&file.path)) {
            let entry = info.files.entry(file.path.clone()).or_default();
            entry.functions.push(FunctionCoverage {
                name: function.name.clone(),
                line: source.line,
                hits: u64::from(reached.entered(id)),
            });
        }
        let covered = covered_lines(program, body, id, reached);
        for line in &body.lines {
            let file = program.source.file(line.file);
            if is_library(&file.path) {
                continue;
            }
            let entry = info.files.entry(file.path.clone()).or_default();
            let count = entry.lines.entry(line.line).or_default();
            *count = (*count).max(u64::from(covered.contains(&(line.file.0, line.line))));
        }
        for branching in &body.branches {
            let location = program.source.location(branching.location);
            let Some(file) = location.file.map(|id| program.source.file(id)) else {
                continue;
            };
            if is_library(&file.path) || location.line == 0 {
                continue;
            }
            let followed = |&edge: &EdgeId| reached.followed(id, edge);
            let was_reached = branching.edges.iter().any(followed);
            let entry = info.files.entry(file.path.clone()).or_default();
            let block = entry.branches.last().map_or(0, |last| last.block + 1);
            for (branch, edge) in (0..).zip(&branching.edges) {
                entry.branches.push(BranchCoverage {
                    line: location.line,
                    block,
                    branch,
                    taken: was_reached.then(|| u64::from(followed(edge))),
                });
            }
        }
    }
    for file in info.files.values_mut() {
        file.functions.sort_by_key(|function| function.line);
        file.branches.sort_by_key(|branch| branch.line);
        summary.branches.total += file.branches.len() as u64;
        let taken = file.branches.iter().filter(|branch| branch.taken > Some(0));
        summary.branches.covered += taken.count() as u64;
        summary.lines.total += file.lines.len() as u64;
        let reached = file.lines.values().filter(|&&count| count > 0);
        summary.lines.covered += reached.count() as u64;
    }
    (info, summary)
}

/// The lines of the blocks that were entered.
fn covered_lines(
    program: &Program,
    body: &Body,
    id: FunctionId,
    reached: &machine::Coverage,
) -> BTreeSet<(u32, u32)> {
    let mut lines = BTreeSet::new();
    for (number, block) in body.blocks.iter().enumerate() {
        debug_assert_eq!(body.block_of(block.start), BlockId::from_index(number));
        if !reached.block(id, number) {
            continue;
        }
        for &location in &body.locations[block.start as usize..block.end as usize] {
            let location = program.source.location(location);
            lines.extend(location.file.map(|file| (file.0, location.line)));
        }
    }
    lines
}
