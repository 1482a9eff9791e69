use std::collections::BTreeMap;

fn main() {
    let squares: BTreeMap<u8, u32> = (0..6).map(|i| (i, u32::from(i).pow(2))).collect();
    let key: u8 = everypath::any();
    match squares.get(&key) {
        Some(square) => assert_eq!(*square, u32::from(key) * u32::from(key)),
        None => assert!(key > 5),
    }
}
