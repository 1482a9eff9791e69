//! A place in a text that moves on.

use crate::problem::{Place, Problem};

/// Reads a text character by character and knows where it is.
pub(crate) struct Cursor {
    text: Vec<char>,
    at: usize,
    place: Place,
}

/// What counts as a comment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comments {
    /// `// …` and `/* … */`.
    Slashes,
    /// The same, `(* … *)`, and `# …` where no `x` follows.
    Any,
}

impl Cursor {
    pub fn new(text: &str) -> Cursor {
        Cursor {
            text: text.chars().collect(),
            at: 0,
            place: Place::START,
        }
    }

    pub fn place(&self) -> Place {
        self.place
    }

    pub fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    /// The character so many after the next.
    pub fn peek_at(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    pub fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        if c == '\n' {
            self.place.line += 1;
            self.place.column = 1;
        } else {
            self.place.column += 1;
        }
        Some(c)
    }

    /// The next character, unless the line ends before it.
    pub fn next_on_line(&mut self) -> Option<char> {
        match self.peek() {
            Some('\n') => None,
            _ => self.next(),
        }
    }

    pub fn looks_at(&self, what: &str) -> bool {
        let mut ahead = self.at;
        what.chars().all(|c| {
            ahead += 1;
            self.text.get(ahead - 1) == Some(&c)
        })
    }

    /// Moves past `what` if it is next.
    pub fn take(&mut self, what: &str) -> bool {
        let found = self.looks_at(what);
        if found {
            for _ in what.chars() {
                self.next();
            }
        }
        found
    }

    /// Moves past the characters that fulfil the condition.
    pub fn take_while(&mut self, condition: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(c) = self.peek().filter(|&c| condition(c)) {
            taken.push(c);
            self.next();
        }
        taken
    }

    /// Moves past spaces and comments.
    pub fn skip_blank(&mut self, comments: Comments) -> Result<(), Problem> {
        loop {
            self.take_while(char::is_whitespace);
            let place = self.place;
            if self.looks_at("//") {
                self.take_while(|c| c != '\n');
            } else if self.looks_at("/*") {
                self.skip_to("*/", place)?;
            } else if comments == Comments::Any && self.looks_at("(*") {
                self.skip_to("*)", place)?;
            } else if comments == Comments::Any && self.looks_at("#") && !self.looks_at("#x") {
                self.take_while(|c| c != '\n');
            } else {
                return Ok(());
            }
        }
    }

    fn skip_to(&mut self, end: &str, place: Place) -> Result<(), Problem> {
        self.next();
        self.next();
        while !self.take(end) {
            if self.next().is_none() {
                let words = format!("this comment has no end; close it with `{end}`");
                return Err(Problem::new(place, words));
            }
        }
        Ok(())
    }

    /// What is next, for a message.
    pub fn shown(&self) -> String {
        match self.peek() {
            None => "the end of the text".to_owned(),
            Some(c) if c.is_control() => format!("the character U+{:04X}", u32::from(c)),
            Some(c) => format!("`{c}`"),
        }
    }

    /// A complaint about the next character.
    pub fn unexpected(&self, wanted: &str) -> Problem {
        let words = format!("{} is not expected here; {wanted}", self.shown());
        Problem::new(self.place, words)
    }

    /// Moves past `what` or says what is wanted.
    pub fn expect(&mut self, what: &str, wanted: &str) -> Result<(), Problem> {
        match self.take(what) {
            true => Ok(()),
            false => Err(self.unexpected(wanted)),
        }
    }

    /// A number in hexadecimal, of at least one and at most so many digits.
    pub fn hexadecimal(&mut self, digits: usize) -> Option<u32> {
        let mut value = None;
        for _ in 0..digits {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) else {
                break;
            };
            value = Some(value.unwrap_or(0) * 16 + digit);
            self.next();
        }
        value
    }

    /// What follows a backslash: a character, or with `\xHH` a byte.
    pub fn escape(&mut self) -> Result<Escaped, Problem> {
        let place = self.place;
        let Some(c) = self.next() else {
            return Err(self.unexpected("a character must follow `\\`"));
        };
        let code = match c {
            'n' => 0x0a,
            'r' => 0x0d,
            't' => 0x09,
            'b' => 0x08,
            'f' => 0x0c,
            '0' => 0,
            'x' => {
                let byte = self.hexadecimal(2).and_then(|code| u8::try_from(code).ok());
                let words = "`\\x` wants two hexadecimal digits";
                return byte
                    .map(Escaped::Byte)
                    .ok_or_else(|| Problem::new(place, words));
            }
            'u' => {
                let code = if self.take("{") {
                    let code = self.hexadecimal(6);
                    self.expect("}", "`\\u{` wants `}` after its digits")?;
                    code
                } else {
                    self.hexadecimal(4)
                };
                let words = "`\\u` wants four hexadecimal digits, or up to six in braces";
                code.ok_or_else(|| Problem::new(place, words))?
            }
            'p' | 'P' => {
                let words = "Unicode properties (`\\p`) are not supported; list the ranges";
                return Err(Problem::new(place, words));
            }
            c if c.is_ascii_alphanumeric() => {
                let words = format!("`\\{c}` is not an escape; write `{c}` or `\\\\{c}`");
                return Err(Problem::new(place, words));
            }
            c => u32::from(c),
        };
        char::from_u32(code)
            .map(Escaped::Char)
            .ok_or_else(|| Problem::new(place, format!("U+{code:04X} is not a character")))
    }
}

/// What an escape stands for.
#[derive(Clone, Copy)]
pub(crate) enum Escaped {
    Char(char),
    Byte(u8),
}

impl Escaped {
    /// Appends the spelling.
    pub fn spell(self, text: &mut Vec<u8>) {
        match self {
            Escaped::Char(c) => text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Escaped::Byte(byte) => text.push(byte),
        }
    }

    /// The code point or the byte.
    pub fn code(self) -> u32 {
        match self {
            Escaped::Char(c) => u32::from(c),
            Escaped::Byte(byte) => u32::from(byte),
        }
    }
}
