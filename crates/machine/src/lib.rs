//! The symbolic virtual machine for programs: mechanism without policy.
//!
//! A [`Machine`] holds a program made ready and what its states share: the store of
//! terms, the solver, the coverage. A [`State`] is one path. [`Machine::run`] takes a
//! state one [`Turn`] on, until it forks, ends, or has had its share; values are
//! concrete words until they must be terms, and a stretch of code that touches nothing
//! symbolic makes no term at all. Where there is a choice, a [`Policy`] is asked.

mod applied;
mod arith;
mod branch;
mod calls;
mod costs;
mod coverage;
mod decisions;
mod entry;
mod environment;
mod error;
mod external;
mod externals;
mod floats;
mod image;
mod incomplete;
mod indeterminate;
mod input_types;
mod interp;
mod intrinsics;
mod kernel;
mod machine;
mod marked_inputs;
mod marks;
mod memory;
mod ops;
mod origin;
mod outcome;
mod partition;
mod pointers;
mod policy;
mod racing;
mod retrace;
pub mod runtime;
mod scheduling;
mod setup;
mod shims;
mod state;
mod streams;
mod threads;
mod unwind;
mod value;
mod variadic;

pub use arith::compare;
pub use costs::{CallCost, Cost, Costs};
pub use coverage::Coverage;
pub use decisions::{Decisions, Record};
pub use entry::{EntryInput, entry_input, entry_inputs};
pub use environment::{Argument, Environment, PROGRAM_NAME, Variable};
pub use error::{SourceLine, StartError};
pub use externals::{ExternalOptions, Stub};
pub use incomplete::Incomplete;
pub use input_types::InputTypes;
pub use machine::{Deferred, Invocation, Machine, Options, Returned, Successors, Turn};
pub use marks::Marks;
pub use memory::{Allocator, Memory, Object as MemoryObject, ObjectId, Region};
pub use outcome::{End, ErrorKind, Halt, error, unsupported};
pub use pointers::{Access, Spot};
pub use policy::{AllPaths, Choice, ChoiceKind, Events, Given, Guidance, More, Origin, Policy};
pub use retrace::{RetraceError, Retraced};
pub use state::{
    Caller, Frame, Input, InputKind, Inputs, Location, Phase, Progress, State, input_name,
};
pub use streams::{Continuation, Language, STDIN, Seen, StreamId};
pub use value::{Value, mask, width};
