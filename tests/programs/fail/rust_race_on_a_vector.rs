use std::thread;

struct Shared(*mut Vec<u8>);
unsafe impl Send for Shared {}

fn main() {
    let mut list = vec![1, 2];
    let shared = Shared(&raw mut list);
    let other = thread::spawn(move || {
        let shared = shared;
        unsafe { (*shared.0).push(3) };
    });
    list.push(4);
    other.join().unwrap();
}
