use std::collections::HashMap;

/// A key is found where it is the one that was put there, whatever they hash to.
fn main() {
    let (put, asked): (u32, u32) = everypath::any();
    let mut seen = HashMap::new();
    seen.insert(put, 1);
    assert_eq!(seen.get(&asked).is_some(), put == asked);
}
