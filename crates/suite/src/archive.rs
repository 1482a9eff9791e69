//! Many tests in one file, `tests.ep`.
//!
//! To create a small file takes the system longer than to explore a short path, so a
//! run appends its tests to one. The file is readable while it is written, and a kill
//! costs at most the block that was being written:
//!
//! ```text
//! "everypath tests 1\n"
//! blocks, each:  number of tests, length of the frame      32 bits each, least byte first
//!                a zstd frame with a checksum, in it for each test:
//!                    length and text of its end             empty if a limit stopped it
//!                    length and bytes of its .ktest file
//! ```
//!
//! Tests are numbered in the order of the file, so that the heads of blocks are an index:
//! whoever wants one test skips all blocks but its own.

use crate::{End, SuiteError, TestCase, TestName, file, ktest};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The name of the file in a run's directory.
pub(crate) const TESTS: &str = "tests.ep";
const MAGIC: &[u8] = b"everypath tests 1\n";
/// Bytes of tests after which a block is written even if more are coming.
const BLOCK: usize = 1 << 16;
/// The fastest level: tests of one run are so alike that more gains little.
const LEVEL: i32 = 1;
/// No frame may become larger than this; one that does was not written by a run.
const MOST: u64 = 1 << 30;

/// A test of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArchivedTest {
    pub name: TestName,
    /// How it ends, if its path was followed to the end.
    pub end: Option<End>,
    pub case: TestCase,
}

/// Appends tests to an archive.
#[derive(Debug)]
pub(crate) struct ArchiveWriter {
    path: PathBuf,
    file: File,
    /// What is not written yet.
    block: ArchiveBlock,
}

/// Tests that are to become one block.
#[derive(Debug, Default)]
pub(crate) struct ArchiveBlock {
    records: Vec<u8>,
    tests: u32,
}

impl ArchiveBlock {
    /// Adds a test, given as [`record`] makes it.
    pub fn add(&mut self, record: &[u8]) {
        self.records.extend_from_slice(record);
        self.tests += 1;
    }

    /// Whether there is enough for a block.
    pub fn is_full(&self) -> bool {
        self.records.len() >= BLOCK
    }

    fn clear(&mut self) {
        self.records.clear();
        self.tests = 0;
    }

    /// The block as it stands in a file; nothing if it has no tests.
    fn framed(&self) -> Vec<u8> {
        if self.tests == 0 {
            return Vec::new();
        }
        let frame = frame(&self.records);
        let length = u32::try_from(frame.len()).expect("a block takes less than 4 GiB");
        let head = [self.tests.to_le_bytes(), length.to_le_bytes()].concat();
        [head, frame].concat()
    }

    /// Appends the block to others, and begins the next.
    pub fn close(&mut self, blocks: &mut Vec<u8>) {
        blocks.extend(self.framed());
        self.clear();
    }
}

impl ArchiveWriter {
    /// An archive that is there or is made; tests come after those it has.
    pub fn open(path: PathBuf) -> Result<ArchiveWriter, SuiteError> {
        let open = || {
            let mut file = File::options().create(true).append(true).open(&path)?;
            if file.metadata()?.len() == 0 {
                file.write_all(MAGIC)?;
            }
            Ok(file)
        };
        match open() {
            Ok(file) => Ok(ArchiveWriter {
                path,
                file,
                block: ArchiveBlock::default(),
            }),
            Err(source) => Err(SuiteError::Write { path, source }),
        }
    }

    /// Adds a test, given as [`record`] makes it; it is on disk after the next flush.
    pub fn append(&mut self, record: &[u8]) {
        self.block.add(record);
    }

    /// Whether there is enough for a block.
    pub fn is_full(&self) -> bool {
        self.block.is_full()
    }

    /// Writes what was added since the last flush, as one block. If that fails nothing is
    /// lost, and it can be tried again.
    pub fn flush(&mut self) -> Result<(), SuiteError> {
        self.append_blocks(&self.block.framed())?;
        self.block.clear();
        Ok(())
    }

    /// Writes whole blocks; what was added before is to be flushed first.
    pub fn append_blocks(&self, blocks: &[u8]) -> Result<(), SuiteError> {
        if blocks.is_empty() {
            return Ok(());
        }
        // One write, so that a kill leaves whole blocks and perhaps a torn last one.
        file::append(&self.file, blocks).map_err(|source| SuiteError::Write {
            path: self.path.clone(),
            source,
        })
    }
}

pub(crate) fn frame(block: &[u8]) -> Vec<u8> {
    let framed = || {
        let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
        encoder.include_checksum(true)?;
        encoder.write_all(block)?;
        encoder.finish()
    };
    framed().expect("memory takes what is written to it")
}

