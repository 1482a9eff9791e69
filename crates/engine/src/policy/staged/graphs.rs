//! Lazily initialised objects as graphs for people and for suites: as they were
//! given, as they are now, and what a path assumes of them.

use super::Staged;
use super::layout::{Slot, SlotKind};
use super::lazy::{LazyObject, LazyObjects};
use machine::{Machine, State};
use rustc_hash::{FxHashMap, FxHashSet};
use staged::{Field, Object, ObjectGraph};
use term::{Op, Sort, Store, Term};

/// Objects of a graph that is shown.
const MOST_SHOWN: usize = 1000;

/// What the path assumes of the numbers in an argument's objects, for
/// people: a line for each condition, with fields as `@0.size`.
pub fn value_conditions(store: &mut Store, state: &State, argument: usize) -> String {
    let mut fixed = FxHashMap::default();
    let mut open = Vec::new();
    for constraint in state.path.constraints() {
        match fixed_byte(store, constraint) {
            Some((byte, value)) => _ = fixed.insert(byte, value),
            None => open.push(constraint),
        }
    }
    let mut lines = Vec::new();
    let mut names = FxHashMap::default();
    let lazy = state
        .marks
        .get::<LazyObjects>()
        .cloned()
        .unwrap_or_default();
    let numbers: Vec<usize> = lazy.of_argument(argument).collect();
    let mut evaluator = term::Evaluator::default();
    let mut packed = FxHashSet::default();
    for (position, &number) in numbers.iter().enumerate() {
        let LazyObject { layout, bytes, .. } = &lazy.objects[number];
        let values: Vec<u8> = (bytes.iter())
            .map(|&byte| evaluator.under(store, &state.model).word(byte) as u8)
            .collect();
        for slot in &layout.slots {
            let range = (slot.bit / 8) as usize..(slot.bit + slot.bits).div_ceil(8) as usize;
            if matches!(slot.kind, SlotKind::Pointer(_)) || slot.bits % 8 > 0 {
                continue;
            }
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
pub fn object_graphs(store: &Store, state: &State) -> Vec<ObjectGraph> {
    let Some(lazy) = state.marks.get::<LazyObjects>() else {
        return Vec::new();
    };
    let arguments = lazy.objects.iter().map(|object| object.argument);
    let count = arguments.max().map_or(0, |last| last + 1);
    let graphs = (0..count).map(|argument| object_graph(store, state, argument));
    graphs.collect()
}

/// The objects of an argument as they were given, in the path's model.
pub fn object_graph(store: &Store, state: &State, argument: usize) -> ObjectGraph {
    let Some(lazy) = state.marks.get::<LazyObjects>() else {
        return ObjectGraph::default();
    };
    let numbers: Vec<usize> = lazy.of_argument(argument).collect();
    let mut evaluator = term::Evaluator::default();
    let mut evaluation = evaluator.under(store, &state.model);
    let undecided = lazy.undecided();
    let objects = numbers.iter().map(|&number| {
        let object = &lazy.objects[number];
        let values = object.bytes.iter();
        let values: Vec<u8> = values.map(|&byte| evaluation.word(byte) as u8).collect();
        let slots = object.layout.slots.iter().enumerate();
        let fields = slots.map(|(at, slot)| {
            let field = match undecided.contains(&(number, at)) {
                true => Field::Untouched,
                false => lazy
                    .place(&numbers, slot, &values)
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
    }
}

impl LazyObjects {
    /// The pointers that nobody has looked at: object and slot.
    pub(super) fn undecided(&self) -> FxHashSet<(usize, usize)> {
        let open = self.pointers.iter();
        let open = open.filter(|(term, _)| !self.decided.contains_key(*term));
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
        let (position, offset) = numbers.iter().enumerate().find_map(|(position, &number)| {
            let offset = self.objects[number].offset_of(address)?;
            Some((position, offset))
        })?;
        Some(Field::at(position, offset))
    }
}

impl Staged<'_> {
    /// What can be reached from an argument now, in the path's model.
    pub fn object_graph_after(
        &self,
        machine: &mut Machine<'_>,
        state: &State,
        argument: usize,
    ) -> ObjectGraph {
        let mut memory = state.memory.clone();
        let Some(lazy) = state.marks.get::<LazyObjects>() else {
            return ObjectGraph::default();
        };
        let Some(root) = lazy.of_argument(argument).next() else {
            return ObjectGraph::default();
        };
        let root = &lazy.objects[root];
        let mut met = vec![(root.address, root.layout.clone())];
        let mut graph = ObjectGraph::default();
        while let Some((address, layout)) = met.get(graph.objects.len()).cloned() {
            let id = memory.id_of(address);
            let Some(object) = memory.object(id) else {
                // The method has freed it.
                return ObjectGraph::default();
            };
            let start = (address - object.base) as usize;
            let bytes: Vec<Term> = (start..start + layout.size as usize)
                .map(|at| match object.byte(&mut machine.store, at) {
                    Ok(byte) => machine.store.bv(8, byte.into()),
                    Err(term) => term,
                })
                .collect();
            let evaluated = bytes.iter().map(|&byte| {
                let mut evaluation = machine.mixed.under(&machine.store, &state.model);
                evaluation.word(byte) as u8
            });
            let values: Vec<u8> = evaluated.collect();
            let mut fields = Vec::new();
            for slot in &layout.slots {
                let mut field = slot.get(&values);
                if slot.can_hold_address() && !matches!(slot.kind, SlotKind::Pointer(_)) {
                    let to = slot.word(&values);
                    let inside = met.iter().position(|(base, layout)| {
                        to.checked_sub(*base).is_some_and(|it| it < layout.size)
                    });
                    field = match (inside, lazy.holder(argument, to)) {
                        (Some(number), _) => Field::at(number, to - met[number].0),
                        (None, Some(_)) => Field::Elsewhere,
                        (None, None) => field,
                    };
                }
                if let SlotKind::Pointer(Some(pointee)) = &slot.kind {
                    let term = layout.term(&mut machine.store, slot, &bytes);
                    let open =
                        lazy.pointers.contains_key(&term) && !lazy.decided.contains_key(&term);
                    let to = slot.word(&values);
                    field = match met.iter().position(|(address, _)| *address == to) {
                        _ if open => Field::Untouched,
                        _ if to == 0 => Field::Null,
                        Some(number) => Field::To(number),
                        None => {
                            let target = self.layout(pointee);
                            let there = memory.id_of(to);
                            let there = memory.object(there);
                            let fits =
                                there.is_some_and(|it| it.base == to && it.size >= target.size);
                            if fits && met.len() < MOST_SHOWN {
                                met.push((to, target));
                                Field::To(met.len() - 1)
                            } else {
                                Field::Elsewhere
                            }
                        }
                    };
                }
                fields.push((slot.path.clone(), field));
            }
            graph.objects.push(Object {
                type_name: layout.name.clone(),
                fields,
            });
        }
        graph
    }
}
