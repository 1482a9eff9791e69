fn main() {
    let text: [u8; 2] = everypath::any();
    everypath::assume(text.is_ascii());
    let text = std::str::from_utf8(&text).unwrap();
    let at = text.find('=').unwrap();
    assert!(at < 2);
}
