//! The directory a run writes: `everypath-out-N`, and `everypath-last` beside it.
//!
//! A test goes to disk the moment its path ends, while the run goes on, and there into
//! one archive ([`crate::archive`]). A run that ends with few tests puts them into
//! `.ktest` files, where KLEE's users look for them; on request every test gets its file
//! at once. Such a file is created under its final name with one write: a rename would
//! take half as much time again, and a file that a kill has torn is told from a whole
//! one by [`crate::RunDirectory`]. Every other file is put in place by a rename.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::archive;
use crate::file::{self, NoRoom, patiently};
use crate::journal;
use crate::ktest;
use crate::profile::PROFILE;
use crate::run::{COVERAGE, RUN_JSON, RunDirectory};
use crate::testcomp;
use crate::writer::{Job, Writer};
use crate::{Batch, End, InputTypes, Profile, Recipe, RunReport, SuiteError, TestCase, TestName};

const PREFIX: &str = "everypath-out-";
const LAST: &str = "everypath-last";
const TESTCOMP: &str = "test-suite";

/// A directory that a run fills with tests.
pub struct OutputDirectory {
    path: PathBuf,
    tests: u64,
    types: InputTypes,
    messages: File,
    writer: Writer,
    no_room: NoRoom,
    tests_in: TestsIn,
}

/// Where the tests of a run go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestsIn {
    /// One archive; files in the end if they are few.
    Archive,
    /// A `.ktest` file each.
    Files,
}

/// The program of a run, as LLVM bitcode.
const PROGRAM: &str = "program.bc";

/// How many tests of an archive are put into files at the end.
const FEW: u64 = 1000;

impl fmt::Debug for OutputDirectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OutputDirectory").field(&self.path).finish()
    }
}

impl OutputDirectory {
    /// Creates the first free `everypath-out-N` in `parent`, and points
    /// `everypath-last` at it.
    pub fn create_in(parent: &Path) -> Result<OutputDirectory, SuiteError> {
        let (name, path) = create_first_free(parent)?;
        let directory = OutputDirectory::open(path)?;
        point_last_at(parent, &name)?;
        Ok(directory)
    }

    /// Creates the directory `path`, or takes it when it is there and empty.
    pub fn create_at(path: &Path) -> Result<OutputDirectory, SuiteError> {
        let create = |source| SuiteError::CreateDirectory {
            path: path.to_path_buf(),
            source,
        };
        fs::create_dir_all(path).map_err(create)?;
        if fs::read_dir(path).map_err(create)?.next().is_some() {
            return Err(SuiteError::DirectoryInUse {
                path: path.to_path_buf(),
            });
        }
        OutputDirectory::open(path.to_path_buf())
    }

    /// A directory that is there, which nobody else may write to from now on.
    ///
    /// # Errors
    ///
    /// When another process writes to it.
    pub fn take_up(path: &Path) -> Result<OutputDirectory, SuiteError> {
        OutputDirectory::open(path.to_path_buf())
    }

    /// The directory of a run that was interrupted after so many tests, to go on from
    /// there. What was written after them is taken away: it is found again.
    ///
    /// # Errors
    ///
    /// When another process writes to it, or tests that should be there are not.
    pub fn resume(
        path: &Path,
        tests: u64,
        types: &InputTypes,
    ) -> Result<(OutputDirectory, RunDirectory), SuiteError> {
        let mut output = OutputDirectory::open(path.to_path_buf())?;
        remove_left_overs(path);
        let mut there = RunDirectory::open(path)?;
        let kept = usize::try_from(tests).unwrap_or(usize::MAX);
        if there.tests.len() < kept {
            return Err(SuiteError::TestsMissing {
                path: path.to_path_buf(),
                wanted: tests,
                found: there.tests.len() as u64,
            });
        }
        // First the archive, then what it makes superfluous: a kill in between loses none.
        let whole: Vec<_> = (there.tests[..kept].iter())
            .map(|test| (test.case.clone(), test.end))
            .collect();
        archive::write(&path.join(archive::TESTS), &whole)?;
        for (number, test) in there.tests.iter().enumerate() {
            let error = test.error.as_ref().filter(|_| number >= kept);
            let file = path.join(format!("{}.ktest", test.name));
            for file in error.into_iter().chain(file.is_file().then_some(&file)) {
                fs::remove_file(file).map_err(|source| SuiteError::Write {
                    path: file.clone(),
                    source,
                })?;
            }
        }
        there.tests.truncate(kept);
        output.tests = tests;
        output.types = types.clone();
        Ok((output, there))
    }

