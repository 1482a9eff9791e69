//! Members of C++ that lead to what a library keeps elsewhere, recognised by how libc++ lays
//! them out, while the structure around them is taken apart.

use super::containers::{find, is_string, pointed};
use super::layout::{Layout, POINTER_BITS};
use super::linked::{Form, Linked, Order, VALUE};
use super::naming::{kinds, type_name};
use super::shared::{Block, POINTER, Shared, WITH_OBJECT, is_block};
use super::vtables::vtable;
use program::{DebugType, Program, Shape, Source, TypeId};

/// A container while the structure around it is taken apart: slots are known by the bit they
/// begin at.
pub(super) struct LinkedMember {
    path: String,
    form: Form,
    node: String,
    element: String,
    anchor: u64,
    pointers: Vec<u64>,
    size: Option<u64>,
    buckets: Option<u64>,
    load: Option<u64>,
    order: Order,
}

impl LinkedMember {
    /// The container that a structure is, if it is one that can be made.
    pub fn recognise(source: &Source, id: TypeId, path: &str, bit: u64) -> Option<LinkedMember> {
        let it = source.debug_type(source.resolved(id));
        let (name, _) = it.name.split_once('<')?;
        let at = |member: &str| Some(bit + find(source, id, member)?.1);
        let inside = |outer: &str, member: &str| {
            let (outer, start) = find(source, id, outer)?;
            Some(bit + start + find(source, outer, member)?.1)
        };
        let (form, anchor, pointers, node) = match name {
            "list" => {
                let (node, _) = find(source, id, "__end_")?;
                let node = &source.debug_type(source.resolved(node)).name;
                let node = node.replacen("__list_node_base<", "__list_node<", 1);
                let pointers = vec![inside("__end_", "__prev_")?, inside("__end_", "__next_")?];
                (Form::Ring, at("__end_")?, pointers, node)
            }
            "forward_list" => {
                let next = inside("__before_begin_", "__next_")?;
                let node = type_name(source, pointed(source, find(source, id, "__next_")?.0)?)?;
                (Form::Chain, next, vec![next], node)
            }
            "set" | "multiset" | "map" | "multimap" => {
                let (tree, _) = find(source, id, "__tree_")?;
                let tree = source.debug_type(source.resolved(tree));
                let node = format!("__tree_node<{}, void *>", first_argument(&tree.name)?);
                let pointers = vec![at("__begin_node_")?, inside("__end_node_", "__left_")?];
                (Form::Tree, at("__end_node_")?, pointers, node)
            }
            "unordered_set" | "unordered_map" => {
                let (table, _) = find(source, id, "__table_")?;
                let table = source.debug_type(source.resolved(table));
                let node = format!("__hash_node<{}, void *>", first_argument(&table.name)?);
                let first = inside("__first_node_", "__next_")?;
                (Form::Table, first, vec![first, at("__ptr_")?], node)
            }
            _ => return None,
        };
        let mut types = (0..source.types.len()).map(TypeId::from_index);
        let (element, _) = types.find_map(|id| {
            let is_node = source.debug_type(id).name == node;
            is_node.then(|| find(source, id, VALUE)).flatten()
        })?;
        Some(LinkedMember {
            path: path.to_owned(),
            form,
            node,
            element: type_name(source, element)?,
            anchor: anchor / 8,
            pointers,
            // The first number of that name in a hash table is that of its buckets, and the
            // other one comes after the pointer to the first node.
            size: match form {
                Form::Table => Some(anchor + POINTER_BITS),
                Form::Ring | Form::Chain | Form::Tree => at("__size_"),
            },
            buckets: at("__bucket_list_").and_then(|_| at("__size_")),
            load: at("__max_load_factor_"),
            order: order(source, it, name)?,
        })
    }

    /// Says so of a structure that has been taken apart.
    pub fn add_to(self, layout: &mut Layout) {
        let slot = |bit: u64| layout.slots.iter().position(|slot| slot.bit == bit);
        let Some(pointers) = self.pointers.into_iter().map(slot).collect() else {
            return;
        };
        let linked = Linked {
            path: self.path,
            form: self.form,
            node: self.node,
            element: self.element,
            anchor: self.anchor,
            pointers,
            size: self.size.and_then(slot),
            buckets: self.buckets.and_then(slot),
            load: self.load.and_then(slot),
            order: self.order,
        };
        layout.linked.push(linked);
    }
}

/// How the elements of a container are ordered, if that can be said: by numbers or short texts
/// and by a comparison of the library.
fn order(source: &Source, it: &DebugType, name: &str) -> Option<Order> {
    let comparison = match name {
        "list" | "forward_list" => return Some(Order::Any),
        "set" | "multiset" | "unordered_set" => 1,
        _ => 2,
    };
    let key = *it.arguments.first()?;
    let is_number = matches!(
        source.debug_type(source.resolved(key)).shape,
        Shape::Integer { .. } | Shape::Character { .. } | Shape::Bool | Shape::Enum { .. }
    );
    let compared = source.debug_type(source.resolved(*it.arguments.get(comparison)?));
    let strictly = !name.starts_with("multi");
    match compared.name.split_once('<')?.0 {
        "hash" if is_number => Some(Order::Distinct),
        "less" if is_number || is_string(source, key) => Some(Order::Ascending { strictly }),
        "greater" if is_number || is_string(source, key) => Some(Order::Descending { strictly }),
        _ => None,
    }
}

