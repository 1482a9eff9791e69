//! What a Test-Comp suite says about the program it is for.

use crate::error::Error;
use sha2::{Digest, Sha256};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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
        let hash = Sha256::digest(&content);
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Ok(suite::testcomp::Metadata {
            language: "C".to_owned(),
            producer: format!("everypath {}", env!("CARGO_PKG_VERSION")),
            specification: "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".to_owned(),
            program_file: self.file.display().to_string(),
            program_hash: hash.iter().map(|byte| format!("{byte:02x}")).collect(),
            entry_function: self.entry.to_owned(),
            architecture: "64bit".to_owned(),
            creation_time: iso_8601(since.unwrap_or_default()),
        })
    }
}

/// A time since 1970 as `2026-01-31T23:59:59Z`.
fn iso_8601(since: Duration) -> String {
    let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    // Years from March to February put the leap day last; 400 of them have
    // 146,097 days, and 1970 began 719,468 days after March of the year 0.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    let year = era * 400 + year + later;
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_iso_8601_writes_them() {
        let written = |seconds| iso_8601(Duration::from_secs(seconds));
        assert_eq!(written(0), "1970-01-01T00:00:00Z");
        assert_eq!(written(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(written(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(written(4_102_444_799), "2099-12-31T23:59:59Z");
    }
}
