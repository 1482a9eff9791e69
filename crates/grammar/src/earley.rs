//! Whether a word is in a language, by Earley's algorithm on the productions as
//! they are.
//!
//! This is the referee: it shares nothing with the normal form, the encodings
//! and the counting, all of which are checked against it.
//!
//! (Earley, *An efficient context-free parsing algorithm*, Communications of the ACM,
//! 1970.)

use crate::cfg::{Cfg, Part};
use crate::letters::Letter;
use base::{Stop, Stopped};
use rustc_hash::FxHashSet;

/// A production with a dot in it, and where its rule began.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Item {
    rule: u32,
    production: u32,
    dot: u32,
    origin: u32,
}

impl Cfg {
    /// Whether the word, a short one, is in the language.
    pub fn accepts(&self, word: &[Letter]) -> bool {
        let accepts = self.accepts_until(word, &Stop::never());
        accepts.expect("nobody sets this token")
    }

    /// Whether the word is in the language, unless `stop` is set on the way: the time
    /// grows with the cube of the length where the grammar is ambiguous.
    ///
    /// # Errors
    ///
    /// When `stop` is set before it is known.
    pub fn accepts_until(&self, word: &[Letter], stop: &Stop) -> Result<bool, Stopped> {
        let nullable = self.nullable();
        let mut sets: Vec<Vec<Item>> = Vec::with_capacity(word.len() + 1);
        let mut next = Vec::new();
        self.predict(self.start as u32, 0, &mut next);
        for at in 0..=word.len() {
            let items = self.close(std::mem::take(&mut next), &sets, at as u32, &nullable, stop)?;
            if let Some(&letter) = word.get(at) {
                next = self.scan(&items, letter);
            }
            sets.push(items);
        }
        Ok(sets[word.len()].iter().any(|item| {
            item.rule as usize == self.start && item.origin == 0 && self.after_dot(*item).is_none()
        }))
    }

    fn after_dot(&self, item: Item) -> Option<Part> {
        let production = &self.rules[item.rule as usize][item.production as usize];
        production.get(item.dot as usize).copied()
    }

    fn predict(&self, rule: u32, at: u32, items: &mut Vec<Item>) {
        items.extend((0..self.rules[rule as usize].len()).map(|production| Item {
            rule,
            production: production as u32,
            dot: 0,
            origin: at,
        }));
    }

    fn scan(&self, items: &[Item], letter: Letter) -> Vec<Item> {
        let moved = items.iter().filter_map(|item| match self.after_dot(*item) {
            Some(Part::Class(class)) if self.classes[class as usize].contains(letter) => {
                Some(Item {
                    dot: item.dot + 1,
                    ..*item
                })
            }
            _ => None,
        });
        moved.collect()
    }

    fn close(
        &self,
        mut items: Vec<Item>,
        before: &[Vec<Item>],
        at: u32,
        nullable: &[bool],
        stop: &Stop,
    ) -> Result<Vec<Item>, Stopped> {
        let mut seen: FxHashSet<Item> = items.iter().copied().collect();
        let mut predicted = FxHashSet::default();
        let mut done = 0;
        let mut found = Vec::new();
        while let Some(&item) = items.get(done) {
            stop.check()?;
            done += 1;
            match self.after_dot(item) {
                Some(Part::Class(_)) => {}
                Some(Part::Rule(rule)) => {
                    if predicted.insert(rule) {
                        self.predict(rule, at, &mut found);
                    }
                    // An empty word of the rule would complete before anyone waits.
                    if nullable[rule as usize] {
                        found.push(Item {
                            dot: item.dot + 1,
                            ..item
                        });
                    }
                }
                None if item.origin == at => {}
                None => {
                    for waiting in &before[item.origin as usize] {
                        if self.after_dot(*waiting) == Some(Part::Rule(item.rule)) {
                            found.push(Item {
                                dot: waiting.dot + 1,
                                ..*waiting
                            });
                        }
                    }
                }
            }
            for item in found.drain(..) {
                if seen.insert(item) {
                    items.push(item);
                }
            }
        }
        Ok(items)
    }

    fn nullable(&self) -> Vec<bool> {
        let mut nullable = vec![false; self.rules.len()];
        loop {
            let before = nullable.iter().filter(|&&known| known).count();
            for (rule, productions) in self.rules.iter().enumerate() {
                let derives_empty = productions.iter().any(|production| {
                    production
                        .iter()
                        .all(|part| matches!(part, Part::Rule(rule) if nullable[*rule as usize]))
                });
                nullable[rule] |= derives_empty;
            }
            if nullable.iter().filter(|&&known| known).count() == before {
                return nullable;
            }
        }
    }
}
