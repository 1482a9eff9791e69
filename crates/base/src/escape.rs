//! Text that others made, where it would mean something.
//!
//! Markup is escaped by the libraries that write it (`maud` for HTML and SVG,
//! `quick-xml` and `quick-junit` for XML, `serde_json` for JSON, `shlex` for shells).
//! What is here is what none of them does.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with every control character but line ends and tabs replaced by U+FFFD.
/// XML has no way to write them, and a terminal would obey them.
pub fn visible(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| c.is_control() && c != '\n' && c != '\t';
    match text.contains(hidden) {
        true => Cow::Owned(text.replace(hidden, "\u{fffd}")),
        false => Cow::Borrowed(text),
    }
}

/// The bytes as they stand between the quotes of a string literal in C.
pub fn c_string(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b' '..=b'~' => text.push(char::from(*byte)),
            0 if !bytes.get(index + 1).is_some_and(u8::is_ascii_digit) => text.push_str("\\0"),
            // Three digits always: a digit that follows must not be taken in.
            _ => write!(text, "\\{byte:03o}").expect("writing to a string does not fail"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{c_string, visible};

    #[test]
    fn what_would_steer_a_terminal_is_replaced() {
        assert_eq!(visible("a\tb\n\u{1b}[2J\0é"), "a\tb\n\u{fffd}[2J\u{fffd}é");
    }

    #[test]
    fn a_digit_after_an_octal_escape_is_not_taken_in() {
        assert_eq!(
            c_string(b"\x001\x00a\xff\"\\\n"),
            "\\0001\\0a\\377\\\"\\\\\\n"
        );
    }
}
