//! What a method does on one path, for whatever values take it: what two versions of the
//! method are compared by.
//!
//! Addresses differ between two programs. So pointers are kept as the places they lead to,
//! conditions on addresses are left out (the places say the same), and all else is a term
//! over the bytes of the given objects and of the other inputs, which carry the same names
//! in both programs: [`object_byte`] and [`input_byte`].

use super::Staged;
use super::calls;
use super::graphs::{Reached, object_bytes};
use super::layout::{Layout, Pointee, Slot, SlotKind};
use super::lazy::LazyObjects;
use machine::runtime::is_library;
use machine::{End, ErrorKind, Machine, Memory, State, width};
use mixed::Effort;
use mixed::solver::Answer;
use program::{GlobalId, Kind};
use rustc_hash::{FxHashMap, FxHashSet};
use staged::Field;
use std::rc::Rc;
use term::{Sort, Store, Term, Variable};

/// Standard output and error.
const STREAMS: [i32; 2] = [1, 2];

/// What a method does on one path.
#[derive(Clone)]
pub struct Behaviour {
    /// The objects that were looked at, those of the arguments themselves first.
    pub(super) given: Vec<Given>,
    /// The inputs that are no objects, in order.
    pub(super) inputs: Vec<OtherInput>,
    /// How many arguments are objects.
    pub(super) arguments: usize,
    /// For each of them the one whose object it is, if it is none of its own.
    pub(super) aliases: Vec<Option<usize>>,
    pub(super) ending: Ending,
    pub(super) returned: Option<Seen>,
    /// What can be reached afterwards.
    pub(super) after: Vec<Node>,
    /// What the memory holds that other parameters point to, word by word.
    pub(super) memories: Vec<(String, Vec<Seen>)>,
    /// What the program's variables hold, in the same way.
    pub(super) variables: Vec<(String, Vec<Seen>)>,
    /// What was written to each of the streams.
    pub(super) output: Vec<Vec<usize>>,
    /// What the path assumes of values; indices of terms as all others here.
    pub(super) conditions: Vec<usize>,
    pub(super) terms: Vec<Term>,
    /// Whether some inputs that take the path are not spoken of here.
    pub(super) is_partial: bool,
}

/// How a path ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// With this status, which is 0 where the method returned.
    Exit(i32),
    Error(ErrorKind, String),
}

/// An object as the path was given it.
#[derive(Clone)]
pub(super) struct Given {
    pub argument: usize,
    pub layout: Rc<Layout>,
    pub slots: Vec<Seen>,
}

/// An object when the path has ended.
#[derive(Clone)]
pub(super) struct Node {
    /// Its number among the given ones, unless the method made it.
    pub given: Option<usize>,
    pub layout: Rc<Layout>,
    pub slots: Vec<Seen>,
}

/// An input that is no object.
#[derive(Clone)]
pub(super) struct OtherInput {
    pub bytes: usize,
    /// The function that it is the address of, where the path depends on which.
    pub function: Option<String>,
}

/// What a slot holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Seen {
    /// The value of a term.
    Term(usize),
    Null,
    /// So many bytes into a given object.
    Given(usize, u64),
    /// So many bytes into an object of those afterwards, which the method made.
    Made(usize, u64),
    /// What this slot of a given object held, which nobody looked at.
    Open(usize, usize),
    Function(String),
    Elsewhere,
}

/// Bytes of a variable that is compared.
const MOST_COMPARED: u64 = 1 << 12;

/// The variable for a byte of a given object.
pub(super) fn object_byte(store: &mut Store, object: usize, at: usize) -> Term {
    store.var(&format!("object {object}[{at}]"), Sort::Bv(8))
}

/// The variable for a byte of another input.
pub(super) fn input_byte(store: &mut Store, input: usize, at: usize) -> Term {
    store.var(&format!("input {input}[{at}]"), Sort::Bv(8))
}

