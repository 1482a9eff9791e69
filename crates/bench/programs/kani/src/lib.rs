//! What Kani's tutorial and pages show, in our own words: each function with its mistake
//! or without, and a harness for it.

/// Panics on one number in four billion, which random tests do not find.
pub fn size_class(x: u32) -> u32 {
    match x {
        0..128 => 1,
        128..4096 => 3,
        4096..0x10000 => 5,
        _ if x == 0x0badf00d => panic!("an unlucky number"),
        _ => 7,
    }
}

/// The place of an element in a ring, off by one where the list is full.
pub fn wrapped(place: usize, list: &[u32]) -> u32 {
    let place = if place > list.len() { place % list.len() } else { place };
    list[place]
}

pub fn wrapped_rightly(place: usize, list: &[u32]) -> u32 {
    list[place % list.len()]
}

/// The place that reads without a check.
pub fn wrapped_unchecked(place: usize, list: &[u32]) -> u32 {
    unsafe { *list.as_ptr().add(place % (list.len() + 1)) }
}

pub fn middle(low: u32, high: u32) -> u32 {
    (low + high) / 2
}

pub fn middle_without_overflow(low: u32, high: u32) -> u32 {
    low + (high - low) / 2
}

/// Fills the beginning of a buffer.
pub fn fill(length: usize, buffer: &mut [u8]) {
    if length > buffer.len() {
        return;
    }
    for place in 0..=length {
        buffer[place] = 0;
    }
}

pub fn fill_rightly(length: usize, buffer: &mut [u8]) {
    if length <= buffer.len() {
        buffer[..length].fill(0);
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(kani, derive(kani::Arbitrary))]
pub struct Rectangle {
    pub width: u16,
    pub height: u16,
}

impl Rectangle {
    pub fn stretched(&self, factor: u16) -> Option<Rectangle> {
        Some(Rectangle {
            width: self.width.checked_mul(factor)?,
            height: self.height.checked_mul(factor)?,
        })
    }

    pub fn holds(&self, other: &Rectangle) -> bool {
        self.width > other.width && self.height > other.height
    }
}

/// What is in store, by number.
#[derive(Default)]
pub struct Inventory(Vec<(u32, u32)>);

impl Inventory {
    pub fn update(&mut self, product: u32, quantity: u32) {
        match self.0.iter_mut().find(|(known, _)| *known == product) {
            Some((_, known)) => *known = quantity,
            None => self.0.push((product, quantity)),
        }
    }

    pub fn get(&self, product: u32) -> Option<u32> {
        let found = self.0.iter().find(|(known, _)| *known == product);
        found.map(|(_, quantity)| *quantity)
    }
}

#[cfg(kani)]
mod proofs {
    use super::*;

    #[kani::proof]
    fn every_number_has_a_class() {
        size_class(kani::any());
    }

    #[kani::proof]
    fn small_numbers_have_small_classes() {
        let x = kani::any_where(|x: &u32| *x < 4096);
        assert!(size_class(x) < 5);
    }

    #[kani::proof]
    fn a_ring_ends_where_it_begins() {
        wrapped(kani::any(), &[1, 2, 3, 4]);
    }

    #[kani::proof]
    fn a_ring_has_a_place_for_all() {
        let list = [1, 2, 3, 4];
        assert!(list.contains(&wrapped_rightly(kani::any(), &list)));
    }

    #[kani::proof]
    fn a_ring_without_checks() {
        wrapped_unchecked(kani::any(), &[1, 2, 3, 4]);
    }

    #[kani::proof]
    fn a_middle_overflows() {
        middle(kani::any(), kani::any());
    }

    #[kani::proof]
    fn a_middle_is_between() {
        let (low, high): (u32, u32) = kani::any();
        kani::assume(low <= high);
        let middle = middle_without_overflow(low, high);
        assert!(low <= middle && middle <= high);
    }

    #[kani::proof]
    #[kani::unwind(12)]
    fn filling_stays_within() {
        let length = kani::any_where(|length: &usize| *length <= 10);
        fill(length, &mut [1; 10]);
    }

    #[kani::proof]
    #[kani::unwind(12)]
    fn filling_all_stays_within() {
        let length = kani::any_where(|length: &usize| *length <= 10);
        let mut buffer = [1; 10];
        fill_rightly(length, &mut buffer);
        assert!(buffer[..length].iter().all(|byte| *byte == 0));
    }

    #[kani::proof]
    fn what_is_stretched_holds_the_original() {
        let original: Rectangle = kani::any();
        let factor: u16 = kani::any();
        kani::assume(original.width != 0 && original.height != 0 && factor > 1);
        if let Some(larger) = original.stretched(factor) {
            assert!(larger.holds(&original));
        }
    }

    #[kani::proof]
    #[kani::unwind(3)]
    fn what_is_stored_is_found() {
        let mut inventory = Inventory::default();
        let (product, quantity) = kani::any();
        inventory.update(1, 1);
        inventory.update(product, quantity);
        assert_eq!(inventory.get(product), Some(quantity));
    }

    #[kani::proof]
    #[kani::should_panic]
    fn dividing_panics_for_one_number() {
        let divisor: u32 = kani::any();
        assert!(100 / divisor <= 100);
    }
}
