//! Conditions of a path in the words of the program's source.
//!
//! The machine knows inputs byte by byte; a person has an `int x`. Where a condition is
//! about all bytes of a small input together it is written over the input as a whole,
//! and over its bytes otherwise, whichever is shorter.

use machine::State;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;
use term::print::infix;
use term::{Sort, Store, Substitution, Term};

/// Sizes in bytes of inputs that may be one number.
const WORDS: [usize; 3] = [2, 4, 8];

/// Writes conditions over the inputs of paths; those of several paths share names.
#[derive(Default)]
pub struct Conditions {
    /// For each byte of an input, the same byte of the whole.
    bytes: FxHashMap<Term, Term>,
    known: FxHashSet<Rc<[Term]>>,
    /// The names of inputs that may be one number, and their sizes in bytes.
    words: BTreeMap<String, usize>,
    substitution: Option<Substitution>,
    texts: FxHashMap<Term, String>,
}

impl Conditions {
    /// Learns the inputs of a path, whose conditions can be written from here on.
    pub fn learn(&mut self, store: &mut Store, state: &State) {
        for input in state.inputs.all() {
            if !WORDS.contains(&input.bytes.len()) || !self.known.insert(input.bytes.clone()) {
                continue;
            }
            let Some(name) = whole_name(store, input.bytes[0]) else {
                continue;
            };
            let width = 8 * input.bytes.len() as u16;
            let whole = store.var(&name, Sort::Bv(width));
            for (i, &byte) in (0u16..).zip(&*input.bytes) {
                let part = store.extract(whole, 8 * i, 8);
                self.bytes.insert(byte, part);
            }
            self.words.insert(name, input.bytes.len());
            self.substitution = None;
        }
    }

    /// The condition as text, its shared parts first.
    pub fn text(&mut self, store: &mut Store, condition: Term) -> String {
        if let Some(text) = self.texts.get(&condition) {
            return text.clone();
        }
        let substitution = self
            .substitution
            .get_or_insert_with(|| Substitution::new(&self.bytes));
        let whole = substitution.apply(store, condition);
        let by_bytes = infix::term(store, condition);
        let by_words = infix::term(store, whole);
        let text = match by_words.len() <= by_bytes.len() {
            true => by_words,
            false => by_bytes,
        };
        // In C the signed comparison is the one without a mark.
        let text = [" <s ", " <=s ", " >s ", " >=s "]
            .into_iter()
            .fold(text, |text, signed| {
                text.replace(signed, &signed.replace('s', ""))
            });
        // Marks around names that are none in SMT-LIB say nothing to a reader of C.
        let text = text.replace('|', "");
        let text = self.as_whole(&text).unwrap_or(text);
        self.texts.insert(condition, text.clone());
        text
    }

    /// What rewriting said of the bytes of an input, said of the input again: its sign is
    /// that of its last byte, and it equals a number if all its bytes do.
    fn as_whole(&self, text: &str) -> Option<String> {
        for (sign, suffix) in [("<", " < 0"), (">=", " >= 0")] {
            let byte = text.strip_suffix(suffix);
            if let Some((name, at)) = byte.and_then(byte_of)
                && self.words.get(name) == Some(&(at + 1))
            {
                return Some(format!("{name} {sign} 0"));
            }
        }
        let negated = text
            .strip_prefix("!(")
            .and_then(|rest| rest.strip_suffix(')'));
        let mut bytes: BTreeMap<usize, u8> = BTreeMap::new();
        let mut of = None;
        for part in negated.unwrap_or(text).split(" && ") {
            let (byte, value) = part.split_once(" == ")?;
            let (name, at) = byte_of(byte)?;
            if *of.get_or_insert(name) != name {
                return None;
            }
            bytes.insert(at, value.parse().ok()?);
        }
        let (name, size) = self.words.get_key_value(of?)?;
        if bytes.len() != *size || bytes.keys().next_back() != Some(&(size - 1)) {
            return None;
        }
        let mut value = bytes
            .values()
            .rev()
            .fold(0u64, |all, &byte| all << 8 | u64::from(byte));
        // As a signed number, which is what most are.
        let unused = 64 - 8 * *size as u32;
        value <<= unused;
        let value = (value as i64) >> unused;
        let sign = if negated.is_some() { "!=" } else { "==" };
        Some(format!("{name} {sign} {value}"))
    }
}

/// The input and the place in it of a byte, `x[3]`.
fn byte_of(text: &str) -> Option<(&str, usize)> {
    let (name, at) = text.strip_suffix(']')?.rsplit_once('[')?;
    Some((name, at.parse().ok()?))
}

/// The name of the input whose first byte this is.
fn whole_name(store: &Store, first: Term) -> Option<String> {
    let name = store.variable_name(store.as_variable(first)?);
    name.strip_suffix("[0]").map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_all_bytes_is_said_of_the_input() {
        let conditions = Conditions {
            words: [("x".to_owned(), 4)].into(),
            ..Conditions::default()
        };
        let whole = |text: &str| conditions.as_whole(text);
        assert_eq!(whole("x[3] < 0").as_deref(), Some("x < 0"));
        assert_eq!(whole("x[2] < 0"), None);
        let all = "x[0] == 254 && x[1] == 255 && x[2] == 255 && x[3] == 255";
        assert_eq!(whole(all).as_deref(), Some("x == -2"));
        let not = format!("!({all})");
        assert_eq!(whole(&not).as_deref(), Some("x != -2"));
        assert_eq!(whole("x[0] == 1 && x[1] == 2"), None);
        assert_eq!(whole("y[0] == 1"), None);
    }
}
