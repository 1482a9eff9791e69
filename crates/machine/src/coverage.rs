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
