//! Sessions and policies.

mod exploration;
mod notes;
pub mod policy;
mod ready;
mod replay;

pub use exploration::{Counts, Observer, Outcome, Plan};
pub use ready::{NotReady, Ready, Start, Steps};
pub use replay::{Replay, Replayed};
