//! Members whose elements a standard library keeps in nodes of their own: `std::list`,
//! `std::forward_list`, sets and maps of libc++.
//!
//! A program sees the elements of such a container in their order and nothing of how they are
//! linked. So there is one way of linking for every number of elements: a search tree is
//! balanced, and a hash table has one bucket, in which its elements lie in any order.

/// The member of a node that is the element.
pub(super) const VALUE: &str = "__value_";

/// A container of linked nodes in an object.
#[derive(Clone, Debug)]
pub(crate) struct Linked {
    /// The member that is the container.
    pub path: String,
    pub form: Form,
    /// The type of a node.
    pub node: String,
    pub element: String,
    /// Where in the object the links lie that begin the container, as they do in a node.
    pub anchor: u64,
    /// The slots of the pointers in the object, in the order of [`Plan::owner`].
    pub pointers: Vec<usize>,
    /// The slot of how many elements there are.
    pub size: Option<usize>,
    /// The slot of how many buckets there are.
    pub buckets: Option<usize>,
    /// The slot of how full a hash table may become.
    pub load: Option<usize>,
    pub order: Order,
}

/// How nodes are linked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Both ways, and around through the object.
    Ring,
    /// One way.
    Chain,
    /// As a red-black tree, whose root is the left child of what is in the object.
    Tree,
    /// One way, with an array of buckets beside.
    Table,
}

/// What holds of the keys of elements that come one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    Any,
    /// Each two of them are different.
    Distinct,
    Ascending {
        strictly: bool,
    },
    Descending {
        strictly: bool,
    },
}

impl Linked {
    /// The same in an array, where it comes so many slots and bytes later.
    pub fn moved(&self, slots: usize, bytes: u64, path: String) -> Linked {
        let later = |slot: Option<usize>| slot.map(|slot| slot + slots);
        Linked {
            path,
            anchor: self.anchor + bytes,
            pointers: self.pointers.iter().map(|slot| slot + slots).collect(),
            size: later(self.size),
            buckets: later(self.buckets),
            load: later(self.load),
            ..self.clone()
        }
    }

    /// Whether elements are keys with something else.
    pub fn is_map(&self) -> bool {
        self.order != Order::Any && self.element.starts_with("pair<")
    }

    /// The member of a node that elements are ordered by.
    pub fn key(&self) -> String {
        match self.is_map() {
            true => format!("{VALUE}.first"),
            false => VALUE.to_owned(),
        }
    }
}

/// Where the pointers of a container and its nodes lead.
#[derive(Default)]
pub(super) struct Plan {
    /// Those in the object.
    pub owner: Vec<u64>,
    /// Those in each node, by their names.
    pub nodes: Vec<Vec<(&'static str, u64)>>,
    /// Which nodes of a tree are black.
    pub is_black: Vec<bool>,
}

impl Plan {
    /// The links between nodes at these addresses, in the order of their elements.
    pub fn new(form: Form, anchor: u64, nodes: &[u64]) -> Plan {
        let count = nodes.len();
        let at = |number: Option<usize>, end: u64| {
            let node = number.and_then(|number| nodes.get(number));
            node.copied().unwrap_or(end)
        };
        match form {
            Form::Ring => {
                let links = |number: usize| {
                    let before = at(number.checked_sub(1), anchor);
                    let after = at(Some(number + 1), anchor);
                    vec![("__prev_", before), ("__next_", after)]
                };
                Plan {
                    owner: vec![at(count.checked_sub(1), anchor), at(Some(0), anchor)],
                    nodes: (0..count).map(links).collect(),
                    ..Plan::default()
                }
            }
            Form::Chain | Form::Table => Plan {
                owner: vec![at(Some(0), 0)],
                nodes: (0..count)
                    .map(|number| vec![("__next_", at(Some(number + 1), 0))])
                    .collect(),
                ..Plan::default()
            },
            Form::Tree => {
                let mut plan = Plan {
                    nodes: vec![Vec::new(); count],
                    is_black: vec![true; count],
                    ..Plan::default()
                };
                let last = match (count + 1).is_power_of_two() {
                    true => u32::MAX,
                    false => count.checked_ilog2().unwrap_or(0),
                };
                let root = plan.subtree(nodes, 0..count, anchor, 0, last);
                plan.owner = vec![at(Some(0), anchor), root];
                plan
            }
        }
    }

    /// The root of a balanced tree of some of the nodes. Where the last level is not full, its
    /// nodes are red and all others black.
    fn subtree(
        &mut self,
        nodes: &[u64],
        range: std::ops::Range<usize>,
        parent: u64,
        depth: u32,
        last: u32,
    ) -> u64 {
        if range.is_empty() {
            return 0;
        }
        let middle = range.start + range.len() / 2;
        let own = nodes[middle];
        let left = self.subtree(nodes, range.start..middle, own, depth + 1, last);
        let right = self.subtree(nodes, middle + 1..range.end, own, depth + 1, last);
        self.nodes[middle] = vec![
            ("__left_", left),
            ("__right_", right),
            ("__parent_", parent),
        ];
        self.is_black[middle] = depth < last;
        own
    }
}

/// Whether a structure is a node of such a container, by its name.
pub(super) fn is_node(name: &str) -> bool {
    let nodes = ["list_node", "forward_list_node", "tree_node", "hash_node"];
    let own = name.strip_prefix("__").and_then(|it| it.split_once('<'));
    own.is_some_and(|(own, _)| nodes.contains(&own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_red_black_trees_in_order() {
        for count in 0..40u64 {
            let nodes: Vec<u64> = (1..=count).map(|it| 100 * it).collect();
            let plan = Plan::new(Form::Tree, 7, &nodes);
            let mut seen = Vec::new();
            black_height(&plan, plan.owner[1], 7, true, &mut seen);
            assert_eq!(seen, nodes);
            assert_eq!(plan.owner[0], nodes.first().copied().unwrap_or(7));
        }
    }

    /// Black nodes on the way to every end, after what a library relies on was checked.
    fn black_height(plan: &Plan, at: u64, parent: u64, is_black: bool, seen: &mut Vec<u64>) -> u32 {
        if at == 0 {
            return 0;
        }
        let number = (at / 100 - 1) as usize;
        let [left, right, up] = [0, 1, 2].map(|link| plan.nodes[number][link].1);
        let own = plan.is_black[number];
        assert_eq!(up, parent);
        assert!(own || is_black, "two red nodes in a row");
        assert!(own || parent != 7, "the root is red");
        let before = black_height(plan, left, at, own, seen);
        seen.push(at);
        let after = black_height(plan, right, at, own, seen);
        assert_eq!(before, after);
        before + u32::from(own)
    }
}
