//! The journal of a run, `journal.ep`: what it takes to go on after a kill.
//!
//! Records are appended and never changed. Each says how many tests are finished and what
//! is still open; it is written after those tests, so that at any moment the last whole
//! record and the tests up to its number fit together. What a record holds is the matter of
//! whoever writes it; here it is bytes.
//!
//! ```text
//! "everypath journal 1\n"
//! records, each:  length of the frame       32 bits, least byte first
//!                 a zstd frame with a checksum
//! ```

use crate::{SuiteError, archive, file};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The name of the file in a run's directory.
pub(crate) const JOURNAL: &str = "journal.ep";
const MAGIC: &[u8] = b"everypath journal 1\n";

/// Appends records to a journal.
#[derive(Debug)]
pub(crate) struct JournalWriter {
    path: PathBuf,
    file: File,
}

impl JournalWriter {
    /// A journal that is there; records come after those it has.
    pub fn open(path: PathBuf) -> Result<JournalWriter, SuiteError> {
        match File::options().append(true).open(&path) {
            Ok(file) => Ok(JournalWriter { path, file }),
            Err(source) => Err(SuiteError::Write { path, source }),
        }
    }

    /// Adds a record; it is with the system when this returns.
    pub fn append(&mut self, record: &[u8]) -> Result<(), SuiteError> {
        let written = file::append(&self.file, &framed(record));
        written.map_err(|source| SuiteError::Write {
            path: self.path.clone(),
            source,
        })
    }
}

/// A journal of these records and no others, put in place whole.
pub(crate) fn write(path: &Path, records: &[Vec<u8>]) -> Result<(), SuiteError> {
    let mut content = MAGIC.to_vec();
    for record in records {
        content.extend(framed(record));
    }
    file::replace(path, &content)
}

/// A record as it stands in the file.
fn framed(record: &[u8]) -> Vec<u8> {
    let frame = archive::frame(record);
    let length = u32::try_from(frame.len()).expect("a record takes less than 4 GiB");
    [&length.to_le_bytes()[..], &frame].concat()
}

/// The whole records of the journal in a directory; none if there is no journal. What a
/// kill has torn is left out.
///
/// # Errors
///
/// When the file is no journal.
pub fn read(directory: &Path) -> Result<Vec<Vec<u8>>, SuiteError> {
    let path = directory.join(JOURNAL);
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let content = file::read(&path)?;
    let Some(mut rest) = content.strip_prefix(MAGIC) else {
        return Err(SuiteError::Journal { path });
    };
    let mut records = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk() {
        let length = u32::from_le_bytes(*length) as usize;
        let Some((frame, after)) = after.split_at_checked(length) else {
            break;
        };
        let Ok(record) = zstd::decode_all(frame) else {
            break;
        };
        records.push(record);
        rest = after;
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wherever_it_is_cut_the_records_before_are_whole() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join(JOURNAL);
        let records: Vec<Vec<u8>> = (0..20u8).map(|n| vec![n; 50 * usize::from(n)]).collect();
        write(&path, &records[..2]).expect("it can be created");
        let mut writer = JournalWriter::open(path.clone()).expect("it is there");
        for record in &records[2..] {
            writer.append(record).expect("it is added");
        }
        let whole = std::fs::read(&path).expect("it is there");
        let mut last = 0;
        for length in MAGIC.len()..=whole.len() {
            std::fs::write(&path, &whole[..length]).expect("it can be cut");
            let read = read(directory.path()).expect("it begins well");
            assert_eq!(read, records[..read.len()]);
            assert!(read.len() >= last);
            last = read.len();
        }
        assert_eq!(last, records.len());
    }

    #[test]
    fn what_was_changed_is_not_taken_for_a_record() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join(JOURNAL);
        write(&path, &[b"one".to_vec()]).expect("it can be created");
        let mut writer = JournalWriter::open(path.clone()).expect("it is there");
        let good = std::fs::metadata(&path).expect("it is there").len() as usize;
        writer.append(&[7; 300]).expect("it is added");
        let whole = std::fs::read(&path).expect("it is there");
        for at in good + 4..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0x20;
            std::fs::write(&path, &changed).expect("it can be changed");
            let read = read(directory.path()).expect("it begins well");
            assert!(read.len() == 1 || read[1] == [7; 300], "byte {at}");
        }
        std::fs::write(&path, b"nothing of the kind").expect("it can be written");
        assert!(read(directory.path()).is_err());
    }
}
