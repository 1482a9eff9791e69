//! The call of a method on objects that satisfy an invariant, without a driver
//! in the program's language.
//!
//! A [`Staging`] says which objects there are, what is required of them, which
//! method is called and what has to hold afterwards. The calls are made one after the
//! other. With solutions at hand, an invariant is followed along each of them instead
//! of being explored: branches go as the solutions have them, a path forks only where they
//! part, and no query is made. What comes after the invariants is explored freely. This is staged symbolic
//! execution with abstract symbolic inputs, as its authors built it on KLEE.

mod behaviour;
mod comparison;
mod containers;
mod describe;
mod difference;
mod effects;
mod enumerate;
mod following;
mod functions;
mod given;
mod graphs;
mod implied;
mod initialise;
mod layout;
mod layouts;
mod lazy;
mod lengths;
mod linked;
mod linking;
mod members;
mod naming;
mod old;
mod ownership;
mod parameters;
mod plain;
mod plan;
mod recognise;
mod regenerate;
mod regions;
mod shared;
mod sharing;
mod texts;
mod view;
mod vtables;

pub use behaviour::Behaviour;
pub use describe::structure_called;
pub use difference::{Compared, Difference, OldVersion};
pub use effects::{After, Effect, MethodResult};
pub use graphs::{object_graph, object_graphs, value_conditions};
pub use layout::LayoutError;
pub use lazy::LazyObjects;
pub use old::FUNCTION as OLD;
pub use parameters::{
    Parameter, ParameterError, are_alike, parameters_with, plain_name, source_position,
    staged_parameters, takes, text_parameters,
};
pub use plan::CallError;
pub use regenerate::{FUNCTION as REGENERATE, SuiteReader, objects_input};
pub use texts::StagedText;
pub use view::{Container, ContainerKind, Role as ViewRole, Seen, Sharer, View};

use super::follow::Follow;
use following::{Company, follow, stop_following};
use initialise::{PointerRange, changed_field};
use layout::{Layout, Slot, SlotKind};
use layouts::Layouts;
use lazy::{lazy_mut, objects};
use machine::{
    End, ErrorKind, Events, Halt, Invocation, Machine, MemoryObject, Policy, Returned, State,
    Value, error, width,
};
use parameters::is_parameter;
use program::{Body, FunctionId, Program, Reg};
use regenerate::Regeneration;
use rustc_hash::{FxHashMap, FxHashSet};
use staged::{Bounds, Solution};
use std::cell::RefCell;
use std::rc::Rc;
use term::Term;
use texts::TextShape;

/// Objects, what is required of them, and what is done with them.
#[derive(Clone, Default)]
pub struct Staging {
    /// The objects, in the order of the method's pointers.
    pub arguments: Vec<StagedArgument>,
    /// The method's texts of which a grammar tells the shapes.
    pub texts: Vec<StagedText>,
    /// What is required of several of them together.
    pub preconditions: Vec<Precondition>,
    /// What is called with them; without, only their invariants are.
    pub method: Option<FunctionId>,
    /// Whether the invariants are not checked after the method.
    pub trust_method: bool,
    /// Whether the method may free its objects, of which nothing has to hold then.
    pub frees: bool,
    /// Whether the method ends the life of its first object, as a destructor does: nothing has to
    /// hold of that then.
    pub ends: bool,
    /// Whether the method may keep the objects it is given beside the first, of which nothing
    /// has to hold then.
    pub keeps: bool,
    /// Whether an argument may be the object of an earlier one.
    pub may_alias: bool,
    /// What has to hold of the method's arguments, and of its result if it
    /// takes one more.
    pub postcondition: Option<FunctionId>,
    /// Instructions an invariant may take; none is no limit.
    pub invariant_budget: Option<u64>,
    /// Instructions the method may take; none is no limit.
    pub method_budget: Option<u64>,
}

impl Staging {
    /// Whether objects are made for their own sake: nothing is called with them but their
    /// invariants.
    pub fn seeks_objects(&self) -> bool {
        self.method.is_none() && !self.arguments.is_empty()
    }
}

impl Staging {
    /// The types of its objects.
    pub fn types(&self) -> Vec<&str> {
        let arguments = self.arguments.iter();
        arguments.map(|argument| &*argument.type_name).collect()
    }

