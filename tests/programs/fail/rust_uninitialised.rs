// run: --uninitialised
use std::alloc::{Layout, alloc};

fn main() {
    let x: bool = everypath::any();
    let place = unsafe { alloc(Layout::new::<u8>()) };
    if x {
        unsafe { place.write(1) };
    }
    if unsafe { *place } > 3 {
        println!("large");
    }
}
