//! Random sets of constraints for tests that hold one way of deciding against
//! another.
//!
//! They are small (one to five constraints, four levels, few variables), the
//! same for the same seed, about as often satisfiable as not, and cheap: costly
//! operators appear at narrow widths and tiny formats only. Between them the
//! theories produce every operator of [`term::Op`].

use base::Random;
use term::{
    ArrayValue, Assignment, BitVec, Evaluator, FpFormat, Function, FunctionValue, RoundingMode,
    Signature, Sort, Store, Term, Value, fp,
};

/// Choices that are the same in every run.
pub struct Rng(Random);

impl Rng {
    /// The numbers of this seed.
    pub fn new(seed: u64) -> Rng {
        Rng(Random::new(seed))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// What a formula is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theory {
    /// Bit-vectors, nearly all of them narrow.
    Bv,
    /// Bit-vectors of 32 bits and more.
    BvWide,
    /// Arrays of narrow bit-vectors.
    Array,
    /// Floating point alone.
    Fp,
    /// Floating point and its conversions from and to bit-vectors.
    FpBv,
    /// Uninterpreted functions.
    Uf,
    /// Integers, nearly always linear.
    Int,
    /// Reals, nearly always linear.
    Real,
    /// Strings and regular languages.
    String,
    /// All of them at once.
    Mixed,
}

impl Theory {
    /// Every theory.
    pub const ALL: [Theory; 10] = [
        Theory::Bv,
        Theory::BvWide,
        Theory::Array,
        Theory::Fp,
        Theory::FpBv,
        Theory::Uf,
        Theory::Int,
        Theory::Real,
        Theory::String,
        Theory::Mixed,
    ];
}

const TINY: FpFormat = FpFormat { eb: 3, sb: 4 };

/// A random set of constraints about the theory.
pub fn formula(store: &mut Store, rng: &mut Rng, theory: Theory) -> Vec<Term> {
    let mut generator = Generator::new(store, rng, theory);
    let mut constraints: Vec<Term> = Vec::new();
    // Half of the formulas are made true by an assignment drawn beforehand.
    let planted = generator.rng.chance(45);
    let count = 1 + generator.rng.below(5);
    while constraints.len() < count {
        let depth = 1 + generator.rng.below(4);
        let constraint = generator.truth(depth);
        if generator.store.is_const(constraint) && generator.rng.chance(95) {
            continue;
        }
        constraints.push(constraint);
    }
    if planted {
        let assignment = generator.assignment(&constraints);
        let mut evaluator = Evaluator::default();
        for constraint in &mut constraints {
            if !evaluator.under(store, &assignment).holds(*constraint) {
                *constraint = store.not(*constraint);
            }
        }
    }
    constraints
}

struct Generator<'a> {
    store: &'a mut Store,
    rng: &'a mut Rng,
    theory: Theory,
    /// The width of most bit-vectors.
    width: u16,
    /// The format of most floats.
    format: FpFormat,
    /// The sort of arrays.
    index: u16,
    element: u16,
    functions: Vec<Function>,
}

