//! Directed graphs as pictures: SVG for people, DOT for other tools.
//!
//! Object graphs, automata and trees of states are all drawn from one [`Graph`], so
//! that they look alike and are laid out by the same code. The SVG needs no other
//! program, which is why the layout is our own: people look at pictures of errors
//! on machines where no Graphviz is installed.
//!
//! ```
//! use draw::{Colour, Edge, Graph, Node};
//!
//! let graph = Graph {
//!     title: "a door".to_owned(),
//!     nodes: vec![Node::new("open"), Node::new("closed")],
//!     edges: vec![
//!         Edge::new(0, 1, "close"),
//!         Edge { colour: Colour::Red, ..Edge::new(1, 0, "open") },
//!     ],
//!     initial: Some(0),
//! };
//! let picture = draw::svg(&[graph.clone()]);
//! assert_eq!(picture.matches("<rect ").count(), 2);
//! assert!(draw::dot("doors", &[graph]).contains("g0n1 -> g0n0 [label=\"open\""));
//! ```

mod dot;
mod layout;
mod svg;

pub use dot::dot;
pub use svg::svg;

/// A graph and what is written above it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    /// A few lines of text; none at all for a graph that stands for itself.
    pub title: String,
    /// The boxes.
    pub nodes: Vec<Node>,
    /// The arrows, which lead from and to nodes by their index.
    pub edges: Vec<Edge>,
    /// The node that an arrow from outside leads to, and that is drawn on top.
    pub initial: Option<usize>,
}

/// A box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// What is written in it, line by line.
    pub lines: Vec<String>,
}

/// An arrow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The node it leaves.
    pub from: usize,
    /// The node it leads to.
    pub to: usize,
    /// What is written beside it.
    pub label: String,
    /// What is shown when the mouse is over it; may be empty.
    pub tooltip: String,
    /// What colour it has.
    pub colour: Colour,
    /// Whether the line is dashed. Such an arrow says something about two nodes and
    /// does not count for where they stand.
    pub dashed: bool,
}

/// The colour of an arrow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Colour {
    /// For most things.
    #[default]
    Grey,
    /// For what was reached.
    Green,
    /// For what was missed.
    Red,
}

impl Node {
    /// A box with these lines in it.
    pub fn new(text: &str) -> Node {
        Node {
            lines: text.lines().map(str::to_owned).collect(),
        }
    }
}

impl Edge {
    /// A grey arrow.
    pub fn new(from: usize, to: usize, label: &str) -> Edge {
        Edge {
            from,
            to,
            label: label.to_owned(),
            tooltip: String::new(),
            colour: Colour::Grey,
            dashed: false,
        }
    }
}

impl Colour {
    const ALL: [Colour; 3] = [Colour::Grey, Colour::Green, Colour::Red];

    fn hex(self) -> &'static str {
        match self {
            Colour::Grey => "#57606a",
            Colour::Green => "#1a7f37",
            Colour::Red => "#cf222e",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Colour::Grey => "grey",
            Colour::Green => "green",
            Colour::Red => "red",
        }
    }
}
