//! How tokens are written: a few spellings for each, and what stands between two.

use base::{Stop, Stopped};
use grammar::count::Sampler;
use grammar::{Grammar, Letter, Normal, Random, Token, TokenView};
use program::{Base, Constant, Function, Global, GlobalId, Initializer, Program};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Spellings a token is tried with.
const POOL: usize = 8;

/// What is of interest where a token may be spelled so: names that come again, and
/// numbers at the borders of types.
const INTERESTING: [&str; 27] = [
    "0",
    "1",
    "2",
    "3",
    "10",
    "100",
    "255",
    "256",
    "65535",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "0.5",
    "1e9",
    "0x10",
    "a",
    "b",
    "c",
    "x",
    "f",
    "A",
    "\"\"",
    "\"a\"",
    "''",
    "'a'",
    "true",
];

/// A token of an input, and how it is spelled there.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(from = "(Letter, Vec<u8>)", into = "(Letter, Vec<u8>)")]
pub struct Piece {
    /// The token.
    pub letter: Letter,
    /// Its text.
    pub text: Rc<[u8]>,
}

impl From<(Letter, Vec<u8>)> for Piece {
    fn from((letter, text): (Letter, Vec<u8>)) -> Piece {
        Piece {
            letter,
            text: text.into(),
        }
    }
}

impl From<Piece> for (Letter, Vec<u8>) {
    fn from(piece: Piece) -> (Letter, Vec<u8>) {
        (piece.letter, piece.text.to_vec())
    }
}

impl Piece {
    /// The bytes of a text, each a letter.
    pub fn of_bytes(text: &[u8]) -> Vec<Piece> {
        let pieces = text.iter().map(|&byte| Piece {
            letter: byte.into(),
            text: [byte].as_slice().into(),
        });
        pieces.collect()
    }
}

/// The spellings of tokens.
#[derive(Clone, Debug)]
pub struct Spelling {
    pools: Vec<Vec<Rc<[u8]>>>,
    join: Vec<u8>,
}

/// Why tokens cannot be spelled.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpellingError {
    /// There is no token of this name.
    #[error("the grammar has no token `{name}`; it has {known}", name = .0, known = .1.join(", "))]
    NoSuchToken(String, Vec<String>),
    /// The grammar does not say how these tokens are spelled.
    #[error("the grammar does not say how these tokens are spelled: {}", .0.join(", "))]
    Undefined(Vec<String>),
    /// The stop token was set before all spellings were found.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Spelling {
    /// Spellings by the grammar's own rules, but for tokens that are given some; where
    /// a token has many, these words are among them. `join` stands between two tokens.
    ///
    /// # Errors
    ///
    /// When a token has no spelling, or one is given for a token that does not exist,
    /// or `stop` is set.
    pub fn new(
        grammar: &Grammar,
        view: &TokenView,
        given: &[(String, Vec<Vec<u8>>)],
        words: &[Vec<u8>],
        join: &[u8],
        seed: u64,
        stop: &Stop,
    ) -> Result<Spelling, SpellingError> {
        let names = || view.tokens.iter().map(|token| token.name.clone()).collect();
        let mut own: Vec<Option<&Vec<Vec<u8>>>> = vec![None; view.tokens.len()];
        for (name, spellings) in given {
            let Some(letter) = view.letter(name) else {
                return Err(SpellingError::NoSuchToken(name.clone(), names()));
            };
            own[usize::from(letter)] = Some(spellings);
        }
        let mut random = Random::new(seed);
        let (mut pools, mut undefined) = (Vec::new(), Vec::new());
        for (token, own) in view.tokens.iter().zip(own) {
            let pool = match (own, &token.spelling) {
                (Some(own), _) => own.clone(),
                (None, None) => {
                    undefined.push(token.name.clone());
                    continue;
                }
                (None, Some(only)) if token.fixed => vec![only.clone()],
                (None, Some(_)) => various(grammar, token, words, &mut random, stop)?,
            };
            pools.push(pool.into_iter().map(Rc::from).collect());
        }
        if !undefined.is_empty() {
            return Err(SpellingError::Undefined(undefined));
        }
        Ok(Spelling {
            pools,
            join: join.to_vec(),
        })
    }

    /// Bytes spelled as themselves, with nothing between them.
    pub fn of_bytes() -> Spelling {
        let bytes = (0..=u8::MAX).map(|byte| vec![Rc::from([byte].as_slice())]);
        Spelling {
            pools: bytes.collect(),
            join: Vec::new(),
        }
    }

    /// The spellings of a token.
    pub fn of(&self, letter: Letter) -> &[Rc<[u8]>] {
        &self.pools[usize::from(letter)]
    }

    /// The first spelling of a token, if there is such a token.
    pub(crate) fn of_or_none(&self, letter: Letter) -> Option<Rc<[u8]>> {
        self.pools.get(usize::from(letter))?.first().cloned()
    }

    /// Keeps of a token's spellings those that fulfil a condition.
    pub(crate) fn keep(&mut self, letter: Letter, mut good: impl FnMut(&[u8]) -> bool) {
        self.pools[usize::from(letter)].retain(|text| good(text));
    }

    /// A spelling for a token that follows these: as likely as not one that was
    /// used before, since much depends on names that are met again.
    pub(crate) fn choose(&self, letter: Letter, before: &[Piece], random: &mut Random) -> Piece {
        let pool = self.of(letter);
        if let [only] = pool {
            let text = only.clone();
            return Piece { letter, text };
        }
        let same = before.iter().filter(|piece| piece.letter == letter);
        let same: Vec<&Piece> = same.collect();
        if !same.is_empty() && random.below(2) == 0 {
            return same[random.below(same.len())].clone();
        }
        let text = pool[random.below(pool.len())].clone();
        Piece { letter, text }
    }

    /// Whether some token of the word can be spelled in another way.
    pub(crate) fn varies(&self, pieces: &[Piece]) -> bool {
        pieces.iter().any(|piece| self.of(piece.letter).len() > 1)
    }

    pub(crate) fn text(&self, pieces: &[Piece]) -> Vec<u8> {
        let texts: Vec<&[u8]> = pieces.iter().map(|piece| &*piece.text).collect();
        texts.join(&self.join[..])
    }
}

