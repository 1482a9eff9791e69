//! Asynchronous channels: `channel c(Int) queue 3`.
//!
//! A queue is one more automaton, between those that send and those that receive. It takes a
//! message whenever there is room, and hands on the first one; a lossy one may also take a
//! message and forget it. The side that the environment is on keeps the channel's name.

use super::{Checker, LEAVES, expression};
use crate::model::{
    Action, Assignment, Automaton, Channel, Expr, ExprKind, Operator, Place, Step, Transition,
    Variable,
};
use crate::syntax::Span;
use crate::syntax::ast;
use crate::types::Type;
use term::Value;

/// A channel that messages wait in.
pub(super) struct Queue {
    channel: usize,
    capacity: usize,
    is_lossy: bool,
    span: Span,
}

impl Checker<'_> {
    /// Notes that a channel is a queue, if it is one.
    pub(super) fn queue(&mut self, written: &ast::Channel) {
        let Some(capacity) = &written.queue else {
            return;
        };
        let (channel, span) = (self.model.channels.len() - 1, written.name.span);
        if let Some(capacity) = self.natural(capacity, "messages", LEAVES) {
            self.queues.push(Queue {
                channel,
                capacity,
                is_lossy: written.is_lossy,
                span,
            });
        }
    }

    /// Puts the automata of the queues between senders and receivers.
    pub(super) fn insert_queues(&mut self) {
        for queue in std::mem::take(&mut self.queues) {
            // One that nobody uses would lead from the environment to the environment.
            let uses = |it: &Transition| match it.action {
                Action::Internal => false,
                Action::Input { channel, .. } | Action::Output { channel, .. } => {
                    channel == queue.channel
                }
            };
            if self.model.transitions.iter().any(uses) {
                self.insert_queue(&queue);
            }
        }
    }

    fn insert_queue(&mut self, queue: &Queue) {
        let outer = queue.channel;
        let inner = self.model.channels.len();
        let channel = self.model.channels[outer].clone();
        let receives = |it: &Transition| matches!(it.action, Action::Input { channel, .. } if channel == outer);
        let is_received = self.model.transitions.iter().any(receives);
        for transition in &mut self.model.transitions {
            match &mut transition.action {
                Action::Input { channel, .. } if is_received && *channel == outer => {
                    *channel = inner;
                }
                Action::Output { channel, .. } if !is_received && *channel == outer => {
                    *channel = inner;
                }
                Action::Internal | Action::Input { .. } | Action::Output { .. } => {}
            }
        }
        let (from, to, side) = match is_received {
            true => (outer, inner, "out"),
            false => (inner, outer, "in"),
        };
        self.model.channels.push(Channel {
            name: format!("{}.{side}", channel.name),
            ..channel.clone()
        });
        let automaton = self.model.automata.len();
        self.model.automata.push(Automaton {
            name: channel.name.clone(),
            states: vec!["queue".to_owned()],
            initial: 0,
            limits: vec![None],
        });
        let Some(parts) = self.queue_variables(queue, automaton, &channel.payload) else {
            return;
        };
        let line = queue.span.location(self.text).line;
        let add =
            |name: &str, guard: Expr, action: Action, assignments: Vec<Assignment>| Transition {
                name: format!("{}.{name}", channel.name),
                automaton,
                from: 0,
                to: 0,
                guard,
                action,
                assignments,
                requirements: Vec::new(),
                line,
                text: format!("{name} a message of the queue {}", channel.name),
            };
        let received = |targets: Vec<Place>| Action::Input {
            channel: from,
            targets,
            condition: expression::truth(),
        };
        let count = variable(&parts.count);
        let has_room = compare(Operator::Less, count.clone(), queue.capacity);
        let slots = parts.slots.iter();
        let next = slots.map(|slot| element_place(slot, count.clone()));
        let put = add(
            "put",
            has_room,
            received(next.collect()),
            vec![assignment(&parts.count, sum(count.clone(), 1))],
        );
        let first = parts.slots.iter().map(|slot| element(slot, 0)).collect();
        let mut after: Vec<Assignment> = parts.slots.iter().map(shifted).collect();
        after.push(assignment(&parts.count, sum(count.clone(), -1)));
        let sent = Action::Output {
            channel: to,
            values: first,
        };
        let take = add("take", compare(Operator::Greater, count, 0), sent, after);
        self.model.transitions.extend([put, take]);
        if queue.is_lossy {
            // What was lost is no part of the state.
            let forget = |place: &Place| assignment(place, expression::default_of(&place.ty));
            let forgotten = parts.lost.iter().map(forget).collect();
            let lose = add("lose", expression::truth(), received(parts.lost), forgotten);
            self.model.transitions.push(lose);
        }
    }

    /// The variables of a queue's automaton.
    fn queue_variables(
        &mut self,
        queue: &Queue,
        automaton: usize,
        payload: &[Type],
    ) -> Option<QueueParts> {
        let count = self.queue_variable(queue, automaton, "count", Type::Int)?;
        let (mut slots, mut lost) = (Vec::new(), Vec::new());
        for (number, ty) in payload.iter().enumerate() {
            let array = Type::Array(Box::new(ty.clone()), queue.capacity);
            slots.push(self.queue_variable(queue, automaton, &format!("slot{number}"), array)?);
            if queue.is_lossy {
                let name = format!("lost{number}");
                lost.push(self.queue_variable(queue, automaton, &name, ty.clone())?);
            }
        }
        Some(QueueParts { count, slots, lost })
    }

    fn queue_variable(
        &mut self,
        queue: &Queue,
        automaton: usize,
        name: &str,
        ty: Type,
    ) -> Option<Place> {
        let offset = self.model.leaf_count();
        if offset + ty.size() > LEAVES {
            self.fail(
                queue.span,
                format!("more than {LEAVES} values are too many"),
            );
            return None;
        }
        let name = format!("{}.{name}", self.model.channels[queue.channel].name);
        self.model.variables.push(Variable {
            name,
            automaton: Some(automaton),
            ty: ty.clone(),
            offset,
            initial: Some(ty.default_values()),
            is_clock: false,
        });
        Some(Place {
            offset,
            variable: ty.clone(),
            steps: Vec::new(),
            ty,
        })
    }
}

