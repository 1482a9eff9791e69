//! Sets of characters between brackets, as `.g4` and EBNF write them.

use super::cursor::{Cursor, Escaped};
use crate::chars::CharSet;
use crate::problem::{Place, Problem};

/// Which notation's brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Brackets {
    /// `^` is a character.
    Antlr,
    /// `^` at the start takes the complement; `#xN` is a character.
    Ebnf,
}

/// Reads the set whose `[` was just taken at `place`.
pub(crate) fn set(
    cursor: &mut Cursor,
    brackets: Brackets,
    place: Place,
) -> Result<CharSet, Problem> {
    let complement = brackets == Brackets::Ebnf && cursor.take("^");
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let (mut bytes, mut wide) = (false, false);
    loop {
        let at = cursor.place();
        if cursor.take("]") {
            break;
        }
        let low = member(cursor, brackets, place)?;
        let mut high = low;
        if cursor.peek() == Some('-') && cursor.peek_at(1) != Some(']') {
            cursor.next();
            high = member(cursor, brackets, place)?;
        }
        if low.code() > high.code() {
            let words = "this range ends before it begins; exchange its ends";
            return Err(Problem::new(at, words));
        }
        for end in [low, high] {
            match end {
                Escaped::Byte(byte) => bytes |= byte >= 0x80,
                Escaped::Char(c) => wide |= !c.is_ascii(),
            }
        }
        ranges.push((low.code(), high.code()));
    }
    if ranges.is_empty() {
        let words = "this set has no characters, so nothing is in it";
        return Err(Problem::new(place, words));
    }
    if bytes && wide {
        let words = "this set mixes bytes (`\\x80` and above) with characters beyond ASCII";
        return Err(Problem::new(place, words));
    }
    let set = if bytes {
        CharSet::bytes(ranges.iter().map(|&(low, high)| (low as u8, high as u8)))
    } else {
        CharSet::chars(ranges)
    };
    Ok(if complement { set.complement() } else { set })
}

fn member(cursor: &mut Cursor, brackets: Brackets, place: Place) -> Result<Escaped, Problem> {
    if brackets == Brackets::Ebnf && cursor.take("#x") {
        let at = cursor.place();
        let code = cursor.hexadecimal(6).and_then(char::from_u32);
        let words = "`#x` wants the hexadecimal number of a character";
        return code
            .map(Escaped::Char)
            .ok_or_else(|| Problem::new(at, words));
    }
    match cursor.next_on_line() {
        Some('\\') => cursor.escape(),
        Some(c) => Ok(Escaped::Char(c)),
        _ => {
            let words = "this set has no end; close it with `]`";
            Err(Problem::new(place, words))
        }
    }
}
