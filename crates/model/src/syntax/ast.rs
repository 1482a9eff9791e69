//! The syntax tree of a model, as it was written.

use super::Span;
use crate::model::Operator;

/// A name and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct File {
    pub items: Vec<Item>,
}

#[derive(Clone, Debug)]
pub enum Item {
    Constant(Constant),
    Enumeration {
        name: Name,
        /// The values, each with its data.
        values: Vec<(Name, Vec<(Name, Type)>)>,
    },
    Record {
        name: Name,
        fields: Vec<(Name, Type)>,
    },
    Channel(Channel),
    Codec(Codec),
    Function(Function),
    /// A variable that all automata share.
    Variable(Variable),
    Automaton(Automaton),
    Instance(Instance),
}

#[derive(Clone, Debug)]
pub struct Channel {
    pub name: Name,
    pub payload: Vec<(Option<Name>, Type)>,
    /// Whether the environment sees what automata exchange on it.
    pub is_visible: bool,
    /// How many messages wait in it, where sending does not wait for the receiver.
    pub queue: Option<Expr>,
    /// Whether messages may be lost in the queue.
    pub is_lossy: bool,
}

/// `codec KIND LENGTH { channel = text or number }`.
#[derive(Clone, Debug)]
pub struct Codec {
    pub kind: Name,
    pub length: Option<Expr>,
    pub entries: Vec<(Name, Expr)>,
}

/// `instance NAME = TEMPLATE(argument, …)`.
#[derive(Clone, Debug)]
pub struct Instance {
    pub name: Name,
    pub template: Name,
    pub arguments: Vec<Expr>,
}

/// `const NAME = value`, or `param NAME = value`, which the user may override.
#[derive(Clone, Debug)]
pub struct Constant {
    pub name: Name,
    pub value: Expr,
    pub is_parameter: bool,
}

#[derive(Clone, Debug)]
pub struct Type {
    pub name: Name,
    /// What a `List<Int, 4>` is of.
    pub of: Vec<Type>,
    /// The bits of `Int<16>`, or how many elements a list has at most.
    pub width: Option<Expr>,
    /// The lengths of `Int[2][3]`, the outermost first.
    pub lengths: Vec<Expr>,
}

/// A function: an external one, or one that the model computes.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    pub parameters: Vec<(Option<Name>, Type)>,
    pub result: Type,
    /// What the model computes.
    pub body: Option<Expr>,
    pub bindings: Vec<Binding>,
}

#[derive(Clone, Debug)]
pub enum Binding {
    /// `native "library" symbol`.
    Native {
        library: Option<Name>,
        symbol: Option<Name>,
        span: Span,
    },
    /// `command "program argument …"`.
    Command { command: Name, span: Span },
    /// `table "file.csv"`.
    TableFile { file: Name },
    /// `table { (1, 2) -> 3 }`.
    Table { rows: Vec<(Vec<Expr>, Expr)> },
}

#[derive(Clone, Debug)]
pub struct Automaton {
    pub name: Name,
    /// What instances of a template give; an automaton by itself has none.
    pub parameters: Vec<Parameter>,
    pub variables: Vec<Variable>,
    pub initial: Option<Name>,
    pub states: Vec<Name>,
    /// How long it may stay in a state: `state s while x <= 5`.
    pub limits: Vec<(Name, Expr)>,
    pub transitions: Vec<Transition>,
    /// States with states in them, and regions.
    pub composites: Vec<Composite>,
    /// The regions right inside, while a state is read.
    pub regions: Vec<Name>,
}

/// `state NAME { … }`, or `region NAME { … }` in one.
#[derive(Clone, Debug)]
pub struct Composite {
    pub name: Name,
    /// The state inside where it begins.
    pub initial: Option<Name>,
    /// The states right inside, or the regions.
    pub inside: Vec<Name>,
    /// Whether it has regions inside, all of which last while it does.
    pub is_parallel: bool,
}

/// A parameter of a template.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: Name,
    /// The type of a value; none for a channel.
    pub ty: Option<Type>,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Name,
    pub ty: Type,
    pub initial: Option<Expr>,
    /// Whether it grows as time passes.
    pub is_clock: bool,
}

#[derive(Clone, Debug)]
pub struct Transition {
    pub name: Option<Name>,
    /// What `@req` says before it.
    pub requirements: Vec<String>,
    pub from: Name,
    pub to: Name,
    pub guard: Option<Expr>,
    /// Whether it is taken when no other one can be: `when else`.
    pub is_else: bool,
    pub action: Action,
    pub assignments: Vec<Assignment>,
    /// Whether a state around `from` says it, so that there need not be others for `else`.
    pub is_inherited: bool,
    /// Outputs that follow, each with the assignments behind it.
    pub then: Vec<(Action, Vec<Assignment>)>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Assignment {
    pub target: Expr,
    pub value: Expr,
    /// Whether it happens at once with the one before it: `(x, y) := (y, x)`.
    pub is_joined: bool,
}

#[derive(Clone, Debug)]
pub enum Action {
    /// `tau`, or nothing written.
    Internal,
    /// `channel?(x, y) where condition`.
    Input {
        channel: Name,
        targets: Vec<Expr>,
        condition: Option<Expr>,
    },
    /// `channel!(t, u)`.
    Output { channel: Name, values: Vec<Expr> },
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Digits; with a point or an exponent a Real.
    Number(String),
    Text(String),
    Name(String),
    /// `any`: whatever value.
    Any,
    Index(Box<Expr>, Box<Expr>),
    Field(Box<Expr>, Name),
    List(Vec<Expr>),
    /// `[1 -> 2]`: the keys and values of a map.
    Pairs(Vec<(Expr, Expr)>),
    Call(Name, Vec<Expr>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
}
