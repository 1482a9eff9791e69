//! Threads: several stacks on one path, what each waits for, and what comes before what.
//!
//! One thread runs at a time, and its stack is the state's own; `scheduling` decides
//! which. A path that never made a thread carries none of this.

pub(crate) mod races;
pub(crate) mod schedule;
pub(crate) mod sleep;

use crate::kernel::signals::OwnSignals;
use crate::state::{Caller, Frame, JumpTarget, State};
use crate::value::Value;
use base::Schedule;
use races::{Clock, Races};
use schedule::{Location, Turns};
use sleep::{Asleep, Shared};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The number of a thread; that of `main` is 0.
pub(crate) type ThreadId = usize;

/// All threads of a path that has made one.
#[derive(Clone)]
pub(crate) struct Threads {
    threads: Vec<Thread>,
    running: ThreadId,
    /// The running thread was chosen for the operation it stands before.
    is_chosen: bool,
    /// The running thread is in a section that no other may interrupt.
    pub is_alone: bool,
    /// The access that goes on is atomic.
    pub is_atomic: bool,
    /// How often a thread had to wait that could have gone on.
    pub preemptions: u32,
    /// The turns that threads took.
    pub turns: Turns,
    /// Whether a thread sleeps.
    sleepers: bool,
    /// What the running thread looked at last, and how often in a row.
    pub looked_at: Look,
    /// The keys of what threads have of their own, with the destructors of it; none
    /// where a key was deleted.
    pub keys: Vec<Option<u64>>,
    pub locks: BTreeMap<u64, Lock>,
    pub conditions: BTreeMap<u64, Condition>,
    pub barriers: BTreeMap<u64, Barrier>,
    pub races: Races,
}

#[derive(Clone)]
pub(crate) struct Thread {
    /// Its stack, while another thread runs.
    stack: Option<Stack>,
    pub status: Status,
    pub is_detached: bool,
    /// Whether destructors of its own things run.
    pub is_ending: bool,
    /// What it ends with then.
    pub result: Value,
    /// The exception by which its frames are left, if they are left by one.
    pub leaves_by: Option<u64>,
    pub cancellation: Cancellation,
    /// Where the handlers begin that clean up after it: what `setjmp` saved, the last one last.
    pub cleanups: Vec<u64>,
    /// What `pthread_setspecific` keeps, by key.
    pub specific: BTreeMap<u64, Value>,
    /// Its own copies of thread-local variables, by the address of the first thread's.
    pub locals: BTreeMap<u64, u64>,
    pub clock: Clock,
    /// What an acquiring fence makes known: what relaxed accesses have found released.
    pub seen: Clock,
    /// What relaxed stores release since the last releasing fence.
    pub fenced: Option<Clock>,
    /// The call of the standard library that it is in, and that others could be quicker
    /// than.
    pub operation: Option<Rc<Caller>>,
    /// Whether it has gone from the program's own code into a library since an operation.
    pub has_called_out: bool,
    /// How many threads it has woken by the call that it stands before.
    pub woke: Option<u64>,
    /// The operation that it stands before, if another thread took over there.
    pub stands_at: Option<Location>,
    /// What it does about signals, while another thread runs.
    pub signals: OwnSignals,
    /// What happened since it was preempted.
    asleep: Option<Asleep>,
}

/// Whether a thread is to be cancelled, and when it lets that happen.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cancellation {
    pub is_requested: bool,
    pub is_disabled: bool,
    /// At any time, and not at cancellation points only.
    pub is_asynchronous: bool,
}

#[derive(Clone)]
struct Stack {
    frame: Frame,
    callers: Option<Rc<Caller>>,
    height: u32,
    jumps: Rc<Vec<JumpTarget>>,
}

/// A look at a place that another thread may change.
#[derive(Clone, Copy, Default)]
pub(crate) struct Look {
    pub address: u64,
    /// How often in a row it was this place.
    pub times: u32,
    /// The variables of the function that looked, mixed into one number.
    pub seen: u64,
}

/// Whether a thread can run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Status {
    /// It can.
    Ready,
    /// It waits.
    Waiting(Wait),
    /// It has ended, with this result.
    Finished(Value),
    /// It has ended, and another thread has its result.
    Joined,
}

