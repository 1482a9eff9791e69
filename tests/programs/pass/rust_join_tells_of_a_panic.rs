// A panic ends its thread; what becomes of the process is up to whoever joins it.
use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let x: u8 = everypath::any();
    let shared = Arc::new(Mutex::new(0));
    let own = shared.clone();
    let other = thread::spawn(move || {
        let mut value = own.lock().unwrap();
        *value = 1;
        assert_ne!(x, 9, "nine");
        *value = 2;
    });
    let outcome = other.join();
    assert_eq!(outcome.is_err(), x == 9);
    assert_eq!(shared.is_poisoned(), x == 9);
    if let Err(panic) = outcome {
        let said = panic.downcast_ref::<String>().expect("it is a text");
        assert!(said.contains("nine"));
    }
}
