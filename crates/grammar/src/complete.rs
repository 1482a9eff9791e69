//! The shortest word whose first letters are constrained.
//!
//! Productions are unrolled from the start, letter by letter, and pruned where a
//! letter is not allowed, as in grammar-based whitebox fuzzing; what is shared
//! between them is unrolled once (the items are Earley's, over sets of letters).
//! After the last constraint, each surviving item needs the shortest words of
//! what is still to come, which are known beforehand.
//!
//! The unrolling is that of Godefroid, Kieżun and Levin, *Grammar-based whitebox
//! fuzzing*, PLDI 2008, who let a general solver prune it.

use crate::cfg::Part;
use crate::letters::{Letter, LetterSet};
use crate::normal::{Normal, Way, least_of};
use base::{Stop, Stopped};
use rustc_hash::FxHashMap;

/// What may stand at one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allowed {
    /// These letters.
    pub letters: LetterSet,
    /// Whether the word may have ended before.
    pub end: bool,
}

impl Allowed {
    /// One of these letters, and no end.
    pub fn letters(letters: LetterSet) -> Allowed {
        Allowed {
            letters,
            end: false,
        }
    }
}

/// The answer to a query for a completion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Completion {
    /// A shortest word.
    Word(Vec<Letter>),
    /// There is none: whatever the letters before, none that is allowed at this
    /// position can follow. For as many as there are constraints, the language
    /// is empty.
    None {
        /// The first position at which every way has ended.
        position: usize,
    },
}

/// A way of a rule with a dot after its first part or at its end, or before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Item {
    rule: u32,
    way: u32,
    dot: u8,
    origin: u32,
}

/// How an item came to be: the item whose dot was moved, and what it was moved
/// over.
#[derive(Clone, Copy)]
enum Cause {
    Begun,
    /// The letter before this position; the place of the item before.
    Letter(u32),
    /// A finished item at the same position; the place of the item before, at
    /// the finished one's origin.
    Finished {
        before: u32,
        part: u32,
    },
}

struct Column {
    items: Vec<(Item, Cause)>,
    known: FxHashMap<Item, u32>,
    /// The items that wait for each rule.
    waiting: FxHashMap<u32, Vec<u32>>,
}

/// Completes words of one language.
pub struct Completer<'a> {
    normal: &'a Normal,
    least: Vec<usize>,
}

