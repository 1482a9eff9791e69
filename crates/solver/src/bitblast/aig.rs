//! An and-inverter graph with structural hashing: the netlist that terms
//! become before they become clauses.
//!
//! The graph keeps exclusive-or, multiplexer and majority gates whole, because
//! their direct clauses are shorter and propagate better than those of the
//! ANDs they could be spelled with. It promises that a gate's operands have
//! smaller node numbers than the gate, that equal gates are one node, and that
//! every gate is in the normal form [`Gate`] states; constants never occur as
//! operands.
//!
//! One operator can take millions of gates, so construction itself can be ended
//! ([`Aig::limit`]). Circuits have no way out in the middle: once the limit is
//! reached no gate is made any more, every operation gives `false` at next to no
//! cost, and who began the circuit throws it away ([`Aig::exceeded`]).

use crate::backend::Reason;
use base::Stop;
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::ops::Not;

/// A node of the graph or its negation: twice the node's number, plus one if
/// negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(pub u32);

impl Lit {
    /// The constant false.
    pub const FALSE: Lit = Lit(0);
    /// The constant true.
    pub const TRUE: Lit = Lit(1);

    /// The literal that is always `value`.
    pub fn constant(value: bool) -> Lit {
        Lit(u32::from(value))
    }

    /// The number of the node under the negation.
    pub fn node(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the literal is the node's negation.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether the literal is true or false in every assignment.
    pub fn is_const(self) -> bool {
        self.0 <= 1
    }

    /// The literal, negated when `negate` holds.
    pub fn negate_if(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }

    /// The node itself, without the negation.
    fn positive(self) -> Lit {
        Lit(self.0 & !1)
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What computes a node, in normal form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// The constant false; only node 0.
    False,
    /// Free: any value.
    Input,
    /// Conjunction; the operands ascend and differ in their nodes.
    And(Lit, Lit),
    /// Exclusive or; the operands ascend and are not negated.
    Xor(Lit, Lit),
    /// Condition, then, else; condition and then are not negated.
    Mux(Lit, Lit, Lit),
    /// At least two of three; the operands ascend, at most one is negated.
    Maj(Lit, Lit, Lit),
}

/// Feeds the hasher two words instead of up to four, since hashing dominates
/// the construction of gates.
impl Hash for Gate {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (tag, a, b, c) = match *self {
            Gate::False => (0, Lit::FALSE, Lit::FALSE, Lit::FALSE),
            Gate::Input => (1, Lit::FALSE, Lit::FALSE, Lit::FALSE),
            Gate::And(a, b) => (2, a, b, Lit::FALSE),
            Gate::Xor(a, b) => (3, a, b, Lit::FALSE),
            Gate::Mux(a, b, c) => (4, a, b, c),
            Gate::Maj(a, b, c) => (5, a, b, c),
        };
        state.write_u64(u64::from(a.0) << 32 | u64::from(b.0));
        state.write_u64(u64::from(c.0) << 3 | tag);
    }
}

/// The graph. Nodes are only ever added.
#[derive(Clone)]
pub struct Aig {
    gates: Vec<Gate>,
    nodes: FxHashMap<Gate, u32>,
    stop: Stop,
    most: usize,
    exceeded: Option<Reason>,
}

/// Gates between two looks at the stop token: about a millisecond.
const GATES_PER_LOOK: usize = 4096;

impl Default for Aig {
    fn default() -> Aig {
        Aig::new()
    }
}

impl Aig {
    /// The graph that holds only the constant.
    pub fn new() -> Aig {
        Aig {
            gates: vec![Gate::False],
            nodes: FxHashMap::default(),
            stop: Stop::never(),
            most: usize::MAX,
            exceeded: None,
        }
    }

    /// From now on there may be `most` nodes, and none more once the token is set.
    pub fn limit(&mut self, most: usize, stop: Stop) {
        (self.most, self.stop) = (most, stop);
        self.exceeded = None;
    }

    /// Why no gates are made any more. What was built since the limit was set and
    /// is not yet known to be whole means nothing then.
    pub fn exceeded(&self) -> Option<&Reason> {
        self.exceeded.as_ref()
    }

