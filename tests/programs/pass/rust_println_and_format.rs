// A normal program: formatting, and a round trip through text.
fn main() {
    let x: u8 = everypath::any();
    everypath::assume(x > 7 && x < 12);
    let text = format!("<{x:>3}|{:#x}>", 255);
    assert_eq!(text.len(), 10);
    let number: u8 = text[1..4].trim().parse().unwrap();
    assert_eq!(number, x);
    println!("{text}");
}
