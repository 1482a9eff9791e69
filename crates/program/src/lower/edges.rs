//! Ways between blocks, and the copies phis ask for on them.
//!
//! A phi reads its value at the end of the block control comes from, all phis
//! of a block at once. An edge therefore carries copies, put in an order that
//! makes copying one after the other come to the same.

use rustc_hash::FxHashMap;

use super::function::{FunctionLowering, phis};
use crate::ids::{EdgeId, Reg, Span};
use crate::llvm::{Block, Value};
use crate::program::{Edge, Move};

/// An edge whose copies are not known yet.
pub(super) struct PendingEdge<'m> {
    from: Block<'m>,
    to: Block<'m>,
}

impl<'m> FunctionLowering<'_, 'm> {
    /// The way from the current block to `to`; asked twice, it is the same.
    pub(super) fn edge_to(&mut self, to: Block<'m>) -> EdgeId {
        let from = self.current.expect("edges start in a block");
        if let Some(&known) = self.edge_ids.get(&(from, to)) {
            return known;
        }
        let edge = EdgeId::from_index(self.edges.len());
        self.edges.push(PendingEdge { from, to });
        self.edge_ids.insert((from, to), edge);
        edge
    }

    /// Finds the copies of every edge, once all values have registers.
    pub(super) fn resolve_edges(&mut self) {
        let mut phis_of: FxHashMap<Block<'m>, Vec<PhiInputs<'m>>> = FxHashMap::default();
        for edge in std::mem::take(&mut self.edges) {
            let inputs = phis_of.entry(edge.to).or_insert_with(|| {
                phis(edge.to)
                    .map(|phi| PhiInputs {
                        phi,
                        from: phi.incoming().collect(),
                    })
                    .collect()
            });
            let mut copies = Vec::new();
            for phi in inputs.iter() {
                let value = phi.from.get(&edge.from).copied();
                let value = value.expect("a verified phi has a value for each predecessor");
                copies.extend(self.copies(phi.phi, value));
            }
            let start = self.body.moves.len() as u32;
            let moves = self.in_sequence(copies);
            self.body.moves.extend(moves);
            let count = self.body.moves.len() as u32 - start;
            let target = self.order.ids[&edge.to];
            self.body.edges.push(Edge {
                target,
                pc: 0,
                moves: Span { start, count },
            });
        }
    }

    /// The copies one phi asks for. One that was refused has no registers.
    fn copies(&mut self, phi: Value<'m>, value: Value<'m>) -> Vec<Move> {
        let (Ok(to), Ok(from)) = (self.all(phi), self.all(value)) else {
            return Vec::new();
        };
        to.into_iter()
            .zip(from)
            .map(|(dst, src)| Move { dst, src })
            .collect()
    }

    /// Orders copies meant to happen at once, with a spare register for each cycle.
    fn in_sequence(&mut self, copies: Vec<Move>) -> Vec<Move> {
        let mut waiting: Vec<Move> = copies
            .into_iter()
            .filter(|copy| copy.dst != copy.src)
            .collect();
        let mut readers: FxHashMap<Reg, usize> = FxHashMap::default();
        for copy in &waiting {
            *readers.entry(copy.src).or_default() += 1;
        }
        let mut ordered = Vec::with_capacity(waiting.len());
        while !waiting.is_empty() {
            let before = waiting.len();
            waiting.retain(|copy| {
                if readers.get(&copy.dst).is_some_and(|&count| count > 0) {
                    return true;
                }
                if let Some(count) = readers.get_mut(&copy.src) {
                    *count -= 1;
                }
                ordered.push(*copy);
                false
            });
            if waiting.len() == before {
                // Only cycles are left: save one target, let its readers read the copy.
                let saved = waiting[0].dst;
                let spare = self.fresh(self.kind_of(saved));
                ordered.push(Move {
                    dst: spare,
                    src: saved,
                });
                for copy in waiting.iter_mut().filter(|copy| copy.src == saved) {
                    copy.src = spare;
                }
                readers.remove(&saved);
            }
        }
        ordered
    }
}

/// A phi and what it takes from each predecessor.
struct PhiInputs<'m> {
    phi: Value<'m>,
    from: FxHashMap<Block<'m>, Value<'m>>,
}