    /// Whether something is called with what is made here.
    pub fn makes_calls(&self) -> bool {
        !self.arguments.is_empty() || !self.texts.is_empty()
    }
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

/// What an outermost call is for.
#[derive(Clone, Copy, Default)]
struct Meaning {
    role: Role,
    /// The parameter that gets the method's result.
    result: Option<Reg>,
}

/// The mark of a path that makes these calls.
#[derive(Clone, Default)]
struct Calls {
    /// What the calls ahead are for, last first.
    upcoming: Rc<Vec<Meaning>>,
    /// What the one that runs is for.
    role: Role,
    /// Instructions executed when an invariant that is required began.
    began: u64,
    /// What the method under test returned.
    result: Option<Value>,
    /// The memory that the method's other parameters point to.
    memories: Rc<Vec<OtherMemory>>,
}

/// Memory that a parameter points to and that is no object of a suite.
#[derive(Clone)]
struct OtherMemory {
    /// The parameter, and its number.
    name: String,
    parameter: usize,
    address: u64,
    size: u64,
}

/// What the return of an outermost call means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Role {
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
    Ensured(usize),
    /// What has to hold of the method's arguments and result.
    Postcondition,
}

/// A pointer, by the bounds, the layout and the slot.
type PointerKey = (*const Bounds, *const Layout, usize);

/// Makes objects that satisfy invariants, for a method under test and for programs
/// that ask for them.
pub struct Staged<'p> {
    staging: Staging,
    layouts: RefCell<Layouts>,
    unbounded: Rc<Bounds>,
    /// Pointers, by their first input and the address that they were decided to be, and that
    /// they are equal: many paths decide the same.
    equations: RefCell<FxHashMap<(Term, u64), (Term, Term)>>,
    /// What pointers range over.
    ranges: RefCell<FxHashMap<PointerKey, Rc<PointerRange>>>,
    /// What is in the slots of objects, by the first of their bytes.
    terms: RefCell<FxHashMap<Term, Rc<[Term]>>>,
    /// The shapes of the method's texts, by the numbers of the parameters.
    texts: Vec<(usize, Vec<TextShape>)>,
    regeneration: RefCell<Regeneration>,
    reader: Option<Box<SuiteReader<'p>>>,
    /// Where objects are recorded that a replay builds again.
    follow: Rc<Follow>,
    /// What to tell the user of the solutions.
    notes: RefCell<Vec<String>>,
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
) -> Result<Vec<String>, LayoutError> {
    let mut layouts = Layouts::default();
    layouts.add(program, type_name, bounds)?;
    Ok(layouts.unbounded(bounds))
}

