//! Graphs in Graphviz's language.

use crate::{Colour, Graph};
use std::fmt::Write;

/// The graphs as one file, each with a title in a box of its own.
pub fn dot(name: &str, graphs: &[Graph]) -> String {
    let mut text = format!(
        "digraph {} {{\n  node [shape=box, style=rounded];\n",
        quoted(name)
    );
    for (number, graph) in graphs.iter().enumerate() {
        match graph.title.trim_end() {
            "" => write(number, graph, "  ", &mut text),
            title => {
                let title = quoted(title);
                put(
                    &mut text,
                    format_args!("  subgraph cluster_{number} {{\n    label={title};\n"),
                );
                write(number, graph, "    ", &mut text);
                text.push_str("  }\n");
            }
        }
    }
    text.push_str("}\n");
    text
}

fn write(number: usize, graph: &Graph, margin: &str, text: &mut String) {
    for (index, node) in graph.nodes.iter().enumerate() {
        let label = quoted(&node.lines.join("\n"));
        put(
            text,
            format_args!("{margin}g{number}n{index} [label={label}];\n"),
        );
    }
    if let Some(initial) = graph.initial {
        put(
            text,
            format_args!(
                "{margin}g{number}start [shape=point];\n\
                 {margin}g{number}start -> g{number}n{initial};\n"
            ),
        );
    }
    for edge in &graph.edges {
        let (from, to, label) = (edge.from, edge.to, quoted(&edge.label));
        put(
            text,
            format_args!("{margin}g{number}n{from} -> g{number}n{to} [label={label}"),
        );
        if !edge.tooltip.is_empty() {
            put(text, format_args!(", tooltip={}", quoted(&edge.tooltip)));
        }
        if edge.colour != Colour::Grey {
            put(text, format_args!(", color=\"{}\"", edge.colour.hex()));
        }
        if edge.dashed {
            text.push_str(", style=dashed, constraint=false");
        }
        text.push_str("];\n");
    }
}

fn put(text: &mut String, part: std::fmt::Arguments<'_>) {
    text.write_fmt(part)
        .expect("writing to a string does not fail");
}

/// A DOT string. Graphviz knows two escapes in it, and takes every other backslash
/// for one of its own (`\N` is the node's name).
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edge, Node};

    #[test]
    fn names_that_mean_something_to_graphviz_are_text() {
        let graph = Graph {
            title: "say \"hi\"\nand \\N".to_owned(),
            nodes: vec![Node::new("a\nb")],
            edges: vec![Edge {
                tooltip: "x \\ y".to_owned(),
                colour: Colour::Green,
                dashed: true,
                ..Edge::new(0, 0, "é")
            }],
            initial: Some(0),
        };
        assert_eq!(
            dot("g", &[graph]),
            "digraph \"g\" {\n  node [shape=box, style=rounded];\n  subgraph cluster_0 {\n    \
             label=\"say \\\"hi\\\"\\nand \\\\N\";\n    g0n0 [label=\"a\\nb\"];\n    \
             g0start [shape=point];\n    g0start -> g0n0;\n    \
             g0n0 -> g0n0 [label=\"é\", tooltip=\"x \\\\ y\", color=\"#1a7f37\", \
             style=dashed, constraint=false];\n  }\n}\n"
        );
    }
}
