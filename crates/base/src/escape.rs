//! Text that others made, where it would mean something.
//!
//! Markup is escaped by the libraries that write it (`maud` for HTML and SVG,
//! `quick-xml` and `quick-junit` for XML, `serde_json` for JSON, `shlex` for shells).
//! What is here is what none of them does.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

/// The text with every control character but line ends and tabs replaced by U+FFFD.
/// XML has no way to write them, and a terminal would obey them.
pub fn visible(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| c.is_control() && c != '\n' && c != '\t';
    match text.contains(hidden) {
        true => Cow::Owned(text.replace(hidden, "\u{fffd}")),
        false => Cow::Borrowed(text),
    }
}

/// Names that others gave, such as those of files, where a line is to stay one line: a
/// line break in a name would make two entries of one in a listing or a tracefile.
pub trait OneLine {
    /// The name with its control characters in octal, `\012`, as `/proc/mounts` has them.
    fn one_line(&self) -> Cow<'_, str>;
}

impl OneLine for str {
    fn one_line(&self) -> Cow<'_, str> {
        let is_plain = |at: usize, c: char| match c {
            // What was not escaped is not to look as if it were.
            '\\' => octal(&self[at..]).is_none(),
            _ => !c.is_control(),
        };
        if self.char_indices().all(|(at, c)| is_plain(at, c)) {
            return Cow::Borrowed(self);
        }
        let mut text = String::with_capacity(self.len() + 3);
        for (at, c) in self.char_indices() {
            match is_plain(at, c) {
                true => text.push(c),
                false => write!(text, "\\{:03o}", u32::from(c)).expect("strings take all text"),
            }
        }
        Cow::Owned(text)
    }
}

impl OneLine for OsStr {
    fn one_line(&self) -> Cow<'_, str> {
        match self.to_string_lossy() {
            Cow::Borrowed(text) => text.one_line(),
            Cow::Owned(text) => Cow::Owned(text.one_line().into_owned()),
        }
    }
}

impl OneLine for Path {
    fn one_line(&self) -> Cow<'_, str> {
        self.as_os_str().one_line()
    }
}

/// The name that [`OneLine::one_line`] wrote so.
pub fn from_one_line(text: &str) -> Cow<'_, str> {
    let mut name = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let escaped = octal(&rest[at..]).map(char::from);
        let escaped = escaped.filter(|c| *c == '\\' || c.is_control());
        name.push_str(&rest[..at]);
        name.push(escaped.unwrap_or('\\'));
        rest = &rest[at + escaped.map_or(1, |_| 4)..];
    }
    match name.is_empty() {
        true => Cow::Borrowed(rest),
        false => Cow::Owned(name + rest),
    }
}

/// The byte that a text begins with, as a backslash and three octal digits.
fn octal(text: &str) -> Option<u8> {
    let digits = text.strip_prefix('\\')?.get(..3)?;
    let is_octal = digits.bytes().all(|digit| (b'0'..=b'7').contains(&digit));
    u8::from_str_radix(digits, 8).ok().filter(|_| is_octal)
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
    use super::{OneLine, c_string, from_one_line, visible};

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

    #[test]
    fn a_name_takes_one_line_and_is_read_back() {
        for (name, line) in [
            ("a b\\n.c", "a b\\n.c"),
            ("a\nb\t\u{7f}\u{85}é", "a\\012b\\011\\177\\205é"),
            ("a\\012b", "a\\134012b"),
            ("\\\n\\01\\", "\\\\012\\01\\"),
            ("\\\\134é", "\\\\134134é"),
        ] {
            assert_eq!(name.one_line(), line);
            assert_eq!(from_one_line(line), name);
        }
        assert_eq!(from_one_line("\\141\\777\\8"), "\\141\\777\\8");
    }
}
