//! XLIA text, read into what it says.
//!
//! The grammar is that of the Xtext editor of Eclipse EFM, without what models cannot say. What
//! is not understood is noted with its line, and reading goes on behind it, so that all of it
//! is named at once.

mod declaration;
mod expression;
mod statement;

use super::ast::{Connector, End, Given, Instance, Machine, Protocol, Scope, State, StateKind};
use super::ast::{Statement, System, Transition};
use super::lexer::{Kind, Token, tokens};

/// What was not understood, with its line.
struct Refused(String);

type Read<T> = Result<T, Refused>;

/// How deep blocks and expressions may nest.
const DEPTH: usize = 60;

/// Words before a declaration that say nothing about what a system does.
const MODIFIERS: [&str; 14] = [
    "public",
    "private",
    "protected",
    "package",
    "static",
    "volatile",
    "unsafe",
    "optional",
    "timed",
    "timed#dense",
    "timed#discrete",
    "lifeline",
    "transient",
    "macro",
];

/// Sections that say nothing but what kind of declarations follows.
const MARKERS: [&str; 19] = [
    "@property",
    "@public",
    "@private",
    "@protected",
    "@local",
    "@parameter",
    "@param",
    "@macro",
    "@routine",
    "@region",
    "@state",
    "@machine",
    "@composite",
    "@model",
    "@instance",
    "@behavior",
    "@statemachine",
    "@moe",
    "@com",
];

/// A file that was read, and what was noticed.
pub(super) struct File {
    pub system: System,
    pub notes: Vec<String>,
    pub refused: Vec<String>,
}

/// What the text says.
pub(super) fn read(text: &str) -> File {
    let mut file = File {
        system: System::default(),
        notes: Vec::new(),
        refused: Vec::new(),
    };
    match tokens(text) {
        Err(what) => file.refused.push(what),
        Ok(tokens) => {
            let mut reader = Reader {
                tokens,
                at: 0,
                depth: 0,
                notes: Vec::new(),
                refused: Vec::new(),
            };
            match reader.system() {
                Ok(system) => file.system = system,
                Err(Refused(what)) => reader.refused.push(what),
            }
            (file.notes, file.refused) = (reader.notes, reader.refused);
        }
    }
    file
}

struct Reader<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    depth: usize,
    notes: Vec<String>,
    refused: Vec<String>,
}

/// What stands between the brackets of a system or a machine.
#[derive(Default)]
struct Body {
    scope: Scope,
    states: Vec<State>,
    machines: Vec<Machine>,
    instances: Vec<Instance>,
    connectors: Vec<Connector>,
    start: Vec<Statement>,
    given: Vec<Given>,
}

impl<'t> Reader<'t> {
    fn system(&mut self) -> Read<System> {
        self.prologue()?;
        self.modifiers();
        self.expect("system")?;
        self.order("a system", &["and", "or"])?;
        let name = self.name()?;
        self.title();
        self.expect("{")?;
        let mut body = Body::default();
        self.parts(&mut body);
        // Where a section follows the end, the bracket before it was one too many.
        while self.peek().kind == Kind::Section {
            let line = self.tokens[self.at.saturating_sub(1)].line;
            let note = format!("line {line}: a `}}` too many, since the system goes on");
            self.notes.push(note);
            self.parts(&mut body);
        }
        if self.peek().kind != Kind::End {
            return self.refuse("behind the system");
        }
        if let Some(state) = body.states.first() {
            let what = format!("line {}: a state outside of machines", state.line);
            self.refused.push(what);
        }
        Ok(System {
            name,
            scope: body.scope,
            machines: body.machines,
            instances: body.instances,
            connectors: body.connectors,
            start: body.start,
            given: body.given,
        })
    }

    /// `@xlia< system , 1.0 >:`.
    fn prologue(&mut self) -> Read<()> {
        let known = ["@xlia", "@xfsp", "@xfml", "@fml", "@FormalML", "@diversity"];
        if !known.contains(&self.peek().text) {
            return self.refuse("where the prologue `@xlia< system , 1.0 >:` should be");
        }
        while self.peek().kind != Kind::End && self.next().text != ">" {}
        self.expect(":")
    }

