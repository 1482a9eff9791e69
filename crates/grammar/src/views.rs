//! A grammar as its words are made of letters.
//!
//! A [`Grammar`] can be looked at in two ways. Over *bytes*, its words are texts:
//! tokens are spelled out, and what is skipped may stand between them, and must
//! between two that would otherwise be one. Over
//! *tokens*, its words are sequences of tokens, each one letter; what a token is
//! spelled like does not matter.

use crate::cfg::{Cfg, CfgBuilder, Part};
use crate::grammar::{Grammar, Production, Role, RuleId, Symbol};
use crate::letters::{BYTES, Letter, LetterSet};
use crate::problem::{Problem, Problems};
use crate::separate::separated;
use rustc_hash::FxHashMap;

/// A token as a letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// A rule's name, or a text in quotes.
    pub name: String,
    /// How it is spelled: the text itself, or a shortest word of the rule;
    /// nothing for a token that is defined elsewhere.
    pub spelling: Option<Vec<u8>>,
    /// Whether that is its only spelling.
    pub fixed: bool,
}

/// A grammar over tokens: the letters' names, and the productions.
#[derive(Clone, Debug)]
pub struct TokenView {
    /// The tokens, by letter.
    pub tokens: Vec<Token>,
    /// The grammar over them.
    pub cfg: Cfg,
}

impl TokenView {
    /// The letter of the token of this name, or of this only spelling.
    pub fn letter(&self, name: &str) -> Option<Letter> {
        let mut tokens = self.tokens.iter();
        let spelled =
            |token: &Token| token.fixed && token.spelling.as_deref() == Some(name.as_bytes());
        let by_name = tokens.position(|token| token.name == name);
        let found = by_name.or_else(|| self.tokens.iter().position(spelled));
        found.map(|at| at as Letter)
    }

    /// The tokens' spellings with one space between them; an error is a token
    /// that has none.
    pub fn spell(&self, word: &[Letter]) -> Result<Vec<u8>, &Token> {
        let tokens = word.iter().map(|&letter| &self.tokens[usize::from(letter)]);
        let spellings = tokens.map(|token| token.spelling.as_deref().ok_or(token));
        Ok(spellings
            .collect::<Result<Vec<&[u8]>, &Token>>()?
            .join(&b' '))
    }
}

impl Grammar {
    /// The grammar over bytes; an error names the tokens that are not defined.
    pub fn bytes(&self) -> Result<Cfg, Problems> {
        let reachable = self.reachable();
        let missing = self.rules.iter().zip(&reachable);
        let missing = missing.filter(|(rule, reached)| **reached && rule.role == Role::Declared);
        let problems = missing.map(|(rule, _)| {
            let words = format!(
                "the token `{}` is not defined here, so it has no spelling",
                rule.name
            );
            Problem::new(rule.place, words)
        });
        Problems::none_in(problems.collect())?;
        Ok(ByteView::new(self).cfg(self.start))
    }

    /// The bytes that one rule derives, without anything skipped around it.
    pub fn bytes_of(&self, rule: RuleId) -> Cfg {
        let mut view = ByteView::new(self);
        view.gap = None;
        view.cfg(rule)
    }

    /// The spellings of a token over bytes; nothing for one that is a text, or is
    /// defined elsewhere.
    pub fn spellings(&self, token: &Token) -> Option<Cfg> {
        if let Some(rule) = self.rule(&token.name) {
            let defined = self.rules[rule].role != Role::Declared;
            return defined.then(|| self.bytes_of(rule));
        }
        let productions = self.rules.iter().flat_map(|rule| &rule.productions);
        let mut symbols = productions.flat_map(|production| &production.symbols);
        let set = symbols.find_map(|symbol| match symbol {
            Symbol::Chars(set) if crate::write::set(set) == token.name => Some(set),
            _ => None,
        })?;
        let mut builder = CfgBuilder::new(BYTES);
        let ways = set.spellings();
        let ways = ways
            .iter()
            .map(|sets| sets.iter().map(|set| builder.class(set)).collect())
            .collect();
        builder.rule(ways);
        Some(builder.finish(0))
    }

    /// The grammar over tokens: its token rules and the texts in other rules, or
    /// only the texts and sets where there are no token rules.
    pub fn tokens(&self) -> TokenView {
        let view = Tokens {
            grammar: self,
            tokens: Vec::new(),
            by_text: FxHashMap::default(),
            by_rule: FxHashMap::default(),
        };
        view.finish()
    }
}

struct ByteView<'a> {
    grammar: &'a Grammar,
    builder: CfgBuilder,
    /// The mark after a token and what may stand between it and the next, where
    /// something may.
    gap: Option<[Part; 2]>,
}

