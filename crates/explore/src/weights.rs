//! Drawing from a changing set with given weights, in logarithmic time.

use base::Random;

/// Weights by number, with their sums in a Fenwick tree.
#[derive(Default)]
pub(crate) struct Weights {
    weights: Vec<f64>,
    sums: Vec<f64>,
    since_rebuilt: usize,
}

impl Weights {
    /// Gives `number` this weight; zero takes it out.
    pub fn set(&mut self, number: u32, weight: f64) {
        let at = number as usize;
        if at >= self.weights.len() {
            let length = (at + 1).next_power_of_two();
            self.weights.resize(length, 0.0);
            self.weights[at] = weight;
            self.rebuild();
            return;
        }
        let change = weight - self.weights[at];
        self.weights[at] = weight;
        let mut node = at + 1;
        while node <= self.sums.len() {
            self.sums[node - 1] += change;
            node += node & node.wrapping_neg();
        }
        // Differences of floats gather errors; start afresh now and then.
        self.since_rebuilt += 1;
        if self.since_rebuilt > 16 * self.weights.len() {
            self.rebuild();
        }
    }

    fn rebuild(&mut self) {
        self.since_rebuilt = 0;
        self.sums = self.weights.clone();
        for node in 1..=self.sums.len() {
            let above = node + (node & node.wrapping_neg());
            if above <= self.sums.len() {
                self.sums[above - 1] += self.sums[node - 1];
            }
        }
    }

    /// A number, drawn in proportion to its weight; at least one weight is positive.
    pub fn draw(&self, random: &mut Random) -> u32 {
        let total = self.sums.last().copied().unwrap_or(0.0);
        let mut left = random.fraction() * total;
        let (mut at, mut step) = (0, self.sums.len());
        while step > 0 {
            if at + step <= self.sums.len() && self.sums[at + step - 1] <= left {
                left -= self.sums[at + step - 1];
                at += step;
            }
            step /= 2;
        }
        // Rounding may lead past the end or to a number without weight.
        let from = at.min(self.weights.len() - 1);
        let after = (from..self.weights.len()).find(|&i| self.weights[i] > 0.0);
        let before = || (0..from).rev().find(|&i| self.weights[i] > 0.0);
        after.or_else(before).expect("some weight is positive") as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_drawn_in_proportion_to_their_weights() {
        let mut weights = Weights::default();
        for (number, weight) in [(0, 1.0), (1, 0.0), (2, 3.0), (9, 4.0)] {
            weights.set(number, weight);
        }
        weights.set(0, 0.0);
        weights.set(0, 1.0);
        let mut random = Random::new(7);
        let mut counts = [0i32; 16];
        for _ in 0..8000 {
            counts[weights.draw(&mut random) as usize] += 1;
        }
        for (number, expected) in [(0, 1000), (2, 3000), (9, 4000)] {
            assert!((counts[number] - expected).abs() < 300, "{counts:?}");
        }
        assert_eq!(
            counts.iter().sum::<i32>(),
            counts[0] + counts[2] + counts[9]
        );
    }
}
