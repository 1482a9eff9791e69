//! Text to tokens.
//!
//! A token borrows from the text and knows where it begins; lines and columns
//! are counted only when somebody asks.

use std::borrow::Cow;

/// What went wrong, and at which byte.
#[derive(Debug)]
pub(super) struct Fault {
    pub at: usize,
    pub message: Cow<'static, str>,
}

impl Fault {
    pub fn new<T>(at: usize, message: impl Into<Cow<'static, str>>) -> Result<T, Fault> {
        let message = message.into();
        Err(Fault { at, message })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Open,
    Close,
    /// A symbol; of a quoted one, what is between the bars.
    Symbol,
    /// A symbol that must not be taken for a reserved word.
    QuotedSymbol,
    /// With its colon.
    Keyword,
    Numeral,
    Decimal,
    /// The digits after `#x`.
    Hexadecimal,
    /// The digits after `#b`.
    Binary,
    /// What is between the quotes, `""` still doubled.
    String,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    /// Where it begins.
    pub at: usize,
    pub text: &'a str,
}

#[derive(Clone)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

const SPACE: u8 = 1;
const SYMBOL: u8 = 2;
const DIGIT: u8 = 4;

/// What each byte may be part of.
const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let c = byte as u8;
        class[byte] = match c {
            b' ' | b'\t' | b'\n' | b'\r' => SPACE,
            b'0'..=b'9' => SYMBOL | DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' => SYMBOL,
            b'~' | b'!' | b'@' | b'$' | b'%' | b'^' | b'&' | b'*' | b'_' | b'-' | b'+' | b'='
            | b'<' | b'>' | b'.' | b'?' | b'/' => SYMBOL,
            _ => 0,
        };
        byte += 1;
    }
    class
};

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Where the last token ended.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Goes to the place of a token already seen.
    pub fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// The next token, which stays the next one.
    pub fn peek(&mut self) -> Result<Token<'a>, Fault> {
        let token = self.next()?;
        self.at = token.at;
        Ok(token)
    }

    #[inline]
    pub fn next(&mut self) -> Result<Token<'a>, Fault> {
        let bytes = self.text.as_bytes();
        self.skip_space();
        let at = self.at;
        let Some(&byte) = bytes.get(at) else {
            return Ok(self.token(Kind::End, at, at, at));
        };
        match byte {
            b'(' => Ok(self.token(Kind::Open, at, at, at + 1)),
            b')' => Ok(self.token(Kind::Close, at, at, at + 1)),
            b'0'..=b'9' => self.number(),
            _ if CLASS[usize::from(byte)] & SYMBOL != 0 => {
                let end = self.end_of(at, SYMBOL);
                Ok(self.token(Kind::Symbol, at, at, end))
            }
            b'|' => self.quoted_symbol(),
            b'"' => self.string(),
            b':' => {
                let end = self.end_of(at + 1, SYMBOL);
                match end > at + 1 {
                    true => Ok(self.token(Kind::Keyword, at, at, end)),
                    false => Fault::new(at, "`:` must begin a keyword"),
                }
            }
            b'#' => self.literal(),
            _ => {
                let c = self.text[at..].chars().next().unwrap_or_default();
                Fault::new(at, format!("unexpected character `{}`", c.escape_debug()))
            }
        }
    }

    fn token(&mut self, kind: Kind, at: usize, from: usize, to: usize) -> Token<'a> {
        self.at = to;
        let text = &self.text[from..to];
        Token { kind, at, text }
    }

    #[inline]
    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(&byte) if CLASS[usize::from(byte)] & SPACE != 0 => self.at += 1,
                Some(b';') => {
                    let rest = &bytes[self.at..];
                    let line = rest.iter().position(|&byte| byte == b'\n');
                    self.at += line.unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// The first place from `at` whose byte is not of this class.
    #[inline]
    fn end_of(&self, at: usize, class: u8) -> usize {
        let bytes = &self.text.as_bytes()[at..];
        let length = bytes
            .iter()
            .position(|&byte| CLASS[usize::from(byte)] & class == 0);
        at + length.unwrap_or(bytes.len())
    }

    fn number(&mut self) -> Result<Token<'a>, Fault> {
        let at = self.at;
        let mut end = self.end_of(at, DIGIT);
        let mut kind = Kind::Numeral;
        if self.text.as_bytes().get(end) == Some(&b'.') {
            let fraction = self.end_of(end + 1, DIGIT);
            if fraction > end + 1 {
                (kind, end) = (Kind::Decimal, fraction);
            }
        }
        let rest = self.end_of(end, SYMBOL);
        match rest == end {
            true => Ok(self.token(kind, at, at, end)),
            false => Fault::new(at, format!("`{}` is not a number", &self.text[at..rest])),
        }
    }

    fn literal(&mut self) -> Result<Token<'a>, Fault> {
        let at = self.at;
        let end = self.end_of(at + 1, SYMBOL);
        let digits = self.text[at + 1..end].get(1..).unwrap_or_default();
        let is = |predicate: fn(u8) -> bool| !digits.is_empty() && digits.bytes().all(predicate);
        let kind = match self.text.as_bytes().get(at + 1) {
            Some(b'x') if is(|b| b.is_ascii_hexdigit()) => Kind::Hexadecimal,
            Some(b'b') if is(|b| matches!(b, b'0' | b'1')) => Kind::Binary,
            _ => {
                let text = &self.text[at..end];
                return Fault::new(at, format!("`{text}` is not a bit-vector literal"));
            }
        };
        Ok(self.token(kind, at, at + 2, end))
    }

    fn quoted_symbol(&mut self) -> Result<Token<'a>, Fault> {
        let at = self.at;
        let rest = &self.text[at + 1..];
        match rest.find(['|', '\\']) {
            Some(length) if rest.as_bytes()[length] == b'|' => {
                let end = at + 1 + length;
                let token = self.token(Kind::QuotedSymbol, at, at + 1, end);
                self.at = end + 1;
                Ok(token)
            }
            Some(length) => Fault::new(at + 1 + length, "a symbol between bars cannot hold `\\`"),
            None => Fault::new(at, "this `|` is never closed"),
        }
    }

    fn string(&mut self) -> Result<Token<'a>, Fault> {
        let at = self.at;
        let bytes = self.text.as_bytes();
        let mut end = at + 1;
        loop {
            match bytes[end..].iter().position(|&byte| byte == b'"') {
                None => return Fault::new(at, "this string is never closed"),
                Some(length) => end += length,
            }
            if bytes.get(end + 1) != Some(&b'"') {
                break;
            }
            end += 2;
        }
        let token = self.token(Kind::String, at, at + 1, end);
        self.at = end + 1;
        Ok(token)
    }
}

/// The line and the column, both from one, of a place in the text.
pub(super) fn line_and_column(text: &str, at: usize) -> (u32, u32) {
    let before = &text.as_bytes()[..at];
    let line = before.iter().filter(|&&byte| byte == b'\n').count();
    let start = before.iter().rposition(|&byte| byte == b'\n');
    let start = start.map_or(0, |newline| newline + 1);
    let column = text.get(start..at).map_or(0, |line| line.chars().count());
    (line as u32 + 1, column as u32 + 1)
}
