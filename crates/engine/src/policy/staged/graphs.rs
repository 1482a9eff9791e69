//! Lazily initialised objects as graphs for people and for suites: as they were
//! given, as they are now, and what a path assumes of them.

use super::Staged;
use super::effects::After;
use super::layout::{Layout, Pointee, Slot, SlotKind};
use super::lazy::{LazyObject, LazyObjects};
use machine::{Machine, Memory, MemoryObject, State};
use rustc_hash::{FxHashMap, FxHashSet};
use staged::{Field, Object, ObjectGraph};
use std::rc::Rc;
use term::{Op, Sort, Store, Term};

/// Objects of a graph that is shown.
const MOST_SHOWN: usize = 1000;

/// What the path assumes of the numbers in an argument's objects, for
/// people: a line for each condition, with fields as `@0.size`.
pub fn value_conditions(store: &mut Store, state: &State, argument: usize) -> String {
    let lazy = state
        .marks
        .get::<LazyObjects>()
        .cloned()
        .unwrap_or_default();
    let mut fixed = FxHashMap::default();
    let mut open = Vec::new();
    // What the path says of the pointers that it has decided is in the graph.
    let pointers = lazy.decided_bytes();
    for constraint in state.path.constraints_beyond(store, &pointers) {
        match fixed_byte(store, constraint) {
            Some((byte, value)) => _ = fixed.insert(byte, value),
            None => open.push(constraint),
        }
    }
    let mut lines = Vec::new();
    let mut names = FxHashMap::default();
    let numbers: Vec<usize> = lazy.of_argument(argument).collect();
    let mut evaluator = term::Evaluator::default();
    let mut packed = FxHashSet::default();
    for (position, &number) in numbers.iter().enumerate() {
        let LazyObject { layout, bytes, .. } = &lazy.objects[number];
        let is_number = |slot: &&Slot| match &slot.kind {
            SlotKind::Pointer(pointee) => *pointee == Pointee::Token,
            _ => slot.bits.is_multiple_of(8),
        };
        let mut slots = layout.slots.iter().filter(is_number).peekable();
        if slots.peek().is_none() {
            continue;
        }
        let values: Vec<u8> = (bytes.iter())
            .map(|&byte| evaluator.under(store, &state.model).word(byte) as u8)
            .collect();
        for slot in slots {
            let range = (slot.bit / 8) as usize..(slot.bit + slot.bits).div_ceil(8) as usize;
            // What is assumed of an address is for this run alone.
            if lazy.place(&numbers, slot, &values).is_some() {
                packed.extend(
                    bytes[range]
                        .iter()
                        .filter_map(|&byte| store.as_variable(byte)),
                );
                continue;
            }
            let name = format!("@{position}.{}", slot.path);
            let own = bytes[range.clone()].iter();
            let known: Option<Vec<u8>> = own.map(|byte| fixed.get(byte).copied()).collect();
            if let Some(known) = known {
                let mut values = vec![0; bytes.len()];
                values[range.clone()].copy_from_slice(&known);
                lines.push(format!("{name} == {}", slot.get(&values).text()));
            }
            let whole = store.var(&name, Sort::Bv(slot.bits as u16));
            for (i, &byte) in bytes[range].iter().enumerate() {
                let part = store.extract(whole, 8 * i as u16, 8);
                names.insert(byte, part);
            }
        }
    }
    open.retain(|&it| !(term::free_variables(store, &[it]).iter()).any(|it| packed.contains(it)));
    let open = term::substitute(store, &open, &names);
    let rest = term::print::infix::terms(store, &open);
    lines.extend(rest.lines().map(str::to_owned));
    lines.join("\n")
}

/// The byte that a constraint gives a value, if it does just that.
fn fixed_byte(store: &Store, constraint: Term) -> Option<(Term, u8)> {
    if store.op(constraint) != Op::Eq {
        return None;
    }
    let args = store.args(constraint);
    let (&one, &other) = (args.first()?, args.get(1)?);
    let (byte, value) = match store.as_word(other) {
        Some(value) => (one, value),
        None => (other, store.as_word(one)?),
    };
    store.as_variable(byte)?;
    Some((byte, value as u8))
}

