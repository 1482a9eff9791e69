//! ECMAScript expressions, read into the expressions of models.
//!
//! What is translated means the same on both sides; the rest is refused by name. The one
//! difference left is that models count without bounds where scripts use doubles.

use super::super::name;
use super::super::precedence::{AND, COMPARISON, CONDITIONAL, OR, PRIMARY, PRODUCT, SIGN, SUM};

/// What names mean where a script stands.
pub(in super::super) trait Scope {
    /// The variable that holds a field of the current event's data.
    fn data(&mut self, field: &str) -> Result<String, String>;
    /// The name of the current event.
    fn event(&self) -> Option<String>;
    /// Whether the state with this name is active.
    fn is_active(&self, id: &str) -> Option<bool>;
    /// The type of a variable, if it is known.
    fn type_of(&self, variable: &str) -> Option<&'static str>;
    /// The variable is used as something of this type.
    fn learn(&mut self, variable: &str, ty: &'static str);
}

/// A scope without events and states.
pub(in super::super) struct Plain;

impl Scope for Plain {
    fn data(&mut self, _: &str) -> Result<String, String> {
        Err("an event's data".to_owned())
    }

    fn event(&self) -> Option<String> {
        None
    }

    fn is_active(&self, _: &str) -> Option<bool> {
        None
    }

    fn type_of(&self, _: &str) -> Option<&'static str> {
        None
    }

    fn learn(&mut self, _: &str, _: &'static str) {}
}

/// An expression as models write it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Written {
    pub text: String,
    /// Its type, if its parts say it.
    pub ty: Option<&'static str>,
    /// How tightly its outermost operator binds.
    level: u8,
}

impl Written {
    /// `true` or `false`.
    pub fn constant(value: bool) -> Written {
        leaf(if value { "true" } else { "false" }, Some("Bool"))
    }
}

/// How deep expressions may nest.
const DEPTH: usize = 60;

/// An expression as models write it, or what in it they do not have.
pub(in super::super) fn expression(text: &str, scope: &mut dyn Scope) -> Result<Written, String> {
    let mut reader = Reader {
        tokens: tokens(text)?,
        at: 0,
        depth: 0,
        scope,
    };
    if reader.tokens.is_empty() {
        return Err("an empty expression".to_owned());
    }
    let found = reader.conditional()?;
    match reader.peek() {
        "" => Ok(found),
        other => Err(format!("`{other}`")),
    }
}

struct Reader<'t, 's> {
    tokens: Vec<&'t str>,
    at: usize,
    depth: usize,
    scope: &'s mut dyn Scope,
}

