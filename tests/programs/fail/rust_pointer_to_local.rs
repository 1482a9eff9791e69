fn dangling() -> *const u8 {
    let local = 7u8;
    &raw const local
}

fn main() {
    if everypath::any::<u8>() == 1 {
        assert_eq!(unsafe { *dangling() }, 7);
    }
}
