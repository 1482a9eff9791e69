//! Expressions as terms.
//!
//! A term means something only under its *needs*, that indices are in range and texts are
//! numbers where they are read as such; they
//! become part of the transition's condition. A need of an operand that `and`, `or` or
//! `if` does not evaluate does not count, so that `i > 1 or v[i] = 6` can be guarded.

use crate::fresh::{fresh, less};
use crate::model::{Builtin, Expr, ExprKind, Model, Operator, Place, Step};
use crate::pattern;
use crate::types::Type;
use num_bigint::BigInt;
use term::{FpFormat, RoundingMode, Sort, Store, Term, Value};

/// Turns expressions into terms over the values that variables have.
pub(crate) struct Lowering<'a> {
    pub store: &'a mut Store,
    pub model: &'a Model,
    /// The leaves of all variables.
    pub valuation: Vec<Term>,
    /// What must hold for the terms to mean something.
    pub needs: Vec<Term>,
    /// Applications of external functions, the inner before the outer.
    pub calls: Vec<Term>,
    /// What the functions whose bodies are being lowered were given, the innermost last.
    frames: Vec<Vec<Vec<Term>>>,
    /// How often functions that apply themselves were unfolded for the outermost application.
    unfolded: usize,
}

/// How deep applications may nest; each level takes some of the stack.
pub(crate) const NESTED: usize = 100;

/// How often recursion is unfolded for arguments that are known, and for others, where
/// every unfolding makes the terms larger and the next one may not even be needed.
const UNFOLDED: [usize; 2] = [10_000, 32];

