// What rustc.bc is made of.
#![crate_type = "lib"]
#![no_std]

pub struct Pair {
    pub first: u32,
    pub second: u64,
}

#[inline(never)]
fn sum(pairs: &[Pair], start: u64) -> u64 {
    let mut total = start;
    for pair in pairs {
        total = total.wrapping_add(u64::from(pair.first) * pair.second);
    }
    total
}

#[unsafe(no_mangle)]
pub extern "C" fn run() -> u64 {
    let pairs = [Pair { first: 1, second: 2 }, Pair { first: 3, second: 4 }];
    match sum(&pairs, 3) {
        17 => 1711,
        other => other,
    }
}
