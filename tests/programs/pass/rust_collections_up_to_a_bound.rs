fn main() {
    let numbers: Vec<u8> = everypath::any_vec(3);
    let mut reversed = numbers.clone();
    reversed.reverse();
    assert_eq!(reversed.len(), numbers.len());
    assert_eq!(reversed.first(), numbers.last());
}
