//! The reader: statements, names, and what they may stand for.

use super::{Assertion, Claim, LONGEST, Query, Text, TextId, Variable, lexical};
use crate::build::{DEEPEST, Definition, Draft, Expression, Repeat};
use crate::chars::CharSet;
use crate::grammar::{Grammar, Role};
use crate::letters::{BYTES, Letter, LetterSet};
use crate::problem::{Place, Problem, Problems};
use crate::read::cursor::{Comments, Cursor};
use crate::regular::{Regular, RegularId};
use rustc_hash::FxHashMap;

/// Reads a query, or says everything that is wrong with it.
pub(super) fn query(text: &str) -> Result<Query, Problems> {
    let query = statements(text)?;
    if query.variables.is_empty() {
        let words = "there is no variable to find a value for; declare one: `var v : 5;`";
        return Err(Problem::new(Place::START, words).into());
    }
    Ok(query)
}

/// Reads the grammar of a query, which may be all there is.
pub(super) fn grammar(text: &str) -> Result<Grammar, Problems> {
    let words = "there is no `cfg` statement in this file";
    let none = || Problem::new(Place::START, words).into();
    statements(text)?.grammar.ok_or_else(none)
}

fn statements(text: &str) -> Result<Query, Problems> {
    let mut reader = Reader {
        cursor: Cursor::new(text),
        names: FxHashMap::default(),
        draft: Draft::default(),
        problems: Vec::new(),
        most: Vec::new(),
        fixed: Vec::new(),
        grammar_claims: Vec::new(),
        depth: 0,
        query: Query {
            variables: Vec::new(),
            strings: Vec::new(),
            regular: Vec::new(),
            fixed: Vec::new(),
            grammar: None,
            assertions: Vec::new(),
        },
    };
    reader.statements();
    reader.finish()
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Text(TextId),
    Regular(RegularId),
    Grammar,
}

impl Named {
    fn kind(self) -> &'static str {
        match self {
            Named::Text(_) => "a string",
            Named::Regular(_) => "a regular language",
            Named::Grammar => "a context-free language",
        }
    }
}

struct Reader {
    cursor: Cursor,
    names: FxHashMap<String, (Named, Place)>,
    draft: Draft,
    problems: Vec<Problem>,
    /// The greatest length of each string.
    most: Vec<usize>,
    /// The names of the grammars whose size is fixed, and where.
    fixed: Vec<(String, Place)>,
    /// The assertions that name a grammar, which may be defined later.
    grammar_claims: Vec<(usize, String, Place)>,
    depth: usize,
    query: Query,
}

impl Reader {
    fn statements(&mut self) {
        loop {
            match self.statement() {
                Ok(true) => {}
                Ok(false) => return,
                Err(problem) => {
                    self.problems.push(problem);
                    self.recover();
                }
            }
        }
    }

    fn finish(mut self) -> Result<Query, Problems> {
        if !self.draft.definitions.is_empty() {
            match self.draft.grammar() {
                Ok(grammar) => self.query.grammar = Some(grammar),
                Err(Problems(problems)) => self.problems.extend(problems),
            }
        }
        Problems::none_in(self.problems)?;
        let rule = |name: &str| {
            let grammar = self.query.grammar.as_ref();
            grammar.and_then(|grammar| grammar.rule(name))
        };
        let mut problems = Vec::new();
        let mut resolve = |name: &str, place: Place| {
            let found = rule(name);
            if found.is_none() {
                problems.push(undefined(name, place, "define it with `cfg` or `reg`"));
            }
            found.unwrap_or(0)
        };
        let fixed = self.fixed.iter();
        self.query.fixed = fixed.map(|(name, place)| resolve(name, *place)).collect();
        for (assertion, name, place) in &self.grammar_claims {
            self.query.assertions[*assertion].claim = Claim::InGrammar(resolve(name, *place));
        }
        Problems::none_in(problems)?;
        Ok(self.query)
    }

    fn blank(&mut self) -> Result<(), Problem> {
        self.cursor.skip_blank(Comments::Slashes)
    }

    /// Goes on after the next semicolon.
    fn recover(&mut self) {
        self.depth = 0;
        while let Some(c) = self.cursor.next() {
            if c == ';' {
                return;
            }
        }
    }

