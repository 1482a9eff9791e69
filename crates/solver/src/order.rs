//! Queries that only compare numbers with each other and with constants.
//!
//! Sorting, search trees and heaps need nothing else. Such a query is a graph:
//! a number is at least another, or at least another and one more. It is a
//! contradiction exactly if a circle of comparisons makes a number greater than
//! itself; otherwise every number can stay as near to a given value as the
//! others let it. Numbers that must differ are moved apart; where there is no
//! room for that, others have to decide.
//!
//! (Pratt, *Two easy theories whose combination is hard*, 1977: differences as a graph,
//! contradictions as its circles.)

use crate::search::Change;
use base::Stop;
use rustc_hash::FxHashMap;
use term::{Assignment, Evaluator, Op, Sort, Store, Term};

/// Longer queries are not worth looking at: few of them compare only.
const MOST_CONSTRAINTS: usize = 1_000;

/// Values that are moved apart before the attempt is given up.
const MOST_MOVES: usize = 500;

/// What was found out.
pub(crate) enum Order {
    Sat(Assignment),
    /// These exclude each other.
    Unsat(Vec<Term>),
}

/// Decides a query of comparisons; none if it is another, or is not decided.
/// What is found is close to `near`.
pub(crate) fn decide(
    store: &Store,
    evaluator: &mut Evaluator,
    query: &[Term],
    near: &Assignment,
    stop: &Stop,
) -> Option<Order> {
    if query.len() > MOST_CONSTRAINTS {
        return None;
    }
    let graph = Graph::of(store, query)?;
    let least = match graph.raise(vec![0; graph.numbers.len()])? {
        Raised::To(least) => least,
        Raised::TooFar(because) => return Some(Order::Unsat(because)),
    };
    let most = graph.most();
    let mut near = evaluator.under(store, near);
    let bounds = least.iter().zip(&most);
    let close = graph.numbers.iter().zip(bounds).map(|(number, bounds)| {
        let wanted = i128::from(near.word(number.term) ^ number.flip);
        wanted.clamp(*bounds.0, *bounds.1)
    });
    let found = graph
        .move_apart(close.collect(), &most, stop)
        .or_else(|| graph.move_apart(least, &most, stop))?;
    Some(Order::Sat(graph.assignment(store, &found)))
}

/// A number of the program: a variable, an element of an array, or several of them
/// one behind the other.
struct Number {
    term: Term,
    /// The variables and elements, the lowest first.
    parts: Vec<Term>,
    width: u16,
    /// What turns a value into one that is ordered as if it had no sign.
    flip: u64,
}

impl Number {
    fn greatest(&self) -> i128 {
        i128::from(u64::MAX >> (64 - self.width))
    }
}

/// One number is at least another and a distance more.
struct Edge {
    from: End,
    to: End,
    distance: i128,
    because: Vec<Term>,
}

/// What an edge joins.
#[derive(Clone, Copy)]
enum End {
    /// The number at this position.
    Number(usize),
    /// Zero, from which constants are distances.
    Zero,
}

/// Where raising values leads.
enum Raised {
    To(Vec<i128>),
    /// To a contradiction between these.
    TooFar(Vec<Term>),
}

struct Graph {
    numbers: Vec<Number>,
    edges: Vec<Edge>,
    /// Numbers that differ from each other.
    apart: Vec<(usize, usize)>,
    /// Numbers that differ from a constant.
    not: Vec<(usize, i128)>,
}

impl Graph {
    /// The query as a graph, if it only compares.
    fn of(store: &Store, query: &[Term]) -> Option<Graph> {
        let has = |op| {
            let mut atoms = query.iter().map(|&constraint| atom(store, constraint).0);
            atoms.any(|atom| store.op(atom) == op)
        };
        let signed = has(Op::Slt);
        if signed && has(Op::Ult) {
            return None;
        }
        let mut building = Building {
            store,
            signed,
            graph: Graph {
                numbers: Vec::new(),
                edges: Vec::new(),
                apart: Vec::new(),
                not: Vec::new(),
            },
            known: FxHashMap::default(),
            owners: FxHashMap::default(),
        };
        building.build(query)?;
        Some(building.graph)
    }

