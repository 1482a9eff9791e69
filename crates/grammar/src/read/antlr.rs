//! ANTLR 4 grammars: the part that says which words there are.
//!
//! Rules, fragments, sets, ranges, `~`, `.`, `* + ?` and lexer commands are
//! honoured. What computes (actions, predicates, arguments, `@members`) is left
//! out and named in a note, since it may exclude words. Non-greedy operators
//! are read as greedy ones and lexer modes as if always active; both are said.
//!
//! The start is the first rule that ends with `EOF`, or the first of all.

use super::bnf::range;
use super::cursor::{Comments, Cursor, Escaped};
use super::set::{self, Brackets};
use crate::build::{DEEPEST, Definition, Draft, Expression, Repeat};
use crate::grammar::{Grammar, Role};
use crate::problem::{Place, Problem, Problems};

/// The grammar that this text in ANTLR's notation describes.
pub fn antlr(text: &str) -> Result<Grammar, Problems> {
    let mut reader = Reader {
        cursor: Cursor::new(text),
        draft: Draft {
            empty_names: vec!["EOF".to_owned()],
            ..Draft::default()
        },
        depth: 0,
        lexical: false,
        skipped: false,
        current: None,
    };
    loop {
        match reader.item() {
            Ok(true) => {}
            Ok(false) => break,
            Err(problem) => {
                reader.draft.problems.push(problem);
                reader.draft.broken.extend(reader.current.take());
                if !reader.recover() {
                    break;
                }
            }
        }
    }
    reader.draft.grammar()
}

struct Reader {
    cursor: Cursor,
    draft: Draft,
    depth: usize,
    /// Whether the rule at hand is of the lexer.
    lexical: bool,
    /// Whether one of its commands hides it from the parser.
    skipped: bool,
    /// The name of the rule at hand.
    current: Option<String>,
}

impl Reader {
    fn blank(&mut self) -> Result<(), Problem> {
        self.cursor.skip_blank(Comments::Slashes)
    }

    fn note(&mut self, place: Place, message: impl Into<String>) {
        self.draft.notes.push(Problem::new(place, message));
    }

    fn word(&mut self) -> String {
        self.cursor.take_while(|c| c.is_alphanumeric() || c == '_')
    }

    /// Reads one rule or declaration; false at the end of the text.
    fn item(&mut self) -> Result<bool, Problem> {
        self.blank()?;
        let place = self.cursor.place();
        match self.cursor.peek() {
            None => return Ok(false),
            Some('@') => {
                let name = self.cursor.take_while(|c| !c.is_whitespace() && c != '{');
                self.blank()?;
                self.braces()?;
                self.note(place, format!("`{name}` is left out: it is code"));
                return Ok(true);
            }
            Some(_) => {}
        }
        let word = self.word();
        match word.as_str() {
            "" => return Err(self.cursor.unexpected("a rule begins with its name")),
            "lexer" | "parser" => {
                self.draft.tokens_elsewhere |= word == "parser";
                return Ok(true);
            }
            "grammar" => {
                self.blank()?;
                self.word();
                self.semicolon()?;
            }
            "import" => {
                self.cursor.take_while(|c| c != ';');
                self.semicolon()?;
                self.note(
                    place,
                    "`import` is left out: paste the other grammar's rules",
                );
            }
            "options" => self.options(place)?,
            "channels" => {
                self.blank()?;
                self.braces()?;
            }
            "tokens" => self.tokens()?,
            "mode" => {
                self.blank()?;
                let name = self.word();
                self.semicolon()?;
                let words = format!("mode `{name}` is read as if its rules were always active");
                self.note(place, words);
            }
            "fragment" => {
                self.blank()?;
                let place = self.cursor.place();
                let name = self.word();
                self.rule(name, place, true)?;
            }
            "protected" | "public" | "private" => {}
            _ => self.rule(word, place, false)?,
        }
        Ok(true)
    }

    fn semicolon(&mut self) -> Result<(), Problem> {
        self.blank()?;
        self.cursor.expect(";", "`;` should be here")
    }

    fn options(&mut self, place: Place) -> Result<(), Problem> {
        self.blank()?;
        let text = self.braces()?;
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        if plain.contains("caseInsensitive=true") {
            let words = "`caseInsensitive` is left out: write both cases as sets";
            self.note(place, words);
        }
        self.draft.tokens_elsewhere |= plain.contains("tokenVocab=");
        Ok(())
    }

    fn tokens(&mut self) -> Result<(), Problem> {
        self.blank()?;
        self.cursor.expect("{", "`{` should follow `tokens`")?;
        loop {
            self.blank()?;
            let place = self.cursor.place();
            if self.cursor.take("}") {
                return Ok(());
            }
            let name = self.word();
            if name.is_empty() {
                return Err(self.cursor.unexpected("a token's name should be here"));
            }
            self.draft.definitions.push(Definition {
                name,
                place,
                role: Role::Declared,
                body: Expression::Choice(Vec::new()),
            });
            self.blank()?;
            let _ = self.cursor.take(",") || self.cursor.take(";");
        }
    }

