//! Where the boxes and arrows of a graph go.
//!
//! Nodes stand in layers by their distance from the initial one, each below the node
//! it was first met from, and every subtree has a strip of its own: no two boxes can
//! overlap, and a list or a tree looks as people draw it. Arrows to the next layer are
//! straight; all others are bent around the boxes.
//!
//! Everything is linear in the size of the graph and walks without recursion: a list
//! of many thousand objects is drawn too.

use crate::{Edge, Graph, Node};
use std::collections::{HashMap, VecDeque};

/// Around a graph.
pub const MARGIN: f64 = 20.0;
/// From one line of text to the next.
pub const LINE: f64 = 15.0;
/// Between two boxes of a layer.
const GAP: f64 = 24.0;
/// Between two layers, where the labels of arrows stand.
const LAYER_GAP: f64 = 50.0;
/// Between two arrows that lead the same way.
const LANE: f64 = 22.0;

/// A graph, laid out; its upper left corner is the origin.
pub struct Drawing {
    /// By node.
    pub boxes: Vec<Rectangle>,
    /// By edge.
    pub arrows: Vec<Arrow>,
    /// The arrow from outside to the initial node.
    pub entry: Option<Arrow>,
    /// How much room the graph takes with its title and margins.
    pub width: f64,
    pub height: f64,
}

#[derive(Clone, Copy)]
pub struct Rectangle {
    /// The middle of its upper edge.
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// A cubic Bézier curve, and where its label begins.
#[derive(Clone, Copy)]
pub struct Arrow {
    pub curve: [(f64, f64); 4],
    pub label: (f64, f64),
}

impl Drawing {
    pub fn new(graph: &Graph) -> Drawing {
        let mut boxes: Vec<Rectangle> = graph.nodes.iter().map(size).collect();
        let top = MARGIN + LINE * graph.title.lines().count() as f64;
        place(graph, top, &mut boxes);
        let mut arrows = route(graph, &boxes);
        let mut entry = graph.initial.and_then(|initial| {
            let it = boxes.get(initial)?;
            Some(straight((it.x, it.y - 25.0), (it.x, it.y), 0.0))
        });

        // Arrows that lead around may have left the room that the boxes take.
        let labels = graph.edges.iter().map(|edge| text_width(&edge.label));
        let arrow_ends = arrows.iter().zip(labels).map(|(arrow, label)| {
            let (low, high) = arrow.span();
            (low, high.max(arrow.label.0 + label))
        });
        let box_ends = boxes
            .iter()
            .map(|it| (it.x - it.width / 2.0, it.x + it.width / 2.0));
        let (left, right) = box_ends
            .chain(arrow_ends)
            .fold((0.0f64, 0.0f64), |(left, right), (low, high)| {
                (left.min(low), right.max(high))
            });
        let shift = MARGIN - left;
        boxes.iter_mut().for_each(|it| it.x += shift);
        arrows
            .iter_mut()
            .chain(&mut entry)
            .for_each(|it| it.shift(shift));

        let title = graph.title.lines().map(text_width).fold(0.0, f64::max);
        let bottom = boxes.iter().map(|it| it.y + it.height).fold(top, f64::max);
        Drawing {
            width: (right - left).max(title) + 2.0 * MARGIN,
            height: bottom + 2.0 * MARGIN,
            boxes,
            arrows,
            entry,
        }
    }
}

impl Arrow {
    /// The least and the greatest x of what controls the curve, which stays between.
    fn span(&self) -> (f64, f64) {
        let xs = self.curve.map(|(x, _)| x);
        let low = xs.into_iter().fold(f64::INFINITY, f64::min);
        (low, xs.into_iter().fold(f64::NEG_INFINITY, f64::max))
    }

