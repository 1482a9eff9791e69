//! Objects of suites in programs that ask for them: `ep_regenerate`.
//!
//! A program with a driver of its own asks for an object by the name of a suite.
//! The path is forked over the suite's solutions, and each is followed through its
//! invariant, called in the middle of the program, before the program goes on. What
//! the objects were in the end is one input of the path, the whole graph: pointers
//! that the program follows later belong to it too, and a native program can be
//! given everything at the call. Where inputs are recorded, the objects are built
//! from that input, and neither suite nor invariant is needed.

use super::describe::pointed_structure;
use super::following::{Company, follow, stop_following};
use super::initialise::changed_field;
use super::layout::Layout;
use super::lazy::{LazyObject, LazyObjects, lazy_mut, objects};
use super::{Calls, Staged, StagedArgument, predicate_result, shown_name};
use machine::{
    Access, Allocator, End, ErrorKind, Halt, Input, InputKind, Machine, Region, Returned, Spot,
    State, Value, error, unsupported,
};
use program::{Kind, Place, Reg, Shape};
use staged::Field;
use std::rc::Rc;
use term::Store;

/// The function that headers call for `ep_regenerate`.
pub const FUNCTION: &str = "__ep_regenerate";

/// Gives the suite of a name that a program uses, as objects of this type.
pub type SuiteReader<'p> = dyn Fn(&str, &str) -> Result<StagedArgument, String> + 'p;

/// Suites that programs asked for by name.
#[derive(Default)]
pub(super) struct Regeneration {
    /// What was asked for, where on a path, and what was given.
    given: Vec<Given>,
    /// Why the program cannot be run, if it cannot.
    refusal: Option<String>,
}

struct Given {
    /// How many calls were before it on its path: each call has objects of its own.
    earlier: usize,
    suite: String,
    type_name: String,
    argument: Rc<StagedArgument>,
}

/// What the headers call the variable that a call takes the type from.
const VARIABLE: &str = "ep_regenerated_";

/// Where the first object of a graph goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Into memory the program has.
    InPlace,
    /// Into new memory, to which a pointer of the program's leads then.
    New,
}

/// What a call of the program's asks for.
struct Request<'a> {
    argument: usize,
    form: Form,
    /// The address of memory for the first object, or of a pointer to it.
    place: u64,
    layout: Rc<Layout>,
    suite: &'a str,
}

impl Request<'_> {
    /// Bytes that are written at the place.
    fn room(&self) -> u64 {
        match self.form {
            Form::InPlace => self.layout.size,
            Form::New => 8,
        }
    }
}

/// A graph that a path was given.
#[derive(Clone)]
pub(super) struct Regenerated {
    argument: usize,
    form: Form,
}

