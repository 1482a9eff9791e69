//! Objects of suites in programs that ask for them: `ep_regenerate`.
//!
//! A program with a driver of its own asks for an object by the name of a suite.
//! The path is forked over the suite's solutions, and each is followed through its
//! invariant, called in the middle of the program, before the program goes on. What
//! the objects were in the end is one input of the path, the whole graph: pointers
//! that the program follows later belong to it too, and a native program can be
//! given everything at the call. Where inputs are recorded, the objects are built
//! from that input, and neither suite nor invariant is needed.

use super::{LazyObject, LazyObjects};
use crate::layout::{Layout, pointee};
use crate::machine::Machine;
use crate::memory::{Region, id_of};
use crate::outcome::{End, ErrorKind, Stop, error, unsupported};
use crate::pointers::{Access, Spot};
use crate::shims::Returned;
use crate::staging::StagedArgument;
use crate::state::{Input, InputKind, State};
use crate::value::Value;
use program::{Kind, Place, Reg, Shape};
use staged::Solution;
use std::rc::Rc;

/// Gives the suite of a name that a program uses, as objects of this type.
pub type SuiteReader<'p> = dyn Fn(&str, &str) -> Result<StagedArgument, String> + 'p;

/// Suites that programs ask for by name.
#[derive(Default)]
pub(crate) struct Regeneration<'p> {
    reader: Option<Box<SuiteReader<'p>>>,
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
    argument: StagedArgument,
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

/// A graph that a path was given.
#[derive(Clone)]
pub(super) struct Regenerated {
    argument: usize,
    form: Form,
}

impl<'p> Machine<'p> {
    /// Says where the suites come from that the program asks for, and how many
    /// instructions their invariants may take.
    pub fn read_suites(&mut self, reader: Box<SuiteReader<'p>>, invariant_budget: u64) {
        self.regeneration.reader = Some(reader);
        let budget = &mut self.stage.staging_mut().invariant_budget;
        *budget = budget.or(Some(invariant_budget));
    }

    /// Why the program cannot be run any further, if it cannot.
    pub fn refusal(&self) -> Option<&str> {
        self.regeneration.refusal.as_deref()
    }

    /// What a call of the program's gave, by the number of its argument.
    pub(crate) fn regenerated(&self, argument: usize) -> Option<&StagedArgument> {
        let number = argument.checked_sub(self.staging().arguments.len())?;
        self.regeneration.given.get(number).map(|it| &it.argument)
    }

    /// Makes what a variable of the running function points to an object of a
    /// suite: the object itself, or a new one if it is a pointer.
    pub(crate) fn regenerate(
        &mut self,
        state: &mut State,
        variable: Value,
        suite: Value,
    ) -> Result<Returned, Stop> {
        let suite = self.string(state, suite)?;
        let variable = self.pin(state, variable, 64);
        let given = self.load(state, Value::word(variable), Kind::Ptr)?;
        let given = self.pin(state, given, 64);
        if self.options.recorded.is_some() {
            return self.rebuild(state, &suite, given);
        }
        if self.directed.active {
            return unsupported("ep_regenerate in directed runs");
        }
        if state.lazy.follows() {
            return unsupported("ep_regenerate in an invariant");
        }
        let (type_name, form) = self.wanted_type(state, variable, given)?;
        let number = self.asked_for(state, &suite, &type_name)?;
        let staged = self.regenerated(number).expect("it was just given").clone();
        let layout = self.lazy_layout(&type_name);
        let place = self.memory_for(state, given, &layout, form)?;
        state.memory.settle();
        let mut ways = Vec::new();
        for solution in staged.solutions.iter().flatten() {
            let mut way = state.clone();
            match self.follow_from_here(&mut way, (number, form), place, &layout, &suite, solution)
            {
                Ok(()) => ways.push(way),
                // The note says which solution does not fit.
                Err(Stop::End(End::Ignored)) => {}
                Err(stop) => return Err(stop),
            }
        }
        if ways.is_empty() {
            let why = "no object of it fits this program";
            return Err(self.refuse(state, &format!("{suite}: {why}")));
        }
        *state = ways.remove(0);
        state.depth += u64::from(!ways.is_empty());
        for way in &mut ways {
            way.depth += 1;
        }
        self.forks += ways.len() as u64;
        self.forked.extend(ways);
        Err(Stop::Yield)
    }

    /// Where a graph is put: the address of memory, or of a pointer to some.
    fn memory_for(
        &mut self,
        state: &mut State,
        given: u64,
        layout: &Layout,
        form: Form,
    ) -> Result<u64, Stop> {
        let room = match form {
            Form::InPlace => layout.size,
            Form::New => 8,
        };
        self.resolve_access(state, Value::word(given), room, Access::Write)?;
        Ok(given)
    }

