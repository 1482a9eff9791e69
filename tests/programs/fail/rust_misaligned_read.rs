/* Functions of the library read and write where a number is aligned. */
#[derive(Clone, Copy)]
struct Point {
    x: u32,
    y: u16,
}

fn main() {
    let mut words = [0u32; 6];
    let at: usize = everypath::any_where(|at: &usize| *at < 8);
    let place = unsafe { words.as_mut_ptr().byte_add(at) };
    match everypath::any_where(|kind: &u8| *kind < 3) {
        0 => println!("{}", unsafe { place.read() }),
        1 => unsafe { place.cast::<u16>().write(7) },
        _ => {
            let point = unsafe { place.cast::<Point>().read() };
            println!("{} {}", point.x, point.y);
        }
    }
}
