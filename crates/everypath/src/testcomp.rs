//! What a Test-Comp suite says about the program it is for.

use crate::error::Error;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use std::path::Path;

/// The program of a suite.
pub struct Metadata<'a> {
    /// Its first file.
    pub file: &'a Path,
    /// The function it starts in.
    pub entry: &'a str,
}

impl Metadata<'_> {
    /// What `metadata.xml` says, made now.
    pub fn read(&self) -> Result<suite::testcomp::Metadata, Error> {
        let content = std::fs::read(self.file).map_err(Error::reading(self.file))?;
        Ok(suite::testcomp::Metadata {
            language: "C".to_owned(),
            producer: format!("everypath {}", env!("CARGO_PKG_VERSION")),
            specification: "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".to_owned(),
            program_file: self.file.to_string_lossy().into_owned(),
            program_hash: hex::encode(Sha256::digest(&content)),
            entry_function: self.entry.to_owned(),
            architecture: "64bit".to_owned(),
            creation_time: Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        })
    }
}