    /// How many nodes there are; their numbers are below it.
    #[allow(clippy::len_without_is_empty)] // never empty: node 0 is the constant
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// What computes this node.
    pub fn gate(&self, node: u32) -> Gate {
        self.gates[node as usize]
    }

    /// A fresh input.
    pub fn input(&mut self) -> Lit {
        self.push(Gate::Input)
    }

    /// Fresh inputs, one per bit.
    pub fn inputs(&mut self, width: usize) -> Vec<Lit> {
        (0..width).map(|_| self.input()).collect()
    }

    /// `a ∧ b`.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if self.exceeded.is_some() {
            return Lit::FALSE;
        }
        if a.is_const() || b.is_const() || a.node() == b.node() {
            return and_of_constants_or_twins(a, b);
        }
        // Each operand may be simplified knowing that the other one is true.
        let under_a = self.assume(b, a);
        if under_a != b {
            return self.and(a, under_a);
        }
        let under_b = self.assume(a, b);
        if under_b != a {
            return self.and(under_b, b);
        }
        if let Some(lit) = self.and_of_ands(a, b) {
            return lit;
        }
        self.hashed(Gate::And(a.min(b), a.max(b)))
    }

    /// `a ∨ b`.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `a ⊕ b`.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if self.exceeded.is_some() {
            return Lit::FALSE;
        }
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.positive(), b.positive());
        let (a, b) = (a.min(b), a.max(b));
        if a == b {
            return Lit::constant(negated);
        }
        if a == Lit::FALSE {
            return b.negate_if(negated);
        }
        let lit = match (self.gate(a.node()), self.gate(b.node())) {
            // match: (x ⊕ y) ⊕ x
            // result: y
            (_, Gate::Xor(x, y)) if x == a => y,
            (_, Gate::Xor(x, y)) if y == a => x,
            (Gate::Xor(x, y), _) if x == b => y,
            (Gate::Xor(x, y), _) if y == b => x,
            // match: (x ∧ y) ⊕ x
            // result: x ∧ ¬y
            (_, Gate::And(x, y)) if x.positive() == a => self.xor_absorbing(a, x, y),
            (_, Gate::And(x, y)) if y.positive() == a => self.xor_absorbing(a, y, x),
            (Gate::And(x, y), _) if x.positive() == b => self.xor_absorbing(b, x, y),
            (Gate::And(x, y), _) if y.positive() == b => self.xor_absorbing(b, y, x),
            _ => self.hashed(Gate::Xor(a, b)),
        };
        lit.negate_if(negated)
    }

    /// `then` if `cond` holds, else `other`.
    pub fn mux(&mut self, cond: Lit, then: Lit, other: Lit) -> Lit {
        if self.exceeded.is_some() {
            return Lit::FALSE;
        }
        if cond.is_const() {
            return if cond == Lit::TRUE { then } else { other };
        }
        let (cond, then, other) = if cond.is_negated() {
            (!cond, other, then)
        } else {
            (cond, then, other)
        };
        let then = self.assume(then, cond);
        let other = self.assume(other, !cond);
        if then == other {
            return then;
        }
        if then == !other {
            return self.xor(cond, other);
        }
        if then.is_const() {
            return if then == Lit::TRUE {
                self.or(cond, other)
            } else {
                self.and(!cond, other)
            };
        }
        if other.is_const() {
            return if other == Lit::TRUE {
                self.or(!cond, then)
            } else {
                self.and(cond, then)
            };
        }
        let negated = then.is_negated();
        self.hashed(Gate::Mux(
            cond,
            then.negate_if(negated),
            other.negate_if(negated),
        ))
        .negate_if(negated)
    }

    /// Whether at least two of the three hold: the carry of a full adder.
    pub fn maj(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        if self.exceeded.is_some() {
            return Lit::FALSE;
        }
        let mut lits = [a, b, c];
        lits.sort_unstable();
        let [a, b, c] = lits;
        if a.is_const() {
            return if a == Lit::TRUE {
                self.or(b, c)
            } else {
                self.and(b, c)
            };
        }
        if a.node() == b.node() {
            return if a == b { a } else { c };
        }
        if b.node() == c.node() {
            return if b == c { b } else { a };
        }
        // Majority is its own dual, so that most negations can move outside.
        let negated = lits.iter().filter(|lit| lit.is_negated()).count() >= 2;
        self.hashed(Gate::Maj(
            a.negate_if(negated),
            b.negate_if(negated),
            c.negate_if(negated),
        ))
        .negate_if(negated)
    }

    /// Whether all hold.
    pub fn and_all(&mut self, lits: &[Lit]) -> Lit {
        let mut level = lits.to_vec();
        level.sort_unstable();
        level.dedup();
        if level.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Lit::FALSE;
        }
        while level.len() > 1 {
            let halved = level
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => self.and(a, b),
                    _ => pair[0],
                })
                .collect();
            level = halved;
        }
        level.pop().unwrap_or(Lit::TRUE)
    }

    /// Whether any holds.
    pub fn or_all(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        !self.and_all(&negated)
    }

    /// The value of every node under 64 assignments at once, one per bit of a
    /// word, given each input node's word.
    #[cfg(test)]
    pub fn eval(&self, mut inputs: impl FnMut(u32) -> u64) -> Evaluation {
        let mut evaluation = Evaluation {
            words: Vec::with_capacity(self.len()),
        };
        for (node, gate) in self.gates.iter().enumerate() {
            let word = match *gate {
                Gate::False => 0,
                Gate::Input => inputs(node as u32),
                Gate::And(a, b) => evaluation.word(a) & evaluation.word(b),
                Gate::Xor(a, b) => evaluation.word(a) ^ evaluation.word(b),
                Gate::Mux(cond, then, other) => {
                    let cond = evaluation.word(cond);
                    (cond & evaluation.word(then)) | (!cond & evaluation.word(other))
                }
                Gate::Maj(a, b, c) => {
                    let (a, b, c) = (evaluation.word(a), evaluation.word(b), evaluation.word(c));
                    (a & b) | (c & (a | b))
                }
            };
            evaluation.words.push(word);
        }
        evaluation
    }

    /// The literal `lit` is equal to wherever `given` holds, as far as one look
    /// at its gate tells without making new gates.
    fn assume(&self, lit: Lit, given: Lit) -> Lit {
        let negated = lit.is_negated();
        if lit.node() == given.node() {
            return Lit::constant(lit == given);
        }
        let node = given.node();
        let known = match self.gate(lit.node()) {
            Gate::And(x, y) if x == given => y,
            Gate::And(x, y) if y == given => x,
            Gate::And(x, y) if x == !given || y == !given => Lit::FALSE,
            Gate::Xor(x, y) if x.node() == node => y.negate_if(!given.is_negated()),
            Gate::Xor(x, y) if y.node() == node => x.negate_if(!given.is_negated()),
            Gate::Mux(cond, then, other) if cond.node() == node => {
                if cond == given {
                    then
                } else {
                    other
                }
            }
            _ => return lit,
        };
        known.negate_if(negated)
    }

    /// What `a ∧ b` is by the operands of both, when both are conjunctions or
    /// negations of conjunctions.
    fn and_of_ands(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let Gate::And(x, y) = self.gate(a.node()) else {
            return None;
        };
        let Gate::And(u, v) = self.gate(b.node()) else {
            return None;
        };
        let clash = x == !u || x == !v || y == !u || y == !v;
        match (a.is_negated(), b.is_negated()) {
            // match: (x ∧ y) ∧ (¬x ∧ v)
            // result: false
            (false, false) => clash.then_some(Lit::FALSE),
            // match: ¬(x ∧ y) ∧ (¬x ∧ v)
            // result: ¬x ∧ v
            (true, false) if clash => Some(b),
            (false, true) if clash => Some(a),
            // match: ¬(x ∧ y) ∧ (x ∧ v)
            // result: ¬y ∧ (x ∧ v)
            (true, false) if x == u || x == v => Some(self.and(!y, b)),
            (true, false) if y == u || y == v => Some(self.and(!x, b)),
            (false, true) if u == x || u == y => Some(self.and(a, !v)),
            (false, true) if v == x || v == y => Some(self.and(a, !u)),
            (true, false) | (false, true) => None,
            // match: ¬(c ∧ t) ∧ ¬(¬c ∧ e)
            // result: ¬(c ? t : e), which is ¬t if t = e
            (true, true) if x == !u => Some(!self.mux(x, y, v)),
            (true, true) if x == !v => Some(!self.mux(x, y, u)),
            (true, true) if y == !u => Some(!self.mux(y, x, v)),
            (true, true) if y == !v => Some(!self.mux(y, x, u)),
            (true, true) => None,
        }
    }

    /// `base ⊕ (same ∧ y)` where `same` is `base` or its negation.
    fn xor_absorbing(&mut self, base: Lit, same: Lit, y: Lit) -> Lit {
        if same == base {
            self.and(base, !y)
        } else {
            self.or(base, y)
        }
    }

    fn hashed(&mut self, gate: Gate) -> Lit {
        if let Some(&node) = self.nodes.get(&gate) {
            return Lit(node << 1);
        }
        if self.exceeded.is_some() {
            return Lit::FALSE;
        }
        let lit = self.push(gate);
        self.nodes.insert(gate, lit.node());
        if self.gates.len() >= self.most {
            self.exceeded = Some(Reason::Memory);
        } else if self.gates.len().is_multiple_of(GATES_PER_LOOK) {
            self.exceeded = Reason::of_stop(&self.stop);
        }
        lit
    }

    fn push(&mut self, gate: Gate) -> Lit {
        let node = self.gates.len();
        assert!(
            node < 1 << 31,
            "the circuit passes two thousand million gates"
        );
        self.gates.push(gate);
        Lit((node as u32) << 1)
    }
}

