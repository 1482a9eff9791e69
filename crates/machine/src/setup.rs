//! From a program to a machine that is ready to run it, and a state to begin with.

use crate::costs::Costs;
use crate::coverage::Coverage;
use crate::error::StartError;
use crate::image::Image;
use crate::input_types::InputTypes;
use crate::kernel;
use crate::machine::{Callee, Machine, Options, Successors};
use crate::memory::Memory;
use crate::policy::{AllPaths, Policy};
use crate::shims;
use crate::state::{Phase, State};
use mixed::Mixed;
use program::{FunctionId, Program};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::Store;

impl<'p> Machine<'p> {
    /// A machine that follows every path, and the state that is about to call `entry`.
    ///
    /// # Errors
    ///
    /// When the program does not fit the machine, or `entry` cannot be called.
    pub fn new(
        program: &'p Program,
        entry: FunctionId,
        mixed: impl Into<Mixed<'p>>,
        options: Options,
    ) -> Result<(Machine<'p>, State), StartError> {
        let policy = Rc::new(AllPaths);
        let (mut machine, memory) = Machine::prepare(program, mixed.into(), options, policy)?;
        let state = machine.start(memory, entry)?;
        Ok((machine, state))
    }

    /// Makes the program ready, and gives the memory it starts with.
    ///
    /// # Errors
    ///
    /// When the program does not fit the machine.
    pub fn prepare(
        program: &'p Program,
        mixed: Mixed<'p>,
        options: Options,
        policy: Rc<dyn Policy + 'p>,
    ) -> Result<(Machine<'p>, Memory), StartError> {
        let mut store = Store::new();
        let callee = |name: &str| {
            let shim = shims::find(name).map(Callee::Shim);
            shim.or_else(|| policy.provides(name).then_some(Callee::Policy))
        };
        let (image, mut memory) = Image::new(program, &mut store, callee)?;
        let (kernel, streams) = kernel::surroundings(&mut store, &options.environment);
        let mut machine = Machine {
            program,
            options,
            store,
            mixed,
            coverage: Coverage::new(program),
            forks: 0,
            costs: Costs::default(),
            input_types: InputTypes::default(),
            events: policy.events(),
            policy,
            image,
            externals: Default::default(),
            calls_made: Default::default(),
            indeterminate: FxHashMap::default(),
            streams,
            kernel,
            omissions: Default::default(),
            retraced_deferral: None,
            input_bytes: FxHashMap::default(),
            successors: Successors::default(),
            asked_before: 0,
        };
        machine.declare_externals()?;
        machine.define_variables(&mut memory)?;
        Ok((machine, memory))
    }

    /// A state about to call `entry`, after the constructors of globals.
    ///
    /// # Errors
    ///
    /// When the function has no body, or parameters that no input can be made for.
    pub fn start(&mut self, memory: Memory, entry: FunctionId) -> Result<State, StartError> {
        let name = &self.program.functions[entry.index()].name;
        if self.body(entry).is_none() {
            return Err(StartError::NoBody(name.clone()));
        }
        let mut state = self.state(memory);
        let main = self.entry(&mut state, entry)?;
        let mut upcoming = vec![main];
        let constructors = self.program.constructors.iter().rev();
        upcoming.extend(
            constructors
                .filter(|structor| self.body(structor.function).is_some())
                .map(|structor| self.frame(structor.function)),
        );
        if name == "main" {
            // How many arguments it gets is decided when it runs: the path may fork.
            state.frame = self.frame(entry);
            state.phase = Phase::Starting(entry);
        }
        state.upcoming = Rc::new(upcoming);
        if state.phase == Phase::Running {
            self.start_upcoming(&mut state)
                .map_err(|_| StartError::FirstCall)?;
        }
        Ok(state)
    }

    /// A path on which nothing runs yet, with this memory.
    pub fn state(&self, memory: Memory) -> State {
        State::new(memory, self.kernel.clone(), self.streams.len())
    }
}
