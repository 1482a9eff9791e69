//! The memory that the two processes share, and how each waits for the other.
//!
//! One side writes a message and then its number; the other waits for that
//! number, for a moment by looking again and again, then asleep on a futex.
//! Native code may write over all of it at any time, so nothing read here is
//! believed: lengths are bounded, messages carry a checksum, and a sleeper
//! wakes up by itself to look around. Both sides see the memory as atomics
//! only.

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The way a message goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    Request,
    Response,
}

/// The message was overwritten on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Damaged;

#[repr(C, align(64))]
struct Lane {
    /// The number of the last message; the futex.
    sequence: AtomicU32,
    /// Whether its reader may be asleep.
    sleeper: AtomicU32,
    length: AtomicU64,
    checksum: AtomicU64,
}

#[repr(C, align(4096))]
struct Header {
    magic: AtomicU64,
    owner: AtomicU32,
    capacity: AtomicU64,
    progress: AtomicU64,
    request: Lane,
    response: Lane,
}

const MAGIC: u64 = 0x6576_6572_7970_6174;
const HEADER: usize = size_of::<Header>();
const FIRST_CAPACITY: usize = 64 * 1024;

/// A mapping of the shared memory: a header, and words for one message.
pub(crate) struct Shared {
    base: NonNull<u8>,
    /// Bytes after the header.
    capacity: usize,
    /// How long this side looks before it sleeps.
    patience: Cell<Duration>,
    /// Waits since it last looked in spite of having no patience.
    waits: Cell<u32>,
}

impl Shared {
    /// New memory, owned by this process, and the file that others map it from.
    pub(crate) fn create() -> io::Result<(Shared, File)> {
        let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
        // SAFETY: the name is a C string.
        let descriptor = unsafe { libc::memfd_create(c"everypath-oracle".as_ptr(), flags) };
        check(descriptor)?;
        // SAFETY: the descriptor is new and nobody else's.
        let file = File::from(unsafe { OwnedFd::from_raw_fd(descriptor) });
        file.set_len((HEADER + FIRST_CAPACITY) as u64)?;
        // Were the file to shrink, touching the mapping would be fatal.
        // SAFETY: the call has no pointers.
        check(unsafe { libc::fcntl(descriptor, libc::F_ADD_SEALS, libc::F_SEAL_SHRINK) })?;
        let shared = Shared::map(&file)?;
        let header = shared.header();
        header.owner.store(std::process::id(), Ordering::Relaxed);
        header
            .capacity
            .store(FIRST_CAPACITY as u64, Ordering::Relaxed);
        header.magic.store(MAGIC, Ordering::Release);
        Ok((shared, file))
    }

    /// The memory of the process that owns it.
    pub(crate) fn open(file: &File) -> io::Result<Shared> {
        let long_enough = file.metadata()?.len() >= (HEADER + FIRST_CAPACITY) as u64;
        let shared = long_enough.then(|| Shared::map(file)).transpose()?;
        shared
            .filter(|shared| shared.header().magic.load(Ordering::Acquire) == MAGIC)
            .ok_or_else(|| io::Error::other("standard input is not memory shared by an oracle"))
    }