    /// Moves past balanced braces and gives what is between them.
    fn braces(&mut self) -> Result<String, Problem> {
        self.balanced('{', '}')
    }

    fn balanced(&mut self, open: char, close: char) -> Result<String, Problem> {
        let place = self.cursor.place();
        let mut text = String::new();
        let mut depth = 0usize;
        loop {
            let Some(c) = self.cursor.next() else {
                let words = format!("this `{open}` has no end; close it with `{close}`");
                return Err(Problem::new(place, words));
            };
            text.push(c);
            if c == open {
                depth += 1;
            } else if c == close {
                depth = depth.saturating_sub(1);
            } else if c == '"' || c == '\'' {
                // A quote inside code hides braces up to the next on its line.
                let inside = self.cursor.take_while(|d| d != c && d != '\n');
                text.push_str(&inside);
                text.extend(self.cursor.next());
            } else if depth == 0 {
                let words = format!("`{open}` should be here");
                return Err(Problem::new(place, words));
            }
            if depth == 0 {
                return Ok(text);
            }
        }
    }

    fn rule(&mut self, name: String, place: Place, fragment: bool) -> Result<(), Problem> {
        if name.is_empty() {
            return Err(self.cursor.unexpected("a rule's name should be here"));
        }
        self.current = Some(name.clone());
        self.lexical = fragment || name.starts_with(char::is_uppercase);
        self.skipped = false;
        self.rule_prefix(&name)?;
        self.cursor
            .expect(":", &format!("`:` should follow the name `{name}`"))?;
        let body = self.choice()?;
        self.blank()?;
        self.cursor
            .expect(";", &format!("`;` should end the rule `{name}`"))?;
        self.rule_suffix()?;
        let role = match (fragment, self.lexical, self.skipped) {
            (true, ..) => Role::Fragment,
            (_, true, true) => Role::Skipped,
            (_, true, false) => Role::Token,
            _ => Role::Syntax,
        };
        self.draft.definitions.push(Definition {
            name,
            place,
            role,
            body,
        });
        Ok(())
    }

