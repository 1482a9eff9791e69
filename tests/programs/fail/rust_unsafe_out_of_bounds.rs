fn main() {
    let numbers = vec![1u8, 2, 3];
    let index: usize = everypath::any();
    everypath::assume(index < 4);
    let value = unsafe { *numbers.as_ptr().add(index) };
    assert!(value < 4);
}
