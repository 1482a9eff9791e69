//! What a path can still reach, by the call graph and the control flow alone.
//!
//! A path from which nothing new can be reached need not be expanded. What can be
//! reached is said without the solver, and too much rather than too little: every
//! way out of a branch counts as possible, every call as returning, and a call
//! through a pointer as a call of every function whose address is taken. The answer
//! changes only when something new is covered, and is worked out again only then.

use machine::{Caller, Coverage, Frame, Machine, Phase, State};
use program::{Base, Body, Constant, EdgeId, FunctionId, Inst, Program};

/// Which blocks lead to something that is not covered.
struct Reach {
    functions: Vec<Flow>,
    /// Blocks with a call through a pointer.
    indirect: Vec<(u32, u32)>,
    /// Functions that run when the program ends.
    last: Vec<u32>,
    /// How much was covered when the flags were worked out.
    count: Option<u64>,
}

/// The control flow of one function; no blocks where nothing of it is run.
#[derive(Default)]
struct Flow {
    /// Whether it is the user's, and its coverage what is looked for.
    own: bool,
    address_taken: bool,
    /// Blocks that call it.
    callers: Vec<(u32, u32)>,
    blocks: Vec<Block>,
}

#[derive(Default)]
struct Block {
    calls: Vec<Call>,
    edges: Vec<EdgeId>,
    before: Vec<u32>,
    /// Whether something new can be reached from its beginning, before the
    /// function returns.
    leads: bool,
}

struct Call {
    pc: u32,
    /// None through a pointer.
    function: Option<u32>,
}

impl Reach {
    /// The control flow of the program, without functions that others run.
    fn new(
        program: &Program,
        is_run: impl Fn(FunctionId) -> bool,
        is_own: impl Fn(FunctionId) -> bool,
    ) -> Reach {
        let mut reach = Reach {
            functions: Vec::new(),
            indirect: Vec::new(),
            last: Vec::new(),
            count: None,
        };
        reach
            .functions
            .resize_with(program.functions.len(), Flow::default);
        for (number, function) in program.functions.iter().enumerate() {
            let Some(body) = &function.body else {
                continue;
            };
            if !is_run(FunctionId::from_index(number)) {
                continue;
            }
            reach.functions[number].own = is_own(FunctionId::from_index(number));
            reach.functions[number].blocks = blocks(body);
            reach.note_calls(number as u32);
            if function.name == "exit" {
                reach.last.push(number as u32);
            }
        }
        let destructors = program.destructors.iter();
        reach.last.extend(destructors.map(|it| it.function.0));
        reach.note_addresses(program);
        reach
    }

    fn note_calls(&mut self, number: u32) {
        let blocks = std::mem::take(&mut self.functions[number as usize].blocks);
        for (block, flow) in (0..).zip(&blocks) {
            for call in &flow.calls {
                match call.function {
                    Some(callee) => self.functions[callee as usize]
                        .callers
                        .push((number, block)),
                    None => self.indirect.push((number, block)),
                }
            }
        }
        self.functions[number as usize].blocks = blocks;
    }

    fn note_addresses(&mut self, program: &Program) {
        let bodies = program.functions.iter().filter_map(|it| it.body.as_ref());
        let in_code = bodies.flat_map(|body| &body.constants);
        let globals = program
            .globals
            .iter()
            .filter_map(|it| it.initializer.as_ref());
        let in_data = globals.flat_map(|it| it.relocations.iter().map(|place| &place.value));
        for constant in in_code.chain(in_data) {
            let Constant::Address(address) = constant else {
                continue;
            };
            if let Base::Function(id) = address.base {
                self.functions[id.index()].address_taken = true;
            }
        }
    }

    /// Works out the flags, if anything was covered since.
    fn refresh(&mut self, coverage: &Coverage) {
        if self.count == Some(coverage.count) {
            return;
        }
        self.count = Some(coverage.count);
        let mut waiting = Vec::new();
        for (number, flow) in self.functions.iter_mut().enumerate() {
            let id = FunctionId::from_index(number);
            for (at, block) in flow.blocks.iter_mut().enumerate() {
                let is_new = |&edge: &EdgeId| !coverage.followed(id, edge);
                block.leads = flow.own
                    && (block.edges.iter().any(is_new) || at == 0 && !coverage.entered(id));
                if block.leads {
                    waiting.push((number as u32, at as u32));
                }
            }
        }
        // Backwards from what is new, each block once: the cost is that of the program's
        // size, however many states ask.
        while let Some((function, at)) = waiting.pop() {
            let flow = &self.functions[function as usize];
            let within = flow.blocks[at as usize].before.iter();
            let mut sources: Vec<(u32, u32)> = within.map(|&before| (function, before)).collect();
            if at == 0 {
                sources.extend(&flow.callers);
                if flow.address_taken {
                    sources.extend(&self.indirect);
                }
            }
            for (function, at) in sources {
                let block = &mut self.functions[function as usize].blocks[at as usize];
                if !block.leads {
                    block.leads = true;
                    waiting.push((function, at));
                }
            }
        }
    }

