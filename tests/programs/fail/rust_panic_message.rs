fn check(x: u8) {
    if x > 200 {
        panic!("too large: {x}");
    }
}

fn main() {
    let x: u8 = everypath::any();
    check(x);
}