impl<'a> Completer<'a> {
    /// Prepares for queries about this language.
    pub fn new(normal: &'a Normal) -> Completer<'a> {
        Completer {
            normal,
            least: normal.least_lengths(),
        }
    }

    /// The shortest word that has what is allowed at each position.
    ///
    /// # Errors
    ///
    /// When `stop` is set before it is found: an ambiguous grammar has a number of
    /// items that grows with the square of the positions, and each waits for others.
    pub fn complete(&self, allowed: &[Allowed], stop: &Stop) -> Result<Completion, Stopped> {
        let may_end = |at: usize| allowed[at..].iter().all(|position| position.end);
        if self.normal.empty && may_end(0) {
            return Ok(Completion::Word(Vec::new()));
        }
        let Some(start) = self.normal.start else {
            let position = allowed.iter().position(|a| !a.end);
            return Ok(Completion::None {
                position: position.unwrap_or(allowed.len()),
            });
        };
        let mut columns: Vec<Column> = Vec::new();
        let mut seeds = Vec::new();
        self.predict(start, 0, &mut seeds);
        for at in 0..=allowed.len() {
            let column = self.close(std::mem::take(&mut seeds), &columns, at as u32, stop)?;
            columns.push(column);
            // A word that ends here is shorter than any that goes on.
            if at > 0
                && may_end(at)
                && let Some(item) = self.finished(&columns[at], start)
            {
                let mut word = Vec::new();
                self.spell(&columns, allowed, (at as u32, item), &mut word);
                return Ok(Completion::Word(word));
            }
            if at == allowed.len() {
                break;
            }
            seeds = self.scan(&columns[at], &allowed[at].letters);
            if seeds.is_empty() {
                return Ok(Completion::None { position: at });
            }
        }
        self.finish(&columns, allowed, start, stop)
    }

    fn part_after(&self, item: Item) -> Option<Part> {
        match (
            self.normal.rules[item.rule as usize][item.way as usize],
            item.dot,
        ) {
            (Way::One(part) | Way::Two(part, _), 0) | (Way::Two(_, part), 1) => Some(part),
            _ => None,
        }
    }

    fn predict(&self, rule: u32, at: u32, items: &mut Vec<(Item, Cause)>) {
        let ways = 0..self.normal.rules[rule as usize].len() as u32;
        items.extend(ways.map(|way| {
            let item = Item {
                rule,
                way,
                dot: 0,
                origin: at,
            };
            (item, Cause::Begun)
        }));
    }

    fn scan(&self, column: &Column, letters: &LetterSet) -> Vec<(Item, Cause)> {
        let items = column.items.iter().enumerate();
        let moved = items.filter_map(|(place, (item, _))| match self.part_after(*item) {
            Some(Part::Class(class)) if self.normal.classes[class as usize].meets(letters) => {
                let dot = item.dot + 1;
                Some((Item { dot, ..*item }, Cause::Letter(place as u32)))
            }
            _ => None,
        });
        moved.collect()
    }

    fn close(
        &self,
        seeds: Vec<(Item, Cause)>,
        before: &[Column],
        at: u32,
        stop: &Stop,
    ) -> Result<Column, Stopped> {
        let mut column = Column {
            items: Vec::new(),
            known: FxHashMap::default(),
            waiting: FxHashMap::default(),
        };
        let mut found = seeds;
        let mut done = 0;
        loop {
            for (item, cause) in found.drain(..) {
                let place = column.items.len() as u32;
                if *column.known.entry(item).or_insert(place) == place {
                    column.items.push((item, cause));
                }
            }
            let Some(&(item, _)) = column.items.get(done) else {
                return Ok(column);
            };
            stop.check()?;
            let place = done as u32;
            done += 1;
            match self.part_after(item) {
                Some(Part::Class(_)) => {}
                Some(Part::Rule(rule)) => {
                    let waiting = column.waiting.entry(rule).or_default();
                    if waiting.is_empty() {
                        self.predict(rule, at, &mut found);
                    }
                    waiting.push(place);
                }
                // No word is empty, so whoever waits does so in a column before.
                None => {
                    let origin = &before[item.origin as usize];
                    for &waiting in origin.waiting.get(&item.rule).into_iter().flatten() {
                        let (waiter, _) = origin.items[waiting as usize];
                        let dot = waiter.dot + 1;
                        let cause = Cause::Finished {
                            before: waiting,
                            part: place,
                        };
                        found.push((Item { dot, ..waiter }, cause));
                    }
                }
            }
        }
    }

    /// The place of a finished item of the start rule.
    fn finished(&self, column: &Column, start: u32) -> Option<u32> {
        let items = column.items.iter();
        let done = |(item, _): &(Item, Cause)| {
            item.rule == start && item.origin == 0 && self.part_after(*item).is_none()
        };
        items.into_iter().position(done).map(|place| place as u32)
    }

    /// Finishes the cheapest item of the last column.
    fn finish(
        &self,
        columns: &[Column],
        allowed: &[Allowed],
        start: u32,
        stop: &Stop,
    ) -> Result<Completion, Stopped> {
        let outside = self.outside(columns, start, stop)?;
        let last = columns.len() as u32 - 1;
        let items = columns[last as usize].items.iter().enumerate();
        let costs = items.filter_map(|(place, (item, cause))| {
            if last > 0 && !matches!(cause, Cause::Letter(_)) {
                return None;
            }
            let (above, _) = outside.get(&(item.rule, item.origin))?;
            Some((self.rest(*item) + above, place as u32))
        });
        let Some((_, place)) = costs.min() else {
            return Ok(Completion::None {
                position: last as usize,
            });
        };
        let mut word = Vec::new();
        let mut at = (last, place);
        // The letters read so far, from the outermost rule inward, then what
        // each rule still needs, from the innermost outward.
        let mut chain = vec![at];
        loop {
            let item = columns[at.0 as usize].items[at.1 as usize].0;
            match outside[&(item.rule, item.origin)].1 {
                Some(parent) => {
                    at = (item.origin, parent);
                    chain.push(at);
                }
                None => break,
            }
        }
        for &place in chain.iter().rev() {
            self.spell(columns, allowed, place, &mut word);
        }
        for (inner, &(column, place)) in chain.iter().enumerate() {
            let item = columns[column as usize].items[place as usize].0;
            // A parent's next part is the rule of the item below it, done by then.
            let skip = usize::from(inner > 0);
            for part in self.parts(item).skip(item.dot as usize + skip) {
                word.extend(self.normal.shortest_of(part, &self.least));
            }
        }
        Ok(Completion::Word(word))
    }

    fn parts(&self, item: Item) -> impl Iterator<Item = Part> + use<> {
        let parts = match self.normal.rules[item.rule as usize][item.way as usize] {
            Way::One(part) => [Some(part), None],
            Way::Two(a, b) => [Some(a), Some(b)],
        };
        parts.into_iter().flatten()
    }

    /// The least number of letters that the parts after the dot need.
    fn rest(&self, item: Item) -> usize {
        let parts = self.parts(item).skip(item.dot as usize);
        parts.map(|part| least_of(part, &self.least)).sum()
    }

    /// For each rule begun somewhere, the least number of letters that must
    /// follow it to the end of the word, and the waiting item through which.
    fn outside(&self, columns: &[Column], start: u32, stop: &Stop) -> Result<Outside, Stopped> {
        let mut outside = Outside::default();
        outside.insert((start, 0), (0, None));
        for (at, column) in columns.iter().enumerate() {
            // Rules begun at one position wait for each other; costs only fall.
            loop {
                let mut changed = false;
                for (&rule, waiting) in &column.waiting {
                    stop.check()?;
                    for &place in waiting {
                        let item = column.items[place as usize].0;
                        let Some(&(above, _)) = outside.get(&(item.rule, item.origin)) else {
                            continue;
                        };
                        let own = least_of(Part::Rule(rule), &self.least);
                        let cost = above + self.rest(item) - own;
                        let key = (rule, at as u32);
                        let known = outside.get(&key).map(|&(known, parent)| (known, parent));
                        let better = match known {
                            None => true,
                            Some((known, parent)) => {
                                cost < known || cost == known && parent.is_some_and(|p| place < p)
                            }
                        };
                        if better {
                            outside.insert(key, (cost, Some(place)));
                            changed = true;
                        }
                    }
                }
                if !changed {
                    break;
                }
            }
        }
        Ok(outside)
    }

    /// Appends the letters that an item has read.
    fn spell(
        &self,
        columns: &[Column],
        allowed: &[Allowed],
        place: (u32, u32),
        word: &mut Vec<Letter>,
    ) {
        let mut backwards = Vec::new();
        let mut waiting = vec![place];
        while let Some((column, place)) = waiting.pop() {
            let (item, cause) = columns[column as usize].items[place as usize];
            match cause {
                Cause::Begun => {}
                Cause::Letter(before) => {
                    let position = column as usize - 1;
                    let before_item = columns[position].items[before as usize].0;
                    if let Some(Part::Class(class)) = self.part_after(before_item) {
                        let class = &self.normal.classes[class as usize];
                        backwards.extend(class.and(&allowed[position].letters).first());
                    }
                    waiting.push((position as u32, before));
                }
                Cause::Finished { before, part } => {
                    let origin = columns[column as usize].items[part as usize].0.origin;
                    debug_assert!(origin < column && item.dot > 0);
                    waiting.push((origin, before));
                    waiting.push((column, part));
                }
            }
        }
        backwards.reverse();
        word.extend(backwards);
    }
}

type Outside = FxHashMap<(u32, u32), (usize, Option<u32>)>;