    /// The least values not below these that keep every comparison.
    fn raise(&self, mut values: Vec<i128>) -> Option<Raised> {
        let mut reasons: Vec<Option<&Edge>> = vec![None; values.len()];
        // Where there is no circle, the longest chain goes through all numbers once.
        for _ in 0..=values.len() {
            let mut settled = true;
            for edge in &self.edges {
                let reached = edge.distance
                    + match edge.from {
                        End::Number(from) => values[from],
                        End::Zero => 0,
                    };
                match edge.to {
                    End::Zero if reached > 0 => return Some(because(&reasons, edge)),
                    End::Number(to) if reached > values[to] => {
                        values[to] = reached;
                        reasons[to] = Some(edge);
                        settled = false;
                        if reached > self.numbers[to].greatest() {
                            return Some(because(&reasons, edge));
                        }
                    }
                    End::Zero | End::Number(_) => {}
                }
            }
            if settled {
                return Some(Raised::To(values));
            }
        }
        let mut raised = reasons.iter().flatten();
        raised.find_map(|edge| circle(&reasons, edge).map(Raised::TooFar))
    }

    /// The greatest values that keep every comparison, of which there are some.
    fn most(&self) -> Vec<i128> {
        let mut values: Vec<i128> = self.numbers.iter().map(Number::greatest).collect();
        let mut settled = false;
        while !settled {
            settled = true;
            for edge in &self.edges {
                let End::Number(from) = edge.from else {
                    continue;
                };
                let limit = match edge.to {
                    End::Number(to) => values[to],
                    End::Zero => 0,
                } - edge.distance;
                if limit < values[from] {
                    values[from] = limit;
                    settled = false;
                }
            }
        }
        values
    }

    /// Raises values until those differ that have to; none where that does not
    /// succeed.
    fn move_apart(&self, mut values: Vec<i128>, most: &[i128], stop: &Stop) -> Option<Vec<i128>> {
        for _ in 0..MOST_MOVES {
            stop.check().ok()?;
            let Raised::To(raised) = self.raise(values)? else {
                return None;
            };
            values = raised;
            let not = self.not.iter().find(|&&(a, value)| values[a] == value);
            let apart = self.apart.iter().find(|&&(a, b)| values[a] == values[b]);
            let (first, second) = match (not, apart) {
                (Some(&(a, _)), _) => (a, a),
                (None, Some(&(a, b))) => (a, b),
                (None, None) => return Some(values),
            };
            let mut either = [first, second].into_iter();
            let movable = either.find(|&number| values[number] < most[number])?;
            values[movable] += 1;
        }
        None
    }

    fn assignment(&self, store: &Store, values: &[i128]) -> Assignment {
        let mut assignment = Assignment::new();
        for (number, &value) in self.numbers.iter().zip(values) {
            let mut word = value as u64 ^ number.flip;
            for &part in &number.parts {
                let width = store.width(part);
                let value = word & (u64::MAX >> (64 - width));
                let change = match element(store, part) {
                    Some((array, index)) => Change::Element(array, index, value),
                    None => Change::Variable(part, value),
                };
                change.apply(store, &mut assignment);
                word = word.checked_shr(width.into()).unwrap_or(0);
            }
        }
        assignment
    }
}

/// The comparisons behind a value that is too great.
fn because(reasons: &[Option<&Edge>], last: &Edge) -> Raised {
    Raised::TooFar(circle(reasons, last).unwrap_or_else(|| {
        let mut chain = last.because.clone();
        let mut edge = last;
        while let End::Number(number) = edge.from
            && let Some(before) = reasons[number]
        {
            chain.extend(&before.because);
            edge = before;
        }
        chain
    }))
}

/// The circle that an edge comes from, if it does: a number in it is greater than
/// itself.
fn circle(reasons: &[Option<&Edge>], last: &Edge) -> Option<Vec<Term>> {
    let before = |edge: &Edge| match edge.from {
        End::Number(number) => reasons[number],
        End::Zero => None,
    };
    let mut edge = last;
    for _ in 0..=reasons.len() {
        edge = before(edge)?;
    }
    // By now the walk goes round.
    let (first, mut circle) = (edge, edge.because.clone());
    loop {
        edge = before(edge)?;
        if std::ptr::eq(edge, first) {
            return Some(circle);
        }
        circle.extend(&edge.because);
    }
}

