//! `--range FROM..TO`: the paths between two inputs.

use crate::error::Error;
use crate::seeds;
use engine::PathRange;
use std::path::PathBuf;
use suite::TestCase;

/// The inputs that a text such as `a.ktest..b.ktest` names; either may be missing.
pub fn read(text: &str) -> Result<PathRange, Error> {
    let (from, to) = text.split_once("..").ok_or_else(|| {
        Error::Usage(format!(
            "--range {text}: write FROM.ktest..TO.ktest for the paths between two inputs, or \
             Node.data=0..9 for a number in an object"
        ))
    })?;
    let [from, to] = [from, to].map(bound);
    Ok(PathRange {
        from: from?,
        to: to?,
    })
}

fn bound(file: &str) -> Result<Option<TestCase>, Error> {
    if file.is_empty() {
        return Ok(None);
    }
    let seeds = seeds::read(&[PathBuf::from(file)])?;
    match <[_; 1]>::try_from(seeds) {
        Ok([seed]) => Ok(Some(seed.case)),
        Err(_) => Err(Error::Usage(format!(
            "--range: {file} is not one input but several"
        ))),
    }
}
