//! The interpreter's loop.
//!
//! Everything the program does while its values are concrete words happens
//! here, without a term, an allocation or a call that does more than its name
//! says. Whatever else comes up (a symbolic operand, an error, a library
//! function) is a call out of this file, after which the loop goes on.

use crate::arith;
use crate::floats;
use crate::machine::Machine;
use crate::outcome::{ErrorKind, Halt, error, unsupported};
use crate::pointers::Access;
use crate::scheduling::AtomicKind;
use crate::state::State;
use crate::value::{Value, mask, signed};
use program::{EdgeId, Flags, Inst, Kind, Reg};

impl Machine<'_> {
    /// Runs the state until it ends or there is something to choose.
    pub(crate) fn interpret(&mut self, state: &mut State) -> Halt {
        // A state that neither forks nor ends gives way after a while, so that one loop
        // does not keep all other states from running.
        let mut left = self.options.quantum;
        loop {
            if let Err(stop) = self.frame_loop(state, &mut left) {
                return stop;
            }
        }
    }

    /// Runs instructions until the running frame changes.
    fn frame_loop(&mut self, state: &mut State, left: &mut u64) -> Result<(), Halt> {
        let body = self
            .body(state.function())
            .expect("frames are only made for functions with a body");
        // A register of the real machine, not a field behind a pointer: this is the
        // hottest variable of the program.
        let mut pc = state.frame.pc as usize;
        if pc == 0 && state.is_threaded && state.callers.is_none() {
            // A thread's function is reached when the thread first runs, and it may never run.
            self.coverage.enter(state.function().0);
        }
        // Leaves the position where a call out of the loop, and a fork, finds it.
        macro_rules! out {
            ($call:expr) => {{
                state.frame.pc = pc as u32;
                $call?;
            }};
        }
        loop {
            let registers = &mut state.frame.registers;
            match body.code[pc] {
                Inst::Freeze { dst, src } => {
                    registers[dst.index()] = registers[src.index()];
                }
                Inst::Binary {
                    op,
                    width,
                    dst,
                    a,
                    b,
                    ..
                } => {
                    let (x, y) = (registers[a.index()], registers[b.index()]);
                    let result = match (x.as_word(), y.as_word()) {
                        (Some(x), Some(y)) => arith::binary(op, u32::from(width), x, y),
                        _ => None,
                    };
                    match result {
                        Some(word) => registers[dst.index()] = Value::word(word),
                        None => out!(self.binary(state, op, width, dst, x, y)),
                    }
                }
                Inst::Compare {
                    predicate,
                    width,
                    dst,
                    a,
                    b,
                } => {
                    let (x, y) = (registers[a.index()], registers[b.index()]);
                    match (x.as_word(), y.as_word()) {
                        (Some(x), Some(y)) => {
                            let truth = arith::compare(predicate, u32::from(width), x, y);
                            registers[dst.index()] = Value::word(truth.into());
                        }
                        _ => {
                            let value = self.compare(predicate, width, x, y);
                            registers[dst.index()] = value;
                        }
                    }
                }
                Inst::ComparePointers {
                    predicate,
                    dst,
                    a,
                    b,
                } => {
                    let (x, y) = (registers[a.index()], registers[b.index()]);
                    let value = match (x.as_word(), y.as_word()) {
                        (Some(x), Some(y)) => {
                            Value::word(arith::compare(predicate, 64, x, y).into())
                        }
                        _ => self.compare(predicate, 64, x, y),
                    };
                    registers[dst.index()] = value;
                }
                Inst::Select {
                    dst,
                    condition,
                    then,
                    otherwise,
                } => {
                    let (a, b) = (registers[then.index()], registers[otherwise.index()]);
                    match registers[condition.index()].as_word() {
                        Some(0) => registers[dst.index()] = b,
                        Some(_) => registers[dst.index()] = a,
                        None => {
                            let condition = registers[condition.index()];
                            let width = crate::value::width(body.kinds[dst.index()]);
                            registers[dst.index()] = self.choose(condition, a, b, width);
                        }
                    }
                }
                Inst::Cast {
                    op,
                    flags,
                    from,
                    to,
                    dst,
                    src,
                } => {
                    let (wide, value) =
                        (from.bits() > 64 || to.bits() > 64, registers[src.index()]);
                    let is_truth = to.bits() == 1 && flags.has(Flags::NUW);
                    let fits = |word: u64| !is_truth || word <= 1;
                    let result = match value.as_word() {
                        Some(word) if !wide && fits(word) => {
                            arith::cast(op, from.bits(), to.bits(), word)
                                .or_else(|| floats::cast(op, from, to, word))
                        }
                        _ => None,
                    };
                    match result {
                        Some(word) => registers[dst.index()] = Value::word(word),
                        None => {
                            if is_truth {
                                out!(self.require_truth(state, from, value));
                            }
                            out!(self.cast(state, op, from, to, dst, value));
                        }
                    }
                }
                Inst::Load {
                    kind,
                    dst,
                    address,
                    access,
                } => {
                    let address = registers[address.index()];
                    let loaded = match address.as_word() {
                        Some(word)
                            if kind.bits() <= 64 && !state.is_threaded && access.allows(word) =>
                        {
                            state.memory.load(word, kind.bytes() as usize)
                        }
                        _ => None,
                    };
                    match loaded {
                        Some(word) => {
                            let word = word & mask(kind.bits());
                            state.frame.registers[dst.index()] = Value::word(word);
                        }
                        None => {
                            out!(self.require_allowed(state, address, access));
                            let order = access.ordering;
                            let Some(value) = self.load_ordered(state, address, kind, order)?
                            else {
                                return Ok(());
                            };
                            state.frame.registers[dst.index()] = value;
                        }
                    }
                }
                Inst::Store {
                    kind,
                    address,
                    value,
                    access,
                } => {
                    let (address, value) = (registers[address.index()], registers[value.index()]);
                    let stored = match (address.as_word(), value.as_word()) {
                        (Some(address), Some(word))
                            if kind.bits() <= 64
                                && !state.is_threaded
                                && access.allows(address) =>
                        {
                            state.memory.store(address, kind.bytes() as usize, word)
                        }
                        _ => false,
                    };
                    if !stored {
                        out!(self.require_allowed(state, address, access));
                        out!(self.store_ordered(state, address, kind, value, access.ordering));
                    }
                }
                Inst::Offset {
                    dst, base, offset, ..
                } => {
                    let base = registers[base.index()];
                    registers[dst.index()] = match base.as_word() {
                        Some(word) => Value::word(word.wrapping_add_signed(offset)),
                        None => self.offset(base, offset),
                    };
                }
                Inst::Index {
                    width,
                    dst,
                    base,
                    index,
                    scale,
                    ..
                } => {
                    let (base, index) = (registers[base.index()], registers[index.index()]);
                    registers[dst.index()] = match (base.as_word(), index.as_word()) {
                        (Some(base), Some(index)) => {
                            let index = signed(index, u32::from(width));
                            Value::word(base.wrapping_add_signed(index.wrapping_mul(scale)))
                        }
                        _ => self.index(base, index, width, scale),
                    };
                }
                Inst::Jump { edge } => {
                    pc = self.go_along(state, body, edge, left)?;
                    continue;
                }
                Inst::Branch {
                    condition,
                    then,
                    otherwise,
                } => {
                    if self.events.branches {
                        let policy = self.policy.clone();
                        policy.at_branch(self, state, body, condition, (then, otherwise));
                    }
                    let registers = &state.frame.registers;
                    let edge = match registers[condition.index()].as_word() {
                        Some(0) => otherwise,
                        Some(_) => then,
                        None => {
                            state.frame.pc = pc as u32;
                            let condition = registers[condition.index()];
                            self.branch(state, body, condition, then, otherwise)?
                        }
                    };
                    pc = self.go_along(state, body, edge, left)?;
                    continue;
                }
                Inst::Switch {
                    width,
                    value,
                    default,
                    cases,
                } => {
                    if self.events.branches {
                        let value = (registers[value.index()], width);
                        let policy = self.policy.clone();
                        policy.at_switch(self, state, value, default, body.cases(cases));
                    }
                    let registers = &state.frame.registers;
                    let edge = match registers[value.index()].as_word() {
                        Some(word) => {
                            let cases = body.cases(cases);
                            match cases.binary_search_by_key(&word, |case| case.value) {
                                Ok(found) => cases[found].edge,
                                Err(_) => default,
                            }
                        }
                        None => {
                            state.frame.pc = pc as u32;
                            let value = registers[value.index()];
                            self.switch(state, body, value, width, default, body.cases(cases))?
                        }
                    };
                    pc = self.go_along(state, body, edge, left)?;
                    continue;
                }
                Inst::FloatBinary {
                    op,
                    kind,
                    dst,
                    a,
                    b,
                } => {
                    let (x, y) = (registers[a.index()], registers[b.index()]);
                    let result = match (x.as_word(), y.as_word()) {
                        (Some(x), Some(y)) => floats::binary(op, kind, x, y),
                        _ => None,
                    };
                    registers[dst.index()] = match result {
                        Some(word) => Value::word(word),
                        None => self.float_binary(op, kind, x, y),
                    };
                }
                Inst::FloatCompare {
                    predicate,
                    kind,
                    dst,
                    a,
                    b,
                } => {
                    let (x, y) = (registers[a.index()], registers[b.index()]);
                    let result = match (x.as_word(), y.as_word()) {
                        (Some(x), Some(y)) => floats::compare(predicate, kind, x, y),
                        _ => None,
                    };
                    registers[dst.index()] = match result {
                        Some(truth) => Value::word(truth.into()),
                        None => self.float_compare(predicate, kind, x, y),
                    };
                }
                Inst::FloatNegate { kind, dst, src } => {
                    let width = kind.bits() as u16;
                    let value = registers[src.index()];
                    registers[dst.index()] = match value.as_word() {
                        Some(word) => Value::word(word ^ 1 << (width - 1)),
                        None => self.flip_sign(value, width),
                    };
                }
                Inst::Call {
                    function,
                    args,
                    dst,
                    signature,
                    is_read: _,
                } => {
                    state.frame.pc = pc as u32 + 1;
                    return self.call(state, function, body.registers(args), dst, signature);
                }
                Inst::CallIndirect {
                    callee,
                    args,
                    dst,
                    signature,
                } => {
                    state.frame.pc = pc as u32;
                    let callee = registers[callee.index()];
                    let function = self.callee(state, callee)?;
                    state.frame.pc = pc as u32 + 1;
                    return self.call(state, function, body.registers(args), dst, signature);
                }
                Inst::Return { values } => {
                    state.frame.pc = pc as u32;
                    return self.return_from(state, body, body.registers(values));
                }
                Inst::Intrinsic {
                    intrinsic,
                    results,
                    kind,
                    dst,
                    args,
                } => {
                    state.frame.pc = pc as u32;
                    let args: Vec<Value> = self.arguments(state, body.registers(args));
                    self.intrinsic(state, intrinsic, kind, dst, usize::from(results), &args)?;
                    // An intrinsic may end the frame's turn but never changes the frame.
                }
                Inst::Alloca { dst, size, align } => {
                    out!(self.local(state, dst, size, align.bytes()));
                }
                Inst::AllocaArray {
                    width,
                    dst,
                    count,
                    size,
                    align,
                } => {
                    let count = registers[count.index()];
                    out!(self.local_array(state, dst, count, width, size, align.bytes()));
                }
                Inst::PickElement {
                    width,
                    dst,
                    index,
                    elements,
                } => {
                    let index = registers[index.index()];
                    let elements = self.arguments(state, body.registers(elements));
                    let kind = body.kinds[dst.index()];
                    let value = self.pick(index, width, &elements, kind);
                    state.frame.registers[dst.index()] = value;
                }
                Inst::PutElement {
                    width,
                    dst,
                    index,
                    value,
                    elements,
                } => {
                    let (index, value) = (registers[index.index()], registers[value.index()]);
                    let elements = self.arguments(state, body.registers(elements));
                    let kind = body.kinds[dst.index()];
                    let put = self.put(index, width, value, &elements, kind);
                    for (i, element) in put.into_iter().enumerate() {
                        state.frame.registers[dst.index() + i] = element;
                    }
                }
                Inst::AtomicRmw {
                    op,
                    ordering,
                    kind,
                    dst,
                    address,
                    value,
                    ..
                } => {
                    let (address, value) = (registers[address.index()], registers[value.index()]);
                    state.frame.pc = pc as u32;
                    let address = self.one_place(state, address, kind, Access::Write)?;
                    // It may be a look: only what it finds says whether it changes anything.
                    if !self.before_atomic(state, address, AtomicKind::Exchange)? {
                        return Ok(());
                    }
                    let old = self.load(state, address, kind)?;
                    let new = self.update(op, kind, old, value);
                    self.store(state, address, kind, new)?;
                    let done = match old == new {
                        true => AtomicKind::Unchanged,
                        false => AtomicKind::Both,
                    };
                    self.after_atomic(state, address, done, ordering);
                    state.frame.registers[dst.index()] = old;
                }
                Inst::CompareExchange {
                    success,
                    kind,
                    dst,
                    address,
                    expected,
                    new,
                    ..
                } => {
                    let address = registers[address.index()];
                    let (expected, new) = (registers[expected.index()], registers[new.index()]);
                    state.frame.pc = pc as u32;
                    let address = self.one_place(state, address, kind, Access::Write)?;
                    if !self.before_atomic(state, address, AtomicKind::Exchange)? {
                        return Ok(());
                    }
                    let old = self.load(state, address, kind)?;
                    let width = kind.bits() as u16;
                    let same = match (old.as_word(), expected.as_word()) {
                        (Some(a), Some(b)) => Value::word((a == b).into()),
                        _ => self.compare(program::Predicate::Eq, width, old, expected),
                    };
                    let stored = match same.as_word() {
                        Some(0) => old,
                        Some(_) => new,
                        None => self.choose(same, new, old, width),
                    };
                    self.store(state, address, kind, stored)?;
                    let done = match same.as_word() {
                        Some(0) => AtomicKind::Exchange,
                        _ => AtomicKind::Both,
                    };
                    self.after_atomic(state, address, done, success);
                    state.frame.registers[dst.index()] = old;
                    state.frame.registers[dst.index() + 1] = same;
                }
                Inst::Fence { ordering } => self.fence(state, ordering),
                Inst::VaArg { kind, dst, list } => {
                    let list = registers[list.index()];
                    state.frame.pc = pc as u32;
                    let value = self.next_variadic(state, list, kind)?;
                    state.frame.registers[dst.index()] = value;
                }
                Inst::IndirectJump { address, targets } => {
                    let address = registers[address.index()];
                    state.frame.pc = pc as u32;
                    let edge = self.jump_target(state, body, address, body.targets(targets))?;
                    pc = self.go_along(state, body, edge, left)?;
                    continue;
                }
                Inst::InlineAsm { asm, .. } => {
                    state.frame.pc = pc as u32;
                    let text = &self.program.inline_asm(asm).text;
                    return unsupported(format!("inline assembly `{text}`"));
                }
                // Whoever unwound the stack to here has put exception and selector in place.
                Inst::LandingPad { .. } => {}
                Inst::Resume { values } => {
                    state.frame.pc = pc as u32;
                    let exception = registers[body.registers(values)[0].index()];
                    return self.unwind(state, exception);
                }
                Inst::Unreachable => {
                    state.frame.pc = pc as u32;
                    return error(
                        ErrorKind::Unreachable,
                        "code marked unreachable was reached",
                    );
                }
                Inst::Unsupported { message } => {
                    state.frame.pc = pc as u32;
                    return unsupported(self.program.message(message));
                }
            }
            pc += 1;
        }
    }

    /// Goes along an edge: counts, covers, copies; gives the next position.
    #[inline]
    fn go_along(
        &mut self,
        state: &mut State,
        body: &program::Body,
        edge: EdgeId,
        left: &mut u64,
    ) -> Result<usize, Halt> {
        let edge_data = body.edge(edge);
        let block = &body.blocks[edge_data.target.index()];
        let executed = u64::from(block.end - block.start);
        self.reach(state, edge, edge_data.target.index(), executed);
        for &program::Move { dst, src } in body.moves(edge_data) {
            state.frame.registers[dst.index()] = state.frame.registers[src.index()];
        }
        let next = edge_data.pc as usize;
        if *left < executed || !self.successors.running.is_empty() {
            state.frame.pc = next as u32;
            return Err(Halt::Yield);
        }
        *left -= executed;
        Ok(next)
    }

    pub(crate) fn arguments(&self, state: &State, registers: &[Reg]) -> Vec<Value> {
        registers.iter().map(|&reg| state.get(reg)).collect()
    }

    /// The kind of a register of the running frame.
    pub(crate) fn kind_of(&self, state: &State, reg: Reg) -> Kind {
        let body = self.body(state.function()).expect("it runs");
        body.kinds[reg.index()]
    }
}
