// Whoever waits for a time only finds that it is over.
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

fn main() {
    let (sender, receiver) = channel::<u8>();
    let limit = Duration::from_secs(2);
    assert_eq!(receiver.recv_timeout(limit), Err(RecvTimeoutError::Timeout));
    drop(sender);

    let shared = Arc::new((Mutex::new(false), Condvar::new()));
    let other = Arc::clone(&shared);
    let waiter = thread::spawn(move || {
        let is_done = other.0.lock().unwrap();
        let wait = other.1.wait_timeout_while(is_done, limit, |done| !*done);
        wait.unwrap().1.timed_out()
    });
    assert!(waiter.join().unwrap());
    thread::park_timeout(limit);
}
