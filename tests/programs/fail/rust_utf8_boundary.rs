fn main() {
    let at: usize = everypath::any();
    everypath::assume(at <= 3);
    let (left, _) = "aé".split_at(at);
    assert!(left.len() == at);
}
