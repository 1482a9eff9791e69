//! The ground floor: what every crate may use, and what uses none of them.
//!
//! The [`Stop`] token is how long work ends early. The command makes one, hands it
//! to everything that can take long, and whoever holds it asks between two units of
//! work whether to go on:
//!
//! ```
//! use base::{Cause, Stop};
//!
//! let stop = Stop::after(1000);
//! let mut rounds = 0;
//! while stop.check().is_ok() {
//!     rounds += 1; // a unit of work: a few milliseconds at most
//! }
//! assert_eq!((rounds, stop.cause()), (1000, Some(Cause::Count)));
//! ```

mod caught;
mod error_kind;
pub mod escape;
pub mod files;
mod list;
mod random;
mod schedule;
mod stop;

pub use caught::{Panicked, caught};
pub use error_kind::ErrorKind;
pub use escape::OneLine;
pub use list::List;
pub use random::{Random, SplitMix};
pub use schedule::{NoSchedule, Schedule, TimeSlice};
pub use stop::{Cause, Stop, Stopped, memory_in_use};
