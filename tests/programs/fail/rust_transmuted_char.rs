/* A number that is taken for a character has to be one: no surrogate, and none past the last. */
fn main() {
    let number: u32 = everypath::any_where(|it: &u32| (0xd7fe..0xd801).contains(it) || *it > 0x10_fffd);
    everypath::assume(number < 0x11_0002);
    let letter: char = unsafe { std::mem::transmute(number) };
    std::process::exit(i32::from(letter == '\u{d7ff}'));
}
