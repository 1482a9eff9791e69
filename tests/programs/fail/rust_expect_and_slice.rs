fn main() {
    let start: usize = everypath::any();
    let text = "everypath";
    let rest = text.get(start..).expect("start is inside");
    assert!(rest.len() <= 9);
    let tail = &text[rest.len() + start - 3..];
    assert_eq!(tail, "ath");
    let _ = &text[start..5];
}