/// A test as it stands in a block.
pub(crate) fn record(case: &TestCase, end: Option<End>) -> Vec<u8> {
    let end = end.map(|end| end.to_string()).unwrap_or_default();
    let test = ktest::encode(case);
    let mut record = Vec::with_capacity(8 + end.len() + test.len());
    for part in [end.as_bytes(), &test] {
        let length = u32::try_from(part.len()).expect("a test case takes less than 4 GiB");
        record.extend_from_slice(&length.to_le_bytes());
        record.extend_from_slice(part);
    }
    record
}

/// An archive with these tests and no others, put in place whole.
pub(crate) fn write(path: &Path, tests: &[(TestCase, Option<End>)]) -> Result<(), SuiteError> {
    let mut content = MAGIC.to_vec();
    let mut block = ArchiveBlock::default();
    for (case, end) in tests {
        block.add(&record(case, *end));
        if block.is_full() {
            block.close(&mut content);
        }
    }
    block.close(&mut content);
    file::replace(path, &content)
}

/// The tests of blocks that are in no file.
pub(crate) fn unpack_blocks(blocks: &[u8]) -> Result<Vec<(TestCase, Option<End>)>, SuiteError> {
    let mut reader = Reader {
        path: PathBuf::from(TESTS),
        file: io::Cursor::new(blocks),
        number: 1,
    };
    let mut tests = Vec::new();
    while let Some(block) = reader.next_block(|_| true)? {
        tests.extend(block.into_iter().map(|test| (test.case, test.end)));
    }
    Ok(tests)
}

/// The whole tests of an archive, and what is wrong with what comes after them.
pub(crate) fn read(path: &Path) -> Result<(Vec<ArchivedTest>, Option<SuiteError>), SuiteError> {
    let mut reader = Reader::open(path)?;
    let mut tests = Vec::new();
    loop {
        match reader.next_block(|_| true) {
            Ok(Some(block)) => tests.extend(block),
            Ok(None) => return Ok((tests, None)),
            Err(wrong) => return Ok((tests, Some(wrong))),
        }
    }
}

/// One test of an archive; none if the archive has no such test.
pub(crate) fn find(path: &Path, name: &str) -> Result<Option<ArchivedTest>, SuiteError> {
    let mut reader = Reader::open(path)?;
    let in_block = |numbers: std::ops::Range<u64>| {
        numbers
            .clone()
            .any(|number| TestName::new(number).as_str() == name)
    };
    while let Some(block) = reader.next_block(in_block)? {
        if let Some(test) = block.into_iter().find(|test| test.name.as_str() == name) {
            return Ok(Some(test));
        }
    }
    Ok(None)
}

struct Reader<R> {
    path: PathBuf,
    file: R,
    /// The number of the next test.
    number: u64,
}

impl Reader<io::BufReader<File>> {
    fn open(path: &Path) -> Result<Self, SuiteError> {
        let file = File::open(path).map_err(|source| SuiteError::Read {
            path: path.to_owned(),
            source,
        })?;
        let mut reader = Reader {
            path: path.to_owned(),
            file: io::BufReader::new(file),
            number: 1,
        };
        let mut magic = [0; MAGIC.len()];
        match reader.file.read_exact(&mut magic) {
            Ok(()) if magic == MAGIC => Ok(reader),
            _ => Err(reader.damaged("it does not begin as an archive of tests does")),
        }
    }
}

impl<R: Read + Seek> Reader<R> {
    fn damaged(&self, reason: &str) -> SuiteError {
        SuiteError::Archive {
            path: self.path.clone(),
            after: self.number - 1,
            reason: reason.to_owned(),
        }
    }

    /// The tests of the next block, none of them if it is not wanted.
    fn next_block(
        &mut self,
        wanted: impl Fn(std::ops::Range<u64>) -> bool,
    ) -> Result<Option<Vec<ArchivedTest>>, SuiteError> {
        let torn = |reader: &Self| reader.damaged("its last block is not whole");
        let mut head = [0; 8];
        match self.file.read(&mut head).map_err(|_| torn(self))? {
            0 => return Ok(None),
            n => self
                .file
                .read_exact(&mut head[n..])
                .map_err(|_| torn(self))?,
        }
        let [tests, length] = [0, 4].map(|at| {
            u32::from_le_bytes(head[at..at + 4].try_into().expect("four bytes were read"))
        });
        let beyond = self.number + u64::from(tests);
        if !wanted(self.number..beyond) {
            let skipped = self.file.seek(SeekFrom::Current(length.into()));
            skipped.map_err(|_| torn(self))?;
            self.number = beyond;
            return Ok(Some(Vec::new()));
        }
        let mut frame = Vec::new();
        let taken = (&mut self.file).take(length.into()).read_to_end(&mut frame);
        if taken.map_err(|_| torn(self))? < length as usize {
            return Err(torn(self));
        }
        let mut block = Vec::new();
        zstd::Decoder::with_buffer(&frame[..])
            .and_then(|decoder| decoder.take(MOST).read_to_end(&mut block))
            .map_err(|error| self.damaged(&error.to_string()))?;
        let mut rest = &block[..];
        let mut found = Vec::new();
        while !rest.is_empty() {
            let test = test(&mut rest).ok_or_else(|| self.damaged("a test is not whole"))?;
            let (end, case) = test;
            let name = TestName::new(self.number);
            found.push(ArchivedTest { name, end, case });
            self.number += 1;
        }
        match self.number == beyond {
            true => Ok(Some(found)),
            false => Err(self.damaged("a block has not as many tests as it says")),
        }
    }
}

