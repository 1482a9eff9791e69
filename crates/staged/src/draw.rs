//! Object graphs as pictures in SVG, which needs no other program.
//!
//! Objects stand in layers by their distance from the root, each below the one it
//! was first met from; pointers that lead elsewhere are bent around them.

use crate::graph::{Field, Object, ObjectGraph};
use std::collections::VecDeque;
use std::fmt::Write;

/// A graph and what stands above it.
#[derive(Clone, Copy, Debug)]
pub struct Panel<'a> {
    /// A few lines of text.
    pub title: &'a str,
    /// The objects.
    pub graph: &'a ObjectGraph,
}

/// Graphs beside and below each other.
pub fn svg(panels: &[Panel<'_>]) -> String {
    let mut body = String::new();
    let (mut x, mut y, mut row, mut width) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
    for panel in panels {
        let drawing = Drawing::new(panel);
        if x > 0.0 && x + drawing.width > PAGE {
            (x, y, row) = (0.0, y + row, 0.0);
        }
        let _ = writeln!(body, "<g transform=\"translate({x:.0},{y:.0})\">");
        drawing.write(panel, &mut body);
        body.push_str("</g>\n");
        x += drawing.width;
        row = row.max(drawing.height);
        width = width.max(x);
    }
    let height = y + row;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto\"><path d=\"M0,0L10,5L0,10z\" fill=\"{EDGE}\"/>\
         </marker></defs>\n{body}</svg>\n"
    )
}

/// How wide a picture gets before the next graph goes below.
const PAGE: f64 = 1200.0;
const MARGIN: f64 = 20.0;
const LINE: f64 = 15.0;
/// Between two layers, and between two objects of a layer.
const LAYER_GAP: f64 = 45.0;
const GAP: f64 = 24.0;
const EDGE: &str = "#57606a";

/// A graph, laid out.
struct Drawing {
    boxes: Vec<Place>,
    width: f64,
    height: f64,
}

