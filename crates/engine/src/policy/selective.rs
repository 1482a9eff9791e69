//! Selective symbolic execution: symbolic in the code that was selected, concrete
//! everywhere else.
//!
//! Outside the selected code a path goes where its inputs take it, and nothing
//! forks. What it met there is *soft*: it holds on the path, but nobody insists on
//! it. Where a branch in the selected code cannot go the other way because of what is
//! soft alone, inputs are looked for without it, and the program runs again from its
//! start with these: as far as the branch it follows them, and from there it is
//! a path like others. So values that were made concrete at the border are revisited
//! exactly when that opens a way through the selected code.
//!
//! Each route through the selected code is followed once, whatever happens outside.
//! A path that runs again may go another way there and miss the branch; it is
//! counted as a divergence, and it is a path of the program nevertheless: everything
//! it met holds for its inputs.
//!
//! The built-in library belongs to the code that calls it.
//!
//! (Chipounov, Kuznetsov and Candea, *S2E: a platform for in-vivo multi-path analysis of
//! software systems*, ASPLOS 2011.)

use super::follow::{self, Reason};
use machine::{Guidance, Machine, More, Origin, Policy, Seen, State, StreamId};
use mixed::solver::{Answer, PathCondition};
use program::{FunctionId, Program};
use rustc_hash::{FxHashSet, FxHasher};
use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use term::{Assignment, Term};

/// Which code is symbolic, and which routes through it were taken.
pub struct Selective {
    /// By function.
    selected: Vec<bool>,
    routes: RefCell<FxHashSet<u64>>,
    /// Runs to begin.
    revisits: RefCell<Vec<Revisit>>,
    divergences: Cell<u64>,
}

/// A run to begin at the start, for a branch that soft conditions stood against.
struct Revisit {
    inputs: Assignment,
    route: Route,
    seen: Vec<Seen>,
}

/// The mark of a path: its route through the selected code.
#[derive(Clone, Default)]
struct Inside {
    /// What was assumed there, or by the program's own assumptions.
    hard: PathCondition,
    route: Route,
    /// The route to follow before anything forks, and the standard input and files to
    /// find.
    again: Route,
    seen: Vec<Seen>,
}

/// A sequence of decisions: how many, and which.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Route {
    decisions: u32,
    hash: u64,
}

impl Route {
    fn then(self, decision: (u32, u32, u64)) -> Route {
        let mut hasher = FxHasher::default();
        (self.hash, decision).hash(&mut hasher);
        Route {
            decisions: self.decisions + 1,
            hash: hasher.finish(),
        }
    }
}

impl Selective {
    /// Makes only these functions, and those of these files, symbolic.
    ///
    /// # Errors
    ///
    /// Names what is neither a function with a body nor a file of the program.
    pub fn new(program: &Program, names: &[String]) -> Result<Selective, String> {
        let mut selected = vec![false; program.functions.len()];
        for name in names {
            let mut any = false;
            for (number, function) in program.functions.iter().enumerate() {
                let source = function.source.map(|id| program.source.function(id));
                let file = source.and_then(|source| source.file);
                let file = file.map(|id| program.source.file(id).name.as_str());
                let is_file = file.is_some_and(|file| is_named(file, name));
                let named = source.is_some_and(|source| source.name == *name);
                if function.body.is_some() && (is_file || named || function.name == *name) {
                    selected[number] = true;
                    any = true;
                }
            }
            if !any {
                return Err(name.clone());
            }
        }
        Ok(Selective {
            selected,
            routes: RefCell::default(),
            revisits: RefCell::default(),
            divergences: Cell::new(0),
        })
    }

    /// Runs that missed the branch they were for.
    pub fn divergences(&self) -> u64 {
        self.divergences.get()
    }

    /// At the start of the program, all that is assumed is hard.
    pub fn begin(&self, state: &mut State) {
        let hard = state.path.clone();
        state.marks.get_mut::<Inside>().hard = hard;
    }

    /// The states of runs to begin, made from the program's first state.
    pub fn take_revisits(&self, first: &State) -> Vec<State> {
        let revisits = self.revisits.take();
        let states = revisits.into_iter().map(|revisit| {
            let mut state = first.clone();
            state.model = Rc::new(revisit.inputs);
            let inside = state.marks.get_mut::<Inside>();
            inside.again = revisit.route;
            inside.seen = revisit.seen;
            if inside.route.decisions < inside.again.decisions {
                follow::begin(&mut state, Reason::Again);
            }
            state
        });
        states.collect()
    }

