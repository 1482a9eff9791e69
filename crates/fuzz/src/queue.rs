//! Inputs that wait to be expanded.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Every so many turns, the shortest input comes before the best.
const TURNS: u64 = 4;

/// What speaks for an input.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
)]
pub(crate) struct Score {
    /// New code that it reached.
    pub new_coverage: u64,
    /// New ways in which it went through code.
    pub novelty: u64,
}

/// Inputs by what speaks for them, and in turn by length.
pub(crate) struct Queue<T> {
    waiting: FxHashMap<u64, T>,
    next: u64,
    turns: u64,
    best: BinaryHeap<(Score, Reverse<usize>, u64, u64)>,
    shortest: BinaryHeap<(Reverse<usize>, u64, u64)>,
}

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        Queue {
            waiting: FxHashMap::default(),
            next: 0,
            turns: 0,
            best: BinaryHeap::new(),
            shortest: BinaryHeap::new(),
        }
    }
}

impl<T> Queue<T> {
    /// Adds an input and gives it a number; `key` decides between equals.
    pub fn put(&mut self, input: T, score: Score, length: usize, key: u64) -> u64 {
        let id = self.next;
        self.next += 1;
        self.waiting.insert(id, input);
        self.best.push((score, Reverse(length), key, id));
        self.shortest.push((Reverse(length), key, id));
        id
    }

    /// The next input, and its number.
    pub fn pop(&mut self) -> Option<(u64, T)> {
        self.turns += 1;
        loop {
            let id = match self.turns.is_multiple_of(TURNS) {
                true => self.shortest.pop()?.2,
                false => self.best.pop()?.3,
            };
            // It may have been taken out on the other side.
            if let Some(input) = self.waiting.remove(&id) {
                return Some((id, input));
            }
        }
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_come_first_and_every_fourth_is_the_shortest() {
        let mut queue = Queue::default();
        let inputs = [
            ("new", 2, 0, 9),
            ("novel", 0, 5, 4),
            ("old", 0, 0, 8),
            ("short", 0, 0, 1),
        ];
        for (name, new_coverage, novelty, length) in inputs {
            queue.put(
                name,
                Score {
                    new_coverage,
                    novelty,
                },
                length,
                0,
            );
        }
        queue.put(
            "newer",
            Score {
                new_coverage: 3,
                novelty: 0,
            },
            7,
            0,
        );
        let order: Vec<&str> = std::iter::from_fn(|| queue.pop())
            .map(|(_, name)| name)
            .collect();
        assert_eq!(order, ["newer", "new", "novel", "short", "old"]);
        assert_eq!(queue.len(), 0);
    }
}
