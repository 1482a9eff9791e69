//! What a run found, in the forms in which others look at it: a page for people's eyes,
//! SARIF for code review, Cobertura for coverage services, and while the run goes on the
//! same page from a server.
//!
//! Everything here is made of what `suite` reads back from a run's directory, so that a
//! report can be made long after the run, and on another machine.

pub mod cobertura;
pub mod document;
pub mod live;
mod page;
pub mod sarif;
mod table;

pub use page::page;
