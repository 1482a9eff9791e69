//! The one name of each type, as bounds and suites write it, and what it counts as.

use program::{Field, Shape, Source, TypeId};

/// The name of a structure, below qualifiers and other names; of one that has
/// none, the last of these.
pub(super) fn structure_name(source: &Source, id: TypeId) -> Option<String> {
    let mut id = id;
    let mut alias = None;
    loop {
        let it = source.debug_type(id);
        match &it.shape {
            Shape::Named(inner) => {
                alias = Some(it.name.clone());
                id = *inner;
            }
            Shape::Qualified(inner) => id = *inner,
            Shape::Struct(_) | Shape::Class(_) => {
                let name = plain(&it.name);
                return match name.contains("(anonymous)") {
                    true => alias,
                    false => Some(name.to_owned()),
                };
            }
            _ => return None,
        }
    }
}

fn plain(name: &str) -> &str {
    let words = ["struct ", "class ", "union ", "enum "];
    let stripped = words.iter().find_map(|word| name.strip_prefix(word));
    stripped.unwrap_or(name)
}

/// The one name of a type of which objects can be made.
pub(super) fn type_name(source: &Source, id: TypeId) -> Option<String> {
    if let Some(structure) = structure_name(source, id) {
        return Some(structure);
    }
    let it = source.debug_type(source.resolved(id));
    match &it.shape {
        Shape::Pointer(Some(to)) | Shape::Reference(Some(to)) => {
            Some(type_name(source, *to)? + "*")
        }
        Shape::Pointer(None) => Some("void*".to_owned()),
        Shape::Bool
        | Shape::Integer { .. }
        | Shape::Character { .. }
        | Shape::Float
        | Shape::Enum { .. }
        | Shape::Union(_)
        | Shape::Variants { .. } => Some(plain(&it.name).to_owned()),
        Shape::Reference(None)
        | Shape::Array { .. }
        | Shape::Struct(_)
        | Shape::Class(_)
        | Shape::Function { .. }
        | Shape::Named(_)
        | Shape::Qualified(_)
        | Shape::Other => None,
    }
}

pub(super) fn members(source: &Source, id: TypeId) -> &[Field] {
    match &source.debug_type(source.resolved(id)).shape {
        Shape::Struct(fields) | Shape::Class(fields) => fields,
        _ => &[],
    }
}

/// The types that something of a type counts as: it, and the classes it is derived from.
pub(super) fn kinds(source: &Source, name: &str, id: TypeId) -> Vec<String> {
    let mut found = vec![name.to_owned()];
    let mut waiting = vec![id];
    while let Some(id) = waiting.pop() {
        for base in members(source, id).iter().filter(|it| it.base_class) {
            if let Some(base) = base.debug_type {
                found.extend(structure_name(source, base));
                waiting.push(base);
            }
        }
    }
    found
}
