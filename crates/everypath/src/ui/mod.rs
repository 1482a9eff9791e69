//! What a person at a terminal sees while a command is at work.

pub mod progress;
