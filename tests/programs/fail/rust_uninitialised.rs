// run: --uninitialised
use std::mem::MaybeUninit;

fn main() {
    let mut word = MaybeUninit::<u8>::uninit();
    let x: bool = everypath::any();
    if x {
        word.write(1);
    }
    if unsafe { word.assume_init() } > 3 {
        println!("large");
    }
}