/// The array variable and the index that an element is at.
fn element(store: &Store, term: Term) -> Option<(Term, u64)> {
    if store.op(term) != Op::Select {
        return None;
    }
    let &[array, index] = store.args(term) else {
        return None;
    };
    store.as_variable(array)?;
    Some((array, store.as_word(index)?))
}

/// What a constraint asserts or denies.
fn atom(store: &Store, constraint: Term) -> (Term, bool) {
    match store.op(constraint) {
        Op::Not => (store.args(constraint)[0], false),
        _ => (constraint, true),
    }
}

/// A graph in the making.
struct Building<'s> {
    store: &'s Store,
    /// Whether the order is that of numbers with a sign.
    signed: bool,
    graph: Graph,
    known: FxHashMap<Term, usize>,
    /// By variable: the number it is part of, and where in it.
    owners: FxHashMap<Term, (usize, usize)>,
}

/// A side of a comparison.
#[derive(Clone, Copy)]
enum Side {
    Number(usize),
    Constant(i128),
}

/// A variable of a number equals one of another, or a constant.
#[derive(Clone, Copy)]
struct Pair {
    number: usize,
    part: usize,
    with: With,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum With {
    /// The part at the same place of another number.
    Number(usize),
    Constant(u64),
}

impl Building<'_> {
    fn build(&mut self, query: &[Term]) -> Option<()> {
        let mut equal: Vec<(Term, Term)> = Vec::new();
        let mut unequal: Vec<Term> = Vec::new();
        for &constraint in query {
            let (atom, positive) = atom(self.store, constraint);
            match self.store.op(atom) {
                Op::Slt | Op::Ult => self.compare(atom, positive, constraint)?,
                Op::Eq if positive => equal.push((atom, constraint)),
                Op::Eq | Op::And if !positive => unequal.push(atom),
                _ => return None,
            }
        }
        self.join(&equal)?;
        for atom in unequal {
            self.part(atom)?;
        }
        Some(())
    }

    fn compare(&mut self, atom: Term, positive: bool, constraint: Term) -> Option<()> {
        let &[a, b] = self.store.args(atom) else {
            return None;
        };
        let (a, b) = (self.side(a)?, self.side(b)?);
        match positive {
            true => self.at_least(b, a, 1, vec![constraint]),
            false => self.at_least(a, b, 0, vec![constraint]),
        }
        Some(())
    }

    /// Adds equalities. Those of numbers of several variables come one variable at
    /// a time, and are of use when all are there.
    fn join(&mut self, equal: &[(Term, Term)]) -> Option<()> {
        let mut pairs = Vec::new();
        for &(atom, constraint) in equal {
            pairs.push((self.pair(atom)?, constraint));
        }
        // Those of the same two numbers, or of one with a constant, come together.
        let family = |pair: &Pair| match pair.with {
            With::Number(other) => (pair.number, Some(other)),
            With::Constant(_) => (pair.number, None),
        };
        pairs.sort_by_key(|(pair, _)| (family(pair), pair.part));
        for pairs in pairs.chunk_by(|(a, _), (b, _)| family(a) == family(b)) {
            let (parts, because): (Vec<Pair>, Vec<Term>) = pairs.iter().copied().unzip();
            let (a, b) = self.whole(&parts)?;
            self.at_least(a, b, 0, because.clone());
            self.at_least(b, a, 0, because);
        }
        Some(())
    }

    /// Adds that not all of some variables are equal, which are those of two
    /// numbers, or of one and a constant.
    fn part(&mut self, atom: Term) -> Option<()> {
        let mut pairs = Vec::new();
        for equality in term::conjuncts(self.store, atom) {
            pairs.push(self.pair(equality)?);
        }
        pairs.sort_by_key(|pair| pair.part);
        match self.whole(&pairs)? {
            (Side::Number(a), Side::Number(b)) => self.graph.apart.push((a, b)),
            (Side::Number(a), Side::Constant(b)) => self.graph.not.push((a, b)),
            (Side::Constant(_), _) => return None,
        }
        Some(())
    }

