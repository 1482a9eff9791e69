fn main() {
    let (a, b): (u8, u8) = everypath::any();
    match a.checked_add(b) {
        Some(sum) => assert_eq!(u16::from(sum), u16::from(a) + u16::from(b)),
        None => assert_eq!(a.wrapping_add(b), a.overflowing_add(b).0),
    }
    assert!(a.saturating_sub(b) <= a);
    assert_eq!(a.leading_zeros() == 8, a == 0);
}
