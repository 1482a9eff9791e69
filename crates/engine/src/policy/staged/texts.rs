//! Texts of which a grammar tells the shapes, as a method takes them.
//!
//! A text is memory that ends with a zero. Which shape it has is decided when the method is
//! called, a path for each; what is the same in all texts of a shape is concrete, and what
//! may be one of several bytes is an input held to those.

use super::following::put_values;
use super::{Calls, Staged, left_out};
use machine::{Halt, InputKind, Machine, MemoryObject, Spot, State};
use staged::{Bytes, Field, Solution};
use std::rc::Rc;
use term::{Store, Term};

/// A parameter that is a text of one of several shapes.
#[derive(Clone)]
pub struct StagedText {
    /// Which of the method's parameters it is.
    pub parameter: usize,
    /// What the suite is called that the shapes come from.
    pub suite: String,
    /// The shapes.
    pub solutions: Vec<Rc<Solution>>,
}

/// What each byte of a text may be.
pub(super) type TextShape = Rc<[Bytes]>;

impl StagedText {
    /// The shapes; what is none, or has a zero before its end, is left out and said to be.
    pub(super) fn shapes(&self, notes: &mut Vec<String>) -> Vec<TextShape> {
        let shapes = self.solutions.iter().filter_map(|solution| {
            let shape = shape_of(solution);
            if let Err(why) = shape {
                notes.push(left_out(&self.suite, solution.line, why));
            }
            shape.ok()
        });
        shapes.collect()
    }
}

fn shape_of(solution: &Solution) -> Result<TextShape, &'static str> {
    let [object] = &solution.graph.objects[..] else {
        return Err("is no text");
    };
    let count = object.type_name.strip_prefix("char[");
    let count = count.and_then(|it| it.strip_suffix(']'));
    let count: usize = count.and_then(|it| it.parse().ok()).ok_or("is no text")?;
    if object.fields.len() != count {
        return Err("does not tell every byte of a text");
    }
    let byte = |at: usize| {
        let bytes = match object.field(&format!("[{at}]")) {
            Field::Number(number) => {
                let byte = u8::try_from(*number).map_err(|_| "has a number that is no byte")?;
                Bytes::of([(byte, byte)])
            }
            Field::OneOf(bytes) => bytes.clone(),
            _ => return Err("does not tell every byte of a text"),
        };
        let bytes = bytes.without_zero();
        match bytes.ranges().is_empty() {
            true => Err("has a zero, at which a text ends"),
            false => Ok(bytes),
        }
    };
    (0..count).map(byte).collect()
}

/// Whether a byte is one of these.
fn is_one_of(store: &mut Store, byte: Term, bytes: &Bytes) -> Term {
    let mut found = store.bool(false);
    for &(low, high) in bytes.ranges() {
        let (low, high) = (store.bv(8, low.into()), store.bv(8, high.into()));
        let (above, below) = (store.bv_ule(low, byte), store.bv_ule(byte, high));
        let within = store.and(above, below);
        found = store.or(found, within);
    }
    found
}

impl Staged<'_> {
    /// The most bytes of the texts that a parameter may be, and their zero, if there is a
    /// suite for it.
    pub(super) fn text_room(&self, parameter: usize) -> Option<u64> {
        let (_, shapes) = self.texts.iter().find(|(it, _)| *it == parameter)?;
        let longest = shapes.iter().map(|shape| shape.len()).max();
        Some(longest.unwrap_or(0) as u64 + 1)
    }

    /// Has the method's texts be of each combination of their shapes.
    pub(super) fn begin_texts(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
    ) -> Result<(), Halt> {
        if self.texts.is_empty() {
            return Ok(());
        }
        let counts = self.texts.iter().map(|(_, shapes)| shapes.len());
        let ways = counts.fold(1usize, usize::saturating_mul);
        machine.go_each_way(state, ways, |machine, path, mut number| {
            for (parameter, shapes) in &self.texts {
                let shape = &shapes[number % shapes.len()];
                number /= shapes.len();
                self.put_text(machine, path, *parameter, shape)?;
            }
            Ok(())
        })
    }

    /// Puts a text of a shape where there is room for the longest.
    fn put_text(
        &self,
        machine: &mut Machine<'_>,
        state: &mut State,
        parameter: usize,
        shape: &TextShape,
    ) -> Result<(), Halt> {
        let size = shape.len() as u64 + 1;
        let memories = Rc::make_mut(&mut state.marks.get_mut::<Calls>().memories);
        let own = memories.iter_mut().find(|it| it.parameter == parameter);
        let own = own.expect("room was made when the call was planned");
        own.size = size;
        let (name, address) = (own.name.clone(), own.address);
        let id = state.memory.id_of(address);
        if let Some(room) = state.memory.object_mut(id) {
            *room = MemoryObject::new(room.base, size, room.region, room.site);
        }
        let bytes = machine.input(state, &name, size as usize, InputKind::Bytes)?;
        let zero = Bytes::of([(0, 0)]);
        let sets: Vec<&Bytes> = shape.iter().chain([&zero]).collect();
        let least: Vec<u8> = sets.iter().map(|it| it.ranges()[0].0).collect();
        if !state.is_retracing() {
            put_values(
                &machine.store,
                Rc::make_mut(&mut state.model),
                &bytes,
                &least,
            );
        }
        let mut contents = Vec::new();
        for (&byte, set) in bytes.iter().zip(sets) {
            let condition = is_one_of(&mut machine.store, byte, set);
            machine.assume_of_input(state, condition);
            contents.push(match *set.ranges() {
                [(low, high)] if low == high => machine.store.bv(8, low.into()),
                _ => byte,
            });
        }
        machine.write(state, Spot::At(id, 0), &contents);
        Ok(())
    }
}
