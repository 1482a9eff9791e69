//! A model as the rest of the crate uses it: names resolved, types checked,
//! constants computed.

use crate::codec::Codec;
use crate::command_line::CommandLine;
use crate::types::Type;
use term::Value;

/// The channel on which time passes.
pub(crate) const DELAY: &str = "delay";

/// A checked model.
#[derive(Clone, Debug)]
pub struct Model {
    /// Constants and parameters with their values.
    pub constants: Vec<Constant>,
    /// The channels.
    pub channels: Vec<Channel>,
    /// How messages look on the wire.
    pub codec: Codec,
    /// The external functions.
    pub functions: Vec<Function>,
    /// The functions that the model itself computes.
    pub definitions: Vec<Definition>,
    /// The automata.
    pub automata: Vec<Automaton>,
    /// The attribute variables of all automata.
    pub variables: Vec<Variable>,
    /// The transitions of all automata, in the order of the file.
    pub transitions: Vec<Transition>,
    /// The channel on which time passes, where the model has clocks.
    pub time: Option<usize>,
}

/// A constant or a parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its leaves.
    pub value: Vec<Value>,
    /// Whether the user may override it.
    pub is_parameter: bool,
}

/// A channel.
#[derive(Clone, PartialEq, Debug)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// The types of the values that go through it.
    pub payload: Vec<Type>,
    /// The names of those values; empty where the model gives none.
    pub names: Vec<String>,
    /// Whether automata of the model synchronize on it, so that the environment neither
    /// sees nor uses it.
    pub is_shared: bool,
    /// Whether the environment sees what automata exchange on it, as outputs.
    pub is_visible: bool,
}

/// An external function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Names and types of its parameters.
    pub parameters: Vec<(String, Type)>,
    /// The type of its result, a leaf.
    pub result: Type,
    /// How it is run.
    pub run: Run,
    /// Where the model says so; where it declares the function if it does not.
    pub run_location: Location,
    /// The tables to read, as the model names the files, and where it names them.
    pub files: Vec<(String, Location)>,
    /// The rows in the model: leaves of the arguments, and the result.
    pub rows: Vec<(Vec<Value>, Value)>,
    /// Where it is declared.
    pub location: Location,
}

/// A function that the model itself computes.
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The types of its parameters.
    pub parameters: Vec<Type>,
    /// What it gives.
    pub body: Expr,
    /// Whether it applies itself; it then gives a leaf.
    pub is_recursive: bool,
    /// Whether a type brings it, as lists bring `append`, rather than the file.
    pub is_inherent: bool,
}

impl Definition {
    /// Whether the file calls it so.
    pub fn is_named(&self, name: &str) -> bool {
        !self.is_inherent && self.name == name
    }
}

/// A location in the text of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location {
    /// The line, counted from one.
    pub line: u32,
    /// The column, counted from one.
    pub column: u32,
}

/// How an external function is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Run {
    /// Not at all: there are only tables.
    Table,
    /// As a symbol of a library, or of the system where none is named.
    Native {
        /// The library's file as the model names it.
        library: Option<String>,
        /// The symbol.
        symbol: String,
    },
    /// By a command that reads its arguments from standard input as JSON.
    Command(CommandLine),
}

/// One automaton.
#[derive(Clone, PartialEq, Debug)]
pub struct Automaton {
    /// Its name.
    pub name: String,
    /// The names of its states.
    pub states: Vec<String>,
    /// The number of its initial state.
    pub initial: usize,
    /// By state: what must hold for time to pass in it; none if any time may.
    pub limits: Vec<Option<Expr>>,
}

/// An attribute variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The number of its automaton; none if all share it.
    pub automaton: Option<usize>,
    /// Its type.
    pub ty: Type,
    /// Its first leaf among those of all variables.
    pub offset: usize,
    /// Its initial value; none for any value at all.
    pub initial: Option<Vec<Value>>,
    /// Whether it grows as time passes.
    pub is_clock: bool,
}

/// A transition.
#[derive(Clone, PartialEq, Debug)]
pub struct Transition {
    /// Its name; one made of its number where the model gives none.
    pub name: String,
    /// The number of its automaton.
    pub automaton: usize,
    /// The state it leaves.
    pub from: usize,
    /// The state it enters.
    pub to: usize,
    /// When it may be taken.
    pub guard: Expr,
    /// What it sends or receives.
    pub action: Action,
    /// What it changes afterwards, one after the other.
    pub assignments: Vec<Assignment>,
    /// The requirements that it is there for.
    pub requirements: Vec<String>,
    /// The line it begins on.
    pub line: u32,
    /// Its text in the model.
    pub text: String,
}

