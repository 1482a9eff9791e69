//! Terms as Z3's terms.
//!
//! Each operator becomes the operator of the same meaning, with a choice in
//! front where SMT-LIB leaves a value open that we define. What Z3 has no
//! operator for, or a wrong one, is said in other words here (text in
//! [`super::text`], floats in [`super::float`]) or refused with a message that
//! names it: a refusal costs an answer, a wrong operator would cost the truth.
//!
//! A term is translated once for the life of the context, with a stack of its
//! own, so that depth is no limit.

use super::context::Context;
use super::float;
use super::text::{self, TextOperators};
use crate::backend::Reason;
use base::Stop;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use term::{ArrayValue, BitVec, Function, Op, RoundingMode, Sort, Store, Term, Value, Variable};
use z3_sys::*;

/// What a term needs besides truth values and bit-vectors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Theories(u8);

impl Theories {
    pub const ARRAYS: Theories = Theories(1);
    pub const FLOATS: Theories = Theories(2);
    pub const FUNCTIONS: Theories = Theories(4);
    pub const NUMBERS: Theories = Theories(8);
    pub const TEXT: Theories = Theories(16);
    /// Arithmetic on floats, as against comparing and copying them.
    pub const ROUNDING: Theories = Theories(32);
    /// Products and quotients of numbers of which neither is known.
    pub const PRODUCTS: Theories = Theories(64);

    /// Those of either.
    pub fn and(self, other: Theories) -> Theories {
        Theories(self.0 | other.0)
    }

    /// Whether all of these are among `others`.
    pub fn within(self, others: Theories) -> bool {
        self.0 & !others.0 == 0
    }

    fn of_operator(store: &Store, term: Term) -> Theories {
        match (store.op(term), store.args(term)) {
            (Op::Apply, _) => Theories::FUNCTIONS,
            (Op::Mul, &[a, b]) if !store.is_const(a) && !store.is_const(b) => Theories::PRODUCTS,
            (Op::IntDiv | Op::IntMod | Op::RealDiv, &[_, divisor]) if !store.is_const(divisor) => {
                Theories::PRODUCTS
            }
            (op, _) if float::rounds(op) => Theories::ROUNDING,
            _ => Theories::default(),
        }
    }

    fn of_sort(sort: Sort) -> Theories {
        match sort {
            Sort::Bool | Sort::Bv(_) => Theories::default(),
            Sort::Fp(_) | Sort::RoundingMode => Theories::FLOATS,
            Sort::Array { .. } => Theories::ARRAYS,
            Sort::Int | Sort::Real => Theories::NUMBERS,
            Sort::String | Sort::RegLan => Theories::TEXT,
        }
    }
}

/// A term as Z3 has it.
#[derive(Clone, Copy)]
pub(super) struct Translated {
    pub ast: Z3_ast,
    pub theories: Theories,
}

/// Terms translated between two looks at the stop token.
const TERMS_PER_LOOK: usize = 1024;

/// What is not translated, for the reader of a message.
#[derive(Debug)]
pub(super) struct Refusal(pub String);

/// The terms of one store in one context.
pub(super) struct Translation {
    pub(super) context: Context,
    terms: Vec<Option<Translated>>,
    count: usize,
    sorts: FxHashMap<Sort, Z3_sort>,
    variables: FxHashMap<Variable, Z3_func_decl>,
    functions: FxHashMap<Function, Z3_func_decl>,
    modes: [Z3_ast; 5],
    text: Option<TextOperators>,
}

impl Translation {
    /// Nothing translated yet, into a new context.
    pub fn new() -> Translation {
        let context = Context::new();
        // In the order of `RoundingMode::ALL`.
        let modes = [
            context.nullary(Z3_mk_fpa_rne),
            context.nullary(Z3_mk_fpa_rna),
            context.nullary(Z3_mk_fpa_rtp),
            context.nullary(Z3_mk_fpa_rtn),
            context.nullary(Z3_mk_fpa_rtz),
        ];
        Translation {
            context,
            terms: Vec::new(),
            count: 0,
            sorts: FxHashMap::default(),
            variables: FxHashMap::default(),
            functions: FxHashMap::default(),
            modes,
            text: None,
        }
    }