impl<'p> Staged<'p> {
    /// Objects for a method, which there are none of in a plain [`Staging`], and for
    /// programs that ask for suites, which `reader` gives.
    ///
    /// # Errors
    ///
    /// When the debug information does not tell what objects are made of, or bounds are
    /// for what they do not have.
    pub fn new(
        program: &Program,
        mut staging: Staging,
        reader: Option<Box<SuiteReader<'p>>>,
        follow: Rc<Follow>,
    ) -> Result<Staged<'p>, Misfit> {
        let mut layouts = Layouts::default();
        let mut notes = Vec::new();
        for argument in &mut staging.arguments {
            layouts.prepare(program, argument, &mut notes)?;
        }
        let texts = staging.texts.iter();
        let texts = texts.map(|text| (text.parameter, text.shapes(&mut notes)));
        let texts = texts.collect();
        Ok(Staged {
            staging,
            layouts: RefCell::new(layouts),
            unbounded: Rc::default(),
            equations: RefCell::default(),
            ranges: RefCell::default(),
            terms: RefCell::default(),
            texts,
            regeneration: RefCell::default(),
            reader,
            follow,
            notes: RefCell::new(notes),
        })
    }

    /// The objects and what is done with them.
    pub fn staging(&self) -> &Staging {
        &self.staging
    }

    fn bounds(&self, argument: usize) -> Rc<Bounds> {
        match self.staging.arguments.get(argument) {
            Some(own) => own.bounds.clone(),
            None => {
                let regenerated = self.regenerated(argument);
                regenerated.map_or_else(|| self.unbounded.clone(), |it| it.bounds.clone())
            }
        }
    }

    /// The suite that an argument of the method's, or one that a program asked for
    /// itself, comes from.
    fn suite_of(&self, argument: usize) -> Option<String> {
        match self.staging.arguments.get(argument) {
            Some(own) => Some(own.suite.clone()),
            None => self.regenerated(argument).map(|it| it.suite.clone()),
        }
    }

    /// A structure that another program has too, but not in the same form.
    pub fn changed_structure(&self, other: &Staged<'_>) -> Option<String> {
        let (own, others) = (self.layouts.borrow(), other.layouts.borrow());
        let mut changed: Vec<&str> = (own.all())
            .filter(|one| {
                let mut named = others.all().filter(|it| it.name == one.name);
                named.any(|it| !it.is_same_form(one))
            })
            .map(|it| &*it.name)
            .collect();
        changed.sort_unstable();
        changed.first().map(|&name| name.to_owned())
    }

    fn layout(&self, name: &str) -> Rc<Layout> {
        let layout = self.layouts.borrow_mut().get(name);
        layout.expect("what objects are made of was looked up before the run")
    }

    /// An argument whose invariant is called gets its contents, once for each solution
    /// where there are solutions.
    fn begin_invariant(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        argument: usize,
    ) -> Result<(), Halt> {
        let own = &self.staging.arguments[argument];
        let aliases = self.aliases(state, argument);
        if own.solutions.is_some() {
            let companies = self.companies(own);
            let ways = companies.len() + aliases.len();
            return machine.go_each_way(state, ways, |machine, path, number| {
                match companies.get(number) {
                    None => {
                        lazy::make_alias(path, argument, aliases[number - companies.len()]);
                        Ok(())
                    }
                    Some(Company {
                        form, solutions, ..
                    }) => {
                        self.settle_root(path, argument, form);
                        follow(path, argument, argument, solutions);
                        self.fill_lazily(machine, path, argument, true)
                    }
                }
            });
        }
        let forms = self.forms(own);
        if let ([only], []) = (&forms[..], &aliases[..]) {
            self.settle_root(state, argument, only);
            return self.fill_lazily(machine, state, argument, false);
        }
        let ways = forms.len() + aliases.len();
        machine.go_each_way(state, ways, |machine, path, number| {
            let Some(form) = forms.get(number) else {
                lazy::make_alias(path, argument, aliases[number - forms.len()]);
                return Ok(());
            };
            self.settle_root(path, argument, form);
            self.fill_lazily(machine, path, argument, false)
        })
    }

    /// The earlier arguments whose object an argument may be.
    fn aliases(&self, state: &State, argument: usize) -> Vec<usize> {
        let arguments = &self.staging.arguments;
        let same = |other: &usize| {
            arguments[*other].type_name == arguments[argument].type_name
                && objects(state).alias(*other).is_none()
        };
        let earlier = 0..argument;
        earlier
            .filter(|it| self.staging.may_alias && same(it))
            .collect()
    }

    /// What the object of an argument may be: of several classes, or of several lengths.
    fn forms(&self, argument: &StagedArgument) -> Vec<String> {
        match &argument.solutions {
            Some(solutions) => {
                let roots = solutions.iter().filter_map(|it| it.graph.objects.first());
                roots.map(|root| root.type_name.clone()).collect()
            }
            None => {
                let layouts = self.layouts.borrow();
                layouts.forms(&argument.type_name, &argument.bounds)
            }
        }
    }

    /// Lets the object of an argument, for which there is room, be one of the forms.
    fn settle_root(&self, state: &mut State, root: usize, form: &str) {
        let layout = self.layout(form);
        let id = state.memory.id_of(objects(state).address(root));
        if let Some(room) = state
            .memory
            .object_mut(id)
            .filter(|it| it.size != layout.size)
        {
            *room = MemoryObject::new(room.base, layout.size, room.region, room.site);
        }
        lazy_mut(state).settle(root, layout);
    }

    /// What is required is required, what has to hold is checked.
    fn end_role(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        role: Role,
        results: &[Value],
    ) -> Result<(), Halt> {
        let holds = predicate_result(machine, state, results);
        let name = shown_name(machine.program, state.function());
        let broken = || {
            format!(
                "`{name}` does not hold after {}",
                self.method_name(machine.program)
            )
        };
        match role {
            Role::Plain | Role::Method => {}
            Role::Invariant(argument) => {
                self.part_company(machine, state)?;
                machine.only_if(state, holds).map_err(|stop| {
                    match objects(state).follows() && stop == Halt::End(End::Ignored) {
                        true => self.misfit(machine, state, "does not satisfy the invariant"),
                        false => stop,
                    }
                })?;
                let is_solution = objects(state).follows();
                stop_following(state);
                if let Some(field) = changed_field(machine, state, argument) {
                    let message = format!("the invariant `{name}` changes {field}");
                    return error(ErrorKind::Invariant, message);
                }
                if is_solution && self.staging.method.is_some() {
                    self.concretize_implied(machine, state);
                }
                // States that split off here return from the invariant again.
                self.enumerate(machine, state)?;
            }
            Role::Precondition => machine.only_if(state, holds)?,
            Role::Ensured(_) => machine.require(state, holds, ErrorKind::Invariant, &broken())?,
            Role::Postcondition => {
                machine.require(state, holds, ErrorKind::Postcondition, &broken())?;
            }
        }
        let required =
            |role: Role| matches!(role, Role::Invariant(_) | Role::Precondition | Role::Plain);
        let upcoming = &calls(state).upcoming;
        if !upcoming.last().is_some_and(|next| required(next.role)) {
            lazy_mut(state).set_valid();
        }
        Ok(())
    }

    fn method_name(&self, program: &Program) -> String {
        let method = self.staging.method;
        method.map_or_else(String::new, |id| format!("`{}`", shown_name(program, id)))
    }
}

