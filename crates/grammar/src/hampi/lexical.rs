//! Texts, characters and sets, as HAMPI's language writes them.

use crate::problem::{Place, Problem};
use crate::read::cursor::{Comments, Cursor, Escaped};

/// A text in quotes.
pub(super) fn string(cursor: &mut Cursor) -> Result<Vec<u8>, Problem> {
    let place = cursor.place();
    cursor.expect("\"", "a text in quotes should be here")?;
    let mut text = Vec::new();
    loop {
        match cursor.next_on_line() {
            Some('"') => return Ok(text),
            Some('\\') => escape(cursor)?.spell(&mut text),
            Some(c) => Escaped::Char(c).spell(&mut text),
            _ => {
                let words = "this text has no end; close it with `\"`";
                return Err(Problem::new(place, words));
            }
        }
    }
}

/// What follows a backslash in quotes.
fn escape(cursor: &mut Cursor) -> Result<Escaped, Problem> {
    match cursor.peek() {
        Some(c) if c.is_ascii_digit() => Ok(Escaped::Byte(three_digits(cursor)?)),
        _ => cursor.escape(),
    }
}

/// A byte as a backslash and three decimal digits.
pub(super) fn decimal(cursor: &mut Cursor) -> Result<u8, Problem> {
    cursor.expect("\\", "`\\` and three digits should be here")?;
    three_digits(cursor)
}

fn three_digits(cursor: &mut Cursor) -> Result<u8, Problem> {
    let place = cursor.place();
    let mut digits = String::new();
    while digits.len() < 3
        && let Some(c) = cursor.peek().filter(char::is_ascii_digit)
    {
        digits.push(c);
        cursor.next();
    }
    let words = "a byte is written as three decimal digits, from 000 to 255";
    let byte = (digits.len() == 3).then(|| digits.parse().ok()).flatten();
    byte.ok_or_else(|| Problem::new(place, words))
}

/// One character in single quotes.
pub(super) fn character(cursor: &mut Cursor) -> Result<u8, Problem> {
    let place = cursor.place();
    cursor.expect("'", "a character in quotes should be here")?;
    let mut text = Vec::new();
    match cursor.next() {
        Some('\\') => escape(cursor)?.spell(&mut text),
        Some(c) => Escaped::Char(c).spell(&mut text),
        None => {}
    }
    match (&text[..], cursor.take("'")) {
        ([byte], true) => Ok(*byte),
        _ => {
            let words = "one ASCII character should be between these quotes";
            Err(Problem::new(place, words))
        }
    }
}

/// Ranges between brackets: `['a'-'z']`, `[\000-\255]`, `[a-z0-9]`.
pub(super) fn set(cursor: &mut Cursor) -> Result<Vec<(u8, u8)>, Problem> {
    let place = cursor.place();
    cursor.expect("[", "a set should be here")?;
    let mut ranges = Vec::new();
    loop {
        cursor.skip_blank(Comments::Slashes)?;
        let at = cursor.place();
        if cursor.take("]") {
            break;
        }
        let low = member(cursor, place)?;
        cursor.skip_blank(Comments::Slashes)?;
        let mut high = low;
        if cursor.peek() == Some('-') {
            cursor.next();
            cursor.skip_blank(Comments::Slashes)?;
            high = member(cursor, place)?;
        }
        if high < low {
            let words = "this range ends before it begins; exchange its ends";
            return Err(Problem::new(at, words));
        }
        ranges.push((low, high));
    }
    match ranges.is_empty() {
        true => Err(Problem::new(place, "this set has no characters")),
        false => Ok(ranges),
    }
}

fn member(cursor: &mut Cursor, set: Place) -> Result<u8, Problem> {
    let place = cursor.place();
    match cursor.peek() {
        Some('\'') => character(cursor),
        Some('\\') => {
            cursor.next();
            let mut text = Vec::new();
            escape(cursor)?.spell(&mut text);
            match text[..] {
                [byte] => Ok(byte),
                _ => Err(Problem::new(place, "sets are of bytes: `\\000` to `\\255`")),
            }
        }
        Some(c) if c.is_ascii() && c != '\n' && c != ']' => {
            cursor.next();
            Ok(c as u8)
        }
        Some(c) if c != '\n' && c != ']' => {
            Err(Problem::new(place, "sets are of bytes: `\\000` to `\\255`"))
        }
        _ => Err(Problem::new(set, "this set has no end; close it with `]`")),
    }
}
