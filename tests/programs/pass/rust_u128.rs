fn main() {
    let (a, b): (u64, u64) = everypath::any();
    let product = u128::from(a) * u128::from(b);
    assert_eq!(product as u64, a.wrapping_mul(b));
}
