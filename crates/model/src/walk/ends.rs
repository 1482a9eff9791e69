//! From where no input is taken any more.
//!
//! A session that is closed, a machine that is switched off: whoever goes there soon is through with
//! a walk before it met anything. So walks go there seldom.

use crate::execution::Move;
use crate::model::{Action, Model};

/// The states, by automaton, from which no way leads to an input, whatever the conditions.
pub(super) struct Ends {
    ends: Vec<Vec<bool>>,
}

impl Ends {
    pub fn of(model: &Model) -> Ends {
        let automata = model.automata.iter().enumerate();
        let ends = automata.map(|(number, automaton)| {
            let mut ends = vec![true; automaton.states.len()];
            let own = model.transitions.iter().filter(|it| it.automaton == number);
            // Each round marks at least one state more, or none is left.
            for _ in 0..ends.len() {
                for transition in own.clone() {
                    let is_input = matches!(transition.action, Action::Input { .. });
                    if is_input || !ends[transition.to] {
                        ends[transition.from] = false;
                    }
                }
            }
            ends
        });
        Ends {
            ends: ends.collect(),
        }
    }

    /// Whether a step leads to such a state.
    pub fn is_for(&self, model: &Model, step: &Move) -> bool {
        // Time goes on whatever happens.
        if Some(step.first) == model.delay() {
            return false;
        }
        let transition = &model.transitions[step.first];
        self.ends[transition.automaton][transition.to]
    }
}