    /// Everything up to the closing bracket.
    fn parts(&mut self, body: &mut Body) {
        loop {
            if self.eat("}") {
                return;
            }
            if self.peek().kind == Kind::End {
                let what = format!("line {}: a `}}` is missing", self.peek().line);
                return self.refused.push(what);
            }
            let before = self.at;
            if let Err(Refused(what)) = self.part(body) {
                self.refused.push(what);
                self.at = before;
                self.skip();
            }
        }
    }

    fn part(&mut self, body: &mut Body) -> Read<()> {
        if self.peek().kind == Kind::Section {
            return self.section(body);
        }
        let before = self.at;
        self.modifiers();
        match self.peek().text {
            "model" | "prototype" | "statemachine" => {
                let machine = self.machine()?;
                body.machines.push(machine);
            }
            "state" | "pseudostate" => {
                let state = self.state()?;
                body.states.push(state);
            }
            "instance" => {
                let instance = self.instance()?;
                body.instances.push(instance);
            }
            "connect" | "connector" => {
                let connector = self.connector()?;
                body.connectors.push(connector);
            }
            _ => {
                self.at = before;
                self.declaration(&mut body.scope)?;
            }
        }
        Ok(())
    }

    fn section(&mut self, body: &mut Body) -> Read<()> {
        let section = self.peek();
        match section.text {
            "@init" => {
                self.at += 1;
                let (statements, given) = self.start()?;
                body.start.extend(statements);
                body.given.extend(given);
                Ok(())
            }
            "@schedule" | "@concurrency" => self.schedule(),
            marker if MARKERS.contains(&marker) && self.peek_at(1).text == ":" => {
                self.at += 2;
                Ok(())
            }
            _ => self.refuse(""),
        }
    }

    /// `@schedule{ |i| run A; run B; }`: all of them in any order, as automata run.
    fn schedule(&mut self) -> Read<()> {
        let line = self.next().line;
        self.expect("{")?;
        let (mut runs, mut is_interleaved) = (0, false);
        while !self.eat("}") {
            match (self.peek().kind, self.next().text) {
                (_, "|i|" | "|interleaving|") => is_interleaved = true,
                (_, "run") => runs += 1,
                (Kind::Word, _) | (_, ";") => {}
                (_, other) => {
                    let what = format!("line {line}: `{other}` in @schedule");
                    return Err(Refused(what));
                }
            }
        }
        if runs > 1 && !is_interleaved {
            let what = format!("line {line}: machines that run one after the other");
            return Err(Refused(what));
        }
        Ok(())
    }

    fn machine(&mut self) -> Read<Machine> {
        let is_model = self.eat("model") || self.eat("prototype");
        self.expect("statemachine")?;
        self.order("a machine", &["or"])?;
        let line = self.peek().line;
        let name = self.name()?;
        self.title();
        self.expect("{")?;
        let mut body = Body::default();
        self.parts(&mut body);
        let inner = body.machines.iter().map(|it| it.line);
        let inner = inner.chain(body.instances.iter().map(|it| it.line));
        let inner: Vec<String> = inner
            .map(|line| format!("line {line}: a machine in a machine"))
            .collect();
        self.refused.extend(inner);
        Ok(Machine {
            name,
            line,
            is_model,
            scope: body.scope,
            states: body.states,
            connectors: body.connectors,
            start: body.start,
        })
    }

    /// `< or >`: how the parts of something run.
    fn order(&mut self, of: &str, known: &[&str]) -> Read<()> {
        if !self.eat("<") {
            return Ok(());
        }
        if self.eat("moc") {
            self.expect(":")?;
        }
        if !known.contains(&self.peek().text) {
            let what = format!("line {}: {of}< {} >", self.peek().line, self.peek().text);
            return Err(Refused(what));
        }
        self.at += 1;
        self.expect(">")
    }

    fn instance(&mut self) -> Read<Instance> {
        self.expect("instance")?;
        if !self.eat("statemachine") {
            self.eat("machine");
        }
        self.expect("<")?;
        if self.peek_at(1).text == ":" {
            self.at += 2;
        }
        let model = self.name()?;
        self.expect(">")?;
        let line = self.peek().line;
        let name = self.name()?;
        self.title();
        let mut given = Vec::new();
        if self.eat("(") {
            given = self.given(&name)?;
        }
        self.expect(";")?;
        Ok(Instance {
            name,
            line,
            model,
            given,
        })
    }

