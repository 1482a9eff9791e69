// run: --max-preemptions 8
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

fn main() {
    let shared = Arc::new((Mutex::new(false), Condvar::new()));
    let theirs = Arc::clone(&shared);
    let other = thread::spawn(move || {
        *theirs.0.lock().unwrap() = true;
        theirs.1.notify_one();
    });
    let mut ready = shared.0.lock().unwrap();
    while !*ready {
        ready = shared.1.wait(ready).unwrap();
    }
    drop(ready);
    other.join().unwrap();
}
