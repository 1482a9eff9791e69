//! Floating point, where it takes more than one operator of ours.

use super::apply::wrong_count;
use super::lexer::Fault;
use super::{Reader, partial};
use crate::fp;
use crate::op::Op;
use crate::sort::{FpFormat, RoundingMode, Sort};
use crate::store::{Signature, Term};

impl Reader<'_, '_> {
    /// `(fp sign exponent significand)`.
    pub(super) fn float_literal(
        &mut self,
        at: usize,
        name: &str,
        args: &[Term],
    ) -> Result<Term, Fault> {
        let &[sign, exponent, significand] = args else {
            return wrong_count(at, name, 3, args.len());
        };
        let widths = [sign, exponent, significand].map(|arg| u64::from(self.store.width(arg)));
        let [sign_width, eb, stored] = widths;
        if sign_width != 1 || eb == 0 || stored == 0 {
            return self.wrong_sorts(at, name, args);
        }
        let format = self.format(at, eb, stored + 1)?;
        let head = self.store.concat(sign, exponent);
        let bits = self.store.concat(head, significand);
        Ok(self.store.fp_from_bits(format, bits))
    }

    /// `to_fp`, which converts from bits, floats, reals and signed numbers.
    pub(super) fn apply_to_fp(
        &mut self,
        at: usize,
        name: &str,
        format: FpFormat,
        args: &[Term],
    ) -> Result<Term, Fault> {
        let result = Some(Sort::Fp(format));
        match *args {
            [_] => self.operator(at, name, Op::FpFromBits, [0, 0], result, args),
            [rm, a] => {
                let a = self.as_real(a);
                let op = match self.store.sort(a) {
                    Sort::Bv(_) => Op::FpFromSigned,
                    Sort::Real => Op::FpFromReal,
                    _ => Op::FpConvert,
                };
                self.operator(at, name, op, [0, 0], result, &[rm, a])
            }
            _ => wrong_count(at, name, 2, args.len()),
        }
    }

    /// `fp.to_ubv` and `fp.to_sbv`; where no integer of the width is the
    /// result, whatever a function of the arguments says.
    pub(super) fn apply_to_bits(
        &mut self,
        at: usize,
        name: &str,
        width: u16,
        signed: bool,
        args: &[Term],
    ) -> Result<Term, Fault> {
        let result = Sort::Bv(width);
        let op = if signed {
            Op::FpToSigned
        } else {
            Op::FpToUnsigned
        };
        let converted = self.operator(at, name, op, [0, 0], Some(result), args)?;
        let &[rm, a] = args else {
            unreachable!("the number of arguments was checked");
        };
        let format = self.store.format(a);
        let kind = if signed { "sbv" } else { "ubv" };
        let FpFormat { eb, sb } = format;
        let open = self.left_open(format!("@fp.to_{kind}_{eb}_{sb}_{width}"), args, result);
        let roomy = format.holding_integers();
        let (low, high) = partial::convertible(roomy, width, signed);
        let (low, high) = (self.store.fp(roomy, low), self.store.fp(roomy, high));
        let store = &mut *self.store;
        let exactly = store.rounding(RoundingMode::NearestEven);
        let a = store.fp_convert(exactly, a, roomy);
        let integral = store.fp_round(rm, a);
        let (above, below) = (store.fp_le(low, integral), store.fp_le(integral, high));
        let fits = store.and(above, below);
        Ok(store.ite(fits, converted, open))
    }

    /// `fp.min` and `fp.max`; of two zeros of different sign, either.
    pub(super) fn extremum(
        &mut self,
        at: usize,
        name: &str,
        op: Op,
        args: &[Term],
    ) -> Result<Term, Fault> {
        let result = self.operator(at, name, op, [0, 0], None, args)?;
        let &[a, b] = args else {
            unreachable!("the number of arguments was checked");
        };
        let format = self.store.format(a);
        let FpFormat { eb, sb } = format;
        let [plus, minus] = [false, true].map(|sign| self.store.fp(format, fp::zero(format, sign)));
        let store = &mut *self.store;
        let (a_is_zero, b_is_zero) = (store.fp_is_zero(a), store.fp_is_zero(b));
        let (both, same) = (store.and(a_is_zero, b_is_zero), store.eq(a, b));
        let differ = store.not(same);
        let is_open = store.and(both, differ);
        if store.as_bool(is_open) == Some(false) {
            return Ok(result);
        }
        let kind = if op == Op::FpMin { "min" } else { "max" };
        let choice = self.left_open(format!("@fp.{kind}_{eb}_{sb}"), args, Sort::Bool);
        let either = self.store.ite(choice, plus, minus);
        Ok(self.store.ite(is_open, either, result))
    }

    /// `fp.to_real`; of NaN and the infinities, whatever a function says.
    pub(super) fn fp_to_real(
        &mut self,
        at: usize,
        name: &str,
        args: &[Term],
    ) -> Result<Term, Fault> {
        let result = self.operator(at, name, Op::FpToReal, [0, 0], None, args)?;
        let store = &mut *self.store;
        let (nan, infinite) = (store.fp_is_nan(args[0]), store.fp_is_infinite(args[0]));
        let is_open = store.or(nan, infinite);
        if store.as_bool(is_open) == Some(false) {
            return Ok(result);
        }
        let FpFormat { eb, sb } = store.format(args[0]);
        let open = self.left_open(format!("@fp.to_real_{eb}_{sb}"), args, Sort::Real);
        Ok(self.store.ite(is_open, open, result))
    }

    /// What SMT-LIB leaves open: a function of these arguments.
    fn left_open(&mut self, name: String, args: &[Term], result: Sort) -> Term {
        let parameters = args.iter().map(|&arg| self.store.sort(arg)).collect();
        let function = self.store.function(Signature {
            name,
            parameters,
            result,
        });
        self.store.apply(function, args)
    }
}
