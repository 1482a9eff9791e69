fn main() {
    let character: char = everypath::any();
    let mut buffer = [0; 4];
    let text = character.encode_utf8(&mut buffer);
    assert_eq!(text.chars().next(), Some(character));
    assert_eq!(text.len(), character.len_utf8());
}