/// The objects of all arguments as they were given, in the path's model; none
/// for arguments of other paths.
pub fn object_graphs(machine: &Machine<'_>, state: &State) -> Vec<ObjectGraph> {
    let Some(lazy) = state.marks.get::<LazyObjects>() else {
        return Vec::new();
    };
    let graphs = (0..lazy.arguments()).map(|argument| object_graph(machine, state, argument));
    graphs.collect()
}

/// The objects of an argument as they were given, in the path's model.
pub fn object_graph(machine: &Machine<'_>, state: &State, argument: usize) -> ObjectGraph {
    let Some(lazy) = state.marks.get::<LazyObjects>() else {
        return ObjectGraph::default();
    };
    if let Some(other) = lazy.alias(argument) {
        return ObjectGraph {
            same_as: Some(other),
            ..ObjectGraph::default()
        };
    }
    let numbers: Vec<usize> = lazy.of_argument(argument).collect();
    let mut evaluator = term::Evaluator::default();
    let mut evaluation = evaluator.under(&machine.store, &state.model);
    let undecided = lazy.undecided();
    let objects = numbers.iter().map(|&number| {
        let object = &lazy.objects[number];
        let values = object.bytes.iter();
        let values: Vec<u8> = values.map(|&byte| evaluation.word(byte) as u8).collect();
        let slots = object.layout.slots.iter().enumerate();
        let fields = slots.map(|(at, slot)| {
            let field = match undecided.contains(&(number, at)) {
                true => Field::Untouched,
                false => (lazy.place(&numbers, slot, &values))
                    .or_else(|| function(machine, slot, &values))
                    .unwrap_or_else(|| slot.get(&values)),
            };
            (slot.path.clone(), field)
        });
        Object {
            type_name: object.layout.name.clone(),
            fields: fields.collect(),
        }
    });
    ObjectGraph {
        objects: objects.collect(),
        ..ObjectGraph::default()
    }
}

/// The function that a slot holds the address of, if it does.
fn function(machine: &Machine<'_>, slot: &Slot, values: &[u8]) -> Option<Field> {
    let SlotKind::Pointer(Pointee::Function(_)) = slot.kind else {
        return None;
    };
    let id = machine.function_at(slot.word(values))?;
    let name = &machine.program.functions[id.index()].name;
    Some(Field::Function(name.clone()))
}

impl LazyObjects {
    /// The inputs that are pointers which the path has decided.
    fn decided_bytes(&self) -> Vec<Term> {
        let decided = (self.pointers.iter()).filter(|(term, _)| self.decided.contains(term));
        let bytes = decided.flat_map(|(_, &(object, slot))| {
            let LazyObject { layout, bytes, .. } = &self.objects[object];
            let first = (layout.slots[slot].bit / 8) as usize;
            bytes[first..first + 8].iter().copied()
        });
        bytes.collect()
    }

    /// The pointers that nobody has looked at: object and slot.
    pub(super) fn undecided(&self) -> FxHashSet<(usize, usize)> {
        let open = self.pointers.iter();
        let open = open.filter(|(term, _)| !self.decided.contains(term));
        open.map(|(_, &at)| at).collect()
    }

    /// The place in one of these objects that a slot holds the address of, if it does.
    /// Of a number that holds one by chance nothing else can be said: what the path
    /// assumes of it speaks of that address.
    pub(super) fn place(&self, numbers: &[usize], slot: &Slot, values: &[u8]) -> Option<Field> {
        if !slot.can_hold_address() {
            return None;
        }
        let address = slot.word(values);
        let mut places = numbers.iter().enumerate();
        let inside = places.find_map(|(position, &number)| {
            let offset = self.objects[number].offset_of(address)?;
            Some(Field::at(position, offset))
        });
        inside.or_else(|| {
            let is_end = |&number: &usize| {
                let LazyObject {
                    layout,
                    address: base,
                    ..
                } = &self.objects[number];
                layout.element().is_some() && address == base + layout.size
            };
            let position = numbers.iter().position(is_end)?;
            Some(Field::at(
                position,
                self.objects[numbers[position]].layout.size,
            ))
        })
    }
}

