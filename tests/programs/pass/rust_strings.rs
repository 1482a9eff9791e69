fn main() {
    let mut text = String::from("key=value");
    let cut: bool = everypath::any();
    if cut {
        text.truncate(3);
    }
    match text.split_once('=') {
        Some((key, value)) => assert_eq!((key, value, cut), ("key", "value", false)),
        None => assert_eq!(text.to_uppercase(), "KEY"),
    }
    let words: Vec<&str> = "  two  words ".split_whitespace().collect();
    assert_eq!(words.join("-"), "two-words");
}