    /// What an equality says of one variable.
    fn pair(&mut self, equality: Term) -> Option<Pair> {
        if self.store.op(equality) != Op::Eq {
            return None;
        }
        let &[a, b] = self.store.args(equality) else {
            return None;
        };
        let (a, b) = match self.store.as_word(a) {
            Some(_) => (b, a),
            None => (a, b),
        };
        let (number, part) = self.owner(a)?;
        let Some(word) = self.store.as_word(b) else {
            let (other, place) = self.owner(b)?;
            let (number, other) = (number.min(other), number.max(other));
            return (part == place && number != other).then_some(Pair {
                number,
                part,
                with: With::Number(other),
            });
        };
        Some(Pair {
            number,
            part,
            with: With::Constant(word),
        })
    }

    /// The number that a variable is part of, and where in it.
    fn owner(&mut self, variable: Term) -> Option<(usize, usize)> {
        if !self.owners.contains_key(&variable) {
            self.side(variable)?;
        }
        self.owners.get(&variable).copied()
    }

    /// The two sides that pairs, in the order of their parts, are all parts of.
    fn whole(&self, pairs: &[Pair]) -> Option<(Side, Side)> {
        let first = pairs.first()?;
        let number = &self.graph.numbers[first.number];
        let covered = pairs.iter().map(|pair| pair.part).eq(0..number.parts.len());
        if !covered || pairs.iter().any(|pair| pair.number != first.number) {
            return None;
        }
        if let With::Number(other) = first.with {
            let same = pairs.iter().all(|pair| pair.with == first.with)
                && self.graph.numbers[other].parts.len() == pairs.len();
            return same.then_some((Side::Number(first.number), Side::Number(other)));
        }
        let (mut word, mut shift) = (0, 0);
        for (pair, &part) in pairs.iter().zip(&number.parts) {
            let With::Constant(value) = pair.with else {
                return None;
            };
            word |= value << shift;
            shift += self.store.width(part);
        }
        let value = i128::from(word ^ number.flip);
        Some((Side::Number(first.number), Side::Constant(value)))
    }

    /// Adds that a number is at least another and a distance more.
    fn at_least(&mut self, number: Side, other: Side, distance: i128, because: Vec<Term>) {
        let end = |side: Side| match side {
            Side::Number(position) => (End::Number(position), 0),
            Side::Constant(value) => (End::Zero, value),
        };
        let ((to, above), (from, below)) = (end(number), end(other));
        self.graph.edges.push(Edge {
            from,
            to,
            distance: distance + below - above,
            because,
        });
    }

    fn side(&mut self, term: Term) -> Option<Side> {
        let Sort::Bv(width @ 1..=64) = self.store.sort(term) else {
            return None;
        };
        let flip = u64::from(self.signed) << (width - 1);
        if let Some(word) = self.store.as_word(term) {
            return Some(Side::Constant(i128::from(word ^ flip)));
        }
        if let Some(&known) = self.known.get(&term) {
            return Some(Side::Number(known));
        }
        let position = self.graph.numbers.len();
        let parts = self.parts(term)?;
        for (place, &part) in parts.iter().enumerate() {
            if self.owners.insert(part, (position, place)).is_some() {
                return None;
            }
        }
        self.known.insert(term, position);
        self.graph.numbers.push(Number {
            term,
            parts,
            width,
            flip,
        });
        Some(Side::Number(position))
    }

    /// The variables that a term consists of, the lowest first.
    fn parts(&self, term: Term) -> Option<Vec<Term>> {
        let (mut parts, mut open) = (Vec::new(), vec![term]);
        while let Some(term) = open.pop() {
            match self.store.op(term) {
                Op::Var => parts.push(term),
                Op::Select => {
                    element(self.store, term)?;
                    parts.push(term);
                }
                Op::Concat => open.extend(self.store.args(term)),
                _ => return None,
            }
        }
        Some(parts)
    }
}