/// What a pointer leads to beyond what its type says.
struct Hint {
    /// A run of elements, also if there is one only.
    is_run: bool,
    /// A node of this type.
    node: Option<String>,
}

/// Objects that can be reached when a method has returned, in the path's model.
pub(super) struct Reached {
    pub graph: ObjectGraph,
    /// Where each of them begins, and what it is.
    pub met: Vec<(u64, Rc<Layout>)>,
    /// The slots of each as terms.
    pub terms: Vec<Vec<Term>>,
}

impl Staged<'_> {
    /// What can be reached from an argument now, in the path's model.
    pub fn after(&self, machine: &mut Machine<'_>, state: &State, argument: usize) -> After {
        let Some(lazy) = state.marks.get::<LazyObjects>() else {
            return After::default();
        };
        let Some(root) = lazy.of_argument(argument).next() else {
            return After::default();
        };
        let root = &lazy.objects[root];
        let Reached { graph, met, .. } =
            self.reached(machine, state, vec![(root.address, root.layout.clone())]);
        let numbers: Vec<usize> = lazy.of_argument(argument).collect();
        let given = met.iter().map(|&(address, _)| {
            let is_it = |&number: &usize| lazy.objects[number].address == address;
            numbers.iter().position(is_it)
        });
        After {
            graph,
            given: given.collect(),
        }
    }

    /// What can be reached from these objects now; those that the method has freed are left
    /// out.
    pub(super) fn reached(
        &self,
        machine: &mut Machine<'_>,
        state: &State,
        mut met: Vec<(u64, Rc<Layout>)>,
    ) -> Reached {
        let mut memory = state.memory.clone();
        let lazy = state.marks.get::<LazyObjects>();
        let lazy = lazy.cloned().unwrap_or_default();
        met.retain(|(address, layout)| is_alive(&mut memory, *address, layout));
        let mut graph = ObjectGraph::default();
        let mut terms = Vec::new();
        while let Some((address, layout)) = met.get(graph.objects.len()).cloned() {
            let id = memory.id_of(address);
            let object = memory.object(id).expect("only what is alive is met");
            let start = (address - object.base) as usize;
            let bytes = object_bytes(&mut machine.store, object, start, layout.size as usize);
            let evaluated = bytes.iter().map(|&byte| {
                let mut evaluation = machine.mixed.under(&machine.store, &state.model);
                evaluation.word(byte) as u8
            });
            let values: Vec<u8> = evaluated.collect();
            let layout = self.layouts.borrow_mut().form_now(&layout, &values);
            met[graph.objects.len()].1 = layout.clone();
            let mut fields = Vec::new();
            let mut slots = Vec::new();
            for (at, slot) in layout.slots.iter().enumerate() {
                let term = layout.term(&mut machine.store, slot, &bytes);
                let hint = Hint {
                    is_run: layout.span_of(at).is_some(),
                    node: layout.node_at(at).map(str::to_owned),
                };
                let open = lazy.pointers.contains(&term) && !lazy.decided.contains(&term);
                let field = match open {
                    true => Field::Untouched,
                    false => function(machine, slot, &values).unwrap_or_else(|| {
                        self.field_after(&lazy, &mut memory, &mut met, (slot, &hint), &values)
                    }),
                };
                fields.push((slot.path.clone(), field));
                slots.push(term);
            }
            graph.objects.push(Object {
                type_name: layout.name.clone(),
                fields,
            });
            terms.push(slots);
        }
        Reached { graph, met, terms }
    }

    /// What a slot holds, after what it leads to was added to what is to be shown. That of a
    /// container leads to a run of elements, also if there is one only, and to its end.
    fn field_after(
        &self,
        lazy: &LazyObjects,
        memory: &mut Memory,
        met: &mut Vec<(u64, Rc<Layout>)>,
        (slot, hint): (&Slot, &Hint),
        values: &[u8],
    ) -> Field {
        let word = slot.word(values);
        if !slot.can_hold_address() || word == 0 {
            return slot.get(values);
        }
        let inside = |met: &[(u64, Rc<Layout>)]| {
            let mut places = met.iter().enumerate();
            places.find_map(|(number, (base, layout))| {
                let offset = word.checked_sub(*base)?;
                (offset < layout.size).then(|| Field::at(number, offset))
            })
        };
        let end = |met: &[(u64, Rc<Layout>)]| {
            let ends = |(base, layout): &(u64, Rc<Layout>)| {
                layout.element().is_some() && base + layout.size == word
            };
            let number = met.iter().position(ends).filter(|_| hint.is_run)?;
            Some(Field::at(number, met[number].1.size))
        };
        if let Some(known) = inside(met).or_else(|| end(met)) {
            return known;
        }
        let made = lazy.objects.iter().find(|it| it.offset_of(word).is_some());
        let found = match (made, &slot.kind) {
            (Some(made), _) => Some((made.address, made.layout.clone())),
            (None, SlotKind::Pointer(Pointee::Object(to))) => {
                self.region_at(memory, to, word, hint)
            }
            (None, _) => None,
        };
        match found {
            // The method may have freed it since.
            Some((base, layout)) if is_alive(memory, base, &layout) && met.len() < MOST_SHOWN => {
                met.push((base, layout));
                inside(met).unwrap_or(Field::Elsewhere)
            }
            Some(_) => Field::Elsewhere,
            None => match (&slot.kind, slot.get(values)) {
                (SlotKind::Pointer(_), Field::Untouched) => Field::Elsewhere,
                (_, field) => field,
            },
        }
    }

    /// What the method has put where a pointer to a type leads: where it begins, and what
    /// it can be by its size.
    fn region_at(
        &self,
        memory: &mut Memory,
        to: &str,
        address: u64,
        hint: &Hint,
    ) -> Option<(u64, Rc<Layout>)> {
        let id = memory.id_of(address);
        let (base, size) = memory.object(id).map(|it| (it.base, it.size))?;
        let mut layouts = self.layouts.borrow_mut();
        let offset = address.checked_sub(base)?;
        let mut around: Vec<Rc<Layout>> = layouts.all().cloned().collect();
        around.retain(|it| it.size == size && it.holds(to, offset));
        around.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        let node = around
            .iter()
            .find(|it| Some(&it.name) == hint.node.as_ref());
        let whole = node.or_else(|| around.iter().find(|it| it.name == to));
        if let Some(layout) = whole.or(around.first()).filter(|_| !hint.is_run) {
            return Some((base, layout.clone()));
        }
        let element = layouts.get(to)?;
        let count = size.checked_div(element.size)?;
        let is_array = count * element.size == size && offset.is_multiple_of(element.size);
        let array = is_array.then(|| layouts.get(&format!("{to}[{count}]")))??;
        Some((base, array))
    }
}

/// So many bytes of an object in memory.
pub(super) fn object_bytes(
    store: &mut Store,
    object: &MemoryObject,
    start: usize,
    count: usize,
) -> Vec<Term> {
    let bytes = (start..start + count).map(|at| match object.byte(store, at) {
        Ok(byte) => store.bv(8, byte.into()),
        Err(term) => term,
    });
    bytes.collect()
}

/// Whether there is still so much memory.
fn is_alive(memory: &mut Memory, base: u64, layout: &Layout) -> bool {
    let id = memory.id_of(base);
    memory
        .object(id)
        .is_some_and(|it| it.base <= base && base + layout.size <= it.base + it.size)
}
