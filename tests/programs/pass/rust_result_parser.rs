// A parser with `Result` and `?`: every way it can end.
#[derive(Debug, PartialEq)]
enum Wrong {
    Empty,
    Digit(u8),
    TooLarge,
}

fn digit(byte: u8) -> Result<u32, Wrong> {
    match byte {
        b'0'..=b'9' => Ok(u32::from(byte - b'0')),
        other => Err(Wrong::Digit(other)),
    }
}

fn parse(text: &[u8]) -> Result<u32, Wrong> {
    let (&first, rest) = text.split_first().ok_or(Wrong::Empty)?;
    let mut number = digit(first)?;
    for &byte in rest {
        number = number * 10 + digit(byte)?;
    }
    if number > 50 { Err(Wrong::TooLarge) } else { Ok(number) }
}

fn main() {
    let text: [u8; 2] = everypath::any();
    match parse(&text) {
        Ok(number) => assert!(number <= 50),
        Err(Wrong::TooLarge) => assert!(text[0] >= b'5'),
        Err(Wrong::Digit(byte)) => assert!(!byte.is_ascii_digit()),
        Err(Wrong::Empty) => unreachable!(),
    }
}
