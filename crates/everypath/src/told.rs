//! What is told of paths that ended: their tests, and what is wrong with them. It is made
//! where the paths are, and written where the run's directory is, which may be another
//! process.

mod fuzzed;

pub use fuzzed::{Fuzzed, MOST_HANGS};

use crate::finding::Diagnosis;
use crate::record::Objects;
use engine::PathEnd;
use engine::policy::staged::{Staged, has_valid_objects, object_graph, value_conditions};
use machine::{End, ErrorKind};
use program::Program;
use serde::{Deserialize, Serialize};
use staged::Solution;
use suite::{Batch, BatchBuilder, Finding, TestCase};

/// Paths that ended, or were stopped.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Told {
    /// Their tests.
    pub tests: Batch,
    /// What there is to say beside that, with the numbers of the tests in the batch.
    pub remarks: Vec<(u64, Remark)>,
    /// Objects, where paths are an invariant's.
    pub objects: Found,
    /// Runs, where a program is fuzzed.
    pub fuzzed: Fuzzed,
}

/// What paths of an invariant gave.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Found {
    /// The valid objects.
    pub solutions: Vec<Solution>,
    /// Errors of the invariant itself, for people.
    pub failures: Vec<String>,
}

impl Found {
    /// Takes what a path gave that ended.
    pub fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        let (machine, state) = (&mut *path.machine, path.state);
        let fails = |kind: ErrorKind, message: &str| {
            let graph = object_graph(machine, state, 0).text();
            let graph = graph.trim_end().replace('\n', "\n  ");
            format!("error: {kind}: {message}\n  {graph}")
        };
        match end {
            End::Exit(_) if has_valid_objects(state) => self.solutions.push(Solution {
                line: 0,
                graph: object_graph(machine, state, 0),
                condition: value_conditions(&mut machine.store, state, 0),
            }),
            End::Ignored | End::Redundant | End::TooDeep | End::Unknown => {}
            End::Exit(status) => {
                let message = format!("it ends the program, with status {status}");
                self.failures.push(fails(ErrorKind::Invariant, &message));
            }
            End::Error(kind, message) => self.failures.push(fails(*kind, message)),
        }
    }

    /// How many objects and errors there are.
    pub fn counts(&self) -> (usize, usize) {
        (self.solutions.len(), self.failures.len())
    }

    /// What came after so many of each.
    pub fn since(&self, (solutions, failures): (usize, usize)) -> Found {
        Found {
            solutions: self.solutions[solutions..].to_vec(),
            failures: self.failures[failures..].to_vec(),
        }
    }

    /// The objects as a suite numbers them. Those that came from several processes get an
    /// order first, so that equal runs write equal suites.
    pub fn in_order(mut self, sorts: bool) -> Found {
        if sorts {
            for solution in &mut self.solutions {
                let mut lines: Vec<&str> = solution.condition.lines().collect();
                lines.sort_unstable();
                solution.condition = lines.join("\n");
            }
            let key = |it: &Solution| (it.graph.text(), it.condition.clone());
            self.solutions.sort_by_cached_key(key);
            self.failures.sort();
        }
        // The first line is the header.
        for (solution, line) in self.solutions.iter_mut().zip(2..) {
            solution.line = line;
        }
        self
    }

    /// Adds what others gave.
    pub fn add(&mut self, other: Found) {
        self.solutions.extend(other.solutions);
        self.failures.extend(other.failures);
    }
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
            ..Told::default()
        }
    }
}

/// Gathers what is told next.
#[derive(Default)]
pub struct Gathered {
    tests: BatchBuilder,
    remarks: Vec<(u64, Remark)>,
    objects: Found,
}

impl Gathered {
    /// A path of an invariant that ended.
    pub fn ended_with_objects(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
        self.objects.ended(path, end);
    }

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
            End::Exit(_) | End::Ignored | End::Redundant | End::TooDeep | End::Unknown => None,
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
            objects: std::mem::take(&mut self.objects),
            fuzzed: Fuzzed::default(),
        }
    }
}
