//! Grammars and queries as sets of texts: every word up to a length, written down.

use base::Random;
use std::collections::BTreeSet;
use std::fmt;

/// The letters of all texts.
const LETTERS: [&str; 3] = ["a", "b", "c"];

/// No text of a query is longer than this.
pub const LONGEST: usize = 6;

const RULES: [&str; 3] = ["S", "A", "B"];

/// A part of an alternative.
#[derive(Clone, Debug)]
pub enum Item {
    Text(String),
    /// `[a-b]`.
    Letters,
    Rule(usize),
    Star(Box<Item>),
    Plus(Box<Item>),
    Option(Box<Item>),
    Group(Vec<Vec<Item>>),
}

/// `cfg S := …;`
#[derive(Clone, Debug)]
pub struct Rule {
    name: usize,
    alternatives: Vec<Vec<Item>>,
}

impl Item {
    fn new(random: &mut Random, rules: usize, depth: usize) -> Item {
        let inner = |random: &mut Random| Box::new(Item::new(random, rules, depth - 1));
        match random.below(if depth == 0 { 5 } else { 10 }) {
            0 | 1 => Item::Text(some_text(random, 2)),
            2 => Item::Letters,
            3..=6 => Item::Rule(random.below(rules)),
            7 => Item::Star(inner(random)),
            8 => match random.coin() {
                true => Item::Plus(inner(random)),
                false => Item::Option(inner(random)),
            },
            _ => Item::Group(alternatives(random, rules, depth - 1)),
        }
    }
}

fn alternatives(random: &mut Random, rules: usize, depth: usize) -> Vec<Vec<Item>> {
    let alternatives = (0..1 + random.below(3)).map(|_| {
        let items = (0..random.below(4)).map(|_| Item::new(random, rules, depth));
        items.collect()
    });
    alternatives.collect()
}

fn some_text(random: &mut Random, longest: usize) -> String {
    let letters = (0..1 + random.below(longest)).map(|_| LETTERS[random.below(3)]);
    letters.collect()
}

impl Rule {
    /// A grammar; its first rule is its start.
    pub fn some(random: &mut Random) -> Vec<Rule> {
        let rules = 1 + random.below(RULES.len());
        let rule = |name| Rule {
            name,
            alternatives: alternatives(random, rules, 1),
        };
        (0..rules).map(rule).collect()
    }
}

/// The words of each rule, up to a length.
pub struct Languages {
    words: Vec<BTreeSet<String>>,
    longest: usize,
}

impl Languages {
    /// What the rules derive: begins with nothing, and applies them until nothing is new.
    pub fn new(rules: &[Rule], longest: usize) -> Languages {
        let words = vec![BTreeSet::new(); rules.len()];
        let mut languages = Languages { words, longest };
        loop {
            let next = rules.iter().map(|it| languages.of_any(&it.alternatives));
            let next: Vec<BTreeSet<String>> = next.collect();
            if next == languages.words {
                return languages;
            }
            languages.words = next;
        }
    }

    /// The words of a rule.
    pub fn of(&self, rule: usize) -> &BTreeSet<String> {
        &self.words[rule]
    }

    fn of_any(&self, alternatives: &[Vec<Item>]) -> BTreeSet<String> {
        let alternatives = alternatives.iter().map(|items| {
            let mut words = BTreeSet::from([String::new()]);
            for item in items {
                words = self.joined(&words, &self.of_item(item));
            }
            words
        });
        alternatives.flatten().collect()
    }

    fn of_item(&self, item: &Item) -> BTreeSet<String> {
        match item {
            Item::Text(text) => BTreeSet::from([text.clone()]),
            Item::Letters => BTreeSet::from(["a".to_owned(), "b".to_owned()]),
            Item::Rule(rule) => self.words[*rule].clone(),
            Item::Group(alternatives) => self.of_any(alternatives),
            Item::Option(item) => {
                let mut words = self.of_item(item);
                words.insert(String::new());
                words
            }
            Item::Star(item) => self.repeated(&self.of_item(item)),
            Item::Plus(item) => {
                let words = self.of_item(item);
                self.joined(&words, &self.repeated(&words))
            }
        }
    }

    fn repeated(&self, words: &BTreeSet<String>) -> BTreeSet<String> {
        let mut all = BTreeSet::from([String::new()]);
        loop {
            let mut more = self.joined(&all, words);
            more.extend(all.iter().cloned());
            if more == all {
                return all;
            }
            all = more;
        }
    }

