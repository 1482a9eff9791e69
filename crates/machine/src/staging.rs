//! The call of a method on objects that satisfy an invariant, without a driver
//! in the program's language.
//!
//! A [`Staging`] says which objects there are, what is required of them, which
//! method is called and what has to hold afterwards. The machine makes these
//! calls one after the other. With solutions at hand, an invariant is followed
//! along each of them instead of being explored: branches go as the solution
//! has them, nothing forks and the solver is asked nothing. What comes after
//! the invariants is explored freely.

use crate::entry::entry_input;
use crate::layout::{Layout, Layouts, SlotKind, pointee};
use crate::machine::{Machine, Options};
use crate::memory::Memory;
use crate::outcome::{End, ErrorKind, Stop, error};
use crate::state::{Frame, Phase, State};
use crate::value::{Value, width};
use mixed::Mixed;
use program::{FunctionId, Kind, Passing, Program, Reg};
use staged::{Bounds, Solution};
use std::rc::Rc;
use term::Term;

/// Objects, what is required of them, and what is done with them.
#[derive(Clone, Default)]
pub struct Staging {
    /// The objects, in the order of the method's pointers.
    pub arguments: Vec<StagedArgument>,
    /// What is required of several of them together.
    pub preconditions: Vec<Precondition>,
    /// What is called with them; without, only their invariants are.
    pub method: Option<FunctionId>,
    /// Whether the invariants are not checked after the method.
    pub trust_method: bool,
    /// What has to hold of the method's arguments, and of its result if it
    /// takes one more.
    pub postcondition: Option<FunctionId>,
    /// Instructions an invariant may take; none is no limit.
    pub invariant_budget: Option<u64>,
}

/// An object that satisfies an invariant.
#[derive(Clone)]
pub struct StagedArgument {
    /// The name of its structure.
    pub type_name: String,
    /// What holds before and after the method.
    pub invariant: FunctionId,
    /// How many objects there may be.
    pub bounds: Rc<Bounds>,
    /// What the suite is called that they come from.
    pub suite: String,
    /// The objects that satisfy the invariant; without, they are looked for.
    pub solutions: Option<Vec<Rc<Solution>>>,
}

/// What is required of several objects together.
#[derive(Clone)]
pub struct Precondition {
    /// The function that tells.
    pub function: FunctionId,
    /// Which arguments it gets.
    pub arguments: Vec<usize>,
}

/// A call to make when the one before has returned.
#[derive(Clone)]
pub struct Upcoming {
    /// The call.
    pub frame: Frame,
    /// What its return means.
    pub role: Role,
    /// The parameter that gets the method's result.
    pub result: Option<Reg>,
}

/// What the return of an outermost call means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Role {
    /// Nothing but that the next call is made.
    #[default]
    Plain,
    /// The invariant of an argument before the method.
    Invariant(usize),
    /// What is required of several arguments.
    Precondition,
    /// The method.
    Method,
    /// The invariant of an argument after the method.
    Ensured,
    /// What has to hold of the method's arguments and result.
    Postcondition,
}

impl From<Frame> for Upcoming {
    fn from(frame: Frame) -> Upcoming {
        Upcoming {
            frame,
            role: Role::Plain,
            result: None,
        }
    }
}

/// What the machine keeps of a staging.
#[derive(Default)]
pub(crate) struct Stage {
    staging: Staging,
    layouts: Layouts,
    unbounded: Rc<Bounds>,
}

