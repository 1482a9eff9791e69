//! What a coordinator needs of whoever keeps what workers find.

use super::journal::Entry;
use super::protocol::Packed;
use crate::live::LivePage;
use crate::told::Told;
use ::report::document::Worker;
use engine::{Books, Observer, Outcome, Tally};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;
use suite::Finding;

/// Keeps what is found on paths, whether this process follows them or others do.
pub trait Keeper: Observer {
    /// What was counted before the exploration at hand.
    fn before(&self) -> &Tally;

    /// Where ranges may wait that memory has no room for.
    fn folder(&self) -> &Path;

    /// The ranges that are open, which the coordinator keeps from now on, and the last
    /// number of one.
    fn take_open(&mut self) -> (BTreeMap<u64, Packed>, u64);

    /// Keeps what was told, and enters it in the books; no more tests than there may be.
    fn tell(&mut self, told: Told, books: &mut Books, most: Option<u64>);

    /// Keeps that workers die of a range: that is an error of the tool.
    fn tell_killer(&mut self, range: &Packed, finding: Finding, books: &mut Books);

    /// Puts on disk how far the run is; when to do so again.
    fn commit(&mut self, entry: Entry, tally: &Tally) -> Instant;

    /// Shows how far a run in several processes is; how it ends, if it does so now.
    fn show(&mut self, tally: &Tally, waiting: u64, workers: Vec<Worker>) -> Option<Outcome>;

    /// The page on which somebody watches the run, if it is watched.
    fn page(&self) -> Option<&LivePage>;

    /// Whether whoever watches the run wants it to wait.
    fn is_paused(&self) -> bool {
        self.page().is_some_and(|page| page.link.is_paused())
    }

    /// Whether whoever watches the run wants to have what there is.
    fn wants_dump(&self) -> bool {
        self.page().is_some_and(LivePage::wants_dump)
    }

    /// Writes down how far the run is, with these ranges open.
    fn dump(&mut self, open: &[Packed], tally: &Tally);
}
