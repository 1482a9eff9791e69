//! Sets of bytes, as the leaves of parse trees have them.

use std::fmt;

/// Some bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bytes {
    /// Ranges, both ends included, ascending, with something between two of them.
    ranges: Vec<(u8, u8)>,
}

/// What has a meaning between the brackets.
const SIGNS: [u8; 5] = *b"\\[]-^";

impl Bytes {
    /// The bytes of these ranges, both ends included.
    pub fn of(ranges: impl IntoIterator<Item = (u8, u8)>) -> Bytes {
        let mut all: Vec<(u8, u8)> = ranges.into_iter().collect();
        all.retain(|(low, high)| low <= high);
        all.sort_unstable();
        let mut ranges: Vec<(u8, u8)> = Vec::new();
        for (low, high) in all {
            match ranges.last_mut() {
                Some((_, last)) if u16::from(low) <= u16::from(*last) + 1 => {
                    *last = (*last).max(high);
                }
                _ => ranges.push((low, high)),
            }
        }
        Bytes { ranges }
    }

    /// The ranges, both ends included, ascending.
    pub fn ranges(&self) -> &[(u8, u8)] {
        &self.ranges
    }

    /// The same without zero, which ends texts.
    pub fn without_zero(&self) -> Bytes {
        let ranges = self.ranges.iter().copied();
        Bytes::of(
            ranges
                .filter(|&(_, high)| high > 0)
                .map(|(low, high)| (low.max(1), high)),
        )
    }

    /// The set that a text in brackets stands for.
    pub(crate) fn read(text: &str) -> Option<Bytes> {
        let text = text.strip_prefix('[')?.strip_suffix(']')?;
        let mut rest = text.as_bytes();
        let mut ranges = Vec::new();
        while !rest.is_empty() {
            let low = read_byte(&mut rest)?;
            let high = match rest.strip_prefix(b"-") {
                Some(after) => {
                    rest = after;
                    read_byte(&mut rest)?
                }
                None => low,
            };
            if high < low {
                return None;
            }
            ranges.push((low, high));
        }
        Some(Bytes::of(ranges)).filter(|it| !it.ranges.is_empty())
    }
}

/// The next byte of a text, as it was written.
fn read_byte(rest: &mut &[u8]) -> Option<u8> {
    match **rest {
        [b'\\', b'x', high, low, ..] => {
            let digits = [high, low];
            let value = u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?;
            *rest = &rest[4..];
            Some(value)
        }
        [b'\\', sign, ..] if SIGNS.contains(&sign) => {
            *rest = &rest[2..];
            Some(sign)
        }
        [byte @ 0x20..0x7f, ..] if !SIGNS.contains(&byte) => {
            *rest = &rest[1..];
            Some(byte)
        }
        _ => None,
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = |out: &mut fmt::Formatter<'_>, byte: u8| match byte {
            _ if SIGNS.contains(&byte) => write!(out, "\\{}", char::from(byte)),
            0x20..0x7f => write!(out, "{}", char::from(byte)),
            _ => write!(out, "\\x{byte:02x}"),
        };
        out.write_str("[")?;
        for &(low, high) in &self.ranges {
            write(out, low)?;
            if high > low {
                out.write_str("-")?;
                write(out, high)?;
            }
        }
        out.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn what_is_written_is_read_again() {
        let sets = [
            vec![(b'0', b'9')],
            vec![(b'+', b'+'), (b'-', b'-'), (b'[', b'^')],
            vec![(0, 31), (127, 255)],
            vec![(0, 255)],
            vec![(b'a', b'b'), (b'c', b'd')],
        ];
        for ranges in sets {
            let set = Bytes::of(ranges);
            assert_eq!(Bytes::read(&set.to_string()), Some(set.clone()), "{set}");
        }
        assert_eq!(
            Bytes::of([(b'+', b'+'), (b'-', b'-')]).to_string(),
            r"[+\-]"
        );
    }

    #[test]
    fn what_is_no_set_is_refused() {
        for text in [
            "", "[", "[]", "[9-0]", "[a-]", "[-a]", r"[\q]", r"[\x0]", "[ä]", "[a]b",
        ] {
            assert_eq!(Bytes::read(text), None, "{text}");
        }
    }
}
