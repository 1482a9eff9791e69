//! Rules that no compiler checks: ARCHITECTURE.md is true of the source tree, and the
//! source keeps what it promises there. A failure lists every place, so that one run
//! is enough to put things right.

mod architecture;
mod crates;
mod cycles;
mod documents;
mod language;
mod source;

/// Fails with all complaints, one a line.
#[track_caller]
fn none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}