fn and_of_constants_or_twins(a: Lit, b: Lit) -> Lit {
    if a == Lit::TRUE || a == b {
        b
    } else if b == Lit::TRUE {
        a
    } else {
        Lit::FALSE
    }
}

/// The values [`Aig::eval`] found, 64 assignments side by side.
#[cfg(test)]
pub struct Evaluation {
    words: Vec<u64>,
}

#[cfg(test)]
impl Evaluation {
    /// The literal's value under each of the assignments, one per bit.
    pub fn word(&self, lit: Lit) -> u64 {
        let flip = if lit.is_negated() { u64::MAX } else { 0 };
        self.words[lit.node() as usize] ^ flip
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;

    /// Words whose bits run through all assignments of six inputs.
    const TRUTH_TABLES: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];

    /// A graph over `inputs` inputs grown by random operations, with the word
    /// each literal must have.
    fn random_graph(seed: u64, inputs: usize, operations: usize) -> (Aig, Vec<(Lit, u64)>) {
        let mut random = Random::new(seed);
        let mut aig = Aig::new();
        let mut known = vec![(Lit::FALSE, 0)];
        for &table in &TRUTH_TABLES[..inputs] {
            known.push((aig.input(), table));
        }
        for _ in 0..operations {
            let mut pick = || {
                let (lit, word) = known[random.below(known.len())];
                let negate = random.below(2) == 1;
                (lit.negate_if(negate), if negate { !word } else { word })
            };
            let ((a, x), (b, y), (c, z)) = (pick(), pick(), pick());
            known.push(match random.below(6) {
                0 => (aig.and(a, b), x & y),
                1 => (aig.or(a, b), x | y),
                2 => (aig.xor(a, b), x ^ y),
                3 => (aig.mux(a, b, c), (x & y) | (!x & z)),
                4 => (aig.maj(a, b, c), (x & y) | (y & z) | (x & z)),
                _ => (aig.and_all(&[a, b, c]), x & y & z),
            });
        }
        (aig, known)
    }