impl Staged<'_> {
    /// Why the program cannot be run any further, if it cannot.
    pub fn refusal(&self) -> Option<String> {
        self.regeneration.borrow().refusal.clone()
    }

    /// What a call of the program's gave, by the number of its argument.
    pub(super) fn regenerated(&self, argument: usize) -> Option<Rc<StagedArgument>> {
        let number = argument.checked_sub(self.staging.arguments.len())?;
        let regeneration = self.regeneration.borrow();
        regeneration.given.get(number).map(|it| it.argument.clone())
    }

    /// Makes what a variable of the running function points to an object of a
    /// suite: the object itself, or a new one if it is a pointer.
    pub(super) fn regenerate(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        variable: Value,
        suite: Value,
    ) -> Result<Returned, Halt> {
        let suite = machine.string(state, suite)?;
        let variable = machine.concretize(state, variable, 64);
        let given = machine.load(state, Value::word(variable), Kind::Ptr)?;
        let given = machine.concretize(state, given, 64);
        if let Some(recorded) = self.follow.recorded_objects(state, &suite)? {
            return rebuild(machine, state, &suite, &recorded, given);
        }
        if self.follow.is_concolic() {
            return unsupported("ep_regenerate in directed runs");
        }
        if (state.marks.get::<LazyObjects>()).is_some_and(LazyObjects::follows) {
            return unsupported("ep_regenerate in an invariant");
        }
        let (type_name, form) = self.wanted_type(machine, state, variable, given)?;
        let number = self.asked_for(machine, state, &suite, &type_name)?;
        let staged = self.regenerated(number).expect("it was just given");
        let request = Request {
            argument: number,
            form,
            place: given,
            layout: self.layout(&type_name),
            suite: &suite,
        };
        let place = Value::word(given);
        machine.resolve_access(state, place, request.room(), Access::Write)?;
        let solutions = staged.solutions.as_deref().unwrap_or_default();
        state.progress.depth += u64::from(solutions.len() > 1);
        let companies = self.companies(&staged);
        let chosen = machine.go_each_way(state, companies.len(), |machine, path, number| {
            // Where a solution does not fit, a note says which.
            self.follow_from_here(machine, path, &request, &companies[number])
        });
        match chosen {
            Ok(()) => Err(Halt::Yield),
            Err(Halt::End(End::Ignored)) => {
                let why = "no object of it fits this program";
                Err(self.refuse(machine, state, &format!("{suite}: {why}")))
            }
            Err(halt) => Err(halt),
        }
    }

    /// Lets a path follow solutions through the invariant, beginning with a call of it from
    /// where the program is.
    fn follow_from_here(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        request: &Request<'_>,
        company: &Company,
    ) -> Result<(), Halt> {
        let &Request {
            argument,
            form,
            place,
            ref layout,
            suite,
        } = request;
        let root = match form {
            Form::InPlace => lazy_mut(state).add(argument, layout.clone(), place),
            Form::New => {
                let root = self.lazy_object(machine, state, argument, layout.clone())?;
                let address = Value::word(objects(state).address(root));
                machine.store(state, Value::word(place), Kind::Ptr, address)?;
                root
            }
        };
        state.inputs.push(Input {
            name: suite.into(),
            bytes: Rc::default(),
            kind: InputKind::Objects(argument as u32),
        });
        Rc::make_mut(&mut lazy_mut(state).regenerated).push(Regenerated { argument, form });
        follow(state, argument, root, &company.solutions);
        self.fill_lazily(machine, state, root, true)?;
        let invariant = self.regenerated(argument).expect("it was given").invariant;
        let signature = machine.program.functions[invariant.index()].signature;
        let object = Value::word(objects(state).address(root));
        state.frame.pc += 1;
        state.marks.get_mut::<Calls>().began = state.progress.instructions;
        machine.enter(state, invariant, &[object], Reg::NONE, signature)?;
        let height = state.height;
        lazy_mut(state).follow_until(height);
        Ok(())
    }

    /// The invariant of a regenerated object returned.
    pub(super) fn end_regeneration(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        results: &[Value],
    ) -> Result<(), Halt> {
        self.part_company(machine, state)?;
        let argument = objects(state).followed_argument();
        let holds = predicate_result(machine, state, results);
        machine.only_if(state, holds).map_err(|stop| match stop {
            Halt::End(End::Ignored) => {
                self.misfit(machine, state, "does not satisfy the invariant")
            }
            stop => stop,
        })?;
        stop_following(state);
        if let Some(field) = changed_field(machine, state, argument) {
            let name = shown_name(machine.program, state.function());
            let message = format!("the invariant `{name}` changes {field}");
            return error(ErrorKind::Invariant, message);
        }
        Ok(())
    }

    /// The structure that a variable leads to, by the debug information: a pointer
    /// to it, or to a pointer to it. Optimised code tells of some variables only
    /// what was put into them; then the variable is known by its name.
    fn wanted_type(
        &self,
        machine: &mut Machine<'_>,
        state: &State,
        variable: u64,
        given: u64,
    ) -> Result<(String, Form), Halt> {
        let program = machine.program;
        let source = &program.source;
        let body = machine.body(state.function()).expect("it runs");
        let is = |reg: Reg, address: u64| state.get(reg).as_word() == Some(address);
        let found = body.variables.iter().find(|it| match it.place {
            Place::Memory(reg) => is(reg, variable),
            Place::Value(reg) => it.name == VARIABLE && is(reg, given),
        });
        let Some(id) = found.and_then(|it| it.debug_type) else {
            let why = "the debug information does not tell the type of its argument; \
                       compile with -g, and use everypath.h as it is";
            return Err(self.refuse(machine, state, why));
        };
        if let Some(structure) = pointed_structure(source, id) {
            return Ok((structure, Form::InPlace));
        }
        let pointer = match source.debug_type(source.resolved(id)).shape {
            Shape::Pointer(Some(to)) => pointed_structure(source, to),
            _ => None,
        };
        match pointer {
            Some(structure) => Ok((structure, Form::New)),
            None => {
                let name = source.debug_type(id).name.clone();
                let why = format!(
                    "it takes a pointer to a structure, or to a pointer to one, and this is `{name}`"
                );
                Err(self.refuse(machine, state, &why))
            }
        }
    }

    /// The number of the argument for the next call of a path, which asks for a
    /// suite of this type.
    fn asked_for(
        &self,
        machine: &mut Machine<'_>,
        state: &State,
        suite: &str,
        type_name: &str,
    ) -> Result<usize, Halt> {
        let earlier = regenerated_before(state);
        let first = self.staging.arguments.len();
        let known =
            self.regeneration.borrow().given.iter().position(|it| {
                it.earlier == earlier && it.suite == suite && it.type_name == type_name
            });
        if let Some(known) = known {
            return Ok(first + known);
        }
        let read = self.read_suite(machine, suite, type_name);
        let argument = read.map_err(|message| self.refuse(machine, state, &message))?;
        let given = &mut self.regeneration.borrow_mut().given;
        given.push(Given {
            earlier,
            suite: suite.to_owned(),
            type_name: type_name.to_owned(),
            argument,
        });
        Ok(first + given.len() - 1)
    }

    fn read_suite(
        &self,
        machine: &mut Machine<'_>,
        suite: &str,
        type_name: &str,
    ) -> Result<Rc<StagedArgument>, String> {
        let same = |it: &&Given| it.suite == suite && it.type_name == type_name;
        if let Some(known) = self.regeneration.borrow().given.iter().find(same) {
            return Ok(known.argument.clone());
        }
        let reader = self.reader.as_ref();
        let reader = reader.ok_or("no suites can be asked for here")?;
        let mut argument = reader(suite, type_name)?;
        let mut notes = Vec::new();
        let mut layouts = self.layouts.borrow_mut();
        let prepared = layouts.prepare(machine.program, &mut argument, &mut notes);
        prepared.map_err(|misfit| misfit.to_string())?;
        // A replay builds objects of sizes that are known beforehand, and knows no vtables.
        if let Some(other) = layouts
            .all()
            .find(|it| it.is_polymorphic() || it.tail.is_some())
        {
            let name = &other.kinds[0];
            return Err(format!(
                "a `{name}` has virtual functions or ends in an array of any length; test its \
                 methods with `stage test`"
            ));
        }
        for note in notes {
            machine.note(note);
        }
        Ok(Rc::new(argument))
    }

    /// Gives up on the program: what it asks for cannot be had on any path.
    fn refuse(&self, machine: &mut Machine<'_>, state: &State, why: &str) -> Halt {
        let location = machine.body(state.function()).map(|body| {
            let id = body.locations[state.frame.pc as usize];
            machine.program.source.location(id)
        });
        let place = location.and_then(|it| Some((it.file?, it.line)));
        let place = place.map_or_else(String::new, |(file, line)| {
            format!("{}:{line}: ", machine.program.source.file(file).name)
        });
        let message = format!("{place}ep_regenerate: {why}");
        let refusal = &mut self.regeneration.borrow_mut().refusal;
        refusal.get_or_insert(message);
        Halt::End(End::Ignored)
    }
}