/// What a thread waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wait {
    /// To hold the lock alone. With a time limit it may go on without it.
    Lock { lock: u64, is_timed: bool },
    /// To hold the lock with other readers.
    Share { lock: u64, is_timed: bool },
    /// A semaphore above zero.
    Semaphore { at: u64, is_timed: bool },
    /// The end of a thread. With a time limit it may go on before.
    End { other: ThreadId, is_timed: bool },
    /// A signal of the condition, until which it does without the lock. With a time
    /// limit it may go on without one.
    Signal {
        condition: u64,
        lock: u64,
        is_timed: bool,
    },
    /// The signal has come, or the time is over: the lock again.
    Back { lock: u64, in_time: bool },
    /// The others at a barrier.
    Barrier(u64),
    /// The barrier is open.
    Open { is_last: bool },
    /// A wake-up from a place in memory. With a time limit it may go on without one.
    WakeUp { place: u64, is_timed: bool },
    /// The wake-up has come.
    Woken,
    /// Another thread's system call: something to read, or room to write.
    System,
    /// There was one.
    Again,
    /// A signal from another thread.
    Interrupt,
}

/// A mutex, a read-write lock, or a semaphore.
#[derive(Clone, Default)]
pub(crate) struct Lock {
    pub owner: Option<ThreadId>,
    /// How often its owner has it.
    pub depth: u32,
    pub readers: Vec<ThreadId>,
    /// What a semaphore counts.
    pub count: u64,
    /// How a robust mutex was left.
    pub left: Left,
    pub clock: Clock,
}

/// How a robust mutex was left by its owner.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) enum Left {
    #[default]
    Free,
    /// The owner ended with it, and nobody has made good what it protects.
    Inconsistent,
    /// The next owner has let go of it without doing so.
    Unrecoverable,
}

/// What is remembered of a condition variable.
#[derive(Clone, Copy, Default)]
pub(crate) struct Condition {
    /// Signals that came when nobody was waiting.
    pub unheard: u32,
}

#[derive(Clone, Default)]
pub(crate) struct Barrier {
    pub size: u64,
    pub waiting: Vec<ThreadId>,
    pub clock: Clock,
}

impl Threads {
    /// The one thread there was until now.
    fn new() -> Threads {
        Threads {
            threads: vec![Thread::new(Clock::first())],
            running: 0,
            is_chosen: false,
            is_alone: false,
            is_atomic: false,
            preemptions: 0,
            turns: Turns::default(),
            sleepers: false,
            looked_at: Look::default(),
            keys: Vec::new(),
            locks: BTreeMap::new(),
            conditions: BTreeMap::new(),
            barriers: BTreeMap::new(),
            races: Races::default(),
        }
    }

    pub fn running(&self) -> ThreadId {
        self.running
    }

    /// The thread that runs.
    pub fn current(&mut self) -> &mut Thread {
        &mut self.threads[self.running]
    }

    pub fn get(&mut self, id: ThreadId) -> Option<&mut Thread> {
        self.threads.get_mut(id)
    }

    /// Whether the running thread was chosen for what it does now; it is told once.
    pub fn take_chosen(&mut self) -> bool {
        self.current().stands_at = None;
        std::mem::take(&mut self.is_chosen)
    }

    /// The running thread goes on with what it stands before, in a turn of its own.
    pub fn choose_again(&mut self, here: Location) {
        self.next_turn(here, self.running);
        self.is_chosen = true;
    }

    /// The exception by which the running thread leaves its frames.
    pub fn leaves_by(&self) -> Option<u64> {
        self.threads[self.running].leaves_by
    }

    /// Whether the thread has not ended.
    pub fn lives(&self, id: ThreadId) -> bool {
        matches!(self.threads[id].status, Status::Ready | Status::Waiting(_))
    }

    /// What a thread that does not run does about signals.
    pub fn signals_of(&self, id: ThreadId) -> &OwnSignals {
        &self.threads[id].signals
    }

    /// Whether there is such a thread.
    pub fn has(&self, id: ThreadId) -> bool {
        id < self.threads.len()
    }

    /// Whether the thread would have to wait to do this.
    pub fn has_to_wait(&self, wait: Wait) -> bool {
        !self.is_over(wait)
    }

    /// The function and instruction of each call of a thread that does not run.
    pub fn stack_of(&self, id: ThreadId) -> Option<Vec<(u32, u32)>> {
        let stack = self.threads[id].stack.as_ref()?;
        let inner = (stack.frame.function, stack.frame.pc);
        let callers = std::iter::successors(stack.callers.as_deref(), |c| c.callers.as_deref());
        let outer = callers.map(|c| (c.frame.function, c.frame.pc.saturating_sub(1)));
        Some(std::iter::once(inner).chain(outer).collect())
    }

    /// The threads that wait, and for what.
    pub fn waiting(&self) -> impl Iterator<Item = (ThreadId, Wait)> {
        let numbered = self.threads.iter().enumerate();
        numbered.filter_map(|(id, thread)| match thread.status {
            Status::Waiting(wait) => Some((id, wait)),
            Status::Ready | Status::Finished(_) | Status::Joined => None,
        })
    }

    /// Whether the thread could run now.
    pub fn is_enabled(&self, id: ThreadId) -> bool {
        match self.threads[id].status {
            Status::Ready => true,
            Status::Finished(_) | Status::Joined => false,
            Status::Waiting(wait) => {
                self.is_over(wait) || (self.is_cancelled(id) && self.is_cancelled_at(wait))
            }
        }
    }

