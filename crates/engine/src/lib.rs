//! What a program that wants to use Everypath calls: sessions, and the policies that
//! decide where paths go.
//!
//! A [`Session`] compiles what a recipe names, follows every path and gives a report; an
//! [`Observer`] hears of each path as it ends.
//!
//! ```
//! use engine::{Observer, Options, PathEnd, Session};
//! use machine::End;
//! use suite::Recipe;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let directory = tempfile::tempdir()?;
//! let file = directory.path().join("divide.c");
//! std::fs::write(
//!     &file,
//!     "#include <everypath.h>
//!      int main(void) {
//!          int x;
//!          ep_symbolic(&x, sizeof x, \"x\");
//!          return x > 100 ? 10 / (x - 117) : 0;
//!      }",
//! )?;
//!
//! /// Prints the input of every path that ends in an error.
//! struct Errors(Vec<i32>);
//! impl Observer for Errors {
//!     fn ended(&mut self, path: &mut PathEnd<'_, '_>, end: &End) {
//!         if let End::Error(..) = end {
//!             let x = path.case().inputs[0].bytes[..].try_into();
//!             self.0.push(i32::from_le_bytes(x.expect("an int has four bytes")));
//!         }
//!     }
//! }
//!
//! let mut errors = Errors(Vec::new());
//! let session = Session::new(Recipe::of_files([file]), Options::default());
//! let report = session.run(&mut errors)?;
//! assert_eq!((report.paths.completed, report.paths.errors), (2, 1));
//! assert_eq!(report.errors[0].line, 5);
//! assert_eq!(errors.0, [117]);
//! # Ok(())
//! # }
//! ```

pub mod c_library;
mod compile;
pub mod cpp_library;
mod environment;
mod exploration;
pub mod function_target;
mod library_build;
mod notes;
mod observer;
mod outcome;
pub mod policy;
mod range;
mod ready;
mod replay;
pub mod report;
mod session;
mod tally;
mod waiting;
mod written;

pub use compile::{
    Compilation, CompileError, Libraries, compile, compile_options, driver_of, files, library,
    write_headers,
};
pub use environment::environment;
pub use exploration::Plan;
pub use library_build::{LibraryError, key};
pub use observer::{News, Observer, PathEnd, Progress};
pub use outcome::{Counts, Outcome};
pub use range::Range;
pub use ready::{NotReady, PathRange, Ready, Start, Steps};
pub use replay::{Replay, Replayed, Traced};
pub use session::{Books, Options, Prepared, Session, SessionError, Suites};
pub use tally::Tally;
pub use waiting::OpenRanges;
