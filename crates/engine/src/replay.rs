//! Replay: a program on recorded inputs, along the one path they take.
//!
//! Recorded inputs stand in for symbolic ones wherever the machine makes them: each
//! request takes the next recorded one, whose name and size must be those asked for.
//! Everything else stays as it is, so that assumptions are checked, errors are found and
//! code is covered as on any path; only, every value is concrete, no branch has two
//! sides, and no query is made. A trace is the same with values that are symbolic at the
//! same time: it tells the conditions that the path met.

use crate::policy::follow::{Follow, Recording};
use crate::policy::staged::{Staged, Staging};
use crate::policy::{Stack, Step, trail};
use crate::written;
use machine::{Coverage, End, ErrorKind, Machine, Memory, Options, StartError, State};
use mixed::Mixed;
use program::{FunctionId, Program};
use std::ops::Range;
use std::rc::Rc;

/// Where recorded inputs led.
pub struct Replayed {
    /// How the path ended; none when it was not followed that far.
    pub end: Option<End>,
    /// What was reached on it.
    pub coverage: Coverage,
    /// What the program wrote to standard output.
    pub stdout: Vec<u8>,
    /// Where in it addresses are, which are others in each process.
    pub addresses: Vec<Range<usize>>,
}

/// Where recorded inputs led, and why.
pub struct Traced {
    /// Where they led.
    pub replayed: Replayed,
    /// The state at the end, unless the program did not begin.
    pub state: Option<State>,
}

impl Traced {
    /// The conditions that were met, in order.
    pub fn steps(&self) -> &[Step] {
        self.state.as_ref().map_or(&[], trail::steps)
    }
}

/// The descriptor of standard output.
const STDOUT: i32 = 1;

/// A program made ready to be replayed, any number of times.
pub struct Replay<'p> {
    machine: Machine<'p>,
    /// What every replay starts with.
    memory: Memory,
    entry: FunctionId,
    follow: Rc<Follow>,
}

impl<'p> Replay<'p> {
    /// Makes the program ready.
    ///
    /// # Errors
    ///
    /// When the machine has no room for the program.
    pub fn new(
        program: &'p Program,
        entry: FunctionId,
        mixed: impl Into<Mixed<'p>>,
        options: Options,
    ) -> Result<Replay<'p>, StartError> {
        let follow = Rc::new(Follow::recorded(Recording::default()));
        // Objects of suites are recorded too; neither suite nor invariant is needed.
        let staged = Staged::new(program, Staging::default(), None, follow.clone())
            .expect("there are no objects that could not be made");
        let policy = Stack::new(vec![follow.clone(), Rc::new(staged)]);
        let (machine, memory) = Machine::prepare(program, mixed.into(), options, Rc::new(policy))?;
        Ok(Replay {
            machine,
            memory,
            entry,
            follow,
        })
    }

    /// Follows the path that the inputs take, for at most so many instructions.
    pub fn run(&mut self, inputs: Recording, instructions: u64) -> Replayed {
        self.follow.record(inputs);
        self.go(instructions).0
    }

    /// The same with inputs that are symbolic too: also the conditions that the path
    /// met, and the inputs they are about.
    pub fn trace(&mut self, inputs: Recording, instructions: u64) -> Traced {
        self.follow.trace(inputs);
        let (replayed, state) = self.go(instructions);
        Traced { replayed, state }
    }

    fn go(&mut self, instructions: u64) -> (Replayed, Option<State>) {
        let machine = &mut self.machine;
        machine.coverage = Coverage::new(machine.program);
        let (end, state) = match machine.start(self.memory.clone(), self.entry) {
            Ok(first) => {
                let (end, state) = follow(machine, first, instructions);
                (end, Some(state))
            }
            // The parameters of the entry function are its first inputs.
            Err(error) => {
                let end = End::Error(ErrorKind::OtherInputs, error.to_string());
                (Some(end), None)
            }
        };
        let fresh = Coverage::new(machine.program);
        let written = state.as_ref().map(|state| {
            let text = state.output.written(STDOUT);
            let addresses = written::addresses(machine, state, &text);
            (text, addresses)
        });
        let (stdout, addresses) = written.unwrap_or_default();
        let replayed = Replayed {
            end,
            coverage: std::mem::replace(&mut machine.coverage, fresh),
            stdout,
            addresses,
        };
        (replayed, state)
    }

    /// The machine, which has the terms that conditions are made of.
    pub fn machine(&mut self) -> &mut Machine<'p> {
        &mut self.machine
    }

    /// Looks for memory that was never freed from here on, or does not.
    pub fn look_for_leaks(&mut self, leaks: bool) {
        self.machine.options.leaks = leaks;
    }

    /// Queries that were made: none, while every value is recorded.
    pub fn queries(&self) -> u64 {
        self.machine.mixed.solver().statistics().queries
    }
}

/// Follows one path to its end; how it ended and where.
fn follow(machine: &mut Machine<'_>, mut state: State, instructions: u64) -> (Option<End>, State) {
    while state.progress.instructions < instructions && !machine.options.stop.is_set() {
        let turn = machine.run(state);
        state = turn.state;
        if turn.end.is_some() {
            return (turn.end, state);
        }
    }
    (None, state)
}
