//! Values: what terms evaluate to, and assignments of values to variables.

use crate::bits::{BitVec, mask};
use crate::regex::Regex;
use crate::shared::SharedMap;
use crate::sort::{FpFormat, RoundingMode, Sort};
use crate::store::{Function, Variable};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A value of some [`Sort`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    Bv(BitVec),
    /// A floating-point number, packed; the only NaN is the canonical one.
    Fp(FpFormat, u128),
    /// A rounding mode.
    Rm(RoundingMode),
    /// An array.
    Array(Rc<ArrayValue>),
    /// An integer.
    Int(BigInt),
    /// A rational number.
    Real(BigRational),
    /// A string, as code points.
    Str(Rc<[u32]>),
    /// A regular language.
    Re(Rc<Regex>),
}

impl Value {
    /// The value a variable of this sort takes when an assignment is silent.
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Bv(width) => Value::Bv(BitVec::zero(width)),
            Sort::Fp(format) => Value::Fp(format, 0),
            Sort::RoundingMode => Value::Rm(RoundingMode::NearestEven),
            Sort::Array { index, element } => {
                Value::Array(Rc::new(ArrayValue::filled(index, BitVec::zero(element))))
            }
            Sort::Int => Value::Int(BigInt::zero()),
            Sort::Real => Value::Real(BigRational::zero()),
            Sort::String => Value::Str(Rc::from([])),
            Sort::RegLan => Value::Re(Rc::new(Regex::None)),
        }
    }

    /// The sort this is a value of.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bv(bits) => Sort::Bv(bits.width()),
            Value::Fp(format, _) => Sort::Fp(*format),
            Value::Rm(_) => Sort::RoundingMode,
            Value::Array(array) => Sort::Array {
                index: array.index_width,
                element: array.default.width(),
            },
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::Str(_) => Sort::String,
            Value::Re(_) => Sort::RegLan,
        }
    }

    /// The value as one machine word, if its sort has no more than 64 bits.
    #[inline]
    pub fn to_word(&self) -> Option<u64> {
        match self {
            Value::Bool(b) => Some(u64::from(*b)),
            Value::Bv(bits) if bits.width() <= 64 => bits.to_u64(),
            Value::Fp(format, bits) if format.width() <= 64 => Some(*bits as u64),
            Value::Rm(mode) => Some(*mode as u64),
            _ => None,
        }
    }

    /// The value of a word sort from its word.
    pub(crate) fn from_word(sort: Sort, word: u64) -> Value {
        match sort {
            Sort::Bool => Value::Bool(word != 0),
            Sort::Bv(width) => Value::Bv(BitVec::from_u64(width, word)),
            Sort::Fp(format) => Value::Fp(format, u128::from(word)),
            Sort::RoundingMode => Value::Rm(RoundingMode::ALL[word as usize]),
            _ => unreachable!("only word sorts have words"),
        }
    }
}

/// Whether every value of the sort fits one machine word.
#[inline]
pub(crate) fn is_word(sort: Sort) -> bool {
    match sort {
        Sort::Bool | Sort::RoundingMode => true,
        Sort::Bv(width) => width <= 64,
        Sort::Fp(format) => format.width() <= 64,
        _ => false,
    }
}

/// A total map from bit-vectors to bit-vectors that differs from a default in
/// finitely many places. Entries equal to the default are not kept, so that
/// equal maps are equal values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayValue {
    index_width: u16,
    default: BitVec,
    entries: BTreeMap<BitVec, BitVec>,
}

impl ArrayValue {
    /// The map that takes every index of this width to `default`.
    pub fn filled(index_width: u16, default: BitVec) -> ArrayValue {
        ArrayValue {
            index_width,
            default,
            entries: BTreeMap::new(),
        }
    }

    /// The map with `words[i]` at index `i` and zero beyond; elements of at most 64 bits.
    pub fn from_words(index_width: u16, element_width: u16, words: &[u64]) -> ArrayValue {
        let numbered = words.iter().enumerate();
        let entries = numbered.map(|(index, &word)| (index as u64, word));
        ArrayValue::from_entries(index_width, element_width, entries)
    }

    /// The map with these words at these indices and zero elsewhere; elements of at most
    /// 64 bits.
    pub fn from_entries(
        index_width: u16,
        element_width: u16,
        entries: impl Iterator<Item = (u64, u64)>,
    ) -> ArrayValue {
        let mut array = ArrayValue::filled(index_width, BitVec::zero(element_width));
        array.entries = entries
            .filter(|&(_, word)| word & mask(u32::from(element_width)) != 0)
            .map(|(index, word)| {
                (
                    BitVec::from_u64(index_width, index),
                    BitVec::from_u64(element_width, word),
                )
            })
            .collect();
        array.settle();
        array
    }