    /// Moves past what may stand between a rule's name and its colon.
    fn rule_prefix(&mut self, name: &str) -> Result<(), Problem> {
        loop {
            self.blank()?;
            let place = self.cursor.place();
            match self.cursor.peek() {
                Some('[') => {
                    self.balanced('[', ']')?;
                    self.note(place, format!("the arguments of `{name}` are left out"));
                }
                Some('@') => {
                    let action = self.cursor.take_while(|c| !c.is_whitespace() && c != '{');
                    self.blank()?;
                    self.braces()?;
                    self.note(place, format!("`{action}` is left out: it is code"));
                }
                Some(c) if c.is_alphabetic() => {
                    let word = self.word();
                    self.blank()?;
                    match word.as_str() {
                        "returns" | "locals" => {
                            self.balanced('[', ']')?;
                        }
                        "options" => self.options(place)?,
                        "throws" => {
                            self.cursor.take_while(|c| c != ':' && c != '@' && c != '{');
                        }
                        _ => {
                            let words = format!("`:` should follow the name `{name}`");
                            return Err(Problem::new(place, words));
                        }
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    fn rule_suffix(&mut self) -> Result<(), Problem> {
        loop {
            self.blank()?;
            if self.cursor.take("catch") {
                self.blank()?;
                self.balanced('[', ']')?;
                self.blank()?;
                self.braces()?;
            } else if self.cursor.looks_at("finally {") || self.cursor.looks_at("finally{") {
                self.cursor.take("finally");
                self.blank()?;
                self.braces()?;
            } else {
                return Ok(());
            }
        }
    }

    /// Goes on after the next `;`, or where a line begins with a name; false
    /// when there is neither.
    fn recover(&mut self) -> bool {
        self.depth = 0;
        while let Some(c) = self.cursor.next() {
            let next = self.cursor.peek();
            if c == ';' && next.is_none_or(char::is_whitespace)
                || c == '\n' && next.is_some_and(char::is_alphabetic)
            {
                return true;
            }
        }
        false
    }

    fn deeper(&mut self) -> Result<(), Problem> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let words = format!("groups nest deeper than {DEEPEST} levels here; name a part of it");
            return Err(Problem::new(self.cursor.place(), words));
        }
        Ok(())
    }

    fn choice(&mut self) -> Result<Expression, Problem> {
        self.deeper()?;
        let mut ways = Vec::new();
        loop {
            self.blank()?;
            let place = self.cursor.place();
            ways.push((self.sequence()?, place));
            self.blank()?;
            if !self.cursor.take("|") {
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
            let place = self.cursor.place();
            if self.cursor.take("->") {
                self.commands()?;
                break;
            }
            if self.cursor.take("#") {
                self.blank()?;
                self.word();
                continue;
            }
            if self.cursor.take("<") {
                self.cursor.take_while(|c| c != '>' && c != '\n');
                self.cursor.expect(">", "an element option wants `>`")?;
                self.note(place, "element options (`<…>`) are left out");
                continue;
            }
            if self.cursor.peek() == Some('{') {
                self.braces()?;
                let what = match self.cursor.take("?") {
                    true => "a predicate is left out: words it would refuse count as valid",
                    false => "an action is left out: it is code",
                };
                self.note(place, what);
                continue;
            }
            match self.part()? {
                Some(part) => parts.push(self.repeated(part)?),
                None => break,
            }
        }
        Ok(Expression::sequence(parts))
    }

    fn commands(&mut self) -> Result<(), Problem> {
        loop {
            self.blank()?;
            let place = self.cursor.place();
            let command = self.word();
            self.blank()?;
            let mut argument = String::new();
            if self.cursor.peek() == Some('(') {
                argument = self.balanced('(', ')')?;
            }
            match command.as_str() {
                "skip" | "channel" => self.skipped = true,
                "" => return Err(self.cursor.unexpected("a lexer command should follow `->`")),
                _ => {
                    let words = format!("the lexer command `{command}{argument}` is left out");
                    self.note(place, words);
                }
            }
            self.blank()?;
            if !self.cursor.take(",") {
                return Ok(());
            }
        }
    }

    fn repeated(&mut self, part: Expression) -> Result<Expression, Problem> {
        self.blank()?;
        let place = self.cursor.place();
        let repeat = match self.cursor.peek() {
            Some('*') => Repeat::Star,
            Some('+') if !self.cursor.looks_at("+=") => Repeat::Plus,
            Some('?') => Repeat::Option,
            _ => return Ok(part),
        };
        self.cursor.next();
        if self.cursor.take("?") {
            let words = "a non-greedy repetition is read as a greedy one: \
                         words with its end inside count as valid";
            self.note(place, words);
        }
        Ok(Expression::Repeat(Box::new(part), repeat))
    }

    fn part(&mut self) -> Result<Option<Expression>, Problem> {
        let place = self.cursor.place();
        let part = match self.cursor.peek() {
            Some('\'') => self.text()?,
            Some('(') => {
                self.cursor.next();
                self.blank()?;
                if self.cursor.take("options") {
                    self.options(place)?;
                    self.blank()?;
                    self.cursor.take(":");
                }
                let body = self.choice()?;
                self.blank()?;
                if !self.cursor.take(")") {
                    if self.cursor.peek().is_none() {
                        let words = "this group has no end; close it with `)`";
                        return Err(Problem::new(place, words));
                    }
                    return Err(self.cursor.unexpected("`)` would end the group"));
                }
                body
            }
            Some('[') if self.lexical => {
                self.cursor.next();
                Expression::Chars(set::set(&mut self.cursor, Brackets::Antlr, place)?)
            }
            Some('[') => {
                self.balanced('[', ']')?;
                self.note(place, "the arguments of a rule are left out");
                return Ok(Some(Expression::Sequence(Vec::new())));
            }
            Some('~') => {
                self.cursor.next();
                self.blank()?;
                self.deeper()?;
                let of = self.part()?;
                self.depth -= 1;
                let wanted = "`~` wants a set, a text or a group";
                let of = of.ok_or_else(|| self.cursor.unexpected(wanted))?;
                Expression::Not(Box::new(of), place)
            }
            Some('.') => {
                self.cursor.next();
                Expression::Any(place)
            }
            Some(c) if c.is_alphabetic() || c == '_' => return self.named(place).map(Some),
            _ => return Ok(None),
        };
        Ok(Some(part))
    }

    /// A name, or what follows a label.
    fn named(&mut self, place: Place) -> Result<Expression, Problem> {
        let name = self.word();
        self.blank()?;
        if self.cursor.take("+=") || self.cursor.take("=") {
            self.blank()?;
            self.deeper()?;
            let part = self.part()?;
            self.depth -= 1;
            let wanted = format!("something should follow the label `{name}`");
            return part.ok_or_else(|| self.cursor.unexpected(&wanted));
        }
        if name == "EOF" && self.draft.start.is_none() {
            self.draft.start = self.current.clone();
        }
        Ok(Expression::Name(name, place))
    }

    fn text(&mut self) -> Result<Expression, Problem> {
        let place = self.cursor.place();
        let low = self.quoted()?;
        self.blank()?;
        if !self.cursor.take("..") {
            return Ok(Expression::Text(low));
        }
        self.blank()?;
        let high = self.quoted()?;
        range(&low, &high).ok_or_else(|| {
            let words = "a range wants one character on each side, the lower one first";
            Problem::new(place, words)
        })
    }

    fn quoted(&mut self) -> Result<Vec<u8>, Problem> {
        let place = self.cursor.place();
        self.cursor.expect("'", "a text in quotes should be here")?;
        let mut text = Vec::new();
        loop {
            match self.cursor.next_on_line() {
                Some('\'') => return Ok(text),
                Some('\\') => self.cursor.escape()?.spell(&mut text),
                Some(c) => Escaped::Char(c).spell(&mut text),
                _ => {
                    let words = "this text has no end; close it with `'`";
                    return Err(Problem::new(place, words));
                }
            }
        }
    }
}
