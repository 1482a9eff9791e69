//! Who runs next: the interleavings of threads.
//!
//! Another thread may take over where threads can notice each other: before an operation
//! on a lock or the like, and before an atomic access. At such a point the path forks,
//! once for each thread that could go on; between such points an interleaving makes a
//! difference only to a program with a data race, and that is an error of its own. How
//! often a thread that could go on is made to wait is bounded (Musuvathi and Qadeer,
//! PLDI 2007): most errors need one or two preemptions, and the number of schedules is
//! a power of it.
//!
//! A thread that waits stands before the call that made it wait. When what it waits for
//! has come it may be chosen to run, and makes the call again.

use crate::incomplete::Incomplete;
use crate::machine::{Machine, Returned};
use crate::origin::Origin;
use crate::outcome::{End, ErrorKind, Halt, error, unsupported};
use crate::pointers::Access;
use crate::shims::{NOBODY_SENDS, leave_robust, wait_for_ring};
use crate::state::State;
use crate::threads::sleep::Shared;
use crate::threads::{Look, Status, ThreadId, Wait, thread_name};
use crate::value::Value;
use base::Schedule;
use program::{FunctionId, Inst, Kind, Ordering};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// How often a thread looks at one place in vain before others get a turn.
const PATIENCE: u32 = 3;
/// The same of one that counts how often it looked, and may give up.
const GREAT_PATIENCE: u32 = 20;
/// Calls whose variables are looked at for that.
const FRAMES_SEEN: usize = 3;

