//! Tokens that may touch, and tokens that may not.
//!
//! A lexer takes the longest token it can, so that `function f` without its space
//! is one name. A grammar over bytes does not say that by itself. Here marks stand
//! where one token ends and the next begins, and the grammar is intersected with
//! the automaton that refuses a mark between two bytes of words. The marks are gone
//! afterwards.

use crate::cfg::{Cfg, CfgBuilder, Part};
use crate::letters::{BYTES, Letter, LetterSet};
use rustc_hash::FxHashMap;

/// The states of the automaton: what the byte before is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Before {
    /// None, or none of a word.
    Other,
    /// One of a word.
    Word,
    /// One of a word, and a mark after it.
    Ended,
}

const STATES: [Before; 3] = [Before::Other, Before::Word, Before::Ended];

/// Parts to derive on the way from one state to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Passage {
    parts: Parts,
    from: Before,
    to: Before,
}

/// A rule of the grammar, or the end of one of its productions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Parts {
    Rule(u32),
    Tail(Tail),
}

/// The end of a production, by its number among the [`Tails`].
type Tail = usize;

/// The end of ends.
const NOTHING: Tail = 0;

/// The ends of all productions, equal ones once. Each is its first part and the end
/// after that, so that all the ends of a long text take as much room as the text.
struct Tails {
    cells: Vec<(Part, Tail)>,
    known: FxHashMap<(Part, Tail), Tail>,
}

impl Tails {
    fn of(&mut self, parts: &[Part]) -> Tail {
        let cons = |rest: Tail, &first: &Part| {
            *self.known.entry((first, rest)).or_insert_with(|| {
                self.cells.push((first, rest));
                self.cells.len()
            })
        };
        parts.iter().rev().fold(NOTHING, cons)
    }

    /// The first part of an end, and the end after it.
    fn split(&self, tail: Tail) -> Option<(Part, Tail)> {
        tail.checked_sub(1).map(|at| self.cells[at])
    }
}

/// The grammar without its marks, and without words in which a mark is between
/// two bytes of words: letters, digits, underscores and what is not ASCII.
pub(crate) fn separated(cfg: &Cfg, mark: Part) -> Cfg {
    let mut tails = Tails {
        cells: Vec::new(),
        known: FxHashMap::default(),
    };
    let productions = cfg.rules.iter().map(|productions| {
        let productions = productions.iter().map(|parts| tails.of(parts));
        productions.collect()
    });
    let mut separator = Separator {
        productions: productions.collect(),
        tails,
        cfg,
        mark,
        words: LetterSet::of(BYTES, (0..BYTES as Letter).filter(|&byte| is_word(byte))),
        builder: CfgBuilder::new(cfg.letters),
        numbers: FxHashMap::default(),
        waiting: Vec::new(),
    };
    separator.builder.rule(Vec::new());
    let start = Parts::Rule(cfg.start as u32);
    let ways = STATES.map(|to| vec![separator.passage(start, Before::Other, to)]);
    separator.builder.rules[0] = ways.to_vec();
    while let Some((number, passage)) = separator.waiting.pop() {
        let productions = separator.productions(passage);
        separator.builder.rules[number] = productions;
    }
    separator.builder.finish(0)
}

fn is_word(byte: Letter) -> bool {
    let byte = byte as u8;
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

struct Separator<'a> {
    cfg: &'a Cfg,
    tails: Tails,
    /// By rule, what it derives.
    productions: Vec<Vec<Tail>>,
    mark: Part,
    words: LetterSet,
    builder: CfgBuilder,
    numbers: FxHashMap<Passage, Part>,
    waiting: Vec<(usize, Passage)>,
}

impl Separator<'_> {
    /// The rule for a passage; its productions follow later.
    fn passage(&mut self, parts: Parts, from: Before, to: Before) -> Part {
        let passage = Passage { parts, from, to };
        if let Some(&known) = self.numbers.get(&passage) {
            return known;
        }
        let number = self.builder.rules.len();
        let part = self.builder.rule(Vec::new());
        self.numbers.insert(passage, part);
        self.waiting.push((number, passage));
        part
    }

    fn productions(&mut self, passage: Passage) -> Vec<Vec<Part>> {
        let sequences = match passage.parts {
            Parts::Rule(rule) => self.productions[rule as usize].clone(),
            Parts::Tail(tail) => vec![tail],
        };
        let mut productions = Vec::new();
        for sequence in sequences {
            let Some((first, rest)) = self.tails.split(sequence) else {
                if passage.from == passage.to {
                    productions.push(Vec::new());
                }
                continue;
            };
            for (mut way, middle) in self.first(first, passage.from) {
                if rest != NOTHING {
                    way.push(self.passage(Parts::Tail(rest), middle, passage.to));
                    productions.push(way);
                } else if middle == passage.to {
                    productions.push(way);
                }
            }
        }
        productions
    }

    /// The ways to derive a part from a state, and the states they lead to.
    fn first(&mut self, part: Part, from: Before) -> Vec<(Vec<Part>, Before)> {
        match part {
            _ if part == self.mark => {
                let after = match from {
                    Before::Other => Before::Other,
                    Before::Word | Before::Ended => Before::Ended,
                };
                vec![(Vec::new(), after)]
            }
            Part::Rule(rule) => STATES
                .map(|to| (vec![self.passage(Parts::Rule(rule), from, to)], to))
                .to_vec(),
            Part::Class(class) => {
                let set = &self.cfg.classes[class as usize];
                let halves = [
                    (set.and(&self.words), Before::Word),
                    (set.without(&self.words), Before::Other),
                ];
                let possible = halves.into_iter().filter(|(half, to)| {
                    let meet = from == Before::Ended && *to == Before::Word;
                    !half.is_empty() && !meet
                });
                let possible: Vec<(LetterSet, Before)> = possible.collect();
                let ways = possible.into_iter();
                ways.map(|(half, to)| (vec![self.builder.class(&half)], to))
                    .collect()
            }
        }
    }
}