/// A few spellings of a token: the shortest, interesting ones, words of the
/// program, and one drawn.
fn various(
    grammar: &Grammar,
    token: &Token,
    words: &[Vec<u8>],
    random: &mut Random,
    stop: &Stop,
) -> Result<Vec<Vec<u8>>, Stopped> {
    const LONGEST: usize = 6;
    let mut pool: Vec<Vec<u8>> = token.spelling.iter().cloned().collect();
    let Some(cfg) = grammar.spellings(token) else {
        return Ok(pool);
    };
    let normal = Normal::new(&cfg);
    let interesting = INTERESTING.iter().map(|text| text.as_bytes());
    let words = words.iter().map(Vec::as_slice);
    for (texts, most) in [
        (interesting.collect::<Vec<&[u8]>>(), POOL),
        (words.collect(), 2 * POOL),
    ] {
        for text in texts {
            let word: Vec<Letter> = text.iter().map(|&byte| byte.into()).collect();
            let known = pool.iter().any(|known| known == text);
            if pool.len() < most && !known && cfg.accepts_until(&word, stop)? {
                pool.push(text.to_vec());
            }
        }
    }
    if let Some(sampler) = Sampler::new(&normal, 1..=LONGEST, stop)? {
        let drawn = sampler.draw(random);
        let drawn: Vec<u8> = drawn.iter().map(|&letter| letter as u8).collect();
        if !pool.contains(&drawn) {
            pool.push(drawn);
        }
    }
    Ok(pool)
}

/// Short texts in the constants that functions use: names the program knows, and
/// words it looks for.
pub fn words_of(program: &Program, uses: impl Fn(&Function) -> bool) -> Vec<Vec<u8>> {
    let global = |constant: &Constant| match constant {
        Constant::Address(address) => match address.base {
            Base::Global(id) => Some(id),
            Base::Function(_) | Base::Block(..) => None,
        },
        _ => None,
    };
    let users = program.functions.iter().filter(|function| uses(function));
    let bodies = users.filter_map(|function| function.body.as_ref());
    let constants = bodies.flat_map(|body| &body.constants);
    let mut waiting: Vec<GlobalId> = constants.filter_map(global).collect();
    let mut met = FxHashSet::default();
    let mut words = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if !met.insert(id) {
            continue;
        }
        let used = &program.globals[id.index()];
        let Some(initializer) = &used.initializer else {
            continue;
        };
        let values = initializer.relocations.iter();
        waiting.extend(values.filter_map(|relocation| global(&relocation.value)));
        words.extend(word_in(used, initializer));
    }
    words.into_iter().collect()
}

/// The text of a constant, if it is one that could be a word.
fn word_in(global: &Global, initializer: &Initializer) -> Option<Vec<u8>> {
    const LONGEST: usize = 16;
    let bytes = &initializer.bytes;
    let last = bytes.iter().rposition(|&byte| byte != 0)?;
    let text = &bytes[..=last];
    let is_text = global.constant
        && initializer.relocations.is_empty()
        && (text.len() as u64) < global.size
        && text.len() <= LONGEST
        && text.iter().all(u8::is_ascii_graphic);
    is_text.then(|| text.to_vec())
}
