//! The types of a program that objects are made of: those that can be reached from the
//! object under test, and what a pointer to one of them may lead to.

use super::describe::{definitions, differ, kinds, known_names, taken_apart};
use super::functions::functions_of_type;
use super::layout::{
    Functions, LAST_TOKEN, Layout, LayoutError, MOST_SLOTS, Pointee, Slot, SlotKind,
};
use super::regions::{CHARACTER, array, most_at_end, with_tail};
use program::{FunctionId, Program, TypeId};
use rustc_hash::FxHashMap;
use staged::{Bounds, Field, ObjectGraph};
use std::rc::Rc;

/// The types of a program that objects are made of, by name.
#[derive(Default)]
pub(crate) struct Layouts {
    known: FxHashMap<String, Rc<Layout>>,
    /// The classes whose objects can be what a pointer to a class leads to.
    classes: FxHashMap<String, Vec<String>>,
}

impl Layouts {
    /// The type of that name, all that its pointers lead to, and what the bounds have
    /// these be parts of.
    ///
    /// # Errors
    ///
    /// When the program's debug information does not tell.
    pub fn add(
        &mut self,
        program: &Program,
        name: &str,
        bounds: &Bounds,
    ) -> Result<Rc<Layout>, LayoutError> {
        let definitions = definitions(&program.source);
        self.add_reachable(program, &definitions, vec![name.to_owned()], bounds)?;
        // A pointer to a part of something leads into that: `list_head` into the items
        // that it links.
        let mut containers: Vec<&str> = bounds.types().collect();
        containers.retain(|it| definitions.contains_key(*it));
        loop {
            let mut found = Vec::new();
            for &container in &containers {
                if self.known.contains_key(container) {
                    continue;
                }
                let id = definitions[container][0];
                let layout = taken_apart(program, container, id)?;
                if (layout.parts.iter()).any(|part| self.is_pointed_to(&part.type_name)) {
                    found.push(container.to_owned());
                }
            }
            if found.is_empty() {
                return Ok(self.known[name].clone());
            }
            self.add_reachable(program, &definitions, found, bounds)?;
        }
    }

    fn add_reachable(
        &mut self,
        program: &Program,
        definitions: &FxHashMap<String, Vec<TypeId>>,
        mut missing: Vec<String>,
        bounds: &Bounds,
    ) -> Result<(), LayoutError> {
        while let Some(name) = missing.pop() {
            if self.known.contains_key(&name) {
                continue;
            }
            let same = definitions
                .get(name.as_str())
                .map_or(&[][..], Vec::as_slice);
            if let [one, others @ ..] = same
                && others
                    .iter()
                    .any(|other| differ(&program.source, *one, *other))
            {
                return Err(LayoutError::Ambiguous(name));
            }
            let Some(&id) = same.first() else {
                return Err(LayoutError::Unknown {
                    name,
                    known: known_names(&program.source, definitions),
                });
            };
            let mut layout = taken_apart(program, &name, id)?;
            if layout.is_polymorphic() {
                let classes = self.classes_of(program, definitions, &name)?;
                missing.extend(classes.iter().cloned());
                self.classes.insert(name.clone(), classes);
            }
            missing.extend(layout.tail.iter().map(|tail| tail.element.clone()));
            let texts = layout.texts.iter().map(|_| CHARACTER.to_owned());
            missing.extend(texts.filter(|it| definitions.contains_key(it)));
            for slot in &mut layout.slots {
                let SlotKind::Pointer(pointee) = &mut slot.kind else {
                    continue;
                };
                if let Some(named) = bounds.pointee(&name, &slot.path) {
                    *pointee = Pointee::Object(named.to_owned());
                    missing.push(named.to_owned());
                    continue;
                }
                match pointee {
                    Pointee::Object(to) if definitions.contains_key(to) => missing.push(to.clone()),
                    // What is declared only can be passed on, and nothing else.
                    Pointee::Object(_) => *pointee = Pointee::Token,
                    Pointee::Function(Functions::OfType(written)) => {
                        let known = functions_of_type(program, written);
                        *pointee = match known.is_empty() {
                            true => Pointee::Nothing,
                            false => Pointee::Function(Functions::Known(known)),
                        };
                    }
                    Pointee::Nothing => {
                        return Err(LayoutError::NotMade(format!("{name}.{}", slot.path)));
                    }
                    Pointee::Function(Functions::Known(_)) | Pointee::Token => {}
                }
            }
            self.known.insert(name, Rc::new(layout));
        }
        Ok(())
    }

    /// The classes that are this one or derived from it and of which there can be objects.
    fn classes_of(
        &self,
        program: &Program,
        definitions: &FxHashMap<String, Vec<TypeId>>,
        name: &str,
    ) -> Result<Vec<String>, LayoutError> {
        let mut found = Vec::new();
        for (class, ids) in definitions {
            if !kinds(&program.source, class, ids[0])
                .iter()
                .any(|it| it == name)
            {
                continue;
            }
            if !taken_apart(program, class, ids[0])?.is_abstract {
                found.push(class.clone());
            }
        }
        found.sort_unstable();
        match found.is_empty() {
            true => Err(LayoutError::Abstract(name.to_owned())),
            false => Ok(found),
        }
    }