/// The pointers to structures among a function's parameters: position and the
/// structure's name.
///
/// # Errors
///
/// When a parameter is a pointer to anything else, or the debug information
/// does not tell.
pub fn staged_parameters(
    program: &Program,
    function: FunctionId,
) -> Result<Vec<(usize, String)>, String> {
    let function = &program.functions[function.index()];
    let name = &function.name;
    let parameters = &program.signatures[function.signature.index()].parameters;
    let source = function.source.map(|id| program.source.function(id));
    let own = source.map_or(&[][..], |source| &source.parameters);
    let pointers = parameters.iter().enumerate();
    let pointers = pointers.filter(|(_, parameter)| parameter.kind == Kind::Ptr);
    let mut found = Vec::new();
    for (number, parameter) in pointers {
        if matches!(
            parameter.passing,
            Passing::ByValue { .. } | Passing::StructReturn { .. }
        ) {
            return Err(format!("`{name}` takes or returns a structure by value"));
        }
        if !own.is_empty() && own.len() != parameters.len() {
            return Err(format!(
                "`{name}` takes or returns a structure by value, or a slice"
            ));
        }
        if own.is_empty() {
            return Err(format!(
                "the debug information does not tell the parameters of `{name}`; compile it with -g"
            ));
        }
        let to = own[number].debug_type;
        match to.and_then(|id| pointee(&program.source, id)) {
            Some(structure) => found.push((number, structure)),
            None => {
                return Err(format!(
                    "the parameter `{}` of `{name}` points to no structure",
                    own[number].name
                ));
            }
        }
    }
    Ok(found)
}

/// The structures of which there may be any number in objects of a type.
///
/// # Errors
///
/// When the debug information does not tell the structures.
pub fn unbounded_types(
    program: &Program,
    type_name: &str,
    bounds: &Bounds,
) -> Result<Vec<String>, String> {
    let mut layouts = Layouts::default();
    layouts.add(program, type_name)?;
    Ok(layouts.unbounded(bounds))
}

impl<'p> Machine<'p> {
    /// Makes the program ready and gives its first state, about to make the
    /// first of the calls. Others may have split off from it.
    ///
    /// # Errors
    ///
    /// When functions and objects do not fit together.
    pub fn staged(
        program: &'p Program,
        staging: Staging,
        mixed: impl Into<Mixed<'p>>,
        options: Options,
    ) -> Result<(Machine<'p>, State), String> {
        let (mut machine, memory) = Machine::prepared(program, mixed.into(), options)?;
        let mut stage = Stage {
            staging,
            ..Stage::default()
        };
        let mut layouts = Vec::new();
        for argument in &mut stage.staging.arguments {
            layouts.push(
                stage
                    .layouts
                    .prepare(program, argument, &mut machine.notes)?,
            );
        }
        machine.stage = stage;
        let state = machine.plan(memory, &layouts);
        let state = state.map_err(|stop| match stop {
            Planning::Wrong(message) => message,
            Planning::Stopped(Stop::End(End::Error(_, message))) => message,
            Planning::Stopped(_) => "no solution of the suites fits this program".to_owned(),
        })?;
        Ok((machine, state))
    }

    /// The objects and what is done with them.
    pub fn staging(&self) -> &Staging {
        &self.stage.staging
    }

    /// Whether it calls a method on objects, not the program's entry.
    pub fn is_staged(&self) -> bool {
        !self.stage.staging.arguments.is_empty()
    }

    /// The first state, with all calls ahead of it.
    fn plan(&mut self, memory: Memory, layouts: &[Rc<Layout>]) -> Result<State, Planning> {
        let staging = self.stage.staging.clone();
        let mut state = self.blank(memory);
        state.phase = Phase::Staged;
        let mut roots = Vec::new();
        for (argument, layout) in layouts.iter().enumerate() {
            let root = self.lazy_object(&mut state, argument, layout.clone())?;
            roots.push(Value::word(state.lazy.address(root)));
        }
        let mut calls = Vec::new();
        let constructors = self.program.constructors.iter();
        for structor in constructors.filter(|structor| self.body(structor.function).is_some()) {
            calls.push(Upcoming::from(self.frame(structor.function)));
        }
        for (number, argument) in staging.arguments.iter().enumerate() {
            let role = Role::Invariant(number);
            calls.push(self.predicate(argument.invariant, &[roots[number]], role)?);
        }
        for precondition in &staging.preconditions {
            let given = precondition.arguments.iter();
            let given: Vec<Value> = given.map(|&number| roots[number]).collect();
            calls.push(self.predicate(precondition.function, &given, Role::Precondition)?);
        }
        if let Some(method) = staging.method {
            let given = self.method_arguments(&mut state, method, &roots)?;
            let frame = self.frame_with(method, &given)?;
            calls.push(Upcoming {
                role: Role::Method,
                ..Upcoming::from(frame)
            });
            let ensured = staging.arguments.iter().zip(&roots);
            for (argument, &root) in ensured.filter(|_| !staging.trust_method) {
                calls.push(self.predicate(argument.invariant, &[root], Role::Ensured)?);
            }
            if let Some(postcondition) = staging.postcondition {
                calls.push(self.postcondition(postcondition, method, given)?);
            }
        }
        calls.reverse();
        state.upcoming = Rc::new(calls);
        self.start_upcoming(&mut state)?;
        Ok(state)
    }

