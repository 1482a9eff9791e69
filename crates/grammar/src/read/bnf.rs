//! BNF and EBNF, in the dialects people use.
//!
//! Rules are `<name> ::= …`, `name ::= …`, `name := …`, `name : … ;`,
//! `name -> …` or, as in ISO 14977, `name = … ;`. In ISO's form brackets are
//! options and braces repetitions; in the others brackets are sets of
//! characters. `* + ?`, parentheses, quotes of both kinds, `"a".."z"` and
//! `#x41` mean the same everywhere. The start is the first rule, whatever it
//! is called: no dialect gives a name that meaning.

use super::cursor::{Comments, Cursor, Escaped};
use super::set::{self, Brackets};
use crate::build::{DEEPEST, Definition, Draft, Expression, Repeat};
use crate::chars::CharSet;
use crate::grammar::{Grammar, Role};
use crate::problem::{Place, Problem, Problems};

/// The grammar that this text in BNF or EBNF describes.
pub fn bnf(text: &str) -> Result<Grammar, Problems> {
    let mut reader = Reader {
        cursor: Cursor::new(text),
        iso: false,
        depth: 0,
        current: None,
    };
    let mut draft = Draft {
        empty_names: vec!["ε".to_owned(), "epsilon".to_owned()],
        ..Draft::default()
    };
    loop {
        match reader.definition() {
            Ok(Some(definition)) => draft.definitions.push(definition),
            Ok(None) => break,
            Err(problem) => {
                draft.problems.push(problem);
                draft.broken.extend(reader.current.take());
                if !reader.recover() {
                    break;
                }
            }
        }
    }
    draft.grammar()
}

const DEFINES: [&str; 5] = ["::=", ":=", "->", "=", ":"];

struct Reader {
    cursor: Cursor,
    /// Whether the rule at hand is written in ISO's form.
    iso: bool,
    depth: usize,
    /// The name of the rule at hand.
    current: Option<String>,
}

impl Reader {
    fn blank(&mut self) -> Result<(), Problem> {
        self.cursor.skip_blank(Comments::Any)
    }

    fn definition(&mut self) -> Result<Option<Definition>, Problem> {
        self.blank()?;
        if self.cursor.peek().is_none() {
            return Ok(None);
        }
        let place = self.cursor.place();
        let Some(name) = self.name()? else {
            return Err(self.cursor.unexpected("a rule begins with its name"));
        };
        self.current = Some(name.clone());
        self.blank()?;
        let Some(sign) = DEFINES.iter().find(|sign| self.cursor.take(sign)) else {
            let wanted = format!("`::=` should follow the name `{name}`");
            return Err(self.cursor.unexpected(&wanted));
        };
        self.iso = *sign == "=";
        let body = self.choice()?;
        self.blank()?;
        // A dot ends a rule too, unless it is the first of a range's two.
        if !self.cursor.take(";") {
            self.cursor.take(".");
        }
        self.blank()?;
        if self.cursor.peek().is_some() && !self.at_definition() {
            let wanted = "a rule should end or go on here";
            return Err(self.cursor.unexpected(wanted));
        }
        Ok(Some(Definition {
            name,
            place,
            role: Role::Syntax,
            body,
        }))
    }

    /// Goes on at the next line that begins a rule; false when there is none.
    fn recover(&mut self) -> bool {
        self.depth = 0;
        loop {
            self.cursor.take_while(|c| c != '\n');
            if self.cursor.next().is_none() {
                return false;
            }
            if self.at_definition() {
                return true;
            }
        }
    }

    fn name(&mut self) -> Result<Option<String>, Problem> {
        let place = self.cursor.place();
        if self.cursor.take("<") {
            let name = self.cursor.take_while(|c| c != '>' && c != '\n');
            if !self.cursor.take(">") || name.trim().is_empty() {
                let words = "a name in angle brackets wants `>` on the same line";
                return Err(Problem::new(place, words));
            }
            return Ok(Some(name.trim().to_owned()));
        }
        if !self.cursor.peek().is_some_and(starts_name) {
            return Ok(None);
        }
        Ok(Some(self.cursor.take_while(continues_name)))
    }

    /// Whether a name and a sign that defines it are next.
    fn at_definition(&self) -> bool {
        let mut at = 0;
        let peek = |at: usize| self.cursor.peek_at(at);
        if peek(0) == Some('<') {
            while peek(at).is_some_and(|c| c != '>' && c != '\n') {
                at += 1;
            }
            at += 1;
        } else {
            if !peek(0).is_some_and(starts_name) {
                return false;
            }
            while peek(at).is_some_and(continues_name) {
                at += 1;
            }
        }
        while peek(at).is_some_and(char::is_whitespace) {
            at += 1;
        }
        let next: String = (at..at + 3).filter_map(peek).collect();
        DEFINES.iter().any(|sign| next.starts_with(sign))
    }

