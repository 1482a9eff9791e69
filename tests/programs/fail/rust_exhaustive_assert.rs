// Holds for all but one of 65536 values.
fn main() {
    let x: u16 = everypath::any();
    assert_ne!(x.wrapping_mul(x).wrapping_add(x), 3906, "x is {}", 62);
}
