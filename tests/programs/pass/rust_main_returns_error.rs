fn main() -> Result<(), String> {
    let x: u8 = everypath::any();
    let text = if x > 9 { "nine" } else { "9" };
    let number: u8 = text.parse().map_err(|error| format!("{text}: {error}"))?;
    assert_eq!(number, 9);
    Ok(())
}
