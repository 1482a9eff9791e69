//! A directory for files that only this process needs.

use crate::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A directory of its own that is gone when this is.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new directory among the system's temporary ones.
    pub fn new() -> Result<Scratch, Error> {
        let parent = std::env::temp_dir();
        let mut number = 0;
        loop {
            let path = parent.join(format!("everypath-{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Scratch(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => {
                    return Err(Error::writing(&path)(error));
                }
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file, and the folders it is in.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, Error> {
        let path = self.0.join(name);
        let folder = path.parent().expect("a file in a directory has a parent");
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, text))
            .map_err(Error::writing(&path))?;
        Ok(path)
    }

    /// Unpacks the built-in headers; gives the folder to include them from.
    pub fn headers(&self) -> Result<PathBuf, Error> {
        for (path, text) in machine::runtime::HEADERS {
            self.write(&format!("include/{path}"), text)?;
        }
        Ok(self.0.join("include"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover in the temporary directory harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}
