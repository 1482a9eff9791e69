//! What a person at a terminal sees while a command is at work.

pub mod progress;
pub mod statistics;
pub mod style;
pub mod summary;
