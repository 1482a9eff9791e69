//! Inputs that a user has already: files, directories of them, and runs.
//!
//! A file is a `.ktest`, or raw bytes for standard input, as a fuzzer's corpus has them.

use crate::error::Error;
use base::OneLine;
use std::path::{Path, PathBuf};
use suite::{Input, RunDirectory, SuiteError, TestCase, ktest};

/// The name of standard input in tests.
const STDIN: &str = machine::STDIN;

/// An input, and where it is from.
pub struct Seed {
    /// Its file, or the name of a test with its directory.
    pub path: PathBuf,
    pub case: TestCase,
}

impl Seed {
    /// What it has for standard input, if it does.
    pub fn stdin(&self) -> Option<&[u8]> {
        let mut inputs = self.case.inputs.iter();
        let stdin = inputs.find(|input| input.name == STDIN)?;
        Some(&stdin.bytes)
    }

    /// Whether there is nothing in it but standard input.
    fn is_raw(&self) -> bool {
        matches!(&self.case.inputs[..], [only] if only.name == STDIN)
    }
}

/// The files, and what is in the directories, by name.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Seed>, Error> {
    let mut seeds = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => seeds.extend(read_directory(path)?),
            false => seeds.push(read_file(path)?),
        }
    }
    Ok(seeds)
}

/// A standard input, and where it is from.
pub struct StdinSeed {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

/// The same for a program that is given its standard input alone.
pub fn read_stdin(paths: &[PathBuf]) -> Result<Vec<StdinSeed>, Error> {
    let seeds = read(paths)?.into_iter().map(|seed| match seed.stdin() {
        Some(bytes) => Ok(StdinSeed {
            bytes: bytes.to_vec(),
            path: seed.path,
        }),
        None => Err(Error::Usage(format!(
            "the seed {} has no standard input",
            seed.path.one_line()
        ))),
    });
    seeds.collect()
}

/// Asks for a symbolic standard input where seeds have one and the program does not.
pub fn must_be_read(seeds: &[Seed], stdin: Option<usize>) -> Result<(), Error> {
    let raw = seeds.iter().filter(|seed| seed.is_raw());
    let longest = raw.max_by_key(|seed| seed.stdin().map_or(0, <[u8]>::len));
    match longest.filter(|_| stdin.is_none()) {
        Some(seed) => Err(Error::Usage(format!(
            "the seed {} is a standard input, and the program's is empty: add --sym-stdin {}",
            seed.path.one_line(),
            seed.stdin().map_or(0, <[u8]>::len).max(1)
        ))),
        None => Ok(()),
    }
}

/// A run's tests, or the files of a directory.
fn read_directory(path: &Path) -> Result<Vec<Seed>, Error> {
    match RunDirectory::open(path) {
        Ok(run) => {
            let tests = run.tests.into_iter();
            return Ok(tests
                .map(|test| Seed {
                    path: path.join(test.name),
                    case: test.case,
                })
                .collect());
        }
        Err(SuiteError::NotARun { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let unreadable = |error| unreadable(path, &error);
    let entries = std::fs::read_dir(path).map_err(unreadable)?;
    let entries = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    entries.retain(|entry| entry.is_file());
    entries.sort();
    if entries.is_empty() {
        let path = path.one_line();
        return Err(Error::Usage(format!("there are no seeds in {path}")));
    }
    entries.iter().map(|entry| read_file(entry)).collect()
}

fn read_file(path: &Path) -> Result<Seed, Error> {
    let case = match path.extension().is_some_and(|it| it == "ktest") {
        true => ktest::read(path)?,
        false => {
            let bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
            TestCase::new(vec![Input::new(STDIN, bytes)])
        }
    };
    Ok(Seed {
        path: path.to_owned(),
        case,
    })
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::Usage(format!("cannot read the seed {}: {error}", path.one_line()))
}
