//! The one representation of grammars, whatever they were read from.
//!
//! A grammar is a list of rules; a rule is a list of productions; a production
//! is a sequence of symbols. Repetitions, options and groups of the notations
//! have become rules of their own when a grammar is here. Symbols keep their
//! places, so that whatever is said about a grammar can be said with a line.

use crate::cfg::{Part, deriving};
use crate::chars::CharSet;
use crate::problem::{Place, Problem};

/// A rule's number in its grammar.
pub type RuleId = usize;

/// A context-free grammar over characters, some of whose rules may be tokens.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// The rules, in the order of the text; those made of repetitions, options
    /// and groups follow the rule they are in.
    pub rules: Vec<Rule>,
    /// The rule whose words are the words of the grammar.
    pub start: RuleId,
    /// What was read in a way that its writer may not expect.
    pub notes: Vec<Problem>,
}

/// What a nonterminal derives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The name it was given, or one that no other rule has.
    pub name: String,
    /// Where it is defined.
    pub place: Place,
    /// What part it plays.
    pub role: Role,
    /// The ways to derive a word.
    pub productions: Vec<Production>,
}

/// The part a rule plays for those who read tokens instead of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A rule over tokens (or over characters, where there are no token rules).
    Syntax,
    /// A token: for a parser, one letter.
    Token,
    /// A part of tokens, named or made of their repetitions, options and groups.
    Fragment,
    /// A token that may stand between all others and that no parser sees.
    Skipped,
    /// A token that is named but defined elsewhere.
    Declared,
    /// A repetition, an option or a group of a rule over tokens.
    Made,
}

/// One way to derive a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Production {
    /// What the word is put together from.
    pub symbols: Vec<Symbol>,
    /// Where it is written.
    pub place: Place,
}

/// A part of a production.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol {
    /// A word of that rule.
    Rule(RuleId),
    /// These bytes; for those who read tokens, one token.
    Text(Vec<u8>),
    /// One of these characters.
    Chars(CharSet),
}

impl Grammar {
    /// The rule of this name.
    pub fn rule(&self, name: &str) -> Option<RuleId> {
        self.rules.iter().position(|rule| rule.name == name)
    }

    /// The same rules with another start.
    pub fn starting_at(mut self, start: RuleId) -> Grammar {
        self.start = start;
        self
    }

    /// Whether some rule is a token.
    pub fn has_tokens(&self) -> bool {
        let roles = [Role::Token, Role::Declared];
        self.rules.iter().any(|rule| roles.contains(&rule.role))
    }

    /// The rules that a word of the start rule may be made of, and, in a grammar
    /// with tokens, the skipped ones.
    pub fn reachable(&self) -> Vec<bool> {
        let skipped = self.rules.iter().enumerate();
        let skipped = skipped.filter_map(|(id, r)| (r.role == Role::Skipped).then_some(id));
        self.reachable_from(skipped.chain([self.start]).collect())
    }

    /// The rules that words of these rules may be made of.
    pub(crate) fn reachable_from(&self, mut waiting: Vec<RuleId>) -> Vec<bool> {
        let mut reached = vec![false; self.rules.len()];
        while let Some(id) = waiting.pop() {
            if !std::mem::replace(&mut reached[id], true) {
                waiting.extend(self.rules[id].references());
            }
        }
        reached
    }

    /// The rules that derive at least one word.
    pub fn productive(&self) -> Vec<bool> {
        // Classes stand for what derives words without more: texts, sets that are
        // not empty, and tokens that are defined elsewhere.
        const FINE: u32 = 0;
        const EMPTY: u32 = 1;
        let part = |symbol: &Symbol| match symbol {
            Symbol::Rule(id) if self.rules[*id].role == Role::Declared => Part::Class(FINE),
            Symbol::Rule(id) => Part::Rule(*id as u32),
            Symbol::Chars(set) if set.is_empty() => Part::Class(EMPTY),
            Symbol::Text(_) | Symbol::Chars(_) => Part::Class(FINE),
        };
        let rules = self.rules.iter().map(|rule| match rule.role {
            Role::Declared => vec![vec![Part::Class(FINE)]],
            _ => {
                let productions = rule.productions.iter();
                productions
                    .map(|p| p.symbols.iter().map(part).collect())
                    .collect()
            }
        });
        deriving(&rules.collect::<Vec<_>>(), |class| class == FINE)
    }
}

impl Rule {
    /// The rules its productions name.
    pub fn references(&self) -> impl Iterator<Item = RuleId> + '_ {
        let symbols = self.productions.iter().flat_map(|p| &p.symbols);
        symbols.filter_map(|symbol| match symbol {
            Symbol::Rule(id) => Some(*id),
            Symbol::Text(_) | Symbol::Chars(_) => None,
        })
    }
}
