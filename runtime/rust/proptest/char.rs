//! Characters.

use crate::strategy::Strategy;
use crate::sugar::input;
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// Characters between two.
pub type CharRange = RangeInclusive<char>;

/// Any character of some ranges.
#[must_use = "strategies do nothing unless used"]
#[derive(Clone, Debug)]
pub struct CharStrategy<'a> {
    ranges: Cow<'a, [CharRange]>,
}

/// Any character.
pub fn any() -> CharStrategy<'static> {
    range('\0', char::MAX)
}

/// Any character between these, which may be one of them.
pub fn range(start: char, end: char) -> CharStrategy<'static> {
    ranges(Cow::Owned(vec![start..=end]))
}

/// Any character of these ranges.
pub fn ranges(ranges: Cow<'_, [CharRange]>) -> CharStrategy<'_> {
    assert!(!ranges.is_empty(), "no characters to choose from");
    CharStrategy { ranges }
}

impl Strategy for CharStrategy<'_> {
    type Value = char;
    tree!();

    fn __any(&self) -> char {
        let ranges = self.ranges.iter().map(|it| (*it.start(), *it.end()));
        of_ranges(&ranges.collect::<Vec<_>>())
    }
}

/// Any character of some ranges, without a choice between paths.
pub(crate) fn of_ranges(ranges: &[(char, char)]) -> char {
    let most = ranges.iter().map(|it| it.1).max().unwrap_or_default();
    if let Ok(most) = u8::try_from(most) {
        // Queries about bytes are the quickest.
        let byte: u8 = input();
        everypath::assume((byte <= most) & is_within(ranges, byte.into()));
        return byte.into();
    }
    let number: u32 = input();
    let is_surrogate = (0xd800 <= number) & (number < 0xe000);
    everypath::assume(!is_surrogate & is_within(ranges, number));
    // SAFETY: the ends of the ranges are characters, and what is between them is too, but
    // for surrogates. The checks of `from_u32_unchecked` would be a choice between paths.
    #[allow(unnecessary_transmutes)]
    unsafe {
        std::mem::transmute::<u32, char>(number)
    }
}

fn is_within(ranges: &[(char, char)], number: u32) -> bool {
    let mut within = false;
    for &(low, high) in ranges {
        within |= (low as u32 <= number) & (number <= high as u32);
    }
    within
}
