struct Ring<T, const N: usize> {
    room: [Option<T>; N],
    begin: usize,
    count: usize,
}

impl<T: Copy, const N: usize> Ring<T, N> {
    fn new() -> Self {
        Ring { room: [None; N], begin: 0, count: 0 }
    }
    fn push(&mut self, value: T) -> Result<(), T> {
        if self.count == N {
            return Err(value);
        }
        self.room[(self.begin + self.count) % N] = Some(value);
        self.count += 1;
        Ok(())
    }
    fn pop(&mut self) -> Option<T> {
        let value = self.room[self.begin].take()?;
        self.begin = (self.begin + 1) % N;
        self.count -= 1;
        Some(value)
    }
}

fn main() {
    let mut ring = Ring::<u8, 2>::new();
    let first = everypath::any();
    assert_eq!(ring.push(first), Ok(()));
    assert_eq!(ring.push(2), Ok(()));
    assert_eq!(ring.push(3), Err(3));
    assert_eq!(ring.pop(), Some(first));
    assert_eq!(ring.pop(), Some(2));
    assert_eq!(ring.pop(), None);
}
