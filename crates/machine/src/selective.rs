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
//! Each way through the selected code is followed once, whatever happens outside.
//! A path that runs again may go another way there and miss the branch; it is
//! counted as a divergence, and it is a path of the program nevertheless: everything
//! it met holds for its inputs.
//!
//! The built-in library belongs to the code that calls it.

use crate::machine::Machine;
use crate::state::State;
use crate::stdin::Plan;
use mixed::solver::{Answer, PathCondition};
use program::FunctionId;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use term::{Assignment, Term};

/// What was selected, and which ways through it were taken.
#[derive(Default)]
pub(crate) struct Selective {
    /// By function; none when all of the program is symbolic.
    selected: Option<Vec<bool>>,
    ways: FxHashSet<u64>,
    /// Runs to begin.
    pub revisits: Vec<Revisit>,
    /// Runs that missed the branch they were for.
    pub divergences: u64,
}

/// A run to begin at the start, for a branch that soft conditions stood against.
pub(crate) struct Revisit {
    inputs: Assignment,
    way: Way,
    stdin: Plan,
}

/// What a path knows of its way through the selected code.
#[derive(Clone, Default)]
pub struct Inside {
    /// What was assumed there, or by the program's own assumptions.
    hard: PathCondition,
    way: Way,
    /// The way to follow before anything forks.
    follow: Way,
}

impl Inside {
    /// At the start of the program, all that is assumed is hard.
    pub(crate) fn begin(&mut self, path: &PathCondition) {
        self.hard = path.clone();
    }
}

/// A sequence of decisions: how many, and which.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Way {
    decisions: u32,
    hash: u64,
}

impl Way {
    fn then(self, decision: (u32, u32, u64)) -> Way {
        let mut hasher = FxHasher::default();
        (self.hash, decision).hash(&mut hasher);
        Way {
            decisions: self.decisions + 1,
            hash: hasher.finish(),
        }
    }
}

impl Machine<'_> {
    /// Makes only these functions, and those of these files, symbolic.
    ///
    /// # Errors
    ///
    /// Names what is neither a function with a body nor a file of the program.
    pub fn select(&mut self, names: &[String]) -> Result<(), String> {
        let program = self.program;
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
        self.selective.selected = Some(selected);
        Ok(())
    }

    /// Whether only a part of the program is symbolic.
    pub(crate) fn is_selective(&self) -> bool {
        self.selective.selected.is_some()
    }

    /// Whether the path is in code that was not selected.
    pub(crate) fn is_outside(&self, state: &State) -> bool {
        let Some(selected) = &self.selective.selected else {
            return false;
        };
        let callers = std::iter::successors(state.callers.as_deref(), |c| c.callers.as_deref());
        let frames = std::iter::once(&state.frame).chain(callers.map(|caller| &caller.frame));
        let mut functions = frames.map(|frame| FunctionId(frame.function));
        let own = functions.find(|&function| !self.is_library(function));
        !own.is_some_and(|function| selected[function.index()])
    }

    /// Whether the path goes where its model takes it, and nothing forks.
    pub(crate) fn follows_model(&self, state: &State) -> bool {
        let runs_again = state.inside.way.decisions < state.inside.follow.decisions;
        state.lazy.follows() || state.follows_model || runs_again || self.is_outside(state)
    }

    /// Keeps a condition that was added to the path, if it is not soft.
    pub(crate) fn harden(&mut self, state: &mut State, condition: Term) {
        if self.is_selective() {
            self.mixed
                .add(&self.store, &mut state.inside.hard, condition);
        }
    }

    /// The same where it is soft outside the selected code.
    pub(crate) fn harden_inside(&mut self, state: &mut State, condition: Term) {
        if self.is_selective() && !self.is_outside(state) {
            self.harden(state, condition);
        }
    }

    /// Notes a decision in the selected code; whether nobody took this way before.
    pub(crate) fn decided(&mut self, state: &mut State, which: u64) -> bool {
        if !self.is_selective() || self.is_outside(state) {
            return true;
        }
        self.go_on(state, (state.frame.function, state.frame.pc, which))
    }

    /// Notes how standard input goes on, which is a decision in whatever code it is:
    /// no condition tells it.
    pub(crate) fn decided_input(&mut self, state: &mut State, ends: bool) {
        if self.is_selective() {
            self.go_on(state, (u32::MAX, 0, ends.into()));
        }
    }

    fn go_on(&mut self, state: &mut State, decision: (u32, u32, u64)) -> bool {
        state.inside.way = state.inside.way.then(decision);
        let (way, follow) = (state.inside.way, state.inside.follow);
        if way.decisions == follow.decisions && way != follow {
            self.selective.divergences += 1;
        }
        self.selective.ways.insert(way.hash)
    }

    /// Looks for inputs that take the path along the other way of a decision here,
    /// which its conditions exclude, if those that are soft are left out.
    pub(crate) fn revisit(&mut self, state: &State, condition: Term, which: u64) {
        if !self.is_selective() || self.is_outside(state) {
            return;
        }
        let decision = (state.frame.function, state.frame.pc, which);
        let way = state.inside.way.then(decision);
        if self.selective.ways.contains(&way.hash) {
            return;
        }
        self.run_again(state, condition, way);
    }

    /// Looks for inputs under which an assumption holds that the path excludes, if
    /// conditions that are soft are left out.
    pub(crate) fn revisit_for_assumption(&mut self, state: &State, condition: Term) {
        if self.is_selective() {
            let decision = (state.frame.function, state.frame.pc, u64::MAX);
            let tried = state.inside.way.then(decision);
            if self.selective.ways.insert(tried.hash) {
                self.run_again(state, condition, state.inside.way);
            }
        }
    }

    fn run_again(&mut self, state: &State, condition: Term, way: Way) {
        let hard = &state.inside.hard;
        let answer = self
            .mixed
            .check_extended(&mut self.store, hard, &state.model, condition);
        if let Answer::Sat(inputs) = answer {
            self.selective.ways.insert(way.hash);
            self.selective.revisits.push(Revisit {
                inputs,
                way,
                stdin: state.stdin.plan(),
            });
        }
    }

    /// The states of runs to begin, made from the program's first state.
    pub(crate) fn take_revisits(&mut self, first: &State) -> Vec<State> {
        let revisits = std::mem::take(&mut self.selective.revisits);
        let states = revisits.into_iter().map(|revisit| {
            let mut state = first.clone();
            state.model = Rc::new(revisit.inputs);
            state.inside.follow = revisit.way;
            state.stdin.follow(revisit.stdin);
            state
        });
        states.collect()
    }
}

/// Whether a file is the one a user means: by its path, or by the end of it.
fn is_named(file: &str, name: &str) -> bool {
    let name = name.strip_prefix("./").unwrap_or(name);
    let before = file.strip_suffix(name);
    !name.is_empty() && before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}
