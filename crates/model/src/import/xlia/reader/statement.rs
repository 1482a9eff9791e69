//! Statements of XLIA: what transitions, routines and states do.

use super::super::ast::{Expr, Given, Statement, StatementKind};
use super::super::lexer::Kind;
use super::{Read, Reader, Refused};

impl Reader<'_> {
    /// Statements in brackets, all of which are read even if some are not understood.
    pub(super) fn block(&mut self) -> Read<Vec<Statement>> {
        self.expect("{")?;
        self.eat("|;|");
        let mut found = Vec::new();
        while !self.eat("}") {
            if self.peek().kind == Kind::End {
                return self.refuse("where `}` should be");
            }
            let before = self.at;
            if let Err(Refused(what)) = self.nested(|reader| reader.statement(&mut found)) {
                self.refused.push(what);
                self.at = before;
                self.skip();
            }
        }
        Ok(found)
    }

    /// The block of an `@init`, where machines may get their parameters: `init A( x: 1 );`.
    pub(super) fn start(&mut self) -> Read<(Vec<Statement>, Vec<Given>)> {
        self.expect("{")?;
        let (mut found, mut given) = (Vec::new(), Vec::new());
        while !self.eat("}") {
            if self.peek().kind == Kind::End {
                return self.refuse("where `}` should be");
            }
            if self.eat("init") {
                let machine = self.name()?;
                self.expect("(")?;
                given.extend(self.given(&machine)?);
                self.expect(";")?;
            } else {
                self.statement(&mut found)?;
            }
        }
        Ok((found, given))
    }

    pub(super) fn statement(&mut self, found: &mut Vec<Statement>) -> Read<()> {
        let line = self.peek().line;
        let kind = match self.peek().text {
            "{" => {
                found.extend(self.block()?);
                return Ok(());
            }
            "if" => self.conditional()?,
            "input" => {
                self.at += 1;
                let port = self.name()?;
                let targets = self.arguments()?;
                StatementKind::Input { port, targets }
            }
            "output" => {
                self.at += 1;
                let port = self.name()?;
                let values = self.arguments()?;
                StatementKind::Output { port, values }
            }
            "guard" | "tguard" => {
                self.at += 1;
                StatementKind::Guard(self.expression()?)
            }
            "newfresh" => {
                self.at += 1;
                let target = self.expression()?;
                let value = Expr::Any;
                StatementKind::Assign { target, value }
            }
            "++" | "--" => {
                let operator = self.step();
                let target = self.postfix()?;
                let value = changed(&target, operator, Expr::Literal("1".to_owned()));
                StatementKind::Assign { target, value }
            }
            _ => self.assignment()?,
        };
        if !matches!(kind, StatementKind::If { .. }) {
            self.expect(";")?;
        }
        found.push(Statement { line, kind });
        Ok(())
    }

    /// `x = 1`, `x += 1`, `x++`, or a routine that is run.
    fn assignment(&mut self) -> Read<StatementKind> {
        let first = self.peek();
        let target = self.postfix()?;
        if let Expr::Call(routine, arguments) = target {
            return Ok(StatementKind::Call { routine, arguments });
        }
        if target.root().is_none() {
            return Err(Refused(format!("line {}: `{}`", first.line, first.text)));
        }
        let value = match self.peek().text {
            "=" | ":=" => {
                self.at += 1;
                self.expression()?
            }
            "+=" | "-=" | "*=" => {
                let operator = match self.next().text {
                    "+=" => "+",
                    "-=" => "-",
                    _ => "*",
                };
                let by = self.expression()?;
                changed(&target, operator, by)
            }
            "++" | "--" => {
                let operator = self.step();
                changed(&target, operator, Expr::Literal("1".to_owned()))
            }
            // Not an assignment at all: its first word says what it is.
            _ => return Err(Refused(format!("line {}: `{}`", first.line, first.text))),
        };
        Ok(StatementKind::Assign { target, value })
    }

    /// `++` or `--`, as the operator it stands for.
    fn step(&mut self) -> &'static str {
        match self.next().text {
            "++" => "+",
            _ => "-",
        }
    }

    fn conditional(&mut self) -> Read<StatementKind> {
        self.at += 1;
        let condition = self.expression()?;
        let then = self.block()?;
        let line = self.peek().line;
        let is_chained = self.peek().text == "elseif"
            || (self.peek().text == "else" && self.peek_at(1).text == "if");
        let mut otherwise = Vec::new();
        if is_chained {
            self.eat("else");
            let kind = self.nested(Self::conditional)?;
            otherwise.push(Statement { line, kind });
        } else if self.eat("else") {
            otherwise = self.block()?;
        }
        Ok(StatementKind::If {
            condition,
            then,
            otherwise,
        })
    }

    /// What is in brackets behind a port.
    fn arguments(&mut self) -> Read<Vec<Expr>> {
        match self.eat("(") {
            true => self.expressions(")"),
            false => Ok(Vec::new()),
        }
    }
}

fn changed(target: &Expr, operator: &'static str, by: Expr) -> Expr {
    Expr::binary(operator, target.clone(), by)
}