    /// Whether the thread ends when it comes to a cancellation point.
    pub fn is_cancelled(&self, id: ThreadId) -> bool {
        let cancellation = self.threads[id].cancellation;
        cancellation.is_requested && !cancellation.is_disabled
    }

    /// Whether a thread that waits for this may be cancelled now.
    fn is_cancelled_at(&self, wait: Wait) -> bool {
        match wait {
            // It ends with the lock in its hands.
            Wait::Signal { lock, .. } => self.is_free(lock),
            Wait::Semaphore { .. } | Wait::End { .. } | Wait::System | Wait::Interrupt => true,
            _ => false,
        }
    }

    /// Whether what is waited for has come, or the time for it may be over.
    fn is_over(&self, wait: Wait) -> bool {
        match wait {
            Wait::Signal { is_timed, lock, .. } => is_timed && self.is_free(lock),
            _ => wait.is_timed() || self.has_come(wait),
        }
    }

    /// Whether nobody holds the lock.
    fn is_free(&self, lock: u64) -> bool {
        let lock = self.locks.get(&lock);
        lock.is_none_or(|lock| lock.owner.is_none() && lock.readers.is_empty())
    }

    /// Whether what is waited for has come.
    fn has_come(&self, wait: Wait) -> bool {
        match wait {
            Wait::Lock { lock, .. } | Wait::Back { lock, .. } => self.is_free(lock),
            Wait::Share { lock, .. } => {
                let lock = self.locks.get(&lock);
                lock.is_none_or(|lock| lock.owner.is_none())
            }
            Wait::Semaphore { at, .. } => self.locks.get(&at).is_some_and(|it| it.count > 0),
            Wait::End { other, .. } => {
                let status = self.threads.get(other).map(|thread| thread.status);
                !matches!(status, Some(Status::Ready | Status::Waiting(_)))
            }
            Wait::Signal { .. }
            | Wait::WakeUp { .. }
            | Wait::Barrier(_)
            | Wait::System
            | Wait::Interrupt => false,
            Wait::Open { .. } | Wait::Woken | Wait::Again => true,
        }
    }

    /// The threads that could run now, beside the running one.
    pub fn others(&self) -> Vec<ThreadId> {
        let all = 0..self.threads.len();
        all.filter(|&id| id != self.running && self.is_enabled(id))
            .collect()
    }

    /// The running thread has made a system call that others may have waited for.
    pub fn wake_for_system(&mut self) {
        for thread in &mut self.threads {
            if thread.status == Status::Waiting(Wait::System) {
                thread.status = Status::Waiting(Wait::Again);
            }
        }
    }

    /// The running thread makes a system call, perhaps once more.
    pub fn resume_call(&mut self) {
        if let Status::Waiting(Wait::System | Wait::Again | Wait::Interrupt) = self.current().status
        {
            self.take_chosen();
            self.current().status = Status::Ready;
        }
    }

    /// The running thread has let go of something that this clock stands for.
    pub fn release(&mut self, clock: &mut Clock) {
        let own = &mut self.threads[self.running].clock;
        clock.join(own);
        own.tick(self.running);
    }

    /// The running thread comes after what this clock stands for.
    pub fn acquire(&mut self, clock: &Clock) {
        self.current().clock.join(clock);
    }
}

impl Thread {
    fn new(clock: Clock) -> Thread {
        Thread {
            stack: None,
            status: Status::Ready,
            is_detached: false,
            is_ending: false,
            result: Value::ZERO,
            leaves_by: None,
            cancellation: Cancellation::default(),
            cleanups: Vec::new(),
            specific: BTreeMap::new(),
            locals: BTreeMap::new(),
            clock,
            seen: Clock::default(),
            fenced: None,
            operation: None,
            has_called_out: false,
            woke: None,
            stands_at: None,
            signals: OwnSignals::default(),
            asleep: None,
        }
    }
}

impl State {
    /// The threads; from now on there may be several.
    pub(crate) fn threads_mut(&mut self) -> &mut Threads {
        let threads = self.threads.get_or_insert_with(|| Rc::new(Threads::new()));
        Rc::make_mut(threads)
    }

    /// How many threads there have been.
    pub(crate) fn thread_count(&self) -> usize {
        self.threads
            .as_ref()
            .map_or(1, |threads| threads.threads.len())
    }

    /// Whether something other than the first thread runs.
    pub(crate) fn is_second(&self) -> bool {
        let threads = self.threads.as_ref();
        threads.is_some_and(|threads| threads.running != 0)
    }

