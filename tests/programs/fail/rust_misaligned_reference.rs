/* A reference is aligned, whether or not somebody reads through it. */
fn address(number: &u32) -> usize {
    std::ptr::from_ref(number).addr()
}

fn main() {
    let words = [0u32; 2];
    let at: usize = everypath::any_where(|at: &usize| *at < 4);
    let place = unsafe { words.as_ptr().byte_add(at) };
    let number: &u32 = unsafe { std::mem::transmute(place) };
    assert_eq!(address(number) % 4, 0);
}
