fn main() {
    let numbers: [u8; 3] = everypath::any();
    let sum: u32 = numbers.iter().map(|&n| u32::from(n)).sum();
    let largest = numbers.iter().copied().fold(0, u8::max);
    assert!(sum <= 3 * u32::from(largest));
    let even: Vec<_> = (0..10).filter(|n| n % 2 == 0).zip("abc".chars()).skip(1).collect();
    assert_eq!(even, [(2, 'b'), (4, 'c')]);
}