impl<'t> Reader<'t, '_> {
    fn conditional(&mut self) -> Result<Written, String> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(format!("more than {DEPTH} levels"));
        }
        let condition = self.disjunction()?;
        let found = match self.eat("?") {
            false => condition,
            true => {
                let then = self.conditional()?;
                self.expect(":")?;
                let otherwise = self.conditional()?;
                chosen(&condition, then, otherwise)
            }
        };
        self.depth -= 1;
        Ok(found)
    }

    fn disjunction(&mut self) -> Result<Written, String> {
        let mut left = self.conjunction()?;
        while self.eat("||") || self.eat("or") {
            left = either(&left, &self.conjunction()?);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Written, String> {
        let mut left = self.equality()?;
        while self.eat("&&") || self.eat("and") {
            left = both(&left, &self.equality()?);
        }
        Ok(left)
    }

    fn equality(&mut self) -> Result<Written, String> {
        let mut left = self.relation()?;
        loop {
            let operator = match self.peek() {
                "==" | "===" => "=",
                "!=" | "!==" => "!=",
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.relation()?;
            left = self.compared(operator, &left, &right);
        }
    }

    fn relation(&mut self) -> Result<Written, String> {
        let mut left = self.sum()?;
        while let operator @ ("<" | "<=" | ">" | ">=") = self.peek() {
            self.at += 1;
            let right = self.sum()?;
            left = self.compared(operator, &left, &right);
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Written, String> {
        let mut left = self.product()?;
        while let operator @ ("+" | "-") = self.peek() {
            self.at += 1;
            let right = self.product()?;
            left = self.computed(operator, &left, &right, SUM);
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Written, String> {
        let mut left = self.unary()?;
        while let operator @ ("*" | "/" | "%") = self.peek() {
            self.at += 1;
            let right = self.unary()?;
            left = match operator {
                "%" => remainder(&left, &right)?,
                _ => self.computed(operator, &left, &right, PRODUCT),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Written, String> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(format!("more than {DEPTH} levels"));
        }
        let found = match self.peek() {
            "!" | "not" => {
                self.at += 1;
                negated(&self.unary()?)
            }
            "-" => {
                self.at += 1;
                let operand = self.unary()?;
                Written {
                    text: format!("-{}", at_least(&operand, SIGN)),
                    ty: operand.ty,
                    level: SIGN,
                }
            }
            // Before anything else it turns text into a number.
            "+" if is_number(self.peek_at(1)) => {
                self.at += 1;
                self.postfix()?
            }
            _ => self.postfix()?,
        };
        self.depth -= 1;
        Ok(found)
    }

    /// A value, and what is asked of it: `text.length`, `text.startsWith('a')`.
    fn postfix(&mut self) -> Result<Written, String> {
        let mut value = self.primary()?;
        while self.eat(".") {
            let member = self.next();
            let (function, ty) = match member {
                "length" => ("length", "Int"),
                "startsWith" => ("startsWith", "Bool"),
                "endsWith" => ("endsWith", "Bool"),
                "includes" => ("contains", "Bool"),
                _ => return Err(format!("`.{member}`")),
            };
            self.scope.learn(&value.text, "String");
            let mut arguments = vec![value];
            if member != "length" {
                self.expect("(")?;
                arguments.extend(self.arguments()?);
            }
            value = called(function, &arguments, Some(ty));
        }
        Ok(value)
    }

    fn primary(&mut self) -> Result<Written, String> {
        let token = self.next();
        if token == "(" {
            let inner = self.conditional()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if is_number(token) {
            let whole = !token.contains('.');
            return Ok(leaf(token, Some(if whole { "Int" } else { "Real" })));
        }
        if let Some(inner) = token.strip_prefix(['\'', '"']) {
            let inner = &inner[..inner.len() - 1];
            return match inner.contains(['\\', '"', '\n']) {
                true => Err(format!("the text {token}")),
                false => Ok(leaf(&format!("\"{inner}\""), Some("String"))),
            };
        }
        match is_word(token) {
            true => self.named(token),
            false if token.is_empty() => Err("no end".to_owned()),
            false => Err(format!("`{token}`")),
        }
    }

    fn named(&mut self, word: &'t str) -> Result<Written, String> {
        // Words of the language, and variables that every session has.
        const FOREIGN: [&str; 15] = [
            "null",
            "undefined",
            "NaN",
            "Infinity",
            "new",
            "typeof",
            "void",
            "delete",
            "this",
            "function",
            "instanceof",
            "_sessionid",
            "_name",
            "_ioprocessors",
            "_x",
        ];
        match word {
            "true" | "false" => return Ok(leaf(word, Some("Bool"))),
            "_event" => return self.event(),
            "global" if self.eat(".") => {
                let variable = name(&format!("global_{}", self.next()));
                return Ok(self.variable(variable));
            }
            "Math" if self.eat(".") => return self.mathematics(),
            "In" if self.eat("(") => return self.activity(),
            _ if FOREIGN.contains(&word) => return Err(format!("`{word}`")),
            _ => {}
        }
        match self.peek() {
            "(" => Err(format!("a call of `{word}`")),
            "[" => Err(format!("an element of `{word}`")),
            _ => Ok(self.variable(name(word))),
        }
    }

    fn variable(&mut self, variable: String) -> Written {
        let ty = self.scope.type_of(&variable);
        leaf(&variable, ty)
    }

    /// What follows `_event`.
    fn event(&mut self) -> Result<Written, String> {
        let part = match self.eat(".") {
            true => self.next(),
            false => "",
        };
        match part {
            "name" => match self.scope.event() {
                Some(event) => Ok(leaf(&format!("\"{event}\""), Some("String"))),
                None => Err("`_event.name` where there is no event".to_owned()),
            },
            "data" if self.eat(".") => {
                let field = self.next();
                let variable = self.scope.data(field)?;
                Ok(self.variable(variable))
            }
            "" => Err("`_event`".to_owned()),
            other => Err(format!("`_event.{other}`")),
        }
    }

    /// What follows `Math.`
    fn mathematics(&mut self) -> Result<Written, String> {
        let function = self.next();
        let count = match function {
            "abs" => 1,
            "min" | "max" => 2,
            _ => return Err(format!("`Math.{function}`")),
        };
        self.expect("(")?;
        let arguments = self.arguments()?;
        let ty = arguments.first().and_then(|argument| argument.ty);
        match arguments.len() == count {
            true => Ok(called(function, &arguments, ty)),
            false => Err(format!("`Math.{function}` of {} values", arguments.len())),
        }
    }

    /// What follows `In(`.
    fn activity(&mut self) -> Result<Written, String> {
        let id = self.next().trim_matches(['\'', '"']);
        self.expect(")")?;
        match self.scope.is_active(id) {
            Some(is_active) => Ok(Written::constant(is_active)),
            None => Err(format!("`In('{id}')`")),
        }
    }

    /// Values up to a closing bracket.
    fn arguments(&mut self) -> Result<Vec<Written>, String> {
        let mut found = vec![self.conditional()?];
        while self.eat(",") {
            found.push(self.conditional()?);
        }
        self.expect(")")?;
        Ok(found)
    }

    fn compared(&mut self, operator: &str, left: &Written, right: &Written) -> Written {
        self.unify(left, right);
        let is_text = |it: &Written| it.text.starts_with('"');
        if is_text(left) && is_text(right) && matches!(operator, "=" | "!=") {
            return Written::constant((left.text == right.text) == (operator == "="));
        }
        let (left, right) = (at_least(left, SUM), at_least(right, SUM));
        Written {
            text: format!("{left} {operator} {right}"),
            ty: Some("Bool"),
            level: COMPARISON,
        }
    }

    fn computed(&mut self, operator: &str, left: &Written, right: &Written, level: u8) -> Written {
        self.unify(left, right);
        let ty = match (left.ty, right.ty) {
            (Some("Real"), _) | (_, Some("Real")) => Some("Real"),
            (left, right) => left.or(right),
        };
        // To the right even the same operator needs brackets: a - (b - c).
        let (left, right) = (at_least(left, level), at_least(right, level + 1));
        Written {
            text: format!("{left} {operator} {right}"),
            ty,
            level,
        }
    }

    /// What is computed or compared with each other is of one type.
    fn unify(&mut self, left: &Written, right: &Written) {
        for (one, other) in [(left, right), (right, left)] {
            if let Some(ty) = other.ty {
                self.scope.learn(&one.text, ty);
            }
        }
    }

    fn peek(&self) -> &'t str {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &'t str {
        self.tokens.get(self.at + ahead).copied().unwrap_or("")
    }

    fn next(&mut self) -> &'t str {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        match self.eat(token) {
            true => Ok(()),
            false => Err(format!("no `{token}`")),
        }
    }
}

fn leaf(text: &str, ty: Option<&'static str>) -> Written {
    Written {
        text: text.to_owned(),
        ty,
        level: PRIMARY,
    }
}

/// The text, in brackets where it binds less tightly than that.
fn at_least(it: &Written, level: u8) -> String {
    match it.level >= level {
        true => it.text.clone(),
        false => format!("({})", it.text),
    }
}

fn called(function: &str, arguments: &[Written], ty: Option<&'static str>) -> Written {
    let arguments: Vec<&str> = arguments.iter().map(|it| it.text.as_str()).collect();
    Written {
        text: format!("{function}({})", arguments.join(", ")),
        ty,
        level: PRIMARY,
    }
}

fn chosen(condition: &Written, then: Written, otherwise: Written) -> Written {
    match condition.text.as_str() {
        "true" => then,
        "false" => otherwise,
        text => Written {
            text: format!("if {text} then {} else {}", then.text, otherwise.text),
            ty: then.ty.or(otherwise.ty),
            level: CONDITIONAL,
        },
    }
}

/// That one of the two holds.
fn either(left: &Written, right: &Written) -> Written {
    match (left.text.as_str(), right.text.as_str()) {
        ("true", _) | (_, "false") => left.clone(),
        (_, "true") | ("false", _) => right.clone(),
        _ => Written {
            text: format!("{} or {}", at_least(left, OR), at_least(right, AND)),
            ty: Some("Bool"),
            level: OR,
        },
    }
}

/// That both hold.
pub(in super::super) fn both(left: &Written, right: &Written) -> Written {
    match (left.text.as_str(), right.text.as_str()) {
        ("false", _) | (_, "true") => left.clone(),
        (_, "false") | ("true", _) => right.clone(),
        _ => Written {
            text: format!(
                "{} and {}",
                at_least(left, AND),
                at_least(right, COMPARISON)
            ),
            ty: Some("Bool"),
            level: AND,
        },
    }
}

/// That it does not hold.
pub(in super::super) fn negated(it: &Written) -> Written {
    match it.text.as_str() {
        "true" => Written::constant(false),
        "false" => Written::constant(true),
        _ => Written {
            text: format!("not {}", at_least(it, SUM)),
            ty: Some("Bool"),
            level: COMPARISON,
        },
    }
}

/// `a % b` has the sign of `a`; `mod` is never negative.
fn remainder(left: &Written, right: &Written) -> Result<Written, String> {
    let is_whole = right.text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_whole || right.text.bytes().all(|byte| byte == b'0') {
        return Err(format!("`%` by `{}`, which may be 0", right.text));
    }
    let (value, by) = (at_least(left, PRODUCT), &right.text);
    let opposite = at_least(left, SIGN);
    Ok(Written {
        text: format!("if {value} >= 0 then {value} mod {by} else -(-{opposite} mod {by})"),
        ty: Some("Int"),
        level: CONDITIONAL,
    })
}

fn is_number(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit())
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The tokens of a script; numbers are decimal, without exponents.
fn tokens(text: &str) -> Result<Vec<&str>, String> {
    const MARKS: [&str; 24] = [
        "===", "!==", "==", "!=", "<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "!",
        "(", ")", "?", ":", ",", ".", "[", "]",
    ];
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let up_to = |is_inside: fn(char) -> bool| {
            let end = rest.find(|c: char| !is_inside(c));
            end.unwrap_or(rest.len())
        };
        let length = match c {
            _ if is_word(rest) => up_to(|c| c.is_ascii_alphanumeric() || c == '_'),
            '0'..='9' => {
                let length = up_to(|c| c.is_ascii_alphanumeric() || c == '.');
                let number = &rest[..length];
                let parts: Vec<&str> = number.split('.').collect();
                let are_digits = parts
                    .iter()
                    .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
                let is_octal = parts[0].len() > 1 && parts[0].starts_with('0');
                if parts.len() > 2 || !are_digits || is_octal {
                    return Err(format!("the number `{number}`"));
                }
                length
            }
            '\'' | '"' => rest[1..].find(c).ok_or("a text without end")? + 2,
            _ => match MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                Some(mark) => mark.len(),
                None => return Err(format!("`{c}`")),
            },
        };
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Ok(found)
}