    /// `parameter: value, …)`.
    fn given(&mut self, machine: &str) -> Read<Vec<Given>> {
        let mut given = Vec::new();
        while !self.eat(")") {
            let line = self.peek().line;
            let parameter = self.name()?;
            if !self.eat(":") && !self.eat("=") && !self.eat(":=") {
                return self.refuse("where `:` and a value should be");
            }
            let value = self.expression()?;
            given.push(Given {
                machine: machine.to_owned(),
                parameter,
                line,
                value,
            });
            if self.peek().text != ")" {
                self.expect(",")?;
            }
        }
        Ok(given)
    }

    fn state(&mut self) -> Read<State> {
        let line = self.next().line;
        let mut kind = StateKind::Plain;
        if self.eat("<") {
            if self.eat("moc") {
                self.expect(":")?;
            }
            kind = match self.next().text {
                "simple" | "final" | "terminal" => StateKind::Plain,
                "start" => StateKind::Start,
                "initial" => StateKind::Initial,
                "choice" | "junction" => StateKind::Choice,
                other => return Err(Refused(format!("line {line}: a state< {other} >"))),
            };
            self.expect(">")?;
        }
        let mut state = State {
            name: self.name()?,
            line,
            kind,
            transitions: Vec::new(),
            start: Vec::new(),
            entry: Vec::new(),
        };
        self.title();
        if self.eat(";") {
            return Ok(state);
        }
        self.expect("{")?;
        while !self.eat("}") {
            let before = self.at;
            if let Err(Refused(what)) = self.state_part(&mut state) {
                self.refused.push(what);
                self.at = before;
                self.skip();
            }
            if self.peek().kind == Kind::End {
                return self.refuse("a `}` is missing");
            }
        }
        Ok(state)
    }

    fn state_part(&mut self, state: &mut State) -> Read<()> {
        match self.peek().text {
            "@transition" | "@moe" if self.peek_at(1).text == ":" => self.at += 2,
            "@init" => {
                self.at += 1;
                let statements = self.block()?;
                state.start.extend(statements);
            }
            "@enable" => {
                self.at += 1;
                let statements = self.block()?;
                state.entry.extend(statements);
            }
            "transition" | "transient" => {
                let transition = self.transition()?;
                state.transitions.push(transition);
            }
            "state" | "pseudostate" => {
                let what = format!("line {}: a state in a state", self.peek().line);
                return Err(Refused(what));
            }
            _ => return self.refuse(""),
        }
        Ok(())
    }

    fn transition(&mut self) -> Read<Transition> {
        self.eat("transient");
        let line = self.peek().line;
        self.expect("transition")?;
        let mut is_else = false;
        if self.eat("<") {
            if self.eat("moc") {
                self.expect(":")?;
            }
            match self.next().text {
                "simple" => {}
                "else" => is_else = true,
                other => return Err(Refused(format!("line {line}: a transition< {other} >"))),
            }
            self.expect(">")?;
        }
        let name = match self.peek().kind == Kind::Word {
            true => Some(self.name()?),
            false => None,
        };
        self.title();
        let mut body = Vec::new();
        let target;
        if self.peek().text == "{" {
            body = self.block()?;
            self.expect("-->")?;
            target = self.name()?;
            self.expect(";")?;
        } else {
            self.expect("-->")?;
            target = self.name()?;
            if !self.eat(";") {
                body = self.block()?;
            }
        }
        Ok(Transition {
            name,
            line,
            target,
            is_else,
            body,
        })
    }

