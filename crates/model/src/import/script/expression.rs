//! ECMAScript expressions, read into the expressions of models.
//!
//! What is translated means the same on both sides; the rest is refused by name. The one
//! difference left is that models count without bounds where scripts use doubles.

use super::super::name;
use super::super::precedence::{COMPARISON, PRODUCT, SIGN, SUM};
use super::constant::{Constant, Given};
use super::token::{is_number, is_text, is_word, number, tokens};
use super::written::{
    Trouble, Written, at_least, both, called, chosen, either, element, foreign, leaf, negated,
    nothing_of, remainder,
};
use num_rational::BigRational;

/// What names mean where a script stands: nothing is known of them where nobody says so.
pub(in super::super) trait Scope {
    /// The variable that holds a field of the current event's data.
    fn data(&mut self, _field: &str) -> Result<String, String> {
        Err("an event's data".to_owned())
    }
    /// The name of the current event.
    fn event(&self) -> Option<String> {
        None
    }
    /// Whether the state with this name is active.
    fn is_active(&self, _id: &str) -> Option<bool> {
        None
    }
    /// The type of a variable, if it is known.
    fn type_of(&self, _variable: &str) -> Option<&'static str> {
        None
    }
    /// The variable is used as something of this type.
    fn learn(&mut self, _variable: &str, _ty: &'static str) {}
    /// The value of a variable that is known beforehand.
    fn known(&self, _variable: &str) -> Option<Constant> {
        None
    }
    /// What is known of the current event beside its name and data: `type`, `sendid` and others.
    fn part(&self, _part: &str) -> Option<Constant> {
        None
    }
    /// Whether there is certainly no such variable, so that reading it is an error of the script.
    fn is_missing(&self, _variable: &str) -> bool {
        false
    }
}

/// A scope without events and states.
pub(in super::super) struct Plain;

impl Scope for Plain {}

/// A scope where variables begin, one after the other, with values that are known.
pub(super) struct Beginning<'a>(pub &'a [(String, Constant)]);

impl Scope for Beginning<'_> {
    fn known(&self, variable: &str) -> Option<Constant> {
        let mut known = self.0.iter().filter(|(it, _)| it == variable);
        known.next().map(|(_, value)| value.clone())
    }
}

/// How deep expressions may nest.
const DEPTH: usize = 60;

/// An expression as models write it, or what in it they do not have.
pub(in super::super) fn expression(text: &str, scope: &mut dyn Scope) -> Result<Written, String> {
    let found = evaluated(text, scope).and_then(Written::solid);
    found.map_err(Trouble::what)
}

/// An expression as models write it, or a value that is known.
pub(in super::super) fn evaluated(text: &str, scope: &mut dyn Scope) -> Result<Written, Trouble> {
    let mut reader = Reader {
        tokens: tokens(text)?,
        at: 0,
        depth: 0,
        scope,
    };
    if reader.tokens.is_empty() {
        return Err(Trouble::Foreign("an empty expression".to_owned()));
    }
    let found = reader.conditional()?;
    match reader.peek() {
        "" => Ok(found),
        other => Err(Trouble::Foreign(format!("`{other}`"))),
    }
}

struct Reader<'t, 's> {
    tokens: Vec<&'t str>,
    at: usize,
    depth: usize,
    scope: &'s mut dyn Scope,
}