impl Machine<'_> {
    /// The running thread is about to do something that others can notice: forks the
    /// paths on which another thread is quicker. Says what that is the beginning of.
    ///
    /// # Errors
    ///
    /// When the path goes on with another thread, or elsewhere.
    pub(crate) fn scheduling_point(
        &mut self,
        state: &mut State,
        operation: Operation,
    ) -> Result<Beginning, Halt> {
        if !state.is_threaded {
            return Ok(Beginning::OfItsOwn);
        }
        let here = state.location();
        let beginning = self.beginning(state);
        match beginning {
            Beginning::Within => state.threads_mut().turns.begun(),
            Beginning::OfCall => state.threads_mut().arrive_in_library(here),
            Beginning::OfItsOwn => {}
        }
        // Whoever has to wait is not preempted: it begins to wait, and gives way by that.
        let next = self.scheduled_here(state, beginning);
        if let Some(next) = next.filter(|_| !operation.has_to_wait) {
            state.switch_to(next);
            return Err(Halt::Yield);
        }
        if beginning == Beginning::OfItsOwn {
            state.threads_mut().arrive(here);
        }
        self.offer_turns(state, operation, beginning)?;
        state.touch(operation.shared, operation.is_write);
        if self.image.reaches_threads {
            // What a thread does is not the same before and after another reaches for it.
            let running = state.threads_mut().running();
            state.touch(Shared::Thread(running), false);
            self.leave_at_once(state)?;
        }
        Ok(beginning)
    }

    /// The program is about to end, and all threads with it: what others would still have done
    /// is done before on other paths. Nothing else is like that, so that it has to do with all.
    ///
    /// # Errors
    ///
    /// When the path goes on with another thread.
    pub(crate) fn before_the_end(&mut self, state: &mut State) -> Result<(), Halt> {
        self.scheduling_point(state, Operation::of(Shared::Somewhere))
            .map(|_| ())
    }

    /// Forks the paths on which another thread runs before this operation, if there is a
    /// choice.
    fn offer_turns(
        &mut self,
        state: &mut State,
        operation: Operation,
        beginning: Beginning,
    ) -> Result<(), Halt> {
        let threads = state.threads_mut();
        let is_decided = threads.take_chosen() || threads.is_alone;
        if is_decided || beginning == Beginning::Within || self.scheduled(state).is_some() {
            return Ok(());
        }
        let threads = state.threads_mut();
        if threads.slept_for_nothing() {
            return Err(Halt::End(End::Redundant));
        }
        let others = threads.others();
        // Whoever would have to wait gives way for free.
        if others.is_empty() || operation.has_to_wait {
            return Ok(());
        }
        if threads.preemptions >= self.options.preemptions {
            let most = self.options.preemptions.into();
            self.incomplete(state, Incomplete::Preemptions { most });
            return Ok(());
        }
        let running = threads.running();
        // Whoever looks again and again gives way on all paths, and none has it go on.
        let may_sleep = threads.looked_at.times < PATIENCE;
        for other in others {
            if let Some(mut quicker) = self.fork_for_thread(state) {
                quicker.threads_mut().preemptions += 1;
                quicker.switch_to(other);
                if may_sleep {
                    quicker.threads_mut().put_to_sleep(running);
                }
                self.fork(quicker);
            }
        }
        Ok(())
    }

    /// The turns that the path is to repeat.
    fn scheduled(&self, state: &State) -> Option<Rc<Schedule>> {
        let schedule = self.policy.schedule()?;
        let turn = state.threads.as_ref().map_or(0, |it| it.turns.number());
        (turn < schedule.slices.len()).then_some(schedule)
    }

    /// The thread that takes over at the operation that the running one has come to, if a
    /// schedule says so.
    fn scheduled_here(&self, state: &State, beginning: Beginning) -> Option<ThreadId> {
        let schedule = self.scheduled(state)?;
        let threads = state.threads.as_ref()?;
        let (turn, here) = (threads.turns.number(), state.location());
        let counted = match beginning {
            Beginning::Within => return None,
            Beginning::OfCall => 1,
            Beginning::OfItsOwn => 0,
        };
        let is_over = threads.turns.operations() - counted >= schedule.slices[turn].operations;
        let next = schedule.slices.get(turn + 1)?.thread as ThreadId;
        let is_there = next != threads.running() && threads.has(next) && threads.is_enabled(next);
        (is_over && threads.is_new(here) && is_there).then_some(next)
    }

    /// The thread whose turn is next, if a schedule says so.
    fn scheduled_next(&self, state: &State) -> Option<ThreadId> {
        let schedule = self.scheduled(state)?;
        let threads = state.threads.as_ref()?;
        let next = schedule.slices.get(threads.turns.number() + 1)?;
        let next = next.thread as ThreadId;
        (threads.has(next) && threads.is_enabled(next)).then_some(next)
    }

    /// Which of these threads a signal wakes, if a schedule says so.
    pub(crate) fn scheduled_waking(&self, state: &State, waiting: &[ThreadId]) -> Option<ThreadId> {
        let schedule = self.policy.schedule()?;
        let threads = state.threads.as_ref()?;
        let woken = *schedule.woken.get(threads.turns.wakings())? as ThreadId;
        waiting.contains(&woken).then_some(woken)
    }

    /// What the operation that the running thread has come to is the beginning of. The
    /// program's own code does one at a time. What it calls of the standard library is one
    /// operation: locks, channels and counted pointers are made so that whatever others do
    /// meanwhile might as well happen before or after (Herlihy and Wing, TOPLAS 1990).
    fn beginning(&self, state: &mut State) -> Beginning {
        if !self.image.has_standard_library {
            return Beginning::OfItsOwn;
        }
        let links = std::iter::successors(state.callers.as_ref(), |it| it.callers.as_ref());
        let callers = links.map(|it| (FunctionId(it.frame.function), Some(it)));
        let stack = std::iter::once((state.function(), None)).chain(callers);
        // What the C library does is its caller's doing.
        let mut stack = stack.filter(|(it, _)| self.image.origin(*it) != Origin::BuiltIn);
        let is_own = |it: FunctionId| self.image.origin(it) != Origin::Standard;
        match stack.next() {
            Some((function, _)) if !is_own(function) => {}
            _ => return Beginning::OfItsOwn,
        }
        let call = stack.find(|(it, _)| is_own(*it)).and_then(|(_, call)| call);
        let call = call.cloned();
        let thread = state.threads_mut().current();
        let has_called_out = std::mem::take(&mut thread.has_called_out);
        // A thread that begins or ends does so in the library alone.
        let Some(call) = call.filter(|_| has_called_out) else {
            return Beginning::Within;
        };
        let known = &mut thread.operation;
        if known.as_ref().is_some_and(|it| Rc::ptr_eq(it, &call)) {
            return Beginning::Within;
        }
        *known = Some(call);
        Beginning::OfCall
    }

    /// Whether a call of a function with a body goes from the program's own code into a
    /// standard library, or may do so for all that can be known natively. The frame's position
    /// is past the call.
    pub(crate) fn is_counted_call(&self, state: &State, callee: FunctionId) -> bool {
        if !self.is_counted_code(state) {
            return false;
        }
        let code = self.body(state.function()).map(|body| &body.code);
        let call = code.map(|code| &code[state.frame.pc as usize - 1]);
        match (call, self.image.origin(callee)) {
            (_, Origin::Standard) => true,
            (Some(Inst::CallIndirect { .. }), origin) => origin != Origin::BuiltIn,
            _ => false,
        }
    }

    /// Whether the running function is code of the program that counts where it goes over to a
    /// standard library.
    pub(crate) fn is_counted_code(&self, state: &State) -> bool {
        let is_own = |origin| matches!(origin, Origin::Program | Origin::Included);
        state.is_threaded
            && self.image.has_standard_library
            && is_own(self.image.origin(state.function()))
    }

    /// The state again, for another thread to run in.
    pub(crate) fn fork_for_thread(&mut self, state: &mut State) -> Option<State> {
        self.count_fork(state);
        // Only what is in the tree is shared by a clone without being copied.
        state.memory.settle();
        let other = state.clone();
        state.part(other)
    }

    /// The running thread looks at a place that another thread may change. If it does so
    /// again and again, it is waiting, and others get a turn. Whether they did.
    ///
    /// One whose variables are the same each time waits for ever if nobody else runs. One
    /// that counts may give up, and is left alone for longer. Where turns are repeated, when
    /// an operation that is counted gives way is among what is known.
    pub(crate) fn looks_at(
        &mut self,
        state: &mut State,
        address: u64,
        beginning: Beginning,
    ) -> bool {
        let mut hasher = FxHasher::default();
        let callers = std::iter::successors(state.callers.as_deref(), |it| it.callers.as_deref());
        let frames = std::iter::once(&state.frame).chain(callers.map(|it| &it.frame));
        for frame in frames.take(FRAMES_SEEN) {
            (frame.function, frame.pc, &frame.registers).hash(&mut hasher);
        }
        let seen = hasher.finish();
        let threads = state.threads_mut();
        let last = threads.looked_at;
        let same = last.address == address;
        threads.looked_at = Look {
            address,
            times: if same { last.times + 1 } else { 1 },
            seen,
        };
        let patience = match same && last.seen != seen {
            true => GREAT_PATIENCE,
            false => PATIENCE,
        };
        let times = threads.looked_at.times;
        let others = threads.others();
        let is_known = beginning != Beginning::Within && self.scheduled(state).is_some();
        if times <= patience || others.is_empty() || is_known {
            return false;
        }
        let running = state.threads_mut().running();
        let next = others.iter().find(|&&id| id > running);
        let next = *next.unwrap_or(&others[0]);
        let next = self.scheduled_next(state).unwrap_or(next);
        if patience == GREAT_PATIENCE {
            let most = self.options.preemptions.into();
            self.incomplete(state, Incomplete::Preemptions { most });
        }
        state.switch_to(next);
        true
    }

    /// The running thread has to wait: another one runs.
    pub(crate) fn wait(&mut self, state: &mut State, wait: Wait) -> Result<Returned, Halt> {
        let threads = state.threads_mut();
        threads.current().status = Status::Waiting(wait);
        if let Wait::Signal { .. } | Wait::Barrier(_) = wait {
            threads.turns.begun();
        }
        self.run_another(state)
    }

    /// Lets any thread run that can, one on each path.
    pub(crate) fn run_another(&mut self, state: &mut State) -> Result<Returned, Halt> {
        let here = state.location();
        let next = self.scheduled_next(state);
        let threads = state.threads_mut();
        let mut others = threads.others();
        // A thread that waits for a time may be the only one that can go on.
        let itself = others.is_empty() && threads.is_enabled(threads.running());
        if itself || next == Some(threads.running()) {
            threads.choose_again(here);
            return Ok(Returned::Elsewhere);
        }
        if let Some(next) = next {
            state.switch_to(next);
            return Ok(Returned::Elsewhere);
        }
        let Some(last) = others.pop() else {
            return self.nobody_runs(state);
        };
        for other in others {
            if let Some(mut fork) = self.fork_for_thread(state) {
                fork.switch_to(other);
                self.fork(fork);
            }
        }
        state.switch_to(last);
        Ok(Returned::Elsewhere)
    }

    /// No thread can go on: all have ended, or they wait for each other.
    fn nobody_runs(&mut self, state: &mut State) -> Result<Returned, Halt> {
        let threads = state.threads_mut();
        let waiting: Vec<(ThreadId, Wait)> = threads.waiting().collect();
        if waiting.is_empty() {
            return self.exit_after_threads(state);
        }
        if wait_for_ring(self, state)? {
            return self.run_another(state);
        }
        let threads = state.threads_mut();
        if waiting.iter().any(|(_, wait)| *wait == Wait::Interrupt) {
            return unsupported(NOBODY_SENDS);
        }
        let unheard = waiting.iter().find_map(|(id, wait)| match wait {
            Wait::Signal { condition, .. } => {
                let known = threads.conditions.get(condition);
                known.is_some_and(|it| it.unheard > 0).then_some(*id)
            }
            _ => None,
        });
        let each: Vec<String> = waiting
            .iter()
            .map(|&(id, wait)| {
                let place = self.place_of_thread(state, id);
                format!(
                    "{} waits for {} at {place}",
                    thread_name(id),
                    wait.describe()
                )
            })
            .collect();
        let each = each.join("; ");
        match unheard {
            Some(id) => error(
                ErrorKind::LostWakeUp,
                format!(
                    "{} waits for a signal that came before it waited: {each}",
                    thread_name(id)
                ),
            ),
            None => error(ErrorKind::Deadlock, format!("no thread can go on: {each}")),
        }
    }

    /// Where a thread is, in the program's own code.
    pub(crate) fn place_of_thread(&self, state: &State, id: ThreadId) -> String {
        let waiting = state.threads.as_ref().and_then(|it| it.stack_of(id));
        let stack = waiting.unwrap_or_else(|| {
            let stack = state.stack().into_iter();
            stack.map(|(function, pc)| (function.0, pc)).collect()
        });
        let is_own = |(function, _): &&(u32, u32)| !self.is_library(FunctionId(*function));
        match stack.iter().find(is_own).or(stack.first()) {
            Some(&(function, pc)) => self.source_place(function, pc),
            None => "its beginning".to_owned(),
        }
    }

    /// The line of an instruction.
    pub(crate) fn source_place(&self, function: u32, pc: u32) -> String {
        let source = &self.program.source;
        let body = self.body(FunctionId(function));
        let location = body.and_then(|body| body.locations.get(pc as usize).copied());
        let location = location.map(|id| source.location(id));
        let file = location.and_then(|location| Some(&source.file(location.file?).name));
        match (location, file) {
            (Some(location), Some(file)) => format!("{file}:{}", location.line),
            _ => self.program.functions[function as usize].name.clone(),
        }
    }

    /// The running thread ends.
    pub(crate) fn end_thread(
        &mut self,
        state: &mut State,
        result: Value,
    ) -> Result<Returned, Halt> {
        while let Some(link) = state.callers.take() {
            self.release_locals(state);
            state.frame = link.frame.clone();
            state.callers = link.callers.clone();
        }
        self.release_locals(state);
        state.height = 1;
        if let Some((destructor, value)) = self.next_destructor(state) {
            let mut frame = self.frame(destructor);
            let body = self.body(destructor).expect("it was looked up with one");
            frame.registers[body.parameter(0).index()] = value;
            state.frame = frame;
            self.count_entry(state, destructor);
            let thread = state.threads_mut().current();
            thread.result = result;
            thread.is_ending = true;
            return Ok(Returned::Elsewhere);
        }
        let threads = state.threads_mut();
        if threads.slept_for_nothing() {
            return Err(Halt::End(End::Redundant));
        }
        threads.turns.begun();
        leave_robust(state);
        let threads = state.threads_mut();
        let running = threads.running();
        threads.touch(Shared::Thread(running), true);
        let is_detached = threads.current().is_detached;
        threads.current().status = match is_detached {
            true => Status::Joined,
            false => Status::Finished(result),
        };
        self.run_another(state)
    }

    /// The outermost function of the running thread returned: its own, or the
    /// destructor of something that it had.
    pub(crate) fn thread_returned(
        &mut self,
        state: &mut State,
        results: &[Value],
    ) -> Result<(), Halt> {
        let thread = state.threads_mut().current();
        let result = match thread.is_ending {
            true => thread.result,
            false => results.first().copied().unwrap_or(Value::ZERO),
        };
        self.end_thread(state, result).map(|_| ())
    }

    /// The next of the destructors of what the running thread has of its own.
    fn next_destructor(&mut self, state: &mut State) -> Option<(FunctionId, Value)> {
        let threads = state.threads_mut();
        let own = std::mem::take(&mut threads.current().specific);
        let mut own = own.into_iter();
        for (key, value) in own.by_ref() {
            let destructor = threads.keys.get(key as usize).copied().flatten();
            let function = destructor.and_then(|address| self.function_at(address));
            let function = function.filter(|&function| self.body(function).is_some());
            if let (Some(function), true) = (function, value != Value::ZERO) {
                threads.current().specific = own.collect();
                return Some((function, value));
            }
        }
        None
    }

    /// A load with its order among threads; none if another thread runs now.
    pub(crate) fn load_ordered(
        &mut self,
        state: &mut State,
        address: Value,
        kind: Kind,
        ordering: Ordering,
    ) -> Result<Option<Value>, Halt> {
        let address = match ordering {
            Ordering::None => address,
            _ => self.one_place(state, address, kind, Access::Read)?,
        };
        let ordering = self.order_among_threads(state, address, ordering);
        if !state.is_threaded || ordering == Ordering::None {
            return self.load(state, address, kind).map(Some);
        }
        if !self.before_atomic(state, address, AtomicKind::Load)? {
            return Ok(None);
        }
        let value = self.load(state, address, kind)?;
        self.after_atomic(state, address, AtomicKind::Load, ordering);
        Ok(Some(value))
    }

    /// A store with its order among threads.
    pub(crate) fn store_ordered(
        &mut self,
        state: &mut State,
        address: Value,
        kind: Kind,
        value: Value,
        ordering: Ordering,
    ) -> Result<(), Halt> {
        let address = match ordering {
            Ordering::None => address,
            _ => self.one_place(state, address, kind, Access::Write)?,
        };
        let ordering = self.order_among_threads(state, address, ordering);
        if !state.is_threaded || ordering == Ordering::None {
            return self.store(state, address, kind, value);
        }
        self.before_atomic(state, address, AtomicKind::Store)?;
        self.store(state, address, kind, value)?;
        self.after_atomic(state, address, AtomicKind::Store, ordering);
        Ok(())
    }

    /// The order of an access among threads. Where races are none, what the program's own
    /// code does to anything that others can reach is seen in one order.
    fn order_among_threads(
        &mut self,
        state: &mut State,
        address: Value,
        given: Ordering,
    ) -> Ordering {
        let is_plain = given == Ordering::None && self.options.ignore_races && state.is_threaded;
        let function = state.function();
        if !is_plain || self.is_library(function) || self.is_of_own_local(state) {
            return given;
        }
        let address = self.example(state, address, 64);
        let id = state.memory.id_of(address);
        match state.memory.object(id) {
            None => given,
            Some(_) => Ordering::Sequential,
        }
    }

    /// Whether the state is about to load or store a local variable that nothing but the
    /// code of its function can reach.
    fn is_of_own_local(&self, state: &State) -> bool {
        let function = state.function();
        let Some(body) = self.body(function) else {
            return false;
        };
        match body.code[state.frame.pc as usize] {
            Inst::Load { address, .. } | Inst::Store { address, .. } => {
                self.image.is_own_local(function, body, address)
            }
            _ => false,
        }
    }

    /// An atomic access is about to happen: another thread may be quicker. Whether this
    /// thread goes on.
    ///
    /// # Errors
    ///
    /// When the path goes on elsewhere.
    pub(crate) fn before_atomic(
        &mut self,
        state: &mut State,
        address: Value,
        kind: AtomicKind,
    ) -> Result<bool, Halt> {
        if !state.is_threaded {
            return Ok(true);
        }
        let shared = address.as_word().map_or(Shared::Somewhere, Shared::At);
        let address = self.example(state, address, 64);
        // The C library's own locks are of no interest to anyone.
        let operation = Operation {
            is_write: kind != AtomicKind::Load,
            ..Operation::of(shared)
        };
        let beginning = match self.is_shared(state.function()) {
            true => self.scheduling_point(state, operation)?,
            false => {
                state.threads_mut().take_chosen();
                Beginning::Within
            }
        };
        let looks = matches!(kind, AtomicKind::Load | AtomicKind::Exchange);
        if looks && self.looks_at(state, address, beginning) {
            return Ok(false);
        }
        state.threads_mut().is_atomic = true;
        Ok(true)
    }

    /// An atomic access has happened: what others have released is known from here on,
    /// or what this thread did is known to whoever acquires it.
    pub(crate) fn after_atomic(
        &mut self,
        state: &mut State,
        address: Value,
        kind: AtomicKind,
        ordering: Ordering,
    ) {
        if !state.is_threaded {
            return;
        }
        let address = self.example(state, address, 64);
        let threads = state.threads_mut();
        threads.is_atomic = false;
        let (acquires, releases) = sides(ordering);
        match kind {
            AtomicKind::Store => {}
            _ if acquires => threads.acquire_place(address),
            _ => threads.see_place(address),
        }
        if let AtomicKind::Store | AtomicKind::Both = kind {
            threads.looked_at = Look::default();
        }
        if let AtomicKind::Store | AtomicKind::Both | AtomicKind::Unchanged = kind {
            match releases {
                true => threads.release_place(address),
                false => threads.release_fenced(address),
            }
        }
    }

    /// A fence orders what relaxed accesses around it have found and stored.
    pub(crate) fn fence(&mut self, state: &mut State, ordering: Ordering) {
        if state.is_threaded {
            let (acquires, releases) = sides(ordering);
            state.threads_mut().fence(acquires, releases);
        }
    }

    /// Whether code is the program's own, or of a standard library that does for the
    /// program what threads notice.
    fn is_shared(&self, function: FunctionId) -> bool {
        !self.is_library(function) || self.is_standard_library(function)
    }
}