    /// `connect< rdv >{ output A->x; input B->x; }`.
    fn connector(&mut self) -> Read<Connector> {
        let line = self.next().line;
        self.expect("<")?;
        let protocol = match self.next().text {
            "env" => Protocol::Environment,
            "rdv" => Protocol::Rendezvous,
            "fifo" => self.queue()?,
            "buffer" if matches!(self.peek().text, ":" | "<") => {
                let is_nested = self.next().text == "<";
                if !self.eat("fifo") {
                    return self.refuse("where `fifo` should be");
                }
                let queue = self.queue()?;
                if is_nested {
                    self.expect(">")?;
                }
                queue
            }
            other => return Err(Refused(format!("line {line}: connect< {other} >"))),
        };
        self.expect(">")?;
        if self.peek().kind == Kind::Word {
            self.at += 1;
        }
        self.title();
        self.expect("{")?;
        let mut ends = Vec::new();
        while !self.eat("}") {
            if !self.eat("input") && !self.eat("output") {
                return self.refuse("where `input` or `output` should be");
            }
            let closing = match self.peek().text {
                "[" => Some("]"),
                "{" => Some("}"),
                _ => None,
            };
            self.at += usize::from(closing.is_some());
            loop {
                let end = self.end()?;
                ends.push(end);
                let goes_on = closing.is_some() && (self.eat(",") || self.eat(";"));
                if !goes_on || closing == Some(self.peek().text) {
                    break;
                }
            }
            if let Some(closing) = closing {
                self.expect(closing)?;
            }
            if closing != Some("}") {
                self.expect(";")?;
            }
        }
        Ok(Connector {
            line,
            protocol,
            ends,
        })
    }

    /// How many messages a queue takes: `<3>`.
    fn queue(&mut self) -> Read<Protocol> {
        let line = self.peek().line;
        let closing = match self.next().text {
            "<" => ">",
            "[" => "]",
            _ => return Err(Refused(format!("line {line}: a fifo of any length"))),
        };
        if self.eat("size") {
            self.expect(":")?;
        }
        let length = self.next().text.parse();
        let length = length.map_err(|_| Refused(format!("line {line}: a fifo of any length")))?;
        self.expect(closing)?;
        Ok(Protocol::Queue(length))
    }

    fn end(&mut self) -> Read<End> {
        let line = self.peek().line;
        let first = self.name()?;
        let (machine, port) = match self.eat("->") || self.eat(".") {
            true => (Some(first), self.name()?),
            false => (None, first),
        };
        Ok(End {
            line,
            machine,
            port,
        })
    }
}

/// Tokens.
impl<'t> Reader<'t> {
    fn peek(&self) -> Token<'t> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Token<'t> {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + ahead).min(last)]
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// Passes over the token if it is this one; a text is none.
    fn eat(&mut self, text: &str) -> bool {
        let token = self.peek();
        let is_it = token.text == text && !matches!(token.kind, Kind::Text | Kind::End);
        self.at += usize::from(is_it);
        is_it
    }

    fn expect(&mut self, text: &str) -> Read<()> {
        match self.eat(text) {
            true => Ok(()),
            false => self.refuse(&format!("where `{text}` should be")),
        }
    }

    fn name(&mut self) -> Read<String> {
        match self.peek().kind {
            Kind::Word => Ok(self.next().text.to_owned()),
            _ => self.refuse("where a name should be"),
        }
    }

    /// A text behind a name, for people.
    fn title(&mut self) {
        self.at += usize::from(self.peek().kind == Kind::Text);
    }

    fn modifiers(&mut self) {
        while MODIFIERS.contains(&self.peek().text) {
            self.at += 1;
        }
    }

    /// The token that is next is not understood.
    fn refuse<T>(&self, where_: &str) -> Read<T> {
        let Token { kind, text, line } = self.peek();
        let shown = match kind {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("`{text}`"),
        };
        let space = if where_.is_empty() { "" } else { " " };
        Err(Refused(format!("line {line}: {shown}{space}{where_}")))
    }

    /// Goes behind the declaration or the statement that begins here.
    fn skip(&mut self) {
        let first = self.at;
        let mut open = 0usize;
        loop {
            let token = self.peek();
            match token.text {
                _ if token.kind == Kind::End => return,
                "}" if open == 0 => return,
                _ if token.kind == Kind::Section && open == 0 && self.at > first => return,
                ";" if open == 0 => {
                    self.at += 1;
                    return;
                }
                "{" => open += 1,
                "}" => open -= 1,
                _ => {}
            }
            self.at += 1;
            if token.text == "}" && open == 0 && self.peek().text != "-->" {
                self.eat(";");
                return;
            }
        }
    }

    /// Reads something that may hold more of its kind.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= DEPTH {
            let line = self.peek().line;
            return Err(Refused(format!("line {line}: more than {DEPTH} levels")));
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }
}
