//! The frontier of an exploration: which states wait, and which goes next.
//!
//! The crate knows nothing of what a state is. A front end takes a state out,
//! runs it as long as it likes, and puts back what came of it: itself, the
//! states it forked into, or nothing. A [`Ticket`] stands for a state's place
//! in the tree of forks while the state is out.
//!
//! ```
//! use explore::{Frontier, Standing, Strategy};
//!
//! // Explore the binary numbers of three digits, depth first.
//! let mut frontier = Frontier::new(Strategy::Dfs, 0);
//! frontier.start(String::new(), Standing::default());
//! let mut ends = Vec::new();
//! while let Some((mut ticket, digits)) = frontier.take() {
//!     if digits.len() == 3 {
//!         frontier.finish(ticket);
//!         ends.push(digits);
//!         continue;
//!     }
//!     let sibling = frontier.fork(&mut ticket);
//!     frontier.put(sibling, digits.clone() + "1", Standing::default());
//!     frontier.put(ticket, digits + "0", Standing::default());
//! }
//! assert_eq!(ends.len(), 8);
//! assert_eq!(ends[0], "000");
//! ```

mod frontier;
mod levels;
mod limits;
mod search;
mod strategy;
mod tree;
mod weights;

pub use frontier::{Frontier, Standing};
pub use limits::{Limit, Limits, Spent};
pub use strategy::Strategy;
pub use tree::Ticket;