impl Staged<'_> {
    /// What the method did on a path that ended.
    pub fn behaviour(&self, machine: &mut Machine<'_>, state: &State, end: &End) -> Behaviour {
        let lazy = state.marks.get::<LazyObjects>();
        let lazy = lazy.cloned().unwrap_or_default();
        let mut observation = Observation::new(machine, state, &lazy);
        let given = observation.given();
        let inputs = observation.inputs();
        observation.assume();
        let arguments = 0..self.staging.arguments.len();
        let aliases: Vec<Option<usize>> = arguments.map(|it| lazy.alias(it)).collect();
        let roots = lazy.objects.iter().zip(&aliases);
        let roots = roots.filter(|(_, alias)| alias.is_none());
        let roots = roots
            .map(|(it, _)| (it.address, it.layout.clone()))
            .collect();
        let reached = self.reached(observation.machine, state, roots);
        let after = observation.after(&reached);
        let returned = self.returned_as_seen(&mut observation);
        let memories = observation.memories();
        let variables = observation.variables();
        let output = observation.output();
        let mut behaviour = Behaviour {
            given,
            inputs,
            arguments: self.staging.arguments.len(),
            aliases,
            ending: match end {
                End::Error(kind, message) => Ending::Error(*kind, message.clone()),
                End::Exit(status) => Ending::Exit(*status),
                End::Ignored | End::Redundant | End::TooDeep | End::Unknown => Ending::Exit(0),
            },
            returned,
            after,
            memories,
            variables,
            output,
            conditions: observation.conditions,
            terms: observation.terms,
            is_partial: observation.is_partial,
        };
        behaviour.rename(machine, state, &lazy);
        behaviour
    }

    fn returned_as_seen(&self, observation: &mut Observation<'_, '_>) -> Option<Seen> {
        let program = observation.machine.program;
        let method = &program.functions[self.staging.method?.index()];
        let [kind] = program.signatures[method.signature.index()].results[..] else {
            return None;
        };
        let result = calls(observation.state).result?;
        let term = result.term(&mut observation.machine.store, width(kind));
        Some(match kind {
            Kind::Ptr => observation.word(term),
            Kind::Int(_) | Kind::Float(_) => observation.value(term),
        })
    }
}

impl Behaviour {
    /// Gives the bytes of objects and inputs the names that they have in both programs.
    fn rename(&mut self, machine: &mut Machine<'_>, state: &State, lazy: &LazyObjects) {
        let mut names = FxHashMap::default();
        let store = &mut machine.store;
        for (number, object) in lazy.objects.iter().enumerate() {
            for (at, &byte) in object.bytes.iter().enumerate() {
                names.insert(byte, object_byte(store, number, at));
            }
        }
        for (number, bytes) in other_inputs(state).enumerate() {
            for (at, &byte) in bytes.iter().enumerate() {
                names.insert(byte, input_byte(store, number, at));
            }
        }
        self.terms = term::substitute(store, &self.terms, &names);
    }
}

/// The bytes of the inputs that are no objects.
fn other_inputs(state: &State) -> impl Iterator<Item = Rc<[Term]>> + use<> {
    let all = state.inputs.all();
    let others = all.into_iter().filter(|input| !input.name.contains('#'));
    let others: Vec<Rc<[Term]>> = others.map(|input| input.bytes.clone()).collect();
    others.into_iter()
}

/// A path that is looked at.
struct Observation<'a, 'p> {
    machine: &'a mut Machine<'p>,
    state: &'a State,
    memory: Memory,
    lazy: &'a LazyObjects,
    /// What slots held that have addresses in them.
    places: FxHashMap<Term, Seen>,
    /// The bytes of these.
    addresses: FxHashSet<Variable>,
    terms: Vec<Term>,
    conditions: Vec<usize>,
    is_partial: bool,
}