    /// A call of a function that tells whether something holds.
    fn predicate(
        &self,
        function: FunctionId,
        given: &[Value],
        role: Role,
    ) -> Result<Upcoming, String> {
        let name = &self.program.functions[function.index()].name;
        let signature = self.program.functions[function.index()].signature;
        let results = &self.program.signatures[signature.index()].results;
        if !matches!(results[..], [Kind::Int(_)]) {
            return Err(format!("`{name}` does not return a truth value"));
        }
        Ok(Upcoming {
            role,
            ..Upcoming::from(self.frame_with(function, given)?)
        })
    }

    fn postcondition(
        &self,
        function: FunctionId,
        method: FunctionId,
        mut given: Vec<Value>,
    ) -> Result<Upcoming, String> {
        let taken = self.parameters(function);
        let called = self.program.functions[method.index()].signature;
        let results = &self.program.signatures[called.index()].results;
        let takes_result = taken == given.len() + 1 && results.len() == 1;
        if takes_result {
            given.push(Value::ZERO);
        }
        let mut call = self.predicate(function, &given, Role::Postcondition)?;
        if takes_result {
            let body = self.body(function).ok_or("it has no body")?;
            call.result = Some(body.parameter(taken - 1));
        }
        Ok(call)
    }

    fn parameters(&self, function: FunctionId) -> usize {
        let signature = self.program.functions[function.index()].signature;
        self.program.signatures[signature.index()].parameters.len()
    }

    fn frame_with(&self, function: FunctionId, given: &[Value]) -> Result<Frame, String> {
        let name = &self.program.functions[function.index()].name;
        let body = self.body(function);
        let body = body.ok_or_else(|| format!("the function `{name}` has no body"))?;
        let taken = self.parameters(function);
        if taken != given.len() {
            return Err(format!(
                "`{name}` takes {taken} arguments, and there are {} for it",
                given.len()
            ));
        }
        let mut frame = self.frame(function);
        for (number, &value) in given.iter().enumerate() {
            frame.registers[body.parameter(number).index()] = value;
        }
        Ok(frame)
    }

    /// The staged objects for a method's pointers, in order, and inputs for its
    /// other parameters.
    fn method_arguments(
        &mut self,
        state: &mut State,
        method: FunctionId,
        roots: &[Value],
    ) -> Result<Vec<Value>, Planning> {
        let name = &self.program.functions[method.index()].name;
        let pointers = staged_parameters(self.program, method)?;
        let types = self.stage.staging.arguments.iter();
        let types: Vec<&str> = types.map(|argument| &*argument.type_name).collect();
        let wanted: Vec<&str> = pointers.iter().map(|(_, name)| &**name).collect();
        if types != wanted {
            return Err(Planning::Wrong(format!(
                "`{name}` takes pointers to {}, and the objects are of {}",
                listed(&wanted),
                listed(&types)
            )));
        }
        let mut roots = roots.iter();
        let mut values = Vec::new();
        for number in 0..self.parameters(method) {
            if pointers.iter().any(|(at, _)| *at == number) {
                values.extend(roots.next());
            } else {
                let input = entry_input(self.program, method, number)?;
                values.push(self.input_value(state, &input.name, input.width, input.kind)?);
            }
        }
        Ok(values)
    }

