use std::thread;

fn main() {
    let x: u8 = everypath::any();
    let other = thread::spawn(move || assert_ne!(x, 9, "nine"));
    other.join().expect("the thread is well");
}
