//! The narrowest logic of SMT-LIB that a set of terms fits in, among those
//! that solvers commonly know.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Store, Term};

/// What the terms make use of.
#[derive(Default)]
struct Features {
    arrays: bool,
    functions: bool,
    bits: bool,
    floats: bool,
    ints: bool,
    reals: bool,
    strings: bool,
    nonlinear: bool,
    /// Conversions between theories that no logic but `ALL` has together.
    mixed: bool,
}

/// The logic that has all of these terms.
pub(super) fn of(store: &Store, terms: &[Term]) -> String {
    let mut features = Features::default();
    for &term in terms {
        features.add_sort(store.sort(term));
        features.add_operator(store, term);
    }
    features.logic()
}

impl Features {
    fn add_sort(&mut self, sort: Sort) {
        match sort {
            Sort::Bool => {}
            Sort::Bv(_) => self.bits = true,
            Sort::Fp(_) | Sort::RoundingMode => self.floats = true,
            Sort::Array { .. } => {
                self.arrays = true;
                self.bits = true;
            }
            Sort::Int => self.ints = true,
            Sort::Real => self.reals = true,
            Sort::String | Sort::RegLan => self.strings = true,
        }
    }

    fn add_operator(&mut self, store: &Store, term: Term) {
        match store.op(term) {
            Op::Apply => {
                self.functions = true;
                let function = store.as_function(term).expect("it is an application");
                for &parameter in &store.signature(function).parameters {
                    self.add_sort(parameter);
                }
            }
            Op::FpToBits => self.bits = true,
            Op::BvToNat | Op::IntToBv | Op::FpToReal | Op::FpFromReal => self.mixed = true,
            Op::Mul => {
                let factors = store.args(term);
                self.nonlinear |= !factors.iter().any(|&factor| store.is_const(factor));
            }
            Op::IntDiv | Op::IntMod | Op::RealDiv => {
                self.nonlinear |= !store.is_const(store.args(term)[1]);
            }
            _ => {}
        }
    }

    fn logic(&self) -> String {
        let numbers = self.ints || self.reals;
        let machine = self.arrays || self.bits || self.floats;
        if self.mixed || (machine && (numbers || self.strings)) {
            return "ALL".into();
        }
        if self.strings {
            let linear = !self.reals && !self.functions && !self.nonlinear;
            return if linear { "QF_SLIA" } else { "ALL" }.into();
        }
        let functions = if self.functions { "UF" } else { "" };
        if numbers {
            if self.functions && self.ints && self.reals {
                return "ALL".into();
            }
            let kind = match (self.ints, self.reals) {
                (true, true) => "IRA",
                (true, false) => "IA",
                _ => "RA",
            };
            let linearity = if self.nonlinear { "N" } else { "L" };
            return format!("QF_{functions}{linearity}{kind}");
        }
        if !machine {
            return "QF_UF".into();
        }
        if self.floats && (self.arrays || self.functions) {
            return "ALL".into();
        }
        let arrays = if self.arrays { "A" } else { "" };
        let bits = if self.bits { "BV" } else { "" };
        let floats = if self.floats { "FP" } else { "" };
        format!("QF_{arrays}{functions}{bits}{floats}")
    }
}
