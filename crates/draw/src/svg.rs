//! Graphs as SVG.

use crate::layout::{Arrow, Drawing, LINE, MARGIN};
use crate::{Colour, Edge, Graph};
use base::escape::visible;
use maud::{Markup, html};

/// How wide a picture gets before the next graph goes below.
const PAGE: f64 = 1200.0;

/// The graphs beside and below each other. The text can stand in an HTML page or be
/// a file of its own.
pub fn svg(graphs: &[Graph]) -> String {
    let mut groups = Vec::new();
    let (mut x, mut y, mut row, mut width) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
    for graph in graphs {
        let drawing = Drawing::new(graph);
        if x > 0.0 && x + drawing.width > PAGE {
            (x, y, row) = (0.0, y + row, 0.0);
        }
        groups.push(html! {
            g transform={ "translate(" (pixels(x)) "," (pixels(y)) ")" } { (content(graph, &drawing)) }
            "\n"
        });
        x += drawing.width;
        row = row.max(drawing.height);
        width = width.max(x);
    }
    let (width, height) = (pixels(width), pixels(y + row));
    // Elements without content are written with an end tag, since the picture also
    // has to be well-formed XML.
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height)
            viewBox={ "0 0 " (width) " " (height) } font-family="sans-serif" font-size="12" {
            "\n"
            defs { @for colour in Colour::ALL { (arrow_head(colour)) } }
            "\n"
            @for group in groups { (group) }
        }
        "\n"
    };
    picture.into_string()
}

fn arrow_head(colour: Colour) -> Markup {
    html! {
        marker id={ "arrow-" (colour.name()) } viewBox="0 0 10 10" refX="9" refY="5"
            markerWidth="7" markerHeight="7" orient="auto" {
            path d="M0,0L10,5L0,10z" fill=(colour.hex()) {}
        }
    }
}

fn content(graph: &Graph, drawing: &Drawing) -> Markup {
    html! {
        @for (number, line) in graph.title.lines().enumerate() {
            text x=(pixels(MARGIN)) y=(pixels(MARGIN + LINE * number as f64)) font-weight="bold" {
                (visible(line))
            }
        }
        @if let Some(entry) = &drawing.entry { (path(entry, Colour::Grey, false)) }
        // Boxes come last, over the arrows that pass behind them.
        @for (edge, arrow) in graph.edges.iter().zip(&drawing.arrows) { (labelled(edge, arrow)) }
        @for (node, it) in graph.nodes.iter().zip(&drawing.boxes) {
            rect x=(pixels(it.x - it.width / 2.0)) y=(pixels(it.y)) width=(pixels(it.width))
                height=(pixels(it.height)) rx="4" fill="#f6f8fa" stroke="#24292f" {}
            @for (number, line) in node.lines.iter().enumerate() {
                text x=(pixels(it.x)) y=(pixels(it.y + LINE * (number as f64 + 1.0)))
                    text-anchor="middle" { (visible(line)) }
            }
        }
    }
}

fn labelled(edge: &Edge, arrow: &Arrow) -> Markup {
    let (x, y) = arrow.label;
    html! {
        g {
            @if !edge.tooltip.is_empty() { title { (visible(&edge.tooltip)) } }
            (path(arrow, edge.colour, edge.dashed))
            text x=(pixels(x)) y=(pixels(y)) fill=(edge.colour.hex()) font-size="11"
                paint-order="stroke" stroke="white" stroke-width="3" { (visible(&edge.label)) }
        }
    }
}

fn path(arrow: &Arrow, colour: Colour, dashed: bool) -> Markup {
    let [start, one, other, end] = arrow.curve.map(|(x, y)| format!("{x:.0},{y:.0}"));
    html! {
        path d={ "M" (start) "C" (one) " " (other) " " (end) } fill="none" stroke=(colour.hex())
            stroke-dasharray=[dashed.then_some("4 3")]
            marker-end={ "url(#arrow-" (colour.name()) ")" } {}
    }
}

fn pixels(length: f64) -> String {
    format!("{length:.0}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Node;

    fn count(text: &str, part: &str) -> usize {
        text.matches(part).count()
    }

    #[test]
    fn every_node_is_a_box_and_every_edge_an_arrow() {
        let node = Node::new("Node<int>\ndata = 7");
        let ring = Graph {
            title: "a ring\nof three".to_owned(),
            nodes: vec![node.clone(); 3],
            edges: vec![
                Edge::new(0, 1, "next"),
                Edge::new(1, 2, "next"),
                Edge::new(2, 0, "next"),
            ],
            initial: Some(0),
        };
        let own = Graph {
            title: "itself & another\u{1b}[31m".to_owned(),
            nodes: vec![node; 2],
            edges: vec![Edge::new(0, 0, "next")],
            initial: None,
        };
        let picture = svg(&[ring, own]);
        assert_eq!(count(&picture, "<rect "), 5);
        assert_eq!(count(&picture, "marker-end"), 5);
        assert_eq!(count(&picture, "Node&lt;int&gt;"), 5);
        assert_eq!(count(&picture, ">data = 7<"), 5);
        assert_eq!(count(&picture, "itself &amp; another\u{fffd}[31m"), 1);
    }

    #[test]
    fn a_long_list_is_drawn_without_deep_recursion() {
        let count = 20_000;
        let graph = Graph {
            nodes: vec![Node::new("node"); count],
            edges: (1..count).map(|to| Edge::new(to - 1, to, "next")).collect(),
            ..Graph::default()
        };
        assert!(svg(&[graph]).ends_with("</svg>\n"));
    }
}
