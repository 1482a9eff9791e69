//! The types of a program that objects are made of: those that can be reached from the
//! object under test, and what a pointer to one of them may lead to.

use super::containers::{CHARACTER, LONG, MOST_LONG, counted_kinds};
use super::describe::{definitions, differ, known_names, taken_apart};
use super::functions::functions_of_type;
use super::layout::{
    Functions, LAST_TOKEN, Layout, LayoutError, MOST_FORMS, MOST_SLOTS, Pointee, Slot, SlotKind,
    split_form, with_variant,
};
use super::linked::is_node;
use super::naming::kinds;
use super::regions::{array, most_at_end, most_in_text, with_behind, with_tail};
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
    /// For what has enums in it, it with each variant of the first of them.
    variants: FxHashMap<String, Vec<String>>,
    /// For what has texts in it, it with one more of them elsewhere, and which one.
    longer: FxHashMap<String, Vec<(String, String)>>,
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
                let parts = layout.parts.iter().map(|part| &part.type_name);
                let mut parts = parts.chain(layout.tail.iter().map(|tail| &tail.element));
                if parts.any(|part| self.is_pointed_to(part)) {
                    found.push(container.to_owned());
                }
            }
            if found.is_empty() {
                return Ok(self.known[name].clone());
            }
            self.add_reachable(program, &definitions, found, bounds)?;
        }
    }

    /// Adds the structures with members that are structures once more, whose pointers may lead
    /// to something else by these bounds.
    pub fn add_members_again(
        &mut self,
        program: &Program,
        bounds: &Bounds,
    ) -> Result<(), LayoutError> {
        let definitions = definitions(&program.source);
        let changed = self.known.extract_if(|name, layout| {
            !layout.members.is_empty() && definitions.contains_key(split_form(name).0)
        });
        let changed: Vec<String> = changed.map(|(name, _)| name).collect();
        self.add_reachable(program, &definitions, changed, bounds)
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
                .get(split_form(&name).0)
                .map_or(&[][..], Vec::as_slice);
            if let [one, others @ ..] = same
                && others
                    .iter()
                    .any(|other| differ(&program.source, *one, *other))
            {
                return Err(LayoutError::Ambiguous(name));
            }
            let pointed = name.strip_suffix('*');
            let (mut layout, counted) = match (same.first(), pointed) {
                (Some(&id), _) => (
                    taken_apart(program, &name, id)?,
                    counted_kinds(&program.source, id),
                ),
                // The program need not have a pointer of its own to what a bound says is there.
                (None, Some(pointed))
                    if definitions.contains_key(pointed.trim_end_matches('*')) =>
                {
                    (Layout::of_pointer(&name, pointed), Vec::new())
                }
                (None, _) => {
                    return Err(LayoutError::Unknown {
                        name,
                        known: known_names(&program.source, definitions),
                    });
                }
            };
            if let Some(behind) = bounds.behind(&name) {
                let element = definitions
                    .get(&behind.element)
                    .map_or(&[][..], Vec::as_slice);
                let Some(&element_id) = element.first() else {
                    return Err(LayoutError::Unknown {
                        name: behind.element.clone(),
                        known: known_names(&program.source, definitions),
                    });
                };
                let element = taken_apart(program, &behind.element, element_id)?;
                layout = with_behind(layout, &element, behind.count, MOST_SLOTS)
                    .ok_or_else(|| LayoutError::TooLarge(name.clone()))?;
            }
            if layout.is_polymorphic() && split_form(&name).1.is_empty() {
                let classes = self.classes_of(program, definitions, &name)?;
                missing.extend(classes.iter().cloned());
                self.classes.insert(name.clone(), classes);
            }
            if let Some(tail) = &mut layout.tail {
                tail.pointee = bounds.pointee(&name, &tail.path).map(str::to_owned);
                missing.push(tail.element.clone());
                missing.extend(tail.pointee.clone());
            }
            let blocks = layout.shared.iter().flat_map(|shared| &shared.blocks);
            missing.extend(blocks.map(|block| block.name.clone()));
            missing.extend(layout.linked.iter().map(|linked| linked.node.clone()));
            missing.extend(
                counted
                    .into_iter()
                    .filter(|it| bounds.types().any(|bound| bound == it)),
            );
            let element = layout.inner.iter().map(|inner| inner.type_name.clone());
            missing.extend(element.filter(|it| definitions.contains_key(it)));
            if let Some((path, variants)) = layout.open.first() {
                let variants = variants.iter().map(|it| with_variant(&name, path, it));
                let variants: Vec<String> = variants.collect();
                missing.extend(variants.iter().cloned());
                self.variants.insert(name.clone(), variants);
                if self.variants.len() > MOST_FORMS {
                    return Err(LayoutError::TooManyForms(split_form(&name).0.to_owned()));
                }
            }
            let texts = layout.texts.iter().map(|_| CHARACTER.to_owned());
            missing.extend(texts.filter(|it| definitions.contains_key(it)));
            let longer = longer_forms(&layout);
            missing.extend(longer.iter().map(|(_, form)| form.clone()));
            self.longer.insert(name.clone(), longer);
            for slot in &mut layout.slots {
                let SlotKind::Pointer(pointee) = &mut slot.kind else {
                    continue;
                };
                let array = slot.path.split_once('[').map(|(array, _)| array);
                let of_array = || bounds.pointee(&name, array?);
                if let Some(named) = bounds.pointee(&name, &slot.path).or_else(of_array) {
                    // What is said of a `void **` is what the pointers there lead to.
                    let named = match matches!(pointee, Pointee::Object(to) if to == "void*") {
                        true if !named.ends_with('*') => format!("{named}*"),
                        _ => named.to_owned(),
                    };
                    missing.push(named.clone());
                    let named = Pointee::Object(named);
                    slot.leads_elsewhere = *pointee != named;
                    *pointee = named;
                    continue;
                }
                match pointee {
                    Pointee::Object(to) if definitions.contains_key(to.trim_end_matches('*')) => {
                        missing.push(to.clone());
                    }
                    // What is declared only can be passed on, and nothing else.
                    Pointee::Object(_) => *pointee = Pointee::Token,
                    Pointee::Function(Functions::OfType(of_type)) => {
                        let known = functions_of_type(program, *of_type);
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
            Some((elements, count)) => {
                let elements = elements.split('|').map(|it| self.known.get(it).cloned());
                let elements: Vec<Rc<Layout>> = elements.collect::<Option<_>>()?;
                array(name, &elements, count.parse().ok()?, MOST_SLOTS)?
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
            let forms = classes.iter().flat_map(|it| self.with_texts(it, bounds));
            return forms.collect();
        }
        if let Some(variants) = self.variants.get(type_name) {
            return variants
                .iter()
                .flat_map(|it| self.forms(it, bounds))
                .collect();
        }
        let layout = self.known.get(type_name);
        let Some(tail) = layout.and_then(|it| it.tail.as_ref()) else {
            return self.with_texts(type_name, bounds);
        };
        let most = most_at_end(type_name, tail, bounds).unwrap_or(0);
        (0..=most)
            .map(|count| tail.name_with(type_name, count))
            .collect()
    }

    /// What so many things of a type in a row can be, which are of that type and no other.
    pub fn array_forms(&self, element: &str, count: u64, bounds: &Bounds) -> Vec<String> {
        let each = match self.variants.contains_key(element) {
            true => self.variant_forms(element),
            false => self.with_texts(element, bounds),
        };
        if count == 0 || each == [element] {
            return vec![format!("{element}[{count}]")];
        }
        let mut rows = vec![String::new()];
        for at in 0..count {
            let longer = rows.iter().flat_map(|row| {
                each.iter().map(move |form| match at {
                    0 => form.clone(),
                    _ => format!("{row}|{form}"),
                })
            });
            rows = longer.collect();
        }
        rows.iter().map(|row| format!("{row}[{count}]")).collect()
    }

    /// A type with each choice of variants of its enums.
    fn variant_forms(&self, name: &str) -> Vec<String> {
        match self.variants.get(name) {
            Some(variants) => variants
                .iter()
                .flat_map(|it| self.variant_forms(it))
                .collect(),
            None => {
                let longer = self.longer(name).iter();
                let longer = longer.flat_map(|(_, form)| self.variant_forms(form));
                [name.to_owned()].into_iter().chain(longer).collect()
            }
        }
    }

    /// A type with one more of its texts elsewhere, and the text.
    pub fn longer(&self, name: &str) -> &[(String, String)] {
        self.longer.get(name).map_or(&[], Vec::as_slice)
    }

    /// A type with each choice of texts that may be longer than there is room for inside.
    fn with_texts(&self, name: &str, bounds: &Bounds) -> Vec<String> {
        let mut found = vec![name.to_owned()];
        let Some(layout) = self.known.get(name) else {
            return found;
        };
        for (path, form) in self.longer(name) {
            let text = layout.texts.iter().find(|text| text.path == *path);
            let is_wanted = text.is_some_and(|text| {
                most_in_text(layout, text, bounds).is_some_and(|most| most > text.room)
            });
            if is_wanted {
                found.extend(self.with_texts(form, bounds));
            }
        }
        found
    }

    /// What an object is by its bytes, whose enums may have become others.
    pub fn form_now(&mut self, layout: &Rc<Layout>, values: &[u8]) -> Rc<Layout> {
        if layout.open.is_empty() && layout.tags.iter().all(|tag| tag.fits(values)) {
            return layout.clone();
        }
        let element = layout.element().unwrap_or(&layout.kinds[0]).to_owned();
        let size = self.known.get(&element).map_or(0, |it| it.size.max(1)) as usize;
        let forms = self.variant_forms(&element);
        let rows = values.chunks_exact(size.max(1)).map(|bytes| {
            let fits = |form: &&String| {
                let layout = self.known.get(*form);
                layout.is_some_and(|it| it.tags.iter().all(|tag| tag.fits(bytes)))
            };
            forms.iter().find(fits).cloned()
        });
        let rows: Option<Vec<String>> = rows.collect();
        let name = rows.map(|rows| match layout.element() {
            Some(_) => format!("{}[{}]", rows.join("|"), rows.len()),
            None => rows.concat(),
        });
        let found = name.and_then(|name| self.get(&name));
        found.unwrap_or_else(|| layout.clone())
    }

    /// The types that a region of this name counts as.
    pub fn kinds(&self, name: &str) -> Vec<String> {
        let known = self.known.get(name).map(|it| it.kinds.clone());
        known.unwrap_or_else(|| vec![split_form(name).0.to_owned()])
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
                | Field::Elsewhere
                | Field::OneOf(_),
                _,
            ) => Some(format!("has {} for {name}, which is none", field.text())),
        }
    }
}

/// A structure with one more of its texts elsewhere, in the order of its texts, and which one.
fn longer_forms(layout: &Layout) -> Vec<(String, String)> {
    let is_made_whole = is_node(&layout.name) || layout.is_block() || layout.tail.is_some();
    if is_made_whole || layout.texts.len() > MOST_LONG {
        return Vec::new();
    }
    let last = layout.texts.iter().rposition(|text| text.is_long);
    let others = layout.texts.iter().skip(last.map_or(0, |last| last + 1));
    let longer = others.map(|text| {
        let form = with_variant(&layout.name, &text.path, LONG);
        (text.path.clone(), form)
    });
    longer.collect()
}