impl Policy for Staged<'_> {
    fn events(&self) -> Events {
        Events {
            // The invariants of objects that a program asks for return in its midst.
            returns: self.reader.is_some(),
            models: self.reader.is_some() || self.staging.arguments.iter().any(has_solutions),
            ..Events::default()
        }
    }

    fn dissenters(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        term: Term,
    ) -> Option<State> {
        following::dissenters(machine, state, term)
    }

    fn at_return(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        _: &Body,
        _: &[Reg],
        results: &mut [Value],
    ) -> Result<bool, Halt> {
        let lazy = state.marks.get::<LazyObjects>();
        if lazy.is_some_and(|lazy| lazy.ends_at(state.height)) {
            self.end_regeneration(machine, state, results)?;
        }
        Ok(false)
    }

    fn outermost_started(&self, machine: &mut Machine<'_>, state: &mut State) -> Result<(), Halt> {
        if !self.staging.makes_calls() {
            return Ok(());
        }
        let instructions = state.progress.instructions;
        let calls = state.marks.get_mut::<Calls>();
        let meaning = Rc::make_mut(&mut calls.upcoming).pop().unwrap_or_default();
        calls.role = meaning.role;
        calls.began = instructions;
        if let (Some(parameter), Some(result)) = (meaning.result, calls.result) {
            state.set(parameter, result);
        }
        match meaning.role {
            Role::Invariant(argument) => self.begin_invariant(machine, state, argument),
            Role::Method => {
                lazy_mut(state).set_valid();
                self.begin_texts(machine, state)
            }
            Role::Plain | Role::Precondition | Role::Ensured(_) | Role::Postcondition => Ok(()),
        }
    }

    fn outermost_returned(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        results: &[Value],
    ) -> Result<(), Halt> {
        if !self.staging.makes_calls() {
            return Ok(());
        }
        match calls(state).role {
            Role::Plain => Ok(()),
            Role::Method => {
                state.marks.get_mut::<Calls>().result = results.first().copied();
                self.forget_given_away(machine, state)
            }
            role => self.end_role(machine, state, role, results),
        }
    }

    fn loaded(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        term: Term,
    ) -> Result<Option<Value>, Halt> {
        match state.marks.get::<LazyObjects>() {
            Some(_) => self.initialised(machine, state, term),
            None => Ok(None),
        }
    }

    fn opaque(&self, machine: &Machine<'_>, state: &State, address: Term) -> Option<String> {
        let lazy = state.marks.get::<LazyObjects>()?;
        let from = lazy.token_in(&machine.store, address)?;
        Some(format!("what the `void *` `{from}` leads to"))
    }

    fn owned(&self, machine: &mut Machine<'_>, state: &State) -> FxHashSet<u64> {
        // Programs that ask for objects themselves own them.
        match self.staging.makes_calls() {
            false => FxHashSet::default(),
            true => ownership::reachable(machine, state),
        }
    }

    fn tells_offsets_apart(&self, state: &State, base: u64) -> bool {
        let lazy = state.marks.get::<LazyObjects>();
        lazy.is_some_and(|lazy| lazy.has_pointers_at(base))
    }

    fn provides(&self, function: &str) -> bool {
        [regenerate::FUNCTION, old::FUNCTION].contains(&function)
    }

    fn call(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        call: &Invocation<'_>,
    ) -> Result<Returned, Halt> {
        match machine.program.functions[call.function.index()].name == old::FUNCTION {
            true => self.old(machine, state, call.arg(0)),
            false => self.regenerate(machine, state, call.arg(0), call.arg(1)),
        }
    }

    /// The error of a call that takes too long.
    fn overdue(&self, machine: &Machine<'_>, state: &State) -> Option<End> {
        let calls = state.marks.get::<Calls>()?;
        let lazy = state.marks.get::<LazyObjects>();
        let role = match lazy.is_some_and(LazyObjects::regenerates) {
            true => Role::Precondition,
            false => calls.role,
        };
        let budget = match role {
            Role::Plain => None,
            Role::Method => self.staging.method_budget,
            Role::Invariant(_) | Role::Precondition | Role::Ensured(_) | Role::Postcondition => {
                self.staging.invariant_budget
            }
        };
        let budget = budget?;
        if state.progress.instructions - calls.began <= budget {
            return None;
        }
        let method = self.method_name(machine.program);
        let (kind, message) = match role {
            Role::Plain | Role::Invariant(_) | Role::Precondition => (
                ErrorKind::Invariant,
                format!(
                    "the invariant does not end within {budget} instructions; it may walk round \
                     a cycle"
                ),
            ),
            Role::Method => (
                ErrorKind::Endless,
                format!("{method} does not end within {budget} instructions"),
            ),
            Role::Ensured(_) | Role::Postcondition => (
                ErrorKind::Endless,
                format!(
                    "what has to hold after {method} is not decided within {budget} \
                     instructions; the objects may form a cycle"
                ),
            ),
        };
        Some(End::Error(kind, message))
    }
}