/// The graph that a path was given as this argument, in the path's model, as the bytes
/// of one input. All numbers have the least byte first in eight bytes: 1 if its first
/// object is new, else 0; how many objects there are; the size of each, then its
/// contents; how many pointers there are; for each the object it is in, at which byte,
/// and the object it leads to. In the contents a pointer is how far into that object.
pub fn objects_input(store: &Store, state: &State, argument: u32) -> Vec<u8> {
    let argument = argument as usize;
    let lazy = objects(state);
    let form = lazy.regenerated.iter().find(|it| it.argument == argument);
    let form = form.map_or(Form::New, |it| it.form);
    let numbers: Vec<usize> = lazy.of_argument(argument).collect();
    let mut evaluator = term::Evaluator::default();
    let mut evaluation = evaluator.under(store, &state.model);
    let mut bytes = Vec::new();
    let put = |bytes: &mut Vec<u8>, number: u64| bytes.extend(number.to_le_bytes());
    put(&mut bytes, (form == Form::New).into());
    put(&mut bytes, numbers.len() as u64);
    let mut pointers = Vec::new();
    let undecided = lazy.undecided();
    for (position, &number) in numbers.iter().enumerate() {
        let LazyObject {
            layout, bytes: own, ..
        } = &lazy.objects[number];
        let mut contents: Vec<u8> = own.iter().map(|&it| evaluation.word(it) as u8).collect();
        for (number_of_slot, slot) in layout.slots.iter().enumerate() {
            if undecided.contains(&(number, number_of_slot)) {
                slot.put(&mut contents, &Field::Null);
            }
            let place = lazy.place(&numbers, slot, &contents);
            if let Some((target, offset)) = place.and_then(|place| place.place()) {
                let at = (slot.bit / 8) as usize;
                contents[at..at + 8].copy_from_slice(&offset.to_le_bytes());
                pointers.push([position, at, target]);
            }
        }
        put(&mut bytes, contents.len() as u64);
        bytes.extend(contents);
    }
    pointers.sort_unstable();
    put(&mut bytes, pointers.len() as u64);
    for number in pointers.into_iter().flatten() {
        put(&mut bytes, number as u64);
    }
    bytes
}