/// The first argument in the name of a template.
fn first_argument(name: &str) -> Option<&str> {
    let (_, arguments) = name.split_once('<')?;
    let mut depth = 0;
    let end = arguments.char_indices().find(|&(_, sign)| {
        match sign {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            _ => {}
        }
        depth < 0 || (depth == 0 && sign == ',')
    });
    Some(arguments[..end?.0].trim_end())
}

/// A pointer that shares something while the structure around it is taken apart: slots are known
/// by the bit they begin at.
pub(super) struct SharedMember {
    path: String,
    object: u64,
    block: u64,
    type_name: String,
    blocks: Vec<Block>,
    is_weak: bool,
}

impl SharedMember {
    /// The pointer that a structure is, if the program makes blocks that it can lead to; slots
    /// are the bits that they begin at.
    pub fn recognise(program: &Program, id: TypeId, path: &str, bit: u64) -> Option<SharedMember> {
        let source = &program.source;
        let it = source.debug_type(source.resolved(id));
        let is_weak = it.name.starts_with("weak_ptr<");
        if !is_weak && !it.name.starts_with("shared_ptr<") {
            return None;
        }
        let (object, block) = (
            find(source, id, POINTER)?.1,
            find(source, id, "__cntrl_")?.1,
        );
        let own = type_name(source, *it.arguments.first()?)?;
        let blocks = blocks(program, &own);
        (!blocks.is_empty()).then(|| SharedMember {
            path: path.to_owned(),
            object: bit + object,
            block: bit + block,
            type_name: own,
            blocks,
            is_weak,
        })
    }

    /// Says so of a structure that has been taken apart.
    pub fn add_to(self, layout: &mut Layout) {
        let slot = |bit: u64| layout.slots.iter().position(|it| it.bit == bit);
        if let (Some(object), Some(block)) = (slot(self.object), slot(self.block)) {
            layout.slots[block].lead_to(&self.blocks[0].name);
            layout.shared.push(Shared {
                path: self.path,
                object,
                block,
                type_name: self.type_name,
                blocks: self.blocks,
                is_weak: self.is_weak,
            });
        }
    }
}

/// The blocks of a program for objects of a type: those with the object inside, or else those
/// that lead to it. None if there are blocks for classes derived from the type, of which a
/// pointer would lead to some too.
fn blocks(program: &Program, own: &str) -> Vec<Block> {
    let source = &program.source;
    let types = (0..source.types.len()).map(TypeId::from_index);
    let mut with_object: Vec<Block> = Vec::new();
    let mut with_pointer: Vec<Block> = Vec::new();
    for id in types {
        let it = source.debug_type(id);
        if !is_block(&it.name) {
            continue;
        }
        let element = element_of(program, id);
        let leads_to = || pointed(source, find(source, id, POINTER)?.0);
        let Some(shared) = element.map(|(id, _)| id).or_else(leads_to) else {
            continue;
        };
        let Some(name) = type_name(source, shared) else {
            continue;
        };
        let mut counted = kinds(source, &name, shared).into_iter();
        if !counted.any(|kind| kind == own) || vtable(program, id, 0).is_none() {
            continue;
        }
        if name != own {
            return Vec::new();
        }
        let block = Block {
            name: it.name.clone(),
            inside: element.map(|(_, start)| start / 8),
        };
        match block.inside {
            Some(_) => with_object.push(block),
            None => with_pointer.push(block),
        }
    }
    let mut found = match with_object.is_empty() {
        true => with_pointer,
        false => with_object,
    };
    found.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    // One is like the other, and which of them it is nobody sees.
    found.truncate(1);
    found
}

/// The object in a block, and the bit that it begins at.
pub(super) fn element_of(program: &Program, block: TypeId) -> Option<(TypeId, u64)> {
    let source = &program.source;
    let it = source.debug_type(source.resolved(block));
    if !it.name.starts_with(WITH_OBJECT) {
        return None;
    }
    let (_, start) = find(source, block, "__storage_")?;
    Some((*it.arguments.first()?, start))
}

/// What the object in a block counts as.
pub(super) fn element_kinds(program: &Program, block: TypeId) -> Vec<String> {
    let source = &program.source;
    let own = element_of(program, block);
    let own = own.and_then(|(id, _)| Some((type_name(source, id)?, id)));
    own.map_or(Vec::new(), |(name, id)| kinds(source, &name, id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_argument_of_a_template_is_found() {
        let first = |name| first_argument(name);
        assert_eq!(first("__tree<short, less<short> >"), Some("short"));
        assert_eq!(
            first("__tree<std::__1::__value_type<int, long>, x>"),
            Some("std::__1::__value_type<int, long>")
        );
        assert_eq!(first("__tree"), None);
    }
}
