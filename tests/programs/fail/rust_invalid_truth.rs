/* A byte that is taken for a truth value has to be one. */
fn main() {
    let byte: u8 = everypath::any();
    everypath::assume(byte < 4);
    let is_set: bool = unsafe { std::mem::transmute(byte) };
    let pair = (byte + 1, is_set);
    let maybe: Option<bool> = (byte > 0).then_some(is_set);
    std::process::exit(match maybe {
        Some(true) => 1,
        Some(false) => 2,
        None => i32::from(pair.0),
    });
}
