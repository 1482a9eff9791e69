use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

fn add(count: &AtomicU32) {
    let old = count.load(SeqCst);
    count.store(old + 1, SeqCst);
}

fn main() {
    let count = Arc::new(AtomicU32::new(0));
    let theirs = Arc::clone(&count);
    let other = thread::spawn(move || add(&theirs));
    add(&count);
    other.join().unwrap();
    assert_eq!(count.load(SeqCst), 2);
}
