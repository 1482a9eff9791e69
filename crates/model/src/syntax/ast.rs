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
        values: Vec<Name>,
    },
    Record {
        name: Name,
        fields: Vec<(Name, Type)>,
    },
    Channel {
        name: Name,
        payload: Vec<Type>,
    },
    Function(Function),
    Automaton(Automaton),
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
    /// The bits of `Int<16>`.
    pub width: Option<Expr>,
    /// The lengths of `Int[2][3]`, the outermost first.
    pub lengths: Vec<Expr>,
}

/// An external function.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    pub parameters: Vec<(Option<Name>, Type)>,
    pub result: Type,
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
    pub variables: Vec<Variable>,
    pub initial: Option<Name>,
    pub states: Vec<Name>,
    pub transitions: Vec<Transition>,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Name,
    pub ty: Type,
    pub initial: Option<Expr>,
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
    pub assignments: Vec<(Expr, Expr)>,
    /// Outputs that follow, each with the assignments behind it.
    pub then: Vec<(Action, Vec<(Expr, Expr)>)>,
    pub span: Span,
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
    Call(Name, Vec<Expr>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
}
