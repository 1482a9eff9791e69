//! KLEE's `.ktest` format.
//!
//! All numbers are 32 bits, most significant byte first:
//!
//! ```text
//! "KTEST" (or "BOUT\n", as the first versions had it)
//! version                              1, 2 or 3
//! number of arguments, then each       length, bytes
//! symbolic arguments, their length     from version 2 on
//! number of inputs, then each          name length, name, length, bytes
//! ```
//!
//! A test of a program with several threads has one more, the last: [`SCHEDULE`], whose bytes
//! are the order in which they took turns.
//!
//! The format says how long each part is, so a file cut short by a kill is
//! told from a whole one. KLEE's own reader refuses empty names; an input
//! without a name is therefore written as `unnamed`, as KLEE itself does.

use std::fmt;
use std::path::Path;

use base::NoSchedule;

use crate::error::SuiteError;
use crate::file;
use crate::{Input, TestCase};

const MAGIC: &[u8] = b"KTEST";
const OLD_MAGIC: &[u8] = b"BOUT\n";
const VERSION: u32 = 3;

/// The name under which a test holds its schedule.
pub const SCHEDULE: &str = "everypath_schedule";

/// Reads a `.ktest` file.
pub fn read(path: &Path) -> Result<TestCase, SuiteError> {
    let bytes = file::read(path)?;
    decode(&bytes).map_err(|source| SuiteError::Ktest {
        path: path.to_path_buf(),
        source,
    })
}

/// Writes a `.ktest` file; whoever looks sees the old file or the whole new one.
pub fn write(path: &Path, case: &TestCase) -> Result<(), SuiteError> {
    file::replace(path, &encode(case))
}

/// The bytes of a version 3 file.
pub fn encode(case: &TestCase) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(64);
    bytes.extend_from_slice(MAGIC);
    put_number(&mut bytes, VERSION);
    put_count(&mut bytes, case.args.len());
    for arg in &case.args {
        put_sized(&mut bytes, arg);
    }
    put_number(&mut bytes, case.symbolic_args);
    put_number(&mut bytes, case.symbolic_arg_length);
    let has_schedule = !case.schedule.is_empty();
    put_count(&mut bytes, case.inputs.len() + usize::from(has_schedule));
    for input in &case.inputs {
        let name = if input.name.is_empty() {
            "unnamed"
        } else {
            &input.name
        };
        put_sized(&mut bytes, name.as_bytes());
        put_sized(&mut bytes, &input.bytes);
    }
    if has_schedule {
        put_sized(&mut bytes, SCHEDULE.as_bytes());
        put_sized(&mut bytes, case.schedule.to_string().as_bytes());
    }
    bytes
}

fn put_number(bytes: &mut Vec<u8>, number: u32) {
    bytes.extend_from_slice(&number.to_be_bytes());
}

fn put_count(bytes: &mut Vec<u8>, count: usize) {
    put_number(
        bytes,
        u32::try_from(count).expect("a test case takes less than 4 GiB"),
    );
}

fn put_sized(bytes: &mut Vec<u8>, content: &[u8]) {
    put_count(bytes, content.len());
    bytes.extend_from_slice(content);
}

/// Reads the bytes of a file of version 1, 2 or 3.
pub fn decode(bytes: &[u8]) -> Result<TestCase, KtestError> {
    let mut reader = Reader { bytes, offset: 0 };
    reader.magic()?;
    let version_offset = reader.offset;
    let version = reader.number(Part::Version)?;
    if !(1..=VERSION).contains(&version) {
        return Err(KtestError::UnknownVersion {
            version,
            offset: version_offset,
        });
    }
    let mut case = TestCase::default();
    for index in 1..=reader.number(Part::ArgumentCount)? {
        case.args
            .push(reader.sized(Part::Argument(index))?.to_vec());
    }
    if version >= 2 {
        case.symbolic_args = reader.number(Part::SymbolicArguments)?;
        case.symbolic_arg_length = reader.number(Part::SymbolicArguments)?;
    }
    let inputs = reader.number(Part::InputCount)?;
    for index in 1..=inputs {
        let name = reader.text(Part::InputName(index))?;
        if index == inputs && name == SCHEDULE {
            let text = reader.text(Part::InputBytes(index))?;
            case.schedule = text.parse()?;
            break;
        }
        let bytes = reader.sized(Part::InputBytes(index))?.to_vec();
        case.inputs.push(Input {
            name,
            bytes,
            kind: None,
        });
    }
    match bytes.len() - reader.offset {
        0 => Ok(case),
        count => Err(KtestError::TrailingBytes {
            offset: reader.offset,
            count,
        }),
    }
}

