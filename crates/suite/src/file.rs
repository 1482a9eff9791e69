//! Reading and writing whole files, with errors that name them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use crate::SuiteError;

/// Asked when there is no room on the disk: whether to try again. It may wait first.
pub type NoRoom = Arc<dyn Fn() -> bool + Send + Sync>;

/// Tries again as long as there is no room and whoever is asked wants to.
pub(crate) fn patiently(
    no_room: &NoRoom,
    mut attempt: impl FnMut() -> Result<(), SuiteError>,
) -> Result<(), SuiteError> {
    loop {
        match attempt() {
            Err(error) if error.is_for_lack_of_room() && no_room() => {}
            ended => return ended,
        }
    }
}

/// Appends all of this or nothing, so that what follows is whole.
pub(crate) fn append(mut file: &File, content: &[u8]) -> io::Result<()> {
    let length = file.metadata()?.len();
    file.write_all(content)
        .inspect_err(|_| drop(file.set_len(length)))
}

/// Reads a whole file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, SuiteError> {
    fs::read(path).map_err(|source| SuiteError::Read {
        path: path.to_path_buf(),
        source,
    })
}

/// Puts a file with this content in place, whether or not there was one. A process
/// may be killed at any instant: a reader finds the old file or the new one, never
/// half of it.
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<(), SuiteError> {
    base::files::write_whole(path, content).map_err(|source| SuiteError::Write {
        path: path.to_path_buf(),
        source,
    })
}

/// Creates a file that must not be there yet, in as few system calls as can be.
///
/// A kill between them leaves a torn file, so this is for formats whose reader
/// knows a torn file from a whole one.
pub(crate) fn create_new(path: &Path, content: &[u8]) -> Result<(), SuiteError> {
    fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .and_then(|mut file| {
            file.write_all(content)
                .inspect_err(|_| drop(fs::remove_file(path)))
        })
        .map_err(|source| SuiteError::Write {
            path: path.to_path_buf(),
            source,
        })
}