impl Transition {
    /// Every expression in it, in the order of its parts.
    pub fn expressions(&self) -> Vec<&Expr> {
        let mut found = vec![&self.guard];
        match &self.action {
            Action::Internal => {}
            Action::Input {
                targets, condition, ..
            } => {
                found.extend(targets.iter().flat_map(Place::indices));
                found.push(condition);
            }
            Action::Output { values, .. } => found.extend(values),
        }
        for assignment in &self.assignments {
            found.extend(assignment.place.indices());
            found.push(&assignment.value);
        }
        found
    }
}

/// A variable, or a part of one, that takes a value.
#[derive(Clone, PartialEq, Debug)]
pub struct Assignment {
    /// What takes it.
    pub place: Place,
    /// The value.
    pub value: Expr,
    /// Whether it happens at once with the one before it, which it sees nothing of.
    pub is_joined: bool,
}

/// What a transition sends or receives.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// Nothing.
    Internal,
    /// Values from a channel.
    Input {
        /// The channel's number.
        channel: usize,
        /// Where the values go.
        targets: Vec<Place>,
        /// What holds of the values it may be given.
        condition: Expr,
    },
    /// Values to a channel.
    Output {
        /// The channel's number.
        channel: usize,
        /// The values.
        values: Vec<Expr>,
    },
}

/// A variable or a part of one.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// The first leaf of the variable.
    pub offset: usize,
    /// The variable's type.
    pub variable: Type,
    /// The steps from the variable to the part.
    pub steps: Vec<Step>,
    /// The part's type.
    pub ty: Type,
}

impl Place {
    /// The indices on the way to the part.
    fn indices(&self) -> impl Iterator<Item = &Expr> {
        self.steps.iter().filter_map(|step| match step {
            Step::Index(index) => Some(index),
            Step::Field(_) => None,
        })
    }
}

/// A step towards a part.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// An element.
    Index(Expr),
    /// A field, by the number of leaves before it.
    Field(usize),
}

/// An expression and its type.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
}

impl Expr {
    /// The expressions it is made of.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Value(_)
            | ExprKind::Any
            | ExprKind::Variable(_)
            | ExprKind::Parameter(..) => Vec::new(),
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => vec![a, b],
            ExprKind::Field(a, _)
            | ExprKind::Not(a)
            | ExprKind::Negate(a)
            | ExprKind::Convert(a) => vec![a],
            ExprKind::Gather(parts)
            | ExprKind::Call(_, parts)
            | ExprKind::Apply(_, parts)
            | ExprKind::Builtin(_, parts) => parts.iter().collect(),
            ExprKind::If(a, b, c) => vec![a, b, c],
        }
    }

    /// The same, to be changed.
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Value(_)
            | ExprKind::Any
            | ExprKind::Variable(_)
            | ExprKind::Parameter(..) => Vec::new(),
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => vec![a, b],
            ExprKind::Field(a, _)
            | ExprKind::Not(a)
            | ExprKind::Negate(a)
            | ExprKind::Convert(a) => vec![a],
            ExprKind::Gather(parts)
            | ExprKind::Call(_, parts)
            | ExprKind::Apply(_, parts)
            | ExprKind::Builtin(_, parts) => parts.iter_mut().collect(),
            ExprKind::If(a, b, c) => vec![a, b, c],
        }
    }
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// Leaves.
    Value(Vec<Value>),
    /// Any value of the type.
    Any,
    /// A variable, by its first leaf.
    Variable(usize),
    /// An element.
    Index(Box<Expr>, Box<Expr>),
    /// A field, by the number of leaves before it.
    Field(Box<Expr>, usize),
    /// Elements or fields.
    Gather(Vec<Expr>),
    /// An external function of this number.
    Call(usize, Vec<Expr>),
    /// A function of this number that the model computes.
    Apply(usize, Vec<Expr>),
    /// The parameter of this number and name of the function whose body it is in.
    Parameter(usize, String),
    /// A function the language has itself.
    Builtin(Builtin, Vec<Expr>),
    /// Not.
    Not(Box<Expr>),
    /// Minus.
    Negate(Box<Expr>),
    /// Two operands of one type.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// A choice.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The same value in the type of this expression.
    Convert(Box<Expr>),
}

/// An operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the names say it all
pub enum Operator {
    Or,
    And,
    Implies,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    IntegerDivide,
    Modulo,
}

/// A function the language has itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the names say it all
pub enum Builtin {
    Abs,
    Min,
    Max,
    Length,
    Contains,
    StartsWith,
    EndsWith,
    Substring,
    CharAt,
    IndexOf,
    Replace,
    ReplaceAll,
    Matches,
}

impl Operator {
    /// Whether it compares two values.
    pub fn compares(self) -> bool {
        matches!(
            self,
            Operator::Equal
                | Operator::Unequal
                | Operator::Less
                | Operator::LessEqual
                | Operator::Greater
                | Operator::GreaterEqual
        )
    }

