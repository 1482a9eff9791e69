//! Which numbers a program's tokeniser has for the tokens of a grammar: found by
//! running it on their spellings.

use crate::spelling::Spelling;
use engine::policy::generational::{NoTokens, Tracer};
use grammar::{Letter, TokenView};
use machine::End;
use program::{FunctionId, Kind, Program};
use std::collections::BTreeMap;
use std::fmt;

/// Calls of a tokeniser on the spelling of one token.
const CALLS: usize = 6;

/// What a tokeniser returns for each token of a grammar.
#[derive(Clone, Debug)]
pub struct TokenIds {
    /// The tokeniser.
    pub tokeniser: FunctionId,
    /// Bits of what it returns.
    pub width: u16,
    /// What it returns at the end of the input, if that is known.
    pub end: Option<u64>,
    /// What it returns for each token; none for tokens it does not know as one.
    pub of: Vec<Option<u64>>,
    /// What a user should know about tokens that share a number or have none.
    pub remarks: Vec<String>,
}

/// Why a function is no tokeniser for the grammar.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TokenError {
    /// There is no such function.
    #[error("{0}: there is no such function in the program")]
    Missing(String),
    /// The function has no body.
    #[error("{0}: the function has no body; give the file that defines it")]
    Bodiless(String),
    /// It returns no integer.
    #[error(
        "{0}: the function does not return an integer; name one that returns the number of \
         the token it has read"
    )]
    NoInteger(String),
    /// The program does not call it.
    #[error(
        "{0}: the program does not call the function, neither on an empty standard input nor \
         on one token of the grammar"
    )]
    NeverCalled(String),
    /// It does not come back.
    #[error(
        "{function}: the function does not return within {instructions} instructions when \
         standard input is `{text}`"
    )]
    NeverReturns {
        /// The function.
        function: String,
        /// What it was to read.
        text: String,
        /// How many instructions it was given.
        instructions: u64,
    },
    /// It knows no token of the grammar.
    #[error("{function}: the function knows no token of the grammar\n  {}", .remarks.join("\n  "))]
    KnowsNone {
        /// The function.
        function: String,
        /// What it does with them.
        remarks: Vec<String>,
    },
}

impl TokenIds {
    /// Runs the tokeniser on every token's spellings; those that it reads as
    /// something else than the first are dropped.
    ///
    /// # Errors
    ///
    /// When the function cannot be a tokeniser.
    pub fn learn(
        tracer: &mut Tracer<'_>,
        name: &str,
        view: &TokenView,
        spelling: &mut Spelling,
        instructions: u64,
    ) -> Result<TokenIds, TokenError> {
        let (tokeniser, width) = find(tracer.machine.program, name)?;
        let mut pupil = Pupil {
            tracer,
            tokeniser,
            name,
            instructions,
            end: None,
            called: false,
        };
        pupil.learn_end(spelling)?;
        let mut ids = TokenIds {
            tokeniser,
            width,
            end: pupil.end,
            of: Vec::new(),
            remarks: Vec::new(),
        };
        for (letter, token) in view.tokens.iter().enumerate() {
            let letter = letter as Letter;
            let texts = spelling.of(letter).to_vec();
            let mut known: Option<(u64, &[u8])> = None;
            let mut good = Vec::new();
            for text in &texts {
                match pupil.read(text)? {
                    Reading::One(id) if known.is_none_or(|(first, _)| first == id) => {
                        known = Some((id, text));
                        good.push(text.clone());
                    }
                    Reading::One(_) => {}
                    other if known.is_none() && good.is_empty() && texts.len() == 1 => {
                        let shown = String::from_utf8_lossy(text);
                        ids.remarks
                            .push(format!("{} (`{shown}`) {other}", token.name));
                    }
                    _ => {}
                }
            }
            if known.is_none() && texts.len() > 1 {
                ids.remarks.push(format!(
                    "{} is not read as one token in any spelling",
                    token.name
                ));
            }
            spelling.keep(letter, |text| good.iter().any(|good| **good == *text));
            ids.of.push(known.map(|(id, _)| id));
        }
        if !pupil.called {
            return Err(TokenError::NeverCalled(name.to_owned()));
        }
        if ids.of.iter().all(Option::is_none) {
            return Err(TokenError::KnowsNone {
                function: name.to_owned(),
                remarks: ids.remarks,
            });
        }
        ids.remark_on_shared(view);
        Ok(ids)
    }

