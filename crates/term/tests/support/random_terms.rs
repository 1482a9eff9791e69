//! Random terms of every sort and operator, and random assignments for them.
//!
//! The same seed gives the same terms. Sizes of values stay small: products
//! and concatenations take a leaf on one side, regular expressions are shallow.

#![allow(dead_code, reason = "each test binary uses its own part")]

use base::Random;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{
    ArrayValue, Assignment, BitVec, FpFormat, Function, FunctionValue, RoundingMode, Signature,
    Sort, Store, Term, Value, fp,
};

/// Choices as these tests make them.
pub struct Rng(Random);

impl Rng {
    /// The choices of this seed.
    pub fn new(seed: u64) -> Rng {
        Rng(Random::new(seed))
    }

    /// Any 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0.bits()
    }

    /// Any number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    /// One of these.
    pub fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

const TINY: FpFormat = FpFormat { eb: 3, sb: 4 };
const FORMATS: [FpFormat; 3] = [TINY, FpFormat::HALF, FpFormat::X87];
const WIDTHS: [u16; 7] = [1, 4, 7, 16, 64, 65, 79];
const ARRAY: Sort = Sort::Array {
    index: 4,
    element: 7,
};

/// The sorts the terms have.
pub fn sorts() -> Vec<Sort> {
    let mut sorts = vec![
        Sort::Bool,
        Sort::RoundingMode,
        ARRAY,
        Sort::Int,
        Sort::Real,
        Sort::String,
        Sort::RegLan,
    ];
    sorts.extend(WIDTHS.map(Sort::Bv));
    sorts.extend(FORMATS.map(Sort::Fp));
    sorts
}

/// Terms made so far, from which further ones are made.
pub struct Terms {
    pub rng: Rng,
    sorts: Vec<Sort>,
    pool: FxHashMap<Sort, Vec<Term>>,
    variables: Vec<Term>,
    functions: Vec<Function>,
}

impl Terms {
    /// Variables alone: two of each sort that has variables.
    pub fn new(store: &mut Store, seed: u64) -> Terms {
        let functions = vec![
            store.function(Signature {
                name: "f".into(),
                parameters: vec![Sort::Bv(7), Sort::Bool],
                result: Sort::Bv(16),
            }),
            store.function(Signature {
                name: "g h".into(),
                parameters: vec![Sort::Int],
                result: Sort::Int,
            }),
        ];
        let mut terms = Terms {
            rng: Rng::new(seed),
            sorts: sorts(),
            pool: FxHashMap::default(),
            variables: Vec::new(),
            functions,
        };
        for sort in terms.sorts.clone() {
            if sort == Sort::RegLan {
                continue;
            }
            for name in ["a", "the b"] {
                let number = terms.variables.len();
                let term = store.var(&format!("{name}{number}"), sort);
                terms.variables.push(term);
                terms.pool.entry(sort).or_default().push(term);
            }
        }
        terms
    }

    /// Random values for all variables and functions.
    pub fn assignment(&mut self, store: &Store) -> Assignment {
        let mut assignment = Assignment::new();
        for term in self.variables.clone() {
            let value = self.value(store.sort(term));
            assignment.set(store.as_variable(term).unwrap(), value);
        }
        for function in self.functions.clone() {
            let signature = store.signature(function);
            let mut table = FxHashMap::default();
            for _ in 0..8 {
                let args = signature.parameters.iter().map(|&sort| self.value(sort));
                table.insert(args.collect(), self.value(signature.result));
            }
            let default = self.value(signature.result);
            assignment.set_function(function, FunctionValue { table, default });
        }
        assignment
    }

