//! Files written while the run goes on.
//!
//! Creating a small file takes the system about as long as exploring a short
//! path takes the machine, so a thread of its own does it. What is handed over
//! is written at once and in order; the queue is short, so that little is on
//! its way when the process is killed, and a run that outpaces the disk waits
//! for it. Where there is no room it waits, if whoever runs it wants to.

use crate::SuiteError;
use crate::archive::ArchiveWriter;
use crate::file::{self, NoRoom, patiently};
use crate::journal::{self, JournalWriter};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How many files and tests may be on their way.
const QUEUE: usize = 1024;
/// How long tests gather before they are written as one block: to wake a thread and to
/// begin a block takes as long as to explore a short path.
const GATHER: Duration = Duration::from_millis(2);

/// A file to be written.
#[derive(Debug)]
pub(crate) enum Job {
    /// One that is not there yet, in as few system calls as can be.
    Create(PathBuf, Vec<u8>),
    /// One that is put in place whole.
    Replace(PathBuf, Vec<u8>),
    /// No file but a test, for the archive at this path.
    Append(PathBuf, Vec<u8>),
    /// Blocks of tests for that archive.
    AppendBlocks(PathBuf, Vec<u8>),
    /// Records of the journal at this path; tests handed over before are on disk first.
    Journal(PathBuf, Vec<Vec<u8>>),
}

/// Writes files on a thread, from the first one on.
pub(crate) struct Writer {
    thread: Option<Thread>,
    no_room: NoRoom,
}

struct Thread {
    queue: SyncSender<Job>,
    handle: JoinHandle<Result<(), SuiteError>>,
}

impl Writer {
    /// Where there is no room, this is asked.
    pub fn new(no_room: NoRoom) -> Writer {
        Writer {
            thread: None,
            no_room,
        }
    }

    /// Hands a file over. An error may be that of a file handed over earlier.
    pub fn write(&mut self, job: Job) -> Result<(), SuiteError> {
        let thread = self.thread.get_or_insert_with(|| {
            let (queue, jobs) = sync_channel(QUEUE);
            let no_room = self.no_room.clone();
            let handle = std::thread::spawn(move || work(&jobs, &no_room));
            Thread { queue, handle }
        });
        match thread.queue.send(job) {
            Ok(()) => Ok(()),
            // The thread has stopped at an error, and this says which.
            Err(_) => self.finish(),
        }
    }

    /// Waits until everything handed over is on disk.
    pub fn finish(&mut self) -> Result<(), SuiteError> {
        let Some(Thread { queue, handle }) = self.thread.take() else {
            return Ok(());
        };
        drop(queue);
        handle.join().expect("writing files does not panic")
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Who wants to know of errors has called `finish`.
        let _ = self.finish();
    }
}

fn work(jobs: &Receiver<Job>, no_room: &NoRoom) -> Result<(), SuiteError> {
    let mut archive: Option<ArchiveWriter> = None;
    let mut journal: Option<JournalWriter> = None;
    let flush = |archive: &mut Option<ArchiveWriter>| match archive {
        Some(archive) => patiently(no_room, || archive.flush()),
        None => Ok(()),
    };
    loop {
        let job = match jobs.try_recv() {
            Ok(job) => job,
            // Nothing is coming at the moment, so that what has come can go to disk.
            Err(_) => {
                flush(&mut archive)?;
                let Ok(job) = jobs.recv() else {
                    return Ok(());
                };
                std::thread::sleep(GATHER);
                job
            }
        };
        match job {
            Job::Create(path, content) => {
                patiently(no_room, || file::create_new(&path, &content))?;
            }
            Job::Replace(path, content) => {
                patiently(no_room, || file::replace(&path, &content))?;
            }
            Job::Append(path, record) => {
                let open = opened(&mut archive, path)?;
                open.append(&record);
                if open.is_full() {
                    flush(&mut archive)?;
                }
            }
            Job::AppendBlocks(path, blocks) => {
                flush(&mut archive)?;
                let open = opened(&mut archive, path)?;
                patiently(no_room, || open.append_blocks(&blocks))?;
            }
            Job::Journal(path, records) => {
                flush(&mut archive)?;
                if journal.is_none() && !path.exists() {
                    // A journal that has begun and does not say what is open would be one
                    // of a run that is over, so it is put in place with its first records.
                    patiently(no_room, || journal::write(&path, &records))?;
                    continue;
                }
                let journal = match &mut journal {
                    Some(journal) => journal,
                    none => none.insert(JournalWriter::open(path)?),
                };
                for record in records {
                    patiently(no_room, || journal.append(&record))?;
                }
            }
        }
    }
}

fn opened(
    archive: &mut Option<ArchiveWriter>,
    path: PathBuf,
) -> Result<&mut ArchiveWriter, SuiteError> {
    match archive {
        Some(archive) => Ok(archive),
        none => Ok(none.insert(ArchiveWriter::open(path)?)),
    }
}
