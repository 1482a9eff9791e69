//! The arena in which terms live, each distinct term once.
//!
//! A [`Store`] belongs to one worker. Its terms are 32-bit handles; two
//! handles of one store are equal exactly when the terms are. Nothing is ever
//! removed. Arguments always have smaller handles than the terms they are
//! arguments of, so ascending order is a topological one.

use crate::facts::Facts;
use crate::op::Op;
use crate::rewrite;
use crate::sort::Sort;
use crate::value::{Value, is_word};
use hashbrown::HashTable;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::fmt;

/// A handle of a term in its [`Store`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub(crate) u32);

impl Term {
    /// The term's number in its store: dense, from zero.
    #[inline]
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// A free variable: a name and a sort.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variable(pub(crate) u32);

impl Variable {
    /// The variable's number in its store: dense, from zero.
    #[inline]
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

/// An uninterpreted or external function: a name and a signature.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Function(pub(crate) u32);

impl Function {
    /// The function's number in its store: dense, from zero.
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

/// What a [`Function`] is called, takes and gives.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// The name it was declared with.
    pub name: String,
    /// The sorts of its arguments.
    pub parameters: Vec<Sort>,
    /// The sort of its result.
    pub result: Sort,
}

/// An operator, a sort, and three slots: arguments first, then indices.
///
/// * `Const` of a word sort: low half, high half, 0; of another: index into
///   `constants`, 0, 1.
/// * `Var`: the variable. `Extract`: argument, lowest bit. `ReLoop`: argument,
///   least, most.
/// * `Apply`: function, index into `lists`. `FpFma`: index into `lists`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    pub op: Op,
    pub sort: Sort,
    pub slots: [Term; 3],
}

const EMPTY: Term = Term(0);

impl Node {
    pub fn new<const N: usize>(op: Op, sort: Sort, slots: [Term; N]) -> Node {
        let mut node = Node {
            op,
            sort,
            slots: [EMPTY; 3],
        };
        node.slots[..N].copy_from_slice(&slots);
        node
    }

    #[inline]
    fn hash(&self) -> u64 {
        const K: u64 = 0x9e37_79b9_7f4a_7c15;
        let head = u64::from(self.sort.code()) << 8 | self.op as u64;
        let [a, b, c] = self.slots.map(|slot| u64::from(slot.0));
        let mut h = head.wrapping_mul(K);
        h = (h.rotate_left(26) ^ (a | b << 32)).wrapping_mul(K);
        h = (h.rotate_left(26) ^ c).wrapping_mul(K);
        h ^ h >> 29
    }
}

/// What nodes were rewritten to lately: programs build the same few terms again
/// and again, and those that are not in normal form would otherwise go through
/// the rules every time.
#[derive(Default)]
struct Rewritten {
    places: Box<[(Option<Term>, Node)]>,
}

impl Rewritten {
    const PLACES: usize = 1 << 12;

    #[inline]
    fn get(&self, hash: u64, node: &Node) -> Option<Term> {
        let (term, kept) = self.places.get(hash as usize % Rewritten::PLACES)?;
        term.filter(|_| kept == node)
    }

    fn put(&mut self, hash: u64, node: Node, term: Term) {
        if self.places.is_empty() {
            self.places = vec![(None, node); Rewritten::PLACES].into();
        }
        self.places[hash as usize % Rewritten::PLACES] = (Some(term), node);
    }
}

/// The terms of one worker.
pub struct Store {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    table: HashTable<Term>,
    rewritten: Rewritten,
    lists: IndexSet<Box<[Term]>, FxBuildHasher>,
    constants: IndexSet<Value, FxBuildHasher>,
    variables: IndexSet<(String, Sort), FxBuildHasher>,
    functions: IndexSet<Signature, FxBuildHasher>,
    truth: [Term; 2],
    fresh: u32,
    /// How often each rewriting rule applied, once somebody wants to know.
    rules: Option<Box<FxHashMap<&'static str, u64>>>,
}

impl Default for Store {
    fn default() -> Store {
        Store::new()
    }
}

impl Store {
    /// Counts from here on how often each rewriting rule applies.
    pub fn count_rules(&mut self) {
        self.rules.get_or_insert_default();
    }

    /// How often each rewriting rule applied since counting began, most often first.
    pub fn rule_counts(&self) -> Vec<(&'static str, u64)> {
        let counts = self.rules.iter().flat_map(|rules| rules.iter());
        let mut counts: Vec<_> = counts.map(|(&name, &count)| (name, count)).collect();
        counts.sort_unstable_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
        counts
    }

    /// A rewriting rule applied.
    #[inline]
    pub(crate) fn note_rule(&mut self, name: &'static str) {
        if let Some(rules) = &mut self.rules {
            *rules.entry(name).or_default() += 1;
        }
    }