    fn joined(&self, left: &BTreeSet<String>, right: &BTreeSet<String>) -> BTreeSet<String> {
        let pairs = left.iter().flat_map(|left| {
            let fits = |right: &&String| left.len() + right.len() <= self.longest;
            let right = right.iter().filter(fits);
            right.map(move |right| format!("{left}{right}"))
        });
        pairs.collect()
    }
}

/// What holds of a text.
#[derive(Clone, Debug)]
enum Test {
    In(usize),
    Contains(String),
    Equals(Vec<Piece>),
}

/// A part of a text that is put together.
#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    Unknown(usize),
    /// So many letters of an unknown from an offset on.
    Slice(usize, usize, usize),
}

#[derive(Clone, Debug)]
struct Assertion {
    subject: Vec<Piece>,
    is_negated: bool,
    test: Test,
}

/// Unknown strings, and what must hold of them.
#[derive(Clone, Debug)]
pub struct Query {
    /// The shortest and the longest that each may be.
    unknowns: Vec<(usize, usize)>,
    assertions: Vec<Assertion>,
}

impl Query {
    pub fn new(random: &mut Random, rules: usize) -> Query {
        // All solutions are asked for, which are to be dozens, not thousands.
        let (number, longest) = [(1, 3), (2, 2)][random.below(2)];
        let unknowns = (0..number).map(|_| {
            let least = random.below(longest);
            (least, least + random.below(longest - least + 1))
        });
        let unknowns: Vec<(usize, usize)> = unknowns.collect();
        let assertions = (0..1 + random.below(3)).map(|_| {
            let subject = pieces(random, &unknowns);
            let test = match random.below(6) {
                0..=3 => Test::In(random.below(rules)),
                4 => Test::Contains(some_text(random, 2)),
                _ => Test::Equals(pieces(random, &unknowns)),
            };
            let is_negated = random.below(3) == 0;
            Assertion {
                subject,
                is_negated,
                test,
            }
        });
        Query {
            assertions: assertions.collect(),
            unknowns,
        }
    }

    /// How many assertions there are.
    pub fn parts(&self) -> usize {
        self.assertions.len()
    }

    /// The query with some of its assertions.
    pub fn with(&self, kept: &[usize]) -> Query {
        let kept = kept.iter().map(|&index| self.assertions[index].clone());
        Query {
            unknowns: self.unknowns.clone(),
            assertions: kept.collect(),
        }
    }

    /// The statements that come before the grammar's.
    pub fn declarations(&self) -> String {
        let unknowns = self.unknowns.iter().enumerate();
        let unknowns = unknowns.map(|(index, (least, most))| match least == most {
            true => format!("var v{index} : {least};\n"),
            false => format!("var v{index} : {least}..{most};\n"),
        });
        unknowns.collect()
    }

    /// All solutions: the values of the unknowns, with a space between them.
    pub fn solutions(&self, languages: &Languages) -> impl Iterator<Item = String> {
        let mut all: Vec<Vec<String>> = vec![Vec::new()];
        for &(least, most) in &self.unknowns {
            let texts: Vec<String> = texts(most).filter(|it| it.len() >= least).collect();
            let longer = all.iter().flat_map(|values| {
                let texts = texts.iter();
                texts.map(|text| [values.as_slice(), std::slice::from_ref(text)].concat())
            });
            all = longer.collect();
        }
        let holds = |values: &Vec<String>| {
            let mut assertions = self.assertions.iter();
            assertions.all(|it| it.holds(values, languages))
        };
        let solutions: Vec<String> = all
            .iter()
            .filter(|values| holds(values))
            .map(|it| it.join(" "))
            .collect();
        solutions.into_iter()
    }
}

/// All texts over the letters up to a length.
fn texts(most: usize) -> impl Iterator<Item = String> {
    let mut all = vec![String::new()];
    let mut start = 0;
    for _ in 0..most {
        let end = all.len();
        for index in start..end {
            all.extend(LETTERS.map(|letter| format!("{}{letter}", all[index])));
        }
        start = end;
    }
    all.into_iter()
}

