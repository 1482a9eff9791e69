//! Sorts, by name or by their indices and parameters.

use super::lexer::{Fault, Kind, Token};
use super::scope::SortMeaning;
use super::{Reader, literals};
use crate::sort::{FpFormat, Sort};

/// How deep sorts may be nested; no sort of ours is nested deeper than two.
const DEPTH: u32 = 64;

impl<'a> Reader<'a, '_> {
    pub(super) fn sort(&mut self) -> Result<Sort, Fault> {
        self.sort_within(DEPTH)
    }

    /// A sort of a variable or of a parameter or result of a function.
    pub(super) fn declarable_sort(&mut self) -> Result<Sort, Fault> {
        let at = self.lexer.peek()?.at;
        match self.sort()? {
            Sort::RegLan => Fault::new(at, "unsupported: a variable or function of sort `RegLan`"),
            sort => Ok(sort),
        }
    }

    fn sort_within(&mut self, depth: u32) -> Result<Sort, Fault> {
        let token = self.lexer.next()?;
        if depth == 0 {
            return Fault::new(token.at, "this sort is nested too deeply");
        }
        match token.kind {
            Kind::Symbol | Kind::QuotedSymbol => self.named_sort(token),
            Kind::Open => self.compound_sort(token.at, depth),
            _ => self.unexpected(token, "a sort"),
        }
    }

    fn named_sort(&mut self, token: Token<'a>) -> Result<Sort, Fault> {
        if let Some(meaning) = self.scope.sort(token.text) {
            return match meaning {
                SortMeaning::Sort(sort) => Ok(sort),
                SortMeaning::Abbreviation(_) => {
                    Fault::new(token.at, format!("sort `{}` needs parameters", token.text))
                }
            };
        }
        builtin_sort(token.text).ok_or_else(|| unknown_sort(token))
    }

    fn compound_sort(&mut self, at: usize, depth: u32) -> Result<Sort, Fault> {
        let head = self.lexer.next()?;
        match (head.kind, head.text) {
            (Kind::Symbol, "_") => self.indexed_sort(at),
            (Kind::Symbol | Kind::QuotedSymbol, name) => match self.scope.sort(name) {
                Some(SortMeaning::Abbreviation(number)) => self.expand(head, number, depth),
                Some(SortMeaning::Sort(_)) => {
                    Fault::new(head.at, format!("sort `{name}` takes no parameters"))
                }
                None if name == "Array" => self.array_sort(at, depth),
                None => Err(unknown_sort(head)),
            },
            _ => self.unexpected(head, "the name of a sort"),
        }
    }

    fn indexed_sort(&mut self, at: usize) -> Result<Sort, Fault> {
        let name = self.lexer.next()?;
        match name.text {
            "BitVec" => {
                let (place, width) = self.numeral()?;
                self.close_paren()?;
                Ok(Sort::Bv(literals::width(place, width)?))
            }
            "FloatingPoint" => {
                let ((_, eb), (_, sb)) = (self.numeral()?, self.numeral()?);
                self.close_paren()?;
                Ok(Sort::Fp(self.format(at, eb, sb)?))
            }
            _ => Err(unknown_sort(name)),
        }
    }

    /// The format with these field widths; `at` is where its sort is written.
    pub(super) fn format(&self, at: usize, eb: u64, sb: u64) -> Result<FpFormat, Fault> {
        let fields = u32::try_from(eb).ok().zip(u32::try_from(sb).ok());
        match fields.and_then(|(eb, sb)| FpFormat::new(eb, sb)) {
            Some(format) => Ok(format),
            None => Fault::new(
                at,
                format!("unsupported sort `(_ FloatingPoint {eb} {sb})`"),
            ),
        }
    }

    fn array_sort(&mut self, at: usize, depth: u32) -> Result<Sort, Fault> {
        let index = self.sort_within(depth - 1)?;
        let element = self.sort_within(depth - 1)?;
        self.close_paren()?;
        match (index, element) {
            (Sort::Bv(index), Sort::Bv(element)) => Ok(Sort::Array { index, element }),
            _ => Fault::new(
                at,
                format!(
                    "unsupported sort `(Array {index} {element})`: \
                     arrays go from bit-vectors to bit-vectors"
                ),
            ),
        }
    }

    /// Reads the body of an abbreviation with its parameters bound.
    fn expand(&mut self, name: Token<'a>, number: usize, depth: u32) -> Result<Sort, Fault> {
        let abbreviation = self.scope.abbreviations[number].clone();
        let mut actual = Vec::new();
        while self.lexer.peek()?.kind != Kind::Close {
            actual.push(self.sort_within(depth - 1)?);
        }
        self.close_paren()?;
        let wanted = abbreviation.parameters.len();
        if actual.len() != wanted {
            let (name, given) = (name.text, actual.len());
            return Fault::new(
                self.lexer.position() - 1,
                format!("sort `{name}` takes {wanted} parameters, not {given}"),
            );
        }
        let parameters = abbreviation.parameters.iter().zip(actual);
        let before: Vec<_> = parameters
            .map(|(&name, sort)| {
                let meaning = SortMeaning::Sort(sort);
                (name, self.scope.bind_sort(name, meaning))
            })
            .collect();
        let after = self.lexer.position();
        self.lexer.go_to(abbreviation.body);
        let sort = self.sort_within(depth - 1)?;
        self.lexer.go_to(after);
        for (name, before) in before.into_iter().rev() {
            self.scope.restore_sort(name, before);
        }
        Ok(sort)
    }
}

/// The sort of this name that every script has.
pub(super) fn builtin_sort(name: &str) -> Option<Sort> {
    Some(match name {
        "Bool" => Sort::Bool,
        "Int" => Sort::Int,
        "Real" => Sort::Real,
        "String" => Sort::String,
        "RegLan" => Sort::RegLan,
        "RoundingMode" => Sort::RoundingMode,
        "Float16" => Sort::Fp(FpFormat::HALF),
        "Float32" => Sort::Fp(FpFormat::SINGLE),
        "Float64" => Sort::Fp(FpFormat::DOUBLE),
        "Float128" => Sort::Fp(FpFormat::QUAD),
        _ => return None,
    })
}

fn unknown_sort(token: Token<'_>) -> Fault {
    let name = token.text;
    let kind = match name {
        "Seq" | "Set" | "Bag" | "Tuple" | "List" | "Pair" | "Relation" | "FiniteField"
        | "Unicode" | "Char" | "RegEx" | "Array" | "BitVec" | "FloatingPoint" => "unsupported",
        _ => "unknown",
    };
    Fault {
        at: token.at,
        message: format!("{kind} sort `{name}`").into(),
    }
}
