//! Arithmetic on integers and reals.
//!
//! An integer among reals is taken for a real, as solvers do.

use super::Reader;
use super::apply::wrong_count;
use super::builtin::Builtin;
use super::lexer::Fault;
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Signature, Store, Term};
use crate::value::Value;
use num_rational::BigRational;
use num_traits::Zero;

impl Reader<'_, '_> {
    pub(super) fn apply_number(
        &mut self,
        at: usize,
        name: &str,
        builtin: Builtin,
        args: &[Term],
    ) -> Result<Term, Fault> {
        let args = self.numbers(at, name, args)?;
        match builtin {
            Builtin::Plus => Ok(self.fold(&args, Store::add)),
            Builtin::Times => Ok(self.fold(&args, Store::mul)),
            Builtin::Minus => match *args {
                [a] => Ok(self.store.neg(a)),
                _ => Ok(self.fold(&args, Store::sub)),
            },
            Builtin::Divide => {
                self.at_least(at, name, 2, &args)?;
                let args: Vec<Term> = args.iter().map(|&arg| self.as_real(arg)).collect();
                Ok(args[1..].iter().fold(args[0], |a, &b| self.divide(a, b)))
            }
            Builtin::IntDivide(op) => {
                self.at_least(at, name, 2, &args)?;
                args[1..].iter().try_fold(args[0], |a, &b| {
                    self.check(at, name, op, &[a, b])?;
                    Ok(self.int_divide(op, a, b))
                })
            }
            Builtin::Compare(f) => {
                self.at_least(at, name, 2, &args)?;
                Ok(self.neighbours(&args, f))
            }
            Builtin::Abs => {
                let a = one(at, name, &args)?;
                let zero = self.zero(a);
                let (below, minus) = (self.store.lt(a, zero), self.store.neg(a));
                Ok(self.store.ite(below, minus, a))
            }
            Builtin::ToReal => {
                let a = one(at, name, &args)?;
                Ok(self.as_real(a))
            }
            Builtin::ToInt => {
                let a = one(at, name, &args)?;
                Ok(match self.store.sort(a) {
                    Sort::Int => a,
                    _ => self.store.to_int(a),
                })
            }
            Builtin::IsInt => {
                let a = one(at, name, &args)?;
                let a = self.as_real(a);
                let floor = self.store.to_int(a);
                let floor = self.store.to_real(floor);
                Ok(self.store.eq(floor, a))
            }
            _ => unreachable!("the caller sorted out the other operators"),
        }
    }

    /// At least one argument, all integers or, if one is a real, all reals.
    fn numbers(&mut self, at: usize, name: &str, args: &[Term]) -> Result<Vec<Term>, Fault> {
        self.at_least(at, name, 1, args)?;
        let is_number = |&arg: &Term| matches!(self.store.sort(arg), Sort::Int | Sort::Real);
        match args.iter().all(is_number) {
            true => Ok(self.promoted(args)),
            false => self.wrong_sorts(at, name, args),
        }
    }

    /// The integers among reals as reals.
    pub(super) fn promoted(&mut self, args: &[Term]) -> Vec<Term> {
        let is_real = args.iter().any(|&arg| self.store.sort(arg) == Sort::Real);
        let promote = |arg| if is_real { self.as_real(arg) } else { arg };
        args.iter().copied().map(promote).collect()
    }

    /// A term of this sort; an integer may stand for a real.
    pub(super) fn as_sort(&mut self, term: Term, sort: Sort) -> Option<Term> {
        match (self.store.sort(term), sort) {
            (Sort::Int, Sort::Real) => Some(self.as_real(term)),
            (actual, _) => (actual == sort).then_some(term),
        }
    }

    pub(super) fn as_real(&mut self, term: Term) -> Term {
        match self.store.sort(term) {
            Sort::Int => self.store.to_real(term),
            _ => term,
        }
    }

    fn zero(&mut self, like: Term) -> Term {
        match self.store.sort(like) {
            Sort::Int => self.store.int(0),
            _ => self.store.real(BigRational::zero()),
        }
    }

    /// The quotient; by zero, whatever a function of the dividend says.
    fn divide(&mut self, a: Term, b: Term) -> Term {
        let quotient = self.store.real_div(a, b);
        self.unless_zero("@/0", a, b, quotient)
    }

    /// Quotient or remainder; by zero, whatever a function of the dividend says.
    fn int_divide(&mut self, op: Op, a: Term, b: Term) -> Term {
        match op {
            Op::IntDiv => {
                let quotient = self.store.int_div(a, b);
                self.unless_zero("@div0", a, b, quotient)
            }
            _ => {
                let rest = self.store.int_mod(a, b);
                self.unless_zero("@mod0", a, b, rest)
            }
        }
    }

    fn unless_zero(&mut self, name: &str, a: Term, b: Term, result: Term) -> Term {
        let is_nonzero = match self.store.as_value(b) {
            Some(Value::Int(b)) => !b.is_zero(),
            Some(Value::Real(b)) => !b.is_zero(),
            _ => false,
        };
        if is_nonzero {
            return result;
        }
        let sort = self.store.sort(a);
        let open = self.store.function(Signature {
            name: name.into(),
            parameters: vec![sort],
            result: sort,
        });
        let open = self.store.apply(open, &[a]);
        let zero = self.zero(b);
        let is_zero = self.store.eq(b, zero);
        self.store.ite(is_zero, open, result)
    }
}

fn one(at: usize, name: &str, args: &[Term]) -> Result<Term, Fault> {
    match *args {
        [a] => Ok(a),
        _ => wrong_count(at, name, 1, args.len()),
    }
}
