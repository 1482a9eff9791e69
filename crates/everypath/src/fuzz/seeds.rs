//! The inputs a user begins with.

use crate::error::Error;
use std::path::{Path, PathBuf};

/// An input and the file it is from.
pub struct Seed {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

/// The files, and those in the directories, by name.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Seed>, Error> {
    let mut seeds = Vec::new();
    for path in paths {
        if !path.is_dir() {
            seeds.push(read_file(path)?);
            continue;
        }
        let refused = |error: std::io::Error| {
            Error::Usage(format!("--seeds: cannot read {}: {error}", path.display()))
        };
        let entries = std::fs::read_dir(path).map_err(refused)?;
        let entries = entries.map(|entry| entry.map(|entry| entry.path()));
        let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(refused)?;
        entries.retain(|entry| entry.is_file());
        entries.sort();
        if entries.is_empty() {
            let path = path.display();
            return Err(Error::Usage(format!(
                "--seeds: there are no files in {path}"
            )));
        }
        for entry in entries {
            seeds.push(read_file(&entry)?);
        }
    }
    Ok(seeds)
}

fn read_file(path: &Path) -> Result<Seed, Error> {
    let bytes = std::fs::read(path).map_err(|error| {
        Error::Usage(format!("--seeds: cannot read {}: {error}", path.display()))
    })?;
    Ok(Seed {
        path: path.to_owned(),
        bytes,
    })
}
