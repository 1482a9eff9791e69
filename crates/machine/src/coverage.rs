//! What has been reached: blocks and edges, as bits.

use program::{EdgeId, FunctionId, Program};
use rustc_hash::FxHashSet;

/// The blocks entered and the edges gone along, over all paths.
pub struct Coverage {
    functions: Vec<Reached>,
    /// Edges that symbolic branches went along, and after how many inputs.
    progress: FxHashSet<(u32, EdgeId, usize)>,
    /// Blocks and edges reached so far.
    pub count: u64,
}

#[derive(Clone, Default)]
struct Reached {
    entered: bool,
    edges: Vec<bool>,
    blocks: Vec<bool>,
}

impl Coverage {
    /// Nothing of the program has been reached.
    pub fn new(program: &Program) -> Coverage {
        let functions = program
            .functions
            .iter()
            .map(|function| match &function.body {
                Some(body) => Reached {
                    entered: false,
                    edges: vec![false; body.edges.len()],
                    blocks: vec![false; body.blocks.len()],
                },
                None => Reached::default(),
            });
        Coverage {
            functions: functions.collect(),
            progress: FxHashSet::default(),
            count: 0,
        }
    }

    /// The function was called; whether that is new.
    pub(crate) fn enter(&mut self, function: u32) -> bool {
        let reached = &mut self.functions[function as usize];
        if reached.entered {
            return false;
        }
        reached.entered = true;
        if let Some(first) = reached.blocks.first_mut() {
            *first = true;
        }
        self.count += 1;
        true
    }

    /// The edge was gone along; whether that is new.
    #[inline]
    pub(crate) fn follow(&mut self, function: u32, edge: EdgeId, block: usize) -> bool {
        let reached = &mut self.functions[function as usize];
        if reached.edges[edge.index()] {
            return false;
        }
        reached.edges[edge.index()] = true;
        reached.blocks[block] = true;
        self.count += 1;
        true
    }

    /// A symbolic branch went along the edge, after so many inputs; whether that
    /// is new.
    pub(crate) fn progress(&mut self, function: u32, edge: EdgeId, inputs: usize) -> bool {
        self.progress.insert((function, edge, inputs))
    }

    /// Whether a symbolic branch went along the edge after so many inputs.
    pub fn progressed(&self, function: u32, edge: EdgeId, inputs: usize) -> bool {
        self.progress.contains(&(function, edge, inputs))
    }

    /// What was reached, a bit each, for [`Coverage::absorb`] in another process.
    pub fn to_bits(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (index, is_reached) in self.flags().enumerate() {
            if index % 8 == 0 {
                bytes.push(0);
            }
            bytes[index / 8] |= u8::from(is_reached) << (index % 8);
        }
        bytes
    }

    /// Adds what was reached elsewhere, in the same program.
    pub fn absorb(&mut self, bits: &[u8]) {
        let mut bits = (0..).map(|index| {
            let byte = bits.get(index / 8).copied().unwrap_or(0);
            byte >> (index % 8) & 1 != 0
        });
        for function in &mut self.functions {
            let edges = function.edges.iter_mut().chain(&mut function.blocks);
            for (flag, bit) in std::iter::once(&mut function.entered)
                .chain(edges)
                .zip(&mut bits)
            {
                *flag |= bit;
            }
        }
        let counted = self.functions.iter().map(|it| {
            let edges = it.edges.iter().filter(|&&edge| edge).count();
            edges as u64 + u64::from(it.entered)
        });
        self.count = counted.sum();
    }

    fn flags(&self) -> impl Iterator<Item = bool> {
        self.functions.iter().flat_map(|function| {
            let edges = function.edges.iter().chain(&function.blocks).copied();
            std::iter::once(function.entered).chain(edges)
        })
    }

    /// Whether the function was called.
    pub fn entered(&self, function: FunctionId) -> bool {
        self.functions[function.index()].entered
    }

    /// Whether the edge was gone along.
    pub fn followed(&self, function: FunctionId, edge: EdgeId) -> bool {
        self.functions[function.index()].edges[edge.index()]
    }

    /// Whether the block was entered.
    pub fn block(&self, function: FunctionId, block: usize) -> bool {
        self.functions[function.index()].blocks[block]
    }
}
