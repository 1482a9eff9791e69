//! Expressions, by precedence climbing.

use super::{CHAIN, DEPTH, Parsed, Parser, RESERVED, shown};
use crate::model::Operator;
use crate::syntax::ast::{Expr, ExprKind, Name};
use crate::syntax::lexer::{Kind, Token};

impl<'a> Parser<'a> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.depth += 1;
        let parsed = match self.depth > DEPTH {
            true => self.fail("the expression is nested too deeply; name its parts"),
            false => self.conditional(),
        };
        self.depth -= 1;
        parsed
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let start = self.peek().span;
        if !self.eat("if") {
            return self.binary(0);
        }
        let condition = self.expression()?;
        self.expect("then")?;
        let then = self.expression()?;
        self.expect("else")?;
        let otherwise = self.expression()?;
        Ok(Expr {
            span: start.to(otherwise.span),
            kind: ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)),
        })
    }

    fn binary(&mut self, level: usize) -> Parsed<Expr> {
        // By how loosely they bind, the loosest first.
        const LEVELS: [&[(&str, Operator)]; 5] = [
            &[
                ("or", Operator::Or),
                ("||", Operator::Or),
                ("implies", Operator::Implies),
            ],
            &[("and", Operator::And), ("&&", Operator::And)],
            &[
                ("=", Operator::Equal),
                ("==", Operator::Equal),
                ("!=", Operator::Unequal),
                ("<=", Operator::LessEqual),
                (">=", Operator::GreaterEqual),
                ("<", Operator::Less),
                (">", Operator::Greater),
            ],
            &[("+", Operator::Add), ("-", Operator::Subtract)],
            &[
                ("*", Operator::Multiply),
                ("/", Operator::Divide),
                ("div", Operator::IntegerDivide),
                ("mod", Operator::Modulo),
            ],
        ];
        if level == LEVELS.len() {
            return self.unary();
        }
        if level == 2 && self.peek().text == "not" {
            let start = self.peek().span;
            self.at += 1;
            self.depth += 1;
            let operand = match self.depth > DEPTH {
                true => self.fail("the expression is nested too deeply; name its parts"),
                false => self.binary(2),
            };
            self.depth -= 1;
            let operand = operand?;
            return Ok(Expr {
                span: start.to(operand.span),
                kind: ExprKind::Not(Box::new(operand)),
            });
        }
        let mut left = self.binary(level + 1)?;
        for _ in 0..CHAIN {
            let next = self.peek().text;
            let Some(&(_, operator)) = LEVELS[level].iter().find(|(text, _)| *text == next) else {
                return Ok(left);
            };
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = Expr {
                span: left.span.to(right.span),
                kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
            };
        }
        self.fail("the expression is too long; name its parts")
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.peek().span;
        if self.eat("-") {
            self.depth += 1;
            let operand = match self.depth > DEPTH {
                true => self.fail("the expression is nested too deeply; name its parts"),
                false => self.unary(),
            };
            self.depth -= 1;
            let operand = operand?;
            return Ok(Expr {
                span: start.to(operand.span),
                kind: ExprKind::Negate(Box::new(operand)),
            });
        }
        self.postfix()
    }

    pub(super) fn postfix(&mut self) -> Parsed<Expr> {
        let mut expr = self.primary()?;
        for _ in 0..CHAIN {
            if !self.peek().first && self.eat("[") {
                let index = self.expression()?;
                let end = self.expect("]")?;
                expr = Expr {
                    span: expr.span.to(end),
                    kind: ExprKind::Index(Box::new(expr), Box::new(index)),
                };
            } else if self.eat(".") {
                let field = self.name("a field")?;
                expr = Expr {
                    span: expr.span.to(field.span),
                    kind: ExprKind::Field(Box::new(expr), field),
                };
            } else {
                return Ok(expr);
            }
        }
        self.fail("the expression is too long; name its parts")
    }

    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        let span = token.span;
        let kind = match token.kind {
            Kind::Number => {
                self.at += 1;
                ExprKind::Number(token.text.to_owned())
            }
            Kind::Text => {
                self.at += 1;
                ExprKind::Text(self.unescaped(token)?)
            }
            Kind::Word if !RESERVED.contains(&token.text) => {
                self.at += 1;
                if token.text == "any" {
                    ExprKind::Any
                } else if self.peek().text == "(" && !self.peek().first {
                    self.at += 1;
                    let arguments = self.list(")", Self::expression)?;
                    let name = Name {
                        text: token.text.to_owned(),
                        span,
                    };
                    return Ok(Expr {
                        kind: ExprKind::Call(name, arguments),
                        span: span.to(self.before()),
                    });
                } else {
                    ExprKind::Name(token.text.to_owned())
                }
            }
            Kind::Mark if token.text == "(" => {
                self.at += 1;
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(inner);
            }
            Kind::Mark if token.text == "[" => {
                self.at += 1;
                let kind = self.elements()?;
                return Ok(Expr {
                    kind,
                    span: span.to(self.before()),
                });
            }
            _ => return self.fail(format!("{} where a value should be", shown(token))),
        };
        Ok(Expr { kind, span })
    }

    /// What follows the bracket of a list, or of a map: `1 -> 2, 3 -> 4]`.
    fn elements(&mut self) -> Parsed<ExprKind> {
        let written = self.list("]", |parser| {
            let first = parser.expression()?;
            let second = match parser.eat("->") {
                true => Some(parser.expression()?),
                false => None,
            };
            Ok((first, second))
        })?;
        let single = written.iter().filter(|(_, value)| value.is_none()).count();
        if single == written.len() {
            let elements = written.into_iter().map(|(element, _)| element);
            return Ok(ExprKind::List(elements.collect()));
        }
        let pairs = written.into_iter().map(|(key, value)| Some((key, value?)));
        match pairs.collect::<Option<Vec<(Expr, Expr)>>>() {
            Some(pairs) => Ok(ExprKind::Pairs(pairs)),
            None => self.fail("every key of a map has a value: `[1 -> 2, 3 -> 4]`"),
        }
    }

    pub(super) fn unescaped(&mut self, token: Token<'a>) -> Parsed<String> {
        let inner = token.text.get(1..token.text.len() - 1).unwrap_or_default();
        let mut text = String::new();
        let mut characters = inner.chars();
        while let Some(c) = characters.next() {
            text.push(match c {
                '\\' => match characters.next() {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some('r') => '\r',
                    Some(c @ ('"' | '\\')) => c,
                    other => {
                        let other = other.map(String::from).unwrap_or_default();
                        return self.fail_at(
                            token.span,
                            format!("there is no `\\{other}`; use \\n, \\t, \\r, \\\" or \\\\"),
                        );
                    }
                },
                c => c,
            });
        }
        Ok(text)
    }
}