impl<'a> Generator<'a> {
    fn new(store: &'a mut Store, rng: &'a mut Rng, theory: Theory) -> Generator<'a> {
        let width = match theory {
            Theory::BvWide => rng.pick(&[32, 64, 65, 100]),
            Theory::Bv if rng.chance(8) => rng.pick(&[32, 64, 65, 100]),
            Theory::Int | Theory::Real | Theory::Mixed => 1 + rng.below(4) as u16,
            _ => 1 + rng.below(12) as u16,
        };
        let format = match rng.below(20) {
            0..10 => TINY,
            10..14 => FpFormat { eb: 4, sb: 5 },
            14..17 => FpFormat { eb: 4, sb: 3 },
            17 | 18 => FpFormat::HALF,
            _ => FpFormat::SINGLE,
        };
        let format = match theory {
            Theory::Real | Theory::Mixed => TINY,
            _ => format,
        };
        let (index, element) = (1 + rng.below(5) as u16, 1 + rng.below(6) as u16);
        let mut generator = Generator {
            store,
            rng,
            theory,
            width,
            format,
            index,
            element,
            functions: Vec::new(),
        };
        generator.declare_functions();
        generator
    }

    fn declare_functions(&mut self) {
        let bits = Sort::Bv(self.width);
        let mut signatures = vec![
            ("f", vec![bits], bits),
            ("g", vec![bits, bits], bits),
            ("p", vec![bits, Sort::Bool], Sort::Bool),
            ("c", vec![], bits),
        ];
        if self.theory == Theory::Mixed {
            let format = Sort::Fp(self.format);
            signatures.push(("h", vec![Sort::Int], format));
            signatures.push(("s", vec![Sort::String, Sort::RoundingMode], Sort::Int));
        }
        for (name, parameters, result) in signatures {
            let name = name.to_owned();
            self.functions.push(self.store.function(Signature {
                name,
                parameters,
                result,
            }));
        }
    }

    fn about(&self, theories: &[Theory]) -> bool {
        self.theory == Theory::Mixed || theories.contains(&self.theory)
    }

    fn variable(&mut self, sort: Sort, count: usize) -> Term {
        let number = self.rng.below(count);
        self.store.var(&format!("{sort}.{number}"), sort)
    }

    /// A condition.
    fn truth(&mut self, depth: usize) -> Term {
        if depth == 0 {
            return match self.rng.below(12) {
                0 => self.store.bool(true),
                _ => self.variable(Sort::Bool, 3),
            };
        }
        if self.rng.chance(30) {
            let (a, b) = (self.truth(depth - 1), self.truth(depth - 1));
            return match self.rng.below(6) {
                0 => self.store.not(a),
                1 => self.store.and(a, b),
                2 => self.store.or(a, b),
                3 => self.store.xor(a, b),
                4 => self.store.eq(a, b),
                _ => {
                    let condition = self.truth(depth - 1);
                    self.store.ite(condition, a, b)
                }
            };
        }
        self.atom(depth - 1)
    }

    /// A condition of the theory's own.
    fn atom(&mut self, depth: usize) -> Term {
        let theory = match self.theory {
            Theory::Mixed => self.rng.pick(&Theory::ALL[..9]),
            theory => theory,
        };
        match theory {
            Theory::Bv | Theory::BvWide | Theory::Mixed => self.bit_comparison(depth),
            Theory::Array => match self.rng.below(4) {
                0 => {
                    let (a, b) = (self.array(depth), self.array(depth));
                    self.store.eq(a, b)
                }
                _ => self.bit_comparison(depth),
            },
            Theory::Uf => match self.rng.below(3) {
                0 => {
                    let args = [self.bits(self.width, depth), self.truth(depth)];
                    self.store.apply(self.functions[2], &args)
                }
                _ => self.bit_comparison(depth),
            },
            Theory::Fp => self.float_condition(depth),
            Theory::FpBv => match self.rng.below(2) {
                0 => self.float_condition(depth),
                _ => self.bit_comparison(depth),
            },
            Theory::Int => self.int_condition(depth),
            Theory::Real => match self.rng.below(5) {
                0 => self.int_condition(depth),
                _ => self.real_condition(depth),
            },
            Theory::String => self.text_condition(depth),
        }
    }

    fn bit_comparison(&mut self, depth: usize) -> Term {
        let width = match self.theory {
            Theory::Array => self.element,
            _ if self.rng.chance(20) => self.narrow(),
            _ => self.width,
        };
        let a = self.bits(width, depth);
        let b = if self.rng.chance(40) {
            self.bit_constant(width)
        } else {
            self.bits(width, depth)
        };
        match self.rng.below(5) {
            0 => self.store.bv_ult(a, b),
            1 => self.store.bv_slt(a, b),
            2 => self.store.bv_ule(a, b),
            _ => self.store.eq(a, b),
        }
    }

    fn narrow(&mut self) -> u16 {
        1 + self.rng.below(6) as u16
    }

    fn bit_constant(&mut self, width: u16) -> Term {
        let value = self.bit_value(width);
        self.store.bv_value(value)
    }

    fn bit_value(&mut self, width: u16) -> BitVec {
        match self.rng.below(5) {
            0 => BitVec::zero(width),
            1 => BitVec::ones(width),
            2 => BitVec::from_u64(width, self.rng.below(8) as u64),
            _ => {
                let bits = u128::from(self.rng.bits()) << 64 | u128::from(self.rng.bits());
                BitVec::from_u128(width, bits)
            }
        }
    }

    fn bits(&mut self, width: u16, depth: usize) -> Term {
        if depth == 0 {
            return match self.rng.below(3) {
                0 => self.bit_constant(width),
                _ => self.variable(Sort::Bv(width), 2),
            };
        }
        if self.rng.chance(40)
            && let Some(term) = self.bits_from_elsewhere(width, depth - 1)
        {
            return term;
        }
        let below = depth - 1;
        let a = self.bits(width, below);
        match self.rng.below(18) {
            0 => self.store.bv_not(a),
            1 => self.store.bv_neg(a),
            2 => {
                let (condition, b) = (self.truth(below), self.bits(width, below));
                self.store.ite(condition, a, b)
            }
            3 if width > 1 => {
                let low = 1 + self.rng.below(usize::from(width) - 1) as u16;
                let (high, low) = (self.bits(width - low, below), self.bits(low, below));
                self.store.concat(high, low)
            }
            4 => {
                let more = self.narrow();
                let wide = self.bits(width + more, below);
                let low = self.rng.below(usize::from(more) + 1) as u16;
                self.store.extract(wide, low, width)
            }
            5 | 6 if width > 1 => {
                let narrow = 1 + self.rng.below(usize::from(width) - 1) as u16;
                let part = self.bits(narrow, below);
                match self.rng.below(2) {
                    0 => self.store.zext(part, width),
                    _ => self.store.sext(part, width),
                }
            }
            7 | 8 => {
                let by = self.bits(width, below);
                match self.rng.below(3) {
                    0 => self.store.bv_shl(a, by),
                    1 => self.store.bv_lshr(a, by),
                    _ => self.store.bv_ashr(a, by),
                }
            }
            9..12 if width <= 5 => {
                let b = self.bits(width, below);
                match self.rng.below(6) {
                    0 => self.store.bv_mul(a, b),
                    1 => self.store.bv_udiv(a, b),
                    2 => self.store.bv_urem(a, b),
                    3 => self.store.bv_sdiv(a, b),
                    4 => self.store.bv_srem(a, b),
                    _ => self.store.bv_smod(a, b),
                }
            }
            9 if width <= 64 => {
                let factor = self.store.bv(width, 3 + self.rng.below(5) as u64);
                self.store.bv_mul(a, factor)
            }
            _ => {
                let b = self.bits(width, below);
                match self.rng.below(5) {
                    0 => self.store.bv_and(a, b),
                    1 => self.store.bv_or(a, b),
                    2 => self.store.bv_xor(a, b),
                    3 => self.store.bv_sub(a, b),
                    _ => self.store.bv_add(a, b),
                }
            }
        }
    }

    /// Bits that another theory provides, if the formula is about one that does.
    fn bits_from_elsewhere(&mut self, width: u16, depth: usize) -> Option<Term> {
        let mut sources = Vec::new();
        if self.about(&[Theory::Array]) && width == self.element {
            sources.push(Theory::Array);
        }
        if self.about(&[Theory::FpBv]) {
            sources.push(Theory::FpBv);
        }
        if self.about(&[Theory::Uf]) && width == self.width {
            sources.push(Theory::Uf);
        }
        if self.about(&[Theory::Int]) && width <= 4 {
            sources.push(Theory::Int);
        }
        if sources.is_empty() {
            return None;
        }
        Some(match self.rng.pick(&sources) {
            Theory::Array => {
                let (array, index) = (self.array(depth), self.bits(self.index, depth));
                self.store.select(array, index)
            }
            Theory::FpBv => self.bits_of_float(width, depth),
            Theory::Uf => match self.rng.below(5) {
                0 => self.store.apply(self.functions[3], &[]),
                1 | 2 => {
                    let arg = self.bits(self.width, depth);
                    self.store.apply(self.functions[0], &[arg])
                }
                _ => {
                    let args = [self.bits(self.width, depth), self.bits(self.width, depth)];
                    self.store.apply(self.functions[1], &args)
                }
            },
            _ => {
                let number = self.int(depth);
                self.store.int_to_bv(number, width)
            }
        })
    }

    fn bits_of_float(&mut self, width: u16, depth: usize) -> Term {
        let a = self.float(self.format, depth);
        if u32::from(width) == self.format.width() {
            return self.store.fp_to_bits(a);
        }
        let rm = self.mode();
        match self.rng.below(2) {
            0 => self.store.fp_to_signed(rm, a, width),
            _ => self.store.fp_to_unsigned(rm, a, width),
        }
    }

    fn array(&mut self, depth: usize) -> Term {
        let sort = Sort::Array {
            index: self.index,
            element: self.element,
        };
        if depth == 0 {
            return match self.rng.below(6) {
                0 => {
                    let value = self.array_value(self.index, self.element);
                    self.store.value(value)
                }
                _ => self.variable(sort, 2),
            };
        }
        let below = depth - 1;
        match self.rng.below(8) {
            0 => {
                let element = self.bits(self.element, below);
                self.store.const_array(self.index, element)
            }
            1 => {
                let (condition, a, b) = (self.truth(below), self.array(below), self.array(below));
                self.store.ite(condition, a, b)
            }
            _ => {
                let array = self.array(below);
                let index = self.bits(self.index, below);
                let element = self.bits(self.element, below);
                self.store.store(array, index, element)
            }
        }
    }

    fn array_value(&mut self, index: u16, element: u16) -> Value {
        let mut array = ArrayValue::filled(index, self.bit_value(element));
        for _ in 0..self.rng.below(4) {
            let (at, value) = (self.bit_value(index), self.bit_value(element));
            array.set(at, value);
        }
        Value::Array(array.into())
    }

    fn float_condition(&mut self, depth: usize) -> Term {
        let a = self.float(self.format, depth);
        if self.rng.chance(25) {
            return match self.rng.below(7) {
                0 => self.store.fp_is_nan(a),
                1 => self.store.fp_is_infinite(a),
                2 => self.store.fp_is_zero(a),
                3 => self.store.fp_is_normal(a),
                4 => self.store.fp_is_subnormal(a),
                5 => self.store.fp_is_negative(a),
                _ => self.store.fp_is_positive(a),
            };
        }
        let b = self.float(self.format, depth);
        match self.rng.below(5) {
            0 => self.store.fp_eq(a, b),
            1 => self.store.fp_lt(a, b),
            2 => self.store.fp_le(a, b),
            _ => self.store.eq(a, b),
        }
    }

    fn mode(&mut self) -> Term {
        match self.rng.below(8) {
            0 => self.variable(Sort::RoundingMode, 2),
            1 => {
                let condition = self.truth(0);
                let modes = [self.rng.pick(&RoundingMode::ALL), RoundingMode::TowardZero];
                let [a, b] = modes.map(|mode| self.store.rounding(mode));
                self.store.ite(condition, a, b)
            }
            2..5 => {
                let mode = self.rng.pick(&RoundingMode::ALL);
                self.store.rounding(mode)
            }
            _ => self.store.rounding(RoundingMode::NearestEven),
        }
    }

    fn float(&mut self, format: FpFormat, depth: usize) -> Term {
        if depth == 0 {
            return match self.rng.below(3) {
                0 => {
                    let bits = self.float_value(format);
                    self.store.fp(format, bits)
                }
                _ => self.variable(Sort::Fp(format), 2),
            };
        }
        let below = depth - 1;
        if self.rng.chance(30)
            && let Some(term) = self.float_from_elsewhere(format, below)
        {
            return term;
        }
        let a = self.float(format, below);
        let is_tiny = format.width() <= 9;
        match self.rng.below(16) {
            0 => self.store.fp_abs(a),
            1 => self.store.fp_neg(a),
            2 | 3 => {
                let b = self.float(format, below);
                match self.rng.below(2) {
                    0 => self.store.fp_min(a, b),
                    _ => self.store.fp_max(a, b),
                }
            }
            4 => {
                let (condition, b) = (self.truth(below), self.float(format, below));
                self.store.ite(condition, a, b)
            }
            5 => {
                let rm = self.mode();
                self.store.fp_round(rm, a)
            }
            6 if is_tiny => {
                let (rm, b) = (self.mode(), self.float(format, 0));
                self.store.fp_div(rm, a, b)
            }
            7 if is_tiny => {
                let rm = self.mode();
                self.store.fp_sqrt(rm, a)
            }
            8 if is_tiny => {
                let (b, c) = (self.float(format, 0), self.float(format, 0));
                let rm = self.store.rounding(RoundingMode::NearestEven);
                self.store.fp_fma(rm, a, b, c)
            }
            9 if is_tiny => {
                let b = self.float(format, 0);
                self.store.fp_rem(a, b)
            }
            10 => {
                let to = if is_tiny { FpFormat::HALF } else { TINY };
                let (there, back) = (self.mode(), self.mode());
                let converted = self.store.fp_convert(there, a, to);
                self.store.fp_convert(back, converted, format)
            }
            11 | 12 if format.width() <= 16 => {
                let (rm, b) = (self.mode(), self.float(format, 0));
                self.store.fp_mul(rm, a, b)
            }
            _ => {
                let (rm, b) = (self.mode(), self.float(format, below));
                match self.rng.below(3) {
                    0 => self.store.fp_sub(rm, a, b),
                    _ => self.store.fp_add(rm, a, b),
                }
            }
        }
    }

    fn float_from_elsewhere(&mut self, format: FpFormat, depth: usize) -> Option<Term> {
        if self.theory == Theory::Mixed && self.rng.chance(20) {
            let argument = self.int(depth);
            return Some(self.store.apply(self.functions[4], &[argument]));
        }
        if self.about(&[Theory::Real]) && self.rng.chance(30) {
            let (rm, number) = (self.mode(), self.real(0));
            let constant = self.real_constant();
            let number = if self.rng.chance(10) {
                number
            } else {
                constant
            };
            return Some(self.store.fp_from_real(rm, number, format));
        }
        if !self.about(&[Theory::FpBv]) {
            return None;
        }
        if self.rng.chance(40) {
            let pattern = self.bits(format.width() as u16, depth);
            return Some(self.store.fp_from_bits(format, pattern));
        }
        let rm = self.mode();
        let width = self.narrow();
        let number = self.bits(width, depth);
        Some(match self.rng.below(2) {
            0 => self.store.fp_from_signed(rm, number, format),
            _ => self.store.fp_from_unsigned(rm, number, format),
        })
    }

    fn float_value(&mut self, format: FpFormat) -> u128 {
        let pattern = u128::from(self.rng.bits()) << 64 | u128::from(self.rng.bits());
        let magnitude = match self.rng.below(8) {
            0 => 0,
            1 => 1,
            2 => fp::infinity(format, false),
            3 => fp::infinity(format, false) - 1,
            4 => (format.bias() as u128) << (format.sb - 1),
            _ => return fp::canonical(format, pattern),
        };
        let sign = fp::zero(format, self.rng.chance(50));
        fp::canonical(format, sign | magnitude)
    }

    fn int_condition(&mut self, depth: usize) -> Term {
        let (a, b) = (self.int(depth), self.int(depth));
        match self.rng.below(3) {
            0 => self.store.lt(a, b),
            1 => self.store.le(a, b),
            _ => self.store.eq(a, b),
        }
    }

    fn int_constant(&mut self) -> Term {
        let number = self.rng.below(13) as i64 - 4;
        self.store.int(number)
    }

    fn int(&mut self, depth: usize) -> Term {
        if depth == 0 {
            return match self.rng.below(3) {
                0 => self.int_constant(),
                _ => self.variable(Sort::Int, 3),
            };
        }
        let below = depth - 1;
        if self.rng.chance(25)
            && let Some(term) = self.int_from_elsewhere(below)
        {
            return term;
        }
        let a = self.int(below);
        match self.rng.below(10) {
            0 => self.store.neg(a),
            1 | 2 => {
                let factor = self.int_constant();
                self.store.mul(a, factor)
            }
            3 => {
                let (condition, b) = (self.truth(below), self.int(below));
                self.store.ite(condition, a, b)
            }
            4 | 5 => {
                let divisor = match self.rng.below(12) {
                    0 => self.int(0),
                    _ => self.int_constant(),
                };
                match self.rng.below(2) {
                    0 => self.store.int_div(a, divisor),
                    _ => self.store.int_mod(a, divisor),
                }
            }
            _ => {
                let b = self.int(below);
                match self.rng.below(2) {
                    0 => self.store.add(a, b),
                    _ => self.store.sub(a, b),
                }
            }
        }
    }

    fn int_from_elsewhere(&mut self, depth: usize) -> Option<Term> {
        let mut sources = Vec::new();
        if self.about(&[Theory::Int]) {
            sources.push(Theory::Bv);
        }
        if self.about(&[Theory::Real]) {
            sources.push(Theory::Real);
        }
        if self.about(&[Theory::String]) {
            sources.push(Theory::String);
        }
        if self.theory == Theory::Mixed {
            sources.push(Theory::Uf);
        }
        if sources.is_empty() {
            return None;
        }
        Some(match self.rng.pick(&sources) {
            Theory::Bv => {
                let width = 1 + self.rng.below(4) as u16;
                let bits = self.bits(width, depth);
                self.store.bv_to_nat(bits)
            }
            Theory::Real => {
                let number = self.real(depth);
                self.store.to_int(number)
            }
            Theory::String => self.int_of_text(depth),
            _ => {
                let args = [self.text(0), self.mode()];
                self.store.apply(self.functions[5], &args)
            }
        })
    }

    fn int_of_text(&mut self, depth: usize) -> Term {
        let a = self.text(depth);
        match self.rng.below(8) {
            0 => self.store.str_to_code(a),
            1 => self.store.str_to_int(a),
            2 => {
                let (part, start) = (self.text(0), self.int_constant());
                self.store.str_index_of(a, part, start)
            }
            _ => self.store.str_len(a),
        }
    }

    fn real_condition(&mut self, depth: usize) -> Term {
        let (a, b) = (self.real(depth), self.real(depth));
        match self.rng.below(3) {
            0 => self.store.lt(a, b),
            1 => self.store.le(a, b),
            _ => self.store.eq(a, b),
        }
    }

    fn real_constant(&mut self) -> Term {
        let value = self.real_value();
        self.store.value(value)
    }

    fn real_value(&mut self) -> Value {
        let (numerator, denominator) = (self.rng.below(21) as i64 - 8, self.rng.below(4) + 1);
        let text = format!("{numerator}/{denominator}");
        Value::Real(text.parse().expect("it is a fraction"))
    }

    fn real(&mut self, depth: usize) -> Term {
        if depth == 0 {
            return match self.rng.below(3) {
                0 => self.real_constant(),
                _ => self.variable(Sort::Real, 3),
            };
        }
        let below = depth - 1;
        let a = self.real(below);
        match self.rng.below(12) {
            0 => self.store.neg(a),
            1 | 2 => {
                let factor = self.real_constant();
                self.store.mul(a, factor)
            }
            3 => {
                let (condition, b) = (self.truth(below), self.real(below));
                self.store.ite(condition, a, b)
            }
            4 => {
                let number = self.int(below);
                self.store.to_real(number)
            }
            5 => {
                let divisor = match self.rng.below(12) {
                    0 => self.real(0),
                    _ => self.real_constant(),
                };
                self.store.real_div(a, divisor)
            }
            6 => {
                let number = self.float(self.format, below.min(1));
                self.store.fp_to_real(number)
            }
            _ => {
                let b = self.real(below);
                match self.rng.below(2) {
                    0 => self.store.add(a, b),
                    _ => self.store.sub(a, b),
                }
            }
        }
    }

    fn text_condition(&mut self, depth: usize) -> Term {
        let a = self.text(depth);
        match self.rng.below(12) {
            0 => self.store.str_is_digit(a),
            1 => {
                let b = self.text(0);
                self.store.str_lt(a, b)
            }
            2 => {
                let b = self.text(0);
                self.store.str_le(a, b)
            }
            3 => {
                let b = self.text(0);
                self.store.str_prefix_of(b, a)
            }
            4 => {
                let b = self.text(0);
                self.store.str_suffix_of(b, a)
            }
            5 => {
                let b = self.text(0);
                self.store.str_contains(a, b)
            }
            6 | 7 => {
                let language = self.language(depth.min(2));
                self.store.str_in_re(a, language)
            }
            8 | 9 => {
                let (number, bound) = (self.int_of_text(depth.min(1)), self.int_constant());
                match self.rng.below(2) {
                    0 => self.store.eq(number, bound),
                    _ => self.store.lt(number, bound),
                }
            }
            _ => {
                let b = self.text(depth);
                self.store.eq(a, b)
            }
        }
    }

    fn text_constant(&mut self) -> Term {
        let text = self
            .rng
            .pick(&["", "a", "b", "ab", "ba", "0", "10", "\\", "\u{e9}"]);
        self.store.string(text)
    }

    fn text(&mut self, depth: usize) -> Term {
        if depth == 0 {
            return match self.rng.below(3) {
                0 => self.text_constant(),
                _ => self.variable(Sort::String, 2),
            };
        }
        let below = depth - 1;
        let a = self.text(below);
        match self.rng.below(16) {
            0..5 => {
                let b = self.text(0);
                self.store.str_concat(a, b)
            }
            5 | 6 => {
                let index = self.int_constant();
                self.store.str_at(a, index)
            }
            7 | 8 => {
                let (start, length) = (self.int_constant(), self.int_constant());
                self.store.str_substr(a, start, length)
            }
            9 => {
                let (part, with) = (self.text_constant(), self.text(0));
                self.store.str_replace(a, part, with)
            }
            10 => {
                let code = self.store.int(0x60 + self.rng.below(3));
                let code = match self.rng.below(2) {
                    0 => code,
                    _ => self.int(0),
                };
                self.store.str_from_code(code)
            }
            11 => {
                let number = self.int(0);
                self.store.str_from_int(number)
            }
            12 => {
                let (condition, b) = (self.truth(0), self.text(below));
                self.store.ite(condition, a, b)
            }
            13 if self.rng.chance(40) => {
                let (language, with) = (self.language(0), self.text_constant());
                let part = self.text_constant();
                match self.rng.below(3) {
                    0 => self.store.str_replace_all(a, part, with),
                    1 => self.store.str_replace_re(a, language, with),
                    _ => self.store.str_replace_re_all(a, language, with),
                }
            }
            _ => a,
        }
    }

    fn language(&mut self, depth: usize) -> Term {
        if depth == 0 {
            return match self.rng.below(8) {
                0 => self.store.re_none(),
                1 => self.store.re_all(),
                2 => self.store.re_all_char(),
                3 => {
                    let (low, high) = (self.store.string("0"), self.store.string("a"));
                    self.store.re_range(low, high)
                }
                4 => {
                    let (text, other) = (self.text(0), self.store.string("b"));
                    match self.rng.below(4) {
                        0 => self.store.re_range(text, other),
                        _ => self.store.re_from_str(text),
                    }
                }
                _ => {
                    let text = self.text_constant();
                    self.store.re_from_str(text)
                }
            };
        }
        let a = self.language(depth - 1);
        match self.rng.below(6) {
            0 => self.store.re_star(a),
            1 => self.store.re_comp(a),
            2 => {
                let (least, most) = (self.rng.below(3) as u32, self.rng.below(4) as u32);
                self.store.re_loop(a, least, most)
            }
            _ => {
                let b = self.language(depth - 1);
                match self.rng.below(4) {
                    0 => self.store.re_union(a, b),
                    1 => self.store.re_inter(a, b),
                    _ => self.store.re_concat(a, b),
                }
            }
        }
    }

    /// A random value for everything the terms mention.
    fn assignment(&mut self, terms: &[Term]) -> Assignment {
        let mut assignment = Assignment::new();
        for variable in term::free_variables(self.store, terms) {
            let sort = self.store.variable_sort(variable);
            let value = self.value(sort);
            assignment.set(variable, value);
        }
        for function in term::functions(self.store, terms) {
            let result = self.store.signature(function).result;
            let mut value = FunctionValue::constant(result);
            value.default = self.value(result);
            assignment.set_function(function, value);
        }
        assignment
    }

    fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.rng.chance(50)),
            Sort::Bv(width) => Value::Bv(self.bit_value(width)),
            Sort::Fp(format) => Value::Fp(format, self.float_value(format)),
            Sort::RoundingMode => Value::Rm(self.rng.pick(&RoundingMode::ALL)),
            Sort::Array { index, element } => self.array_value(index, element),
            Sort::Int => Value::Int((self.rng.below(17) as i64 - 8).into()),
            Sort::Real => self.real_value(),
            Sort::String => {
                let length = self.rng.below(4);
                let points = (0..length).map(|_| self.rng.pick(&[0x61, 0x62, 0x30, 0x5c]));
                Value::Str(points.collect())
            }
            Sort::RegLan => unreachable!("no variable is a language"),
        }
    }
}