/// What an operation is the beginning of, for the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Beginning {
    /// Of nothing: it is in the midst of a call of the standard library.
    Within,
    /// Of what such a call does; the call is counted.
    OfCall,
    /// It stands for itself, and is counted.
    OfItsOwn,
}

/// What a thread is about to do that others can notice.
#[derive(Clone, Copy)]
pub(crate) struct Operation {
    /// What it does that to.
    pub shared: Shared,
    /// Whether it changes that.
    pub is_write: bool,
    /// Whether it cannot be done now.
    pub has_to_wait: bool,
}

impl Operation {
    /// What changes a lock or the like at an address.
    pub fn on(address: u64) -> Operation {
        Operation::of(Shared::At(address))
    }

    /// What changes something.
    pub fn of(shared: Shared) -> Operation {
        Operation {
            shared,
            is_write: true,
            has_to_wait: false,
        }
    }

    /// The same, which may have to wait.
    pub fn waiting(self, has_to_wait: bool) -> Operation {
        Operation {
            has_to_wait,
            ..self
        }
    }
}

/// Whether an access of this order acquires, and whether it releases.
fn sides(ordering: Ordering) -> (bool, bool) {
    match ordering {
        Ordering::AcquireRelease | Ordering::Sequential => (true, true),
        Ordering::Acquire => (true, false),
        Ordering::Release => (false, true),
        Ordering::None | Ordering::Unordered | Ordering::Relaxed => (false, false),
    }
}

/// What an atomic access does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtomicKind {
    Load,
    Store,
    Both,
    /// It stores only if it finds what it expects, and has not.
    Exchange,
    /// It has stored what was there, as whoever tries a spin lock in vain does.
    Unchanged,
}