impl<'a> ByteView<'a> {
    fn new(grammar: &'a Grammar) -> ByteView<'a> {
        let mut builder = CfgBuilder::new(BYTES);
        builder.rules = vec![Vec::new(); grammar.rules.len()];
        let skipped = grammar.rules.iter().enumerate();
        let skipped: Vec<Part> = skipped
            .filter(|(_, rule)| rule.role == Role::Skipped)
            .map(|(id, _)| Part::Rule(id as u32))
            .collect();
        let mut gap = None;
        if !skipped.is_empty() && grammar.has_tokens() {
            // No set of characters has an empty class, so it can be the mark.
            let mark = builder.class(&LetterSet::none(BYTES));
            let itself = Part::Rule(builder.rules.len() as u32);
            let mut ways = vec![Vec::new()];
            ways.extend(skipped.into_iter().map(|rule| vec![rule, mark, itself]));
            gap = Some([mark, builder.rule(ways)]);
        }
        ByteView {
            grammar,
            builder,
            gap,
        }
    }

    fn cfg(mut self, start: RuleId) -> Cfg {
        // A view of one token is not to cost as much as one of all.
        let reachable = match self.gap {
            Some(_) => self.grammar.reachable(),
            None => self.grammar.reachable_from(vec![start]),
        };
        for (id, rule) in self.grammar.rules.iter().enumerate() {
            if !reachable[id] {
                continue;
            }
            let in_syntax = matches!(rule.role, Role::Syntax | Role::Made);
            let ways = rule.productions.iter();
            let ways: Vec<_> = ways.map(|p| self.parts(&p.symbols, in_syntax)).collect();
            self.builder.rules[id] = ways;
        }
        let Some([mark, gap]) = self.gap else {
            return self.builder.finish(start);
        };
        let first = self.builder.rules.len();
        self.builder.rule(vec![vec![gap, Part::Rule(start as u32)]]);
        separated(&self.builder.finish(first), mark)
    }

    fn parts(&mut self, symbols: &[Symbol], in_syntax: bool) -> Vec<Part> {
        let mut parts = Vec::new();
        for symbol in symbols {
            let token = match symbol {
                Symbol::Rule(id) => {
                    parts.push(Part::Rule(*id as u32));
                    self.grammar.rules[*id].role == Role::Token
                }
                Symbol::Text(text) => {
                    parts.extend(self.builder.text(text));
                    true
                }
                Symbol::Chars(set) => {
                    let spellings = set.spellings();
                    let mut ways: Vec<Vec<Part>> = spellings
                        .iter()
                        .map(|sets| sets.iter().map(|set| self.builder.class(set)).collect())
                        .collect();
                    match ways.len() {
                        1 => parts.append(&mut ways[0]),
                        _ => parts.push(self.builder.rule(ways)),
                    }
                    true
                }
            };
            if token && in_syntax {
                parts.extend(self.gap.into_iter().flatten());
            }
        }
        parts
    }
}

struct Tokens<'a> {
    grammar: &'a Grammar,
    tokens: Vec<Token>,
    by_text: FxHashMap<Vec<u8>, Letter>,
    by_rule: FxHashMap<RuleId, Letter>,
}

impl Tokens<'_> {
    fn rule_token(&mut self, id: RuleId) -> Letter {
        if let Some(&letter) = self.by_rule.get(&id) {
            return letter;
        }
        let rule = &self.grammar.rules[id];
        let spelling = match rule.role {
            Role::Declared => None,
            _ => shortest(&self.grammar.bytes_of(id)),
        };
        let only = |production: &Production| matches!(production.symbols[..], [Symbol::Text(_)]);
        let fixed = rule.productions.len() == 1 && rule.productions.iter().all(only);
        let letter = self.push(rule.name.clone(), spelling, fixed);
        self.by_rule.insert(id, letter);
        letter
    }

    fn text_token(&mut self, text: &[u8]) -> Letter {
        if let Some(&letter) = self.by_text.get(text) {
            return letter;
        }
        let letter = self.push(quoted(text), Some(text.to_vec()), true);
        self.by_text.insert(text.to_vec(), letter);
        letter
    }

    fn push(&mut self, name: String, spelling: Option<Vec<u8>>, fixed: bool) -> Letter {
        self.tokens.push(Token {
            name,
            spelling,
            fixed,
        });
        (self.tokens.len() - 1) as Letter
    }

    fn finish(mut self) -> TokenView {
        /// A symbol whose letter is known, before the alphabet's size is.
        enum Early {
            Letter(Letter),
            Rule(RuleId),
        }
        let grammar = self.grammar;
        let mut early = Vec::new();
        for rule in &grammar.rules {
            let mut ways = Vec::new();
            if matches!(rule.role, Role::Syntax | Role::Made) {
                for production in &rule.productions {
                    let parts = production.symbols.iter().map(|symbol| match symbol {
                        Symbol::Rule(id) => match grammar.rules[*id].role {
                            Role::Syntax | Role::Made => Early::Rule(*id),
                            _ => Early::Letter(self.rule_token(*id)),
                        },
                        Symbol::Text(text) => Early::Letter(self.text_token(text)),
                        Symbol::Chars(set) => {
                            let name = crate::write::set(set);
                            let known = self.tokens.iter().position(|t| t.name == name);
                            Early::Letter(match known {
                                Some(at) => at as Letter,
                                None => {
                                    let spelling = set.spellings().first().map(|sets| {
                                        let firsts = sets.iter().filter_map(LetterSet::first);
                                        firsts.map(|letter| letter as u8).collect()
                                    });
                                    self.push(name, spelling, set.len() == 1)
                                }
                            })
                        }
                    });
                    ways.push(parts.collect::<Vec<Early>>());
                }
            }
            early.push(ways);
        }
        let letters = self.tokens.len();
        let mut builder = CfgBuilder::new(letters);
        for ways in early {
            let ways = ways.into_iter().map(|parts| {
                let parts = parts.into_iter().map(|part| match part {
                    Early::Letter(letter) => builder.class(&LetterSet::of(letters, [letter])),
                    Early::Rule(id) => Part::Rule(id as u32),
                });
                parts.collect()
            });
            let ways = ways.collect();
            builder.rules.push(ways);
        }
        TokenView {
            tokens: self.tokens,
            cfg: builder.finish(grammar.start),
        }
    }
}

fn quoted(text: &[u8]) -> String {
    format!("'{}'", String::from_utf8_lossy(text))
}

/// A shortest word, of the least letters among those.
fn shortest(cfg: &Cfg) -> Option<Vec<u8>> {
    let normal = crate::normal::Normal::new(cfg);
    let word = normal.shortest()?;
    Some(word.into_iter().map(|letter| letter as u8).collect())
}
