//! What a run writes to go on after a kill, and reads when it does.

use super::handover::Handover;
use super::protocol::Packed;
use crate::error::Error;
use crate::told::Found;
use base::OneLine;
use engine::{OpenRanges, Range, Tally};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use suite::{Finding, InputTypes};

/// The version of what is in a journal.
const VERSION: u32 = 3;
/// How long a run works before it writes the journal first, and how long at most between
/// two times, unless writing takes long: it works so much longer than it writes.
const FIRST: Duration = Duration::from_millis(100);
const EVERY: Duration = Duration::from_secs(1);
const WORK_TO_WRITE: u32 = 20;

/// A record of the journal.
#[derive(Serialize, Deserialize)]
enum Record {
    /// The first one: what is run.
    Begin {
        version: u32,
        /// The command line, without the name of the binary.
        words: Vec<String>,
        /// Where it was typed.
        directory: PathBuf,
        /// What its ranges belong to.
        fingerprint: String,
    },
    Commit(Box<Commit>),
}

/// How far the run was at one moment.
#[derive(Serialize, Deserialize)]
struct Commit {
    /// How many tests belong to it.
    tests: u64,
    entry: Entry,
    tally: Tally,
    inputs: InputTypes,
    /// Errors that were found since the last one.
    errors: Vec<Finding>,
    /// Objects that were found since the last one.
    objects: Found,
}

/// What is finished at one moment.
pub struct Finished<'a> {
    /// How many tests there are, and what their inputs are.
    pub tests: u64,
    pub inputs: &'a InputTypes,
    /// All errors.
    pub errors: &'a [Finding],
    /// Objects that were found since the last one.
    pub objects: Found,
}

/// What changed among the open ranges.
#[derive(Default, Serialize, Deserialize)]
pub struct Entry {
    pub opened: Vec<(u64, Packed)>,
    pub closed: Vec<u64>,
}

impl Entry {
    /// Makes the change. A range may open and close again between two records, and is
    /// among both then; none opens twice.
    fn apply(self, open: &mut BTreeMap<u64, Packed>) {
        open.extend(self.opened);
        for number in &self.closed {
            open.remove(number);
        }
    }
}

/// The journal of a run that goes on.
pub struct Journal {
    words: Vec<String>,
    directory: PathBuf,
    fingerprint: String,
    /// Whether the first record is written.
    has_begun: bool,
    open: BTreeMap<u64, Packed>,
    last: u64,
    /// Errors that are in the journal already.
    errors: usize,
    begun: Instant,
    due: Instant,
    numbers: Numbers,
    handover: Handover,
}

impl Journal {
    /// The journal of a run with this command line, typed here, whose ranges belong to what
    /// has this fingerprint.
    pub fn new(words: Vec<String>, directory: PathBuf, fingerprint: String) -> Journal {
        Journal {
            words,
            directory,
            fingerprint,
            has_begun: false,
            open: BTreeMap::new(),
            last: 0,
            errors: 0,
            begun: Instant::now(),
            due: Instant::now() + FIRST,
            numbers: Numbers::default(),
            handover: Handover::default(),
        }
    }

    /// The journal of a run that goes on, whose first record has all that is open.
    pub fn resumed(run: &Interrupted) -> Journal {
        let open: BTreeMap<u64, Packed> = (1..).zip(run.open.iter().cloned()).collect();
        Journal {
            last: open.len() as u64,
            open,
            ..Journal::new(
                run.words.clone(),
                run.directory.clone(),
                run.fingerprint.clone(),
            )
        }
    }

    /// The records that say so.
    pub fn first_records(&mut self, run: &Interrupted) -> Vec<Vec<u8>> {
        let opened = self.open.iter().map(|(&n, range)| (n, range.clone()));
        let entry = Entry {
            opened: opened.collect(),
            closed: Vec::new(),
        };
        let finished = Finished {
            tests: run.tests,
            inputs: &run.inputs,
            errors: &run.errors,
            objects: run.objects.clone(),
        };
        self.records(entry, &run.tally, finished)
    }

    /// Whether it is time to write.
    pub fn is_due(&self) -> bool {
        Instant::now() >= self.due
    }

    /// Whether anything was written.
    pub fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Whether it is time to give the exploration away.
    pub fn gives_away(&mut self, busy: bool) -> bool {
        self.handover.is_due(busy)
    }

    /// The change in the numbers of this journal; an exploration begins its own anew.
    pub fn entry(&mut self, change: OpenRanges) -> Entry {
        let mut entry = Entry::default();
        for number in change.closed {
            let number = self.numbers.offset + number;
            self.open.remove(&number);
            entry.closed.push(number);
        }
        for (number, range) in change.opened {
            let (number, range) = (self.numbers.offset + number, Packed::new(&range));
            self.last = self.last.max(number);
            self.open.insert(number, range.clone());
            entry.opened.push((number, range));
        }
        entry.closed.append(&mut self.numbers.replaced);
        entry
    }

    /// An exploration of all ranges that are open begins, to be given away then: what it
    /// opens takes their place.
    pub fn begin(&mut self, handover: Handover) {
        let replaced = std::mem::take(&mut self.open);
        self.numbers = Numbers {
            offset: self.last,
            replaced: replaced.into_keys().collect(),
        };
        self.handover = handover;
    }

    /// The ranges that are open.
    pub fn open(&self) -> Vec<Packed> {
        self.open.values().cloned().collect()
    }

