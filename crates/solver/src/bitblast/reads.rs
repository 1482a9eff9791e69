//! Reads of array variables and applications of functions: fresh inputs now,
//! consistency later.
//!
//! Two reads of one symbol at equal keys must give equal results. Stating that
//! for every pair is quadratic and mostly in vain, so an assignment is looked
//! at first and only the pairs it violates become lemmas.
//!
//! (Lemmas on demand, as Brummayer and Biere have them for arrays, JSAT 2009.)

use super::aig::{Aig, Lit};
use super::blast::Bits;
use super::circuits;
use rustc_hash::FxHashMap;
use term::{Function, Variable};

/// What is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Symbol {
    Array(Variable),
    Function(Function),
}

/// The number of a read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ReadId(u32);

struct Read {
    symbol: Symbol,
    key: Bits,
    result: Bits,
}

/// All reads so far.
#[derive(Default)]
pub(crate) struct Reads {
    reads: Vec<Read>,
    by_key: FxHashMap<(Symbol, Bits), ReadId>,
}

impl Reads {
    /// The read of `symbol` at `key`, with a result of `width` fresh inputs
    /// when it is new.
    pub fn at(&mut self, aig: &mut Aig, symbol: Symbol, key: &Bits, width: usize) -> ReadId {
        let next = ReadId(self.reads.len() as u32);
        let id = *self.by_key.entry((symbol, key.clone())).or_insert(next);
        if id == next {
            self.reads.push(Read {
                symbol,
                key: key.clone(),
                result: aig.inputs(width).into(),
            });
        }
        id
    }

    /// What is read.
    pub fn symbol(&self, id: ReadId) -> Symbol {
        self.reads[id.0 as usize].symbol
    }

    /// The index, or the arguments one after the other.
    pub fn key(&self, id: ReadId) -> &Bits {
        &self.reads[id.0 as usize].key
    }

    /// The element or result.
    pub fn result(&self, id: ReadId) -> &Bits {
        &self.reads[id.0 as usize].result
    }

    /// Lemmas, each a literal that must hold, that exclude the assignment
    /// `value` where it lets reads of one place differ; none when it does not.
    pub fn violated(
        &self,
        aig: &mut Aig,
        among: &[ReadId],
        value: impl Fn(Lit) -> bool,
    ) -> Vec<Lit> {
        let bits = |lits: &Bits| -> Vec<bool> { lits.iter().map(|&lit| value(lit)).collect() };
        let mut seen: FxHashMap<(Symbol, Vec<bool>), ReadId> = FxHashMap::default();
        let mut lemmas = Vec::new();
        for &id in among {
            let read = &self.reads[id.0 as usize];
            let first = *seen.entry((read.symbol, bits(&read.key))).or_insert(id);
            let other = &self.reads[first.0 as usize];
            if first != id && bits(&read.result) != bits(&other.result) {
                let same_key = circuits::eq(aig, &read.key, &other.key);
                let same_result = circuits::eq(aig, &read.result, &other.result);
                lemmas.push(aig.or(!same_key, same_result));
            }
        }
        lemmas
    }
}