    #[test]
    fn every_simplification_keeps_the_function() {
        for seed in 1..400 {
            let (aig, known) = random_graph(seed, 2 + seed as usize % 5, 60);
            let evaluation = aig.eval(|node| TRUTH_TABLES[node as usize - 1]);
            for (lit, word) in known {
                assert_eq!(evaluation.word(lit), word, "seed {seed}, {lit:?}");
            }
        }
    }

    #[test]
    fn every_gate_is_in_normal_form_and_made_once() {
        for seed in 1..100 {
            let (aig, _) = random_graph(seed, 6, 200);
            let mut seen = std::collections::HashSet::new();
            for node in 1..aig.len() as u32 {
                let gate = aig.gate(node);
                let operands = match gate {
                    Gate::False => panic!("node {node} is a second constant"),
                    Gate::Input => continue,
                    Gate::And(a, b) => {
                        assert!(a.node() < b.node());
                        vec![a, b]
                    }
                    Gate::Xor(a, b) => {
                        assert!(a < b && !a.is_negated() && !b.is_negated());
                        vec![a, b]
                    }
                    Gate::Mux(a, b, c) => {
                        assert!(!a.is_negated() && !b.is_negated());
                        assert!(a.node() != b.node() && a.node() != c.node());
                        assert!(b.node() != c.node());
                        vec![a, b, c]
                    }
                    Gate::Maj(a, b, c) => {
                        assert!(a.node() < b.node() && b.node() < c.node());
                        let negated = [a, b, c].iter().filter(|lit| lit.is_negated()).count();
                        assert!(negated <= 1);
                        vec![a, b, c]
                    }
                };
                for operand in operands {
                    assert!(!operand.is_const() && operand.node() < node, "{gate:?}");
                }
                assert!(seen.insert(gate), "{gate:?} occurs twice");
            }
        }
    }