/// The variables of a queue: how many messages wait, the values of each, and what is lost.
struct QueueParts {
    count: Place,
    slots: Vec<Place>,
    lost: Vec<Place>,
}

fn variable(place: &Place) -> Expr {
    Expr {
        kind: ExprKind::Variable(place.offset),
        ty: place.ty.clone(),
    }
}

fn integer(value: i64) -> Expr {
    Expr {
        kind: ExprKind::Value(vec![Value::Int(value.into())]),
        ty: Type::Int,
    }
}

fn compare(operator: Operator, count: Expr, with: usize) -> Expr {
    let with = Expr {
        kind: ExprKind::Value(vec![Value::Int(with.into())]),
        ty: Type::Int,
    };
    Expr {
        kind: ExprKind::Binary(operator, Box::new(count), Box::new(with)),
        ty: Type::Bool,
    }
}

fn sum(count: Expr, by: i64) -> Expr {
    Expr {
        kind: ExprKind::Binary(Operator::Add, Box::new(count), Box::new(integer(by))),
        ty: Type::Int,
    }
}

fn element_type(array: &Place) -> (Type, usize) {
    match &array.ty {
        Type::Array(element, length) => ((**element).clone(), *length),
        _ => unreachable!("the slots of a queue are an array"),
    }
}

fn element_place(array: &Place, index: Expr) -> Place {
    Place {
        offset: array.offset,
        variable: array.ty.clone(),
        steps: vec![Step::Index(index)],
        ty: element_type(array).0,
    }
}

fn element(array: &Place, index: i64) -> Expr {
    Expr {
        kind: ExprKind::Index(Box::new(variable(array)), Box::new(integer(index))),
        ty: element_type(array).0,
    }
}

/// Every message moves up by one, and the last place is as empty as it was at first.
fn shifted(array: &Place) -> Assignment {
    let (ty, length) = element_type(array);
    let mut parts: Vec<Expr> = (1..length as i64)
        .map(|index| element(array, index))
        .collect();
    parts.push(expression::default_of(&ty));
    let value = Expr {
        kind: ExprKind::Gather(parts),
        ty: array.ty.clone(),
    };
    assignment(array, value)
}

fn assignment(place: &Place, value: Expr) -> Assignment {
    Assignment {
        place: place.clone(),
        value,
        is_joined: false,
    }
}
