fn main() {
    let (a, b): (i8, i8) = everypath::any();
    everypath::assume(b != 0);
    assert!((a % b).unsigned_abs() < b.unsigned_abs());
}
