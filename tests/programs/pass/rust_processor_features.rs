// Code that asks for the processor's extensions has a way without them.
#[cfg(target_arch = "x86_64")]
fn main() {
    let x: u8 = everypath::any();
    let has_extension = std::arch::is_x86_feature_detected!("avx2");
    assert!(has_extension || x.count_ones() <= 8);
}