    fn open(path: PathBuf) -> Result<OutputDirectory, SuiteError> {
        let log = path.join("messages.log");
        let messages = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&log)
            .map_err(|source| SuiteError::CreateDirectory {
                path: path.clone(),
                source,
            })?;
        // Two runs in one directory would take each other's tests away. The system gives
        // the lock back when the process is gone, however that came about.
        match messages.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(SuiteError::Locked { path }),
            Err(TryLockError::Error(source)) => {
                return Err(SuiteError::CreateDirectory { path, source });
            }
        }
        let no_room: NoRoom = Arc::new(|| false);
        Ok(OutputDirectory {
            path,
            tests: 0,
            types: InputTypes::default(),
            messages,
            writer: Writer::new(no_room.clone()),
            no_room,
            tests_in: TestsIn::Archive,
        })
    }

    /// Appends records to the journal, after all tests written so far.
    pub fn write_journal(&mut self, records: Vec<Vec<u8>>) -> Result<(), SuiteError> {
        let path = self.path.join(journal::JOURNAL);
        self.writer.write(Job::Journal(path, records))
    }

    /// Begins the journal anew with these records.
    pub fn replace_journal(&mut self, records: &[Vec<u8>]) -> Result<(), SuiteError> {
        self.flush()?;
        journal::write(&self.path.join(journal::JOURNAL), records)
    }

    /// Takes the journal away: there is nothing to go on with.
    pub fn remove_journal(&mut self) -> Result<(), SuiteError> {
        self.flush()?;
        for file in [journal::JOURNAL, PROGRAM] {
            let path = self.path.join(file);
            match fs::remove_file(&path) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(SuiteError::Write { path, source });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Keeps the program of the run, which may be changed before the run goes on.
    pub fn write_program(&mut self, bitcode: &[u8]) -> Result<(), SuiteError> {
        let path = self.path.join(PROGRAM);
        patiently(&self.no_room, || file::replace(&path, bitcode))
    }

    /// Where the directory is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Chooses where tests go, before the first is written.
    pub fn put_tests_in(&mut self, place: TestsIn) {
        self.tests_in = place;
    }

    /// How many tests have been written.
    pub fn test_count(&self) -> u64 {
        self.tests
    }

    /// Writes the next test and how it ends, if its path was followed to the end, and
    /// notes the types of its inputs for `run.json`. It is on disk shortly after;
    /// [`OutputDirectory::write_run`] waits for it.
    pub fn write_test(
        &mut self,
        case: &TestCase,
        end: Option<End>,
    ) -> Result<TestName, SuiteError> {
        let name = TestName::new(self.tests + 1);
        self.writer.write(match self.tests_in {
            TestsIn::Archive => {
                Job::Append(self.path.join(archive::TESTS), archive::record(case, end))
            }
            TestsIn::Files => {
                let path = self.path.join(format!("{name}.ktest"));
                Job::Create(path, ktest::encode(case))
            }
        })?;
        self.tests += 1;
        self.types.note_all(case);
        Ok(name)
    }

    /// Writes the tests of a batch after those that are there.
    pub fn write_batch(&mut self, batch: Batch) -> Result<(), SuiteError> {
        self.types.merge(batch.inputs());
        if self.tests_in == TestsIn::Files {
            for (case, end) in batch.unpack()? {
                self.write_test(&case, end)?;
            }
            return Ok(());
        }
        self.tests += batch.len();
        let path = self.path.join(archive::TESTS);
        self.writer
            .write(Job::AppendBlocks(path, batch.into_blocks()))
    }

    /// Writes the text of the error a test ends in, as `test000001.kind.err`.
    pub fn write_error(
        &mut self,
        test: &TestName,
        kind: &str,
        text: &str,
    ) -> Result<PathBuf, SuiteError> {
        let path = self.path.join(format!("{test}.{kind}.err"));
        let job = Job::Replace(path.clone(), text.as_bytes().to_vec());
        self.writer.write(job)?;
        Ok(path)
    }

    /// Appends a line to `messages.log`.
    pub fn log(&mut self, message: &str) -> Result<(), SuiteError> {
        let line = format!("{message}\n");
        self.messages
            .write_all(line.as_bytes())
            .map_err(|source| SuiteError::Write {
                path: self.path.join("messages.log"),
                source,
            })
    }

    /// The types of the inputs of all tests written so far.
    pub fn input_types(&self) -> &InputTypes {
        &self.types
    }

    /// Writes `run.json` before there is anything to report, so that what a run that
    /// is killed has written can be used.
    pub fn write_begun(&mut self, program: Recipe) -> Result<(), SuiteError> {
        self.write_report(&RunReport::begun(program))
    }

    /// Writes `run.json`, and puts few tests into files. All tests are on disk before
    /// `run.json` is.
    pub fn write_run(&mut self, report: &RunReport) -> Result<(), SuiteError> {
        self.flush()?;
        let archive = self.path.join(archive::TESTS);
        if self.tests <= FEW && archive.exists() {
            archive::unpack(&archive)?;
        }
        self.write_report(report)
    }

    fn write_report(&self, report: &RunReport) -> Result<(), SuiteError> {
        let path = self.path.join(RUN_JSON);
        let mut json = serde_json::to_vec_pretty(report).map_err(|error| SuiteError::Write {
            path: path.clone(),
            source: error.into(),
        })?;
        json.push(b'\n');
        patiently(&self.no_room, || file::replace(&path, &json))
    }

    /// Asks this where there is no room on the disk, instead of giving up.
    pub fn ask_for_room(&mut self, no_room: NoRoom) {
        self.writer = Writer::new(no_room.clone());
        self.no_room = no_room;
    }

    /// Waits until everything written so far is on disk.
    pub fn flush(&mut self) -> Result<(), SuiteError> {
        self.writer.finish()
    }

    /// Writes another file of the run, which is put in place whole; folders in its
    /// name are made.
    pub fn write_file(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), SuiteError> {
        let path = self.path.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|source| SuiteError::CreateDirectory {
                path: parent.to_path_buf(),
                source,
            })?;
        }
        self.writer.write(Job::Replace(path, bytes))
    }

    /// Creates another file of the run, to be written to as it goes on.
    pub fn create(&mut self, name: &str) -> Result<File, SuiteError> {
        let path = self.path.join(name);
        File::create(&path).map_err(|source| SuiteError::Write { path, source })
    }

    /// Writes `profile.json`.
    pub fn write_profile(&mut self, profile: &Profile) -> Result<(), SuiteError> {
        let path = self.path.join(PROFILE);
        let json = serde_json::to_vec(profile).map_err(|error| SuiteError::Write {
            path: path.clone(),
            source: error.into(),
        })?;
        file::replace(&path, &json)
    }

    /// Writes `coverage.info`; [`crate::lcov`] makes its text.
    pub fn write_coverage(&mut self, info: &str) -> Result<(), SuiteError> {
        let path = self.path.join(COVERAGE);
        patiently(&self.no_room, || file::replace(&path, info.as_bytes()))
    }

    /// Writes `test-suite/metadata.xml`, which a Test-Comp suite needs.
    pub fn write_testcomp_metadata(
        &mut self,
        metadata: &testcomp::Metadata,
    ) -> Result<(), SuiteError> {
        file::replace(
            &self.testcomp()?.join("metadata.xml"),
            metadata.to_xml().as_bytes(),
        )
    }

    /// Writes `test-suite/testcase-N.xml`, where `N` is the number of this test.
    pub fn write_testcomp_test(
        &mut self,
        test: &TestName,
        case: &TestCase,
        covers_error: bool,
    ) -> Result<(), SuiteError> {
        let number = test
            .as_str()
            .trim_start_matches("test")
            .trim_start_matches('0');
        let path = self.testcomp()?.join(format!("testcase-{number}.xml"));
        let xml = testcomp::test_xml(case, &self.types, covers_error);
        self.writer.write(Job::Replace(path, xml.into_bytes()))
    }

    fn testcomp(&self) -> Result<PathBuf, SuiteError> {
        let path = self.path.join(TESTCOMP);
        match fs::create_dir(&path) {
            Err(source) if source.kind() != io::ErrorKind::AlreadyExists => {
                Err(SuiteError::CreateDirectory { path, source })
            }
            _ => Ok(path),
        }
    }
}