    fn shift(&mut self, by: f64) {
        self.curve.iter_mut().for_each(|(x, _)| *x += by);
        self.label.0 += by;
    }
}

/// About how wide a text is in the font of the picture.
pub fn text_width(text: &str) -> f64 {
    7.0 * text.chars().count() as f64
}

fn size(node: &Node) -> Rectangle {
    let longest = node.lines.iter().map(|line| text_width(line));
    Rectangle {
        x: 0.0,
        y: 0.0,
        width: longest.fold(0.0, f64::max) + 16.0,
        height: LINE * node.lines.len() as f64 + 8.0,
    }
}

/// A node on its way into the picture.
struct Met {
    node: usize,
    /// The node it was first met from.
    parent: Option<usize>,
    layer: usize,
    /// How wide the label of the arrow from the parent is.
    label: f64,
}

/// Nodes in the order in which a breadth-first walk from the initial one meets them;
/// what cannot be reached begins another walk.
fn met(graph: &Graph) -> Vec<Met> {
    let mut successors: Vec<Vec<&Edge>> = vec![Vec::new(); graph.nodes.len()];
    for edge in graph.edges.iter().filter(|edge| !edge.dashed) {
        successors[edge.from].push(edge);
    }
    let mut seen = vec![false; graph.nodes.len()];
    let mut order = Vec::with_capacity(graph.nodes.len());
    let roots = graph.initial.into_iter().chain(0..graph.nodes.len());
    for root in roots {
        let mut queue = VecDeque::new();
        if !std::mem::replace(&mut seen[root], true) {
            queue.push_back(Met {
                node: root,
                parent: None,
                layer: 0,
                label: 0.0,
            });
        }
        while let Some(it) = queue.pop_front() {
            for edge in &successors[it.node] {
                if !std::mem::replace(&mut seen[edge.to], true) {
                    queue.push_back(Met {
                        node: edge.to,
                        parent: Some(it.node),
                        layer: it.layer + 1,
                        label: text_width(&edge.label),
                    });
                }
            }
            order.push(it);
        }
    }
    order
}

/// Gives every box its place below `top`.
fn place(graph: &Graph, top: f64, boxes: &mut [Rectangle]) {
    let order = met(graph);
    // The strip of a node is as wide as the node or all the strips below it. Children
    // come after their parents in the order, so that backwards they are finished first.
    let mut strip: Vec<f64> = boxes.iter().map(|it| it.width + GAP).collect();
    let mut below = vec![0.0f64; boxes.len()];
    for edge in graph.edges.iter().filter(|edge| edge.from == edge.to) {
        let own = boxes[edge.from].width + GAP + 2.0 * (LANE + text_width(&edge.label));
        strip[edge.from] = strip[edge.from].max(own);
    }
    for it in order.iter().rev() {
        strip[it.node] = strip[it.node].max(below[it.node]).max(it.label + GAP);
        if let Some(parent) = it.parent {
            below[parent] += strip[it.node];
        }
    }
    let layers = order.iter().map(|it| it.layer + 1).max().unwrap_or(0);
    let mut heights = vec![0.0f64; layers];
    for it in &order {
        heights[it.layer] = heights[it.layer].max(boxes[it.node].height);
    }
    let mut y = top + LINE;
    let tops: Vec<f64> = heights
        .iter()
        .map(|height| {
            let here = y;
            y += height + LAYER_GAP;
            here
        })
        .collect();
    // Where the strip of the next child of each node begins.
    let mut next = vec![0.0f64; boxes.len()];
    let mut left = 0.0;
    for it in &order {
        let start = match it.parent {
            Some(parent) => &mut next[parent],
            None => &mut left,
        };
        let begin = *start;
        *start += strip[it.node];
        boxes[it.node].x = begin + strip[it.node] / 2.0;
        boxes[it.node].y = tops[it.layer];
        next[it.node] = begin + (strip[it.node] - below[it.node]) / 2.0;
    }
}

/// Leads every arrow from its box to the other.
fn route(graph: &Graph, boxes: &[Rectangle]) -> Vec<Arrow> {
    // The next layer below each one, to tell which arrows have nothing in between.
    let mut tops: Vec<f64> = boxes.iter().map(|it| it.y).collect();
    tops.sort_by(f64::total_cmp);
    tops.dedup();
    let below = |y: f64| tops.get(tops.partition_point(|top| *top <= y)).copied();
    let mut lanes: HashMap<(usize, usize), usize> = HashMap::new();
    let mut around: HashMap<usize, usize> = HashMap::new();
    let arrows = graph.edges.iter().map(|edge| {
        let (one, other) = (&boxes[edge.from], &boxes[edge.to]);
        let lane = lanes.entry((edge.from, edge.to)).or_default();
        let nth = *lane;
        *lane += 1;
        if edge.from == edge.to {
            return itself(one, nth);
        }
        if below(one.y) == Some(other.y) {
            // The first is straight, the next to its right, then to its left, …
            let side = if nth % 2 == 1 { 1.0 } else { -1.0 };
            let bend = side * LANE * nth.div_ceil(2) as f64;
            return straight((one.x, one.y + one.height), (other.x, other.y), bend);
        }
        let nth = around.entry(edge.from).or_default();
        *nth += 1;
        aside(one, other, LANE * *nth as f64)
    });
    arrows.collect()
}

fn straight(start: (f64, f64), end: (f64, f64), bend: f64) -> Arrow {
    let third = |from: f64, to: f64, part: f64| from + (to - from) * part;
    let control = |part: f64| {
        (
            third(start.0, end.0, part) + 4.0 / 3.0 * bend,
            third(start.1, end.1, part),
        )
    };
    let middle = third(start.0, end.0, 0.5) + bend + 3.0;
    Arrow {
        curve: [start, control(1.0 / 3.0), control(2.0 / 3.0), end],
        label: (middle, third(start.1, end.1, 0.5) + 4.0),
    }
}

/// A loop at the right side of a box.
fn itself(it: &Rectangle, nth: usize) -> Arrow {
    let right = it.x + it.width / 2.0;
    let far = right + LANE * (nth as f64 + 1.0) * 4.0 / 3.0;
    let (up, down) = (it.y + 4.0, it.y + it.height - 4.0);
    Arrow {
        curve: [
            (right, up),
            (far, up - 8.0),
            (far, down + 8.0),
            (right, down),
        ],
        label: (
            right + LANE * (nth as f64 + 1.0) + 2.0,
            (up + down) / 2.0 + 4.0 + 12.0 * nth as f64,
        ),
    }
}

/// Up, across or over several layers: around the side on which the target is, the
/// further out the longer the way.
fn aside(one: &Rectangle, other: &Rectangle, distance: f64) -> Arrow {
    let side = if other.x < one.x { -1.0 } else { 1.0 };
    let port = |it: &Rectangle| (it.x + side * it.width / 2.0, it.y + it.height / 2.0);
    let (start, end) = (port(one), port(other));
    let outer = match side < 0.0 {
        true => start.0.min(end.0),
        false => start.0.max(end.0),
    };
    let far = outer + side * (distance + 0.15 * (start.1 - end.1).abs());
    let middle = (start.0 + end.0 + 6.0 * far) / 8.0;
    Arrow {
        curve: [start, (far, start.1), (far, end.1), end],
        label: (middle + 3.0, (start.1 + end.1) / 2.0 + 4.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_apart(graph: &Graph) {
        let drawing = Drawing::new(graph);
        for (number, one) in drawing.boxes.iter().enumerate() {
            assert!(one.x - one.width / 2.0 >= 0.0 && one.x + one.width / 2.0 <= drawing.width);
            assert!(one.y + one.height <= drawing.height);
            for other in &drawing.boxes[..number] {
                let beside = (one.x - other.x).abs() >= (one.width + other.width) / 2.0;
                let above = one.y >= other.y + other.height || other.y >= one.y + one.height;
                assert!(beside || above, "box {number}");
            }
        }
        for arrow in &drawing.arrows {
            let (low, high) = arrow.span();
            assert!(low >= 0.0 && high <= drawing.width);
        }
    }

    #[test]
    fn no_two_boxes_overlap_and_nothing_leaves_the_picture() {
        let tree = Graph {
            nodes: vec![Node::new("a node\nwith lines"); 31],
            edges: (1..31)
                .map(|to| Edge::new((to - 1) / 2, to, "child"))
                .collect(),
            ..Graph::default()
        };
        check_apart(&tree);
        let mut tangled = tree.clone();
        for from in 0..31 {
            let to = (from * 7 + 3) % 31;
            tangled.edges.push(Edge::new(from, to, "elsewhere"));
            tangled.edges.push(Edge::new(from, from, "itself"));
            tangled.edges.push(Edge::new(from, 0, "back to the root"));
        }
        tangled.initial = Some(5);
        check_apart(&tangled);
    }

    #[test]
    fn dashed_arrows_do_not_move_boxes() {
        let plain = Graph {
            nodes: vec![Node::new("a"), Node::new("b"), Node::new("c")],
            edges: vec![Edge::new(0, 1, ""), Edge::new(1, 2, "")],
            ..Graph::default()
        };
        let mut noted = plain.clone();
        noted.edges.push(Edge {
            dashed: true,
            ..Edge::new(0, 2, "covers")
        });
        let heights = |graph| Drawing::new(graph).boxes.iter().map(|it| it.y).collect();
        let (one, other): (Vec<f64>, Vec<f64>) = (heights(&plain), heights(&noted));
        assert_eq!(one, other);
    }
}
