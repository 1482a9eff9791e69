//! What a program reads: standard input, any or the words of a grammar.

use crate::error::Error;
use crate::grammar::{Loaded, bounded, no_word};
use ::grammar::encode::byte_in;
use ::grammar::encode::viable::Beginnings;
use ::grammar::{Allowed, BYTES, Cfg, Completer, Completion, Letter, LetterSet, Normal, Reader};
use base::{Stop, Stopped};
use machine::{Continuation, Language};
use mixed::solver::ByteValues;
use std::path::{Path, PathBuf};
use term::{Store, Term};

/// Bytes that standard input may have at most.
const LONGEST: usize = 1 << 16;

/// What the program reads.
#[derive(clap::Args)]
pub struct InputArguments {
    /// Gives the program a symbolic standard input of up to this many bytes.
    #[arg(long, value_name = "N")]
    sym_stdin: Option<usize>,
    /// Restricts standard input to the words of this grammar (.g4, .bnf, .ebnf,
    /// .json or .hmp), up to the length that --sym-stdin gives.
    #[arg(long, value_name = "FILE")]
    grammar: Option<PathBuf>,
    /// The rule of the grammar to start with.
    #[arg(long, value_name = "RULE", requires = "grammar")]
    grammar_start: Option<String>,
}

impl InputArguments {
    /// The file of the grammar, if there is one.
    pub fn grammar(&self) -> impl Iterator<Item = &PathBuf> {
        self.grammar.iter()
    }

    /// Whether there is a grammar.
    pub fn has_grammar(&self) -> bool {
        self.grammar.is_some()
    }

    /// The grammar, if there is one.
    pub fn loaded_grammar(&self) -> Result<Loaded, Error> {
        let file = self.grammar.as_deref().unwrap_or(Path::new(""));
        Loaded::starting_at(file, self.grammar_start.as_deref())
    }

    /// The greatest length of standard input, if it is symbolic.
    pub fn stdin(&self) -> Option<usize> {
        self.sym_stdin
    }

    /// Refuses to be used with something that leaves no choice of inputs.
    pub fn refuse(&self, with: &str) -> Result<(), Error> {
        match self.sym_stdin {
            Some(_) => Err(Error::Usage(format!(
                "--sym-stdin cannot be used with {with}"
            ))),
            None if self.grammar.is_some() => Err(Error::Usage(format!(
                "--grammar cannot be used with {with}"
            ))),
            None => Ok(()),
        }
    }

    /// The language of standard input, if it has one.
    pub fn language(&self) -> Result<Option<Words>, Error> {
        let Some(most) = self.sym_stdin else {
            return match self.grammar {
                None => Ok(None),
                Some(_) => Err(Error::Usage(
                    "--grammar needs --sym-stdin, the most bytes of standard input".to_owned(),
                )),
            };
        };
        if most > LONGEST {
            return Err(Error::Usage(format!(
                "a standard input of {most} bytes is too large; the greatest is {LONGEST}"
            )));
        }
        if self.grammar.is_none() {
            return Ok(None);
        }
        bounded(most)?;
        let loaded = self.loaded_grammar()?;
        let words = Words::new(loaded.bytes()?);
        let shortest = words.normal.shortest();
        match shortest.is_some_and(|shortest| shortest.len() <= most) {
            true => Ok(Some(words)),
            false => Err(no_word(&loaded.name, &words.normal, 0, most)),
        }
    }

    /// The language that standard input is held to.
    pub fn language_of<'s>(&self, words: Option<&'s Words>) -> Option<Box<dyn Language + 's>> {
        let most = self.sym_stdin?;
        words.map(|words| {
            let language = InGrammar {
                words,
                most,
                reader: Reader::new(&words.normal),
                beginnings: None,
            };
            Box::new(language) as Box<dyn Language + 's>
        })
    }
}

/// The words of a grammar.
pub struct Words {
    cfg: Cfg,
    normal: Normal,
}

impl Words {
    fn new(cfg: Cfg) -> Words {
        let normal = Normal::new(&cfg);
        Words { cfg, normal }
    }
}

/// The words that standard input may be.
struct InGrammar<'a> {
    words: &'a Words,
    most: usize,
    reader: Reader<'a>,
    /// Made when it depends on several bytes what may follow.
    beginnings: Option<Beginnings<'a>>,
}

impl<'a> InGrammar<'a> {
    fn beginnings(
        &mut self,
        store: &Store,
        bytes: &[Term],
        stop: &Stop,
    ) -> Result<&mut Beginnings<'a>, Stopped> {
        let mut beginnings = match self.beginnings.take() {
            Some(known) => known,
            None => Beginnings::new(store, &self.words.normal, bytes, stop)?,
        };
        beginnings.set_stop(stop);
        Ok(self.beginnings.insert(beginnings))
    }
}

impl Language for InGrammar<'_> {
    fn next(
        &mut self,
        store: &mut Store,
        bytes: &[Term],
        read: &[ByteValues],
        stop: &Stop,
    ) -> Result<Continuation, Stopped> {
        let count = read.len();
        let read = read
            .iter()
            .map(|values| LetterSet::of(BYTES, values.iter().map(Letter::from)));
        let read: Vec<LetterSet> = read.collect();
        if let Some(following) = self.reader.after(&read, self.most - count) {
            return Ok(Continuation {
                more: byte_in(store, bytes[count], &following.letters),
                end: store.bool(following.ends),
            });
        }
        let beginnings = self.beginnings(store, bytes, stop)?;
        Ok(Continuation {
            more: beginnings.begin(store, count + 1)?,
            end: beginnings.word(store, count)?,
        })
    }

    fn complete(&self, read: &[u8], ended: bool, stop: &Stop) -> Result<Option<Vec<u8>>, Stopped> {
        let mut word: Vec<Letter> = read.iter().map(|&byte| byte.into()).collect();
        if !ended {
            let only = |&letter: &Letter| Allowed::letters(LetterSet::of(BYTES, [letter]));
            let allowed: Vec<Allowed> = word.iter().map(only).collect();
            let completer = Completer::new(&self.words.normal);
            match completer.complete(&allowed, stop)? {
                Completion::Word(whole) => word = whole,
                Completion::None { .. } => return Ok(None),
            }
        }
        let is_word = word.len() <= self.most && self.words.cfg.accepts_until(&word, stop)?;
        Ok(is_word.then(|| word.iter().map(|&letter| letter as u8).collect()))
    }
}
