fn main() {
    let x: u8 = everypath::any();
    let y = match x % 4 {
        0..=2 => 1,
        _ => unsafe { std::hint::unreachable_unchecked() },
    };
    assert_eq!(y, 1);
}
