//! From terms to gates.
//!
//! Every bit-vector, Boolean, float or rounding-mode term becomes literals of
//! the graph, once; a float is held as a [`Float`]. Arrays become no literals
//! of their own: a read is followed through writes, choices and tables down to
//! array variables, and each distinct read of a variable gets fresh inputs, as
//! does each application of a function. That reads of one place agree is left
//! to [`super::reads`].

use super::aig::{Aig, Lit};
use super::circuits;
use super::float::{self, Float, Rounding};
use super::reads::{ReadId, Reads, Symbol};
use crate::backend::Reason;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{ArrayValue, BitVec, FpFormat, Op, RoundingMode, Sort, Store, Term, Value, Variable};

/// Pairs of bits beyond which a multiplier or divider is not even begun: it would
/// take gigabytes.
const MOST_CELLS: usize = 1 << 24;

/// The literals of a term, least significant first.
pub(crate) type Bits = Rc<[Lit]>;

/// The graph and what each term is in it.
#[derive(Default)]
pub(crate) struct Blaster {
    pub aig: Aig,
    pub reads: Reads,
    /// By term; of floats and arrays, empty.
    bits: FxHashMap<Term, Bits>,
    floats: FxHashMap<Term, Rc<Float>>,
    inputs: FxHashMap<Variable, Bits>,
    /// The reads that each `Select` and `Apply` term led to.
    reads_of: FxHashMap<Term, Box<[ReadId]>>,
    stack: Vec<Term>,
}

impl Blaster {
    /// The literal of a Boolean term, unless the graph reaches its limit on the way.
    pub fn literal(&mut self, store: &Store, root: Term) -> Result<Lit, Reason> {
        self.stack.clear();
        self.stack.push(root);
        while let Some(&term) = self.stack.last() {
            if self.bits.contains_key(&term) {
                self.stack.pop();
                continue;
            }
            let before = self.stack.len();
            for &arg in store.args(term) {
                if !self.bits.contains_key(&arg) {
                    self.stack.push(arg);
                }
            }
            if self.stack.len() > before {
                continue;
            }
            self.stack.pop();
            let bits = self.step(store, term)?;
            // A circuit that met the limit is not whole: its term stays unknown and
            // is blasted again should it come back.
            if let Some(reason) = self.aig.exceeded() {
                return Err(reason.clone());
            }
            self.bits.insert(term, bits);
        }
        Ok(self.bits[&root][0])
    }

    /// The inputs that stand for a variable, if a term blasted so far holds it.
    pub fn inputs(&self, variable: Variable) -> Option<&Bits> {
        self.inputs.get(&variable)
    }

    /// The reads that this `Select` or `Apply` term led to.
    pub fn reads_of(&self, term: Term) -> &[ReadId] {
        self.reads_of.get(&term).map_or(&[], |reads| reads)
    }

    /// The term's literals; those of its arguments are there.
    fn step(&mut self, store: &Store, term: Term) -> Result<Bits, Reason> {
        let sort = store.sort(term);
        match store.op(term) {
            Op::Const => self.constant(store, term),
            Op::Var => self.variable(store, term),
            Op::Apply => self.apply(store, term),
            Op::Eq => Ok(Rc::new([self.equal(store, term)?])),
            Op::Ite => match sort {
                Sort::Array { .. } => Ok(Rc::new([])),
                Sort::Fp(_) => Ok(self.choose_float(store, term)),
                _ => {
                    let [c, a, b] = self.args(store, term);
                    Ok(circuits::mux(&mut self.aig, c[0], &a, &b).into())
                }
            },
            Op::Not => {
                let [a] = self.args(store, term);
                Ok(Rc::new([!a[0]]))
            }
            Op::And => {
                let [a, b] = self.args(store, term);
                Ok(Rc::new([self.aig.and(a[0], b[0])]))
            }
            Op::ConstArray | Op::Store => Ok(Rc::new([])),
            Op::Select => self.select(store, term),
            op if is_float(op) => self.float_operator(store, term, op),
            op => self.bit_vector(store, term, op),
        }
    }

    fn args<const N: usize>(&self, store: &Store, term: Term) -> [Bits; N] {
        let args = store.args(term);
        std::array::from_fn(|i| self.bits[&args[i]].clone())
    }

