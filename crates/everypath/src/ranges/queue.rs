//! Ranges that wait for a worker, most of them on disk where there are many: a run that
//! explodes has millions, and the coordinator is to stay small.

use super::protocol::Packed;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// So many ranges go to disk together.
const CHUNK: usize = 1 << 14;

/// A range that waits for a worker.
#[derive(Debug, Serialize, Deserialize)]
pub struct Work {
    pub number: u64,
    pub range: Packed,
    /// How many workers died that had it.
    pub deaths: u8,
}

/// What waits, the oldest first.
pub struct Queue {
    /// What is taken next.
    front: VecDeque<Work>,
    /// Files with what comes after that.
    chunks: VecDeque<PathBuf>,
    /// What came last.
    back: VecDeque<Work>,
    /// What workers died of: it is tried when nothing else is left.
    suspects: VecDeque<Work>,
    /// Where chunks are, once there are some, and where to make room for them.
    folder: Option<TempDir>,
    parent: PathBuf,
    /// The number of the last chunk.
    last: u64,
}

impl Queue {
    /// An empty queue that writes below this directory.
    pub fn new(parent: &Path) -> Queue {
        Queue {
            front: VecDeque::new(),
            chunks: VecDeque::new(),
            back: VecDeque::new(),
            suspects: VecDeque::new(),
            folder: None,
            parent: parent.to_owned(),
            last: 0,
        }
    }

    pub fn len(&self) -> usize {
        let here = self.front.len() + self.back.len() + self.suspects.len();
        here + self.chunks.len() * CHUNK
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds what is tried after all that is there. What does not fit on the disk stays in
    /// memory.
    pub fn push(&mut self, work: Work) {
        if work.deaths > 0 {
            return self.suspects.push_back(work);
        }
        self.back.push_back(work);
        if self.back.len() >= 2 * CHUNK
            && let Ok(chunk) = self.write()
        {
            self.chunks.push_back(chunk);
            self.back.drain(..CHUNK);
        }
    }

    /// The oldest, at most so many; what workers died of comes alone.
    ///
    /// # Errors
    ///
    /// When what is on disk cannot be read.
    pub fn take(&mut self, most: usize) -> io::Result<Vec<Work>> {
        if self.front.is_empty() {
            match self.chunks.front() {
                Some(chunk) => {
                    self.front = read(chunk)?;
                    // A file that stays takes room until the run ends, and no more.
                    let _ = std::fs::remove_file(chunk);
                    self.chunks.pop_front();
                }
                None => std::mem::swap(&mut self.front, &mut self.back),
            }
        }
        if self.front.is_empty() {
            return Ok(self.suspects.pop_front().into_iter().collect());
        }
        let taken = most.clamp(1, self.front.len());
        Ok(self.front.drain(..taken).collect())
    }

    /// All ranges that wait.
    ///
    /// # Errors
    ///
    /// When what is on disk cannot be read.
    pub fn ranges(&self) -> io::Result<Vec<Packed>> {
        let here = self.front.iter().chain(&self.back).chain(&self.suspects);
        let mut ranges: Vec<Packed> = here.map(|work| work.range.clone()).collect();
        for chunk in &self.chunks {
            ranges.extend(read(chunk)?.into_iter().map(|work| work.range));
        }
        Ok(ranges)
    }

    /// The oldest of the back, as a file.
    fn write(&mut self) -> io::Result<PathBuf> {
        let folder = match &self.folder {
            Some(folder) => folder,
            None => {
                let made = tempfile::Builder::new()
                    .prefix(base::files::TEMPORARY)
                    .tempdir_in(&self.parent)?;
                self.folder.insert(made)
            }
        };
        self.last += 1;
        let path = folder.path().join(self.last.to_string());
        let chunk: Vec<&Work> = self.back.iter().take(CHUNK).collect();
        let bytes = rmp_serde::to_vec(&chunk).map_err(io::Error::other)?;
        std::fs::write(&path, bytes)?;
        Ok(path)
    }
}

fn read(chunk: &Path) -> io::Result<VecDeque<Work>> {
    rmp_serde::from_slice(&std::fs::read(chunk)?).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Range;

    fn work(number: u64, deaths: u8) -> Work {
        Work {
            number,
            range: Packed::new(&Range::whole()),
            deaths,
        }
    }

    #[test]
    fn what_went_to_disk_comes_back_in_order() {
        let directory = tempfile::tempdir().expect("there is room for a directory");
        let mut queue = Queue::new(directory.path());
        let many = 5 * CHUNK as u64 + 7;
        queue.push(work(0, 1));
        for number in 1..=many {
            queue.push(work(number, 0));
        }
        assert_eq!(queue.len() as u64, many + 1);
        assert!(queue.chunks.len() > 2 && queue.back.len() < 2 * CHUNK);
        assert_eq!(queue.ranges().expect("it is there").len() as u64, many + 1);
        let mut taken = Vec::new();
        while !queue.is_empty() {
            let work = queue.take(1000).expect("it is there");
            taken.extend(work.iter().map(|work| work.number));
        }
        let expected = (1..=many).chain([0]);
        assert!(taken.into_iter().eq(expected), "what killed comes last");
        drop(queue);
        let left = std::fs::read_dir(directory.path()).expect("it is there");
        assert_eq!(left.count(), 0);
    }
}