    /// How many terms were translated.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The term in Z3, translated now or before. What was translated before a stop
    /// stays.
    pub fn term(&mut self, store: &Store, root: Term, stop: &Stop) -> Result<Translated, Reason> {
        if self.terms.len() < store.len() {
            self.terms.resize(store.len(), None);
        }
        let mut stack = vec![root];
        let mut args = Vec::new();
        while let Some(&term) = stack.last() {
            if self.terms[term.number()].is_some() {
                stack.pop();
                continue;
            }
            let below = stack.len();
            let missing = |arg: &&Term| self.terms[arg.number()].is_none();
            stack.extend(store.args(term).iter().filter(missing));
            if stack.len() > below {
                continue;
            }
            stack.pop();
            args.clear();
            args.extend(store.args(term).iter().map(|&arg| self.done(arg).ast));
            let ast = self
                .operator(store, term, &args)
                .map_err(|Refusal(what)| Reason::Unsupported(what))?;
            let theories = self.theories(store, term);
            self.terms[term.number()] = Some(Translated { ast, theories });
            self.count += 1;
            if self.count.is_multiple_of(TERMS_PER_LOOK)
                && let Some(reason) = Reason::of_stop(stop)
            {
                return Err(reason);
            }
        }
        Ok(self.done(root))
    }

    /// The term in Z3, which must have been translated.
    pub fn done(&self, term: Term) -> Translated {
        self.terms[term.number()].expect("it was translated before")
    }

    fn theories(&self, store: &Store, term: Term) -> Theories {
        let sort = Theories::of_sort(store.sort(term));
        let own = Theories::of_operator(store, term).and(sort);
        let args = store.args(term).iter();
        args.fold(own, |all, &arg| all.and(self.done(arg).theories))
    }

    /// How Z3 calls the variable, if a translated term has it.
    pub fn variable(&self, variable: Variable) -> Option<Z3_func_decl> {
        self.variables.get(&variable).copied()
    }

    /// How Z3 calls the function, if a translated term applies it.
    pub fn function(&self, function: Function) -> Option<Z3_func_decl> {
        self.functions.get(&function).copied()
    }

    fn operator(&mut self, store: &Store, term: Term, args: &[Z3_ast]) -> Result<Z3_ast, Refusal> {
        let sort = store.sort(term);
        let c = self.context.clone();
        Ok(match (store.op(term), args) {
            (Op::Const, []) => {
                let value = store.as_value(term).expect("a constant has a value");
                self.value(&value)
            }
            (Op::Var, []) => {
                let variable = store.as_variable(term).expect("it is a variable");
                c.apply(self.declare_variable(store, variable)?, &[])
            }
            (Op::Apply, args) => {
                let function = store.as_function(term).expect("it is an application");
                c.apply(self.declare_function(store, function)?, args)
            }
            (Op::Eq, _) if store.sort(store.args(term)[0]) == Sort::RegLan => {
                return Err(Refusal("equality of regular languages".into()));
            }
            (Op::Ite, _) if sort == Sort::RegLan => {
                return Err(Refusal("choices between regular languages".into()));
            }
            (Op::Eq, &[a, b]) => c.binary(Z3_mk_eq, a, b),
            (Op::Ite, &[condition, then, otherwise]) => c.ite(condition, then, otherwise),
            (Op::Not, &[a]) => c.unary(Z3_mk_not, a),
            (Op::And, args) => c.nary(Z3_mk_and, args),
            (Op::BvNot, &[a]) => c.unary(Z3_mk_bvnot, a),
            (Op::BvNeg, &[a]) => c.unary(Z3_mk_bvneg, a),
            (Op::BvAnd, &[a, b]) => c.binary(Z3_mk_bvand, a, b),
            (Op::BvOr, &[a, b]) => c.binary(Z3_mk_bvor, a, b),
            (Op::BvXor, &[a, b]) => c.binary(Z3_mk_bvxor, a, b),
            (Op::BvAdd, &[a, b]) => c.binary(Z3_mk_bvadd, a, b),
            (Op::BvMul, &[a, b]) => c.binary(Z3_mk_bvmul, a, b),
            (Op::BvUdiv, &[a, b]) => c.binary(Z3_mk_bvudiv, a, b),
            (Op::BvUrem, &[a, b]) => c.binary(Z3_mk_bvurem, a, b),
            (Op::BvSdiv, &[a, b]) => c.binary(Z3_mk_bvsdiv, a, b),
            (Op::BvSrem, &[a, b]) => c.binary(Z3_mk_bvsrem, a, b),
            (Op::BvSmod, &[a, b]) => c.binary(Z3_mk_bvsmod, a, b),
            (Op::BvShl, &[a, b]) => c.binary(Z3_mk_bvshl, a, b),
            (Op::BvLshr, &[a, b]) => c.binary(Z3_mk_bvlshr, a, b),
            (Op::BvAshr, &[a, b]) => c.binary(Z3_mk_bvashr, a, b),
            (Op::Ult, &[a, b]) => c.binary(Z3_mk_bvult, a, b),
            (Op::Slt, &[a, b]) => c.binary(Z3_mk_bvslt, a, b),
            (Op::Concat, &[a, b]) => c.binary(Z3_mk_concat, a, b),
            (Op::Extract, &[a]) => {
                let low = store.indices(term)[0];
                c.extract(low + u32::from(sort.bv_width()) - 1, low, a)
            }
            (Op::Zext, &[a]) => c.indexed(Z3_mk_zero_ext, self.growth(store, term), a),
            (Op::Sext, &[a]) => c.indexed(Z3_mk_sign_ext, self.growth(store, term), a),
            (Op::ConstArray, &[element]) => self.filled(sort, element),
            (Op::Select, &[array, index]) => c.binary(Z3_mk_select, array, index),
            (Op::Store, &[array, index, element]) => c.ternary(Z3_mk_store, array, index, element),
            (Op::Add, args) => c.nary(Z3_mk_add, args),
            (Op::Mul, args) => c.nary(Z3_mk_mul, args),
            (Op::Neg, &[a]) => c.unary(Z3_mk_unary_minus, a),
            (Op::Lt, &[a, b]) => c.binary(Z3_mk_lt, a, b),
            (Op::Le, &[a, b]) => c.binary(Z3_mk_le, a, b),
            (Op::IntDiv, &[a, b]) => {
                let zero = self.value(&Value::Int(BigInt::zero()));
                self.unless_zero(b, c.binary(Z3_mk_div, a, b), zero)
            }
            (Op::IntMod, &[a, b]) => self.unless_zero(b, c.binary(Z3_mk_mod, a, b), a),
            (Op::RealDiv, &[a, b]) => {
                let zero = self.value(&Value::Real(BigRational::zero()));
                self.unless_zero(b, c.binary(Z3_mk_div, a, b), zero)
            }
            (Op::ToReal, &[a]) => c.unary(Z3_mk_int2real, a),
            (Op::ToInt, &[a]) => c.unary(Z3_mk_real2int, a),
            // SAFETY: the context is alive and so is the term, which was kept.
            (Op::BvToNat, &[a]) => c.keep(unsafe { Z3_mk_bv2int(c.raw(), a, false) }),
            (Op::IntToBv, &[a]) => c.indexed(Z3_mk_int2bv, sort.bv_width().into(), a),
            (op, args) if is_on_text(op) => text::operator(self, store, term, args)?,
            (_, args) => float::operator(self, store, term, args)?,
        })
    }