    /// The operator as models write it.
    pub fn sign(self) -> &'static str {
        match self {
            Operator::Or => "or",
            Operator::And => "and",
            Operator::Implies => "implies",
            Operator::Equal => "=",
            Operator::Unequal => "!=",
            Operator::Less => "<",
            Operator::LessEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterEqual => ">=",
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::IntegerDivide => "div",
            Operator::Modulo => "mod",
        }
    }
}

impl Builtin {
    /// The names of the functions.
    const NAMES: [(&'static str, Builtin); 13] = [
        ("abs", Builtin::Abs),
        ("min", Builtin::Min),
        ("max", Builtin::Max),
        ("length", Builtin::Length),
        ("contains", Builtin::Contains),
        ("startsWith", Builtin::StartsWith),
        ("endsWith", Builtin::EndsWith),
        ("substring", Builtin::Substring),
        ("charAt", Builtin::CharAt),
        ("indexOf", Builtin::IndexOf),
        ("replace", Builtin::Replace),
        ("replaceAll", Builtin::ReplaceAll),
        ("matches", Builtin::Matches),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        let found = Builtin::NAMES.iter().find(|(_, it)| *it == self);
        found.map_or("", |(name, _)| name)
    }

    /// The function of this name.
    pub fn named(name: &str) -> Option<Builtin> {
        let found = Builtin::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|&(_, builtin)| builtin)
    }
}

impl Variable {
    /// Whether an automaton uses it by its name.
    pub fn is_visible_in(&self, automaton: usize) -> bool {
        self.automaton.is_none_or(|own| own == automaton)
    }
}

impl Model {
    /// How many leaves all variables have together.
    pub fn leaf_count(&self) -> usize {
        let last = self.variables.last();
        last.map_or(0, |variable| variable.offset + variable.ty.size())
    }

    /// The functions that it computes and nothing else.
    pub(crate) fn only_definitions(&self) -> Model {
        Model {
            constants: Vec::new(),
            channels: Vec::new(),
            codec: Codec::default(),
            functions: Vec::new(),
            definitions: self.definitions.clone(),
            automata: Vec::new(),
            variables: Vec::new(),
            transitions: Vec::new(),
            time: None,
        }
    }

    /// What must hold for time to pass where the automata are.
    pub fn limits<'a>(&'a self, location: &'a [usize]) -> impl Iterator<Item = &'a Expr> {
        let automata = self.automata.iter().zip(location);
        automata.filter_map(|(automaton, &state)| automaton.limits[state].as_ref())
    }

    /// The transition that lets time pass.
    pub(crate) fn delay(&self) -> Option<usize> {
        let passes = |it: &Transition| matches!(it.action, Action::Input { channel, .. } if Some(channel) == self.time);
        self.transitions.iter().position(passes)
    }

    /// The number of the transition with this name.
    pub fn transition(&self, name: &str) -> Option<usize> {
        self.transitions
            .iter()
            .position(|transition| transition.name == name)
    }

    /// The number of the channel with this name.
    pub fn channel(&self, name: &str) -> Option<usize> {
        self.channels
            .iter()
            .position(|channel| channel.name == name)
    }

    /// The states of all automata, each as the numbers of automaton and state.
    pub fn states(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let automata = self.automata.iter().enumerate();
        automata
            .flat_map(|(automaton, it)| (0..it.states.len()).map(move |state| (automaton, state)))
    }

    /// The state of this name, with or without that of its automaton.
    pub fn state_named(&self, name: &str) -> Option<(usize, usize)> {
        self.states_named(name).first().copied()
    }

    /// The states of this name, one of each automaton that has it.
    pub fn states_named(&self, name: &str) -> Vec<(usize, usize)> {
        let is_meant = |&(a, s): &(usize, usize)| {
            self.state_name(a, s) == name || self.automata[a].states[s] == name
        };
        self.states().filter(is_meant).collect()
    }

    /// The name of a state for people: with its automaton where there are several.
    pub fn state_name(&self, automaton: usize, state: usize) -> String {
        let it = &self.automata[automaton];
        match self.automata.len() {
            1 => it.states[state].clone(),
            _ => format!("{}.{}", it.name, it.states[state]),
        }
    }

    /// The name of a location, that is, of a state of each automaton, for people.
    pub fn location_name(&self, location: &[usize]) -> String {
        let states = location.iter().enumerate();
        let names: Vec<String> = states.map(|(a, &s)| self.state_name(a, s)).collect();
        names.join(" ")
    }
}

/// The requirements of transitions, each once, in the order of the alphabet.
pub(crate) fn requirements(model: &Model, transitions: impl Iterator<Item = usize>) -> Vec<String> {
    let all = transitions.flat_map(|number| model.transitions[number].requirements.clone());
    let sorted: std::collections::BTreeSet<String> = all.collect();
    sorted.into_iter().collect()
}
