//! What following the tests of a run once more shows: the tree of their decisions, and how
//! many go through what.

use super::tree::Grown;
use crate::retrace::Retrace;
use ::report::document::Frame;
use base::Stop;
use engine::report::{SourceFrame, stack};
use program::Program;
use std::collections::{BTreeMap, BTreeSet};
use suite::{RunReport, StoredTest};

/// Instructions after which no more tests are followed for a page.
const BUDGET: u64 = 20_000_000_000;

/// What following tests again showed.
#[derive(Default)]
pub struct Followed {
    pub tree: Grown,
    /// The nodes of the tests that were followed, in their order.
    pub ends: Vec<u32>,
    /// For each test with an error, the calls it happened in.
    pub stacks: BTreeMap<usize, Vec<Frame>>,
    /// Tests through each line, branch successor and function, as coverage has them.
    pub lines: BTreeMap<(String, u32), u64>,
    pub branches: BTreeMap<(String, usize), u64>,
    pub functions: BTreeMap<(String, String), u64>,
}

impl Followed {
    /// Whether the program could be followed at all.
    pub fn is_whole(&self) -> bool {
        !self.ends.is_empty()
    }

    pub fn follow(
        &mut self,
        program: &Program,
        retrace: &mut Retrace<'_>,
        run: &RunReport,
        tests: &[StoredTest],
        stop: &Stop,
    ) {
        let failing: BTreeSet<&str> = run.errors.iter().map(|error| error.test.as_str()).collect();
        let mut instructions = 0;
        for (index, test) in tests.iter().enumerate() {
            if stop.is_set() || instructions > BUDGET {
                return;
            }
            let traced = retrace.trace(&test.case);
            let end = self.tree.add(program, retrace.replay.machine(), &traced);
            self.ends.push(end);
            if let Some(state) = &traced.state {
                instructions += state.progress.instructions;
                if failing.contains(test.name.as_str()) {
                    let frames = stack(program, state).into_iter();
                    self.stacks.insert(index, frames.map(frame).collect());
                }
            }
            self.count(program, &traced.replayed.coverage);
        }
    }

    /// Adds a test to everything that it reached.
    fn count(&mut self, program: &Program, reached: &machine::Coverage) {
        let (coverage, _) = engine::report::coverage(program, reached);
        for (path, file) in coverage.files {
            for (line, _) in file.lines.into_iter().filter(|&(_, hits)| hits > 0) {
                *self.lines.entry((path.clone(), line)).or_default() += 1;
            }
            let taken = file.branches.iter().enumerate();
            for (at, _) in taken.filter(|(_, branch)| branch.taken > Some(0)) {
                *self.branches.entry((path.clone(), at)).or_default() += 1;
            }
            for function in file.functions.into_iter().filter(|it| it.hits > 0) {
                *self
                    .functions
                    .entry((path.clone(), function.name))
                    .or_default() += 1;
            }
        }
    }
}

fn frame(frame: SourceFrame) -> Frame {
    Frame {
        function: frame.function,
        file: frame.path,
        line: frame.line,
    }
}