    /// A random value, often a remarkable one.
    pub fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.rng.below(2) == 1),
            Sort::Bv(width) => Value::Bv(self.bits(width)),
            Sort::Fp(format) => Value::Fp(format, self.float(format)),
            Sort::RoundingMode => Value::Rm(self.rng.of(&RoundingMode::ALL)),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::filled(index, self.bits(element));
                for _ in 0..self.rng.below(20) {
                    array.set(self.bits(index), self.bits(element));
                }
                Value::Array(Rc::new(array))
            }
            Sort::Int => Value::Int(self.int()),
            Sort::Real => Value::Real(BigRational::new(
                self.int(),
                BigInt::from(self.rng.below(9) + 1),
            )),
            Sort::String => {
                let codes = [0x61, 0x62, 0x31, 0x30, 0x22, 0x5c, 0x7b, 0, 0x2fff0];
                let length = self.rng.below(4);
                Value::Str((0..length).map(|_| self.rng.of(&codes)).collect())
            }
            Sort::RegLan => Value::default_of(sort),
        }
    }

    fn bits(&mut self, width: u16) -> BitVec {
        let random = BigUint::from(self.rng.next()) << 64 | BigUint::from(self.rng.next());
        match self.rng.below(8) {
            0 => BitVec::zero(width),
            1 => BitVec::ones(width),
            2 => BitVec::from_u64(width, 1),
            3 => BitVec::from_u64(width, self.rng.next() % 16),
            4 => BitVec::from_u64(width, 1).shl(&BitVec::from_u64(width, u64::from(width) - 1)),
            _ => BitVec::from_big(width, &random),
        }
    }

    fn float(&mut self, format: FpFormat) -> u128 {
        let negative = self.rng.below(2) == 1;
        match self.rng.below(8) {
            0 => fp::zero(format, negative),
            1 => fp::infinity(format, negative),
            2 => fp::nan(format),
            3 => {
                let int = BigInt::from(self.rng.below(40)) - 20;
                fp::from_int(format, RoundingMode::NearestEven, &int)
            }
            _ => {
                let random = u128::from(self.rng.next()) << 64 | u128::from(self.rng.next());
                fp::canonical(format, random >> (128 - format.width()))
            }
        }
    }

    fn int(&mut self) -> BigInt {
        match self.rng.below(4) {
            0 => BigInt::from(self.rng.next() as i64) * 3,
            _ => BigInt::from(self.rng.below(12)) - 4,
        }
    }

    /// A further term of a random sort.
    pub fn grow(&mut self, store: &mut Store) -> Term {
        let sort = self.rng.of(&self.sorts.clone());
        self.grow_sort(store, sort)
    }

    /// A further term of this sort.
    pub fn grow_sort(&mut self, store: &mut Store, sort: Sort) -> Term {
        let term = self.make(store, sort);
        assert_eq!(store.sort(term), sort);
        self.pool.entry(sort).or_default().push(term);
        term
    }

    /// A known term or a constant.
    fn some(&mut self, store: &mut Store, sort: Sort) -> Term {
        let pool = self.pool.get(&sort).map_or(0, Vec::len);
        if pool == 0 || self.rng.below(5) == 0 {
            return self.leaf(store, sort);
        }
        // The later ones are the larger.
        let recent = pool.min(12);
        let at = if self.rng.below(4) > 0 {
            pool - 1 - self.rng.below(recent)
        } else {
            self.rng.below(pool)
        };
        self.pool[&sort][at]
    }

    /// A variable or a constant.
    fn leaf(&mut self, store: &mut Store, sort: Sort) -> Term {
        if sort == Sort::RegLan {
            return match self.rng.below(5) {
                0 => store.re_none(),
                1 => store.re_all(),
                2 => store.re_all_char(),
                3 => {
                    let (low, high) = (store.string("0"), store.string("a"));
                    store.re_range(low, high)
                }
                _ => {
                    let text = self.leaf(store, Sort::String);
                    store.re_from_str(text)
                }
            };
        }
        if self.rng.below(2) == 0 {
            return self.pool[&sort][self.rng.below(2)];
        }
        let value = self.value(sort);
        store.value(value)
    }

    fn make(&mut self, store: &mut Store, sort: Sort) -> Term {
        if sort != Sort::RegLan && self.rng.below(10) == 0 {
            let condition = self.some(store, Sort::Bool);
            let (then, otherwise) = (self.some(store, sort), self.some(store, sort));
            return store.ite(condition, then, otherwise);
        }
        match sort {
            Sort::Bool => self.make_bool(store),
            Sort::Bv(width) => self.make_bits(store, width),
            Sort::Fp(format) => self.make_float(store, format),
            Sort::RoundingMode => self.leaf(store, sort),
            Sort::Array { index, element } => {
                if self.rng.below(6) == 0 {
                    let element = self.some(store, Sort::Bv(element));
                    return store.const_array(index, element);
                }
                let array = self.some(store, sort);
                let at = self.some(store, Sort::Bv(index));
                let element = self.some(store, Sort::Bv(element));
                store.store(array, at, element)
            }
            Sort::Int => self.make_int(store),
            Sort::Real => self.make_real(store),
            Sort::String => self.make_string(store),
            Sort::RegLan => self.make_language(store),
        }
    }

    fn make_bool(&mut self, store: &mut Store) -> Term {
        let width = self.rng.of(&WIDTHS);
        let format = self.rng.of(&FORMATS);
        let number = self.rng.of(&[Sort::Int, Sort::Real]);
        macro_rules! on {
            ($method:ident, $($sort:expr),+) => {{
                let args = [$(self.some(store, $sort)),+];
                on!(@call $method args $($sort),+)
            }};
            (@call $method:ident $args:ident $a:expr) => { store.$method($args[0]) };
            (@call $method:ident $args:ident $a:expr, $b:expr) => {
                store.$method($args[0], $args[1])
            };
        }
        let fp = Sort::Fp(format);
        match self.rng.below(30) {
            0..3 => on!(and, Sort::Bool, Sort::Bool),
            3 => on!(or, Sort::Bool, Sort::Bool),
            4 => on!(not, Sort::Bool),
            5 => on!(implies, Sort::Bool, Sort::Bool),
            6..9 => {
                let mut sort = Sort::RegLan;
                while sort == Sort::RegLan {
                    sort = self.rng.of(&self.sorts.clone());
                }
                on!(eq, sort, sort)
            }
            9 | 10 => on!(bv_ult, Sort::Bv(width), Sort::Bv(width)),
            11 => on!(bv_slt, Sort::Bv(width), Sort::Bv(width)),
            12 => on!(bv_sle, Sort::Bv(width), Sort::Bv(width)),
            13 => on!(fp_eq, fp, fp),
            14 => on!(fp_lt, fp, fp),
            15 => on!(fp_le, fp, fp),
            16 => on!(fp_is_nan, fp),
            17 => on!(fp_is_infinite, fp),
            18 => on!(fp_is_zero, fp),
            19 => on!(fp_is_normal, fp),
            20 => on!(fp_is_subnormal, fp),
            21 => on!(fp_is_negative, fp),
            22 => on!(fp_is_positive, fp),
            23 => on!(lt, number, number),
            24 => on!(le, number, number),
            25 => on!(str_prefix_of, Sort::String, Sort::String),
            26 => on!(str_suffix_of, Sort::String, Sort::String),
            27 => on!(str_contains, Sort::String, Sort::String),
            28 => match self.rng.below(3) {
                0 => on!(str_is_digit, Sort::String),
                1 => on!(str_lt, Sort::String, Sort::String),
                _ => on!(str_le, Sort::String, Sort::String),
            },
            _ => on!(str_in_re, Sort::String, Sort::RegLan),
        }
    }

    fn make_bits(&mut self, store: &mut Store, width: u16) -> Term {
        let sort = Sort::Bv(width);
        let (a, b) = (self.some(store, sort), self.some(store, sort));
        match self.rng.below(28) {
            0 => store.bv_not(a),
            1 => store.bv_neg(a),
            2 => store.bv_and(a, b),
            3 => store.bv_or(a, b),
            4 => store.bv_xor(a, b),
            5 => store.bv_add(a, b),
            6 => store.bv_sub(a, b),
            7 => store.bv_mul(a, b),
            8 => store.bv_udiv(a, b),
            9 => store.bv_urem(a, b),
            10 => store.bv_sdiv(a, b),
            11 => store.bv_srem(a, b),
            12 => store.bv_smod(a, b),
            13 => store.bv_shl(a, b),
            14 => store.bv_lshr(a, b),
            15 => store.bv_ashr(a, b),
            16 if width == 65 => {
                let (high, low) = (
                    self.some(store, Sort::Bv(1)),
                    self.some(store, Sort::Bv(64)),
                );
                store.concat(high, low)
            }
            17 | 18 => {
                let wide = self.rng.of(&WIDTHS).max(width);
                let a = self.some(store, Sort::Bv(wide));
                let low = self.rng.below(usize::from(wide - width) + 1);
                store.extract(a, low as u16, width)
            }
            19 | 20 => {
                let narrow = self.rng.of(&WIDTHS).min(width);
                let a = self.some(store, Sort::Bv(narrow));
                match self.rng.below(2) {
                    0 => store.zext(a, width),
                    _ => store.sext(a, width),
                }
            }
            21 if width == 7 => {
                let array = self.some(store, ARRAY);
                let at = self.some(store, Sort::Bv(4));
                store.select(array, at)
            }
            22 if width == 7 => {
                let a = self.some(store, Sort::Fp(TINY));
                store.fp_to_bits(a)
            }
            22 if width == 16 => {
                let a = self.some(store, Sort::Fp(FpFormat::HALF));
                store.fp_to_bits(a)
            }
            22 if width == 79 => {
                let a = self.some(store, Sort::Fp(FpFormat::X87));
                store.fp_to_bits(a)
            }
            23 | 24 => {
                let format = self.rng.of(&FORMATS);
                let rm = self.some(store, Sort::RoundingMode);
                let a = self.some(store, Sort::Fp(format));
                match self.rng.below(2) {
                    0 => store.fp_to_signed(rm, a, width),
                    _ => store.fp_to_unsigned(rm, a, width),
                }
            }
            25 => {
                let a = self.some(store, Sort::Int);
                store.int_to_bv(a, width)
            }
            26 if width == 16 => {
                let args = [self.some(store, Sort::Bv(7)), self.some(store, Sort::Bool)];
                store.apply(self.functions[0], &args)
            }
            _ => {
                let a = self.some(store, Sort::Bool);
                store.bool_to_bv(a, width)
            }
        }
    }

    fn make_float(&mut self, store: &mut Store, format: FpFormat) -> Term {
        let sort = Sort::Fp(format);
        let rm = self.some(store, Sort::RoundingMode);
        let [a, b, c] = [(); 3].map(|()| self.some(store, sort));
        match self.rng.below(17) {
            0 => store.fp_abs(a),
            1 => store.fp_neg(a),
            2 => store.fp_add(rm, a, b),
            3 => store.fp_sub(rm, a, b),
            4 => store.fp_mul(rm, a, b),
            5 => store.fp_div(rm, a, b),
            6 => store.fp_fma(rm, a, b, c),
            7 => store.fp_sqrt(rm, a),
            8 => store.fp_rem(a, b),
            9 => store.fp_round(rm, a),
            10 => store.fp_min(a, b),
            11 => store.fp_max(a, b),
            12 => {
                let other = self.rng.of(&FORMATS);
                let a = self.some(store, Sort::Fp(other));
                store.fp_convert(rm, a, format)
            }
            13 | 14 => {
                let width = self.rng.of(&WIDTHS);
                let a = self.some(store, Sort::Bv(width));
                match self.rng.below(2) {
                    0 => store.fp_from_signed(rm, a, format),
                    _ => store.fp_from_unsigned(rm, a, format),
                }
            }
            15 => {
                let a = self.some(store, Sort::Real);
                store.fp_from_real(rm, a, format)
            }
            _ => {
                let a = self.some(store, Sort::Bv(format.width() as u16));
                store.fp_from_bits(format, a)
            }
        }
    }

    fn make_int(&mut self, store: &mut Store) -> Term {
        let (a, b) = (self.some(store, Sort::Int), self.leaf(store, Sort::Int));
        let (s, t) = (
            self.some(store, Sort::String),
            self.leaf(store, Sort::String),
        );
        match self.rng.below(14) {
            0 => store.add(a, b),
            1 => store.sub(a, b),
            2 => store.mul(a, b),
            3 => store.neg(a),
            4 => store.int_div(a, b),
            5 => store.int_mod(b, a),
            6 => {
                let real = self.some(store, Sort::Real);
                store.to_int(real)
            }
            7 => {
                let width = self.rng.of(&WIDTHS);
                let bits = self.some(store, Sort::Bv(width));
                store.bv_to_nat(bits)
            }
            8 => store.str_len(s),
            9 => store.str_index_of(s, t, a),
            10 => store.str_to_code(s),
            11 => store.str_to_int(s),
            12 => store.apply(self.functions[1], &[a]),
            _ => store.int_mod(a, b),
        }
    }

    fn make_real(&mut self, store: &mut Store) -> Term {
        let (a, b) = (self.some(store, Sort::Real), self.leaf(store, Sort::Real));
        match self.rng.below(7) {
            0 => store.add(a, b),
            1 => store.sub(a, b),
            2 => store.mul(a, b),
            3 => store.neg(a),
            4 => store.real_div(a, b),
            5 => {
                let int = self.some(store, Sort::Int);
                store.to_real(int)
            }
            _ => {
                let format = self.rng.of(&FORMATS[..2]);
                let float = self.some(store, Sort::Fp(format));
                store.fp_to_real(float)
            }
        }
    }

    fn make_string(&mut self, store: &mut Store) -> Term {
        let s = self.some(store, Sort::String);
        let [t, u] = [(); 2].map(|()| self.leaf(store, Sort::String));
        let (i, n) = (self.some(store, Sort::Int), self.some(store, Sort::Int));
        let re = self.some(store, Sort::RegLan);
        match self.rng.below(9) {
            0 => store.str_concat(s, t),
            1 => store.str_at(s, i),
            2 => store.str_substr(s, i, n),
            3 => store.str_replace(s, t, u),
            4 => store.str_replace_all(s, t, u),
            5 => store.str_replace_re(s, re, u),
            6 => store.str_replace_re_all(s, re, u),
            7 => store.str_from_code(i),
            _ => store.str_from_int(i),
        }
    }

    fn make_language(&mut self, store: &mut Store) -> Term {
        let [a, b] = [(); 2].map(|()| self.leaf(store, Sort::RegLan));
        match self.rng.below(6) {
            0 => store.re_concat(a, b),
            1 => store.re_union(a, b),
            2 => store.re_inter(a, b),
            3 => store.re_star(a),
            4 => store.re_comp(a),
            _ => {
                let (least, most) = (self.rng.below(3) as u32, self.rng.below(4) as u32);
                store.re_loop(a, least, most)
            }
        }
    }
}
