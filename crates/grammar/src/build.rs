//! From what notations say (repetitions, options, groups, complements, names)
//! to rules and productions.

use crate::chars::CharSet;
use crate::grammar::{Grammar, Production, Role, Rule, RuleId, Symbol};
use crate::problem::{Place, Problem, Problems};
use rustc_hash::{FxHashMap, FxHashSet};

/// How deep groups may nest in a text.
pub(crate) const DEEPEST: usize = 200;

/// How many rules and texts a grammar may have.
const MOST_SYMBOLS: usize = 20_000;

/// The right side of a rule, as it is written.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    Text(Vec<u8>),
    Chars(CharSet),
    Name(String, Place),
    /// Any character, or any token where the rule is one over tokens.
    Any(Place),
    /// Any character or token but these.
    Not(Box<Expression>, Place),
    Sequence(Vec<Expression>),
    Choice(Vec<(Expression, Place)>),
    Repeat(Box<Expression>, Repeat),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Repeat {
    Option,
    Star,
    Plus,
}

impl Expression {
    /// One after the other.
    pub fn sequence(mut parts: Vec<Expression>) -> Expression {
        match parts.len() {
            1 => parts.remove(0),
            _ => Expression::Sequence(parts),
        }
    }

    /// The text, if it is nothing else.
    fn as_text(&self) -> Option<&[u8]> {
        match self {
            Expression::Text(text) => Some(text),
            Expression::Choice(ways) if ways.len() == 1 => ways[0].0.as_text(),
            _ => None,
        }
    }

    /// The expression repeated; a repetition of a repetition is one.
    pub fn repeated(self, repeat: Repeat) -> Expression {
        match self {
            Expression::Repeat(of, inner) if inner == repeat => Expression::Repeat(of, inner),
            Expression::Repeat(of, _) => Expression::Repeat(of, Repeat::Star),
            other => Expression::Repeat(Box::new(other), repeat),
        }
    }
}

/// A rule as it is written.
pub(crate) struct Definition {
    pub name: String,
    pub place: Place,
    pub role: Role,
    pub body: Expression,
}

/// A text as a list of definitions.
#[derive(Default)]
pub(crate) struct Draft {
    pub definitions: Vec<Definition>,
    pub notes: Vec<Problem>,
    pub problems: Vec<Problem>,
    /// The start rule, if it is there; otherwise it is the first.
    pub start: Option<String>,
    /// Names that stand for the empty word.
    pub empty_names: Vec<String>,
    /// Rules whose definition is wrong, and whose names are still fine.
    pub broken: Vec<String>,
    /// Whether names of tokens may be defined elsewhere.
    pub tokens_elsewhere: bool,
}

impl Draft {
    /// The grammar, or all that is wrong with the text.
    pub fn grammar(self) -> Result<Grammar, Problems> {
        let mut builder = Builder {
            names: FxHashMap::default(),
            taken: FxHashSet::default(),
            rules: Vec::new(),
            made: FxHashMap::default(),
            problems: self.problems,
            notes: self.notes,
            silent_names: [self.empty_names, self.broken].concat(),
            tokens_elsewhere: self.tokens_elsewhere,
            tokens: Vec::new(),
            spelled: FxHashMap::default(),
            current: (0, Role::Syntax, 0),
        };
        for definition in &self.definitions {
            builder.declare(definition);
        }
        builder.collect_tokens(&self.definitions);
        for (id, definition) in self.definitions.iter().enumerate() {
            builder.define(id, definition);
        }
        builder.refuse_too_many_symbols();
        if builder.rules.is_empty() && builder.problems.is_empty() {
            let words = "there is no rule here; a grammar needs at least one";
            builder.problems.push(Problem::new(Place::START, words));
        }
        Problems::none_in(builder.problems)?;
        let named = self
            .start
            .and_then(|name| builder.names.get(&name).copied());
        let first = builder
            .rules
            .iter()
            .position(|rule| rule.role == Role::Syntax);
        let mut notes = builder.notes;
        notes.sort();
        notes.dedup();
        Ok(Grammar {
            start: named.or(first).unwrap_or(0),
            rules: builder.rules,
            notes,
        })
    }
}

