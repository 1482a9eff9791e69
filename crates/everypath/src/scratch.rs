//! A directory for files that only this process needs.

use crate::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A directory of its own that is gone when this is.
pub struct Scratch(TempDir);

impl Scratch {
    /// A new directory among the system's temporary ones.
    pub fn new() -> Result<Scratch, Error> {
        let made = tempfile::Builder::new().prefix("everypath-").tempdir();
        Ok(Scratch(
            made.map_err(Error::writing(&std::env::temp_dir()))?,
        ))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, and the folders it is in.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, Error> {
        let path = self.path().join(name);
        let folder = path.parent().expect("a file in a directory has a parent");
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, text))
            .map_err(Error::writing(&path))?;
        Ok(path)
    }

    /// Unpacks the built-in headers; gives the folder to include them from.
    pub fn headers(&self) -> Result<PathBuf, Error> {
        engine::write_headers(self.path()).map_err(Error::writing(self.path()))
    }
}
