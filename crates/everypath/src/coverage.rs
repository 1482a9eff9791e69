//! What of the program's source was reached.

use machine::runtime::is_library;
use program::{BlockId, Body, EdgeId, FunctionId, Program};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use suite::lcov::{BranchCoverage, FunctionCoverage};

/// What the object of a run says of coverage, as a line for people.
pub fn summary(run: &Json) -> String {
    let number = |path: &str| run.pointer(path).and_then(Json::as_u64).unwrap_or(0);
    format!(
        "{} of {} lines and {} of {} branches covered\n",
        number("/coverage/lines/covered"),
        number("/coverage/lines/total"),
        number("/coverage/branches/covered"),
        number("/coverage/branches/total"),
    )
}

/// Covered and total.
pub struct Totals {
    /// Of the lines with code.
    pub lines: (u64, u64),
    /// Of the ways out of branches.
    pub branches: (u64, u64),
}

/// Function, line and branch coverage of the program's own files.
pub fn of(program: &Program, reached: &machine::Coverage) -> (suite::lcov::Coverage, Totals) {
    let mut info = suite::lcov::Coverage::default();
    let mut totals = Totals {
        lines: (0, 0),
        branches: (0, 0),
    };
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
        totals.branches.1 += file.branches.len() as u64;
        let taken = file.branches.iter().filter(|branch| branch.taken > Some(0));
        totals.branches.0 += taken.count() as u64;
        totals.lines.1 += file.lines.len() as u64;
        totals.lines.0 += file.lines.values().filter(|&&count| count > 0).count() as u64;
    }
    (info, totals)
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
