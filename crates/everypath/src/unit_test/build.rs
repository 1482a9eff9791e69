//! The objects of a test of C and C++, as code that makes them: first all of them, then what
//! is in them, by the names of fields where these can be named.

use super::assertions::{Named, accessed};
use super::c::{Language, Writer, real, whole};
use super::object;
use base::escape::c_string;
use engine::policy::staged::{View, ViewRole};
use program::{DebugType, FunctionId, Shape};
use staged::{Field, Object, ObjectGraph};
use std::fmt::Write;

impl Writer<'_> {
    /// Code that makes the objects, first all of them, then what is in them; for each
    /// whether it has its type.
    pub(super) fn build(
        &self,
        code: &mut String,
        views: &[View],
        method: FunctionId,
    ) -> Option<Vec<Vec<bool>>> {
        let mut has_type = Vec::new();
        for (graph, view) in views.iter().enumerate() {
            let objects = &view.graph;
            let mut typed = vec![false; objects.objects.len()];
            for (number, it) in objects.objects.iter().enumerate() {
                let name = object(graph, number);
                let role = view.objects[number].role;
                if role == ViewRole::Shared {
                    let sharer = self.sharer(graph, view, &typed, number)?;
                    *code += &Writer::make_shared(graph, number, &sharer);
                    *code += &self.vtables(&it.type_name, &name);
                    typed[number] = true;
                }
                if role != ViewRole::Object {
                    let own = Named {
                        name,
                        is_typed: typed[number],
                    };
                    *code += &self.fill_containers(graph, view, (number, &own), &mut typed)?;
                    continue;
                }
                // A nested type has no name here, but the field that leads to it has.
                let leading = leading(objects, number, |from, path| {
                    let owner = &objects.objects[from].type_name;
                    typed[from]
                        && self.can_name(owner, path)
                        && self.staged.is_whole(owner, path, &it.type_name)
                });
                let vector = self.vector_of(graph, objects, &typed, number);
                let type_name = match leading {
                    None if vector.is_some() => vector.map(|vector| {
                        let own = format!("std::remove_reference_t<decltype({vector})>");
                        format!("typename {own}::value_type *")
                    }),
                    Some((from, field)) => {
                        let leading = accessed(&object(graph, from), field);
                        Some(format!("__typeof__({leading})"))
                    }
                    None if number == 0 => {
                        let own = self.staged.type_of(&it.type_name);
                        Some(self.root_type(&own, method) + " *")
                    }
                    None => None,
                };
                let _ = match &type_name {
                    Some(type_name) => {
                        let count = self.room(&it.type_name, &name)?;
                        writeln!(
                            code,
                            "    {type_name} {name} = ({type_name})calloc({count});"
                        )
                    }
                    None => {
                        let (size, shown) =
                            (self.staged.object_size(&it.type_name)?, &it.type_name);
                        writeln!(
                            code,
                            "    char *{name} = (char *)calloc(1, {size}); /* {shown} */"
                        )
                    }
                };
                typed[number] = type_name.is_some();
                *code += &self.vtables(&it.type_name, &name);
                let own = Named {
                    name,
                    is_typed: typed[number],
                };
                *code += &self.fill_containers(graph, view, (number, &own), &mut typed)?;
            }
            has_type.push(typed);
        }
        for (graph, view) in views.iter().enumerate() {
            for (number, it) in view.graph.objects.iter().enumerate() {
                let own = Named {
                    name: object(graph, number),
                    is_typed: has_type[graph][number],
                };
                if view.objects[number].role != ViewRole::Hidden {
                    let it = without_key(view, number, it);
                    *code += &self.contents((graph, &view.graph), &own, &it)?;
                    *code += &self.share(graph, view, (number, &own))?;
                }
            }
            *code += &Writer::settle_owners(graph, view);
        }
        Some(has_type)
    }

    /// The `std::vector` whose elements an object is, if one can be named.
    fn vector_of(
        &self,
        graph: usize,
        objects: &ObjectGraph,
        typed: &[bool],
        number: usize,
    ) -> Option<String> {
        let mut earlier = objects.objects.iter().enumerate().take(number);
        earlier.find_map(|(from, it)| {
            let vectors = self.staged.vectors(&it.type_name);
            let mut own = vectors.iter();
            let (path, _) = own.find(|(_, first)| *it.field(first) == Field::To(number))?;
            let can_name = typed[from] && self.can_name(&it.type_name, path);
            can_name.then(|| accessed(&object(graph, from), path))
        })
    }

    /// Code that puts into an object what is in it.
    fn contents(
        &self,
        (graph, objects): (usize, &ObjectGraph),
        own: &Named,
        it: &Object,
    ) -> Option<String> {
        let mut code = String::new();
        let texts = self.staged.texts(&it.type_name);
        for text in &texts {
            if !it.fields.iter().any(|(path, _)| is_inside(path, text)) {
                continue;
            }
            let place = self.text_place(own, text)?;
            let written = written(objects, it, text).or_else(|| any_text(it, text))?;
            let _ = writeln!(code, "    new (&{place}) std::string({written});");
        }
        for (path, field) in &it.fields {
            // Everything starts as zeros.
            let is_zero = matches!(field, Field::Null | Field::Elsewhere | Field::Untouched);
            if is_zero || texts.iter().any(|text| is_inside(path, text)) {
                continue;
            }
            if !own.is_typed || !self.can_name(&it.type_name, path) {
                code += &self.copied(graph, own, &it.type_name, path, field)?;
                continue;
            }
            let place = accessed(&own.name, path);
            let mut value = value(graph, field)?;
            let is_pointer = self.staged.is_pointer(&it.type_name, path);
            if self.language == Language::C && (field.place().is_some() || is_pointer) {
                // Numbers hold addresses, and pointers values to pass on.
                value = format!("(__typeof__({place})){value}");
            }
            code += &self.assignment(&it.type_name, path, &place, &value);
        }
        Some(code)
    }

    /// How a test names a `std::string`, which every library lays out otherwise; not at all if
    /// its name is not known.
    pub(super) fn text_place(&self, own: &Named, text: &str) -> Option<String> {
        let is_named = own.is_typed && self.language == Language::Cpp;
        is_named.then(|| accessed(&own.name, text))
    }

    /// Where a field is that has no name: a place that has one, the bytes from there, and how
    /// many the field takes. The nearest that can be named, for what comes before it may be
    /// laid out otherwise by another library.
    pub(super) fn nearest(
        &self,
        own: &Named,
        type_name: &str,
        path: &str,
    ) -> Option<(String, usize, usize)> {
        let bytes = self.staged.field_bytes(type_name, path)?;
        let mut around = path;
        while own.is_typed
            && let Some((outer, _)) = around.rsplit_once('.')
        {
            around = outer;
            if self.can_name(type_name, around)
                && let Some(start) = self.staged.member_start(type_name, around)
            {
                let place = format!("&{}", accessed(&own.name, around));
                return Some((place, bytes.start - start, bytes.len()));
            }
        }
        Some((own.name.clone(), bytes.start, bytes.len()))
    }

    /// What `calloc` is given for an object: the elements of an array, or the bytes of a
    /// structure that ends in one or has something behind it.
    fn room(&self, type_name: &str, name: &str) -> Option<String> {
        let count = type_name
            .strip_suffix(']')
            .and_then(|it| it.rsplit_once('['));
        if let Some((_, count)) = count {
            return Some(format!("{count}, sizeof *{name}"));
        }
        Some(match self.staged.is_longer(type_name) {
            true => format!("1, {}", self.staged.object_size(type_name)?),
            false => format!("1, sizeof *{name}"),
        })
    }

    /// Code that makes an object be of its class.
    fn vtables(&self, type_name: &str, name: &str) -> String {
        let mut code = String::new();
        let tables = self.staged.vtables(self.program, type_name);
        for (offset, table, within) in tables {
            // One name for one table: declarations of a name in several tests are of one thing.
            let local = format!("tableOf{table}");
            let _ = writeln!(
                code,
                "    extern char {local}[] __asm__(\"{table}\");\n    \
                 {{ void *held = {local} + {within}; memcpy((char *){name} + {offset}, &held, 8); }}"
            );
        }
        code
    }

    /// Whether the test can name the field: those of the standard library of C++ are
    /// called otherwise in every library, and the name of a reference is what it refers to.
    pub(super) fn can_name(&self, type_name: &str, path: &str) -> bool {
        let is_reference = |it: &DebugType| matches!(it.shape, Shape::Reference(_));
        if self.field_type(type_name, path).is_some_and(is_reference)
            || self.staged.is_behind(type_name, path)
        {
            return false;
        }
        let is_own = |word: &str| match self.language {
            Language::C => true,
            Language::Cpp => !word.starts_with("_M_") && !word.starts_with("__"),
        };
        let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "_[].".contains(sign);
        path.chars().all(is_plain) && path.split('.').all(is_own)
    }

    /// Code that puts a value where no name leads.
    fn copied(
        &self,
        graph: usize,
        own: &Named,
        type_name: &str,
        path: &str,
        field: &Field,
    ) -> Option<String> {
        let (place, offset, size) = self.nearest(own, type_name, path)?;
        let held = match field {
            Field::Float(_) if size == 4 => "float",
            Field::Float(_) => "double",
            Field::To(_) | Field::Inside(..) => "void *",
            _ => "unsigned long long",
        };
        let value = value(graph, field)?;
        Some(format!(
            "    {{ {held} held = ({held}){value}; \
             memcpy((char *){place} + {offset}, &held, {size}); }} /* {path} */\n"
        ))
    }

    fn assignment(&self, type_name: &str, path: &str, place: &str, value: &str) -> String {
        let union = |path: &str| self.is_union(type_name, path);
        // A union is numbers here, and has no field for them.
        if let Some((owner, word)) = path.rsplit_once(".word").filter(|(it, _)| union(it)) {
            let place = place.strip_suffix(&path[owner.len()..]).unwrap_or(place);
            return format!(
                "    {{ unsigned long long word = {value}; \
                 memcpy((char *)&{place} + 8 * {word}, &word, 8); }}\n"
            );
        }
        if union(path) {
            return format!(
                "    {{ unsigned long long word = {value}; \
                 memcpy(&{place}, &word, sizeof {place}); }}\n"
            );
        }
        match self.language {
            Language::C => format!("    {place} = {value};\n"),
            // An enumeration takes no number by itself.
            Language::Cpp => {
                format!("    {place} = (std::remove_reference_t<decltype({place})>){value};\n")
            }
        }
    }

    fn is_union(&self, type_name: &str, path: &str) -> bool {
        let found = self.field_type(type_name, path);
        found.is_some_and(|it| matches!(it.shape, Shape::Union(_)))
    }

    /// Whether a field is a union or a word of one, which have no names as numbers.
    pub(super) fn is_in_union(&self, type_name: &str, path: &str) -> bool {
        let owner = path.rsplit_once(".word").map_or(path, |(owner, _)| owner);
        self.is_union(type_name, path) || self.is_union(type_name, owner)
    }

    /// The type of the field of that path, by the debug information.
    fn field_type(&self, type_name: &str, path: &str) -> Option<&DebugType> {
        let source = &self.program.source;
        let type_name = &self.staged.type_of(type_name);
        let tagged = format!("struct {type_name}");
        let is_it = |it: &&DebugType| {
            let known = it.name == *type_name || it.name == tagged;
            known && matches!(&it.shape, Shape::Struct(own) | Shape::Class(own) if !own.is_empty())
        };
        let mut at = source.types.iter().find(is_it)?;
        for word in path.split('.') {
            let (Shape::Struct(fields) | Shape::Class(fields)) = &at.shape else {
                return None;
            };
            let name = word.split('[').next().unwrap_or(word);
            let field = fields.iter().find(|field| field.name == name)?;
            at = source.debug_type(source.resolved(field.debug_type?));
            for _ in word.matches('[') {
                let Shape::Array { element, .. } = &at.shape else {
                    return None;
                };
                at = source.debug_type(source.resolved((*element)?));
            }
        }
        Some(at)
    }
}

