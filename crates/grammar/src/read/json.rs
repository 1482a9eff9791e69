//! The JSON form of grammar fuzzers: an object from names to expansions.
//!
//! An expansion is a text with names in angle brackets in it
//! (`{"<start>": ["<a> b", ""]}`), or a list of such names and texts
//! (`{"<start>": [["<a>", " b"], []]}`). The start is `<start>`, or the first
//! name where there is none.

use super::cursor::Cursor;
use crate::build::{Definition, Draft, Expression};
use crate::grammar::{Grammar, Role};
use crate::problem::{Place, Problem, Problems};

/// The grammar that this JSON text describes.
pub fn json(text: &str) -> Result<Grammar, Problems> {
    let mut reader = Reader {
        cursor: Cursor::new(text),
    };
    let mut draft = Draft {
        start: Some("start".to_owned()),
        ..Draft::default()
    };
    reader.object(&mut draft)?;
    draft.grammar()
}

struct Reader {
    cursor: Cursor,
}

impl Reader {
    fn blank(&mut self) {
        self.cursor.take_while(char::is_whitespace);
    }

    fn object(&mut self, draft: &mut Draft) -> Result<(), Problem> {
        self.blank();
        let wanted = "a grammar in JSON is an object: `{\"<start>\": [\"…\"]}`";
        self.cursor.expect("{", wanted)?;
        self.blank();
        if !self.cursor.take("}") {
            loop {
                self.entry(draft)?;
                self.blank();
                if self.cursor.take("}") {
                    break;
                }
                self.cursor.expect(",", "`,` or `}` should follow a rule")?;
            }
        }
        self.blank();
        match self.cursor.peek() {
            None => Ok(()),
            Some(_) => Err(self.cursor.unexpected("the object has ended")),
        }
    }

    fn entry(&mut self, draft: &mut Draft) -> Result<(), Problem> {
        self.blank();
        let place = self.cursor.place();
        let key = self.string("a rule's name in quotes should be here")?;
        let name = angled(&key).unwrap_or(&key).to_owned();
        if name.is_empty() || name.contains(['<', '>', ' ']) || name.contains(char::is_control) {
            let words = "a rule's name is written in angle brackets, without spaces: `<name>`";
            return Err(Problem::new(place, words));
        }
        self.blank();
        self.cursor.expect(":", "`:` should follow a rule's name")?;
        self.blank();
        self.cursor
            .expect("[", "a rule is a list of expansions: `[\"…\", …]`")?;
        let mut ways = Vec::new();
        self.items(|reader| {
            let place = reader.cursor.place();
            ways.push((reader.expansion()?, place));
            Ok(())
        })?;
        draft.definitions.push(Definition {
            name,
            place,
            role: Role::Syntax,
            body: Expression::Choice(ways),
        });
        Ok(())
    }

    /// Reads the items of the list whose `[` was just taken.
    fn items(
        &mut self,
        mut item: impl FnMut(&mut Reader) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        self.blank();
        if self.cursor.take("]") {
            return Ok(());
        }
        loop {
            self.blank();
            item(self)?;
            self.blank();
            if self.cursor.take("]") {
                return Ok(());
            }
            self.cursor.expect(",", "`,` or `]` should follow here")?;
        }
    }

    fn expansion(&mut self) -> Result<Expression, Problem> {
        let place = self.cursor.place();
        let mut parts = Vec::new();
        if self.cursor.take("[") {
            self.items(|reader| {
                let place = reader.cursor.place();
                let wanted = "a list holds names and texts; other values are not supported";
                let text = reader.string(wanted)?;
                match angled(&text) {
                    Some(name) => parts.push(Expression::Name(name.to_owned(), place)),
                    None => parts.push(Expression::Text(text.into_bytes())),
                }
                Ok(())
            })?;
            return Ok(Expression::Sequence(parts));
        }
        let wanted = "an expansion is a text, or a list of names and texts";
        let text = self.string(wanted)?;
        let mut rest = &text[..];
        while let Some((before, name, after)) = first_name(rest) {
            if !before.is_empty() {
                parts.push(Expression::Text(before.as_bytes().to_vec()));
            }
            parts.push(Expression::Name(name.to_owned(), place));
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(Expression::Text(rest.as_bytes().to_vec()));
        }
        Ok(Expression::Sequence(parts))
    }

    fn string(&mut self, wanted: &str) -> Result<String, Problem> {
        let place = self.cursor.place();
        self.cursor.expect("\"", wanted)?;
        let mut text = String::new();
        loop {
            match self.cursor.next_on_line() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                Some(c) => text.push(c),
                _ => {
                    let words = "this text has no end; close it with `\"`";
                    return Err(Problem::new(place, words));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Problem> {
        let place = self.cursor.place();
        let bad = |words: &str| Problem::new(place, words);
        Ok(match self.cursor.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('u') => {
                let mut code = self.four_digits(place)?;
                if (0xd800..0xdc00).contains(&code) && self.cursor.take("\\u") {
                    let low = self.four_digits(place)?;
                    if !(0xdc00..0xe000).contains(&low) {
                        return Err(bad("the second half of this character is missing"));
                    }
                    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                }
                char::from_u32(code).ok_or_else(|| bad("this is half of a character"))?
            }
            _ => return Err(bad("JSON has no such escape")),
        })
    }

    fn four_digits(&mut self, place: Place) -> Result<u32, Problem> {
        let words = "`\\u` wants four hexadecimal digits";
        let code = self.cursor.hexadecimal(4);
        code.ok_or_else(|| Problem::new(place, words))
    }
}

/// The name, if all of the text is one in angle brackets.
fn angled(text: &str) -> Option<&str> {
    let name = text.strip_prefix('<')?.strip_suffix('>')?;
    let plain = !name.is_empty() && !name.contains(['<', '>', ' ']);
    plain.then_some(name)
}

/// What is before the first name in angle brackets, the name, and what is after.
fn first_name(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(open) = text[from..].find('<').map(|at| from + at) {
        let close = open + text[open..].find('>')?;
        if let Some(name) = angled(&text[open..=close]) {
            return Some((&text[..open], name, &text[close + 1..]));
        }
        from = open + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_less_than_sign_that_begins_no_name_is_text() {
        assert_eq!(first_name("a < b"), None);
        assert_eq!(first_name("1<2<x>3"), Some(("1<2", "x", "3")));
        assert_eq!(first_name("< a><b>"), Some(("< a>", "b", "")));
    }
}