/// The program that a run keeps in its directory.
///
/// # Errors
///
/// When there is none.
pub fn read_program(directory: &Path) -> Result<Vec<u8>, SuiteError> {
    file::read(&directory.join(PROGRAM))
}

/// Takes away what a process that was killed had for itself. Readers ignore it, so that
/// what cannot be removed does no harm.
fn remove_left_overs(path: &Path) {
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with(base::files::TEMPORARY) {
            let path = entry.path();
            let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
        }
    }
}

fn create_first_free(parent: &Path) -> Result<(String, PathBuf), SuiteError> {
    let mut number = 0u64;
    loop {
        let name = format!("{PREFIX}{number}");
        let path = parent.join(&name);
        match fs::create_dir(&path) {
            Ok(()) => return Ok((name, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(source) => return Err(SuiteError::CreateDirectory { path, source }),
        }
    }
}

/// A link cannot be replaced, but one with another name can be renamed over it.
#[cfg(unix)]
fn point_last_at(parent: &Path, name: &str) -> Result<(), SuiteError> {
    let path = parent.join(LAST);
    let process = std::process::id();
    let temporary = parent.join(format!("{}{process}-{LAST}", base::files::TEMPORARY));
    // A left-over of a killed process with this process's number.
    let _ = fs::remove_file(&temporary);
    std::os::unix::fs::symlink(name, &temporary)
        .and_then(|()| fs::rename(&temporary, &path))
        .map_err(|source| {
            // The first error is the one to tell; a left-over is ignored by readers.
            let _ = fs::remove_file(&temporary);
            SuiteError::Write { path, source }
        })
}

/// Where there are no symbolic links, a file that holds the directory's name.
#[cfg(not(unix))]
fn point_last_at(parent: &Path, name: &str) -> Result<(), SuiteError> {
    file::replace(&parent.join(LAST), name.as_bytes())
}