    /// The element at `index`.
    pub fn get(&self, index: &BitVec) -> &BitVec {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Puts `element` at `index`.
    pub fn set(&mut self, index: BitVec, element: BitVec) {
        debug_assert_eq!(index.width(), self.index_width);
        debug_assert_eq!(element.width(), self.default.width());
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
        self.settle();
    }

    /// Keeps the form canonical: the default is the most frequent element, the
    /// least of several such. Only an array written at half its indices or
    /// more can have it otherwise.
    fn settle(&mut self) {
        if self.index_width > 32 || self.entries.len() < 1 << (self.index_width - 1) {
            return;
        }
        let size = 1usize << self.index_width;
        let mut counts: BTreeMap<&BitVec, usize> = BTreeMap::new();
        for element in self.entries.values() {
            *counts.entry(element).or_default() += 1;
        }
        counts.insert(&self.default, size - self.entries.len());
        let (&most, _) = counts
            .iter()
            .rev()
            .max_by_key(|&(_, &count)| count)
            .expect("the default was just counted");
        if *most == self.default {
            return;
        }
        let most = most.clone();
        let default = std::mem::replace(&mut self.default, most);
        for index in 0..size {
            self.entries
                .entry(BitVec::from_u64(self.index_width, index as u64))
                .or_insert_with(|| default.clone());
        }
        self.entries.retain(|_, element| *element != self.default);
    }

    /// Width of an index.
    pub fn index_width(&self) -> u16 {
        self.index_width
    }

    /// The element at every index that is not among the entries.
    pub fn default(&self) -> &BitVec {
        &self.default
    }

    /// The indices where the map differs from its default, ascending.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&BitVec, &BitVec)> {
        self.entries.iter()
    }
}

/// The interpretation of an uninterpreted function: a table and a default.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionValue {
    /// Results at the arguments that matter.
    pub table: FxHashMap<Vec<Value>, Value>,
    /// The result everywhere else.
    pub default: Value,
}

impl FunctionValue {
    /// The interpretation that gives [`Value::default_of`] the sort everywhere.
    pub fn constant(result: Sort) -> FunctionValue {
        FunctionValue {
            table: FxHashMap::default(),
            default: Value::default_of(result),
        }
    }
}

/// Values for variables and functions; a variable it is silent on counts as
/// [`Value::default_of`] its sort. Cloning it shares the values.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Assignment {
    values: SharedMap<Value>,
    functions: FxHashMap<Function, FunctionValue>,
}

impl Assignment {
    /// Assigns nothing.
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Gives `variable` this value.
    pub fn set(&mut self, variable: Variable, value: Value) {
        self.values.insert(variable.0, value);
    }

    /// The value given to `variable`, if any.
    #[inline]
    pub fn get(&self, variable: Variable) -> Option<&Value> {
        self.values.get(variable.0)
    }

    /// Changes the value of a variable in place.
    pub fn get_mut(&mut self, variable: Variable) -> Option<&mut Value> {
        self.values.get_mut(variable.0)
    }

    /// Gives `function` this interpretation.
    pub fn set_function(&mut self, function: Function, value: FunctionValue) {
        self.functions.insert(function, value);
    }

    /// The interpretation given to `function`, if any.
    pub fn function(&self, function: Function) -> Option<&FunctionValue> {
        self.functions.get(&function)
    }

    /// Changes the interpretation of a function in place.
    pub fn function_mut(&mut self, function: Function) -> Option<&mut FunctionValue> {
        self.functions.get_mut(&function)
    }

    /// The assigned variables and their values, in the order of the variables' numbers.
    pub fn values(&self) -> impl Iterator<Item = (Variable, &Value)> {
        (self.values.iter()).map(|(number, value)| (Variable(number), value))
    }

    /// The interpreted functions, in no particular order.
    pub fn functions(&self) -> impl Iterator<Item = (Function, &FunctionValue)> {
        self.functions
            .iter()
            .map(|(&function, value)| (function, value))
    }

    /// Takes over every value of `other`; where both speak, `other` wins.
    pub fn extend(&mut self, other: &Assignment) {
        for (number, value) in other.values.iter() {
            self.values.insert(number, value.clone());
        }
        for (function, value) in &other.functions {
            self.functions.insert(*function, value.clone());
        }
    }

    /// Whether nothing is assigned.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.functions.is_empty()
    }
}
