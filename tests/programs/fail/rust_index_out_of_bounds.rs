fn main() {
    let numbers = [1, 2, 3];
    let index: usize = everypath::any();
    let found = numbers[index];
    assert!(found > 0);
}
