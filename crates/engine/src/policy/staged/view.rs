//! Objects as a test sees them that uses the public operations of a standard library: elements
//! instead of nodes, and containers that hold them.

use super::Staged;
use super::layout::{Inner, Layout};
use super::linked::{Form, Linked};
use super::shared::POINTER;
use staged::{Field, Object, ObjectGraph};
use std::rc::Rc;

/// A graph whose nodes and blocks are the elements that are in them.
pub struct View {
    /// The objects, under the numbers that they had.
    pub graph: ObjectGraph,
    /// What there is to know of each.
    pub objects: Vec<Seen>,
}

/// What there is to know of an object.
#[derive(Default)]
pub struct Seen {
    /// What it is to a test.
    pub role: Role,
    /// How far into the object the element begins that stands for it.
    pub shift: u64,
    /// The containers of nodes in it.
    pub containers: Vec<Container>,
    /// The pointers in it that share something.
    pub shared: Vec<Sharer>,
    /// How many own it in addition to the pointers of the graph, or none at all.
    pub owners: Option<i128>,
}

/// What an object is to a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Role {
    /// Something to make.
    #[default]
    Object,
    /// An element that its container makes.
    Element,
    /// Something that is shared.
    Shared,
    /// What only a library knows of.
    Hidden,
}

/// A container of nodes.
pub struct Container {
    /// The member.
    pub path: String,
    /// What it is.
    pub kind: ContainerKind,
    /// The numbers of its elements, in order.
    pub elements: Vec<usize>,
    /// How many there are if nobody has looked at them.
    pub open: Option<usize>,
}

/// What a container is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ContainerKind {
    /// `std::list`.
    List,
    /// `std::forward_list`.
    ForwardList,
    /// An ordered set.
    Set,
    /// An ordered map.
    Map,
    /// `std::unordered_set`.
    HashSet,
    /// `std::unordered_map`.
    HashMap,
}

impl ContainerKind {
    /// The member of an element that nobody may change.
    pub fn key(self) -> Option<&'static str> {
        match self {
            ContainerKind::List | ContainerKind::ForwardList => None,
            ContainerKind::Set | ContainerKind::HashSet => Some(""),
            ContainerKind::Map | ContainerKind::HashMap => Some("first"),
        }
    }
}

/// A pointer that shares something.
pub struct Sharer {
    /// The member.
    pub path: String,
    /// The object that it leads to.
    pub to: Option<usize>,
    /// Whether it does not own it.
    pub is_weak: bool,
}

impl Staged<'_> {
    /// Objects as a test sees them.
    pub fn view(&self, graph: &ObjectGraph) -> View {
        let layouts = graph.objects.iter().map(|it| {
            let mut layouts = self.layouts.borrow_mut();
            layouts.get(&it.type_name)
        });
        let layouts: Vec<Option<Rc<Layout>>> = layouts.collect();
        let inner = |number: usize| layouts[number].as_ref()?.inner.as_ref();
        let shift = |number: usize| inner(number).map_or(0, |it: &Inner| it.at);
        let mut view = View {
            graph: ObjectGraph {
                objects: Vec::new(),
                ..graph.clone()
            },
            objects: Vec::new(),
        };
        // The memory of texts, which a test makes with them.
        let mut hidden = Vec::new();
        for (number, it) in graph.objects.iter().enumerate() {
            let mut seen = Seen {
                shift: shift(number),
                ..Seen::default()
            };
            if let Some(layout) = &layouts[number] {
                let linked = layout.linked.iter();
                seen.containers = linked
                    .map(|it| container(graph, number, layout, it))
                    .collect();
                seen.shared = layout
                    .shared
                    .iter()
                    .map(|shared| {
                        let block = it.field(&layout.slots[shared.block].path).place();
                        Sharer {
                            path: shared.path.clone(),
                            to: block.map(|(block, _)| shared_object(graph, block)),
                            is_weak: shared.is_weak,
                        }
                    })
                    .collect();
                if layout.is_block() {
                    seen.role = match inner(number) {
                        Some(_) => Role::Shared,
                        None => Role::Hidden,
                    };
                }
            }
            let texts = layouts[number].iter().flat_map(|layout| {
                let long = layout.texts.iter().filter(|text| text.is_long);
                long.filter_map(|text| it.field(&layout.slots[text.pointer()].path).place())
            });
            hidden.extend(texts.map(|(to, _)| to));
            let outer: Vec<&str> = (seen.containers.iter().map(|it| &*it.path))
                .chain(seen.shared.iter().map(|it| &*it.path))
                .collect();
            let own = inner(number);
            let fields = it.fields.iter().filter_map(|(path, field)| {
                if outer.iter().any(|outer| is_inside(path, outer)) {
                    return None;
                }
                let path = match own {
                    Some(inner) => stripped(path, &inner.path)?,
                    None => path,
                };
                let field = match field.place() {
                    Some((to, offset)) => Field::at(to, offset.saturating_sub(shift(to))),
                    None => field.clone(),
                };
                Some((path.to_owned(), field))
            });
            let fields = fields.collect();
            // The paths of an element's own containers begin where it does.
            if let Some(inner) = own {
                for container in &mut seen.containers {
                    container.path = stripped(&container.path, &inner.path)
                        .unwrap_or_default()
                        .to_owned();
                }
                for shared in &mut seen.shared {
                    shared.path = stripped(&shared.path, &inner.path)
                        .unwrap_or_default()
                        .to_owned();
                }
            }
            view.graph.objects.push(Object {
                type_name: own.map_or_else(|| it.type_name.clone(), |it| it.type_name.clone()),
                fields,
            });
            view.objects.push(seen);
        }
        view.settle_roles(graph);
        for number in hidden {
            view.objects[number].role = Role::Hidden;
        }
        view
    }
}

