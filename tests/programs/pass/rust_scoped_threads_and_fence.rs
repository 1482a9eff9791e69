use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);

fn main() {
    let mut value = 0;
    let place = &raw mut value as usize;
    thread::scope(|scope| {
        scope.spawn(move || {
            unsafe { *(place as *mut i32) = 7 };
            fence(Ordering::Release);
            READY.store(true, Ordering::Relaxed);
        });
        if READY.load(Ordering::Relaxed) {
            fence(Ordering::Acquire);
            assert_eq!(unsafe { *(place as *const i32) }, 7);
        }
    });
    assert_eq!(value, 7);
}