impl<'a, 'p> Observation<'a, 'p> {
    fn new(
        machine: &'a mut Machine<'p>,
        state: &'a State,
        lazy: &'a LazyObjects,
    ) -> Observation<'a, 'p> {
        Observation {
            machine,
            state,
            memory: state.memory.clone(),
            lazy,
            places: FxHashMap::default(),
            addresses: FxHashSet::default(),
            terms: Vec::new(),
            conditions: Vec::new(),
            is_partial: false,
        }
    }

    fn add(&mut self, term: Term) -> usize {
        self.terms.push(term);
        self.terms.len() - 1
    }

    fn value(&mut self, term: Term) -> Seen {
        Seen::Term(self.add(term))
    }

    fn evaluated(&mut self, term: Term) -> u64 {
        let machine = &mut *self.machine;
        let mut evaluation = machine.mixed.under(&machine.store, &self.state.model);
        evaluation.word(term)
    }

    fn given(&mut self) -> Vec<Given> {
        let undecided = self.lazy.undecided();
        let mut given = Vec::new();
        for (number, object) in self.lazy.objects.iter().enumerate() {
            let layout = object.layout.clone();
            let values: Vec<u8> = (object.bytes.iter())
                .map(|&byte| self.evaluated(byte) as u8)
                .collect();
            let mut slots = Vec::new();
            for (at, slot) in layout.slots.iter().enumerate() {
                if object.bytes.is_empty() {
                    slots.push(Seen::Elsewhere);
                    continue;
                }
                let term = layout.term(&mut self.machine.store, slot, &object.bytes);
                let seen = match undecided.contains(&(number, at)) {
                    true => Some(Seen::Open(number, at)),
                    false => self.place(slot, term, (number, at), &values),
                };
                slots.push(match seen {
                    Some(seen) => {
                        let bytes = term::free_variables(&self.machine.store, &[term]);
                        self.addresses.extend(bytes);
                        self.places.insert(term, seen.clone());
                        seen
                    }
                    None => self.value(term),
                });
            }
            given.push(Given {
                argument: object.argument,
                layout,
                slots,
            });
        }
        given
    }

    /// What a slot of a given object leads to, if it holds an address.
    fn place(
        &mut self,
        slot: &Slot,
        term: Term,
        (object, at): (usize, usize),
        values: &[u8],
    ) -> Option<Seen> {
        let word = slot.word(values);
        match &slot.kind {
            SlotKind::Pointer(Pointee::Function(_)) => Some(match self.function(term, word) {
                Some(name) => name,
                None => Seen::Open(object, at),
            }),
            SlotKind::Pointer(Pointee::Object(_)) if word == 0 => Some(Seen::Null),
            SlotKind::Pointer(Pointee::Object(_)) => {
                Some(self.in_given(word).unwrap_or(Seen::Elsewhere))
            }
            SlotKind::Pointer(Pointee::Nothing) => Some(Seen::Null),
            SlotKind::Pointer(Pointee::Token) => None,
            SlotKind::Signed | SlotKind::Unsigned => {
                let numbers: Vec<usize> = (0..self.lazy.objects.len()).collect();
                let place = self.lazy.place(&numbers, slot, values)?;
                let (object, offset) = place.place()?;
                Some(Seen::Given(object, offset))
            }
            SlotKind::Truth | SlotKind::Float => None,
        }
    }

    /// The function that a pointer is to, if the path depends on it: there is more than the
    /// one condition that lets it lead to functions at all.
    fn function(&mut self, pointer: Term, address: u64) -> Option<Seen> {
        let own: FxHashSet<Variable> = term::free_variables(&self.machine.store, &[pointer])
            .into_iter()
            .collect();
        let store = &self.machine.store;
        let speaks = |constraint: &Term| {
            let variables = term::free_variables(store, &[*constraint]);
            variables.iter().any(|it| own.contains(it))
        };
        let spoken = self.state.path.constraints().filter(speaks).count();
        (spoken > 1).then(|| self.function_at(address).unwrap_or(Seen::Null))
    }