/// What makes two made rules equal: the ways, how they are repeated, and whether
/// they are part of a rule over tokens.
type Made = (Vec<Vec<Symbol>>, Option<Repeat>, bool);

struct Builder {
    names: FxHashMap<String, RuleId>,
    taken: FxHashSet<String>,
    rules: Vec<Rule>,
    /// Rules made of equal repetitions, options and groups.
    made: FxHashMap<Made, RuleId>,
    problems: Vec<Problem>,
    notes: Vec<Problem>,
    /// Names that need no definition and add nothing.
    silent_names: Vec<String>,
    tokens_elsewhere: bool,
    /// What a rule over tokens may say of any token, in the order of the text.
    tokens: Vec<Symbol>,
    /// The token rules that are one text each, by the text: in a rule over
    /// tokens, the text stands for the rule.
    spelled: FxHashMap<Vec<u8>, RuleId>,
    /// The rule being defined, its role, and how many rules were made of it.
    current: (RuleId, Role, usize),
}

impl Builder {
    /// Sets of letters have a bit for each token, and there is one for each.
    fn refuse_too_many_symbols(&mut self) {
        let mut texts: FxHashSet<&Symbol> = FxHashSet::default();
        for (count, rule) in self.rules.iter().enumerate() {
            for symbol in rule.productions.iter().flat_map(|p| &p.symbols) {
                if let Symbol::Text(_) = symbol {
                    texts.insert(symbol);
                }
            }
            if texts.len() + count + 1 > MOST_SYMBOLS {
                let words = format!(
                    "there are more than {MOST_SYMBOLS} rules and texts up to here; \
                     divide the grammar"
                );
                self.problems.push(Problem::new(rule.place, words));
                return;
            }
        }
    }

    fn declare(&mut self, definition: &Definition) {
        let id = self.rules.len();
        self.rules.push(Rule {
            name: definition.name.clone(),
            place: definition.place,
            role: definition.role,
            productions: Vec::new(),
        });
        self.taken.insert(definition.name.clone());
        if let Some(&other) = self.names.get(&definition.name) {
            let line = self.rules[other].place.line;
            let words = format!("`{}` is already defined in line {line}", definition.name);
            self.problems.push(Problem::new(definition.place, words));
            return;
        }
        self.names.insert(definition.name.clone(), id);
    }

    /// Finds the tokens: the rules that are, and the texts in rules that are not.
    fn collect_tokens(&mut self, definitions: &[Definition]) {
        let rules = self.rules.iter().enumerate();
        let named = rules.filter(|(_, rule)| matches!(rule.role, Role::Token | Role::Declared));
        self.tokens = named.map(|(id, _)| Symbol::Rule(id)).collect();
        if self.tokens.is_empty() {
            return;
        }
        for (id, definition) in definitions.iter().enumerate() {
            if definition.role == Role::Token
                && let Some(text) = definition.body.as_text()
            {
                self.spelled.entry(text.to_vec()).or_insert(id);
            }
        }
        let mut seen = FxHashSet::default();
        let syntax = definitions.iter().filter(|d| d.role == Role::Syntax);
        let mut waiting: Vec<&Expression> = syntax.map(|d| &d.body).collect();
        waiting.reverse();
        while let Some(expression) = waiting.pop() {
            match expression {
                Expression::Text(text) => {
                    let new = !text.is_empty() && !self.spelled.contains_key(text);
                    if new && seen.insert(text.clone()) {
                        self.tokens.push(Symbol::Text(text.clone()));
                    }
                }
                Expression::Chars(_) | Expression::Name(..) | Expression::Any(_) => {}
                Expression::Not(of, _) | Expression::Repeat(of, _) => waiting.push(of),
                Expression::Sequence(parts) => waiting.extend(parts.iter().rev()),
                Expression::Choice(ways) => waiting.extend(ways.iter().rev().map(|(way, _)| way)),
            }
        }
    }

    fn define(&mut self, id: RuleId, definition: &Definition) {
        self.current = (id, definition.role, 0);
        let productions = self.productions(&definition.body, definition.place);
        self.rules[id].productions = productions;
    }

