use std::sync::atomic::{AtomicUsize, Ordering};

static ORDER: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn note<const DIGIT: usize>() {
    ORDER.store(10 * ORDER.load(Ordering::Relaxed) + DIGIT, Ordering::Relaxed);
}

unsafe extern "C" fn count(arguments: i32) {
    ORDER.store(arguments as usize, Ordering::Relaxed);
}

#[used]
#[unsafe(link_section = ".init_array")]
static LATE: [unsafe extern "C" fn(); 2] = [note::<2>, note::<3>];

#[used]
#[unsafe(link_section = ".init_array.00200")]
static EARLY: unsafe extern "C" fn(i32) = count;

fn main() {
    assert_eq!(ORDER.load(Ordering::Relaxed), 123);
    assert_eq!(std::env::args().count(), 1);
}