    fn map(file: &File) -> io::Result<Shared> {
        // SAFETY: a new mapping of a file that is long enough touches nothing.
        let base = unsafe {
            libc::mmap(
                ptr::null_mut(),
                HEADER + FIRST_CAPACITY,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        Ok(Shared {
            base: mapped(base)?,
            capacity: FIRST_CAPACITY,
            patience: Cell::new(LONGEST_LOOK),
            waits: Cell::new(0),
        })
    }

    /// The process that made the memory.
    pub(crate) fn owner(&self) -> u32 {
        self.header().owner.load(Ordering::Relaxed)
    }

    /// Makes room for messages of `words` words, on the owner's side.
    pub(crate) fn reserve(&mut self, file: &File, words: usize) -> io::Result<()> {
        let bytes = words.saturating_mul(8);
        if bytes > self.capacity {
            let capacity = bytes
                .checked_next_power_of_two()
                .ok_or(io::ErrorKind::OutOfMemory)?;
            file.set_len((HEADER + capacity) as u64)?;
            self.remap(capacity)?;
        }
        // Said every time: it may have been overwritten.
        let announced = &self.header().capacity;
        announced.store(self.capacity as u64, Ordering::Release);
        Ok(())
    }

    /// Follows the owner's [`reserve`](Shared::reserve).
    pub(crate) fn follow_growth(&mut self) -> io::Result<()> {
        let capacity = self.header().capacity.load(Ordering::Acquire) as usize;
        if capacity > self.capacity {
            self.remap(capacity)?;
        }
        Ok(())
    }

    fn remap(&mut self, capacity: usize) -> io::Result<()> {
        let old = HEADER + self.capacity;
        let new = HEADER
            .checked_add(capacity)
            .ok_or(io::ErrorKind::OutOfMemory)?;
        // SAFETY: `&mut self` says that nothing borrows from the old mapping,
        // which is ours and `old` bytes long.
        let base =
            unsafe { libc::mremap(self.base.as_ptr().cast(), old, new, libc::MREMAP_MAYMOVE) };
        self.base = mapped(base)?;
        self.capacity = capacity;
        Ok(())
    }

    fn header(&self) -> &Header {
        // SAFETY: the mapping begins with a header, is page aligned, lives as
        // long as `self`, and is all atomics, for which any bytes are valid.
        unsafe { self.base.cast::<Header>().as_ref() }
    }

    fn words(&self) -> &[AtomicU64] {
        // SAFETY: `capacity` bytes follow the header, aligned as it is; they
        // live as long as `self`, and any bytes are valid words.
        unsafe {
            let first = self.base.as_ptr().add(HEADER).cast::<AtomicU64>();
            std::slice::from_raw_parts(first, self.capacity / 8)
        }
    }

    fn lane(&self, way: Way) -> &Lane {
        match way {
            Way::Request => &self.header().request,
            Way::Response => &self.header().response,
        }
    }

    /// Writes a message, for which there must be room, and wakes its reader.
    pub(crate) fn send(&self, way: Way, sequence: u32, message: &[u64]) {
        let lane = self.lane(way);
        for (word, &value) in self.words()[..message.len()].iter().zip(message) {
            word.store(value, Ordering::Relaxed);
        }
        lane.length.store(message.len() as u64, Ordering::Relaxed);
        let sum = checksum(way, sequence, message);
        lane.checksum.store(sum, Ordering::Relaxed);
        lane.sequence.store(sequence, Ordering::SeqCst);
        if lane.sleeper.load(Ordering::SeqCst) != 0 {
            futex_wake(&lane.sequence);
        }
    }

    /// Copies the message with this number, which must have arrived.
    pub(crate) fn receive(
        &self,
        way: Way,
        sequence: u32,
        message: &mut Vec<u64>,
    ) -> Result<(), Damaged> {
        let lane = self.lane(way);
        let length = lane.length.load(Ordering::Relaxed);
        let length = usize::try_from(length).map_err(|_| Damaged)?;
        let words = self.words().get(..length).ok_or(Damaged)?;
        message.clear();
        message.extend(words.iter().map(|word| word.load(Ordering::Relaxed)));
        let sum = lane.checksum.load(Ordering::Relaxed);
        match checksum(way, sequence, message) == sum {
            true => Ok(()),
            false => Err(Damaged),
        }
    }

    /// How many words a message may have.
    pub(crate) fn room(&self) -> usize {
        self.words().len()
    }

    /// Whether the message with this number is there.
    #[inline]
    pub(crate) fn has_arrived(&self, way: Way, sequence: u32) -> bool {
        self.lane(way).sequence.load(Ordering::Acquire) == sequence
    }

    /// Looks for the message for a moment.
    ///
    /// How long depends on how well that went lately. Where both processes have
    /// a processor, looking is much faster than sleeping; where they
    /// take turns on one, every look delays the other.
    #[inline]
    pub(crate) fn spin(&self, way: Way, sequence: u32) -> bool {
        let patience = self.patience.get();
        let arrived = self.look(way, sequence, patience);
        self.patience.set(match arrived {
            true => (patience * 2).clamp(SHORTEST_LOOK, LONGEST_LOOK),
            false if patience > SHORTEST_LOOK => patience / 2,
            false => Duration::ZERO,
        });
        arrived
    }

    fn look(&self, way: Way, sequence: u32, patience: Duration) -> bool {
        if self.has_arrived(way, sequence) {
            return true;
        }
        let patience = match self.waits.get() {
            0 => patience.max(SHORTEST_LOOK),
            _ => patience,
        };
        self.waits.set((self.waits.get() + 1) % WAITS_PER_TRIAL);
        if patience.is_zero() {
            return false;
        }
        let start = Instant::now();
        while start.elapsed() < patience {
            for _ in 0..8 {
                if self.has_arrived(way, sequence) {
                    return true;
                }
                std::hint::spin_loop();
            }
        }
        false
    }

    /// Sleeps until the message is there, but no longer than `limit`.
    pub(crate) fn sleep(&self, way: Way, sequence: u32, limit: Duration) -> bool {
        let lane = self.lane(way);
        lane.sleeper.store(1, Ordering::SeqCst);
        let seen = lane.sequence.load(Ordering::SeqCst);
        if seen != sequence {
            futex_wait(&lane.sequence, seen, limit);
        }
        lane.sleeper.store(0, Ordering::SeqCst);
        self.has_arrived(way, sequence)
    }

    /// Says how many calls of a request are done.
    pub(crate) fn set_progress(&self, calls: u64) {
        self.header().progress.store(calls, Ordering::Relaxed);
    }

    /// How many calls of the request are done, as far as one can believe it.
    pub(crate) fn progress(&self) -> u64 {
        self.header().progress.load(Ordering::Relaxed)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours and this long; borrows ended before.
        unsafe { libc::munmap(self.base.as_ptr().cast(), HEADER + self.capacity) };
    }
}

const SHORTEST_LOOK: Duration = Duration::from_micros(4);
const LONGEST_LOOK: Duration = Duration::from_micros(50);
/// How often one looks at all where looking has been of no use.
const WAITS_PER_TRIAL: u32 = 32;

/// Tells a message from one that was overwritten, or is another.
fn checksum(way: Way, sequence: u32, message: &[u64]) -> u64 {
    let start = u64::from(sequence) << 1 | u64::from(way == Way::Response);
    let step = |sum: u64, &word: &u64| (sum ^ word).rotate_left(23).wrapping_mul(FACTOR);
    message
        .iter()
        .fold(start.wrapping_add(1).wrapping_mul(FACTOR), step)
}

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

fn futex_wait(word: &AtomicU32, seen: u32, limit: Duration) {
    let limit = libc::timespec {
        tv_sec: limit.as_secs() as libc::time_t,
        tv_nsec: libc::c_long::from(limit.subsec_nanos() as i32),
    };
    // SAFETY: both pointers are valid during the call. However it ends, the
    // caller looks at the word again.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT,
            seen,
            &raw const limit,
        )
    };
}