    fn function_at(&self, address: u64) -> Option<Seen> {
        let id = self.machine.function_at(address)?;
        let name = &self.machine.program.functions[id.index()].name;
        Some(Seen::Function(name.clone()))
    }

    /// The place in the given objects that an address leads to.
    fn in_given(&self, address: u64) -> Option<Seen> {
        let mut objects = self.lazy.objects.iter().enumerate();
        objects.find_map(|(number, object)| {
            let end = address == object.address + object.layout.size;
            let end = (end && object.layout.element().is_some()).then_some(object.layout.size);
            let offset = object.offset_of(address).or(end)?;
            Some(Seen::Given(number, offset))
        })
    }

    fn inputs(&mut self) -> Vec<OtherInput> {
        let mut inputs = Vec::new();
        for bytes in other_inputs(self.state) {
            let mut function = None;
            if bytes.len() == 8 {
                let whole = bytes.iter().copied();
                let store = &mut self.machine.store;
                let whole = whole.reduce(|low, high| store.concat(high, low));
                let whole = whole.expect("it has eight bytes");
                let address = self.evaluated(whole);
                if self.machine.function_at(address).is_some() {
                    let variables = term::free_variables(&self.machine.store, &[whole]);
                    self.addresses.extend(variables);
                    if let Some(Seen::Function(name)) = self.function(whole, address) {
                        function = Some(name);
                    }
                }
            }
            inputs.push(OtherInput {
                bytes: bytes.len(),
                function,
            });
        }
        inputs
    }

    /// What the path assumes, without what it assumes of addresses.
    fn assume(&mut self) {
        let constraints: Vec<Term> = self.state.path.constraints().collect();
        for constraint in constraints {
            let variables = term::free_variables(&self.machine.store, &[constraint]);
            let of_addresses = variables.iter().filter(|it| self.addresses.contains(it));
            match of_addresses.count() {
                0 => {
                    let number = self.add(constraint);
                    self.conditions.push(number);
                }
                some => self.is_partial |= some < variables.len(),
            }
        }
    }

    /// A word that may be a pointer.
    fn word(&mut self, term: Term) -> Seen {
        if let Some(place) = self.places.get(&term) {
            return place.clone();
        }
        if let Some(&(object, slot)) = self.lazy.pointers.get(&term)
            && !self.lazy.decided.contains(&term)
        {
            return Seen::Open(object, slot);
        }
        if self.machine.store.as_word(term) == Some(0) {
            return Seen::Null;
        }
        let word = self.evaluated(term);
        let id = self.memory.id_of(word);
        let is_alive = self.memory.object(id).is_some();
        let seen = (self.in_given(word)).or_else(|| self.function_at(word));
        match seen.or(is_alive.then_some(Seen::Elsewhere)) {
            Some(seen) => {
                self.concretize(term, word);
                seen
            }
            None => self.value(term),
        }
    }

    /// Speaks only of inputs that give an address its value. Mostly there are no others.
    fn concretize(&mut self, term: Term, word: u64) {
        if self.machine.store.as_word(term).is_some() {
            return;
        }
        let width = self.machine.store.width(term);
        let constant = self.machine.store.bv(width, word);
        let equal = self.machine.store.eq(term, constant);
        let other = self.machine.store.not(equal);
        let answer = self.machine.query(self.state, other, Effort::Full);
        if !matches!(answer, Answer::Unsat(_)) {
            self.is_partial = true;
            let number = self.add(equal);
            self.conditions.push(number);
        }
    }

