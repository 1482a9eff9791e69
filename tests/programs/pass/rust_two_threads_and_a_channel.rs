// run: --max-preemptions 8
use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::channel();
    let x: u8 = everypath::any();
    let other = thread::spawn(move || {
        if x > 200 {
            sender.send(x).unwrap();
        }
    });
    // The other end is gone where nothing was sent.
    match receiver.recv() {
        Ok(received) => assert!(received > 200),
        Err(_) => assert!(x <= 200),
    }
    other.join().unwrap();
}
