//! Input/output symbolic transition systems: models of reactive systems, from
//! their text to verdicts on real systems.

mod check;
mod coverage;
pub mod draw;
pub mod execution;
pub mod exploration;
pub mod functions;
pub mod goal;
pub mod html;
pub mod import;
mod inclusion;
mod lower;
mod model;
pub mod observer;
pub mod render;
pub mod runner;
mod syntax;
pub mod system;
pub mod testcase;
mod types;
pub mod value;

pub use check::{Checked, Settings, check};
pub use model::*;
pub use syntax::{Fault, Span, format};
pub use types::{Enumeration, Record, Type};