    fn entry(&self, function: u32) -> bool {
        let first = self.functions[function as usize].blocks.first();
        first.is_some_and(|block| block.leads)
    }

    /// Whether something new can be reached in the frame from where it stands.
    fn frame(&self, program: &Program, coverage: &Coverage, frame: &Frame) -> bool {
        let id = FunctionId(frame.function);
        let flow = &self.functions[id.index()];
        let Some(body) = &program.functions[id.index()].body else {
            return false;
        };
        let block = body.block_of(frame.pc).index();
        let Some(block) = flow.blocks.get(block) else {
            return false;
        };
        // The flag of a block is for its beginning; of the block a frame stands in, only
        // what comes after counts.
        let calls = block.calls.iter().filter(|call| call.pc >= frame.pc);
        let mut calls = calls.map(|call| match call.function {
            Some(function) => self.entry(function),
            None => self.through_pointer(),
        });
        let leads = |&edge: &EdgeId| {
            let is_new = flow.own && !coverage.followed(id, edge);
            is_new || flow.blocks[body.edge(edge).target.index()].leads
        };
        calls.any(|leads| leads) || block.edges.iter().any(leads)
    }

    fn through_pointer(&self) -> bool {
        let taken = self.functions.iter().filter(|flow| flow.address_taken);
        let mut first = taken.filter_map(|flow| flow.blocks.first());
        first.any(|block| block.leads)
    }

    fn stack(
        &self,
        program: &Program,
        coverage: &Coverage,
        frame: &Frame,
        callers: Option<&Caller>,
    ) -> bool {
        let callers = std::iter::successors(callers, |caller| caller.callers.as_deref());
        let mut frames = std::iter::once(frame).chain(callers.map(|caller| &caller.frame));
        frames.any(|frame| self.frame(program, coverage, frame))
    }
}

fn blocks(body: &Body) -> Vec<Block> {
    let mut blocks: Vec<Block> = body
        .blocks
        .iter()
        .map(|range| {
            let mut block = Block::default();
            for pc in range.start..range.end {
                match body.code[pc as usize] {
                    Inst::Call { function, .. } => block.calls.push(Call {
                        pc,
                        function: Some(function.0),
                    }),
                    Inst::CallIndirect { .. } => block.calls.push(Call { pc, function: None }),
                    Inst::Jump { edge } => block.edges.push(edge),
                    Inst::Branch {
                        then, otherwise, ..
                    } => block.edges.extend([then, otherwise]),
                    Inst::Switch { default, cases, .. } => {
                        block.edges.push(default);
                        block
                            .edges
                            .extend(body.cases(cases).iter().map(|it| it.edge));
                    }
                    Inst::IndirectJump { targets, .. } => {
                        block.edges.extend(body.targets(targets));
                    }
                    _ => {}
                }
            }
            block
        })
        .collect();
    for at in 0..blocks.len() {
        for edge in blocks[at].edges.clone() {
            let target = body.edge(edge).target.index();
            blocks[target].before.push(at as u32);
        }
    }
    blocks
}

/// Whether handlers and destructors are still to come.
fn ends_in_order(phase: Phase) -> bool {
    match phase {
        Phase::Starting(_) | Phase::Running | Phase::Exiting(_) => true,
        Phase::Planned | Phase::Called | Phase::Returned(_) | Phase::Destroying(_) => false,
    }
}

/// Says whether a path is worth going on with.
#[derive(Default)]
pub struct LookAhead {
    /// Worked out when it is first asked for.
    reach: Option<Reach>,
}

impl LookAhead {
    /// Whether the path may still reach code of the user that is not covered.
    pub fn may_reach_new(&mut self, machine: &Machine<'_>, state: &State) -> bool {
        let reach = self.reach.get_or_insert_with(|| {
            Reach::new(
                machine.program,
                |id| !machine.is_external(id),
                |id| !machine.is_library(id),
            )
        });
        reach.refresh(&machine.coverage);
        let (program, coverage) = (machine.program, &machine.coverage);
        let stack = |frame, callers| reach.stack(program, coverage, frame, callers);
        // `longjmp` and handlers of `atexit` lead to code that no edge leads to.
        stack(&state.frame, state.callers.as_deref())
            || (state.jumps.iter()).any(|jump| stack(&jump.frame, jump.callers.as_deref()))
            || (state.upcoming.iter()).any(|frame| reach.entry(frame.function))
            || ends_in_order(state.phase) && reach.last.iter().any(|&last| reach.entry(last))
    }
}
