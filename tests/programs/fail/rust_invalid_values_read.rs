/* Values of a character and of an enum that are read from memory that holds something else. */
#[derive(Clone, Copy, PartialEq)]
enum Colour {
    Red,
    Green,
    Blue,
}

union Bits {
    number: u32,
    letter: char,
}

fn main() {
    let byte: u8 = everypath::any_where(|it: &u8| *it < 5);
    let which: bool = everypath::any();
    if which {
        let colour = unsafe { std::ptr::from_ref(&byte).cast::<Colour>().read() };
        std::process::exit(match colour {
            Colour::Red | Colour::Blue => 1,
            Colour::Green => 2,
        });
    }
    let bits = Bits {
        number: 0x10_fffd + u32::from(byte),
    };
    let letters = [unsafe { bits.letter }];
    std::process::exit(3 + i32::from(letters[0] > 'z'));
}