fn has_solutions(argument: &StagedArgument) -> bool {
    argument.solutions.is_some()
}

/// Whether the path's objects satisfy what is required of them.
pub fn has_valid_objects(state: &State) -> bool {
    let lazy = state.marks.get::<LazyObjects>();
    lazy.is_some_and(LazyObjects::valid)
}

fn calls(state: &State) -> &Calls {
    let calls = state.marks.get::<Calls>();
    calls.expect("a path that makes planned calls is marked")
}

/// Whether a function that tells whether something holds says so.
fn predicate_result(machine: &mut Machine<'_>, state: &State, results: &[Value]) -> Term {
    let function = &machine.program.functions[state.frame.function as usize];
    let kinds = &machine.program.signatures[function.signature.index()].results;
    let bits = kinds.first().map_or(1, |&kind| width(kind));
    let result = results.first().copied().unwrap_or(Value::ZERO);
    let result = result.term(&mut machine.store, bits);
    machine.store.is_nonzero(result)
}

/// A function's name for people: that of the source where the linker's is another.
pub fn shown_name(program: &Program, id: FunctionId) -> &str {
    let function = &program.functions[id.index()];
    let source = function.source.map(|id| program.source.function(id));
    source.map_or(&function.name, |source| &source.name)
}

impl Layouts {
    /// Gets to know the structures of an argument. Solutions that cannot be made
    /// of them are left out, and said to be.
    fn prepare(
        &mut self,
        program: &Program,
        argument: &mut StagedArgument,
        notes: &mut Vec<String>,
    ) -> Result<(), Misfit> {
        self.add(program, &argument.type_name, &argument.bounds)?;
        while let Some(bounds) = self.bounds_of_members(&argument.bounds) {
            argument.bounds = Rc::new(bounds);
            self.add_members_again(program, &argument.bounds)?;
        }
        self.check(program, &argument.bounds)?;
        let suite = &argument.suite;
        if let Some(solutions) = &mut argument.solutions {
            let root = &argument.type_name;
            solutions.retain(
                |solution| match self.misfit(program, root, &solution.graph) {
                    Some(why) => {
                        notes.push(left_out(suite, solution.line, &why));
                        false
                    }
                    None => true,
                },
            );
        }
        Ok(())
    }

