//! The parser: tokens in, syntax tree out, with every error it can find.
//!
//! After an error it goes on at the next line that begins a declaration, so that
//! one mistake hides no other.

mod automaton;
mod expressions;

use super::ast::*;
use super::lexer::{Kind, Token, tokens};
use super::{Fault, Span};

/// How deep expressions may nest; deeper ones are no model a person wrote.
const DEPTH: usize = 200;
/// How many operators may follow each other in one expression.
const CHAIN: usize = 1000;

/// The file, and what is wrong with it.
pub(crate) fn parse(text: &str) -> (File, Vec<Fault>) {
    let (mut tokens, faults) = tokens(text);
    tokens.retain(|token| token.kind != Kind::Comment);
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        faults,
    };
    let file = parser.file();
    parser.faults.sort_by_key(|fault| fault.span.start);
    (file, parser.faults)
}

/// An expression that is the whole text, and what is wrong with it.
pub(crate) fn parse_condition(text: &str) -> (Option<Expr>, Vec<Fault>) {
    let (mut tokens, faults) = tokens(text);
    tokens.retain(|token| token.kind != Kind::Comment);
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        faults,
    };
    let parsed = parser.expression().ok();
    if parsed.is_some() && parser.peek().kind != Kind::End {
        let message = format!("{} where the condition should end", shown(parser.peek()));
        parser.faults.push(Fault::new(parser.peek().span, message));
    }
    (parsed, parser.faults)
}

/// An error was recorded.
struct Failed;

type Parsed<T> = Result<T, Failed>;

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    depth: usize,
    faults: Vec<Fault>,
}

/// Words that begin a declaration.
const ITEMS: [&str; 13] = [
    "model",
    "param",
    "const",
    "enum",
    "record",
    "channel",
    "codec",
    "function",
    "var",
    "clock",
    "automaton",
    "instance",
    "import",
];

impl<'a> Parser<'a> {
    fn file(&mut self) -> File {
        let mut file = File::default();
        while self.peek().kind != Kind::End {
            let before = self.at;
            match self.item() {
                Ok(items) => file.items.extend(items),
                Err(Failed) => {
                    self.at = self.at.max(before + 1).min(self.tokens.len() - 1);
                    self.skip(|parser| is_landmark(parser.peek().text));
                }
            }
        }
        file
    }

    fn item(&mut self) -> Parsed<Vec<Item>> {
        let word = self.peek();
        if word.kind != Kind::Word || !ITEMS.contains(&word.text) {
            return self.fail(format!(
                "{} where a declaration should be: param, const, enum, record, channel, codec, \
                 function, var, clock, automaton or instance",
                shown(word)
            ));
        }
        self.at += 1;
        Ok(match word.text {
            "model" => {
                self.name("the model's name")?;
                Vec::new()
            }
            "param" | "const" => {
                let name = self.name("the constant's name")?;
                self.expect("=")?;
                let value = self.expression()?;
                vec![Item::Constant(Constant {
                    name,
                    value,
                    is_parameter: word.text == "param",
                })]
            }
            "enum" => {
                let name = self.name("the enumeration's name")?;
                self.expect("{")?;
                let values = self.list("}", |parser| {
                    let value = parser.name("a value")?;
                    let data = match parser.eat("(") {
                        true => parser.fields(")")?,
                        false => Vec::new(),
                    };
                    Ok((value, data))
                })?;
                vec![Item::Enumeration { name, values }]
            }
            "record" => {
                let name = self.name("the record's name")?;
                self.expect("{")?;
                let fields = self.fields("}")?;
                vec![Item::Record { name, fields }]
            }
            "channel" => self.channels()?,
            "codec" => vec![Item::Codec(self.codec()?)],
            "function" => vec![Item::Function(self.function()?)],
            "var" => {
                let variables = self.variables()?.into_iter();
                variables.map(Item::Variable).collect()
            }
            "clock" => {
                let clocks = self.clocks()?.into_iter();
                clocks.map(Item::Variable).collect()
            }
            "automaton" => vec![Item::Automaton(self.automaton()?)],
            "instance" => self.instances()?,
            _ => return self.fail_at(word.span, "there are no imports; keep a model in one file"),
        })
    }