    /// A type that was added, an array of one, or one with so many elements at its end.
    pub fn get(&mut self, name: &str) -> Option<Rc<Layout>> {
        if let Some(known) = self.known.get(name) {
            return Some(known.clone());
        }
        let layout = match name.strip_suffix(']').and_then(|it| it.rsplit_once('[')) {
            Some((element, count)) => {
                array(self.known.get(element)?, count.parse().ok()?, MOST_SLOTS)?
            }
            None => {
                let (whole, tail) = name.strip_suffix(')')?.rsplit_once('(')?;
                let (_, count) = tail.split_once('=')?;
                let whole = self.known.get(whole)?;
                let element = self.known.get(&whole.tail.as_ref()?.element)?;
                with_tail(whole, element, count.parse().ok()?, MOST_SLOTS)?
            }
        };
        if layout.name != name {
            return None;
        }
        let layout = Rc::new(layout);
        self.known.insert(name.to_owned(), layout.clone());
        Some(layout)
    }

    /// What objects of a type can be: of a class those that are derived from it, and of a
    /// structure that ends in an array of any length it with each number of elements.
    pub fn forms(&self, type_name: &str, bounds: &Bounds) -> Vec<String> {
        if let Some(classes) = self.classes.get(type_name) {
            return classes.clone();
        }
        let layout = self.known.get(type_name);
        let Some(tail) = layout.and_then(|it| it.tail.as_ref()) else {
            return vec![type_name.to_owned()];
        };
        let most = most_at_end(type_name, tail, bounds).unwrap_or(0);
        (0..=most)
            .map(|count| tail.name_with(type_name, count))
            .collect()
    }

    /// The types that a region of this name counts as.
    pub fn kinds(&self, name: &str) -> Vec<String> {
        let known = self.known.get(name).map(|it| it.kinds.clone());
        known.unwrap_or_else(|| {
            let whole = name.strip_suffix(')').and_then(|it| it.rsplit_once('('));
            vec![whole.map_or(name, |(whole, _)| whole).to_owned()]
        })
    }

    /// All types that were added or asked for.
    pub fn all(&self) -> impl Iterator<Item = &Rc<Layout>> {
        self.known.values()
    }

    /// Whether some pointer leads to things of this type.
    pub fn is_pointed_to(&self, type_name: &str) -> bool {
        let mut slots = self.known.values().flat_map(|layout| &layout.slots);
        slots.any(
            |slot| matches!(&slot.kind, SlotKind::Pointer(Pointee::Object(to)) if to == type_name),
        )
    }

    /// Why a graph cannot be one of these structures, if it cannot.
    pub fn misfit(&mut self, program: &Program, root: &str, graph: &ObjectGraph) -> Option<String> {
        if let Some(first) = graph.objects.first().map(|first| &first.type_name)
            && let Some(layout) = self.get(first)
            && !layout.kinds.iter().any(|kind| kind == root)
        {
            return Some(format!("begins with a `{first}`, which is no `{root}`"));
        }
        for object in &graph.objects {
            let type_name = &object.type_name;
            let Some(layout) = self.get(type_name) else {
                return Some(format!(
                    "has a `{type_name}`, which the object cannot lead to"
                ));
            };
            for (path, field) in &object.fields {
                let name = format!("`{type_name}.{path}`");
                let Some(slot) = layout.slots.iter().find(|slot| slot.path == *path) else {
                    return Some(format!("has a field {name}, and there is no such"));
                };
                if let Some(why) = self.unfit(program, graph, slot, field, &name) {
                    return Some(why);
                }
            }
        }
        None
    }

    /// Why a slot cannot hold what a graph has in it, if it cannot.
    fn unfit(
        &mut self,
        program: &Program,
        graph: &ObjectGraph,
        slot: &Slot,
        field: &Field,
        name: &str,
    ) -> Option<String> {
        match (field, &slot.kind) {
            (Field::Untouched, _) | (Field::Null, SlotKind::Pointer(_)) => None,
            (Field::To(_) | Field::Inside(..), SlotKind::Pointer(Pointee::Object(pointee))) => {
                let (to, offset) = field.place()?;
                let there = &graph.objects[to].type_name;
                let layout = self.get(there)?;
                let fits = layout.holds(pointee, offset);
                (!fits).then(|| format!("has {name} lead to a `{there}`"))
            }
            (Field::To(_) | Field::Inside(..), SlotKind::Signed | SlotKind::Unsigned)
                if slot.can_hold_address() =>
            {
                None
            }
            (
                Field::Function(wanted),
                SlotKind::Pointer(Pointee::Function(Functions::Known(known))),
            ) => {
                let is_it = |id: &FunctionId| program.functions[id.index()].name == *wanted;
                (!known.iter().any(is_it))
                    .then(|| format!("has {name} lead to a function `{wanted}` of another type"))
            }
            (Field::Number(0..=LAST_TOKEN), SlotKind::Pointer(Pointee::Token)) => None,
            (Field::Number(_) | Field::Float(_), SlotKind::Pointer(_)) => {
                Some(format!("has a number for the pointer {name}"))
            }
            (Field::Number(value), _) if !slot.can_hold(*value) => {
                Some(format!("has {value} for {name}, which cannot hold it"))
            }
            (Field::Number(_), _) | (Field::Float(_), SlotKind::Float) => None,
            (
                Field::To(_)
                | Field::Inside(..)
                | Field::Null
                | Field::Float(_)
                | Field::Function(_)
                | Field::Elsewhere,
                _,
            ) => Some(format!("has {} for {name}, which is none", field.text())),
        }
    }
}
