fn main() {
    let x: i16 = everypath::any();
    let half = f64::from(x) / 2.0;
    assert_eq!(half + half, f64::from(x));
    assert!(f64::NAN != f64::NAN && (0.1f64 + 0.2).to_bits() != 0.3f64.to_bits());
    assert_eq!(format!("{:.2}", 1.0f64 / 3.0), "0.33");
}
