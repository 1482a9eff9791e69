//! The normal form in which grammars are counted, completed and encoded.
//!
//! No production is empty, none is longer than two, rules that only stand for
//! each other are one, and every rule derives something. A single rule on the
//! right of a production has a smaller number than the one on the left, so that
//! for words of one length rules can be treated in ascending order. The empty
//! word, which no rule can derive then, is a flag.
//!
//! Words are kept; derivations are not: ways that only differ in empty parts
//! become one.

use crate::cfg::{Cfg, Part, deriving};
use crate::letters::{Letter, LetterSet};
use rustc_hash::FxHashMap;

/// A grammar in normal form.
#[derive(Clone, Debug)]
pub struct Normal {
    /// How many letters the alphabet has.
    pub letters: usize,
    /// The sets of letters that rules name.
    pub classes: Vec<LetterSet>,
    /// The ways of each rule.
    pub rules: Vec<Vec<Way>>,
    /// The rule whose words are the words of the grammar, but for the empty one.
    pub start: Option<u32>,
    /// Whether the empty word is in the language.
    pub empty: bool,
}

/// One way to derive a word that is not empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Way {
    /// A letter of the class, or a word of a rule with a smaller number.
    One(Part),
    /// The first, then the second.
    Two(Part, Part),
}

impl Normal {
    /// The normal form of the grammar.
    pub fn new(cfg: &Cfg) -> Normal {
        let binary = binarise(cfg);
        let nullable = deriving(&binary, |_| false);
        let empty = nullable[cfg.start];
        let ways = without_empty(&binary, &nullable);
        let ways = merged(ways, cfg.start, &cfg.classes);
        let Some((rules, start)) = ways else {
            return Normal {
                letters: cfg.letters,
                classes: cfg.classes.clone(),
                rules: Vec::new(),
                start: None,
                empty,
            };
        };
        Normal {
            letters: cfg.letters,
            classes: cfg.classes.clone(),
            rules,
            start: Some(start),
            empty,
        }
    }

    /// How many ways there are in all rules.
    pub fn ways(&self) -> usize {
        self.rules.iter().map(Vec::len).sum()
    }

    /// The length of each rule's shortest word.
    pub fn least_lengths(&self) -> Vec<usize> {
        let mut least = vec![usize::MAX; self.rules.len()];
        loop {
            let mut changed = false;
            for (rule, ways) in self.rules.iter().enumerate() {
                for way in ways {
                    let length = match way {
                        Way::One(part) => least_of(*part, &least),
                        Way::Two(a, b) => least_of(*a, &least).saturating_add(least_of(*b, &least)),
                    };
                    if length < least[rule] {
                        least[rule] = length;
                        changed = true;
                    }
                }
            }
            if !changed {
                return least;
            }
        }
    }

