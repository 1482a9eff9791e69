fn main() {
    let x: i32 = everypath::any();
    everypath::assume(x >= 0 && x < 3);
    println!("leaving");
    if x > 0 {
        std::process::exit(x);
    }
}
