//! Automata as pictures: DOT for other tools, SVG for people.
//!
//! The SVG puts states into layers by their distance from the initial one and
//! bends the transitions around each other. It needs no other program.

use crate::model::{Automaton, Model, Transition};
use std::fmt::Write;

/// The automata in DOT; transitions of which `is_taken` holds are green.
pub fn dot(model: &Model, is_taken: &dyn Fn(usize) -> bool) -> String {
    let mut text =
        String::from("digraph model {\n  rankdir=TB; node [shape=box, style=rounded];\n");
    for (number, automaton) in model.automata.iter().enumerate() {
        let _ = writeln!(
            text,
            "  subgraph cluster_{number} {{ label={};",
            quoted(&automaton.name)
        );
        let _ = writeln!(text, "    a{number}_start [shape=point];");
        for (state, name) in automaton.states.iter().enumerate() {
            let _ = writeln!(text, "    a{number}_s{state} [label={}];", quoted(name));
        }
        let _ = writeln!(
            text,
            "    a{number}_start -> a{number}_s{};",
            automaton.initial
        );
        text.push_str("  }\n");
    }
    for (number, transition) in model.transitions.iter().enumerate() {
        let Transition {
            automaton,
            from,
            to,
            name,
            ..
        } = transition;
        let colour = if is_taken(number) {
            ", color=\"#1a7f37\""
        } else {
            ""
        };
        let tooltip = quoted(&transition.text);
        let _ = writeln!(
            text,
            "  a{automaton}_s{from} -> a{automaton}_s{to} [label={}, tooltip={tooltip}{colour}];",
            quoted(name)
        );
    }
    text.push_str("}\n");
    text
}

pub(crate) fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    )
}

/// How a transition is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// As ever.
    Plain,
    /// It was taken.
    Taken,
    /// It was not taken.
    Missed,
}

/// The automata as SVG.
pub fn svg(model: &Model, mark: &dyn Fn(usize) -> Mark) -> String {
    let mut body = String::new();
    let (mut width, mut height) = (0.0f64, 0.0);
    for number in 0..model.automata.len() {
        let drawing = Drawing::new(model, number);
        let _ = writeln!(body, "<g transform=\"translate(0,{height:.0})\">");
        drawing.write(model, number, mark, &mut body);
        body.push_str("</g>\n");
        width = width.max(drawing.width);
        height += drawing.height + 30.0;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <defs>{}{}{}</defs>\n{body}</svg>\n",
        arrow(Mark::Plain),
        arrow(Mark::Taken),
        arrow(Mark::Missed)
    )
}

fn colour(mark: Mark) -> &'static str {
    match mark {
        Mark::Plain => "#57606a",
        Mark::Taken => "#1a7f37",
        Mark::Missed => "#cf222e",
    }
}

fn arrow(mark: Mark) -> String {
    format!(
        "<marker id=\"{mark:?}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto-start-reverse\"><path d=\"M0,0L10,5L0,10z\" \
         fill=\"{}\"/></marker>",
        colour(mark)
    )
}

/// The text as it may stand in XML and HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// One automaton, laid out.
struct Drawing {
    /// By state: the middle and half the width of its box.
    places: Vec<(f64, f64, f64)>,
    width: f64,
    height: f64,
}

const LAYER: f64 = 110.0;
const HALF: f64 = 15.0;

impl Drawing {
    fn new(model: &Model, number: usize) -> Drawing {
        let automaton = &model.automata[number];
        let layers = layers(model, number, automaton);
        let half = |state: usize| 4.0 * automaton.states[state].chars().count() as f64 + 14.0;
        let rows: Vec<f64> = layers
            .iter()
            .map(|layer| layer.iter().map(|&state| 2.0 * half(state) + 90.0).sum())
            .collect();
        let width = rows.iter().copied().fold(0.0, f64::max) + 160.0;
        let mut places = vec![(0.0, 0.0, 0.0); automaton.states.len()];
        for (depth, layer) in layers.iter().enumerate() {
            let mut x = (width - rows[depth]) / 2.0;
            for &state in layer {
                let half = half(state);
                places[state] = (x + half + 45.0, 60.0 + LAYER * depth as f64, half);
                x += 2.0 * half + 90.0;
            }
        }
        Drawing {
            places,
            width,
            height: LAYER * layers.len() as f64 + 20.0,
        }
    }

