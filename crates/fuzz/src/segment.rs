//! Cutting a text into the tokens of a grammar, the longest first, as lexers do.

use crate::spelling::Piece;
use base::{Stop, Stopped};
use grammar::{Cfg, Grammar, Letter, Role, TokenView};

/// Bytes that a token of many spellings may have in a text.
const LONGEST: usize = 64;

/// Cuts texts into tokens.
pub struct Segments<'g> {
    view: &'g TokenView,
    /// The tokens of many spellings.
    various: Vec<(Letter, Cfg)>,
    skipped: Vec<Cfg>,
}

impl<'g> Segments<'g> {
    /// Makes ready to cut texts of this grammar.
    pub fn new(grammar: &Grammar, view: &'g TokenView) -> Segments<'g> {
        let tokens = view.tokens.iter().enumerate();
        let various = tokens.filter(|(_, token)| !token.fixed);
        let various = various
            .filter_map(|(letter, token)| Some((letter as Letter, grammar.spellings(token)?)));
        let rules = grammar.rules.iter().enumerate();
        let skipped = rules.filter(|(_, rule)| rule.role == Role::Skipped);
        Segments {
            view,
            various: various.collect(),
            skipped: skipped.map(|(id, _)| grammar.bytes_of(id)).collect(),
        }
    }

    /// The tokens of a text; nothing if some of it is none.
    ///
    /// # Errors
    ///
    /// When `stop` is set before the whole text is cut.
    pub fn of(&self, text: &[u8], stop: &Stop) -> Result<Option<Vec<Piece>>, Stopped> {
        let mut pieces = Vec::new();
        let mut at = 0;
        while at < text.len() {
            stop.check()?;
            let rest = &text[at..];
            let blank = self
                .skipped
                .iter()
                .filter_map(|cfg| longest(cfg, rest))
                .max();
            let blank = blank.or(rest[0].is_ascii_whitespace().then_some(1));
            let token = self.first(rest);
            match (token, blank) {
                (Some((letter, length)), blank) if blank.is_none_or(|blank| length > blank) => {
                    pieces.push(Piece {
                        letter,
                        text: rest[..length].into(),
                    });
                    at += length;
                }
                (_, Some(blank)) => at += blank,
                _ => return Ok(None),
            }
        }
        Ok(Some(pieces))
    }

    /// The longest token that a text begins with; of equals, one that is always
    /// spelled so.
    fn first(&self, text: &[u8]) -> Option<(Letter, usize)> {
        let tokens = self.view.tokens.iter().enumerate();
        let fixed = tokens.filter_map(|(letter, token)| {
            let spelling = token.spelling.as_ref().filter(|_| token.fixed)?;
            let begins = !spelling.is_empty() && text.starts_with(spelling);
            begins.then_some((spelling.len(), true, letter as Letter))
        });
        let various = self.various.iter();
        let various =
            various.filter_map(|(letter, cfg)| Some((longest(cfg, text)?, false, *letter)));
        let (length, _, letter) = fixed.chain(various).max()?;
        Some((letter, length))
    }
}

/// The length of the longest word that a text begins with, if it is not empty.
fn longest(cfg: &Cfg, text: &[u8]) -> Option<usize> {
    let letters: Vec<Letter> = text.iter().take(LONGEST).map(|&b| b.into()).collect();
    let mut lengths = (1..=letters.len()).rev();
    lengths.find(|&length| cfg.accepts(&letters[..length]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_into_its_longest_tokens() {
        let grammar = grammar::read::antlr(
            "grammar g; all : ('if' | '=' | '==' | NAME | STRING)* EOF ;
             NAME : [a-z]+ ; STRING : '\"' ~[\"]* '\"' ; BLANK : [ \\n]+ -> skip ;",
        )
        .unwrap();
        let view = grammar.tokens();
        let segments = Segments::new(&grammar, &view);
        let cut = |text: &str| {
            let pieces = segments.of(text.as_bytes(), &Stop::never());
            let pieces = pieces.expect("nobody stops it")?;
            let shown = pieces.iter().map(|piece| {
                let name = &view.tokens[usize::from(piece.letter)].name;
                format!("{name}:{}", String::from_utf8_lossy(&piece.text))
            });
            Some(shown.collect::<Vec<_>>().join(" "))
        };
        assert_eq!(
            cut("if iffy==\n\"a b\"").as_deref(),
            Some("'if':if NAME:iffy '==':== STRING:\"a b\"")
        );
        assert_eq!(cut("if 7"), None);
    }
}
