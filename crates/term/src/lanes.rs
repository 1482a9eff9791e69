//! Terms about one byte, for all of its values at once.
//!
//! A program that looks at a byte again and again makes terms that share most of their
//! parts. [`Lanes`] keeps the values that each part has, so that a new term costs what is
//! new in it.

use crate::bits::BitVec;
use crate::compute::{self, Shape};
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Store, Term};
use crate::tape::WIDEST;
use crate::value::{Value, is_word};
use rustc_hash::{FxHashMap, FxHashSet};
use std::array;
use std::rc::Rc;

/// The values of a byte.
pub const LANES: usize = 256;

/// Terms whose values are kept, of two kilobytes each.
const MOST_KNOWN: usize = 1 << 14;

/// New parts of a term that are computed.
const MOST_NEW: usize = 1 << 12;

/// The values of terms for each value of the one byte that they are about.
///
/// ```
/// use term::{Lanes, Sort, Store};
///
/// let mut store = Store::new();
/// let (x, y) = (store.var("x", Sort::Bv(8)), store.var("y", Sort::Bv(8)));
/// let square = store.bv_mul(x, x);
/// let product = store.bv_mul(x, y);
///
/// let mut lanes = Lanes::default();
/// let lane = lanes.of(&store, square).expect("it is about one byte");
/// assert_eq!(lane.input, x);
/// assert_eq!(lane.words[7], 49);
/// assert!(lanes.of(&store, product).is_none());
/// ```
#[derive(Default)]
pub struct Lanes {
    known: FxHashMap<Term, Part>,
}

/// What a term is for each value of its input.
#[derive(Clone)]
pub struct Lane {
    /// A variable of at most eight bits, or such an element of an array variable. Of a
    /// narrower one the values come again and again.
    pub input: Term,
    /// The words of the term.
    pub words: Rc<[u64; LANES]>,
}

/// What is known of a term.
#[derive(Clone)]
enum Part {
    Constant(u64),
    Varying(Lane),
    /// Looked at when it is read from.
    Array,
    /// It is about something else, or no word.
    Beyond,
}

impl Part {
    /// The value for a value of the input.
    fn at(&self, lane: usize) -> u64 {
        match self {
            Part::Constant(word) => *word,
            Part::Varying(varying) => varying.words[lane],
            Part::Array | Part::Beyond => unreachable!("it has no value"),
        }
    }
}

impl Lanes {
    /// The values of a term that is about one byte; none if it is about nothing, about
    /// more, or too large.
    pub fn of(&mut self, store: &Store, term: Term) -> Option<Lane> {
        if self.known.len() > MOST_KNOWN {
            self.known.clear();
        }
        if !self.known.contains_key(&term) {
            // What a term is made of was made before it.
            let mut parts = self.new_parts(store, term)?;
            parts.sort_unstable();
            for part in parts {
                let known = self.compute(store, part).unwrap_or(Part::Beyond);
                self.known.insert(part, known);
            }
        }
        match self.known.get(&term) {
            Some(Part::Varying(lane)) => Some(lane.clone()),
            _ => None,
        }
    }

    /// The parts that are not known yet; none if there are too many.
    fn new_parts(&self, store: &Store, term: Term) -> Option<Vec<Term>> {
        let mut parts = vec![term];
        let mut seen: FxHashSet<Term> = parts.iter().copied().collect();
        let mut next = 0;
        while let Some(&part) = parts.get(next) {
            next += 1;
            if input_width(store, part).is_some() {
                continue;
            }
            let args = store.args(part).iter();
            parts.extend(args.filter(|arg| !self.known.contains_key(arg) && seen.insert(**arg)));
            if parts.len() > MOST_NEW {
                return None;
            }
        }
        Some(parts)
    }

