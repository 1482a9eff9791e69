//! Context-free grammars over letters: what the algorithms work on. Letters are numbers;
//! what they stand for is known to whoever made the grammar.

use crate::letters::{BYTES, LetterSet};
use rustc_hash::FxHashMap;

/// A context-free grammar over numbered letters.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// How many letters the alphabet has.
    pub letters: usize,
    /// The sets of letters that productions name.
    pub classes: Vec<LetterSet>,
    /// The productions of each rule.
    pub rules: Vec<Vec<Vec<Part>>>,
    /// The rule whose words are the words of the grammar.
    pub start: usize,
}

/// A part of a production.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// One letter of that class.
    Class(u32),
    /// A word of that rule.
    Rule(u32),
}

/// The rules that derive a word of which every letter is from a class that
/// fulfils the condition; with none that does, those that derive the empty word.
pub(crate) fn deriving(rules: &[Vec<Vec<Part>>], class: impl Fn(u32) -> bool) -> Vec<bool> {
    // For each production, the rules it still waits for; for each rule, the
    // productions that wait for it.
    let mut missing: Vec<(usize, usize)> = Vec::new();
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); rules.len()];
    let mut derives = vec![false; rules.len()];
    let mut new = Vec::new();
    for (rule, productions) in rules.iter().enumerate() {
        for production in productions {
            let fine = |part: &Part| !matches!(part, Part::Class(c) if !class(*c));
            if !production.iter().all(fine) {
                continue;
            }
            let mut count = 0;
            for part in production {
                if let Part::Rule(other) = part {
                    waiting[*other as usize].push(missing.len());
                    count += 1;
                }
            }
            missing.push((rule, count));
            if count == 0 && !std::mem::replace(&mut derives[rule], true) {
                new.push(rule);
            }
        }
    }
    while let Some(rule) = new.pop() {
        for &production in &waiting[rule] {
            let (owner, count) = &mut missing[production];
            *count -= 1;
            if *count == 0 && !std::mem::replace(&mut derives[*owner], true) {
                new.push(*owner);
            }
        }
    }
    derives
}

/// Puts a [`Cfg`] together.
#[derive(Default)]
pub(crate) struct CfgBuilder {
    letters: usize,
    classes: Vec<LetterSet>,
    known: FxHashMap<LetterSet, u32>,
    pub rules: Vec<Vec<Vec<Part>>>,
}

impl CfgBuilder {
    pub fn new(letters: usize) -> CfgBuilder {
        CfgBuilder {
            letters,
            ..CfgBuilder::default()
        }
    }

    pub fn class(&mut self, set: &LetterSet) -> Part {
        if let Some(&known) = self.known.get(set) {
            return Part::Class(known);
        }
        let class = self.classes.len() as u32;
        self.classes.push(set.clone());
        self.known.insert(set.clone(), class);
        Part::Class(class)
    }

    pub fn rule(&mut self, productions: Vec<Vec<Part>>) -> Part {
        self.rules.push(productions);
        Part::Rule(self.rules.len() as u32 - 1)
    }

    pub fn text(&mut self, text: &[u8]) -> Vec<Part> {
        let letters = text.iter().map(|&byte| LetterSet::of(BYTES, [byte.into()]));
        letters.map(|set| self.class(&set)).collect()
    }

    /// Adds the rules of another grammar over the same alphabet, and gives its start.
    pub fn embed(&mut self, other: &Cfg) -> Part {
        let offset = self.rules.len() as u32;
        let classes: Vec<Part> = other.classes.iter().map(|set| self.class(set)).collect();
        for productions in &other.rules {
            let moved = productions.iter().map(|parts| {
                let moved = parts.iter().map(|part| match *part {
                    Part::Class(class) => classes[class as usize],
                    Part::Rule(rule) => Part::Rule(rule + offset),
                });
                moved.collect()
            });
            let moved = moved.collect();
            self.rules.push(moved);
        }
        Part::Rule(other.start as u32 + offset)
    }

    pub fn finish(self, start: usize) -> Cfg {
        Cfg {
            letters: self.letters,
            classes: self.classes,
            rules: self.rules,
            start,
        }
    }
}