    /// All open ranges, which somebody else keeps from now on, and the last number.
    pub fn take_open(&mut self) -> (BTreeMap<u64, Packed>, u64) {
        (std::mem::take(&mut self.open), self.last)
    }

    /// The records to append, after which the run is as far as this says.
    pub fn records(&mut self, entry: Entry, tally: &Tally, finished: Finished<'_>) -> Vec<Vec<u8>> {
        let mut records = Vec::new();
        if !self.has_begun {
            self.has_begun = true;
            records.push(Record::Begin {
                version: VERSION,
                words: self.words.clone(),
                directory: self.directory.clone(),
                fingerprint: self.fingerprint.clone(),
            });
        }
        records.push(Record::Commit(Box::new(Commit {
            tests: finished.tests,
            entry,
            tally: tally.clone(),
            inputs: finished.inputs.clone(),
            errors: finished.errors[self.errors..].to_vec(),
            objects: finished.objects,
        })));
        self.errors = finished.errors.len();
        let packed = |record| rmp_serde::to_vec_named(record).expect("records are plain data");
        records.iter().map(packed).collect()
    }

    /// The next time is later the longer this one took.
    pub fn written(&mut self, begun: Instant) -> Instant {
        // A kill costs a tenth of what was done, and later a second.
        let usual = (self.begun.elapsed() / 10).clamp(FIRST, EVERY);
        self.due = Instant::now() + (begun.elapsed() * WORK_TO_WRITE).max(usual);
        self.due
    }
}

/// How an exploration's numbers of ranges are those of the journal.
#[derive(Default)]
struct Numbers {
    offset: u64,
    /// What it began with, which is closed when it first tells what it has.
    replaced: Vec<u64>,
}

/// A run that was interrupted, as its journal has it.
pub struct Interrupted {
    pub words: Vec<String>,
    pub directory: PathBuf,
    pub fingerprint: String,
    /// How many tests are finished.
    pub tests: u64,
    pub tally: Tally,
    pub inputs: InputTypes,
    pub errors: Vec<Finding>,
    pub objects: Found,
    pub open: Vec<Packed>,
}

impl Interrupted {
    /// What is open.
    ///
    /// # Errors
    ///
    /// When that is not of ours; the journal is in this directory.
    pub fn ranges(&self, directory: &Path) -> Result<Vec<Range>, Error> {
        let ranges: Option<Vec<Range>> = self.open.iter().map(Packed::unpack).collect();
        ranges.ok_or_else(|| {
            Error::Usage(format!(
                "{}: its journal has ranges that are none; start the run anew",
                directory.one_line()
            ))
        })
    }
}

/// Reads the journal of a run; none where it has none, or none that says what is open.
///
/// # Errors
///
/// When it cannot be read, or is of another version.
pub fn read(directory: &Path) -> Result<Option<Interrupted>, Error> {
    let records = suite::read_journal(directory)?;
    let mut records = records.iter().map(|record| rmp_serde::from_slice(record));
    let foreign = || {
        Error::Usage(format!(
            "the journal of {} was written by another version of Everypath; start the run anew",
            directory.one_line()
        ))
    };
    let (words, typed_in, fingerprint) = match records.next() {
        None => return Ok(None),
        Some(Ok(Record::Begin {
            version: VERSION,
            words,
            directory,
            fingerprint,
        })) => (words, directory, fingerprint),
        Some(_) => return Err(foreign()),
    };
    // With no record after the first, nobody knows what is open; it would look like nothing.
    if records.len() == 0 {
        return Ok(None);
    }
    let mut run = Interrupted {
        words,
        directory: typed_in,
        fingerprint,
        tests: 0,
        tally: Tally::default(),
        inputs: InputTypes::default(),
        errors: Vec::new(),
        objects: Found::default(),
        open: Vec::new(),
    };
    let mut open = BTreeMap::new();
    for record in records {
        let Ok(Record::Commit(commit)) = record else {
            return Err(foreign());
        };
        commit.entry.apply(&mut open);
        run.tests = commit.tests;
        run.tally = commit.tally;
        run.inputs = commit.inputs;
        run.errors.extend(commit.errors);
        run.objects.add(commit.objects);
    }
    run.open = open.into_values().collect();
    Ok(Some(run))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_that_says_of_nothing_whether_it_is_open_is_none() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let mut output = suite::OutputDirectory::create_at(folder.path()).expect("it is empty");
        let mut journal = Journal::new(Vec::new(), folder.path().into(), String::new());
        let finished = Finished {
            tests: 0,
            inputs: &InputTypes::default(),
            errors: &[],
            objects: Found::default(),
        };
        let records = journal.records(Entry::default(), &Tally::default(), finished);
        for count in 1..=records.len() {
            output
                .replace_journal(&records[..count])
                .expect("there is room");
            let run = read(folder.path()).expect("it is a journal");
            assert_eq!(run.is_some(), count > 1);
        }
    }

    #[test]
    fn what_opened_and_closed_between_two_records_is_closed() {
        let range = || Packed::new(&Range::whole());
        let mut open = BTreeMap::from([(1, range())]);
        let entry = Entry {
            opened: vec![(2, range()), (3, range())],
            closed: vec![1, 2],
        };
        entry.apply(&mut open);
        assert_eq!(open.into_keys().collect::<Vec<_>>(), [3]);
    }
}
