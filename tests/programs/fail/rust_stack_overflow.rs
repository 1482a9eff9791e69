fn depth(x: u32) -> u32 {
    if x == 0 { 0 } else { 1 + depth(x.wrapping_sub(2)) }
}

fn main() {
    let odd: bool = everypath::any();
    assert_eq!(depth(6 + u32::from(odd)), 3);
}