    fn remark_on_shared(&mut self, view: &TokenView) {
        let mut by_id: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
        for (token, id) in view.tokens.iter().zip(&self.of) {
            if let Some(id) = id {
                by_id.entry(*id).or_default().push(&token.name);
            }
        }
        for (id, names) in by_id.iter().filter(|(_, names)| names.len() > 1) {
            let names = names.join(", ");
            self.remarks
                .push(format!("{names} are all read as {id} and not told apart"));
        }
        if self.end.is_none() {
            let words = "what is returned at the end of the input is not known";
            self.remarks.push(words.to_owned());
        }
    }
}

fn find(program: &Program, name: &str) -> Result<(FunctionId, u16), TokenError> {
    let Some(id) = program.function(name) else {
        return Err(TokenError::Missing(name.to_owned()));
    };
    let function = &program.functions[id.index()];
    if function.body.is_none() {
        return Err(TokenError::Bodiless(name.to_owned()));
    }
    match program.signatures[function.signature.index()].results[..] {
        [Kind::Int(width)] if width <= 64 => Ok((id, width)),
        _ => Err(TokenError::NoInteger(name.to_owned())),
    }
}

/// How a tokeniser reads one spelling.
enum Reading {
    One(u64),
    Nothing,
    Several(Vec<u64>),
    Ends(End),
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reading::One(id) => write!(f, "is read as {id}"),
            Reading::Nothing => write!(f, "is read as nothing, so it is not used"),
            Reading::Several(ids) => {
                let ids: Vec<String> = ids.iter().map(u64::to_string).collect();
                let ids = ids.join(", ");
                write!(f, "is read as several tokens ({ids}), so it is not used")
            }
            Reading::Ends(End::Exit(status)) => write!(
                f,
                "ends the program with status {status}, so it is not used"
            ),
            Reading::Ends(End::Error(kind, _)) => {
                write!(
                    f,
                    "ends the program with an error ({kind}), so it is not used"
                )
            }
            Reading::Ends(End::TooDeep) => write!(f, "calls too deeply, so it is not used"),
            Reading::Ends(End::Unknown) => write!(f, "leads nobody knows where, so it is not used"),
            Reading::Ends(End::Ignored | End::Redundant) => {
                write!(f, "is dropped, so it is not used")
            }
        }
    }
}

struct Pupil<'m, 'p> {
    tracer: &'m mut Tracer<'p>,
    tokeniser: FunctionId,
    name: &'m str,
    instructions: u64,
    end: Option<u64>,
    called: bool,
}

impl Pupil<'_, '_> {
    /// What is returned for nothing; where the tokeniser is not asked then, what
    /// follows some token.
    fn learn_end(&mut self, spelling: &Spelling) -> Result<(), TokenError> {
        for nothing in [&b""[..], b"\n", b" "] {
            if let Ok(tokens) = self.ask(nothing, (None, 1))? {
                self.end = tokens.first().copied();
                return Ok(());
            }
        }
        let mut letter = 0;
        while let Some(text) = spelling.of_or_none(letter) {
            if let Ok(tokens) = self.ask(&text, (None, 2))? {
                self.end = tokens.get(1).copied();
                return Ok(());
            }
            letter += 1;
        }
        Ok(())
    }

    fn read(&mut self, text: &[u8]) -> Result<Reading, TokenError> {
        let calls = if self.end.is_some() { CALLS } else { 1 };
        Ok(match self.ask(text, (self.end, calls))? {
            Ok(mut tokens) => {
                if tokens.last().copied() == self.end {
                    tokens.pop();
                }
                match tokens[..] {
                    [] => Reading::Nothing,
                    [id] => Reading::One(id),
                    _ => Reading::Several(tokens),
                }
            }
            Err(end) => Reading::Ends(end),
        })
    }

    fn ask(
        &mut self,
        text: &[u8],
        wanted: (Option<u64>, usize),
    ) -> Result<Result<Vec<u64>, End>, TokenError> {
        let asked = (self.tracer).tokens_of(self.tokeniser, text, wanted, self.instructions);
        self.called |= !matches!(asked, Err(NoTokens::NeverCalled));
        match asked {
            Ok(tokens) => Ok(Ok(tokens)),
            Err(NoTokens::NeverCalled) => Ok(Err(End::Ignored)),
            Err(NoTokens::Ended(end, _)) => Ok(Err(end)),
            Err(NoTokens::NeverReturned) => Err(TokenError::NeverReturns {
                function: self.name.to_owned(),
                text: String::from_utf8_lossy(text).into_owned(),
                instructions: self.instructions,
            }),
        }
    }
}
