//! Who runs next: the interleavings of threads, and the races between them.
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
use crate::memory::Region;
use crate::outcome::{End, ErrorKind, Halt, error};
use crate::pointers::{Access, Spot};
use crate::state::State;
use crate::threads::races::Use;
use crate::threads::{Status, ThreadId, Wait, thread_name};
use crate::value::Value;
use program::{FunctionId, Kind, Ordering};
use std::rc::Rc;

/// How often a thread looks at one place in vain before others get a turn.
const PATIENCE: u32 = 3;

impl Machine<'_> {
    /// The running thread is about to do something that others can notice: forks the
    /// paths on which another thread is quicker.
    pub(crate) fn scheduling_point(&mut self, state: &mut State) {
        if !state.is_threaded {
            return;
        }
        let threads = state.threads_mut();
        if threads.take_chosen() || threads.is_alone || !self.begins_operation(state) {
            return;
        }
        let threads = state.threads_mut();
        let others = threads.others();
        if others.is_empty() {
            return;
        }
        if threads.preemptions >= self.options.preemptions {
            let most = self.options.preemptions.into();
            self.incomplete(state, Incomplete::Preemptions { most });
            return;
        }
        for other in others {
            if let Some(mut quicker) = self.fork_for_thread(state) {
                quicker.threads_mut().preemptions += 1;
                quicker.switch_to(other);
                self.fork(quicker);
            }
        }
    }

    /// Whether what the running thread is about to do is the first of an operation. The
    /// program's own code does one at a time. What it calls of the standard library is one
    /// operation: locks, channels and counted pointers are made so that whatever others do
    /// meanwhile might as well happen before or after (Herlihy and Wing, TOPLAS 1990).
    fn begins_operation(&self, state: &mut State) -> bool {
        if !self.is_standard_library(state.function()) {
            return true;
        }
        let mut links = std::iter::successors(state.callers.as_ref(), |it| it.callers.as_ref());
        let call = links.find(|it| !self.is_standard_library(FunctionId(it.frame.function)));
        // A thread that begins or ends does so in the library alone.
        let Some(call) = call.cloned() else {
            return false;
        };
        let known = &mut state.threads_mut().current().operation;
        if known.as_ref().is_some_and(|it| Rc::ptr_eq(it, &call)) {
            return false;
        }
        *known = Some(call);
        true
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
    pub(crate) fn looks_at(&mut self, state: &mut State, address: u64) -> bool {
        let threads = state.threads_mut();
        let (last, times) = threads.looked_at;
        threads.looked_at = match last == address {
            true => (address, times + 1),
            false => (address, 1),
        };
        let others = threads.others();
        if threads.looked_at.1 <= PATIENCE || others.is_empty() {
            return false;
        }
        let next = others.iter().find(|&&id| id > threads.running());
        let next = *next.unwrap_or(&others[0]);
        state.switch_to(next);
        true
    }

    /// The running thread has to wait: another one runs.
    pub(crate) fn wait(&mut self, state: &mut State, wait: Wait) -> Result<Returned, Halt> {
        state.threads_mut().current().status = Status::Waiting(wait);
        self.run_another(state)
    }

    /// Lets any thread run that can, one on each path.
    pub(crate) fn run_another(&mut self, state: &mut State) -> Result<Returned, Halt> {
        let threads = state.threads_mut();
        let mut others = threads.others();
        // A thread that waits for a time may be the only one that can go on.
        if others.is_empty() && threads.is_enabled(threads.running()) {
            threads.choose_again();
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
            return Err(Halt::End(End::Exit(0)));
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
    fn source_place(&self, function: u32, pc: u32) -> String {
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
            let thread = state.threads_mut().current();
            thread.result = result;
            thread.is_ending = true;
            return Ok(Returned::Elsewhere);
        }
        let threads = state.threads_mut();
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

    /// Notes an access by the running thread; a race ends the path. The C library's own
    /// code is taken to be right. That of the standard libraries is too in what it does to
    /// its own variables, and not in what it does to the program's objects: a vector that
    /// two threads grow is the program's error.
    pub(crate) fn note_access(
        &mut self,
        state: &mut State,
        spot: Spot,
        n: u64,
        access: Access,
    ) -> Result<(), Halt> {
        if self.is_library(state.function()) {
            let (Spot::At(id, _) | Spot::Somewhere(id, _)) = spot;
            let region = state.memory.object(id).map(|object| object.region);
            let is_own = matches!(region, Some(Region::Stack | Region::Heap(_)));
            if !is_own || !self.is_standard_library(state.function()) {
                return Ok(());
            }
        }
        let (id, first) = match spot {
            Spot::At(id, at) => (id, at as u64),
            // Which byte it is depends on the input: that of the model is one of them.
            Spot::Somewhere(id, index) => (id, self.word(state, index)),
        };
        let (function, pc) = (state.frame.function, state.frame.pc);
        let threads = state.threads_mut();
        let is_atomic = threads.is_atomic;
        let race = threads.access(Use {
            object: id,
            bytes: first..first + n,
            is_write: access == Access::Write,
            is_atomic,
            place: (function, pc),
        });
        let Some(other) = race else {
            return Ok(());
        };
        let running = state.threads_mut().running();
        let verb = match access {
            Access::Read => "reads",
            Access::Write => "writes",
        };
        let here = self.place_of_thread(state, running);
        let there = self.source_place(other.place.0, other.place.1);
        error(
            ErrorKind::DataRace,
            format!(
                "{} {verb} at {here} what {} uses at {there}, and nothing orders the two",
                thread_name(running),
                thread_name(other.thread)
            ),
        )
    }

    /// A load with its order among threads; none if another thread runs now.
    pub(crate) fn load_ordered(
        &mut self,
        state: &mut State,
        address: Value,
        kind: Kind,
        ordering: Ordering,
    ) -> Result<Option<Value>, Halt> {
        if !state.is_threaded || ordering == Ordering::None {
            return self.load(state, address, kind).map(Some);
        }
        if !self.before_atomic(state, address, AtomicKind::Load) {
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
        if !state.is_threaded || ordering == Ordering::None {
            return self.store(state, address, kind, value);
        }
        self.before_atomic(state, address, AtomicKind::Store);
        self.store(state, address, kind, value)?;
        self.after_atomic(state, address, AtomicKind::Store, ordering);
        Ok(())
    }

    /// An atomic access is about to happen: another thread may be quicker. Whether this
    /// thread goes on.
    pub(crate) fn before_atomic(
        &mut self,
        state: &mut State,
        address: Value,
        kind: AtomicKind,
    ) -> bool {
        if !state.is_threaded {
            return true;
        }
        let address = self.example(state, address, 64);
        // The C library's own locks are of no interest to anyone.
        match self.is_shared(state.function()) {
            true => self.scheduling_point(state),
            false => drop(state.threads_mut().take_chosen()),
        }
        let looks = matches!(kind, AtomicKind::Load | AtomicKind::Exchange);
        if looks && self.looks_at(state, address) {
            return false;
        }
        state.threads_mut().is_atomic = true;
        true
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
            threads.looked_at = (0, 0);
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
}