    fn productions(&mut self, body: &Expression, place: Place) -> Vec<Production> {
        let ways: Vec<(&Expression, Place)> = match body {
            Expression::Choice(ways) => ways.iter().map(|(way, place)| (way, *place)).collect(),
            other => vec![(other, place)],
        };
        let mut productions = Vec::with_capacity(ways.len());
        for (way, place) in ways {
            let mut symbols = Vec::new();
            if let Expression::Choice(_) = way {
                symbols.push(self.group(way, place));
            } else {
                self.symbols(way, place, &mut symbols);
            }
            productions.push(Production { symbols, place });
        }
        productions
    }

    /// Adds what the expression stands for in a sequence.
    fn symbols(&mut self, expression: &Expression, place: Place, symbols: &mut Vec<Symbol>) {
        match expression {
            Expression::Text(text) if text.is_empty() => {}
            Expression::Text(text) => symbols.push(self.text(text)),
            Expression::Chars(set) => symbols.push(Symbol::Chars(set.clone())),
            Expression::Name(name, place) => symbols.extend(self.named(name, *place)),
            Expression::Any(place) => symbols.extend(self.any_but(&[], *place)),
            Expression::Not(of, place) => symbols.extend(self.complement(of, *place)),
            Expression::Sequence(parts) => {
                for part in parts {
                    self.symbols(part, place, symbols);
                }
            }
            Expression::Choice(ways) if ways.len() == 1 => {
                self.symbols(&ways[0].0, ways[0].1, symbols);
            }
            Expression::Choice(_) => symbols.push(self.group(expression, place)),
            Expression::Repeat(of, repeat) => symbols.push(self.repeat(of, *repeat, place)),
        }
    }

