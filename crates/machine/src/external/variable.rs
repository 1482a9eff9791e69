//! Variables that are declared and nowhere defined.
//!
//! What they hold nobody knows: a path that reads or writes one ends there by its name, and
//! one that takes its address goes on. The user can say what they hold at the start, in the
//! way of functions without a body.

use crate::error::StartError;
use crate::externals::Stub;
use crate::incomplete::Incomplete;
use crate::machine::Machine;
use crate::memory::{Memory, Object, Region};
use crate::outcome::{ErrorKind, Halt};
use crate::pointers::{Access, Spot};
use crate::state::{InputKind, State};
use program::{Address, Base, Global, GlobalId};
use std::rc::Rc;

/// The largest variable that a number can be put into.
const WORD: u64 = 8;

impl Machine<'_> {
    /// What an access to a variable at this address, which nothing defines, ends the path with.
    pub(crate) fn undefined(
        &mut self,
        state: &State,
        address: u64,
        access: Access,
    ) -> (ErrorKind, String) {
        let global = self.image.global_at(self.program, address);
        let name: Rc<str> = global.map_or("", |(_, global)| &global.name).into();
        let variable = name.clone();
        self.incomplete_end(state, Incomplete::MissingVariable { variable });
        let verb = access.verb();
        let message = format!("not supported: a {verb} of `{name}`, which nothing defines");
        (ErrorKind::Unsupported, message)
    }

    /// Defines the variables that the user says the contents of.
    ///
    /// # Errors
    ///
    /// When one cannot hold that.
    pub(crate) fn define_variables(&self, memory: &mut Memory) -> Result<(), StartError> {
        for (id, stub) in self.stubbed_variables() {
            let global = &self.program.globals[id.index()];
            if let Some(reason) = refused(global, stub) {
                return Err(StartError::NotReplaced {
                    name: global.name.clone(),
                    reason,
                });
            }
            let address = self.variable(id);
            let number = memory.id_of(address);
            if let Some(object) = memory.object_mut(number) {
                *object = Object::new(address, global.size, Region::Global, 0);
            }
            if let Stub::Number(word) = stub {
                memory.store(address, global.size as usize, word as u64);
            }
        }
        memory.settle();
        Ok(())
    }

    /// Makes an input of each variable that may hold anything.
    ///
    /// # Errors
    ///
    /// When the policy that gives inputs refuses one.
    pub(crate) fn make_variables_symbolic(&mut self, state: &mut State) -> Result<(), Halt> {
        let all = self.stubbed_variables();
        for (id, _) in all.into_iter().filter(|(_, stub)| *stub == Stub::Symbolic) {
            let Global { name, size, .. } = &self.program.globals[id.index()];
            let bytes = self.input(state, name, *size as usize, InputKind::Bytes)?;
            let spot = Spot::At(state.memory.id_of(self.variable(id)), 0);
            self.write(state, spot, &bytes);
        }
        Ok(())
    }

    fn stubbed_variables(&self) -> Vec<(GlobalId, Stub)> {
        let stubs = self.options.external.stubs.iter();
        let variables = stubs.filter_map(|(name, &stub)| Some((self.program.global(name)?, stub)));
        let undefined = |id: GlobalId| self.program.globals[id.index()].initializer.is_none();
        variables.filter(|&(id, _)| undefined(id)).collect()
    }

    fn variable(&self, id: GlobalId) -> u64 {
        let base = Base::Global(id);
        self.image.address(Address { base, offset: 0 })
    }
}

/// Why a variable cannot hold what the user says.
fn refused(global: &Global, stub: Stub) -> Option<&'static str> {
    match stub {
        _ if global.size == 0 => Some("its declaration does not say how large it is"),
        Stub::Fail => Some("a variable cannot fail"),
        Stub::Symbolic | Stub::Number(_) if global.thread_local => {
            Some("each thread has its own, which can only be zero")
        }
        Stub::Number(_) if global.size > WORD => Some("it is larger than a number"),
        Stub::Symbolic | Stub::Zero | Stub::Number(_) => None,
    }
}
