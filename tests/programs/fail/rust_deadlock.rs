use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let locks = Arc::new((Mutex::new(0), Mutex::new(0)));
    let theirs = Arc::clone(&locks);
    let other = thread::spawn(move || {
        let first = theirs.0.lock().unwrap();
        let second = theirs.1.lock().unwrap();
        drop((first, second));
    });
    let second = locks.1.lock().unwrap();
    let first = locks.0.lock().unwrap();
    drop((first, second));
    other.join().unwrap();
}