    /// The bounds with those of structures that are members of others, if these say more.
    fn bounds_of_members(&self, bounds: &Bounds) -> Option<Bounds> {
        let mut extended = bounds.clone();
        let mut is_more = false;
        for layout in self.all().filter(|it| it.element().is_none()) {
            for (path, structure) in &layout.members {
                is_more |= extended.extend_to_member(&layout.kinds[0], path, structure);
            }
        }
        is_more.then_some(extended)
    }

    /// Whether there is what bounds are for.
    fn check(&mut self, program: &Program, bounds: &Bounds) -> Result<(), Misfit> {
        let known = bounds.types().chain(bounds.arrays());
        for name in known.chain(bounds.followed_types()) {
            if self.get(name).is_none() {
                return Err(Misfit::Part(name.to_owned()));
            }
        }
        self.check_lengths(bounds)?;
        let pointers = bounds.pointers().map(|field| (field, true));
        let numbers = bounds.numbers().map(|field| (field, false));
        for ((owner, path), leads) in pointers.chain(numbers) {
            let layout = self.get(owner);
            let is_owner = |(_, structure): &(String, String)| structure == owner;
            let is_member = || self.all().any(|it| it.members.iter().any(is_owner));
            // The same is said of the member, or it is no field.
            if layout.is_none() && (is_member() || is_parameter(program, bounds, owner, path)) {
                continue;
            }
            let field = format!("{owner}.{path}");
            if leads && layout.as_ref().is_some_and(|layout| layout.has_array(path)) {
                continue;
            }
            let slots = layout.as_ref().map_or(&[][..], |layout| &layout.slots);
            let is_in_array = |slot: &Slot| slot.path.split('[').next() == Some(path);
            let field_slot = slots.iter().find(|slot| slot.path == path);
            let elements = || slots.iter().find(|slot| leads && is_in_array(slot));
            let Some(slot) = field_slot.or_else(elements) else {
                return Err(Misfit::Field(field));
            };
            if let Some(class) = &slot.declared_by {
                return Err(Misfit::OfBase(field, class.clone()));
            }
            match (&slot.kind, leads) {
                (SlotKind::Pointer(_), false) => return Err(Misfit::RangeOfPointer(field)),
                (SlotKind::Pointer(_), true) | (_, false) => {}
                (_, true) => return Err(Misfit::ObjectsOfNumber(field)),
            }
        }
        Ok(())
    }
}

/// Why objects cannot be made as wanted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misfit {
    /// A bound is for a structure that no object leads to.
    #[error("a bound is for `{0}`, and the object has no such part")]
    Part(String),
    /// A bound is for a field that there is not.
    #[error("a bound is for `{0}`, and the object has no such field")]
    Field(String),
    /// A bound is for a field of a class that a base of it declares.
    #[error("`{0}` is declared by `{1}`; write the bound for that class")]
    OfBase(String, String),
    /// A range of values is for a pointer.
    #[error("`{0}` is a pointer and has no range of values")]
    RangeOfPointer(String),
    /// A number of objects is for a field that is no pointer.
    #[error("`{0}` is a number and leads to no objects")]
    ObjectsOfNumber(String),
    /// The debug information does not tell what the objects are made of.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

/// That a solution is not used, and why.
fn left_out(suite: &str, line: usize, why: &str) -> String {
    format!("{suite}: line {line} does not fit this program and is left out: it {why}")
}
