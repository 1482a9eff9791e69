//! Commands, and the small grammar around terms.

use super::lexer::{Fault, Kind, Token};
use super::scope::{Abbreviation, Macro, Meaning, Scope, SortMeaning};
use super::sorts;
use super::{Command, Located, Reader, Script};
use crate::sort::Sort;
use crate::store::{Signature, Term};
use crate::walk;

impl<'a> Reader<'a, '_> {
    pub(super) fn script(&mut self) -> Result<Script, Fault> {
        let mut commands = Vec::new();
        let mut place = Place::default();
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                Kind::End => break,
                Kind::Open => {}
                Kind::Close => return Fault::new(token.at, "`)` without its `(`"),
                _ => return self.unexpected(token, "a command"),
            }
            self.command = token.at;
            let command = self.command()?;
            place.advance(self.lexer.text(), token.at);
            let is_exit = command == Command::Exit;
            commands.push(Located {
                line: place.line,
                column: place.column,
                command,
            });
            if is_exit {
                break;
            }
        }
        Ok(Script { commands })
    }

    fn command(&mut self) -> Result<Command, Fault> {
        let name = self.lexer.next()?;
        if name.kind != Kind::Symbol {
            return self.unexpected(name, "the name of a command");
        }
        let command = match name.text {
            "set-logic" => self.set_logic()?,
            "set-info" => {
                let (keyword, value) = (self.keyword()?, self.attribute_value()?);
                Command::SetInfo(keyword, value)
            }
            "set-option" => self.set_option()?,
            "declare-fun" | "declare-const" => self.declare(name.text == "declare-const")?,
            "define-fun" | "define-const" => self.define(name.text == "define-const")?,
            "define-sort" => self.define_sort()?,
            "assert" => {
                self.assertion_name = None;
                let term = self.formula()?;
                let name = self.assertion_name.map(str::to_owned);
                Command::Assert { term, name }
            }
            "check-sat" => Command::CheckSat,
            "check-sat-assuming" => {
                let mut assumptions = Vec::new();
                self.open_paren("the assumptions")?;
                while !self.takes_close()? {
                    assumptions.push(self.formula()?);
                }
                Command::CheckSatAssuming(assumptions)
            }
            "get-model" => Command::GetModel,
            "get-value" => self.get_value()?,
            "get-unsat-core" => Command::GetUnsatCore,
            "get-info" => Command::GetInfo(self.keyword()?),
            "get-option" => Command::GetOption(self.keyword()?),
            "push" => {
                let levels = self.levels()?;
                (0..levels).for_each(|_| self.scope.push());
                Command::Push(levels)
            }
            "pop" => self.pop()?,
            "echo" => {
                let token = self.lexer.next()?;
                match token.kind {
                    Kind::String => Command::Echo(token.text.replace("\"\"", "\"")),
                    _ => return self.unexpected(token, "a string"),
                }
            }
            "reset" => {
                self.scope = Scope::default();
                self.numerals_are_real = false;
                Command::Reset
            }
            "reset-assertions" => {
                self.scope.reset_assertions();
                Command::ResetAssertions
            }
            "exit" => Command::Exit,
            "get-assertions"
            | "get-assignment"
            | "get-proof"
            | "get-unsat-assumptions"
            | "simplify"
            | "eval"
            | "apply"
            | "display"
            | "get-objectives" => {
                while self.lexer.peek()?.kind != Kind::Close {
                    self.skip()?;
                }
                Command::Unsupported(name.text.to_owned())
            }
            text if super::is_command(text) => {
                return Fault::new(name.at, format!("unsupported command `{text}`"));
            }
            text => return Fault::new(name.at, format!("unknown command `{text}`")),
        };
        self.close_paren()?;
        Ok(command)
    }

    fn set_logic(&mut self) -> Result<Command, Fault> {
        let logic = self.new_symbol()?;
        let reals_alone = ["LRA", "NRA", "RDL"];
        self.numerals_are_real = reals_alone.iter().any(|end| logic.ends_with(end));
        Ok(Command::SetLogic(logic.to_owned()))
    }

    fn set_option(&mut self) -> Result<Command, Fault> {
        let (keyword, value) = (self.keyword()?, self.attribute_value()?);
        if keyword == "global-declarations" {
            self.scope.is_global = value == "true";
        }
        Ok(Command::SetOption(keyword, value))
    }

    fn declare(&mut self, is_constant: bool) -> Result<Command, Fault> {
        let name = self.undeclared_symbol()?;
        let mut parameters = Vec::new();
        if !is_constant {
            self.open_paren("the sorts of the parameters")?;
            while !self.takes_close()? {
                parameters.push(self.declarable_sort()?);
            }
        }
        let result = self.declarable_sort()?;
        if parameters.is_empty() {
            let term = self.store.var(name, result);
            self.scope.declare(name, Meaning::Term(term));
            let variable = self.store.as_variable(term).expect("it is a variable");
            return Ok(Command::DeclareVariable(variable));
        }
        let function = self.store.function(Signature {
            name: name.to_owned(),
            parameters,
            result,
        });
        self.scope.declare(name, Meaning::Function(function));
        Ok(Command::DeclareFunction(function))
    }

    fn define(&mut self, is_constant: bool) -> Result<Command, Fault> {
        let name = self.undeclared_symbol()?;
        let mut parameters = Vec::new();
        let mut before = Vec::new();
        if !is_constant {
            self.open_paren("the parameters")?;
            while !self.takes_close()? {
                self.open_paren("a parameter")?;
                let parameter = self.new_symbol()?;
                let sort = self.sort()?;
                self.close_paren()?;
                let variable = self.store.fresh_var(parameter, sort);
                parameters.push(variable);
                before.push((
                    parameter,
                    self.scope.bind(parameter, Meaning::Term(variable)),
                ));
            }
        }
        let sort = self.sort()?;
        let at = self.lexer.peek()?.at;
        let body = self.term()?;
        for (parameter, meaning) in before.into_iter().rev() {
            self.scope.restore(parameter, meaning);
        }
        let Some(body) = self.as_sort(body, sort) else {
            let actual = self.store.sort(body);
            return Fault::new(
                at,
                format!("`{name}` is of sort {sort}, but this is {actual}"),
            );
        };
        let meaning = match parameters.is_empty() {
            true => Meaning::Term(body),
            false => {
                let parts = walk::post_order(self.store, &[body]);
                let has_languages = parts
                    .iter()
                    .any(|&part| self.store.sort(part) == Sort::RegLan);
                self.scope.macros.push(Macro {
                    parameters,
                    body,
                    has_languages,
                });
                Meaning::Macro(self.scope.macros.len() - 1)
            }
        };
        self.scope.declare(name, meaning);
        Ok(Command::Define(name.to_owned()))
    }

    fn define_sort(&mut self) -> Result<Command, Fault> {
        let at = self.lexer.peek()?.at;
        let name = self.new_symbol()?;
        if self.scope.sort(name).is_some() || sorts::builtin_sort(name).is_some() {
            return Fault::new(at, format!("sort `{name}` is already defined"));
        }
        let mut parameters = Vec::new();
        self.open_paren("the parameters")?;
        while !self.takes_close()? {
            parameters.push(self.new_symbol()?);
        }
        let meaning = if parameters.is_empty() {
            SortMeaning::Sort(self.sort()?)
        } else {
            let body = self.lexer.peek()?.at;
            self.skip()?;
            self.scope
                .abbreviations
                .push(Abbreviation { parameters, body });
            SortMeaning::Abbreviation(self.scope.abbreviations.len() - 1)
        };
        self.scope.declare_sort(name, meaning);
        Ok(Command::Define(name.to_owned()))
    }

    fn get_value(&mut self) -> Result<Command, Fault> {
        let mut values: Vec<(String, Term)> = Vec::new();
        self.open_paren("terms")?;
        while !self.takes_close()? {
            let from = self.lexer.peek()?.at;
            let term = self.term()?;
            let text = &self.lexer.text()[from..self.lexer.position()];
            values.push((text.to_owned(), term));
        }
        Ok(Command::GetValue(values))
    }

    /// The levels of `push` and `pop`: one when not said.
    fn levels(&mut self) -> Result<u32, Fault> {
        if self.lexer.peek()?.kind == Kind::Close {
            return Ok(1);
        }
        let (at, levels) = self.numeral()?;
        match u32::try_from(levels) {
            Ok(levels) if levels <= 1_000_000 => Ok(levels),
            _ => Fault::new(at, format!("unsupported: {levels} levels")),
        }
    }

    fn pop(&mut self) -> Result<Command, Fault> {
        let at = self.lexer.peek()?.at;
        let levels = self.levels()?;
        let depth = self.scope.depth();
        if levels as usize > depth {
            return Fault::new(at, format!("cannot pop {levels} of {depth} levels"));
        }
        (0..levels).for_each(|_| self.scope.pop());
        Ok(Command::Pop(levels))
    }
}

