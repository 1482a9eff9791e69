//! The end of a function's lowering: blocks are put together, registers get
//! their final numbers, and lines and branches are found.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::function::{CONSTANT, Code, FunctionLowering};
use crate::ids::{EdgeId, LocationId, Reg};
use crate::inst::Inst;
use crate::program::{self, Annotated, Annotation, Body, Unwind};
use crate::source::{Branching, Line, Place};

impl FunctionLowering<'_, '_> {
    /// Makes the body out of the code of its blocks.
    pub(super) fn finish(mut self, blocks: Vec<Code>) -> Body {
        let mut prologue = std::mem::take(&mut self.prologue);
        let mut starts = Vec::new();
        for (index, code) in blocks.into_iter().enumerate() {
            starts.push(self.body.code.len() as u32);
            if index == 0 {
                self.place(std::mem::take(&mut prologue));
            }
            self.place(code);
        }
        self.resolve_blocks(&starts);
        self.renumber();
        for (register, annotation) in std::mem::take(&mut self.annotated) {
            let target = Annotated::Register(self.id, register);
            self.module.program.annotations.push(Annotation {
                target,
                ..annotation
            });
        }
        self.body.kinds = self
            .constant_kinds
            .iter()
            .chain(&self.kinds)
            .copied()
            .collect();
        self.body.constants = std::mem::take(&mut self.constants);
        let mut seen = FxHashSet::default();
        self.body
            .variables
            .retain(|variable| seen.insert(variable.clone()));
        self.body.lines = self.lines();
        self.body.branches = branchings(&self.body);
        self.body
    }

    /// Appends code to the body.
    fn place(&mut self, code: Code) {
        let start = self.body.code.len();
        for (position, edge) in code.unwinds {
            self.body.unwinds.push(Unwind {
                call: (start + position) as u32,
                edge,
            });
        }
        for (position, text) in code.annotations {
            let target = Annotated::Instruction(self.id, (start + position) as u32);
            let annotation = Annotation {
                target,
                text,
                file: String::new(),
                line: 0,
            };
            self.module.program.annotations.push(annotation);
        }
        for (inst, location) in code.insts {
            self.body.code.push(inst);
            self.body.locations.push(location);
        }
    }

    fn resolve_blocks(&mut self, starts: &[u32]) {
        let end = self.body.code.len() as u32;
        let ends = starts.iter().skip(1).copied().chain([end]);
        let ranges = starts.iter().zip(ends);
        self.body.blocks = ranges
            .map(|(&start, end)| program::Block { start, end })
            .collect();
        for edge in &mut self.body.edges {
            edge.pc = starts[edge.target.index()];
        }
    }

    /// Makes register numbers final: constants in use first, then the others.
    fn renumber(&mut self) {
        let numbers = self.drop_unused_constants();
        let constants = self.constants.len() as u32;
        self.each_register(&mut |register| {
            *register = match *register {
                Reg::NONE => Reg::NONE,
                Reg(number) if number & CONSTANT != 0 => numbers[(number ^ CONSTANT) as usize],
                Reg(number) => Reg(number + constants),
            };
        });
    }

    /// Some constants only steered the lowering. Gives the final numbers of the others.
    fn drop_unused_constants(&mut self) -> Vec<Reg> {
        let mut used = vec![false; self.constants.len()];
        self.each_register(&mut |register| {
            if *register != Reg::NONE && register.0 & CONSTANT != 0 {
                used[(register.0 ^ CONSTANT) as usize] = true;
            }
        });
        let mut numbers = vec![Reg::NONE; used.len()];
        let all = std::mem::take(&mut self.constants).into_iter();
        let all = all.zip(std::mem::take(&mut self.constant_kinds));
        for (index, (constant, kind)) in all.enumerate().filter(|(index, _)| used[*index]) {
            numbers[index] = Reg::from_index(self.constants.len());
            self.constants.push(constant);
            self.constant_kinds.push(kind);
        }
        numbers
    }

    fn each_register(&mut self, visit: &mut impl FnMut(&mut Reg)) {
        let body = &mut self.body;
        for inst in &mut body.code {
            inst.registers_mut(visit);
        }
        body.operands.iter_mut().for_each(&mut *visit);
        for step in &mut body.moves {
            visit(&mut step.dst);
            visit(&mut step.src);
        }
        for variable in &mut body.variables {
            match &mut variable.place {
                Place::Memory(register) | Place::Value(register) => visit(register),
            }
        }
        for register in &mut self.annotated {
            visit(&mut register.0);
        }
    }

    fn lines(&self) -> Vec<Line> {
        let source = &self.module.source.source;
        let distinct: BTreeSet<LocationId> = self.body.locations.iter().copied().collect();
        let places = distinct
            .into_iter()
            .flat_map(|location| source.inlining(location));
        let lines = places.filter(|place| place.line > 0);
        let lines: BTreeSet<Line> = lines
            .filter_map(|place| {
                Some(Line {
                    file: place.file?,
                    line: place.line,
                })
            })
            .collect();
        lines.into_iter().collect()
    }
}

fn branchings(body: &Body) -> Vec<Branching> {
    let mut found = Vec::new();
    for (pc, inst) in body.code.iter().enumerate() {
        let mut edges = ways(body, inst);
        let mut seen = FxHashSet::default();
        edges.retain(|edge| seen.insert(*edge));
        if edges.len() > 1 {
            found.push(Branching {
                pc: pc as u32,
                location: body.locations[pc],
                edges,
            });
        }
    }
    found
}

/// Where an instruction that chooses its way can go.
fn ways(body: &Body, inst: &Inst) -> Vec<EdgeId> {
    if let Inst::Branch {
        then, otherwise, ..
    } = *inst
    {
        vec![then, otherwise]
    } else if let Inst::Switch { default, cases, .. } = *inst {
        body.cases(cases)
            .iter()
            .map(|case| case.edge)
            .chain([default])
            .collect()
    } else if let Inst::IndirectJump { targets, .. } = *inst {
        body.targets(targets).to_vec()
    } else {
        Vec::new()
    }
}
