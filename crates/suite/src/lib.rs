//! What is on disk: test cases, what a run says of itself, and the forms other tools
//! read them in.
//!
//! A test case is a list of named inputs. It is kept in KLEE's `.ktest` format,
//! so that tools made for KLEE read what Everypath writes and the reverse; what
//! that format cannot say (the types of inputs, how tests end, what was compiled) is
//! kept beside it in `run.json`, which is a [`RunReport`].
//!
//! ```
//! use suite::{Input, InputKind, InputTypes, TestCase, ktest, render};
//!
//! let case = TestCase::new(vec![Input::new("x", 42i32.to_le_bytes()).with_kind(InputKind::INT)]);
//! let bytes = ktest::encode(&case);
//! let mut back = ktest::decode(&bytes).expect("what was written is read");
//! assert_eq!(back.inputs[0].bytes, [42, 0, 0, 0]);
//!
//! back.inputs[0].kind = Some(InputKind::INT);
//! let text = render(&back, &InputTypes::default());
//! assert_eq!(text, "input 1: x, i32\n  value  42\n  hex    2a 00 00 00\n");
//! ```

mod archive;
mod batch;
mod call_costs;
mod case;
mod difference;
mod directory;
mod error;
pub mod export;
mod file;
mod input_type;
mod input_types;
mod journal;
mod junit;
mod kind;
pub mod ktest;
pub mod lcov;
mod member;
mod profile;
mod render;
mod results;
mod run;
mod scalar;
mod setting;
pub mod testcomp;
mod value;
mod writer;

pub use batch::{Batch, BatchBuilder};
pub use call_costs::{CallCost, CallCosts, CallTree};
pub use case::{Input, TestCase, TestName};
pub use difference::{Changed, ErrorChanges, LineChanges, RunDifference};
pub use directory::{OutputDirectory, TestsIn, read_program};
pub use error::SuiteError;
pub use file::NoRoom;
pub use input_type::{Array, Enumeration, Field, InputType, Structure};
pub use input_types::InputTypes;
pub use journal::read as read_journal;
pub use junit::{JunitCase, JunitOutcome, junit};
pub use kind::{InputKind, UnknownKind};
pub use profile::{Curve, LineCost, Profile, Sample};
pub use render::{InputDescription, TestDescription, brief, describe, render};
pub use results::{
    Argument, ArgumentBounds, BehaviourDifference, Change, ChangeKind, CoverageSummary, End, Ends,
    Environment, ErrorKind, ExternalSummary, FileCommand, Finding, FunctionSummary, FunctionTarget,
    FuzzSummary, Incomplete, IncompleteReason, Language, ObjectCounts, Outcome, PathCounts, Recipe,
    RunReport, SCHEMA, Share, SolverSummary, StageReport, StageSummary, Stub, SymbolicFiles,
    TestFramework, Tries, UnknownEnd, UnknownStub, Variable, VersionComparison,
};
pub use run::{RunDirectory, StoredTest, TornFile, is_test, read_test};
pub use scalar::Scalar;
pub use setting::Setting;
