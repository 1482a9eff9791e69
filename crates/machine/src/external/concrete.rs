//! A function of the program itself, run on concrete arguments by a machine of its own.

use super::{value_of, word_of};
use crate::error::StartError;
use crate::externals::ExternalOptions;
use crate::machine::{Machine, Options};
use crate::memory::Memory;
use crate::outcome::End;
use crate::policy::AllPaths;
use crate::state::{Phase, State};
use crate::value::Value;
use mixed::Mixed;
use mixed::oracle::Implementation;
use mixed::solver::Solver;
use program::{FunctionId, Kind, Program};
use std::rc::Rc;

/// Instructions a function of the program may take when it is run concretely.
const INSTRUCTIONS: u64 = 50_000_000;

/// A function that can be called any number of times, each time in the memory the
/// program starts with.
pub(super) struct ConcreteCall<'p> {
    machine: Machine<'p>,
    memory: Memory,
    function: FunctionId,
    result: Kind,
}

impl<'p> ConcreteCall<'p> {
    /// Makes the program ready; the function takes and gives numbers.
    pub fn new(program: &'p Program, function: FunctionId) -> Result<ConcreteCall<'p>, StartError> {
        let options = Options {
            external: ExternalOptions {
                own: false,
                ..ExternalOptions::default()
            },
            ..Options::default()
        };
        let shape = &program.signatures[program.functions[function.index()].signature.index()];
        let result = *shape.results.first().expect("a tabular function gives one");
        let mixed = Mixed::from(Solver::default());
        let (machine, memory) = Machine::prepare(program, mixed, options, Rc::new(AllPaths))?;
        Ok(ConcreteCall {
            machine,
            memory,
            function,
            result,
        })
    }

    /// The function as the oracle runs it.
    pub fn into_implementation(mut self) -> Implementation<'p> {
        Implementation::custom(move |arguments| {
            let words: Vec<u64> = arguments.iter().map(word_of).collect();
            let word = self.call(&words)?;
            Ok(value_of(self.result, word))
        })
    }

    /// What the function gives for these arguments.
    fn call(&mut self, arguments: &[u64]) -> Result<u64, String> {
        let given: Vec<Value> = arguments.iter().map(|&word| Value::word(word)).collect();
        let mut state = self.machine.state(self.memory.clone());
        let frame = self.machine.frame_with(self.function, &given);
        state.frame = frame.map_err(|error| error.to_string())?;
        state.phase = Phase::Called;
        let (state, end) = self.follow(state);
        match end {
            Some(End::Exit(_)) => {}
            Some(End::Error(kind, message)) => return Err(format!("{kind}: {message}")),
            Some(End::Ignored | End::Redundant) => return Err("it drops the path".to_owned()),
            Some(End::Unknown) => return Err("how it goes on is not known".to_owned()),
            Some(End::TooDeep) => return Err("its calls are nested too deep".to_owned()),
            None => {
                return Err(format!(
                    "it does not end within {INSTRUCTIONS} instructions"
                ));
            }
        }
        let result = match state.phase {
            Phase::Returned(result) => result.and_then(Value::as_word),
            Phase::Starting(_)
            | Phase::Running
            | Phase::Planned
            | Phase::Called
            | Phase::Exiting(_)
            | Phase::Destroying(_) => None,
        };
        result.ok_or_else(|| "it ends the program".to_owned())
    }

    /// Follows the one path that concrete values take; how it ended, unless it takes
    /// too long.
    fn follow(&mut self, mut state: State) -> (State, Option<End>) {
        while state.progress.instructions <= INSTRUCTIONS {
            let turn = self.machine.run(state);
            if turn.end.is_some() {
                return (turn.state, turn.end);
            }
            state = turn.state;
        }
        (state, None)
    }
}