    pub(crate) fn staged_bounds(&self, argument: usize) -> Rc<Bounds> {
        let own = self.staged_argument(argument);
        let own = own.map(|argument| &argument.bounds);
        own.unwrap_or(&self.stage.unbounded).clone()
    }

    /// An argument of the method's, or one that a program asked for itself.
    pub(crate) fn staged_argument(&self, argument: usize) -> Option<&StagedArgument> {
        let own = self.stage.staging.arguments.get(argument);
        own.or_else(|| self.regenerated(argument))
    }

    pub(crate) fn lazy_layout(&self, name: &str) -> Rc<Layout> {
        self.stage.layouts.get(name)
    }

    /// A call was started: an argument whose invariant is called gets its
    /// contents, once for each solution where there are solutions.
    pub(crate) fn begin_role(&mut self, state: &mut State) -> Result<(), Stop> {
        state.role_began = state.instructions;
        let Role::Invariant(argument) = state.role else {
            return Ok(());
        };
        let Some(solutions) = self.stage.staging.arguments[argument].solutions.clone() else {
            return self.fill_lazily(state, argument, None);
        };
        state.memory.settle();
        let mut ways = Vec::new();
        for solution in solutions {
            let mut way = state.clone();
            way.lazy.follow(argument, argument, solution);
            if self.fill_lazily(&mut way, argument, Some(0)).is_ok() {
                ways.push(way);
            }
        }
        if ways.is_empty() {
            return Err(Stop::End(End::Ignored));
        }
        *state = ways.remove(0);
        self.forks += ways.len() as u64;
        self.forked.extend(ways);
        Ok(())
    }

    /// An outermost call returned: what is required is required, what has to
    /// hold is checked.
    pub(crate) fn end_role(&mut self, state: &mut State, results: &[Value]) -> Result<(), Stop> {
        if state.role == Role::Plain {
            return Ok(());
        }
        if state.role == Role::Method {
            state.method_result = results.first().copied();
            return Ok(());
        }
        let holds = self.predicate_result(state, results);
        let name = self.shown_name(state.function());
        match state.role {
            Role::Plain | Role::Method => {}
            Role::Invariant(argument) => {
                self.only_if(state, holds).map_err(|stop| {
                    match state.lazy.follows() && stop == Stop::End(End::Ignored) {
                        true => self.misfit(state, "does not satisfy the invariant"),
                        false => stop,
                    }
                })?;
                state.lazy.stop_following();
                if let Some(field) = self.changed_field(state, argument) {
                    let message = format!("the invariant `{name}` changes {field}");
                    return error(ErrorKind::Invariant, message);
                }
                // States that split off here return from the invariant again.
                self.enumerate_rest(state);
            }
            Role::Precondition => self.only_if(state, holds)?,
            Role::Ensured => {
                let message = format!("`{name}` does not hold after {}", self.method_name());
                self.require(state, holds, ErrorKind::Invariant, &message)?;
            }
            Role::Postcondition => {
                let message = format!("`{name}` does not hold after {}", self.method_name());
                self.require(state, holds, ErrorKind::Postcondition, &message)?;
            }
        }
        let required = |call: &Upcoming| {
            matches!(
                call.role,
                Role::Invariant(_) | Role::Precondition | Role::Plain
            )
        };
        if !state.upcoming.last().is_some_and(required) {
            state.lazy.set_valid();
        }
        Ok(())
    }

    /// Whether a function that tells whether something holds says so.
    pub(crate) fn predicate_result(&mut self, state: &State, results: &[Value]) -> Term {
        let function = &self.program.functions[state.frame.function as usize];
        let kinds = &self.program.signatures[function.signature.index()].results;
        let bits = kinds.first().map_or(1, |&kind| width(kind));
        let result = results.first().copied().unwrap_or(Value::ZERO);
        let result = result.term(&mut self.store, bits);
        self.store.is_nonzero(result)
    }