/// Pieces of the grammar.
impl<'a> Reader<'a, '_> {
    /// The fault of a token where `wanted` should be.
    pub(super) fn unexpected<T>(&self, token: Token<'_>, wanted: &str) -> Result<T, Fault> {
        let found = match token.kind {
            Kind::End => return self.never_closed(),
            Kind::Open => "`(`".to_owned(),
            Kind::Close => "`)`".to_owned(),
            Kind::String => "a string".to_owned(),
            Kind::Hexadecimal => format!("`#x{}`", token.text),
            Kind::Binary => format!("`#b{}`", token.text),
            Kind::QuotedSymbol => format!("`|{}|`", token.text),
            Kind::Symbol | Kind::Keyword | Kind::Numeral | Kind::Decimal => {
                format!("`{}`", token.text)
            }
        };
        Fault::new(token.at, format!("expected {wanted}, found {found}"))
    }

    /// The fault of a text that ends too early.
    fn never_closed<T>(&self) -> Result<T, Fault> {
        let innermost = self.frames.last().map(super::terms::Frame::at);
        Fault::new(
            innermost.unwrap_or(self.command),
            "this parenthesis is never closed",
        )
    }

    pub(super) fn open_paren(&mut self, what: &str) -> Result<(), Fault> {
        let token = self.lexer.next()?;
        match token.kind {
            Kind::Open => Ok(()),
            _ => self.unexpected(token, &format!("`(` before {what}")),
        }
    }

    pub(super) fn close_paren(&mut self) -> Result<(), Fault> {
        let token = self.lexer.next()?;
        match token.kind {
            Kind::Close => Ok(()),
            _ => self.unexpected(token, "`)`"),
        }
    }

    /// Whether the next token closes a list; if so, it is taken.
    fn takes_close(&mut self) -> Result<bool, Fault> {
        let is_close = self.lexer.peek()?.kind == Kind::Close;
        if is_close {
            self.lexer.next()?;
        }
        Ok(is_close)
    }

    /// A symbol to be given a meaning.
    pub(super) fn new_symbol(&mut self) -> Result<&'a str, Fault> {
        let token = self.lexer.next()?;
        match token.kind {
            Kind::QuotedSymbol => Ok(token.text),
            Kind::Symbol if !super::is_reserved(token.text) => Ok(token.text),
            _ => self.unexpected(token, "a symbol"),
        }
    }

    fn undeclared_symbol(&mut self) -> Result<&'a str, Fault> {
        let at = self.lexer.peek()?.at;
        let name = self.new_symbol()?;
        match self.scope.is_declared(name) {
            true => Fault::new(at, format!("`{name}` is already declared")),
            false => Ok(name),
        }
    }

    /// A numeral that counts something, and where it is.
    pub(super) fn numeral(&mut self) -> Result<(usize, u64), Fault> {
        let token = self.lexer.next()?;
        if token.kind != Kind::Numeral {
            return self.unexpected(token, "a numeral");
        }
        match token.text.parse() {
            Ok(number) => Ok((token.at, number)),
            Err(_) => Fault::new(token.at, format!("`{}` is too large here", token.text)),
        }
    }

    fn keyword(&mut self) -> Result<String, Fault> {
        let token = self.lexer.next()?;
        match token.kind {
            Kind::Keyword => Ok(token.text[1..].to_owned()),
            _ => self.unexpected(token, "a keyword"),
        }
    }

    /// The text of an attribute's value, which may be missing.
    fn attribute_value(&mut self) -> Result<String, Fault> {
        let token = self.lexer.peek()?;
        match token.kind {
            Kind::Close => Ok(String::new()),
            Kind::String => {
                self.lexer.next()?;
                Ok(token.text.replace("\"\"", "\""))
            }
            _ => {
                self.skip()?;
                Ok(self.lexer.text()[token.at..self.lexer.position()].to_owned())
            }
        }
    }

    /// Reads over one expression of any kind.
    pub(super) fn skip(&mut self) -> Result<(), Fault> {
        let mut depth = 0usize;
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                Kind::End => return self.never_closed(),
                Kind::Open => depth += 1,
                Kind::Close if depth == 0 => return self.unexpected(token, "an expression"),
                Kind::Close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

/// Lines and columns of places met in ascending order.
#[derive(Default)]
struct Place {
    at: usize,
    line: u32,
    column: u32,
}

impl Place {
    fn advance(&mut self, text: &str, at: usize) {
        let passed = &text[self.at..at];
        if self.line == 0 {
            (self.line, self.column) = (1, 1);
        }
        match passed.rfind('\n') {
            Some(newline) => {
                self.line += passed.bytes().filter(|&b| b == b'\n').count() as u32;
                self.column = passed[newline + 1..].chars().count() as u32 + 1;
            }
            None => self.column += passed.chars().count() as u32,
        }
        self.at = at;
    }
}
