//! Terms, read with a stack of what is open instead of recursion.

use super::builtin::Builtin;
use super::indexed::Indexed;
use super::lexer::{Fault, Kind, Token};
use super::literals;
use super::scope::Meaning;
use super::{Reader, is_command};
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Function, Term};
use crate::value::{ArrayValue, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use std::rc::Rc;

/// A term that was read.
pub(super) enum Operand {
    Term(Term),
    /// A constant array that is still being written to. A table is written as
    /// a long chain of stores; a term for each of them would cost the square
    /// of its length.
    Table(Box<ArrayValue>),
}

/// Something whose parenthesis is open at `at`; its operands are those from
/// `base` on.
#[derive(Clone, Copy)]
pub(super) enum Frame {
    Apply {
        at: usize,
        base: usize,
        head: Head,
        name: Span,
    },
    /// The list of bindings of a `let`; its names are those from `names` on.
    Bindings {
        at: usize,
        names: usize,
    },
    Binding {
        at: usize,
        base: usize,
    },
    /// The body of a `let`; what its names meant is kept from `locals` on.
    Body {
        at: usize,
        base: usize,
        locals: usize,
    },
    Annotation {
        at: usize,
        base: usize,
    },
}

impl Frame {
    /// Where its parenthesis opens.
    pub(super) fn at(&self) -> usize {
        match *self {
            Frame::Apply { at, .. }
            | Frame::Bindings { at, .. }
            | Frame::Binding { at, .. }
            | Frame::Body { at, .. }
            | Frame::Annotation { at, .. } => at,
        }
    }
}

/// What is applied.
#[derive(Clone, Copy)]
pub(super) enum Head {
    Builtin(&'static Builtin),
    Indexed(Indexed),
    Function(Function),
    Macro(usize),
    ConstArray { index: u16, element: u16 },
}

/// From where to where the name of a head is written.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub from: usize,
    pub to: usize,
}

impl<'a> Reader<'a, '_> {
    /// Reads one term.
    pub(super) fn term(&mut self) -> Result<Term, Fault> {
        loop {
            let token = self.lexer.next()?;
            match (token.kind, self.frames.last()) {
                (_, Some(Frame::Bindings { .. })) => self.binding(token)?,
                (Kind::Open, _) => self.open(token.at)?,
                (Kind::Close, Some(_)) => self.close(token.at)?,
                (Kind::Keyword, Some(&Frame::Annotation { base, .. })) => {
                    self.attribute(token, base)?;
                }
                _ => {
                    let term = self.atom(token)?;
                    self.operands.push(Operand::Term(term));
                }
            }
            if self.frames.is_empty() {
                let operand = self.operands.pop();
                return Ok(self.settle(operand.expect("a term was read to its end")));
            }
        }
    }

    /// A term of sort `Bool`.
    pub(super) fn formula(&mut self) -> Result<Term, Fault> {
        let at = self.lexer.peek()?.at;
        let term = self.term()?;
        match self.store.sort(term) {
            Sort::Bool => Ok(term),
            sort => Fault::new(at, format!("this must be of sort Bool, not {sort}")),
        }
    }

    fn settle(&mut self, operand: Operand) -> Term {
        match operand {
            Operand::Term(term) => term,
            Operand::Table(table) => self.store.value(Value::Array(Rc::new(*table))),
        }
    }

    fn atom(&mut self, token: Token<'a>) -> Result<Term, Fault> {
        match token.kind {
            Kind::Symbol | Kind::QuotedSymbol => self.symbol(token),
            Kind::Numeral => {
                let value = BigInt::from(literals::natural(token.text));
                Ok(match self.numerals_are_real {
                    true => self.store.real(BigRational::from_integer(value)),
                    false => self.store.int(value),
                })
            }
            Kind::Decimal => Ok(self.store.real(literals::decimal(token.text))),
            Kind::Hexadecimal => {
                let bits = literals::bits(token.at, token.text, 4)?;
                Ok(self.store.bv_value(bits))
            }
            Kind::Binary => {
                let bits = literals::bits(token.at, token.text, 1)?;
                Ok(self.store.bv_value(bits))
            }
            Kind::String => {
                let codes = literals::string(token.at, token.text)?;
                Ok(self.store.value(Value::Str(codes.into())))
            }
            Kind::Open | Kind::Close | Kind::Keyword | Kind::End => {
                self.unexpected(token, "a term")
            }
        }
    }

    fn symbol(&mut self, token: Token<'a>) -> Result<Term, Fault> {
        match self.scope.meaning(token.text) {
            Some(Meaning::Term(term)) => Ok(term),
            Some(Meaning::Builtin(Builtin::Constant(constant))) => Ok(constant(self.store)),
            Some(_) => Fault::new(token.at, format!("`{}` needs arguments", token.text)),
            None => Err(unknown(token)),
        }
    }

    /// Reads what follows an opening parenthesis, up to the first argument.
    fn open(&mut self, at: usize) -> Result<(), Fault> {
        let token = self.lexer.next()?;
        let base = self.operands.len();
        match (token.kind, token.text) {
            (Kind::Symbol, "let") => {
                self.open_paren("the bindings of `let`")?;
                let names = self.names.len();
                self.frames.push(Frame::Bindings { at, names });
            }
            (Kind::Symbol, "!") => self.frames.push(Frame::Annotation { at, base }),
            (Kind::Symbol, "_") => {
                let term = self.indexed_constant(at)?;
                self.operands.push(Operand::Term(term));
            }
            (Kind::Symbol, "as") => {
                let term = self.qualified()?;
                self.operands.push(Operand::Term(term));
            }
            (Kind::Symbol, "forall" | "exists" | "match" | "lambda" | "choice" | "par") => {
                return Fault::new(token.at, format!("unsupported: `{}`", token.text));
            }
            (Kind::Symbol | Kind::QuotedSymbol, name) => {
                let head = match self.scope.meaning(name) {
                    Some(Meaning::Builtin(builtin)) => Head::Builtin(builtin),
                    Some(Meaning::Function(function)) => Head::Function(function),
                    Some(Meaning::Macro(number)) => Head::Macro(number),
                    Some(Meaning::Term(_)) => {
                        return Fault::new(token.at, format!("`{name}` takes no arguments"));
                    }
                    None => return Err(unknown(token)),
                };
                let (from, to) = (token.at, self.lexer.position());
                let name = Span { from, to };
                self.push_application(at, head, name);
            }
            (Kind::Open, _) => {
                let head = self.compound_head(token.at)?;
                let (from, to) = (token.at, self.lexer.position());
                let name = Span { from, to };
                self.push_application(at, head, name);
            }
            _ => return self.unexpected(token, "an operator"),
        }
        Ok(())
    }

    fn push_application(&mut self, at: usize, head: Head, name: Span) {
        let base = self.operands.len();
        self.frames.push(Frame::Apply {
            at,
            base,
            head,
            name,
        });
    }

    /// The rest of `(_ name …)` or `(as name sort)` where an operator stands.
    fn compound_head(&mut self, at: usize) -> Result<Head, Fault> {
        let token = self.lexer.next()?;
        match (token.kind, token.text) {
            (Kind::Symbol, "_") => Ok(Head::Indexed(self.indexed_operator()?)),
            (Kind::Symbol, "as") => {
                let name = self.lexer.next()?;
                let place = self.lexer.peek()?.at;
                let sort = self.sort()?;
                self.close_paren()?;
                match (name.text, sort) {
                    ("const", Sort::Array { index, element }) => {
                        Ok(Head::ConstArray { index, element })
                    }
                    ("const", _) => Fault::new(place, format!("{sort} is not a sort of arrays")),
                    (text, _) => Fault::new(at, format!("unsupported: `as` with `{text}`")),
                }
            }
            _ => self.unexpected(token, "`_` or `as`"),
        }
    }

    /// The rest of `(as name sort)` where a term stands.
    fn qualified(&mut self) -> Result<Term, Fault> {
        let token = self.lexer.next()?;
        let term = match token.kind {
            Kind::Symbol | Kind::QuotedSymbol => self.symbol(token)?,
            _ => return self.unexpected(token, "a symbol"),
        };
        let at = self.lexer.peek()?.at;
        let sort = self.sort()?;
        self.close_paren()?;
        let actual = self.store.sort(term);
        match sort == actual {
            true => Ok(term),
            false => Fault::new(at, format!("`{}` is of sort {actual}", token.text)),
        }
    }

    /// A token in the list of bindings of a `let`.
    fn binding(&mut self, token: Token<'a>) -> Result<(), Fault> {
        match token.kind {
            Kind::Open => {
                let name = self.new_symbol()?;
                self.names.push(name);
                self.frames.push(Frame::Binding {
                    at: token.at,
                    base: self.operands.len(),
                });
                Ok(())
            }
            Kind::Close => {
                let Some(Frame::Bindings { at, names }) = self.frames.pop() else {
                    unreachable!("only a list of bindings is closed here");
                };
                self.bind(at, names)
            }
            _ => self.unexpected(token, "a binding"),
        }
    }

    /// Gives the names of a `let` their meaning, all at once.
    fn bind(&mut self, at: usize, names: usize) -> Result<(), Fault> {
        if self.names.len() == names {
            return Fault::new(at, "this `let` binds nothing");
        }
        let locals = self.locals.len();
        while self.names.len() > names {
            let (name, value) = (self.names.pop(), self.operands.pop());
            let (name, value) = name.zip(value).expect("each name has its value");
            let term = self.settle(value);
            let before = self.scope.bind(name, Meaning::Term(term));
            self.locals.push((name, before));
        }
        let base = self.operands.len();
        self.frames.push(Frame::Body { at, base, locals });
        Ok(())
    }

    fn close(&mut self, at: usize) -> Result<(), Fault> {
        match self.frames.pop() {
            Some(Frame::Apply {
                at,
                base,
                head,
                name,
            }) => {
                if self.write_table(head, base) {
                    return Ok(());
                }
                let mut arguments = std::mem::take(&mut self.arguments);
                while self.operands.len() > base {
                    let operand = self.operands.pop().expect("there are more");
                    arguments.push(self.settle(operand));
                }
                arguments.reverse();
                let name = self.name(name);
                let term = self.apply(at, name, head, &arguments)?;
                arguments.clear();
                self.arguments = arguments;
                self.operands.push(Operand::Term(term));
                Ok(())
            }
            Some(Frame::Body { base, locals, .. }) => {
                for (name, before) in self.locals.drain(locals..).rev() {
                    self.scope.restore(name, before);
                }
                self.one_term(at, base)
            }
            Some(Frame::Binding { base, .. } | Frame::Annotation { base, .. }) => {
                self.one_term(at, base)
            }
            Some(Frame::Bindings { .. }) | None => {
                unreachable!("whoever closes these does it elsewhere")
            }
        }
    }

    fn one_term(&self, at: usize, base: usize) -> Result<(), Fault> {
        match self.operands.len() - base {
            1 => Ok(()),
            0 => Fault::new(at, "expected a term, found `)`"),
            more => Fault::new(at, format!("expected one term, found {more}")),
        }
    }

    /// Writes a constant into a constant array in place, if that is what is to
    /// be applied.
    fn write_table(&mut self, head: Head, base: usize) -> bool {
        let Head::Builtin(Builtin::Operator(Op::Store)) = head else {
            return false;
        };
        let [array, Operand::Term(index), Operand::Term(element)] = &self.operands[base..] else {
            return false;
        };
        let (Some(Value::Bv(index)), Some(Value::Bv(element))) =
            (self.store.as_value(*index), self.store.as_value(*element))
        else {
            return false;
        };
        let (index_width, element_width) = match array {
            Operand::Table(table) => (table.index_width(), table.default().width()),
            Operand::Term(term) => match self.store.sort(*term) {
                Sort::Array { index, element } if self.store.is_const(*term) => (index, element),
                _ => return false,
            },
        };
        if index_width != index.width() || element_width != element.width() {
            return false;
        }
        self.operands.truncate(base + 1);
        let mut table = match self.operands.pop() {
            Some(Operand::Table(table)) => table,
            Some(Operand::Term(term)) => match self.store.as_value(term) {
                Some(Value::Array(table)) => Box::new(Rc::unwrap_or_clone(table)),
                _ => unreachable!("it is a constant array"),
            },
            None => unreachable!("there were three operands"),
        };
        table.set(index, element);
        self.operands.push(Operand::Table(table));
        true
    }

    fn attribute(&mut self, keyword: Token<'a>, base: usize) -> Result<(), Fault> {
        self.one_term(keyword.at, base)?;
        if keyword.text != ":named" {
            if !matches!(self.lexer.peek()?.kind, Kind::Keyword | Kind::Close) {
                self.skip()?;
            }
            return Ok(());
        }
        let at = self.lexer.peek()?.at;
        let name = self.new_symbol()?;
        if self.scope.is_declared(name) {
            return Fault::new(at, format!("`{name}` is already declared"));
        }
        let operand = self.operands.pop().expect("there is one term");
        let term = self.settle(operand);
        self.operands.push(Operand::Term(term));
        self.scope.declare(name, Meaning::Term(term));
        if self.frames.len() == 1 {
            self.assertion_name = Some(name);
        }
        Ok(())
    }

    pub(super) fn name(&self, span: Span) -> &'a str {
        &self.lexer.text()[span.from..span.to]
    }
}

fn unknown(token: Token<'_>) -> Fault {
    let name = token.text;
    let message = match is_command(name) {
        true => format!("`{name}` is a command: is a parenthesis missing before it?"),
        false => format!("unknown symbol `{name}`"),
    };
    Fault {
        at: token.at,
        message: message.into(),
    }
}