/// Why bytes are not a `.ktest` file, and where that shows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KtestError {
    /// The file does not begin with `KTEST` or `BOUT`.
    #[error("not a ktest file: it does not begin with KTEST (at byte 0)")]
    NotKtest,
    /// A version this reader does not know.
    #[error("ktest version {version} is not known, only 1 to {VERSION} are (at byte {offset})")]
    UnknownVersion {
        /// The version the file names.
        version: u32,
        /// Where it does.
        offset: usize,
    },
    /// The file ends too early.
    #[error("the file ends inside {part}: {wanted} bytes wanted at byte {offset}, {left} there")]
    Truncated {
        /// What was being read.
        part: Part,
        /// Where the missing bytes should begin.
        offset: usize,
        /// How many bytes were wanted there.
        wanted: usize,
        /// How many there are.
        left: usize,
    },
    /// A name that is not UTF-8.
    #[error("{part} is not UTF-8 (at byte {offset})")]
    NotText {
        /// What was being read.
        part: Part,
        /// Where the first wrong byte is.
        offset: usize,
    },
    /// The order of threads cannot be read.
    #[error("the schedule is none: {0}")]
    Schedule(#[from] NoSchedule),
    /// The file goes on after its last input.
    #[error("{count} bytes follow the last input (at byte {offset})")]
    TrailingBytes {
        /// Where the file should end.
        offset: usize,
        /// How many bytes follow.
        count: usize,
    },
}

/// A part of a `.ktest` file; arguments and inputs are counted from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The version number.
    Version,
    /// The number of arguments.
    ArgumentCount,
    /// An argument.
    Argument(u32),
    /// The two numbers on symbolic arguments.
    SymbolicArguments,
    /// The number of inputs.
    InputCount,
    /// The name of an input.
    InputName(u32),
    /// The bytes of an input.
    InputBytes(u32),
}

impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Version => out.write_str("the version"),
            Part::ArgumentCount => out.write_str("the number of arguments"),
            Part::Argument(index) => write!(out, "argument {index}"),
            Part::SymbolicArguments => out.write_str("the numbers on symbolic arguments"),
            Part::InputCount => out.write_str("the number of inputs"),
            Part::InputName(index) => write!(out, "the name of input {index}"),
            Part::InputBytes(index) => write!(out, "the bytes of input {index}"),
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    fn magic(&mut self) -> Result<(), KtestError> {
        if self.bytes.starts_with(MAGIC) || self.bytes.starts_with(OLD_MAGIC) {
            self.offset = MAGIC.len();
            Ok(())
        } else {
            Err(KtestError::NotKtest)
        }
    }

    fn number(&mut self, part: Part) -> Result<u32, KtestError> {
        let bytes = self.take(4, part)?;
        Ok(u32::from_be_bytes(
            bytes.try_into().expect("four bytes were taken"),
        ))
    }

    fn text(&mut self, part: Part) -> Result<String, KtestError> {
        let bytes = self.sized(part)?;
        let start = self.offset - bytes.len();
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_string()),
            Err(error) => Err(KtestError::NotText {
                part,
                offset: start + error.valid_up_to(),
            }),
        }
    }

    fn sized(&mut self, part: Part) -> Result<&'a [u8], KtestError> {
        let size = self.number(part)?;
        self.take(size as usize, part)
    }

    fn take(&mut self, wanted: usize, part: Part) -> Result<&'a [u8], KtestError> {
        let rest = &self.bytes[self.offset..];
        let Some(taken) = rest.get(..wanted) else {
            let left = rest.len();
            return Err(KtestError::Truncated {
                part,
                offset: self.offset,
                wanted,
                left,
            });
        };
        self.offset += wanted;
        Ok(taken)
    }
}