/// Where an object is, and what is written in it.
#[derive(Clone)]
struct Place {
    lines: Vec<String>,
    /// The middle of its upper edge.
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Drawing {
    fn new(panel: &Panel<'_>) -> Drawing {
        let objects = &panel.graph.objects;
        let mut boxes: Vec<Place> = objects.iter().enumerate().map(place).collect();
        let order = met_from(objects);
        // Below an object are those first met from it; the last met are the lowest.
        let mut breadth: Vec<f64> = boxes.iter().map(|it| it.width + GAP).collect();
        let mut below = vec![0.0f64; boxes.len()];
        for &(number, parent, _) in order.iter().rev() {
            breadth[number] = breadth[number].max(below[number]);
            if let Some(parent) = parent {
                below[parent] += breadth[number];
            }
        }
        let layers = order
            .iter()
            .map(|&(_, _, layer)| layer + 1)
            .max()
            .unwrap_or(0);
        let mut heights = vec![0.0f64; layers];
        for &(number, _, layer) in &order {
            heights[layer] = heights[layer].max(boxes[number].height);
        }
        let title = LINE * panel.title.lines().count() as f64 + MARGIN;
        let tops: Vec<f64> = heights
            .iter()
            .scan(title + LINE, |top, height| {
                let here = *top;
                *top += height + LAYER_GAP;
                Some(here)
            })
            .collect();
        let mut left = MARGIN;
        // Where the next object below each one goes.
        let mut next = vec![0.0f64; boxes.len()];
        for &(number, parent, layer) in &order {
            let start = match parent {
                Some(parent) => {
                    let start = next[parent];
                    next[parent] += breadth[number];
                    start
                }
                None => {
                    let start = left;
                    left += breadth[number];
                    start
                }
            };
            boxes[number].x = start + breadth[number] / 2.0;
            boxes[number].y = tops[layer];
            next[number] = start + (breadth[number] - below[number]) / 2.0;
        }
        let longest = panel
            .title
            .lines()
            .map(|line| text_width(line) + 2.0 * MARGIN);
        let bottom = tops.last().zip(heights.last());
        Drawing {
            width: longest.fold(left + MARGIN, f64::max) + MARGIN,
            height: bottom.map_or(title, |(top, height)| top + height) + 2.0 * MARGIN,
            boxes,
        }
    }

    fn write(&self, panel: &Panel<'_>, body: &mut String) {
        let mut y = MARGIN;
        for line in panel.title.lines() {
            let line = escaped(line);
            let _ = writeln!(
                body,
                "<text x=\"{MARGIN}\" y=\"{y:.0}\" font-weight=\"bold\">{line}</text>"
            );
            y += LINE;
        }
        for (number, object) in panel.graph.objects.iter().enumerate() {
            let pointers = object
                .fields
                .iter()
                .filter_map(|(name, field)| match field {
                    Field::To(to) => Some((name, *to)),
                    _ => None,
                });
            for (nth, (name, to)) in pointers.enumerate() {
                self.write_pointer(number, to, nth, name, body);
            }
        }
        for it in &self.boxes {
            let _ = writeln!(
                body,
                "<rect x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{:.0}\" rx=\"4\" \
                 fill=\"#f6f8fa\" stroke=\"#24292f\"/>",
                it.x - it.width / 2.0,
                it.y,
                it.width,
                it.height
            );
            for (number, line) in it.lines.iter().enumerate() {
                let y = it.y + LINE * (number as f64 + 1.0);
                let line = escaped(line);
                let _ = writeln!(
                    body,
                    "<text x=\"{:.0}\" y=\"{y:.0}\" text-anchor=\"middle\">{line}</text>",
                    it.x
                );
            }
        }
    }

    fn write_pointer(&self, from: usize, to: usize, nth: usize, name: &str, body: &mut String) {
        let (one, other) = (&self.boxes[from], &self.boxes[to]);
        let aside = 18.0 * (nth as f64 + 1.0);
        let (path, x, y) = if from == to {
            let right = one.x + one.width / 2.0;
            let (up, down, far) = (one.y + 4.0, one.y + one.height - 4.0, right + aside + 12.0);
            let path = format!(
                "M{right:.0},{up:.0}C{far:.0},{up:.0} {far:.0},{down:.0} {right:.0},{down:.0}"
            );
            (path, far - 6.0, (up + down) / 2.0)
        } else if other.y > one.y {
            let (bottom, top) = (one.y + one.height, other.y);
            let path = format!("M{:.0},{bottom:.0}L{:.0},{top:.0}", one.x, other.x);
            (path, (one.x + other.x) / 2.0 + 3.0, (bottom + top) / 2.0)
        } else {
            // Up or across: around the side on which the target is.
            let side = if other.x < one.x { -1.0 } else { 1.0 };
            let start = (one.x + side * one.width / 2.0, one.y + one.height / 2.0);
            let end = (
                other.x + side * other.width / 2.0,
                other.y + other.height / 2.0,
            );
            let far = match side < 0.0 {
                true => start.0.min(end.0) - aside,
                false => start.0.max(end.0) + aside,
            };
            let path = format!(
                "M{:.0},{:.0}C{far:.0},{:.0} {far:.0},{:.0} {:.0},{:.0}",
                start.0, start.1, start.1, end.1, end.0, end.1
            );
            (path, far, (start.1 + end.1) / 2.0)
        };
        let name = escaped(name);
        let _ = writeln!(
            body,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{EDGE}\" marker-end=\"url(#arrow)\"/>\
             <text x=\"{x:.0}\" y=\"{y:.0}\" fill=\"{EDGE}\" font-size=\"11\" paint-order=\"stroke\" \
             stroke=\"white\" stroke-width=\"3\">{name}</text>"
        );
    }
}

fn place((number, object): (usize, &Object)) -> Place {
    let mut lines = vec![format!("@{number} {}", object.type_name)];
    lines.extend(
        object
            .fields
            .iter()
            .filter_map(|(name, field)| match field {
                Field::To(_) | Field::Null => None,
                Field::Number(_) | Field::Float(_) | Field::Elsewhere | Field::Untouched => {
                    Some(format!("{name} = {}", field.text()))
                }
            }),
    );
    let longest = lines.iter().map(|line| text_width(line));
    Place {
        width: longest.fold(0.0, f64::max) + 16.0,
        height: LINE * lines.len() as f64 + 8.0,
        lines,
        x: 0.0,
        y: 0.0,
    }
}

/// Each object, the one it was first met from, and its layer, in the order in which
/// they are met; what the root does not lead to is a root too.
fn met_from(objects: &[Object]) -> Vec<(usize, Option<usize>, usize)> {
    let mut seen = vec![false; objects.len()];
    let mut order = Vec::new();
    for root in 0..objects.len() {
        let mut waiting = VecDeque::new();
        if !std::mem::replace(&mut seen[root], true) {
            waiting.push_back((root, None, 0));
        }
        while let Some((number, parent, layer)) = waiting.pop_front() {
            order.push((number, parent, layer));
            for (_, field) in &objects[number].fields {
                if let Field::To(to) = *field
                    && !std::mem::replace(&mut seen[to], true)
                {
                    waiting.push_back((to, Some(number), layer + 1));
                }
            }
        }
    }
    order
}

/// About how wide a text is.
fn text_width(text: &str) -> f64 {
    7.0 * text.chars().count() as f64
}

/// The text as it may stand in XML.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(next: Field) -> Object {
        Object {
            type_name: "Node<int>".to_owned(),
            fields: vec![
                ("data".to_owned(), Field::Number(7)),
                ("next".to_owned(), next),
            ],
        }
    }

    fn count(text: &str, part: &str) -> usize {
        text.matches(part).count()
    }

    #[test]
    fn every_object_is_a_box_and_every_pointer_an_arrow() {
        let ring = ObjectGraph {
            objects: vec![node(Field::To(1)), node(Field::To(2)), node(Field::To(0))],
        };
        let own = ObjectGraph {
            objects: vec![node(Field::To(0)), node(Field::Null)],
        };
        let picture = svg(&[
            Panel {
                title: "a ring\nof three",
                graph: &ring,
            },
            Panel {
                title: "itself & another",
                graph: &own,
            },
        ]);
        assert_eq!(count(&picture, "<rect "), 5);
        assert_eq!(count(&picture, "marker-end"), 4);
        assert_eq!(count(&picture, "Node&lt;int&gt;"), 5);
        assert_eq!(count(&picture, ">data = 7<"), 5);
        assert_eq!(count(&picture, "itself &amp; another"), 1);
    }

    #[test]
    fn no_two_boxes_overlap() {
        let mut objects = vec![node(Field::Null); 31];
        for (number, object) in objects.iter_mut().enumerate().take(15) {
            let child = |which| ("child".to_owned(), Field::To(2 * number + which));
            object.fields = vec![child(1), child(2)];
        }
        let graph = ObjectGraph { objects };
        let drawing = Drawing::new(&Panel {
            title: "",
            graph: &graph,
        });
        for (number, one) in drawing.boxes.iter().enumerate() {
            assert!(one.x - one.width / 2.0 >= 0.0 && one.x + one.width / 2.0 <= drawing.width);
            assert!(one.y + one.height <= drawing.height);
            for other in &drawing.boxes[..number] {
                let apart = (one.x - other.x).abs() >= (one.width + other.width) / 2.0;
                let above = one.y >= other.y + other.height || other.y >= one.y + one.height;
                assert!(apart || above, "box {number}");
            }
        }
    }

    #[test]
    fn a_long_list_is_drawn_without_deep_recursion() {
        let count = 20_000;
        let next = |n: usize| {
            if n + 1 < count {
                Field::To(n + 1)
            } else {
                Field::Null
            }
        };
        let graph = ObjectGraph {
            objects: (0..count).map(|n| node(next(n))).collect(),
        };
        assert!(
            svg(&[Panel {
                title: "",
                graph: &graph
            }])
            .ends_with("</svg>\n")
        );
    }
}