    /// Whether the end of the outermost function is that of a thread, and not that of the
    /// program: always but in the first, unless that has called `pthread_exit`.
    pub(crate) fn ends_with_thread(&self) -> bool {
        let threads = self.threads.as_ref();
        threads.is_some_and(|it| it.running != 0 || it.threads[0].is_ending)
    }

    /// Makes a thread that is about to run this frame.
    pub(crate) fn spawn(&mut self, frame: Frame) -> ThreadId {
        let threads = self.threads_mut();
        let id = threads.threads.len();
        let parent = threads.running;
        let mut clock = threads.current().clock.clone();
        clock.tick(id);
        threads.current().clock.tick(parent);
        let signals = OwnSignals::of_new_thread(self.kernel.signals.own.blocked);
        let threads = self.threads_mut();
        let mut thread = Thread::new(clock);
        thread.signals = signals;
        thread.stack = Some(Stack {
            frame,
            callers: None,
            height: 1,
            jumps: Rc::default(),
        });
        threads.threads.push(thread);
        self.is_threaded = true;
        id
    }

    /// Where the running thread is.
    pub(crate) fn location(&self) -> Location {
        (self.frame.function, self.frame.pc, self.height)
    }

    /// The turns that threads took, if there were several.
    pub fn schedule(&self) -> Schedule {
        let threads = self.threads.as_ref().filter(|_| self.is_threaded);
        threads.map_or_else(Schedule::default, |threads| threads.turns.schedule())
    }

    /// The running thread touches something that others may notice.
    pub(crate) fn touch(&mut self, shared: Shared, is_write: bool) {
        if self.has_sleepers() {
            self.threads_mut().touch(shared, is_write);
        }
    }

    /// Whether a thread sleeps, so that it matters what others touch.
    pub(crate) fn has_sleepers(&self) -> bool {
        self.threads.as_ref().is_some_and(|it| it.sleepers)
    }

    /// Lets another thread run.
    pub(crate) fn switch_to(&mut self, id: ThreadId) {
        let here = self.location();
        let threads = self.threads_mut();
        threads.next_turn(here, id);
        threads.rouse(id);
        threads.is_chosen = true;
        threads.looked_at = Look::default();
        self.visit(id);
    }

    /// The stack of another thread becomes the state's own, without a turn of that thread.
    pub(crate) fn visit(&mut self, id: ThreadId) {
        let stack = Stack {
            frame: std::mem::take(&mut self.frame),
            callers: self.callers.take(),
            height: self.height,
            jumps: std::mem::take(&mut self.jumps),
        };
        self.exchange_signals(id);
        let threads = self.threads_mut();
        threads.current().stack = Some(stack);
        threads.running = id;
        let next = threads.current().stack.take();
        let next = next.expect("a thread that does not run has its stack");
        self.frame = next.frame;
        self.callers = next.callers;
        self.height = next.height;
        self.jumps = next.jumps;
    }

    /// What the running thread does about signals goes to it, and that of another comes here.
    fn exchange_signals(&mut self, next: ThreadId) {
        let threads = self.threads_mut();
        let running = threads.running;
        let signals = std::mem::take(&mut threads.threads[next].signals);
        if signals.is_plain() && self.kernel.signals.own.is_plain() {
            return;
        }
        let kernel = Rc::make_mut(&mut self.kernel);
        let own = std::mem::replace(&mut kernel.signals.own, signals);
        self.threads_mut().threads[running].signals = own;
    }
}

/// What messages call a thread.
pub(crate) fn thread_name(id: ThreadId) -> String {
    match id {
        0 => "the main thread".to_owned(),
        id => format!("thread {id}"),
    }
}

impl Wait {
    /// Whether the thread may go on without what it waits for.
    pub fn is_timed(self) -> bool {
        match self {
            Wait::Lock { is_timed, .. }
            | Wait::Share { is_timed, .. }
            | Wait::Semaphore { is_timed, .. }
            | Wait::End { is_timed, .. }
            | Wait::Signal { is_timed, .. }
            | Wait::WakeUp { is_timed, .. } => is_timed,
            _ => false,
        }
    }

    pub fn describe(self) -> String {
        match self {
            Wait::Lock { .. } | Wait::Back { .. } => "a lock".to_owned(),
            Wait::Share { .. } => "a lock, to read".to_owned(),
            Wait::Semaphore { .. } => "a semaphore".to_owned(),
            Wait::End { other, .. } => format!("the end of {}", thread_name(other)),
            Wait::Signal { .. } => "a signal".to_owned(),
            Wait::WakeUp { .. } | Wait::Woken => "a wake-up".to_owned(),
            Wait::Barrier(_) | Wait::Open { .. } => "others at a barrier".to_owned(),
            Wait::System | Wait::Again => "input or room for output".to_owned(),
            Wait::Interrupt => "a signal to the program".to_owned(),
        }
    }
}