impl View {
    /// Says which objects are elements, which are shared and which are nobody's business.
    fn settle_roles(&mut self, graph: &ObjectGraph) {
        let elements = self.objects.iter().flat_map(|it| &it.containers);
        let elements: Vec<usize> = elements.flat_map(|it| it.elements.clone()).collect();
        for number in elements {
            self.objects[number].role = Role::Element;
        }
        for (number, it) in graph.objects.iter().enumerate() {
            let owners = match it.field("__shared_owners_") {
                Field::Number(count) => count + 1,
                _ => continue,
            };
            let shared = shared_object(graph, number);
            self.objects[shared].role = Role::Shared;
            let known = self.objects.iter().flat_map(|it| &it.shared);
            let known = known.filter(|it| it.to == Some(shared) && !it.is_weak);
            self.objects[shared].owners = Some(owners - known.count() as i128);
        }
        // A bucket is an array of pointers to what a table begins with.
        for (number, it) in graph.objects.iter().enumerate() {
            if it.type_name.starts_with("__hash_node_base<") {
                self.objects[number].role = Role::Hidden;
            }
        }
    }
}

/// The object that a block counts owners of.
fn shared_object(graph: &ObjectGraph, block: usize) -> usize {
    let pointer = graph.objects[block].field(POINTER).place();
    pointer.map_or(block, |(object, _)| object)
}

fn container(graph: &ObjectGraph, number: usize, layout: &Layout, linked: &Linked) -> Container {
    let own = &graph.objects[number];
    let pointer = |at: usize| own.field(&layout.slots[linked.pointers[at]].path);
    let is_map = linked.is_map();
    let (kind, first) = match linked.form {
        Form::Ring => (ContainerKind::List, pointer(1)),
        Form::Chain => (ContainerKind::ForwardList, pointer(0)),
        Form::Tree if is_map => (ContainerKind::Map, pointer(1)),
        Form::Tree => (ContainerKind::Set, pointer(1)),
        Form::Table if is_map => (ContainerKind::HashMap, pointer(0)),
        Form::Table => (ContainerKind::HashSet, pointer(0)),
    };
    let size = linked.size.map(|slot| own.field(&layout.slots[slot].path));
    let open = match (first, size) {
        (Field::Untouched, Some(Field::Number(count))) => usize::try_from(*count).ok(),
        _ => None,
    };
    let node = |field: &Field| {
        let (to, _) = field.place()?;
        (graph.objects[to].type_name == linked.node).then_some(to)
    };
    let mut elements = Vec::new();
    let mut above = Vec::new();
    let mut at = node(first);
    // Each node is met once, unless the links are not what they should be.
    for _ in 0..=2 * graph.objects.len() {
        match (linked.form, at) {
            (Form::Tree, Some(here)) => {
                above.push(here);
                at = node(graph.objects[here].field("__left_"));
            }
            (Form::Tree, None) => {
                let Some(here) = above.pop() else {
                    break;
                };
                elements.push(here);
                at = node(graph.objects[here].field("__right_"));
            }
            (_, Some(here)) => {
                elements.push(here);
                at = node(graph.objects[here].field("__next_"));
            }
            (_, None) => break,
        }
    }
    Container {
        path: linked.path.clone(),
        kind,
        elements,
        open,
    }
}

/// Whether a field is one of those of a member.
fn is_inside(path: &str, outer: &str) -> bool {
    outer.is_empty()
        || path
            .strip_prefix(outer)
            .is_some_and(|it| it.starts_with('.'))
}

/// A path as it is in an element.
fn stripped<'a>(path: &'a str, inner: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(inner)?;
    match rest.chars().next() {
        None | Some('[') => Some(rest),
        Some('.') => Some(&rest[1..]),
        Some(_) => None,
    }
}
