//! What an XLIA file says, as far as models can say it too.

/// `system NAME { … }`.
#[derive(Default)]
pub(super) struct System {
    pub name: String,
    pub scope: Scope,
    pub machines: Vec<Machine>,
    pub instances: Vec<Instance>,
    pub connectors: Vec<Connector>,
    /// What its `@init` does.
    pub start: Vec<Statement>,
    /// Values that its `@init` gives to parameters of machines.
    pub given: Vec<Given>,
}

/// What a system or a machine declares.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub types: Vec<TypeDefinition>,
    pub variables: Vec<Variable>,
    pub ports: Vec<Port>,
    pub routines: Vec<Routine>,
}

#[derive(Clone)]
pub(super) struct TypeDefinition {
    pub name: String,
    pub line: usize,
    pub body: TypeBody,
}

#[derive(Clone)]
pub(super) enum TypeBody {
    Enumeration(Vec<String>),
    Record(Vec<(String, Type)>),
    /// Another name for a type.
    Same(Type),
}

#[derive(Clone)]
pub(super) enum Type {
    Bool,
    Text,
    Number(Number),
    Clock,
    Named(String),
    Array(Box<Type>, Expr),
}

/// A number, and between which bounds it is.
#[derive(Clone, Default)]
pub(super) struct Number {
    /// Whether it has a fraction.
    pub is_real: bool,
    /// Conditions of the form `bound < x`, or `bound <= x`.
    pub least: Option<Bound>,
    /// Conditions of the form `x < bound`, or `x <= bound`.
    pub most: Option<Bound>,
}

#[derive(Clone)]
pub(super) struct Bound {
    pub value: Expr,
    pub is_strict: bool,
}

#[derive(Clone)]
pub(super) struct Variable {
    pub name: String,
    pub line: usize,
    pub ty: Type,
    pub value: Option<Expr>,
    pub is_constant: bool,
}

#[derive(Clone)]
pub(super) struct Port {
    pub name: String,
    /// What goes through it, with names where they are given.
    pub payload: Vec<(Option<String>, Type)>,
}

/// A routine with statements, or with one expression that it returns.
#[derive(Clone)]
pub(super) struct Routine {
    pub name: String,
    pub line: usize,
    pub parameters: Vec<(String, Type)>,
    pub result: Option<Type>,
    pub body: Vec<Statement>,
    pub returned: Option<Expr>,
}

#[derive(Clone, Default)]
pub(super) struct Machine {
    pub name: String,
    pub line: usize,
    /// Whether only instances of it run.
    pub is_model: bool,
    pub scope: Scope,
    pub states: Vec<State>,
    pub connectors: Vec<Connector>,
    pub start: Vec<Statement>,
}

/// `instance statemachine< MODEL > NAME( parameter: value )`.
#[derive(Clone)]
pub(super) struct Instance {
    pub name: String,
    pub line: usize,
    pub model: String,
    pub given: Vec<Given>,
}

