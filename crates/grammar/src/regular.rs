//! Regular languages over bytes, as expressions that share their parts.

use crate::cfg::{Cfg, CfgBuilder, Part};
use crate::letters::{BYTES, LetterSet};
use crate::normal::{Normal, Way};

/// An expression's number among all.
pub type RegularId = usize;

/// A regular language; parts have smaller numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Regular {
    /// These bytes alone.
    Text(Vec<u8>),
    /// One of these bytes.
    Set(LetterSet),
    /// A word of any of them.
    Union(Vec<RegularId>),
    /// A word of each, one after the other.
    Concat(Vec<RegularId>),
    /// Any number of words.
    Star(RegularId),
    /// The words of a context-free grammar that have this length; the grammar is
    /// a number into a list beside.
    Fixed(usize, usize),
}

/// The language as a grammar over bytes; `grammars` are those that it names.
pub fn to_cfg(all: &[Regular], root: RegularId, grammars: &[Normal]) -> Cfg {
    let mut builder = CfgBuilder::new(BYTES);
    let needed = needed(all, root);
    let mut parts: Vec<Option<Part>> = vec![None; all.len()];
    for id in (0..=root).filter(|&id| needed[id]) {
        let of = |id: RegularId| parts[id].expect("parts have smaller numbers");
        let ways = match &all[id] {
            Regular::Text(text) => vec![builder.text(text)],
            Regular::Set(set) => vec![vec![builder.class(set)]],
            Regular::Union(members) => members.iter().map(|&member| vec![of(member)]).collect(),
            Regular::Concat(members) => vec![members.iter().map(|&member| of(member)).collect()],
            Regular::Star(member) => {
                let itself = Part::Rule(builder.rules.len() as u32);
                vec![Vec::new(), vec![of(*member), itself]]
            }
            Regular::Fixed(grammar, length) => {
                let fixed = fixed_size(&grammars[*grammar], *length);
                vec![vec![builder.embed(&fixed)]]
            }
        };
        parts[id] = Some(builder.rule(ways));
    }
    let Some(Part::Rule(start)) = parts[root] else {
        unreachable!("the root was just made a rule");
    };
    builder.finish(start as usize)
}

/// Which expressions the root is made of.
pub(crate) fn needed(all: &[Regular], root: RegularId) -> Vec<bool> {
    let mut needed = vec![false; all.len()];
    needed[root] = true;
    for id in (0..=root).rev() {
        if !needed[id] {
            continue;
        }
        match &all[id] {
            Regular::Union(members) | Regular::Concat(members) => {
                for &member in members {
                    needed[member] = true;
                }
            }
            Regular::Star(member) => needed[*member] = true,
            Regular::Text(_) | Regular::Set(_) | Regular::Fixed(..) => {}
        }
    }
    needed
}

/// The words of one length as a grammar: a rule a rule and length.
fn fixed_size(normal: &Normal, length: usize) -> Cfg {
    let has = normal.lengths(length);
    let mut builder = CfgBuilder::new(normal.letters);
    let classes: Vec<Part> = normal
        .classes
        .iter()
        .map(|set| builder.class(set))
        .collect();
    let mut number = vec![vec![None; length + 1]; normal.rules.len()];
    let part_of = |number: &[Vec<Option<Part>>], part: Part, length: usize| match part {
        Part::Class(class) => (length == 1).then(|| classes[class as usize]),
        Part::Rule(rule) => number[rule as usize][length],
    };
    for length in 1..=length {
        for (rule, ways) in normal.rules.iter().enumerate() {
            if !has[rule][length] {
                continue;
            }
            let mut productions = Vec::new();
            for way in ways {
                match *way {
                    Way::One(part) => {
                        productions.extend(part_of(&number, part, length).map(|part| vec![part]));
                    }
                    Way::Two(a, b) => productions.extend((1..length).filter_map(|first| {
                        let left = part_of(&number, a, first)?;
                        let right = part_of(&number, b, length - first)?;
                        Some(vec![left, right])
                    })),
                }
            }
            number[rule][length] = Some(builder.rule(productions));
        }
    }
    let whole = match (length, normal.start) {
        (0, _) if normal.empty => vec![Vec::new()],
        (1.., Some(start)) => number[start as usize][length]
            .map(|p| vec![p])
            .into_iter()
            .collect(),
        _ => Vec::new(),
    };
    let start = builder.rules.len();
    builder.rule(whole);
    builder.finish(start)
}
