//! Replay: a program on recorded inputs, along the one path they take.
//!
//! Recorded inputs stand in for symbolic ones wherever the machine makes them: each
//! request takes the next recorded one, whose name and size must be those asked for.
//! Everything else stays as it is, so that assumptions are checked, errors are found and
//! code is covered as on any path; only, every value is concrete, no branch has two
//! sides, and no query is made.

use crate::policy::Stack;
use crate::policy::follow::{Follow, Recording};
use crate::policy::staged::{Staged, Staging};
use machine::{Coverage, End, ErrorKind, Machine, Memory, Options, StartError, State};
use mixed::Mixed;
use program::{FunctionId, Program};
use std::rc::Rc;

/// Where recorded inputs led.
pub struct Replayed {
    /// How the path ended; none when it was not followed that far.
    pub end: Option<End>,
    /// What was reached on it.
    pub coverage: Coverage,
    /// What the program wrote to standard output.
    pub stdout: Vec<u8>,
}

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
        let machine = &mut self.machine;
        machine.coverage = Coverage::new(machine.program);
        let (end, stdout) = match machine.start(self.memory.clone(), self.entry) {
            Ok(first) => follow(machine, first, instructions),
            // The parameters of the entry function are its first inputs.
            Err(error) => {
                let end = End::Error(ErrorKind::OtherInputs, error.to_string());
                (Some(end), Vec::new())
            }
        };
        let fresh = Coverage::new(machine.program);
        Replayed {
            end,
            coverage: std::mem::replace(&mut machine.coverage, fresh),
            stdout,
        }
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

/// Follows one path to its end; how it ended and what was written.
fn follow(
    machine: &mut Machine<'_>,
    mut state: State,
    instructions: u64,
) -> (Option<End>, Vec<u8>) {
    const STDOUT: i32 = 1;
    while state.progress.instructions < instructions && !machine.options.stop.is_set() {
        let turn = machine.run(state);
        state = turn.state;
        if turn.end.is_some() {
            return (turn.end, state.output.written(STDOUT));
        }
    }
    (None, state.output.written(STDOUT))
}