    /// Lets a path follow one solution through the invariant, beginning with a
    /// call of it from where the program is.
    fn follow_from_here(
        &mut self,
        state: &mut State,
        (argument, form): (usize, Form),
        place: u64,
        layout: &Rc<Layout>,
        suite: &str,
        solution: &Rc<Solution>,
    ) -> Result<(), Stop> {
        let root = match form {
            Form::InPlace => state.lazy.add(argument, layout.clone(), place),
            Form::New => {
                let root = self.lazy_object(state, argument, layout.clone())?;
                let address = Value::word(state.lazy.address(root));
                self.store(state, Value::word(place), Kind::Ptr, address)?;
                root
            }
        };
        state.inputs.push(Input {
            name: suite.into(),
            bytes: Rc::default(),
            kind: InputKind::Objects(argument as u32),
        });
        Rc::make_mut(&mut state.lazy.regenerated).push(Regenerated { argument, form });
        state.lazy.follow(argument, root, solution.clone());
        self.fill_lazily(state, root, Some(0))?;
        let invariant = self.regenerated(argument).expect("it was given").invariant;
        let signature = self.program.functions[invariant.index()].signature;
        let object = Value::word(state.lazy.address(root));
        state.frame.pc += 1;
        state.role_began = state.instructions;
        self.enter(state, invariant, &[object], Reg::NONE, signature)?;
        state.lazy.follow_until(state.height);
        Ok(())
    }

    /// The invariant of a regenerated object returned.
    pub(crate) fn end_regeneration(
        &mut self,
        state: &mut State,
        results: &[Value],
    ) -> Result<(), Stop> {
        let argument = state.lazy.followed_argument();
        let holds = self.predicate_result(state, results);
        self.only_if(state, holds).map_err(|stop| match stop {
            Stop::End(End::Ignored) => self.misfit(state, "does not satisfy the invariant"),
            stop => stop,
        })?;
        state.lazy.stop_following();
        if let Some(field) = self.changed_field(state, argument) {
            let name = self.shown_name(state.function());
            let message = format!("the invariant `{name}` changes {field}");
            return error(ErrorKind::Invariant, message);
        }
        Ok(())
    }

    /// The structure that a variable leads to, by the debug information: a pointer
    /// to it, or to a pointer to it. Optimised code tells of some variables only
    /// what was put into them; then the variable is known by its name.
    fn wanted_type(
        &mut self,
        state: &State,
        variable: u64,
        given: u64,
    ) -> Result<(String, Form), Stop> {
        let program = self.program;
        let source = &program.source;
        let body = self.body(state.function()).expect("it runs");
        let is = |reg: Reg, address: u64| state.get(reg).as_word() == Some(address);
        let found = body.variables.iter().find(|it| match it.place {
            Place::Memory(reg) => is(reg, variable),
            Place::Value(reg) => it.name == VARIABLE && is(reg, given),
        });
        let Some(id) = found.and_then(|it| it.debug_type) else {
            let why = "the debug information does not tell the type of its argument; \
                       compile with -g, and use everypath.h as it is";
            return Err(self.refuse(state, why));
        };
        if let Some(structure) = pointee(source, id) {
            return Ok((structure, Form::InPlace));
        }
        let pointer = match source.debug_type(source.resolved(id)).shape {
            Shape::Pointer(Some(to)) => pointee(source, to),
            _ => None,
        };
        match pointer {
            Some(structure) => Ok((structure, Form::New)),
            None => {
                let name = source.debug_type(id).name.clone();
                let why = format!(
                    "it takes a pointer to a structure, or to a pointer to one, and this is `{name}`"
                );
                Err(self.refuse(state, &why))
            }
        }
    }

    /// The number of the argument for the next call of a path, which asks for a
    /// suite of this type.
    fn asked_for(&mut self, state: &State, suite: &str, type_name: &str) -> Result<usize, Stop> {
        let earlier = state.lazy.regenerated.len();
        let first = self.staging().arguments.len();
        let known =
            self.regeneration.given.iter().position(|it| {
                it.earlier == earlier && it.suite == suite && it.type_name == type_name
            });
        if let Some(known) = known {
            return Ok(first + known);
        }
        let read = self.read_suite(suite, type_name);
        let argument = read.map_err(|message| self.refuse(state, &message))?;
        self.regeneration.given.push(Given {
            earlier,
            suite: suite.to_owned(),
            type_name: type_name.to_owned(),
            argument,
        });
        Ok(first + self.regeneration.given.len() - 1)
    }

    fn read_suite(&mut self, suite: &str, type_name: &str) -> Result<StagedArgument, String> {
        let given = self.regeneration.given.iter();
        let same = |it: &&Given| it.suite == suite && it.type_name == type_name;
        if let Some(known) = given.clone().find(same) {
            return Ok(known.argument.clone());
        }
        let reader = self.regeneration.reader.as_ref();
        let reader = reader.ok_or("no suites can be asked for here")?;
        let mut argument = reader(suite, type_name)?;
        let layouts = self.stage.layouts_mut();
        layouts.prepare(self.program, &mut argument, &mut self.notes)?;
        Ok(argument)
    }

