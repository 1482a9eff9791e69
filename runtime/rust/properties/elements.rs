//! How many elements collections and strings of properties have, in a file of its own: another
//! number is no reason to compile a project again.

#![no_std]

const MOST: usize = match usize::from_str_radix(env!("EVERYPATH_MOST_ELEMENTS"), 10) {
    Ok(most) => most,
    Err(_) => panic!("the greatest number of elements is a number"),
};

#[unsafe(no_mangle)]
extern "C" fn everypath_most_elements() -> usize {
    MOST
}
