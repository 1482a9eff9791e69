//! What a coordinator and its workers say to each other.
//!
//! Messages are frames on the worker's standard input and output: the length in four bytes,
//! least byte first, then MessagePack. `docs/ranges.md` describes them for whoever starts
//! workers in another way.

use crate::told::Told;
use engine::{News, Tally};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use suite::Recipe;

/// The version of these messages. A worker of another one says so and ends.
pub const VERSION: u32 = 4;

/// No message is longer; one that says so is not of this protocol.
const LONGEST: u32 = 1 << 30;

/// A range as it is sent and kept: whoever passes it on does not look into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packed(#[serde(with = "serde_bytes")] Vec<u8>);

impl Packed {
    pub fn new(range: &impl Serialize) -> Packed {
        Packed(rmp_serde::to_vec(range).expect("ranges are plain data"))
    }

    /// The range again, if it is one of that kind.
    pub fn unpack<R: DeserializeOwned>(&self) -> Option<R> {
        rmp_serde::from_slice(&self.0).ok()
    }
}

/// What a worker is told.
#[derive(Debug, Serialize, Deserialize)]
pub enum ToWorker {
    /// The first message: what is explored.
    Begin {
        version: u32,
        /// The command line of the run, without the name of the binary.
        words: Vec<String>,
        /// Where it was typed.
        directory: PathBuf,
        /// What was compiled, and where it begins.
        recipe: Box<Recipe>,
        /// What the run's ranges belong to; a worker for which it is another cannot work.
        fingerprint: String,
        /// The whole program as LLVM bitcode.
        #[serde(with = "serde_bytes")]
        program: Vec<u8>,
        /// The most memory that the worker may take, in bytes.
        memory: Option<u64>,
    },
    /// Explores these ranges; only sent to a worker that is idle.
    Work {
        ranges: Vec<Packed>,
        /// Tells of every turn: one of the paths may kill the worker.
        careful: bool,
    },
    /// Gives some of what waits away.
    Give,
    /// What others came to know.
    News(News),
    /// Waits where it is, until it is told to go on or to end.
    Pause,
    /// Goes on.
    Resume,
    /// Ends, with tests of what is not finished.
    Stop,
}

/// What a worker tells.
#[derive(Debug, Serialize, Deserialize)]
pub enum FromWorker {
    /// It has the program, and waits for work.
    Ready,
    /// It cannot work, for this reason.
    Refused(String),
    /// What was finished since the last time, and what is open now. Whatever happens to the
    /// worker afterwards, this stays.
    Progress(Box<Progress>),
    /// The tests of paths that were stopped, and the last tally.
    Unfinished { told: Box<Told>, tally: Box<Tally> },
}

/// How far a worker has come with its ranges.
#[derive(Debug, Serialize, Deserialize)]
pub struct Progress {
    /// Paths that ended.
    pub told: Told,
    /// Ranges that it opened, by numbers of its own.
    pub opened: Vec<(u64, Packed)>,
    /// The numbers of those that are open no more.
    pub closed: Vec<u64>,
    /// Ranges for others.
    pub given: Vec<Packed>,
    /// What it counted since it was started.
    pub tally: Tally,
    /// Contradictions that took it long to find.
    pub contradictions: Vec<Vec<u8>>,
    /// How many states wait.
    pub waiting: u64,
    /// Things to tell the user.
    pub notes: Vec<String>,
    pub next: Next,
}

/// What a worker does after it told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Next {
    /// It goes on.
    Works,
    /// It has nothing left to do.
    Waits,
    /// It ends, because it has no memory left: what is open is for others.
    Leaves,
}

/// Writes a message.
pub fn send<M: Serialize>(to: &mut impl Write, message: &M) -> io::Result<()> {
    let bytes = rmp_serde::to_vec_named(message).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(&bytes)?;
    to.flush()
}

/// Reads a message; none at the end.
pub fn receive<M: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<M>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(io::Error::other("a message that is too long"));
    }
    let mut bytes = Vec::new();
    if from.take(length.into()).read_to_end(&mut bytes)? < length as usize {
        return Ok(None);
    }
    rmp_serde::from_slice(&bytes)
        .map(Some)
        .map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Range;

    #[test]
    fn messages_are_read_back_and_torn_ones_are_none() {
        let mut bytes = Vec::new();
        let work = ToWorker::Work {
            ranges: vec![Packed::new(&Range::whole())],
            careful: true,
        };
        send(&mut bytes, &work).expect("there is room");
        send(&mut bytes, &ToWorker::Stop).expect("there is room");
        let mut reader = &bytes[..];
        let read: Option<ToWorker> = receive(&mut reader).expect("it is whole");
        let Some(ToWorker::Work { ranges, careful }) = read else {
            panic!("another message");
        };
        assert!(careful && ranges[0].unpack() == Some(Range::whole()));
        let stop = receive(&mut reader).expect("it is whole");
        assert!(matches!(stop, Some(ToWorker::Stop)));
        let torn: Option<ToWorker> = receive(&mut &bytes[..9]).expect("it ends");
        assert!(torn.is_none());
        let wrong: io::Result<Option<ToWorker>> = receive(&mut &[255u8; 20][..]);
        assert!(wrong.is_err());
    }
}
