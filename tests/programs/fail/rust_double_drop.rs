fn main() {
    let twice: bool = everypath::any();
    let mut boxed = std::mem::ManuallyDrop::new(Box::new(1));
    unsafe {
        std::mem::ManuallyDrop::drop(&mut boxed);
        if twice {
            std::mem::ManuallyDrop::drop(&mut boxed);
        }
    }
}
