//! The states that have come farthest, among many that wait.

use base::Random;
use std::collections::BTreeMap;

/// Numbers by level, any of which can be taken out.
#[derive(Default)]
pub(crate) struct Levels {
    members: BTreeMap<u64, Vec<u32>>,
    /// By number: its level, and where it is there.
    places: Vec<(u64, u32)>,
}

impl Levels {
    /// Adds a number, which is at no level.
    pub fn add(&mut self, number: u32, level: u64) {
        let members = self.members.entry(level).or_default();
        let place = (level, members.len() as u32);
        members.push(number);
        if self.places.len() <= number as usize {
            self.places.resize(number as usize + 1, (0, 0));
        }
        self.places[number as usize] = place;
    }

    /// Takes out a number, which is at a level.
    pub fn remove(&mut self, number: u32) {
        let (level, place) = self.places[number as usize];
        let members = self.members.get_mut(&level).expect("it is at this level");
        members.swap_remove(place as usize);
        match members.get(place as usize) {
            Some(&moved) => self.places[moved as usize].1 = place,
            None if members.is_empty() => {
                self.members.remove(&level);
            }
            None => {}
        }
    }

    /// Whether there is more than one level.
    pub fn differ(&self) -> bool {
        self.members.len() > 1
    }

    /// A number, more likely of a high level than of a lower one.
    pub fn draw(&self, random: &mut Random) -> u32 {
        let mut levels = self.members.values().rev().peekable();
        loop {
            let members = levels.next().expect("there is a number");
            if levels.peek().is_none() || random.below(4) != 0 {
                return members[random.below(members.len())];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn high_levels_are_drawn_most_and_no_level_never() {
        let mut levels = Levels::default();
        for number in 0..30 {
            levels.add(number, u64::from(number / 10));
        }
        for number in [3, 29, 20, 11] {
            levels.remove(number);
        }
        levels.add(20, 1);
        let mut random = Random::new(1);
        let mut counts = [0; 30];
        for _ in 0..10_000 {
            counts[levels.draw(&mut random) as usize] += 1;
        }
        let drawn: Vec<usize> = (0..30).filter(|&number| counts[number] > 0).collect();
        let there: Vec<usize> = (0..30)
            .filter(|number| ![3, 11, 29].contains(number))
            .collect();
        assert_eq!(drawn, there);
        let highest: i32 = counts[21..29].iter().sum();
        assert!((7000..8000).contains(&highest), "{highest}");
    }
}
