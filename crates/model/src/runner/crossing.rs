//! Messages that cross on their way.
//!
//! The tester knows when it sent an input and when it saw an output, not when the system did. An
//! output may have been under way while inputs were sent, so that for the system it came before
//! them. What was exchanged since the system was last silent may therefore have happened
//! in another order: inputs among themselves and outputs among themselves as they were, and an
//! output earlier than the tester saw it, but not before one that an input was sent after. The
//! system fails only if the model allows none of these orders. Where one of them has an input that
//! the model does not have by then, the system may do anything afterwards, so nothing is known.

use crate::execution::Executor;
use crate::observer::{Allowed, Observer};
use crate::undecided::Undecided;
use std::collections::VecDeque;
use term::Value;

/// Messages that are remembered. An output is never seen later than after so many others.
const REMEMBERED: usize = 32;

/// A message between tester and system.
#[derive(Clone)]
pub(super) struct Exchanged {
    pub is_input: bool,
    pub channel: usize,
    pub values: Vec<Value>,
}

/// What was exchanged since the system was last silent.
#[derive(Default)]
pub(super) struct Crossing {
    /// Each message with what was known before it, the oldest first.
    past: VecDeque<(Observer, Exchanged)>,
    /// Whether time has passed since the last of them.
    has_waited: bool,
}

impl Crossing {
    /// Nothing is under way any more.
    pub fn settle(&mut self) {
        self.past.clear();
        self.has_waited = false;
    }

    /// Some time passed, which messages that are exchanged later come after.
    pub fn wait(&mut self) {
        self.has_waited = true;
    }

    /// Takes note of a message, and of what was known before it. Messages with time between them
    /// are not put in another order, since each has its time.
    pub fn note(&mut self, known: Observer, message: Exchanged) {
        if self.has_waited {
            self.settle();
        }
        self.past.push_back((known, message));
        if self.past.len() > REMEMBERED {
            self.past.pop_front();
        }
    }

    /// What is known if messages may have crossed, with one more output if one came; none if
    /// the model allows no such order.
    ///
    /// # Errors
    ///
    /// When that was not decided.
    pub fn reordered(
        &self,
        executor: &mut Executor<'_, '_>,
        last: Option<&Exchanged>,
    ) -> Result<Option<Observer>, Undecided> {
        let Some((oldest, _)) = self.past.iter().find(|(_, it)| it.is_input) else {
            return Ok(None);
        };
        let past = self.past.iter().map(|(_, message)| message);
        let since = past.skip_while(|it| !it.is_input).chain(last);
        Orders::of(since).followed(executor, oldest.clone())
    }
}

/// Inputs and outputs, each with how many of the others the tester had seen by then.
struct Orders<'a> {
    inputs: Vec<(&'a Exchanged, usize)>,
    outputs: Vec<(&'a Exchanged, usize)>,
}

impl<'a> Orders<'a> {
    fn of(messages: impl Iterator<Item = &'a Exchanged>) -> Orders<'a> {
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for message in messages {
            match message.is_input {
                true => inputs.push((message, outputs.len())),
                false => outputs.push((message, inputs.len())),
            }
        }
        Orders { inputs, outputs }
    }

    /// What is known after all messages in any of the orders. Orders that agree on how many
    /// inputs and outputs have happened are followed together from there.
    fn followed(
        &self,
        executor: &mut Executor<'_, '_>,
        first: Observer,
    ) -> Result<Option<Observer>, Undecided> {
        let (inputs, outputs) = (self.inputs.len(), self.outputs.len());
        let mut known: Vec<Vec<Option<Observer>>> = vec![vec![None; outputs + 1]; inputs + 1];
        known[0][0] = Some(first);
        let mut undecided = None;
        for taken in 0..=inputs {
            for sent in 0..=outputs {
                if (taken, sent) == (inputs, outputs) {
                    break;
                }
                let Some(here) = known[taken][sent].take() else {
                    continue;
                };
                let input = self.inputs.get(taken).filter(|(_, seen)| *seen <= sent);
                let output = self.outputs.get(sent).filter(|(_, given)| taken <= *given);
                for (message, _) in input.into_iter().chain(output) {
                    let mut next = here.clone();
                    let (channel, values) = (message.channel, &message.values);
                    let (allowed, to) = match message.is_input {
                        true => (
                            next.input(executor, channel, values),
                            &mut known[taken + 1][sent],
                        ),
                        false => (
                            next.output(executor, channel, values),
                            &mut known[taken][sent + 1],
                        ),
                    };
                    match (allowed, to) {
                        (Allowed::Yes, Some(other)) => other.join(executor, next),
                        (Allowed::Yes, to) => *to = Some(next),
                        (Allowed::No, _) if message.is_input && sent > 0 => {
                            undecided.get_or_insert(Undecided::Unspecified);
                        }
                        (Allowed::No, _) => {}
                        (Allowed::Unknown(reason), _) => {
                            undecided.get_or_insert(reason);
                        }
                    }
                }
            }
        }
        match (known[inputs][outputs].take(), undecided) {
            (Some(found), _) => Ok(Some(found)),
            (None, Some(reason)) => Err(reason),
            (None, None) => Ok(None),
        }
    }
}