    /// A store with nothing in it but the two truth values.
    pub fn new() -> Store {
        let mut store = Store {
            nodes: Vec::new(),
            facts: Vec::new(),
            table: HashTable::new(),
            rewritten: Rewritten::default(),
            lists: IndexSet::default(),
            constants: IndexSet::default(),
            variables: IndexSet::default(),
            functions: IndexSet::default(),
            truth: [EMPTY; 2],
            fresh: 0,
            rules: None,
        };
        store.truth = [0, 1].map(|word| store.word(Sort::Bool, word));
        store
    }

    /// How many distinct terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the truth values are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Bytes the store holds on to, without the contents of big constants.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.facts.capacity() * size_of::<Facts>()
            + self.table.capacity() * (size_of::<Term>() + 1)
    }

    #[inline]
    pub(crate) fn node(&self, term: Term) -> &Node {
        &self.nodes[term.number()]
    }

    /// What is known of the term under every assignment.
    #[inline]
    pub fn facts(&self, term: Term) -> &Facts {
        &self.facts[term.number()]
    }

    /// What would be known of the term if this were known of its arguments.
    pub fn facts_given(&self, term: Term, of: impl Fn(Term) -> Facts) -> Facts {
        Facts::of(self, self.node(term), of)
    }

    /// The term's operator.
    #[inline]
    pub fn op(&self, term: Term) -> Op {
        self.node(term).op
    }

    /// The term's sort.
    #[inline]
    pub fn sort(&self, term: Term) -> Sort {
        self.node(term).sort
    }

    /// The width of a bit-vector term; zero for any other sort.
    #[inline]
    pub fn width(&self, term: Term) -> u16 {
        self.sort(term).bv_width()
    }

    /// The term's arguments.
    #[inline]
    pub fn args(&self, term: Term) -> &[Term] {
        let node = self.node(term);
        match node.op.arity() {
            Some(arity) => &node.slots[..arity],
            None if node.op == Op::Apply => self.list_items(node.slots[1]),
            None => self.list_items(node.slots[0]),
        }
    }

    /// The two indices of an `Extract` (lowest bit) or `ReLoop` (least, most) term.
    #[inline]
    pub fn indices(&self, term: Term) -> [u32; 2] {
        let slots = self.node(term).slots;
        [slots[1].0, slots[2].0]
    }

    /// The variable a `Var` term stands for.
    #[inline]
    pub fn as_variable(&self, term: Term) -> Option<Variable> {
        let node = self.node(term);
        (node.op == Op::Var).then_some(Variable(node.slots[0].0))
    }

    /// The function an `Apply` term applies.
    pub fn as_function(&self, term: Term) -> Option<Function> {
        let node = self.node(term);
        (node.op == Op::Apply).then_some(Function(node.slots[0].0))
    }

    /// The word of a constant whose sort has words.
    #[inline]
    pub fn as_word(&self, term: Term) -> Option<u64> {
        let node = self.node(term);
        (node.op == Op::Const && node.slots[2].0 == 0)
            .then(|| u64::from(node.slots[0].0) | u64::from(node.slots[1].0) << 32)
    }

    /// The value of a constant.
    pub fn as_value(&self, term: Term) -> Option<Value> {
        let node = self.node(term);
        if node.op != Op::Const {
            return None;
        }
        match self.as_word(term) {
            Some(word) => Some(Value::from_word(node.sort, word)),
            None => Some(self.constants[node.slots[0].number()].clone()),
        }
    }

    /// Whether the term is a constant.
    #[inline]
    pub fn is_const(&self, term: Term) -> bool {
        self.op(term) == Op::Const
    }

