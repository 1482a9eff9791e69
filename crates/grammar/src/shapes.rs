//! The shapes of words: parse trees whose leaves are sets of letters.
//!
//! Two words have the same shape if a parse tree derives one and, with other letters of the
//! same sets at its leaves, the other. There are far fewer shapes than words, and a program
//! that reads words tends to go the same way for all words of one. Alternatives of a rule
//! that are one letter each are one leaf: `"+" | "-"` is `[+\-]`.
//!
//! A shape is told by its leaves. Where a grammar is ambiguous, trees that have the same
//! leaves are one shape, of which one tree is kept.

use crate::cfg::{Cfg, Part};
use crate::letters::LetterSet;
use base::{Stop, Stopped};
use indexmap::IndexMap;
use std::rc::Rc;

/// Shapes of all rules and lengths together that are kept.
const MOST: usize = 2_000_000;
/// Productions that are put together between two looks at the stop token.
const LOOK_EVERY: u32 = 1024;

/// One shape.
#[derive(Clone, Debug)]
pub struct Shape {
    /// What each letter may be.
    pub leaves: Vec<Rc<LetterSet>>,
    /// A parse tree of it.
    pub tree: Rc<Tree>,
}

/// A parse tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    /// The next letter.
    Leaf,
    /// What a rule derives.
    Node(u32, Vec<Rc<Tree>>),
}

/// Why shapes are not all there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TooMany {
    /// There are more than fit.
    #[error("there are more than {MOST} shapes")]
    Shapes,
    /// The stop token was set before.
    #[error("stopped before all shapes were found")]
    Stopped,
}

impl From<Stopped> for TooMany {
    fn from(_: Stopped) -> TooMany {
        TooMany::Stopped
    }
}

/// The shapes of a grammar's words of up to `most` letters, the shortest first.
///
/// # Errors
///
/// When there are too many, or `stop` is set on the way.
pub fn shapes(cfg: &Cfg, most: usize, stop: &Stop) -> Result<Vec<Shape>, TooMany> {
    let mut search = Search::new(cfg, stop);
    for length in 0..=most {
        search.find(length)?;
    }
    let classes: Vec<Rc<LetterSet>> = search.classes.iter().cloned().map(Rc::new).collect();
    let found = search.found[cfg.start].iter().flatten();
    let shape = |(leaves, tree): (&Leaves, &Rc<Tree>)| Shape {
        leaves: leaves
            .iter()
            .map(|&it| classes[it as usize].clone())
            .collect(),
        tree: tree.clone(),
    };
    Ok(found.map(shape).collect())
}

/// The classes of the letters.
type Leaves = Rc<[u32]>;

struct Search<'a> {
    rules: Vec<Vec<Vec<Part>>>,
    classes: Vec<LetterSet>,
    /// The least length of what a rule derives; none if it derives nothing.
    least: Vec<Option<usize>>,
    /// The shapes of each rule, by their length.
    found: Vec<Vec<IndexMap<Leaves, Rc<Tree>>>>,
    count: usize,
    looked: u32,
    stop: &'a Stop,
}

/// The beginning of a production that is put together.
#[derive(Clone, Default)]
struct Begun {
    leaves: Vec<u32>,
    children: Vec<Rc<Tree>>,
}

impl Shape {
    /// The tree in one line: a pair of brackets for each rule, with its name, around what it
    /// derives. `name` gives those of rules that have one, `letter` writes a leaf.
    pub fn text(
        &self,
        name: impl Fn(u32) -> Option<String>,
        letter: impl Fn(&LetterSet) -> String,
    ) -> String {
        enum Step<'t> {
            Tree(&'t Tree),
            Close,
        }
        let mut leaves = self.leaves.iter();
        let mut text = String::new();
        let mut waiting = vec![Step::Tree(&self.tree)];
        while let Some(step) = waiting.pop() {
            let word = match step {
                Step::Close => {
                    text.push(')');
                    continue;
                }
                Step::Tree(Tree::Leaf) => leaves.next().map(|leaf| letter(leaf)),
                Step::Tree(Tree::Node(rule, children)) => {
                    let name = name(*rule);
                    waiting.extend(name.is_some().then_some(Step::Close));
                    waiting.extend(children.iter().rev().map(|it| Step::Tree(it)));
                    name.map(|name| format!("({name}"))
                }
            };
            if let Some(word) = word {
                let is_first = text.is_empty();
                text.extend((!is_first).then_some(' '));
                text += &word;
            }
        }
        text
    }
}

