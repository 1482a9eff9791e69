//! Containers of the standard library of C++ in tests: filled and looked at through their public
//! operations, because every library links their elements in its own way.

use super::assertions::{Named, accessed};
use super::build::written;
use super::c::{Writer, whole};
use super::object;
use engine::policy::staged::{Container, ContainerKind, Sharer, View};
use staged::{Field, ObjectGraph};
use std::fmt::Write;

impl Writer<'_> {
    /// Code that makes the containers and shared pointers of an object, and with the containers
    /// their elements; none if they cannot be named.
    pub(super) fn fill_containers(
        &self,
        graph: usize,
        view: &View,
        (number, own): (usize, &Named),
        typed: &mut [bool],
    ) -> Option<String> {
        let mut code = String::new();
        let type_name = &view.graph.objects[number].type_name;
        for container in &view.objects[number].containers {
            let place = self.member_place(own, type_name, &container.path)?;
            let _ = writeln!(
                code,
                "    new (&{place}) std::remove_reference_t<decltype({place})>();"
            );
            // Of those that nobody looks at there are as many as there should be.
            for at in 0..container.open.unwrap_or(0) {
                let _ = writeln!(
                    code,
                    "    {};",
                    inserted(container, &place, &format!("{at}"))
                );
            }
            let in_order: Vec<usize> = match container.kind {
                ContainerKind::ForwardList => container.elements.iter().rev().copied().collect(),
                _ => container.elements.clone(),
            };
            for element in in_order {
                let key = match container.kind.key() {
                    Some(key) => self.key_text(&view.graph, element, key)?,
                    None => String::new(),
                };
                let name = object(graph, element);
                let made = inserted(container, &place, &key);
                let _ = match container.kind {
                    ContainerKind::List => {
                        writeln!(code, "    {made};\n    auto *{name} = &{place}.back();")
                    }
                    ContainerKind::ForwardList => {
                        writeln!(code, "    {made};\n    auto *{name} = &{place}.front();")
                    }
                    ContainerKind::Set | ContainerKind::Map => {
                        writeln!(code, "    auto *{name} = &*{made};")
                    }
                    ContainerKind::HashSet | ContainerKind::HashMap => {
                        writeln!(code, "    auto *{name} = &*{made}.first;")
                    }
                };
                typed[element] = true;
            }
        }
        Some(code)
    }

    /// A member that has a name, as C++ writes it.
    fn member_place(&self, own: &Named, type_name: &str, path: &str) -> Option<String> {
        let can_name = path.is_empty() || self.can_name(type_name, path);
        (own.is_typed && can_name).then(|| accessed(&own.name, path))
    }

    /// The key of an element, as C++ writes it.
    fn key_text(&self, objects: &ObjectGraph, element: usize, key: &str) -> Option<String> {
        let element = &objects.objects[element];
        let texts = self.staged.texts(&element.type_name);
        if texts.iter().any(|text| text == key) {
            return Some(format!("std::string({})", written(objects, element, key)?));
        }
        match element.field(key) {
            Field::Number(value) => Some(whole(*value)),
            _ => None,
        }
    }

    /// Code that has the pointers of an object share what they lead to.
    pub(super) fn share(
        &self,
        graph: usize,
        view: &View,
        (number, own): (usize, &Named),
    ) -> Option<String> {
        let mut code = String::new();
        let type_name = &view.graph.objects[number].type_name;
        for Sharer { path, to, .. } in &view.objects[number].shared {
            if let Some(to) = to {
                let place = self.member_place(own, type_name, path)?;
                let owner = owner(graph, *to);
                let _ = writeln!(
                    code,
                    "    new (&{place}) std::remove_reference_t<decltype({place})>(*{owner});"
                );
            }
        }
        Some(code)
    }

    /// The pointer that shares an object and can be named: where it is.
    pub(super) fn sharer(
        &self,
        graph: usize,
        view: &View,
        typed: &[bool],
        shared: usize,
    ) -> Option<String> {
        let mut all = view.objects.iter().enumerate();
        all.find_map(|(number, seen)| {
            let to = seen.shared.iter().find(|it| it.to == Some(shared))?;
            let own = Named {
                name: object(graph, number),
                is_typed: typed[number],
            };
            let type_name = &view.graph.objects[number].type_name;
            self.member_place(&own, type_name, &to.path)
        })
    }

    /// Code that makes something that is shared, and a first owner of it.
    pub(super) fn make_shared(graph: usize, number: usize, sharer: &str) -> String {
        let (name, owner) = (object(graph, number), owner(graph, number));
        let element = format!("std::remove_reference_t<decltype({sharer})>::element_type");
        format!(
            "    auto *{name} = (typename {element} *)calloc(1, sizeof(typename {element}));\n    \
             auto *{owner} = new std::shared_ptr<typename {element}>({name});\n"
        )
    }

    /// Code that leaves shared things with as many owners as there are.
    pub(super) fn settle_owners(graph: usize, view: &View) -> String {
        let mut code = String::new();
        for (number, seen) in view.objects.iter().enumerate() {
            let Some(others) = seen.owners else {
                continue;
            };
            let owner = owner(graph, number);
            if others <= 0 {
                let _ = writeln!(code, "    delete {owner};");
            }
            for _ in 1..others.min(MOST_OTHERS) {
                let _ = writeln!(
                    code,
                    "    new std::remove_reference_t<decltype(*{owner})>(*{owner});"
                );
            }
        }
        code
    }

    /// Asserts what is in the containers of an object, and names their new elements.
    pub(super) fn containers_after(
        &self,
        code: &mut String,
        argument: usize,
        view: &View,
        (number, own): (usize, &Named),
        names: &mut [Option<Named>],
    ) {
        let type_name = &view.graph.objects[number].type_name;
        for (at, container) in view.objects[number].containers.iter().enumerate() {
            let Some(place) = self.member_place(own, type_name, &container.path) else {
                continue;
            };
            if container.open.is_some() {
                continue;
            }
            let count = container.elements.len();
            let _ = writeln!(
                code,
                "    CHECK(std::distance({place}.begin(), {place}.end()) == {count});"
            );
            let iterator = format!("at{argument}_{number}_{at}");
            let in_order = !matches!(
                container.kind,
                ContainerKind::HashSet | ContainerKind::HashMap
            );
            if in_order && count > 0 {
                let _ = writeln!(code, "    auto {iterator} = {place}.begin();");
            }
            for &element in &container.elements {
                let found = match in_order {
                    true => format!("&*{iterator}++"),
                    false => {
                        let key = container.kind.key().unwrap_or_default();
                        let Some(key) = self.key_text(&view.graph, element, key) else {
                            continue;
                        };
                        let _ = writeln!(code, "    CHECK({place}.count({key}) == 1);");
                        format!("&*{place}.find({key})")
                    }
                };
                match &names[element] {
                    Some(known) => {
                        let _ = writeln!(
                            code,
                            "    CHECK((const void *)({found}) == (const void *){});",
                            known.name
                        );
                    }
                    None => {
                        let name = format!("after{argument}_{element}");
                        let _ = writeln!(code, "    auto *{name} = {found};");
                        names[element] = Some(Named {
                            name,
                            is_typed: true,
                        });
                    }
                }
            }
        }
        for shared in &view.objects[number].shared {
            let Some(place) = self.member_place(own, type_name, &shared.path) else {
                continue;
            };
            let _ = match (shared.to, shared.is_weak) {
                (None, false) => writeln!(code, "    CHECK({place}.get() == nullptr);"),
                (Some(to), false) => match &names[to] {
                    Some(known) => writeln!(
                        code,
                        "    CHECK((const void *){place}.get() == (const void *){});",
                        known.name
                    ),
                    None => {
                        let name = format!("after{argument}_{to}");
                        names[to] = Some(Named {
                            name: name.clone(),
                            is_typed: true,
                        });
                        writeln!(
                            code,
                            "    CHECK({place}.get() != nullptr);\n    auto *{name} = {place}.get();"
                        )
                    }
                },
                // Whether what it leads to is still there is a matter of its owners.
                (_, true) => Ok(()),
            };
        }
    }
}

/// Owners beyond those of the graph that a test makes.
const MOST_OTHERS: i128 = 16;

/// How a test names the first owner of something that is shared.
fn owner(graph: usize, number: usize) -> String {
    format!("ownerOf{}", object(graph, number))
}

/// An expression that adds an element to a container.
fn inserted(container: &Container, place: &str, key: &str) -> String {
    let of = format!("std::remove_reference_t<decltype({place})>");
    // A number takes the type of the key; a text has it.
    let key = match key.starts_with("std::string(") {
        true => key.to_owned(),
        false => format!("(typename {of}::key_type){key}"),
    };
    match container.kind {
        ContainerKind::List => format!("{place}.emplace_back()"),
        ContainerKind::ForwardList => format!("{place}.emplace_front()"),
        ContainerKind::Set => format!("{place}.emplace_hint({place}.end(), {key})"),
        ContainerKind::Map => {
            format!("{place}.emplace_hint({place}.end(), {key}, typename {of}::mapped_type())")
        }
        ContainerKind::HashSet => format!("{place}.emplace({key})"),
        ContainerKind::HashMap => format!("{place}.emplace({key}, typename {of}::mapped_type())"),
    }
}