    fn constant(&mut self, store: &Store, term: Term) -> Result<Bits, Reason> {
        let value = store.as_value(term).expect("the term is a constant");
        Ok(match value {
            Value::Bool(truth) => Rc::new([Lit::constant(truth)]),
            Value::Bv(bits) => vector(&bits),
            Value::Fp(format, bits) => {
                let float = float::constant(&mut self.aig, format, bits);
                self.keep(term, float)
            }
            Value::Rm(mode) => vector(&BitVec::from_u64(3, mode as u64)),
            Value::Array(_) => Rc::new([]),
            Value::Int(_) | Value::Real(_) | Value::Str(_) | Value::Re(_) => {
                return Err(unsupported(store, term));
            }
        })
    }

    fn variable(&mut self, store: &Store, term: Term) -> Result<Bits, Reason> {
        let width = match store.sort(term) {
            Sort::Array { .. } => return Ok(Rc::new([])),
            sort => width_of(sort)?,
        };
        let variable = store.as_variable(term).expect("the term is a variable");
        let bits: Bits = self.aig.inputs(width).into();
        self.inputs.insert(variable, bits.clone());
        Ok(self.any(store, term, bits))
    }

    /// The term whose value the fresh inputs spell. Three bits of a rounding
    /// mode make eight patterns; those beyond the five modes mean the last.
    fn any(&mut self, store: &Store, term: Term, bits: Bits) -> Bits {
        match (store.sort(term), &*bits) {
            (Sort::RoundingMode, &[a, b, c]) => {
                Rc::new([self.aig.and(a, !c), self.aig.and(b, !c), c])
            }
            (Sort::Fp(format), _) => {
                let float = float::unpack(&mut self.aig, format, &bits);
                self.keep(term, float)
            }
            _ => bits,
        }
    }

    fn bit_vector(&mut self, store: &Store, term: Term, op: Op) -> Result<Bits, Reason> {
        let args: Vec<Bits> = store
            .args(term)
            .iter()
            .map(|a| self.bits[a].clone())
            .collect();
        let width = usize::from(store.width(term));
        if is_quadratic(op) && width * width > MOST_CELLS {
            return Err(Reason::Memory);
        }
        let aig = &mut self.aig;
        Ok(match (op, args.as_slice()) {
            (Op::BvNot, [a]) => a.iter().map(|&bit| !bit).collect(),
            (Op::BvNeg, [a]) => circuits::neg(aig, a).into(),
            (Op::BvAnd, [a, b]) => circuits::and(aig, a, b).into(),
            (Op::BvOr, [a, b]) => circuits::or(aig, a, b).into(),
            (Op::BvXor, [a, b]) => circuits::xor(aig, a, b).into(),
            (Op::BvAdd, [a, b]) => match minuend(store, term) {
                // x + (-y) is one subtractor, not a negation and an adder.
                Some((x, y)) => {
                    let (x, y) = (self.bits[&x].clone(), self.bits[&y].clone());
                    circuits::sub(aig, &x, &y).into()
                }
                None => circuits::add(aig, a, b).into(),
            },
            (Op::BvMul, [a, b]) => circuits::mul(aig, a, b).into(),
            (Op::BvUdiv, [a, b]) => circuits::udiv_urem(aig, a, b).0.into(),
            (Op::BvUrem, [a, b]) => circuits::udiv_urem(aig, a, b).1.into(),
            (Op::BvSdiv, [a, b]) => circuits::sdiv(aig, a, b).into(),
            (Op::BvSrem, [a, b]) => circuits::srem(aig, a, b).into(),
            (Op::BvSmod, [a, b]) => circuits::smod(aig, a, b).into(),
            (Op::BvShl, [a, b]) => circuits::shl(aig, a, b).into(),
            (Op::BvLshr, [a, b]) => circuits::lshr(aig, a, b).into(),
            (Op::BvAshr, [a, b]) => circuits::ashr(aig, a, b).into(),
            (Op::Ult, [a, b]) => Rc::new([circuits::ult(aig, a, b)]),
            (Op::Slt, [a, b]) => Rc::new([circuits::slt(aig, a, b)]),
            (Op::Concat, [high, low]) => low.iter().chain(high.iter()).copied().collect(),
            (Op::Extract, [a]) => {
                let low = store.indices(term)[0] as usize;
                a[low..low + width].into()
            }
            (Op::Zext, [a]) => padded(a, width, Lit::FALSE),
            (Op::Sext, [a]) => padded(a, width, *a.last().expect("a vector has bits")),
            _ => return Err(unsupported(store, term)),
        })
    }

