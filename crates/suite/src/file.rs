//! Reading and writing whole files.
//!
//! A process may be killed at any instant, so a file that others read while a
//! run is under way is put in place by a rename: it is the old one or the new
//! one, never half of it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::SuiteError;

/// What names of files that are being written begin with.
pub(crate) const TEMPORARY: &str = ".everypath-";

/// Reads a whole file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, SuiteError> {
    fs::read(path).map_err(|source| SuiteError::Read {
        path: path.to_path_buf(),
        source,
    })
}

/// Puts a file with this content in place, whether or not there was one.
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<(), SuiteError> {
    replace_by(path, |temporary| fs::write(temporary, content))
}

/// Makes something beside `path` under a temporary name and renames it there.
pub(crate) fn replace_by(
    path: &Path,
    make: impl FnOnce(&Path) -> io::Result<()>,
) -> Result<(), SuiteError> {
    let temporary = temporary_beside(path);
    make(&temporary)
        .and_then(|()| fs::rename(&temporary, path))
        .map_err(|source| {
            // The first error is the one to tell; a left-over is ignored by readers.
            let _ = fs::remove_file(&temporary);
            SuiteError::Write {
                path: path.to_path_buf(),
                source,
            }
        })
}

fn temporary_beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{TEMPORARY}{}-{name}", std::process::id()))
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
        .and_then(|mut file| file.write_all(content))
        .map_err(|source| SuiteError::Write {
            path: path.to_path_buf(),
            source,
        })
}
