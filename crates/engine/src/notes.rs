//! Things to tell the user, each once and in the order in which they came up.

use std::collections::HashSet;

/// What came up since it was last told, and what was told before.
#[derive(Default)]
pub(crate) struct Notes {
    known: HashSet<String>,
    new: Vec<String>,
}

impl Notes {
    /// Keeps a note, unless it is known.
    pub fn add(&mut self, note: String) {
        if self.known.insert(note.clone()) {
            self.new.push(note);
        }
    }

    /// What came up since the last call.
    pub fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.new)
    }
}

impl Extend<String> for Notes {
    fn extend<I: IntoIterator<Item = String>>(&mut self, notes: I) {
        for note in notes {
            self.add(note);
        }
    }
}
