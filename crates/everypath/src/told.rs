//! What is told of paths that ended: their tests, and what is wrong with them. It is made
//! where the paths are, and written where the run's directory is, which may be another
//! process.

use crate::finding::Diagnosis;
use crate::record::Objects;
use engine::PathEnd;
use engine::policy::staged::Staged;
use machine::End;
use program::Program;
use serde::{Deserialize, Serialize};
use suite::{Batch, BatchBuilder, Finding, TestCase};

/// Paths that ended, or were stopped.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Told {
    /// Their tests.
    pub tests: Batch,
    /// What there is to say beside that, with the numbers of the tests in the batch.
    pub remarks: Vec<(u64, Remark)>,
}

/// What is told of a path beside its test.
#[derive(Debug, Serialize, Deserialize)]
pub struct Remark {
    /// The error it ended in.
    pub error: Option<Diagnosis>,
    /// What it was called with then, unless the path has none.
    pub objects: Option<Objects>,
    /// What the program wrote to standard output and error, if that is wanted.
    pub output: [Vec<u8>; 2],
}

impl Told {
    /// A path of ours that went wrong, with the inputs that are known of it.
    pub fn of_the_tool(case: &TestCase, finding: Finding) -> Told {
        let inputs = suite::render(case, &suite::InputTypes::default());
        let mut tests = BatchBuilder::default();
        let number = tests.add(case, Some(suite::End::Error(finding.kind)));
        let remark = Remark {
            error: Some(Diagnosis::of_the_tool(finding, inputs)),
            objects: None,
            output: Default::default(),
        };
        Told {
            tests: tests.take(),
            remarks: vec![(number, remark)],
        }
    }
}

/// Gathers what is told next.
#[derive(Default)]
pub struct Gathered {
    tests: BatchBuilder,
    remarks: Vec<(u64, Remark)>,
}

impl Gathered {
    /// A path that ended; `echo` asks for its output too.
    pub fn ended(
        &mut self,
        (program, staged): (&Program, &Staged<'_>),
        path: &mut PathEnd<'_, '_>,
        end: &End,
        echo: bool,
    ) {
        let number = self.tests.add(path.case(), engine::report::end(end));
        let error = match end {
            End::Error(kind, message) => Some(Diagnosis::at(program, path.state, *kind, message)),
            End::Exit(_) | End::Ignored | End::TooDeep | End::Unknown => None,
        };
        if !echo && error.is_none() {
            return;
        }
        let remark = Remark {
            objects: (error.is_some()).then(|| Objects::of(program, staged, path)),
            error,
            output: match echo {
                true => [1, 2].map(|descriptor| path.state.output.written(descriptor)),
                false => Default::default(),
            },
        };
        self.remarks.push((number, remark));
    }

    /// One that was stopped.
    pub fn unfinished(&mut self, path: &mut PathEnd<'_, '_>) {
        self.tests.add(path.case(), None);
    }

    /// All since the last time.
    pub fn take(&mut self) -> Told {
        Told {
            tests: self.tests.take(),
            remarks: std::mem::take(&mut self.remarks),
        }
    }
}