fn pieces(random: &mut Random, unknowns: &[(usize, usize)]) -> Vec<Piece> {
    let pieces = (0..1 + random.below(2)).map(|_| {
        let unknown = random.below(unknowns.len());
        let (_, most) = unknowns[unknown];
        match random.below(4) {
            0 => Piece::Text(some_text(random, 1)),
            1 if most > 0 => {
                let offset = random.below(most);
                Piece::Slice(unknown, offset, 1 + random.below(most - offset))
            }
            _ => Piece::Unknown(unknown),
        }
    });
    pieces.collect()
}

/// The text that is put together; none if an unknown is too short for a slice.
fn put_together(pieces: &[Piece], values: &[String]) -> Option<String> {
    let pieces = pieces.iter().map(|piece| match piece {
        Piece::Text(text) => Some(text.as_str()),
        Piece::Unknown(index) => Some(values[*index].as_str()),
        Piece::Slice(index, offset, length) => values[*index].get(*offset..offset + length),
    });
    pieces.collect()
}

impl Assertion {
    /// A text that is not there makes no assertion hold.
    fn holds(&self, values: &[String], languages: &Languages) -> bool {
        let Some(subject) = put_together(&self.subject, values) else {
            return false;
        };
        let holds = match &self.test {
            Test::In(rule) => languages.of(*rule).contains(&subject),
            Test::Contains(text) => subject.contains(text.as_str()),
            Test::Equals(pieces) => match put_together(pieces, values) {
                Some(other) => subject == other,
                None => return false,
            },
        };
        holds != self.is_negated
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Text(text) => write!(f, "\"{text}\""),
            Item::Letters => f.write_str("[a-b]"),
            Item::Rule(rule) => f.write_str(RULES[*rule]),
            Item::Star(item) => write!(f, "({item})*"),
            Item::Plus(item) => write!(f, "({item})+"),
            Item::Option(item) => write!(f, "({item})?"),
            Item::Group(alternatives) => write!(f, "({})", Alternatives(alternatives)),
        }
    }
}

struct Alternatives<'a>(&'a [Vec<Item>]);

impl fmt::Display for Alternatives<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, items) in self.0.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { " | " })?;
            let items: Vec<String> = items.iter().map(Item::to_string).collect();
            f.write_str(&items.join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = RULES[self.name];
        writeln!(f, "cfg {name} := {};", Alternatives(&self.alternatives))
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Piece::Text(text) => write!(f, "\"{text}\""),
            Piece::Unknown(index) => write!(f, "v{index}"),
            Piece::Slice(index, offset, length) => {
                write!(f, "v{index}[{offset}:{length}]")
            }
        }
    }
}

/// The assertions, with the letters that the unknowns are made of.
impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "reg Letters := star(['a'-'c']);")?;
        for index in 0..self.unknowns.len() {
            writeln!(f, "assert v{index} in Letters;")?;
        }
        for (index, assertion) in self.assertions.iter().enumerate() {
            let name = |side: &str| format!("{side}{index}");
            let define = |f: &mut fmt::Formatter<'_>, side: &str, pieces: &[Piece]| {
                let pieces: Vec<String> = pieces.iter().map(Piece::to_string).collect();
                writeln!(f, "val {} := concat({});", name(side), pieces.join(", "))
            };
            define(f, "q", &assertion.subject)?;
            let not = if assertion.is_negated { "not " } else { "" };
            match &assertion.test {
                Test::In(rule) => writeln!(f, "assert q{index} {not}in {};", RULES[*rule])?,
                Test::Contains(text) => writeln!(f, "assert q{index} {not}contains \"{text}\";")?,
                Test::Equals(pieces) => {
                    define(f, "r", pieces)?;
                    let sign = if assertion.is_negated { "!=" } else { "=" };
                    writeln!(f, "assert q{index} {sign} r{index};")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_down_up_to_the_length() {
        let text = |text: &str| Item::Text(text.to_owned());
        let nested = vec![text("a"), Item::Rule(0), text("b")];
        let rule = Rule {
            name: 0,
            alternatives: vec![nested, Vec::new()],
        };
        assert_eq!(rule.to_string(), "cfg S := \"a\" S \"b\" | ;\n");
        let words = Languages::new(&[rule], 5);
        assert!(words.of(0).iter().eq(["", "aabb", "ab"]));
    }

    #[test]
    fn a_slice_that_is_not_there_makes_nothing_hold() {
        let values = ["ab".to_owned()];
        let slice = |offset| put_together(&[Piece::Slice(0, offset, 1)], &values);
        assert_eq!(slice(1).as_deref(), Some("b"));
        assert_eq!(slice(2), None);
    }
}
