//! Tokens of a model, with comments kept aside for the formatter.

use super::{Fault, Span};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A name or a keyword.
    Word,
    /// Digits, with a fraction or an exponent if it has a point or an `e`.
    Number,
    /// Text between quotes.
    Text,
    /// Punctuation.
    Mark,
    /// A comment to the end of its line; only the formatter meets it.
    Comment,
    /// The end of the file.
    End,
}

/// A token and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its characters; quotes included.
    pub text: &'a str,
    /// Where it stands.
    pub span: Span,
    /// Whether it is the first of its line.
    pub first: bool,
    /// Empty lines before it.
    pub blank: bool,
}

/// Marks of several characters, the longer before the shorter.
const MARKS: [&str; 8] = ["->", ":=", "!=", "<=", ">=", "&&", "||", "=="];

/// All tokens of the text, with an `End` behind them, and what is none.
pub fn tokens(text: &str) -> (Vec<Token<'_>>, Vec<Fault>) {
    let mut found = Vec::new();
    let mut faults = Vec::new();
    let (mut at, mut newlines) = (0, 2);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            newlines += usize::from(c == '\n');
            at += c.len_utf8();
            continue;
        }
        let (kind, length) = match c {
            _ if rest.starts_with("//") || c == '#' => {
                (Kind::Comment, rest.find('\n').unwrap_or(rest.len()))
            }
            'a'..='z' | 'A'..='Z' | '_' => (Kind::Word, word(rest)),
            '0'..='9' => (Kind::Number, number(rest)),
            '"' => match string(rest) {
                Some(length) => (Kind::Text, length),
                None => {
                    let length = rest.find('\n').unwrap_or(rest.len());
                    faults.push(Fault::new(
                        Span::new(at, at + length),
                        "the text has no closing quote on its line",
                    ));
                    (Kind::Text, length)
                }
            },
            '>' if closes_width(&found) => (Kind::Mark, 1),
            _ => match MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                Some(mark) => (Kind::Mark, mark.len()),
                None if "(){}[],:;.?!+-*/=<>|@".contains(c) => (Kind::Mark, 1),
                None => {
                    let length = c.len_utf8();
                    faults.push(Fault::new(
                        Span::new(at, at + length),
                        format!("`{}` has no meaning here", c.escape_debug()),
                    ));
                    at += length;
                    continue;
                }
            },
        };
        let text = rest[..length].trim_end_matches('\r');
        found.push(Token {
            kind,
            text,
            span: Span::new(at, at + length),
            first: newlines > 0,
            blank: newlines > 1 && !found.is_empty(),
        });
        newlines = 0;
        at += length;
    }
    found.push(Token {
        kind: Kind::End,
        text: "",
        span: Span::new(text.len(), text.len()),
        first: true,
        blank: false,
    });
    (found, faults)
}

/// Whether a `>` after these tokens ends a type: `Int<8>`, `List<Int, 4>`.
pub fn closes_width(before: &[Token<'_>]) -> bool {
    let is_code = |token: &&Token<'_>| token.kind != Kind::Comment;
    let mut back = before.iter().rev().filter(is_code);
    let (mut open, mut count) = (1, 0);
    while let Some(token) = back.next() {
        match (token.kind, token.text) {
            (Kind::Mark, "<") => open -= 1,
            (Kind::Mark, ">") => open += 1,
            (Kind::Mark, "(" | ")" | "[" | "]" | "," | "+" | "-" | "*") => {}
            (Kind::Word, "and" | "or" | "not" | "when" | "where" | "while") => return false,
            (Kind::Word | Kind::Number, _) => {}
            _ => return false,
        }
        if open == 0 {
            return count > 0 && back.next().is_some_and(|token| is_sized(token.text));
        }
        count += 1;
    }
    false
}

/// Whether it is the name of a type that may have a width.
pub fn is_sized(text: &str) -> bool {
    matches!(text, "Int" | "UInt" | "List" | "Set" | "Map")
}

fn word(rest: &str) -> usize {
    rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(rest.len())
}

/// Digits with an optional fraction and exponent, or hexadecimal digits.
fn number(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let digits = |from: usize| {
        bytes[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    if rest.starts_with("0x") {
        let hexadecimal = |byte: &&u8| byte.is_ascii_hexdigit();
        return 2 + bytes[2..].iter().take_while(hexadecimal).count();
    }
    let mut length = digits(0);
    if bytes.get(length) == Some(&b'.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        if bytes.len() > length + 1 + sign && digits(length + 1 + sign) > 0 {
            length += 1 + sign + digits(length + 1 + sign);
        }
    }
    length
}

/// The length of a text with its quotes; none if it does not end on its line.
fn string(rest: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return None,
            '"' if !escaped => return Some(at + 1),
            '\\' if !escaped => escaped = true,
            _ => escaped = false,
        }
    }
    None
}