/// An element without what its container gave it when it was made.
fn without_key(view: &View, number: usize, it: &Object) -> Object {
    let containers = view.objects.iter().flat_map(|seen| &seen.containers);
    let own = containers.filter(|container| container.elements.contains(&number));
    let key = own.filter_map(|container| container.kind.key()).next();
    let is_key = |path: &str| match key {
        None => false,
        Some("") => true,
        Some(key) => path == key || is_inside(path, key),
    };
    Object {
        type_name: it.type_name.clone(),
        fields: it
            .fields
            .iter()
            .filter(|(path, _)| !is_key(path))
            .cloned()
            .collect(),
    }
}

/// Whether a field is one of those of a text.
pub(super) fn is_inside(path: &str, text: &str) -> bool {
    let rest = path.strip_prefix(text).unwrap_or_default();
    rest.starts_with(".__") || (text.is_empty() && rest.starts_with("__"))
}

/// The text of a `std::string` in an object, as C++ writes it and how long it is; none if nobody
/// has looked at it.
pub(super) fn written(objects: &ObjectGraph, it: &Object, text: &str) -> Option<String> {
    let number = |it: &Object, path: &str| match it.field(path) {
        Field::Number(value) => usize::try_from(*value).ok(),
        _ => None,
    };
    let length = number(it, &in_text(text, "__size_"))?;
    let elsewhere = it.field(&in_text(text, "__data_")).place();
    let is_long = number(it, &in_text(text, "__is_long_"))? == 1;
    let bytes = (0..length).map(|at| {
        let character = match (is_long, elsewhere) {
            (false, _) => number(it, &in_text(text, &format!("__data_[{at}]"))),
            (true, Some((to, _))) => number(&objects.objects[to], &format!("[{at}]")),
            (true, None) => None,
        };
        Some(character? as u8)
    });
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    Some(format!("\"{}\", {length}", c_string(&bytes)))
}

