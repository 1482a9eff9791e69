/* Values that their types have are nobody's error: characters, enums with holes, numbers that are
 * not zero, options in the place of what a type does not have, and reads that need no alignment. */
use std::num::NonZeroU8;

#[derive(Clone, Copy, PartialEq, Eq, everypath::Arbitrary)]
#[repr(u8)]
enum Step {
    Back = 255,
    Stay = 0,
    On = 1,
}

fn main() {
    let letter: char = everypath::any();
    let letters = [Some(letter), None];
    let step: Option<Step> = everypath::any();
    let byte: u8 = everypath::any();
    let number = NonZeroU8::new(byte).map(|it| (it, letter));
    let bytes = [byte, 1, 2, 3, 4, 5, 6, 7];
    let word = unsafe { bytes.as_ptr().add(1).cast::<u32>().read_unaligned() };
    assert_eq!(word, u32::from_le_bytes([1, 2, 3, 4]));
    let boxed = Box::new((letters, step, number));
    std::process::exit(match *boxed {
        ([Some('a'), None], Some(Step::Back), None) => 1,
        (_, None, Some(_)) => 2,
        _ => 0,
    });
}