    /// A term whose parts are known.
    fn compute(&self, store: &Store, term: Term) -> Option<Part> {
        if let Some(word) = store.as_word(term) {
            return Some(Part::Constant(word));
        }
        if let Some(width) = input_width(store, term) {
            let words = array::from_fn(|lane| lane as u64 & ((1 << width) - 1));
            return Some(Part::Varying(Lane {
                input: term,
                words: Rc::new(words),
            }));
        }
        let (sort, args) = (store.sort(term), store.args(term));
        match store.op(term) {
            Op::Var | Op::Apply => None,
            _ if matches!(sort, Sort::Array { .. }) => Some(Part::Array),
            _ if !is_word(sort) => None,
            Op::Select => Read::of(self, store, args[0], args[1]),
            _ if args.is_empty() || args.len() > WIDEST => None,
            _ => self.apply(Shape::of(store, term), args),
        }
    }

    /// An operator on words.
    fn apply(&self, shape: Shape, args: &[Term]) -> Option<Part> {
        let mut input = None;
        let parts: Vec<&Part> = args
            .iter()
            .map(|&arg| self.word_part(arg, &mut input))
            .collect::<Option<_>>()?;
        let word = |lane| {
            let mut words = [0; WIDEST];
            for (word, part) in words.iter_mut().zip(&parts) {
                *word = part.at(lane);
            }
            compute::word(shape, &words[..parts.len()])
        };
        Some(match input {
            None => Part::Constant(word(0)),
            Some(input) => Part::Varying(Lane {
                input,
                words: Rc::new(array::from_fn(word)),
            }),
        })
    }

    /// A part that has words; it must not be about another input.
    fn word_part(&self, term: Term, input: &mut Option<Term>) -> Option<&Part> {
        let part = &self.known[&term];
        match part {
            Part::Constant(_) => Some(part),
            Part::Varying(lane) if *input.get_or_insert(lane.input) == lane.input => Some(part),
            Part::Varying(_) | Part::Array | Part::Beyond => None,
        }
    }
}

/// The width of an input that is a byte or less.
fn input_width(store: &Store, term: Term) -> Option<u16> {
    let is_input = match (store.op(term), store.args(term)) {
        (Op::Var, _) => true,
        (Op::Select, &[array, index]) => {
            store.op(array) == Op::Var && store.as_word(index).is_some()
        }
        _ => false,
    };
    match store.sort(term) {
        Sort::Bool if is_input => Some(1),
        Sort::Bv(width) if is_input && width <= 8 => Some(width),
        _ => None,
    }
}

/// A read from an array that was written to.
struct Read<'a> {
    lanes: &'a Lanes,
    store: &'a Store,
    index: &'a Part,
    input: Option<Term>,
    words: [u64; LANES],
}

impl<'a> Read<'a> {
    fn of(lanes: &'a Lanes, store: &'a Store, array: Term, index: Term) -> Option<Part> {
        let mut input = None;
        let mut read = Read {
            index: lanes.word_part(index, &mut input)?,
            lanes,
            store,
            input,
            words: [0; LANES],
        };
        read.look(array, [true; LANES])?;
        Some(match read.input {
            None => Part::Constant(read.words[0]),
            Some(input) => Part::Varying(Lane {
                input,
                words: Rc::new(read.words),
            }),
        })
    }

    /// Looks through the writes to an array, for the lanes that are open.
    fn look(&mut self, mut array: Term, mut open: [bool; LANES]) -> Option<()> {
        loop {
            let args = self.store.args(array);
            match (self.store.op(array), args) {
                (Op::Store, &[before, at, element]) => {
                    let at = self.lanes.word_part(at, &mut self.input)?;
                    let element = self.lanes.word_part(element, &mut self.input)?;
                    for (lane, is_open) in open.iter_mut().enumerate() {
                        if *is_open && at.at(lane) == self.index.at(lane) {
                            self.words[lane] = element.at(lane);
                            *is_open = false;
                        }
                    }
                    if open == [false; LANES] {
                        return Some(());
                    }
                    array = before;
                }
                (Op::Ite, &[condition, then, otherwise]) => {
                    let condition = self.lanes.word_part(condition, &mut self.input)?;
                    let taken = array::from_fn(|lane| open[lane] && condition.at(lane) != 0);
                    self.look(then, taken)?;
                    (0..LANES).for_each(|lane| open[lane] &= !taken[lane]);
                    array = otherwise;
                }
                (Op::Const, _) => return self.find(array, &open),
                _ => return None,
            }
        }
    }

