// Unsafe code that keeps a pointer into a box that is gone.
fn main() {
    let x: i32 = everypath::any();
    let boxed = Box::new(x);
    let pointer: *const i32 = &*boxed;
    if x == 9 {
        drop(boxed);
        // The memory is gone.
        let value = unsafe { *pointer };
        assert_eq!(value, 9);
    }
}
