use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::*};
use std::thread;

static LOCKED: AtomicBool = AtomicBool::new(false);
static SUM: AtomicU32 = AtomicU32::new(0);

struct Share(u32);

impl Drop for Share {
    fn drop(&mut self) {
        while LOCKED.swap(true, Acquire) {}
        SUM.store(SUM.load(Relaxed) + self.0, Relaxed);
        LOCKED.store(false, Release);
    }
}

thread_local! {
    static SHARE: Share = const { Share(2) };
}

fn main() {
    let others = [(); 2].map(|()| thread::spawn(|| SHARE.with(|share| share.0)));
    for other in others {
        assert_eq!(other.join().unwrap(), 2);
    }
    assert_eq!(SUM.load(Relaxed), 4);
}