    fn word(&mut self) -> String {
        let quoted = self.cursor.take("`");
        let word = self
            .cursor
            .take_while(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        if quoted {
            self.cursor.take("`");
        }
        word
    }

    fn name(&mut self, what: &str) -> Result<(String, Place), Problem> {
        self.blank()?;
        let place = self.cursor.place();
        let word = self.word();
        match word.is_empty() {
            true => Err(self.cursor.unexpected(&format!("{what} should be here"))),
            false => Ok((word, place)),
        }
    }

    fn expect(&mut self, what: &str) -> Result<(), Problem> {
        self.blank()?;
        self.cursor
            .expect(what, &format!("`{what}` should be here"))
    }

    fn take(&mut self, what: &str) -> Result<bool, Problem> {
        self.blank()?;
        Ok(self.cursor.take(what))
    }

    fn number(&mut self, what: &str) -> Result<usize, Problem> {
        self.blank()?;
        let place = self.cursor.place();
        let digits = self.cursor.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.cursor.unexpected(&format!("{what} should be here")));
        }
        let number = digits.parse().ok().filter(|&number| number <= LONGEST);
        let words = format!("{digits} is too large: strings have at most {LONGEST} bytes");
        number.ok_or_else(|| Problem::new(place, words))
    }

    /// Reads one statement; false at the end of the text.
    fn statement(&mut self) -> Result<bool, Problem> {
        self.blank()?;
        let place = self.cursor.place();
        if self.cursor.peek().is_none() {
            return Ok(false);
        }
        let word = self.word();
        match word.as_str() {
            "var" => self.variable()?,
            "cfg" => self.grammar()?,
            "reg" => self.regular_statement()?,
            "val" => self.value_statement()?,
            "assert" => self.assertion(place)?,
            "" => {
                let wanted = "a statement begins with `var`, `cfg`, `reg`, `val` or `assert`";
                return Err(self.cursor.unexpected(wanted));
            }
            _ => {
                let words = format!(
                    "`{word}` begins no statement; `var`, `cfg`, `reg`, `val` and `assert` do"
                );
                return Err(Problem::new(place, words));
            }
        }
        self.expect(";")?;
        Ok(true)
    }

    fn declare(&mut self, name: &str, place: Place, named: Named) {
        if let Some((_, other)) = self.names.get(name) {
            let words = format!("`{name}` is already defined in line {}", other.line);
            self.problems.push(Problem::new(place, words));
            return;
        }
        self.names.insert(name.to_owned(), (named, place));
    }

    fn variable(&mut self) -> Result<(), Problem> {
        let (name, place) = self.name("the variable's name")?;
        self.expect(":")?;
        self.blank()?;
        let at = self.cursor.place();
        let least = self.number("the variable's length")?;
        let mut most = least;
        if self.take("..")? {
            most = self.number("the greatest length")?;
        }
        if most < least {
            let words = format!("no length is between {least} and {most}; exchange them");
            return Err(Problem::new(at, words));
        }
        let variable = self.query.variables.len();
        self.query.variables.push(Variable {
            name: name.clone(),
            place,
            least,
            most,
        });
        let text = self.push_text(Text::Variable(variable), most);
        self.declare(&name, place, Named::Text(text));
        Ok(())
    }

    fn push_text(&mut self, text: Text, most: usize) -> TextId {
        self.query.strings.push(text);
        self.most.push(most);
        self.query.strings.len() - 1
    }

    fn grammar(&mut self) -> Result<(), Problem> {
        let (name, place) = self.name("the language's name")?;
        self.expect(":=")?;
        self.declare(&name, place, Named::Grammar);
        let body = self
            .choice()
            .inspect_err(|_| self.draft.broken.push(name.clone()));
        let body = body?;
        if self
            .names
            .get(&name)
            .is_some_and(|(_, first)| *first == place)
        {
            self.draft.definitions.push(Definition {
                name,
                place,
                role: Role::Syntax,
                body,
            });
        }
        Ok(())
    }

    fn deeper(&mut self) -> Result<(), Problem> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let words = format!("this nests deeper than {DEEPEST} levels; name a part of it");
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
            let mut parts = Vec::new();
            while let Some(mut part) = self.element()? {
                self.blank()?;
                while let Some(repeat) = match self.cursor.peek() {
                    Some('*') => Some(Repeat::Star),
                    Some('+') => Some(Repeat::Plus),
                    Some('?') => Some(Repeat::Option),
                    _ => None,
                } {
                    self.cursor.next();
                    part = part.repeated(repeat);
                    self.blank()?;
                }
                parts.push(part);
            }
            ways.push((Expression::sequence(parts), place));
            if !self.take("|")? {
                break;
            }
        }
        self.depth -= 1;
        Ok(Expression::Choice(ways))
    }

    fn element(&mut self) -> Result<Option<Expression>, Problem> {
        self.blank()?;
        let place = self.cursor.place();
        Ok(Some(match self.cursor.peek() {
            Some('"') => Expression::Text(lexical::string(&mut self.cursor)?),
            Some('\'') => Expression::Text(vec![lexical::character(&mut self.cursor)?]),
            Some('\\') => Expression::Text(vec![lexical::decimal(&mut self.cursor)?]),
            Some('[') => {
                let ranges = lexical::set(&mut self.cursor)?;
                Expression::Chars(CharSet::bytes(ranges))
            }
            Some('(') => {
                self.cursor.next();
                let body = self.choice()?;
                if !self.take(")")? {
                    if self.cursor.peek().is_none() {
                        let words = "this group has no end; close it with `)`";
                        return Err(Problem::new(place, words));
                    }
                    return Err(self.cursor.unexpected("`)` would end the group"));
                }
                body
            }
            Some(c) if c.is_ascii_alphanumeric() || c == '_' || c == '`' => {
                Expression::Name(self.word(), place)
            }
            _ => return Ok(None),
        }))
    }

    fn regular_statement(&mut self) -> Result<(), Problem> {
        let (name, place) = self.name("the language's name")?;
        let id = self.expect(":=").and_then(|()| self.regular());
        // A name whose definition is wrong is still known, so that its uses are
        // not complained about as well.
        let known = id.as_ref().copied().unwrap_or(0);
        self.declare(&name, place, Named::Regular(known));
        id.map(|_| ())
    }

    fn push_regular(&mut self, regular: Regular) -> RegularId {
        self.query.regular.push(regular);
        self.query.regular.len() - 1
    }

    fn regular(&mut self) -> Result<RegularId, Problem> {
        self.blank()?;
        let regular = match self.cursor.peek() {
            Some('"') => Regular::Text(lexical::string(&mut self.cursor)?),
            Some('\'') => Regular::Text(vec![lexical::character(&mut self.cursor)?]),
            Some('\\') => Regular::Text(vec![lexical::decimal(&mut self.cursor)?]),
            Some('[') => {
                let ranges = lexical::set(&mut self.cursor)?.into_iter();
                let bytes = ranges.flat_map(|(low, high)| Letter::from(low)..=Letter::from(high));
                Regular::Set(LetterSet::of(BYTES, bytes))
            }
            _ => return self.regular_name(),
        };
        Ok(self.push_regular(regular))
    }

    /// An operation, or the name of a language defined before.
    fn regular_name(&mut self) -> Result<RegularId, Problem> {
        let (word, place) = self.name("a regular language")?;
        self.blank()?;
        if self.cursor.peek() != Some('(') {
            return match self.names.get(&word) {
                Some((Named::Regular(id), _)) => Ok(*id),
                Some((Named::Grammar, _)) => {
                    let words = format!(
                        "`{word}` is a context-free language; fix its size: `fixsize({word}, 10)`"
                    );
                    Err(Problem::new(place, words))
                }
                Some((named, _)) => {
                    let words = format!("`{word}` is {}, not a language", named.kind());
                    Err(Problem::new(place, words))
                }
                None => Err(undefined(
                    &word,
                    place,
                    "define it with `reg` before this line",
                )),
            };
        }
        self.cursor.next();
        let regular = match word.as_str() {
            "fix" | "fixsize" => {
                let (grammar, at) = self.name("the name of a context-free language")?;
                self.expect(",")?;
                let length = self.number("the size")?;
                self.expect(")")?;
                if let Some((named, _)) = self.names.get(&grammar)
                    && *named != Named::Grammar
                {
                    let words = format!("`{grammar}` is {}, not a `cfg`", named.kind());
                    return Err(Problem::new(at, words));
                }
                self.fixed.push((grammar, at));
                Regular::Fixed(self.fixed.len() - 1, length)
            }
            "or" => Regular::Union(self.regular_list()?),
            "concat" => Regular::Concat(self.regular_list()?),
            "star" => match self.regular_list()?[..] {
                [single] => Regular::Star(single),
                _ => return Err(Problem::new(place, "`star` takes one language")),
            },
            _ => {
                let words =
                    format!("`{word}` makes no language; `or`, `concat`, `star` and `fixsize` do");
                return Err(Problem::new(place, words));
            }
        };
        Ok(self.push_regular(regular))
    }

    /// Languages up to a closing parenthesis, with or without commas.
    fn regular_list(&mut self) -> Result<Vec<RegularId>, Problem> {
        self.deeper()?;
        let mut members = Vec::new();
        while !self.take(")")? {
            members.push(self.regular()?);
            self.take(",")?;
        }
        self.depth -= 1;
        Ok(members)
    }

    fn value_statement(&mut self) -> Result<(), Problem> {
        let (name, place) = self.name("the string's name")?;
        let id = self.expect(":=").and_then(|()| self.value());
        let known = id.as_ref().copied().unwrap_or_else(|_| {
            let placeholder = Text::Constant(Vec::new());
            self.push_text(placeholder, LONGEST)
        });
        self.declare(&name, place, Named::Text(known));
        id.map(|_| ())
    }

    fn value(&mut self) -> Result<TextId, Problem> {
        self.blank()?;
        if self.cursor.peek() == Some('"') {
            let text = lexical::string(&mut self.cursor)?;
            let most = text.len();
            return Ok(self.push_text(Text::Constant(text), most));
        }
        let (word, place) = self.name("a string")?;
        self.blank()?;
        let mut id = if word == "concat" && self.cursor.take("(") {
            self.deeper()?;
            let mut members = Vec::new();
            while !self.take(")")? {
                members.push(self.value()?);
                self.take(",")?;
            }
            self.depth -= 1;
            let lengths = members.iter().map(|&member| self.most[member]);
            let most = lengths.fold(0, usize::saturating_add);
            if most > LONGEST {
                let words =
                    format!("this may have {most} bytes, and at most {LONGEST} are allowed");
                return Err(Problem::new(place, words));
            }
            self.push_text(Text::Concat(members), most)
        } else {
            match self.names.get(&word) {
                Some((Named::Text(id), _)) => *id,
                Some((named, _)) => {
                    let words = format!("`{word}` is {}, not a string", named.kind());
                    return Err(Problem::new(place, words));
                }
                None => {
                    let hint = "define it with `var` or `val` before this line";
                    return Err(undefined(&word, place, hint));
                }
            }
        };
        while self.take("[")? {
            let offset = self.number("the offset")?;
            self.expect(":")?;
            let length = self.number("the length")?;
            self.expect("]")?;
            if offset + length > self.most[id] {
                let words = format!(
                    "this takes the bytes {offset} to {}, but there are at most {}",
                    offset + length,
                    self.most[id]
                );
                return Err(Problem::new(place, words));
            }
            let slice = Text::Slice {
                of: id,
                offset,
                length,
            };
            id = self.push_text(slice, length);
        }
        Ok(id)
    }

    fn assertion(&mut self, place: Place) -> Result<(), Problem> {
        let subject = self.value()?;
        self.blank()?;
        let at = self.cursor.place();
        let mut negated = false;
        let claim = if self.cursor.take("!=") {
            negated = true;
            Claim::Equals(self.value()?)
        } else {
            let mut word = self.relation();
            if word == "not" {
                negated = true;
                self.blank()?;
                word = self.relation();
            }
            match word.as_str() {
                "in" => self.language()?,
                "contains" => {
                    self.blank()?;
                    Claim::Contains(lexical::string(&mut self.cursor)?)
                }
                "=" | "==" | "equals" => Claim::Equals(self.value()?),
                _ => {
                    let words = "`in`, `contains` or `=` should be here, with or without `not`";
                    return Err(Problem::new(at, words));
                }
            }
        };
        self.query.assertions.push(Assertion {
            place,
            subject,
            negated,
            claim,
        });
        Ok(())
    }

    fn relation(&mut self) -> String {
        match self.cursor.peek() {
            Some('=') => self.cursor.take_while(|c| c == '='),
            _ => self.word(),
        }
    }

    /// A language by name, or a regular one written out.
    fn language(&mut self) -> Result<Claim, Problem> {
        self.blank()?;
        let starts_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '`';
        let mut ahead = 0;
        while self
            .cursor
            .peek_at(ahead)
            .is_some_and(|c| starts_name(c) || c == '.')
        {
            ahead += 1;
        }
        while self.cursor.peek_at(ahead).is_some_and(char::is_whitespace) {
            ahead += 1;
        }
        let is_call = self.cursor.peek_at(ahead) == Some('(');
        if is_call || !self.cursor.peek().is_some_and(starts_name) {
            return Ok(Claim::InRegular(self.regular()?));
        }
        let (name, place) = self.name("a language")?;
        match self.names.get(&name) {
            Some((Named::Regular(id), _)) => Ok(Claim::InRegular(*id)),
            Some((Named::Text(_), _)) => {
                let words = format!("`{name}` is a string, not a language");
                Err(Problem::new(place, words))
            }
            Some((Named::Grammar, _)) | None => {
                let assertion = self.query.assertions.len();
                self.grammar_claims.push((assertion, name, place));
                Ok(Claim::InGrammar(0))
            }
        }
    }
}

fn undefined(name: &str, place: Place, hint: &str) -> Problem {
    Problem::new(place, format!("`{name}` is not defined; {hint}"))
}