    /// Names with their types, up to the closing bracket.
    fn fields(&mut self, closing: &str) -> Parsed<Vec<(Name, Type)>> {
        self.list(closing, |parser| {
            let name = parser.name("a field")?;
            parser.expect(":")?;
            Ok((name, parser.ty()?))
        })
    }

    fn channels(&mut self) -> Parsed<Vec<Item>> {
        let mut items = Vec::new();
        loop {
            let name = self.name("the channel's name")?;
            let mut payload = Vec::new();
            if self.eat("(") {
                payload = self.list(")", |parser| {
                    let mut name = None;
                    if parser.peek_at(1).text == ":" {
                        name = Some(parser.name("the value's name")?);
                        parser.expect(":")?;
                    }
                    Ok((name, parser.ty()?))
                })?;
            }
            let mut channel = Channel {
                name,
                payload,
                is_visible: false,
                queue: None,
                is_lossy: false,
            };
            self.channel_kind(&mut channel)?;
            items.push(Item::Channel(channel));
            if !self.eat(",") {
                return Ok(items);
            }
        }
    }

    /// `visible`, or `queue 3`, or `queue 3 lossy`, behind a channel.
    fn channel_kind(&mut self, channel: &mut Channel) -> Parsed<()> {
        if self.eat("visible") {
            channel.is_visible = true;
        } else if self.eat("queue") {
            channel.queue = Some(self.primary()?);
            channel.is_lossy = self.eat("lossy");
        }
        Ok(())
    }

    fn codec(&mut self) -> Parsed<Codec> {
        let kind = self.name("the codec's kind")?;
        let length = match self.peek().text == "{" {
            true => None,
            false => Some(self.primary()?),
        };
        self.expect("{")?;
        let entries = self.list("}", |parser| {
            let channel = parser.name("a channel")?;
            parser.expect("=")?;
            Ok((channel, parser.expression()?))
        })?;
        Ok(Codec {
            kind,
            length,
            entries,
        })
    }

    fn instances(&mut self) -> Parsed<Vec<Item>> {
        let mut items = Vec::new();
        loop {
            let name = self.name("the instance's name")?;
            self.expect("=")?;
            let template = self.name("the template's name")?;
            self.expect("(")?;
            let arguments = self.list(")", Self::expression)?;
            items.push(Item::Instance(Instance {
                name,
                template,
                arguments,
            }));
            if !self.eat(",") {
                return Ok(items);
            }
        }
    }

    fn ty(&mut self) -> Parsed<Type> {
        let name = self.name("a type")?;
        let (mut of, mut width) = (Vec::new(), None);
        if self.eat("<") {
            let count = match name.text.as_str() {
                "List" | "Set" => 1,
                "Map" => 2,
                _ => 0,
            };
            for _ in 0..count {
                self.depth += 1;
                let inner = match self.depth > DEPTH {
                    true => self.fail("the type is nested too deeply; name its parts"),
                    false => self.ty(),
                };
                self.depth -= 1;
                of.push(inner?);
                self.expect(",")?;
            }
            width = Some(self.primary()?);
            self.expect(">")?;
        }
        let mut lengths = Vec::new();
        while self.eat("[") {
            lengths.push(self.expression()?);
            self.expect("]")?;
        }
        Ok(Type {
            name,
            of,
            width,
            lengths,
        })
    }

    fn function(&mut self) -> Parsed<Function> {
        let name = self.name("the function's name")?;
        self.expect("(")?;
        let parameters = self.list(")", |parser| {
            let mut name = None;
            if parser.peek_at(1).text == ":" {
                name = Some(parser.name("the parameter's name")?);
                parser.expect(":")?;
            }
            Ok((name, parser.ty()?))
        })?;
        self.expect(":")?;
        let result = self.ty()?;
        let (mut body, mut bindings) = (None, Vec::new());
        if self.eat("=") {
            body = Some(self.expression()?);
        } else if self.eat("{") {
            while !self.eat("}") {
                bindings.push(self.binding()?);
                self.eat(";");
                self.eat(",");
            }
        }
        Ok(Function {
            name,
            parameters,
            result,
            body,
            bindings,
        })
    }

