//! Replay: a program on recorded inputs, along the one path they take.
//!
//! A [`Recording`] stands in for symbolic inputs wherever the machine makes
//! them: each request takes the next recorded one, whose name and size must be
//! those asked for. Everything else stays as it is, so that assumptions are
//! checked, errors are found and code is covered as on any path; only, every
//! value is concrete, no branch has two sides, and the solver is asked nothing.
//!
//! Whoever has inputs and wants to know where they lead replays them: the
//! comparison with the real program does, and what starts an exploration from
//! given inputs will.

use crate::coverage::Coverage;
use crate::machine::{Machine, Options, Ran};
use crate::memory::Memory;
use crate::outcome::{End, ErrorKind, Stop, error};
use crate::state::{Phase, State};
use crate::value::Value;
use mixed::Mixed;
use program::{FunctionId, Program};
use std::rc::Rc;
use term::Term;

/// Recorded inputs by name, in the order in which a path asks for them.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    inputs: Rc<[(String, Vec<u8>)]>,
    stdin: Rc<[u8]>,
}

impl Recording {
    /// The same with this standard input.
    pub fn with_stdin(self, bytes: &[u8]) -> Recording {
        Recording {
            stdin: bytes.into(),
            ..self
        }
    }

    pub(crate) fn stdin(&self) -> &[u8] {
        &self.stdin
    }
}

impl FromIterator<(String, Vec<u8>)> for Recording {
    fn from_iter<I: IntoIterator<Item = (String, Vec<u8>)>>(inputs: I) -> Recording {
        Recording {
            inputs: inputs.into_iter().collect(),
            ..Recording::default()
        }
    }
}

/// Where recorded inputs led.
pub struct Replayed {
    /// How the path ended; none when it was not followed that far.
    pub end: Option<End>,
    /// What was reached on it.
    pub coverage: Coverage,
}

/// A program made ready to be replayed, any number of times.
pub struct Replay<'p> {
    machine: Machine<'p>,
    /// What every replay starts with.
    memory: Memory,
    entry: FunctionId,
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
    ) -> Result<Replay<'p>, String> {
        let (machine, memory) = Machine::prepared(program, mixed.into(), options)?;
        Ok(Replay {
            machine,
            memory,
            entry,
        })
    }

    /// Follows the path that the inputs take, for at most so many instructions.
    pub fn run(&mut self, inputs: Recording, instructions: u64) -> Replayed {
        let machine = &mut self.machine;
        machine.options.recorded = Some(inputs);
        machine.coverage = Coverage::new(machine.program);
        let end = match machine.first(self.memory.clone(), self.entry) {
            Ok(first) => machine.follow_model(first, instructions),
            // The parameters of the entry function are its first inputs.
            Err(message) => Some(End::Error(ErrorKind::OtherInputs, message)),
        };
        let fresh = Coverage::new(machine.program);
        Replayed {
            end,
            coverage: std::mem::replace(&mut machine.coverage, fresh),
        }
    }

    /// What the entry function gives for these arguments, called on its own, in
    /// the memory the program starts with.
    ///
    /// # Errors
    ///
    /// When it ends in any other way than by returning, or not within so many
    /// instructions.
    pub(crate) fn call(&mut self, arguments: &[u64], instructions: u64) -> Result<u64, String> {
        let machine = &mut self.machine;
        let mut state = machine.blank(self.memory.clone());
        let body = machine.body(self.entry).ok_or("it has no body")?;
        state.frame = machine.frame(self.entry);
        for (i, &word) in arguments.iter().enumerate() {
            state.frame.registers[body.parameter(i).index()] = Value::word(word);
        }
        state.phase = Phase::Called;
        machine.result = None;
        match machine.follow_model(state, instructions) {
            Some(End::Exit(_)) => {}
            Some(End::Error(kind, message)) => return Err(format!("{kind}: {message}")),
            Some(End::Ignored) => return Err("it drops the path".to_owned()),
            Some(End::TooDeep) => return Err("its calls are nested too deep".to_owned()),
            None => {
                return Err(format!(
                    "it does not end within {instructions} instructions"
                ));
            }
        }
        let result = machine.result.take().and_then(Value::as_word);
        result.ok_or_else(|| "it ends the program".to_owned())
    }

    /// Looks for memory that was never freed from here on, or does not.
    pub fn look_for_leaks(&mut self, leaks: bool) {
        self.machine.options.leaks = leaks;
    }

    /// Questions the solver was asked: none, while every value is recorded.
    pub fn questions(&self) -> u64 {
        self.machine.mixed.solver().statistics().queries
    }
}

impl Machine<'_> {
    /// The recorded bytes for the next input, if inputs are recorded.
    pub(crate) fn recorded_input(
        &mut self,
        state: &State,
        name: &str,
        size: usize,
    ) -> Result<Option<Vec<Term>>, Stop> {
        let Some(recording) = &self.options.recorded else {
            return Ok(None);
        };
        let number = state.inputs.number();
        let Some((recorded, bytes)) = recording.inputs.get(number) else {
            let message = format!(
                "the program asks for input {}, `{name}` of {size} bytes, and {number} are recorded",
                number + 1
            );
            return error(ErrorKind::OtherInputs, message);
        };
        if recorded != name || bytes.len() != size {
            let message = format!(
                "input {} is `{recorded}` of {} bytes, and the program asks for `{name}` of {size}",
                number + 1,
                bytes.len()
            );
            return error(ErrorKind::OtherInputs, message);
        }
        let byte = |&byte: &u8| self.store.bv(8, byte.into());
        Ok(Some(bytes.iter().map(byte).collect()))
    }

    /// The recorded bytes of a graph of objects, which is the next input.
    pub(crate) fn recorded_objects(&self, state: &State, name: &str) -> Result<Vec<u8>, Stop> {
        let recording = self.options.recorded.as_ref();
        let number = state.inputs.number();
        let next = recording.and_then(|recording| recording.inputs.get(number));
        match next {
            Some((recorded, bytes)) if recorded == name => Ok(bytes.clone()),
            Some((recorded, _)) => error(
                ErrorKind::OtherInputs,
                format!(
                    "input {} is `{recorded}`, and the program asks for objects of `{name}`",
                    number + 1
                ),
            ),
            None => error(
                ErrorKind::OtherInputs,
                format!(
                    "the program asks for objects of `{name}`, and {number} inputs are recorded"
                ),
            ),
        }
    }

    /// Follows one path to its end: where values are symbolic after all, that
    /// of the state's model.
    fn follow_model(&mut self, first: State, instructions: u64) -> Option<End> {
        let mut state = first;
        while state.instructions <= instructions {
            let ran = self.run(state);
            self.take_forked();
            self.take_ended();
            self.take_prospects();
            state = match ran {
                Ran::On(state) => state,
                Ran::Ended(_, end) => return Some(end),
            };
        }
        None
    }
}