    /// Whether the path is in code that was not selected.
    fn is_outside(&self, machine: &Machine<'_>, state: &State) -> bool {
        let callers = std::iter::successors(state.callers.as_deref(), |c| c.callers.as_deref());
        let frames = std::iter::once(&state.frame).chain(callers.map(|caller| &caller.frame));
        let mut functions = frames.map(|frame| FunctionId(frame.function));
        let own = functions.find(|&function| !machine.is_library(function));
        !own.is_some_and(|function| self.selected[function.index()])
    }

    /// Notes a decision; whether nobody took this route before.
    fn go_on(&self, state: &mut State, decision: (u32, u32, u64)) -> bool {
        let inside = state.marks.get_mut::<Inside>();
        inside.route = inside.route.then(decision);
        let (route, again) = (inside.route, inside.again);
        if route.decisions == again.decisions && route != again {
            self.divergences.set(self.divergences.get() + 1);
        }
        if route.decisions >= again.decisions {
            follow::cease(state, Reason::Again);
        }
        self.routes.borrow_mut().insert(route.hash)
    }

    /// Looks for inputs that satisfy the condition if what is soft is left out, and
    /// lets a run begin with them that goes this route.
    fn run_again(&self, machine: &mut Machine<'_>, state: &State, condition: Term, route: Route) {
        let inside = inside(state);
        let answer =
            machine
                .mixed
                .check_extended(&mut machine.store, &inside.hard, &state.model, condition);
        if let Answer::Sat(inputs) = answer {
            self.routes.borrow_mut().insert(route.hash);
            self.revisits.borrow_mut().push(Revisit {
                inputs,
                route,
                seen: state.streams.to_vec(),
            });
        }
    }
}

fn inside(state: &State) -> Inside {
    state.marks.get::<Inside>().cloned().unwrap_or_default()
}

impl Policy for Selective {
    fn guidance(&self, machine: &Machine<'_>, state: &State) -> Guidance {
        match self.is_outside(machine, state) {
            true => Guidance::Finish,
            false => Guidance::Explore,
        }
    }

    fn decided(&self, machine: &Machine<'_>, state: &mut State, successor: u64) -> bool {
        if self.is_outside(machine, state) {
            return true;
        }
        self.go_on(state, (state.frame.function, state.frame.pc, successor))
    }

    /// Looks for inputs that take the path along the successor that its conditions
    /// exclude, if those that are soft are left out.
    fn excluded(&self, machine: &mut Machine<'_>, state: &State, condition: Term, successor: u64) {
        if self.is_outside(machine, state) {
            return;
        }
        let decision = (state.frame.function, state.frame.pc, successor);
        let route = inside(state).route.then(decision);
        if !self.routes.borrow().contains(&route.hash) {
            self.run_again(machine, state, condition, route);
        }
    }

    /// Looks for inputs under which the assumption holds, if conditions that are soft
    /// are left out.
    fn unmet(&self, machine: &mut Machine<'_>, state: &State, condition: Term) {
        let route = inside(state).route;
        let decision = (state.frame.function, state.frame.pc, u64::MAX);
        let is_new = self.routes.borrow_mut().insert(route.then(decision).hash);
        if is_new {
            self.run_again(machine, state, condition, route);
        }
    }

    /// Keeps a condition that is not soft.
    fn assumed(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        condition: Term,
        origin: Origin,
    ) {
        if origin == Origin::Input || !self.is_outside(machine, state) {
            let inside = state.marks.get_mut::<Inside>();
            let hard = &mut inside.hard;
            machine.mixed.add(&machine.store, hard, condition);
        }
    }

    fn more(&self, state: &State, stream: StreamId) -> More {
        let seen = state.seen(stream).bytes;
        let wanted = inside(state).seen.get(stream.0).cloned();
        let wanted = wanted.unwrap_or_default();
        match seen < wanted.bytes {
            true => More::Yes,
            false if seen == wanted.bytes && wanted.ended => More::No,
            false => More::Both,
        }
    }

    /// How a stream goes on is a decision in whatever code it is: no condition tells it.
    fn stream_decided(&self, state: &mut State, stream: StreamId, ended: bool) {
        self.go_on(state, (u32::MAX, stream.0 as u32, ended.into()));
    }
}

/// Whether a file is the one a user means: by its path, or by the end of it.
fn is_named(file: &str, name: &str) -> bool {
    let name = name.strip_prefix("./").unwrap_or(name);
    let before = file.strip_suffix(name);
    !name.is_empty() && before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}