fn test(rest: &mut &[u8]) -> Option<(Option<End>, TestCase)> {
    let end = std::str::from_utf8(part(rest)?).ok()?;
    let end = match end {
        "" => None,
        end => Some(end.parse().ok()?),
    };
    let case = ktest::decode(part(rest)?).ok()?;
    Some((end, case))
}

fn part<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, after) = rest.split_first_chunk()?;
    let (part, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    *rest = after;
    Some(part)
}

/// Puts the tests of an archive into files of their own and takes the archive away.
/// Killed in between, it leaves the archive and some files, which say the same.
pub(crate) fn unpack(path: &Path) -> Result<(), SuiteError> {
    let (tests, wrong) = read(path)?;
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    for test in tests {
        let file = path.with_file_name(format!("{}.ktest", test.name));
        file::create_new(&file, &ktest::encode(&test.case))?;
    }
    std::fs::remove_file(path).map_err(|source| SuiteError::Write {
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, Input};

    fn some_test(number: u64) -> (TestCase, Option<End>) {
        let bytes = vec![number as u8; number as usize % 300];
        let end = match number % 3 {
            0 => None,
            1 => Some(End::Exit(number as i32)),
            _ => Some(End::Error(ErrorKind::Division)),
        };
        (TestCase::new(vec![Input::new("x", bytes)]), end)
    }

    fn archive(directory: &Path, tests: u64, each_block: u64) -> PathBuf {
        let path = directory.join(TESTS);
        let mut writer = ArchiveWriter::open(path.clone()).expect("it can be created");
        for number in 1..=tests {
            let (case, end) = some_test(number);
            writer.append(&record(&case, end));
            if number % each_block == 0 {
                writer.flush().expect("it is written");
            }
        }
        writer.flush().expect("it is written");
        path
    }

    #[test]
    fn tests_are_read_back_all_at_once_and_one_by_one() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = archive(directory.path(), 100, 7);
        let (tests, wrong) = read(&path).expect("it is there");
        assert!(wrong.is_none() && tests.len() == 100);
        for (test, number) in tests.iter().zip(1..) {
            let (case, end) = some_test(number);
            assert_eq!((&test.case, test.end), (&case, end));
            let found = find(&path, test.name.as_str()).expect("it is there");
            assert_eq!(found.as_ref(), Some(test));
        }
        assert_eq!(find(&path, "test000101").expect("it is there"), None);
    }

    #[test]
    fn wherever_it_is_cut_the_blocks_before_are_whole() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = archive(directory.path(), 20, 5);
        let whole = std::fs::read(&path).expect("it is there");
        let mut counts = Vec::new();
        for length in MAGIC.len()..whole.len() {
            std::fs::write(&path, &whole[..length]).expect("it can be cut");
            let (tests, wrong) = read(&path).expect("it begins well");
            assert!(tests.len().is_multiple_of(5), "{length}");
            // At the end of a block nothing looks wrong.
            assert_eq!(
                wrong.is_none(),
                counts.last().is_none_or(|&n| n < tests.len())
            );
            counts.push(tests.len());
        }
        assert!(counts.is_sorted());
    }

    #[test]
    fn a_changed_byte_is_noticed() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = archive(directory.path(), 20, 20);
        let whole = std::fs::read(&path).expect("it is there");
        let (before, _) = read(&path).expect("it is whole");
        for at in (MAGIC.len()..whole.len()).step_by(3) {
            let mut changed = whole.clone();
            changed[at] ^= 0x10;
            std::fs::write(&path, &changed).expect("it can be changed");
            let (tests, wrong) = read(&path).expect("it begins well");
            assert!(wrong.is_some() || tests == before, "byte {at}");
        }
    }
}