impl<'a> Search<'a> {
    fn new(cfg: &Cfg, stop: &'a Stop) -> Search<'a> {
        let mut classes = cfg.classes.clone();
        let rules = cfg.rules.iter();
        let rules: Vec<_> = rules.map(|ways| joined(ways, &mut classes)).collect();
        let least = least_lengths(&rules, &classes);
        Search {
            found: vec![Vec::new(); rules.len()],
            rules,
            classes,
            least,
            count: 0,
            looked: 0,
            stop,
        }
    }

    /// Finds the shapes of one length more. What derives nothing beside another rule may
    /// need that rule's shapes of the same length, so that this goes on until there are no
    /// more.
    fn find(&mut self, length: usize) -> Result<(), TooMany> {
        for found in &mut self.found {
            found.push(IndexMap::new());
        }
        loop {
            let before = self.count;
            for rule in 0..self.rules.len() {
                for way in 0..self.rules[rule].len() {
                    let whole = self.put_together((rule, way), length)?;
                    for Begun { leaves, children } in whole {
                        let known = &mut self.found[rule][length];
                        let leaves: Leaves = leaves.into();
                        if !known.contains_key(&leaves) {
                            let tree = Tree::Node(rule as u32, children);
                            known.insert(leaves, Rc::new(tree));
                            self.count += 1;
                        }
                    }
                    if self.count > MOST {
                        return Err(TooMany::Shapes);
                    }
                }
            }
            if self.count == before {
                return Ok(());
            }
        }
    }

    /// What a production derives of this length, of what is known of its rules.
    fn put_together(
        &mut self,
        (rule, way): (usize, usize),
        length: usize,
    ) -> Result<Vec<Begun>, TooMany> {
        let parts = &self.rules[rule][way];
        let mut whole = Vec::new();
        // What was begun, the part it goes on with, and the letters that are left.
        let mut waiting = vec![(Begun::default(), 0, length)];
        while let Some((mut begun, at, left)) = waiting.pop() {
            self.looked = self.looked.wrapping_add(1);
            if self.looked.is_multiple_of(LOOK_EVERY) {
                self.stop.check()?;
            }
            if whole.len() + waiting.len() > MOST {
                return Err(TooMany::Shapes);
            }
            let Some(&part) = parts.get(at) else {
                if left == 0 {
                    whole.push(begun);
                }
                continue;
            };
            let mut rest = parts[at + 1..].iter();
            let rest = rest.try_fold(0usize, |sum, part| Some(sum + self.least_of(*part)?));
            let Some(room) = rest.and_then(|rest| left.checked_sub(rest)) else {
                continue;
            };
            match part {
                Part::Class(class) => {
                    if room > 0 && !self.classes[class as usize].is_empty() {
                        begun.leaves.push(class);
                        begun.children.push(Rc::new(Tree::Leaf));
                        waiting.push((begun, at + 1, left - 1));
                    }
                }
                Part::Rule(other) => {
                    let least = self.least[other as usize].unwrap_or(usize::MAX);
                    // The last that is put down is the first that is taken up.
                    for length in (least..=room).rev() {
                        for (leaves, tree) in self.found[other as usize][length].iter().rev() {
                            let mut longer = begun.clone();
                            longer.leaves.extend(leaves.iter());
                            longer.children.push(tree.clone());
                            waiting.push((longer, at + 1, left - length));
                        }
                    }
                }
            }
        }
        Ok(whole)
    }

    fn least_of(&self, part: Part) -> Option<usize> {
        match part {
            Part::Class(_) => Some(1),
            Part::Rule(rule) => self.least[rule as usize],
        }
    }
}

/// The productions of a rule, those that are one letter each joined to one.
fn joined(ways: &[Vec<Part>], classes: &mut Vec<LetterSet>) -> Vec<Vec<Part>> {
    let letter = |way: &[Part]| match way {
        [Part::Class(class)] => Some(*class),
        _ => None,
    };
    let letters: Vec<u32> = ways.iter().filter_map(|way| letter(way)).collect();
    let [first, others @ ..] = &letters[..] else {
        return ways.to_vec();
    };
    let mut set = classes[*first as usize].clone();
    for &other in others {
        for letter in classes[other as usize].clone().iter() {
            set.insert(letter);
        }
    }
    let known = classes.iter().position(|it| *it == set);
    let class = known.unwrap_or_else(|| {
        classes.push(set);
        classes.len() - 1
    });
    let longer = ways.iter().filter(|way| letter(way).is_none()).cloned();
    [vec![Part::Class(class as u32)]]
        .into_iter()
        .chain(longer)
        .collect()
}

/// The least length of what each rule derives.
fn least_lengths(rules: &[Vec<Vec<Part>>], classes: &[LetterSet]) -> Vec<Option<usize>> {
    let mut least: Vec<Option<usize>> = vec![None; rules.len()];
    loop {
        let mut changed = false;
        for (rule, ways) in rules.iter().enumerate() {
            let length = |way: &Vec<Part>| {
                way.iter().try_fold(0usize, |sum, part| {
                    let own = match *part {
                        Part::Class(class) => (!classes[class as usize].is_empty()).then_some(1),
                        Part::Rule(other) => least[other as usize],
                    };
                    Some(sum + own?)
                })
            };
            let shortest = ways.iter().filter_map(length).min();
            if shortest.is_some() && (least[rule].is_none() || shortest < least[rule]) {
                least[rule] = shortest;
                changed = true;
            }
        }
        if !changed {
            return least;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use std::collections::BTreeSet;

    fn found(text: &str, most: usize) -> Vec<String> {
        let grammar = read::bnf(text).expect("it is BNF");
        let cfg = grammar.bytes().expect("every token is defined");
        let shapes = shapes(&cfg, most, &Stop::never()).expect("there are few");
        let text = |set: &Rc<LetterSet>| match set.len() {
            1 => char::from(set.first().unwrap_or(0) as u8).to_string(),
            _ => {
                let ranges = set.ranges().into_iter();
                let ranges = ranges.map(|(low, high)| match low == high {
                    true => char::from(low as u8).to_string(),
                    false => format!("{}-{}", char::from(low as u8), char::from(high as u8)),
                });
                format!("[{}]", ranges.collect::<String>())
            }
        };
        let shapes = shapes.iter();
        shapes
            .map(|it| it.leaves.iter().map(text).collect())
            .collect()
    }

    #[test]
    fn alternatives_of_one_letter_are_one_leaf() {
        let sums = r#"
            <start> ::= <digit> | <start> <sign> <digit>
            <digit> ::= "0" | "1" | "2"
            <sign> ::= "+" | "-"
        "#;
        assert_eq!(
            found(sums, 5),
            ["[0-2]", "[0-2][+-][0-2]", "[0-2][+-][0-2][+-][0-2]"]
        );
    }

    #[test]
    fn rules_that_derive_nothing_and_rules_in_a_ring_come_to_an_end() {
        let text = r#"
            <start> ::= <a> <b> | <start>
            <a> ::= "" | <start> | "x" <a>
            <b> ::= <a> | "y"
        "#;
        let all = found(text, 2);
        let different: BTreeSet<&String> = all.iter().collect();
        assert_eq!(different.len(), all.len());
        assert_eq!(all, ["", "y", "x", "xy", "xx", "yy", "yx"]);
    }

    /// The words of the shapes, written out, are the words of the grammar.
    #[test]
    fn shapes_have_exactly_the_words_of_the_grammar() {
        let text = r#"
            <start> ::= <sum>
            <sum> ::= <factor> | <sum> "+" <factor>
            <factor> ::= "1" | "2" | "(" <sum> ")" | "-" <factor>
        "#;
        let grammar = read::bnf(text).expect("it is BNF");
        let cfg = grammar.bytes().expect("every token is defined");
        let mut words = BTreeSet::new();
        for shape in shapes(&cfg, 5, &Stop::never()).expect("there are few") {
            let mut all = vec![Vec::new()];
            for leaf in &shape.leaves {
                let longer = all.iter().flat_map(|word: &Vec<u16>| {
                    leaf.iter()
                        .map(move |letter| [&word[..], &[letter]].concat())
                });
                all = longer.collect();
            }
            words.extend(all);
        }
        let letters: Vec<u16> = b"12+-()".iter().map(|&it| it.into()).collect();
        let mut texts = vec![Vec::new()];
        let mut expected = BTreeSet::new();
        for _ in 0..=5 {
            expected.extend(texts.iter().filter(|it| cfg.accepts(it)).cloned());
            let longer = texts.iter().flat_map(|word: &Vec<u16>| {
                letters
                    .iter()
                    .map(move |&letter| [&word[..], &[letter]].concat())
            });
            texts = longer.collect();
        }
        assert_eq!(words, expected);
    }
}
