static mut COUNT: u32 = 0;

fn main() {
    let other = std::thread::spawn(|| unsafe { COUNT += 1 });
    unsafe { COUNT += 1 };
    other.join().unwrap();
}