    /// The truth value, of a Boolean constant.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match term {
            _ if term == self.truth[0] => Some(false),
            _ if term == self.truth[1] => Some(true),
            _ => None,
        }
    }

    /// The truth value as a term.
    #[inline]
    pub fn bool(&self, value: bool) -> Term {
        self.truth[usize::from(value)]
    }

    /// The constant of a word sort (`Bool`, `RoundingMode`, bit-vectors and
    /// floats to 64 bits) from its word.
    #[inline]
    pub(crate) fn word(&mut self, sort: Sort, word: u64) -> Term {
        debug_assert!(is_word(sort));
        let slots = [Term(word as u32), Term((word >> 32) as u32), EMPTY];
        self.intern(Node::new(Op::Const, sort, slots))
    }

    /// The constant with this value.
    pub fn value(&mut self, value: Value) -> Term {
        let sort = value.sort();
        if let Some(word) = value.to_word() {
            return self.word(sort, word);
        }
        let (index, _) = self.constants.insert_full(value);
        self.intern(Node::new(
            Op::Const,
            sort,
            [Term(index as u32), EMPTY, Term(1)],
        ))
    }

    /// The variable with this name and sort.
    pub fn var(&mut self, name: &str, sort: Sort) -> Term {
        let (index, _) = self.variables.insert_full((name.to_owned(), sort));
        self.intern(Node::new(Op::Var, sort, [Term(index as u32)]))
    }

    /// A variable unlike any other, its name beginning with `prefix`.
    pub fn fresh_var(&mut self, prefix: &str, sort: Sort) -> Term {
        loop {
            let name = format!("{prefix}!{}", self.fresh);
            self.fresh += 1;
            if !self.variables.contains(&(name.clone(), sort)) {
                return self.var(&name, sort);
            }
        }
    }

    /// The variable as a term.
    pub fn variable_term(&mut self, variable: Variable) -> Term {
        let sort = self.variable_sort(variable);
        self.intern(Node::new(Op::Var, sort, [Term(variable.0)]))
    }

    /// The variable's name.
    pub fn variable_name(&self, variable: Variable) -> &str {
        &self.variables[variable.number()].0
    }

    /// The variable's sort.
    pub fn variable_sort(&self, variable: Variable) -> Sort {
        self.variables[variable.number()].1
    }

    /// The function with this signature.
    pub fn function(&mut self, signature: Signature) -> Function {
        Function(self.functions.insert_full(signature).0 as u32)
    }

    /// The function's name and sorts.
    pub fn signature(&self, function: Function) -> &Signature {
        &self.functions[function.0 as usize]
    }

    pub(crate) fn list(&mut self, terms: &[Term]) -> Term {
        match self.lists.get_index_of(terms) {
            Some(index) => Term(index as u32),
            None => Term(self.lists.insert_full(terms.into()).0 as u32),
        }
    }

    pub(crate) fn list_items(&self, list: Term) -> &[Term] {
        &self.lists[list.number()]
    }

    /// The simplest known term equal to `node`: the one place where terms with
    /// arguments come into being.
    #[inline]
    pub(crate) fn make(&mut self, mut node: Node) -> Term {
        if node.op.is_commutative() {
            self.order(&mut node);
        }
        let hash = node.hash();
        if let Some(term) = self.find(hash, &node) {
            return term;
        }
        if let Some(term) = self.rewritten.get(hash, &node) {
            return term;
        }
        match rewrite::simplify(self, &node) {
            Some(term) => {
                self.rewritten.put(hash, node, term);
                term
            }
            None => self.insert(hash, node),
        }
    }

    /// The term of exactly this node, unsimplified: for leaves, and for tests
    /// that check a rewriting rule against the term it replaces.
    #[inline]
    pub(crate) fn intern(&mut self, node: Node) -> Term {
        let hash = node.hash();
        match self.find(hash, &node) {
            Some(term) => term,
            None => self.insert(hash, node),
        }
    }

    /// Commutative normal form: a constant comes last, otherwise the older
    /// term comes first.
    #[inline]
    fn order(&self, node: &mut Node) {
        let [a, b, _] = node.slots;
        if (self.is_const(a), a) > (self.is_const(b), b) {
            node.slots.swap(0, 1);
        }
    }

    #[inline]
    fn find(&self, hash: u64, node: &Node) -> Option<Term> {
        self.table
            .find(hash, |term| self.nodes[term.number()] == *node)
            .copied()
    }

    fn insert(&mut self, hash: u64, node: Node) -> Term {
        let term = Term(u32::try_from(self.nodes.len()).expect("a store holds under 2^32 terms"));
        let facts = Facts::of(self, &node, |arg| *self.facts(arg));
        self.nodes.push(node);
        self.facts.push(facts);
        let nodes = &self.nodes;
        self.table
            .insert_unique(hash, term, |term| nodes[term.number()].hash());
        term
    }

    /// The term with the operator, sort and indices of `like` and these
    /// arguments, which must have the sorts of its own, simplified.
    pub fn with_args(&mut self, like: Term, args: &[Term]) -> Term {
        let mut node = *self.node(like);
        match node.op.arity() {
            Some(arity) => node.slots[..arity].copy_from_slice(args),
            None if node.op == Op::Apply => node.slots[1] = self.list(args),
            None => node.slots[0] = self.list(args),
        }
        self.make(node)
    }

    /// The term with this [number](Term::number), which must be that of one.
    pub fn term_at(&self, number: usize) -> Term {
        assert!(number < self.nodes.len(), "there is no term {number}");
        Term(number as u32)
    }

    /// The variable with this [number](Variable::number), which must be that of one.
    pub fn variable_at(&self, number: usize) -> Variable {
        assert!(
            number < self.variables.len(),
            "there is no variable {number}"
        );
        Variable(number as u32)
    }

    /// The function with this [number](Function::number), which must be that of one.
    pub fn function_at(&self, number: usize) -> Function {
        assert!(
            number < self.functions.len(),
            "there is no function {number}"
        );
        Function(number as u32)
    }

    /// All variables, in the order in which they were made.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + use<> {
        (0..self.variables.len() as u32).map(Variable)
    }
}
