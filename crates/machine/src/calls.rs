//! Calls, returns and local variables.

use crate::machine::{Callee, Invocation, Machine, Returned};
use crate::memory::{MAX_OBJECT, Region};
use crate::origin::Origin;
use crate::outcome::{End, ErrorKind, Halt, error, unsupported};
use crate::pointers::{Access, Spot};
use crate::shims::{after_return, aliased, begin_alone, end_alone, keeps_to_its_thread, sizes_of};
use crate::state::{Caller, Extra, Phase, State};
use crate::threads::Status;
use crate::threads::sleep::Shared;
use crate::value::{Value, width};
use program::{Body, FunctionId, Kind, Passing, Reg, SignatureId};
use std::rc::Rc;

/// No stack has room for more. A negative length of an array is more than that too.
const MAX_LOCAL: u64 = 1 << 31;

impl Machine<'_> {
    /// Calls a function; the running frame's position is past the call.
    pub(crate) fn call(
        &mut self,
        state: &mut State,
        function: FunctionId,
        args: &[Reg],
        dst: Reg,
        signature: SignatureId,
    ) -> Result<(), Halt> {
        let function = aliased(state, function);
        let values = self.arguments(state, args);
        // A path that ends in a call ends at the call.
        state.frame.pc -= 1;
        if let Some(result) = self.call_external(state, function, &values) {
            let result = result?;
            state.touch(Shared::System, true);
            if dst != Reg::NONE {
                state.set(dst, result);
            }
            state.frame.pc += 1;
            return Ok(());
        }
        state.frame.pc += 1;
        if let Some(callee) = self.callee_of(function) {
            if state.has_sleepers() {
                let name = &self.program.functions[function.index()].name;
                if !keeps_to_its_thread(name) {
                    state.touch(Shared::System, true);
                }
            }
            let values = self.with_whole_sizes(function, signature, values);
            let invocation = Invocation {
                function,
                signature,
                args: &values,
                dst,
            };
            return self.call_outside(state, callee, &invocation);
        }
        if self.body(function).is_none() {
            // The call is where the path ends.
            state.frame.pc -= 1;
            return self.call_missing(state, function);
        }
        if state.is_threaded && self.image.runs_alone(function) {
            // A thread that has to wait makes the call again.
            state.frame.pc -= 1;
            if let Returned::Elsewhere = begin_alone(self, state)? {
                return Ok(());
            }
            state.frame.pc += 1;
        }
        if state.is_threaded && self.image.ends_program(function) {
            state.frame.pc -= 1;
            self.before_the_end(state)?;
            state.frame.pc += 1;
        }
        let is_counted = self.is_counted_call(state, function);
        self.enter(state, function, &values, dst, signature)?;
        if is_counted {
            state.threads_mut().call_out();
        }
        Ok(())
    }

    /// Arguments in which sizes have 64 bits. A program may declare `malloc` with a size of
    /// 32, as one does that was preprocessed for another system.
    fn with_whole_sizes(
        &mut self,
        function: FunctionId,
        signature: SignatureId,
        mut values: Vec<Value>,
    ) -> Vec<Value> {
        if values.iter().all(|value| value.as_term().is_none()) {
            return values;
        }
        let program = self.program;
        let sizes = sizes_of(&program.functions[function.index()].name);
        let parameters = &program.signatures[signature.index()].parameters;
        for &index in sizes {
            if let (Some(value), Some(parameter)) = (values.get_mut(index), parameters.get(index)) {
                *value = self.fit(*value, parameter.kind, Kind::Int(64));
            }
        }
        values
    }

    fn call_outside(
        &mut self,
        state: &mut State,
        callee: Callee,
        invocation: &Invocation<'_>,
    ) -> Result<(), Halt> {
        // A state that forks inside executes the call again.
        state.frame.pc -= 1;
        let returned = match callee {
            Callee::Shim(shim) => shim(self, state, invocation)?,
            Callee::Policy => self.policy.clone().call(self, state, invocation)?,
        };
        match returned {
            Returned::Nothing => {}
            Returned::Value(value) => {
                if invocation.dst != Reg::NONE {
                    state.set(invocation.dst, value);
                }
            }
            Returned::Elsewhere => return Ok(()),
        }
        state.frame.pc += 1;
        // Forks of a shim are there for the searcher to choose from at once.
        match self.successors.running.is_empty() {
            true => Ok(()),
            false => Err(Halt::Yield),
        }
    }

    /// Makes a frame for the function and lets it run.
    ///
    /// # Errors
    ///
    /// When the path ends here, because the stack is too deep or an argument that is
    /// passed by value cannot be read.
    pub fn enter(
        &mut self,
        state: &mut State,
        function: FunctionId,
        args: &[Value],
        dst: Reg,
        signature: SignatureId,
    ) -> Result<(), Halt> {
        if state.height >= self.options.stack {
            state.frame.pc -= 1;
            let message = format!("more than {} nested calls", self.options.stack);
            return error(ErrorKind::StackOverflow, message);
        }
        if self.image.begins_panic(function) {
            self.begin_panic(state);
        }
        if self.is_too_deep(state, function) {
            state.frame.pc -= 1;
            return Err(Halt::End(End::TooDeep));
        }
        let body = self.body(function).expect("the caller looked");
        let program = self.program;
        let shape = &program.signatures[signature.index()];
        let own = &program.signatures[program.functions[function.index()].signature.index()];
        // Registers are constants first, then parameters, then the rest.
        let mut frame = self.frame(function);
        let first = body.constants.len();
        // A state that forks while arguments are copied executes the call again. The handler of
        // a signal is called where a thread stands, which may be its very first instruction.
        state.frame.pc = state.frame.pc.wrapping_sub(1);
        for (i, &value) in args.iter().enumerate().take(body.parameters as usize) {
            let passed = match shape.parameters.get(i).map(|p| (p.passing, p.kind)) {
                Some((Passing::ByValue { size, .. }, _)) => {
                    let copy = self.copy_of(state, value, size)?;
                    frame.locals.push(state.memory.id_of(copy));
                    Value::word(copy)
                }
                Some((_, kind)) => self.fit(value, kind, body.kinds[first + i]),
                None => value,
            };
            frame.registers[first + i] = passed;
        }
        if own.variadic {
            let beyond = args.iter().zip(&shape.parameters).skip(own.fixed as usize);
            let mut extra = Vec::new();
            for (&value, parameter) in beyond {
                extra.push(match parameter.passing {
                    Passing::ByValue { size, align } => {
                        let copy = self.copy_of(state, value, size)?;
                        let copy = state.memory.id_of(copy);
                        frame.locals.push(copy);
                        let align = align.bytes();
                        Extra::Object { copy, size, align }
                    }
                    Passing::Direct
                    | Passing::ZeroExtended
                    | Passing::SignExtended
                    | Passing::StructReturn { .. } => Extra::Scalar(parameter.kind, value),
                });
            }
            frame.extra = Rc::new(extra);
        }
        state.frame.pc = state.frame.pc.wrapping_add(1);
        self.count_entry(state, function);
        state.height += 1;
        let caller = std::mem::replace(&mut state.frame, frame);
        let taken_as = (shape.results != own.results).then_some(signature);
        let caller = Caller::new(caller, dst, taken_as, state.callers.take());
        state.callers = Some(Rc::new(caller));
        Ok(())
    }

    /// Whether a call would nest the program's own functions deeper than is
    /// looked at.
    fn is_too_deep(&self, state: &State, function: FunctionId) -> bool {
        let Some(most) = self.options.call_depth else {
            return false;
        };
        let is_own = |id: &FunctionId| !self.is_library(*id);
        let stack = state.stack();
        let own = stack.iter().map(|(id, _)| id).filter(|id| is_own(id));
        is_own(&function) && own.count() as u64 >= most
    }

    /// Whether the function is one of a library, and not of the program.
    pub fn is_library(&self, function: FunctionId) -> bool {
        self.image.origin(function) != Origin::Program
    }

    /// Whether a function is in the standard library of C++ or Rust.
    pub(crate) fn is_standard_library(&self, function: FunctionId) -> bool {
        self.image.origin(function) == Origin::Standard
    }

    /// Counts and covers the first block of a function that is about to run.
    pub fn count_entry(&mut self, state: &mut State, function: FunctionId) {
        let progress = &mut state.progress;
        if self.coverage.enter(function.0) {
            progress.new_at = progress.instructions;
            progress.last_new = self.coverage.count;
        }
        let body = self.body(function).expect("it is about to run");
        let block = &body.blocks[0];
        progress.instructions += u64::from(block.end - block.start);
    }

    /// A value passed as one kind and taken as another, which a call through a
    /// wrong prototype does: the bits stay.
    fn fit(&mut self, value: Value, from: Kind, to: Kind) -> Value {
        if from.bits() == to.bits() {
            return value;
        }
        let term = value.term(&mut self.store, width(from));
        let resized = crate::arith::resize(&mut self.store, term, width(to));
        Value::of(&self.store, resized)
    }

    /// The results of a function as a call through another prototype takes them; what it
    /// does not give is zero.
    fn fit_results(
        &mut self,
        results: Vec<Value>,
        function: FunctionId,
        signature: SignatureId,
    ) -> Vec<Value> {
        let program = self.program;
        let own = program.functions[function.index()].signature;
        let given = &program.signatures[own.index()].results;
        let taken = &program.signatures[signature.index()].results;
        let fitting = taken.iter().enumerate().map(|(i, &to)| {
            let found = results.get(i).copied().zip(given.get(i).copied());
            found.map_or(Value::ZERO, |(value, from)| self.fit(value, from, to))
        });
        fitting.collect()
    }

    /// A copy of the object at an address, for the callee of a call by value.
    fn copy_of(&mut self, state: &mut State, from: Value, size: u64) -> Result<u64, Halt> {
        let to = self.allocate(state, size, Region::Stack)?;
        if size > 0 {
            let spot = self.resolve_access(state, from, size, Access::Read)?;
            let bytes = self.read(state, spot, size as usize);
            self.write(state, Spot::At(state.memory.id_of(to), 0), &bytes);
        }
        Ok(to)
    }

    /// Returns from the running frame with these registers as results.
    pub(crate) fn return_from(
        &mut self,
        state: &mut State,
        body: &Body,
        values: &[Reg],
    ) -> Result<(), Halt> {
        let ends_program = state.is_threaded
            && state.callers.is_none()
            && state.phase == Phase::Running
            && !state.ends_with_thread();
        if ends_program {
            self.before_the_end(state)?;
        }
        let mut results = self.arguments(state, values);
        if self.events.returns {
            let policy = self.policy.clone();
            if policy.at_return(self, state, body, values, &mut results)? {
                return Ok(());
            }
        }
        // Whoever called may be a standard library.
        if !ends_program && self.is_counted_code(state) {
            state.threads_mut().call_out();
        }
        let Some(link) = state.callers.take() else {
            if state.ends_with_thread() && state.phase == Phase::Running {
                return self.thread_returned(state, &results);
            }
            return self.finish(state, &results);
        };
        self.release_locals(state);
        let returned = FunctionId(state.frame.function);
        // Forks share their callers; whoever returns first copies one frame, and only
        // that one.
        let mut caller = Rc::try_unwrap(link).unwrap_or_else(|shared| Caller::clone(&shared));
        state.frame = std::mem::take(&mut caller.frame);
        state.callers = caller.callers.take();
        state.height -= 1;
        if state.is_threaded && self.image.runs_alone(returned) {
            let callers = state.stack();
            let within = callers.iter().any(|(it, _)| self.image.runs_alone(*it));
            if !within {
                end_alone(state);
            }
        }
        if let Some(signature) = caller.taken_as {
            results = self.fit_results(results, returned, signature);
        }
        if caller.dst != Reg::NONE {
            for (i, value) in results.into_iter().enumerate() {
                state.frame.registers[caller.dst.index() + i] = value;
            }
        }
        if state.kernel.handles_signals() {
            after_return(self, state)?;
        }
        Ok(())
    }

    /// Ends the life of the running frame's local variables.
    pub fn release_locals(&mut self, state: &mut State) {
        for id in std::mem::take(&mut state.frame.locals) {
            state.memory.release(id);
        }
    }

    /// The outermost function returned: the next one that was planned runs, or
    /// the program ends with the result, by way of `exit` where it has one that
    /// runs handlers.
    fn finish(&mut self, state: &mut State, results: &[Value]) -> Result<(), Halt> {
        self.policy
            .clone()
            .outermost_returned(self, state, results)?;
        if self.start_upcoming(state)? {
            return Ok(());
        }
        let status = match state.phase {
            Phase::Destroying(status) | Phase::Exiting(status) => return self.end(state, status),
            Phase::Planned | Phase::Called | Phase::Returned(_) => {
                state.phase = Phase::Returned(results.first().copied());
                return Err(Halt::End(End::Exit(0)));
            }
            Phase::Starting(_) | Phase::Running => self.status(state, results),
        };
        self.exit_with(state, status)
    }

    /// The last thread has ended, and with it the program, as if by `exit(0)`.
    pub(crate) fn exit_after_threads(&mut self, state: &mut State) -> Result<Returned, Halt> {
        if let Phase::Destroying(status) | Phase::Exiting(status) = state.phase {
            return self.end(state, status);
        }
        state.threads_mut().current().status = Status::Ready;
        self.exit_with(state, Value::ZERO)?;
        Ok(Returned::Elsewhere)
    }

    /// Calls `exit` in the place of the outermost function, or what it would do.
    fn exit_with(&mut self, state: &mut State, status: Value) -> Result<(), Halt> {
        let exit = self.program.function("exit");
        let Some((exit, body)) = exit.and_then(|exit| Some((exit, self.body(exit)?))) else {
            return match self.destroy(state, status)? {
                true => Ok(()),
                false => self.end(state, status),
            };
        };
        state.phase = Phase::Exiting(status);
        self.release_locals(state);
        // The frame stays for messages: what runs now was caused by its return.
        state.frame.pc += 1;
        let mut frame = self.frame(exit);
        frame.registers[body.parameter(0).index()] = status;
        state.height += 1;
        let caller = std::mem::replace(&mut state.frame, frame);
        state.callers = Some(Rc::new(Caller::new(caller, Reg::NONE, None, None)));
        self.count_entry(state, exit);
        Ok(())
    }

    /// The result of the outermost function as an exit status.
    fn status(&mut self, state: &State, results: &[Value]) -> Value {
        let function = &self.program.functions[state.frame.function as usize];
        let kinds = &self.program.signatures[function.signature.index()].results;
        match (kinds.first(), results) {
            (Some(&Kind::Int(width)), &[result, ..]) => {
                self.fit(result, Kind::Int(width), Kind::Int(32))
            }
            _ => Value::ZERO,
        }
    }

    /// Ends the program with a status.
    pub(crate) fn end<T>(&mut self, state: &mut State, status: Value) -> Result<T, Halt> {
        self.must_be_determined(state, status, "the exit status")?;
        let code = self.example(state, status, 32) as i32;
        Err(Halt::End(End::Exit(code)))
    }

    /// `exit` has run its handlers: runs the destructors, then ends.
    pub(crate) fn leave(&mut self, state: &mut State, status: Value) -> Result<Returned, Halt> {
        if self.destroy(state, status)? {
            return Ok(Returned::Elsewhere);
        }
        self.end(state, status)
    }

    /// Lets the destructors run, if there are any and they have not begun.
    fn destroy(&mut self, state: &mut State, status: Value) -> Result<bool, Halt> {
        if let Phase::Destroying(_) = state.phase {
            return Ok(false);
        }
        state.phase = Phase::Destroying(status);
        let program = self.program;
        let destructors = program.destructors.iter().rev();
        let frames = destructors
            .filter(|structor| self.body(structor.function).is_some())
            .map(|structor| self.frame(structor.function));
        state.upcoming = Rc::new(frames.collect());
        self.start_upcoming(state)
    }

    /// Starts the next planned call, if there is one, with nothing below it.
    ///
    /// # Errors
    ///
    /// When the path ends here.
    pub fn start_upcoming(&mut self, state: &mut State) -> Result<bool, Halt> {
        let Some(frame) = Rc::make_mut(&mut state.upcoming).pop() else {
            return Ok(false);
        };
        self.release_locals(state);
        state.frame = frame;
        state.callers = None;
        state.height = 1;
        self.count_entry(state, state.function());
        self.policy.clone().outermost_started(self, state)?;
        Ok(true)
    }

    /// A new object.
    ///
    /// # Errors
    ///
    /// When it is larger than objects may be, or there are too many.
    pub fn allocate(&mut self, state: &mut State, size: u64, region: Region) -> Result<u64, Halt> {
        self.allocate_aligned(state, size, 1, region)
    }

    /// A new object at a multiple of `alignment`.
    pub(crate) fn allocate_aligned(
        &mut self,
        state: &mut State,
        size: u64,
        alignment: u64,
        region: Region,
    ) -> Result<u64, Halt> {
        if size > MAX_OBJECT || alignment > MAX_OBJECT {
            return unsupported(match alignment {
                0 | 1 => format!("an object of {size} bytes"),
                _ => format!("an object of {size} bytes at a multiple of {alignment}"),
            });
        }
        let made_at = state.frame.function;
        match state.memory.allocate(size, alignment, region, made_at) {
            Some((_, address)) => Ok(address),
            None => unsupported("so many objects at a time"),
        }
    }

    pub(crate) fn local(
        &mut self,
        state: &mut State,
        dst: Reg,
        size: u64,
        alignment: u64,
    ) -> Result<(), Halt> {
        if size > MAX_LOCAL {
            let message = format!("a local array of {size} bytes");
            return error(ErrorKind::StackOverflow, message);
        }
        let address = self.allocate_aligned(state, size, alignment, Region::Stack)?;
        self.leave_uninitialised(state, address);
        let id = state.memory.id_of(address);
        state.frame.locals.push(id);
        state.set(dst, Value::word(address));
        Ok(())
    }

    pub(crate) fn local_array(
        &mut self,
        state: &mut State,
        dst: Reg,
        count: Value,
        width: u16,
        size: u64,
        alignment: u64,
    ) -> Result<(), Halt> {
        let count = self.concretize(state, count, width);
        self.local(state, dst, count.saturating_mul(size), alignment)
    }
}
