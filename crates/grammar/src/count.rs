//! How many derivations there are of each length, and drawing one at random.

use crate::cfg::{Cfg, Part, deriving};
use crate::letters::Letter;
use crate::normal::{Normal, Way};
use crate::random::Random;
use base::{Stop, Stopped};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use std::ops::RangeInclusive;

/// How many derivations the words of each length to `most` have together, or
/// nothing when a word has infinitely many: some rule derives itself.
///
/// # Errors
///
/// When `stop` is set before they are counted.
pub fn derivations(cfg: &Cfg, most: usize, stop: &Stop) -> Result<Option<Vec<BigUint>>, Stopped> {
    let Some(order) = same_length_order(cfg) else {
        return Ok(None);
    };
    let mut count = vec![vec![BigUint::zero(); most + 1]; cfg.rules.len()];
    for length in 0..=most {
        for &rule in &order {
            let mut all = BigUint::zero();
            for way in &cfg.rules[rule] {
                stop.check()?;
                all += spread(cfg, way, length, &count);
            }
            count[rule][length] = all;
        }
    }
    Ok(Some(count.swap_remove(cfg.start)))
}

/// The derivations of a sequence of parts with so many letters in all. Where its
/// classes are does not matter, only how many there are: a long text costs its length.
fn spread(cfg: &Cfg, parts: &[Part], length: usize, count: &[Vec<BigUint>]) -> BigUint {
    let classes = parts.iter().filter(|part| matches!(part, Part::Class(_)));
    let Some(length) = length.checked_sub(classes.count()) else {
        return BigUint::zero();
    };
    let mut ways = vec![BigUint::zero(); length + 1];
    ways[0] = BigUint::one();
    for part in parts {
        let rule = match part {
            Part::Rule(rule) => *rule as usize,
            Part::Class(class) => {
                let letters = cfg.classes[*class as usize].len();
                if letters != 1 {
                    ways.iter_mut().for_each(|ways| *ways *= letters);
                }
                continue;
            }
        };
        let mut next = vec![BigUint::zero(); length + 1];
        for (before, ways) in ways.iter().enumerate().filter(|(_, ways)| !ways.is_zero()) {
            let more = &count[rule][..=length - before];
            for (more, count) in more.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
                next[before + more] += ways * count;
            }
        }
        ways = next;
    }
    ways.swap_remove(length)
}

/// The rules in an order in which a rule comes after those that derive the
/// same word in its place; nothing when a rule that matters derives itself so.
fn same_length_order(cfg: &Cfg) -> Option<Vec<usize>> {
    let used = used(cfg);
    let nullable = deriving(&cfg.rules, |_| false);
    let empty = |part: &Part| matches!(part, Part::Rule(rule) if nullable[*rule as usize]);
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); cfg.rules.len()];
    for (rule, ways) in cfg.rules.iter().enumerate() {
        for way in ways
            .iter()
            .filter(|way| way.iter().all(|part| used_part(part, &used)))
        {
            for (at, part) in way.iter().enumerate() {
                let Part::Rule(other) = part else { continue };
                let around = way[..at].iter().chain(&way[at + 1..]);
                if around.into_iter().all(empty) {
                    below[rule].push(*other as usize);
                }
            }
        }
    }
    // A walk in depth, with a stack of its own; 1 is on the way, 2 is done.
    let mut state = vec![0u8; cfg.rules.len()];
    let mut order = Vec::new();
    for root in 0..cfg.rules.len() {
        let mut walk = vec![(root, 0)];
        while let Some((rule, next)) = walk.pop() {
            if next == 0 && state[rule] != 0 {
                continue;
            }
            state[rule] = 1;
            if let Some(&child) = below[rule].get(next) {
                if state[child] == 1 && used[rule] {
                    return None;
                }
                walk.push((rule, next + 1));
                if state[child] == 0 {
                    walk.push((child, 0));
                }
            } else {
                state[rule] = 2;
                order.push(rule);
            }
        }
    }
    Some(order)
}

fn used_part(part: &Part, used: &[bool]) -> bool {
    match part {
        Part::Class(_) => true,
        Part::Rule(rule) => used[*rule as usize],
    }
}

/// The rules that derive words and that the start reaches through such rules.
fn used(cfg: &Cfg) -> Vec<bool> {
    let productive = deriving(&cfg.rules, |class| !cfg.classes[class as usize].is_empty());
    let mut reached = vec![false; cfg.rules.len()];
    let mut waiting = vec![cfg.start];
    while let Some(rule) = waiting.pop() {
        if !productive[rule] || std::mem::replace(&mut reached[rule], true) {
            continue;
        }
        for way in &cfg.rules[rule] {
            if way.iter().all(|part| used_part(part, &productive)) {
                let rules = way.iter().filter_map(|part| match part {
                    Part::Rule(rule) => Some(*rule as usize),
                    Part::Class(_) => None,
                });
                waiting.extend(rules);
            }
        }
    }
    reached
}

/// Draws words at random: first a length, then one of the derivations of the
/// normal form that give a word of it, each as likely as any other.
///
/// A word with many derivations comes more often than one with few.
pub struct Sampler<'a> {
    normal: &'a Normal,
    count: Counts,
    lengths: Vec<usize>,
}

