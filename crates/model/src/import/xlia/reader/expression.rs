//! Expressions of XLIA.

use super::super::ast::Expr;
use super::super::lexer::Kind;
use super::{Read, Reader, Refused};

impl Reader<'_> {
    pub(super) fn expression(&mut self) -> Read<Expr> {
        self.nested(|reader| {
            let condition = reader.disjunction()?;
            if !reader.eat("?") {
                return Ok(condition);
            }
            let then = reader.expression()?;
            reader.expect(":")?;
            let otherwise = reader.expression()?;
            let (then, otherwise) = (Box::new(then), Box::new(otherwise));
            Ok(Expr::If(Box::new(condition), then, otherwise))
        })
    }

    fn disjunction(&mut self) -> Read<Expr> {
        let mut left = self.conjunction()?;
        while self.eat("||") || self.eat("or") {
            left = Expr::binary("or", left, self.conjunction()?);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Read<Expr> {
        let mut left = self.equality()?;
        while self.eat("&&") || self.eat("and") {
            left = Expr::binary("and", left, self.equality()?);
        }
        Ok(left)
    }

    fn equality(&mut self) -> Read<Expr> {
        let mut left = self.relation()?;
        loop {
            let operator = match self.peek().text {
                "==" => "=",
                "!=" => "!=",
                _ => return Ok(left),
            };
            self.at += 1;
            left = Expr::binary(operator, left, self.relation()?);
        }
    }

    /// Comparisons; `1 <= x <= 10` is both of them, as in mathematics.
    fn relation(&mut self) -> Read<Expr> {
        let mut operand = self.sum()?;
        let mut found: Option<Expr> = None;
        loop {
            let operator = match self.peek().text {
                "<" => "<",
                "<=" => "<=",
                ">" => ">",
                ">=" => ">=",
                _ => return Ok(found.unwrap_or(operand)),
            };
            self.at += 1;
            let right = self.sum()?;
            let compared = Expr::binary(operator, operand, right.clone());
            found = Some(match found {
                Some(before) => Expr::binary("and", before, compared),
                None => compared,
            });
            operand = right;
        }
    }

    fn sum(&mut self) -> Read<Expr> {
        let mut left = self.product()?;
        loop {
            let operator = match self.peek().text {
                "+" => "+",
                "-" => "-",
                _ => return Ok(left),
            };
            self.at += 1;
            left = Expr::binary(operator, left, self.product()?);
        }
    }

    fn product(&mut self) -> Read<Expr> {
        let mut left = self.unary()?;
        loop {
            let operator = match self.peek().text {
                "*" if self.peek_at(1).text != "*" => "*",
                "/" => "/",
                _ => return Ok(left),
            };
            self.at += 1;
            left = Expr::binary(operator, left, self.unary()?);
        }
    }

    fn unary(&mut self) -> Read<Expr> {
        self.nested(|reader| {
            if reader.eat("!") || reader.eat("not") {
                return Ok(reader.unary()?.not());
            }
            if reader.eat("-") {
                return Ok(Expr::Negate(Box::new(reader.unary()?)));
            }
            reader.postfix()
        })
    }

    /// A value, or the place of one: `a[2].f`.
    pub(super) fn postfix(&mut self) -> Read<Expr> {
        let mut value = self.primary()?;
        loop {
            if self.eat(".") {
                value = Expr::Field(Box::new(value), self.name()?);
            } else if self.eat("[") {
                let index = self.expression()?;
                self.expect("]")?;
                value = Expr::Index(Box::new(value), Box::new(index));
            } else {
                return Ok(value);
            }
        }
    }

    fn primary(&mut self) -> Read<Expr> {
        let token = self.peek();
        match (token.kind, token.text) {
            (Kind::Number, text) | (Kind::Word, text @ ("true" | "false")) => {
                self.at += 1;
                Ok(Expr::Literal(text.to_owned()))
            }
            (Kind::Text, text) if text.contains('\\') => {
                let what = format!("line {}: the text {text}", token.line);
                Err(Refused(what))
            }
            (Kind::Text, text) => {
                self.at += 1;
                Ok(Expr::Literal(text.to_owned()))
            }
            (Kind::Word, _) if self.peek_at(1).text != "::" => {
                let name = self.name()?;
                match self.eat("(") {
                    true => Ok(Expr::Call(name, self.expressions(")")?)),
                    false => Ok(Expr::Name(name)),
                }
            }
            (Kind::Mark, "(") => {
                self.at += 1;
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(inner)
            }
            (Kind::Mark, "{") => {
                self.at += 1;
                Ok(Expr::List(self.expressions("}")?))
            }
            _ => self.refuse("in an expression"),
        }
    }

    /// Expressions with commas between them, up to the closing bracket.
    pub(super) fn expressions(&mut self, closing: &str) -> Read<Vec<Expr>> {
        let mut found = Vec::new();
        while !self.eat(closing) {
            found.push(self.expression()?);
            if self.peek().text != closing {
                self.expect(",")?;
            }
        }
        Ok(found)
    }
}