    fn named(&mut self, name: &str, place: Place) -> Option<Symbol> {
        if self.silent_names.iter().any(|silent| silent == name) && !self.names.contains_key(name) {
            return None;
        }
        if let Some(&id) = self.names.get(name) {
            return Some(Symbol::Rule(id));
        }
        let token = name.starts_with(|c: char| c.is_uppercase());
        if self.tokens_elsewhere && token {
            let id = self.rules.len();
            self.rules.push(Rule {
                name: name.to_owned(),
                place,
                role: Role::Declared,
                productions: Vec::new(),
            });
            self.names.insert(name.to_owned(), id);
            self.taken.insert(name.to_owned());
            self.tokens.push(Symbol::Rule(id));
            return Some(Symbol::Rule(id));
        }
        let near = self.names.keys().filter(|known| close(known, name)).min();
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "define it, or put it in quotes if it stands for itself".to_owned(),
        };
        let words = format!("`{name}` is not defined; {hint}");
        self.problems.push(Problem::new(place, words));
        None
    }

    /// The text, or the token that it spells.
    fn text(&self, text: &[u8]) -> Symbol {
        match self.spelled.get(text) {
            Some(&rule) if self.over_tokens() => Symbol::Rule(rule),
            _ => Symbol::Text(text.to_vec()),
        }
    }

    fn over_tokens(&self) -> bool {
        self.current.1 == Role::Syntax && !self.tokens.is_empty()
    }

    /// Any character or token but these tokens.
    fn any_but(&mut self, excluded: &[Symbol], place: Place) -> Option<Symbol> {
        if !self.over_tokens() {
            return Some(Symbol::Chars(CharSet::chars([]).complement()));
        }
        let all = self.tokens.iter();
        let others = all.filter(|token| !excluded.contains(token));
        let ways = others.map(|token| vec![token.clone()]).collect();
        Some(self.make(ways, None, place))
    }

    fn complement(&mut self, of: &Expression, place: Place) -> Option<Symbol> {
        if !self.over_tokens() {
            let mut set = CharSet::chars([]);
            return match self.characters(of, &mut set) {
                true => Some(Symbol::Chars(set.complement())),
                false => {
                    let words = "`~` takes a set of characters, or one of bytes, here";
                    self.problems.push(Problem::new(place, words));
                    None
                }
            };
        }
        let ways: Vec<&Expression> = match of {
            Expression::Choice(ways) => ways.iter().map(|(way, _)| way).collect(),
            other => vec![other],
        };
        let mut excluded = Vec::new();
        for way in ways {
            match way {
                Expression::Text(text) => excluded.push(self.text(text)),
                Expression::Name(name, place) => excluded.extend(self.named(name, *place)),
                _ => {
                    let words = "`~` takes tokens here: names or texts, joined by `|`";
                    self.problems.push(Problem::new(place, words));
                }
            }
        }
        self.any_but(&excluded, place)
    }

    /// Adds the characters that the expression stands for; false when it stands
    /// for something else, or for bytes where there are characters already.
    fn characters(&self, expression: &Expression, set: &mut CharSet) -> bool {
        let more = match expression {
            Expression::Chars(chars) => Some(chars.clone()),
            Expression::Text(text) => str::from_utf8(text).ok().and_then(|text| {
                let mut chars = text.chars().map(u32::from);
                let single = chars.next().filter(|_| chars.next().is_none())?;
                Some(CharSet::chars([(single, single)]))
            }),
            Expression::Choice(ways) => {
                return ways.iter().all(|(way, _)| self.characters(way, set));
            }
            _ => None,
        };
        match more.and_then(|more| set.union(&more)) {
            Some(union) => {
                *set = union;
                true
            }
            None => false,
        }
    }

    fn group(&mut self, choice: &Expression, place: Place) -> Symbol {
        let productions = self.productions(choice, place);
        let ways = productions.into_iter().map(|p| p.symbols).collect();
        self.make(ways, None, place)
    }

    fn repeat(&mut self, of: &Expression, repeat: Repeat, place: Place) -> Symbol {
        let productions = self.productions(of, place);
        let ways = productions.into_iter().map(|p| p.symbols).collect();
        self.make(ways, Some(repeat), place)
    }

    /// A rule for these ways, repeated or not; an equal one serves again.
    fn make(&mut self, ways: Vec<Vec<Symbol>>, repeat: Option<Repeat>, place: Place) -> Symbol {
        let (role, in_syntax) = match self.current.1 {
            Role::Syntax => (Role::Made, true),
            _ => (Role::Fragment, false),
        };
        let key = (ways, repeat, in_syntax);
        if let Some(&id) = self.made.get(&key) {
            return Symbol::Rule(id);
        }
        let id = self.rules.len();
        let rule = Rule {
            name: self.new_name(),
            place,
            role,
            productions: Vec::new(),
        };
        self.rules.push(rule);
        let mut ways = Vec::new();
        match repeat {
            None => ways.extend(key.0.iter().cloned()),
            Some(Repeat::Option) => {
                ways.push(Vec::new());
                ways.extend(key.0.iter().cloned());
            }
            Some(Repeat::Star) => {
                ways.push(Vec::new());
                ways.extend(
                    key.0
                        .iter()
                        .map(|way| [&way[..], &[Symbol::Rule(id)]].concat()),
                );
            }
            Some(Repeat::Plus) => {
                ways.extend(key.0.iter().cloned());
                ways.extend(
                    key.0
                        .iter()
                        .map(|way| [&way[..], &[Symbol::Rule(id)]].concat()),
                );
            }
        }
        let productions = ways
            .into_iter()
            .map(|symbols| Production { symbols, place });
        self.rules[id].productions = productions.collect();
        self.made.insert(key, id);
        Symbol::Rule(id)
    }

    fn new_name(&mut self) -> String {
        let (rule, _, made) = &mut self.current;
        let base = self.rules[*rule].name.clone();
        loop {
            *made += 1;
            let name = format!("{base}-{made}");
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Whether the names differ by their case or by one character.
fn close(a: &str, b: &str) -> bool {
    if a.eq_ignore_ascii_case(b) {
        return true;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let common = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&a[common..], &b[common..]);
    a.len().min(b.len()) > 2
        && match rest_a.len().abs_diff(rest_b.len()) {
            0 => rest_a.get(1..) == rest_b.get(1..),
            1 if rest_a.len() > rest_b.len() => &rest_a[1..] == rest_b,
            1 => rest_a == &rest_b[1..],
            _ => false,
        }
}