    /// The length of each rule's longest word; none where there are words of any length.
    pub fn greatest_lengths(&self) -> Vec<Option<usize>> {
        let rules_of = |way: &Way| {
            let parts = match *way {
                Way::One(part) => [Some(part), None],
                Way::Two(a, b) => [Some(a), Some(b)],
            };
            let parts = parts.into_iter().flatten();
            parts.filter_map(|part| match part {
                Part::Rule(rule) => Some(rule as usize),
                Part::Class(_) => None,
            })
        };
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.rules.len()];
        let mut open: Vec<usize> = vec![0; self.rules.len()];
        for (rule, ways) in self.rules.iter().enumerate() {
            for used in ways.iter().flat_map(rules_of) {
                users[used].push(rule);
                open[rule] += 1;
            }
        }
        // A rule is settled after all it uses; what uses itself in the end never is.
        let mut greatest: Vec<Option<usize>> = vec![None; self.rules.len()];
        let mut settled: Vec<usize> = (0..open.len()).filter(|&rule| open[rule] == 0).collect();
        while let Some(rule) = settled.pop() {
            let length_of = |part| match part {
                Part::Class(_) => 1,
                Part::Rule(used) => greatest[used as usize].unwrap_or(0),
            };
            let lengths = self.rules[rule].iter().map(|way| match *way {
                Way::One(part) => length_of(part),
                // Texts that double each other are longer than any number.
                Way::Two(a, b) => length_of(a).saturating_add(length_of(b)),
            });
            greatest[rule] = lengths.max();
            for &user in &users[rule] {
                open[user] -= 1;
                if open[user] == 0 {
                    settled.push(user);
                }
            }
        }
        greatest
    }

    /// For each rule and each length to `most`, whether it has words of it.
    pub fn lengths(&self, most: usize) -> Vec<Vec<bool>> {
        let mut has = vec![vec![false; most + 1]; self.rules.len()];
        let mut known: Vec<Vec<usize>> = vec![Vec::new(); self.rules.len()];
        for length in 1..=most {
            for (rule, ways) in self.rules.iter().enumerate() {
                let found = ways.iter().any(|way| match *way {
                    Way::One(Part::Class(_)) => length == 1,
                    Way::One(Part::Rule(other)) => has[other as usize][length],
                    Way::Two(Part::Class(_), b) => is(b, length - 1, &has),
                    Way::Two(a, Part::Class(_)) => is(a, length - 1, &has),
                    Way::Two(Part::Rule(a), b) => {
                        let first = known[a as usize].iter();
                        first.into_iter().any(|&first| is(b, length - first, &has))
                    }
                });
                if found {
                    has[rule][length] = true;
                    known[rule].push(length);
                }
            }
        }
        has
    }

    /// A shortest word of the language, if it has words.
    pub fn shortest(&self) -> Option<Vec<Letter>> {
        if self.empty {
            return Some(Vec::new());
        }
        let least = self.least_lengths();
        Some(self.shortest_of(Part::Rule(self.start?), &least))
    }

    /// The shortest word of a part, given the rules' least lengths: the first in
    /// the order of the rules' ways, its letters the least.
    pub fn shortest_of(&self, part: Part, least: &[usize]) -> Vec<Letter> {
        let mut word = Vec::new();
        let mut waiting = vec![part];
        while let Some(part) = waiting.pop() {
            let rule = match part {
                Part::Class(class) => {
                    word.extend(self.classes[class as usize].first());
                    continue;
                }
                Part::Rule(rule) => rule as usize,
            };
            let length = |way: &&Way| match **way {
                Way::One(part) => least_of(part, least),
                Way::Two(a, b) => least_of(a, least) + least_of(b, least),
            };
            let way = self.rules[rule].iter().min_by_key(length);
            match *way.expect("every rule has ways") {
                Way::One(part) => waiting.push(part),
                Way::Two(a, b) => waiting.extend([b, a]),
            }
        }
        word
    }
}

/// The least length of a part's words.
pub(crate) fn least_of(part: Part, least: &[usize]) -> usize {
    match part {
        Part::Class(_) => 1,
        Part::Rule(rule) => least[rule as usize],
    }
}

fn is(part: Part, length: usize, has: &[Vec<bool>]) -> bool {
    match part {
        Part::Class(_) => length == 1,
        Part::Rule(rule) => has[rule as usize][length],
    }
}

/// The productions, none longer than two; equal ends of productions are one rule.
fn binarise(cfg: &Cfg) -> Vec<Vec<Vec<Part>>> {
    let mut rules: Vec<Vec<Vec<Part>>> = vec![Vec::new(); cfg.rules.len()];
    let mut ends: FxHashMap<Vec<Part>, Part> = FxHashMap::default();
    for (id, productions) in cfg.rules.iter().enumerate() {
        for production in productions {
            let mut short = production.clone();
            while short.len() > 2 {
                let end = short.split_off(short.len() - 2);
                let next = rules.len() as u32;
                let part = *ends.entry(end.clone()).or_insert(Part::Rule(next));
                if part == Part::Rule(next) {
                    rules.push(vec![end]);
                }
                short.push(part);
            }
            rules[id].push(short);
        }
    }
    rules
}

fn all_nullable(parts: &[Part], nullable: &[bool]) -> bool {
    parts.iter().all(|part| match part {
        Part::Class(_) => false,
        Part::Rule(rule) => nullable[*rule as usize],
    })
}

fn without_empty(rules: &[Vec<Vec<Part>>], nullable: &[bool]) -> Vec<Vec<Way>> {
    let ways = |productions: &Vec<Vec<Part>>| {
        let mut ways = Vec::new();
        for production in productions {
            match production[..] {
                [] => {}
                [part] => ways.push(Way::One(part)),
                [a, b] => {
                    ways.push(Way::Two(a, b));
                    if all_nullable(&[a], nullable) {
                        ways.push(Way::One(b));
                    }
                    if all_nullable(&[b], nullable) {
                        ways.push(Way::One(a));
                    }
                }
                _ => unreachable!("productions were made short"),
            }
        }
        ways
    };
    rules.iter().map(ways).collect()
}

