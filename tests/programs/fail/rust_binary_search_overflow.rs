// The middle of two numbers, as everybody writes it first.
fn middle(low: i32, high: i32) -> i32 {
    (low + high) / 2
}

fn main() {
    let (low, high): (i32, i32) = everypath::any();
    everypath::assume(0 <= low && low <= high);
    let middle = middle(low, high);
    assert!(low <= middle && middle <= high);
}