impl<'a> Lowering<'a> {
    pub fn new(store: &'a mut Store, model: &'a Model, valuation: Vec<Term>) -> Lowering<'a> {
        Lowering {
            store,
            model,
            valuation,
            needs: Vec::new(),
            calls: Vec::new(),
            frames: Vec::new(),
            unfolded: 0,
        }
    }

    /// The one leaf of an expression.
    pub fn leaf(&mut self, expr: &Expr) -> Term {
        self.lower(expr)[0]
    }

    /// The leaves of an expression.
    pub fn lower(&mut self, expr: &Expr) -> Vec<Term> {
        match &expr.kind {
            ExprKind::Value(values) => {
                let values = values.iter();
                values
                    .map(|value| self.store.value(value.clone()))
                    .collect()
            }
            ExprKind::Any => fresh(self.store, "any", &expr.ty, &mut self.needs),
            ExprKind::Variable(offset) => self.valuation[*offset..offset + expr.ty.size()].to_vec(),
            ExprKind::Index(array, index) => {
                let length = array_length(&array.ty);
                let leaves = self.lower(array);
                let index = self.index(index, length);
                self.element(&leaves, index, expr.ty.size())
            }
            ExprKind::Field(record, offset) => {
                let leaves = self.lower(record);
                leaves[*offset..offset + expr.ty.size()].to_vec()
            }
            ExprKind::Gather(parts) => parts.iter().flat_map(|part| self.lower(part)).collect(),
            ExprKind::Call(function, arguments) => {
                let leaves: Vec<Term> = arguments.iter().flat_map(|a| self.lower(a)).collect();
                let function =
                    crate::functions::symbol(self.store, &self.model.functions[*function]);
                vec![self.call(function, &leaves)]
            }
            ExprKind::Apply(number, arguments) => {
                let arguments = arguments.iter().map(|a| self.lower(a)).collect();
                self.apply(*number, arguments)
            }
            ExprKind::Parameter(number, _) => {
                let frame = self.frames.last().expect("parameters stand in bodies");
                frame[*number].clone()
            }
            ExprKind::Builtin(builtin, arguments) => vec![self.builtin(*builtin, arguments)],
            ExprKind::Not(operand) => {
                let operand = self.leaf(operand);
                vec![self.store.not(operand)]
            }
            ExprKind::Negate(operand) => {
                let term = self.leaf(operand);
                vec![self.negate(term)]
            }
            ExprKind::Binary(operator, left, right) => {
                vec![self.binary(*operator, left, right)]
            }
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.leaf(condition);
                // Recursion ends here.
                if let Some(holds) = self.store.as_bool(condition) {
                    return self.lower(if holds { then } else { otherwise });
                }
                // What the branches need, they need only when they are taken.
                let before = std::mem::take(&mut self.needs);
                let then = self.lower(then);
                let then_needs = std::mem::take(&mut self.needs);
                let otherwise = self.lower(otherwise);
                let otherwise_needs = std::mem::replace(&mut self.needs, before);
                for need in then_needs {
                    let need = self.store.implies(condition, need);
                    self.needs.push(need);
                }
                for need in otherwise_needs {
                    let need = self.store.or(condition, need);
                    self.needs.push(need);
                }
                let pairs = then.into_iter().zip(otherwise);
                pairs
                    .map(|(a, b)| self.store.ite(condition, a, b))
                    .collect()
            }
            ExprKind::Convert(inner) => {
                let term = self.leaf(inner);
                vec![self.convert(term, &inner.ty, &expr.ty)]
            }
        }
    }

    fn call(&mut self, function: term::Function, leaves: &[Term]) -> Term {
        let application = self.store.apply(function, leaves);
        if !self.calls.contains(&application) {
            self.calls.push(application);
        }
        application
    }

    /// What a function of the model gives for these arguments: its body. A recursion that
    /// goes on for too long becomes a call, which is computed once its arguments are known.
    pub fn apply(&mut self, number: usize, arguments: Vec<Vec<Term>>) -> Vec<Term> {
        let definition = &self.model.definitions[number];
        if self.frames.is_empty() {
            self.unfolded = 0;
        }
        if definition.is_recursive {
            let leaves: Vec<Term> = arguments.iter().flatten().copied().collect();
            let is_open = leaves
                .iter()
                .any(|&leaf| self.store.as_value(leaf).is_none());
            let is_over = self.unfolded >= UNFOLDED[usize::from(is_open)];
            if is_over || self.frames.len() >= NESTED {
                let function = crate::functions::definition_symbol(self.store, definition);
                return vec![self.call(function, &leaves)];
            }
            self.unfolded += 1;
        }
        self.frames.push(arguments);
        let result = self.lower(&definition.body);
        self.frames.pop();
        result
    }

    /// Puts leaves into a variable or a part of one.
    pub fn assign(&mut self, place: &Place, leaves: Vec<Term>) {
        let size = place.variable.size();
        let before = self.valuation[place.offset..place.offset + size].to_vec();
        let after = self.replaced(before, &place.variable, &place.steps, leaves);
        self.valuation[place.offset..place.offset + size].copy_from_slice(&after);
    }

    fn replaced(&mut self, old: Vec<Term>, ty: &Type, steps: &[Step], new: Vec<Term>) -> Vec<Term> {
        match (steps, ty) {
            ([Step::Index(index), rest @ ..], Type::Array(element, length)) => {
                let size = element.size();
                let index = self.index(index, *length);
                let mut whole = Vec::with_capacity(old.len());
                for (number, part) in old.chunks(size).enumerate() {
                    let here = self.store.int(number);
                    let hit = self.store.eq(index, here);
                    if self.store.as_bool(hit) == Some(false) {
                        whole.extend_from_slice(part);
                        continue;
                    }
                    let changed = self.replaced(part.to_vec(), element, rest, new.clone());
                    let pairs = changed.into_iter().zip(part);
                    whole.extend(pairs.map(|(a, &b)| self.store.ite(hit, a, b)));
                }
                whole
            }
            ([Step::Field(offset), rest @ ..], Type::Record(record)) => {
                let (mut whole, mut at) = (old, 0);
                for (_, ty) in &record.fields {
                    if at == *offset {
                        let part = whole[at..at + ty.size()].to_vec();
                        let changed = self.replaced(part, ty, rest, new);
                        whole.splice(at..at + ty.size(), changed);
                        return whole;
                    }
                    at += ty.size();
                }
                whole
            }
            _ => new,
        }
    }

    /// An index as an integer term, with the need that it is in range.
    fn index(&mut self, index: &Expr, length: usize) -> Term {
        let term = self.leaf(index);
        let term = self.convert(term, &index.ty, &Type::Int);
        let (zero, length) = (self.store.int(0), self.store.int(length));
        let (low, high) = (self.store.le(zero, term), self.store.lt(term, length));
        let need = self.store.and(low, high);
        if self.store.as_bool(need) != Some(true) {
            self.needs.push(need);
        }
        term
    }

    fn element(&mut self, leaves: &[Term], index: Term, size: usize) -> Vec<Term> {
        let mut parts = leaves.chunks(size).enumerate();
        let Some((_, first)) = parts.next() else {
            unreachable!("arrays have elements");
        };
        let mut found = first.to_vec();
        for (number, part) in parts {
            let here = self.store.int(number);
            let hit = self.store.eq(index, here);
            for (slot, &leaf) in found.iter_mut().zip(part) {
                *slot = self.store.ite(hit, leaf, *slot);
            }
        }
        found
    }

    fn negate(&mut self, term: Term) -> Term {
        match self.store.sort(term) {
            Sort::Bv(_) => self.store.bv_neg(term),
            Sort::Fp(_) => self.store.fp_neg(term),
            _ => self.store.neg(term),
        }
    }

    fn binary(&mut self, operator: Operator, left: &Expr, right: &Expr) -> Term {
        if let Operator::And | Operator::Or | Operator::Implies = operator {
            return self.connective(operator, left, right);
        }
        let (a, b) = (self.lower(left), self.lower(right));
        match operator {
            Operator::Equal => self.equal(&a, &b),
            Operator::Unequal => {
                let equal = self.equal(&a, &b);
                self.store.not(equal)
            }
            Operator::Less => self.less(&left.ty, a[0], b[0]),
            Operator::Greater => self.less(&left.ty, b[0], a[0]),
            Operator::LessEqual => self.less_equal(&left.ty, a[0], b[0]),
            Operator::GreaterEqual => self.less_equal(&left.ty, b[0], a[0]),
            _ => self.arithmetic(operator, &left.ty, a[0], b[0]),
        }
    }

    /// The right operand counts only where the left does not decide.
    fn connective(&mut self, operator: Operator, left: &Expr, right: &Expr) -> Term {
        let a = self.leaf(left);
        // Recursion may end here too.
        match (self.store.as_bool(a), operator) {
            (Some(true), Operator::Or) | (Some(false), Operator::And) => return a,
            (Some(false), Operator::Implies) => return self.store.bool(true),
            _ => {}
        }
        let before = std::mem::take(&mut self.needs);
        let b = self.leaf(right);
        let needs = std::mem::replace(&mut self.needs, before);
        for need in needs {
            let need = match operator {
                Operator::Or => self.store.or(a, need),
                _ => self.store.implies(a, need),
            };
            self.needs.push(need);
        }
        match operator {
            Operator::Or => self.store.or(a, b),
            Operator::And => self.store.and(a, b),
            _ => self.store.implies(a, b),
        }
    }

    fn equal(&mut self, a: &[Term], b: &[Term]) -> Term {
        let pairs: Vec<Term> = a
            .iter()
            .zip(b)
            .map(|(&a, &b)| match self.store.sort(a) {
                Sort::Fp(_) => self.store.fp_eq(a, b),
                _ => self.store.eq(a, b),
            })
            .collect();
        self.store.and_all(pairs)
    }

    fn less(&mut self, ty: &Type, a: Term, b: Term) -> Term {
        less(self.store, ty, a, b)
    }

    fn less_equal(&mut self, ty: &Type, a: Term, b: Term) -> Term {
        match ty {
            Type::Bits { signed: true, .. } => self.store.bv_sle(a, b),
            Type::Bits { .. } => self.store.bv_ule(a, b),
            Type::Float => self.store.fp_le(a, b),
            Type::String => self.store.str_le(a, b),
            _ => self.store.le(a, b),
        }
    }

    fn arithmetic(&mut self, operator: Operator, ty: &Type, a: Term, b: Term) -> Term {
        let rounding = self.store.rounding(RoundingMode::NearestEven);
        if let (Type::Bits { signed, .. }, Operator::IntegerDivide | Operator::Modulo) =
            (ty, operator)
        {
            return self.divide_bits(operator, *signed, a, b);
        }
        let store = &mut *self.store;
        match (ty, operator) {
            (Type::String, _) => store.str_concat(a, b),
            (Type::Bits { .. }, Operator::Add) => store.bv_add(a, b),
            (Type::Bits { .. }, Operator::Subtract) => store.bv_sub(a, b),
            (Type::Bits { .. }, _) => store.bv_mul(a, b),
            (Type::Float, Operator::Add) => store.fp_add(rounding, a, b),
            (Type::Float, Operator::Subtract) => store.fp_sub(rounding, a, b),
            (Type::Float, Operator::Multiply) => store.fp_mul(rounding, a, b),
            (Type::Float, _) => store.fp_div(rounding, a, b),
            (_, Operator::Add) => store.add(a, b),
            (_, Operator::Subtract) => store.sub(a, b),
            (_, Operator::Multiply) => store.mul(a, b),
            (_, Operator::IntegerDivide) => store.int_div(a, b),
            (_, Operator::Modulo) => store.int_mod(a, b),
            _ => store.real_div(a, b),
        }
    }

    /// `div` and `mod` of integers with a width, as `Int` has them: the rest is
    /// never negative, and by zero the quotient is zero and the rest the dividend.
    fn divide_bits(&mut self, operator: Operator, signed: bool, a: Term, b: Term) -> Term {
        let store = &mut *self.store;
        let width = match store.sort(a) {
            Sort::Bv(width) => width,
            _ => unreachable!("it has a width"),
        };
        let (zero, one) = (store.bv(width, 0), store.bv(width, 1));
        let divides_by_zero = store.eq(b, zero);
        let is_quotient = operator == Operator::IntegerDivide;
        let result = match (signed, is_quotient) {
            (false, true) => store.bv_udiv(a, b),
            (false, false) => store.bv_urem(a, b),
            (true, _) => {
                // The machine's quotient is rounded towards zero.
                let rest = store.bv_srem(a, b);
                let is_low = store.bv_slt(rest, zero);
                let divisor_is_negative = store.bv_slt(b, zero);
                let plain = match is_quotient {
                    true => store.bv_sdiv(a, b),
                    false => rest,
                };
                let by = if is_quotient { one } else { b };
                let (more, less) = (store.bv_add(plain, by), store.bv_sub(plain, by));
                let moved = match is_quotient {
                    true => store.ite(divisor_is_negative, more, less),
                    false => store.ite(divisor_is_negative, less, more),
                };
                store.ite(is_low, moved, plain)
            }
        };
        let by_zero = if is_quotient { zero } else { a };
        store.ite(divides_by_zero, by_zero, result)
    }

    fn builtin(&mut self, builtin: Builtin, arguments: &[Expr]) -> Term {
        let terms: Vec<Term> = arguments
            .iter()
            .map(|argument| self.leaf(argument))
            .collect();
        let ty = &arguments[0].ty;
        match builtin {
            Builtin::Abs if *ty == Type::Float => self.store.fp_abs(terms[0]),
            Builtin::Abs => {
                let minus = self.negate(terms[0]);
                let zero = self.store.value(Value::default_of(ty.sort()));
                let negative = self.less(ty, terms[0], zero);
                self.store.ite(negative, minus, terms[0])
            }
            Builtin::Min => {
                let less = self.less(ty, terms[1], terms[0]);
                self.store.ite(less, terms[1], terms[0])
            }
            Builtin::Max => {
                let less = self.less(ty, terms[0], terms[1]);
                self.store.ite(less, terms[1], terms[0])
            }
            Builtin::Length => self.store.str_len(terms[0]),
            Builtin::Contains => self.store.str_contains(terms[0], terms[1]),
            Builtin::StartsWith => self.store.str_prefix_of(terms[1], terms[0]),
            Builtin::EndsWith => self.store.str_suffix_of(terms[1], terms[0]),
            Builtin::Substring => self.store.str_substr(terms[0], terms[1], terms[2]),
            Builtin::CharAt => self.store.str_at(terms[0], terms[1]),
            Builtin::IndexOf => {
                let start = self.store.int(0);
                self.store.str_index_of(terms[0], terms[1], start)
            }
            Builtin::Replace => self.store.str_replace(terms[0], terms[1], terms[2]),
            Builtin::ReplaceAll => self.store.str_replace_all(terms[0], terms[1], terms[2]),
            Builtin::Matches => {
                let language = pattern::language(self.store, terms[1]);
                self.store.str_in_re(terms[0], language)
            }
        }
    }

    /// The number that a text of digits is, with the need that it is one; a minus may stand
    /// before it.
    fn number_of_text(&mut self, text: Term) -> Term {
        let store = &mut *self.store;
        let (zero, one, minus) = (store.int(0), store.int(1), store.string("-"));
        let negative = store.str_prefix_of(minus, text);
        let length = store.str_len(text);
        let rest = store.str_substr(text, one, length);
        let digits = store.ite(negative, rest, text);
        let size = store.str_to_int(digits);
        // SMT-LIB has -1 for what is no number.
        let need = store.le(zero, size);
        self.needs.push(need);
        let store = &mut *self.store;
        let opposite = store.neg(size);
        store.ite(negative, opposite, size)
    }

    fn convert(&mut self, term: Term, from: &Type, to: &Type) -> Term {
        let rounding = self.store.rounding(RoundingMode::NearestEven);
        let store = &mut *self.store;
        match (from, to) {
            _ if from == to => term,
            (Type::Bits { width, signed }, Type::Int) => {
                let natural = store.bv_to_nat(term);
                if !signed {
                    return natural;
                }
                let zero = store.bv(*width, 0);
                let negative = store.bv_slt(term, zero);
                let size = store.int(BigInt::from(1) << *width);
                let wrapped = store.sub(natural, size);
                store.ite(negative, wrapped, natural)
            }
            (Type::Bits { .. }, Type::Real | Type::Float) => {
                let integer = self.convert(term, from, &Type::Int);
                self.convert(integer, &Type::Int, to)
            }
            (Type::Int, Type::Bits { width, .. }) => store.int_to_bv(term, *width),
            (Type::Bits { width: old, signed }, Type::Bits { width, .. }) => {
                match (width < old, signed) {
                    (true, _) => store.extract(term, 0, *width),
                    (false, true) => store.sext(term, *width),
                    (false, false) => store.zext(term, *width),
                }
            }
            (Type::Int, Type::Real) => store.to_real(term),
            (Type::Int, Type::Float) => {
                let real = store.to_real(term);
                store.fp_from_real(rounding, real, FpFormat::DOUBLE)
            }
            (Type::Real, Type::Int) => store.to_int(term),
            (Type::Real, Type::Float) => store.fp_from_real(rounding, term, FpFormat::DOUBLE),
            (Type::Float, Type::Real) => store.fp_to_real(term),
            (Type::Float, Type::Int) => {
                let real = store.fp_to_real(term);
                store.to_int(real)
            }
            (Type::Enumeration(_), Type::Int) => term,
            (Type::String, Type::Int) => self.number_of_text(term),
            (Type::Bits { .. }, Type::String) => {
                let integer = self.convert(term, from, &Type::Int);
                self.convert(integer, &Type::Int, to)
            }
            (Type::Int, Type::String) => {
                let (zero, minus, sign) = (store.int(0), store.neg(term), store.string("-"));
                let negative = store.lt(term, zero);
                let (plain, digits) = (store.str_from_int(term), store.str_from_int(minus));
                let signed = store.str_concat(sign, digits);
                store.ite(negative, signed, plain)
            }
            _ => unreachable!("the checker allows no other conversions"),
        }
    }
}

fn array_length(ty: &Type) -> usize {
    match ty {
        Type::Array(_, length) => *length,
        _ => unreachable!("only arrays are indexed"),
    }
}
