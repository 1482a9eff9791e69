//! Addresses among what a program writes: they are others in each process.

use machine::{Machine, State};
use std::ops::Range;

/// Numbers with fewer digits are taken for addresses only behind `0x`.
const DIGITS: usize = 6;

/// Where the text that the program wrote has addresses of its objects and functions, as
/// `%p` and its kin write them.
pub(crate) fn addresses(machine: &Machine<'_>, state: &State, text: &[u8]) -> Vec<Range<usize>> {
    let is_known = |value| state.memory.knows(value) || machine.function_at(value).is_some();
    let found = numbers(text).filter(|(_, values)| values.iter().flatten().any(|&it| is_known(it)));
    found.map(|(place, _)| place).collect()
}

/// The numbers that a text has, each with what it is in hexadecimal and in decimal.
fn numbers(text: &[u8]) -> impl Iterator<Item = (Range<usize>, [Option<u64>; 2])> {
    let words = text.chunk_by(|a, b| a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric());
    let places = words.scan(0, |end, word| {
        let start = std::mem::replace(end, *end + word.len());
        Some((start..*end, word))
    });
    places.filter_map(|(place, word)| {
        let word = str::from_utf8(word).ok()?;
        let digits = word.strip_prefix("0x");
        if digits.is_none() && word.len() < DIGITS {
            return None;
        }
        let hexadecimal = u64::from_str_radix(digits.unwrap_or(word), 16).ok()?;
        Some((place, [Some(hexadecimal), word.parse().ok()]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_between_other_words() {
        let text = b"[prim 0xe624] 123456,feed\xff0x7fffffff0000z";
        let found: Vec<_> = numbers(text).collect();
        let expected = [
            (6..12, [Some(0xe624), None]),
            (14..20, [Some(0x0012_3456), Some(123_456)]),
        ];
        assert_eq!(found, expected);
    }
}