    fn binding(&mut self) -> Parsed<Binding> {
        let word = self.peek();
        match word.text {
            "native" => {
                self.at += 1;
                let library = self.text();
                let is_symbol = self.peek().kind == Kind::Word && !self.peek().first;
                let symbol = is_symbol.then(|| self.name("the symbol")).transpose()?;
                Ok(Binding::Native {
                    library,
                    symbol,
                    span: word.span,
                })
            }
            "command" => {
                self.at += 1;
                match self.text() {
                    Some(command) => Ok(Binding::Command {
                        command,
                        span: word.span,
                    }),
                    None => self.fail(format!(
                        "{} where the command should be, in quotes",
                        shown(self.peek())
                    )),
                }
            }
            "table" => {
                self.at += 1;
                if let Some(file) = self.text() {
                    return Ok(Binding::TableFile { file });
                }
                self.expect("{")?;
                let rows = self.list("}", |parser| {
                    let arguments = if parser.eat("(") {
                        parser.list(")", Self::expression)?
                    } else {
                        vec![parser.expression()?]
                    };
                    parser.expect("->")?;
                    Ok((arguments, parser.expression()?))
                })?;
                Ok(Binding::Table { rows })
            }
            _ => self.fail(format!(
                "{} where `native`, `command`, `table` or `}}` should be",
                shown(word)
            )),
        }
    }

    /// Things separated by commas, up to the closing mark; a comma may stand
    /// before it.
    fn list<T>(
        &mut self,
        close: &str,
        mut element: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut found = Vec::new();
        loop {
            if self.eat(close) {
                return Ok(found);
            }
            found.push(element(self)?);
            if !self.eat(",") {
                self.eat(";");
                if self.peek().text != close && !(close == "}" && self.peek().first) {
                    self.expect(close)?;
                    return Ok(found);
                }
            }
        }
    }

    fn text(&mut self) -> Option<Name> {
        let token = self.peek();
        (token.kind == Kind::Text).then(|| {
            self.at += 1;
            let text = self.unescaped(token).unwrap_or_default();
            Name {
                text,
                span: token.span,
            }
        })
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let token = self.peek();
        if token.kind != Kind::Word {
            return self.fail(format!("{} where {what} should be", shown(token)));
        }
        if RESERVED.contains(&token.text) {
            return self.fail(format!(
                "`{}` has a meaning of its own and cannot be {what}",
                token.text
            ));
        }
        self.at += 1;
        Ok(Name {
            text: token.text.to_owned(),
            span: token.span,
        })
    }

    fn eat(&mut self, text: &str) -> bool {
        let token = self.peek();
        let found = token.text == text && matches!(token.kind, Kind::Mark | Kind::Word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Parsed<Span> {
        let token = self.peek();
        match self.eat(text) {
            true => Ok(token.span),
            false => self.fail(format!("{} where `{text}` should be", shown(token))),
        }
    }

    fn peek(&self) -> Token<'a> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Token<'a> {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + ahead).min(last)]
    }

    fn before(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// Goes on at the next token that begins a line and is one to go on at.
    fn skip(&mut self, stop: impl Fn(&Self) -> bool) {
        while self.peek().kind != Kind::End && !(self.peek().first && stop(self)) {
            self.at += 1;
        }
    }

    fn fail<T>(&mut self, message: impl Into<String>) -> Parsed<T> {
        self.fail_at(self.peek().span, message)
    }

    fn fail_at<T>(&mut self, span: Span, message: impl Into<String>) -> Parsed<T> {
        self.faults.push(Fault::new(span, message));
        Err(Failed)
    }
}

/// Words that cannot be names.
pub(crate) const RESERVED: [&str; 15] = [
    "when",
    "where",
    "while",
    "tau",
    "if",
    "then",
    "else",
    "and",
    "or",
    "not",
    "div",
    "mod",
    "implies",
    "var",
    "automaton",
];

/// Whether reading can go on here after a mistake: automata have variables and clocks too, so
/// `var` does not say where it is.
fn is_landmark(text: &str) -> bool {
    !matches!(text, "var" | "clock") && ITEMS.contains(&text)
}

fn shown(token: Token<'_>) -> String {
    match token.kind {
        Kind::End => "the end".to_owned(),
        _ => format!("`{}`", token.text),
    }
}
