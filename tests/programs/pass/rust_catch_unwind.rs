use std::panic::catch_unwind;

struct Guard<'a>(&'a mut u32);
impl Drop for Guard<'_> {
    fn drop(&mut self) {
        *self.0 += 1;
    }
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let x: u8 = everypath::any();
    let caught = catch_unwind(|| {
        if x == 3 {
            panic!("three");
        }
        x
    });
    match caught {
        Ok(value) => assert_ne!(value, 3),
        Err(payload) => assert_eq!(payload.downcast_ref::<&str>(), Some(&"three")),
    }
    let mut dropped = 0;
    let _ = catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _guard = Guard(&mut dropped);
        assert!(x < 100);
    }));
    assert_eq!(dropped, 1);
}