    fn write(&self, model: &Model, number: usize, mark: &dyn Fn(usize) -> Mark, body: &mut String) {
        let automaton = &model.automata[number];
        let _ = writeln!(
            body,
            "<text x=\"10\" y=\"20\" font-weight=\"bold\">{}</text>",
            escaped(&automaton.name)
        );
        let (x, y, _) = self.places[automaton.initial];
        let _ = writeln!(
            body,
            "<path d=\"M{x:.0},{:.0}L{x:.0},{:.0}\" stroke=\"#57606a\" marker-end=\"url(#Plain)\"/>",
            y - 40.0,
            y - HALF
        );
        let mut between: Vec<((usize, usize), usize)> = Vec::new();
        for (index, transition) in model.transitions.iter().enumerate() {
            if transition.automaton != number {
                continue;
            }
            let pair = (
                transition.from.min(transition.to),
                transition.from.max(transition.to),
            );
            let count = between.iter().filter(|(known, _)| *known == pair).count();
            between.push((pair, index));
            self.edge(transition, count, mark(index), body);
        }
        for (state, name) in automaton.states.iter().enumerate() {
            let (x, y, half) = self.places[state];
            let _ = writeln!(
                body,
                "<rect x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{:.0}\" rx=\"9\" \
                 fill=\"#f6f8fa\" stroke=\"#24292f\"/><text x=\"{x:.0}\" y=\"{:.0}\" \
                 text-anchor=\"middle\">{}</text>",
                x - half,
                y - HALF,
                2.0 * half,
                2.0 * HALF,
                y + 4.0,
                escaped(name)
            );
        }
    }

    /// A transition, bent the more the more there are between the same states.
    fn edge(&self, transition: &Transition, count: usize, mark: Mark, body: &mut String) {
        let (x1, y1, half) = self.places[transition.from];
        let (x2, y2, _) = self.places[transition.to];
        let colour = colour(mark);
        let (path, lx, ly) = if transition.from == transition.to {
            let far = x1 + half + 40.0 + 24.0 * count as f64;
            let (right, up, down) = (x1 + half, y1 - 8.0, y1 + 8.0);
            let path = format!(
                "M{right:.0},{up:.0}C{far:.0},{:.0} {far:.0},{:.0} {right:.0},{down:.0}",
                up - 20.0,
                down + 20.0
            );
            (path, far - 8.0, y1 + 4.0 + 12.0 * count as f64)
        } else {
            let (dx, dy) = (x2 - x1, y2 - y1);
            let length = dx.hypot(dy).max(1.0);
            let back = y2 <= y1;
            let side = if count.is_multiple_of(2) { 1.0 } else { -1.0 };
            // The way back leads around what lies between.
            let aside = if back {
                (0.5 * dy.abs()).max(60.0)
            } else {
                8.0
            };
            let bend = side * (count as f64 * 22.0 + aside);
            let (mx, my) = (
                (x1 + x2) / 2.0 + bend * -dy / length,
                (y1 + y2) / 2.0 + bend * dx / length,
            );
            let start = if back { y1 - HALF } else { y1 + HALF };
            let end = if back { y2 + HALF } else { y2 - HALF };
            let (start, end) = if (y1 - y2).abs() < 1.0 {
                (y1 - HALF, y2 - HALF)
            } else {
                (start, end)
            };
            let path = format!("M{x1:.0},{start:.0}Q{mx:.0},{my:.0} {x2:.0},{end:.0}");
            (
                (path),
                (mx + (x1 + x2) / 2.0) / 2.0,
                (my + (y1 + y2) / 2.0) / 2.0,
            )
        };
        let _ = writeln!(
            body,
            "<g><title>{}</title><path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" \
             stroke-width=\"1.5\" marker-end=\"url(#{mark:?})\"/><text x=\"{lx:.0}\" y=\"{ly:.0}\" \
             fill=\"{colour}\" paint-order=\"stroke\" stroke=\"white\" stroke-width=\"3\">{}</text></g>",
            escaped(&transition.text),
            escaped(&transition.name)
        );
    }
}

/// States by their distance from the initial one; what cannot be reached last.
fn layers(model: &Model, number: usize, automaton: &Automaton) -> Vec<Vec<usize>> {
    let mut layers: Vec<Vec<usize>> = vec![vec![automaton.initial]];
    let mut seen = vec![false; automaton.states.len()];
    seen[automaton.initial] = true;
    loop {
        let mut next = Vec::new();
        for &state in layers.last().expect("there is the first") {
            for transition in &model.transitions {
                let here = transition.automaton == number && transition.from == state;
                if here && !std::mem::replace(&mut seen[transition.to], true) {
                    next.push(transition.to);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layers.push(next);
    }
    let rest: Vec<usize> = (0..seen.len()).filter(|&state| !seen[state]).collect();
    if !rest.is_empty() {
        layers.push(rest);
    }
    layers
}