    fn method_name(&self) -> String {
        let method = self.stage.staging.method;
        method.map_or_else(String::new, |id| format!("`{}`", self.shown_name(id)))
    }

    /// A function's name for people: that of the source where the linker's is
    /// another.
    pub(crate) fn shown_name(&self, id: FunctionId) -> &'p str {
        let program = self.program;
        let function = &program.functions[id.index()];
        let source = function.source.map(|id| program.source.function(id));
        source.map_or(&function.name, |source| &source.name)
    }

    /// The error of an invariant that takes too long.
    pub(crate) fn overdue(&self, state: &State) -> Option<End> {
        let budget = self.stage.staging.invariant_budget?;
        let asked = matches!(state.role, Role::Invariant(_) | Role::Precondition)
            || state.lazy.regenerates();
        if !asked || state.instructions - state.role_began <= budget {
            return None;
        }
        let message = format!(
            "the invariant does not end within {budget} instructions; it may walk round a cycle"
        );
        Some(End::Error(ErrorKind::Invariant, message))
    }
}

impl Stage {
    pub(crate) fn staging_mut(&mut self) -> &mut Staging {
        &mut self.staging
    }

    pub(crate) fn layouts_mut(&mut self) -> &mut Layouts {
        &mut self.layouts
    }
}

impl Layouts {
    /// Gets to know the structures of an argument. Solutions that cannot be made
    /// of them are left out, and said to be.
    pub(crate) fn prepare(
        &mut self,
        program: &Program,
        argument: &mut StagedArgument,
        notes: &mut Vec<String>,
    ) -> Result<Rc<Layout>, String> {
        let layout = self.add(program, &argument.type_name)?;
        self.check(&argument.bounds)?;
        let suite = &argument.suite;
        if let Some(solutions) = &mut argument.solutions {
            solutions.retain(|solution| match self.misfit(&solution.graph) {
                Some(why) => {
                    notes.push(left_out(suite, solution.line, &why));
                    false
                }
                None => true,
            });
        }
        Ok(layout)
    }

    /// Whether there is what bounds are for.
    fn check(&self, bounds: &Bounds) -> Result<(), String> {
        let unknown = |name: &str| format!("a bound is for `{name}`, and the object has no such");
        for name in bounds.types() {
            if self.find(name).is_none() {
                return Err(unknown(name) + " part");
            }
        }
        let pointers = bounds.pointers().map(|field| (field, true));
        let numbers = bounds.numbers().map(|field| (field, false));
        for ((owner, path), leads) in pointers.chain(numbers) {
            let layout = self.find(owner);
            let slots = layout.map_or(&[][..], |layout| &layout.slots);
            let Some(slot) = slots.iter().find(|slot| slot.path == path) else {
                return Err(unknown(&format!("{owner}.{path}")) + " field");
            };
            match (&slot.kind, leads) {
                (SlotKind::Pointer(_), false) => {
                    return Err(format!(
                        "`{owner}.{path}` is a pointer and has no range of values; \
                         bound it with --max {owner}.{path}=2"
                    ));
                }
                (SlotKind::Pointer(_), true) | (_, false) => {}
                (_, true) => {
                    return Err(format!(
                        "`{owner}.{path}` is a number and leads to no objects; \
                         bound it with --range {owner}.{path}=0..9"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// That a solution is not used, and why.
pub(crate) fn left_out(suite: &str, line: usize, why: &str) -> String {
    format!("{suite}: line {line} does not fit this program and is left out: it {why}")
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        names => names.join(", "),
    }
}

/// Why the calls could not be planned.
enum Planning {
    Wrong(String),
    Stopped(Stop),
}

impl From<String> for Planning {
    fn from(message: String) -> Planning {
        Planning::Wrong(message)
    }
}

impl From<Stop> for Planning {
    fn from(stop: Stop) -> Planning {
        Planning::Stopped(stop)
    }
}
