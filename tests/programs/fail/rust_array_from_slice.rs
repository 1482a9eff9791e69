fn main() {
    let bytes: Vec<u8> = everypath::any_vec(4);
    let word: [u8; 4] = bytes.try_into().expect("four bytes");
    assert_eq!(u32::from_le_bytes(word).to_le_bytes(), word);
}
