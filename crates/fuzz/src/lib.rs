//! Whitebox fuzzing: one concrete run after the other, in generations.
//!
//! A run writes down every condition it meets. All of them that lie after the run's
//! *bound* are flipped, one at a time, and each flip that has a solution is an input
//! of the next generation, with its own bound behind the flip, so that no condition
//! is flipped twice on the same path. Inputs wait in a queue, and those that reached
//! the most new code are expanded first.
//!
//! The search is that of Godefroid, Levin and Molnar, *Automated whitebox fuzz testing*,
//! NDSS 2008; the letters are those of Godefroid, Kieżun and Levin, *Grammar-based
//! whitebox fuzzing*, PLDI 2008.
//!
//! What a flip is solved over is the [`Level`]: the bytes of standard input, which the
//! solver decides; or the letters of a grammar, tokens or bytes, where each
//! condition says which letters are allowed at a position and the grammar completes
//! the rest to a whole word, or proves that there is none.

mod bytes;
mod candidate;
mod language;
mod positions;
mod queue;
mod search;
mod segment;
mod spelling;
mod tokens;

pub use bytes::ByteLevel;
pub use candidate::{Candidate, OpenCandidates};
pub use language::{Language, usable};
pub use search::{
    Begin, Counts, Ended, Level, Memory, Observer, Outcome, Run, Seed, Settings, fuzz,
};
pub use segment::Segments;
pub use spelling::{Piece, Spelling, SpellingError, words_of};
pub use tokens::{TokenError, TokenIds};