    #[test]
    fn degenerate_gates_make_no_node() {
        let mut aig = Aig::new();
        let (a, b, c) = (aig.input(), aig.input(), aig.input());
        let ab = aig.and(a, b);
        let a_xor_b = aig.xor(a, b);
        let before = aig.len();
        assert_eq!(aig.and(a, a), a);
        assert_eq!(aig.and(a, !a), Lit::FALSE);
        assert_eq!(aig.and(b, a), ab);
        assert_eq!(aig.and(ab, a), ab);
        assert_eq!(aig.and(ab, !b), Lit::FALSE);
        assert_eq!(aig.or(ab, a), a);
        assert_eq!(aig.xor(a, a), Lit::FALSE);
        assert_eq!(aig.xor(!a, Lit::TRUE), a);
        assert_eq!(aig.xor(a_xor_b, a), b);
        assert_eq!(aig.xor(!a, b), !a_xor_b);
        assert_eq!(aig.mux(c, a, a), a);
        assert_eq!(aig.mux(a, !b, b), a_xor_b);
        assert_eq!(aig.mux(a, b, Lit::FALSE), ab);
        assert_eq!(aig.mux(a, b, a), ab);
        assert_eq!(aig.maj(a, c, a), a);
        assert_eq!(aig.maj(a, c, !a), c);
        assert_eq!(aig.maj(a, Lit::FALSE, b), ab);
        assert_eq!(aig.and_all(&[]), Lit::TRUE);
        assert_eq!(aig.or_all(&[a, b, !a]), Lit::TRUE);
        assert_eq!(aig.len(), before);
    }

    #[test]
    fn exclusive_or_and_choice_are_found_behind_their_conjunctions() {
        let mut aig = Aig::new();
        let (a, b, c) = (aig.input(), aig.input(), aig.input());
        let (a_only, b_only) = (aig.and(a, !b), aig.and(!a, b));
        let spelled_out = aig.or(a_only, b_only);
        assert_eq!(spelled_out, aig.xor(a, b));
        let (then, other) = (aig.and(a, b), aig.and(!a, c));
        let spelled_out = aig.or(then, other);
        assert_eq!(spelled_out, aig.mux(a, b, c));
        let (with, without) = (aig.and(a, b), aig.and(!a, b));
        assert_eq!(aig.or(with, without), b);
    }
}