impl<'a> Sampler<'a> {
    /// Prepares to draw words of these lengths; nothing when there are none. Long
    /// words of large grammars take a while to count.
    ///
    /// # Errors
    ///
    /// When `stop` is set before all is counted.
    pub fn new(
        normal: &'a Normal,
        lengths: RangeInclusive<usize>,
        stop: &Stop,
    ) -> Result<Option<Self>, Stopped> {
        let most = *lengths.end();
        let mut count = Counts::new(normal, most);
        for (length, rules) in count.rules_by_length(most) {
            for rule in rules {
                stop.check()?;
                let ways = normal.rules[rule].iter();
                let sum = ways.map(|way| way_count(normal, *way, length, &count));
                let sum = sum.sum();
                count.put(rule, length, sum);
            }
        }
        let has = |length: &usize| match length {
            0 => normal.empty,
            _ => normal
                .start
                .is_some_and(|s| !count.of(s as usize, *length).is_zero()),
        };
        let lengths: Vec<usize> = lengths.filter(has).collect();
        Ok((!lengths.is_empty()).then_some(Sampler {
            normal,
            count,
            lengths,
        }))
    }

    /// The lengths that words have.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// The next word.
    pub fn draw(&self, random: &mut Random) -> Vec<Letter> {
        let length = self.lengths[random.below(self.lengths.len())];
        let mut word = Vec::with_capacity(length);
        let Some(start) = self.normal.start.filter(|_| length > 0) else {
            return word;
        };
        let mut waiting = vec![(Part::Rule(start), length)];
        while let Some((part, length)) = waiting.pop() {
            let rule = match part {
                Part::Class(class) => {
                    let set = &self.normal.classes[class as usize];
                    word.extend(set.iter().nth(random.below(set.len())));
                    continue;
                }
                Part::Rule(rule) => rule as usize,
            };
            let mut at = random.below_big(self.count.of(rule, length));
            'ways: for way in &self.normal.rules[rule] {
                match *way {
                    Way::One(part) => {
                        let count = part_count(self.normal, part, length, &self.count);
                        if at < count {
                            waiting.push((part, length));
                            break;
                        }
                        at -= count;
                    }
                    Way::Two(a, b) => {
                        for first in 1..length {
                            let left = part_count(self.normal, a, first, &self.count);
                            if left.is_zero() {
                                continue;
                            }
                            let right = part_count(self.normal, b, length - first, &self.count);
                            let count = left * right;
                            if at < count {
                                waiting.extend([(b, length - first), (a, first)]);
                                break 'ways;
                            }
                            at -= count;
                        }
                    }
                }
            }
        }
        word
    }
}

/// Derivations by rule and length. A rule has room for the lengths its words may have
/// and for no others: the ends of a long text, each a rule, have one each.
struct Counts {
    /// By rule, the length of its shortest word and the counts from there.
    rules: Vec<(usize, Vec<BigUint>)>,
    zero: BigUint,
}

impl Counts {
    fn new(normal: &Normal, most: usize) -> Counts {
        let least = normal.least_lengths();
        let greatest = normal.greatest_lengths();
        let rules = least.into_iter().zip(greatest).map(|(least, greatest)| {
            let end = greatest.map_or(most, |greatest| greatest.min(most));
            (
                least,
                vec![BigUint::zero(); (end + 1).saturating_sub(least)],
            )
        });
        Counts {
            rules: rules.collect(),
            zero: BigUint::zero(),
        }
    }

    /// For each length to `most`, the rules that may have words of it, ascending.
    fn rules_by_length(&self, most: usize) -> Vec<(usize, Vec<usize>)> {
        let mut all: Vec<(usize, Vec<usize>)> = (1..=most).map(|n| (n, Vec::new())).collect();
        for (rule, (least, counts)) in self.rules.iter().enumerate() {
            for (_, rules) in all.iter_mut().skip(least - 1).take(counts.len()) {
                rules.push(rule);
            }
        }
        all
    }

    fn of(&self, rule: usize, length: usize) -> &BigUint {
        let (least, counts) = &self.rules[rule];
        let at = length.checked_sub(*least);
        at.and_then(|at| counts.get(at)).unwrap_or(&self.zero)
    }

    fn put(&mut self, rule: usize, length: usize, count: BigUint) {
        let (least, counts) = &mut self.rules[rule];
        counts[length - *least] = count;
    }
}

fn part_count(normal: &Normal, part: Part, length: usize, count: &Counts) -> BigUint {
    match part {
        Part::Class(class) if length == 1 => normal.classes[class as usize].len().into(),
        Part::Class(_) => BigUint::zero(),
        Part::Rule(rule) => count.of(rule as usize, length).clone(),
    }
}

fn way_count(normal: &Normal, way: Way, length: usize, count: &Counts) -> BigUint {
    match way {
        Way::One(part) => part_count(normal, part, length, count),
        Way::Two(a, b) => {
            let firsts = match (a, b) {
                (Part::Class(_), _) => 1..length.min(2),
                (_, Part::Class(_)) => (length - 1).max(1)..length,
                _ => 1..length,
            };
            let splits = firsts.map(|first| {
                let left = part_count(normal, a, first, count);
                match left.is_zero() {
                    true => left,
                    false => left * part_count(normal, b, length - first, count),
                }
            });
            splits.sum()
        }
    }
}