/// Drops what derives nothing, makes one of rules that stand for each other,
/// drops what the start does not reach, and numbers the rest so that single
/// rules point down.
fn merged(
    mut ways: Vec<Vec<Way>>,
    start: usize,
    classes: &[LetterSet],
) -> Option<(Vec<Vec<Way>>, u32)> {
    let lists = ways.iter().map(|ways| {
        let lists = ways.iter().map(|way| match *way {
            Way::One(part) => vec![part],
            Way::Two(a, b) => vec![a, b],
        });
        lists.collect()
    });
    let lists: Vec<Vec<Vec<Part>>> = lists.collect();
    let productive = deriving(&lists, |class| !classes[class as usize].is_empty());
    if !productive[start] {
        return None;
    }
    let fine = |part: Part| match part {
        Part::Class(class) => !classes[class as usize].is_empty(),
        Part::Rule(rule) => productive[rule as usize],
    };
    for rule in &mut ways {
        rule.retain(|way| match *way {
            Way::One(part) => fine(part),
            Way::Two(a, b) => fine(a) && fine(b),
        });
    }
    let component = unit_components(&ways);
    let count = component.iter().max().map_or(0, |most| most + 1);
    let moved = |part: Part| match part {
        Part::Class(_) => part,
        Part::Rule(rule) => Part::Rule(component[rule as usize]),
    };
    let mut joined: Vec<Vec<Way>> = vec![Vec::new(); count as usize];
    for (rule, ways) in ways.iter().enumerate() {
        let home = component[rule];
        for way in ways {
            let way = match *way {
                Way::One(part) => Way::One(moved(part)),
                Way::Two(a, b) => Way::Two(moved(a), moved(b)),
            };
            if way != Way::One(Part::Rule(home)) && !joined[home as usize].contains(&way) {
                joined[home as usize].push(way);
            }
        }
    }
    Some(renumbered(&joined, component[start]))
}

/// The strongly connected components of "stands for", numbered so that what a
/// rule stands for has a number that is not greater (Tarjan, with a stack of
/// its own).
fn unit_components(rules: &[Vec<Way>]) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let units: Vec<Vec<usize>> = rules
        .iter()
        .map(|ways| {
            let units = ways.iter().filter_map(|way| match way {
                Way::One(Part::Rule(rule)) => Some(*rule as usize),
                _ => None,
            });
            units.collect()
        })
        .collect();
    let (mut order, mut low) = (vec![NEW; rules.len()], vec![NEW; rules.len()]);
    let (mut component, mut components) = (vec![NEW; rules.len()], 0);
    let (mut open, mut visited) = (Vec::new(), 0);
    for root in 0..rules.len() {
        let mut walk = vec![(root, 0)];
        if order[root] != NEW {
            continue;
        }
        while let Some((rule, next)) = walk.pop() {
            if next == 0 {
                order[rule] = visited;
                low[rule] = visited;
                visited += 1;
                open.push(rule);
            } else {
                let child = units[rule][next - 1];
                if component[child] == NEW {
                    low[rule] = low[rule].min(low[child]);
                }
            }
            if let Some(&child) = units[rule].get(next) {
                walk.push((rule, next + 1));
                if order[child] == NEW {
                    walk.push((child, 0));
                }
                continue;
            }
            if low[rule] == order[rule] {
                while let Some(member) = open.pop() {
                    component[member] = components;
                    if member == rule {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    component
}

/// Keeps what the start reaches, in the same order.
fn renumbered(rules: &[Vec<Way>], start: u32) -> (Vec<Vec<Way>>, u32) {
    let mut reached = vec![false; rules.len()];
    let mut waiting = vec![start];
    while let Some(rule) = waiting.pop() {
        if std::mem::replace(&mut reached[rule as usize], true) {
            continue;
        }
        for way in &rules[rule as usize] {
            let parts = match *way {
                Way::One(part) => [Some(part), None],
                Way::Two(a, b) => [Some(a), Some(b)],
            };
            for part in parts.into_iter().flatten() {
                if let Part::Rule(rule) = part {
                    waiting.push(rule);
                }
            }
        }
    }
    let mut number = vec![0; rules.len()];
    let mut kept = 0;
    for (rule, &reached) in reached.iter().enumerate() {
        number[rule] = kept;
        kept += u32::from(reached);
    }
    let moved = |part: Part| match part {
        Part::Class(_) => part,
        Part::Rule(rule) => Part::Rule(number[rule as usize]),
    };
    let kept = rules.iter().zip(&reached).filter(|(_, reached)| **reached);
    let kept = kept.map(|(ways, _)| {
        let ways = ways.iter().map(|way| match *way {
            Way::One(part) => Way::One(moved(part)),
            Way::Two(a, b) => Way::Two(moved(a), moved(b)),
        });
        ways.collect()
    });
    (kept.collect(), number[start as usize])
}
