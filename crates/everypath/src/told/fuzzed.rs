//! What runs of a fuzzed program gave, whoever made them.

use crate::finding::Diagnosis;
use ::fuzz::{Counts, Run};
use machine::{End, ErrorKind, Machine};
use program::Program;
use serde::{Deserialize, Serialize};
use suite::PathCounts;

/// Inputs that hung and are kept.
pub const MOST_HANGS: usize = 20;

/// Runs since the last time.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Fuzzed {
    /// What was done.
    pub counts: Counts,
    /// How runs ended.
    pub paths: PathCounts,
    /// Inputs that reached new code, and all that was reached after each, as
    /// [`machine::Coverage::to_bits`] has it.
    pub inputs: Vec<(Vec<u8>, Vec<u8>)>,
    /// Inputs on which the program did not end.
    pub hangs: Vec<Vec<u8>>,
    /// Errors, each once, with an input and how many inputs led there.
    pub errors: Vec<(Vec<u8>, Diagnosis, u64)>,
}

impl Fuzzed {
    /// The program ran on an input.
    pub fn ran(&mut self, program: &Program, machine: &Machine<'_>, run: &Run<'_>) {
        if run.new_coverage > 0 {
            let covered = machine.coverage.to_bits();
            self.inputs.push((run.input.to_vec(), covered));
        }
        match run.end {
            Some(End::Exit(_)) => self.paths.completed += 1,
            Some(End::Ignored | End::Redundant | End::TooDeep) => self.paths.ignored += 1,
            Some(End::Unknown) => self.paths.unknown += 1,
            Some(End::Error(kind, message)) => {
                self.paths.errors += 1;
                self.error(program, run, *kind, message);
            }
            None => {
                self.paths.unfinished += 1;
                if self.hangs.len() < MOST_HANGS {
                    self.hangs.push(run.input.to_vec());
                }
            }
        }
    }

    fn error(&mut self, program: &Program, run: &Run<'_>, kind: ErrorKind, message: &str) {
        let error = Diagnosis::at(program, run.state, kind, message);
        let same = |it: &&mut (Vec<u8>, Diagnosis, u64)| {
            it.1.finding.identity() == error.finding.identity()
        };
        match self.errors.iter_mut().find(same) {
            Some((_, _, times)) => *times += 1,
            None => self.errors.push((run.input.to_vec(), error, 1)),
        }
    }
}