/// A value for a parameter of a machine.
#[derive(Clone)]
pub(super) struct Given {
    /// The machine; for an instance that says it itself, the instance.
    pub machine: String,
    pub parameter: String,
    pub line: usize,
    pub value: Expr,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StateKind {
    Plain,
    /// Where the machine begins.
    Start,
    /// Left before anything else happens.
    Initial,
    /// Left in the same step in which it is entered.
    Choice,
}

#[derive(Clone)]
pub(super) struct State {
    pub name: String,
    pub line: usize,
    pub kind: StateKind,
    pub transitions: Vec<Transition>,
    /// What `@init` does.
    pub start: Vec<Statement>,
    /// What `@enable` does whenever the state is entered.
    pub entry: Vec<Statement>,
}

#[derive(Clone)]
pub(super) struct Transition {
    pub name: Option<String>,
    pub line: usize,
    pub target: String,
    pub is_else: bool,
    pub body: Vec<Statement>,
}

#[derive(Clone)]
pub(super) struct Statement {
    pub line: usize,
    pub kind: StatementKind,
}

#[derive(Clone)]
pub(super) enum StatementKind {
    Input {
        port: String,
        targets: Vec<Expr>,
    },
    Output {
        port: String,
        values: Vec<Expr>,
    },
    Guard(Expr),
    Assign {
        target: Expr,
        value: Expr,
    },
    /// A routine that is run.
    Call {
        routine: String,
        arguments: Vec<Expr>,
    },
    If {
        condition: Expr,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
}

#[derive(Clone)]
pub(super) struct Connector {
    pub line: usize,
    pub protocol: Protocol,
    pub ends: Vec<End>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocol {
    Environment,
    Rendezvous,
    /// A queue of so many messages.
    Queue(u32),
}

#[derive(Clone)]
pub(super) struct End {
    pub line: usize,
    pub machine: Option<String>,
    pub port: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Expr {
    /// A number or a text, as models write it too.
    Literal(String),
    Name(String),
    /// Whatever value.
    Any,
    Field(Box<Expr>, String),
    Index(Box<Expr>, Box<Expr>),
    List(Vec<Expr>),
    Call(String, Vec<Expr>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    /// With an operator as models write it.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
}

impl Expr {
    pub fn binary(operator: &'static str, left: Expr, right: Expr) -> Expr {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }

    pub fn not(self) -> Expr {
        Expr::Not(Box::new(self))
    }

    /// All of the conditions; none if there are none.
    pub fn all(conditions: impl IntoIterator<Item = Expr>) -> Option<Expr> {
        let all = conditions.into_iter();
        all.reduce(|left, right| Expr::binary("and", left, right))
    }

    /// The variable that a place is in: `a` of `a[2].f`.
    pub fn root(&self) -> Option<&str> {
        match self {
            Expr::Name(name) => Some(name),
            Expr::Field(of, _) | Expr::Index(of, _) => of.root(),
            _ => None,
        }
    }

    fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Literal(_) | Expr::Name(_) | Expr::Any => Vec::new(),
            Expr::Field(of, _) | Expr::Not(of) | Expr::Negate(of) => vec![of],
            Expr::Index(a, b) | Expr::Binary(_, a, b) => vec![a, b],
            Expr::List(parts) | Expr::Call(_, parts) => parts.iter().collect(),
            Expr::If(a, b, c) => vec![a, b, c],
        }
    }

    /// Whether some part of it, or the whole, is such.
    pub fn has(&self, is_such: &dyn Fn(&Expr) -> bool) -> bool {
        is_such(self) || self.parts().into_iter().any(|part| part.has(is_such))
    }

    /// Whether it reads the variable.
    pub fn mentions(&self, name: &str) -> bool {
        self.has(&|part| matches!(part, Expr::Name(it) if it == name))
    }

    /// The expression with others for some of its parts; what is replaced is not looked into.
    pub fn replaced(&self, by: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
        if let Some(other) = by(self) {
            return other;
        }
        let inner = |part: &Expr| Box::new(part.replaced(by));
        let all = |parts: &[Expr]| parts.iter().map(|part| part.replaced(by)).collect();
        match self {
            Expr::Literal(_) | Expr::Name(_) | Expr::Any => self.clone(),
            Expr::Field(of, field) => Expr::Field(inner(of), field.clone()),
            Expr::Not(of) => Expr::Not(inner(of)),
            Expr::Negate(of) => Expr::Negate(inner(of)),
            Expr::Index(a, b) => Expr::Index(inner(a), inner(b)),
            Expr::Binary(operator, a, b) => Expr::Binary(operator, inner(a), inner(b)),
            Expr::List(parts) => Expr::List(all(parts)),
            Expr::Call(function, parts) => Expr::Call(function.clone(), all(parts)),
            Expr::If(a, b, c) => Expr::If(inner(a), inner(b), inner(c)),
        }
    }
}
