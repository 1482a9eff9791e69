use everypath::Arbitrary;

#[derive(Arbitrary, Debug, Clone, PartialEq)]
enum Shape {
    Empty,
    Circle(u8),
    Box { width: u8, height: u8 },
}

#[derive(Arbitrary)]
struct Scene<T> {
    shape: Shape,
    label: Option<T>,
}

fn area(shape: &Shape) -> u32 {
    match *shape {
        Shape::Empty => 0,
        Shape::Circle(radius) => 3 * u32::from(radius) * u32::from(radius),
        Shape::Box { width, height } => u32::from(width) * u32::from(height),
    }
}

fn main() {
    let scene: Scene<u16> = everypath::any();
    assert!(area(&scene.shape) <= 3 * 255 * 255);
    assert_eq!(scene.label.is_some(), scene.label.map(u32::from).is_some());
}