/// A text of the length of one that nobody has looked at.
fn any_text(it: &Object, text: &str) -> Option<String> {
    let is_long = *it.field(&in_text(text, "__is_long_")) == Field::Number(1);
    let is_open = is_long && *it.field(&in_text(text, "__data_")) == Field::Untouched;
    match it.field(&in_text(text, "__size_")) {
        Field::Number(length) if is_open => Some(format!("{length}, 'a'")),
        _ => None,
    }
}

/// The path of a member of a text.
fn in_text(text: &str, member: &str) -> String {
    match text.is_empty() {
        true => member.to_owned(),
        false => format!("{text}.{member}"),
    }
}

/// A field's value as C writes it, if it has one.
fn value(graph: usize, field: &Field) -> Option<String> {
    match *field {
        Field::Number(value) => Some(whole(value)),
        Field::Float(value) => Some(real(value)),
        Field::To(to) => Some(object(graph, to)),
        Field::Inside(to, offset) => Some(format!("((char *){} + {offset})", object(graph, to))),
        Field::Function(ref name) => Some(name.clone()),
        Field::Null | Field::Elsewhere | Field::Untouched | Field::OneOf(_) => None,
    }
}

/// The field of an earlier object that leads to an object, of those that are usable.
fn leading(
    graph: &ObjectGraph,
    number: usize,
    usable: impl Fn(usize, &str) -> bool,
) -> Option<(usize, &str)> {
    let earlier = graph.objects.iter().enumerate().take(number);
    let mut fields = earlier.flat_map(|(from, object)| {
        let fields = object.fields.iter();
        fields.map(move |(path, field)| (from, path, field))
    });
    let (from, path, _) =
        fields.find(|(from, path, field)| **field == Field::To(number) && usable(*from, path))?;
    Some((from, path))
}