    fn choice(&mut self) -> Result<Expression, Problem> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let words = format!("groups nest deeper than {DEEPEST} levels here; name a part of it");
            return Err(Problem::new(self.cursor.place(), words));
        }
        let mut ways = Vec::new();
        loop {
            self.blank()?;
            let place = self.cursor.place();
            ways.push((self.sequence()?, place));
            self.blank()?;
            let goes_on = self.cursor.take("|") || self.iso && self.cursor.take("/");
            if !goes_on {
                break;
            }
        }
        self.depth -= 1;
        Ok(Expression::Choice(ways))
    }

    fn sequence(&mut self) -> Result<Expression, Problem> {
        let mut parts = Vec::new();
        loop {
            self.blank()?;
            if self.iso && self.cursor.take(",") {
                continue;
            }
            if self.at_definition() {
                break;
            }
            if self.cursor.looks_at("-") {
                let words = "exceptions (`-`) are not supported; \
                             write the set without the characters";
                return Err(Problem::new(self.cursor.place(), words));
            }
            match self.part()? {
                Some(part) => parts.push(self.repeated(part)),
                None => break,
            }
        }
        Ok(Expression::sequence(parts))
    }

    fn repeated(&mut self, mut part: Expression) -> Expression {
        loop {
            let repeat = match self.cursor.peek() {
                Some('*') => Repeat::Star,
                Some('+') => Repeat::Plus,
                Some('?') if !self.iso => Repeat::Option,
                _ => return part,
            };
            self.cursor.next();
            part = part.repeated(repeat);
        }
    }

    fn part(&mut self) -> Result<Option<Expression>, Problem> {
        let place = self.cursor.place();
        let part = match self.cursor.peek() {
            Some('"' | '\'') => self.text()?,
            Some('(') => {
                self.cursor.next();
                self.closed(place, ")")?
            }
            Some('[') if self.iso => {
                self.cursor.next();
                let body = self.closed(place, "]")?;
                Expression::Repeat(Box::new(body), Repeat::Option)
            }
            Some('{') if self.iso => {
                self.cursor.next();
                let body = self.closed(place, "}")?;
                Expression::Repeat(Box::new(body), Repeat::Star)
            }
            Some('[') => {
                self.cursor.next();
                Expression::Chars(set::set(&mut self.cursor, Brackets::Ebnf, place)?)
            }
            Some('#') => {
                self.cursor.take("#x");
                let code = self.cursor.hexadecimal(6).and_then(char::from_u32);
                let words = "`#x` wants the hexadecimal number of a character";
                let c = code.ok_or_else(|| Problem::new(place, words))?;
                Expression::Text(c.to_string().into_bytes())
            }
            Some('?') if self.iso => {
                let words = "special sequences (`? … ?`) are not supported; spell it out";
                return Err(Problem::new(place, words));
            }
            _ => match self.name()? {
                Some(name) => Expression::Name(name, place),
                None => return Ok(None),
            },
        };
        Ok(Some(part))
    }

    fn closed(&mut self, place: Place, end: &str) -> Result<Expression, Problem> {
        let body = self.choice()?;
        self.blank()?;
        if self.cursor.take(end) {
            return Ok(body);
        }
        if self.cursor.peek().is_none() || self.at_definition() {
            let words = format!("this group has no end; close it with `{end}`");
            return Err(Problem::new(place, words));
        }
        Err(self
            .cursor
            .unexpected(&format!("`{end}` would end the group")))
    }

    /// A text in quotes, or a range between two.
    fn text(&mut self) -> Result<Expression, Problem> {
        let place = self.cursor.place();
        let low = self.quoted()?;
        if !self.cursor.looks_at("..") {
            return Ok(Expression::Text(low));
        }
        self.cursor.take("...");
        self.cursor.take("..");
        let high = self.quoted()?;
        range(&low, &high).ok_or_else(|| {
            let words = "a range wants one character on each side, the lower one first";
            Problem::new(place, words)
        })
    }

    fn quoted(&mut self) -> Result<Vec<u8>, Problem> {
        let place = self.cursor.place();
        let Some(quote) = self.cursor.next().filter(|c| matches!(c, '"' | '\'')) else {
            let words = "a quoted text should follow `..`";
            return Err(Problem::new(place, words));
        };
        let mut text = Vec::new();
        loop {
            match self.cursor.next_on_line() {
                Some(c) if c == quote => return Ok(text),
                Some('\\') => self.cursor.escape()?.spell(&mut text),
                Some(c) => Escaped::Char(c).spell(&mut text),
                _ => {
                    let words = format!("this text has no end; close it with `{quote}`");
                    return Err(Problem::new(place, words));
                }
            }
        }
    }
}

/// The characters, or bytes, between two texts of one each.
pub(crate) fn range(low: &[u8], high: &[u8]) -> Option<Expression> {
    let one = |text: &[u8]| {
        let mut chars = str::from_utf8(text).ok()?.chars();
        let first = chars.next()?;
        chars.next().is_none().then_some(u32::from(first))
    };
    let set = match (one(low), one(high)) {
        (Some(low), Some(high)) if low <= high => CharSet::chars([(low, high)]),
        (Some(_), Some(_)) => return None,
        _ => match (low, high) {
            ([low], [high]) if low <= high => CharSet::bytes([(*low, *high)]),
            _ => return None,
        },
    };
    Some(Expression::Chars(set))
}

fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == 'ε'
}

fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}
