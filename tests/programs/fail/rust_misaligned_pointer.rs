fn main() {
    let bytes = [0u32; 3];
    let at: usize = everypath::any_where(|at: &usize| *at < 3);
    let word = unsafe { bytes.as_ptr().byte_add(at) };
    println!("{}", unsafe { *word });
}