    /// The elements of a constant array.
    fn find(&mut self, array: Term, open: &[bool; LANES]) -> Option<()> {
        let Sort::Array { index: width, .. } = self.store.sort(array) else {
            return None;
        };
        let Some(Value::Array(elements)) = self.store.as_value(array) else {
            return None;
        };
        for lane in (0..LANES).filter(|&lane| open[lane]) {
            let index = BitVec::from_u64(width, self.index.at(lane));
            self.words[lane] = elements.get(&index).to_u64()?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluator;
    use crate::value::Assignment;

    #[test]
    fn lanes_say_what_the_evaluator_says() {
        let mut store = Store::new();
        let input = store.var(
            "bytes",
            Sort::Array {
                index: 32,
                element: 8,
            },
        );
        let third = store.bv(32, 3);
        let byte = store.select(input, third);
        let words: Vec<u64> = (0..256).map(|i| i * 7919 % 65_536).collect();
        let table = store.table(8, 16, &words);
        let mut random = 1u64;
        let mut next = |bound: usize| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) as usize % bound
        };
        let mut terms = vec![store.zext(byte, 16), store.bv(16, 300)];
        for _ in 0..300 {
            let (a, b) = (terms[next(terms.len())], terms[next(terms.len())]);
            terms.push(match next(8) {
                0 => store.bv_add(a, b),
                1 => store.bv_mul(a, b),
                2 => store.bv_udiv(a, b),
                3 => store.bv_xor(a, b),
                4 => store.bv_ashr(a, b),
                5 => {
                    let (at, place) = (store.extract(a, 0, 8), store.extract(b, 3, 8));
                    let written = store.store(table, at, b);
                    let is_less = store.bv_ult(a, b);
                    let either = store.ite(is_less, written, table);
                    store.select(either, place)
                }
                6 => {
                    let is_less = store.bv_slt(a, b);
                    store.ite(is_less, a, b)
                }
                _ => store.bv_sub(a, b),
            });
        }
        let mut lanes = Lanes::default();
        let mut evaluator = Evaluator::default();
        let variable = store.as_variable(input).expect("it is one");
        let mut elements = match Value::default_of(store.sort(input)) {
            Value::Array(elements) => elements,
            other => panic!("an array, not {other:?}"),
        };
        for value in 0..256u64 {
            Rc::make_mut(&mut elements).set(BitVec::from_u64(32, 3), BitVec::from_u64(8, value));
            let mut assignment = Assignment::new();
            assignment.set(variable, Value::Array(elements.clone()));
            let mut evaluation = evaluator.under(&store, &assignment);
            for &term in &terms {
                let expected = evaluation.word(term);
                match lanes.of(&store, term) {
                    Some(lane) => {
                        assert_eq!(lane.input, byte);
                        assert_eq!(lane.words[value as usize], expected);
                    }
                    None => assert!(store.is_const(term), "all others are about the byte"),
                }
            }
        }
    }

    #[test]
    fn what_is_about_two_bytes_has_no_lanes() {
        let mut store = Store::new();
        let input = store.var(
            "bytes",
            Sort::Array {
                index: 32,
                element: 8,
            },
        );
        let (zero, one) = (store.bv(32, 0), store.bv(32, 1));
        let (a, b) = (store.select(input, zero), store.select(input, one));
        let both = store.bv_ult(a, b);
        let mut lanes = Lanes::default();
        assert!(lanes.of(&store, both).is_none());
        let index = store.zext(a, 32);
        let somewhere = store.select(input, index);
        assert!(lanes.of(&store, somewhere).is_none());
    }
}