fn futex_wake(word: &AtomicU32) {
    // SAFETY: the pointer is valid; waking nobody is no error.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, 1) };
}

fn check(result: libc::c_int) -> io::Result<()> {
    match result {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

fn mapped(base: *mut libc::c_void) -> io::Result<NonNull<u8>> {
    match NonNull::new(base.cast::<u8>()) {
        Some(base) if base.as_ptr().cast() != libc::MAP_FAILED => Ok(base),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_arrives_and_an_overwritten_one_is_refused() {
        let (owner, file) = Shared::create().expect("there is memory");
        let other = Shared::open(&file).expect("it is the oracle's memory");
        let mut read = Vec::new();
        owner.send(Way::Request, 7, &[1, 2, 3]);
        assert!(other.has_arrived(Way::Request, 7));
        assert_eq!(other.receive(Way::Request, 7, &mut read), Ok(()));
        assert_eq!(read, [1, 2, 3]);
        for word in 0..3 {
            owner.send(Way::Request, 8, &[1, 2, 3]);
            owner.words()[word].fetch_xor(1 << 40, Ordering::Relaxed);
            assert_eq!(other.receive(Way::Request, 8, &mut read), Err(Damaged));
        }
        for length in [0, 2, 4, u64::MAX] {
            owner.send(Way::Request, 9, &[1, 2, 3]);
            owner
                .header()
                .request
                .length
                .store(length, Ordering::Relaxed);
            assert_eq!(other.receive(Way::Request, 9, &mut read), Err(Damaged));
        }
    }

    #[test]
    fn both_sides_grow_together() {
        let (mut owner, file) = Shared::create().expect("there is memory");
        let mut other = Shared::open(&file).expect("it is the oracle's memory");
        let long: Vec<u64> = (0..1_000_000).collect();
        owner
            .reserve(&file, long.len())
            .expect("there is memory for eight megabytes");
        owner.send(Way::Request, 1, &long);
        other.follow_growth().expect("there is room to map");
        let mut read = Vec::new();
        assert_eq!(other.receive(Way::Request, 1, &mut read), Ok(()));
        assert_eq!(read, long);
    }
}
