//! How tokens are written: a few spellings for each, and what stands between two.

use grammar::count::Sampler;
use grammar::{Grammar, Letter, Normal, Random, TokenView};
use std::fmt;
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
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// The token.
    pub letter: Letter,
    /// Its text.
    pub text: Rc<[u8]>,
}

/// The spellings of tokens.
#[derive(Clone, Debug)]
pub struct Spelling {
    pools: Vec<Vec<Rc<[u8]>>>,
    join: Vec<u8>,
}

/// Why tokens cannot be spelled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpellingError {
    /// There is no token of this name.
    NoSuchToken(String, Vec<String>),
    /// The grammar does not say how these tokens are spelled.
    Undefined(Vec<String>),
}

impl fmt::Display for SpellingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpellingError::NoSuchToken(name, known) => write!(
                f,
                "--spell {name}=…: the grammar has no such token; it has {}",
                known.join(", ")
            ),
            SpellingError::Undefined(names) => write!(
                f,
                "the grammar does not say how these tokens are spelled: {}; \
                 give it with --spell NAME=TEXT",
                names.join(", ")
            ),
        }
    }
}

impl Spelling {
    /// Spellings by the grammar's own rules, but for tokens that are given some;
    /// `join` stands between two tokens.
    ///
    /// # Errors
    ///
    /// When a token has no spelling, or one is given for a token that does not exist.
    pub fn new(
        grammar: &Grammar,
        view: &TokenView,
        given: &[(String, Vec<Vec<u8>>)],
        join: &[u8],
        seed: u64,
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
                (None, Some(shortest)) => various(grammar, &token.name, shortest, &mut random),
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

    pub(crate) fn choose(&self, letter: Letter, random: &mut Random) -> Piece {
        let pool = self.of(letter);
        let text = match pool {
            [only] => only.clone(),
            pool => pool[random.below(pool.len())].clone(),
        };
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

/// A few spellings of a token: the shortest, interesting ones, and one drawn.
fn various(grammar: &Grammar, name: &str, shortest: &[u8], random: &mut Random) -> Vec<Vec<u8>> {
    const LONGEST: usize = 6;
    let mut pool = vec![shortest.to_vec()];
    let Some(rule) = grammar.rule(name) else {
        return pool;
    };
    let cfg = grammar.bytes_of(rule);
    let normal = Normal::new(&cfg);
    let spelled = |word: &[Letter]| word.iter().map(|&letter| letter as u8).collect::<Vec<u8>>();
    for text in INTERESTING {
        let word: Vec<Letter> = text.bytes().map(Letter::from).collect();
        if pool.len() < POOL - 1 && text.as_bytes() != shortest && cfg.accepts(&word) {
            pool.push(text.into());
        }
    }
    if let Some(sampler) = Sampler::new(&normal, 1..=LONGEST) {
        let drawn = spelled(&sampler.draw(random));
        if !pool.contains(&drawn) {
            pool.push(drawn);
        }
    }
    pool
}