/// Builds the graph that was recorded for the next call.
fn rebuild(
    machine: &mut Machine<'_>,
    state: &mut State,
    suite: &str,
    bytes: &[u8],
    given: u64,
) -> Result<Returned, Halt> {
    let Some(graph) = RecordedGraph::read(bytes) else {
        let message = format!("the recorded input `{suite}` is no graph of objects");
        return error(ErrorKind::OtherInputs, message);
    };
    let mut addresses = Vec::new();
    for contents in &graph.objects {
        let address = match (addresses.is_empty(), graph.form) {
            (true, Form::InPlace) => given,
            _ => machine.allocate(state, contents.len() as u64, Region::Heap(Allocator::Any))?,
        };
        let terms: Vec<_> = (contents.iter())
            .map(|&byte| machine.store.bv(8, byte.into()))
            .collect();
        let room = contents.len() as u64;
        let spot = machine.resolve_access(state, Value::word(address), room, Access::Write)?;
        machine.write(state, spot, &terms);
        addresses.push(address);
    }
    for &[object, at, target] in &graph.pointers {
        let place = Value::word(addresses[object] + at as u64);
        let offset = machine.load(state, place, Kind::Ptr)?;
        let offset = machine.concretize(state, offset, 64);
        let address = Value::word(addresses[target].wrapping_add(offset));
        machine.store(state, place, Kind::Ptr, address)?;
    }
    if let (Form::New, Some(&root)) = (graph.form, addresses.first()) {
        machine.store(state, Value::word(given), Kind::Ptr, Value::word(root))?;
    }
    state.inputs.push(Input {
        name: suite.into(),
        bytes: Rc::default(),
        kind: InputKind::Part,
    });
    Ok(Returned::Nothing)
}

/// How many graphs the path was given before.
fn regenerated_before(state: &State) -> usize {
    let lazy = state.marks.get::<LazyObjects>();
    lazy.map_or(0, |lazy| lazy.regenerated.len())
}

struct RecordedGraph<'a> {
    form: Form,
    objects: Vec<&'a [u8]>,
    /// The object a pointer is in, where in it, and the object it leads to.
    pointers: Vec<[usize; 3]>,
}

impl<'a> RecordedGraph<'a> {
    fn read(bytes: &'a [u8]) -> Option<RecordedGraph<'a>> {
        let mut rest = bytes;
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at_checked(count)?;
            rest = left;
            Some(taken)
        };
        let number = |bytes: &[u8]| -> Option<usize> {
            let bytes: [u8; 8] = bytes.try_into().ok()?;
            usize::try_from(u64::from_le_bytes(bytes)).ok()
        };
        let form = match number(take(8)?)? {
            0 => Form::InPlace,
            1 => Form::New,
            _ => return None,
        };
        let mut objects = Vec::new();
        for _ in 0..number(take(8)?)? {
            let size = number(take(8)?)?;
            objects.push(take(size)?);
        }
        let mut pointers = Vec::new();
        for _ in 0..number(take(8)?)? {
            let [object, at, target] = [number(take(8)?)?, number(take(8)?)?, number(take(8)?)?];
            let room = objects.get(object)?.len();
            if target >= objects.len() || at.checked_add(8)? > room {
                return None;
            }
            pointers.push([object, at, target]);
        }
        Some(RecordedGraph {
            form,
            objects,
            pointers,
        })
    }
}

/// Where an object's bytes are in memory.
pub(super) fn spot_of(state: &mut State, address: u64) -> Option<Spot> {
    let id = state.memory.id_of(address);
    let base = state.memory.object(id)?.base;
    Some(Spot::At(id, (address - base) as usize))
}
