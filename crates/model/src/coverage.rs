//! How far a state is from a transition that was not taken yet.
//!
//! Distances are those in the graphs of the automata, one automaton at a time and
//! without conditions: lower bounds that cost nothing to keep, by which a search goes
//! towards new coverage first.

use crate::model::Model;

/// Distances in the graphs of the automata, conditions aside.
pub(crate) struct Distances {
    /// By automaton and state: the transitions that enter it, and whence.
    entering: Vec<Vec<Vec<usize>>>,
    /// By transition: its automaton and the state it leaves.
    source: Vec<(usize, usize)>,
    /// What the distances were computed for: how many transitions were taken.
    known_for: usize,
    /// By automaton and state: steps to a transition that was not taken.
    steps: Vec<Vec<usize>>,
}

/// Farther than anything.
const FAR: usize = 1_000_000;

impl Distances {
    pub fn new(model: &Model) -> Distances {
        let automata = model.automata.iter();
        let mut entering: Vec<Vec<Vec<usize>>> = automata
            .map(|automaton| vec![Vec::new(); automaton.states.len()])
            .collect();
        for transition in &model.transitions {
            entering[transition.automaton][transition.to].push(transition.from);
        }
        Distances {
            steps: entering
                .iter()
                .map(|states| vec![FAR; states.len()])
                .collect(),
            entering,
            source: model
                .transitions
                .iter()
                .map(|t| (t.automaton, t.from))
                .collect(),
            known_for: usize::MAX,
        }
    }

    /// Steps from this location to the nearest transition that was not taken.
    pub fn of(&mut self, location: &[usize], taken: &[usize]) -> usize {
        let covered = taken.iter().filter(|&&count| count > 0).count();
        if covered != self.known_for {
            self.known_for = covered;
            self.compute(taken);
        }
        let states = location.iter().enumerate();
        states
            .map(|(automaton, &state)| self.steps[automaton][state])
            .min()
            .unwrap_or(FAR)
    }

    fn compute(&mut self, taken: &[usize]) {
        let mut queue = std::collections::VecDeque::new();
        for states in &mut self.steps {
            states.fill(FAR);
        }
        for (number, &(automaton, state)) in self.source.iter().enumerate() {
            if taken[number] == 0 && self.steps[automaton][state] == FAR {
                self.steps[automaton][state] = 0;
                queue.push_back((automaton, state));
            }
        }
        while let Some((automaton, state)) = queue.pop_front() {
            let next = self.steps[automaton][state] + 1;
            for &before in &self.entering[automaton][state] {
                if self.steps[automaton][before] == FAR {
                    self.steps[automaton][before] = next;
                    queue.push_back((automaton, before));
                }
            }
        }
    }
}
