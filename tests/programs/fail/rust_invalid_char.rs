fn main() {
    let number: u32 = everypath::any_where(|number: &u32| *number >= 0xd7ff && *number <= 0xd801);
    let letter = unsafe { char::from_u32_unchecked(number) };
    println!("{letter}");
}
