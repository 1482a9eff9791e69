struct Careless(u8);
impl Drop for Careless {
    fn drop(&mut self) {
        assert_ne!(self.0, 5, "five is not dropped");
    }
}

fn main() {
    let _careless = Careless(everypath::any());
}
