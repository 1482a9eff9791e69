//! Scripts that can be taken apart: terms that know their sorts, and the queries that
//! a script with scopes and assumptions comes down to.

use std::fmt;

/// A sort of SMT-LIB.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sort {
    Bool,
    Bv(u32),
    Array(u32, u32),
    Fp(u32, u32),
    Mode,
    Int,
    Real,
    String,
    /// Regular languages, which no variable is of.
    Language,
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "Bool"),
            Sort::Bv(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array(index, element) => {
                write!(f, "(Array (_ BitVec {index}) (_ BitVec {element}))")
            }
            Sort::Fp(eb, sb) => write!(f, "(_ FloatingPoint {eb} {sb})"),
            Sort::Mode => write!(f, "RoundingMode"),
            Sort::Int => write!(f, "Int"),
            Sort::Real => write!(f, "Real"),
            Sort::String => write!(f, "String"),
            Sort::Language => write!(f, "RegLan"),
        }
    }
}

/// A term with its sort. Without arguments the head is all of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    pub sort: Sort,
    pub head: String,
    pub args: Vec<Node>,
}

impl Node {
    pub fn leaf(sort: Sort, head: impl Into<String>) -> Node {
        Node::new(sort, head, Vec::new())
    }

    pub fn new(sort: Sort, head: impl Into<String>, args: Vec<Node>) -> Node {
        Node {
            sort,
            head: head.into(),
            args,
        }
    }

    /// How many operators and leaves it has.
    pub fn size(&self) -> usize {
        1 + self.args.iter().map(Node::size).sum::<usize>()
    }

    /// Whether the symbol occurs in it.
    fn names(&self, symbol: &str) -> bool {
        self.head == symbol || self.args.iter().any(|arg| arg.names(symbol))
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.args.is_empty() {
            return f.write_str(&self.head);
        }
        write!(f, "({}", self.head)?;
        for arg in &self.args {
            write!(f, " {arg}")?;
        }
        f.write_str(")")
    }
}

/// A constant or a function that a script declares.
#[derive(Clone, PartialEq, Debug)]
pub struct Declaration {
    pub name: String,
    pub parameters: Vec<Sort>,
    pub sort: Sort,
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters: Vec<String> = self.parameters.iter().map(Sort::to_string).collect();
        let (name, sort) = (&self.name, &self.sort);
        write!(f, "(declare-fun {name} ({}) {sort})", parameters.join(" "))
    }
}

/// What a script does, one thing after the other.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    Assert(Node),
    Push,
    Pop,
    /// With these assumptions, and a look at the values of these terms.
    Check(Vec<Node>, Vec<Node>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Script {
    pub logic: &'static str,
    pub declarations: Vec<Declaration>,
    pub steps: Vec<Step>,
}

/// One `check-sat` with all that is asserted there.
pub struct Query {
    pub assertions: Vec<Node>,
    pub values: Vec<Node>,
}

impl Script {
    /// The queries, in order.
    pub fn queries(&self) -> Vec<Query> {
        let mut scopes: Vec<Vec<Node>> = vec![Vec::new()];
        let mut queries = Vec::new();
        for step in &self.steps {
            match step {
                Step::Assert(node) => {
                    let scope = scopes.last_mut().expect("there is an outermost scope");
                    scope.push(node.clone());
                }
                Step::Push => scopes.push(Vec::new()),
                Step::Pop => {
                    scopes.pop();
                }
                Step::Check(assumptions, values) => queries.push(Query {
                    assertions: [scopes.concat(), assumptions.clone()].concat(),
                    values: values.clone(),
                }),
            }
        }
        queries
    }

    /// The query of this number alone, without scopes.
    pub fn only(&self, number: usize) -> Script {
        let query = self.queries().swap_remove(number);
        let mut steps: Vec<Step> = query.assertions.into_iter().map(Step::Assert).collect();
        steps.push(Step::Check(Vec::new(), query.values));
        let alone = Script {
            steps,
            ..self.clone()
        };
        alone.without_unused()
    }

    /// Leaves out the declarations that nothing uses.
    pub fn without_unused(mut self) -> Script {
        let used = |name: &str| {
            let nodes = |step: &Step| match step {
                Step::Assert(node) => node.names(name),
                Step::Check(a, b) => a.iter().chain(b).any(|node| node.names(name)),
                Step::Push | Step::Pop => false,
            };
            self.steps.iter().any(nodes)
        };
        let mut kept = self.declarations.clone();
        kept.retain(|declaration| used(&declaration.name));
        self.declarations = kept;
        self
    }

    /// How large it is, for making it smaller.
    pub fn size(&self) -> usize {
        let size = |step: &Step| match step {
            Step::Assert(node) => 1 + node.size(),
            Step::Push | Step::Pop => 1,
            Step::Check(a, b) => 1 + a.iter().chain(b).map(Node::size).sum::<usize>(),
        };
        self.steps.iter().map(size).sum()
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "(set-logic {})", self.logic)?;
        for declaration in &self.declarations {
            writeln!(f, "{declaration}")?;
        }
        let joined = |nodes: &[Node]| {
            let texts: Vec<String> = nodes.iter().map(Node::to_string).collect();
            texts.join(" ")
        };
        for step in &self.steps {
            match step {
                Step::Assert(node) => writeln!(f, "(assert {node})")?,
                Step::Push => writeln!(f, "(push 1)")?,
                Step::Pop => writeln!(f, "(pop 1)")?,
                Step::Check(assumptions, values) => {
                    match assumptions.as_slice() {
                        [] => writeln!(f, "(check-sat)")?,
                        some => writeln!(f, "(check-sat-assuming ({}))", joined(some))?,
                    }
                    writeln!(f, "(get-model)")?;
                    if !values.is_empty() {
                        writeln!(f, "(get-value ({}))", joined(values))?;
                    }
                }
            }
        }
        Ok(())
    }
}