    fn equal(&mut self, store: &Store, term: Term) -> Result<Lit, Reason> {
        let &[a, b] = store.args(term) else {
            unreachable!("an equality has two sides");
        };
        match store.sort(a) {
            Sort::Array { .. } => Err(Reason::Unsupported("equality of arrays".to_owned())),
            Sort::Fp(_) => {
                let (a, b) = (self.floats[&a].clone(), self.floats[&b].clone());
                Ok(float::same(&mut self.aig, &a, &b))
            }
            _ => {
                let [a, b] = self.args(store, term);
                Ok(circuits::eq(&mut self.aig, &a, &b))
            }
        }
    }
}

/// Arrays and functions.
impl Blaster {
    fn select(&mut self, store: &Store, term: Term) -> Result<Bits, Reason> {
        let &[array, index] = store.args(term) else {
            unreachable!("a read has an array and an index");
        };
        let index = self.bits[&index].clone();
        let mut reads = Vec::new();
        let bits = self.read(store, array, &index, &mut reads);
        self.reads_of.insert(term, reads.into());
        Ok(bits)
    }

    /// The element of `root` at `index`, found by following the array's graph
    /// from its variables and constants upward.
    fn read(&mut self, store: &Store, root: Term, index: &Bits, reads: &mut Vec<ReadId>) -> Bits {
        let mut found: FxHashMap<Term, Bits> = FxHashMap::default();
        let mut stack = vec![root];
        while let Some(&array) = stack.last() {
            if found.contains_key(&array) {
                stack.pop();
                continue;
            }
            let args = store.args(array);
            let below = match store.op(array) {
                Op::Store => &args[..1],
                Op::Ite => &args[1..],
                _ => &[],
            };
            let before = stack.len();
            stack.extend(below.iter().filter(|array| !found.contains_key(array)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let element: Bits = match store.op(array) {
                Op::Store => {
                    let here = circuits::eq(&mut self.aig, &self.bits[&args[1]], index);
                    let (new, old) = (&self.bits[&args[2]], &found[&args[0]]);
                    circuits::mux(&mut self.aig, here, new, old).into()
                }
                Op::Ite => {
                    let condition = self.bits[&args[0]][0];
                    let (then, otherwise) = (&found[&args[1]], &found[&args[2]]);
                    circuits::mux(&mut self.aig, condition, then, otherwise).into()
                }
                Op::ConstArray => self.bits[&args[0]].clone(),
                Op::Const => {
                    let Some(Value::Array(table)) = store.as_value(array) else {
                        unreachable!("a constant of an array sort is an array");
                    };
                    look_up(&mut self.aig, &table, index).into()
                }
                Op::Var => {
                    let variable = store.as_variable(array).expect("it is a variable");
                    let Sort::Array { element, .. } = store.sort(array) else {
                        unreachable!("reads are of arrays");
                    };
                    let symbol = Symbol::Array(variable);
                    let id = self.reads.at(&mut self.aig, symbol, index, element.into());
                    reads.push(id);
                    self.reads.result(id).clone()
                }
                other => unreachable!("{other:?} does not make an array"),
            };
            found.insert(array, element);
        }
        found[&root].clone()
    }

    fn apply(&mut self, store: &Store, term: Term) -> Result<Bits, Reason> {
        let function = store.as_function(term).expect("it is an application");
        let mut key = Vec::new();
        for &arg in store.args(term) {
            match store.sort(arg) {
                Sort::Array { .. } => {
                    return Err(Reason::Unsupported("functions of arrays".to_owned()));
                }
                Sort::Fp(_) => {
                    let float = self.floats[&arg].clone();
                    key.extend(float::pack(&mut self.aig, &float));
                }
                _ => key.extend_from_slice(&self.bits[&arg]),
            }
        }
        if let Sort::Array { .. } = store.sort(term) {
            return Err(Reason::Unsupported("functions that give arrays".to_owned()));
        }
        let width = width_of(store.sort(term))?;
        let symbol = Symbol::Function(function);
        let id = self.reads.at(&mut self.aig, symbol, &key.into(), width);
        self.reads_of.insert(term, Box::new([id]));
        let result = self.reads.result(id).clone();
        Ok(self.any(store, term, result))
    }
}

/// Floating point.
impl Blaster {
    fn choose_float(&mut self, store: &Store, term: Term) -> Bits {
        let &[condition, a, b] = store.args(term) else {
            unreachable!("a choice has three arguments");
        };
        let condition = self.bits[&condition][0];
        let (a, b) = (self.floats[&a].clone(), self.floats[&b].clone());
        let float = float::mux(&mut self.aig, condition, &a, &b);
        self.keep(term, float)
    }

    /// Files the float under its term, which has no literals of its own.
    fn keep(&mut self, term: Term, float: Float) -> Bits {
        self.floats.insert(term, Rc::new(float));
        Rc::new([])
    }

    fn float_operator(&mut self, store: &Store, term: Term, op: Op) -> Result<Bits, Reason> {
        let args = store.args(term);
        let last = *args.last().expect("float operators have arguments");
        let width = usize::from(store.width(term));
        let rounding = match store.sort(args[0]) {
            Sort::RoundingMode => self.rounding(args[0]),
            _ => Rounding::constant(RoundingMode::NearestEven),
        };
        match (store.sort(last), store.sort(term)) {
            (Sort::Bv(_), Sort::Fp(to)) => {
                let bits = self.bits[&last].clone();
                let float = match op {
                    Op::FpFromBits => float::unpack(&mut self.aig, to, &bits),
                    Op::FpFromSigned => float::from_signed(&mut self.aig, to, rounding, &bits),
                    _ => float::from_unsigned(&mut self.aig, to, rounding, &bits),
                };
                Ok(self.keep(term, float))
            }
            (Sort::Fp(_), Sort::Bv(_)) => {
                let a = self.floats[&last].clone();
                Ok(match op {
                    Op::FpToBits => float::pack(&mut self.aig, &a),
                    Op::FpToSigned => float::to_signed(&mut self.aig, rounding, &a, width),
                    _ => float::to_unsigned(&mut self.aig, rounding, &a, width),
                }
                .into())
            }
            (Sort::Fp(_), Sort::Bool) => Ok(Rc::new([self.float_predicate(op, args)])),
            (Sort::Fp(_), Sort::Fp(to)) => {
                let float = self.float_result(store, op, args, rounding, to)?;
                Ok(self.keep(term, float))
            }
            _ => Err(unsupported(store, term)),
        }
    }

    fn float_predicate(&mut self, op: Op, args: &[Term]) -> Lit {
        let a = self.floats[&args[0]].clone();
        let b = args.get(1).map(|b| self.floats[b].clone());
        let aig = &mut self.aig;
        match (op, b) {
            (Op::FpEq, Some(b)) => float::eq(aig, &a, &b),
            (Op::FpLt, Some(b)) => float::lt(aig, &a, &b),
            (Op::FpLe, Some(b)) => float::le(aig, &a, &b),
            (Op::FpIsNan, None) => a.nan,
            (Op::FpIsInf, None) => a.inf,
            (Op::FpIsZero, None) => a.zero,
            (Op::FpIsNormal, None) => float::is_normal(aig, &a),
            (Op::FpIsSubnormal, None) => a.subnormal,
            (Op::FpIsNegative, None) => float::is_negative(aig, &a),
            (Op::FpIsPositive, None) => float::is_positive(aig, &a),
            (other, _) => unreachable!("{other:?} is not a predicate on floats"),
        }
    }

    fn float_result(
        &mut self,
        store: &Store,
        op: Op,
        args: &[Term],
        rm: Rounding,
        to: FpFormat,
    ) -> Result<Float, Reason> {
        /// A remainder of more gates than this is left to others.
        const REMAINDER_GATES: usize = 1_000_000;
        let operands = args.iter().filter_map(|arg| self.floats.get(arg).cloned());
        let floats: Vec<Rc<Float>> = operands.collect();
        let aig = &mut self.aig;
        Ok(match (op, floats.as_slice()) {
            (Op::FpAbs, [a]) => float::abs(a),
            (Op::FpNeg, [a]) => float::neg(a),
            (Op::FpAdd, [a, b]) => float::add(aig, rm, a, b),
            (Op::FpMul, [a, b]) => float::mul(aig, rm, a, b),
            (Op::FpDiv, [a, b]) => float::div(aig, rm, a, b),
            (Op::FpFma, [a, b, c]) => float::fma(aig, rm, a, b, c),
            (Op::FpSqrt, [a]) => float::sqrt(aig, rm, a),
            (Op::FpRem, [a, b]) if float::rem_cost(to) <= REMAINDER_GATES => float::rem(aig, a, b),
            (Op::FpRem, _) => {
                let what = format!("remainders in {}", store.sort(args[0]));
                return Err(Reason::Unsupported(what));
            }
            (Op::FpRound, [a]) => float::round_to_integral(aig, rm, a),
            (Op::FpMin, [a, b]) => float::min(aig, a, b),
            (Op::FpMax, [a, b]) => float::max(aig, a, b),
            (Op::FpConvert, [a]) => float::convert(aig, to, rm, a),
            (other, _) => unreachable!("{other:?} does not make a float of floats"),
        })
    }

    fn rounding(&mut self, term: Term) -> Rounding {
        let bits = &self.bits[&term];
        let bits = [bits[0], bits[1], bits[2]];
        Rounding::symbolic(&mut self.aig, &bits)
    }
}

fn is_float(op: Op) -> bool {
    (Op::FpFromBits..=Op::FpToReal).contains(&op)
}

/// Whether the operator's circuit has a cell for each pair of bits.
fn is_quadratic(op: Op) -> bool {
    matches!(
        op,
        Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod
    )
}

/// How many literals a term of the sort has.
pub(crate) fn width_of(sort: Sort) -> Result<usize, Reason> {
    match sort {
        Sort::Bool => Ok(1),
        Sort::Bv(width) => Ok(width.into()),
        Sort::Fp(format) => Ok(format.width() as usize),
        Sort::RoundingMode => Ok(3),
        Sort::Array { .. } | Sort::Int | Sort::Real | Sort::String | Sort::RegLan => {
            Err(Reason::Unsupported(format!("terms of sort {sort}")))
        }
    }
}

fn vector(bits: &BitVec) -> Bits {
    (0..bits.width())
        .map(|i| Lit::constant(bits.bit(i)))
        .collect()
}

/// `(x, y)` when the term is `x + (-y)`.
fn minuend(store: &Store, term: Term) -> Option<(Term, Term)> {
    let &[a, b] = store.args(term) else {
        return None;
    };
    match (store.op(a), store.op(b)) {
        (_, Op::BvNeg) => Some((a, store.args(b)[0])),
        (Op::BvNeg, _) => Some((b, store.args(a)[0])),
        _ => None,
    }
}

fn padded(bits: &[Lit], width: usize, with: Lit) -> Bits {
    let padding = std::iter::repeat_n(with, width - bits.len());
    bits.iter().copied().chain(padding).collect()
}

/// The table's element at a symbolic index: a tree of choices over the index
/// bits, from the highest down, in which equal branches are one.
fn look_up(aig: &mut Aig, table: &ArrayValue, index: &[Lit]) -> Vec<Lit> {
    let entries: Vec<(&BitVec, &BitVec)> = table.entries().collect();
    look_up_among(aig, &entries, table.default(), index)
}

fn look_up_among(
    aig: &mut Aig,
    entries: &[(&BitVec, &BitVec)],
    default: &BitVec,
    index: &[Lit],
) -> Vec<Lit> {
    let Some((&top, rest)) = index.split_last() else {
        let element = entries.first().map_or(default, |&(_, element)| element);
        return vector(element).to_vec();
    };
    if entries.is_empty() {
        return vector(default).to_vec();
    }
    let middle = entries.partition_point(|(at, _)| !at.bit(rest.len() as u16));
    let low = look_up_among(aig, &entries[..middle], default, rest);
    let high = look_up_among(aig, &entries[middle..], default, rest);
    circuits::mux(aig, top, &high, &low)
}

fn unsupported(store: &Store, term: Term) -> Reason {
    Reason::Unsupported(format!("{:?}", store.op(term)))
}