    /// By how many bits the extension widens its argument.
    fn growth(&self, store: &Store, term: Term) -> u32 {
        u32::from(store.width(term) - store.width(store.args(term)[0]))
    }

    /// `result`, or `otherwise` where the number `divisor` is zero.
    fn unless_zero(&self, divisor: Z3_ast, result: Z3_ast, otherwise: Z3_ast) -> Z3_ast {
        let c = &self.context;
        // SAFETY: the context is alive and so is the divisor, which was kept.
        let sort = unsafe { Z3_get_sort(c.raw(), divisor) }.expect("a term has a sort");
        let is_zero = c.binary(Z3_mk_eq, divisor, c.numeral("0", sort));
        c.ite(is_zero, otherwise, result)
    }

    /// The array whose every element is `element`.
    fn filled(&mut self, sort: Sort, element: Z3_ast) -> Z3_ast {
        let Sort::Array { index, .. } = sort else {
            unreachable!("{sort} is not an array sort");
        };
        let domain = self.sort(Sort::Bv(index));
        let c = &self.context;
        // SAFETY: the context, the sort and the element are alive.
        c.keep(unsafe { Z3_mk_const_array(c.raw(), domain, element) })
    }

    /// The sort in Z3.
    pub fn sort(&mut self, sort: Sort) -> Z3_sort {
        if let Some(&known) = self.sorts.get(&sort) {
            return known;
        }
        let parts = match sort {
            Sort::Array { index, element } => {
                Some((self.sort(Sort::Bv(index)), self.sort(Sort::Bv(element))))
            }
            _ => None,
        };
        let c = &self.context;
        // SAFETY: the context is alive, and so are the sorts an array sort has.
        let made = c.keep_sort(unsafe {
            match sort {
                Sort::Bool => Z3_mk_bool_sort(c.raw()),
                Sort::Bv(width) => Z3_mk_bv_sort(c.raw(), width.into()),
                Sort::Fp(format) => Z3_mk_fpa_sort(c.raw(), format.eb.into(), format.sb.into()),
                Sort::RoundingMode => Z3_mk_fpa_rounding_mode_sort(c.raw()),
                Sort::Array { .. } => {
                    let (index, element) = parts.expect("it was just made");
                    Z3_mk_array_sort(c.raw(), index, element)
                }
                Sort::Int => Z3_mk_int_sort(c.raw()),
                Sort::Real => Z3_mk_real_sort(c.raw()),
                Sort::String => Z3_mk_string_sort(c.raw()),
                Sort::RegLan => {
                    let string = c.keep_sort(Z3_mk_string_sort(c.raw()));
                    Z3_mk_re_sort(c.raw(), string)
                }
            }
        });
        self.sorts.insert(sort, made);
        made
    }