    fn after(&mut self, reached: &Reached) -> Vec<Node> {
        let addresses = self.lazy.objects.iter().map(|it| it.address);
        let addresses: Vec<u64> = addresses.collect();
        let given = |node: usize| addresses.iter().position(|&it| it == reached.met[node].0);
        let mut nodes = Vec::new();
        for (node, object) in reached.graph.objects.iter().enumerate() {
            let mut slots = Vec::new();
            let layout = &reached.met[node].1;
            let terms = layout.slots.iter().zip(&reached.terms[node]);
            for ((slot, &term), (_, field)) in terms.zip(&object.fields) {
                let is_token = slot.kind == SlotKind::Pointer(Pointee::Token);
                slots.push(match (is_token, field) {
                    // Null is one of the values that are only passed on.
                    (true, Field::Null) => self.value(term),
                    _ => self.field(term, field, given),
                });
            }
            nodes.push(Node {
                given: given(node),
                layout: reached.met[node].1.clone(),
                slots,
            });
        }
        nodes
    }

    fn field(&mut self, term: Term, field: &Field, given: impl Fn(usize) -> Option<usize>) -> Seen {
        if let Some(place) = self.places.get(&term) {
            return place.clone();
        }
        let seen = match field {
            Field::Number(_) | Field::Float(_) => return self.value(term),
            Field::Null => Seen::Null,
            Field::To(_) | Field::Inside(..) => match field.place() {
                Some((node, offset)) => match given(node) {
                    Some(number) => Seen::Given(number, offset),
                    None => Seen::Made(node, offset),
                },
                None => Seen::Elsewhere,
            },
            Field::Function(name) => Seen::Function(name.clone()),
            Field::Elsewhere | Field::Untouched | Field::OneOf(_) => Seen::Elsewhere,
        };
        let word = self.evaluated(term);
        self.concretize(term, word);
        seen
    }

    /// The memory that other parameters point to.
    fn memories(&mut self) -> Vec<(String, Vec<Seen>)> {
        let memories = calls(self.state).memories.clone();
        let words = memories.iter().map(|memory| {
            let words = self.words(memory.address, memory.size);
            (memory.name.clone(), words)
        });
        words.collect()
    }

    /// The variables of the program that may be written, by the name that the linker knows.
    fn variables(&mut self) -> Vec<(String, Vec<Seen>)> {
        let program = self.machine.program;
        let mut found = Vec::new();
        for (at, global) in program.globals.iter().enumerate() {
            let file = global.source.as_ref().and_then(|source| source.file);
            let is_own = file.is_some_and(|id| !is_library(&program.source.file(id).path));
            if !is_own || global.constant || global.thread_local {
                continue;
            }
            if global.size > MOST_COMPARED {
                self.is_partial = true;
                continue;
            }
            let address = self.machine.global_address(GlobalId::from_index(at));
            found.push((global.name.clone(), self.words(address, global.size)));
        }
        found
    }

    /// What so many bytes hold, word by word; nothing if they are no longer there.
    fn words(&mut self, address: u64, size: u64) -> Vec<Seen> {
        let id = self.memory.id_of(address);
        let Some(object) = self.memory.object(id) else {
            return Vec::new();
        };
        let bytes = object_bytes(&mut self.machine.store, object, 0, size as usize);
        let words = bytes.chunks(8).map(|bytes| {
            let whole = bytes.iter().copied();
            let store = &mut self.machine.store;
            let whole = whole.reduce(|low, high| store.concat(high, low));
            let whole = whole.expect("a chunk is not empty");
            match bytes.len() {
                8 => self.word(whole),
                _ => self.value(whole),
            }
        });
        words.collect()
    }

    fn output(&mut self) -> Vec<Vec<usize>> {
        let streams = STREAMS.iter().map(|&stream| {
            let store = &mut self.machine.store;
            let written = self.state.output.terms(store, stream);
            written.into_iter().map(|byte| self.add(byte)).collect()
        });
        streams.collect()
    }
}

/// Whether the objects of an argument were freed.
pub(super) fn is_freed(behaviour: &Behaviour, argument: usize) -> bool {
    !(behaviour.after.iter()).any(|node| node.given == Some(argument))
}
