trait Shape {
    fn area(&self) -> u32;
}
struct Square(u32);
struct Pair(u32, u32);
impl Shape for Square {
    fn area(&self) -> u32 {
        self.0 * self.0
    }
}
impl Shape for Pair {
    fn area(&self) -> u32 {
        self.0 * self.1
    }
}

fn main() {
    let (kind, side): (bool, u8) = everypath::any();
    let side = u32::from(side);
    let shape: Box<dyn Shape> = if kind { Box::new(Square(side)) } else { Box::new(Pair(side, 2)) };
    let scale: Box<dyn Fn(u32) -> u32> = Box::new(move |x| x + side);
    let expected = if kind { side * side } else { 2 * side };
    assert_eq!(scale(shape.area()), expected + side);
}