    /// The constant in Z3.
    pub fn value(&mut self, value: &Value) -> Z3_ast {
        match value {
            Value::Bool(true) => self.context.nullary(Z3_mk_true),
            Value::Bool(false) => self.context.nullary(Z3_mk_false),
            Value::Bv(bits) => self.bits(bits),
            Value::Fp(format, bits) => {
                let pattern = self.bits(&BitVec::from_u128(format.width() as u16, *bits));
                let sort = self.sort(Sort::Fp(*format));
                self.context.cast(Z3_mk_fpa_to_fp_bv, pattern, sort)
            }
            Value::Rm(mode) => self.mode(*mode),
            Value::Array(array) => self.array(array),
            Value::Int(number) => {
                let sort = self.sort(Sort::Int);
                self.context.numeral(&number.to_string(), sort)
            }
            Value::Real(number) => {
                let sort = self.sort(Sort::Real);
                self.context.numeral(&number.to_string(), sort)
            }
            Value::Str(points) => text::constant(&self.context, points),
            Value::Re(language) => text::language(self, language),
        }
    }

    /// The bit-vector constant in Z3.
    pub fn bits(&mut self, bits: &BitVec) -> Z3_ast {
        let sort = self.sort(Sort::Bv(bits.width()));
        let c = &self.context;
        match bits.to_u64() {
            // SAFETY: the context and the sort are alive.
            Some(word) => c.keep(unsafe { Z3_mk_unsigned_int64(c.raw(), word, sort) }),
            None => c.numeral(&bits.to_big().to_string(), sort),
        }
    }

    /// The rounding mode in Z3.
    pub fn mode(&self, mode: RoundingMode) -> Z3_ast {
        self.modes[mode as usize]
    }

    fn array(&mut self, array: &ArrayValue) -> Z3_ast {
        let sort = Sort::Array {
            index: array.index_width(),
            element: array.default().width(),
        };
        let default = self.bits(array.default());
        let mut result = self.filled(sort, default);
        for (index, element) in array.entries() {
            let (index, element) = (self.bits(index), self.bits(element));
            result = self.context.ternary(Z3_mk_store, result, index, element);
        }
        result
    }

    /// The operators on text that Z3 has under a name only.
    pub fn text_operators(&mut self) -> &TextOperators {
        let context = &self.context;
        self.text.get_or_insert_with(|| TextOperators::new(context))
    }

    fn declare_variable(
        &mut self,
        store: &Store,
        variable: Variable,
    ) -> Result<Z3_func_decl, Refusal> {
        if let Some(known) = self.variable(variable) {
            return Ok(known);
        }
        let sort = store.variable_sort(variable);
        if sort == Sort::RegLan {
            return Err(Refusal("variables that are regular languages".into()));
        }
        let made = self.declare(2 * variable.number(), &[], sort);
        self.variables.insert(variable, made);
        Ok(made)
    }

    fn declare_function(
        &mut self,
        store: &Store,
        function: Function,
    ) -> Result<Z3_func_decl, Refusal> {
        if let Some(known) = self.function(function) {
            return Ok(known);
        }
        let signature = store.signature(function);
        let mut sorts = signature.parameters.iter().chain([&signature.result]);
        if sorts.any(|&sort| sort == Sort::RegLan) {
            return Err(Refusal("functions of regular languages".into()));
        }
        let made = self.declare(
            2 * function.number() + 1,
            &signature.parameters,
            signature.result,
        );
        self.functions.insert(function, made);
        Ok(made)
    }

    /// A symbol that is a number cannot be one of those Z3 makes for itself,
    /// which a name of the user's might.
    fn declare(&mut self, number: usize, parameters: &[Sort], result: Sort) -> Z3_func_decl {
        let domain: Vec<Z3_sort> = parameters.iter().map(|&sort| self.sort(sort)).collect();
        let range = self.sort(result);
        let c = &self.context;
        // SAFETY: the context and the sorts are alive; symbols live for ever.
        c.keep_declaration(unsafe {
            let symbol = Z3_mk_int_symbol(c.raw(), number as i32).expect("a number is a symbol");
            Z3_mk_func_decl(c.raw(), symbol, domain.len() as u32, domain.as_ptr(), range)
        })
    }
}

fn is_on_text(op: Op) -> bool {
    (Op::StrConcat..=Op::ReLoop).contains(&op)
}
