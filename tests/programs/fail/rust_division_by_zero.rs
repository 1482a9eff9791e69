fn main() {
    let (a, b): (i32, i32) = everypath::any();
    std::process::exit((a / b) & 1);
}
