//! What is told of a path that ended: its test, and what is wrong with it. It is made where
//! the path is, and written where the run's directory is, which may be another process.

use crate::finding::Diagnosis;
use engine::PathEnd;
use engine::report::input_types;
use machine::End;
use program::Program;
use serde::{Deserialize, Serialize};
use suite::{Finding, TestCase};

/// A path that ended, or was stopped.
#[derive(Debug, Serialize, Deserialize)]
pub struct Told {
    /// The inputs that take it.
    pub case: TestCase,
    /// How it ended; none if it was stopped.
    pub end: Option<suite::End>,
    /// The error it ended in.
    pub error: Option<Diagnosis>,
    /// What the program wrote to standard output and error, if that is wanted.
    pub output: [Vec<u8>; 2],
}

impl Told {
    /// What there is to tell of a path that ended; `echo` asks for its output too.
    pub fn ended(program: &Program, path: &mut PathEnd<'_, '_>, end: &End, echo: bool) -> Told {
        let case = path.case().clone();
        let error = match end {
            End::Error(kind, message) => {
                let mut error = Diagnosis::at(program, path.state, *kind, message);
                error.inputs = suite::render(&case, &input_types(path.machine));
                Some(error)
            }
            End::Exit(_) | End::Ignored | End::TooDeep | End::Unknown => None,
        };
        Told {
            case,
            end: engine::report::end(end),
            error,
            output: match echo {
                true => [1, 2].map(|descriptor| path.state.output.written(descriptor)),
                false => Default::default(),
            },
        }
    }

    /// A path of ours that went wrong, with the inputs that are known of it.
    pub fn of_the_tool(case: TestCase, finding: Finding) -> Told {
        let inputs = suite::render(&case, &suite::InputTypes::default());
        Told {
            case,
            end: Some(suite::End::Error(finding.kind)),
            error: Some(Diagnosis::of_the_tool(finding, inputs)),
            output: Default::default(),
        }
    }

    /// The same of one that was stopped.
    pub fn unfinished(path: &mut PathEnd<'_, '_>) -> Told {
        Told {
            case: path.case().clone(),
            end: None,
            error: None,
            output: Default::default(),
        }
    }
}
