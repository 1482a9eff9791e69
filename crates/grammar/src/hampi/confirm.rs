//! Whether values fulfil a query, found out without terms or solvers.
//!
//! Strings are put together, words of grammars are recognised by Earley's
//! algorithm, and regular languages by following all ways through a string at
//! once. The encodings share none of it.

use super::{Claim, Query, Text};
use crate::cfg::Cfg;
use crate::letters::Letter;
use crate::regular::{Regular, RegularId};
use rustc_hash::FxHashMap;

/// Whether these values of the variables fulfil every assertion; `grammar` gives
/// the grammar over bytes of a rule.
pub(super) fn fulfils(query: &Query, grammars: &FxHashMap<usize, Cfg>, values: &[Vec<u8>]) -> bool {
    let lengths = query.variables.iter().zip(values);
    let mut fine = lengths
        .into_iter()
        .all(|(variable, value)| (variable.least..=variable.most).contains(&value.len()));
    let mut strings: Vec<Vec<u8>> = Vec::with_capacity(query.strings.len());
    for text in &query.strings {
        let value = match text {
            Text::Variable(variable) => values[*variable].clone(),
            Text::Constant(text) => text.clone(),
            Text::Concat(members) => members.iter().flat_map(|&m| strings[m].clone()).collect(),
            Text::Slice { of, offset, length } => {
                let slice = strings[*of].get(*offset..offset + length);
                fine &= slice.is_some();
                slice.unwrap_or_default().to_vec()
            }
        };
        strings.push(value);
    }
    fine && query.assertions.iter().all(|assertion| {
        let subject = &strings[assertion.subject];
        let holds = match &assertion.claim {
            Claim::InGrammar(rule) => grammars[rule].accepts(&letters(subject)),
            Claim::InRegular(root) => {
                let ends = Matcher { query, grammars }.ends(*root, subject);
                ends[0][subject.len()]
            }
            Claim::Contains(part) => {
                part.is_empty() || subject.windows(part.len()).any(|window| window == part)
            }
            Claim::Equals(other) => *subject == strings[*other],
        };
        holds != assertion.negated
    })
}

fn letters(text: &[u8]) -> Vec<Letter> {
    text.iter().map(|&byte| byte.into()).collect()
}

struct Matcher<'a> {
    query: &'a Query,
    grammars: &'a FxHashMap<usize, Cfg>,
}

/// By start and end, whether the bytes between are a word.
type Ends = Vec<Vec<bool>>;

impl Matcher<'_> {
    fn ends(&self, root: RegularId, text: &[u8]) -> Ends {
        let size = text.len() + 1;
        let nothing = || vec![vec![false; size]; size];
        let mut tables: Vec<Ends> = Vec::with_capacity(root + 1);
        let needed = crate::regular::needed(&self.query.regular, root);
        for (regular, needed) in self.query.regular[..=root].iter().zip(needed) {
            let mut table = if needed { nothing() } else { Vec::new() };
            match regular {
                _ if !needed => {}
                Regular::Text(word) => {
                    for (start, row) in table.iter_mut().enumerate() {
                        if text[start..].starts_with(word) {
                            row[start + word.len()] = true;
                        }
                    }
                }
                Regular::Set(set) => {
                    for (at, &byte) in text.iter().enumerate() {
                        table[at][at + 1] = set.contains(byte.into());
                    }
                }
                Regular::Union(members) => {
                    for &member in members {
                        for (row, other) in table.iter_mut().zip(&tables[member]) {
                            row.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
                        }
                    }
                }
                Regular::Concat(members) => {
                    for (start, row) in table.iter_mut().enumerate() {
                        let mut reached = vec![false; size];
                        reached[start] = true;
                        for &member in members {
                            reached = step(&tables[member], &reached);
                        }
                        *row = reached;
                    }
                }
                Regular::Star(member) => {
                    for (start, row) in table.iter_mut().enumerate() {
                        row[start] = true;
                        // Words only lead forward, so one pass in order is enough.
                        for at in start..size {
                            if row[at] {
                                for (end, ends) in tables[*member][at].iter().enumerate() {
                                    row[end] |= ends;
                                }
                            }
                        }
                    }
                }
                Regular::Fixed(number, length) => {
                    let grammar = &self.grammars[&self.query.fixed[*number]];
                    for start in 0..size.saturating_sub(*length) {
                        let word = letters(&text[start..start + length]);
                        table[start][start + length] = grammar.accepts(&word);
                    }
                }
            }
            tables.push(table);
        }
        tables.pop().expect("the root has a table")
    }
}

/// The positions that a word leads to from one of these.
fn step(table: &Ends, from: &[bool]) -> Vec<bool> {
    let mut reached = vec![false; from.len()];
    for (row, _) in table.iter().zip(from).filter(|(_, from)| **from) {
        reached.iter_mut().zip(row).for_each(|(a, b)| *a |= b);
    }
    reached
}
