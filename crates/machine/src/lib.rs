//! The symbolic virtual machine for programs.
//!
//! A [`Machine`] holds a program made ready and what its states share: the
//! store of terms, the solver, the coverage. A [`State`] is one path. Running a
//! state follows it until it forks, ends, or has had its turn; values are
//! concrete words until they must be terms, and a stretch of code that touches
//! nothing symbolic makes no term at all.

mod arith;
mod branch;
mod calls;
mod coverage;
mod directed;
mod entry;
mod exploration;
mod external;
mod fitness;
mod floats;
mod generations;
mod interp;
mod intrinsics;
mod layout;
mod lazy;
mod machine;
mod memory;
mod ops;
mod outcome;
mod partition;
mod pointers;
mod reach;
mod replay;
pub mod runtime;
mod selective;
mod shims;
mod staging;
mod state;
mod stdin;
mod uninitialised;
mod value;

pub use coverage::Coverage;
pub use directed::Step;
pub use entry::{EntryInput, entry_inputs};
pub use exploration::{Counts, Observer, Outcome, Plan, explore};
pub use external::ExternalOptions;
pub use generations::{Marked, NoTokens, Traced};
pub use lazy::{LazyObjects, SuiteReader};
pub use machine::{Machine, Options, Ran};
pub use outcome::{End, ErrorKind};
pub use replay::{Recording, Replay, Replayed};
pub use staging::{Precondition, StagedArgument, Staging, staged_parameters, unbounded_types};
pub use state::{Input, InputKind, State};
pub use stdin::{Language, STDIN};
pub use value::Value;
