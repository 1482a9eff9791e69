//! Input/output symbolic transition systems: models of reactive systems, from
//! their text to verdicts on real systems.
//!
//! [`check`] reads a model; an [`Executor`](execution::Executor) runs it with
//! symbolic values; [`explore`](exploration::explore) builds the tree of its
//! states; [`test_cases`](testcase::test_cases) turns paths into tests, and
//! [`run_test`](runner::run_test) runs them against a system.
//!
//! ```
//! use mixed::{Mixed, solver::Solver};
//! use model::execution::Executor;
//! use model::exploration::{Bounds, explore};
//!
//! let text = "
//!     channel coin(Int)
//!     channel thanks
//!     automaton Box {
//!         var value: Int
//!         initial idle
//!         take: idle -> full, coin?(value) where value > 0
//!         thank: full -> idle when value >= 5, thanks!
//!         keep: full -> idle when value < 5, tau
//!     }";
//! let model = model::check(text, &[]).expect("the model is right").model;
//! let mut executor = Executor::new(&model, Mixed::from(Solver::default()));
//! let bounds = Bounds { height: 2, ..Bounds::default() };
//! let tree = explore(&mut executor, &bounds, None);
//! assert_eq!((tree.nodes.len(), tree.coverage()), (4, 100.0));
//! ```

mod check;
mod classes;
mod closure;
pub mod codec;
mod command;
mod command_line;
pub mod condition;
mod coverage;
pub mod execution;
pub mod exploration;
mod fresh;
pub mod functions;
pub mod goal;
mod growth;
mod guess;
pub mod import;
mod inclusion;
mod liveness;
mod lower;
mod model;
pub mod mutation;
pub mod observer;
pub mod output;
mod pattern;
pub mod picture;
pub mod property;
pub mod purpose;
pub mod render;
pub mod results;
pub mod runner;
mod syntax;
pub mod system;
pub mod testcase;
mod types;
mod undecided;
pub mod until;
pub mod value;
mod wait;
pub mod walk;
mod written;

pub use check::{Checked, Settings, check, condition_on};
pub use command_line::{CommandError, CommandLine};
pub use model::*;
pub use syntax::{Fault, Span, format, mistakes};
pub use types::{Enumeration, Record, Shape, Type};
pub use undecided::Undecided;
