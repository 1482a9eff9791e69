//! Object graphs, the bounds they are made in, and suites of them on disk.
//!
//! An [`ObjectGraph`] is one solution of a class invariant: the objects that can
//! be reached from the first one, the values of their fields, and where their
//! pointers lead. A [`Suite`] holds the solutions of one invariant. It is text,
//! one JSON object a line, so that a person can read it and another generator
//! can write it; a line that cannot be used costs that line alone.
//!
//! ```
//! use staged::Suite;
//!
//! let text = r#"{"schema":"everypath-stage","version":1,"object":"List","invariant":"isList"}
//! {"objects":[{"type":"List","fields":{"first":null,"size":0}}]}
//! {"objects":[{"type":"List","fields":{"first":"@7","size":1}}]}
//! "#;
//! let (suite, complaints) = Suite::read(text)?;
//! assert_eq!(suite.solutions.len(), 1);
//! assert_eq!(complaints[0].to_string(), "line 3: `first` of object 0 points to object 7, and there is 1");
//! # Ok::<(), staged::SuiteError>(())
//! ```

mod bounds;
mod bytes;
mod draw;
mod graph;
mod suite;

pub use bounds::{Behind, BoundError, Bounds, Length, Range};
pub use bytes::Bytes;
pub use graph::{Field, Object, ObjectGraph};
pub use suite::{
    Complaint, GrammarSource, Header, HeaderProblem, LineProblem, Solution, Suite, SuiteError,
    VERSION,
};
