//! Object graphs as `draw` takes them: a box for each object with its numbers, an
//! arrow for each pointer.

use crate::graph::{Field, Object, ObjectGraph};
use draw::{Edge, Graph, Node};

impl ObjectGraph {
    /// The graph under this title. Null pointers are left out, as on a blackboard.
    pub fn drawn(&self, title: &str) -> Graph {
        let nodes = self.objects.iter().enumerate();
        let edges = self.objects.iter().enumerate().flat_map(|(from, object)| {
            let fields = object.fields.iter();
            fields.filter_map(move |(name, field)| match field {
                Field::To(to) => Some(Edge::new(from, *to, name)),
                Field::Inside(to, offset) => {
                    Some(Edge::new(from, *to, &format!("{name} +{offset}")))
                }
                _ => None,
            })
        });
        Graph {
            title: title.to_owned(),
            nodes: nodes.map(|(number, object)| node(number, object)).collect(),
            edges: edges.collect(),
            initial: None,
        }
    }
}

fn node(number: usize, object: &Object) -> Node {
    let mut lines = vec![format!("@{number} {}", object.type_name)];
    for (name, field) in &object.fields {
        match field {
            Field::To(_) | Field::Inside(..) | Field::Null => {}
            Field::Number(_)
            | Field::Float(_)
            | Field::Function(_)
            | Field::Elsewhere
            | Field::Untouched
            | Field::OneOf(_) => {
                lines.push(format!("{name} = {}", field.text()));
            }
        }
    }
    Node { lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_a_box_with_its_numbers_and_a_pointer_an_arrow() {
        let object = |data, next| Object {
            type_name: "Node".to_owned(),
            fields: vec![
                ("data".to_owned(), data),
                ("next".to_owned(), next),
                ("back".to_owned(), Field::Null),
            ],
        };
        let graph = ObjectGraph {
            objects: vec![
                object(Field::Number(7), Field::To(1)),
                object(Field::Untouched, Field::Elsewhere),
            ],
            ..ObjectGraph::default()
        };
        let expected = Graph {
            title: "line 1".to_owned(),
            nodes: vec![
                Node::new("@0 Node\ndata = 7"),
                Node::new("@1 Node\ndata = ?\nnext = elsewhere"),
            ],
            edges: vec![Edge::new(0, 1, "next")],
            initial: None,
        };
        assert_eq!(graph.drawn("line 1"), expected);
    }
}