    /// Gives up on the program: what it asks for cannot be had on any path.
    fn refuse(&mut self, state: &State, why: &str) -> Stop {
        let location = self.body(state.function()).map(|body| {
            let id = body.locations[state.frame.pc as usize];
            self.program.source.location(id)
        });
        let place = location.and_then(|it| Some((it.file?, it.line)));
        let place = place.map_or_else(String::new, |(file, line)| {
            format!("{}:{line}: ", self.program.source.file(file).name)
        });
        let message = format!("{place}ep_regenerate: {why}");
        self.regeneration.refusal.get_or_insert(message);
        Stop::End(End::Ignored)
    }
}

/// A graph as the bytes of one input, all numbers with the least byte first in
/// eight bytes: 1 if its first object is new, else 0; how many objects there are;
/// the size of each, then its contents, pointers null; how many pointers there are;
/// for each the object it is in, at which byte, and the object it leads to.
impl Machine<'_> {
    /// The graph that a path was given as this argument, in the path's model.
    pub fn objects_input(&self, state: &State, argument: u32) -> Vec<u8> {
        let argument = argument as usize;
        let lazy = &state.lazy;
        let form = lazy.regenerated.iter().find(|it| it.argument == argument);
        let form = form.map_or(Form::New, |it| it.form);
        let numbers: Vec<usize> = lazy.of_argument(argument).collect();
        let mut evaluator = term::Evaluator::default();
        let mut evaluation = evaluator.under(&self.store, &state.model);
        let mut bytes = Vec::new();
        let put = |bytes: &mut Vec<u8>, number: u64| bytes.extend(number.to_le_bytes());
        put(&mut bytes, (form == Form::New).into());
        put(&mut bytes, numbers.len() as u64);
        let mut pointers = Vec::new();
        for (position, &number) in numbers.iter().enumerate() {
            let LazyObject {
                layout, bytes: own, ..
            } = &lazy.objects[number];
            let mut contents: Vec<u8> = own.iter().map(|&it| evaluation.word(it) as u8).collect();
            for (term, &(_, slot)) in lazy.pointers.iter().filter(|(_, at)| at.0 == number) {
                let at = (layout.slots[slot].bit / 8) as usize;
                contents[at..at + 8].fill(0);
                if let Some(Some(target)) = lazy.decided.get(term) {
                    let target = numbers.iter().position(|it| it == target);
                    pointers.extend(target.map(|target| [position, at, target]));
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
    fn rebuild(&mut self, state: &mut State, suite: &str, given: u64) -> Result<Returned, Stop> {
        let bytes = self.recorded_objects(state, suite)?;
        let Some(graph) = RecordedGraph::read(&bytes) else {
            let message = format!("the recorded input `{suite}` is no graph of objects");
            return error(ErrorKind::OtherInputs, message);
        };
        let mut addresses = Vec::new();
        for contents in &graph.objects {
            let address = match (addresses.is_empty(), graph.form) {
                (true, Form::InPlace) => given,
                _ => self.allocate(state, contents.len() as u64, Region::Heap)?,
            };
            let terms: Vec<_> = (contents.iter())
                .map(|&byte| self.store.bv(8, byte.into()))
                .collect();
            let room = contents.len() as u64;
            let spot = self.resolve_access(state, Value::word(address), room, Access::Write)?;
            self.write(state, spot, &terms);
            addresses.push(address);
        }
        for &[object, at, target] in &graph.pointers {
            let place = Value::word(addresses[object] + at as u64);
            self.store(state, place, Kind::Ptr, Value::word(addresses[target]))?;
        }
        if let (Form::New, Some(&root)) = (graph.form, addresses.first()) {
            self.store(state, Value::word(given), Kind::Ptr, Value::word(root))?;
        }
        state.inputs.push(Input {
            name: suite.into(),
            bytes: Rc::default(),
            kind: InputKind::Part,
        });
        Ok(Returned::Nothing)
    }
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

impl LazyObjects {
    /// Adds an object that lies where the program has put it.
    pub(super) fn add(&mut self, argument: usize, layout: Rc<Layout>, address: u64) -> usize {
        let objects = Rc::make_mut(&mut self.objects);
        objects.push(LazyObject {
            argument,
            layout,
            address,
            bytes: Rc::default(),
        });
        objects.len() - 1
    }

    fn follow_until(&mut self, height: u32) {
        if let Some(following) = &mut self.following {
            following.until = Some(height);
        }
    }

    /// Whether the invariant that the path follows a solution through, called in
    /// the middle of a program, is the function that runs at this height.
    #[inline]
    pub(crate) fn ends_at(&self, height: u32) -> bool {
        matches!(&self.following, Some(following) if following.until == Some(height))
    }

    /// Whether an invariant runs that a program has not called itself.
    pub(crate) fn regenerates(&self) -> bool {
        matches!(&self.following, Some(following) if following.until.is_some())
    }

    fn followed_argument(&self) -> usize {
        self.following.as_ref().map_or(0, |it| it.argument)
    }
}

/// Where an object's bytes are in memory.
pub(super) fn spot_of(state: &mut State, address: u64) -> Option<Spot> {
    let id = id_of(address) as u32;
    let base = state.memory.object(id)?.base;
    Some(Spot::At(id, (address - base) as usize))
}
