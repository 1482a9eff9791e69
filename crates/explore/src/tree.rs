//! The tree of forks, of which the states are the leaves.
//!
//! Walking from the root and tossing a coin at every fork favours states that
//! forked early; a loop that forks without end cannot drown the others.

use base::Random;

/// A state's place in the tree while the state is out of the frontier.
#[derive(Debug, PartialEq, Eq)]
pub struct Ticket(pub(crate) u32);

#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    /// Both `NONE` at a leaf.
    children: [u32; 2],
    /// Leaves below, this one included, whose states wait in the frontier.
    waiting: u32,
    /// The waiting state of a leaf.
    state: u32,
}

const NONE: u32 = u32::MAX;

/// The forks that still lead somewhere.
pub(crate) struct Tree {
    nodes: Vec<Node>,
    free: Vec<u32>,
    root: u32,
    /// Whether anybody walks down the tree. Without, all tickets are alike.
    is_kept: bool,
}

impl Tree {
    pub fn new(is_kept: bool) -> Tree {
        Tree {
            nodes: Vec::new(),
            free: Vec::new(),
            root: NONE,
            is_kept,
        }
    }

    /// The first leaf, or one beside all that is there.
    pub fn start(&mut self) -> Ticket {
        if !self.is_kept {
            return Ticket(NONE);
        }
        let leaf = self.node(NONE);
        if self.root == NONE {
            self.root = leaf;
        } else {
            self.graft(self.root, leaf);
        }
        Ticket(leaf)
    }

    /// A new leaf beside the ticket's.
    pub fn fork(&mut self, ticket: &Ticket) -> Ticket {
        if !self.is_kept {
            return Ticket(NONE);
        }
        let leaf = self.node(NONE);
        self.graft(ticket.0, leaf);
        Ticket(leaf)
    }

    /// Puts a new inner node in the place of `old`, with `old` and `leaf` below it.
    fn graft(&mut self, old: u32, leaf: u32) {
        let parent = self.nodes[old as usize].parent;
        let inner = self.node(parent);
        self.nodes[inner as usize].children = [old, leaf];
        self.nodes[inner as usize].waiting = self.nodes[old as usize].waiting;
        self.replace(parent, old, inner);
        self.nodes[old as usize].parent = inner;
        self.nodes[leaf as usize].parent = inner;
    }

    /// Removes the leaf; its sibling takes the place of their fork.
    pub fn finish(&mut self, ticket: Ticket) {
        if !self.is_kept {
            return;
        }
        let leaf = ticket.0;
        let inner = self.nodes[leaf as usize].parent;
        self.free.push(leaf);
        if inner == NONE {
            self.root = NONE;
            return;
        }
        let [a, b] = self.nodes[inner as usize].children;
        let sibling = if a == leaf { b } else { a };
        let parent = self.nodes[inner as usize].parent;
        self.nodes[sibling as usize].parent = parent;
        self.replace(parent, inner, sibling);
        self.free.push(inner);
    }

    fn replace(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
            return;
        }
        for child in &mut self.nodes[parent as usize].children {
            if *child == old {
                *child = new;
            }
        }
    }

    /// The leaf's state now waits.
    pub fn put(&mut self, ticket: &Ticket, state: u32) {
        if !self.is_kept {
            return;
        }
        self.nodes[ticket.0 as usize].state = state;
        self.count(ticket.0, 1);
    }

    /// The leaf's state is out.
    pub fn take(&mut self, leaf: u32) -> Ticket {
        self.count(leaf, -1);
        Ticket(leaf)
    }

    fn count(&mut self, leaf: u32, change: i32) {
        let mut at = leaf;
        while at != NONE {
            let node = &mut self.nodes[at as usize];
            node.waiting = node.waiting.wrapping_add_signed(change);
            at = node.parent;
        }
    }

    /// The state at the end of a random walk from the root.
    pub fn walk(&self, random: &mut Random) -> u32 {
        let mut at = self.root;
        loop {
            let node = &self.nodes[at as usize];
            let waits = |child: u32| child != NONE && self.nodes[child as usize].waiting > 0;
            at = match node.children.map(waits) {
                [true, true] => node.children[usize::from(random.coin())],
                [true, false] => node.children[0],
                [false, true] => node.children[1],
                [false, false] => return node.state,
            };
        }
    }

    fn node(&mut self, parent: u32) -> u32 {
        let node = Node {
            parent,
            children: [NONE; 2],
            waiting: 0,
            state: NONE,
        };
        match self.free.pop() {
            Some(at) => {
                self.nodes[at as usize] = node;
                at
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }
}