impl<'t> Reader<'t, '_> {
    fn conditional(&mut self) -> Result<Written, Trouble> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(foreign(format!("more than {DEPTH} levels")));
        }
        let condition = self.disjunction()?;
        let found = match self.eat("?") {
            false => condition,
            true => {
                let then = self.conditional()?;
                self.expect(":")?;
                let otherwise = self.conditional()?;
                chosen(&condition.truth(), then, otherwise)?
            }
        };
        self.depth -= 1;
        Ok(found)
    }

    fn disjunction(&mut self) -> Result<Written, Trouble> {
        let mut left = self.conjunction()?;
        while self.eat("||") || self.eat("or") {
            let right = self.conjunction()?;
            left = match &left.constant {
                Some(value) if value.is_true() => left,
                Some(_) => right,
                None => either(&left, &right.solid()?),
            };
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Written, Trouble> {
        let mut left = self.bits()?;
        while self.eat("&&") || self.eat("and") {
            let right = self.bits()?;
            left = match &left.constant {
                Some(value) if value.is_true() => right,
                Some(_) => left,
                None => both(&left, &right.solid()?),
            };
        }
        Ok(left)
    }

    /// `a | b`, which some write for `a || b`. Of conditions it is the same; models have no bits
    /// of other numbers.
    fn bits(&mut self) -> Result<Written, Trouble> {
        let mut left = self.common_bits()?;
        while self.eat("|") {
            let right = self.common_bits()?;
            left = either(&condition(left, "|")?, &condition(right, "|")?);
        }
        Ok(left)
    }

    fn common_bits(&mut self) -> Result<Written, Trouble> {
        let mut left = self.equality()?;
        while self.eat("&") {
            let right = self.equality()?;
            left = both(&condition(left, "&")?, &condition(right, "&")?);
        }
        Ok(left)
    }

    fn equality(&mut self) -> Result<Written, Trouble> {
        let mut left = self.relation()?;
        loop {
            let sign = self.peek();
            let operator = match sign {
                "==" | "===" => "=",
                "!=" | "!==" => "!=",
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.relation()?;
            let is_known = match (&left.constant, &right.constant) {
                (Some(one), Some(other)) => one.equals(other, sign.len() == 3),
                _ => None,
            };
            left = match is_known {
                Some(is_equal) => Written::constant(is_equal == (operator == "=")),
                None => self.compared(operator, left, right)?,
            };
        }
    }

    fn relation(&mut self) -> Result<Written, Trouble> {
        let mut left = self.sum()?;
        while let operator @ ("<" | "<=" | ">" | ">=") = self.peek() {
            self.at += 1;
            let right = self.sum()?;
            let is_known = match (&left.constant, &right.constant) {
                (Some(one), Some(other)) => one.compared(operator, other),
                _ => None,
            };
            left = match is_known {
                Some(holds) => Written::constant(holds),
                None => self.compared(operator, left, right)?,
            };
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Written, Trouble> {
        let mut left = self.product()?;
        while let operator @ ("+" | "-") = self.peek() {
            self.at += 1;
            let right = self.product()?;
            left = self.computed(operator, left, right, SUM)?;
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Written, Trouble> {
        let mut left = self.unary()?;
        while let operator @ ("*" | "/" | "%") = self.peek() {
            self.at += 1;
            let right = self.unary()?;
            left = match operator {
                "%" => remainder(&left.solid()?, &right)?,
                _ => self.computed(operator, left, right, PRODUCT)?,
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Written, Trouble> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(foreign(format!("more than {DEPTH} levels")));
        }
        let found = match self.peek() {
            "!" | "not" => {
                self.at += 1;
                negated(&self.unary()?.truth())
            }
            "-" => {
                self.at += 1;
                let operand = self.unary()?.solid()?;
                let constant = match &operand.constant {
                    Some(Constant::Number(number)) => Some(Constant::Number(-number)),
                    _ => None,
                };
                Written {
                    text: format!("-{}", at_least(&operand, SIGN)),
                    ty: operand.ty,
                    constant,
                    level: SIGN,
                }
            }
            "typeof" => {
                self.at += 1;
                self.type_name()?
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

    /// What follows `typeof`. Of a name that means nothing it may be asked, too.
    fn type_name(&mut self) -> Result<Written, Trouble> {
        let word = self.peek();
        let is_alone = !matches!(self.peek_at(1), "." | "[" | "(");
        if is_word(word) && is_alone && self.scope.is_missing(&name(word)) {
            self.at += 1;
            return Ok(Written::known(Constant::Text("undefined".to_owned())));
        }
        let value = self.unary()?;
        let found = match (&value.constant, value.ty) {
            (Some(constant), _) => constant.type_name(),
            (None, Some("Int" | "Real")) => "number",
            (None, Some("Bool")) => "boolean",
            (None, Some("String")) => "string",
            (None, _) => return Err(foreign(format!("`typeof {}`", value.text))),
        };
        Ok(Written::known(Constant::Text(found.to_owned())))
    }

    /// A value, and what is asked of it: `text.length`, `text.startsWith('a')`, `list[0]`.
    fn postfix(&mut self) -> Result<Written, Trouble> {
        let mut value = self.primary()?;
        loop {
            if self.peek() == "[" || self.peek() == "." {
                nothing_of(&value)?;
            }
            if self.eat("[") {
                let index = self.conditional()?;
                self.expect("]")?;
                value = element(&value, &index)?;
                continue;
            }
            if !self.eat(".") {
                break;
            }
            let member = self.next();
            if let (Some(Constant::Text(text)), "length") = (&value.constant, member) {
                let length = BigRational::from_integer(text.encode_utf16().count().into());
                value = Written::known(Constant::Number(length));
                continue;
            }
            if let Some(Constant::List(values)) = &value.constant {
                value = self.of_list(values.clone(), member)?;
                continue;
            }
            let (function, ty) = match member {
                "length" => ("length", "Int"),
                "startsWith" => ("startsWith", "Bool"),
                "endsWith" => ("endsWith", "Bool"),
                "includes" => ("contains", "Bool"),
                _ => return Err(foreign(format!("`.{member}`"))),
            };
            self.scope.learn(&value.text, "String");
            let mut arguments = vec![value.solid()?];
            if member != "length" {
                self.expect("(")?;
                arguments.extend(self.arguments()?);
            }
            value = called(function, &arguments, Some(ty));
        }
        Ok(value)
    }

    /// What is asked of a list that is known.
    fn of_list(&mut self, mut values: Vec<Constant>, member: &str) -> Result<Written, Trouble> {
        match member {
            "length" => {
                let length = BigRational::from_integer(values.len().into());
                Ok(Written::known(Constant::Number(length)))
            }
            "concat" => {
                self.expect("(")?;
                for more in self.list_up_to(")")? {
                    match more {
                        Constant::List(more) => values.extend(more),
                        one => values.push(one),
                    }
                }
                Ok(Written::known(Constant::List(values)))
            }
            _ => Err(foreign(format!("`.{member}` of a list"))),
        }
    }

    /// Known values up to a closing bracket.
    fn list_up_to(&mut self, end: &str) -> Result<Vec<Constant>, Trouble> {
        let mut found = Vec::new();
        while !self.eat(end) {
            if !found.is_empty() {
                self.expect(",")?;
            }
            let value = self.conditional()?;
            match value.constant {
                Some(value) => found.push(value),
                None => {
                    let what = format!("a list with `{}`, which is not known", value.text);
                    return Err(foreign(what));
                }
            }
        }
        Ok(found)
    }

    fn primary(&mut self) -> Result<Written, Trouble> {
        let token = self.next();
        if token == "(" {
            let inner = self.conditional()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if token == "[" {
            let values = self.list_up_to("]")?;
            return Ok(Written::known(Constant::List(values)));
        }
        if is_number(token) {
            let whole = !token.contains('.');
            return Ok(Written {
                constant: number(token).map(Constant::Number),
                ..leaf(
                    &token.to_lowercase(),
                    Some(if whole { "Int" } else { "Real" }),
                )
            });
        }
        if let Some(inner) = token.strip_prefix(['\'', '"']) {
            let inner = &inner[..inner.len() - 1];
            return match inner.contains(['\\', '"', '\n']) {
                true => Err(foreign(format!("the text {token}"))),
                false => Ok(Written::known(Constant::Text(inner.to_owned()))),
            };
        }
        match is_word(token) {
            true => self.named(token),
            false if token.is_empty() => Err(foreign("no end")),
            false => Err(foreign(format!("`{token}`"))),
        }
    }

    fn named(&mut self, word: &'t str) -> Result<Written, Trouble> {
        // Words of the language, and variables that every session has.
        const FOREIGN: [&str; 9] = [
            "NaN",
            "Infinity",
            "new",
            "void",
            "delete",
            "this",
            "function",
            "instanceof",
            "_x",
        ];
        // Words that begin statements are no values.
        const STATEMENTS: [&str; 8] = [
            "return", "if", "for", "while", "var", "throw", "break", "continue",
        ];
        match word {
            "true" | "false" => return Ok(Written::constant(word == "true")),
            "undefined" => return Ok(Written::known(Constant::Undefined)),
            "null" => return Ok(Written::known(Constant::Null)),
            _ if STATEMENTS.contains(&word) => {
                return Err(Trouble::Wrong(format!("`{word}`, which is no value")));
            }
            "_event" => return self.event(),
            "global" if self.eat(".") => {
                let variable = name(&format!("global_{}", self.next()));
                return Ok(self.variable(variable));
            }
            "Math" if self.eat(".") => return self.mathematics(),
            "In" if self.eat("(") => return self.activity(),
            "_name" | "_sessionid" => {
                if let Some(value) = self.scope.known(word) {
                    return Ok(Written::known(value));
                }
                return Err(foreign(format!("`{word}`")));
            }
            "_ioprocessors" => return self.processors(),
            _ if FOREIGN.contains(&word) => return Err(foreign(format!("`{word}`"))),
            _ => {}
        }
        match self.peek() {
            "(" => Err(foreign(format!("a call of `{word}`"))),
            _ => {
                let variable = name(word);
                if self.scope.is_missing(&variable) {
                    return Err(Trouble::Wrong(format!("`{word}`, which is not declared")));
                }
                Ok(self.variable(variable))
            }
        }
    }

    fn variable(&mut self, variable: String) -> Written {
        if let Some(value) = self.scope.known(&variable) {
            return Written::known(value);
        }
        let ty = self.scope.type_of(&variable);
        leaf(&variable, ty)
    }

    /// What follows `_event`.
    fn event(&mut self) -> Result<Written, Trouble> {
        let part = match self.eat(".") {
            true => self.next(),
            false => "",
        };
        match part {
            "name" => match self.scope.event() {
                Some(event) => Ok(Written::known(Constant::Text(event))),
                None => Err(foreign("`_event.name` where there is no event")),
            },
            "data" if self.eat(".") => {
                let field = self.next();
                let variable = self.scope.data(field)?;
                Ok(self.variable(variable))
            }
            "data" if self.peek() == "[" && is_text(self.peek_at(1)) && self.peek_at(2) == "]" => {
                let field = self.member()?;
                let variable = self.scope.data(field)?;
                Ok(self.variable(variable))
            }
            "data" => {
                if let Some(nothing) = self.scope.part("data") {
                    return Ok(Written::known(nothing));
                }
                let variable = self.scope.data("")?;
                Ok(self.variable(variable))
            }
            "" => Err(foreign("`_event`")),
            other => match self.scope.part(other) {
                Some(value) => Ok(Written::known(value)),
                None => Err(foreign(format!("`_event.{other}`"))),
            },
        }
    }

    /// What follows `_ioprocessors`: nothing, or the name of one and its location.
    fn processors(&mut self) -> Result<Written, Trouble> {
        if !matches!(self.peek(), "[" | ".") {
            return Ok(Written::known(Constant::Given(Given::Processors)));
        }
        let processor = self.member()?;
        let is_chart = processor == "scxml" || processor.ends_with("#SCXMLEventProcessor");
        if !is_chart {
            return Err(foreign(format!("`_ioprocessors['{processor}']`")));
        }
        match (self.member()?, self.scope.known("_sessionid")) {
            ("location", Some(Constant::Given(Given::Session(root)))) => {
                Ok(Written::known(Constant::Given(Given::Location(root))))
            }
            (other, _) => Err(foreign(format!("`{other}` of `_ioprocessors`"))),
        }
    }

    /// `.member` or `['member']`.
    fn member(&mut self) -> Result<&'t str, Trouble> {
        if self.eat(".") {
            return Ok(self.next());
        }
        self.expect("[")?;
        let member = self.next();
        self.expect("]")?;
        match is_text(member) {
            true => Ok(member.trim_matches(['\'', '"'])),
            false => Err(foreign(format!("`[{member}]`"))),
        }
    }

    /// What follows `Math.`
    fn mathematics(&mut self) -> Result<Written, Trouble> {
        let function = self.next();
        let count = match function {
            "abs" => 1,
            "min" | "max" => 2,
            _ => return Err(foreign(format!("`Math.{function}`"))),
        };
        self.expect("(")?;
        let arguments = self.arguments()?;
        let ty = arguments.first().and_then(|argument| argument.ty);
        match arguments.len() == count {
            true => Ok(called(function, &arguments, ty)),
            false => Err(foreign(format!(
                "`Math.{function}` of {} values",
                arguments.len()
            ))),
        }
    }

    /// What follows `In(`.
    fn activity(&mut self) -> Result<Written, Trouble> {
        let id = self.next().trim_matches(['\'', '"']);
        self.expect(")")?;
        match self.scope.is_active(id) {
            Some(is_active) => Ok(Written::constant(is_active)),
            None => Err(foreign(format!("`In('{id}')`"))),
        }
    }

    /// Values up to a closing bracket.
    fn arguments(&mut self) -> Result<Vec<Written>, Trouble> {
        let mut found = vec![self.conditional()?];
        while self.eat(",") {
            found.push(self.conditional()?);
        }
        self.expect(")")?;
        Ok(found)
    }

    fn compared(
        &mut self,
        operator: &str,
        left: Written,
        right: Written,
    ) -> Result<Written, Trouble> {
        let (left, right) = (left.solid()?, right.solid()?);
        self.unify(&left, &right);
        let (left, right) = (at_least(&left, SUM), at_least(&right, SUM));
        Ok(Written {
            text: format!("{left} {operator} {right}"),
            ty: Some("Bool"),
            constant: None,
            level: COMPARISON,
        })
    }

    fn computed(
        &mut self,
        operator: &str,
        left: Written,
        right: Written,
        level: u8,
    ) -> Result<Written, Trouble> {
        if let (Some(one), Some(other)) = (&left.constant, &right.constant)
            && let Some(value) = one.computed(operator, other)
        {
            return Ok(Written::known(value));
        }
        let (left, right) = (left.solid()?, right.solid()?);
        self.unify(&left, &right);
        let ty = match (left.ty, right.ty) {
            (Some("Real"), _) | (_, Some("Real")) => Some("Real"),
            (left, right) => left.or(right),
        };
        // To the right even the same operator needs brackets: a - (b - c).
        let (left, right) = (at_least(&left, level), at_least(&right, level + 1));
        Ok(Written {
            text: format!("{left} {operator} {right}"),
            ty,
            constant: None,
            level,
        })
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

    fn expect(&mut self, token: &str) -> Result<(), Trouble> {
        match self.eat(token) {
            true => Ok(()),
            false => Err(foreign(format!("no `{token}`"))),
        }
    }
}

/// What stands beside an operator on bits, if it is true or false.
fn condition(operand: Written, operator: &str) -> Result<Written, Trouble> {
    match operand.ty {
        Some("Bool") => operand.solid(),
        _ => Err(foreign(format!("`{operator}` of what is no condition"))),
    }
}
