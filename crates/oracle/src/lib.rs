//! External functions: what a solver cannot see into, but anybody can run.
//!
//! An [`Oracle`] knows functions by name and runs them on values: native code
//! in a helper process that may crash without harm, functions of the embedding
//! program, or a [`FunctionTable`] alone. Every pair of arguments and result
//! it has seen is in the function's table and is never computed again.
//!
//! ```
//! use oracle::{Failure, Implementation, Oracle, Signature, Type};
//! use term::{BitVec, Value};
//!
//! let int = |n: i64| Value::Bv(BitVec::from_u64(32, n as u64));
//! let mut oracle = Oracle::new();
//! let hash = Signature::new("hash", &[("x", Type::Signed(32))], Type::Signed(32));
//! let ten_times = |arguments: &[Value]| match &arguments[0] {
//!     Value::Bv(x) => Ok(Value::Bv(x.mul(&BitVec::from_u64(32, 10)))),
//!     _ => Err("it takes integers".to_owned()),
//! };
//! oracle.declare(hash, Implementation::custom(ten_times))?;
//!
//! assert_eq!(oracle.call("hash", &[int(4)])?, int(40));
//! assert_eq!(oracle.call("hash", &[int(4)])?, int(40)); // from the table
//! assert_eq!(oracle.statistics("hash").unwrap().from_table, 1);
//! assert_eq!(oracle.table("hash").unwrap().to_csv(), "x,result\ni32,i32\n4,40\n");
//! # Ok::<(), Failure>(())
//! ```
//!
//! For native functions the embedding program names a [`HelperCommand`] that
//! calls [`serve`], usually itself with a hidden subcommand:
//!
//! ```no_run
//! use oracle::{HelperCommand, Implementation, Oracle, known_signature};
//!
//! let mut oracle = Oracle::new();
//! oracle.set_helper(HelperCommand {
//!     program: std::env::current_exe()?,
//!     arguments: vec!["native-helper".into()],
//! });
//! let y0 = known_signature("y0").expect("libm is known");
//! oracle.declare(y0, Implementation::Native)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate runs on Linux: memory is shared by `memfd`, waiting is done on
//! futexes.

mod argument;
mod cell;
mod failure;
mod known;
mod log;
mod native;
mod oracle;
mod pattern;
mod sandbox;
mod signature;
mod table;

pub use argument::{Argument, Outcome};
pub use base::Stop;
pub use failure::{Accident, Failure, Note};
pub use known::{is_pure, known_names, known_signature};
pub use log::CallLog;
pub use native::{HelperCommand, serve};
pub use oracle::{Custom, Implementation, Impurity, Oracle, Refusal, Statistics};
pub use pattern::Pattern;
pub use sandbox::{Confinement, Sandbox};
pub use signature::{Parameter, Pointee, Signature, Type, UnknownType};
pub use table::{Column, FunctionTable, InsertError, TableError, TableProblem};
