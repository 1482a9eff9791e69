fn main() {
    let mut numbers: [u8; 3] = everypath::any();
    numbers.sort_unstable();
    assert!(numbers.is_sorted());
    if let Ok(at) = numbers.binary_search(&100) {
        assert_eq!(numbers[at], 100);
    }
}
