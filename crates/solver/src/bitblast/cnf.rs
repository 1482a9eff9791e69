//! From gates to clauses: each gate of a cone once, by the clauses of its kind.
//!
//! A [`Cnf`] remembers which nodes of the graph it has already told its SAT
//! solver about, so that the next query pays only for gates that are new.
//!
//! (Tseitin, *On the complexity of derivation in propositional calculus*, 1968.)

use super::aig::{Aig, Gate, Lit};
use base::{Stop, Stopped};

/// Nodes whose clauses are added between two looks at the stop token.
const NODES_PER_LOOK: usize = 1024;

/// A SAT solver's intake. Literals are DIMACS integers: variables count from
/// one, a minus sign negates.
pub(crate) trait Clauses {
    /// Adds the clause.
    fn add(&mut self, clause: &[i32]);
}

/// The clauses of some cones of the graph, in one SAT solver.
pub(crate) struct Cnf<S> {
    /// The solver that has the clauses.
    pub sat: S,
    /// By node: its variable, or zero while it has none.
    variables: Vec<i32>,
    /// The nodes that have variables, in the order of their variables.
    nodes: Vec<u32>,
    stack: Vec<u32>,
    /// By node: the last count that met it.
    met: Vec<u32>,
    counts: u32,
}

impl<S: Clauses> Cnf<S> {
    pub fn new(sat: S) -> Cnf<S> {
        Cnf {
            sat,
            variables: Vec::new(),
            nodes: Vec::new(),
            stack: Vec::new(),
            met: Vec::new(),
            counts: 0,
        }
    }

    /// How many variables the solver has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Forgets all clauses; `sat` is a solver without any.
    pub fn restart(&mut self, sat: S) {
        for node in self.nodes.drain(..) {
            self.variables[node as usize] = 0;
        }
        self.sat = sat;
    }

    /// How many nodes the literals depend on, counted up to `most`.
    pub fn cone_size(&mut self, aig: &Aig, lits: impl Iterator<Item = Lit>, most: usize) -> usize {
        self.met.resize(aig.len(), 0);
        self.counts += 1;
        let mut size = 0;
        self.stack.extend(lits.map(Lit::node));
        while let Some(node) = self.stack.pop() {
            if self.met[node as usize] == self.counts {
                continue;
            }
            self.met[node as usize] = self.counts;
            size += 1;
            if size >= most {
                self.stack.clear();
                break;
            }
            let below = operands(aig.gate(node)).into_iter().flatten();
            self.stack.extend(below.map(Lit::node));
        }
        size
    }

    /// The literal's SAT literal, if its gate is among the clauses.
    pub fn known(&self, lit: Lit) -> Option<i32> {
        let variable = self.variables.get(lit.node() as usize).copied()?;
        (variable != 0).then(|| signed(variable, lit))
    }

    /// The literal's SAT literal; adds the clauses of its cone that are missing.
    /// What was added before a stop stays: a node's clauses come after those of its
    /// operands, so the cone of every node that has a variable is whole.
    pub fn literal(&mut self, aig: &Aig, lit: Lit, stop: &Stop) -> Result<i32, Stopped> {
        if self.variables.len() < aig.len() {
            self.variables.resize(aig.len(), 0);
        }
        self.stack.push(lit.node());
        while let Some(&node) = self.stack.last() {
            if self.variables[node as usize] != 0 {
                self.stack.pop();
                continue;
            }
            let gate = aig.gate(node);
            let before = self.stack.len();
            for operand in operands(gate).into_iter().flatten() {
                if self.variables[operand.node() as usize] == 0 {
                    self.stack.push(operand.node());
                }
            }
            if self.stack.len() == before {
                self.stack.pop();
                self.define(node, gate);
                if self.nodes.len().is_multiple_of(NODES_PER_LOOK) && stop.is_set() {
                    self.stack.clear();
                    return Err(Stopped);
                }
            }
        }
        Ok(signed(self.variables[lit.node() as usize], lit))
    }

    fn define(&mut self, node: u32, gate: Gate) {
        self.nodes.push(node);
        let v = i32::try_from(self.nodes.len()).expect("clauses have under 2^31 variables");
        self.variables[node as usize] = v;
        let of = |lit: Lit| signed(self.variables[lit.node() as usize], lit);
        match gate {
            Gate::False => self.sat.add(&[-v]),
            Gate::Input => {}
            Gate::And(a, b) => {
                let (a, b) = (of(a), of(b));
                self.sat.add(&[-v, a]);
                self.sat.add(&[-v, b]);
                self.sat.add(&[v, -a, -b]);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (of(a), of(b));
                self.sat.add(&[-v, a, b]);
                self.sat.add(&[-v, -a, -b]);
                self.sat.add(&[v, -a, b]);
                self.sat.add(&[v, a, -b]);
            }
            Gate::Mux(c, t, e) => {
                let (c, t, e) = (of(c), of(t), of(e));
                self.sat.add(&[-v, -c, t]);
                self.sat.add(&[v, -c, -t]);
                self.sat.add(&[-v, c, e]);
                self.sat.add(&[v, c, -e]);
                // Redundant, but they propagate when both branches agree.
                self.sat.add(&[-v, t, e]);
                self.sat.add(&[v, -t, -e]);
            }
            Gate::Maj(a, b, c) => {
                let (a, b, c) = (of(a), of(b), of(c));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    self.sat.add(&[v, -x, -y]);
                    self.sat.add(&[-v, x, y]);
                }
            }
        }
    }
}

/// The gate's operands.
pub(crate) fn operands(gate: Gate) -> [Option<Lit>; 3] {
    match gate {
        Gate::False | Gate::Input => [None; 3],
        Gate::And(a, b) | Gate::Xor(a, b) => [Some(a), Some(b), None],
        Gate::Mux(a, b, c) | Gate::Maj(a, b, c) => [Some(a), Some(b), Some(c)],
    }
}

fn signed(variable: i32, lit: Lit) -> i32 {
    if lit.is_negated() {
        -variable
    } else {
        variable
    }
}
