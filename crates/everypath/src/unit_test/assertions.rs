//! What a method did, as assertions of C and C++: its result, and every field that can be
//! reached from its objects. What the method made has no name before, so that it is named
//! by the first pointer that leads to it.

use super::build::{is_inside, written};
use super::c::{Language, Writer, real, whole};
use super::object;
use engine::policy::staged::{After, Effect, MethodResult, View, ViewRole};
use staged::Field;
use std::fmt::Write;

/// Fails the test unless a condition holds, and reads a field that has no name here.
pub(super) const DEFINITIONS: &str = "\
#ifndef CHECK
#define CHECK(condition) \\
    do { \\
        if (!(condition)) { \\
            fprintf(stderr, \"%s:%d: %s\\n\", __FILE__, __LINE__, #condition); \\
            abort(); \\
        } \\
    } while (0)
#endif
static inline unsigned long long wordAt(const void *object, size_t offset, size_t size) {
    unsigned long long word = 0;
    memcpy(&word, (const char *)object + offset, size);
    return word;
}
";

/// How a test names an object.
#[derive(Clone)]
pub(super) struct Named {
    pub name: String,
    /// Whether the name has the object's type, so that fields can be named after it.
    pub is_typed: bool,
}

impl Writer<'_> {
    /// Asserts what came of a call whose result is `result`.
    pub(super) fn assertions(
        &self,
        code: &mut String,
        (effect, is_scalar): (&Effect, bool),
        views: &[View],
        typed: &[Vec<bool>],
    ) {
        match effect.returned.as_ref().filter(|_| is_scalar) {
            Some(MethodResult::Value(Field::Null)) => *code += "    CHECK(result == 0);\n",
            Some(MethodResult::Value(Field::Number(value))) => {
                let _ = writeln!(
                    code,
                    "    CHECK((long long)result == (long long){});",
                    whole(*value)
                );
            }
            Some(MethodResult::Value(Field::Float(value))) if !value.is_nan() => {
                let _ = writeln!(code, "    CHECK(result == {});", real(*value));
            }
            Some(MethodResult::Into {
                argument,
                number,
                offset,
            }) => {
                let place = object(*argument, *number);
                let shift = views[*argument].objects[*number].shift;
                let offset = *offset as i128 - i128::from(shift);
                let _ = writeln!(
                    code,
                    "    CHECK((const char *)result == (const char *){place} + {offset});"
                );
            }
            Some(MethodResult::Value(_)) | None => {}
        }
        for (argument, after) in effect.after.iter().enumerate() {
            self.objects_after(code, argument, after, &typed[argument]);
        }
    }

    fn objects_after(&self, code: &mut String, argument: usize, after: &After, typed: &[bool]) {
        let given = after.given.iter().map(|given| {
            given.map(|number| Named {
                name: object(argument, number),
                is_typed: typed[number],
            })
        });
        let mut names: Vec<Option<Named>> = given.collect();
        let view = self.staged.view(&after.graph);
        for (number, it) in view.graph.objects.iter().enumerate() {
            if view.objects[number].role == ViewRole::Hidden {
                continue;
            }
            let Some(own) = names[number].clone() else {
                continue;
            };
            self.containers_after(code, argument, &view, (number, &own), &mut names);
            let is_new = after.given[number].is_none();
            let texts = self.staged.texts(&it.type_name);
            for text in texts.iter().filter(|_| !is_new) {
                let written = written(&view.graph, it, text);
                if let (Some(place), Some(text)) = (self.text_place(&own, text), written) {
                    let _ = writeln!(code, "    CHECK({place} == std::string({text}));");
                }
            }
            for (path, field) in &it.fields {
                let is_text = texts.iter().any(|text| is_inside(path, text));
                if is_text || (is_new && may_be_unwritten(field)) {
                    continue;
                }
                let Some(held) = self.held(&own, &it.type_name, path) else {
                    continue;
                };
                if let Some((to, _)) = field.place()
                    && names[to].is_none()
                {
                    let name = format!("after{argument}_{to}");
                    names[to] = Some(self.name_new(code, &name, &held, field));
                    continue;
                }
                *code += &self.assertion(&held, field, &names);
            }
        }
    }

    /// Declares what a pointer leads to, which the method has made.
    fn name_new(&self, code: &mut String, name: &str, held: &Held, field: &Field) -> Named {
        let is_typed = held.is_named && matches!(field, Field::To(_)) && held.is_pointer;
        let _ = match (is_typed, field) {
            (true, _) => {
                let auto = match self.language {
                    Language::C => "__auto_type",
                    Language::Cpp => "auto",
                };
                writeln!(
                    code,
                    "    CHECK({0} != 0);\n    {auto} {name} = {0};",
                    held.text
                )
            }
            (false, _) => {
                let offset = field.place().map_or(0, |(_, offset)| offset);
                writeln!(
                    code,
                    "    CHECK({0} != 0);\n    char *{name} = (char *)(size_t){0} - {offset};",
                    held.text
                )
            }
        };
        Named {
            name: name.to_owned(),
            is_typed,
        }
    }

    /// One field is what it was on the path.
    fn assertion(&self, held: &Held, field: &Field, names: &[Option<Named>]) -> String {
        let text = &held.text;
        match field {
            Field::Null => format!("    CHECK({text} == 0);\n"),
            Field::To(_) | Field::Inside(..) => {
                let place = field.place();
                let place = place.and_then(|(to, offset)| Some((names[to].as_ref()?, offset)));
                let Some((there, offset)) = place else {
                    return String::new();
                };
                let to = &there.name;
                format!("    CHECK((size_t){text} == (size_t){to} + {offset});\n")
            }
            Field::Number(value) if held.is_pointer => {
                format!("    CHECK((size_t){text} == {value});\n")
            }
            Field::Number(value) if held.is_named => match self.language {
                Language::C => format!("    CHECK({text} == {});\n", whole(*value)),
                Language::Cpp => format!(
                    "    CHECK({text} == (std::remove_reference_t<decltype({text})>){});\n",
                    whole(*value)
                ),
            },
            Field::Number(value) => {
                let bits = 8 * held.bytes.min(8) as u32;
                let word = (*value as u64) & (u64::MAX >> (64 - bits));
                format!("    CHECK({text} == {word}ULL);\n")
            }
            Field::Float(value) if held.is_named && !value.is_nan() => match held.bytes {
                4 => format!("    CHECK({text} == (float){});\n", real(*value)),
                _ => format!("    CHECK({text} == {});\n", real(*value)),
            },
            Field::Function(name) if held.is_named && self.language == Language::C => {
                format!("    CHECK({text} == {name});\n")
            }
            Field::Float(_)
            | Field::Function(_)
            | Field::Elsewhere
            | Field::Untouched
            | Field::OneOf(_) => String::new(),
        }
    }

    /// How a test reads a field; not at all if it has no name and shares a byte.
    fn held(&self, own: &Named, type_name: &str, path: &str) -> Option<Held> {
        let is_pointer = self.staged.is_pointer(type_name, path);
        let bytes = self.staged.field_bytes(type_name, path);
        let is_named =
            own.is_typed && self.can_name(type_name, path) && !self.is_in_union(type_name, path);
        let text = match is_named {
            true => accessed(&own.name, path),
            false => {
                let (place, at, size) = self.nearest(own, type_name, path)?;
                if size > 8 {
                    return None;
                }
                format!("wordAt({place}, {at}, {size} /* {path} */)")
            }
        };
        Some(Held {
            text,
            is_named,
            is_pointer,
            bytes: bytes.map_or(0, |bytes| bytes.len()),
        })
    }
}

/// Whether nothing may have been written to a field of new memory, which starts as zeros on
/// paths and as anything natively.
pub(super) fn may_be_unwritten(field: &Field) -> bool {
    match field {
        Field::Number(value) => *value == 0,
        Field::Float(value) => *value == 0.0,
        Field::Null => true,
        Field::To(_)
        | Field::Inside(..)
        | Field::Function(_)
        | Field::Elsewhere
        | Field::Untouched
        | Field::OneOf(_) => false,
    }
}

/// A field as a test reads it.
struct Held {
    text: String,
    /// Whether it is read by its name, so that it has its own type.
    is_named: bool,
    is_pointer: bool,
    /// Bytes it takes; none if it takes no whole ones.
    bytes: usize,
}

/// A field of what a name leads to: a structure, the first element of an array, or a number
/// alone.
pub(super) fn accessed(name: &str, path: &str) -> String {
    match path.chars().next() {
        None => format!("(*{name})"),
        Some('[') => format!("{name}{path}"),
        Some(_) => format!("{name}->{path}"),
    }
}
